//===- LoopNest.h - Loops over the dimensions of a structured op *- C++ -*-===//
//
// Private to VectorizeBuffers. Emits loops over blocks of a dimension, and the
// loops for the remainder if the block size does not divide the dimension.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_LOOPNEST_H
#define MLIR_EXT_LIB_CODEGEN_CPU_LOOPNEST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlir::linalg_ext {

/// Emits loops over the iteration dimensions of one structured op.
class LoopNest {
public:
  using Values = SmallVector<Value>;
  using LoopBody = function_ref<Values(ValueRange)>;

  /// Creates the sizes of the dimensions of `op`, which must be on buffers, at
  /// the insertion point of `b`.
  LoopNest(OpBuilder &b, linalg::LinalgOp op);

  /// Emits a loop over dimension `dim`, with `carried` as iter_args. Emits only
  /// the body if the loop provably runs once, and nothing if it provably does
  /// not run. Returns the final values of `carried`.
  Values emitLoop(unsigned dim, OpFoldResult from, OpFoldResult to,
                  int64_t step, ValueRange carried, LoopBody body);
  /// Emits three parts along `dim`: a loop over blocks of `vectors` vectors of
  /// `lanes` lanes, a loop over single vectors, and one masked vector.
  Values emitLaneBlocks(
      unsigned dim, int64_t lanes, int64_t vectors, ValueRange carried,
      function_ref<Values(int64_t vectors, Value mask, ValueRange)> body);
  /// Emits three loops along `dim`: over blocks of `rows` rows, over blocks of
  /// `rest` rows unless `rest` is 0, and over single rows. Without `dim`, emits
  /// the body for one row.
  void emitRowBlocks(std::optional<unsigned> dim, int64_t rows, int64_t rest,
                     function_ref<void(int64_t rows)> body);
  /// Returns floor(size / step) * step.
  OpFoldResult roundDown(OpFoldResult size, int64_t step);

protected:
  OpBuilder &b;
  linalg::LinalgOp op;
  Location loc;
  SmallVector<OpFoldResult> sizes;
  /// Induction variables of the loops around the insertion point, by dimension.
  /// Null for a dimension without a loop.
  SmallVector<Value> ivs;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_LOOPNEST_H
