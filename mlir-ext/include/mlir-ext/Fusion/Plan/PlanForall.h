//===- PlanForall.h - Plan one loop nest for a group of ops -----*- C++ -*-===//
//
// Passes that collect a group of ops for one `scf.forall` learn from a plan
// which loops of the root cut each producer. A producer, such as a reduction,
// may exclude loops that it lacks; the group is then planned again.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_PLANFORALL_H
#define MLIR_EXT_FUSION_PLAN_PLANFORALL_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::linalg_ext {

/// A root, and the producers that one `scf.forall` over loops of the root
/// computes with it.
struct ForallGroup {
  /// A group of `root` alone, with loops of the kinds `iterators`. All parallel
  /// loops are cut.
  ForallGroup(Operation *root, ArrayRef<utils::IteratorType> iterators);

  bool contains(Operation *op) const { return loops.contains(op); }
  /// Returns whether the loop `loop` of the root is cut. -1 is not.
  bool isCut(int64_t loop) const { return loop >= 0 && cut.test(loop); }
  /// Removes all ops but the root.
  void clear();

  /// Plans one `scf.forall` over the loops `cut`, with tiles of one element.
  /// `accept` says whether a producer is in it, and adds it to `loops`. It may
  /// remove loops from `cut`: no producer is in the plan from then on.
  /// `yieldProducers` is that of TileAndFuseOptions.
  LogicalResult plan(bool yieldProducers,
                     function_ref<bool(const PlannedProducer &producer)> accept,
                     Refusal &refusal);
  /// Calls `planOnce`, which plans, until it removes no loop from `cut`, or no
  /// loop is left.
  void planUntilStable(function_ref<void()> planOnce);

  /// For each op of the group and each of its loops, the loop of the root whose
  /// tiling cuts it, or -1.
  llvm::MapVector<Operation *, SmallVector<int64_t>> loops;
  /// The loops of the root that are cut.
  llvm::SmallBitVector cut;

private:
  Operation *root;
};

/// The loops of a root that cut the loops of one producer.
struct CutLoops {
  CutLoops(const PlannedProducer &producer, unsigned numLoopsOfRoot);

  /// For each loop of the producer, the first loop of the root that cuts it, or
  /// -1.
  SmallVector<int64_t> mapping;
  /// All loops of the root that cut a loop of the producer.
  llvm::SmallBitVector all;
  /// True if several loops of the root cut one loop of the producer.
  bool isAmbiguous = false;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_PLANFORALL_H
