//===- LoopSchedule.h - Orders of asynchronous products ---------*- C++ -*-===//
//
// What a loop with asynchronous products does, as numbers, and the order in
// which it does it. Knows no IR.
//
// An *asynchronous product* is issued, computed by a queue beside the thread,
// and awaited. Ops of an iteration have a *stage*: 0, or 1 for those that are
// done in the next iteration of the rotated loop. Rotated iteration n performs
// stage 0 of iteration n + 1 and stage 1 of iteration n.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_LOOPSCHEDULE_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_LOOPSCHEDULE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::vector_ext {

/// An op of the body of a loop. Costs are for the whole workgroup.
struct ScheduleOp {
  struct Operand {
    /// The op that computes it, of this iteration (0) or of the one before (1).
    unsigned op;
    unsigned distance = 0;
    /// An asynchronous product reads it from registers until it is awaited.
    bool isInRegisters = false;
    /// It only has to be done before: no value.
    bool isOrder = false;
  };
  SmallVector<Operand, 4> operands;
  /// The op is an asynchronous product.
  bool isProduct = false;
  /// Cycles of the queue of products.
  double product = 0;
  /// Cycles in which threads issue instructions, cycles of the unit of special
  /// functions, and cycles for which threads wait after that.
  double issue = 0, special = 0, latency = 0;
  /// 32-bit registers of a thread for the results.
  double registers = 0;
  /// The results are those of the operands, seen in another way, or computed
  /// from them element by element where they are used: they need no registers of
  /// their own, but those of the operands until then.
  bool isView = false;
  /// The op is done as soon as it can be.
  bool isEager = false;
  /// The op may become a branch, which no product may be open at.
  bool mayBranch = false;
  /// The op follows from no vector of the loop, so that it is done where its
  /// users are.
  bool followsUsers = false;
  /// The result cannot be carried to the next iteration.
  bool isInPlace = false;
};

/// The ops of the body of a loop, each after its operands of distance 0.
struct LoopGraph {
  SmallVector<ScheduleOp, 0> ops;
  /// Groups of threads that each compute a part of the products.
  unsigned numParts = 1;

  SmallVector<unsigned> getProducts() const;
};

/// What a rotated iteration does: perform or issue an op, or wait for one.
struct ScheduleStep {
  bool isAwait;
  unsigned op;
};

/// A schedule of a loop.
struct LoopSchedule {
  /// The stage of each op, 0 or 1.
  SmallVector<unsigned> stages;
  SmallVector<ScheduleStep> steps;
  /// Cycles of an iteration, and registers of a thread for vectors.
  double cycles = 0, registers = 0;

  bool isRotated() const { return llvm::is_contained(stages, 1u); }
  /// Returns the order in words. `getName` names a product.
  std::string str(const LoopGraph &graph,
                  llvm::function_ref<std::string(unsigned)> getName) const;
};

/// Returns the schedule in which the products of `graph` are in the stages
/// `stages`, and are issued in the order `order` (numbers of products). Returns
/// std::nullopt if an op would need what is computed later.
std::optional<LoopSchedule> buildSchedule(const LoopGraph &graph,
                                          ArrayRef<unsigned> stages,
                                          ArrayRef<unsigned> order);

/// Returns the best schedule of each loop of `chain`, all of one form: the one
/// whose iterations take the least time of those that need at most `registers`
/// registers. If times are equal within the accuracy of the model (2 %), it is
/// the one with fewer registers, then the one with fewer stages, then the one
/// with fewer products after a wait. `isPossible` may reject the schedules of a
/// candidate. Returns none if there is no candidate, or if the loops do not have
/// as many products each, or more than 5.
SmallVector<LoopSchedule>
chooseSchedules(ArrayRef<LoopGraph> chain, double registers,
                llvm::function_ref<bool(ArrayRef<LoopSchedule>)> isPossible);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_LOOPSCHEDULE_H
