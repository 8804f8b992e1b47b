//===- GPUPasses.td - Passes that finish kernels -----------*- tablegen -*-===//
//
// What makes kernels of a GPU out of launches, each vendor in its own way.
// Passes.td includes this file.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_GPUPASSES
#define MLIR_EXT_PIPELINES_GPUPASSES

include "mlir/Pass/PassBase.td"

def LinalgExtAttachTargetPass
    : Pass<"linalg-ext-attach-target", "::mlir::ModuleOp"> {
  let summary = "Describe the chip that other passes compile for";
  let description = [{
    Sets `dlti.target_system_spec` of the module: the description of the chip that
    other passes read. A GPU is its device "GPU" (Support/GPUTarget.h), a CPU its
    device "CPU" (Support/CPUTarget.h). Without a description, passes assume an H200,
    and a CPU with vectors of 512 bits.

    For a GPU the pass also attaches `#nvvm.target` or `#rocdl.target` to every
    `gpu.module`. That target names the chip and optimisation level 3, and for NVIDIA
    the PTX version for this chip. For a CPU, `linalg-ext-finish-llvm` sets its name
    on functions, and removes the description.

    Upstream's `nvvm-attach-target` and `rocdl-attach-target` accept any chip
    name, and LLVM later ignores unknown names with a warning. In this pass an
    unknown chip is an error.

    Before:

    ```mlir
    module {
      gpu.module @kernels { .. }
    }
    ```

    After, for `chip=sm_90a`:

    ```mlir
    module attributes {dlti.target_system_spec = #dlti.target_system_spec<
        "GPU" = #dlti.target_device_spec<"lanes" = 32 : i64, ..>>} {
      gpu.module @kernels
          [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx81">] { .. }
    }
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
           "Chip to compile for. GPUs: sm_80, ..., sm_90a, ..., gfx90a, gfx942, ...; "
           "CPUs: generic, host, avx2, avx512, avx512vnni, avx512bf16, or a name that LLVM knows "
           "(x86-64-v3, neoverse-n1, ...)">,
    Option<"processors", "processors", "int64_t", /*default=*/"0",
           "Processors (SMs, CUs) of the GPU; 0 takes those of the largest one with "
           "the chip">,
    Option<"l1Bytes", "l1-bytes", "int64_t", /*default=*/"0",
           "Bytes of the L1 data cache of a core of the CPU; 0 takes those of the "
           "chip">,
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"0",
           "Bytes of the L2 cache of a core of the CPU; 0 takes those of the chip">,
  ];
  let dependentDialects = [
    "::mlir::DLTIDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::gpu::GPUDialect"
  ];
}

def LinalgExtGPULowerVectorExtPass : Pass<"linalg-ext-gpu-lower-vector-ext"> {
  let summary = "Lower VectorExt ops of threads to instructions of the chip";
  let description = [{
    Lowers ops of VectorExt in the code of one thread, for which chips have
    instructions. Run it after `vector-ext-distribute`, which creates that code.
    Runs the steps that `steps` names, or both, in this order.

    ### `mma`

    Lowers matrix ops to ops of `nvgpu`, `amdgpu` and `math`.

    - A `vector_ext.mma` of an `mma.sync` instruction becomes the
      `nvgpu.mma.sync` of its shape. Operands of TF32 are rounded to TF32 first.
      With `tf32x3`, three `nvgpu.mma.sync` compute the product. Each operand is
      split into the bits that TF32 has and the bits that come next.
    - A `vector_ext.mma` of an `mfma` or `wmma` instruction becomes the
      `amdgpu.mfma` or `amdgpu.wmma` of its shape. If the name of the instruction
      ends in `.transposed`, A and B are swapped. One of
      `mfma.m16n16k16.f32.f32` becomes four `amdgpu.mfma` with k = 4.
    - A `vector_ext.mma` of `fma` becomes one `math.fma` for each of its
      products.
    - `vector_ext.load_matrix` becomes `nvgpu.ldmatrix`.

    A `vector_ext.mma` of any other instruction is an error, and so is one that
    the chip that the module describes does not have.

    Before:

    ```mlir
    %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %a, %b, %c
       : vector<8xf16>, vector<4xf16>, vector<4xf32>
    %e = vector_ext.mma "mfma.m16n16k16.f32.f16.transposed" %f, %g, %h
       : vector<4xf16>, vector<4xf16>, vector<4xf32>
    ```

    After (the operands of `nvgpu.mma.sync` are also reshaped to pairs):

    ```mlir
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]}
       : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %e = amdgpu.mfma 16x16x16 %g * %f + %h blgp = none
       : vector<4xf16>, vector<4xf16>, vector<4xf32>
    ```

    ### `roles`

    Processes every `gpu.launch`. A `vector_ext.role` becomes a branch that whole
    warps take. If the role has `registers`, its threads first set the number of
    their registers (`nvvm.setmaxregister`). The barrier of the n-th role of a
    launch is the named barrier n. Only NVIDIA GPUs have roles.

    Fails if a role is not directly in the body of a launch, if its threads are
    not whole warpgroups (128 threads), or if it has a `gpu.barrier`.

    Before:

    ```mlir
    vector_ext.role first(0) threads(256) registers(240) {
      vector_ext.role_barrier
    }
    ```

    After, with `%warp` the number of the warp:

    ```mlir
    %0 = arith.cmpi ult, %warp, %c8 : index
    scf.if %0 {
      nvvm.setmaxregister increase 240
      nvvm.barrier id = %c1 number_of_threads = %c256
    }
    ```
  }];
  let options = [
    ListOption<"steps", "steps", "std::string",
               "Steps to run: mma, roles; empty runs both">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::mlir::vector_ext::VectorExtDialect"
  ];
}

def LinalgExtGPUPipelineLoopsPass : Pass<"linalg-ext-gpu-pipeline-loops"> {
  let summary = "Read the tiles of a loop while it computes";
  let description = [{
    Lets loops read the tiles of later iterations while they compute. The module
    describes the GPU (Support/GPUTarget.h). If it has asynchronous copies to
    shared memory, the pass moves these. Otherwise, it moves the loads of tiles.

    ### Asynchronous copies

    Pipelines each `scf.for` that copies tiles asynchronously to shared memory.
    The loop issues copies early, so that they run while the threads compute.
    There are two schemes.

    *Several buffers.* If the loop uses several buffers for each tile in rotation
    (`vector_ext.buffers` of their allocations), it issues the copies of a later
    iteration. With two buffers, this is the next iteration; with n buffers, it
    is n - 1 iterations later. The copies for the first iterations are issued
    before the loop. Each iteration has one barrier for the copies. After it, the
    tiles of this iteration have arrived. Also, all threads have finished reading
    the tiles of the previous iteration, so the next copies can overwrite them.

    Before:

    ```mlir
    scf.for %i = ... {
      nvgpu.device_async_copy ...     // tile i
      %group = nvgpu.device_async_create_group ...
      nvgpu.device_async_wait %group
      gpu.barrier
      ...                             // computes with tile i
    }
    ```

    After, with two buffers:

    ```mlir
    nvgpu.device_async_copy ...       // the first tile
    scf.for %i = ... {
      nvgpu.device_async_wait ...
      gpu.barrier
      nvgpu.device_async_copy ...     // tile i + 1
      ...                             // computes with tile i
    }
    ```

    If the loop only sums products of tiles, in several steps of an iteration,
    the pass also loads the operands of the first step ahead: in the previous
    iteration, after its last barrier and before its last step. Then no product
    waits for them.

    ```mlir
    ...
    %a = nvgpu.ldmatrix ...           // of the first step
    scf.for %i = ... iter_args(%first = %a) {
      ...                             // products of all steps but the last
      nvgpu.device_async_wait ...
      gpu.barrier
      %next = nvgpu.ldmatrix ...
      nvgpu.device_async_copy ...
      ...                             // products of the last step
    }
    ```

    *One buffer for each tile.* If the loop copies several tiles, each into one
    buffer of its own, and reads one after the other, their copies alternate.
    When a tile has arrived, all threads have finished reading the tile before
    it. The loop then issues the next copies of that earlier tile. With K and V
    of attention:

    ```mlir
    nvgpu.device_async_copy ...       // the first tile of K
    scf.for %i = ... {
      nvgpu.device_async_wait ...
      gpu.barrier
      nvgpu.device_async_copy ...     // tile i of V
      ...                             // computes with tile i of K
      nvgpu.device_async_wait ...
      gpu.barrier
      nvgpu.device_async_copy ...     // tile i + 1 of K
      ...                             // computes with tile i of V
    }
    ```

    A loop that fits neither scheme does not change.

    *Page tables.* Copies may read their addresses from global memory: entries of a
    table of pages, for example, also in a branch. If the loop does not write global
    memory, these reads are issued before the copies that need them: one more iteration
    ahead in the first scheme, and before the wait for the other tile in the second one.

    In a role that copies tiles to slots (`vector_ext.role`), some loops wait for a free
    slot (`nvgpu.mbarrier.try_wait.parity`). Each iteration of such a loop first reads
    the entries of the next iteration, and the loop carries them: threads that start
    many copies have no time to wait for entries. Roles of single threads start few
    copies, and stay as they are.

    *Outside of loops*, the pass moves a wait after later copies, if these write to
    buffers that were not used before. All these copies can then overlap.

    *Loads to registers.* Threads load elements of 8 bits, and bytes of several integers,
    to registers, and convert them. The pass moves these `vector.load`s in a loop that
    multiplies (`nvgpu.mma.sync`), has no barrier, and does not write global memory:

    - A load before the first product moves to the start of the previous iteration.
      The loop carries what it loads, with single elements of 16 bits such as scales.
    - A load after the first product moves to the start of its own iteration.
    - If all loads of vectors together take at most an eighth of the registers of a
      thread, all of them move to the previous iteration. Loads of rows of other types
      count here, and so do loads in branches that only load.
    - Loads of more bytes than a quarter of the registers of a thread stay.

    The last iteration loads its own tile again. A loop that is known to have at most two
    iterations is unrolled, with all of its loads in front.

    ### Loads

    Moves loads of tiles earlier, in each `scf.for` whose body has matrix products
    and barriers. The loads are `vector.load`s of buffers from
    `amdgpu.fat_raw_buffer_cast`, as `vector-ext-distribute` creates them with
    `buffer-loads`. The loop must not write to global memory.

    - *Late tiles* are stored to workgroup memory after the first products of the
      iteration. They are loaded at the start of the iteration.
    - *Early tiles* are stored there, or used, before the first products. They are
      loaded in the previous iteration, after the last barrier before the
      products, and the loop carries them in registers. The last iteration has no next
      tile: its load has a buffer of 0 bytes, and reads nothing.
    - *Copied tiles* go to workgroup memory without registers
      (`amdgpu.gather_to_lds`). If each of them has two buffers
      (`vector_ext.buffers` of the allocation), they are copied in the previous
      iteration, after the reads of workgroup memory that precede the first
      product. One wait (`amdgpu.memory_counter_wait`) and one barrier at the start
      of the iteration are for all of them.

    Entries of page tables are read together with the loads that they address.

    If workgroup memory is used before the loop, the loop gets a barrier before
    it, so that its tiles may reuse this memory.

    Loads whose addresses depend on values that the loop carries do not move. Loads ahead
    take at most 3/16 of the registers of a thread (`thread_registers` of the target). If
    all tiles need more, late tiles do not move. If the early tiles alone need more, no
    tile moves.

    Before:

    ```mlir
    scf.for %i = %c0 to %n step %c64 {
      %buffer = amdgpu.fat_raw_buffer_cast %rows validBytes(%bytes) resetOffset
         : memref<?xf16, strided<[1], offset: ?>> to memref<?xf16, #fat>
      %tile = vector.load %buffer[%thread] : memref<?xf16, #fat>, vector<8xf16>
      gpu.barrier
      vector.store %tile, %shared[%at] : memref<64xf16, #workgroup>, vector<8xf16>
      gpu.barrier
      %a = vector.load %shared[%from] : memref<64xf16, #workgroup>, vector<4xf16>
      %d = amdgpu.mfma 16x16x16 %a * %b + %c blgp = none
         : vector<4xf16>, vector<4xf16>, vector<4xf32>
      ..
    }
    ```

    After (`%next` is the tile of the next iteration):

    ```mlir
    %first = vector.load %buffer0[%thread] : memref<?xf16, #fat>, vector<8xf16>
    scf.for %i = %c0 to %n step %c64 iter_args(%tile = %first) -> (vector<8xf16>) {
      gpu.barrier
      vector.store %tile, %shared[%at] : memref<64xf16, #workgroup>, vector<8xf16>
      gpu.barrier
      %exists = arith.cmpi slt, %i, %last : index
      %bytes1 = arith.select %exists, %bytes, %c0_i64 : i64
      %buffer1 = amdgpu.fat_raw_buffer_cast %rows1 validBytes(%bytes1) resetOffset
         : memref<?xf16, strided<[1], offset: ?>> to memref<?xf16, #fat>
      %next = vector.load %buffer1[%thread] : memref<?xf16, #fat>, vector<8xf16>
      %a = vector.load %shared[%from] : memref<64xf16, #workgroup>, vector<4xf16>
      %d = amdgpu.mfma 16x16x16 %a * %b + %c blgp = none
         : vector<4xf16>, vector<4xf16>, vector<4xf32>
      ..
      scf.yield %next : vector<8xf16>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LinalgExtGPULowerMathPass
    : Pass<"linalg-ext-gpu-lower-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower math ops of kernels without a library";
  let description = [{
    Lowers `math` ops and divisions of floats in a `gpu.module` to instructions
    and arithmetic. Upstream's conversions call libdevice, or ROCm's device
    library, instead. These have to be linked, and handle special cases
    (subnormal numbers) with extra instructions.

    The instructions are those of the target of the `gpu.module`: of
    `#rocdl.target`, or else NVIDIA's.

    - `exp2` and `rsqrt` of f32 become approximate instructions of the special
      function unit. `tanh` of f32 uses such instructions, and a polynomial near
      0. With the fastmath flag `afn` it needs no polynomial. But vectors of at least
      16 elements with this flag get branches. If all elements of all threads of a
      subgroup are below 0.3125, a polynomial of three terms computes them, and one of
      five or of seven terms below 0.75 and 1.125. If functions are computed from the
      `tanh`, what follows from it, up to the next op with effects, is part of each
      branch. In an online softmax, negative elements need no bound where the maxima of
      rows are not negative, and the factor is so large that their powers are small;
      these maxima are of integers.
    - `exp`, `log2`, `log` and `log10` use such instructions for f16 and bf16,
      and for f32 with the fastmath flag `afn`.
    - Most other functions are polynomials in f32 that are as accurate as a
      library's, also far from 0.
    - Rare functions of f32, f16 and bf16 are computed in f64: `powf`, `fpowi`,
      `atan2`, `cbrt`, hyperbolic functions other than `tanh`, and the inverses
      of hyperbolic functions and of `sin`, `cos` and `tan`.
    - `erf` and `erfc` become upstream's polynomials, in f32.
    - `ipowi` becomes products of squares.
    - `arith.remf` of bf16 is computed in f32, which is exact. LLVM's backend for
      AMD GPUs has no `frem` of bf16.
    - Vectors of booleans that are truncated from loaded bytes of 0 or 1
      (`arith.trunci` with `nuw`) become bits of words. What they select is skipped in a
      branch if all of them are true in a subgroup, where the target can vote.
    - Where a loop with asynchronous products keeps the reference of a row until its maximum
      exceeds it by a threshold (`rescale-threshold`), lanes compare the maxima of their own
      elements with the references, and vote, where the target can. References and factors are
      computed, and accumulators updated, in a branch, if a lane has a larger element. Not for
      masked elements.
    - On NVIDIA GPUs, selects of constants by integers of 4 bits, unpacked from
      bytes, are looked up: each lane of a subgroup holds one of 16 results, and
      lanes exchange them. Only in blocks with a matrix product or a shuffle.
    - Exponential functions, logarithms, `rsqrt`, `cbrt`, and the hyperbolic
      functions and their inverses are also lowered for f64. The pass fails at
      other functions of f64, such as `erf`, `powf` and `sin`.

    Unless stated otherwise, f16 and bf16 are computed in f32. docs/Math.md has
    the largest error of each function. Errors of NVIDIA's instructions:

    | function | error |
    |---|---|
    | `exp2` | 2^-22 relative; subnormal results are 0 |
    | `rsqrt` | 2^-22.9 relative |
    | `tanh` | a few ulp; with the fastmath flag `afn`, 2^-21 absolute |
    | `sqrt` | correctly rounded; with the fastmath flag `afn`, 2^-23 relative |
    | `arith.divf` of f32, f16, bf16 | 2 ulp of f32, for divisors up to 2^126 |

    AMD's `v_exp_f32`, `v_log_f32`, `v_rsq_f32`, `v_sqrt_f32` and `v_rcp_f32` have
    an error of at most 1 ulp each. `v_exp_f32` and `v_rsq_f32` treat subnormal
    numbers as 0, and return 0 for subnormal results. Quotients of f32 have an
    error of 2.5 ulp; a subnormal divisor counts as 0.

    `exact-division=true` leaves divisions alone. LLVM then divides f32 with
    more instructions, and rounds correctly.

    `arith` ops on floats of 8 bits are computed in f32. Conversions of these
    types are instructions where the target has them: f8E4M3FN and f8E5M2 on
    sm_89 and later, gfx950 and gfx12; f8E4M3FNUZ and f8E5M2FNUZ on gfx942.
    Others become ops on integers, f16 and f32, as in the step `expand-f8` of
    `linalg-ext-lower-math`. For NVIDIA's, vectors of i8 become f16 by moves of
    bytes.

    `contract=true` allows fused multiply-adds, as CUDA's compilers do. Sums,
    differences and products of floats get the fastmath flag `contract`. A
    product in f32 that only one sum or difference uses becomes a `math.fma`
    with it.

    Before:

    ```mlir
    %1 = math.exp %0 fastmath<afn> : f32
    ```

    After:

    ```mlir
    %cst = arith.constant 1.44269502 : f32
    %1 = arith.mulf %0, %cst : f32
    %2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%1) : (f32) -> f32
    ```
  }];
  let options = [
    Option<"contract", "contract", "bool", /*default=*/"true",
           "Allow fused multiply-adds">,
    Option<"exactDivision", "exact-division", "bool", /*default=*/"false",
           "Round divisions correctly instead of to within 2.5 ulp">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::amdgpu::AMDGPUDialect",
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect", "::mlir::scf::SCFDialect"
  ];
}

def LinalgExtGPUConvertKernelsPass
    : Pass<"linalg-ext-gpu-convert-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert the code of one thread to NVVM or ROCDL, and LLVM";
  let description = [{
    Converts the kernels of a `gpu.module` to the LLVM dialect and that of the
    vendor: ROCDL if the module has a `#rocdl.target` (`linalg-ext-attach-target`),
    or else NVVM. One conversion with one type converter handles gpu, nvgpu or
    amdgpu, vector, arith, math (what `linalg-ext-gpu-lower-math` leaves), memref,
    index, cf and ub. Buffers are bare pointers. Those of AMD without a memory space
    are in global memory.

    The pass adds to upstream's conversions:

    - `gpu.shuffle` of values of any size, in words of 32 bits;
    - `gpu.dynamic_shared_memory` as one external block.

    For NVIDIA:

    - `nvgpu.mma.sync` on bf16;
    - `memref.prefetch`, as a prefetch into the L2 cache;
    - the block of dynamic shared memory is aligned to 1024 bytes. (Upstream aligns
      it to 16 bytes, and uses a symbol for each type.)

    For AMD:

    - `gpu.grid_dim` and `gpu.block_dim` are read from the arguments that the
      runtime adds to those of a kernel. (Upstream calls functions of ROCm's
      device library.)
    - a `gpu.shuffle` by xor with a constant below 32 becomes `ds_swizzle_b32`, which
      needs no address; on RDNA, one by xor with 16 becomes `v_permlanex16_b32`;
    - `memref.prefetch` is dropped: only gfx12 has such an instruction;
    - `gpu.barrier` waits only for LDS (`amdgpu.lds_barrier`) if the kernel reads
      no global memory that it writes. No op is scheduled across it;
    - quotients of numbers that are the same in all threads go to scalar registers
      (`rocdl.readfirstlane`), since descriptors of buffers depend on them.

    The pass fails if an op is left unconverted, or if a kernel calls an external
    function, such as one of libdevice.

    Before:

    ```mlir
    gpu.func @f(%x: f32, %out: memref<f32>) kernel {
      %r, %p = gpu.shuffle xor %x, %one, %width : f32
      memref.store %r, %out[] : memref<f32>
      gpu.return
    }
    ```

    After, for NVIDIA:

    ```mlir
    llvm.func @f(%x: f32, %out: !llvm.ptr) attributes {nvvm.kernel, ..} {
      %r = nvvm.shfl.sync bfly %all, %x, %one, %clamp : f32 -> f32
      llvm.store %r, %out : f32, !llvm.ptr
      llvm.return
    }
    ```

    After, for AMD:

    ```mlir
    llvm.func @f(%x: f32, %out: !llvm.ptr) attributes {rocdl.kernel, ..} {
      %0 = llvm.bitcast %x : f32 to i32
      %1 = rocdl.ds_swizzle %0, %pattern : (i32, i32) -> i32
      %r = llvm.bitcast %1 : i32 to f32
      llvm.store %r, %out : f32, !llvm.ptr
      llvm.return
    }
    ```
  }];
  let options = [
    Option<"indexBitwidth", "index-bitwidth", "unsigned", /*default=*/"64",
           "Width of index in bits: 64, or 32 if all offsets in buffers fit">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::amdgpu::AMDGPUDialect",
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // MLIR_EXT_PIPELINES_GPUPASSES
