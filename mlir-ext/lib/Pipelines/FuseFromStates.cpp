//===- FuseFromStates.cpp - Fuse behind the final state -------------------===//
//
// See FuseFromStates.h. For each softmax:
//
//   1. Find the contractions that keep the dimension that the softmax reduces,
//      and that no loops compute together with it.
//   2. Compute their weights from the final state (recomputeWeights), and plan
//      loops for all of them, or for as many as possible.
//   3. The state is in memory then. The contractions that read the weights a
//      second time may start from it, too.
//
//===----------------------------------------------------------------------===//

#include "FuseFromStates.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/RecomputeWeights.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"
#include "mlir-ext/Support/CreatedOps.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Plans one nest of loops for `contractions`, which keep the dimension that
/// `softmax` reduces. The last one is the root, and the weights are computed
/// from the final state. A dry run checks the plan. If this fails or does not
/// pay, undoes the change and fails. `pays` says that it is known to pay.
static FailureOr<FusionPlan> planFromState(RewriterBase &rewriter,
                                           SoftmaxOp softmax,
                                           ArrayRef<Operation *> contractions,
                                           const TileAndFuseOptions &options,
                                           bool pays,
                                           const FusionSteps &steps) {
  Operation *root = contractions.back();
  RecomputedWeights weights = recomputeWeights(rewriter, softmax, contractions);
  TileAndFuseOptions ofState = options;
  ofState.chainedContraction = weights.scores;
  ofState.yieldProducers = false; // others have the scores in other loops
  ofState.mayFuse = [reductions =
                         weights.reductions](const PlannedProducer &producer) {
    return !reductions.contains(producer.op);
  };
  Refusal refusal;
  FailureOr<FusionPlan> plan = failure();
  CreatedOps created(rewriter);
  if (FailureOr<std::vector<TilingLevel>> levels =
          steps.selectLevels(root, weights.scores);
      succeeded(levels)) {
    ofState.levels = std::move(*levels);
    plan = planTileAndFuse(root, ofState, refusal);
  }
  if (succeeded(plan) && !pays)
    if (Refusal loss = steps.judge(*plan); loss.isSet()) {
      steps.refuse(root, loss);
      plan = failure();
    }
  if (succeeded(plan))
    plan = dryRunFusionPlan(*plan, refusal);
  // Contractions outside of these loops would read values that the loops do not
  // store.
  if (succeeded(plan) &&
      llvm::any_of(contractions.drop_back(), [&](Operation *other) {
        const PlannedSibling *sibling = plan->lookupSibling(other);
        return !sibling || !sibling->isFused();
      }))
    plan = failure();
  if (failed(plan)) {
    created.eraseUnused();
    undoRecomputedWeights(rewriter, weights);
  }
  return plan;
}

/// Returns whether the weights of `softmax` that one of `keeping` sums at a
/// time do not fit into the cache. Computing them again then pays, whatever it
/// costs (docs/Decisions/0063).
static bool exceedsCache(SoftmaxOp softmax, ArrayRef<Operation *> keeping,
                         const FusionSteps &steps) {
  auto type = cast<RankedTensorType>(softmax->getResult(0).getType());
  auto getSize = [&](int64_t size) {
    return ShapedType::isDynamic(size) ? steps.dynamicSize : size;
  };
  for (Operation *op : keeping) {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    int64_t elements = getSize(type.getDimSize(softmax.getDimension()));
    for (auto [range, kind] : llvm::zip(linalgOp.getStaticLoopRanges(),
                                        linalgOp.getIteratorTypesArray()))
      if (linalg::isReductionIterator(kind))
        elements *= getSize(range);
    if (elements * type.getElementTypeBitWidth() / 8 > steps.cacheBytes)
      return true;
  }
  return false;
}

/// Returns whether no loops of `root` can compute `softmax`, neither a tile of
/// it nor all of it.
static bool isApartFrom(RewriterBase &rewriter, SoftmaxOp softmax,
                        Operation *root, TileAndFuseOptions options,
                        const FusionSteps &steps) {
  CreatedOps created(rewriter);
  llvm::scope_exit eraseSizes([&] { created.eraseUnused(); });
  FailureOr<std::vector<TilingLevel>> levels =
      steps.selectLevels(root, nullptr);
  if (failed(levels))
    return false;
  options.levels = std::move(*levels);
  options.chainedContraction = nullptr;
  Refusal refusal;
  FailureOr<FusionPlan> plan = planTileAndFuse(root, options, refusal);
  if (failed(plan))
    return refusal.kind == RefusalKind::NotAccumulated;
  const PlannedProducer *producer = plan->levels.front().lookup(softmax);
  return !producer || !producer->fused;
}

LogicalResult
mlir::linalg_ext::fuseFromStates(RewriterBase &rewriter,
                                 ArrayRef<SoftmaxOp> softmaxes,
                                 const TileAndFuseOptions &options,
                                 bool onlyMarked, const FusionSteps &steps) {
  auto mayTake = [&](Operation *op) {
    return !onlyMarked || op->hasAttr(options.rootAttrName);
  };
  for (SoftmaxOp softmax : softmaxes) {
    bool isChanged = false, isRestored = false, pays = false;
    // Tries all contractions in the same loops, or as many as possible.
    auto fuseSome = [&](ArrayRef<Operation *> contractions) {
      for (size_t first = 0; first < contractions.size(); ++first)
        for (size_t last = contractions.size(); last > first; --last)
          if (FailureOr<FusionPlan> plan = planFromState(
                  rewriter, softmax, contractions.slice(first, last - first),
                  options, pays, steps);
              succeeded(plan)) {
            isChanged = true;
            isRestored = failed(steps.apply(*plan));
            return !isRestored;
          }
      return false;
    };
    auto findKeeping = [&] {
      SmallVector<Operation *> found = findWeightContractions(softmax).keeping;
      llvm::erase_if(found, [&](Operation *op) {
        return !mayTake(op) ||
               !isApartFrom(rewriter, softmax, op, options, steps);
      });
      pays = pays || exceedsCache(softmax, found, steps);
      return found;
    };
    while (fuseSome(findKeeping()))
      ;
    // The state is in memory from here on.
    auto findSecond = [&] {
      SmallVector<Operation *> found = findWeightContractions(softmax).second;
      llvm::erase_if(found, [&](Operation *op) { return !mayTake(op); });
      return found;
    };
    while (isChanged && !isRestored && fuseSome(findSecond()))
      ;
    if (isRestored)
      return failure();
    if (isChanged)
      simplifySoftmaxOfState(rewriter, softmax);
  }
  return success();
}
