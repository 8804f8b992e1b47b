//===- LinalgExtOps.td - LinalgExt dialect and ops ---------*- tablegen -*-===//
//
// The dialect `linalg_ext`: structured ops that upstream linalg lacks and that
// fusing dependent reductions needs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_IR_LINALGEXTOPS
#define MLIR_EXT_DIALECT_LINALGEXT_IR_LINALGEXTOPS

include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/IndexingMapOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Dialect
//===----------------------------------------------------------------------===//

def LinalgExt_Dialect : Dialect {
  let name = "linalg_ext";
  let cppNamespace = "::mlir::linalg_ext";
  let summary = "Structured ops with running state, and what repairs them.";
  let description = [{
    Structured, destination-style ops on tensors and buffers that fuse like the
    ops of `linalg` do, plus what upstream's lack: a `softmax` that carries its
    running state, so that it may be tiled along its own dimension; `diag`,
    which makes the repair of an accumulator an ordinary linear operator in the
    IR; and `batch_matmul` with any number of batch dimensions.

    The discardable attribute `linalg_ext.root` (unit) marks the op at which
    tile-and-fuse starts.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// The discardable unit attribute that marks the root of a fusion.
    static constexpr ::llvm::StringLiteral getRootAttrName() {
      return "linalg_ext.root";
    }
  }];
}

class LinalgExt_Op<string mnemonic, list<Trait> traits = []>
    : Op<LinalgExt_Dialect, mnemonic, traits>;

def LinalgExt_TensorOrMemRef : AnyTypeOf<[AnyRankedTensor, AnyMemRef],
    "ranked tensor or memref">;

def LinalgExt_FloatShaped : AnyTypeOf<[
    RankedTensorOf<[F16, BF16, F32, F64]>, MemRefOf<[F16, BF16, F32, F64]>],
    "ranked tensor or memref of f16, bf16, f32 or f64 values">;

/// Destination-style op whose indexing maps are projected permutations and
/// which is not a LinalgOp.
class LinalgExt_StructuredOp<string mnemonic, list<Trait> traits = []>
    : LinalgExt_Op<mnemonic, !listconcat([
        DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<IndexingMapOpInterface, ["getIndexingMaps"]>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<ConditionallySpeculatable>,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                  ["reifyResultShapes"]>], traits)> {
  code structuredBaseDecls = [{
    /// The number of dimensions of the iteration domain.
    int64_t getNumLoops();
    /// The kind of each dimension of the iteration domain.
    ::llvm::SmallVector<::mlir::utils::IteratorType> getIteratorTypesArray();
    /// Static shape of an operand; used by IndexingMapOpInterface.
    ::llvm::ArrayRef<int64_t> getShape(::mlir::OpOperand *operand) {
      return ::llvm::cast<::mlir::ShapedType>(operand->get().getType())
          .getShape();
    }
  }];
}

//===----------------------------------------------------------------------===//
// SoftmaxOp
//===----------------------------------------------------------------------===//

