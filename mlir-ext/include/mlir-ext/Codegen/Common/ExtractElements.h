//===- ExtractElements.h - Elements of what is computed ---------*- C++ -*-===//
//
// Where few elements of a result are read, no more of it is computed.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_EXTRACTELEMENTS_H
#define MLIR_EXT_CODEGEN_COMMON_EXTRACTELEMENTS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Adds patterns that compute single elements of elementwise results where few
/// of them are read, and that read elements by position as operands:
///
///   %y = linalg.exp ins(%x : tensor<8x512xf32>) ...
///   linalg.generic ins(%label : tensor<8xindex>) ... {
///     %i = linalg.index 0 : index
///     %e = tensor.extract %y[%i, %l]
///
/// becomes math.exp of an element that is extracted from %x there.
void populateExtractElementsPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_EXTRACTELEMENTS_H
