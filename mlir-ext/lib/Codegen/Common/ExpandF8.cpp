//===- ExpandF8.cpp - Floats of 8 bits without instructions ---------------===//
//
// See ExpandF8.h. Upstream expands only the conversions of f8E8M0FNU and
// f4E2M1FN. LLVM has no types for floats of 8 bits or less. The conversion to
// LLVM makes them integers, so conversions between floats must be expanded
// before.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/ExpandF8.h"
#include "mlir-ext/Codegen/Common/ExpandMath.h"
#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using arith::CmpIPredicate;

bool mlir::linalg_ext::isF8(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() == 8;
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

static bool isScalarOrVector(Type type) {
  return isa<VectorType>(type) || !isa<ShapedType>(type);
}

bool mlir::linalg_ext::isNarrowFloat(Type type) {
  return isF8(type) ||
         isa<Float4E2M1FNType, Float6E2M3FNType, Float6E3M2FNType>(
             getElementTypeOrSelf(type));
}

/// Returns whether `op` is in the payload of a named structured op, which must
/// not change.
static bool isInNamedOp(Operation *op) {
  Operation *parent = op->getParentOp();
  return isa_and_nonnull<linalg::LinalgOp>(parent) &&
         !isa<linalg::GenericOp>(parent);
}

/// Returns the type `like` with elements of type `element`.
static Type withElement(Type like, Type element) {
  auto vector = dyn_cast<VectorType>(like);
  return vector ? Type(vector.clone(element)) : element;
}

namespace {
/// A format with a sign bit, `exponentBits` and `fractionBits`. A number with
/// the exponent field e > 0 is in [2^(e - bias), 2^(e - bias + 1)).
struct F8Format {
  explicit F8Format(FloatType type)
      : bits(static_cast<int>(type.getWidth())),
        fractionBits(static_cast<int>(type.getFPMantissaWidth()) - 1),
        exponentBits(bits - 1 - fractionBits),
        bias(1 - APFloat::semanticsMinExponent(type.getFloatSemantics())),
        hasInfinity(APFloat::semanticsHasInf(type.getFloatSemantics())),
        hasNaN(APFloat::semanticsHasNaN(type.getFloatSemantics())),
        hasNegativeZero(
            !isa<Float8E4M3FNUZType, Float8E5M2FNUZType,
                 Float8E4M3B11FNUZType>(type)) {}

  /// Returns the code of the smallest magnitude that is not a finite number.
  int32_t limit() const {
    if (!hasNegativeZero || !hasNaN)
      return signBit();
    return hasInfinity ? ((1 << exponentBits) - 1) << fractionBits : 0x7f;
  }
  int32_t signBit() const { return 1 << (bits - 1); }

  int bits, fractionBits, exponentBits, bias;
  /// Formats without infinity have a NaN with the code 0x7f (and 0xff) or, if
  /// they have no negative zero, with the code of negative zero. Formats of
  /// less than 8 bits have no NaN.
  bool hasInfinity, hasNaN, hasNegativeZero;
};

/// Builds ops on scalars, or on vectors with the shape of a given one.
class Builder32 : public ImplicitLocOpBuilder {
public:
  Builder32(Operation *op, PatternRewriter &rewriter, Type like)
      : ImplicitLocOpBuilder(op->getLoc(), rewriter), like(like),
        i16(withElement(like, getI16Type())),
        i32(withElement(like, getI32Type())),
        f16(withElement(like, getF16Type())),
        f32(withElement(like, getF32Type())) {}

  Value integer(Type type, int64_t value) {
    auto element = cast<IntegerType>(getElementTypeOrSelf(type));
    return createScalarOrSplatConstant(
        *this, getLoc(), type,
        APInt(element.getWidth(), value, /*isSigned=*/true,
              /*implicitTrunc=*/true));
  }
  Value number(Type type, double value) {
    FloatAttr attr = getFloatAttr(getElementTypeOrSelf(type), value);
    return createScalarOrSplatConstant(*this, getLoc(), type, attr.getValue());
  }
  Value shiftLeft(Value x, int64_t bits) {
    return arith::ShLIOp::create(*this, x, integer(x.getType(), bits));
  }
  Value shiftRight(Value x, int64_t bits) {
    return arith::ShRUIOp::create(*this, x, integer(x.getType(), bits));
  }
  Value mask(Value x, int64_t bits) {
    return arith::AndIOp::create(*this, x, integer(x.getType(), bits));
  }
  Value add(Value x, int64_t value) {
    return arith::AddIOp::create(*this, x, integer(x.getType(), value));
  }
  Value compare(CmpIPredicate predicate, Value x, int64_t value) {
    return arith::CmpIOp::create(*this, predicate, x,
                                 integer(x.getType(), value));
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(*this, condition, yes, no);
  }
  Value bitcast(Type type, Value x) {
    return arith::BitcastOp::create(*this, type, x);
  }

  Type like, i16, i32, f16, f32;
};
} // namespace

//===----------------------------------------------------------------------===//
// Extensions
//===----------------------------------------------------------------------===//

/// Builds the bits of the f32 numbers with the codes `x`, by ops on integers
/// and one subtraction. It never computes with subnormal numbers, which may be
/// slow or may be flushed to 0.
static Value extendToF32Bits(Builder32 &b, Value x, const F8Format &format,
                             bool mayBeNaN) {
  int shift = 23 - format.fractionBits;
  Value wide = arith::ExtUIOp::create(b, b.i32, x);
  Value sign = b.shiftLeft(b.mask(wide, format.signBit()), 32 - format.bits);
  Value magnitude = b.shiftLeft(b.mask(wide, format.signBit() - 1), shift);
  Value normal = b.add(magnitude, (127 - format.bias) << 23);
  // Without the hidden bit, the number is 2^(1 - bias) too large.
  Value more = b.add(magnitude, (128 - format.bias) << 23);
  Value subnormal = b.bitcast(
      b.i32, arith::SubFOp::create(
                 b, b.bitcast(b.f32, more),
                 b.number(b.f32, std::ldexp(1.0, 1 - format.bias))));
  Value isSubnormal =
      b.compare(CmpIPredicate::ult, magnitude, int64_t(1) << 23);
  Value bits = b.select(isSubnormal, subnormal, normal);
  if (mayBeNaN && format.hasInfinity) {
    Value isNoNumber =
        b.compare(CmpIPredicate::uge, magnitude, format.limit() << shift);
    Value exponent =
        arith::OrIOp::create(b, bits, b.integer(b.i32, 0x7f800000));
    bits = b.select(isNoNumber, exponent, bits);
  } else if (mayBeNaN && format.hasNegativeZero) {
    Value isNaN =
        b.compare(CmpIPredicate::eq, magnitude, format.limit() << shift);
    bits = b.select(isNaN, b.integer(b.i32, 0x7fc00000), bits);
  }
  bits = arith::OrIOp::create(b, bits, sign);
  if (mayBeNaN && !format.hasNegativeZero)
    bits = b.select(b.compare(CmpIPredicate::eq, x, 0x80),
                    b.integer(b.i32, 0x7fc00000), bits);
  return bits;
}

/// Returns whether the fields of a number of `format`, moved to those of f16,
/// give that number times a power of two.
static bool isInF16(const F8Format &format) {
  return format.exponentBits < 5 ||
         (format.bias == 15 && format.hasInfinity);
}

/// Builds the numbers with the codes `x` in f16, times 2^(bias - 15).
static Value extendToScaledF16(Builder32 &b, Value x, const F8Format &format,
                               bool mayBeNaN) {
  int shift = 10 - format.fractionBits;
  if (format.exponentBits == 5)
    return b.bitcast(b.f16,
                     b.shiftLeft(arith::ExtUIOp::create(b, b.i16, x), shift));
  // Move the sign to bit 15. The arithmetic shift also sets bits below it,
  // which are cleared.
  int cleared = ((1 << (5 - format.exponentBits)) - 1)
                << (10 + format.exponentBits);
  Value bits =
      b.mask(b.shiftLeft(arith::ExtSIOp::create(b, b.i16, x), shift),
             0xffff & ~cleared);
  // The magnitude with all bits set is NaN. Adding 1 sets the lowest exponent
  // bit that was cleared, so that the exponent is that of NaN in f16.
  if (mayBeNaN && format.hasNegativeZero && !format.hasInfinity &&
      format.exponentBits == 4)
    return b.bitcast(
        b.f16, arith::OrIOp::create(
                   b, bits, b.mask(b.add(bits, int64_t(1) << shift), 0x4000)));
  if (mayBeNaN) {
    Value isNoNumber =
        format.hasNegativeZero
            ? b.compare(format.hasInfinity ? CmpIPredicate::uge
                                           : CmpIPredicate::eq,
                        b.mask(x, 0x7f), format.limit())
            : b.compare(CmpIPredicate::eq, x, 0x80);
    // Infinity has the fraction 0. In formats without infinity, such codes are
    // always NaN.
    Value exponent = arith::OrIOp::create(
        b, bits, b.integer(b.i16, format.hasInfinity ? 0x7c00 : 0x7e00));
    bits = b.select(isNoNumber, exponent, bits);
  }
  return b.bitcast(b.f16, bits);
}

/// Builds the bits of the f32 numbers 2^(x - 127), or NaN for x = 255. The
/// highest bit of the mantissa makes 2^-127 of the exponent 0, and NaN of 255.
static Value extendE8M0ToF32Bits(Builder32 &b, Value x, bool mayBeNaN) {
  Value bits = b.shiftLeft(arith::ExtUIOp::create(b, b.i32, x), 23);
  Value hasMantissa = mayBeNaN
                          ? b.compare(CmpIPredicate::ult, b.add(x, 1), 2)
                          : b.compare(CmpIPredicate::eq, x, 0);
  Value mantissa = b.select(hasMantissa, b.integer(b.i32, 0x00400000),
                            b.integer(b.i32, 0));
  return arith::OrIOp::create(b, bits, mantissa);
}

namespace {
struct ExpandExtF : public OpRewritePattern<arith::ExtFOp> {
  ExpandExtF(MLIRContext *context, const ExpandF8Options &options)
      : OpRewritePattern(context), options(options) {}

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (isInNamedOp(op))
      return rewriter.notifyMatchFailure(op, "in a named structured op");
    Type type = op.getIn().getType();
    auto to = cast<FloatType>(getElementTypeOrSelf(op.getType()));
    if (!isScalarOrVector(type) || !isNarrowFloat(type) ||
        !(to.isF16() || to.isBF16() || to.isF32() || to.isF64()))
      return rewriter.notifyMatchFailure(
          op, "not from 8, 6 or 4 bits to f16, bf16, f32 or f64");
    bool mayBeNaN =
        APFloat::semanticsHasNaN(
            cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics()) &&
        !bitEnumContainsAny(op.getFastmath().value_or(arith::FastMathFlags::none),
                            arith::FastMathFlags::nnan);
    Builder32 b(op, rewriter, type);
    auto from = cast<FloatType>(getElementTypeOrSelf(type));
    Value x = b.bitcast(withElement(type, b.getIntegerType(from.getWidth())),
                        op.getIn());

    // 1. By way of f16, if that is exact.
    bool isE8M0 = isa<Float8E8M0FNUType>(from);
    if (!isE8M0 && isInF16(F8Format(from)) && options.hasF16 &&
        (to.isF16() || to.isF32())) {
      F8Format format(from);
      Value result = extendToScaledF16(b, x, format, mayBeNaN);
      if (to.isF32())
        result = arith::ExtFOp::create(b, b.f32, result);
      if (format.bias != 15)
        result = arith::MulFOp::create(
            b, result,
            b.number(result.getType(), std::ldexp(1.0, 15 - format.bias)));
      rewriter.replaceOp(op, result);
      return success();
    }

    // 2. By way of f32.
    Value bits = isE8M0 ? extendE8M0ToF32Bits(b, x, mayBeNaN)
                        : extendToF32Bits(b, x, F8Format(from), mayBeNaN);
    if (to.isBF16()) {
      // The lower bits are 0.
      Value high = arith::TruncIOp::create(b, b.i16, b.shiftRight(bits, 16));
      rewriter.replaceOp(op, b.bitcast(op.getType(), high));
      return success();
    }
    Value result = b.bitcast(b.f32, bits);
    if (to.isF64())
      result = arith::ExtFOp::create(b, op.getType(), result);
    else if (to.isF16())
      result = arith::TruncFOp::create(b, op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  ExpandF8Options options;
};
} // namespace

//===----------------------------------------------------------------------===//
// Truncations
//===----------------------------------------------------------------------===//

/// Returns the constant that is the value, or every element, of `value`.
static std::optional<APFloat> getConstant(Value value) {
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number)))
    return number;
  return std::nullopt;
}

