//===- SplitReduction.h - Reductions in parallel chunks ---------*- C++ -*-===//
//
// Makes a loop over a reduction parallel. Every iteration, a chunk, starts from
// the identity and leaves what it has accumulated in a slot of its own; a
// second loop merges the slots. That is right because states with what is
// accumulated under them combine associatively (docs/Rationale/Fusion.md).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TRANSFORMS_SPLITREDUCTION_H
#define MLIR_EXT_LIB_TRANSFORMS_SPLITREDUCTION_H

#include "TileRows.h"

#include "mlir-ext/Transforms/TileAndFuse.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::linalg_ext {

/// What a loop carries of an op of a plan.
struct CarriedValue {
  /// The root or a state, and the number of its result.
  Operation *planned = nullptr;
  unsigned resultNumber = 0;
  /// The number of the result of the loop.
  unsigned loopResult = 0;
  TypedAttr identity;
};

/// The ops of a plan at the level reached.
struct PlanAccess {
  using Values = DenseMap<Value, Value>;

  const FusionPlan &plan;
  /// The tile or copy of an op of the plan.
  std::function<Operation *(Operation *)> getCurrent;
  /// Builds a value again that is computed from states (results of current
  /// ops), for the others that `states` has in their place. `rebuilt` is what
  /// has been rebuilt for them before.
  std::function<FailureOr<Value>(Value, const Values &states, Values &rebuilt)>
      rebuild;
  /// A factor of an accumulator as the loops see it that carry the states.
  std::function<FailureOr<TileFactor>(const PlannedRepair &,
                                      const PlannedFactor &)>
      getFactor;
};

/// Returns what a loop carries whose first results are those of the root and
/// that holds states as `stateOfLoop` says.
SmallVector<CarriedValue> getCarriedValues(
    const PlanAccess &access,
    const DenseMap<Operation *, SmallVector<unsigned>> &stateOfLoop);

/// Builds, of `carried` in its order, what `lhs` and `rhs` make together:
/// states are combined in program order, and each accumulator after the repair
/// of both sides. What the plan defers until after the loops is still missing
/// in the result. Fails if an op cannot combine its states.
FailureOr<SmallVector<Value>> buildMerge(OpBuilder &b, Location loc,
                                         const PlanAccess &access,
                                         ArrayRef<CarriedValue> carried,
                                         ValueRange lhs, ValueRange rhs);

struct SplitLoop {
  scf::ForallOp loop;
  /// The last op that was built.
  Operation *end = nullptr;
  /// What replaced the results of the loop.
  SmallVector<Value> results;
};

/// Makes `loop` parallel. Its results are `carried`, which `merge` combines, or
/// tensors into which each iteration inserts a slice of its own. On failure the
/// IR is left in between.
FailureOr<SplitLoop> splitReduction(
    RewriterBase &rewriter, scf::ForOp loop, ArrayRef<CarriedValue> carried,
    ArrayRef<Attribute> mapping,
    function_ref<FailureOr<SmallVector<Value>>(ValueRange lhs, ValueRange rhs)>
        merge);

/// A loop whose iterations several parts share, while it is built.
struct LoopOfParts {
  int64_t parts = 1;
  SmallVector<CarriedValue> carried;
  /// Tensors of a slot for each part, filled with what they start from, by the
  /// results of the loop.
  SmallVector<linalg::FillOp> slots;
  /// Where the iterations end that are of all parts.
  Value end;
  Operation *firstOfMerge = nullptr;
};

/// Merges what `parts` leave in their slots in front of `loop`, whose results
/// are `carried`, and lets it go on from there with what is left: fewer than
/// `parts` iterations. Fails if the loop carries anything else.
FailureOr<LoopOfParts> mergeParts(
    RewriterBase &rewriter, scf::ForOp loop, int64_t parts,
    ArrayRef<CarriedValue> carried,
    function_ref<FailureOr<SmallVector<Value>>(ValueRange lhs, ValueRange rhs)>
        merge);

/// Builds the loop of all parts: each of its iterations is as many of `loop` as
/// there are parts, next to each other, in an `scf.forall` of `mapping`. All of
/// their tiles are whole.
void buildLoopOfParts(RewriterBase &rewriter, scf::ForOp loop,
                      const LoopOfParts &parts, ArrayRef<Attribute> mapping);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TRANSFORMS_SPLITREDUCTION_H
