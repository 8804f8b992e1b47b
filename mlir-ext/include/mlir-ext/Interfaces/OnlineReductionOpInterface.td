//===- OnlineReductionOpInterface.td - Online reductions ---*- tablegen -*-===//
//
// The producer side of the fusion of dependent reductions. With this interface,
// a driver can tile a dimension that an op reduces, carry the running state of
// the op through the loop, and repair what the consumers accumulated under an
// older state. docs/Rationale/Fusion.md has the theory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_INTERFACES_ONLINEREDUCTIONOPINTERFACE
#define MLIR_EXT_INTERFACES_ONLINEREDUCTIONOPINTERFACE

include "mlir/IR/OpBase.td"

def OnlineReductionOpInterface : OpInterface<"OnlineReductionOpInterface"> {
  let description = [{
    Describes an op that can reduce some of its iteration dimensions *online*:
    tile by tile, with a running state that each tile passes to the next one.
    An example is softmax, whose state is the maximum and the sum. Besides the
    state, the op returns *partial results*. A partial result depends on the
    state under which it was computed: when the state changes, the partial
    results of earlier tiles are out of date.

    The op must implement `DestinationStyleOpInterface` (result `i` is tied to
    init `i`), `IndexingMapOpInterface` (with projected permutations) and
    `TilingInterface`.

    The contract is that a *repair* rho exists. It turns what a consumer
    accumulated under an older state into what it would have accumulated under
    the new state. Let s be the state, E(x, s) the partial result for tile x,
    and F the accumulation of a consumer. Then rho satisfies

    - R1 (equivariance)  F(E(x, s'), y) = rho(s -> s') F(E(x, s), y)
    - R2 (endomorphism)  rho(a + b) = rho a + rho b, rho(0) = 0
    - R3 (cocycle)       rho(s' -> s'') rho(s -> s') = rho(s -> s''),
                         rho(s -> s) = id

    where `+` is the consumer's accumulation. Let e be the identity state, under
    which nothing has been accumulated. rho(e -> s) may then be anything finite
    that leaves a neutral accumulator neutral. For softmax, it is 0.

    These laws are for repairs that multiply or add. A consumer may also change
    by a *polynomial* in a measure t of the state (`RepairKind::Polynomial`).
    Then R1 to R3 hold for the accumulator F_0 = F(E(x, s), y) together with its
    derivatives F_1, ..., F_c in t, which the loop carries as well:

    - R1 (polynomial)    F_i(E(x, s'), y) = sum_j F_(i+j)(E(x, s), y) dt^j / j!,
                         where dt = t(s') - t(s) and F_i = 0 for i > c

    R2 holds because each F_i accumulates a sum, and R3 because dt adds up.
    `RepairableOpInterface::buildTangent` builds the derivatives. An affine
    repair is like this, too: it multiplies F - U and keeps the constant term U.

    An op must implement the methods without a default. Which other methods it
    implements, and which forms and states its methods support, depends on what
    the driver should be able to do:

    | to                                | the op needs                            |
    |-----------------------------------|-----------------------------------------|
    | cut an online dimension (`for`)   | the methods without a default; `supportsNormalization` and `setNormalization` for at least one form; `buildRepair` |
    | let ops inside the loop read normalised tiles | the eager form              |
    | normalise once, after the loop    | the delayed form, and `buildFinalRepair` |
    | cut it into chunks that are merged (`split`) | `buildStateRepair` and `buildCombine`; they fail otherwise |
    | skip tiles that are masked        | `getNeutralInput`, `getNeutralResult`   |
    | keep an old reference (lazy rescaling) | `getReferenceDegree`, `setRescaleThreshold`, and the repair kind Scale |

    Types. Inputs, partial results and the tensors that repairs consist of have
    floating-point elements of any width. So have state results that consumers
    inside the loop read; other state results may have any element type, since
    they are only carried, combined and stored. All tensors are ranked; sizes
    may be dynamic.

    Dimension numbers are positions in the iteration domain of the op, unless a
    method says otherwise.
  }];
  let cppNamespace = "::mlir::linalg_ext";
  let methods = [
    InterfaceMethod<[{
        Returns the iteration dimensions that the op reduces and that can be
        tiled sequentially, with a loop that carries the state from tile to
        tile.
      }],
      "::llvm::SmallVector<unsigned>", "getOnlineDims">,
    InterfaceMethod<[{
        Returns the numbers of the results that hold the running state. The
        incoming state is in the inits that are tied to these results.
      }],
      "::llvm::SmallVector<unsigned>", "getStateResults">,
    InterfaceMethod<[{
        Returns the identity e of state result `resultNumber`. If the inits of
        the state are filled with their identities, the op is a plain reduction.
        The type of the attribute is the element type of the result.
      }],
      "::mlir::TypedAttr", "getStateIdentity", (ins "unsigned":$resultNumber)>,
    InterfaceMethod<[{
        Returns the numbers of the partial results: those that depend on the
        state under which they were computed.
      }],
      "::llvm::SmallVector<unsigned>", "getPartialResults">,
    InterfaceMethod<[{
        Returns how rho acts on the partial results: `Scale` if it multiplies
        them, `Add` if it adds to them. The other kinds are for consumers.
      }],
      "::mlir::linalg_ext::RepairKind", "getRepairKind">,
    InterfaceMethod<[{
        Returns, for each dimension of rho in order, the dimension of partial
        result `resultNumber` along which it acts. These are positions in the
        result, not in the iteration domain.
      }],
      "::llvm::SmallVector<int64_t>", "getRepairDims",
      (ins "unsigned":$resultNumber)>,
    InterfaceMethod<[{
        Returns true if the op accepts tiles along its online dimensions.
      }],
      "bool", "isOnline">,
    InterfaceMethod<[{
        Makes the op accept or reject tiles along its online dimensions. Only a
        driver that carries the state and repairs the consumers may pass true.
      }],
      "void", "setOnline", (ins "bool":$online)>,
    InterfaceMethod<[{
        Returns true if the op supports `form`: eager normalisation (in every
        tile) or delayed normalisation (once, after the loop).
      }],
      "bool", "supportsNormalization",
      (ins "::mlir::linalg_ext::NormalizationForm":$form)>,
    InterfaceMethod<[{
        Selects the form of the partial results. In the delayed form they are
        not normalised, and the loop must not yield them. `buildFinalRepair`
        normalises the accumulator once, after the loop. Fails if the op does
        not support `form` (see `supportsNormalization`).
      }],
      "::llvm::LogicalResult", "setNormalization",
      (ins "::mlir::linalg_ext::NormalizationForm":$form)>,
    InterfaceMethod<[{
        Returns how state result `resultNumber` changes when the *reference* of
        the state changes by a difference d. The reference of softmax is the
        maximum. Then d is added to the maximum, and the sum is multiplied by
        e^-d. Returns std::nullopt if the op has no reference that it can keep
        for several tiles (see `setRescaleThreshold`).
      }],
      "std::optional<::mlir::linalg_ext::RepairDegree>", "getReferenceDegree",
      (ins "unsigned":$resultNumber), [{}], [{ return std::nullopt; }]>,
    InterfaceMethod<[{
        Makes the op keep its old reference in a tile that would change it by at
        most `threshold`. The repair is the identity in these tiles. Partial
        results may be larger by a factor of up to e^threshold, and the state
        results are relative to the reference that was kept. Fails if the op has
        no reference.
      }],
      "::llvm::LogicalResult", "setRescaleThreshold", (ins "double":$threshold),
      [{}], [{ return ::llvm::failure(); }]>,
    InterfaceMethod<[{
        Builds rho(old -> new) for this op. `old` are its state inits, and `new`
        are its state results. Returns a tensor with the dimensions that
        `getRepairDims` describes. All operands and results of the op must
        dominate the insertion point of `b`.
      }],
      "::llvm::FailureOr<::mlir::Value>", "buildRepair",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc)>,
    InterfaceMethod<[{
        Builds the repair that normalises an accumulator of delayed partial
        results. `finalState` is the state after the last tile, in the order of
        `getStateResults`. The result has the shape and the kind of the result
        of `buildRepair`.
      }],
      "::llvm::FailureOr<::mlir::Value>", "buildFinalRepair",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::ValueRange":$finalState)>,
    InterfaceMethod<[{
        Returns the neutral input element, or null if there is none. Inputs
        whose elements all have this value do not change the state.
      }],
      "::mlir::TypedAttr", "getNeutralInput", (ins), [{}],
      [{ return {}; }]>,
    InterfaceMethod<[{
        Returns the element of result `resultNumber` for neutral inputs, that
        is, if all input elements are `getNeutralInput`. Returns null if the
        elements of the result are not all equal then. The result must not hold
        state. If the result is a repair, its element is the identity, because
        the state does not change. (The repair from the identity state e may
        have another value, as long as it leaves a neutral accumulator neutral.)
      }],
      "::mlir::TypedAttr", "getNeutralResult", (ins "unsigned":$resultNumber),
      [{}], [{ return {}; }]>,
    InterfaceMethod<[{
        Builds rho(old -> new) for two arbitrary states, in the selected form.
        `newState` must be `oldState` combined with another state. Both are in
        the order of `getStateResults`. rho(e -> s) and rho(e -> e) are finite
        and leave a neutral accumulator neutral. The result has the shape and
        the kind of the result of `buildRepair`. `buildRepair` is the special
        case in which the states are the state inits and the state results of
        the op.
      }],
      "::llvm::FailureOr<::mlir::Value>", "buildStateRepair",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::ValueRange":$oldState, "::mlir::ValueRange":$newState)>,
    InterfaceMethod<[{
        Builds the combination of the states `lhs` and `rhs`: the state after
        all tiles of both. The operation is associative and commutative, and e
        is its identity. All states are in the order of `getStateResults`.
      }],
      "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "buildCombine",
      (ins "::mlir::OpBuilder &":$b, "::mlir::Location":$loc,
           "::mlir::ValueRange":$lhs, "::mlir::ValueRange":$rhs)>,
  ];
}

#endif // MLIR_EXT_INTERFACES_ONLINEREDUCTIONOPINTERFACE
