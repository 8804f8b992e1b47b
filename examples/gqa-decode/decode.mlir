// One step of decoding with grouped queries: each sequence has one new token, whose
// 32 query heads share 8 heads of keys and values. The cache is dense; a sequence has
// lengths[b] keys in it. Upstream linalg; batch and cache are dynamic. f16, with sums
// of f32.

#q = affine_map<(b, h, g, j, d) -> (b, h, g, d)>
#k = affine_map<(b, h, g, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, g, j, d) -> (b, h, g, j)>
#p = affine_map<(b, h, g, d, j) -> (b, h, g, j)>
#v = affine_map<(b, h, g, d, j) -> (b, h, j, d)>
#o = affine_map<(b, h, g, d, j) -> (b, h, g, d)>
#all = affine_map<(b, h, g, j) -> (b, h, g, j)>
#batch = affine_map<(b, h, g, j) -> (b)>
#rows = affine_map<(b, h, g, d) -> (b, h, g, d)>

func.func @decode(%q: tensor<?x8x4x128xf16>, %k: tensor<?x8x?x128xf16>, %v: tensor<?x8x?x128xf16>,
                  %lengths: tensor<?xi32>) -> tensor<?x8x4x128xf16> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %hidden = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.08838834764 : f32
  %b = tensor.dim %q, %c0 : tensor<?x8x4x128xf16>
  %n = tensor.dim %k, %c2 : tensor<?x8x?x128xf16>

  %s_empty = tensor.empty(%b, %n) : tensor<?x8x4x?xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<?x8x4x?xf32>) -> tensor<?x8x4x?xf32>
  %scores = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<?x8x4x128xf16>, tensor<?x8x?x128xf16>)
      outs(%s_zero : tensor<?x8x4x?xf32>) -> tensor<?x8x4x?xf32>

  // The keys behind the end of the sequence are hidden. Loops do not visit them.
  %masked = linalg.generic {indexing_maps = [#all, #batch, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores, %lengths : tensor<?x8x4x?xf32>, tensor<?xi32>) outs(%s_empty : tensor<?x8x4x?xf32>) {
  ^bb0(%score: f32, %length: i32, %out: f32):
    %j = linalg.index 3 : index
    %position = arith.index_cast %j : index to i32
    %visible = arith.cmpi slt, %position, %length : i32
    %scaled = arith.mulf %score, %scale : f32
    %0 = arith.select %visible, %scaled, %hidden : f32
    linalg.yield %0 : f32
  } -> tensor<?x8x4x?xf32>

  %weights = linalg.softmax dimension(3) ins(%masked : tensor<?x8x4x?xf32>)
      outs(%s_empty : tensor<?x8x4x?xf32>) -> tensor<?x8x4x?xf32>
  %w_empty = tensor.empty(%b, %n) : tensor<?x8x4x?xf16>
  %narrow = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%weights : tensor<?x8x4x?xf32>) outs(%w_empty : tensor<?x8x4x?xf16>) {
  ^bb0(%weight: f32, %out: f16):
    %0 = arith.truncf %weight : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x8x4x?xf16>

  %r_empty = tensor.empty(%b) : tensor<?x8x4x128xf32>
  %r_zero = linalg.fill ins(%zero : f32) outs(%r_empty : tensor<?x8x4x128xf32>) -> tensor<?x8x4x128xf32>
  %sums = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%narrow, %v : tensor<?x8x4x?xf16>, tensor<?x8x?x128xf16>)
      outs(%r_zero : tensor<?x8x4x128xf32>) -> tensor<?x8x4x128xf32>
  %out_empty = tensor.empty(%b) : tensor<?x8x4x128xf16>
  %result = linalg.generic {indexing_maps = [#rows, #rows],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : tensor<?x8x4x128xf32>) outs(%out_empty : tensor<?x8x4x128xf16>) {
  ^bb0(%sum: f32, %out: f16):
    %0 = arith.truncf %sum : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x8x4x128xf16>
  return %result : tensor<?x8x4x128xf16>
}
