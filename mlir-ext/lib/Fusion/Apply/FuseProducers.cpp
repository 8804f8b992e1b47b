//===- FuseProducers.cpp - Fuses producers and siblings -------------------===//
//
// See FuseProducers.h. A producer is fused in one of four ways: tile by tile;
// as an accumulation, which adds one tile in every iteration; as a sibling,
// whose tile is derived from that of the root; or whole.
//
//===----------------------------------------------------------------------===//

#include "FuseProducers.h"
#include "ProducerTiles.h"
#include "SiblingTiles.h"

#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// A tile of a producer, and the value that replaces the slice it was made for.
struct FusedTile {
  Operation *op = nullptr;
  Value value;
};

/// A slice of a result of a producer, and the number of the result.
using TakenSlice = std::pair<tensor::ExtractSliceOp, unsigned>;

/// The tile that was made for a slice of a result.
struct ProducerTile {
  FusedTile fused;
  tensor::ExtractSliceOp slice;
  unsigned resultNumber;
};

class ProducerFuser {
public:
  ProducerFuser(TiledOps &ops, unsigned index)
      : ops(ops), rewriter(ops.rewriter), plan(ops.plan), index(index),
        level(plan.levels[index]) {}

  LogicalResult run();

private:
  FailureOr<FusedTile> fuseTile(const PlannedProducer &producer,
                                Operation *untiled,
                                tensor::ExtractSliceOp slice,
                                unsigned resultNumber);
  void yieldResults(const PlannedProducer &producer, Operation *untiled,
                    unsigned firstYielded);
  bool isFollowing(tensor::ExtractSliceOp slice) const;
  void startFromDestination(tensor::ExtractSliceOp slice, Operation *untiled,
                            unsigned resultNumber);
  /// Returns the slices that the loop takes of results of `untiled`, and that a
  /// tile must replace.
  SmallVector<TakenSlice> findSlices(const PlannedProducer &producer,
                                     Operation *untiled);
  /// Returns, for each result, whether all of its users share the tile of the
  /// root.
  llvm::SmallBitVector findShared(const PlannedProducer &producer,
                                  Operation *untiled,
                                  ArrayRef<TakenSlice> slices) const;
  /// Returns the value that one of `tiles` already has for `taken`, or null.
  Value findSameTile(const PlannedProducer &producer, Operation *untiled,
                     ArrayRef<ProducerTile> tiles, const TakenSlice &taken,
                     bool isShared);
  bool followsState(OpOperand &use) const;
  /// Fuses a producer tile by tile. Slices of the same tile are one tile.
  LogicalResult fuseTiles(const PlannedProducer &producer, Operation *untiled,
                          bool isOther, bool mustFuse);
  Operation *getFirstInLoop(ArrayRef<OpOperand *> uses);
  void replaceUsesInLoop(ArrayRef<OpOperand *> uses, Operation *by);
  void findTiles();
  LogicalResult fuseSibling(const PlannedProducer &producer);
  LogicalResult fuseAccumulation(const PlannedProducer &producer);
  void fuseWhole(const PlannedProducer &producer);

  TiledOps &ops;
  RewriterBase &rewriter;
  const FusionPlan &plan;
  /// The number of the level, and the level.
  unsigned index;
  const PlannedLevel &level;
  /// For each dimension of the root that the level cuts, the offset and the
  /// size of the tile; null if no operand of the root shows them.
  SmallVector<std::pair<OpFoldResult, OpFoldResult>> tiles;
  /// Values whose tiles the root and siblings share.
  DenseSet<Value> sharedValues;
};
} // namespace

static bool hasOneIteration(LoopLikeOpInterface loop) {
  std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds(),
                                           upper = loop.getLoopUpperBounds(),
                                           steps = loop.getLoopSteps();
  if (!lower || !upper || !steps)
    return false;
  return llvm::all_of(
      llvm::zip_equal(*lower, *upper, *steps), [](const auto &range) {
        auto [from, to, step] = range;
        std::optional<APInt> count = constantTripCount(
            from, to, step, /*isSigned=*/true, scf::computeUbMinusLb);
        return count && count->isOne();
      });
}

