//===- ApproximateExponents.cpp - Inexact functions in exponents ----------===//
//
// Several functions may be inexact if they are used only in exponents, or are
// rounded to 16 bits.
//
// Attention may bend its scores: c tanh(s / c). Only the power of such a score
// is used, rounded to 16 bits. An absolute error of 2^-21 of tanh becomes a
// relative error of c log2(e) 2^-21 of the power, which is far below the
// rounding. A tanh that is exact near 0 as well takes twice the instructions.
//
// A bias may be the distance of two positions times a slope. The positions of a
// thread are one number and constants (SplitPositions.cpp). Their product is
// marked `reassoc`, so that the bias may be computed as the product with the
// number plus the product with each constant. The sum is off by 2^-23 of the
// first product, which is no more than the rounding of a bias in the same tile.
//
// An asynchronous product of scores may start from a bias instead of zero, in
// the registers of its result: c s + b = c (s + b / c). A thread computes the
// bias while products of other threads run, and adds nothing afterwards. The
// sum is rounded where the product is added up, with as many bits. A bias in
// f16 is at most 65504, so its quotient is finite if it is finite itself.
// Positions may be multiplied by the number of a mask, the least one of f32. If
// the factor is not known, it is bounded, and a score is hidden as before.
//
// An activation of f16 is often computed in f32, and rounded. One instruction
// computes a power with an error of 2^-21, and of |x| ulp more. This is far
// below the rounding, too, unless an op in between enlarges a small relative
// error. A subnormal power becomes 0, which is no small relative error. Such a
// power may only be added to a larger number, divided by one, or rounded. A
// polynomial that is exact to an ulp takes 18 instructions.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Support/FloatBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using linalg_ext::isLarge;
using linalg_ext::isNonNegative;

/// The largest factor between tanh and the exponent of two. With it, the error
/// is 2^-14.
static constexpr float kMostFactor = 128;

/// Returns whether `power` is rounded to 16 bits. Its sum may be f32.
static bool isRounded(Value power, unsigned depth = 8) {
  return depth > 0 && llvm::any_of(power.getUsers(), [&](Operation *user) {
           if (isa<arith::TruncFOp>(user))
             return getElementTypeOrSelf(user->getResult(0).getType())
                        .getIntOrFloatBitWidth() <= 16;
           return isa<arith::SelectOp, arith::MulFOp>(user) &&
                  isRounded(user->getResult(0), depth - 1);
         });
}

/// Returns an upper bound of the magnitude of `value`, if `value` is a constant
/// or one of two. Returns none if it is unknown.
static std::optional<float> getMagnitude(Value value, unsigned depth = 6) {
  APFloat constant(0.0f);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    return &constant.getSemantics() == &APFloat::IEEEsingle()
               ? std::optional(std::abs(constant.convertToFloat()))
               : std::nullopt;
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return std::nullopt;
  if (isa<vector::BroadcastOp, vector::TransposeOp, vector::ShapeCastOp>(op))
    return getMagnitude(op->getOperand(0), depth - 1);
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select)
    return std::nullopt;
  std::optional<float> a = getMagnitude(select.getTrueValue(), depth - 1),
                       b = getMagnitude(select.getFalseValue(), depth - 1);
  return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

/// Returns whether `value`, an inexact function times at most `factor`, is used
/// only for exponents. A maximum that is subtracted from them may be inexact,
/// too.
static bool isForExponents(Value value, float factor, unsigned depth = 12) {
  if (factor > kMostFactor || depth == 0)
    return false;
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<math::ExpOp, math::Exp2Op>(user))
      return isRounded(user->getResult(0));
    if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(user))
      return use.getOperandNumber() == 0 &&
             (reduction.getKind() == vector::CombiningKind::MAXIMUMF ||
              reduction.getKind() == vector::CombiningKind::MAXNUMF);
    if (isa<arith::MulFOp>(user)) {
      std::optional<float> other =
          getMagnitude(user->getOperand(1 - use.getOperandNumber()));
      return other &&
             isForExponents(user->getResult(0), factor * *other, depth - 1);
    }
    return isa<arith::AddFOp, arith::SubFOp, arith::SelectOp,
               vector::BroadcastOp, vector::TransposeOp, vector::ShapeCastOp>(
               user) &&
           isForExponents(user->getResult(0), factor, depth - 1);
  });
}

/// Returns whether `value` has 16 bits or fewer in memory. It has been rounded
/// to them.
static bool isWidened(Value value, unsigned depth = 6) {
  Operation *op = value.getDefiningOp();
  if (auto widened = dyn_cast_or_null<arith::ExtFOp>(op))
    return getElementTypeOrSelf(widened.getIn().getType())
               .getIntOrFloatBitWidth() <= 16;
  return isa_and_nonnull<vector::BroadcastOp, vector::TransposeOp,
                         vector::ShapeCastOp>(op) &&
         depth > 0 && isWidened(op->getOperand(0), depth - 1);
}