bool mlir::linalg_ext::isClampedTo(Value value, FloatType type) {
  if (isa<Float8E8M0FNUType>(type))
    return false;
  bool isBelow = false, isAbove = false;
  auto isLimit = [&](Value operand, bool isUpper) {
    std::optional<APFloat> number = getConstant(operand);
    if (!number || !number->isFinite())
      return false;
    APFloat largest =
        APFloat::getLargest(type.getFloatSemantics(), /*Negative=*/!isUpper);
    bool isInexact;
    largest.convert(number->getSemantics(), APFloat::rmNearestTiesToEven,
                    &isInexact);
    return isUpper ? *number <= largest : *number >= largest;
  };
  // Look through extensions, which keep the value of a clamped number. Of the
  // minimum and the maximum, the constant of the outer one is the limit, and
  // that of the inner one must not exceed it.
  while (Operation *op = value.getDefiningOp()) {
    if (auto extension = dyn_cast<arith::ExtFOp>(op)) {
      value = extension.getIn();
      continue;
    }
    if (auto clamp = dyn_cast<math::ClampFOp>(op))
      return isLimit(clamp.getMin(), /*isUpper=*/false) &&
             isLimit(clamp.getMax(), /*isUpper=*/true);
    bool isMinimum = isa<arith::MinimumFOp, arith::MinNumFOp>(op);
    if (!isMinimum && !isa<arith::MaximumFOp, arith::MaxNumFOp>(op))
      return false;
    unsigned side = getConstant(op->getOperand(0)) ? 0 : 1;
    Value limit = op->getOperand(side);
    // The outer limit must not undo the inner one.
    if (!isLimit(limit, isMinimum))
      return false;
    std::optional<APFloat> number = getConstant(limit);
    APFloat other =
        APFloat::getLargest(type.getFloatSemantics(), /*Negative=*/isMinimum);
    bool isInexact;
    other.convert(number->getSemantics(), APFloat::rmNearestTiesToEven,
                  &isInexact);
    if (isMinimum ? *number < other : *number > other)
      return false;
    (isMinimum ? isBelow : isAbove) = true;
    if (isBelow && isAbove)
      return true;
    value = op->getOperand(1 - side);
  }
  return false;
}

