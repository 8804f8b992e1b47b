//===- FiniteMasks.h - Masks of large negative numbers ----------*- C++ -*-===//
//
// Private to Normalize.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_FINITEMASKS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_FINITEMASKS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Hides scores by -inf rather than by a large negative number, if each row has
/// an element that is not hidden.
void populateFiniteMasksPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_FINITEMASKS_H
