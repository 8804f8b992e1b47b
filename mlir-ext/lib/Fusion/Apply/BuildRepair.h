//===- BuildRepair.h - Builds the IR of repairs -----------------*- C++ -*-===//
//
// A source is a value through which a state reaches tiles. When a source
// changes, accumulators must be repaired. This file builds the repair, and the
// value that tiles read in place of the source.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_BUILDREPAIR_H
#define MLIR_EXT_LIB_FUSION_APPLY_BUILDREPAIR_H

#include "TileRows.h"

#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include "mlir/IR/Builders.h"

#include <functional>
#include <optional>
#include <vector>

namespace mlir::linalg_ext {

/// The operands of RepairableOpInterface::applyRepair: dimension i of `rho`
/// acts along dimension accDims[i] of the accumulator.
struct BuiltRepair {
  Value rho;
  SmallVector<int64_t> accDims;
};

/// Builds the repair of `factor` for `accumulated` when its source changes from
/// `oldValue` to `newValue`. The measure must be the difference or the ratio.
/// The repair is computed in f32 or wider. A scaling is finite, also in the
/// element type of `accumulated`.
BuiltRepair buildRepair(OpBuilder &b, Location loc, const TileFactor &factor,
                        Value oldValue, Value newValue, Value accumulated);

/// Builds the repair of `factor` for `accumulated` from `rho`, the repair that
/// the online reduction built (`Measure::Given`).
BuiltRepair buildGivenRepair(OpBuilder &b, Location loc,
                             const TileFactor &factor, Value rho,
                             Value accumulated);

/// Builds the repair of `accumulated` after the loops by a deferred `factor`,
/// which was left out in the loops. `value` is the final value of its source.
BuiltRepair buildDeferredRepair(OpBuilder &b, Location loc,
                                const TileFactor &factor, Value value,
                                Value accumulated);

/// Builds a correction of `accumulated` after the loops. In the loops, tiles
/// used another value wherever the source of `factor` had no regular value. If
/// the final value `value` of the source is not regular either, it must still
/// take effect on the result. If it is regular, the correction is the identity:
/// a factor of 1 or, for a polynomial, a term of 0.
BuiltRepair buildFinalCorrection(OpBuilder &b, Location loc,
                                 const TileFactor &factor, Value value,
                                 Value accumulated);

/// Builds `accumulated` plus the polynomial of `factor` in `shift`, the change
/// of its source. Writes the result over `accumulated`. `derivatives` are the
/// derivatives of `accumulated`, in the order of `factor.derivatives`.
Value buildPolynomialRepair(OpBuilder &b, Location loc,
                            const PlannedFactor &factor, Value accumulated,
                            ValueRange derivatives, const BuiltRepair &shift);

/// Combines `lhs` and `rhs`, two repairs of `accumulated` of the same `kind`:
/// the product if they scale, the sum if they add. The product is finite, also
/// in the element type of `accumulated`. Returns std::nullopt if each of them
/// has a dimension that the other lacks, because the combination would be
/// larger than both.
std::optional<BuiltRepair> combineRepairs(OpBuilder &b, Location loc,
                                          RepairKind kind,
                                          const BuiltRepair &lhs,
                                          const BuiltRepair &rhs,
                                          Value accumulated);

/// Returns the factor that describes how the source of `factor` itself changes:
/// `factor`, or for a polynomial the shift of its source.
TileFactor getFactorOfSource(const TileFactor &factor);

/// Builds `accumulated` plus `term`, whose dimensions `planned` describes.
/// Writes the result over `accumulated`.
Value buildSum(OpBuilder &b, Location loc, Value accumulated,
               const PlannedTerm &planned, Value term);

/// The factors of an accumulator in the order in which they are applied after
/// the loops. If the accumulator is the scaled part of an affine root,
/// `unscaled` is the constant term. It is added after the first `numOfPart`
/// factors, and the other factors scale it too.
struct FinalFactors {
  std::vector<PlannedFactor> all;
  size_t numOfPart = 0;
  std::optional<PlannedTerm> unscaled;
};
FinalFactors getFinalFactors(const FusionPlan &plan,
                             const PlannedRepair &ofRoot);

/// Builds the value that tiles read in place of `value`, the source of
/// `factor`. As long as a state has accumulated nothing, its source may be
/// infinite or 0, and tiles computed from it would be NaN. There the result is
/// another number. Any number is right, since buildRepair repairs from the same
/// one.
Value buildGuardedSource(OpBuilder &b, Location loc,
                         const PlannedFactor &factor, Value value);

/// Builds a tensor of ones like `value`.
Value buildOnes(OpBuilder &b, Location loc, Value value);

/// Returns whether all uses of `value` are on one chain of ops that leads to
/// `op`.
bool isUsedOnTheWayOnly(Value value, Operation *op);

/// Repairs accumulators for one source after another. A polynomial repair reads
/// derivatives that have been repaired for all earlier sources, but not for
/// later ones.
///
/// Consecutive scalings are multiplied before they are applied to the
/// accumulator. The accumulator holds terms times their weights, for example
/// exp(x - max) / sum, and the product is the quotient of the new and the old
/// weights. A single scaling would give weights that the program never has,
/// such as those of the new maximum and the old sum. These may underflow, and
/// the next scaling cannot restore the lost digits. Consecutive additions are
/// summed for the same reason: a single one may be large.
class RepairStages {
public:
  /// Returns the accumulated value of result `resultNumber` of an op of the
  /// plan.
  using Accumulated =
      std::function<Value(Operation *planned, unsigned resultNumber)>;
  /// Builds the repair of `accumulated` for one factor. For a polynomial,
  /// builds the change of the source.
  using Build = std::function<FailureOr<BuiltRepair>(
      const PlannedRepair &, const PlannedFactor &, Value accumulated)>;
  /// Applies `built` to `accumulated`, and returns the result. `built` is the
  /// repair of `factor`, which may stand for several factors.
  using Apply = std::function<Value(
      const PlannedRepair &, const PlannedFactor &factor,
      const BuiltRepair &built, Value accumulated, ValueRange derivatives)>;

  RepairStages(OpBuilder &b, const FusionPlan &plan, Accumulated accumulated,
               Build build, Apply apply)
      : b(b), plan(plan), accumulated(std::move(accumulated)),
        build(std::move(build)), apply(std::move(apply)) {}

  /// Returns result `resultNumber` of `planned`, repaired for the first
  /// `numStages` sources that are not deferred.
  FailureOr<Value> get(Operation *planned, unsigned resultNumber,
                       unsigned numStages = ~0u);

private:
  FailureOr<Value> repairTogether(const PlannedRepair &repair,
                                  ArrayRef<const PlannedFactor *> factors,
                                  Value value);

  OpBuilder &b;
  const FusionPlan &plan;
  Accumulated accumulated;
  Build build;
  Apply apply;
  DenseMap<std::pair<Operation *, unsigned>, Value> known;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_BUILDREPAIR_H