/// Builds the codes of the f32 numbers `x`, as i8.
static Value truncateF32(Builder32 &b, Value x, const F8Format &format,
                         bool isClamped) {
  int shift = 23 - format.fractionBits;
  Value bits = b.bitcast(b.i32, x);
  Value sign =
      b.mask(b.shiftRight(bits, 32 - format.bits), format.signBit());
  Value magnitude = b.mask(bits, 0x7fffffff);
  // 1. Round: add almost half of the last place, or half if the last place is
  //    odd. A carry increments the exponent.
  Value isOdd = b.mask(b.shiftRight(magnitude, shift), 1);
  Value sum = b.add(arith::AddIOp::create(b, magnitude, isOdd),
                    (int64_t(1) << (shift - 1)) - 1);
  Value normal = b.add(b.shiftRight(sum, shift),
                       -((127 - format.bias) << format.fractionBits));
  // 2. Subnormal numbers. The numbers near `magic` are one unit of the
  //    subnormals apart, so the sum with `magic` rounds to a subnormal number.
  double magic = std::ldexp(1.0, 1 - format.bias - format.fractionBits + 23);
  Value magicNumber = b.number(b.f32, magic);
  Value near =
      arith::AddFOp::create(b, b.bitcast(b.f32, magnitude), magicNumber);
  Value subnormal = arith::SubIOp::create(b, b.bitcast(b.i32, near),
                                          b.bitcast(b.i32, magicNumber));
  Value isSubnormal = b.compare(CmpIPredicate::ult, magnitude,
                                (int64_t(128 - format.bias)) << 23);
  Value code = b.select(isSubnormal, subnormal, normal);
  // 3. Numbers that are too large, and NaN, whose code is the largest integer.
  int32_t limit = format.limit();
  if (!format.hasNaN)
    code = arith::MinUIOp::create(b, code, b.integer(b.i32, limit - 1));
  else if (!isClamped || !format.hasInfinity)
    code = arith::MinUIOp::create(b, code, b.integer(b.i32, limit));
  if (format.hasInfinity)
    code = b.select(b.compare(CmpIPredicate::ugt, magnitude, 0x7f800000),
                    b.integer(b.i32, limit | 1 << (format.fractionBits - 1)),
                    code);
  // 4. The sign. Without a negative zero, neither 0 nor NaN has one.
  Value withSign = arith::OrIOp::create(b, code, sign);
  if (!format.hasNegativeZero) {
    Value isSigned = b.compare(CmpIPredicate::ult, b.add(code, -1), 0x7f);
    withSign = b.select(isSigned, withSign, code);
  }
  return arith::TruncIOp::create(
      b, withElement(b.i32, b.getIntegerType(format.bits)), withSign);
}

