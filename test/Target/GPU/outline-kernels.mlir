// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=flatten-branches,outline | FileCheck %s
// RUN: mlir-opt %s --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(linalg-ext-gpu-outline-kernels{steps=flatten-branches,outline})' | FileCheck %s

// All kernels are in one module, also those of different functions; names are
// unique, and constants and sizes do not become arguments.

// CHECK-LABEL: func.func @two
// CHECK: gpu.launch_func @kernels::@two_kernel
// CHECK-SAME: args(%{{.*}} : memref<?xf32>)
// CHECK: gpu.launch_func @kernels::@two_kernel_0
// CHECK: gpu.module @kernels
// CHECK: gpu.func @two_kernel
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK-NOT: gpu.module
// CHECK: gpu.func @two_kernel_0
// CHECK-NOT: gpu.module
// Discardable attributes are those of the kernel.
// CHECK: gpu.func @mine
// CHECK-SAME: nvvm.minctasm = 2 : i32
// CHECK-LABEL: func.func @named
// CHECK: gpu.launch_func @kernels::@mine
// CHECK-NOT: gpu.module
func.func @two(%a: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %inside = arith.cmpi slt, %tx, %n : index
    scf.if %inside {
      memref.store %zero, %a[%tx] : memref<?xf32>
    }
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    memref.store %zero, %a[%tx] : memref<?xf32>
    gpu.terminator
  }
  return
}

func.func @named(%a: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)
             function(@mine) {
    memref.store %zero, %a[%tx] : memref<?xf32>
    gpu.terminator
  } {nvvm.minctasm = 2 : i32}
  return
}

// Views are made in the kernel, of the buffer that they are of; the position of
// one, which the host does not know, is read there.

// CHECK-LABEL: func.func @views
// CHECK:         gpu.launch_func @kernels::@views_kernel
// CHECK-SAME:      args(%arg1 : memref<1xi64>, %arg0 : memref<16x8xf32>, %arg2 : index)
func.func @views(%a: memref<16x8xf32>, %at: memref<1xi64>, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %position = memref.load %at[%c0] : memref<1xi64>
  %i = arith.index_cast %position : i64 to index
  %s = memref.subview %a[%i, %j] [1, 4] [1, 1] : memref<16x8xf32> to memref<4xf32, strided<[1], offset: ?>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %zero, %s[%tx] : memref<4xf32, strided<[1], offset: ?>>
    gpu.terminator
  }
  return
}

// What is read has been written by then: the host would have to read it.

// CHECK-LABEL: func.func @negative_written
// CHECK:         %[[POSITION:.*]] = memref.load
// CHECK:         gpu.launch_func
// CHECK:         gpu.launch_func {{.*}} args({{.*}}%[[POSITION]] : i64
func.func @negative_written(%a: memref<16xi64>, %at: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %position = memref.load %at[%c0] : memref<1xi64>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %zero, %at[%c0] : memref<1xi64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %position, %a[%tx] : memref<16xi64>
    gpu.terminator
  }
  return
}

// The launch in between writes to the same global, by another name.

// CHECK-LABEL: func.func @negative_global
// CHECK:         %[[COUNT:.*]] = memref.load
// CHECK:         gpu.launch_func
// CHECK:         gpu.launch_func {{.*}} args({{.*}}%[[COUNT]] : i64
memref.global "private" @counter : memref<1xi64> = dense<0>
func.func @negative_global(%a: memref<16xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i64
  %before = memref.get_global @counter : memref<1xi64>
  %count = memref.load %before[%c0] : memref<1xi64>
  %counter = memref.get_global @counter : memref<1xi64>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %seven, %counter[%c0] : memref<1xi64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %count, %a[%tx] : memref<16xi64>
    gpu.terminator
  }
  return
}

// So may what is called.

// CHECK-LABEL: func.func @negative_call
// CHECK:         %[[COUNT:.*]] = memref.load
// CHECK:         call @count
// CHECK:         gpu.launch_func {{.*}} args({{.*}}%[[COUNT]] : i64
func.func private @count()
func.func @negative_call(%a: memref<16xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %counter = memref.get_global @counter : memref<1xi64>
  %count = memref.load %counter[%c0] : memref<1xi64>
  func.call @count() : () -> ()
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %count, %a[%tx] : memref<16xi64>
    gpu.terminator
  }
  return
}
