// ConvNeXt's block: a depthwise convolution 7 x 7, a norm of channels, two products with GELU, a
// scale. Rows of an image are short: the products are two kernels with tiles of both of its
// dimensions.

// RUN: linalg-ext-check-program %s --max-kernels=6 --max-buffer-bytes=130000
// RUN: linalg-ext-check-program %s --targets=gpu --gpu-options=chip=gfx942

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4, d3 + d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d4, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> (d1)>

func.func @convnext_block(%arg0: tensor<2x16x14x14xf32>, %arg1: tensor<16x7x7xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<64x16xf32>, %arg6: tensor<64xf32>, %arg7: tensor<16x64xf32>, %arg8: tensor<16xf32>, %arg9: tensor<16xf32>) -> tensor<2x16x14x14xf32> {
  %cst = arith.constant 0.707106829 : f32
  %cst_0 = arith.constant 1.000000e+00 : f32
  %cst_1 = arith.constant 5.000000e-01 : f32
  %cst_2 = arith.constant 9.99999974E-6 : f32
  %cst_3 = arith.constant 1.600000e+01 : f32
  %cst_4 = arith.constant 0.000000e+00 : f32
  %padded = tensor.pad %arg0 low[0, 0, 3, 3] high[0, 0, 3, 3] {
  ^bb0(%arg10: index, %arg11: index, %arg12: index, %arg13: index):
    tensor.yield %cst_4 : f32
  } : tensor<2x16x14x14xf32> to tensor<2x16x20x20xf32>
  %0 = tensor.empty() : tensor<2x16x14x14xf32>
  %1 = linalg.fill ins(%cst_4 : f32) outs(%0 : tensor<2x16x14x14xf32>) -> tensor<2x16x14x14xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%padded, %arg1 : tensor<2x16x20x20xf32>, tensor<16x7x7xf32>) outs(%1 : tensor<2x16x14x14xf32>) {
  ^bb0(%in: f32, %in_13: f32, %out: f32):
    %51 = arith.mulf %in, %in_13 : f32
    %52 = arith.addf %out, %51 : f32
    linalg.yield %52 : f32
  } -> tensor<2x16x14x14xf32>
  %expanded = tensor.expand_shape %arg2 [[0, 1, 2]] output_shape [16, 1, 1] : tensor<16xf32> into tensor<16x1x1xf32>
  %3 = tensor.empty() : tensor<2x16x14x14xf32>
  %4 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %expanded : tensor<2x16x14x14xf32>, tensor<16x1x1xf32>) outs(%3 : tensor<2x16x14x14xf32>) {
  ^bb0(%in: f32, %in_13: f32, %out: f32):
    %51 = arith.addf %in, %in_13 : f32
    linalg.yield %51 : f32
  } -> tensor<2x16x14x14xf32>
  %5 = tensor.empty() : tensor<2x14x14x16xf32>
  %transposed = linalg.transpose ins(%4 : tensor<2x16x14x14xf32>) outs(%5 : tensor<2x14x14x16xf32>) permutation = [0, 2, 3, 1] 
  %6 = tensor.empty() : tensor<2x14x14x1xf32>
  %7 = linalg.fill ins(%cst_4 : f32) outs(%6 : tensor<2x14x14x1xf32>) -> tensor<2x14x14x1xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%transposed : tensor<2x14x14x16xf32>) outs(%7 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %51 = arith.addf %in, %out : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x1xf32>
  %9 = tensor.empty() : tensor<2x14x14x1xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<2x14x14x1xf32>) outs(%9 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %51 = arith.divf %in, %cst_3 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x1xf32>
  %11 = tensor.empty() : tensor<2x14x14x16xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed, %10 : tensor<2x14x14x16xf32>, tensor<2x14x14x1xf32>) outs(%11 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_13: f32, %out: f32):
    %51 = arith.subf %in, %in_13 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x16xf32>
  %13 = tensor.empty() : tensor<2x14x14x16xf32>
  %14 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %12 : tensor<2x14x14x16xf32>, tensor<2x14x14x16xf32>) outs(%13 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_13: f32, %out: f32):
    %51 = arith.mulf %in, %in_13 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x16xf32>
  %15 = tensor.empty() : tensor<2x14x14x1xf32>
  %16 = linalg.fill ins(%cst_4 : f32) outs(%15 : tensor<2x14x14x1xf32>) -> tensor<2x14x14x1xf32>
  %17 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<2x14x14x16xf32>) outs(%16 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %51 = arith.addf %in, %out : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x1xf32>
  %18 = tensor.empty() : tensor<2x14x14x1xf32>
  %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<2x14x14x1xf32>) outs(%18 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %51 = arith.divf %in, %cst_3 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x1xf32>
  %20 = tensor.empty() : tensor<2x14x14x1xf32>
  %21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x14x14x1xf32>) outs(%20 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %51 = arith.addf %in, %cst_2 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x1xf32>
  %22 = tensor.empty() : tensor<2x14x14x1xf32>
  %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<2x14x14x1xf32>) outs(%22 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %51 = math.rsqrt %in : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x1xf32>
  %24 = tensor.empty() : tensor<2x14x14x16xf32>
  %25 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %23 : tensor<2x14x14x16xf32>, tensor<2x14x14x1xf32>) outs(%24 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_13: f32, %out: f32):
    %51 = arith.mulf %in, %in_13 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x16xf32>
  %26 = tensor.empty() : tensor<2x14x14x16xf32>
  %27 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %arg3 : tensor<2x14x14x16xf32>, tensor<16xf32>) outs(%26 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_13: f32, %out: f32):
    %51 = arith.mulf %in, %in_13 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x16xf32>
  %28 = tensor.empty() : tensor<2x14x14x16xf32>
  %29 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %arg4 : tensor<2x14x14x16xf32>, tensor<16xf32>) outs(%28 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_13: f32, %out: f32):
    %51 = arith.addf %in, %in_13 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x16xf32>
  %30 = tensor.empty() : tensor<16x64xf32>
  %transposed_5 = linalg.transpose ins(%arg5 : tensor<64x16xf32>) outs(%30 : tensor<16x64xf32>) permutation = [1, 0] 
  %collapsed = tensor.collapse_shape %29 [[0, 1, 2], [3]] : tensor<2x14x14x16xf32> into tensor<392x16xf32>
  %31 = tensor.empty() : tensor<16x64xf32>
  %transposed_6 = linalg.transpose ins(%arg5 : tensor<64x16xf32>) outs(%31 : tensor<16x64xf32>) permutation = [1, 0] 
  %32 = tensor.empty() : tensor<392x64xf32>
  %33 = linalg.fill ins(%cst_4 : f32) outs(%32 : tensor<392x64xf32>) -> tensor<392x64xf32>
  %34 = linalg.matmul ins(%collapsed, %transposed_6 : tensor<392x16xf32>, tensor<16x64xf32>) outs(%33 : tensor<392x64xf32>) -> tensor<392x64xf32>
  %35 = tensor.empty() : tensor<392x64xf32>
  %36 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%34, %arg6 : tensor<392x64xf32>, tensor<64xf32>) outs(%35 : tensor<392x64xf32>) {
  ^bb0(%in: f32, %in_13: f32, %out: f32):
    %51 = arith.addf %in, %in_13 : f32
    linalg.yield %51 : f32
  } -> tensor<392x64xf32>
  %expanded_7 = tensor.expand_shape %36 [[0, 1, 2], [3]] output_shape [2, 14, 14, 64] : tensor<392x64xf32> into tensor<2x14x14x64xf32>
  %37 = tensor.empty() : tensor<2x14x14x64xf32>
  %38 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<2x14x14x64xf32>) outs(%37 : tensor<2x14x14x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %51 = arith.mulf %in, %cst : f32
    %52 = math.erf %51 : f32
    %53 = arith.addf %52, %cst_0 : f32
    %54 = arith.mulf %53, %cst_1 : f32
    %55 = arith.mulf %in, %54 : f32
    linalg.yield %55 : f32
  } -> tensor<2x14x14x64xf32>
  %39 = tensor.empty() : tensor<64x16xf32>
  %transposed_8 = linalg.transpose ins(%arg7 : tensor<16x64xf32>) outs(%39 : tensor<64x16xf32>) permutation = [1, 0] 
  %collapsed_9 = tensor.collapse_shape %38 [[0, 1, 2], [3]] : tensor<2x14x14x64xf32> into tensor<392x64xf32>
  %40 = tensor.empty() : tensor<64x16xf32>
  %transposed_10 = linalg.transpose ins(%arg7 : tensor<16x64xf32>) outs(%40 : tensor<64x16xf32>) permutation = [1, 0] 
  %41 = tensor.empty() : tensor<392x16xf32>
  %42 = linalg.fill ins(%cst_4 : f32) outs(%41 : tensor<392x16xf32>) -> tensor<392x16xf32>
  %43 = linalg.matmul ins(%collapsed_9, %transposed_10 : tensor<392x64xf32>, tensor<64x16xf32>) outs(%42 : tensor<392x16xf32>) -> tensor<392x16xf32>
  %44 = tensor.empty() : tensor<392x16xf32>
  %45 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%43, %arg8 : tensor<392x16xf32>, tensor<16xf32>) outs(%44 : tensor<392x16xf32>) {
  ^bb0(%in: f32, %in_13: f32, %out: f32):
    %51 = arith.addf %in, %in_13 : f32
    linalg.yield %51 : f32
  } -> tensor<392x16xf32>
  %expanded_11 = tensor.expand_shape %45 [[0, 1, 2], [3]] output_shape [2, 14, 14, 16] : tensor<392x16xf32> into tensor<2x14x14x16xf32>
  %46 = tensor.empty() : tensor<2x14x14x16xf32>
  %47 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11, %arg9 : tensor<2x14x14x16xf32>, tensor<16xf32>) outs(%46 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_13: f32, %out: f32):
    %51 = arith.mulf %in, %in_13 : f32
    linalg.yield %51 : f32
  } -> tensor<2x14x14x16xf32>
  %48 = tensor.empty() : tensor<2x16x14x14xf32>
  %transposed_12 = linalg.transpose ins(%47 : tensor<2x14x14x16xf32>) outs(%48 : tensor<2x16x14x14xf32>) permutation = [0, 3, 1, 2] 
  %49 = tensor.empty() : tensor<2x16x14x14xf32>
  %50 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %transposed_12 : tensor<2x16x14x14xf32>, tensor<2x16x14x14xf32>) outs(%49 : tensor<2x16x14x14xf32>) {
  ^bb0(%in: f32, %in_13: f32, %out: f32):
    %51 = arith.addf %in, %in_13 : f32
    linalg.yield %51 : f32
  } -> tensor<2x16x14x14xf32>
  return %50 : tensor<2x16x14x14xf32>
}
