// Gradient of RMSNorm in its input. The rows are reduced twice, and read once.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d1)>

func.func @rms_norm_backward(%arg_x: tensor<19x301xf32>,
    %arg_w: tensor<301xf32>,
    %arg_dy: tensor<19x301xf32>) -> (tensor<19x301xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 301.000000 : f32
  %c2 = arith.constant 1.000000e-05 : f32
  %0 = tensor.empty() : tensor<19x301xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_x, %arg_x : tensor<19x301xf32>, tensor<19x301xf32>) outs(%0 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %2 = tensor.empty() : tensor<19xf32>
  %3 = linalg.fill ins(%c0 : f32) outs(%2 : tensor<19xf32>) -> tensor<19xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<19x301xf32>) outs(%3 : tensor<19xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<19xf32>
  %5 = tensor.expand_shape %4 [[0, 1]] output_shape [19, 1] : tensor<19xf32> into tensor<19x1xf32>
  %6 = tensor.empty() : tensor<19x1xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<19x1xf32>) outs(%6 : tensor<19x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.divf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<19x1xf32>
  %8 = tensor.empty() : tensor<19x1xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<19x1xf32>) outs(%8 : tensor<19x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.addf %in0, %c2 : f32
    linalg.yield %res : f32
  } -> tensor<19x1xf32>
  %10 = tensor.empty() : tensor<19x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<19x1xf32>) outs(%10 : tensor<19x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.rsqrt %in0 : f32
    linalg.yield %res : f32
  } -> tensor<19x1xf32>
  %12 = tensor.empty() : tensor<19x301xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_x, %11 : tensor<19x301xf32>, tensor<19x1xf32>) outs(%12 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %14 = tensor.empty() : tensor<19x301xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_dy, %arg_w : tensor<19x301xf32>, tensor<301xf32>) outs(%14 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %16 = tensor.empty() : tensor<19x301xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %13 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%16 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %18 = tensor.empty() : tensor<19xf32>
  %19 = linalg.fill ins(%c0 : f32) outs(%18 : tensor<19xf32>) -> tensor<19xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%17 : tensor<19x301xf32>) outs(%19 : tensor<19xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<19xf32>
  %21 = tensor.expand_shape %20 [[0, 1]] output_shape [19, 1] : tensor<19xf32> into tensor<19x1xf32>
  %22 = tensor.empty() : tensor<19x1xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<19x1xf32>) outs(%22 : tensor<19x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.divf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<19x1xf32>
  %24 = tensor.empty() : tensor<19x301xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %23 : tensor<19x301xf32>, tensor<19x1xf32>) outs(%24 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %26 = tensor.empty() : tensor<19x301xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %25 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%26 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %28 = tensor.empty() : tensor<19x301xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%27, %11 : tensor<19x301xf32>, tensor<19x1xf32>) outs(%28 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  return %29 : tensor<19x301xf32>
}
