// A cache in pages as servers have it, three forms of the look-up: rows by one list for all
// sequences, whose negative entries count from the end; pages of latent rows, of which
// values are the first columns; pages by a list that begins where a list of starts says,
// the last of which is partly full.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=160 --max-kernels=2 --keys=16

func.func @rows_of_all(%q: tensor<2x2x2x1x16xf16>, %ind: tensor<20xi64> {check.draw = "uniform 0 19"}, %n: tensor<2xi32> {check.draw = "uniform 1 20"}, %k_cache: tensor<2x2x20x16xf16>, %v_cache: tensor<2x2x20x16xf16>) -> tensor<2x2x2x1x16xf32> {
  %e272 = tensor.empty() : tensor<2x2x20x16xf16>
  %r273 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e272 : tensor<2x2x20x16xf16>) {
  ^bb0(%or273: f16):
    %i274 = linalg.index 0 : index
    %i275 = linalg.index 1 : index
    %i276 = linalg.index 2 : index
    %i277 = linalg.index 3 : index
    %x278 = tensor.extract %ind[%i276] : tensor<20xi64>
    %x279 = arith.index_cast %x278 : i64 to index
    %c280 = arith.constant 0 : index
    %c281 = arith.constant 20 : index
    %x282 = arith.cmpi slt, %x279, %c280 : index
    %x283 = arith.addi %x279, %c281 : index
    %x284 = arith.select %x282, %x283, %x279 : index
    %x285 = tensor.extract %k_cache[%i274, %i275, %x284, %i277] : tensor<2x2x20x16xf16>
    linalg.yield %x285 : f16
  } -> tensor<2x2x20x16xf16>
  %e286 = tensor.empty() : tensor<2x2x20x16xf16>
  %r287 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e286 : tensor<2x2x20x16xf16>) {
  ^bb0(%or287: f16):
    %i288 = linalg.index 0 : index
    %i289 = linalg.index 1 : index
    %i290 = linalg.index 2 : index
    %i291 = linalg.index 3 : index
    %x292 = tensor.extract %ind[%i290] : tensor<20xi64>
    %x293 = arith.index_cast %x292 : i64 to index
    %c294 = arith.constant 0 : index
    %c295 = arith.constant 20 : index
    %x296 = arith.cmpi slt, %x293, %c294 : index
    %x297 = arith.addi %x293, %c295 : index
    %x298 = arith.select %x296, %x297, %x293 : index
    %x299 = tensor.extract %v_cache[%i288, %i289, %x298, %i291] : tensor<2x2x20x16xf16>
    linalg.yield %x299 : f16
  } -> tensor<2x2x20x16xf16>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f32
  %se = tensor.empty() : tensor<2x2x2x1x20xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %qk = linalg.contract indexing_maps = [affine_map<(b,h,g,m,n,d) -> (b,h,g,m,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,n,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,g,m,n)>] ins(%q, %r273 : tensor<2x2x2x1x16xf16>, tensor<2x2x20x16xf16>) outs(%sz : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %ms = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%qk, %n : tensor<2x2x2x1x20xf32>, tensor<2xi32>) outs(%se : tensor<2x2x2x1x20xf32>) {
  ^bb0(%x: f32, %len: i32, %out: f32):
    %y = arith.mulf %x, %scale : f32
    %j = linalg.index 4 : index
    %end = arith.index_cast %len : i32 to index
    %in = arith.cmpi slt, %j, %end : index
    %r = arith.select %in, %y, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x2x2x1x20xf32>
  %w0 = linalg.softmax dimension(4) ins(%ms : tensor<2x2x2x1x20xf32>) outs(%se : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %we = tensor.empty() : tensor<2x2x2x1x20xf16>
  %w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%w0 : tensor<2x2x2x1x20xf32>) outs(%we : tensor<2x2x2x1x20xf16>) {
  ^bb0(%x: f32, %out: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x2x2x1x20xf16>
  %oe = tensor.empty() : tensor<2x2x2x1x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x2x2x1x16xf32>) -> tensor<2x2x2x1x16xf32>
  %pv = linalg.contract indexing_maps = [affine_map<(b,h,g,m,d,n) -> (b,h,g,m,n)>, affine_map<(b,h,g,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,g,m,d,n) -> (b,h,g,m,d)>] ins(%w, %r287 : tensor<2x2x2x1x20xf16>, tensor<2x2x20x16xf16>) outs(%oz : tensor<2x2x2x1x16xf32>) -> tensor<2x2x2x1x16xf32>
  return %pv : tensor<2x2x2x1x16xf32>
}

func.func @latent_rows(%q: tensor<2x1x4x1x24xf16>, %kv: tensor<12x4x24xf16>, %bt: tensor<2x5xi32> {check.draw = "uniform 0 11"}, %n: tensor<2xi32> {check.draw = "uniform 1 20"}) -> tensor<2x1x4x1x16xf32> {
  %e339 = tensor.empty() : tensor<2x5x4x24xf16>
  %r340 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e339 : tensor<2x5x4x24xf16>) {
  ^bb0(%or340: f16):
    %i341 = linalg.index 0 : index
    %i342 = linalg.index 1 : index
    %i343 = linalg.index 2 : index
    %i344 = linalg.index 3 : index
    %x345 = tensor.extract %bt[%i341, %i342] : tensor<2x5xi32>
    %x346 = arith.index_cast %x345 : i32 to index
    %x347 = tensor.extract %kv[%x346, %i343, %i344] : tensor<12x4x24xf16>
    linalg.yield %x347 : f16
  } -> tensor<2x5x4x24xf16>
  %r348 = tensor.collapse_shape %r340 [[0], [1, 2], [3]] : tensor<2x5x4x24xf16> into tensor<2x20x24xf16>
  %r349 = tensor.expand_shape %r348 [[0], [1, 2], [3]] output_shape [2, 1, 20, 24] : tensor<2x20x24xf16> into tensor<2x1x20x24xf16>
  %r350 = tensor.extract_slice %r349[0, 0, 0, 0] [2, 1, 20, 16] [1, 1, 1, 1] : tensor<2x1x20x24xf16> to tensor<2x1x20x16xf16>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f32
  %se = tensor.empty() : tensor<2x1x4x1x20xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<2x1x4x1x20xf32>) -> tensor<2x1x4x1x20xf32>
  %qk = linalg.contract indexing_maps = [affine_map<(b,h,g,m,n,d) -> (b,h,g,m,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,n,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,g,m,n)>] ins(%q, %r349 : tensor<2x1x4x1x24xf16>, tensor<2x1x20x24xf16>) outs(%sz : tensor<2x1x4x1x20xf32>) -> tensor<2x1x4x1x20xf32>
  %ms = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%qk, %n : tensor<2x1x4x1x20xf32>, tensor<2xi32>) outs(%se : tensor<2x1x4x1x20xf32>) {
  ^bb0(%x: f32, %len: i32, %out: f32):
    %y = arith.mulf %x, %scale : f32
    %j = linalg.index 4 : index
    %end = arith.index_cast %len : i32 to index
    %in = arith.cmpi slt, %j, %end : index
    %r = arith.select %in, %y, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x1x4x1x20xf32>
  %w0 = linalg.softmax dimension(4) ins(%ms : tensor<2x1x4x1x20xf32>) outs(%se : tensor<2x1x4x1x20xf32>) -> tensor<2x1x4x1x20xf32>
  %we = tensor.empty() : tensor<2x1x4x1x20xf16>
  %w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%w0 : tensor<2x1x4x1x20xf32>) outs(%we : tensor<2x1x4x1x20xf16>) {
  ^bb0(%x: f32, %out: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x1x4x1x20xf16>
  %oe = tensor.empty() : tensor<2x1x4x1x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x1x4x1x16xf32>) -> tensor<2x1x4x1x16xf32>
  %pv = linalg.contract indexing_maps = [affine_map<(b,h,g,m,d,n) -> (b,h,g,m,n)>, affine_map<(b,h,g,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,g,m,d,n) -> (b,h,g,m,d)>] ins(%w, %r350 : tensor<2x1x4x1x20xf16>, tensor<2x1x20x16xf16>) outs(%oz : tensor<2x1x4x1x16xf32>) -> tensor<2x1x4x1x16xf32>
  return %pv : tensor<2x1x4x1x16xf32>
}

