// RUN: linalg-ext-opt %s -one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" -canonicalize | FileCheck %s

// The result takes the buffer of the init, which is not read.

// CHECK-LABEL: func.func @in_place
//  CHECK-SAME:   %[[POOL:.*]]: memref<9x4xf32>, %[[TABLE:.*]]: memref<2x3xi32>, %[[N:.*]]: memref<2xi32>, %[[AT:.*]]: index, %[[E:.*]]: memref<2x12xf32>)
//   CHECK-NOT:   alloc
//   CHECK-NOT:   copy
//       CHECK:   linalg_ext.paged_gather {{.*}} {attr} pool(%[[POOL]] : memref<9x4xf32>) table(%[[TABLE]] : memref<2x3xi32>) lengths(%[[N]] : memref<2xi32>) offset(%[[AT]]) outs(%[[E]] : memref<2x12xf32>)
//       CHECK:   return %[[E]]
func.func @in_place(%pool: tensor<9x4xf32>, %table: tensor<2x3xi32>, %n: tensor<2xi32>, %at: index, %e: tensor<2x12xf32> {bufferization.writable = true}) -> tensor<2x12xf32> {
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1] {attr}
      pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xi32>) lengths(%n : tensor<2xi32>) offset(%at)
      outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}

// CHECK-LABEL: func.func @init_is_not_read
//       CHECK:   memref.alloc
//   CHECK-NOT:   copy
//       CHECK:   linalg_ext.paged_gather
//   CHECK-NOT:   copy
func.func @init_is_not_read(%pool: tensor<9x4xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12xf32>) -> (tensor<2x12xf32>, tensor<2x12xf32>) {
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
      pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return %0, %e : tensor<2x12xf32>, tensor<2x12xf32>
}

// A pool that is appended to is read before or after: here it is copied, since
// the gather reads what was there before.

// CHECK-LABEL: func.func @pool_is_appended_to
//       CHECK:   %[[COPY:.*]] = memref.alloc
//       CHECK:   memref.copy
//       CHECK:   linalg_ext.paged_gather
func.func @pool_is_appended_to(%pool: tensor<9x4xf32> {bufferization.writable = true}, %row: tensor<1x4xf32>, %table: tensor<2x3xi32>, %e: tensor<2x12xf32> {bufferization.writable = true})
    -> (tensor<2x12xf32>, tensor<9x4xf32>) {
  %new = tensor.insert_slice %row into %pool[3, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<9x4xf32>
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
      pool(%pool : tensor<9x4xf32>) table(%table : tensor<2x3xi32>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return %0, %new : tensor<2x12xf32>, tensor<9x4xf32>
}
