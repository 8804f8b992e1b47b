//===- Patterns.h - Patterns of the VectorExt dialect -----------*- C++ -*-===//
//
// Rewrites of vectors before they are distributed; Passes.td describes each.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_PATTERNS_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_PATTERNS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::vector_ext {

/// Those of `vector-ext-excess-precision`: elementwise ops of halves in f32.
void populateExcessPrecisionPatterns(RewritePatternSet &patterns);

/// Those of `vector-ext-factor-out-of-max`: a maximum of multiples as a
/// multiple of a maximum.
void populateFactorOutOfMaxPatterns(RewritePatternSet &patterns);

/// Those of `vector-ext-fold-exp2`: `math.exp` of f32 as `math.exp2`.
void populateFoldExp2Patterns(RewritePatternSet &patterns);

/// Those of `vector-ext-narrow-comparisons`: comparisons of positions in 32
/// bits.
void populateNarrowComparisonsPatterns(RewritePatternSet &patterns);

/// Those of `vector-ext-split-positions`: positions as a scalar and constants.
void populateSplitPositionsPatterns(RewritePatternSet &patterns);

/// `widenContraction` (ContractLayouts.h) of every contraction that it is for.
void populateWidenContractionPatterns(RewritePatternSet &patterns);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_PATTERNS_H
