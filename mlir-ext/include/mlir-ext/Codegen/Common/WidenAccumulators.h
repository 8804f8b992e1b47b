//===- WidenAccumulators.h - Sums that round once ---------------*- C++ -*-===//
//
// Products that accumulate in f16 or bf16 accumulate in f32.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_WIDENACCUMULATORS_H
#define MLIR_EXT_CODEGEN_COMMON_WIDENACCUMULATORS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Adds a pattern by which a contraction on tensors whose result is of f16 or
/// bf16 becomes one whose result is of f32, and is rounded afterwards:
///
///   %0 = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x4xf16>)
///                      outs(%c : tensor<4x4xf16>) -> tensor<4x4xf16>
///
/// becomes a linalg.contract with the same operands into a tensor<4x4xf32>, to
/// which %c is extended (a fill is a fill of f32), and a linalg.generic that
/// rounds what it computes. Each element is rounded once, and not for each
/// product: the result is at least as exact.
void populateWidenAccumulatorPatterns(RewritePatternSet &patterns);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_WIDENACCUMULATORS_H
