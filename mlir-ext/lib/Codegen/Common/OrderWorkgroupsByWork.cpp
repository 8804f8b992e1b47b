//===- OrderWorkgroupsByWork.cpp - Order of workgroups by work ------------===//
//
// A grid starts its workgroups in order. If the last ones have the most work,
// as in causal attention, a few of them run alone at the end.
//
//   1. Compute how the trip counts of the loops in the body change with each
//      induction variable of the scf.forall.
//   2. Reverse the dimensions along which they grow.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/DenseMap.h"

#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// How a value changes if one induction variable grows and all others stay.
enum class Trend { Constant, Grows, Shrinks, Unknown };
} // namespace

static Trend negate(Trend trend) {
  if (trend == Trend::Grows)
    return Trend::Shrinks;
  return trend == Trend::Shrinks ? Trend::Grows : trend;
}

/// Returns the trend of a sum, of a maximum or of a minimum.
static Trend join(Trend lhs, Trend rhs) {
  if (lhs == Trend::Constant || lhs == rhs)
    return rhs;
  return rhs == Trend::Constant ? lhs : Trend::Unknown;
}

static Trend scale(Trend trend, std::optional<int64_t> factor) {
  if (trend == Trend::Constant)
    return trend;
  if (!factor)
    return Trend::Unknown;
  if (*factor == 0)
    return Trend::Constant;
  return *factor > 0 ? trend : negate(trend);
}

static Trend getTrend(AffineExpr expr, unsigned numDims,
                      ArrayRef<Trend> operands) {
  if (isa<AffineConstantExpr>(expr))
    return Trend::Constant;
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Trend lhs = getTrend(binary.getLHS(), numDims, operands);
  Trend rhs = getTrend(binary.getRHS(), numDims, operands);
  if (binary.getKind() == AffineExprKind::Add)
    return join(lhs, rhs);
  // In a product or quotient, the right operand is a constant or a symbol.
  std::optional<int64_t> factor;
  if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS()))
    factor = constant.getValue();
  if (join(lhs, rhs) == Trend::Constant)
    return Trend::Constant;
  return binary.getKind() == AffineExprKind::Mod ? Trend::Unknown
                                                 : scale(lhs, factor);
}

namespace {
/// Finds how values change with one induction variable. Remembers what it has
/// found: a value may be used many times.
class TrendAnalysis {
public:
  explicit TrendAnalysis(Value variable) : variable(variable) {}

  /// Returns the trend of `value` as a function of the variable.
  Trend getTrend(Value value);

private:
  Trend computeTrend(Value value);
  Trend getTrendOfExpression(AffineExpr expr, unsigned numDims,
                             ValueRange operands);
  Trend getTrendOfChoice(arith::SelectOp select);

  Value variable;
  llvm::DenseMap<Value, Trend> known;
};
} // namespace

