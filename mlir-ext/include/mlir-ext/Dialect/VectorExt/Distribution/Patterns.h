//===- Patterns.h - Patterns of the VectorExt dialect -----------*- C++ -*-===//
//
// Rewrites of vectors before or after distribution. Passes.td describes each.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_PATTERNS_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_PATTERNS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::vector_ext {

/// `approximate-exponents` of `vector-ext-simplify`: marks as `afn` functions
/// whose results are only exponents of powers, and powers that are rounded to
/// narrower types.
void populateApproximateExponentsPatterns(RewritePatternSet &patterns);

/// `start-from-bias` of `vector-ext-simplify`: asynchronous products of scores
/// start from a bias.
void populateStartFromBiasPatterns(RewritePatternSet &patterns);

/// `drop-assumes` of `vector-ext-simplify`: replaces `vector_ext.assume` by its
/// operand.
void populateDropAssumesPatterns(RewritePatternSet &patterns);

/// `excess-precision` of `vector-ext-simplify`: compute elementwise ops of f16
/// and bf16 in f32.
void populateExcessPrecisionPatterns(RewritePatternSet &patterns);

/// `factor-out-of-max` of `vector-ext-simplify`: rewrites a maximum of
/// multiples as a multiple of a maximum.
void populateFactorOutOfMaxPatterns(RewritePatternSet &patterns);

/// `factor-out-of-sums` of `vector-ext-simplify`: moves factors of few columns
/// out of contractions.
void populateFactorOutOfSumsPatterns(RewritePatternSet &patterns);

/// `fold-exp2` of `vector-ext-simplify`: rewrites `math.exp` of f32 as
/// `math.exp2`.
void populateFoldExp2Patterns(RewritePatternSet &patterns);

/// `fold-first-factors` of `vector-ext-simplify`: folds the factors of the
/// empty state of an online softmax to 0, where a loop has been peeled.
void populateFoldFirstFactorsPatterns(RewritePatternSet &patterns);

/// `merge-masks` of `vector-ext-simplify`: hides a score once, by one
/// condition.
void populateMergeMasksPatterns(RewritePatternSet &patterns);

/// `narrow-comparisons` of `vector-ext-simplify`: compares positions in 32
/// bits.
void populateNarrowComparisonsPatterns(RewritePatternSet &patterns);

/// `scale-weights` of `vector-ext-simplify`: adds factors of weights that are
/// rounded to their exponents.
void populateScaleWeightsPatterns(RewritePatternSet &patterns);

/// `small-differences` of `vector-ext-simplify`: subtracts zero points from
/// integers of 4 bits as floats.
void populateSmallDifferencesPatterns(RewritePatternSet &patterns);

/// `widen-stores` of `vector-ext-simplify`: merges dimensions of what is
/// unpacked and stored in rows, up to the widest access.
void populateWidenStoresPatterns(RewritePatternSet &patterns);

/// `sum-integers` of `vector-ext-simplify`: multiplies integers of 4 bits as
/// they are, and subtracts zero points behind contractions, or by one fma of
/// two integers.
void populateSumIntegersPatterns(RewritePatternSet &patterns);

/// `split-positions` of `vector-ext-simplify`: splits positions into a scalar
/// and constants.
void populateSplitPositionsPatterns(RewritePatternSet &patterns);

/// A pattern that calls `widenContraction` (Contractions.h).
void populateWidenContractionPatterns(RewritePatternSet &patterns);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_PATTERNS_H
