//===- FuseProducers.h - Fuses producers and siblings -----------*- C++ -*-===//
//
// Fuses the producers and siblings of one level into its loop, from the root
// backwards, and lets the loop yield the results that the plan lists.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_FUSEPRODUCERS_H
#define MLIR_EXT_LIB_FUSION_APPLY_FUSEPRODUCERS_H

#include "TiledOps.h"

namespace mlir::linalg_ext {

/// Fuses what level `index` of the plan fuses into `ops.loop`, whose root is
/// `ops.root`. Sets `ops.stateOfLoop`. On failure, the IR has been changed in
/// part.
LogicalResult fuseProducers(TiledOps &ops, unsigned index);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_FUSEPRODUCERS_H
