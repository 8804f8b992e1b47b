// Contractions as generics with dimensions of one element.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=6659 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>

func.func @unit_dims(%q: tensor<1x1x37x16xf32>,
                     %k: tensor<1x1x45x16xf32>,
                     %v: tensor<1x1x45x16xf32>) -> tensor<1x1x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x1x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x1x37x45xf32>) -> tensor<1x1x37x45xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<1x1x37x16xf32>, tensor<1x1x45x16xf32>) outs(%1 : tensor<1x1x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %3 = arith.mulf %in, %in_1 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x1x37x45xf32>
  %5 = tensor.empty() : tensor<1x1x37xf32>
  %6 = linalg.fill ins(%cst_1 : f32) outs(%5 : tensor<1x1x37xf32>) -> tensor<1x1x37xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%2 : tensor<1x1x37x45xf32>) outs(%6 : tensor<1x1x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %8 = arith.maximumf %out, %in : f32
    linalg.yield %8 : f32
  } -> tensor<1x1x37xf32>
  %9 = arith.constant dense<0xFF800000> : tensor<1x1x37xf32>
  %10 = tensor.empty() : tensor<1x1x37xf32>
  %11 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %7 : tensor<1x1x37xf32>, tensor<1x1x37xf32>) outs(%10 : tensor<1x1x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %12 = arith.maximumf %in, %in_1 : f32
    linalg.yield %12 : f32
  } -> tensor<1x1x37xf32>
  %13 = tensor.empty() : tensor<1x1x37x1xf32>
  %14 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x1x37xf32>) outs(%13 : tensor<1x1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x1x37x1xf32>
  %15 = tensor.empty() : tensor<1x1x37x45xf32>
  %16 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x1x37x1xf32>) outs(%15 : tensor<1x1x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x1x37x45xf32>
  %17 = tensor.empty() : tensor<1x1x37x45xf32>
  %18 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %16 : tensor<1x1x37x45xf32>, tensor<1x1x37x45xf32>) outs(%17 : tensor<1x1x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %19 = arith.subf %in, %in_1 : f32
    linalg.yield %19 : f32
  } -> tensor<1x1x37x45xf32>
  %20 = tensor.empty() : tensor<1x1x37x45xf32>
  %21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x1x37x45xf32>) outs(%20 : tensor<1x1x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %22 = math.exp %in : f32
    linalg.yield %22 : f32
  } -> tensor<1x1x37x45xf32>
  %23 = tensor.empty() : tensor<1x1x37xf32>
  %24 = linalg.fill ins(%cst_2 : f32) outs(%23 : tensor<1x1x37xf32>) -> tensor<1x1x37xf32>
  %25 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x1x37x45xf32>) outs(%24 : tensor<1x1x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.addf %out, %in : f32
    linalg.yield %26 : f32
  } -> tensor<1x1x37xf32>
  %27 = tensor.empty() : tensor<1x1x37x1xf32>
  %28 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x1x37xf32>) outs(%27 : tensor<1x1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x1x37x1xf32>
  %29 = tensor.empty() : tensor<1x1x37x45xf32>
  %30 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x1x37x1xf32>) outs(%29 : tensor<1x1x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x1x37x45xf32>
  %31 = tensor.empty() : tensor<1x1x37x45xf32>
  %32 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %30 : tensor<1x1x37x45xf32>, tensor<1x1x37x45xf32>) outs(%31 : tensor<1x1x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %33 = arith.divf %in, %in_1 : f32
    linalg.yield %33 : f32
  } -> tensor<1x1x37x45xf32>
  %34 = tensor.empty() : tensor<1x1x37x16xf32>
  %35 = linalg.fill ins(%cst : f32) outs(%34 : tensor<1x1x37x16xf32>) -> tensor<1x1x37x16xf32>
  %36 = linalg.generic {indexing_maps = [#map, #map7, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%32, %v : tensor<1x1x37x45xf32>, tensor<1x1x45x16xf32>) outs(%35 : tensor<1x1x37x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %37 = arith.mulf %in, %in_1 : f32
    %38 = arith.addf %out, %37 : f32
    linalg.yield %38 : f32
  } -> tensor<1x1x37x16xf32>
  return %36 : tensor<1x1x37x16xf32>
}
