//===- CollapseElementwise.h - Merged dimensions that are reduced -*- C++ -*-===//

#ifndef MLIR_EXT_CODEGEN_COMMON_COLLAPSEELEMENTWISE_H
#define MLIR_EXT_CODEGEN_COMMON_COLLAPSEELEMENTWISE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Returns the elementwise op that computes the source of `reshape`, for
/// `reshape` alone and in the order of its dimensions. Its destination is not
/// read. Returns null if there is none.
linalg::GenericOp getElementwiseSource(tensor::CollapseShapeOp reshape);

/// Adds a pattern that moves a `tensor.collapse_shape` in front of an
/// elementwise op. It applies if a dimension that the reshape merges is reduced
/// afterwards, possibly behind other elementwise ops, and if some operand of the
/// op has all dimensions. Operands that lack a part of the merged dimensions are
/// read by `tensor.extract`, at quotients and remainders of the position:
///
///   %y = linalg.generic .. ins(%s, %r : tensor<42x6x7xf32>, tensor<42x6xf32>)
///   %c = tensor.collapse_shape %y [[0], [1, 2]]   // reduced along 1
///
/// becomes an op on `tensor<42x42xf32>` that extracts `%r[%i, %j floordiv 7]`.
/// The sizes of merged dimensions must be static, but for the outermost of each
/// group.
void populateCollapseElementwisePatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_COLLAPSEELEMENTWISE_H
