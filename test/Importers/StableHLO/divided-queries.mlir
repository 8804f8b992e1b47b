// Whisper: queries are divided by a root, heads stay behind tokens, the result is transposed.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=8320 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>

func.func @divided_queries(%q: tensor<1x43x48xf32>,
    %k: tensor<1x43x48xf32>,
    %v: tensor<1x43x48xf32>) -> (tensor<1x43x48xf32>) {
  %cst0 = arith.constant 4.000000e+00 : f32
  %cst1 = arith.constant 0.000000e+00 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [1, 43, 3, 16] : tensor<1x43x48xf32> into tensor<1x43x3x16xf32>
  %1 = tensor.expand_shape %k [[0], [1], [2, 3]] output_shape [1, 43, 3, 16] : tensor<1x43x48xf32> into tensor<1x43x3x16xf32>
  %2 = tensor.expand_shape %v [[0], [1], [2, 3]] output_shape [1, 43, 3, 16] : tensor<1x43x48xf32> into tensor<1x43x3x16xf32>
  %3 = tensor.empty() : tensor<1x43x3x16xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<1x43x3x16xf32>) outs(%3 : tensor<1x43x3x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<1x43x3x16xf32>
  %5 = tensor.empty() : tensor<1x3x43x43xf32>
  %6 = linalg.fill ins(%cst1 : f32) outs(%5 : tensor<1x3x43x43xf32>) -> tensor<1x3x43x43xf32>
  %7 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%4, %1 : tensor<1x43x3x16xf32>, tensor<1x43x3x16xf32>) outs(%6 : tensor<1x3x43x43xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x3x43x43xf32>
  %8 = tensor.empty() : tensor<1x3x43xf32>
  %9 = linalg.fill ins(%cst2 : f32) outs(%8 : tensor<1x3x43xf32>) -> tensor<1x3x43xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%7 : tensor<1x3x43x43xf32>) outs(%9 : tensor<1x3x43xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<1x3x43xf32>
  %11 = tensor.expand_shape %10 [[0], [1], [2, 3]] output_shape [1, 3, 43, 1] : tensor<1x3x43xf32> into tensor<1x3x43x1xf32>
  %12 = tensor.empty() : tensor<1x3x43x43xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %11 : tensor<1x3x43x43xf32>, tensor<1x3x43x1xf32>) outs(%12 : tensor<1x3x43x43xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x43x43xf32>
  %14 = tensor.empty() : tensor<1x3x43x43xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x3x43x43xf32>) outs(%14 : tensor<1x3x43x43xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x3x43x43xf32>
  %16 = tensor.empty() : tensor<1x3x43xf32>
  %17 = linalg.fill ins(%cst1 : f32) outs(%16 : tensor<1x3x43xf32>) -> tensor<1x3x43xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x3x43x43xf32>) outs(%17 : tensor<1x3x43xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<1x3x43xf32>
  %19 = tensor.expand_shape %18 [[0], [1], [2, 3]] output_shape [1, 3, 43, 1] : tensor<1x3x43xf32> into tensor<1x3x43x1xf32>
  %20 = tensor.empty() : tensor<1x3x43x43xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %19 : tensor<1x3x43x43xf32>, tensor<1x3x43x1xf32>) outs(%20 : tensor<1x3x43x43xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x43x43xf32>
  %22 = tensor.empty() : tensor<1x3x16x43xf32>
  %23 = linalg.fill ins(%cst1 : f32) outs(%22 : tensor<1x3x16x43xf32>) -> tensor<1x3x16x43xf32>
  %24 = linalg.generic {indexing_maps = [#map6, #map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%2, %21 : tensor<1x43x3x16xf32>, tensor<1x3x43x43xf32>) outs(%23 : tensor<1x3x16x43xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x3x16x43xf32>
  %25 = tensor.empty() : tensor<1x43x3x16xf32>
  %26 = linalg.transpose ins(%24 : tensor<1x3x16x43xf32>) outs(%25 : tensor<1x43x3x16xf32>) permutation = [0, 3, 1, 2]
  %27 = tensor.collapse_shape %26 [[0], [1], [2, 3]] : tensor<1x43x3x16xf32> into tensor<1x43x48xf32>
  return %27 : tensor<1x43x48xf32>
}
