// A cache in pages as other servers have it: sinks and a window behind them, whose positions are
// moved by an offset of each sequence (MLC); integers with a scale for each head of a page; and one
// cache that two layers read, the second with queries that follow from the first.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=256 --max-kernels=3 --keys=16

func.func @sinks_and_window(%q: tensor<2x2x2x1x16xf16>, %pages: tensor<12x2x2x4x16xf16>, %indptr: tensor<3xi32> {check.draw = "uniform 0 12"}, %indices: tensor<24xi32> {check.draw = "uniform 0 11"}, %info: tensor<3x2xi32> {check.draw = "uniform 1 8"}) -> tensor<2x2x2x1x16xf32> {
  %k_e = tensor.empty() : tensor<2x2x20x16xf16>
  %k = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%k_e : tensor<2x2x20x16xf16>) {
  ^bb0(%out: f16):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %n = linalg.index 2 : index
    %d = linalg.index 3 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %ps = arith.constant 4 : index
    %kv = arith.constant 0 : index
    %off32 = tensor.extract %info[%c1, %b] : tensor<3x2xi32>
    %sink32 = tensor.extract %info[%c2, %b] : tensor<3x2xi32>
    %off = arith.index_cast %off32 : i32 to index
    %sink = arith.index_cast %sink32 : i32 to index
    %is = arith.cmpi slt, %n, %sink : index
    %less = arith.subi %n, %sink : index
    %moved = arith.addi %less, %off : index
    %pos = arith.select %is, %n, %moved : index
    %first32 = tensor.extract %indptr[%b] : tensor<3xi32>
    %first = arith.index_cast %first32 : i32 to index
    %page = arith.divsi %pos, %ps : index
    %row = arith.remsi %pos, %ps : index
    %at = arith.addi %first, %page : index
    %entry32 = tensor.extract %indices[%at] : tensor<24xi32>
    %entry = arith.index_cast %entry32 : i32 to index
    %x = tensor.extract %pages[%entry, %kv, %h, %row, %d] : tensor<12x2x2x4x16xf16>
    linalg.yield %x : f16
  } -> tensor<2x2x20x16xf16>
  %v_e = tensor.empty() : tensor<2x2x20x16xf16>
  %v = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%v_e : tensor<2x2x20x16xf16>) {
  ^bb0(%out: f16):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %n = linalg.index 2 : index
    %d = linalg.index 3 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %ps = arith.constant 4 : index
    %kv = arith.constant 1 : index
    %off32 = tensor.extract %info[%c1, %b] : tensor<3x2xi32>
    %sink32 = tensor.extract %info[%c2, %b] : tensor<3x2xi32>
    %off = arith.index_cast %off32 : i32 to index
    %sink = arith.index_cast %sink32 : i32 to index
    %is = arith.cmpi slt, %n, %sink : index
    %less = arith.subi %n, %sink : index
    %moved = arith.addi %less, %off : index
    %pos = arith.select %is, %n, %moved : index
    %first32 = tensor.extract %indptr[%b] : tensor<3xi32>
    %first = arith.index_cast %first32 : i32 to index
    %page = arith.divsi %pos, %ps : index
    %row = arith.remsi %pos, %ps : index
    %at = arith.addi %first, %page : index
    %entry32 = tensor.extract %indices[%at] : tensor<24xi32>
    %entry = arith.index_cast %entry32 : i32 to index
    %x = tensor.extract %pages[%entry, %kv, %h, %row, %d] : tensor<12x2x2x4x16xf16>
    linalg.yield %x : f16
  } -> tensor<2x2x20x16xf16>
  %lens = tensor.extract_slice %info[0, 0] [1, 2] [1, 1] : tensor<3x2xi32> to tensor<2xi32>
  %o_zero = arith.constant 0.0 : f32
  %o_low = arith.constant 0xFF800000 : f32
  %o_scale = arith.constant 0.25 : f32
  %o_se = tensor.empty() : tensor<2x2x2x1x20xf32>
  %o_sz = linalg.fill ins(%o_zero : f32) outs(%o_se : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %o_qk = linalg.contract indexing_maps = [affine_map<(b,h,g,m,n,d) -> (b,h,g,m,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,n,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,g,m,n)>] ins(%q, %k : tensor<2x2x2x1x16xf16>, tensor<2x2x20x16xf16>) outs(%o_sz : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %o_ms = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_qk, %lens : tensor<2x2x2x1x20xf32>, tensor<2xi32>) outs(%o_se : tensor<2x2x2x1x20xf32>) {
  ^bb0(%x: f32, %l0: i32, %out: f32):
    %y = arith.mulf %x, %o_scale : f32
    %i = linalg.index 3 : index
    %j = linalg.index 4 : index
    %end = arith.index_cast %l0 : i32 to index
    %in = arith.cmpi slt, %j, %end : index
    %r = arith.select %in, %y, %o_low : f32
    linalg.yield %r : f32
  } -> tensor<2x2x2x1x20xf32>
  %o_w0 = linalg.softmax dimension(4) ins(%o_ms : tensor<2x2x2x1x20xf32>) outs(%o_se : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %o_we = tensor.empty() : tensor<2x2x2x1x20xf16>
  %o_w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_w0 : tensor<2x2x2x1x20xf32>) outs(%o_we : tensor<2x2x2x1x20xf16>) {
  ^bb0(%x: f32, %out: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x2x2x1x20xf16>
  %o_oe = tensor.empty() : tensor<2x2x2x1x16xf32>
  %o_oz = linalg.fill ins(%o_zero : f32) outs(%o_oe : tensor<2x2x2x1x16xf32>) -> tensor<2x2x2x1x16xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b,h,g,m,d,n) -> (b,h,g,m,n)>, affine_map<(b,h,g,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,g,m,d,n) -> (b,h,g,m,d)>] ins(%o_w, %v : tensor<2x2x2x1x20xf16>, tensor<2x2x20x16xf16>) outs(%o_oz : tensor<2x2x2x1x16xf32>) -> tensor<2x2x2x1x16xf32>
  return %o : tensor<2x2x2x1x16xf32>
}

