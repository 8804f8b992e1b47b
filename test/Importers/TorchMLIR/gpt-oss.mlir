// gpt-oss: a sink per head, concatenated to the scores and dropped from the weights, a window,
// and groups of heads.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @gpt_oss(%q: tensor<1x4x33x16xf32>,
    %k: tensor<1x2x33x16xf32>,
    %v: tensor<1x2x33x16xf32>,
    %sinks: tensor<4xf32>) -> (tensor<1x33x64xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 9 : i64
  %cst3 = arith.constant 0xFF800000 : f32
  %cst4 = arith.constant 0 : i64
  %0 = tensor.expand_shape %k [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 33, 16] : tensor<1x2x33x16xf32> into tensor<1x2x1x33x16xf32>
  %1 = tensor.empty() : tensor<1x2x2x33x16xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<1x2x1x33x16xf32>) outs(%1 : tensor<1x2x2x33x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x33x16xf32>
  %3 = tensor.collapse_shape %2 [[0], [1, 2], [3], [4]] : tensor<1x2x2x33x16xf32> into tensor<1x4x33x16xf32>
  %4 = tensor.expand_shape %v [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 33, 16] : tensor<1x2x33x16xf32> into tensor<1x2x1x33x16xf32>
  %5 = tensor.empty() : tensor<1x2x2x33x16xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x2x1x33x16xf32>) outs(%5 : tensor<1x2x2x33x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x33x16xf32>
  %7 = tensor.collapse_shape %6 [[0], [1, 2], [3], [4]] : tensor<1x2x2x33x16xf32> into tensor<1x4x33x16xf32>
  %8 = tensor.empty() : tensor<1x4x16x33xf32>
  %9 = linalg.transpose ins(%3 : tensor<1x4x33x16xf32>) outs(%8 : tensor<1x4x16x33xf32>) permutation = [0, 1, 3, 2]
  %10 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x4x33x16xf32> into tensor<4x33x16xf32>
  %11 = tensor.collapse_shape %9 [[0, 1], [2], [3]] : tensor<1x4x16x33xf32> into tensor<4x16x33xf32>
  %12 = tensor.empty() : tensor<4x33x33xf32>
  %13 = linalg.fill ins(%cst0 : f32) outs(%12 : tensor<4x33x33xf32>) -> tensor<4x33x33xf32>
  %14 = linalg.batch_matmul ins(%10, %11 : tensor<4x33x16xf32>, tensor<4x16x33xf32>) outs(%13 : tensor<4x33x33xf32>) -> tensor<4x33x33xf32>
  %15 = tensor.expand_shape %14 [[0, 1], [2], [3]] output_shape [1, 4, 33, 33] : tensor<4x33x33xf32> into tensor<1x4x33x33xf32>
  %16 = tensor.empty() : tensor<1x4x33x33xf32>
  %17 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x4x33x33xf32>) outs(%16 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x33xf32>
  %18 = tensor.empty() : tensor<33xi64>
  %19 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%18 : tensor<33xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<33xi64>
  %20 = tensor.expand_shape %19 [[0, 1]] output_shape [33, 1] : tensor<33xi64> into tensor<33x1xi64>
  %21 = tensor.empty() : tensor<33xi64>
  %22 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%21 : tensor<33xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<33xi64>
  %23 = tensor.expand_shape %22 [[0, 1]] output_shape [1, 33] : tensor<33xi64> into tensor<1x33xi64>
  %24 = tensor.empty() : tensor<33x33xi1>
  %25 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%20, %23 : tensor<33x1xi64>, tensor<1x33xi64>) outs(%24 : tensor<33x33xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi sge, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<33x33xi1>
  %26 = tensor.empty() : tensor<33x33xi64>
  %27 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%20, %23 : tensor<33x1xi64>, tensor<1x33xi64>) outs(%26 : tensor<33x33xi64>) {
  ^bb0(%in: i64, %in_1: i64, %out: i64):
    %r = arith.subi %in, %in_1 : i64
    linalg.yield %r : i64
  } -> tensor<33x33xi64>
  %28 = tensor.empty() : tensor<33x33xi1>
  %29 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<33x33xi64>) outs(%28 : tensor<33x33xi1>) {
  ^bb0(%in: i64, %out: i1):
    %r = arith.cmpi slt, %in, %cst2 : i64
    linalg.yield %r : i1
  } -> tensor<33x33xi1>
  %30 = tensor.empty() : tensor<33x33xi1>
  %31 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%25, %29 : tensor<33x33xi1>, tensor<33x33xi1>) outs(%30 : tensor<33x33xi1>) {
  ^bb0(%in: i1, %in_1: i1, %out: i1):
    %r = arith.andi %in, %in_1 : i1
    linalg.yield %r : i1
  } -> tensor<33x33xi1>
  %32 = tensor.empty() : tensor<1x4x33x33xf32>
  %33 = linalg.generic {indexing_maps = [#map7, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %17 : tensor<33x33xi1>, tensor<1x4x33x33xf32>) outs(%32 : tensor<1x4x33x33xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x33xf32>
  %34 = tensor.expand_shape %sinks [[0, 1, 2, 3]] output_shape [1, 4, 1, 1] : tensor<4xf32> into tensor<1x4x1x1xf32>
  %35 = tensor.empty() : tensor<1x4x33x1xf32>
  %36 = linalg.generic {indexing_maps = [#map8, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x4x1x1xf32>) outs(%35 : tensor<1x4x33x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x33x1xf32>
  %37 = tensor.concat dim(3) %33, %36 : (tensor<1x4x33x33xf32>, tensor<1x4x33x1xf32>) -> tensor<1x4x33x34xf32>
  %38 = tensor.empty() : tensor<1x4x33xi64>
  %39 = linalg.fill ins(%cst4 : i64) outs(%38 : tensor<1x4x33xi64>) -> tensor<1x4x33xi64>
  %40 = tensor.empty() : tensor<1x4x33xf32>
  %41 = linalg.fill ins(%cst3 : f32) outs(%40 : tensor<1x4x33xf32>) -> tensor<1x4x33xf32>
  %42:2 = linalg.generic {indexing_maps = [#map2, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<1x4x33x34xf32>) outs(%41, %39 : tensor<1x4x33xf32>, tensor<1x4x33xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x4x33xf32>, tensor<1x4x33xi64>)
  %43 = tensor.expand_shape %42#0 [[0], [1], [2, 3]] output_shape [1, 4, 33, 1] : tensor<1x4x33xf32> into tensor<1x4x33x1xf32>
  %44 = tensor.empty() : tensor<1x4x33x34xf32>
  %45 = linalg.generic {indexing_maps = [#map2, #map10, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %43 : tensor<1x4x33x34xf32>, tensor<1x4x33x1xf32>) outs(%44 : tensor<1x4x33x34xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x34xf32>
  %46 = tensor.empty() : tensor<1x4x33xi64>
  %47 = linalg.fill ins(%cst4 : i64) outs(%46 : tensor<1x4x33xi64>) -> tensor<1x4x33xi64>
  %48 = tensor.empty() : tensor<1x4x33xf32>
  %49 = linalg.fill ins(%cst3 : f32) outs(%48 : tensor<1x4x33xf32>) -> tensor<1x4x33xf32>
  %50:2 = linalg.generic {indexing_maps = [#map2, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%45 : tensor<1x4x33x34xf32>) outs(%49, %47 : tensor<1x4x33xf32>, tensor<1x4x33xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x4x33xf32>, tensor<1x4x33xi64>)
  %51 = tensor.expand_shape %50#0 [[0], [1], [2, 3]] output_shape [1, 4, 33, 1] : tensor<1x4x33xf32> into tensor<1x4x33x1xf32>
  %52 = tensor.empty() : tensor<1x4x33x34xf32>
  %53 = linalg.generic {indexing_maps = [#map2, #map10, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %51 : tensor<1x4x33x34xf32>, tensor<1x4x33x1xf32>) outs(%52 : tensor<1x4x33x34xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x34xf32>
  %54 = tensor.empty() : tensor<1x4x33x34xf32>
  %55 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x4x33x34xf32>) outs(%54 : tensor<1x4x33x34xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x34xf32>
  %56 = tensor.empty() : tensor<1x4x33x1xf32>
  %57 = linalg.fill ins(%cst0 : f32) outs(%56 : tensor<1x4x33x1xf32>) -> tensor<1x4x33x1xf32>
  %58 = linalg.generic {indexing_maps = [#map2, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%55 : tensor<1x4x33x34xf32>) outs(%57 : tensor<1x4x33x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x1xf32>
  %59 = tensor.empty() : tensor<1x4x33x34xf32>
  %60 = linalg.generic {indexing_maps = [#map2, #map10, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %58 : tensor<1x4x33x34xf32>, tensor<1x4x33x1xf32>) outs(%59 : tensor<1x4x33x34xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x33x34xf32>
  %61 = tensor.extract_slice %60[0, 0, 0, 0] [1, 4, 33, 33] [1, 1, 1, 1] : tensor<1x4x33x34xf32> to tensor<1x4x33x33xf32>
  %62 = tensor.collapse_shape %61 [[0, 1], [2], [3]] : tensor<1x4x33x33xf32> into tensor<4x33x33xf32>
  %63 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<1x4x33x16xf32> into tensor<4x33x16xf32>
  %64 = tensor.empty() : tensor<4x33x16xf32>
  %65 = linalg.fill ins(%cst0 : f32) outs(%64 : tensor<4x33x16xf32>) -> tensor<4x33x16xf32>
  %66 = linalg.batch_matmul ins(%62, %63 : tensor<4x33x33xf32>, tensor<4x33x16xf32>) outs(%65 : tensor<4x33x16xf32>) -> tensor<4x33x16xf32>
  %67 = tensor.expand_shape %66 [[0, 1], [2], [3]] output_shape [1, 4, 33, 16] : tensor<4x33x16xf32> into tensor<1x4x33x16xf32>
  %68 = tensor.empty() : tensor<1x33x4x16xf32>
  %69 = linalg.transpose ins(%67 : tensor<1x4x33x16xf32>) outs(%68 : tensor<1x33x4x16xf32>) permutation = [0, 2, 1, 3]
  %70 = tensor.collapse_shape %69 [[0], [1], [2, 3]] : tensor<1x33x4x16xf32> into tensor<1x33x64xf32>
  return %70 : tensor<1x33x64xf32>
}
