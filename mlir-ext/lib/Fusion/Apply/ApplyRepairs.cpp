//===- ApplyRepairs.cpp - Repairs accumulators in loops -------------------===//
//
// The repairs of a plan, in three places. Before the loops, accumulators get a
// neutral init of at least f32. In the innermost loop that carries the states,
// accumulators are repaired from the old state to the new one, and tiles read
// sources that are never singular. After the outermost of these loops, the
// factors that the loops left out are applied.
//
//===----------------------------------------------------------------------===//

#include "ApplyRepairs.h"
#include "BuildRepair.h"
#include "LazyRescaling.h"
#include "mlir-ext/Fusion/Apply/PolynomialRepair.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"
#include "mlir-ext/Fusion/Plan/RepairAnalysis.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Before the loops
//===----------------------------------------------------------------------===//

/// Prepares the accumulator of `repair`. It must start from the neutral
/// element; otherwise the first repair would change the initial value. And it
/// must be at least as wide as f32, the narrowest type of a state. If it does
/// not meet this, the root or sibling is replaced by one that accumulates into
/// a neutral, wide tensor. The original init is combined with the result
/// afterwards.
SmallVector<Value>
RepairApplier::prepareAccumulator(const PlannedRepair &repair) {
  unsigned number = repair.resultNumber;
  Operation *op = ops.getCurrent(repair.accumulator);
  Value init =
      cast<DestinationStyleOpInterface>(op).getDpsInitOperand(number)->get();
  auto type = cast<FloatType>(getElementTypeOrSelf(init));
  bool narrow = type.getWidth() < 32;
  if (!narrow && isFilledWith(init, repair.neutral))
    return {};
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  TypedAttr neutral = repair.neutral;
  if (narrow) {
    type = rewriter.getF32Type();
    neutral = rewriter.getFloatAttr(
        type, cast<FloatAttr>(neutral).getValueAsDouble());
  }
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, init), type);
  Value scalar = arith::ConstantOp::create(rewriter, loc, neutral);
  SmallVector<Value> inits =
      cast<DestinationStyleOpInterface>(op).getDpsInits();
  SmallVector<Value> neutralInits = inits;
  neutralInits[number] =
      linalg::FillOp::create(rewriter, loc, scalar, empty).getResult(0);
  auto repairable = cast<RepairableOpInterface>(op);
  Operation *wide = repairable.accumulateInto(rewriter, loc, neutralInits);
  wide->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  SmallVector<Value> combined =
      repairable.combineAccumulators(rewriter, loc, inits, wide->getResults());
  ops.setCurrent(repair.accumulator, wide);
  rewriter.replaceOp(op, combined);
  return combined;
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

/// Returns the factor for the tiles of the current level.
FailureOr<TileFactor>
RepairApplier::getTileFactor(const PlannedRepair &repair,
                             const PlannedFactor &factor) const {
  if (!ops.hasParts())
    return TileFactor(factor);
  Operation *accumulator = ops.getCurrent(repair.accumulator);
  auto follows = [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (ops.isPart(op))
      return true;
    Operation *planned = op == ops.root ? plan.root : ops.getPlanned(op);
    if (!planned || (op != accumulator &&
                     (plan.lookupState(planned) || plan.isWhole(planned))))
      return false; // a source of its own
    return plan.isStateDependentOperand(planned, use.getOperandNumber());
  };
  return linalg_ext::getTileFactor(
      factor, accumulator, repair.resultNumber, ops.getSource(factor), follows,
      [&](Operation *op) { return ops.isPart(op); });
}

LogicalResult RepairApplier::findFactors() {
  if (!ops.hasParts())
    return success();
  for (const PlannedRepair &repair : plan.repairs)
    for (const PlannedFactor &factor : repair.factors) {
      FailureOr<TileFactor> ofTile = getTileFactor(repair, factor);
      if (failed(ofTile))
        return ops.refusal.set(
            RefusalKind::ReshapedTile, ops.getCurrent(repair.accumulator),
            "which of the rows that it accumulates belong to which of the "
            "state is not known where tiles are parts of others");
      outerFactors.insert(
          {{repair.accumulator, factor.source, factor.resultNumber}, *ofTile});
    }
  return success();
}

TileFactor RepairApplier::getOuterFactor(const PlannedRepair &repair,
                                         const PlannedFactor &factor) const {
  auto it = outerFactors.find(
      {repair.accumulator, factor.source, factor.resultNumber});
  return it == outerFactors.end() ? TileFactor(factor) : it->second;
}

