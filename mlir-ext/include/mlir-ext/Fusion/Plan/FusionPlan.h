//===- FusionPlan.h - Options and plan of tile-and-fuse ---------*- C++ -*-===//
//
// The options of tile-and-fuse, and the plan it makes. `planTileAndFuse` reads
// the untiled IR and builds no IR. For each level and each producer it decides
// what happens, and records why. It may also refuse the root with a reason.
// TileAndFuse.h declares the functions that apply a plan.
//
// Dimension numbers are positions in the iteration domain of the root, unless a
// comment says otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_FUSIONPLAN_H
#define MLIR_EXT_FUSION_PLAN_FUSIONPLAN_H

#include "mlir-ext/Interfaces/Repair.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SmallBitVector.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::linalg_ext {

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// What fusion may change in the result, in addition to the order in which the
/// root accumulates its tiles.
enum class Exactness {
  /// Nothing.
  Exact,
  /// Accumulators are repaired. The result is equal in exact arithmetic.
  Reassociated,
  /// Repairs also apply to values that were rounded to a narrower type before.
  Rounding,
};
StringRef stringify(Exactness exactness);

/// Which elementwise operands of contractions the loops may recompute. Several
/// iterations may need the same tile of an operand: each block of queries needs
/// all keys, for example. An operand that must not be recomputed is computed
/// once, before the loops, and stored.
enum class Recompute {
  All,
  /// Only operands that are cheaper to recompute than to store; see
  /// `RecomputeCosts`.
  Cheap,
  None,
};
StringRef stringify(Recompute recompute);

/// The costs that `Recompute::Cheap` compares. The unit is one scalar operation
/// of the machine.
struct RecomputeCosts {
  /// Cost of reading or writing one byte.
  double flopsPerByte = 7;
  /// Extra cost of each element of a tile that is computed rather than copied,
  /// added to the operations that compute it. The element passes through
  /// registers, and threads wait for it.
  double flopsPerElement = 4;
  /// Cost of launching another kernel: the operations of 2 us.
  double flopsPerKernel = 64e6;
  /// Elements assumed for a dimension whose size is dynamic.
  int64_t dynamicSize = 1024;
};

enum class LoopKind {
  For,
  Forall,
  /// An `scf.forall` over chunks of a reduction. Each chunk starts from the
  /// identity. A loop after the `scf.forall` merges what the chunks
  /// accumulated.
  Split,
};
StringRef stringify(LoopKind kind);

/// One level of tiling.
struct TilingLevel {
  LoopKind kind = LoopKind::For;
  /// The tile size of each dimension, in elements. 0 leaves the dimension
  /// whole. Missing sizes are 0. ShapedType::kDynamic stands for the next value
  /// of `dynamicSizes`.
  SmallVector<int64_t> tileSizes;
  /// Tile sizes that are known only at run time, in order. They are values of
  /// index type that dominate the root, and they must be positive at run time.
  SmallVector<Value> dynamicSizes;
  /// Loop `i` iterates dimension `interchange[i]`; empty is the identity.
  SmallVector<int64_t> interchange;
  /// Device mapping of the loops, for `scf.forall` only: one attribute for each
  /// loop, or none.
  SmallVector<Attribute> mapping;
  /// For a `for` level that carries states: the number of adjacent tiles in
  /// each iteration, computed by an `scf.forall` over parts in the loop. Each
  /// part has states and accumulators of its own, which are merged once, after
  /// the loop.
  int64_t parts = 1;
};

struct PlannedProducer;

