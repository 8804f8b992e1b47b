// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-normalize --linalg-ext-fuse='target=gpu' --split-input-file | FileCheck %s

// Attention between 48 channels: scores are sums over 784 tokens, which are the columns
// of the result. Workgroups for four tiles of columns would all compute the scores, and there
// are more of them than run at the same time.

#qk = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#kt = affine_map<(b, h, m, n, k) -> (b, h, n, k)>
#s = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#v = affine_map<(b, h, m, n, k) -> (b, h, k, n)>

// CHECK-LABEL: func.func @channels(
// CHECK-NOT:     linalg_ext.softmax {{.*}} online
// CHECK:         return
func.func @channels(%q: tensor<32x8x48x784xf16>, %k: tensor<32x8x48x784xf16>, %v: tensor<32x8x48x784xf16>) -> tensor<32x8x48x784xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<32x8x48x48xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<32x8x48x48xf32>) -> tensor<32x8x48x48xf32>
  %s = linalg.contract indexing_maps = [#qk, #kt, #s] ins(%q, %k : tensor<32x8x48x784xf16>, tensor<32x8x48x784xf16>) outs(%fs : tensor<32x8x48x48xf32>) -> tensor<32x8x48x48xf32>
  %w = linalg.softmax dimension(3) ins(%s : tensor<32x8x48x48xf32>) outs(%es : tensor<32x8x48x48xf32>) -> tensor<32x8x48x48xf32>
  %eo = tensor.empty() : tensor<32x8x48x784xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<32x8x48x784xf32>) -> tensor<32x8x48x784xf32>
  %o = linalg.contract indexing_maps = [#qk, #v, #s] ins(%w, %v : tensor<32x8x48x48xf32>, tensor<32x8x48x784xf16>) outs(%fo : tensor<32x8x48x784xf32>) -> tensor<32x8x48x784xf32>
  return %o : tensor<32x8x48x784xf32>
}

// -----

// Two tiles of columns compute the scores again.

#qk = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#kt = affine_map<(b, h, m, n, k) -> (b, h, n, k)>
#s = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#v = affine_map<(b, h, m, n, k) -> (b, h, k, n)>

// CHECK-LABEL: func.func @negative_two_tiles(
// CHECK:         linalg_ext.softmax {{.*}} online
// CHECK:         return
func.func @negative_two_tiles(%q: tensor<2x8x48x500xf16>, %k: tensor<2x8x48x500xf16>, %v: tensor<2x8x48x500xf16>) -> tensor<2x8x48x500xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x8x48x48xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x8x48x48xf32>) -> tensor<2x8x48x48xf32>
  %s = linalg.contract indexing_maps = [#qk, #kt, #s] ins(%q, %k : tensor<2x8x48x500xf16>, tensor<2x8x48x500xf16>) outs(%fs : tensor<2x8x48x48xf32>) -> tensor<2x8x48x48xf32>
  %w = linalg.softmax dimension(3) ins(%s : tensor<2x8x48x48xf32>) outs(%es : tensor<2x8x48x48xf32>) -> tensor<2x8x48x48xf32>
  %eo = tensor.empty() : tensor<2x8x48x500xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x8x48x500xf32>) -> tensor<2x8x48x500xf32>
  %o = linalg.contract indexing_maps = [#qk, #v, #s] ins(%w, %v : tensor<2x8x48x48xf32>, tensor<2x8x48x500xf16>) outs(%fo : tensor<2x8x48x500xf32>) -> tensor<2x8x48x500xf32>
  return %o : tensor<2x8x48x500xf32>
}

// -----

// So do workgroups for three tiles if the scores of each are few products, 77 keys of 640
// elements for 64 queries, and all of them run at the same time.

#qk = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#kt = affine_map<(b, h, m, n, k) -> (b, h, n, k)>
#s = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#v = affine_map<(b, h, m, n, k) -> (b, h, k, n)>

// CHECK-LABEL: func.func @negative_few_products(
// CHECK:         linalg_ext.softmax {{.*}} online
// CHECK:         return
func.func @negative_few_products(%q: tensor<1x8x64x640xf16>, %k: tensor<1x8x77x640xf16>, %v: tensor<1x8x77x640xf16>) -> tensor<1x8x64x640xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<1x8x64x77xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<1x8x64x77xf32>) -> tensor<1x8x64x77xf32>
  %s = linalg.contract indexing_maps = [#qk, #kt, #s] ins(%q, %k : tensor<1x8x64x640xf16>, tensor<1x8x77x640xf16>) outs(%fs : tensor<1x8x64x77xf32>) -> tensor<1x8x64x77xf32>
  %w = linalg.softmax dimension(3) ins(%s : tensor<1x8x64x77xf32>) outs(%es : tensor<1x8x64x77xf32>) -> tensor<1x8x64x77xf32>
  %eo = tensor.empty() : tensor<1x8x64x640xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<1x8x64x640xf32>) -> tensor<1x8x64x640xf32>
  %o = linalg.contract indexing_maps = [#qk, #v, #s] ins(%w, %v : tensor<1x8x64x77xf32>, tensor<1x8x77x640xf16>) outs(%fo : tensor<1x8x64x640xf32>) -> tensor<1x8x64x640xf32>
  return %o : tensor<1x8x64x640xf32>
}

// -----

// With twice the queries, another kernel takes less time than to compute the scores again.

#qk = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#kt = affine_map<(b, h, m, n, k) -> (b, h, n, k)>
#s = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#v = affine_map<(b, h, m, n, k) -> (b, h, k, n)>

// CHECK-LABEL: func.func @many_products(
// CHECK-NOT:     linalg_ext.softmax {{.*}} online
// CHECK:         return
func.func @many_products(%q: tensor<1x8x128x640xf16>, %k: tensor<1x8x77x640xf16>, %v: tensor<1x8x77x640xf16>) -> tensor<1x8x128x640xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<1x8x128x77xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<1x8x128x77xf32>) -> tensor<1x8x128x77xf32>
  %s = linalg.contract indexing_maps = [#qk, #kt, #s] ins(%q, %k : tensor<1x8x128x640xf16>, tensor<1x8x77x640xf16>) outs(%fs : tensor<1x8x128x77xf32>) -> tensor<1x8x128x77xf32>
  %w = linalg.softmax dimension(3) ins(%s : tensor<1x8x128x77xf32>) outs(%es : tensor<1x8x128x77xf32>) -> tensor<1x8x128x77xf32>
  %eo = tensor.empty() : tensor<1x8x128x640xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<1x8x128x640xf32>) -> tensor<1x8x128x640xf32>
  %o = linalg.contract indexing_maps = [#qk, #v, #s] ins(%w, %v : tensor<1x8x128x77xf32>, tensor<1x8x77x640xf16>) outs(%fo : tensor<1x8x128x640xf32>) -> tensor<1x8x128x640xf32>
  return %o : tensor<1x8x128x640xf32>
}
