// RWKV: each token is mixed with the one before it. `F.pad(x, (0, 0, 1, -1))` shifts the
// tokens: the padding of a static type does not change the type. (Upstream, 22.1.8, folds
// it away.) The mixed tokens gate a product.

// RUN: linalg-ext-check-program %s --max-kernels=1

#id = affine_map<(b, t, c) -> (b, t, c)>
#channel = affine_map<(b, t, c) -> (c)>

func.func @static(%x: tensor<2x19x24xf32>, %mix: tensor<24xf32>, %w: tensor<24x40xf32>) -> tensor<2x19x40xf32> {
  %zero = arith.constant 0.0 : f32
  %shifted = tensor.pad %x low[0, 1, 0] high[0, -1, 0] {
  ^bb0(%b: index, %t: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x19x24xf32> to tensor<2x19x24xf32>
  %e = tensor.empty() : tensor<2x19x24xf32>
  %mixed = linalg.generic {indexing_maps = [#id, #id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %shifted, %mix : tensor<2x19x24xf32>, tensor<2x19x24xf32>, tensor<24xf32>) outs(%e : tensor<2x19x24xf32>) {
  ^bb0(%now: f32, %before: f32, %m: f32, %out: f32):
    %d = arith.subf %before, %now : f32
    %p = arith.mulf %d, %m : f32
    %s = arith.addf %now, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x19x24xf32>
  %rows = tensor.collapse_shape %mixed [[0, 1], [2]] : tensor<2x19x24xf32> into tensor<38x24xf32>
  %f = tensor.empty() : tensor<38x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%f : tensor<38x40xf32>) -> tensor<38x40xf32>
  %y = linalg.matmul ins(%rows, %w : tensor<38x24xf32>, tensor<24x40xf32>) outs(%i : tensor<38x40xf32>) -> tensor<38x40xf32>
  %r = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 19, 40] : tensor<38x40xf32> into tensor<2x19x40xf32>
  return %r : tensor<2x19x40xf32>
}
