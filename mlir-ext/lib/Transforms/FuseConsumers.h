//===- FuseConsumers.h - What follows the root ------------------*- C++ -*-===//
//
// Ops after the root are computed where its tiles are.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TRANSFORMS_FUSECONSUMERS_H
#define MLIR_EXT_LIB_TRANSFORMS_FUSECONSUMERS_H

#include "mlir-ext/Transforms/TileAndFuse.h"

namespace mlir::linalg_ext {

/// Finds the ops after the root that are fused into the loops around it.
void planConsumers(FusionPlan &plan);

/// Fuses the consumers of `plan` into `loops`, those of its levels.
LogicalResult fuseConsumers(RewriterBase &rewriter, const FusionPlan &plan,
                            MutableArrayRef<LoopLikeOpInterface> loops);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TRANSFORMS_FUSECONSUMERS_H
