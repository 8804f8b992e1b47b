// RUN: linalg-ext-opt %s --linalg-ext-fuse=force=true | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-fuse='levels="for(0,64)"' | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-fuse --remarks-filter=linalg-ext-tile-and-fuse 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(16) for(0,128)" explain=text' -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(16) for(0,128)" explain=json' -o /dev/null 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: linalg-ext-opt %s --linalg-ext-attach-target='chip=generic l1-bytes=1024 l2-bytes=1024' --linalg-ext-tile-and-fuse='levels="forall(16) for(0,128)" explain=text' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PAYS

// A fusion that does not pay, unless it is forced, or told with which levels.

// CHECK: scf.for
// KEPT: [Missed] refused
// KEPT-SAME: it does not pay
// KEPT-SAME: force
// KEPT-NOT: scf.for
// EXPLAIN: cost, unfused -> fused
// EXPLAIN: unprofitable: it does not pay: expected at most 8.00 FLOPs for each byte saved, or 2.0% of those unfused, got {{[0-9]+}} FLOPs on top of {{[0-9]+}}, and 0 bytes saved that do not stay in a cache
// JSON: "loss":"it does not pay: {{.*}}"profitable":false
// PAYS: cost, unfused -> fused
// PAYS-NOT: unprofitable

#x = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>
#h = affine_map<(m, n, k) -> (m, k)>
#e = affine_map<(m, n, k) -> (n, k)>
#s = affine_map<(m, n, k) -> (m, n)>
func.func @loss(%x: tensor<16x4xf32>, %e: tensor<400x4xf32>, %target: tensor<16xi32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %re = tensor.empty() : tensor<16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%re : tensor<16xf32>) -> tensor<16xf32>
  %se = tensor.empty() : tensor<16x400xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<16x400xf32>) -> tensor<16x400xf32>
  %scores = linalg.generic {indexing_maps = [#h, #e, #s],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %e : tensor<16x4xf32>, tensor<400x4xf32>) outs(%sf : tensor<16x400xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    %r = arith.addf %o, %s : f32
    linalg.yield %r : f32
  } -> tensor<16x400xf32>
  %lowest = arith.constant 0xFF800000 : f32
  %lowests = linalg.fill ins(%lowest : f32) outs(%re : tensor<16xf32>) -> tensor<16xf32>
  %max = linalg.generic {indexing_maps = [#x, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%scores : tensor<16x400xf32>) outs(%lowests : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %sum = linalg.generic {indexing_maps = [#x, #row, #row],
      iterator_types = ["parallel", "reduction"]}
      ins(%scores, %max : tensor<16x400xf32>, tensor<16xf32>) outs(%zeros : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %t = math.exp %s : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %lse = linalg.generic {indexing_maps = [#one, #one, #one],
      iterator_types = ["parallel"]}
      ins(%sum, %max : tensor<16xf32>, tensor<16xf32>) outs(%re : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = math.log %a : f32
    %r = arith.addf %s, %b : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %result = linalg.generic {indexing_maps = [#x, #row, #row, #row],
      iterator_types = ["parallel", "reduction"], linalg_ext.root}
      ins(%scores, %lse, %target : tensor<16x400xf32>, tensor<16xf32>, tensor<16xi32>) outs(%zeros : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %o: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %c : i32 to index
    %hit = arith.cmpi eq, %j, %i : index
    %s = arith.subf %b, %a : f32
    %t = arith.select %hit, %s, %zero : f32
    %r = arith.addf %o, %t : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  return %result : tensor<16xf32>
}
