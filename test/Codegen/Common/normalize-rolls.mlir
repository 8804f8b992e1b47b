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

// The number of images is not known. Both halves have all of them.

// CHECK-LABEL: func @unknown_batch(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x8x4xf32>
// CHECK-NOT:     tensor.concat
// CHECK:         %[[N:.+]] = tensor.dim %[[X]], %c0
// CHECK:         tensor.empty(%[[N]]) : tensor<?x8x4xf32>
// CHECK:         linalg.generic
// CHECK-DAG:       %[[I:.+]] = linalg.index 0
// CHECK-DAG:       %[[J:.+]] = linalg.index 1
// CHECK-DAG:       %[[K:.+]] = linalg.index 2
// CHECK-DAG:       %[[FIRST:.+]] = arith.cmpi ult, %[[J]], %c5
// CHECK-DAG:       %[[AHEAD:.+]] = arith.addi %[[J]], %c3
// CHECK-DAG:       %[[BEHIND:.+]] = arith.subi %[[J]], %c5
// CHECK-DAG:       %[[AT:.+]] = arith.select %[[FIRST]], %[[AHEAD]], %[[BEHIND]]
// CHECK:           tensor.extract %[[X]][%[[I]], %[[AT]], %[[K]]]
// CHECK:         return
func.func @unknown_batch(%x: tensor<?x8x4xf32>) -> tensor<?x8x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8x4xf32>
  %a = tensor.extract_slice %x[0, 3, 0] [%n, 5, 4] [1, 1, 1] : tensor<?x8x4xf32> to tensor<?x5x4xf32>
  %b = tensor.extract_slice %x[0, 0, 0] [%n, 3, 4] [1, 1, 1] : tensor<?x8x4xf32> to tensor<?x3x4xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<?x5x4xf32>, tensor<?x3x4xf32>) -> tensor<?x8x4xf32>
  return %c : tensor<?x8x4xf32>
}

// -----

// A roll of elements between two rolls of rows stays, and rows are read at positions that wrap
// around on both of its sides.

// CHECK-LABEL: func @elements_between(
// CHECK:         linalg.generic
// CHECK:           arith.cmpi ult, %{{.+}}, %c5
// CHECK:         tensor.concat dim(2)
// CHECK-NOT:     tensor.concat
// CHECK:         linalg.generic
// CHECK:           arith.cmpi ult, %{{.+}}, %c6
// CHECK:         return
func.func @elements_between(%x: tensor<9x8x4xf32>) -> tensor<9x8x4xf32> {
  %a = tensor.extract_slice %x[0, 3, 0] [9, 5, 4] [1, 1, 1] : tensor<9x8x4xf32> to tensor<9x5x4xf32>
  %b = tensor.extract_slice %x[0, 0, 0] [9, 3, 4] [1, 1, 1] : tensor<9x8x4xf32> to tensor<9x3x4xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<9x5x4xf32>, tensor<9x3x4xf32>) -> tensor<9x8x4xf32>
  %d = tensor.extract_slice %c[0, 0, 1] [9, 8, 3] [1, 1, 1] : tensor<9x8x4xf32> to tensor<9x8x3xf32>
  %e = tensor.extract_slice %c[0, 0, 0] [9, 8, 1] [1, 1, 1] : tensor<9x8x4xf32> to tensor<9x8x1xf32>
  %f = tensor.concat dim(2) %d, %e : (tensor<9x8x3xf32>, tensor<9x8x1xf32>) -> tensor<9x8x4xf32>
  %g = tensor.extract_slice %f[3, 0, 0] [6, 8, 4] [1, 1, 1] : tensor<9x8x4xf32> to tensor<6x8x4xf32>
  %h = tensor.extract_slice %f[0, 0, 0] [3, 8, 4] [1, 1, 1] : tensor<9x8x4xf32> to tensor<3x8x4xf32>
  %i = tensor.concat dim(0) %g, %h : (tensor<6x8x4xf32>, tensor<3x8x4xf32>) -> tensor<9x8x4xf32>
  return %i : tensor<9x8x4xf32>
}

// -----

// The halves may have fewer images than the tensor.

// CHECK-LABEL: func @negative_other_batch(
// CHECK:         tensor.concat
func.func @negative_other_batch(%x: tensor<?x8x4xf32>, %n: index) -> tensor<?x8x4xf32> {
  %a = tensor.extract_slice %x[0, 3, 0] [%n, 5, 4] [1, 1, 1] : tensor<?x8x4xf32> to tensor<?x5x4xf32>
  %b = tensor.extract_slice %x[0, 0, 0] [%n, 3, 4] [1, 1, 1] : tensor<?x8x4xf32> to tensor<?x3x4xf32>
  %c = tensor.concat dim(1) %a, %b : (tensor<?x5x4xf32>, tensor<?x3x4xf32>) -> tensor<?x8x4xf32>
  return %c : tensor<?x8x4xf32>
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
