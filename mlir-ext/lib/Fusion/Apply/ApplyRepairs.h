//===- ApplyRepairs.h - Repairs accumulators in loops -----------*- C++ -*-===//
//
// Applies the repairs of a plan while its loops are built. The calls come in
// this order: `prepareAccumulator` and `findFactors` before the first loop that
// carries states, `finishAccumulators` after that loop has been built, and
// `repairAccumulators` in the last loop that carries them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_APPLYREPAIRS_H
#define MLIR_EXT_LIB_FUSION_APPLY_APPLYREPAIRS_H

#include "BuildRepair.h"
#include "TileRows.h"
#include "TiledOps.h"

#include "mlir-ext/Fusion/Plan/RepairAnalysis.h"

#include <map>
#include <optional>
#include <tuple>

namespace mlir::linalg_ext {

/// The state of a level after its loop: the results of the loop, or of the
/// merge if the level is a split, and the last op of it.
struct FinishedLevel {
  SmallVector<Value> results;
  Operation *end = nullptr;
};

class RepairApplier {
public:
  RepairApplier(TiledOps &ops, const AuxiliaryAccumulators &auxiliaries)
      : ops(ops), rewriter(ops.rewriter), plan(ops.plan),
        auxiliaries(auxiliaries) {}

  /// Lets the root or sibling of `repair` start from a neutral and wide enough
  /// tensor. Returns the values that replace its results; none if nothing had
  /// to be done.
  SmallVector<Value> prepareAccumulator(const PlannedRepair &repair);
  /// Finds the factors that apply in the loops that carry the states, before
  /// these loops are built. On failure, sets the refusal of `ops`.
  LogicalResult findFactors();
  /// Returns the factor that applies in these loops.
  TileFactor getOuterFactor(const PlannedRepair &repair,
                            const PlannedFactor &factor) const;
  /// Repairs the accumulators from the old states to the new ones.
  LogicalResult repairAccumulators();
  /// After the loop `level`, the first that carries states: applies the factors
  /// that were left out in the loops to the root and its siblings. Updates
  /// `replacements`.
  LogicalResult finishAccumulators(const FinishedLevel &level,
                                   MutableArrayRef<Value> replacements);
  /// Clones the computation of `value`, which depends on states, with other
  /// states. `states` maps states to these. With `guards`, guards the states in
  /// the same way as the loops do (see getStateGuard).
  FailureOr<Value> rebuild(Value value, const DenseMap<Value, Value> &states,
                           DenseMap<Value, Value> &rebuilt, bool guards = true);

private:
  FailureOr<TileFactor> getTileFactor(const PlannedRepair &repair,
                                      const PlannedFactor &factor) const;
  LogicalResult finishAccumulator(const PlannedRepair &repair,
                                  const FinishedLevel &level,
                                  const DenseMap<Value, Value> &finalStates,
                                  DenseMap<Value, Value> &rebuilt,
                                  MutableArrayRef<Value> replacements);
  FailureOr<BuiltRepair> build(const PlannedRepair &repair,
                               const PlannedFactor &factor, Value accumulated,
                               const DenseMap<Value, Value> &oldStates,
                               DenseMap<Value, Value> &rebuilt);
  Value apply(const PlannedRepair &repair, const PlannedFactor &factor,
              const BuiltRepair &built, Value accumulated,
              ValueRange derivatives);
  void substituteSource(const PlannedFactor &factor, Value by);
  std::optional<PlannedFactor> getStateGuard(Value value);
  void guardStates();
  void dropAuxiliaries();
  void storeStates(const DenseMap<Value, Value> &oldStates);
  void ownInitialState(Value state);

  TiledOps &ops;
  RewriterBase &rewriter;
  const FusionPlan &plan;
  const AuxiliaryAccumulators &auxiliaries;
  /// The factors for the loops that carry the states, by accumulator, source op
  /// and number of the source result.
  std::map<std::tuple<Operation *, Operation *, unsigned>, TileFactor>
      outerFactors;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_APPLYREPAIRS_H
