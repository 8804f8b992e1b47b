//===- StopAtNaN.h - The first NaN ends a choice ----------------*- C++ -*-===//
//
// Private to NormalizeSpelling.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_STOPATNAN_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_STOPATNAN_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Gives an arg-max whose maximum becomes NaN, but whose condition never holds
/// for NaN, a flag that says so.
void populateStopAtNaNPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_STOPATNAN_H
