//===- FactorOutOfMax.cpp - Moves factors out of a maximum ----------------===//
//
// Scores are scaled before their maximum is taken. Scaling the maximum instead
// takes one product for each row instead of one for each element.
//
// Queries and keys of f8 have a scale for each tensor, so that scores have two
// factors which are the same for all elements, but not known, nor their signs.
// They are multiplied with each other first: one product for each element is
// left.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

static std::optional<APFloat> getConstant(Value value) {
  APFloat result(0.0f);
  if (matchPattern(value, m_ConstantFloat(&result)))
    return result;
  return std::nullopt;
}

/// Returns whether `value` is a constant that a product with a positive number
/// does not change.
static bool isInfinite(Value value) {
  std::optional<APFloat> constant = getConstant(value);
  return constant && constant->isInfinity();
}

/// If `value` is the product of a value and a positive, finite constant, or a
/// selection between such a product and infinity, returns the constant.
static std::optional<APFloat> getFactor(Value value) {
  if (auto product = value.getDefiningOp<arith::MulFOp>()) {
    std::optional<APFloat> factor = getConstant(product.getRhs());
    if (factor && factor->isFinite() && !factor->isNegative() &&
        !factor->isZero())
      return factor;
    return std::nullopt;
  }
  if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    if (isInfinite(select.getFalseValue()))
      return getFactor(select.getTrueValue());
    if (isInfinite(select.getTrueValue()))
      return getFactor(select.getFalseValue());
  }
  return std::nullopt;
}

/// Builds `value` without its factor.
static Value buildWithoutFactor(OpBuilder &b, Value value) {
  if (auto product = value.getDefiningOp<arith::MulFOp>())
    return product.getLhs();
  auto select = value.getDefiningOp<arith::SelectOp>();
  bool isOfTrue = isInfinite(select.getFalseValue());
  Value without = buildWithoutFactor(b, isOfTrue ? select.getTrueValue()
                                                 : select.getFalseValue());
  return arith::SelectOp::create(b, select.getLoc(), select.getCondition(),
                                 isOfTrue ? without : select.getTrueValue(),
                                 isOfTrue ? select.getFalseValue() : without);
}

namespace {
/// Replaces max(a, max of c x_i) by max(a, c max of x_i), for c > 0. This is
/// exact, because rounding is monotonic.
struct FactorOutOfMax : public OpRewritePattern<vector::MultiDimReductionOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(vector::MultiDimReductionOp op,
                                PatternRewriter &rewriter) const override {
    bool isMin = op.getKind() == vector::CombiningKind::MINIMUMF;
    if (op.getKind() != vector::CombiningKind::MAXIMUMF && !isMin)
      return rewriter.notifyMatchFailure(op, "not a maximum or minimum");
    if (op.isMasked())
      return rewriter.notifyMatchFailure(op, "in vector.mask");
    std::optional<APFloat> factor = getFactor(op.getSource());
    auto type = dyn_cast<VectorType>(op.getType());
    if (!factor || !type)
      return rewriter.notifyMatchFailure(op, "not of a positive multiple");
    Location loc = op.getLoc();
    auto build = [&](const APFloat &value) -> Value {
      return arith::ConstantOp::create(
          rewriter, loc,
          DenseElementsAttr::get(type, Attribute(rewriter.getFloatAttr(
                                           type.getElementType(), value))));
    };
    Value source = buildWithoutFactor(rewriter, op.getSource());
    Value neutral =
        build(APFloat::getInf(factor->getSemantics(), /*Negative=*/!isMin));
    Value reduced = vector::MultiDimReductionOp::create(
        rewriter, loc, source, neutral, op.getReductionMask(), op.getKind());
    reduced = arith::MulFOp::create(rewriter, loc, reduced, build(*factor));
    if (isMin)
      rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, op.getAcc(), reduced);
    else
      rewriter.replaceOpWithNewOp<arith::MaximumFOp>(op, op.getAcc(), reduced);
    return success();
  }
};

/// Builds the factor of `product` that is one number for all elements as a
/// scalar: operand `side`, a broadcast of a scalar or a constant. Without a
/// builder, returns that operand if it is such a factor. Null if it is none.
static Value getSharedFactor(OpBuilder *b, arith::MulFOp product,
                             unsigned side) {
  Value operand = product->getOperand(side);
  auto broadcast = operand.getDefiningOp<vector::BroadcastOp>();
  if (broadcast && isa<FloatType>(broadcast.getSourceType()))
    return broadcast.getSource();
  std::optional<APFloat> constant = getConstant(operand);
  if (!constant || !b)
    return constant ? operand : Value();
  return arith::ConstantOp::create(
      *b, product.getLoc(),
      b->getFloatAttr(getElementTypeOrSelf(operand.getType()), *constant));
}

