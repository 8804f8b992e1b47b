//===- PlanLazyRescaling.cpp - Plans to rescale only when needed ----------===//
//
// A state may be rescaled lazily if this does not change the results of the
// program. To prove this, the analysis changes the state by a difference and
// follows it through all ops that depend on the state, in the loops and after
// them. The difference must cancel before it reaches another result. It treats
// all states of the plan at once, not one source at a time.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/PlanLazyRescaling.h"

#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"
#include "mlir-ext/Fusion/Plan/RepairAnalysis.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::linalg_ext;
using llvm::format;

//===----------------------------------------------------------------------===//
// How large terms may become
//===----------------------------------------------------------------------===//

/// The bits that are reserved for the product of a term with other factors, and
/// for the number of terms that are added.
static constexpr double kHeadroomBits = 24;

/// Returns ln of the largest factor by which values that are otherwise at most
/// 1 may grow without an overflow. If `isComputing` is true, the program
/// computes with these values, and kHeadroomBits are reserved for that.
static double getLimit(const llvm::fltSemantics &semantics, bool isComputing) {
  double limit = std::log(APFloat::getLargest(semantics).convertToDouble());
  return isComputing ? std::max(limit - kHeadroomBits * llvm::numbers::ln2, 0.0)
                     : limit;
}

LogicalResult
mlir::linalg_ext::checkRescaleThreshold(const TileAndFuseOptions &options,
                                        Refusal &refusal) {
  if (!options.rescaleThreshold) {
    if (!options.rescaleElements)
      return success();
    return refusal.set(
        RefusalKind::Other, nullptr,
        "expected a rescale threshold where elements are chosen that are "
        "rescaled, got none");
  }
  // Accumulators are at least f32.
  double limit = std::floor(getLimit(APFloat::IEEEsingle(), true));
  double threshold = *options.rescaleThreshold;
  if (!(threshold >= 0.0 && threshold <= limit))
    return refusal.set(
        RefusalKind::Other, nullptr,
        llvm::formatv("expected a rescale threshold from 0 to {0}, for which "
                      "f32 holds sums of e^threshold, got {1}",
                      format("%g", limit), format("%g", threshold)));
  if (options.normalization != NormalizationForm::Delayed)
    return refusal.set(
        RefusalKind::Other, nullptr,
        llvm::formatv("expected delayed normalisation with a rescale "
                      "threshold, got {0}, which rescales in every tile",
                      stringify(options.normalization)));
  return success();
}

//===----------------------------------------------------------------------===//
// What depends on a state
//===----------------------------------------------------------------------===//

namespace {
/// Follows a state to all values that depend on it.
class ReferenceAnalysis {
public:
  ReferenceAnalysis(const FusionPlan &plan, Operation *producer)
      : plan(plan), producer(producer) {}

  /// Returns the largest difference by which the state may lag behind, so that
  /// no term grows by more than e^threshold. Fails, with `refusal`, if this
  /// could change a result of the program.
  FailureOr<double> run(double threshold, Refusal &refusal);

private:
  // In this order, because the first user that refuses is named in the refusal.
  using Values = llvm::MapVector<Value, StateDependentValue>;

  void start(Values &values, Value value, RepairDegree degree);
  LogicalResult checkUses(Value value, Refusal &refusal);
  FailureOr<StateDependentValue>
  handOn(Operation *op, ArrayRef<StateDependentOperand> operands,
         bool isNeutral, Refusal &refusal);
  LogicalResult checkCancels(Values &values, Refusal &refusal);
  FailureOr<double> getExponent(Values &values, Refusal &refusal);
  LogicalResult checkTypes(double threshold, Refusal &refusal) const;

  /// Returns whether the levels around those that carry the state yield
  /// `result`.
  bool isYielded(OpResult result) const {
    return llvm::all_of(
        ArrayRef(plan.levels).take_front(plan.firstLevel),
        [&](const PlannedLevel &level) {
          const PlannedProducer *planned = level.lookup(result.getOwner());
          return planned && llvm::is_contained(planned->yieldedResults,
                                               result.getResultNumber());
        });
  }
  bool isInLoops(Operation *op) const {
    return op == plan.root || plan.isStateDependent(op);
  }
  SmallVector<StateDependentOperand>
  getStateDependentOperands(const Values &values, Operation *op) const {
    SmallVector<StateDependentOperand> operands;
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    for (OpOperand &operand : op->getOpOperands())
      if (auto it = values.find(operand.get());
          it != values.end() &&
          (!structured || structured.payloadUsesValueFromOperand(&operand)))
        operands.push_back({operand.getOperandNumber(), it->second});
    return operands;
  }

