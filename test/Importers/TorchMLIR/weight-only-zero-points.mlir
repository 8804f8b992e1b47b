// Weights with a scale and a zero point for each group, as producers write them: packed, of two groups
// to a byte (MatMulNBits), one byte each, floats that are added (torchao's tinygemm), stored by rows
// of the sums, and of 8 bits. Few rows multiply them: a CPU multiplies sums of the rows by the zero
// points. Many rows read tiles of f32. Columns and groups leave remainders; one program has scales of 0.

// RUN: linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=57664
// RUN: %if avx512 %{ linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=57664 --cpu-options=cpu=avx512 %}
// RUN: linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=57664 --cpu-options=cpu=avx2

func.func @packed(%x: tensor<1x640xf32>, %w: tensor<75x20x16xi8> {check.draw = "uniform -128 127"}, %s: tensor<75x20xf32> {check.draw = "uniform 0.01 0.02"}, %z: tensor<75x10xi8> {check.draw = "uniform -128 127"}, %y: tensor<1x75xf32>) -> tensor<1x75xf32> {
  %c8 = arith.constant 8 : i8
  %codesc15 = arith.constant 15 : i8
  %codesc4 = arith.constant 4 : i8
  %codese = tensor.empty() : tensor<75x20x16xi8>
  %codeslo = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<75x20x16xi8>) outs(%codese : tensor<75x20x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.andi %a, %codesc15 : i8
    linalg.yield %q : i8
  } -> tensor<75x20x16xi8>
  %codeslo1 = tensor.expand_shape %codeslo [[0], [1], [2, 3]] output_shape [75, 20, 16, 1] : tensor<75x20x16xi8> into tensor<75x20x16x1xi8>
  %codeshi = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<75x20x16xi8>) outs(%codese : tensor<75x20x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.shrui %a, %codesc4 : i8
    linalg.yield %q : i8
  } -> tensor<75x20x16xi8>
  %codeshi1 = tensor.expand_shape %codeshi [[0], [1], [2, 3]] output_shape [75, 20, 16, 1] : tensor<75x20x16xi8> into tensor<75x20x16x1xi8>
  %codesb = tensor.concat dim(3) %codeslo1, %codeshi1 : (tensor<75x20x16x1xi8>, tensor<75x20x16x1xi8>) -> tensor<75x20x16x2xi8>
  %codes = tensor.collapse_shape %codesb [[0], [1], [2, 3]] : tensor<75x20x16x2xi8> into tensor<75x20x32xi8>
  %zerosc15 = arith.constant 15 : i8
  %zerosc4 = arith.constant 4 : i8
  %zerose = tensor.empty() : tensor<75x10xi8>
  %zeroslo = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<75x10xi8>) outs(%zerose : tensor<75x10xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.andi %a, %zerosc15 : i8
    linalg.yield %q : i8
  } -> tensor<75x10xi8>
  %zeroslo1 = tensor.expand_shape %zeroslo [[0], [1, 2]] output_shape [75, 10, 1] : tensor<75x10xi8> into tensor<75x10x1xi8>
  %zeroshi = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<75x10xi8>) outs(%zerose : tensor<75x10xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.shrui %a, %zerosc4 : i8
    linalg.yield %q : i8
  } -> tensor<75x10xi8>
  %zeroshi1 = tensor.expand_shape %zeroshi [[0], [1, 2]] output_shape [75, 10, 1] : tensor<75x10xi8> into tensor<75x10x1xi8>
  %zerosb = tensor.concat dim(2) %zeroslo1, %zeroshi1 : (tensor<75x10x1xi8>, tensor<75x10x1xi8>) -> tensor<75x10x2xi8>
  %zeros = tensor.collapse_shape %zerosb [[0], [1, 2]] : tensor<75x10x2xi8> into tensor<75x20xi8>
  %ed = tensor.empty() : tensor<75x20x32xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%codes, %s, %zeros : tensor<75x20x32xi8>, tensor<75x20xf32>, tensor<75x20xi8>) outs(%ed : tensor<75x20x32xf32>) {
  ^bb0(%a: i8, %s0: f32, %z0: i8, %o: f32):
    %ae = arith.extsi %a : i8 to i32
    %ze = arith.extsi %z0 : i8 to i32
    %d = arith.subi %ae, %ze : i32
    %f = arith.sitofp %d : i32 to f32
    %p = arith.mulf %f, %s0 : f32
    linalg.yield %p : f32
  } -> tensor<75x20x32xf32>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<75x20x32xf32> into tensor<75x640xf32>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<1x75xf32>) -> tensor<1x75xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %flat : tensor<1x640xf32>, tensor<75x640xf32>) outs(%fill : tensor<1x75xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<1x75xf32>
  return %r : tensor<1x75xf32>
}

