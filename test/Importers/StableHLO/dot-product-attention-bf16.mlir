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

func.func @dot_product_attention_bf16(%q: tensor<1x37x3x16xbf16>,
                                      %k: tensor<1x45x3x16xbf16>,
                                      %v: tensor<1x45x3x16xbf16>) -> tensor<1x37x3x16xbf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x3x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x3x37x45xf32>) -> tensor<1x3x37x45xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<1x37x3x16xbf16>, tensor<1x45x3x16xbf16>) outs(%1 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: bf16, %in_1: bf16, %out: f32):
    %3 = arith.extf %in : bf16 to f32
    %4 = arith.extf %in_1 : bf16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %out, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<1x3x37x45xf32>
  %7 = arith.constant dense<2.500000e-01> : tensor<1x3x37x45xf32>
  %8 = tensor.empty() : tensor<1x3x37x45xf32>
  %9 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %7 : tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) outs(%8 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %10 = arith.mulf %in, %in_1 : f32
    linalg.yield %10 : f32
  } -> tensor<1x3x37x45xf32>
  %11 = tensor.empty() : tensor<1x3x37xf32>
  %12 = linalg.fill ins(%cst_1 : f32) outs(%11 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %13 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%9 : tensor<1x3x37x45xf32>) outs(%12 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.maximumf %out, %in : f32
    linalg.yield %14 : f32
  } -> tensor<1x3x37xf32>
  %15 = arith.constant dense<0xFF800000> : tensor<1x3x37xf32>
  %16 = tensor.empty() : tensor<1x3x37xf32>
  %17 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %13 : tensor<1x3x37xf32>, tensor<1x3x37xf32>) outs(%16 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.maximumf %in, %in_1 : f32
    linalg.yield %18 : f32
  } -> tensor<1x3x37xf32>
  %19 = tensor.empty() : tensor<1x3x37x1xf32>
  %20 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x3x37xf32>) outs(%19 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x1xf32>
  %21 = tensor.empty() : tensor<1x3x37x45xf32>
  %22 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x3x37x1xf32>) outs(%21 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x45xf32>
  %23 = tensor.empty() : tensor<1x3x37x45xf32>
  %24 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %22 : tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) outs(%23 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %25 = arith.subf %in, %in_1 : f32
    linalg.yield %25 : f32
  } -> tensor<1x3x37x45xf32>
  %26 = tensor.empty() : tensor<1x3x37x45xf32>
  %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x3x37x45xf32>) outs(%26 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = math.exp %in : f32
    linalg.yield %28 : f32
  } -> tensor<1x3x37x45xf32>
  %29 = tensor.empty() : tensor<1x3x37xf32>
  %30 = linalg.fill ins(%cst_2 : f32) outs(%29 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %31 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<1x3x37x45xf32>) outs(%30 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.addf %out, %in : f32
    linalg.yield %32 : f32
  } -> tensor<1x3x37xf32>
  %33 = tensor.empty() : tensor<1x3x37x1xf32>
  %34 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x3x37xf32>) outs(%33 : tensor<1x3x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x1xf32>
  %35 = tensor.empty() : tensor<1x3x37x45xf32>
  %36 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x3x37x1xf32>) outs(%35 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x37x45xf32>
  %37 = tensor.empty() : tensor<1x3x37x45xf32>
  %38 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %36 : tensor<1x3x37x45xf32>, tensor<1x3x37x45xf32>) outs(%37 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %39 = arith.divf %in, %in_1 : f32
    linalg.yield %39 : f32
  } -> tensor<1x3x37x45xf32>
  %40 = tensor.empty() : tensor<1x3x37x45xbf16>
  %41 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x3x37x45xf32>) outs(%40 : tensor<1x3x37x45xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %42 = arith.truncf %in : f32 to bf16
    linalg.yield %42 : bf16
  } -> tensor<1x3x37x45xbf16>
  %43 = tensor.empty() : tensor<1x3x16x37xf32>
  %44 = linalg.fill ins(%cst : f32) outs(%43 : tensor<1x3x16x37xf32>) -> tensor<1x3x16x37xf32>
  %45 = linalg.generic {indexing_maps = [#map7, #map8, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v, %41 : tensor<1x45x3x16xbf16>, tensor<1x3x37x45xbf16>) outs(%44 : tensor<1x3x16x37xf32>) {
  ^bb0(%in: bf16, %in_1: bf16, %out: f32):
    %46 = arith.extf %in : bf16 to f32
    %47 = arith.extf %in_1 : bf16 to f32
    %48 = arith.mulf %46, %47 : f32
    %49 = arith.addf %out, %48 : f32
    linalg.yield %49 : f32
  } -> tensor<1x3x16x37xf32>
  %50 = tensor.empty() : tensor<1x3x16x37xbf16>
  %51 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x3x16x37xf32>) outs(%50 : tensor<1x3x16x37xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %52 = arith.truncf %in : f32 to bf16
    linalg.yield %52 : bf16
  } -> tensor<1x3x16x37xbf16>
  %53 = tensor.empty() : tensor<1x37x3x16xbf16>
  %54 = linalg.transpose ins(%51 : tensor<1x3x16x37xbf16>) outs(%53 : tensor<1x37x3x16xbf16>) permutation = [0, 3, 1, 2]
  return %54 : tensor<1x37x3x16xbf16>
}