  const FusionPlan &plan;
  Operation *producer;
  /// The ops that the root depends on. Those that are not in the plan are
  /// computed before the loops.
  SetVector<Operation *> beforeRoot;
};
} // namespace

void ReferenceAnalysis::start(Values &values, Value value,
                              RepairDegree degree) {
  StateDependentValue stateDependent;
  stateDependent.degree = degree;
  stateDependent.rows =
      makeRowGroups(cast<RankedTensorType>(value.getType()).getShape());
  values[value] = stateDependent;
}

/// Checks the users of a value in which the state does not cancel. They must be
/// ops of this analysis, and read the value with the same state.
LogicalResult ReferenceAnalysis::checkUses(Value value, Refusal &refusal) {
  Operation *op = value.getDefiningOp();
  for (OpOperand &use : value.getUses()) {
    Operation *owner = use.getOwner();
    if (isa<tensor::DimOp>(owner))
      continue;
    if (owner->getBlock() != op->getBlock())
      return refusal.set(RefusalKind::Other, owner,
                         "what " + nameOf(op) +
                             " yields is used in another block");
    // Levels around the loops that carry the state need not yield it. Users
    // after these levels then compute it again.
    if (isInLoops(op) && op != plan.root && !isInLoops(owner) &&
        !isYielded(cast<OpResult>(value)))
      return refusal.set(RefusalKind::Other, owner,
                         nameOf(owner) + " takes what " + nameOf(op) +
                             " yields, which the outer loops do not");
    // Users outside of the loops read the original op, with the exact state.
    bool isExact =
        isInLoops(owner)
            ? !plan.isStateDependentOperand(owner, use.getOperandNumber())
            : beforeRoot.contains(owner);
    if (isExact)
      return refusal.set(RefusalKind::Other, owner,
                         nameOf(owner) + " needs what " + nameOf(op) +
                             " yields before the loops");
  }
  return success();
}

/// Returns how result 0 of `op`, which is computed from `operands`, depends on
/// the state. With `isNeutral`, assumes that an accumulation starts from its
/// neutral element.
FailureOr<StateDependentValue>
ReferenceAnalysis::handOn(Operation *op,
                          ArrayRef<StateDependentOperand> operands,
                          bool isNeutral, Refusal &refusal) {
  auto repairable = dyn_cast<RepairableOpInterface>(op);
  if (!repairable || op->getNumResults() != 1)
    return refusal.set(
        RefusalKind::Other, op,
        nameOf(op) +
            " uses what is not the same for a state that is rescaled lazily");
  Refusal whyNoElement, whyNoAccumulator;
  FailureOr<StateDependentValue> value =
      repairable.propagateRepair(operands, whyNoElement);
  if (succeeded(value) && value->degree.kind == RepairKind::Affine)
    value = whyNoElement.set(RefusalKind::NotRepairable, op,
                             "a part of it does not scale");
  if (succeeded(value))
    return value;
  FailureOr<AccumulatorRepair> repair =
      repairable.getAccumulatorRepair(operands, whyNoAccumulator);
  if (succeeded(repair) && repair->value.degree.kind == RepairKind::Affine)
    repair = whyNoAccumulator.set(RefusalKind::NotRepairable, op,
                                  "a part of it does not scale");
  if (failed(repair)) {
    auto tileable = dyn_cast<TilingInterface>(op);
    bool isElementwise =
        tileable && llvm::all_of(tileable.getLoopIteratorTypes(),
                                 [](utils::IteratorType type) {
                                   return type == utils::IteratorType::parallel;
                                 });
    return refusal.set(
        RefusalKind::Other, op,
        nameOf(op) + " does not follow a state that is rescaled lazily: " +
            (isElementwise ? whyNoElement : whyNoAccumulator).text);
  }
  Value init = cast<DestinationStyleOpInterface>(op)
                   .getDpsInitOperand(repair->resultNumber)
                   ->get();
  if (!isNeutral && !repair->value.degree.isInvariant() &&
      !isFilledWith(init, repair->neutral))
    return refusal.set(RefusalKind::NotNeutral, op,
                       nameOf(op) +
                           " accumulates on values that are not neutral");
  return repair->value;
}

/// Adds all values that depend on `values` to these. Fails if one of them is
/// used in a way that `checkUses` refuses.
LogicalResult ReferenceAnalysis::checkCancels(Values &values,
                                              Refusal &refusal) {
  for (const auto &entry : values)
    if (failed(checkUses(entry.first, refusal)))
      return failure();
  for (Operation &op : llvm::make_range(std::next(producer->getIterator()),
                                        producer->getBlock()->end())) {
    SmallVector<StateDependentOperand> operands =
        getStateDependentOperands(values, &op);
    if (operands.empty() || isa<tensor::DimOp>(op))
      continue;
    FailureOr<StateDependentValue> value =
        handOn(&op, operands, /*isNeutral=*/false, refusal);
    if (failed(value))
      return failure();
    if (value->degree.isInvariant())
      continue;
    values[op.getResult(0)] = *value;
    if (failed(checkUses(op.getResult(0), refusal)))
      return failure();
  }
  return success();
}

