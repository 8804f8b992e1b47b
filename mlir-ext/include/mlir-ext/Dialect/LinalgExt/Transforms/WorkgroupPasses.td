//===- WorkgroupPasses.td - Passes over workgroups of GPUs -*- tablegen -*-===//
//
// From structured ops to loops over workgroups, to tiles as vectors, to kernels.
// Included by Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_WORKGROUPPASSES
#define MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_WORKGROUPPASSES

include "mlir-ext/Dialect/LinalgExt/Transforms/ProgramPasses.td"

def LinalgExtTileToWorkgroupsPass
    : LinalgExt_Pass<"linalg-ext-tile-to-workgroups"> {
  let summary = "Tile linalg ops outside of workgroups into workgroups";
  let description = [{
    Tiles each linalg op on tensors that is in no `scf.forall` into an
    `scf.forall` mapped to workgroups (`#gpu.block<linear_dim_i>`; the innermost
    loop is linear_dim_0). Run it after `linalg-ext-tile-and-fuse` (or
    `linalg-ext-fuse-for-gpu`), which leaves other ops untiled: plain products,
    norms, reductions and elementwise ops. An op without parallel dimensions
    gets one workgroup. With this pass, every linalg op becomes part of a GPU
    kernel. Lower named LinalgExt ops with `linalg-ext-decompose` first.

    **Fusion.** The pass starts from the last op and goes backwards. Each op
    takes producers into its workgroups if no other op uses them and if fusion
    computes nothing twice:

    - elementwise ops and fills;
    - one contraction, if the op is its elementwise epilogue; or up to four
      contractions that share an operand, which are then summed in one loop;
    - reductions of rows of at most `max-row` elements.

    The elementwise epilogue of a contraction stays with that contraction. It
    does not become the prologue of the next one.

    **Narrow elements.** Contractions of elements of at most 16 bits, which run
    on tensor cores, use `narrow-rows`, `narrow-columns` and `narrow-reduction`.
    If their sizes are static, the pass chooses the tile of at most
    `narrow-rows` x `narrow-columns` with which `processors` processors are done
    first (docs/Rationale/WorkgroupTiles.md). It uses `small-reduction` where
    that tile is smaller, or where each processor has one workgroup.

    **Horizontal fusion.** Elementwise ops that have the same loops, read
    the same tensor and do not use each other first become one op, so that they
    share a kernel. An example are the two halves of a rotation. The same happens
    to the results of two contractions that share an operand, if neither has more
    workgroups than there are processors (keys and values).

    **Reduction loops.** A workgroup reduces a contraction in an `scf.for` with
    a step of `reduction`. It reduces rows in an `scf.for` with a step of
    `row-tile` if they are longer than `max-row` or of dynamic length.
    Reductions that are in an `scf.forall` already get such a loop if their size
    has no constant bound.

    **Long rows.** With `fuse-long-rows` an op also takes along reductions over
    longer rows that it needs. Each of these reductions, and the op itself, then
    has its own loop over the row. Each loop recomputes the elementwise ops
    before it. A softmax thus becomes three loops, and the second and third find
    the row in a cache. If `row-elements` is not 0, a workgroup has one such
    row.

    **Versions for short rows.** `short-rows` applies to long rows of dynamic
    length. For each listed length the pass adds an `scf.forall` for rows up to
    this length. A row is then one tile, and a workgroup has several rows, with
    `row-elements` elements in all. Only one version has iterations at run time:
    the pass multiplies the loop bounds by 0 or 1.

    **Versions for few rows.** `few-rows` applies to contractions of elements of
    at most 16 bits. For each listed number the pass adds, in the same way, an
    `scf.forall` for contractions with at most this number of rows. If the
    number of rows is static, it builds only the version that fits. Such a
    version splits the sums into chunks (split-K), so that there are about 264
    workgroups. The chunks form an `scf.forall` in the workgroup. Run
    `linalg-ext-fission-forall` afterwards to give each chunk a workgroup. If
    the number of chunks is dynamic and may be one, the pass also adds a version
    without chunks.

    Before:

    ```mlir
    %0 = linalg.matmul ins(%a, %b : tensor<512x256xf16>, tensor<256x128xf16>)
        outs(%zeros : tensor<512x128xf32>) -> tensor<512x128xf32>
    ```

    After:

    ```mlir
    %0 = scf.forall (%i, %j) = (0, 0) to (512, 128) step (64, 64)
        shared_outs(%o = %empty) -> (tensor<512x128xf32>) {
      ..
      %zeros = linalg.fill ..
      %c = scf.for %k = %c0 to %c256 step %c64 iter_args(%acc = %zeros) -> .. {
        ..
        %d = linalg.matmul ins(.. : tensor<64x64xf16>, tensor<64x64xf16>) ..
      }
      ..
    } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
    ```
  }];
  let options = [
    Option<"rows", "rows", "int64_t", /*default=*/"64",
           "Rows of the result that one workgroup computes">,
    Option<"columns", "columns", "int64_t", /*default=*/"64",
           "Columns of the result that one workgroup computes">,
    Option<"reduction", "reduction", "int64_t", /*default=*/"64",
           "Elements of a contraction's reduction in one iteration">,
    Option<"narrowRows", "narrow-rows", "int64_t", /*default=*/"0",
           "Like rows, for contractions of elements of at most 16 bits; 0 uses "
           "rows and columns for them">,
    Option<"narrowColumns", "narrow-columns", "int64_t", /*default=*/"0",
           "Like columns, for contractions of elements of at most 16 bits; 0 "
           "uses rows and columns for them">,
    Option<"narrowReduction", "narrow-reduction", "int64_t", /*default=*/"0",
           "Like reduction, for contractions of elements of at most 16 bits; 0 "
           "uses reduction for them">,
    Option<"processors", "processors", "int64_t", /*default=*/"132",
           "Number of processors of the device, which the tiles of contractions "
           "of static sizes are chosen for; 0 takes narrow-rows and "
           "narrow-columns as they are">,
    Option<"smallReduction", "small-reduction", "int64_t", /*default=*/"0",
           "Step of the reduction where such a tile is smaller, or processors "
           "have one workgroup each; 0 takes narrow-reduction">,
    Option<"maxRow", "max-row", "int64_t", /*default=*/"1024",
           "Longest row that is reduced in one tile, in elements">,
    Option<"rowTile", "row-tile", "int64_t", /*default=*/"256",
           "Elements of a longer row in one iteration (at most max-row)">,
    Option<"fuseLongRows", "fuse-long-rows", "bool", /*default=*/"false",
           "Reduce rows longer than max-row in the workgroup that reads them "
           "again">,
    Option<"rowElements", "row-elements", "int64_t", /*default=*/"0",
           "Most elements in the rows of one workgroup that reduces rows, but "
           "at least one row; 0 sets no bound">,
    ListOption<"shortRows", "short-rows", "int64_t",
               "Lengths in ascending order: add a version for dynamic rows up "
               "to each length (needs fuse-long-rows)">,
    ListOption<"fewRows", "few-rows", "int64_t",
               "Numbers of rows in ascending order: add a version with split "
               "sums for contractions of elements of at most 16 bits up to "
               "each number">,
    Option<"minSplit", "min-split", "int64_t", /*default=*/"512",
           "Fewest elements in a chunk of a split sum">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def LinalgExtFissionForallPass : LinalgExt_Pass<"linalg-ext-fission-forall"> {
  let summary = "Split nested scf.forall loops into two consecutive loops";
  let description = [{
    Splits two nested `scf.forall` loops on tensors into two consecutive loops
    (loop fission). The inner loop is directly in the body of the outer loop.

    - The first loop runs over the iterations of both. It stores what the inner
      loop computes in tensors that have one slot for each iteration of the
      outer loop.
    - The second loop is the outer loop with the rest of its body. Each
      iteration reads its slot.

    Both loops compute the ops that both need. The inner loop may be a loop over
    the chunks of a reduction, such as a `split` level of
    `linalg-ext-tile-and-fuse`. Each chunk then gets a workgroup (or a thread)
    of its own.

    Preconditions: the bounds of the inner loop do not depend on the outer loop.
    Its outputs are allocated in the body of the outer loop and have bounded
    sizes. The ops of the outer body that it depends on have no side effects.
    The pass leaves other inner loops where they are, with a remark. It also
    leaves loops that are mapped to something other than `#gpu.block`, without a
    remark.

    Before:

    ```mlir
    %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8xf32>) {
      %e = bufferization.alloc_tensor() : tensor<4xf32>
      %slots = scf.forall (%c) in (4) shared_outs(%arg = %e) -> (tensor<4xf32>) {
        .. // a partial result, from %i and %c
      }
      .. // the result for %i, from %slots
    }
    ```

    After:

    ```mlir
    %e = bufferization.alloc_tensor() : tensor<8x4xf32>
    %all = scf.forall (%i, %c) in (8, 4) shared_outs(%arg = %e) -> (tensor<8x4xf32>) {
      ..
    }
    %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8xf32>) {
      %slots = tensor.extract_slice %all[%i, 0] [1, 4] [1, 1]
             : tensor<8x4xf32> to tensor<4xf32>
      ..
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def LinalgExtLongestFirstPass : LinalgExt_Pass<"linalg-ext-longest-first"> {
  let summary = "Run the longest iterations of an scf.forall first";
  let description = [{
    Reverses a dimension of an `scf.forall` if its later iterations take longer.
    A GPU starts workgroups in order. Without this pass the longest workgroups
    would start last and run alone at the end, while the rest of the GPU is
    idle.

    The pass compares iterations by the total trip count of the `scf.for` loops
    in the body. The loop bounds must show that this count grows with the
    induction variable. The bounds that `linalg-ext-tighten-loop-bounds`
    computes for causal attention show this. The step of the dimension must be
    constant. The pass leaves other dimensions alone.

    Before:

    ```mlir
    scf.forall (%i) = (0) to (%n) step (64) {
      %end = affine.apply affine_map<(d0) -> (d0 + 64)>(%i)
      scf.for %j = %c0 to %end step %c64 {
        ..
    ```

    After:

    ```mlir
    scf.forall (%i) = (0) to (%n) step (64) {
      %r = affine.apply affine_map<(d0)[s0] -> (-d0 + ((s0 - 1) floordiv 64) * 64)>(%i)[%n]
      %end = affine.apply affine_map<(d0) -> (d0 + 64)>(%r)
      scf.for %j = %c0 to %end step %c64 {
        ..
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect"];
}

def LinalgExtMapForallToLaunchPass
    : LinalgExt_Pass<"linalg-ext-map-forall-to-launch"> {
  let summary = "Turn each scf.forall over workgroups into a gpu.launch";
  let description = [{
    Replaces each outermost `scf.forall` on buffers by a `gpu.launch` with one
    block for each iteration. A block has `num-threads` threads. Each thread
    gets the whole loop body; a later pass distributes the work among the
    threads. The code before the launch computes the number of blocks, which may
    be dynamic. The grid has one dimension, and the last loop varies fastest.

    The pass leaves a loop alone if it is mapped to something other than
    `#gpu.block`. It leaves a loop on tensors alone, with a remark. If a loop
    has no iterations, the grid has 0 blocks. The host must not launch such a
    grid, since CUDA reports an error.

    A `band` of more than 1 changes the order of the blocks for better cache
    reuse (swizzling). It applies if some vector reads depend on the last loop
    only, and others on the loop around it only, as for the tiles of a matrix
    product. The blocks of `band` iterations of the outer loop then follow each
    other, with the outer loop varying fastest. Blocks that run at the same time
    thus share more of what they read. If blocks become shorter along the last
    loop alone, as `linalg-ext-longest-first` leaves causal attention, bands
    consist of iterations of all other loops together, as many as have 256 blocks
    (rounded up to a power of two; `band` if this number is not known). The
    longest blocks of a band then run first, and short ones run at the end.

    The pass also replaces a `memref.expand_shape` by a
    `memref.reinterpret_cast` if a vector extends across the split dimensions.
    Upstream's `fold-memref-alias-ops` (22.1.8) would fold such an op
    incorrectly.

    Before:

    ```mlir
    scf.forall (%i, %j) = (0, 0) to (8, %n) step (1, 64) {
      ..
    }
    ```

    After:

    ```mlir
    %grid = affine.apply affine_map<()[s0] -> ((s0 ceildiv 64) * 8)>()[%n]
    gpu.launch blocks(%x, ..) in (%.. = %grid, ..) threads(..) in (%.. = %c128, ..) {
      %id:2 = affine.delinearize_index %x into (8, %count)
      %j = affine.apply affine_map<(d0) -> (d0 * 64)>(%id#1)
      ..
      gpu.terminator
    }
    ```
  }];
  let options = [
    Option<"numThreads", "num-threads", "int64_t", /*default=*/"128",
           "Threads in a block (1 to 1024)">,
    Option<"band", "band", "int64_t", /*default=*/"1",
           "Iterations of the second-to-last loop whose blocks follow each "
           "other, if both loops share what they read; 1 keeps the order of "
           "the loops">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect"
  ];
}

def LinalgExtMapOpsToLaunchesPass
    : LinalgExt_Pass<"linalg-ext-map-ops-to-launches"> {
  let summary = "Turn ops on buffers outside of kernels into scalar kernels";
  let description = [{
    Replaces each op on buffers that is in no kernel by a `gpu.launch` of scalar
    code. Each thread computes one iteration of the parallel dimensions.
    Reduction dimensions become loops in the thread. The pass applies to ops
    that implement TilingInterface and to `memref.copy` of ranked memrefs. It
    also moves each `memref.store` outside of kernels into a launch of one
    thread.

    This is the fallback for ops that have no workgroup: it is slow, but takes
    any shape. Run it after `linalg-ext-map-forall-to-launch`. The pass emits a
    remark for each kernel, unless `report` is `none`. With `require-fusion`
    such a kernel is an error if the op computes something: if it reduces, or if
    its payload has arithmetic.

    The pass reports an error if a kernel still contains an op that implements
    TilingInterface. `linalg-ext-vectorize-tiles` should have rewritten it.

    Before:

    ```mlir
    linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)
                  outs(%c : memref<?x?xf32>)
    ```

    After:

    ```mlir
    gpu.launch blocks(%x, ..) in (%.. = %grid, ..) threads(%t, ..) in (%.. = %c128, ..) {
      %first = arith.muli %x, %c128 : index
      %id = arith.addi %first, %t : index
      %exists = arith.cmpi slt, %id, %total : index
      scf.if %exists {
        %at:2 = affine.delinearize_index %id into (%m, %n)
        scf.for %k = %c0 to %size step %c1 {
          ..
          memref.store %sum, %c[%at#0, %at#1] : memref<?x?xf32>
        }
      }
      gpu.terminator
    }
    ```
  }];
  let options = [
    Option<"numThreads", "num-threads", "int64_t", /*default=*/"128",
           "Threads in a block (1 to 1024)">,
    Option<"report", "report", "std::string", /*default=*/"\"missed\"",
           "Remarks to emit: none, or one for each kernel (missed and all, "
           "which mean the same)">,
    Option<"requireFusion", "require-fusion", "bool", /*default=*/"false",
           "Report an error for each op that computes and becomes a scalar "
           "kernel">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def LinalgExtVectorizeTilesPass
    : LinalgExt_Pass<"linalg-ext-vectorize-tiles"> {
  let summary = "Rewrite tiles of tensors in workgroups as vectors";
  let description = [{
    Rewrites the body of each outermost `scf.forall` (the program of a
    workgroup) from tensors to vectors. Tiles then stay in registers from op to
    op and across the iterations of loops.

    Each vector is as large as its tile can become. Structured ops become
    elementwise ops, `vector.contract` and `vector.multi_reduction`. Loops and
    branches carry vectors. `vector.transfer_read` reads tensors from outside,
    and `vector.transfer_write` writes the results. No other op has a mask.

    Precondition: tensors, after tiling to workgroups. The sizes of the tiles
    need constant upper bounds, such as those of an `affine.min`. The sizes
    themselves may be dynamic.

    - The pass drops dimensions of one element: a tile of 1 x 1 x 64 x 128
      elements becomes a matrix.
    - The pass pads a tile that is smaller than its vector with zeros as it
      reads it. Elements that ops compute beyond the tile are unspecified. The
      pass replaces them by zeros before a contraction, and by the neutral
      element before a reduction.
    - If a contraction extends its factors to a wider type, `vector.contract`
      takes the factors as they are and extends them.
    - The discardable attribute `vector_ext.config` of a contraction moves to
      its `vector.contract`.
    - The pass hoists loop-invariant ops, except broadcasts, out of `scf.for`.

    If an op has no vector form, the pass leaves it, with a remark. It writes
    the tiles that the op reads to tensors before the op.

    Before:

    ```mlir
    %0 = scf.forall (%i) = (0) to (50) step (16)
        shared_outs(%o = %init) -> (tensor<50xf32>) {
      %size = affine.min affine_map<(d0) -> (-d0 + 50, 16)>(%i)
      %a = tensor.extract_slice %x[%i] [%size] [1]
          : tensor<50xf32> to tensor<?xf32>
      %b = tensor.extract_slice %o[%i] [%size] [1]
          : tensor<50xf32> to tensor<?xf32>
      %c = linalg.exp ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>)
          -> tensor<?xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %c into %o[%i] [%size] [1]
            : tensor<?xf32> into tensor<50xf32>
      }
    }
    ```

    After, in the body:

    ```mlir
    %mask = vector.create_mask %size : vector<16xi1>
    %a = vector.transfer_read %x[%i], %zero, %mask {in_bounds = [true]}
        : tensor<50xf32>, vector<16xf32>
    %c = math.exp %a : vector<16xf32>
    %b = tensor.extract_slice %o[%i] [%size] [1]
        : tensor<50xf32> to tensor<?xf32>
    %d = vector.transfer_write %c, %b[%c0], %mask {in_bounds = [true]}
        : vector<16xf32>, tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%i] [%size] [1]
          : tensor<?xf32> into tensor<50xf32>
    }
    ```
  }];
  let options = [
    Option<"maxElements", "max-elements", "int64_t", /*default=*/"65536",
           "Most elements of a vector; an op that needs larger vectors stays "
           "on tensors">,
    Option<"multipleOf", "multiple-of", "int64_t", /*default=*/"1",
           "Round the size of a vector up to a multiple of this, in each "
           "dimension of more than one element">,
    Option<"rowMultipleOf", "row-multiple-of", "int64_t", /*default=*/"0",
           "Like multiple-of, for workgroups without a contraction; smaller "
           "dimensions become a power of two; 0 uses multiple-of">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // MLIR_EXT_DIALECT_LINALGEXT_TRANSFORMS_WORKGROUPPASSES
