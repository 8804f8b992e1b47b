//===- RepairableOpInterface.td - Repairable accumulations -*- tablegen -*-===//
//
// The consumer side of fusing dependent reductions: whether an op that
// accumulates a partial result of an online reduction can have its accumulator
// repaired when the state of that reduction moves on, and how.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_INTERFACES_REPAIRABLEOPINTERFACE
#define MLIR_EXT_INTERFACES_REPAIRABLEOPINTERFACE

include "mlir/IR/OpBase.td"

def RepairableOpInterface : OpInterface<"RepairableOpInterface"> {
  let description = [{
    An op that commutes with a repair of its operands. An accumulation does if,
    for an accumulator A, operands p and a repair rho, `A(rho p) = rho' A(p)`
    where rho' acts along dimensions of A; an elementwise op if it hands the
    repair on to its result. rho and rho' are given by degrees (`StaleValue`),
    all of them in the same measure of one state.
  }];
  let cppNamespace = "::mlir::linalg_ext";
  let methods = [
    InterfaceMethod<[{
        Returns what the op accumulates over iteration dimensions: one result,
        by a sum, a maximum or a minimum of a term that does not depend on what
        has been accumulated; or the best terms, in one result, and what goes
        with them, in the others (an arg-max, a top-k). Of equal terms the ones
        met first stay. Fails for any other op.
      }],
      "::llvm::FailureOr<::mlir::linalg_ext::Accumulation>",
      "getAccumulation">,
    InterfaceMethod<[{
        Returns whether no element of result 0 is negative if none of the
        operands `operandNumbers` has one. A max or min of nothing does not
        count.
      }],
      "bool", "isNonNegative",
      (ins "::llvm::ArrayRef<unsigned>":$operandNumbers)>,
    InterfaceMethod<[{
        Decides whether a repair of the operands `stale` commutes with the
        accumulation. On success says how it acts on which accumulator. On
        failure appends the reason to `reason`. Builds no IR.
      }],
      "::llvm::FailureOr<::mlir::linalg_ext::AccumulatorRepair>",
      "getAccumulatorRepair",
      (ins "::llvm::ArrayRef<::mlir::linalg_ext::StaleOperand>":$stale,
           "std::string &":$reason)>,
    InterfaceMethod<[{
        Decides whether the op hands a repair of the operands `stale` on to its
        result, f(rho p) = rho' f(p), up to rounding. On success returns how
        result 0 depends on the state. On failure appends the reason to
        `reason`. Builds no IR.
      }],
      "::llvm::FailureOr<::mlir::linalg_ext::StaleValue>", "propagateRepair",
      (ins "::llvm::ArrayRef<::mlir::linalg_ext::StaleOperand>":$stale,
           "std::string &":$reason)>,
    InterfaceMethod<[{
        Builds the derivative of result 0 in the measure of a state, `operands`
        being all operands that depend on it, whose degrees are additions or
        polynomials. Returns std::nullopt if it is 0 everywhere. The derivative
        of an accumulation accumulates from 0, over the same iterations and in
        the same element type, and lacks the dimensions along which it is
        uniform. On failure appends the reason to `reason` and leaves no IR.
      }],
      "::llvm::FailureOr<std::optional<::mlir::linalg_ext::Tangent>>",
      "buildTangent",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::llvm::ArrayRef<::mlir::linalg_ext::OperandTangent>":$operands,
           "std::string &":$reason),
      [{}], [{
        reason += "its derivative is not known";
        return ::llvm::failure();
      }]>,
    InterfaceMethod<[{
        Builds a part of result 0, which is affine in the measure of a state,
        `operands` being all operands that depend on it. The scaled part of an
        accumulation has its type and starts from its init. The constant term is built as by `buildTangent`: it accumulates from
        0, lacks the dimensions along which it is uniform, and is std::nullopt
        if it is 0 everywhere. On failure appends the reason to `reason` and
        leaves no IR.
      }],
      "::llvm::FailureOr<std::optional<::mlir::linalg_ext::Tangent>>",
      "buildAffinePart",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::linalg_ext::AffinePart":$part,
           "::llvm::ArrayRef<::mlir::linalg_ext::OperandPart>":$operands,
           "std::string &":$reason),
      [{}], [{
        reason += "its parts are not known";
        return ::llvm::failure();
      }]>,
    InterfaceMethod<[{
        Builds rho applied to the accumulator value `acc`: dimension `i` of
        `rho` acts along dimension `accDims[i]` of `acc`. Returns a value of
        the type of `acc`. Neutral elements stay what they are, though rho may
        be 0 where nothing has been accumulated. Carried results are not
        repaired.
      }],
      "::mlir::Value", "applyRepair",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::linalg_ext::RepairKind":$kind, "::mlir::Value":$acc,
           "::mlir::Value":$rho, "::llvm::ArrayRef<int64_t>":$accDims)>,
    InterfaceMethod<[{
        Builds a copy of the op that accumulates into `inits`, one for each
        result, of which that of the accumulator may have a wider element type.
        Products are then formed in the wider type too.
      }],
      "::mlir::Operation *", "accumulateInto",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::ValueRange":$inits)>,
    InterfaceMethod<[{
        Builds the combination of two sets of values of the results, by the
        operation the op accumulates with: as if the terms of `lhs` had been met
        first. It is computed in the wider of the two element types; the results
        have the types of `lhs` and are written over it.
      }],
      "::llvm::SmallVector<::mlir::Value>", "combineAccumulators",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::ValueRange":$lhs, "::mlir::ValueRange":$rhs)>,
  ];
}

#endif // MLIR_EXT_INTERFACES_REPAIRABLEOPINTERFACE
