// Past and new keys and values are concatenated.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=1216 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @kv_cache(%q: tensor<1x3x5x16xf16>,
                    %past_k: tensor<1x3x40x16xf16>,
                    %past_v: tensor<1x3x40x16xf16>,
                    %k: tensor<1x3x5x16xf16>,
                    %v: tensor<1x3x5x16xf16>) -> tensor<1x3x5x16xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.concat dim(2) %past_k, %k : (tensor<1x3x40x16xf16>, tensor<1x3x5x16xf16>) -> tensor<1x3x45x16xf16>
  %1 = tensor.concat dim(2) %past_v, %v : (tensor<1x3x40x16xf16>, tensor<1x3x5x16xf16>) -> tensor<1x3x45x16xf16>
  %2 = tensor.empty() : tensor<1x3x16x45xf16>
  %3 = linalg.transpose ins(%0 : tensor<1x3x45x16xf16>) outs(%2 : tensor<1x3x16x45xf16>) permutation = [0, 1, 3, 2]
  %4 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x3x5x16xf16> into tensor<3x5x16xf16>
  %5 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x3x16x45xf16> into tensor<3x16x45xf16>
  %6 = tensor.empty() : tensor<3x5x45xf32>
  %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<3x5x45xf32>) -> tensor<3x5x45xf32>
  %8 = linalg.batch_matmul ins(%4, %5 : tensor<3x5x16xf16>, tensor<3x16x45xf16>) outs(%7 : tensor<3x5x45xf32>) -> tensor<3x5x45xf32>
  %9 = tensor.empty() : tensor<3x5x45xf16>
  %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<3x5x45xf32>) outs(%9 : tensor<3x5x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %11 = arith.truncf %in : f32 to f16
    linalg.yield %11 : f16
  } -> tensor<3x5x45xf16>
  %12 = tensor.expand_shape %10 [[0, 1], [2], [3]] output_shape [1, 3, 5, 45] : tensor<3x5x45xf16> into tensor<1x3x5x45xf16>
  %13 = tensor.empty() : tensor<1x3x5x45xf16>
  %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x3x5x45xf16>) outs(%13 : tensor<1x3x5x45xf16>) {
  ^bb0(%in: f16, %out: f16):
    %15 = arith.truncf %cst_1 : f64 to f16
    %16 = arith.mulf %in, %15 : f16
    linalg.yield %16 : f16
  } -> tensor<1x3x5x45xf16>
  %17 = tensor.empty() : tensor<1x3x5x45xf32>
  %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x3x5x45xf16>) outs(%17 : tensor<1x3x5x45xf32>) {
  ^bb0(%in: f16, %out: f32):
    %19 = arith.extf %in : f16 to f32
    linalg.yield %19 : f32
  } -> tensor<1x3x5x45xf32>
  %20 = tensor.empty() : tensor<1x3x5xi64>
  %21 = linalg.fill ins(%cst_2 : i64) outs(%20 : tensor<1x3x5xi64>) -> tensor<1x3x5xi64>
  %22 = tensor.empty() : tensor<1x3x5xf32>
  %23 = linalg.fill ins(%cst_3 : f32) outs(%22 : tensor<1x3x5xf32>) -> tensor<1x3x5xf32>
  %24:2 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<1x3x5x45xf32>) outs(%23, %21 : tensor<1x3x5xf32>, tensor<1x3x5xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %25 = linalg.index 3 : index
    %26 = arith.index_cast %25 : index to i64
    %27 = arith.maximumf %in, %out : f32
    %28 = arith.cmpf ogt, %in, %out : f32
    %29 = arith.select %28, %26, %out_1 : i64
    linalg.yield %27, %29 : f32, i64
  } -> (tensor<1x3x5xf32>, tensor<1x3x5xi64>)
  %30 = tensor.expand_shape %24#0 [[0], [1], [2, 3]] output_shape [1, 3, 5, 1] : tensor<1x3x5xf32> into tensor<1x3x5x1xf32>
  %31 = tensor.empty() : tensor<1x3x5x45xf32>
  %32 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %30 : tensor<1x3x5x45xf32>, tensor<1x3x5x1xf32>) outs(%31 : tensor<1x3x5x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %33 = arith.subf %in, %in_1 : f32
    linalg.yield %33 : f32
  } -> tensor<1x3x5x45xf32>
  %34 = tensor.empty() : tensor<1x3x5x45xf32>
  %35 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x3x5x45xf32>) outs(%34 : tensor<1x3x5x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %36 = math.exp %in : f32
    linalg.yield %36 : f32
  } -> tensor<1x3x5x45xf32>
  %37 = tensor.empty() : tensor<1x3x5x1xf32>
  %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<1x3x5x1xf32>) -> tensor<1x3x5x1xf32>
  %39 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<1x3x5x45xf32>) outs(%38 : tensor<1x3x5x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %40 = arith.addf %in, %out : f32
    linalg.yield %40 : f32
  } -> tensor<1x3x5x1xf32>
  %41 = tensor.empty() : tensor<1x3x5x45xf32>
  %42 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %39 : tensor<1x3x5x45xf32>, tensor<1x3x5x1xf32>) outs(%41 : tensor<1x3x5x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %43 = arith.divf %in, %in_1 : f32
    linalg.yield %43 : f32
  } -> tensor<1x3x5x45xf32>
  %44 = tensor.empty() : tensor<1x3x5x45xf16>
  %45 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x3x5x45xf32>) outs(%44 : tensor<1x3x5x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %46 = arith.truncf %in : f32 to f16
    linalg.yield %46 : f16
  } -> tensor<1x3x5x45xf16>
  %47 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x3x5x45xf16> into tensor<3x5x45xf16>
  %48 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x3x45x16xf16> into tensor<3x45x16xf16>
  %49 = tensor.empty() : tensor<3x5x16xf32>
  %50 = linalg.fill ins(%cst : f32) outs(%49 : tensor<3x5x16xf32>) -> tensor<3x5x16xf32>
  %51 = linalg.batch_matmul ins(%47, %48 : tensor<3x5x45xf16>, tensor<3x45x16xf16>) outs(%50 : tensor<3x5x16xf32>) -> tensor<3x5x16xf32>
  %52 = tensor.empty() : tensor<3x5x16xf16>
  %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<3x5x16xf32>) outs(%52 : tensor<3x5x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %54 = arith.truncf %in : f32 to f16
    linalg.yield %54 : f16
  } -> tensor<3x5x16xf16>
  %55 = tensor.expand_shape %53 [[0, 1], [2], [3]] output_shape [1, 3, 5, 16] : tensor<3x5x16xf16> into tensor<1x3x5x16xf16>
  return %55 : tensor<1x3x5x16xf16>
}