//===----------------------------------------------------------------------===//
// Repairing
//===----------------------------------------------------------------------===//

FailureOr<Value> RepairApplier::rebuild(Value value,
                                        const DenseMap<Value, Value> &states,
                                        DenseMap<Value, Value> &rebuilt,
                                        bool guards) {
  if (auto it = states.find(value); it != states.end())
    return it->second;
  if (auto it = rebuilt.find(value); it != rebuilt.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  Operation *planned = op ? ops.getPlanned(op) : nullptr;
  // A value depends on a state only if an op of the plan that depends on one
  // computes it.
  if (!planned || !plan.isStateDependent(planned))
    return value;
  if (!plan.isWhole(planned))
    return failure();
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    FailureOr<Value> other = rebuild(operand, states, rebuilt, guards);
    if (failed(other))
      return failure();
    std::optional<PlannedFactor> guard = guards && states.contains(operand)
                                             ? getStateGuard(operand)
                                             : std::nullopt;
    mapping.map(operand, guard ? buildGuardedSource(rewriter, op->getLoc(),
                                                    *guard, *other)
                               : *other);
  }
  Operation *copy = rewriter.clone(*op, mapping);
  for (auto [result, other] : llvm::zip(op->getResults(), copy->getResults()))
    rebuilt[result] = other;
  return rebuilt[value];
}

/// If `value` is a state that starts as an infinity, returns its guard. Ops
/// that are computed from states alone would turn an infinity into NaN, and no
/// repair can undo that. So they read 0 while the maximum or minimum has seen
/// no element. Any finite number would do.
std::optional<PlannedFactor> RepairApplier::getStateGuard(Value value) {
  Operation *op = value.getDefiningOp();
  unsigned number = cast<OpResult>(value).getResultNumber();
  auto online = dyn_cast<OnlineReductionOpInterface>(op);
  TypedAttr identity;
  if (online)
    identity = online.getStateIdentity(number);
  else if (auto accumulator = dyn_cast<RepairableOpInterface>(op))
    if (Accumulation accumulation = *accumulator.getAccumulation();
        accumulation.resultNumber == number)
      identity = accumulation.neutral;
  auto attr = dyn_cast_or_null<FloatAttr>(identity);
  if (!attr || !attr.getValue().isInfinity())
    return std::nullopt;
  PlannedFactor factor;
  factor.measure = Measure::Difference;
  return factor;
}

void RepairApplier::guardStates() {
  for (const PlannedState &state : plan.states) {
    Operation *op = ops.getCurrent(state.producer);
    for (unsigned number : getStateResults(op)) {
      Value value = op->getResult(number);
      std::optional<PlannedFactor> factor = getStateGuard(value);
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : value.getUses()) {
        Operation *planned = ops.getPlanned(use.getOwner());
        if (planned && plan.isStateDependent(planned) && plan.isWhole(planned))
          uses.push_back(&use);
      }
      if (!factor || uses.empty())
        continue;
      rewriter.setInsertionPointAfter(op);
      Value guarded =
          buildGuardedSource(rewriter, op->getLoc(), *factor, value);
      for (OpOperand *use : uses)
        rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(guarded); });
    }
  }
}

/// Replaces the source of `factor` by `by` in the tiles that read it.
void RepairApplier::substituteSource(const PlannedFactor &factor, Value by) {
  Value source = ops.getSource(factor);
  SmallVector<Operation *> tiles = plan.stateDependent;
  tiles.push_back(plan.root);
  for (Operation *planned : tiles) {
    if (plan.isWhole(planned))
      continue;
    Operation *op = ops.getCurrent(planned);
    rewriter.modifyOpInPlace(op, [&] {
      for (OpOperand &operand : op->getOpOperands()) {
        if (op == source.getDefiningOp())
          continue;
        rewriter.setInsertionPoint(op);
        operand.set(ops.replaceInParts(operand.get(), source, by));
      }
    });
  }
}