/// Returns the largest power of e^difference by which `values`, or values that
/// the loops compute from them, are scaled. Corrections by other states do not
/// count, because they may be applied after the loops.
FailureOr<double> ReferenceAnalysis::getExponent(Values &values,
                                                 Refusal &refusal) {
  double exponent = 0.0;
  SmallVector<Operation *> ops = plan.stateDependent;
  ops.push_back(plan.root);
  for (Operation *op : ops) {
    SmallVector<StateDependentOperand> operands =
        getStateDependentOperands(values, op);
    if (operands.empty())
      continue;
    // The root and its siblings are given neutral accumulators.
    FailureOr<StateDependentValue> value =
        handOn(op, operands, /*isNeutral=*/plan.isRootOrSibling(op), refusal);
    if (failed(value))
      return failure();
    if (value->degree.isInvariant())
      continue;
    if (value->degree.kind == RepairKind::Scale)
      exponent = std::max(exponent, std::abs(value->degree.coefficient));
    if (!plan.lookupState(op))
      values[op->getResult(0)] = *value;
  }
  return exponent;
}

/// Returns whether `op` accumulates a maximum or a minimum.
static bool isExtremum(Operation *op) {
  auto accumulator = dyn_cast<RepairableOpInterface>(op);
  FailureOr<Accumulation> accumulation = failure();
  if (accumulator)
    accumulation = accumulator.getAccumulation();
  return succeeded(accumulation) && accumulation->kind != AccumulationKind::Sum;
}

/// Returns whether `op` does arithmetic on terms, rather than creating or
/// moving them.
static bool isComputing(Operation *op) {
  return !isa<arith::DivFOp, arith::ExtFOp, arith::NegFOp, arith::SelectOp,
              arith::SubFOp, arith::TruncFOp, math::ExpOp, math::Exp2Op>(op);
}

/// Returns whether e^threshold fits all types in which the loops compute with
/// terms.
LogicalResult ReferenceAnalysis::checkTypes(double threshold,
                                            Refusal &refusal) const {
  auto check = [&](Operation *op, Type type,
                   bool isComputing) -> LogicalResult {
    auto floatType = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    if (!floatType)
      return success();
    double limit = getLimit(floatType.getFloatSemantics(), isComputing);
    if (threshold <= limit)
      return success();
    return refusal.set(
        RefusalKind::Other, op,
        llvm::formatv("expected a rescale threshold of at most {0:F2}, since "
                      "{1} {2} {3}, got {4}",
                      limit, nameOf(op), isComputing ? "computes in" : "yields",
                      Type(floatType), format("%g", threshold)));
  };
  SmallVector<Operation *> ops = plan.stateDependent;
  ops.push_back(plan.root);
  for (Operation *op : ops) {
    if (op->isBeforeInBlock(producer))
      continue;
    auto online = dyn_cast<OnlineReductionOpInterface>(op);
    if (!online && isExtremum(op))
      continue; // no terms
    // A narrow accumulator of the root or a sibling is widened, and so are its
    // products.
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (plan.isRootOrSibling(op) && structured &&
        linalg::isaContractionOpInterface(structured))
      continue;
    for (OpResult result : op->getResults())
      if (!plan.isRootOrSibling(op) &&
          (!online || llvm::is_contained(online.getPartialResults(),
                                         result.getResultNumber())) &&
          failed(check(op, result.getType(), /*isComputing=*/false)))
        return failure();
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        for (Type type : nested.getResultTypes())
          if (!nested.hasTrait<OpTrait::ConstantLike>() &&
              failed(check(op, type, isComputing(&nested))))
            return failure();
  }
  return success();
}

