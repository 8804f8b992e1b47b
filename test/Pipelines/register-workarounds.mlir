// RUN: linalg-ext-opt %s --linalg-ext-gpu-to-nvvm='chip=sm_90a format=nvvm' | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-gpu-to-nvvm='chip=sm_90a format=nvvm register-workarounds=false' | FileCheck %s --check-prefix=NONE

// One option omits all workarounds. Here, three workgroups of 72 KiB fit on a processor.

// CHECK: llvm.func @room_for_three_kernel({{.*}}nvvm.minctasm = 3 : i32
// NONE:     llvm.func @room_for_three_kernel(
// NONE-NOT: minctasm
func.func @room_for_three(%x: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %tile = memref.alloc() : memref<18432xf32, #gpu.address_space<workgroup>>
    %v = memref.load %x[%tx] : memref<128xf32>
    memref.store %v, %tile[%tx] : memref<18432xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %tile[%bx] : memref<18432xf32, #gpu.address_space<workgroup>>
    memref.store %w, %x[%tx] : memref<128xf32>
    gpu.terminator
  }
  return
}
