//===- OutputShapes.h - The sizes of expanded tensors -----------*- C++ -*-===//
//
// A tensor.expand_shape has the sizes of its result twice: in its type, and as
// output_shape. Upstream's verifier (22.1.8) accepts an output_shape that
// contradicts the type, and upstream's patterns and interface models take
// output_shape. What they make is then invalid. Here the type is right.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_OUTPUTSHAPES_H
#define MLIR_EXT_SUPPORT_OUTPUTSHAPES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// The sizes of the result of `op`: those of its type that are static, and for
/// the others those of output_shape.
SmallVector<OpFoldResult> getOutputShape(tensor::ExpandShapeOp op);

/// As upstream's reifyResultShapes. A size that the type of a result knows is
/// this one.
LogicalResult reifyTypedResultShapes(OpBuilder &b, Operation *op,
                                     ReifiedRankedShapedTypeDims &shapes);

/// Upstream's patterns of the same name, and one in front of them that makes
/// output_shape agree with the type.
void populateFoldTensorEmptyPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_OUTPUTSHAPES_H
