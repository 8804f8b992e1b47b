// A maximum by maxnumf that starts from NaN; the division is inside the product
// with the values.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>

func.func @attention(%q: tensor<3x37x16xf32>,
                     %k: tensor<3x45x16xf32>,
                     %v: tensor<3x45x16xf32>) -> tensor<3x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0x7FC00000 : f32
  %0 = tensor.empty() : tensor<3x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<3x37x16xf32>, tensor<3x45x16xf32>) outs(%1 : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %3 = arith.mulf %in, %in_1 : f32
    %4 = arith.addf %3, %out : f32
    linalg.yield %4 : f32
  } -> tensor<3x37x45xf32>
  %5 = tensor.empty() : tensor<3x37xf32>
  %6 = linalg.fill ins(%cst_1 : f32) outs(%5 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<3x37x45xf32>) outs(%6 : tensor<3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %8 = arith.maxnumf %in, %out : f32
    linalg.yield %8 : f32
  } -> tensor<3x37xf32>
  %9 = tensor.empty() : tensor<3x37x45xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %7 : tensor<3x37x45xf32>, tensor<3x37xf32>) outs(%9 : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %11 = arith.subf %in, %in_1 : f32
    %12 = math.exp %11 : f32
    linalg.yield %12 : f32
  } -> tensor<3x37x45xf32>
  %13 = tensor.empty() : tensor<3x37xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %15 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<3x37x45xf32>) outs(%14 : tensor<3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %in, %out : f32
    linalg.yield %16 : f32
  } -> tensor<3x37xf32>
  %17 = tensor.empty() : tensor<3x37x16xf32>
  %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map5, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10, %15, %v : tensor<3x37x45xf32>, tensor<3x37xf32>, tensor<3x45x16xf32>) outs(%18 : tensor<3x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %in_2: f32, %out: f32):
    %20 = arith.divf %in, %in_1 : f32
    %21 = arith.mulf %20, %in_2 : f32
    %22 = arith.addf %out, %21 : f32
    linalg.yield %22 : f32
  } -> tensor<3x37x16xf32>
  return %19 : tensor<3x37x16xf32>
}