func.func @packed_halves(%x: tensor<4x384xf16>, %w: tensor<96x6x32xi8> {check.draw = "uniform -128 127"}, %s: tensor<96x6xf16> {check.draw = "uniform 0.01 4000"}, %z: tensor<96x3xi8> {check.draw = "uniform -128 127"}, %y: tensor<4x96xf32>) -> tensor<4x96xf32> {
  %c8 = arith.constant 8 : i8
  %codesc15 = arith.constant 15 : i8
  %codesc4 = arith.constant 4 : i8
  %codese = tensor.empty() : tensor<96x6x32xi8>
  %codeslo = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<96x6x32xi8>) outs(%codese : tensor<96x6x32xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.andi %a, %codesc15 : i8
    linalg.yield %q : i8
  } -> tensor<96x6x32xi8>
  %codeslo1 = tensor.expand_shape %codeslo [[0], [1], [2, 3]] output_shape [96, 6, 32, 1] : tensor<96x6x32xi8> into tensor<96x6x32x1xi8>
  %codeshi = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<96x6x32xi8>) outs(%codese : tensor<96x6x32xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.shrui %a, %codesc4 : i8
    linalg.yield %q : i8
  } -> tensor<96x6x32xi8>
  %codeshi1 = tensor.expand_shape %codeshi [[0], [1], [2, 3]] output_shape [96, 6, 32, 1] : tensor<96x6x32xi8> into tensor<96x6x32x1xi8>
  %codesb = tensor.concat dim(3) %codeslo1, %codeshi1 : (tensor<96x6x32x1xi8>, tensor<96x6x32x1xi8>) -> tensor<96x6x32x2xi8>
  %codes = tensor.collapse_shape %codesb [[0], [1], [2, 3]] : tensor<96x6x32x2xi8> into tensor<96x6x64xi8>
  %zerosc15 = arith.constant 15 : i8
  %zerosc4 = arith.constant 4 : i8
  %zerose = tensor.empty() : tensor<96x3xi8>
  %zeroslo = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<96x3xi8>) outs(%zerose : tensor<96x3xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.andi %a, %zerosc15 : i8
    linalg.yield %q : i8
  } -> tensor<96x3xi8>
  %zeroslo1 = tensor.expand_shape %zeroslo [[0], [1, 2]] output_shape [96, 3, 1] : tensor<96x3xi8> into tensor<96x3x1xi8>
  %zeroshi = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<96x3xi8>) outs(%zerose : tensor<96x3xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.shrui %a, %zerosc4 : i8
    linalg.yield %q : i8
  } -> tensor<96x3xi8>
  %zeroshi1 = tensor.expand_shape %zeroshi [[0], [1, 2]] output_shape [96, 3, 1] : tensor<96x3xi8> into tensor<96x3x1xi8>
  %zerosb = tensor.concat dim(2) %zeroslo1, %zeroshi1 : (tensor<96x3x1xi8>, tensor<96x3x1xi8>) -> tensor<96x3x2xi8>
  %zeros = tensor.collapse_shape %zerosb [[0], [1, 2]] : tensor<96x3x2xi8> into tensor<96x6xi8>
  %ed = tensor.empty() : tensor<96x6x64xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%codes, %s, %zeros : tensor<96x6x64xi8>, tensor<96x6xf16>, tensor<96x6xi8>) outs(%ed : tensor<96x6x64xf16>) {
  ^bb0(%a: i8, %s0: f16, %z0: i8, %o: f16):
    %ae = arith.extsi %a : i8 to i32
    %ze = arith.extsi %z0 : i8 to i32
    %d = arith.subi %ae, %ze : i32
    %f = arith.sitofp %d : i32 to f16
    %p = arith.mulf %f, %s0 : f16
    linalg.yield %p : f16
  } -> tensor<96x6x64xf16>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<96x6x64xf16> into tensor<96x384xf16>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<4x96xf32>) -> tensor<4x96xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %flat : tensor<4x384xf16>, tensor<96x384xf16>) outs(%fill : tensor<4x96xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %ae = arith.extf %a : f16 to f32
    %be = arith.extf %b : f16 to f32
    %p = arith.mulf %ae, %be : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x96xf32>
  return %r : tensor<4x96xf32>
}

