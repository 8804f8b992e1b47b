//===- Passes.td - From kernels to NVVM --------------------*- tablegen -*-===//
//
// The last steps for NVIDIA GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_NVGPU_PASSES
#define MLIR_EXT_TARGET_NVGPU_PASSES

include "mlir/Pass/PassBase.td"

def LinalgExtNVGPUAttachTargetPass
    : Pass<"linalg-ext-nvgpu-attach-target", "::mlir::ModuleOp"> {
  let summary = "Attach the target of a chip to every gpu.module";
  let description = [{
    Attaches `#nvvm.target` with the chip, the version of PTX that it takes and
    optimisation level 3. Upstream's `nvvm-attach-target` accepts any name, which
    LLVM then ignores with a warning; here an unknown chip is an error.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
           "The chip: sm_80, ..., sm_90a, ...">,
  ];
  let dependentDialects = [
    "::mlir::NVVM::NVVMDialect", "::mlir::gpu::GPUDialect"
  ];
}

def LinalgExtNVGPULowerMmaPass : Pass<"linalg-ext-nvgpu-lower-mma"> {
  let summary = "Lower vector_ext.mma and vector_ext.load_matrix to nvgpu";
  let description = [{
    Each `vector_ext.mma` of an `mma.sync` instruction becomes the
    `nvgpu.mma.sync` of its shape; of TF32, operands are rounded first, and with
    `tf32x3` there are three, of the bits that TF32 has, and of the next ones. One of
    `fma` becomes a `math.fma` for each of its products. One of another instruction is
    an error.

    Before:

    ```mlir
    %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %a, %b, %c
       : vector<8xf16>, vector<4xf16>, vector<4xf32>
    ```

    After (and reshapes of the operands to pairs):

    ```mlir
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]}
       : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::nvgpu::NVGPUDialect",
    "::mlir::vector::VectorDialect", "::mlir::vector_ext::VectorExtDialect"
  ];
}

def LinalgExtNVGPUPipelineCopiesPass
    : Pass<"linalg-ext-nvgpu-pipeline-copies"> {
  let summary = "Copy the tiles of the next iteration while one computes";
  let description = [{
    In loops that copy tiles asynchronously to shared memory, into two buffers in
    turn, the copies of an iteration are issued in the iteration before it (and
    those of the first before the loop). One barrier an iteration is left for
    them: behind it the tiles of this iteration have arrived, and nobody reads
    the buffers of the last any more, into which the next tiles are copied.

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

    After:

    ```mlir
    nvgpu.device_async_copy ...       // the first tile
    scf.for %i = ... {
      nvgpu.device_async_wait ...
      gpu.barrier
      nvgpu.device_async_copy ...     // tile i + 1
      ...                             // computes with tile i
    }
    ```

    Where all that such a loop does is to sum products of tiles, in several steps of
    an iteration, what the first step reads of a tile is read behind the barrier in
    front of the last step of the iteration before: no product waits for it.

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

    Loops that copy several tiles, each into one buffer of its own, and read one
    after the other, take turns with the tiles instead. Where one has arrived,
    nobody reads the one before it any more, and its next copies are issued. With
    K and V of attention:

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

    A loop that neither fits is left as it is.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect"
  ];
}

def LinalgExtNVGPULowerMathPass
    : Pass<"linalg-ext-nvgpu-lower-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower math to instructions, without libdevice";
  let description = [{
    Upstream's conversion calls functions of libdevice, a library that has to be
    linked and that handles cases (subnormals) with instructions of their own.
    Here `exp2`, `rsqrt` and `tanh` of f32 become the approximate instructions of the
    special function unit, and so do `exp`, `log2`, `log` and `log10` of f16 and bf16,
    or with the fastmath flag `afn`; f16 and bf16 are computed in f32. Most other
    functions are polynomials that are as exact as a library's, also far from 0
    (docs/Math.md has the largest errors). Of the instructions these are:

    | function | error |
    |---|---|
    | `exp2` | 2 ulp; subnormal results are 0 |
    | `rsqrt` | 2^-22.9 relative |
    | `tanh` | a few ulp |
    | `sqrt` | exact; with the fastmath flag `afn`, 2^-23 relative |
    | `arith.divf` of f32, f16, bf16 | 2 ulp of f32, for divisors up to 2^126 |

    Functions that are rare (`powf`, `cbrt`, hyperbolic functions and their inverses) are
    computed in f64. `erf`, `erfc` and the inverses of `sin`, `cos` and `tan` are
    expanded by upstream's patterns, in f32. What is left (these of f64) is an error.

    `exact-division=true` leaves quotients of f32 to a subroutine that rounds them
    correctly. `contract=true` lets sums of products become fused multiply-adds, as CUDA's
    compilers do: arithmetic on floats gets the fastmath flag `contract`, and a product in f32
    that only a sum needs becomes a `math.fma` with it.

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
           "Round quotients of f32 correctly">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::vector::VectorDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def LinalgExtNVGPURecomputeAfterLoopsPass
    : Pass<"linalg-ext-nvgpu-recompute-after-loops"> {
  let summary = "Compute what depends on the thread again behind loops";
  let description = [{
    What a kernel computes in front of a loop of its own block from the number of a
    thread, and needs behind that loop (coordinates, addresses), is computed again
    there, from a number that is read anew: loops have its registers. Only integers,
    indices and views of memory are computed again.

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
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def LinalgExtNVGPUOrderUpdatesPass : Pass<"linalg-ext-nvgpu-order-updates"> {
  let summary = "Have small carried values computed before the large one";
  let description = [{
    In loops that carry at least `min-carried` words of 32 bits, and scale the
    largest vector that they carry by a factor: what else the loop carries, of the
    factor's type, is computed first. The assembler is free to compute it last,
    and would have its terms in registers till then, beside the operands of
    products that were made of them; it does, and spills.

    Where it does not, the order costs time. So it is given only for terms of at
    least `min-terms` words, and in loops that go on where another loop ended, which
    run a few times.

    The factor is combined with these values by `(value & 0) | factor`, where the 0
    is one that neither LLVM nor the assembler looks into.

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
  }];
  let options = [
    Option<"minCarried", "min-carried", "int64_t", /*default=*/"96",
           "Words that a loop carries for the order to matter">,
    Option<"minTerms", "min-terms", "int64_t", /*default=*/"64",
           "Words of terms for the order to matter in any loop">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def LinalgExtNVGPUMinWorkgroupsPass
    : Pass<"linalg-ext-nvgpu-min-workgroups"> {
  let summary = "Say how many workgroups there are on a processor";
  let description = [{
    Gives kernels with `workgroup_bytes` of dynamic memory, and a known block size,
    an `nvvm.minctasm`: as many workgroups as that memory leaves room for in the
    memory of a processor, `max-shared-bytes` and 1 KiB. The assembler then takes as
    many registers as there are for each of them, instead of fewer.

    Only kernels get it that the registers of so many suffice for: 80 beside the words of 32
    bits that a loop carries.

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
    Option<"maxSharedBytes", "max-shared-bytes", "int64_t", /*default=*/"232448",
           "The most memory that a workgroup may have">,
  ];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def LinalgExtNVGPUHideInductionVariablesPass
    : Pass<"linalg-ext-nvgpu-hide-induction-variables"> {
  let summary = "Keep LLVM from incrementing each address of a loop";
  let description = [{
    In loops with asynchronous copies that carry at least `min-carried` words of 32 bits,
    what uses the induction variable uses a copy of it that LLVM does not look into. The addresses of the copies are then one
    register and constants, where LLVM's strength reduction may choose to increment
    each by itself, in two registers.

    Before:

    ```mlir
    scf.for %i = %c0 to %n step %c64 {
      %row = arith.addi %i, %thread : index
    ```

    After:

    ```mlir
    scf.for %i = %c0 to %n step %c64 {
      %0 = arith.index_cast %i : index to i64
      %1 = llvm.inline_asm "mov.b64 $0, $1;", "=l,l" %0 : (i64) -> i64
      %2 = arith.index_cast %1 : i64 to index
      %row = arith.addi %2, %thread : index
    ```
  }];
  let options = [
    Option<"minCarried", "min-carried", "int64_t", /*default=*/"96",
           "Words that a loop carries for its addresses to matter">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def LinalgExtNVGPUToNVVMPass
    : Pass<"linalg-ext-nvgpu-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert the code of one thread to NVVM and LLVM";
  let description = [{
    One conversion with one type converter, of gpu, nvgpu, vector, arith, math
    (what `linalg-ext-nvgpu-lower-math` leaves), memref, index, cf and ub, with
    bare pointers for buffers. What upstream's conversions lack:

    - `nvgpu.mma.sync` on bf16;
    - `gpu.shuffle` of anything but 32 bits: in words of 32 bits;
    - `gpu.dynamic_shared_memory` as one external block, aligned to 1024 bytes.
      (Upstream's is aligned to 16, and a symbol per type.)

    An op that is not converted, or a call of libdevice, is an error.
  }];
  let options = [
    Option<"indexBitwidth", "index-bitwidth", "unsigned", /*default=*/"64",
           "The width of index: 64, or 32 where no offset needs more">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // MLIR_EXT_TARGET_NVGPU_PASSES
