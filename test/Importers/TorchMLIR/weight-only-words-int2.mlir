// Words of 32 bits with 16 integers of 2 bits. A tile has as many columns as a word of zero
// points, so that each part of the sum reads single words.

// RUN: linalg-ext-check-program %s --sizes=5x256,-,-,- --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-check-program %s --sizes=5x256,-,-,- --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --sizes=1x256,-,-,- --targets=gpu --max-kernels=1 --max-buffer-bytes=0

func.func @int2(%x: tensor<?x256xbf16>, %w: tensor<16x176xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<2x176xbf16> {check.draw = "uniform 0.01 0.02"}, %z: tensor<2x11xi32> {check.draw = "uniform -2147483648 2147483647"}) -> tensor<?x176xf32> {
  %t1 = arith.constant dense<[0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]> : tensor<16xi32>
  %t2 = arith.constant 3 : i8
  %t3 = arith.constant 1 : i8
  %t4 = tensor.empty() : tensor<16x16x176xi8>
  %t5 = linalg.generic {indexing_maps = [affine_map<(a,b,c) -> (a,c)>, affine_map<(a,b,c) -> (b)>, affine_map<(a,b,c) -> (a,b,c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %t1 : tensor<16x176xi32>, tensor<16xi32>) outs(%t4 : tensor<16x16x176xi8>) {
  ^bb0(%a0: i32, %a1: i32, %o: i8):
    %r = arith.shrui %a0, %a1 : i32
    %q = arith.trunci %r : i32 to i8
    %m = arith.andi %q, %t2 : i8
    linalg.yield %m : i8
  } -> tensor<16x16x176xi8>
  %t6 = tensor.collapse_shape %t5 [[0, 1], [2]] : tensor<16x16x176xi8> into tensor<256x176xi8>
  %t7 = tensor.empty() : tensor<2x11x16xi8>
  %t8 = linalg.generic {indexing_maps = [affine_map<(a,b,c) -> (a,b)>, affine_map<(a,b,c) -> (c)>, affine_map<(a,b,c) -> (a,b,c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z, %t1 : tensor<2x11xi32>, tensor<16xi32>) outs(%t7 : tensor<2x11x16xi8>) {
  ^bb0(%a0: i32, %a1: i32, %o: i8):
    %r = arith.shrui %a0, %a1 : i32
    %q = arith.trunci %r : i32 to i8
    %m = arith.andi %q, %t2 : i8
    linalg.yield %m : i8
  } -> tensor<2x11x16xi8>
  %t9 = tensor.collapse_shape %t8 [[0], [1, 2]] : tensor<2x11x16xi8> into tensor<2x176xi8>
  %t10 = arith.constant 2 : i8
  %t11 = tensor.expand_shape %t6 [[0, 1], [2]] output_shape [2, 128, 176] : tensor<256x176xi8> into tensor<2x128x176xi8>
  %t12 = tensor.empty() : tensor<2x128x176xbf16>
  %t13 = linalg.generic {indexing_maps = [affine_map<(a,b,c) -> (a,b,c)>, affine_map<(a,b,c) -> (a,c)>, affine_map<(a,b,c) -> (a,c)>, affine_map<(a,b,c) -> (a,b,c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t11, %s, %t9 : tensor<2x128x176xi8>, tensor<2x176xbf16>, tensor<2x176xi8>) outs(%t12 : tensor<2x128x176xbf16>) {
  ^bb0(%a0: i8, %a1: bf16, %a2: i8, %o: bf16):
    %d = arith.subi %a0, %a2 : i8
    %f = arith.sitofp %d : i8 to bf16
    %r = arith.mulf %a1, %f : bf16
    linalg.yield %r : bf16
  } -> tensor<2x128x176xbf16>
  %t14 = tensor.collapse_shape %t13 [[0, 1], [2]] : tensor<2x128x176xbf16> into tensor<256x176xbf16>
  %t15 = arith.constant 0.0 : f32
  %t16 = arith.constant 0 : index
  %size = tensor.dim %x, %t16 : tensor<?x256xbf16>
  %t18 = tensor.empty(%size) : tensor<?x176xf32>
  %t19 = linalg.fill ins(%t15 : f32) outs(%t18 : tensor<?x176xf32>) -> tensor<?x176xf32>
  %t20 = linalg.matmul ins(%x, %t14 : tensor<?x256xbf16>, tensor<256x176xbf16>) outs(%t19 : tensor<?x176xf32>) -> tensor<?x176xf32>
  return %t20 : tensor<?x176xf32>
}
