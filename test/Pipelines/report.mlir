// What the passes that fuse say, and that a softmax that two products use is fused
// without a mark on either.
//
// RUN: linalg-ext-opt %s --linalg-ext-fuse='report=all' --split-input-file -o %t.cpu.mlir 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=64 keys=64 report=all' --split-input-file -o %t.gpu.mlir 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: FileCheck %s < %t.cpu.mlir
// RUN: FileCheck %s < %t.gpu.mlir
// RUN: linalg-ext-opt %s --linalg-ext-fuse --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: linalg-ext-opt %s --linalg-ext-fuse='report=none' --split-input-file -o /dev/null 2>&1 | count 0
// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=64 keys=64 report=none' --split-input-file -o /dev/null 2>&1 | count 0
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm='report=none' --split-input-file -o /dev/null 2>&1 | count 0
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='require-fusion' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=64 keys=64 require-fusion' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not linalg-ext-opt %s --linalg-ext-to-buffers='require-fusion' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not linalg-ext-opt %s --linalg-ext-to-gpu-tiles='require-fusion' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not linalg-ext-opt %s --linalg-ext-to-llvm='require-fusion' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='report=loud' --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: invalid option 'report': expected none, missed or all, got 'loud'

// ALL:      remark: fused: 'linalg.matmul' with 7 producers and 1 siblings in 2 levels
// ALL:      remark: not fused: 'linalg.exp' between 'linalg_ext.softmax' and the root does not commute with the repair: {{.*}}; leave the dimension that it reduces whole; 64x1000xf32 (250.0 KiB) of 'linalg.matmul' stays in memory
// ALL:      remark: not fused: {{.*}}; 64x1000xf32 (250.0 KiB) of 'linalg.generic' stays in memory
// ALL-NOT:  remark

// MISSED-NOT:  remark
// MISSED:      remark: not fused: 'linalg.exp' between 'linalg_ext.softmax' and the root does not commute with the repair
// MISSED-NOT:  remark

// ERROR:     error: not fused: 'linalg.exp' between 'linalg_ext.softmax' and the root does not commute
// ERROR-NOT: error:

// CHECK-LABEL: func @two_products
// CHECK:     scf.forall
// CHECK:       scf.for
// CHECK:         linalg_ext.softmax
// CHECK:         linalg.matmul
// CHECK:         linalg.matmul
// CHECK-NOT: linalg_ext.softmax
// CHECK:     return

func.func @two_products(%q: tensor<256x16xf32>, %k: tensor<16x1000xf32>, %v: tensor<1000x32xf32>, %w: tensor<1000x16xf32>) -> (tensor<256x32xf32>, tensor<256x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<256x1000xf32>
  %r = tensor.empty() : tensor<256xf32>
  %oe = tensor.empty() : tensor<256x32xf32>
  %te = tensor.empty() : tensor<256x16xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%e : tensor<256x1000xf32>) -> tensor<256x1000xf32>
  %s = linalg.matmul ins(%q, %k : tensor<256x16xf32>, tensor<16x1000xf32>) outs(%s0 : tensor<256x1000xf32>) -> tensor<256x1000xf32>
  %m = linalg.fill ins(%low : f32) outs(%r : tensor<256xf32>) -> tensor<256xf32>
  %l = linalg.fill ins(%zero : f32) outs(%r : tensor<256xf32>) -> tensor<256xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<256x1000xf32>) outs(%e, %m, %l, %r : tensor<256x1000xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<256x1000xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<256x32xf32>) -> tensor<256x32xf32>
  %o = linalg.matmul ins(%p#0, %v : tensor<256x1000xf32>, tensor<1000x32xf32>) outs(%o0 : tensor<256x32xf32>) -> tensor<256x32xf32>
  %t0 = linalg.fill ins(%zero : f32) outs(%te : tensor<256x16xf32>) -> tensor<256x16xf32>
  %t = linalg.matmul ins(%p#0, %w : tensor<256x1000xf32>, tensor<1000x16xf32>) outs(%t0 : tensor<256x16xf32>) -> tensor<256x16xf32>
  return %o, %t : tensor<256x32xf32>, tensor<256x16xf32>
}

// -----

// What cannot be repaired: the reason, what to do, and what it costs.

// CHECK-LABEL: func @negative_not_repairable
// CHECK-NOT: scf.for
// CHECK:     return

func.func @negative_not_repairable(%q: tensor<64x16xf32>, %k: tensor<16x1000xf32>, %v: tensor<1000x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x1000xf32>
  %r = tensor.empty() : tensor<64xf32>
  %oe = tensor.empty() : tensor<64x32xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%e : tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x16xf32>, tensor<16x1000xf32>) outs(%s0 : tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %m = linalg.fill ins(%low : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %l = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<64x1000xf32>) outs(%e, %m, %l, %r : tensor<64x1000xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64x1000xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
  %x = linalg.exp ins(%p#0 : tensor<64x1000xf32>) outs(%e : tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o = linalg.matmul {linalg_ext.root} ins(%x, %v : tensor<64x1000xf32>, tensor<1000x32xf32>) outs(%o0 : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}

// -----

// A norm in front of a product: said only if all is asked for, and no error.

// CHECK-LABEL: func @norm
// CHECK:         math.rsqrt

func.func @norm(%x: tensor<64x1000xf32>, %w: tensor<1000x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x1000xf32>
  %re = tensor.empty() : tensor<64xf32>
  %oe = tensor.empty() : tensor<64x16xf32>
  %r = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1000xf32>) outs(%r : tensor<64xf32>) {
  ^bb0(%a: f32, %c: f32):
    %b = arith.mulf %a, %a : f32
    %d = arith.addf %c, %b : f32
    linalg.yield %d : f32
  } -> tensor<64xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<64x1000xf32>, tensor<64xf32>) outs(%e : tensor<64x1000xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = math.rsqrt %b : f32
    %d = arith.mulf %a, %s : f32
    linalg.yield %d : f32
  } -> tensor<64x1000xf32>
  %z = linalg.fill ins(%zero : f32) outs(%oe : tensor<64x16xf32>) -> tensor<64x16xf32>
  %o = linalg.matmul ins(%p, %w : tensor<64x1000xf32>, tensor<1000x16xf32>) outs(%z : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %o : tensor<64x16xf32>
}
