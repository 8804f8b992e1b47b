// One query on 301 keys, grouped.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=2400 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @decode(%q: tensor<1x4x1x16xf16>,
                  %k: tensor<1x2x301x16xf16>,
                  %v: tensor<1x2x301x16xf16>) -> tensor<1x4x1x16xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %k [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 301, 16] : tensor<1x2x301x16xf16> into tensor<1x2x1x301x16xf16>
  %1 = tensor.empty() : tensor<1x2x2x301x16xf16>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<1x2x1x301x16xf16>) outs(%1 : tensor<1x2x2x301x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x2x2x301x16xf16>
  %3 = tensor.collapse_shape %2 [[0], [1, 2], [3], [4]] : tensor<1x2x2x301x16xf16> into tensor<1x4x301x16xf16>
  %4 = tensor.expand_shape %v [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 301, 16] : tensor<1x2x301x16xf16> into tensor<1x2x1x301x16xf16>
  %5 = tensor.empty() : tensor<1x2x2x301x16xf16>
  %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x2x1x301x16xf16>) outs(%5 : tensor<1x2x2x301x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x2x2x301x16xf16>
  %7 = tensor.collapse_shape %6 [[0], [1, 2], [3], [4]] : tensor<1x2x2x301x16xf16> into tensor<1x4x301x16xf16>
  %8 = tensor.empty() : tensor<1x4x16x301xf16>
  %9 = linalg.transpose ins(%3 : tensor<1x4x301x16xf16>) outs(%8 : tensor<1x4x16x301xf16>) permutation = [0, 1, 3, 2]
  %10 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x4x1x16xf16> into tensor<4x1x16xf16>
  %11 = tensor.collapse_shape %9 [[0, 1], [2], [3]] : tensor<1x4x16x301xf16> into tensor<4x16x301xf16>
  %12 = tensor.empty() : tensor<4x1x301xf32>
  %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<4x1x301xf32>) -> tensor<4x1x301xf32>
  %14 = linalg.batch_matmul ins(%10, %11 : tensor<4x1x16xf16>, tensor<4x16x301xf16>) outs(%13 : tensor<4x1x301xf32>) -> tensor<4x1x301xf32>
  %15 = tensor.empty() : tensor<4x1x301xf16>
  %16 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<4x1x301xf32>) outs(%15 : tensor<4x1x301xf16>) {
  ^bb0(%in: f32, %out: f16):
    %17 = arith.truncf %in : f32 to f16
    linalg.yield %17 : f16
  } -> tensor<4x1x301xf16>
  %18 = tensor.expand_shape %16 [[0, 1], [2], [3]] output_shape [1, 4, 1, 301] : tensor<4x1x301xf16> into tensor<1x4x1x301xf16>
  %19 = tensor.empty() : tensor<1x4x1x301xf16>
  %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x4x1x301xf16>) outs(%19 : tensor<1x4x1x301xf16>) {
  ^bb0(%in: f16, %out: f16):
    %21 = arith.truncf %cst_1 : f64 to f16
    %22 = arith.mulf %in, %21 : f16
    linalg.yield %22 : f16
  } -> tensor<1x4x1x301xf16>
  %23 = tensor.empty() : tensor<1x4x1x301xf32>
  %24 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x4x1x301xf16>) outs(%23 : tensor<1x4x1x301xf32>) {
  ^bb0(%in: f16, %out: f32):
    %25 = arith.extf %in : f16 to f32
    linalg.yield %25 : f32
  } -> tensor<1x4x1x301xf32>
  %26 = tensor.empty() : tensor<1x4x1xi64>
  %27 = linalg.fill ins(%cst_2 : i64) outs(%26 : tensor<1x4x1xi64>) -> tensor<1x4x1xi64>
  %28 = tensor.empty() : tensor<1x4x1xf32>
  %29 = linalg.fill ins(%cst_3 : f32) outs(%28 : tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
  %30:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<1x4x1x301xf32>) outs(%29, %27 : tensor<1x4x1xf32>, tensor<1x4x1xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %31 = linalg.index 3 : index
    %32 = arith.index_cast %31 : index to i64
    %33 = arith.maximumf %in, %out : f32
    %34 = arith.cmpf ogt, %in, %out : f32
    %35 = arith.select %34, %32, %out_1 : i64
    linalg.yield %33, %35 : f32, i64
  } -> (tensor<1x4x1xf32>, tensor<1x4x1xi64>)
  %36 = tensor.expand_shape %30#0 [[0], [1], [2, 3]] output_shape [1, 4, 1, 1] : tensor<1x4x1xf32> into tensor<1x4x1x1xf32>
  %37 = tensor.empty() : tensor<1x4x1x301xf32>
  %38 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %36 : tensor<1x4x1x301xf32>, tensor<1x4x1x1xf32>) outs(%37 : tensor<1x4x1x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %39 = arith.subf %in, %in_1 : f32
    linalg.yield %39 : f32
  } -> tensor<1x4x1x301xf32>
  %40 = tensor.empty() : tensor<1x4x1x301xf32>
  %41 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x4x1x301xf32>) outs(%40 : tensor<1x4x1x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = math.exp %in : f32
    linalg.yield %42 : f32
  } -> tensor<1x4x1x301xf32>
  %43 = tensor.empty() : tensor<1x4x1x1xf32>
  %44 = linalg.fill ins(%cst : f32) outs(%43 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %45 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41 : tensor<1x4x1x301xf32>) outs(%44 : tensor<1x4x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %46 = arith.addf %in, %out : f32
    linalg.yield %46 : f32
  } -> tensor<1x4x1x1xf32>
  %47 = tensor.empty() : tensor<1x4x1x301xf32>
  %48 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %45 : tensor<1x4x1x301xf32>, tensor<1x4x1x1xf32>) outs(%47 : tensor<1x4x1x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %49 = arith.divf %in, %in_1 : f32
    linalg.yield %49 : f32
  } -> tensor<1x4x1x301xf32>
  %50 = tensor.empty() : tensor<1x4x1x301xf16>
  %51 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<1x4x1x301xf32>) outs(%50 : tensor<1x4x1x301xf16>) {
  ^bb0(%in: f32, %out: f16):
    %52 = arith.truncf %in : f32 to f16
    linalg.yield %52 : f16
  } -> tensor<1x4x1x301xf16>
  %53 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<1x4x1x301xf16> into tensor<4x1x301xf16>
  %54 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<1x4x301x16xf16> into tensor<4x301x16xf16>
  %55 = tensor.empty() : tensor<4x1x16xf32>
  %56 = linalg.fill ins(%cst : f32) outs(%55 : tensor<4x1x16xf32>) -> tensor<4x1x16xf32>
  %57 = linalg.batch_matmul ins(%53, %54 : tensor<4x1x301xf16>, tensor<4x301x16xf16>) outs(%56 : tensor<4x1x16xf32>) -> tensor<4x1x16xf32>
  %58 = tensor.empty() : tensor<4x1x16xf16>
  %59 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<4x1x16xf32>) outs(%58 : tensor<4x1x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %60 = arith.truncf %in : f32 to f16
    linalg.yield %60 : f16
  } -> tensor<4x1x16xf16>
  %61 = tensor.expand_shape %59 [[0, 1], [2], [3]] output_shape [1, 4, 1, 16] : tensor<4x1x16xf16> into tensor<1x4x1x16xf16>
  return %61 : tensor<1x4x1x16xf16>
}
