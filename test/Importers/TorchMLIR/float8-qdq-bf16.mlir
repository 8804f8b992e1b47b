// As float8-qdq.mlir, dequantised to bf16, with a constant scale of the rows, and a bias.

// RUN: linalg-ext-check-program %s --targets=cpu
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options="chip=sm_90a async-products=true"
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options="chip=sm_89"
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_90a async-products=true" | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_89" | FileCheck %s --check-prefix=SM89

// CHECK: k32.f32.e4m3.e4m3
// SM89:  mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32

func.func @dequantized(%x: tensor<192x320xf8E4M3FN> {check.draw = "uniform -2 2"}, %w: tensor<128x320xf8E4M3FN> {check.draw = "uniform -2 2"}, %ws: tensor<128xbf16> {check.draw = "uniform 0.25 0.5"}, %bias: tensor<128xbf16>) -> tensor<192x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.375 : bf16
  %xe = tensor.empty() : tensor<192x320xbf16>
  %xd = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<192x320xf8E4M3FN>) outs(%xe : tensor<192x320xbf16>) {
  ^bb0(%a: f8E4M3FN, %o: bf16):
    %0 = arith.extf %a : f8E4M3FN to bf16
    %1 = arith.mulf %0, %scale : bf16
    linalg.yield %1 : bf16
  } -> tensor<192x320xbf16>
  %we = tensor.empty() : tensor<128x320xbf16>
  %wd = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %ws : tensor<128x320xf8E4M3FN>, tensor<128xbf16>) outs(%we : tensor<128x320xbf16>) {
  ^bb0(%a: f8E4M3FN, %s: bf16, %o: bf16):
    %0 = arith.extf %a : f8E4M3FN to bf16
    %1 = arith.mulf %0, %s : bf16
    linalg.yield %1 : bf16
  } -> tensor<128x320xbf16>
  %te = tensor.empty() : tensor<320x128xbf16>
  %t = linalg.transpose ins(%wd : tensor<128x320xbf16>) outs(%te : tensor<320x128xbf16>) permutation = [1, 0]
  %e = tensor.empty() : tensor<192x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<192x128xf32>) -> tensor<192x128xf32>
  %p = linalg.matmul ins(%xd, %t : tensor<192x320xbf16>, tensor<320x128xbf16>) outs(%f : tensor<192x128xf32>) -> tensor<192x128xf32>
  %h = tensor.empty() : tensor<192x128xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<192x128xf32>, tensor<128xbf16>) outs(%h : tensor<192x128xbf16>) {
  ^bb0(%a: f32, %c: bf16, %o: bf16):
    %0 = arith.extf %c : bf16 to f32
    %1 = arith.addf %a, %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<192x128xbf16>
  return %r : tensor<192x128xbf16>
}
