// The same with any number of tokens in each sequence. (Of groups with two dynamic
// dimensions, upstream's expand-strided-metadata crashes in 22.1.8.)

func.func @dynamic(%x: tensor<2x?x4xf32>, %w: tensor<4x18xf32>, %wo: tensor<6x5xf32>) -> tensor<2x?x5xf32> attributes {fuse} {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %b = arith.constant 2 : index
  %n = tensor.dim %x, %c1 : tensor<2x?x4xf32>
  %tokens = arith.muli %b, %n : index
  %xf = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x?x4xf32> into tensor<?x4xf32>
  %pe = tensor.empty(%tokens) : tensor<?x18xf32>
  %pf = linalg.fill ins(%zero : f32) outs(%pe : tensor<?x18xf32>) -> tensor<?x18xf32>
  %p = linalg.matmul ins(%xf, %w : tensor<?x4xf32>, tensor<4x18xf32>) outs(%pf : tensor<?x18xf32>) -> tensor<?x18xf32>
  %ps = tensor.expand_shape %p [[0, 1], [2, 3, 4]] output_shape [2, %n, 3, 3, 2] : tensor<?x18xf32> into tensor<2x?x3x3x2xf32>
  %te = tensor.empty(%n) : tensor<3x2x3x?x2xf32>
  %t = linalg.transpose ins(%ps : tensor<2x?x3x3x2xf32>) outs(%te : tensor<3x2x3x?x2xf32>) permutation = [2, 0, 3, 1, 4]
  %q = tensor.extract_slice %t[0, 0, 0, 0, 0] [1, 2, 3, %n, 2] [1, 1, 1, 1, 1] : tensor<3x2x3x?x2xf32> to tensor<2x3x?x2xf32>
  %k = tensor.extract_slice %t[1, 0, 0, 0, 0] [1, 2, 3, %n, 2] [1, 1, 1, 1, 1] : tensor<3x2x3x?x2xf32> to tensor<2x3x?x2xf32>
  %v = tensor.extract_slice %t[2, 0, 0, 0, 0] [1, 2, 3, %n, 2] [1, 1, 1, 1, 1] : tensor<3x2x3x?x2xf32> to tensor<2x3x?x2xf32>
  %se = tensor.empty(%n, %n) : tensor<2x3x?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x3x?x?xf32>) -> tensor<2x3x?x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, m, n, d) -> (b, h, m, d)>, affine_map<(b, h, m, n, d) -> (b, h, n, d)>, affine_map<(b, h, m, n, d) -> (b, h, m, n)>]
      ins(%q, %k : tensor<2x3x?x2xf32>, tensor<2x3x?x2xf32>) outs(%sf : tensor<2x3x?x?xf32>) -> tensor<2x3x?x?xf32>
  %scale = arith.constant 0.70710678 : f32
  %ss = linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, h, m, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x3x?x?xf32>) outs(%se : tensor<2x3x?x?xf32>) {
  ^bb0(%e: f32, %out: f32):
    %m = arith.mulf %e, %scale : f32
    linalg.yield %m : f32
  } -> tensor<2x3x?x?xf32>
  %a = linalg.softmax dimension(3) ins(%ss : tensor<2x3x?x?xf32>) outs(%se : tensor<2x3x?x?xf32>) -> tensor<2x3x?x?xf32>
  %oe = tensor.empty(%n) : tensor<2x3x?x2xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x3x?x2xf32>) -> tensor<2x3x?x2xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, m, d, n) -> (b, h, m, n)>, affine_map<(b, h, m, d, n) -> (b, h, n, d)>, affine_map<(b, h, m, d, n) -> (b, h, m, d)>] {attention}
      ins(%a, %v : tensor<2x3x?x?xf32>, tensor<2x3x?x2xf32>) outs(%of : tensor<2x3x?x2xf32>) -> tensor<2x3x?x2xf32>
  %ue = tensor.empty(%n) : tensor<2x?x3x2xf32>
  %u = linalg.transpose ins(%o : tensor<2x3x?x2xf32>) outs(%ue : tensor<2x?x3x2xf32>) permutation = [0, 2, 1, 3]
  %um = tensor.collapse_shape %u [[0, 1], [2, 3]] : tensor<2x?x3x2xf32> into tensor<?x6xf32>
  %ye = tensor.empty(%tokens) : tensor<?x5xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x5xf32>) -> tensor<?x5xf32>
  %y = linalg.matmul {projection} ins(%um, %wo : tensor<?x6xf32>, tensor<6x5xf32>) outs(%yf : tensor<?x5xf32>) -> tensor<?x5xf32>
  %r = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, %n, 5] : tensor<?x5xf32> into tensor<2x?x5xf32>
  return %r : tensor<2x?x5xf32>
}