/// Builds the codes of the powers of two that are nearest to the f32 numbers
/// |`x`|.
static Value truncateF32ToE8M0(Builder32 &b, Value x) {
  Value magnitude = b.mask(b.bitcast(b.i32, x), 0x7fffffff);
  Value code = b.shiftRight(b.add(magnitude, 1 << 22), 23);
  // 2^-127 is subnormal in f32. Compare with the middle between it and 2^-126.
  Value isSmall = b.compare(CmpIPredicate::ult, magnitude, 0x600000);
  code = b.select(isSmall, b.integer(b.i32, 0), code);
  code = arith::MinUIOp::create(b, code, b.integer(b.i32, 0xff));
  return arith::TruncIOp::create(b, withElement(b.i32, b.getI8Type()), code);
}

namespace {
struct ExpandTruncF : public OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (isInNamedOp(op))
      return rewriter.notifyMatchFailure(op, "in a named structured op");
    Value x = op.getIn();
    auto from = cast<FloatType>(getElementTypeOrSelf(x.getType()));
    if (!isScalarOrVector(op.getType()) || !isNarrowFloat(op.getType()) ||
        !(from.isF16() || from.isBF16() || from.isF32() || from.isF64()))
      return rewriter.notifyMatchFailure(
          op, "not from f16, bf16, f32 or f64 to 8, 6 or 4 bits");
    if (op.getRoundingmode() &&
        op.getRoundingmode() != arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "does not round to nearest even");
    auto to = cast<FloatType>(getElementTypeOrSelf(op.getType()));
    bool isClamped = isClampedTo(x, to);
    Builder32 b(op, rewriter, x.getType());
    if (from.isF64())
      x = roundToOddF32(b, x);
    else if (!from.isF32())
      x = arith::ExtFOp::create(b, b.f32, x);
    Value code = isa<Float8E8M0FNUType>(to)
                     ? truncateF32ToE8M0(b, x)
                     : truncateF32(b, x, F8Format(to), isClamped);
    rewriter.replaceOp(op, b.bitcast(op.getType(), code));
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

void mlir::linalg_ext::populateExpandF8Patterns(
    RewritePatternSet &patterns, const ExpandF8Options &options) {
  patterns.add<ExpandExtF>(patterns.getContext(), options);
  patterns.add<ExpandTruncF>(patterns.getContext());
}

LogicalResult mlir::linalg_ext::expandF8(Operation *scope,
                                         const ExpandF8Options &options,
                                         RewritePatternSet &&instructions) {
  MLIRContext *context = scope->getContext();
  WalkResult found = scope->walk([](Operation *op) {
    return llvm::any_of(op->getOperandTypes(), isNarrowFloat) ||
                   llvm::any_of(op->getResultTypes(), isNarrowFloat)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return success();

  // 1. Scalings by block scales become multiplications.
  RewritePatternSet scaling(context);
  arith::populateExpandScalingExtTruncPatterns(scaling);
  GreedyRewriteConfig config = getStructuredRewriteConfig();
  if (failed(applyPatternsGreedily(scope, std::move(scaling), config)))
    return failure();

  // 2. Arithmetic in f32. Its results need no second rounding: f32 has more
  //    than twice the digits, so rounding them to the narrow type equals one
  //    rounding.
  Type types[] = {Float8E5M2Type::get(context),
                  Float8E4M3Type::get(context),
                  Float8E4M3FNType::get(context),
                  Float8E5M2FNUZType::get(context),
                  Float8E4M3FNUZType::get(context),
                  Float8E4M3B11FNUZType::get(context),
                  Float8E3M4Type::get(context),
                  Float8E8M0FNUType::get(context),
                  Float6E2M3FNType::get(context),
                  Float6E3M2FNType::get(context),
                  Float4E2M1FNType::get(context)};
  TypeConverter converter;
  arith::populateEmulateUnsupportedFloatsConversions(
      converter, types, Float32Type::get(context));
  RewritePatternSet arithmetic(context);
  arith::populateEmulateUnsupportedFloatsPatterns(arithmetic, converter);
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, converter);
  target.addDynamicallyLegalDialect<arith::ArithDialect>(
      [](Operation *op) -> std::optional<bool> {
        return isInNamedOp(op) ? std::optional<bool>(true) : std::nullopt;
      });
  if (failed(applyPartialConversion(scope, target, std::move(arithmetic))))
    return failure();

  // 3. Conversions.
  if (failed(applyPatternsGreedily(scope, std::move(instructions), config)))
    return failure();
  RewritePatternSet conversions(context);
  populateExpandF8Patterns(conversions, options);
  return applyPatternsGreedily(scope, std::move(conversions), config);
}

LogicalResult mlir::linalg_ext::expandF8(Operation *scope,
                                         const ExpandF8Options &options) {
  return expandF8(scope, options, RewritePatternSet(scope->getContext()));
}
