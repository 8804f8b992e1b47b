// jax.vjp of RMSNorm: reductions, explicit broadcasts.

// RUN: linalg-ext-check-program %s --max-kernels=1 --keys=16

#map = affine_map<(d0, d1) -> (d0, d1)>

func.func @rms_norm_vjp(%arg_x: tensor<19x301xf32>,
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
  %4 = linalg.reduce ins(%1 : tensor<19x301xf32>) outs(%3 : tensor<19xf32>) dimensions = [1]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
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
  %12 = tensor.collapse_shape %11 [[0, 1]] : tensor<19x1xf32> into tensor<19xf32>
  %13 = tensor.empty() : tensor<19x301xf32>
  %14 = linalg.broadcast ins(%12 : tensor<19xf32>) outs(%13 : tensor<19x301xf32>) dimensions = [1]
  %15 = tensor.empty() : tensor<19x301xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_x, %14 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%15 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %17 = tensor.empty() : tensor<19x301xf32>
  %18 = linalg.broadcast ins(%arg_w : tensor<301xf32>) outs(%17 : tensor<19x301xf32>) dimensions = [0]
  %19 = tensor.empty() : tensor<19x301xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_dy, %18 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%19 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %21 = tensor.empty() : tensor<19x301xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %16 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%21 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %23 = tensor.empty() : tensor<19xf32>
  %24 = linalg.fill ins(%c0 : f32) outs(%23 : tensor<19xf32>) -> tensor<19xf32>
  %25 = linalg.reduce ins(%22 : tensor<19x301xf32>) outs(%24 : tensor<19xf32>) dimensions = [1]
    (%x: f32, %y: f32) {
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
    }
  %26 = tensor.expand_shape %25 [[0, 1]] output_shape [19, 1] : tensor<19xf32> into tensor<19x1xf32>
  %27 = tensor.empty() : tensor<19x1xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<19x1xf32>) outs(%27 : tensor<19x1xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.divf %in0, %c1 : f32
    linalg.yield %res : f32
  } -> tensor<19x1xf32>
  %29 = tensor.collapse_shape %28 [[0, 1]] : tensor<19x1xf32> into tensor<19xf32>
  %30 = tensor.empty() : tensor<19x301xf32>
  %31 = linalg.broadcast ins(%29 : tensor<19xf32>) outs(%30 : tensor<19x301xf32>) dimensions = [1]
  %32 = tensor.empty() : tensor<19x301xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%16, %31 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%32 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %34 = tensor.empty() : tensor<19x301xf32>
  %35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %33 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%34 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %36 = tensor.collapse_shape %11 [[0, 1]] : tensor<19x1xf32> into tensor<19xf32>
  %37 = tensor.empty() : tensor<19x301xf32>
  %38 = linalg.broadcast ins(%36 : tensor<19xf32>) outs(%37 : tensor<19x301xf32>) dimensions = [1]
  %39 = tensor.empty() : tensor<19x301xf32>
  %40 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%35, %38 : tensor<19x301xf32>, tensor<19x301xf32>) outs(%39 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  return %40 : tensor<19x301xf32>
}
