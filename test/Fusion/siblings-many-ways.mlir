// Two sums besides that of the root. There are 2^26 ways from what all three
// accumulate to the root, and as many to the second sum, which stays apart. None of
// them must be followed one by one.
//
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(2, 0) for(0, 4)" explain=text' -o /dev/null 2>&1 | FileCheck %s

// CHECK: root 'linalg.generic'
// CHECK: sibling 'linalg.generic', dims of the root [0, 1]
// CHECK: sibling 'linalg.generic' apart: dimension 0 of the root, which the loops cut, is not known to be one of it
// CHECK: repair sibling 'linalg.generic': scale by -1.00 times the difference of 'linalg.reduce'#0 along dims [0]

!t = tensor<6x10xf32>
!y = tensor<3x10xf32>
!r = tensor<6xf32>
#e = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

func.func @f(%s: !t) -> (!r, tensor<3xf32>, !r) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %te = tensor.empty() : !t
  %ye = tensor.empty() : !y
  %re = tensor.empty() : !r
  %qe = tensor.empty() : tensor<3xf32>
  %s1 = linalg.exp ins(%s : !t) outs(%te : !t) -> !t
  %m0 = linalg.fill ins(%low : f32) outs(%re : !r) -> !r
  %m = linalg.reduce { arith.maximumf } ins(%s1 : !t) outs(%m0 : !r) dimensions = [1]
  %x0 = linalg.generic {indexing_maps = [#e, #row, #e], iterator_types = ["parallel", "parallel"]}
      ins(%s1, %m : !t, !r) outs(%te : !t) {
  ^bb0(%x: f32, %max: f32, %o: f32):
    %d = arith.subf %x, %max : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> !t
  %n0 = linalg.fill ins(%zero : f32) outs(%re : !r) -> !r
  %n = linalg.generic {indexing_maps = [#e, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x0 : !t) outs(%n0 : !r) {
  ^bb0(%x: f32, %acc: f32):
    %u = math.absf %x : f32
    %a = arith.addf %u, %acc : f32
    linalg.yield %a : f32
  } -> !r
  %y0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + 3, j)>, #e], iterator_types = ["parallel", "parallel"]}
      ins(%x0 : !t) outs(%ye : !y) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> !y
  %y1 = linalg.mul ins(%y0, %y0 : !y, !y) outs(%ye : !y) -> !y
  %y2 = linalg.mul ins(%y1, %y1 : !y, !y) outs(%ye : !y) -> !y
  %y3 = linalg.mul ins(%y2, %y2 : !y, !y) outs(%ye : !y) -> !y
  %y4 = linalg.mul ins(%y3, %y3 : !y, !y) outs(%ye : !y) -> !y
  %y5 = linalg.mul ins(%y4, %y4 : !y, !y) outs(%ye : !y) -> !y
  %y6 = linalg.mul ins(%y5, %y5 : !y, !y) outs(%ye : !y) -> !y
  %y7 = linalg.mul ins(%y6, %y6 : !y, !y) outs(%ye : !y) -> !y
  %y8 = linalg.mul ins(%y7, %y7 : !y, !y) outs(%ye : !y) -> !y
  %y9 = linalg.mul ins(%y8, %y8 : !y, !y) outs(%ye : !y) -> !y
  %y10 = linalg.mul ins(%y9, %y9 : !y, !y) outs(%ye : !y) -> !y
  %y11 = linalg.mul ins(%y10, %y10 : !y, !y) outs(%ye : !y) -> !y
  %y12 = linalg.mul ins(%y11, %y11 : !y, !y) outs(%ye : !y) -> !y
  %y13 = linalg.mul ins(%y12, %y12 : !y, !y) outs(%ye : !y) -> !y
  %y14 = linalg.mul ins(%y13, %y13 : !y, !y) outs(%ye : !y) -> !y
  %y15 = linalg.mul ins(%y14, %y14 : !y, !y) outs(%ye : !y) -> !y
  %y16 = linalg.mul ins(%y15, %y15 : !y, !y) outs(%ye : !y) -> !y
  %y17 = linalg.mul ins(%y16, %y16 : !y, !y) outs(%ye : !y) -> !y
  %y18 = linalg.mul ins(%y17, %y17 : !y, !y) outs(%ye : !y) -> !y
  %y19 = linalg.mul ins(%y18, %y18 : !y, !y) outs(%ye : !y) -> !y
  %y20 = linalg.mul ins(%y19, %y19 : !y, !y) outs(%ye : !y) -> !y
  %y21 = linalg.mul ins(%y20, %y20 : !y, !y) outs(%ye : !y) -> !y
  %y22 = linalg.mul ins(%y21, %y21 : !y, !y) outs(%ye : !y) -> !y
  %y23 = linalg.mul ins(%y22, %y22 : !y, !y) outs(%ye : !y) -> !y
  %y24 = linalg.mul ins(%y23, %y23 : !y, !y) outs(%ye : !y) -> !y
  %y25 = linalg.mul ins(%y24, %y24 : !y, !y) outs(%ye : !y) -> !y
  %y26 = linalg.mul ins(%y25, %y25 : !y, !y) outs(%ye : !y) -> !y
  %q0 = linalg.fill ins(%zero : f32) outs(%qe : tensor<3xf32>) -> tensor<3xf32>
  %q = linalg.generic {indexing_maps = [#e, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y26 : !y) outs(%q0 : tensor<3xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %u = math.absf %x : f32
    %a = arith.addf %u, %acc : f32
    linalg.yield %a : f32
  } -> tensor<3xf32>
  %x1 = linalg.mul ins(%x0, %x0 : !t, !t) outs(%te : !t) -> !t
  %x2 = linalg.mul ins(%x1, %x1 : !t, !t) outs(%te : !t) -> !t
  %x3 = linalg.mul ins(%x2, %x2 : !t, !t) outs(%te : !t) -> !t
  %x4 = linalg.mul ins(%x3, %x3 : !t, !t) outs(%te : !t) -> !t
  %x5 = linalg.mul ins(%x4, %x4 : !t, !t) outs(%te : !t) -> !t
  %x6 = linalg.mul ins(%x5, %x5 : !t, !t) outs(%te : !t) -> !t
  %x7 = linalg.mul ins(%x6, %x6 : !t, !t) outs(%te : !t) -> !t
  %x8 = linalg.mul ins(%x7, %x7 : !t, !t) outs(%te : !t) -> !t
  %x9 = linalg.mul ins(%x8, %x8 : !t, !t) outs(%te : !t) -> !t
  %x10 = linalg.mul ins(%x9, %x9 : !t, !t) outs(%te : !t) -> !t
  %x11 = linalg.mul ins(%x10, %x10 : !t, !t) outs(%te : !t) -> !t
  %x12 = linalg.mul ins(%x11, %x11 : !t, !t) outs(%te : !t) -> !t
  %x13 = linalg.mul ins(%x12, %x12 : !t, !t) outs(%te : !t) -> !t
  %x14 = linalg.mul ins(%x13, %x13 : !t, !t) outs(%te : !t) -> !t
  %x15 = linalg.mul ins(%x14, %x14 : !t, !t) outs(%te : !t) -> !t
  %x16 = linalg.mul ins(%x15, %x15 : !t, !t) outs(%te : !t) -> !t
  %x17 = linalg.mul ins(%x16, %x16 : !t, !t) outs(%te : !t) -> !t
  %x18 = linalg.mul ins(%x17, %x17 : !t, !t) outs(%te : !t) -> !t
  %x19 = linalg.mul ins(%x18, %x18 : !t, !t) outs(%te : !t) -> !t
  %x20 = linalg.mul ins(%x19, %x19 : !t, !t) outs(%te : !t) -> !t
  %x21 = linalg.mul ins(%x20, %x20 : !t, !t) outs(%te : !t) -> !t
  %x22 = linalg.mul ins(%x21, %x21 : !t, !t) outs(%te : !t) -> !t
  %x23 = linalg.mul ins(%x22, %x22 : !t, !t) outs(%te : !t) -> !t
  %x24 = linalg.mul ins(%x23, %x23 : !t, !t) outs(%te : !t) -> !t
  %x25 = linalg.mul ins(%x24, %x24 : !t, !t) outs(%te : !t) -> !t
  %x26 = linalg.mul ins(%x25, %x25 : !t, !t) outs(%te : !t) -> !t
  %l0 = linalg.fill ins(%zero : f32) outs(%re : !r) -> !r
  %l = linalg.generic {linalg_ext.root, indexing_maps = [#e, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x26 : !t) outs(%l0 : !r) {
  ^bb0(%x: f32, %acc: f32):
    %a = arith.addf %x, %acc : f32
    linalg.yield %a : f32
  } -> !r
  return %n, %q, %l : !r, tensor<3xf32>, !r
}
