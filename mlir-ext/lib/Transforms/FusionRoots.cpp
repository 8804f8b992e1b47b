//===- FusionRoots.cpp - What to tile and fuse ----------------------------===//
//
// Finds the roots of fusions, and plans and applies for each.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Transforms/FusionRemarks.h"
#include "mlir-ext/Transforms/PendingRoots.h"
#include "mlir-ext/Transforms/ReshapeDims.h"
#include "mlir-ext/Transforms/TileAndFuse.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

#include <functional>

using namespace mlir;
using namespace mlir::linalg_ext;

/// Collects the accumulations that `value`, which depends on a state, reaches
/// through ops that hand its repair on.
static void collectAccumulations(Value value, const StaleValue &stale,
                                 SetVector<Operation *> &accumulations) {
  for (OpOperand &use : value.getUses()) {
    auto repairable = dyn_cast<RepairableOpInterface>(use.getOwner());
    if (!repairable)
      continue;
    std::string why;
    StaleOperand operand{use.getOperandNumber(), stale};
    FailureOr<AccumulatorRepair> repair =
        repairable.getAccumulatorRepair(operand, why);
    // Polynomials of a maximum are nobody's softmax.
    auto isFollowed = [](const StaleValue &value) {
      return !value.degree.isInvariant() &&
             value.degree.kind != RepairKind::Polynomial &&
             value.degree.kind != RepairKind::Affine;
    };
    if (succeeded(repair)) {
      if (isFollowed(repair->value))
        accumulations.insert(repairable);
      continue;
    }
    FailureOr<StaleValue> next = repairable.propagateRepair(operand, why);
    if (succeeded(next) && repairable->getNumResults() == 1 &&
        isFollowed(*next))
      collectAccumulations(repairable->getResult(0), *next, accumulations);
  }
}

/// Returns whether `op` is computed elementwise from tensors of the shape of
/// `value` or smaller: it follows a state without meeting tiles.
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

/// How tiles depend on `value`, a maximum or minimum or computed from one.
static StaleValue followDifference(Value value) {
  return {{RepairKind::Add, 1.0},
          makeRowGroups(cast<ShapedType>(value.getType()).getShape())};
}

/// Adds the accumulations of products that `value`, the running maximum of an
/// online softmax written with upstream's ops, reaches.
static void collectFromMax(Value value, SetVector<Operation *> &accumulations) {
  collectAccumulations(value, followDifference(value), accumulations);
  for (Operation *user : value.getUsers())
    if (isComputedAlong(user, value))
      collectFromMax(user->getResult(0), accumulations);
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

/// The candidates on which no other candidate depends.
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

/// Adds the accumulation that `reduction` feeds to `roots`. Several are an
/// error.
static LogicalResult addRoot(Operation *reduction,
                             SetVector<Operation *> candidates,
                             StringRef rootAttrName,
                             SetVector<Operation *> &roots) {
  // What is chosen from the weights is beside what is summed with them.
  auto isSum = [](Operation *candidate) {
    return cast<RepairableOpInterface>(candidate).getAccumulation()->kind ==
           AccumulationKind::Sum;
  };
  if (llvm::any_of(candidates, isSum))
    candidates.remove_if(std::not_fn(isSum));
  if (candidates.size() > 1) {
    InFlightDiagnostic diag = reduction->emitError()
                              << "expected one accumulation to be the root of "
                                 "the fusion, got "
                              << candidates.size() << "; mark one with '"
                              << rootAttrName << "'";
    for (Operation *candidate : candidates)
      diag.attachNote(candidate->getLoc()) << "candidate";
    return failure();
  }
  roots.insert_range(candidates);
  return success();
}

FailureOr<SmallVector<Operation *>>
mlir::linalg_ext::findFusionRoots(Operation *scope, StringRef rootAttrName) {
  SetVector<Operation *> roots;
  scope->walk([&](Operation *op) {
    if (!rootAttrName.empty() && op->hasAttr(rootAttrName))
      roots.insert(op);
  });
  if (!roots.empty())
    return llvm::to_vector(roots);

  WalkResult result = scope->walk([&](Operation *op) {
    SetVector<Operation *> candidates;
    if (op->getNumResults() == 0) // on buffers nothing is fused
      return WalkResult::advance();
    if (auto online = dyn_cast<OnlineReductionOpInterface>(op)) {
      for (unsigned number : online.getPartialResults())
        collectAccumulations(
            online->getResult(number),
            {{online.getRepairKind(), 1.0},
             makeRowGroups(online.getRepairDims(number),
                           cast<ShapedType>(online->getResultTypes()[number])
                               .getShape())},
            candidates);
      return failed(addRoot(op, candidates, rootAttrName, roots))
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    }
    auto accumulator = dyn_cast<RepairableOpInterface>(op);
    FailureOr<Accumulation> accumulation =
        accumulator ? accumulator.getAccumulation()
                    : FailureOr<Accumulation>(failure());
    if (failed(accumulation) || accumulation->kind == AccumulationKind::Sum)
      return WalkResult::advance();
    collectFromMax(op->getResult(accumulation->resultNumber), candidates);
    // A sum of what depends on the maximum is part of the softmax; the root
    // takes other values too.
    candidates.remove_if([](Operation *candidate) {
      return cast<DestinationStyleOpInterface>(candidate).getNumDpsInputs() < 2;
    });
    return failed(addRoot(op, getLast(candidates), rootAttrName, roots))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return llvm::to_vector(roots);
}

LogicalResult
mlir::linalg_ext::tileAndFuseRoots(RewriterBase &rewriter, Operation *scope,
                                   const TileAndFuseOptions &options) {
  FailureOr<SmallVector<Operation *>> roots =
      findFusionRoots(scope, options.rootAttrName);
  if (failed(roots))
    return failure();
  PendingRoots pending(rewriter, *roots);
  while (Operation *root = pending.next()) {
    std::string reason;
    FailureOr<FusionPlan> plan = planTileAndFuse(root, options, reason);
    if (failed(plan) || failed(applyFusionPlan(rewriter, *plan, reason))) {
      emitRefusalRemark(root, reason);
      return root->emitError() << "cannot tile and fuse: " << reason;
    }
  }
  return success();
}
