//===- Numerics.h - Number formats as words ---------------------*- C++ -*-===//
//
// The interpreter represents a scalar as a 64-bit word: the bits of the number
// in its format, zero extended. Floating-point arithmetic decodes the words,
// computes in float (for f16, bf16, f32) or double (for f64), and rounds to the
// format, ties to even. For the 16-bit formats, sums, products, quotients and
// square roots are correctly rounded, because float has at least two bits more
// than twice their precision.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TEST_LIB_SIMT_NUMERICS_H
#define LINALG_EXT_TEST_LIB_SIMT_NUMERICS_H

#include "mlir/IR/Types.h"

#include <cstdint>
#include <cstring>
#include <optional>

namespace mlir::linalg_ext::simt {

/// The format of a scalar. An index is an integer of 64 bits.
struct ScalarFormat {
  enum Kind {
    Int,
    F4E2M1FN,
    F8E4M3FN,
    F8E5M2,
    F8E4M3FNUZ,
    F8E5M2FNUZ,
    F8E8M0FNU,
    F16,
    BF16,
    F32,
    F64
  } kind = Int;
  unsigned bits = 64;
  /// Size of an element in memory. An i1 takes one byte.
  unsigned bytes = 8;

  bool isFloat() const { return kind != Int; }
  uint64_t mask() const { return bits == 64 ? ~0ull : (1ull << bits) - 1; }
};

/// Returns the format of an integer (up to 64 bits), index or floating-point
/// type, or std::nullopt if the interpreter does not support the type.
std::optional<ScalarFormat> getScalarFormat(Type type);

inline int64_t signExtend(uint64_t word, unsigned bits) {
  return static_cast<int64_t>(word << (64 - bits)) >> (64 - bits);
}

/// Floats of 8 bits: `kind` is one of their kinds. Numbers that are too large
/// become infinity, or NaN where there is none. f8E8M0FNU has powers of two, of
/// which the larger one is taken in the middle, and |value| is rounded.
uint8_t encodeF8(double value, ScalarFormat::Kind kind);
double decodeF8(uint8_t bits, ScalarFormat::Kind kind);
/// The same for f4E2M1FN. What is too large, or NaN, becomes the largest
/// number.
uint8_t encodeF4(double value);
double decodeF4(uint8_t bits);
inline bool isF8(ScalarFormat::Kind kind) {
  return kind >= ScalarFormat::F8E4M3FN && kind <= ScalarFormat::F8E8M0FNU;
}

/// Returns the bits of an f16 or bf16 number, rounded once from a double.
uint16_t encodeF16(double value);
uint16_t encodeBF16(double value);
float decodeF16(uint16_t bits);
inline float decodeBF16(uint16_t bits) {
  uint32_t word = static_cast<uint32_t>(bits) << 16;
  float result;
  std::memcpy(&result, &word, sizeof(result));
  return result;
}

inline double decode(uint64_t word, ScalarFormat::Kind kind) {
  switch (kind) {
  case ScalarFormat::F4E2M1FN:
    return decodeF4(static_cast<uint8_t>(word));
  case ScalarFormat::F8E4M3FN:
  case ScalarFormat::F8E5M2:
  case ScalarFormat::F8E4M3FNUZ:
  case ScalarFormat::F8E5M2FNUZ:
  case ScalarFormat::F8E8M0FNU:
    return decodeF8(static_cast<uint8_t>(word), kind);
  case ScalarFormat::F16:
    return decodeF16(static_cast<uint16_t>(word));
  case ScalarFormat::BF16:
    return decodeBF16(static_cast<uint16_t>(word));
  case ScalarFormat::F32: {
    uint32_t bits = static_cast<uint32_t>(word);
    float result;
    std::memcpy(&result, &bits, sizeof(result));
    return result;
  }
  default: {
    double result;
    std::memcpy(&result, &word, sizeof(result));
    return result;
  }
  }
}

inline uint64_t encode(double value, ScalarFormat::Kind kind) {
  switch (kind) {
  case ScalarFormat::F4E2M1FN:
    return encodeF4(value);
  case ScalarFormat::F8E4M3FN:
  case ScalarFormat::F8E5M2:
  case ScalarFormat::F8E4M3FNUZ:
  case ScalarFormat::F8E5M2FNUZ:
  case ScalarFormat::F8E8M0FNU:
    return encodeF8(value, kind);
  case ScalarFormat::F16:
    return encodeF16(value);
  case ScalarFormat::BF16:
    return encodeBF16(value);
  case ScalarFormat::F32: {
    float number = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &number, sizeof(bits));
    return bits;
  }
  default: {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
  }
  }
}

/// Returns a * b + c, rounded once to the format `kind`.
uint64_t fusedMultiplyAdd(uint64_t a, uint64_t b, uint64_t c,
                          ScalarFormat::Kind kind);

} // namespace mlir::linalg_ext::simt

#endif // LINALG_EXT_TEST_LIB_SIMT_NUMERICS_H
