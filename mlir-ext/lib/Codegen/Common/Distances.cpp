//===- Distances.cpp - Comparisons of distances of positions --------------===//
//
// A window may be written as |i - j| <= w. The distance is a maximum, that of
// i - j and j - i, and a maximum is at most w if both operands are. These two
// comparisons are linear in the positions, as those of other masks are: loops
// over tiles visit what they leave, and threads compare positions with
// constants.
//
// Importers write a distance as math.absi, as arith.maxsi, or as a selection by
// the sign.
//
//===----------------------------------------------------------------------===//

#include "Distances.h"

#include "mlir-ext/Support/Comparisons.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

using namespace mlir;
using namespace mlir::linalg_ext;

using Predicate = arith::CmpIPredicate;

/// Sums of positions and smaller constants do not overflow.
static constexpr uint64_t kMostShift = uint64_t(1) << 30;

namespace {
/// A maximum or minimum of `first` and `second`. A null `second` stands for
/// 0 - `first`.
struct Extreme {
  Value first, second;
  bool isMax;
};
} // namespace

/// Returns whether `rhs` is -`lhs`.
static bool isNegated(Value lhs, Value rhs) {
  auto difference = rhs.getDefiningOp<arith::SubIOp>();
  if (!difference)
    return false;
  if (matchPattern(difference.getLhs(), m_Zero()))
    return difference.getRhs() == lhs;
  auto other = lhs.getDefiningOp<arith::SubIOp>();
  return other && other.getLhs() == difference.getRhs() &&
         other.getRhs() == difference.getLhs();
}

/// Returns whether `value` is the index of an iteration, or a cast of it.
static bool isPosition(Value value) {
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  return bool(value.getDefiningOp<linalg::IndexOp>());
}

/// Returns whether `compare` holds if `larger` > `smaller`, and not if
/// `larger` < `smaller`. It is a comparison of these two, or, if one is the
/// negated other one, of one of them with about zero, or of what `larger` is
/// the difference of.
static bool isGreater(arith::CmpIOp compare, Value larger, Value smaller) {
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  Predicate predicate = compare.getPredicate();
  if (predicate == Predicate::slt || predicate == Predicate::sle) {
    std::swap(lhs, rhs);
    predicate = predicate == Predicate::slt ? Predicate::sgt : Predicate::sge;
  }
  if (predicate != Predicate::sgt && predicate != Predicate::sge)
    return false;
  if (lhs == larger && rhs == smaller)
    return true;
  if (!isNegated(larger, smaller) && !isNegated(smaller, larger))
    return false;
  // i - j > j - i where i > j. Differences of other numbers may wrap around.
  if (isPosition(lhs) && isPosition(rhs))
    for (auto [value, first, second] : {std::tuple(larger, lhs, rhs),
                                        std::tuple(smaller, rhs, lhs)})
      if (auto difference = value.getDefiningOp<arith::SubIOp>())
        if (difference.getLhs() == first && difference.getRhs() == second)
          return true;
  // x >= 0 or x > -1, and 0 >= -x or 1 > -x. At 0, both are equal.
  APInt bound;
  bool isStrict = predicate == Predicate::sgt;
  if (lhs == larger && matchPattern(rhs, m_ConstantInt(&bound)))
    return bound.isZero() || (isStrict ? bound.isAllOnes() : bound.isOne());
  if (rhs == smaller && matchPattern(lhs, m_ConstantInt(&bound)))
    return bound.isZero() || (isStrict ? bound.isOne() : bound.isAllOnes());
  return false;
}

/// Returns the operands of `value`, if it is a maximum or a minimum.
static std::optional<Extreme> getExtreme(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (isa<arith::MaxSIOp, arith::MinSIOp>(op))
    return Extreme{op->getOperand(0), op->getOperand(1),
                   isa<arith::MaxSIOp>(op)};
  if (auto abs = dyn_cast<math::AbsIOp>(op))
    return Extreme{abs.getOperand(), Value(), true};
  auto select = dyn_cast<arith::SelectOp>(op);
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpIOp>()
                        : arith::CmpIOp();
  if (!compare)
    return std::nullopt;
  Value first = select.getTrueValue(), second = select.getFalseValue();
  if (isGreater(compare, first, second))
    return Extreme{first, second, true};
  if (isGreater(compare, second, first))
    return Extreme{first, second, false};
  return std::nullopt;
}

/// Returns whether `op` is a cast that keeps the value and the sign.
static bool isWidening(Operation *op) {
  if (isa<arith::ExtSIOp>(op))
    return true;
  auto cast = dyn_cast<arith::IndexCastOp>(op);
  return cast && (cast.getType().isIndex() || cast.getType().isInteger(64));
}

/// Returns whether `value`, in the payload of a structured op, depends on a
/// position.
static bool isOfPosition(Value value) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (unsigned i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!op || !isa<linalg::LinalgOp>(op->getParentOp()))
      continue;
    if (isa<linalg::IndexOp>(op))
      return true;
    values.insert_range(op->getOperands());
  }
  return false;
}

