// torch.nn.Mish of an argument in front of a linear layer: each workgroup for other columns would
// compute the three functions of an element again, so that a kernel in front stores them.

// RUN: linalg-ext-check-program %s --max-kernels=2 --max-scalar-kernels=0
// RUN: linalg-ext-check-program %s --max-kernels=2 --max-scalar-kernels=0 --targets=gpu --gpu-options=chip=sm_87

#map = affine_map<(d0, d1) -> (d0, d1)>

func.func @mish(%arg0: tensor<136x128xf16>, %arg1: tensor<1280x128xf16>) -> tensor<136x1280xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<136x128xf16>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<136x128xf16>) outs(%0 : tensor<136x128xf16>) {
  ^bb0(%in: f16, %out: f16):
    %14 = math.exp %in : f16
    linalg.yield %14 : f16
  } -> tensor<136x128xf16>
  %2 = tensor.empty() : tensor<136x128xf16>
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<136x128xf16>) outs(%2 : tensor<136x128xf16>) {
  ^bb0(%in: f16, %out: f16):
    %14 = math.log1p %in : f16
    linalg.yield %14 : f16
  } -> tensor<136x128xf16>
  %4 = tensor.empty() : tensor<136x128xf16>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<136x128xf16>) outs(%4 : tensor<136x128xf16>) {
  ^bb0(%in: f16, %out: f16):
    %14 = math.tanh %in : f16
    linalg.yield %14 : f16
  } -> tensor<136x128xf16>
  %6 = tensor.empty() : tensor<136x128xf16>
  %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %5 : tensor<136x128xf16>, tensor<136x128xf16>) outs(%6 : tensor<136x128xf16>) {
  ^bb0(%in: f16, %in_0: f16, %out: f16):
    %14 = arith.mulf %in, %in_0 : f16
    linalg.yield %14 : f16
  } -> tensor<136x128xf16>
  %8 = tensor.empty() : tensor<128x1280xf16>
  %transposed = linalg.transpose ins(%arg1 : tensor<1280x128xf16>) outs(%8 : tensor<128x1280xf16>) permutation = [1, 0] 
  %9 = tensor.empty() : tensor<136x1280xf32>
  %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<136x1280xf32>) -> tensor<136x1280xf32>
  %11 = linalg.matmul ins(%7, %transposed : tensor<136x128xf16>, tensor<128x1280xf16>) outs(%10 : tensor<136x1280xf32>) -> tensor<136x1280xf32>
  %12 = tensor.empty() : tensor<136x1280xf16>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<136x1280xf32>) outs(%12 : tensor<136x1280xf16>) {
  ^bb0(%in: f32, %out: f16):
    %14 = arith.truncf %in : f32 to f16
    linalg.yield %14 : f16
  } -> tensor<136x1280xf16>
  return %13 : tensor<136x1280xf16>
}
