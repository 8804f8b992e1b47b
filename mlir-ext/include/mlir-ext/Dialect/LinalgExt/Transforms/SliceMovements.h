//===- SliceMovements.h - Slices of what is only moved ----------*- C++ -*-===//
//
// A slice of a transposed tensor is a transposed slice.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_SLICEMOVEMENTS_H
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_SLICEMOVEMENTS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Adds a pattern by which slices are taken before elements are transposed or
/// repeated, so that what uses them can read them where they lie:
///
///   %0 = linalg.transpose ins(%a : tensor<4x3x8xf16>)
///                         outs(%b : tensor<3x4x8xf16>) permutation = [1, 0, 2]
///   %1 = tensor.extract_slice %0[2, 0, 0] [1, 4, 8] [1, 1, 1]
///
/// becomes the extract_slice of %a at [0, 2, 0], and the transpose of that.
void populateSliceMovementPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_SLICEMOVEMENTS_H
