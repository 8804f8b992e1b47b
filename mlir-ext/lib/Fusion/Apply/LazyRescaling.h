//===- LazyRescaling.h - States held while they move little -----*- C++ -*-===//
//
// A running max need not be the max: every number that is not far below it
// serves as the reference of exp(x - max). A state that is held while it would
// move by little leaves what follows it as it is, and its repairs, which are
// the identity then, need not be applied.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_LAZYRESCALING_H
#define MLIR_EXT_LIB_FUSION_APPLY_LAZYRESCALING_H

#include "BuildRepair.h"

#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Fusion/Plan/FusionPlan.h"

namespace mlir::linalg_ext {

/// Users of the state that `tile` computes, an accumulation, take its init
/// where `state` is held. Does nothing for a state that is not.
void rescaleLazily(RewriterBase &rewriter, Operation *tile,
                   const PlannedState &state);

/// Builds `built`, the repair of `factor`, applied to what `op` has
/// accumulated; of a conditional factor only if it is not the identity
/// everywhere, or where it is not.
Value applyRepair(OpBuilder &b, RepairableOpInterface op,
                  const PlannedFactor &factor, const BuiltRepair &built,
                  Value accumulated);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_LAZYRESCALING_H
