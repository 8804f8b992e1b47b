//===- FoldExp2.cpp - Rewrites exp as exp2 --------------------------------===//
//
// GPUs have an instruction for powers of two. A power of e also needs a
// multiplication by log2(e). This file moves the factor to the cheapest place:
// into constants, and before broadcasts.
//
// The products are rounded, and a target may fuse one of the two with the
// difference (fma) and not round it. An element that is the maximum then has
// the exponent d, up to half an ulp of maximum * log2(e), and not 0. The factor
// 2^d is the same for all elements that share a maximum, and cancels when they
// are normalised. What it costs elsewhere:
//
//   - Of a state of a row, the difference is computed first: e^(old - new) is 1
//     exactly where the maximum stays. Else each tile would bring such a
//     factor.
//   - Masks of -1e9 and the like make whole rows of such maxima, and 2^d has no
//     f16, or is 0. Numbers from 2^27 on (kHuge) differ by 0 or by at least 8,
//     which is as much as they are rounded by, so that the base does not
//     matter: rows whose maximum is as large have the factor 1, whose product
//     is exact. Constants have the same product as the maxima that they are,
//     and a maximum with a constant keeps that from being fused. Sums of
//     products are assumed to be smaller, also where an operand has few bits
//     and they have the scales of tensors as factors.
//   - The least number of f32, which masks use, too, has no product with
//     log2(e): a row of nothing but such scores would subtract infinity from
//     infinity. So would a row without scores whose maximum is at least such a
//     number. Constants, and these maxima, have products of at most the largest
//     number.
//
//===----------------------------------------------------------------------===//

#include "GuardedMaxima.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// Builds a constant of `type`, of f32, all of whose elements are equal.
static Value buildConstant(OpBuilder &b, Location loc, Type type,
                           const APFloat &value) {
  TypedAttr attr = FloatAttr::get(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, attr);
  return arith::ConstantOp::create(b, loc, attr);
}

/// Returns the value of a constant all of whose elements are equal.
static std::optional<APFloat> getConstant(Value value) {
  APFloat result(0.0f);
  if (matchPattern(value, m_ConstantFloat(&result)))
    return result;
  return std::nullopt;
}

/// Returns whether multiplying `value` by a constant costs nothing, or one
/// product for many elements.
static bool takesFactor(Value value) {
  if (getConstant(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<vector::BroadcastOp, vector::TransposeOp, vector::ShapeCastOp>(op))
    return true;
  if (isa<arith::MulFOp>(op))
    return getConstant(op->getOperand(1)).has_value();
  if (isa<arith::SelectOp>(op))
    return takesFactor(op->getOperand(1)) && takesFactor(op->getOperand(2));
  return false;
}

/// From this number on, the distance to the next number is at least 8.
static constexpr float kHuge = 134217728; // 2^27

/// Whether the elements of `value` have at most 8 bits, or are converted from
/// such ones, perhaps in another shape.
static bool hasFewBits(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<vector::ShapeCastOp, vector::TransposeOp, vector::BroadcastOp,
             arith::ExtFOp, arith::SIToFPOp, arith::UIToFPOp>(op))
      break;
    value = op->getOperand(0);
  }
  Type type = getElementTypeOrSelf(value);
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 8;
}

/// If `value` is a sum of products of f8, or with keys of few bits, as caches
/// have them, perhaps times scalars, as the scales of tensors are, returns the
/// contraction.
static vector::ContractionOp getScaledSumOfFewBits(Value value) {
  if (auto op = value.getDefiningOp<vector::ContractionOp>())
    return hasFewBits(op.getLhs()) || hasFewBits(op.getRhs())
               ? op
               : vector::ContractionOp();
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return {};
  for (unsigned side : {1, 0})
    if (auto broadcast =
            product->getOperand(side).getDefiningOp<vector::BroadcastOp>();
        broadcast && isa<FloatType>(broadcast.getSourceType()))
      return getScaledSumOfFewBits(product->getOperand(1 - side));
  return {};
}

