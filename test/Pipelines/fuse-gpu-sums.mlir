// A sum over blocks of what products of blocks compute, scaled: one loop over blocks for tiles of rows
// and columns. A sum over columns of a product is none, and few rows have a workgroup for
// each block.

// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-fuse='target=gpu rows=0 keys=0 split=0' --split-input-file | FileCheck %s

#x = affine_map<(k, m, n, t) -> (m, k, t)>
#w = affine_map<(k, m, n, t) -> (k, t, n)>
#p = affine_map<(k, m, n, t) -> (k, m, n)>
#id = affine_map<(k, m, n) -> (k, m, n)>
#s = affine_map<(k, m, n) -> (m, k)>
#in = affine_map<(m, n, k) -> (k, m, n)>
#out = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @blocks
// CHECK:         scf.forall {{.*}} step (128, 64)
// CHECK:           scf.for
// CHECK:             linalg.generic {{.*}}"reduction"]{{.*}} : tensor<?x1x128xf8E4M3FN>, tensor<1x128x64xf8E4M3FN>)
// CHECK:             arith.mulf
// CHECK:             scf.yield
// CHECK:         mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]
func.func @blocks(%x: tensor<?x32x128xf8E4M3FN>, %s: tensor<?x32xf32>, %w: tensor<32x128x4096xf8E4M3FN>, %m: index) -> tensor<?x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m) : tensor<32x?x4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x?x4096xf32>) -> tensor<32x?x4096xf32>
  %p = linalg.generic {indexing_maps = [#x, #w, #p], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<?x32x128xf8E4M3FN>, tensor<32x128x4096xf8E4M3FN>) outs(%z : tensor<32x?x4096xf32>) {
  ^bb0(%a: f8E4M3FN, %b: f8E4M3FN, %o: f32):
    %0 = arith.extf %a : f8E4M3FN to f32
    %1 = arith.extf %b : f8E4M3FN to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<32x?x4096xf32>
  %q = linalg.generic {indexing_maps = [#id, #s, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %s : tensor<32x?x4096xf32>, tensor<?x32xf32>) outs(%e : tensor<32x?x4096xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<32x?x4096xf32>
  %re = tensor.empty(%m) : tensor<?x4096xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  %r = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q : tensor<32x?x4096xf32>) outs(%rz : tensor<?x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x4096xf32>
  return %r : tensor<?x4096xf32>
}

// -----

#x = affine_map<(k, m, n, t) -> (m, k, t)>
#w = affine_map<(k, m, n, t) -> (k, t, n)>
#p = affine_map<(k, m, n, t) -> (k, m, n)>
#in = affine_map<(m, n, k) -> (k, m, n)>
#out = affine_map<(m, n, k) -> (m, n)>
#columns = affine_map<(k, m, n) -> (k, m)>
#id = affine_map<(k, m, n) -> (k, m, n)>

// CHECK-LABEL: func @negative_few_rows
// CHECK-NOT:     scf.forall
// CHECK-LABEL: func @negative_columns
// CHECK-NOT:     scf.forall
func.func @negative_few_rows(%x: tensor<16x32x128xf16>, %w: tensor<32x128x4096xf16>) -> tensor<16x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x16x4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x16x4096xf32>) -> tensor<32x16x4096xf32>
  %p = linalg.contract indexing_maps = [#x, #w, #p] ins(%x, %w : tensor<16x32x128xf16>, tensor<32x128x4096xf16>) outs(%z : tensor<32x16x4096xf32>) -> tensor<32x16x4096xf32>
  %re = tensor.empty() : tensor<16x4096xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<16x4096xf32>) -> tensor<16x4096xf32>
  %r = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p : tensor<32x16x4096xf32>) outs(%rz : tensor<16x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<16x4096xf32>
  return %r : tensor<16x4096xf32>
}
func.func @negative_columns(%x: tensor<64x32x1024xf16>, %w: tensor<32x1024x4096xf16>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64x4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64x4096xf32>) -> tensor<32x64x4096xf32>
  %p = linalg.contract indexing_maps = [#x, #w, #p] ins(%x, %w : tensor<64x32x1024xf16>, tensor<32x1024x4096xf16>) outs(%z : tensor<32x64x4096xf32>) -> tensor<32x64x4096xf32>
  %re = tensor.empty() : tensor<32x64xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<32x64xf32>) -> tensor<32x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #columns], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p : tensor<32x64x4096xf32>) outs(%rz : tensor<32x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}

// -----

// Heads that only one operand has.

#q = affine_map<(h, m, n, t) -> (m, h, t)>
#k = affine_map<(h, m, n, t) -> (n, t)>
#p = affine_map<(h, m, n, t) -> (h, m, n)>
#id = affine_map<(h, m, n) -> (h, m, n)>
#s = affine_map<(h, m, n) -> (m, h)>
#in = affine_map<(m, n, h) -> (h, m, n)>
#out = affine_map<(m, n, h) -> (m, n)>

// CHECK-LABEL: func @heads
// CHECK:         scf.forall {{.*}} step (128, 64)
// CHECK:           scf.for
// CHECK:             linalg.{{.*}} : tensor<?x1x128xf16>, tensor<64x128xf16>)
// CHECK:             arith.maximumf
// CHECK:             scf.yield
func.func @heads(%q: tensor<?x8x128xf16>, %s: tensor<?x8xf32>, %k: tensor<4096x128xf16>, %m: index) -> tensor<?x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m) : tensor<8x?x4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x?x4096xf32>) -> tensor<8x?x4096xf32>
  %p = linalg.contract indexing_maps = [#q, #k, #p] ins(%q, %k : tensor<?x8x128xf16>, tensor<4096x128xf16>) outs(%z : tensor<8x?x4096xf32>) -> tensor<8x?x4096xf32>
  %r = linalg.generic {indexing_maps = [#id, #s, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %s : tensor<8x?x4096xf32>, tensor<?x8xf32>) outs(%e : tensor<8x?x4096xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.maximumf %a, %zero : f32
    %1 = arith.mulf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<8x?x4096xf32>
  %re = tensor.empty(%m) : tensor<?x4096xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  %y = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%r : tensor<8x?x4096xf32>) outs(%rz : tensor<?x4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<?x4096xf32>
  return %y : tensor<?x4096xf32>
}
