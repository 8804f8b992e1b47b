//===- TilePayload.h - A structured op on whole tiles -----------*- C++ -*-===//
//
// Private to VectorizeTiles: plans and builds the vector form of one structured
// op, whose operands are given as TileVectors.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_TILEPAYLOAD_H
#define MLIR_EXT_LIB_CODEGEN_GPU_TILEPAYLOAD_H

#include "TileVector.h"

#include <string>

namespace mlir::linalg_ext {

/// How a structured op is vectorised.
struct TilePayloadPlan {
  /// Of the iteration domain.
  TileShape shape;
  /// For each output the op that combines what is reduced, and what it is
  /// combined with; null where nothing is reduced.
  SmallVector<Operation *> combiners;
  SmallVector<Value> combined;
};

/// Plans the vectorisation of `op`, the operands of which have `shapes`. If
/// there is none, says why in `reason`.
FailureOr<TilePayloadPlan> planTilePayload(linalg::LinalgOp op,
                                           ArrayRef<TileShape> shapes,
                                           int64_t maxElements,
                                           std::string &reason);

/// Builds what `op` computes, in front of it. `read` gives an operand as it is
/// in a tensor of `bounds`. Returns one vector for each result, whose dims are
/// those of the result.
SmallVector<TileVector> buildTilePayload(
    OpBuilder &b, linalg::LinalgOp op, const TilePayloadPlan &plan,
    function_ref<TileVector(OpOperand &, ArrayRef<int64_t> bounds)> read);

/// The bounds of `operand` in the iteration domain of `plan`.
SmallVector<int64_t> getOperandBounds(linalg::LinalgOp op, OpOperand &operand,
                                      const TilePayloadPlan &plan);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_TILEPAYLOAD_H
