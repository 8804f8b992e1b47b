//===- TileAndFuse.h - Tile and fuse with repairs ---------------*- C++ -*-===//
//
// Fuses the producers of a root into a nest of tiling levels. Upstream's driver
// cannot fuse an online reduction whose reduced dimension is tiled. Here the
// loop carries its state, and what the root has accumulated from its earlier
// results is repaired.
//
// Plan, then apply: FusionPlan.h has the plan. `applyFusionPlan` carries it out
// with upstream's tiling functions, first on a copy that is thrown away, so
// that a failure leaves the IR as it was.
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
  /// What replaced the results of the root; null where only consumers that were
  /// fused used them.
  SmallVector<Value> replacements;
};

/// Carries out `plan` on a copy that is thrown away, and returns what of it can
/// be: consumers that refuse a tile stay outside. Fails with the reason where
/// nothing can be fused.
FailureOr<FusionPlan> dryRunFusionPlan(const FusionPlan &plan,
                                       std::string &reason);

/// Carries out `plan`, which `dryRunFusionPlan` has returned. On failure says
/// why in `reason`, and the isolated op around the root is as it was, but has
/// other ops inside. The ops of the plan are gone afterwards, so that it
/// applies once.
FailureOr<TileAndFuseResult> applyCheckedPlan(RewriterBase &rewriter,
                                              const FusionPlan &plan,
                                              std::string &reason);

/// Carries out `plan`, as far as `dryRunFusionPlan` says. On failure says why
/// in `reason` and leaves the IR as it was.
FailureOr<TileAndFuseResult> applyFusionPlan(RewriterBase &rewriter,
                                             const FusionPlan &plan,
                                             std::string &reason);

/// Plans and applies for every root below `scope`, and then for the others that
/// are left. A refusal is an error at the root, of one of the others a remark.
LogicalResult tileAndFuseRoots(RewriterBase &rewriter, Operation *scope,
                               const TileAndFuseOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_APPLY_TILEANDFUSE_H
