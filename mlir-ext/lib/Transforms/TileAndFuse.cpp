//===- TileAndFuse.cpp - Carrying out a FusionPlan ------------------------===//
//
// For each level of the plan:
//   1. tile the root with upstream's tileUsingSCF;
//   2. fuse the planned producers, from the root backwards, yielding what the
//      plan names; make the loop parallel if the level is a split;
//   3. after the last level that carries the states, repair the accumulators;
// and at the loop that first carries them, finish the root's.
//
//===----------------------------------------------------------------------===//

#include "BuildRepair.h"
#include "FollowRoot.h"
#include "FuseConsumers.h"
#include "LazyRescaling.h"
#include "PolynomialRepair.h"
#include "ProducerTiles.h"
#include "RehearsalCopy.h"
#include "RepairAnalysis.h"
#include "SplitReduction.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Transforms/FusionRemarks.h"
#include "mlir-ext/Transforms/TileAndFuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Applying one plan
//===----------------------------------------------------------------------===//

namespace {
class Applier : public RewriterBase::ForwardingListener {
public:
  Applier(RewriterBase &rewriter, const CompletePlan &complete)
      : ForwardingListener(rewriter.getListener()), rewriter(rewriter),
        outerListener(rewriter.getListener()), plan(complete.plan),
        companions(complete.companions), root(plan.root) {
    rewriter.setListener(this);
    for (const PlannedLevel &level : plan.levels)
      for (const PlannedProducer &producer : level.producers)
        plannedOf[producer.op] = producer.op;
  }
  ~Applier() override { rewriter.setListener(outerListener); }

  /// What is remembered of an op ends with it: its address may be that of
  /// another one later.
  void notifyOperationErased(Operation *op) override {
    plannedOf.erase(op);
    copiedFrom.erase(op);
    copiedFrom.remove_if([&](auto &entry) { return entry.second == op; });
    orphans.remove(op);
    stateSlices.erase(op);
    ForwardingListener::notifyOperationErased(op);
  }

  FailureOr<TileAndFuseResult> run();

  /// If it failed because of a consumer.
  std::optional<ConsumerRefusal> refusal;

private:
  LogicalResult applyLevel(unsigned index);
  void prepareAccumulator(const PlannedRepair &repair);
  LogicalResult copyStaleOps();
  LogicalResult tileRoot(const PlannedLevel &level);
  LogicalResult fuseProducers(unsigned index);
  LogicalResult fuseTiles(const PlannedProducer &producer, bool mustFuse);
  FailureOr<Operation *> fuseTile(const PlannedProducer &producer,
                                  tensor::ExtractSliceOp slice,
                                  unsigned resultNumber);
  void yieldResults(const PlannedProducer &producer, Operation *untiled,
                    unsigned firstYielded);
  LogicalResult fuseAccumulation(const PlannedProducer &producer);
  void fuseWhole(const PlannedProducer &producer);
  SmallVector<OpOperand *> getUsesInLoop(Operation *op);
  Operation *getFirstInLoop(ArrayRef<OpOperand *> uses);
  void replaceUsesInLoop(ArrayRef<OpOperand *> uses, Operation *by);
  OpFoldResult getTileSize(const PlannedLevel &level);
  LogicalResult splitLoop(unsigned index);
  LogicalResult repairAccumulators();
  void dropCompanions();
  void storeStates(const DenseMap<Value, Value> &oldStates);
  void ownInitialState(Value state);
  LogicalResult finishAccumulator();
  FailureOr<Value> repair(const PlannedRepair &repair,
                          const PlannedFactor &factor, Value accumulated,
                          ValueRange derivatives,
                          const DenseMap<Value, Value> &oldStates,
                          DenseMap<Value, Value> &rebuilt);
  void substituteSource(const PlannedFactor &factor, Value by);
  FailureOr<Value> rebuild(Value value, const DenseMap<Value, Value> &states,
                           DenseMap<Value, Value> &rebuilt, bool guards = true);
  std::optional<PlannedFactor> getStateGuard(Value value);
  void guardStates();
  void eraseOrphans();

  /// The op of the plan that `op`, a tile or copy of it, stands for.
  Operation *getPlanned(Operation *op) const { return plannedOf.lookup(op); }
  /// The tile or copy of `planned` at the level reached.
  Operation *getCurrent(Operation *planned) const {
    if (planned == plan.root)
      return root;
    auto it = current.find(planned);
    return it == current.end() ? planned : it->second;
  }
  void setCurrent(Operation *planned, Operation *op) {
    plannedOf[op] = planned;
    current[planned] = op;
  }
  Value getSource(const PlannedFactor &factor) const {
    return getCurrent(factor.source)->getResult(factor.resultNumber);
  }
  NormalizationForm getNormalization(Operation *producer) const {
    return llvm::find_if(plan.states,
                         [&](const PlannedState &state) {
                           return state.producer == producer;
                         })
        ->normalization;
  }
  bool isWhole(Operation *planned) const {
    const PlannedProducer *producer =
        plan.levels[plan.firstLevel].lookup(planned);
    return producer && producer->whole;
  }

