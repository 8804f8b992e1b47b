// jax.nn.dot_product_attention: BTNH, maximum(-inf, max), sums from -0.0, a splat
// for the scale, values as [b, n, h, t] and a transpose.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=2 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>

func.func @dot_product_attention_f32(%q: tensor<1x37x3x16xf32>,
                                     %k: tensor<1x45x3x16xf32>,
                                     %v: tensor<1x45x3x16xf32>) -> tensor<1x37x3x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x3x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x3x37x45xf32>) -> tensor<1x3x37x45xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<1x37x3x16xf32>, tensor<1x45x3x16xf32>) outs(%1 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %3 = arith.mulf %in, %in_1 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x3x37x45xf32>
  %5 = arith.constant dense<2.500000e-01> : tensor<1x3x37x45xf32>
  %6 = tensor.empty() : tensor<1x3x37x45xf32>
  %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %5 : tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) outs(%6 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %8 = arith.mulf %in, %in_1 : f32
    linalg.yield %8 : f32
  } -> tensor<1x3x37x45xf32>
  %9 = tensor.empty() : tensor<1x3x37xf32>
  %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %11 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%7 : tensor<1x3x37x45xf32>) outs(%10 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %12 = arith.maximumf %out, %in : f32
    linalg.yield %12 : f32
  } -> tensor<1x3x37xf32>
  %13 = arith.constant dense<0xFF800000> : tensor<1x3x37xf32>
  %14 = tensor.empty() : tensor<1x3x37xf32>
  %15 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %11 : tensor<1x3x37xf32>, tensor<1x3x37xf32>) outs(%14 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %16 = arith.maximumf %in, %in_1 : f32
    linalg.yield %16 : f32
  } -> tensor<1x3x37xf32>
  %17 = tensor.empty() : tensor<1x3x37x1xf32>
  %18 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x3x37xf32>) outs(%17 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x1xf32>
  %19 = tensor.empty() : tensor<1x3x37x45xf32>
  %20 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x3x37x1xf32>) outs(%19 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x45xf32>
  %21 = tensor.empty() : tensor<1x3x37x45xf32>
  %22 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %20 : tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) outs(%21 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %23 = arith.subf %in, %in_1 : f32
    linalg.yield %23 : f32
  } -> tensor<1x3x37x45xf32>
  %24 = tensor.empty() : tensor<1x3x37x45xf32>
  %25 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x3x37x45xf32>) outs(%24 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = math.exp %in : f32
    linalg.yield %26 : f32
  } -> tensor<1x3x37x45xf32>
  %27 = tensor.empty() : tensor<1x3x37xf32>
  %28 = linalg.fill ins(%cst_2 : f32) outs(%27 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %29 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x3x37x45xf32>) outs(%28 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %30 = arith.addf %out, %in : f32
    linalg.yield %30 : f32
  } -> tensor<1x3x37xf32>
  %31 = tensor.empty() : tensor<1x3x37x1xf32>
  %32 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x3x37xf32>) outs(%31 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x1xf32>
  %33 = tensor.empty() : tensor<1x3x37x45xf32>
  %34 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x3x37x1xf32>) outs(%33 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x45xf32>
  %35 = tensor.empty() : tensor<1x3x37x45xf32>
  %36 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %34 : tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) outs(%35 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %37 = arith.divf %in, %in_1 : f32
    linalg.yield %37 : f32
  } -> tensor<1x3x37x45xf32>
  %38 = tensor.empty() : tensor<1x3x16x37xf32>
  %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<1x3x16x37xf32>) -> tensor<1x3x16x37xf32>
  %40 = linalg.generic {indexing_maps = [#map7, #map8, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v, %36 : tensor<1x45x3x16xf32>, tensor<1x3x37x45xf32>) outs(%39 : tensor<1x3x16x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %41 = arith.mulf %in, %in_1 : f32
    %42 = arith.addf %out, %41 : f32
    linalg.yield %42 : f32
  } -> tensor<1x3x16x37xf32>
  %43 = tensor.empty() : tensor<1x37x3x16xf32>
  %44 = linalg.transpose ins(%40 : tensor<1x3x16x37xf32>) outs(%43 : tensor<1x37x3x16xf32>) permutation = [0, 3, 1, 2]
  return %44 : tensor<1x37x3x16xf32>
}
