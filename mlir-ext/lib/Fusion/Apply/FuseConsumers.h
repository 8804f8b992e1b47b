//===- FuseConsumers.h - Fuses consumers of the root ------------*- C++ -*-===//
//
// Fuses ops after the root into its loops. These are elementwise ops, which may
// permute dimensions, and reshapes between them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_FUSECONSUMERS_H
#define MLIR_EXT_LIB_FUSION_APPLY_FUSECONSUMERS_H

#include "mlir-ext/Fusion/Plan/PlanConsumers.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

#include <optional>

namespace mlir::linalg_ext {

/// Fuses the consumers of `plan` into `loops`, which are the loops of its
/// levels. Fails at the first consumer that cannot be tiled and sets `refused`.
/// The IR has then been changed in part.
LogicalResult fuseConsumers(RewriterBase &rewriter, const FusionPlan &plan,
                            MutableArrayRef<LoopLikeOpInterface> loops,
                            std::optional<RefusedConsumer> &refused);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_FUSECONSUMERS_H
