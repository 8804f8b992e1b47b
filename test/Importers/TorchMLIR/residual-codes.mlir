// Residual quantization (EnCodec, Mimi): the nearest of 24 codes, then the nearest to what is
// left. A code book is one matrix of two, so that scores have a dimension of one element: the
// largest score is chosen along two dimensions.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4000 --max-kernels=5
// RUN: linalg-ext-check-program %s --targets=gpu --gpu-options=chip=gfx942 --max-kernels=5

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0)>

func.func @residual_codes(%arg0: tensor<37x8xf32>, %arg1: tensor<2x24x8xf32>) -> (tensor<37xi64>, tensor<37xi64>, tensor<37x8xf32>) {
  %c0_i64 = arith.constant 0 : i64
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 2.000000e+00 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %extracted_slice = tensor.extract_slice %arg1[0, 0, 0] [1, 24, 8] [1, 1, 1] : tensor<2x24x8xf32> to tensor<1x24x8xf32>
  %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x24x8xf32> into tensor<24x8xf32>
  %0 = tensor.empty() : tensor<8x24xf32>
  %transposed = linalg.transpose ins(%collapsed : tensor<24x8xf32>) outs(%0 : tensor<8x24xf32>) permutation = [1, 0] 
  %1 = tensor.empty() : tensor<37x24xf32>
  %2 = linalg.fill ins(%cst_1 : f32) outs(%1 : tensor<37x24xf32>) -> tensor<37x24xf32>
  %3 = linalg.matmul ins(%arg0, %transposed : tensor<37x8xf32>, tensor<8x24xf32>) outs(%2 : tensor<37x24xf32>) -> tensor<37x24xf32>
  %4 = tensor.empty() : tensor<37x24xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<37x24xf32>) outs(%4 : tensor<37x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = arith.mulf %in, %cst_0 : f32
    linalg.yield %44 : f32
  } -> tensor<37x24xf32>
  %6 = tensor.empty() : tensor<24x8xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed, %collapsed : tensor<24x8xf32>, tensor<24x8xf32>) outs(%6 : tensor<24x8xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %44 = arith.mulf %in, %in_8 : f32
    linalg.yield %44 : f32
  } -> tensor<24x8xf32>
  %8 = tensor.empty() : tensor<24x1xf32>
  %9 = linalg.fill ins(%cst_1 : f32) outs(%8 : tensor<24x1xf32>) -> tensor<24x1xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<24x8xf32>) outs(%9 : tensor<24x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = arith.addf %in, %out : f32
    linalg.yield %44 : f32
  } -> tensor<24x1xf32>
  %collapsed_2 = tensor.collapse_shape %10 [[0, 1]] : tensor<24x1xf32> into tensor<24xf32>
  %expanded = tensor.expand_shape %collapsed_2 [[0, 1]] output_shape [1, 24] : tensor<24xf32> into tensor<1x24xf32>
  %11 = tensor.empty() : tensor<37x24xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %expanded : tensor<37x24xf32>, tensor<1x24xf32>) outs(%11 : tensor<37x24xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %44 = arith.subf %in, %in_8 : f32
    linalg.yield %44 : f32
  } -> tensor<37x24xf32>
  %13 = tensor.empty() : tensor<37xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<37xf32>) -> tensor<37xf32>
  %15 = tensor.empty() : tensor<37xi64>
  %16 = linalg.fill ins(%c0_i64 : i64) outs(%15 : tensor<37xi64>) -> tensor<37xi64>
  %17:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "reduction"]} ins(%12 : tensor<37x24xf32>) outs(%14, %16 : tensor<37xf32>, tensor<37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_8: i64):
    %44 = linalg.index 1 : index
    %45 = arith.index_cast %44 : index to i64
    %46 = arith.maximumf %in, %out : f32
    %47 = arith.cmpf ogt, %in, %out : f32
    %48 = arith.select %47, %45, %out_8 : i64
    linalg.yield %46, %48 : f32, i64
  } -> (tensor<37xf32>, tensor<37xi64>)
  %18 = tensor.empty() : tensor<37x8xf32>
  %19 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%17#1 : tensor<37xi64>) outs(%18 : tensor<37x8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %44 = arith.index_cast %in : i64 to index
    %45 = linalg.index 1 : index
    %extracted = tensor.extract %collapsed[%44, %45] : tensor<24x8xf32>
    linalg.yield %extracted : f32
  } -> tensor<37x8xf32>
  %20 = tensor.empty() : tensor<37x8xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %19 : tensor<37x8xf32>, tensor<37x8xf32>) outs(%20 : tensor<37x8xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %44 = arith.subf %in, %in_8 : f32
    linalg.yield %44 : f32
  } -> tensor<37x8xf32>
  %extracted_slice_3 = tensor.extract_slice %arg1[1, 0, 0] [1, 24, 8] [1, 1, 1] : tensor<2x24x8xf32> to tensor<1x24x8xf32>
  %collapsed_4 = tensor.collapse_shape %extracted_slice_3 [[0, 1], [2]] : tensor<1x24x8xf32> into tensor<24x8xf32>
  %22 = tensor.empty() : tensor<8x24xf32>
  %transposed_5 = linalg.transpose ins(%collapsed_4 : tensor<24x8xf32>) outs(%22 : tensor<8x24xf32>) permutation = [1, 0] 
  %23 = tensor.empty() : tensor<37x24xf32>
  %24 = linalg.fill ins(%cst_1 : f32) outs(%23 : tensor<37x24xf32>) -> tensor<37x24xf32>
  %25 = linalg.matmul ins(%21, %transposed_5 : tensor<37x8xf32>, tensor<8x24xf32>) outs(%24 : tensor<37x24xf32>) -> tensor<37x24xf32>
  %26 = tensor.empty() : tensor<37x24xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<37x24xf32>) outs(%26 : tensor<37x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = arith.mulf %in, %cst_0 : f32
    linalg.yield %44 : f32
  } -> tensor<37x24xf32>
  %28 = tensor.empty() : tensor<24x8xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed_4, %collapsed_4 : tensor<24x8xf32>, tensor<24x8xf32>) outs(%28 : tensor<24x8xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %44 = arith.mulf %in, %in_8 : f32
    linalg.yield %44 : f32
  } -> tensor<24x8xf32>
  %30 = tensor.empty() : tensor<24x1xf32>
  %31 = linalg.fill ins(%cst_1 : f32) outs(%30 : tensor<24x1xf32>) -> tensor<24x1xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%29 : tensor<24x8xf32>) outs(%31 : tensor<24x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = arith.addf %in, %out : f32
    linalg.yield %44 : f32
  } -> tensor<24x1xf32>
  %collapsed_6 = tensor.collapse_shape %32 [[0, 1]] : tensor<24x1xf32> into tensor<24xf32>
  %expanded_7 = tensor.expand_shape %collapsed_6 [[0, 1]] output_shape [1, 24] : tensor<24xf32> into tensor<1x24xf32>
  %33 = tensor.empty() : tensor<37x24xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%27, %expanded_7 : tensor<37x24xf32>, tensor<1x24xf32>) outs(%33 : tensor<37x24xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %44 = arith.subf %in, %in_8 : f32
    linalg.yield %44 : f32
  } -> tensor<37x24xf32>
  %35 = tensor.empty() : tensor<37xf32>
  %36 = linalg.fill ins(%cst : f32) outs(%35 : tensor<37xf32>) -> tensor<37xf32>
  %37 = tensor.empty() : tensor<37xi64>
  %38 = linalg.fill ins(%c0_i64 : i64) outs(%37 : tensor<37xi64>) -> tensor<37xi64>
  %39:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "reduction"]} ins(%34 : tensor<37x24xf32>) outs(%36, %38 : tensor<37xf32>, tensor<37xi64>) {
  ^bb0(%in: f32, %out: f32, %out_8: i64):
    %44 = linalg.index 1 : index
    %45 = arith.index_cast %44 : index to i64
    %46 = arith.maximumf %in, %out : f32
    %47 = arith.cmpf ogt, %in, %out : f32
    %48 = arith.select %47, %45, %out_8 : i64
    linalg.yield %46, %48 : f32, i64
  } -> (tensor<37xf32>, tensor<37xi64>)
  %40 = tensor.empty() : tensor<37x8xf32>
  %41 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%39#1 : tensor<37xi64>) outs(%40 : tensor<37x8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %44 = arith.index_cast %in : i64 to index
    %45 = linalg.index 1 : index
    %extracted = tensor.extract %collapsed_4[%44, %45] : tensor<24x8xf32>
    linalg.yield %extracted : f32
  } -> tensor<37x8xf32>
  %42 = tensor.empty() : tensor<37x8xf32>
  %43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %41 : tensor<37x8xf32>, tensor<37x8xf32>) outs(%42 : tensor<37x8xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %44 = arith.subf %in, %in_8 : f32
    linalg.yield %44 : f32
  } -> tensor<37x8xf32>
  return %17#1, %39#1, %43 : tensor<37xi64>, tensor<37xi64>, tensor<37x8xf32>
}
