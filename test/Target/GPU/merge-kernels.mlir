// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=flatten-branches,outline --linalg-ext-gpu-outline-kernels=steps=abi,merge > %t
// RUN: FileCheck %s < %t
// RUN: linalg-ext-simt-runner %t | FileCheck %s --check-prefix=RESULT

// The first two launches are of the same code: a number among kernels is none of it. The
// third has another constant, the fourth other threads, the last another number of buffers.

// CHECK-LABEL: func.func @main
// CHECK:   %[[X:.*]] = memref.alloc() : memref<4xf32>
// CHECK:   %[[Y:.*]] = memref.alloc() : memref<4xf32>
// CHECK:   gpu.launch_func @kernels::@main_kernel {{.*}} args(%[[X]] : memref<4xf32>, %[[Y]] : memref<4xf32>)
// CHECK:   gpu.launch_func @kernels::@main_kernel {{.*}} args(%[[Y]] : memref<4xf32>, %[[X]] : memref<4xf32>)
// CHECK:   gpu.launch_func @kernels::@main_kernel_1 {{.*}} args(%[[X]] : memref<4xf32>, %[[Y]] : memref<4xf32>)
// CHECK:   gpu.launch_func @kernels::@main_kernel_2 {{.*}} args(%[[Y]] : memref<4xf32>, %[[X]] : memref<4xf32>)
// CHECK:   gpu.launch_func @kernels::@main_kernel_3 {{.*}} args(%[[X]] : memref<4xf32>)
// CHECK: gpu.module @kernels
// CHECK: gpu.func @main_kernel(
// CHECK-NOT: gpu.func @main_kernel_0(
// CHECK: gpu.func @main_kernel_1(
// CHECK: gpu.func @main_kernel_2(
// CHECK: gpu.func @main_kernel_3(

// x = 3, y = 2 x, x = 2 y, y = 3 x, then x = 2 y in two elements, and 2 x in all.
// RESULT: 144
// RESULT-NEXT: 144
// RESULT-NEXT: 24
// RESULT-NEXT: 24
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %three = arith.constant 3.0 : f32
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %three, %x[%i] : memref<4xf32>
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %two = arith.constant 2.0 : f32
    %v = memref.load %x[%tx] : memref<4xf32>
    %r = arith.mulf %v, %two : f32
    memref.store %r, %y[%tx] : memref<4xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 4 : i64, way = "sync"}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %two = arith.constant 2.0 : f32
    %v = memref.load %y[%tx] : memref<4xf32>
    %r = arith.mulf %v, %two : f32
    memref.store %r, %x[%tx] : memref<4xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 1 : i64, rotate = false, slots = 0 : i64, threads = 4 : i64, way = "sync"}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %factor = arith.constant 3.0 : f32
    %v = memref.load %x[%tx] : memref<4xf32>
    %r = arith.mulf %v, %factor : f32
    memref.store %r, %y[%tx] : memref<4xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1) {
    %two = arith.constant 2.0 : f32
    %v = memref.load %y[%tx] : memref<4xf32>
    %r = arith.mulf %v, %two : f32
    memref.store %r, %x[%tx] : memref<4xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %two = arith.constant 2.0 : f32
    %v = memref.load %x[%tx] : memref<4xf32>
    %r = arith.mulf %v, %two : f32
    memref.store %r, %x[%tx] : memref<4xf32>
    gpu.terminator
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %x[%i] : memref<4xf32>
    vector.print %v : f32
  }
  return
}
