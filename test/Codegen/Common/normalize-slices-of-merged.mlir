// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=fold-reshapes | FileCheck %s

// The second half of a head whose pairs were transposed is one element of a pair.

// CHECK-LABEL: func.func @half
// CHECK-SAME: %[[X:.*]]: tensor<5x3x2x4xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][1, 0, 1, 0] [3, 3, 1, 4] [1, 1, 1, 1]
// CHECK: tensor.collapse_shape %[[S]] {{\[\[}}0], [1], [2, 3]]
func.func @half(%x: tensor<5x3x2x4xf32>) -> tensor<3x3x4xf32> {
  %c = tensor.collapse_shape %x [[0], [1], [2, 3]] : tensor<5x3x2x4xf32> into tensor<5x3x8xf32>
  %s = tensor.extract_slice %c[1, 0, 4] [3, 3, 4] [1, 1, 1] : tensor<5x3x8xf32> to tensor<3x3x4xf32>
  return %s : tensor<3x3x4xf32>
}

// Part of one row of an outer dimension.

// CHECK-LABEL: func.func @inside
// CHECK: tensor.extract_slice %{{.*}}[2, 1, 0] [1, 1, 2] [1, 1, 1] : tensor<3x2x4xf32>
func.func @inside(%x: tensor<3x2x4xf32>) -> tensor<2xf32> {
  %c = tensor.collapse_shape %x [[0, 1, 2]] : tensor<3x2x4xf32> into tensor<24xf32>
  %s = tensor.extract_slice %c[20] [2] [1] : tensor<24xf32> to tensor<2xf32>
  return %s : tensor<2xf32>
}

// CHECK-LABEL: func.func @negative_half_rows
// CHECK: tensor.extract_slice %{{.*}}[2] [4] [1]
func.func @negative_half_rows(%x: tensor<3x4xf32>) -> tensor<4xf32> {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  %s = tensor.extract_slice %c[2] [4] [1] : tensor<12xf32> to tensor<4xf32>
  return %s : tensor<4xf32>
}

// A concatenation whose dimension is split.

// CHECK-LABEL: func.func @concat
// CHECK-SAME: %[[A:.*]]: tensor<5x8xf32>, %[[B:.*]]: tensor<5x4xf32>
// CHECK-DAG: %[[EA:.*]] = tensor.expand_shape %[[A]] {{.*}} into tensor<5x2x4xf32>
// CHECK-DAG: %[[EB:.*]] = tensor.expand_shape %[[B]] {{.*}} into tensor<5x1x4xf32>
// CHECK: tensor.concat dim(1) %[[EA]], %[[EB]]
func.func @concat(%a: tensor<5x8xf32>, %b: tensor<5x4xf32>) -> tensor<5x3x4xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<5x8xf32>, tensor<5x4xf32>) -> tensor<5x12xf32>
  %e = tensor.expand_shape %c [[0], [1, 2]] output_shape [5, 3, 4] : tensor<5x12xf32> into tensor<5x3x4xf32>
  return %e : tensor<5x3x4xf32>
}

// CHECK-LABEL: func.func @negative_seam_in_row
// CHECK: tensor.concat dim(1)
// CHECK: tensor.expand_shape
func.func @negative_seam_in_row(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x3x4xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x12xf32>
  %e = tensor.expand_shape %c [[0], [1, 2]] output_shape [5, 3, 4] : tensor<5x12xf32> into tensor<5x3x4xf32>
  return %e : tensor<5x3x4xf32>
}

// Another dimension is split; dynamic sizes.

// CHECK-LABEL: func.func @concat_other_dim
// CHECK-SAME: %[[A:.*]]: tensor<?x8xf32>, %[[B:.*]]: tensor<4x8xf32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[A]]
// CHECK-DAG: %[[EA:.*]] = tensor.expand_shape %[[A]] {{\[\[}}0], [1, 2]] output_shape [%[[N]], 2, 4]
// CHECK-DAG: %[[EB:.*]] = tensor.expand_shape %[[B]] {{\[\[}}0], [1, 2]] output_shape [4, 2, 4]
// CHECK: tensor.concat dim(0) %[[EA]], %[[EB]] : (tensor<?x2x4xf32>, tensor<4x2x4xf32>) -> tensor<?x2x4xf32>
func.func @concat_other_dim(%a: tensor<?x8xf32>, %b: tensor<4x8xf32>, %n: index) -> tensor<?x2x4xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
  %e = tensor.expand_shape %c [[0], [1, 2]] output_shape [%n, 2, 4] : tensor<?x8xf32> into tensor<?x2x4xf32>
  return %e : tensor<?x2x4xf32>
}

// A cache that is also returned.

// CHECK-LABEL: func.func @negative_other_user
// CHECK: %[[C:.*]] = tensor.concat dim(0)
// CHECK: tensor.expand_shape %[[C]]
func.func @negative_other_user(%a: tensor<3x8xf32>, %b: tensor<4x8xf32>) -> (tensor<7x8xf32>, tensor<7x2x4xf32>) {
  %c = tensor.concat dim(0) %a, %b : (tensor<3x8xf32>, tensor<4x8xf32>) -> tensor<7x8xf32>
  %e = tensor.expand_shape %c [[0], [1, 2]] output_shape [7, 2, 4] : tensor<7x8xf32> into tensor<7x2x4xf32>
  return %c, %e : tensor<7x8xf32>, tensor<7x2x4xf32>
}

// Rows without elements.

// CHECK-LABEL: func.func @negative_empty_rows
// CHECK: return %{{.*}} : tensor<4x0xf32>
func.func @negative_empty_rows(%a: tensor<0xf32>, %b: tensor<0xf32>) -> tensor<4x0xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [4, 0] : tensor<0xf32> into tensor<4x0xf32>
  return %e : tensor<4x0xf32>
}
