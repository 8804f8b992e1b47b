// RUN: linalg-ext-opt %s --test-linalg-ext-slice-producers -split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --test-linalg-ext-slice-producers -split-input-file -verify-diagnostics -o /dev/null

// CHECK-LABEL: func @packed
//   CHECK-NOT:   x6xf32> outs
//       CHECK:   %[[WQ:.*]] = tensor.extract_slice %arg1[0, 0] [4, 3] [1, 1]
//       CHECK:   %[[Q:.*]] = linalg.matmul ins(%arg0, %[[WQ]] {{.*}} -> tensor<5x3xf32>
//       CHECK:   %[[WK:.*]] = tensor.extract_slice %arg1[0, 3] [4, 3] [1, 1]
//       CHECK:   %[[K:.*]] = linalg.matmul ins(%arg0, %[[WK]] {{.*}} -> tensor<5x3xf32>
//   CHECK-NOT:   linalg.matmul
//       CHECK:   return %[[Q]], %[[K]]
func.func @packed(%x: tensor<5x4xf32>, %w: tensor<4x6xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<5x4xf32>, tensor<4x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = tensor.extract_slice %p[0, 0] [5, 3] [1, 1] : tensor<5x6xf32> to tensor<5x3xf32>
  %k = tensor.extract_slice %p[0, 3] [5, 3] [1, 1] : tensor<5x6xf32> to tensor<5x3xf32>
  return %q, %k : tensor<5x3xf32>, tensor<5x3xf32>
}

// -----

// Through a reshape, of dynamic sizes, dropping a dimension. Sizes of what is
// split are those of its operands.
// CHECK-LABEL: func @select
//  CHECK-SAME:   %[[X:.*]]: tensor<?x6xf32>
//       CHECK:   %[[S:.*]] = tensor.extract_slice %[[X]][0, 3] [%{{.*}}, 3] [1, 1]
//       CHECK:   %[[L:.*]] = linalg.log ins(%[[S]] {{.*}} -> tensor<?x3xf32>
//       CHECK:   %[[E:.*]] = tensor.expand_shape %[[L]] {{\[}}[0], [1, 2]] output_shape [%{{.*}}, 1, 3]
//       CHECK:   %[[C:.*]] = tensor.collapse_shape %[[E]] {{\[}}[0], [1, 2]]
//       CHECK:   return %[[C]]
func.func @select(%x: tensor<?x6xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x6xf32>
  %e = tensor.empty(%n) : tensor<?x6xf32>
  %p = linalg.log ins(%x : tensor<?x6xf32>) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %s = tensor.expand_shape %p [[0], [1, 2]] output_shape [%n, 2, 3] : tensor<?x6xf32> into tensor<?x2x3xf32>
  %m = tensor.dim %s, %c0 : tensor<?x2x3xf32>
  %q = tensor.extract_slice %s[0, 1, 0] [%m, 1, 3] [1, 1, 1] : tensor<?x2x3xf32> to tensor<?x3xf32>
  return %q : tensor<?x3xf32>
}

// A slice of what lacks a dimension of size 1 lacks it itself, and is no reshape,
// which would be a copy of strides that are not known. One that merges sizes is.
// CHECK-LABEL: func @without_unit_dim
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<2x1x?x4xf32>, %[[Y:[a-z0-9]+]]: tensor<2x3x?x4xf32>
//   CHECK-NOT:   tensor.collapse_shape %[[X]]
//       CHECK:   tensor.extract_slice %[[X]][0, 0, 0, 2] [2, 1, %{{.*}}, 2] [1, 1, 1, 1] : tensor<2x1x?x4xf32> to tensor<2x?x2xf32>
//       CHECK:   %[[P:.*]] = tensor.extract_slice %[[Y]][0, 0, 0, 2] [2, 3, %{{.*}}, 2] [1, 1, 1, 1] : tensor<2x3x?x4xf32> to tensor<2x3x?x2xf32>
//       CHECK:   tensor.collapse_shape %[[P]]
func.func @without_unit_dim(%x: tensor<2x1x?x4xf32>, %y: tensor<2x3x?x4xf32>) -> (tensor<2x?x2xf32>, tensor<6x?x2xf32>) {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c2 : tensor<2x1x?x4xf32>
  %m = tensor.dim %y, %c2 : tensor<2x3x?x4xf32>
  %c = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<2x1x?x4xf32> into tensor<2x?x4xf32>
  %s = tensor.extract_slice %c[0, 0, 2] [2, %n, 2] [1, 1, 1] : tensor<2x?x4xf32> to tensor<2x?x2xf32>
  %d = tensor.collapse_shape %y [[0, 1], [2], [3]] : tensor<2x3x?x4xf32> into tensor<6x?x4xf32>
  %t = tensor.extract_slice %d[0, 0, 2] [6, %m, 2] [1, 1, 1] : tensor<6x?x4xf32> to tensor<6x?x2xf32>
  return %s, %t : tensor<2x?x2xf32>, tensor<6x?x2xf32>
}

// -----

