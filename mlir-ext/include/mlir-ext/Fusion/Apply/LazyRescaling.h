//===- LazyRescaling.h - States held while they move little -----*- C++ -*-===//
//
// A running max need not be the max: every number that is not far below it
// serves as the reference of exp(x - max). A state that is held while it would
// move by little leaves what follows it as it is, and its repairs, which are
// the identity then, need not be applied.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_APPLY_LAZYRESCALING_H
#define MLIR_EXT_FUSION_APPLY_LAZYRESCALING_H

#include "BuildRepair.h"

#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

namespace mlir::linalg_ext {

/// Refuses a threshold that no type holds e^threshold for, or that does not go
/// with the other options.
LogicalResult checkRescaleThreshold(const TileAndFuseOptions &options,
                                    std::string &reason);

/// Decides which states of `plan`, whose repairs are known, are held so that no
/// term grows by more than e^threshold, and which repairs are conditional then;
/// for each element if `ofElements`.
void planHeldStates(FusionPlan &plan, double threshold, bool ofElements);

/// Users of the state that `tile` computes, an accumulation, take its init
/// where `state` is held. Does nothing for a state that is not.
void holdState(RewriterBase &rewriter, Operation *tile,
               const PlannedState &state);

/// Builds `built`, the repair of `factor`, applied to what `op` has
/// accumulated; of a conditional factor only if it is not the identity
/// everywhere, or where it is not.
Value applyRepair(OpBuilder &b, RepairableOpInterface op,
                  const PlannedFactor &factor, const BuiltRepair &built,
                  Value accumulated);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_APPLY_LAZYRESCALING_H
