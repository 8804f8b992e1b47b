// A gate of experts: the best two by arg max, their weights renormalised.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16 --targets=gpu

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>

func.func @moe_gate(%x: tensor<37x48xf32>,
    %w: tensor<8x48xf32> {check.draw = "uniform -0.25 0.25"}) -> (tensor<37xf32>, tensor<37xf32>, tensor<37xi64>, tensor<37xi64>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 0 : i64
  %cst2 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<48x8xf32>
  %1 = linalg.transpose ins(%w : tensor<8x48xf32>) outs(%0 : tensor<48x8xf32>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<37x8xf32>
  %3 = linalg.fill ins(%cst0 : f32) outs(%2 : tensor<37x8xf32>) -> tensor<37x8xf32>
  %4 = linalg.matmul ins(%x, %1 : tensor<37x48xf32>, tensor<48x8xf32>) outs(%3 : tensor<37x8xf32>) -> tensor<37x8xf32>
  %5 = tensor.empty() : tensor<37xi64>
  %6 = linalg.fill ins(%cst1 : i64) outs(%5 : tensor<37xi64>) -> tensor<37xi64>
  %7 = tensor.empty() : tensor<37xf32>
  %8 = linalg.fill ins(%cst2 : f32) outs(%7 : tensor<37xf32>) -> tensor<37xf32>
  %9:2 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<37x8xf32>) outs(%8, %6 : tensor<37xf32>, tensor<37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 1 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<37xf32>, tensor<37xi64>)
  %10 = tensor.expand_shape %9#0 [[0, 1]] output_shape [37, 1] : tensor<37xf32> into tensor<37x1xf32>
  %11 = tensor.empty() : tensor<37x8xf32>
  %12 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %10 : tensor<37x8xf32>, tensor<37x1xf32>) outs(%11 : tensor<37x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<37x8xf32>
  %13 = tensor.empty() : tensor<37x8xf32>
  %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<37x8xf32>) outs(%13 : tensor<37x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<37x8xf32>
  %15 = tensor.empty() : tensor<37x1xf32>
  %16 = linalg.fill ins(%cst0 : f32) outs(%15 : tensor<37x1xf32>) -> tensor<37x1xf32>
  %17 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%14 : tensor<37x8xf32>) outs(%16 : tensor<37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<37x1xf32>
  %18 = tensor.empty() : tensor<37x8xf32>
  %19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%14, %17 : tensor<37x8xf32>, tensor<37x1xf32>) outs(%18 : tensor<37x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<37x8xf32>
  %20 = tensor.empty() : tensor<37xi64>
  %21 = linalg.fill ins(%cst1 : i64) outs(%20 : tensor<37xi64>) -> tensor<37xi64>
  %22 = tensor.empty() : tensor<37xf32>
  %23 = linalg.fill ins(%cst2 : f32) outs(%22 : tensor<37xf32>) -> tensor<37xf32>
  %24:2 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "reduction"]} ins(%19 : tensor<37x8xf32>) outs(%23, %21 : tensor<37xf32>, tensor<37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 1 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<37xf32>, tensor<37xi64>)
  %25 = tensor.expand_shape %24#1 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %26 = tensor.empty() : tensor<8xi64>
  %27 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%26 : tensor<8xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<8xi64>
  %28 = tensor.expand_shape %27 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
  %29 = tensor.empty() : tensor<37x8xi1>
  %30 = linalg.generic {indexing_maps = [#map2, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%25, %28 : tensor<37x1xi64>, tensor<1x8xi64>) outs(%29 : tensor<37x8xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi eq, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<37x8xi1>
  %31 = tensor.empty() : tensor<37x8xf32>
  %32 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%30, %19 : tensor<37x8xi1>, tensor<37x8xf32>) outs(%31 : tensor<37x8xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %cst2, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<37x8xf32>
  %33 = tensor.empty() : tensor<37xi64>
  %34 = linalg.fill ins(%cst1 : i64) outs(%33 : tensor<37xi64>) -> tensor<37xi64>
  %35 = tensor.empty() : tensor<37xf32>
  %36 = linalg.fill ins(%cst2 : f32) outs(%35 : tensor<37xf32>) -> tensor<37xf32>
  %37:2 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "reduction"]} ins(%32 : tensor<37x8xf32>) outs(%36, %34 : tensor<37xf32>, tensor<37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 1 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<37xf32>, tensor<37xi64>)
  %38 = tensor.empty() : tensor<37xf32>
  %39 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%24#0, %37#0 : tensor<37xf32>, tensor<37xf32>) outs(%38 : tensor<37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<37xf32>
  %40 = tensor.empty() : tensor<37xf32>
  %41 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%24#0, %39 : tensor<37xf32>, tensor<37xf32>) outs(%40 : tensor<37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<37xf32>
  %42 = tensor.empty() : tensor<37xf32>
  %43 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%37#0, %39 : tensor<37xf32>, tensor<37xf32>) outs(%42 : tensor<37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<37xf32>
  return %41, %43, %24#1, %37#1 : tensor<37xf32>, tensor<37xf32>, tensor<37xi64>, tensor<37xi64>
}
