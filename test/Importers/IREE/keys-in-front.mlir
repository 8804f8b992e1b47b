// The softmax is along the dimension in the middle.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>

func.func @reduce_in_the_middle(%q: tensor<3x37x16xf32>,
                                %k: tensor<3x45x16xf32>,
                                %v: tensor<3x45x16xf32>) -> tensor<3x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x45x37xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x45x37xf32>) -> tensor<3x45x37xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<3x37x16xf32>, tensor<3x45x16xf32>) outs(%1 : tensor<3x45x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %3 = arith.mulf %in, %in_1 : f32
    %4 = arith.addf %3, %out : f32
    linalg.yield %4 : f32
  } -> tensor<3x45x37xf32>
  %5 = tensor.empty() : tensor<3x37xf32>
  %6 = linalg.fill ins(%cst_1 : f32) outs(%5 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "parallel"]} ins(%2 : tensor<3x45x37xf32>) outs(%6 : tensor<3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %8 = arith.maximumf %in, %out : f32
    linalg.yield %8 : f32
  } -> tensor<3x37xf32>
  %9 = tensor.empty() : tensor<3x45x37xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %7 : tensor<3x45x37xf32>, tensor<3x37xf32>) outs(%9 : tensor<3x45x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %11 = arith.subf %in, %in_1 : f32
    %12 = math.exp %11 : f32
    linalg.yield %12 : f32
  } -> tensor<3x45x37xf32>
  %13 = tensor.empty() : tensor<3x37xf32>
  %14 = linalg.fill ins(%cst_2 : f32) outs(%13 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %15 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "parallel"]} ins(%10 : tensor<3x45x37xf32>) outs(%14 : tensor<3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.addf %in, %out : f32
    linalg.yield %16 : f32
  } -> tensor<3x37xf32>
  %17 = tensor.empty() : tensor<3x45x37xf32>
  %18 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %15 : tensor<3x45x37xf32>, tensor<3x37xf32>) outs(%17 : tensor<3x45x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %19 = arith.divf %in, %in_1 : f32
    linalg.yield %19 : f32
  } -> tensor<3x45x37xf32>
  %20 = tensor.empty() : tensor<3x37x16xf32>
  %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %22 = linalg.generic {indexing_maps = [#map5, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18, %v : tensor<3x45x37xf32>, tensor<3x45x16xf32>) outs(%21 : tensor<3x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %23 = arith.mulf %in, %in_1 : f32
    %24 = arith.addf %23, %out : f32
    linalg.yield %24 : f32
  } -> tensor<3x37x16xf32>
  return %22 : tensor<3x37x16xf32>
}
