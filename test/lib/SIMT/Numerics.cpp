//===- Numerics.cpp - Number formats as words -----------------------------===//
//
// See Numerics.h.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Numerics.h"

#include "mlir/IR/BuiltinTypes.h"

#include <cmath>
#include <vector>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

std::optional<ScalarFormat> simt::getScalarFormat(Type type) {
  if (type.isF16())
    return ScalarFormat{ScalarFormat::F16, 16, 2};
  if (type.isBF16())
    return ScalarFormat{ScalarFormat::BF16, 16, 2};
  if (type.isF32())
    return ScalarFormat{ScalarFormat::F32, 32, 4};
  if (type.isF64())
    return ScalarFormat{ScalarFormat::F64, 64, 8};
  if (type.isIndex())
    return ScalarFormat{ScalarFormat::Int, 64, 8};
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() == 0 || integer.getWidth() > 64)
    return std::nullopt;
  unsigned bytes = 1;
  while (bytes * 8 < integer.getWidth())
    bytes *= 2;
  return ScalarFormat{ScalarFormat::Int, integer.getWidth(), bytes};
}

/// Rounds a double to a format of `mantissa` stored bits and the exponents of
/// [minExponent, maxExponent], and returns its bits without the sign.
static uint16_t encode16(double value, int mantissa, int minExponent,
                         int maxExponent) {
  int exponentBits = 15 - mantissa;
  uint16_t infinity =
      static_cast<uint16_t>(((1 << exponentBits) - 1) << mantissa);
  if (std::isnan(value))
    return infinity | static_cast<uint16_t>(1 << (mantissa - 1));
  if (std::isinf(value))
    return infinity;
  if (value == 0)
    return 0;
  int exponent = std::max(std::ilogb(value), minExponent);
  // In units of the last place; nearbyint rounds to even.
  double units = std::nearbyint(std::ldexp(value, mantissa - exponent));
  int64_t significand = static_cast<int64_t>(units);
  if (significand >> (mantissa + 1)) {
    significand >>= 1;
    ++exponent;
  }
  if (exponent > maxExponent)
    return infinity;
  // A subnormal has no hidden bit, and the exponent field 0.
  int64_t field = significand >> mantissa ? exponent - minExponent + 1 : 0;
  return static_cast<uint16_t>((field << mantissa) |
                               (significand & ((1 << mantissa) - 1)));
}

uint16_t simt::encodeF16(double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  return sign | encode16(std::fabs(value), 10, -14, 15);
}

uint16_t simt::encodeBF16(double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  return sign | encode16(std::fabs(value), 7, -126, 127);
}

static float computeF16(uint16_t bits) {
  int field = (bits >> 10) & 31, fraction = bits & 1023;
  float magnitude;
  if (field == 31)
    magnitude = fraction ? std::nanf("") : INFINITY;
  else if (field == 0)
    magnitude = std::ldexp(static_cast<float>(fraction), -24);
  else
    magnitude = std::ldexp(static_cast<float>(fraction + 1024), field - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

float simt::decodeF16(uint16_t bits) {
  static const std::vector<float> table = [] {
    std::vector<float> values(1 << 16);
    for (int i = 0; i < 1 << 16; ++i)
      values[i] = computeF16(static_cast<uint16_t>(i));
    return values;
  }();
  return table[bits];
}

uint64_t simt::fusedMultiplyAdd(uint64_t a, uint64_t b, uint64_t c,
                                ScalarFormat::Kind kind) {
  double x = decode(a, kind), y = decode(b, kind), z = decode(c, kind);
  if (kind == ScalarFormat::F64)
    return encode(std::fma(x, y, z), kind);
  if (kind == ScalarFormat::F32)
    return encode(std::fma(static_cast<float>(x), static_cast<float>(y),
                           static_cast<float>(z)),
                  kind);
  // The product of two 16-bit numbers is exact in double; the sum is rounded to
  // odd, so that rounding it once more is as good as rounding once.
  double product = x * y;
  double sum = product + z;
  if (std::isfinite(sum)) {
    double part = sum - product;
    double error = (product - (sum - part)) + (z - part);
    uint64_t bits = encode(sum, ScalarFormat::F64);
    if (error != 0 && !(bits & 1))
      sum = std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
  }
  return encode(sum, kind);
}
