//===- PolynomialRepair.cpp - What polynomial repairs need ----------------===//
//
// For each source in which an accumulator is a polynomial:
//   1. let tiles take a better reference than the part of a sum that has been
//      seen (buildReference);
//   2. build the derivatives of the accumulator, by the chain rule along the
//      ops between the source and it (Differentiation);
//   3. make the accumulator take them as operands it does not read, so that the
//      loops carry them.
// Then plan again: derivatives may follow other sources themselves.
//
//===----------------------------------------------------------------------===//

#include "PolynomialRepair.h"

#include "mlir-ext/Interfaces/RepairableOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// Derivatives of derivatives in other sources; each round adds one.
static constexpr unsigned kMaxRounds = 4;

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

static bool isWhole(const FusionPlan &plan, Operation *op) {
  const PlannedProducer *producer = plan.levels[plan.firstLevel].lookup(op);
  return producer && producer->whole;
}

/// Returns the sum that `source` is proportional to, as far as the whole ops
/// between them tell, and these ops in program order.
static std::pair<LinalgOp, SmallVector<Operation *>>
findProportionalSum(const FusionPlan &plan, Value source) {
  for (const PlannedState &state : plan.states) {
    auto sum = dyn_cast<LinalgOp>(state.producer);
    auto accumulator = dyn_cast<RepairableOpInterface>(state.producer);
    if (!sum || !accumulator)
      continue;
    FailureOr<Accumulation> accumulation = accumulator.getAccumulation();
    if (failed(accumulation) || accumulation->kind != AccumulationKind::Sum)
      continue;
    Value result = sum->getResult(accumulation->resultNumber);
    DenseMap<Value, StaleValue> values;
    StaleValue start{{RepairKind::Scale, 1.0}, {}};
    for (int64_t dim = 0,
                 rank = cast<RankedTensorType>(result.getType()).getRank();
         dim < rank; ++dim)
      start.dims.push_back(dim);
    values[result] = start;
    SmallVector<Operation *> between;
    for (Operation *op : plan.stale) {
      auto repairable = dyn_cast<RepairableOpInterface>(op);
      if (!isWhole(plan, op) || !repairable)
        continue;
      SmallVector<StaleOperand> operands;
      for (OpOperand &operand : op->getOpOperands())
        if (auto it = values.find(operand.get()); it != values.end())
          operands.push_back({operand.getOperandNumber(), it->second});
      std::string ignored;
      FailureOr<StaleValue> value = failure();
      if (!operands.empty())
        value = repairable.propagateRepair(operands, ignored);
      if (failed(value))
        continue;
      values[op->getResult(0)] = *value;
      between.push_back(op);
    }
    auto it = values.find(source);
    if (it != values.end() && it->second.degree.kind == RepairKind::Scale &&
        it->second.degree.coefficient == 1.0)
      return {sum, between};
  }
  return {};
}

/// A sum that has seen n of N terms is small by n / N, and a mean made from it
/// is none of what has been seen. Any reference is right; one far from the
/// terms costs digits (x - mean is to be small). So tiles take the sum times
/// N / n, which is the sum itself in the end: Chan's update of a variance. n is
/// counted by an accumulation of its own.
static Value buildReference(RewriterBase &rewriter, const FusionPlan &plan,
                            Value source) {
  auto [sum, between] = findProportionalSum(plan, source);
  if (!sum)
    return source;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfter(sum);
  Location loc = sum.getLoc();
  OpOperand *init = sum.getDpsInitOperand(0);
  auto type = cast<RankedTensorType>(init->get().getType());
  FloatType countType = cast<FloatType>(type.getElementType());
  if (countType.getWidth() < 32)
    countType = rewriter.getF32Type();
  auto constant = [&](OpBuilder &b, double value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(countType, value));
  };

  // 1. n.
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, init->get());
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, countType);
  Value zeros =
      linalg::FillOp::create(rewriter, loc, constant(rewriter, 0.0), empty)
          .getResult(0);
  SmallVector<Value> inputs = sum.getDpsInputs();
  Value count = linalg::GenericOp::create(
                    rewriter, loc, zeros.getType(), inputs, zeros,
                    sum.getIndexingMapsArray(), sum.getIteratorTypesArray(),
                    [&](OpBuilder &b, Location loc, ValueRange args) {
                      Value next = arith::AddFOp::create(b, loc, args.back(),
                                                         constant(b, 1.0));
                      linalg::YieldOp::create(b, loc, next);
                    })
                    .getResult(0);

  // 2. The sum times N / n.
  Value total = arith::ConstantIndexOp::create(rewriter, loc, 1);
  auto tileable = cast<TilingInterface>(sum.getOperation());
  for (auto [range, iterator] :
       llvm::zip_equal(tileable.getIterationDomain(rewriter),
                       tileable.getLoopIteratorTypes()))
    if (iterator == utils::IteratorType::reduction)
      total = rewriter.createOrFold<arith::MulIOp>(
          loc, total,
          getValueOrCreateConstantIndexOp(rewriter, loc, range.size));
  total =
      arith::IndexCastOp::create(rewriter, loc, rewriter.getI64Type(), total);
  total = arith::SIToFPOp::create(rewriter, loc, countType, total);
  rewriter.setInsertionPointAfter(total.getDefiningOp());
  Value result = sum->getResult(0);
  AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  Value scaled =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  scaled =
      linalg::GenericOp::create(
          rewriter, loc, type, ValueRange{result, count}, scaled,
          ArrayRef<AffineMap>{map, map, map}, iterators,
          [&](OpBuilder &b, Location loc, ValueRange args) {
            Value seen =
                arith::MaximumFOp::create(b, loc, args[1], constant(b, 1.0));
            Value factor = arith::DivFOp::create(b, loc, total, seen);
            Value value = arith::MulFOp::create(
                b, loc, convertScalarToDtype(b, loc, args[0], countType, false),
                factor);
            linalg::YieldOp::create(b, loc,
                                    convertScalarToDtype(b, loc, value,
                                                         type.getElementType(),
                                                         false));
          })
          .getResult(0);

  // 3. What is made from it.
  IRMapping mapping;
  mapping.map(result, scaled);
  for (Operation *op : between) {
    rewriter.setInsertionPointAfter(op);
    rewriter.clone(*op, mapping);
  }
  return mapping.lookup(source);
}