/// Fuses `untiled`, the producer of `slice`. Returns its tile. The tile has no
/// op if the producer cannot be tiled.
FailureOr<FusedTile> ProducerFuser::fuseTile(const PlannedProducer &producer,
                                             Operation *untiled,
                                             tensor::ExtractSliceOp slice,
                                             unsigned resultNumber) {
  MutableArrayRef<LoopLikeOpInterface> nest(ops.loop);
  std::optional<scf::SCFFuseProducerOfSliceResult> fused =
      tileKeptDims(rewriter, untiled, resultNumber, slice);
  if (!fused)
    fused = scf::tileAndFuseProducerOfSlice(rewriter, slice, nest);
  ops.orphans.insert(slice);
  if (!fused)
    return FusedTile();
  Operation *tiled = fused->tiledOps.front();
  shrinkEmptyTensors(rewriter, tiled, ops.orphans);
  ops.orphans.insert(untiled);
  ops.orphans.insert_range(fused->generatedSlices);
  FusedTile tile{tiled, fused->tiledAndFusedProducer};
  for (Operation *part = tile.value.getDefiningOp();
       isa_and_nonnull<tensor::ExtractSliceOp, tensor::CastOp>(part) &&
       part != tiled;
       part = part->getOperand(0).getDefiningOp())
    ops.addPart(part, producer.op);
  if (producer.yieldedResults.empty())
    return tile;

  // The op that initialises a state must not be fused through slices of it.
  if (plan.isStateDependent(producer.op))
    for (unsigned number : producer.yieldedResults)
      if (Operation *init = cast<DestinationStyleOpInterface>(tiled)
                                .getDpsInitOperand(number)
                                ->get()
                                .getDefiningOp())
        ops.stateSlices.insert(init);
  unsigned firstYielded = ops.loop->getNumResults();
  if (failed(scf::yieldReplacementForFusedProducer(
          rewriter, slice, *fused, nest, producer.yieldedResults)))
    return failure();
  ops.loop = nest.front();
  yieldResults(producer, untiled, firstYielded);
  return tile;
}

/// Records that the loop yields results of `producer`, from its result
/// `firstYielded` on. Later users of the producer read those.
void ProducerFuser::yieldResults(const PlannedProducer &producer,
                                 Operation *untiled, unsigned firstYielded) {
  Operation *original = ops.copiedFrom.lookup(untiled);
  SmallVector<unsigned> &state = ops.stateOfLoop[producer.op];
  state.clear();
  for (auto [index, number] : llvm::enumerate(producer.yieldedResults)) {
    state.push_back(firstYielded + index);
    Value yielded = ops.loop->getResult(firstYielded + index);
    replaceUsesFrom(rewriter, ops.loop->getNextNode(),
                    untiled->getResult(number), yielded);
    if (original)
      replaceUsesFrom(rewriter, ops.loop->getNextNode(),
                      original->getResult(number), yielded);
  }
}

/// Returns whether only reindexed siblings read `slice`.
bool ProducerFuser::isFollowing(tensor::ExtractSliceOp slice) const {
  return llvm::all_of(slice->getUsers(), [&](Operation *user) {
    Operation *planned = ops.getPlanned(user);
    const PlannedProducer *producer = planned ? level.lookup(planned) : nullptr;
    return producer && producer->follows;
  });
}

/// If `slice` is a tile of an init of the loop, and that init is a result of
/// `untiled`, lets the loop start from the destination of the result. The loop
/// then computes the tile. Upstream's tileAndFuseProducerOfSlice does the same.
void ProducerFuser::startFromDestination(tensor::ExtractSliceOp slice,
                                         Operation *untiled,
                                         unsigned resultNumber) {
  auto arg = dyn_cast<BlockArgument>(slice.getSource());
  auto dps = dyn_cast<DestinationStyleOpInterface>(untiled);
  OpOperand *init = arg ? ops.loop.getTiedLoopInit(arg) : nullptr;
  if (init && dps)
    rewriter.modifyOpInPlace(init->getOwner(), [&] {
      init->set(dps.getDpsInitOperand(resultNumber)->get());
    });
}

