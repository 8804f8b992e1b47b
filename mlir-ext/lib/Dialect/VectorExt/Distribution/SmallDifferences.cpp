//===- SmallDifferences.cpp - Differences of integers, as floats ----------===//
//
// Quantizers subtract a zero point, an integer, from unpacked integers of 4
// bits, or from bytes, and convert the difference. Masks and permutations make
// floats of such integers, but not of their differences. The same number is the
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

/// Integers up to this are exact in f16 and bf16.
static constexpr int64_t kExact = 256;

/// Returns the largest magnitude of integers of `type` that are small: sums and
/// differences of smaller integers are integers of 8 bits, too.
static int64_t getLargest(Type type) {
  constexpr int64_t kOfByte = 64;
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth() > 8 ? kExact
                                                                : kOfByte;
}

/// Returns the range of `value`, if its type, masks and constants say that all
/// of it is small.
static std::optional<Bounds> getBounds(Value value, unsigned depth = 12) {
  auto check = [&](int64_t least, int64_t most) {
    int64_t largest = getLargest(value.getType());
    return least >= -largest && most <= largest
               ? std::optional(Bounds{least, most})
               : std::nullopt;
  };
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isSignedIntN(16)
               ? check(constant.getSExtValue(), constant.getSExtValue())
               : std::nullopt;
  Operation *op = value.getDefiningOp();
  unsigned width = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  if (!op || depth == 0)
    return std::nullopt;
  if (isa<arith::AndIOp>(op) &&
      matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
    // A negative mask, such as one of all bits, bounds nothing.
    return constant.isSignedIntN(16) && constant.isNonNegative()
               ? check(0, constant.getSExtValue())
               : std::nullopt;
  // A range that does not have all bits of the narrow type stays as it is.
  if (isa<vector::BroadcastOp, vector::TransposeOp, vector::ShapeCastOp,
          arith::TruncIOp>(op) &&
      width >= 8) {
    std::optional<Bounds> range = getBounds(op->getOperand(0), depth - 1);
    return range ? check(range->least, range->most) : std::nullopt;
  }
  if (isa<arith::ExtSIOp, arith::ExtUIOp>(op) && width >= 8) {
    Value narrow = op->getOperand(0);
    std::optional<Bounds> range = getBounds(narrow, depth - 1);
    bool isSigned = isa<arith::ExtSIOp>(op);
    if (range && (isSigned || range->least >= 0))
      return range;
    // All integers of the narrow type.
    unsigned bits = getElementTypeOrSelf(narrow).getIntOrFloatBitWidth();
    if (bits > 8)
      return std::nullopt;
    return isSigned ? check(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
                    : check(0, (1 << bits) - 1);
  }
  if (!isa<arith::AddIOp, arith::SubIOp>(op) || width < 8)
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
    auto [numbers, isUnsigned] = dropExtensions(difference.getLhs());
    bool isOfByte = numbers != difference.getLhs() &&
                    getElementTypeOrSelf(numbers).isInteger(8);
    if (matchPattern(zero, m_Constant()) || !ofNumbers || !ofZero ||
        !isExact(*ofNumbers, *ofZero, difference.getType()) ||
        !(isOfByte || (ofNumbers->least >= 0 && ofNumbers->most <= 15)) ||
        getElementTypeOrSelf(zero).getIntOrFloatBitWidth() < 8)
      return rewriter.notifyMatchFailure(
          op, "the numbers are no bytes or integers of 4 bits less small ones");
    Location loc = op.getLoc();
    Value converted =
              isUnsigned
                  ? arith::UIToFPOp::create(rewriter, loc, type, numbers)
                        .getResult()
                  : arith::SIToFPOp::create(rewriter, loc, type, numbers),
          subtracted = arith::SIToFPOp::create(rewriter, loc, type, zero);
    rewriter.replaceOpWithNewOp<arith::SubFOp>(op, converted, subtracted);
    return success();
  }

  /// Returns whether all differences are integers of `type`, of f16 and of
  /// bf16.
  static bool isExact(const Bounds &numbers, const Bounds &zero, Type type) {
    int64_t least = numbers.least - zero.most, most = numbers.most - zero.least;
    return least >= -kExact && most <= kExact &&
           (getElementTypeOrSelf(type).getIntOrFloatBitWidth() > 8 ||
            (llvm::isInt<8>(least) && llvm::isInt<8>(most)));
  }

  /// Returns what `value` is extended from, and whether its integers are
  /// unsigned. Masks and permutations make floats of bytes.
  static std::pair<Value, bool> dropExtensions(Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (!isa<arith::ExtUIOp, arith::ExtSIOp>(op) ||
          getElementTypeOrSelf(op->getOperand(0)).getIntOrFloatBitWidth() < 8)
        break;
      value = op->getOperand(0);
      std::optional<Bounds> bounds = getBounds(value);
      if (isa<arith::ExtUIOp>(op) && !(bounds && bounds->least >= 0))
        return {value, true};
    }
    return {value, false};
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
    bool isExtension = isa<arith::ExtUIOp, arith::ExtSIOp>(move);
    if (isExtension) {
      // Integers that are converted have at least 8 bits, and a sign.
      Value narrow = move->getOperand(0);
      std::optional<Bounds> bounds = getBounds(narrow);
      if (getElementTypeOrSelf(narrow).getIntOrFloatBitWidth() < 8 ||
          (isa<arith::ExtUIOp>(move) && !(bounds && bounds->least >= 0)))
        return extendBeforeMove(move, rewriter);
    }
    Type to = getElementTypeOrSelf(op.getType());
    if (auto type = dyn_cast<VectorType>(move->getOperand(0).getType()))
      to = type.clone(to);
    Value converted =
        arith::SIToFPOp::create(rewriter, op.getLoc(), to, move->getOperand(0));
    if (isExtension) {
      rewriter.replaceOp(op, converted);
      return success();
    }
    OperationState state(op.getLoc(), move->getName(), converted,
                         TypeRange{op.getType()}, move->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }

  /// Moves `extension` before the broadcast, transposition or reshape that it
  /// extends.
  static LogicalResult extendBeforeMove(Operation *extension,
                                        PatternRewriter &rewriter) {
    Operation *move = extension->getOperand(0).getDefiningOp();
    if (!isa<vector::BroadcastOp, vector::TransposeOp, vector::ShapeCastOp>(
            move))
      return rewriter.notifyMatchFailure(extension, "extends an extension");
    Value source = move->getOperand(0);
    Type to = getElementTypeOrSelf(extension->getResult(0));
    if (auto type = dyn_cast<VectorType>(source.getType()))
      to = type.clone(to);
    OperationState before(extension->getLoc(), extension->getName(), source,
                          TypeRange{to}, extension->getAttrs());
    OperationState behind(move->getLoc(), move->getName(),
                          rewriter.create(before)->getResult(0),
                          extension->getResultTypes(), move->getAttrs());
    rewriter.replaceOp(extension, rewriter.create(behind));
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
