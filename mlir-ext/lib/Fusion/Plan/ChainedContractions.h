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
/// (including `root`) use, each with the reason to keep it outside of the loops
/// of `root`. If `fused` is not null, it is a contraction that the loops
/// compute. It and the contractions that are combined with it elementwise are
/// then not returned, but all reductions that compute their operands are.
std::vector<PlannedObstacle> findChainedContractions(Operation *root,
                                                     Operation *fused);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_PLAN_CHAINEDCONTRACTIONS_H