func.func @bytes(%x: tensor<3x256xbf16>, %w: tensor<66x16x8xi8> {check.draw = "uniform -128 127"}, %s: tensor<66x16xbf16> {check.draw = "uniform 0.01 0.02"}, %z: tensor<66x16xi8> {check.draw = "uniform -128 127"}, %y: tensor<3x66xf32>) -> tensor<3x66xf32> {
  %c8 = arith.constant 8 : i8
  %codesc15 = arith.constant 15 : i8
  %codesc4 = arith.constant 4 : i8
  %codese = tensor.empty() : tensor<66x16x8xi8>
  %codeslo = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<66x16x8xi8>) outs(%codese : tensor<66x16x8xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.andi %a, %codesc15 : i8
    linalg.yield %q : i8
  } -> tensor<66x16x8xi8>
  %codeslo1 = tensor.expand_shape %codeslo [[0], [1], [2, 3]] output_shape [66, 16, 8, 1] : tensor<66x16x8xi8> into tensor<66x16x8x1xi8>
  %codeshi = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<66x16x8xi8>) outs(%codese : tensor<66x16x8xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.shrui %a, %codesc4 : i8
    linalg.yield %q : i8
  } -> tensor<66x16x8xi8>
  %codeshi1 = tensor.expand_shape %codeshi [[0], [1], [2, 3]] output_shape [66, 16, 8, 1] : tensor<66x16x8xi8> into tensor<66x16x8x1xi8>
  %codesb = tensor.concat dim(3) %codeslo1, %codeshi1 : (tensor<66x16x8x1xi8>, tensor<66x16x8x1xi8>) -> tensor<66x16x8x2xi8>
  %codes = tensor.collapse_shape %codesb [[0], [1], [2, 3]] : tensor<66x16x8x2xi8> into tensor<66x16x16xi8>
  %ed = tensor.empty() : tensor<66x16x16xbf16>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%codes, %s, %z : tensor<66x16x16xi8>, tensor<66x16xbf16>, tensor<66x16xi8>) outs(%ed : tensor<66x16x16xbf16>) {
  ^bb0(%a: i8, %s0: bf16, %z0: i8, %o: bf16):
    %ae = arith.extsi %a : i8 to i32
    %ze = arith.extsi %z0 : i8 to i32
    %d = arith.subi %ae, %ze : i32
    %f = arith.sitofp %d : i32 to bf16
    %p = arith.mulf %f, %s0 : bf16
    linalg.yield %p : bf16
  } -> tensor<66x16x16xbf16>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<66x16x16xbf16> into tensor<66x256xbf16>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<3x66xf32>) -> tensor<3x66xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %flat : tensor<3x256xbf16>, tensor<66x256xbf16>) outs(%fill : tensor<3x66xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %ae = arith.extf %a : bf16 to f32
    %be = arith.extf %b : bf16 to f32
    %p = arith.mulf %ae, %be : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<3x66xf32>
  return %r : tensor<3x66xf32>
}

