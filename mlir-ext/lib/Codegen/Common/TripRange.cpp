//===- TripRange.cpp - Ranges of iterations of a loop ---------------------===//
//
// Each operation on ranges folds what is constant, so that whole loops get the
// bounds that a reader expects.
//
//===----------------------------------------------------------------------===//

#include "TripRange.h"

#include "mlir-ext/Codegen/Common/Divisor.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether `expr` does not decrease if dimension `dim` increases.
static bool isNonDecreasing(AffineExpr expr, unsigned dim) {
  if (!expr.isFunctionOfDim(dim) || isa<AffineDimExpr>(expr))
    return true;
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return isNonDecreasing(binary.getLHS(), dim) &&
           isNonDecreasing(binary.getRHS(), dim);
  case AffineExprKind::Mul:
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    return constant && constant.getValue() > 0 &&
           isNonDecreasing(binary.getLHS(), dim);
  default:
    return false;
  }
}

static void collectTerms(AffineExpr expr, SmallVector<AffineExpr> &terms) {
  if (expr.getKind() != AffineExprKind::Add)
    return terms.push_back(expr);
  auto sum = cast<AffineBinaryOpExpr>(expr);
  collectTerms(sum.getLHS(), terms);
  collectTerms(sum.getRHS(), terms);
}

/// Divides what is a multiple of a divisor apart from the rest of a sum. Rounds
/// all quotients down.
static AffineExpr divideApart(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = divideApart(binary.getLHS());
  AffineExpr rhs = divideApart(binary.getRHS());
  auto divisor = dyn_cast<AffineConstantExpr>(rhs);
  bool isRoundedUp = expr.getKind() == AffineExprKind::CeilDiv;
  if ((expr.getKind() != AffineExprKind::FloorDiv && !isRoundedUp) ||
      !divisor || divisor.getValue() <= 0)
    return getAffineBinaryOpExpr(expr.getKind(), lhs, rhs);
  if (isRoundedUp)
    lhs = lhs + (divisor.getValue() - 1);
  SmallVector<AffineExpr> terms;
  collectTerms(lhs, terms);
  AffineExpr multiple = getAffineConstantExpr(0, expr.getContext());
  AffineExpr rest = multiple;
  for (AffineExpr term : terms) {
    AffineExpr &sum = term.isMultipleOf(divisor.getValue()) ? multiple : rest;
    sum = sum + term;
  }
  return multiple.floorDiv(rhs) + rest.floorDiv(rhs);
}

/// Returns the most that `a` floordiv `divisor` is more than `b` floordiv
/// `divisor`, if both differ by a constant: b is a multiple of what divides it
/// for sure, and a constant.
static std::optional<int64_t> getMostMoreOfQuotients(AffineExpr a, AffineExpr b,
                                                     int64_t divisor,
                                                     unsigned numDims) {
  auto simplify = [&](AffineExpr expr) {
    return simplifyAffineExpr(expr, numDims, /*numSymbols=*/0);
  };
  auto more = dyn_cast<AffineConstantExpr>(simplify(a - b));
  SmallVector<AffineExpr> zeros(numDims,
                                getAffineConstantExpr(0, b.getContext()));
  auto constant = dyn_cast<AffineConstantExpr>(b.replaceDims(zeros));
  if (!more || !constant)
    return std::nullopt;
  int64_t step = std::gcd(
      simplify(b - constant.getValue()).getLargestKnownDivisor(), divisor);
  int64_t mostRest = divisor - step + llvm::mod(constant.getValue(), step);
  return llvm::divideFloorSigned(mostRest + more.getValue(), divisor);
}

namespace {
/// factor * (dividend floordiv divisor). A null `dividend` stands for no
/// quotient.
struct ScaledQuotient {
  AffineExpr dividend;
  int64_t divisor = 1, factor = 1;
};
} // namespace

static ScaledQuotient getScaledQuotient(AffineExpr term) {
  ScaledQuotient quotient;
  auto binary = dyn_cast<AffineBinaryOpExpr>(term);
  if (binary && term.getKind() == AffineExprKind::Mul) {
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (!factor)
      return {};
    quotient.factor = factor.getValue();
    binary = dyn_cast<AffineBinaryOpExpr>(binary.getLHS());
  }
  if (!binary || binary.getKind() != AffineExprKind::FloorDiv)
    return {};
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!divisor || divisor.getValue() <= 0)
    return {};
  quotient.dividend = binary.getLHS();
  quotient.divisor = divisor.getValue();
  return quotient;
}

