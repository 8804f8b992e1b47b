// jax.nn.log_softmax.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=11137

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>

func.func @log_softmax(%x: tensor<37x301xf32> {check.draw = "uniform -5 5"}) -> tensor<37x301xf32> {
  %cst = arith.constant 0xFF800000 : f32
  %cst_1 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<37xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<37xf32>) -> tensor<37xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<37x301xf32>) outs(%1 : tensor<37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.maximumf %out, %in : f32
    linalg.yield %3 : f32
  } -> tensor<37xf32>
  %4 = tensor.empty() : tensor<37x301xf32>
  %5 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<37xf32>) outs(%4 : tensor<37x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<37x301xf32>
  %6 = tensor.empty() : tensor<37x301xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%x, %5 : tensor<37x301xf32>, tensor<37x301xf32>) outs(%6 : tensor<37x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %8 = arith.subf %in, %in_1 : f32
    linalg.yield %8 : f32
  } -> tensor<37x301xf32>
  %9 = tensor.empty() : tensor<37x301xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<37x301xf32>) outs(%9 : tensor<37x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    %11 = math.exp %in : f32
    linalg.yield %11 : f32
  } -> tensor<37x301xf32>
  %12 = tensor.empty() : tensor<37xf32>
  %13 = linalg.fill ins(%cst_1 : f32) outs(%12 : tensor<37xf32>) -> tensor<37xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<37x301xf32>) outs(%13 : tensor<37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.addf %out, %in : f32
    linalg.yield %15 : f32
  } -> tensor<37xf32>
  %16 = tensor.empty() : tensor<37xf32>
  %17 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%14 : tensor<37xf32>) outs(%16 : tensor<37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = math.log %in : f32
    linalg.yield %18 : f32
  } -> tensor<37xf32>
  %19 = tensor.empty() : tensor<37x301xf32>
  %20 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<37xf32>) outs(%19 : tensor<37x301xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<37x301xf32>
  %21 = tensor.empty() : tensor<37x301xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %20 : tensor<37x301xf32>, tensor<37x301xf32>) outs(%21 : tensor<37x301xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %23 = arith.subf %in, %in_1 : f32
    linalg.yield %23 : f32
  } -> tensor<37x301xf32>
  return %22 : tensor<37x301xf32>
}
