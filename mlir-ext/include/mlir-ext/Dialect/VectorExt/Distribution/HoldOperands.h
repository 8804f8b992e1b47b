//===- HoldOperands.h - Left operands in registers --------------*- C++ -*-===//
//
// Left operands of asynchronous products that threads load once for a loop.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_HOLDOPERANDS_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_HOLDOPERANDS_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

/// Lets threads of persistent roles in `launch` load left operands of
/// asynchronous products that are the same in all iterations of a loop, and
/// whose ring has one slot, and free the slot at once. Returns how many of them
/// they load.
FailureOr<int64_t> holdOperands(RewriterBase &rewriter, gpu::LaunchOp launch,
                                linalg_ext::Refusal &refusal);

/// Returns the tile of a ring that threads load as `value`, in the layout of a
/// product, or null.
RingGetOp getHeld(Value value);

/// Lets the left operand of `contract` stay in registers.
void setUnpromoted(RewriterBase &b, vector::ContractionOp contract);

/// Returns the release of the slot of `get`, if its block has one and no more.
RingReleaseOp getReleaseOf(RingGetOp get);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_HOLDOPERANDS_H
