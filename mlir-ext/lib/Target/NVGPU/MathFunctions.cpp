//===- MathFunctions.cpp - Functions as formulas --------------------------===//
//
// An argument is reduced to where a short polynomial is exact enough, without
// losing bits, and what was taken away is put back exactly. Polynomials
// interpolate at Chebyshev nodes of the interval that is given with them.
//
// What is rarely needed in f32 is computed in f64, where no formula has to be
// careful: processors of data centres do half as many products of it.
//
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;
using namespace mlir::linalg_ext;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Notation
//===----------------------------------------------------------------------===//

namespace {
/// A value in formulas; numbers in them are of its type.
struct Term {
  ImplicitLocOpBuilder *b;
  Value value;

  operator Value() const { return value; }
  Type getType() const { return value.getType(); }
  Term with(Value other) const { return {b, other}; }
  /// The type with other elements.
  Type getTypeOf(Type element) const {
    if (auto vector = dyn_cast<VectorType>(getType()))
      return vector.clone(element);
    return element;
  }
  bool isFloat() const {
    return isa<FloatType>(getElementTypeOrSelf(getType()));
  }
  Term constant(TypedAttr attr) const {
    if (auto vector = dyn_cast<VectorType>(getType()))
      return with(arith::ConstantOp::create(
          *b, DenseElementsAttr::get(vector, Attribute(attr))));
    return with(arith::ConstantOp::create(*b, attr));
  }
  Term real(double number) const {
    return constant(b->getFloatAttr(getElementTypeOrSelf(getType()), number));
  }
  Term integer(int64_t number) const {
    unsigned bits = getElementTypeOrSelf(getType()).getIntOrFloatBitWidth();
    return constant(b->getIntegerAttr(
        getElementTypeOrSelf(getType()),
        APInt(bits, number, /*isSigned=*/true, /*implicitTrunc=*/true)));
  }
  Term bits() const {
    unsigned width = getElementTypeOrSelf(getType()).getIntOrFloatBitWidth();
    return with(arith::BitcastOp::create(
        *b, getTypeOf(b->getIntegerType(width)), value));
  }
  /// The number of f32 or f64 that has these bits.
  Term asReal() const {
    bool isWide = getElementTypeOrSelf(getType()).isInteger(64);
    return with(arith::BitcastOp::create(
        *b, getTypeOf(isWide ? Type(b->getF64Type()) : b->getF32Type()),
        value));
  }
  Term toReal(Type element) const {
    return with(arith::SIToFPOp::create(*b, getTypeOf(element), value));
  }
};

Term operator+(Term x, Term y) {
  return x.with(x.isFloat() ? arith::AddFOp::create(*x.b, x, y).getResult()
                            : arith::AddIOp::create(*x.b, x, y).getResult());
}
Term operator-(Term x, Term y) {
  return x.with(x.isFloat() ? arith::SubFOp::create(*x.b, x, y).getResult()
                            : arith::SubIOp::create(*x.b, x, y).getResult());
}
Term operator*(Term x, Term y) {
  return x.with(x.isFloat() ? arith::MulFOp::create(*x.b, x, y).getResult()
                            : arith::MulIOp::create(*x.b, x, y).getResult());
}
Term operator/(Term x, Term y) {
  return x.with(arith::DivFOp::create(*x.b, x, y));
}
Term operator+(Term x, double y) { return x + x.real(y); }
Term operator-(Term x, double y) { return x - x.real(y); }
Term operator*(Term x, double y) { return x * x.real(y); }
Term operator-(Term x) { return x.with(arith::NegFOp::create(*x.b, x)); }
Term operator<<(Term x, int64_t by) {
  return x.with(arith::ShLIOp::create(*x.b, x, x.integer(by)));
}
/// Arithmetic for integers that are signed.
Term operator>>(Term x, int64_t by) {
  return x.with(arith::ShRSIOp::create(*x.b, x, x.integer(by)));
}
Term operator&(Term x, int64_t mask) {
  return x.with(arith::AndIOp::create(*x.b, x, x.integer(mask)));
}
Term fma(Term x, Term y, Term z) {
  return x.with(math::FmaOp::create(*x.b, x, y, z));
}
Term fma(Term x, double y, Term z) { return fma(x, x.real(y), z); }
Term fma(Term x, Term y, double z) { return fma(x, y, x.real(z)); }
Term abs(Term x) { return x.with(math::AbsFOp::create(*x.b, x)); }
Term copysign(Term x, Term sign) {
  return x.with(math::CopySignOp::create(*x.b, x, sign));
}
Term sqrt(Term x) { return x.with(math::SqrtOp::create(*x.b, x)); }
Term truncate(Term x) { return x.with(math::TruncOp::create(*x.b, x)); }
Term compare(CmpFPredicate predicate, Term x, Term y) {
  return x.with(arith::CmpFOp::create(*x.b, predicate, x, y));
}
Term compare(CmpFPredicate predicate, Term x, double y) {
  return compare(predicate, x, x.real(y));
}
Term isNotZero(Term x) {
  return x.with(
      arith::CmpIOp::create(*x.b, CmpIPredicate::ne, x, x.integer(0)));
}
Term operator&&(Term x, Term y) {
  return x.with(arith::AndIOp::create(*x.b, x, y));
}
Term select(Term condition, Term x, Term y) {
  return x.with(arith::SelectOp::create(*x.b, condition, x, y));
}
Term select(Term condition, double x, Term y) {
  return select(condition, y.real(x), y);
}
/// Between `low` and `high`; NaN is NaN.
Term clamp(Term x, double low, double high) {
  x = x.with(arith::MaximumFOp::create(*x.b, x, x.real(low)));
  return x.with(arith::MinimumFOp::create(*x.b, x, x.real(high)));
}
/// The sum of coefficients[i] x^(n - i).
Term polynomial(Term x, ArrayRef<double> coefficients) {
  Term sum = x.real(coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = fma(sum, x, coefficient);
  return sum;
}
} // namespace

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// Added to a number of f32 below 2^22 it leaves an integer in the low bits.
static constexpr double kRound = 12582912;

/// 2^n for integers n of exponents of normal numbers of f32.
static Term powerOfTwo(Term n) { return ((n + n.integer(127)) << 23).asReal(); }

//===----------------------------------------------------------------------===//
// Sine and cosine
//===----------------------------------------------------------------------===//

namespace {
/// x = quarter * pi/2 + rest; of the quarter the lowest two bits count.
struct Turn {
  Term rest, quarter;
};
} // namespace

/// Of |x| < 2^18. The product of the quarter and the first part of pi/2 is so
/// near to x that their difference is exact.
static Turn reduceSmallTurn(Term x) {
  Term rounded = fma(x, 0x1.45f306p-1, x.real(kRound));
  Term number = rounded - kRound;
  Term rest = fma(number, -0x1.921fb6p+0, x);
  rest = fma(number, 0x1.777a5cp-25, rest);
  rest = fma(number, 0x1.ee59dap-50, rest);
  // -0 is -0.
  rest = select(compare(CmpFPredicate::OEQ, number, 0), x, rest);
  return {rest, rounded.bits()};
}

/// Of |x| from 2^-5 on. x is an integer of 24 bits times 2^e. Of the bits of
/// 2/pi those before e - 1 make multiples of a whole turn; 96 from there on are
/// enough, since no number of f32 is nearer to a quarter than 2^-32.
static Turn reduceLargeTurn(Term x) {
  ImplicitLocOpBuilder &b = *x.b;
  // 2/pi, after 32 bits in front of its point.
  const uint32_t words[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                            0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
  Term bits = x.bits();
  Term exponent = (bits >> 23) & 255;
  Term fraction = bits & 0x7fffff;
  auto widen = [&](Term term) {
    return term.with(
        arith::ExtUIOp::create(b, term.getTypeOf(b.getI64Type()), term));
  };
  fraction = widen(fraction + fraction.integer(0x800000));
  // 1. The word in which the 96 bits start, and the bit in it.
  Term start = exponent - exponent.integer(150 - 30);
  Term shift = widen(start & 31);
  SmallVector<Term> window;
  for (uint32_t word : words)
    window.push_back(shift.integer(word));
  for (int64_t bit : {4, 2, 1}) {
    Term isSet = isNotZero((start >> 5) & bit);
    size_t count = 4 + bit - 1;
    for (size_t i = 0; i < count; ++i) {
      Term zero = shift.integer(0);
      window[i] = select(
          isSet, i + bit < window.size() ? window[i + bit] : zero, window[i]);
    }
    window.truncate(count);
  }
  // 2. The product modulo 2^96, of which the highest 64 bits.
  auto getWord = [&](size_t i) {
    Term pair = (window[i] << 32) + window[i + 1];
    Term shifted = pair.with(arith::ShLIOp::create(b, pair, shift));
    return shifted.with(
        arith::ShRUIOp::create(b, shifted, shifted.integer(32)));
  };
  Term low = getWord(2) * fraction;
  low = low.with(arith::ShRUIOp::create(b, low, low.integer(32)));
  Term product = ((getWord(0) * fraction) << 32) + getWord(1) * fraction + low;
  // 3. Its highest two bits are the quarter, rounded.
  Term rounded = product + product.integer(int64_t(1) << 61);
  Term quarter =
      rounded.with(arith::ShRUIOp::create(b, rounded, rounded.integer(62)));
  Term rest = (product - (quarter << 62)).toReal(b.getF64Type()) *
              (1.5707963267948966 * 0x1p-62);
  rest = rest.with(
      arith::TruncFOp::create(b, rest.getTypeOf(b.getF32Type()), rest));
  quarter = quarter.with(
      arith::TruncIOp::create(b, quarter.getTypeOf(b.getI32Type()), quarter));
  // 4. Of the other sign; and of no number.
  Term isNegative = compare(CmpFPredicate::OLT, x, 0);
  rest = select(isNegative, -rest, rest);
  quarter = select(isNegative, quarter.integer(0) - quarter, quarter);
  rest = select(compare(CmpFPredicate::OLT, abs(x), kInfinity), rest, x - x);
  return {rest, quarter};
}

/// True if any element of `condition` is.
static Value isAny(Term condition) {
  auto type = dyn_cast<VectorType>(condition.getType());
  if (!type)
    return condition;
  Value any;
  SmallVector<int64_t> strides = computeSuffixProduct(type.getShape());
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value one = vector::ExtractOp::create(*condition.b, condition,
                                          delinearize(i, strides));
    any = any ? arith::OrIOp::create(*condition.b, any, one).getResult() : one;
  }
  return any;
}

static Turn reduceTurn(Term x) {
  Turn small = reduceSmallTurn(x);
  Term isLarge = compare(CmpFPredicate::UGE, abs(x), 0x1p18);
  // Hardly ever.
  auto branch = scf::IfOp::create(
      *x.b, isAny(isLarge),
      [&](OpBuilder &builder, Location loc) {
        ImplicitLocOpBuilder inner(loc, builder);
        Turn large = reduceLargeTurn({&inner, x});
        Value results[] = {
            arith::SelectOp::create(inner, isLarge, large.rest, small.rest),
            arith::SelectOp::create(inner, isLarge, large.quarter,
                                    small.quarter)};
        scf::YieldOp::create(inner, results);
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc,
                             ValueRange{small.rest, small.quarter});
      });
  return {x.with(branch.getResult(0)), x.with(branch.getResult(1))};
}

