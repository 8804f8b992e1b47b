// Zero points of 1 bit, 32 to a word, along the columns. A tile of columns has whole words: 112 of them
// would fill the first cache.

// REQUIRES: avx512
// RUN: linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=0 --cpu-options=cpu=avx512

func.func @bits(%x: tensor<1x90x16xf32>, %w: tensor<224x90x16xi8> {check.draw = "uniform -128 127"}, %s: tensor<224x90xf32> {check.draw = "uniform 0.01 0.02"}, %z: tensor<90x7xi32> {check.draw = "uniform -2147483647 2147483647"}, %y: tensor<1x224xf32>) -> tensor<1x224xf32> {
  %zero = arith.constant 0.0 : f32
  %ze = tensor.empty() : tensor<90x7x32xi32>
  %zu = linalg.generic {indexing_maps = [affine_map<(g,n,p)->(g,n)>, affine_map<(g,n,p)->(g,n,p)>], iterator_types = ["parallel","parallel","parallel"]} ins(%z : tensor<90x7xi32>) outs(%ze : tensor<90x7x32xi32>) {
  ^bb0(%a: i32, %o: i32):
    %i = linalg.index 2 : index
    %j = arith.index_cast %i : index to i32
    %cb = arith.constant 1 : i32
    %cm = arith.constant 1 : i32
    %sh = arith.muli %j, %cb : i32
    %q = arith.shrui %a, %sh : i32
    %r = arith.andi %q, %cm : i32
    linalg.yield %r : i32
  } -> tensor<90x7x32xi32>
  %zz = tensor.collapse_shape %zu [[0],[1,2]] : tensor<90x7x32xi32> into tensor<90x224xi32>
  %i = linalg.fill ins(%zero : f32) outs(%y : tensor<1x224xf32>) -> tensor<1x224xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m,n,g,k)->(m,g,k)>, affine_map<(m,n,g,k)->(n,g,k)>, affine_map<(m,n,g,k)->(n,g)>, affine_map<(m,n,g,k)->(g,n)>, affine_map<(m,n,g,k)->(m,n)>], iterator_types = ["parallel","parallel","reduction","reduction"]} ins(%x, %w, %s, %zz : tensor<1x90x16xf32>, tensor<224x90x16xi8>, tensor<224x90xf32>, tensor<90x224xi32>) outs(%i : tensor<1x224xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %d: i32, %o: f32):
    %c1 = arith.constant 15 : i8
    %b1 = arith.andi %b, %c1 : i8
    %0 = arith.extui %b1 : i8 to i32
    %2 = arith.subi %0, %d : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %c : f32
    %5 = arith.mulf %a, %4 : f32
    %6 = arith.addf %o, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<1x224xf32>
  return %r : tensor<1x224xf32>
}
