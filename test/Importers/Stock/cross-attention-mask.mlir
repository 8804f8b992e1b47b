// Cross attention: scale and a mask of booleans in one op; f16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=11000 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>

func.func @cross_attention(%q: tensor<3x37x16xf16>,
                           %k: tensor<3x77x16xf16>,
                           %v: tensor<3x77x16xf16>,
                           %mask: tensor<77xi1> {check.draw = "keep 0.6"}) -> tensor<3x37x16xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.500000e-01 : f32
  %cst_2 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<3x37x77xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x37x77xf32>) -> tensor<3x37x77xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<3x37x16xf16>, tensor<3x77x16xf16>) outs(%1 : tensor<3x37x77xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %3 = arith.extf %in : f16 to f32
    %4 = arith.extf %in_1 : f16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %5, %out : f32
    linalg.yield %6 : f32
  } -> tensor<3x37x77xf32>
  %7 = tensor.empty() : tensor<3x37x77xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %mask : tensor<3x37x77xf32>, tensor<77xi1>) outs(%7 : tensor<3x37x77xf32>) {
  ^bb0(%in: f32, %in_1: i1, %out: f32):
    %9 = arith.mulf %in, %cst_1 : f32
    %10 = arith.select %in_1, %9, %cst_2 : f32
    linalg.yield %10 : f32
  } -> tensor<3x37x77xf32>
  %11 = tensor.empty() : tensor<3x37x77xf32>
  %12 = linalg.softmax dimension(2) ins(%8 : tensor<3x37x77xf32>) outs(%11 : tensor<3x37x77xf32>) -> tensor<3x37x77xf32>
  %13 = tensor.empty() : tensor<3x37x77xf16>
  %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<3x37x77xf32>) outs(%13 : tensor<3x37x77xf16>) {
  ^bb0(%in: f32, %out: f16):
    %15 = arith.truncf %in : f32 to f16
    linalg.yield %15 : f16
  } -> tensor<3x37x77xf16>
  %16 = tensor.empty() : tensor<3x37x16xf32>
  %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14, %v : tensor<3x37x77xf16>, tensor<3x77x16xf16>) outs(%17 : tensor<3x37x16xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %19 = arith.extf %in : f16 to f32
    %20 = arith.extf %in_1 : f16 to f32
    %21 = arith.mulf %19, %20 : f32
    %22 = arith.addf %21, %out : f32
    linalg.yield %22 : f32
  } -> tensor<3x37x16xf32>
  %23 = tensor.empty() : tensor<3x37x16xf16>
  %24 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<3x37x16xf32>) outs(%23 : tensor<3x37x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %25 = arith.truncf %in : f32 to f16
    linalg.yield %25 : f16
  } -> tensor<3x37x16xf16>
  return %24 : tensor<3x37x16xf16>
}
