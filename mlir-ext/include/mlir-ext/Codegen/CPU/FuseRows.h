//===- FuseRows.h - Loops over rows for a CPU -------------------*- C++ -*-===//
//
// Puts ops that read the same rows into one loop over rows.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_CPU_FUSEROWS_H
#define MLIR_EXT_CODEGEN_CPU_FUSEROWS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"
#include "mlir-ext/Selection/CPUTileSizes.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::linalg_ext {

/// Fuses `root`, an elementwise op or a reduction of rows on tensors, with the
/// elementwise ops and reductions of rows that it is computed from. The result
/// is an `scf.forall` over blocks of rows. Each iteration reads the rows from
/// memory once, and reads them again from a cache. A row is all that the
/// parallel loops common to the reductions leave: it may have several
/// dimensions, but has the innermost one.
///
/// If a row does not fit into half of the L2 cache, and `root` is a reduction
/// that depends on a reduction of the same row, both are reduced online, in
/// pieces of the row, as far as `exactness` allows.
///
/// Fails, with the IR unchanged and the reason in `refusal`, if nothing can be
/// fused, or if the loop would move nearly as much memory as the ops on their
/// own. If `refusal` has no op afterwards, the ops around `root` are gone, too.
LogicalResult fuseRows(RewriterBase &rewriter, linalg::LinalgOp root,
                       const CPUTarget &core, const CPUTileOptions &options,
                       Exactness exactness, Refusal &refusal);

/// Calls `fuseRows` for the ops below `scope` that are in no loop, from the
/// last one to the first, and `onRefused` for each that is refused.
void fuseAllRows(
    RewriterBase &rewriter, Operation *scope, const CPUTarget &core,
    const CPUTileOptions &options, Exactness exactness,
    llvm::function_ref<void(linalg::LinalgOp, const Refusal &)> onRefused);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_CPU_FUSEROWS_H
