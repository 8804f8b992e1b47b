// RUN: linalg-ext-opt %s -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @offset_0
//   CHECK-NOT:   offset(
func.func @offset_0(%pool: tensor<9x4xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12xf32>) -> tensor<2x12xf32> {
  %c0 = arith.constant 0 : index
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
      pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xi32>) offset(%c0) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}

// -----

// CHECK-LABEL: func.func @offset_4
//       CHECK:   offset(%c4)
func.func @offset_4(%pool: tensor<9x4xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12xf32>) -> tensor<2x12xf32> {
  %c4 = arith.constant 4 : index
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
      pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xi32>) offset(%c4) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}

// -----

// Casts that forget sizes are folded, as in every destination-style op.

// CHECK-LABEL: func.func @tensor_casts
//       CHECK:   %[[G:.*]] = linalg_ext.paged_gather {{.*}} pool(%{{.*}} : tensor<9x4xf32>) table(%{{.*}} : tensor<2x3xi32>) outs(%{{.*}} : tensor<2x12xf32>) -> tensor<2x12xf32>
//       CHECK:   tensor.cast %[[G]]
func.func @tensor_casts(%pool: tensor<9x4xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12xf32>) -> tensor<?x?xf32> {
  %p = tensor.cast %pool : tensor<9x4xf32> to tensor<?x?xf32>
  %t = tensor.cast %table : tensor<2x3xi32> to tensor<?x?xi32>
  %o = tensor.cast %e : tensor<2x12xf32> to tensor<?x?xf32>
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
      pool(%p : tensor<?x?xf32>) table(%t : tensor<?x?xi32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @memref_casts
//       CHECK:   pool(%{{.*}} : memref<9x4xf32>) table(%{{.*}} : memref<2x3xi32>) outs(%{{.*}} : memref<2x12xf32>)
func.func @memref_casts(%pool: memref<9x4xf32>, %table: memref<2x3xi32>, %e: memref<2x12xf32>) {
  %p = memref.cast %pool : memref<9x4xf32> to memref<?x?xf32>
  %t = memref.cast %table : memref<2x3xi32> to memref<?x?xi32>
  linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
      pool(%p : memref<?x?xf32>) table(%t : memref<?x?xi32>) outs(%e : memref<2x12xf32>)
  return
}

// -----

// Casts that hide sizes with which the op does not verify stay: pages of no row,
// and a table of other sequences.

// CHECK-LABEL: func.func @memref_casts_that_hide
//       CHECK:   pool(%{{.*}} : memref<?x?xf32>) table(%{{.*}} : memref<2x3xi32>)
//       CHECK:   pool(%{{.*}} : memref<9x4xf32>) table(%{{.*}} : memref<?x?xi32>)
func.func @memref_casts_that_hide(%empty: memref<9x0xf32>, %pool: memref<9x4xf32>, %table: memref<2x3xi32>,
                                  %other: memref<5x3xi32>, %e: memref<2x12xf32>) {
  %p = memref.cast %empty : memref<9x0xf32> to memref<?x?xf32>
  linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
      pool(%p : memref<?x?xf32>) table(%table : memref<2x3xi32>) outs(%e : memref<2x12xf32>)
  %t = memref.cast %other : memref<5x3xi32> to memref<?x?xi32>
  linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
      pool(%pool : memref<9x4xf32>) table(%t : memref<?x?xi32>) outs(%e : memref<2x12xf32>)
  return
}

// -----

// The op is pure on tensors, and writes on buffers.

// CHECK-LABEL: func.func @unused
//   CHECK-NOT:   linalg_ext.paged_gather {{.*}} tensor
//       CHECK:   linalg_ext.paged_gather {{.*}} memref
func.func @unused(%pool: tensor<9x4xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12xf32>,
                  %poolBuffer: memref<9x4xf32>, %tableBuffer: memref<2x3xi32>, %buffer: memref<2x12xf32>) {
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
      pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
      pool(%poolBuffer : memref<9x4xf32>) table(%tableBuffer : memref<2x3xi32>) outs(%buffer : memref<2x12xf32>)
  return
}
