// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics --linalg-ext-tile-and-fuse='levels="for(0,3)"' -o %t

// What an arg-max may not be to be repaired.

#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>

// What it carries is a weight too, which the repair would have to scale.
func.func @carries_a_weight(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %m: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %m, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  // expected-error @+1 {{cannot be repaired after 'linalg_ext.softmax': what is carried with the accumulator, result 1, is not left alone by the repair}}
  %best:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%p#0 : tensor<4x8xf32>) outs(%m, %m : tensor<4xf32>, tensor<4xf32>) attrs = {linalg_ext.root} {
  ^bb0(%in: f32, %v: f32, %w: f32):
    %half = arith.constant 0.5 : f32
    %other = arith.mulf %in, %half : f32
    %better = arith.cmpf ogt, %in, %v : f32
    %nv = arith.maximumf %in, %v : f32
    %nw = arith.select %better, %other, %w : f32
    linalg.yield %nv, %nw : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %best#0, %best#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>

// The last of equal terms would win, which merged chunks do not know.
func.func @last_of_equals(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %m: tensor<4xf32>, %i: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %m, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  // expected-error @+1 {{expected the accumulation to be an arg-max or arg-min, got 2 results that are none}}
  %best:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%p#0 : tensor<4x8xf32>) outs(%m, %i : tensor<4xf32>, tensor<4xi64>) attrs = {linalg_ext.root} {
  ^bb0(%in: f32, %v: f32, %k: i64):
    %j = linalg.index 1 : index
    %jc = arith.index_cast %j : index to i64
    %better = arith.cmpf oge, %in, %v : f32
    %nv = arith.select %better, %in, %v : f32
    %nk = arith.select %better, %jc, %k : i64
    linalg.yield %nv, %nk : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %best#0, %best#1 : tensor<4xf32>, tensor<4xi64>
}

// -----

#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>

// The index does not go by the maximum.
func.func @another_comparison(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %m: tensor<4xf32>, %i: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %m, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  // expected-error @+1 {{expected the accumulation to be an arg-max or arg-min, got 2 results that are none}}
  %best:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%p#0 : tensor<4x8xf32>) outs(%m, %i : tensor<4xf32>, tensor<4xi64>) attrs = {linalg_ext.root} {
  ^bb0(%in: f32, %v: f32, %k: i64):
    %j = linalg.index 1 : index
    %jc = arith.index_cast %j : index to i64
    %worse = arith.cmpf olt, %in, %v : f32
    %nv = arith.maximumf %in, %v : f32
    %nk = arith.select %worse, %jc, %k : i64
    linalg.yield %nv, %nk : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %best#0, %best#1 : tensor<4xf32>, tensor<4xi64>
}
