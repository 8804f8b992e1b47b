// One step of decoding with a paged cache: the new key and value of each sequence
// are appended to its last page, in place, then one query a head attends to all
// keys of its sequence. Upstream ops, with linalg_ext.store_rows and
// linalg_ext.paged_gather for the pages.
//
// `lengths` counts the new token. Pages have 16 rows; keys and values have tables
// of their own. A row whose page does not exist is not stored.

#q = affine_map<(b, h, g, n, d) -> (b, h, g, d)>
#k = affine_map<(b, h, g, n, d) -> (b, h, n, d)>
#s = affine_map<(b, h, g, n, d) -> (b, h, g, n)>
#p = affine_map<(b, h, g, d, n) -> (b, h, g, n)>
#v = affine_map<(b, h, g, d, n) -> (b, h, n, d)>
#o = affine_map<(b, h, g, d, n) -> (b, h, g, d)>
#all = affine_map<(b, h, g, n) -> (b, h, g, n)>
#list = affine_map<(b) -> (b)>
#batch = affine_map<(b, h, g, n) -> (b)>

func.func @decode(%q: tensor<?x2x4x64xf32>, %keys: tensor<?x2x64xf32>, %values: tensor<?x2x64xf32>,
                  %k_pool: tensor<?x16x2x64xf32>, %k_table: tensor<?x?xi32>,
                  %v_pool: tensor<?x16x2x64xf32>, %v_table: tensor<?x?xi32>,
                  %lengths: tensor<?xi32>) -> tensor<?x2x4x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %b = tensor.dim %q, %c0 : tensor<?x2x4x64xf32>
  %entries = tensor.dim %k_table, %c1 : tensor<?x?xi32>
  %n = arith.muli %entries, %c16 : index

  // The position of the new token in each sequence.
  %one = arith.constant 1 : i32
  %p_empty = tensor.empty(%b) : tensor<?xi32>
  %positions = linalg.generic {indexing_maps = [#list, #list], iterator_types = ["parallel"]}
      ins(%lengths : tensor<?xi32>) outs(%p_empty : tensor<?xi32>) {
  ^bb0(%length: i32, %out: i32):
    %last = arith.subi %length, %one : i32
    linalg.yield %last : i32
  } -> tensor<?xi32>
  %key = tensor.expand_shape %keys [[0, 1], [2], [3]] output_shape [%b, 1, 2, 64]
      : tensor<?x2x64xf32> into tensor<?x1x2x64xf32>
  %value = tensor.expand_shape %values [[0, 1], [2], [3]] output_shape [%b, 1, 2, 64]
      : tensor<?x2x64xf32> into tensor<?x1x2x64xf32>
  %k_new = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1, 2, 3]
      rows(%key : tensor<?x1x2x64xf32>) table(%k_table : tensor<?x?xi32>) offsets(%positions : tensor<?xi32>)
      outs(%k_pool : tensor<?x16x2x64xf32>) -> tensor<?x16x2x64xf32>
  %v_new = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1, 2, 3]
      rows(%value : tensor<?x1x2x64xf32>) table(%v_table : tensor<?x?xi32>) offsets(%positions : tensor<?xi32>)
      outs(%v_pool : tensor<?x16x2x64xf32>) -> tensor<?x16x2x64xf32>

  %kv = tensor.empty(%b, %n) : tensor<?x2x?x64xf32>
  %k = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 2, 1, 3]
      pool(%k_new : tensor<?x16x2x64xf32>) table(%k_table : tensor<?x?xi32>) lengths(%lengths : tensor<?xi32>)
      outs(%kv : tensor<?x2x?x64xf32>) -> tensor<?x2x?x64xf32>
  %v = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 2, 1, 3]
      pool(%v_new : tensor<?x16x2x64xf32>) table(%v_table : tensor<?x?xi32>) lengths(%lengths : tensor<?xi32>)
      outs(%kv : tensor<?x2x?x64xf32>) -> tensor<?x2x?x64xf32>

  %s_empty = tensor.empty(%b, %n) : tensor<?x2x4x?xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_empty : tensor<?x2x4x?xf32>) -> tensor<?x2x4x?xf32>
  %scores = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<?x2x4x64xf32>, tensor<?x2x?x64xf32>)
      outs(%s_zero : tensor<?x2x4x?xf32>) -> tensor<?x2x4x?xf32>
  %masked = linalg.generic {indexing_maps = [#all, #batch, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores, %lengths : tensor<?x2x4x?xf32>, tensor<?xi32>) outs(%s_empty : tensor<?x2x4x?xf32>) {
  ^bb0(%x: f32, %length: i32, %out: f32):
    %j = linalg.index 3 : index
    %end = arith.index_cast %length : i32 to index
    %visible = arith.cmpi slt, %j, %end : index
    %y = arith.mulf %x, %scale : f32
    %r = arith.select %visible, %y, %low : f32
    linalg.yield %r : f32
  } -> tensor<?x2x4x?xf32>
  %weights = linalg.softmax dimension(3) ins(%masked : tensor<?x2x4x?xf32>)
      outs(%s_empty : tensor<?x2x4x?xf32>) -> tensor<?x2x4x?xf32>
  %o_empty = tensor.empty(%b) : tensor<?x2x4x64xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<?x2x4x64xf32>) -> tensor<?x2x4x64xf32>
  %result = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%weights, %v : tensor<?x2x4x?xf32>, tensor<?x2x?x64xf32>)
      outs(%o_zero : tensor<?x2x4x64xf32>) -> tensor<?x2x4x64xf32>
  return %result : tensor<?x2x4x64xf32>
}
