// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=outline,abi,merge > %t
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=KERNELS < %t

// Buffers of dynamic sizes, which are arguments: one kernel for both.

// CHECK-LABEL: func.func @same
// CHECK: gpu.launch_func @kernels::@same_kernel {{.*}} args(%{{.*}} : memref<f32>, %{{.*}} : i64)
// CHECK: gpu.launch_func @kernels::@same_kernel {{.*}} args(%{{.*}} : memref<f32>, %{{.*}} : i64)
func.func @same(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = arith.constant 1.0 : f32
    memref.store %v, %x[%tx] : memref<?xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = arith.constant 1.0 : f32
    memref.store %v, %y[%tx] : memref<?xf32>
    gpu.terminator
  }
  return
}

// The code is the same, the number of dimensions is not.

// CHECK-LABEL: func.func @negative_rank
// CHECK: gpu.launch_func @kernels::@negative_rank_kernel {{.*}} args(%{{.*}} : memref<f32>, %{{.*}} : i64)
// CHECK: gpu.launch_func @kernels::@negative_rank_kernel_0 {{.*}} args(%{{.*}} : memref<f32>, %{{.*}} : i64, %{{.*}} : i64)
func.func @negative_rank(%x: memref<?xf32>, %y: memref<?x?xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = arith.constant 2.0 : f32
    memref.store %v, %x[%tx] : memref<?xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = arith.constant 2.0 : f32
    memref.store %v, %y[%tx, %ty] : memref<?x?xf32>
    gpu.terminator
  }
  return
}

// KERNELS: gpu.module @kernels
// KERNELS: gpu.func @same_kernel(
// KERNELS-NOT: gpu.func @same_kernel_0(
// KERNELS: gpu.func @negative_rank_kernel(
// KERNELS: gpu.func @negative_rank_kernel_0(
