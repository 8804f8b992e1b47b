//===- Passes.td - Passes of the VectorExt dialect ---------*- tablegen -*-===//
//
// Passes that rewrite the program of a workgroup as that of a thread.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_PASSES
#define MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_PASSES

include "mlir/Pass/PassBase.td"

def VectorExtDistributePass : Pass<"vector-ext-distribute"> {
  let summary = "Distribute the vectors of a workgroup to its threads";
  let description = [{
    Rewrites the program of a workgroup as the program of one thread. Before the
    pass, each vector is a whole tile of the workgroup. After the pass, each
    vector holds the elements of that tile that one thread keeps in registers.

    The pass processes every `gpu.launch` and every `gpu.func` that is a kernel.
    The block size must be constant, one-dimensional and a multiple of the lanes of
    a subgroup (warp), which the module's target says (32 without one); otherwise the
    pass fails. The number of subgroups is the block size divided by the lanes.

    A contraction with a `vector_ext.config` uses the instruction that the
    config names, and becomes `vector_ext.mma` ops (or `vector_ext.async_mma`
    ops, if the instruction is asynchronous). Any other contraction computes one
    product at a time. Two ops may need different layouts of one value. The pass
    then renumbers registers, shuffles data between lanes, or moves data through
    shared memory.

    Elementwise ops work for any layout. Any other op on vectors must implement
    `LayoutOpInterface`; an op without it is an error. It is also an error if a
    vector takes more than 512 registers of a thread, or if a thread computes more
    than 12288 products one by one, each with an instruction of its own. The pass
    rewrites a copy of the kernel, so a kernel that it cannot distribute stays as
    it was.

    With `report-data`, the pass emits a remark `data: {"kernel": {...}}` at each
    kernel, for programs. It has the layouts of operands and results of contractions
    and of reductions, and of tiles in shared memory (docs/Explain.md).

    Run this pass after `linalg-ext-select-config`, which chooses the configs.

    Before (two warps):

    ```mlir
    %x = vector.transfer_read %in[%row, %c0], %zero {in_bounds = [true, true]}
       : memref<?x64xf32>, vector<16x64xf32>
    %m = vector.multi_reduction <maximumf>, %x, %low [1]
       : vector<16x64xf32> to vector<16xf32>
    ```

    After: each thread loads four times four elements of its rows and computes
    their maximum. It then combines its maximum with those of its neighbours by
    `gpu.shuffle xor`.
  }];
  let options = [
    Option<"matrixLoads", "matrix-loads", "bool", /*default=*/"false",
           "Load operands with 16-bit elements from shared memory with "
           "vector_ext.load_matrix">,
    Option<"wideWrites", "wide-writes", "bool", /*default=*/"false",
           "Write large results of instructions, and what is transposed, through "
           "shared memory, 16 bytes at a time">,
    Option<"asyncCopies", "async-copies", "bool", /*default=*/"false",
           "Copy tiles from global to shared memory without registers, if the "
           "target has registered such copies">,
    Option<"bufferLoads", "buffer-loads", "bool", /*default=*/"false",
           "Read tiles of global memory through buffer descriptors, whose "
           "bounds replace masks, if the target has registered such loads">,
    Option<"transposeLoads", "transpose-loads", "bool", /*default=*/"false",
           "Transpose elements of 16 bits where subgroups load them from shared "
           "memory, if the target has registered such loads">,
    Option<"laneCopies", "lane-copies", "bool", /*default=*/"false",
           "Copy tiles from buffers to shared memory without registers, lane "
           "by lane, if the target has registered such copies; takes "
           "buffer-loads">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "Emit a remark for each layout conversion, with its kind and its "
           "cost">,
    Option<"reportData", "report-data", "bool", /*default=*/"false",
           "Emit a remark for programs, the layouts of each kernel as JSON">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect",
    "::mlir::vector_ext::VectorExtDialect"
  ];
}

