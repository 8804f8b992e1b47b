// _softmax_backward_data.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>

func.func @softmax_backward(%arg_y: tensor<19x301xf32> {check.draw = "uniform 0 1"},
    %arg_dy: tensor<19x301xf32>) -> (tensor<19x301xf32>) {
  %c0 = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<19x301xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_dy, %arg_y : tensor<19x301xf32>, tensor<19x301xf32>) outs(%0 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %2 = tensor.empty() : tensor<19xf32>
  %3 = linalg.fill ins(%c0 : f32) outs(%2 : tensor<19xf32>) -> tensor<19xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<19x301xf32>) outs(%3 : tensor<19xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<19xf32>
  %5 = tensor.expand_shape %4 [[0, 1]] output_shape [19, 1] : tensor<19xf32> into tensor<19x1xf32>
  %6 = tensor.empty() : tensor<19x301xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_dy, %5 : tensor<19x301xf32>, tensor<19x1xf32>) outs(%6 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %8 = tensor.empty() : tensor<19x301xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %arg_y : tensor<19x301xf32>, tensor<19x301xf32>) outs(%8 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  return %9 : tensor<19x301xf32>
}
