// native_group_norm: a row has the channels of a group and the pixels.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>

func.func @group_norm(%arg_x: tensor<2x12x7x5xf32>,
    %arg_ga: tensor<12xf32>,
    %arg_be: tensor<12xf32>) -> (tensor<2x12x7x5xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 140.000000 : f32
  %c2 = arith.constant 1.000000e-05 : f32
  %0 = tensor.expand_shape %arg_x [[0], [1, 2], [3], [4]] output_shape [2, 3, 4, 7, 5] : tensor<2x12x7x5xf32> into tensor<2x3x4x7x5xf32>
  %1 = tensor.collapse_shape %0 [[0], [1], [2, 3, 4]] : tensor<2x3x4x7x5xf32> into tensor<2x3x140xf32>
  %2 = tensor.empty() : tensor<2x3xf32>
  %3 = linalg.fill ins(%c0 : f32) outs(%2 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x3x140xf32>) outs(%3 : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<2x3xf32>
  %5 = tensor.expand_shape %4 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xf32> into tensor<2x3x1xf32>
  %6 = tensor.empty() : tensor<2x3x1xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x3x1xf32>) outs(%6 : tensor<2x3x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.divf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<2x3x1xf32>
  %8 = tensor.empty() : tensor<2x3x140xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %7 : tensor<2x3x140xf32>, tensor<2x3x1xf32>) outs(%8 : tensor<2x3x140xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x3x140xf32>
  %10 = tensor.empty() : tensor<2x3x140xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<2x3x140xf32>, tensor<2x3x140xf32>) outs(%10 : tensor<2x3x140xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x3x140xf32>
  %12 = tensor.empty() : tensor<2x3xf32>
  %13 = linalg.fill ins(%c0 : f32) outs(%12 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<2x3x140xf32>) outs(%13 : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<2x3xf32>
  %15 = tensor.expand_shape %14 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xf32> into tensor<2x3x1xf32>
  %16 = tensor.empty() : tensor<2x3x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x3x1xf32>) outs(%16 : tensor<2x3x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.divf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<2x3x1xf32>
  %18 = tensor.empty() : tensor<2x3x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x3x1xf32>) outs(%18 : tensor<2x3x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.addf %in0, %c2 : f32
    linalg.yield %res : f32
  } -> tensor<2x3x1xf32>
  %20 = tensor.empty() : tensor<2x3x1xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<2x3x1xf32>) outs(%20 : tensor<2x3x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.rsqrt %in0 : f32
    linalg.yield %res : f32
  } -> tensor<2x3x1xf32>
  %22 = tensor.empty() : tensor<2x3x140xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %21 : tensor<2x3x140xf32>, tensor<2x3x1xf32>) outs(%22 : tensor<2x3x140xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x3x140xf32>
  %24 = tensor.expand_shape %23 [[0], [1], [2, 3, 4]] output_shape [2, 3, 4, 7, 5] : tensor<2x3x140xf32> into tensor<2x3x4x7x5xf32>
  %25 = tensor.collapse_shape %24 [[0], [1, 2], [3], [4]] : tensor<2x3x4x7x5xf32> into tensor<2x12x7x5xf32>
  %26 = tensor.expand_shape %arg_ga [[0, 1, 2]] output_shape [12, 1, 1] : tensor<12xf32> into tensor<12x1x1xf32>
  %27 = tensor.expand_shape %arg_be [[0, 1, 2]] output_shape [12, 1, 1] : tensor<12xf32> into tensor<12x1x1xf32>
  %28 = tensor.empty() : tensor<2x12x7x5xf32>
  %29 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %26 : tensor<2x12x7x5xf32>, tensor<12x1x1xf32>) outs(%28 : tensor<2x12x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x12x7x5xf32>
  %30 = tensor.empty() : tensor<2x12x7x5xf32>
  %31 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %27 : tensor<2x12x7x5xf32>, tensor<12x1x1xf32>) outs(%30 : tensor<2x12x7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<2x12x7x5xf32>
  return %31 : tensor<2x12x7x5xf32>
}
