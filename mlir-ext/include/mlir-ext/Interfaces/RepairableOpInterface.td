//===- RepairableOpInterface.td - Repairable accumulations -*- tablegen -*-===//
//
// The consumer side of the fusion of dependent reductions. An op accumulates
// partial results of an online reduction. The interface tells whether its
// accumulator can be repaired when the state of that reduction changes, and
// builds the repair.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_INTERFACES_REPAIRABLEOPINTERFACE
#define MLIR_EXT_INTERFACES_REPAIRABLEOPINTERFACE

include "mlir/IR/OpBase.td"

def RepairableOpInterface : OpInterface<"RepairableOpInterface"> {
  let description = [{
    Describes an op that commutes with a repair of its operands: repairing the
    operands and then applying the op gives the same value as applying the op
    and then repairing its result. There are two cases:

    - *An accumulation* with accumulator A, operands p and repair rho commutes
      if `A(rho p) = rho' A(p)`, where rho' acts along dimensions of A. The
      driver can then repair the accumulator.
    - *An elementwise op* commutes if it propagates the repair to its result.

    A *state-dependent* value depends on the state of an online reduction.
    `StateDependentValue` describes the dependence by a degree: how the value
    changes when a measure of the state changes. All degrees of one call refer
    to the same measure of one state. See `Repair.h` for these types.

    An op implements the methods without a default. If it lacks a capability, it
    fails in the method that asks for it:

    | to                                        | the op needs                   |
    |-------------------------------------------|--------------------------------|
    | be between a reduction and an accumulation | `propagateRepair`             |
    | be the root, or a state, of a loop that cuts a reduction | `getAccumulation`, `getAccumulatorRepair`, `applyRepair`, `accumulateInto` |
    | be merged from chunks (`split`), or start from values that are not neutral | also `combineAccumulators` |
    | change by a polynomial of a state         | also `buildTangent`            |
    | change in a part only (affine repairs)    | also `buildAffinePart`         |
    | give a maximum or a minimum a factor, or a ratio a logarithm | also `isNonNegative`; returning false is always right |

    Types. Values that depend on the state, accumulators and repairs have
    floating-point elements of any width. A driver repairs an accumulator in f32
    or wider, and asks `accumulateInto` for that. Results that are carried
    beside an accumulator, such as positions, may have any element type, and so
    may operands that do not depend on the state.
  }];
  let cppNamespace = "::mlir::linalg_ext";
  let methods = [
    InterfaceMethod<[{
        Returns what the op accumulates over iteration dimensions. An op with
        one result must compute the sum, the maximum or the minimum of a term
        that does not depend on the accumulator. An op with several results must
        be like an arg-max or a top-k: one result has the best terms, and the
        others are carried along with them. Among equal terms, the first ones
        stay. Fails for any other op.
      }],
      "::llvm::FailureOr<::mlir::linalg_ext::Accumulation>",
      "getAccumulation">,
    InterfaceMethod<[{
        Returns true if result 0 has no negative element whenever the operands
        `operandNumbers` have none. The initial infinity of a max or min over no
        elements does not count.
      }],
      "bool", "isNonNegative",
      (ins "::llvm::ArrayRef<unsigned>":$operandNumbers)>,
    InterfaceMethod<[{
        Decides whether the accumulation commutes with a repair of the operands
        `stateDependent`. On success, returns the accumulator and how the repair
        acts on it. On failure, `refusal` says why. Builds no IR.
      }],
      "::llvm::FailureOr<::mlir::linalg_ext::AccumulatorRepair>",
      "getAccumulatorRepair",
      (ins "::llvm::ArrayRef<::mlir::linalg_ext::StateDependentOperand>":$stateDependent,
           "::mlir::linalg_ext::Refusal &":$refusal)>,
    InterfaceMethod<[{
        Decides whether the op f propagates a repair of the operands
        `stateDependent` to its result: f(rho p) = rho' f(p), up to rounding. On
        success, returns how result 0 depends on the state. On failure,
        `refusal` says why. Builds no IR.
      }],
      "::llvm::FailureOr<::mlir::linalg_ext::StateDependentValue>", "propagateRepair",
      (ins "::llvm::ArrayRef<::mlir::linalg_ext::StateDependentOperand>":$stateDependent,
           "::mlir::linalg_ext::Refusal &":$refusal)>,
    InterfaceMethod<[{
        Builds the derivative of result 0 with respect to the measure of a
        state. `operands` are all operands that depend on the state. Their
        degrees must be additions or polynomials. Returns std::nullopt if the
        derivative is 0 everywhere. The derivative of an accumulation is an
        accumulation that starts from 0, over the same iterations and in the
        same element type. It lacks the dimensions along which it is uniform. On
        failure, `refusal` says why, and there is no new IR.
      }],
      "::llvm::FailureOr<std::optional<::mlir::linalg_ext::Tangent>>",
      "buildTangent",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::llvm::ArrayRef<::mlir::linalg_ext::OperandTangent>":$operands,
           "::mlir::linalg_ext::Refusal &":$refusal),
      [{}], [{
        return refusal.set(::mlir::linalg_ext::RefusalKind::NotRepairable,
                           $_op, "its derivative is not known");
      }]>,
    InterfaceMethod<[{
        Builds one part of result 0, whose degree is affine. `part` selects the
        scaled part, which is multiplied when the state changes, or the constant
        term, which does not change. `operands` are all operands that depend on
        the state. The scaled part of an accumulation has the type of the result
        and starts from the init of the op. The constant term is like the result
        of `buildTangent`: it accumulates from 0, lacks the dimensions along
        which it is uniform, and is std::nullopt if it is 0 everywhere. On
        failure, `refusal` says why, and there is no new IR.
      }],
      "::llvm::FailureOr<std::optional<::mlir::linalg_ext::Tangent>>",
      "buildAffinePart",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::linalg_ext::AffinePart":$part,
           "::llvm::ArrayRef<::mlir::linalg_ext::OperandPart>":$operands,
           "::mlir::linalg_ext::Refusal &":$refusal),
      [{}], [{
        return refusal.set(::mlir::linalg_ext::RefusalKind::NotRepairable,
                           $_op, "its parts are not known");
      }]>,
    InterfaceMethod<[{
        Builds the repair of the accumulator value `acc` by `rho`. Dimension `i`
        of `rho` acts along dimension `accDims[i]` of `acc`. Returns a value of
        the type of `acc`. Neutral elements of `acc` do not change, even if rho
        is 0 because nothing has been accumulated. The method does not repair
        carried results.
      }],
      "::mlir::Value", "applyRepair",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::linalg_ext::RepairKind":$kind, "::mlir::Value":$acc,
           "::mlir::Value":$rho, "::llvm::ArrayRef<int64_t>":$accDims)>,
    InterfaceMethod<[{
        Builds a copy of the op that accumulates into `inits`, one for each
        result. The init of the accumulator may have a wider element type than
        in the original op. The copy then also multiplies in the wider type.
      }],
      "::mlir::Operation *", "accumulateInto",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::ValueRange":$inits)>,
    InterfaceMethod<[{
        Combines the results of two accumulations by the operation with which
        the op accumulates. `lhs` and `rhs` have one value for each result. The
        terms of `lhs` count as the earlier ones. The combination is computed in
        the wider of the two element types. The new values have the types of
        `lhs` and use `lhs` as inits.
      }],
      "::llvm::SmallVector<::mlir::Value>", "combineAccumulators",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::ValueRange":$lhs, "::mlir::ValueRange":$rhs)>,
  ];
}

#endif // MLIR_EXT_INTERFACES_REPAIRABLEOPINTERFACE
