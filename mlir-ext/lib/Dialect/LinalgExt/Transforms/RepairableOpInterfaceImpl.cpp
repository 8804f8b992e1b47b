//===- RepairableOpInterfaceImpl.cpp - Repairing linalg accumulations -----===//
//
// Reads the payload of a LinalgOp to decide whether its accumulation commutes
// with a repair of an operand, and builds the repair. The same code serves
// upstream's LinalgOps and those of this project.
//
//===----------------------------------------------------------------------===//

#include "BuildTangent.h"
#include "PayloadAnalysis.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"
#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Support/ExtremeCondition.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// Accumulations
//===----------------------------------------------------------------------===//

/// Maps `rows` from operand `operandNumber` to `target`.
static FailureOr<RowGroups> mapRows(LinalgOp op, unsigned operandNumber,
                                    RowGroups rows, OpOperand *target,
                                    Refusal &refusal) {
  OpOperand &operand = op->getOpOperand(operandNumber);
  AffineMap from = op.getMatchingIndexingMap(&operand);
  AffineMap to = op.getMatchingIndexingMap(target);
  if (!from.isProjectedPermutation(/*allowZeroInResults=*/true) ||
      !to.isProjectedPermutation(/*allowZeroInResults=*/true))
    return refusal.set(
        RefusalKind::NotRepairable, op,
        "expected indexing maps that are projected permutations");
  auto type = cast<ShapedType>(operand.get().getType());
  std::optional<int64_t> contracted;
  renameDims(rows, [&](int64_t dim) -> int64_t {
    if (type.getDimSize(dim) == 1)
      return -1;
    std::optional<unsigned> position =
        to.getResultPosition(from.getResult(dim));
    if (!position)
      contracted = dim;
    return position ? *position : -1;
  });
  if (contracted)
    return refusal.set(
        RefusalKind::NotRepairable, op,
        "dimension " + std::to_string(*contracted) +
            " of the operand, along which the repair acts, is contracted");
  return rows;
}

/// Does the same for all operands in `stateDependent`, which must agree.
static FailureOr<RowGroups>
mapRows(LinalgOp op, ArrayRef<StateDependentOperand> stateDependent,
        OpOperand *target, Refusal &refusal) {
  std::optional<RowGroups> all;
  for (const StateDependentOperand &operand : stateDependent) {
    FailureOr<RowGroups> rows =
        mapRows(op, operand.number, operand.value.rows, target, refusal);
    if (failed(rows))
      return failure();
    if (all && *all != *rows)
      return refusal.set(
          RefusalKind::NotRepairable, op,
          "the repair acts along different dimensions of two operands");
    all = *rows;
  }
  return *all;
}

/// Returns the op by which the payload of `op` accumulates result `number`:
/// yield(combiner(acc, f(inputs))) with no other use of acc. Null otherwise.
static Operation *getCombiner(LinalgOp op, unsigned number) {
  BlockArgument acc = op.getRegionOutputArgs()[number];
  if (!acc.hasOneUse())
    return nullptr;
  Operation *combiner = *acc.getUsers().begin();
  Operation *yield = op.getBlock()->getTerminator();
  if (combiner->getNumResults() != 1 || combiner->getNumOperands() != 2 ||
      yield->getOperand(number) != combiner->getResult(0))
    return nullptr;
  return combiner;
}

/// Returns whether `op` sums the products of its two inputs, up to widening, as
/// a `linalg.contract` does: over dimensions that both of them have.
static bool isProductOfInputs(LinalgOp op, Operation *combiner) {
  if (op.getNumDpsInputs() != 2 || !isa<arith::AddFOp>(combiner) ||
      !op.hasOnlyProjectedPermutations())
    return false;
  SmallVector<unsigned> reductionDims;
  op.getReductionDims(reductionDims);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (reductionDims.empty() || llvm::any_of(reductionDims, [&](unsigned dim) {
        return !maps[0].isFunctionOfDim(dim) || !maps[1].isFunctionOfDim(dim);
      }))
    return false;
  BlockArgument acc = op.getRegionOutputArgs()[0];
  auto product = combiner->getOperand(combiner->getOperand(0) == acc)
                     .getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  auto inputOf = [](Value value) {
    if (auto extend = value.getDefiningOp<arith::ExtFOp>())
      value = extend.getIn();
    auto arg = dyn_cast<BlockArgument>(value);
    return arg ? static_cast<int>(arg.getArgNumber()) : -1;
  };
  int lhs = inputOf(product.getLhs()), rhs = inputOf(product.getRhs());
  return lhs + rhs == 1 && lhs >= 0 && rhs >= 0;
}

