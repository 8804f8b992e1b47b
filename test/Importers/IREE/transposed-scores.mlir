// Scores are computed with the keys in front and transposed; the result is, too.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>

func.func @keys_first_scores(%q: tensor<3x37x16xf32>,
                             %k: tensor<3x45x16xf32>,
                             %v: tensor<3x45x16xf32>) -> tensor<3x16x37xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x45x37xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x45x37xf32>) -> tensor<3x45x37xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%k, %q : tensor<3x45x16xf32>, tensor<3x37x16xf32>) outs(%1 : tensor<3x45x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %3 = arith.mulf %in, %in_1 : f32
    %4 = arith.addf %3, %out : f32
    linalg.yield %4 : f32
  } -> tensor<3x45x37xf32>
  %5 = tensor.empty() : tensor<3x37x45xf32>
  %6 = linalg.transpose ins(%2 : tensor<3x45x37xf32>) outs(%5 : tensor<3x37x45xf32>) permutation = [0, 2, 1]
  %7 = tensor.empty() : tensor<3x37xf32>
  %8 = linalg.fill ins(%cst_1 : f32) outs(%7 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %9 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<3x37x45xf32>) outs(%8 : tensor<3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = arith.maximumf %in, %out : f32
    linalg.yield %10 : f32
  } -> tensor<3x37xf32>
  %11 = tensor.empty() : tensor<3x37x45xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %9 : tensor<3x37x45xf32>, tensor<3x37xf32>) outs(%11 : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %13 = arith.subf %in, %in_1 : f32
    %14 = math.exp %13 : f32
    linalg.yield %14 : f32
  } -> tensor<3x37x45xf32>
  %15 = tensor.empty() : tensor<3x37xf32>
  %16 = linalg.fill ins(%cst_2 : f32) outs(%15 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %17 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<3x37x45xf32>) outs(%16 : tensor<3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = arith.addf %in, %out : f32
    linalg.yield %18 : f32
  } -> tensor<3x37xf32>
  %19 = tensor.empty() : tensor<3x37x45xf32>
  %20 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %17 : tensor<3x37x45xf32>, tensor<3x37xf32>) outs(%19 : tensor<3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %21 = arith.divf %in, %in_1 : f32
    linalg.yield %21 : f32
  } -> tensor<3x37x45xf32>
  %22 = tensor.empty() : tensor<3x16x37xf32>
  %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<3x16x37xf32>) -> tensor<3x16x37xf32>
  %24 = linalg.generic {indexing_maps = [#map5, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v, %20 : tensor<3x45x16xf32>, tensor<3x37x45xf32>) outs(%23 : tensor<3x16x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %25 = arith.mulf %in, %in_1 : f32
    %26 = arith.addf %25, %out : f32
    linalg.yield %26 : f32
  } -> tensor<3x16x37xf32>
  return %24 : tensor<3x16x37xf32>
}
