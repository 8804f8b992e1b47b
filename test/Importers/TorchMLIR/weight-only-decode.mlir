// Weights of a decoder, dequantized for few rows: integers of 4 bits in words of several columns, in
// the order of a constant (AWQ), with groups as a dimension; int8 with one group for a whole column,
// which has a dimension of size 1; and integers of 4 bits in groups of 32 with packed zero points and
// scales of f16, whose products may be too large for f16.

// A CPU computes what it dequantizes in f32. With AVX-512, integers are looked up, and zero points
// are subtracted as floats. 72 and 75 columns leave remainders.
// RUN: linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=0
// RUN: %if avx512 %{ linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=0 --cpu-options=cpu=avx512 %}
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=13824 --max-kernels=3

func.func @words_of_columns(%x: tensor<3x96xf16>, %w: tensor<96x9xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<3x72xf16> {check.draw = "uniform 0.01 0.02"}, %z: tensor<3x9xi32> {check.draw = "uniform -2147483648 2147483647"}, %y: tensor<3x72xf32>) -> tensor<3x72xf32> {
  %c15 = arith.constant 15 : i32
  %shift = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %order = arith.constant dense<[0, 4, 1, 5, 2, 6, 3, 7]> : tensor<8xi64>
  %ecodes = tensor.empty() : tensor<96x9x8xi32>
  %codess = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %shift : tensor<96x9xi32>, tensor<8xi32>) outs(%ecodes : tensor<96x9x8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %p = arith.shrsi %a, %b : i32
    linalg.yield %p : i32
  } -> tensor<96x9x8xi32>
  %codeso = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%order : tensor<8xi64>) outs(%ecodes : tensor<96x9x8xi32>) {
  ^bb0(%a: i64, %o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %l = arith.index_cast %a : i64 to index
    %p = tensor.extract %codess[%i, %j, %l] : tensor<96x9x8xi32>
    linalg.yield %p : i32
  } -> tensor<96x9x8xi32>
  %codesc = tensor.collapse_shape %codeso [[0], [1, 2]] : tensor<96x9x8xi32> into tensor<96x72xi32>
  %fcodes = tensor.empty() : tensor<96x72xi32>
  %codes = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%codesc : tensor<96x72xi32>) outs(%fcodes : tensor<96x72xi32>) {
  ^bb0(%a: i32, %o: i32):
    %p = arith.andi %a, %c15 : i32
    linalg.yield %p : i32
  } -> tensor<96x72xi32>
  %ezeros = tensor.empty() : tensor<3x9x8xi32>
  %zeross = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%z, %shift : tensor<3x9xi32>, tensor<8xi32>) outs(%ezeros : tensor<3x9x8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %p = arith.shrsi %a, %b : i32
    linalg.yield %p : i32
  } -> tensor<3x9x8xi32>
  %zeroso = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%order : tensor<8xi64>) outs(%ezeros : tensor<3x9x8xi32>) {
  ^bb0(%a: i64, %o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %l = arith.index_cast %a : i64 to index
    %p = tensor.extract %zeross[%i, %j, %l] : tensor<3x9x8xi32>
    linalg.yield %p : i32
  } -> tensor<3x9x8xi32>
  %zerosc = tensor.collapse_shape %zeroso [[0], [1, 2]] : tensor<3x9x8xi32> into tensor<3x72xi32>
  %fzeros = tensor.empty() : tensor<3x72xi32>
  %zeros = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%zerosc : tensor<3x72xi32>) outs(%fzeros : tensor<3x72xi32>) {
  ^bb0(%a: i32, %o: i32):
    %p = arith.andi %a, %c15 : i32
    linalg.yield %p : i32
  } -> tensor<3x72xi32>
  %codes3 = tensor.expand_shape %codes [[0, 1], [2]] output_shape [3, 32, 72] : tensor<96x72xi32> into tensor<3x32x72xi32>
  %ed = tensor.empty() : tensor<3x32x72xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(g, k, n) -> (g, k, n)>, affine_map<(g, k, n) -> (g, n)>, affine_map<(g, k, n) -> (g, n)>, affine_map<(g, k, n) -> (g, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%codes3, %s, %zeros : tensor<3x32x72xi32>, tensor<3x72xf16>, tensor<3x72xi32>) outs(%ed : tensor<3x32x72xf16>) {
  ^bb0(%a: i32, %s0: f16, %z0: i32, %o: f16):
    %d = arith.subi %a, %z0 : i32
    %f = arith.sitofp %d : i32 to f16
    %p = arith.mulf %f, %s0 : f16
    linalg.yield %p : f16
  } -> tensor<3x32x72xf16>
  %flat = tensor.collapse_shape %d [[0, 1], [2]] : tensor<3x32x72xf16> into tensor<96x72xf16>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<3x72xf32>) -> tensor<3x72xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %flat : tensor<3x96xf16>, tensor<96x72xf16>) outs(%fill : tensor<3x72xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %ae = arith.extf %a : f16 to f32
    %be = arith.extf %b : f16 to f32
    %p = arith.mulf %ae, %be : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<3x72xf32>
  return %r : tensor<3x72xf32>
}