/// Builds `combiner` on other operands, in their type.
static Value buildCombiner(OpBuilder &b, Location loc, Operation *combiner,
                           Value lhs, Value rhs) {
  OperationState state(loc, combiner->getName(), {lhs, rhs}, lhs.getType(),
                       combiner->getAttrs());
  return b.create(state)->getResult(0);
}

namespace {
/// Finds which values of the payload of `op` are never negative if the operands
/// `operands` are not.
class SignAnalysis {
public:
  SignAnalysis(LinalgOp op, ArrayRef<unsigned> operands)
      : op(op), operands(operands.begin(), operands.end()) {}

  bool has(unsigned operandNumber) const {
    return operands.contains(operandNumber);
  }
  bool isNonNegative(Value value) {
    if (auto it = known.find(value); it != known.end())
      return it->second;
    bool result = compute(value);
    known[value] = result;
    return result;
  }

private:
  bool compute(Value value);

  LinalgOp op;
  llvm::SmallDenseSet<unsigned> operands;
  /// The results so far. A payload may use a value several times.
  DenseMap<Value, bool> known;
};
} // namespace

bool SignAnalysis::compute(Value value) {
  auto recurse = [&](Value v) { return isNonNegative(v); };
  if (std::optional<double> constant = getConstant(value))
    return *constant >= 0.0;
  if (auto arg = dyn_cast<BlockArgument>(value))
    return arg.getOwner() == op.getBlock() &&
           operands.contains(arg.getArgNumber());
  Operation *nested = value.getDefiningOp();
  return TypeSwitch<Operation *, bool>(nested)
      .Case<math::ExpOp, math::Exp2Op, math::AbsFOp, math::SqrtOp,
            math::RsqrtOp>([](Operation *) { return true; })
      .Case<arith::MulFOp>([&](arith::MulFOp mul) {
        return mul.getLhs() == mul.getRhs() ||
               (recurse(mul.getLhs()) && recurse(mul.getRhs()));
      })
      .Case<arith::AddFOp, arith::DivFOp, arith::MinimumFOp, arith::MinNumFOp>(
          [&](Operation *both) {
            return llvm::all_of(both->getOperands(), recurse);
          })
      .Case<arith::MaximumFOp>([&](Operation *either) {
        return llvm::any_of(either->getOperands(), recurse);
      })
      .Case<arith::SelectOp>([&](arith::SelectOp select) {
        return recurse(select.getTrueValue()) &&
               recurse(select.getFalseValue());
      })
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](Operation *cast) { return recurse(cast->getOperand(0)); })
      .Case<math::PowFOp>([&](Operation *pow) {
        std::optional<double> exponent = getConstant(pow->getOperand(1));
        return (exponent && std::fmod(*exponent, 2.0) == 0.0) ||
               recurse(pow->getOperand(0));
      })
      .Default([](Operation *) { return false; });
}

static std::optional<AccumulationKind> getKind(Operation *combiner) {
  if (!isa<FloatType>(combiner->getResult(0).getType()))
    return std::nullopt;
  if (isa<arith::AddFOp>(combiner))
    return AccumulationKind::Sum;
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(combiner))
    return AccumulationKind::Max;
  if (isa<arith::MinimumFOp, arith::MinNumFOp>(combiner))
    return AccumulationKind::Min;
  return std::nullopt;
}

namespace {
/// A maximum or minimum, also of integers.
struct Extreme {
  AccumulationKind kind;
  bool isUnsigned = false;

  bool operator==(const Extreme &other) const {
    return kind == other.kind && isUnsigned == other.isUnsigned;
  }
};
} // namespace