/// Returns the trend of `expr`, whose operands are `operands`. A summand of a
/// minimum is added to each of its operands: i + min(s, n - i) is min(i + s,
/// n).
Trend TrendAnalysis::getTrendOfExpression(AffineExpr expr, unsigned numDims,
                                          ValueRange operands) {
  SmallVector<Trend> trends = llvm::map_to_vector(
      operands, [&](Value operand) { return getTrend(operand); });
  Trend trend = ::getTrend(expr, numDims, trends);
  if (trend != Trend::Unknown)
    return trend;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    AffineMap inner;
    if (auto min = operand.getDefiningOp<affine::AffineMinOp>())
      inner = min.getAffineMap();
    else if (auto max = operand.getDefiningOp<affine::AffineMaxOp>())
      inner = max.getAffineMap();
    else
      continue;
    SmallVector<Trend> alone(operands.size(), Trend::Constant);
    alone[i] = Trend::Grows;
    if (::getTrend(expr, numDims, alone) == Trend::Unknown)
      continue;
    // Make all operands symbols. The operands of the minimum come last.
    MLIRContext *context = variable.getContext();
    SmallVector<Value> allOperands(operands);
    Operation *op = operand.getDefiningOp();
    llvm::append_range(allOperands, op->getOperands());
    auto makeSymbols = [&](unsigned count, unsigned offset) {
      SmallVector<AffineExpr> symbols;
      for (unsigned k = 0; k < count; ++k)
        symbols.push_back(getAffineSymbolExpr(offset + k, context));
      return symbols;
    };
    SmallVector<AffineExpr> outer = makeSymbols(operands.size(), 0);
    SmallVector<AffineExpr> inners =
        makeSymbols(op->getNumOperands(), operands.size());
    Trend ofAll = Trend::Constant;
    for (AffineExpr one : inner.getResults()) {
      outer[i] = one.replaceDimsAndSymbols(
          ArrayRef(inners).take_front(inner.getNumDims()),
          ArrayRef(inners).drop_front(inner.getNumDims()));
      AffineMap map = AffineMap::get(
          0, allOperands.size(),
          expr.replaceDimsAndSymbols(ArrayRef(outer).take_front(numDims),
                                     ArrayRef(outer).drop_front(numDims)));
      SmallVector<Value> used = allOperands;
      affine::fullyComposeAffineMapAndOperands(&map, &used);
      affine::canonicalizeMapAndOperands(&map, &used);
      map = simplifyAffineMap(map);
      ofAll = join(ofAll, getTrendOfExpression(map.getResult(0),
                                               map.getNumDims(), used));
    }
    if (ofAll != Trend::Unknown)
      return ofAll;
  }
  return Trend::Unknown;
}

/// Returns the trend of a choice between two values that stay: that of the
/// condition says which one comes later.
Trend TrendAnalysis::getTrendOfChoice(arith::SelectOp select) {
  using Comparison = ValueBoundsConstraintSet::ComparisonOperator;
  auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
  Value first = select.getTrueValue(), second = select.getFalseValue();
  if (!compare || !first.getType().isIndex() ||
      getTrend(first) != Trend::Constant || getTrend(second) != Trend::Constant)
    return Trend::Unknown;
  Trend difference =
      join(getTrend(compare.getLhs()), negate(getTrend(compare.getRhs())));
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sge:
    break;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sle:
    difference = negate(difference);
    break;
  default:
    return difference == Trend::Constant ? difference : Trend::Unknown;
  }
  // As the difference grows, the second value is followed by the first one.
  if (ValueBoundsConstraintSet::compare(second, Comparison::LE, first))
    return difference;
  if (ValueBoundsConstraintSet::compare(first, Comparison::LE, second))
    return negate(difference);
  return difference == Trend::Constant ? difference : Trend::Unknown;
}

Trend TrendAnalysis::getTrend(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Trend trend = computeTrend(value);
  known[value] = trend;
  return trend;
}

Trend TrendAnalysis::computeTrend(Value value) {
  if (value == variable)
    return Trend::Grows;
  Operation *op = value.getDefiningOp();
  Block *body = variable.getParentBlock();
  if (!op)
    return value.getParentBlock() == body ||
                   !body->getParentOp()->isAncestor(
                       value.getParentBlock()->getParentOp())
               ? Trend::Constant
               : Trend::Unknown;
  if (!body->findAncestorOpInBlock(*op))
    return Trend::Constant;
  auto ofMap = [&](AffineMap map) {
    Trend result = Trend::Constant;
    for (AffineExpr expr : map.getResults())
      result = join(result, getTrendOfExpression(expr, map.getNumDims(),
                                                 op->getOperands()));
    return result;
  };
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return ofMap(apply.getAffineMap());
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return ofMap(min.getAffineMap());
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return ofMap(max.getAffineMap());
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return getTrendOfChoice(select);
  SmallVector<Trend> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return getTrend(operand); });
  if (isa<arith::AddIOp, arith::MinSIOp, arith::MaxSIOp, arith::IndexCastOp>(
          op))
    return std::accumulate(operands.begin(), operands.end(), Trend::Constant,
                           join);
  if (isa<arith::SubIOp>(op))
    return join(operands[0], negate(operands[1]));
  if (isa<arith::MulIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
          arith::DivSIOp>(op) &&
      operands[1] == Trend::Constant)
    return scale(operands[0], getConstantIntValue(op->getOperand(1)));
  return isPure(op) && llvm::all_of(
                           operands,
                           [](Trend trend) { return trend == Trend::Constant; })
             ? Trend::Constant
             : Trend::Unknown;
}

