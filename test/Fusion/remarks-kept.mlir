// What to do about producers that stay outside. Dimensions of the root: (m, n, k).

// RUN: linalg-ext-opt %s -o %t --linalg-ext-tile-and-fuse='levels="for(0,0,4)"' --remarks-filter='linalg-ext.*' 2>&1 | FileCheck %s

func.func private @scores() -> tensor<4x8xf32>

// CHECK: [Missed] not-fused | {{.*}} | Function=call | Op=func.call, Reason="it cannot be tiled", Suggestion="write it as a linalg op on tensors"
func.func @call(%v: tensor<8x2xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %s = func.call @scores() : () -> tensor<4x8xf32>
  %0 = linalg.matmul {linalg_ext.root} ins(%s, %v : tensor<4x8xf32>, tensor<8x2xf32>) outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// The sum of a softmax, with its exponentials.
// CHECK: [Missed] not-fused | {{.*}} | Function=not_raised | Op=linalg.generic, Reason="the level cuts a reduction of it that has no state", Suggestion="if it is part of a softmax, run linalg-ext-raise first; otherwise leave the dimension that it reduces whole"
func.func @not_raised(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %l: tensor<4xf32>, %v: tensor<8x2xf32>, %o: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4xf32>) {
  %e:2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%y, %l : tensor<4x8xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %t = math.exp %a : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %t, %s : f32, f32
  } -> (tensor<4x8xf32>, tensor<4xf32>)
  %0 = linalg.matmul {linalg_ext.root} ins(%e#0, %v : tensor<4x8xf32>, tensor<8x2xf32>) outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0, %e#1 : tensor<4x2xf32>, tensor<4xf32>
}

// CHECK: [Missed] not-fused | {{.*}} | Function=pad | Op=tensor.pad, Reason="its padding is computed in its body", Suggestion="pad with a value from outside of the body"
func.func @pad(%x: tensor<4x6xf32>, %z: tensor<f32>, %v: tensor<8x2xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %p = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    %c = tensor.extract %z[] : tensor<f32>
    tensor.yield %c : f32
  } : tensor<4x6xf32> to tensor<4x8xf32>
  %0 = linalg.matmul {linalg_ext.root} ins(%p, %v : tensor<4x8xf32>, tensor<8x2xf32>) outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// What an earlier root became is no missed fusion.
//  CHECK-NOT: Missed
//      CHECK: [Analysis] outside | {{.*}} | Function=two_roots | Op=scf.for, Reason="it cannot be tiled"{{$}}
func.func @two_roots(%a: tensor<4x8xf32>, %b: tensor<8x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.matmul {linalg_ext.root} ins(%a, %b : tensor<4x8xf32>, tensor<8x8xf32>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul {linalg_ext.root} ins(%0, %b : tensor<4x8xf32>, tensor<8x8xf32>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
