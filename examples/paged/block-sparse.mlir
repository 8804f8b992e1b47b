// Attention with a block-sparse mask: each block of 64 queries has a list of the
// blocks of 64 keys that it sees, in any order. Such a list is a table of pages: the
// sequences are the blocks of queries, and the pages are the blocks of keys, the same
// for all of them. What a list does not have is neither read nor computed.
//
// `table` has the lists, [blocks of queries, entries], and `counts` how many entries
// of each count. A block of queries that sees nothing has a result of 0.

#q = affine_map<(b, h, m, n, d) -> (h, b, m, d)>
#k = affine_map<(b, h, m, n, d) -> (b, h, n, d)>
#s = affine_map<(b, h, m, n, d) -> (b, h, m, n)>
#p = affine_map<(b, h, m, d, n) -> (b, h, m, n)>
#v = affine_map<(b, h, m, d, n) -> (b, h, n, d)>
#o = affine_map<(b, h, m, d, n) -> (h, b, m, d)>
#all = affine_map<(b, h, m, n) -> (b, h, m, n)>
#block = affine_map<(b, h, m, n) -> (b)>

func.func @attention(%q: tensor<4x?x64xf16>, %k: tensor<4x?x64xf16>, %v: tensor<4x?x64xf16>,
                     %table: tensor<?x?xi32>, %counts: tensor<?xi32>) -> tensor<4x?x64xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c64_i32 = arith.constant 64 : i32
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %queries = tensor.dim %q, %c1 : tensor<4x?x64xf16>
  %keys = tensor.dim %k, %c1 : tensor<4x?x64xf16>
  %b = arith.floordivsi %queries, %c64 : index
  %pages = arith.floordivsi %keys, %c64 : index
  %entries = tensor.dim %table, %c1 : tensor<?x?xi32>
  %n = arith.muli %entries, %c64 : index

  // Keys that count, of each block of queries.
  %le = tensor.empty(%b) : tensor<?xi32>
  %lengths = linalg.generic {indexing_maps = [affine_map<(b) -> (b)>, affine_map<(b) -> (b)>],
      iterator_types = ["parallel"]} ins(%counts : tensor<?xi32>) outs(%le : tensor<?xi32>) {
  ^bb0(%count: i32, %out: i32):
    %length = arith.muli %count, %c64_i32 : i32
    linalg.yield %length : i32
  } -> tensor<?xi32>

  // Blocks of rows, without copies.
  %q_blocks = tensor.expand_shape %q [[0], [1, 2], [3]] output_shape [4, %b, 64, 64]
      : tensor<4x?x64xf16> into tensor<4x?x64x64xf16>
  %k_blocks = tensor.expand_shape %k [[0], [1, 2], [3]] output_shape [4, %pages, 64, 64]
      : tensor<4x?x64xf16> into tensor<4x?x64x64xf16>
  %v_blocks = tensor.expand_shape %v [[0], [1, 2], [3]] output_shape [4, %pages, 64, 64]
      : tensor<4x?x64xf16> into tensor<4x?x64x64xf16>
  %e = tensor.empty(%b, %n) : tensor<?x4x?x64xf16>
  %k_seen = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [1, -1, 2, 3]
      pool(%k_blocks : tensor<4x?x64x64xf16>) table(%table : tensor<?x?xi32>) lengths(%lengths : tensor<?xi32>)
      outs(%e : tensor<?x4x?x64xf16>) -> tensor<?x4x?x64xf16>
  %v_seen = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [1, -1, 2, 3]
      pool(%v_blocks : tensor<4x?x64x64xf16>) table(%table : tensor<?x?xi32>) lengths(%lengths : tensor<?xi32>)
      outs(%e : tensor<?x4x?x64xf16>) -> tensor<?x4x?x64xf16>

  %se = tensor.empty(%b, %n) : tensor<?x4x64x?xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<?x4x64x?xf32>) -> tensor<?x4x64x?xf32>
  %scores = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q_blocks, %k_seen : tensor<4x?x64x64xf16>, tensor<?x4x?x64xf16>)
      outs(%s0 : tensor<?x4x64x?xf32>) -> tensor<?x4x64x?xf32>
  %masked = linalg.generic {indexing_maps = [#all, #block, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores, %lengths : tensor<?x4x64x?xf32>, tensor<?xi32>) outs(%se : tensor<?x4x64x?xf32>) {
  ^bb0(%x: f32, %length: i32, %out: f32):
    %j = linalg.index 3 : index
    %end = arith.index_cast %length : i32 to index
    %visible = arith.cmpi slt, %j, %end : index
    %y = arith.mulf %x, %scale : f32
    %r = arith.select %visible, %y, %low : f32
    linalg.yield %r : f32
  } -> tensor<?x4x64x?xf32>
  %w = linalg.softmax dimension(3) ins(%masked : tensor<?x4x64x?xf32>)
      outs(%se : tensor<?x4x64x?xf32>) -> tensor<?x4x64x?xf32>
  %we = tensor.empty(%b, %n) : tensor<?x4x64x?xf16>
  %weights = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w : tensor<?x4x64x?xf32>) outs(%we : tensor<?x4x64x?xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?x4x64x?xf16>
  %oe = tensor.empty(%b) : tensor<4x?x64x64xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x?x64x64xf32>) -> tensor<4x?x64x64xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%weights, %v_seen : tensor<?x4x64x?xf16>, tensor<?x4x?x64xf16>)
      outs(%o0 : tensor<4x?x64x64xf32>) -> tensor<4x?x64x64xf32>
  %te = tensor.empty(%b) : tensor<4x?x64x64xf16>
  %truncated = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<4x?x64x64xf32>) outs(%te : tensor<4x?x64x64xf16>) {
  ^bb0(%x: f32, %out: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<4x?x64x64xf16>
  %result = tensor.collapse_shape %truncated [[0], [1, 2], [3]]
      : tensor<4x?x64x64xf16> into tensor<4x?x64xf16>
  return %result : tensor<4x?x64xf16>
}
