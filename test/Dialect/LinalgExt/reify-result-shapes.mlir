// RUN: linalg-ext-opt %s -resolve-ranked-shaped-type-result-dims -split-input-file | FileCheck %s

// The size of a result is that of its init; the op is not needed to know it.

// CHECK-LABEL: func.func @softmax_result
//  CHECK-SAME:   %{{.*}}: tensor<?x?xf32>, %[[Y:.*]]: tensor<?x?xf32>, %{{.*}}: tensor<?xf32>
//       CHECK:   %[[DIM:.*]] = tensor.dim %[[Y]], %c1
//       CHECK:   return %[[DIM]]
func.func @softmax_result(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %s: tensor<?xf32>) -> index {
  %c1 = arith.constant 1 : index
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%y, %s, %s, %s : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  %d = tensor.dim %0#0, %c1 : tensor<?x?xf32>
  return %d : index
}

// -----

// CHECK-LABEL: func.func @softmax_scale
//  CHECK-SAME:   %[[S:[a-z0-9]*]]: tensor<?xf32>)
//       CHECK:   %[[DIM:.*]] = tensor.dim %[[S]], %c0
//       CHECK:   return %[[DIM]]
func.func @softmax_scale(%x: tensor<?x?xf32>, %m: tensor<?xf32>, %s: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%x, %m, %m, %s : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  %d = tensor.dim %0#3, %c0 : tensor<?xf32>
  return %d : index
}

// -----

// CHECK-LABEL: func.func @diag
//  CHECK-SAME:   %[[D:[a-z0-9]*]]: tensor<?x?xf32>)
//       CHECK:   %[[DIM:.*]] = tensor.dim %[[D]], %c1
//       CHECK:   return %[[DIM]]
func.func @diag(%v: tensor<?xf32>, %d: tensor<?x?xf32>) -> index {
  %c1 = arith.constant 1 : index
  %0 = linalg_ext.diag ins(%v : tensor<?xf32>) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %r : index
}

// -----

// CHECK-LABEL: func.func @batch_matmul
//   CHECK-NOT:   linalg_ext
//       CHECK:   return %{{.*}}, %c6{{.*}} : index, index
func.func @batch_matmul(%a: tensor<?x?x?xf32>, %b: tensor<?x?x6xf32>, %c: tensor<?x?x6xf32>) -> (index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = linalg_ext.batch_matmul ins(%a, %b : tensor<?x?x?xf32>, tensor<?x?x6xf32>) outs(%c : tensor<?x?x6xf32>) -> tensor<?x?x6xf32>
  %m = tensor.dim %0, %c1 : tensor<?x?x6xf32>
  %n = tensor.dim %0, %c2 : tensor<?x?x6xf32>
  return %m, %n : index, index
}