/// Of |r| <= 0.82; the error of the sum behind the first term is 4e-11.
static Term sinOfRest(Term r) {
  Term square = r * r;
  Term sum = polynomial(square, {2.7222407607149666e-6, -0.00019839864954511594,
                                 0.0083333314454177148, -0.16666666662700218});
  return copysign(fma(sum * square, r, r), r);
}

static Term cosOfRest(Term r) {
  Term square = r * r;
  Term sum = polynomial(square, {-2.7277948675023033e-7, 2.4800414777196155e-5,
                                 -0.0013888887312078332, 0.041666666663343437});
  return fma(sum * square, square, fma(square, square.real(-0.5), 1));
}

/// The sine of the `quarter` and rest.
static Term sinOfTurn(Turn turn, Term quarter) {
  Term result = select(isNotZero(quarter & 1), cosOfRest(turn.rest),
                       sinOfRest(turn.rest));
  return select(isNotZero(quarter & 2), -result, result);
}

Value MathF32::sin(ImplicitLocOpBuilder &b, Value x) {
  Turn turn = reduceTurn({&b, x});
  return sinOfTurn(turn, turn.quarter);
}

Value MathF32::cos(ImplicitLocOpBuilder &b, Value x) {
  Turn turn = reduceTurn({&b, x});
  return sinOfTurn(turn, turn.quarter + turn.quarter.integer(1));
}

