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

#include <optional>
#include <string>
#include <vector>

namespace mlir::linalg_ext {

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// What fusion does to the result beyond the order in which the root adds up
/// its tiles.
enum class Exactness {
  /// Nothing.
  Exact,
  /// What was accumulated is repaired: equal in exact arithmetic.
  Reassociated,
  /// Values are repaired that have been rounded to a narrower type on the way.
  Rounding,
};
StringRef stringify(Exactness exactness);

/// Which elementwise operands of contractions the loops may compute again in
/// iterations that need the same, as each block of queries does of the keys.
/// What they may not is computed in front of them, once, and stored.
enum class Recompute {
  All,
  /// Where that costs less than storing does; see `RecomputeCosts`.
  Cheap,
  None,
};
StringRef stringify(Recompute recompute);

/// What `Recompute::Cheap` compares, in scalar operations of the machine.
struct RecomputeCosts {
  /// In the time of a byte that is read or written.
  double flopsPerByte = 7;
  /// Of an element of a tile that is computed and not copied as it is, on top
  /// of those that compute it: it goes through registers, and is waited for.
  double flopsPerElement = 4;
  /// In the time that it takes to start another kernel: 2 us.
  double flopsPerKernel = 64e6;
  /// Elements assumed for a dimension whose size is dynamic.
  int64_t dynamicSize = 1024;
};

enum class LoopKind {
  For,
  Forall,
  /// An `scf.forall` over chunks of a reduction, which starts anew in each of
  /// them, and after it a loop that merges what the chunks have accumulated.
  Split,
};
StringRef stringify(LoopKind kind);

/// One level of tiling.
struct TilingLevel {
  LoopKind kind = LoopKind::For;
  /// A tile size for each dimension; 0 does not tile it. Missing ones are 0.
  /// ShapedType::kDynamic is one of `dynamicSizes`.
  SmallVector<int64_t> tileSizes;
  /// Sizes that are known when the program runs, in order: values of index type
  /// in front of the root, which must turn out to be positive.
  SmallVector<Value> dynamicSizes;
  /// Loop `i` iterates dimension `interchange[i]`; empty is the identity.
  SmallVector<int64_t> interchange;
  /// Device mapping of the loops, of those that are `scf.forall`.
  SmallVector<Attribute> mapping;
  /// Of a `for` level that carries the states: so many tiles in each iteration,
  /// next to each other, by an `scf.forall` over parts in it. Each part has
  /// states and accumulators of its own, which are merged once, after the loop.
  int64_t parts = 1;
};

struct TileAndFuseOptions {
  /// Outermost first.
  std::vector<TilingLevel> levels;
  NormalizationForm normalization = NormalizationForm::Delayed;
  /// Hold the maxima that accumulators are scaled by, which are then not
  /// rescaled, while none grows so far that a term becomes larger by more than
  /// e^threshold. Of delayed normalisation only; rescale in every tile if
  /// unset.
  std::optional<double> rescaleThreshold;
  /// With a threshold: choose for each element whether it is rescaled, and not
  /// for the accumulators of a tile together: for threads that each have a part
  /// of them.
  bool rescaleElements = false;
  /// The least exact of what a plan may make of the result.
  Exactness exactness = Exactness::Rounding;
  /// Fuse elementwise ops that follow the root, and reshapes between them, into
  /// the levels in front of the first that cuts a reduction.
  bool fuseConsumers = false;
  /// Accumulate in the loops of a root what else is accumulated from the tiles
  /// of an online reduction there.
  bool fuseSiblings = true;
  /// Fuse contractions that only contractions need, such as the projections of
  /// queries, keys and values: tiles of the root's loops then compute parts of
  /// them, keys again for each block of queries.
  bool fuseChainedContractions = true;
  /// What the loops of the first level compute again.
  Recompute recompute = Recompute::All;
  RecomputeCosts recomputeCosts;
  /// The unit attribute that marks roots.
  StringRef rootAttrName;
};

/// Parses `(for|forall|split)(sizes) [interchange(dims)] [parts(number)] ...`.
/// On failure describes what was expected and what was found in `error`.
LogicalResult parseTilingLevels(StringRef text,
                                std::vector<TilingLevel> &levels,
                                std::string &error);

/// Parse what `stringify` prints. On failure they describe what was expected
/// and what was found in `error`.
FailureOr<NormalizationForm> parseNormalizationForm(StringRef text,
                                                    std::string &error);
FailureOr<Exactness> parseExactness(StringRef text, std::string &error);
FailureOr<Recompute> parseRecompute(StringRef text, std::string &error);

/// Parses a number; of the empty text, which stands for no threshold, none.
FailureOr<std::optional<double>> parseRescaleThreshold(StringRef text,
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
  /// The level cuts a dimension that the producer reduces, and the loop carries
  /// what it has accumulated.
  bool partial = false;
  /// That dimension, of a partial accumulation that is not an online reduction.
  unsigned cutDim = 0;
  /// The level does not cut the producer, which follows a state that the loop
  /// carries: it is computed whole in every iteration.
  bool whole = false;
  /// Displaced siblings take the tile of it that the root takes: there may be
  /// no other.
  bool shared = false;
  /// Only displaced siblings need it here, or it is one.
  bool follows = false;
  /// Results that the loops yield, because the state lives in them or because
  /// somebody outside needs them.
  SmallVector<unsigned> yieldedResults;
  /// Why the producer stays outside.
  std::string reason;
};

/// One `scf.forall`, one `scf.for`, or one loop over chunks.
struct PlannedLevel {
  TilingLevel level;
  /// The dimensions the level tiles.
  llvm::SmallBitVector dims;
  /// From the root backwards: a producer comes after its consumers.
  SmallVector<PlannedProducer> producers;

