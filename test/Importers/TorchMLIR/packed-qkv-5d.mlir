// The same as timm writes it: permute to [3, b, h, s, d], then select.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=5824 --max-kernels=2 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @packed_qkv_5d(%qkv: tensor<1x29x3x3x16xf32>) -> tensor<1x29x48xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<3x1x3x29x16xf32>
  %1 = linalg.transpose ins(%qkv : tensor<1x29x3x3x16xf32>) outs(%0 : tensor<3x1x3x29x16xf32>) permutation = [2, 0, 3, 1, 4]
  %2 = tensor.extract_slice %1[0, 0, 0, 0, 0] [1, 1, 3, 29, 16] [1, 1, 1, 1, 1] : tensor<3x1x3x29x16xf32> to tensor<1x3x29x16xf32>
  %3 = tensor.extract_slice %1[1, 0, 0, 0, 0] [1, 1, 3, 29, 16] [1, 1, 1, 1, 1] : tensor<3x1x3x29x16xf32> to tensor<1x3x29x16xf32>
  %4 = tensor.extract_slice %1[2, 0, 0, 0, 0] [1, 1, 3, 29, 16] [1, 1, 1, 1, 1] : tensor<3x1x3x29x16xf32> to tensor<1x3x29x16xf32>
  %5 = tensor.empty() : tensor<1x3x16x29xf32>
  %6 = linalg.transpose ins(%3 : tensor<1x3x29x16xf32>) outs(%5 : tensor<1x3x16x29xf32>) permutation = [0, 1, 3, 2]
  %7 = tensor.collapse_shape %2 [[0, 1], [2], [3]] : tensor<1x3x29x16xf32> into tensor<3x29x16xf32>
  %8 = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<1x3x16x29xf32> into tensor<3x16x29xf32>
  %9 = tensor.empty() : tensor<3x29x29xf32>
  %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<3x29x29xf32>) -> tensor<3x29x29xf32>
  %11 = linalg.batch_matmul ins(%7, %8 : tensor<3x29x16xf32>, tensor<3x16x29xf32>) outs(%10 : tensor<3x29x29xf32>) -> tensor<3x29x29xf32>
  %12 = tensor.expand_shape %11 [[0, 1], [2], [3]] output_shape [1, 3, 29, 29] : tensor<3x29x29xf32> into tensor<1x3x29x29xf32>
  %13 = tensor.empty() : tensor<1x3x29x29xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x3x29x29xf32>) outs(%13 : tensor<1x3x29x29xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.truncf %cst_1 : f64 to f32
    %16 = arith.mulf %in, %15 : f32
    linalg.yield %16 : f32
  } -> tensor<1x3x29x29xf32>
  %17 = tensor.empty() : tensor<1x3x29xi64>
  %18 = linalg.fill ins(%cst_2 : i64) outs(%17 : tensor<1x3x29xi64>) -> tensor<1x3x29xi64>
  %19 = tensor.empty() : tensor<1x3x29xf32>
  %20 = linalg.fill ins(%cst_3 : f32) outs(%19 : tensor<1x3x29xf32>) -> tensor<1x3x29xf32>
  %21:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<1x3x29x29xf32>) outs(%20, %18 : tensor<1x3x29xf32>, tensor<1x3x29xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %22 = linalg.index 3 : index
    %23 = arith.index_cast %22 : index to i64
    %24 = arith.maximumf %in, %out : f32
    %25 = arith.cmpf ogt, %in, %out : f32
    %26 = arith.select %25, %23, %out_1 : i64
    linalg.yield %24, %26 : f32, i64
  } -> (tensor<1x3x29xf32>, tensor<1x3x29xi64>)
  %27 = tensor.expand_shape %21#0 [[0], [1], [2, 3]] output_shape [1, 3, 29, 1] : tensor<1x3x29xf32> into tensor<1x3x29x1xf32>
  %28 = tensor.empty() : tensor<1x3x29x29xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %27 : tensor<1x3x29x29xf32>, tensor<1x3x29x1xf32>) outs(%28 : tensor<1x3x29x29xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %30 = arith.subf %in, %in_1 : f32
    linalg.yield %30 : f32
  } -> tensor<1x3x29x29xf32>
  %31 = tensor.empty() : tensor<1x3x29x29xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x3x29x29xf32>) outs(%31 : tensor<1x3x29x29xf32>) {
  ^bb0(%in: f32, %out: f32):
    %33 = math.exp %in : f32
    linalg.yield %33 : f32
  } -> tensor<1x3x29x29xf32>
  %34 = tensor.empty() : tensor<1x3x29x1xf32>
  %35 = linalg.fill ins(%cst : f32) outs(%34 : tensor<1x3x29x1xf32>) -> tensor<1x3x29x1xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%32 : tensor<1x3x29x29xf32>) outs(%35 : tensor<1x3x29x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %37 = arith.addf %in, %out : f32
    linalg.yield %37 : f32
  } -> tensor<1x3x29x1xf32>
  %38 = tensor.empty() : tensor<1x3x29x29xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %36 : tensor<1x3x29x29xf32>, tensor<1x3x29x1xf32>) outs(%38 : tensor<1x3x29x29xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %40 = arith.divf %in, %in_1 : f32
    linalg.yield %40 : f32
  } -> tensor<1x3x29x29xf32>
  %41 = tensor.collapse_shape %39 [[0, 1], [2], [3]] : tensor<1x3x29x29xf32> into tensor<3x29x29xf32>
  %42 = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<1x3x29x16xf32> into tensor<3x29x16xf32>
  %43 = tensor.empty() : tensor<3x29x16xf32>
  %44 = linalg.fill ins(%cst : f32) outs(%43 : tensor<3x29x16xf32>) -> tensor<3x29x16xf32>
  %45 = linalg.batch_matmul ins(%41, %42 : tensor<3x29x29xf32>, tensor<3x29x16xf32>) outs(%44 : tensor<3x29x16xf32>) -> tensor<3x29x16xf32>
  %46 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [1, 3, 29, 16] : tensor<3x29x16xf32> into tensor<1x3x29x16xf32>
  %47 = tensor.empty() : tensor<1x29x3x16xf32>
  %48 = linalg.transpose ins(%46 : tensor<1x3x29x16xf32>) outs(%47 : tensor<1x29x3x16xf32>) permutation = [0, 2, 1, 3]
  %49 = tensor.collapse_shape %48 [[0], [1], [2, 3]] : tensor<1x29x3x16xf32> into tensor<1x29x48xf32>
  return %49 : tensor<1x29x48xf32>
}