func.func @float_zeros(%x: tensor<1x320xbf16>, %w: tensor<100x10x16xi8> {check.draw = "uniform -128 127"}, %s: tensor<100x10xbf16> {check.draw = "uniform 0.01 0.02"}, %z: tensor<100x10xbf16> {check.draw = "uniform -1 1"}, %y: tensor<1x100xf32>) -> tensor<1x100xf32> {
  %c8 = arith.constant 8 : i8
  %codesc15 = arith.constant 15 : i8
  %codesc4 = arith.constant 4 : i8
  %codese = tensor.empty() : tensor<100x10x16xi8>
  %codeslo = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<100x10x16xi8>) outs(%codese : tensor<100x10x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.andi %a, %codesc15 : i8
    linalg.yield %q : i8
  } -> tensor<100x10x16xi8>
  %codeslo1 = tensor.expand_shape %codeslo [[0], [1], [2, 3]] output_shape [100, 10, 16, 1] : tensor<100x10x16xi8> into tensor<100x10x16x1xi8>
  %codeshi = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<100x10x16xi8>) outs(%codese : tensor<100x10x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.shrui %a, %codesc4 : i8
    linalg.yield %q : i8
  } -> tensor<100x10x16xi8>
  %codeshi1 = tensor.expand_shape %codeshi [[0], [1], [2, 3]] output_shape [100, 10, 16, 1] : tensor<100x10x16xi8> into tensor<100x10x16x1xi8>
  %codesb = tensor.concat dim(3) %codeslo1, %codeshi1 : (tensor<100x10x16x1xi8>, tensor<100x10x16x1xi8>) -> tensor<100x10x16x2xi8>
  %codes = tensor.collapse_shape %codesb [[0], [1], [2, 3]] : tensor<100x10x16x2xi8> into tensor<100x10x32xi8>
  %ed = tensor.empty() : tensor<100x10x32xbf16>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%codes, %s, %z : tensor<100x10x32xi8>, tensor<100x10xbf16>, tensor<100x10xbf16>) outs(%ed : tensor<100x10x32xbf16>) {
  ^bb0(%a: i8, %s0: bf16, %z0: bf16, %o: bf16):
    %d = arith.subi %a, %c8 : i8
    %f = arith.sitofp %d : i8 to bf16
    %p0 = arith.mulf %f, %s0 : bf16
    %p = arith.addf %p0, %z0 : bf16
    linalg.yield %p : bf16
  } -> tensor<100x10x32xbf16>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<100x10x32xbf16> into tensor<100x320xbf16>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<1x100xf32>) -> tensor<1x100xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %flat : tensor<1x320xbf16>, tensor<100x320xbf16>) outs(%fill : tensor<1x100xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %ae = arith.extf %a : bf16 to f32
    %be = arith.extf %b : bf16 to f32
    %p = arith.mulf %ae, %be : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<1x100xf32>
  return %r : tensor<1x100xf32>
}

