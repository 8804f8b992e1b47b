//===- OrderOfParts.h - The order of the parts of words ---------*- C++ -*-===//
//
// Private to UnpackElements.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_ORDEROFPARTS_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_ORDEROFPARTS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Adds a pattern for elements that are read at a known order of a dimension
/// that merges words and their parts. If the order permutes the parts of each
/// word alike, the elements are read before the dimensions are merged, at a
/// constant order of parts.
void populateOrderOfPartsPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_ORDEROFPARTS_H
