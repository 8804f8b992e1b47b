//===- BuildRepair.h - The IR of repairs ------------------------*- C++ -*-===//
//
// Builds the repair that an accumulator needs when a source (a value through
// which a state reaches tiles) moves, and the value that tiles take in its
// place.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TRANSFORMS_BUILDREPAIR_H
#define MLIR_EXT_LIB_TRANSFORMS_BUILDREPAIR_H

#include "mlir-ext/Transforms/TileAndFuse.h"

#include "mlir/IR/Builders.h"

namespace mlir::linalg_ext {

/// A repair ready for RepairableOpInterface::applyRepair.
struct BuiltRepair {
  Value rho;
  SmallVector<int64_t> accDims;
};

/// Builds the repair of `factor` when its source, whose measure is its
/// difference or its ratio, goes from `oldValue` to `newValue`. Computed in f32
/// or wider; a scaling is finite in `accType`, the element type of the
/// accumulator, too.
BuiltRepair buildRepair(OpBuilder &b, Location loc, const PlannedFactor &factor,
                        Value oldValue, Value newValue, Type accType);

/// Builds the repair of `factor` from `rho`, the one that an online reduction
/// built for the measure itself.
BuiltRepair buildGivenRepair(OpBuilder &b, Location loc,
                             const PlannedFactor &factor, Value rho);

/// Builds what multiplies the accumulator after the loops, where the source of
/// `factor`, of which `value` is the final value, was left out in them.
BuiltRepair buildDeferredRepair(OpBuilder &b, Location loc,
                                const PlannedFactor &factor, Value value);

/// Builds what multiplies the accumulator after the loops if the source of
/// `factor`, which was repaired in them, has no regular value at the end
/// either, `value`: 1 where it has.
BuiltRepair buildFinalCorrection(OpBuilder &b, Location loc,
                                 const PlannedFactor &factor, Value value);

/// Builds what tiles take in place of `value`, the source of `factor`: in a
/// state that has seen nothing it may be infinite or 0, and tiles computed from
/// it NaN. Any other value would do there, since buildRepair repairs from it.
Value buildGuardedSource(OpBuilder &b, Location loc,
                         const PlannedFactor &factor, Value value);

/// Builds a tensor of ones like `value`.
Value buildOnes(OpBuilder &b, Location loc, Value value);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TRANSFORMS_BUILDREPAIR_H
