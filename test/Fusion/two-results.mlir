// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="forall(0,3)"' -o /dev/null | FileCheck %s

// The loop cuts the dimension along which the other result is summed.

// CHECK: keep 'linalg.generic': the level cuts a reduction of it that has no state

func.func @two_results(%x: tensor<4x8xf32>, %v: tensor<4x8xf32>, %r: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %ee = tensor.empty() : tensor<4x8xf32>
  %lz = arith.constant 0.0 : f32
  %le = tensor.empty() : tensor<4xf32>
  %lf = linalg.fill ins(%lz : f32) outs(%le : tensor<4xf32>) -> tensor<4xf32>
  %e:2 = linalg.generic {indexing_maps=[affine_map<(m,n)->(m,n)>, affine_map<(m,n)->(m,n)>, affine_map<(m,n)->(m)>], iterator_types=["parallel","reduction"]} ins(%x : tensor<4x8xf32>) outs(%ee, %lf : tensor<4x8xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %t = math.exp %a : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %t, %s : f32, f32
  } -> (tensor<4x8xf32>, tensor<4xf32>)
  %o = linalg.generic {indexing_maps=[affine_map<(m,n)->(m,n)>, affine_map<(m,n)->(m,n)>, affine_map<(m,n)->(m,n)>], iterator_types=["parallel", "parallel"]} ins(%e#0, %v : tensor<4x8xf32>, tensor<4x8xf32>) outs(%r : tensor<4x8xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %t = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %o, %e#1 : tensor<4x8xf32>, tensor<4xf32>
}
