// RUN: linalg-ext-opt %s | linalg-ext-opt | FileCheck %s
// RUN: linalg-ext-opt %s -mlir-print-op-generic | linalg-ext-opt | FileCheck %s
// RUN: linalg-ext-opt %s -emit-bytecode | linalg-ext-opt | FileCheck %s
// RUN: linalg-ext-opt %s -resolve-ranked-shaped-type-result-dims | FileCheck %s --check-prefix=REIFY

// CHECK-LABEL: func.func @pages
//       CHECK:   linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 2, 1, 3] pool(%{{.*}} : tensor<?x16x8x128xf16>) table(%{{.*}} : tensor<?x?xi32>) lengths(%{{.*}} : tensor<?xi32>) outs(%{{.*}} : tensor<?x8x?x128xf16>) -> tensor<?x8x?x128xf16>
// REIFY-LABEL: func.func @pages
//  REIFY-SAME:   %[[E:[a-z0-9]*]]: tensor<?x8x?x128xf16>)
//       REIFY:   tensor.dim %[[E]], %c2
func.func @pages(%pool: tensor<?x16x8x128xf16>, %table: tensor<?x?xi32>, %lengths: tensor<?xi32>, %e: tensor<?x8x?x128xf16>) -> (tensor<?x8x?x128xf16>, index) {
  %c2 = arith.constant 2 : index
  %0 = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 2, 1, 3]
      pool(%pool : tensor<?x16x8x128xf16>) table(%table : tensor<?x?xi32>) lengths(%lengths : tensor<?xi32>)
      outs(%e : tensor<?x8x?x128xf16>) -> tensor<?x8x?x128xf16>
  %d = tensor.dim %0, %c2 : tensor<?x8x?x128xf16>
  return %0, %d : tensor<?x8x?x128xf16>, index
}

// Without lengths, from a position, and with an attribute.

// CHECK-LABEL: func.func @pages_from
//       CHECK:   linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2] {attr} pool(%{{.*}}) table(%{{.*}}) offset(%{{.*}}) outs(
func.func @pages_from(%pool: tensor<9x4x8xf32>, %table: tensor<2x3xindex>, %offset: index, %e: tensor<2x12x8xf32>) -> tensor<2x12x8xf32> {
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2] {attr}
      pool(%pool : tensor<9x4x8xf32>) table(%table : tensor<2x3xindex>) offset(%offset)
      outs(%e : tensor<2x12x8xf32>) -> tensor<2x12x8xf32>
  return %0 : tensor<2x12x8xf32>
}

// A list of pages of its own for each head; the rows are the last dimension.

// CHECK-LABEL: func.func @pages_of_heads
//       CHECK:   linalg_ext.paged_gather sequence(3) batch [0, 1] pool_dims [1, -1, 2, 3]
func.func @pages_of_heads(%pool: tensor<4x9x8x16xf32>, %table: tensor<2x4x3xi64>, %e: tensor<2x4x8x48xf32>) -> tensor<2x4x8x48xf32> {
  %0 = linalg_ext.paged_gather sequence(3) batch [0, 1] pool_dims [1, -1, 2, 3]
      pool(%pool : tensor<4x9x8x16xf32>) table(%table : tensor<2x4x3xi64>)
      outs(%e : tensor<2x4x8x48xf32>) -> tensor<2x4x8x48xf32>
  return %0 : tensor<2x4x8x48xf32>
}

// CHECK-LABEL: func.func @one_sequence
//       CHECK:   linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
func.func @one_sequence(%pool: tensor<9x4x8xi8>, %table: tensor<3xi32>, %length: tensor<i32>, %e: tensor<12x8xi8>) -> tensor<12x8xi8> {
  %0 = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
      pool(%pool : tensor<9x4x8xi8>) table(%table : tensor<3xi32>) lengths(%length : tensor<i32>)
      outs(%e : tensor<12x8xi8>) -> tensor<12x8xi8>
  return %0 : tensor<12x8xi8>
}

// CHECK-LABEL: func.func @flat_table
//       CHECK:   table(%{{.*}} : tensor<?xi32>) starts(%{{.*}} : tensor<2xi32>) lengths(%{{.*}} : tensor<2xi64>) outs
func.func @flat_table(%pool: tensor<9x4x8xf32>, %table: tensor<?xi32>, %starts: tensor<2xi32>, %lengths: tensor<2xi64>, %e: tensor<2x12x8xf32>) -> tensor<2x12x8xf32> {
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2]
      pool(%pool : tensor<9x4x8xf32>) table(%table : tensor<?xi32>) starts(%starts : tensor<2xi32>) lengths(%lengths : tensor<2xi64>)
      outs(%e : tensor<2x12x8xf32>) -> tensor<2x12x8xf32>
  return %0 : tensor<2x12x8xf32>
}

// CHECK-LABEL: func.func @packed
//       CHECK:   linalg_ext.paged_gather sequence(2) batch [0] pool_dims [2, 1, 3] pool(%{{.*}}) starts(%{{.*}}) lengths(%{{.*}}) outs
func.func @packed(%pool: tensor<?x8x128xf16>, %starts: tensor<?xi32>, %lengths: tensor<?xi32>, %e: tensor<?x8x?x128xf16>) -> tensor<?x8x?x128xf16> {
  %0 = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [2, 1, 3]
      pool(%pool : tensor<?x8x128xf16>) starts(%starts : tensor<?xi32>) lengths(%lengths : tensor<?xi32>)
      outs(%e : tensor<?x8x?x128xf16>) -> tensor<?x8x?x128xf16>
  return %0 : tensor<?x8x?x128xf16>
}

// CHECK-LABEL: func.func @buffers
//       CHECK:   linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1] pool(%{{.*}} : memref<3x2xf32>) table(%{{.*}} : memref<2x2xi32>) outs(%{{.*}} : memref<2x4xf32>){{$}}
func.func @buffers(%pool: memref<3x2xf32>, %table: memref<2x2xi32>, %e: memref<2x4xf32>) {
  linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
      pool(%pool : memref<3x2xf32>) table(%table : memref<2x2xi32>) outs(%e : memref<2x4xf32>)
  return
}
