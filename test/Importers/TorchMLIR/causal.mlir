// Causal, from two counts.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16
// RUN: linalg-ext-check-program %s --targets=gpu --keys=16 --gpu-options=rows=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @causal(%q: tensor<1x3x37x16xf32>,
                  %k: tensor<1x3x37x16xf32>,
                  %v: tensor<1x3x37x16xf32>) -> tensor<1x3x37x16xf32> {
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
  %13 = tensor.empty() : tensor<37x37xf32>
  %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<37x37xi1>) outs(%13 : tensor<37x37xf32>) {
  ^bb0(%in: i1, %out: f32):
    %15 = arith.select %in, %cst, %cst_1 : f32
    linalg.yield %15 : f32
  } -> tensor<37x37xf32>
  %16 = tensor.empty() : tensor<1x3x16x37xf32>
  %17 = linalg.transpose ins(%k : tensor<1x3x37x16xf32>) outs(%16 : tensor<1x3x16x37xf32>) permutation = [0, 1, 3, 2]
  %18 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %19 = tensor.collapse_shape %17 [[0, 1], [2], [3]] : tensor<1x3x16x37xf32> into tensor<3x16x37xf32>
  %20 = tensor.empty() : tensor<3x37x37xf32>
  %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %22 = linalg.batch_matmul ins(%18, %19 : tensor<3x37x16xf32>, tensor<3x16x37xf32>) outs(%21 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %23 = tensor.expand_shape %22 [[0, 1], [2], [3]] output_shape [1, 3, 37, 37] : tensor<3x37x37xf32> into tensor<1x3x37x37xf32>
  %24 = tensor.empty() : tensor<1x3x37x37xf32>
  %25 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x3x37x37xf32>) outs(%24 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.truncf %cst_2 : f64 to f32
    %27 = arith.mulf %in, %26 : f32
    linalg.yield %27 : f32
  } -> tensor<1x3x37x37xf32>
  %28 = tensor.empty() : tensor<1x3x37x37xf32>
  %29 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %14 : tensor<1x3x37x37xf32>, tensor<37x37xf32>) outs(%28 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %30 = arith.addf %in, %in_1 : f32
    linalg.yield %30 : f32
  } -> tensor<1x3x37x37xf32>
  %31 = tensor.empty() : tensor<1x3x37xi64>
  %32 = linalg.fill ins(%cst_3 : i64) outs(%31 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %33 = tensor.empty() : tensor<1x3x37xf32>
  %34 = linalg.fill ins(%cst_1 : f32) outs(%33 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %35:2 = linalg.generic {indexing_maps = [#map4, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<1x3x37x37xf32>) outs(%34, %32 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %36 = linalg.index 3 : index
    %37 = arith.index_cast %36 : index to i64
    %38 = arith.maximumf %in, %out : f32
    %39 = arith.cmpf ogt, %in, %out : f32
    %40 = arith.select %39, %37, %out_1 : i64
    linalg.yield %38, %40 : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %41 = tensor.expand_shape %35#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %42 = tensor.empty() : tensor<1x3x37x37xf32>
  %43 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %41 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%42 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %44 = arith.subf %in, %in_1 : f32
    linalg.yield %44 : f32
  } -> tensor<1x3x37x37xf32>
  %45 = tensor.empty() : tensor<1x3x37x37xf32>
  %46 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x3x37x37xf32>) outs(%45 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %47 = math.exp %in : f32
    linalg.yield %47 : f32
  } -> tensor<1x3x37x37xf32>
  %48 = tensor.empty() : tensor<1x3x37x1xf32>
  %49 = linalg.fill ins(%cst : f32) outs(%48 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %50 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<1x3x37x37xf32>) outs(%49 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %51 = arith.addf %in, %out : f32
    linalg.yield %51 : f32
  } -> tensor<1x3x37x1xf32>
  %52 = tensor.empty() : tensor<1x3x37x37xf32>
  %53 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %50 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%52 : tensor<1x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %54 = arith.divf %in, %in_1 : f32
    linalg.yield %54 : f32
  } -> tensor<1x3x37x37xf32>
  %55 = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<1x3x37x37xf32> into tensor<3x37x37xf32>
  %56 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %57 = tensor.empty() : tensor<3x37x16xf32>
  %58 = linalg.fill ins(%cst : f32) outs(%57 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %59 = linalg.batch_matmul ins(%55, %56 : tensor<3x37x37xf32>, tensor<3x37x16xf32>) outs(%58 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %60 = tensor.expand_shape %59 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  return %60 : tensor<1x3x37x16xf32>
}
