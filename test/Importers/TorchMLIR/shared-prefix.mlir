// Prompts with a shared prefix: its keys and values are repeated for the batch, and those of each
// prompt are put behind them. Both are read where they are.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=464 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @shared_prefix(%q: tensor<4x3x2x16xf32>,
    %k_prefix: tensor<1x3x45x16xf32>,
    %v_prefix: tensor<1x3x45x16xf32>,
    %k: tensor<4x3x13x16xf32>,
    %v: tensor<4x3x13x16xf32>) -> (tensor<4x3x2x16xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<4x3x45x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k_prefix : tensor<1x3x45x16xf32>) outs(%0 : tensor<4x3x45x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x3x45x16xf32>
  %2 = tensor.concat dim(2) %1, %k : (tensor<4x3x45x16xf32>, tensor<4x3x13x16xf32>) -> tensor<4x3x58x16xf32>
  %3 = tensor.empty() : tensor<4x3x45x16xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v_prefix : tensor<1x3x45x16xf32>) outs(%3 : tensor<4x3x45x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x3x45x16xf32>
  %5 = tensor.concat dim(2) %4, %v : (tensor<4x3x45x16xf32>, tensor<4x3x13x16xf32>) -> tensor<4x3x58x16xf32>
  %6 = tensor.empty() : tensor<4x3x16x58xf32>
  %7 = linalg.transpose ins(%2 : tensor<4x3x58x16xf32>) outs(%6 : tensor<4x3x16x58xf32>) permutation = [0, 1, 3, 2]
  %8 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<4x3x2x16xf32> into tensor<12x2x16xf32>
  %9 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<4x3x16x58xf32> into tensor<12x16x58xf32>
  %10 = tensor.empty() : tensor<12x2x58xf32>
  %11 = linalg.fill ins(%cst0 : f32) outs(%10 : tensor<12x2x58xf32>) -> tensor<12x2x58xf32>
  %12 = linalg.batch_matmul ins(%8, %9 : tensor<12x2x16xf32>, tensor<12x16x58xf32>) outs(%11 : tensor<12x2x58xf32>) -> tensor<12x2x58xf32>
  %13 = tensor.expand_shape %12 [[0, 1], [2], [3]] output_shape [4, 3, 2, 58] : tensor<12x2x58xf32> into tensor<4x3x2x58xf32>
  %14 = tensor.empty() : tensor<4x3x2x58xf32>
  %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<4x3x2x58xf32>) outs(%14 : tensor<4x3x2x58xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<4x3x2x58xf32>
  %16 = tensor.empty() : tensor<4x3x2x1xf32>
  %17 = linalg.fill ins(%cst2 : f32) outs(%16 : tensor<4x3x2x1xf32>) -> tensor<4x3x2x1xf32>
  %18 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<4x3x2x58xf32>) outs(%17 : tensor<4x3x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<4x3x2x1xf32>
  %19 = tensor.empty() : tensor<4x3x2x58xf32>
  %20 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %18 : tensor<4x3x2x58xf32>, tensor<4x3x2x1xf32>) outs(%19 : tensor<4x3x2x58xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<4x3x2x58xf32>
  %21 = tensor.empty() : tensor<4x3x2x58xf32>
  %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<4x3x2x58xf32>) outs(%21 : tensor<4x3x2x58xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<4x3x2x58xf32>
  %23 = tensor.empty() : tensor<4x3x2x1xf32>
  %24 = linalg.fill ins(%cst0 : f32) outs(%23 : tensor<4x3x2x1xf32>) -> tensor<4x3x2x1xf32>
  %25 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<4x3x2x58xf32>) outs(%24 : tensor<4x3x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<4x3x2x1xf32>
  %26 = tensor.empty() : tensor<4x3x2x58xf32>
  %27 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %25 : tensor<4x3x2x58xf32>, tensor<4x3x2x1xf32>) outs(%26 : tensor<4x3x2x58xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<4x3x2x58xf32>
  %28 = tensor.collapse_shape %27 [[0, 1], [2], [3]] : tensor<4x3x2x58xf32> into tensor<12x2x58xf32>
  %29 = tensor.collapse_shape %5 [[0, 1], [2], [3]] : tensor<4x3x58x16xf32> into tensor<12x58x16xf32>
  %30 = tensor.empty() : tensor<12x2x16xf32>
  %31 = linalg.fill ins(%cst0 : f32) outs(%30 : tensor<12x2x16xf32>) -> tensor<12x2x16xf32>
  %32 = linalg.batch_matmul ins(%28, %29 : tensor<12x2x58xf32>, tensor<12x58x16xf32>) outs(%31 : tensor<12x2x16xf32>) -> tensor<12x2x16xf32>
  %33 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [4, 3, 2, 16] : tensor<12x2x16xf32> into tensor<4x3x2x16xf32>
  return %33 : tensor<4x3x2x16xf32>
}
