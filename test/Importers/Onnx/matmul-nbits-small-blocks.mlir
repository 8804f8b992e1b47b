// A linear layer with weights of 4 bits in blocks of 32 (MatMulNBits): two to a byte, by columns, a
// scale for each block in one row of scales, and the zero point 8 for all of them. Activations are
// f16; the product is of f32. Few rows, as a decoder has.

// On a CPU with AVX-512, a vector has words of four blocks, which four scales multiply. Three rows,
// one row with activations of bf16, and blocks of 64.
// RUN: linalg-ext-check-program %s --max-buffer-bytes=5120 --max-kernels=1 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: %if avx512 %{ linalg-ext-check-program %s --max-buffer-bytes=5120 --targets=cpu --cpu-options=cpu=avx512 %}
// RUN: %if avx512 %{ sed 's/<3x/<1x/g; s/f16/bf16/g' %s | linalg-ext-check-program - --max-buffer-bytes=5120 --targets=cpu --cpu-options=cpu=avx512 %}
// RUN: %if avx512 %{ sed 's/75x8x/75x4x/g; s/x32x/x64x/g; s/x16x/x32x/g; s/\[75, 8, 16, 1\]/[75, 4, 32, 1]/; s/\[75, 8\]/[75, 4]/; s/tensor<600xf32>/tensor<300xf32>/g' %s | linalg-ext-check-program - --max-buffer-bytes=5120 --targets=cpu --cpu-options=cpu=avx512 %}

// A scale that is also subtracted does not multiply the sum of the products of a word.
// RUN: %if avx512 %{ sed 's/^    %2 = arith.mulf %1, %b/    %d = arith.subf %1, %b : f32\n    %2 = arith.mulf %d, %b/' %s | linalg-ext-check-program - --targets=cpu --cpu-options=cpu=avx512 %}

#id3 = affine_map<(n, g, k) -> (n, g, k)>
#block = affine_map<(n, g, k) -> (n, g)>
func.func @blocks(%x: tensor<3x256xf16>, %w: tensor<75x8x16xi8> {check.draw = "uniform -128 127"},
                  %s: tensor<600xf32> {check.draw = "uniform 0.01 0.02"}) -> tensor<3x75xf32> {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %c8 = arith.constant 8 : i8
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<75x8x16xi8>
  %lo = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<75x8x16xi8>) outs(%e : tensor<75x8x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = arith.andi %a, %c15 : i8
    linalg.yield %0 : i8
  } -> tensor<75x8x16xi8>
  %hi = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<75x8x16xi8>) outs(%e : tensor<75x8x16xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = arith.shrui %a, %c4 : i8
    linalg.yield %0 : i8
  } -> tensor<75x8x16xi8>
  %lo1 = tensor.expand_shape %lo [[0], [1], [2, 3]] output_shape [75, 8, 16, 1] : tensor<75x8x16xi8> into tensor<75x8x16x1xi8>
  %hi1 = tensor.expand_shape %hi [[0], [1], [2, 3]] output_shape [75, 8, 16, 1] : tensor<75x8x16xi8> into tensor<75x8x16x1xi8>
  %both = tensor.concat dim(3) %lo1, %hi1 : (tensor<75x8x16x1xi8>, tensor<75x8x16x1xi8>) -> tensor<75x8x16x2xi8>
  %codes = tensor.collapse_shape %both [[0], [1], [2, 3]] : tensor<75x8x16x2xi8> into tensor<75x8x32xi8>
  %scales = tensor.expand_shape %s [[0, 1]] output_shape [75, 8] : tensor<600xf32> into tensor<75x8xf32>
  %ew = tensor.empty() : tensor<75x8x32xf32>
  %d = linalg.generic {indexing_maps = [#id3, #block, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%codes, %scales : tensor<75x8x32xi8>, tensor<75x8xf32>) outs(%ew : tensor<75x8x32xf32>) {
  ^bb0(%a: i8, %b: f32, %o: f32):
    %0 = arith.subi %a, %c8 : i8
    %1 = arith.sitofp %0 : i8 to f32
    %2 = arith.mulf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<75x8x32xf32>
  %wide = tensor.collapse_shape %d [[0], [1, 2]] : tensor<75x8x32xf32> into tensor<75x256xf32>
  %et = tensor.empty() : tensor<256x75xf32>
  %t = linalg.transpose ins(%wide : tensor<75x256xf32>) outs(%et : tensor<256x75xf32>) permutation = [1, 0]
  %ex = tensor.empty() : tensor<3x256xf32>
  %xw = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x256xf16>) outs(%ex : tensor<3x256xf32>) {
  ^bb0(%a: f16, %o: f32):
    %0 = arith.extf %a : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<3x256xf32>
  %ey = tensor.empty() : tensor<3x75xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ey : tensor<3x75xf32>) -> tensor<3x75xf32>
  %y = linalg.matmul ins(%xw, %t : tensor<3x256xf32>, tensor<256x75xf32>) outs(%f : tensor<3x75xf32>) -> tensor<3x75xf32>
  return %y : tensor<3x75xf32>
}
