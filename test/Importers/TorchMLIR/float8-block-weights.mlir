// Weights of f8 with a scale for each block of 128 x 128 (as those of DeepSeek V3), dequantized to
// bf16 in front of a product. With many rows, weights are dequantized by a kernel of their own, and
// asynchronous products read them; other kernels dequantize as they read.

// Falls short on a CPU: the weights are stored.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=gfx950
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=131072 --gpu-options="chip=sm_90a async-products=true"
// RUN: linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=131136
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_90a async-products=true" | FileCheck %s

// CHECK: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k16.f32.bf16.bf16

func.func @block_scaled(%x: tensor<260x256xbf16>, %w: tensor<256x256xf8E4M3FN> {check.draw = "uniform -2 2"}, %s: tensor<2x2xf32> {check.draw = "uniform 0.1 1"}) -> tensor<260x256xbf16> {
  %k0 = arith.constant 0.0 : f32
  %1 = tensor.expand_shape %w [[0, 1], [2, 3]] output_shape [2, 128, 2, 128] : tensor<256x256xf8E4M3FN> into tensor<2x128x2x128xf8E4M3FN>
  %2 = tensor.empty() : tensor<2x128x2x128xbf16>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %s : tensor<2x128x2x128xf8E4M3FN>, tensor<2x2xf32>) outs(%2 : tensor<2x128x2x128xbf16>) {
  ^bb0(%in0: f8E4M3FN, %in1: f32, %out: bf16):
    %a = arith.extf %in0 : f8E4M3FN to f32
    %m = arith.mulf %a, %in1 : f32
    %r = arith.truncf %m : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x128x2x128xbf16>
  %4 = tensor.collapse_shape %3 [[0, 1], [2, 3]] : tensor<2x128x2x128xbf16> into tensor<256x256xbf16>
  %5 = tensor.empty() : tensor<256x256xbf16>
  %6 = linalg.transpose ins(%4 : tensor<256x256xbf16>) outs(%5 : tensor<256x256xbf16>) permutation = [1, 0]
  %7 = tensor.empty() : tensor<260x256xf32>
  %8 = linalg.fill ins(%k0 : f32) outs(%7 : tensor<260x256xf32>) -> tensor<260x256xf32>
  %9 = linalg.matmul ins(%x, %6 : tensor<260x256xbf16>, tensor<256x256xbf16>) outs(%8 : tensor<260x256xf32>) -> tensor<260x256xf32>
  %10 = tensor.empty() : tensor<260x256xbf16>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<260x256xf32>) outs(%10 : tensor<260x256xbf16>) {
  ^bb0(%in0: f32, %out: bf16):
    %t = arith.truncf %in0 : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<260x256xbf16>
  return %11 : tensor<260x256xbf16>
}
