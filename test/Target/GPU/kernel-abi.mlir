// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=flatten-branches,outline,abi --split-input-file | FileCheck %s

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

// Two views of one buffer are one argument. (They are made in the kernel.)

// CHECK-LABEL: gpu.func @views_kernel(
// CHECK-SAME: memref<f32> {llvm.align = 16 : i64, llvm.noalias}, %{{[^ ]*}}: i64, %{{[^ ]*}}: i64,
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

// Where they are two, one of them written, neither is noalias. A third buffer is.

// CHECK-LABEL: gpu.func @written(
// CHECK-SAME: memref<f32> {llvm.align = 16 : i64, llvm.readonly}
// CHECK-SAME: memref<f32> {llvm.align = 16 : i64, llvm.writeonly}
// CHECK-SAME: memref<f32> {llvm.align = 16 : i64, llvm.noalias, llvm.writeonly}
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @written(%a: memref<?x?xf32>, %flat: memref<?xf32>, %b: memref<?xf32>) kernel {
      %tx = gpu.thread_id x
      %v = memref.load %a[%tx, %tx] : memref<?x?xf32>
      memref.store %v, %flat[%tx] : memref<?xf32>
      memref.store %v, %b[%tx] : memref<?xf32>
      gpu.return
    }
  }
  func.func @write(%a: memref<?x?xf32>, %b: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %flat = memref.collapse_shape %a [[0, 1]] : memref<?x?xf32> into memref<?xf32>
    gpu.launch_func @kernels::@written blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<?x?xf32>, %flat : memref<?xf32>, %b : memref<?xf32>)
    return
  }
}

// -----

// Both only read: noalias says nothing false.

// CHECK-LABEL: gpu.func @both_read(
// CHECK-SAME: memref<f32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME: memref<f32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @both_read(%a: memref<?x?xf32>, %flat: memref<?xf32>, %b: memref<?xf32>) kernel {
      %tx = gpu.thread_id x
      %v = memref.load %a[%tx, %tx] : memref<?x?xf32>
      %w = memref.load %flat[%tx] : memref<?xf32>
      %x = arith.addf %v, %w : f32
      memref.store %x, %b[%tx] : memref<?xf32>
      gpu.return
    }
  }
  func.func @read(%a: memref<?x?xf32>, %b: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %flat = memref.collapse_shape %a [[0, 1]] : memref<?x?xf32> into memref<?xf32>
    gpu.launch_func @kernels::@both_read blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<?x?xf32>, %flat : memref<?xf32>, %b : memref<?xf32>)
    return
  }
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

// -----

// Strides and an offset that the type leaves open are numbers, too; a buffer
// whose type has them all is a pointer. A bit is a byte.

// CHECK-LABEL: func.func @strides
// CHECK-DAG:     %[[BASE:.*]], %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK-DAG:     %[[D:.*]] = arith.index_cast %[[SIZES]]#0 : index to i64
// CHECK-DAG:     %[[S:.*]] = arith.index_cast %[[STRIDES]]#0 : index to i64
// CHECK-DAG:     %[[O:.*]] = arith.index_cast %[[OFFSET]] : index to i64
// CHECK-DAG:     %[[C:.*]] = arith.extui %arg2 : i1 to i8
// CHECK:         gpu.launch_func @kernels::@strides_kernel
// CHECK-SAME:      args(%[[BASE]] : memref<f16>, %[[D]] : i64, %[[S]] : i64, %[[O]] : i64, %arg1 : memref<4x8xf16, strided<[10, 1], offset: 3>>, %[[C]] : i8)
// CHECK:         gpu.func @strides_kernel(
// CHECK-SAME:      %[[P:[^ ]*]]: memref<f16> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME:      %[[KD:[^ ]*]]: i64, %[[KS:[^ ]*]]: i64, %[[KO:[^ ]*]]: i64, %{{[^ ]*}}: memref<4x8xf16, strided<[10, 1], offset: 3>> {llvm.align = 16 : i64, llvm.noalias, llvm.writeonly}, %[[KC:[^ ]*]]: i8
// CHECK-DAG:     %[[SIZE:.*]] = arith.index_cast %[[KD]]
// CHECK-DAG:     %[[STRIDE:.*]] = arith.index_cast %[[KS]]
// CHECK-DAG:     %[[SHIFT:.*]] = arith.index_cast %[[KO]]
// CHECK-DAG:     arith.trunci %[[KC]] : i8 to i1
// CHECK-DAG:     memref.reinterpret_cast %[[P]] to offset: [%[[SHIFT]]], sizes: [%[[SIZE]], 8], strides: [%[[STRIDE]], 1] : memref<f16> to memref<?x8xf16, strided<[?, 1], offset: ?>>
func.func @strides(%a: memref<?x8xf16, strided<[?, 1], offset: ?>>, %b: memref<4x8xf16, strided<[10, 1], offset: 3>>, %c: i1) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%tx, %tx] : memref<?x8xf16, strided<[?, 1], offset: ?>>
    scf.if %c {
      memref.store %v, %b[%tx, %tx] : memref<4x8xf16, strided<[10, 1], offset: 3>>
    }
    gpu.terminator
  }
  return
}

// -----

// A loop that swaps two buffers writes to both.

// CHECK-LABEL: gpu.func @swap(
// CHECK-SAME: memref<64xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.writeonly}
// CHECK-SAME: memref<64xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.writeonly}
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @swap(%a: memref<64xf32>, %b: memref<64xf32>, %n: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1.0 : f32
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<64xf32>, memref<64xf32>) {
        memref.store %one, %p[%i] : memref<64xf32>
        scf.yield %q, %p : memref<64xf32>, memref<64xf32>
      }
      gpu.return
    }
  }
  func.func @launch_swap(%a: memref<64xf32>, %b: memref<64xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@swap blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<64xf32>, %b : memref<64xf32>, %n : index)
    return
  }
}
