// The same in f16, and the weights are taken apart for values of the cache and of the tree.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=2262 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @tree_decode_slices(%q: tensor<1x3x13x16xf16>,
    %k_cache: tensor<1x3x45x16xf16>,
    %v_cache: tensor<1x3x45x16xf16>,
    %k_tree: tensor<1x3x13x16xf16>,
    %v_tree: tensor<1x3x13x16xf16>,
    %tree_mask: tensor<13x13xi1>) -> (tensor<1x3x13x16xf16>) {
  %cst0 = arith.constant 0.000000e+00 : f16
  %cst1 = arith.constant 2.500000e-01 : f16
  %cst2 = arith.constant 0xFC00 : f16
  %cst3 = arith.constant 0 : i64
  %cst4 = arith.constant 0xFF800000 : f32
  %cst5 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x3x16x45xf16>
  %1 = linalg.transpose ins(%k_cache : tensor<1x3x45x16xf16>) outs(%0 : tensor<1x3x16x45xf16>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x13x16xf16> into tensor<3x13x16xf16>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x16x45xf16> into tensor<3x16x45xf16>
  %4 = tensor.empty() : tensor<3x13x45xf16>
  %5 = linalg.fill ins(%cst0 : f16) outs(%4 : tensor<3x13x45xf16>) -> tensor<3x13x45xf16>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<3x13x16xf16>, tensor<3x16x45xf16>) outs(%5 : tensor<3x13x45xf16>) -> tensor<3x13x45xf16>
  %7 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 3, 13, 45] : tensor<3x13x45xf16> into tensor<1x3x13x45xf16>
  %8 = tensor.empty() : tensor<1x3x13x45xf16>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x3x13x45xf16>) outs(%8 : tensor<1x3x13x45xf16>) {
  ^bb0(%in: f16, %out: f16):
    %r = arith.mulf %in, %cst1 : f16
    linalg.yield %r : f16
  } -> tensor<1x3x13x45xf16>
  %10 = tensor.empty() : tensor<1x3x16x13xf16>
  %11 = linalg.transpose ins(%k_tree : tensor<1x3x13x16xf16>) outs(%10 : tensor<1x3x16x13xf16>) permutation = [0, 1, 3, 2]
  %12 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x13x16xf16> into tensor<3x13x16xf16>
  %13 = tensor.collapse_shape %11 [[0, 1], [2], [3]] : tensor<1x3x16x13xf16> into tensor<3x16x13xf16>
  %14 = tensor.empty() : tensor<3x13x13xf16>
  %15 = linalg.fill ins(%cst0 : f16) outs(%14 : tensor<3x13x13xf16>) -> tensor<3x13x13xf16>
  %16 = linalg.batch_matmul ins(%12, %13 : tensor<3x13x16xf16>, tensor<3x16x13xf16>) outs(%15 : tensor<3x13x13xf16>) -> tensor<3x13x13xf16>
  %17 = tensor.expand_shape %16 [[0, 1], [2], [3]] output_shape [1, 3, 13, 13] : tensor<3x13x13xf16> into tensor<1x3x13x13xf16>
  %18 = tensor.empty() : tensor<1x3x13x13xf16>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x3x13x13xf16>) outs(%18 : tensor<1x3x13x13xf16>) {
  ^bb0(%in: f16, %out: f16):
    %r = arith.mulf %in, %cst1 : f16
    linalg.yield %r : f16
  } -> tensor<1x3x13x13xf16>
  %20 = tensor.empty() : tensor<1x3x13x13xf16>
  %21 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%tree_mask, %19 : tensor<13x13xi1>, tensor<1x3x13x13xf16>) outs(%20 : tensor<1x3x13x13xf16>) {
  ^bb0(%in: i1, %in_1: f16, %out: f16):
    %r = arith.select %in, %in_1, %cst2 : f16
    linalg.yield %r : f16
  } -> tensor<1x3x13x13xf16>
  %22 = tensor.concat dim(3) %9, %21 : (tensor<1x3x13x45xf16>, tensor<1x3x13x13xf16>) -> tensor<1x3x13x58xf16>
  %23 = tensor.empty() : tensor<1x3x13x58xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x3x13x58xf16>) outs(%23 : tensor<1x3x13x58xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x3x13x58xf32>
  %25 = tensor.empty() : tensor<1x3x13xi64>
  %26 = linalg.fill ins(%cst3 : i64) outs(%25 : tensor<1x3x13xi64>) -> tensor<1x3x13xi64>
  %27 = tensor.empty() : tensor<1x3x13xf32>
  %28 = linalg.fill ins(%cst4 : f32) outs(%27 : tensor<1x3x13xf32>) -> tensor<1x3x13xf32>
  %29:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<1x3x13x58xf32>) outs(%28, %26 : tensor<1x3x13xf32>, tensor<1x3x13xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x13xf32>, tensor<1x3x13xi64>)
  %30 = tensor.expand_shape %29#0 [[0], [1], [2, 3]] output_shape [1, 3, 13, 1] : tensor<1x3x13xf32> into tensor<1x3x13x1xf32>
  %31 = tensor.empty() : tensor<1x3x13x58xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %30 : tensor<1x3x13x58xf32>, tensor<1x3x13x1xf32>) outs(%31 : tensor<1x3x13x58xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x13x58xf32>
  %33 = tensor.empty() : tensor<1x3x13x58xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x3x13x58xf32>) outs(%33 : tensor<1x3x13x58xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x3x13x58xf32>
  %35 = tensor.empty() : tensor<1x3x13x1xf32>
  %36 = linalg.fill ins(%cst5 : f32) outs(%35 : tensor<1x3x13x1xf32>) -> tensor<1x3x13x1xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x3x13x58xf32>) outs(%36 : tensor<1x3x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x3x13x1xf32>
  %38 = tensor.empty() : tensor<1x3x13x58xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %37 : tensor<1x3x13x58xf32>, tensor<1x3x13x1xf32>) outs(%38 : tensor<1x3x13x58xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x13x58xf32>
  %40 = tensor.empty() : tensor<1x3x13x58xf16>
  %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x3x13x58xf32>) outs(%40 : tensor<1x3x13x58xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x3x13x58xf16>
  %42 = tensor.extract_slice %41[0, 0, 0, 0] [1, 3, 13, 45] [1, 1, 1, 1] : tensor<1x3x13x58xf16> to tensor<1x3x13x45xf16>
  %43 = tensor.collapse_shape %42 [[0, 1], [2], [3]] : tensor<1x3x13x45xf16> into tensor<3x13x45xf16>
  %44 = tensor.collapse_shape %v_cache [[0, 1], [2], [3]] : tensor<1x3x45x16xf16> into tensor<3x45x16xf16>
  %45 = tensor.empty() : tensor<3x13x16xf16>
  %46 = linalg.fill ins(%cst0 : f16) outs(%45 : tensor<3x13x16xf16>) -> tensor<3x13x16xf16>
  %47 = linalg.batch_matmul ins(%43, %44 : tensor<3x13x45xf16>, tensor<3x45x16xf16>) outs(%46 : tensor<3x13x16xf16>) -> tensor<3x13x16xf16>
  %48 = tensor.expand_shape %47 [[0, 1], [2], [3]] output_shape [1, 3, 13, 16] : tensor<3x13x16xf16> into tensor<1x3x13x16xf16>
  %49 = tensor.extract_slice %41[0, 0, 0, 45] [1, 3, 13, 13] [1, 1, 1, 1] : tensor<1x3x13x58xf16> to tensor<1x3x13x13xf16>
  %50 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<1x3x13x13xf16> into tensor<3x13x13xf16>
  %51 = tensor.collapse_shape %v_tree [[0, 1], [2], [3]] : tensor<1x3x13x16xf16> into tensor<3x13x16xf16>
  %52 = tensor.empty() : tensor<3x13x16xf16>
  %53 = linalg.fill ins(%cst0 : f16) outs(%52 : tensor<3x13x16xf16>) -> tensor<3x13x16xf16>
  %54 = linalg.batch_matmul ins(%50, %51 : tensor<3x13x13xf16>, tensor<3x13x16xf16>) outs(%53 : tensor<3x13x16xf16>) -> tensor<3x13x16xf16>
  %55 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [1, 3, 13, 16] : tensor<3x13x16xf16> into tensor<1x3x13x16xf16>
  %56 = tensor.empty() : tensor<1x3x13x16xf16>
  %57 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %55 : tensor<1x3x13x16xf16>, tensor<1x3x13x16xf16>) outs(%56 : tensor<1x3x13x16xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %r = arith.addf %in, %in_1 : f16
    linalg.yield %r : f16
  } -> tensor<1x3x13x16xf16>
  return %57 : tensor<1x3x13x16xf16>
}
