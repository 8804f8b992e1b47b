// A linear layer and its activation in decoding: one token of each sequence stands between the
// product and the activation.

// RUN: linalg-ext-check-program %s --max-kernels=1 --sizes=5x1x32,-

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @linear_activation_one_token(%a_x: tensor<?x1x32xbf16>,
    %a_W: tensor<144x32xbf16> {check.draw = "uniform -0.3 0.3"}) -> (tensor<?x1x144xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 1.000000000e+00 : bf16
  %B = tensor.dim %a_x, %c0 : tensor<?x1x32xbf16>
  %v1 = tensor.empty() : tensor<32x144xbf16>
  %v2 = linalg.transpose ins(%a_W : tensor<144x32xbf16>) outs(%v1 : tensor<32x144xbf16>) permutation = [1, 0]
  %v3 = tensor.collapse_shape %a_x [[0, 1], [2]] : tensor<?x1x32xbf16> into tensor<?x32xbf16>
  %v4 = tensor.empty(%B) : tensor<?x144xf32>
  %v5 = linalg.fill ins(%c1 : f32) outs(%v4 : tensor<?x144xf32>) -> tensor<?x144xf32>
  %v6 = linalg.matmul ins(%v3, %v2 : tensor<?x32xbf16>, tensor<32x144xbf16>) outs(%v5 : tensor<?x144xf32>) -> tensor<?x144xf32>
  %v7 = tensor.empty(%B) : tensor<?x144xbf16>
  %g8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%v6 : tensor<?x144xf32>) outs(%v7 : tensor<?x144xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x144xbf16>
  %v9 = tensor.expand_shape %g8 [[0, 1], [2]] output_shape [%B, 1, 144] : tensor<?x144xbf16> into tensor<?x1x144xbf16>
  %v10 = tensor.empty(%B) : tensor<?x1x144xbf16>
  %g11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v9 : tensor<?x1x144xbf16>) outs(%v10 : tensor<?x1x144xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %n = arith.negf %in0 : bf16
    %e = math.exp %n : bf16
    %a = arith.addf %e, %c2 : bf16
    %r = arith.divf %c2, %a : bf16
    linalg.yield %r : bf16
  } -> tensor<?x1x144xbf16>
  %v12 = tensor.empty(%B) : tensor<?x1x144xbf16>
  %g13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v9, %g11 : tensor<?x1x144xbf16>, tensor<?x1x144xbf16>) outs(%v12 : tensor<?x1x144xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<?x1x144xbf16>
  return %g13 : tensor<?x1x144xbf16>
}
