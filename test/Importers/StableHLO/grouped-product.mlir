// Groups are a dimension of their own, along which the products repeat keys and values.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=5046 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map11 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d5, d4)>

func.func @gqa5(%q: tensor<1x2x3x29x16xf16>,
    %k: tensor<1x2x29x16xf16>,
    %v: tensor<1x2x29x16xf16>) -> (tensor<1x2x3x29x16xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x2x3x29x29xf32>
  %1 = linalg.fill ins(%cst0 : f32) outs(%0 : tensor<1x2x3x29x29xf32>) -> tensor<1x2x3x29x29xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<1x2x3x29x16xf16>, tensor<1x2x29x16xf16>) outs(%1 : tensor<1x2x3x29x29xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %xa = arith.extf %in : f16 to f32
    %xb = arith.extf %in_1 : f16 to f32
    %p = arith.mulf %xa, %xb : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x2x3x29x29xf32>
  %3 = tensor.empty() : tensor<1x2x3x29x29xf32>
  %4 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x2x3x29x29xf32>) outs(%3 : tensor<1x2x3x29x29xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x3x29x29xf32>
  %5 = tensor.empty() : tensor<29xi64>
  %6 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%5 : tensor<29xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<29xi64>
  %7 = tensor.expand_shape %6 [[0, 1]] output_shape [29, 1] : tensor<29xi64> into tensor<29x1xi64>
  %8 = tensor.empty() : tensor<29xi64>
  %9 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%8 : tensor<29xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<29xi64>
  %10 = tensor.expand_shape %9 [[0, 1]] output_shape [1, 29] : tensor<29xi64> into tensor<1x29xi64>
  %11 = tensor.empty() : tensor<29x29xi1>
  %12 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%7, %10 : tensor<29x1xi64>, tensor<1x29xi64>) outs(%11 : tensor<29x29xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi sge, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<29x29xi1>
  %13 = tensor.empty() : tensor<1x2x3x29x29xf32>
  %14 = linalg.generic {indexing_maps = [#map8, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%12, %4 : tensor<29x29xi1>, tensor<1x2x3x29x29xf32>) outs(%13 : tensor<1x2x3x29x29xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x3x29x29xf32>
  %15 = tensor.empty() : tensor<1x2x3x29xf32>
  %16 = linalg.fill ins(%cst2 : f32) outs(%15 : tensor<1x2x3x29xf32>) -> tensor<1x2x3x29xf32>
  %17 = linalg.generic {indexing_maps = [#map3, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<1x2x3x29x29xf32>) outs(%16 : tensor<1x2x3x29xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x3x29xf32>
  %18 = tensor.expand_shape %17 [[0], [1], [2], [3, 4]] output_shape [1, 2, 3, 29, 1] : tensor<1x2x3x29xf32> into tensor<1x2x3x29x1xf32>
  %19 = tensor.empty() : tensor<1x2x3x29x29xf32>
  %20 = linalg.generic {indexing_maps = [#map3, #map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%14, %18 : tensor<1x2x3x29x29xf32>, tensor<1x2x3x29x1xf32>) outs(%19 : tensor<1x2x3x29x29xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x3x29x29xf32>
  %21 = tensor.empty() : tensor<1x2x3x29x29xf32>
  %22 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x2x3x29x29xf32>) outs(%21 : tensor<1x2x3x29x29xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x3x29x29xf32>
  %23 = tensor.empty() : tensor<1x2x3x29xf32>
  %24 = linalg.fill ins(%cst0 : f32) outs(%23 : tensor<1x2x3x29xf32>) -> tensor<1x2x3x29xf32>
  %25 = linalg.generic {indexing_maps = [#map3, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<1x2x3x29x29xf32>) outs(%24 : tensor<1x2x3x29xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x3x29xf32>
  %26 = tensor.expand_shape %25 [[0], [1], [2], [3, 4]] output_shape [1, 2, 3, 29, 1] : tensor<1x2x3x29xf32> into tensor<1x2x3x29x1xf32>
  %27 = tensor.empty() : tensor<1x2x3x29x29xf32>
  %28 = linalg.generic {indexing_maps = [#map3, #map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22, %26 : tensor<1x2x3x29x29xf32>, tensor<1x2x3x29x1xf32>) outs(%27 : tensor<1x2x3x29x29xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x3x29x29xf32>
  %29 = tensor.empty() : tensor<1x2x3x29x29xf16>
  %30 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x2x3x29x29xf32>) outs(%29 : tensor<1x2x3x29x29xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x2x3x29x29xf16>
  %31 = tensor.empty() : tensor<1x2x3x29x16xf32>
  %32 = linalg.fill ins(%cst0 : f32) outs(%31 : tensor<1x2x3x29x16xf32>) -> tensor<1x2x3x29x16xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%30, %v : tensor<1x2x3x29x29xf16>, tensor<1x2x29x16xf16>) outs(%32 : tensor<1x2x3x29x16xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %xa = arith.extf %in : f16 to f32
    %xb = arith.extf %in_1 : f16 to f32
    %p = arith.mulf %xa, %xb : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x2x3x29x16xf32>
  return %33 : tensor<1x2x3x29x16xf32>
}
