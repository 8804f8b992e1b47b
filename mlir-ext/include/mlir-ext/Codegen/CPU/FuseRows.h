//===- FuseRows.h - Loops over rows for a CPU -------------------*- C++ -*-===//
//
// Puts ops that read the same rows into one loop over rows.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_CPU_FUSEROWS_H
#define MLIR_EXT_CODEGEN_CPU_FUSEROWS_H

#include "mlir-ext/Selection/CPUTileSizes.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::linalg_ext {

/// Fuses `root`, an elementwise op or a reduction of rows on tensors, with the
/// elementwise ops and reductions of rows that it is computed from. The result is
/// an `scf.forall` over blocks of rows. Each iteration reads the rows from memory
/// once, and reads them again from a cache. A row is all that the parallel loops
/// common to the reductions leave: it may have several dimensions, and need not
/// be contiguous.
///
/// Fails, with the IR unchanged and the reason in `refusal`, if no reduction can
/// be fused, if the loop would move nearly as much memory as the ops on their own,
/// or if a row does not fit into half of the L2 cache.
LogicalResult fuseRows(RewriterBase &rewriter, linalg::LinalgOp root,
                       const CPUTarget &core, const CPUTileOptions &options,
                       Refusal &refusal);

/// Calls `fuseRows` for the ops below `scope` that are in no loop, from the last
/// one to the first.
void fuseAllRows(RewriterBase &rewriter, Operation *scope,
                 const CPUTarget &core, const CPUTileOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_CPU_FUSEROWS_H
