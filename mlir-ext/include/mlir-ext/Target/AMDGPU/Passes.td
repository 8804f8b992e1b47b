//===- Passes.td - From kernels to ROCDL -------------------*- tablegen -*-===//
//
// The last steps for AMD GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_AMDGPU_PASSES
#define MLIR_EXT_TARGET_AMDGPU_PASSES

include "mlir/Pass/PassBase.td"

def LinalgExtAMDGPUAttachTargetPass
    : Pass<"linalg-ext-amdgpu-attach-target", "::mlir::ModuleOp"> {
  let summary = "Describe the chip, and attach it to every gpu.module";
  let description = [{
    Sets `dlti.target_system_spec` of the module. Its device "GPU" is the
    description of the chip that other passes read (Support/GPUTarget.h). Also
    attaches `#rocdl.target` to every `gpu.module`. That target names the chip
    and optimisation level 3.

    Upstream's `rocdl-attach-target` accepts any chip name, and LLVM later
    ignores unknown names with a warning. In this pass an unknown chip is an
    error.

    Before:

    ```mlir
    module {
      gpu.module @kernels { .. }
    }
    ```

    After, for `chip=gfx90a`:

    ```mlir
    module attributes {dlti.target_system_spec = #dlti.target_system_spec<
        "GPU" = #dlti.target_device_spec<"lanes" = 64 : i64, ..>>} {
      gpu.module @kernels [#rocdl.target<O = 3, chip = "gfx90a">] { .. }
    }
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"gfx942\"",
           "Chip to compile for: gfx90a, gfx942, ..., gfx1201">,
  ];
  let dependentDialects = [
    "::mlir::DLTIDialect", "::mlir::ROCDL::ROCDLDialect",
    "::mlir::gpu::GPUDialect"
  ];
}

def LinalgExtAMDGPULowerMmaPass : Pass<"linalg-ext-amdgpu-lower-mma"> {
  let summary = "Lower vector_ext.mma to amdgpu.mfma and amdgpu.wmma";
  let description = [{
    Lowers the matrix ops of the code of one thread. Run it after
    `vector-ext-distribute`, which creates them.

    - A `vector_ext.mma` of an `mfma` or `wmma` instruction becomes the
      `amdgpu.mfma` or `amdgpu.wmma` of its shape.
    - If the name of the instruction ends in `.transposed`, A and B are swapped.
    - One of `mfma.m16n16k16.f32.f32` becomes four `amdgpu.mfma` with k = 4.
    - One of `fma` becomes one `math.fma` for each of its products.

    A `vector_ext.mma` of any other instruction is an error.

    Before:

    ```mlir
    %d = vector_ext.mma "mfma.m16n16k16.f32.f16.transposed" %a, %b, %c
       : vector<4xf16>, vector<4xf16>, vector<4xf32>
    ```

    After:

    ```mlir
    %d = amdgpu.mfma 16x16x16 %b * %a + %c blgp = none
       : vector<4xf16>, vector<4xf16>, vector<4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect", "::mlir::vector_ext::VectorExtDialect"
  ];
}

def LinalgExtAMDGPULowerMathPass
    : Pass<"linalg-ext-amdgpu-lower-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower math ops to instructions of AMD GPUs and arithmetic";
  let description = [{
    Lowers the math ops and divisions of kernels to instructions of AMD GPUs and
    arithmetic. Upstream's conversion calls functions of ROCm's device library
    instead, which has to be linked.

    The functions are lowered as by `linalg-ext-nvgpu-lower-math`, with other
    instructions: `v_exp_f32`, `v_log_f32`, `v_rsq_f32`, `v_sqrt_f32` and
    `v_rcp_f32`. Each has an error of at most 1 ulp. `v_exp_f32` and `v_rsq_f32`
    take subnormal numbers as 0, and return 0 for subnormal results. Quotients
    of f32 have an error of 2.5 ulp; a subnormal divisor counts as 0.

    `exact-division=true` leaves divisions alone. LLVM then divides f32 with
    several more instructions and rounds correctly.

    `contract=true` allows fused multiply-adds.

    Before:

    ```mlir
    %1 = math.exp %0 fastmath<afn> : f32
    ```

    After:

    ```mlir
    %cst = arith.constant 1.44269502 : f32
    %1 = arith.mulf %0, %cst : f32
    %2 = llvm.call_intrinsic "llvm.amdgcn.exp2.f32"(%1) : (f32) -> f32
    ```
  }];
  let options = [
    Option<"contract", "contract", "bool", /*default=*/"true",
           "Allow fused multiply-adds">,
    Option<"exactDivision", "exact-division", "bool", /*default=*/"false",
           "Round divisions correctly instead of to within 2.5 ulp">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::vector::VectorDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def LinalgExtAMDGPUPipelineLoadsPass
    : Pass<"linalg-ext-amdgpu-pipeline-loads"> {
  let summary = "Load the tiles of a loop while its products run";
  let description = [{
    Moves the loads of each `scf.for` whose body has matrix products and
    barriers. The loads are `vector.load`s of buffers that
    `amdgpu.fat_raw_buffer_cast` has made, as `vector-ext-distribute` creates
    them with `buffer-loads`. The loop must not write to global memory.

    - A tile that is stored to workgroup memory behind the first products of the
      iteration is loaded at its head.
    - A tile that is stored there, or used, before is loaded by the iteration
      before, behind the last barrier in front of the products. The loop carries
      it in registers. In the last iteration the buffer is empty, so that
      nothing is read.

    - A tile that `amdgpu.gather_to_lds` copies to the one of two buffers that the
      iteration does not read (`vector_ext.buffers` of their allocation) is copied
      by the iteration before, behind what is read from workgroup memory in front
      of the first product. One wait (`amdgpu.memory_counter_wait`) and one
      barrier at the head are for all tiles.

    Entries of tables that name pages are read ahead with the loads.

    A loop behind other uses of workgroup memory gets a barrier in front of it, so
    that its tiles may have the same memory.

    The pass leaves alone loads whose addresses depend on what the loop carries.
    It leaves alone what is stored behind the first products if all these loads
    are of more than `max-bytes`, and all of them if the others alone are.

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
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"256",
           "Largest number of bytes that each thread loads ahead, and holds in "
           "registers beside the first products">,
  ];
  let dependentDialects = [
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LinalgExtAMDGPUToROCDLPass
    : Pass<"linalg-ext-amdgpu-to-rocdl", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert the code of one thread to ROCDL and LLVM";
  let description = [{
    Converts the kernels of a `gpu.module` to the ROCDL and LLVM dialects. One
    conversion with one type converter handles gpu, amdgpu, vector, arith, math
    (what `linalg-ext-amdgpu-lower-math` leaves), memref, index, cf and ub.
    Buffers are bare pointers. Those without a memory space are in global
    memory.

    The chip is that of the `#rocdl.target` of the `gpu.module`
    (`linalg-ext-amdgpu-attach-target`).

    The pass adds to upstream's conversions:

    - `gpu.grid_dim` and `gpu.block_dim` are read from the arguments that the
      runtime adds to those of a kernel. (Upstream calls functions of ROCm's
      device library.)
    - `gpu.shuffle` of values of any size, in words of 32 bits. Those by xor
      with a constant below 32 become `ds_swizzle_b32`, which needs no address;
      on RDNA, those by xor with 16 become `v_permlanex16_b32`;
    - `gpu.dynamic_shared_memory` as one external block;
    - `memref.prefetch` is dropped: only gfx12 has such an instruction;
    - `gpu.barrier` waits for LDS alone (`amdgpu.lds_barrier`) if the kernel reads
      no global memory that it writes, and nothing is scheduled across it;
    - quotients of numbers that all threads share go to scalar registers
      (`rocdl.readfirstlane`), since descriptors of buffers depend on them.

    The pass fails if an op is left unconverted, or if a kernel calls an
    external function.

    Before:

    ```mlir
    gpu.func @f(%x: f32, %out: memref<f32>) kernel {
      %r, %p = gpu.shuffle xor %x, %one, %width : f32
      memref.store %r, %out[] : memref<f32>
      gpu.return
    }
    ```

    After:

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
    "::mlir::LLVM::LLVMDialect", "::mlir::ROCDL::ROCDLDialect",
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // MLIR_EXT_TARGET_AMDGPU_PASSES
