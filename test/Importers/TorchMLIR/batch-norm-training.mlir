// Batch normalisation with statistics of the batch: a row has three dimensions
// that are not next to each other.

// RUN: linalg-ext-check-program %s --max-kernels=4 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>

func.func @batch_norm_training(%arg_x: tensor<3x11x7x5xf32>,
    %arg_ga: tensor<11xf32>,
    %arg_be: tensor<11xf32>) -> (tensor<3x11x7x5xf32>, tensor<1x11x1x1xf32>, tensor<1x11x1x1xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 105.000000 : f32
  %c2 = arith.constant 1.000000e-05 : f32
  %0 = tensor.empty() : tensor<11xf32>
  %1 = linalg.fill ins(%c0 : f32) outs(%0 : tensor<11xf32>) -> tensor<11xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%arg_x : tensor<3x11x7x5xf32>) outs(%1 : tensor<11xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<11xf32>
  %3 = tensor.expand_shape %2 [[0, 1, 2, 3]] output_shape [1, 11, 1, 1] : tensor<11xf32> into tensor<1x11x1x1xf32>
  %4 = tensor.empty() : tensor<1x11x1x1xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x11x1x1xf32>) outs(%4 : tensor<1x11x1x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.divf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<1x11x1x1xf32>
  %6 = tensor.empty() : tensor<3x11x7x5xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg_x, %5 : tensor<3x11x7x5xf32>, tensor<1x11x1x1xf32>) outs(%6 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  %8 = tensor.empty() : tensor<3x11x7x5xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %7 : tensor<3x11x7x5xf32>, tensor<3x11x7x5xf32>) outs(%8 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  %10 = tensor.empty() : tensor<11xf32>
  %11 = linalg.fill ins(%c0 : f32) outs(%10 : tensor<11xf32>) -> tensor<11xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%9 : tensor<3x11x7x5xf32>) outs(%11 : tensor<11xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<11xf32>
  %13 = tensor.expand_shape %12 [[0, 1, 2, 3]] output_shape [1, 11, 1, 1] : tensor<11xf32> into tensor<1x11x1x1xf32>
  %14 = tensor.empty() : tensor<1x11x1x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x11x1x1xf32>) outs(%14 : tensor<1x11x1x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.divf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<1x11x1x1xf32>
  %16 = tensor.expand_shape %arg_ga [[0, 1, 2]] output_shape [11, 1, 1] : tensor<11xf32> into tensor<11x1x1xf32>
  %17 = tensor.expand_shape %arg_be [[0, 1, 2]] output_shape [11, 1, 1] : tensor<11xf32> into tensor<11x1x1xf32>
  %18 = tensor.empty() : tensor<1x11x1x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x11x1x1xf32>) outs(%18 : tensor<1x11x1x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.addf %in0, %c2 : f32
    linalg.yield %res : f32
  } -> tensor<1x11x1x1xf32>
  %20 = tensor.empty() : tensor<1x11x1x1xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x11x1x1xf32>) outs(%20 : tensor<1x11x1x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.rsqrt %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x11x1x1xf32>
  %22 = tensor.empty() : tensor<3x11x7x5xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %21 : tensor<3x11x7x5xf32>, tensor<1x11x1x1xf32>) outs(%22 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  %24 = tensor.empty() : tensor<3x11x7x5xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %16 : tensor<3x11x7x5xf32>, tensor<11x1x1xf32>) outs(%24 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  %26 = tensor.empty() : tensor<3x11x7x5xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %17 : tensor<3x11x7x5xf32>, tensor<11x1x1xf32>) outs(%26 : tensor<3x11x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x11x7x5xf32>
  return %27, %5, %15 : tensor<3x11x7x5xf32>, tensor<1x11x1x1xf32>, tensor<1x11x1x1xf32>
}
