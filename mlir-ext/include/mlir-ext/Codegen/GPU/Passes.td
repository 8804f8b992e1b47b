//===- Passes.td - From tiles to workgroups, vectors and launches -*- tablegen -*--===//
//
// From tiles to workgroups, vectors and launches.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_GPU_PASSES
#define MLIR_EXT_CODEGEN_GPU_PASSES

include "mlir-ext/Support/PassBase.td"

def LinalgExtTileToWorkgroupsPass
    : LinalgExt_Pass<"linalg-ext-tile-to-workgroups"> {
  let summary = "Tile linalg ops outside of workgroups into workgroups";
  let description = [{
    Tiles each linalg op on tensors that is in no `scf.forall` into an
    `scf.forall` mapped to workgroups (`#gpu.block<linear_dim_i>`; the innermost
    loop is linear_dim_0). Run it after `linalg-ext-tile-and-fuse` (or
    `linalg-ext-fuse{target=gpu}`), which leaves other ops untiled: plain
    products, norms, reductions and elementwise ops. An op without parallel
    dimensions gets one workgroup. With this pass, every linalg op becomes part
    of a GPU kernel. Lower named LinalgExt ops with `linalg-ext-decompose`
    first.

    **Fusion.** The pass starts from the last op and goes backwards. An op takes a
    producer into its workgroups if fusion computes nothing twice, and if no other
    op uses the producer. Without contractions, later ops may use it, too: the
    workgroups then also yield its tiles. The pass fuses

    - elementwise ops and fills;
    - one contraction, if the op is its elementwise epilogue; or up to four
      contractions that share an operand, which are then summed in one loop;
    - reductions of rows of at most `max-row` elements.

    The elementwise epilogue of a contraction stays with that contraction. It
    does not become the prologue of the next one.

    **Contiguous loops.** Before fusion, two loops over rows, columns or sums of a
    contraction become one if they are contiguous in its operands and results, and in
    those of the ops that are fused with it. The inner one must not have whole tiles.
    The 197 tokens of each of 64 images, for example, are 12608 rows. Sizes of rows and
    columns need not be known. What is in memory is reshaped in front and behind:
    arguments, results, and what loops over workgroups read.

    **Windows.** Before fusion, the pass gathers each operand that is read at a sum
    of loops, or at another function of loops, as in convolutions and poolings. An
    elementwise op extracts the elements of the windows. A convolution is then a
    matrix product. Its workgroups gather the windows of their tiles.

    **Tile sizes.** A workgroup computes `rows` x `columns` elements of the result.
    Where these are 0, they are 64 x 64, or 128 x 128 for contractions of elements of
    at most 16 bits, which run on tensor cores. If both are 0, and the sizes of such a
    contraction are static, the pass chooses the tile of at most 128 x 128 that is
    estimated to be fastest on the target (docs/Rationale/WorkgroupTiles.md). If
    `reduction` is 0, an iteration sums 32 elements. It sums 64 if the pass has chosen a
    smaller tile than 128 x 128, or if each processor has only one workgroup.

    **Horizontal fusion.** Elementwise ops that have the same loops, read the
    same tensor and do not use each other first become one op, so that they
    share a kernel. The two halves of a rotation are an example. The same
    happens to the results of two contractions that share an operand (such as
    keys and values), if neither has more workgroups than there are processors.

    **Reduction loops.** A workgroup reduces a contraction in an `scf.for` with
    a step of `reduction`. It reduces rows in an `scf.for` with a step of
    `row-tile` if they are longer than `max-row` or of dynamic length.
    Reductions that are in an `scf.forall` already get such a loop if their size
    has no constant bound, or if they are contractions whose operands would not
    fit into the shared memory of a workgroup.

    **Long rows.** With `row-elements`, a workgroup also computes reductions over
    longer rows that its op needs. Each of these reductions, and the op itself,
    then has its own loop over the row. A sum that starts from 0 shares the loop
    of the maximum that its terms depend on. Each loop recomputes the elementwise
    ops before it. A softmax as a chain of ops thus becomes two loops, and the
    second one finds the row in a cache. A workgroup has one such row.

    **Versions for short rows.** `versions-by-row-length` applies to long rows
    of dynamic length. For each listed length the pass adds an `scf.forall` for
    rows up to this length. A row is then one tile, and a workgroup has several
    rows, with `row-elements` elements in all. The versions are the regions of
    nested `scf.if` ops, which compare the length.

    **Versions for few rows.** `versions-by-m` applies to contractions of
    elements of at most 16 bits. For each listed number the pass adds, in the
    same way, an `scf.forall` for contractions with at most this number of rows
    (M). If the number of rows is static, it builds only the version that fits.
    Such a version splits the sums into chunks (split-K), so that there are
    about as many workgroups as the target's `memory_workgroups` (264 by
    default). The chunks form an `scf.forall` in the workgroup. Run
    `linalg-ext-schedule-forall` afterwards to give each chunk a workgroup. If
    the number of chunks is dynamic and may be one, the pass also adds a version
    without chunks.

    **Asynchronous products.** `ways` says how kernels may multiply. With `async`
    or `roles`, a contraction of f16 or bf16 may get a tile for asynchronous products,
    if the rows of its operands are a static multiple of 16 bytes. The pass takes the
    tile that `Selection/ProductTiles.h` estimates to be fastest, and keeps the sizes
    that options give. It marks the loop with `vector_ext.kernel`, which says how the
    kernel multiplies, and by how many threads. Kernels in `vector_ext.refused` of the
    module get another way.

    Some facts are known at run time only. The pass then builds several loops in nested
    branches, of which one runs:

    - If rows have a dynamic length: a loop with asynchronous products for multiples of
      16 bytes, and one without for other lengths.
    - If other sizes are dynamic, and `async` and `persistent` are allowed: two loops
      with small tiles and three with large tiles. The one that is estimated to be
      fastest runs.
    - If a sum of one of the loops with small tiles would have at least five chunks (see
      the versions for few rows): a loop with chunks, too.

    **Unaligned rows.** If the rows of such operands are no multiple of 16 bytes, loops in
    front copy the operands to rows of a multiple of 128 bytes. The pass does this if
    copies and asynchronous products are estimated to take less time than synchronous
    products. Nothing writes or reads the bytes behind the elements of a row. If sizes
    are dynamic, there are two loops that read copies: one with small tiles, and one
    with large tiles. The copies are in a branch, too: they run if one of the two runs.

    **Dequantized operands.** Loops in front also store an operand that a workgroup
    would compute from fewer bits, such as weights with scales, if that is estimated to
    take less time. If sizes are dynamic, there is such a loop, with a branch around
    it, and one with asynchronous products for few tiles and each one for many.
    Without it, the workgroups compute the operand, for synchronous products.

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
    Option<"rows", "rows", "int64_t", /*default=*/"0",
           "Rows of the result that one workgroup computes; 0 chooses">,
    Option<"columns", "columns", "int64_t", /*default=*/"0",
           "Columns of the result that one workgroup computes; 0 chooses">,
    Option<"reduction", "reduction", "int64_t", /*default=*/"0",
           "Elements of a contraction's reduction in one iteration; 0 chooses">,
    Option<"maxRow", "max-row", "int64_t", /*default=*/"1024",
           "Longest row that is reduced in one tile, in elements">,
    Option<"rowTile", "row-tile", "int64_t", /*default=*/"256",
           "Elements of a longer row in one iteration (at most max-row)">,
    Option<"rowElements", "row-elements", "int64_t", /*default=*/"0",
           "Most elements in the rows of one workgroup that reduces rows, but "
           "at least one row. Rows longer than max-row are then reduced in the "
           "workgroup that reads them again. 0 sets no bound">,
    ListOption<"versionsByRowLength", "versions-by-row-length", "int64_t",
               "Lengths in ascending order: add a version for dynamic rows up "
               "to each length (needs row-elements)">,
    ListOption<"versionsByM", "versions-by-m", "int64_t",
               "Numbers of rows in ascending order: add a version with split "
               "sums for contractions of elements of at most 16 bits up to "
               "each number">,
    ListOption<"ways", "ways", "std::string",
               "How contractions of elements of at most 16 bits may multiply: "
               "sync, async, roles, persistent (roles, and workgroups compute "
               "several tiles), clusters (roles, and two workgroups share "
               "tiles); exchange (rows may be columns of instructions) or "
               "exchange-always; sync if none is given">,
    Option<"asyncF8", "async-f8", "bool", /*default=*/"false",
           "Asynchronous products may read f8E4M3FN and f8E5M2 in which k is "
           "contiguous, and threads add the sums of each iteration">,
    Option<"threads", "threads", "int64_t", /*default=*/"128",
           "The least number of threads that compute asynchronous products">,
    Option<"report", "report", "bool", /*default=*/"false",
           "Say in a remark how each kernel with such contractions multiplies, "
           "and why, if 'ways' has more than sync">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def LinalgExtMapToLaunchesPass
    : LinalgExt_Pass<"linalg-ext-map-to-launches"> {
  let summary = "Turn loops over workgroups, and other ops, into gpu.launch";
  let description = [{
    Creates the kernels of a program on buffers, in two steps: those that `steps`
    names, or both. `workgroups` creates launches that a later pass distributes to
    threads. `linalg-ext-to-nvvm` runs `scalars` after that.

    ### `workgroups`

    Replaces each outermost `scf.forall` on buffers by a `gpu.launch` with one
    block for each iteration. A block has `num-threads` threads. Each thread
    gets the whole loop body; a later pass distributes the work among the
    threads. The code before the launch computes the number of blocks, which may
    be dynamic. The grid has one dimension, and the last loop varies fastest.

    The pass leaves a loop alone if it is mapped to something other than
    `#gpu.block`. It leaves a loop on tensors alone, with a remark. If a loop
    has no iterations, the grid has 0 blocks. The host must not launch such a
    grid, since CUDA reports an error. If a bound is computed from a number in
    memory, which the host does not read, the grid is for the most iterations that
    the host knows of: of an `arith.select`, the larger of both numbers, and of an
    `affine.min`, the least of those that it knows. A block beyond the bound does
    nothing.

    A `band` of more than 1 changes the order of the blocks for better cache
    reuse (swizzling). It applies if some vector reads depend on the last loop
    only, and others on the loop around it only, as for the tiles of a matrix
    product. The blocks of `band` iterations of the outer loop then follow each
    other, with the outer loop varying fastest. Blocks that run at the same time
    thus share more of the data that they read.

    Blocks may take less and less time along the last loop, as in causal attention
    whose iterations are ordered by work. A band then consists of iterations of all
    other loops together. It has about as many blocks as the target's
    `memory_workgroups` (264 by default, rounded down to 256); the number of iterations
    is rounded up to a power of two. If the number of blocks is not known, a band has
    `band` iterations. The longest blocks of a band run first, the shortest ones last.

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

    ### `scalars`

    Replaces each op on buffers that is in no kernel by a `gpu.launch` of scalar
    code. Each thread computes one iteration of the parallel dimensions.
    Reduction dimensions become loops in the thread. The pass applies to ops
    that implement TilingInterface and to `memref.copy` of ranked memrefs. It
    also moves each `memref.store` outside of kernels into a launch of one
    thread.

    This is the fallback for ops that have no workgroup: it is slow, but accepts
    any shape. Run it after `workgroups`. The pass emits a remark for each kernel,
    unless `report` is `none`. With `require-fusion`, such a kernel is an error if
    the op reduces, or if its payload has arithmetic.

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
    ListOption<"steps", "steps", "std::string",
               "Steps to run: workgroups, scalars; empty runs both">,
    Option<"numThreads", "num-threads", "int64_t", /*default=*/"128",
           "Threads in a block (at most those of the target, 1024 by "
           "default)">,
    Option<"band", "band", "int64_t", /*default=*/"1",
           "Iterations of the second-to-last loop whose blocks follow each "
           "other, if both loops share what they read; 1 keeps the order of "
           "the loops">,
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
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector_ext::VectorExtDialect"
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
    and `vector.transfer_write` writes the results. A `tensor.extract` in a
    payload becomes a `vector.gather`, under the mask of the `scf.if` around it.
    It becomes a `vector_ext.transfer_gather` if elements are contiguous along a
    dimension of the tile, like those of rows. No other op has a mask.

    Precondition: tensors, after tiling to workgroups. The sizes of the tiles
    need constant upper bounds, such as those of an `affine.min`. The sizes
    themselves may be dynamic.

    - The pass drops dimensions of one element: a tile of 1 x 1 x 64 x 128
      elements becomes a matrix.
    - Sizes of vectors are rounded up to multiples of `multiple-of`. There is an
      exception for contractions with very few rows. A matrix instruction may have
      fewer columns (such as 8) than rows. If no contraction of the workgroup has more
      rows than that, rows are rounded up to this number, and the instruction computes
      the transposed product. The right operands must be converted from elements of 8
      bits, and parts of the subgroups must have tiles of their own.
    - If a tile is smaller than its vector, the pass pads it with zeros when it
      reads it. Elements that ops compute beyond the tile are unspecified. The
      pass replaces them by zeros before a contraction, and by the neutral
      element before a reduction.
    - If a contraction extends its factors to a wider type, `vector.contract`
      takes the factors as they are and extends them.
    - The discardable attribute `vector_ext.config` of a contraction moves to
      its `vector.contract`.
    - The pass hoists loop-invariant ops, except broadcasts, out of `scf.for`.

    If an op has no vector form, it stays on tensors, and the pass emits a remark.
    The tiles that the op reads are written to tensors before it.

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

def LinalgExtGPUOptimizeThreadsPass
    : Pass<"linalg-ext-gpu-optimize-threads"> {
  let summary = "Keep memory busy and registers free in the code of a thread";
  let description = [{
    Rewrites each `gpu.launch` whose body is the code of one thread, after
    `vector-ext-distribute`. Runs the steps that `steps` names, or all, in the
    order of this page.

    ### `split-workgroups`

    Splits each workgroup of a `gpu.launch` into several workgroups of
    `workgroup-threads` threads. The grid grows by the same factor. A grid of
    few large workgroups would leave processors idle.

    The block must be constant, one-dimensional, and a larger multiple of
    `workgroup-threads`. Its threads must be independent: they do not wait for
    each other, share no memory, and use no ids except the `x` ids of their
    thread and workgroup (and their lane, if `workgroup-threads` is a multiple of
    64). Other launches do not change.

    Before:

    ```mlir
    gpu.launch blocks(%b, ..) in (%b_size = %n, ..) threads(..) in (%t_size = %c512, ..) {
      %t = gpu.thread_id x
      %x = vector.load %a[%b, %t] : memref<?x512xf32>, vector<1xf32>
      ..
    }
    ```

    After:

    ```mlir
    %0 = arith.muli %n, %c4 : index
    gpu.launch blocks(%b, ..) in (%b_size = %0, ..) threads(..) in (%t_size = %c128, ..) {
      %whole = arith.divui %b, %c4 : index
      %part = arith.remui %b, %c4 : index
      %first = arith.muli %part, %c128 : index
      %thread = gpu.thread_id x
      %t = arith.addi %first, %thread : index
      %x = vector.load %a[%whole, %t] : memref<?x512xf32>, vector<1xf32>
      ..
    }
    ```

    ### `prefetch-rows`

    Adds a `memref.prefetch` to each load of a long row. It prefetches the same
    position of a later row: `prefetch_rows` rows later (a number of the target, 144 by
    default), or the last row. A workgroup that keeps such a long row in registers
    leaves no room for another one on its processor. Without the prefetch, nothing
    would read memory while the workgroup computes.

    The pass processes each `gpu.launch` whose workgroups load at least `long_row`
    elements of a row (a number of the target, 20480 by default). The number of the row
    must be the `x` id of the workgroup. Each load must read 16 bytes, outside of
    loops, and not from workgroup memory.

    `prefetch_rows` is about the number of rows that the device processes at a
    time. These rows have to stay in a cache. The pass does nothing if they take
    more than the `prefetch_bytes` of the target (12 MiB by default).

    Before:

    ```mlir
    %x = vector.load %a[%block, %i] : memref<?x?xf16>, vector<8xf16>
    ```

    After:

    ```mlir
    %rows = memref.dim %a, %c0 : memref<?x?xf16>
    %last = arith.subi %rows, %c1 : index
    %0 = arith.addi %block, %c144 : index
    %next = arith.minui %last, %0 : index
    %x = vector.load %a[%block, %i] : memref<?x?xf16>, vector<8xf16>
    memref.prefetch %a[%next, %i], read, locality<2>, data : memref<?x?xf16>
    ```

    ### `branch-over-signs`

    Takes maxima of products with one number in front of the products: the maximum of
    all `x_i * u` is `u` times the maximum of all `x_i`, or times their minimum if `u` is
    negative. A branch, which all threads take in the same way, chooses. Scores of
    attention in f8 have the scales of two tensors as such a factor.

    Nothing but `arith.maximumf` of elements of the product may use it. Results have the
    same bits, but for the sign of a zero, and but for products of 0 and infinity: an
    infinite `x_i` where `u` is 0, or a 0 where `u` is infinite, may give 0 or infinity
    in place of NaN. Run it on the code of one thread. It does not
    change vectors of fewer than 16 elements, or vectors that are not one-dimensional, or
    a `gpu.launch` without asynchronous products, which would spill.

    Before:

    ```mlir
    %0 = vector.broadcast %u : f32 to vector<64xf32>
    %1 = arith.mulf %x, %0 : vector<64xf32>
    %2 = vector.extract %1[0] : f32 from vector<64xf32>
    %3 = vector.extract %1[1] : f32 from vector<64xf32>
    %4 = arith.maximumf %2, %3 : f32
    ..
    ```

    After:

    ```mlir
    %0 = arith.cmpf oge, %u, %zero : f32
    %1 = scf.if %0 -> (f32) {
      %2 = vector.extract %x[0] : f32 from vector<64xf32>
      %3 = vector.extract %x[1] : f32 from vector<64xf32>
      %4 = arith.maximumf %2, %3 : f32
      ..
      scf.yield %5 : f32
    } else {
      ..                                        // the same with arith.minimumf
    }
    %6 = arith.mulf %1, %u : f32
    ```

    ### `branch-over-updates`

    Moves a masked update of a loop-carried vector into an `scf.if`. A thread
    then skips the update if no element of its mask is set. This pays if masks
    are mostly empty. An example is the update of accumulators that
    `rescale-threshold` of `linalg-ext-fuse` rescales only where a maximum grows.

    The update is an `arith.select` between the carried vector and the result of
    an elementwise op on that vector. Nothing else may use the result of the
    elementwise op.

    Run it on the code of one thread. It does not change vectors of fewer than 16
    or more than 4096 elements, or vectors that are not one-dimensional.

    Before:

    ```mlir
    %0 = arith.mulf %factor, %x : vector<64xf32>
    %1 = arith.select %mask, %0, %x : vector<64xi1>, vector<64xf32>
    ```

    After, where the elements of `%mask` are `%a` and `%b`, each many times:

    ```mlir
    %any = arith.ori %a, %b : i1
    %1 = scf.if %any -> (vector<64xf32>) {
      %0 = arith.mulf %factor, %x : vector<64xf32>
      %2 = arith.select %mask, %0, %x : vector<64xi1>, vector<64xf32>
      scf.yield %2 : vector<64xf32>
    } else {
      scf.yield %x : vector<64xf32>
    }
    ```

    ### `spread-loads`

    In each iteration of an `scf.for`, n neighbouring lanes may read the same element of
    16 bits: the scale of a column, for example, of which each lane computes a part. The
    step lets each of the n lanes load the element of another iteration. `gpu.shuffle`
    then hands each element to the other lanes. So one load serves n iterations. The
    loads for the first 2 n iterations are in front of the loop. After that, the last of
    each n iterations loads the elements for the n iterations after the next n.

    The step leaves elements of other widths alone. `gpu.shuffle` exchanges words of 32
    bits. Two elements of 16 bits, such as a scale and a zero point, fit into one word.
    Each element of 32 bits would take an exchange of its own. Elements of 8 bits would
    fit; whether it is faster has not been measured.

    *Workgroup memory.* If the number of iterations is known, and the elements of all
    iterations take at most 16 KiB, the step loads all of them to workgroup memory in
    front of the loop. All threads wait for each other once, and the lanes exchange
    nothing. The loop must be directly in the body of the launch. This way also takes
    elements that lanes share whose numbers have the same remainder modulo a power of
    two.

    The loop must only read and compute, and must have a constant step. All lanes of a
    subgroup must execute its iterations together. The block of the launch must be
    one-dimensional and consist of whole subgroups (`lanes` of the target). The
    addresses must not depend on values that the loop carries.

    Before, where four lanes have the same `%column`:

    ```mlir
    %column = arith.divui %thread, %c4 : index
    scf.for %i = %c0 to %n step %c1 iter_args(..) -> (..) {
      %scale = memref.load %scales[%column, %i] : memref<8x?xf16>
      ..
    }
    ```

    After:

    ```mlir
    scf.for %i = %c0 to %n step %c1 iter_args(.., %words = %first, %next = %second) -> (..) {
      %number = arith.remui %i, %c4 : index
      %lane = arith.addi %first_lane, %number : index
      ..
      %word, %valid = gpu.shuffle idx %words_0, %lane_i32, %c32_i32 : i32
      ..
      %is_last = arith.cmpi eq, %number, %c3 : index
      %loaded:2 = scf.if %is_last -> (vector<1xi32>, vector<1xi32>) {
        %scale = memref.load %scales[%column, %later] : memref<8x?xf16>
        ..
        scf.yield %next, %loaded_words : vector<1xi32>, vector<1xi32>
      } else {
        scf.yield %words, %next : vector<1xi32>, vector<1xi32>
      }
      ..
    }
    ```

    ### `unroll-reads`

    Unrolls an `scf.for` in a `gpu.launch` by 4 if its body only reads memory and
    computes, and by 8 if it reads at most 8 words and computes functions, as where
    chunks of attention are merged. The reads of several iterations can then overlap. A second loop executes
    the iterations that are left over.

    The addresses of the reads must not depend on loop-carried values. The loop
    stays as it is if its body writes, contains another loop, or has more than
    128 ops. The results of `spread-loads` also stay: loops that carry a value that one
    of their branches loads, or that read words from workgroup memory.

    Before:

    ```mlir
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %x = memref.load %a[%i] : memref<?xf32>
      %next = arith.addf %acc, %x : f32
      scf.yield %next : f32
    }
    ```

    After:

    ```mlir
    %most = scf.for %i = %c0 to %multiple step %c4 iter_args(%acc = %zero) -> (f32) {
      %x = memref.load %a[%i] : memref<?xf32>
      %next = arith.addf %acc, %x : f32
      %j = arith.addi %i, %c1 : index
      %y = memref.load %a[%j] : memref<?xf32>
      %second = arith.addf %next, %y : f32
      ..
      scf.yield %fourth : f32
    }
    %sum = scf.for %i = %multiple to %n step %c1 iter_args(%acc = %most) -> (f32) {
      ..
    }
    ```

    ### `await-behind-loops`

    Moves the `vector_ext.await` of a product behind its `scf.for`. It applies if an
    iteration awaits a `vector_ext.async_mma` at its end, and only hands the result to
    the first product of the next iteration. Each iteration then awaits the products of
    the previous one (`vector_ext.await_earlier`), in front of the barrier behind which
    their tiles are written again. So products of one iteration run while threads wait
    for the tiles of the next one.

    Operands must be in shared memory, and no op of the body may write memory in front
    of the barrier. Loops in a role stay as they are: there, `ring.release` frees tiles,
    and products of other groups run while one group waits.

    Before:

    ```mlir
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> (vector<64xf32>) {
      ..
      %0 = vector_ext.async_mma .., %sum
      gpu.barrier
      ..
      %1 = vector_ext.await %0 : vector<64xf32>
      scf.yield %1 : vector<64xf32>
    }
    ```

    After:

    ```mlir
    %open = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> (vector<64xf32>) {
      ..
      %0 = vector_ext.async_mma .., %sum
      vector_ext.await_earlier %0 : vector<64xf32>
      gpu.barrier
      ..
      scf.yield %0 : vector<64xf32>
    }
    %r = vector_ext.await %open : vector<64xf32>
    ```

    ### `compute-in-parts`

    Splits elementwise ops on the results of a loop into parts of 8 elements. All ops
    are applied to one part before the next part. The assembler keeps this order, so
    that a thread need not hold several vectors of the size of the results.

    The vectors must have one dimension and at least 64 elements. At least one op must
    be of the `math` dialect, and at least one must have two users. Otherwise one vector
    is enough.

    Before:

    ```mlir
    %e = math.exp %x : vector<64xf32>
    %d = arith.addf %e, %ones : vector<64xf32>
    %y = arith.divf %x, %d : vector<64xf32>
    ```

    After:

    ```mlir
    %x0 = vector.extract_strided_slice %x {offsets = [0], sizes = [8], strides = [1]} : vector<64xf32> to vector<8xf32>
    %e0 = math.exp %x0 : vector<8xf32>
    %d0 = arith.addf %e0, %ones8 : vector<8xf32>
    %y0 = arith.divf %x0, %d0 : vector<8xf32>
    %0 = vector.insert_strided_slice %y0, %poison {offsets = [0], strides = [1]} : vector<8xf32> into vector<64xf32>
    %x1 = vector.extract_strided_slice %x {offsets = [8], sizes = [8], strides = [1]} : vector<64xf32> to vector<8xf32>
    ..
    ```

    ### `sum-in-parts`

    Splits elementwise ops whose result is only read element by element, as by a sum
    in registers, into parts of 8 elements. Each part is computed in front of the first
    op that reads one of its elements, so that a thread need not hold all terms of its
    sums.

    The result must be a vector of one dimension with at least 256 registers of 32 bits,
    and all of its users must be in its block.

    Before:

    ```mlir
    %p = arith.mulf %x, %y : vector<256xf32>
    %p0 = vector.extract %p[0] : f32 from vector<256xf32>
    ..
    %p8 = vector.extract %p[8] : f32 from vector<256xf32>
    ```

    After:

    ```mlir
    %x0 = vector.extract_strided_slice %x {offsets = [0], sizes = [8], strides = [1]} : vector<256xf32> to vector<8xf32>
    %y0 = vector.extract_strided_slice %y {offsets = [0], sizes = [8], strides = [1]} : vector<256xf32> to vector<8xf32>
    %q0 = arith.mulf %x0, %y0 : vector<8xf32>
    %p0 = vector.extract %q0[0] : f32 from vector<8xf32>
    ..
    %x1 = vector.extract_strided_slice %x {offsets = [8], sizes = [8], strides = [1]} : vector<256xf32> to vector<8xf32>
    %y1 = vector.extract_strided_slice %y {offsets = [8], sizes = [8], strides = [1]} : vector<256xf32> to vector<8xf32>
    %q1 = arith.mulf %x1, %y1 : vector<8xf32>
    %p8 = vector.extract %q1[0] : f32 from vector<8xf32>
    ```

    ### `sink-loads`

    Moves loads from workgroup memory down to their first use in the block.
    Distribution loads a whole tile and then uses it in parts. After this step,
    the whole tile need not be in registers at once.

    The pass moves:

    - loads from an allocation in workgroup memory. They do not move past an op
      that may write this memory, nor past a barrier if the block writes it;
    - side-effect-free ops of the `vector` dialect, which extract parts of the
      loaded vectors;
    - `gpu.shuffle`;
    - all side-effect-free ops in a kernel's own block.

    Before:

    ```mlir
    %a = vector.load %tile[%i] : memref<64xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    %b = vector.load %tile[%j] : memref<64xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    %0 = arith.addf %a, %x : vector<8xf16>
    %1 = arith.addf %b, %0 : vector<8xf16>
    ```

    After:

    ```mlir
    %a = vector.load %tile[%i] : memref<64xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    %0 = arith.addf %a, %x : vector<8xf16>
    %b = vector.load %tile[%j] : memref<64xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    %1 = arith.addf %b, %0 : vector<8xf16>
    ```

    ### `step-divisions`

    Lets an `scf.for` carry the quotient and the remainder of a position that grows by
    the step of the loop, in place of dividing it in each iteration. A GPU has no
    instruction for a division of integers. Positions in pages whose number of rows is
    not known are divided, for example.

    The position is a sum of the induction variable and what the loop does not change.
    Sums are taken not to overflow, as in `affine.apply`. The divisor must be positive,
    and the step a positive constant. If copies run ahead, a loop divides the positions
    of several iterations. It then computes only the quotient of the position that is
    furthest ahead. An earlier position has the quotient that one of the last two
    iterations computed, which the loop carries. A quotient that exists in front of the
    loop is not computed again for the first iteration.

    *Slots of rings.* A loop also carries the slot and the round of a number that grows
    by one in each iteration, such as the number of a tile in a ring with three slots.
    The slot is the remainder, and the round the quotient, by a constant that is no power
    of 2. The round is only used modulo powers of 2, as the phase of a barrier is, so that
    32 bits are enough. A tile of the previous iteration is in the slot that the loop
    carried there. Other divisions by constants stay.

    Before:

    ```mlir
    scf.for %i = %c0 to %n step %c64 {
      %position = arith.addi %i, %first : index
      %page = arith.floordivsi %position, %rows : index
      ..
    }
    ```

    After:

    ```mlir
    %page0 = arith.floordivsi %first, %rows : index
    %0 = arith.muli %page0, %rows : index
    %row0 = arith.subi %first, %0 : index
    %pages = arith.divui %c64, %rows : index
    %1 = arith.muli %pages, %rows : index
    %rest = arith.subi %c64, %1 : index
    %more = arith.addi %pages, %c1 : index
    scf.for %i = %c0 to %n step %c64 iter_args(%page = %page0, %row = %row0) -> (index, index) {
      ..
      %sum = arith.addi %row, %rest : index
      %is_more = arith.cmpi uge, %sum, %rows : index
      %2 = arith.select %is_more, %more, %pages : index
      %next_page = arith.addi %page, %2 : index
      %3 = arith.subi %sum, %rows : index
      %next_row = arith.select %is_more, %3, %sum : index
      scf.yield %next_page, %next_row : index, index
    }
    ```

    Before:

    ```mlir
    scf.for %i = %c0 to %n step %c64 {
      %tile = arith.divui %i, %c64 : index
      %slot = arith.remui %tile, %c3 : index
      %round = arith.divui %tile, %c3 : index
      %phase = arith.remui %round, %c2 : index
      ..
    }
    ```

    After:

    ```mlir
    scf.for %i = %c0 to %n step %c64 iter_args(%slot = %c0_i32, %round = %c0_i32) -> (i32, i32) {
      %0 = arith.index_castui %round : i32 to index
      %phase = arith.remui %0, %c2 : index
      ..
      %sum = arith.addi %slot, %c1_i32 : i32
      %is_full = arith.cmpi eq, %sum, %c3_i32 : i32
      %next_slot = arith.select %is_full, %c0_i32, %sum : i32
      %1 = arith.addi %round, %c1_i32 : i32
      %next_round = arith.select %is_full, %1, %round : i32
      scf.yield %next_slot, %next_round : i32, i32
    }
    ```
  }];
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: split-workgroups, prefetch-rows, "
               "branch-over-signs, branch-over-updates, spread-loads, "
               "unroll-reads, await-behind-loops, compute-in-parts, "
               "sum-in-parts, sink-loads, step-divisions; "
               "empty runs all">,
    Option<"workgroupThreads", "workgroup-threads", "int64_t",
           /*default=*/"128",
           "Number of threads of each new workgroup of split-workgroups">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LinalgExtGPUPrepareLaunchesPass
    : Pass<"linalg-ext-gpu-prepare-launches"> {
  let summary = "Specialise launches by alignment and size, and coalesce loops";
  let description = [{
    Rewrites each `gpu.launch` on vectors of tiles, so that later passes can
    derive which rows are aligned and which elements need no mask, and see one
    loop for each sum. Runs the steps that `steps` names, or all, in the order of
    this page. Run it before `linalg-ext-select-config`, but `permute-sums` after it.

    ### `version-launches`

    Makes two versions of each `gpu.launch` that accesses rows of dynamic
    length, and a branch that launches one of them. The first version is for
    rows whose lengths are all multiples of 16 bytes. It has a
    `vector_ext.assume` of each length, and a view of each buffer whose strides
    are computed from these lengths. So later passes know that rows are aligned,
    and can use wide loads and stores. With `max-bytes`, it is for rows of at most
    so many bytes, so that the offset of each element of a tile fits into 32 bits.
    The second version is the original launch.

    Rows of buffers with a strided layout that has dynamic strides or a dynamic
    offset also have two versions. In the first version, these are multiples of
    16 bytes, and rows are contiguous (the last stride is 1).

    Gathers of rows in pages have three versions if the number of rows in a page is
    the size of a dynamic dimension. In the first version, it is a multiple of 16, in
    the second one it is 1.

    Conditions of the `scf.if` ops around the launch may already say whether a length is
    a multiple: the step understands comparisons of a remainder of the length with 0, and
    conjunctions of these. Such a length makes no versions. If it is a multiple, the
    launch itself gets the `vector_ext.assume`. If it is not, the launch stays as it is.

    The pass processes launches that transfer vectors along the last dimension
    of buffers. The buffers must come from outside of the launch. They have the
    identity layout and at least two dimensions, the last of dynamic size, or a
    strided layout. A buffer whose static strides, offset or size show that its
    rows are not aligned makes no version. The pass leaves asynchronous launches
    alone.

    Before:

    ```mlir
    gpu.launch blocks(%b, ..) in (%b_size = %n, ..) threads(..) in (..) {
      %x = vector.transfer_read %a[%i, %c0], %zero : memref<?x?xf16>, vector<16x64xf16>
      ..
    }
    ```

    After:

    ```mlir
    %length = memref.dim %a, %c1 : memref<?x?xf16>
    %rest = arith.remui %length, %c8 : index
    %multiple = arith.cmpi eq, %rest, %c0 : index
    scf.if %multiple {
      gpu.launch blocks(%b, ..) in (%b_size = %n, ..) threads(..) in (..) {
        %l = vector_ext.assume %length multiple_of 8
        %rows = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %l], strides: [%l, 1]
           : memref<?x?xf16> to memref<?x?xf16>
        %x = vector.transfer_read %rows[%i, %c0], %zero : memref<?x?xf16>, vector<16x64xf16>
        ..
      }
    } else {
      gpu.launch blocks(%b, ..) in (%b_size = %n, ..) threads(..) in (..) {
        .. // as before
      }
    }
    ```

    ### `assume-branches`

    States in the body of a `gpu.launch` what the conditions of the `scf.if` ops
    around it imply, by `vector_ext.assume`. A kernel for long rows is launched
    in such a branch. Distribution then drops bounds checks of elements that
    always exist.

    The pass understands comparisons of an index with a constant, conjunctions
    of them, and negations. Run it before `vector-ext-distribute`.

    Before:

    ```mlir
    %long = arith.cmpi sgt, %n, %c512 : index
    scf.if %long {
      gpu.launch blocks(%b, ..) in (%b_size = %grid, ..) threads(..) in (..) {
        %size = affine.min affine_map<()[n] -> (n, 1024)>()[%n]
        %mask = vector.create_mask %size : vector<1024xi1>
        ..
      }
    }
    ```

    After:

    ```mlir
    scf.if %long {
      gpu.launch blocks(%b, ..) in (%b_size = %grid, ..) threads(..) in (..) {
        %assumed = vector_ext.assume %n at_least 513
        %size = affine.min affine_map<()[n] -> (n, 1024)>()[%assumed]
        %mask = vector.create_mask %size : vector<1024xi1>
        ..
      }
    }
    ```

    ### `coalesce-loops`

    Coalesces perfectly nested loops in a `gpu.launch` into one loop, if the
    innermost one has a contraction. An example is the sum over heads and their
    elements. All loops but the outermost must have constant bounds. In one loop,
    copies can be issued iterations ahead. In a nest, they would start again in
    each iteration of the outer loops.

    Before:

    ```mlir
    %r = scf.for %h = %c0 to %n step %c1 iter_args(%a = %zero) -> .. {
      %s = scf.for %k = %c0 to %c64 step %c32 iter_args(%b = %a) -> .. {
        ..
        %d = vector.contract {..} %x, %y, %b : ..
        scf.yield %d : ..
      }
      scf.yield %s : ..
    }
    ```

    After:

    ```mlir
    %twice = arith.muli %n, %c2 : index
    %r = scf.for %i = %c0 to %twice step %c1 iter_args(%b = %zero) -> .. {
      %at:2 = affine.delinearize_index %i into (%n, 2) : index, index
      %k = affine.apply affine_map<(d0) -> (d0 * 32)>(%at#1)
      ..
      %d = vector.contract {..} %x, %y, %b : ..
      scf.yield %d : ..
    }
    ```

    ### `permute-sums`

    Permutes what a launch stores and another one sums over, within each 16 elements
    along the last dimension, and the left operand of the sum in the same way. The
    stored operand has elements of 8 bits, such as values of attention that are
    transposed in front. The left operand must be computed from the result of an
    instruction, as weights of attention are: threads then have two neighbouring columns
    of each eight, and need four neighbouring elements of the sum. In the new order they
    have them, and exchange nothing.

    A memory qualifies if its last dimension is a known multiple of 16, all writes and
    reads are of whole blocks of 16, and all reads are right operands of such
    contractions. Run this step after `linalg-ext-select-config`: the instructions say
    what threads have.

    Before:

    ```mlir
    vector.transfer_write %v, %memory[..] {permutation_map = #transposed} : vector<32x64xf8E4M3FN>, ..
    ..
    %w = vector.transfer_read %memory[..] : .., vector<64x32xf8E4M3FN>
    %o = vector.contract {..} %p, %w, %sum : vector<16x32xf8E4M3FN>, vector<64x32xf8E4M3FN> into ..
    ```

    After:

    ```mlir
    %0 = vector.shape_cast %v : vector<32x64xf8E4M3FN> to vector<2x2x4x2x64xf8E4M3FN>
    %1 = vector.transpose %0, [0, 2, 1, 3, 4] : ..
    %2 = vector.shape_cast %1 : vector<2x4x2x2x64xf8E4M3FN> to vector<32x64xf8E4M3FN>
    vector.transfer_write %2, %memory[..] {permutation_map = #transposed} : ..
    ..
    %w = vector.transfer_read %memory[..] : .., vector<64x32xf8E4M3FN>
    %3 = ..   // the same of %p, along its second dimension
    %o = vector.contract {..} %3, %w, %sum : ..
    ```
  }];
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: version-launches, assume-branches, "
               "coalesce-loops, permute-sums; "
               "empty runs all">,
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"0",
           "Largest number of bytes of rows in the first version of "
           "version-launches, a multiple of 16; 0 sets no bound">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::vector_ext::VectorExtDialect"
  ];
}

#endif // MLIR_EXT_CODEGEN_GPU_PASSES