/// Returns of what `op`, a maximum or minimum, is one.
static std::optional<Extreme> getExtreme(Operation *op) {
  return TypeSwitch<Operation *, std::optional<Extreme>>(op)
      .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(
          [](auto) { return Extreme{AccumulationKind::Max}; })
      .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp>(
          [](auto) { return Extreme{AccumulationKind::Min}; })
      .Case<arith::MaxUIOp>([](auto) {
        return Extreme{AccumulationKind::Max, /*isUnsigned=*/true};
      })
      .Case<arith::MinUIOp>([](auto) {
        return Extreme{AccumulationKind::Min, /*isUnsigned=*/true};
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Returns the neutral element of an accumulation in `type`. (Upstream's
/// arith::getNeutralElement returns NaN for combiners that drop NaN. In
/// practice no program fills with it.)
static TypedAttr getNeutral(AccumulationKind kind, Type type,
                            bool isUnsigned = false) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    if (kind == AccumulationKind::Sum)
      return IntegerAttr::get(type, 0);
    if (kind == AccumulationKind::Max)
      return IntegerAttr::get(type, isUnsigned
                                        ? APInt::getMinValue(width)
                                        : APInt::getSignedMinValue(width));
    return IntegerAttr::get(type, isUnsigned ? APInt::getMaxValue(width)
                                             : APInt::getSignedMaxValue(width));
  }
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  if (kind == AccumulationKind::Sum)
    return FloatAttr::get(type, APFloat::getZero(semantics));
  return FloatAttr::get(
      type, APFloat::getInf(semantics,
                            /*Negative=*/kind == AccumulationKind::Max));
}

namespace {
/// How the payload of an op accumulates. Either it yields only combiner(acc,
/// term). Or it selects, by one condition, a term and values that belong to it:
///   isBetter = cmpf ogt, term, acc
///   yield select(isBetter, term, acc), select(isBetter, position, carried)
/// or the same with other conditions of an extreme (ExtremeCondition.h). The
/// first value may also be the maximum (or minimum) of both. A flag of the
/// condition accumulates by `or`.
struct PayloadAccumulation {
  Operation *combiner = nullptr;
  AccumulationKind kind = AccumulationKind::Sum;
  unsigned resultNumber = 0;
  /// For each result, the value that is yielded if the term is selected.
  SmallVector<Value> terms;
  /// The condition. None if no values are carried.
  std::optional<ExtremeCondition> condition;
  /// The result that is the flag of the condition, if it has one.
  std::optional<unsigned> stopNumber;

  /// With `mayBeInteger`, also matches sums of integers, and choices among
  /// integers. These can be accumulated, and partial results combined, but they
  /// are never repaired.
  static std::optional<PayloadAccumulation> match(LinalgOp op,
                                                  bool mayBeInteger = false);

  TypedAttr getNeutral() const {
    return ::getNeutral(kind, combiner->getResult(0).getType(),
                        condition && condition->isUnsigned);
  }
  /// Builds the values to yield for the accumulated values `accs` and the new
  /// values `terms`.
  SmallVector<Value> build(OpBuilder &b, Location loc, ValueRange accs,
                           ValueRange terms) const;

private:
  static std::optional<PayloadAccumulation> matchChoice(LinalgOp op,
                                                        bool mayBeInteger);
};
} // namespace

std::optional<PayloadAccumulation>
PayloadAccumulation::match(LinalgOp op, bool mayBeInteger) {
  if (op.getNumReductionLoops() == 0)
    return std::nullopt;
  if (op.getNumDpsInits() != 1)
    return matchChoice(op, mayBeInteger);
  Operation *combiner = getCombiner(op, 0);
  std::optional<AccumulationKind> kind =
      combiner ? getKind(combiner) : std::nullopt;
  if (mayBeInteger && isa_and_nonnull<arith::AddIOp>(combiner) &&
      combiner->getResult(0).getType().isInteger())
    kind = AccumulationKind::Sum;
  if (!kind)
    return std::nullopt;
  BlockArgument acc = op.getRegionOutputArgs()[0];
  Value term = combiner->getOperand(combiner->getOperand(0) == acc ? 1 : 0);
  return PayloadAccumulation{combiner, *kind,        0,
                             {term},   std::nullopt, std::nullopt};
}

/// Returns whether result `number` of `op` is a flag: its previous value is
/// compared with 0, and accumulates by `or`.
static bool isStop(LinalgOp op, unsigned number) {
  BlockArgument acc = op.getRegionOutputArgs()[number];
  auto combiner = op.getBlock()
                      ->getTerminator()
                      ->getOperand(number)
                      .getDefiningOp<arith::OrIOp>();
  if (!combiner || !llvm::is_contained(combiner->getOperands(), acc))
    return false;
  return llvm::all_of(acc.getUsers(), [&](Operation *user) {
    auto compare = dyn_cast<arith::CmpIOp>(user);
    return user == combiner ||
           (compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
            matchPattern(compare.getRhs(), m_Zero()));
  });
}

/// Returns the number of the result that holds the extreme, by which the others
/// are chosen: its previous value is used more than once.
static std::optional<unsigned> findExtreme(LinalgOp op, bool mayBeInteger) {
  std::optional<unsigned> number;
  for (auto [index, acc] : llvm::enumerate(op.getRegionOutputArgs())) {
    if (acc.hasOneUse() || isStop(op, index))
      continue;
    if (number || !(isa<FloatType>(acc.getType()) ||
                    (mayBeInteger && isa<IntegerType>(acc.getType()))))
      return std::nullopt;
    number = index;
  }
  return number;
}

std::optional<PayloadAccumulation>
PayloadAccumulation::matchChoice(LinalgOp op, bool mayBeInteger) {
  Block::BlockArgListType accs = op.getRegionOutputArgs();
  ValueRange yielded = op.getBlock()->getTerminator()->getOperands();
  PayloadAccumulation match;
  std::optional<unsigned> number = findExtreme(op, mayBeInteger);
  if (!number)
    return std::nullopt;
  Value acc = accs[*number];
  // 1. All carried values are selected by one condition: a term is better.
  //    Equal terms are not, so that the first of them is kept.
  for (auto [index, carried] : llvm::enumerate(accs)) {
    match.terms.push_back({});
    if (index == *number)
      continue;
    if (isStop(op, index)) {
      if (match.stopNumber)
        return std::nullopt;
      match.stopNumber = index;
      Operation *combiner = yielded[index].getDefiningOp();
      match.terms.back() =
          combiner->getOperand(combiner->getOperand(0) == carried ? 1 : 0);
      continue;
    }
    auto select = yielded[index].getDefiningOp<arith::SelectOp>();
    if (!select || select.getFalseValue() != carried ||
        !carried.getType().isIntOrIndexOrFloat())
      return std::nullopt;
    std::optional<ExtremeCondition> condition =
        matchExtremeCondition(select.getCondition(), acc);
    if (!condition ||
        (match.condition && !match.condition->isEqual(*condition)))
      return std::nullopt;
    if (match.condition)
      condition->comparisons.append(match.condition->comparisons);
    match.condition = std::move(condition);
    match.terms.back() = select.getTrueValue();
  }
  if (!match.condition)
    return std::nullopt;
  BlockArgument stop =
      match.stopNumber ? accs[*match.stopNumber] : BlockArgument();
  if (match.condition->stop != stop)
    return std::nullopt;
  Value term = match.condition->term;
  match.kind =
      match.condition->isMax ? AccumulationKind::Max : AccumulationKind::Min;

  // 2. The accumulated value is selected by it, or is the maximum or minimum.
  match.combiner = yielded[*number].getDefiningOp();
  if (!match.combiner)
    return std::nullopt;
  SmallVector<Operation *> users =
      llvm::to_vector_of<Operation *>(match.condition->comparisons);
  users.push_back(match.combiner);
  auto select = dyn_cast<arith::SelectOp>(match.combiner);
  bool isExtreme = !select && match.combiner->getNumOperands() == 2 &&
                   getExtreme(match.combiner) ==
                       Extreme{match.kind, match.condition->isUnsigned} &&
                   llvm::is_contained(match.combiner->getOperands(), acc) &&
                   llvm::is_contained(match.combiner->getOperands(), term);
  // The maximum must keep a NaN that is chosen.
  isExtreme &= match.condition->nans == NaNTerms::None ||
               isa<arith::MaximumFOp, arith::MinimumFOp>(match.combiner);
  if (select) {
    std::optional<ExtremeCondition> condition =
        matchExtremeCondition(select.getCondition(), acc);
    isExtreme = condition && condition->isEqual(*match.condition) &&
                select.getTrueValue() == term && select.getFalseValue() == acc;
    if (condition)
      users.append(condition->comparisons.begin(),
                   condition->comparisons.end());
  }
  if (!isExtreme || llvm::any_of(acc.getUsers(), [&](Operation *user) {
        return !llvm::is_contained(users, user);
      }))
    return std::nullopt;
  match.terms[*number] = term;
  match.resultNumber = *number;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(*number));
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.getMatchingIndexingMap(&init) != map)
      return std::nullopt;
  return match;
}

