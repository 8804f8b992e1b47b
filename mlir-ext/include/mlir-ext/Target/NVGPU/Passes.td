//===- Passes.td - Passes for NVIDIA GPUs alone ------------*- tablegen -*-===//
//
// What only kernels for NVIDIA GPUs need. Passes that each vendor implements in its
// own way are in Pipelines/GPUPasses.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_NVGPU_PASSES
#define MLIR_EXT_TARGET_NVGPU_PASSES

include "mlir/Pass/PassBase.td"

def LinalgExtNVGPURegisterWorkaroundsPass
    : Pass<"linalg-ext-nvgpu-register-workarounds"> {
  let summary = "Work around choices of LLVM and ptxas that spill registers";
  let description = [{
    Applies workarounds to kernels whose registers LLVM 22.1 and ptxas (CUDA
    13.0) would spill: those that `workarounds` names, or all of them, in the order
    of this page. They change neither results nor the memory that a kernel
    accesses. Run the pass on kernels with loops (`scf.for`), directly before
    the conversion to NVVM. docs/Decisions 0015 and 0016 have the measurements
    (H200); with a new ptxas they have to be repeated, and a workaround that no
    longer helps is removed.

    ### `recompute-after-loops`

    *Works around:* LLVM computes a common subexpression once. Coordinates and
    addresses that are needed before and after a loop stay in registers over the
    loop (54 words in attention of 128 columns). *Measured:* 8 spilled bytes
    instead of 140 at 128 columns.

    It looks at the `scf.for` loops in a kernel's own block. A value is
    recomputed if the kernel computes it from the id of a thread before the loop, and
    needs it after the loop. Only integers, indices and views of
    memory are recomputed. The id is read again by inline assembly, so that LLVM
    cannot reuse the earlier values.

    If such a loop contains a loop that carries at least 96 words of 32 bits, its
    body recomputes these values too: LLVM would compute addresses that do not
    change before the outer loop. After the inner loop, integers are loaded again
    that were loaded before the outer loop, from an argument of the kernel that is
    `llvm.readonly` and `llvm.noalias`. *Measured:* a linear layer and its
    cross-entropy, of 2048 features, spill nothing instead of 176 bytes.

    Before:

    ```mlir
    %id = gpu.thread_id x
    %row = arith.shrui %id, %c2 : index
    %sum = scf.for ..
    memref.store %sum, %out[%row] : memref<?xf32>
    ```

    After:

    ```mlir
    %sum = scf.for ..
    %again = llvm.inline_asm has_side_effects "mov.u32 $0, %tid.x;", "=r" : () -> i32
    %id = arith.index_castui %again : i32 to index
    %row = arith.shrui %id, %c2 : index
    memref.store %sum, %out[%row] : memref<?xf32>
    ```

    ### `hide-induction-variables`

    *Works around:* the strength reduction of LLVM gives the address of each
    asynchronous copy two registers, and increments them one by one. *Measured:*
    with padding, 16 copies of an iteration took 32 registers.

    It replaces the uses of a loop's induction variable by a copy through inline
    assembly. LLVM cannot see that the copy is an induction variable. The
    addresses of the loop's copies are then one register plus constants. It
    changes each `scf.for` that has asynchronous copies in its body and carries
    at least 96 words of 32 bits.

    Before:

    ```mlir
    scf.for %i = %c0 to %n step %c64 ..
      %token = nvgpu.device_async_copy %a[%i], %tile[%c0], 4 : ..
    ```

    After:

    ```mlir
    scf.for %i = %c0 to %n step %c64 ..
      %0 = arith.index_cast %i : index to i64
      %1 = llvm.inline_asm "mov.b64 $0, $1;", "=l,l" %0 : (i64) -> i64
      %2 = arith.index_cast %1 : i64 to index
      %token = nvgpu.device_async_copy %a[%2], %tile[%c0], 4 : ..
    ```

    ### `recompute-swizzles`

    *Works around:* LLVM computes in front of a loop what does not change in it. The
    addresses from which `ldmatrix` loads a swizzled tile differ by an exclusive or with a
    constant, so that each takes a register. *Measured:* attention with a bias of f16, 64
    columns and three groups of threads spills nothing instead of 12 bytes.

    It looks at loops with asynchronous products in kernels of 512 threads or more. The
    number of the exclusive or passes through empty inline assembly in the loop, and
    what is computed from it follows.

    Before:

    ```mlir
    %0 = arith.xori %place, %c16 : i32
    %1 = arith.index_cast %0 : i32 to index
    scf.for ..
      %2 = nvgpu.ldmatrix %tile[%1] ..
    ```

    After:

    ```mlir
    scf.for ..
      %0 = llvm.inline_asm has_side_effects "", "=r,0" %place : (i32) -> i32
      %1 = arith.xori %0, %c16 : i32
      %2 = arith.index_cast %1 : i32 to index
      %3 = nvgpu.ldmatrix %tile[%2] ..
    ```

    ### `order-updates`

    *Works around:* ptxas computes small values that a loop carries, such as the
    row sums of attention, after the products of the iteration. Their terms then
    stay in registers together with the operands that were computed from them.
    *Measured:* 0 spilled bytes instead of 52 with six masks at 96 columns, at
    0 to 5 % less speed.

    It looks at loops that carry at least 96 words of 32 bits and
    scale the largest vector that they carry by a factor. Other carried values
    of the type of the factor are computed first: the factor becomes
    `(value & 0) | factor`. Neither LLVM nor ptxas knows that this 0 is a
    constant. If ptxas would not have spilled, the order costs time. So the
    workaround applies only if the small values are sums of at least 64 words,
    or if the loop continues another loop. Such a loop has few iterations.

    Before:

    ```mlir
    %factors = vector.shuffle %factor, %factor [0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    %scaled = arith.mulf %acc, %factors : vector<4xf32>
    ...
    %sum = arith.addf %old, %terms : vector<2xf32>
    scf.yield %next, %sum : vector<4xf32>, vector<2xf32>
    ```

    After:

    ```mlir
    %sum = arith.addf %old, %terms : vector<2xf32>
    // Of the bits of each element of %sum and %factor:
    %0 = llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 0xEA;", "=r,r,r,r" %s, %zero, %f : (i32, i32, i32) -> i32
    ...
    %factors = vector.shuffle %ordered, %ordered [0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
    ```

    ### `pin-operands`

    *Works around:* LLVM merges the rounding of an operand that a loop carries
    with the rounding before the loop, and does both at the start of the loop
    body. The loop then carries f32, and rounds before its products instead of
    after them. *Measured:* attention of 128 columns and 128 keys carries 32
    registers instead of 64.

    LLVM merges loads in the same way: a loop that loads bytes for the next
    iteration would carry the address instead, and wait for each load.

    It looks at loops that carry a vector of elements of less than 32 bits which
    `vector_ext.async_mma` reads from registers, or a vector that is loaded in the
    loop. The vector that the loop yields passes through empty inline assembly,
    word by word.

    Before:

    ```mlir
    %open = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %carried, ...
    ...
    %next = arith.truncf %e : vector<8xf32> to vector<8xf16>
    scf.yield %next : vector<8xf16>
    ```

    After:

    ```mlir
    %next = arith.truncf %e : vector<8xf32> to vector<8xf16>
    %words = vector.bitcast %next : vector<8xf16> to vector<4xi32>
    %pinned = llvm.inline_asm has_side_effects "", "=r,=r,=r,=r,0,1,2,3" ...
    ```

    ### `keep-branches`

    *Works around:* LLVM moves what both regions of a branch end with behind it.
    The exponentials of soft caps then wait for the polynomial of the branch,
    which needs other units. *Measured:* attention with a soft cap has 1.09 to
    1.20 times the speed, with shorter polynomials.

    It looks at branches both of whose regions call intrinsics and yield values,
    and ends each region with empty inline assembly. It leaves them alone in
    loops that carry more than 144 words of a thread in vectors, which would
    spill.

    Before:

    ```mlir
    %power = scf.if %isSmall -> (f32) {
      ...
      %0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%a) : (f32) -> f32
      scf.yield %0 : f32
    } else { ... }
    ```

    After:

    ```mlir
    %power = scf.if %isSmall -> (f32) {
      ...
      %0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%a) : (f32) -> f32
      llvm.inline_asm has_side_effects asm_dialect = att "", "" : () -> ()
      scf.yield %0 : f32
    } else { ... }
    ```

    ### `predicate-loads`

    *Works around:* ptxas puts a load of a table, which copies need for their
    addresses, directly in front of the copies. It fills the time until the load
    arrives with exponentials, which should run beside products. *Measured:* the
    loop of whole tiles of paged attention (pages of 64) issues for 1267 cycles
    instead of 1573, dense keys take 1129 (stall counts in the machine code).

    It looks at kernels without loops that have more than two loads in branches.
    A branch that only loads and computes scalars goes away: its loads get a
    predicate. If such a load follows a barrier in the same block, the load and the ops
    that compute its address move in front of the barrier. The load must read a kernel
    argument that is `llvm.readonly` and `llvm.noalias`.

    Before:

    ```mlir
    gpu.barrier
    ...
    %page = scf.if %exists -> (i32) {
      %entry = memref.load %table[%i] : memref<?xi32>
      scf.yield %entry : i32
    } else {
      scf.yield %none : i32
    }
    ```

    After:

    ```mlir
    %mask = vector.from_elements %exists : vector<1xi1>
    %loaded = vector.maskedload %table[%i], %mask, %zero {invariant} : ..
    gpu.barrier
    ...
    %entry = vector.extract %loaded[0] : i32 from vector<1xi32>
    %page = arith.select %exists, %entry, %none : i32
    ```

    ### `fetch-lines`

    *Works around:* LLVM has no loads that fetch more than they load. *Measured:* products
    of 1, 4 and 8 rows with weights of 4 bits (28672 x 8192) take 38.7, 39.4 and 45.1
    microseconds in place of 40.2, 41.5 and 48.7.

    In kernels with a loop that multiplies and reads along rows of bytes, 16 bytes at a time,
    loads of this memory get the attribute `fetch`. Rows have a known distance, a multiple of 256
    bytes, and the memory is a kernel argument that is `llvm.readonly` and
    `llvm.noalias`. These loads fetch the run of 256 bytes that has their bytes, which
    other threads or the next iterations read. No other load of the loop has the bytes
    next to those of one of them: with whole lines, weights of 8 bits took 66.4 in place of 60.4
    microseconds.

    Before:

    ```mlir
    %0 = vector.load %w[%column, %i] {alignment = 16 : i64} : memref<64x4096xi8>, vector<16xi8>
    ```

    After:

    ```mlir
    %0 = vector.load %w[%column, %i] {alignment = 16 : i64, fetch} : memref<64x4096xi8>, vector<16xi8>
    ```

    ### `free-slots`

    *Works around:* behind the loop of a product, ptxas moves the arrival that frees the
    last slot behind 227 of 256 functions of an activation, since nothing depends on it.
    The role that copies waits for the slot. *Measured:* a product of 2048 x 5632 x 2048
    with bias and SiLU took 83 us in place of 74.

    It puts a fence of the workgroup behind such an arrival, if at least 32 functions
    follow in the block.

    Where a loop of products alone frees slots, and nothing behind it does, ptxas converts
    results that it takes for the open ones of the loop, and serialises the instructions
    (C7514). There, the fence is behind the wait.

    Before:

    ```mlir
    %sum = vector_ext.await %open
    nvgpu.mbarrier.arrive.expect_tx %empty[%slot], %c0
    llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x)
    ..
    ```

    After:

    ```mlir
    %sum = vector_ext.await %open
    nvgpu.mbarrier.arrive.expect_tx %empty[%slot], %c0
    llvm.fence syncscope("block") acq_rel
    llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x)
    ..
    ```

    ### `min-workgroups`

    *Works around:* ptxas does not know the size of dynamic workgroup memory. It
    may limit the registers for more workgroups than this memory leaves room
    for, and spill. *Measured:* 3 of 24 kernels of few rows spilled 4 to 24
    bytes; none does now, at 0.96 to 1.09 of the speed.

    It sets `nvvm.minctasm` on kernels with the attribute `workgroup_bytes` and
    a known block size: the number of workgroups that fit on a processor (SM) at
    a time. The target of the module says how much memory and how many registers
    a processor has, and how much memory each workgroup takes besides
    `workgroup_bytes`. Without a target these are 228 KiB, 65536 and 1 KiB. A
    kernel stays as it is if so many workgroups would not have enough registers:
    80 for a thread, plus one for each 32-bit word that a loop carries. Kernels of
    512 threads that multiply and have no loop get 2, if that many fit; other such
    kernels stay as they are. *Measured:* with as many workgroups as fit, attention to 32
    keys had 32 registers, and spilled 1748 bytes.

    A loop may load a vector for its next iteration, and carry it. The number of
    workgroups is then at most what the registers of this rule allow: with fewer
    registers, ptxas would load later. *Measured:* decode with caches of 4 bits 1.03 to 1.22 times, of
    8 bits 0.99 to 1.03 times as fast.

    Before:

    ```mlir
    gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>, workgroup_bytes = 73728 : i64} {
    ```

    After:

    ```mlir
    gpu.func @f() kernel attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.minctasm = 3 : i32, workgroup_bytes = 73728 : i64} {
    ```
  }];
  let options = [
    ListOption<"workarounds", "workarounds", "std::string",
               "Workarounds to apply: recompute-after-loops, "
               "hide-induction-variables, recompute-swizzles, order-updates, "
               "pin-operands, keep-branches, predicate-loads, fetch-lines, "
               "free-slots, min-workgroups; empty applies all of them">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // MLIR_EXT_TARGET_NVGPU_PASSES
