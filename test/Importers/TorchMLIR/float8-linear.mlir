// A linear layer whose rows and weights are both in f8, with a scale of each row and of
// each output, a bias and a result in bf16. The number of rows is dynamic, and no size is
// a multiple of a tile. On sm_90a, wgmma multiplies bytes; the sums of an iteration are
// added in f32. Those of two formats are, too; with few rows, threads extend them to f16.

// RUN: linalg-ext-check-program %s --targets=cpu --sizes=132x208,144x208,132x1,144,144
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=132x208,144x208,132x1,144,144 --gpu-options="chip=sm_90a async-products=true roles=false"
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=260x208,144x208,260x1,144,144 --gpu-options="chip=sm_90a async-products=true roles=true rows=128 columns=192 processors=2"
// RUN: sed 's/f8E4M3FN/f8E5M2/g' %s | linalg-ext-check-program - --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=65x208,144x208,65x1,144,144 --gpu-options="chip=sm_90a async-products=true"
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=37x208,144x208,37x1,144,144 --gpu-options="chip=sm_89"
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=37x208,144x208,37x1,144,144 --gpu-options="chip=sm_90a f8-products=f16"
// RUN: sed 's/%x: tensor<?x208xf8E4M3FN>/%x: tensor<?x208xf8E5M2>/; s/ins(%x, %w : tensor<?x208xf8E4M3FN>/ins(%x, %w : tensor<?x208xf8E5M2>/; s/tensor.dim %x, %c0 : tensor<?x208xf8E4M3FN>/tensor.dim %x, %c0 : tensor<?x208xf8E5M2>/; s/%a: f8E4M3FN/%a: f8E5M2/; s/extf %a : f8E4M3FN/extf %a : f8E5M2/' %s > %t.mixed.mlir
// RUN: linalg-ext-check-program %t.mixed.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=132x208,144x208,132x1,144,144 --gpu-options="chip=sm_90a"
// RUN: linalg-ext-check-program %t.mixed.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=300x208,144x208,300x1,144,144 --gpu-options="chip=sm_90a processors=1"
// RUN: linalg-ext-check-program %t.mixed.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=260x208,144x208,260x1,144,144 --gpu-options="chip=sm_90a async-products=true roles=true rows=128 columns=176 processors=2"
// RUN: linalg-ext-opt %t.mixed.mlir --linalg-ext-to-nvvm=chip=sm_90a | FileCheck %s --check-prefix=MIXED
// RUN: linalg-ext-opt %t.mixed.mlir --linalg-ext-to-nvvm="chip=sm_90a f8-products=f16" | FileCheck %s --check-prefix=STORED
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_90a | FileCheck %s

// CHECK: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k32.f32.e4m3.e4m3
// MIXED-NOT: .e4m3.e4m3
// MIXED-NOT: fma.rn.f32
// MIXED: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// MIXED: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k32.f32.e5m2.e4m3
// STORED: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k16.f32.f16.f16

func.func @float8_linear(%x: tensor<?x208xf8E4M3FN> {check.draw = "uniform -2 2"},
                         %w: tensor<144x208xf8E4M3FN> {check.draw = "uniform -2 2"},
                         %xs: tensor<?x1xf32> {check.draw = "uniform 0.25 0.5"},
                         %ws: tensor<144xf32> {check.draw = "uniform 0.25 0.5"},
                         %bias: tensor<144xbf16>) -> tensor<?x144xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x208xf8E4M3FN>
  %empty = tensor.empty(%m) : tensor<?x144xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x144xf32>) -> tensor<?x144xf32>
  %sums = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x208xf8E4M3FN>, tensor<144x208xf8E4M3FN>) outs(%init : tensor<?x144xf32>) {
  ^bb0(%a: f8E4M3FN, %b: f8E4M3FN, %acc: f32):
    %0 = arith.extf %a : f8E4M3FN to f32
    %1 = arith.extf %b : f8E4M3FN to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x144xf32>
  %rounded = tensor.empty(%m) : tensor<?x144xbf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sums, %xs, %ws, %bias : tensor<?x144xf32>, tensor<?x1xf32>, tensor<144xf32>, tensor<144xbf16>) outs(%rounded : tensor<?x144xbf16>) {
  ^bb0(%a: f32, %s: f32, %t: f32, %c: bf16, %o: bf16):
    %0 = arith.mulf %a, %s : f32
    %1 = arith.mulf %0, %t : f32
    %2 = arith.extf %c : bf16 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.truncf %3 : f32 to bf16
    linalg.yield %4 : bf16
  } -> tensor<?x144xbf16>
  return %r : tensor<?x144xbf16>
}