  RewriterBase &rewriter;
  OpBuilder::Listener *outerListener;
  /// Its ops are names: they may be erased once there are tiles of them.
  const FusionPlan &plan;
  const Companions &companions;
  /// The root at the level reached.
  Operation *root;
  DenseMap<Operation *, Operation *> plannedOf, current;
  /// The op that a copy made to carry state was copied from.
  llvm::MapVector<Operation *, Operation *> copiedFrom;
  /// The loop of the level being applied, and the size of its tile of the
  /// dimension that it cuts.
  LoopLikeOpInterface loop;
  OpFoldResult tileSize;
  /// Once it is tiled: the results of that level, and its last op. Those of the
  /// loop, unless the level is a split.
  SmallVector<Value> levelResults;
  Operation *levelEnd = nullptr;
  /// For a state, the numbers of the results of the level that hold it.
  DenseMap<Operation *, SmallVector<unsigned>> stateOfLoop;
  /// Slices of the tensors that states are held in.
  DenseSet<Operation *> stateSlices;
  /// Ops that may have lost their last use.
  SetVector<Operation *> orphans;
  /// What replaces the results of the root of the plan.
  SmallVector<Value> replacements;
  SmallVector<LoopLikeOpInterface> loops;
};
} // namespace

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Replaces the uses of `from` by ops at or after `first` in its block, or in
/// later blocks.
static void replaceUsesFrom(RewriterBase &rewriter, Operation *first,
                            Value from, Value to) {
  rewriter.replaceUsesWithIf(from, to, [&](OpOperand &use) {
    Operation *user = first->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return !user || user == first || first->isBeforeInBlock(user);
  });
}

//===----------------------------------------------------------------------===//
// Before the loops
//===----------------------------------------------------------------------===//

/// The accumulator must start from the neutral element, or the first repair
/// would act on what it started from, and must be at least as wide as f32, the
/// narrowest type of a state. Otherwise the root is replaced by one that
/// accumulates into a neutral, wide tensor, combined with the original init
/// afterwards.
void Applier::prepareAccumulator(const PlannedRepair &repair) {
  unsigned number = repair.resultNumber;
  Value init =
      cast<DestinationStyleOpInterface>(root).getDpsInitOperand(number)->get();
  auto type = cast<FloatType>(getElementTypeOrSelf(init));
  bool narrow = type.getWidth() < 32;
  if (!narrow && isFilledWith(init, repair.neutral))
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(root);
  Location loc = root->getLoc();
  TypedAttr neutral = repair.neutral;
  if (narrow) {
    type = rewriter.getF32Type();
    neutral = rewriter.getFloatAttr(
        type, cast<FloatAttr>(neutral).getValueAsDouble());
  }
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, init), type);
  Value scalar = arith::ConstantOp::create(rewriter, loc, neutral);
  SmallVector<Value> inits =
      cast<DestinationStyleOpInterface>(root).getDpsInits();
  SmallVector<Value> neutralInits = inits;
  neutralInits[number] =
      linalg::FillOp::create(rewriter, loc, scalar, empty).getResult(0);
  auto repairable = cast<RepairableOpInterface>(root);
  Operation *wide = repairable.accumulateInto(rewriter, loc, neutralInits);
  wide->setDiscardableAttrs(root->getDiscardableAttrDictionary());
  SmallVector<Value> combined =
      repairable.combineAccumulators(rewriter, loc, inits, wide->getResults());
  if (root == plan.root)
    replacements = combined;
  rewriter.replaceOp(root, combined);
  root = wide;
}

/// What follows the states is copied, for the root to take its stale operands
/// from: the originals stay for other users, who need final values.
LogicalResult Applier::copyStaleOps() {
  // 1. Enclosing levels may have made several tiles of one op: the ones meant
  // are those the root uses. Or they made none, where the plan could not
  // foresee that an op refuses a tile.
  DenseMap<Operation *, Operation *> originals;
  SmallVector<Operation *> worklist{root};
  while (!worklist.empty())
    for (Value operand : worklist.pop_back_val()->getOperands()) {
      Operation *op = operand.getDefiningOp();
      Operation *planned = op ? getPlanned(op) : nullptr;
      if (!planned || !plan.isStale(planned))
        continue;
      auto [it, isNew] = originals.try_emplace(planned, op);
      if (it->second != op || op->getBlock() != root->getBlock())
        return failure();
      if (isNew)
        worklist.push_back(op);
    }

  // 2. Copy.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(root);
  IRMapping mapping;
  SmallVector<Operation *> states;
  for (Operation *planned : plan.stale) {
    Operation *original = originals.lookup(planned);
    if (!original)
      return failure();
    Operation *copy = rewriter.clone(*original, mapping);
    // What it reads other than tile by tile is final.
    for (auto [index, operand] : llvm::enumerate(original->getOperands()))
      if (!plan.isStaleOperand(planned, index))
        copy->setOperand(index, operand);
    setCurrent(planned, copy);
    copiedFrom[copy] = original;
    orphans.insert(original);
  }
  for (const PlannedState &state : plan.states) {
    states.push_back(originals.lookup(state.producer));
    auto online =
        dyn_cast<OnlineReductionOpInterface>(getCurrent(state.producer));
    if (!online)
      continue;
    online.setOnline(true);
    if (failed(online.setNormalization(state.normalization)))
      return failure();
    if (state.rescaleThreshold &&
        failed(online.setRescaleThreshold(*state.rescaleThreshold)))
      return failure();
  }
  rewriter.modifyOpInPlace(root, [&] {
    for (OpOperand &operand : root->getOpOperands())
      if (plan.isStaleOperand(plan.root, operand.getOperandNumber()))
        operand.set(mapping.lookupOrDefault(operand.get()));
  });
  moveUsersAfterRoot(rewriter, root, states);
  return success();
}

//===----------------------------------------------------------------------===//
// Tiling and fusing
//===----------------------------------------------------------------------===//

LogicalResult Applier::tileRoot(const PlannedLevel &level) {
  scf::SCFTilingOptions options;
  SmallVector<OpFoldResult> sizes;
  const Value *dynamicSize = level.level.dynamicSizes.begin();
  for (int64_t size : level.level.tileSizes)
    sizes.push_back(ShapedType::isDynamic(size) ? OpFoldResult(*dynamicSize++)
                                                : rewriter.getIndexAttr(size));
  options.setTileSizes(sizes);
  if (level.level.kind == LoopKind::Forall) {
    options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
    options.setInterchange(level.level.interchange);
    options.setMapping(level.level.mapping);
  }
  FailureOr<scf::SCFTilingResult> tiling =
      scf::tileUsingSCF(rewriter, cast<TilingInterface>(root), options);
  if (failed(tiling) || tiling->loops.size() != 1)
    return failure();
  rewriter.replaceOp(root, tiling->replacements);
  root = tiling->tiledOps.back();
  shrinkEmptyTensors(rewriter, root, orphans);
  loop = tiling->loops.front();
  return success();
}

