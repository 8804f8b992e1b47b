//===- PlanSiblings.h - Accumulations beside the root -----------*- C++ -*-===//
//
// Several ops may accumulate what one online reduction yields: two products
// with a softmax, a product and a sum. In loops of their own each of them would
// compute the online reduction again, or take it as a whole. One of them is the
// root; the others, its siblings, are accumulated in the same loops, in which
// they are repaired as the root is.
//
// A sibling is planned like a producer of the root that the loops leave. That
// nothing in them reads it makes two differences: its tile is where the tile is
// that it and the root accumulate (SiblingTiles.h), not where somebody takes a
// slice of it, and what it lacks in the loops may be supplied behind them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_PLANSIBLINGS_H
#define MLIR_EXT_FUSION_PLAN_PLANSIBLINGS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::linalg_ext {

/// Returns the ops that may become siblings of the root of `plan`, in program
/// order: they accumulate tiles of online reductions that the plan fuses, or
/// what is computed from these elementwise, and neither need the root nor are
/// needed by it.
SmallVector<Operation *> findSiblings(const FusionPlan &plan);

/// Why `op` cannot be computed in front of the root of `plan`, or not beside
/// `others`, which are siblings; empty if it can.
std::string getObstacleOfSibling(const FusionPlan &plan, Operation *op,
                                 ArrayRef<Operation *> others);

/// Returns the ops in the block of `op` that it needs, and itself.
llvm::SetVector<Operation *> getNeededOps(Operation *op);

/// The siblings that are to stay apart once `plan` cannot be carried out
/// because of `reason`: those that do already and those that are reindexed or,
/// where none is, all. None if no sibling is fused.
std::vector<PlannedSibling> leaveSiblings(const FusionPlan &plan,
                                          StringRef reason);

/// Plans the root of `plan` again, where `apart` are no siblings.
FailureOr<FusionPlan> planWithoutSiblings(const FusionPlan &plan,
                                          ArrayRef<PlannedSibling> apart,
                                          std::string &reason);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_PLANSIBLINGS_H
