// Self-attention as importers write it, on 2 x 7 tokens of 4 features, with 3
// heads of 2 channels: tokens are flattened for the projections, q, k and v are
// one projection, and heads are split off and merged by reshapes. FUNC is the
// name.

func.func @FUNC(%x: tensor<2x7x4xf32>, %w: tensor<4x18xf32>, %wo: tensor<6x5xf32>) -> tensor<2x7x5xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.70710678 : f32

  // [tokens, 3 * heads * channels] to [3, batch, heads, sequence, channels].
  %xf = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x7x4xf32> into tensor<14x4xf32>
  %pe = tensor.empty() : tensor<14x18xf32>
  %pf = linalg.fill ins(%zero : f32) outs(%pe : tensor<14x18xf32>) -> tensor<14x18xf32>
  %p = linalg.matmul ins(%xf, %w : tensor<14x4xf32>, tensor<4x18xf32>) outs(%pf : tensor<14x18xf32>) -> tensor<14x18xf32>
  %ps = tensor.expand_shape %p [[0, 1], [2, 3, 4]] output_shape [2, 7, 3, 3, 2] : tensor<14x18xf32> into tensor<2x7x3x3x2xf32>
  %te = tensor.empty() : tensor<3x2x3x7x2xf32>
  %t = linalg.transpose ins(%ps : tensor<2x7x3x3x2xf32>) outs(%te : tensor<3x2x3x7x2xf32>) permutation = [2, 0, 3, 1, 4]
  %q = tensor.extract_slice %t[0, 0, 0, 0, 0] [1, 2, 3, 7, 2] [1, 1, 1, 1, 1] : tensor<3x2x3x7x2xf32> to tensor<2x3x7x2xf32>
  %k = tensor.extract_slice %t[1, 0, 0, 0, 0] [1, 2, 3, 7, 2] [1, 1, 1, 1, 1] : tensor<3x2x3x7x2xf32> to tensor<2x3x7x2xf32>
  %v = tensor.extract_slice %t[2, 0, 0, 0, 0] [1, 2, 3, 7, 2] [1, 1, 1, 1, 1] : tensor<3x2x3x7x2xf32> to tensor<2x3x7x2xf32>

  %se = tensor.empty() : tensor<2x3x7x7xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x3x7x7xf32>) -> tensor<2x3x7x7xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, m, n, d) -> (b, h, m, d)>, affine_map<(b, h, m, n, d) -> (b, h, n, d)>, affine_map<(b, h, m, n, d) -> (b, h, m, n)>]
      ins(%q, %k : tensor<2x3x7x2xf32>, tensor<2x3x7x2xf32>) outs(%sf : tensor<2x3x7x7xf32>) -> tensor<2x3x7x7xf32>
  %ss = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x3x7x7xf32>) outs(%se : tensor<2x3x7x7xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.mulf %a, %scale : f32
    linalg.yield %m : f32
  } -> tensor<2x3x7x7xf32>
  %a = linalg.softmax dimension(3) ins(%ss : tensor<2x3x7x7xf32>) outs(%se : tensor<2x3x7x7xf32>) -> tensor<2x3x7x7xf32>
  %oe = tensor.empty() : tensor<2x3x7x2xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x3x7x2xf32>) -> tensor<2x3x7x2xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, m, d, n) -> (b, h, m, n)>, affine_map<(b, h, m, d, n) -> (b, h, n, d)>, affine_map<(b, h, m, d, n) -> (b, h, m, d)>] {attention}
      ins(%a, %v : tensor<2x3x7x7xf32>, tensor<2x3x7x2xf32>) outs(%of : tensor<2x3x7x2xf32>) -> tensor<2x3x7x2xf32>

  // [batch, heads, sequence, channels] to [tokens, heads * channels].
  %ue = tensor.empty() : tensor<2x7x3x2xf32>
  %u = linalg.transpose ins(%o : tensor<2x3x7x2xf32>) outs(%ue : tensor<2x7x3x2xf32>) permutation = [0, 2, 1, 3]
  %um = tensor.collapse_shape %u [[0, 1], [2, 3]] : tensor<2x7x3x2xf32> into tensor<14x6xf32>
  %ye = tensor.empty() : tensor<14x5xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<14x5xf32>) -> tensor<14x5xf32>
  %y = linalg.matmul {projection} ins(%um, %wo : tensor<14x6xf32>, tensor<6x5xf32>) outs(%yf : tensor<14x5xf32>) -> tensor<14x5xf32>
  %r = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 7, 5] : tensor<14x5xf32> into tensor<2x7x5xf32>
  return %r : tensor<2x7x5xf32>
}