func.func @scales_of_pages(%q: tensor<2x2x2x1x16xf16>, %k_pool: tensor<12x4x2x16xi8>, %k_scale: tensor<12x2xf32> {check.draw = "uniform 0.002 0.02"}, %v_pool: tensor<12x4x2x16xi8>, %v_scale: tensor<12x2xf32> {check.draw = "uniform 0.002 0.02"}, %bt: tensor<2x5xi32> {check.draw = "uniform 0 11"}, %lens: tensor<2xi32> {check.draw = "uniform 1 20"}) -> tensor<2x2x2x1x16xf32> {
  %k_e = tensor.empty() : tensor<2x2x20x16xf16>
  %k = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%k_e : tensor<2x2x20x16xf16>) {
  ^bb0(%out: f16):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %n = linalg.index 2 : index
    %d = linalg.index 3 : index
    %ps = arith.constant 4 : index
    %page = arith.divui %n, %ps : index
    %row = arith.remui %n, %ps : index
    %entry32 = tensor.extract %bt[%b, %page] : tensor<2x5xi32>
    %entry = arith.index_cast %entry32 : i32 to index
    %i = tensor.extract %k_pool[%entry, %row, %h, %d] : tensor<12x4x2x16xi8>
    %s = tensor.extract %k_scale[%entry, %h] : tensor<12x2xf32>
    %f = arith.sitofp %i : i8 to f32
    %y = arith.mulf %f, %s : f32
    %x = arith.truncf %y : f32 to f16
    linalg.yield %x : f16
  } -> tensor<2x2x20x16xf16>
  %v_e = tensor.empty() : tensor<2x2x20x16xf16>
  %v = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%v_e : tensor<2x2x20x16xf16>) {
  ^bb0(%out: f16):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %n = linalg.index 2 : index
    %d = linalg.index 3 : index
    %ps = arith.constant 4 : index
    %page = arith.divui %n, %ps : index
    %row = arith.remui %n, %ps : index
    %entry32 = tensor.extract %bt[%b, %page] : tensor<2x5xi32>
    %entry = arith.index_cast %entry32 : i32 to index
    %i = tensor.extract %v_pool[%entry, %row, %h, %d] : tensor<12x4x2x16xi8>
    %s = tensor.extract %v_scale[%entry, %h] : tensor<12x2xf32>
    %f = arith.sitofp %i : i8 to f32
    %y = arith.mulf %f, %s : f32
    %x = arith.truncf %y : f32 to f16
    linalg.yield %x : f16
  } -> tensor<2x2x20x16xf16>
  %o_zero = arith.constant 0.0 : f32
  %o_low = arith.constant 0xFF800000 : f32
  %o_scale = arith.constant 0.25 : f32
  %o_se = tensor.empty() : tensor<2x2x2x1x20xf32>
  %o_sz = linalg.fill ins(%o_zero : f32) outs(%o_se : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %o_qk = linalg.contract indexing_maps = [affine_map<(b,h,g,m,n,d) -> (b,h,g,m,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,n,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,g,m,n)>] ins(%q, %k : tensor<2x2x2x1x16xf16>, tensor<2x2x20x16xf16>) outs(%o_sz : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %o_ms = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_qk, %lens : tensor<2x2x2x1x20xf32>, tensor<2xi32>) outs(%o_se : tensor<2x2x2x1x20xf32>) {
  ^bb0(%x: f32, %l0: i32, %out: f32):
    %y = arith.mulf %x, %o_scale : f32
    %i = linalg.index 3 : index
    %j = linalg.index 4 : index
    %end = arith.index_cast %l0 : i32 to index
    %in = arith.cmpi slt, %j, %end : index
    %r = arith.select %in, %y, %o_low : f32
    linalg.yield %r : f32
  } -> tensor<2x2x2x1x20xf32>
  %o_w0 = linalg.softmax dimension(4) ins(%o_ms : tensor<2x2x2x1x20xf32>) outs(%o_se : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %o_we = tensor.empty() : tensor<2x2x2x1x20xf16>
  %o_w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_w0 : tensor<2x2x2x1x20xf32>) outs(%o_we : tensor<2x2x2x1x20xf16>) {
  ^bb0(%x: f32, %out: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x2x2x1x20xf16>
  %o_oe = tensor.empty() : tensor<2x2x2x1x16xf32>
  %o_oz = linalg.fill ins(%o_zero : f32) outs(%o_oe : tensor<2x2x2x1x16xf32>) -> tensor<2x2x2x1x16xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b,h,g,m,d,n) -> (b,h,g,m,n)>, affine_map<(b,h,g,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,g,m,d,n) -> (b,h,g,m,d)>] ins(%o_w, %v : tensor<2x2x2x1x20xf16>, tensor<2x2x20x16xf16>) outs(%o_oz : tensor<2x2x2x1x16xf32>) -> tensor<2x2x2x1x16xf32>
  return %o : tensor<2x2x2x1x16xf32>
}

