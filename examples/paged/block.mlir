// One step of decoding of a block of LLaMA with a paged cache, for one token of each
// sequence: RMSNorm, projections, rotary positions, the new key and value appended to
// the pages of their sequence, attention to all of its keys, SwiGLU. Upstream ops, with
// linalg_ext.store_rows and linalg_ext.paged_gather for the pages.
//
// 128 features, 4 query heads on 2 key heads of 32, pages of 16 rows, f32. `positions`
// has the position of the new token in its sequence, `lengths` one more. `cos` and `sin`
// have a row for each position. Keys and values have tables of their own. A sequence of
// length 0 takes no part: nothing is stored for it.

#q = affine_map<(b, h, g, n, d) -> (b, h, g, d)>
#k = affine_map<(b, h, g, n, d) -> (b, h, n, d)>
#s = affine_map<(b, h, g, n, d) -> (b, h, g, n)>
#p = affine_map<(b, h, g, d, n) -> (b, h, g, n)>
#v = affine_map<(b, h, g, d, n) -> (b, h, n, d)>
#o = affine_map<(b, h, g, d, n) -> (b, h, g, d)>
#all = affine_map<(b, h, g, n) -> (b, h, g, n)>
#batch = affine_map<(b, h, g, n) -> (b)>
#row = affine_map<(b, i) -> (b)>
#column = affine_map<(b, i) -> (i)>
#element = affine_map<(b, i) -> (b, i)>
#head = affine_map<(b, h, d) -> (b, h, d)>
#token = affine_map<(b, h, d) -> (b)>

