// Queries, keys and values are parts of one projection (ViT).

// RUN: linalg-ext-check-program %s --max-buffer-bytes=5824 --max-kernels=2 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @packed_qkv(%qkv: tensor<1x29x144xf16>) -> tensor<1x29x48xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.50000000000000000e-01 : f64
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.extract_slice %qkv[0, 0, 0] [1, 29, 48] [1, 1, 1] : tensor<1x29x144xf16> to tensor<1x29x48xf16>
  %1 = tensor.expand_shape %0 [[0], [1], [2, 3]] output_shape [1, 29, 3, 16] : tensor<1x29x48xf16> into tensor<1x29x3x16xf16>
  %2 = tensor.empty() : tensor<1x3x29x16xf16>
  %3 = linalg.transpose ins(%1 : tensor<1x29x3x16xf16>) outs(%2 : tensor<1x3x29x16xf16>) permutation = [0, 2, 1, 3]
  %4 = tensor.extract_slice %qkv[0, 0, 48] [1, 29, 48] [1, 1, 1] : tensor<1x29x144xf16> to tensor<1x29x48xf16>
  %5 = tensor.expand_shape %4 [[0], [1], [2, 3]] output_shape [1, 29, 3, 16] : tensor<1x29x48xf16> into tensor<1x29x3x16xf16>
  %6 = tensor.empty() : tensor<1x3x29x16xf16>
  %7 = linalg.transpose ins(%5 : tensor<1x29x3x16xf16>) outs(%6 : tensor<1x3x29x16xf16>) permutation = [0, 2, 1, 3]
  %8 = tensor.extract_slice %qkv[0, 0, 96] [1, 29, 48] [1, 1, 1] : tensor<1x29x144xf16> to tensor<1x29x48xf16>
  %9 = tensor.expand_shape %8 [[0], [1], [2, 3]] output_shape [1, 29, 3, 16] : tensor<1x29x48xf16> into tensor<1x29x3x16xf16>
  %10 = tensor.empty() : tensor<1x3x29x16xf16>
  %11 = linalg.transpose ins(%9 : tensor<1x29x3x16xf16>) outs(%10 : tensor<1x3x29x16xf16>) permutation = [0, 2, 1, 3]
  %12 = tensor.empty() : tensor<1x3x16x29xf16>
  %13 = linalg.transpose ins(%7 : tensor<1x3x29x16xf16>) outs(%12 : tensor<1x3x16x29xf16>) permutation = [0, 1, 3, 2]
  %14 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x3x29x16xf16> into tensor<3x29x16xf16>
  %15 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<1x3x16x29xf16> into tensor<3x16x29xf16>
  %16 = tensor.empty() : tensor<3x29x29xf32>
  %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<3x29x29xf32>) -> tensor<3x29x29xf32>
  %18 = linalg.batch_matmul ins(%14, %15 : tensor<3x29x16xf16>, tensor<3x16x29xf16>) outs(%17 : tensor<3x29x29xf32>) -> tensor<3x29x29xf32>
  %19 = tensor.empty() : tensor<3x29x29xf16>
  %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<3x29x29xf32>) outs(%19 : tensor<3x29x29xf16>) {
  ^bb0(%in: f32, %out: f16):
    %21 = arith.truncf %in : f32 to f16
    linalg.yield %21 : f16
  } -> tensor<3x29x29xf16>
  %22 = tensor.expand_shape %20 [[0, 1], [2], [3]] output_shape [1, 3, 29, 29] : tensor<3x29x29xf16> into tensor<1x3x29x29xf16>
  %23 = tensor.empty() : tensor<1x3x29x29xf16>
  %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x3x29x29xf16>) outs(%23 : tensor<1x3x29x29xf16>) {
  ^bb0(%in: f16, %out: f16):
    %25 = arith.truncf %cst_1 : f64 to f16
    %26 = arith.mulf %in, %25 : f16
    linalg.yield %26 : f16
  } -> tensor<1x3x29x29xf16>
  %27 = tensor.empty() : tensor<1x3x29x29xf32>
  %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x3x29x29xf16>) outs(%27 : tensor<1x3x29x29xf32>) {
  ^bb0(%in: f16, %out: f32):
    %29 = arith.extf %in : f16 to f32
    linalg.yield %29 : f32
  } -> tensor<1x3x29x29xf32>
  %30 = tensor.empty() : tensor<1x3x29xi64>
  %31 = linalg.fill ins(%cst_2 : i64) outs(%30 : tensor<1x3x29xi64>) -> tensor<1x3x29xi64>
  %32 = tensor.empty() : tensor<1x3x29xf32>
  %33 = linalg.fill ins(%cst_3 : f32) outs(%32 : tensor<1x3x29xf32>) -> tensor<1x3x29xf32>
  %34:2 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<1x3x29x29xf32>) outs(%33, %31 : tensor<1x3x29xf32>, tensor<1x3x29xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %35 = linalg.index 3 : index
    %36 = arith.index_cast %35 : index to i64
    %37 = arith.maximumf %in, %out : f32
    %38 = arith.cmpf ogt, %in, %out : f32
    %39 = arith.select %38, %36, %out_1 : i64
    linalg.yield %37, %39 : f32, i64
  } -> (tensor<1x3x29xf32>, tensor<1x3x29xi64>)
  %40 = tensor.expand_shape %34#0 [[0], [1], [2, 3]] output_shape [1, 3, 29, 1] : tensor<1x3x29xf32> into tensor<1x3x29x1xf32>
  %41 = tensor.empty() : tensor<1x3x29x29xf32>
  %42 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %40 : tensor<1x3x29x29xf32>, tensor<1x3x29x1xf32>) outs(%41 : tensor<1x3x29x29xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %43 = arith.subf %in, %in_1 : f32
    linalg.yield %43 : f32
  } -> tensor<1x3x29x29xf32>
  %44 = tensor.empty() : tensor<1x3x29x29xf32>
  %45 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x3x29x29xf32>) outs(%44 : tensor<1x3x29x29xf32>) {
  ^bb0(%in: f32, %out: f32):
    %46 = math.exp %in : f32
    linalg.yield %46 : f32
  } -> tensor<1x3x29x29xf32>
  %47 = tensor.empty() : tensor<1x3x29x1xf32>
  %48 = linalg.fill ins(%cst : f32) outs(%47 : tensor<1x3x29x1xf32>) -> tensor<1x3x29x1xf32>
  %49 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%45 : tensor<1x3x29x29xf32>) outs(%48 : tensor<1x3x29x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %50 = arith.addf %in, %out : f32
    linalg.yield %50 : f32
  } -> tensor<1x3x29x1xf32>
  %51 = tensor.empty() : tensor<1x3x29x29xf32>
  %52 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %49 : tensor<1x3x29x29xf32>, tensor<1x3x29x1xf32>) outs(%51 : tensor<1x3x29x29xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %53 = arith.divf %in, %in_1 : f32
    linalg.yield %53 : f32
  } -> tensor<1x3x29x29xf32>
  %54 = tensor.empty() : tensor<1x3x29x29xf16>
  %55 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<1x3x29x29xf32>) outs(%54 : tensor<1x3x29x29xf16>) {
  ^bb0(%in: f32, %out: f16):
    %56 = arith.truncf %in : f32 to f16
    linalg.yield %56 : f16
  } -> tensor<1x3x29x29xf16>
  %57 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<1x3x29x29xf16> into tensor<3x29x29xf16>
  %58 = tensor.collapse_shape %11 [[0, 1], [2], [3]] : tensor<1x3x29x16xf16> into tensor<3x29x16xf16>
  %59 = tensor.empty() : tensor<3x29x16xf32>
  %60 = linalg.fill ins(%cst : f32) outs(%59 : tensor<3x29x16xf32>) -> tensor<3x29x16xf32>
  %61 = linalg.batch_matmul ins(%57, %58 : tensor<3x29x29xf16>, tensor<3x29x16xf16>) outs(%60 : tensor<3x29x16xf32>) -> tensor<3x29x16xf32>
  %62 = tensor.empty() : tensor<3x29x16xf16>
  %63 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<3x29x16xf32>) outs(%62 : tensor<3x29x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %64 = arith.truncf %in : f32 to f16
    linalg.yield %64 : f16
  } -> tensor<3x29x16xf16>
  %65 = tensor.expand_shape %63 [[0, 1], [2], [3]] output_shape [1, 3, 29, 16] : tensor<3x29x16xf16> into tensor<1x3x29x16xf16>
  %66 = tensor.empty() : tensor<1x29x3x16xf16>
  %67 = linalg.transpose ins(%65 : tensor<1x3x29x16xf16>) outs(%66 : tensor<1x29x3x16xf16>) permutation = [0, 2, 1, 3]
  %68 = tensor.collapse_shape %67 [[0], [1], [2, 3]] : tensor<1x29x3x16xf16> into tensor<1x29x48xf16>
  return %68 : tensor<1x29x48xf16>
}
