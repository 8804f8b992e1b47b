//===- RotatedLoop.h - A loop whose products are ordered --------*- C++ -*-===//
//
// Private to RotateLoops. A loop with asynchronous products as a graph
// (RotatedLoop.cpp), and the loops that a schedule makes of it
// (ExpandLoops.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_ROTATEDLOOP_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_ROTATEDLOOP_H

#include "LoopSchedule.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Support/Refusal.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mlir::vector_ext {

/// A loop, and the ops of its body by number.
struct RotatedLoop {
  /// (Accessors of ops are not const.)
  mutable scf::ForOp op;
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> numbers;
  LoopGraph graph;
  /// The number of threads that compute the products.
  int64_t numThreads = 1;

  /// Counts the threads that compute `contract`, and their parts.
  void addThreads(vector::ContractionOp contract);

  /// Returns the op of the body that computes `value`, or contains the op that
  /// does.
  std::optional<unsigned> lookup(Value value) const {
    Operation *producer = value.getDefiningOp();
    producer =
        producer ? op.getBody()->findAncestorOpInBlock(*producer) : nullptr;
    if (!producer)
      return std::nullopt;
    auto it = numbers.find(producer);
    return it == numbers.end() ? std::nullopt
                               : std::optional<unsigned>(it->second);
  }
  /// Returns the number of `value` among the values that the loop carries.
  std::optional<unsigned> getCarried(Value value) const {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != op.getBody() ||
        argument == op.getInductionVar())
      return std::nullopt;
    return argument.getArgNumber() - op.getNumInductionVars();
  }
};

/// Returns the values that `op`, and the ops in its regions, use from outside
/// of it.
SmallVector<Value> getAllOperands(Operation *op);

/// Returns whether `op` is a contraction that an asynchronous instruction
/// computes.
bool isAsyncProduct(Operation *op);

/// Builds the graph of `loop`, of which only `op` is set. Fails if an op of the
/// body cannot be moved to another iteration.
LogicalResult buildGraph(RotatedLoop &loop, const linalg_ext::GPUTarget &target,
                         linalg_ext::Refusal &refusal);

/// The values that the rotated form of a loop carries.
struct CarriedState {
  /// The results of the loop that stage 0 computes, and those that stage 1
  /// computes and needs again.
  SmallVector<unsigned> early, late;
  /// The values of the original iteration that stage 0 has and stage 1 needs.
  SmallVector<Value> values;

  size_t size() const { return early.size() + late.size() + values.size(); }
};

/// Returns the values that the rotated form of `loop` carries.
CarriedState getCarriedState(RotatedLoop &loop, const LoopSchedule &schedule);

/// Returns the values that `loop` carries, in the order of those of `first`,
/// whose state is `state`. Fails if their stages 1 are not alike.
FailureOr<CarriedState> matchCarriedState(RotatedLoop &first,
                                          const LoopSchedule &ofFirst,
                                          const CarriedState &state,
                                          RotatedLoop &loop,
                                          const LoopSchedule &schedule);

/// Replaces the loops of `chain` by their rotated form.
void expandChain(RewriterBase &b, MutableArrayRef<RotatedLoop> chain,
                 ArrayRef<LoopSchedule> schedules,
                 ArrayRef<CarriedState> states);

/// Orders the body of a loop whose ops are all in one stage.
void reorder(RewriterBase &b, RotatedLoop &loop, const LoopSchedule &schedule);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_ROTATEDLOOP_H
