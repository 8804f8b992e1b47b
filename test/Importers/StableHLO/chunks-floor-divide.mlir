// Keys of the same chunk, by jnp.floor_divide: a quotient that is rounded to zero, less 1 where the
// signs differ and something remains. StableHLO guards quotients by 0 and of the least number.

// RUN: linalg-ext-check-program %s --sizes=2x3x37x16,2x3x45x16,2x3x45x16 \
// RUN:   --max-buffer-bytes=4995 --max-kernels=1 --keys=16

#m0 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m1 = affine_map<(d0) -> (d0)>
#m2 = affine_map<() -> ()>
#m3 = affine_map<(d0) -> ()>
#m4 = affine_map<(d0, d1) -> (d0)>
#m5 = affine_map<(d0, d1) -> (d1)>
#m6 = affine_map<(d0, d1) -> (d0, d1)>
#m7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#mulA = affine_map<(b, h, m, n, d) -> (b, h, m, d)>
#mulB = affine_map<(b, h, m, n, d) -> (b, h, n, d)>
#mulC = affine_map<(b, h, m, n, d) -> (b, h, m, n)>
#outA = affine_map<(b, h, m, n, e) -> (b, h, m, n)>
#outB = affine_map<(b, h, m, n, e) -> (b, h, n, e)>
#outC = affine_map<(b, h, m, n, e) -> (b, h, m, e)>
#id1 = affine_map<(i) -> (i)>
#id4 = affine_map<(b, h, i, j) -> (b, h, i, j)>
#rows4 = affine_map<(b, h, i, j) -> (b, h, i)>

