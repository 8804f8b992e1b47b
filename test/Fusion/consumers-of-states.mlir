// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-tile-and-fuse='levels="forall(4)for(0,0,8)" fuse-consumers' --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-tile-and-fuse='levels="forall(4)for(0,0,8)" fuse-consumers explain=text' -o %t 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// The log-sum-exp is computed from the states where they are final. Weights are not: a tile of
// states has one element for a row of them. A factor for each of the 6 columns of the root is.

// EXPLAIN: follow 'linalg.generic' into level 0
// EXPLAIN: leave 'linalg.generic': it has more columns than the root, and reads states only
// EXPLAIN: follow 'linalg.generic' into level 0
// EXPLAIN: 'linalg.generic': FLOPs 20 -> 20, read 80 -> 0, written 40 -> 40
// EXPLAIN: 'linalg.generic': FLOPs 60 -> 60, read 64 -> 72, written 240 -> 240

// CHECK-LABEL: func @states
// CHECK:         scf.forall {{.*}} -> (
// CHECK:           scf.for
// CHECK:             linalg_ext.softmax
// CHECK:           math.log
// CHECK:           arith.addf
// CHECK:           arith.mulf
// CHECK:           scf.forall.in_parallel
// CHECK:         }
// CHECK-NOT:     math.log
// CHECK:         arith.addf
// CHECK-NOT:     arith.mulf
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
#id = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i) -> (i)>
func.func @states(%s: tensor<10x37xf32>, %v: tensor<37x6xf32>, %x: tensor<10x37xf32>, %y: tensor<6xf32>)
    -> (tensor<10x6xf32>, tensor<10xf32>, tensor<10x37xf32>, tensor<10x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %re = tensor.empty() : tensor<10xf32>
  %mf = linalg.fill ins(%ninf : f32) outs(%re : tensor<10xf32>) -> tensor<10xf32>
  %m = linalg.reduce {arith.maximumf} ins(%s : tensor<10x37xf32>) outs(%mf : tensor<10xf32>) dimensions = [1]
  %se = tensor.empty() : tensor<10x37xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %m : tensor<10x37xf32>, tensor<10xf32>) outs(%se : tensor<10x37xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<10x37xf32>
  %lf = linalg.fill ins(%zero : f32) outs(%re : tensor<10xf32>) -> tensor<10xf32>
  %l = linalg.reduce {arith.addf} ins(%p : tensor<10x37xf32>) outs(%lf : tensor<10xf32>) dimensions = [1]
  %lse = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]} ins(%m, %l : tensor<10xf32>, tensor<10xf32>) outs(%re : tensor<10xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %g = math.log %b : f32
    %r = arith.addf %a, %g : f32
    linalg.yield %r : f32
  } -> tensor<10xf32>
  %wide = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %lse : tensor<10x37xf32>, tensor<10xf32>) outs(%se : tensor<10x37xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<10x37xf32>
  %fe = tensor.empty() : tensor<10x6xf32>
  %factor = linalg.generic {indexing_maps = [#col, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %lse : tensor<6xf32>, tensor<10xf32>) outs(%fe : tensor<10x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<10x6xf32>
  %oe = tensor.empty() : tensor<10x6xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<10x6xf32>) -> tensor<10x6xf32>
  %w = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<10x37xf32>, tensor<10xf32>) outs(%se : tensor<10x37xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<10x37xf32>
  %out = linalg.matmul {linalg_ext.root} ins(%w, %v : tensor<10x37xf32>, tensor<37x6xf32>) outs(%of : tensor<10x6xf32>) -> tensor<10x6xf32>
  return %out, %lse, %wide, %factor : tensor<10x6xf32>, tensor<10xf32>, tensor<10x37xf32>, tensor<10x6xf32>
}
