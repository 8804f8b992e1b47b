//===- FoldExp2.cpp - Rewrites exp as exp2 --------------------------------===//
//
// GPUs have an instruction for powers of two. A power of e also needs a
// multiplication by log2(e). This file moves the factor to the cheapest place:
// into constants, and before broadcasts.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

/// A constant of `type`, of f32, with the same value everywhere.
static Value buildConstant(OpBuilder &b, Location loc, Type type,
                           const APFloat &value) {
  TypedAttr attr = FloatAttr::get(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, attr);
  return arith::ConstantOp::create(b, loc, attr);
}

/// The value of a constant that is the same everywhere.
static std::optional<APFloat> getConstant(Value value) {
  APFloat result(0.0f);
  if (matchPattern(value, m_ConstantFloat(&result)))
    return result;
  return std::nullopt;
}

/// True if `value` times a constant costs nothing, or one product for many
/// elements.
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

/// Builds `value` times `factor`.
static Value multiply(OpBuilder &b, Location loc, Value value,
                      const APFloat &factor) {
  if (std::optional<APFloat> constant = getConstant(value))
    return buildConstant(b, loc, value.getType(), *constant * factor);
  Operation *op = value.getDefiningOp();
  if (isa_and_present<vector::BroadcastOp, vector::TransposeOp,
                      vector::ShapeCastOp>(op)) {
    Value inner = multiply(b, loc, op->getOperand(0), factor);
    IRMapping mapping;
    mapping.map(op->getOperand(0), inner);
    return b.clone(*op, mapping)->getResult(0);
  }
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

namespace {
/// exp(a - b) = exp2(a * log2(e) - b * log2(e)). Other arguments may be of any
/// size, and then the product of a factor of so many bits is not exact enough.
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
    // Always, and so the same for the elements of a row, and what rescales it.
    Value lhs = multiply(rewriter, loc, difference.getLhs(), log2e);
    Value rhs = multiply(rewriter, loc, difference.getRhs(), log2e);
    Value argument = arith::SubFOp::create(rewriter, loc, lhs, rhs);
    rewriter.replaceOpWithNewOp<math::Exp2Op>(op, argument);
    return success();
  }
};
} // namespace

void mlir::vector_ext::populateFoldExp2Patterns(RewritePatternSet &patterns) {
  patterns.add<ExpToExp2>(patterns.getContext());
}