// The common part would be computed twice.
// CHECK-LABEL: func @negative_overlapping
//       CHECK:   linalg.log {{.*}} -> tensor<5x6xf32>
//   CHECK-NOT:   linalg.log
func.func @negative_overlapping(%x: tensor<5x6xf32>, %e: tensor<5x6xf32>) -> (tensor<5x3xf32>, tensor<5x4xf32>) {
  %p = linalg.log ins(%x : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = tensor.extract_slice %p[0, 0] [5, 3] [1, 1] : tensor<5x6xf32> to tensor<5x3xf32>
  %k = tensor.extract_slice %p[0, 2] [5, 4] [1, 1] : tensor<5x6xf32> to tensor<5x4xf32>
  return %q, %k : tensor<5x3xf32>, tensor<5x4xf32>
}

// -----

// As would be what is used as a whole.
// CHECK-LABEL: func @negative_other_use
//       CHECK:   linalg.log {{.*}} -> tensor<5x6xf32>
//   CHECK-NOT:   linalg.log
func.func @negative_other_use(%x: tensor<5x6xf32>, %e: tensor<5x6xf32>) -> (tensor<5x3xf32>, tensor<5x6xf32>) {
  %p = linalg.log ins(%x : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = tensor.extract_slice %p[0, 0] [5, 3] [1, 1] : tensor<5x6xf32> to tensor<5x3xf32>
  return %q, %p : tensor<5x3xf32>, tensor<5x6xf32>
}

// -----

// CHECK-LABEL: func @negative_strided
//       CHECK:   linalg.log {{.*}} -> tensor<5x6xf32>
func.func @negative_strided(%x: tensor<5x6xf32>, %e: tensor<5x6xf32>) -> tensor<5x3xf32> {
  %p = linalg.log ins(%x : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = tensor.extract_slice %p[0, 0] [5, 3] [1, 2] : tensor<5x6xf32> to tensor<5x3xf32>
  return %q : tensor<5x3xf32>
}

// -----

// A loop that slices is fusion's business.
// CHECK-LABEL: func @negative_in_loop
//       CHECK:   linalg.log {{.*}} -> tensor<5x6xf32>
//       CHECK:   scf.for
func.func @negative_in_loop(%x: tensor<5x6xf32>, %e: tensor<5x6xf32>, %o: tensor<5x1xf32>) -> tensor<5x1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %p = linalg.log ins(%x : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%a = %o) -> tensor<5x1xf32> {
    %s = tensor.extract_slice %p[0, %i] [5, 1] [1, 1] : tensor<5x6xf32> to tensor<5x1xf32>
    %b = linalg.add ins(%s, %a : tensor<5x1xf32>, tensor<5x1xf32>) outs(%o : tensor<5x1xf32>) -> tensor<5x1xf32>
    scf.yield %b : tensor<5x1xf32>
  }
  return %r : tensor<5x1xf32>
}

// -----

// No tile of the softmax: nothing is left of the attempt.
// CHECK-LABEL: func @negative_refused
//  CHECK-NEXT:   %[[P:.*]] = linalg.softmax
//  CHECK-NEXT:   %[[Q:.*]] = tensor.extract_slice %[[P]]
//  CHECK-NEXT:   return %[[Q]]
func.func @negative_refused(%x: tensor<5x6xf32>, %e: tensor<5x6xf32>) -> tensor<5x3xf32> {
  %p = linalg.softmax dimension(1) ins(%x : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = tensor.extract_slice %p[0, 0] [5, 3] [1, 1] : tensor<5x6xf32> to tensor<5x3xf32>
  return %q : tensor<5x3xf32>
}

// -----

// A tile of the result is no tile of the loops: no error, and nothing done.
// CHECK-LABEL: func @negative_map_of_result
//       CHECK:   linalg.generic
//       CHECK:   tensor.extract_slice
func.func @negative_map_of_result(%x: tensor<4xf32>, %e: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %p = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  %q = tensor.extract_slice %p[0, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
  return %q : tensor<2x4xf32>
}

// -----

// Of no elements there is nothing to compute.

// CHECK-LABEL: func @empty_slice
//       CHECK:   tensor.empty() : tensor<5x0xf32>
//       CHECK:   linalg.matmul {{.*}} -> tensor<5x3xf32>
//   CHECK-NOT:   linalg.matmul
func.func @empty_slice(%x: tensor<5x4xf32>, %w: tensor<4x6xf32>, %o: tensor<5x6xf32>) -> (tensor<5x0xf32>, tensor<5x3xf32>) {
  %q = linalg.matmul ins(%x, %w : tensor<5x4xf32>, tensor<4x6xf32>) outs(%o : tensor<5x6xf32>) -> tensor<5x6xf32>
  %a = tensor.extract_slice %q[0, 0] [5, 0] [1, 1] : tensor<5x6xf32> to tensor<5x0xf32>
  %b = tensor.extract_slice %q[0, 3] [5, 3] [1, 1] : tensor<5x6xf32> to tensor<5x3xf32>
  return %a, %b : tensor<5x0xf32>, tensor<5x3xf32>
}

// -----

// CHECK-LABEL: func @negative_empty_sum
//       CHECK:   linalg.matmul {{.*}} -> tensor<5x6xf32>
//       CHECK:   tensor.extract_slice
func.func @negative_empty_sum(%x: tensor<5x0xf32>, %w: tensor<0x6xf32>, %o: tensor<5x6xf32>) -> tensor<5x3xf32> {
  %q = linalg.matmul ins(%x, %w : tensor<5x0xf32>, tensor<0x6xf32>) outs(%o : tensor<5x6xf32>) -> tensor<5x6xf32>
  %b = tensor.extract_slice %q[0, 3] [5, 3] [1, 1] : tensor<5x6xf32> to tensor<5x3xf32>
  return %b : tensor<5x3xf32>
}
