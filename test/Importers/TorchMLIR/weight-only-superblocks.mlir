// Weights as GGUF's Q4_K has them: superblocks of 64 with two scales in f16, and four blocks of 16
// in each, with scales and minima of 6 bits. A tile of weights is reshaped in the workgroup's
// memory, which is no source of asynchronous copies.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=2000
// RUN: linalg-ext-check-program %s --targets=gpu --gpu-options=chip=sm_80 --max-kernels=1
// RUN: linalg-ext-check-program %s --targets=gpu --gpu-options=chip=gfx942 --max-kernels=1

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @superblocks(%arg0: tensor<5x128xf32>, %arg1: tensor<48x2x32xi8>, %arg2: tensor<48x2x4xi8> {check.draw = "uniform 0 63"}, %arg3: tensor<48x2x4xi8> {check.draw = "uniform 0 63"}, %arg4: tensor<48x2x1xf16> {check.draw = "uniform 0.001 0.01"}, %arg5: tensor<48x2x1xf16> {check.draw = "uniform 0.001 0.01"}) -> tensor<5x48xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c4_i8 = arith.constant 4 : i8
  %c15_i8 = arith.constant 15 : i8
  %0 = tensor.empty() : tensor<48x2x32xi8>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<48x2x32xi8>) outs(%0 : tensor<48x2x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %26 = arith.andi %in, %c15_i8 : i8
    linalg.yield %26 : i8
  } -> tensor<48x2x32xi8>
  %2 = tensor.empty() : tensor<48x2x32xi8>
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<48x2x32xi8>) outs(%2 : tensor<48x2x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %26 = arith.shrui %in, %c4_i8 : i8
    linalg.yield %26 : i8
  } -> tensor<48x2x32xi8>
  %concat = tensor.concat dim(2) %1, %3 : (tensor<48x2x32xi8>, tensor<48x2x32xi8>) -> tensor<48x2x64xi8>
  %4 = tensor.empty() : tensor<48x2x64xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<48x2x64xi8>) outs(%4 : tensor<48x2x64xf32>) {
  ^bb0(%in: i8, %out: f32):
    %26 = arith.sitofp %in : i8 to f32
    linalg.yield %26 : f32
  } -> tensor<48x2x64xf32>
  %6 = tensor.empty() : tensor<48x2x1xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<48x2x1xf16>) outs(%6 : tensor<48x2x1xf32>) {
  ^bb0(%in: f16, %out: f32):
    %26 = arith.extf %in : f16 to f32
    linalg.yield %26 : f32
  } -> tensor<48x2x1xf32>
  %8 = tensor.empty() : tensor<48x2x4xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<48x2x4xi8>) outs(%8 : tensor<48x2x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %26 = arith.sitofp %in : i8 to f32
    linalg.yield %26 : f32
  } -> tensor<48x2x4xf32>
  %10 = tensor.empty() : tensor<48x2x4xf32>
  %11 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %9 : tensor<48x2x1xf32>, tensor<48x2x4xf32>) outs(%10 : tensor<48x2x4xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %26 = arith.mulf %in, %in_2 : f32
    linalg.yield %26 : f32
  } -> tensor<48x2x4xf32>
  %12 = tensor.empty() : tensor<48x2x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5 : tensor<48x2x1xf16>) outs(%12 : tensor<48x2x1xf32>) {
  ^bb0(%in: f16, %out: f32):
    %26 = arith.extf %in : f16 to f32
    linalg.yield %26 : f32
  } -> tensor<48x2x1xf32>
  %14 = tensor.empty() : tensor<48x2x4xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<48x2x4xi8>) outs(%14 : tensor<48x2x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %26 = arith.sitofp %in : i8 to f32
    linalg.yield %26 : f32
  } -> tensor<48x2x4xf32>
  %16 = tensor.empty() : tensor<48x2x4xf32>
  %17 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %15 : tensor<48x2x1xf32>, tensor<48x2x4xf32>) outs(%16 : tensor<48x2x4xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %26 = arith.mulf %in, %in_2 : f32
    linalg.yield %26 : f32
  } -> tensor<48x2x4xf32>
  %expanded = tensor.expand_shape %5 [[0], [1], [2, 3]] output_shape [48, 2, 4, 16] : tensor<48x2x64xf32> into tensor<48x2x4x16xf32>
  %expanded_0 = tensor.expand_shape %11 [[0], [1], [2, 3]] output_shape [48, 2, 4, 1] : tensor<48x2x4xf32> into tensor<48x2x4x1xf32>
  %18 = tensor.empty() : tensor<48x2x4x16xf32>
  %19 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_0 : tensor<48x2x4x16xf32>, tensor<48x2x4x1xf32>) outs(%18 : tensor<48x2x4x16xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %26 = arith.mulf %in, %in_2 : f32
    linalg.yield %26 : f32
  } -> tensor<48x2x4x16xf32>
  %expanded_1 = tensor.expand_shape %17 [[0], [1], [2, 3]] output_shape [48, 2, 4, 1] : tensor<48x2x4xf32> into tensor<48x2x4x1xf32>
  %20 = tensor.empty() : tensor<48x2x4x16xf32>
  %21 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %expanded_1 : tensor<48x2x4x16xf32>, tensor<48x2x4x1xf32>) outs(%20 : tensor<48x2x4x16xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %26 = arith.subf %in, %in_2 : f32
    linalg.yield %26 : f32
  } -> tensor<48x2x4x16xf32>
  %collapsed = tensor.collapse_shape %21 [[0], [1, 2, 3]] : tensor<48x2x4x16xf32> into tensor<48x128xf32>
  %22 = tensor.empty() : tensor<128x48xf32>
  %transposed = linalg.transpose ins(%collapsed : tensor<48x128xf32>) outs(%22 : tensor<128x48xf32>) permutation = [1, 0] 
  %23 = tensor.empty() : tensor<5x48xf32>
  %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<5x48xf32>) -> tensor<5x48xf32>
  %25 = linalg.matmul ins(%arg0, %transposed : tensor<5x128xf32>, tensor<128x48xf32>) outs(%24 : tensor<5x48xf32>) -> tensor<5x48xf32>
  return %25 : tensor<5x48xf32>
}