/// Fuses the producer behind `slice`. Returns its tile, null if it refuses one.
FailureOr<Operation *> Applier::fuseTile(const PlannedProducer &producer,
                                         tensor::ExtractSliceOp slice,
                                         unsigned resultNumber) {
  Operation *untiled = getCurrent(producer.op);
  MutableArrayRef<LoopLikeOpInterface> nest(loop);
  std::optional<scf::SCFFuseProducerOfSliceResult> fused =
      tileKeptDims(rewriter, untiled, resultNumber, slice);
  if (!fused)
    fused = scf::tileAndFuseProducerOfSlice(rewriter, slice, nest);
  orphans.insert(slice);
  if (!fused)
    return nullptr;
  Operation *tiled = fused->tiledOps.front();
  shrinkEmptyTensors(rewriter, tiled, orphans);
  orphans.insert(untiled);
  orphans.insert_range(fused->generatedSlices);
  if (producer.yieldedResults.empty())
    return tiled;

  // Slices of a state are no way to fuse what initialises it.
  if (plan.isStale(producer.op))
    for (unsigned number : producer.yieldedResults)
      if (Operation *init = cast<DestinationStyleOpInterface>(tiled)
                                .getDpsInitOperand(number)
                                ->get()
                                .getDefiningOp())
        stateSlices.insert(init);
  unsigned firstYielded = loop->getNumResults();
  if (failed(scf::yieldReplacementForFusedProducer(
          rewriter, slice, *fused, nest, producer.yieldedResults)))
    return failure();
  loop = nest.front();
  yieldResults(producer, untiled, firstYielded);
  return tiled;
}

/// The loop yields results of `producer`, from its result `firstYielded` on:
/// whoever comes after it takes them.
void Applier::yieldResults(const PlannedProducer &producer, Operation *untiled,
                           unsigned firstYielded) {
  Operation *original = copiedFrom.lookup(untiled);
  SmallVector<unsigned> &state = stateOfLoop[producer.op];
  state.clear();
  for (auto [index, number] : llvm::enumerate(producer.yieldedResults)) {
    state.push_back(firstYielded + index);
    Value yielded = loop->getResult(firstYielded + index);
    replaceUsesFrom(rewriter, loop->getNextNode(), untiled->getResult(number),
                    yielded);
    if (original)
      replaceUsesFrom(rewriter, loop->getNextNode(),
                      original->getResult(number), yielded);
  }
}

/// Fuses a producer tile by tile. Slices of the same tile are one tile.
LogicalResult Applier::fuseTiles(const PlannedProducer &producer,
                                 bool mustFuse) {
  auto iterators = cast<TilingInterface>(root).getLoopIteratorTypes();
  const PlannedLevel &level = plan.levels[loops.size()];
  bool cutsReduction = llvm::any_of(level.dims.set_bits(), [&](unsigned dim) {
    return iterators[dim] == utils::IteratorType::reduction;
  });
  Operation *untiled = getCurrent(producer.op);
  auto tileable = cast<TilingInterface>(untiled);

  // 1. The slices of it that the loop takes.
  SmallVector<std::pair<tensor::ExtractSliceOp, unsigned>> slices;
  loop.getLoopRegions().front()->walk([&](tensor::ExtractSliceOp slice) {
    auto [source, isInit] = getSlicedProducer(slice, loop);
    if (!source || source.getOwner() != untiled || slice->use_empty() ||
        stateSlices.contains(slice) || (isInit && cutsReduction) ||
        isInvariant(slice, loop))
      return;
    slices.push_back({slice, source.getResultNumber()});
  });

  for (auto &[slice, number] : slices) {
    orphans.insert(slice);
    slice = nameWholeSizes(rewriter, slice, untiled->getResult(number), loop);
  }

  // 2. A tile for each that no tile made before provides. (The slices of those
  // stay until the level is done.)
  struct Tile {
    Operation *op;
    tensor::ExtractSliceOp slice;
    unsigned resultNumber;
  };
  using Domain =
      std::pair<SmallVector<OpFoldResult>, SmallVector<OpFoldResult>>;
  auto getDomain = [&](tensor::ExtractSliceOp slice, unsigned number) {
    Domain domain;
    if (failed(tileable.getIterationDomainTileFromResultTile(
            rewriter, number, slice.getMixedOffsets(), slice.getMixedSizes(),
            domain.first, domain.second)))
      return std::optional<Domain>();
    return std::optional<Domain>(domain);
  };
  SmallVector<Tile> tiles;
  for (auto &[slice, number] : slices) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(slice);
    Value same;
    for (Tile &tile : tiles) {
      if (tile.resultNumber == number) {
        if (tile.slice.getType() == slice.getType() &&
            isEquivalent(tile.slice.getMixedOffsets(),
                         slice.getMixedOffsets()) &&
            isEquivalent(tile.slice.getMixedSizes(), slice.getMixedSizes()))
          same = tile.op->getResult(number);
        continue;
      }
      std::optional<Domain> lhs = getDomain(tile.slice, tile.resultNumber);
      std::optional<Domain> rhs = getDomain(slice, number);
      if (lhs && rhs && isEquivalent(lhs->first, rhs->first) &&
          isEquivalent(lhs->second, rhs->second) &&
          tile.op->getResult(number).getType() == slice.getType())
        same = tile.op->getResult(number);
    }
    if (same) {
      rewriter.replaceAllUsesWith(slice.getResult(), same);
      orphans.insert(slice);
      continue;
    }
    FailureOr<Operation *> fused = fuseTile(producer, slice, number);
    if (failed(fused))
      return failure();
    if (!*fused) {
      // A producer without state may stay where it is.
      if (mustFuse || !producer.yieldedResults.empty())
        return failure();
      continue;
    }
    // Several tiles of a state would be several states.
    if (mustFuse && !tiles.empty())
      return failure();
    tiles.push_back({*fused, slice, number});
  }
  if (tiles.empty())
    return success(!mustFuse);
  setCurrent(producer.op, tiles.front().op);
  // What is not cut of its state is read as it is now.
  if (mustFuse)
    for (OpOperand *use : getUsesInLoop(untiled))
      if (!isa<tensor::DimOp>(use->getOwner()))
        replaceUsesInLoop(use, tiles.front().op);
  return success();
}

