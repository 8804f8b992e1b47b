//===- OutputShapes.h - The sizes of expanded tensors -----------*- C++ -*-===//
//
// A tensor.expand_shape has the sizes of its result twice: in its type, and as
// output_shape. Upstream's verifier (22.1.8) accepts an output_shape that
// contradicts the type. Upstream's patterns and interface models use
// output_shape, and then build invalid IR. The functions here use the type.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_OUTPUTSHAPES_H
#define MLIR_EXT_SUPPORT_OUTPUTSHAPES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Returns the sizes of the result of `op`: the static sizes of its type, and
/// output_shape for the dynamic ones.
SmallVector<OpFoldResult> getOutputShape(tensor::ExpandShapeOp op);

/// Does the same as upstream's reifyResultShapes, but returns the size in the
/// type of the result where it is static.
LogicalResult reifyTypedResultShapes(OpBuilder &b, Operation *op,
                                     ReifiedRankedShapedTypeDims &shapes);

/// Adds upstream's patterns of the same name, and a pattern that makes
/// output_shape agree with the type before they match.
void populateFoldTensorEmptyPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_OUTPUTSHAPES_H
