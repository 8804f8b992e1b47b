// Mixture of block attention: the mean keys of blocks tell which blocks a query sees. The gate is
// small, and is repeated for the keys of a block where scores are masked.

// RUN: linalg-ext-check-program %s --max-kernels=3 --max-buffer-bytes=832 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>

func.func @moba(%q: tensor<1x2x48x16xf32>,
    %k: tensor<1x2x48x16xf32>,
    %v: tensor<1x2x48x16xf32>,
    %kth: tensor<1x2x48x1xf32>) -> (tensor<1x2x48x16xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 8.000000e+00 : f32
  %cst2 = arith.constant 2.500000e-01 : f32
  %cst3 = arith.constant -1.000000e+30 : f32
  %cst4 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %k [[0], [1], [2, 3], [4]] output_shape [1, 2, 6, 8, 16] : tensor<1x2x48x16xf32> into tensor<1x2x6x8x16xf32>
  %1 = tensor.empty() : tensor<1x2x6x16xf32>
  %2 = linalg.fill ins(%cst0 : f32) outs(%1 : tensor<1x2x6x16xf32>) -> tensor<1x2x6x16xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]} ins(%0 : tensor<1x2x6x8x16xf32>) outs(%2 : tensor<1x2x6x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x6x16xf32>
  %4 = tensor.empty() : tensor<1x2x6x16xf32>
  %5 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x2x6x16xf32>) outs(%4 : tensor<1x2x6x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x6x16xf32>
  %6 = tensor.empty() : tensor<1x2x16x6xf32>
  %7 = linalg.transpose ins(%5 : tensor<1x2x6x16xf32>) outs(%6 : tensor<1x2x16x6xf32>) permutation = [0, 1, 3, 2]
  %8 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x2x48x16xf32> into tensor<2x48x16xf32>
  %9 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<1x2x16x6xf32> into tensor<2x16x6xf32>
  %10 = tensor.empty() : tensor<2x48x6xf32>
  %11 = linalg.fill ins(%cst0 : f32) outs(%10 : tensor<2x48x6xf32>) -> tensor<2x48x6xf32>
  %12 = linalg.batch_matmul ins(%8, %9 : tensor<2x48x16xf32>, tensor<2x16x6xf32>) outs(%11 : tensor<2x48x6xf32>) -> tensor<2x48x6xf32>
  %13 = tensor.expand_shape %12 [[0, 1], [2], [3]] output_shape [1, 2, 48, 6] : tensor<2x48x6xf32> into tensor<1x2x48x6xf32>
  %14 = tensor.empty() : tensor<1x2x48x6xi1>
  %15 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %kth : tensor<1x2x48x6xf32>, tensor<1x2x48x1xf32>) outs(%14 : tensor<1x2x48x6xi1>) {
  ^bb0(%in: f32, %in_1: f32, %out: i1):
    %r = arith.cmpf oge, %in, %in_1 : f32
    linalg.yield %r : i1
  } -> tensor<1x2x48x6xi1>
  %16 = tensor.empty() : tensor<1x2x48x6x8xi1>
  %17 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x2x48x6xi1>) outs(%16 : tensor<1x2x48x6x8xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<1x2x48x6x8xi1>
  %18 = tensor.collapse_shape %17 [[0], [1], [2], [3, 4]] : tensor<1x2x48x6x8xi1> into tensor<1x2x48x48xi1>
  %19 = tensor.empty() : tensor<1x2x16x48xf32>
  %20 = linalg.transpose ins(%k : tensor<1x2x48x16xf32>) outs(%19 : tensor<1x2x16x48xf32>) permutation = [0, 1, 3, 2]
  %21 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x2x48x16xf32> into tensor<2x48x16xf32>
  %22 = tensor.collapse_shape %20 [[0, 1], [2], [3]] : tensor<1x2x16x48xf32> into tensor<2x16x48xf32>
  %23 = tensor.empty() : tensor<2x48x48xf32>
  %24 = linalg.fill ins(%cst0 : f32) outs(%23 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
  %25 = linalg.batch_matmul ins(%21, %22 : tensor<2x48x16xf32>, tensor<2x16x48xf32>) outs(%24 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
  %26 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [1, 2, 48, 48] : tensor<2x48x48xf32> into tensor<1x2x48x48xf32>
  %27 = tensor.empty() : tensor<1x2x48x48xf32>
  %28 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x2x48x48xf32>) outs(%27 : tensor<1x2x48x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x48xf32>
  %29 = tensor.empty() : tensor<1x2x48x48xf32>
  %30 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %28 : tensor<1x2x48x48xi1>, tensor<1x2x48x48xf32>) outs(%29 : tensor<1x2x48x48xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c = arith.cmpi ule, %j, %i : index
    %a = arith.andi %c, %in : i1
    %r = arith.select %a, %in_1, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x48xf32>
  %31 = tensor.empty() : tensor<1x2x48x1xf32>
  %32 = linalg.fill ins(%cst4 : f32) outs(%31 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
  %33 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<1x2x48x48xf32>) outs(%32 : tensor<1x2x48x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x1xf32>
  %34 = tensor.empty() : tensor<1x2x48x48xf32>
  %35 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %33 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%34 : tensor<1x2x48x48xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x48xf32>
  %36 = tensor.empty() : tensor<1x2x48x48xf32>
  %37 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x2x48x48xf32>) outs(%36 : tensor<1x2x48x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x48xf32>
  %38 = tensor.empty() : tensor<1x2x48x1xf32>
  %39 = linalg.fill ins(%cst0 : f32) outs(%38 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
  %40 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<1x2x48x48xf32>) outs(%39 : tensor<1x2x48x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x1xf32>
  %41 = tensor.empty() : tensor<1x2x48x48xf32>
  %42 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %40 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%41 : tensor<1x2x48x48xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x48x48xf32>
  %43 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x2x48x48xf32> into tensor<2x48x48xf32>
  %44 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x2x48x16xf32> into tensor<2x48x16xf32>
  %45 = tensor.empty() : tensor<2x48x16xf32>
  %46 = linalg.fill ins(%cst0 : f32) outs(%45 : tensor<2x48x16xf32>) -> tensor<2x48x16xf32>
  %47 = linalg.batch_matmul ins(%43, %44 : tensor<2x48x48xf32>, tensor<2x48x16xf32>) outs(%46 : tensor<2x48x16xf32>) -> tensor<2x48x16xf32>
  %48 = tensor.expand_shape %47 [[0, 1], [2], [3]] output_shape [1, 2, 48, 16] : tensor<2x48x16xf32> into tensor<1x2x48x16xf32>
  return %48 : tensor<1x2x48x16xf32>
}
