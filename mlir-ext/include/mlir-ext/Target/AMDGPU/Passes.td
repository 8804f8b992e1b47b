//===- Passes.td - From kernels to ROCDL -------------------*- tablegen -*-===//
//
// The last steps for AMD GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_AMDGPU_PASSES
#define MLIR_EXT_TARGET_AMDGPU_PASSES

include "mlir/Pass/PassBase.td"

def LinalgExtAMDGPUToROCDLPass
    : Pass<"linalg-ext-amdgpu-to-rocdl", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert the code of one thread to ROCDL and LLVM";
  let description = [{
    Converts the kernels of a `gpu.module` to the ROCDL and LLVM dialects. One
    conversion with one type converter handles gpu, amdgpu, vector, arith, math
    (what `linalg-ext-gpu-lower-math` leaves), memref, index, cf and ub.
    Buffers are bare pointers. Those without a memory space are in global
    memory.

    The chip is that of the `#rocdl.target` of the `gpu.module`
    (`linalg-ext-gpu-attach-target`).

    The pass adds to upstream's conversions:

    - `gpu.grid_dim` and `gpu.block_dim` are read from the arguments that the
      runtime adds to those of a kernel. (Upstream calls functions of ROCm's
      device library.)
    - `gpu.shuffle` of values of any size, in words of 32 bits. Those by xor
      with a constant below 32 become `ds_swizzle_b32`, which needs no address;
      on RDNA, those by xor with 16 become `v_permlanex16_b32`;
    - `gpu.dynamic_shared_memory` as one external block;
    - `memref.prefetch` is dropped: only gfx12 has such an instruction;
    - `gpu.barrier` waits only for LDS (`amdgpu.lds_barrier`) if the kernel reads
      no global memory that it writes. No op is scheduled across it;
    - quotients of numbers that are the same in all threads go to scalar registers
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
