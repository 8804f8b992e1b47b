// RUN: linalg-ext-opt %s --split-input-file --test-linalg-ext-plan='levels="for(0,0,0,4)"' -o /dev/null | FileCheck %s

// A reshape between the softmax and the root that leaves the rows alone.
// CHECK: fuse 'linalg_ext.softmax', partial
// CHECK: repair root 'linalg.batch_matmul': scale by the repair of 'linalg_ext.softmax'#0 along dims [1]
func.func @rows_kept(%x: tensor<6x8xf32>, %v: tensor<1x8x4xf32>, %y: tensor<6x8xf32>, %m: tensor<6xf32>, %o: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<6x8xf32>) outs(%y, %m, %m, %m : tensor<6x8xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<6x8xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  %p2 = tensor.expand_shape %p#0 [[0, 1], [2]] output_shape [1, 6, 8] : tensor<6x8xf32> into tensor<1x6x8xf32>
  %r = linalg.batch_matmul {linalg_ext.root} ins(%p2, %v : tensor<1x6x8xf32>, tensor<1x8x4xf32>) outs(%o : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %r : tensor<1x6x4xf32>
}

// -----

// CHECK: refused: 'tensor.expand_shape' between 'linalg_ext.softmax' and the root does not commute with the repair: a dimension along which the repair acts is merged or split (linalg-ext-fold-reshapes may take the reshape out of the way)
func.func @rows_split(%x: tensor<6x8xf32>, %v: tensor<2x8x4xf32>, %y: tensor<6x8xf32>, %m: tensor<6xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<6x8xf32>) outs(%y, %m, %m, %m : tensor<6x8xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<6x8xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  %p2 = tensor.expand_shape %p#0 [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  %r = linalg.batch_matmul {linalg_ext.root} ins(%p2, %v : tensor<2x3x8xf32>, tensor<2x8x4xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
