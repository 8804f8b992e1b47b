//===- GatherOperands.h - Operands read at sums of loops --------*- C++ -*-===//
//
// Private to TileToWorkgroups.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_GATHEROPERANDS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_GATHEROPERANDS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::linalg_ext {

/// Returns whether all operands of `op` are read at different loops or at 0, as
/// vectors are. A convolution reads sums of loops.
bool readsElements(linalg::LinalgOp op);

/// Returns whether vectors have elements of the types of `op`. They have no
/// complex numbers.
bool hasVectorElements(linalg::LinalgOp op);

/// Gives the ops on tensors below `scope` operands that are read at loops. An
/// elementwise op extracts elements in its payload. An op that reduces, such as
/// a convolution, reads what an elementwise op gathers: a patch for each
/// element of its result, which makes it a product.
void gatherOperands(RewriterBase &rewriter, Operation *scope);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_GATHEROPERANDS_H
