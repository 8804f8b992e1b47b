// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=scale-after-contraction --split-input-file | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#i0 = affine_map<(i, j) -> (i)>
#j0 = affine_map<(i, j) -> (j)>

// A scale of rows is one of the rows of the result, which stays where it is.

// CHECK-LABEL: func @rows(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x?xf32>, %[[S:[a-z0-9]+]]: tensor<?xf32>
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: tensor<?x?xf32>)
// CHECK:         %[[P:.*]] = linalg.{{matmul|generic}} {{.*}}ins(%[[X]],
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %[[S]] : {{.*}}) outs(%[[OUT]] :
// CHECK:           arith.mulf
func.func @rows(%x: tensor<?x?xf32>, %s: tensor<?xf32>, %w: tensor<?x?xf32>, %e: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%out : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#ij, #i0, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  %p = linalg.matmul ins(%y, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// A scale along the dimension that is summed over stays in front.

// CHECK-LABEL: func @negative_summed(
// CHECK:         arith.mulf
// CHECK:         linalg.matmul
// CHECK-NEXT:    return
func.func @negative_summed(%x: tensor<?x?xf32>, %s: tensor<?xf32>, %w: tensor<?x?xf32>, %e: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%out : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#ij, #j0, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  %p = linalg.matmul ins(%y, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// What something else reads stays as it is.

// CHECK-LABEL: func @negative_other_reader(
// CHECK:         arith.mulf
// CHECK:         linalg.matmul
// CHECK-NEXT:    return
func.func @negative_other_reader(%x: tensor<?x?xf32>, %s: tensor<?xf32>, %w: tensor<?x?xf32>, %e: tensor<?x?xf32>, %out: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%out : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#ij, #i0, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x?xf32>
  %p = linalg.matmul ins(%y, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y, %p : tensor<?x?xf32>, tensor<?x?xf32>
}
