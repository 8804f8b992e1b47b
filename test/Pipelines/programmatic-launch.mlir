// RUN: linalg-ext-opt %s --linalg-ext-gpu-to-nvvm='chip=sm_90 format=nvvm' | FileCheck %s --check-prefixes=CHECK,EARLY
// RUN: linalg-ext-opt %s --linalg-ext-gpu-to-nvvm='chip=sm_90 format=nvvm programmatic-launch=false' | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: linalg-ext-opt %s --linalg-ext-gpu-to-nvvm='chip=sm_89 format=nvvm' | FileCheck %s --check-prefixes=CHECK,NONE

// A launcher may begin the kernel early if it waits itself, which the manifest says.

// NONE-NOT: waits
// NONE-NOT: workgroups_per_processor
// NONE-NOT: griddepcontrol

// CHECK-LABEL: func.func @scale(
// EARLY-SAME: waits
// EARLY-SAME: workgroups_per_processor
// CHECK: llvm.func @scale_kernel(
// EARLY: griddepcontrol.wait
// EARLY: nvvm.griddepcontrol launch_dependents
// CHECK: llvm.store
func.func @scale(%a: memref<64xf32>, %b: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %0 = memref.load %a[%tx] : memref<64xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %b[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
