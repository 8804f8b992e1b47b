// Speculative decoding: scores of the cache and masked scores of a tree of new tokens are put
// together for one softmax. Keys are put together instead, in the loop.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=2262 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @tree_decode(%q: tensor<1x3x13x16xf32>,
    %k_cache: tensor<1x3x45x16xf32>,
    %v_cache: tensor<1x3x45x16xf32>,
    %k_tree: tensor<1x3x13x16xf32>,
    %v_tree: tensor<1x3x13x16xf32>,
    %tree_mask: tensor<13x13xi1>) -> (tensor<1x3x13x16xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %cst3 = arith.constant 0 : i64
  %0 = tensor.empty() : tensor<1x3x16x45xf32>
  %1 = linalg.transpose ins(%k_cache : tensor<1x3x45x16xf32>) outs(%0 : tensor<1x3x16x45xf32>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x13x16xf32> into tensor<3x13x16xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %4 = tensor.empty() : tensor<3x13x45xf32>
  %5 = linalg.fill ins(%cst0 : f32) outs(%4 : tensor<3x13x45xf32>) -> tensor<3x13x45xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<3x13x16xf32>, tensor<3x16x45xf32>) outs(%5 : tensor<3x13x45xf32>) -> tensor<3x13x45xf32>
  %7 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 3, 13, 45] : tensor<3x13x45xf32> into tensor<1x3x13x45xf32>
  %8 = tensor.empty() : tensor<1x3x13x45xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x3x13x45xf32>) outs(%8 : tensor<1x3x13x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x13x45xf32>
  %10 = tensor.empty() : tensor<1x3x16x13xf32>
  %11 = linalg.transpose ins(%k_tree : tensor<1x3x13x16xf32>) outs(%10 : tensor<1x3x16x13xf32>) permutation = [0, 1, 3, 2]
  %12 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x13x16xf32> into tensor<3x13x16xf32>
  %13 = tensor.collapse_shape %11 [[0, 1], [2], [3]] : tensor<1x3x16x13xf32> into tensor<3x16x13xf32>
  %14 = tensor.empty() : tensor<3x13x13xf32>
  %15 = linalg.fill ins(%cst0 : f32) outs(%14 : tensor<3x13x13xf32>) -> tensor<3x13x13xf32>
  %16 = linalg.batch_matmul ins(%12, %13 : tensor<3x13x16xf32>, tensor<3x16x13xf32>) outs(%15 : tensor<3x13x13xf32>) -> tensor<3x13x13xf32>
  %17 = tensor.expand_shape %16 [[0, 1], [2], [3]] output_shape [1, 3, 13, 13] : tensor<3x13x13xf32> into tensor<1x3x13x13xf32>
  %18 = tensor.empty() : tensor<1x3x13x13xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x3x13x13xf32>) outs(%18 : tensor<1x3x13x13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x13x13xf32>
  %20 = tensor.empty() : tensor<1x3x13x13xf32>
  %21 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%tree_mask, %19 : tensor<13x13xi1>, tensor<1x3x13x13xf32>) outs(%20 : tensor<1x3x13x13xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x13x13xf32>
  %22 = tensor.concat dim(3) %9, %21 : (tensor<1x3x13x45xf32>, tensor<1x3x13x13xf32>) -> tensor<1x3x13x58xf32>
  %23 = tensor.empty() : tensor<1x3x13xi64>
  %24 = linalg.fill ins(%cst3 : i64) outs(%23 : tensor<1x3x13xi64>) -> tensor<1x3x13xi64>
  %25 = tensor.empty() : tensor<1x3x13xf32>
  %26 = linalg.fill ins(%cst2 : f32) outs(%25 : tensor<1x3x13xf32>) -> tensor<1x3x13xf32>
  %27:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<1x3x13x58xf32>) outs(%26, %24 : tensor<1x3x13xf32>, tensor<1x3x13xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x13xf32>, tensor<1x3x13xi64>)
  %28 = tensor.expand_shape %27#0 [[0], [1], [2, 3]] output_shape [1, 3, 13, 1] : tensor<1x3x13xf32> into tensor<1x3x13x1xf32>
  %29 = tensor.empty() : tensor<1x3x13x58xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %28 : tensor<1x3x13x58xf32>, tensor<1x3x13x1xf32>) outs(%29 : tensor<1x3x13x58xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x13x58xf32>
  %31 = tensor.empty() : tensor<1x3x13x58xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x3x13x58xf32>) outs(%31 : tensor<1x3x13x58xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x3x13x58xf32>
  %33 = tensor.empty() : tensor<1x3x13x1xf32>
  %34 = linalg.fill ins(%cst0 : f32) outs(%33 : tensor<1x3x13x1xf32>) -> tensor<1x3x13x1xf32>
  %35 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%32 : tensor<1x3x13x58xf32>) outs(%34 : tensor<1x3x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x3x13x1xf32>
  %36 = tensor.empty() : tensor<1x3x13x58xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %35 : tensor<1x3x13x58xf32>, tensor<1x3x13x1xf32>) outs(%36 : tensor<1x3x13x58xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x13x58xf32>
  %38 = tensor.concat dim(2) %v_cache, %v_tree : (tensor<1x3x45x16xf32>, tensor<1x3x13x16xf32>) -> tensor<1x3x58x16xf32>
  %39 = tensor.collapse_shape %37 [[0, 1], [2], [3]] : tensor<1x3x13x58xf32> into tensor<3x13x58xf32>
  %40 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x3x58x16xf32> into tensor<3x58x16xf32>
  %41 = tensor.empty() : tensor<3x13x16xf32>
  %42 = linalg.fill ins(%cst0 : f32) outs(%41 : tensor<3x13x16xf32>) -> tensor<3x13x16xf32>
  %43 = linalg.batch_matmul ins(%39, %40 : tensor<3x13x58xf32>, tensor<3x58x16xf32>) outs(%42 : tensor<3x13x16xf32>) -> tensor<3x13x16xf32>
  %44 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [1, 3, 13, 16] : tensor<3x13x16xf32> into tensor<1x3x13x16xf32>
  return %44 : tensor<1x3x13x16xf32>
}
