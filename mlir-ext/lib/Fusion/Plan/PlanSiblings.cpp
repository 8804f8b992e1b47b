//===- PlanSiblings.cpp - Finds the siblings of a root --------------------===//
//
// Follows the partial results of online reductions, and contractions that the
// loops compute tile by tile, through elementwise ops to accumulations that
// neither feed the root nor depend on it. See PlanSiblings.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/PlanSiblings.h"

#include "ChainedContractions.h"

#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"

#include "mlir-ext/Fusion/Plan/ReshapeDims.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Calls `visit` with the ops in the block of `op` that it uses, itself or in
/// its regions.
static void forEachUsedOp(Operation *op,
                          function_ref<void(Operation *)> visit) {
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (Operation *source = operand.getDefiningOp();
          source && source != op && source->getBlock() == op->getBlock())
        visit(source);
  });
}

llvm::SetVector<Operation *> mlir::linalg_ext::getNeededOps(Operation *op) {
  llvm::SetVector<Operation *> needed;
  needed.insert(op);
  for (unsigned i = 0; i < needed.size(); ++i)
    forEachUsedOp(needed[i], [&](Operation *source) { needed.insert(source); });
  return needed;
}

/// Returns whether loops around some root might accumulate `op`.
static bool isAccumulation(Operation *op) {
  auto repairable = dyn_cast<RepairableOpInterface>(op);
  return repairable && hasMaps(op) && isa<TilingInterface>(op) &&
         !isa<OnlineReductionOpInterface>(op) && isMemoryEffectFree(op) &&
         !hasEmptyOperand(op) &&
         cast<DestinationStyleOpInterface>(op).hasPureTensorSemantics() &&
         succeeded(repairable.getAccumulation());
}

static bool isElementwise(Operation *op) {
  auto tileable = dyn_cast<TilingInterface>(op);
  return tileable && (hasMaps(op) || isReshapeOrSlice(op)) &&
         isMemoryEffectFree(op) &&
         llvm::all_of(tileable.getLoopIteratorTypes(),
                      [](utils::IteratorType type) {
                        return type == utils::IteratorType::parallel;
                      });
}

/// Returns the values that siblings may share with the root. These are: values
/// that depend on states and are not final while the loops run, without the
/// states and values computed from states alone; partial results of online
/// reductions that are fused but not cut; and contractions that the loops would
/// otherwise store.
static SmallVector<Value> getSharedTiles(const FusionPlan &plan) {
  SmallVector<Value> shared;
  for (const PlannedLevel &level : plan.levels)
    for (const PlannedProducer &producer : level.producers) {
      auto online = dyn_cast<OnlineReductionOpInterface>(producer.op);
      if (!online || !producer.fused)
        continue;
      for (unsigned number : online.getPartialResults())
        shared.push_back(online->getResult(number));
    }
  if (plan.states.empty())
    return shared;
  for (const PlannedProducer &producer : plan.levels[plan.firstLevel].producers)
    if (!producer.partial && !producer.whole &&
        (plan.isStateDependent(producer.op) ||
         (producer.fused && !producer.yieldedResults.empty() &&
          isContraction(producer.op))))
      llvm::append_range(shared, producer.op->getResults());
  return shared;
}

/// The results of the contraction that is chained with the root, if the loops
/// compute it tile by tile: rows of it can be summed beside the root.
static SmallVector<Value> getChainedTiles(const FusionPlan &plan) {
  Operation *chained = plan.options.chainedContraction;
  const PlannedProducer *producer =
      chained ? plan.levels.back().lookup(chained) : nullptr;
  return producer && producer->fused ? SmallVector<Value>(chained->getResults())
                                     : SmallVector<Value>();
}

SmallVector<Operation *>
mlir::linalg_ext::findSiblings(const FusionPlan &plan) {
  llvm::SetVector<Operation *> neededByRoot = getNeededOps(plan.root);
  llvm::SetVector<Operation *> siblings;
  auto follow = [&](SmallVector<Value> worklist, bool mayContract) {
    SmallPtrSet<Operation *, 8> seen;
    while (!worklist.empty())
      for (Operation *user : worklist.pop_back_val().getUsers()) {
        if (user->getBlock() != plan.root->getBlock() || user == plan.root ||
            !seen.insert(user).second)
          continue;
        if (isElementwise(user))
          llvm::append_range(worklist, user->getResults());
        else if (isAccumulation(user) && !neededByRoot.contains(user) &&
                 (mayContract || !isContraction(user)) &&
                 !getNeededOps(user).contains(plan.root))
          siblings.insert(user);
      }
  };
  follow(getSharedTiles(plan), /*mayContract=*/true);
  follow(getChainedTiles(plan), /*mayContract=*/false);
  SmallVector<Operation *> inOrder = siblings.takeVector();
  llvm::sort(inOrder, [](Operation *lhs, Operation *rhs) {
    return lhs != rhs && lhs->isBeforeInBlock(rhs);
  });
  return inOrder;
}

LogicalResult mlir::linalg_ext::checkSibling(const FusionPlan &plan,
                                             Operation *op,
                                             ArrayRef<Operation *> others,
                                             Refusal &refusal) {
  for (Operation *needed : getNeededOps(op)) {
    if (llvm::is_contained(others, needed))
      return refusal.set(RefusalKind::Other, needed,
                         "it needs " + nameOf(needed) +
                             ", which waits for the loops");
    if (plan.root->isBeforeInBlock(needed) && !isMemoryEffectFree(needed))
      return refusal.set(RefusalKind::Other, needed,
                         "it needs " + nameOf(needed) +
                             ", which has to stay behind the root");
  }
  return success();
}

std::vector<PlannedSibling>
mlir::linalg_ext::leaveSiblings(const FusionPlan &plan,
                                const Refusal &refusal) {
  // Leave out reindexed siblings first, because their tiles are the least
  // certain.
  bool anyReindexed =
      llvm::any_of(plan.siblings, [](const PlannedSibling &sibling) {
        return sibling.isFused() && sibling.reindexed;
      });
  std::vector<PlannedSibling> apart;
  bool any = false;
  for (const PlannedSibling &sibling : plan.siblings) {
    if (sibling.isFused() && anyReindexed && !sibling.reindexed)
      continue;
    any |= sibling.isFused();
    apart.push_back({sibling.op});
    apart.back().refusal = sibling.isFused() ? refusal : sibling.refusal;
  }
  if (!any)
    apart.clear();
  return apart;
}