/// Uses of results of `op`, or of whole slices of them, in the loop.
SmallVector<OpOperand *> Applier::getUsesInLoop(Operation *op) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : op->getUses())
    if (loop->isProperAncestor(use.getOwner()))
      uses.push_back(&use);
  return uses;
}

/// The first op in the body of the loop that has one of `uses`.
Operation *Applier::getFirstInLoop(ArrayRef<OpOperand *> uses) {
  Block &body = loop.getLoopRegions().front()->front();
  Operation *first = nullptr;
  for (OpOperand *use : uses) {
    Operation *op = body.findAncestorOpInBlock(*use->getOwner());
    if (!first || op->isBeforeInBlock(first))
      first = op;
  }
  return first;
}

/// Replaces uses of an untiled op, whose results the level does not cut, by the
/// results of `by`.
void Applier::replaceUsesInLoop(ArrayRef<OpOperand *> uses, Operation *by) {
  for (OpOperand *use : uses) {
    Operation *owner = use->getOwner();
    Value result = by->getResult(cast<OpResult>(use->get()).getResultNumber());
    auto slice = dyn_cast<tensor::ExtractSliceOp>(owner);
    if (slice && slice.getType() == result.getType()) {
      rewriter.replaceAllUsesWith(slice.getResult(), result);
      orphans.insert(slice);
    } else if (owner != by) {
      rewriter.modifyOpInPlace(owner, [&] { use->set(result); });
    }
  }
}

/// The size of the tile that the loop of `level` makes of the dimension that it
/// cuts, as the operands of the root have it; null if none has it.
OpFoldResult Applier::getTileSize(const PlannedLevel &level) {
  unsigned dim = level.dims.find_first();
  for (OpOperand &operand : root->getOpOperands()) {
    AffineMap map =
        cast<IndexingMapOpInterface>(root).getMatchingIndexingMap(&operand);
    auto slice = operand.get().getDefiningOp<tensor::ExtractSliceOp>();
    std::optional<unsigned> position =
        map.getResultPosition(getAffineDimExpr(dim, root->getContext()));
    if (slice && position &&
        slice.getType().getRank() == slice.getSourceType().getRank())
      return slice.getMixedSizes()[*position];
  }
  return {};
}

/// Fuses an accumulation over the dimension that the loop cuts: it takes up one
/// tile in every iteration, and the loop carries what it has accumulated.
LogicalResult Applier::fuseAccumulation(const PlannedProducer &producer) {
  Operation *untiled = getCurrent(producer.op);
  auto tileable = cast<TilingInterface>(untiled);
  SmallVector<OpOperand *> uses = getUsesInLoop(untiled);
  std::optional<SmallVector<Value>> ivs = loop.getLoopInductionVars();
  if (uses.empty() || !tileSize || !ivs || ivs->size() != 1)
    return failure();

  // 1. Its tile.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(getFirstInLoop(uses));
  SmallVector<OpFoldResult> offsets, sizes;
  for (Range range : tileable.getIterationDomain(rewriter)) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  offsets[producer.cutDim] = ivs->front();
  sizes[producer.cutDim] = tileSize;
  FailureOr<TilingResult> tiling =
      tileable.getTiledImplementation(rewriter, offsets, sizes);
  if (failed(tiling) || tiling->tiledOps.size() != 1)
    return failure();
  Operation *tiled = tiling->tiledOps.front();
  orphans.insert_range(tiling->generatedSlices);
  orphans.insert(untiled);
  if (tiled->getResultTypes() != untiled->getResultTypes())
    return failure();
  replaceUsesInLoop(uses, tiled);
  setCurrent(producer.op, tiled);

  // 2. Its state.
  auto dps = cast<DestinationStyleOpInterface>(tiled);
  SmallVector<Value> initial =
      cast<DestinationStyleOpInterface>(untiled).getDpsInits();
  unsigned firstYielded = loop->getNumResults();
  FailureOr<LoopLikeOpInterface> carrying = loop.replaceWithAdditionalYields(
      rewriter, initial, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument> args) {
        rewriter.modifyOpInPlace(tiled, [&] {
          for (auto [init, arg] : llvm::zip_equal(
                   dps.getDpsInitsMutable(), args.take_back(initial.size())))
            init.set(arg);
        });
        return llvm::to_vector_of<Value>(tiled->getResults());
      });
  if (failed(carrying))
    return failure();
  loop = *carrying;
  yieldResults(producer, untiled, firstYielded);
  return success();
}

/// Fuses a producer that the level does not cut.
void Applier::fuseWhole(const PlannedProducer &producer) {
  Operation *untiled = getCurrent(producer.op);
  SmallVector<OpOperand *> uses = getUsesInLoop(untiled);
  if (uses.empty())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(getFirstInLoop(uses));
  Operation *copy = rewriter.clone(*untiled);
  replaceUsesInLoop(uses, copy);
  orphans.insert(untiled);
  setCurrent(producer.op, copy);
}

