// LFM2's operator: a projection, a causal convolution of three tokens between two gates, another
// projection. What the second projection reads is computed from tokens by channels and from
// channels by tokens, and is stored.

// RUN: linalg-ext-check-program %s --max-kernels=5 --max-buffer-bytes=140000
// RUN: linalg-ext-check-program %s --targets=gpu --gpu-options=chip=gfx942

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 + d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @gated_short_convolution(%arg0: tensor<2x70x48xf32>, %arg1: tensor<144x48xf32>, %arg2: tensor<48x3xf32>, %arg3: tensor<48x48xf32>, %arg4: tensor<48xf32>) -> tensor<2x70x48xf32> {
  %cst = arith.constant 9.99999997E-7 : f32
  %cst_0 = arith.constant 4.800000e+01 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x70x48xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x70x48xf32>, tensor<2x70x48xf32>) outs(%0 : tensor<2x70x48xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %38 = arith.mulf %in, %in_7 : f32
    linalg.yield %38 : f32
  } -> tensor<2x70x48xf32>
  %2 = tensor.empty() : tensor<2x70x1xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<2x70x1xf32>) -> tensor<2x70x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x70x48xf32>) outs(%3 : tensor<2x70x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.addf %in, %out : f32
    linalg.yield %38 : f32
  } -> tensor<2x70x1xf32>
  %5 = tensor.empty() : tensor<2x70x1xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x70x1xf32>) outs(%5 : tensor<2x70x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.divf %in, %cst_0 : f32
    linalg.yield %38 : f32
  } -> tensor<2x70x1xf32>
  %7 = tensor.empty() : tensor<2x70x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x70x1xf32>) outs(%7 : tensor<2x70x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.addf %in, %cst : f32
    linalg.yield %38 : f32
  } -> tensor<2x70x1xf32>
  %9 = tensor.empty() : tensor<2x70x1xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x70x1xf32>) outs(%9 : tensor<2x70x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = math.rsqrt %in : f32
    linalg.yield %38 : f32
  } -> tensor<2x70x1xf32>
  %11 = tensor.empty() : tensor<2x70x48xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %10 : tensor<2x70x48xf32>, tensor<2x70x1xf32>) outs(%11 : tensor<2x70x48xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %38 = arith.mulf %in, %in_7 : f32
    linalg.yield %38 : f32
  } -> tensor<2x70x48xf32>
  %13 = tensor.empty() : tensor<2x70x48xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %arg4 : tensor<2x70x48xf32>, tensor<48xf32>) outs(%13 : tensor<2x70x48xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %38 = arith.mulf %in, %in_7 : f32
    linalg.yield %38 : f32
  } -> tensor<2x70x48xf32>
  %15 = tensor.empty() : tensor<48x144xf32>
  %transposed = linalg.transpose ins(%arg1 : tensor<144x48xf32>) outs(%15 : tensor<48x144xf32>) permutation = [1, 0] 
  %16 = tensor.empty() : tensor<2x48x144xf32>
  %17 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<48x144xf32>) outs(%16 : tensor<2x48x144xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x48x144xf32>
  %18 = tensor.empty() : tensor<2x70x144xf32>
  %19 = linalg.fill ins(%cst_1 : f32) outs(%18 : tensor<2x70x144xf32>) -> tensor<2x70x144xf32>
  %20 = linalg.batch_matmul ins(%14, %17 : tensor<2x70x48xf32>, tensor<2x48x144xf32>) outs(%19 : tensor<2x70x144xf32>) -> tensor<2x70x144xf32>
  %21 = tensor.empty() : tensor<2x144x70xf32>
  %transposed_2 = linalg.transpose ins(%20 : tensor<2x70x144xf32>) outs(%21 : tensor<2x144x70xf32>) permutation = [0, 2, 1] 
  %extracted_slice = tensor.extract_slice %transposed_2[0, 0, 0] [2, 48, 70] [1, 1, 1] : tensor<2x144x70xf32> to tensor<2x48x70xf32>
  %extracted_slice_3 = tensor.extract_slice %transposed_2[0, 48, 0] [2, 48, 70] [1, 1, 1] : tensor<2x144x70xf32> to tensor<2x48x70xf32>
  %extracted_slice_4 = tensor.extract_slice %transposed_2[0, 96, 0] [2, 48, 70] [1, 1, 1] : tensor<2x144x70xf32> to tensor<2x48x70xf32>
  %22 = tensor.empty() : tensor<2x48x70xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice, %extracted_slice_4 : tensor<2x48x70xf32>, tensor<2x48x70xf32>) outs(%22 : tensor<2x48x70xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %38 = arith.mulf %in, %in_7 : f32
    linalg.yield %38 : f32
  } -> tensor<2x48x70xf32>
  %padded = tensor.pad %23 low[0, 0, 2] high[0, 0, 0] {
  ^bb0(%arg5: index, %arg6: index, %arg7: index):
    tensor.yield %cst_1 : f32
  } : tensor<2x48x70xf32> to tensor<2x48x72xf32>
  %24 = tensor.empty() : tensor<2x48x70xf32>
  %25 = linalg.fill ins(%cst_1 : f32) outs(%24 : tensor<2x48x70xf32>) -> tensor<2x48x70xf32>
  %26 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%padded, %arg2 : tensor<2x48x72xf32>, tensor<48x3xf32>) outs(%25 : tensor<2x48x70xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %38 = arith.mulf %in, %in_7 : f32
    %39 = arith.addf %out, %38 : f32
    linalg.yield %39 : f32
  } -> tensor<2x48x70xf32>
  %27 = tensor.empty() : tensor<2x48x70xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_3, %26 : tensor<2x48x70xf32>, tensor<2x48x70xf32>) outs(%27 : tensor<2x48x70xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %38 = arith.mulf %in, %in_7 : f32
    linalg.yield %38 : f32
  } -> tensor<2x48x70xf32>
  %29 = tensor.empty() : tensor<2x70x48xf32>
  %transposed_5 = linalg.transpose ins(%28 : tensor<2x48x70xf32>) outs(%29 : tensor<2x70x48xf32>) permutation = [0, 2, 1] 
  %30 = tensor.empty() : tensor<48x48xf32>
  %transposed_6 = linalg.transpose ins(%arg3 : tensor<48x48xf32>) outs(%30 : tensor<48x48xf32>) permutation = [1, 0] 
  %31 = tensor.empty() : tensor<2x48x48xf32>
  %32 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_6 : tensor<48x48xf32>) outs(%31 : tensor<2x48x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x48x48xf32>
  %33 = tensor.empty() : tensor<2x70x48xf32>
  %34 = linalg.fill ins(%cst_1 : f32) outs(%33 : tensor<2x70x48xf32>) -> tensor<2x70x48xf32>
  %35 = linalg.batch_matmul ins(%transposed_5, %32 : tensor<2x70x48xf32>, tensor<2x48x48xf32>) outs(%34 : tensor<2x70x48xf32>) -> tensor<2x70x48xf32>
  %36 = tensor.empty() : tensor<2x70x48xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %35 : tensor<2x70x48xf32>, tensor<2x70x48xf32>) outs(%36 : tensor<2x70x48xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %38 = arith.addf %in, %in_7 : f32
    linalg.yield %38 : f32
  } -> tensor<2x70x48xf32>
  return %37 : tensor<2x70x48xf32>
}
