//===- RepairAnalysis.cpp - Finds the repairs of accumulators -------------===//
//
// A source is a value through which a state reaches what is accumulated. The
// analysis follows one source at a time and takes all others as constant. This
// suffices: if a term scales by r when one source changes, whatever the others
// are, and by r' when another source changes, it scales by r r' when both
// change. So an accumulator gets one factor for each source.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Plan/RepairAnalysis.h"

#include "mlir-ext/Fusion/Plan/PlanLazyRescaling.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::linalg_ext;

bool mlir::linalg_ext::isFilledWith(Value value, TypedAttr neutral) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.getDpsInputOperand(0)->get();
  Attribute attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return false;
  if (auto splat = dyn_cast<SplatElementsAttr>(attr))
    attr = splat.getSplatValue<Attribute>();
  if (attr == neutral)
    return true;
  // +0 and -0 are both neutral.
  auto lhs = dyn_cast<FloatAttr>(attr), rhs = dyn_cast<FloatAttr>(neutral);
  return lhs && rhs && lhs.getValue().isZero() && rhs.getValue().isZero();
}

namespace {
/// A value through which a state reaches tiles.
struct Source {
  OpResult value;
  /// The measures in which the source may be followed, in order of preference.
  SmallVector<Measure, 2> measures;
};

/// A measure for a source, and the accumulators that depend on the source in
/// this measure.
struct Way {
  Measure measure;
  SmallVector<ReachedAccumulator> reached;

  bool has(RepairKind kind) const {
    return llvm::any_of(reached, [&](const ReachedAccumulator &r) {
      return r.repair.value.degree.kind == kind;
    });
  }
};

class RepairAnalysis {
public:
  RepairAnalysis(FusionPlan &plan, unsigned index, LevelAnalysis &analysis,
                 const TileAndFuseOptions &options,
                 const AuxiliaryAccumulators &auxiliaries)
      : plan(plan), level(plan.levels[index]), analysis(analysis),
        options(options), auxiliaries(auxiliaries) {}

  LogicalResult run(Refusal &refusal);

private:
  LogicalResult collectStates(Refusal &refusal);
  LogicalResult checkUses(Refusal &refusal);
  LogicalResult collectSources(Refusal &refusal);
  FailureOr<Way> chooseWay(const Source &source, Operation *&obstacle,
                           Refusal &refusal) const;
  LogicalResult checkGiven(Operation *producer,
                           ArrayRef<ReachedAccumulator> reached,
                           Refusal &refusal);
  bool mayDefer(const Way &way) const;
  LogicalResult checkAffine(const Source &source, const Way &way,
                            Refusal &refusal) const;
  LogicalResult checkRatio(const Source &source, const Way &way,
                           Refusal &refusal) const;
  LogicalResult record(const Source &source, const Way &way, Refusal &refusal);
  LogicalResult attachTerms(const Source &source, const Way &way,
                            const ReachedAccumulator &reached,
                            PlannedFactor &factor, Refusal &refusal);
  LogicalResult checkTerms(Refusal &refusal) const;
  const BuiltTerms *lookupTerms(Operation *accumulator, Value source) const;

  /// The form of normalisation for accumulators that do not need normalised
  /// terms. A root (or sibling) with carried results chooses between terms. It
  /// does so before normalisation, so that equal terms stay equal: the rounding
  /// of a repair in each tile could make them differ.
  NormalizationForm getNormalization() const {
    auto accumulator = dyn_cast<RepairableOpInterface>(plan.root);
    FailureOr<Accumulation> accumulation = failure();
    if (accumulator)
      accumulation = accumulator.getAccumulation();
    bool holdsTerms = succeeded(accumulation) && !accumulation->carried.empty();
    for (const PlannedSibling &sibling : plan.siblings)
      holdsTerms |= !cast<RepairableOpInterface>(sibling.op)
                         .getAccumulation()
                         ->carried.empty();
    return holdsTerms ? NormalizationForm::Delayed : options.normalization;
  }
  bool isState(Operation *op) const { return plan.lookupState(op); }