SmallVector<TakenSlice>
ProducerFuser::findSlices(const PlannedProducer &producer, Operation *untiled) {
  auto iterators = cast<TilingInterface>(ops.root).getLoopIteratorTypes();
  bool cutsReduction = llvm::any_of(level.dims.set_bits(), [&](unsigned dim) {
    return iterators[dim] == utils::IteratorType::reduction;
  });
  SmallVector<TakenSlice> slices, invariant;
  ops.loop.getLoopRegions().front()->walk([&](tensor::ExtractSliceOp slice) {
    auto [source, isInit] = getSlicedProducer(slice, ops.loop);
    if (!source || source.getOwner() != untiled || slice->use_empty() ||
        ops.stateSlices.contains(slice) || (isInit && cutsReduction))
      return;
    unsigned number = source.getResultNumber();
    if (!isInvariant(slice, ops.loop))
      slices.push_back({slice, number});
    else if (!producer.partial ||
             !llvm::is_contained(producer.yieldedResults, number))
      invariant.push_back({slice, number});
  });
  // A slice that does not depend on the loop is fused in two cases:
  // - The loop has one iteration, so its tile is the whole. After a reshape the
  //   slice does not show where the tile starts. Inner loops may cut it
  //   further.
  // - The producer depends on a state, so it must be in the loop. This does not
  //   hold for an op that updates a state which an enclosing loop carries.
  bool isCarried = index > plan.firstLevel && !producer.partial &&
                   !producer.yieldedResults.empty();
  if (slices.empty() && !isCarried &&
      (plan.isStateDependent(producer.op) || hasOneIteration(ops.loop)))
    slices = invariant;

  for (auto &[slice, number] : slices) {
    ops.orphans.insert(slice);
    slice =
        nameWholeSizes(rewriter, slice, untiled->getResult(number), ops.loop);
  }
  return slices;
}

/// Returns the offsets of `slice`. In a dimension of size 1, the offset is 0
/// whatever its expression is.
static SmallVector<OpFoldResult> getStart(tensor::ExtractSliceOp slice) {
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
  for (auto [offset, size] :
       llvm::zip_equal(offsets, slice.getSourceType().getShape()))
    if (size == 1)
      offset = Builder(slice.getContext()).getIndexAttr(0);
  return offsets;
}

static bool isSameTile(tensor::ExtractSliceOp lhs, tensor::ExtractSliceOp rhs) {
  return isEquivalent(getStart(lhs), getStart(rhs)) &&
         isEquivalent(lhs.getMixedSizes(), rhs.getMixedSizes());
}

llvm::SmallBitVector
ProducerFuser::findShared(const PlannedProducer &producer, Operation *untiled,
                          ArrayRef<TakenSlice> slices) const {
  llvm::SmallBitVector isShared(untiled->getNumResults());
  for (unsigned number = 0; number < isShared.size(); ++number) {
    tensor::ExtractSliceOp first;
    isShared[number] = producer.shared &&
                       sharedValues.contains(untiled->getResult(number)) &&
                       llvm::all_of(slices, [&](const TakenSlice &pair) {
                         auto [slice, other] = pair;
                         if (other != number || isFollowing(slice))
                           return true;
                         if (!first)
                           first = slice;
                         return isSameTile(first, slice);
                       });
  }
  return isShared;
}

Value ProducerFuser::findSameTile(const PlannedProducer &producer,
                                  Operation *untiled,
                                  ArrayRef<ProducerTile> tiles,
                                  const TakenSlice &taken, bool isShared) {
  auto [slice, number] = taken;
  auto tileable = cast<TilingInterface>(untiled);
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
  Value same;
  for (ProducerTile tile : tiles) {
    if (tile.resultNumber == number) {
      if (tile.slice.getType() == slice.getType() &&
          isSameTile(tile.slice, slice))
        same = tile.fused.value;
      else if (isShared)
        same = tile.fused.value;
      if (same && same.getType() != slice.getType()) {
        same = tensor::CastOp::create(rewriter, slice.getLoc(), slice.getType(),
                                      same);
        ops.addPart(same.getDefiningOp(), producer.op);
      }
      continue;
    }
    std::optional<Domain> lhs = getDomain(tile.slice, tile.resultNumber);
    std::optional<Domain> rhs = getDomain(slice, number);
    if (lhs && rhs && isEquivalent(lhs->first, rhs->first) &&
        isEquivalent(lhs->second, rhs->second) &&
        tile.fused.op->getResult(number).getType() == slice.getType())
      same = tile.fused.op->getResult(number);
  }
  return same;
}

