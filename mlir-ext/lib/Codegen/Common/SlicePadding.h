//===- SlicePadding.h - Padding that cuts elements off ----------*- C++ -*-===//
//
// A pattern of step 1 of the normal form, a rewrite that comes before it, and
// what says that padding is not negative.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_COMMON_SLICEPADDING_H
#define MLIR_EXT_LIB_CODEGEN_COMMON_SLICEPADDING_H

#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::linalg_ext {

/// Rewrites padding below `scope` that is negative, or not known to be at least
/// 0, as slices and as padding that is not negative. Does not fold ops, because
/// upstream's folder (22.1.8) removes padding that shifts a tensor.
void slicePadding(RewriterBase &rewriter, Operation *scope);

/// Returns whether `op` provably cuts off nothing along `dim`.
bool isNonNegativePadding(tensor::PadOp op, int64_t dim,
                          IndexAnalysis &analysis);

/// Replaces `op` by padding of a slice of its source, along the dimensions
/// where its numbers are not known to be at least 0. Returns `op` itself if
/// there are none. The padding keeps the positions that its region computes
/// with.
tensor::PadOp clipPadding(RewriterBase &rewriter, tensor::PadOp op);

/// Rewrites padding by negative constants.
void populateSlicePaddingPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_COMMON_SLICEPADDING_H
