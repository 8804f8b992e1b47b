//===- PlanApplier.cpp - Applies a plan level by level --------------------===//
//
// See PlanApplier.h. For each level of the plan:
// 1. tile the root with upstream's tileUsingSCF;
// 2. fuse the siblings and the planned producers (FuseProducers.h); make the
//    loop parallel if the level is a split;
// 3. at the first level that carries states, finish the accumulators after the
//    loop; at the last such level, repair them in the loop (ApplyRepairs.h).
//
// Then fuse the consumers.
//
//===----------------------------------------------------------------------===//

#include "PlanApplier.h"
#include "FuseProducers.h"
#include "ProducerTiles.h"
#include "SiblingTiles.h"

#include "mlir-ext/Fusion/Plan/FollowRoot.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns why the loops have no tile of `op`, or an empty string if this is
/// not known.
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
          kClosedUpperBound);
      sizes.push_back(succeeded(bound) ? *bound : ShapedType::kDynamic);
    }
    std::string why = explainRefusedTiles(op, sizes);
    if (!why.empty())
      return ": " + why;
  }
  return ": its tiles are not known to be tiles of what it reshapes";
}

/// Copies the ops that depend on states. The root takes its state-dependent
/// operands from the copies. The originals stay for other users, which need
/// final values.
LogicalResult PlanApplier::copyStateDependentOps() {
  // 1. Find the originals. Enclosing levels may have made several tiles of one
  //    op; take the one that the root and its siblings use. There may be no
  //    tile if an op refused it and the plan could not foresee that.
  DenseMap<Operation *, Operation *> originals;
  SmallVector<Operation *> worklist{ops.root};
  for (const PlannedSibling &sibling : plan.siblings)
    if (sibling.isFused())
      originals[sibling.op] = worklist.emplace_back(ops.getCurrent(sibling.op));
  while (!worklist.empty())
    for (Value operand : worklist.pop_back_val()->getOperands()) {
      Operation *op = ops.lookThroughParts(operand);
      Operation *planned = op ? ops.getPlanned(op) : nullptr;
      if (!planned || !plan.isStateDependent(planned))
        continue;
      auto [it, isNew] = originals.try_emplace(planned, op);
      if (it->second != op || op->getBlock() != ops.root->getBlock())
        return failure();
      if (isNew)
        worklist.push_back(op);
    }

  for (Operation *planned : llvm::reverse(plan.stateDependent))
    if (Operation *op = ops.getCurrent(planned); !originals.contains(planned))
      return ops.refusal.set(
          isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)
              ? RefusalKind::ReshapedTile
              : RefusalKind::Other,
          op,
          "the levels around the loop that carries the state do not compute " +
              nameOf(op) + " tile by tile" + explainMissingTile(op));

  // 2. Copy them.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(ops.root);
  IRMapping mapping;
  SmallVector<Operation *> states;
  for (Operation *planned : plan.stateDependent) {
    Operation *original = originals.lookup(planned);
    Operation *copy = rewriter.clone(*original, mapping);
    // Operands that are not read tile by tile have their final values.
    for (auto [index, operand] : llvm::enumerate(original->getOperands()))
      if (!plan.isStateDependentOperand(planned, index))
        copy->setOperand(index, operand);
    ops.setCurrent(planned, copy);
    ops.copiedFrom[copy] = original;
    ops.orphans.insert(original);
    ops.copyParts(original, copy, mapping);
  }
  for (const PlannedState &state : plan.states) {
    states.push_back(originals.lookup(state.producer));
    auto online =
        dyn_cast<OnlineReductionOpInterface>(ops.getCurrent(state.producer));
    if (!online)
      continue;
    online.setOnline(true);
    if (failed(online.setNormalization(state.normalization)))
      return failure();
    if (state.rescaleThreshold &&
        failed(online.setRescaleThreshold(*state.rescaleThreshold)))
      return failure();
  }
  rewriter.modifyOpInPlace(ops.root, [&] {
    for (OpOperand &operand : ops.root->getOpOperands())
      if (plan.isStateDependentOperand(plan.root, operand.getOperandNumber()))
        operand.set(mapping.lookupOrDefault(operand.get()));
  });
  moveUsersAfterRoot(rewriter, ops.root, ops.getCurrentSiblings(), states);
  return repairs.findFactors();
}

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
      scf::tileUsingSCF(rewriter, cast<TilingInterface>(ops.root), options);
  if (failed(tiling) || tiling->loops.size() != 1)
    return failure();
  rewriter.replaceOp(ops.root, tiling->replacements);
  ops.root = tiling->tiledOps.back();
  shrinkEmptyTensors(rewriter, ops.root, ops.orphans);
  ops.loop = tiling->loops.front();
  return success();
}

PlanAccess PlanApplier::getAccess() {
  return {plan, [this](Operation *op) { return ops.getCurrent(op); },
          [this](Value value, const auto &states, auto &rebuilt) {
            return repairs.rebuild(value, states, rebuilt);
          },
          [this](const auto &repair, const auto &factor) {
            return repairs.getOuterFactor(repair, factor);
          }};
}

