//===- TileAndFuse.cpp - Applies a FusionPlan -----------------------------===//
//
// For each level of the plan:
// 1. tile the root with upstream's tileUsingSCF;
// 2. fuse the siblings and the planned producers, from the root backwards, and
//    yield the results that the plan lists; make the loop parallel if the level
//    is a split;
// 3. at the first level that carries states, finish the accumulators after the
//    loop; at the last such level, repair them in the loop (ApplyRepairs.cpp).
//
// Then fuse the consumers. A dry run does all this on a copy first.
//
//===----------------------------------------------------------------------===//

#include "FuseConsumers.h"
#include "PlanApplier.h"
#include "ProducerTiles.h"
#include "SiblingTiles.h"
#include "SplitReduction.h"
#include "mlir-ext/Fusion/Apply/DryRunCopy.h"
#include "mlir-ext/Fusion/Apply/PolynomialRepair.h"
#include "mlir-ext/Fusion/Plan/FollowRoot.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"
#include "mlir-ext/Fusion/Plan/PlanSiblings.h"
#include "mlir-ext/Fusion/Plan/RepairAnalysis.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Fusion/Plan/FusionRemarks.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

void mlir::linalg_ext::replaceUsesFrom(RewriterBase &rewriter, Operation *first,
                                       Value from, Value to) {
  rewriter.replaceUsesWithIf(from, to, [&](OpOperand &use) {
    Operation *user = first->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return !user || user == first || first->isBeforeInBlock(user);
  });
}

//===----------------------------------------------------------------------===//
// Before the loops
//===----------------------------------------------------------------------===//

/// Why the loops have no tile of `op`, if that can be told.
static std::string explainMissingTile(Operation *op) {
  if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return isReshapeOrSlice(op) ? ": tiles of a slice are not fused" : "";
  for (Operation *user : op->getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice)
      continue;
    SmallVector<int64_t> sizes;
    for (OpFoldResult size : slice.getMixedSizes()) {
      FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
          presburger::BoundType::UB, size, /*stopCondition=*/nullptr,
          /*closedUB=*/true);
      sizes.push_back(succeeded(bound) ? *bound : ShapedType::kDynamic);
    }
    std::string why = explainRefusedTiles(op, sizes);
    if (!why.empty())
      return ": " + why;
  }
  return ": its tiles are not known to be tiles of what it reshapes";
}

/// What follows the states is copied, for the root to take its state-dependent
/// operands from: the originals stay for other users, who need final values.
LogicalResult PlanApplier::copyStateDependentOps() {
  // 1. Enclosing levels may have made several tiles of one op: the ones meant
  // are those the root and its siblings use. Or they made none, where the plan
  // could not foresee that an op refuses a tile.
  DenseMap<Operation *, Operation *> originals;
  SmallVector<Operation *> worklist{root};
  for (const PlannedSibling &sibling : plan.siblings)
    if (sibling.isFused())
      originals[sibling.op] = worklist.emplace_back(getCurrent(sibling.op));
  while (!worklist.empty())
    for (Value operand : worklist.pop_back_val()->getOperands()) {
      Operation *op = lookThroughParts(operand);
      Operation *planned = op ? getPlanned(op) : nullptr;
      if (!planned || !plan.isStateDependent(planned))
        continue;
      auto [it, isNew] = originals.try_emplace(planned, op);
      if (it->second != op || op->getBlock() != root->getBlock())
        return failure();
      if (isNew)
        worklist.push_back(op);
    }

  for (Operation *planned : llvm::reverse(plan.stateDependent))
    if (Operation *op = getCurrent(planned); !originals.contains(planned))
      return refusal.set(
          isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)
              ? RefusalKind::ReshapedTile
              : RefusalKind::Other,
          op,
          "the levels around the loop that carries the state do not compute " +
              nameOf(op) + " tile by tile" + explainMissingTile(op));

  // 2. Copy.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(root);
  IRMapping mapping;
  SmallVector<Operation *> states;
  for (Operation *planned : plan.stateDependent) {
    Operation *original = originals.lookup(planned);
    Operation *copy = rewriter.clone(*original, mapping);
    // What it reads other than tile by tile is final.
    for (auto [index, operand] : llvm::enumerate(original->getOperands()))
      if (!plan.isStateDependentOperand(planned, index))
        copy->setOperand(index, operand);
    setCurrent(planned, copy);
    copiedFrom[copy] = original;
    orphans.insert(original);
    copyParts(original, copy, mapping);
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
      if (plan.isStateDependentOperand(plan.root, operand.getOperandNumber()))
        operand.set(mapping.lookupOrDefault(operand.get()));
  });
  moveUsersAfterRoot(rewriter, root, getCurrentSiblings(), states);
  return findFactors();
}

