// Log-sum-exp pooling over a sequence: what is reduced is not innermost.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>

func.func @log_sum_exp_pooling(%arg_x: tensor<2x37x19xf32>) -> (tensor<2x1x19xf32>) {
  %c0 = arith.constant 0xFF800000 : f32
  %c1 = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<2x19xf32>
  %1 = linalg.fill ins(%c0 : f32) outs(%0 : tensor<2x19xf32>) -> tensor<2x19xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "parallel"]} ins(%arg_x : tensor<2x37x19xf32>) outs(%1 : tensor<2x19xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.maximumf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<2x19xf32>
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [2, 1, 19] : tensor<2x19xf32> into tensor<2x1x19xf32>
  %4 = tensor.empty() : tensor<2x37x19xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg_x, %3 : tensor<2x37x19xf32>, tensor<2x1x19xf32>) outs(%4 : tensor<2x37x19xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x19xf32>
  %6 = tensor.empty() : tensor<2x37x19xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x37x19xf32>) outs(%6 : tensor<2x37x19xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<2x37x19xf32>
  %8 = tensor.empty() : tensor<2x19xf32>
  %9 = linalg.fill ins(%c1 : f32) outs(%8 : tensor<2x19xf32>) -> tensor<2x19xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "parallel"]} ins(%7 : tensor<2x37x19xf32>) outs(%9 : tensor<2x19xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<2x19xf32>
  %11 = tensor.expand_shape %10 [[0, 1], [2]] output_shape [2, 1, 19] : tensor<2x19xf32> into tensor<2x1x19xf32>
  %12 = tensor.empty() : tensor<2x1x19xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x1x19xf32>) outs(%12 : tensor<2x1x19xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.log %in0 : f32
    linalg.yield %res : f32
  } -> tensor<2x1x19xf32>
  %14 = tensor.empty() : tensor<2x1x19xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %3 : tensor<2x1x19xf32>, tensor<2x1x19xf32>) outs(%14 : tensor<2x1x19xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x1x19xf32>
  return %15 : tensor<2x1x19xf32>
}
