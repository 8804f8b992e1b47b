//===- PlanLazyRescaling.h - States held while they move little -*- C++ -*-===//
//
// A running max need not be the max: every number that is not far below it
// serves as the reference of exp(x - max). A state that is held while it would
// move by little leaves what follows it as it is, and its repairs, which are
// the identity then, need not be applied.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_PLANLAZYRESCALING_H
#define MLIR_EXT_FUSION_PLAN_PLANLAZYRESCALING_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

namespace mlir::linalg_ext {

/// Refuses a threshold that no type holds e^threshold for, or that does not go
/// with the other options.
LogicalResult checkRescaleThreshold(const TileAndFuseOptions &options,
                                    std::string &reason);

/// Decides which states of `plan`, whose repairs are known, are held so that no
/// term grows by more than e^threshold, and which repairs are conditional then;
/// for each element if `ofElements`.
void planLazyRescaling(FusionPlan &plan, double threshold, bool ofElements);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_PLANLAZYRESCALING_H
