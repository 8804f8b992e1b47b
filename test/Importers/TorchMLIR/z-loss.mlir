// Cross entropy, and the square of the log-sum-exp of each row (z-loss).

// RUN: linalg-ext-check-program %s --max-kernels=3 --keys=16

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0) -> (d0)>

func.func @z_loss(%arg_x: tensor<19x301xf32>,
    %arg_t: tensor<19xi64> {check.draw = "uniform 0 300"}) -> (tensor<19xf32>, tensor<19x1xf32>) {
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
  %14 = tensor.empty() : tensor<19x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %3 : tensor<19x1xf32>, tensor<19x1xf32>) outs(%14 : tensor<19x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x1xf32>
  %16 = tensor.empty() : tensor<19x301xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg_x, %15 : tensor<19x301xf32>, tensor<19x1xf32>) outs(%16 : tensor<19x301xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x301xf32>
  %18 = tensor.empty() : tensor<19xf32>
  %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg_t : tensor<19xi64>) outs(%18 : tensor<19xf32>) {
  ^bb0(%in: i64, %out: f32):
    %r = linalg.index 0 : index
    %c = arith.index_cast %in : i64 to index
    %x = tensor.extract %17[%r, %c] : tensor<19x301xf32>
    linalg.yield %x : f32
  } -> tensor<19xf32>
  %20 = tensor.empty() : tensor<19xf32>
  %21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%19 : tensor<19xf32>) outs(%20 : tensor<19xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = arith.negf %in0 : f32
    linalg.yield %res : f32
  } -> tensor<19xf32>
  %22 = tensor.empty() : tensor<19x1xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %15 : tensor<19x1xf32>, tensor<19x1xf32>) outs(%22 : tensor<19x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.mulf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<19x1xf32>
  return %21, %23 : tensor<19xf32>, tensor<19x1xf32>
}
