//===- FusionPlan.cpp - Plans the fusion of one root ----------------------===//
//
// Makes a FusionPlan from the untiled IR:
// 1. split the levels of the options into single loops, so that the order of
//    loops is the order of levels;
// 2. for each level, follow the dimensions that it tiles from the root to its
//    producers, and decide what happens to each (LevelAnalysis);
// 3. for the states that the loops carry, find how the accumulators that depend
//    on them are repaired (RepairAnalysis), or refuse;
// 4. plan again with one more sibling, for each op that may be one, and keep it
//    if the plan still works (addSiblings);
// 5. plan the consumers of the root (planConsumers).
//
//===----------------------------------------------------------------------===//

#include "ChainedContractions.h"
#include "mlir-ext/Fusion/Plan/PlanConsumers.h"
#include "mlir-ext/Fusion/Plan/PlanSiblings.h"
#include "mlir-ext/Fusion/Plan/PlanLazyRescaling.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"
#include "RecomputedProducers.h"
#include "mlir-ext/Fusion/Plan/RepairAnalysis.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using llvm::SmallBitVector;

StringRef mlir::linalg_ext::stringify(Exactness exactness) {
  switch (exactness) {
  case Exactness::Exact:
    return "exact";
  case Exactness::Reassociated:
    return "reassociated";
  case Exactness::Rounding:
    return "rounding";
  }
  llvm_unreachable("unknown exactness");
}

StringRef mlir::linalg_ext::stringify(Recompute recompute) {
  switch (recompute) {
  case Recompute::All:
    return "all";
  case Recompute::Cheap:
    return "cheap";
  case Recompute::None:
    return "none";
  }
  llvm_unreachable("unknown extent of recomputation");
}

StringRef mlir::linalg_ext::stringify(LoopKind kind) {
  switch (kind) {
  case LoopKind::For:
    return "for";
  case LoopKind::Forall:
    return "forall";
  case LoopKind::Split:
    return "split";
  }
  llvm_unreachable("unknown loop kind");
}

StringRef mlir::linalg_ext::stringify(Measure measure) {
  switch (measure) {
  case Measure::Given:
    return "repair";
  case Measure::Difference:
    return "difference";
  case Measure::Ratio:
    return "ratio";
  }
  llvm_unreachable("unknown measure");
}

/// Returns the first element of `range` for which `isIt` holds, or null.
template <typename Range, typename Predicate>
static auto *lookupIf(Range &range, Predicate isIt) {
  auto it = llvm::find_if(range, isIt);
  return it == range.end() ? nullptr : &*it;
}

const PlannedProducer *PlannedLevel::lookup(Operation *op) const {
  return lookupIf(producers,
                  [&](const PlannedProducer &p) { return p.op == op; });
}

const PlannedState *FusionPlan::lookupState(Operation *producer) const {
  return lookupIf(states, [&](const PlannedState &state) {
    return state.producer == producer;
  });
}

const PlannedRepair *FusionPlan::lookupRepair(Operation *accumulator) const {
  return lookupIf(repairs, [&](const PlannedRepair &repair) {
    return repair.accumulator == accumulator;
  });
}

const PlannedSibling *FusionPlan::lookupSibling(Operation *op) const {
  return lookupIf(siblings, [&](const PlannedSibling &sibling) {
    return sibling.op == op && sibling.isFused();
  });
}