func.func @by_rows(%x: tensor<8x128xf16>, %w: tensor<4x32x40xi8> {check.draw = "uniform -128 127"}, %s: tensor<4x80xf16> {check.draw = "uniform 0.01 0.02"}, %z: tensor<4x40xi8> {check.draw = "uniform -128 127"}, %y: tensor<8x80xf32>) -> tensor<8x80xf32> {
  %c8 = arith.constant 8 : i8
  %codesc15 = arith.constant 15 : i8
  %codesc4 = arith.constant 4 : i8
  %codese = tensor.empty() : tensor<4x32x40xi8>
  %codeslo = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<4x32x40xi8>) outs(%codese : tensor<4x32x40xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.andi %a, %codesc15 : i8
    linalg.yield %q : i8
  } -> tensor<4x32x40xi8>
  %codeslo1 = tensor.expand_shape %codeslo [[0], [1], [2, 3]] output_shape [4, 32, 40, 1] : tensor<4x32x40xi8> into tensor<4x32x40x1xi8>
  %codeshi = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<4x32x40xi8>) outs(%codese : tensor<4x32x40xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.shrui %a, %codesc4 : i8
    linalg.yield %q : i8
  } -> tensor<4x32x40xi8>
  %codeshi1 = tensor.expand_shape %codeshi [[0], [1], [2, 3]] output_shape [4, 32, 40, 1] : tensor<4x32x40xi8> into tensor<4x32x40x1xi8>
  %codesb = tensor.concat dim(3) %codeslo1, %codeshi1 : (tensor<4x32x40x1xi8>, tensor<4x32x40x1xi8>) -> tensor<4x32x40x2xi8>
  %codes = tensor.collapse_shape %codesb [[0], [1], [2, 3]] : tensor<4x32x40x2xi8> into tensor<4x32x80xi8>
  %zerosc15 = arith.constant 15 : i8
  %zerosc4 = arith.constant 4 : i8
  %zerose = tensor.empty() : tensor<4x40xi8>
  %zeroslo = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<4x40xi8>) outs(%zerose : tensor<4x40xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.andi %a, %zerosc15 : i8
    linalg.yield %q : i8
  } -> tensor<4x40xi8>
  %zeroslo1 = tensor.expand_shape %zeroslo [[0], [1, 2]] output_shape [4, 40, 1] : tensor<4x40xi8> into tensor<4x40x1xi8>
  %zeroshi = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<4x40xi8>) outs(%zerose : tensor<4x40xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.shrui %a, %zerosc4 : i8
    linalg.yield %q : i8
  } -> tensor<4x40xi8>
  %zeroshi1 = tensor.expand_shape %zeroshi [[0], [1, 2]] output_shape [4, 40, 1] : tensor<4x40xi8> into tensor<4x40x1xi8>
  %zerosb = tensor.concat dim(2) %zeroslo1, %zeroshi1 : (tensor<4x40x1xi8>, tensor<4x40x1xi8>) -> tensor<4x40x2xi8>
  %zeros = tensor.collapse_shape %zerosb [[0], [1, 2]] : tensor<4x40x2xi8> into tensor<4x80xi8>
  %ed = tensor.empty() : tensor<4x32x80xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(g, k, n) -> (g, k, n)>, affine_map<(g, k, n) -> (g, n)>, affine_map<(g, k, n) -> (g, n)>, affine_map<(g, k, n) -> (g, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%codes, %s, %zeros : tensor<4x32x80xi8>, tensor<4x80xf16>, tensor<4x80xi8>) outs(%ed : tensor<4x32x80xf16>) {
  ^bb0(%a: i8, %s0: f16, %z0: i8, %o: f16):
    %ae = arith.extsi %a : i8 to i32
    %ze = arith.extsi %z0 : i8 to i32
    %d = arith.subi %ae, %ze : i32
    %f = arith.sitofp %d : i32 to f16
    %p = arith.mulf %f, %s0 : f16
    linalg.yield %p : f16
  } -> tensor<4x32x80xf16>
  %flat = tensor.collapse_shape %d [[0, 1], [2]] : tensor<4x32x80xf16> into tensor<128x80xf16>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<8x80xf32>) -> tensor<8x80xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %flat : tensor<8x128xf16>, tensor<128x80xf16>) outs(%fill : tensor<8x80xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %ae = arith.extf %a : f16 to f32
    %be = arith.extf %b : f16 to f32
    %p = arith.mulf %ae, %be : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<8x80xf32>
  return %r : tensor<8x80xf32>
}

func.func @by_rows_of_8_bits(%x: tensor<2x60xf32>, %w: tensor<3x20x96xi8> {check.draw = "uniform -128 127"}, %s: tensor<3x96xf32> {check.draw = "uniform 0.01 0.02"}, %z: tensor<3x96xi8> {check.draw = "uniform -128 127"}, %y: tensor<2x96xf32>) -> tensor<2x96xf32> {
  %c8 = arith.constant 8 : i8
  %ed = tensor.empty() : tensor<3x20x96xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(g, k, n) -> (g, k, n)>, affine_map<(g, k, n) -> (g, n)>, affine_map<(g, k, n) -> (g, n)>, affine_map<(g, k, n) -> (g, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %s, %z : tensor<3x20x96xi8>, tensor<3x96xf32>, tensor<3x96xi8>) outs(%ed : tensor<3x20x96xf32>) {
  ^bb0(%a: i8, %s0: f32, %z0: i8, %o: f32):
    %ae = arith.extsi %a : i8 to i32
    %ze = arith.extsi %z0 : i8 to i32
    %d = arith.subi %ae, %ze : i32
    %f = arith.sitofp %d : i32 to f32
    %p = arith.mulf %f, %s0 : f32
    linalg.yield %p : f32
  } -> tensor<3x20x96xf32>
  %flat = tensor.collapse_shape %d [[0, 1], [2]] : tensor<3x20x96xf32> into tensor<60x96xf32>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<2x96xf32>) -> tensor<2x96xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %flat : tensor<2x60xf32>, tensor<60x96xf32>) outs(%fill : tensor<2x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<2x96xf32>
  return %r : tensor<2x96xf32>
}

