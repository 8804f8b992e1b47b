//===- TileAndFuse.h - Tile and fuse with repairs ---------------*- C++ -*-===//
//
// Fuses the producers of a root into a nest of tiling levels. What upstream's
// driver cannot do is fused here: an online reduction whose reduced dimension
// is cut carries its state through the loop, and what the root accumulated from
// its earlier results is repaired.
//
// Plan, then apply. `planTileAndFuse` reads the untiled IR and decides, for
// every level and every producer, what happens and why, or refuses with a
// reason; it builds nothing. `applyFusionPlan` carries the plan out with
// upstream's tiling functions, first on a copy that is thrown away, so that a
// failure leaves the IR as it was.
//
// Dimension numbers are positions in the iteration domain of the root.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TRANSFORMS_TILEANDFUSE_H
#define MLIR_EXT_TRANSFORMS_TILEANDFUSE_H

#include "mlir-ext/Interfaces/Repair.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SmallBitVector.h"

#include <string>
#include <vector>

namespace mlir::linalg_ext {

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

enum class LoopKind { For, Forall };

/// One level of tiling.
struct TilingLevel {
  LoopKind kind = LoopKind::For;
  /// A tile size for each dimension; 0 does not tile it. Missing ones are 0.
  SmallVector<int64_t> tileSizes;
  /// Loop `i` iterates dimension `interchange[i]`; empty is the identity.
  SmallVector<int64_t> interchange;
  /// Device mapping of the loops of an `scf.forall`.
  SmallVector<Attribute> mapping;
};

struct TileAndFuseOptions {
  /// Outermost first.
  std::vector<TilingLevel> levels;
  NormalizationForm normalization = NormalizationForm::Delayed;
  /// The unit attribute that marks roots.
  StringRef rootAttrName;
};

/// Parses `(for|forall)(sizes) [interchange(dims)] ...`. On failure describes
/// what was expected and what was found in `error`.
LogicalResult parseTilingLevels(StringRef text,
                                std::vector<TilingLevel> &levels,
                                std::string &error);

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// What happens to one producer at one level.
struct PlannedProducer {
  Operation *op = nullptr;
  /// Computed inside the loops of the level, tile by tile.
  bool fused = false;
  /// A loop of the level does not index the producer: its tiles are computed
  /// once for each iteration of that loop.
  bool recomputed = false;
  /// The level cuts a dimension that the producer reduces over online.
  bool partial = false;
  /// Results that the loops yield, because the state lives in them or because
  /// somebody outside needs them.
  SmallVector<unsigned> yieldedResults;
  /// Why the producer stays outside.
  std::string reason;
};

/// One `scf.forall`, or one `scf.for`.
struct PlannedLevel {
  TilingLevel level;
  /// The dimensions the level tiles.
  llvm::SmallBitVector dims;
  /// In the order in which the producers are reached from the root.
  SmallVector<PlannedProducer> producers;

  const PlannedProducer *lookup(Operation *op) const;
};

/// How the accumulator of the root follows the state of an online producer.
struct PlannedRepair {
  Operation *producer = nullptr;
  /// The ops that hand the stale values on from the producer to the root, in
  /// this order, each with the operand by which it takes them.
  SmallVector<std::pair<Operation *, unsigned>> path;
  /// The operand of the root through which the stale values arrive.
  unsigned operandNumber = 0;
  RepairKind kind = RepairKind::Scale;
  AccumulatorRepair accumulator;
  NormalizationForm normalization = NormalizationForm::Delayed;
  /// The state lives in the loops from `firstLevel` (outermost) on, and is
  /// carried innermost by `lastLevel`.
  unsigned firstLevel = 0, lastLevel = 0;
};

struct FusionPlan {
  Operation *root = nullptr;
  std::vector<PlannedLevel> levels;
  std::vector<PlannedRepair> repairs;

  void print(raw_ostream &os) const;
};

/// Plans tiling and fusing around `root`, which must implement TilingInterface,
/// IndexingMapOpInterface and DestinationStyleOpInterface on tensors. Refuses
/// with the reason in `reason`. Builds no IR.
FailureOr<FusionPlan> planTileAndFuse(Operation *root,
                                      const TileAndFuseOptions &options,
                                      std::string &reason);

//===----------------------------------------------------------------------===//
// Applying it
//===----------------------------------------------------------------------===//

struct TileAndFuseResult {
  /// The tiled root, in the innermost loop.
  Operation *root = nullptr;
  /// The loops, outermost first.
  SmallVector<LoopLikeOpInterface> loops;
  /// What replaced the results of the root.
  SmallVector<Value> replacements;
};

/// Carries out `plan`. On failure says why in `reason` and leaves the IR as it
/// was. The ops of the plan are gone afterwards, so that it applies once.
FailureOr<TileAndFuseResult> applyFusionPlan(RewriterBase &rewriter,
                                             const FusionPlan &plan,
                                             std::string &reason);

/// Returns the roots below `scope`, in program order: the ops with the
/// attribute `rootAttrName` or, where there is none, for each online reduction
/// the accumulation that it feeds. Two candidates for one online reduction are
/// an error, emitted at the reduction and naming them.
FailureOr<SmallVector<Operation *>> findFusionRoots(Operation *scope,
                                                    StringRef rootAttrName);

/// Plans and applies for every root below `scope`. A refusal is an error at the
/// root.
LogicalResult tileAndFuseRoots(RewriterBase &rewriter, Operation *scope,
                               const TileAndFuseOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TRANSFORMS_TILEANDFUSE_H