//===----------------------------------------------------------------------===//
// Derivatives
//===----------------------------------------------------------------------===//

namespace {
/// The derivatives, in one source, of what tiles are computed from.
class Differentiation {
public:
  Differentiation(RewriterBase &rewriter, const FusionPlan &plan, Value source)
      : rewriter(rewriter), plan(plan), source(source) {}

  /// Builds the derivative of the result of `op`, in front of `before` if that
  /// is given and behind `op` if not.
  FailureOr<std::optional<Tangent>> build(Operation *op, Operation *before,
                                          std::string &reason);

private:
  FailureOr<std::optional<Tangent>> get(Value value, std::string &reason);

  RewriterBase &rewriter;
  const FusionPlan &plan;
  Value source;
  DenseMap<Value, std::optional<Tangent>> known;
  /// The ops that were built.
  DenseSet<Operation *> built;
};
} // namespace

FailureOr<std::optional<Tangent>> Differentiation::get(Value value,
                                                       std::string &reason) {
  if (value == source) {
    Tangent tangent;
    tangent.constant =
        rewriter.getFloatAttr(getElementTypeOrSelf(value.getType()), 1.0);
    return std::optional<Tangent>(tangent);
  }
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  // States, and what is computed from them alone, are sources of their own.
  auto isState = [&](Operation *op) {
    return llvm::any_of(plan.states, [&](const PlannedState &state) {
      return state.producer == op;
    });
  };
  bool isTile =
      op && (built.contains(op) ||
             (plan.isStale(op) && !isState(op) && !isWhole(plan, op)));
  if (!isTile)
    return std::optional<Tangent>();
  FailureOr<std::optional<Tangent>> tangent = build(op, nullptr, reason);
  if (failed(tangent))
    return failure();
  return known[value] = *tangent;
}

FailureOr<std::optional<Tangent>>
Differentiation::build(Operation *op, Operation *before, std::string &reason) {
  SmallVector<OperandTangent> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!built.contains(op) &&
        !plan.isStaleOperand(op, operand.getOperandNumber()))
      continue;
    FailureOr<std::optional<Tangent>> tangent = get(operand.get(), reason);
    if (failed(tangent))
      return failure();
    if (*tangent)
      operands.push_back({operand.getOperandNumber(), **tangent});
  }
  if (operands.empty())
    return std::optional<Tangent>();
  OpBuilder::InsertionGuard guard(rewriter);
  if (before)
    rewriter.setInsertionPoint(before);
  else
    rewriter.setInsertionPointAfter(op);
  std::string why;
  FailureOr<std::optional<Tangent>> tangent =
      cast<RepairableOpInterface>(op).buildTangent(rewriter, op->getLoc(),
                                                   operands, why);
  if (failed(tangent)) {
    reason = "the derivative of " + nameOf(op) + " cannot be built: " + why;
    return failure();
  }
  if (*tangent && (*tangent)->value)
    built.insert((*tangent)->value.getDefiningOp());
  return tangent;
}

//===----------------------------------------------------------------------===//
// Carrying them
//===----------------------------------------------------------------------===//

