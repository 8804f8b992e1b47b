// A splat and a list as weights.

// RUN: linalg-ext-check-program %s

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2)>

func.func @splat_weights(%x: tensor<33x24xf32>) -> tensor<33x5x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = arith.constant dense<0.125> : tensor<24x40xf32>
  %1 = arith.constant dense<[0.5, -0.25, 1.0, 2.0, 0.0, 0.125, -1.0, 3.0]> : tensor<8xf32>
  %2 = tensor.empty() : tensor<33x40xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<33x40xf32>) -> tensor<33x40xf32>
  %4 = linalg.matmul ins(%x, %0 : tensor<33x24xf32>, tensor<24x40xf32>) outs(%3 : tensor<33x40xf32>) -> tensor<33x40xf32>
  %5 = tensor.expand_shape %4 [[0], [1, 2]] output_shape [33, 5, 8] : tensor<33x40xf32> into tensor<33x5x8xf32>
  %6 = tensor.empty() : tensor<33x5x8xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %1 : tensor<33x5x8xf32>, tensor<8xf32>) outs(%6 : tensor<33x5x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %8 = arith.addf %in, %in_1 : f32
    linalg.yield %8 : f32
  } -> tensor<33x5x8xf32>
  return %7 : tensor<33x5x8xf32>
}