// x / sqrt(mean(x^2) + 1e-6) * weight
func.func private @rms_norm(%x: tensor<?x128xf32>, %weight: tensor<128xf32>) -> tensor<?x128xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 128.0 : f32
  %epsilon = arith.constant 1.0e-06 : f32
  %b = tensor.dim %x, %c0 : tensor<?x128xf32>
  %se = tensor.empty(%b) : tensor<?xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<?xf32>) -> tensor<?xf32>
  %squares = linalg.generic {indexing_maps = [#element, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x128xf32>) outs(%s0 : tensor<?xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %square = arith.mulf %a, %a : f32
    %next = arith.addf %sum, %square : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  %e = tensor.empty(%b) : tensor<?x128xf32>
  %0 = linalg.generic {indexing_maps = [#element, #row, #column, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x, %squares, %weight : tensor<?x128xf32>, tensor<?xf32>, tensor<128xf32>) outs(%e : tensor<?x128xf32>) {
  ^bb0(%a: f32, %sum: f32, %w: f32, %out: f32):
    %mean = arith.divf %sum, %count : f32
    %more = arith.addf %mean, %epsilon : f32
    %factor = math.rsqrt %more : f32
    %scaled = arith.mulf %a, %factor : f32
    %y = arith.mulf %scaled, %w : f32
    linalg.yield %y : f32
  } -> tensor<?x128xf32>
  return %0 : tensor<?x128xf32>
}

// Rotates the halves of each head: x cos + (-x2, x1) sin, of the row of the position.
func.func private @rotate_queries(%x: tensor<?x4x32xf32>, %positions: tensor<?xi32>, %cos: tensor<?x32xf32>, %sin: tensor<?x32xf32>) -> tensor<?x4x32xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %b = tensor.dim %x, %c0 : tensor<?x4x32xf32>
  %e = tensor.empty(%b) : tensor<?x4x32xf32>
  %0 = linalg.generic {indexing_maps = [#head, #token, #head], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %positions : tensor<?x4x32xf32>, tensor<?xi32>) outs(%e : tensor<?x4x32xf32>) {
  ^bb0(%a: f32, %position: i32, %out: f32):
    %i = linalg.index 0 : index
    %h = linalg.index 1 : index
    %d = linalg.index 2 : index
    %is_first = arith.cmpi slt, %d, %c16 : index
    %up = arith.addi %d, %c16 : index
    %down = arith.subi %d, %c16 : index
    %other = arith.select %is_first, %up, %down : index
    %pair = tensor.extract %x[%i, %h, %other] : tensor<?x4x32xf32>
    %minus = arith.negf %pair : f32
    %partner = arith.select %is_first, %minus, %pair : f32
    %at = arith.index_cast %position : i32 to index
    %start = arith.maxsi %at, %c0 : index
    %c = tensor.extract %cos[%start, %d] : tensor<?x32xf32>
    %s = tensor.extract %sin[%start, %d] : tensor<?x32xf32>
    %ac = arith.mulf %a, %c : f32
    %ps = arith.mulf %partner, %s : f32
    %y = arith.addf %ac, %ps : f32
    linalg.yield %y : f32
  } -> tensor<?x4x32xf32>
  return %0 : tensor<?x4x32xf32>
}

// Rotates the halves of each head: x cos + (-x2, x1) sin, of the row of the position.
func.func private @rotate_keys(%x: tensor<?x2x32xf32>, %positions: tensor<?xi32>, %cos: tensor<?x32xf32>, %sin: tensor<?x32xf32>) -> tensor<?x2x32xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %b = tensor.dim %x, %c0 : tensor<?x2x32xf32>
  %e = tensor.empty(%b) : tensor<?x2x32xf32>
  %0 = linalg.generic {indexing_maps = [#head, #token, #head], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %positions : tensor<?x2x32xf32>, tensor<?xi32>) outs(%e : tensor<?x2x32xf32>) {
  ^bb0(%a: f32, %position: i32, %out: f32):
    %i = linalg.index 0 : index
    %h = linalg.index 1 : index
    %d = linalg.index 2 : index
    %is_first = arith.cmpi slt, %d, %c16 : index
    %up = arith.addi %d, %c16 : index
    %down = arith.subi %d, %c16 : index
    %other = arith.select %is_first, %up, %down : index
    %pair = tensor.extract %x[%i, %h, %other] : tensor<?x2x32xf32>
    %minus = arith.negf %pair : f32
    %partner = arith.select %is_first, %minus, %pair : f32
    %at = arith.index_cast %position : i32 to index
    %start = arith.maxsi %at, %c0 : index
    %c = tensor.extract %cos[%start, %d] : tensor<?x32xf32>
    %s = tensor.extract %sin[%start, %d] : tensor<?x32xf32>
    %ac = arith.mulf %a, %c : f32
    %ps = arith.mulf %partner, %s : f32
    %y = arith.addf %ac, %ps : f32
    linalg.yield %y : f32
  } -> tensor<?x2x32xf32>
  return %0 : tensor<?x2x32xf32>
}

func.func @block(%x: tensor<?x128xf32>, %norm1: tensor<128xf32>, %w_q: tensor<128x128xf32>, %w_k: tensor<128x64xf32>, %w_v: tensor<128x64xf32>,
                 %w_o: tensor<128x128xf32>, %norm2: tensor<128xf32>, %w_gate: tensor<128x256xf32>, %w_up: tensor<128x256xf32>, %w_down: tensor<256x128xf32>,
                 %cos: tensor<?x32xf32>, %sin: tensor<?x32xf32>, %k_pool: tensor<?x16x2x32xf32>, %k_table: tensor<?x?xi32>, %v_pool: tensor<?x16x2x32xf32>, %v_table: tensor<?x?xi32>,
                 %positions: tensor<?xi32>, %lengths: tensor<?xi32>) -> tensor<?x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 1.767766953e-01 : f32
  %b = tensor.dim %x, %c0 : tensor<?x128xf32>
  %entries = tensor.dim %k_table, %c1 : tensor<?x?xi32>
  %n = arith.muli %entries, %c16 : index

  // Queries, keys and values of the new tokens.
  %normed = call @rms_norm(%x, %norm1) : (tensor<?x128xf32>, tensor<128xf32>) -> tensor<?x128xf32>
  %q_rows_e = tensor.empty(%b) : tensor<?x128xf32>
  %q_rows_0 = linalg.fill ins(%zero : f32) outs(%q_rows_e : tensor<?x128xf32>) -> tensor<?x128xf32>
  %q_rows = linalg.matmul ins(%normed, %w_q : tensor<?x128xf32>, tensor<128x128xf32>) outs(%q_rows_0 : tensor<?x128xf32>) -> tensor<?x128xf32>
  %k_rows_e = tensor.empty(%b) : tensor<?x64xf32>
  %k_rows_0 = linalg.fill ins(%zero : f32) outs(%k_rows_e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %k_rows = linalg.matmul ins(%normed, %w_k : tensor<?x128xf32>, tensor<128x64xf32>) outs(%k_rows_0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %v_rows_e = tensor.empty(%b) : tensor<?x64xf32>
  %v_rows_0 = linalg.fill ins(%zero : f32) outs(%v_rows_e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %v_rows = linalg.matmul ins(%normed, %w_v : tensor<?x128xf32>, tensor<128x64xf32>) outs(%v_rows_0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %q_heads = tensor.expand_shape %q_rows [[0], [1, 2]] output_shape [%b, 4, 32] : tensor<?x128xf32> into tensor<?x4x32xf32>
  %k_heads = tensor.expand_shape %k_rows [[0], [1, 2]] output_shape [%b, 2, 32] : tensor<?x64xf32> into tensor<?x2x32xf32>
  %q_rotated = call @rotate_queries(%q_heads, %positions, %cos, %sin) : (tensor<?x4x32xf32>, tensor<?xi32>, tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x4x32xf32>
  %k_rotated = call @rotate_keys(%k_heads, %positions, %cos, %sin) : (tensor<?x2x32xf32>, tensor<?xi32>, tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x2x32xf32>

  // Appended to the cache, in place.
  %k_new = tensor.expand_shape %k_rotated [[0, 1], [2], [3]] output_shape [%b, 1, 2, 32] : tensor<?x2x32xf32> into tensor<?x1x2x32xf32>
  %v_new = tensor.expand_shape %v_rows [[0, 1], [2, 3]] output_shape [%b, 1, 2, 32] : tensor<?x64xf32> into tensor<?x1x2x32xf32>
  %k_stored = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1, 2, 3]
      rows(%k_new : tensor<?x1x2x32xf32>) table(%k_table : tensor<?x?xi32>) lengths(%lengths : tensor<?xi32>) offsets(%positions : tensor<?xi32>)
      outs(%k_pool : tensor<?x16x2x32xf32>) -> tensor<?x16x2x32xf32>
  %v_stored = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1, 2, 3]
      rows(%v_new : tensor<?x1x2x32xf32>) table(%v_table : tensor<?x?xi32>) lengths(%lengths : tensor<?xi32>) offsets(%positions : tensor<?xi32>)
      outs(%v_pool : tensor<?x16x2x32xf32>) -> tensor<?x16x2x32xf32>

  // Attention to all keys of the sequence.
  %q = tensor.expand_shape %q_rotated [[0], [1, 2], [3]] output_shape [%b, 2, 2, 32] : tensor<?x4x32xf32> into tensor<?x2x2x32xf32>
  %kv = tensor.empty(%b, %n) : tensor<?x2x?x32xf32>
  %k = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 2, 1, 3]
      pool(%k_stored : tensor<?x16x2x32xf32>) table(%k_table : tensor<?x?xi32>) lengths(%lengths : tensor<?xi32>) outs(%kv : tensor<?x2x?x32xf32>) -> tensor<?x2x?x32xf32>
  %v = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 2, 1, 3]
      pool(%v_stored : tensor<?x16x2x32xf32>) table(%v_table : tensor<?x?xi32>) lengths(%lengths : tensor<?xi32>) outs(%kv : tensor<?x2x?x32xf32>) -> tensor<?x2x?x32xf32>
  %s_e = tensor.empty(%b, %n) : tensor<?x2x2x?xf32>
  %s_0 = linalg.fill ins(%zero : f32) outs(%s_e : tensor<?x2x2x?xf32>) -> tensor<?x2x2x?xf32>
  %scores = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<?x2x2x32xf32>, tensor<?x2x?x32xf32>) outs(%s_0 : tensor<?x2x2x?xf32>) -> tensor<?x2x2x?xf32>
  %masked = linalg.generic {indexing_maps = [#all, #batch, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores, %lengths : tensor<?x2x2x?xf32>, tensor<?xi32>) outs(%s_e : tensor<?x2x2x?xf32>) {
  ^bb0(%a: f32, %length: i32, %out: f32):
    %j = linalg.index 3 : index
    %end = arith.index_cast %length : i32 to index
    %visible = arith.cmpi slt, %j, %end : index
    %y = arith.mulf %a, %scale : f32
    %r = arith.select %visible, %y, %low : f32
    linalg.yield %r : f32
  } -> tensor<?x2x2x?xf32>
  %weights = linalg.softmax dimension(3) ins(%masked : tensor<?x2x2x?xf32>) outs(%s_e : tensor<?x2x2x?xf32>) -> tensor<?x2x2x?xf32>
  %o_e = tensor.empty(%b) : tensor<?x2x2x32xf32>
  %o_0 = linalg.fill ins(%zero : f32) outs(%o_e : tensor<?x2x2x32xf32>) -> tensor<?x2x2x32xf32>
  %heads = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%weights, %v : tensor<?x2x2x?xf32>, tensor<?x2x?x32xf32>) outs(%o_0 : tensor<?x2x2x32xf32>) -> tensor<?x2x2x32xf32>
  %attended = tensor.collapse_shape %heads [[0], [1, 2, 3]] : tensor<?x2x2x32xf32> into tensor<?x128xf32>

  // The rest of the block.
  %projected_e = tensor.empty(%b) : tensor<?x128xf32>
  %projected_0 = linalg.fill ins(%zero : f32) outs(%projected_e : tensor<?x128xf32>) -> tensor<?x128xf32>
  %projected = linalg.matmul ins(%attended, %w_o : tensor<?x128xf32>, tensor<128x128xf32>) outs(%projected_0 : tensor<?x128xf32>) -> tensor<?x128xf32>
  %x_e = tensor.empty(%b) : tensor<?x128xf32>
  %x1 = linalg.add ins(%x, %projected : tensor<?x128xf32>, tensor<?x128xf32>) outs(%x_e : tensor<?x128xf32>) -> tensor<?x128xf32>
  %normed2 = call @rms_norm(%x1, %norm2) : (tensor<?x128xf32>, tensor<128xf32>) -> tensor<?x128xf32>
  %gate_e = tensor.empty(%b) : tensor<?x256xf32>
  %gate_0 = linalg.fill ins(%zero : f32) outs(%gate_e : tensor<?x256xf32>) -> tensor<?x256xf32>
  %gate = linalg.matmul ins(%normed2, %w_gate : tensor<?x128xf32>, tensor<128x256xf32>) outs(%gate_0 : tensor<?x256xf32>) -> tensor<?x256xf32>
  %up_e = tensor.empty(%b) : tensor<?x256xf32>
  %up_0 = linalg.fill ins(%zero : f32) outs(%up_e : tensor<?x256xf32>) -> tensor<?x256xf32>
  %up = linalg.matmul ins(%normed2, %w_up : tensor<?x128xf32>, tensor<128x256xf32>) outs(%up_0 : tensor<?x256xf32>) -> tensor<?x256xf32>
  %g_e = tensor.empty(%b) : tensor<?x256xf32>
  %gated = linalg.generic {indexing_maps = [#element, #element, #element], iterator_types = ["parallel", "parallel"]}
      ins(%gate, %up : tensor<?x256xf32>, tensor<?x256xf32>) outs(%g_e : tensor<?x256xf32>) {
  ^bb0(%a: f32, %u: f32, %out: f32):
    %minus = arith.negf %a : f32
    %exp = math.exp %minus : f32
    %more = arith.addf %exp, %one : f32
    %silu = arith.divf %a, %more : f32
    %y = arith.mulf %silu, %u : f32
    linalg.yield %y : f32
  } -> tensor<?x256xf32>
  %down_e = tensor.empty(%b) : tensor<?x128xf32>
  %down_0 = linalg.fill ins(%zero : f32) outs(%down_e : tensor<?x128xf32>) -> tensor<?x128xf32>
  %down = linalg.matmul ins(%gated, %w_down : tensor<?x256xf32>, tensor<256x128xf32>) outs(%down_0 : tensor<?x128xf32>) -> tensor<?x128xf32>
  %y = linalg.add ins(%x1, %down : tensor<?x128xf32>, tensor<?x128xf32>) outs(%x_e : tensor<?x128xf32>) -> tensor<?x128xf32>
  return %y : tensor<?x128xf32>
}
