//===- ConvertI4.h - Unpacked integers of 4 bits to f16 ---------*- C++ -*-===//
//
// What threads of a GPU do with bytes of two integers each.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_CONVERTI4_H
#define MLIR_EXT_TARGET_GPU_CONVERTI4_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace mlir::linalg_ext {

/// ((nibbles of `bytes`) ^ `flip`) - `offset`. Element i is of the byte
/// `order[i]`, shifted by `amounts[i]`, 0 or 4.
struct Nibbles {
  /// Vectors of a multiple of 4 bytes, side by side.
  SmallVector<Value, 1> bytes;

  /// Builds the 4 bytes that have byte `byte`, and begin with a multiple of 4.
  Value buildWord(OpBuilder &b, Location loc, int64_t byte) const;
  SmallVector<int64_t> order, amounts;
  uint64_t flip = 0;
  int64_t offset = 0;
};

/// The integers of 4 bits that `value` is, a vector of i8. They are unpacked
/// from vectors of bytes, a multiple of 4 each.
std::optional<Nibbles> matchNibbles(Value value);

/// Returns whether a shuffle of `conversion`, an op with one result, makes pairs
/// of elements that are not neighbors, and shuffles use each element at most once.
/// Then the elements had better be shuffled as bytes, before they are converted.
bool splitsPairs(Operation *conversion);

/// Adds a pattern that shuffles the operands of additions, subtractions and
/// multiplications in front of them, where `splitsPairs` is true of these. Apply it
/// before those that convert.
void populateShuffleOperandsPatterns(RewritePatternSet &patterns);

/// Adds patterns that convert integers of 4 bits to f16, and with `hasBF16` to
/// bf16. They are unpacked from vectors of bytes, a multiple of 4 each: each
/// integer is a byte, shifted right by 0 or by 4, and masked; signed ones have
/// 8 flipped, and 8 subtracted. There is an even number of integers. The
/// results are exact.
void populateConvertI4Patterns(RewritePatternSet &patterns, bool hasBF16);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_GPU_CONVERTI4_H