/// Builds the repair of one factor before the accumulating op.
FailureOr<BuiltRepair>
RepairApplier::build(const PlannedRepair &repair, const PlannedFactor &planned,
                     Value accumulated, const DenseMap<Value, Value> &oldStates,
                     DenseMap<Value, Value> &rebuilt) {
  FailureOr<TileFactor> factor = getTileFactor(repair, planned);
  if (failed(factor))
    return failure();
  Operation *op = ops.getCurrent(repair.accumulator);
  Value source = ops.getSource(*factor);
  Location loc = source.getLoc();
  TileFactor ofSource = getFactorOfSource(*factor);
  if (factor->measure == Measure::Given) {
    rewriter.setInsertionPoint(op);
    auto online = cast<OnlineReductionOpInterface>(source.getDefiningOp());
    FailureOr<Value> rho = online.buildRepair(rewriter, loc);
    if (failed(rho))
      return failure();
    return buildGivenRepair(rewriter, loc, ofSource, *rho, accumulated);
  }
  // Rebuild the old value once, before its first user.
  rewriter.setInsertionPointAfter(source.getDefiningOp());
  FailureOr<Value> old = rebuild(source, oldStates, rebuilt);
  if (failed(old))
    return failure();
  rewriter.setInsertionPoint(op);
  return buildRepair(rewriter, loc, ofSource, *old, source, accumulated);
}

/// Applies `built`, the repair of `factor`, before the accumulating op.
Value RepairApplier::apply(const PlannedRepair &repair,
                           const PlannedFactor &factor,
                           const BuiltRepair &built, Value accumulated,
                           ValueRange derivatives) {
  Operation *op = ops.getCurrent(repair.accumulator);
  if (factor.value.degree.kind == RepairKind::Polynomial)
    return buildPolynomialRepair(rewriter, ops.getSource(factor).getLoc(),
                                 factor, accumulated, derivatives, built);
  return applyRepair(rewriter, cast<RepairableOpInterface>(op), factor, built,
                     accumulated);
}

LogicalResult RepairApplier::repairAccumulators() {
  // 1. The states before the tile. The results of the ops are those after it.
  DenseMap<Value, Value> oldStates, rebuilt;
  for (const PlannedState &state : plan.states) {
    Operation *op = ops.getCurrent(state.producer);
    for (unsigned number : getStateResults(op))
      oldStates[op->getResult(number)] = cast<DestinationStyleOpInterface>(op)
                                             .getDpsInitOperand(number)
                                             ->get();
  }

  // 2. Repair the accumulators.
  OpBuilder::InsertionGuard guard(rewriter);
  llvm::MapVector<Value, const PlannedFactor *> sources;
  for (const PlannedRepair &repair : plan.repairs)
    for (const PlannedFactor &factor : repair.factors)
      if (factor.measure != Measure::Given)
        sources.insert({ops.getSource(factor), &factor});
  DenseMap<std::pair<Operation *, unsigned>, Value> accumulated;
  auto getInit = [&](Operation *planned, unsigned number) {
    return cast<DestinationStyleOpInterface>(ops.getCurrent(planned))
        .getDpsInitOperand(number);
  };
  for (const PlannedRepair &repair : plan.repairs)
    accumulated[{repair.accumulator, repair.resultNumber}] =
        getInit(repair.accumulator, repair.resultNumber)->get();
  RepairStages stages(
      rewriter, plan,
      [&](Operation *planned, unsigned number) {
        Value value = accumulated.lookup({planned, number});
        return value ? value : getInit(planned, number)->get();
      },
      [&](const PlannedRepair &planned, const PlannedFactor &factor,
          Value value) {
        return build(planned, factor, value, oldStates, rebuilt);
      },
      [&](const PlannedRepair &planned, const PlannedFactor &factor,
          const BuiltRepair &built, Value value, ValueRange derivatives) {
        return apply(planned, factor, built, value, derivatives);
      });
  // A chunk of one tile has accumulated nothing before that tile, so it needs
  // no repair.
  bool isNeutral = plan.levels[plan.lastLevel].level.kind == LoopKind::Split;
  if (!isNeutral)
    for (const PlannedRepair &repair : plan.repairs) {
      FailureOr<Value> repaired =
          stages.get(repair.accumulator, repair.resultNumber);
      if (failed(repaired))
        return failure();
      OpOperand *init = getInit(repair.accumulator, repair.resultNumber);
      rewriter.modifyOpInPlace(init->getOwner(), [&] { init->set(*repaired); });
    }

  // 3. Let tiles read sources that are never singular.
  for (auto [source, factor] : sources) {
    rewriter.setInsertionPointAfter(source.getDefiningOp());
    substituteSource(
        *factor,
        factor->deferred
            ? buildOnes(rewriter, source.getLoc(), source)
            : buildGuardedSource(rewriter, source.getLoc(), *factor, source));
  }
  guardStates();
  storeStates(oldStates);
  if (!isNeutral)
    for (const PlannedState &state : plan.states)
      rescaleLazily(rewriter, ops.getCurrent(state.producer), state);
  dropAuxiliaries();
  return success();
}

