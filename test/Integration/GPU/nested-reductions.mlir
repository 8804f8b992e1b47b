// Loops in loops whose copies are pipelined: the buffers of the first copies are
// still read by the iteration before of the loop around.

// RUN: linalg-ext-check-program %s --targets=gpu --max-scalar-kernels=0

#a = affine_map<(m, n, h, g, d) -> (h, g, m, d)>
#b = affine_map<(m, n, h, g, d) -> (n, h, g, d)>
#c = affine_map<(m, n, h, g, d) -> (m, n)>
func.func @f(%x: tensor<2x2x13x8xf32>, %w: tensor<32x2x2x8xf32>) -> tensor<13x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<13x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<13x32xf32>) -> tensor<13x32xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel","parallel","reduction","reduction","reduction"]} ins(%x, %w : tensor<2x2x13x8xf32>, tensor<32x2x2x8xf32>) outs(%f : tensor<13x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<13x32xf32>
  return %r : tensor<13x32xf32>
}



func.func @of_halves(%x: tensor<2x2x13x8xf16>, %w: tensor<32x2x2x8xf16>) -> tensor<13x32xf16> {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<13x32xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<13x32xf16>) -> tensor<13x32xf16>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel","parallel","reduction","reduction","reduction"]} ins(%x, %w : tensor<2x2x13x8xf16>, tensor<32x2x2x8xf16>) outs(%f : tensor<13x32xf16>) {
  ^bb0(%p: f16, %q: f16, %o: f16):
    %m = arith.mulf %p, %q : f16
    %s = arith.addf %o, %m : f16
    linalg.yield %s : f16
  } -> tensor<13x32xf16>
  return %r : tensor<13x32xf16>
}
