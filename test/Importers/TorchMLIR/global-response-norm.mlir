// ConvNeXt V2: activations are divided by the norms of their channels over the image, of which the
// mean is one number for an image. It is stored: one workgroup would compute each image.

// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=5

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d3)>

func.func @global_response_norm(%arg0: tensor<2x28x28x8xf32>, %arg1: tensor<96x8xf32>, %arg2: tensor<96xf32>, %arg3: tensor<8x96xf32>, %arg4: tensor<8xf32>, %arg5: tensor<96xf32>, %arg6: tensor<96xf32>) -> tensor<2x28x28x8xf32> {
  %cst = arith.constant 9.99999997E-7 : f32
  %cst_0 = arith.constant 9.600000e+01 : f32
  %cst_1 = arith.constant 0.707106829 : f32
  %cst_2 = arith.constant 1.000000e+00 : f32
  %cst_3 = arith.constant 5.000000e-01 : f32
  %cst_4 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x96xf32>
  %transposed = linalg.transpose ins(%arg1 : tensor<96x8xf32>) outs(%0 : tensor<8x96xf32>) permutation = [1, 0] 
  %collapsed = tensor.collapse_shape %arg0 [[0, 1, 2], [3]] : tensor<2x28x28x8xf32> into tensor<1568x8xf32>
  %1 = tensor.empty() : tensor<8x96xf32>
  %transposed_5 = linalg.transpose ins(%arg1 : tensor<96x8xf32>) outs(%1 : tensor<8x96xf32>) permutation = [1, 0] 
  %2 = tensor.empty() : tensor<1568x96xf32>
  %3 = linalg.fill ins(%cst_4 : f32) outs(%2 : tensor<1568x96xf32>) -> tensor<1568x96xf32>
  %4 = linalg.matmul ins(%collapsed, %transposed_5 : tensor<1568x8xf32>, tensor<8x96xf32>) outs(%3 : tensor<1568x96xf32>) -> tensor<1568x96xf32>
  %5 = tensor.empty() : tensor<1568x96xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %arg2 : tensor<1568x96xf32>, tensor<96xf32>) outs(%5 : tensor<1568x96xf32>) {
  ^bb0(%in: f32, %in_10: f32, %out: f32):
    %42 = arith.addf %in, %in_10 : f32
    linalg.yield %42 : f32
  } -> tensor<1568x96xf32>
  %expanded = tensor.expand_shape %6 [[0, 1, 2], [3]] output_shape [2, 28, 28, 96] : tensor<1568x96xf32> into tensor<2x28x28x96xf32>
  %7 = tensor.empty() : tensor<2x28x28x96xf32>
  %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x28x28x96xf32>) outs(%7 : tensor<2x28x28x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.mulf %in, %cst_1 : f32
    %43 = math.erf %42 : f32
    %44 = arith.addf %43, %cst_2 : f32
    %45 = arith.mulf %44, %cst_3 : f32
    %46 = arith.mulf %in, %45 : f32
    linalg.yield %46 : f32
  } -> tensor<2x28x28x96xf32>
  %9 = tensor.empty() : tensor<2x28x28x96xf32>
  %10 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<2x28x28x96xf32>, tensor<2x28x28x96xf32>) outs(%9 : tensor<2x28x28x96xf32>) {
  ^bb0(%in: f32, %in_10: f32, %out: f32):
    %42 = arith.mulf %in, %in_10 : f32
    linalg.yield %42 : f32
  } -> tensor<2x28x28x96xf32>
  %11 = tensor.empty() : tensor<2x1x1x96xf32>
  %12 = linalg.fill ins(%cst_4 : f32) outs(%11 : tensor<2x1x1x96xf32>) -> tensor<2x1x1x96xf32>
  %13 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "reduction", "reduction", "parallel"]} ins(%10 : tensor<2x28x28x96xf32>) outs(%12 : tensor<2x1x1x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.addf %in, %out : f32
    linalg.yield %42 : f32
  } -> tensor<2x1x1x96xf32>
  %14 = tensor.empty() : tensor<2x1x1x96xf32>
  %15 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x1x1x96xf32>) outs(%14 : tensor<2x1x1x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = math.sqrt %in : f32
    linalg.yield %42 : f32
  } -> tensor<2x1x1x96xf32>
  %16 = tensor.empty() : tensor<2x1x1x1xf32>
  %17 = linalg.fill ins(%cst_4 : f32) outs(%16 : tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
  %18 = linalg.generic {indexing_maps = [#map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<2x1x1x96xf32>) outs(%17 : tensor<2x1x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.addf %in, %out : f32
    linalg.yield %42 : f32
  } -> tensor<2x1x1x1xf32>
  %19 = tensor.empty() : tensor<2x1x1x1xf32>
  %20 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<2x1x1x1xf32>) outs(%19 : tensor<2x1x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.divf %in, %cst_0 : f32
    linalg.yield %42 : f32
  } -> tensor<2x1x1x1xf32>
  %21 = tensor.empty() : tensor<2x1x1x1xf32>
  %22 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<2x1x1x1xf32>) outs(%21 : tensor<2x1x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.addf %in, %cst : f32
    linalg.yield %42 : f32
  } -> tensor<2x1x1x1xf32>
  %23 = tensor.empty() : tensor<2x1x1x96xf32>
  %24 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %22 : tensor<2x1x1x96xf32>, tensor<2x1x1x1xf32>) outs(%23 : tensor<2x1x1x96xf32>) {
  ^bb0(%in: f32, %in_10: f32, %out: f32):
    %42 = arith.divf %in, %in_10 : f32
    linalg.yield %42 : f32
  } -> tensor<2x1x1x96xf32>
  %25 = tensor.empty() : tensor<2x28x28x96xf32>
  %26 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %24 : tensor<2x28x28x96xf32>, tensor<2x1x1x96xf32>) outs(%25 : tensor<2x28x28x96xf32>) {
  ^bb0(%in: f32, %in_10: f32, %out: f32):
    %42 = arith.mulf %in, %in_10 : f32
    linalg.yield %42 : f32
  } -> tensor<2x28x28x96xf32>
  %27 = tensor.empty() : tensor<2x28x28x96xf32>
  %28 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %arg5 : tensor<2x28x28x96xf32>, tensor<96xf32>) outs(%27 : tensor<2x28x28x96xf32>) {
  ^bb0(%in: f32, %in_10: f32, %out: f32):
    %42 = arith.mulf %in, %in_10 : f32
    linalg.yield %42 : f32
  } -> tensor<2x28x28x96xf32>
  %29 = tensor.empty() : tensor<2x28x28x96xf32>
  %30 = linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %arg6 : tensor<2x28x28x96xf32>, tensor<96xf32>) outs(%29 : tensor<2x28x28x96xf32>) {
  ^bb0(%in: f32, %in_10: f32, %out: f32):
    %42 = arith.addf %in, %in_10 : f32
    linalg.yield %42 : f32
  } -> tensor<2x28x28x96xf32>
  %31 = tensor.empty() : tensor<2x28x28x96xf32>
  %32 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %8 : tensor<2x28x28x96xf32>, tensor<2x28x28x96xf32>) outs(%31 : tensor<2x28x28x96xf32>) {
  ^bb0(%in: f32, %in_10: f32, %out: f32):
    %42 = arith.addf %in, %in_10 : f32
    linalg.yield %42 : f32
  } -> tensor<2x28x28x96xf32>
  %33 = tensor.empty() : tensor<96x8xf32>
  %transposed_6 = linalg.transpose ins(%arg3 : tensor<8x96xf32>) outs(%33 : tensor<96x8xf32>) permutation = [1, 0] 
  %collapsed_7 = tensor.collapse_shape %32 [[0, 1, 2], [3]] : tensor<2x28x28x96xf32> into tensor<1568x96xf32>
  %34 = tensor.empty() : tensor<96x8xf32>
  %transposed_8 = linalg.transpose ins(%arg3 : tensor<8x96xf32>) outs(%34 : tensor<96x8xf32>) permutation = [1, 0] 
  %35 = tensor.empty() : tensor<1568x8xf32>
  %36 = linalg.fill ins(%cst_4 : f32) outs(%35 : tensor<1568x8xf32>) -> tensor<1568x8xf32>
  %37 = linalg.matmul ins(%collapsed_7, %transposed_8 : tensor<1568x96xf32>, tensor<96x8xf32>) outs(%36 : tensor<1568x8xf32>) -> tensor<1568x8xf32>
  %38 = tensor.empty() : tensor<1568x8xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%37, %arg4 : tensor<1568x8xf32>, tensor<8xf32>) outs(%38 : tensor<1568x8xf32>) {
  ^bb0(%in: f32, %in_10: f32, %out: f32):
    %42 = arith.addf %in, %in_10 : f32
    linalg.yield %42 : f32
  } -> tensor<1568x8xf32>
  %expanded_9 = tensor.expand_shape %39 [[0, 1, 2], [3]] output_shape [2, 28, 28, 8] : tensor<1568x8xf32> into tensor<2x28x28x8xf32>
  %40 = tensor.empty() : tensor<2x28x28x8xf32>
  %41 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %expanded_9 : tensor<2x28x28x8xf32>, tensor<2x28x28x8xf32>) outs(%40 : tensor<2x28x28x8xf32>) {
  ^bb0(%in: f32, %in_10: f32, %out: f32):
    %42 = arith.addf %in, %in_10 : f32
    linalg.yield %42 : f32
  } -> tensor<2x28x28x8xf32>
  return %41 : tensor<2x28x28x8xf32>
}