/// The loops carry the auxiliary accumulators now, so the ops that took them as
/// unread operands need not do so any more.
void RepairApplier::dropAuxiliaries() {
  llvm::MapVector<Operation *, SmallVector<unsigned>> operands;
  for (auto [planned, number] : auxiliaries.operands)
    operands[planned].push_back(number);
  for (auto &[planned, numbers] : operands) {
    Operation *slim =
        eraseUnreadOperands(rewriter, ops.getCurrent(planned), numbers);
    ops.setCurrent(planned, slim);
  }
}

/// Returns the initial values of `state` in the loops that carry it, from the
/// innermost loop to the outermost one.
static SmallVector<OpOperand *> getCarriedInits(Value state) {
  SmallVector<OpOperand *> inits;
  while (true) {
    if (auto slice = state.getDefiningOp<tensor::ExtractSliceOp>()) {
      state = slice.getSource();
      continue;
    }
    auto arg = dyn_cast<BlockArgument>(state);
    auto carrying = arg ? dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp())
                        : scf::ForOp();
    if (!carrying)
      return inits;
    inits.push_back(carrying.getTiedLoopInit(arg));
    state = inits.back()->get();
  }
}

/// Returns whether each loop that carries `state` has one iteration.
static bool isCarriedOnce(Value state) {
  SmallVector<OpOperand *> inits = getCarriedInits(state);
  return !inits.empty() && llvm::all_of(inits, [](OpOperand *init) {
    std::optional<APInt> count =
        cast<scf::ForOp>(init->getOwner()).getStaticTripCount();
    return count && count->isOne();
  });
}

/// Gives the loops that carry `state` an initial tensor that nothing else
/// reads, by copying the original one.
void RepairApplier::ownInitialState(Value state) {
  SmallVector<OpOperand *> inits = getCarriedInits(state);
  if (inits.empty())
    return;
  OpOperand *init = inits.back();
  state = init->get();
  rewriter.setInsertionPoint(init->getOwner());
  Value copy = bufferization::AllocTensorOp::create(
      rewriter, state.getLoc(), cast<RankedTensorType>(init->get().getType()),
      /*dynamicSizes=*/ValueRange(), /*copy=*/init->get());
  rewriter.modifyOpInPlace(init->getOwner(), [&] { init->set(copy); });
}

/// Repairs read the old states after the new ones have been computed.
/// Bufferization must not write the new states over the old ones, so they are
/// stored to the carried tensor at the end of the iteration. (The accumulators
/// of siblings are left alone: only their own repair reads them.)
void RepairApplier::storeStates(const DenseMap<Value, Value> &oldStates) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<OpResult> newStates;
  for (const PlannedState &state : plan.states)
    if (Operation *op = ops.getCurrent(state.producer);
        !isa<OnlineReductionOpInterface>(op) &&
        !plan.lookupSibling(state.producer))
      llvm::append_range(newStates, op->getResults());
  for (OpResult newState : newStates) {
    Value oldState = oldStates.lookup(newState);
    // There is no next iteration. The loops will be gone, and other ops may
    // then read the new state before the last op that reads the old one.
    if (isUsedOnTheWayOnly(oldState, newState.getOwner()) ||
        isCarriedOnce(oldState))
      continue;
    // The uses that pass the new state on to the next iteration.
    SmallVector<OpOperand *> leaving;
    Operation *first = nullptr;
    for (OpOperand &use : newState.getUses()) {
      Operation *user = use.getOwner();
      if (!user->hasTrait<OpTrait::IsTerminator>() &&
          !isa<tensor::InsertSliceOp>(user))
        continue;
      leaving.push_back(&use);
      if (!first || user->isBeforeInBlock(first))
        first = user;
    }
    if (!first)
      continue;
    rewriter.setInsertionPoint(first);
    Value stored = bufferization::MaterializeInDestinationOp::create(
                       rewriter, newState.getLoc(), newState, oldState)
                       .getResult();
    for (OpOperand *use : leaving)
      rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(stored); });
    ownInitialState(oldState);
  }
}

