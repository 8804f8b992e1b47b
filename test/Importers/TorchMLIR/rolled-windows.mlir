// Shifted windows of Swin: a norm, rolls by 3 along two dimensions, windows of 7 x 7 and a
// product. The product reads rows at positions that wrap around.

// RUN: linalg-ext-check-program %s --targets=cpu
// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=2 --targets=gpu
// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=2 --targets=gpu --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --max-scalar-kernels=0 --max-kernels=2 --targets=gpu --gpu-options=chip=gfx942

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @rolled_windows(%arg0: tensor<2x14x14x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<48x16xf32>) -> tensor<8x49x48xf32> {
  %cst = arith.constant 9.99999974E-6 : f32
  %cst_0 = arith.constant 1.600000e+01 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x14x14x1xf32>
  %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<2x14x14x1xf32>) -> tensor<2x14x14x1xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x14x14x16xf32>) outs(%1 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.addf %in, %out : f32
    linalg.yield %31 : f32
  } -> tensor<2x14x14x1xf32>
  %3 = tensor.empty() : tensor<2x14x14x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x14x14x1xf32>) outs(%3 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.divf %in, %cst_0 : f32
    linalg.yield %31 : f32
  } -> tensor<2x14x14x1xf32>
  %5 = tensor.empty() : tensor<2x14x14x16xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %4 : tensor<2x14x14x16xf32>, tensor<2x14x14x1xf32>) outs(%5 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %31 = arith.subf %in, %in_7 : f32
    linalg.yield %31 : f32
  } -> tensor<2x14x14x16xf32>
  %7 = tensor.empty() : tensor<2x14x14x16xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<2x14x14x16xf32>, tensor<2x14x14x16xf32>) outs(%7 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %31 = arith.mulf %in, %in_7 : f32
    linalg.yield %31 : f32
  } -> tensor<2x14x14x16xf32>
  %9 = tensor.empty() : tensor<2x14x14x1xf32>
  %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<2x14x14x1xf32>) -> tensor<2x14x14x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<2x14x14x16xf32>) outs(%10 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.addf %in, %out : f32
    linalg.yield %31 : f32
  } -> tensor<2x14x14x1xf32>
  %12 = tensor.empty() : tensor<2x14x14x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x14x14x1xf32>) outs(%12 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.divf %in, %cst_0 : f32
    linalg.yield %31 : f32
  } -> tensor<2x14x14x1xf32>
  %14 = tensor.empty() : tensor<2x14x14x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x14x14x1xf32>) outs(%14 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.addf %in, %cst : f32
    linalg.yield %31 : f32
  } -> tensor<2x14x14x1xf32>
  %16 = tensor.empty() : tensor<2x14x14x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x14x14x1xf32>) outs(%16 : tensor<2x14x14x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = math.rsqrt %in : f32
    linalg.yield %31 : f32
  } -> tensor<2x14x14x1xf32>
  %18 = tensor.empty() : tensor<2x14x14x16xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %17 : tensor<2x14x14x16xf32>, tensor<2x14x14x1xf32>) outs(%18 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %31 = arith.mulf %in, %in_7 : f32
    linalg.yield %31 : f32
  } -> tensor<2x14x14x16xf32>
  %20 = tensor.empty() : tensor<2x14x14x16xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %arg1 : tensor<2x14x14x16xf32>, tensor<16xf32>) outs(%20 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %31 = arith.mulf %in, %in_7 : f32
    linalg.yield %31 : f32
  } -> tensor<2x14x14x16xf32>
  %22 = tensor.empty() : tensor<2x14x14x16xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<2x14x14x16xf32>, tensor<16xf32>) outs(%22 : tensor<2x14x14x16xf32>) {
  ^bb0(%in: f32, %in_7: f32, %out: f32):
    %31 = arith.addf %in, %in_7 : f32
    linalg.yield %31 : f32
  } -> tensor<2x14x14x16xf32>
  %extracted_slice = tensor.extract_slice %23[0, 3, 0, 0] [2, 11, 14, 16] [1, 1, 1, 1] : tensor<2x14x14x16xf32> to tensor<2x11x14x16xf32>
  %extracted_slice_2 = tensor.extract_slice %23[0, 0, 0, 0] [2, 3, 14, 16] [1, 1, 1, 1] : tensor<2x14x14x16xf32> to tensor<2x3x14x16xf32>
  %concat = tensor.concat dim(1) %extracted_slice, %extracted_slice_2 : (tensor<2x11x14x16xf32>, tensor<2x3x14x16xf32>) -> tensor<2x14x14x16xf32>
  %extracted_slice_3 = tensor.extract_slice %concat[0, 0, 3, 0] [2, 14, 11, 16] [1, 1, 1, 1] : tensor<2x14x14x16xf32> to tensor<2x14x11x16xf32>
  %extracted_slice_4 = tensor.extract_slice %concat[0, 0, 0, 0] [2, 14, 3, 16] [1, 1, 1, 1] : tensor<2x14x14x16xf32> to tensor<2x14x3x16xf32>
  %concat_5 = tensor.concat dim(2) %extracted_slice_3, %extracted_slice_4 : (tensor<2x14x11x16xf32>, tensor<2x14x3x16xf32>) -> tensor<2x14x14x16xf32>
  %expanded = tensor.expand_shape %concat_5 [[0], [1, 2], [3, 4], [5]] output_shape [2, 2, 7, 2, 7, 16] : tensor<2x14x14x16xf32> into tensor<2x2x7x2x7x16xf32>
  %24 = tensor.empty() : tensor<2x2x2x7x7x16xf32>
  %transposed = linalg.transpose ins(%expanded : tensor<2x2x7x2x7x16xf32>) outs(%24 : tensor<2x2x2x7x7x16xf32>) permutation = [0, 1, 3, 2, 4, 5] 
  %collapsed = tensor.collapse_shape %transposed [[0, 1, 2], [3, 4], [5]] : tensor<2x2x2x7x7x16xf32> into tensor<8x49x16xf32>
  %25 = tensor.empty() : tensor<16x48xf32>
  %transposed_6 = linalg.transpose ins(%arg3 : tensor<48x16xf32>) outs(%25 : tensor<16x48xf32>) permutation = [1, 0] 
  %26 = tensor.empty() : tensor<8x16x48xf32>
  %27 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_6 : tensor<16x48xf32>) outs(%26 : tensor<8x16x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x16x48xf32>
  %28 = tensor.empty() : tensor<8x49x48xf32>
  %29 = linalg.fill ins(%cst_1 : f32) outs(%28 : tensor<8x49x48xf32>) -> tensor<8x49x48xf32>
  %30 = linalg.batch_matmul ins(%collapsed, %27 : tensor<8x49x16xf32>, tensor<8x16x48xf32>) outs(%29 : tensor<8x49x48xf32>) -> tensor<8x49x48xf32>
  return %30 : tensor<8x49x48xf32>
}
