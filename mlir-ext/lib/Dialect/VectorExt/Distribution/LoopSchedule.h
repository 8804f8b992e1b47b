//===- LoopSchedule.h - Orders of asynchronous products ---------*- C++ -*-===//
//
// Describes a loop with asynchronous products by numbers, and finds the order
// of its ops. Knows no IR.
//
// An *asynchronous product* is issued, computed in a queue while the threads
// continue, and awaited. Ops of an iteration have a *stage*: 0, or 1 for those
// that are done in the next iteration of the rotated loop. Rotated iteration n
// performs stage 0 of iteration n + 1 and stage 1 of iteration n.
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
    /// The op that computes it, and the distance of its iteration: 0 for this
    /// one, 1 for the previous one.
    unsigned op;
    unsigned distance = 0;
    /// An asynchronous product reads it from registers until it is awaited.
    bool isInRegisters = false;
    /// The op only has to be done before; it passes no value.
    bool isOrder = false;
    /// Both are products, and the second adds to what the first one leaves in
    /// the same registers. In one iteration it does so without a wait: products
    /// are computed in the order of their issue.
    bool isContinued = false;
  };
  SmallVector<Operand, 4> operands;
  /// Whether the op is an asynchronous product.
  bool isProduct = false;
  /// The cycles for which the op occupies the queue of products.
  double product = 0;
  /// The cycles in which threads issue instructions, the cycles of the special
  /// function unit, and the cycles for which threads wait after that.
  double issue = 0, special = 0, latency = 0;
  /// The 32-bit registers of a thread that the results take.
  double registers = 0;
  /// The results need no registers of their own. They are the operands in
  /// another form, or are computed from them elementwise where they are used.
  /// The registers of the operands are needed until then.
  bool isView = false;
  /// Whether the op is done as early as possible.
  bool isEager = false;
  /// Whether the op may become a branch, at which no product may be open.
  bool mayBranch = false;
  /// Whether the op depends on no vector of the loop, so that it is done where
  /// its users are.
  bool followsUsers = false;
  /// Whether the result cannot be carried to the next iteration.
  bool isInPlace = false;
};

/// The ops of the body of a loop, each after its operands of distance 0.
struct LoopGraph {
  SmallVector<ScheduleOp, 0> ops;
  /// The number of groups of threads, each of which computes a part of the
  /// products.
  unsigned numParts = 1;
  /// The registers of a thread for addresses, loops, and rows.
  double otherRegisters = 0;
  /// The cycles from the issue of a product to its first result, and from its
  /// last result to the end of a wait.
  double productLatency = 0, awaitLatency = 0;

  SmallVector<unsigned> getProducts() const;
};

/// A step of a rotated iteration: performs or issues an op, or waits for one.
struct ScheduleStep {
  bool isAwait;
  unsigned op;
};

/// A schedule of a loop.
struct LoopSchedule {
  /// The stage of each op, 0 or 1.
  SmallVector<unsigned> stages;
  SmallVector<ScheduleStep> steps;
  /// The cycles of an iteration, and the registers of a thread for vectors.
  double cycles = 0, registers = 0;
  /// Whether the groups of threads issue the products of a rotated iteration in
  /// turn.
  bool takesTurns = false;

  bool isRotated() const { return llvm::is_contained(stages, 1u); }
  /// Returns the order in words. `getName` names a product.
  std::string str(const LoopGraph &graph,
                  llvm::function_ref<std::string(unsigned)> getName) const;
};

/// Returns the schedule in which the products of `graph` are in the stages
/// `stages`, and are issued in the order `order` (numbers of products). Returns
/// std::nullopt if an op would need a value that is computed later.
std::optional<LoopSchedule> buildSchedule(const LoopGraph &graph,
                                          ArrayRef<unsigned> stages,
                                          ArrayRef<unsigned> order);

/// Returns true if groups of threads may issue the products of a rotated
/// iteration in turn: there are several, and `schedule` issues all products in a
/// row, with nothing between them that takes time or could be a branch.
bool mayTakeTurns(const LoopGraph &graph, const LoopSchedule &schedule);

/// Returns the best schedule of each loop of `chain`, all of one form. Of those
/// that need at most `registers` registers, it is the one whose iterations take
/// the least time. If times are equal within the accuracy of the model (2 %),
/// it is the one with fewer registers, then the one with fewer stages, then the
/// one with fewer products after a wait. With `prefersRotated`, what is not
/// rotated is taken only where nothing else is possible. `isPossible` may reject
/// the schedules of a candidate. Returns none if there is no candidate, or if
/// the loops do not have as many products each, or more than 5.
SmallVector<LoopSchedule>
chooseSchedules(ArrayRef<LoopGraph> chain, double registers, bool prefersRotated,
                llvm::function_ref<bool(ArrayRef<LoopSchedule>)> isPossible);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_LOOPSCHEDULE_H