  const PlannedProducer *lookup(Operation *op) const;
};

/// An op whose state the loops carry: an online reduction, or an accumulation
/// that was cut.
struct PlannedState {
  Operation *producer = nullptr;
  /// Of an online reduction.
  NormalizationForm normalization = NormalizationForm::Delayed;
  /// The state (or its reference) is held while it would move by at most this.
  std::optional<double> rescaleThreshold;
  /// Why it is not, although that was asked for.
  std::string notHeld;
};

/// The measure of a state in which an accumulator follows it.
enum class Measure {
  /// The repair that the online reduction builds.
  Given,
  /// The difference between the new value and the old.
  Difference,
  /// The logarithm of the ratio between the new value and the old.
  Ratio,
};
StringRef stringify(Measure measure);

/// A result that holds a term of the Taylor series of an accumulator: an
/// accumulation that the loops carry too. Its dimension i runs along dimension
/// dims[i] of the accumulator.
struct PlannedTerm {
  Operation *op = nullptr;
  unsigned resultNumber = 0;
  SmallVector<int64_t> dims;
};

/// One of the states that an accumulator follows.
struct PlannedFactor {
  /// The value through which the state reaches the accumulator: a partial
  /// result of an online reduction (Given); else a result of the ops in
  /// `states` or of ops computed from those alone.
  Operation *source = nullptr;
  unsigned resultNumber = 0;
  Measure measure = Measure::Given;
  /// How the accumulator depends on the measure, and along which of its
  /// dimensions.
  StaleValue value;
  /// The factor is left out in the loops (1 takes its place) and multiplied in
  /// once, after them.
  bool deferred = false;
  /// The source is computed from states. It may be no number as long as they
  /// have seen nothing.
  bool isComputed = false;
  /// Sources are taken up one after another: how many come before this one.
  unsigned stage = 0;
  /// Of a polynomial, once they have been built: the first derivative, the
  /// second one, and so on. All higher ones are 0.
  SmallVector<PlannedTerm> derivatives = {};
  /// Of a root that is the scaled part of what was affine: the constant term,
  /// which is added after the loops.
  std::optional<PlannedTerm> unscaled = std::nullopt;
  /// It depends on states alone that are held while they move little: the
  /// repair is applied only if it is not the identity everywhere, ...
  bool conditional = false;
  /// ... or only to the elements for which it is not.
  bool ofElements = false;
};

/// How one accumulator follows the states.
struct PlannedRepair {
  /// The root, or one of the states.
  Operation *accumulator = nullptr;
  unsigned resultNumber = 0;
  TypedAttr neutral;
  std::vector<PlannedFactor> factors;
};

/// What happens to one op that follows the root.
struct PlannedConsumer {
  Operation *op = nullptr;
  /// It is computed in the loops of this many levels, from the outermost on; of
  /// none if it stays behind them.
  unsigned depth = 0;
  /// Why it stays behind them, or outside of loops in which the root is final.
  std::string reason;
};

/// An accumulation that is no producer of the root but takes, as it does, what
/// an online reduction yields.
struct PlannedSibling {
  Operation *op = nullptr;
  /// For each dimension of it, the dimensions of the root whose tiling cuts it;
  /// none if it is whole. Empty if the op stays apart.
  std::vector<llvm::SmallBitVector> cutBy = {};
  /// A reshape that merges or splits what is cut lies between what it and the
  /// root accumulate: its tiles are where that puts them and not where the
  /// loops are.
  bool displaced = false;
  /// Why it stays apart.
  std::string reason = {};

