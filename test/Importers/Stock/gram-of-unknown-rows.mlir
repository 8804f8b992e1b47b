// A matrix of an unknown number of rows times its transpose. On a GPU, both operands are boxes
// of one matrix. The boxes of the left operand end with its rows, those of the right one are
// whole.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=40x256
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --sizes=90x256

// The same without and with roles for the subgroups.
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --sizes=20x256 --gpu-options="chip=sm_90a async-products=true"
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --sizes=70x256 --gpu-options="chip=sm_90a rows=128 columns=128 async-products=true roles=true"

// Boxes of the left operand are different for each launch. Launchers that do not know that
// do not read the manifest.
// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json
// RUN: FileCheck %s --check-prefix=VERSION < %t.json
// VERSION: "version": 7
// RUN: %python -m linalg_ext plan %t.json gram 40x256xf16 40x40xf32 | FileCheck %s --check-prefix=PLAN
// PLAN: tensor_map:argument:0:f16 sizes 256x40 strides 512 box 64x40 swizzle 128 tensor_map:argument:0:f16 sizes 256x40 strides 512 box 64x64 swizzle 128

func.func @gram(%x: tensor<?x256xf16>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %x, %c0 : tensor<?x256xf16>
  %e = tensor.empty(%rows, %rows) : tensor<?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %x : tensor<?x256xf16>, tensor<?x256xf16>) outs(%z : tensor<?x?xf32>) {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %aw = arith.extf %a : f16 to f32
    %bw = arith.extf %b : f16 to f32
    %p = arith.mulf %aw, %bw : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
