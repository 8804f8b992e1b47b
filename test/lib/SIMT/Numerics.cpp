//===- Numerics.cpp - Number formats as words -----------------------------===//
//
// See Numerics.h.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Numerics.h"

#include "mlir/IR/BuiltinTypes.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

std::optional<ScalarFormat> simt::getScalarFormat(Type type) {
  if (isa<Float4E2M1FNType>(type))
    return ScalarFormat{ScalarFormat::F4E2M1FN, 4, 1};
  if (isa<Float8E4M3FNType>(type))
    return ScalarFormat{ScalarFormat::F8E4M3FN, 8, 1};
  if (isa<Float8E5M2Type>(type))
    return ScalarFormat{ScalarFormat::F8E5M2, 8, 1};
  if (isa<Float8E4M3FNUZType>(type))
    return ScalarFormat{ScalarFormat::F8E4M3FNUZ, 8, 1};
  if (isa<Float8E5M2FNUZType>(type))
    return ScalarFormat{ScalarFormat::F8E5M2FNUZ, 8, 1};
  if (isa<Float8E8M0FNUType>(type))
    return ScalarFormat{ScalarFormat::F8E8M0FNU, 8, 1};
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

/// The values of the codes of 0 and more, up to the last one.
static std::vector<double> computeF8(ScalarFormat::Kind kind) {
  std::vector<double> values;
  if (kind == ScalarFormat::F8E8M0FNU) {
    for (int i = 0; i < 255; ++i)
      values.push_back(std::ldexp(1.0, i - 127));
    return values;
  }
  bool isUnsignedZero =
      kind == ScalarFormat::F8E4M3FNUZ || kind == ScalarFormat::F8E5M2FNUZ;
  bool hasThree =
      kind == ScalarFormat::F8E4M3FN || kind == ScalarFormat::F8E4M3FNUZ;
  int fractionBits = hasThree ? 3 : 2;
  int bias = (hasThree ? 7 : 15) + isUnsignedZero;
  int count = isUnsignedZero ? 0x80 : hasThree ? 0x7f : 0x7c;
  for (int code = 0; code < count; ++code) {
    int field = code >> fractionBits, ones = 1 << fractionBits;
    int fraction = code & (ones - 1);
    values.push_back(std::ldexp(field ? fraction + ones : fraction,
                                std::max(field, 1) - bias - fractionBits));
  }
  return values;
}

static const std::vector<double> &getF8(ScalarFormat::Kind kind) {
  static const std::vector<double> tables[] = {
      computeF8(ScalarFormat::F8E4M3FN), computeF8(ScalarFormat::F8E5M2),
      computeF8(ScalarFormat::F8E4M3FNUZ), computeF8(ScalarFormat::F8E5M2FNUZ),
      computeF8(ScalarFormat::F8E8M0FNU)};
  return tables[kind - ScalarFormat::F8E4M3FN];
}

double simt::decodeF8(uint8_t bits, ScalarFormat::Kind kind) {
  const std::vector<double> &values = getF8(kind);
  if (kind == ScalarFormat::F8E8M0FNU)
    return bits == 0xff ? NAN : values[bits];
  unsigned code = bits & 0x7f;
  // Minus 0 is NaN where there is none.
  if (bits == 0x80 && values.size() == 0x80)
    return NAN;
  double value = code < values.size() ? values[code]
                 : kind == ScalarFormat::F8E5M2 && code == 0x7c ? INFINITY
                                                                : NAN;
  return bits & 0x80 ? -value : value;
}

uint8_t simt::encodeF8(double value, ScalarFormat::Kind kind) {
  const std::vector<double> &values = getF8(kind);
  bool isE8M0 = kind == ScalarFormat::F8E8M0FNU;
  bool isUnsignedZero = values.size() == 0x80;
  uint8_t sign = std::signbit(value) && !isE8M0 ? 0x80 : 0;
  if (std::isnan(value))
    return isE8M0 ? 0xff : isUnsignedZero ? 0x80 : 0x7f;
  double magnitude = std::fabs(value);
  // The codes below and above it. Behind the largest number, the next one is
  // where it would be.
  size_t above = std::lower_bound(values.begin(), values.end(), magnitude) -
                 values.begin();
  size_t code = above;
  if (above > 0) {
    size_t count = values.size();
    double high = above < count ? values[above]
                  : isE8M0      ? 2 * values[count - 1]
                                : 2 * values[count - 1] - values[count - 2];
    double middle = values[above - 1] + (high - values[above - 1]) / 2;
    bool goesUp = magnitude > middle ||
                  (magnitude == middle && (isE8M0 || above % 2 == 0));
    code = goesUp ? above : above - 1;
  }
  // The code behind the last number is that of infinity or NaN.
  if (isUnsignedZero && (code == 0 || code == 0x80))
    return static_cast<uint8_t>(code);
  return static_cast<uint8_t>(code) | sign;
}

double simt::decodeF4(uint8_t bits) {
  static const double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return bits & 8 ? -magnitudes[bits & 7] : magnitudes[bits & 7];
}

uint8_t simt::encodeF4(double value) {
  uint8_t sign = std::signbit(value) ? 8 : 0;
  double magnitude = std::fabs(value);
  // Codes are odd where the middle above them is rounded up.
  uint8_t code = 0;
  while (code < 7) {
    double middle = (decodeF4(code) + decodeF4(code + 1)) / 2;
    if (code % 2 == 0 ? magnitude <= middle : magnitude < middle)
      break;
    ++code;
  }
  return sign | code;
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