func.func @shared_by_layers(%q: tensor<2x2x2x1x16xf16>, %q2: tensor<2x2x2x1x16xf16>, %k_pool: tensor<12x4x2x16xf16>, %v_pool: tensor<12x4x2x16xf16>, %bt: tensor<2x5xi32> {check.draw = "uniform 0 11"}, %lens: tensor<2xi32> {check.draw = "uniform 1 20"}) -> (tensor<2x2x2x1x16xf32>, tensor<2x2x2x1x16xf32>) {
  %k_e = tensor.empty() : tensor<2x5x4x2x16xf16>
  %k = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%k_e : tensor<2x5x4x2x16xf16>) {
  ^bb0(%out: f16):
    %b = linalg.index 0 : index
    %p = linalg.index 1 : index
    %r = linalg.index 2 : index
    %h = linalg.index 3 : index
    %d = linalg.index 4 : index
    %entry32 = tensor.extract %bt[%b, %p] : tensor<2x5xi32>
    %entry = arith.index_cast %entry32 : i32 to index
    %x = tensor.extract %k_pool[%entry, %r, %h, %d] : tensor<12x4x2x16xf16>
    linalg.yield %x : f16
  } -> tensor<2x5x4x2x16xf16>
  %kc = tensor.collapse_shape %k [[0], [1, 2], [3], [4]] : tensor<2x5x4x2x16xf16> into tensor<2x20x2x16xf16>
  %kte = tensor.empty() : tensor<2x2x20x16xf16>
  %kt = linalg.transpose ins(%kc : tensor<2x20x2x16xf16>) outs(%kte : tensor<2x2x20x16xf16>) permutation = [0, 2, 1, 3]
  %v_e = tensor.empty() : tensor<2x5x4x2x16xf16>
  %v = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%v_e : tensor<2x5x4x2x16xf16>) {
  ^bb0(%out: f16):
    %b = linalg.index 0 : index
    %p = linalg.index 1 : index
    %r = linalg.index 2 : index
    %h = linalg.index 3 : index
    %d = linalg.index 4 : index
    %entry32 = tensor.extract %bt[%b, %p] : tensor<2x5xi32>
    %entry = arith.index_cast %entry32 : i32 to index
    %x = tensor.extract %v_pool[%entry, %r, %h, %d] : tensor<12x4x2x16xf16>
    linalg.yield %x : f16
  } -> tensor<2x5x4x2x16xf16>
  %vc = tensor.collapse_shape %v [[0], [1, 2], [3], [4]] : tensor<2x5x4x2x16xf16> into tensor<2x20x2x16xf16>
  %vte = tensor.empty() : tensor<2x2x20x16xf16>
  %vt = linalg.transpose ins(%vc : tensor<2x20x2x16xf16>) outs(%vte : tensor<2x2x20x16xf16>) permutation = [0, 2, 1, 3]
  %o_zero = arith.constant 0.0 : f32
  %o_low = arith.constant 0xFF800000 : f32
  %o_scale = arith.constant 0.25 : f32
  %o_se = tensor.empty() : tensor<2x2x2x1x20xf32>
  %o_sz = linalg.fill ins(%o_zero : f32) outs(%o_se : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %o_qk = linalg.contract indexing_maps = [affine_map<(b,h,g,m,n,d) -> (b,h,g,m,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,n,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,g,m,n)>] ins(%q, %kt : tensor<2x2x2x1x16xf16>, tensor<2x2x20x16xf16>) outs(%o_sz : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %o_ms = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_qk, %lens : tensor<2x2x2x1x20xf32>, tensor<2xi32>) outs(%o_se : tensor<2x2x2x1x20xf32>) {
  ^bb0(%x: f32, %l0: i32, %out: f32):
    %y = arith.mulf %x, %o_scale : f32
    %i = linalg.index 3 : index
    %j = linalg.index 4 : index
    %end = arith.index_cast %l0 : i32 to index
    %in = arith.cmpi slt, %j, %end : index
    %r = arith.select %in, %y, %o_low : f32
    linalg.yield %r : f32
  } -> tensor<2x2x2x1x20xf32>
  %o_w0 = linalg.softmax dimension(4) ins(%o_ms : tensor<2x2x2x1x20xf32>) outs(%o_se : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %o_we = tensor.empty() : tensor<2x2x2x1x20xf16>
  %o_w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o_w0 : tensor<2x2x2x1x20xf32>) outs(%o_we : tensor<2x2x2x1x20xf16>) {
  ^bb0(%x: f32, %out: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x2x2x1x20xf16>
  %o_oe = tensor.empty() : tensor<2x2x2x1x16xf32>
  %o_oz = linalg.fill ins(%o_zero : f32) outs(%o_oe : tensor<2x2x2x1x16xf32>) -> tensor<2x2x2x1x16xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b,h,g,m,d,n) -> (b,h,g,m,n)>, affine_map<(b,h,g,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,g,m,d,n) -> (b,h,g,m,d)>] ins(%o_w, %vt : tensor<2x2x2x1x20xf16>, tensor<2x2x20x16xf16>) outs(%o_oz : tensor<2x2x2x1x16xf32>) -> tensor<2x2x2x1x16xf32>
  %next_e = tensor.empty() : tensor<2x2x2x1x16xf16>
  %next = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%o, %q2 : tensor<2x2x2x1x16xf32>, tensor<2x2x2x1x16xf16>) outs(%next_e : tensor<2x2x2x1x16xf16>) {
  ^bb0(%x0: f32, %x1: f16, %out: f16):
    %h = arith.truncf %x0 : f32 to f16
    %y = arith.addf %h, %x1 : f16
    linalg.yield %y : f16
  } -> tensor<2x2x2x1x16xf16>
  %p_zero = arith.constant 0.0 : f32
  %p_low = arith.constant 0xFF800000 : f32
  %p_scale = arith.constant 0.25 : f32
  %p_se = tensor.empty() : tensor<2x2x2x1x20xf32>
  %p_sz = linalg.fill ins(%p_zero : f32) outs(%p_se : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %p_qk = linalg.contract indexing_maps = [affine_map<(b,h,g,m,n,d) -> (b,h,g,m,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,n,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,g,m,n)>] ins(%next, %kt : tensor<2x2x2x1x16xf16>, tensor<2x2x20x16xf16>) outs(%p_sz : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %p_ms = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%p_qk, %lens : tensor<2x2x2x1x20xf32>, tensor<2xi32>) outs(%p_se : tensor<2x2x2x1x20xf32>) {
  ^bb0(%x: f32, %l0: i32, %out: f32):
    %y = arith.mulf %x, %p_scale : f32
    %i = linalg.index 3 : index
    %j = linalg.index 4 : index
    %end = arith.index_cast %l0 : i32 to index
    %in = arith.cmpi slt, %j, %end : index
    %r = arith.select %in, %y, %p_low : f32
    linalg.yield %r : f32
  } -> tensor<2x2x2x1x20xf32>
  %p_w0 = linalg.softmax dimension(4) ins(%p_ms : tensor<2x2x2x1x20xf32>) outs(%p_se : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %p_we = tensor.empty() : tensor<2x2x2x1x20xf16>
  %p_w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%p_w0 : tensor<2x2x2x1x20xf32>) outs(%p_we : tensor<2x2x2x1x20xf16>) {
  ^bb0(%x: f32, %out: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x2x2x1x20xf16>
  %p_oe = tensor.empty() : tensor<2x2x2x1x16xf32>
  %p_oz = linalg.fill ins(%p_zero : f32) outs(%p_oe : tensor<2x2x2x1x16xf32>) -> tensor<2x2x2x1x16xf32>
  %p = linalg.contract indexing_maps = [affine_map<(b,h,g,m,d,n) -> (b,h,g,m,n)>, affine_map<(b,h,g,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,g,m,d,n) -> (b,h,g,m,d)>] ins(%p_w, %vt : tensor<2x2x2x1x20xf16>, tensor<2x2x20x16xf16>) outs(%p_oz : tensor<2x2x2x1x16xf32>) -> tensor<2x2x2x1x16xf32>
  return %o, %p : tensor<2x2x2x1x16xf32>, tensor<2x2x2x1x16xf32>
}
