//===- IntegersOfSums.h - Integers of 4 bits that sums multiply -*- C++ -*-===//
//
// Private to the patterns that move zero points behind sums. They match the
// operands of contractions, and build contractions with others.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_INTEGERSOFSUMS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_INTEGERSOFSUMS_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"

#include <optional>

namespace mlir::vector_ext {

/// An operand of a contraction in front of a reshape, if there is one, and its
/// dimensions that are summed.
struct Summed {
  Value operand;
  llvm::SmallBitVector dims;
};

/// Integers of at most 4 bits, as floats.
struct Integers {
  /// The operand of the conversion. No element is below 0, or above 15.
  Value numbers;
  VectorType type;
  /// What is subtracted from each: a vector that is constant along `dims`, or
  /// null, and a number.
  Value zero;
  double offset = 0;
  llvm::SmallBitVector dims;
};

/// The factor of integers whose products in f16 are subnormal numbers, and what
/// is added to those in bf16, so that their bits are the last ones of a float.
inline constexpr double kOfBF16 = 128, kOfF16 = 0x1p-24;

/// Returns the instruction of `op`, or null if it is no configured sum of f32.
const MmaIntrinsic *getIntrinsicOfSum(vector::ContractionOp op);

/// Says whether threads that compute `op` have registers for another sum: they
/// have few if a workgroup sums in many parts.
bool hasFewParts(vector::ContractionOp op);

/// Says whether a contraction in the same block computes a factor of `op`, or
/// has a factor that `op` computes.
bool isChained(vector::ContractionOp op);

/// Returns the integers of operand `number` of `op`, if few rows use each of
/// them, and what is subtracted from them does not depend on what is summed.
std::optional<Integers> matchFewRowsOfIntegers(vector::ContractionOp op,
                                               unsigned number);

/// Builds the sum that `op` adds, with `operand` in place of its operand
/// `number`, reshaped as that is, and with the accumulator `acc`, or zeros.
Value buildSumOf(RewriterBase &rewriter, vector::ContractionOp op,
                 unsigned number, Value operand, Value acc = nullptr);

/// Builds a constant vector of floats that all are `value`.
Value buildFloats(OpBuilder &b, Location loc, Type type, double value);

/// Builds `integers` as numbers whose bits they are (`kOfBF16`, `kOfF16`).
Value buildBits(OpBuilder &b, Location loc, const Integers &integers);

/// Adds the patterns of `sum-integers` for products in a loop that attends to a
/// cache.
void populateSumIntegersInLoopsPatterns(RewritePatternSet &patterns);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_INTEGERSOFSUMS_H
