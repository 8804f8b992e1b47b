// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,3)"' -o /dev/null | FileCheck %s

// The tiles along a parallel dimension of the root are never met again.

// CHECK: refused: expected the dimension that 'linalg_ext.softmax' reduces to be cut by a reduction of the root, got parallel dimension 1

func.func @parallel_cut(%x: tensor<4x8xf32>, %v: tensor<4x8xf32>, %r: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %ye = tensor.empty() : tensor<4x8xf32>
  %se = tensor.empty() : tensor<4xf32>
  %mi = arith.constant 0xFF800000 : f32
  %m0 = linalg.fill ins(%mi : f32) outs(%se : tensor<4xf32>) -> tensor<4xf32>
  %lz = arith.constant 0.0 : f32
  %l0 = linalg.fill ins(%lz : f32) outs(%se : tensor<4xf32>) -> tensor<4xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%ye, %m0, %l0, %se : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %o = linalg.generic {indexing_maps=[affine_map<(m,n)->(m,n)>, affine_map<(m,n)->(m,n)>, affine_map<(m,n)->(m,n)>], iterator_types=["parallel", "parallel"]} ins(%p#0, %v : tensor<4x8xf32>, tensor<4x8xf32>) outs(%r : tensor<4x8xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %t = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %o : tensor<4x8xf32>
}
