// Parts that are gathered, in concatenations: a prefix by slots of tokens in front of new keys (SGLang); pages that
// all requests share in front of those of each (FlashInfer, vLLM: cascades); latent pages and new latents, which are
// keys and values (DeepSeek, chunks of a prompt); and pages in int8, dequantized, in front of new
// keys (vLLM, TensorRT-LLM). None is stored. And all of a physical cache, of which a mask looks up the logical page
// of each key (FlexAttention's paged attention).

// RUN: linalg-ext-check-program %s --max-buffer-bytes=320 --max-kernels=1 --keys=16

func.func @prefix_and_new(%q: tensor<2x2x2x6x16xf16>, %k_new: tensor<2x2x6x16xf16>, %v_new: tensor<2x2x6x16xf16>, %k_buffer: tensor<48x2x16xf16>, %v_buffer: tensor<48x2x16xf16>, %req_to_token: tensor<6x20xi32> {check.draw = "uniform 0 47"}, %req: tensor<2xi64> {check.draw = "uniform 0 5"}, %prefix: tensor<2xi32> {check.draw = "uniform 0 20"}, %extend: tensor<2xi32> {check.draw = "uniform 1 6"}) -> tensor<2x2x2x6x16xf32> {
  %kp_e = tensor.empty() : tensor<2x2x20x16xf16>
  %kp = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%kp_e : tensor<2x2x20x16xf16>) {
  ^bb0(%out: f16):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %n = linalg.index 2 : index
    %d = linalg.index 3 : index
    %req32 = tensor.extract %req[%b] : tensor<2xi64>
    %req_ = arith.index_cast %req32 : i64 to index
    %slot32 = tensor.extract %req_to_token[%req_, %n] : tensor<6x20xi32>
    %slot = arith.index_cast %slot32 : i32 to index
    %x = tensor.extract %k_buffer[%slot, %h, %d] : tensor<48x2x16xf16>
    linalg.yield %x : f16
  } -> tensor<2x2x20x16xf16>
  %k = tensor.concat dim(2) %kp, %k_new : (tensor<2x2x20x16xf16>, tensor<2x2x6x16xf16>) -> tensor<2x2x26x16xf16>
  %vp_e = tensor.empty() : tensor<2x2x20x16xf16>
  %vp = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%vp_e : tensor<2x2x20x16xf16>) {
  ^bb0(%out: f16):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %n = linalg.index 2 : index
    %d = linalg.index 3 : index
    %req32 = tensor.extract %req[%b] : tensor<2xi64>
    %req_ = arith.index_cast %req32 : i64 to index
    %slot32 = tensor.extract %req_to_token[%req_, %n] : tensor<6x20xi32>
    %slot = arith.index_cast %slot32 : i32 to index
    %x = tensor.extract %v_buffer[%slot, %h, %d] : tensor<48x2x16xf16>
    linalg.yield %x : f16
  } -> tensor<2x2x20x16xf16>
  %v = tensor.concat dim(2) %vp, %v_new : (tensor<2x2x20x16xf16>, tensor<2x2x6x16xf16>) -> tensor<2x2x26x16xf16>
  %o_zero = arith.constant 0.0 : f32
  %o_low = arith.constant 0xFF800000 : f32
  %o_scale = arith.constant 0.25 : f32
  %o_se = tensor.empty() : tensor<2x2x2x6x26xf32>
  %o_sz = linalg.fill ins(%o_zero : f32) outs(%o_se : tensor<2x2x2x6x26xf32>) -> tensor<2x2x2x6x26xf32>
  %o_qk = linalg.contract indexing_maps = [affine_map<(b,h,g,m,n,d) -> (b,h,g,m,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,n,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,g,m,n)>] ins(%q, %k : tensor<2x2x2x6x16xf16>, tensor<2x2x26x16xf16>) outs(%o_sz : tensor<2x2x2x6x26xf32>) -> tensor<2x2x2x6x26xf32>
  %o_ms = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_qk, %prefix, %extend : tensor<2x2x2x6x26xf32>, tensor<2xi32>, tensor<2xi32>) outs(%o_se : tensor<2x2x2x6x26xf32>) {
  ^bb0(%x: f32, %l0: i32, %l1: i32, %out: f32):
    %y = arith.mulf %x, %o_scale : f32
    %i = linalg.index 3 : index
    %j = linalg.index 4 : index
    %pre = arith.index_cast %l0 : i32 to index
    %ext = arith.index_cast %l1 : i32 to index
    %c = arith.constant 20 : index
    %new_j = arith.subi %j, %c : index
    %is_pre = arith.cmpi slt, %j, %c : index
    %in_pre = arith.cmpi slt, %j, %pre : index
    %causal = arith.cmpi sle, %new_j, %i : index
    %in_ext = arith.cmpi slt, %new_j, %ext : index
    %in_new = arith.andi %causal, %in_ext : i1
    %in = arith.select %is_pre, %in_pre, %in_new : i1
    %r = arith.select %in, %y, %o_low : f32
    linalg.yield %r : f32
  } -> tensor<2x2x2x6x26xf32>
  %o_w0 = linalg.softmax dimension(4) ins(%o_ms : tensor<2x2x2x6x26xf32>) outs(%o_se : tensor<2x2x2x6x26xf32>) -> tensor<2x2x2x6x26xf32>
  %o_we = tensor.empty() : tensor<2x2x2x6x26xf16>
  %o_w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_w0 : tensor<2x2x2x6x26xf32>) outs(%o_we : tensor<2x2x2x6x26xf16>) {
  ^bb0(%x: f32, %out: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x2x2x6x26xf16>
  %o_oe = tensor.empty() : tensor<2x2x2x6x16xf32>
  %o_oz = linalg.fill ins(%o_zero : f32) outs(%o_oe : tensor<2x2x2x6x16xf32>) -> tensor<2x2x2x6x16xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b,h,g,m,d,n) -> (b,h,g,m,n)>, affine_map<(b,h,g,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,g,m,d,n) -> (b,h,g,m,d)>] ins(%o_w, %v : tensor<2x2x2x6x26xf16>, tensor<2x2x26x16xf16>) outs(%o_oz : tensor<2x2x2x6x16xf32>) -> tensor<2x2x2x6x16xf32>
  return %o : tensor<2x2x2x6x16xf32>
}

