// Bahdanau's attention: scores are sums of tanh of a query and a key. They are computed in the
// loop that reduces them.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=1170 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @additive_attention(%q: tensor<2x13x24xf32>,
    %k: tensor<2x45x24xf32>,
    %v: tensor<2x45x24xf32>,
    %u: tensor<24xf32>) -> (tensor<2x13x24xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %q [[0], [1, 2], [3]] output_shape [2, 13, 1, 24] : tensor<2x13x24xf32> into tensor<2x13x1x24xf32>
  %1 = tensor.expand_shape %k [[0, 1], [2], [3]] output_shape [2, 1, 45, 24] : tensor<2x45x24xf32> into tensor<2x1x45x24xf32>
  %2 = tensor.empty() : tensor<2x13x45x24xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %1 : tensor<2x13x1x24xf32>, tensor<2x1x45x24xf32>) outs(%2 : tensor<2x13x45x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %s = arith.addf %in, %in_1 : f32
    %r = math.tanh %s : f32
    linalg.yield %r : f32
  } -> tensor<2x13x45x24xf32>
  %4 = tensor.empty() : tensor<2x13x45x24xf32>
  %5 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %u : tensor<2x13x45x24xf32>, tensor<24xf32>) outs(%4 : tensor<2x13x45x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x13x45x24xf32>
  %6 = tensor.empty() : tensor<2x13x45xf32>
  %7 = linalg.fill ins(%cst0 : f32) outs(%6 : tensor<2x13x45xf32>) -> tensor<2x13x45xf32>
  %8 = linalg.generic {indexing_maps = [#map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<2x13x45x24xf32>) outs(%7 : tensor<2x13x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x13x45xf32>
  %9 = tensor.empty() : tensor<2x13x1xf32>
  %10 = linalg.fill ins(%cst1 : f32) outs(%9 : tensor<2x13x1xf32>) -> tensor<2x13x1xf32>
  %11 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<2x13x45xf32>) outs(%10 : tensor<2x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x13x1xf32>
  %12 = tensor.empty() : tensor<2x13x45xf32>
  %13 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %11 : tensor<2x13x45xf32>, tensor<2x13x1xf32>) outs(%12 : tensor<2x13x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x13x45xf32>
  %14 = tensor.empty() : tensor<2x13x45xf32>
  %15 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x13x45xf32>) outs(%14 : tensor<2x13x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<2x13x45xf32>
  %16 = tensor.empty() : tensor<2x13x1xf32>
  %17 = linalg.fill ins(%cst0 : f32) outs(%16 : tensor<2x13x1xf32>) -> tensor<2x13x1xf32>
  %18 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<2x13x45xf32>) outs(%17 : tensor<2x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x13x1xf32>
  %19 = tensor.empty() : tensor<2x13x45xf32>
  %20 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %18 : tensor<2x13x45xf32>, tensor<2x13x1xf32>) outs(%19 : tensor<2x13x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x13x45xf32>
  %21 = tensor.empty() : tensor<2x13x24xf32>
  %22 = linalg.fill ins(%cst0 : f32) outs(%21 : tensor<2x13x24xf32>) -> tensor<2x13x24xf32>
  %23 = linalg.batch_matmul ins(%20, %v : tensor<2x13x45xf32>, tensor<2x45x24xf32>) outs(%22 : tensor<2x13x24xf32>) -> tensor<2x13x24xf32>
  return %23 : tensor<2x13x24xf32>
}
