//===- SlicePadding.h - Padding that cuts elements off ----------*- C++ -*-===//
//
// A pattern of the first step of the normal form, what comes before it, and
// what says that padding is negative.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_SLICEPADDING_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_SLICEPADDING_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Rewrites all padding below `scope` that is negative, or may be where it
/// shifts a tensor, as slices and as padding that is not. Folds no op:
/// upstream's fold (22.1.8) takes padding that shifts a tensor for none.
void slicePadding(RewriterBase &rewriter, Operation *scope);

/// Returns whether `op` is known to cut elements off along `dim`: by a negative
/// constant, or because the result has no room for all of the source.
bool hasNegativePadding(tensor::PadOp op, int64_t dim);

/// Rewrites padding by negative constants.
void populateSlicePaddingPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_SLICEPADDING_H
