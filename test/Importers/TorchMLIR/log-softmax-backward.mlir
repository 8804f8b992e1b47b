// log_softmax, and its gradient from what it returns.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>

func.func @log_softmax_backward(%arg_x: tensor<19x301xf32>,
    %arg_dy: tensor<19x301xf32>) -> (tensor<19x301xf32>) {
  %c0 = arith.constant 0xFF800000 : f32
  %c1 = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<19xf32>
  %1 = linalg.fill ins(%c0 : f32) outs(%0 : tensor<19xf32>) -> tensor<19xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg_x : tensor<19x301xf32>) outs(%1 : tensor<19xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.maximumf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<19xf32>
  %3 = tensor.expand_shape %2 [[0, 1]] output_shape [19, 1] : tensor<19xf32> into tensor<19x1xf32>
  %4 = tensor.empty() : tensor<19x301xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_x, %3 : tensor<19x301xf32>, tensor<19x1xf32>) outs(%4 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %6 = tensor.empty() : tensor<19x301xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<19x301xf32>) outs(%6 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %8 = tensor.empty() : tensor<19xf32>
  %9 = linalg.fill ins(%c1 : f32) outs(%8 : tensor<19xf32>) -> tensor<19xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<19x301xf32>) outs(%9 : tensor<19xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<19xf32>
  %11 = tensor.expand_shape %10 [[0, 1]] output_shape [19, 1] : tensor<19xf32> into tensor<19x1xf32>
  %12 = tensor.empty() : tensor<19x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<19x1xf32>) outs(%12 : tensor<19x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.log %in0 : f32
    linalg.yield %res : f32
  } -> tensor<19x1xf32>
  %14 = tensor.empty() : tensor<19x301xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %13 : tensor<19x301xf32>, tensor<19x1xf32>) outs(%14 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %16 = tensor.empty() : tensor<19x301xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<19x301xf32>) outs(%16 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %18 = tensor.empty() : tensor<19xf32>
  %19 = linalg.fill ins(%c1 : f32) outs(%18 : tensor<19xf32>) -> tensor<19xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg_dy : tensor<19x301xf32>) outs(%19 : tensor<19xf32>) {
  ^bb0(%in: f32, %out: f32):
    %z = arith.addf %in, %out : f32
    linalg.yield %z : f32
  } -> tensor<19xf32>
  %21 = tensor.expand_shape %20 [[0, 1]] output_shape [19, 1] : tensor<19xf32> into tensor<19x1xf32>
  %22 = tensor.empty() : tensor<19x301xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %21 : tensor<19x301xf32>, tensor<19x1xf32>) outs(%22 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %24 = tensor.empty() : tensor<19x301xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_dy, %23 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%24 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  return %25 : tensor<19x301xf32>
}