  FusionPlan &plan;
  const PlannedLevel &level;
  LevelAnalysis &analysis;
  const TileAndFuseOptions &options;
  const AuxiliaryAccumulators &auxiliaries;
  SmallVector<Source> sources;
  /// The number of sources recorded so far.
  unsigned stage = 0;
};
} // namespace

/// Collects the states that the level carries, and the ops that depend on them.
LogicalResult RepairAnalysis::collectStates(Refusal &refusal) {
  for (const PlannedProducer &producer : llvm::reverse(level.producers)) {
    Operation *op = producer.op;
    if (!producer.fused)
      continue;
    bool isStateDependent = producer.partial;
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *source = operand.get().getDefiningOp();
      isStateDependent |=
          source && plan.isStateDependent(source) && analysis.isEdge(operand);
    }
    if (isStateDependent)
      plan.stateDependent.push_back(op);
    if (!producer.partial)
      continue;
    PlannedState state;
    state.producer = op;
    if (auto online = dyn_cast<OnlineReductionOpInterface>(op)) {
      if (online.isOnline())
        return refusal.set(RefusalKind::CutAlready, op,
                           nameOf(op) +
                               " is cut already: expected all levels of one "
                               "root to be given together");
      // A tile of the root is final after its last iteration. A result along a
      // parallel dimension of the root could not be repaired when the state
      // changes later.
      auto iterators = cast<TilingInterface>(plan.root).getLoopIteratorTypes();
      for (unsigned onlineDim : online.getOnlineDims())
        for (unsigned dim : analysis.getCuts(op, onlineDim).set_bits())
          if (iterators[dim] != utils::IteratorType::reduction)
            return refusal.set(
                RefusalKind::NotAccumulated, op,
                llvm::formatv("expected the dimension that {0} "
                              "reduces to be cut by a reduction of "
                              "the root, got parallel dimension {1}",
                              nameOf(op), dim));
      state.normalization = getNormalization();
      if (!online.supportsNormalization(state.normalization)) {
        state.normalization = state.normalization == NormalizationForm::Delayed
                                  ? NormalizationForm::Eager
                                  : NormalizationForm::Delayed;
        if (!online.supportsNormalization(state.normalization))
          return refusal.set(RefusalKind::NotRepairable, op,
                             nameOf(op) + " supports no form of normalisation");
      }
    }
    plan.states.push_back(state);
  }
  return checkUses(refusal);
}

/// Records the operands that read state-dependent tiles. A payload must not
/// capture such a value, because it would read the whole value.
LogicalResult RepairAnalysis::checkUses(Refusal &refusal) {
  for (Operation *op : plan.stateDependent)
    for (OpOperand &use : op->getUses()) {
      Operation *user = op->getBlock()->findAncestorOpInBlock(*use.getOwner());
      if (!user || (user != plan.root && !plan.isStateDependent(user)))
        continue;
      if (use.getOwner() != user)
        return refusal.set(RefusalKind::Other, user,
                           nameOf(user) + " captures what " + nameOf(op) +
                               " yields, which follows a state");
      if (analysis.isEdge(use))
        plan.stateDependentOperands.push_back({user, use.getOperandNumber()});
    }
  return success();
}

/// Returns whether `op` starts from NaN, as accumulations that drop NaN may.
/// The difference between the first state and a later one is then not a number.
static bool startsFromNaN(Operation *op, unsigned resultNumber) {
  Value init = cast<DestinationStyleOpInterface>(op)
                   .getDpsInitOperand(resultNumber)
                   ->get();
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getDpsInputOperand(0)->get();
  Attribute attr;
  if (!matchPattern(init, m_Constant(&attr)))
    return false;
  if (auto splat = dyn_cast<SplatElementsAttr>(attr))
    attr = splat.getSplatValue<Attribute>();
  auto number = dyn_cast<FloatAttr>(attr);
  return number && number.getValue().isNaN();
}

