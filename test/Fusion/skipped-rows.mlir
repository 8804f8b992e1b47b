// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(1)"' -o /dev/null | FileCheck %s

// The loop reads every other row: what it computes of the exponential is not
// all of it, and somebody else needs all.

// CHECK: fuse 'linalg.exp'{{$}}
// CHECK-NOT: yields

func.func @skipped_rows(%x: tensor<8x6xf32>) -> (tensor<4xf32>, tensor<8x6xf32>) {
  %ee = tensor.empty() : tensor<8x6xf32>
  %e = linalg.exp ins(%x : tensor<8x6xf32>) outs(%ee : tensor<8x6xf32>) -> tensor<8x6xf32>
  %ze = tensor.empty() : tensor<4xf32>
  %zc = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zc : f32) outs(%ze : tensor<4xf32>) -> tensor<4xf32>
  %o = linalg.generic {indexing_maps=[affine_map<(m,k)->(m*2,k)>, affine_map<(m,k)->(m)>], iterator_types=["parallel", "reduction"]} ins(%e : tensor<8x6xf32>) outs(%z : tensor<4xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %o, %e : tensor<4xf32>, tensor<8x6xf32>
}
