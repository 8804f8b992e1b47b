// native_layer_norm_backward with saved statistics. The gradients of weight and bias
// are sums over rows, in loops of their own.

// RUN: linalg-ext-check-program %s --max-kernels=4 --keys=16

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0)>

func.func @layer_norm_backward(%arg_x: tensor<19x301xf32>,
    %arg_w: tensor<301xf32>,
    %arg_dy: tensor<19x301xf32>,
    %arg_mu: tensor<19x1xf32>,
    %arg_rs: tensor<19x1xf32> {check.draw = "uniform 0.5 2"}) -> (tensor<19x301xf32>, tensor<301xf32>, tensor<301xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 301.000000 : f32
  %0 = tensor.empty() : tensor<19x301xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_x, %arg_mu : tensor<19x301xf32>, tensor<19x1xf32>) outs(%0 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %2 = tensor.empty() : tensor<19x301xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %arg_rs : tensor<19x301xf32>, tensor<19x1xf32>) outs(%2 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %4 = tensor.empty() : tensor<19x301xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_dy, %arg_w : tensor<19x301xf32>, tensor<301xf32>) outs(%4 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %6 = tensor.empty() : tensor<19xf32>
  %7 = linalg.fill ins(%c0 : f32) outs(%6 : tensor<19xf32>) -> tensor<19xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<19x301xf32>) outs(%7 : tensor<19xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<19xf32>
  %9 = tensor.expand_shape %8 [[0, 1]] output_shape [19, 1] : tensor<19xf32> into tensor<19x1xf32>
  %10 = tensor.empty() : tensor<19x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<19x1xf32>) outs(%10 : tensor<19x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.divf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<19x1xf32>
  %12 = tensor.empty() : tensor<19x301xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %3 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%12 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %14 = tensor.empty() : tensor<19xf32>
  %15 = linalg.fill ins(%c0 : f32) outs(%14 : tensor<19xf32>) -> tensor<19xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "reduction"]} ins(%13 : tensor<19x301xf32>) outs(%15 : tensor<19xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<19xf32>
  %17 = tensor.expand_shape %16 [[0, 1]] output_shape [19, 1] : tensor<19xf32> into tensor<19x1xf32>
  %18 = tensor.empty() : tensor<19x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<19x1xf32>) outs(%18 : tensor<19x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.divf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<19x1xf32>
  %20 = tensor.empty() : tensor<19x301xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %11 : tensor<19x301xf32>, tensor<19x1xf32>) outs(%20 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %22 = tensor.empty() : tensor<19x301xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %19 : tensor<19x301xf32>, tensor<19x1xf32>) outs(%22 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %24 = tensor.empty() : tensor<19x301xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %23 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%24 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %26 = tensor.empty() : tensor<19x301xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%25, %arg_rs : tensor<19x301xf32>, tensor<19x1xf32>) outs(%26 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %28 = tensor.empty() : tensor<19x301xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_dy, %3 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%28 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %30 = tensor.empty() : tensor<301xf32>
  %31 = linalg.fill ins(%c0 : f32) outs(%30 : tensor<301xf32>) -> tensor<301xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "parallel"]} ins(%29 : tensor<19x301xf32>) outs(%31 : tensor<301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<301xf32>
  %33 = tensor.empty() : tensor<301xf32>
  %34 = linalg.fill ins(%c0 : f32) outs(%33 : tensor<301xf32>) -> tensor<301xf32>
  %35 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "parallel"]} ins(%arg_dy : tensor<19x301xf32>) outs(%34 : tensor<301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<301xf32>
  return %27, %32, %35 : tensor<19x301xf32>, tensor<301xf32>, tensor<301xf32>
}