struct TileAndFuseOptions {
  /// Outermost first.
  std::vector<TilingLevel> levels;
  NormalizationForm normalization = NormalizationForm::Delayed;
  /// If set, a loop keeps the old running maximum in a tile that would raise it
  /// by little. It then need not rescale the accumulators. It does so as long
  /// as no term becomes larger by more than e^threshold. Needs delayed
  /// normalisation. If unset, accumulators are rescaled in every tile.
  std::optional<double> rescaleThreshold;
  /// With a threshold: decide for each element whether it is rescaled. By
  /// default, one decision covers all elements that a tile accumulates into. A
  /// decision for each element suits threads that each hold a part of the
  /// accumulator.
  bool rescaleElements = false;
  /// The least exact result that a plan may have.
  Exactness exactness = Exactness::Rounding;
  /// Fuse elementwise ops that use the root, reductions of dimensions that are
  /// whole in tiles, and reshapes between them. They are fused into the levels
  /// before the first level that cuts a reduction.
  bool fuseConsumers = false;
  /// Fuse siblings: other accumulations of the tiles of the same online
  /// reduction.
  bool fuseSiblings = true;
  /// Fuse contractions that only contractions use, such as the projections of
  /// queries, keys and values. Each tile of the root's loops then computes a
  /// part of them. Each block of queries computes the keys again, for example.
  bool fuseChainedContractions = true;
  /// A contraction that is fused although only contractions use it, even if
  /// `fuseChainedContractions` is false. Null if there is none.
  Operation *chainedContraction = nullptr;
  /// Called for each producer that a level can fuse, users first: returns
  /// whether the level fuses it. If unset, levels fuse all producers that they
  /// can.
  std::function<bool(const PlannedProducer &)> mayFuse;
  /// The loops yield what later ops need of a fused producer. If false, later
  /// ops use the original producer, which is then computed twice.
  bool yieldProducers = true;
  /// Which operands the loops of the first level may recompute.
  Recompute recompute = Recompute::All;
  RecomputeCosts recomputeCosts;
  /// The name of the unit attribute that marks roots.
  StringRef rootAttrName;
};

/// Parses `(for|forall|split)(sizes) [interchange(dims)] [parts(number)] ...`
/// and appends to `levels`. On failure, `error` tells what was expected and
/// what was found.
LogicalResult parseTilingLevels(StringRef text,
                                std::vector<TilingLevel> &levels,
                                std::string &error);

/// Parse what `stringify` prints. On failure, `error` tells what was expected
/// and what was found.
FailureOr<NormalizationForm> parseNormalizationForm(StringRef text,
                                                    std::string &error);
FailureOr<Exactness> parseExactness(StringRef text, std::string &error);
FailureOr<Recompute> parseRecompute(StringRef text, std::string &error);

/// Parses a number. Returns std::nullopt for the empty text, which means that
/// there is no threshold. On failure, `error` tells what was expected and what
/// was found.
FailureOr<std::optional<double>> parseRescaleThreshold(StringRef text,
                                                       std::string &error);

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// What happens to one producer at one level.
struct PlannedProducer {
  Operation *op = nullptr;
  /// The producer is computed inside the loops of the level, tile by tile.
  bool fused = false;
  /// A loop of the level does not index the producer, so each iteration of that
  /// loop computes the same tiles again.
  bool recomputed = false;
  /// The level cuts a dimension that the producer reduces. The loop carries
  /// what the producer has accumulated.
  bool partial = false;
  /// The dimension that the level cuts, if the producer is partial and is not
  /// an online reduction. It is a dimension of the producer.
  unsigned cutDim = 0;
  /// The level does not cut the producer, and every iteration computes all of
  /// it. The producer depends on a state that the loop carries, is an auxiliary
  /// accumulator, or has one dimension and is cheap to recompute.
  bool whole = false;
  /// For each dimension of the producer: the dimensions of the root whose
  /// tiling cuts it.
  SmallVector<llvm::SmallBitVector> cutBy;
  /// Users may read different tiles of it in one iteration. All of these tiles
  /// are computed.
  bool severalTiles = false;
  /// Reindexed siblings read this producer besides the root. All of them must
  /// read the same tile of it.
  bool shared = false;
  /// The producer is a reindexed sibling, or only reindexed siblings use it
  /// here.
  bool follows = false;
  /// The numbers of the results that the loops yield. They hold the state, or
  /// an op outside the loops uses them.
  SmallVector<unsigned> yieldedResults;
  /// Why the producer stays outside; not set if it is fused.
  Refusal refusal;
};

/// One `scf.forall`, one `scf.for`, or one `split` loop over chunks.
struct PlannedLevel {
  TilingLevel level;
  /// The dimensions that the level tiles.
  llvm::SmallBitVector dims;
  /// In reverse program order from the root: a producer comes after its
  /// consumers.
  SmallVector<PlannedProducer> producers;

  const PlannedProducer *lookup(Operation *op) const;
};

