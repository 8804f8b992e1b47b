// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s

// Rolls along two dimensions are one op.

// CHECK-LABEL: func @two_dimensions(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<5x8x9x4xf32>
// CHECK-NOT:     tensor.concat
// CHECK:         linalg.generic
// CHECK-DAG:       %[[I:.+]] = linalg.index 1
// CHECK-DAG:       %[[J:.+]] = linalg.index 2
// CHECK-DAG:       arith.cmpi ult, %[[I]], %c5
// CHECK-DAG:       arith.cmpi ult, %[[J]], %c7
// CHECK:           tensor.extract %[[X]]
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @two_dimensions(%x: tensor<5x8x9x4xf32>) -> tensor<5x8x9x4xf32> {
  %a = tensor.extract_slice %x[0, 3, 0, 0] [5, 5, 9, 4] [1, 1, 1, 1] : tensor<5x8x9x4xf32> to tensor<5x5x9x4xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 0] [5, 3, 9, 4] [1, 1, 1, 1] : tensor<5x8x9x4xf32> to tensor<5x3x9x4xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<5x5x9x4xf32>, tensor<5x3x9x4xf32>) -> tensor<5x8x9x4xf32>
  %d = tensor.extract_slice %c[0, 0, 2, 0] [5, 8, 7, 4] [1, 1, 1, 1] : tensor<5x8x9x4xf32> to tensor<5x8x7x4xf32>
  %e = tensor.extract_slice %c[0, 0, 0, 0] [5, 8, 2, 4] [1, 1, 1, 1] : tensor<5x8x9x4xf32> to tensor<5x8x2x4xf32>
  %f = tensor.concat dim(2) %d, %e : (tensor<5x8x7x4xf32>, tensor<5x8x2x4xf32>) -> tensor<5x8x9x4xf32>
  return %f : tensor<5x8x9x4xf32>
}

// -----

// Along the last dimension elements are moved, not rows: halves of rotary embeddings.

// CHECK-LABEL: func @negative_elements(
// CHECK:         tensor.concat
func.func @negative_elements(%x: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %a = tensor.extract_slice %x[0, 4] [5, 4] [1, 1] : tensor<5x8xf32> to tensor<5x4xf32>
  %b = tensor.extract_slice %x[0, 0] [5, 4] [1, 1] : tensor<5x8xf32> to tensor<5x4xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x8xf32>
  return %c : tensor<5x8xf32>
}

// -----

// The halves do not cover the tensor.

// CHECK-LABEL: func @negative_gap(
// CHECK:         tensor.concat
func.func @negative_gap(%x: tensor<8x5xf32>) -> tensor<7x5xf32> {
  %a = tensor.extract_slice %x[4, 0] [4, 5] [1, 1] : tensor<8x5xf32> to tensor<4x5xf32>
  %b = tensor.extract_slice %x[0, 0] [3, 5] [1, 1] : tensor<8x5xf32> to tensor<3x5xf32>
  %c = tensor.concat dim(0) %a, %b : (tensor<4x5xf32>, tensor<3x5xf32>) -> tensor<7x5xf32>
  return %c : tensor<7x5xf32>
}

// -----

// CHECK-LABEL: func @negative_two_tensors(
// CHECK:         tensor.concat
func.func @negative_two_tensors(%x: tensor<8x5xf32>, %y: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %a = tensor.extract_slice %x[3, 0] [5, 5] [1, 1] : tensor<8x5xf32> to tensor<5x5xf32>
  %b = tensor.extract_slice %y[0, 0] [3, 5] [1, 1] : tensor<8x5xf32> to tensor<3x5xf32>
  %c = tensor.concat dim(0) %a, %b : (tensor<5x5xf32>, tensor<3x5xf32>) -> tensor<8x5xf32>
  return %c : tensor<8x5xf32>
}
