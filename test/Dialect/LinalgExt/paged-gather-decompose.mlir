// RUN: linalg-ext-opt %s -linalg-ext-decompose -canonicalize -split-input-file | FileCheck %s

// Every read is behind a test that what it reads exists.

// CHECK-LABEL: func.func @pages
//  CHECK-SAME:   %[[POOL:[a-z0-9]*]]: tensor<?x4x8xf32>, %[[TABLE:[a-z0-9]*]]: tensor<2x?xi32>, %[[N:[a-z0-9]*]]: tensor<2xi32>, %[[AT:[a-z0-9]*]]: index
//   CHECK-DAG:   %[[PAGES:.*]] = tensor.dim %[[POOL]], %c0
//   CHECK-DAG:   %[[ENTRIES:.*]] = tensor.dim %[[TABLE]], %c1
//       CHECK:   linalg.generic {{.*}} ins(%[[N]] : tensor<2xi32>)
//       CHECK:   ^bb0(%[[LENGTH:.*]]: i32, %{{.*}}: f32):
//       CHECK:     %[[B:.*]] = linalg.index 0
//       CHECK:     %[[I:.*]] = linalg.index 1
//       CHECK:     %[[D:.*]] = linalg.index 2
//       CHECK:     %[[END:.*]] = arith.index_cast %[[LENGTH]]
//       CHECK:     %[[S:.*]] = arith.addi %[[I]], %[[AT]]
//       CHECK:     %[[IN:.*]] = arith.cmpi slt, %[[S]], %[[END]]
//       CHECK:     %[[ENTRY:.*]] = affine.apply {{.*}}[%[[S]]]
//       CHECK:     %[[ROW:.*]] = affine.apply {{.*}}[%[[S]]]
//       CHECK:     %[[USED:.*]] = affine.apply {{.*}}(%[[END]])
//       CHECK:     %[[LISTED:.*]] = arith.cmpi slt, %[[ENTRY]], %[[USED]]
//       CHECK:     %[[THERE:.*]] = arith.cmpi ult, %[[ENTRY]], %[[ENTRIES]]
//       CHECK:     %[[BOTH:.*]] = arith.andi %[[LISTED]], %[[THERE]]
//       CHECK:     scf.if %[[BOTH]]
//       CHECK:       %[[READ:.*]] = tensor.extract %[[TABLE]][%[[B]], %[[ENTRY]]]
//       CHECK:       %[[PAGE:.*]] = arith.index_cast %[[READ]]
//       CHECK:       %[[EXISTS:.*]] = arith.cmpi ult, %[[PAGE]], %[[PAGES]]
//       CHECK:       %[[READS:.*]] = arith.andi %[[IN]], %[[EXISTS]]
//       CHECK:       scf.if %[[READS]]
//       CHECK:         tensor.extract %[[POOL]][%[[PAGE]], %[[ROW]], %[[D]]]
func.func @pages(%pool: tensor<?x4x8xf32>, %table: tensor<2x?xi32>, %n: tensor<2xi32>, %at: index, %e: tensor<2x12x8xf32>) -> tensor<2x12x8xf32> {
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2]
      pool(%pool : tensor<?x4x8xf32>) table(%table : tensor<2x?xi32>) lengths(%n : tensor<2xi32>) offset(%at)
      outs(%e : tensor<2x12x8xf32>) -> tensor<2x12x8xf32>
  return %0 : tensor<2x12x8xf32>
}

// -----

// Pages whose size is 0 at run time do not exist, and nothing divides by 0.

// CHECK-LABEL: func.func @dynamic_page_size
//       CHECK:   %[[PS:.*]] = tensor.dim %{{.*}}, %c1
//       CHECK:   arith.cmpi eq, %[[PS]], %c0
//       CHECK:   arith.select
//       CHECK:   arith.maxui %[[PS]], %c1
//       CHECK:   linalg.generic
func.func @dynamic_page_size(%pool: tensor<?x?xf32>, %table: tensor<2x3xindex>, %e: tensor<2x12xf32>) -> tensor<2x12xf32> {
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
      pool(%pool : tensor<?x?xf32>) table(%table : tensor<2x3xindex>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}

// -----

// CHECK-LABEL: func.func @flat_table
//  CHECK-SAME:   %[[POOL:[a-z0-9]*]]: tensor<9x4xf32>, %[[TABLE:[a-z0-9]*]]: tensor<?xi32>
//       CHECK:   ^bb0(%[[START:.*]]: i64, %{{.*}}: f32):
//       CHECK:     %[[FIRST:.*]] = arith.index_cast %[[START]]
//       CHECK:     %[[P:.*]] = affine.apply
//       CHECK:     %[[ENTRY:.*]] = arith.addi %[[P]], %[[FIRST]]
//       CHECK:     scf.if
//       CHECK:       tensor.extract %[[TABLE]][%[[ENTRY]]]
func.func @flat_table(%pool: tensor<9x4xf32>, %table: tensor<?xi32>, %starts: tensor<2xi64>, %e: tensor<2x12xf32>) -> tensor<2x12xf32> {
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
      pool(%pool : tensor<9x4xf32>) table(%table : tensor<?xi32>) starts(%starts : tensor<2xi64>) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}

// -----

// CHECK-LABEL: func.func @packed
//  CHECK-SAME:   %[[POOL:[a-z0-9]*]]: tensor<?x8xf32>
//       CHECK:   %[[ROWS:.*]] = tensor.dim %[[POOL]], %c0
//       CHECK:   linalg.generic
//       CHECK:     %[[ROW:.*]] = arith.addi
//       CHECK:     arith.cmpi ult, %[[ROW]], %[[ROWS]]
//       CHECK:     scf.if
//       CHECK:       tensor.extract %[[POOL]][%[[ROW]], %{{.*}}]
//   CHECK-NOT:     scf.if
func.func @packed(%pool: tensor<?x8xf32>, %starts: tensor<2xi32>, %n: tensor<2xi32>, %e: tensor<2x12x8xf32>) -> tensor<2x12x8xf32> {
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [1, 2]
      pool(%pool : tensor<?x8xf32>) starts(%starts : tensor<2xi32>) lengths(%n : tensor<2xi32>) outs(%e : tensor<2x12x8xf32>) -> tensor<2x12x8xf32>
  return %0 : tensor<2x12x8xf32>
}

// -----

// On buffers the op stays.

// CHECK-LABEL: func.func @negative_buffers
//       CHECK:   linalg_ext.paged_gather
func.func @negative_buffers(%pool: memref<3x2xf32>, %table: memref<2x2xi32>, %e: memref<2x4xf32>) {
  linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1]
      pool(%pool : memref<3x2xf32>) table(%table : memref<2x2xi32>) outs(%e : memref<2x4xf32>)
  return
}