LogicalResult Applier::fuseProducers(unsigned index) {
  const PlannedLevel &level = plan.levels[index];
  bool carries = !plan.states.empty() && index >= plan.firstLevel &&
                 index <= plan.lastLevel;
  tileSize = getTileSize(level);
  for (const PlannedProducer &producer : level.producers) {
    if (!producer.fused)
      continue;
    if (producer.whole) {
      fuseWhole(producer);
      continue;
    }
    bool isAccumulation = producer.partial && !isa<OnlineReductionOpInterface>(
                                                  getCurrent(producer.op));
    if (failed(isAccumulation
                   ? fuseAccumulation(producer)
                   : fuseTiles(producer, carries && plan.isStale(producer.op))))
      return failure();
  }
  return success();
}

/// Makes the loop of a split parallel.
LogicalResult Applier::splitLoop(unsigned index) {
  PlanAccess access{plan, [&](Operation *op) { return getCurrent(op); },
                    [&](Value value, const auto &states, auto &rebuilt) {
                      return rebuild(value, states, rebuilt);
                    }};
  bool carriesStates = !plan.states.empty() && index == plan.firstLevel;
  if (!carriesStates)
    stateOfLoop.clear();
  SmallVector<CarriedValue> carried = getCarriedValues(access, stateOfLoop);
  FailureOr<SplitLoop> split = splitReduction(
      rewriter, cast<scf::ForOp>(loop), carried,
      plan.levels[index].level.mapping, [&](ValueRange lhs, ValueRange rhs) {
        return buildMerge(rewriter, root->getLoc(), access, carried, lhs, rhs);
      });
  if (failed(split))
    return failure();
  loop = split->loop;
  levelResults = split->results;
  levelEnd = split->end;
  return success();
}

//===----------------------------------------------------------------------===//
// Repairing
//===----------------------------------------------------------------------===//

/// Builds again, for other `states`, a value that is computed from them. With
/// `guards`, as the loops compute it (see getStateGuard).
FailureOr<Value> Applier::rebuild(Value value,
                                  const DenseMap<Value, Value> &states,
                                  DenseMap<Value, Value> &rebuilt,
                                  bool guards) {
  if (auto it = states.find(value); it != states.end())
    return it->second;
  if (auto it = rebuilt.find(value); it != rebuilt.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  Operation *planned = op ? getPlanned(op) : nullptr;
  // Only what follows a state depends on it.
  if (!planned || !plan.isStale(planned))
    return value;
  if (!isWhole(planned))
    return failure();
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    FailureOr<Value> other = rebuild(operand, states, rebuilt, guards);
    if (failed(other))
      return failure();
    std::optional<PlannedFactor> guard = guards && states.contains(operand)
                                             ? getStateGuard(operand)
                                             : std::nullopt;
    mapping.map(operand, guard ? buildGuardedSource(rewriter, op->getLoc(),
                                                    *guard, *other)
                               : *other);
  }
  Operation *copy = rewriter.clone(*op, mapping);
  for (auto [result, other] : llvm::zip(op->getResults(), copy->getResults()))
    rebuilt[result] = other;
  return rebuilt[value];
}

/// If `value` is a state that starts as an infinity, returns what guards it:
/// ops that follow states alone take a max or min of nothing as 0, for what
/// they compute from an infinity may be NaN, from which no repair leads back.
/// Any finite number would do.
std::optional<PlannedFactor> Applier::getStateGuard(Value value) {
  Operation *op = value.getDefiningOp();
  unsigned number = cast<OpResult>(value).getResultNumber();
  auto online = dyn_cast<OnlineReductionOpInterface>(op);
  TypedAttr identity;
  if (online)
    identity = online.getStateIdentity(number);
  else if (auto accumulator = dyn_cast<RepairableOpInterface>(op))
    if (Accumulation accumulation = *accumulator.getAccumulation();
        accumulation.resultNumber == number)
      identity = accumulation.neutral;
  auto attr = dyn_cast_or_null<FloatAttr>(identity);
  if (!attr || !attr.getValue().isInfinity())
    return std::nullopt;
  PlannedFactor factor;
  factor.measure = Measure::Difference;
  return factor;
}

void Applier::guardStates() {
  for (const PlannedState &state : plan.states) {
    Operation *op = getCurrent(state.producer);
    for (unsigned number : getStateResults(op)) {
      Value value = op->getResult(number);
      std::optional<PlannedFactor> factor = getStateGuard(value);
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : value.getUses()) {
        Operation *planned = getPlanned(use.getOwner());
        if (planned && plan.isStale(planned) && isWhole(planned))
          uses.push_back(&use);
      }
      if (!factor || uses.empty())
        continue;
      rewriter.setInsertionPointAfter(op);
      Value guarded =
          buildGuardedSource(rewriter, op->getLoc(), *factor, value);
      for (OpOperand *use : uses)
        rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(guarded); });
    }
  }
}

/// Tiles take `by` in place of the source of `factor`.
void Applier::substituteSource(const PlannedFactor &factor, Value by) {
  Value source = getSource(factor);
  SmallVector<Operation *> tiles = plan.stale;
  tiles.push_back(plan.root);
  for (Operation *planned : tiles) {
    if (isWhole(planned))
      continue;
    Operation *op = getCurrent(planned);
    rewriter.modifyOpInPlace(op, [&] {
      for (OpOperand &operand : op->getOpOperands())
        if (operand.get() == source && op != source.getDefiningOp())
          operand.set(by);
    });
  }
}