/// Builds `op` with `values` as further operands, from `first` on, that it does
/// not read.
static FailureOr<linalg::GenericOp>
addUnreadOperands(RewriterBase &rewriter, Operation *op,
                  ArrayRef<PlannedDerivative> values, unsigned &first) {
  auto linalgOp = dyn_cast<LinalgOp>(op);
  if (!linalgOp || op->getNumResults() != 1)
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  AffineMap resultMap =
      linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
  SmallVector<Value> inputs = linalgOp.getDpsInputs();
  SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
  maps.pop_back();
  first = inputs.size();
  for (const PlannedDerivative &value : values) {
    SmallVector<AffineExpr> exprs;
    for (int64_t dim : value.dims)
      exprs.push_back(resultMap.getResult(dim));
    maps.push_back(AffineMap::get(resultMap.getNumDims(), 0, exprs,
                                  rewriter.getContext()));
    inputs.push_back(value.op->getResult(value.resultNumber));
  }
  maps.push_back(resultMap);
  auto generic = linalg::GenericOp::create(
      rewriter, op->getLoc(), op->getResultTypes(), inputs,
      linalgOp.getDpsInits(), maps, linalgOp.getIteratorTypesArray());
  generic->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                             generic.getRegion().begin());
  for (unsigned number = first; number < inputs.size(); ++number)
    generic.getBody()->insertArgument(
        number, getElementTypeOrSelf(inputs[number].getType()), op->getLoc());
  return generic;
}

