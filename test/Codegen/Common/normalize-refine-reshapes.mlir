// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=spelling | FileCheck %s

// Dimensions that a reshape keeps in front, or at the end, are not merged and split.

// CHECK-LABEL: @heads(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<37x3x32xf32>
//       CHECK:   %[[C:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0], [1, 2]] : tensor<37x3x32xf32> into tensor<37x96xf32>
//       CHECK:   tensor.expand_shape %[[C]] {{\[\[}}0], [1, 2]] output_shape [37, 12, 8]
func.func @heads(%x: tensor<37x3x32xf32>) -> tensor<37x12x8xf32> {
  %0 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<37x3x32xf32> into tensor<3552xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [37, 12, 8] : tensor<3552xf32> into tensor<37x12x8xf32>
  return %1 : tensor<37x12x8xf32>
}

// Nothing is left but a merge, or a split.

// CHECK-LABEL: @merge(
//       CHECK:   tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2], [3]] : tensor<2x3x5x7xf32> into tensor<2x15x7xf32>
//  CHECK-NEXT:   return
func.func @merge(%x: tensor<2x3x5x7xf32>) -> tensor<2x15x7xf32> {
  %0 = tensor.collapse_shape %x [[0, 1, 2, 3]] : tensor<2x3x5x7xf32> into tensor<210xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [2, 15, 7] : tensor<210xf32> into tensor<2x15x7xf32>
  return %1 : tensor<2x15x7xf32>
}

// What is not known in front: the end is the same.

// CHECK-LABEL: @end(
//       CHECK:   tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2], [3]] : tensor<?x4x5x7xf32> into tensor<?x5x7xf32>
//       CHECK:   tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2], [3]] output_shape [%{{.*}}, 2, 5, 7]
func.func @end(%x: tensor<?x4x5x7xf32>, %n: index) -> tensor<?x2x5x7xf32> {
  %0 = tensor.collapse_shape %x [[0, 1, 2, 3]] : tensor<?x4x5x7xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2, 3]] output_shape [%n, 2, 5, 7] : tensor<?xf32> into tensor<?x2x5x7xf32>
  return %1 : tensor<?x2x5x7xf32>
}

// CHECK-LABEL: @negative_none(
//       CHECK:   tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2]]
//       CHECK:   tensor.expand_shape %{{.*}} {{\[\[}}0, 1, 2]]
func.func @negative_none(%x: tensor<4x9x5xf32>) -> tensor<6x3x10xf32> {
  %0 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<4x9x5xf32> into tensor<180xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [6, 3, 10] : tensor<180xf32> into tensor<6x3x10xf32>
  return %1 : tensor<6x3x10xf32>
}