SmallVector<Value> PayloadAccumulation::build(OpBuilder &b, Location loc,
                                              ValueRange accs,
                                              ValueRange terms) const {
  Value acc = accs[resultNumber], term = terms[resultNumber];
  if (!condition)
    return {buildCombiner(b, loc, combiner, acc, term)};
  Value stop = stopNumber ? accs[*stopNumber] : Value();
  Value isBetter = buildExtremeCondition(b, loc, *condition, term, acc, stop);
  SmallVector<Value> values;
  for (auto [number, pair] : llvm::enumerate(llvm::zip_equal(accs, terms))) {
    auto [carried, chosen] = pair;
    if (number == resultNumber && !isa<arith::SelectOp>(combiner))
      values.push_back(buildCombiner(b, loc, combiner, term, acc));
    else if (number == stopNumber)
      values.push_back(arith::OrIOp::create(b, loc, carried, chosen));
    else
      values.push_back(
          arith::SelectOp::create(b, loc, isBetter, chosen, carried));
  }
  return values;
}

//===----------------------------------------------------------------------===//
// RepairableOpInterface
//===----------------------------------------------------------------------===//

namespace {
/// One model for all structured ops. As a template it would be compiled once
/// for each op, which took minutes.
struct LinalgRepairable
    : public RepairableOpInterface::ExternalModel<LinalgRepairable,
                                                  RepairableOpInterface> {
  bool isNonNegative(Operation *operation,
                     ArrayRef<unsigned> operandNumbers) const {
    auto op = cast<LinalgOp>(operation);
    if (op.getNumDpsInits() != 1)
      return false;
    SignAnalysis signs(op, operandNumbers);
    if (op.getNumReductionLoops() == 0)
      return signs.isNonNegative(op.getBlock()->getTerminator()->getOperand(0));
    // A sum must start from a value that is not negative, a maximum or minimum
    // from an infinity.
    Operation *combiner = getCombiner(op, 0);
    std::optional<AccumulationKind> kind =
        combiner ? getKind(combiner) : std::nullopt;
    if (!kind || (*kind == AccumulationKind::Sum &&
                  !signs.has(op.getDpsInitOperand(0)->getOperandNumber())))
      return false;
    BlockArgument acc = op.getRegionOutputArgs()[0];
    return signs.isNonNegative(
        combiner->getOperand(combiner->getOperand(0) == acc ? 1 : 0));
  }

  FailureOr<Accumulation> getAccumulation(Operation *operation) const {
    auto op = cast<LinalgOp>(operation);
    auto match = PayloadAccumulation::match(op, /*mayBeInteger=*/true);
    if (!match)
      return failure();
    Accumulation accumulation{
        match->kind, match->resultNumber, match->getNeutral(), {}, {}};
    op.getReductionDims(accumulation.dims);
    for (auto [number, acc] : llvm::enumerate(op.getRegionOutputArgs()))
      if (number != match->resultNumber)
        accumulation.carried.push_back(
            {static_cast<unsigned>(number),
             Builder(op->getContext()).getZeroAttr(acc.getType())});
    return accumulation;
  }

  FailureOr<AccumulatorRepair>
  getAccumulatorRepair(Operation *operation,
                       ArrayRef<StateDependentOperand> stateDependent,
                       Refusal &refusal) const {
    auto op = cast<LinalgOp>(operation);
    if (llvm::any_of(stateDependent, [&](const StateDependentOperand &operand) {
          return op.isDpsInit(&op->getOpOperand(operand.number));
        })) {
      return refusal.set(
          RefusalKind::NotRepairable, op,
          "the state-dependent value is the accumulator's own initial value");
    }
    auto match = PayloadAccumulation::match(op);
    if (!match)
      return refusal.set(
          RefusalKind::NotRepairable, op,
          op.getNumDpsInits() == 1
              ? "expected the accumulation to be a sum, a max or a min"
              : "expected the accumulation to be an arg-max or arg-min, "
                "got " +
                    std::to_string(op.getNumDpsInits()) +
                    " results that are none");

    PayloadAnalysis analysis(op, stateDependent, match->combiner);
    Degree degree = analysis.get(match->terms[match->resultNumber]);
    if (degree.form == Degree::Other)
      return refusal.set(
          RefusalKind::NotRepairable, op,
          "the accumulated term is not a multiple or a shift of what the "
          "repair makes of it" +
              degree.explain());
    // A sum changes by the change of a term times the number of terms.
    if (degree.isAdd() && match->kind == AccumulationKind::Sum)
      degree.repair = {RepairKind::Polynomial, 1.0};
    if ((degree.isPolynomial() || degree.isAffine()) &&
        match->kind != AccumulationKind::Sum) {
      return refusal.set(
          RefusalKind::NotRepairable, op,
          "expected the accumulation to be a sum for a repair that is " +
              Twine(degree.isAffine() ? "affine" : "a polynomial"));
    }
    if (degree.isScale() && degree.isSigned &&
        match->kind != AccumulationKind::Sum)
      return refusal.set(
          RefusalKind::NotRepairable, op,
          "expected the factor of a repair that scales a max or min to "
          "be positive, got the ratio of what may be negative");
    for (auto [number, term] : llvm::enumerate(match->terms))
      if (number != match->resultNumber && number != match->stopNumber &&
          !analysis.get(term).isInvariant())
        return refusal.set(RefusalKind::NotRepairable, op,
                           "what is carried with the accumulator, result " +
                               std::to_string(number) +
                               ", is not left alone by the repair");
    FailureOr<RowGroups> rows = mapRows(
        op, stateDependent, op.getDpsInitOperand(match->resultNumber), refusal);
    if (failed(rows))
      return failure();
    return AccumulatorRepair{
        match->resultNumber,
        makeStateDependent(op, degree, *rows,
                           op.getDpsInitOperand(match->resultNumber)),
        match->getNeutral()};
  }

  FailureOr<StateDependentValue>
  propagateRepair(Operation *operation,
                  ArrayRef<StateDependentOperand> stateDependent,
                  Refusal &refusal) const {
    auto op = cast<LinalgOp>(operation);
    if (op.getNumDpsInits() != 1 || !op.isAllParallelLoops())
      return refusal.set(RefusalKind::NotRepairable, op,
                         "expected an elementwise op with 1 result");
    OpOperand *init = op.getDpsInitOperand(0);
    Value yielded = op.getBlock()->getTerminator()->getOperand(0);
    Degree degree = PayloadAnalysis(op, stateDependent).get(yielded);
    if (degree.form == Degree::Other)
      return refusal.set(
          RefusalKind::NotRepairable, op,
          "the result is not a multiple or a shift of what the repair "
          "makes of it" +
              degree.explain());
    FailureOr<RowGroups> rows = mapRows(op, stateDependent, init, refusal);
    if (failed(rows))
      return failure();
    return makeStateDependent(op, degree, *rows, init);
  }

  FailureOr<std::optional<Tangent>>
  buildTangent(Operation *operation, OpBuilder &b, Location loc,
               ArrayRef<OperandTangent> operands, Refusal &refusal) const {
    auto op = cast<LinalgOp>(operation);
    Operation *combiner = nullptr;
    std::optional<AccumulationKind> kind;
    if (failed(findCombiner(op, combiner, kind, refusal)))
      return failure();
    return buildLinalgTangent(op, combiner, kind == AccumulationKind::Sum, b,
                              loc, operands, refusal);
  }

  FailureOr<std::optional<Tangent>>
  buildAffinePart(Operation *operation, OpBuilder &b, Location loc,
                  AffinePart part, ArrayRef<OperandPart> operands,
                  Refusal &refusal) const {
    auto op = cast<LinalgOp>(operation);
    Operation *combiner = nullptr;
    std::optional<AccumulationKind> kind;
    if (failed(findCombiner(op, combiner, kind, refusal)))
      return failure();
    if (combiner && kind != AccumulationKind::Sum)
      return refusal.set(RefusalKind::NotRepairable, op,
                         "expected the accumulation to be a sum");
    return buildLinalgPart(op, combiner, part, b, loc, operands, refusal);
  }

  Value applyRepair(Operation *operation, OpBuilder &b, Location loc,
                    RepairKind kind, Value acc, Value rho,
                    ArrayRef<int64_t> accDims) const {
    assert(kind != RepairKind::Polynomial && "expected its value to be added");
    auto accType = cast<RankedTensorType>(acc.getType());
    auto match = PayloadAccumulation::match(cast<LinalgOp>(operation));
    bool isSum = !match || match->kind == AccumulationKind::Sum;
    if (kind == RepairKind::Scale && isSum && !accDims.empty())
      return buildDiagProduct(b, loc, acc, rho, accDims);

    // acc + rho or acc * rho, in place. An accumulator that is still infinite
    // (the maximum of no element) is not multiplied, because rho may then be 0.
    int64_t rank = accType.getRank();
    SmallVector<AffineExpr> exprs;
    for (int64_t dim : accDims)
      exprs.push_back(b.getAffineDimExpr(dim));
    SmallVector<AffineMap> maps{AffineMap::get(rank, 0, exprs, b.getContext()),
                                b.getMultiDimIdentityMap(rank)};
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               b, loc, accType, rho, acc, maps, iterators,
               [&](OpBuilder &b, Location loc, ValueRange args) {
                 Value factor = convertScalarToDtype(b, loc, args[0],
                                                     args[1].getType(), false);
                 Value value =
                     kind == RepairKind::Scale
                         ? Value(arith::MulFOp::create(b, loc, args[1], factor))
                         : Value(
                               arith::AddFOp::create(b, loc, args[1], factor));
                 if (kind == RepairKind::Scale && !isSum) {
                   Value neutral = arith::ConstantOp::create(
                       b, loc, getNeutral(match->kind, args[1].getType()));
                   Value isNeutral = arith::CmpFOp::create(
                       b, loc, arith::CmpFPredicate::OEQ, args[1], neutral);
                   value = arith::SelectOp::create(b, loc, isNeutral, args[1],
                                                   value);
                 }
                 linalg::YieldOp::create(b, loc, value);
               })
        .getResult(0);
  }