/// An op whose state the loops carry: an online reduction, or an accumulation
/// that was cut.
struct PlannedState {
  Operation *producer = nullptr;
  /// When the results are normalised, if the producer is an online reduction.
  NormalizationForm normalization = NormalizationForm::Delayed;
  /// If set, a tile that would change the state (or its reference) by at most
  /// this difference keeps the old one.
  std::optional<double> rescaleThreshold;
  /// Why the state is not rescaled lazily although the options set a threshold.
  Refusal notLazy;
};

/// The measure in which an accumulator follows the change of a state.
enum class Measure {
  /// The repair that the online reduction builds.
  Given,
  /// The difference between the new value and the old.
  Difference,
  /// The logarithm of the ratio between the new value and the old.
  Ratio,
};
StringRef stringify(Measure measure);

/// A result that holds a term of the Taylor series of an accumulator. It is
/// itself an accumulation that the loops carry. Its dimension i runs along
/// dimension dims[i] of the accumulator.
struct PlannedTerm {
  Operation *op = nullptr;
  unsigned resultNumber = 0;
  SmallVector<int64_t> dims;
};

/// How an accumulator follows one source. A source is a value through which a
/// state reaches the accumulator.
struct PlannedFactor {
  /// The op and the result number of the source. With `Measure::Given`, the
  /// source is a partial result of an online reduction. Otherwise it is a
  /// result of an op in `FusionPlan::states`, or of an op computed from states
  /// alone.
  Operation *source = nullptr;
  unsigned resultNumber = 0;
  Measure measure = Measure::Given;
  /// How the accumulator depends on the measure, and along which of the
  /// accumulator's dimensions.
  StateDependentValue value;
  /// The loops use 1 in place of the source. The factor is multiplied in once,
  /// after the loops.
  bool deferred = false;
  /// The source is not a state itself but computed from states. It may be NaN
  /// until the states have accumulated something.
  bool isComputed = false;
  /// Accumulators are repaired for one source after another. This is the number
  /// of sources before this one.
  unsigned stage = 0;
  /// For a polynomial, once they have been built: the first derivative, the
  /// second, and so on. All higher derivatives are 0.
  SmallVector<PlannedTerm> derivatives = {};
  /// If the root is the scaled part of an affine accumulator: the constant
  /// term, which is added after the loops.
  std::optional<PlannedTerm> unscaled = std::nullopt;
  /// This source and all others that scale the accumulator in the loops depend
  /// only on states that are rescaled lazily. The repair is then applied only if
  /// it is not the identity everywhere.
  bool conditional = false;
  /// The repair is applied only to the elements for which it is not the
  /// identity.
  bool ofElements = false;
};

/// How one accumulator is repaired: one factor for each source that it follows.
struct PlannedRepair {
  /// The root or one of the states. A sibling that a level cuts is a state too.
  Operation *accumulator = nullptr;
  unsigned resultNumber = 0;
  TypedAttr neutral;
  std::vector<PlannedFactor> factors;
};

/// What happens to one op that uses the root, directly or not.
struct PlannedConsumer {
  Operation *op = nullptr;
  /// The number of levels, from the outermost on, in whose loops the op is
  /// computed. 0 if it stays after the loops.
  unsigned depth = 0;
  /// Why the op stays after the loops, or outside of inner loops that already
  /// have the final tile of the root.
  Refusal refusal;
};

/// An accumulation that is not a producer of the root but reads, as the root
/// does, what an online reduction yields.
struct PlannedSibling {
  Operation *op = nullptr;
  /// For each dimension of the sibling: the dimensions of the root whose tiling
  /// cuts it. The set is empty if that dimension is whole. The vector is empty
  /// if the sibling is not fused.
  std::vector<llvm::SmallBitVector> cutBy = {};
  /// A reshape that merges or splits a cut dimension lies between the tensor
  /// that the sibling accumulates and the one that the root accumulates. The
  /// offsets of its tiles are then not those of the loops.
  bool reindexed = false;
  /// Why the sibling is not fused.
  Refusal refusal = {};

  bool isFused() const { return !cutBy.empty(); }
};

/// An op that stays outside from `level` on, with all ops that it needs. Either
/// it is an accumulation between an online reduction and the root that cannot
/// be repaired, or it is cheaper to compute it once.
struct PlannedObstacle {
  Operation *op = nullptr;
  unsigned level = 0;
  Refusal refusal;
};

