// States that the loops cannot carry together stay outside.

// RUN: linalg-ext-opt %s -o %t --split-input-file --linalg-ext-tile-and-fuse='levels="for(0,0,0,4) for(0,0,4)"' --remarks-filter-missed='linalg-ext.*' 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: linalg-ext-opt %s -o %t --split-input-file --linalg-ext-tile-and-fuse='levels="for(0,0,0,8) for(1)"' --remarks-filter-missed='linalg-ext.*' 2>&1 | FileCheck %s --check-prefix=PART

// Two sums over two dimensions that two levels cut: the states of one would
// begin inside of those of the other.
// SEVERAL: [Missed] not-fused | {{.*}} | Function=two_dims | Op=linalg.generic, Reason="expected all states to be carried from one level on, got levels 0 and 1", Suggestion="tile only one of the dimensions that are reduced"
#tile = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @two_dims(%a: tensor<4x16x16xf32>, %b: tensor<4x16xf32>, %se: tensor<4x16xf32>, %e: tensor<4xf32>, %v: tensor<16x16x2xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %l0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %k0 = linalg.fill ins(%zero : f32) outs(%se : tensor<4x16xf32>) -> tensor<4x16xf32>
  %la = linalg.generic {indexing_maps = [affine_map<(m, i, j) -> (m, i, j)>, affine_map<(m, i, j) -> (m, j)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%a : tensor<4x16x16xf32>) outs(%k0 : tensor<4x16xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %0 = arith.addf %x, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %lb = linalg.generic {indexing_maps = [#tile, #row], iterator_types = ["parallel", "reduction"]} ins(%b : tensor<4x16xf32>) outs(%l0 : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %0 = arith.addf %x, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, i, j) -> (m, i, j)>, affine_map<(m, i, j) -> (m, j)>, affine_map<(m, i, j) -> (m, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %la : tensor<4x16x16xf32>, tensor<4x16xf32>) outs(%a : tensor<4x16x16xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.divf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<4x16x16xf32>
  %q = linalg.generic {indexing_maps = [#tile, #row, #tile], iterator_types = ["parallel", "parallel"]} ins(%b, %lb : tensor<4x16xf32>, tensor<4xf32>) outs(%se : tensor<4x16xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.divf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %of = linalg.fill ins(%zero : f32) outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, e, i, j) -> (m, i, j)>, affine_map<(m, e, i, j) -> (m, j)>, affine_map<(m, e, i, j) -> (i, j, e)>, affine_map<(m, e, i, j) -> (m, e)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%p, %q, %v : tensor<4x16x16xf32>, tensor<4x16xf32>, tensor<16x16x2xf32>) outs(%of : tensor<4x2xf32>) attrs = {linalg_ext.root} {
  ^bb0(%x: f32, %y: f32, %z: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.mulf %0, %z : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// -----

// The sum has heads, the maximum has none: a level of heads inside of keys
// would carry one state and not the other.
// PART: [Missed] not-fused | {{.*}} | Function=some_states | Op=linalg.generic, Reason="expected a level to fuse all ops that follow a state or none of them, got some of them at level 1", Suggestion="leave dimensions whole that only some of these ops have"
#tile = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @some_states(%s: tensor<4x16xf32>, %w: tensor<6x4x16xf32>, %e: tensor<4xf32>, %f: tensor<6x4xf32>, %v: tensor<6x16x2xf32>, %o: tensor<6x4x2xf32>) -> tensor<6x4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %m0 = linalg.fill ins(%minus_inf : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%f : tensor<6x4xf32>) -> tensor<6x4xf32>
  %m = linalg.generic {indexing_maps = [#tile, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<4x16xf32>) outs(%m0 : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.maximumf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (m, n)>, affine_map<(h, m, n) -> (m)>, affine_map<(h, m, n) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %m : tensor<4x16xf32>, tensor<4xf32>) outs(%w : tensor<6x4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    %2 = arith.mulf %1, %c : f32
    linalg.yield %2 : f32
  } -> tensor<6x4x16xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>, affine_map<(h, m, n) -> (h, m)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<6x4x16xf32>) outs(%l0 : tensor<6x4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<6x4xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>, affine_map<(h, m, n) -> (h, m)>, affine_map<(h, m, n) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %l : tensor<6x4x16xf32>, tensor<6x4xf32>) outs(%w : tensor<6x4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<6x4x16xf32>
  %of = linalg.fill ins(%zero : f32) outs(%o : tensor<6x4x2xf32>) -> tensor<6x4x2xf32>
  %r = linalg.batch_matmul {linalg_ext.root} ins(%p, %v : tensor<6x4x16xf32>, tensor<6x16x2xf32>) outs(%of : tensor<6x4x2xf32>) -> tensor<6x4x2xf32>
  return %r : tensor<6x4x2xf32>
}
