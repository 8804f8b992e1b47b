// OPT: a mask is added, then nothing is below the least number, on merged heads.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=8214 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @opt_clamped(%q: tensor<2x37x48xf32>,
    %k: tensor<2x37x48xf32>,
    %v: tensor<2x37x48xf32>,
    %mask: tensor<2x1x37x37xf32> {check.draw = "uniform -2 0"}) -> (tensor<2x37x48xf32>) {
  %cst0 = arith.constant 2.500000e-01 : f32
  %cst1 = arith.constant 0.000000e+00 : f32
  %cst2 = arith.constant -3.402823e+38 : f32
  %cst3 = arith.constant 0 : i64
  %cst4 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<2x37x48xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q : tensor<2x37x48xf32>) outs(%0 : tensor<2x37x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst0 : f32
    linalg.yield %r : f32
  } -> tensor<2x37x48xf32>
  %2 = tensor.expand_shape %1 [[0], [1], [2, 3]] output_shape [2, 37, 3, 16] : tensor<2x37x48xf32> into tensor<2x37x3x16xf32>
  %3 = tensor.empty() : tensor<2x3x37x16xf32>
  %4 = linalg.transpose ins(%2 : tensor<2x37x3x16xf32>) outs(%3 : tensor<2x3x37x16xf32>) permutation = [0, 2, 1, 3]
  %5 = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<2x3x37x16xf32> into tensor<6x37x16xf32>
  %6 = tensor.expand_shape %k [[0], [1], [2, 3]] output_shape [2, 37, 3, 16] : tensor<2x37x48xf32> into tensor<2x37x3x16xf32>
  %7 = tensor.empty() : tensor<2x3x37x16xf32>
  %8 = linalg.transpose ins(%6 : tensor<2x37x3x16xf32>) outs(%7 : tensor<2x3x37x16xf32>) permutation = [0, 2, 1, 3]
  %9 = tensor.collapse_shape %8 [[0, 1], [2], [3]] : tensor<2x3x37x16xf32> into tensor<6x37x16xf32>
  %10 = tensor.expand_shape %v [[0], [1], [2, 3]] output_shape [2, 37, 3, 16] : tensor<2x37x48xf32> into tensor<2x37x3x16xf32>
  %11 = tensor.empty() : tensor<2x3x37x16xf32>
  %12 = linalg.transpose ins(%10 : tensor<2x37x3x16xf32>) outs(%11 : tensor<2x3x37x16xf32>) permutation = [0, 2, 1, 3]
  %13 = tensor.collapse_shape %12 [[0, 1], [2], [3]] : tensor<2x3x37x16xf32> into tensor<6x37x16xf32>
  %14 = tensor.empty() : tensor<6x16x37xf32>
  %15 = linalg.transpose ins(%9 : tensor<6x37x16xf32>) outs(%14 : tensor<6x16x37xf32>) permutation = [0, 2, 1]
  %16 = tensor.empty() : tensor<6x37x37xf32>
  %17 = linalg.fill ins(%cst1 : f32) outs(%16 : tensor<6x37x37xf32>) -> tensor<6x37x37xf32>
  %18 = linalg.batch_matmul ins(%5, %15 : tensor<6x37x16xf32>, tensor<6x16x37xf32>) outs(%17 : tensor<6x37x37xf32>) -> tensor<6x37x37xf32>
  %19 = tensor.expand_shape %18 [[0, 1], [2], [3]] output_shape [2, 3, 37, 37] : tensor<6x37x37xf32> into tensor<2x3x37x37xf32>
  %20 = tensor.empty() : tensor<2x3x37x37xf32>
  %21 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %mask : tensor<2x3x37x37xf32>, tensor<2x1x37x37xf32>) outs(%20 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x37xf32>
  %22 = tensor.empty() : tensor<2x3x37x37xf32>
  %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<2x3x37x37xf32>) outs(%22 : tensor<2x3x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x37xf32>
  %24 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<2x3x37x37xf32> into tensor<6x37x37xf32>
  %25 = tensor.empty() : tensor<6x37xi64>
  %26 = linalg.fill ins(%cst3 : i64) outs(%25 : tensor<6x37xi64>) -> tensor<6x37xi64>
  %27 = tensor.empty() : tensor<6x37xf32>
  %28 = linalg.fill ins(%cst4 : f32) outs(%27 : tensor<6x37xf32>) -> tensor<6x37xf32>
  %29:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%24 : tensor<6x37x37xf32>) outs(%28, %26 : tensor<6x37xf32>, tensor<6x37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 2 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<6x37xf32>, tensor<6x37xi64>)
  %30 = tensor.expand_shape %29#0 [[0], [1, 2]] output_shape [6, 37, 1] : tensor<6x37xf32> into tensor<6x37x1xf32>
  %31 = tensor.empty() : tensor<6x37x37xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %30 : tensor<6x37x37xf32>, tensor<6x37x1xf32>) outs(%31 : tensor<6x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<6x37x37xf32>
  %33 = tensor.empty() : tensor<6x37x37xf32>
  %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<6x37x37xf32>) outs(%33 : tensor<6x37x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<6x37x37xf32>
  %35 = tensor.empty() : tensor<6x37x1xf32>
  %36 = linalg.fill ins(%cst1 : f32) outs(%35 : tensor<6x37x1xf32>) -> tensor<6x37x1xf32>
  %37 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%34 : tensor<6x37x37xf32>) outs(%36 : tensor<6x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<6x37x1xf32>
  %38 = tensor.empty() : tensor<6x37x37xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34, %37 : tensor<6x37x37xf32>, tensor<6x37x1xf32>) outs(%38 : tensor<6x37x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<6x37x37xf32>
  %40 = tensor.empty() : tensor<6x37x16xf32>
  %41 = linalg.fill ins(%cst1 : f32) outs(%40 : tensor<6x37x16xf32>) -> tensor<6x37x16xf32>
  %42 = linalg.batch_matmul ins(%39, %13 : tensor<6x37x37xf32>, tensor<6x37x16xf32>) outs(%41 : tensor<6x37x16xf32>) -> tensor<6x37x16xf32>
  %43 = tensor.expand_shape %42 [[0, 1], [2], [3]] output_shape [2, 3, 37, 16] : tensor<6x37x16xf32> into tensor<2x3x37x16xf32>
  %44 = tensor.empty() : tensor<2x37x3x16xf32>
  %45 = linalg.transpose ins(%43 : tensor<2x3x37x16xf32>) outs(%44 : tensor<2x37x3x16xf32>) permutation = [0, 2, 1, 3]
  %46 = tensor.collapse_shape %45 [[0], [1], [2, 3]] : tensor<2x37x3x16xf32> into tensor<2x37x48xf32>
  return %46 : tensor<2x37x48xf32>
}
