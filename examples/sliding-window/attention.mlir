// Causal attention in a window: each token sees itself and the 255 tokens in front of
// it. The mask is computed from positions, and no tensor holds it. Upstream linalg;
// batch, heads and length are dynamic. f16, with sums of f32.

#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#o = affine_map<(b, h, i, d, j) -> (b, h, i, d)>
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#rows = affine_map<(b, h, i, d) -> (b, h, i, d)>

func.func @attention(%q: tensor<?x?x?x64xf16>, %k: tensor<?x?x?x64xf16>, %v: tensor<?x?x?x64xf16>) -> tensor<?x?x?x64xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %before = arith.constant 255 : index
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x?x64xf16>
  %h = tensor.dim %q, %c1 : tensor<?x?x?x64xf16>
  %m = tensor.dim %q, %c2 : tensor<?x?x?x64xf16>
  %n = tensor.dim %k, %c2 : tensor<?x?x?x64xf16>

  // scores = q k^T
  %s_empty = tensor.empty(%b, %h, %m, %n) : tensor<?x?x?x?xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %scores = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<?x?x?x64xf16>, tensor<?x?x?x64xf16>)
      outs(%s_zero : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>

  // Token i sees itself and the 255 tokens in front of it. Loops visit only the tiles
  // of keys that some query of their tile sees.
  %masked = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores : tensor<?x?x?x?xf32>) outs(%s_empty : tensor<?x?x?x?xf32>) {
  ^bb0(%score: f32, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %first = arith.subi %i, %before : index
    %past = arith.cmpi sle, %j, %i : index
    %near = arith.cmpi sge, %j, %first : index
    %visible = arith.andi %past, %near : i1
    %scaled = arith.mulf %score, %scale : f32
    %0 = arith.select %visible, %scaled, %hidden : f32
    linalg.yield %0 : f32
  } -> tensor<?x?x?x?xf32>

  %weights = linalg.softmax dimension(3) ins(%masked : tensor<?x?x?x?xf32>)
      outs(%s_empty : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %w_empty = tensor.empty(%b, %h, %m, %n) : tensor<?x?x?x?xf16>
  %narrow = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%weights : tensor<?x?x?x?xf32>) outs(%w_empty : tensor<?x?x?x?xf16>) {
  ^bb0(%weight: f32, %out: f16):
    %0 = arith.truncf %weight : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x?x?x?xf16>

  // result = weights v
  %r_empty = tensor.empty(%b, %h, %m) : tensor<?x?x?x64xf32>
  %r_zero = linalg.fill ins(%zero : f32) outs(%r_empty : tensor<?x?x?x64xf32>) -> tensor<?x?x?x64xf32>
  %sums = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%narrow, %v : tensor<?x?x?x?xf16>, tensor<?x?x?x64xf16>)
      outs(%r_zero : tensor<?x?x?x64xf32>) -> tensor<?x?x?x64xf32>
  %out_empty = tensor.empty(%b, %h, %m) : tensor<?x?x?x64xf16>
  %result = linalg.generic {indexing_maps = [#rows, #rows],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : tensor<?x?x?x64xf32>) outs(%out_empty : tensor<?x?x?x64xf16>) {
  ^bb0(%sum: f32, %out: f16):
    %0 = arith.truncf %sum : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x?x?x64xf16>
  return %result : tensor<?x?x?x64xf16>
}
