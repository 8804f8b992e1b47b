// Latent attention: all heads share the keys, and the values are a part of them.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=6592 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @mla(%q: tensor<1x3x33x20xf32>,
               %latent: tensor<1x1x33x20xf32>) -> tensor<1x3x33x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.23606797749978964e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x3x33x20xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%latent : tensor<1x1x33x20xf32>) outs(%0 : tensor<1x3x33x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x33x20xf32>
  %2 = tensor.extract_slice %1[0, 0, 0, 0] [1, 3, 33, 16] [1, 1, 1, 1] : tensor<1x3x33x20xf32> to tensor<1x3x33x16xf32>
  %3 = tensor.empty() : tensor<1x3x20x33xf32>
  %4 = linalg.transpose ins(%1 : tensor<1x3x33x20xf32>) outs(%3 : tensor<1x3x20x33xf32>) permutation = [0, 1, 3, 2]
  %5 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x33x20xf32> into tensor<3x33x20xf32>
  %6 = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<1x3x20x33xf32> into tensor<3x20x33xf32>
  %7 = tensor.empty() : tensor<3x33x33xf32>
  %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<3x33x33xf32>) -> tensor<3x33x33xf32>
  %9 = linalg.batch_matmul ins(%5, %6 : tensor<3x33x20xf32>, tensor<3x20x33xf32>) outs(%8 : tensor<3x33x33xf32>) -> tensor<3x33x33xf32>
  %10 = tensor.expand_shape %9 [[0, 1], [2], [3]] output_shape [1, 3, 33, 33] : tensor<3x33x33xf32> into tensor<1x3x33x33xf32>
  %11 = tensor.empty() : tensor<1x3x33x33xf32>
  %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x3x33x33xf32>) outs(%11 : tensor<1x3x33x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %13 = arith.truncf %cst_1 : f64 to f32
    %14 = arith.mulf %in, %13 : f32
    linalg.yield %14 : f32
  } -> tensor<1x3x33x33xf32>
  %15 = tensor.empty() : tensor<1x3x33xi64>
  %16 = linalg.fill ins(%cst_2 : i64) outs(%15 : tensor<1x3x33xi64>) -> tensor<1x3x33xi64>
  %17 = tensor.empty() : tensor<1x3x33xf32>
  %18 = linalg.fill ins(%cst_3 : f32) outs(%17 : tensor<1x3x33xf32>) -> tensor<1x3x33xf32>
  %19:2 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<1x3x33x33xf32>) outs(%18, %16 : tensor<1x3x33xf32>, tensor<1x3x33xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %20 = linalg.index 3 : index
    %21 = arith.index_cast %20 : index to i64
    %22 = arith.maximumf %in, %out : f32
    %23 = arith.cmpf ogt, %in, %out : f32
    %24 = arith.select %23, %21, %out_1 : i64
    linalg.yield %22, %24 : f32, i64
  } -> (tensor<1x3x33xf32>, tensor<1x3x33xi64>)
  %25 = tensor.expand_shape %19#0 [[0], [1], [2, 3]] output_shape [1, 3, 33, 1] : tensor<1x3x33xf32> into tensor<1x3x33x1xf32>
  %26 = tensor.empty() : tensor<1x3x33x33xf32>
  %27 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %25 : tensor<1x3x33x33xf32>, tensor<1x3x33x1xf32>) outs(%26 : tensor<1x3x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %28 = arith.subf %in, %in_1 : f32
    linalg.yield %28 : f32
  } -> tensor<1x3x33x33xf32>
  %29 = tensor.empty() : tensor<1x3x33x33xf32>
  %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x3x33x33xf32>) outs(%29 : tensor<1x3x33x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = math.exp %in : f32
    linalg.yield %31 : f32
  } -> tensor<1x3x33x33xf32>
  %32 = tensor.empty() : tensor<1x3x33x1xf32>
  %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<1x3x33x1xf32>) -> tensor<1x3x33x1xf32>
  %34 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<1x3x33x33xf32>) outs(%33 : tensor<1x3x33x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.addf %in, %out : f32
    linalg.yield %35 : f32
  } -> tensor<1x3x33x1xf32>
  %36 = tensor.empty() : tensor<1x3x33x33xf32>
  %37 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %34 : tensor<1x3x33x33xf32>, tensor<1x3x33x1xf32>) outs(%36 : tensor<1x3x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %38 = arith.divf %in, %in_1 : f32
    linalg.yield %38 : f32
  } -> tensor<1x3x33x33xf32>
  %39 = tensor.collapse_shape %37 [[0, 1], [2], [3]] : tensor<1x3x33x33xf32> into tensor<3x33x33xf32>
  %40 = tensor.collapse_shape %2 [[0, 1], [2], [3]] : tensor<1x3x33x16xf32> into tensor<3x33x16xf32>
  %41 = tensor.empty() : tensor<3x33x16xf32>
  %42 = linalg.fill ins(%cst : f32) outs(%41 : tensor<3x33x16xf32>) -> tensor<3x33x16xf32>
  %43 = linalg.batch_matmul ins(%39, %40 : tensor<3x33x33xf32>, tensor<3x33x16xf32>) outs(%42 : tensor<3x33x16xf32>) -> tensor<3x33x16xf32>
  %44 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [1, 3, 33, 16] : tensor<3x33x16xf32> into tensor<1x3x33x16xf32>
  return %44 : tensor<1x3x33x16xf32>
}
