//===- WidenAccumulators.h - Accumulation in f32 ----------------*- C++ -*-===//
//
// Lets contractions and other sums with a result of f16 or bf16 accumulate in
// f32, so that each element of the result is rounded only once.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_WIDENACCUMULATORS_H
#define MLIR_EXT_CODEGEN_COMMON_WIDENACCUMULATORS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Converts the elements of `value`, a ranked tensor of floats, to `element`, a
/// wider or a narrower float, by an elementwise op.
linalg::GenericOp convertElements(OpBuilder &b, Location loc, Value value,
                                  Type element);

/// Adds patterns for contractions and other sums on tensors with a result of
/// f16 or bf16. They get a result of f32, and an elementwise op rounds it:
///
///   %0 = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x4xf16>)
///                      outs(%c : tensor<4x4xf16>) -> tensor<4x4xf16>
///
/// becomes a linalg.contract with the same inputs and an output of
/// tensor<4x4xf32>, and a linalg.generic that rounds the result to f16. The
/// output is %c, extended to f32. If %c is a linalg.fill, the output is a
/// linalg.fill of f32. Each element is rounded once instead of once for each
/// product, so the result is at least as exact. Another sum stays a
/// linalg.generic.
void populateWidenAccumulatorPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_WIDENACCUMULATORS_H
