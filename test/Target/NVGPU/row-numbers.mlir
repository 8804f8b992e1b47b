// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(gpu.module(linalg-ext-gpu-convert-kernels))' | FileCheck %s

// The number of a row that a thread gets by a shuffle, and copies, is extended by text: LLVM would make
// a product of 64 bits of the extension and the distance of rows. Distances that are no power of two
// need a product, and so do other numbers.

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx81">] {
    // CHECK-LABEL: llvm.func @rows
    // CHECK:         %[[ROW:.*]] = nvvm.shfl.sync idx
    // CHECK:         %[[WIDE:.*]] = llvm.inline_asm asm_dialect = att "cvt.u64.u32 $0, $1;", "=l,r" %[[ROW]] : (i32) -> i64
    // CHECK:         llvm.mul %[[WIDE]]
    // CHECK-NOT:     cvt.u64.u32
    // CHECK:         llvm.return
    gpu.func @rows(%pool: memref<64x128xf16>, %other: memref<64x96xf16>, %word: i32, %free: i32, %lane: i32)
        workgroup(%tile : memref<64xf16, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : i32
      %row, %valid = gpu.shuffle idx %word, %lane, %c32 : i32
      %i = arith.index_cast %row : i32 to index
      %j = arith.index_cast %free : i32 to index
      %0 = nvgpu.device_async_copy %pool[%i, %c0], %tile[%c0], 8 : memref<64x128xf16> to memref<64xf16, #gpu.address_space<workgroup>>
      %1 = nvgpu.device_async_copy %pool[%j, %c0], %tile[%c0], 8 : memref<64x128xf16> to memref<64xf16, #gpu.address_space<workgroup>>
      %2 = nvgpu.device_async_copy %other[%i, %c0], %tile[%c0], 8 : memref<64x96xf16> to memref<64xf16, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
}
