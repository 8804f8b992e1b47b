// RUN: linalg-ext-opt %s -linalg-ext-raise -linalg-ext-tile-and-fuse='levels="forall(2) for(0,0,4)"' | FileCheck %s

// Sizes are computed once, not once more for each op before the softmax: without
// that, their number doubles with each (44 in place of 12 here).

// CHECK-LABEL: func.func @chain
// CHECK-COUNT-12: tensor.dim
//   CHECK-NOT: tensor.dim

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @chain(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = tensor.dim %q, %c0 : tensor<?x?xf32>
  %N = tensor.dim %k, %c0 : tensor<?x?xf32>
  %E = tensor.dim %v, %c1 : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %se = tensor.empty(%M, %N) : tensor<?x?xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<?x?xf32>) -> tensor<?x?xf32>
  %x0 = linalg.matmul indexing_maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n, d)>, affine_map<(m, n, d) -> (m, n)>] ins(%q, %k : tensor<?x?xf32>, tensor<?x?xf32>) outs(%s0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %x1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x0 : tensor<?x?xf32>) outs(%se : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.mulf %a, %half : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %x2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x1 : tensor<?x?xf32>) outs(%se : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.mulf %a, %half : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %x3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x2 : tensor<?x?xf32>) outs(%se : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.mulf %a, %half : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %x4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x3 : tensor<?x?xf32>) outs(%se : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.mulf %a, %half : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %p = linalg.softmax dimension(1) ins(%x4 : tensor<?x?xf32>) outs(%se : tensor<?x?xf32>) -> tensor<?x?xf32>
  %oe = tensor.empty(%M, %E) : tensor<?x?xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<?x?xf32>) -> tensor<?x?xf32>
  %o = linalg.matmul ins(%p, %v : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %o : tensor<?x?xf32>
}