/// Replaces differences of quotients in a sum by the most that they may be.
static AffineExpr boundQuotients(AffineExpr expr, unsigned numDims) {
  SmallVector<AffineExpr> terms;
  collectTerms(expr, terms);
  for (AffineExpr &more : terms) {
    ScaledQuotient a = getScaledQuotient(more);
    if (!a.dividend || a.factor <= 0)
      continue;
    for (AffineExpr &less : terms) {
      ScaledQuotient b = getScaledQuotient(less);
      if (!b.dividend || b.factor != -a.factor || a.divisor % b.divisor != 0)
        continue;
      // d floordiv 8 is 128 d floordiv 1024.
      std::optional<int64_t> most = getMostMoreOfQuotients(
          a.dividend, b.dividend * (a.divisor / b.divisor), a.divisor, numDims);
      if (!most)
        continue;
      more = getAffineConstantExpr(*most * a.factor, expr.getContext());
      less = getAffineConstantExpr(0, expr.getContext());
      break;
    }
  }
  AffineExpr sum = getAffineConstantExpr(0, expr.getContext());
  for (AffineExpr term : terms)
    sum = sum + term;
  return simplifyAffineExpr(sum, numDims, /*numSymbols=*/0);
}

/// Returns an upper bound of the difference of two numbers of iterations.
static std::optional<int64_t>
getMostMore(OpFoldResult upper, OpFoldResult lower, MLIRContext *context) {
  AffineExpr a, b;
  bindDims(context, a, b);
  AffineMap map = AffineMap::get(2, 0, a - b);
  SmallVector<OpFoldResult> folded{upper, lower};
  SmallVector<Value> operands;
  SmallVector<AffineExpr> dims;
  for (OpFoldResult value : folded) {
    if (std::optional<int64_t> constant = getConstantIntValue(value)) {
      dims.push_back(getAffineConstantExpr(*constant, context));
    } else {
      dims.push_back(getAffineDimExpr(operands.size(), context));
      operands.push_back(cast<Value>(value));
    }
  }
  map = AffineMap::get(operands.size(), 0, map.getResult(0).replaceDims(dims));
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  // A symbol may be a dimension, too.
  dims.clear();
  SmallVector<AffineExpr> symbols;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    AffineExpr dim = getAffineDimExpr(i, context) *
                     std::max<int64_t>(getDivisor(operand), 1);
    (i < map.getNumDims() ? dims : symbols).push_back(dim);
  }
  AffineExpr difference = simplifyAffineExpr(
      divideApart(map.getResult(0).replaceDimsAndSymbols(dims, symbols)),
      operands.size(), /*numSymbols=*/0);
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (!difference.isFunctionOfDim(i))
      continue;
    FailureOr<int64_t> most = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::UB, operand, /*stopCondition=*/nullptr,
        kClosedUpperBound);
    int64_t divisor = std::max<int64_t>(getDivisor(operand), 1);
    if (failed(most) || !isNonDecreasing(difference, i))
      continue;
    most = llvm::divideFloorSigned(*most, divisor);
    difference = difference.replace(getAffineDimExpr(i, context),
                                    getAffineConstantExpr(*most, context));
  }
  auto constant =
      dyn_cast<AffineConstantExpr>(boundQuotients(difference, operands.size()));
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

bool mlir::linalg_ext::isAtMostMore(OpFoldResult upper, OpFoldResult lower,
                                    int64_t more) {
  // A minimum is at most each of its operands, and a maximum at least.
  if (auto value = dyn_cast<Value>(upper))
    if (auto min = value.getDefiningOp<arith::MinSIOp>())
      return isAtMostMore(min.getLhs(), lower, more) ||
             isAtMostMore(min.getRhs(), lower, more);
  auto value = dyn_cast<Value>(lower);
  if (!value)
    value = dyn_cast<Value>(upper);
  if (!value)
    return *getConstantIntValue(upper) - *getConstantIntValue(lower) <= more;
  if (auto max = dyn_cast<Value>(lower) ? value.getDefiningOp<arith::MaxSIOp>()
                                        : arith::MaxSIOp())
    return isAtMostMore(upper, max.getLhs(), more) ||
           isAtMostMore(upper, max.getRhs(), more);
  std::optional<int64_t> most = getMostMore(upper, lower, value.getContext());
  return most && *most <= more;
}

