// A linear layer that rounds its rows to f8 on the way, with a scale that was calibrated:
// the conversion is fused, and instructions read its result from registers.

// RUN: linalg-ext-check-program %s --sizes=130x256 --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options="chip=sm_90a async-products=true"
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_90a async-products=true" | FileCheck %s
// CHECK: k32.f32.e4m3.e4m3 {{[{][^}]*[}], [{][^,]+, [^,]+, [^,]+, [^,]+[}]}}, {{[^{]}}

func.func @static_quantization(%x: tensor<?x256xf16> {check.draw = "uniform -2 2"}, %inverse: tensor<1xf32> {check.draw = "uniform 20 40"}, %w: tensor<128x256xf8E4M3FN> {check.draw = "uniform -2 2"}, %scales: tensor<128xf32> {check.draw = "uniform 0.01 0.02"}) -> tensor<?x128xf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -448.0 : f32
  %high = arith.constant 448.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x256xf16>
  %qe = tensor.empty(%m) : tensor<?x256xf8E4M3FN>
  %q = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (0)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %inverse : tensor<?x256xf16>, tensor<1xf32>) outs(%qe : tensor<?x256xf8E4M3FN>) {
  ^bb0(%a: f16, %s: f32, %o: f8E4M3FN):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.truncf %3 : f32 to f8E4M3FN
    linalg.yield %4 : f8E4M3FN
  } -> tensor<?x256xf8E4M3FN>
  %e = tensor.empty(%m) : tensor<?x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x128xf32>) -> tensor<?x128xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %w : tensor<?x256xf8E4M3FN>, tensor<128x256xf8E4M3FN>) outs(%f : tensor<?x128xf32>) {
  ^bb0(%a: f8E4M3FN, %b: f8E4M3FN, %acc: f32):
    %0 = arith.extf %a : f8E4M3FN to f32
    %1 = arith.extf %b : f8E4M3FN to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x128xf32>
  %h = tensor.empty(%m) : tensor<?x128xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %scales : tensor<?x128xf32>, tensor<128xf32>) outs(%h : tensor<?x128xf16>) {
  ^bb0(%a: f32, %s: f32, %o: f16):
    %0 = arith.mulf %a, %s : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<?x128xf16>
  return %r : tensor<?x128xf16>
}
