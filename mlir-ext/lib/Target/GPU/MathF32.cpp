//===- MathF32.cpp - Expansions of f32 functions --------------------------===//
//
// Each function reduces its argument, without loss of bits, to an interval in
// which a short polynomial is precise enough, and then undoes the reduction
// exactly. Polynomials interpolate at the Chebyshev nodes of the stated
// interval.
//
// Upstream's approximations (populateMathPolynomialApproximationPatterns) lose
// digits far from 0, and flush subnormal numbers.
//
//===----------------------------------------------------------------------===//

#include "Formula.h"
#include "MathFunctions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::formula;

/// The sum of this and a number of f32 below 2^22 has the rounded integer in
/// its low bits.
static constexpr double kRound = 12582912;

/// Builds 2^n for integers n that are exponents of normal numbers of f32.
static Term powerOfTwo(Term n) { return ((n + n.integer(127)) << 23).asReal(); }

//===----------------------------------------------------------------------===//
// Sine and cosine
//===----------------------------------------------------------------------===//

namespace {
/// x = quarter * pi/2 + rest. Only the lowest two bits of the quarter count.
struct Turn {
  Term rest, quarter;
};
} // namespace

/// Reduces |x| < 2^18. The product of the quarter and the first part of pi/2 is
/// so near to x that their difference is exact.
static Turn reduceSmallTurn(Term x) {
  Term rounded = fma(x, 0x1.45f306p-1, x.real(kRound));
  Term number = rounded - kRound;
  Term rest = fma(number, -0x1.921fb6p+0, x);
  rest = fma(number, 0x1.777a5cp-25, rest);
  rest = fma(number, 0x1.ee59dap-50, rest);
  // The sine of -0 is -0.
  rest = select(compare(CmpFPredicate::OEQ, number, 0), x, rest);
  return {rest, rounded.bits()};
}

/// Reduces |x| >= 2^-5. x is an integer of 24 bits times 2^e. Those bits of
/// 2/pi that are before e - 1 give multiples of a whole turn. The 96 bits after
/// them are enough, since no number of f32 is nearer to a quarter than 2^-32.
static Turn reduceLargeTurn(Term x) {
  ImplicitLocOpBuilder &b = *x.b;
  // The bits of 2/pi, after 32 bits in front of its point.
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
  // 1. Find the word in which the 96 bits start, and the bit in it.
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
  // 2. Compute the highest 64 bits of the product modulo 2^96.
  auto getWord = [&](size_t i) {
    Term pair = (window[i] << 32) + window[i + 1];
    Term shifted = pair.with(arith::ShLIOp::create(b, pair, shift));
    return shifted.with(
        arith::ShRUIOp::create(b, shifted, shifted.integer(32)));
  };
  Term low = getWord(2) * fraction;
  low = low.with(arith::ShRUIOp::create(b, low, low.integer(32)));
  Term product = ((getWord(0) * fraction) << 32) + getWord(1) * fraction + low;
  // 3. The highest two bits of the product are the quarter, after rounding.
  Term rounded = product + product.integer(int64_t(1) << 61);
  Term quarter =
      rounded.with(arith::ShRUIOp::create(b, rounded, rounded.integer(62)));
  Term rest = (product - (quarter << 62)).toReal(b.getF64Type()) *
              (1.5707963267948966 * 0x1p-62);
  rest = rest.with(
      arith::TruncFOp::create(b, rest.getTypeOf(b.getF32Type()), rest));
  quarter = quarter.with(
      arith::TruncIOp::create(b, quarter.getTypeOf(b.getI32Type()), quarter));
  // 4. Correct the result for negative numbers, and for infinity and NaN.
  Term isNegative = compare(CmpFPredicate::OLT, x, 0);
  rest = select(isNegative, -rest, rest);
  quarter = select(isNegative, quarter.integer(0) - quarter, quarter);
  rest = select(compare(CmpFPredicate::OLT, abs(x), kInfinity), rest, x - x);
  return {rest, quarter};
}

/// Builds whether any element of `condition` is true.
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
  // This branch is hardly ever taken.
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

/// Builds the sine of r for |r| <= 0.82. The error of the sum after the first
/// term is 4e-11.
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

/// Builds the sine of the turn with `quarter` instead of its own quarter.
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

