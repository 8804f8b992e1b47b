//===- StageTiles.h - Tiles that instructions read --------------*- C++ -*-===//
//
// Tiles of global memory that asynchronous instructions read from shared
// memory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_STAGETILES_H
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_STAGETILES_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::vector_ext {

/// Returns the instruction of `op` if it is a contraction whose config names
/// an asynchronous one. Returns null otherwise.
const MmaIntrinsic *getAsyncIntrinsic(Operation *op);

/// Returns the instruction of `op` if it is a contraction whose operands a role
/// copies to shared memory: one with an asynchronous instruction, or any one
/// with a config in a kernel whose threads load them (`KernelMark::loaded`).
/// Returns null otherwise.
const MmaIntrinsic *getIntrinsicOfRoles(Operation *op);

/// Returns whether the left operand of `contract`, which has an asynchronous
/// instruction, can be stored to shared memory once, before all iterations of
/// the loops around `contract`: it is computed in an enclosing block.
bool canStoreLeftOnce(vector::ContractionOp contract);

/// Returns the contraction that computes the accumulator of `contract`, if
/// `contract` continues its sums before they are awaited (the mark of
/// `getContinuesAttrName`). Null if it does not.
vector::ContractionOp getContinued(vector::ContractionOp contract);

/// Returns the contraction that continues the sums of `contract` in this way.
/// Null if there is none.
vector::ContractionOp getContinuation(vector::ContractionOp contract);

/// Replaces the reads that feed asynchronous contractions of `launch` by copies
/// of whole tiles to shared memory, as the target has registered them
/// (`TileCopies`). Returns the number of copies. The contractions then read the
/// tiles in place. A tile in a loop has `slots` buffers in shared memory, so
/// that tiles of later iterations are copied during the computation; 0 chooses
/// 1 to 4. At most `copiers` threads share the parts of a tile that has several;
/// 0 chooses, for a kernel whose mark says that it has roles. Refuses, with the
/// IR unchanged, if one of these operands cannot be copied in this way.
FailureOr<int64_t> stageTiles(RewriterBase &rewriter, gpu::LaunchOp launch,
                              int64_t slots, int64_t copiers,
                              linalg_ext::Refusal &refusal);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_STAGETILES_H
