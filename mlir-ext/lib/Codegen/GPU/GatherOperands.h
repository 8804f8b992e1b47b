//===- GatherOperands.h - Operands read at sums of loops --------*- C++ -*-===//
//
// Private to TileToWorkgroups.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_GATHEROPERANDS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_GATHEROPERANDS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::linalg_ext {

/// Returns whether each operand of `op` is read at different loops or at 0, as
/// vectors require. A convolution reads sums of loops.
bool readsElements(linalg::LinalgOp op);

/// Returns whether vectors can have the element types of `op`. They cannot have
/// complex numbers.
bool hasVectorElements(linalg::LinalgOp op);

/// Rebuilds the elementwise op `op` with a `tensor.extract` for each operand
/// that is not read at loops.
linalg::GenericOp extractElements(RewriterBase &rewriter, linalg::GenericOp op);

/// Rewrites ops on tensors below `scope` so that all operands are read at
/// loops. An elementwise op extracts elements in its payload. For an op that
/// reduces, such as a convolution, an elementwise op gathers a patch for each
/// element of the result, so that the op becomes a product.
void gatherOperands(RewriterBase &rewriter, Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_GATHEROPERANDS_H
