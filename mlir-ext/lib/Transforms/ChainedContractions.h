//===- ChainedContractions.h - Contractions that feed contractions --------===//
//
// See ChainedContractions.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TRANSFORMS_CHAINEDCONTRACTIONS_H
#define MLIR_EXT_LIB_TRANSFORMS_CHAINEDCONTRACTIONS_H

#include "mlir-ext/Transforms/TileAndFuse.h"

namespace mlir::linalg_ext {

/// The contractions that `root` is computed from, directly or not, and that
/// only contractions need, the root among them; with why they should stay
/// outside of its loops. A contraction is an op that reduces and reads each
/// element of its operands several times.
std::vector<PlannedObstacle> findChainedContractions(Operation *root);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TRANSFORMS_CHAINEDCONTRACTIONS_H
