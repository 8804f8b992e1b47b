// Swin v2: cosine attention. Queries and keys are divided by their norms, the
// scale of a head is clamped, the bias is gathered and passed through a sigmoid.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=1296 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @swin_v2_cosine(%q: tensor<3x2x36x16xf32>,
    %k: tensor<3x2x36x16xf32>,
    %v: tensor<3x2x36x16xf32>,
    %logit_scale: tensor<2x1x1xf32>,
    %table: tensor<121x2xf32>,
    %index: tensor<1296xi64> {check.draw = "uniform 0 120"}) -> tensor<3x2x36x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 9.99999996E-13 : f32
  %cst_2 = arith.constant 4.60517025E+00 : f32
  %cst_3 = arith.constant 1.000000e+00 : f32
  %cst_4 = arith.constant 1.60000000000000000e+01 : f64
  %cst_5 = arith.constant 0 : i64
  %cst_6 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<3x2x36x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q, %q : tensor<3x2x36x16xf32>, tensor<3x2x36x16xf32>) outs(%0 : tensor<3x2x36x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %2 = arith.mulf %in, %in_1 : f32
    linalg.yield %2 : f32
  } -> tensor<3x2x36x16xf32>
  %3 = tensor.empty() : tensor<3x2x36x1xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<3x2x36x1xf32>) -> tensor<3x2x36x1xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<3x2x36x16xf32>) outs(%4 : tensor<3x2x36x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %6 = arith.addf %in, %out : f32
    linalg.yield %6 : f32
  } -> tensor<3x2x36x1xf32>
  %7 = tensor.empty() : tensor<3x2x36x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<3x2x36x1xf32>) outs(%7 : tensor<3x2x36x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = math.sqrt %in : f32
    linalg.yield %9 : f32
  } -> tensor<3x2x36x1xf32>
  %10 = tensor.empty() : tensor<3x2x36x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<3x2x36x1xf32>) outs(%10 : tensor<3x2x36x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %12 = arith.maximumf %in, %cst_1 : f32
    linalg.yield %12 : f32
  } -> tensor<3x2x36x1xf32>
  %13 = tensor.empty() : tensor<3x2x36x16xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q, %11 : tensor<3x2x36x16xf32>, tensor<3x2x36x1xf32>) outs(%13 : tensor<3x2x36x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %15 = arith.divf %in, %in_1 : f32
    linalg.yield %15 : f32
  } -> tensor<3x2x36x16xf32>
  %16 = tensor.empty() : tensor<3x2x36x16xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k, %k : tensor<3x2x36x16xf32>, tensor<3x2x36x16xf32>) outs(%16 : tensor<3x2x36x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.mulf %in, %in_1 : f32
    linalg.yield %18 : f32
  } -> tensor<3x2x36x16xf32>
  %19 = tensor.empty() : tensor<3x2x36x1xf32>
  %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<3x2x36x1xf32>) -> tensor<3x2x36x1xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<3x2x36x16xf32>) outs(%20 : tensor<3x2x36x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = arith.addf %in, %out : f32
    linalg.yield %22 : f32
  } -> tensor<3x2x36x1xf32>
  %23 = tensor.empty() : tensor<3x2x36x1xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<3x2x36x1xf32>) outs(%23 : tensor<3x2x36x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %25 = math.sqrt %in : f32
    linalg.yield %25 : f32
  } -> tensor<3x2x36x1xf32>
  %26 = tensor.empty() : tensor<3x2x36x1xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<3x2x36x1xf32>) outs(%26 : tensor<3x2x36x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = arith.maximumf %in, %cst_1 : f32
    linalg.yield %28 : f32
  } -> tensor<3x2x36x1xf32>
  %29 = tensor.empty() : tensor<3x2x36x16xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k, %27 : tensor<3x2x36x16xf32>, tensor<3x2x36x1xf32>) outs(%29 : tensor<3x2x36x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %31 = arith.divf %in, %in_1 : f32
    linalg.yield %31 : f32
  } -> tensor<3x2x36x16xf32>
  %32 = tensor.empty() : tensor<3x2x16x36xf32>
  %33 = linalg.transpose ins(%30 : tensor<3x2x36x16xf32>) outs(%32 : tensor<3x2x16x36xf32>) permutation = [0, 1, 3, 2]
  %34 = tensor.collapse_shape %14 [[0, 1], [2], [3]] : tensor<3x2x36x16xf32> into tensor<6x36x16xf32>
  %35 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<3x2x16x36xf32> into tensor<6x16x36xf32>
  %36 = tensor.empty() : tensor<6x36x36xf32>
  %37 = linalg.fill ins(%cst : f32) outs(%36 : tensor<6x36x36xf32>) -> tensor<6x36x36xf32>
  %38 = linalg.batch_matmul ins(%34, %35 : tensor<6x36x16xf32>, tensor<6x16x36xf32>) outs(%37 : tensor<6x36x36xf32>) -> tensor<6x36x36xf32>
  %39 = tensor.expand_shape %38 [[0, 1], [2], [3]] output_shape [3, 2, 36, 36] : tensor<6x36x36xf32> into tensor<3x2x36x36xf32>
  %40 = tensor.empty() : tensor<2x1x1xf32>
  %41 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%logit_scale : tensor<2x1x1xf32>) outs(%40 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.minimumf %in, %cst_2 : f32
    linalg.yield %42 : f32
  } -> tensor<2x1x1xf32>
  %43 = tensor.empty() : tensor<2x1x1xf32>
  %44 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<2x1x1xf32>) outs(%43 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %45 = math.exp %in : f32
    linalg.yield %45 : f32
  } -> tensor<2x1x1xf32>
  %46 = tensor.empty() : tensor<3x2x36x36xf32>
  %47 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %44 : tensor<3x2x36x36xf32>, tensor<2x1x1xf32>) outs(%46 : tensor<3x2x36x36xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %48 = arith.mulf %in, %in_1 : f32
    linalg.yield %48 : f32
  } -> tensor<3x2x36x36xf32>
  %49 = tensor.empty() : tensor<1296x2xf32>
  %50 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%index : tensor<1296xi64>) outs(%49 : tensor<1296x2xf32>) {
  ^bb0(%in: i64, %out: f32):
    %51 = arith.index_cast %in : i64 to index
    %52 = linalg.index 1 : index
    %53 = tensor.extract %table[%51, %52] : tensor<121x2xf32>
    linalg.yield %53 : f32
  } -> tensor<1296x2xf32>
  %54 = tensor.expand_shape %50 [[0, 1], [2]] output_shape [36, 36, 2] : tensor<1296x2xf32> into tensor<36x36x2xf32>
  %55 = tensor.empty() : tensor<2x36x36xf32>
  %56 = linalg.transpose ins(%54 : tensor<36x36x2xf32>) outs(%55 : tensor<2x36x36xf32>) permutation = [2, 0, 1]
  %57 = tensor.empty() : tensor<2x36x36xf32>
  %58 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56 : tensor<2x36x36xf32>) outs(%57 : tensor<2x36x36xf32>) {
  ^bb0(%in: f32, %out: f32):
    %59 = arith.negf %in : f32
    %60 = math.exp %59 : f32
    %61 = arith.addf %60, %cst_3 : f32
    %62 = arith.divf %cst_3, %61 : f32
    linalg.yield %62 : f32
  } -> tensor<2x36x36xf32>
  %63 = tensor.empty() : tensor<2x36x36xf32>
  %64 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x36x36xf32>) outs(%63 : tensor<2x36x36xf32>) {
  ^bb0(%in: f32, %out: f32):
    %65 = arith.truncf %cst_4 : f64 to f32
    %66 = arith.mulf %in, %65 : f32
    linalg.yield %66 : f32
  } -> tensor<2x36x36xf32>
  %67 = tensor.empty() : tensor<3x2x36x36xf32>
  %68 = linalg.generic {indexing_maps = [#map, #map6, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %64 : tensor<3x2x36x36xf32>, tensor<2x36x36xf32>) outs(%67 : tensor<3x2x36x36xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %69 = arith.addf %in, %in_1 : f32
    linalg.yield %69 : f32
  } -> tensor<3x2x36x36xf32>
  %70 = tensor.empty() : tensor<3x2x36xi64>
  %71 = linalg.fill ins(%cst_5 : i64) outs(%70 : tensor<3x2x36xi64>) -> tensor<3x2x36xi64>
  %72 = tensor.empty() : tensor<3x2x36xf32>
  %73 = linalg.fill ins(%cst_6 : f32) outs(%72 : tensor<3x2x36xf32>) -> tensor<3x2x36xf32>
  %74:2 = linalg.generic {indexing_maps = [#map, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%68 : tensor<3x2x36x36xf32>) outs(%73, %71 : tensor<3x2x36xf32>, tensor<3x2x36xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %75 = linalg.index 3 : index
    %76 = arith.index_cast %75 : index to i64
    %77 = arith.maximumf %in, %out : f32
    %78 = arith.cmpf ogt, %in, %out : f32
    %79 = arith.select %78, %76, %out_1 : i64
    linalg.yield %77, %79 : f32, i64
  } -> (tensor<3x2x36xf32>, tensor<3x2x36xi64>)
  %80 = tensor.expand_shape %74#0 [[0], [1], [2, 3]] output_shape [3, 2, 36, 1] : tensor<3x2x36xf32> into tensor<3x2x36x1xf32>
  %81 = tensor.empty() : tensor<3x2x36x36xf32>
  %82 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %80 : tensor<3x2x36x36xf32>, tensor<3x2x36x1xf32>) outs(%81 : tensor<3x2x36x36xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %83 = arith.subf %in, %in_1 : f32
    linalg.yield %83 : f32
  } -> tensor<3x2x36x36xf32>
  %84 = tensor.empty() : tensor<3x2x36x36xf32>
  %85 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82 : tensor<3x2x36x36xf32>) outs(%84 : tensor<3x2x36x36xf32>) {
  ^bb0(%in: f32, %out: f32):
    %86 = math.exp %in : f32
    linalg.yield %86 : f32
  } -> tensor<3x2x36x36xf32>
  %87 = tensor.empty() : tensor<3x2x36x1xf32>
  %88 = linalg.fill ins(%cst : f32) outs(%87 : tensor<3x2x36x1xf32>) -> tensor<3x2x36x1xf32>
  %89 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%85 : tensor<3x2x36x36xf32>) outs(%88 : tensor<3x2x36x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %90 = arith.addf %in, %out : f32
    linalg.yield %90 : f32
  } -> tensor<3x2x36x1xf32>
  %91 = tensor.empty() : tensor<3x2x36x36xf32>
  %92 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85, %89 : tensor<3x2x36x36xf32>, tensor<3x2x36x1xf32>) outs(%91 : tensor<3x2x36x36xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %93 = arith.divf %in, %in_1 : f32
    linalg.yield %93 : f32
  } -> tensor<3x2x36x36xf32>
  %94 = tensor.collapse_shape %92 [[0, 1], [2], [3]] : tensor<3x2x36x36xf32> into tensor<6x36x36xf32>
  %95 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<3x2x36x16xf32> into tensor<6x36x16xf32>
  %96 = tensor.empty() : tensor<6x36x16xf32>
  %97 = linalg.fill ins(%cst : f32) outs(%96 : tensor<6x36x16xf32>) -> tensor<6x36x16xf32>
  %98 = linalg.batch_matmul ins(%94, %95 : tensor<6x36x36xf32>, tensor<6x36x16xf32>) outs(%97 : tensor<6x36x16xf32>) -> tensor<6x36x16xf32>
  %99 = tensor.expand_shape %98 [[0, 1], [2], [3]] output_shape [3, 2, 36, 16] : tensor<6x36x16xf32> into tensor<3x2x36x16xf32>
  return %99 : tensor<3x2x36x16xf32>
}
