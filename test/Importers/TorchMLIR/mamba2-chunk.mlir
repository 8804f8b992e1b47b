// Mamba-2: a chunk as products that are masked with decays.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>

func.func @ssd_chunk(%x: tensor<1x3x40x16xf32>,
    %b: tensor<1x1x40x16xf32>,
    %c: tensor<1x1x40x16xf32>,
    %cum: tensor<1x3x40xf32> {check.draw = "uniform -4 0"}) -> (tensor<1x3x40x16xf32>) {
  %cst0 = arith.constant 0xFF800000 : f32
  %cst1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.expand_shape %cum [[0], [1], [2, 3]] output_shape [1, 3, 40, 1] : tensor<1x3x40xf32> into tensor<1x3x40x1xf32>
  %1 = tensor.expand_shape %cum [[0], [1], [2, 3]] output_shape [1, 3, 1, 40] : tensor<1x3x40xf32> into tensor<1x3x1x40xf32>
  %2 = tensor.empty() : tensor<1x3x40x40xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %1 : tensor<1x3x40x1xf32>, tensor<1x3x1x40xf32>) outs(%2 : tensor<1x3x40x40xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x40x40xf32>
  %4 = tensor.empty() : tensor<40xi64>
  %5 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%4 : tensor<40xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<40xi64>
  %6 = tensor.expand_shape %5 [[0, 1]] output_shape [40, 1] : tensor<40xi64> into tensor<40x1xi64>
  %7 = tensor.empty() : tensor<40xi64>
  %8 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%7 : tensor<40xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<40xi64>
  %9 = tensor.expand_shape %8 [[0, 1]] output_shape [1, 40] : tensor<40xi64> into tensor<1x40xi64>
  %10 = tensor.empty() : tensor<40x40xi1>
  %11 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%6, %9 : tensor<40x1xi64>, tensor<1x40xi64>) outs(%10 : tensor<40x40xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi sge, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<40x40xi1>
  %12 = tensor.empty() : tensor<1x3x40x40xf32>
  %13 = linalg.generic {indexing_maps = [#map7, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %3 : tensor<40x40xi1>, tensor<1x3x40x40xf32>) outs(%12 : tensor<1x3x40x40xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x40x40xf32>
  %14 = tensor.empty() : tensor<1x3x40x40xf32>
  %15 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x3x40x40xf32>) outs(%14 : tensor<1x3x40x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x3x40x40xf32>
  %16 = tensor.empty() : tensor<1x3x40x16xf32>
  %17 = linalg.generic {indexing_maps = [#map8, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x1x40x16xf32>) outs(%16 : tensor<1x3x40x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x40x16xf32>
  %18 = tensor.empty() : tensor<1x1x16x40xf32>
  %19 = linalg.transpose ins(%b : tensor<1x1x40x16xf32>) outs(%18 : tensor<1x1x16x40xf32>) permutation = [0, 1, 3, 2]
  %20 = tensor.empty() : tensor<1x3x16x40xf32>
  %21 = linalg.generic {indexing_maps = [#map8, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x1x16x40xf32>) outs(%20 : tensor<1x3x16x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x16x40xf32>
  %22 = tensor.collapse_shape %17 [[0, 1], [2], [3]] : tensor<1x3x40x16xf32> into tensor<3x40x16xf32>
  %23 = tensor.collapse_shape %21 [[0, 1], [2], [3]] : tensor<1x3x16x40xf32> into tensor<3x16x40xf32>
  %24 = tensor.empty() : tensor<3x40x40xf32>
  %25 = linalg.fill ins(%cst1 : f32) outs(%24 : tensor<3x40x40xf32>) -> tensor<3x40x40xf32>
  %26 = linalg.batch_matmul ins(%22, %23 : tensor<3x40x16xf32>, tensor<3x16x40xf32>) outs(%25 : tensor<3x40x40xf32>) -> tensor<3x40x40xf32>
  %27 = tensor.expand_shape %26 [[0, 1], [2], [3]] output_shape [1, 3, 40, 40] : tensor<3x40x40xf32> into tensor<1x3x40x40xf32>
  %28 = tensor.empty() : tensor<1x3x40x40xf32>
  %29 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %15 : tensor<1x3x40x40xf32>, tensor<1x3x40x40xf32>) outs(%28 : tensor<1x3x40x40xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x40x40xf32>
  %30 = tensor.collapse_shape %29 [[0, 1], [2], [3]] : tensor<1x3x40x40xf32> into tensor<3x40x40xf32>
  %31 = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<1x3x40x16xf32> into tensor<3x40x16xf32>
  %32 = tensor.empty() : tensor<3x40x16xf32>
  %33 = linalg.fill ins(%cst1 : f32) outs(%32 : tensor<3x40x16xf32>) -> tensor<3x40x16xf32>
  %34 = linalg.batch_matmul ins(%30, %31 : tensor<3x40x40xf32>, tensor<3x40x16xf32>) outs(%33 : tensor<3x40x16xf32>) -> tensor<3x40x16xf32>
  %35 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [1, 3, 40, 16] : tensor<3x40x16xf32> into tensor<1x3x40x16xf32>
  return %35 : tensor<1x3x40x16xf32>
}
