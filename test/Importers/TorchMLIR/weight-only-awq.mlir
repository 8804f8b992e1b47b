// AWQ: a word has integers of 4 bits of eight columns, in the order of a constant, and so have zero
// points, which are unpacked in front. Scales and zero points are repeated for the 32 elements of a
// group. A CPU has a dimension for groups, and one for positions in a word, outside of the words.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=1024
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=1024 \
// RUN:   --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=0
// RUN: %if avx512 %{ sed 's/tensor<5x/tensor<1x/g' %s | linalg-ext-check-program - --targets=cpu --max-buffer-bytes=0 --cpu-options=cpu=avx512 %}

#m0_0 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#m0_1 = affine_map<(d0, d1, d2) -> (d2)>
#m0_2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m0_3 = affine_map<(d0, d1) -> (d0, d1)>
#m0_4 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>

func.func @awq(%a_x: tensor<5x128xf16>,
    %a_qw: tensor<128x8xi32>,
    %a_qz: tensor<4x8xi32>,
    %a_sc: tensor<4x64xf16> {check.draw = "uniform 0.01 0.02"}) -> (tensor<5x64xf16>) {
  %c0 = arith.constant 15 : i32
  %c1 = arith.constant 0.000000000e+00 : f32
  %cs1 = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %v2 = tensor.expand_shape %a_qw [[0], [1, 2]] output_shape [128, 8, 1] : tensor<128x8xi32> into tensor<128x8x1xi32>
  %v3 = tensor.empty() : tensor<128x8x8xi32>
  %g4 = linalg.generic {indexing_maps = [#m0_0, #m0_1, #m0_2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v2, %cs1 : tensor<128x8x1xi32>, tensor<8xi32>) outs(%v3 : tensor<128x8x8xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %r = arith.shrsi %in0, %in1 : i32
    linalg.yield %r : i32
  } -> tensor<128x8x8xi32>
  %cs5 = arith.constant dense<[0, 4, 1, 5, 2, 6, 3, 7]> : tensor<8xi64>
  %v6 = tensor.empty() : tensor<128x8x8xi32>
  %g7 = linalg.generic {indexing_maps = [#m0_1, #m0_2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cs5 : tensor<8xi64>) outs(%v6 : tensor<128x8x8xi32>) {
  ^bb0(%in0: i64, %out0: i32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %i = arith.index_cast %in0 : i64 to index
    %r = tensor.extract %g4[%a, %b, %i] : tensor<128x8x8xi32>
    linalg.yield %r : i32
  } -> tensor<128x8x8xi32>
  %v8 = tensor.collapse_shape %g7 [[0], [1, 2]] : tensor<128x8x8xi32> into tensor<128x64xi32>
  %v9 = tensor.empty() : tensor<128x64xi32>
  %g10 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%v8 : tensor<128x64xi32>) outs(%v9 : tensor<128x64xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    %r = arith.andi %in0, %c0 : i32
    linalg.yield %r : i32
  } -> tensor<128x64xi32>
  %cs11 = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %v12 = tensor.expand_shape %a_qz [[0], [1, 2]] output_shape [4, 8, 1] : tensor<4x8xi32> into tensor<4x8x1xi32>
  %v13 = tensor.empty() : tensor<4x8x8xi32>
  %g14 = linalg.generic {indexing_maps = [#m0_0, #m0_1, #m0_2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v12, %cs11 : tensor<4x8x1xi32>, tensor<8xi32>) outs(%v13 : tensor<4x8x8xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %r = arith.shrsi %in0, %in1 : i32
    linalg.yield %r : i32
  } -> tensor<4x8x8xi32>
  %cs15 = arith.constant dense<[0, 4, 1, 5, 2, 6, 3, 7]> : tensor<8xi64>
  %v16 = tensor.empty() : tensor<4x8x8xi32>
  %g17 = linalg.generic {indexing_maps = [#m0_1, #m0_2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cs15 : tensor<8xi64>) outs(%v16 : tensor<4x8x8xi32>) {
  ^bb0(%in0: i64, %out0: i32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %i = arith.index_cast %in0 : i64 to index
    %r = tensor.extract %g14[%a, %b, %i] : tensor<4x8x8xi32>
    linalg.yield %r : i32
  } -> tensor<4x8x8xi32>
  %v18 = tensor.collapse_shape %g17 [[0], [1, 2]] : tensor<4x8x8xi32> into tensor<4x64xi32>
  %v19 = tensor.empty() : tensor<4x64xi32>
  %g20 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%v18 : tensor<4x64xi32>) outs(%v19 : tensor<4x64xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    %r = arith.andi %in0, %c0 : i32
    linalg.yield %r : i32
  } -> tensor<4x64xi32>
  %v21 = tensor.expand_shape %g20 [[0, 1], [2]] output_shape [4, 1, 64] : tensor<4x64xi32> into tensor<4x1x64xi32>
  %v22 = tensor.empty() : tensor<4x32x64xi32>
  %g23 = linalg.generic {indexing_maps = [#m0_4, #m0_2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v21 : tensor<4x1x64xi32>) outs(%v22 : tensor<4x32x64xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    linalg.yield %in0 : i32
  } -> tensor<4x32x64xi32>
  %v24 = tensor.collapse_shape %g23 [[0, 1], [2]] : tensor<4x32x64xi32> into tensor<128x64xi32>
  %v25 = tensor.empty() : tensor<128x64xi32>
  %g26 = linalg.generic {indexing_maps = [#m0_3, #m0_3, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%g10, %v24 : tensor<128x64xi32>, tensor<128x64xi32>) outs(%v25 : tensor<128x64xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %r = arith.subi %in0, %in1 : i32
    linalg.yield %r : i32
  } -> tensor<128x64xi32>
  %v27 = tensor.empty() : tensor<128x64xf16>
  %g28 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%g26 : tensor<128x64xi32>) outs(%v27 : tensor<128x64xf16>) {
  ^bb0(%in0: i32, %out0: f16):
    %r = arith.sitofp %in0 : i32 to f16
    linalg.yield %r : f16
  } -> tensor<128x64xf16>
  %v29 = tensor.expand_shape %a_sc [[0, 1], [2]] output_shape [4, 1, 64] : tensor<4x64xf16> into tensor<4x1x64xf16>
  %v30 = tensor.empty() : tensor<4x32x64xf16>
  %g31 = linalg.generic {indexing_maps = [#m0_4, #m0_2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v29 : tensor<4x1x64xf16>) outs(%v30 : tensor<4x32x64xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    linalg.yield %in0 : f16
  } -> tensor<4x32x64xf16>
  %v32 = tensor.collapse_shape %g31 [[0, 1], [2]] : tensor<4x32x64xf16> into tensor<128x64xf16>
  %v33 = tensor.empty() : tensor<128x64xf16>
  %g34 = linalg.generic {indexing_maps = [#m0_3, #m0_3, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%g28, %v32 : tensor<128x64xf16>, tensor<128x64xf16>) outs(%v33 : tensor<128x64xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %r = arith.mulf %in0, %in1 : f16
    linalg.yield %r : f16
  } -> tensor<128x64xf16>
  %v35 = tensor.empty() : tensor<5x64xf32>
  %v36 = linalg.fill ins(%c1 : f32) outs(%v35 : tensor<5x64xf32>) -> tensor<5x64xf32>
  %v37 = linalg.matmul ins(%a_x, %g34 : tensor<5x128xf16>, tensor<128x64xf16>) outs(%v36 : tensor<5x64xf32>) -> tensor<5x64xf32>
  %v38 = tensor.empty() : tensor<5x64xf16>
  %g39 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%v37 : tensor<5x64xf32>) outs(%v38 : tensor<5x64xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<5x64xf16>
  return %g39 : tensor<5x64xf16>
}
