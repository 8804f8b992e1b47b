//===- SlicePadding.h - Padding that cuts elements off ----------*- C++ -*-===//
//
// A pattern of step 1 of the normal form, a rewrite that comes before it, and
// what says that padding is negative.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_SLICEPADDING_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_SLICEPADDING_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Rewrites padding below `scope` that is negative, or may be negative because
/// it shifts a tensor, as slices and as padding that is not negative. Does not
/// fold ops, because upstream's folder (22.1.8) removes padding that shifts a
/// tensor.
void slicePadding(RewriterBase &rewriter, Operation *scope);

/// Returns whether `op` is known to cut elements off along `dim`: by a negative
/// constant, or because the result has no room for all of the source.
bool hasNegativePadding(tensor::PadOp op, int64_t dim);

/// Rewrites padding by negative constants.
void populateSlicePaddingPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_SLICEPADDING_H
