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

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::linalg_ext {

/// Plans one `scf.forall` over the loops `cut` of `root`, with tiles of one
/// element. `accept` says whether a producer is in it, and may remove loops
/// from `cut`. No producer is in it from then on, and the caller plans again.
/// `yieldProducers` is that of TileAndFuseOptions.
LogicalResult
planForall(Operation *root, llvm::SmallBitVector &cut, bool yieldProducers,
           function_ref<bool(const PlannedProducer &producer)> accept,
           Refusal &refusal);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_PLANFORALL_H
