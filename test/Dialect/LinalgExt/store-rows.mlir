// RUN: linalg-ext-opt %s | linalg-ext-opt | FileCheck %s
// RUN: linalg-ext-opt %s -mlir-print-op-generic | linalg-ext-opt | FileCheck %s
// RUN: linalg-ext-opt %s -emit-bytecode | linalg-ext-opt | FileCheck %s
// RUN: linalg-ext-opt %s -resolve-ranked-shaped-type-result-dims | FileCheck %s --check-prefix=REIFY
// RUN: linalg-ext-opt %s -one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" -canonicalize | FileCheck %s --check-prefix=BUFFERS

// CHECK-LABEL: func.func @pages
//       CHECK:   linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1, 2, 3] {attr} rows(%{{.*}} : tensor<?x1x8x64xf16>) table(%{{.*}} : tensor<?x?xi32>) lengths(%{{.*}} : tensor<?xi32>) offsets(%{{.*}} : tensor<?xi32>) outs(%{{.*}} : tensor<?x16x8x64xf16>) -> tensor<?x16x8x64xf16>
// REIFY-LABEL: func.func @pages
//  REIFY-SAME:   %[[POOL:[a-z0-9]*]]: tensor<?x16x8x64xf16>
//       REIFY:   tensor.dim %[[POOL]], %c0
// The pool is written in place.
// BUFFERS-LABEL: func.func @pages
//  BUFFERS-SAME:   %[[ROWS:.*]]: memref<?x1x8x64xf16>, %[[TABLE:.*]]: memref<?x?xi32>, %[[N:.*]]: memref<?xi32>, %[[AT:.*]]: memref<?xi32>, %[[POOL:.*]]: memref<?x16x8x64xf16>)
//   BUFFERS-NOT:   alloc
//   BUFFERS-NOT:   copy
//       BUFFERS:   linalg_ext.store_rows {{.*}} {attr} rows(%[[ROWS]] : {{.*}}) table(%[[TABLE]] : {{.*}}) lengths(%[[N]] : {{.*}}) offsets(%[[AT]] : {{.*}}) outs(%[[POOL]] : memref<?x16x8x64xf16>){{$}}
//       BUFFERS:   return %[[POOL]]
func.func @pages(%rows: tensor<?x1x8x64xf16>, %table: tensor<?x?xi32>, %n: tensor<?xi32>, %at: tensor<?xi32>, %pool: tensor<?x16x8x64xf16> {bufferization.writable = true})
    -> (tensor<?x16x8x64xf16>, index) {
  %c0 = arith.constant 0 : index
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1, 2, 3] {attr}
      rows(%rows : tensor<?x1x8x64xf16>) table(%table : tensor<?x?xi32>) lengths(%n : tensor<?xi32>) offsets(%at : tensor<?xi32>)
      outs(%pool : tensor<?x16x8x64xf16>) -> tensor<?x16x8x64xf16>
  %d = tensor.dim %0, %c0 : tensor<?x16x8x64xf16>
  return %0, %d : tensor<?x16x8x64xf16>, index
}

// Rows that no sequence has stay: the pool is read, so what must be there
// afterwards is copied.

// BUFFERS-LABEL: func.func @pool_is_read
//       BUFFERS:   memref.alloc
//       BUFFERS:   memref.copy
//       BUFFERS:   linalg_ext.store_rows
func.func @pool_is_read(%rows: tensor<2x3x8xf32>, %s: tensor<2xi32>, %pool: tensor<20x8xf32>) -> (tensor<20x8xf32>, tensor<20x8xf32>) {
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [1, 2]
      rows(%rows : tensor<2x3x8xf32>) starts(%s : tensor<2xi32>) lengths(%s : tensor<2xi32>)
      outs(%pool : tensor<20x8xf32>) -> tensor<20x8xf32>
  return %0, %pool : tensor<20x8xf32>, tensor<20x8xf32>
}

// CHECK-LABEL: func.func @flat_table_on_buffers
//       CHECK:   linalg_ext.store_rows sequence(1) batch [0] pool_dims [1, -1, 2] rows(%{{.*}} : memref<2x3x8xf32>) table(%{{.*}} : memref<7xindex>) starts(%{{.*}} : memref<2xi64>) outs(%{{.*}} : memref<4x5x8xf32>){{$}}
func.func @flat_table_on_buffers(%rows: memref<2x3x8xf32>, %table: memref<7xindex>, %s: memref<2xi64>, %pool: memref<4x5x8xf32>) {
  linalg_ext.store_rows sequence(1) batch [0] pool_dims [1, -1, 2]
      rows(%rows : memref<2x3x8xf32>) table(%table : memref<7xindex>) starts(%s : memref<2xi64>)
      outs(%pool : memref<4x5x8xf32>)
  return
}