//===----------------------------------------------------------------------===//
// Tiling and fusing
//===----------------------------------------------------------------------===//

LogicalResult PlanApplier::tileRoot(const PlannedLevel &level) {
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

/// Fuses the producer behind `slice`. Returns its tile, of no op if it refuses
/// one.
FailureOr<PlanApplier::FusedTile>
PlanApplier::fuseTile(const PlannedProducer &producer,
                      tensor::ExtractSliceOp slice, unsigned resultNumber) {
  Operation *untiled = getCurrent(producer.op);
  MutableArrayRef<LoopLikeOpInterface> nest(loop);
  std::optional<scf::SCFFuseProducerOfSliceResult> fused =
      tileKeptDims(rewriter, untiled, resultNumber, slice);
  if (!fused)
    fused = scf::tileAndFuseProducerOfSlice(rewriter, slice, nest);
  orphans.insert(slice);
  if (!fused)
    return FusedTile();
  Operation *tiled = fused->tiledOps.front();
  shrinkEmptyTensors(rewriter, tiled, orphans);
  orphans.insert(untiled);
  orphans.insert_range(fused->generatedSlices);
  FusedTile tile{tiled, fused->tiledAndFusedProducer};
  for (Operation *part = tile.value.getDefiningOp();
       isa_and_nonnull<tensor::ExtractSliceOp, tensor::CastOp>(part) &&
       part != tiled;
       part = part->getOperand(0).getDefiningOp())
    addPart(part, producer.op);
  if (producer.yieldedResults.empty())
    return tile;

  // Slices of a state are no way to fuse what initialises it.
  if (plan.isStateDependent(producer.op))
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
  return tile;
}

/// The loop yields results of `producer`, from its result `firstYielded` on:
/// whoever comes after it takes them.
void PlanApplier::yieldResults(const PlannedProducer &producer,
                               Operation *untiled, unsigned firstYielded) {
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

/// Returns whether only reindexed siblings read `slice`.
bool PlanApplier::isFollowing(tensor::ExtractSliceOp slice) const {
  const PlannedLevel &level = plan.levels[loops.size()];
  return llvm::all_of(slice->getUsers(), [&](Operation *user) {
    Operation *planned = getPlanned(user);
    const PlannedProducer *producer = planned ? level.lookup(planned) : nullptr;
    return producer && producer->follows;
  });
}

/// Fuses a producer tile by tile. Slices of the same tile are one tile.
LogicalResult PlanApplier::fuseTiles(const PlannedProducer &producer,
                                     bool mustFuse) {
  auto iterators = cast<TilingInterface>(root).getLoopIteratorTypes();
  const PlannedLevel &level = plan.levels[loops.size()];
  bool cutsReduction = llvm::any_of(level.dims.set_bits(), [&](unsigned dim) {
    return iterators[dim] == utils::IteratorType::reduction;
  });
  Operation *untiled = getCurrent(producer.op);
  auto tileable = cast<TilingInterface>(untiled);

  // 1. The slices of it that the loop takes.
  SmallVector<std::pair<tensor::ExtractSliceOp, unsigned>> slices, invariant;
  loop.getLoopRegions().front()->walk([&](tensor::ExtractSliceOp slice) {
    auto [source, isInit] = getSlicedProducer(slice, loop);
    if (!source || source.getOwner() != untiled || slice->use_empty() ||
        stateSlices.contains(slice) || (isInit && cutsReduction))
      return;
    unsigned number = source.getResultNumber();
    if (!isInvariant(slice, loop))
      slices.push_back({slice, number});
    else if (!producer.partial ||
             !llvm::is_contained(producer.yieldedResults, number))
      invariant.push_back({slice, number});
  });
  // The tile of a loop of one iteration is the whole, and behind a reshape it
  // does not say where that starts. It is computed there all the same: loops
  // within may cut it. What follows a state is to be in any loop. (Not what
  // updates it, were an enclosing loop to carry it.)
  bool isCarried = loops.size() > plan.firstLevel && !producer.partial &&
                   !producer.yieldedResults.empty();
  if (slices.empty() && !isCarried &&
      (plan.isStateDependent(producer.op) || hasOneIteration(loop)))
    slices = invariant;

  for (auto &[slice, number] : slices) {
    orphans.insert(slice);
    slice = nameWholeSizes(rewriter, slice, untiled->getResult(number), loop);
  }

  // 2. A tile for each that no tile made before provides. (The slices of those
  // stay until the level is done.)
  struct Tile {
    FusedTile fused;
    tensor::ExtractSliceOp slice;
    unsigned resultNumber;
  };
  // Along a dimension of size 1 a tile starts at 0, whatever loop says where.
  auto getStart = [&](tensor::ExtractSliceOp slice) {
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
    for (auto [offset, size] :
         llvm::zip_equal(offsets, slice.getSourceType().getShape()))
      if (size == 1)
        offset = rewriter.getIndexAttr(0);
    return offsets;
  };
  auto isSameTile = [&](tensor::ExtractSliceOp lhs,
                        tensor::ExtractSliceOp rhs) {
    return isEquivalent(getStart(lhs), getStart(rhs)) &&
           isEquivalent(lhs.getMixedSizes(), rhs.getMixedSizes());
  };
  // Siblings take the tile of the root, though it may not be seen: it has come
  // to them and back through reshapes. The root has to have one, then.
  llvm::SmallBitVector isShared(untiled->getNumResults());
  for (unsigned number = 0; number < isShared.size(); ++number) {
    tensor::ExtractSliceOp first;
    isShared[number] = producer.shared &&
                       sharedValues.contains(untiled->getResult(number)) &&
                       llvm::all_of(slices, [&](auto &pair) {
                         auto [slice, other] = pair;
                         if (other != number || isFollowing(slice))
                           return true;
                         if (!first)
                           first = slice;
                         return isSameTile(first, slice);
                       });
  }
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
  auto followsState = [&](OpOperand &use) {
    Operation *op = use.getOwner();
    Operation *planned = op == root ? plan.root : getPlanned(op);
    return planned &&
           plan.isStateDependentOperand(planned, use.getOperandNumber());
  };
  bool followed = false;
  SmallVector<Tile> tiles;
  for (auto &[slice, number] : slices) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(slice);
    Value same;
    for (Tile &tile : tiles) {
      if (tile.resultNumber == number) {
        if (tile.slice.getType() == slice.getType() &&
            isSameTile(tile.slice, slice))
          same = tile.fused.value;
        else if (isShared[number])
          same = tile.fused.value;
        if (same && same.getType() != slice.getType()) {
          same = tensor::CastOp::create(rewriter, slice.getLoc(),
                                        slice.getType(), same);
          addPart(same.getDefiningOp(), producer.op);
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
    if (same) {
      rewriter.replaceAllUsesWith(slice.getResult(), same);
      orphans.insert(slice);
      continue;
    }
    FailureOr<FusedTile> fused = fuseTile(producer, slice, number);
    if (failed(fused))
      return failure();
    if (!fused->op) {
      // A producer without state may stay where it is.
      if (mustFuse || !producer.yieldedResults.empty())
        return failure();
      continue;
    }
    // Several tiles of a state would be several states, also where a level
    // within is the first that carries it; unless others need that one as it
    // is in the end.
    bool follows = loops.size() < plan.firstLevel &&
                   llvm::any_of(fused->value.getUses(), followsState);
    if ((mustFuse || producer.shared || (follows && followed)) &&
        !tiles.empty())
      return refusal.set(
          RefusalKind::ReshapedTile, untiled,
          "not all tiles of " + nameOf(untiled) +
              " that one iteration takes are known to be the same");
    followed |= follows;
    tiles.push_back({*fused, slice, number});
  }
  if (tiles.empty())
    return success(!mustFuse);
  Operation *tiled = tiles.front().fused.op;
  setCurrent(producer.op, tiled);
  // What is not cut of its state is read as it is now.
  if (mustFuse)
    for (OpOperand *use : getUsesInLoop(untiled))
      if (!isa<tensor::DimOp>(use->getOwner()))
        replaceUsesInLoop(use, tiled);
  return success();
}

/// Uses of results of `op`, or of whole slices of them, in the loop.
SmallVector<OpOperand *> PlanApplier::getUsesInLoop(Operation *op) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : op->getUses())
    if (loop->isProperAncestor(use.getOwner()))
      uses.push_back(&use);
  return uses;
}

/// The first op in the body of the loop that has one of `uses`.
Operation *PlanApplier::getFirstInLoop(ArrayRef<OpOperand *> uses) {
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
void PlanApplier::replaceUsesInLoop(ArrayRef<OpOperand *> uses, Operation *by) {
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

/// Finds the tile that the loop of `level` makes of each dimension that it
/// cuts, as the operands of the root have it.
void PlanApplier::findTiles(const PlannedLevel &level) {
  tiles.assign(level.dims.size(), {});
  auto maps = cast<IndexingMapOpInterface>(root);
  for (OpOperand &operand : root->getOpOperands()) {
    auto slice = operand.get().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || slice.getType().getRank() != slice.getSourceType().getRank())
      continue;
    AffineMap map = maps.getMatchingIndexingMap(&operand);
    for (unsigned dim : level.dims.set_bits()) {
      std::optional<unsigned> position =
          map.getResultPosition(getAffineDimExpr(dim, root->getContext()));
      if (position && !tiles[dim].second)
        tiles[dim] = {slice.getMixedOffsets()[*position],
                      slice.getMixedSizes()[*position]};
    }
  }
}

/// Fuses a sibling of which the level cuts parallel dimensions: where the tile
/// is that it and the root accumulate.
LogicalResult PlanApplier::fuseSibling(const PlannedProducer &producer) {
  const PlannedLevel &level = plan.levels[loops.size()];
  const PlannedSibling *sibling = plan.lookupSibling(producer.op);
  Operation *untiled = getCurrent(producer.op);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(root);
  FailureOr<SiblingTile> found =
      findSiblingTile(rewriter, root, loop, untiled, refusal);
  if (failed(found))
    return failure();
  for (auto [dim, set] : llvm::enumerate(sibling->cutBy))
    if (set.anyCommon(level.dims) && !found->known.test(dim))
      return refusal.set(RefusalKind::Other, untiled,
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
  FailureOr<FusedTile> tile = fuseTile(producer, slice, number);
  if (failed(tile) || !tile->op)
    return failure();
  setCurrent(producer.op, tile->op);
  return success();
}

/// Fuses an accumulation over the dimension that the loop cuts: it takes up one
/// tile in every iteration, and the loop carries what it has accumulated.
LogicalResult PlanApplier::fuseAccumulation(const PlannedProducer &producer) {
  Operation *untiled = getCurrent(producer.op);
  auto tileable = cast<TilingInterface>(untiled);
  SmallVector<OpOperand *> uses = getUsesInLoop(untiled);
  std::optional<SmallVector<Value>> ivs = loop.getLoopInductionVars();
  OpFoldResult tileSize =
      tiles[plan.levels[loops.size()].dims.find_first()].second;
  bool isSibling = plan.lookupSibling(producer.op);
  if (uses.empty() != isSibling || !tileSize || !ivs || ivs->size() != 1)
    return failure();

  // 1. Its tile.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(isSibling ? root : getFirstInLoop(uses));
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
void PlanApplier::fuseWhole(const PlannedProducer &producer) {
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

LogicalResult PlanApplier::fuseProducers(unsigned index) {
  const PlannedLevel &level = plan.levels[index];
  bool carries = !plan.states.empty() && index >= plan.firstLevel &&
                 index <= plan.lastLevel;
  findTiles(level);
  sharedValues.clear();
  for (const PlannedProducer &producer : level.producers) {
    if (!producer.fused)
      continue;
    step = ("fusing " + nameOf(getCurrent(producer.op)) + " into level " +
            Twine(index))
               .str();
    tileParts(getCurrent(producer.op));
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
                                                  getCurrent(producer.op));
    if (failed(isAccumulation
                   ? fuseAccumulation(producer)
                   : fuseTiles(producer,
                               carries && plan.isStateDependent(producer.op))))
      return failure();
  }
  return success();
}

PlanAccess PlanApplier::getAccess() {
  return {plan, [this](Operation *op) { return getCurrent(op); },
          [this](Value value, const auto &states, auto &rebuilt) {
            return rebuild(value, states, rebuilt);
          },
          [this](const auto &repair, const auto &factor) {
            return getOuterFactor(repair, factor);
          }};
}

/// Makes the loop of a split parallel.
LogicalResult PlanApplier::splitLoop(unsigned index) {
  PlanAccess access = getAccess();
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

/// Merges the parts of the loop, which are built once its body is complete.
FailureOr<LoopOfParts> PlanApplier::mergeParts(unsigned index) {
  PlanAccess access = getAccess();
  if (plan.states.empty())
    stateOfLoop.clear();
  SmallVector<CarriedValue> carried = getCarriedValues(access, stateOfLoop);
  return linalg_ext::mergeParts(
      rewriter, cast<scf::ForOp>(loop), plan.levels[index].level.parts, carried,
      [&](ValueRange lhs, ValueRange rhs) {
        return buildMerge(rewriter, root->getLoc(), access, carried, lhs, rhs);
      });
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

/// Erases what fusion left without uses, and what then loses its last use. A
/// `tensor.dim` of an untiled producer does not keep it alive.
void PlanApplier::eraseOrphans() {
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

LogicalResult PlanApplier::applyLevel(unsigned index) {
  bool hasStates = !plan.states.empty();
  auto begin = [&](StringRef what) {
    step = (what + " level " + Twine(index)).str();
  };
  begin("copying what follows the states of");
  if (hasStates && index == plan.firstLevel) {
    for (const PlannedRepair &repair : plan.repairs)
      if (plan.isRootOrSibling(repair.accumulator))
        prepareAccumulator(repair);
    if (failed(copyStateDependentOps()))
      return failure();
  }

  // 1. and 2. Tile the root, fuse its producers, split.
  stateOfLoop.clear();
  begin("tiling the root for");
  if (failed(tileRoot(plan.levels[index])) || failed(fuseProducers(index)))
    return failure();
  begin("splitting the reduction of");
  levelResults = llvm::to_vector_of<Value>(loop->getResults());
  levelEnd = loop;
  if (plan.levels[index].level.kind == LoopKind::Split &&
      failed(splitLoop(index)))
    return failure();
  FailureOr<LoopOfParts> parts = LoopOfParts();
  bool hasParts = plan.levels[index].level.parts > 1;
  if (hasParts && failed(parts = mergeParts(index)))
    return failure();
  if (index == 0 && replacements.empty())
    replacements.assign(levelResults.begin(),
                        levelResults.begin() + root->getNumResults());
  loops.push_back(loop);

  // 3. Repair the accumulators and finish what is not.
  begin("repairing the accumulators of");
  if (hasStates && index == plan.firstLevel && failed(finishAccumulators()))
    return failure();
  if (hasStates && index == plan.lastLevel && failed(repairAccumulators()))
    return failure();
  eraseOrphans();
  if (hasParts)
    buildLoopOfParts(rewriter, cast<scf::ForOp>(loop), *parts,
                     plan.levels[index].level.mapping);
  return success();
}

FailureOr<TileAndFuseResult> PlanApplier::run() {
  moveSiblingsBeforeRoot(rewriter, plan);
  SmallVector<Operation *> yielding;
  for (const PlannedProducer &producer : plan.levels.front().producers)
    if (!producer.yieldedResults.empty())
      yielding.push_back(producer.op);
  moveUsersAfterRoot(rewriter, root, getCurrentSiblings(), yielding);
  for (unsigned index = 0; index < plan.levels.size(); ++index)
    if (failed(applyLevel(index)))
      return failure();
  step = "fusing what follows the root";
  if (failed(fuseConsumers(rewriter, plan, loops, refusedConsumer)))
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
static FailureOr<CompletePlan>
completePlan(RewriterBase &rewriter, const FusionPlan &plan, Refusal &refusal) {
  FailureOr<CompletePlan> complete = buildDerivatives(rewriter, plan, refusal);
  if (succeeded(complete))
    complete->plan.consumers = plan.consumers;
  return complete;
}

/// Carries the plan out on a copy.
static LogicalResult dryRun(const FusionPlan &plan,
                            std::optional<RefusedConsumer> &refusedConsumer,
                            Refusal &refusal) {
  Operation *scope =
      plan.root->getParentWithTrait<OpTrait::IsIsolatedFromAbove>();
  if (!scope)
    return refusal.set(
        RefusalKind::Other, plan.root,
        "expected the root to lie in an op that is isolated from above");
  DryRun dryRun = makeDryRun(plan);
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler handler(scope->getContext(), [&](Diagnostic &diag) {
    if (llvm::get_threadid() != thread)
      return failure();
    if (!refusal.isSet() && diag.getSeverity() == DiagnosticSeverity::Error)
      (void)refusal.set(RefusalKind::Other, plan.root, diag.str());
    return success();
  });
  IRRewriter rewriter(scope->getContext());
  FailureOr<CompletePlan> complete =
      completePlan(rewriter, dryRun.plan, refusal);
  // What is inside the copy is verified, not the copy, which is none.
  bool applied = false;
  std::string step = "building derivatives";
  if (succeeded(complete)) {
    PlanApplier applier(rewriter, *complete, refusal);
    applied = succeeded(applier.run());
    refusedConsumer = applier.refusedConsumer;
    step = applied ? "what the levels make is invalid" : applier.step;
  }
  if (applied && llvm::all_of(*dryRun.block, [](Operation &op) {
        return succeeded(verify(&op, /*verifyRecursively=*/true));
      }))
    return success();
  if (!refusal.isSet())
    return refusal.set(RefusalKind::Other, plan.root,
                       "the levels cannot be tiled as planned: " + step);
  refusal.op = plan.root; // and not an op of the copy
  return failure();
}

FailureOr<FusionPlan> mlir::linalg_ext::dryRunFusionPlan(const FusionPlan &plan,
                                                         Refusal &refusal) {
  FusionPlan accepted = plan;
  while (true) {
    refusal.clear();
    std::optional<RefusedConsumer> refusedConsumer;
    if (succeeded(dryRun(accepted, refusedConsumer, refusal)))
      return accepted;
    if (refusedConsumer) {
      restrictConsumers(accepted, *refusedConsumer);
      continue;
    }
    // Siblings may have loops of their own.
    if (std::vector<PlannedSibling> apart = leaveSiblings(accepted, refusal);
        !apart.empty()) {
      FailureOr<FusionPlan> fewer = planWithoutSiblings(plan, apart, refusal);
      if (failed(fewer))
        return failure();
      accepted = *fewer;
      continue;
    }
    // Accumulations whose derivatives are not known may stay outside.
    if (accepted.needsDerivatives) {
      Refusal whyNot = refusal;
      FailureOr<FusionPlan> uncut = planWithAuxiliaries(
          plan.root, plan.options, AuxiliaryAccumulators(), whyNot, refusal);
      if (failed(uncut))
        return failure();
      // Of an online reduction, which does not stay outside.
      if (uncut->needsDerivatives) {
        refusal = whyNot;
        return failure();
      }
      accepted = *uncut;
      continue;
    }
    // What follows the root may also stay where it is.
    if (!leaveConsumers(accepted, refusal))
      return failure();
  }
}

namespace {
/// A copy of the op around a root, to put back if carrying out a plan fails.
class Backup {
public:
  explicit Backup(Operation *root)
      : scope(root->getParentWithTrait<OpTrait::IsIsolatedFromAbove>()),
        copy(scope->clone()) {}
  ~Backup() { copy->erase(); }
  /// Ops of the scope are gone afterwards, and others in their places.
  void restore(RewriterBase &rewriter) {
    for (auto [region, old] :
         llvm::zip_equal(copy->getRegions(), scope->getRegions())) {
      // Values and blocks are erased that others use.
      for (Block &block : old)
        block.dropAllReferences();
      while (!old.empty())
        rewriter.eraseBlock(&old.back());
      old.takeBody(region);
    }
  }

private:
  Operation *scope, *copy;
};
} // namespace

FailureOr<TileAndFuseResult>
mlir::linalg_ext::applyCheckedPlan(RewriterBase &rewriter,
                                   const FusionPlan &plan, Refusal &refusal) {
  emitFusionRemarks(plan);
  OpBuilder::InsertionGuard guard(rewriter);
  Backup backup(plan.root);
  refusal.clear();
  FailureOr<TileAndFuseResult> result = failure();
  std::string step = "building derivatives";
  {
    uint64_t thread = llvm::get_threadid();
    ScopedDiagnosticHandler handler(
        plan.root->getContext(), [&](Diagnostic &diag) {
          if (llvm::get_threadid() != thread ||
              diag.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          if (!refusal.isSet())
            (void)refusal.set(RefusalKind::Other, /*op=*/nullptr, diag.str());
          return success();
        });
    FailureOr<CompletePlan> complete = completePlan(rewriter, plan, refusal);
    if (succeeded(complete)) {
      emitDerivativeRemarks(complete->plan);
      PlanApplier applier(rewriter, *complete, refusal);
      result = applier.run();
      step = applier.step;
    }
  }
  if (succeeded(result))
    return result;
  if (!refusal.isSet())
    (void)refusal.set(RefusalKind::Other, /*op=*/nullptr, step);
  backup.restore(rewriter);
  // The ops of the plan are gone.
  return refusal.addContext(
      /*op=*/nullptr,
      "what a copy of the program took failed on the program itself: ");
}

FailureOr<TileAndFuseResult>
mlir::linalg_ext::applyFusionPlan(RewriterBase &rewriter,
                                  const FusionPlan &plan, Refusal &refusal) {
  FailureOr<FusionPlan> accepted = dryRunFusionPlan(plan, refusal);
  if (failed(accepted))
    return failure();
  return applyCheckedPlan(rewriter, *accepted, refusal);
}
