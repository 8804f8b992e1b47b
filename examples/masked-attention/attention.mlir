// Attention with a mask of the caller: mask[b, i, j] says whether query i of sequence
// b sees key j. All heads of a sequence have the same mask. Upstream linalg; batch,
// heads and lengths are dynamic. f16, with sums of f32.
//
// To write another mask, change what %masked selects by: see ../sliding-window for one
// that is computed from positions.

#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#o = affine_map<(b, h, i, d, j) -> (b, h, i, d)>
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#mask = affine_map<(b, h, i, j) -> (b, i, j)>
#rows = affine_map<(b, h, i, d) -> (b, h, i, d)>

func.func @attention(%q: tensor<?x?x?x64xf16>, %k: tensor<?x?x?x64xf16>, %v: tensor<?x?x?x64xf16>,
                     %mask: tensor<?x?x?xi1>) -> tensor<?x?x?x64xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
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

  // What the mask hides counts for nothing. A query that sees no key gets 0.
  %masked = linalg.generic {indexing_maps = [#all, #mask, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores, %mask : tensor<?x?x?x?xf32>, tensor<?x?x?xi1>) outs(%s_empty : tensor<?x?x?x?xf32>) {
  ^bb0(%score: f32, %visible: i1, %out: f32):
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
