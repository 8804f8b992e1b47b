//===- Dequantization.h - Operands that are stored narrower -----*- C++ -*-===//
//
// Weights and caches are stored as integers, or as floats of 8 bits, with
// scales. What computes their values is cheaper than memory for the values, so
// it may be done again for each use.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_DEQUANTIZATION_H
#define MLIR_EXT_CODEGEN_COMMON_DEQUANTIZATION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Returns the elementwise ops that compute `value`, a tensor, from tensors
/// that take fewer bytes in all: `value`'s op first, then what it reads. Each
/// op has no user but the next one, and only arithmetic other than divisions;
/// with `mayReadElements`, also single elements of tensors, such as scales of
/// blocks of rows and columns. Returns none if there are no such ops.
SmallVector<linalg::LinalgOp> getDequantization(Value value,
                                                bool mayReadElements = false);

/// Returns whether elementwise ops and reshapes compute `value`, a tensor, from
/// words of which each has several integers, by shifts. They may have other
/// users.
bool isUnpacked(Value value);

/// Returns whether the source of `collapse` is dequantized in groups: tensors
/// that its ops read, such as scales, have an element for all of the last
/// elements that it merges. It merges static sizes, to one dimension.
bool isInGroups(tensor::CollapseShapeOp collapse);

/// Returns whether contractions read the result of `collapse`: a position in a
/// word, or in a group, is none of their dimensions.
inline bool mergesParts(tensor::CollapseShapeOp collapse) {
  return isUnpacked(collapse.getSrc()) || isInGroups(collapse);
}

/// The patterns of `populateScaleAfterContractionPatterns` (Transforms.h), for
/// scales of elements that are stored narrower and read by at most 16 rows
/// each, and sums of at least 32 bits. A scale of each tensor, head, row or
/// column leaves the sum, one of each group of what is summed stays. With
/// `ofWeighted`, also scales of f8 that weights of a softmax are multiplied
/// with.
void populateScaleAfterDequantizationPatterns(RewritePatternSet &patterns,
                                              bool ofWeighted = false);

/// Adds a pattern that lets contractions with sums of f32 read two operands in
/// one format of f8, which the program widens first: the contraction widens
/// them itself, exactly. And one that transposes values of f8 that weights of
/// f8 are multiplied with, so that both are contiguous along what is summed, if
/// there are a static multiple of 16 keys, and at most 128 columns.
void populateMultiplyF8Patterns(RewritePatternSet &patterns);

/// Transposes `values`, which a contraction reads by `map`, such that its
/// dimension `k` comes last, and changes `map` accordingly. Returns the result,
/// or `values` if there is nothing to move.
Value moveToEnd(OpBuilder &b, Location loc, Value values, AffineMap &map,
                unsigned k);

/// Returns the weights of a softmax that `value` is, or that it only rounds or
/// widens element by element. Null if there are none.
Value getWeights(Value value);

/// Adds a pattern that rounds weights of a softmax to f8, times 2^8, if they
/// are multiplied with values of f8, under the same conditions. Add it only if
/// a user has asked for it.
void populateRoundWeightsPatterns(RewritePatternSet &patterns);

/// Fuses a dequantization into a contraction that reads each element for at
/// most 8 rows. The contraction becomes a `linalg.generic`, if it is none, that
/// reads the narrow elements.
void populateFuseDequantizationPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_DEQUANTIZATION_H
