//===- TileProducts.h - Contractions in tiles for a CPU ---------*- C++ -*-===//
//
// For contractions that no root has taken into its loops.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_CPU_TILEPRODUCTS_H
#define MLIR_EXT_CODEGEN_CPU_TILEPRODUCTS_H

#include "mlir-ext/Selection/CPUTileSizes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::linalg_ext {

/// Tiles `op`, a contraction on tensors, with the sizes of
/// `chooseCPUProductTiles`: a `forall` over batches (1), rows and columns, in
/// which its destination is computed if elementwise ops do that, and a `for`
/// over what it sums. The columns are the last dimension of the result, the
/// rows the dimensions that the operand with the columns lacks. Fails, and
/// changes nothing, if `op` is none, or one tile.
LogicalResult tileProduct(RewriterBase &rewriter, linalg::LinalgOp op,
                          const CPUCoreModel &core,
                          const CPUTileOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_CPU_TILEPRODUCTS_H
