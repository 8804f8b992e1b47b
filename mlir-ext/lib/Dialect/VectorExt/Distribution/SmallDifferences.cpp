//===- SmallDifferences.cpp - Differences of integers, as floats ----------===//
//
// Quantizers subtract a zero point, an integer, from unpacked integers of 4
// bits, and convert the difference. Masks alone make floats of such integers,
// two at a time, but not of their differences. The same number is the
// difference of both as floats, as all of them are small.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

using namespace mlir;

namespace {
/// The least and the largest number of some integers.
struct Bounds {
  int64_t least, most;
};
} // namespace

/// Sums and differences of numbers up to this are integers of i8, and of f16
/// and bf16.
static constexpr int64_t kLargest = 64;

/// Returns the range of `value`, if masks and constants say that all of it is
/// small.
static std::optional<Bounds> getBounds(Value value, unsigned depth = 12) {
  auto check = [](int64_t least, int64_t most) {
    return least >= -kLargest && most <= kLargest
               ? std::optional(Bounds{least, most})
               : std::nullopt;
  };
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isSignedIntN(16)
               ? check(constant.getSExtValue(), constant.getSExtValue())
               : std::nullopt;
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return std::nullopt;
  if (isa<arith::AndIOp>(op) &&
      matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
    // A negative mask, such as one of all bits, bounds nothing.
    return constant.isSignedIntN(16) && constant.isNonNegative()
               ? check(0, constant.getSExtValue())
               : std::nullopt;
  // A range that does not have all bits of the narrow type stays as it is.
  bool isKept = isa<vector::BroadcastOp, vector::TransposeOp,
                    vector::ShapeCastOp, arith::ExtSIOp, arith::TruncIOp>(op) &&
                getElementTypeOrSelf(value).getIntOrFloatBitWidth() >= 8;
  if (isKept || isa<arith::ExtUIOp>(op)) {
    std::optional<Bounds> range = getBounds(op->getOperand(0), depth - 1);
    return isKept || (range && range->least >= 0) ? range : std::nullopt;
  }
  if (!isa<arith::AddIOp, arith::SubIOp>(op) ||
      getElementTypeOrSelf(value).getIntOrFloatBitWidth() < 8)
    return std::nullopt;
  std::optional<Bounds> lhs = getBounds(op->getOperand(0), depth - 1),
                        rhs = getBounds(op->getOperand(1), depth - 1);
  if (!lhs || !rhs)
    return std::nullopt;
  return isa<arith::AddIOp>(op)
             ? check(lhs->least + rhs->least, lhs->most + rhs->most)
             : check(lhs->least - rhs->most, lhs->most - rhs->least);
}

namespace {
/// Subtracts after the conversion to f16, bf16 or f32.
struct SubtractFloats : public OpRewritePattern<arith::SIToFPOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(arith::SIToFPOp op,
                                PatternRewriter &rewriter) const override {
    auto difference = op.getIn().getDefiningOp<arith::SubIOp>();
    auto type = dyn_cast<VectorType>(op.getType());
    if (!difference || !difference->hasOneUse() || !type ||
        !(type.getElementType().isF16() || type.getElementType().isBF16() ||
          type.getElementType().isF32()))
      return rewriter.notifyMatchFailure(op, "converts no difference");
    // What is subtracted is converted once for all that it is repeated for. A
    // constant is subtracted together with the conversion.
    Value zero = difference.getRhs();
    std::optional<Bounds> ofNumbers = getBounds(difference.getLhs()),
                          ofZero = getBounds(zero);
    if (matchPattern(zero, m_Constant()) || !ofNumbers || !ofZero ||
        ofNumbers->least < 0 || ofNumbers->most > 15 ||
        getElementTypeOrSelf(zero).getIntOrFloatBitWidth() < 8)
      return rewriter.notifyMatchFailure(
          op, "the numbers are no integers of 4 bits less small ones");
    Location loc = op.getLoc();
    Value numbers =
              arith::SIToFPOp::create(rewriter, loc, type, difference.getLhs()),
          subtracted = arith::SIToFPOp::create(rewriter, loc, type, zero);
    rewriter.replaceOpWithNewOp<arith::SubFOp>(op, numbers, subtracted);
    return success();
  }
};

/// Converts before a broadcast, or a transposition, reshape or extension of
/// one, so that fewer numbers are converted.
struct ConvertBeforeBroadcast : public OpRewritePattern<arith::SIToFPOp> {
  using Base::Base;

  LogicalResult matchAndRewrite(arith::SIToFPOp op,
                                PatternRewriter &rewriter) const override {
    Operation *move = op.getIn().getDefiningOp();
    if (!movesBroadcast(op.getIn()) || !move->hasOneUse() ||
        !getBounds(op.getIn()))
      return rewriter.notifyMatchFailure(op, "converts no broadcast");
    Type to = getElementTypeOrSelf(op.getType());
    if (auto type = dyn_cast<VectorType>(move->getOperand(0).getType()))
      to = type.clone(to);
    Value converted =
        arith::SIToFPOp::create(rewriter, op.getLoc(), to, move->getOperand(0));
    if (isa<arith::ExtUIOp, arith::ExtSIOp>(move)) {
      rewriter.replaceOp(op, converted);
      return success();
    }
    OperationState state(op.getLoc(), move->getName(), converted,
                         TypeRange{op.getType()}, move->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }

  /// Returns whether `value` is a broadcast, also by way of transpositions,
  /// reshapes and extensions.
  static bool movesBroadcast(Value value) {
    while (
        isa_and_present<vector::TransposeOp, vector::ShapeCastOp,
                        arith::ExtUIOp, arith::ExtSIOp>(value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0);
    return value.getDefiningOp<vector::BroadcastOp>() != nullptr;
  }
};
} // namespace

void mlir::vector_ext::populateSmallDifferencesPatterns(
    RewritePatternSet &patterns) {
  patterns.add<SubtractFloats, ConvertBeforeBroadcast>(patterns.getContext());
}