bool ProducerFuser::followsState(OpOperand &use) const {
  Operation *op = use.getOwner();
  Operation *planned = op == ops.root ? plan.root : ops.getPlanned(op);
  return planned &&
         plan.isStateDependentOperand(planned, use.getOperandNumber());
}

LogicalResult ProducerFuser::fuseTiles(const PlannedProducer &producer,
                                       Operation *untiled, bool isOther,
                                       bool mustFuse) {
  // 1. Find the slices that the loop takes.
  SmallVector<TakenSlice> slices = findSlices(producer, untiled);
  // 2. Make a tile for each slice, unless an earlier tile has the value.
  // (Slices stay until the level is done.) Siblings take the tile of the root.
  // Their slice may look different after reshapes, but then the root has a
  // tile.
  llvm::SmallBitVector isShared = findShared(producer, untiled, slices);
  bool followed = false;
  SmallVector<ProducerTile> tiles;
  for (auto &[slice, number] : slices) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(slice);
    Value same = findSameTile(producer, untiled, tiles, {slice, number},
                              isShared[number]);
    if (same) {
      startFromDestination(slice, untiled, number);
      rewriter.replaceAllUsesWith(slice.getResult(), same);
      ops.orphans.insert(slice);
      continue;
    }
    FailureOr<FusedTile> fused = fuseTile(producer, untiled, slice, number);
    if (failed(fused))
      return failure();
    if (!fused->op) {
      // A producer without state may stay where it is.
      if (mustFuse || !producer.yieldedResults.empty())
        return failure();
      continue;
    }
    // Two tiles of a state would be two states. This also holds if an inner
    // level is the first that carries the state, unless other ops need only its
    // last value.
    bool follows = index < plan.firstLevel &&
                   llvm::any_of(fused->value.getUses(), [&](OpOperand &use) {
                     return followsState(use);
                   });
    if ((mustFuse || producer.shared || (follows && followed)) &&
        !tiles.empty())
      return ops.refusal.set(
          RefusalKind::ReshapedTile, untiled,
          "not all tiles of " + nameOf(untiled) +
              " that one iteration takes are known to be the same");
    followed |= follows;
    tiles.push_back({*fused, slice, number});
  }
  // Inner levels also cut the tiles of an op without state that this one
  // leaves.
  bool hasOthers = !producer.shared && !producer.partial && !mustFuse &&
                   producer.yieldedResults.empty() &&
                   !plan.isStateDependent(producer.op);
  if (tiles.empty()) {
    if (isOther)
      ops.addOther(producer.op, untiled);
    return success(!mustFuse);
  }
  Operation *tiled = tiles.front().fused.op;
  if (isOther)
    ops.addOther(producer.op, tiled);
  else
    ops.setCurrent(producer.op, tiled);
  if (hasOthers)
    for (const ProducerTile &tile : llvm::drop_begin(tiles))
      ops.addOther(producer.op, tile.fused.op);
  // If the result is not cut, uses in the loop read the value of the current
  // iteration.
  if (mustFuse)
    for (OpOperand *use : ops.getUsesInLoop(untiled))
      if (!isa<tensor::DimOp>(use->getOwner()))
        replaceUsesInLoop(use, tiled);
  return success();
}

