//===- RecomputedProducers.h - What is sooner computed once ----*- C++ -*-===//
//
// See RecomputedProducers.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_PLAN_RECOMPUTEDPRODUCERS_H
#define MLIR_EXT_LIB_FUSION_PLAN_RECOMPUTEDPRODUCERS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

namespace mlir::linalg_ext {

/// The elementwise operands of contractions that the first level of `plan`,
/// whose levels and obstacles are known, would compute, in iterations that need
/// the same again, and that `plan.options.recompute` does not allow; with why
/// they should stay outside.
std::vector<PlannedObstacle> findStoredProducers(const FusionPlan &plan);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_PLAN_RECOMPUTEDPRODUCERS_H