func.func @of_8_bits(%x: tensor<2x192xf32>, %w: tensor<64x4x48xi8> {check.draw = "uniform -128 127"}, %s: tensor<64x4xf32> {check.draw = "uniform 0.01 0.02"}, %z: tensor<64x4xi8> {check.draw = "uniform -128 127"}, %y: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %c8 = arith.constant 8 : i8
  %ed = tensor.empty() : tensor<64x4x48xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %s, %z : tensor<64x4x48xi8>, tensor<64x4xf32>, tensor<64x4xi8>) outs(%ed : tensor<64x4x48xf32>) {
  ^bb0(%a: i8, %s0: f32, %z0: i8, %o: f32):
    %ae = arith.extsi %a : i8 to i32
    %ze = arith.extsi %z0 : i8 to i32
    %d = arith.subi %ae, %ze : i32
    %f = arith.sitofp %d : i32 to f32
    %p = arith.mulf %f, %s0 : f32
    linalg.yield %p : f32
  } -> tensor<64x4x48xf32>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<64x4x48xf32> into tensor<64x192xf32>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %flat : tensor<2x192xf32>, tensor<64x192xf32>) outs(%fill : tensor<2x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<2x64xf32>
  return %r : tensor<2x64xf32>
}

func.func @many_rows(%x: tensor<19x192xf16>, %w: tensor<75x6x16xi8> {check.draw = "uniform -128 127"}, %s: tensor<75x6xf16> {check.draw = "uniform 0.01 0.02"}, %z: tensor<75x3xi8> {check.draw = "uniform -128 127"}, %y: tensor<19x75xf32>) -> tensor<19x75xf32> {
  %c8 = arith.constant 8 : i8
  %codesc15 = arith.constant 15 : i8
  %codesc4 = arith.constant 4 : i8
  %codese = tensor.empty() : tensor<75x6x16xi8>
  %codeslo = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<75x6x16xi8>) outs(%codese : tensor<75x6x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.andi %a, %codesc15 : i8
    linalg.yield %q : i8
  } -> tensor<75x6x16xi8>
  %codeslo1 = tensor.expand_shape %codeslo [[0], [1], [2, 3]] output_shape [75, 6, 16, 1] : tensor<75x6x16xi8> into tensor<75x6x16x1xi8>
  %codeshi = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<75x6x16xi8>) outs(%codese : tensor<75x6x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.shrui %a, %codesc4 : i8
    linalg.yield %q : i8
  } -> tensor<75x6x16xi8>
  %codeshi1 = tensor.expand_shape %codeshi [[0], [1], [2, 3]] output_shape [75, 6, 16, 1] : tensor<75x6x16xi8> into tensor<75x6x16x1xi8>
  %codesb = tensor.concat dim(3) %codeslo1, %codeshi1 : (tensor<75x6x16x1xi8>, tensor<75x6x16x1xi8>) -> tensor<75x6x16x2xi8>
  %codes = tensor.collapse_shape %codesb [[0], [1], [2, 3]] : tensor<75x6x16x2xi8> into tensor<75x6x32xi8>
  %zerosc15 = arith.constant 15 : i8
  %zerosc4 = arith.constant 4 : i8
  %zerose = tensor.empty() : tensor<75x3xi8>
  %zeroslo = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<75x3xi8>) outs(%zerose : tensor<75x3xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.andi %a, %zerosc15 : i8
    linalg.yield %q : i8
  } -> tensor<75x3xi8>
  %zeroslo1 = tensor.expand_shape %zeroslo [[0], [1, 2]] output_shape [75, 3, 1] : tensor<75x3xi8> into tensor<75x3x1xi8>
  %zeroshi = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<75x3xi8>) outs(%zerose : tensor<75x3xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.shrui %a, %zerosc4 : i8
    linalg.yield %q : i8
  } -> tensor<75x3xi8>
  %zeroshi1 = tensor.expand_shape %zeroshi [[0], [1, 2]] output_shape [75, 3, 1] : tensor<75x3xi8> into tensor<75x3x1xi8>
  %zerosb = tensor.concat dim(2) %zeroslo1, %zeroshi1 : (tensor<75x3x1xi8>, tensor<75x3x1xi8>) -> tensor<75x3x2xi8>
  %zeros = tensor.collapse_shape %zerosb [[0], [1, 2]] : tensor<75x3x2xi8> into tensor<75x6xi8>
  %ed = tensor.empty() : tensor<75x6x32xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%codes, %s, %zeros : tensor<75x6x32xi8>, tensor<75x6xf16>, tensor<75x6xi8>) outs(%ed : tensor<75x6x32xf16>) {
  ^bb0(%a: i8, %s0: f16, %z0: i8, %o: f16):
    %ae = arith.extsi %a : i8 to i32
    %ze = arith.extsi %z0 : i8 to i32
    %d = arith.subi %ae, %ze : i32
    %f = arith.sitofp %d : i32 to f16
    %p = arith.mulf %f, %s0 : f16
    linalg.yield %p : f16
  } -> tensor<75x6x32xf16>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<75x6x32xf16> into tensor<75x192xf16>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<19x75xf32>) -> tensor<19x75xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %flat : tensor<19x192xf16>, tensor<75x192xf16>) outs(%fill : tensor<19x75xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %ae = arith.extf %a : f16 to f32
    %be = arith.extf %b : f16 to f32
    %p = arith.mulf %ae, %be : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<19x75xf32>
  return %r : tensor<19x75xf32>
}

