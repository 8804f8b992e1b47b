// One head of keys: those of a cache, followed by new ones, which are rotated.
// Queries and all keys are multiplied by the root of the scale. No loop over
// workgroups indexes the keys, so they are computed once, part by part, and no
// kernel stores their concatenation.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=336 --max-kernels=5 \
// RUN:   --keys=16

#id = affine_map<(b, h, s, d) -> (b, h, s, d)>
#table = affine_map<(b, h, s, d) -> (s, d)>
#row = affine_map<(b, h, s, d) -> (b, h, s)>
#one_head = affine_map<(b, h, s, d) -> (b, 0, s, d)>
#p = affine_map<(b, h, m, n, d) -> (b, h, m, d)>
#k = affine_map<(b, h, m, n, d) -> (b, h, n, d)>
#s = affine_map<(b, h, m, n, d) -> (b, h, m, n)>
#v = affine_map<(b, h, m, d, n) -> (b, h, n, d)>
#w = affine_map<(b, h, m, d, n) -> (b, h, m, n)>
#o = affine_map<(b, h, m, d, n) -> (b, h, m, d)>

func.func @one_head(%q: tensor<1x4x12x16xbf16>, %k: tensor<1x1x12x16xbf16>, %v: tensor<1x1x12x16xbf16>,
                    %past_k: tensor<1x1x21x16xbf16>, %past_v: tensor<1x1x21x16xbf16>,
                    %cos: tensor<12x16xbf16>, %sin: tensor<12x16xbf16>) -> tensor<1x4x12x16xbf16> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 5.0e-01 : bf16

  // The rotation of the queries.
  %q_lo = tensor.extract_slice %q[0, 0, 0, 0] [1, 4, 12, 8] [1, 1, 1, 1] : tensor<1x4x12x16xbf16> to tensor<1x4x12x8xbf16>
  %q_hi = tensor.extract_slice %q[0, 0, 0, 8] [1, 4, 12, 8] [1, 1, 1, 1] : tensor<1x4x12x16xbf16> to tensor<1x4x12x8xbf16>
  %q_half = tensor.empty() : tensor<1x4x12x8xbf16>
  %q_neg = linalg.negf ins(%q_hi : tensor<1x4x12x8xbf16>) outs(%q_half : tensor<1x4x12x8xbf16>) -> tensor<1x4x12x8xbf16>
  %q_turned = tensor.concat dim(3) %q_neg, %q_lo : (tensor<1x4x12x8xbf16>, tensor<1x4x12x8xbf16>) -> tensor<1x4x12x16xbf16>
  %q_empty = tensor.empty() : tensor<1x4x12x16xbf16>
  %q_rotated = linalg.generic {indexing_maps = [#id, #table, #id, #table, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q, %cos, %q_turned, %sin : tensor<1x4x12x16xbf16>, tensor<12x16xbf16>, tensor<1x4x12x16xbf16>, tensor<12x16xbf16>) outs(%q_empty : tensor<1x4x12x16xbf16>) {
  ^bb0(%x: bf16, %c: bf16, %y: bf16, %d: bf16, %out: bf16):
    %xc = arith.mulf %x, %c : bf16
    %yd = arith.mulf %y, %d : bf16
    %sum = arith.addf %xc, %yd : bf16
    linalg.yield %sum : bf16
  } -> tensor<1x4x12x16xbf16>
  %q_scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q_rotated : tensor<1x4x12x16xbf16>) outs(%q_empty : tensor<1x4x12x16xbf16>) {
  ^bb0(%x: bf16, %out: bf16):
    %r = arith.mulf %x, %scale : bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x12x16xbf16>

  // The rotation of the new keys.
  %k_lo = tensor.extract_slice %k[0, 0, 0, 0] [1, 1, 12, 8] [1, 1, 1, 1] : tensor<1x1x12x16xbf16> to tensor<1x1x12x8xbf16>
  %k_hi = tensor.extract_slice %k[0, 0, 0, 8] [1, 1, 12, 8] [1, 1, 1, 1] : tensor<1x1x12x16xbf16> to tensor<1x1x12x8xbf16>
  %k_half = tensor.empty() : tensor<1x1x12x8xbf16>
  %k_neg = linalg.negf ins(%k_hi : tensor<1x1x12x8xbf16>) outs(%k_half : tensor<1x1x12x8xbf16>) -> tensor<1x1x12x8xbf16>
  %k_turned = tensor.concat dim(3) %k_neg, %k_lo : (tensor<1x1x12x8xbf16>, tensor<1x1x12x8xbf16>) -> tensor<1x1x12x16xbf16>
  %k_empty = tensor.empty() : tensor<1x1x12x16xbf16>
  %k_rotated = linalg.generic {indexing_maps = [#id, #table, #id, #table, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k, %cos, %k_turned, %sin : tensor<1x1x12x16xbf16>, tensor<12x16xbf16>, tensor<1x1x12x16xbf16>, tensor<12x16xbf16>) outs(%k_empty : tensor<1x1x12x16xbf16>) {
  ^bb0(%x: bf16, %c: bf16, %y: bf16, %d: bf16, %out: bf16):
    %xc = arith.mulf %x, %c : bf16
    %yd = arith.mulf %y, %d : bf16
    %sum = arith.addf %xc, %yd : bf16
    linalg.yield %sum : bf16
  } -> tensor<1x1x12x16xbf16>

  // The cache, for all heads of queries.
  %all_k = tensor.concat dim(2) %past_k, %k_rotated : (tensor<1x1x21x16xbf16>, tensor<1x1x12x16xbf16>) -> tensor<1x1x33x16xbf16>
  %all_v = tensor.concat dim(2) %past_v, %v : (tensor<1x1x21x16xbf16>, tensor<1x1x12x16xbf16>) -> tensor<1x1x33x16xbf16>
  %heads = tensor.empty() : tensor<1x4x33x16xbf16>
  %k_heads = linalg.generic {indexing_maps = [#one_head, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%all_k : tensor<1x1x33x16xbf16>) outs(%heads : tensor<1x4x33x16xbf16>) {
  ^bb0(%x: bf16, %out: bf16):
    linalg.yield %x : bf16
  } -> tensor<1x4x33x16xbf16>
  %v_heads = linalg.generic {indexing_maps = [#one_head, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%all_v : tensor<1x1x33x16xbf16>) outs(%heads : tensor<1x4x33x16xbf16>) {
  ^bb0(%x: bf16, %out: bf16):
    linalg.yield %x : bf16
  } -> tensor<1x4x33x16xbf16>
  %k_scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k_heads : tensor<1x4x33x16xbf16>) outs(%heads : tensor<1x4x33x16xbf16>) {
  ^bb0(%x: bf16, %out: bf16):
    %r = arith.mulf %x, %scale : bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x33x16xbf16>

  // Attention.
  %scores_empty = tensor.empty() : tensor<1x4x12x33xf32>
  %scores_zero = linalg.fill ins(%zero : f32) outs(%scores_empty : tensor<1x4x12x33xf32>) -> tensor<1x4x12x33xf32>
  %scores = linalg.generic {indexing_maps = [#p, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q_scaled, %k_scaled : tensor<1x4x12x16xbf16>, tensor<1x4x33x16xbf16>) outs(%scores_zero : tensor<1x4x12x33xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %sum = arith.addf %acc, %xy : f32
    linalg.yield %sum : f32
  } -> tensor<1x4x12x33xf32>
  %row_empty = tensor.empty() : tensor<1x4x12xf32>
  %row_low = linalg.fill ins(%low : f32) outs(%row_empty : tensor<1x4x12xf32>) -> tensor<1x4x12xf32>
  %row_zero = linalg.fill ins(%zero : f32) outs(%row_empty : tensor<1x4x12xf32>) -> tensor<1x4x12xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%scores : tensor<1x4x12x33xf32>) outs(%row_low : tensor<1x4x12xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %m = arith.maximumf %x, %acc : f32
    linalg.yield %m : f32
  } -> tensor<1x4x12xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores, %max : tensor<1x4x12x33xf32>, tensor<1x4x12xf32>) outs(%scores_empty : tensor<1x4x12x33xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<1x4x12x33xf32>
  %sum_of_row = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%exp : tensor<1x4x12x33xf32>) outs(%row_zero : tensor<1x4x12xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %t = arith.addf %acc, %x : f32
    linalg.yield %t : f32
  } -> tensor<1x4x12xf32>
  %weights_empty = tensor.empty() : tensor<1x4x12x33xbf16>
  %weights = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%exp, %sum_of_row : tensor<1x4x12x33xf32>, tensor<1x4x12xf32>) outs(%weights_empty : tensor<1x4x12x33xbf16>) {
  ^bb0(%x: f32, %t: f32, %out: bf16):
    %d = arith.divf %x, %t : f32
    %r = arith.truncf %d : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x12x33xbf16>
  %out_empty = tensor.empty() : tensor<1x4x12x16xf32>
  %out_zero = linalg.fill ins(%zero : f32) outs(%out_empty : tensor<1x4x12x16xf32>) -> tensor<1x4x12x16xf32>
  %out = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%weights, %v_heads : tensor<1x4x12x33xbf16>, tensor<1x4x33x16xbf16>) outs(%out_zero : tensor<1x4x12x16xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %xf = arith.extf %x : bf16 to f32
    %yf = arith.extf %y : bf16 to f32
    %xy = arith.mulf %xf, %yf : f32
    %t = arith.addf %acc, %xy : f32
    linalg.yield %t : f32
  } -> tensor<1x4x12x16xf32>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%out : tensor<1x4x12x16xf32>) outs(%q_empty : tensor<1x4x12x16xbf16>) {
  ^bb0(%x: f32, %unused: bf16):
    %r = arith.truncf %x : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x12x16xbf16>
  return %rounded : tensor<1x4x12x16xbf16>
}