def LinalgExt_SoftmaxOp : LinalgExt_StructuredOp<"softmax"> {
  let summary = "Online softmax along one dimension.";
  let description = [{
    Softmax along `dimension`, starting from a running state and yielding the
    state after it. With x of rank r the four inits and results are

    | # | name   | shape                | element type                         |
    |---|--------|----------------------|--------------------------------------|
    | 0 | result | that of x            | that of x                            |
    | 1 | max    | x without `dimension`| the wider of f32 and x's ("state")   |
    | 2 | sum    | as max               | as max                               |
    | 3 | scale  | as max               | as max                               |

    With (m, l) the incoming state (inits 1 and 2), computed in the state type:

    ```
    m' = max(m, max_d x)                    max propagates NaN
    l' = l e^(m - m') + sum_d e^(x - m')
    result = e^(x - m') / l'                0 where l' = 0
    scale  = l e^(m - m') / l'              0 where l' = 0
    ```

    In both exponentials m' is replaced by 0 where it is -inf, so that a row
    whose elements are all -inf so far yields 0 and leaves the state at its
    identity (-inf, 0). From the identity state over the whole dimension,
    `result` is softmax; a fully masked row is 0.

    `scale` repairs what a consumer accumulated from the results of earlier
    tiles. Inits 0 and 3 are only written.

    With `delayed` the results lack their normalisation:
    `result = e^(x - m')`, `scale = e^(m - m')`; dividing by the final sum is
    left to after the last tile.

    With `rescale_threshold(t)` the max is held while it would grow by at most t:
    m' need not be the max, any number that is not far below it serves as well,
    and `scale` is then 1 in most tiles, so that a consumer has nothing to repair.

    ```
    M  = max(m, max_d x)
    m' = m if M - m <= t, else M            M from m = -inf, and to NaN
    ```

    The rest is as above, with `scale` 1 where m' = m in the delayed form. Then
    max - t <= m' <= max, e^(x - m') <= e^t, and `result` of the last tile,
    m' + ln l' and all else in which m' cancels is what it would be without.

    The op refuses every tile along `dimension` unless it is `online`, which
    only a transformation sets that threads the state from tile to tile.

    The recurrences are those of M. Milakov and N. Gimelshein, "Online
    normalizer calculation for softmax" (2018); delaying the normalisation is
    due to T. Dao, "FlashAttention-2" (2023); holding the max, with a threshold
    of 8 in base 2, to T. Zadouri et al., "FlashAttention-4" (2026).

    Constraints:
    - C1: four inits; on tensors four results of their types, on buffers none.
    - C2: `dimension` lies in [0, rank of the input).
    - C3: `result` has the shape and element type of the input.
    - C4: max, sum and scale have the shape of the input without `dimension`
      and the wider of f32 and the input's element type.
    - C5: `rescale_threshold` is finite, not negative, and only given where the
      op is `online`.

    Example:

    ```mlir
    %y:4 = linalg_ext.softmax dimension(1)
        ins(%x : tensor<4x8xf32>)
        outs(%y0, %m0, %l0, %s0 : tensor<4x8xf32>, tensor<4xf32>,
             tensor<4xf32>, tensor<4xf32>)
        -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    ```
  }];
  let arguments = (ins LinalgExt_FloatShaped:$input,
                       Variadic<LinalgExt_FloatShaped>:$outputs,
                       I64Attr:$dimension,
                       UnitAttr:$online,
                       UnitAttr:$delayed,
                       OptionalAttr<F32Attr>:$rescale_threshold);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` (`online` $online^)? (`delayed` $delayed^)?
    (`rescale_threshold` `(` $rescale_threshold^ `)`)? attr-dict
    `ins` `(` $input `:` type($input) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    (`->` type($results)^)?
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::ValueRange":$outputs,
                   "int64_t":$dimension)>
  ];
  let hasVerifier = 1;
  let extraClassDeclaration = structuredBaseDecls # [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
    /// The wider of f32 and `type`, the element type of the running state.
    static ::mlir::Type getStateType(::mlir::Type type);
  }];
}

//===----------------------------------------------------------------------===//
// DiagOp
//===----------------------------------------------------------------------===//

def LinalgExt_DiagOp : LinalgExt_StructuredOp<"diag"> {
  let summary = "Diagonal matrices from vectors.";
  let description = [{
    From `v` of shape [b..., n] builds D of shape [b..., n, n] with
    D[b..., i, j] = v[b..., i] where i = j and a *structural* zero elsewhere:
    in a product, an off-diagonal zero contributes nothing, whatever it meets
    (0 * NaN does not spread). It exists so that a repair that scales rows is an
    ordinary linear operator, P = diag(s) * acc. The lowerings of this project
    compute such products without the matrix; it is built only where its elements
    themselves are used.

    Only the batch dimensions may be tiled.

    Constraints:
    - C1: the input's rank is at least 1.
    - C2: the init has the input's shape with the last dimension repeated, and
      its element type; on tensors the result has the init's type.
  }];
  let arguments = (ins LinalgExt_TensorOrMemRef:$input,
                       LinalgExt_TensorOrMemRef:$output);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    attr-dict
    `ins` `(` $input `:` type($input) `)`
    `outs` `(` $output `:` type($output) `)`
    (`->` type($results)^)?
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$output)>
  ];
  let hasVerifier = 1;
  let extraClassDeclaration = structuredBaseDecls # [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputMutable();
    }
  }];
}

//===----------------------------------------------------------------------===//
// BatchMatmulOp
//===----------------------------------------------------------------------===//

def LinalgExt_BatchMatmulOp : LinalgExt_Op<"batch_matmul", [
    SingleBlockImplicitTerminator<"::mlir::linalg::YieldOp">,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    RecursiveMemoryEffects,
    DestinationStyleOpInterface,
    LinalgStructuredInterface,
    ReifyRankedShapedTypeOpInterface,
    LinalgContractionOpInterface]> {
  let summary = "Matrix product with any number of batch dimensions.";
  let description = [{
    C[h] += sum A[i] * B[j] over the iteration dimensions that C does not have.
    The indexing maps of A, B and C are projected permutations. By default, for
    operands of one rank r, the iteration domain is (b..., m, n, k) and the maps
    are those of a batched matrix product: A[b..., m, k], B[b..., k, n],
    C[b..., m, n]; they are then not printed. Other maps transpose or broadcast:
    in grouped-query attention the maps of K and V lack the group dimension.

    The elements of A and B are converted to the element type of C before they
    are multiplied.

    Constraints:
    - C1: two inputs, one init; on tensors one result of the init's type.
    - C2: every indexing map is a projected permutation of one iteration
      domain, without symbols, with as many results as its operand has
      dimensions.
    - C3: every iteration dimension indexes C and at least one input, or is
      contracted: indexes both inputs and not C. At least one is contracted.
    - C4: operands that share an iteration dimension agree on its size.

    Example:

    ```mlir
    %0 = linalg_ext.batch_matmul
        ins(%a, %b : tensor<2x3x4x5xf32>, tensor<2x3x5x6xf32>)
        outs(%c : tensor<2x3x4x6xf32>) -> tensor<2x3x4x6xf32>
    ```
  }];
  let arguments = (ins Variadic<LinalgExt_TensorOrMemRef>:$inputs,
                       Variadic<LinalgExt_TensorOrMemRef>:$outputs,
                       AffineMapArrayAttr:$indexing_maps);
  let results = (outs Variadic<AnyRankedTensor>:$result_tensors);
  let regions = (region SizedRegion<1>:$combiner);
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                   "::mlir::Value":$init,
                   "::llvm::ArrayRef<::mlir::AffineMap>":$indexingMaps,
                   CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">
                     :$attributes)>,
    OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                   "::mlir::Value":$init)>
  ];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The maps of a batched matrix product of operands of rank `rank` (>= 2).
    static ::llvm::SmallVector<::mlir::AffineMap>
    getDefaultIndexingMaps(int64_t rank, ::mlir::MLIRContext *context);

    bool hasIndexSemantics() { return false; }
    ::llvm::LogicalResult verifyIndexingMapRequiredAttributes();
    ::llvm::LogicalResult reifyResultShapes(
        ::mlir::OpBuilder &b,
        ::mlir::ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
      return ::llvm::cast<::mlir::linalg::LinalgOp>(getOperation())
          .reifyResultShapes(b, reifiedReturnShapes);
    }
    ::llvm::SmallVector<::mlir::utils::IteratorType> getIteratorTypesArray();
    bool hasDynamicIndexingMaps() { return true; }
    bool hasUserDefinedMaps() { return true; }
    static unsigned getNumRegionArgs() { return 3; }
    static void
    regionBuilder(::mlir::ImplicitLocOpBuilder &b, ::mlir::Block &block,
                  ::llvm::ArrayRef<::mlir::NamedAttribute> attrs,
                  ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError);
    static std::function<void(
        ::mlir::ImplicitLocOpBuilder &, ::mlir::Block &,
        ::llvm::ArrayRef<::mlir::NamedAttribute>,
        ::llvm::function_ref<::mlir::InFlightDiagnostic()>)>
    getRegionBuilder() {
      return regionBuilder;
    }
    std::string getLibraryCallName() {
      return "op_has_no_registered_library_name";
    }
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
  }];
}

#endif // MLIR_EXT_DIALECT_LINALGEXT_IR_LINALGEXTOPS
