// jax.vjp of jax.nn.softmax: the weights and the gradient of the logits.

// RUN: linalg-ext-check-program %s --max-kernels=2 --keys=16

#map = affine_map<(d0, d1) -> (d0, d1)>

func.func @softmax_vjp(%arg_x: tensor<19x301xf32>,
    %arg_dy: tensor<19x301xf32>) -> (tensor<19x301xf32>, tensor<19x301xf32>) {
  %c0 = arith.constant 0xFF800000 : f32
  %c1 = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<19xf32>
  %1 = linalg.fill ins(%c0 : f32) outs(%0 : tensor<19xf32>) -> tensor<19xf32>
  %2 = linalg.reduce ins(%arg_x : tensor<19x301xf32>) outs(%1 : tensor<19xf32>) dimensions = [1]
    (%x: f32, %y: f32) {
      %z = arith.maximumf %x, %y : f32
      linalg.yield %z : f32
    }
  %3 = tensor.expand_shape %2 [[0, 1]] output_shape [19, 1] : tensor<19xf32> into tensor<19x1xf32>
  %4 = tensor.collapse_shape %3 [[0, 1]] : tensor<19x1xf32> into tensor<19xf32>
  %5 = tensor.empty() : tensor<19x301xf32>
  %6 = linalg.broadcast ins(%4 : tensor<19xf32>) outs(%5 : tensor<19x301xf32>) dimensions = [1]
  %7 = tensor.empty() : tensor<19x301xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_x, %6 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%7 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %9 = tensor.empty() : tensor<19x301xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<19x301xf32>) outs(%9 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %11 = tensor.empty() : tensor<19xf32>
  %12 = linalg.fill ins(%c1 : f32) outs(%11 : tensor<19xf32>) -> tensor<19xf32>
  %13 = linalg.reduce ins(%10 : tensor<19x301xf32>) outs(%12 : tensor<19xf32>) dimensions = [1]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  %14 = tensor.expand_shape %13 [[0, 1]] output_shape [19, 1] : tensor<19xf32> into tensor<19x1xf32>
  %15 = tensor.collapse_shape %14 [[0, 1]] : tensor<19x1xf32> into tensor<19xf32>
  %16 = tensor.empty() : tensor<19x301xf32>
  %17 = linalg.broadcast ins(%15 : tensor<19xf32>) outs(%16 : tensor<19x301xf32>) dimensions = [1]
  %18 = tensor.empty() : tensor<19x301xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %17 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%18 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %20 = tensor.empty() : tensor<19x301xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_dy, %19 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%20 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %22 = tensor.empty() : tensor<19xf32>
  %23 = linalg.fill ins(%c1 : f32) outs(%22 : tensor<19xf32>) -> tensor<19xf32>
  %24 = linalg.reduce ins(%21 : tensor<19x301xf32>) outs(%23 : tensor<19xf32>) dimensions = [1]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  %25 = tensor.expand_shape %24 [[0, 1]] output_shape [19, 1] : tensor<19xf32> into tensor<19x1xf32>
  %26 = tensor.collapse_shape %25 [[0, 1]] : tensor<19x1xf32> into tensor<19xf32>
  %27 = tensor.empty() : tensor<19x301xf32>
  %28 = linalg.broadcast ins(%26 : tensor<19xf32>) outs(%27 : tensor<19x301xf32>) dimensions = [1]
  %29 = tensor.empty() : tensor<19x301xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_dy, %28 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%29 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %31 = tensor.empty() : tensor<19x301xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%30, %19 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%31 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  return %19, %32 : tensor<19x301xf32>, tensor<19x301xf32>
}
