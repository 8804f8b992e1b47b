// Rows that the bias hides whole are 0, as they are found from the bias and not from the
// scores: rows that are too long, or of unknown length, are reduced in pieces in front of
// the loop over keys.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=20000 --max-kernels=1 \
// RUN:   --sizes=2x37x8,2x70x8,2x70x8,1x37,1x37x70

// What the pieces are merged in is under the tiles of the loop: a fence is in between.
// RUN: linalg-ext-check-program %s --targets=gpu --share-memory --max-kernels=1 \
// RUN:   --sizes=2x37x8,2x70x8,2x70x8,1x37,1x37x70

#query = affine_map<(b, i, j, d) -> (b, i, d)>
#key = affine_map<(b, i, j, d) -> (b, j, d)>
#value = affine_map<(b, i, j, d) -> (b, d, j)>
#scores = affine_map<(b, i, j, d) -> (b, i, j)>
#all = affine_map<(b, i, j) -> (b, i, j)>
#heads = affine_map<(b, i, j) -> (0, i, j)>
#padding = affine_map<(b, i, j) -> (b, i)>
#row = affine_map<(b, i, j) -> (b, i, 0)>
#rows = affine_map<(b, i, j) -> (0, i, 0)>

func.func @long(%q: tensor<2x150x8xf16>, %k: tensor<2x600x8xf16>,
    %v: tensor<2x600x8xf16>,
    %valid: tensor<1x150xi1> {check.draw = "uniform 0 1"},
    %keep: tensor<1x150x600xi1> {check.draw = "keep 0.7"}) -> tensor<2x150x8xf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0.000000e+00 : f16
  %hidden = arith.constant 0xFC00 : f16
  %true = arith.constant true
  %eb = tensor.empty() : tensor<1x150x600xf16>
  %bias = linalg.generic {indexing_maps = [#padding, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%valid, %keep : tensor<1x150xi1>, tensor<1x150x600xi1>) outs(%eb : tensor<1x150x600xf16>) {
  ^bb0(%in: i1, %in0: i1, %out: f16):
    %0 = arith.andi %in, %in0 : i1
    %1 = arith.select %0, %none, %hidden : f16
    linalg.yield %1 : f16
  } -> tensor<1x150x600xf16>
  %e = tensor.empty() : tensor<2x150x600xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x150x600xf32>) -> tensor<2x150x600xf32>
  %s = linalg.generic {indexing_maps = [#query, #key, #scores], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x150x8xf16>, tensor<2x600x8xf16>) outs(%f : tensor<2x150x600xf32>) {
  ^bb0(%in: f16, %in0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x150x600xf32>
  %x = linalg.generic {indexing_maps = [#all, #heads, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %bias : tensor<2x150x600xf32>, tensor<1x150x600xf16>) outs(%e : tensor<2x150x600xf32>) {
  ^bb0(%in: f32, %in0: f16, %out: f32):
    %0 = arith.extf %in0 : f16 to f32
    %1 = arith.addf %in, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x150x600xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<2x150x600xf32>) outs(%e : tensor<2x150x600xf32>) -> tensor<2x150x600xf32>
  %ec = tensor.empty() : tensor<1x150x600xi1>
  %is = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%bias : tensor<1x150x600xf16>) outs(%ec : tensor<1x150x600xi1>) {
  ^bb0(%in: f16, %out: i1):
    %0 = arith.cmpf oeq, %in, %hidden : f16
    linalg.yield %0 : i1
  } -> tensor<1x150x600xi1>
  %eg = tensor.empty() : tensor<1x150x1xi1>
  %fg = linalg.fill ins(%true : i1) outs(%eg : tensor<1x150x1xi1>) -> tensor<1x150x1xi1>
  %empty = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%is : tensor<1x150x600xi1>) outs(%fg : tensor<1x150x1xi1>) {
  ^bb0(%in: i1, %out: i1):
    %0 = arith.andi %in, %out : i1
    linalg.yield %0 : i1
  } -> tensor<1x150x1xi1>
  %eh = tensor.empty() : tensor<2x150x600xf16>
  %w = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %empty : tensor<2x150x600xf32>, tensor<1x150x1xi1>) outs(%eh : tensor<2x150x600xf16>) {
  ^bb0(%in: f32, %in0: i1, %out: f16):
    %0 = arith.select %in0, %zero, %in : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<2x150x600xf16>
  %eo = tensor.empty() : tensor<2x150x8xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x150x8xf32>) -> tensor<2x150x8xf32>
  %o = linalg.generic {indexing_maps = [#query, #value, #scores], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%w, %v : tensor<2x150x600xf16>, tensor<2x600x8xf16>) outs(%fo : tensor<2x150x8xf32>) {
  ^bb0(%in: f16, %in0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x150x8xf32>
  %et = tensor.empty() : tensor<2x150x8xf16>
  %t = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%o : tensor<2x150x8xf32>) outs(%et : tensor<2x150x8xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<2x150x8xf16>
  return %t : tensor<2x150x8xf16>
}

func.func @unknown(%q: tensor<2x?x8xf16>, %k: tensor<2x?x8xf16>,
    %v: tensor<2x?x8xf16>,
    %valid: tensor<1x?xi1> {check.draw = "uniform 0 1"},
    %keep: tensor<1x?x?xi1> {check.draw = "keep 0.7"}) -> tensor<2x?x8xf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0.000000e+00 : f16
  %hidden = arith.constant 0xFC00 : f16
  %true = arith.constant true
  %c1 = arith.constant 1 : index
  %m = tensor.dim %q, %c1 : tensor<2x?x8xf16>
  %n = tensor.dim %k, %c1 : tensor<2x?x8xf16>
  %eb = tensor.empty(%m, %n) : tensor<1x?x?xf16>
  %bias = linalg.generic {indexing_maps = [#padding, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%valid, %keep : tensor<1x?xi1>, tensor<1x?x?xi1>) outs(%eb : tensor<1x?x?xf16>) {
  ^bb0(%in: i1, %in0: i1, %out: f16):
    %0 = arith.andi %in, %in0 : i1
    %1 = arith.select %0, %none, %hidden : f16
    linalg.yield %1 : f16
  } -> tensor<1x?x?xf16>
  %e = tensor.empty(%m, %n) : tensor<2x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.generic {indexing_maps = [#query, #key, #scores], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x?x8xf16>, tensor<2x?x8xf16>) outs(%f : tensor<2x?x?xf32>) {
  ^bb0(%in: f16, %in0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x?x?xf32>
  %x = linalg.generic {indexing_maps = [#all, #heads, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %bias : tensor<2x?x?xf32>, tensor<1x?x?xf16>) outs(%e : tensor<2x?x?xf32>) {
  ^bb0(%in: f32, %in0: f16, %out: f32):
    %0 = arith.extf %in0 : f16 to f32
    %1 = arith.addf %in, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<2x?x?xf32>) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %ec = tensor.empty(%m, %n) : tensor<1x?x?xi1>
  %is = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%bias : tensor<1x?x?xf16>) outs(%ec : tensor<1x?x?xi1>) {
  ^bb0(%in: f16, %out: i1):
    %0 = arith.cmpf oeq, %in, %hidden : f16
    linalg.yield %0 : i1
  } -> tensor<1x?x?xi1>
  %eg = tensor.empty(%m) : tensor<1x?x1xi1>
  %fg = linalg.fill ins(%true : i1) outs(%eg : tensor<1x?x1xi1>) -> tensor<1x?x1xi1>
  %empty = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%is : tensor<1x?x?xi1>) outs(%fg : tensor<1x?x1xi1>) {
  ^bb0(%in: i1, %out: i1):
    %0 = arith.andi %in, %out : i1
    linalg.yield %0 : i1
  } -> tensor<1x?x1xi1>
  %eh = tensor.empty(%m, %n) : tensor<2x?x?xf16>
  %w = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %empty : tensor<2x?x?xf32>, tensor<1x?x1xi1>) outs(%eh : tensor<2x?x?xf16>) {
  ^bb0(%in: f32, %in0: i1, %out: f16):
    %0 = arith.select %in0, %zero, %in : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<2x?x?xf16>
  %eo = tensor.empty(%m) : tensor<2x?x8xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  %o = linalg.generic {indexing_maps = [#query, #value, #scores], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%w, %v : tensor<2x?x?xf16>, tensor<2x?x8xf16>) outs(%fo : tensor<2x?x8xf32>) {
  ^bb0(%in: f16, %in0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x?x8xf32>
  %et = tensor.empty(%m) : tensor<2x?x8xf16>
  %t = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%o : tensor<2x?x8xf32>) outs(%et : tensor<2x?x8xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<2x?x8xf16>
  return %t : tensor<2x?x8xf16>
}
