// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,4)"' --canonicalize --cse | FileCheck %s

// logsumexp: the root is the sum; it follows the max, and the logarithm is taken
// of final values.

// CHECK-LABEL: func @logsumexp
//       CHECK:   scf.for {{.*}} -> (tensor<3xf32>, tensor<3xf32>)
//       CHECK:     arith.maximumf
//       CHECK:     math.exp
//   CHECK-NOT:     math.log
//       CHECK:     scf.yield
//       CHECK:   math.log
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#v = affine_map<(d0) -> (d0)>
func.func @logsumexp(%x: tensor<3x10xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %re = tensor.empty() : tensor<3xf32>
  %mi = linalg.fill ins(%ninf : f32) outs(%re : tensor<3xf32>) -> tensor<3xf32>
  %li = linalg.fill ins(%zero : f32) outs(%re : tensor<3xf32>) -> tensor<3xf32>
  %m = linalg.reduce ins(%x : tensor<3x10xf32>) outs(%mi : tensor<3xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %0 = arith.maximumf %a, %b : f32
      linalg.yield %0 : f32
    }
  %xe = tensor.empty() : tensor<3x10xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<3x10xf32>, tensor<3xf32>) outs(%xe : tensor<3x10xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<3x10xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<3x10xf32>) outs(%li : tensor<3xf32>) attrs = {linalg_ext.root} {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %lse = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%m, %l : tensor<3xf32>, tensor<3xf32>) outs(%re : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %log = math.log %b : f32
    %s = arith.addf %a, %log : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %lse : tensor<3xf32>
}
