// Differential attention as published: one softmax over twice the heads, of which slices are
// subtracted. Each slice is an attention of its own; two more kernels are lambda and the norm.

// RUN: linalg-ext-check-program %s --max-kernels=4 --max-buffer-bytes=8960 --keys=16 --targets=gpu

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>

func.func @diff_v2(%q: tensor<1x4x35x16xf32>,
    %k: tensor<1x4x35x16xf32>,
    %v: tensor<1x2x35x32xf32>,
    %l1: tensor<16xf32> {check.draw = "uniform -0.25 0.25"},
    %l2: tensor<16xf32> {check.draw = "uniform -0.25 0.25"},
    %l3: tensor<16xf32> {check.draw = "uniform -0.25 0.25"},
    %l4: tensor<16xf32> {check.draw = "uniform -0.25 0.25"}) -> (tensor<1x2x35x32xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %cst3 = arith.constant 0 : i64
  %cst4 = arith.constant 8.000000e-01 : f32
  %cst5 = arith.constant 3.200000e+01 : f32
  %cst6 = arith.constant 1.000000e-05 : f32
  %cst7 = arith.constant 2.000000e-01 : f32
  %0 = tensor.empty() : tensor<35xi64>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<35xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<35xi64>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [35, 1] : tensor<35xi64> into tensor<35x1xi64>
  %3 = tensor.empty() : tensor<35xi64>
  %4 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%3 : tensor<35xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<35xi64>
  %5 = tensor.expand_shape %4 [[0, 1]] output_shape [1, 35] : tensor<35xi64> into tensor<1x35xi64>
  %6 = tensor.empty() : tensor<35x35xi1>
  %7 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %5 : tensor<35x1xi64>, tensor<1x35xi64>) outs(%6 : tensor<35x35xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi sge, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<35x35xi1>
  %8 = tensor.empty() : tensor<1x4x16x35xf32>
  %9 = linalg.transpose ins(%k : tensor<1x4x35x16xf32>) outs(%8 : tensor<1x4x16x35xf32>) permutation = [0, 1, 3, 2]
  %10 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x4x35x16xf32> into tensor<4x35x16xf32>
  %11 = tensor.collapse_shape %9 [[0, 1], [2], [3]] : tensor<1x4x16x35xf32> into tensor<4x16x35xf32>
  %12 = tensor.empty() : tensor<4x35x35xf32>
  %13 = linalg.fill ins(%cst0 : f32) outs(%12 : tensor<4x35x35xf32>) -> tensor<4x35x35xf32>
  %14 = linalg.batch_matmul ins(%10, %11 : tensor<4x35x16xf32>, tensor<4x16x35xf32>) outs(%13 : tensor<4x35x35xf32>) -> tensor<4x35x35xf32>
  %15 = tensor.expand_shape %14 [[0, 1], [2], [3]] output_shape [1, 4, 35, 35] : tensor<4x35x35xf32> into tensor<1x4x35x35xf32>
  %16 = tensor.empty() : tensor<1x4x35x35xf32>
  %17 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x4x35x35xf32>) outs(%16 : tensor<1x4x35x35xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x35xf32>
  %18 = tensor.empty() : tensor<1x4x35x35xf32>
  %19 = linalg.generic {indexing_maps = [#map5, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %17 : tensor<35x35xi1>, tensor<1x4x35x35xf32>) outs(%18 : tensor<1x4x35x35xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x35xf32>
  %20 = tensor.empty() : tensor<1x4x35xi64>
  %21 = linalg.fill ins(%cst3 : i64) outs(%20 : tensor<1x4x35xi64>) -> tensor<1x4x35xi64>
  %22 = tensor.empty() : tensor<1x4x35xf32>
  %23 = linalg.fill ins(%cst2 : f32) outs(%22 : tensor<1x4x35xf32>) -> tensor<1x4x35xf32>
  %24:2 = linalg.generic {indexing_maps = [#map4, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x4x35x35xf32>) outs(%23, %21 : tensor<1x4x35xf32>, tensor<1x4x35xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x4x35xf32>, tensor<1x4x35xi64>)
  %25 = tensor.expand_shape %24#0 [[0], [1], [2, 3]] output_shape [1, 4, 35, 1] : tensor<1x4x35xf32> into tensor<1x4x35x1xf32>
  %26 = tensor.empty() : tensor<1x4x35x35xf32>
  %27 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %25 : tensor<1x4x35x35xf32>, tensor<1x4x35x1xf32>) outs(%26 : tensor<1x4x35x35xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x35xf32>
  %28 = tensor.empty() : tensor<1x4x35x35xf32>
  %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x35x35xf32>) outs(%28 : tensor<1x4x35x35xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x35xf32>
  %30 = tensor.empty() : tensor<1x4x35x1xf32>
  %31 = linalg.fill ins(%cst0 : f32) outs(%30 : tensor<1x4x35x1xf32>) -> tensor<1x4x35x1xf32>
  %32 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<1x4x35x35xf32>) outs(%31 : tensor<1x4x35x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x1xf32>
  %33 = tensor.empty() : tensor<1x4x35x35xf32>
  %34 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %32 : tensor<1x4x35x35xf32>, tensor<1x4x35x1xf32>) outs(%33 : tensor<1x4x35x35xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x35x35xf32>
  %35 = tensor.expand_shape %34 [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 35, 35] : tensor<1x4x35x35xf32> into tensor<1x2x2x35x35xf32>
  %36 = tensor.empty() : tensor<16xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%l1, %l2 : tensor<16xf32>, tensor<16xf32>) outs(%36 : tensor<16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %38 = tensor.expand_shape %37 [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
  %39 = tensor.empty() : tensor<1x1xf32>
  %40 = linalg.fill ins(%cst0 : f32) outs(%39 : tensor<1x1xf32>) -> tensor<1x1xf32>
  %41 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%38 : tensor<1x16xf32>) outs(%40 : tensor<1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x1xf32>
  %42 = tensor.empty() : tensor<1x1xf32>
  %43 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<1x1xf32>) outs(%42 : tensor<1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x1xf32>
  %44 = tensor.empty() : tensor<16xf32>
  %45 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%l3, %l4 : tensor<16xf32>, tensor<16xf32>) outs(%44 : tensor<16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %46 = tensor.expand_shape %45 [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
  %47 = tensor.empty() : tensor<1x1xf32>
  %48 = linalg.fill ins(%cst0 : f32) outs(%47 : tensor<1x1xf32>) -> tensor<1x1xf32>
  %49 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%46 : tensor<1x16xf32>) outs(%48 : tensor<1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x1xf32>
  %50 = tensor.empty() : tensor<1x1xf32>
  %51 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%49 : tensor<1x1xf32>) outs(%50 : tensor<1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x1xf32>
  %52 = tensor.empty() : tensor<1x1xf32>
  %53 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%43, %51 : tensor<1x1xf32>, tensor<1x1xf32>) outs(%52 : tensor<1x1xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x1xf32>
  %54 = tensor.empty() : tensor<1x1xf32>
  %55 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%53 : tensor<1x1xf32>) outs(%54 : tensor<1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<1x1xf32>
  %56 = tensor.extract_slice %35[0, 0, 0, 0, 0] [1, 2, 1, 35, 35] [1, 1, 1, 1, 1] : tensor<1x2x2x35x35xf32> to tensor<1x2x1x35x35xf32>
  %57 = tensor.collapse_shape %56 [[0], [1], [2, 3], [4]] : tensor<1x2x1x35x35xf32> into tensor<1x2x35x35xf32>
  %58 = tensor.extract_slice %35[0, 0, 1, 0, 0] [1, 2, 1, 35, 35] [1, 1, 1, 1, 1] : tensor<1x2x2x35x35xf32> to tensor<1x2x1x35x35xf32>
  %59 = tensor.collapse_shape %58 [[0], [1], [2, 3], [4]] : tensor<1x2x1x35x35xf32> into tensor<1x2x35x35xf32>
  %60 = tensor.expand_shape %55 [[0], [1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1x1xf32> into tensor<1x1x1x1xf32>
  %61 = tensor.empty() : tensor<1x2x35x35xf32>
  %62 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %60 : tensor<1x2x35x35xf32>, tensor<1x1x1x1xf32>) outs(%61 : tensor<1x2x35x35xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x35x35xf32>
  %63 = tensor.empty() : tensor<1x2x35x35xf32>
  %64 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %62 : tensor<1x2x35x35xf32>, tensor<1x2x35x35xf32>) outs(%63 : tensor<1x2x35x35xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x35x35xf32>
  %65 = tensor.collapse_shape %64 [[0, 1], [2], [3]] : tensor<1x2x35x35xf32> into tensor<2x35x35xf32>
  %66 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x2x35x32xf32> into tensor<2x35x32xf32>
  %67 = tensor.empty() : tensor<2x35x32xf32>
  %68 = linalg.fill ins(%cst0 : f32) outs(%67 : tensor<2x35x32xf32>) -> tensor<2x35x32xf32>
  %69 = linalg.batch_matmul ins(%65, %66 : tensor<2x35x35xf32>, tensor<2x35x32xf32>) outs(%68 : tensor<2x35x32xf32>) -> tensor<2x35x32xf32>
  %70 = tensor.expand_shape %69 [[0, 1], [2], [3]] output_shape [1, 2, 35, 32] : tensor<2x35x32xf32> into tensor<1x2x35x32xf32>
  %71 = tensor.empty() : tensor<1x2x35x32xf32>
  %72 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %70 : tensor<1x2x35x32xf32>, tensor<1x2x35x32xf32>) outs(%71 : tensor<1x2x35x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x35x32xf32>
  %73 = tensor.empty() : tensor<1x2x35x1xf32>
  %74 = linalg.fill ins(%cst0 : f32) outs(%73 : tensor<1x2x35x1xf32>) -> tensor<1x2x35x1xf32>
  %75 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%72 : tensor<1x2x35x32xf32>) outs(%74 : tensor<1x2x35x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x35x1xf32>
  %76 = tensor.empty() : tensor<1x2x35x1xf32>
  %77 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<1x2x35x1xf32>) outs(%76 : tensor<1x2x35x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x35x1xf32>
  %78 = tensor.empty() : tensor<1x2x35x1xf32>
  %79 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77 : tensor<1x2x35x1xf32>) outs(%78 : tensor<1x2x35x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst6 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x35x1xf32>
  %80 = tensor.empty() : tensor<1x2x35x1xf32>
  %81 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<1x2x35x1xf32>) outs(%80 : tensor<1x2x35x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.rsqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x35x1xf32>
  %82 = tensor.empty() : tensor<1x2x35x32xf32>
  %83 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %81 : tensor<1x2x35x32xf32>, tensor<1x2x35x1xf32>) outs(%82 : tensor<1x2x35x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x35x32xf32>
  %84 = tensor.empty() : tensor<1x2x35x32xf32>
  %85 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<1x2x35x32xf32>) outs(%84 : tensor<1x2x35x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst7 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x35x32xf32>
  return %85 : tensor<1x2x35x32xf32>
}
