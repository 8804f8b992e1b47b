// linalg.contract, linalg.elementwise and linalg.softmax; f16.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>

func.func @contract(%q: tensor<3x37x16xf16>,
                    %k: tensor<3x45x16xf16>,
                    %v: tensor<3x45x16xf16>) -> tensor<3x37x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 2.500000e-01 : f32
  %0 = tensor.empty() : tensor<3x37x45xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %2 = linalg.contract indexing_maps = [#map, #map1, #map2] ins(%q, %k : tensor<3x37x16xf16>, tensor<3x45x16xf16>) outs(%1 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %3 = tensor.empty() : tensor<3x37x45xf32>
  %4 = linalg.fill ins(%cst_1 : f32) outs(%3 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %5 = tensor.empty() : tensor<3x37x45xf32>
  %6 = linalg.elementwise kind=#linalg.elementwise_kind<mul> ins(%2, %4 : tensor<3x37x45xf32>, tensor<3x37x45xf32>) outs(%5 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %7 = tensor.empty() : tensor<3x37x45xf32>
  %8 = linalg.softmax dimension(2) ins(%6 : tensor<3x37x45xf32>) outs(%7 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %9 = tensor.empty() : tensor<3x37x45xf16>
  %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<3x37x45xf32>) outs(%9 : tensor<3x37x45xf16>) {
  ^bb0(%in: f32, %out: f16):
    %11 = arith.truncf %in : f32 to f16
    linalg.yield %11 : f16
  } -> tensor<3x37x45xf16>
  %12 = tensor.empty() : tensor<3x37x16xf32>
  %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %14 = linalg.contract indexing_maps = [#map, #map4, #map2] ins(%10, %v : tensor<3x37x45xf16>, tensor<3x45x16xf16>) outs(%13 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  return %14 : tensor<3x37x16xf32>
}