/// Whether a maximum or a minimum of `value` is taken, perhaps times other
/// factors, or with a mask.
static bool isMaximized(Value value, unsigned depth = 4) {
  return depth > 0 && llvm::any_of(value.getUsers(), [&](Operation *user) {
           if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(user))
             return reduction.getKind() == vector::CombiningKind::MAXIMUMF ||
                    reduction.getKind() == vector::CombiningKind::MINIMUMF;
           return isa<arith::MulFOp, arith::SelectOp>(user) &&
                  isMaximized(user->getResult(0), depth - 1);
         });
}

/// Replaces x a b by x (a b), where a is a scalar and b another one, or a
/// constant, and a maximum of multiples of x is taken.
struct MergeSharedFactors : public OpRewritePattern<arith::MulFOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(arith::MulFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<VectorType>(op.getType()) ||
        !getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "no vector of f32");
    for (unsigned side : {1, 0})
      for (unsigned innerSide : {1, 0}) {
        auto inner = op->getOperand(1 - side).getDefiningOp<arith::MulFOp>();
        if (!inner || !getSharedFactor(nullptr, op, side) ||
            !getSharedFactor(nullptr, inner, innerSide) ||
            getConstant(inner->getOperand(innerSide)) ||
            getSharedFactor(nullptr, inner, 1 - innerSide) ||
            !isMaximized(inner.getResult()))
          continue;
        // The factors of the inner product are merged first.
        auto first =
            inner->getOperand(1 - innerSide).getDefiningOp<arith::MulFOp>();
        if (first && llvm::any_of(llvm::seq(2), [&](unsigned number) {
              return getSharedFactor(nullptr, first, number);
            }))
          continue;
        // Others read the inner product beside that with a constant: the
        // maximum, of which the constant is a factor.
        if (!inner->hasOneUse() && !getConstant(op->getOperand(side)))
          continue;
        Value factor = arith::MulFOp::create(
            rewriter, op.getLoc(), getSharedFactor(&rewriter, inner, innerSide),
            getSharedFactor(&rewriter, op, side));
        Value shared = vector::BroadcastOp::create(rewriter, op.getLoc(),
                                                   op.getType(), factor);
        rewriter.replaceOpWithNewOp<arith::MulFOp>(
            op, inner->getOperand(1 - innerSide), shared);
        return success();
      }
    return rewriter.notifyMatchFailure(
        op, "expected a maximum of products with two scalars");
  }
};

/// Replaces max(a, max of x_i + 0) by max(a, max of x_i), and computes other
/// uses of x + 0 from x. A mask that hides nothing of a tile adds such zeros.
struct DropZeros : public OpRewritePattern<vector::MultiDimReductionOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(vector::MultiDimReductionOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getKind() != vector::CombiningKind::MAXIMUMF &&
        op.getKind() != vector::CombiningKind::MINIMUMF)
      return rewriter.notifyMatchFailure(op, "not a maximum or minimum");
    auto sum = op.getSource().getDefiningOp<arith::AddFOp>();
    if (!sum || !matchPattern(sum.getRhs(), m_AnyZeroFloat()))
      return rewriter.notifyMatchFailure(op, "not of sums with zero");
    rewriter.replaceOp(sum, sum.getLhs());
    return success();
  }
};

/// Replaces select(p, c x, inf) by c select(p, x, inf), for c > 0. The product
/// can then be contracted with its users.
struct FactorOutOfSelect : public OpRewritePattern<arith::SelectOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<APFloat> factor = getFactor(op.getResult());
    auto type = dyn_cast<VectorType>(op.getType());
    if (!factor || !type)
      return rewriter.notifyMatchFailure(op, "not of a positive multiple");
    Value value = buildWithoutFactor(rewriter, op.getResult());
    rewriter.replaceOpWithNewOp<arith::MulFOp>(
        op, value,
        arith::ConstantOp::create(
            rewriter, op.getLoc(),
            DenseElementsAttr::get(
                type, Attribute(rewriter.getFloatAttr(type.getElementType(),
                                                      *factor)))));
    return success();
  }
};
} // namespace

void mlir::vector_ext::populateFactorOutOfMaxPatterns(
    RewritePatternSet &patterns) {
  patterns
      .add<DropZeros, FactorOutOfMax, FactorOutOfSelect, MergeSharedFactors>(
          patterns.getContext());
}
