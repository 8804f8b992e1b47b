//===- FuseConsumers.cpp - What follows the root --------------------------===//
//
// See FuseConsumers.h.
//
//===----------------------------------------------------------------------===//

#include "FuseConsumers.h"

#include "LevelAnalysis.h"

#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether a tile of `producers` determines a tile of `op`, which is
/// elementwise and can be computed where they are.
static bool canFollow(Operation *op, Operation *root,
                      const SmallPtrSetImpl<Operation *> &producers) {
  auto tileable = dyn_cast<TilingInterface>(op);
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!tileable || !dps || !hasMaps(op) || !dps.hasPureTensorSemantics() ||
      !isMemoryEffectFree(op) || hasEmptyOperand(op) ||
      llvm::any_of(tileable.getLoopIteratorTypes(),
                   [](utils::IteratorType type) {
                     return type != utils::IteratorType::parallel;
                   }))
    return false;
  bool follows = false;
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *source = operand.get().getDefiningOp();
    if (!source || source->getBlock() != root->getBlock() ||
        source->isBeforeInBlock(root))
      continue;
    AffineMap map =
        cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(&operand);
    if (!producers.contains(source) || dps.isDpsInit(&operand) ||
        !map.isProjectedPermutation())
      return false;
    follows = true;
  }
  return follows;
}

/// Finds the ops after the root that are fused into the loops around it.
void mlir::linalg_ext::planConsumers(FusionPlan &plan) {
  auto iterators = cast<TilingInterface>(plan.root).getLoopIteratorTypes();
  for (unsigned dim : plan.levels.front().dims.set_bits())
    if (iterators[dim] != utils::IteratorType::parallel)
      return;
  // Users in program order: a consumer comes after all that it may follow.
  SmallPtrSet<Operation *, 4> producers{plan.root}, seen;
  SmallVector<Operation *> worklist;
  auto addUsers = [&](Operation *op) {
    for (Operation *user : op->getUsers())
      if (user->getBlock() == plan.root->getBlock() && seen.insert(user).second)
        worklist.push_back(user);
    llvm::sort(worklist, [](Operation *lhs, Operation *rhs) {
      return lhs != rhs && rhs->isBeforeInBlock(lhs);
    });
  };
  addUsers(plan.root);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!canFollow(op, plan.root, producers))
      continue;
    producers.insert(op);
    plan.consumers.push_back(op);
    addUsers(op);
  }
}

LogicalResult
mlir::linalg_ext::fuseConsumers(RewriterBase &rewriter, const FusionPlan &plan,
                                MutableArrayRef<LoopLikeOpInterface> loops) {
  for (Operation *consumer : plan.consumers) {
    if (failed(
            scf::tileAndFuseConsumer(rewriter, consumer, loops.take_front())))
      return failure();
    // Upstream leaves the consumer without uses.
    rewriter.eraseOp(consumer);
  }
  return success();
}
