// One row with weights of MXFP8: each thread loads bytes of a column in runs, although 32 of them share a scale,
// and several groups are merged to what is summed. On RDNA, workgroups sum parts, and another kernel adds these.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=2048 --gpu-options=chip=gfx1100
// RUN: cp %s %t.mlir
// RUN: linalg-ext-check-program %t.mlir --max-buffer-bytes=0 --max-kernels=1
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_90a --mlir-print-ir-after=linalg-ext-select-config -o /dev/null 2>&1 | FileCheck %s
// CHECK: vector.contract {{.*}}runs = "k"

func.func @one_row(%x: tensor<1x1024xbf16>, %w: tensor<160x1024xf8E4M3FN> {check.draw = "uniform -2 2"}, %s: tensor<160x32xf8E8M0FNU> {check.draw = "uniform 0.01 4"}) -> tensor<1x160xbf16> {
  %v1 = tensor.expand_shape %w [[0], [1, 2]] output_shape [160, 32, 32] : tensor<160x1024xf8E4M3FN> into tensor<160x32x32xf8E4M3FN>
  %v2 = tensor.empty() : tensor<160x32x32xbf16>
  %v3 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v1, %s : tensor<160x32x32xf8E4M3FN>, tensor<160x32xf8E8M0FNU>) outs(%v2 : tensor<160x32x32xbf16>) {
  ^bb0(%a0: f8E4M3FN, %a1: f8E8M0FNU, %o: bf16):
    %f = arith.extf %a0 : f8E4M3FN to bf16
    %q = arith.extf %a1 : f8E8M0FNU to bf16
    %r = arith.mulf %f, %q : bf16
    linalg.yield %r : bf16
  } -> tensor<160x32x32xbf16>
  %v4 = tensor.collapse_shape %v3 [[0], [1, 2]] : tensor<160x32x32xbf16> into tensor<160x1024xbf16>
  %v5 = tensor.empty() : tensor<1024x160xbf16>
  %v6 = linalg.transpose ins(%v4 : tensor<160x1024xbf16>) outs(%v5 : tensor<1024x160xbf16>) permutation = [1, 0]
  %v7 = arith.constant 0.0 : f32
  %v8 = tensor.empty() : tensor<1x160xf32>
  %v9 = linalg.fill ins(%v7 : f32) outs(%v8 : tensor<1x160xf32>) -> tensor<1x160xf32>
  %v10 = linalg.matmul ins(%x, %v6 : tensor<1x1024xbf16>, tensor<1024x160xbf16>) outs(%v9 : tensor<1x160xf32>) -> tensor<1x160xf32>
  %v11 = tensor.empty() : tensor<1x160xbf16>
  %v12 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%v10 : tensor<1x160xf32>) outs(%v11 : tensor<1x160xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x160xbf16>
  return %v12 : tensor<1x160xbf16>
}
