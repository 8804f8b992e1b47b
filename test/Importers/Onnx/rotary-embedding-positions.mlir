// RotaryEmbedding of ONNX: rows of tables of cosines and sines are looked up by the ids of
// positions. Then attention with grouped heads, of f16.

// RUN: linalg-ext-check-program %s --max-kernels=3 --max-buffer-bytes=272 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @onnx_rotary(%q: tensor<1x4x13x16xf16>,
    %k: tensor<1x2x13x16xf16>,
    %v: tensor<1x2x13x16xf16>,
    %cos_cache: tensor<64x8xf16>,
    %sin_cache: tensor<64x8xf16>,
    %position_ids: tensor<1x13xi64>) -> (tensor<1x4x13x16xf16>) {
  %cst0 = arith.constant 0.000000e+00 : f16
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %cst3 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x13x8xf16>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%position_ids : tensor<1x13xi64>) outs(%0 : tensor<1x13x8xf16>) {
  ^bb0(%in: i64, %out: f16):
    %c = arith.index_cast %in : i64 to index
    %j = linalg.index 2 : index
    %r = tensor.extract %cos_cache[%c, %j] : tensor<64x8xf16>
    linalg.yield %r : f16
  } -> tensor<1x13x8xf16>
  %2 = tensor.expand_shape %1 [[0, 1], [2], [3]] output_shape [1, 1, 13, 8] : tensor<1x13x8xf16> into tensor<1x1x13x8xf16>
  %3 = tensor.empty() : tensor<1x13x8xf16>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%position_ids : tensor<1x13xi64>) outs(%3 : tensor<1x13x8xf16>) {
  ^bb0(%in: i64, %out: f16):
    %c = arith.index_cast %in : i64 to index
    %j = linalg.index 2 : index
    %r = tensor.extract %sin_cache[%c, %j] : tensor<64x8xf16>
    linalg.yield %r : f16
  } -> tensor<1x13x8xf16>
  %5 = tensor.expand_shape %4 [[0, 1], [2], [3]] output_shape [1, 1, 13, 8] : tensor<1x13x8xf16> into tensor<1x1x13x8xf16>
  %6 = tensor.extract_slice %q[0, 0, 0, 0] [1, 4, 13, 8] [1, 1, 1, 1] : tensor<1x4x13x16xf16> to tensor<1x4x13x8xf16>
  %7 = tensor.extract_slice %q[0, 0, 0, 8] [1, 4, 13, 8] [1, 1, 1, 1] : tensor<1x4x13x16xf16> to tensor<1x4x13x8xf16>
  %8 = tensor.empty() : tensor<1x4x13x8xf16>
  %9 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %2 : tensor<1x4x13x8xf16>, tensor<1x1x13x8xf16>) outs(%8 : tensor<1x4x13x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %r = arith.mulf %in, %in_1 : f16
    linalg.yield %r : f16
  } -> tensor<1x4x13x8xf16>
  %10 = tensor.empty() : tensor<1x4x13x8xf16>
  %11 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %5 : tensor<1x4x13x8xf16>, tensor<1x1x13x8xf16>) outs(%10 : tensor<1x4x13x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %r = arith.mulf %in, %in_1 : f16
    linalg.yield %r : f16
  } -> tensor<1x4x13x8xf16>
  %12 = tensor.empty() : tensor<1x4x13x8xf16>
  %13 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %11 : tensor<1x4x13x8xf16>, tensor<1x4x13x8xf16>) outs(%12 : tensor<1x4x13x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %r = arith.subf %in, %in_1 : f16
    linalg.yield %r : f16
  } -> tensor<1x4x13x8xf16>
  %14 = tensor.empty() : tensor<1x4x13x8xf16>
  %15 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %5 : tensor<1x4x13x8xf16>, tensor<1x1x13x8xf16>) outs(%14 : tensor<1x4x13x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %r = arith.mulf %in, %in_1 : f16
    linalg.yield %r : f16
  } -> tensor<1x4x13x8xf16>
  %16 = tensor.empty() : tensor<1x4x13x8xf16>
  %17 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %2 : tensor<1x4x13x8xf16>, tensor<1x1x13x8xf16>) outs(%16 : tensor<1x4x13x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %r = arith.mulf %in, %in_1 : f16
    linalg.yield %r : f16
  } -> tensor<1x4x13x8xf16>
  %18 = tensor.empty() : tensor<1x4x13x8xf16>
  %19 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %17 : tensor<1x4x13x8xf16>, tensor<1x4x13x8xf16>) outs(%18 : tensor<1x4x13x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %r = arith.addf %in, %in_1 : f16
    linalg.yield %r : f16
  } -> tensor<1x4x13x8xf16>
  %20 = tensor.concat dim(3) %13, %19 : (tensor<1x4x13x8xf16>, tensor<1x4x13x8xf16>) -> tensor<1x4x13x16xf16>
  %21 = tensor.extract_slice %k[0, 0, 0, 0] [1, 2, 13, 8] [1, 1, 1, 1] : tensor<1x2x13x16xf16> to tensor<1x2x13x8xf16>
  %22 = tensor.extract_slice %k[0, 0, 0, 8] [1, 2, 13, 8] [1, 1, 1, 1] : tensor<1x2x13x16xf16> to tensor<1x2x13x8xf16>
  %23 = tensor.empty() : tensor<1x2x13x8xf16>
  %24 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %2 : tensor<1x2x13x8xf16>, tensor<1x1x13x8xf16>) outs(%23 : tensor<1x2x13x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %r = arith.mulf %in, %in_1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x13x8xf16>
  %25 = tensor.empty() : tensor<1x2x13x8xf16>
  %26 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %5 : tensor<1x2x13x8xf16>, tensor<1x1x13x8xf16>) outs(%25 : tensor<1x2x13x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %r = arith.mulf %in, %in_1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x13x8xf16>
  %27 = tensor.empty() : tensor<1x2x13x8xf16>
  %28 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %26 : tensor<1x2x13x8xf16>, tensor<1x2x13x8xf16>) outs(%27 : tensor<1x2x13x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %r = arith.subf %in, %in_1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x13x8xf16>
  %29 = tensor.empty() : tensor<1x2x13x8xf16>
  %30 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %5 : tensor<1x2x13x8xf16>, tensor<1x1x13x8xf16>) outs(%29 : tensor<1x2x13x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %r = arith.mulf %in, %in_1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x13x8xf16>
  %31 = tensor.empty() : tensor<1x2x13x8xf16>
  %32 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %2 : tensor<1x2x13x8xf16>, tensor<1x1x13x8xf16>) outs(%31 : tensor<1x2x13x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %r = arith.mulf %in, %in_1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x13x8xf16>
  %33 = tensor.empty() : tensor<1x2x13x8xf16>
  %34 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %32 : tensor<1x2x13x8xf16>, tensor<1x2x13x8xf16>) outs(%33 : tensor<1x2x13x8xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %r = arith.addf %in, %in_1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x13x8xf16>
  %35 = tensor.concat dim(3) %28, %34 : (tensor<1x2x13x8xf16>, tensor<1x2x13x8xf16>) -> tensor<1x2x13x16xf16>
  %36 = tensor.empty() : tensor<1x2x2x13x16xf16>
  %37 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x2x13x16xf16>) outs(%36 : tensor<1x2x2x13x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x2x2x13x16xf16>
  %38 = tensor.collapse_shape %37 [[0], [1, 2], [3], [4]] : tensor<1x2x2x13x16xf16> into tensor<1x4x13x16xf16>
  %39 = tensor.empty() : tensor<1x4x16x13xf16>
  %40 = linalg.transpose ins(%38 : tensor<1x4x13x16xf16>) outs(%39 : tensor<1x4x16x13xf16>) permutation = [0, 1, 3, 2]
  %41 = tensor.collapse_shape %20 [[0, 1], [2], [3]] : tensor<1x4x13x16xf16> into tensor<4x13x16xf16>
  %42 = tensor.collapse_shape %40 [[0, 1], [2], [3]] : tensor<1x4x16x13xf16> into tensor<4x16x13xf16>
  %43 = tensor.empty() : tensor<4x13x13xf16>
  %44 = linalg.fill ins(%cst0 : f16) outs(%43 : tensor<4x13x13xf16>) -> tensor<4x13x13xf16>
  %45 = linalg.batch_matmul ins(%41, %42 : tensor<4x13x16xf16>, tensor<4x16x13xf16>) outs(%44 : tensor<4x13x13xf16>) -> tensor<4x13x13xf16>
  %46 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [1, 4, 13, 13] : tensor<4x13x13xf16> into tensor<1x4x13x13xf16>
  %47 = tensor.empty() : tensor<1x4x13x13xf32>
  %48 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x4x13x13xf16>) outs(%47 : tensor<1x4x13x13xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x4x13x13xf32>
  %49 = tensor.empty() : tensor<1x4x13x13xf32>
  %50 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<1x4x13x13xf32>) outs(%49 : tensor<1x4x13x13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x13x13xf32>
  %51 = tensor.empty() : tensor<1x4x13x13xf32>
  %52 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x4x13x13xf32>) outs(%51 : tensor<1x4x13x13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c = arith.cmpi ule, %j, %i : index
    %r = arith.select %c, %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x13x13xf32>
  %53 = tensor.empty() : tensor<1x4x13x1xf32>
  %54 = linalg.fill ins(%cst2 : f32) outs(%53 : tensor<1x4x13x1xf32>) -> tensor<1x4x13x1xf32>
  %55 = linalg.generic {indexing_maps = [#map2, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<1x4x13x13xf32>) outs(%54 : tensor<1x4x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x4x13x1xf32>
  %56 = tensor.empty() : tensor<1x4x13x13xf32>
  %57 = linalg.generic {indexing_maps = [#map2, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %55 : tensor<1x4x13x13xf32>, tensor<1x4x13x1xf32>) outs(%56 : tensor<1x4x13x13xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x13x13xf32>
  %58 = tensor.empty() : tensor<1x4x13x13xf32>
  %59 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x4x13x13xf32>) outs(%58 : tensor<1x4x13x13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x13x13xf32>
  %60 = tensor.empty() : tensor<1x4x13x1xf32>
  %61 = linalg.fill ins(%cst3 : f32) outs(%60 : tensor<1x4x13x1xf32>) -> tensor<1x4x13x1xf32>
  %62 = linalg.generic {indexing_maps = [#map2, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%59 : tensor<1x4x13x13xf32>) outs(%61 : tensor<1x4x13x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x4x13x1xf32>
  %63 = tensor.empty() : tensor<1x4x13x13xf32>
  %64 = linalg.generic {indexing_maps = [#map2, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %62 : tensor<1x4x13x13xf32>, tensor<1x4x13x1xf32>) outs(%63 : tensor<1x4x13x13xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x13x13xf32>
  %65 = tensor.empty() : tensor<1x4x13x13xf16>
  %66 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x4x13x13xf32>) outs(%65 : tensor<1x4x13x13xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x4x13x13xf16>
  %67 = tensor.empty() : tensor<1x2x2x13x16xf16>
  %68 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v : tensor<1x2x13x16xf16>) outs(%67 : tensor<1x2x2x13x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x2x2x13x16xf16>
  %69 = tensor.collapse_shape %68 [[0], [1, 2], [3], [4]] : tensor<1x2x2x13x16xf16> into tensor<1x4x13x16xf16>
  %70 = tensor.collapse_shape %66 [[0, 1], [2], [3]] : tensor<1x4x13x13xf16> into tensor<4x13x13xf16>
  %71 = tensor.collapse_shape %69 [[0, 1], [2], [3]] : tensor<1x4x13x16xf16> into tensor<4x13x16xf16>
  %72 = tensor.empty() : tensor<4x13x16xf16>
  %73 = linalg.fill ins(%cst0 : f16) outs(%72 : tensor<4x13x16xf16>) -> tensor<4x13x16xf16>
  %74 = linalg.batch_matmul ins(%70, %71 : tensor<4x13x13xf16>, tensor<4x13x16xf16>) outs(%73 : tensor<4x13x16xf16>) -> tensor<4x13x16xf16>
  %75 = tensor.expand_shape %74 [[0, 1], [2], [3]] output_shape [1, 4, 13, 16] : tensor<4x13x16xf16> into tensor<1x4x13x16xf16>
  return %75 : tensor<1x4x13x16xf16>
}
