// Remarks of reductions that are no online ops: how accumulators follow them
// or, where that cannot be, why not.

// RUN: linalg-ext-opt %s -o %t --split-input-file --linalg-ext-tile-and-fuse='levels="for(0,0,8)"' --remarks-filter='linalg-ext.*' 2>&1 | FileCheck %s
// RUN: linalg-ext-opt %s -o %t --split-input-file --linalg-ext-tile-and-fuse='levels="for(0,0,8)" exactness=exact' --remarks-filter-missed='linalg-ext.*' 2>&1 | FileCheck %s --check-prefix=EXACT

#tile = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

//   CHECK-NOT: Missed
//       CHECK: [Passed] fused | {{.*}} | Function=softmax | Levels=1, Op=linalg.generic, Partial=true
//   CHECK-NOT: Missed
//   CHECK-DAG: [Passed] repaired | {{.*}} | Function=softmax | After=linalg.generic, Exactness=reassociated, Kind=scale, Measure=difference, Op=linalg.generic{{$}}
//   CHECK-DAG: [Passed] repaired | {{.*}} | Function=softmax | After=linalg.generic, Exactness=reassociated, Kind=scale, Measure=difference, Op=linalg.matmul{{$}}
//   CHECK-DAG: [Passed] repaired | {{.*}} | Function=softmax | After=linalg.generic, Deferred=true, Exactness=reassociated, Kind=scale, Measure=ratio, Op=linalg.matmul{{$}}

// EXACT: [Missed] not-fused | {{.*}} | Function=softmax | Op=linalg.generic, Reason="expected a fusion that is exact, got one that is reassociated", Suggestion="accept it with the option exactness, or leave the dimension that is reduced whole"
func.func @softmax(%s: tensor<4x16xf32>, %se: tensor<4x16xf32>, %e: tensor<4xf32>, %v: tensor<16x2xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %m0 = linalg.fill ins(%minus_inf : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.generic {indexing_maps = [#tile, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<4x16xf32>) outs(%m0 : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.maximumf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %x = linalg.generic {indexing_maps = [#tile, #row, #tile], iterator_types = ["parallel", "parallel"]} ins(%s, %m : tensor<4x16xf32>, tensor<4xf32>) outs(%se : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x16xf32>
  %l = linalg.generic {indexing_maps = [#tile, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x16xf32>) outs(%l0 : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#tile, #row, #tile], iterator_types = ["parallel", "parallel"]} ins(%x, %l : tensor<4x16xf32>, tensor<4xf32>) outs(%se : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %of = linalg.fill ins(%zero : f32) outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>
  %r = linalg.matmul {linalg_ext.root} ins(%p, %v : tensor<4x16xf32>, tensor<16x2xf32>) outs(%of : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// -----

#tile = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

// log(exp(x - m) + 1): neither a multiple nor a shift of what it was.
// CHECK: [Missed] not-fused | {{.*}} | Function=squashed | Op=linalg.generic, Reason="'linalg.generic' between 'linalg.generic' and the root does not commute with the repair: {{[^"]*}}", Suggestion="if it is part of a softmax, run linalg-ext-raise first; otherwise leave the dimension that it reduces whole"
func.func @squashed(%s: tensor<4x16xf32>, %se: tensor<4x16xf32>, %e: tensor<4xf32>, %v: tensor<16x2xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %minus_inf = arith.constant 0xFF800000 : f32
  %m0 = linalg.fill ins(%minus_inf : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.generic {indexing_maps = [#tile, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<4x16xf32>) outs(%m0 : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.maximumf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %x = linalg.generic {indexing_maps = [#tile, #row, #tile], iterator_types = ["parallel", "parallel"]} ins(%s, %m : tensor<4x16xf32>, tensor<4xf32>) outs(%se : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    %2 = math.log1p %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  %r = linalg.matmul {linalg_ext.root} ins(%x, %v : tensor<4x16xf32>, tensor<16x2xf32>) outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// -----

#tile = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

// The sum starts from an argument.
// CHECK: [Missed] not-fused | {{.*}} | Function=not_neutral | Op=linalg.generic, Reason="{{[^"]*}} accumulates on values that are not neutral{{[^"]*}}", Suggestion="fill what it accumulates on with the neutral element, and combine the result with what was there afterwards"
func.func @not_neutral(%s: tensor<4x16xf32>, %se: tensor<4x16xf32>, %e: tensor<4xf32>, %l0: tensor<4xf32>, %v: tensor<16x2xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %minus_inf = arith.constant 0xFF800000 : f32
  %m0 = linalg.fill ins(%minus_inf : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.generic {indexing_maps = [#tile, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<4x16xf32>) outs(%m0 : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.maximumf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %x = linalg.generic {indexing_maps = [#tile, #row, #tile], iterator_types = ["parallel", "parallel"]} ins(%s, %m : tensor<4x16xf32>, tensor<4xf32>) outs(%se : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x16xf32>
  %l = linalg.generic {indexing_maps = [#tile, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x16xf32>) outs(%l0 : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#tile, #row, #tile], iterator_types = ["parallel", "parallel"]} ins(%x, %l : tensor<4x16xf32>, tensor<4xf32>) outs(%se : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %r = linalg.matmul {linalg_ext.root} ins(%p, %v : tensor<4x16xf32>, tensor<16x2xf32>) outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// -----

// What a level cuts of an op without maps is not known.
// CHECK: [Missed] not-fused | {{.*}} | Function=not_raised | Op=linalg.softmax, Reason="the level may cut any of its loops, and one of them reduces", Suggestion="if it is part of a softmax, run linalg-ext-raise first; otherwise write it as a linalg op with indexing maps"
func.func @not_raised(%s: tensor<4x16xf32>, %se: tensor<4x16xf32>, %v: tensor<16x2xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %p = linalg.softmax dimension(1) ins(%s : tensor<4x16xf32>) outs(%se : tensor<4x16xf32>) -> tensor<4x16xf32>
  %r = linalg.matmul {linalg_ext.root} ins(%p, %v : tensor<4x16xf32>, tensor<16x2xf32>) outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
