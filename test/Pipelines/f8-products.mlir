// Products of f8 on CPUs and GPUs: f8's own instruction on AMD GPUs that have one for
// the format, else f16's instruction after an exact conversion, by instructions where
// the chip has them.

// RUN: linalg-ext-opt %s --linalg-ext-to-llvm | FileCheck %s --check-prefix=LLVM
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=cpu=avx512 | FileCheck %s --check-prefix=LLVM
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=cpu=neoverse-n1 | FileCheck %s --check-prefix=LLVM
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_90a | FileCheck %s --check-prefix=PTX
// RUN: linalg-ext-opt %s --linalg-ext-to-nvvm=chip=sm_80 | FileCheck %s --check-prefix=OLD
// RUN: sed 's/f8E4M3FN/f8E4M3FNUZ/g' %s | linalg-ext-opt --linalg-ext-to-rocdl='chip=gfx942 format=rocdl' | FileCheck %s --check-prefix=FNUZ
// RUN: linalg-ext-opt %s --linalg-ext-to-rocdl='chip=gfx950 format=rocdl' | FileCheck %s --check-prefix=OCP
// RUN: linalg-ext-opt %s --linalg-ext-to-rocdl='chip=gfx942 format=rocdl' | FileCheck %s --check-prefix=NONE

// LLVM-LABEL: llvm.func @product(
// LLVM-NOT:   f8E4M3FN
// PTX:        cvt.rn.f16x2.e4m3x2
// PTX:        mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// OLD-NOT:    cvt.rn.f16x2.e4m3x2
// OLD:        mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// FNUZ-NOT:   rocdl.cvt
// FNUZ:       rocdl.mfma.f32.16x16x32.fp8.fp8
// OCP-NOT:    rocdl.cvt
// OCP:        rocdl.mfma.f32.16x16x32.fp8.fp8
// NONE-NOT:   .fp8.fp8
// NONE:       rocdl.mfma.f32.16x16x16f16
func.func @product(%a: tensor<64x64xf8E4M3FN>, %b: tensor<64x64xf8E4M3FN>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
