//===- ChainedContractions.cpp - Contractions that feed contractions ------===//
//
// The projections of a transformer block compute the operands of the
// contractions in attention. Fused into the loops of attention, each block of
// queries would project all keys again, and each tile would need whole rows of
// weights. So contractions that only other contractions use are computed before
// the loops. Contractions that an online reduction or a norm uses are fused.
//
// One contraction may be fused on request. The contractions whose results are
// combined with its result element by element are then fused, too: in the
// gradient of attention, the scores and the gradient of the weights. Reductions
// that compute operands of these are computed before the loops.
//
//===----------------------------------------------------------------------===//

#include "ChainedContractions.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static bool reduces(Operation *op) {
  if (isa<OnlineReductionOpInterface>(op))
    return true;
  auto tileable = dyn_cast<TilingInterface>(op);
  return tileable && llvm::is_contained(tileable.getLoopIteratorTypes(),
                                        utils::IteratorType::reduction);
}

bool mlir::linalg_ext::isContraction(Operation *op) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  auto maps = dyn_cast<IndexingMapOpInterface>(op);
  if (!dps || !maps || !reduces(op) || isa<OnlineReductionOpInterface>(op))
    return false;
  unsigned numTensors = 0;
  for (OpOperand *input : dps.getDpsInputOperands()) {
    if (!isa<ShapedType>(input->get().getType()))
      continue;
    ++numTensors;
    AffineMap map = maps.getMatchingIndexingMap(input);
    SmallVector<int64_t> ranges = maps.getStaticLoopRanges();
    if (llvm::all_of(llvm::seq<unsigned>(0, map.getNumDims()),
                     [&](unsigned dim) {
                       return ranges[dim] == 1 || map.isFunctionOfDim(dim);
                     }))
      return false;
  }
  return numTensors > 1;
}

/// Returns whether all results of `op`, within `scope`, end in contractions,
/// with no other reduction in between.
static bool feedsContractionsOnly(Operation *op,
                                  const SetVector<Operation *> &scope) {
  SmallVector<Operation *> worklist{op};
  llvm::SmallPtrSet<Operation *, 8> seen;
  bool feedsAny = false;
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val()->getUses()) {
      Operation *user = use.getOwner();
      if (!scope.contains(user) || !seen.insert(user).second)
        continue;
      // An op that accumulates into the result of a contraction forms one
      // contraction with it.
      auto dps = dyn_cast<DestinationStyleOpInterface>(user);
      if (!reduces(user) || (dps && dps.isDpsInit(&use))) {
        worklist.push_back(user);
        continue;
      }
      if (!isContraction(user))
        return false;
      feedsAny = true;
    }
  return feedsAny;
}

/// Returns `op` and all ops in its block that compute its operands.
static SetVector<Operation *> getSources(Operation *op) {
  SetVector<Operation *> scope;
  scope.insert(op);
  for (unsigned i = 0; i < scope.size(); ++i)
    for (Value operand : scope[i]->getOperands())
      if (Operation *source = operand.getDefiningOp();
          source && source->getBlock() == op->getBlock())
        scope.insert(source);
  return scope;
}

/// Returns the ops of `scope` that are computed from the result of `op` without
/// a reduction.
static SetVector<Operation *>
getFollowers(Operation *op, const SetVector<Operation *> &scope) {
  SetVector<Operation *> followers;
  auto add = [&](Operation *of) {
    for (Operation *user : of->getUsers())
      if (scope.contains(user) && !reduces(user))
        followers.insert(user);
  };
  add(op);
  for (unsigned i = 0; i < followers.size(); ++i)
    add(followers[i]);
  return followers;
}

/// Adds to `together` the contractions whose results others of `together`
/// accumulate into, and nothing else reads: the product of one part of what is
/// summed, where the sum is one over a concatenation.
static void addInits(SetVector<Operation *> &together) {
  for (unsigned i = 0; i < together.size(); ++i) {
    auto dps = cast<DestinationStyleOpInterface>(together[i]);
    for (Value init : dps.getDpsInits())
      if (Operation *source = init.getDefiningOp();
          source && source->getBlock() == dps->getBlock() &&
          source->hasOneUse() && isContraction(source))
        together.insert(source);
  }
}

/// Returns `fused`, and the contractions of `scope` whose results are combined
/// with its result elementwise. They have the same shape, and none depends on
/// another one, unless it accumulates into its result.
static SetVector<Operation *>
getFusedTogether(Operation *fused, const SetVector<Operation *> &scope) {
  SetVector<Operation *> together;
  together.insert(fused);
  SetVector<Operation *> followers = getFollowers(fused, scope);
  auto getShape = [](Operation *op) {
    return cast<ShapedType>(op->getResultTypes().front()).getShape();
  };
  for (Operation *op : scope)
    if (op != fused && isContraction(op) && getShape(op) == getShape(fused) &&
        feedsContractionsOnly(op, scope) &&
        llvm::none_of(together,
                      [&](Operation *other) {
                        return getSources(op).contains(other) ||
                               getSources(other).contains(op);
                      }) &&
        llvm::any_of(getFollowers(op, scope), [&](Operation *follower) {
          return followers.contains(follower);
        }))
      together.insert(op);
  addInits(together);
  return together;
}

std::vector<PlannedObstacle>
mlir::linalg_ext::findChainedContractions(Operation *root, Operation *fused) {
  SetVector<Operation *> scope = getSources(root);
  SetVector<Operation *> together, inFront;
  if (fused)
    together = getFusedTogether(fused, scope);
  for (Operation *op : together)
    inFront.insert_range(getSources(op));
  std::vector<PlannedObstacle> chained;
  auto add = [&](Operation *op, StringRef reason) {
    chained.push_back(
        {op, /*level=*/0, {RefusalKind::Intended, op, reason.str()}});
  };
  for (Operation *op : scope) {
    if (op == root || together.contains(op))
      continue;
    if (isContraction(op) && feedsContractionsOnly(op, scope))
      add(op, "only contractions need it, which read each of its elements "
              "several times");
    else if (inFront.contains(op) && reduces(op))
      add(op, "it is reduced for an operand of the contraction that is fused");
  }
  return chained;
}
