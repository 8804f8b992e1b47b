// Attention on the channels of a picture: tokens are the last dimension of all.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=10086 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>

func.func @features_first(%qkv: tensor<2x144x41xf32>) -> (tensor<2x48x41xf32>) {
  %cst0 = arith.constant 2.500000e-01 : f32
  %cst1 = arith.constant 0.000000e+00 : f32
  %cst2 = arith.constant 0 : i64
  %cst3 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %qkv [[0], [1, 2, 3], [4]] output_shape [2, 3, 3, 16, 41] : tensor<2x144x41xf32> into tensor<2x3x3x16x41xf32>
  %1 = tensor.extract_slice %0[0, 0, 0, 0, 0] [2, 1, 3, 16, 41] [1, 1, 1, 1, 1] : tensor<2x3x3x16x41xf32> to tensor<2x1x3x16x41xf32>
  %2 = tensor.collapse_shape %1 [[0], [1, 2], [3], [4]] : tensor<2x1x3x16x41xf32> into tensor<2x3x16x41xf32>
  %3 = tensor.extract_slice %0[0, 1, 0, 0, 0] [2, 1, 3, 16, 41] [1, 1, 1, 1, 1] : tensor<2x3x3x16x41xf32> to tensor<2x1x3x16x41xf32>
  %4 = tensor.collapse_shape %3 [[0], [1, 2], [3], [4]] : tensor<2x1x3x16x41xf32> into tensor<2x3x16x41xf32>
  %5 = tensor.extract_slice %0[0, 2, 0, 0, 0] [2, 1, 3, 16, 41] [1, 1, 1, 1, 1] : tensor<2x3x3x16x41xf32> to tensor<2x1x3x16x41xf32>
  %6 = tensor.collapse_shape %5 [[0], [1, 2], [3], [4]] : tensor<2x1x3x16x41xf32> into tensor<2x3x16x41xf32>
  %7 = tensor.empty() : tensor<2x3x16x41xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x3x16x41xf32>) outs(%7 : tensor<2x3x16x41xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x16x41xf32>
  %9 = tensor.empty() : tensor<2x3x41x41xf32>
  %10 = linalg.fill ins(%cst1 : f32) outs(%9 : tensor<2x3x41x41xf32>) -> tensor<2x3x41x41xf32>
  %11 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%8, %4 : tensor<2x3x16x41xf32>, tensor<2x3x16x41xf32>) outs(%10 : tensor<2x3x41x41xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x41xf32>
  %12 = tensor.empty() : tensor<2x3x41xi64>
  %13 = linalg.fill ins(%cst2 : i64) outs(%12 : tensor<2x3x41xi64>) -> tensor<2x3x41xi64>
  %14 = tensor.empty() : tensor<2x3x41xf32>
  %15 = linalg.fill ins(%cst3 : f32) outs(%14 : tensor<2x3x41xf32>) -> tensor<2x3x41xf32>
  %16:2 = linalg.generic {indexing_maps = [#map, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%11 : tensor<2x3x41x41xf32>) outs(%15, %13 : tensor<2x3x41xf32>, tensor<2x3x41xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<2x3x41xf32>, tensor<2x3x41xi64>)
  %17 = tensor.expand_shape %16#0 [[0], [1], [2, 3]] output_shape [2, 3, 41, 1] : tensor<2x3x41xf32> into tensor<2x3x41x1xf32>
  %18 = tensor.empty() : tensor<2x3x41x41xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %17 : tensor<2x3x41x41xf32>, tensor<2x3x41x1xf32>) outs(%18 : tensor<2x3x41x41xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x41xf32>
  %20 = tensor.empty() : tensor<2x3x41x41xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x3x41x41xf32>) outs(%20 : tensor<2x3x41x41xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x41xf32>
  %22 = tensor.empty() : tensor<2x3x41x1xf32>
  %23 = linalg.fill ins(%cst1 : f32) outs(%22 : tensor<2x3x41x1xf32>) -> tensor<2x3x41x1xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<2x3x41x41xf32>) outs(%23 : tensor<2x3x41x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x1xf32>
  %25 = tensor.empty() : tensor<2x3x41x41xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<2x3x41x41xf32>, tensor<2x3x41x1xf32>) outs(%25 : tensor<2x3x41x41xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x41x41xf32>
  %27 = tensor.empty() : tensor<2x3x16x41xf32>
  %28 = linalg.fill ins(%cst1 : f32) outs(%27 : tensor<2x3x16x41xf32>) -> tensor<2x3x16x41xf32>
  %29 = linalg.generic {indexing_maps = [#map6, #map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%26, %6 : tensor<2x3x41x41xf32>, tensor<2x3x16x41xf32>) outs(%28 : tensor<2x3x16x41xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x3x16x41xf32>
  %30 = tensor.collapse_shape %29 [[0], [1, 2], [3]] : tensor<2x3x16x41xf32> into tensor<2x48x41xf32>
  return %30 : tensor<2x48x41xf32>
}
