//===- LoopNest.h - Loops over the dimensions of a structured op *- C++ -*-===//
//
// Private to VectorizeBuffers: loops in blocks that divide nothing.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_LOOPNEST_H
#define MLIR_EXT_LIB_CODEGEN_CPU_LOOPNEST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::linalg_ext {

class LoopNest {
public:
  using Values = SmallVector<Value>;
  using LoopBody = function_ref<Values(ValueRange)>;

  /// Takes the sizes of the dimensions of `op`, on buffers, at the insertion
  /// point of `b`.
  LoopNest(OpBuilder &b, linalg::LinalgOp op);

  /// A loop over dimension `dim`, with the values it carries; none where it is
  /// known to run once or not at all.
  Values emitLoop(unsigned dim, OpFoldResult from, OpFoldResult to,
                  int64_t step, ValueRange carried, LoopBody body);
  /// Along `dim`: blocks of `vectors` vectors of `lanes` lanes, single vectors,
  /// and a masked one.
  Values emitLaneBlocks(
      unsigned dim, int64_t lanes, int64_t vectors, ValueRange carried,
      function_ref<Values(int64_t vectors, Value mask, ValueRange)> body);
  /// Along `dim`, if there is one: blocks of `rows` rows, then one of `rest`
  /// rows, if that is not 0, then single rows.
  void emitRowBlocks(std::optional<unsigned> dim, int64_t rows, int64_t rest,
                     function_ref<void(int64_t rows)> body);
  /// floor(size / step) * step.
  OpFoldResult roundDown(OpFoldResult size, int64_t step);

protected:
  OpBuilder &b;
  linalg::LinalgOp op;
  Location loc;
  SmallVector<OpFoldResult> sizes;
  /// Of the loops around the insertion point; null for a dimension without.
  SmallVector<Value> ivs;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_LOOPNEST_H