func.func @starts_of_lists(%q: tensor<2x2x2x1x16xf16>, %kv: tensor<12x2x4x2x16xf16>, %indptr: tensor<3xi32> {check.draw = "uniform 0 4"}, %indices: tensor<10xi32> {check.draw = "uniform 0 11"}, %last: tensor<2xi32> {check.draw = "uniform 1 4"}) -> tensor<2x2x2x1x16xf32> {
  %e92 = tensor.empty() : tensor<2xi32>
  %r93 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e92 : tensor<2xi32>) {
  ^bb0(%or93: i32):
    %i94 = linalg.index 0 : index
    %c95 = arith.constant 1 : index
    %x96 = arith.addi %i94, %c95 : index
    %x97 = tensor.extract %indptr[%i94] : tensor<3xi32>
    %x98 = arith.index_cast %x97 : i32 to index
    %x99 = tensor.extract %indptr[%x96] : tensor<3xi32>
    %x100 = arith.index_cast %x99 : i32 to index
    %x101 = arith.subi %x100, %x98 : index
    %x102 = arith.subi %x101, %c95 : index
    %c103 = arith.constant 4 : index
    %x104 = arith.muli %x102, %c103 : index
    %x105 = tensor.extract %last[%i94] : tensor<2xi32>
    %x106 = arith.index_cast %x105 : i32 to index
    %x107 = arith.addi %x104, %x106 : index
    %c108 = arith.constant 0 : index
    %x109 = arith.maxsi %x107, %c108 : index
    %x110 = arith.index_cast %x109 : index to i32
    linalg.yield %x110 : i32
  } -> tensor<2xi32>
  %e111 = tensor.empty() : tensor<2x5x4x2x16xf16>
  %r112 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%e111 : tensor<2x5x4x2x16xf16>) {
  ^bb0(%or112: f16):
    %i113 = linalg.index 0 : index
    %i114 = linalg.index 1 : index
    %i115 = linalg.index 2 : index
    %i116 = linalg.index 3 : index
    %i117 = linalg.index 4 : index
    %x118 = tensor.extract %indptr[%i113] : tensor<3xi32>
    %x119 = arith.index_cast %x118 : i32 to index
    %x120 = arith.addi %x119, %i114 : index
    %c121 = arith.constant 0 : index
    %c122 = arith.constant 9 : index
    %x123 = arith.maxsi %x120, %c121 : index
    %x124 = arith.minsi %x123, %c122 : index
    %x125 = tensor.extract %indices[%x124] : tensor<10xi32>
    %x126 = arith.index_cast %x125 : i32 to index
    %c127 = arith.constant 0 : index
    %x128 = tensor.extract %kv[%x126, %c127, %i115, %i116, %i117] : tensor<12x2x4x2x16xf16>
    linalg.yield %x128 : f16
  } -> tensor<2x5x4x2x16xf16>
  %r129 = tensor.collapse_shape %r112 [[0], [1, 2], [3], [4]] : tensor<2x5x4x2x16xf16> into tensor<2x20x2x16xf16>
  %e130 = tensor.empty() : tensor<2x2x20x16xf16>
  %r131 = linalg.transpose ins(%r129 : tensor<2x20x2x16xf16>) outs(%e130 : tensor<2x2x20x16xf16>) permutation = [0, 2, 1, 3]
  %e132 = tensor.empty() : tensor<2x5x4x2x16xf16>
  %r133 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%e132 : tensor<2x5x4x2x16xf16>) {
  ^bb0(%or133: f16):
    %i134 = linalg.index 0 : index
    %i135 = linalg.index 1 : index
    %i136 = linalg.index 2 : index
    %i137 = linalg.index 3 : index
    %i138 = linalg.index 4 : index
    %x139 = tensor.extract %indptr[%i134] : tensor<3xi32>
    %x140 = arith.index_cast %x139 : i32 to index
    %x141 = arith.addi %x140, %i135 : index
    %c142 = arith.constant 0 : index
    %c143 = arith.constant 9 : index
    %x144 = arith.maxsi %x141, %c142 : index
    %x145 = arith.minsi %x144, %c143 : index
    %x146 = tensor.extract %indices[%x145] : tensor<10xi32>
    %x147 = arith.index_cast %x146 : i32 to index
    %c148 = arith.constant 1 : index
    %x149 = tensor.extract %kv[%x147, %c148, %i136, %i137, %i138] : tensor<12x2x4x2x16xf16>
    linalg.yield %x149 : f16
  } -> tensor<2x5x4x2x16xf16>
  %r150 = tensor.collapse_shape %r133 [[0], [1, 2], [3], [4]] : tensor<2x5x4x2x16xf16> into tensor<2x20x2x16xf16>
  %e151 = tensor.empty() : tensor<2x2x20x16xf16>
  %r152 = linalg.transpose ins(%r150 : tensor<2x20x2x16xf16>) outs(%e151 : tensor<2x2x20x16xf16>) permutation = [0, 2, 1, 3]
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f32
  %se = tensor.empty() : tensor<2x2x2x1x20xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %qk = linalg.contract indexing_maps = [affine_map<(b,h,g,m,n,d) -> (b,h,g,m,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,n,d)>, affine_map<(b,h,g,m,n,d) -> (b,h,g,m,n)>] ins(%q, %r131 : tensor<2x2x2x1x16xf16>, tensor<2x2x20x16xf16>) outs(%sz : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %ms = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%qk, %r93 : tensor<2x2x2x1x20xf32>, tensor<2xi32>) outs(%se : tensor<2x2x2x1x20xf32>) {
  ^bb0(%x: f32, %len: i32, %out: f32):
    %y = arith.mulf %x, %scale : f32
    %j = linalg.index 4 : index
    %end = arith.index_cast %len : i32 to index
    %in = arith.cmpi slt, %j, %end : index
    %r = arith.select %in, %y, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x2x2x1x20xf32>
  %w0 = linalg.softmax dimension(4) ins(%ms : tensor<2x2x2x1x20xf32>) outs(%se : tensor<2x2x2x1x20xf32>) -> tensor<2x2x2x1x20xf32>
  %we = tensor.empty() : tensor<2x2x2x1x20xf16>
  %w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%w0 : tensor<2x2x2x1x20xf32>) outs(%we : tensor<2x2x2x1x20xf16>) {
  ^bb0(%x: f32, %out: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x2x2x1x20xf16>
  %oe = tensor.empty() : tensor<2x2x2x1x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x2x2x1x16xf32>) -> tensor<2x2x2x1x16xf32>
  %pv = linalg.contract indexing_maps = [affine_map<(b,h,g,m,d,n) -> (b,h,g,m,n)>, affine_map<(b,h,g,m,d,n) -> (b,h,n,d)>, affine_map<(b,h,g,m,d,n) -> (b,h,g,m,d)>] ins(%w, %r152 : tensor<2x2x2x1x20xf16>, tensor<2x2x20x16xf16>) outs(%oz : tensor<2x2x2x1x16xf32>) -> tensor<2x2x2x1x16xf32>
  return %pv : tensor<2x2x2x1x16xf32>
}
