// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-split-concatenations=steps=reduce-parts --canonicalize --cse | FileCheck %s

// Scores of a cache and of new keys that are put together. The new ones have a bias.

#q = affine_map<(q, k, d) -> (q, d)>
#k = affine_map<(q, k, d) -> (k, d)>
#s = affine_map<(q, k, d) -> (q, k)>
#id = affine_map<(q, k) -> (q, k)>

// The keys are put together instead.

// CHECK-LABEL: func.func @joined_bias
// CHECK-SAME:    %{{.*}}: tensor<16x16xf32>, %[[K0:.*]]: tensor<64x16xf32>, %[[K1:.*]]: tensor<32x16xf32>,
// CHECK:         tensor.concat dim(0) %[[K0]], %[[K1]]
// CHECK:         linalg_ext.softmax
func.func @joined_bias(%q: tensor<16x16xf32>, %k0: tensor<64x16xf32>, %k1: tensor<32x16xf32>, %v: tensor<96x16xf32>, %bias: tensor<16x32xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c31 = arith.constant 31 : index
  %e0 = tensor.empty() : tensor<16x64xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s0 = linalg.matmul indexing_maps = [#q, #k, #s] ins(%q, %k0 : tensor<16x16xf32>, tensor<64x16xf32>) outs(%f0 : tensor<16x64xf32>) -> tensor<16x64xf32>
  %e1 = tensor.empty() : tensor<16x32xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %s1 = linalg.matmul indexing_maps = [#q, #k, #s] ins(%q, %k1 : tensor<16x16xf32>, tensor<32x16xf32>) outs(%f1 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %b1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s1 : tensor<16x32xf32>) outs(%e1 : tensor<16x32xf32>) {
  ^bb0(%x: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %b = tensor.extract %bias[%i, %j] : tensor<16x32xf32>
    %t = arith.addf %x, %b : f32
    linalg.yield %t : f32
  } -> tensor<16x32xf32>
  %s = tensor.concat dim(1) %s0, %b1 : (tensor<16x64xf32>, tensor<16x32xf32>) -> tensor<16x96xf32>
  %ew = tensor.empty() : tensor<16x96xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<16x96xf32>) outs(%ew : tensor<16x96xf32>) -> tensor<16x96xf32>
  %eo = tensor.empty() : tensor<16x16xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<16x16xf32>) -> tensor<16x16xf32>
  %o = linalg.matmul ins(%w, %v : tensor<16x96xf32>, tensor<96x16xf32>) outs(%fo : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %o : tensor<16x16xf32>
}

// At the positions of the cache, the bias of the new keys would be read behind its end.

// CHECK-LABEL: func.func @negative_bias_looked_up
// CHECK-NOT:     tensor.concat dim(0)
// CHECK:         tensor.concat dim(1)
// CHECK:         linalg_ext.softmax
func.func @negative_bias_looked_up(%q: tensor<16x16xf32>, %k0: tensor<64x16xf32>, %k1: tensor<32x16xf32>, %v: tensor<96x16xf32>, %bias: tensor<16x32xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c31 = arith.constant 31 : index
  %e0 = tensor.empty() : tensor<16x64xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s0 = linalg.matmul indexing_maps = [#q, #k, #s] ins(%q, %k0 : tensor<16x16xf32>, tensor<64x16xf32>) outs(%f0 : tensor<16x64xf32>) -> tensor<16x64xf32>
  %e1 = tensor.empty() : tensor<16x32xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %s1 = linalg.matmul indexing_maps = [#q, #k, #s] ins(%q, %k1 : tensor<16x16xf32>, tensor<32x16xf32>) outs(%f1 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %b1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s1 : tensor<16x32xf32>) outs(%e1 : tensor<16x32xf32>) {
  ^bb0(%x: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %r = arith.subi %c31, %j : index
    %b = tensor.extract %bias[%i, %r] : tensor<16x32xf32>
    %t = arith.addf %x, %b : f32
    linalg.yield %t : f32
  } -> tensor<16x32xf32>
  %s = tensor.concat dim(1) %s0, %b1 : (tensor<16x64xf32>, tensor<16x32xf32>) -> tensor<16x96xf32>
  %ew = tensor.empty() : tensor<16x96xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<16x96xf32>) outs(%ew : tensor<16x96xf32>) -> tensor<16x96xf32>
  %eo = tensor.empty() : tensor<16x16xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<16x16xf32>) -> tensor<16x16xf32>
  %o = linalg.matmul ins(%w, %v : tensor<16x96xf32>, tensor<96x16xf32>) outs(%fo : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %o : tensor<16x16xf32>
}

// At the positions of the cache, what fills in for the periods is 0: nothing may be
// divided by it.

// CHECK-LABEL: func.func @negative_division
// CHECK-NOT:     tensor.concat dim(0)
// CHECK:         tensor.concat dim(1)
// CHECK:         linalg_ext.softmax
func.func @negative_division(%q: tensor<16x16xf32>, %k0: tensor<64x16xf32>, %k1: tensor<32x16xf32>, %v: tensor<96x16xf32>, %periods: tensor<32xi32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c31 = arith.constant 31 : index
  %e0 = tensor.empty() : tensor<16x64xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<16x64xf32>) -> tensor<16x64xf32>
  %s0 = linalg.matmul indexing_maps = [#q, #k, #s] ins(%q, %k0 : tensor<16x16xf32>, tensor<64x16xf32>) outs(%f0 : tensor<16x64xf32>) -> tensor<16x64xf32>
  %e1 = tensor.empty() : tensor<16x32xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %s1 = linalg.matmul indexing_maps = [#q, #k, #s] ins(%q, %k1 : tensor<16x16xf32>, tensor<32x16xf32>) outs(%f1 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %b1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s1 : tensor<16x32xf32>) outs(%e1 : tensor<16x32xf32>) {
  ^bb0(%x: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = tensor.extract %periods[%j] : tensor<32xi32>
    %n = arith.index_cast %i : index to i32
    %rest = arith.remui %n, %p : i32
    %b = arith.uitofp %rest : i32 to f32
    %t = arith.addf %x, %b : f32
    linalg.yield %t : f32
  } -> tensor<16x32xf32>
  %s = tensor.concat dim(1) %s0, %b1 : (tensor<16x64xf32>, tensor<16x32xf32>) -> tensor<16x96xf32>
  %ew = tensor.empty() : tensor<16x96xf32>
  %w = linalg.softmax dimension(1) ins(%s : tensor<16x96xf32>) outs(%ew : tensor<16x96xf32>) -> tensor<16x96xf32>
  %eo = tensor.empty() : tensor<16x16xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<16x16xf32>) -> tensor<16x16xf32>
  %o = linalg.matmul ins(%w, %v : tensor<16x96xf32>, tensor<96x16xf32>) outs(%fo : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %o : tensor<16x16xf32>
}
