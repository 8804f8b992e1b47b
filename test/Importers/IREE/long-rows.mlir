// A softmax of rows of 4099 elements.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=81979

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>

func.func @long_rows(%x: tensor<5x4099xf32> {check.draw = "uniform -3 3"}) -> tensor<5x4099xf32> {
  %cst = arith.constant 0xFF800000 : f32
  %cst_1 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<5xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x4099xf32>) outs(%1 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.maximumf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<5xf32>
  %4 = tensor.empty() : tensor<5x4099xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%x, %2 : tensor<5x4099xf32>, tensor<5xf32>) outs(%4 : tensor<5x4099xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %6 = arith.subf %in, %in_1 : f32
    %7 = math.exp %6 : f32
    linalg.yield %7 : f32
  } -> tensor<5x4099xf32>
  %8 = tensor.empty() : tensor<5xf32>
  %9 = linalg.fill ins(%cst_1 : f32) outs(%8 : tensor<5xf32>) -> tensor<5xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<5x4099xf32>) outs(%9 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %11 = arith.addf %in, %out : f32
    linalg.yield %11 : f32
  } -> tensor<5xf32>
  %12 = tensor.empty() : tensor<5x4099xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %10 : tensor<5x4099xf32>, tensor<5xf32>) outs(%12 : tensor<5x4099xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %14 = arith.divf %in, %in_1 : f32
    linalg.yield %14 : f32
  } -> tensor<5x4099xf32>
  return %13 : tensor<5x4099xf32>
}