bool mlir::vector_ext::mayBeHuge(Value value, unsigned depth) {
  if (std::optional<APFloat> constant = getConstant(value))
    return constant->isFinite() && abs(*constant) >= APFloat(kHuge);
  Operation *op = value.getDefiningOp();
  if (auto arg = dyn_cast<BlockArgument>(value)) // a state of a loop
    return isa<LoopLikeOpInterface>(arg.getOwner()->getParentOp());
  if (depth > 8)
    return true;
  if (auto contraction = dyn_cast<vector::ContractionOp>(op))
    return mayBeHuge(contraction.getAcc(), depth + 1);
  if (vector::ContractionOp contraction = getScaledSumOfFewBits(value))
    return mayBeHuge(contraction.getAcc(), depth + 1);
  if (isa<arith::ExtFOp>(op))
    return !getElementTypeOrSelf(op->getOperand(0)).isF16() &&
           mayBeHuge(op->getOperand(0), depth + 1);
  // These are loaded values, and states of loops.
  if (!isa<vector::BroadcastOp, vector::TransposeOp, vector::ShapeCastOp,
           vector::MultiDimReductionOp>(op) &&
      !OpTrait::hasElementwiseMappableTraits(op))
    return true;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isa<FloatType>(getElementTypeOrSelf(operand)) &&
           mayBeHuge(operand, depth + 1);
  });
}

/// Returns whether `maximum`, of scores that are not huge, may be a huge
/// constant: a row without scores has the least number that a program allows.
static bool hasHugeBound(Value maximum, unsigned depth = 0) {
  if (getConstant(maximum))
    return mayBeHuge(maximum);
  Operation *op = maximum.getDefiningOp();
  return op && depth < 8 &&
         (isa<vector::BroadcastOp, vector::TransposeOp, vector::ShapeCastOp>(
              op) ||
          OpTrait::hasElementwiseMappableTraits(op)) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return isa<FloatType>(getElementTypeOrSelf(operand)) &&
                  hasHugeBound(operand, depth + 1);
         });
}

/// Returns `constant` times `factor`. Returns the largest number if only the
/// product is infinite.
static APFloat saturate(const APFloat &constant, const APFloat &factor) {
  APFloat product = constant * factor;
  if (product.isInfinity() && !constant.isInfinity())
    return APFloat::getLargest(product.getSemantics(), product.isNegative());
  return product;
}

/// Returns whether all huge elements of `value` are constants, whose products
/// `multiply` saturates.
static bool hasHugeConstantsOnly(Value value) {
  Operation *op = value.getDefiningOp();
  if (!mayBeHuge(value) || getConstant(value))
    return true;
  if (isa_and_present<vector::BroadcastOp, vector::TransposeOp,
                      vector::ShapeCastOp>(op))
    return hasHugeConstantsOnly(op->getOperand(0));
  return isa_and_present<arith::SelectOp>(op) && takesFactor(value) &&
         hasHugeConstantsOnly(op->getOperand(1)) &&
         hasHugeConstantsOnly(op->getOperand(2));
}

/// Returns whether many elements of `value` are equal, because it is computed
/// from constants and broadcasts.
static bool isShared(Value value, unsigned depth = 0) {
  Operation *op = value.getDefiningOp();
  if (getConstant(value) || isa_and_present<vector::BroadcastOp>(op))
    return true;
  return op && depth < 8 && op->getNumOperands() > 0 &&
         (isa<vector::TransposeOp, vector::ShapeCastOp>(op) ||
          OpTrait::hasElementwiseMappableTraits(op)) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isShared(operand, depth + 1);
         });
}

/// If `value` is a broadcast, applies `build` to its source and broadcasts the
/// result in the same way.
static Value buildInside(OpBuilder &b, Value value,
                         function_ref<Value(Value)> build) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<vector::BroadcastOp, vector::TransposeOp,
                       vector::ShapeCastOp>(op))
    return build(value);
  IRMapping mapping;
  mapping.map(op->getOperand(0), buildInside(b, op->getOperand(0), build));
  return b.clone(*op, mapping)->getResult(0);
}

