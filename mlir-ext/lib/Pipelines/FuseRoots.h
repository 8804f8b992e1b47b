//===- FuseRoots.h - Tile and fuse with levels for a target -----*- C++ -*-===//
//
// What the passes for CPUs and GPUs share.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_PIPELINES_FUSEROOTS_H
#define LINALG_EXT_PIPELINES_FUSEROOTS_H

#include "mlir-ext/Fusion/Cost/FusionProfit.h"
#include "mlir-ext/Fusion/Plan/UnfusedChains.h"

namespace mlir::linalg_ext {

/// Options of a pass, as they are spelled.
struct FuseRootsSpelling {
  std::string levels, normalization, exactness, rescaleThreshold;
  /// Whether an `scf.forall` that is the first of the levels is over
  /// workgroups. It is one then even of a single iteration.
  bool mapToWorkgroups = false;
  std::string recompute = "all";
  /// What to say of the outcome; see FusionReport.h.
  std::string report = "missed";
  bool requireFusion = false;
  /// Whether a later pass computes a chain of ops that is left in one loop.
  std::function<bool(const UnfusedChain &)> isFusedLater = nullptr;
};

/// Tiles and fuses every root below `scope` with the levels that `select`
/// chooses, or with those that `spelling` gives. Of chosen ones, `profit`, if
/// given, says whether the fusion pays; otherwise the root stays unfused.
/// Options that do not parse are an error, and so is a root that cannot be
/// fused with given levels; with chosen ones that is reported. So are tensors
/// that are stored although loops could carry what is computed from them,
/// whether there is a root or not.
LogicalResult fuseRoots(
    Operation *scope, TileAndFuseOptions options,
    const FuseRootsSpelling &spelling,
    function_ref<FailureOr<std::vector<TilingLevel>>(Operation *)> select,
    const std::optional<FusionProfitOptions> &profit = std::nullopt);

} // namespace mlir::linalg_ext

#endif // LINALG_EXT_PIPELINES_FUSEROOTS_H