/// Collects the sources: results of states, and of ops computed only from
/// states, that tiles are computed from.
LogicalResult RepairAnalysis::collectSources(Refusal &refusal) {
  for (Operation *op : plan.stateDependent) {
    if (!isState(op) && !plan.isWhole(op))
      continue;
    auto online = dyn_cast<OnlineReductionOpInterface>(op);
    // No tile may read a result that is carried together with an accumulator.
    SmallVector<unsigned> states;
    if (online)
      states = online.getStateResults();
    else if (isState(op))
      states = {
          cast<RepairableOpInterface>(op).getAccumulation()->resultNumber};
    SmallVector<bool> isSource(op->getNumResults());
    for (OpOperand *use : analysis.getEdges(op))
      if (!plan.isWhole(use->getOwner()) &&
          !auxiliaries.operands.contains(
              {use->getOwner(), use->getOperandNumber()}))
        isSource[cast<OpResult>(use->get()).getResultNumber()] = true;
    for (auto [number, used] : llvm::enumerate(isSource)) {
      if (!used)
        continue;
      Source source{op->getResult(number), {}};
      if (online && llvm::is_contained(online.getPartialResults(), number))
        source.measures = {Measure::Given};
      else if (!online && isState(op) && startsFromNaN(op, number))
        return refusal.set(RefusalKind::Other, op,
                           nameOf(op) +
                               " starts from NaN, from which no repair "
                               "leads; fill it with its neutral element");
      else if (!isState(op) || llvm::is_contained(states, unsigned(number)))
        source.measures = {Measure::Difference, Measure::Ratio};
      else
        return refusal.set(RefusalKind::NotRepairable, op,
                           llvm::formatv("expected a repairable result or "
                                         "the state of {0} to be used "
                                         "inside the loops that cut the "
                                         "dimension it reduces, got result "
                                         "{1}",
                                         nameOf(op), number));
      sources.push_back(source);
    }
  }
  return success();
}

/// Returns how the result of `op` depends on the source. `op` must be neither a
/// state nor the root.
static FailureOr<StateDependentValue>
handOn(RepairableOpInterface op, ArrayRef<StateDependentOperand> operands,
       Refusal &refusal) {
  Refusal why;
  FailureOr<StateDependentValue> value = op.propagateRepair(operands, refusal);
  if (succeeded(value))
    return value;
  // An accumulation along other dimensions propagates a repair, too, if it
  // starts from its neutral element.
  FailureOr<AccumulatorRepair> repair = op.getAccumulatorRepair(operands, why);
  if (failed(repair)) {
    if (succeeded(op.getAccumulation()))
      refusal = why;
    return failure();
  }
  Value init = cast<DestinationStyleOpInterface>(op.getOperation())
                   .getDpsInitOperand(repair->resultNumber)
                   ->get();
  if (op->getNumResults() != 1 || !isFilledWith(init, repair->neutral))
    return refusal.set(RefusalKind::NotNeutral, op,
                       "it accumulates on values that are not neutral");
  return repair->value;
}

/// Returns whether no element of `value` is negative, as far as the ops that
/// compute it tell.
static bool isNonNegative(Value value, unsigned depth) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.getDpsInputOperand(0)->get();
  if (Attribute attr; matchPattern(value, m_Constant(&attr))) {
    if (auto splat = dyn_cast<SplatElementsAttr>(attr))
      attr = splat.getSplatValue<Attribute>();
    auto number = dyn_cast<FloatAttr>(attr);
    return number && number.getValueAsDouble() >= 0.0;
  }
  auto op = value.getDefiningOp<RepairableOpInterface>();
  if (!op || depth == 0 || op->getNumResults() != 1)
    return false;
  SmallVector<unsigned> operands;
  for (OpOperand &operand : op->getOpOperands())
    if (isNonNegative(operand.get(), depth - 1))
      operands.push_back(operand.getOperandNumber());
  return op.isNonNegative(operands);
}

/// Returns whether the elements of `operand` are read, and not only its shape.
static bool isRead(OpOperand &operand) {
  auto op = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  return !op || op.payloadUsesValueFromOperand(&operand);
}

/// Returns how `source` depends on its own measure.
static StateDependentValue getStart(OpResult source, Measure measure) {
  StateDependentValue start;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(source.getType()).getShape();
  if (measure == Measure::Given) {
    auto online = cast<OnlineReductionOpInterface>(source.getOwner());
    start.degree = {online.getRepairKind(), 1.0};
    start.rows =
        makeRowGroups(online.getRepairDims(source.getResultNumber()), shape);
    return start;
  }
  start.degree = {measure == Measure::Difference ? RepairKind::Add
                                                 : RepairKind::Scale,
                  1.0};
  start.rows = makeRowGroups(shape);
  start.isSigned =
      measure == Measure::Ratio && !isNonNegative(source, /*depth=*/8);
  return start;
}