const PlannedConsumer *FusionPlan::lookupConsumer(Operation *op) const {
  return lookupIf(consumers, [&](const PlannedConsumer &consumer) {
    return consumer.op == op && consumer.depth > 0;
  });
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

/// Checks the sizes of `level` that are known at run time.
static LogicalResult checkDynamicSizes(const TilingLevel &level,
                                       Operation *root, Refusal &refusal) {
  size_t numDynamic = llvm::count_if(level.tileSizes, ShapedType::isDynamic);
  if (numDynamic != level.dynamicSizes.size())
    return refusal.set(RefusalKind::Other, root,
                       llvm::formatv("expected a value for each of {0} "
                                     "dynamic tile sizes, got {1}",
                                     numDynamic, level.dynamicSizes.size()));
  for (Value size : level.dynamicSizes) {
    if (!size.getType().isIndex())
      return refusal.set(RefusalKind::Other, root,
                         llvm::formatv("expected a dynamic tile size of type "
                                       "'index', got {0}",
                                       size.getType()));
    if (!DominanceInfo().properlyDominates(size, root))
      return refusal.set(RefusalKind::Other, root,
                         "expected a dynamic tile size in front of the root, "
                         "got one behind it");
  }
  return success();
}

/// Checks the tile sizes of `level`, one for each dimension of `root`. Sets
/// `dims` to the dimensions that it tiles.
static LogicalResult checkTileSizes(const TilingLevel &level, Operation *root,
                                    ArrayRef<utils::IteratorType> iterators,
                                    SmallBitVector &dims, Refusal &refusal) {
  for (auto [dim, size] : llvm::enumerate(level.tileSizes)) {
    if (size < 0 && !ShapedType::isDynamic(size))
      return refusal.set(RefusalKind::Other, root,
                         llvm::formatv("expected tile sizes that are not "
                                       "negative, got {0} for dimension {1}",
                                       size, dim));
    if (size == 0)
      continue;
    dims.set(dim);
    if (level.kind == LoopKind::Forall &&
        iterators[dim] == utils::IteratorType::reduction)
      return refusal.set(
          RefusalKind::Race, root,
          llvm::formatv("expected 'forall' to tile parallel dimensions "
                        "only, got reduction dimension {0}, whose "
                        "tiles would race",
                        dim));
    if (level.kind == LoopKind::Split &&
        iterators[dim] != utils::IteratorType::reduction)
      return refusal.set(
          RefusalKind::Other, root,
          llvm::formatv("expected 'split' to tile reduction "
                        "dimensions only, got parallel dimension {0}",
                        dim));
  }
  if (dims.none())
    return refusal.set(RefusalKind::NoLevels, root,
                       "expected a level to tile at least one dimension, "
                       "got only tile sizes of 0");
  return success();
}

/// Checks the mapping and the parts of `level`, which tiles `dims`.
static LogicalResult
checkMappingAndParts(const TilingLevel &level, Operation *root,
                     ArrayRef<utils::IteratorType> iterators,
                     const SmallBitVector &dims, Refusal &refusal) {
  if (level.kind == LoopKind::For && level.parts == 1 && !level.mapping.empty())
    return refusal.set(RefusalKind::Other, root,
                       "a mapping belongs on a 'forall' level, got it on a "
                       "'for' level");
  if (!level.mapping.empty() && level.mapping.size() != dims.count())
    return refusal.set(RefusalKind::Other, root,
                       llvm::formatv("expected {0} mapping attributes, "
                                     "one for each loop, got {1}",
                                     dims.count(), level.mapping.size()));
  if (level.parts > 1) {
    if (level.kind != LoopKind::For || dims.count() != 1 ||
        !level.dynamicSizes.empty())
      return refusal.set(
          RefusalKind::Other, root,
          llvm::formatv("expected parts of a 'for' level that tiles "
                        "one dimension by a constant, got {0} of a "
                        "'{1}' level that tiles {2}",
                        level.parts, stringify(level.kind), dims.count()));
    int64_t dim = dims.find_first();
    if (iterators[dim] != utils::IteratorType::reduction)
      return refusal.set(RefusalKind::Other, root,
                         llvm::formatv("expected parts of a reduction "
                                       "dimension, got parallel dimension "
                                       "{0}",
                                       dim));
  }
  return success();
}

/// Checks one level and appends it to `levels`, an `scf.for` nest (or a nest of
/// loops over chunks) as one level for each loop.
static LogicalResult splitLevel(const TilingLevel &level, Operation *root,
                                ArrayRef<utils::IteratorType> iterators,
                                std::vector<PlannedLevel> &levels,
                                Refusal &refusal) {
  size_t numDims = iterators.size();
  if (level.tileSizes.size() > numDims)
    return refusal.set(RefusalKind::TooManyTileSizes, root,
                       llvm::formatv("expected at most {0} tile sizes, one "
                                     "for each dimension of the root, got "
                                     "{1}",
                                     numDims, level.tileSizes.size()));
  TilingLevel full = level;
  full.tileSizes.resize(numDims, 0);
  if (full.interchange.empty())
    full.interchange = llvm::to_vector(llvm::seq<int64_t>(0, numDims));
  if (full.interchange.size() != numDims ||
      !isPermutationVector(full.interchange))
    return refusal.set(
        RefusalKind::Other, root,
        llvm::formatv("expected interchange to be a permutation of "
                      "the {0} dimensions of the root, got [{1}]",
                      numDims,
                      llvm::make_range(level.interchange.begin(),
                                       level.interchange.end())));
  if (failed(checkDynamicSizes(full, root, refusal)))
    return failure();
  SmallBitVector dims(numDims);
  if (failed(checkTileSizes(full, root, iterators, dims, refusal)) ||
      failed(checkMappingAndParts(full, root, iterators, dims, refusal)))
    return failure();
  if (full.kind == LoopKind::Forall) {
    levels.push_back(PlannedLevel{full, dims, {}});
    return success();
  }
  ArrayRef<Attribute> mapping = full.mapping;
  for (int64_t dim : full.interchange) {
    if (!dims.test(dim))
      continue;
    PlannedLevel single;
    single.dims.resize(numDims);
    single.dims.set(dim);
    single.level.kind = full.kind;
    single.level.parts = full.parts;
    single.level.tileSizes.assign(numDims, 0);
    single.level.tileSizes[dim] = full.tileSizes[dim];
    if (ShapedType::isDynamic(full.tileSizes[dim]))
      single.level.dynamicSizes = {full.dynamicSizes[llvm::count_if(
          ArrayRef(full.tileSizes).take_front(dim), ShapedType::isDynamic)]};
    if (!mapping.empty()) {
      single.level.mapping = {mapping.front()};
      mapping = mapping.drop_front();
    }
    levels.push_back(single);
  }
  return success();
}

/// Checks that the results of the chunks or parts of level `index`, a 'split'
/// or a level of several parts, can be merged. Checks only what does not depend
/// on states.
static LogicalResult checkMerged(const FusionPlan &plan, unsigned index,
                                 Refusal &refusal) {
  bool hasParts = plan.levels[index].level.parts > 1;
  StringRef what = hasParts ? "level of several parts" : "'split'";
  auto accumulator = dyn_cast<RepairableOpInterface>(plan.root);
  if (!accumulator || failed(accumulator.getAccumulation()))
    return refusal.set(RefusalKind::Other, plan.root,
                       "expected the root of a " + what +
                           " to accumulate a sum, a maximum or a minimum, "
                           "got " +
                           nameOf(plan.root));
  // A level of parts may be inside a split, so it must be the innermost level.
  if (hasParts && index + 1 != plan.levels.size())
    return refusal.set(RefusalKind::Other, plan.root,
                       llvm::formatv("expected the level of several parts "
                                     "to be the last one, got {0} of {1}",
                                     index, plan.levels.size()));
  for (unsigned outer = 0; outer < index && !hasParts; ++outer)
    for (unsigned dim : plan.levels[index].dims.set_bits())
      if (plan.levels[outer].dims.test(dim))
        return refusal.set(
            RefusalKind::Other, plan.root,
            llvm::formatv("expected 'split' to be the first level "
                          "that tiles dimension {0}, got levels {1} "
                          "and {2}",
                          dim, outer, index));
  return success();
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// Checks that level `index`, inside the first level that carries states,
/// carries either all of the states and the ops that depend on them, or none.
/// (Siblings are in it together with the root in any case.)
static LogicalResult checkInnerLevel(FusionPlan &plan, unsigned index,
                                     Refusal &refusal) {
  const PlannedLevel &level = plan.levels[index];
  auto isFused = [&](Operation *op) {
    const PlannedProducer *producer = level.lookup(op);
    return producer && producer->fused;
  };
  bool carriesAny = false, carriesAll = true;
  for (const PlannedState &state : plan.states) {
    if (plan.lookupSibling(state.producer))
      continue;
    carriesAny |= isFused(state.producer);
    carriesAll &= isFused(state.producer);
  }
  if (!carriesAny)
    return success();
  for (Operation *op : plan.stateDependent)
    carriesAll &= isFused(op);
  if (!carriesAll)
    return refusal.set(RefusalKind::SomeOfStates, plan.root,
                       "expected a level to fuse all ops that follow a "
                       "state or none of them, got some of them at level " +
                           Twine(index));
  if (level.level.kind == LoopKind::Split)
    return refusal.set(RefusalKind::Other, plan.root,
                       llvm::formatv("expected 'split' to be the first level "
                                     "that carries the states, got levels "
                                     "{0} and {1}",
                                     plan.firstLevel, index));
  plan.lastLevel = index;
  return success();
}

/// Analyses level `index` and plans the repairs it needs.
static LogicalResult planLevel(FusionPlan &plan, unsigned index,
                               LevelAnalysis &analysis,
                               const TileAndFuseOptions &options,
                               const AuxiliaryAccumulators &auxiliaries,
                               Refusal &refusal) {
  analysis.run();
  PlannedLevel &level = plan.levels[index];
  if (!plan.states.empty()) {
    for (const PlannedProducer &producer : level.producers)
      if (producer.partial && !plan.lookupState(producer.op))
        return refusal.set(
            RefusalKind::SeveralStates, producer.op,
            llvm::formatv("expected all states to be carried from one "
                          "level on, got levels {0} and {1}",
                          plan.firstLevel, index));
    return checkInnerLevel(plan, index, refusal);
  }
  if (llvm::any_of(level.producers,
                   [](const PlannedProducer &p) { return p.partial; }))
    return planRepairs(plan, index, analysis, options, auxiliaries, refusal);
  return success();
}

/// State-dependent values may not leave the loops. Users outside need the final
/// values, and use the original ops.
static void keepStateDependentValuesInside(FusionPlan &plan) {
  if (plan.states.empty())
    return;
  llvm::SmallPtrSet<Operation *, 8> inside(plan.stateDependent.begin(),
                                           plan.stateDependent.end());
  for (const PlannedState &state : plan.states)
    inside.erase(state.producer);
  for (unsigned index = plan.firstLevel; index < plan.levels.size(); ++index)
    for (PlannedProducer &producer : plan.levels[index].producers)
      if (inside.contains(producer.op))
        producer.yieldedResults.clear();
}

/// Finds where level `index` cuts the siblings.
static LogicalResult alignSiblings(FusionPlan &plan, unsigned index,
                                   const LevelAnalysis::Context &context,
                                   Refusal &refusal) {
  if (plan.siblings.empty())
    return success();
  PlannedLevel scratch = plan.levels[index];
  LevelAnalysis analysis(context, scratch);
  analysis.run();
  for (PlannedSibling &sibling : plan.siblings) {
    PlannedSibling aligned{sibling.op};
    if (failed(analysis.alignSibling(aligned, refusal)))
      return failure();
    if (sibling.cutBy.empty())
      sibling.cutBy.assign(aligned.cutBy.size(),
                           SmallBitVector(plan.levels[index].dims.size()));
    for (unsigned rootDim : plan.levels[index].dims.set_bits()) {
      auto isCut = [&](const SmallBitVector &set) { return set.test(rootDim); };
      if (llvm::any_of(sibling.cutBy, isCut) &&
          !llvm::equal(llvm::map_range(sibling.cutBy, isCut),
                       llvm::map_range(aligned.cutBy, isCut)))
        return refusal.set(RefusalKind::Other, sibling.op,
                           "the levels cut it along different dimensions");
    }
    for (auto [all, set] : llvm::zip_equal(sibling.cutBy, aligned.cutBy))
      all |= set;
    sibling.reindexed |= aligned.reindexed;
  }
  return success();
}

/// Plans all levels. If `whyNot` is not set, loops may cut accumulations and
/// carry their state. Otherwise it says why they may not.
static LogicalResult planLevels(FusionPlan &plan,
                                const TileAndFuseOptions &options,
                                const AuxiliaryAccumulators &auxiliaries,
                                const Refusal &whyNot, Refusal &refusal) {
  llvm::DenseSet<OpOperand *> scope;
  LevelAnalysis::Context context;
  context.root = plan.root;
  context.cutsAccumulations = !whyNot.isSet();
  context.whyNot = whyNot;
  context.auxiliaries = &auxiliaries.ops;
  context.mayFuse = options.mayFuse;
  context.yieldsProducers = options.yieldProducers;
  std::vector<PlannedObstacle> obstacles = plan.obstacles;
  for (unsigned index = 0; index < plan.levels.size(); ++index) {
    context.obstacles.clear();
    for (const PlannedObstacle &obstacle : obstacles)
      if (index >= obstacle.level)
        context.obstacles.push_back(&obstacle);
    context.siblings = {};
    if (failed(alignSiblings(plan, index, context, refusal)))
      return failure();
    context.siblings = plan.siblings;
    LevelAnalysis analysis(context, plan.levels[index]);
    if (failed(planLevel(plan, index, analysis, options, auxiliaries, refusal)))
      return failure();
    llvm::DenseSet<OpOperand *> fused;
    for (const PlannedProducer &producer : plan.levels[index].producers)
      if (producer.fused)
        fused.insert_range(analysis.getEdges(producer.op));
    for (const PlannedState &state : plan.states)
      context.carried.insert(state.producer);
    scope = std::move(fused);
    context.scope = &scope;
    context.enclosing = &plan.levels[index];
  }
  keepStateDependentValuesInside(plan);
  return success();
}

/// Plans all levels, starting from `plan`. If an op cannot be repaired, plans
/// again with that op outside of the levels that carry states. Succeeds only if
/// the levels then still carry all online reductions that they carried before.
static LogicalResult
planAroundObstacles(FusionPlan &plan, const TileAndFuseOptions &options,
                    const AuxiliaryAccumulators &auxiliaries,
                    const Refusal &whyNot, Refusal &refusal) {
  FusionPlan empty = plan;
  llvm::SmallPtrSet<Operation *, 4> online;
  for (refusal.clear();;) {
    Refusal why;
    if (succeeded(planLevels(plan, options, auxiliaries, whyNot, why))) {
      for (const PlannedState &state : plan.states)
        online.erase(state.producer);
      return success(online.empty());
    }
    if (!refusal.isSet())
      refusal = why;
    if (plan.obstacles.size() == empty.obstacles.size() ||
        llvm::any_of(empty.obstacles, [&](const PlannedObstacle &known) {
          const PlannedObstacle &met = plan.obstacles.back();
          return known.op == met.op && known.level <= met.level;
        }))
      return failure(); // none, or one that is outside already
    for (const PlannedState &state : plan.states)
      if (isa<OnlineReductionOpInterface>(state.producer))
        online.insert(state.producer);
    empty.obstacles = plan.obstacles;
    plan = empty;
  }
}

/// Returns the first producer that `plan` fuses and that `trial` does not fuse,
/// or fuses in a worse way. Null if there is none.
static Operation *findLostProducer(const FusionPlan &plan,
                                   const FusionPlan &trial) {
  for (auto [level, other] : llvm::zip_equal(plan.levels, trial.levels))
    for (const PlannedProducer &producer : level.producers) {
      const PlannedProducer *now = other.lookup(producer.op);
      if (producer.fused &&
          (!now || !now->fused || now->partial != producer.partial ||
           now->recomputed > producer.recomputed))
        return producer.op;
    }
  return nullptr;
}

/// Adds as many siblings to `plan` as can be fused, except those in
/// `notSiblings`, which have a reason not to be. If `whyNot` is not set, loops
/// may cut accumulations.
static void addSiblings(FusionPlan &plan, const FusionPlan &levelsOnly,
                        ArrayRef<PlannedSibling> notSiblings,
                        const Refusal &whyNot) {
  SmallVector<Operation *> fused;
  std::vector<PlannedSibling> apart;
  for (Operation *op : findSiblings(plan)) {
    Refusal refusal;
    LogicalResult mayBeFused = checkSibling(plan, op, fused, refusal);
    for (const PlannedSibling &other : notSiblings)
      if (other.op == op) {
        refusal = other.refusal;
        mayBeFused = failure();
      }
    if (plan.needsDerivatives)
      mayBeFused = refusal.set(RefusalKind::Other, plan.root,
                               "the loops carry derivatives for the root");
    FusionPlan trial = levelsOnly;
    trial.obstacles = plan.obstacles;
    for (Operation *other : fused)
      trial.siblings.push_back({other});
    trial.siblings.push_back({op});
    if (succeeded(mayBeFused) &&
        succeeded(planLevels(trial, plan.options, AuxiliaryAccumulators(),
                             whyNot, refusal))) {
      Operation *lost = findLostProducer(plan, trial);
      if (!lost && !trial.needsDerivatives) {
        plan = trial;
        fused.push_back(op);
        continue;
      }
      refusal = {RefusalKind::Other, lost ? lost : op,
                 lost ? "the loops would no longer compute " + nameOf(lost) +
                            " tile by tile, once"
                      : "its repair needs derivatives that the loops would "
                        "carry"};
    }
    apart.push_back({op});
    apart.back().refusal = refusal;
  }
  llvm::append_range(plan.siblings, apart);
  llvm::sort(plan.siblings, [](const auto &lhs, const auto &rhs) {
    return lhs.op != rhs.op && lhs.op->isBeforeInBlock(rhs.op);
  });
}

/// Plans with auxiliary accumulators. If `mayHaveSiblings` is true, adds
/// siblings, except those in `notSiblings`.
static FailureOr<FusionPlan>
planRoot(Operation *root, const TileAndFuseOptions &options,
         const AuxiliaryAccumulators &auxiliaries, const Refusal &whyNot,
         bool mayHaveSiblings, ArrayRef<PlannedSibling> notSiblings,
         Refusal &refusal) {
  auto dpsRoot = dyn_cast<DestinationStyleOpInterface>(root);
  if (!isa<TilingInterface>(root) || !hasMaps(root))
    return refusal.set(RefusalKind::RootWithoutMaps, root,
                       nameOf(root) +
                           " cannot be a root: expected an op with indexing "
                           "maps that implements TilingInterface");
  if (!dpsRoot.hasPureTensorSemantics())
    return refusal.set(RefusalKind::RootOnBuffers, root,
                       nameOf(root) +
                           " cannot be a root: expected tensors, got "
                           "buffers");
  if (hasEmptyOperand(root))
    return refusal.set(RefusalKind::Other, root,
                       nameOf(root) +
                           " cannot be a root: expected operands that are "
                           "not empty, got a size of 0");
  if (hasDifferentSizes(root))
    return refusal.set(RefusalKind::Other, root,
                       nameOf(root) +
                           " cannot be a root: expected one size of each "
                           "dimension, got operands of different ones");
  if (failed(checkRescaleThreshold(options, refusal)))
    return failure();
  FusionPlan plan;
  plan.root = root;
  plan.options = options;

  if (!options.fuseChainedContractions)
    plan.obstacles = findChainedContractions(root, options.chainedContraction);

  // 1. Check and split the levels.
  SmallVector<utils::IteratorType> iterators =
      cast<TilingInterface>(root).getLoopIteratorTypes();
  if (options.levels.empty())
    return refusal.set(RefusalKind::NoLevels, root,
                       "expected at least one level of tiling, got none");
  for (const TilingLevel &level : options.levels)
    if (failed(splitLevel(level, root, iterators, plan.levels, refusal)))
      return failure();
  for (auto [index, level] : llvm::enumerate(plan.levels))
    if ((level.level.kind == LoopKind::Split || level.level.parts > 1) &&
        failed(checkMerged(plan, index, refusal)))
      return failure();
  if (options.recompute != Recompute::All)
    llvm::append_range(plan.obstacles, findStoredProducers(plan));
  if (auto online = dyn_cast<OnlineReductionOpInterface>(root))
    for (const PlannedLevel &level : plan.levels)
      for (unsigned dim : online.getOnlineDims())
        if (level.dims.test(dim))
          return refusal.set(
              RefusalKind::NotAccumulated, root,
              llvm::formatv("{0} cannot be cut along dimension {1} "
                            "as a root: its results of earlier tiles "
                            "would be out of date",
                            nameOf(root), dim));

  // 2. and 3. Plan with loops that cut accumulations. If this fails, plan with
  //    these outside.
  FusionPlan empty = plan;
  auto finish = [&](const Refusal &whyNot) {
    if (mayHaveSiblings)
      addSiblings(plan, empty, notSiblings, whyNot);
    if (options.fuseConsumers)
      planConsumers(plan);
    return plan;
  };
  Refusal whyNotCut = whyNot;
  if (!whyNot.isSet()) {
    if (succeeded(planAroundObstacles(plan, options, auxiliaries,
                                      /*whyNot=*/Refusal(), whyNotCut)))
      return finish(Refusal());
    if (!auxiliaries.ops.empty() ||
        llvm::none_of(plan.levels, [](const PlannedLevel &level) {
          return llvm::any_of(level.producers, [](const PlannedProducer &p) {
            return p.partial && !isa<OnlineReductionOpInterface>(p.op);
          });
        })) {
      refusal = whyNotCut;
      return failure();
    }
  }
  plan = empty;
  if (failed(
          planAroundObstacles(plan, options, auxiliaries, whyNotCut, refusal)))
    return failure();
  return finish(whyNotCut);
}

FailureOr<FusionPlan> mlir::linalg_ext::planTileAndFuse(
    Operation *root, const TileAndFuseOptions &options, Refusal &refusal) {
  return planRoot(root, options, AuxiliaryAccumulators(), /*whyNot=*/Refusal(),
                  options.fuseSiblings, /*notSiblings=*/{}, refusal);
}

FailureOr<FusionPlan>
mlir::linalg_ext::planWithAuxiliaries(Operation *root,
                                      const TileAndFuseOptions &options,
                                      const AuxiliaryAccumulators &auxiliaries,
                                      const Refusal &whyNot, Refusal &refusal) {
  return planRoot(root, options, auxiliaries, whyNot, /*mayHaveSiblings=*/false,
                  /*notSiblings=*/{}, refusal);
}

FailureOr<FusionPlan> mlir::linalg_ext::planWithoutSiblings(
    const FusionPlan &plan, ArrayRef<PlannedSibling> apart, Refusal &refusal) {
  return planRoot(plan.root, plan.options, AuxiliaryAccumulators(),
                  /*whyNot=*/Refusal(),
                  /*mayHaveSiblings=*/true, apart, refusal);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printFactor(raw_ostream &os, const PlannedFactor &factor) {
  double coefficient = factor.value.degree.coefficient;
  if (factor.value.degree.kind == RepairKind::Polynomial)
    os << llvm::formatv("add a polynomial of degree {0} in ",
                        static_cast<int64_t>(coefficient));
  else if (factor.value.degree.kind == RepairKind::Affine)
    os << "scale a part by ";
  else
    os << stringify(factor.value.degree.kind) << " by ";
  if (factor.value.degree.kind != RepairKind::Polynomial && coefficient != 1.0)
    os << llvm::formatv("{0:g} times ", coefficient);
  os << "the " << stringify(factor.measure) << " of " << nameOf(factor.source)
     << "#" << factor.resultNumber << " along dims ";
  linalg_ext::print(factor.value.rows, os);
  if (factor.deferred)
    os << ", after the loops";
  if (factor.conditional)
    os << ", where it moved";
}

void FusionPlan::print(raw_ostream &os) const {
  os << "root " << nameOf(root) << "\n";
  for (const PlannedSibling &sibling : siblings) {
    os << "sibling " << nameOf(sibling.op);
    if (!sibling.isFused()) {
      os << " apart: " << sibling.refusal.text << "\n";
      continue;
    }
    os << ", dims of the root [";
    llvm::interleaveComma(sibling.cutBy, os, [&](const SmallBitVector &set) {
      if (set.none())
        os << "-";
      llvm::interleave(set.set_bits(), os, " x ");
    });
    os << "]\n";
  }
  for (auto [index, level] : llvm::enumerate(levels)) {
    os << "level " << index << ": " << stringify(level.level.kind)
       << " tiles [";
    llvm::interleaveComma(level.level.tileSizes, os, [&](int64_t size) {
      if (ShapedType::isDynamic(size))
        os << "?";
      else
        os << size;
    });
    os << "]\n";
    for (const PlannedProducer &producer : level.producers) {
      if (!producer.fused) {
        os << "  keep " << nameOf(producer.op) << ": " << producer.refusal.text
           << "\n";
        continue;
      }
      os << "  fuse " << nameOf(producer.op);
      if (producer.partial)
        os << ", partial";
      if (producer.whole)
        os << ", whole";
      if (producer.recomputed)
        os << ", recomputed";
      if (!producer.yieldedResults.empty()) {
        os << ", yields [";
        llvm::interleaveComma(producer.yieldedResults, os);
        os << "]";
      }
      os << "\n";
    }
  }
  for (const PlannedConsumer &consumer : consumers) {
    if (consumer.depth == 0) {
      os << "leave " << nameOf(consumer.op) << ": " << consumer.refusal.text
         << "\n";
      continue;
    }
    os << "follow " << nameOf(consumer.op) << " into level "
       << consumer.depth - 1;
    if (consumer.refusal.isSet())
      os << ", not further: " << consumer.refusal.text;
    os << "\n";
  }
  if (states.empty())
    return;
  for (const PlannedState &state : states) {
    os << "state " << nameOf(state.producer) << ", carried from level "
       << firstLevel << " to " << lastLevel;
    if (isa<OnlineReductionOpInterface>(state.producer))
      os << ", " << stringify(state.normalization) << " normalisation";
    if (state.rescaleThreshold)
      os << ", rescaled lazily, when it moves by more than "
         << llvm::format("%g", *state.rescaleThreshold);
    if (state.notLazy.isSet())
      os << ", not rescaled lazily: " << state.notLazy.text;
    os << "\n";
  }
  for (const PlannedRepair &repair : repairs) {
    os << "repair "
       << (repair.accumulator == root          ? "root "
           : lookupSibling(repair.accumulator) ? "sibling "
                                               : "")
       << nameOf(repair.accumulator) << ": ";
    llvm::interleave(
        repair.factors, os,
        [&](const PlannedFactor &factor) { printFactor(os, factor); }, "; ");
    os << "\n";
  }
  auto lacks = [&](RepairKind kind) {
    return llvm::any_of(repairs, [&](const PlannedRepair &repair) {
      return llvm::any_of(repair.factors, [&](const PlannedFactor &factor) {
        return factor.value.degree.kind == kind && factor.derivatives.empty();
      });
    });
  };
  if (lacks(RepairKind::Polynomial))
    os << "derivatives: carried too\n";
  if (lacks(RepairKind::Affine))
    os << "the part of the root that does not scale: carried apart, added "
          "after "
          "the loops\n";
  os << "exactness: " << stringify(exactness) << "\n";
}
