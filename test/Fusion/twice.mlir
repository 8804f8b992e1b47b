// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,8)"' \
// RUN:   --linalg-ext-tile-and-fuse='levels="for(0,0,4)"' 2>&1 | FileCheck %s

// The second call would finish what the first one already finishes.
// CHECK: error: cannot tile and fuse: 'linalg_ext.softmax' is cut already: expected all levels of one root to be given together

func.func @attention(%s: tensor<4x16xf32>, %v: tensor<16x2xf32>, %y: tensor<4x16xf32>, %m: tensor<4xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<4x16xf32>) outs(%y, %m, %m, %m : tensor<4x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %0 = linalg.matmul {linalg_ext.root} ins(%p#0, %v : tensor<4x16xf32>, tensor<16x2xf32>) outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
