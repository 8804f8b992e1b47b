//===- CumulativeWindows.h - Sums up to a position --------------*- C++ -*-===//
//
// A pattern of step 1 of the normal form.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_CUMULATIVEWINDOWS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_CUMULATIVEWINDOWS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Adds a pattern for an op that reduces windows of a padded tensor, each as
/// long as the tensor: it reduces the tensor, with a condition on positions.
void populateCumulativeWindowsPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_CUMULATIVEWINDOWS_H
