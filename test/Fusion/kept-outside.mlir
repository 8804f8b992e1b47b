// RUN: linalg-ext-opt %s --split-input-file --test-linalg-ext-plan='levels="for(0,0,2)"' -o /dev/null | FileCheck %s

// What cannot be repaired stays outside: plain reductions have no other reason to
// be cut.

// A payload that captures the running max would read it whole, and final.
// CHECK: captures what 'linalg.generic' yields, which follows a state
// CHECK-NOT: state
func.func @f(%x: tensor<4x6xf32>, %v: tensor<6x5xf32>) -> (tensor<4x5xf32>) {
  %e1 = tensor.empty() : tensor<4xf32>
  %c3 = arith.constant 0xFF800000 : f32
  %f2 = linalg.fill ins(%c3 : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %r4 = linalg.generic {indexing_maps=[affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i)>], iterator_types=["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%f2 : tensor<4xf32>)  {
  ^bb0(%a0: f32, %acc: f32):
    %y = arith.maximumf %acc, %a0 : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %e5 = tensor.empty() : tensor<4x6xf32>
  %r6 = linalg.generic {indexing_maps=[affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i)>, affine_map<(i,j) -> (i,j)>], iterator_types=["parallel", "parallel"]} ins(%x, %r4 : tensor<4x6xf32>, tensor<4xf32>) outs(%e5 : tensor<4x6xf32>)  {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %s = arith.subf %a0, %a1 : f32
     %y = math.exp %s : f32
    linalg.yield %y : f32
  } -> tensor<4x6xf32>
  %e7 = tensor.empty() : tensor<4xf32>
  %c9 = arith.constant 0.0 : f32
  %f8 = linalg.fill ins(%c9 : f32) outs(%e7 : tensor<4xf32>) -> tensor<4xf32>
  %r10 = linalg.generic {indexing_maps=[affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i)>], iterator_types=["parallel", "reduction"]} ins(%r6 : tensor<4x6xf32>) outs(%f8 : tensor<4xf32>)  {
  ^bb0(%a0: f32, %acc: f32):
    %y = arith.addf %acc, %a0 : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %e11 = tensor.empty() : tensor<4x6xf32>
  %r12 = linalg.generic {indexing_maps=[affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i)>, affine_map<(i,j) -> (i,j)>], iterator_types=["parallel", "parallel"]} ins(%r6, %r10 : tensor<4x6xf32>, tensor<4xf32>) outs(%e11 : tensor<4x6xf32>)  {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %y = arith.divf %a0, %a1 : f32
    linalg.yield %y : f32
  } -> tensor<4x6xf32>
  %e13 = tensor.empty() : tensor<4x6xf32>
  %r14 = linalg.generic {indexing_maps=[affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i)>, affine_map<(i,j) -> (i,j)>], iterator_types=["parallel", "parallel"]} ins(%x, %r10 : tensor<4x6xf32>, tensor<4xf32>) outs(%e13 : tensor<4x6xf32>)  {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %ix = linalg.index 0 : index
     %mv = tensor.extract %r4[%ix] : tensor<4xf32>
     %s = arith.subf %a0, %mv : f32
     %e = math.exp %s : f32
     %y = arith.divf %e, %a1 : f32
    linalg.yield %y : f32
  } -> tensor<4x6xf32>
  %e15 = tensor.empty() : tensor<4x5xf32>
  %c17 = arith.constant 0.0 : f32
  %f16 = linalg.fill ins(%c17 : f32) outs(%e15 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r18 = linalg.generic {indexing_maps=[affine_map<(i,d,j) -> (i,j)>, affine_map<(i,d,j) -> (j,d)>, affine_map<(i,d,j) -> (i,d)>], iterator_types=["parallel", "parallel", "reduction"]} ins(%r14, %v : tensor<4x6xf32>, tensor<6x5xf32>) outs(%f16 : tensor<4x5xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %z = arith.mulf %a0, %a1 : f32
     %y = arith.addf %acc, %z : f32
    linalg.yield %y : f32
  } -> tensor<4x5xf32>
  return %r18 : tensor<4x5xf32>
}

// -----