func.func @many_rows_float_zeros(%x: tensor<40x96xbf16>, %w: tensor<3x32x40xi8> {check.draw = "uniform -128 127"}, %s: tensor<3x80xbf16> {check.draw = "uniform 0.01 0.02"}, %z: tensor<3x80xbf16> {check.draw = "uniform -1 1"}, %y: tensor<40x80xf32>) -> tensor<40x80xf32> {
  %c8 = arith.constant 8 : i8
  %codesc15 = arith.constant 15 : i8
  %codesc4 = arith.constant 4 : i8
  %codese = tensor.empty() : tensor<3x32x40xi8>
  %codeslo = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<3x32x40xi8>) outs(%codese : tensor<3x32x40xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.andi %a, %codesc15 : i8
    linalg.yield %q : i8
  } -> tensor<3x32x40xi8>
  %codeslo1 = tensor.expand_shape %codeslo [[0], [1], [2, 3]] output_shape [3, 32, 40, 1] : tensor<3x32x40xi8> into tensor<3x32x40x1xi8>
  %codeshi = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<3x32x40xi8>) outs(%codese : tensor<3x32x40xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.shrui %a, %codesc4 : i8
    linalg.yield %q : i8
  } -> tensor<3x32x40xi8>
  %codeshi1 = tensor.expand_shape %codeshi [[0], [1], [2, 3]] output_shape [3, 32, 40, 1] : tensor<3x32x40xi8> into tensor<3x32x40x1xi8>
  %codesb = tensor.concat dim(3) %codeslo1, %codeshi1 : (tensor<3x32x40x1xi8>, tensor<3x32x40x1xi8>) -> tensor<3x32x40x2xi8>
  %codes = tensor.collapse_shape %codesb [[0], [1], [2, 3]] : tensor<3x32x40x2xi8> into tensor<3x32x80xi8>
  %ed = tensor.empty() : tensor<3x32x80xbf16>
  %d = linalg.generic {indexing_maps = [affine_map<(g, k, n) -> (g, k, n)>, affine_map<(g, k, n) -> (g, n)>, affine_map<(g, k, n) -> (g, n)>, affine_map<(g, k, n) -> (g, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%codes, %s, %z : tensor<3x32x80xi8>, tensor<3x80xbf16>, tensor<3x80xbf16>) outs(%ed : tensor<3x32x80xbf16>) {
  ^bb0(%a: i8, %s0: bf16, %z0: bf16, %o: bf16):
    %d = arith.subi %a, %c8 : i8
    %f = arith.sitofp %d : i8 to bf16
    %p0 = arith.mulf %f, %s0 : bf16
    %p = arith.addf %p0, %z0 : bf16
    linalg.yield %p : bf16
  } -> tensor<3x32x80xbf16>
  %flat = tensor.collapse_shape %d [[0, 1], [2]] : tensor<3x32x80xbf16> into tensor<96x80xbf16>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<40x80xf32>) -> tensor<40x80xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %flat : tensor<40x96xbf16>, tensor<96x80xbf16>) outs(%fill : tensor<40x80xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %ae = arith.extf %a : bf16 to f32
    %be = arith.extf %b : bf16 to f32
    %p = arith.mulf %ae, %be : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<40x80xf32>
  return %r : tensor<40x80xf32>
}