/// Returns the upper bound of `loop` if it has iterations. It may have none
/// because a condition is false. Such workgroups end at once, so their place
/// does not matter.
static Value getLastEnd(scf::ForOp loop) {
  Value end = loop.getUpperBound();
  auto select = end.getDefiningOp<arith::SelectOp>();
  return select && select.getFalseValue() == loop.getLowerBound()
             ? select.getTrueValue()
             : end;
}

/// Returns how the number of iterations of all loops in the body of `forall`
/// changes with the induction variable `variable`.
static Trend getTrendOfWork(scf::ForallOp forall, Value variable) {
  // If one loop begins where another one ends, that value cancels out.
  SmallVector<Value> ends, begins;
  for (auto loop : forall.getBody()->getOps<scf::ForOp>()) {
    ends.push_back(getLastEnd(loop));
    begins.push_back(loop.getLowerBound());
  }
  TrendAnalysis analysis(variable);
  Trend trend = Trend::Constant;
  for (Value end : ends) {
    auto *begin = llvm::find(begins, end);
    if (begin != begins.end())
      begins.erase(begin);
    else
      trend = join(trend, analysis.getTrend(end));
  }
  for (Value begin : begins)
    trend = join(trend, negate(analysis.getTrend(begin)));
  return trend;
}

bool mlir::linalg_ext::isLongestFirst(scf::ForallOp forall) {
  SmallVector<Value> ivs = forall.getInductionVars();
  Value last = ivs.pop_back_val();
  return getTrendOfWork(forall, last) == Trend::Shrinks &&
         llvm::all_of(ivs, [&](Value iv) {
           return getTrendOfWork(forall, iv) == Trend::Constant;
         });
}

bool mlir::linalg_ext::orderWorkgroupsByWork(RewriterBase &rewriter,
                                             scf::ForallOp forall) {
  bool isChanged = false;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(forall.getBody());
  AffineExpr variable = rewriter.getAffineDimExpr(0),
             lower = rewriter.getAffineSymbolExpr(0),
             upper = rewriter.getAffineSymbolExpr(1),
             step = rewriter.getAffineSymbolExpr(2);
  // The reversed index is the last iteration minus the distance of this one
  // from the first.
  AffineMap map = AffineMap::get(
      1, 3,
      lower + (upper - lower - 1).floorDiv(step) * step - (variable - lower));
  for (auto [iv, lower, upper, step] :
       llvm::zip_equal(forall.getInductionVars(), forall.getMixedLowerBound(),
                       forall.getMixedUpperBound(), forall.getMixedStep())) {
    if (getTrendOfWork(forall, iv) != Trend::Grows ||
        !getConstantIntValue(step))
      continue;
    Value reversed = getValueOrCreateConstantIndexOp(
        rewriter, forall.getLoc(),
        affine::makeComposedFoldedAffineApply(
            rewriter, forall.getLoc(), map,
            {OpFoldResult(iv), lower, upper, step}));
    Operation *apply = reversed.getDefiningOp();
    if (!apply || !llvm::is_contained(apply->getOperands(), iv))
      continue;
    // The maximum gives range analyses a lower bound that they would not find.
    if (std::optional<int64_t> constant = getConstantIntValue(lower))
      reversed = arith::MaxSIOp::create(
          rewriter, forall.getLoc(), reversed,
          arith::ConstantIndexOp::create(rewriter, forall.getLoc(), *constant));
    rewriter.replaceAllUsesExcept(iv, reversed, apply);
    isChanged = true;
  }
  return isChanged;
}
