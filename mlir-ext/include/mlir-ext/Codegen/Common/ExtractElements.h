//===- ExtractElements.h - Single elements of results -----------*- C++ -*-===//
//
// If a program reads only a few elements of a tensor (for example one logit per
// row in a loss), these patterns compute only those elements.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_EXTRACTELEMENTS_H
#define MLIR_EXT_CODEGEN_COMMON_EXTRACTELEMENTS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Adds two kinds of patterns. The first kind computes an element that
/// `tensor.extract` reads of an elementwise result in place, if few elements of
/// this result are read. The second kind replaces a `tensor.extract` at the
/// position of the iteration by an operand of the op. Example of the first:
///
///   %y = linalg.exp ins(%x : tensor<8x512xf32>) ...
///   linalg.generic ins(%label : tensor<8xindex>) ... {
///     %i = linalg.index 0 : index
///     %e = tensor.extract %y[%i, %l]
///
/// becomes a math.exp of the element of %x at [%i, %l].
void populateExtractElementsPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_EXTRACTELEMENTS_H