func.func @cascade(%q: tensor<2x2x2x5x16xf16>, %pages: tensor<12x2x4x2x16xf16>, %shared: tensor<3xi32> {check.draw = "uniform 0 11"}, %table: tensor<2x5xi32> {check.draw = "uniform 0 11"}, %lengths: tensor<2xi32> {check.draw = "uniform 1 20"}) -> tensor<2x2x2x5x16xf32> {
  %ks_e = tensor.empty() : tensor<2x2x12x16xf16>
  %ks = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%ks_e : tensor<2x2x12x16xf16>) {
  ^bb0(%out: f16):
    %bi = linalg.index 0 : index
    %h = linalg.index 1 : index
    %n = linalg.index 2 : index
    %d = linalg.index 3 : index
    %ps = arith.constant 4 : index
    %kvi = arith.constant 0 : index
    %page = arith.divui %n, %ps : index
    %row = arith.remui %n, %ps : index
    %entry32 = tensor.extract %shared[%page] : tensor<3xi32>
    %entry = arith.index_cast %entry32 : i32 to index
    %x = tensor.extract %pages[%entry, %kvi, %row, %h, %d] : tensor<12x2x4x2x16xf16>
    linalg.yield %x : f16
  } -> tensor<2x2x12x16xf16>
  %ku_e = tensor.empty() : tensor<2x2x20x16xf16>
  %ku = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%ku_e : tensor<2x2x20x16xf16>) {
  ^bb0(%out: f16):
    %bi = linalg.index 0 : index
    %h = linalg.index 1 : index
    %n = linalg.index 2 : index
    %d = linalg.index 3 : index
    %ps = arith.constant 4 : index
    %kvi = arith.constant 0 : index
    %page = arith.divui %n, %ps : index
    %row = arith.remui %n, %ps : index
    %entry32 = tensor.extract %table[%bi, %page] : tensor<2x5xi32>
    %entry = arith.index_cast %entry32 : i32 to index
    %x = tensor.extract %pages[%entry, %kvi, %row, %h, %d] : tensor<12x2x4x2x16xf16>
    linalg.yield %x : f16
  } -> tensor<2x2x20x16xf16>
  %k = tensor.concat dim(2) %ks, %ku : (tensor<2x2x12x16xf16>, tensor<2x2x20x16xf16>) -> tensor<2x2x32x16xf16>
  %vs_e = tensor.empty() : tensor<2x2x12x16xf16>
  %vs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%vs_e : tensor<2x2x12x16xf16>) {
  ^bb0(%out: f16):
    %bi = linalg.index 0 : index
    %h = linalg.index 1 : index
    %n = linalg.index 2 : index
    %d = linalg.index 3 : index
    %ps = arith.constant 4 : index
    %kvi = arith.constant 1 : index
    %page = arith.divui %n, %ps : index
    %row = arith.remui %n, %ps : index
    %entry32 = tensor.extract %shared[%page] : tensor<3xi32>
    %entry = arith.index_cast %entry32 : i32 to index
    %x = tensor.extract %pages[%entry, %kvi, %row, %h, %d] : tensor<12x2x4x2x16xf16>
    linalg.yield %x : f16
  } -> tensor<2x2x12x16xf16>
  %vu_e = tensor.empty() : tensor<2x2x20x16xf16>
  %vu = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%vu_e : tensor<2x2x20x16xf16>) {
  ^bb0(%out: f16):
    %bi = linalg.index 0 : index
    %h = linalg.index 1 : index
    %n = linalg.index 2 : index
    %d = linalg.index 3 : index
    %ps = arith.constant 4 : index
    %kvi = arith.constant 1 : index
    %page = arith.divui %n, %ps : index
    %row = arith.remui %n, %ps : index
    %entry32 = tensor.extract %table[%bi, %page] : tensor<2x5xi32>
    %entry = arith.index_cast %entry32 : i32 to index
    %x = tensor.extract %pages[%entry, %kvi, %row, %h, %d] : tensor<12x2x4x2x16xf16>
    linalg.yield %x : f16
  } -> tensor<2x2x20x16xf16>
  %v = tensor.concat dim(2) %vs, %vu : (tensor<2x2x12x16xf16>, tensor<2x2x20x16xf16>) -> tensor<2x2x32x16xf16>
  %o_zero = arith.constant 0.0 : f32
  %o_low = arith.constant 0xFF800000 : f32
  %o_scale = arith.constant 0.25 : f32
  %o_se = tensor.empty() : tensor<2x2x2x5x32xf32>
  %o_sz = linalg.fill ins(%o_zero : f32) outs(%o_se : tensor<2x2x2x5x32xf32>) -> tensor<2x2x2x5x32xf32>
  %o_qk = linalg.contract indexing_maps = [affine_map<(b,h,g,m,n,d) -> (b,h,g,m,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,n,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,g,m,n)>] ins(%q, %k : tensor<2x2x2x5x16xf16>, tensor<2x2x32x16xf16>) outs(%o_sz : tensor<2x2x2x5x32xf32>) -> tensor<2x2x2x5x32xf32>
  %o_ms = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_qk, %lengths : tensor<2x2x2x5x32xf32>, tensor<2xi32>) outs(%o_se : tensor<2x2x2x5x32xf32>) {
  ^bb0(%x: f32, %l0: i32, %out: f32):
    %y = arith.mulf %x, %o_scale : f32
    %i = linalg.index 3 : index
    %j = linalg.index 4 : index
    %ps = arith.constant 12 : index
    %un = arith.subi %j, %ps : index
    %end = arith.index_cast %l0 : i32 to index
    %in = arith.cmpi slt, %un, %end : index
    %r = arith.select %in, %y, %o_low : f32
    linalg.yield %r : f32
  } -> tensor<2x2x2x5x32xf32>
  %o_w0 = linalg.softmax dimension(4) ins(%o_ms : tensor<2x2x2x5x32xf32>) outs(%o_se : tensor<2x2x2x5x32xf32>) -> tensor<2x2x2x5x32xf32>
  %o_we = tensor.empty() : tensor<2x2x2x5x32xf16>
  %o_w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_w0 : tensor<2x2x2x5x32xf32>) outs(%o_we : tensor<2x2x2x5x32xf16>) {
  ^bb0(%x: f32, %out: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x2x2x5x32xf16>
  %o_oe = tensor.empty() : tensor<2x2x2x5x16xf32>
  %o_oz = linalg.fill ins(%o_zero : f32) outs(%o_oe : tensor<2x2x2x5x16xf32>) -> tensor<2x2x2x5x16xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b,h,g,m,d,n) -> (b,h,g,m,n)>, affine_map<(b,h,g,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,g,m,d,n) -> (b,h,g,m,d)>] ins(%o_w, %v : tensor<2x2x2x5x32xf16>, tensor<2x2x32x16xf16>) outs(%o_oz : tensor<2x2x2x5x16xf32>) -> tensor<2x2x2x5x16xf32>
  return %o : tensor<2x2x2x5x16xf32>
}

