// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=fold-transpose-into-producer | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=fold-reshapes | FileCheck %s --check-prefix=KEPT

// A transpose may know sizes that the contraction does not know.

// CHECK-LABEL: func @collapsed_product(
// CHECK:       %[[P:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?x?x4xf32>)
// CHECK:       %[[C:.*]] = tensor.collapse_shape %[[P]] {{\[}}[0], [1, 2]] : tensor<?x?x4xf32> into tensor<?x?xf32>
// CHECK:       tensor.cast %[[C]] : tensor<?x?xf32> to tensor<64x16xf32>
//
// A collapse of dynamic sizes is not folded into an op that knows the size of the result.
// KEPT-LABEL: func @collapsed_product(
// KEPT:       tensor.collapse_shape {{.*}} : tensor<?x4x?xf32> into tensor<?x?xf32>
// KEPT:       linalg.generic {{.*}} ins(%{{.*}} : tensor<?x?xf32>) outs(%{{.*}} : tensor<64x16xf32>)
func.func @collapsed_product(%x: tensor<?x4x?xf32>, %y: tensor<?x?xf32>, %init: tensor<?x4x?xf32>, %t: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%init : tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c, k) -> (a, b, k)>, affine_map<(a, b, c, k) -> (k, c)>, affine_map<(a, b, c, k) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x4x?xf32>, tensor<?x?xf32>) outs(%z : tensor<?x4x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<?x4x?xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<?x4x?xf32> into tensor<?x?xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<?x?xf32>) outs(%t : tensor<64x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<64x16xf32>
  return %2 : tensor<64x16xf32>
}
