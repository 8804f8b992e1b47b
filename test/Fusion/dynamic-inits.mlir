// RUN: linalg-ext-opt %s -linalg-ext-tile-and-fuse='levels="for(1)for(0,0,5)"' | FileCheck %s

// That the sizes of the softmax's result (those of %y) are those of its input (%s)
// follows from the op only; the first level has to know it to fuse the softmax,
// or the second could not carry its state.

// CHECK-LABEL: func.func @attention
//       CHECK:   scf.for
//       CHECK:     scf.for
//  CHECK-SAME:       -> (tensor<1x?xf32>, tensor<1xf32>, tensor<1xf32>)
//       CHECK:       linalg_ext.softmax dimension(1) online delayed
func.func @attention(%s: tensor<?x?xf32>, %v: tensor<?x?xf32>, %y: tensor<?x?xf32>, %m: tensor<?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<?x?xf32>) outs(%y, %m, %m, %m : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  %0 = linalg.matmul {linalg_ext.root} ins(%p#0, %v : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