// relu(x / sum(x)): the running sum may change its sign.
// CHECK: is not a multiple or a shift of what the repair makes of it
// CHECK-NOT: state
func.func @f(%x: tensor<4x6xf32>, %v: tensor<6x5xf32>) -> (tensor<4x5xf32>) {
  %e1 = tensor.empty() : tensor<4xf32>
  %c3 = arith.constant 0.0 : f32
  %f2 = linalg.fill ins(%c3 : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %r4 = linalg.generic {indexing_maps=[affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i)>], iterator_types=["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%f2 : tensor<4xf32>)  {
  ^bb0(%a0: f32, %acc: f32):
    %y = arith.addf %acc, %a0 : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %e5 = tensor.empty() : tensor<4x6xf32>
  %r6 = linalg.generic {indexing_maps=[affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i)>, affine_map<(i,j) -> (i,j)>], iterator_types=["parallel", "parallel"]} ins(%x, %r4 : tensor<4x6xf32>, tensor<4xf32>) outs(%e5 : tensor<4x6xf32>)  {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %q = arith.divf %a0, %a1 : f32
     %z = arith.constant 0.0 : f32
     %y = arith.maximumf %q, %z : f32
    linalg.yield %y : f32
  } -> tensor<4x6xf32>
  %e7 = tensor.empty() : tensor<4x5xf32>
  %c9 = arith.constant 0.0 : f32
  %f8 = linalg.fill ins(%c9 : f32) outs(%e7 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r10 = linalg.generic {indexing_maps=[affine_map<(i,d,j) -> (i,j)>, affine_map<(i,d,j) -> (j,d)>, affine_map<(i,d,j) -> (i,d)>], iterator_types=["parallel", "parallel", "reduction"]} ins(%r6, %v : tensor<4x6xf32>, tensor<6x5xf32>) outs(%f8 : tensor<4x5xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %z = arith.mulf %a0, %a1 : f32
     %y = arith.addf %acc, %z : f32
    linalg.yield %y : f32
  } -> tensor<4x5xf32>
  return %r10 : tensor<4x5xf32>
}

// -----

// A comparison of two shifts cancels, and nobody would guard what tiles take.
// CHECK: in a way that cancels
// CHECK-NOT: state
func.func @f(%x: tensor<4x6xf32>, %yy: tensor<4x6xf32>, %v: tensor<6x5xf32>) -> (tensor<4x5xf32>) {
  %e1 = tensor.empty() : tensor<4xf32>
  %c3 = arith.constant 0xFF800000 : f32
  %f2 = linalg.fill ins(%c3 : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %r4 = linalg.generic {indexing_maps=[affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i)>], iterator_types=["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%f2 : tensor<4xf32>)  {
  ^bb0(%a0: f32, %acc: f32):
    %y = arith.maximumf %acc, %a0 : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %e5 = tensor.empty() : tensor<4x6xf32>
  %r6 = linalg.generic {indexing_maps=[affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i,j)>, affine_map<(i,j) -> (i)>, affine_map<(i,j) -> (i,j)>], iterator_types=["parallel", "parallel"]} ins(%x, %yy, %r4 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4xf32>) outs(%e5 : tensor<4x6xf32>)  {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %acc: f32):
    %s = arith.subf %a0, %a2 : f32
     %t = arith.subf %a1, %a2 : f32
     %c = arith.cmpf olt, %s, %t : f32
     %k = arith.constant 1.0 : f32
     %k2 = arith.constant 2.0 : f32
     %y = arith.select %c, %k, %k2 : f32
    linalg.yield %y : f32
  } -> tensor<4x6xf32>
  %e7 = tensor.empty() : tensor<4x5xf32>
  %c9 = arith.constant 0.0 : f32
  %f8 = linalg.fill ins(%c9 : f32) outs(%e7 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r10 = linalg.generic {indexing_maps=[affine_map<(i,d,j) -> (i,j)>, affine_map<(i,d,j) -> (j,d)>, affine_map<(i,d,j) -> (i,d)>], iterator_types=["parallel", "parallel", "reduction"]} ins(%r6, %v : tensor<4x6xf32>, tensor<6x5xf32>) outs(%f8 : tensor<4x5xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a0: f32, %a1: f32, %acc: f32):
    %z = arith.mulf %a0, %a1 : f32
     %y = arith.addf %acc, %z : f32
    linalg.yield %y : f32
  } -> tensor<4x5xf32>
  return %r10 : tensor<4x5xf32>
}

// -----

// max(x / sum(x)): where the sum changes its sign, the maximum is another.
// CHECK: the accumulated term is not a multiple or a shift of what the repair makes of it
// CHECK-NOT: state
func.func @f(%x: tensor<4x5x6xf32>, %s0: tensor<4xf32>, %m0: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %sum = linalg.generic {indexing_maps=[affine_map<(i,j,d) -> (i,d,j)>, affine_map<(i,j,d) -> (i)>], iterator_types=["parallel", "reduction", "reduction"]} ins(%x : tensor<4x5x6xf32>) outs(%s0 : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %y = arith.addf %acc, %a : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %max = linalg.generic {indexing_maps=[affine_map<(i,d,j) -> (i,d,j)>, affine_map<(i,d,j) -> (i)>, affine_map<(i,d,j) -> (i,d)>], iterator_types=["parallel", "parallel", "reduction"]} ins(%x, %sum : tensor<4x5x6xf32>, tensor<4xf32>) outs(%m0 : tensor<4x5xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %s: f32, %acc: f32):
    %q = arith.divf %a, %s : f32
    %y = arith.maximumf %acc, %q : f32
    linalg.yield %y : f32
  } -> tensor<4x5xf32>
  return %max : tensor<4x5xf32>
}
