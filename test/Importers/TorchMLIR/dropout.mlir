// Attention in training: weights are dropped by a mask in memory and scaled.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @dropout_train(%q: tensor<1x2x37x16xf32>,
    %k: tensor<1x2x37x16xf32>,
    %v: tensor<1x2x37x16xf32>,
    %keep: tensor<1x2x37x37xi1>) -> (tensor<1x2x37x16xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 0 : i64
  %cst3 = arith.constant 0xFF800000 : f32
  %cst4 = arith.constant 1.111111e+00 : f32
  %0 = tensor.empty() : tensor<1x2x16x37xf32>
  %1 = linalg.transpose ins(%k : tensor<1x2x37x16xf32>) outs(%0 : tensor<1x2x16x37xf32>) permutation = [0, 1, 3, 2]
  %2 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x2x37x16xf32> into tensor<2x37x16xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<1x2x16x37xf32> into tensor<2x16x37xf32>
  %4 = tensor.empty() : tensor<2x37x37xf32>
  %5 = linalg.fill ins(%cst0 : f32) outs(%4 : tensor<2x37x37xf32>) -> tensor<2x37x37xf32>
  %6 = linalg.batch_matmul ins(%2, %3 : tensor<2x37x16xf32>, tensor<2x16x37xf32>) outs(%5 : tensor<2x37x37xf32>) -> tensor<2x37x37xf32>
  %7 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [1, 2, 37, 37] : tensor<2x37x37xf32> into tensor<1x2x37x37xf32>
  %8 = tensor.empty() : tensor<1x2x37x37xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x2x37x37xf32>) outs(%8 : tensor<1x2x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x37xf32>
  %10 = tensor.empty() : tensor<1x2x37xi64>
  %11 = linalg.fill ins(%cst2 : i64) outs(%10 : tensor<1x2x37xi64>) -> tensor<1x2x37xi64>
  %12 = tensor.empty() : tensor<1x2x37xf32>
  %13 = linalg.fill ins(%cst3 : f32) outs(%12 : tensor<1x2x37xf32>) -> tensor<1x2x37xf32>
  %14:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9 : tensor<1x2x37x37xf32>) outs(%13, %11 : tensor<1x2x37xf32>, tensor<1x2x37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x2x37xf32>, tensor<1x2x37xi64>)
  %15 = tensor.expand_shape %14#0 [[0], [1], [2, 3]] output_shape [1, 2, 37, 1] : tensor<1x2x37xf32> into tensor<1x2x37x1xf32>
  %16 = tensor.empty() : tensor<1x2x37x37xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %15 : tensor<1x2x37x37xf32>, tensor<1x2x37x1xf32>) outs(%16 : tensor<1x2x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x37xf32>
  %18 = tensor.empty() : tensor<1x2x37x37xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x2x37x37xf32>) outs(%18 : tensor<1x2x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x37xf32>
  %20 = tensor.empty() : tensor<1x2x37x1xf32>
  %21 = linalg.fill ins(%cst0 : f32) outs(%20 : tensor<1x2x37x1xf32>) -> tensor<1x2x37x1xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x2x37x37xf32>) outs(%21 : tensor<1x2x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x1xf32>
  %23 = tensor.empty() : tensor<1x2x37x37xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<1x2x37x37xf32>, tensor<1x2x37x1xf32>) outs(%23 : tensor<1x2x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x37xf32>
  %25 = tensor.empty() : tensor<1x2x37x37xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%keep, %24 : tensor<1x2x37x37xi1>, tensor<1x2x37x37xf32>) outs(%25 : tensor<1x2x37x37xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x37xf32>
  %27 = tensor.empty() : tensor<1x2x37x37xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x2x37x37xf32>) outs(%27 : tensor<1x2x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x37x37xf32>
  %29 = tensor.collapse_shape %28 [[0, 1], [2], [3]] : tensor<1x2x37x37xf32> into tensor<2x37x37xf32>
  %30 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x2x37x16xf32> into tensor<2x37x16xf32>
  %31 = tensor.empty() : tensor<2x37x16xf32>
  %32 = linalg.fill ins(%cst0 : f32) outs(%31 : tensor<2x37x16xf32>) -> tensor<2x37x16xf32>
  %33 = linalg.batch_matmul ins(%29, %30 : tensor<2x37x37xf32>, tensor<2x37x16xf32>) outs(%32 : tensor<2x37x16xf32>) -> tensor<2x37x16xf32>
  %34 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [1, 2, 37, 16] : tensor<2x37x16xf32> into tensor<1x2x37x16xf32>
  return %34 : tensor<1x2x37x16xf32>
}