/// Makes the loop of a split level parallel.
LogicalResult PlanApplier::splitLoop(unsigned index) {
  PlanAccess access = getAccess();
  bool carriesStates = !plan.states.empty() && index == plan.firstLevel;
  if (!carriesStates)
    ops.stateOfLoop.clear();
  SmallVector<CarriedValue> carried = getCarriedValues(access, ops.stateOfLoop);
  FailureOr<SplitLoop> split = splitReduction(
      rewriter, cast<scf::ForOp>(ops.loop), carried,
      plan.levels[index].level.mapping, [&](ValueRange lhs, ValueRange rhs) {
        return buildMerge(rewriter, ops.root->getLoc(), access, carried, lhs,
                          rhs);
      });
  if (failed(split))
    return failure();
  ops.loop = split->loop;
  level.results = split->results;
  level.end = split->end;
  return success();
}

/// Merges the parts of the loop. The parts themselves are built once the body
/// of the loop is complete.
FailureOr<LoopOfParts> PlanApplier::mergeParts(unsigned index) {
  PlanAccess access = getAccess();
  if (plan.states.empty())
    ops.stateOfLoop.clear();
  SmallVector<CarriedValue> carried = getCarriedValues(access, ops.stateOfLoop);
  return linalg_ext::mergeParts(
      rewriter, cast<scf::ForOp>(ops.loop), plan.levels[index].level.parts,
      carried, [&](ValueRange lhs, ValueRange rhs) {
        return buildMerge(rewriter, ops.root->getLoc(), access, carried, lhs,
                          rhs);
      });
}

/// Erases ops that fusion left without uses, and then ops that lose their last
/// use by this. A `tensor.dim` of an untiled producer does not keep the
/// producer alive.
void PlanApplier::eraseOrphans() {
  while (!ops.orphans.empty()) {
    Operation *op = ops.orphans.pop_back_val();
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
        // Reifying one size creates `tensor.dim` ops of all operands. Their
        // number would double with each op of a chain, so unused ones are
        // erased at once.
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
        ops.orphans.insert(producer);
    rewriter.eraseOp(op);
  }
}

LogicalResult PlanApplier::applyLevel(unsigned index) {
  bool hasStates = !plan.states.empty();
  auto begin = [&](StringRef what) {
    ops.step = (what + " level " + Twine(index)).str();
  };
  begin("copying what follows the states of");
  if (hasStates && index == plan.firstLevel) {
    for (const PlannedRepair &repair : plan.repairs) {
      if (!plan.isRootOrSibling(repair.accumulator))
        continue;
      SmallVector<Value> combined = repairs.prepareAccumulator(repair);
      if (index == 0 && repair.accumulator == plan.root)
        replacements = combined;
    }
    if (failed(copyStateDependentOps()))
      return failure();
  }

  // 1. and 2. Tile the root, fuse its producers, split.
  ops.stateOfLoop.clear();
  begin("tiling the root for");
  if (failed(tileRoot(plan.levels[index])) || failed(fuseProducers(ops, index)))
    return failure();
  begin("splitting the reduction of");
  level.results = llvm::to_vector_of<Value>(ops.loop->getResults());
  level.end = ops.loop;
  if (plan.levels[index].level.kind == LoopKind::Split &&
      failed(splitLoop(index)))
    return failure();
  FailureOr<LoopOfParts> parts = LoopOfParts();
  bool hasParts = plan.levels[index].level.parts > 1;
  if (hasParts && failed(parts = mergeParts(index)))
    return failure();
  if (index == 0 && replacements.empty())
    replacements.assign(level.results.begin(),
                        level.results.begin() + ops.root->getNumResults());
  loops.push_back(ops.loop);

  // 3. Repair the accumulators, and finish them after the loop.
  begin("repairing the accumulators of");
  if (hasStates && index == plan.firstLevel &&
      failed(repairs.finishAccumulators(level, replacements)))
    return failure();
  if (hasStates && index == plan.lastLevel &&
      failed(repairs.repairAccumulators()))
    return failure();
  eraseOrphans();
  if (hasParts)
    buildLoopOfParts(rewriter, cast<scf::ForOp>(ops.loop), *parts,
                     plan.levels[index].level.mapping);
  return success();
}

FailureOr<TileAndFuseResult> PlanApplier::run() {
  moveSiblingsBeforeRoot(rewriter, plan);
  SmallVector<Operation *> yielding;
  for (const PlannedProducer &producer : plan.levels.front().producers)
    if (!producer.yieldedResults.empty())
      yielding.push_back(producer.op);
  moveUsersAfterRoot(rewriter, ops.root, ops.getCurrentSiblings(), yielding);
  for (unsigned index = 0; index < plan.levels.size(); ++index)
    if (failed(applyLevel(index)))
      return failure();
  ops.step = "fusing what follows the root";
  if (failed(fuseConsumers(rewriter, plan, loops, refusedConsumer)))
    return failure();
  if (llvm::any_of(plan.consumers, [](const PlannedConsumer &consumer) {
        return consumer.depth > 0;
      }))
    for (auto [replacement, result] :
         llvm::zip(replacements, loops.front()->getResults()))
      replacement = result.use_empty() ? Value() : Value(result);
  // All ops in the loops are new, so dead ops there are left over from tiling.
  (void)runRegionDCE(rewriter, loops.front()->getRegions());
  return TileAndFuseResult{ops.root, loops, replacements};
}
