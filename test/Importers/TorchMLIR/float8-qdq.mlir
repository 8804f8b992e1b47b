// A product of rows and weights in f8 as quantisers export it: both are dequantised, the
// rows by one scale and the weights by a column of scales, and weights are transposed. The
// scales move behind the product, which multiplies f8 as it is.

// RUN: linalg-ext-check-program %s --targets=cpu
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options="chip=sm_90a async-products=true"
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options="chip=sm_89"
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_90a async-products=true" | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_89" | FileCheck %s --check-prefix=SM89

// CHECK: k32.f32.e4m3.e4m3
// SM89:  mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32

func.func @dequantized(%x: tensor<192x320xf8E4M3FN> {check.draw = "uniform -2 2"}, %w: tensor<128x320xf8E4M3FN> {check.draw = "uniform -2 2"}, %xs: f32 {check.draw = "uniform 0.25 0.5"}, %ws: tensor<128x1xf32> {check.draw = "uniform 0.25 0.5"}) -> tensor<192x128xf16> {
  %zero = arith.constant 0.0 : f32
  %xe = tensor.empty() : tensor<192x320xf32>
  %xd = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<192x320xf8E4M3FN>) outs(%xe : tensor<192x320xf32>) {
  ^bb0(%a: f8E4M3FN, %o: f32):
    %0 = arith.extf %a : f8E4M3FN to f32
    %1 = arith.mulf %0, %xs : f32
    linalg.yield %1 : f32
  } -> tensor<192x320xf32>
  %we = tensor.empty() : tensor<128x320xf32>
  %wd = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n, 0)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %ws : tensor<128x320xf8E4M3FN>, tensor<128x1xf32>) outs(%we : tensor<128x320xf32>) {
  ^bb0(%a: f8E4M3FN, %s: f32, %o: f32):
    %0 = arith.extf %a : f8E4M3FN to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<128x320xf32>
  %te = tensor.empty() : tensor<320x128xf32>
  %t = linalg.transpose ins(%wd : tensor<128x320xf32>) outs(%te : tensor<320x128xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<192x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<192x128xf32>) -> tensor<192x128xf32>
  %p = linalg.matmul ins(%xd, %t : tensor<192x320xf32>, tensor<320x128xf32>) outs(%f : tensor<192x128xf32>) -> tensor<192x128xf32>
  %h = tensor.empty() : tensor<192x128xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<192x128xf32>) outs(%h : tensor<192x128xf16>) {
  ^bb0(%a: f32, %o: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<192x128xf16>
  return %r : tensor<192x128xf16>
}