/// Builds the repair of one factor in front of the accumulating op.
FailureOr<Value> Applier::repair(const PlannedRepair &repair,
                                 const PlannedFactor &factor, Value accumulated,
                                 ValueRange derivatives,
                                 const DenseMap<Value, Value> &oldStates,
                                 DenseMap<Value, Value> &rebuilt) {
  Operation *op = getCurrent(repair.accumulator);
  Value source = getSource(factor);
  Location loc = source.getLoc();
  BuiltRepair built;
  if (factor.measure == Measure::Given) {
    rewriter.setInsertionPoint(op);
    auto online = cast<OnlineReductionOpInterface>(source.getDefiningOp());
    FailureOr<Value> rho = online.buildRepair(rewriter, loc);
    if (failed(rho))
      return failure();
    built = buildGivenRepair(rewriter, loc, factor, *rho);
  } else {
    // Old values are rebuilt once, before whoever needs them first.
    rewriter.setInsertionPointAfter(source.getDefiningOp());
    FailureOr<Value> old = rebuild(source, oldStates, rebuilt);
    if (failed(old))
      return failure();
    rewriter.setInsertionPoint(op);
    if (factor.value.degree.kind == RepairKind::Polynomial)
      return buildPolynomialRepair(rewriter, loc, factor, accumulated,
                                   derivatives, *old, source);
    built = buildRepair(rewriter, loc, factor, *old, source,
                        getElementTypeOrSelf(accumulated));
  }
  return applyRepair(rewriter, cast<RepairableOpInterface>(op), factor, built,
                     accumulated);
}

/// rho(old states -> new states), applied to what has been accumulated.
LogicalResult Applier::repairAccumulators() {
  // 1. The states before the tile and after it.
  DenseMap<Value, Value> oldStates, rebuilt;
  for (const PlannedState &state : plan.states) {
    Operation *op = getCurrent(state.producer);
    for (unsigned number : getStateResults(op))
      oldStates[op->getResult(number)] = cast<DestinationStyleOpInterface>(op)
                                             .getDpsInitOperand(number)
                                             ->get();
  }

  // 2. Repairs.
  OpBuilder::InsertionGuard guard(rewriter);
  llvm::MapVector<Value, const PlannedFactor *> sources;
  for (const PlannedRepair &repair : plan.repairs)
    for (const PlannedFactor &factor : repair.factors)
      if (factor.measure != Measure::Given)
        sources.insert({getSource(factor), &factor});
  DenseMap<std::pair<Operation *, unsigned>, Value> accumulated;
  auto getInit = [&](Operation *planned, unsigned number) {
    return cast<DestinationStyleOpInterface>(getCurrent(planned))
        .getDpsInitOperand(number);
  };
  for (const PlannedRepair &repair : plan.repairs)
    accumulated[{repair.accumulator, repair.resultNumber}] =
        getInit(repair.accumulator, repair.resultNumber)->get();
  RepairStages stages(
      plan,
      [&](Operation *planned, unsigned number) {
        Value value = accumulated.lookup({planned, number});
        return value ? value : getInit(planned, number)->get();
      },
      [&](const PlannedRepair &planned, const PlannedFactor &factor,
          Value value, ValueRange derivatives) {
        return repair(planned, factor, value, derivatives, oldStates, rebuilt);
      });
  // In a chunk of one tile nothing has been accumulated before.
  bool isNeutral = plan.levels[plan.lastLevel].level.kind == LoopKind::Split;
  if (!isNeutral)
    for (const PlannedRepair &repair : plan.repairs) {
      FailureOr<Value> repaired =
          stages.get(repair.accumulator, repair.resultNumber);
      if (failed(repaired))
        return failure();
      OpOperand *init = getInit(repair.accumulator, repair.resultNumber);
      rewriter.modifyOpInPlace(init->getOwner(), [&] { init->set(*repaired); });
    }

  // 3. Tiles take sources that are not singular.
  for (auto [source, factor] : sources) {
    rewriter.setInsertionPointAfter(source.getDefiningOp());
    substituteSource(
        *factor,
        factor->deferred
            ? buildOnes(rewriter, source.getLoc(), source)
            : buildGuardedSource(rewriter, source.getLoc(), *factor, source));
  }
  guardStates();
  storeStates(oldStates);
  if (!isNeutral)
    for (const PlannedState &state : plan.states)
      holdState(rewriter, getCurrent(state.producer), state);
  dropCompanions();
  return success();
}

/// Companions are carried; they need not be taken any more.
void Applier::dropCompanions() {
  llvm::MapVector<Operation *, SmallVector<unsigned>> operands;
  for (auto [planned, number] : companions.operands)
    operands[planned].push_back(number);
  for (auto &[planned, numbers] : operands) {
    Operation *slim =
        eraseUnreadOperands(rewriter, getCurrent(planned), numbers);
    if (planned == plan.root)
      root = slim;
    else
      setCurrent(planned, slim);
  }
}

/// The loops that carry `state` start it in a tensor that nobody else reads.
void Applier::ownInitialState(Value state) {
  OpOperand *init = nullptr;
  while (true) {
    if (auto slice = state.getDefiningOp<tensor::ExtractSliceOp>()) {
      state = slice.getSource();
      continue;
    }
    auto arg = dyn_cast<BlockArgument>(state);
    auto carrying = arg ? dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp())
                        : scf::ForOp();
    if (!carrying)
      break;
    init = carrying.getTiedLoopInit(arg);
    state = init->get();
  }
  if (!init)
    return;
  rewriter.setInsertionPoint(init->getOwner());
  Value copy = bufferization::AllocTensorOp::create(
      rewriter, state.getLoc(), cast<RankedTensorType>(init->get().getType()),
      /*dynamicSizes=*/ValueRange(), /*copy=*/init->get());
  rewriter.modifyOpInPlace(init->getOwner(), [&] { init->set(copy); });
}

