// Vector quantisation: the index of the nearest code of each vector. The distances are
// not stored.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=12288 --max-kernels=3

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>

func.func @nearest_code(%x: tensor<37x16xf32>,
    %codes: tensor<301x16xf32>) -> (tensor<37xi64>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 2.000000e+00 : f64
  %c2 = arith.constant 0 : i64
  %c3 = arith.constant 0x7F800000 : f32
  %0 = tensor.empty() : tensor<37x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%x, %x : tensor<37x16xf32>, tensor<37x16xf32>) outs(%0 : tensor<37x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x16xf32>
  %2 = tensor.empty() : tensor<37x1xf32>
  %3 = linalg.fill ins(%c0 : f32) outs(%2 : tensor<37x1xf32>) -> tensor<37x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<37x16xf32>) outs(%3 : tensor<37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<37x1xf32>
  %5 = tensor.empty() : tensor<301x16xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%codes, %codes : tensor<301x16xf32>, tensor<301x16xf32>) outs(%5 : tensor<301x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<301x16xf32>
  %7 = tensor.empty() : tensor<301xf32>
  %8 = linalg.fill ins(%c0 : f32) outs(%7 : tensor<301xf32>) -> tensor<301xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%6 : tensor<301x16xf32>) outs(%8 : tensor<301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<301xf32>
  %10 = tensor.empty() : tensor<16x301xf32>
  %11 = linalg.transpose ins(%codes : tensor<301x16xf32>) outs(%10 : tensor<16x301xf32>) permutation = [1, 0]
  %12 = tensor.empty() : tensor<37x301xf32>
  %13 = linalg.fill ins(%c0 : f32) outs(%12 : tensor<37x301xf32>) -> tensor<37x301xf32>
  %14 = linalg.matmul ins(%x, %11 : tensor<37x16xf32>, tensor<16x301xf32>) outs(%13 : tensor<37x301xf32>) -> tensor<37x301xf32>
  %15 = tensor.expand_shape %9 [[0, 1]] output_shape [1, 301] : tensor<301xf32> into tensor<1x301xf32>
  %16 = tensor.empty() : tensor<37x301xf32>
  %17 = linalg.generic {indexing_maps = [#map1, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %15 : tensor<37x1xf32>, tensor<1x301xf32>) outs(%16 : tensor<37x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x301xf32>
  %18 = tensor.empty() : tensor<37x301xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<37x301xf32>) outs(%18 : tensor<37x301xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.mulf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<37x301xf32>
  %20 = tensor.empty() : tensor<37x301xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %19 : tensor<37x301xf32>, tensor<37x301xf32>) outs(%20 : tensor<37x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<37x301xf32>
  %22 = tensor.empty() : tensor<37xi64>
  %23 = linalg.fill ins(%c2 : i64) outs(%22 : tensor<37xi64>) -> tensor<37xi64>
  %24 = tensor.empty() : tensor<37xf32>
  %25 = linalg.fill ins(%c3 : f32) outs(%24 : tensor<37xf32>) -> tensor<37xf32>
  %26:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "reduction"]} ins(%21 : tensor<37x301xf32>) outs(%25, %23 : tensor<37xf32>, tensor<37xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 1 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.minimumf %in, %out : f32
    %gt = arith.cmpf olt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<37xf32>, tensor<37xi64>)
  return %26#1 : tensor<37xi64>
}