namespace {
/// max(a, b) <= c is a <= c and b <= c.
struct CompareOperands : public OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpIOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<linalg::LinalgOp>(op->getParentOp()) ||
        !op.getLhs().getType().isIntOrIndex())
      return rewriter.notifyMatchFailure(op, "not of scalars in a payload");
    bool isLess = op.getPredicate() == Predicate::slt ||
                  op.getPredicate() == Predicate::sle;
    if (!isLess && op.getPredicate() != Predicate::sgt &&
        op.getPredicate() != Predicate::sge)
      return rewriter.notifyMatchFailure(op, "not an order of signed integers");
    for (unsigned side : {0, 1}) {
      SmallVector<Operation *> casts;
      Value value = op->getOperand(side);
      while (value.getDefiningOp() && isWidening(value.getDefiningOp())) {
        casts.push_back(value.getDefiningOp());
        value = casts.back()->getOperand(0);
      }
      std::optional<Extreme> extreme = getExtreme(value);
      if (!extreme || !isOfPosition(value))
        continue;
      Location loc = op.getLoc();
      auto compare = [&](Value operand) -> Value {
        for (Operation *cast : llvm::reverse(casts)) {
          IRMapping mapping;
          mapping.map(cast->getOperand(0), operand);
          operand = rewriter.clone(*cast, mapping)->getResult(0);
        }
        Value sides[2] = {op.getLhs(), op.getRhs()};
        sides[side] = operand;
        return arith::CmpIOp::create(rewriter, loc, op.getPredicate(), sides[0],
                                     sides[1]);
      };
      if (!extreme->second)
        extreme->second = buildNegated(rewriter, loc, extreme->first);
      Value first = compare(extreme->first), second = compare(extreme->second);
      // Both must be less than something, or greater, or one.
      if ((isLess == (side == 0)) == extreme->isMax)
        rewriter.replaceOpWithNewOp<arith::AndIOp>(op, first, second);
      else
        rewriter.replaceOpWithNewOp<arith::OrIOp>(op, first, second);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "compares no extreme of positions");
  }

private:
  static Value buildNegated(PatternRewriter &rewriter, Location loc,
                            Value value) {
    if (auto difference = value.getDefiningOp<arith::SubIOp>())
      return arith::SubIOp::create(rewriter, loc, difference.getRhs(),
                                   difference.getLhs());
    Value zero = arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(value.getType()));
    return arith::SubIOp::create(rewriter, loc, zero, value);
  }
};

/// |a| is 0 where a is.
struct CompareWithZero : public OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpIOp op,
                                PatternRewriter &rewriter) const override {
    auto abs = op.getLhs().getDefiningOp<math::AbsIOp>();
    if (!abs || !matchPattern(op.getRhs(), m_Zero()) ||
        (op.getPredicate() != Predicate::eq &&
         op.getPredicate() != Predicate::ne))
      return rewriter.notifyMatchFailure(op, "does not compare |a| with 0");
    rewriter.modifyOpInPlace(
        op, [&] { op.getLhsMutable().assign(abs.getOperand()); });
    return success();
  }
};

/// j > i - c is i - j < c: the distance of two positions is compared with a
/// constant, from the first dimension to the last one.
struct CompareDistance : public OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpIOp op,
                                PatternRewriter &rewriter) const override {
    Predicate predicate = op.getPredicate();
    bool isSignedOrder = makeSigned(predicate) == predicate &&
                         predicate != Predicate::eq &&
                         predicate != Predicate::ne;
    std::optional<Shifted> lhs = getShifted(op.getLhs());
    std::optional<Shifted> rhs = lhs ? getShifted(op.getRhs()) : std::nullopt;
    if (!isSignedOrder || !rhs || lhs->dim == rhs->dim || lhs->by == rhs->by)
      return rewriter.notifyMatchFailure(
          op, "no signed order of two positions, one of them shifted");
    Type type = op.getLhs().getType();
    if (!type.isIndex() && type.getIntOrFloatBitWidth() < 32)
      return rewriter.notifyMatchFailure(
          op, "narrow integers may not hold the sum of two shifts");
    int64_t more = rhs->by - lhs->by;
    if (lhs->dim > rhs->dim) {
      std::swap(lhs, rhs);
      predicate = swapOperands(predicate);
      more = -more;
    }
    Location loc = op.getLoc();
    Value distance =
        arith::SubIOp::create(rewriter, loc, lhs->position, rhs->position);
    Value constant = arith::ConstantOp::create(
        rewriter, loc, rewriter.getIntegerAttr(type, more));
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, predicate, distance,
                                               constant);
    return success();
  }

private:
  /// A position of dimension `dim`, and what is added to it.
  struct Shifted {
    Value position;
    uint64_t dim;
    int64_t by;
  };

  /// Returns `value` as a position that is shifted by a small constant, or 0.
  static std::optional<Shifted> getShifted(Value value) {
    Shifted shifted{value, 0, 0};
    Operation *op = value.getDefiningOp();
    APInt constant;
    if (isa_and_present<arith::AddIOp, arith::SubIOp>(op) &&
        matchPattern(op->getOperand(1), m_ConstantInt(&constant)) &&
        constant.abs().ult(kMostShift)) {
      shifted.position = op->getOperand(0);
      shifted.by = isa<arith::AddIOp>(op) ? constant.getSExtValue()
                                          : -constant.getSExtValue();
    }
    Value index = shifted.position;
    if (auto cast = index.getDefiningOp<arith::IndexCastOp>())
      index = cast.getIn();
    auto position = index.getDefiningOp<linalg::IndexOp>();
    if (!position)
      return std::nullopt;
    shifted.dim = position.getDim();
    return shifted;
  }
};
} // namespace

void mlir::linalg_ext::populateDistancePatterns(RewritePatternSet &patterns) {
  patterns.add<CompareOperands, CompareWithZero, CompareDistance>(
      patterns.getContext());
}
