// RUN: linalg-ext-opt %s --linalg-ext-tile-to-workgroups='rows=16 max-row=64 row-tile=8' --canonicalize | FileCheck %s

// Rows that may be longer than a tile are reduced piece by piece.

// CHECK-LABEL: func @unknown_length
// CHECK:         scf.forall {{.*}} step (16)
// CHECK:           scf.for {{.*}} step %c8
// CHECK:             linalg.reduce
func.func @unknown_length(%x: tensor<50x?xf32>, %out: tensor<50xf32>) -> tensor<50xf32> {
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<50x?xf32>) outs(%out : tensor<50xf32>) dimensions = [1]
  return %0 : tensor<50xf32>
}