  Operation *accumulateInto(Operation *operation, OpBuilder &b, Location loc,
                            ValueRange inits) const {
    if (auto matmul = dyn_cast<BatchMatmulOp>(operation))
      return BatchMatmulOp::create(b, loc, matmul.getInputs()[0],
                                   matmul.getInputs()[1], inits.front(),
                                   matmul.getIndexingMapsArray());
    auto op = cast<LinalgOp>(operation);
    auto match = PayloadAccumulation::match(op, /*mayBeInteger=*/true);
    SmallVector<Value> inputs = op.getDpsInputs();
    if (isProductOfInputs(op, match->combiner))
      return linalg::ContractOp::create(b, loc, inits.front().getType(), inputs,
                                        inits.front(), op.getIndexingMaps());
    return linalg::GenericOp::create(
        b, loc, inits.getTypes(), inputs, inits, op.getIndexingMapsArray(),
        op.getIteratorTypesArray(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          IRMapping mapping;
          mapping.map(op.getBlock()->getArguments(), args);
          SetVector<Operation *> slice;
          BackwardSliceOptions options;
          options.omitBlockArguments = true;
          options.omitUsesFromAbove = false;
          options.inclusive = true;
          options.filter = [&](Operation *nested) {
            return nested->getBlock() == op.getBlock();
          };
          for (Value term : match->terms)
            (void)getBackwardSlice(term, &slice, options);
          for (Operation &nested : op.getBlock()->without_terminator())
            if (slice.contains(&nested))
              b.clone(nested, mapping);
          ValueRange accs = args.take_back(inits.size());
          SmallVector<Value> terms;
          for (Value term : match->terms)
            terms.push_back(mapping.lookupOrDefault(term));
          Value &term = terms[match->resultNumber];
          term = convertScalarToDtype(b, loc, term,
                                      accs[match->resultNumber].getType(),
                                      /*isUnsignedCast=*/false);
          linalg::YieldOp::create(b, loc, match->build(b, loc, accs, terms));
        });
  }

