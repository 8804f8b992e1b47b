//===- MergeMasks.cpp - Fewer masks of a tile of scores -------------------===//
//
// An iteration of attention may hide scores behind a diagonal, and scores
// behind the last key: from the maximum of a row, and from the sum of its
// weights. On vectors, these are three selects for each element. One is enough:
//
//   1. A weight of a hidden score needs no mask if the score is -infinity and
//      the power is 0.
//   2. A select of a select with the same other value has both conditions.
//   3. Two conditions on the position in a row are one with the smaller bound,
//      which is computed once for the row.
//
// Where nothing but the end, or a length, hides scores, few iterations have a
// mask. Such kernels stay as they are (docs/Decisions/0069).
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

static bool isMinusInfinity(Value value) {
  return matchPattern(value, m_NegInfFloat());
}

/// Returns the operand of an op that only moves elements, or null.
static Value getMoved(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_present<vector::BroadcastOp, vector::TransposeOp,
                         vector::ShapeCastOp>(op)
             ? op->getOperand(0)
             : Value();
}

/// Returns an upper bound of `value` if it is a positive number: `value` is a
/// constant, or one of two.
static std::optional<APFloat> getFactor(Value value, unsigned depth = 6) {
  APFloat constant(0.0f);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    return constant.isFiniteNonZero() && !constant.isNegative()
               ? std::optional(constant)
               : std::nullopt;
  if (depth == 0)
    return std::nullopt;
  if (Value moved = getMoved(value))
    return getFactor(moved, depth - 1);
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (!select)
    return std::nullopt;
  std::optional<APFloat> a = getFactor(select.getTrueValue(), depth - 1),
                         b = getFactor(select.getFalseValue(), depth - 1);
  return a && b ? std::optional(maximum(*a, *b)) : std::nullopt;
}

static bool isPositiveFinite(Value value) {
  return getFactor(value).has_value();
}

/// Returns whether no element of `value` times `factor` is -infinity, as for a
/// row's maximum that is guarded for rows without scores. (If the product of a
/// score is -infinity, the power is NaN with and without a mask.)
static bool isGuarded(Value value, std::optional<APFloat> factor = std::nullopt,
                      unsigned depth = 8) {
  APFloat constant(0.0f);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    return (factor ? constant * *factor : constant).isFinite();
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (Value moved = getMoved(value))
    return isGuarded(moved, factor, depth - 1);
  if (isa<arith::MulFOp>(op)) {
    std::optional<APFloat> by = getFactor(op->getOperand(1));
    return by && isGuarded(op->getOperand(0), factor ? *by * *factor : *by,
                           depth - 1);
  }
  // The value is a maximum with a finite number.
  if (isa<arith::MaximumFOp>(op))
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return isGuarded(operand, factor, depth - 1);
    });
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select)
    return false;
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  return compare && compare.getPredicate() == arith::CmpFPredicate::OEQ &&
         compare.getLhs() == select.getFalseValue() &&
         isMinusInfinity(compare.getRhs()) &&
         isGuarded(select.getTrueValue(), factor, depth - 1);
}

/// Returns whether a condition differs from row to row, as a diagonal does: it
/// compares a transposed vector of rows.
static bool dependsOnRow(Value condition, unsigned depth = 4) {
  Operation *op = condition.getDefiningOp();
  if (isa_and_present<vector::TransposeOp>(op))
    return true;
  return isa_and_present<arith::AndIOp, arith::OrIOp, arith::CmpIOp,
                         arith::AddIOp, arith::SubIOp>(op) &&
         depth > 0 && llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOnRow(operand, depth - 1);
         });
}

namespace {
/// Replaces select(mask, exp2(x * c - m), 0) by the power of select(mask, x,
/// -infinity), if x is also masked. If m is NaN, the sum of the row is NaN,
/// too.
struct HideScoreOnce : public OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    auto power = op.getTrueValue().getDefiningOp<math::Exp2Op>();
    if (!power || !matchPattern(op.getFalseValue(), m_PosZeroFloat()))
      return rewriter.notifyMatchFailure(op, "expected a power, or 0");
    // If the power has other users, it is computed in any case.
    auto isHidden = [&](Operation *user) {
      auto select = dyn_cast<arith::SelectOp>(user);
      return select && select.getCondition() == op.getCondition() &&
             select.getTrueValue() == power.getResult();
    };
    if (!llvm::all_of(power->getUsers(), isHidden))
      return rewriter.notifyMatchFailure(op, "the power has other users");
    auto difference = power.getOperand().getDefiningOp<arith::SubFOp>();
    if (!difference || !isGuarded(difference.getRhs()))
      return rewriter.notifyMatchFailure(
          op, "expected a difference from a maximum that is not -infinity");
    auto product = difference.getLhs().getDefiningOp<arith::MulFOp>();
    bool isScaled = product && isPositiveFinite(product.getRhs());
    Value score = isScaled ? product.getLhs() : difference.getLhs();
    auto byPosition = score.getDefiningOp<arith::SelectOp>();
    if (!byPosition || !isMinusInfinity(byPosition.getFalseValue()) ||
        !dependsOnRow(byPosition.getCondition()))
      return rewriter.notifyMatchFailure(op, "no diagonal hides the score");
    for (Operation *user : score.getUsers()) {
      auto hidden = dyn_cast<arith::SelectOp>(user);
      if (!hidden || hidden.getCondition() != op.getCondition() ||
          hidden.getTrueValue() != score ||
          !isMinusInfinity(hidden.getFalseValue()) ||
          hidden->getBlock() != op->getBlock() || !hidden->isBeforeInBlock(op))
        continue;
      Location loc = op.getLoc();
      rewriter.setInsertionPoint(op);
      Value lhs = hidden;
      if (isScaled)
        lhs = arith::MulFOp::create(rewriter, loc, lhs, product.getRhs());
      lhs = arith::SubFOp::create(rewriter, loc, lhs, difference.getRhs());
      rewriter.replaceOpWithNewOp<math::Exp2Op>(op, lhs);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "the score is not hidden");
  }
};