func.func @latent_chunk(%q: tensor<2x2x2x5x16xf16>, %new: tensor<2x5x16xf16>, %pool: tensor<12x4x16xf16>, %table: tensor<2x5xi32> {check.draw = "uniform 0 11"}, %lengths: tensor<2xi32> {check.draw = "uniform 0 20"}) -> tensor<2x2x2x5x16xf32> {
  %past_e = tensor.empty() : tensor<2x20x16xf16>
  %past = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%past_e : tensor<2x20x16xf16>) {
  ^bb0(%out: f16):
    %bi = linalg.index 0 : index
    %n = linalg.index 1 : index
    %d = linalg.index 2 : index
    %ps = arith.constant 4 : index
    %page = arith.divui %n, %ps : index
    %row = arith.remui %n, %ps : index
    %entry32 = tensor.extract %table[%bi, %page] : tensor<2x5xi32>
    %entry = arith.index_cast %entry32 : i32 to index
    %x = tensor.extract %pool[%entry, %row, %d] : tensor<12x4x16xf16>
    linalg.yield %x : f16
  } -> tensor<2x20x16xf16>
  %lat = tensor.concat dim(1) %past, %new : (tensor<2x20x16xf16>, tensor<2x5x16xf16>) -> tensor<2x25x16xf16>
  %kv_e = tensor.empty() : tensor<2x2x25x16xf16>
  %kv = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%lat : tensor<2x25x16xf16>) outs(%kv_e : tensor<2x2x25x16xf16>) {
  ^bb0(%x0: f16, %out: f16):
    linalg.yield %x0 : f16
  } -> tensor<2x2x25x16xf16>
  %o_zero = arith.constant 0.0 : f32
  %o_low = arith.constant 0xFF800000 : f32
  %o_scale = arith.constant 0.25 : f32
  %o_se = tensor.empty() : tensor<2x2x2x5x25xf32>
  %o_sz = linalg.fill ins(%o_zero : f32) outs(%o_se : tensor<2x2x2x5x25xf32>) -> tensor<2x2x2x5x25xf32>
  %o_qk = linalg.contract indexing_maps = [affine_map<(b,h,g,m,n,d) -> (b,h,g,m,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,n,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,g,m,n)>] ins(%q, %kv : tensor<2x2x2x5x16xf16>, tensor<2x2x25x16xf16>) outs(%o_sz : tensor<2x2x2x5x25xf32>) -> tensor<2x2x2x5x25xf32>
  %o_ms = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_qk, %lengths : tensor<2x2x2x5x25xf32>, tensor<2xi32>) outs(%o_se : tensor<2x2x2x5x25xf32>) {
  ^bb0(%x: f32, %l0: i32, %out: f32):
    %y = arith.mulf %x, %o_scale : f32
    %i = linalg.index 3 : index
    %j = linalg.index 4 : index
    %c = arith.constant 20 : index
    %nj = arith.subi %j, %c : index
    %ispast = arith.cmpi slt, %j, %c : index
    %end = arith.index_cast %l0 : i32 to index
    %inpast = arith.cmpi slt, %j, %end : index
    %causal = arith.cmpi sle, %nj, %i : index
    %in = arith.select %ispast, %inpast, %causal : i1
    %r = arith.select %in, %y, %o_low : f32
    linalg.yield %r : f32
  } -> tensor<2x2x2x5x25xf32>
  %o_w0 = linalg.softmax dimension(4) ins(%o_ms : tensor<2x2x2x5x25xf32>) outs(%o_se : tensor<2x2x2x5x25xf32>) -> tensor<2x2x2x5x25xf32>
  %o_we = tensor.empty() : tensor<2x2x2x5x25xf16>
  %o_w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_w0 : tensor<2x2x2x5x25xf32>) outs(%o_we : tensor<2x2x2x5x25xf16>) {
  ^bb0(%x: f32, %out: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x2x2x5x25xf16>
  %o_oe = tensor.empty() : tensor<2x2x2x5x16xf32>
  %o_oz = linalg.fill ins(%o_zero : f32) outs(%o_oe : tensor<2x2x2x5x16xf32>) -> tensor<2x2x2x5x16xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b,h,g,m,d,n) -> (b,h,g,m,n)>, affine_map<(b,h,g,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,g,m,d,n) -> (b,h,g,m,d)>] ins(%o_w, %kv : tensor<2x2x2x5x25xf16>, tensor<2x2x25x16xf16>) outs(%o_oz : tensor<2x2x2x5x16xf32>) -> tensor<2x2x2x5x16xf32>
  return %o : tensor<2x2x2x5x16xf32>
}

