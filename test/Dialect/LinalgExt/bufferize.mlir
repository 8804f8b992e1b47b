// RUN: linalg-ext-opt %s -one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" -canonicalize -split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s -one-shot-bufferize="bufferize-function-boundaries test-analysis-only" -split-input-file | FileCheck %s --check-prefix=ANALYSIS

// Each result takes the buffer of its init.

// CHECK-LABEL: func.func @softmax_in_place
//  CHECK-SAME:   %[[X:.*]]: memref<4x8xf32>, %[[Y:.*]]: memref<4x8xf32>, %[[M:.*]]: memref<4xf32>, %[[L:.*]]: memref<4xf32>, %[[S:.*]]: memref<4xf32>)
//   CHECK-NOT:   alloc
//   CHECK-NOT:   copy
//       CHECK:   linalg_ext.softmax dimension(1) delayed {config = 1 : i64} ins(%[[X]] : memref<4x8xf32>) outs(%[[Y]], %[[M]], %[[L]], %[[S]] : memref<4x8xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>)
//       CHECK:   return %[[Y]], %[[M]], %[[L]], %[[S]]
func.func @softmax_in_place(
    %x: tensor<4x8xf32>, %y: tensor<4x8xf32> {bufferization.writable = true}, %m: tensor<4xf32> {bufferization.writable = true},
    %l: tensor<4xf32> {bufferization.writable = true}, %s: tensor<4xf32> {bufferization.writable = true})
    -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:4 = linalg_ext.softmax dimension(1) delayed {config = 1 : i64} ins(%x : tensor<4x8xf32>) outs(%y, %m, %l, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0, %0#1, %0#2, %0#3 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// One tensor for three inits needs buffers of its own for all but one; what max
// and sum hold is read, so it is copied, what scale holds is not.

// CHECK-LABEL: func.func @softmax_shared_init
//  CHECK-SAME:   %[[X:.*]]: memref<4x8xf32>, %[[Y:.*]]: memref<4x8xf32>, %[[S:.*]]: memref<4xf32>)
//   CHECK-DAG:   memref.copy %[[S]], %[[M:.*]] : memref<4xf32> to memref<4xf32>
//       CHECK:   linalg_ext.softmax
func.func @softmax_shared_init(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %s: tensor<4xf32>)
    -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0, %0#1, %0#2, %0#3 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// What the result and the scale held before is not read: no copy of it.

// CHECK-LABEL: func.func @softmax_outputs_are_not_read
//   CHECK-NOT:   memref.copy
//       CHECK:   linalg_ext.softmax
func.func @softmax_outputs_are_not_read(
    %x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %m: tensor<4xf32> {bufferization.writable = true},
    %l: tensor<4xf32> {bufferization.writable = true}, %s: tensor<4xf32>)
    -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32>, tensor<4xf32>) {
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %m, %l, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0, %0#3, %y, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32>, tensor<4xf32>
}

// -----

// The input and the result may not share a buffer by accident: the softmax of a
// tensor into itself reads it after it wrote (a decomposition need not).

// ANALYSIS-LABEL: func.func @softmax_of_itself
//       ANALYSIS:   linalg_ext.softmax
//  ANALYSIS-SAME:     __inplace_operands_attr__ = ["true", "false", "true", "true", "true"]
func.func @softmax_of_itself(
    %x: tensor<4x8xf32> {bufferization.writable = true}, %m: tensor<4xf32> {bufferization.writable = true},
    %l: tensor<4xf32> {bufferization.writable = true}, %s: tensor<4xf32> {bufferization.writable = true})
    -> tensor<4x8xf32> {
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%x, %m, %l, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0 : tensor<4x8xf32>
}

// -----

// State that a loop carries stays in its buffers.

