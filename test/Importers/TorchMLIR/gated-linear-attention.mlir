// Gated linear attention: a chunk with decays of each channel.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16 --targets=gpu

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>

func.func @gla_chunk(%q: tensor<1x2x33x16xf32>,
    %k: tensor<1x2x33x16xf32>,
    %v: tensor<1x2x33x16xf32>,
    %gate: tensor<1x2x33x16xf32> {check.draw = "uniform -1 0"}) -> (tensor<1x2x33x16xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x2x33x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%gate : tensor<1x2x33x16xf32>) outs(%0 : tensor<1x2x33x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x33x16xf32>
  %2 = tensor.empty() : tensor<1x2x33x16xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q, %1 : tensor<1x2x33x16xf32>, tensor<1x2x33x16xf32>) outs(%2 : tensor<1x2x33x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x33x16xf32>
  %4 = tensor.empty() : tensor<1x2x33x16xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%gate : tensor<1x2x33x16xf32>) outs(%4 : tensor<1x2x33x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x33x16xf32>
  %6 = tensor.empty() : tensor<1x2x33x16xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x2x33x16xf32>) outs(%6 : tensor<1x2x33x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x33x16xf32>
  %8 = tensor.empty() : tensor<1x2x33x16xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k, %7 : tensor<1x2x33x16xf32>, tensor<1x2x33x16xf32>) outs(%8 : tensor<1x2x33x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x33x16xf32>
  %10 = tensor.empty() : tensor<1x2x16x33xf32>
  %11 = linalg.transpose ins(%9 : tensor<1x2x33x16xf32>) outs(%10 : tensor<1x2x16x33xf32>) permutation = [0, 1, 3, 2]
  %12 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x2x33x16xf32> into tensor<2x33x16xf32>
  %13 = tensor.collapse_shape %11 [[0, 1], [2], [3]] : tensor<1x2x16x33xf32> into tensor<2x16x33xf32>
  %14 = tensor.empty() : tensor<2x33x33xf32>
  %15 = linalg.fill ins(%cst0 : f32) outs(%14 : tensor<2x33x33xf32>) -> tensor<2x33x33xf32>
  %16 = linalg.batch_matmul ins(%12, %13 : tensor<2x33x16xf32>, tensor<2x16x33xf32>) outs(%15 : tensor<2x33x33xf32>) -> tensor<2x33x33xf32>
  %17 = tensor.expand_shape %16 [[0, 1], [2], [3]] output_shape [1, 2, 33, 33] : tensor<2x33x33xf32> into tensor<1x2x33x33xf32>
  %18 = tensor.empty() : tensor<33xi64>
  %19 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%18 : tensor<33xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<33xi64>
  %20 = tensor.expand_shape %19 [[0, 1]] output_shape [33, 1] : tensor<33xi64> into tensor<33x1xi64>
  %21 = tensor.empty() : tensor<33xi64>
  %22 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%21 : tensor<33xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<33xi64>
  %23 = tensor.expand_shape %22 [[0, 1]] output_shape [1, 33] : tensor<33xi64> into tensor<1x33xi64>
  %24 = tensor.empty() : tensor<33x33xi1>
  %25 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%20, %23 : tensor<33x1xi64>, tensor<1x33xi64>) outs(%24 : tensor<33x33xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi sge, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<33x33xi1>
  %26 = tensor.empty() : tensor<1x2x33x33xf32>
  %27 = linalg.generic {indexing_maps = [#map5, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %17 : tensor<33x33xi1>, tensor<1x2x33x33xf32>) outs(%26 : tensor<1x2x33x33xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x33x33xf32>
  %28 = tensor.collapse_shape %27 [[0, 1], [2], [3]] : tensor<1x2x33x33xf32> into tensor<2x33x33xf32>
  %29 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x2x33x16xf32> into tensor<2x33x16xf32>
  %30 = tensor.empty() : tensor<2x33x16xf32>
  %31 = linalg.fill ins(%cst0 : f32) outs(%30 : tensor<2x33x16xf32>) -> tensor<2x33x16xf32>
  %32 = linalg.batch_matmul ins(%28, %29 : tensor<2x33x33xf32>, tensor<2x33x16xf32>) outs(%31 : tensor<2x33x16xf32>) -> tensor<2x33x16xf32>
  %33 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [1, 2, 33, 16] : tensor<2x33x16xf32> into tensor<1x2x33x16xf32>
  return %33 : tensor<1x2x33x16xf32>
}