  SmallVector<Value> combineAccumulators(Operation *operation, OpBuilder &b,
                                         Location loc, ValueRange lhs,
                                         ValueRange rhs) const {
    auto match = PayloadAccumulation::match(cast<LinalgOp>(operation),
                                            /*mayBeInteger=*/true);
    unsigned number = match->resultNumber;
    int64_t rank = cast<RankedTensorType>(lhs[number].getType()).getRank();
    SmallVector<AffineMap> maps(lhs.size() + rhs.size(),
                                b.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               b, loc, lhs.getTypes(), rhs, lhs, maps, iterators,
               [&](OpBuilder &b, Location loc, ValueRange args) {
                 auto terms =
                     llvm::to_vector_of<Value>(args.take_front(rhs.size()));
                 auto accs =
                     llvm::to_vector_of<Value>(args.take_back(lhs.size()));
                 Type lhsType = accs[number].getType(),
                      rhsType = terms[number].getType();
                 Type wide = rhsType.getIntOrFloatBitWidth() >
                                     lhsType.getIntOrFloatBitWidth()
                                 ? rhsType
                                 : lhsType;
                 auto convert = [&](Value &value, Type type) {
                   value = convertScalarToDtype(b, loc, value, type, false);
                 };
                 convert(accs[number], wide);
                 convert(terms[number], wide);
                 SmallVector<Value> values = match->build(b, loc, accs, terms);
                 convert(values[number], lhsType);
                 linalg::YieldOp::create(b, loc, values);
               })
        .getResults();
  }

private:
  /// Finds the op by which the payload accumulates, and the kind of
  /// accumulation. `combiner` is null if `op` is elementwise. Fails if `op` is
  /// neither, or has several results.
  static LogicalResult findCombiner(LinalgOp op, Operation *&combiner,
                                    std::optional<AccumulationKind> &kind,
                                    Refusal &refusal) {
    if (op.getNumDpsInits() != 1)
      return refusal.set(RefusalKind::NotRepairable, op,
                         "expected 1 result, got " +
                             std::to_string(op.getNumDpsInits()));
    if (op.isAllParallelLoops())
      return success();
    combiner = getCombiner(op, 0);
    if (combiner)
      kind = getKind(combiner);
    if (kind)
      return success();
    return refusal.set(RefusalKind::NotRepairable, op,
                       "expected the accumulation to be a sum, a max or a min");
  }

