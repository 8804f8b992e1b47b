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

/// Returns whether the asynchronous instructions of `contract` can read its
/// left operand where it is stored once: it has been computed in a block around
/// that of the contraction, and so before all iterations of loops there.
bool canStoreLeftOnce(vector::ContractionOp contract);

/// Returns the contraction whose sums `contract`, which has the mark of
/// `getContinuesAttrName`, continues before they are awaited. Null if there is
/// none.
vector::ContractionOp getContinued(vector::ContractionOp contract);

/// Returns the contraction that continues the sums of `contract`. Null if there
/// is none.
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
