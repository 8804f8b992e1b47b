//===- RepairAnalysis.h - How accumulators follow states --------*- C++ -*-===//
//
// Given what a level fuses and which states it carries, finds how every
// accumulator that depends on them is repaired. Part of planning; see
// FusionPlan.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_FUSION_PLAN_REPAIRANALYSIS_H
#define MLIR_EXT_FUSION_PLAN_REPAIRANALYSIS_H

#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"

namespace mlir::linalg_ext {

/// Terms of `accumulator` that have been built: its derivatives in `source` or,
/// if it is the scaled part of what was affine in it, the constant term.
struct BuiltTerms {
  Operation *accumulator = nullptr;
  Value source;
  SmallVector<PlannedTerm> derivatives;
  std::optional<PlannedTerm> constant;
};

/// What the untiled program computes for the sake of repairs. It is of no use
/// to the ops that take it as an operand, which they do not read: they take it
/// so that the loops carry it.
struct AuxiliaryAccumulators {
  SmallVector<BuiltTerms> terms;
  /// Sources in which the root is affine, of which its parts cannot be built.
  llvm::DenseSet<Value> inseparable;
  /// The operands by which it is taken.
  llvm::DenseSet<std::pair<Operation *, unsigned>> operands;
  llvm::DenseSet<Operation *> ops;
};

/// An accumulator that depends on a source.
struct ReachedAccumulator {
  Operation *op = nullptr;
  AccumulatorRepair repair;
};

/// What a source is followed to: the values of `FusionPlan::stateDependent`
/// that depend on it, and the accumulators.
struct FollowedSource {
  DenseMap<Value, StateDependentValue> values;
  SmallVector<ReachedAccumulator> reached;
};

/// Follows `source` through the tiles of `plan`, whose state-dependent ops and
/// operands are known. On failure gives the reason and, if that is one of the
/// state-dependent ops, `obstacle`.
FailureOr<FollowedSource> followSource(const FusionPlan &plan, OpResult source,
                                       Measure measure, std::string &reason,
                                       Operation **obstacle = nullptr);

/// Plans as planTileAndFuse does, but without siblings, for a root that has
/// `auxiliaries`: then states must be carried. They are not if `whyNot` says
/// why not.
FailureOr<FusionPlan>
planWithAuxiliaries(Operation *root, const TileAndFuseOptions &options,
                   const AuxiliaryAccumulators &auxiliaries, StringRef whyNot,
                   std::string &reason);

/// Fills in the states, state-dependent ops, repairs and exactness of `plan`,
/// whose level `index`, as analysed, is the first that carries states. On
/// failure gives the reason and, if that is an accumulation between a state and
/// the root, makes it an obstacle of the plan.
LogicalResult planRepairs(FusionPlan &plan, unsigned index,
                          LevelAnalysis &analysis,
                          const TileAndFuseOptions &options,
                          const AuxiliaryAccumulators &auxiliaries,
                          std::string &reason);

/// Returns whether `value` is filled with `neutral`.
bool isFilledWith(Value value, TypedAttr neutral);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_FUSION_PLAN_REPAIRANALYSIS_H