  /// Returns `degree` of a value that becomes an element of `init`, an operand
  /// of `op`, as a StateDependentValue.
  static StateDependentValue makeStateDependent(LinalgOp op,
                                                const Degree &degree,
                                                const RowGroups &rows,
                                                OpOperand *init) {
    StateDependentValue value{{degree.repair.kind, degree.getCoefficient()},
                              rows,
                              degree.isRounded,
                              degree.isCompared,
                              degree.isSigned};
    AffineMap map = op.getMatchingIndexingMap(init);
    for (unsigned loop : degree.constantDims.set_bits())
      if (std::optional<unsigned> dim =
              map.getResultPosition(getAffineDimExpr(loop, op.getContext())))
        value.constantDims.push_back(*dim);
    llvm::sort(value.constantDims);
    return value;
  }

  /// Builds diag(rho) * acc. The last dimension of rho becomes the rows of the
  /// diagonal matrix, the others are batch dimensions.
  static Value buildDiagProduct(OpBuilder &b, Location loc, Value acc,
                                Value rho, ArrayRef<int64_t> accDims) {
    auto accType = cast<RankedTensorType>(acc.getType());
    auto rhoType = cast<RankedTensorType>(rho.getType());
    int64_t rank = accType.getRank();
    SmallVector<OpFoldResult> diagSizes = tensor::getMixedSizes(b, loc, rho);
    diagSizes.push_back(diagSizes.back());
    Value diagInit =
        tensor::EmptyOp::create(b, loc, diagSizes, rhoType.getElementType());
    Value diag = DiagOp::create(b, loc, rho, diagInit)->getResult(0);

    // Iteration domain: the dimensions of acc, then the contracted one.
    SmallVector<AffineExpr> diagExprs, accExprs, outExprs;
    for (int64_t dim : accDims)
      diagExprs.push_back(b.getAffineDimExpr(dim));
    diagExprs.push_back(b.getAffineDimExpr(rank));
    for (int64_t dim = 0; dim < rank; ++dim) {
      outExprs.push_back(b.getAffineDimExpr(dim));
      accExprs.push_back(
          b.getAffineDimExpr(dim == accDims.back() ? rank : dim));
    }
    MLIRContext *context = b.getContext();
    SmallVector<AffineMap> maps{AffineMap::get(rank + 1, 0, diagExprs, context),
                                AffineMap::get(rank + 1, 0, accExprs, context),
                                AffineMap::get(rank + 1, 0, outExprs, context)};
    Value zero = arith::ConstantOp::create(
        b, loc, b.getZeroAttr(accType.getElementType()));
    Value init = tensor::EmptyOp::create(
        b, loc, tensor::getMixedSizes(b, loc, acc), accType.getElementType());
    init = linalg::FillOp::create(b, loc, zero, init).getResult(0);
    return BatchMatmulOp::create(b, loc, diag, acc, init, maps)->getResult(0);
  }
};

