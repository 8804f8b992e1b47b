// A product with weights [N, K] of 4 bits in blocks of 24, and one of 40, with a scale and a zero
// point of 8 bits for each block, which 32-bit integers subtract (DequantizeLinear with a block
// size). No tile of 2^n sums has whole blocks: tiles of sums are multiples of a block and of what
// an instruction sums. 11 blocks are no whole number of tiles, and the last tile has 24 sums, a
// part of two instructions.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=gfx942
// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json --report=all 2>&1 | FileCheck %s
// CHECK-NOT: falls back
// CHECK: @blocks: 1 kernel
// CHECK-NOT: falls back

// 20 rows, and one; ten blocks, which are whole tiles; blocks of 40, 56 and 96.
// RUN: sed 's/<3x/<20x/g' %s | linalg-ext-check-program - --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a
// RUN: sed 's/<3x/<1x/g; s/264/240/g; s/132/120/g; s/75x11x/75x10x/g; s/11, 24/10, 24/' %s | linalg-ext-check-program - --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a
// RUN: sed 's/264/440/g; s/132/220/g; s/x24x/x40x/g; s/11, 24/11, 40/' %s | linalg-ext-check-program - --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a
// RUN: sed 's/264/616/g; s/132/308/g; s/x24x/x56x/g; s/11, 24/11, 56/' %s | linalg-ext-check-program - --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a
// RUN: sed 's/264/1056/g; s/132/528/g; s/x24x/x96x/g; s/11, 24/11, 96/' %s | linalg-ext-check-program - --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#block = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @blocks(%x: tensor<3x264xf16>, %w: tensor<75x132xi8> {check.draw = "uniform -128 127"},
                  %s: tensor<75x11xf16> {check.draw = "uniform 0.01 0.02"},
                  %z: tensor<75x11xi8> {check.draw = "uniform -128 127"}) -> tensor<3x75xf16> {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<75x132xi8>
  %lo = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<75x132xi8>) outs(%e : tensor<75x132xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = arith.andi %a, %c15 : i8
    linalg.yield %0 : i8
  } -> tensor<75x132xi8>
  %hi = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<75x132xi8>) outs(%e : tensor<75x132xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = arith.shrui %a, %c4 : i8
    linalg.yield %0 : i8
  } -> tensor<75x132xi8>
  %lo1 = tensor.expand_shape %lo [[0], [1, 2]] output_shape [75, 132, 1] : tensor<75x132xi8> into tensor<75x132x1xi8>
  %hi1 = tensor.expand_shape %hi [[0], [1, 2]] output_shape [75, 132, 1] : tensor<75x132xi8> into tensor<75x132x1xi8>
  %both = tensor.concat dim(2) %lo1, %hi1 : (tensor<75x132x1xi8>, tensor<75x132x1xi8>) -> tensor<75x132x2xi8>
  %codes = tensor.collapse_shape %both [[0], [1, 2]] : tensor<75x132x2xi8> into tensor<75x264xi8>
  %split = tensor.expand_shape %codes [[0], [1, 2]] output_shape [75, 11, 24] : tensor<75x264xi8> into tensor<75x11x24xi8>
  %ew = tensor.empty() : tensor<75x11x24xf16>
  %d = linalg.generic {indexing_maps = [#id3, #block, #block, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%split, %s, %z : tensor<75x11x24xi8>, tensor<75x11xf16>, tensor<75x11xi8>) outs(%ew : tensor<75x11x24xf16>) {
  ^bb0(%q: i8, %scale: f16, %point: i8, %o: f16):
    %0 = arith.extui %q : i8 to i32
    %1 = arith.extsi %point : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.sitofp %2 : i32 to f16
    %4 = arith.mulf %3, %scale : f16
    linalg.yield %4 : f16
  } -> tensor<75x11x24xf16>
  %wide = tensor.collapse_shape %d [[0], [1, 2]] : tensor<75x11x24xf16> into tensor<75x264xf16>
  %et = tensor.empty() : tensor<264x75xf16>
  %t = linalg.transpose ins(%wide : tensor<75x264xf16>) outs(%et : tensor<264x75xf16>) permutation = [1, 0]
  %ey = tensor.empty() : tensor<3x75xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ey : tensor<3x75xf32>) -> tensor<3x75xf32>
  %p = linalg.matmul ins(%x, %t : tensor<3x264xf16>, tensor<264x75xf16>) outs(%f : tensor<3x75xf32>) -> tensor<3x75xf32>
  %er = tensor.empty() : tensor<3x75xf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<3x75xf32>) outs(%er : tensor<3x75xf16>) {
  ^bb0(%a: f32, %o: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<3x75xf16>
  return %r : tensor<3x75xf16>
}
