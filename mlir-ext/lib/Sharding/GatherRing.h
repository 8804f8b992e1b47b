//===- GatherRing.h - Gathers that a ring of parts replaces -----*- C++ -*-===//
//
// What PlanGatherRing.cpp finds, and StreamGathers.cpp builds.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_SHARDING_GATHERRING_H
#define MLIR_EXT_LIB_SHARDING_GATHERRING_H

#include "RuntimeCalls.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Interfaces/Repair.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace mlir::linalg_ext {

/// A value with a dimension of which a step has a part.
struct StreamedValue {
  int64_t dim = 0;
  /// Set if the value depends on the state of an online reduction.
  Operation *reduction = nullptr;
  StateDependentValue state;
};

/// What the steps accumulate.
struct RingAccumulator {
  OpResult result;
  /// Whether it is a state of an online reduction. If not, a repair for it if
  /// `reduction` is set.
  bool isState = false;
  Operation *reduction = nullptr;
  StateDependentValue state;
};

/// Gathers that one loop over their parts replaces.
class GatherRing {
public:
  GatherRing(RuntimeCalls &calls, ArrayRef<shard::AllGatherOp> gathers)
      : calls(calls), gathers(gathers) {}

  /// Finds what the steps compute. Emits an error if parts do not suffice.
  LogicalResult plan();
  /// Replaces the gathers. Emits an error if states cannot be combined.
  LogicalResult build();

private:
  LogicalResult planOp(Operation *op);
  LogicalResult planStructured(Operation *op, int64_t loop);
  LogicalResult planOnline(OnlineReductionOpInterface online,
                           ArrayRef<std::optional<int64_t>> dims);
  LogicalResult planReshape(Operation *op);
  LogicalResult planSlice(tensor::ExtractSliceOp op);
  LogicalResult planConcat(tensor::ConcatOp op);
  FailureOr<int64_t> getLoop(Operation *op);

  SmallVector<OpFoldResult> getPartSizes(ImplicitLocOpBuilder &b, Value value,
                                         int64_t dim);
  Value getPart(ImplicitLocOpBuilder &b, Value value, int64_t dim);
  void cloneOp(ImplicitLocOpBuilder &b, Operation *op);
  Value cloneReshape(ImplicitLocOpBuilder &b, Operation *op);
  Value cloneSlice(ImplicitLocOpBuilder &b, tensor::ExtractSliceOp op);
  Value cloneConcat(ImplicitLocOpBuilder &b, tensor::ConcatOp op);
  void cloneStep(ImplicitLocOpBuilder &b, int64_t step, Value index,
                 ValueRange parts);
  FailureOr<SmallVector<Value>> buildSteps(ImplicitLocOpBuilder &b);
  FailureOr<SmallVector<Value>> addInitial(ImplicitLocOpBuilder &b,
                                           SmallVector<Value> accumulated);
  FailureOr<SmallVector<Value>> combine(ImplicitLocOpBuilder &b,
                                        ValueRange accumulated);
  bool isNeutral(const RingAccumulator &accumulator);
  TypedAttr getNeutral(const RingAccumulator &accumulator);

  RuntimeCalls &calls;
  SmallVector<shard::AllGatherOp> gathers;
  /// In order.
  SmallVector<Operation *> ops;
  llvm::DenseMap<Value, StreamedValue> streamed;
  SmallVector<RingAccumulator> accumulators;
  /// What depends on an accumulator, and has to move behind the ring.
  llvm::SetVector<Operation *> after;
  /// The number of processes, and of elements of a part in its dimension.
  int64_t count = 0;
  OpFoldResult partSize;
  bool isStriped = false;
  /// Of the step at hand: values of the whole to values of the part, and the
  /// position of the first element of the part.
  IRMapping local;
  Value partStart;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_SHARDING_GATHERRING_H