func.func @no_scale(%x: tensor<1x128xf32>, %w: tensor<64x4x16xi8> {check.draw = "uniform -128 127"}, %s: tensor<64x4xf32> {check.draw = "uniform 0 0"}, %z: tensor<64x4xi8> {check.draw = "uniform 0 15"}, %y: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %c8 = arith.constant 8 : i8
  %codesc15 = arith.constant 15 : i8
  %codesc4 = arith.constant 4 : i8
  %codese = tensor.empty() : tensor<64x4x16xi8>
  %codeslo = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<64x4x16xi8>) outs(%codese : tensor<64x4x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.andi %a, %codesc15 : i8
    linalg.yield %q : i8
  } -> tensor<64x4x16xi8>
  %codeslo1 = tensor.expand_shape %codeslo [[0], [1], [2, 3]] output_shape [64, 4, 16, 1] : tensor<64x4x16xi8> into tensor<64x4x16x1xi8>
  %codeshi = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<64x4x16xi8>) outs(%codese : tensor<64x4x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %q = arith.shrui %a, %codesc4 : i8
    linalg.yield %q : i8
  } -> tensor<64x4x16xi8>
  %codeshi1 = tensor.expand_shape %codeshi [[0], [1], [2, 3]] output_shape [64, 4, 16, 1] : tensor<64x4x16xi8> into tensor<64x4x16x1xi8>
  %codesb = tensor.concat dim(3) %codeslo1, %codeshi1 : (tensor<64x4x16x1xi8>, tensor<64x4x16x1xi8>) -> tensor<64x4x16x2xi8>
  %codes = tensor.collapse_shape %codesb [[0], [1], [2, 3]] : tensor<64x4x16x2xi8> into tensor<64x4x32xi8>
  %ed = tensor.empty() : tensor<64x4x32xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, k) -> (n, g, k)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g)>, affine_map<(n, g, k) -> (n, g, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%codes, %s, %z : tensor<64x4x32xi8>, tensor<64x4xf32>, tensor<64x4xi8>) outs(%ed : tensor<64x4x32xf32>) {
  ^bb0(%a: i8, %s0: f32, %z0: i8, %o: f32):
    %ae = arith.extsi %a : i8 to i32
    %ze = arith.extsi %z0 : i8 to i32
    %d = arith.subi %ae, %ze : i32
    %f = arith.sitofp %d : i32 to f32
    %p = arith.mulf %f, %s0 : f32
    linalg.yield %p : f32
  } -> tensor<64x4x32xf32>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<64x4x32xf32> into tensor<64x128xf32>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<1x64xf32>) -> tensor<1x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %flat : tensor<1x128xf32>, tensor<64x128xf32>) outs(%fill : tensor<1x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<1x64xf32>
  return %r : tensor<1x64xf32>
}

// No weights, but a tensor less its means, which are as large: nothing leaves the sum.

func.func @means(%x: tensor<64x256xf32> {check.draw = "uniform 100000 100001"}, %mean: tensor<64xf32> {check.draw = "uniform 100000 100001"}, %w: tensor<256xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>, affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m)>], iterator_types = ["parallel", "reduction"]} ins(%x, %mean, %w : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) outs(%i : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %p = arith.mulf %d, %c : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