/// Builds `value` times `factor`.
static Value multiply(OpBuilder &b, Location loc, Value value,
                      const APFloat &factor) {
  if (std::optional<APFloat> constant = getConstant(value))
    return buildConstant(b, loc, value.getType(), saturate(*constant, factor));
  Operation *op = value.getDefiningOp();
  if (isa_and_present<vector::BroadcastOp, vector::TransposeOp,
                      vector::ShapeCastOp>(op))
    return buildInside(
        b, value, [&](Value inner) { return multiply(b, loc, inner, factor); });
  if (op && isa<arith::MulFOp>(op))
    if (std::optional<APFloat> constant = getConstant(op->getOperand(1)))
      return arith::MulFOp::create(
          b, loc, op->getOperand(0),
          buildConstant(b, loc, value.getType(), *constant * factor));
  if (op && isa<arith::SelectOp>(op) && takesFactor(value))
    return arith::SelectOp::create(b, loc, op->getOperand(0),
                                   multiply(b, loc, op->getOperand(1), factor),
                                   multiply(b, loc, op->getOperand(2), factor));
  return arith::MulFOp::create(b, loc, value,
                               buildConstant(b, loc, value.getType(), factor));
}

/// Builds log2(e), or 1 where `maximum` is huge.
static Value buildFactor(OpBuilder &b, Location loc, Value maximum) {
  APFloat log2e(static_cast<float>(llvm::numbers::log2e));
  Type type = maximum.getType();
  Value isHuge = arith::CmpFOp::create(
      b, loc, arith::CmpFPredicate::OGE, math::AbsFOp::create(b, loc, maximum),
      buildConstant(b, loc, type, APFloat(kHuge)));
  return arith::SelectOp::create(b, loc, isHuge,
                                 buildConstant(b, loc, type, APFloat(1.0f)),
                                 buildConstant(b, loc, type, log2e));
}

namespace {
/// exp(a - b) = exp2(a * log2(e) - b * log2(e)), or exp2((a - b) * log2(e))
/// where many elements do not share b. Other arguments may be of any size, and
/// then the product of a factor of so many bits is not exact enough.
struct ExpToExp2 : public OpRewritePattern<math::ExpOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    auto difference = op.getOperand().getDefiningOp<arith::SubFOp>();
    if (!difference)
      return rewriter.notifyMatchFailure(op, "not of a difference");
    APFloat log2e(static_cast<float>(llvm::numbers::log2e));
    Location loc = op.getLoc();
    Value from = difference.getLhs(), maximum = difference.getRhs();
    if (isShared(from) || !isShared(maximum)) {
      Value factor = buildConstant(rewriter, loc, op.getType(), log2e);
      rewriter.replaceOpWithNewOp<math::Exp2Op>(
          op, arith::MulFOp::create(rewriter, loc, difference, factor));
      return success();
    }
    Value lhs, rhs;
    if (!hasHugeConstantsOnly(from)) {
      auto getFactor = [&](Value inner) {
        return buildFactor(rewriter, loc, inner);
      };
      lhs = arith::MulFOp::create(rewriter, loc, from,
                                  buildInside(rewriter, maximum, getFactor));
      rhs = buildInside(rewriter, maximum, [&](Value inner) {
        return arith::MulFOp::create(rewriter, loc, inner, getFactor(inner));
      });
    } else {
      lhs = multiply(rewriter, loc, from, log2e);
      rhs = multiply(rewriter, loc, maximum, log2e);
      if (mayBeHuge(from) || hasHugeBound(maximum))
        rhs = buildInside(rewriter, rhs, [&](Value inner) {
          return arith::MaximumFOp::create(
              rewriter, loc, inner,
              buildConstant(rewriter, loc, inner.getType(),
                            APFloat::getLargest(APFloat::IEEEsingle(),
                                                /*Negative=*/true)));
        });
    }
    Value argument = arith::SubFOp::create(rewriter, loc, lhs, rhs);
    rewriter.replaceOpWithNewOp<math::Exp2Op>(op, argument);
    return success();
  }
};
} // namespace

void mlir::vector_ext::populateFoldExp2Patterns(RewritePatternSet &patterns) {
  patterns.add<ExpToExp2>(patterns.getContext());
}