FailureOr<FollowedSource> mlir::linalg_ext::followSource(const FusionPlan &plan,
                                                         OpResult source,
                                                         Measure measure,
                                                         Refusal &refusal,
                                                         Operation **obstacle) {
  Operation *producer = source.getOwner();
  std::string name = nameOf(producer);
  FollowedSource followed;
  DenseMap<Value, StateDependentValue> &values = followed.values;
  values[source] = getStart(source, measure);
  // Only a factor that may be deferred can be separated from the constant term.
  bool mayBeAffine = measure == Measure::Ratio;
  auto isAffine = [](const StateDependentValue &value) {
    return value.degree.kind == RepairKind::Affine;
  };

  SmallVector<Operation *> ops = plan.stateDependent;
  ops.push_back(plan.root);
  for (Operation *op : ops) {
    if (op == producer || plan.isWhole(op))
      continue; // a source of its own
    SmallVector<StateDependentOperand> operands;
    for (OpOperand &operand : op->getOpOperands())
      if (auto it = values.find(operand.get());
          it != values.end() &&
          plan.isStateDependentOperand(op, operand.getOperandNumber()) &&
          isRead(operand))
        operands.push_back({operand.getOperandNumber(), it->second});
    if (operands.empty())
      continue;
    auto repairable = dyn_cast<RepairableOpInterface>(op);
    if (!repairable)
      return refusal.set(RefusalKind::NotRepairable, op,
                         llvm::formatv("expected an op that commutes with "
                                       "the repair of {0}, got {1}",
                                       name, nameOf(op)));
    Refusal why;
    if (op == plan.root || plan.lookupState(op)) {
      FailureOr<AccumulatorRepair> repair =
          repairable.getAccumulatorRepair(operands, why);
      if (succeeded(repair) && !mayBeAffine && isAffine(repair->value))
        repair = why.set(RefusalKind::NotRepairable, op,
                         "the accumulated term is not a multiple or a shift of "
                         "what the repair makes of it");
      if (failed(repair))
        return refusal.set(why.kind, op,
                           "the accumulator of " + nameOf(op) +
                               " cannot be repaired after " + name + ": " +
                               why.text);
      if (repair->value.degree.isInvariant())
        return refusal.set(RefusalKind::Other, op,
                           nameOf(op) + " depends on " + name +
                               " in a way that cancels");
      followed.reached.push_back({op, *repair});
      continue;
    }
    FailureOr<StateDependentValue> value = handOn(repairable, operands, why);
    if (succeeded(value) && !mayBeAffine && isAffine(*value))
      value = why.set(RefusalKind::NotRepairable, op,
                      "the result is not a multiple or a shift of what the "
                      "repair makes of it");
    if (failed(value) && obstacle)
      *obstacle = op;
    if (failed(value))
      return refusal.set(why.kind, op,
                         nameOf(op) + " between " + name +
                             " and the root does not commute with the "
                             "repair: " +
                             why.text);
    // Without a repair, nothing would prevent tiles from reading an infinite
    // source.
    if (value->degree.isInvariant())
      return refusal.set(RefusalKind::Other, op,
                         nameOf(op) + " depends on " + name +
                             " in a way that cancels");
    values[op->getResult(0)] = *value;
  }
  return followed;
}

