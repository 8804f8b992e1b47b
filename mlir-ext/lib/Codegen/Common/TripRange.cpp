//===- TripRange.cpp - Ranges of iterations of a loop ---------------------===//
//
// Each operation on ranges folds what is constant, so that whole loops get the
// bounds that a reader expects.
//
//===----------------------------------------------------------------------===//

#include "TripRange.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;

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

TripRange TripRangeBuilder::buildForm(const LinearForm &form) {
  // c iv + rest <= 0, with iv = lower bound + step * trip.
  int64_t c = form.getCoefficient(loop.getInductionVar());
  SmallVector<OpFoldResult> operands{lowerBound};
  AffineExpr rest = b.getAffineDimExpr(0) * c + form.constant;
  for (auto [value, coefficient] : form.terms) {
    if (value == loop.getInductionVar())
      continue;
    Value symbol = reader.hoist(b, value, hoisted);
    if (!symbol.getType().isIndex())
      symbol = arith::IndexCastOp::create(b, loc, b.getIndexType(), symbol);
    rest = rest + b.getAffineDimExpr(operands.size()) * coefficient;
    operands.push_back(getAsOpFoldResult(symbol));
  }
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
