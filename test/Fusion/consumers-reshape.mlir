// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(1,1)for(0,0,32)for(0,0,0,0,64)" fuse-consumers' --canonicalize --cse | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(1,1)for(0,0,32)for(0,0,0,0,64)" fuse-consumers explain=text' -o %t 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(1,2,32,16)for(0,0,0,0,64)" fuse-consumers explain=text' -o %t 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: linalg-ext-opt %s -o %t --linalg-ext-tile-and-fuse='levels="forall(1,2,32,16)for(0,0,0,0,64)" fuse-consumers' --remarks-filter='linalg-ext.*' 2>&1 | FileCheck %s --check-prefix=REMARK

// Heads that are put side by side, and the bias, are where the queries' tile is
// final: inside the loop over queries, behind the one over keys.
// CHECK-LABEL: func @side_by_side
// CHECK: scf.forall
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK:       scf.yield
// CHECK:     linalg.transpose
// CHECK:     tensor.collapse_shape
// CHECK:     arith.addf
// CHECK:     tensor.insert_slice
// CHECK:     scf.yield
// CHECK:   scf.forall.in_parallel
// CHECK-NOT: tensor.collapse_shape

// EXPLAIN: follow 'linalg.transpose' into level 1
// EXPLAIN: follow 'tensor.collapse_shape' into level 1
// EXPLAIN: follow 'linalg.generic' into level 1
// EXPLAIN: 'linalg.transpose': FLOPs 0 -> 0, read 131072 -> 0, written 131072 -> 0
// EXPLAIN: 'linalg.generic': FLOPs 32768 -> 32768, read {{[0-9]+}} -> {{[0-9]+}}, written 131072 -> 131072

// A part of two heads is none of what they are side by side.
// REFUSED: follow 'linalg.transpose' into level 0
// REFUSED: leave 'tensor.collapse_shape': a tile of what it reshapes is not known to be one of its result
// REFUSED: leave 'linalg.generic': it follows 'tensor.collapse_shape'

// REMARK: [Missed] not-fused | {{.*}} | Function=side_by_side | Follows=true, Op=tensor.collapse_shape, Reason="a tile of what it reshapes is not known to be one of its result", Suggestion="leave whole what lies inside of the dimension that is cut, of those that it merges or splits"

#p = affine_map<(b, h, m, e, n) -> (b, h, m, n)>
#v = affine_map<(b, h, m, e, n) -> (b, h, n, e)>
#o = affine_map<(b, h, m, e, n) -> (b, h, m, e)>
#bmc = affine_map<(b, m, c) -> (b, m, c)>
func.func @side_by_side(%p: tensor<2x4x128x256xf32>, %v: tensor<2x4x256x32xf32>, %bias: tensor<128xf32>) -> tensor<2x128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %oe = tensor.empty() : tensor<2x4x128x32xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x128x32xf32>) -> tensor<2x4x128x32xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"], linalg_ext.root} ins(%p, %v : tensor<2x4x128x256xf32>, tensor<2x4x256x32xf32>) outs(%o0 : tensor<2x4x128x32xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %x = arith.mulf %l, %r : f32
    %y = arith.addf %acc, %x : f32
    linalg.yield %y : f32 } -> tensor<2x4x128x32xf32>
  %te = tensor.empty() : tensor<2x128x4x32xf32>
  %t = linalg.transpose ins(%o : tensor<2x4x128x32xf32>) outs(%te : tensor<2x128x4x32xf32>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %t [[0], [1], [2, 3]] : tensor<2x128x4x32xf32> into tensor<2x128x128xf32>
  %qe = tensor.empty() : tensor<2x128x128xf32>
  %q = linalg.generic {indexing_maps = [#bmc, affine_map<(b, m, c) -> (c)>, #bmc], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c, %bias : tensor<2x128x128xf32>, tensor<128xf32>) outs(%qe : tensor<2x128x128xf32>) {
  ^bb0(%l: f32, %r: f32, %unused: f32):
    %x = arith.addf %l, %r : f32
    linalg.yield %x : f32 } -> tensor<2x128x128xf32>
  return %q : tensor<2x128x128xf32>
}
