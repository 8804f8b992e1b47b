// Attention between normalized channels (Restormer, XCiT): the tokens are summed for the scores,
// and are the columns of the result, in three tiles. The scores are stored.

// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=5

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @channel_attention(%arg0: tensor<1x2x48x530xf32>, %arg1: tensor<1x2x48x530xf32>, %arg2: tensor<1x2x48x530xf32>, %arg3: tensor<2x1x1xf32>) -> tensor<1x2x48x530xf32> {
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 9.99999997E-7 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x2x48x530xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<1x2x48x530xf32>, tensor<1x2x48x530xf32>) outs(%0 : tensor<1x2x48x530xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %43 = arith.mulf %in, %in_7 : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x530xf32>
  %2 = tensor.empty() : tensor<1x2x48x1xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<1x2x48x530xf32>) outs(%3 : tensor<1x2x48x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = arith.addf %in, %out : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x1xf32>
  %5 = tensor.empty() : tensor<1x2x48x1xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x2x48x1xf32>) outs(%5 : tensor<1x2x48x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = arith.addf %in, %cst_0 : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x1xf32>
  %7 = tensor.empty() : tensor<1x2x48x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x2x48x1xf32>) outs(%7 : tensor<1x2x48x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = math.rsqrt %in : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x1xf32>
  %9 = tensor.empty() : tensor<1x2x48x530xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<1x2x48x530xf32>, tensor<1x2x48x1xf32>) outs(%9 : tensor<1x2x48x530xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %43 = arith.mulf %in, %in_7 : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x530xf32>
  %11 = tensor.empty() : tensor<1x2x48x530xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %arg1 : tensor<1x2x48x530xf32>, tensor<1x2x48x530xf32>) outs(%11 : tensor<1x2x48x530xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %43 = arith.mulf %in, %in_7 : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x530xf32>
  %13 = tensor.empty() : tensor<1x2x48x1xf32>
  %14 = linalg.fill ins(%cst_1 : f32) outs(%13 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<1x2x48x530xf32>) outs(%14 : tensor<1x2x48x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = arith.addf %in, %out : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x1xf32>
  %16 = tensor.empty() : tensor<1x2x48x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x2x48x1xf32>) outs(%16 : tensor<1x2x48x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = arith.addf %in, %cst_0 : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x1xf32>
  %18 = tensor.empty() : tensor<1x2x48x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x2x48x1xf32>) outs(%18 : tensor<1x2x48x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = math.rsqrt %in : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x1xf32>
  %20 = tensor.empty() : tensor<1x2x48x530xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %19 : tensor<1x2x48x530xf32>, tensor<1x2x48x1xf32>) outs(%20 : tensor<1x2x48x530xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %43 = arith.mulf %in, %in_7 : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x530xf32>
  %22 = tensor.empty() : tensor<1x2x530x48xf32>
  %transposed = linalg.transpose ins(%21 : tensor<1x2x48x530xf32>) outs(%22 : tensor<1x2x530x48xf32>) permutation = [0, 1, 3, 2] 
  %collapsed = tensor.collapse_shape %10 [[0, 1], [2], [3]] : tensor<1x2x48x530xf32> into tensor<2x48x530xf32>
  %collapsed_2 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x530x48xf32> into tensor<2x530x48xf32>
  %23 = tensor.empty() : tensor<2x48x48xf32>
  %24 = linalg.fill ins(%cst_1 : f32) outs(%23 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
  %25 = linalg.batch_matmul ins(%collapsed, %collapsed_2 : tensor<2x48x530xf32>, tensor<2x530x48xf32>) outs(%24 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
  %expanded = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [1, 2, 48, 48] : tensor<2x48x48xf32> into tensor<1x2x48x48xf32>
  %26 = tensor.empty() : tensor<1x2x48x48xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %arg3 : tensor<1x2x48x48xf32>, tensor<2x1x1xf32>) outs(%26 : tensor<1x2x48x48xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %43 = arith.mulf %in, %in_7 : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x48xf32>
  %28 = tensor.empty() : tensor<1x2x48xf32>
  %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x2x48x48xf32>) outs(%29 : tensor<1x2x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = arith.maximumf %in, %out : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48xf32>
  %expanded_3 = tensor.expand_shape %30 [[0], [1], [2, 3]] output_shape [1, 2, 48, 1] : tensor<1x2x48xf32> into tensor<1x2x48x1xf32>
  %31 = tensor.empty() : tensor<1x2x48x48xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %expanded_3 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%31 : tensor<1x2x48x48xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %43 = arith.subf %in, %in_7 : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x48xf32>
  %33 = tensor.empty() : tensor<1x2x48x48xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x48x48xf32>) outs(%33 : tensor<1x2x48x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = math.exp %in : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x48xf32>
  %35 = tensor.empty() : tensor<1x2x48x1xf32>
  %36 = linalg.fill ins(%cst_1 : f32) outs(%35 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x2x48x48xf32>) outs(%36 : tensor<1x2x48x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %43 = arith.addf %in, %out : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x1xf32>
  %38 = tensor.empty() : tensor<1x2x48x48xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %37 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%38 : tensor<1x2x48x48xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %43 = arith.divf %in, %in_7 : f32
    linalg.yield %43 : f32
  } -> tensor<1x2x48x48xf32>
  %collapsed_4 = tensor.collapse_shape %39 [[0, 1], [2], [3]] : tensor<1x2x48x48xf32> into tensor<2x48x48xf32>
  %collapsed_5 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x48x530xf32> into tensor<2x48x530xf32>
  %40 = tensor.empty() : tensor<2x48x530xf32>
  %41 = linalg.fill ins(%cst_1 : f32) outs(%40 : tensor<2x48x530xf32>) -> tensor<2x48x530xf32>
  %42 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<2x48x48xf32>, tensor<2x48x530xf32>) outs(%41 : tensor<2x48x530xf32>) -> tensor<2x48x530xf32>
  %expanded_6 = tensor.expand_shape %42 [[0, 1], [2], [3]] output_shape [1, 2, 48, 530] : tensor<2x48x530xf32> into tensor<1x2x48x530xf32>
  return %expanded_6 : tensor<1x2x48x530xf32>
}
