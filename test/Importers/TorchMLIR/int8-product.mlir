// A linear layer of integers as `torch._int_mm` gives it: the weights are a view of [N, K],
// sums are i32, and scales of rows and of columns, a bias and an activation follow in f32. The
// number of rows is dynamic, and no size is a multiple of a tile.

// The products are instructions of bytes: on sm_90a wgmma, on others mma.sync, MFMA and WMMA;
// on CPUs `vpdpbusd`, `pmaddwd` and `sdot`.

// RUN: linalg-ext-check-program %s --targets=cpu --sizes=61x208,75x208,61x1,75,75
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=61x208,75x208,61x1,75,75 --gpu-options=chip=sm_80
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=132x208,75x208,132x1,75,75 --gpu-options="chip=sm_90a async-products=true roles=false"
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=260x208,75x208,260x1,75,75 --gpu-options="chip=sm_90a async-products=true roles=true processors=2"
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=37x208,75x208,37x1,75,75 --gpu-options=chip=gfx90a
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=37x208,75x208,37x1,75,75 --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=37x208,75x208,37x1,75,75 --gpu-options=chip=gfx950
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=37x208,75x208,37x1,75,75 --gpu-options=chip=gfx1100
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=37x208,75x208,37x1,75,75 --gpu-options=chip=gfx1201
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_90a | FileCheck %s --check-prefix=WGMMA
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_80 | FileCheck %s --check-prefix=MMA
// RUN: linalg-ext-opt %s --linalg-ext-to-rocdl='chip=gfx942 format=rocdl' | FileCheck %s --check-prefix=MFMA
// RUN: linalg-ext-opt %s --linalg-ext-to-rocdl='chip=gfx1100 format=rocdl' | FileCheck %s --check-prefix=WMMA
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=cpu=avx512vnni | FileCheck %s --check-prefix=VNNI
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=cpu=avx512 | FileCheck %s --check-prefix=PAIRS
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=cpu=neoverse-n1 | FileCheck %s --check-prefix=SDOT

// WGMMA: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k32.s32.s8.s8
// MMA: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
// MFMA: rocdl.mfma.i32.16x16x32.i8
// WMMA: rocdl.wmma.i32.16x16x16.iu8
// VNNI: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// PAIRS: llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"
// SDOT: llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"

func.func @int8_linear(%x: tensor<?x208xi8> {check.draw = "uniform -128 127"},
                       %w: tensor<75x208xi8> {check.draw = "uniform -128 127"},
                       %xs: tensor<?x1xf32> {check.draw = "uniform 0.0001 0.0005"},
                       %ws: tensor<75xf32> {check.draw = "uniform 0.1 0.5"},
                       %bias: tensor<75xf32>) -> tensor<?x75xf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %fzero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x208xi8>
  %te = tensor.empty() : tensor<208x75xi8>
  %wt = linalg.transpose ins(%w : tensor<75x208xi8>) outs(%te : tensor<208x75xi8>) permutation = [1, 0]
  %empty = tensor.empty(%m) : tensor<?x75xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<?x75xi32>) -> tensor<?x75xi32>
  %sums = linalg.matmul ins(%x, %wt : tensor<?x208xi8>, tensor<208x75xi8>) outs(%init : tensor<?x75xi32>) -> tensor<?x75xi32>
  %rounded = tensor.empty(%m) : tensor<?x75xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sums, %xs, %ws, %bias : tensor<?x75xi32>, tensor<?x1xf32>, tensor<75xf32>, tensor<75xf32>) outs(%rounded : tensor<?x75xf16>) {
  ^bb0(%a: i32, %s: f32, %t: f32, %c: f32, %o: f16):
    %0 = arith.sitofp %a : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.mulf %1, %t : f32
    %3 = arith.addf %2, %c : f32
    %4 = arith.maximumf %3, %fzero : f32
    %5 = arith.truncf %4 : f32 to f16
    linalg.yield %5 : f16
  } -> tensor<?x75xf16>
  return %r : tensor<?x75xf16>
}