Operation *mlir::linalg_ext::eraseUnreadOperands(RewriterBase &rewriter,
                                                 Operation *op,
                                                 ArrayRef<unsigned> numbers) {
  auto generic = cast<linalg::GenericOp>(op);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  llvm::BitVector erased(generic.getBody()->getNumArguments());
  for (unsigned number : numbers)
    erased.set(number);
  for (auto [number, operand] : llvm::enumerate(generic->getOperands())) {
    if (erased.test(number))
      continue;
    maps.push_back(generic.getMatchingIndexingMap(&op->getOpOperand(number)));
    if (number < generic.getNumDpsInputs())
      inputs.push_back(operand);
  }
  auto slim = linalg::GenericOp::create(
      rewriter, op->getLoc(), op->getResultTypes(), inputs,
      generic.getDpsInits(), maps, generic.getIteratorTypesArray());
  slim->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(generic.getRegion(), slim.getRegion(),
                              slim.getRegion().begin());
  slim.getBody()->eraseArguments(erased);
  rewriter.replaceOp(op, slim);
  return slim;
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

namespace {
/// One round: builds what `plan` lacks.
class Round {
public:
  Round(RewriterBase &rewriter, const FusionPlan &plan, Companions &companions)
      : rewriter(rewriter), plan(plan), companions(companions),
        root(plan.root) {}

  LogicalResult run(std::string &reason);

  /// The root at the end.
  Operation *getRoot() const { return root; }

private:
  Value takeReference(Value source);
  LogicalResult differentiate(const PlannedRepair &repair,
                              const PlannedFactor &factor, Value source,
                              Differentiation &differentiation,
                              std::string &reason);
  LogicalResult attach(Operation *accumulator, std::string &reason);
  void rename(Operation *from, Operation *to);

  RewriterBase &rewriter;
  const FusionPlan &plan;
  Companions &companions;
  Operation *root;
  /// What accumulators are to take.
  llvm::MapVector<Operation *, SmallVector<PlannedDerivative>> toTake;
};
} // namespace

/// Builds the reference of `source`, and lets tiles take it.
Value Round::takeReference(Value source) {
  // It may be one.
  if (llvm::any_of(companions.derivatives, [&](const BuiltDerivatives &built) {
        return built.source == source;
      }))
    return source;
  Value reference = buildReference(rewriter, plan, source);
  if (reference != source)
    for (auto [op, number] : plan.staleOperands)
      if (op->getOperand(number) == source && !isWhole(plan, op))
        rewriter.modifyOpInPlace(op, [op = op, number = number, reference] {
          op->setOperand(number, reference);
        });
  return reference;
}

LogicalResult Round::differentiate(const PlannedRepair &repair,
                                   const PlannedFactor &factor, Value source,
                                   Differentiation &differentiation,
                                   std::string &reason) {
  // Each is the derivative of the one before, along whose dimensions its own
  // are given.
  SmallVector<PlannedDerivative> derivatives;
  Operation *op = repair.accumulator;
  for (unsigned i = 0; i < factor.value.degree.coefficient; ++i) {
    FailureOr<std::optional<Tangent>> tangent =
        differentiation.build(op, repair.accumulator, reason);
    if (failed(tangent))
      return failure();
    if (!*tangent)
      break;
    auto result = dyn_cast_or_null<OpResult>((*tangent)->value);
    if (!result) {
      reason =
          "expected the derivative of " + nameOf(op) + " to be accumulated";
      return failure();
    }
    PlannedDerivative derivative{
        result.getOwner(), result.getResultNumber(), {}};
    for (int64_t dim : (*tangent)->dims)
      derivative.dims.push_back(
          derivatives.empty() ? dim : derivatives.back().dims[dim]);
    derivatives.push_back(derivative);
    op = result.getOwner();
  }
  toTake[repair.accumulator].append(derivatives);

  // The derivatives of the first one are the others, and so on.
  companions.derivatives.push_back({repair.accumulator, source, derivatives});
  for (unsigned i = 0; i + 1 < derivatives.size(); ++i) {
    SmallVector<PlannedDerivative> higher(
        ArrayRef(derivatives).drop_front(i + 1));
    for (PlannedDerivative &derivative : higher)
      for (int64_t &dim : derivative.dims)
        dim = std::distance(derivatives[i].dims.begin(),
                            llvm::find(derivatives[i].dims, dim));
    companions.derivatives.push_back({derivatives[i].op, source, higher});
  }
  for (const PlannedDerivative &derivative : derivatives)
    companions.ops.insert(derivative.op);
  return success();
}

/// What is said of `from` is true of `to`, which replaced it.
void Round::rename(Operation *from, Operation *to) {
  if (root == from)
    root = to;
  for (BuiltDerivatives &built : companions.derivatives) {
    if (built.accumulator == from)
      built.accumulator = to;
    for (PlannedDerivative &derivative : built.derivatives)
      if (derivative.op == from)
        derivative.op = to;
  }
  for (auto &[accumulator, derivatives] : toTake)
    for (PlannedDerivative &derivative : derivatives)
      if (derivative.op == from)
        derivative.op = to;
  if (companions.ops.erase(from))
    companions.ops.insert(to);
  // Further operands are behind these.
  SmallVector<unsigned> numbers;
  for (auto [op, number] : companions.operands)
    if (op == from)
      numbers.push_back(number);
  for (unsigned number : numbers) {
    companions.operands.erase({from, number});
    companions.operands.insert({to, number});
  }
}

/// Makes `accumulator` take its derivatives.
LogicalResult Round::attach(Operation *accumulator, std::string &reason) {
  unsigned first = 0;
  FailureOr<linalg::GenericOp> taking =
      addUnreadOperands(rewriter, accumulator, toTake[accumulator], first);
  if (failed(taking)) {
    reason = "expected a structured op with one result to follow a "
             "polynomial, got " +
             nameOf(accumulator);
    return failure();
  }
  for (unsigned i = 0; i < toTake[accumulator].size(); ++i)
    companions.operands.insert({*taking, first + i});
  // Sources are values, of an op that may be replaced.
  for (BuiltDerivatives &built : companions.derivatives)
    if (auto result = dyn_cast<OpResult>(built.source);
        result && result.getOwner() == accumulator)
      built.source = (*taking)->getResult(result.getResultNumber());
  rename(accumulator, *taking);
  rewriter.replaceOp(accumulator, *taking);
  return success();
}

LogicalResult Round::run(std::string &reason) {
  llvm::MapVector<
      Value,
      SmallVector<std::pair<const PlannedRepair *, const PlannedFactor *>>>
      lacking;
  for (const PlannedRepair &repair : plan.repairs)
    for (const PlannedFactor &factor : repair.factors)
      if (factor.value.degree.kind == RepairKind::Polynomial &&
          factor.derivatives.empty())
        lacking[factor.source->getResult(factor.resultNumber)].push_back(
            {&repair, &factor});
  for (auto &[source, factors] : lacking) {
    Value reference = takeReference(source);
    Differentiation differentiation(rewriter, plan, reference);
    for (auto [repair, factor] : factors)
      if (failed(differentiate(*repair, *factor, reference, differentiation,
                               reason)))
        return failure();
  }
  // The ops of the plan are its names: they are replaced last.
  SmallVector<Operation *> accumulators;
  for (auto &[accumulator, derivatives] : toTake)
    accumulators.push_back(accumulator);
  for (Operation *accumulator : accumulators)
    if (failed(attach(accumulator, reason)))
      return failure();
  return success();
}

FailureOr<CompletePlan> mlir::linalg_ext::buildDerivatives(
    RewriterBase &rewriter, const FusionPlan &plan, std::string &reason) {
  CompletePlan complete{plan, {}};
  for (unsigned round = 0; complete.plan.needsDerivatives; ++round) {
    if (round == kMaxRounds) {
      reason = "derivatives of derivatives depend on more and more states";
      return failure();
    }
    Round current(rewriter, complete.plan, complete.companions);
    if (failed(current.run(reason)))
      return failure();
    FailureOr<FusionPlan> next = planWithCompanions(
        current.getRoot(), plan.options, complete.companions, reason);
    if (failed(next))
      return failure();
    complete.plan = *next;
  }
  return complete;
}