TripRangeBuilder::TripRangeBuilder(OpBuilder &b, scf::ForOp loop)
    : b(b), loop(loop), loc(loop.getLoc()), reader(loop),
      lowerBound(getAsOpFoldResult(loop.getLowerBound())),
      upperBound(getAsOpFoldResult(loop.getUpperBound())),
      step(*getConstantIntValue(loop.getStep())) {}

OpFoldResult TripRangeBuilder::apply(AffineExpr expr,
                                     ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(operands.size(), 0, expr), operands);
}

Value TripRangeBuilder::materialize(OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(b, loc, value);
}

// In nests of tightened loops, the bounds of one loop depend on the ranges of
// all others. As affine ops they would be constraints wherever two slices are
// compared. Solving these takes time exponential in their number.
OpFoldResult TripRangeBuilder::min(OpFoldResult lhs, OpFoldResult rhs) {
  return getAsOpFoldResult(
      b.createOrFold<arith::MinSIOp>(loc, materialize(lhs), materialize(rhs)));
}

OpFoldResult TripRangeBuilder::max(OpFoldResult lhs, OpFoldResult rhs) {
  return getAsOpFoldResult(
      b.createOrFold<arith::MaxSIOp>(loc, materialize(lhs), materialize(rhs)));
}

Value TripRangeBuilder::lessThan(OpFoldResult lhs, OpFoldResult rhs) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                               materialize(lhs), materialize(rhs));
}

OpFoldResult TripRangeBuilder::select(Value condition, OpFoldResult lhs,
                                      OpFoldResult rhs) {
  return arith::SelectOp::create(b, loc, condition, materialize(lhs),
                                 materialize(rhs))
      .getResult();
}

OpFoldResult TripRangeBuilder::getNumTrips() {
  AffineExpr lower = b.getAffineDimExpr(0), upper = b.getAffineDimExpr(1);
  return apply((upper - lower).ceilDiv(step), {lowerBound, upperBound});
}

OpFoldResult TripRangeBuilder::getBound(OpFoldResult trip) {
  return apply(b.getAffineDimExpr(0) + b.getAffineDimExpr(1) * step,
               {lowerBound, trip});
}

AffineExpr TripRangeBuilder::buildSymbols(const LinearForm &form,
                                          SmallVector<OpFoldResult> &operands) {
  AffineExpr sum = b.getAffineConstantExpr(form.constant);
  for (auto [value, coefficient] : form.terms) {
    if (value == loop.getInductionVar())
      continue;
    Value symbol = reader.hoist(b, value, hoisted);
    if (!symbol.getType().isIndex())
      symbol = arith::IndexCastOp::create(b, loc, b.getIndexType(), symbol);
    sum = sum + b.getAffineDimExpr(operands.size()) * coefficient;
    operands.push_back(getAsOpFoldResult(symbol));
  }
  for (const RoundedQuotient &quotient : form.quotients)
    sum = sum + buildSymbols(quotient.dividend, operands)
                        .floorDiv(quotient.divisor) *
                    quotient.coefficient;
  return sum;
}

TripRange TripRangeBuilder::buildForm(const LinearForm &form) {
  // c iv + rest <= 0, with iv = lower bound + step * trip.
  int64_t c = form.getCoefficient(loop.getInductionVar());
  SmallVector<OpFoldResult> operands{lowerBound};
  AffineExpr rest =
      b.getAffineDimExpr(0) * c + buildSymbols(form, operands);
  TripRange range;
  if (c > 0) {
    range.upper = apply((-rest).floorDiv(c * step) + 1, operands);
  } else if (c < 0) {
    range.lower = apply(rest.ceilDiv(-c * step), operands);
    if (std::optional<int64_t> lower = getConstantIntValue(*range.lower))
      if (*lower <= 0)
        range.lower = std::nullopt;
  } else {
    // All iterations or none.
    OpFoldResult value = apply(rest, operands);
    OpFoldResult none = b.getIndexAttr(0);
    if (std::optional<int64_t> constant = getConstantIntValue(value)) {
      if (*constant > 0)
        range.upper = none;
    } else {
      range.upper = select(lessThan(none, value), none, getNumTrips());
    }
  }
  return range;
}

