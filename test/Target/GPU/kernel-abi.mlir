// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels --linalg-ext-gpu-kernel-abi --split-input-file | FileCheck %s

// A pointer and a number for each dynamic size; static shapes need the pointer
// alone. Scalars stay, index becomes i64.

// CHECK-LABEL: func.func @sizes
// CHECK-DAG: %[[P:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [], strides: [] : memref<?x64x?xf16> to memref<f16>
// CHECK-DAG: %[[K:.*]] = arith.index_cast %arg3 : index to i64
// CHECK: gpu.launch_func @kernels::@sizes_kernel
// CHECK-SAME: args(%[[P]] : memref<f16>, %{{.*}} : i64, %{{.*}} : i64, %arg2 : f32, %arg1 : memref<4x8xf32>, %[[K]] : i64)
// CHECK: gpu.func @sizes_kernel(
// CHECK-SAME: %[[ARG0:[^ ]*]]: memref<f16> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME: %[[D0:[^ ]*]]: i64, %[[D2:[^ ]*]]: i64
// CHECK-SAME: %{{[^ ]*}}: f32,
// CHECK-SAME: memref<4x8xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.writeonly}, %{{[^ ]*}}: i64)
// CHECK-DAG: %[[S0:.*]] = arith.index_cast %[[D0]]
// CHECK-DAG: %[[S2:.*]] = arith.index_cast %[[D2]]
// CHECK: %[[STRIDE:.*]] = arith.muli %[[S2]], %c64 overflow<nsw>
// CHECK: memref.reinterpret_cast %[[ARG0]] to offset: [0], sizes: [%[[S0]], 64, %[[S2]]], strides: [%[[STRIDE]], %[[S2]], 1]
func.func @sizes(%a: memref<?x64x?xf16>, %b: memref<4x8xf32>, %s: f32, %k: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%tx, %tx, %tx] : memref<?x64x?xf16>
    %e = arith.extf %v : f16 to f32
    %p = arith.mulf %e, %s : f32
    memref.store %p, %b[%tx, %k] : memref<4x8xf32>
    gpu.terminator
  }
  return
}

// -----

// Two views of one buffer, one written: neither is noalias. A third buffer is.

// CHECK-LABEL: gpu.func @views_kernel(
// CHECK-SAME: memref<f32> {llvm.align = 16 : i64, llvm.readonly}
// CHECK-SAME: memref<f32> {llvm.align = 16 : i64, llvm.writeonly}
// CHECK-SAME: memref<f32> {llvm.align = 16 : i64, llvm.noalias, llvm.writeonly}
func.func @views(%a: memref<?x?xf32>, %b: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %flat = memref.collapse_shape %a [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%tx, %tx] : memref<?x?xf32>
    memref.store %v, %flat[%tx] : memref<?xf32>
    memref.store %v, %b[%tx] : memref<?xf32>
    gpu.terminator
  }
  return
}

// -----

// Both only read: noalias says nothing false.

// CHECK-LABEL: gpu.func @both_read_kernel(
// CHECK-SAME: memref<f32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME: memref<f32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
func.func @both_read(%a: memref<?x?xf32>, %b: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %flat = memref.collapse_shape %a [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%tx, %tx] : memref<?x?xf32>
    %w = memref.load %flat[%tx] : memref<?xf32>
    %x = arith.addf %v, %w : f32
    memref.store %x, %b[%tx] : memref<?xf32>
    gpu.terminator
  }
  return
}

// -----

// Read and written through a subview, and one whose address escapes.

// CHECK-LABEL: gpu.func @subview_kernel(
// CHECK-SAME: memref<f32> {llvm.align = 16 : i64, llvm.noalias}
// CHECK-SAME: memref<8xf32> {llvm.align = 16 : i64, llvm.noalias}
func.func @subview(%a: memref<?xf32>, %b: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %s = memref.subview %a[%tx] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
    %i = memref.extract_aligned_pointer_as_index %b : memref<8xf32> -> index
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %s[%tx] : memref<4xf32, strided<[1], offset: ?>>
    gpu.terminator
  }
  return
}

// -----

// A buffer from elsewhere may be the argument.

// CHECK-LABEL: gpu.func @unknown_kernel(
// CHECK-SAME: memref<4xf32> {llvm.align = 16 : i64, llvm.readonly}
// CHECK-SAME: memref<4xf32> {llvm.align = 16 : i64, llvm.writeonly}
func.func private @elsewhere() -> memref<4xf32>
func.func @unknown(%a: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %b = call @elsewhere() : () -> memref<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%tx] : memref<4xf32>
    memref.store %v, %b[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}
