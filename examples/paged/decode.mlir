// One step of decoding with a paged cache: the new key and value of each sequence
// are appended to its last page, in place, then one query a head attends to all
// keys of its sequence. Upstream ops, and linalg_ext.paged_gather for the pages.
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
#batch = affine_map<(b, h, g, n) -> (b)>

// pool[table[b, s / 16], s mod 16] = rows[b] for s = lengths[b] - 1. Sequences have
// pages of their own, so the iterations are independent.
func.func private @append(%pool: tensor<?x16x2x64xf32>, %table: tensor<?x?xi32>,
                          %lengths: tensor<?xi32>, %rows: tensor<?x2x64xf32>)
    -> tensor<?x16x2x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %batch = tensor.dim %lengths, %c0 : tensor<?xi32>
  %entries = tensor.dim %table, %c1 : tensor<?x?xi32>
  %pages = tensor.dim %pool, %c0 : tensor<?x16x2x64xf32>
  %0 = scf.forall (%b) in (%batch) shared_outs(%out = %pool) -> (tensor<?x16x2x64xf32>) {
    %length = tensor.extract %lengths[%b] : tensor<?xi32>
    %n = arith.index_cast %length : i32 to index
    %s = arith.subi %n, %c1 : index
    %at = arith.floordivsi %s, %c16 : index
    %first = arith.muli %at, %c16 : index
    %row = arith.subi %s, %first : index
    %listed = arith.cmpi ult, %at, %entries : index
    %page, %count = scf.if %listed -> (index, index) {
      %entry = tensor.extract %table[%b, %at] : tensor<?x?xi32>
      %p = arith.index_cast %entry : i32 to index
      %exists = arith.cmpi ult, %p, %pages : index
      %there = arith.select %exists, %p, %c0 : index
      %one = arith.select %exists, %c1, %c0 : index
      scf.yield %there, %one : index, index
    } else {
      scf.yield %c0, %c0 : index, index
    }
    %new = tensor.extract_slice %rows[%b, 0, 0] [%count, 2, 64] [1, 1, 1]
        : tensor<?x2x64xf32> to tensor<?x2x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %new into %out[%page, %row, 0, 0] [%count, 1, 2, 64] [1, 1, 1, 1]
          : tensor<?x2x64xf32> into tensor<?x16x2x64xf32>
    }
  }
  return %0 : tensor<?x16x2x64xf32>
}

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

  %k_new = call @append(%k_pool, %k_table, %lengths, %keys)
      : (tensor<?x16x2x64xf32>, tensor<?x?xi32>, tensor<?xi32>, tensor<?x2x64xf32>) -> tensor<?x16x2x64xf32>
  %v_new = call @append(%v_pool, %v_table, %lengths, %values)
      : (tensor<?x16x2x64xf32>, tensor<?x?xi32>, tensor<?xi32>, tensor<?x2x64xf32>) -> tensor<?x16x2x64xf32>

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