/// Returns whether tiles may have read another value than the final value of
/// the source of `factor`, and the final value must still affect the result.
/// Examples are a divisor of 0 or infinity, and a maximum of -inf.
static bool needsFinalCorrection(const PlannedFactor &factor) {
  RepairKind kind = factor.value.degree.kind;
  return factor.measure != Measure::Given && kind != RepairKind::Add &&
         (!factor.value.isCompared ||
          (kind == RepairKind::Scale && factor.measure == Measure::Ratio));
}

LogicalResult
RepairApplier::finishAccumulators(const FinishedLevel &level,
                                  MutableArrayRef<Value> replacements) {
  DenseMap<Value, Value> finalStates, rebuilt;
  for (const PlannedState &state : plan.states) {
    Operation *op = ops.getCurrent(state.producer);
    for (auto [number, loopResult] :
         llvm::zip(getStateResults(op), ops.stateOfLoop[state.producer]))
      finalStates[op->getResult(number)] = level.results[loopResult];
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(level.end->getNextNode());
  for (const PlannedRepair &repair : plan.repairs)
    if (plan.isRootOrSibling(repair.accumulator) &&
        failed(finishAccumulator(repair, level, finalStates, rebuilt,
                                 replacements)))
      return failure();
  return success();
}

/// Applies the missing factors to one accumulator, at the insertion point.
LogicalResult RepairApplier::finishAccumulator(
    const PlannedRepair &repair, const FinishedLevel &level,
    const DenseMap<Value, Value> &finalStates, DenseMap<Value, Value> &rebuilt,
    MutableArrayRef<Value> replacements) {
  Operation *next = &*rewriter.getInsertionPoint();
  auto repairable =
      cast<RepairableOpInterface>(ops.getCurrent(repair.accumulator));
  Location loc = repairable->getLoc();
  unsigned loopResult =
      repair.accumulator == plan.root
          ? repair.resultNumber
          : ops.stateOfLoop[repair.accumulator][repair.resultNumber];
  Value accumulated = level.results[loopResult];
  Value finished = accumulated;
  FinalFactors factors = getFinalFactors(plan, repair);
  auto addUnscaled = [&] {
    const PlannedTerm &term = *factors.unscaled;
    finished = buildSum(rewriter, loc, finished, term,
                        finalStates.lookup(ops.getCurrent(term.op)->getResult(
                            term.resultNumber)));
  };
  for (auto [index, planned] : llvm::enumerate(factors.all)) {
    if (factors.unscaled && index == factors.numOfPart)
      addUnscaled();
    TileFactor factor = getOuterFactor(repair, planned);
    BuiltRepair built;
    if (factor.deferred) {
      FailureOr<Value> value = rebuild(ops.getSource(factor), finalStates,
                                       rebuilt, /*guards=*/false);
      if (failed(value))
        return failure();
      built = buildDeferredRepair(rewriter, loc, factor, *value, finished);
    } else if (needsFinalCorrection(factor)) {
      FailureOr<Value> value = rebuild(ops.getSource(factor), finalStates,
                                       rebuilt, /*guards=*/false);
      if (failed(value))
        return failure();
      built = buildFinalCorrection(rewriter, loc, factor, *value, finished);
    } else if (factor.measure == Measure::Given &&
               plan.lookupState(factor.source)->normalization ==
                   NormalizationForm::Delayed) {
      auto online =
          cast<OnlineReductionOpInterface>(ops.getCurrent(factor.source));
      SmallVector<Value> state;
      for (unsigned number : online.getStateResults())
        state.push_back(finalStates.lookup(online->getResult(number)));
      FailureOr<Value> rho = online.buildFinalRepair(rewriter, loc, state);
      if (failed(rho))
        return failure();
      built = buildGivenRepair(rewriter, loc, factor, *rho, finished);
    }
    bool scales = factor.value.degree.kind == RepairKind::Scale;
    if (built.rho)
      finished = repairable.applyRepair(
          rewriter, loc, scales ? RepairKind::Scale : RepairKind::Add, finished,
          built.rho, built.accDims);
  }
  if (factors.unscaled && factors.numOfPart == factors.all.size())
    addUnscaled();
  if (finished == accumulated)
    return success();
  replaceUsesFrom(rewriter, next, accumulated, finished);
  for (Value &replacement : replacements)
    if (replacement == accumulated)
      replacement = finished;
  return success();
}
