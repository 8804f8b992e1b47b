//===- SumWindows.h - Windows of few elements -------------------*- C++ -*-===//
//
// Private to the normal form.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_SUMWINDOWS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_SUMWINDOWS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Adds a pattern for an op that reduces windows of few elements and is no
/// product of matrices: a depthwise convolution, such as the causal one of
/// Mamba, or a pooling. It becomes an elementwise op of one slice of the tensor
/// for each element of a window.
void populateSumWindowsPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_SUMWINDOWS_H
