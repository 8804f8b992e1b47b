//===- FuseConsumers.h - What follows the root ------------------*- C++ -*-===//
//
// Ops after the root are computed where its tiles are: elementwise ones, which
// may permute, and reshapes between these.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_APPLY_FUSECONSUMERS_H
#define MLIR_EXT_FUSION_APPLY_FUSECONSUMERS_H

#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

namespace mlir::linalg_ext {

/// Finds the ops after the root that are fused into the loops around it, and
/// those that could not follow, with the reason.
void planConsumers(FusionPlan &plan);

/// A consumer that refused the tile that it would have had in a level.
struct ConsumerRefusal {
  /// Its position in the plan, and the level.
  unsigned index = 0, level = 0;
  std::string reason;
};

/// Fuses the consumers of `plan` into `loops`, those of its levels. Fails at
/// the first that refuses, with the IR left in between.
LogicalResult fuseConsumers(RewriterBase &rewriter, const FusionPlan &plan,
                            MutableArrayRef<LoopLikeOpInterface> loops,
                            std::optional<ConsumerRefusal> &refusal);

/// Keeps the consumer that refused, and what follows it, out of the level.
void restrictConsumers(FusionPlan &plan, const ConsumerRefusal &refusal);

/// Leaves all consumers behind the loops. Returns whether any was fused.
bool leaveConsumers(FusionPlan &plan, StringRef reason);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_APPLY_FUSECONSUMERS_H