func.func @one_group(%x: tensor<3x128xbf16>, %w: tensor<75x128xi8> {check.draw = "uniform -128 127"}, %s: tensor<75x1xbf16> {check.draw = "uniform 0.001 0.002"}, %y: tensor<3x75xf32>) -> tensor<3x75xf32> {
  %w3 = tensor.expand_shape %w [[0], [1, 2]] output_shape [75, 1, 128] : tensor<75x128xi8> into tensor<75x1x128xi8>
  %ed = tensor.empty() : tensor<75x1x128xbf16>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w3, %s : tensor<75x1x128xi8>, tensor<75x1xbf16>) outs(%ed : tensor<75x1x128xbf16>) {
  ^bb0(%a: i8, %s0: bf16, %o: bf16):
    %f = arith.sitofp %a : i8 to bf16
    %p = arith.mulf %f, %s0 : bf16
    linalg.yield %p : bf16
  } -> tensor<75x1x128xbf16>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<75x1x128xbf16> into tensor<75x128xbf16>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<3x75xf32>) -> tensor<3x75xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %flat : tensor<3x128xbf16>, tensor<75x128xbf16>) outs(%fill : tensor<3x75xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %ae = arith.extf %a : bf16 to f32
    %be = arith.extf %b : bf16 to f32
    %p = arith.mulf %ae, %be : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<3x75xf32>
  return %r : tensor<3x75xf32>
}

func.func @zero_points(%x: tensor<1x256xf16>, %w: tensor<75x8x16xi8> {check.draw = "uniform -128 127"}, %s: tensor<75x8xf16> {check.draw = "uniform 0.01 4000"}, %z: tensor<75x4xi8> {check.draw = "uniform -128 127"}, %y: tensor<1x75xf32>) -> tensor<1x75xf32> {
  %c8 = arith.constant 8 : i8
  %codesc15 = arith.constant 15 : i8
  %codesc4 = arith.constant 4 : i8
  %codese = tensor.empty() : tensor<75x8x16xi8>
  %codeslo = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<75x8x16xi8>) outs(%codese : tensor<75x8x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.andi %a, %codesc15 : i8
    linalg.yield %q : i8
  } -> tensor<75x8x16xi8>
  %codeslo1 = tensor.expand_shape %codeslo [[0], [1], [2, 3]] output_shape [75, 8, 16, 1] : tensor<75x8x16xi8> into tensor<75x8x16x1xi8>
  %codeshi = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<75x8x16xi8>) outs(%codese : tensor<75x8x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.shrui %a, %codesc4 : i8
    linalg.yield %q : i8
  } -> tensor<75x8x16xi8>
  %codeshi1 = tensor.expand_shape %codeshi [[0], [1], [2, 3]] output_shape [75, 8, 16, 1] : tensor<75x8x16xi8> into tensor<75x8x16x1xi8>
  %codesb = tensor.concat dim(3) %codeslo1, %codeshi1 : (tensor<75x8x16x1xi8>, tensor<75x8x16x1xi8>) -> tensor<75x8x16x2xi8>
  %codes = tensor.collapse_shape %codesb [[0], [1], [2, 3]] : tensor<75x8x16x2xi8> into tensor<75x8x32xi8>
  %zerosc15 = arith.constant 15 : i8
  %zerosc4 = arith.constant 4 : i8
  %zerose = tensor.empty() : tensor<75x4xi8>
  %zeroslo = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%z : tensor<75x4xi8>) outs(%zerose : tensor<75x4xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.andi %a, %zerosc15 : i8
    linalg.yield %q : i8
  } -> tensor<75x4xi8>
  %zeroslo1 = tensor.expand_shape %zeroslo [[0], [1, 2]] output_shape [75, 4, 1] : tensor<75x4xi8> into tensor<75x4x1xi8>
  %zeroshi = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%z : tensor<75x4xi8>) outs(%zerose : tensor<75x4xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.shrui %a, %zerosc4 : i8
    linalg.yield %q : i8
  } -> tensor<75x4xi8>
  %zeroshi1 = tensor.expand_shape %zeroshi [[0], [1, 2]] output_shape [75, 4, 1] : tensor<75x4xi8> into tensor<75x4x1xi8>
  %zerosb = tensor.concat dim(2) %zeroslo1, %zeroshi1 : (tensor<75x4x1xi8>, tensor<75x4x1xi8>) -> tensor<75x4x2xi8>
  %zeros = tensor.collapse_shape %zerosb [[0], [1, 2]] : tensor<75x4x2xi8> into tensor<75x8xi8>
  %ed = tensor.empty() : tensor<75x8x32xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%codes, %s, %zeros : tensor<75x8x32xi8>, tensor<75x8xf16>, tensor<75x8xi8>) outs(%ed : tensor<75x8x32xf16>) {
  ^bb0(%a: i8, %s0: f16, %z0: i8, %o: f16):
    %d = arith.subi %a, %z0 : i8
    %f = arith.sitofp %d : i8 to f16
    %p = arith.mulf %f, %s0 : f16
    linalg.yield %p : f16
  } -> tensor<75x8x32xf16>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<75x8x32xf16> into tensor<75x256xf16>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<1x75xf32>) -> tensor<1x75xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %flat : tensor<1x256xf16>, tensor<75x256xf16>) outs(%fill : tensor<1x75xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %ae = arith.extf %a : f16 to f32
    %be = arith.extf %b : f16 to f32
    %p = arith.mulf %ae, %be : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<1x75xf32>
  return %r : tensor<1x75xf32>
}
