// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,0,4)"' -o /dev/null | FileCheck %s

// Weights that are summed with values and from which the largest is chosen,
// too: the sum is the root.

// CHECK: root 'linalg.matmul'
// CHECK-NOT: repair root 'linalg.generic'

#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
func.func @both(%x: tensor<4x8xf32>, %v: tensor<8x2xf32>, %y: tensor<4x8xf32>, %m: tensor<4xf32>, %i: tensor<4xi64>, %o: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4xi64>) {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %m, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %0 = linalg.matmul ins(%p#0, %v : tensor<4x8xf32>, tensor<8x2xf32>) outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>
  %best:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%p#0 : tensor<4x8xf32>) outs(%m, %i : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %w: f32, %k: i64):
    %j = linalg.index 1 : index
    %jc = arith.index_cast %j : index to i64
    %better = arith.cmpf ogt, %in, %w : f32
    %nw = arith.select %better, %in, %w : f32
    %nk = arith.select %better, %jc, %k : i64
    linalg.yield %nw, %nk : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %0, %best#1 : tensor<4x2xf32>, tensor<4xi64>
}
