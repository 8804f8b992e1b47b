// Speculative decoding, as in tree-decode, of sizes that are known at run time.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=2262 --keys=16 \
// RUN:   --sizes=1x3x13x16,1x3x45x16,1x3x45x16,1x3x13x16,1x3x13x16,13x13

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @tree_decode_dynamic(%q: tensor<1x3x?x16xf32>,
    %k_cache: tensor<1x3x?x16xf32>,
    %v_cache: tensor<1x3x?x16xf32>,
    %k_tree: tensor<1x3x?x16xf32>,
    %v_tree: tensor<1x3x?x16xf32>,
    %tree_mask: tensor<?x?xi1>) -> (tensor<1x3x?x16xf32>) {
  %cst0 = arith.constant 2 : index
  %cst1 = arith.constant 0.000000e+00 : f32
  %cst2 = arith.constant 2.500000e-01 : f32
  %cst3 = arith.constant 0xFF800000 : f32
  %M = tensor.dim %q, %cst0 : tensor<1x3x?x16xf32>
  %N = tensor.dim %k_cache, %cst0 : tensor<1x3x?x16xf32>
  %0 = tensor.empty(%N) : tensor<1x3x16x?xf32>
  %1 = linalg.transpose ins(%k_cache : tensor<1x3x?x16xf32>) outs(%0 : tensor<1x3x16x?xf32>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x?x16xf32> into tensor<3x?x16xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x16x?xf32> into tensor<3x16x?xf32>
  %4 = tensor.empty(%M, %N) : tensor<3x?x?xf32>
  %5 = linalg.fill ins(%cst1 : f32) outs(%4 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<3x?x16xf32>, tensor<3x16x?xf32>) outs(%5 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %7 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 3, %M, %N] : tensor<3x?x?xf32> into tensor<1x3x?x?xf32>
  %8 = tensor.empty(%M, %N) : tensor<1x3x?x?xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x3x?x?xf32>) outs(%8 : tensor<1x3x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %10 = tensor.empty(%M) : tensor<1x3x16x?xf32>
  %11 = linalg.transpose ins(%k_tree : tensor<1x3x?x16xf32>) outs(%10 : tensor<1x3x16x?xf32>) permutation = [0, 1, 3, 2]
  %12 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x?x16xf32> into tensor<3x?x16xf32>
  %13 = tensor.collapse_shape %11 [[0, 1], [2], [3]] : tensor<1x3x16x?xf32> into tensor<3x16x?xf32>
  %14 = tensor.empty(%M, %M) : tensor<3x?x?xf32>
  %15 = linalg.fill ins(%cst1 : f32) outs(%14 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %16 = linalg.batch_matmul ins(%12, %13 : tensor<3x?x16xf32>, tensor<3x16x?xf32>) outs(%15 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %17 = tensor.expand_shape %16 [[0, 1], [2], [3]] output_shape [1, 3, %M, %M] : tensor<3x?x?xf32> into tensor<1x3x?x?xf32>
  %18 = tensor.empty(%M, %M) : tensor<1x3x?x?xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x3x?x?xf32>) outs(%18 : tensor<1x3x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %20 = tensor.empty(%M, %M) : tensor<1x3x?x?xf32>
  %21 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%tree_mask, %19 : tensor<?x?xi1>, tensor<1x3x?x?xf32>) outs(%20 : tensor<1x3x?x?xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %22 = arith.addi %N, %M : index
  %23 = tensor.concat dim(3) %9, %21 : (tensor<1x3x?x?xf32>, tensor<1x3x?x?xf32>) -> tensor<1x3x?x?xf32>
  %24 = tensor.empty(%M) : tensor<1x3x?x1xf32>
  %25 = linalg.fill ins(%cst3 : f32) outs(%24 : tensor<1x3x?x1xf32>) -> tensor<1x3x?x1xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23 : tensor<1x3x?x?xf32>) outs(%25 : tensor<1x3x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %27 = tensor.empty(%M, %22) : tensor<1x3x?x?xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %26 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%27 : tensor<1x3x?x?xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %29 = tensor.empty(%M, %22) : tensor<1x3x?x?xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x3x?x?xf32>) outs(%29 : tensor<1x3x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %31 = tensor.empty(%M) : tensor<1x3x?x1xf32>
  %32 = linalg.fill ins(%cst1 : f32) outs(%31 : tensor<1x3x?x1xf32>) -> tensor<1x3x?x1xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<1x3x?x?xf32>) outs(%32 : tensor<1x3x?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %34 = tensor.empty(%M, %22) : tensor<1x3x?x?xf32>
  %35 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %33 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%34 : tensor<1x3x?x?xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %36 = arith.addi %N, %M : index
  %37 = tensor.concat dim(2) %v_cache, %v_tree : (tensor<1x3x?x16xf32>, tensor<1x3x?x16xf32>) -> tensor<1x3x?x16xf32>
  %38 = tensor.collapse_shape %35 [[0, 1], [2], [3]] : tensor<1x3x?x?xf32> into tensor<3x?x?xf32>
  %39 = tensor.collapse_shape %37 [[0, 1], [2], [3]] : tensor<1x3x?x16xf32> into tensor<3x?x16xf32>
  %40 = tensor.empty(%M) : tensor<3x?x16xf32>
  %41 = linalg.fill ins(%cst1 : f32) outs(%40 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %42 = linalg.batch_matmul ins(%38, %39 : tensor<3x?x?xf32>, tensor<3x?x16xf32>) outs(%41 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %43 = tensor.expand_shape %42 [[0, 1], [2], [3]] output_shape [1, 3, %M, 16] : tensor<3x?x16xf32> into tensor<1x3x?x16xf32>
  return %43 : tensor<1x3x?x16xf32>
}
