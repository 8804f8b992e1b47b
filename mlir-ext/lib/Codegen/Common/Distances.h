//===- Distances.h - Comparisons of distances of positions ------*- C++ -*-===//
//
// Private to NormalizeSpelling.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_DISTANCES_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_DISTANCES_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Adds a pattern that compares both operands of a maximum or minimum of
/// positions, such as a distance, instead of the result.
void populateDistancePatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_DISTANCES_H
