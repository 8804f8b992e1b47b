// RUN: linalg-ext-opt %s -transform-interpreter -canonicalize -cse | FileCheck %s

// A tile adds its position to the offset. It takes the rows of the table, the
// starts and the lengths of its sequences, and its part of the features. It
// takes all pages, rows and entries.

// CHECK-LABEL: func.func @pages
//  CHECK-SAME:   %[[POOL:[a-z0-9]*]]: tensor<?x4x8xf32>, %[[TABLE:[a-z0-9]*]]: tensor<?x?xi32>, %[[N:[a-z0-9]*]]: tensor<?xi32>, %[[AT:[a-z0-9]*]]: index
//       CHECK:   scf.for %[[B:[a-z0-9]*]] =
//       CHECK:     scf.for %[[S:[a-z0-9]*]] =
//       CHECK:       scf.for %[[D:[a-z0-9]*]] =
//       CHECK:         %[[PART:.*]] = tensor.extract_slice %[[POOL]][0, 0, %[[D]]] [%{{.*}}, 4, 4]
//       CHECK:         %[[ROWS:.*]] = tensor.extract_slice %[[TABLE]][%[[B]], 0] [%[[SIZE:.*]], %{{.*}}]
//       CHECK:         %[[ENDS:.*]] = tensor.extract_slice %[[N]][%[[B]]] [%[[SIZE]]]
//       CHECK:         %[[FROM:.*]] = affine.apply {{.*}}(%[[S]])[%[[AT]]]
//       CHECK:         linalg_ext.paged_gather {{.*}} pool(%[[PART]] : tensor<?x4x4xf32>) table(%[[ROWS]] : tensor<?x?xi32>) lengths(%[[ENDS]] : tensor<?xi32>) offset(%[[FROM]])
func.func @pages(%pool: tensor<?x4x8xf32>, %table: tensor<?x?xi32>, %n: tensor<?xi32>, %at: index, %e: tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
  %0 = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2]
      pool(%pool : tensor<?x4x8xf32>) table(%table : tensor<?x?xi32>) lengths(%n : tensor<?xi32>) offset(%at)
      outs(%e : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}

// CHECK-LABEL: func.func @flat_table_on_buffers
//  CHECK-SAME:   %[[POOL:[a-z0-9]*]]: memref<9x4x8xf32>, %[[TABLE:[a-z0-9]*]]: memref<?xi32>, %[[STARTS:[a-z0-9]*]]: memref<6xi32>
//       CHECK:   scf.for %[[B:[a-z0-9]*]] =
//       CHECK:     scf.for %[[S:[a-z0-9]*]] =
//       CHECK:       scf.for %[[D:[a-z0-9]*]] =
//       CHECK:         memref.subview %[[POOL]][0, 0, %[[D]]] [9, 4, 4]
//       CHECK:         %[[FIRST:.*]] = memref.subview %[[STARTS]][%[[B]]] [2]
//       CHECK:         linalg_ext.paged_gather {{.*}} table(%[[TABLE]] : memref<?xi32>) starts(%[[FIRST]] : {{.*}}) offset(%[[S]])
func.func @flat_table_on_buffers(%pool: memref<9x4x8xf32>, %table: memref<?xi32>, %starts: memref<6xi32>, %e: memref<6x12x8xf32>) {
  linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2]
      pool(%pool : memref<9x4x8xf32>) table(%table : memref<?xi32>) starts(%starts : memref<6xi32>) outs(%e : memref<6x12x8xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.paged_gather"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %op tile_sizes [2, 6, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
