// RUN: linalg-ext-opt %s --linalg-ext-raise --test-linalg-ext-plan='levels="for(0,0,5)"' -o /dev/null | FileCheck %s --check-prefix=PLAN
// RUN: linalg-ext-opt %s --linalg-ext-raise --linalg-ext-tile-and-fuse='levels="for(0,0,5)"' --canonicalize --cse | FileCheck %s

// Dropout, scaling, a transpose and rounding to f16 between the softmax and the
// product: all of them hand a scaling of rows on.

// PLAN: repair root 'linalg.generic': scale by the repair of 'linalg_ext.softmax'#0 along dims [0]

// The probabilities are a result too. Inside the loop they are out of date, so the
// result is computed by the original.
// CHECK-LABEL: func @dropout_and_rounding
//       CHECK:   %[[FINAL:.+]]:4 = linalg_ext.softmax dimension(1) ins
//       CHECK:   scf.for
//       CHECK:     %[[P:.+]]:4 = linalg_ext.softmax dimension(1) online delayed
//       CHECK:     linalg.generic {{.*}} ins(%[[P]]#0
//       CHECK:       arith.truncf
//       CHECK:     linalg_ext.diag ins(%[[P]]#3
//       CHECK:   return %{{.+}}, %[[FINAL]]#0
func.func @dropout_and_rounding(%q: tensor<?x2xf32>, %k: tensor<2x?xf32>, %v: tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?x?xf32>) {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = tensor.dim %q, %c0 : tensor<?x2xf32>
  %N = tensor.dim %k, %c1 : tensor<2x?xf32>
  %es = tensor.empty(%M, %N) : tensor<?x?xf32>
  %fs = linalg.fill ins(%z : f32) outs(%es : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = linalg.matmul ins(%q, %k : tensor<?x2xf32>, tensor<2x?xf32>) outs(%fs : tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<?x?xf32>) outs(%es : tensor<?x?xf32>) -> tensor<?x?xf32>
  %et = tensor.empty(%N, %M) : tensor<?x?xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n, m)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<?x?xf32>) outs(%et : tensor<?x?xf16>) {
  ^bb0(%a: f32, %o: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c3 = arith.constant 3 : index
    %ij = arith.addi %i, %j : index
    %r = arith.remui %ij, %c3 : index
    %keep = arith.cmpi ne, %r, %c0 : index
    %scale = arith.constant 1.5 : f32
    %as = arith.mulf %a, %scale : f32
    %sel = arith.select %keep, %as, %z : f32
    %t = arith.truncf %sel : f32 to f16
    linalg.yield %t : f16
  } -> tensor<?x?xf16>
  %eo = tensor.empty(%M) : tensor<?x2xf32>
  %fo = linalg.fill ins(%z : f32) outs(%eo : tensor<?x2xf32>) -> tensor<?x2xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%d, %v : tensor<?x?xf16>, tensor<?x2xf32>) outs(%fo : tensor<?x2xf32>) {
  ^bb0(%a: f16, %b: f32, %acc: f32):
    %ae = arith.extf %a : f16 to f32
    %ab = arith.mulf %ae, %b : f32
    %sum = arith.addf %acc, %ab : f32
    linalg.yield %sum : f32
  } -> tensor<?x2xf32>
  return %o, %p : tensor<?x2xf32>, tensor<?x?xf32>
}
