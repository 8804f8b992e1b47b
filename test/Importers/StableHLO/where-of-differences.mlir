// A distance is the difference that is not negative: jnp.where(i > j, i - j, j - i).

// RUN: linalg-ext-check-program %s --sizes=2x3x37x16,2x3x45x16,2x3x45x16 \
// RUN:   --max-buffer-bytes=4995 --max-kernels=1 --keys=16

#m0 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m1 = affine_map<(d0) -> (d0)>
#m2 = affine_map<(d0, d1) -> (d0)>
#m3 = affine_map<(d0, d1) -> (d1)>
#m4 = affine_map<(d0, d1) -> (d0, d1)>
#m5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#mulA = affine_map<(b, h, m, n, d) -> (b, h, m, d)>
#mulB = affine_map<(b, h, m, n, d) -> (b, h, n, d)>
#mulC = affine_map<(b, h, m, n, d) -> (b, h, m, n)>
#outA = affine_map<(b, h, m, n, e) -> (b, h, m, n)>
#outB = affine_map<(b, h, m, n, e) -> (b, h, n, e)>
#outC = affine_map<(b, h, m, n, e) -> (b, h, m, e)>
#id1 = affine_map<(i) -> (i)>
#id4 = affine_map<(b, h, i, j) -> (b, h, i, j)>
#rows4 = affine_map<(b, h, i, j) -> (b, h, i)>

func.func @where_of_differences(%q: tensor<2x3x?x16xf32>, %k: tensor<2x3x?x16xf32>, %v: tensor<2x3x?x16xf32>) -> tensor<2x3x?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %M = tensor.dim %q, %c2 : tensor<2x3x?x16xf32>
  %N = tensor.dim %k, %c2 : tensor<2x3x?x16xf32>
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %scale = arith.constant 2.5e-01 : f32
  %width = arith.constant 9 : i32
  %e0 = tensor.empty(%M, %N) : tensor<2x3x?x?xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x3x?x?xf32>) -> tensor<2x3x?x?xf32>
  %s0 = linalg.generic {indexing_maps = [#mulA, #mulB, #mulC], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x3x?x16xf32>, tensor<2x3x?x16xf32>) outs(%f0 : tensor<2x3x?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %e1 = tensor.empty(%M, %N) : tensor<2x3x?x?xf32>
  %s1 = linalg.generic {indexing_maps = [#m0, #m0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s0 : tensor<2x3x?x?xf32>) outs(%e1 : tensor<2x3x?x?xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %r = arith.mulf %x0, %scale : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %e3 = tensor.empty(%M) : tensor<?xi32>
  %g4 = linalg.generic {indexing_maps = [#m1], iterator_types = ["parallel"]} outs(%e3 : tensor<?xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %r = arith.index_cast %i : index to i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e5 = tensor.empty(%N) : tensor<?xi32>
  %g6 = linalg.generic {indexing_maps = [#m1], iterator_types = ["parallel"]} outs(%e5 : tensor<?xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %r = arith.index_cast %i : index to i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e7 = tensor.empty(%M, %N) : tensor<?x?xi1>
  %g8 = linalg.generic {indexing_maps = [#m2, #m3, #m4], iterator_types = ["parallel", "parallel"]} ins(%g4, %g6 : tensor<?xi32>, tensor<?xi32>) outs(%e7 : tensor<?x?xi1>) {
  ^bb0(%x0: i32, %x1: i32, %out: i1):
    %r = arith.cmpi sgt, %x0, %x1 : i32
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %e9 = tensor.empty(%M, %N) : tensor<?x?xi32>
  %g10 = linalg.generic {indexing_maps = [#m2, #m3, #m4], iterator_types = ["parallel", "parallel"]} ins(%g4, %g6 : tensor<?xi32>, tensor<?xi32>) outs(%e9 : tensor<?x?xi32>) {
  ^bb0(%x0: i32, %x1: i32, %out: i32):
    %r = arith.subi %x0, %x1 : i32
    linalg.yield %r : i32
  } -> tensor<?x?xi32>
  %e11 = tensor.empty(%M, %N) : tensor<?x?xi32>
  %g12 = linalg.generic {indexing_maps = [#m2, #m3, #m4], iterator_types = ["parallel", "parallel"]} ins(%g4, %g6 : tensor<?xi32>, tensor<?xi32>) outs(%e11 : tensor<?x?xi32>) {
  ^bb0(%x0: i32, %x1: i32, %out: i32):
    %r = arith.subi %x1, %x0 : i32
    linalg.yield %r : i32
  } -> tensor<?x?xi32>
  %e13 = tensor.empty(%M, %N) : tensor<?x?xi32>
  %g14 = linalg.generic {indexing_maps = [#m4, #m4, #m4, #m4], iterator_types = ["parallel", "parallel"]} ins(%g8, %g10, %g12 : tensor<?x?xi1>, tensor<?x?xi32>, tensor<?x?xi32>) outs(%e13 : tensor<?x?xi32>) {
  ^bb0(%x0: i1, %x1: i32, %x2: i32, %out: i32):
    %r = arith.select %x0, %x1, %x2 : i32
    linalg.yield %r : i32
  } -> tensor<?x?xi32>
  %e15 = tensor.empty(%M, %N) : tensor<?x?xi1>
  %g16 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel"]} ins(%g14 : tensor<?x?xi32>) outs(%e15 : tensor<?x?xi1>) {
  ^bb0(%x0: i32, %out: i1):
    %r = arith.cmpi sle, %x0, %width : i32
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %e17 = tensor.empty(%M, %N) : tensor<2x3x?x?xf32>
  %s2 = linalg.generic {indexing_maps = [#m5, #m0, #m0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g16, %s1 : tensor<?x?xi1>, tensor<2x3x?x?xf32>) outs(%e17 : tensor<2x3x?x?xf32>) {
  ^bb0(%x0: i1, %x1: f32, %out: f32):
    %r = arith.select %x0, %x1, %least : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %e19 = tensor.empty(%M) : tensor<2x3x?xf32>
  %fm = linalg.fill ins(%least : f32) outs(%e19 : tensor<2x3x?xf32>) -> tensor<2x3x?xf32>
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
  %fs = linalg.fill ins(%zero : f32) outs(%e19 : tensor<2x3x?xf32>) -> tensor<2x3x?xf32>
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
  %e20 = tensor.empty(%M) : tensor<2x3x?x16xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%e20 : tensor<2x3x?x16xf32>) -> tensor<2x3x?x16xf32>
  %o = linalg.generic {indexing_maps = [#outA, #outB, #outC], iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]} ins(%w, %v : tensor<2x3x?x?xf32>, tensor<2x3x?x16xf32>) outs(%fo : tensor<2x3x?x16xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x16xf32>
  return %o : tensor<2x3x?x16xf32>
}
