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

/// What a level leaves: the results of its loop, or of the merge if the level
/// is a split, and its last op.
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
  /// Finds the factors as the loops see them that carry the states, before
  /// these are built. On failure, sets the refusal of `ops`.
  LogicalResult findFactors();
  /// Returns a factor as these loops see it.
  TileFactor getOuterFactor(const PlannedRepair &repair,
                            const PlannedFactor &factor) const;
  /// Applies rho(old states -> new states) to what has been accumulated.
  LogicalResult repairAccumulators();
  /// Supplies what was left out in the loop that first carries states, which
  /// left `level`, of the root and its siblings. Replaces `replacements` too.
  LogicalResult finishAccumulators(const FinishedLevel &level,
                                   MutableArrayRef<Value> replacements);
  /// Builds again, for other `states`, a value that is computed from them. With
  /// `guards`, guards states as the loops do (see getStateGuard).
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