/// Repairs read old states after the new ones have been computed, so that
/// bufferization cannot write these over them. They are stored at the end of
/// the iteration.
void Applier::storeStates(const DenseMap<Value, Value> &oldStates) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<OpResult> newStates;
  for (const PlannedState &state : plan.states)
    if (Operation *op = getCurrent(state.producer);
        !isa<OnlineReductionOpInterface>(op))
      llvm::append_range(newStates, op->getResults());
  for (OpResult newState : newStates) {
    Value oldState = oldStates.lookup(newState);
    if (isUsedOnTheWayOnly(oldState, newState.getOwner()))
      continue;
    // What carries it to the next iteration.
    SmallVector<OpOperand *> leaving;
    Operation *first = nullptr;
    for (OpOperand &use : newState.getUses()) {
      Operation *user = use.getOwner();
      if (!user->hasTrait<OpTrait::IsTerminator>() &&
          !isa<tensor::InsertSliceOp>(user))
        continue;
      leaving.push_back(&use);
      if (!first || user->isBeforeInBlock(first))
        first = user;
    }
    if (!first)
      continue;
    rewriter.setInsertionPoint(first);
    Value stored = bufferization::MaterializeInDestinationOp::create(
                       rewriter, newState.getLoc(), newState, oldState)
                       .getResult();
    for (OpOperand *use : leaving)
      rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(stored); });
    ownInitialState(oldState);
  }
}

/// Whether the final value of the source of `factor` may be one that tiles did
/// not take, and must show in the result: a divisor of 0, a max of -inf. (Where
/// tiles compare, they have seen to it.)
static bool needsFinalCorrection(const PlannedFactor &factor) {
  return factor.measure != Measure::Given && !factor.value.isCompared &&
         factor.value.degree.kind != RepairKind::Add;
}

/// After the loop that first carries states: supplies what was left out in it.
LogicalResult Applier::finishAccumulator() {
  const PlannedRepair *repair = plan.lookupRepair(plan.root);
  if (!repair)
    return success();
  DenseMap<Value, Value> finalStates, rebuilt;
  for (const PlannedState &state : plan.states) {
    Operation *op = getCurrent(state.producer);
    for (auto [number, loopResult] :
         llvm::zip(getStateResults(op), stateOfLoop[state.producer]))
      finalStates[op->getResult(number)] = levelResults[loopResult];
  }
  OpBuilder::InsertionGuard guard(rewriter);
  Operation *next = levelEnd->getNextNode();
  rewriter.setInsertionPoint(next);
  Location loc = root->getLoc();
  Value accumulated = levelResults[repair->resultNumber];
  Value finished = accumulated;
  auto repairable = cast<RepairableOpInterface>(root);
  FinalFactors factors = getFinalFactors(plan, *repair);
  auto addUnscaled = [&] {
    const PlannedTerm &term = *factors.unscaled;
    finished = buildSum(
        rewriter, loc, finished, term,
        finalStates.lookup(getCurrent(term.op)->getResult(term.resultNumber)));
  };
  for (auto [index, factor] : llvm::enumerate(factors.all)) {
    if (factors.unscaled && index == factors.numOfPart)
      addUnscaled();
    BuiltRepair built;
    if (factor.deferred) {
      FailureOr<Value> value =
          rebuild(getSource(factor), finalStates, rebuilt, /*guards=*/false);
      if (failed(value))
        return failure();
      built = buildDeferredRepair(rewriter, loc, factor, *value);
    } else if (needsFinalCorrection(factor)) {
      FailureOr<Value> value =
          rebuild(getSource(factor), finalStates, rebuilt, /*guards=*/false);
      if (failed(value))
        return failure();
      built = buildFinalCorrection(rewriter, loc, factor, *value);
    } else if (factor.measure == Measure::Given &&
               getNormalization(factor.source) == NormalizationForm::Delayed) {
      auto online = cast<OnlineReductionOpInterface>(getCurrent(factor.source));
      SmallVector<Value> state;
      for (unsigned number : online.getStateResults())
        state.push_back(finalStates.lookup(online->getResult(number)));
      FailureOr<Value> rho = online.buildFinalRepair(rewriter, loc, state);
      if (failed(rho))
        return failure();
      built = buildGivenRepair(rewriter, loc, factor, *rho);
    }
    bool scales = factor.value.degree.kind == RepairKind::Scale;
    if (built.rho)
      finished = repairable.applyRepair(
          rewriter, loc, scales ? RepairKind::Scale : RepairKind::Add, finished,
          built.rho, built.accDims);
  }
  if (factors.unscaled && factors.numOfPart == factors.all.size())
    addUnscaled();
  if (finished == accumulated)
    return success();
  replaceUsesFrom(rewriter, next, accumulated, finished);
  for (Value &replacement : replacements)
    if (replacement == accumulated)
      replacement = finished;
  return success();
}

