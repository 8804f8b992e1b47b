// Weights of 4 bits with the scale and the zero point of a group side by side in one tensor
// [groups, columns, 2] of bf16 (torchao): code - 8, times the scale, plus the zero point.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4096 --max-kernels=1
// Groups of 128, which are read as words where AVX-512 looks up the numbers.
// RUN: sed 's/4x80/2x80/g; s/4, 80/2, 80/g; s/80x4x64/80x2x128/g; s/80, 4, 64/80, 2, 128/' %s | linalg-ext-check-program - --targets=cpu --max-buffer-bytes=4096
// RUN: %if avx512 %{ sed 's/4x80/2x80/g; s/4, 80/2, 80/g; s/80x4x64/80x2x128/g; s/80, 4, 64/80, 2, 128/' %s | linalg-ext-check-program - --targets=cpu --max-buffer-bytes=8192 --cpu-options=cpu=avx512 %}


#id3 = affine_map<(n, g, s) -> (n, g, s)>
#id2 = affine_map<(a, b) -> (a, b)>
func.func @tinygemm(%x: tensor<3x256xbf16>, %w: tensor<80x128xi8> {check.draw = "uniform -128 127"},
                    %sz: tensor<4x80x2xbf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<3x80xbf16> {
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %c8 = arith.constant 8 : i8
  %cst = arith.constant 0.0 : f32
  %eb = tensor.empty() : tensor<80x128xi8>
  %hi = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<80x128xi8>) outs(%eb : tensor<80x128xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = arith.shrui %a, %c4 : i8
    linalg.yield %0 : i8
  } -> tensor<80x128xi8>
  %lo = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<80x128xi8>) outs(%eb : tensor<80x128xi8>) {
  ^bb0(%a: i8, %o: i8):
    %0 = arith.andi %a, %c15 : i8
    linalg.yield %0 : i8
  } -> tensor<80x128xi8>
  // The even one is in the upper half.
  %h1 = tensor.expand_shape %hi [[0], [1, 2]] output_shape [80, 128, 1] : tensor<80x128xi8> into tensor<80x128x1xi8>
  %l1 = tensor.expand_shape %lo [[0], [1, 2]] output_shape [80, 128, 1] : tensor<80x128xi8> into tensor<80x128x1xi8>
  %both = tensor.concat dim(2) %h1, %l1 : (tensor<80x128x1xi8>, tensor<80x128x1xi8>) -> tensor<80x128x2xi8>
  %codes = tensor.collapse_shape %both [[0], [1, 2]] : tensor<80x128x2xi8> into tensor<80x256xi8>
  %groups = tensor.expand_shape %codes [[0], [1, 2]] output_shape [80, 4, 64] : tensor<80x256xi8> into tensor<80x4x64xi8>
  %s2 = tensor.extract_slice %sz[0, 0, 0] [4, 80, 1] [1, 1, 1] : tensor<4x80x2xbf16> to tensor<4x80xbf16>
  %z2 = tensor.extract_slice %sz[0, 0, 1] [4, 80, 1] [1, 1, 1] : tensor<4x80x2xbf16> to tensor<4x80xbf16>
  %e = tensor.empty() : tensor<80x4x64xbf16>
  %d = linalg.generic {indexing_maps = [#id3, affine_map<(n, g, s) -> (g, n)>, affine_map<(n, g, s) -> (g, n)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%groups, %s2, %z2 : tensor<80x4x64xi8>, tensor<4x80xbf16>, tensor<4x80xbf16>) outs(%e : tensor<80x4x64xbf16>) {
  ^bb0(%c: i8, %s: bf16, %z: bf16, %o: bf16):
    %0 = arith.subi %c, %c8 : i8
    %1 = arith.sitofp %0 : i8 to bf16
    %2 = arith.mulf %1, %s : bf16
    %3 = arith.addf %2, %z : bf16
    linalg.yield %3 : bf16
  } -> tensor<80x4x64xbf16>
  %flat = tensor.collapse_shape %d [[0], [1, 2]] : tensor<80x4x64xbf16> into tensor<80x256xbf16>
  %ey = tensor.empty() : tensor<3x80xf32>
  %fill = linalg.fill ins(%cst : f32) outs(%ey : tensor<3x80xf32>) -> tensor<3x80xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %flat : tensor<3x256xbf16>, tensor<80x256xbf16>) outs(%fill : tensor<3x80xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<3x80xf32>
  %er = tensor.empty() : tensor<3x80xbf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<3x80xf32>) outs(%er : tensor<3x80xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %0 = arith.truncf %a : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<3x80xbf16>
  return %r : tensor<3x80xbf16>
}
