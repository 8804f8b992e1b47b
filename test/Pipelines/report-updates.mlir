// A token is put into a cache that the caller gets: that the cache is in memory is no miss.

// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=64 keys=64 require-fusion' -o %t 2>&1 | count 0
// RUN: FileCheck %s < %t

// CHECK-LABEL: func @update
// CHECK: tensor.insert_slice
// CHECK: scf.forall
// CHECK:   scf.for
func.func @update(%q: tensor<64x64xf32>, %cache: tensor<512x64xf32>, %new: tensor<1x64xf32>, %v: tensor<512x64xf32>, %i: index)
    -> (tensor<64x64xf32>, tensor<512x64xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %k = tensor.insert_slice %new into %cache[%i, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<512x64xf32>
  %es = tensor.empty() : tensor<64x512xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<64x512xf32>) -> tensor<64x512xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m, k, d) -> (m, d)>, affine_map<(m, k, d) -> (k, d)>, affine_map<(m, k, d) -> (m, k)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<64x64xf32>, tensor<512x64xf32>) outs(%fs : tensor<64x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.mulf %a, %b : f32
    %e = arith.addf %c, %d : f32
    linalg.yield %e : f32
  } -> tensor<64x512xf32>
  %er = tensor.empty() : tensor<64xf32>
  %max = linalg.fill ins(%low : f32) outs(%er : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%er : tensor<64xf32>) -> tensor<64xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<64x512xf32>)
      outs(%es, %max, %sum, %er : tensor<64x512xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)
      -> tensor<64x512xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
  %eo = tensor.empty() : tensor<64x64xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<64x64xf32>) -> tensor<64x64xf32>
  %o = linalg.matmul ins(%p#0, %v : tensor<64x512xf32>, tensor<512x64xf32>) outs(%fo : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %o, %k : tensor<64x64xf32>, tensor<512x64xf32>
}
