// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-normalize)' --split-input-file | FileCheck %s

// CHECK-DAG: #[[Q:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-DAG: #[[S:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// CHECK-LABEL: func @transposed_keys
//  CHECK-SAME: (%[[QUERY:.*]]: tensor<2x?x4xf32>, %[[KEY:.*]]: tensor<2x?x4xf32>,
func.func @transposed_keys(%q: tensor<2x?x4xf32>, %k: tensor<2x?x4xf32>, %kt: tensor<2x4x?xf32>,
                           %s: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[Q]], #[[K]], #[[S]]]
  // CHECK-SAME: ins(%[[QUERY]], %[[KEY]] :
  %0 = linalg.transpose ins(%k : tensor<2x?x4xf32>) outs(%kt : tensor<2x4x?xf32>) permutation = [0, 2, 1]
  %1 = linalg.batch_matmul ins(%q, %0 : tensor<2x?x4xf32>, tensor<2x4x?xf32>)
      outs(%s : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  return %1 : tensor<2x?x?xf32>
}

// -----

// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>

// CHECK-LABEL: func @repeated_as_generic
//  CHECK-SAME: (%[[X:.*]]: tensor<2x5x4xf32>, %[[Y:.*]]: tensor<4x3xf32>,
func.func @repeated_as_generic(%a: tensor<2x5x4xf32>, %b: tensor<4x3xf32>, %bb: tensor<2x4x3xf32>,
                               %s: tensor<2x5x3xf32>) -> tensor<2x5x3xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[A]], #[[B]],
  // CHECK-SAME: ins(%[[X]], %[[Y]] :
  %0 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b : tensor<4x3xf32>) outs(%bb : tensor<2x4x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x4x3xf32>
  %1 = linalg.batch_matmul ins(%a, %0 : tensor<2x5x4xf32>, tensor<2x4x3xf32>)
      outs(%s : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  return %1 : tensor<2x5x3xf32>
}

// -----

// Batch and heads are collapsed after the transpose: the contraction takes both.

// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
// CHECK-LABEL: func @collapsed_heads
//  CHECK-SAME: (%[[QUERY:[^:]*]]: tensor<6x?x4xf32>, %[[KEY:[^:]*]]: tensor<2x3x?x4xf32>,
func.func @collapsed_heads(%q: tensor<6x?x4xf32>, %k: tensor<2x3x?x4xf32>, %kt: tensor<2x3x4x?xf32>,
                           %s: tensor<6x?x?xf32>) -> tensor<6x?x?xf32> {
  // CHECK: %[[Q:.*]] = tensor.expand_shape %[[QUERY]]
  // CHECK-NOT: linalg.transpose
  // CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[B]], #{{.*}}]
  // CHECK-SAME: ins(%[[Q]], %[[KEY]] :
  %0 = linalg.transpose ins(%k : tensor<2x3x?x4xf32>) outs(%kt : tensor<2x3x4x?xf32>) permutation = [0, 1, 3, 2]
  %1 = tensor.collapse_shape %0 [[0, 1], [2], [3]] : tensor<2x3x4x?xf32> into tensor<6x4x?xf32>
  %2 = linalg.batch_matmul ins(%q, %1 : tensor<6x?x4xf32>, tensor<6x4x?xf32>)
      outs(%s : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  return %2 : tensor<6x?x?xf32>
}

// -----

// Heads and tokens are neighbours only after the transpose.

// CHECK-LABEL: func @negative_group_torn_apart
func.func @negative_group_torn_apart(%x: tensor<2x5x3x4xf32>, %e: tensor<2x3x5x4xf32>) -> tensor<6x5x4xf32> {
  // CHECK: %[[T:.*]] = linalg.transpose
  // CHECK: tensor.collapse_shape %[[T]]
  %0 = linalg.transpose ins(%x : tensor<2x5x3x4xf32>) outs(%e : tensor<2x3x5x4xf32>) permutation = [0, 2, 1, 3]
  %1 = tensor.collapse_shape %0 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
  return %1 : tensor<6x5x4xf32>
}

// -----

// CHECK-LABEL: func @negative_not_only_moved
func.func @negative_not_only_moved(%a: tensor<5x4xf32>, %b: tensor<4x3xf32>, %s: tensor<5x3xf32>) -> tensor<5x3xf32> {
  // CHECK: linalg.exp
  // CHECK: linalg.matmul
  %0 = linalg.exp ins(%b : tensor<4x3xf32>) outs(%b : tensor<4x3xf32>) -> tensor<4x3xf32>
  %1 = linalg.matmul ins(%a, %0 : tensor<5x4xf32>, tensor<4x3xf32>) outs(%s : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %1 : tensor<5x3xf32>
}

// -----

// Nothing but the repeated operand says how long the batch is.

// CHECK-LABEL: func @negative_size_from_nowhere
func.func @negative_size_from_nowhere(%a: tensor<4xf32>, %aa: tensor<7x4xf32>, %b: tensor<4xf32>, %s: tensor<f32>) -> tensor<f32> {
  // CHECK: linalg.broadcast
  // CHECK: linalg.generic
  %0 = linalg.broadcast ins(%a : tensor<4xf32>) outs(%aa : tensor<7x4xf32>) dimensions = [0]
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]}
      ins(%0, %b : tensor<7x4xf32>, tensor<4xf32>) outs(%s : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %2 = arith.mulf %x, %y : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  return %1 : tensor<f32>
}
