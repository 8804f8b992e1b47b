// KIVI: a cache of 2 bits. Keys have scales of columns in groups of 32 tokens, and four tokens are
// in a byte. Values have scales of rows, and four columns are in a byte. One query: subgroups
// share the keys, and each part of them gathers its bytes.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=1000
// RUN: linalg-ext-check-program %s --targets=gpu --gpu-options=chip=gfx942 --max-kernels=1

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>

func.func @cache_of_two_bits(%arg0: tensor<2x1x128xf16> {check.draw = "uniform -1 1"}, %arg1: tensor<2x64x128xi8> {check.draw = "uniform -128 127"}, %arg2: tensor<2x8x128xf16> {check.draw = "uniform 0.05 0.1"}, %arg3: tensor<2x8x128xf16> {check.draw = "uniform -0.2 0.2"}, %arg4: tensor<2x256x32xi8> {check.draw = "uniform -128 127"}, %arg5: tensor<2x256x1xf16> {check.draw = "uniform 0.05 0.1"}, %arg6: tensor<2x256x1xf16> {check.draw = "uniform -0.2 0.2"}) -> tensor<2x1x128xf16> {
  %cst = arith.constant 0.000000e+00 : f16
  %cst_0 = arith.constant 0xFC00 : f16
  %cst_1 = arith.constant 8.837890e-02 : f16
  %cst_2 = arith.constant 0.000000e+00 : f32
  %c6_i8 = arith.constant 6 : i8
  %c4_i8 = arith.constant 4 : i8
  %c2_i8 = arith.constant 2 : i8
  %c3_i8 = arith.constant 3 : i8
  %0 = tensor.empty() : tensor<2x64x128xi8>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x64x128xi8>) outs(%0 : tensor<2x64x128xi8>) {
  ^bb0(%in: i8, %out: i8):
    %53 = arith.andi %in, %c3_i8 : i8
    linalg.yield %53 : i8
  } -> tensor<2x64x128xi8>
  %expanded = tensor.expand_shape %1 [[0], [1], [2, 3]] output_shape [2, 64, 1, 128] : tensor<2x64x128xi8> into tensor<2x64x1x128xi8>
  %2 = tensor.empty() : tensor<2x64x128xi8>
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x64x128xi8>) outs(%2 : tensor<2x64x128xi8>) {
  ^bb0(%in: i8, %out: i8):
    %53 = arith.shrui %in, %c2_i8 : i8
    %54 = arith.andi %53, %c3_i8 : i8
    linalg.yield %54 : i8
  } -> tensor<2x64x128xi8>
  %expanded_3 = tensor.expand_shape %3 [[0], [1], [2, 3]] output_shape [2, 64, 1, 128] : tensor<2x64x128xi8> into tensor<2x64x1x128xi8>
  %4 = tensor.empty() : tensor<2x64x128xi8>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x64x128xi8>) outs(%4 : tensor<2x64x128xi8>) {
  ^bb0(%in: i8, %out: i8):
    %53 = arith.shrui %in, %c4_i8 : i8
    %54 = arith.andi %53, %c3_i8 : i8
    linalg.yield %54 : i8
  } -> tensor<2x64x128xi8>
  %expanded_4 = tensor.expand_shape %5 [[0], [1], [2, 3]] output_shape [2, 64, 1, 128] : tensor<2x64x128xi8> into tensor<2x64x1x128xi8>
  %6 = tensor.empty() : tensor<2x64x128xi8>
  %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x64x128xi8>) outs(%6 : tensor<2x64x128xi8>) {
  ^bb0(%in: i8, %out: i8):
    %53 = arith.shrui %in, %c6_i8 : i8
    %54 = arith.andi %53, %c3_i8 : i8
    linalg.yield %54 : i8
  } -> tensor<2x64x128xi8>
  %expanded_5 = tensor.expand_shape %7 [[0], [1], [2, 3]] output_shape [2, 64, 1, 128] : tensor<2x64x128xi8> into tensor<2x64x1x128xi8>
  %concat = tensor.concat dim(2) %expanded, %expanded_3, %expanded_4, %expanded_5 : (tensor<2x64x1x128xi8>, tensor<2x64x1x128xi8>, tensor<2x64x1x128xi8>, tensor<2x64x1x128xi8>) -> tensor<2x64x4x128xi8>
  %collapsed = tensor.collapse_shape %concat [[0], [1, 2], [3]] : tensor<2x64x4x128xi8> into tensor<2x256x128xi8>
  %8 = tensor.empty() : tensor<2x256x128xf16>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<2x256x128xi8>) outs(%8 : tensor<2x256x128xf16>) {
  ^bb0(%in: i8, %out: f16):
    %53 = arith.sitofp %in : i8 to f16
    linalg.yield %53 : f16
  } -> tensor<2x256x128xf16>
  %expanded_6 = tensor.expand_shape %9 [[0], [1, 2], [3]] output_shape [2, 8, 32, 128] : tensor<2x256x128xf16> into tensor<2x8x32x128xf16>
  %expanded_7 = tensor.expand_shape %arg2 [[0], [1], [2, 3]] output_shape [2, 8, 1, 128] : tensor<2x8x128xf16> into tensor<2x8x1x128xf16>
  %10 = tensor.empty() : tensor<2x8x32x128xf16>
  %11 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6, %expanded_7 : tensor<2x8x32x128xf16>, tensor<2x8x1x128xf16>) outs(%10 : tensor<2x8x32x128xf16>) {
  ^bb0(%in: f16, %in_17: f16, %out: f16):
    %53 = arith.mulf %in, %in_17 : f16
    linalg.yield %53 : f16
  } -> tensor<2x8x32x128xf16>
  %expanded_8 = tensor.expand_shape %arg3 [[0], [1], [2, 3]] output_shape [2, 8, 1, 128] : tensor<2x8x128xf16> into tensor<2x8x1x128xf16>
  %12 = tensor.empty() : tensor<2x8x32x128xf16>
  %13 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %expanded_8 : tensor<2x8x32x128xf16>, tensor<2x8x1x128xf16>) outs(%12 : tensor<2x8x32x128xf16>) {
  ^bb0(%in: f16, %in_17: f16, %out: f16):
    %53 = arith.addf %in, %in_17 : f16
    linalg.yield %53 : f16
  } -> tensor<2x8x32x128xf16>
  %14 = tensor.empty() : tensor<2x256x32xi8>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<2x256x32xi8>) outs(%14 : tensor<2x256x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %53 = arith.andi %in, %c3_i8 : i8
    linalg.yield %53 : i8
  } -> tensor<2x256x32xi8>
  %expanded_9 = tensor.expand_shape %15 [[0], [1], [2, 3]] output_shape [2, 256, 32, 1] : tensor<2x256x32xi8> into tensor<2x256x32x1xi8>
  %16 = tensor.empty() : tensor<2x256x32xi8>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<2x256x32xi8>) outs(%16 : tensor<2x256x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %53 = arith.shrui %in, %c2_i8 : i8
    %54 = arith.andi %53, %c3_i8 : i8
    linalg.yield %54 : i8
  } -> tensor<2x256x32xi8>
  %expanded_10 = tensor.expand_shape %17 [[0], [1], [2, 3]] output_shape [2, 256, 32, 1] : tensor<2x256x32xi8> into tensor<2x256x32x1xi8>
  %18 = tensor.empty() : tensor<2x256x32xi8>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<2x256x32xi8>) outs(%18 : tensor<2x256x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %53 = arith.shrui %in, %c4_i8 : i8
    %54 = arith.andi %53, %c3_i8 : i8
    linalg.yield %54 : i8
  } -> tensor<2x256x32xi8>
  %expanded_11 = tensor.expand_shape %19 [[0], [1], [2, 3]] output_shape [2, 256, 32, 1] : tensor<2x256x32xi8> into tensor<2x256x32x1xi8>
  %20 = tensor.empty() : tensor<2x256x32xi8>
  %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<2x256x32xi8>) outs(%20 : tensor<2x256x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %53 = arith.shrui %in, %c6_i8 : i8
    %54 = arith.andi %53, %c3_i8 : i8
    linalg.yield %54 : i8
  } -> tensor<2x256x32xi8>
  %expanded_12 = tensor.expand_shape %21 [[0], [1], [2, 3]] output_shape [2, 256, 32, 1] : tensor<2x256x32xi8> into tensor<2x256x32x1xi8>
  %concat_13 = tensor.concat dim(3) %expanded_9, %expanded_10, %expanded_11, %expanded_12 : (tensor<2x256x32x1xi8>, tensor<2x256x32x1xi8>, tensor<2x256x32x1xi8>, tensor<2x256x32x1xi8>) -> tensor<2x256x32x4xi8>
  %collapsed_14 = tensor.collapse_shape %concat_13 [[0], [1], [2, 3]] : tensor<2x256x32x4xi8> into tensor<2x256x128xi8>
  %22 = tensor.empty() : tensor<2x256x128xf16>
  %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_14 : tensor<2x256x128xi8>) outs(%22 : tensor<2x256x128xf16>) {
  ^bb0(%in: i8, %out: f16):
    %53 = arith.sitofp %in : i8 to f16
    linalg.yield %53 : f16
  } -> tensor<2x256x128xf16>
  %24 = tensor.empty() : tensor<2x256x128xf16>
  %25 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %arg5 : tensor<2x256x128xf16>, tensor<2x256x1xf16>) outs(%24 : tensor<2x256x128xf16>) {
  ^bb0(%in: f16, %in_17: f16, %out: f16):
    %53 = arith.mulf %in, %in_17 : f16
    linalg.yield %53 : f16
  } -> tensor<2x256x128xf16>
  %26 = tensor.empty() : tensor<2x256x128xf16>
  %27 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %arg6 : tensor<2x256x128xf16>, tensor<2x256x1xf16>) outs(%26 : tensor<2x256x128xf16>) {
  ^bb0(%in: f16, %in_17: f16, %out: f16):
    %53 = arith.addf %in, %in_17 : f16
    linalg.yield %53 : f16
  } -> tensor<2x256x128xf16>
  %collapsed_15 = tensor.collapse_shape %13 [[0], [1, 2], [3]] : tensor<2x8x32x128xf16> into tensor<2x256x128xf16>
  %28 = tensor.empty() : tensor<2x128x256xf16>
  %transposed = linalg.transpose ins(%collapsed_15 : tensor<2x256x128xf16>) outs(%28 : tensor<2x128x256xf16>) permutation = [0, 2, 1] 
  %29 = tensor.empty() : tensor<2x1x256xf32>
  %30 = linalg.fill ins(%cst_2 : f32) outs(%29 : tensor<2x1x256xf32>) -> tensor<2x1x256xf32>
  %31 = linalg.batch_matmul ins(%arg0, %transposed : tensor<2x1x128xf16>, tensor<2x128x256xf16>) outs(%30 : tensor<2x1x256xf32>) -> tensor<2x1x256xf32>
  %32 = tensor.empty() : tensor<2x1x256xf16>
  %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<2x1x256xf32>) outs(%32 : tensor<2x1x256xf16>) {
  ^bb0(%in: f32, %out: f16):
    %53 = arith.truncf %in : f32 to f16
    linalg.yield %53 : f16
  } -> tensor<2x1x256xf16>
  %34 = tensor.empty() : tensor<2x1x256xf16>
  %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<2x1x256xf16>) outs(%34 : tensor<2x1x256xf16>) {
  ^bb0(%in: f16, %out: f16):
    %53 = arith.mulf %in, %cst_1 : f16
    linalg.yield %53 : f16
  } -> tensor<2x1x256xf16>
  %36 = tensor.empty() : tensor<2x1xf16>
  %37 = linalg.fill ins(%cst_0 : f16) outs(%36 : tensor<2x1xf16>) -> tensor<2x1xf16>
  %38 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%35 : tensor<2x1x256xf16>) outs(%37 : tensor<2x1xf16>) {
  ^bb0(%in: f16, %out: f16):
    %53 = arith.maximumf %in, %out : f16
    linalg.yield %53 : f16
  } -> tensor<2x1xf16>
  %expanded_16 = tensor.expand_shape %38 [[0], [1, 2]] output_shape [2, 1, 1] : tensor<2x1xf16> into tensor<2x1x1xf16>
  %39 = tensor.empty() : tensor<2x1x256xf16>
  %40 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35, %expanded_16 : tensor<2x1x256xf16>, tensor<2x1x1xf16>) outs(%39 : tensor<2x1x256xf16>) {
  ^bb0(%in: f16, %in_17: f16, %out: f16):
    %53 = arith.subf %in, %in_17 : f16
    linalg.yield %53 : f16
  } -> tensor<2x1x256xf16>
  %41 = tensor.empty() : tensor<2x1x256xf16>
  %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40 : tensor<2x1x256xf16>) outs(%41 : tensor<2x1x256xf16>) {
  ^bb0(%in: f16, %out: f16):
    %53 = math.exp %in : f16
    linalg.yield %53 : f16
  } -> tensor<2x1x256xf16>
  %43 = tensor.empty() : tensor<2x1x1xf16>
  %44 = linalg.fill ins(%cst : f16) outs(%43 : tensor<2x1x1xf16>) -> tensor<2x1x1xf16>
  %45 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%42 : tensor<2x1x256xf16>) outs(%44 : tensor<2x1x1xf16>) {
  ^bb0(%in: f16, %out: f16):
    %53 = arith.addf %in, %out : f16
    linalg.yield %53 : f16
  } -> tensor<2x1x1xf16>
  %46 = tensor.empty() : tensor<2x1x256xf16>
  %47 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42, %45 : tensor<2x1x256xf16>, tensor<2x1x1xf16>) outs(%46 : tensor<2x1x256xf16>) {
  ^bb0(%in: f16, %in_17: f16, %out: f16):
    %53 = arith.divf %in, %in_17 : f16
    linalg.yield %53 : f16
  } -> tensor<2x1x256xf16>
  %48 = tensor.empty() : tensor<2x1x128xf32>
  %49 = linalg.fill ins(%cst_2 : f32) outs(%48 : tensor<2x1x128xf32>) -> tensor<2x1x128xf32>
  %50 = linalg.batch_matmul ins(%47, %27 : tensor<2x1x256xf16>, tensor<2x256x128xf16>) outs(%49 : tensor<2x1x128xf32>) -> tensor<2x1x128xf32>
  %51 = tensor.empty() : tensor<2x1x128xf16>
  %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50 : tensor<2x1x128xf32>) outs(%51 : tensor<2x1x128xf16>) {
  ^bb0(%in: f32, %out: f16):
    %53 = arith.truncf %in : f32 to f16
    linalg.yield %53 : f16
  } -> tensor<2x1x128xf16>
  return %52 : tensor<2x1x128xf16>
}
