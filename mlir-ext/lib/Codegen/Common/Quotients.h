//===- Quotients.h - Comparisons of quotients of positions ------*- C++ -*-===//
//
// Private to NormalizeSpelling.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_QUOTIENTS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_QUOTIENTS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Adds patterns that divide integers as integers, rounded down, and that
/// compare a position with the start of a chunk instead of two quotients.
void populateQuotientPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_QUOTIENTS_H
