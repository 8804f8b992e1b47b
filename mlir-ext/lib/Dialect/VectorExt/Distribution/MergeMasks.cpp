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

#include "GuardedMaxima.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;

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

/// Returns whether `loop` has at most one iteration: it ends at min(start +
/// step, e).
static bool isOnce(scf::ForOp loop) {
  auto min = loop.getUpperBound().getDefiningOp<arith::MinSIOp>();
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  return min && step && llvm::any_of(min->getOperands(), [&](Value end) {
           auto apply = end.getDefiningOp<affine::AffineApplyOp>();
           if (!apply || apply->getNumOperands() != 1 ||
               apply->getOperand(0) != loop.getLowerBound())
             return false;
           AffineMap map = apply.getAffineMap();
           AffineExpr start = map.getNumDims() == 1
                                  ? getAffineDimExpr(0, map.getContext())
                                  : getAffineSymbolExpr(0, map.getContext());
           return map.getResult(0) == start + *step;
         });
}

/// Returns whether another loop goes on with the results of `loop`, up to where
/// `loop` began: that without masks, behind the tiles on a diagonal.
static bool isInFront(scf::ForOp loop) {
  return llvm::any_of(loop->getUsers(), [&](Operation *user) {
    auto other = dyn_cast<scf::ForOp>(user);
    return other && other->getBlock() == loop->getBlock() &&
           other.getUpperBound() == loop.getLowerBound();
  });
}

} // namespace

namespace {
/// A comparison of the numbers of columns with a bound of each row.
struct BoundOfRows {
  arith::CmpIOp compare;
  vector::BroadcastOp rows;
  vector::TransposeOp transpose;
};
} // namespace

/// Returns `condition` as (n <= a of the row), if it is one.
static std::optional<BoundOfRows> getBoundOfRows(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  auto type = dyn_cast<VectorType>(condition.getType());
  if (!compare || !compare->hasOneUse() || !type || type.getRank() != 2 ||
      type.isScalable() || compare.getPredicate() != arith::CmpIPredicate::sle)
    return std::nullopt;
  // This is the number of the column.
  Type word = IntegerType::get(condition.getContext(), 32);
  auto columns = compare.getLhs().getDefiningOp<vector::BroadcastOp>();
  Value number = columns ? columns.getSource() : Value();
  auto cast = number ? number.getDefiningOp<arith::IndexCastOp>() : nullptr;
  if (!cast || !cast.getIn().getDefiningOp<vector::StepOp>() ||
      cast.getType() != VectorType::get({type.getDimSize(1)}, word))
    return std::nullopt;
  // This is the bound of the row.
  auto transpose = compare.getRhs().getDefiningOp<vector::TransposeOp>();
  auto rows = transpose
                  ? transpose.getVector().getDefiningOp<vector::BroadcastOp>()
                  : nullptr;
  if (!rows || transpose.getPermutation() != ArrayRef<int64_t>{1, 0} ||
      rows.getSourceType() != VectorType::get({type.getDimSize(0)}, word))
    return std::nullopt;
  return BoundOfRows{compare, rows, transpose};
}

namespace {
/// Merges (n <= a of the row) and a mask of the first k elements of each row
/// into n <= min(a, k - 1), also if a third condition, such as the start of a
/// window, is between them. Loops of several iterations that will be rotated
/// are left alone, unless they are in front of others (docs/Decisions/0156):
/// the bounds would be alive in two iterations, and ptxas would spill.
struct MergeBounds : public OpRewritePattern<arith::AndIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AndIOp op,
                                PatternRewriter &rewriter) const override {
    auto launch = op->getParentOfType<gpu::LaunchOp>();
    std::optional<vector_ext::KernelMark> mark;
    if (launch)
      mark = vector_ext::getKernelMark(launch);
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    if (mark && mark->rotate && !(loop && (isOnce(loop) || isInFront(loop))))
      return rewriter.notifyMatchFailure(op, "the loop is to be rotated");
    auto mask = op.getRhs().getDefiningOp<vector::CreateMaskOp>();
    std::optional<BoundOfRows> bound = getBoundOfRows(op.getLhs());
    Value third;
    if (auto both = op.getLhs().getDefiningOp<arith::AndIOp>();
        both && both->hasOneUse())
      for (unsigned side : {0, 1})
        if (!bound && (bound = getBoundOfRows(both->getOperand(side))))
          third = both->getOperand(1 - side);
    auto type =
        cast_if_present<VectorType>(mask ? Type(mask.getType()) : Type());
    if (!mask || !bound ||
        getConstantIntValue(mask.getOperands().front()) != type.getDimSize(0))
      return rewriter.notifyMatchFailure(
          op, "expected a comparison and a mask of columns");
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
    Type ofRows = bound->rows.getSourceType();
    Value least = arith::MinSIOp::create(
        rewriter, loc, bound->rows.getSource(),
        vector::BroadcastOp::create(rewriter, loc, ofRows, last));
    least = vector::BroadcastOp::create(rewriter, loc, bound->rows.getType(),
                                        least);
    least = vector::TransposeOp::create(rewriter, loc, least,
                                        bound->transpose.getPermutation());
    Value merged =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sle,
                              bound->compare.getLhs(), least);
    if (third)
      merged = arith::AndIOp::create(rewriter, loc, third, merged);
    rewriter.replaceOp(op, merged);
    return success();
  }
};
} // namespace

void mlir::vector_ext::populateMergeMasksPatterns(RewritePatternSet &patterns) {
  patterns.add<HideScoreOnce, MergeSelects, MergeBounds>(patterns.getContext());
}
