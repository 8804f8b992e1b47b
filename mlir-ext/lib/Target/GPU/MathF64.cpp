//===- MathF64.cpp - Expansions of f64 functions --------------------------===//
//
// Functions of f64. Rarely used functions of f32 use them too, because plain
// formulas in f64 are precise enough for f32. Data-centre GPUs multiply f64 at
// half of the rate of f32. Polynomials are Taylor polynomials, or interpolate
// at the Chebyshev nodes of the stated interval.
//
//===----------------------------------------------------------------------===//

#include "Formula.h"
#include "MathFunctions.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::formula;

/// Builds 2^n in f64 for integers n that are exponents of normal numbers.
static Term powerOfTwoF64(Term n) {
  Term integer =
      n.with(arith::FPToSIOp::create(*n.b, n.getTypeOf(n.b->getI64Type()), n));
  return ((integer + integer.integer(1023)) << 52).asReal();
}

/// Builds the sum of r^k / k! for k from `first` to 13, divided by r^first. The
/// error is 4e-18 for |r| <= ln(2)/2.
static Term sumOfPowers(Term r, int64_t first) {
  double factorial = 6227020800.0; // 13!
  SmallVector<double> coefficients;
  for (int64_t k = 13; k >= first; --k) {
    coefficients.push_back(1 / factorial);
    factorial /= std::max<int64_t>(k, 1);
  }
  return polynomial(r, coefficients);
}

/// Builds e^r 2^n, with 2^n in two factors for subnormal results. x = r + n
/// ln(2) decides whether the result is NaN.
static Term buildExp(Term x, Term r, Term n) {
  Term half = x.with(math::FloorOp::create(*x.b, n * 0.5));
  Term sum = sumOfPowers(r, 0) * powerOfTwoF64(half) * powerOfTwoF64(n - half);
  return select(compare(CmpFPredicate::UNO, x, x), x, sum);
}

/// Clamps `x` to the range outside of which results are 0 or infinite.
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
  // ln(2) is split into two parts, so that n times the first one is exact.
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

/// Builds the exponent times ln(2), plus the logarithm of the remaining factor
/// m in [0.70, 1.42). With s = (m - 1) / (m + 1), this is 2 artanh(s) = 2 (s +
/// s^3/3 + ...).
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

/// Builds ln(u) for u = 1 + x, and adds what u has lost by rounding.
Value MathF64::log1p(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Term u = x + 1, lost = x - (u - 1);
  Term isInside = compare(CmpFPredicate::OGT, u, 0) &&
                  compare(CmpFPredicate::OLT, u, kInfinity);
  Term result = ::log(u) + select(isInside, lost / u, x.real(0));
  return select(compare(CmpFPredicate::OEQ, x, 0), x, result);
}

/// Builds e^t / 2 for t >= 22, where e^-t is negligible.
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

/// Above kLarge, 1 is negligible beside the square.
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
  // This is one step of Newton's method.
  Term square = root * root;
  Term better = root - (root - t / square) * (1.0 / 3);
  Term isInside = compare(CmpFPredicate::OGT, t, 0) &&
                  compare(CmpFPredicate::OLT, t, kInfinity);
  return copysign(select(isInside, better, t), x);
}

/// Builds atan(t) for t in [0, 1]. The relative error of 3e-12 is enough for
/// f32.
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
  // This covers 0 / 0 and infinity / infinity.
  quotient = select(compare(CmpFPredicate::OEQ, large, 0), 0, quotient);
  quotient = select(compare(CmpFPredicate::OEQ, small, kInfinity), 1, quotient);
  Term angle = atanOfQuotient(quotient);
  angle = select(isSteep, angle.real(kPi / 2) - angle, angle);
  // -0 counts as left of the axis.
  Term isLeft = compare(CmpFPredicate::OLT, copysign(x.real(1), x), 0);
  angle = select(isLeft, angle.real(kPi) - angle, angle);
  angle = copysign(angle, y);
  return select(compare(CmpFPredicate::UNO, x, y), kNaN, angle);
}

Value MathF64::atan(ImplicitLocOpBuilder &b, Value value) {
  Term x = {&b, value};
  return atan2(b, x, x.real(1));
}

/// Builds the other side of a right triangle with the hypotenuse 1 and the side
/// x.
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
  // The result is 1 for 1 to an infinite power, and for any number to the power
  // of 0.
  Term isNumber = compare(CmpFPredicate::ORD, y, y);
  result = select(compare(CmpFPredicate::OEQ, t, 1) && isNumber, 1, result);
  // For negative x, the result has a sign if y is odd, and is NaN if y is no
  // integer.
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