func.func @floor_divide(%q: tensor<2x3x?x16xf32>, %k: tensor<2x3x?x16xf32>, %v: tensor<2x3x?x16xf32>) -> tensor<2x3x?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %M = tensor.dim %q, %c2 : tensor<2x3x?x16xf32>
  %N = tensor.dim %k, %c2 : tensor<2x3x?x16xf32>
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %scale = arith.constant 2.5e-01 : f32
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
  %cchunk = arith.constant dense<12> : tensor<i32>
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %minus = arith.constant -1 : i32
  %b31 = arith.constant 31 : i32
  %smin = arith.constant -2147483648 : i32
  %e7 = tensor.empty() : tensor<i32>
  %g8 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = []} ins(%cchunk : tensor<i32>) outs(%e7 : tensor<i32>) {
  ^bb0(%x0: i32, %out: i32):
    %e = arith.cmpi eq, %x0, %z : i32
    %s = arith.shrsi %x0, %b31 : i32
    %o = arith.ori %s, %one : i32
    %r = arith.select %e, %z, %o : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %e9 = tensor.empty(%M) : tensor<?xi32>
  %g10 = linalg.generic {indexing_maps = [#m3, #m1], iterator_types = ["parallel"]} ins(%cchunk : tensor<i32>) outs(%e9 : tensor<?xi32>) {
  ^bb0(%x0: i32, %out: i32):
    %r = arith.addi %x0, %z : i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e11 = tensor.empty(%M) : tensor<?xi32>
  %g12 = linalg.generic {indexing_maps = [#m1, #m1, #m1], iterator_types = ["parallel"]} ins(%g4, %g10 : tensor<?xi32>, tensor<?xi32>) outs(%e11 : tensor<?xi32>) {
  ^bb0(%x0: i32, %x1: i32, %out: i32):
    %rz = arith.cmpi eq, %x1, %z : i32
    %sa = arith.select %rz, %one, %x1 : i32
    %lm = arith.cmpi eq, %x0, %smin : i32
    %rm = arith.cmpi eq, %x1, %minus : i32
    %of = arith.andi %lm, %rm : i1
    %sb = arith.select %of, %one, %sa : i32
    %d = arith.divsi %x0, %sb : i32
    %t = arith.select %of, %smin, %d : i32
    %r = arith.select %rz, %minus, %t : i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e13 = tensor.empty(%M) : tensor<?xi32>
  %g14 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel"]} ins(%g4 : tensor<?xi32>) outs(%e13 : tensor<?xi32>) {
  ^bb0(%x0: i32, %out: i32):
    %e = arith.cmpi eq, %x0, %z : i32
    %s = arith.shrsi %x0, %b31 : i32
    %o = arith.ori %s, %one : i32
    %r = arith.select %e, %z, %o : i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e15 = tensor.empty(%M) : tensor<?xi1>
  %g16 = linalg.generic {indexing_maps = [#m1, #m3, #m1], iterator_types = ["parallel"]} ins(%g14, %g8 : tensor<?xi32>, tensor<i32>) outs(%e15 : tensor<?xi1>) {
  ^bb0(%x0: i32, %x1: i32, %out: i1):
    %r = arith.cmpi ne, %x0, %x1 : i32
    linalg.yield %r : i1
  } -> tensor<?xi1>
  %e17 = tensor.empty(%M) : tensor<?xi32>
  %g18 = linalg.generic {indexing_maps = [#m1, #m1, #m1], iterator_types = ["parallel"]} ins(%g4, %g10 : tensor<?xi32>, tensor<?xi32>) outs(%e17 : tensor<?xi32>) {
  ^bb0(%x0: i32, %x1: i32, %out: i32):
    %rz = arith.cmpi eq, %x1, %z : i32
    %sa = arith.select %rz, %one, %x1 : i32
    %lm = arith.cmpi eq, %x0, %smin : i32
    %rm = arith.cmpi eq, %x1, %minus : i32
    %of = arith.andi %lm, %rm : i1
    %sb = arith.select %of, %one, %sa : i32
    %d = arith.remsi %x0, %sb : i32
    %t = arith.select %of, %z, %d : i32
    %r = arith.select %rz, %x0, %t : i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e19 = tensor.empty(%M) : tensor<?xi1>
  %g20 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel"]} ins(%g18 : tensor<?xi32>) outs(%e19 : tensor<?xi1>) {
  ^bb0(%x0: i32, %out: i1):
    %r = arith.cmpi ne, %x0, %z : i32
    linalg.yield %r : i1
  } -> tensor<?xi1>
  %e21 = tensor.empty(%M) : tensor<?xi1>
  %g22 = linalg.generic {indexing_maps = [#m1, #m1, #m1], iterator_types = ["parallel"]} ins(%g16, %g20 : tensor<?xi1>, tensor<?xi1>) outs(%e21 : tensor<?xi1>) {
  ^bb0(%x0: i1, %x1: i1, %out: i1):
    %r = arith.andi %x0, %x1 : i1
    linalg.yield %r : i1
  } -> tensor<?xi1>
  %e23 = tensor.empty(%M) : tensor<?xi32>
  %g24 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel"]} ins(%g12 : tensor<?xi32>) outs(%e23 : tensor<?xi32>) {
  ^bb0(%x0: i32, %out: i32):
    %r = arith.subi %x0, %one : i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e25 = tensor.empty(%M) : tensor<?xi32>
  %g26 = linalg.generic {indexing_maps = [#m1, #m1, #m1, #m1], iterator_types = ["parallel"]} ins(%g22, %g24, %g12 : tensor<?xi1>, tensor<?xi32>, tensor<?xi32>) outs(%e25 : tensor<?xi32>) {
  ^bb0(%x0: i1, %x1: i32, %x2: i32, %out: i32):
    %r = arith.select %x0, %x1, %x2 : i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e27 = tensor.empty(%N) : tensor<?xi32>
  %g28 = linalg.generic {indexing_maps = [#m3, #m1], iterator_types = ["parallel"]} ins(%cchunk : tensor<i32>) outs(%e27 : tensor<?xi32>) {
  ^bb0(%x0: i32, %out: i32):
    %r = arith.addi %x0, %z : i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e29 = tensor.empty(%N) : tensor<?xi32>
  %g30 = linalg.generic {indexing_maps = [#m1, #m1, #m1], iterator_types = ["parallel"]} ins(%g6, %g28 : tensor<?xi32>, tensor<?xi32>) outs(%e29 : tensor<?xi32>) {
  ^bb0(%x0: i32, %x1: i32, %out: i32):
    %rz = arith.cmpi eq, %x1, %z : i32
    %sa = arith.select %rz, %one, %x1 : i32
    %lm = arith.cmpi eq, %x0, %smin : i32
    %rm = arith.cmpi eq, %x1, %minus : i32
    %of = arith.andi %lm, %rm : i1
    %sb = arith.select %of, %one, %sa : i32
    %d = arith.divsi %x0, %sb : i32
    %t = arith.select %of, %smin, %d : i32
    %r = arith.select %rz, %minus, %t : i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e31 = tensor.empty(%N) : tensor<?xi32>
  %g32 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel"]} ins(%g6 : tensor<?xi32>) outs(%e31 : tensor<?xi32>) {
  ^bb0(%x0: i32, %out: i32):
    %e = arith.cmpi eq, %x0, %z : i32
    %s = arith.shrsi %x0, %b31 : i32
    %o = arith.ori %s, %one : i32
    %r = arith.select %e, %z, %o : i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e33 = tensor.empty(%N) : tensor<?xi1>
  %g34 = linalg.generic {indexing_maps = [#m1, #m3, #m1], iterator_types = ["parallel"]} ins(%g32, %g8 : tensor<?xi32>, tensor<i32>) outs(%e33 : tensor<?xi1>) {
  ^bb0(%x0: i32, %x1: i32, %out: i1):
    %r = arith.cmpi ne, %x0, %x1 : i32
    linalg.yield %r : i1
  } -> tensor<?xi1>
  %e35 = tensor.empty(%N) : tensor<?xi32>
  %g36 = linalg.generic {indexing_maps = [#m1, #m1, #m1], iterator_types = ["parallel"]} ins(%g6, %g28 : tensor<?xi32>, tensor<?xi32>) outs(%e35 : tensor<?xi32>) {
  ^bb0(%x0: i32, %x1: i32, %out: i32):
    %rz = arith.cmpi eq, %x1, %z : i32
    %sa = arith.select %rz, %one, %x1 : i32
    %lm = arith.cmpi eq, %x0, %smin : i32
    %rm = arith.cmpi eq, %x1, %minus : i32
    %of = arith.andi %lm, %rm : i1
    %sb = arith.select %of, %one, %sa : i32
    %d = arith.remsi %x0, %sb : i32
    %t = arith.select %of, %z, %d : i32
    %r = arith.select %rz, %x0, %t : i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e37 = tensor.empty(%N) : tensor<?xi1>
  %g38 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel"]} ins(%g36 : tensor<?xi32>) outs(%e37 : tensor<?xi1>) {
  ^bb0(%x0: i32, %out: i1):
    %r = arith.cmpi ne, %x0, %z : i32
    linalg.yield %r : i1
  } -> tensor<?xi1>
  %e39 = tensor.empty(%N) : tensor<?xi1>
  %g40 = linalg.generic {indexing_maps = [#m1, #m1, #m1], iterator_types = ["parallel"]} ins(%g34, %g38 : tensor<?xi1>, tensor<?xi1>) outs(%e39 : tensor<?xi1>) {
  ^bb0(%x0: i1, %x1: i1, %out: i1):
    %r = arith.andi %x0, %x1 : i1
    linalg.yield %r : i1
  } -> tensor<?xi1>
  %e41 = tensor.empty(%N) : tensor<?xi32>
  %g42 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel"]} ins(%g30 : tensor<?xi32>) outs(%e41 : tensor<?xi32>) {
  ^bb0(%x0: i32, %out: i32):
    %r = arith.subi %x0, %one : i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e43 = tensor.empty(%N) : tensor<?xi32>
  %g44 = linalg.generic {indexing_maps = [#m1, #m1, #m1, #m1], iterator_types = ["parallel"]} ins(%g40, %g42, %g30 : tensor<?xi1>, tensor<?xi32>, tensor<?xi32>) outs(%e43 : tensor<?xi32>) {
  ^bb0(%x0: i1, %x1: i32, %x2: i32, %out: i32):
    %r = arith.select %x0, %x1, %x2 : i32
    linalg.yield %r : i32
  } -> tensor<?xi32>
  %e45 = tensor.empty(%M, %N) : tensor<?x?xi1>
  %g46 = linalg.generic {indexing_maps = [#m4, #m5, #m6], iterator_types = ["parallel", "parallel"]} ins(%g26, %g44 : tensor<?xi32>, tensor<?xi32>) outs(%e45 : tensor<?x?xi1>) {
  ^bb0(%x0: i32, %x1: i32, %out: i1):
    %r = arith.cmpi eq, %x0, %x1 : i32
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %e47 = tensor.empty(%M, %N) : tensor<?x?xi1>
  %g48 = linalg.generic {indexing_maps = [#m4, #m5, #m6], iterator_types = ["parallel", "parallel"]} ins(%g4, %g6 : tensor<?xi32>, tensor<?xi32>) outs(%e47 : tensor<?x?xi1>) {
  ^bb0(%x0: i32, %x1: i32, %out: i1):
    %r = arith.cmpi sge, %x0, %x1 : i32
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %e49 = tensor.empty(%M, %N) : tensor<?x?xi1>
  %g50 = linalg.generic {indexing_maps = [#m6, #m6, #m6], iterator_types = ["parallel", "parallel"]} ins(%g48, %g46 : tensor<?x?xi1>, tensor<?x?xi1>) outs(%e49 : tensor<?x?xi1>) {
  ^bb0(%x0: i1, %x1: i1, %out: i1):
    %r = arith.andi %x0, %x1 : i1
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %e51 = tensor.empty(%M, %N) : tensor<2x3x?x?xf32>
  %s2 = linalg.generic {indexing_maps = [#m7, #m0, #m0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g50, %s1 : tensor<?x?xi1>, tensor<2x3x?x?xf32>) outs(%e51 : tensor<2x3x?x?xf32>) {
  ^bb0(%x0: i1, %x1: f32, %out: f32):
    %r = arith.select %x0, %x1, %least : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %e53 = tensor.empty(%M) : tensor<2x3x?xf32>
  %fm = linalg.fill ins(%least : f32) outs(%e53 : tensor<2x3x?xf32>) -> tensor<2x3x?xf32>
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
  %fs = linalg.fill ins(%zero : f32) outs(%e53 : tensor<2x3x?xf32>) -> tensor<2x3x?xf32>
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
  %e54 = tensor.empty(%M) : tensor<2x3x?x16xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%e54 : tensor<2x3x?x16xf32>) -> tensor<2x3x?x16xf32>
  %o = linalg.generic {indexing_maps = [#outA, #outB, #outC], iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]} ins(%w, %v : tensor<2x3x?x?xf32>, tensor<2x3x?x16xf32>) outs(%fo : tensor<2x3x?x16xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x16xf32>
  return %o : tensor<2x3x?x16xf32>
}
