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
  enum Kind { Int, F16, BF16, F32, F64 } kind = Int;
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
