//===- TileAndFuse.h - Tile and fuse with repairs ---------------*- C++ -*-===//
//
// Fuses the producers of a root into its tiling loops, level by level.
// Upstream's driver cannot fuse an online reduction if a dimension that it
// reduces is tiled. Here the loop carries the state of the reduction, and
// repairs what the root accumulated from the results of earlier tiles.
//
// FusionPlan.h declares the plan. `applyFusionPlan` applies it with upstream's
// tiling functions: first to a copy that is discarded, then to the program. So
// a failure leaves the IR unchanged.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_APPLY_TILEANDFUSE_H
#define MLIR_EXT_FUSION_APPLY_TILEANDFUSE_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::linalg_ext {

struct TileAndFuseResult {
  /// The tiled root, in the innermost loop.
  Operation *root = nullptr;
  /// The loops, outermost first.
  SmallVector<LoopLikeOpInterface> loops;
  /// The values that replaced the results of the root. Null for a result that
  /// only fused consumers used.
  SmallVector<Value> replacements;
};

/// Applies `plan` to a copy that is discarded. Returns the part of the plan
/// that can be applied: without consumers and siblings that cannot be tiled,
/// and without cutting accumulations whose derivatives cannot be built. Fails,
/// with `refusal`, if nothing can be fused.
FailureOr<FusionPlan> dryRunFusionPlan(const FusionPlan &plan,
                                       Refusal &refusal);

/// Applies `plan`, which `dryRunFusionPlan` must have returned. A plan can be
/// applied only once, because its ops are erased. On failure, `refusal` tells
/// why. The isolated op around the root is then restored from a copy, so the
/// ops inside are new.
FailureOr<TileAndFuseResult> applyCheckedPlan(RewriterBase &rewriter,
                                              const FusionPlan &plan,
                                              Refusal &refusal);

/// Applies the part of `plan` that `dryRunFusionPlan` returns. On failure,
/// `refusal` tells why. If the dry run fails, the IR is as it was; see
/// `applyCheckedPlan` for a failure after it.
FailureOr<TileAndFuseResult> applyFusionPlan(RewriterBase &rewriter,
                                             const FusionPlan &plan,
                                             Refusal &refusal);

/// Plans and applies fusion for every root below `scope`, and then for the
/// other accumulations that `findFusionRoots` finds, unless they have been
/// fused by then. A refused root is an error. A refused accumulation of the
/// second kind is a remark.
LogicalResult tileAndFuseRoots(RewriterBase &rewriter, Operation *scope,
                               const TileAndFuseOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_APPLY_TILEANDFUSE_H