Value MathF32::tan(ImplicitLocOpBuilder &b, Value x) {
  Turn turn = reduceTurn({&b, x});
  Term sine = sinOfRest(turn.rest), cosine = cosOfRest(turn.rest);
  Term isOdd = isNotZero(turn.quarter & 1);
  return select(isOdd, -cosine, sine) / select(isOdd, sine, cosine);
}

//===----------------------------------------------------------------------===//
// Powers of e of f32
//===----------------------------------------------------------------------===//

namespace {
/// e^x - 1 = 2^exponent (1 + rest) - 1.
struct Power {
  Term exponent, rest;
};
} // namespace

static Power reducePower(Term x) {
  Term rounded = fma(x, 0x1.715476p+0, x.real(kRound));
  Term number = rounded - kRound;
  // ln(2) in two parts: the product with the first one is exact.
  Term r = fma(number, -0x1.62e4p-1, x);
  r = fma(number, -0x1.7f7d1cp-20, r);
  // (e^r - 1 - r) / r^2 for |r| <= 0.35, with an error of 3e-11.
  Term sum = polynomial(r, {2.4860731885840675e-5, 0.00019900428151915096,
                            0.0013888852650225144, 0.0083332970837383087,
                            0.041666666722163556, 0.16666666722181583, 0.5});
  Term exponent = rounded.bits();
  exponent = exponent - exponent.integer(0x4b400000);
  return {exponent, fma(sum * r, r, r)};
}