/// Returns whether it is known that `range` is empty.
static bool isNever(const TripRange &range) {
  std::optional<int64_t> upper =
      range.upper ? getConstantIntValue(*range.upper) : std::nullopt;
  return upper && *upper <= 0;
}

std::optional<std::pair<TripRange, TripRange>>
TripRangeBuilder::separate(const TripRange &first, const TripRange &second) {
  if (isNever(first) || isNever(second))
    return std::nullopt;
  TripRange before = first, after = second;
  if (!first.lower && first.upper && second.lower) {
    after.lower = max(*second.lower, *first.upper);
    return std::pair(before, after);
  }
  if (first.upper && second.lower && !second.upper) {
    before.upper = min(*first.upper, *second.lower);
    return std::pair(before, after);
  }
  return std::nullopt;
}

TripRange TripRangeBuilder::intersect(const TripRange &lhs,
                                      const TripRange &rhs) {
  if (isNever(lhs))
    return lhs;
  if (isNever(rhs))
    return rhs;
  TripRange range;
  range.lower = lhs.lower && rhs.lower ? max(*lhs.lower, *rhs.lower)
                : lhs.lower            ? lhs.lower
                                       : rhs.lower;
  range.upper = lhs.upper && rhs.upper ? min(*lhs.upper, *rhs.upper)
                : lhs.upper            ? lhs.upper
                                       : rhs.upper;
  return range;
}

TripRange TripRangeBuilder::unite(const TripRange &lhs, const TripRange &rhs,
                                  Quantifier quantifier) {
  if (isNever(lhs))
    return rhs;
  if (isNever(rhs))
    return lhs;
  // Where both start, or end, with the loop, the union is a range.
  TripRange range;
  if (!lhs.lower && !rhs.lower) {
    if (lhs.upper && rhs.upper)
      range.upper = max(*lhs.upper, *rhs.upper);
    return range;
  }
  if (!lhs.upper && !rhs.upper) {
    if (lhs.lower && rhs.lower)
      range.lower = min(*lhs.lower, *rhs.lower);
    return range;
  }
  OpFoldResult zero = b.getIndexAttr(0), trips = getNumTrips();
  auto clip = [&](const TripRange &r) {
    return std::pair(r.lower ? max(*r.lower, zero) : zero,
                     r.upper ? min(*r.upper, trips) : trips);
  };
  auto [lhsLower, lhsUpper] = clip(lhs);
  auto [rhsLower, rhsUpper] = clip(rhs);
  if (quantifier == Quantifier::All) {
    AffineExpr difference = b.getAffineDimExpr(1) - b.getAffineDimExpr(0);
    Value rhsIsLonger = lessThan(apply(difference, {lhsLower, lhsUpper}),
                                 apply(difference, {rhsLower, rhsUpper}));
    range.lower = select(rhsIsLonger, rhsLower, lhsLower);
    range.upper = select(rhsIsLonger, rhsUpper, lhsUpper);
    return range;
  }
  // What is empty must not widen the other.
  auto normalize = [&](OpFoldResult &lower, OpFoldResult &upper) {
    Value isNotEmpty = lessThan(lower, upper);
    lower = select(isNotEmpty, lower, trips);
    upper = select(isNotEmpty, upper, zero);
  };
  normalize(lhsLower, lhsUpper);
  normalize(rhsLower, rhsUpper);
  range.lower = min(lhsLower, rhsLower);
  range.upper = max(lhsUpper, rhsUpper);
  return range;
}

TripRange TripRangeBuilder::build(const TileCondition &condition,
                                  Quantifier quantifier) {
  using Kind = TileCondition::Kind;
  if (condition.kind == Kind::AtMostZero)
    return buildForm(condition.form);
  TripRange range = build(condition.operands.front(), quantifier);
  for (const TileCondition &operand :
       ArrayRef(condition.operands).drop_front()) {
    TripRange next = build(operand, quantifier);
    range = condition.kind == Kind::And ? intersect(range, next)
                                        : unite(range, next, quantifier);
  }
  return range;
}
