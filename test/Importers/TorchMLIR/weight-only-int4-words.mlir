// Weights of 4 bits, eight to a word of 32 along what is summed: words are broadcast and
// shifted by a constant tensor. Zero points are packed along the columns in the same way,
// and are one less than what they mean: an op in front unpacks them. Groups of 32 have a
// scale for each column. Few rows, and many.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4096 --max-kernels=2 --cpu-options='l1-bytes=1024 l2-bytes=1024'
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=1280 --max-kernels=2 --gpu-options=chip=gfx942
// RUN: sed 's/<5x/<37x/g' %s | linalg-ext-check-program - --max-buffer-bytes=9600 --max-kernels=2 --cpu-options='l1-bytes=1024 l2-bytes=1024'

#words = affine_map<(d0, d1, d2) -> (d0, d2)>
#shifts = affine_map<(d0, d1, d2) -> (d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#zwords = affine_map<(d0, d1, d2) -> (d0, d1)>
#zshifts = affine_map<(d0, d1, d2) -> (d2)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#group = affine_map<(d0, d1, d2) -> (d0, d2)>

func.func @gptq(%x: tensor<5x128xf16>, %w: tensor<16x80xi32> {check.draw = "uniform -2147483648 2147483647"},
                %z: tensor<4x10xi32> {check.draw = "uniform -2147483648 2147483647"},
                %scale: tensor<4x80xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<5x80xf32> {
  %c15 = arith.constant 15 : i32
  %c1 = arith.constant 1 : i32
  %cst = arith.constant 0.0 : f32
  %shift = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %0 = tensor.empty() : tensor<16x8x80xi32>
  %1 = linalg.generic {indexing_maps = [#words, #shifts, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %shift : tensor<16x80xi32>, tensor<8xi32>) outs(%0 : tensor<16x8x80xi32>) {
  ^bb0(%in: i32, %s: i32, %out: i32):
    %a = arith.shrsi %in, %s : i32
    linalg.yield %a : i32
  } -> tensor<16x8x80xi32>
  %2 = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%1 : tensor<16x8x80xi32>) outs(%0 : tensor<16x8x80xi32>) {
  ^bb0(%in: i32, %out: i32):
    %a = arith.andi %in, %c15 : i32
    linalg.yield %a : i32
  } -> tensor<16x8x80xi32>
  %3 = tensor.collapse_shape %2 [[0, 1], [2]] : tensor<16x8x80xi32> into tensor<128x80xi32>
  %4 = tensor.expand_shape %3 [[0, 1], [2]] output_shape [4, 32, 80] : tensor<128x80xi32> into tensor<4x32x80xi32>
  %5 = tensor.empty() : tensor<4x10x8xi32>
  %6 = linalg.generic {indexing_maps = [#zwords, #zshifts, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%z, %shift : tensor<4x10xi32>, tensor<8xi32>) outs(%5 : tensor<4x10x8xi32>) {
  ^bb0(%in: i32, %s: i32, %out: i32):
    %a = arith.shrsi %in, %s : i32
    %b = arith.andi %a, %c15 : i32
    %c = arith.addi %b, %c1 : i32
    linalg.yield %c : i32
  } -> tensor<4x10x8xi32>
  %7 = tensor.collapse_shape %6 [[0], [1, 2]] : tensor<4x10x8xi32> into tensor<4x80xi32>
  %8 = tensor.empty() : tensor<4x32x80xi32>
  %9 = linalg.generic {indexing_maps = [#id3, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%4, %7 : tensor<4x32x80xi32>, tensor<4x80xi32>) outs(%8 : tensor<4x32x80xi32>) {
  ^bb0(%in: i32, %s: i32, %out: i32):
    %a = arith.subi %in, %s : i32
    linalg.yield %a : i32
  } -> tensor<4x32x80xi32>
  %10 = tensor.empty() : tensor<4x32x80xf16>
  %11 = linalg.generic {indexing_maps = [#id3, #group, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%9, %scale : tensor<4x32x80xi32>, tensor<4x80xf16>) outs(%10 : tensor<4x32x80xf16>) {
  ^bb0(%in: i32, %s: f16, %out: f16):
    %a = arith.sitofp %in : i32 to f16
    %b = arith.mulf %a, %s : f16
    linalg.yield %b : f16
  } -> tensor<4x32x80xf16>
  %12 = tensor.collapse_shape %11 [[0, 1], [2]] : tensor<4x32x80xf16> into tensor<128x80xf16>
  %13 = tensor.empty() : tensor<5x80xf32>
  %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<5x80xf32>) -> tensor<5x80xf32>
  %15 = linalg.matmul ins(%x, %12 : tensor<5x128xf16>, tensor<128x80xf16>) outs(%14 : tensor<5x80xf32>) -> tensor<5x80xf32>
  return %15 : tensor<5x80xf32>
}
