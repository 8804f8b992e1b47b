// Whisper's decoder block: LayerNorm, scaled queries, keys without a bias from the
// encoder, cross attention, the output projection and the residual; f16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=14464 \
// RUN:   --max-kernels=6 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @whisper_cross_attention(%x: tensor<1x13x48xf16> {check.draw = "uniform -1 1"},
    %encoder: tensor<1x75x48xf16> {check.draw = "uniform -1 1"},
    %gamma: tensor<48xf16> {check.draw = "uniform -1 1"},
    %beta: tensor<48xf16> {check.draw = "uniform -1 1"},
    %wq: tensor<48x48xf16> {check.draw = "uniform -0.25 0.25"},
    %bq: tensor<48xf16> {check.draw = "uniform -1 1"},
    %wk: tensor<48x48xf16> {check.draw = "uniform -0.25 0.25"},
    %wv: tensor<48x48xf16> {check.draw = "uniform -0.25 0.25"},
    %bv: tensor<48xf16> {check.draw = "uniform -1 1"},
    %wo: tensor<48x48xf16> {check.draw = "uniform -0.25 0.25"},
    %bo: tensor<48xf16> {check.draw = "uniform -1 1"}) -> tensor<1x13x48xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 4.80000000000000000e+01 : f64
  %cst_2 = arith.constant 1.00000000000000008e-05 : f64
  %cst_3 = arith.constant 2.50000000000000000e-01 : f64
  %cst_4 = arith.constant 0 : i64
  %cst_5 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x13x48xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x13x48xf16>) outs(%0 : tensor<1x13x48xf32>) {
  ^bb0(%in: f16, %out: f32):
    %2 = arith.extf %in : f16 to f32
    linalg.yield %2 : f32
  } -> tensor<1x13x48xf32>
  %3 = tensor.empty() : tensor<1x13x1xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x13x1xf32>) -> tensor<1x13x1xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x13x48xf32>) outs(%4 : tensor<1x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %6 = arith.addf %in, %out : f32
    linalg.yield %6 : f32
  } -> tensor<1x13x1xf32>
  %7 = tensor.empty() : tensor<1x13x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x13x1xf32>) outs(%7 : tensor<1x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.truncf %cst_1 : f64 to f32
    %10 = arith.divf %in, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<1x13x1xf32>
  %11 = tensor.empty() : tensor<1x13x48xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x13x48xf32>, tensor<1x13x1xf32>) outs(%11 : tensor<1x13x48xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %13 = arith.subf %in, %in_1 : f32
    linalg.yield %13 : f32
  } -> tensor<1x13x48xf32>
  %14 = tensor.empty() : tensor<1x13x48xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %12 : tensor<1x13x48xf32>, tensor<1x13x48xf32>) outs(%14 : tensor<1x13x48xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.mulf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<1x13x48xf32>
  %17 = tensor.empty() : tensor<1x13x1xf32>
  %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<1x13x1xf32>) -> tensor<1x13x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<1x13x48xf32>) outs(%18 : tensor<1x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %20 = arith.addf %in, %out : f32
    linalg.yield %20 : f32
  } -> tensor<1x13x1xf32>
  %21 = tensor.empty() : tensor<1x13x1xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x13x1xf32>) outs(%21 : tensor<1x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %23 = arith.truncf %cst_1 : f64 to f32
    %24 = arith.divf %in, %23 : f32
    linalg.yield %24 : f32
  } -> tensor<1x13x1xf32>
  %25 = tensor.empty() : tensor<1x13x1xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x13x1xf32>) outs(%25 : tensor<1x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = arith.truncf %cst_2 : f64 to f32
    %28 = arith.addf %in, %27 : f32
    linalg.yield %28 : f32
  } -> tensor<1x13x1xf32>
  %29 = tensor.empty() : tensor<1x13x1xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<1x13x1xf32>) outs(%29 : tensor<1x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = math.rsqrt %in : f32
    linalg.yield %31 : f32
  } -> tensor<1x13x1xf32>
  %32 = tensor.empty() : tensor<1x13x48xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %30 : tensor<1x13x48xf32>, tensor<1x13x1xf32>) outs(%32 : tensor<1x13x48xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %34 = arith.mulf %in, %in_1 : f32
    linalg.yield %34 : f32
  } -> tensor<1x13x48xf32>
  %35 = tensor.empty() : tensor<48xf32>
  %36 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%gamma : tensor<48xf16>) outs(%35 : tensor<48xf32>) {
  ^bb0(%in: f16, %out: f32):
    %37 = arith.extf %in : f16 to f32
    linalg.yield %37 : f32
  } -> tensor<48xf32>
  %38 = tensor.empty() : tensor<48xf32>
  %39 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%beta : tensor<48xf16>) outs(%38 : tensor<48xf32>) {
  ^bb0(%in: f16, %out: f32):
    %40 = arith.extf %in : f16 to f32
    linalg.yield %40 : f32
  } -> tensor<48xf32>
  %41 = tensor.empty() : tensor<1x13x48xf32>
  %42 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %36 : tensor<1x13x48xf32>, tensor<48xf32>) outs(%41 : tensor<1x13x48xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %43 = arith.mulf %in, %in_1 : f32
    linalg.yield %43 : f32
  } -> tensor<1x13x48xf32>
  %44 = tensor.empty() : tensor<1x13x48xf32>
  %45 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42, %39 : tensor<1x13x48xf32>, tensor<48xf32>) outs(%44 : tensor<1x13x48xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %46 = arith.addf %in, %in_1 : f32
    linalg.yield %46 : f32
  } -> tensor<1x13x48xf32>
  %47 = tensor.empty() : tensor<1x13x48xf16>
  %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<1x13x48xf32>) outs(%47 : tensor<1x13x48xf16>) {
  ^bb0(%in: f32, %out: f16):
    %49 = arith.truncf %in : f32 to f16
    linalg.yield %49 : f16
  } -> tensor<1x13x48xf16>
  %50 = tensor.empty() : tensor<48x48xf16>
  %51 = linalg.transpose ins(%wq : tensor<48x48xf16>) outs(%50 : tensor<48x48xf16>) permutation = [1, 0]
  %52 = tensor.collapse_shape %48 [[0, 1], [2]] : tensor<1x13x48xf16> into tensor<13x48xf16>
  %53 = tensor.empty() : tensor<13x48xf32>
  %54 = linalg.fill ins(%cst : f32) outs(%53 : tensor<13x48xf32>) -> tensor<13x48xf32>
  %55 = linalg.matmul ins(%52, %51 : tensor<13x48xf16>, tensor<48x48xf16>) outs(%54 : tensor<13x48xf32>) -> tensor<13x48xf32>
  %56 = tensor.empty() : tensor<13x48xf16>
  %57 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%55 : tensor<13x48xf32>) outs(%56 : tensor<13x48xf16>) {
  ^bb0(%in: f32, %out: f16):
    %58 = arith.truncf %in : f32 to f16
    linalg.yield %58 : f16
  } -> tensor<13x48xf16>
  %59 = tensor.expand_shape %57 [[0, 1], [2]] output_shape [1, 13, 48] : tensor<13x48xf16> into tensor<1x13x48xf16>
  %60 = tensor.empty() : tensor<1x13x48xf16>
  %61 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %bq : tensor<1x13x48xf16>, tensor<48xf16>) outs(%60 : tensor<1x13x48xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %62 = arith.addf %in, %in_1 : f16
    linalg.yield %62 : f16
  } -> tensor<1x13x48xf16>
  %63 = tensor.empty() : tensor<1x13x48xf16>
  %64 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<1x13x48xf16>) outs(%63 : tensor<1x13x48xf16>) {
  ^bb0(%in: f16, %out: f16):
    %65 = arith.truncf %cst_3 : f64 to f16
    %66 = arith.mulf %in, %65 : f16
    linalg.yield %66 : f16
  } -> tensor<1x13x48xf16>
  %67 = tensor.expand_shape %64 [[0], [1], [2, 3]] output_shape [1, 13, 3, 16] : tensor<1x13x48xf16> into tensor<1x13x3x16xf16>
  %68 = tensor.empty() : tensor<1x3x13x16xf16>
  %69 = linalg.transpose ins(%67 : tensor<1x13x3x16xf16>) outs(%68 : tensor<1x3x13x16xf16>) permutation = [0, 2, 1, 3]
  %70 = tensor.empty() : tensor<48x48xf16>
  %71 = linalg.transpose ins(%wk : tensor<48x48xf16>) outs(%70 : tensor<48x48xf16>) permutation = [1, 0]
  %72 = tensor.collapse_shape %encoder [[0, 1], [2]] : tensor<1x75x48xf16> into tensor<75x48xf16>
  %73 = tensor.empty() : tensor<75x48xf32>
  %74 = linalg.fill ins(%cst : f32) outs(%73 : tensor<75x48xf32>) -> tensor<75x48xf32>
  %75 = linalg.matmul ins(%72, %71 : tensor<75x48xf16>, tensor<48x48xf16>) outs(%74 : tensor<75x48xf32>) -> tensor<75x48xf32>
  %76 = tensor.empty() : tensor<75x48xf16>
  %77 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%75 : tensor<75x48xf32>) outs(%76 : tensor<75x48xf16>) {
  ^bb0(%in: f32, %out: f16):
    %78 = arith.truncf %in : f32 to f16
    linalg.yield %78 : f16
  } -> tensor<75x48xf16>
  %79 = tensor.expand_shape %77 [[0, 1], [2]] output_shape [1, 75, 48] : tensor<75x48xf16> into tensor<1x75x48xf16>
  %80 = tensor.expand_shape %79 [[0], [1], [2, 3]] output_shape [1, 75, 3, 16] : tensor<1x75x48xf16> into tensor<1x75x3x16xf16>
  %81 = tensor.empty() : tensor<1x3x75x16xf16>
  %82 = linalg.transpose ins(%80 : tensor<1x75x3x16xf16>) outs(%81 : tensor<1x3x75x16xf16>) permutation = [0, 2, 1, 3]
  %83 = tensor.empty() : tensor<48x48xf16>
  %84 = linalg.transpose ins(%wv : tensor<48x48xf16>) outs(%83 : tensor<48x48xf16>) permutation = [1, 0]
  %85 = tensor.collapse_shape %encoder [[0, 1], [2]] : tensor<1x75x48xf16> into tensor<75x48xf16>
  %86 = tensor.empty() : tensor<75x48xf32>
  %87 = linalg.fill ins(%cst : f32) outs(%86 : tensor<75x48xf32>) -> tensor<75x48xf32>
  %88 = linalg.matmul ins(%85, %84 : tensor<75x48xf16>, tensor<48x48xf16>) outs(%87 : tensor<75x48xf32>) -> tensor<75x48xf32>
  %89 = tensor.empty() : tensor<75x48xf16>
  %90 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%88 : tensor<75x48xf32>) outs(%89 : tensor<75x48xf16>) {
  ^bb0(%in: f32, %out: f16):
    %91 = arith.truncf %in : f32 to f16
    linalg.yield %91 : f16
  } -> tensor<75x48xf16>
  %92 = tensor.expand_shape %90 [[0, 1], [2]] output_shape [1, 75, 48] : tensor<75x48xf16> into tensor<1x75x48xf16>
  %93 = tensor.empty() : tensor<1x75x48xf16>
  %94 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %bv : tensor<1x75x48xf16>, tensor<48xf16>) outs(%93 : tensor<1x75x48xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %95 = arith.addf %in, %in_1 : f16
    linalg.yield %95 : f16
  } -> tensor<1x75x48xf16>
  %96 = tensor.expand_shape %94 [[0], [1], [2, 3]] output_shape [1, 75, 3, 16] : tensor<1x75x48xf16> into tensor<1x75x3x16xf16>
  %97 = tensor.empty() : tensor<1x3x75x16xf16>
  %98 = linalg.transpose ins(%96 : tensor<1x75x3x16xf16>) outs(%97 : tensor<1x3x75x16xf16>) permutation = [0, 2, 1, 3]
  %99 = tensor.empty() : tensor<1x3x16x75xf16>
  %100 = linalg.transpose ins(%82 : tensor<1x3x75x16xf16>) outs(%99 : tensor<1x3x16x75xf16>) permutation = [0, 1, 3, 2]
  %101 = tensor.collapse_shape %69 [[0, 1], [2], [3]] : tensor<1x3x13x16xf16> into tensor<3x13x16xf16>
  %102 = tensor.collapse_shape %100 [[0, 1], [2], [3]] : tensor<1x3x16x75xf16> into tensor<3x16x75xf16>
  %103 = tensor.empty() : tensor<3x13x75xf32>
  %104 = linalg.fill ins(%cst : f32) outs(%103 : tensor<3x13x75xf32>) -> tensor<3x13x75xf32>
  %105 = linalg.batch_matmul ins(%101, %102 : tensor<3x13x16xf16>, tensor<3x16x75xf16>) outs(%104 : tensor<3x13x75xf32>) -> tensor<3x13x75xf32>
  %106 = tensor.empty() : tensor<3x13x75xf16>
  %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<3x13x75xf32>) outs(%106 : tensor<3x13x75xf16>) {
  ^bb0(%in: f32, %out: f16):
    %108 = arith.truncf %in : f32 to f16
    linalg.yield %108 : f16
  } -> tensor<3x13x75xf16>
  %109 = tensor.expand_shape %107 [[0, 1], [2], [3]] output_shape [1, 3, 13, 75] : tensor<3x13x75xf16> into tensor<1x3x13x75xf16>
  %110 = tensor.empty() : tensor<1x3x13x75xf32>
  %111 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%109 : tensor<1x3x13x75xf16>) outs(%110 : tensor<1x3x13x75xf32>) {
  ^bb0(%in: f16, %out: f32):
    %112 = arith.extf %in : f16 to f32
    linalg.yield %112 : f32
  } -> tensor<1x3x13x75xf32>
  %113 = tensor.empty() : tensor<1x3x13xi64>
  %114 = linalg.fill ins(%cst_4 : i64) outs(%113 : tensor<1x3x13xi64>) -> tensor<1x3x13xi64>
  %115 = tensor.empty() : tensor<1x3x13xf32>
  %116 = linalg.fill ins(%cst_5 : f32) outs(%115 : tensor<1x3x13xf32>) -> tensor<1x3x13xf32>
  %117:2 = linalg.generic {indexing_maps = [#map5, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%111 : tensor<1x3x13x75xf32>) outs(%116, %114 : tensor<1x3x13xf32>, tensor<1x3x13xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %118 = linalg.index 3 : index
    %119 = arith.index_cast %118 : index to i64
    %120 = arith.maximumf %in, %out : f32
    %121 = arith.cmpf ogt, %in, %out : f32
    %122 = arith.select %121, %119, %out_1 : i64
    linalg.yield %120, %122 : f32, i64
  } -> (tensor<1x3x13xf32>, tensor<1x3x13xi64>)
  %123 = tensor.expand_shape %117#0 [[0], [1], [2, 3]] output_shape [1, 3, 13, 1] : tensor<1x3x13xf32> into tensor<1x3x13x1xf32>
  %124 = tensor.empty() : tensor<1x3x13x75xf32>
  %125 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%111, %123 : tensor<1x3x13x75xf32>, tensor<1x3x13x1xf32>) outs(%124 : tensor<1x3x13x75xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %126 = arith.subf %in, %in_1 : f32
    linalg.yield %126 : f32
  } -> tensor<1x3x13x75xf32>
  %127 = tensor.empty() : tensor<1x3x13x75xf32>
  %128 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%125 : tensor<1x3x13x75xf32>) outs(%127 : tensor<1x3x13x75xf32>) {
  ^bb0(%in: f32, %out: f32):
    %129 = math.exp %in : f32
    linalg.yield %129 : f32
  } -> tensor<1x3x13x75xf32>
  %130 = tensor.empty() : tensor<1x3x13x1xf32>
  %131 = linalg.fill ins(%cst : f32) outs(%130 : tensor<1x3x13x1xf32>) -> tensor<1x3x13x1xf32>
  %132 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%128 : tensor<1x3x13x75xf32>) outs(%131 : tensor<1x3x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %133 = arith.addf %in, %out : f32
    linalg.yield %133 : f32
  } -> tensor<1x3x13x1xf32>
  %134 = tensor.empty() : tensor<1x3x13x75xf32>
  %135 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%128, %132 : tensor<1x3x13x75xf32>, tensor<1x3x13x1xf32>) outs(%134 : tensor<1x3x13x75xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %136 = arith.divf %in, %in_1 : f32
    linalg.yield %136 : f32
  } -> tensor<1x3x13x75xf32>
  %137 = tensor.empty() : tensor<1x3x13x75xf16>
  %138 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%135 : tensor<1x3x13x75xf32>) outs(%137 : tensor<1x3x13x75xf16>) {
  ^bb0(%in: f32, %out: f16):
    %139 = arith.truncf %in : f32 to f16
    linalg.yield %139 : f16
  } -> tensor<1x3x13x75xf16>
  %140 = tensor.collapse_shape %138 [[0, 1], [2], [3]] : tensor<1x3x13x75xf16> into tensor<3x13x75xf16>
  %141 = tensor.collapse_shape %98 [[0, 1], [2], [3]] : tensor<1x3x75x16xf16> into tensor<3x75x16xf16>
  %142 = tensor.empty() : tensor<3x13x16xf32>
  %143 = linalg.fill ins(%cst : f32) outs(%142 : tensor<3x13x16xf32>) -> tensor<3x13x16xf32>
  %144 = linalg.batch_matmul ins(%140, %141 : tensor<3x13x75xf16>, tensor<3x75x16xf16>) outs(%143 : tensor<3x13x16xf32>) -> tensor<3x13x16xf32>
  %145 = tensor.empty() : tensor<3x13x16xf16>
  %146 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144 : tensor<3x13x16xf32>) outs(%145 : tensor<3x13x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %147 = arith.truncf %in : f32 to f16
    linalg.yield %147 : f16
  } -> tensor<3x13x16xf16>
  %148 = tensor.expand_shape %146 [[0, 1], [2], [3]] output_shape [1, 3, 13, 16] : tensor<3x13x16xf16> into tensor<1x3x13x16xf16>
  %149 = tensor.empty() : tensor<1x13x3x16xf16>
  %150 = linalg.transpose ins(%148 : tensor<1x3x13x16xf16>) outs(%149 : tensor<1x13x3x16xf16>) permutation = [0, 2, 1, 3]
  %151 = tensor.collapse_shape %150 [[0], [1], [2, 3]] : tensor<1x13x3x16xf16> into tensor<1x13x48xf16>
  %152 = tensor.empty() : tensor<48x48xf16>
  %153 = linalg.transpose ins(%wo : tensor<48x48xf16>) outs(%152 : tensor<48x48xf16>) permutation = [1, 0]
  %154 = tensor.collapse_shape %151 [[0, 1], [2]] : tensor<1x13x48xf16> into tensor<13x48xf16>
  %155 = tensor.empty() : tensor<13x48xf32>
  %156 = linalg.fill ins(%cst : f32) outs(%155 : tensor<13x48xf32>) -> tensor<13x48xf32>
  %157 = linalg.matmul ins(%154, %153 : tensor<13x48xf16>, tensor<48x48xf16>) outs(%156 : tensor<13x48xf32>) -> tensor<13x48xf32>
  %158 = tensor.empty() : tensor<13x48xf16>
  %159 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%157 : tensor<13x48xf32>) outs(%158 : tensor<13x48xf16>) {
  ^bb0(%in: f32, %out: f16):
    %160 = arith.truncf %in : f32 to f16
    linalg.yield %160 : f16
  } -> tensor<13x48xf16>
  %161 = tensor.expand_shape %159 [[0, 1], [2]] output_shape [1, 13, 48] : tensor<13x48xf16> into tensor<1x13x48xf16>
  %162 = tensor.empty() : tensor<1x13x48xf16>
  %163 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161, %bo : tensor<1x13x48xf16>, tensor<48xf16>) outs(%162 : tensor<1x13x48xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %164 = arith.addf %in, %in_1 : f16
    linalg.yield %164 : f16
  } -> tensor<1x13x48xf16>
  %165 = tensor.empty() : tensor<1x13x48xf16>
  %166 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %163 : tensor<1x13x48xf16>, tensor<1x13x48xf16>) outs(%165 : tensor<1x13x48xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %167 = arith.addf %in, %in_1 : f16
    linalg.yield %167 : f16
  } -> tensor<1x13x48xf16>
  return %166 : tensor<1x13x48xf16>
}
