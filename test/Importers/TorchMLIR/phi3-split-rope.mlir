// Phi-3: one projection, of which queries, keys and values are parts of unequal sizes; rotated.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4356 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @phi3_split(%qkv: tensor<1x33x128xf32>,
    %cos: tensor<33x16xf32> {check.draw = "uniform -1 1"},
    %sin: tensor<33x16xf32> {check.draw = "uniform -1 1"}) -> (tensor<1x33x64xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %cst3 = arith.constant 0 : i64
  %0 = tensor.extract_slice %qkv[0, 0, 0] [1, 33, 64] [1, 1, 1] : tensor<1x33x128xf32> to tensor<1x33x64xf32>
  %1 = tensor.expand_shape %0 [[0], [1], [2, 3]] output_shape [1, 33, 4, 16] : tensor<1x33x64xf32> into tensor<1x33x4x16xf32>
  %2 = tensor.empty() : tensor<1x4x33x16xf32>
  %3 = linalg.transpose ins(%1 : tensor<1x33x4x16xf32>) outs(%2 : tensor<1x4x33x16xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.extract_slice %qkv[0, 0, 64] [1, 33, 32] [1, 1, 1] : tensor<1x33x128xf32> to tensor<1x33x32xf32>
  %5 = tensor.expand_shape %4 [[0], [1], [2, 3]] output_shape [1, 33, 2, 16] : tensor<1x33x32xf32> into tensor<1x33x2x16xf32>
  %6 = tensor.empty() : tensor<1x2x33x16xf32>
  %7 = linalg.transpose ins(%5 : tensor<1x33x2x16xf32>) outs(%6 : tensor<1x2x33x16xf32>) permutation = [0, 2, 1, 3]
  %8 = tensor.extract_slice %qkv[0, 0, 96] [1, 33, 32] [1, 1, 1] : tensor<1x33x128xf32> to tensor<1x33x32xf32>
  %9 = tensor.expand_shape %8 [[0], [1], [2, 3]] output_shape [1, 33, 2, 16] : tensor<1x33x32xf32> into tensor<1x33x2x16xf32>
  %10 = tensor.empty() : tensor<1x2x33x16xf32>
  %11 = linalg.transpose ins(%9 : tensor<1x33x2x16xf32>) outs(%10 : tensor<1x2x33x16xf32>) permutation = [0, 2, 1, 3]
  %12 = tensor.extract_slice %3[0, 0, 0, 8] [1, 4, 33, 8] [1, 1, 1, 1] : tensor<1x4x33x16xf32> to tensor<1x4x33x8xf32>
  %13 = tensor.empty() : tensor<1x4x33x8xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x4x33x8xf32>) outs(%13 : tensor<1x4x33x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x8xf32>
  %15 = tensor.extract_slice %3[0, 0, 0, 0] [1, 4, 33, 8] [1, 1, 1, 1] : tensor<1x4x33x16xf32> to tensor<1x4x33x8xf32>
  %16 = tensor.concat dim(3) %14, %15 : (tensor<1x4x33x8xf32>, tensor<1x4x33x8xf32>) -> tensor<1x4x33x16xf32>
  %17 = tensor.empty() : tensor<1x4x33x16xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %cos : tensor<1x4x33x16xf32>, tensor<33x16xf32>) outs(%17 : tensor<1x4x33x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x16xf32>
  %19 = tensor.empty() : tensor<1x4x33x16xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %sin : tensor<1x4x33x16xf32>, tensor<33x16xf32>) outs(%19 : tensor<1x4x33x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x16xf32>
  %21 = tensor.empty() : tensor<1x4x33x16xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %20 : tensor<1x4x33x16xf32>, tensor<1x4x33x16xf32>) outs(%21 : tensor<1x4x33x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x16xf32>
  %23 = tensor.extract_slice %7[0, 0, 0, 8] [1, 2, 33, 8] [1, 1, 1, 1] : tensor<1x2x33x16xf32> to tensor<1x2x33x8xf32>
  %24 = tensor.empty() : tensor<1x2x33x8xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x2x33x8xf32>) outs(%24 : tensor<1x2x33x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x33x8xf32>
  %26 = tensor.extract_slice %7[0, 0, 0, 0] [1, 2, 33, 8] [1, 1, 1, 1] : tensor<1x2x33x16xf32> to tensor<1x2x33x8xf32>
  %27 = tensor.concat dim(3) %25, %26 : (tensor<1x2x33x8xf32>, tensor<1x2x33x8xf32>) -> tensor<1x2x33x16xf32>
  %28 = tensor.empty() : tensor<1x2x33x16xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %cos : tensor<1x2x33x16xf32>, tensor<33x16xf32>) outs(%28 : tensor<1x2x33x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x33x16xf32>
  %30 = tensor.empty() : tensor<1x2x33x16xf32>
  %31 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %sin : tensor<1x2x33x16xf32>, tensor<33x16xf32>) outs(%30 : tensor<1x2x33x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x33x16xf32>
  %32 = tensor.empty() : tensor<1x2x33x16xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %31 : tensor<1x2x33x16xf32>, tensor<1x2x33x16xf32>) outs(%32 : tensor<1x2x33x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x33x16xf32>
  %34 = tensor.expand_shape %33 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 33, 16] : tensor<1x2x33x16xf32> into tensor<1x2x1x33x16xf32>
  %35 = tensor.empty() : tensor<1x2x2x33x16xf32>
  %36 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x2x1x33x16xf32>) outs(%35 : tensor<1x2x2x33x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x33x16xf32>
  %37 = tensor.collapse_shape %36 [[0], [1, 2], [3], [4]] : tensor<1x2x2x33x16xf32> into tensor<1x4x33x16xf32>
  %38 = tensor.expand_shape %11 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 33, 16] : tensor<1x2x33x16xf32> into tensor<1x2x1x33x16xf32>
  %39 = tensor.empty() : tensor<1x2x2x33x16xf32>
  %40 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x1x33x16xf32>) outs(%39 : tensor<1x2x2x33x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x33x16xf32>
  %41 = tensor.collapse_shape %40 [[0], [1, 2], [3], [4]] : tensor<1x2x2x33x16xf32> into tensor<1x4x33x16xf32>
  %42 = tensor.empty() : tensor<33xi64>
  %43 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%42 : tensor<33xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<33xi64>
  %44 = tensor.expand_shape %43 [[0, 1]] output_shape [33, 1] : tensor<33xi64> into tensor<33x1xi64>
  %45 = tensor.empty() : tensor<33xi64>
  %46 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%45 : tensor<33xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<33xi64>
  %47 = tensor.expand_shape %46 [[0, 1]] output_shape [1, 33] : tensor<33xi64> into tensor<1x33xi64>
  %48 = tensor.empty() : tensor<33x33xi1>
  %49 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%44, %47 : tensor<33x1xi64>, tensor<1x33xi64>) outs(%48 : tensor<33x33xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi sge, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<33x33xi1>
  %50 = tensor.empty() : tensor<1x4x16x33xf32>
  %51 = linalg.transpose ins(%37 : tensor<1x4x33x16xf32>) outs(%50 : tensor<1x4x16x33xf32>) permutation = [0, 1, 3, 2]
  %52 = tensor.collapse_shape %22 [[0, 1], [2], [3]] : tensor<1x4x33x16xf32> into tensor<4x33x16xf32>
  %53 = tensor.collapse_shape %51 [[0, 1], [2], [3]] : tensor<1x4x16x33xf32> into tensor<4x16x33xf32>
  %54 = tensor.empty() : tensor<4x33x33xf32>
  %55 = linalg.fill ins(%cst0 : f32) outs(%54 : tensor<4x33x33xf32>) -> tensor<4x33x33xf32>
  %56 = linalg.batch_matmul ins(%52, %53 : tensor<4x33x16xf32>, tensor<4x16x33xf32>) outs(%55 : tensor<4x33x33xf32>) -> tensor<4x33x33xf32>
  %57 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [1, 4, 33, 33] : tensor<4x33x33xf32> into tensor<1x4x33x33xf32>
  %58 = tensor.empty() : tensor<1x4x33x33xf32>
  %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x4x33x33xf32>) outs(%58 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x33xf32>
  %60 = tensor.empty() : tensor<1x4x33x33xf32>
  %61 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %59 : tensor<33x33xi1>, tensor<1x4x33x33xf32>) outs(%60 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x33xf32>
  %62 = tensor.empty() : tensor<1x4x33xi64>
  %63 = linalg.fill ins(%cst3 : i64) outs(%62 : tensor<1x4x33xi64>) -> tensor<1x4x33xi64>
  %64 = tensor.empty() : tensor<1x4x33xf32>
  %65 = linalg.fill ins(%cst2 : f32) outs(%64 : tensor<1x4x33xf32>) -> tensor<1x4x33xf32>
  %66:2 = linalg.generic {indexing_maps = [#map, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%61 : tensor<1x4x33x33xf32>) outs(%65, %63 : tensor<1x4x33xf32>, tensor<1x4x33xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x4x33xf32>, tensor<1x4x33xi64>)
  %67 = tensor.expand_shape %66#0 [[0], [1], [2, 3]] output_shape [1, 4, 33, 1] : tensor<1x4x33xf32> into tensor<1x4x33x1xf32>
  %68 = tensor.empty() : tensor<1x4x33x33xf32>
  %69 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %67 : tensor<1x4x33x33xf32>, tensor<1x4x33x1xf32>) outs(%68 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x33xf32>
  %70 = tensor.empty() : tensor<1x4x33x33xf32>
  %71 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x4x33x33xf32>) outs(%70 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x33xf32>
  %72 = tensor.empty() : tensor<1x4x33x1xf32>
  %73 = linalg.fill ins(%cst0 : f32) outs(%72 : tensor<1x4x33x1xf32>) -> tensor<1x4x33x1xf32>
  %74 = linalg.generic {indexing_maps = [#map, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%71 : tensor<1x4x33x33xf32>) outs(%73 : tensor<1x4x33x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x1xf32>
  %75 = tensor.empty() : tensor<1x4x33x33xf32>
  %76 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %74 : tensor<1x4x33x33xf32>, tensor<1x4x33x1xf32>) outs(%75 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x33xf32>
  %77 = tensor.collapse_shape %76 [[0, 1], [2], [3]] : tensor<1x4x33x33xf32> into tensor<4x33x33xf32>
  %78 = tensor.collapse_shape %41 [[0, 1], [2], [3]] : tensor<1x4x33x16xf32> into tensor<4x33x16xf32>
  %79 = tensor.empty() : tensor<4x33x16xf32>
  %80 = linalg.fill ins(%cst0 : f32) outs(%79 : tensor<4x33x16xf32>) -> tensor<4x33x16xf32>
  %81 = linalg.batch_matmul ins(%77, %78 : tensor<4x33x33xf32>, tensor<4x33x16xf32>) outs(%80 : tensor<4x33x16xf32>) -> tensor<4x33x16xf32>
  %82 = tensor.expand_shape %81 [[0, 1], [2], [3]] output_shape [1, 4, 33, 16] : tensor<4x33x16xf32> into tensor<1x4x33x16xf32>
  %83 = tensor.empty() : tensor<1x33x4x16xf32>
  %84 = linalg.transpose ins(%82 : tensor<1x4x33x16xf32>) outs(%83 : tensor<1x33x4x16xf32>) permutation = [0, 2, 1, 3]
  %85 = tensor.collapse_shape %84 [[0], [1], [2, 3]] : tensor<1x33x4x16xf32> into tensor<1x33x64xf32>
  return %85 : tensor<1x33x64xf32>
}
