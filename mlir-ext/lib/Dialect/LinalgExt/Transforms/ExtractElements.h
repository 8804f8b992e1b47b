//===- ExtractElements.h - Elements of what is computed ---------*- C++ -*-===//

#ifndef MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_EXTRACTELEMENTS_H
#define MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_EXTRACTELEMENTS_H

namespace mlir {
class RewritePatternSet;

namespace linalg_ext {

/// Patterns that compute single elements of elementwise results where few of
/// them are read, and that read elements by position as operands.
void populateExtractElementsPatterns(RewritePatternSet &patterns);

} // namespace linalg_ext
} // namespace mlir

#endif // MLIR_EXT_LIB_DIALECT_LINALGEXT_TRANSFORMS_EXTRACTELEMENTS_H
