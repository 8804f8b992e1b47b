// A reduction of the root that does not belong to the softmax.

// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,0,0,2) for(0,0,3)"' -o /dev/null | FileCheck %s --check-prefix=OUTSIDE
// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,0,3) for(0,0,0,2)"' -o /dev/null | FileCheck %s --check-prefix=INSIDE

// Outside the key loop it would find an accumulator of a finished state; the
// softmax stays outside of both, whole.
//     OUTSIDE: level 0: for tiles [0, 0, 0, 2]
// OUTSIDE-NEXT:   keep 'linalg_ext.softmax': no loop of the level indexes it
//     OUTSIDE: level 1: for tiles [0, 0, 3, 0]
// OUTSIDE-NEXT:   keep 'linalg_ext.softmax': an enclosing level computes it
// OUTSIDE-NOT: repair

// Inside, the accumulator has been repaired before the loop begins.
// INSIDE: level 1: for tiles [0, 0, 0, 2]
// INSIDE:   keep 'linalg_ext.softmax': no loop of the level indexes it
// INSIDE: repair root

func.func @two_reductions(%x: tensor<4x8xf32>, %v: tensor<8x6x2xf32>, %y: tensor<4x8xf32>, %m: tensor<4xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %m, %m, %m : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k, j) -> (m, k)>, affine_map<(m, n, k, j) -> (k, j, n)>, affine_map<(m, n, k, j) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%p#0, %v : tensor<4x8xf32>, tensor<8x6x2xf32>) outs(%o : tensor<4x2xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %ab = arith.mulf %a, %b : f32
    %sum = arith.addf %acc, %ab : f32
    linalg.yield %sum : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
