// Triangle attention of an Evoformer: a bias of pairs, a mask that is added, a gate.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16 --targets=gpu

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @triangle(%q: tensor<3x33x32xf32>,
    %k: tensor<3x33x32xf32>,
    %v: tensor<3x33x32xf32>,
    %gate: tensor<3x33x32xf32>,
    %bias: tensor<33x33x2xf32>,
    %mask: tensor<3x33xf32> {check.draw = "uniform 0.5 1"}) -> (tensor<3x33x32xf32>) {
  %cst0 = arith.constant 1.000000e+00 : f32
  %cst1 = arith.constant 1.000000e+09 : f32
  %cst2 = arith.constant 1.000000e-08 : f32
  %cst3 = arith.constant 2.500000e-01 : f32
  %cst4 = arith.constant 0.000000e+00 : f32
  %cst5 = arith.constant 0 : i64
  %cst6 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<3x33xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%mask : tensor<3x33xf32>) outs(%0 : tensor<3x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.subf %in, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<3x33xf32>
  %2 = tensor.empty() : tensor<3x33xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<3x33xf32>) outs(%2 : tensor<3x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<3x33xf32>
  %4 = tensor.expand_shape %3 [[0], [1, 2, 3]] output_shape [3, 1, 1, 33] : tensor<3x33xf32> into tensor<3x1x1x33xf32>
  %5 = tensor.empty() : tensor<3x1x1x33xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<3x1x1x33xf32>) outs(%5 : tensor<3x1x1x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x1x33xf32>
  %7 = tensor.empty() : tensor<2x33x33xf32>
  %8 = linalg.transpose ins(%bias : tensor<33x33x2xf32>) outs(%7 : tensor<2x33x33xf32>) permutation = [2, 0, 1]
  %9 = tensor.expand_shape %8 [[0, 1], [2], [3]] output_shape [1, 2, 33, 33] : tensor<2x33x33xf32> into tensor<1x2x33x33xf32>
  %10 = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [3, 33, 2, 16] : tensor<3x33x32xf32> into tensor<3x33x2x16xf32>
  %11 = tensor.empty() : tensor<3x2x33x16xf32>
  %12 = linalg.transpose ins(%10 : tensor<3x33x2x16xf32>) outs(%11 : tensor<3x2x33x16xf32>) permutation = [0, 2, 1, 3]
  %13 = tensor.empty() : tensor<3x2x33x16xf32>
  %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<3x2x33x16xf32>) outs(%13 : tensor<3x2x33x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<3x2x33x16xf32>
  %15 = tensor.expand_shape %k [[0], [1], [2, 3]] output_shape [3, 33, 2, 16] : tensor<3x33x32xf32> into tensor<3x33x2x16xf32>
  %16 = tensor.empty() : tensor<3x2x33x16xf32>
  %17 = linalg.transpose ins(%15 : tensor<3x33x2x16xf32>) outs(%16 : tensor<3x2x33x16xf32>) permutation = [0, 2, 1, 3]
  %18 = tensor.empty() : tensor<3x2x16x33xf32>
  %19 = linalg.transpose ins(%17 : tensor<3x2x33x16xf32>) outs(%18 : tensor<3x2x16x33xf32>) permutation = [0, 1, 3, 2]
  %20 = tensor.collapse_shape %14 [[0, 1], [2], [3]] : tensor<3x2x33x16xf32> into tensor<6x33x16xf32>
  %21 = tensor.collapse_shape %19 [[0, 1], [2], [3]] : tensor<3x2x16x33xf32> into tensor<6x16x33xf32>
  %22 = tensor.empty() : tensor<6x33x33xf32>
  %23 = linalg.fill ins(%cst4 : f32) outs(%22 : tensor<6x33x33xf32>) -> tensor<6x33x33xf32>
  %24 = linalg.batch_matmul ins(%20, %21 : tensor<6x33x16xf32>, tensor<6x16x33xf32>) outs(%23 : tensor<6x33x33xf32>) -> tensor<6x33x33xf32>
  %25 = tensor.expand_shape %24 [[0, 1], [2], [3]] output_shape [3, 2, 33, 33] : tensor<6x33x33xf32> into tensor<3x2x33x33xf32>
  %26 = tensor.empty() : tensor<3x2x33x33xf32>
  %27 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %6 : tensor<3x2x33x33xf32>, tensor<3x1x1x33xf32>) outs(%26 : tensor<3x2x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<3x2x33x33xf32>
  %28 = tensor.empty() : tensor<3x2x33x33xf32>
  %29 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %9 : tensor<3x2x33x33xf32>, tensor<1x2x33x33xf32>) outs(%28 : tensor<3x2x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<3x2x33x33xf32>
  %30 = tensor.empty() : tensor<3x2x33xi64>
  %31 = linalg.fill ins(%cst5 : i64) outs(%30 : tensor<3x2x33xi64>) -> tensor<3x2x33xi64>
  %32 = tensor.empty() : tensor<3x2x33xf32>
  %33 = linalg.fill ins(%cst6 : f32) outs(%32 : tensor<3x2x33xf32>) -> tensor<3x2x33xf32>
  %34:2 = linalg.generic {indexing_maps = [#map1, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<3x2x33x33xf32>) outs(%33, %31 : tensor<3x2x33xf32>, tensor<3x2x33xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<3x2x33xf32>, tensor<3x2x33xi64>)
  %35 = tensor.expand_shape %34#0 [[0], [1], [2, 3]] output_shape [3, 2, 33, 1] : tensor<3x2x33xf32> into tensor<3x2x33x1xf32>
  %36 = tensor.empty() : tensor<3x2x33x33xf32>
  %37 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %35 : tensor<3x2x33x33xf32>, tensor<3x2x33x1xf32>) outs(%36 : tensor<3x2x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<3x2x33x33xf32>
  %38 = tensor.empty() : tensor<3x2x33x33xf32>
  %39 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<3x2x33x33xf32>) outs(%38 : tensor<3x2x33x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<3x2x33x33xf32>
  %40 = tensor.empty() : tensor<3x2x33x1xf32>
  %41 = linalg.fill ins(%cst4 : f32) outs(%40 : tensor<3x2x33x1xf32>) -> tensor<3x2x33x1xf32>
  %42 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<3x2x33x33xf32>) outs(%41 : tensor<3x2x33x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<3x2x33x1xf32>
  %43 = tensor.empty() : tensor<3x2x33x33xf32>
  %44 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %42 : tensor<3x2x33x33xf32>, tensor<3x2x33x1xf32>) outs(%43 : tensor<3x2x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<3x2x33x33xf32>
  %45 = tensor.expand_shape %v [[0], [1], [2, 3]] output_shape [3, 33, 2, 16] : tensor<3x33x32xf32> into tensor<3x33x2x16xf32>
  %46 = tensor.empty() : tensor<3x2x33x16xf32>
  %47 = linalg.transpose ins(%45 : tensor<3x33x2x16xf32>) outs(%46 : tensor<3x2x33x16xf32>) permutation = [0, 2, 1, 3]
  %48 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<3x2x33x33xf32> into tensor<6x33x33xf32>
  %49 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<3x2x33x16xf32> into tensor<6x33x16xf32>
  %50 = tensor.empty() : tensor<6x33x16xf32>
  %51 = linalg.fill ins(%cst4 : f32) outs(%50 : tensor<6x33x16xf32>) -> tensor<6x33x16xf32>
  %52 = linalg.batch_matmul ins(%48, %49 : tensor<6x33x33xf32>, tensor<6x33x16xf32>) outs(%51 : tensor<6x33x16xf32>) -> tensor<6x33x16xf32>
  %53 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [3, 2, 33, 16] : tensor<6x33x16xf32> into tensor<3x2x33x16xf32>
  %54 = tensor.empty() : tensor<3x33x2x16xf32>
  %55 = linalg.transpose ins(%53 : tensor<3x2x33x16xf32>) outs(%54 : tensor<3x33x2x16xf32>) permutation = [0, 2, 1, 3]
  %56 = tensor.collapse_shape %55 [[0], [1], [2, 3]] : tensor<3x33x2x16xf32> into tensor<3x33x32xf32>
  %57 = tensor.empty() : tensor<3x33x32xf32>
  %58 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%gate : tensor<3x33x32xf32>) outs(%57 : tensor<3x33x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %e = math.exp %n : f32
    %p = arith.addf %e, %cst0 : f32
    %r = arith.divf %cst0, %p : f32
    linalg.yield %r : f32
  } -> tensor<3x33x32xf32>
  %59 = tensor.empty() : tensor<3x33x32xf32>
  %60 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %58 : tensor<3x33x32xf32>, tensor<3x33x32xf32>) outs(%59 : tensor<3x33x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<3x33x32xf32>
  return %60 : tensor<3x33x32xf32>
}
