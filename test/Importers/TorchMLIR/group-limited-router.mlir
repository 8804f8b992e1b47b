// A router of groups of experts: sigmoid scores of a product, the largest score of each group,
// and weights that are normalised over the experts that were chosen.

// RUN: linalg-ext-check-program %s --max-kernels=3 --max-buffer-bytes=6208

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>

func.func @deepseek_router(%x: tensor<37x48xf32>,
    %w: tensor<32x48xf32>,
    %bias: tensor<32xf32>,
    %keep: tensor<37x32xi1>) -> (tensor<37x32xf32>, tensor<37x4xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 1.000000e+00 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %cst3 = arith.constant 1.000000e-20 : f32
  %cst4 = arith.constant 2.500000e+00 : f32
  %0 = tensor.empty() : tensor<48x32xf32>
  %1 = linalg.transpose ins(%w : tensor<32x48xf32>) outs(%0 : tensor<48x32xf32>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<37x32xf32>
  %3 = linalg.fill ins(%cst0 : f32) outs(%2 : tensor<37x32xf32>) -> tensor<37x32xf32>
  %4 = linalg.matmul ins(%x, %1 : tensor<37x48xf32>, tensor<48x32xf32>) outs(%3 : tensor<37x32xf32>) -> tensor<37x32xf32>
  %5 = tensor.empty() : tensor<37x32xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<37x32xf32>) outs(%5 : tensor<37x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %e = math.exp %n : f32
    %p = arith.addf %e, %cst1 : f32
    %r = arith.divf %cst1, %p : f32
    linalg.yield %r : f32
  } -> tensor<37x32xf32>
  %7 = tensor.empty() : tensor<37x32xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %bias : tensor<37x32xf32>, tensor<32xf32>) outs(%7 : tensor<37x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<37x32xf32>
  %9 = tensor.expand_shape %8 [[0], [1, 2]] output_shape [37, 4, 8] : tensor<37x32xf32> into tensor<37x4x8xf32>
  %10 = tensor.empty() : tensor<37x4xf32>
  %11 = linalg.fill ins(%cst2 : f32) outs(%10 : tensor<37x4xf32>) -> tensor<37x4xf32>
  %12 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<37x4x8xf32>) outs(%11 : tensor<37x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<37x4xf32>
  %13 = tensor.empty() : tensor<37x32xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%keep, %6 : tensor<37x32xi1>, tensor<37x32xf32>) outs(%13 : tensor<37x32xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<37x32xf32>
  %15 = tensor.empty() : tensor<37x1xf32>
  %16 = linalg.fill ins(%cst0 : f32) outs(%15 : tensor<37x1xf32>) -> tensor<37x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "reduction"]} ins(%14 : tensor<37x32xf32>) outs(%16 : tensor<37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<37x1xf32>
  %18 = tensor.empty() : tensor<37x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<37x1xf32>) outs(%18 : tensor<37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<37x1xf32>
  %20 = tensor.empty() : tensor<37x32xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %19 : tensor<37x32xf32>, tensor<37x1xf32>) outs(%20 : tensor<37x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<37x32xf32>
  %22 = tensor.empty() : tensor<37x32xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<37x32xf32>) outs(%22 : tensor<37x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<37x32xf32>
  return %23, %12 : tensor<37x32xf32>, tensor<37x4xf32>
}