Value MathF32::exp(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Power power = reducePower(clamp(x, -110, 90));
  Term half = power.exponent >> 1;
  // In two factors: the result may be subnormal, or infinite.
  return (power.rest + 1) * powerOfTwo(half) *
         powerOfTwo(power.exponent - half);
}

Value MathF32::expm1(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Power power = reducePower(clamp(x, -30, 89));
  // Half of the factor, which may be 2^128.
  Term half = powerOfTwo(power.exponent - power.exponent.integer(1));
  Term result = fma(half, power.rest, half - 0.5) * 2.0;
  return select(compare(CmpFPredicate::OEQ, x, 0), x, result);
}

//===----------------------------------------------------------------------===//
// Logarithms of f32
//===----------------------------------------------------------------------===//

namespace {
/// ln(x) = exponent ln(2) + rest, as an integer and a number of f32.
struct Logarithm {
  Term exponent, rest;
};
} // namespace

/// ln(1 + f) for f in [-0.25, 0.5]; the error of the sum behind the first term
/// is 5e-9.
static Term log1pOfRest(Term f) {
  Term sum = polynomial(f, {0.039442228339169526, -0.092918689158674227,
                            0.11716110954488143, -0.12699308574268127,
                            0.14270462797655825, -0.16656666989744085,
                            0.19999925279919019, -0.25000153208828495,
                            0.33333335766711843, -0.49999999626039005});
  return fma(sum * f, f, f);
}

/// The exponent of `x`, such that what is left is in [0.75, 1.5).
static Term getExponent(Term x) {
  Term bits = x.bits();
  return (bits - bits.integer(0x3f400000)) >> 23;
}

static Logarithm reduceLogarithm(Term x) {
  Term isSubnormal = compare(CmpFPredicate::OLT, x, 0x1p-126);
  Term normal = select(isSubnormal, x * 0x1p23, x);
  Term exponent = getExponent(normal);
  Term rest = (normal.bits() - (exponent << 23)).asReal() - 1;
  exponent =
      exponent - select(isSubnormal, exponent.integer(23), exponent.integer(0));
  return {exponent.toReal(x.b->getF32Type()), log1pOfRest(rest)};
}

/// `result`, but for what is no positive finite `x`.
static Term fixLogarithm(Term x, Term result) {
  result = select(compare(CmpFPredicate::ULT, x, kInfinity), result, x);
  result = select(compare(CmpFPredicate::OEQ, x, 0), -kInfinity, result);
  result = select(compare(CmpFPredicate::OLT, x, 0), kNaN, result);
  return select(compare(CmpFPredicate::UNO, x, x), x, result);
}

