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

/// Patterns of `vector-ext-excess-precision`: compute elementwise ops of f16
/// and bf16 in f32.
void populateExcessPrecisionPatterns(RewritePatternSet &patterns);

/// Patterns of `vector-ext-factor-out-of-max`: rewrite a maximum of multiples
/// as a multiple of a maximum.
void populateFactorOutOfMaxPatterns(RewritePatternSet &patterns);

/// Patterns of `vector-ext-fold-exp2`: rewrite `math.exp` of f32 as
/// `math.exp2`.
void populateFoldExp2Patterns(RewritePatternSet &patterns);

/// Patterns of `vector-ext-narrow-comparisons`: compare positions in 32 bits.
void populateNarrowComparisonsPatterns(RewritePatternSet &patterns);

/// Patterns of `vector-ext-split-positions`: split positions into a scalar and
/// constants.
void populateSplitPositionsPatterns(RewritePatternSet &patterns);

/// A pattern that calls `widenContraction` (Contractions.h).
void populateWidenContractionPatterns(RewritePatternSet &patterns);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_PATTERNS_H
