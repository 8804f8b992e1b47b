// A product of rows and weights that are both in f8, with a scale of each row and of each
// column, and sums of f32, which are rounded to bf16. Chips with products of f8 take these;
// others extend both to f16, which is exact. Weights [K, N] are transposed in front of wgmma,
// and wgmma multiplies operands of two formats.

// RUN: linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=11264
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=0 --max-kernels=1
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=0 --max-kernels=1 --gpu-options=chip=sm_89
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=0 --max-kernels=1 --gpu-options=chip=gfx950
// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=0 --max-kernels=1 --gpu-options=chip=gfx1200
// RUN: sed 's/f8E4M3FN/f4E2M1FN/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=0 --max-kernels=1 --gpu-options=chip=sm_89
// RUN: sed 's/f8E4M3FN/f8E5M2/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=0 --max-kernels=1 --gpu-options=chip=sm_120
// RUN: sed 's/f8E4M3FN/f8E4M3FNUZ/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=0 --max-kernels=1 --gpu-options=chip=gfx942
// RUN: sed 's/75x64xf8/64x75xf8/g; s/-> (d1, d2)>/-> (d2, d1)>/; s/37x/70x/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=4800 --max-kernels=2 --gpu-options="chip=sm_90a async-products=true"
// RUN: sed 's/37x64xf8E4M3FN/70x64xf8E5M2/g; s/%a: f8E4M3FN/%a: f8E5M2/; s/%a : f8E4M3FN/%a : f8E5M2/; s/37x/70x/g' %s | linalg-ext-check-program - --targets=gpu --max-buffer-bytes=0 --max-kernels=1 --gpu-options="chip=sm_90a async-products=true"
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_89 | FileCheck %s --check-prefix=SM89
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_90a | FileCheck %s --check-prefix=SM90
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm="chip=sm_90a async-products=false" | FileCheck %s --check-prefix=SYNC90
// RUN: sed 's/f8E4M3FN/f8E4M3FNUZ/g' %s | linalg-ext-opt --linalg-ext-to-rocdl=chip=gfx942 | FileCheck %s --check-prefix=GFX942
// RUN: linalg-ext-opt %s --linalg-ext-to-rocdl=chip=gfx950 | FileCheck %s --check-prefix=GFX950
// RUN: linalg-ext-opt %s --linalg-ext-to-rocdl=chip=gfx1200 | FileCheck %s --check-prefix=GFX1200

// SM89:    mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32
// SM90:    wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3
// SYNC90-NOT: e4m3.e4m3
// SYNC90:    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// GFX942:  v_mfma_f32_16x16x32_fp8_fp8
// GFX950:  v_mfma_f32_16x16x32_fp8_fp8
// GFX1200: v_wmma_f32_16x16x16_fp8_fp8

func.func @float8_product(%x: tensor<37x64xf8E4M3FN> {check.draw = "uniform -2 2"},
                          %w: tensor<75x64xf8E4M3FN> {check.draw = "uniform -2 2"},
                          %xs: tensor<37x1xf32> {check.draw = "uniform 0.25 0.5"},
                          %ws: tensor<1x75xf32> {check.draw = "uniform 0.25 0.5"}) -> tensor<37x75xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<37x75xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<37x75xf32>) -> tensor<37x75xf32>
  %sums = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<37x64xf8E4M3FN>, tensor<75x64xf8E4M3FN>) outs(%init : tensor<37x75xf32>) {
  ^bb0(%a: f8E4M3FN, %b: f8E4M3FN, %acc: f32):
    %0 = arith.extf %a : f8E4M3FN to f32
    %1 = arith.extf %b : f8E4M3FN to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<37x75xf32>
  %rounded = tensor.empty() : tensor<37x75xbf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sums, %xs, %ws : tensor<37x75xf32>, tensor<37x1xf32>, tensor<1x75xf32>) outs(%rounded : tensor<37x75xbf16>) {
  ^bb0(%a: f32, %s: f32, %t: f32, %o: bf16):
    %0 = arith.mulf %a, %s : f32
    %1 = arith.mulf %0, %t : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<37x75xbf16>
  return %r : tensor<37x75xbf16>
}