/// ln(2) in two parts.
static Term addLn2(Term exponent, Term rest) {
  return fma(exponent, 0x1.62e43p-1, fma(exponent, -0x1.05c61p-29, rest));
}

Value MathF32::log(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Logarithm log = reduceLogarithm(x);
  return fixLogarithm(x, addLn2(log.exponent, log.rest));
}

Value MathF32::log2(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Logarithm log = reduceLogarithm(x);
  return fixLogarithm(x, fma(log.rest, 0x1.715476p+0,
                             fma(log.rest, 0x1.4ae0cp-26, log.exponent)));
}

Value MathF32::log10(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Logarithm log = reduceLogarithm(x);
  // log10(e) and log10(2), each in two parts.
  constexpr double e = 0x1.bcb7b2p-2, two = 0x1.344136p-2;
  Term low = fma(log.exponent, 0.30102999566398119521 - two,
                 log.rest * (0.43429448190325182765 - e));
  return fixLogarithm(x, fma(log.exponent, two, fma(log.rest, e, low)));
}

Value MathF32::log1p(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Term sum = x + 1;
  Term exponent = getExponent(sum);
  // (1 + x) / 2^exponent - 1, of exact terms; 2^-exponent in two factors.
  Term zero = exponent.integer(0), half = exponent >> 1;
  Term first = powerOfTwo(zero - half), second = powerOfTwo(half - exponent);
  Term rest = fma(x * first, second, first * second - 1);
  Term result = addLn2(exponent.toReal(b.getF32Type()), log1pOfRest(rest));
  result = fixLogarithm(sum, result);
  // As it is where 1 + x is 1.
  return select(compare(CmpFPredicate::OLT, abs(x), 0x1p-26), x, result);
}

//===----------------------------------------------------------------------===//
// Functions of f64
//===----------------------------------------------------------------------===//

/// 2^n of integers n in f64, of exponents that are those of normal numbers.
static Term powerOfTwoF64(Term n) {
  Term integer =
      n.with(arith::FPToSIOp::create(*n.b, n.getTypeOf(n.b->getI64Type()), n));
  return ((integer + integer.integer(1023)) << 52).asReal();
}

/// The sum of r^k / k! from k = `first` on, over r^first, up to k = 13: an
/// error of 4e-18 for |r| <= ln(2)/2.
static Term sumOfPowers(Term r, int64_t first) {
  double factorial = 6227020800.0; // 13!
  SmallVector<double> coefficients;
  for (int64_t k = 13; k >= first; --k) {
    coefficients.push_back(1 / factorial);
    factorial /= std::max<int64_t>(k, 1);
  }
  return polynomial(r, coefficients);
}

/// e^r 2^n, n in two factors for subnormal results. x, which r + n ln(2) is,
/// decides about NaN.
static Term buildExp(Term x, Term r, Term n) {
  Term half = x.with(math::FloorOp::create(*x.b, n * 0.5));
  Term sum = sumOfPowers(r, 0) * powerOfTwoF64(half) * powerOfTwoF64(n - half);
  return select(compare(CmpFPredicate::UNO, x, x), x, sum);
}

/// `x` between where results are 0 and infinite.
static Term clampNumber(Term x, double low, double high) {
  x = x.with(arith::MaxNumFOp::create(*x.b, x, x.real(low)));
  return x.with(arith::MinNumFOp::create(*x.b, x, x.real(high)));
}

static Term roundEven(Term x) {
  return x.with(math::RoundEvenOp::create(*x.b, x));
}

static Term exp(Term x) { return x.with(MathF64::exp(*x.b, x)); }
static Term expm1(Term x) { return x.with(MathF64::expm1(*x.b, x)); }
static Term log(Term x) { return x.with(MathF64::log(*x.b, x)); }
static Term log1p(Term x) { return x.with(MathF64::log1p(*x.b, x)); }

Value MathF64::exp(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Term near = clampNumber(x, -750, 720);
  Term n = roundEven(near * 1.4426950408889634);
  // ln(2) in two parts: n times the first one is exact.
  Term r = fma(n, -0x1.62e42fefa0000p-1, near);
  return buildExp(x, fma(n, -0x1.cf79abc9e3b3ap-40, r), n);
}

