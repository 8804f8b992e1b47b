// A cache of unsigned bytes with a scale and a zero point of each token.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=675 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @token_zero_points(%q: tensor<1x3x5x16xf32>,
    %k: tensor<1x3x45x16xi8>,
    %k_scale: tensor<1x3x45x1xf32> {check.draw = "uniform 0.005 0.01"},
    %k_zero: tensor<1x3x45x1xf32> {check.draw = "uniform 100 156"},
    %v: tensor<1x3x45x16xi8>,
    %v_scale: tensor<1x3x45x1xf32> {check.draw = "uniform 0.005 0.01"},
    %v_zero: tensor<1x3x45x1xf32> {check.draw = "uniform 100 156"}) -> (tensor<1x3x5x16xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 0 : i64
  %cst3 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x3x45x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<1x3x45x16xi8>) outs(%0 : tensor<1x3x45x16xf32>) {
  ^bb0(%in: i8, %out: f32):
    %r = arith.uitofp %in : i8 to f32
    linalg.yield %r : f32
  } -> tensor<1x3x45x16xf32>
  %2 = tensor.empty() : tensor<1x3x45x16xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %k_zero : tensor<1x3x45x16xf32>, tensor<1x3x45x1xf32>) outs(%2 : tensor<1x3x45x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x45x16xf32>
  %4 = tensor.empty() : tensor<1x3x45x16xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %k_scale : tensor<1x3x45x16xf32>, tensor<1x3x45x1xf32>) outs(%4 : tensor<1x3x45x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x45x16xf32>
  %6 = tensor.empty() : tensor<1x3x45x16xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v : tensor<1x3x45x16xi8>) outs(%6 : tensor<1x3x45x16xf32>) {
  ^bb0(%in: i8, %out: f32):
    %r = arith.uitofp %in : i8 to f32
    linalg.yield %r : f32
  } -> tensor<1x3x45x16xf32>
  %8 = tensor.empty() : tensor<1x3x45x16xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %v_zero : tensor<1x3x45x16xf32>, tensor<1x3x45x1xf32>) outs(%8 : tensor<1x3x45x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x45x16xf32>
  %10 = tensor.empty() : tensor<1x3x45x16xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %v_scale : tensor<1x3x45x16xf32>, tensor<1x3x45x1xf32>) outs(%10 : tensor<1x3x45x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x45x16xf32>
  %12 = tensor.empty() : tensor<1x3x16x45xf32>
  %13 = linalg.transpose ins(%5 : tensor<1x3x45x16xf32>) outs(%12 : tensor<1x3x16x45xf32>) permutation = [0, 1, 3, 2]
  %14 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x5x16xf32> into tensor<3x5x16xf32>
  %15 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %16 = tensor.empty() : tensor<3x5x45xf32>
  %17 = linalg.fill ins(%cst0 : f32) outs(%16 : tensor<3x5x45xf32>) -> tensor<3x5x45xf32>
  %18 = linalg.batch_matmul ins(%14, %15 : tensor<3x5x16xf32>, tensor<3x16x45xf32>) outs(%17 : tensor<3x5x45xf32>) -> tensor<3x5x45xf32>
  %19 = tensor.expand_shape %18 [[0, 1], [2], [3]] output_shape [1, 3, 5, 45] : tensor<3x5x45xf32> into tensor<1x3x5x45xf32>
  %20 = tensor.empty() : tensor<1x3x5x45xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x3x5x45xf32>) outs(%20 : tensor<1x3x5x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x5x45xf32>
  %22 = tensor.empty() : tensor<1x3x5xi64>
  %23 = linalg.fill ins(%cst2 : i64) outs(%22 : tensor<1x3x5xi64>) -> tensor<1x3x5xi64>
  %24 = tensor.empty() : tensor<1x3x5xf32>
  %25 = linalg.fill ins(%cst3 : f32) outs(%24 : tensor<1x3x5xf32>) -> tensor<1x3x5xf32>
  %26:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x3x5x45xf32>) outs(%25, %23 : tensor<1x3x5xf32>, tensor<1x3x5xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x5xf32>, tensor<1x3x5xi64>)
  %27 = tensor.expand_shape %26#0 [[0], [1], [2, 3]] output_shape [1, 3, 5, 1] : tensor<1x3x5xf32> into tensor<1x3x5x1xf32>
  %28 = tensor.empty() : tensor<1x3x5x45xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %27 : tensor<1x3x5x45xf32>, tensor<1x3x5x1xf32>) outs(%28 : tensor<1x3x5x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x5x45xf32>
  %30 = tensor.empty() : tensor<1x3x5x45xf32>
  %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x3x5x45xf32>) outs(%30 : tensor<1x3x5x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x3x5x45xf32>
  %32 = tensor.empty() : tensor<1x3x5x1xf32>
  %33 = linalg.fill ins(%cst0 : f32) outs(%32 : tensor<1x3x5x1xf32>) -> tensor<1x3x5x1xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<1x3x5x45xf32>) outs(%33 : tensor<1x3x5x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x3x5x1xf32>
  %35 = tensor.empty() : tensor<1x3x5x45xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %34 : tensor<1x3x5x45xf32>, tensor<1x3x5x1xf32>) outs(%35 : tensor<1x3x5x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x5x45xf32>
  %37 = tensor.collapse_shape %36 [[0, 1], [2], [3]] : tensor<1x3x5x45xf32> into tensor<3x5x45xf32>
  %38 = tensor.collapse_shape %11 [[0, 1], [2], [3]] : tensor<1x3x45x16xf32> into tensor<3x45x16xf32>
  %39 = tensor.empty() : tensor<3x5x16xf32>
  %40 = linalg.fill ins(%cst0 : f32) outs(%39 : tensor<3x5x16xf32>) -> tensor<3x5x16xf32>
  %41 = linalg.batch_matmul ins(%37, %38 : tensor<3x5x45xf32>, tensor<3x45x16xf32>) outs(%40 : tensor<3x5x16xf32>) -> tensor<3x5x16xf32>
  %42 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [1, 3, 5, 16] : tensor<3x5x16xf32> into tensor<1x3x5x16xf32>
  return %42 : tensor<1x3x5x16xf32>
}
