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

// One that splits them, and one that merges them.
// CHECK: fuse 'linalg_ext.softmax', partial
// CHECK: repair root 'linalg.batch_matmul': scale by the repair of 'linalg_ext.softmax'#0 along dims [0 -> 0 x 1]
func.func @rows_split(%x: tensor<6x8xf32>, %v: tensor<2x8x4xf32>, %y: tensor<6x8xf32>, %m: tensor<6xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<6x8xf32>) outs(%y, %m, %m, %m : tensor<6x8xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<6x8xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  %p2 = tensor.expand_shape %p#0 [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  %r = linalg.batch_matmul {linalg_ext.root} ins(%p2, %v : tensor<2x3x8xf32>, tensor<2x8x4xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// -----

// CHECK: fuse 'linalg_ext.softmax', partial
// CHECK: repair root 'linalg.batch_matmul': scale by the repair of 'linalg_ext.softmax'#0 along dims [0 x 1 -> 0, 2 -> 1]
func.func @rows_merged(%x: tensor<2x3x5x8xf32>, %v: tensor<6x8x4xf32>, %y: tensor<2x3x5x8xf32>, %m: tensor<2x3x5xf32>, %o: tensor<6x5x4xf32>) -> tensor<6x5x4xf32> {
  %p:4 = linalg_ext.softmax dimension(3) ins(%x : tensor<2x3x5x8xf32>) outs(%y, %m, %m, %m : tensor<2x3x5x8xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5x8xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>
  %p2 = tensor.collapse_shape %p#0 [[0, 1], [2], [3]] : tensor<2x3x5x8xf32> into tensor<6x5x8xf32>
  %r = linalg.batch_matmul ins(%p2, %v : tensor<6x5x8xf32>, tensor<6x8x4xf32>) outs(%o : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
  return %r : tensor<6x5x4xf32>
}

// -----

// CHECK: refused: 'tensor.collapse_shape' between 'linalg_ext.softmax' and the root does not commute with the repair: rows that the repair tells apart are merged in another order than they have been split in
func.func @rows_in_another_order(%x: tensor<6x8xf32>, %v: tensor<1x8x4xf32>, %y: tensor<6x8xf32>, %m: tensor<6xf32>, %o: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<6x8xf32>) outs(%y, %m, %m, %m : tensor<6x8xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<6x8xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  %p2 = tensor.expand_shape %p#0 [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  %e = tensor.empty() : tensor<3x2x8xf32>
  %t = linalg.transpose ins(%p2 : tensor<2x3x8xf32>) outs(%e : tensor<3x2x8xf32>) permutation = [1, 0, 2]
  %p3 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<3x2x8xf32> into tensor<6x8xf32>
  %p4 = tensor.expand_shape %p3 [[0, 1], [2]] output_shape [1, 6, 8] : tensor<6x8xf32> into tensor<1x6x8xf32>
  %r = linalg.batch_matmul {linalg_ext.root} ins(%p4, %v : tensor<1x6x8xf32>, tensor<1x8x4xf32>) outs(%o : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %r : tensor<1x6x4xf32>
}