/// Checks that the repair which an online reduction builds is valid for all
/// accumulators that depend on it.
LogicalResult RepairAnalysis::checkGiven(Operation *producer,
                                         ArrayRef<ReachedAccumulator> reached,
                                         Refusal &refusal) {
  auto online = cast<OnlineReductionOpInterface>(producer);
  PlannedState &state = *plan.lookupState(producer);
  for (const ReachedAccumulator &r : reached) {
    // If the old state had seen no element, rho is 0, and has no inverse. 553T:
    if (r.repair.value.degree.kind == RepairKind::Scale &&
        r.repair.value.degree.coefficient < 0)
      return refusal.set(RefusalKind::NotRepairable, r.op,
                         nameOf(r.op) + " divides by what " + nameOf(producer) +
                             " yields");
    // Inner accumulators need normalised terms.
    if (plan.isRootOrSibling(r.op) ||
        state.normalization == NormalizationForm::Eager)
      continue;
    if (!online.supportsNormalization(NormalizationForm::Eager))
      return refusal.set(RefusalKind::NotRepairable, r.op,
                         nameOf(producer) +
                             " supports no form of normalisation that " +
                             nameOf(r.op) + " can accumulate");
    state.normalization = NormalizationForm::Eager;
  }
  return success();
}

const BuiltTerms *RepairAnalysis::lookupTerms(Operation *accumulator,
                                              Value source) const {
  auto it = llvm::find_if(auxiliaries.terms, [&](const BuiltTerms &built) {
    return built.accumulator == accumulator && built.source == source;
  });
  return it == auxiliaries.terms.end() ? nullptr : &*it;
}

/// Returns whether a factor can be left out in the loops and multiplied with
/// the accumulator after them. This works for the root and its siblings. An
/// inner accumulator is needed in the loops. A derivative of the root is needed
/// for the root alone, which lacks the same factor.
bool RepairAnalysis::mayDefer(const Way &way) const {
  auto isOfRoot = [&](Operation *op) {
    return plan.isRootOrSibling(op) ||
           llvm::any_of(auxiliaries.terms, [&](const BuiltTerms &built) {
             auto isTerm = [&](const PlannedTerm &term) {
               return term.op == op;
             };
             return built.accumulator == plan.root &&
                    (llvm::any_of(built.derivatives, isTerm) ||
                     (built.constant && isTerm(*built.constant)));
           });
  };
  return way.measure == Measure::Ratio &&
         getNormalization() == NormalizationForm::Delayed &&
         llvm::any_of(way.reached,
                      [&](const ReachedAccumulator &r) {
                        return plan.isRootOrSibling(r.op);
                      }) &&
         llvm::all_of(way.reached, [&](const ReachedAccumulator &r) {
           return isOfRoot(r.op) && !r.repair.value.isCompared &&
                  !r.repair.value.isRounded;
         });
}

/// Checks whether an affine root can be separated: it becomes its scaled part,
/// and the constant term is added after the loops.
LogicalResult RepairAnalysis::checkAffine(const Source &source, const Way &way,
                                          Refusal &refusal) const {
  if (!way.has(RepairKind::Affine))
    return success();
  for (const ReachedAccumulator &r : way.reached) {
    const StateDependentValue &value = r.repair.value;
    if (value.degree.kind != RepairKind::Affine)
      continue;
    std::string what = nameOf(r.op) + " scales with " +
                       nameOf(source.value.getOwner()) + " in part";
    if (r.op != plan.root)
      return refusal.set(RefusalKind::NotRepairable, r.op,
                         what + " and is needed inside the loops");
    // The constant term would be a second contraction, not a bias: x in x -
    // mean. The mean should be subtracted before the contraction instead.
    auto type = cast<RankedTensorType>(
        plan.root->getResult(r.repair.resultNumber).getType());
    if (static_cast<int64_t>(value.constantDims.size()) == type.getRank())
      return refusal.set(RefusalKind::NotRepairable, r.op,
                         what + ", expected the rest to vary along fewer "
                                "dimensions than the result does");
    bool hasTerms =
        llvm::any_of(auxiliaries.terms, [&](const BuiltTerms &built) {
          return built.accumulator == plan.root;
        });
    if (hasTerms || auxiliaries.inseparable.contains(source.value))
      return refusal.set(RefusalKind::NotRepairable, r.op,
                         what + ", which cannot be told from the rest");
  }
  return success();
}

