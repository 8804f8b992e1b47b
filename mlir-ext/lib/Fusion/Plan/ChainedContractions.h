//===- ChainedContractions.h - Contractions that feed contractions --------===//
//
// See ChainedContractions.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_PLAN_CHAINEDCONTRACTIONS_H
#define MLIR_EXT_LIB_FUSION_PLAN_CHAINEDCONTRACTIONS_H

#include "mlir-ext/Fusion/Plan/FusionPlan.h"

namespace mlir::linalg_ext {

/// Whether `op` reduces and reads each element of each operand several times.
bool isContraction(Operation *op);

/// The contractions that `root` is computed from, directly or not, and that
/// only contractions need, the root among them; with why they should stay
/// outside of its loops.
std::vector<PlannedObstacle> findChainedContractions(Operation *root);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_PLAN_CHAINEDCONTRACTIONS_H