def VectorExtPipelineProductsPass : Pass<"vector-ext-pipeline-products"> {
  let summary = "Copy tiles, and multiply them, while threads do other work";
  let description = [{
    Prepares every `gpu.launch` with asynchronous products: contractions whose
    `vector_ext.config` names an asynchronous instruction. Such an instruction
    multiplies tiles in shared memory while the threads that started it go on. Runs
    the steps that `steps` names, or all, in the order of this page. docs/Hopper.md
    has the whole way of such a kernel.

    Run it after `linalg-ext-select-config` and before `vector-ext-distribute`.
    Without asynchronous products and rings it changes nothing.

    ### `stage-tiles`

    *Copies operands as whole tiles.* Looks at contractions whose config names an
    asynchronous instruction. Their right operand must be a tile that is read from a
    buffer. The left operand may be such a tile, too. If the kernel computes it, like
    the weights of attention, it stays in registers.

    The step replaces the read of such a tile by three ops on a ring of tiles in
    shared memory:

    - `ring.put` copies the whole tile (by TMA on NVIDIA GPUs);
    - `ring.get` returns the tile, which the contraction reads in place;
    - `ring.release` follows the last contraction that reads the tile.

    The layout of the tile in shared memory is the one with the widest swizzle
    that both the copy and the instruction support. Consecutive reads share a
    ring.

    A kernel with roles also copies tiles that threads read in a loop, such as masks.
    Each has a ring of its own. Such a tile has elements of 16 or 32 bits and at least
    8 KiB. If a copy is not possible, or if its ring would leave fewer than two slots for
    the others, threads read the buffer instead. If `vector_ext.kernel` has `copied`, the
    loop of a kernel without these copies is not rotated.

    The ring of a tile in a loop has several slots in shared memory (option
    `slots`). It has one slot if an op in the loop writes to memory, or if the
    position of the tile in the buffer depends on more than the number of the
    iteration. Consecutive loops with equal tiles share a ring.

    A copy has no mask. It fills elements after the end of a buffer with zeros.
    The step drops a mask of the form `min(size of the tile, end - index)` if the
    end is known before the launch. The source of the put then ends there. If a
    buffer has more than 5 dimensions, its leading dimensions are merged.

    Gathered rows (`transfer_gather`) are copied in equal parts along the first
    dimension of the tile, such as pages (`parts` of `ring.put`). The rows of a part
    are contiguous, and its other positions are the same for all rows. If the mask
    hides the first row of a part, the part is copied from a row in front of the
    buffer, and so is zero. A mask may also hide the last rows of a tile (`ends` of
    `ring.get`). The threads of the copying role share the parts.

    In a kernel with roles (`vector_ext.kernel`), threads copy a tile that is no box of a
    buffer: the read stays, and `ring.write` writes its result to a slot. Reads that stay in
    registers, such as masks in memory, move in front of the first `ring.get` of their loop,
    so that they arrive while threads wait for tiles.

    If threads compute the left operand from bytes, such a kernel has two rings:

    - one of the tiles of bytes, of at least 2 KiB, which are copied whole, and which threads
      load;
    - one of all that the threads of the copying role write: the right operand, in the order
      of what is summed that the left one has in registers, and vectors that the left operand
      is computed with, such as scales and zero points (at most 16 elements for each of its
      rows). They are several tiles of each slot.

    The step fails, and leaves the launch unchanged, if an operand

    - is used in registers as well, or is a right operand that the kernel
      computes;
    - is read under another mask, in a branch, or in a loop in a loop;
    - is read from a buffer that the kernel computes, that has strides, or whose
      rows have no static size that is a multiple of 16 bytes;
    - is read from a buffer with more than 5 dimensions, counted from the first
      one along which the tile has several elements;
    - is gathered, and its parts are no multiple of 8 rows, or its mask hides more than
      whole parts and the last rows;
    - has no layout that the instruction supports.

    The step also fails if the `vector_ext.kernel` of a launch says that it has
    asynchronous products, and none of its contractions has such an instruction.
    If it fails for a launch with that attribute, it records the attribute in
    `vector_ext.refused` of the op that it runs on.

    Before, in a loop over `%k`:

    ```mlir
    %a = vector.transfer_read %A[%m, %k], %zero {in_bounds = [true, true]}
       : memref<1024x512xf16>, vector<128x64xf16>
    %s = vector.contract %a, %b, %sum ...
    ```

    After, with `%ring = vector_ext.ring.create : !ring` at the start of the
    kernel:

    ```mlir
    %n = arith.divui %k, %c64 : index
    vector_ext.ring.put %ring[%n], %A at (%m, %k)
        {maps = [affine_map<(d0, d1) -> (d0, d1)>]} : !ring, memref<1024x512xf16>
    %a = vector_ext.ring.get %ring[%n] : !ring
    %s = vector.contract %a, %b, %sum ...
    vector_ext.ring.release %ring[%n] : !ring
    ```

    ### `share-tiles`

    *Lets the workgroups of a cluster share tiles.* Makes as many consecutive workgroups a
    cluster as `cluster` of the launch's `vector_ext.kernel` says, and finds the tiles whose
    places are the same in all of them. Each workgroup then copies an equal part of such a
    tile to all of them (`shared` of `ring.put`). A launch without `cluster` stays as it is.

    The step fails, and leaves the launch unchanged, if

    - the number of workgroups is not known, or no multiple of those of a cluster;
    - the grid has more than one dimension;
    - no tile of a ring is the same in the workgroups of a cluster, or can be copied in as
      many parts. In a ring of shared tiles, the workgroups have to copy equally often, in
      loops whose bounds are the same.

    Before, where workgroups 2 n and 2 n + 1 have the same columns:

    ```mlir
    gpu.launch blocks(%i, ...) in (%n = %c128, ...) ... {
      %at:2 = affine.delinearize_index %i into (8, 16) : index, index
      %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%at#1)
      %j = affine.apply affine_map<(d0) -> (d0 * 128)>(%at#0)
      ...
        vector_ext.ring.put %ring[%k], %A, %B at (%m, %k), (%k, %j) {...}
    ```

    After:

    ```mlir
    gpu.launch clusters(%cluster, ...) in (%two = %c2, ...)
        blocks(%i, ...) in (%n = %c128, ...) ... {
      ...
        vector_ext.ring.put %ring[%k], %A, %B at (%m, %k), (%k, %j)
            {..., shared = array<i64: 1>}
    ```

    ### `persist-workgroups`

    *Lets each workgroup with rings compute several tiles.* Makes the kernel of a
    `gpu.launch` with rings *persistent*: the grid has at most as many workgroups
    as the target has processors, and each computes tiles in a loop. Rings outlive
    a tile. So what copies ahead (`assign-roles`) goes on with the next tile while
    this one is computed and stored.

    `persist` of the launch's `vector_ext.kernel` says whether tiles are dealt in one or
    two directions (1, 2), or in pairs (3). A launch without it stays as it is.

    - *One direction.* Workgroup w of W takes the tiles w, W + w, 2 W + w, and so on.
    - *Two directions*, for tiles that get shorter along a row. Tiles are numbered from
      both ends of a row in turn, so that neighbours are a long one and a short one.
      Workgroup w takes such a pair at a time: tiles 2 w and 2 w + 1, then 2 (W + w) and
      2 (W + w) + 1, and so on. With at most three rounds of pairs, that may leave many
      workgroups without a tile at the end. Then tiles are numbered by length, and the
      workgroup takes w, 2 W - 1 - w, 2 W + w, and so on. The launch decides this at run
      time, from the number of tiles.
    - *Pairs* of the long part of a sum and of the rest of it. Of 2 L tiles, the first L
      are long ones, and workgroup w < L takes tile w. The others take the rests: workgroup
      w takes the tiles w, w + (W - L), w + 2 (W - L), and so on.

    The step fails, and leaves the launch unchanged, if

    - the grid has more than one dimension;
    - the program has roles, or a barrier;
    - workgroups are clusters, and tiles are dealt in another way than in one direction, or
      their number is no known multiple of those of a cluster;
    - a tile is copied in a branch, or in a loop in a loop;
    - tiles are pairs, and their number is not known, or there are as many pairs as
      processors.

    Before:

    ```mlir
    gpu.launch blocks(%i, ...) in (%n = %tiles, ...) ... {
      %ring = vector_ext.ring.create : !ring
      scf.for %k = %c0 to %c512 step %c64 {
        %p = arith.divui %k, %c64 : index
        vector_ext.ring.put %ring[%p], %A at (%i, %k) ...
      }
    }
    ```

    After:

    ```mlir
    %grid = arith.minsi %tiles, %c132 : index
    gpu.launch blocks(%w, ...) in (%W = %grid, ...) ... {
      %ring = vector_ext.ring.create : !ring
      %0 = scf.for %t = %c0 to %count step %c1 iter_args(%used = %c0) {
        %first = arith.muli %t, %W : index
        %i = arith.addi %first, %w : index
        scf.for %k = %c0 to %c512 step %c64 {
          %p = arith.divui %k, %c64 : index
          %q = arith.addi %used, %p : index
          vector_ext.ring.put %ring[%q], %A at (%i, %k) ...
        }
        %next = arith.addi %used, %c8 : index
        scf.yield %next : index
      }
    }
    ```

    ### `assign-roles`

    *Splits a program with rings into a copying and a computing role.* Applies warp
    specialisation to every `gpu.launch` with rings, unless its `vector_ext.kernel`
    says that it has no roles. The launch gets 128 more threads (`group_threads` of
    the target). The step clones each `ring.put`, and everything that it needs, such as
    indices, loops and scalar loads, to a `vector_ext.role` of these threads. The rest
    of the program becomes a role of the threads that the launch had before.

    The number of new threads that run the copying role is

    - all of them, if there is a `ring.write` (they may then compute with vectors), or
      if the puts have more `copiers` than there are subgroups;
    - otherwise the number of `copiers`, or one.

    The step divides the registers of a processor among the roles. A thread of the
    copying role keeps the number of registers in the first line that applies:

    - 56 if one thread copies more than 4 parts of a tile or divides by an unknown
      number of rows of a page, or if there is a `ring.write`;
    - 32 if at least 384 threads compute;
    - 40 if one thread copies 2 to 4 parts of a tile, or if all threads of the role copy;
    - 24.

    In a persistent kernel it keeps 16 more, unless tiles are dealt in order, 256
    threads compute and load tiles of booleans, and each copied tile has one part. The threads of the computing role share
    the rest, and get at most 240 each (`group_registers` of the target).

    If threads convert bytes, and all keep the registers with which they start, the
    copying role executes several iterations at a time: those for which a row of what
    it writes beside the bytes, such as scales, has 16 bytes in memory. It reads them
    at once. The number of iterations must be a known multiple.

    The step fails, and leaves the launch unchanged, if

    - the position of a tile depends on a vector, or on memory to which the kernel
      writes;
    - the number of computing threads is not a multiple of 128;
    - the program has a barrier;
    - the result of an asynchronous instruction needs more registers than threads
      have at the start of the kernel.

    Before:

    ```mlir
    %ring = vector_ext.ring.create : !ring
    %0 = scf.for %k = %c0 to %c512 step %c64 iter_args(%sum = %zero) {
      vector_ext.ring.put %ring[%n], %A at (%m, %k) ...
      %a = vector_ext.ring.get %ring[%n] : !ring
      %s = vector.contract %a, %b, %sum ...
      vector_ext.ring.release %ring[%n] : !ring
      scf.yield %s
    }
    ```

    After:

    ```mlir
    %ring = vector_ext.ring.create : !ring
    vector_ext.role first(0) threads(256) registers(240) {
      %0 = scf.for %k = %c0 to %c512 step %c64 iter_args(%sum = %zero) {
        %a = vector_ext.ring.get %ring[%n] : !ring
        %s = vector.contract %a, %b, %sum ...
        vector_ext.ring.release %ring[%n] : !ring
        scf.yield %s
      }
    }
    vector_ext.role first(256) threads(128) single registers(24) {
      scf.for %k = %c0 to %c512 step %c64 {
        vector_ext.ring.put %ring[%n], %A at (%m, %k) ...
      }
    }
    ```

    ### `multiply-positions`

    *Makes biases by position products of instructions.* If an asynchronous
    contraction in a role starts from positions times a number, a product of f32
    that may be reassociated, and the positions grow by constant numbers from row to
    row and from column to column, it starts from another contraction instead, of
    bf16, and continues its sums (`vector_ext.continues`). The right operand of
    that does not depend on where the tile is. All threads write it to shared memory
    as the kernel starts. The left operand has the number, and its products with
    rows and with the first position of the tile, each in three parts that are exact.

    The step changes nothing if positions grow by more than 256 within the columns of a
    tile, if the rings leave no room in shared memory, or if `vector_ext.kernel` says
    that loops are not rotated.

    Before, where `%distance` is the position of a column less that of a row:

    ```mlir
    %0 = arith.sitofp %distance : vector<64x32xi32> to vector<64x32xf32>
    %bias = arith.mulf %0, %slopes fastmath<reassoc>
    %s = vector.contract ... %q, %k, %bias
    ```

    After:

    ```mlir
    %right = vector_ext.shared_tile %table in #table       // at the start of the role
    %bias = vector.contract ... %left, %right, %zeros
       : vector<64x16xbf16>, vector<32x16xbf16> into vector<64x32xf32>
    %s = vector.contract ... %q, %k, %bias {vector_ext.continues}
    ```

    ### `hold-operands`

    *Lets threads hold left operands.* In a persistent kernel whose loops are rotated, and whose
    tiles are dealt in order, threads load a left operand that is the same in all
    iterations of a loop, if its ring has only one slot, and if they have registers for
    it. They free the slot in front of the loop. So the next tile is copied in the
    meantime, and `rotate-loops` can start its first product early. Threads that copy keep
    the registers that they have in a kernel that is not persistent, and the others get
    the rest.

    Before:

    ```mlir
    %queries = vector_ext.ring.get %ring[%n]
    scf.for ... {
      %scores = vector.contract ... %queries, %keys, %zeros
    }
    vector_ext.ring.release %ring[%n]
    ```

    After:

    ```mlir
    %queries = vector_ext.ring.get %ring[%n]
    %held = vector_ext.to_layout %queries to #lhs
    vector_ext.ring.release %ring[%n]
    scf.for ... {
      %scores = vector.contract ... %held, %keys, %zeros
    }
    ```

    ### `rotate-loops`

    *Orders products in loops, across iterations.* Applies software pipelining to
    loops with asynchronous *products*: contractions whose `vector_ext.config` names
    an asynchronous instruction. A product runs asynchronously from where it is
    issued to where it is awaited. For each `scf.for` with products in its body, the
    step decides both positions, from the dependences of the body alone, and inserts
    `vector_ext.await`.

    Each product, and everything that depends on it, is in stage 0 or 1. Iteration
    n of the *rotated* loop performs stage 0 of iteration n + 1 and stage 1 of
    iteration n. It has this order:

    1. All products are issued, in the order in which they will finish.
    2. Ops that depend on none of these products follow.
    3. The first product is awaited, followed by the ops that depend on it; then
       the second one, and so on.

    An op that writes registers which a product still reads comes after the await
    of that product. All products are awaited before the end of an iteration.

    The step tries all stages and orders of up to 5 products, and simulates each.
    Of those whose vectors fit into registers, it takes the one with the shortest
    iteration. If times differ by less than 2 %, it takes the one with fewer
    registers, then the one with one stage. Examples of results:

    - two products, and elementwise ops between them: the first product of n + 1
      is issued before the second one of n, and the elementwise ops of n + 1 run
      during the latter;
    - a product whose operand is computed: the operand of n + 1 is computed during
      the product of n;
    - a product of tiles in shared memory: is not rotated.

    A *chain* is a sequence of loops, each of which continues from the values that
    the previous one carries: for example, the loops before, over and after the
    tiles that need a mask. If their stages 1 are equal, the loops are rotated
    together: only the first and the last iteration of the chain are peeled.
    Otherwise each loop finishes all that it has started.

    In a role, the groups of threads that compute parts of the products issue those
    of a rotated iteration *in turn* (`turn.take`, `turn.pass`): otherwise they wait
    for the same tiles, issue at the same time, and then all compute at the same
    time, while no product runs. There are no turns if an op that takes time, or may
    branch, is between the products.

    `ring.put` and `ring.get` move with the products that read the tile, and
    `ring.release` to after their awaits. Loops whose bodies write to memory, or
    have products in branches, are not changed.

    Before, for a product of `%p`, which follows from another one:

    ```mlir
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero)
        -> (vector<64x64xf32>) {
      %k = vector.transfer_read %keys[%i, %c0], %pad {in_bounds = [true, true]}
         : memref<?x64xf16>, vector<64x64xf16>
      %s = vector.contract {..., vector_ext.config = #config} %q, %k, %zero
         : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      %e = math.exp2 %s : vector<64x64xf32>
      %p = arith.truncf %e : vector<64x64xf32> to vector<64x64xf16>
      %v = vector.transfer_read %values[%i, %c0], %pad {in_bounds = [true, true]}
         : memref<?x64xf16>, vector<64x64xf16>
      %o = vector.contract {..., vector_ext.config = #config} %p, %v, %acc
         : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      scf.yield %o : vector<64x64xf32>
    }
    ```

    After, in the loop. `%i` belongs to the iteration of stage 0. `%j` and `%p`
    belong to the previous iteration:

    ```mlir
    scf.for %i = %c64 to %n step %c64 iter_args(%acc = ..., %p = ..., %j = ...) {
      %k = vector.transfer_read %keys[%i, %c0], ...
      %s = vector.contract {..., vector_ext.config = #config} %q, %k, %zero
      %v = vector.transfer_read %values[%j, %c0], ...
      %o = vector.contract {..., vector_ext.config = #config} %p, %v, %acc
      %s1 = vector_ext.await %s : vector<64x64xf32>
      %e = math.exp2 %s1 : vector<64x64xf32>
      %o1 = vector_ext.await %o : vector<64x64xf32>
      %p1 = arith.truncf %e : vector<64x64xf32> to vector<64x64xf16>
      scf.yield %o1, %p1, %i
    }
    ```

    ### `lower-rings`

    *Lowers rings to memory, barriers and copies of tiles.* Each ring becomes shared
    memory. Each of its slots gets a barrier whose phase ends when the tiles have
    arrived. `ring.put` becomes the copies that the target has registered (TMA on
    NVIDIA GPUs).
    `ring.write` becomes `vector_ext.write_tile`, and each thread of its role arrives
    at that barrier.
    `ring.get` becomes a wait and `vector_ext.shared_tile`. The threads of a subgroup
    that loads the tile meet before its release. With `ends`, the threads
    that get the tile then write zeros, and wait for each other, if the tile ends
    before its last row.

    If puts and gets are in different roles, each slot gets a second barrier.
    `ring.release` becomes an arrival of one thread of each subgroup at it, and
    each put waits for it.

    Without roles, one of the computing threads starts the copies, and a barrier
    of all threads frees a slot. In a loop, tiles of later iterations are copied
    during the computation: the first `slots - 1` tiles before the loop, and in
    each iteration the tile of `slots - 1` iterations later, after the first op
    that reads a tile. A put keeps its position if there is no loop, if an op in
    the loop writes to memory, or if the position of the tile depends on more than
    the number of the iteration.

    The step fails, and leaves the launch unchanged, if

    - a source of a put is computed in the kernel;
    - puts and gets of a ring are in the same role;
    - a write is in no role of several threads, or a ring has puts, too;
    - a put has more copiers than its role has threads, or others than another put
      of its ring;
    - without roles, a get has ends;
    - without roles, no get of the same position follows a put in its block.

    Before, for a ring of one slot:

    ```mlir
    vector_ext.ring.put %ring[%n], %A at (%m, %k)
        {maps = [affine_map<(d0, d1) -> (d0, d1)>]} : !ring, memref<1024x512xf16>
    %a = vector_ext.ring.get %ring[%n] : !ring
    ```

    After:

    ```mlir
    gpu.barrier
    nvgpu.mbarrier.arrive.expect_tx %barrier[%c0], %c16384,
      predicate = %is_first : !barrier
    nvgpu.tma.async.load %map[%k, %m], %barrier[%c0] to %box,
      predicate = %is_first
      : !map, !barrier -> memref<128x64xf16, strided<[64, 1]>, #workgroup>
    nvgpu.mbarrier.try_wait.parity %barrier[%c0], %parity, %ticks : !barrier
    %tile = memref.view %memory[%c0][]
       : memref<16384xi8, #workgroup> to memref<8192xf16, #workgroup>
    %a = vector_ext.shared_tile %tile in #layout
       : memref<8192xf16, #workgroup>, vector<128x64xf16>
    ```
  }];
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: stage-tiles, share-tiles, persist-workgroups, assign-roles, "
               "multiply-positions, hold-operands, rotate-loops, lower-rings; empty runs all">,
    Option<"slots", "slots", "int64_t", /*default=*/"0",
           "stage-tiles: slots of the ring of each tile in a loop; 0 chooses the "
           "largest number, 1 to 4, with which workgroups of 256 threads in total "
           "fit on a processor">,
    Option<"explainSchedule", "explain-schedule", "bool", /*default=*/"false",
           "rotate-loops: emit a remark at each loop with products: its schedule, "
           "or why it has none">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector_ext::VectorExtDialect"
  ];
}