  bool isFused() const { return !cutBy.empty(); }
};

/// An op that stays outside from this level on, with what it needs: an
/// accumulation between an online reduction and the root that cannot be
/// repaired, or what is sooner computed once.
struct PlannedObstacle {
  Operation *op = nullptr;
  unsigned level = 0;
  std::string reason;
};

struct FusionPlan {
  Operation *root = nullptr;
  std::vector<PlannedLevel> levels;
  /// In the order in which they were met.
  std::vector<PlannedObstacle> obstacles;
  /// In program order. What is fused is among the producers of all levels, and
  /// among the states where a level cuts what it reduces.
  std::vector<PlannedSibling> siblings;
  /// In program order.
  std::vector<PlannedState> states;
  /// Those of inner accumulators, of siblings and of the root, in program
  /// order.
  std::vector<PlannedRepair> repairs;
  /// The ops whose tiles depend on a state, the states among them, in program
  /// order. The root is not one.
  SmallVector<Operation *> stale;
  /// The operands of these, and of the root, through which they read such
  /// tiles.
  SmallVector<std::pair<Operation *, unsigned>> staleOperands;
  /// The states live in the loops from `firstLevel` (outermost) on, and are
  /// carried innermost by `lastLevel`.
  unsigned firstLevel = 0, lastLevel = 0;
  Exactness exactness = Exactness::Exact;
  /// Ops after the root that are fused into the loops around it, and users of
  /// what these loops compute that are not; in program order.
  std::vector<PlannedConsumer> consumers;
  /// What was planned for.
  TileAndFuseOptions options;
  /// Some repair is a polynomial or affine: its derivatives, or the parts of
  /// the root, are yet to be built. That is the first step of applying the
  /// plan, after which it is made again.
  bool needsDerivatives = false;

  const PlannedRepair *lookupRepair(Operation *accumulator) const;
  /// Returns the sibling that `op` is, null if it is none that is fused.
  const PlannedSibling *lookupSibling(Operation *op) const;
  /// Whether nothing in the loops reads what `op` accumulates, so that it may
  /// be finished behind them.
  bool isRootOrSibling(Operation *op) const {
    return op == root || lookupSibling(op);
  }
  /// Returns the consumer that `op` is, null if it is none that is fused.
  const PlannedConsumer *lookupConsumer(Operation *op) const;
  bool isStale(Operation *op) const { return llvm::is_contained(stale, op); }
  bool isStaleOperand(Operation *op, unsigned number) const {
    return llvm::is_contained(staleOperands, std::make_pair(op, number));
  }
  void print(raw_ostream &os) const;
};

/// Plans tiling and fusing around `root`, which must implement TilingInterface,
/// IndexingMapOpInterface and DestinationStyleOpInterface on tensors. Refuses
/// with the reason in `reason`. Builds no IR. Siblings that are fused, which
/// may be marked as roots too, are gone once the plan has been applied.
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
  /// What replaced the results of the root; null where only consumers that were
  /// fused used them.
  SmallVector<Value> replacements;
};

/// Carries out `plan` on a copy that is thrown away, and returns what of it can
/// be: consumers that refuse a tile stay outside. Fails with the reason where
/// nothing can be fused.
FailureOr<FusionPlan> rehearseFusionPlan(const FusionPlan &plan,
                                         std::string &reason);

/// Carries out `plan`, which `rehearseFusionPlan` has returned. On failure says
/// why in `reason`, and the isolated op around the root is as it was, but has
/// other ops inside. The ops of the plan are gone afterwards, so that it
/// applies once.
FailureOr<TileAndFuseResult> applyRehearsedPlan(RewriterBase &rewriter,
                                                const FusionPlan &plan,
                                                std::string &reason);

/// Carries out `plan`, as far as `rehearseFusionPlan` says. On failure says why
/// in `reason` and leaves the IR as it was.
FailureOr<TileAndFuseResult> applyFusionPlan(RewriterBase &rewriter,
                                             const FusionPlan &plan,
                                             std::string &reason);

/// Returns the roots below `scope`, in program order: the ops with the
/// attribute `rootAttrName` or, where there is none, for each online reduction
/// an accumulation that it feeds: of those that no other depends on, the first
/// that has the most loops. The rest of those, for the loops of that root to
/// accumulate too or to have loops of their own, go to `others`.
SmallVector<Operation *>
findFusionRoots(Operation *scope, StringRef rootAttrName,
                SmallVectorImpl<Operation *> *others = nullptr);

/// Plans and applies for every root below `scope`, and then for the others that
/// are left. A refusal is an error at the root, of one of the others a remark.
LogicalResult tileAndFuseRoots(RewriterBase &rewriter, Operation *scope,
                               const TileAndFuseOptions &options);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TRANSFORMS_TILEANDFUSE_H
