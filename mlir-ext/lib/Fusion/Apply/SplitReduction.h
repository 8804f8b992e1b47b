//===- SplitReduction.h - Reductions in parallel chunks ---------*- C++ -*-===//
//
// Makes a loop over a reduction parallel. Each iteration is a chunk: it starts
// from the identity and writes what it has accumulated to a slot of its own. A
// second loop merges the slots. This is correct because states, together with
// what was accumulated under them, combine associatively
// (docs/Rationale/Fusion.md).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_FUSION_APPLY_SPLITREDUCTION_H
#define MLIR_EXT_LIB_FUSION_APPLY_SPLITREDUCTION_H

#include "TileRows.h"

#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <functional>

namespace mlir::linalg_ext {

/// A result of an op of a plan that a loop carries.
struct CarriedValue {
  /// The root or a state, and the number of its result.
  Operation *planned = nullptr;
  unsigned resultNumber = 0;
  /// The number of the result of the loop.
  unsigned loopResult = 0;
  TypedAttr identity;
};

/// Access to the ops of a plan at the current level.
struct PlanAccess {
  using Values = DenseMap<Value, Value>;

  const FusionPlan &plan;
  /// Returns the current tile or copy of an op of the plan.
  std::function<Operation *(Operation *)> getCurrent;
  /// Clones the computation of a value that is computed from states, with other
  /// states. `states` maps results of current ops to these other values.
  /// `rebuilt` caches what has been rebuilt for them.
  std::function<FailureOr<Value>(Value, const Values &states, Values &rebuilt)>
      rebuild;
  /// Returns a factor of an accumulator for the loops that carry the states.
  std::function<FailureOr<TileFactor>(const PlannedRepair &,
                                      const PlannedFactor &)>
      getFactor;
};

/// Returns the values that a loop carries. The first results of the loop must
/// be those of the root. `stateOfLoop` has, for each state, the numbers of the
/// loop results that hold it.
SmallVector<CarriedValue> getCarriedValues(
    const PlanAccess &access,
    const DenseMap<Operation *, SmallVector<unsigned>> &stateOfLoop);

/// Merges two sets of values for `carried`, `lhs` and `rhs`, in the order of
/// `carried`. Combines the states in program order. Combines each accumulator
/// after both sides have been repaired to the merged state. Factors that the
/// plan defers until after the loops are still missing in the result. Fails if
/// an op cannot combine its states.
FailureOr<SmallVector<Value>> buildMerge(OpBuilder &b, Location loc,
                                         const PlanAccess &access,
                                         ArrayRef<CarriedValue> carried,
                                         ValueRange lhs, ValueRange rhs);

struct SplitLoop {
  scf::ForallOp loop;
  /// The last op that was built.
  Operation *end = nullptr;
  /// The values that replaced the results of the original loop.
  SmallVector<Value> results;
};

/// Makes `loop` parallel. Each result of the loop is either in `carried`, and
/// `merge` combines it, or it is a tensor into which each iteration inserts its
/// own slice. Fails for other results and if `merge` fails. The IR has then
/// been changed in part.
FailureOr<SplitLoop> splitReduction(
    RewriterBase &rewriter, scf::ForOp loop, ArrayRef<CarriedValue> carried,
    ArrayRef<Attribute> mapping,
    function_ref<FailureOr<SmallVector<Value>>(ValueRange lhs, ValueRange rhs)>
        merge);

/// A loop whose iterations several parts share, while it is built.
struct LoopOfParts {
  int64_t parts = 1;
  SmallVector<CarriedValue> carried;
  /// For each result of the loop: a tensor with a slot for each part, filled
  /// with the initial value.
  SmallVector<linalg::FillOp> slots;
  /// Upper bound of the iterations that all parts share.
  Value end;
  Operation *firstOfMerge = nullptr;
};

/// Merges the slots of the parts before `loop`, whose results are `carried`.
/// `loop` then starts from the merged values and runs the remaining iterations:
/// fewer than `parts`. Fails if the loop carries anything else.
FailureOr<LoopOfParts> mergeParts(
    RewriterBase &rewriter, scf::ForOp loop, int64_t parts,
    ArrayRef<CarriedValue> carried,
    function_ref<FailureOr<SmallVector<Value>>(ValueRange lhs, ValueRange rhs)>
        merge);

/// Builds the loop of all parts. In each of its iterations, every part runs one
/// of `parts` adjacent iterations of `loop`, in an `scf.forall` with `mapping`.
/// All tiles in it are whole.
void buildLoopOfParts(RewriterBase &rewriter, scf::ForOp loop,
                      const LoopOfParts &parts, ArrayRef<Attribute> mapping);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_FUSION_APPLY_SPLITREDUCTION_H
