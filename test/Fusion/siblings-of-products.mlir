// Accumulations of a product that the loops of the root compute tile by tile: left
// outside, they would make the loops store the product.
//
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels=for(0,4)' -canonicalize | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels=for(0,4) explain=text' -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// CHECK-LABEL: func.func @reduced_product
//       CHECK:   scf.for {{.*}} -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>)
//       CHECK:     linalg.matmul {{.*}} -> tensor<6x?xf32>
//       CHECK:     arith.maximumf
//       CHECK:     math.absf
//       CHECK:     math.exp
//       CHECK:   }
//   CHECK-NOT:   tensor<6x10xf32>
//       CHECK:   return
//
// EXPLAIN-LABEL: in @reduced_product
//  EXPLAIN-NEXT: root 'linalg.generic'
//  EXPLAIN-NEXT: sibling 'linalg.generic', dims of the root [-, 1]
//       EXPLAIN: state 'linalg.generic', carried from level 0 to 0
//       EXPLAIN: repair root 'linalg.generic': scale by -1.00 times the difference of 'linalg.generic'#0 along dims [0]
func.func @reduced_product(%a: tensor<6x3xf32>, %b: tensor<3x10xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<6x10xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%se : tensor<6x10xf32>) -> tensor<6x10xf32>
  %s = linalg.matmul ins(%a, %b : tensor<6x3xf32>, tensor<3x10xf32>) outs(%s0 : tensor<6x10xf32>) -> tensor<6x10xf32>
  %e = tensor.empty() : tensor<6xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<6x10xf32>) outs(%m0 : tensor<6xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %t = arith.maximumf %x, %acc : f32
    linalg.yield %t : f32
  } -> tensor<6xf32>
  %n0 = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %norm = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<6x10xf32>) outs(%n0 : tensor<6xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %u = math.absf %x : f32
    %t = arith.addf %u, %acc : f32
    linalg.yield %t : f32
  } -> tensor<6xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<6x10xf32>, tensor<6xf32>) outs(%se : tensor<6x10xf32>) {
  ^bb0(%x: f32, %max: f32, %o: f32):
    %t = arith.subf %x, %max : f32
    %u = math.exp %t : f32
    linalg.yield %u : f32
  } -> tensor<6x10xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %l = linalg.generic {linalg_ext.root, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<6x10xf32>) outs(%l0 : tensor<6xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %t = arith.addf %x, %acc : f32
    linalg.yield %t : f32
  } -> tensor<6xf32>
  return %m, %norm, %l : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}
