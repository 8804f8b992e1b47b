//===- TieBreaks.h - Comparisons of positions that never hold ---*- C++ -*-===//
//
// Private to NormalizeSpelling.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_TIEBREAKS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_TIEBREAKS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Drops comparisons of a position with an earlier one that a reduction
/// carries.
void populateTieBreakPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_TIEBREAKS_H
