// Grouped queries, causal.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=9728 --max-kernels=1 \
// RUN:   --keys=16
// RUN: linalg-ext-check-program %s --targets=gpu --keys=16 --gpu-options=rows=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @gqa_causal(%q: tensor<1x4x37x16xf32>,
                      %k: tensor<1x2x37x16xf32>,
                      %v: tensor<1x2x37x16xf32>) -> tensor<1x4x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant 2.50000000000000000e-01 : f64
  %cst_3 = arith.constant 0 : i64
  %0 = tensor.empty() : tensor<37xi64>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %2 = linalg.index 0 : index
    %3 = arith.index_cast %2 : index to i64
    linalg.yield %3 : i64
  } -> tensor<37xi64>
  %4 = tensor.empty() : tensor<37xi64>
  %5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%4 : tensor<37xi64>) {
  ^bb0(%out: i64):
    %6 = linalg.index 0 : index
    %7 = arith.index_cast %6 : index to i64
    linalg.yield %7 : i64
  } -> tensor<37xi64>
  %8 = tensor.expand_shape %1 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %9 = tensor.expand_shape %5 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %10 = tensor.empty() : tensor<37x37xi1>
  %11 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%9, %8 : tensor<1x37xi64>, tensor<37x1xi64>) outs(%10 : tensor<37x37xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %12 = arith.cmpi sle, %in, %in_1 : i64
    linalg.yield %12 : i1
  } -> tensor<37x37xi1>
  %13 = tensor.expand_shape %k [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 37, 16] : tensor<1x2x37x16xf32> into tensor<1x2x1x37x16xf32>
  %14 = tensor.empty() : tensor<1x2x2x37x16xf32>
  %15 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x2x1x37x16xf32>) outs(%14 : tensor<1x2x2x37x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x37x16xf32>
  %16 = tensor.collapse_shape %15 [[0], [1, 2], [3], [4]] : tensor<1x2x2x37x16xf32> into tensor<1x4x37x16xf32>
  %17 = tensor.expand_shape %v [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 37, 16] : tensor<1x2x37x16xf32> into tensor<1x2x1x37x16xf32>
  %18 = tensor.empty() : tensor<1x2x2x37x16xf32>
  %19 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x2x1x37x16xf32>) outs(%18 : tensor<1x2x2x37x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x37x16xf32>
  %20 = tensor.collapse_shape %19 [[0], [1, 2], [3], [4]] : tensor<1x2x2x37x16xf32> into tensor<1x4x37x16xf32>
  %21 = tensor.empty() : tensor<37x37xf32>
  %22 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<37x37xi1>) outs(%21 : tensor<37x37xf32>) {
  ^bb0(%in: i1, %out: f32):
    %23 = arith.select %in, %cst, %cst_1 : f32
    linalg.yield %23 : f32
  } -> tensor<37x37xf32>
  %24 = tensor.empty() : tensor<1x4x16x37xf32>
  %25 = linalg.transpose ins(%16 : tensor<1x4x37x16xf32>) outs(%24 : tensor<1x4x16x37xf32>) permutation = [0, 1, 3, 2]
  %26 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x4x37x16xf32> into tensor<4x37x16xf32>
  %27 = tensor.collapse_shape %25 [[0, 1], [2], [3]] : tensor<1x4x16x37xf32> into tensor<4x16x37xf32>
  %28 = tensor.empty() : tensor<4x37x37xf32>
  %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<4x37x37xf32>) -> tensor<4x37x37xf32>
  %30 = linalg.batch_matmul ins(%26, %27 : tensor<4x37x16xf32>, tensor<4x16x37xf32>) outs(%29 : tensor<4x37x37xf32>) -> tensor<4x37x37xf32>
  %31 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [1, 4, 37, 37] : tensor<4x37x37xf32> into tensor<1x4x37x37xf32>
  %32 = tensor.empty() : tensor<1x4x37x37xf32>
  %33 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x4x37x37xf32>) outs(%32 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = arith.truncf %cst_2 : f64 to f32
    %35 = arith.mulf %in, %34 : f32
    linalg.yield %35 : f32
  } -> tensor<1x4x37x37xf32>
  %36 = tensor.empty() : tensor<1x4x37x37xf32>
  %37 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %22 : tensor<1x4x37x37xf32>, tensor<37x37xf32>) outs(%36 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %38 = arith.addf %in, %in_1 : f32
    linalg.yield %38 : f32
  } -> tensor<1x4x37x37xf32>
  %39 = tensor.empty() : tensor<1x4x37xi64>
  %40 = linalg.fill ins(%cst_3 : i64) outs(%39 : tensor<1x4x37xi64>) -> tensor<1x4x37xi64>
  %41 = tensor.empty() : tensor<1x4x37xf32>
  %42 = linalg.fill ins(%cst_1 : f32) outs(%41 : tensor<1x4x37xf32>) -> tensor<1x4x37xf32>
  %43:2 = linalg.generic {indexing_maps = [#map6, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<1x4x37x37xf32>) outs(%42, %40 : tensor<1x4x37xf32>, tensor<1x4x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %44 = linalg.index 3 : index
    %45 = arith.index_cast %44 : index to i64
    %46 = arith.maximumf %in, %out : f32
    %47 = arith.cmpf ogt, %in, %out : f32
    %48 = arith.select %47, %45, %out_1 : i64
    linalg.yield %46, %48 : f32, i64
  } -> (tensor<1x4x37xf32>, tensor<1x4x37xi64>)
  %49 = tensor.expand_shape %43#0 [[0], [1], [2, 3]] output_shape [1, 4, 37, 1] : tensor<1x4x37xf32> into tensor<1x4x37x1xf32>
  %50 = tensor.empty() : tensor<1x4x37x37xf32>
  %51 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %49 : tensor<1x4x37x37xf32>, tensor<1x4x37x1xf32>) outs(%50 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %52 = arith.subf %in, %in_1 : f32
    linalg.yield %52 : f32
  } -> tensor<1x4x37x37xf32>
  %53 = tensor.empty() : tensor<1x4x37x37xf32>
  %54 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<1x4x37x37xf32>) outs(%53 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %55 = math.exp %in : f32
    linalg.yield %55 : f32
  } -> tensor<1x4x37x37xf32>
  %56 = tensor.empty() : tensor<1x4x37x1xf32>
  %57 = linalg.fill ins(%cst : f32) outs(%56 : tensor<1x4x37x1xf32>) -> tensor<1x4x37x1xf32>
  %58 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%54 : tensor<1x4x37x37xf32>) outs(%57 : tensor<1x4x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %59 = arith.addf %in, %out : f32
    linalg.yield %59 : f32
  } -> tensor<1x4x37x1xf32>
  %60 = tensor.empty() : tensor<1x4x37x37xf32>
  %61 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54, %58 : tensor<1x4x37x37xf32>, tensor<1x4x37x1xf32>) outs(%60 : tensor<1x4x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %62 = arith.divf %in, %in_1 : f32
    linalg.yield %62 : f32
  } -> tensor<1x4x37x37xf32>
  %63 = tensor.collapse_shape %61 [[0, 1], [2], [3]] : tensor<1x4x37x37xf32> into tensor<4x37x37xf32>
  %64 = tensor.collapse_shape %20 [[0, 1], [2], [3]] : tensor<1x4x37x16xf32> into tensor<4x37x16xf32>
  %65 = tensor.empty() : tensor<4x37x16xf32>
  %66 = linalg.fill ins(%cst : f32) outs(%65 : tensor<4x37x16xf32>) -> tensor<4x37x16xf32>
  %67 = linalg.batch_matmul ins(%63, %64 : tensor<4x37x37xf32>, tensor<4x37x16xf32>) outs(%66 : tensor<4x37x16xf32>) -> tensor<4x37x16xf32>
  %68 = tensor.expand_shape %67 [[0, 1], [2], [3]] output_shape [1, 4, 37, 16] : tensor<4x37x16xf32> into tensor<1x4x37x16xf32>
  return %68 : tensor<1x4x37x16xf32>
}