func.func @quantized_chunk(%q: tensor<2x2x2x5x16xf16>, %k_new: tensor<2x2x5x16xf16>, %v_new: tensor<2x2x5x16xf16>, %k_pool: tensor<12x2x4x16xi8> {check.draw = "uniform -9 9"}, %v_pool: tensor<12x2x4x16xi8> {check.draw = "uniform -9 9"}, %scale: tensor<f16> {check.draw = "uniform 0.05 0.1"}, %table: tensor<2x5xi32> {check.draw = "uniform 0 11"}, %lengths: tensor<2xi32> {check.draw = "uniform 0 20"}) -> tensor<2x2x2x5x16xf32> {
  %kq_e = tensor.empty() : tensor<2x2x20x16xi8>
  %kq = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%kq_e : tensor<2x2x20x16xi8>) {
  ^bb0(%out: i8):
    %bi = linalg.index 0 : index
    %h = linalg.index 1 : index
    %n = linalg.index 2 : index
    %d = linalg.index 3 : index
    %ps = arith.constant 4 : index
    %page = arith.divui %n, %ps : index
    %row = arith.remui %n, %ps : index
    %entry32 = tensor.extract %table[%bi, %page] : tensor<2x5xi32>
    %entry = arith.index_cast %entry32 : i32 to index
    %x = tensor.extract %k_pool[%entry, %h, %row, %d] : tensor<12x2x4x16xi8>
    linalg.yield %x : i8
  } -> tensor<2x2x20x16xi8>
  %kp_e = tensor.empty() : tensor<2x2x20x16xf16>
  %kp = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%kq, %scale : tensor<2x2x20x16xi8>, tensor<f16>) outs(%kp_e : tensor<2x2x20x16xf16>) {
  ^bb0(%x0: i8, %x1: f16, %out: f16):
    %s = arith.sitofp %x0 : i8 to f16
    %y = arith.mulf %s, %x1 : f16
    linalg.yield %y : f16
  } -> tensor<2x2x20x16xf16>
  %k = tensor.concat dim(2) %kp, %k_new : (tensor<2x2x20x16xf16>, tensor<2x2x5x16xf16>) -> tensor<2x2x25x16xf16>
  %vq_e = tensor.empty() : tensor<2x2x20x16xi8>
  %vq = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%vq_e : tensor<2x2x20x16xi8>) {
  ^bb0(%out: i8):
    %bi = linalg.index 0 : index
    %h = linalg.index 1 : index
    %n = linalg.index 2 : index
    %d = linalg.index 3 : index
    %ps = arith.constant 4 : index
    %page = arith.divui %n, %ps : index
    %row = arith.remui %n, %ps : index
    %entry32 = tensor.extract %table[%bi, %page] : tensor<2x5xi32>
    %entry = arith.index_cast %entry32 : i32 to index
    %x = tensor.extract %v_pool[%entry, %h, %row, %d] : tensor<12x2x4x16xi8>
    linalg.yield %x : i8
  } -> tensor<2x2x20x16xi8>
  %vp_e = tensor.empty() : tensor<2x2x20x16xf16>
  %vp = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%vq, %scale : tensor<2x2x20x16xi8>, tensor<f16>) outs(%vp_e : tensor<2x2x20x16xf16>) {
  ^bb0(%x0: i8, %x1: f16, %out: f16):
    %s = arith.sitofp %x0 : i8 to f16
    %y = arith.mulf %s, %x1 : f16
    linalg.yield %y : f16
  } -> tensor<2x2x20x16xf16>
  %v = tensor.concat dim(2) %vp, %v_new : (tensor<2x2x20x16xf16>, tensor<2x2x5x16xf16>) -> tensor<2x2x25x16xf16>
  %o_zero = arith.constant 0.0 : f32
  %o_low = arith.constant 0xFF800000 : f32
  %o_scale = arith.constant 0.25 : f32
  %o_se = tensor.empty() : tensor<2x2x2x5x25xf32>
  %o_sz = linalg.fill ins(%o_zero : f32) outs(%o_se : tensor<2x2x2x5x25xf32>) -> tensor<2x2x2x5x25xf32>
  %o_qk = linalg.contract indexing_maps = [affine_map<(b,h,g,m,n,d) -> (b,h,g,m,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,n,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,g,m,n)>] ins(%q, %k : tensor<2x2x2x5x16xf16>, tensor<2x2x25x16xf16>) outs(%o_sz : tensor<2x2x2x5x25xf32>) -> tensor<2x2x2x5x25xf32>
  %o_ms = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_qk, %lengths : tensor<2x2x2x5x25xf32>, tensor<2xi32>) outs(%o_se : tensor<2x2x2x5x25xf32>) {
  ^bb0(%x: f32, %l0: i32, %out: f32):
    %y = arith.mulf %x, %o_scale : f32
    %i = linalg.index 3 : index
    %j = linalg.index 4 : index
    %c = arith.constant 20 : index
    %nj = arith.subi %j, %c : index
    %ispast = arith.cmpi slt, %j, %c : index
    %end = arith.index_cast %l0 : i32 to index
    %inpast = arith.cmpi slt, %j, %end : index
    %causal = arith.cmpi sle, %nj, %i : index
    %in = arith.select %ispast, %inpast, %causal : i1
    %r = arith.select %in, %y, %o_low : f32
    linalg.yield %r : f32
  } -> tensor<2x2x2x5x25xf32>
  %o_w0 = linalg.softmax dimension(4) ins(%o_ms : tensor<2x2x2x5x25xf32>) outs(%o_se : tensor<2x2x2x5x25xf32>) -> tensor<2x2x2x5x25xf32>
  %o_we = tensor.empty() : tensor<2x2x2x5x25xf16>
  %o_w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_w0 : tensor<2x2x2x5x25xf32>) outs(%o_we : tensor<2x2x2x5x25xf16>) {
  ^bb0(%x: f32, %out: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x2x2x5x25xf16>
  %o_oe = tensor.empty() : tensor<2x2x2x5x16xf32>
  %o_oz = linalg.fill ins(%o_zero : f32) outs(%o_oe : tensor<2x2x2x5x16xf32>) -> tensor<2x2x2x5x16xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b,h,g,m,d,n) -> (b,h,g,m,n)>, affine_map<(b,h,g,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,g,m,d,n) -> (b,h,g,m,d)>] ins(%o_w, %v : tensor<2x2x2x5x25xf16>, tensor<2x2x25x16xf16>) outs(%o_oz : tensor<2x2x2x5x16xf32>) -> tensor<2x2x2x5x16xf32>
  return %o : tensor<2x2x2x5x16xf32>
}

