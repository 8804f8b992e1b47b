// GEGLU in bf16, gelu by tanh, with sizes that tiles do not divide.

// RUN: linalg-ext-check-program %s

#id = affine_map<(d0, d1) -> (d0, d1)>

func.func @geglu(%x: tensor<150x72xbf16>,
                 %wg: tensor<72x136xbf16> {check.draw = "uniform -0.4 0.4"},
                 %wu: tensor<72x136xbf16> {check.draw = "uniform -0.4 0.4"}) -> tensor<150x136xbf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<150x136xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<150x136xf32>) -> tensor<150x136xf32>
  %2 = linalg.matmul ins(%x, %wg : tensor<150x72xbf16>, tensor<72x136xbf16>) outs(%1 : tensor<150x136xf32>) -> tensor<150x136xf32>
  %3 = tensor.empty() : tensor<150x136xbf16>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<150x136xf32>) outs(%3 : tensor<150x136xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<150x136xbf16>
  %5 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<150x136xbf16>) outs(%0 : tensor<150x136xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %half = arith.constant 5.000000e-01 : f32
    %one = arith.constant 1.000000e+00 : f32
    %a = arith.constant 0.797884583 : f32
    %b = arith.constant 4.471500e-02 : f32
    %v = arith.extf %in : bf16 to f32
    %v2 = arith.mulf %v, %v : f32
    %v3 = arith.mulf %v2, %v : f32
    %c = arith.mulf %v3, %b : f32
    %d = arith.addf %v, %c : f32
    %e = arith.mulf %d, %a : f32
    %f = math.tanh %e : f32
    %g = arith.addf %f, %one : f32
    %h = arith.mulf %v, %half : f32
    %i = arith.mulf %h, %g : f32
    linalg.yield %i : f32
  } -> tensor<150x136xf32>
  %6 = linalg.matmul ins(%x, %wu : tensor<150x72xbf16>, tensor<72x136xbf16>) outs(%1 : tensor<150x136xf32>) -> tensor<150x136xf32>
  %7 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%5, %6 : tensor<150x136xf32>, tensor<150x136xf32>) outs(%3 : tensor<150x136xbf16>) {
  ^bb0(%in: f32, %in_1: f32, %out: bf16):
    %u = arith.mulf %in, %in_1 : f32
    %t = arith.truncf %u : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<150x136xbf16>
  return %7 : tensor<150x136xbf16>
}