/// Replaces select(a, select(b, x, c), c) by select(a and b, x, c).
struct MergeSelects : public OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getTrueValue().getDefiningOp<arith::SelectOp>();
    if (!inner || !isa<VectorType>(op.getType()) || !inner->hasOneUse() ||
        inner.getFalseValue() != op.getFalseValue() ||
        op.getCondition().getType() != inner.getCondition().getType())
      return rewriter.notifyMatchFailure(op, "expected a select of a select");
    Value both = arith::AndIOp::create(rewriter, op.getLoc(),
                                       inner.getCondition(), op.getCondition());
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, both, inner.getTrueValue(),
                                                 op.getFalseValue());
    return success();
  }
};

/// Merges (n <= a of the row) and a mask of the first k elements of each row
/// into n <= min(a, k - 1). Kernels that will be rotated are left alone: the
/// bounds would be alive in both iterations, and ptxas would spill.
struct MergeBounds : public OpRewritePattern<arith::AndIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AndIOp op,
                                PatternRewriter &rewriter) const override {
    auto launch = op->getParentOfType<gpu::LaunchOp>();
    std::optional<vector_ext::KernelMark> mark;
    if (launch)
      mark = vector_ext::getKernelMark(launch);
    if (mark && mark->rotate)
      return rewriter.notifyMatchFailure(op, "the kernel is to be rotated");
    auto compare = op.getLhs().getDefiningOp<arith::CmpIOp>();
    auto mask = op.getRhs().getDefiningOp<vector::CreateMaskOp>();
    auto type = dyn_cast<VectorType>(op.getType());
    if (!compare || !mask || !compare->hasOneUse() || !type ||
        type.getRank() != 2 || type.isScalable() ||
        compare.getPredicate() != arith::CmpIPredicate::sle ||
        getConstantIntValue(mask.getOperands().front()) != type.getDimSize(0))
      return rewriter.notifyMatchFailure(
          op, "expected a comparison and a mask of columns");
    // This is the number of the column.
    auto columns = compare.getLhs().getDefiningOp<vector::BroadcastOp>();
    Value number = columns ? columns.getSource() : Value();
    auto cast = number ? number.getDefiningOp<arith::IndexCastOp>() : nullptr;
    if (!cast || !cast.getIn().getDefiningOp<vector::StepOp>() ||
        cast.getType() !=
            VectorType::get({type.getDimSize(1)}, rewriter.getI32Type()))
      return rewriter.notifyMatchFailure(op, "expected numbers of columns");
    // This is the bound of the row.
    auto transpose = compare.getRhs().getDefiningOp<vector::TransposeOp>();
    auto rows = transpose
                    ? transpose.getVector().getDefiningOp<vector::BroadcastOp>()
                    : nullptr;
    if (!rows || transpose.getPermutation() != ArrayRef<int64_t>{1, 0} ||
        rows.getSourceType() !=
            VectorType::get({type.getDimSize(0)}, rewriter.getI32Type()))
      return rewriter.notifyMatchFailure(op, "expected a bound of each row");
    Location loc = op.getLoc();
    // This is a number of columns of the tile, or less than 0.
    Value count = mask.getOperands().back();
    count = arith::MaxSIOp::create(
        rewriter, loc,
        arith::MinSIOp::create(
            rewriter, loc, count,
            arith::ConstantIndexOp::create(rewriter, loc, type.getDimSize(1))),
        arith::ConstantIndexOp::create(rewriter, loc, 0));
    Value last = arith::SubIOp::create(
        rewriter, loc,
        arith::IndexCastOp::create(rewriter, loc, rewriter.getI32Type(), count),
        arith::ConstantIntOp::create(rewriter, loc, 1, 32));
    Value bound = arith::MinSIOp::create(
        rewriter, loc, rows.getSource(),
        vector::BroadcastOp::create(rewriter, loc, rows.getSourceType(), last));
    bound = vector::BroadcastOp::create(rewriter, loc, rows.getType(), bound);
    bound = vector::TransposeOp::create(rewriter, loc, bound,
                                        transpose.getPermutation());
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, arith::CmpIPredicate::sle,
                                               compare.getLhs(), bound);
    return success();
  }
};
} // namespace

void mlir::vector_ext::populateMergeMasksPatterns(RewritePatternSet &patterns) {
  patterns.add<HideScoreOnce, MergeSelects, MergeBounds>(patterns.getContext());
}
