//===- LazyRescaling.h - Rescales only when needed --------------*- C++ -*-===//
//
// exp(x - r) needs no exact running maximum r: any number that is not far below
// the maximum works as the reference. So a loop may hold the old maximum while
// the new one is only a little larger. Values that depend on it then stay as
// they are. The repair is the identity and need not be applied.
// PlanLazyRescaling.h decides which states are rescaled lazily; this file
// builds the IR.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_LAZYRESCALING_H
#define MLIR_EXT_LIB_FUSION_APPLY_LAZYRESCALING_H

#include "BuildRepair.h"

#include "mlir-ext/Interfaces/RepairableOpInterface.h"
#include "mlir-ext/Fusion/Plan/FusionPlan.h"

namespace mlir::linalg_ext {

/// Holds `state`, which the accumulation `tile` computes: users of the new
/// state take the init of `tile` instead if the state has changed by at most
/// the threshold. Does nothing if `state` has no threshold, or if `tile` is an
/// online reduction, which holds its reference itself.
void rescaleLazily(RewriterBase &rewriter, Operation *tile,
                   const PlannedState &state);

/// Applies `built`, the repair of `factor`, to `accumulated`, and returns the
/// result. If the factor is conditional, the repair is applied only if it is
/// not the identity everywhere or, with `ofElements`, only where it is not the
/// identity.
Value applyRepair(OpBuilder &b, RepairableOpInterface op,
                  const PlannedFactor &factor, const BuiltRepair &built,
                  Value accumulated);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_LAZYRESCALING_H
