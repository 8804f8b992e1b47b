// Scores of f16, a scale of one element, -10000 as the mask; the softmax in f32.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>

func.func @flash_like(%q: tensor<1x3x37x16xf16>,
                      %k: tensor<1x3x45x16xf16>,
                      %v: tensor<1x3x45x16xf16>,
                      %mask: tensor<1x1x1x45xf16> {check.draw = "mask 0.3 -10000"}) -> tensor<1x3x37x16xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.500000e-01 : f16
  %cst_2 = arith.constant 0xFF800000 : f32
  %cst_3 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x3x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x3x37x45xf32>) -> tensor<1x3x37x45xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<1x3x37x16xf16>, tensor<1x3x45x16xf16>) outs(%1 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %3 = arith.extf %in : f16 to f32
    %4 = arith.extf %in_1 : f16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %5, %out : f32
    linalg.yield %6 : f32
  } -> tensor<1x3x37x45xf32>
  %7 = tensor.empty() : tensor<1x3x37x45xf16>
  %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x3x37x45xf32>) outs(%7 : tensor<1x3x37x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %9 = arith.truncf %in : f32 to f16
    linalg.yield %9 : f16
  } -> tensor<1x3x37x45xf16>
  %10 = tensor.empty() : tensor<1x1x1x1xf16>
  %11 = linalg.fill ins(%cst_1 : f16) outs(%10 : tensor<1x1x1x1xf16>) -> tensor<1x1x1x1xf16>
  %12 = tensor.empty() : tensor<1x3x37x45xf16>
  %13 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %11 : tensor<1x3x37x45xf16>, tensor<1x1x1x1xf16>) outs(%12 : tensor<1x3x37x45xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %14 = arith.mulf %in, %in_1 : f16
    linalg.yield %14 : f16
  } -> tensor<1x3x37x45xf16>
  %15 = tensor.empty() : tensor<1x3x37x45xf16>
  %16 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %mask : tensor<1x3x37x45xf16>, tensor<1x1x1x45xf16>) outs(%15 : tensor<1x3x37x45xf16>) {
  ^bb0(%in: f16, %in_1: f16, %out: f16):
    %17 = arith.addf %in, %in_1 : f16
    linalg.yield %17 : f16
  } -> tensor<1x3x37x45xf16>
  %18 = tensor.empty() : tensor<1x3x37x45xf32>
  %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x3x37x45xf16>) outs(%18 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f16, %out: f32):
    %20 = arith.extf %in : f16 to f32
    linalg.yield %20 : f32
  } -> tensor<1x3x37x45xf32>
  %21 = tensor.empty() : tensor<1x3x37xf32>
  %22 = linalg.fill ins(%cst_2 : f32) outs(%21 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %23 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x3x37x45xf32>) outs(%22 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %24 = arith.maximumf %in, %out : f32
    linalg.yield %24 : f32
  } -> tensor<1x3x37xf32>
  %25 = tensor.empty() : tensor<1x3x37x45xf32>
  %26 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %23 : tensor<1x3x37x45xf32>, tensor<1x3x37xf32>) outs(%25 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %27 = arith.subf %in, %in_1 : f32
    %28 = math.exp %27 : f32
    linalg.yield %28 : f32
  } -> tensor<1x3x37x45xf32>
  %29 = tensor.empty() : tensor<1x3x37xf32>
  %30 = linalg.fill ins(%cst_3 : f32) outs(%29 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %31 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<1x3x37x45xf32>) outs(%30 : tensor<1x3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.addf %in, %out : f32
    linalg.yield %32 : f32
  } -> tensor<1x3x37xf32>
  %33 = tensor.empty() : tensor<1x3x37x45xf32>
  %34 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %31 : tensor<1x3x37x45xf32>, tensor<1x3x37xf32>) outs(%33 : tensor<1x3x37x45xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %35 = arith.divf %in, %in_1 : f32
    linalg.yield %35 : f32
  } -> tensor<1x3x37x45xf32>
  %36 = tensor.empty() : tensor<1x3x37x45xf16>
  %37 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x3x37x45xf32>) outs(%36 : tensor<1x3x37x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %38 = arith.truncf %in : f32 to f16
    linalg.yield %38 : f16
  } -> tensor<1x3x37x45xf16>
  %39 = tensor.empty() : tensor<1x3x37x16xf32>
  %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<1x3x37x16xf32>) -> tensor<1x3x37x16xf32>
  %41 = linalg.generic {indexing_maps = [#map, #map7, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%37, %v : tensor<1x3x37x45xf16>, tensor<1x3x45x16xf16>) outs(%40 : tensor<1x3x37x16xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %42 = arith.extf %in : f16 to f32
    %43 = arith.extf %in_1 : f16 to f32
    %44 = arith.mulf %42, %43 : f32
    %45 = arith.addf %44, %out : f32
    linalg.yield %45 : f32
  } -> tensor<1x3x37x16xf32>
  %46 = tensor.empty() : tensor<1x3x37x16xf16>
  %47 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x3x37x16xf32>) outs(%46 : tensor<1x3x37x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %48 = arith.truncf %in : f32 to f16
    linalg.yield %48 : f16
  } -> tensor<1x3x37x16xf16>
  return %47 : tensor<1x3x37x16xf16>
}
