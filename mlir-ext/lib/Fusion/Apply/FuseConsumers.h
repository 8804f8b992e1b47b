//===- FuseConsumers.h - What follows the root ------------------*- C++ -*-===//
//
// Ops after the root are computed where its tiles are: elementwise ones, which
// may permute, and reshapes between these.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_FUSECONSUMERS_H
#define MLIR_EXT_LIB_FUSION_APPLY_FUSECONSUMERS_H

#include "mlir-ext/Fusion/Plan/PlanConsumers.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::linalg_ext {

/// Fuses the consumers of `plan` into `loops`, those of its levels. Fails at
/// the first that refuses, with the IR left in between.
LogicalResult fuseConsumers(RewriterBase &rewriter, const FusionPlan &plan,
                            MutableArrayRef<LoopLikeOpInterface> loops,
                            std::optional<ConsumerRefusal> &refusal);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_FUSECONSUMERS_H
