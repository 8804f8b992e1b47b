//===- PlanSiblings.h - Finds the siblings of a root ------------*- C++ -*-===//
//
// Several ops may accumulate what one online reduction yields: two products
// with a softmax, or a product and a sum. In a loop nest of its own, each of
// them would compute the online reduction again or read it from memory. So one
// of them is the root. The others are its siblings: the loops of the root
// accumulate them too, and repair them like the root.
//
// A sibling is planned like a producer of the root whose result the loops
// yield. Nothing in the loops reads a sibling, which makes two differences. Its
// tile follows from the tile of the tensor that both it and the root accumulate
// (SiblingTiles.h), not from a slice that some op takes of it. And a factor
// that the loops leave out may be applied after them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_PLANSIBLINGS_H
#define MLIR_EXT_FUSION_PLAN_PLANSIBLINGS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include "llvm/ADT/SetVector.h"

#include <vector>

namespace mlir::linalg_ext {

/// Returns the ops that may become siblings of the root of `plan`, in program
/// order. They accumulate partial results of online reductions that the plan
/// fuses, contractions that its loops would store for them, or values computed
/// from these elementwise. They do not depend on the root, and the root does not
/// depend on them.
SmallVector<Operation *> findSiblings(const FusionPlan &plan);

/// Fails, with `refusal`, if `op` cannot be computed before the root of `plan`,
/// or not in the same loops as the siblings `others`.
LogicalResult checkSibling(const FusionPlan &plan, Operation *op,
                           ArrayRef<Operation *> others, Refusal &refusal);

/// Returns `op` and the ops in its block that it depends on.
llvm::SetVector<Operation *> getNeededOps(Operation *op);

/// Returns the siblings to leave out after applying `plan` has failed with
/// `refusal`: those that already are, and in addition the reindexed ones. If no
/// fused sibling is reindexed, adds all of them. Returns an empty list if no
/// sibling is fused.
std::vector<PlannedSibling> leaveSiblings(const FusionPlan &plan,
                                          const Refusal &refusal);

/// Plans the root of `plan` again, without the siblings `apart`. On failure,
/// `refusal` tells why.
FailureOr<FusionPlan> planWithoutSiblings(const FusionPlan &plan,
                                          ArrayRef<PlannedSibling> apart,
                                          Refusal &refusal);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_PLANSIBLINGS_H
