//===- PlanApplier.h - Applies a plan level by level ------------*- C++ -*-===//
//
// Builds the loops of a plan, from the outermost level on. Leaves the producers
// to FuseProducers.h, the accumulators to ApplyRepairs.h and the consumers to
// FuseConsumers.h.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_PLANAPPLIER_H
#define MLIR_EXT_LIB_FUSION_APPLY_PLANAPPLIER_H

#include "ApplyRepairs.h"
#include "FuseConsumers.h"
#include "SplitReduction.h"
#include "TiledOps.h"

#include "mlir-ext/Fusion/Apply/PolynomialRepair.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include <optional>

namespace mlir::linalg_ext {

/// Applies one plan. Can run only once.
class PlanApplier {
public:
  PlanApplier(RewriterBase &rewriter, const CompletePlan &complete,
              Refusal &refusal)
      : rewriter(rewriter), plan(complete.plan), ops(rewriter, plan, refusal),
        repairs(ops, complete.auxiliaries) {}

  FailureOr<TileAndFuseResult> run();

  /// The consumer that made `run` fail, if one did.
  std::optional<RefusedConsumer> refusedConsumer;
  /// Returns the name of the last step, to describe a failure that sets no
  /// refusal.
  StringRef getStep() const { return ops.step; }

private:
  LogicalResult applyLevel(unsigned index);
  LogicalResult copyStateDependentOps();
  LogicalResult tileRoot(const PlannedLevel &level);
  PlanAccess getAccess();
  LogicalResult splitLoop(unsigned index);
  FailureOr<LoopOfParts> mergeParts(unsigned index);
  void eraseOrphans();

  RewriterBase &rewriter;
  const FusionPlan &plan;
  TiledOps ops;
  RepairApplier repairs;
  /// The results of the current level, once it is tiled.
  FinishedLevel level;
  /// The values that replace the results of the root of the plan.
  SmallVector<Value> replacements;
  SmallVector<LoopLikeOpInterface> loops;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_PLANAPPLIER_H
