//===- Patterns.h - Patterns of the VectorExt dialect -----------*- C++ -*-===//
//
// Rewrites of vectors before they are distributed, and after; Passes.td describes
// each.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMS_PATTERNS_H
#define MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMS_PATTERNS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::vector_ext {

/// `excess-precision` of `vector-ext-simplify`: elementwise ops of halves in f32.
void populateExcessPrecisionPatterns(RewritePatternSet &patterns);

/// `factor-out-of-max` of `vector-ext-simplify`: a maximum of multiples as a
/// multiple of a maximum.
void populateFactorOutOfMaxPatterns(RewritePatternSet &patterns);

/// `fold-exp2` of `vector-ext-simplify`: `math.exp` of f32 as `math.exp2`.
void populateFoldExp2Patterns(RewritePatternSet &patterns);

/// `narrow-comparisons` of `vector-ext-simplify`: comparisons of positions in 32
/// bits.
void populateNarrowComparisonsPatterns(RewritePatternSet &patterns);

/// `split-positions` of `vector-ext-simplify`: positions as a scalar and constants.
void populateSplitPositionsPatterns(RewritePatternSet &patterns);

/// `widenContraction` (ContractLayouts.h) of every contraction that it is for.
void populateWidenContractionPatterns(RewritePatternSet &patterns);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_TRANSFORMS_PATTERNS_H