Value MathF64::exp2(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Term near = clampNumber(x, -1080, 1030);
  Term n = roundEven(near);
  return buildExp(x, (near - n) * 0.6931471805599453, n);
}

Value MathF64::expm1(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Term small = fma(sumOfPowers(x, 2) * x, x, x);
  small = select(compare(CmpFPredicate::OEQ, x, 0), x, small);
  return select(compare(CmpFPredicate::OLT, abs(x), 0.35), small, ::exp(x) - 1);
}

/// Its exponent times ln(2), and with s = (m - 1) / (m + 1) of what is left, m
/// in [0.70, 1.42), 2 artanh(s) = 2 (s + s^3/3 + ...).
Value MathF64::log(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Term isSubnormal = compare(CmpFPredicate::OLT, x, 0x1p-1022);
  Term normal = select(isSubnormal, x * 0x1p54, x);
  Term bits = normal.bits();
  Term integer = (bits - bits.integer(0x3fe6a09e667f3bcd)) >> 52;
  Term m = (bits - (integer << 52)).asReal();
  Term exponent = integer.toReal(b.getF64Type());
  exponent = exponent - select(isSubnormal, 54, exponent.real(0));
  // m - 1 is exact, and 2 s = f - s f.
  Term f = m - 1;
  Term s = f / (m + 1), square = s * s;
  SmallVector<double> coefficients;
  for (int64_t k = 11; k > 0; --k)
    coefficients.push_back(2.0 / (2 * k + 1));
  Term series = polynomial(square, coefficients) * square * s;
  Term low = fma(exponent, 0x1.ef35793c76730p-45, series - s * f);
  Term result = fma(exponent, 0x1.62e42fefa3800p-1, f + low);
  return fixLogarithm(x, result);
}

Value MathF64::log2(ImplicitLocOpBuilder &b, Value value) {
  return ::log({&b, value}) * 1.4426950408889634;
}

Value MathF64::log10(ImplicitLocOpBuilder &b, Value value) {
  return ::log({&b, value}) * 0.43429448190325182765;
}

/// ln(u) for u = 1 + x, and what u has lost.
Value MathF64::log1p(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Term u = x + 1, lost = x - (u - 1);
  Term isInside = compare(CmpFPredicate::OGT, u, 0) &&
                  compare(CmpFPredicate::OLT, u, kInfinity);
  Term result = ::log(u) + select(isInside, lost / u, x.real(0));
  return select(compare(CmpFPredicate::OEQ, x, 0), x, result);
}

/// e^t / 2 for t from 22 on, where e^-t does not count.
static Term halfOfPower(Term t) {
  Term root = exp(t * 0.5);
  return (root * 0.5) * root;
}

Value MathF64::sinh(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value}, t = abs(x), e = ::expm1(t);
  Term result = (e + e / (e + 1)) * 0.5;
  result = select(compare(CmpFPredicate::OLT, t, 22), result, halfOfPower(t));
  return copysign(result, x);
}

Value MathF64::cosh(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value}, t = abs(x), e = ::exp(t);
  Term result = (e + e.real(1) / e) * 0.5;
  return select(compare(CmpFPredicate::OLT, t, 22), result, halfOfPower(t));
}

Value MathF64::tanh(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value}, e = ::expm1(abs(x) * -2.0);
  return copysign(-e / (e + 2), x);
}

/// Beyond this 1 does not count beside the square.
static constexpr double kLarge = 0x1p28, kLn2 = 0.69314718055994530942;

Value MathF64::asinh(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value}, t = abs(x), square = t * t;
  Term small = ::log1p(t + square / (sqrt(square + 1) + 1));
  Term result =
      select(compare(CmpFPredicate::OLT, t, kLarge), small, ::log(t) + kLn2);
  return copysign(result, x);
}

Value MathF64::acosh(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value}, t = x - 1;
  Term small = ::log1p(t + sqrt(t * (x + 1)));
  Term result =
      select(compare(CmpFPredicate::ULT, x, kLarge), small, ::log(x) + kLn2);
  return select(compare(CmpFPredicate::OLT, x, 1), kNaN, result);
}

Value MathF64::atanh(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value}, t = abs(x);
  return copysign(::log1p(t * 2.0 / (t.real(1) - t)) * 0.5, x);
}

