//===- OnlineReductionOpInterface.td - Online reductions ---*- tablegen -*-===//
//
// The producer side of fusing dependent reductions: what an op must say about
// itself so that a driver may tile a dimension it reduces over, thread its
// running state through the loop, and repair what its consumers accumulated
// before the state moved on. The theory is in docs/Rationale/Fusion.md.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_INTERFACES_ONLINEREDUCTIONOPINTERFACE
#define MLIR_EXT_INTERFACES_ONLINEREDUCTIONOPINTERFACE

include "mlir/IR/OpBase.td"

def OnlineReductionOpInterface : OpInterface<"OnlineReductionOpInterface"> {
  let description = [{
    An op that reduces over some of its iteration dimensions and can do so
    *online*: tile by tile, with a running state that travels from one tile to
    the next. Besides the state it yields *partial results*, which depend on
    the state at the time they were computed and are stale once it moves on.

    The op must implement `DestinationStyleOpInterface` (result `i` is tied to
    init `i`), `IndexingMapOpInterface` (projected permutations) and
    `TilingInterface`. With s the state, E(x, s) a partial result for tile x
    and F the accumulation of a consumer, the contract is the existence of a
    *repair* rho with

    - R1 (equivariance)  F(E(x, s'), y) = rho(s -> s') F(E(x, s), y)
    - R2 (endomorphism)  rho(a + b) = rho a + rho b, rho(0) = 0
    - R3 (cocycle)       rho(s' -> s'') rho(s -> s') = rho(s -> s''),
                         rho(s -> s) = id

    where `+` is the consumer's accumulation. With e the identity state,
    rho(e -> s) may be anything finite that leaves a neutral accumulator neutral
    (softmax's is 0): nothing has been accumulated yet.

    All dimension numbers are positions in the op's iteration domain unless a
    method says otherwise.
  }];
  let cppNamespace = "::mlir::linalg_ext";
  let methods = [
    InterfaceMethod<[{
        Returns the iteration dimensions the op reduces over but which may be
        tiled sequentially, the state being carried from tile to tile.
      }],
      "::llvm::SmallVector<unsigned>", "getOnlineDims">,
    InterfaceMethod<[{
        Returns the numbers of the results that hold the running state. The
        incoming state is the init tied to the result.
      }],
      "::llvm::SmallVector<unsigned>", "getStateResults">,
    InterfaceMethod<[{
        Returns the identity e of state result `resultNumber`: the value from
        which an init filled with it makes the op a plain reduction. Its type
        is the element type of the result.
      }],
      "::mlir::TypedAttr", "getStateIdentity", (ins "unsigned":$resultNumber)>,
    InterfaceMethod<[{
        Returns the numbers of the results that are stale once the state has
        moved on.
      }],
      "::llvm::SmallVector<unsigned>", "getPartialResults">,
    InterfaceMethod<[{
        Returns how rho acts on the partial results.
      }],
      "::mlir::linalg_ext::RepairKind", "getRepairKind">,
    InterfaceMethod<[{
        Returns, for each dimension of rho in order, the dimension of partial
        result `resultNumber` along which it acts. (Positions in the result,
        not in the iteration domain.)
      }],
      "::llvm::SmallVector<int64_t>", "getRepairDims",
      (ins "unsigned":$resultNumber)>,
    InterfaceMethod<[{
        Returns whether the op accepts tiles along its online dimensions.
      }],
      "bool", "isOnline">,
    InterfaceMethod<[{
        Makes the op accept (or refuse) tiles along its online dimensions. Only
        a driver that threads the state and repairs the consumers may set this.
      }],
      "void", "setOnline", (ins "bool":$online)>,
    InterfaceMethod<[{
        Returns whether the op supports `form`.
      }],
      "bool", "supportsNormalization",
      (ins "::mlir::linalg_ext::NormalizationForm":$form)>,
    InterfaceMethod<[{
        Selects the form of the partial results. In the delayed form they lack
        their normalisation and may not escape the loop; `buildFinalRepair`
        supplies it once, after the loop. Fails if the form is not supported.
      }],
      "::llvm::LogicalResult", "setNormalization",
      (ins "::mlir::linalg_ext::NormalizationForm":$form)>,
    InterfaceMethod<[{
        Returns how state result `resultNumber` follows the *reference* of the
        state (for softmax the max, by an addition), in the measure of the
        reference's difference, or std::nullopt if the op has no reference that
        it can hold (`setRescaleThreshold`).
      }],
      "std::optional<::mlir::linalg_ext::RepairDegree>", "getReferenceDegree",
      (ins "unsigned":$resultNumber), [{}], [{ return std::nullopt; }]>,
    InterfaceMethod<[{
        Holds the reference of the state while it would move by at most
        `threshold`, in which case the repair is the identity. Partial results
        may be larger by e^threshold then, and the state results are those for
        the reference held. Fails if the op has no reference.
      }],
      "::llvm::LogicalResult", "setRescaleThreshold", (ins "double":$threshold),
      [{}], [{ return ::llvm::failure(); }]>,
    InterfaceMethod<[{
        Builds rho(old -> new) for this op, `old` being its state inits and
        `new` its state results. The result is a tensor with the dimensions
        that `getRepairDims` names. `b` is positioned where every operand and
        result of the op dominates.
      }],
      "::llvm::FailureOr<::mlir::Value>", "buildRepair",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc)>,
    InterfaceMethod<[{
        Builds the repair that finishes an accumulator of delayed partial
        results, from the state after the last tile (`finalState`, in the order
        of `getStateResults`). Same shape and kind as `buildRepair`.
      }],
      "::llvm::FailureOr<::mlir::Value>", "buildFinalRepair",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::ValueRange":$finalState)>,
    InterfaceMethod<[{
        Returns the element that contributes nothing, or null if there is none:
        inputs that consist of it leave the state as it was.
      }],
      "::mlir::TypedAttr", "getNeutralInput", (ins), [{}],
      [{ return {}; }]>,
    InterfaceMethod<[{
        Returns the element that result `resultNumber`, which holds no state,
        consists of where the inputs consist of `getNeutralInput`, or null if it
        is not uniform. For a repair, as the state has not moved, this is the
        identity, although the repair from the identity state may be something
        else that leaves a neutral accumulator neutral.
      }],
      "::mlir::TypedAttr", "getNeutralResult", (ins "unsigned":$resultNumber),
      [{}], [{ return {}; }]>,
    InterfaceMethod<[{
        Builds rho(old -> new) between any two states of which `new` is `old`
        combined with something, in the form selected. States are given in the
        order of `getStateResults`. rho(e -> s) leaves a neutral accumulator
        neutral, and so does rho(e -> e); both are finite. Same shape and kind
        as `buildRepair`, which is this repair between the state inits and the
        state results of the op.
      }],
      "::llvm::FailureOr<::mlir::Value>", "buildStateRepair",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::ValueRange":$oldState, "::mlir::ValueRange":$newState)>,
    InterfaceMethod<[{
        Builds the state that has seen what `lhs` and what `rhs` have seen, an
        associative and commutative operation of which e is the identity. States
        are given and returned in the order of `getStateResults`.
      }],
      "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "buildCombine",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::ValueRange":$lhs, "::mlir::ValueRange":$rhs)>,
  ];
}

#endif // MLIR_EXT_INTERFACES_ONLINEREDUCTIONOPINTERFACE