Value MathF32::tan(ImplicitLocOpBuilder &b, Value value) {
  Term x = {&b, value};
  Turn turn = reduceTurn(x);
  Term sine = sinOfRest(turn.rest), cosine = cosOfRest(turn.rest);
  Term isOdd = isNotZero(turn.quarter & 1);
  Term result = select(isOdd, -cosine, sine) / select(isOdd, sine, cosine);
  // A division instruction may treat subnormal numbers as 0.
  return select(compare(CmpFPredicate::OLT, abs(x), 0x1p-13), x, result);
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
  // ln(2) is split into two parts, so that the product with the first one is
  // exact.
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
  // The power of two is split into two factors, because the result may be
  // subnormal or infinite.
  return (power.rest + 1) * powerOfTwo(half) *
         powerOfTwo(power.exponent - half);
}

Value MathF32::expm1(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Power power = reducePower(clamp(x, -30, 89));
  // Half of the factor is used, because the factor may be 2^128.
  Term half = powerOfTwo(power.exponent - power.exponent.integer(1));
  Term result = fma(half, power.rest, half - 0.5) * 2.0;
  return select(compare(CmpFPredicate::OEQ, x, 0), x, result);
}

//===----------------------------------------------------------------------===//
// Logarithms of f32
//===----------------------------------------------------------------------===//

namespace {
/// ln(x) = exponent * ln(2) + rest. The exponent is an integer, and the rest a
/// number of f32.
struct Logarithm {
  Term exponent, rest;
};
} // namespace

/// Builds ln(1 + f) for f in [-0.25, 0.5]. The error of the sum after the first
/// term is 5e-9.
static Term log1pOfRest(Term f) {
  Term sum = polynomial(f, {0.039442228339169526, -0.092918689158674227,
                            0.11716110954488143, -0.12699308574268127,
                            0.14270462797655825, -0.16656666989744085,
                            0.19999925279919019, -0.25000153208828495,
                            0.33333335766711843, -0.49999999626039005});
  return fma(sum * f, f, f);
}

/// Returns the exponent of `x` for which the remaining factor is in [0.75,
/// 1.5).
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

/// Adds exponent * ln(2), with ln(2) in two parts.
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
  // log10(e) and log10(2) are each split into two parts.
  constexpr double e = 0x1.bcb7b2p-2, two = 0x1.344136p-2;
  Term low = fma(log.exponent, 0.30102999566398119521 - two,
                 log.rest * (0.43429448190325182765 - e));
  return fixLogarithm(x, fma(log.exponent, two, fma(log.rest, e, low)));
}

Value MathF32::log1p(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Term sum = x + 1;
  Term exponent = getExponent(sum);
  // Builds (1 + x) / 2^exponent - 1 from exact terms, with 2^-exponent in two
  // factors.
  Term zero = exponent.integer(0), half = exponent >> 1;
  Term first = powerOfTwo(zero - half), second = powerOfTwo(half - exponent);
  Term rest = fma(x * first, second, first * second - 1);
  Term result = addLn2(exponent.toReal(b.getF32Type()), log1pOfRest(rest));
  result = fixLogarithm(sum, result);
  // If 1 + x rounds to 1, the result is x.
  return select(compare(CmpFPredicate::OLT, abs(x), 0x1p-26), x, result);
}

//===----------------------------------------------------------------------===//
// The error function
//===----------------------------------------------------------------------===//

/// Upstream's has 16 more instructions, most of them to select coefficients.
/// The polynomials are minimax approximations, with errors of 2^-29 of the
/// result.
Value MathF32::erf(ImplicitLocOpBuilder &b, Value value) {
  Term x{&b, value};
  Term size = abs(x);
  // erf(x) / x - 1 by x^2.
  Term small =
      polynomial(size * size,
                 {0x1.496a32p-14, -0x1.a3f7p-11, 0x1.5405b2p-8, -0x1.b7f90ep-6,
                  0x1.ce2cf8p-4, -0x1.81273ep-2, 0x1.06eba8p-3});
  small = fma(size, small, size);
  // log2(1 - erf(x)) by x - 1.
  Term bounded = select(compare(CmpFPredicate::OGT, size, 4), 4, size);
  Term large = polynomial(
      bounded - 1, {0x1.19f32ap-12, -0x1.59ee44p-9, 0x1.d3ccep-7, -0x1.ea82fp-5,
                    -0x1.37637ap+0, -0x1.e75322p+1, -0x1.558eaep+1});
  large = x.real(1) - large.with(math::Exp2Op::create(b, large));
  // For NaN the first form is selected, which stays NaN.
  return copysign(select(compare(CmpFPredicate::ULT, size, 1), small, large),
                  x);
}