struct FusionPlan {
  Operation *root = nullptr;
  std::vector<PlannedLevel> levels;
  /// In the order in which planning found them.
  std::vector<PlannedObstacle> obstacles;
  /// In program order. Fused siblings are also producers of every level. They
  /// are also states if a level cuts a dimension that they reduce.
  std::vector<PlannedSibling> siblings;
  /// In program order.
  std::vector<PlannedState> states;
  /// The repairs of inner accumulators, of siblings and of the root, in program
  /// order.
  std::vector<PlannedRepair> repairs;
  /// The ops whose tiles depend on a state, in program order. They include the
  /// states but not the root.
  SmallVector<Operation *> stateDependent;
  /// The operands through which these ops and the root read state-dependent
  /// tiles.
  SmallVector<std::pair<Operation *, unsigned>> stateDependentOperands;
  /// The loops of the levels `firstLevel` (outermost) to `lastLevel`
  /// (innermost) carry the states.
  unsigned firstLevel = 0, lastLevel = 0;
  Exactness exactness = Exactness::Exact;
  /// Ops after the root that use what the loops compute, in program order.
  /// Those of depth 0 are not fused.
  std::vector<PlannedConsumer> consumers;
  /// The options that the plan was made with.
  TileAndFuseOptions options;
  /// Some repair is a polynomial or affine, and its derivatives or the parts of
  /// the root have not been built. Applying the plan builds them first and then
  /// plans again.
  bool needsDerivatives = false;

  /// Returns the state whose op is `producer`, or null.
  const PlannedState *lookupState(Operation *producer) const;
  PlannedState *lookupState(Operation *producer) {
    return const_cast<PlannedState *>(
        std::as_const(*this).lookupState(producer));
  }
  /// Returns the repair of `accumulator`, or null.
  const PlannedRepair *lookupRepair(Operation *accumulator) const;
  PlannedRepair *lookupRepair(Operation *accumulator) {
    return const_cast<PlannedRepair *>(
        std::as_const(*this).lookupRepair(accumulator));
  }
  /// Returns the fused sibling whose op is `op`, or null.
  const PlannedSibling *lookupSibling(Operation *op) const;
  /// Returns whether `op` is the root or a fused sibling. Nothing in the loops
  /// reads their accumulators, so these may be finished after the loops.
  bool isRootOrSibling(Operation *op) const {
    return op == root || lookupSibling(op);
  }
  /// Returns the fused consumer whose op is `op`, or null.
  const PlannedConsumer *lookupConsumer(Operation *op) const;
  /// Returns whether `op` is whole in the first level that carries states; see
  /// `PlannedProducer::whole`.
  bool isWhole(Operation *op) const {
    const PlannedProducer *producer = levels[firstLevel].lookup(op);
    return producer && producer->whole;
  }
  bool isStateDependent(Operation *op) const {
    return llvm::is_contained(stateDependent, op);
  }
  bool isStateDependentOperand(Operation *op, unsigned number) const {
    return llvm::is_contained(stateDependentOperands,
                              std::make_pair(op, number));
  }
  void print(raw_ostream &os) const;
};

/// Plans tiling and fusing around `root`, which must implement TilingInterface,
/// IndexingMapOpInterface and DestinationStyleOpInterface on tensors. On
/// failure, `refusal` says why. Builds no IR. Applying the plan erases fused
/// siblings, even those that are marked as roots.
FailureOr<FusionPlan> planTileAndFuse(Operation *root,
                                      const TileAndFuseOptions &options,
                                      Refusal &refusal);

/// Returns the roots below `scope`, in the order of a walk. Ops with the
/// attribute `rootAttrName` are roots. If there are none, each online reduction
/// gets a root, and so does each maximum or minimum of upstream ops:
/// 1. Collect the accumulations that it feeds. If some are sums, keep only
///    these.
/// 2. Drop those on which another one depends.
/// 3. The root is the one with the most loops, and the first of several.
///
/// The rest of step 2 go to `others`. The loops of the root may accumulate them
/// too, or they get loops of their own.
SmallVector<Operation *>
findFusionRoots(Operation *scope, StringRef rootAttrName,
                SmallVectorImpl<Operation *> *others = nullptr);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_FUSIONPLAN_H
