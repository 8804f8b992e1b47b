//===- FusionRoots.cpp - Finds the roots of fusions -----------------------===//
//
// Takes the ops with the root attribute, if there are any. Otherwise follows
// the results of each online reduction, and each maximum or minimum of upstream
// ops, to the accumulations that can be repaired. One of these becomes the
// root.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"
#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

#include <functional>
#include <set>
#include <tuple>

using namespace mlir;
using namespace mlir::linalg_ext;

/// The values that have been followed, and how each depends on a state. Without
/// this set, the search could take exponentially long.
using Followed = std::set<std::tuple<void *, RepairKind, double>>;

/// Follows `value`, which depends on a state, through ops that propagate its
/// repair. Collects the accumulations that it reaches. If `followsPolynomials`
/// is true, they may be polynomials in the state. They are never affine,
/// because only the quotient measure of a state makes them so.
static void collectAccumulations(Value value,
                                 const StateDependentValue &stateDependent,
                                 bool followsPolynomials,
                                 SetVector<Operation *> &accumulations,
                                 Followed &followed) {
  const RepairDegree &degree = stateDependent.degree;
  if (!followed
           .insert(
               {value.getAsOpaquePointer(), degree.kind, degree.coefficient})
           .second)
    return;
  for (OpOperand &use : value.getUses()) {
    auto repairable = dyn_cast<RepairableOpInterface>(use.getOwner());
    if (!repairable)
      continue;
    Refusal why;
    StateDependentOperand operand{use.getOperandNumber(), stateDependent};
    FailureOr<AccumulatorRepair> repair =
        repairable.getAccumulatorRepair(operand, why);
    auto isFollowed = [&](const StateDependentValue &value) {
      return !value.degree.isInvariant() &&
             value.degree.kind != RepairKind::Affine &&
             (followsPolynomials ||
              value.degree.kind != RepairKind::Polynomial);
    };
    if (succeeded(repair)) {
      if (isFollowed(repair->value))
        accumulations.insert(repairable);
      continue;
    }
    FailureOr<StateDependentValue> next =
        repairable.propagateRepair(operand, why);
    if (succeeded(next) && repairable->getNumResults() == 1 &&
        isFollowed(*next))
      collectAccumulations(repairable->getResult(0), *next, followsPolynomials,
                           accumulations, followed);
  }
}

/// Returns whether `op` is computed elementwise from tensors that are no larger
/// than `value`. Such an op depends on a state, but reads no tiles.
static bool isComputedAlong(Operation *op, Value value) {
  if (isReshapeOrSlice(op)) // dimensions of size 1 come or go
    return true;
  auto maps = dyn_cast<IndexingMapOpInterface>(op);
  auto tileable = dyn_cast<TilingInterface>(op);
  return maps && tileable && op->getNumResults() == 1 &&
         op->getResultTypes().front() == value.getType() &&
         static_cast<int64_t>(tileable.getLoopIteratorTypes().size()) ==
             cast<ShapedType>(value.getType()).getRank();
}

/// Returns how tiles depend on `value`, which is a maximum or minimum, or
/// computed from one.
static StateDependentValue followDifference(Value value) {
  return {{RepairKind::Add, 1.0},
          makeRowGroups(cast<ShapedType>(value.getType()).getShape())};
}

/// Follows `value`, the running maximum of an online softmax in upstream's ops,
/// and collects the accumulations of products that it reaches. `seen` has the
/// values that have been followed.
static void collectFromMax(Value value, SetVector<Operation *> &accumulations,
                           DenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return;
  Followed followed;
  // A softmax contains no polynomial in its maximum.
  collectAccumulations(value, followDifference(value),
                       /*followsPolynomials=*/false, accumulations, followed);
  for (Operation *user : value.getUsers())
    if (isComputedAlong(user, value))
      collectFromMax(user->getResult(0), accumulations, seen);
}

/// Returns whether `op` uses, directly or not, what `other` computes.
static bool dependsOn(Operation *op, Operation *other,
                      DenseSet<Operation *> &seen) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    Operation *source = operand.getDefiningOp();
    if (!source || source->getBlock() != op->getBlock() ||
        source->isBeforeInBlock(other))
      return false;
    return source == other ||
           (seen.insert(source).second && dependsOn(source, other, seen));
  });
}

