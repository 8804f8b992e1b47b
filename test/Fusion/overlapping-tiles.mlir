// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="forall(2,2)"' -o /dev/null | FileCheck %s

// Both operands of the root are one value, cut by rows on one side and by
// columns on the other: its producer is computed twice in every iteration, and
// yielding would race.

// CHECK: fuse 'linalg.exp'{{$}}
// CHECK: fuse 'linalg.exp'{{$}}
// CHECK-NOT: yields

func.func @overlapping_tiles(%x: tensor<4x8xf32>) -> (tensor<4x4xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %X = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %S = linalg.exp ins(%X : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %ze = tensor.empty() : tensor<4x4xf32>
  %zc = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zc : f32) outs(%ze : tensor<4x4xf32>) -> tensor<4x4xf32>
  %o = linalg.generic {indexing_maps=[affine_map<(i,j,k)->(i,k)>, affine_map<(i,j,k)->(j,k)>, affine_map<(i,j,k)->(i,j)>], iterator_types=["parallel", "parallel", "reduction"]} ins(%S, %S : tensor<4x8xf32>, tensor<4x8xf32>) outs(%z : tensor<4x4xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %t = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %o, %X : tensor<4x4xf32>, tensor<4x8xf32>
}
