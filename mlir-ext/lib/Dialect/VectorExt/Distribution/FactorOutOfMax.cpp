//===- FactorOutOfMax.cpp - Moves factors out of a maximum ----------------===//
//
// Scores are scaled before their maximum is taken. Scaling the maximum instead
// takes one product for each row instead of one for each element.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

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
  patterns.add<DropZeros, FactorOutOfMax, FactorOutOfSelect>(
      patterns.getContext());
}
