// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels=forall(2,3)for(0,0,4)' | FileCheck %s --check-prefixes=CHECK,AGAIN
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels=forall(2)for(0,0,4)' | FileCheck %s --check-prefixes=CHECK,ONCE

// Who uses the scores outside of the loops has the original where they are
// computed again for each tile of columns: no loop yields them. Where they are
// computed once, both do.

// CHECK-LABEL: func @scores_used_elsewhere
// AGAIN:         %[[SCORES:.*]] = linalg_ext.batch_matmul
// AGAIN:         %[[OUT:.*]] = scf.forall {{.*}} -> (tensor<8x6xf32>) {
// AGAIN:           scf.for {{.*}} -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>) {
// AGAIN:         return %[[OUT]], %[[SCORES]]
// ONCE:          %[[OUT:.*]]:2 = scf.forall {{.*}} -> (tensor<8x6xf32>, tensor<8x12xf32>) {
// ONCE:            %[[ROWS:.*]]:4 = scf.for {{.*}} -> (tensor<2x6xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x12xf32>) {
// ONCE:            tensor.parallel_insert_slice %[[ROWS]]#3
// ONCE:          return %[[OUT]]#0, %[[OUT]]#1
func.func @scores_used_elsewhere(%q: tensor<8x4xf32>, %k: tensor<12x4xf32>, %v: tensor<12x6xf32>) -> (tensor<8x6xf32>, tensor<8x12xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<8x12xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<8x12xf32>) -> tensor<8x12xf32>
  %s = linalg_ext.batch_matmul indexing_maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n, d)>, affine_map<(m, n, d) -> (m, n)>]
      ins(%q, %k : tensor<8x4xf32>, tensor<12x4xf32>) outs(%s0 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %r = tensor.empty() : tensor<8xf32>
  %m = linalg.fill ins(%low : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %l = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<8x12xf32>) outs(%se, %m, %l, %r : tensor<8x12xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x12xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg_ext.batch_matmul {linalg_ext.root} ins(%p#0, %v : tensor<8x12xf32>, tensor<12x6xf32>) outs(%o0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o, %s : tensor<8x6xf32>, tensor<8x12xf32>
}

// Nothing reads elements of the scores outside, only the sizes of what is computed from them:
// no loop yields them.

// CHECK-LABEL: func @sizes_used_elsewhere
// CHECK:         scf.forall {{.*}} -> (tensor<8x6xf32>) {
// CHECK:           scf.for {{.*}} -> (tensor<2x{{.}}xf32>, tensor<2xf32>, tensor<2xf32>) {
func.func @sizes_used_elsewhere(%q: tensor<8x4xf32>, %k: tensor<?x4xf32>, %v: tensor<?x6xf32>) -> (tensor<8x6xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %n = tensor.dim %k, %c0 : tensor<?x4xf32>
  %se = tensor.empty(%n) : tensor<8x?xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<8x?xf32>) -> tensor<8x?xf32>
  %s = linalg_ext.batch_matmul indexing_maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n, d)>, affine_map<(m, n, d) -> (m, n)>]
      ins(%q, %k : tensor<8x4xf32>, tensor<?x4xf32>) outs(%s0 : tensor<8x?xf32>) -> tensor<8x?xf32>
  %twice = linalg.add ins(%s, %s : tensor<8x?xf32>, tensor<8x?xf32>) outs(%se : tensor<8x?xf32>) -> tensor<8x?xf32>
  %size = tensor.dim %twice, %c1 : tensor<8x?xf32>
  %r = tensor.empty() : tensor<8xf32>
  %m = linalg.fill ins(%low : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %l = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<8x?xf32>) outs(%se, %m, %l, %r : tensor<8x?xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8x?xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %oe = tensor.empty() : tensor<8x6xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg_ext.batch_matmul {linalg_ext.root} ins(%p#0, %v : tensor<8x?xf32>, tensor<?x6xf32>) outs(%o0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o, %size : tensor<8x6xf32>, index
}
