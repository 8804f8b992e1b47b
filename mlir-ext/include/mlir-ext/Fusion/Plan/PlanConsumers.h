//===- PlanConsumers.h - Plans the fusion of consumers ----------*- C++ -*-===//
//
// Plans which ops after the root are computed in its loops, on the tiles of the
// root. These are elementwise ops, which may permute dimensions, reductions of
// dimensions that are whole in a tile (a norm of each head), and reshapes between
// them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_PLANCONSUMERS_H
#define MLIR_EXT_FUSION_PLAN_PLANCONSUMERS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

namespace mlir::linalg_ext {

/// Fills in `plan.consumers`: the ops after the root that are fused into its
/// loops, and those that cannot be fused, with the reason.
void planConsumers(FusionPlan &plan);

/// A consumer that could not be tiled in a level.
struct RefusedConsumer {
  /// The position of the consumer in `FusionPlan::consumers`, and the level.
  unsigned index = 0, level = 0;
  Refusal refusal;
};

/// Keeps the consumer `refused`, and the consumers that use it, out of the
/// level.
void restrictConsumers(FusionPlan &plan, const RefusedConsumer &refused);

/// Leaves all consumers after the loops, for `refusal`. Returns whether any was
/// fused.
bool leaveConsumers(FusionPlan &plan, const Refusal &refusal);

/// Returns whether `op` is an expand_shape or a collapse_shape, which changes
/// the indices of elements but not their order.
bool isRenaming(Operation *op);

/// Calls `visit` with the values from outside of `op` that `op` or an op in its
/// regions uses.
void forEachUsedValue(Operation *op, function_ref<void(Value)> visit);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_PLANCONSUMERS_H
