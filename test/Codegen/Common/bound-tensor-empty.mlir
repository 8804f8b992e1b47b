// RUN: linalg-ext-opt %s --linalg-ext-prepare-destinations=steps=bound-empty --split-input-file --allow-unregistered-dialect | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-prepare-destinations{steps=bound-empty})' --split-input-file --allow-unregistered-dialect | FileCheck %s

#tile = affine_map<(d0)[s0] -> (-d0 + s0, 128)>

// CHECK-LABEL: func @remainder_tile
func.func @remainder_tile(%n: index) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  scf.for %i = %c0 to %n step %c128 {
    // CHECK: %[[SIZE:.*]] = affine.min
    %size = affine.min #tile(%i)[%n]
    // CHECK: %[[FULL:.*]] = tensor.empty() : tensor<4x128xf32>
    // CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[FULL]][0, 0] [4, %[[SIZE]]] [1, 1] : tensor<4x128xf32> to tensor<4x?xf32>
    // CHECK: "test.use"(%[[SLICE]])
    %0 = tensor.empty(%size) : tensor<4x?xf32>
    "test.use"(%0) : (tensor<4x?xf32>) -> ()
  }
  return
}

// -----

#tile = affine_map<(d0)[s0] -> (-d0 + s0, 128)>

// A slice of a large tensor is shrunk first.

// CHECK-LABEL: func @slice_of_empty
func.func @slice_of_empty(%n: index) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %large = tensor.empty(%n) : tensor<?xf32>
  scf.for %i = %c0 to %n step %c128 {
    // CHECK: %[[FULL:.*]] = tensor.empty() : tensor<128xf32>
    // CHECK: tensor.extract_slice %[[FULL]]
    %size = affine.min #tile(%i)[%n]
    %0 = tensor.extract_slice %large[%i] [%size] [1] : tensor<?xf32> to tensor<?xf32>
    "test.use"(%0) : (tensor<?xf32>) -> ()
  }
  return
}

// -----

// CHECK-LABEL: func @negative_unbounded
func.func @negative_unbounded(%n: index) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  scf.for %i = %c0 to %n step %c128 {
    // CHECK: tensor.empty(%{{.*}}) : tensor<?xf32>
    %0 = tensor.empty(%n) : tensor<?xf32>
    "test.use"(%0) : (tensor<?xf32>) -> ()
  }
  return
}

// -----

#tile = affine_map<(d0)[s0] -> (-d0 + s0, 1048576)>

// CHECK-LABEL: func @negative_too_large
func.func @negative_too_large(%n: index) {
  %c0 = arith.constant 0 : index
  %step = arith.constant 1048576 : index
  scf.for %i = %c0 to %n step %step {
    // CHECK: tensor.empty(%{{.*}}) : tensor<?xf32>
    %size = affine.min #tile(%i)[%n]
    %0 = tensor.empty(%size) : tensor<?xf32>
    "test.use"(%0) : (tensor<?xf32>) -> ()
  }
  return
}

// -----

#tile = affine_map<(d0)[s0] -> (-d0 + s0, 128)>

// CHECK-LABEL: func @negative_not_in_a_loop
func.func @negative_not_in_a_loop(%n: index, %i: index) {
  // CHECK: tensor.empty(%{{.*}}) : tensor<?xf32>
  %size = affine.min #tile(%i)[%n]
  %0 = tensor.empty(%size) : tensor<?xf32>
  "test.use"(%0) : (tensor<?xf32>) -> ()
  return
}

// -----

// Upstream's verifier accepts an output_shape that contradicts the type.

// CHECK-LABEL: func @output_shape_contradicts
//       CHECK:   %[[EMPTY:.*]] = tensor.empty() : tensor<2x4xf32>
//       CHECK:   return %[[EMPTY]]
func.func @output_shape_contradicts() -> tensor<2x4xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %split = tensor.expand_shape %empty [[0, 1]] output_shape [36, 2] : tensor<8xf32> into tensor<2x4xf32>
  return %split : tensor<2x4xf32>
}