func.func @flex_paged(%q: tensor<2x2x2x5x16xf16>, %k_cache: tensor<2x48x16xf16>, %v_cache: tensor<2x48x16xf16>, %p2l: tensor<2x12xi32> {check.draw = "uniform -1 4"}, %lengths: tensor<2xi32> {check.draw = "uniform 5 20"}) -> tensor<2x2x2x5x16xf32> {
  %k_e = tensor.empty() : tensor<2x2x48x16xf16>
  %k = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k_cache : tensor<2x48x16xf16>) outs(%k_e : tensor<2x2x48x16xf16>) {
  ^bb0(%x0: f16, %out: f16):
    linalg.yield %x0 : f16
  } -> tensor<2x2x48x16xf16>
  %v_e = tensor.empty() : tensor<2x2x48x16xf16>
  %v = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v_cache : tensor<2x48x16xf16>) outs(%v_e : tensor<2x2x48x16xf16>) {
  ^bb0(%x0: f16, %out: f16):
    linalg.yield %x0 : f16
  } -> tensor<2x2x48x16xf16>
  %o_zero = arith.constant 0.0 : f32
  %o_low = arith.constant 0xFF800000 : f32
  %o_scale = arith.constant 0.25 : f32
  %o_se = tensor.empty() : tensor<2x2x2x5x48xf32>
  %o_sz = linalg.fill ins(%o_zero : f32) outs(%o_se : tensor<2x2x2x5x48xf32>) -> tensor<2x2x2x5x48xf32>
  %o_qk = linalg.contract indexing_maps = [affine_map<(b,h,g,m,n,d) -> (b,h,g,m,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,n,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,g,m,n)>] ins(%q, %k : tensor<2x2x2x5x16xf16>, tensor<2x2x48x16xf16>) outs(%o_sz : tensor<2x2x2x5x48xf32>) -> tensor<2x2x2x5x48xf32>
  %o_ms = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_qk, %lengths : tensor<2x2x2x5x48xf32>, tensor<2xi32>) outs(%o_se : tensor<2x2x2x5x48xf32>) {
  ^bb0(%x: f32, %l0: i32, %out: f32):
    %y = arith.mulf %x, %o_scale : f32
    %i = linalg.index 3 : index
    %j = linalg.index 4 : index
    %ps = arith.constant 4 : index
    %zero_i = arith.constant 0 : index
    %bi = linalg.index 0 : index
    %phys = arith.divui %j, %ps : index
    %off = arith.remui %j, %ps : index
    %logical32 = tensor.extract %p2l[%bi, %phys] : tensor<2x12xi32>
    %logical = arith.index_cast %logical32 : i32 to index
    %lps = arith.muli %logical, %ps : index
    %pos = arith.addi %lps, %off : index
    %end = arith.index_cast %l0 : i32 to index
    %mm = arith.constant 5 : index
    %first = arith.subi %end, %mm : index
    %last = arith.addi %first, %i : index
    %live = arith.cmpi sge, %logical, %zero_i : index
    %before = arith.cmpi sle, %pos, %last : index
    %inlen = arith.cmpi slt, %pos, %end : index
    %in0 = arith.andi %live, %before : i1
    %in = arith.andi %in0, %inlen : i1
    %r = arith.select %in, %y, %o_low : f32
    linalg.yield %r : f32
  } -> tensor<2x2x2x5x48xf32>
  %o_w0 = linalg.softmax dimension(4) ins(%o_ms : tensor<2x2x2x5x48xf32>) outs(%o_se : tensor<2x2x2x5x48xf32>) -> tensor<2x2x2x5x48xf32>
  %o_we = tensor.empty() : tensor<2x2x2x5x48xf16>
  %o_w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_w0 : tensor<2x2x2x5x48xf32>) outs(%o_we : tensor<2x2x2x5x48xf16>) {
  ^bb0(%x: f32, %out: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x2x2x5x48xf16>
  %o_oe = tensor.empty() : tensor<2x2x2x5x16xf32>
  %o_oz = linalg.fill ins(%o_zero : f32) outs(%o_oe : tensor<2x2x2x5x16xf32>) -> tensor<2x2x2x5x16xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b,h,g,m,d,n) -> (b,h,g,m,n)>, affine_map<(b,h,g,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,g,m,d,n) -> (b,h,g,m,d)>] ins(%o_w, %v : tensor<2x2x2x5x48xf16>, tensor<2x2x48x16xf16>) outs(%o_oz : tensor<2x2x2x5x16xf32>) -> tensor<2x2x2x5x16xf32>
  return %o : tensor<2x2x2x5x16xf32>
}
