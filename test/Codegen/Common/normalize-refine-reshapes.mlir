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

// Sizes that are elements of a tensor: those that are the same stay.

// CHECK-LABEL: @sizes_of_tensor(
//  CHECK-SAME:   %[[X:[a-z0-9]+]]: tensor<?x?x48xf32>
//       CHECK:   %[[E:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1], [2, 3]] output_shape [%{{.*}}, %{{.*}}, 3, 16] : tensor<?x?x48xf32> into tensor<?x?x3x16xf32>
//  CHECK-NEXT:   return %[[E]]
func.func @sizes_of_tensor(%x: tensor<?x?x48xf32>) -> tensor<?x?x3x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i64
  %c16 = arith.constant 16 : i64
  %b = tensor.dim %x, %c0 : tensor<?x?x48xf32>
  %t = tensor.dim %x, %c1 : tensor<?x?x48xf32>
  %bi = arith.index_cast %b : index to i64
  %ti = arith.index_cast %t : index to i64
  %s = tensor.from_elements %bi, %ti, %c3, %c16 : tensor<4xi64>
  %0 = tensor.reshape %x(%s) : (tensor<?x?x48xf32>, tensor<4xi64>) -> tensor<?x?x3x16xf32>
  return %0 : tensor<?x?x3x16xf32>
}

// Products of sizes in i64.

// CHECK-LABEL: @product_of_sizes(
//       CHECK:   tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<?x?x48xf32> into tensor<?x48xf32>
//  CHECK-NEXT:   return
func.func @product_of_sizes(%x: tensor<?x?x48xf32>) -> tensor<?x48xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : i64
  %b = tensor.dim %x, %c0 : tensor<?x?x48xf32>
  %t = tensor.dim %x, %c1 : tensor<?x?x48xf32>
  %bi = arith.index_cast %b : index to i64
  %ti = arith.index_cast %t : index to i64
  %n = arith.muli %bi, %ti : i64
  %s = tensor.from_elements %n, %c48 : tensor<2xi64>
  %0 = tensor.reshape %x(%s) : (tensor<?x?x48xf32>, tensor<2xi64>) -> tensor<?x48xf32>
  return %0 : tensor<?x48xf32>
}

// Of other sizes, only the end is known.

// CHECK-LABEL: @negative_other_sizes(
//       CHECK:   tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<?x?x48xf32> into tensor<?x48xf32>
//       CHECK:   tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2, 3]] output_shape [%{{.*}}, %{{.*}}, 3, 16]
func.func @negative_other_sizes(%x: tensor<?x?x48xf32>, %s: tensor<4xindex>) -> tensor<?x?x3x16xf32> {
  %0 = tensor.reshape %x(%s) : (tensor<?x?x48xf32>, tensor<4xindex>) -> tensor<?x?x3x16xf32>
  return %0 : tensor<?x?x3x16xf32>
}

// The program says that the sizes are known.

// CHECK-LABEL: @to_known_sizes(
//       CHECK:   tensor.cast %{{.*}} : tensor<?xf32> to tensor<2048xf32>
//       CHECK:   tensor.expand_shape %{{.*}} : tensor<2048xf32> into tensor<16x1x128xf32>
func.func @to_known_sizes(%x: tensor<1x?x128xf32>, %s: tensor<3xi64>) -> tensor<16x1x128xf32> {
  %0 = tensor.reshape %x(%s) : (tensor<1x?x128xf32>, tensor<3xi64>) -> tensor<16x1x128xf32>
  return %0 : tensor<16x1x128xf32>
}

// The analysis knows a size that one of the types does not.

// CHECK-LABEL: @known_of_one_side(
//       CHECK:   tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]]
//       CHECK:   tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [8, 2, 6] : tensor<8x12xf32> into tensor<8x2x6xf32>
func.func @known_of_one_side(%x: tensor<8x3x4xf32>, %n: index) -> tensor<8x?x6xf32> {
  %0 = tensor.cast %x : tensor<8x3x4xf32> to tensor<?x3x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<?x3x4xf32> into tensor<?xf32>
  %2 = tensor.expand_shape %1 [[0, 1, 2]] output_shape [8, %n, 6] : tensor<?xf32> into tensor<8x?x6xf32>
  return %2 : tensor<8x?x6xf32>
}

// There may be no rows; others would have too few elements.

// CHECK-LABEL: @negative_no_elements(
//       CHECK:   tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2]]
//       CHECK:   tensor.expand_shape %{{.*}} {{\[\[}}0, 1, 2]]
func.func @negative_no_elements(%x: tensor<?x3x4xf32>) -> tensor<?x5x7xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3x4xf32>
  %0 = tensor.collapse_shape %x [[0, 1, 2]] : tensor<?x3x4xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [%n, 5, 7] : tensor<?xf32> into tensor<?x5x7xf32>
  return %1 : tensor<?x5x7xf32>
}

// One element.

// CHECK-LABEL: @of_scalar(
//       CHECK:   tensor.expand_shape %{{.*}} [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
func.func @of_scalar(%x: tensor<f32>, %s: tensor<2xi32>) -> tensor<1x?xf32> {
  %0 = tensor.reshape %x(%s) : (tensor<f32>, tensor<2xi32>) -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}

// CHECK-LABEL: @to_scalar(
//       CHECK:   tensor.cast %{{.*}} : tensor<?x1xf32> to tensor<1x1xf32>
//       CHECK:   tensor.collapse_shape %{{.*}} [] : tensor<1x1xf32> into tensor<f32>
func.func @to_scalar(%x: tensor<?x1xf32>, %s: tensor<0xi32>) -> tensor<f32> {
  %0 = tensor.reshape %x(%s) : (tensor<?x1xf32>, tensor<0xi32>) -> tensor<f32>
  return %0 : tensor<f32>
}