/// Returns whether all values that depend on `value` are rounded to 16 bits or
/// less, and enlarge a small relative error of `value` by at most a small
/// factor. If `mayBeZero`, subnormal elements of `value`, or elements that are
/// computed from such, may be 0.
static bool isOnlyRounded(Value value, bool mayBeZero, unsigned depth = 8) {
  if (depth == 0 || value.use_empty())
    return false;
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user->getNumResults() != 1)
      return false;
    Value result = user->getResult(0);
    if (isa<arith::TruncFOp>(user))
      return getElementTypeOrSelf(result.getType()).getIntOrFloatBitWidth() <=
             16;
    // A sum of numbers of one sign cancels no digits. Where one with a number of
    // 16 bits does, such as a residual, that number has been rounded to fewer.
    if (isa<arith::AddFOp>(user))
      return (isNonNegative(result) ||
              isWidened(user->getOperand(1 - use.getOperandNumber()))) &&
             isOnlyRounded(result, mayBeZero && !isLarge(result), depth - 1);
    // Factors may be very large, and divisors very small.
    if (isa<arith::MulFOp, arith::DivFOp>(user)) {
      bool staysSmall = isa<arith::DivFOp>(user) &&
                        use.getOperandNumber() == 0 &&
                        isLarge(user->getOperand(1));
      return (!mayBeZero || staysSmall) &&
             isOnlyRounded(result, mayBeZero, depth - 1);
    }
    return isa<arith::NegFOp, arith::SelectOp, vector::BroadcastOp,
               vector::TransposeOp, vector::ShapeCastOp>(user) &&
           isOnlyRounded(result, mayBeZero, depth - 1);
  });
}

namespace {
/// Approximates powers that are rounded to 16 bits.
struct ApproximateExp : public OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32() ||
        bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn) ||
        !isOnlyRounded(op, /*mayBeZero=*/true))
      return rewriter.notifyMatchFailure(
          op, "expected exp of f32 that is rounded to 16 bits");
    rewriter.modifyOpInPlace(op, [&] {
      op.setFastmath(op.getFastmath() | arith::FastMathFlags::afn);
    });
    return success();
  }
};

struct ApproximateTanh : public OpRewritePattern<math::TanhOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::TanhOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32() ||
        bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn) ||
        op->use_empty() || !isForExponents(op, 1))
      return rewriter.notifyMatchFailure(
          op, "expected tanh of f32 for exponents alone");
    rewriter.modifyOpInPlace(op, [&] {
      op.setFastmath(op.getFastmath() | arith::FastMathFlags::afn);
    });
    return success();
  }
};

/// Replaces max(a, max of tanh(x_i)) by max(a, tanh(max of x_i)), which is
/// equal up to the error of tanh. tanh is then computed for a row instead of
/// each element.
struct MaxOfTanh : public OpRewritePattern<vector::MultiDimReductionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::MultiDimReductionOp op,
                                PatternRewriter &rewriter) const override {
    auto tanh = op.getSource().getDefiningOp<math::TanhOp>();
    auto type = dyn_cast<VectorType>(op.getType());
    if (op.getKind() != vector::CombiningKind::MAXIMUMF || op.isMasked() ||
        !type || !tanh ||
        !bitEnumContainsAll(tanh.getFastmath(), arith::FastMathFlags::afn))
      return rewriter.notifyMatchFailure(op,
                                         "expected a maximum of inexact tanh");
    Location loc = op.getLoc();
    Value none = arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(
            type,
            APFloat::getInf(
                cast<FloatType>(type.getElementType()).getFloatSemantics(),
                /*Negative=*/true)));
    // Positive factors are applied to rows, too.
    SmallVector<std::pair<Operation *, APFloat>> factors;
    Value of = tanh.getOperand();
    APFloat factor(0.0f);
    while (isa_and_present<arith::MulFOp, arith::DivFOp>(of.getDefiningOp()) &&
           matchPattern(of.getDefiningOp()->getOperand(1),
                        m_ConstantFloat(&factor)) &&
           factor.isFiniteNonZero() && !factor.isNegative()) {
      factors.emplace_back(of.getDefiningOp(), factor);
      of = of.getDefiningOp()->getOperand(0);
    }
    Value most = vector::MultiDimReductionOp::create(
        rewriter, loc, of, none, op.getReductionMask(), op.getKind());
    for (auto &[product, factor] : llvm::reverse(factors)) {
      Value by = arith::ConstantOp::create(
          rewriter, loc, DenseElementsAttr::get(type, factor));
      most = isa<arith::MulFOp>(product)
                 ? arith::MulFOp::create(rewriter, loc, most, by).getResult()
                 : arith::DivFOp::create(rewriter, loc, most, by).getResult();
    }
    Value bent = math::TanhOp::create(rewriter, loc, most, tanh.getFastmath());
    rewriter.replaceOpWithNewOp<arith::MaximumFOp>(op, op.getAcc(), bent);
    return success();
  }
};

