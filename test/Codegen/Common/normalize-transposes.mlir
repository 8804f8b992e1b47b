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

// The only head is merged with the columns, which the transpose puts behind it; then they
// are split into pairs.

// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4, d5)>
// CHECK-LABEL: func @one_head_merged
//  CHECK-SAME: (%[[QUERY:[^:]*]]: tensor<2x?x8x2xf32>, %[[KEY:[^:]*]]: tensor<2x1x?x16xf32>,
func.func @one_head_merged(%q: tensor<2x?x8x2xf32>, %k: tensor<2x1x?x16xf32>, %kt: tensor<2x1x16x?xf32>,
                           %s: tensor<2x?x?xf32>, %n: index) -> tensor<2x?x?xf32> {
  // CHECK: %[[K:.*]] = tensor.expand_shape %[[KEY]] {{.*}} into tensor<2x1x?x8x2xf32>
  // CHECK: %[[Q:.*]] = tensor.expand_shape %[[QUERY]]
  // CHECK-NOT: linalg.transpose
  // CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[B]], #{{.*}}]
  // CHECK-SAME: ins(%[[Q]], %[[K]] :
  %0 = linalg.transpose ins(%k : tensor<2x1x?x16xf32>) outs(%kt : tensor<2x1x16x?xf32>) permutation = [0, 1, 3, 2]
  %1 = tensor.collapse_shape %0 [[0], [1, 2], [3]] : tensor<2x1x16x?xf32> into tensor<2x16x?xf32>
  %2 = tensor.collapse_shape %q [[0], [1], [2, 3]] : tensor<2x?x8x2xf32> into tensor<2x?x16xf32>
  %3 = linalg.batch_matmul ins(%2, %1 : tensor<2x?x16xf32>, tensor<2x16x?xf32>)
      outs(%s : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  return %3 : tensor<2x?x?xf32>
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

// -----

// Keys are repeated for 9 heads, then scaled: they are scaled once.

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[KEY:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
// CHECK-LABEL: func @scaled_after_broadcast
//  CHECK-SAME: (%[[Q:.*]]: tensor<?x9x?x4xf32>, %[[K:.*]]: tensor<?x?x4xf32>,
func.func @scaled_after_broadcast(%q: tensor<?x9x?x4xf32>, %k: tensor<?x?x4xf32>, %kk: tensor<?x9x?x4xf32>,
                                  %s: tensor<?x9x?x?xf32>) -> tensor<?x9x?x?xf32> {
  // CHECK: %[[SCALED:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ID]]]
  // CHECK-SAME: ins(%[[K]] : tensor<?x?x4xf32>)
  // CHECK: arith.mulf
  // CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[KEY]], #{{.*}}]
  // CHECK-SAME: ins(%[[Q]], %[[SCALED]] :
  %c = arith.constant 0.5 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(b, g, n, d) -> (b, n, d)>, affine_map<(b, g, n, d) -> (b, g, n, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<?x?x4xf32>) outs(%kk : tensor<?x9x?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x9x?x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, g, n, d) -> (b, g, n, d)>, affine_map<(b, g, n, d) -> (b, g, n, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0 : tensor<?x9x?x4xf32>) outs(%kk : tensor<?x9x?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.mulf %in, %c : f32
    linalg.yield %m : f32
  } -> tensor<?x9x?x4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(b, g, m, n, d) -> (b, g, m, d)>, affine_map<(b, g, m, n, d) -> (b, g, n, d)>,
                                        affine_map<(b, g, m, n, d) -> (b, g, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %1 : tensor<?x9x?x4xf32>, tensor<?x9x?x4xf32>) outs(%s : tensor<?x9x?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %m = arith.mulf %x, %y : f32
    %a = arith.addf %out, %m : f32
    linalg.yield %a : f32
  } -> tensor<?x9x?x?xf32>
  return %2 : tensor<?x9x?x?xf32>
}

// -----

// An op that depends on the index of the head is not the same for all heads.

// CHECK-LABEL: func @negative_head_index
// CHECK: linalg.index 1
// CHECK: -> tensor<?x9x?x4xf32>
func.func @negative_head_index(%k: tensor<?x?x4xf32>, %kk: tensor<?x9x?x4xf32>) -> tensor<?x9x?x4xf32> {
  %1 = linalg.generic {indexing_maps = [affine_map<(b, g, n, d) -> (b, n, d)>, affine_map<(b, g, n, d) -> (b, g, n, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<?x?x4xf32>) outs(%kk : tensor<?x9x?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %m = arith.mulf %in, %f : f32
    linalg.yield %m : f32
  } -> tensor<?x9x?x4xf32>
  return %1 : tensor<?x9x?x4xf32>
}

// -----

// One head of K is collapsed with the keys and repeated: the scores have one
// dimension of keys.

// CHECK-LABEL: func @one_head_collapsed
// CHECK-NOT: tensor<?x3x24x24x1xf32>
// CHECK: linalg.generic
// CHECK: } -> tensor<?x3x24x24xf32>
func.func @one_head_collapsed(%q: tensor<?x24x3x5xf32>, %k: tensor<?x24x1x5xf32>, %kk: tensor<?x24x3x5xf32>,
                              %s: tensor<?x3x24x24xf32>) -> tensor<?x3x24x24xf32> {
  %c = tensor.collapse_shape %k [[0], [1, 2], [3]] : tensor<?x24x1x5xf32> into tensor<?x24x5xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, n, g, d) -> (b, n, d)>, affine_map<(b, n, g, d) -> (b, n, g, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<?x24x5xf32>) outs(%kk : tensor<?x24x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x24x3x5xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(b, g, m, n, d) -> (b, m, g, d)>, affine_map<(b, g, m, n, d) -> (b, n, g, d)>,
                                        affine_map<(b, g, m, n, d) -> (b, g, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %1 : tensor<?x24x3x5xf32>, tensor<?x24x3x5xf32>) outs(%s : tensor<?x3x24x24xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %m = arith.mulf %x, %y : f32
    %a = arith.addf %out, %m : f32
    linalg.yield %a : f32
  } -> tensor<?x3x24x24xf32>
  return %2 : tensor<?x3x24x24xf32>
}

// -----

// A payload with side effects runs as often as before.

// CHECK-LABEL: func @negative_side_effects
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK: func.call @random
func.func private @random() -> f32
func.func @negative_side_effects(%x: tensor<?xf32>, %e: tensor<?x?xf32>, %f: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = func.call @random() : () -> f32
    %a = arith.addf %r, %in : f32
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = math.exp %in : f32
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// Nothing is gained if the result is returned.

// CHECK-LABEL: func @negative_returned
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: math.rsqrt
// CHECK: return %[[R]]
func.func @negative_returned(%x: tensor<?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = math.rsqrt %in : f32
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// A copy that only leaves out a dimension of size 1 is a reshape, also if its map
// has more results than the copy has loops.

// CHECK-LABEL: func @drop_unit_dim
// CHECK-SAME: %[[X:.*]]: tensor<1x41x1x16xf32>
// CHECK-NEXT: %[[R:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0], [1], [2, 3]]
// CHECK-NEXT: return %[[R]]
func.func @drop_unit_dim(%x: tensor<1x41x1x16xf32>) -> tensor<1x41x16xf32> {
  %e = tensor.empty() : tensor<1x41x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a,b,c)->(a,b,0,c)>, affine_map<(a,b,c)->(a,b,c)>], iterator_types = ["parallel","parallel","parallel"]} ins(%x : tensor<1x41x1x16xf32>) outs(%e : tensor<1x41x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32 } -> tensor<1x41x16xf32>
  return %r : tensor<1x41x16xf32>
}
