//===- RecomputedProducers.h - Producers that are better stored -*- C++ -*-===//
//
// See RecomputedProducers.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_PLAN_RECOMPUTEDPRODUCERS_H
#define MLIR_EXT_LIB_FUSION_PLAN_RECOMPUTEDPRODUCERS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include <vector>

namespace mlir::linalg_ext {

/// Returns the elementwise operands of contractions that should be computed
/// once, before the loops, and stored. Without that, several iterations of the
/// first level of `plan` would compute the same elements, and
/// `plan.options.recompute` does not allow it. Each operand has the reason for
/// which it should stay outside. The levels and obstacles of `plan` must be
/// known.
std::vector<PlannedObstacle> findStoredProducers(const FusionPlan &plan);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_PLAN_RECOMPUTEDPRODUCERS_H
