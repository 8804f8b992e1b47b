// A local window |row - column| < 9, of any number of tokens: a distance is selected by its
// sign.

// RUN: linalg-ext-check-program %s --sizes=2x3x37x16,2x3x45x16,2x3x45x16 --max-buffer-bytes=9990 --max-kernels=1 --keys=16
// RUN: linalg-ext-opt %s --linalg-ext-normalize | FileCheck %s

// The scores are compared with two bounds that are linear in the positions.

// CHECK-LABEL: func @select_by_sign
// CHECK-NOT: arith.select {{.*}} : i32
// CHECK: arith.cmpi
// CHECK: arith.cmpi
// CHECK: arith.andi
// CHECK-NOT: arith.cmpi
// CHECK: return

#mulA = affine_map<(b, h, m, n, d) -> (b, h, m, d)>
#mulB = affine_map<(b, h, m, n, d) -> (b, h, n, d)>
#mulC = affine_map<(b, h, m, n, d) -> (b, h, m, n)>
#outA = affine_map<(b, h, m, n, e) -> (b, h, m, n)>
#outB = affine_map<(b, h, m, n, e) -> (b, h, n, e)>
#outC = affine_map<(b, h, m, n, e) -> (b, h, m, e)>
#id1 = affine_map<(i) -> (i)>
#id2 = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#id4 = affine_map<(b, h, i, j) -> (b, h, i, j)>
#pair = affine_map<(b, h, i, j) -> (i, j)>
#rows4 = affine_map<(b, h, i, j) -> (b, h, i)>

func.func @select_by_sign(%q: tensor<2x3x?x16xf32>, %k: tensor<2x3x?x16xf32>, %v: tensor<2x3x?x16xf32>) -> tensor<2x3x?x16xf32> {
  %c2 = arith.constant 2 : index
  %M = tensor.dim %q, %c2 : tensor<2x3x?x16xf32>
  %N = tensor.dim %k, %c2 : tensor<2x3x?x16xf32>
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %scale = arith.constant 2.5e-01 : f32
  %width = arith.constant 9 : i32
  %none = arith.constant 0 : i32
  %e0 = tensor.empty(%M, %N) : tensor<2x3x?x?xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x3x?x?xf32>) -> tensor<2x3x?x?xf32>
  %s0 = linalg.generic {indexing_maps = [#mulA, #mulB, #mulC], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x3x?x16xf32>, tensor<2x3x?x16xf32>) outs(%f0 : tensor<2x3x?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %s1 = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s0 : tensor<2x3x?x?xf32>) outs(%e0 : tensor<2x3x?x?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %r = arith.mulf %x, %scale : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %e_rows = tensor.empty(%M) : tensor<?xi32>
  %rows = linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]} outs(%e_rows : tensor<?xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %r = arith.index_cast %i : index to i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e_columns = tensor.empty(%N) : tensor<?xi32>
  %columns = linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]} outs(%e_columns : tensor<?xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %r = arith.index_cast %i : index to i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %ei = tensor.empty(%M, %N) : tensor<?x?xi32>
  %eb = tensor.empty(%M, %N) : tensor<?x?xi1>
  %difference = linalg.generic {indexing_maps = [#row, #column, #id2], iterator_types = ["parallel", "parallel"]} ins(%rows, %columns : tensor<?xi32>, tensor<?xi32>) outs(%ei : tensor<?x?xi32>) {
  ^bb0(%i: i32, %j: i32, %out: i32):
    %r = arith.subi %i, %j : i32
    linalg.yield %r : i32
  } -> tensor<?x?xi32>
  %distance = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%difference : tensor<?x?xi32>) outs(%ei : tensor<?x?xi32>) {
  ^bb0(%d: i32, %out: i32):
    %isPast = arith.cmpi sge, %d, %none : i32
    %n = arith.subi %none, %d : i32
    %r = arith.select %isPast, %d, %n : i32
    linalg.yield %r : i32
  } -> tensor<?x?xi32>
  %visible = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%distance : tensor<?x?xi32>) outs(%eb : tensor<?x?xi1>) {
  ^bb0(%d: i32, %out: i1):
    %r = arith.cmpi sgt, %width, %d : i32
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %s2 = linalg.generic {indexing_maps = [#pair, #id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%visible, %s1 : tensor<?x?xi1>, tensor<2x3x?x?xf32>) outs(%e0 : tensor<2x3x?x?xf32>) {
  ^bb0(%c: i1, %x: f32, %out: f32):
    %r = arith.select %c, %x, %least : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %er = tensor.empty(%M) : tensor<2x3x?xf32>
  %fm = linalg.fill ins(%least : f32) outs(%er : tensor<2x3x?xf32>) -> tensor<2x3x?xf32>
  %max = linalg.generic {indexing_maps = [#id4, #rows4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s2 : tensor<2x3x?x?xf32>) outs(%fm : tensor<2x3x?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %r = arith.maximumf %x, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?xf32>
  %p = linalg.generic {indexing_maps = [#id4, #rows4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s2, %max : tensor<2x3x?x?xf32>, tensor<2x3x?xf32>) outs(%e0 : tensor<2x3x?x?xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %d = arith.subf %x, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%er : tensor<2x3x?xf32>) -> tensor<2x3x?xf32>
  %sum = linalg.generic {indexing_maps = [#id4, #rows4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p : tensor<2x3x?x?xf32>) outs(%fs : tensor<2x3x?xf32>) {
  ^bb0(%x: f32, %out: f32):
    %r = arith.addf %x, %out : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?xf32>
  %w = linalg.generic {indexing_maps = [#id4, #rows4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p, %sum : tensor<2x3x?x?xf32>, tensor<2x3x?xf32>) outs(%e0 : tensor<2x3x?x?xf32>) {
  ^bb0(%x: f32, %m: f32, %out: f32):
    %r = arith.divf %x, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %eo = tensor.empty(%M) : tensor<2x3x?x16xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x3x?x16xf32>) -> tensor<2x3x?x16xf32>
  %o = linalg.generic {indexing_maps = [#outA, #outB, #outC], iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]} ins(%w, %v : tensor<2x3x?x?xf32>, tensor<2x3x?x16xf32>) outs(%fo : tensor<2x3x?x16xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x16xf32>
  return %o : tensor<2x3x?x16xf32>
}