// CHECK-LABEL: func.func @softmax_in_loop
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   memref.copy
//       CHECK:   scf.for
//   CHECK-NOT:     memref.alloc
//   CHECK-NOT:     memref.copy
//       CHECK:     linalg_ext.softmax dimension(1) online
//   CHECK-NOT:     memref.copy
//       CHECK:   return
func.func @softmax_in_loop(
    %x: tensor<4x32xf32>, %y: tensor<4x8xf32> {bufferization.writable = true}, %m: tensor<4xf32> {bufferization.writable = true},
    %l: tensor<4xf32> {bufferization.writable = true}, %s: tensor<4xf32> {bufferization.writable = true}) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %0:2 = scf.for %i = %c0 to %c32 step %c8 iter_args(%mi = %m, %li = %l) -> (tensor<4xf32>, tensor<4xf32>) {
    %t = tensor.extract_slice %x[0, %i] [4, 8] [1, 1] : tensor<4x32xf32> to tensor<4x8xf32>
    %p:4 = linalg_ext.softmax dimension(1) online ins(%t : tensor<4x8xf32>) outs(%y, %mi, %li, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    scf.yield %p#1, %p#2 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @diag
//  CHECK-SAME:   %[[V:.*]]: memref<?x?xf16>, %[[D:.*]]: memref<?x?x?xf16>)
//   CHECK-NOT:   copy
//       CHECK:   linalg_ext.diag ins(%[[V]] : memref<?x?xf16>) outs(%[[D]] : memref<?x?x?xf16>)
//       CHECK:   return %[[D]]
func.func @diag(%v: tensor<?x?xf16>, %d: tensor<?x?x?xf16> {bufferization.writable = true}) -> tensor<?x?x?xf16> {
  %0 = linalg_ext.diag ins(%v : tensor<?x?xf16>) outs(%d : tensor<?x?x?xf16>) -> tensor<?x?x?xf16>
  return %0 : tensor<?x?x?xf16>
}

// -----

// CHECK-LABEL: func.func @diag_init_is_not_read
//       CHECK:   memref.alloc
//   CHECK-NOT:   memref.copy
//       CHECK:   linalg_ext.diag
func.func @diag_init_is_not_read(%v: tensor<4xf32>, %d: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = linalg_ext.diag ins(%v : tensor<4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %d : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @batch_matmul
//  CHECK-SAME:   %[[A:.*]]: memref<2x?x4xf32>, %[[B:.*]]: memref<2x4x5xf32>, %[[C:.*]]: memref<2x?x5xf32>)
//   CHECK-NOT:   copy
//       CHECK:   linalg_ext.batch_matmul {linalg_ext.root} ins(%[[A]], %[[B]] : memref<2x?x4xf32>, memref<2x4x5xf32>) outs(%[[C]] : memref<2x?x5xf32>)
//       CHECK:   return %[[C]]
func.func @batch_matmul(%a: tensor<2x?x4xf32>, %b: tensor<2x4x5xf32>, %c: tensor<2x?x5xf32> {bufferization.writable = true}) -> tensor<2x?x5xf32> {
  %0 = linalg_ext.batch_matmul {linalg_ext.root} ins(%a, %b : tensor<2x?x4xf32>, tensor<2x4x5xf32>) outs(%c : tensor<2x?x5xf32>) -> tensor<2x?x5xf32>
  return %0 : tensor<2x?x5xf32>
}

// -----

// CHECK-LABEL: func.func @batch_matmul_init_is_read
//       CHECK:   memref.copy
//       CHECK:   linalg_ext.batch_matmul
func.func @batch_matmul_init_is_read(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %c: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %0 = linalg_ext.batch_matmul ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0, %c : tensor<3x5xf32>, tensor<3x5xf32>
}

// -----

// Maps survive, here a transposed operand.

// CHECK: #[[$B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @batch_matmul_maps
//       CHECK:   linalg_ext.batch_matmul indexing_maps = [#{{.*}}, #[[$B]], #{{.*}}] ins({{.*}} : memref<3x4xf32>, memref<5x4xf32>)
func.func @batch_matmul_maps(%a: tensor<3x4xf32>, %b: tensor<5x4xf32>, %c: tensor<3x5xf32> {bufferization.writable = true}) -> tensor<3x5xf32> {
  %0 = linalg_ext.batch_matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<3x4xf32>, tensor<5x4xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
