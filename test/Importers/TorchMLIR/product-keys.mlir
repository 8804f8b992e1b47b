// Product keys (PEER): the scores of all pairs of two halves of a query, a softmax over pairs, and
// the values of pairs. Scores are read where the halves are, once for the maximum and the sum.

// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=4

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>

func.func @product_keys(%arg0: tensor<5x2x32xf32>, %arg1: tensor<2x24x16xf32>, %arg2: tensor<2x24x16xf32>, %arg3: tensor<576x16xf32>) -> tensor<10x16xf32> {
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x5x32xf32>
  %transposed = linalg.transpose ins(%arg0 : tensor<5x2x32xf32>) outs(%0 : tensor<2x5x32xf32>) permutation = [1, 0, 2] 
  %extracted_slice = tensor.extract_slice %transposed[0, 0, 0] [2, 5, 16] [1, 1, 1] : tensor<2x5x32xf32> to tensor<2x5x16xf32>
  %1 = tensor.empty() : tensor<2x16x24xf32>
  %transposed_1 = linalg.transpose ins(%arg1 : tensor<2x24x16xf32>) outs(%1 : tensor<2x16x24xf32>) permutation = [0, 2, 1] 
  %2 = tensor.empty() : tensor<2x5x24xf32>
  %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
  %4 = linalg.batch_matmul ins(%extracted_slice, %transposed_1 : tensor<2x5x16xf32>, tensor<2x16x24xf32>) outs(%3 : tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
  %extracted_slice_2 = tensor.extract_slice %transposed[0, 0, 16] [2, 5, 16] [1, 1, 1] : tensor<2x5x32xf32> to tensor<2x5x16xf32>
  %5 = tensor.empty() : tensor<2x16x24xf32>
  %transposed_3 = linalg.transpose ins(%arg2 : tensor<2x24x16xf32>) outs(%5 : tensor<2x16x24xf32>) permutation = [0, 2, 1] 
  %6 = tensor.empty() : tensor<2x5x24xf32>
  %7 = linalg.fill ins(%cst_0 : f32) outs(%6 : tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
  %8 = linalg.batch_matmul ins(%extracted_slice_2, %transposed_3 : tensor<2x5x16xf32>, tensor<2x16x24xf32>) outs(%7 : tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
  %expanded = tensor.expand_shape %4 [[0], [1], [2, 3]] output_shape [2, 5, 24, 1] : tensor<2x5x24xf32> into tensor<2x5x24x1xf32>
  %expanded_4 = tensor.expand_shape %8 [[0], [1], [2, 3]] output_shape [2, 5, 1, 24] : tensor<2x5x24xf32> into tensor<2x5x1x24xf32>
  %9 = tensor.empty() : tensor<2x5x24x24xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_4 : tensor<2x5x24x1xf32>, tensor<2x5x1x24xf32>) outs(%9 : tensor<2x5x24x24xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %26 = arith.addf %in, %in_6 : f32
    linalg.yield %26 : f32
  } -> tensor<2x5x24x24xf32>
  %collapsed = tensor.collapse_shape %10 [[0, 1], [2, 3]] : tensor<2x5x24x24xf32> into tensor<10x576xf32>
  %11 = tensor.empty() : tensor<10xf32>
  %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<10xf32>) -> tensor<10xf32>
  %13 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%collapsed : tensor<10x576xf32>) outs(%12 : tensor<10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.maximumf %in, %out : f32
    linalg.yield %26 : f32
  } -> tensor<10xf32>
  %expanded_5 = tensor.expand_shape %13 [[0, 1]] output_shape [10, 1] : tensor<10xf32> into tensor<10x1xf32>
  %14 = tensor.empty() : tensor<10x576xf32>
  %15 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed, %expanded_5 : tensor<10x576xf32>, tensor<10x1xf32>) outs(%14 : tensor<10x576xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %26 = arith.subf %in, %in_6 : f32
    linalg.yield %26 : f32
  } -> tensor<10x576xf32>
  %16 = tensor.empty() : tensor<10x576xf32>
  %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<10x576xf32>) outs(%16 : tensor<10x576xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = math.exp %in : f32
    linalg.yield %26 : f32
  } -> tensor<10x576xf32>
  %18 = tensor.empty() : tensor<10x1xf32>
  %19 = linalg.fill ins(%cst_0 : f32) outs(%18 : tensor<10x1xf32>) -> tensor<10x1xf32>
  %20 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "reduction"]} ins(%17 : tensor<10x576xf32>) outs(%19 : tensor<10x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.addf %in, %out : f32
    linalg.yield %26 : f32
  } -> tensor<10x1xf32>
  %21 = tensor.empty() : tensor<10x576xf32>
  %22 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%17, %20 : tensor<10x576xf32>, tensor<10x1xf32>) outs(%21 : tensor<10x576xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %26 = arith.divf %in, %in_6 : f32
    linalg.yield %26 : f32
  } -> tensor<10x576xf32>
  %23 = tensor.empty() : tensor<10x16xf32>
  %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<10x16xf32>) -> tensor<10x16xf32>
  %25 = linalg.matmul ins(%22, %arg3 : tensor<10x576xf32>, tensor<576x16xf32>) outs(%24 : tensor<10x16xf32>) -> tensor<10x16xf32>
  return %25 : tensor<10x16xf32>
}
