//===- BuildRepair.h - The IR of repairs ------------------------*- C++ -*-===//
//
// Builds the repair that an accumulator needs when a source (a value through
// which a state reaches tiles) moves, and the value that tiles take in its
// place.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_BUILDREPAIR_H
#define MLIR_EXT_LIB_FUSION_APPLY_BUILDREPAIR_H

#include "TileRows.h"

#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include "mlir/IR/Builders.h"

namespace mlir::linalg_ext {

/// A repair ready for RepairableOpInterface::applyRepair.
struct BuiltRepair {
  Value rho;
  SmallVector<int64_t> accDims;
};

/// Builds the repair of `factor` for `accumulated` when its source, whose
/// measure is its difference or its ratio, goes from `oldValue` to `newValue`.
/// Computed in f32 or wider; a scaling is finite in the element type of
/// `accumulated` too.
BuiltRepair buildRepair(OpBuilder &b, Location loc, const TileFactor &factor,
                        Value oldValue, Value newValue, Value accumulated);

/// Builds the repair of `factor` for `accumulated` from `rho`, the one that an
/// online reduction built for the measure itself.
BuiltRepair buildGivenRepair(OpBuilder &b, Location loc,
                             const TileFactor &factor, Value rho,
                             Value accumulated);

/// Builds what multiplies `accumulated` after the loops, where the source of
/// `factor`, of which `value` is the final value, was left out in them.
BuiltRepair buildDeferredRepair(OpBuilder &b, Location loc,
                                const TileFactor &factor, Value value,
                                Value accumulated);

/// Builds what `accumulated` is repaired by after the loops if the source of
/// `factor`, which was repaired in them, has no regular value at the end
/// either, `value`: where it has, a factor of 1 or, of a polynomial, a term of
/// 0.
BuiltRepair buildFinalCorrection(OpBuilder &b, Location loc,
                                 const TileFactor &factor, Value value,
                                 Value accumulated);

/// Builds `accumulated` moved by the polynomial of `factor`, whose source goes
/// from `oldValue` to `newValue`, written over it. `derivatives` are those that
/// belong to `accumulated`, in the order of the factor's.
Value buildPolynomialRepair(OpBuilder &b, Location loc,
                            const TileFactor &factor, Value accumulated,
                            ValueRange derivatives, Value oldValue,
                            Value newValue);

/// Builds `accumulated` plus `term`, which belongs to it as `planned` says,
/// written over it.
Value buildSum(OpBuilder &b, Location loc, Value accumulated,
               const PlannedTerm &planned, Value term);

/// The factors of the root in the order in which they are taken up after the
/// loops: if it is a part of what the root was, `unscaled` is added behind the
/// first `numOfPart`. The others scale that too.
struct FinalFactors {
  std::vector<PlannedFactor> all;
  size_t numOfPart = 0;
  std::optional<PlannedTerm> unscaled;
};
FinalFactors getFinalFactors(const FusionPlan &plan,
                             const PlannedRepair &ofRoot);

/// Builds what tiles take in place of `value`, the source of `factor`: in a
/// state that has seen nothing it may be infinite or 0, and tiles computed from
/// it NaN. Any other value would do there, since buildRepair repairs from it.
Value buildGuardedSource(OpBuilder &b, Location loc,
                         const PlannedFactor &factor, Value value);

/// Builds a tensor of ones like `value`.
Value buildOnes(OpBuilder &b, Location loc, Value value);

/// Returns whether `value`, and what repairs make of it on the way to `op`, has
/// no other use.
bool isUsedOnTheWayOnly(Value value, Operation *op);

/// Repairs accumulators, one source after another. A polynomial takes the
/// derivatives as they are when its source is taken up: repaired for the
/// sources before it, and for no other.
class RepairStages {
public:
  /// What has been accumulated of result `resultNumber` of an op of the plan.
  using Accumulated =
      std::function<Value(Operation *planned, unsigned resultNumber)>;
  /// Builds the repair of one factor.
  using Apply = std::function<FailureOr<Value>(
      const PlannedRepair &, const PlannedFactor &, Value accumulated,
      ValueRange derivatives)>;

  RepairStages(const FusionPlan &plan, Accumulated accumulated, Apply apply)
      : plan(plan), accumulated(std::move(accumulated)),
        apply(std::move(apply)) {}

  /// Result `resultNumber` of `planned`, repaired for the first `numStages`
  /// sources but those that are deferred.
  FailureOr<Value> get(Operation *planned, unsigned resultNumber,
                       unsigned numStages = ~0u);

private:
  const FusionPlan &plan;
  Accumulated accumulated;
  Apply apply;
  DenseMap<std::pair<Operation *, unsigned>, Value> known;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_BUILDREPAIR_H
