//===- PlanLazyRescaling.h - Plans to rescale only when needed --*- C++ -*-===//
//
// exp(x - r) needs no exact running maximum r: any number that is not far below
// the maximum works as the reference. So a loop may keep an old maximum while
// the new one is only a little larger. Values that depend on it then do not
// change. The repair is the identity and need not be applied.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_PLANLAZYRESCALING_H
#define MLIR_EXT_FUSION_PLAN_PLANLAZYRESCALING_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

namespace mlir::linalg_ext {

/// Checks the rescale threshold. Fails, with `refusal`, if it is negative, if
/// sums of e^threshold do not fit into f32, or if it does not go with the other
/// options.
LogicalResult checkRescaleThreshold(const TileAndFuseOptions &options,
                                    Refusal &refusal);

/// Decides which states of `plan` are rescaled lazily, so that no term grows by
/// more than e^threshold, and which repairs become conditional. With
/// `ofElements`, each element is decided on its own. The repairs of `plan` must
/// be known.
void planLazyRescaling(FusionPlan &plan, double threshold, bool ofElements);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_PLANLAZYRESCALING_H