def VectorExtSimplifyPass : Pass<"vector-ext-simplify"> {
  let summary = "Rewrite arithmetic on vectors as cheaper arithmetic";
  let description = [{
    Applies sets of patterns, one after the other: those that `patterns` names,
    or `fold-exp2`, `factor-out-of-max` and `narrow-comparisons`.

    `linalg-ext-to-nvvm` applies `split-positions` and `canonicalize-leaves` to the
    code of threads, after `vector-ext-distribute`, and `drop-assumes` to kernels.
    It applies the other sets to tiles, before `vector-ext-distribute`.

    ### `excess-precision`

    Removes roundings of vectors from f32 to f16 or bf16 between elementwise
    ops. An elementwise `arith` or `math` op that reads a rounded vector
    computes in f32 instead, and its result is rounded. `arith.extf` of
    `arith.truncf` folds away. Values that are stored, and operands of
    contractions, are still rounded once.

    Frontends round the result of every op to the type of the program. Each
    rounding costs two conversions for each element, and accuracy.

    The patterns do not change an `arith.truncf` that names a rounding mode, or an
    op that mixes several types of floats. `arith.cmpf` without a constant compares
    rounded numbers: a program finds the largest one of a row by comparing with it.

    Results change: the roundings are missing, and so are their overflows. For
    example, 70000 between two ops is infinity in f16, but stays 70000 in f32.

    Before:

    ```mlir
    %h = arith.truncf %s : vector<64x64xf32> to vector<64x64xf16>
    %t = arith.mulf %h, %scale : vector<64x64xf16>
    %x = arith.extf %t : vector<64x64xf16> to vector<64x64xf32>
    ```

    After:

    ```mlir
    %x = arith.mulf %s, %wide : vector<64x64xf32>
    ```

    ### `fold-exp2`

    Rewrites `exp(a - b)` of f32 as `exp2(a * log2(e) - b * log2(e))`. GPUs have
    an instruction for powers of two.

    The patterns fold the factor log2(e) into constants and constant factors, and
    move it before broadcasts, transposes and shape casts. In a softmax, one
    multiplication for each row and one fused multiply-add for each element
    remain.

    Any other `math.exp` stays as it is. Its argument may be large, and the
    rounded product with log2(e) would not be accurate enough.

    Each product has a rounding error of half an ulp of the exponent, or none if
    it is fused with the difference. In a softmax, the error of the factor of a
    row cancels in the weights. It does not cancel in a sum of exponentials that is
    itself a result: the relative error of the sum is up to half an ulp of
    `max * log2(e)`. The rounding error of the exponent of each element remains.

    A mask like -1e9 may give a row a maximum of magnitude 2^27 or more. Such a row has
    the factor 1 in place of log2(e). Two numbers of this size are equal or differ by at
    least 8, which is their rounding error.

    If few elements share `b`, the result is `exp2((a - b) * log2(e))`. The factor that
    rescales the state of a row is then exactly 1 if the maximum does not change.

    Before:

    ```mlir
    %s = arith.mulf %x, %scale : vector<64x64xf32>
    %m = vector.broadcast %max : vector<64x1xf32> to vector<64x64xf32>
    %d = arith.subf %s, %m : vector<64x64xf32>
    %p = math.exp %d : vector<64x64xf32>
    ```

    After:

    ```mlir
    %s = arith.mulf %x, %scaled : vector<64x64xf32>   // by scale * log2(e)
    %k = arith.mulf %max, %log2e : vector<64x1xf32>
    %m = vector.broadcast %k : vector<64x1xf32> to vector<64x64xf32>
    %d = arith.subf %s, %m : vector<64x64xf32>
    %p = math.exp2 %d : vector<64x64xf32>
    ```

    ### `scale-weights`

    Weights of an online softmax that are rounded to 8 bits, or to f16, may be multiplied by a
    power of two 2^n first. The pattern adds n to their exponents instead. The sum of the weights
    that loops carry is then 2^n times as large, and is divided behind the last of them.
    It applies if the weights are powers of differences from values that many elements
    share, all loops of the sum have the same factor, and nothing else reads the weights. Scores that
    may be huge, as those that a mask of -1e9 hides, keep the product.

    Before:

    ```mlir
    %3 = scf.for ... iter_args(%sum = %zeros) -> (vector<64xf32>) {
      %1 = vector.broadcast %max : vector<64xf32> to vector<32x64xf32>
      %p = math.exp2 ...        // of scores minus %1
      %2 = vector.multi_reduction <add>, %p, %sum [0] : vector<32x64xf32> to vector<64xf32>
      %q = arith.mulf %p, %c256 : vector<32x64xf32>
      %r = arith.truncf %q : vector<32x64xf32> to vector<32x64xf8E4M3FN>
      ...
    ```

    After:

    ```mlir
    %3 = scf.for ... iter_args(%sum = %zeros) -> (vector<64xf32>) {
      %0 = arith.subf %max, %c8 : vector<64xf32>
      %1 = vector.broadcast %0 : vector<64xf32> to vector<32x64xf32>
      %p = math.exp2 ...        // of scores minus %1
      %2 = vector.multi_reduction <add>, %p, %sum [0] : vector<32x64xf32> to vector<64xf32>
      %r = arith.truncf %p : vector<32x64xf32> to vector<32x64xf8E4M3FN>
      ...
    }
    %4 = arith.mulf %3, %1_256 : vector<64xf32>
    ```

    ### `approximate-exponents`

    Sets the fastmath flag `afn` of each `math.tanh` of f32 that is used for exponents
    alone, if the powers are rounded to f16 or bf16. A soft cap of the scores of
    attention is such a `math.tanh`. `linalg-ext-gpu-lower-math` then computes it to
    within 2^-21. The product of the constant factors between it and the power is at
    most 128, so that powers have an additional error of at most 2^-14.

    Sets the flag `reassoc` of each product of a factor with positions (integers that
    were converted to f32) that is used for exponents in the same way, such as a bias
    that grows with the distance. The step `floats` of `linalg-ext-gpu-narrow-integers`
    then multiplies parts of the positions.

    Sets `afn` also of each `math.exp` of f32 if everything that depends on it is
    rounded to 16 bits, such as x / (1 + exp(-x)) in f16. One instruction then computes
    it, with a relative error of 2^-21 plus |x| 2^-24. The ops between the power and
    the rounding keep a relative error small: products, quotients, and sums of numbers
    that are not negative. The instruction returns 0 for a subnormal power. So the
    power itself must not be a factor or a divisor; the sum of it and a constant that
    is not tiny may be.

    The maximum of such a `math.tanh` becomes the `math.tanh` of the maximum of its
    operand. Positive constant factors of the operand then multiply the maximum.

    ### `start-from-bias`

    Uses a bias as the accumulator of a `vector.contract` with asynchronous products
    (`vector_ext.kernel`), in place of zeros and a later addition. It applies if the sum
    is used for exponents alone, whose powers are rounded to f16 or bf16. The bias must
    be f16, or a product of positions and a number with the flag `reassoc`.

    If the result of the contraction is multiplied by a constant before the addition,
    the bias is divided by this constant. The constant then multiplies the sum, and
    merges with later factors. Maxima of the sum are rewritten as by `factor-out-of-max`.

    Results change: the sum is rounded while products are added. A quotient is clamped
    to the magnitude 2^96, so that the large number of a mask does not become infinite.
    The patterns do not divide constants of a larger magnitude.

    Before:

    ```mlir
    %0 = vector.contract {...} %q, %k, %zeros : vector<64x32xf16>, vector<16x32xf16> into vector<64x16xf32>
    %1 = arith.mulf %0, %quarters : vector<64x16xf32>
    %2 = arith.extf %bias : vector<64x16xf16> to vector<64x16xf32>
    %3 = arith.addf %1, %2 : vector<64x16xf32>
    %4 = arith.mulf %3, %log2e : vector<64x16xf32>
    ```

    After:

    ```mlir
    %0 = arith.extf %bias : vector<64x16xf16> to vector<64x16xf32>
    %1 = arith.mulf %0, %fours : vector<64x16xf32>
    %2 = vector.contract {...} %q, %k, %1 : vector<64x32xf16>, vector<16x32xf16> into vector<64x16xf32>
    %3 = arith.mulf %2, %quarter_log2e : vector<64x16xf32>
    ```

    ### `factor-out-of-sums`

    Moves a factor of an operand behind a `vector.contract` that adds to f32, if the
    factor does not depend on the dimension that is summed: the sum of `x * (w * s)`
    becomes `s` times the sum of `x * w`. This must be fewer multiplications: each
    element of the operand is used for at most 16 rows, and for at most half as many
    rows as the sum has terms. A `vector.shape_cast` may be between the product and the
    contraction. A product of values from outside of the loop stays, since it can be
    hoisted.

    Results change: the product of operand and factor is no longer rounded, and no
    longer overflows. An infinite factor, or NaN, multiplies the whole sum instead of
    its terms.
    `linalg-ext-to-nvvm` and `linalg-ext-to-rocdl` apply it with
    `excess-precision`.

    Before:

    ```mlir
    %0 = vector.broadcast %s : vector<32xf16> to vector<64x32xf16>
    %1 = vector.transpose %0, [1, 0] : vector<64x32xf16> to vector<32x64xf16>
    %2 = arith.mulf %w, %1 : vector<32x64xf16>
    %3 = vector.contract {...} %x, %2, %acc : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
    ```

    After:

    ```mlir
    %0 = vector.contract {...} %x, %w, %zero : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
    %1 = arith.extf %s : vector<32xf16> to vector<32xf32>
    %2 = vector.broadcast %1 : vector<32xf32> to vector<8x32xf32>
    %3 = arith.mulf %0, %2 : vector<8x32xf32>
    %4 = arith.addf %acc, %3 : vector<8x32xf32>
    ```

    ### `sum-integers`

    Unpacked integers of 4 bits, which are operands of a `vector.contract` of f16 or
    bf16 that adds to f32, are multiplied as they are: n * 2^-24 is a subnormal number
    of f16, whose bits are those of n. In bf16, 128 + n has the bits of n as its last
    ones. What is subtracted from an integer, such as a zero point, must not depend on the
    dimension that is summed: it is subtracted behind the sum, times the sum of the other
    operand, which is a contraction with ones. There are at most 8 parts, since threads of
    more have few registers. For the same reason, no contraction in the same block computes
    a factor, or has a factor that is computed from the result, as in attention: see below. Each
    integer is used for at most 8 rows, and for at most half as many rows as the sum has
    terms. The contraction has a config whose instruction keeps subnormal numbers, and is
    not asynchronous.

    Other contractions with such an instruction multiply (n - z) * 2^-9 in f16, which is
    one `math.fma` of two integers: `linalg-ext-gpu-lower-math` takes their bits. The
    result is multiplied by 2^9. The zero point `z` may be a constant, and may depend on the
    dimension that is summed. An asynchronous contraction starts from 0.

    The two contractions in a loop that attends to a cache with a constant zero point z need no
    other sum in an iteration. If the other operand of the first one is the same in all
    iterations, a contraction with ones is in front of the loop, and the first one starts from -z
    times its result. The second one adds to what the loop carries, times a factor, from 0 on.
    If the loop carries the sum of the same weights with the same factor, z times that sum is
    subtracted behind the loop. The weights are then summed as they are rounded. In f16, its
    integers are multiplied where they are in a byte: n * 2^(a - 24), if a byte was shifted
    by a, so that columns of upper halves are divided by 16 behind the loop.

    Results change. If the zero point is subtracted behind the sum, the difference is no
    longer rounded, and if the other operand then has an infinity, or NaN, the result is
    NaN. Otherwise a difference below 2^-5 is rounded to a multiple of 2^-15. If integers
    have an offset, its sum with the zero point is rounded first.
    `linalg-ext-to-nvvm` and `linalg-ext-to-rocdl` apply it with `excess-precision`.

    Before:

    ```mlir
    %0 = arith.andi %bytes, %c15 : vector<32x64xi8>
    %1 = arith.uitofp %0 : vector<32x64xi8> to vector<32x64xf16>
    %2 = arith.subf %1, %zero : vector<32x64xf16>
    %3 = vector.contract {...} %x, %2, %acc : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
    ```

    After:

    ```mlir
    %0 = vector.contract {...} %x, %ones, %zeros : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
    %1 = arith.mulf %0, %wide_zero : vector<8x32xf32>
    %2 = arith.andi %bytes, %c15 : vector<32x64xi8>
    %3 = arith.uitofp %2 : vector<32x64xi8> to vector<32x64xf16>
    %4 = arith.mulf %3, %subnormal : vector<32x64xf16>
    %5 = vector.contract {...} %x, %4, %zeros : vector<8x64xf16>, vector<32x64xf16> into vector<8x32xf32>
    %6 = arith.mulf %5, %reciprocal : vector<8x32xf32>
    %7 = arith.subf %6, %1 : vector<8x32xf32>
    %8 = arith.addf %acc, %7 : vector<8x32xf32>
    ```

    ### `widen-stores`

    Merges the last two dimensions of a vector of unpacked elements that is written, and
    of the memory, as long as a row has less than 16 bytes: then threads store 16 bytes,
    and load as many bytes as they unpack these from. Whole rows of contiguous memory
    must be written. A mask of the first rows becomes one of the merged dimensions.

    Before:

    ```mlir
    vector.transfer_write %pairs, %all[%i, %c0, %c0]
      : vector<64x32x2xf16>, memref<4096x32x2xf16>
    ```

    After:

    ```mlir
    %0 = vector.shape_cast %pairs : vector<64x32x2xf16> to vector<64x64xf16>
    %1 = memref.collapse_shape %all [[0], [1, 2]]
      : memref<4096x32x2xf16> into memref<4096x64xf16>
    vector.transfer_write %0, %1[%i, %c0] : vector<64x64xf16>, memref<4096x64xf16>
    ```

    ### `small-differences`

    Subtracts zero points after the conversion to f16, bf16 or f32: the float of
    `n - z` becomes the difference of two floats, if `n` are integers of 4 bits, which
    a mask says, or are extended from 8 bits, and masks, constants or an extension from
    8 bits bound `z`. All of them, and their differences, have a magnitude of at most
    256, which is exact in f16 and bf16; in integers of 8 bits, `z` has one of at most
    64, and differences do not wrap around. Conversions of `z` move before broadcasts. Masks alone convert `n` later,
    two at a time, and `sum-integers` subtracts `z` behind the sum. A constant `z` stays,
    and so does a difference of 8 bits that may wrap around.

    Before:

    ```mlir
    %0 = arith.andi %words, %c15 : vector<64x32xi8>
    %1 = arith.andi %zeros, %z15 : vector<32xi8>
    %2 = vector.broadcast %1 : vector<32xi8> to vector<64x32xi8>
    %3 = arith.subi %0, %2 : vector<64x32xi8>
    %4 = arith.sitofp %3 : vector<64x32xi8> to vector<64x32xf16>
    ```

    After:

    ```mlir
    %0 = arith.andi %words, %c15 : vector<64x32xi8>
    %1 = arith.andi %zeros, %z15 : vector<32xi8>
    %2 = arith.sitofp %0 : vector<64x32xi8> to vector<64x32xf16>
    %3 = arith.sitofp %1 : vector<32xi8> to vector<32xf16>
    %4 = vector.broadcast %3 : vector<32xf16> to vector<64x32xf16>
    %5 = arith.subf %2, %4 : vector<64x32xf16>
    ```

    ### `factor-out-of-max`

    Moves a multiplication by a positive constant `c` after a maximum or
    minimum: the maximum of all `c * x_i` becomes `c` times the maximum of all
    `x_i`. That is one multiplication for each row instead of one for each
    element.

    The patterns rewrite each `vector.multi_reduction` with kind `maximumf` or
    `minimumf` whose result is a vector. The factor may be inside an
    `arith.select` between `c * x_i` and an infinity, as masks produce it. The
    patterns move the factor out of such a select even if no maximum follows. A
    later op can then be fused with the multiplication.

    If a maximum of multiples is taken, and two factors are scalars, as the scales of
    queries and keys of f8 are, these are multiplied with each other first: `x * a * b`
    becomes `x * (a * b)`, which is rounded in another way. The same holds for a scalar and
    a constant. Neither sign is known, so the product stays in front of the maximum (the
    step `branch-over-signs` of `linalg-ext-gpu-optimize-threads` moves it).

    A sum `x + 0` that is the operand of a maximum becomes `x`: a mask that hides
    nothing of a tile adds zeros.

    Reductions inside a `vector.mask` stay as they are.

    With positive constants, results have the same bits, because rounding is monotonic.
    The only exception is the sign of a zero.

    Before:

    ```mlir
    %s = arith.mulf %x, %scale : vector<64x64xf32>
    %m = vector.multi_reduction <maximumf>, %s, %acc [1]
       : vector<64x64xf32> to vector<64xf32>
    ```

    After:

    ```mlir
    %r = vector.multi_reduction <maximumf>, %x, %low [1]
       : vector<64x64xf32> to vector<64xf32>
    %s = arith.mulf %r, %scale : vector<64xf32>
    %m = arith.maximumf %acc, %s : vector<64xf32>
    ```

    ### `narrow-comparisons`

    Rewrites comparisons of positions (`vector<...xindex>`) as comparisons of
    `i32` vectors. Masks are such comparisons. A position is a sum of scalars,
    which are the same for all elements, and of `vector.step` offsets.

    The patterns move all scalars to one side. With scalars `l` and `r`,
    `l + a < r + b` becomes `a < (r - l) + b`. They clamp `r - l` to the range in
    which the comparison is not constant, so that all values fit into 32 bits.
    After distribution, `a` and `b` are constants plus an offset of the thread.

    The scalars must be known to be small enough that no sum or difference of
    them overflows. These scalars are: sizes of memrefs; ids of workgroups and
    threads; induction variables; integers of at most 32 bits; results of
    `affine` ops, sums, differences, minima and maxima of such scalars. An
    unsigned comparison also needs operands that are not negative. Other
    comparisons stay as they are.

    Before:

    ```mlir
    %0 = vector.broadcast %i : index to vector<64xindex>
    %1 = arith.addi %0, %step : vector<64xindex>
    %2 = vector.broadcast %n : index to vector<64xindex>
    %3 = arith.cmpi slt, %1, %2 : vector<64xindex>
    ```

    After (`%d` is `%n - %i` between -65 and 65):

    ```mlir
    %0 = arith.index_cast %step : vector<64xindex> to vector<64xi32>
    %1 = vector.broadcast %d : i32 to vector<64xi32>
    %2 = arith.cmpi slt, %0, %1 : vector<64xi32>
    ```

    ### `merge-masks`

    Hides each score once, by one condition:

    - A program may mask a score to -infinity for the maximum of its row, and mask the
      power 2^score to 0. The second mask is removed: 2^-infinity is 0. The maximum must
      be guarded against rows without scores. A mask that differs from row to row must
      hide the score, too; if only the end of the row does, most iterations have no mask
      anyway.
    - Two nested selects with the same other value become one select, whose condition is
      the conjunction.
    - A comparison of the column with a bound of the row, and a mask of the first
      columns, become one comparison with the smaller bound, also if a third condition is
      between both. Loops that will be rotated keep both, unless they have one iteration.

    Before:

    ```mlir
    %visible = arith.cmpi sle, %n, %m : vector<64x64xi32>
    %t = arith.select %visible, %s, %minus_inf : vector<64x64xi1>, vector<64x64xf32>
    %exists = vector.create_mask %c64, %count : vector<64x64xi1>
    %u = arith.select %exists, %t, %minus_inf : vector<64x64xi1>, vector<64x64xf32>
    ... // the maximum of %u
    %e = arith.subf %t, %max : vector<64x64xf32>
    %p = math.exp2 %e : vector<64x64xf32>
    %w = arith.select %exists, %p, %zero : vector<64x64xi1>, vector<64x64xf32>
    ```

    After, with the maximum of %u:

    ```mlir
    %visible = arith.cmpi sle, %n, %m : vector<64x64xi32>
    %exists = vector.create_mask %c64, %count : vector<64x64xi1>
    %both = arith.andi %visible, %exists : vector<64x64xi1>
    %u = arith.select %both, %s, %minus_inf : vector<64x64xi1>, vector<64x64xf32>
    %e = arith.subf %u, %max : vector<64x64xf32>
    %w = math.exp2 %e : vector<64x64xf32>
    ```

    ### `fold-first-factors`

    Folds the factor of the state of an online softmax to 0 where the state is empty, as
    in an iteration that a loop has been rotated or peeled to: its maximum is -infinity.
    The maximum of the iteration must be guarded against rows without scores, and be
    subtracted from the exponents of weights, so that a NaN in it reaches the sums anyway.

    Before:

    ```mlir
    %d = arith.subf %minus_inf, %max : vector<64xf32>
    %p = arith.mulf %d, %log2e : vector<64xf32>
    %factor = math.exp2 %p : vector<64xf32>
    ```

    After:

    ```mlir
    %factor = arith.constant dense<0.0> : vector<64xf32>
    ```

    ### `split-positions`

    Rewrites comparisons of position vectors, in the code of one thread, as
    comparisons of one scalar with constants. In this code, a vector of
    positions is a scalar plus one constant for each register.

    With scalars `s` and `t` and constants `a` and `b`, `s + a < t + b` becomes
    `t - s > a - b`. Without the patterns, a thread computes a difference for each
    register. If a loop does not change these differences, the thread keeps all
    of them in registers throughout the loop. The patterns also truncate positions
    to 32 bits as a scalar instead of element by element. If a power of 2 divides all
    constants, a quotient or a remainder by it (the page of a position and the row in the
    page) is computed as a scalar, too.

    Apply them after `vector-ext-distribute`. They rewrite comparisons of
    one-dimensional vectors for equality, and signed comparisons if the ranges
    of the scalars show that nothing overflows. They also rewrite `s + a < t` of indices,
    if `s` and `a` are not negative: `t - s` then fits into 32 bits, after it is clamped to
    the range of the constants. An unsigned comparison also needs a `t` that is not
    negative. Other comparisons stay as they are.

    Before:

    ```mlir
    %0 = vector.broadcast %row : i32 to vector<4xi32>
    %1 = arith.addi %0, %rows : vector<4xi32>       // dense<[0, 0, 8, 8]>
    %2 = vector.broadcast %column : i32 to vector<4xi32>
    %3 = arith.addi %2, %columns : vector<4xi32>    // dense<[0, 1, 0, 1]>
    %4 = arith.cmpi sge, %1, %3 : vector<4xi32>
    ```

    After:

    ```mlir
    %0 = arith.subi %column, %row : i32
    %1 = vector.broadcast %0 : i32 to vector<4xi32>
    %2 = arith.cmpi sle, %1, %constants : vector<4xi32>  // dense<[0, -1, 8, 7]>
    ```

    ### `drop-assumes`

    Replaces each `vector_ext.assume` by its operand. Apply it after the last
    pass that asks for ranges and divisors.

    Before:

    ```mlir
    %length = vector_ext.assume %n multiple_of 8
    %m = arith.muli %length, %row : index
    ```

    After:

    ```mlir
    %m = arith.muli %n, %row : index
    ```

    ### `canonicalize-leaves`

    Canonicalizes ops without regions. `canonicalize` also visits the parents of
    each op that changes, and asks of each whether it is dead. Kernels are long,
    and `vector-ext-distribute` leaves many ops that fold away, so that this
    takes quadratic time. With `canonicalize-leaves` before it, `canonicalize`
    has little to change.

    Before:

    ```mlir
    scf.if %condition {
      %0 = vector.from_elements %a, %b : vector<2xf32>
      %1 = vector.extract %0[1] : f32 from vector<2xf32>
      memref.store %1, %memory[%i] : memref<?xf32>
    }
    ```

    After:

    ```mlir
    scf.if %condition {
      memref.store %b, %memory[%i] : memref<?xf32>
    }
    ```
  }];
  let options = [
    ListOption<"patterns", "patterns", "std::string",
               "Pattern sets to apply, one after the other: excess-precision, "
               "fold-exp2, approximate-exponents, start-from-bias, "
               "factor-out-of-max, factor-out-of-sums, scale-weights, "
               "small-differences, sum-integers, widen-stores, "
               "narrow-comparisons, merge-masks, fold-first-factors, "
               "split-positions, drop-assumes or canonicalize-leaves; empty "
               "applies fold-exp2, "
               "factor-out-of-max and narrow-comparisons">,
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // MLIR_EXT_DIALECT_VECTOREXT_DISTRIBUTION_PASSES