/// A reshape propagates a repair if it keeps the order of rows.
struct ReshapeRepairable
    : public RepairableOpInterface::ExternalModel<ReshapeRepairable,
                                                  RepairableOpInterface> {
  bool isNonNegative(Operation *, ArrayRef<unsigned> operandNumbers) const {
    return llvm::is_contained(operandNumbers, 0u);
  }
  FailureOr<Accumulation> getAccumulation(Operation *) const {
    return failure();
  }
  FailureOr<AccumulatorRepair>
  getAccumulatorRepair(Operation *op, ArrayRef<StateDependentOperand>,
                       Refusal &refusal) const {
    return refusal.set(RefusalKind::NotRepairable, op,
                       "it accumulates nothing");
  }
  FailureOr<StateDependentValue>
  propagateRepair(Operation *op, ArrayRef<StateDependentOperand> stateDependent,
                  Refusal &refusal) const {
    StateDependentValue value = stateDependent.front().value;
    if (failed(mapRowsThroughReshape(op, value.rows, refusal)))
      return failure();
    value.constantDims = getVaryingDims(op, value.constantDims);
    return value;
  }
  FailureOr<std::optional<Tangent>>
  buildTangent(Operation *op, OpBuilder &b, Location loc,
               ArrayRef<OperandTangent> operands, Refusal &refusal) const {
    return buildReshapeTangent(op, b, loc, operands, refusal);
  }
  FailureOr<std::optional<Tangent>>
  buildAffinePart(Operation *op, OpBuilder &b, Location loc, AffinePart,
                  ArrayRef<OperandPart> operands, Refusal &refusal) const {
    if (!operands.front().part)
      return std::optional<Tangent>();
    OperandTangent part{operands.front().operand.number,
                        *operands.front().part};
    return buildReshapeTangent(op, b, loc, part, refusal);
  }
  Value applyRepair(Operation *, OpBuilder &, Location, RepairKind, Value,
                    Value, ArrayRef<int64_t>) const {
    llvm_unreachable("no accumulator");
  }
  Operation *accumulateInto(Operation *, OpBuilder &, Location,
                            ValueRange) const {
    llvm_unreachable("no accumulator");
  }
  SmallVector<Value> combineAccumulators(Operation *, OpBuilder &, Location,
                                         ValueRange, ValueRange) const {
    llvm_unreachable("no accumulator");
  }
};

/// Attaches `Model` to the ops `Ops`.
template <typename Model, typename... Ops>
void attachModel(MLIRContext *context) {
  (RegisteredOperationName::lookup(Ops::getOperationName(), context)
       ->template attachInterface<Model>(),
   ...);
}
} // namespace

void mlir::linalg_ext::registerRepairableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LinalgExtDialect *) {
    attachModel<LinalgRepairable, BatchMatmulOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    attachModel<ReshapeRepairable, tensor::ExpandShapeOp,
                tensor::CollapseShapeOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachModel<LinalgRepairable,
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
                >(context);
    // The models build ops of these dialects.
    context->loadDialect<LinalgExtDialect>();
  });
}