/// Checks the repair by a ratio, unless the factor can be deferred. A ratio
/// that may be 0 or change its sign cannot repair an accumulator. Nor can an
/// inner accumulator grow with the source, because the final source may be
/// infinite.
LogicalResult RepairAnalysis::checkRatio(const Source &source, const Way &way,
                                         Refusal &refusal) const {
  if (mayDefer(way))
    return success();
  for (const ReachedAccumulator &r : way.reached) {
    const StateDependentValue &value = r.repair.value;
    if (way.measure == Measure::Ratio && value.isSigned)
      return refusal.set(RefusalKind::NotRepairable, r.op,
                         nameOf(r.op) +
                             " follows the ratio of what may be negative");
    if (way.measure != Measure::Given && !plan.isRootOrSibling(r.op) &&
        value.degree.kind == RepairKind::Scale && value.degree.coefficient > 0)
      return refusal.set(RefusalKind::NotRepairable, r.op,
                         nameOf(r.op) + " grows with " +
                             nameOf(source.value.getOwner()) +
                             " and is needed inside the loops");
  }
  return success();
}

/// Chooses the measure of a source. Of those that work, prefers one that needs
/// no auxiliary accumulators, then one that needs no derivatives.
FailureOr<Way> RepairAnalysis::chooseWay(const Source &source,
                                         Operation *&obstacle,
                                         Refusal &refusal) const {
  std::optional<Way> affine, polynomial;
  for (Measure measure : source.measures) {
    Refusal why;
    FailureOr<FollowedSource> followed =
        followSource(plan, source.value, measure, why,
                     measure == source.measures.front() ? &obstacle : nullptr);
    if (succeeded(followed)) {
      Way way{measure, followed->reached};
      if (!way.has(RepairKind::Affine) && !way.has(RepairKind::Polynomial))
        return way;
      if (!way.has(RepairKind::Affine))
        polynomial = way;
      else if (succeeded(checkAffine(source, way, why)) &&
               succeeded(checkRatio(source, way, why)))
        affine = way;
      else
        refusal = why; // says more than how the other way fails
    }
    if (!refusal.isSet())
      refusal = why;
  }
  if (affine)
    return *affine;
  if (polynomial)
    return *polynomial;
  return failure();
}

/// Sets the terms of `factor` that have been built, or records in the plan that
/// they have to be built.
LogicalResult RepairAnalysis::attachTerms(const Source &source, const Way &way,
                                          const ReachedAccumulator &reached,
                                          PlannedFactor &factor,
                                          Refusal &refusal) {
  RepairKind kind = factor.value.degree.kind;
  const BuiltTerms *built = lookupTerms(reached.op, source.value);
  if (kind == RepairKind::Polynomial) {
    auto accumulator = cast<RepairableOpInterface>(reached.op);
    if (accumulator.getAccumulation()->kind != AccumulationKind::Sum)
      return refusal.set(RefusalKind::NotRepairable, reached.op,
                         nameOf(reached.op) +
                             " follows a polynomial, expected it to "
                             "accumulate a sum");
  }
  if (!built) {
    plan.needsDerivatives |=
        kind == RepairKind::Polynomial || kind == RepairKind::Affine;
    return success();
  }
  factor.derivatives = built->derivatives;
  factor.unscaled = built->constant;
  // Outside of the loops, they would be computed from the final value of the
  // source.
  SmallVector<PlannedTerm> terms = factor.derivatives;
  if (factor.unscaled)
    terms.push_back(*factor.unscaled);
  for (const PlannedTerm &term : terms)
    if (!isState(term.op))
      return refusal.set(RefusalKind::Other, reached.op,
                         "the loops do not carry the derivatives of " +
                             nameOf(reached.op));
  return success();
}

