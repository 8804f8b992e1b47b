//===- TileProducts.h - Tiling of contractions for a CPU --------*- C++ -*-===//
//
// Tiles the contractions that tile-and-fuse has not fused into a root.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_CPU_TILEPRODUCTS_H
#define MLIR_EXT_CODEGEN_CPU_TILEPRODUCTS_H

#include "mlir-ext/Selection/CPUTileSizes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::linalg_ext {

/// Tiles `op`, a contraction of two tensors, with the sizes of
/// `chooseCPUProductTiles`:
///   - an outer `forall` over batches (by 1), rows and columns. It also
///     computes the fill or the elementwise ops that produce the destination,
///     and the elementwise ops that follow `op`;
///   - an inner `for` over the innermost reduction dimension.
/// The columns are the last dimension of the result. The rows are the parallel
/// dimensions that the operand with the columns lacks. Fails, with the IR
/// unchanged and a reason in `notifyMatchFailure`, if `op` is not such a
/// contraction, has a dimension of size 0, or is a single tile.
LogicalResult tileProduct(RewriterBase &rewriter, linalg::LinalgOp op,
                          const CPUTarget &core,
                          const CPUTileOptions &options);

/// Cuts the rows of `op`, a contraction with weights that elementwise ops
/// dequantize, into tiles of few rows. If the number of rows is not known, a
/// branch has these for few rows, and another one has `op`. A known number is
/// cut if digits multiply the weights. Adds the products to `parts`. Fails, with
/// the IR unchanged and a reason in `notifyMatchFailure`, if `op` is not such a
/// contraction, or if tiles would not pay.
LogicalResult splitRows(RewriterBase &rewriter, linalg::LinalgOp op,
                        const CPUTarget &core,
                        SmallVectorImpl<linalg::LinalgOp> &parts);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_CPU_TILEPRODUCTS_H