/// Returns the candidates on which no other candidate depends.
static SetVector<Operation *>
getLast(const SetVector<Operation *> &candidates) {
  SetVector<Operation *> last;
  for (Operation *candidate : candidates)
    if (llvm::none_of(candidates, [&](Operation *other) {
          DenseSet<Operation *> seen;
          return other != candidate &&
                 other->getBlock() == candidate->getBlock() &&
                 dependsOn(other, candidate, seen);
        }))
      last.insert(candidate);
  return last;
}

/// Chooses among `candidates`, the accumulations that one online reduction
/// feeds. Adds one to `roots`. Adds the ones that the loops of the root may
/// accumulate as well, from the same tiles, to `others`.
static void addRoot(SetVector<Operation *> candidates,
                    SetVector<Operation *> &roots,
                    SetVector<Operation *> &others) {
  // If there are sums, only these can be roots. (A maximum or minimum of
  // weights is accumulated beside the sums.)
  auto isSum = [](Operation *candidate) {
    return cast<RepairableOpInterface>(candidate).getAccumulation()->kind ==
           AccumulationKind::Sum;
  };
  if (llvm::any_of(candidates, isSum))
    candidates.remove_if(std::not_fn(isSum));
  if (candidates.empty())
    return;
  // A candidate on which another one depends is fused with that one. Among the
  // rest, choose the first with the most loops, because only loops of the root
  // can be cut.
  auto countLoops = [](Operation *candidate) {
    auto tileable = dyn_cast<TilingInterface>(candidate);
    return tileable ? tileable.getLoopIteratorTypes().size() : 0;
  };
  SetVector<Operation *> last = getLast(candidates);
  Operation *root =
      *llvm::max_element(last, [&](Operation *lhs, Operation *rhs) {
        size_t left = countLoops(lhs), right = countLoops(rhs);
        if (left != right || lhs->getBlock() != rhs->getBlock())
          return left < right;
        return lhs != rhs && rhs->isBeforeInBlock(lhs);
      });
  roots.insert(root);
  last.remove(root);
  others.insert_range(last);
}

SmallVector<Operation *>
mlir::linalg_ext::findFusionRoots(Operation *scope, StringRef rootAttrName,
                                  SmallVectorImpl<Operation *> *others) {
  SetVector<Operation *> roots, beside;
  scope->walk([&](Operation *op) {
    if (!rootAttrName.empty() && op->hasAttr(rootAttrName))
      roots.insert(op);
  });
  if (!roots.empty())
    return roots.takeVector();

  scope->walk([&](Operation *op) {
    SetVector<Operation *> candidates;
    if (op->getNumResults() == 0) // on buffers nothing is fused
      return;
    if (auto online = dyn_cast<OnlineReductionOpInterface>(op)) {
      Followed followed;
      for (unsigned number : online.getPartialResults())
        collectAccumulations(
            online->getResult(number),
            {{online.getRepairKind(), 1.0},
             makeRowGroups(online.getRepairDims(number),
                           cast<ShapedType>(online->getResultTypes()[number])
                               .getShape())},
            /*followsPolynomials=*/true, candidates, followed);
      return addRoot(candidates, roots, beside);
    }
    auto accumulator = dyn_cast<RepairableOpInterface>(op);
    FailureOr<Accumulation> accumulation =
        accumulator ? accumulator.getAccumulation()
                    : FailureOr<Accumulation>(failure());
    if (failed(accumulation) || accumulation->kind == AccumulationKind::Sum)
      return;
    DenseSet<Value> seen;
    collectFromMax(op->getResult(accumulation->resultNumber), candidates, seen);
    // A sum with a single input that depends on the maximum is part of the
    // softmax. A root also has other inputs.
    candidates.remove_if([](Operation *candidate) {
      return cast<DestinationStyleOpInterface>(candidate).getNumDpsInputs() < 2;
    });
    addRoot(candidates, roots, beside);
  });
  if (others)
    for (Operation *op : beside)
      if (!roots.contains(op))
        others->push_back(op);
  return roots.takeVector();
}
