//===- ConvertI4.h - Unpacked integers of 4 bits to f16 ---------*- C++ -*-===//
//
// Conversion of integers of 4 bits, two in a byte, to f16 and bf16 in threads.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_CONVERTI4_H
#define MLIR_EXT_TARGET_GPU_CONVERTI4_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace mlir::linalg_ext {

/// A vector of integers, ((4 bits of `bytes`) ^ `flip`) - `offset`. Element i
/// comes from byte `order[i]`, shifted right by `amounts[i]`, which is 0 or 4.
struct Nibbles {
  /// The bytes, as vectors of bytes or of words of 32 bits, or as words, that
  /// follow each other. Each has a multiple of 4 bytes.
  SmallVector<Value, 1> bytes;

  /// Builds the aligned word of 4 bytes that contains byte number `byte`.
  Value buildWord(OpBuilder &b, Location loc, int64_t byte) const;

  /// Builds a word, as a vector of one i32, that has elements `at` and `at` + 1
  /// in its halves, from bit `place` of each on.
  Value buildHalves(ImplicitLocOpBuilder &b, int64_t at, int64_t &place) const;
  SmallVector<int64_t> order, amounts;
  uint64_t flip = 0;
  int64_t offset = 0;
};

/// Matches `value`, a vector of i8 or i32, as integers of 4 bits that are
/// unpacked from vectors of bytes, each of which has a multiple of 4 bytes, or
/// from words of 32 bits.
std::optional<Nibbles> matchNibbles(Value value);

/// Returns whether shuffles separate pairs of neighbouring elements of the
/// result of `conversion`, an op with one result, and use each element at most
/// once. It is then better to shuffle the bytes before the conversion.
bool splitsPairs(Operation *conversion);

/// Adds a pattern that moves a shuffle before an addition, subtraction or
/// multiplication, to its operands, if `splitsPairs` is true for that op. Apply
/// it before the patterns that convert.
void populateShuffleOperandsPatterns(RewritePatternSet &patterns);

/// Adds patterns that convert an even number of integers of 4 bits to f16, and
/// with `hasBF16` to bf16. The integers are unpacked from vectors of bytes,
/// each of a multiple of 4 bytes: a byte is shifted right by 0 or by 4, and
/// masked. A word of 32 bits is shifted by a multiple of 4. Signed integers are
/// also XORed with 8, and then 8 is subtracted. The results are exact.
void populateConvertI4Patterns(RewritePatternSet &patterns, bool hasBF16);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_GPU_CONVERTI4_H
