//===- PlanConsumers.h - What follows the root ------------------*- C++ -*-===//
//
// Ops after the root are computed where its tiles are: elementwise ops, which
// may permute, and reshapes between them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_PLANCONSUMERS_H
#define MLIR_EXT_FUSION_PLAN_PLANCONSUMERS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

namespace mlir::linalg_ext {

/// Finds the ops after the root that are fused into the loops around it, and
/// those that could not follow, with the reason.
void planConsumers(FusionPlan &plan);

/// A consumer that refused the tile that it would have had in a level.
struct ConsumerRefusal {
  /// Its position in the plan, and the level.
  unsigned index = 0, level = 0;
  std::string reason;
};

/// Keeps the consumer that refused, and what follows it, out of the level.
void restrictConsumers(FusionPlan &plan, const ConsumerRefusal &refusal);

/// Leaves all consumers behind the loops. Returns whether any was fused.
bool leaveConsumers(FusionPlan &plan, StringRef reason);

/// Returns whether `op` only renames the elements of its first operand.
bool isRenaming(Operation *op);

/// Calls `visit` with the values that `op` uses, itself or in its regions.
void forEachUsedValue(Operation *op, function_ref<void(Value)> visit);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_PLANCONSUMERS_H
