// A norm of each head behind attention (differential transformers, RetNet).

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7168 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d3)>

func.func @head_norm_after_attention(%q: tensor<1x3x37x16xf16>,
    %k: tensor<1x3x37x16xf16>,
    %v: tensor<1x3x37x16xf16>,
    %gamma: tensor<16xf16>) -> tensor<1x37x48xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %cst_4 = arith.constant 2 : i64
  %cst_5 = arith.constant 1.60000000000000000e+01 : f64
  %cst_6 = arith.constant 9.99999999999999955e-07 : f64
  %cst_7 = arith.constant 2.00000000000000011e-01 : f64
  %0 = tensor.empty() : tensor<1x3x16x37xf16>
  %1 = linalg.transpose ins(%k : tensor<1x3x37x16xf16>) outs(%0 : tensor<1x3x16x37xf16>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xf16> into tensor<3x37x16xf16>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x16x37xf16> into tensor<3x16x37xf16>
  %4 = tensor.empty() : tensor<3x37x37xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<3x37x16xf16>, tensor<3x16x37xf16>) outs(%5 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %7 = tensor.empty() : tensor<3x37x37xf16>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<3x37x37xf32>) outs(%7 : tensor<3x37x37xf16>) {
  ^bb0(%in: f32, %out: f16):
    %9 = arith.truncf %in : f32 to f16
    linalg.yield %9 : f16
  } -> tensor<3x37x37xf16>
  %10 = tensor.expand_shape %8 [[0, 1], [2], [3]] output_shape [1, 3, 37, 37] : tensor<3x37x37xf16> into tensor<1x3x37x37xf16>
  %11 = tensor.empty() : tensor<1x3x37x37xf16>
  %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x3x37x37xf16>) outs(%11 : tensor<1x3x37x37xf16>) {
  ^bb0(%in: f16, %out: f16):
    %13 = arith.truncf %cst_1 : f64 to f16
    %14 = arith.mulf %in, %13 : f16
    linalg.yield %14 : f16
  } -> tensor<1x3x37x37xf16>
  %15 = tensor.empty() : tensor<1x3x37x37xf32>
  %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x3x37x37xf16>) outs(%15 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f16, %out: f32):
    %17 = arith.extf %in : f16 to f32
    linalg.yield %17 : f32
  } -> tensor<1x3x37x37xf32>
  %18 = tensor.empty() : tensor<1x3x37xi64>
  %19 = linalg.fill ins(%cst_2 : i64) outs(%18 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %20 = tensor.empty() : tensor<1x3x37xf32>
  %21 = linalg.fill ins(%cst_3 : f32) outs(%20 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %22:2 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<1x3x37x37xf32>) outs(%21, %19 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %23 = linalg.index 3 : index
    %24 = arith.index_cast %23 : index to i64
    %25 = arith.maximumf %in, %out : f32
    %26 = arith.cmpf ogt, %in, %out : f32
    %27 = arith.select %26, %24, %out_1 : i64
    linalg.yield %25, %27 : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %28 = tensor.expand_shape %22#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %29 = tensor.empty() : tensor<1x3x37x37xf32>
  %30 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %28 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%29 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %31 = arith.subf %in, %in_1 : f32
    linalg.yield %31 : f32
  } -> tensor<1x3x37x37xf32>
  %32 = tensor.empty() : tensor<1x3x37x37xf32>
  %33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x3x37x37xf32>) outs(%32 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = math.exp %in : f32
    linalg.yield %34 : f32
  } -> tensor<1x3x37x37xf32>
  %35 = tensor.empty() : tensor<1x3x37x1xf32>
  %36 = linalg.fill ins(%cst : f32) outs(%35 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %37 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x3x37x37xf32>) outs(%36 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.addf %in, %out : f32
    linalg.yield %38 : f32
  } -> tensor<1x3x37x1xf32>
  %39 = tensor.empty() : tensor<1x3x37x37xf32>
  %40 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %37 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%39 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %41 = arith.divf %in, %in_1 : f32
    linalg.yield %41 : f32
  } -> tensor<1x3x37x37xf32>
  %42 = tensor.empty() : tensor<1x3x37x37xf16>
  %43 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x3x37x37xf32>) outs(%42 : tensor<1x3x37x37xf16>) {
  ^bb0(%in: f32, %out: f16):
    %44 = arith.truncf %in : f32 to f16
    linalg.yield %44 : f16
  } -> tensor<1x3x37x37xf16>
  %45 = tensor.collapse_shape %43 [[0, 1], [2], [3]] : tensor<1x3x37x37xf16> into tensor<3x37x37xf16>
  %46 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x37x16xf16> into tensor<3x37x16xf16>
  %47 = tensor.empty() : tensor<3x37x16xf32>
  %48 = linalg.fill ins(%cst : f32) outs(%47 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %49 = linalg.batch_matmul ins(%45, %46 : tensor<3x37x37xf16>, tensor<3x37x16xf16>) outs(%48 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %50 = tensor.empty() : tensor<3x37x16xf16>
  %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49 : tensor<3x37x16xf32>) outs(%50 : tensor<3x37x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %52 = arith.truncf %in : f32 to f16
    linalg.yield %52 : f16
  } -> tensor<3x37x16xf16>
  %53 = tensor.expand_shape %51 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf16> into tensor<1x3x37x16xf16>
  %54 = tensor.empty() : tensor<1x3x37x16xf32>
  %55 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x3x37x16xf16>) outs(%54 : tensor<1x3x37x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %56 = arith.extf %in : f16 to f32
    linalg.yield %56 : f32
  } -> tensor<1x3x37x16xf32>
  %57 = tensor.empty() : tensor<1x3x37x16xf32>
  %58 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<1x3x37x16xf32>) outs(%57 : tensor<1x3x37x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %59 = math.fpowi %in, %cst_4 : f32, i64
    linalg.yield %59 : f32
  } -> tensor<1x3x37x16xf32>
  %60 = tensor.empty() : tensor<1x3x37x1xf32>
  %61 = linalg.fill ins(%cst : f32) outs(%60 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %62 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%58 : tensor<1x3x37x16xf32>) outs(%61 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %63 = arith.addf %in, %out : f32
    linalg.yield %63 : f32
  } -> tensor<1x3x37x1xf32>
  %64 = tensor.empty() : tensor<1x3x37x1xf32>
  %65 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x3x37x1xf32>) outs(%64 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %66 = arith.truncf %cst_5 : f64 to f32
    %67 = arith.divf %in, %66 : f32
    linalg.yield %67 : f32
  } -> tensor<1x3x37x1xf32>
  %68 = tensor.empty() : tensor<1x3x37x1xf32>
  %69 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<1x3x37x1xf32>) outs(%68 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %70 = arith.truncf %cst_6 : f64 to f32
    %71 = arith.addf %in, %70 : f32
    linalg.yield %71 : f32
  } -> tensor<1x3x37x1xf32>
  %72 = tensor.empty() : tensor<1x3x37x1xf32>
  %73 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x3x37x1xf32>) outs(%72 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %74 = math.rsqrt %in : f32
    linalg.yield %74 : f32
  } -> tensor<1x3x37x1xf32>
  %75 = tensor.empty() : tensor<1x3x37x16xf32>
  %76 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %73 : tensor<1x3x37x16xf32>, tensor<1x3x37x1xf32>) outs(%75 : tensor<1x3x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %77 = arith.mulf %in, %in_1 : f32
    linalg.yield %77 : f32
  } -> tensor<1x3x37x16xf32>
  %78 = tensor.empty() : tensor<1x3x37x16xf16>
  %79 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76 : tensor<1x3x37x16xf32>) outs(%78 : tensor<1x3x37x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %80 = arith.truncf %in : f32 to f16
    linalg.yield %80 : f16
  } -> tensor<1x3x37x16xf16>
  %81 = tensor.empty() : tensor<1x3x37x16xf16>
  %82 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79, %gamma : tensor<1x3x37x16xf16>, tensor<16xf16>) outs(%81 : tensor<1x3x37x16xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %83 = arith.mulf %in, %in_1 : f16
    linalg.yield %83 : f16
  } -> tensor<1x3x37x16xf16>
  %84 = tensor.empty() : tensor<1x3x37x16xf16>
  %85 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82 : tensor<1x3x37x16xf16>) outs(%84 : tensor<1x3x37x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    %86 = arith.truncf %cst_7 : f64 to f16
    %87 = arith.mulf %in, %86 : f16
    linalg.yield %87 : f16
  } -> tensor<1x3x37x16xf16>
  %88 = tensor.empty() : tensor<1x37x3x16xf16>
  %89 = linalg.transpose ins(%85 : tensor<1x3x37x16xf16>) outs(%88 : tensor<1x37x3x16xf16>) permutation = [0, 2, 1, 3]
  %90 = tensor.collapse_shape %89 [[0], [1], [2, 3]] : tensor<1x37x3x16xf16> into tensor<1x37x48xf16>
  return %90 : tensor<1x37x48xf16>
}
