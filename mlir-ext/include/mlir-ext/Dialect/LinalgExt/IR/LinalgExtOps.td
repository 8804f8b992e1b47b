//===- LinalgExtOps.td - LinalgExt dialect and ops ---------*- tablegen -*-===//
//
// The dialect `linalg_ext`: structured ops that the fusion of dependent
// reductions needs and that upstream's linalg dialect lacks.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_IR_LINALGEXTOPS
#define MLIR_EXT_DIALECT_LINALGEXT_IR_LINALGEXTOPS

include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/IndexingMapOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Dialect
//===----------------------------------------------------------------------===//

def LinalgExt_Dialect : Dialect {
  let name = "linalg_ext";
  let cppNamespace = "::mlir::linalg_ext";
  let summary = "Structured ops for the fusion of dependent reductions.";
  let description = [{
    Structured, destination-style ops on tensors and buffers. They fuse like the
    ops of `linalg`, and add what `linalg` lacks:

    - `softmax` carries its running state from tile to tile, so it can be tiled
      along the dimension that it reduces.
    - `diag` builds a diagonal matrix. The repair of an accumulator, which
      scales its rows, is then a matrix product in the IR.
    - `batch_matmul` has any number of batch dimensions.
    - `paged_gather` reads sequences whose rows are in pages of a pool, or packed
      one after the other. `store_rows` writes such rows.
    - `view_rows` is a view of rows that a list names.

    The discardable unit attribute `linalg_ext.root` marks a root: an op that
    tile-and-fuse tiles, and into whose loops it fuses producers.
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

def LinalgExt_IndexShaped : AnyTypeOf<[
    RankedTensorOf<[Index]>, MemRefOf<[Index]>],
    "ranked tensor or memref of indices">;

/// A destination-style op that is not a LinalgOp. Its indexing maps are
/// projected permutations.
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
  let summary = "Compute softmax along one dimension, with a running state";
  let description = [{
    Computes the softmax of the input x along `dimension`. The op starts from a
    running state and also returns the new state. Tile-and-fuse can therefore
    tile `dimension`, and carry the state from one tile to the next.

    If x has rank r, the four inits and results are

    | # | name   | shape                | element type                         |
    |---|--------|----------------------|--------------------------------------|
    | 0 | result | that of x            | that of x                            |
    | 1 | max    | x without `dimension`| the wider of f32 and x's ("state")   |
    | 2 | sum    | as max               | as max                               |
    | 3 | scale  | as max               | as max                               |

    (m, l) is the incoming state, that is, inits 1 and 2. The op only writes
    inits 0 and 3. It computes in the element type of the state:

    ```
    m' = max(m, max_d x)                    max propagates NaN
    l' = l e^(m - m') + sum_d e^(x - m')
    result = e^(x - m') / l'                0 where l' = 0
    scale  = l e^(m - m') / l'              0 where l' = 0
    ```

    If m' is -inf, both exponentials use 0 in its place. A row whose elements
    have all been -inf so far thus has the result 0, and its state stays the
    identity (-inf, 0).

    If the state is the identity and the op reduces the whole dimension,
    `result` is the usual softmax, except that a fully masked row (all -inf) is
    0.

    `scale` repairs a consumer that has accumulated the results of earlier
    tiles: it is the factor by which the consumer multiplies its accumulator.

    **`online`** allows tiles along `dimension`. Without it, the op rejects
    every tiling of `dimension`. Only a transformation that carries the state
    from tile to tile may set it.

    **`delayed`** omits the normalisation: `result = e^(x - m')` and
    `scale = e^(m - m')`. The consumer divides by the final sum once, after the
    last tile.

    **`rescale_threshold(t)`** keeps the old max while it would grow by at most
    t. `scale` is then 1 in most tiles, so the consumer has nothing to repair.
    This is possible because m' need not be the exact max: any number that is
    not far below it prevents overflow as well.

    ```
    M  = max(m, max_d x)
    m' = m if M - m <= t, else M            M from m = -inf, and to NaN
    ```

    The op takes M if m is -inf or M is NaN. The other formulas do not change.
    In the delayed form `scale` is exactly 1 where m' = m. If max is the maximum
    of all elements so far, then max - t <= m' <= max and e^(x - m') <= e^t.
    Values in which m' cancels, such as `result` of the last tile and
    m' + ln l', are the same as without a threshold.

    The recurrences are those of M. Milakov and N. Gimelshein, "Online
    normalizer calculation for softmax" (2018). Delayed normalisation is due to
    T. Dao, "FlashAttention-2" (2023). Keeping the max, with a threshold of 8 in
    base 2, is due to T. Zadouri et al., "FlashAttention-4" (2026).

    Constraints:
    - C1: four inits; on tensors four results of their types, on buffers none.
    - C2: `dimension` lies in [0, rank of the input).
    - C3: `result` has the shape and element type of the input.
    - C4: max, sum and scale have the shape of the input without `dimension`
      and the wider of f32 and the input's element type.
    - C5: `rescale_threshold` is finite and not negative, and requires `online`.

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
  let summary = "Build diagonal matrices from vectors";
  let description = [{
    Builds diagonal matrices D of shape [b..., n, n] from the input `v` of shape
    [b..., n]. D[b..., i, j] is v[b..., i] if i = j. Elements off the diagonal
    are *structural* zeros: a product with D ignores the elements that they are
    multiplied with, even NaN and infinities.

    The op expresses a repair that scales rows as a linear operator,
    P = diag(s) * acc. The lowerings of this project compute such a product as a
    scaling of rows, without the matrix. They build the matrix only if another
    op reads its elements.

    Only the batch dimensions b can be tiled.

    Constraints:
    - C1: the input's rank is at least 1.
    - C2: the init has the input's shape with the last dimension repeated, and
      its element type; on tensors the result has the init's type.
    - C3: the elements are signless integers, floats or indices.
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
  let summary = "Multiply matrices with any number of batch dimensions";
  let description = [{
    Computes C[h] += sum A[i] * B[j]. The sum is over the iteration dimensions
    that C does not have. The op converts the elements of A and B to the element
    type of C before it multiplies them.

    The indexing maps of A, B and C are projected permutations. By default the
    iteration domain is (b..., m, n, k), and the maps are those of a batched
    matrix product: A[b..., m, k], B[b..., k, n] and C[b..., m, n]. The operands
    then have the same rank, at least 2, and the maps are not printed.

    Other maps transpose or broadcast. In grouped-query attention, for example,
    the maps of K and V lack the group dimension.

    Constraints:
    - C1: two inputs, one init; on tensors one result of the init's type.
    - C2: every indexing map is a projected permutation, without symbols. All
      maps have the same iteration domain. Each map has as many results as its
      operand has dimensions.
    - C3: every iteration dimension either indexes C and at least one input, or
      is contracted: it then indexes both inputs, and not C. At least one
      dimension is contracted.
    - C4: operands that share an iteration dimension have the same size along
      it.

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
    /// Returns the maps of a batched matrix product. All operands have rank
    /// `rank`, which is at least 2.
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

//===----------------------------------------------------------------------===//
// PagedGatherOp
//===----------------------------------------------------------------------===//

def LinalgExt_IntShaped : AnyTypeOf<[
    RankedTensorOf<[I32, I64, Index]>, MemRefOf<[I32, I64, Index]>],
    "ranked tensor or memref of i32, i64 or index values">;

def LinalgExt_PagedGatherOp : LinalgExt_Op<"paged_gather", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<IndexingMapOpInterface, ["getIndexingMaps"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "Gather the rows of sequences that are paged or packed";
  let description = [{
    Reads sequences that share one pool, and returns them as an ordinary tensor.
    Paged attention then needs no op of its own: K and V are results of this op,
    and fusion moves the gather into the loop over the keys.

    `sequence` is the dimension of the result for positions in a sequence, and
    `batch` lists the dimensions for the different sequences. The other
    dimensions are those of a row, such as heads and features. `pool_dims` has
    an entry for each dimension of the pool:

    - a dimension of the result: the pool is read at the same coordinate;
    - `sequence`: the dimension of the rows of a page, or of all rows of a
      packed pool. Its size is PS;
    - -1: the dimension of the pages.

    Let b be the batch coordinates of an element, and

    ```
    s = offset + the coordinate along `sequence`     offset: 0 if absent
    n = lengths[b]                                   infinite if absent
    p = floor(s / PS),  r = s - p * PS
    ```

    There are three forms. They differ in the operands that are present:

    | form       | operands                | page                  | row           |
    |------------|-------------------------|-----------------------|---------------|
    | pages      | table                   | table[b, p]           | r             |
    | flat table | table, starts           | table[starts[b] + p]  | r             |
    | packed     | starts, lengths         | none                  | starts[b] + s |

    Pages by pointer are the first form: all of memory is the pool, with a page
    every 16 bytes (docs/Rationale/LinalgExtDialect.md).

    The element of the result is the element of the pool at this page and row.
    It is zero if

    - s >= n,
    - the index into the table is out of bounds, or
    - the pool does not have the page or, packed, the row.

    So an entry of the table that is negative or too large stands for a page of
    zeros. Zeros are not a mask: the scores of these keys are 0, not -inf. To
    mask keys after the end of a sequence, mask the scores by the lengths, too.

    The pool is not read for elements that are zero. The table is not read at
    p >= ceil(n / PS): entries after the end of a sequence may have any value.

    Example: pages of 2 rows of 1 element, and two sequences, of 3 rows and of 1.

    ```
    pool    = [[a, b], [c, d], [e, f]]
    table   = [[2, 0], [1, -1]]
    lengths = [3, 1]
    result  = [[e, f, a, 0], [c, 0, 0, 0]]
    ```

    ```mlir
    %k = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
        pool(%pool : tensor<3x2xf32>) table(%table : tensor<2x2xi32>)
        lengths(%lengths : tensor<2xi32>)
        outs(%init : tensor<2x4xf32>) -> tensor<2x4xf32>
    ```

    The op only writes the init. A tile of the result takes slices of `lengths`,
    `starts` and the batch dimensions of the table, and adds its position to
    `offset`. It takes all pages and rows, since any of them may be read.

    Constraints:
    - C1: on tensors one result of the init's type, on buffers none. The elements
      of the init are signless integers, floats or indices.
    - C2: `sequence` lies in [0, rank of the init).
    - C3: `batch` has distinct dimensions of the init, without `sequence`.
    - C4: `pool_dims` has one entry for each dimension of the pool. It contains
      `sequence` once. It contains -1 once if there is a table, and otherwise
      not. All other entries are distinct dimensions of the init.
    - C5: without a table there are `starts` and `lengths`.
    - C6: `lengths` and `starts` have the shape of the dimensions in `batch`. So
      has the table, with one more dimension; with `starts` the table has rank 1.
    - C7: the pool has the element type of the init, and its size along each
      dimension that both have.
    - C8: PS is not 0 if it is static.
  }];
  let arguments = (ins LinalgExt_TensorOrMemRef:$pool,
                       Optional<LinalgExt_IntShaped>:$table,
                       Optional<LinalgExt_IntShaped>:$starts,
                       Optional<LinalgExt_IntShaped>:$lengths,
                       Optional<Index>:$offset,
                       LinalgExt_TensorOrMemRef:$output,
                       I64Attr:$sequence_dim,
                       DenseI64ArrayAttr:$batch_dims,
                       DenseI64ArrayAttr:$pool_dims);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `sequence` `(` $sequence_dim `)` `batch` $batch_dims `pool_dims` $pool_dims
    attr-dict
    `pool` `(` $pool `:` type($pool) `)`
    (`table` `(` $table^ `:` type($table) `)`)?
    (`starts` `(` $starts^ `:` type($starts) `)`)?
    (`lengths` `(` $lengths^ `:` type($lengths) `)`)?
    (`offset` `(` $offset^ `)`)?
    `outs` `(` $output `:` type($output) `)`
    (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = [{
    /// The entry of `pool_dims` of the dimension that has the pages.
    static constexpr int64_t kPageDim = -1;

    /// The rank of the result.
    int64_t getNumLoops();
    /// All dimensions are parallel.
    ::llvm::SmallVector<::mlir::utils::IteratorType> getIteratorTypesArray();
    /// Returns whether the pool has pages; it is packed otherwise.
    bool isPaged() { return static_cast<bool>(getTable()); }
    /// Returns whether one list has the pages of all sequences.
    bool hasFlatTable() { return getTable() && getStarts(); }
    /// The dimension of the pool that has the pages, if it has pages.
    std::optional<int64_t> getPoolPageDim();
    /// The dimension of the pool that has the rows.
    int64_t getPoolRowDim();
    /// The dimension of the result that indexes dimension `dim` of `operand`;
    /// none if tiles of the result take that dimension whole.
    std::optional<int64_t> getResultDim(::mlir::OpOperand &operand,
                                        int64_t dim);

    /// Returns whether `operand` is the pool or the table, of which any element
    /// may be read.
    bool isLookedUp(::mlir::OpOperand &operand);

    /// Static shape of an operand; used by IndexingMapOpInterface.
    ::llvm::ArrayRef<int64_t> getShape(::mlir::OpOperand *operand) {
      auto type = ::llvm::dyn_cast<::mlir::ShapedType>(
          operand->get().getType());
      return type ? type.getShape() : ::llvm::ArrayRef<int64_t>();
    }
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputMutable();
    }
  }];
}

//===----------------------------------------------------------------------===//
// StoreRowsOp
//===----------------------------------------------------------------------===//

def LinalgExt_StoreRowsOp : LinalgExt_Op<"store_rows", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "Store the rows of sequences in pages or packed";
  let description = [{
    The inverse of `paged_gather`: writes the rows of sequences to a pool, and
    does not change the rest of the pool. Programs use it to append new keys and
    values to a paged cache, and to pack the result of attention to sequences of
    different lengths.

    `rows` is an ordinary tensor, like the result of `paged_gather`. `sequence`,
    `batch`, `pool_dims` and the operands mean the same as there. Let b be the
    batch coordinates of an element of `rows`, and

    ```
    s = offsets[b] + the coordinate along `sequence`     offsets: 0 if absent
    n = lengths[b]                                       infinite if absent
    p = floor(s / PS),  r = s - p * PS
    ```

    | form       | operands                | page                  | row           |
    |------------|-------------------------|-----------------------|---------------|
    | pages      | table                   | table[b, p]           | r             |
    | flat table | table, starts           | table[starts[b] + p]  | r             |
    | packed     | starts, lengths         | none                  | starts[b] + s |

    The element of the pool at this page and row becomes the element of `rows`.
    An element is not stored if

    - s >= n,
    - offsets[b] or starts[b] is negative,
    - the index into the table is out of bounds, or
    - the pool does not have the page or, packed, the row.

    The table is not read if s >= n. If two elements are stored to the same
    element of the pool, the result is undefined.

    Example: appends one row to each of two sequences, which have 2 rows and 0
    rows before. Pages have 2 rows of 1 element.

    ```
    rows    = [[x], [y]]
    offsets = [2, 0]
    table   = [[2, 0], [1, -1]]
    pool    = [[a, b], [c, d], [e, f]]
    result  = [[x, b], [y, d], [e, f]]
    ```

    ```mlir
    %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1]
        rows(%rows : tensor<2x1xf32>) table(%table : tensor<2x2xi32>)
        offsets(%offsets : tensor<2xi32>)
        outs(%pool : tensor<3x2xf32>) -> tensor<3x2xf32>
    ```

    Constraints, with the numbers that they have for `paged_gather`:
    - C1: on tensors one result of the pool's type, on buffers none. The elements
      of `rows` are signless integers, floats or indices.
    - C2: `sequence` lies in [0, rank of `rows`).
    - C3: `batch` has distinct dimensions of `rows`, without `sequence`.
    - C4: `pool_dims` has one entry for each dimension of the pool. It contains
      `sequence` once. It contains -1 once if there is a table, and otherwise
      not. All other entries are distinct dimensions of `rows`.
    - C5: without a table there are `starts` and `lengths`.
    - C6: `lengths`, `starts` and `offsets` have the shape of the dimensions in
      `batch`. So has the table, with one more dimension; with `starts` the table
      has rank 1.
    - C7: the pool has the element type of `rows`, and its size along each
      dimension that both have.
    - C8: PS is not 0 if it is static.
    - C9: each dimension of `rows` is in `batch` or in `pool_dims`, none in both.
  }];
  let arguments = (ins LinalgExt_TensorOrMemRef:$rows,
                       Optional<LinalgExt_IntShaped>:$table,
                       Optional<LinalgExt_IntShaped>:$starts,
                       Optional<LinalgExt_IntShaped>:$lengths,
                       Optional<LinalgExt_IntShaped>:$offsets,
                       LinalgExt_TensorOrMemRef:$pool,
                       I64Attr:$sequence_dim,
                       DenseI64ArrayAttr:$batch_dims,
                       DenseI64ArrayAttr:$pool_dims);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `sequence` `(` $sequence_dim `)` `batch` $batch_dims `pool_dims` $pool_dims
    attr-dict
    `rows` `(` $rows `:` type($rows) `)`
    (`table` `(` $table^ `:` type($table) `)`)?
    (`starts` `(` $starts^ `:` type($starts) `)`)?
    (`lengths` `(` $lengths^ `:` type($lengths) `)`)?
    (`offsets` `(` $offsets^ `:` type($offsets) `)`)?
    `outs` `(` $pool `:` type($pool) `)`
    (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The entry of `pool_dims` of the dimension that has the pages.
    static constexpr int64_t kPageDim = PagedGatherOp::kPageDim;

    /// The rank of `rows`.
    int64_t getNumLoops();
    /// Returns whether the pool has pages; it is packed otherwise.
    bool isPaged() { return static_cast<bool>(getTable()); }
    /// Returns whether one list has the pages of all sequences.
    bool hasFlatTable() { return getTable() && getStarts(); }
    /// The dimension of the pool that has the pages, if it has pages.
    std::optional<int64_t> getPoolPageDim();
    /// The dimension of the pool that has the rows.
    int64_t getPoolRowDim();

    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getPoolMutable();
    }
  }];
}

//===----------------------------------------------------------------------===//
// ViewRowsOp
//===----------------------------------------------------------------------===//

def LinalgExt_ViewRowsOp : LinalgExt_Op<"view_rows", [
    Pure, InferTypeOpAdaptor,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "View the rows that a list names, where they are";
  let description = [{
    Returns a view of `source` whose first dimension is that of the rows in
    `list`. Entry [i, k] of `list` is the coordinate of row i along dimension
    `dims[k]` of `source`. The other dimensions of the result are the other
    dimensions of `source`, in their order.

    With `dims` = [0, 2], for example,

    ```
    result[i, h, d] = source[list[i, 0], h, list[i, 1], d]
    ```

    No row is copied. So the rows of a buffer lie where `source` has them, in any
    order: the stride of the first dimension is not known, and no stride
    describes it. `linalg-ext-legalize-buffers{steps=resolve-view-rows}` replaces
    loads of the view by loads of `list` and `source`. Before that, structured
    ops read the view like any other buffer. The view shows what `list` and
    `source` have when it is read. It must not be written to.

    An entry that is out of bounds is undefined behaviour if its row is read.

    ```mlir
    %rows = linalg_ext.view_rows %pool[%list] dims [0, 2]
        : tensor<?x8x3x128xf32>, tensor<256x2xindex>
    ```

    Constraints:
    - C1: both operands are tensors, or both are buffers.
    - C2: the list has rank 2, and `dims` has as many entries as a row of the list.
    - C3: `dims` has distinct dimensions of the source, and at least one.
    - C4: the layout of a buffer has strides.
  }];
  let arguments = (ins LinalgExt_TensorOrMemRef:$source,
                       LinalgExt_IndexShaped:$list,
                       DenseI64ArrayAttr:$dims);
  let results = (outs LinalgExt_TensorOrMemRef:$result);
  let assemblyFormat = [{
    $source `[` $list `]` `dims` $dims attr-dict
    `:` type($source) `,` type($list)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The dimensions of the source that are dimensions of a row.
    ::llvm::SmallVector<int64_t> getDimsOfRow();
    /// The layout of the view of a buffer; fails if that has no strides.
    static ::mlir::FailureOr<::mlir::StridedLayoutAttr>
    getLayout(::mlir::MemRefType source, ::llvm::ArrayRef<int64_t> dims);
  }];
}

#endif // MLIR_EXT_DIALECT_LINALGEXT_IR_LINALGEXTOPS
