// Two products with bias and ReLU between them; bf16.

// RUN: linalg-ext-check-program %s

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>

func.func @mlp(%x: tensor<37x24xbf16>,
               %w0: tensor<24x40xbf16> {check.draw = "uniform -0.3 0.3"},
               %w1: tensor<40x24xbf16> {check.draw = "uniform -0.3 0.3"},
               %b: tensor<40xbf16> {check.draw = "uniform -1 1"}) -> tensor<37x24xbf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<37x40xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<37x40xf32>) -> tensor<37x40xf32>
  %2 = linalg.matmul ins(%x, %w0 : tensor<37x24xbf16>, tensor<24x40xbf16>) outs(%1 : tensor<37x40xf32>) -> tensor<37x40xf32>
  %3 = tensor.empty() : tensor<37x40xbf16>
  %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %b : tensor<37x40xf32>, tensor<40xbf16>) outs(%3 : tensor<37x40xbf16>) {
  ^bb0(%in: f32, %in_1: bf16, %out: bf16):
    %5 = arith.extf %in_1 : bf16 to f32
    %6 = arith.addf %in, %5 : f32
    %7 = arith.maximumf %6, %cst : f32
    %8 = arith.truncf %7 : f32 to bf16
    linalg.yield %8 : bf16
  } -> tensor<37x40xbf16>
  %9 = tensor.empty() : tensor<37x24xf32>
  %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<37x24xf32>) -> tensor<37x24xf32>
  %11 = linalg.matmul ins(%4, %w1 : tensor<37x40xbf16>, tensor<40x24xbf16>) outs(%10 : tensor<37x24xf32>) -> tensor<37x24xf32>
  %12 = tensor.empty() : tensor<37x24xbf16>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<37x24xf32>) outs(%12 : tensor<37x24xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %14 = arith.truncf %in : f32 to bf16
    linalg.yield %14 : bf16
  } -> tensor<37x24xbf16>
  return %13 : tensor<37x24xbf16>
}
