// A softmax written with upstream's ops is explained as it will be fused: its
// maximum and sum are states, accumulators follow them. Numbers are those of
// the closed forms in unittests/Fusion/Cost/FusionCostTest.cpp; M = 8 rows,
// N = 20 keys, heads of 5.

// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(3,0,8)" explain=text' -o %t 2>&1 | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(3,0,8)" explain=json' -o %t 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(3,0,8)" normalization=eager explain=text' -o %t 2>&1 | FileCheck %s --check-prefix=EAGER
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(3,0,8)" exactness=exact explain=text' -o %t 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: linalg-ext-opt %s --linalg-ext-raise --linalg-ext-tile-and-fuse='levels="for(3,0,8)" explain=text' -o %t 2>&1 | FileCheck %s --check-prefix=RAISED
//
// RUN: not linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(3)" exactness=most explain=text' -o %t 2>&1 | FileCheck %s --check-prefix=INVALID
// INVALID: error: invalid option 'exactness': expected 'exact', 'reassociated' or 'rounding', got 'most'

//      CHECK: root 'linalg.matmul'
//      CHECK: level 1: for tiles [0, 0, 8]
// CHECK-COUNT-2: partial, yields [0]
//      CHECK: repair 'linalg.generic': scale by -1.00 times the difference of 'linalg.generic'#0
//      CHECK: repair root 'linalg.matmul': scale by {{.*}}, after the loops
// CHECK-NEXT: exactness: reassociated
// CHECK-NEXT: cost, unfused -> fused
//      CHECK:   bytes moved 8096 -> 2720 (x0.336)
//      CHECK:   bytes read {{.*}} -> 2560
//      CHECK:   bytes written {{.*}} -> 160
//      CHECK:   repairs: FLOPs 0 -> 184

// What is left to move is what the raised form moves.
// RAISED: bytes moved {{.*}} -> 2720

//      JSON: {"consumers":[],"cost":{"after":{"bytes_read":2560,"bytes_written":160,
// JSON-SAME: "exactness":"reassociated","first_level":1,"function":"attention","last_level":1,
// JSON-SAME: "cut_dim":1,{{.*}}"partial":true,"recomputed":false,"whole":false,"yields":[0]
// JSON-SAME: "repairs":[{"accumulator":"linalg.generic","factors":[{"coefficient":-1,"deferred":false,"dims":[0],"kind":"scale",{{.*}}"measure":"difference","result":0,"source":"linalg.generic"}]
// JSON-SAME: {"accumulator":"linalg.matmul","factors":[{{.*}}{"coefficient":-1,"deferred":true,"dims":[0],"kind":"scale",{{.*}}"measure":"ratio"
// JSON-SAME: "states":[{"location":"{{.*}}explain-chain.mlir:[[#@LINE+19]]:8","op":"linalg.generic"},

// EAGER-NOT: after the loops
//     EAGER:   repairs: FLOPs 0 -> 264

// EXACT: keep 'linalg.generic': expected a fusion that is exact, got one that is reassociated
// EXACT-NOT: repair

#tile = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @attention(%q: tensor<8x5xf32>, %k: tensor<5x20xf32>, %v: tensor<20x5xf32>) -> tensor<8x5xf32> {
  %zero = arith.constant 0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<8x20xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<8x20xf32>) -> tensor<8x20xf32>
  %s = linalg.matmul ins(%q, %k : tensor<8x5xf32>, tensor<5x20xf32>) outs(%sf : tensor<8x20xf32>) -> tensor<8x20xf32>
  %e = tensor.empty() : tensor<8xf32>
  %m0 = linalg.fill ins(%minus_inf : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#tile, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<8x20xf32>) outs(%m0 : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.maximumf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %x = linalg.generic {indexing_maps = [#tile, #row, #tile], iterator_types = ["parallel", "parallel"]} ins(%s, %m : tensor<8x20xf32>, tensor<8xf32>) outs(%se : tensor<8x20xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x20xf32>
  %l = linalg.generic {indexing_maps = [#tile, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x20xf32>) outs(%l0 : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %0 = arith.addf %a, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#tile, #row, #tile], iterator_types = ["parallel", "parallel"]} ins(%x, %l : tensor<8x20xf32>, tensor<8xf32>) outs(%se : tensor<8x20xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x20xf32>
  %oe = tensor.empty() : tensor<8x5xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x5xf32>) -> tensor<8x5xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x20xf32>, tensor<20x5xf32>) outs(%of : tensor<8x5xf32>) -> tensor<8x5xf32>
  return %o : tensor<8x5xf32>
}