/// Marks the product of positions and a number, so that the product of a sum
/// may become a sum of products.
struct ReassociatePositions : public OpRewritePattern<arith::MulFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::MulFOp op,
                                PatternRewriter &rewriter) const override {
    auto isPosition = [](Value value) {
      return isa_and_present<arith::SIToFPOp, arith::UIToFPOp>(
          value.getDefiningOp());
    };
    if (!isa<VectorType>(op.getType()) ||
        !getElementTypeOrSelf(op.getType()).isF32() ||
        isPosition(op.getLhs()) == isPosition(op.getRhs()))
      return rewriter.notifyMatchFailure(op, "expected positions as a factor");
    if (bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::reassoc) ||
        op->use_empty() || !isForExponents(op, 1))
      return rewriter.notifyMatchFailure(op,
                                         "expected use for exponents alone");
    rewriter.modifyOpInPlace(op, [&] {
      op.setFastmath(op.getFastmath() | arith::FastMathFlags::reassoc);
    });
    return success();
  }
};

/// A product of scores that starts from zero, times a positive constant.
struct ScaledScores {
  vector::ContractionOp contract;
  /// The constant, or 1 if there is none.
  APFloat factor{1.0f};
};
} // namespace

static std::optional<ScaledScores> getScaledScores(Value value) {
  ScaledScores scores;
  if (auto product = value.getDefiningOp<arith::MulFOp>()) {
    if (!product->hasOneUse() ||
        !matchPattern(product.getRhs(), m_ConstantFloat(&scores.factor)) ||
        !scores.factor.isFiniteNonZero() || scores.factor.isNegative() ||
        // The inverse of the factor, times the largest f16, must be finite.
        scores.factor < APFloat(0x1p-64f))
      return std::nullopt;
    value = product.getLhs();
  }
  scores.contract = value.getDefiningOp<vector::ContractionOp>();
  if (!scores.contract || !scores.contract->hasOneUse() ||
      scores.contract.getKind() != vector::CombiningKind::ADD ||
      !matchPattern(scores.contract.getAcc(), m_AnyZeroFloat()))
    return std::nullopt;
  return scores;
}

/// The product of a position and this number is finite, and a score with such a
/// bias is hidden.
static constexpr float kMostSlope = 0x1p96f;

/// Builds the scalar `number` times `factor`, bounded by `kMostSlope` in
/// magnitude, so that its product with 0 is 0.
static Value buildSlope(OpBuilder &b, Value number, const APFloat &factor) {
  Location loc = number.getLoc();
  auto build = [&](const APFloat &value) -> Value {
    return arith::ConstantOp::create(b, loc,
                                     FloatAttr::get(number.getType(), value));
  };
  Value slope = arith::MulFOp::create(b, loc, number, build(factor));
  slope = arith::MinimumFOp::create(b, loc, slope, build(APFloat(kMostSlope)));
  return arith::MaximumFOp::create(b, loc, slope, build(APFloat(-kMostSlope)));
}

/// Builds `bias` times `factor`, if that takes one product for a tile, or one
/// for each element and these are f16. Returns null otherwise.
static Value buildMultiple(OpBuilder &b, Value bias, const APFloat &factor) {
  Location loc = bias.getLoc();
  auto product = bias.getDefiningOp<arith::MulFOp>();
  if (product &&
      bitEnumContainsAll(product.getFastmath(), arith::FastMathFlags::reassoc))
    for (unsigned i : {0, 1}) {
      Value by = product->getOperand(i);
      auto number = by.getDefiningOp<vector::BroadcastOp>();
      Value multiple;
      if (APFloat constant(0.0f);
          matchPattern(by, m_ConstantFloat(&constant))) {
        if (!(abs(constant * factor) <= APFloat(kMostSlope)))
          return {};
        multiple = arith::ConstantOp::create(
            b, loc,
            DenseElementsAttr::get(cast<VectorType>(by.getType()),
                                   constant * factor));
      } else if (number && !isa<VectorType>(number.getSourceType())) {
        multiple = vector::BroadcastOp::create(
            b, loc, number.getType(),
            buildSlope(b, number.getSource(), factor));
      }
      if (multiple)
        return arith::MulFOp::create(b, loc, product->getOperand(1 - i),
                                     multiple, product.getFastmath());
    }
  auto wide = bias.getDefiningOp<arith::ExtFOp>();
  if (!wide || !getElementTypeOrSelf(wide.getIn()).isF16())
    return {};
  return arith::MulFOp::create(
      b, loc, bias,
      arith::ConstantOp::create(
          b, loc,
          DenseElementsAttr::get(cast<VectorType>(bias.getType()), factor)));
}

