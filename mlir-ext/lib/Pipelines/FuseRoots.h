//===- FuseRoots.h - Tile and fuse all roots --------------------*- C++ -*-===//
//
// The targets of linalg-ext-fuse and their common part, to which each passes a
// function that chooses the tiling levels.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_PIPELINES_FUSEROOTS_H
#define MLIR_EXT_LIB_PIPELINES_FUSEROOTS_H

#include "mlir-ext/Fusion/Cost/FusionProfit.h"
#include "mlir-ext/Fusion/Plan/UnfusedChains.h"
#include "mlir-ext/Selection/SelectLevels.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mlir::linalg_ext {

/// Chooses the tiling levels of a root. If the root has no online reduction
/// before it, the second argument is the contraction whose result the root
/// contracts, otherwise it is null; see `selectCPULevels`.
using SelectLevels = function_ref<FailureOr<std::vector<TilingLevel>>(
    Operation *root, Operation *chained)>;

/// The options of a pass as text.
struct FuseRootsSpelling {
  std::string levels, normalization, exactness, rescaleThreshold;
  /// Map the first level of `levels`, if it is an `scf.forall`, to workgroups.
  /// Canonicalization keeps a mapped loop even if it has a single iteration.
  bool mapToWorkgroups = false;
  std::string recompute = "all";
  /// Whether functions record which tensors were reported (`setReported`).
  bool marksReported = false;
  /// Which remarks to emit; see FusionReport.h.
  std::string report = "missed";
  bool requireFusion = false;
  /// Whether to emit the plan of each fusion as JSON.
  bool reportData = false;
  /// Returns true if a later pass computes this unfused chain of ops in one
  /// loop. It is then not reported.
  std::function<bool(const UnfusedChain &)> isFusedLater = nullptr;
  /// Returns true if a later pass computes the operands of this op in one loop
  /// with it. It is then no root.
  std::function<bool(Operation *root)> isLeft = nullptr;
  /// Explains the levels that were selected last. Empty if there is nothing to
  /// explain.
  std::function<std::string()> explainLevels = nullptr;
  /// Returns further levels that were selected together with the last ones:
  /// those for few keys, if there are any, and those that convert operands.
  std::function<std::optional<FewKeys>()> getFewKeys = nullptr;
  std::function<std::optional<ConvertingLevels>()> getConverting = nullptr;
  /// Called with the outermost loop of a fused root. The second argument says
  /// whether the loop has the levels that were selected last, or other ones.
  enum class Levels { Selected, ForFewKeys, Converting };
  std::function<void(Operation *loop, Levels levels)> finishLoop = nullptr;
  /// Whether contractions read two operands of f8 as they are.
  bool multipliesF8 = false;
  /// Whether weights of values of f8 may be rounded to f8.
  bool roundsWeights = false;
  /// Whether weights may be rounded to f16 instead of bf16, for products with
  /// values of few bits.
  bool weightsInF16 = false;
  /// Called if the loops of `getConverting` cannot be built. Levels are then
  /// selected again, without levels for which operands must be stored.
  std::function<void()> refuseConverting = nullptr;
  /// Chooses the levels of a sum over blocks of the results of a contraction.
  std::function<FailureOr<std::vector<TilingLevel>>(Operation *root)>
      selectSum = nullptr;
  /// Returns true if the result of this op must be stored before the root whose
  /// levels were selected last.
  std::function<bool(Operation *op)> isStored = nullptr;
  /// Computes those tile sizes of `levels`, which were selected for `root`,
  /// that are known only at run time. The ops are created before `root`, and
  /// erased if the root is not fused.
  std::function<void(RewriterBase &rewriter, Operation *root,
                     std::vector<TilingLevel> &levels)>
      computeTileSizes = nullptr;
};

/// Tiles and fuses every root below `scope`, with the levels in `spelling` or,
/// if there are none, with those that `select` chooses. With chosen levels, a
/// root stays unfused if `profit` is given and the fusion does not pay. After
/// the roots that online reductions have, contractions that contract what
/// another contraction computes become roots, if the tensor between them is
/// large. Reports roots that stay unfused, and tensors in memory although one
/// loop could compute and use them.
///
/// Fails, with an error, if an option does not parse, if a root cannot be fused
/// with given levels, or if `requireFusion` is set and a fusion is missed.
LogicalResult
fuseRoots(Operation *scope, TileAndFuseOptions options,
          const FuseRootsSpelling &spelling, SelectLevels select,
          const std::optional<FusionProfitOptions> &profit = std::nullopt);

/// Fuses every root below `scope` with levels for a CPU. Then tiles the
/// contractions that are in no loop of a root.
LogicalResult fuseForCPU(Operation *scope, FuseRootsSpelling spelling,
                         const CPUTarget &core, const CPUTileOptions &tiles,
                         const std::optional<FusionProfitOptions> &profit);

/// Puts ops below `scope` into loops over rows, if they are in no loop yet and
/// reduce rows or compute with rows (FuseRows.h).
///
/// Fails, with an error, if `spelling` does not parse.
LogicalResult fuseRowsForCPU(Operation *scope,
                             const FuseRootsSpelling &spelling,
                             const CPUTarget &core,
                             const CPUTileOptions &tiles);

/// Widens accumulators below `scope`, gives each use of a fill its own fill,
/// and fuses every root, together with the elementwise ops that follow it, with
/// levels for a GPU. With `opByOp`, leaves and reports the roots.
LogicalResult fuseForGPU(Operation *scope, FuseRootsSpelling spelling,
                         const GPUTileSizes &sizes, bool opByOp = false);

/// Fuses nothing. Reports each tensor below `scope` that is stored although one
/// loop could compute and use it.
///
/// Fails, with an error, if `report` has an invalid value, or if
/// `requireFusion` is set and there is such a tensor.
LogicalResult reportUnfused(Operation *scope,
                            const FuseRootsSpelling &spelling);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_PIPELINES_FUSEROOTS_H