LogicalResult RepairAnalysis::record(const Source &source, const Way &way,
                                     Refusal &refusal) {
  if (failed(checkRatio(source, way, refusal)))
    return failure();
  if (way.measure == Measure::Given &&
      failed(checkGiven(source.value.getOwner(), way.reached, refusal)))
    return failure();
  for (const ReachedAccumulator &r : way.reached) {
    PlannedRepair *repair = plan.lookupRepair(r.op);
    if (!repair) {
      Value init = cast<DestinationStyleOpInterface>(r.op)
                       .getDpsInitOperand(r.repair.resultNumber)
                       ->get();
      if (!plan.isRootOrSibling(r.op) && !isFilledWith(init, r.repair.neutral))
        return refusal.set(RefusalKind::NotNeutral, r.op,
                           nameOf(r.op) + " accumulates on values that are not "
                                          "neutral, which cannot be repaired");
      plan.repairs.push_back(
          PlannedRepair{r.op, r.repair.resultNumber, r.repair.neutral, {}});
      repair = &plan.repairs.back();
    }
    PlannedFactor factor;
    factor.source = source.value.getOwner();
    factor.resultNumber = source.value.getResultNumber();
    factor.measure = way.measure;
    factor.value = r.repair.value;
    factor.deferred = mayDefer(way);
    factor.isComputed = !isState(factor.source);
    factor.stage = stage;
    if (failed(attachTerms(source, way, r, factor, refusal)))
      return failure();
    repair->factors.push_back(factor);
    plan.exactness = std::max(plan.exactness, r.repair.value.isRounded
                                                  ? Exactness::Rounding
                                                  : Exactness::Reassociated);
  }
  ++stage;
  return success();
}

/// Checks that the loops compute the derivatives of each accumulator. Every
/// factor that scales the accumulator in the loops must scale its derivatives.
/// All derivatives but the last must depend on the source of the derivative.
/// Otherwise they were computed from the final value, outside of the loops.
LogicalResult RepairAnalysis::checkTerms(Refusal &refusal) const {
  auto follows = [&](Operation *op, const PlannedFactor &factor) {
    const PlannedRepair *repair = plan.lookupRepair(op);
    return repair &&
           llvm::any_of(repair->factors, [&](const PlannedFactor &other) {
             return other.source == factor.source &&
                    other.resultNumber == factor.resultNumber;
           });
  };
  for (const PlannedRepair &repair : plan.repairs)
    for (const PlannedFactor &factor : repair.factors)
      for (auto [index, derivative] : llvm::enumerate(factor.derivatives)) {
        bool areThere = index + 1 == factor.derivatives.size() ||
                        follows(derivative.op, factor);
        for (const PlannedFactor &other : repair.factors)
          areThere &= other.value.degree.kind != RepairKind::Scale ||
                      other.deferred || follows(derivative.op, other);
        if (!areThere)
          return refusal.set(
              RefusalKind::Other, repair.accumulator,
              "the loops do not compute what the derivatives of " +
                  nameOf(repair.accumulator) + " are accumulated from");
      }
  return success();
}

LogicalResult RepairAnalysis::run(Refusal &refusal) {
  if (failed(collectStates(refusal)) || failed(collectSources(refusal)))
    return failure();
  for (const Source &source : sources) {
    Refusal why;
    Operation *obstacle = nullptr;
    FailureOr<Way> way = chooseWay(source, obstacle, why);
    if (failed(way)) {
      auto accumulator = dyn_cast_if_present<RepairableOpInterface>(obstacle);
      if (accumulator && succeeded(accumulator.getAccumulation()))
        plan.obstacles.push_back({obstacle, plan.firstLevel, why});
      refusal = why;
      return failure();
    }
    if (failed(record(source, *way, refusal)))
      return failure();
  }
  if (failed(checkTerms(refusal)))
    return failure();
  llvm::sort(plan.repairs, [&](const auto &lhs, const auto &rhs) {
    auto isBefore = [&](Operation *op, Operation *other) {
      return op != other && op->isBeforeInBlock(other);
    };
    return isBefore(lhs.accumulator, rhs.accumulator);
  });
  if (plan.exactness > options.exactness)
    return refusal.set(
        RefusalKind::TooInexact, plan.root,
        llvm::formatv("expected a fusion that is {0}, got one that is "
                      "{1}",
                      stringify(options.exactness), stringify(plan.exactness)));
  return success();
}

LogicalResult mlir::linalg_ext::planRepairs(
    FusionPlan &plan, unsigned index, LevelAnalysis &analysis,
    const TileAndFuseOptions &options, const AuxiliaryAccumulators &auxiliaries,
    Refusal &refusal) {
  plan.firstLevel = plan.lastLevel = index;
  if (failed(RepairAnalysis(plan, index, analysis, options, auxiliaries)
                 .run(refusal)))
    return failure();
  if (options.rescaleThreshold)
    planLazyRescaling(plan, *options.rescaleThreshold, options.rescaleElements);
  return success();
}
