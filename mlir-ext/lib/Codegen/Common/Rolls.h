//===- Rolls.h - Concatenations of two slices of a tensor -------*- C++ -*-===//
//
// Private to NormalizeSpelling.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_ROLLS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_ROLLS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Reads a tensor that is rolled along dimensions by one op.
void populateRollsPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_ROLLS_H
