//===- BatchParts.h - The vectors of all parts in one -----------*- C++ -*-===//
//
// Computes the vectors of all parts of a loop at once, on vectors with a
// leading dimension of parts.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_GPU_BATCHPARTS_H
#define MLIR_EXT_LIB_CODEGEN_GPU_BATCHPARTS_H

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::linalg_ext {

/// Builds values of all parts from the values of one part.
class PartBatcher {
public:
  /// `part` is the number of the part in the original code. New ops are built
  /// with `b`.
  PartBatcher(OpBuilder &b, Value part, int64_t numParts)
      : b(b), part(part), numParts(numParts) {}

  /// Returns `value`, a vector or a scalar, for all parts: with a leading
  /// dimension of parts, along which it is broadcast if it does not depend on
  /// the part. Fails, with the reason in `refusal`, if an op has no form for
  /// all parts.
  FailureOr<Value> getOfAll(Value value, Refusal &refusal);

private:
  /// An index of the form `base` + part * `coefficient`.
  struct Linear {
    Value base;
    int64_t coefficient = 0;
  };

  bool dependsOnPart(Value value);
  FailureOr<Linear> getLinear(Value index);
  /// `type`, with a leading dimension of parts.
  VectorType getTypeOfAll(Type type) const;

  /// Builds the result of `op`, which depends on the part, for all parts.
  FailureOr<Value> build(Operation *op, Refusal &refusal);
  FailureOr<Value> buildRead(vector::TransferReadOp op, Refusal &refusal);
  FailureOr<Value> buildGather(vector_ext::TransferGatherOp op,
                               Refusal &refusal);
  FailureOr<Value> buildElementGather(vector::GatherOp op, Refusal &refusal);
  FailureOr<Value> buildExtract(tensor::ExtractOp op, Refusal &refusal);
  FailureOr<Value> buildBroadcast(vector::BroadcastOp op, Refusal &refusal);
  FailureOr<Value> buildTranspose(vector::TransposeOp op, Refusal &refusal);
  FailureOr<Value> buildReduction(vector::MultiDimReductionOp op,
                                  Refusal &refusal);
  FailureOr<Value> buildContraction(vector::ContractionOp op, Refusal &refusal);
  FailureOr<Value> buildElementwise(Operation *op, Refusal &refusal);
  Value buildIndex(Location loc, const Linear &linear);
  /// Sets `refusal`: `op` has no form for all parts.
  static LogicalResult refuse(Operation *op, Refusal &refusal);

  OpBuilder &b;
  Value part;
  int64_t numParts;
  llvm::DenseMap<Value, bool> dependent;
  llvm::DenseMap<Value, Value> batched;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_GPU_BATCHPARTS_H
