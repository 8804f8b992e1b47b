//===- Dequantization.h - Operands that are stored narrower -----*- C++ -*-===//
//
// Weights and caches may be stored as integers, or as floats of 8 bits, with
// scales. Recomputing their values for each use costs less than reading the
// values from memory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_DEQUANTIZATION_H
#define MLIR_EXT_CODEGEN_COMMON_DEQUANTIZATION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// The elements of tensors that a payload may read at positions.
enum class ElementReads {
  None,
  OfRows, ///< whose last index is that of the result, as a vector loads them
  Any,
};

/// Returns the elementwise ops that compute `value`, a tensor, from tensors
/// that have fewer bytes in total. The op of `value` comes first, then the ops
/// that compute its operands. Each op is used only by the one before it, and
/// has only arithmetic other than divisions, and reads such single elements of
/// tensors as `reads` allows, such as scales of blocks. Returns an empty list
/// if there are no such ops.
SmallVector<linalg::LinalgOp>
getDequantization(Value value, ElementReads reads = ElementReads::None);

/// Returns whether the payload of `op` is cheap: positions, arithmetic other
/// than divisions, and elements of tensors as `reads` allows.
bool isCheap(linalg::LinalgOp op, ElementReads reads);

/// Returns whether `op` shifts or masks the integers of `operand`: it may
/// unpack several of each.
bool isUnpackedFrom(linalg::LinalgOp op, OpOperand &operand);

/// Returns whether elementwise ops and reshapes compute `value`, a tensor, by
/// shifts from words that have several integers each. These ops may have other
/// users.
bool isUnpacked(Value value);

/// Returns whether the source of `collapse` is dequantized in groups: some
/// tensors that its ops read, such as scales, have one element for all elements
/// of a group, which the innermost merged dimension counts. `collapse` must
/// merge static sizes, into one dimension.
bool isInGroups(tensor::CollapseShapeOp collapse);

/// Returns whether a contraction should read the result of `collapse`, so that
/// the position in a word or in a group is not a dimension of the contraction.
inline bool mergesParts(tensor::CollapseShapeOp collapse) {
  return isUnpacked(collapse.getSrc()) || isInGroups(collapse);
}

/// Adds the patterns of `populateScaleAfterContractionPatterns` (Transforms.h)
/// for scales of narrow elements that at most 16 rows each read, and for sums
/// of at least 32 bits. A scale for a whole tensor, head, row or column is
/// moved out of the sum. A scale for a group of summed elements stays in it.
/// With `ofWeighted`, also moves scales of f8 values that the weights of a
/// softmax multiply.
void populateScaleAfterDequantizationPatterns(RewritePatternSet &patterns,
                                              bool ofWeighted = false);

/// Adds two patterns. One lets contractions that sum in f32 read two operands
/// in the same f8 format, which the program extends first: the contraction then
/// extends them itself, exactly. The other transposes values of f8 that weights
/// of f8 multiply, so that both are contiguous along the reduction. It requires
/// a static number of keys that is a multiple of 16, and at most 128 columns.
void populateMultiplyF8Patterns(RewritePatternSet &patterns);

/// Transposes `values` so that its dimension `k` becomes the last one. `map`,
/// by which a contraction reads `values`, is changed accordingly. Returns the
/// result, or `values` if `k` is the last dimension already.
Value moveToEnd(OpBuilder &b, Location loc, Value values, AffineMap &map,
                unsigned k);

/// Returns the weights of a softmax that `value` consists of, looking through
/// elementwise rounding and extension. Returns null if there are none.
Value getWeights(Value value);

/// Adds a pattern that multiplies the weights of a softmax by 2^8 and rounds
/// them to f8, if they are multiplied with values of f8. The conditions are
/// those of `populateMultiplyF8Patterns`. The result is less exact, so add it
/// only if a user has asked for it.
void populateRoundWeightsPatterns(RewritePatternSet &patterns);

/// Adds a pattern that multiplies the weights of a softmax by 2^12 and rounds
/// them to f16 where a program rounds them to bf16, if there are at most 16 rows
/// and the values are integers of at most 8 bits, or floats of 8 bits, converted
/// to bf16. The values are then converted to f16, which is exact, too, and takes
/// fewer instructions. The result is no less exact for scores below 2^26: weights
/// of less than 2^-37 are lost, and those from 2^-26 on have three bits more.
void populateWeightsInF16Patterns(RewritePatternSet &patterns);

/// Adds a pattern that fuses a dequantization into a contraction that uses each
/// element for at most 8 rows. A named contraction becomes a `linalg.generic`
/// that reads the narrow elements.
void populateFuseDequantizationPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_DEQUANTIZATION_H