Value MathF64::cbrt(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value}, t = abs(x);
  Term root = ::exp(::log(t) * (1.0 / 3));
  // A step of Newton's.
  Term square = root * root;
  Term better = root - (root - t / square) * (1.0 / 3);
  Term isInside = compare(CmpFPredicate::OGT, t, 0) &&
                  compare(CmpFPredicate::OLT, t, kInfinity);
  return copysign(select(isInside, better, t), x);
}

/// Of [0, 1]; the relative error is 3e-12: for f32.
static Term atanOfQuotient(Term t) {
  return t * polynomial(t * t, {-0.0002666008689971518, 0.002162787317016779,
                                -0.008241879540745184, 0.019937408843965623,
                                -0.035267684193519104, 0.050455550768122935,
                                -0.06366090893258504, 0.0761424973713067,
                                -0.09076798770161439, 0.11109428348593355,
                                -0.1428559239290015, 0.1999999534032093,
                                -0.333333332624784, 0.9999999999981967});
}

static constexpr double kPi = 3.14159265358979323846;

Value MathF64::atan2(ImplicitLocOpBuilder &b, Value ordinate, Value abscissa) {
  Term y = {&b, ordinate}, x = {&b, abscissa};
  Term height = abs(y), width = abs(x);
  Term isSteep = compare(CmpFPredicate::OGT, height, width);
  Term small = select(isSteep, width, height),
       large = select(isSteep, height, width);
  Term quotient = small / large;
  // 0 / 0, infinity / infinity.
  quotient = select(compare(CmpFPredicate::OEQ, large, 0), 0, quotient);
  quotient = select(compare(CmpFPredicate::OEQ, small, kInfinity), 1, quotient);
  Term angle = atanOfQuotient(quotient);
  angle = select(isSteep, angle.real(kPi / 2) - angle, angle);
  // -0 is on the left.
  Term isLeft = compare(CmpFPredicate::OLT, copysign(x.real(1), x), 0);
  angle = select(isLeft, angle.real(kPi) - angle, angle);
  angle = copysign(angle, y);
  return select(compare(CmpFPredicate::UNO, x, y), kNaN, angle);
}

Value MathF64::atan(ImplicitLocOpBuilder &b, Value value) {
  Term x = {&b, value};
  return atan2(b, x, x.real(1));
}

/// The other side of a triangle of height or width x.
static Term otherSide(Term x) { return sqrt((x.real(1) - x) * (x + 1)); }

Value MathF64::asin(ImplicitLocOpBuilder &b, Value value) {
  Term x = {&b, value};
  return atan2(b, x, otherSide(x));
}

Value MathF64::acos(ImplicitLocOpBuilder &b, Value value) {
  Term x = {&b, value};
  return atan2(b, otherSide(x), x);
}

Value MathF64::rsqrt(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  return x.real(1) / sqrt(x);
}

Value MathF64::pow(ImplicitLocOpBuilder &b, Value base, Value exponent) {
  Term x{&b, base}, y{&b, exponent}, t = abs(x), one = x.real(1);
  Term result = ::exp(y * ::log(t));
  // 1 to an infinite power, and any number to the power of 0.
  Term isNumber = compare(CmpFPredicate::ORD, y, y);
  result = select(compare(CmpFPredicate::OEQ, t, 1) && isNumber, 1, result);
  // Negative numbers: the sign if y is odd, and no number if it is no integer.
  Term isInteger = compare(CmpFPredicate::OEQ, truncate(y), y);
  Term half = y * 0.5;
  Term isOdd = isInteger && compare(CmpFPredicate::ONE, truncate(half), half);
  Term isNegative = compare(CmpFPredicate::OLT, copysign(one, x), 0);
  result = select(isNegative && isOdd, -result, result);
  Term isFinite = compare(CmpFPredicate::OLT, t, kInfinity) &&
                  compare(CmpFPredicate::OLT, x, 0);
  Term isFraction = compare(CmpFPredicate::ONE, truncate(y), y);
  result = select(isFinite && isFraction, kNaN, result);
  result = select(compare(CmpFPredicate::OEQ, x, 1), 1, result);
  return select(compare(CmpFPredicate::OEQ, y, 0), 1, result);
}