FailureOr<double> ReferenceAnalysis::run(double threshold, Refusal &refusal) {
  BackwardSliceOptions options;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) {
    return op->getBlock() == plan.root->getBlock();
  };
  (void)getBackwardSlice(plan.root, &beforeRoot, options);
  for (const PlannedSibling &sibling : plan.siblings) {
    SetVector<Operation *> needed;
    (void)getBackwardSlice(sibling.op, &needed, options);
    beforeRoot.insert_range(needed);
  }

  // 1. Check that the state cancels in all results of the program.
  Values values;
  auto online = dyn_cast<OnlineReductionOpInterface>(producer);
  for (unsigned number : getStateResults(producer)) {
    RepairDegree degree{RepairKind::Add, 1.0};
    if (online) {
      std::optional<RepairDegree> given = online.getReferenceDegree(number);
      if (!given || online.getRepairKind() != RepairKind::Scale)
        return refusal.set(RefusalKind::Other, producer,
                           "it has no reference that could be");
      degree = *given;
    }
    start(values, producer->getResult(number), degree);
  }
  Values terms = values;
  if (failed(checkCancels(values, refusal)))
    return failure();

  // 2. Check the size of terms. Partial results of an online reduction may be
  //    corrected only after the loops.
  if (online)
    for (unsigned number : online.getPartialResults()) {
      StateDependentValue &term = terms[producer->getResult(number)];
      term.degree = {RepairKind::Scale, -1.0};
      term.rows = makeRowGroups(
          online.getRepairDims(number),
          cast<RankedTensorType>(producer->getResult(number).getType())
              .getShape());
    }
  FailureOr<double> exponent = getExponent(terms, refusal);
  if (failed(exponent))
    return failure();
  if (*exponent == 0.0)
    return refusal.set(RefusalKind::Other, producer, "nothing is scaled by it");
  if (failed(checkTypes(threshold, refusal)))
    return failure();
  return threshold / *exponent;
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// Returns the states of `plan` from which `source` is computed.
static SetVector<const PlannedState *> getStates(const FusionPlan &plan,
                                                 Operation *source) {
  SetVector<const PlannedState *> states;
  SetVector<Operation *> worklist;
  worklist.insert(source);
  for (unsigned i = 0; i < worklist.size(); ++i) {
    if (const PlannedState *state = plan.lookupState(worklist[i])) {
      states.insert(state);
      continue;
    }
    for (Value operand : worklist[i]->getOperands())
      if (Operation *op = operand.getDefiningOp();
          op && plan.isStateDependent(op))
        worklist.insert(op);
  }
  return states;
}

/// Returns the number of dimensions of an accumulator along which the state
/// varies.
static int64_t countStateDims(const RowGroups &rows) {
  int64_t number = 0;
  for (const RowGroup &group : rows)
    if (!llvm::is_contained(group.stateDims, kRepeated))
      number += group.valueDims.size();
  return number;
}

void mlir::linalg_ext::planLazyRescaling(FusionPlan &plan, double threshold,
                                         bool ofElements) {
  for (PlannedState &state : plan.states) {
    bool isOnline = isa<OnlineReductionOpInterface>(state.producer);
    if ((!isOnline && !isExtremum(state.producer)) ||
        plan.lookupSibling(state.producer))
      continue;
    if (isOnline && state.normalization != NormalizationForm::Delayed) {
      state.notLazy = {RefusalKind::Other, state.producer,
                       "its results are normalised in every tile"};
      continue;
    }
    FailureOr<double> distance =
        ReferenceAnalysis(plan, state.producer).run(threshold, state.notLazy);
    if (succeeded(distance))
      state.rescaleThreshold = *distance;
  }

  // If an accumulator is no larger than the state, deciding whether to scale it
  // costs as much as scaling it. If something else scales the accumulator in
  // each tile, both scalings are done at once. A conditional repair saves
  // nothing in these cases.
  SetVector<const PlannedState *> useful;
  for (PlannedRepair &repair : plan.repairs) {
    auto type = cast<RankedTensorType>(
        repair.accumulator->getResult(repair.resultNumber).getType());
    auto isScaling = [](const PlannedFactor &factor) {
      return factor.value.degree.kind == RepairKind::Scale && !factor.deferred;
    };
    bool isConditional = true;
    for (PlannedFactor &factor : repair.factors) {
      if (!isScaling(factor))
        continue;
      SetVector<const PlannedState *> states = getStates(plan, factor.source);
      isConditional &=
          llvm::all_of(states,
                       [](const PlannedState *state) {
                         return state->rescaleThreshold.has_value();
                       }) &&
          countStateDims(factor.value.rows) < type.getRank();
    }
    for (PlannedFactor &factor : repair.factors) {
      factor.conditional = isConditional && isScaling(factor);
      factor.ofElements = factor.conditional && ofElements;
      if (factor.conditional)
        useful.insert_range(getStates(plan, factor.source));
    }
  }
  for (PlannedState &state : plan.states)
    if (state.rescaleThreshold && !useful.contains(&state)) {
      state.rescaleThreshold.reset();
      state.notLazy = {RefusalKind::Other, state.producer,
                       "no larger accumulator is scaled by it alone"};
    }
}
