//===- ChainedContractions.h - Contractions that feed contractions --------===//
//
// See ChainedContractions.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_PLAN_CHAINEDCONTRACTIONS_H
#define MLIR_EXT_LIB_FUSION_PLAN_CHAINEDCONTRACTIONS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

#include <vector>

namespace mlir::linalg_ext {

/// Returns whether `op` is a contraction: it reduces, has at least two tensor
/// inputs, and reads each of their elements more than once. An online reduction
/// is no contraction.
bool isContraction(Operation *op);

/// Returns the contractions that `root` depends on and that only contractions
/// use. These users may include `root`. Each result has the reason for which it
/// should stay outside of the loops of `root`. Leaves out `fused`, a contraction
/// that the loops compute, if it is not null, and those that are combined with it
/// element by element. Then the results have all ops that reduce for an operand of
/// these, too.
std::vector<PlannedObstacle> findChainedContractions(Operation *root,
                                                     Operation *fused);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_PLAN_CHAINEDCONTRACTIONS_H
