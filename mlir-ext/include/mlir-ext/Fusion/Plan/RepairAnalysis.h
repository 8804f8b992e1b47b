//===- RepairAnalysis.h - Finds the repairs of accumulators -----*- C++ -*-===//
//
// Finds how every accumulator that depends on a state is repaired. The input is
// what a level fuses and which states it carries. Part of planning; see
// FusionPlan.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_REPAIRANALYSIS_H
#define MLIR_EXT_FUSION_PLAN_REPAIRANALYSIS_H

#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"

#include "llvm/ADT/SetVector.h"

#include <optional>

namespace mlir::linalg_ext {

/// Terms of `accumulator` that have been built. These are its derivatives with
/// respect to `source`. If `accumulator` is the scaled part of an affine one,
/// it is the constant term.
struct BuiltTerms {
  Operation *accumulator = nullptr;
  Value source;
  SmallVector<PlannedTerm> derivatives;
  std::optional<PlannedTerm> constant;
};

/// Accumulators that the untiled program computes only for repairs. An op takes
/// them as operands that it does not read, so that the loops carry them.
struct AuxiliaryAccumulators {
  SmallVector<BuiltTerms> terms;
  /// Sources in which the root is affine although its parts cannot be built.
  llvm::DenseSet<Value> inseparable;
  /// The operands through which ops take the auxiliary accumulators: op and
  /// operand number, in the order in which they were added.
  llvm::SetVector<std::pair<Operation *, unsigned>> operands;
  llvm::DenseSet<Operation *> ops;
};

/// An accumulator that depends on a source.
struct ReachedAccumulator {
  Operation *op = nullptr;
  AccumulatorRepair repair;
};

/// The values that depend on a source: those of the ops in
/// `FusionPlan::stateDependent` and the accumulators.
struct FollowedSource {
  DenseMap<Value, StateDependentValue> values;
  SmallVector<ReachedAccumulator> reached;
};

/// Finds the values and accumulators of `plan` that depend on `source`. The
/// state-dependent ops and operands of `plan` must be known. On failure,
/// `refusal` tells why. If a state-dependent op other than an accumulator of
/// the loops is the reason, `obstacle` is that op.
FailureOr<FollowedSource> followSource(const FusionPlan &plan, OpResult source,
                                       Measure measure, Refusal &refusal,
                                       Operation **obstacle = nullptr);

/// Plans like `planTileAndFuse`, but without siblings and with the auxiliary
/// accumulators `auxiliaries`. If `whyNot` is not set, the loops may cut
/// accumulations and carry their state. If `auxiliaries` has ops, they must do
/// so, and planning fails otherwise. If `whyNot` is set, it is the reason
/// for which the loops cut no accumulation.
FailureOr<FusionPlan>
planWithAuxiliaries(Operation *root, const TileAndFuseOptions &options,
                    const AuxiliaryAccumulators &auxiliaries,
                    const Refusal &whyNot, Refusal &refusal);

/// Fills in the states, state-dependent ops, repairs and exactness of `plan`.
/// Level `index` must be the first that carries states, and `analysis` must
/// have run on it. On failure, `refusal` tells why. If the reason is an
/// accumulation between a state and the root, it also becomes an obstacle of
/// the plan.
LogicalResult planRepairs(FusionPlan &plan, unsigned index,
                          LevelAnalysis &analysis,
                          const TileAndFuseOptions &options,
                          const AuxiliaryAccumulators &auxiliaries,
                          Refusal &refusal);

/// Returns whether every element of `value` is known to be `neutral`. +0 and -0
/// count as equal.
bool isFilledWith(Value value, TypedAttr neutral);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_REPAIRANALYSIS_H