/// Erases what fusion left without uses, and what then loses its last use. A
/// `tensor.dim` of an untiled producer does not keep it alive.
void Applier::eraseOrphans() {
  while (!orphans.empty()) {
    Operation *op = orphans.pop_back_val();
    for (OpResult result :
         llvm::make_filter_range(op->getResults(), [](OpResult result) {
           return isa<TensorType>(result.getType()); // others have no sizes
         }))
      for (Operation *user : llvm::make_early_inc_range(result.getUsers())) {
        auto dim = dyn_cast<tensor::DimOp>(user);
        std::optional<int64_t> index =
            dim ? dim.getConstantIndex() : std::nullopt;
        if (!index)
          continue;
        // Reifying one size makes dims of all operands: they double with each
        // op of a chain unless those without uses go.
        if (dim->use_empty()) {
          rewriter.eraseOp(dim);
          continue;
        }
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPoint(dim);
        FailureOr<OpFoldResult> size =
            reifyDimOfResult(rewriter, op, result.getResultNumber(), *index);
        if (failed(size))
          continue;
        rewriter.replaceOp(dim, getValueOrCreateConstantIndexOp(
                                    rewriter, dim.getLoc(), *size));
      }
    if (!isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        orphans.insert(producer);
    rewriter.eraseOp(op);
  }
}

LogicalResult Applier::applyLevel(unsigned index) {
  bool hasStates = !plan.states.empty();
  if (hasStates && index == plan.firstLevel) {
    if (const PlannedRepair *repair = plan.lookupRepair(plan.root))
      prepareAccumulator(*repair);
    if (failed(copyStaleOps()))
      return failure();
  }

  // 1. and 2. Tile the root, fuse its producers, split.
  stateOfLoop.clear();
  if (failed(tileRoot(plan.levels[index])) || failed(fuseProducers(index)))
    return failure();
  levelResults = llvm::to_vector_of<Value>(loop->getResults());
  levelEnd = loop;
  if (plan.levels[index].level.kind == LoopKind::Split &&
      failed(splitLoop(index)))
    return failure();
  if (index == 0 && replacements.empty())
    replacements.assign(levelResults.begin(),
                        levelResults.begin() + root->getNumResults());
  loops.push_back(loop);

  // 3. Repair the accumulators and finish the root's.
  if (hasStates && index == plan.firstLevel && failed(finishAccumulator()))
    return failure();
  if (hasStates && index == plan.lastLevel && failed(repairAccumulators()))
    return failure();
  eraseOrphans();
  return success();
}

FailureOr<TileAndFuseResult> Applier::run() {
  SmallVector<Operation *> yielding;
  for (const PlannedProducer &producer : plan.levels.front().producers)
    if (!producer.yieldedResults.empty())
      yielding.push_back(producer.op);
  moveUsersAfterRoot(rewriter, root, yielding);
  for (unsigned index = 0; index < plan.levels.size(); ++index)
    if (failed(applyLevel(index)))
      return failure();
  if (failed(fuseConsumers(rewriter, plan, loops, refusal)))
    return failure();
  if (llvm::any_of(plan.consumers, [](const PlannedConsumer &consumer) {
        return consumer.depth > 0;
      }))
    for (auto [replacement, result] :
         llvm::zip(replacements, loops.front()->getResults()))
      replacement = result.use_empty() ? Value() : Value(result);
  // Everything in the loops is new; what is dead there was left by tiling.
  (void)runRegionDCE(rewriter, loops.front()->getRegions());
  return TileAndFuseResult{root, loops, replacements};
}

//===----------------------------------------------------------------------===//
// Rehearsing
//===----------------------------------------------------------------------===//

/// Builds the derivatives. What follows the root is as it was planned.
static FailureOr<CompletePlan> completePlan(RewriterBase &rewriter,
                                            const FusionPlan &plan,
                                            std::string &reason) {
  FailureOr<CompletePlan> complete = buildDerivatives(rewriter, plan, reason);
  if (succeeded(complete))
    complete->plan.consumers = plan.consumers;
  return complete;
}

/// Carries the plan out on a copy.
static LogicalResult rehearse(const FusionPlan &plan,
                              std::optional<ConsumerRefusal> &refusal,
                              std::string &reason) {
  Operation *scope =
      plan.root->getParentWithTrait<OpTrait::IsIsolatedFromAbove>();
  if (!scope) {
    reason = "expected the root to lie in an op that is isolated from above";
    return failure();
  }
  OwningOpRef<ModuleOp> holder = ModuleOp::create(scope->getLoc());
  Operation *copy = scope->cloneWithoutRegions();
  holder->push_back(copy);
  Block &block = copy->getRegion(0).emplaceBlock();
  IRMapping mapping;
  copyForRehearsal(plan, block, mapping);
  FusionPlan mapped = mapPlan(plan, mapping);
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler handler(scope->getContext(), [&](Diagnostic &diag) {
    if (llvm::get_threadid() != thread)
      return failure();
    if (reason.empty() && diag.getSeverity() == DiagnosticSeverity::Error)
      reason = diag.str();
    return success();
  });
  IRRewriter rewriter(scope->getContext());
  FailureOr<CompletePlan> complete = completePlan(rewriter, mapped, reason);
  // What is inside the copy is verified, not the copy, which is none.
  bool applied = false;
  if (succeeded(complete)) {
    Applier applier(rewriter, *complete);
    applied = succeeded(applier.run());
    refusal = applier.refusal;
  }
  if (applied && llvm::all_of(block, [](Operation &op) {
        return succeeded(verify(&op, /*verifyRecursively=*/true));
      }))
    return success();
  if (reason.empty())
    reason = "the levels cannot be tiled as planned";
  return failure();
}

FailureOr<FusionPlan>
mlir::linalg_ext::rehearseFusionPlan(const FusionPlan &plan,
                                     std::string &reason) {
  FusionPlan accepted = plan;
  while (true) {
    reason.clear();
    std::optional<ConsumerRefusal> refusal;
    if (succeeded(rehearse(accepted, refusal, reason)))
      return accepted;
    if (refusal) {
      restrictConsumers(accepted, *refusal);
      continue;
    }
    // Accumulations whose derivatives are not known may stay outside.
    if (accepted.needsDerivatives) {
      std::string whyNot = reason;
      FailureOr<FusionPlan> uncut = planWithCompanions(
          plan.root, plan.options, Companions(), whyNot, reason);
      if (failed(uncut))
        return failure();
      accepted = *uncut;
      continue;
    }
    // What follows the root may also stay where it is.
    if (!leaveConsumers(accepted, reason))
      return failure();
  }
}

FailureOr<TileAndFuseResult>
mlir::linalg_ext::applyFusionPlan(RewriterBase &rewriter,
                                  const FusionPlan &plan, std::string &reason) {
  FailureOr<FusionPlan> accepted = rehearseFusionPlan(plan, reason);
  if (failed(accepted))
    return failure();
  emitFusionRemarks(*accepted);
  OpBuilder::InsertionGuard guard(rewriter);
  FailureOr<CompletePlan> complete = completePlan(rewriter, *accepted, reason);
  if (failed(complete))
    return failure();
  return Applier(rewriter, *complete).run();
}