/// Returns the first op in the body of the loop that contains one of `uses`.
Operation *ProducerFuser::getFirstInLoop(ArrayRef<OpOperand *> uses) {
  Block &body = ops.loop.getLoopRegions().front()->front();
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
void ProducerFuser::replaceUsesInLoop(ArrayRef<OpOperand *> uses,
                                      Operation *by) {
  for (OpOperand *use : uses) {
    Operation *owner = use->getOwner();
    Value result = by->getResult(cast<OpResult>(use->get()).getResultNumber());
    auto slice = dyn_cast<tensor::ExtractSliceOp>(owner);
    if (slice && slice.getType() == result.getType()) {
      rewriter.replaceAllUsesWith(slice.getResult(), result);
      ops.orphans.insert(slice);
    } else if (owner != by) {
      rewriter.modifyOpInPlace(owner, [&] { use->set(result); });
    }
  }
}

/// Finds, for each dimension that the loop cuts, the offset and the size of the
/// tile, from the operands of the root.
void ProducerFuser::findTiles() {
  tiles.assign(level.dims.size(), {});
  auto maps = cast<IndexingMapOpInterface>(ops.root);
  for (OpOperand &operand : ops.root->getOpOperands()) {
    auto slice = operand.get().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || slice.getType().getRank() != slice.getSourceType().getRank())
      continue;
    AffineMap map = maps.getMatchingIndexingMap(&operand);
    for (unsigned dim : level.dims.set_bits()) {
      std::optional<unsigned> position =
          map.getResultPosition(getAffineDimExpr(dim, ops.root->getContext()));
      if (position && !tiles[dim].second)
        tiles[dim] = {slice.getMixedOffsets()[*position],
                      slice.getMixedSizes()[*position]};
    }
  }
}

/// Fuses a sibling whose parallel dimensions the level cuts. Its tile is the
/// one that both it and the root accumulate.
LogicalResult ProducerFuser::fuseSibling(const PlannedProducer &producer) {
  const PlannedSibling *sibling = plan.lookupSibling(producer.op);
  Operation *untiled = ops.getCurrent(producer.op);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(ops.root);
  FailureOr<SiblingTile> found =
      findSiblingTile(rewriter, ops.root, ops.loop, untiled, ops.refusal);
  if (failed(found))
    return failure();
  for (auto [dim, set] : llvm::enumerate(sibling->cutBy))
    if (set.anyCommon(level.dims) && !found->known.test(dim))
      return ops.refusal.set(RefusalKind::Other, untiled,
                             "where it is cut along dimension " + Twine(dim) +
                                 " is not known");
  if (producer.follows)
    sharedValues.insert_range(found->shared);
  SmallVector<OpFoldResult> offsets, sizes, resultOffsets, resultSizes;
  for (auto [dim, range] : llvm::enumerate(
           cast<TilingInterface>(untiled).getIterationDomain(rewriter))) {
    bool isCut = sibling->cutBy[dim].anyCommon(level.dims);
    offsets.push_back(isCut ? found->offsets[dim] : range.offset);
    sizes.push_back(isCut ? found->sizes[dim] : range.size);
  }
  unsigned number =
      cast<RepairableOpInterface>(untiled).getAccumulation()->resultNumber;
  AffineMap map = cast<IndexingMapOpInterface>(untiled).getMatchingIndexingMap(
      cast<DestinationStyleOpInterface>(untiled).getDpsInitOperand(number));
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr); // else a dimension that is kept
    resultOffsets.push_back(dim ? offsets[dim.getPosition()]
                                : OpFoldResult(rewriter.getIndexAttr(0)));
    resultSizes.push_back(dim ? sizes[dim.getPosition()]
                              : OpFoldResult(rewriter.getIndexAttr(1)));
  }
  auto slice = tensor::ExtractSliceOp::create(
      rewriter, untiled->getLoc(), untiled->getResult(number), resultOffsets,
      resultSizes,
      SmallVector<OpFoldResult>(resultSizes.size(), rewriter.getIndexAttr(1)));
  FailureOr<FusedTile> tile =
      fuseTile(producer, ops.getCurrent(producer.op), slice, number);
  if (failed(tile) || !tile->op)
    return failure();
  ops.setCurrent(producer.op, tile->op);
  return success();
}

