//===- MultiplyPositions.h - Products of positions --------------*- C++ -*-===//
//
// Biases that are positions times a number, as products of instructions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_MULTIPLYPOSITIONS_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_MULTIPLYPOSITIONS_H

#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

/// Lets asynchronous products of `launch` that start from positions times a
/// number start from another such product instead, whose right operand is in
/// shared memory. The launch has roles, and rings. Returns the number of these
/// products: 0 if shared memory has no room, or if positions do not grow by the
/// same number from row to row, and from column to column.
FailureOr<int64_t> multiplyPositions(RewriterBase &rewriter,
                                     gpu::LaunchOp launch,
                                     linalg_ext::Refusal &refusal);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_MULTIPLYPOSITIONS_H
