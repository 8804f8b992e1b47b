// An op reads elements and rows that are computed from them, with a batch of one. To fold
// the reshape of the rows into it would reshape the elements, and then the rows again,
// without an end: the reshape stays.
//
// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s

#id = affine_map<(b, i, j) -> (b, i, j)>
#rows = affine_map<(b, i, j) -> (b, i)>
#row = affine_map<(b, i, j) -> (i)>

// CHECK-LABEL: func @dynamic
// CHECK:       %[[E:.*]] = linalg.generic
// CHECK:         math.absf
// CHECK:       %[[S:.*]] = linalg.generic {{.*}} ins(%[[E]] : tensor<1x?x?xf32>)
// CHECK:       %[[R:.*]] = tensor.collapse_shape %[[S]]
// CHECK:       linalg.generic {{.*}} ins(%[[E]], %[[R]] : tensor<1x?x?xf32>, tensor<?xf32>)
// CHECK-NOT:   tensor.expand_shape
func.func @dynamic(%x: tensor<1x?x?xf32>, %zeros: tensor<1x?xf32>) -> tensor<1x?x?xf32> {
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x?x?xf32>) outs(%x : tensor<1x?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.absf %a : f32
    linalg.yield %r : f32
  } -> tensor<1x?x?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<1x?x?xf32>) outs(%zeros : tensor<1x?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<1x?xf32>
  %flat = tensor.collapse_shape %sum [[0, 1]] : tensor<1x?xf32> into tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %flat : tensor<1x?x?xf32>, tensor<?xf32>) outs(%x : tensor<1x?x?xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %r = arith.divf %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<1x?x?xf32>
  return %y : tensor<1x?x?xf32>
}

// -----

#id = affine_map<(b, i, j) -> (b, i, j)>
#rows = affine_map<(b, i, j) -> (b, i)>
#row = affine_map<(b, i, j) -> (i)>

// The elements are an argument: the reshape is folded.
// CHECK-LABEL: func @negative_argument
// CHECK-NOT:   tensor.collapse_shape %{{[0-9]+}} {{\[\[}}0, 1]]
// CHECK:       return
func.func @negative_argument(%x: tensor<1x5x7xf32>, %zeros: tensor<1x5xf32>) -> tensor<1x5x7xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<1x5x7xf32>) outs(%zeros : tensor<1x5xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<1x5xf32>
  %flat = tensor.collapse_shape %sum [[0, 1]] : tensor<1x5xf32> into tensor<5xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %flat : tensor<1x5x7xf32>, tensor<5xf32>) outs(%x : tensor<1x5x7xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %r = arith.divf %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<1x5x7xf32>
  return %y : tensor<1x5x7xf32>
}
