// Exponentials are summed from -0.0.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>

func.func @negative_zero(%q: tensor<3x37x16xf16>,
                         %k: tensor<3x45x16xf16>,
                         %v: tensor<3x45x16xf16>) -> tensor<3x37x16xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 0xFF800000 : f32
  %cst_2 = arith.constant -0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<3x37x16xf16>, tensor<3x45x16xf16>) outs(%1 : tensor<3x37x45xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %3 = arith.extf %in : f16 to f32
    %4 = arith.extf %in_1 : f16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %5, %out : f32
    linalg.yield %6 : f32
  } -> tensor<3x37x45xf32>
  %7 = tensor.empty() : tensor<3x37xf32>
  %8 = linalg.fill ins(%cst_1 : f32) outs(%7 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %9 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<3x37x45xf32>) outs(%8 : tensor<3x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = arith.maximumf %in, %out : f32
    linalg.yield %10 : f32
  } -> tensor<3x37xf32>
  %11 = tensor.empty() : tensor<3x37x45xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %9 : tensor<3x37x45xf32>, tensor<3x37xf32>) outs(%11 : tensor<3x37x45xf32>) {
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
  %22 = tensor.empty() : tensor<3x37x45xf16>
  %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<3x37x45xf32>) outs(%22 : tensor<3x37x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %24 = arith.truncf %in : f32 to f16
    linalg.yield %24 : f16
  } -> tensor<3x37x45xf16>
  %25 = tensor.empty() : tensor<3x37x16xf32>
  %26 = linalg.fill ins(%cst : f32) outs(%25 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23, %v : tensor<3x37x45xf16>, tensor<3x45x16xf16>) outs(%26 : tensor<3x37x16xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %28 = arith.extf %in : f16 to f32
    %29 = arith.extf %in_1 : f16 to f32
    %30 = arith.mulf %28, %29 : f32
    %31 = arith.addf %30, %out : f32
    linalg.yield %31 : f32
  } -> tensor<3x37x16xf32>
  %32 = tensor.empty() : tensor<3x37x16xf16>
  %33 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<3x37x16xf32>) outs(%32 : tensor<3x37x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %34 = arith.truncf %in : f32 to f16
    linalg.yield %34 : f16
  } -> tensor<3x37x16xf16>
  return %33 : tensor<3x37x16xf16>
}
