// One query a head on a padded cache, of which each sequence has a length; grouped.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7680 --max-kernels=2 \
// RUN:   --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @decode_lengths(%q: tensor<3x8x1x16xf16>,
                          %k: tensor<3x2x301x16xf16>,
                          %v: tensor<3x2x301x16xf16>,
                          %lengths: tensor<3xi64> {check.draw = "uniform 1 301"}) -> tensor<3x8x1x16xf16> {
  %cst = arith.constant 0.000000e+00 : f16
  %cst_1 = arith.constant 0xFC00 : f16
  %cst_2 = arith.constant 0.000000e+00 : f32
  %cst_3 = arith.constant 2.50000000000000000e-01 : f64
  %cst_4 = arith.constant 0 : i64
  %cst_5 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<301xi64>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<301xi64>) {
  ^bb0(%out: i64):
    %2 = linalg.index 0 : index
    %3 = arith.index_cast %2 : index to i64
    linalg.yield %3 : i64
  } -> tensor<301xi64>
  %4 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 301] : tensor<301xi64> into tensor<1x301xi64>
  %5 = tensor.expand_shape %lengths [[0, 1]] output_shape [3, 1] : tensor<3xi64> into tensor<3x1xi64>
  %6 = tensor.empty() : tensor<3x301xi1>
  %7 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%4, %5 : tensor<1x301xi64>, tensor<3x1xi64>) outs(%6 : tensor<3x301xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %8 = arith.cmpi slt, %in, %in_1 : i64
    linalg.yield %8 : i1
  } -> tensor<3x301xi1>
  %9 = tensor.empty() : tensor<3x301xf16>
  %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<3x301xi1>) outs(%9 : tensor<3x301xf16>) {
  ^bb0(%in: i1, %out: f16):
    %11 = arith.select %in, %cst, %cst_1 : f16
    linalg.yield %11 : f16
  } -> tensor<3x301xf16>
  %12 = tensor.expand_shape %10 [[0, 1, 2], [3]] output_shape [3, 1, 1, 301] : tensor<3x301xf16> into tensor<3x1x1x301xf16>
  %13 = tensor.expand_shape %k [[0], [1, 2], [3], [4]] output_shape [3, 2, 1, 301, 16] : tensor<3x2x301x16xf16> into tensor<3x2x1x301x16xf16>
  %14 = tensor.empty() : tensor<3x2x4x301x16xf16>
  %15 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<3x2x1x301x16xf16>) outs(%14 : tensor<3x2x4x301x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<3x2x4x301x16xf16>
  %16 = tensor.collapse_shape %15 [[0], [1, 2], [3], [4]] : tensor<3x2x4x301x16xf16> into tensor<3x8x301x16xf16>
  %17 = tensor.expand_shape %v [[0], [1, 2], [3], [4]] output_shape [3, 2, 1, 301, 16] : tensor<3x2x301x16xf16> into tensor<3x2x1x301x16xf16>
  %18 = tensor.empty() : tensor<3x2x4x301x16xf16>
  %19 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<3x2x1x301x16xf16>) outs(%18 : tensor<3x2x4x301x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<3x2x4x301x16xf16>
  %20 = tensor.collapse_shape %19 [[0], [1, 2], [3], [4]] : tensor<3x2x4x301x16xf16> into tensor<3x8x301x16xf16>
  %21 = tensor.empty() : tensor<3x8x16x301xf16>
  %22 = linalg.transpose ins(%16 : tensor<3x8x301x16xf16>) outs(%21 : tensor<3x8x16x301xf16>) permutation = [0, 1, 3, 2]
  %23 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<3x8x1x16xf16> into tensor<24x1x16xf16>
  %24 = tensor.collapse_shape %22 [[0, 1], [2], [3]] : tensor<3x8x16x301xf16> into tensor<24x16x301xf16>
  %25 = tensor.empty() : tensor<24x1x301xf32>
  %26 = linalg.fill ins(%cst_2 : f32) outs(%25 : tensor<24x1x301xf32>) -> tensor<24x1x301xf32>
  %27 = linalg.batch_matmul ins(%23, %24 : tensor<24x1x16xf16>, tensor<24x16x301xf16>) outs(%26 : tensor<24x1x301xf32>) -> tensor<24x1x301xf32>
  %28 = tensor.empty() : tensor<24x1x301xf16>
  %29 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<24x1x301xf32>) outs(%28 : tensor<24x1x301xf16>) {
  ^bb0(%in: f32, %out: f16):
    %30 = arith.truncf %in : f32 to f16
    linalg.yield %30 : f16
  } -> tensor<24x1x301xf16>
  %31 = tensor.expand_shape %29 [[0, 1], [2], [3]] output_shape [3, 8, 1, 301] : tensor<24x1x301xf16> into tensor<3x8x1x301xf16>
  %32 = tensor.empty() : tensor<3x8x1x301xf16>
  %33 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<3x8x1x301xf16>) outs(%32 : tensor<3x8x1x301xf16>) {
  ^bb0(%in: f16, %out: f16):
    %34 = arith.truncf %cst_3 : f64 to f16
    %35 = arith.mulf %in, %34 : f16
    linalg.yield %35 : f16
  } -> tensor<3x8x1x301xf16>
  %36 = tensor.empty() : tensor<3x8x1x301xf16>
  %37 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %12 : tensor<3x8x1x301xf16>, tensor<3x1x1x301xf16>) outs(%36 : tensor<3x8x1x301xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %38 = arith.addf %in, %in_1 : f16
    linalg.yield %38 : f16
  } -> tensor<3x8x1x301xf16>
  %39 = tensor.empty() : tensor<3x8x1x301xf32>
  %40 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<3x8x1x301xf16>) outs(%39 : tensor<3x8x1x301xf32>) {
  ^bb0(%in: f16, %out: f32):
    %41 = arith.extf %in : f16 to f32
    linalg.yield %41 : f32
  } -> tensor<3x8x1x301xf32>
  %42 = tensor.empty() : tensor<3x8x1xi64>
  %43 = linalg.fill ins(%cst_4 : i64) outs(%42 : tensor<3x8x1xi64>) -> tensor<3x8x1xi64>
  %44 = tensor.empty() : tensor<3x8x1xf32>
  %45 = linalg.fill ins(%cst_5 : f32) outs(%44 : tensor<3x8x1xf32>) -> tensor<3x8x1xf32>
  %46:2 = linalg.generic {indexing_maps = [#map7, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<3x8x1x301xf32>) outs(%45, %43 : tensor<3x8x1xf32>, tensor<3x8x1xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %47 = linalg.index 3 : index
    %48 = arith.index_cast %47 : index to i64
    %49 = arith.maximumf %in, %out : f32
    %50 = arith.cmpf ogt, %in, %out : f32
    %51 = arith.select %50, %48, %out_1 : i64
    linalg.yield %49, %51 : f32, i64
  } -> (tensor<3x8x1xf32>, tensor<3x8x1xi64>)
  %52 = tensor.expand_shape %46#0 [[0], [1], [2, 3]] output_shape [3, 8, 1, 1] : tensor<3x8x1xf32> into tensor<3x8x1x1xf32>
  %53 = tensor.empty() : tensor<3x8x1x301xf32>
  %54 = linalg.generic {indexing_maps = [#map7, #map10, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %52 : tensor<3x8x1x301xf32>, tensor<3x8x1x1xf32>) outs(%53 : tensor<3x8x1x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %55 = arith.subf %in, %in_1 : f32
    linalg.yield %55 : f32
  } -> tensor<3x8x1x301xf32>
  %56 = tensor.empty() : tensor<3x8x1x301xf32>
  %57 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<3x8x1x301xf32>) outs(%56 : tensor<3x8x1x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %58 = math.exp %in : f32
    linalg.yield %58 : f32
  } -> tensor<3x8x1x301xf32>
  %59 = tensor.empty() : tensor<3x8x1x1xf32>
  %60 = linalg.fill ins(%cst_2 : f32) outs(%59 : tensor<3x8x1x1xf32>) -> tensor<3x8x1x1xf32>
  %61 = linalg.generic {indexing_maps = [#map7, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%57 : tensor<3x8x1x301xf32>) outs(%60 : tensor<3x8x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.addf %in, %out : f32
    linalg.yield %62 : f32
  } -> tensor<3x8x1x1xf32>
  %63 = tensor.empty() : tensor<3x8x1x301xf32>
  %64 = linalg.generic {indexing_maps = [#map7, #map10, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %61 : tensor<3x8x1x301xf32>, tensor<3x8x1x1xf32>) outs(%63 : tensor<3x8x1x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %65 = arith.divf %in, %in_1 : f32
    linalg.yield %65 : f32
  } -> tensor<3x8x1x301xf32>
  %66 = tensor.empty() : tensor<3x8x1x301xf16>
  %67 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<3x8x1x301xf32>) outs(%66 : tensor<3x8x1x301xf16>) {
  ^bb0(%in: f32, %out: f16):
    %68 = arith.truncf %in : f32 to f16
    linalg.yield %68 : f16
  } -> tensor<3x8x1x301xf16>
  %69 = tensor.collapse_shape %67 [[0, 1], [2], [3]] : tensor<3x8x1x301xf16> into tensor<24x1x301xf16>
  %70 = tensor.collapse_shape %20 [[0, 1], [2], [3]] : tensor<3x8x301x16xf16> into tensor<24x301x16xf16>
  %71 = tensor.empty() : tensor<24x1x16xf32>
  %72 = linalg.fill ins(%cst_2 : f32) outs(%71 : tensor<24x1x16xf32>) -> tensor<24x1x16xf32>
  %73 = linalg.batch_matmul ins(%69, %70 : tensor<24x1x301xf16>, tensor<24x301x16xf16>) outs(%72 : tensor<24x1x16xf32>) -> tensor<24x1x16xf32>
  %74 = tensor.empty() : tensor<24x1x16xf16>
  %75 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<24x1x16xf32>) outs(%74 : tensor<24x1x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %76 = arith.truncf %in : f32 to f16
    linalg.yield %76 : f16
  } -> tensor<24x1x16xf16>
  %77 = tensor.expand_shape %75 [[0, 1], [2], [3]] output_shape [3, 8, 1, 16] : tensor<24x1x16xf16> into tensor<3x8x1x16xf16>
  return %77 : tensor<3x8x1x16xf16>
}