/// Fuses an accumulation over the dimension that the loop cuts. It adds one
/// tile in every iteration, and the loop carries the accumulator.
LogicalResult ProducerFuser::fuseAccumulation(const PlannedProducer &producer) {
  Operation *untiled = ops.getCurrent(producer.op);
  auto tileable = cast<TilingInterface>(untiled);
  SmallVector<OpOperand *> uses = ops.getUsesInLoop(untiled);
  std::optional<SmallVector<Value>> ivs = ops.loop.getLoopInductionVars();
  OpFoldResult tileSize = tiles[level.dims.find_first()].second;
  bool isSibling = plan.lookupSibling(producer.op);
  if (uses.empty() != isSibling || !tileSize || !ivs || ivs->size() != 1)
    return failure();

  // 1. Build the tile.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(isSibling ? ops.root : getFirstInLoop(uses));
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
  ops.orphans.insert_range(tiling->generatedSlices);
  ops.orphans.insert(untiled);
  if (tiled->getResultTypes() != untiled->getResultTypes())
    return failure();
  replaceUsesInLoop(uses, tiled);
  ops.setCurrent(producer.op, tiled);

  // 2. Carry its state.
  auto dps = cast<DestinationStyleOpInterface>(tiled);
  SmallVector<Value> initial =
      cast<DestinationStyleOpInterface>(untiled).getDpsInits();
  unsigned firstYielded = ops.loop->getNumResults();
  FailureOr<LoopLikeOpInterface> carrying =
      ops.loop.replaceWithAdditionalYields(
          rewriter, initial, /*replaceInitOperandUsesInLoop=*/false,
          [&](OpBuilder &, Location, ArrayRef<BlockArgument> args) {
            rewriter.modifyOpInPlace(tiled, [&] {
              for (auto [init, arg] :
                   llvm::zip_equal(dps.getDpsInitsMutable(),
                                   args.take_back(initial.size())))
                init.set(arg);
            });
            return llvm::to_vector_of<Value>(tiled->getResults());
          });
  if (failed(carrying))
    return failure();
  ops.loop = *carrying;
  yieldResults(producer, untiled, firstYielded);
  return success();
}

/// Fuses a producer that the level does not cut.
void ProducerFuser::fuseWhole(const PlannedProducer &producer) {
  Operation *untiled = ops.getCurrent(producer.op);
  SmallVector<OpOperand *> uses = ops.getUsesInLoop(untiled);
  if (uses.empty())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(getFirstInLoop(uses));
  Operation *copy = rewriter.clone(*untiled);
  replaceUsesInLoop(uses, copy);
  ops.orphans.insert(untiled);
  ops.setCurrent(producer.op, copy);
}

LogicalResult ProducerFuser::run() {
  bool carries = !plan.states.empty() && index >= plan.firstLevel &&
                 index <= plan.lastLevel;
  findTiles();
  for (const PlannedProducer &producer : level.producers) {
    if (!producer.fused)
      continue;
    ops.step = ("fusing " + nameOf(ops.getCurrent(producer.op)) +
                " into level " + Twine(index))
                   .str();
    ops.tileParts(ops.getCurrent(producer.op));
    if (producer.whole) {
      fuseWhole(producer);
      continue;
    }
    if (plan.lookupSibling(producer.op) && !producer.partial) {
      if (failed(fuseSibling(producer)))
        return failure();
      continue;
    }
    bool isAccumulation = producer.partial && !isa<OnlineReductionOpInterface>(
                                                  ops.getCurrent(producer.op));
    if (isAccumulation) {
      if (failed(fuseAccumulation(producer)))
        return failure();
      continue;
    }
    SmallVector<Operation *> others = ops.takeOthers(producer.op);
    if (failed(fuseTiles(producer, ops.getCurrent(producer.op),
                         /*isOther=*/false,
                         carries && plan.isStateDependent(producer.op))))
      return failure();
    for (Operation *other : others) {
      ops.tileParts(other);
      if (failed(fuseTiles(producer, other, /*isOther=*/true,
                           /*mustFuse=*/false)))
        return failure();
    }
  }
  return success();
}

LogicalResult mlir::linalg_ext::fuseProducers(TiledOps &ops, unsigned index) {
  return ProducerFuser(ops, index).run();
}