namespace {
/// Replaces c s + b by c (s + b / c), for a product s and a bias b.
struct StartFromBias : public OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AddFOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    auto launch = op->getParentOfType<gpu::LaunchOp>();
    if (!type || !type.getElementType().isF32() || !launch ||
        !vector_ext::isMarkedAsync(launch))
      return rewriter.notifyMatchFailure(op, "not of an asynchronous product");
    for (unsigned i : {0, 1}) {
      std::optional<ScaledScores> scores = getScaledScores(op->getOperand(i));
      // In a loop after the product, it would be computed again.
      if (!scores ||
          scores->contract->getParentOfType<LoopLikeOpInterface>() !=
              op->getParentOfType<LoopLikeOpInterface>() ||
          !isForExponents(op, 1))
        continue;
      APFloat inverse = APFloat(1.0f) / scores->factor;
      Value bias = buildMultiple(rewriter, op->getOperand(1 - i), inverse);
      if (!bias)
        continue;
      auto contract = cast<vector::ContractionOp>(
          rewriter.clone(*scores->contract.getOperation()));
      contract.getAccMutable().assign(bias);
      rewriter.replaceOpWithNewOp<arith::MulFOp>(
          op, contract.getResult(),
          arith::ConstantOp::create(
              rewriter, op.getLoc(),
              DenseElementsAttr::get(type, scores->factor)));
      return success();
    }
    return rewriter.notifyMatchFailure(
        op, "expected scores and a bias, for exponents alone");
  }
};

/// Replaces (c x) r by x (c r), if r is a constant as well, or each of its rows
/// is one number.
struct MergeFactors : public OpRewritePattern<arith::MulFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::MulFOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getLhs().getDefiningOp<arith::MulFOp>();
    APFloat factor(0.0f), other(0.0f);
    if (!inner || !isa<VectorType>(op.getType()) ||
        !matchPattern(inner.getRhs(), m_ConstantFloat(&factor)) ||
        &factor.getSemantics() != &APFloat::IEEEsingle() ||
        !isForExponents(op, 1))
      return rewriter.notifyMatchFailure(
          op, "expected a constant factor of f32, for exponents alone");
    Location loc = op.getLoc();
    auto buildConstant = [&](Type type, const APFloat &value) -> Value {
      return arith::ConstantOp::create(
          rewriter, loc, DenseElementsAttr::get(cast<VectorType>(type), value));
    };
    if (matchPattern(op.getRhs(), m_ConstantFloat(&other))) {
      rewriter.replaceOpWithNewOp<arith::MulFOp>(
          op, inner.getLhs(), buildConstant(op.getType(), factor * other));
      return success();
    }
    auto transpose = op.getRhs().getDefiningOp<vector::TransposeOp>();
    auto rows = transpose
                    ? transpose.getVector().getDefiningOp<vector::BroadcastOp>()
                    : vector::BroadcastOp();
    if (!rows || !isa<VectorType>(rows.getSourceType()))
      return rewriter.notifyMatchFailure(op, "expected a factor of rows");
    Value multiple =
        arith::MulFOp::create(rewriter, loc, rows.getSource(),
                              buildConstant(rows.getSourceType(), factor));
    multiple =
        vector::BroadcastOp::create(rewriter, loc, rows.getType(), multiple);
    multiple = vector::TransposeOp::create(rewriter, loc, multiple,
                                           transpose.getPermutation());
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, inner.getLhs(), multiple);
    return success();
  }
};
} // namespace

void mlir::vector_ext::populateApproximateExponentsPatterns(
    RewritePatternSet &patterns) {
  patterns
      .add<ApproximateExp, ApproximateTanh, MaxOfTanh, ReassociatePositions>(
          patterns.getContext());
}

void mlir::vector_ext::populateStartFromBiasPatterns(
    RewritePatternSet &patterns) {
  patterns.add<StartFromBias, MergeFactors>(patterns.getContext());
  // These patterns move the rest of the factor.
  populateFactorOutOfMaxPatterns(patterns);
}
