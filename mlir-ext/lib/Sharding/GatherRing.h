//===- GatherRing.h - Gathers that a ring of parts replaces -----*- C++ -*-===//
//
// The gathers that a ring of parts replaces. PlanGatherRing.cpp finds what the
// steps compute, and StreamGathers.cpp builds them.
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

/// A value with a dimension of which each step has one part.
struct StreamedValue {
  int64_t dim = 0;
  /// The online reduction on whose state the value depends, or null.
  Operation *reduction = nullptr;
  StateDependentValue state;
};

/// A value that the steps accumulate.
struct RingAccumulator {
  OpResult result;
  /// Whether it is a state of an online reduction. Otherwise it is repaired if
  /// `reduction` is set.
  bool isState = false;
  Operation *reduction = nullptr;
  StateDependentValue state;
};

/// Gathers that are replaced by one loop over their parts.
class GatherRing {
public:
  GatherRing(RuntimeCalls &calls, ArrayRef<shard::AllGatherOp> gathers)
      : calls(calls), gathers(gathers) {}

  /// Finds what the steps compute. Emits an error if a step needs more than a
  /// part.
  LogicalResult plan();
  /// Replaces the gathers. Emits an error if states cannot be combined.
  LogicalResult build();
  /// Returns whether a step of this ring reads what `other` computes.
  bool readsResultsOf(const GatherRing &other) const {
    return llvm::any_of(
        ops, [&](Operation *op) { return other.after.contains(op); });
  }
  InFlightDiagnostic emitOpError() const {
    shard::AllGatherOp first = gathers.front();
    return first.emitOpError();
  }

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
                                        ValueRange accumulated,
                                        bool areInitial = false);
  bool isNeutral(const RingAccumulator &accumulator);
  TypedAttr getNeutral(const RingAccumulator &accumulator);

  RuntimeCalls &calls;
  SmallVector<shard::AllGatherOp> gathers;
  /// The ops that the steps compute, in program order.
  SmallVector<Operation *> ops;
  llvm::DenseMap<Value, StreamedValue> streamed;
  SmallVector<RingAccumulator> accumulators;
  /// The ops that depend on an accumulator and must move after the ring.
  llvm::SetVector<Operation *> after;
  /// The number of processes, and the number of elements of a part in its
  /// dimension.
  int64_t count = 0;
  OpFoldResult partSize;
  bool isStriped = false;
  /// For the current step: the part of each value, and the position of the
  /// first element of the part.
  IRMapping local;
  Value partStart;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_SHARDING_GATHERRING_H
