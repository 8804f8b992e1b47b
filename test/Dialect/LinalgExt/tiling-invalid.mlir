// RUN: not linalg-ext-opt %s -transform-interpreter -split-input-file 2>&1 | FileCheck %s

// Tiles that upstream's drivers ask for and that would be wrong. What they accept
// is executed in test/Integration/CPU/stock-drivers-*.mlir.

// CHECK: error: 'linalg_ext.softmax' op expected whole tiles along dimension 1, got a partial one: a softmax that is not 'online' has no state to carry from tile to tile
func.func @negative_softmax_along_dimension(%x: tensor<4x8xf32>, %s: tensor<4xf32>) -> tensor<4x8xf32> {
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%x, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0 : tensor<4x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK: error: 'linalg_ext.softmax' op expected whole tiles along dimension 1, got a partial one
func.func @negative_softmax_along_dimension_forall(%x: tensor<?x?xf32>, %s: tensor<?xf32>) -> tensor<?x?xf32> {
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%x, %s, %s, %s : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  return %0#0 : tensor<?x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The tile is whole only by chance of the sizes at run time.

// CHECK: error: 'linalg_ext.softmax' op expected whole tiles along dimension 1, got a partial one
func.func @negative_softmax_along_dynamic_dimension(%x: tensor<4x?xf32>, %s: tensor<4xf32>) -> tensor<4x?xf32> {
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x?xf32>) outs(%x, %s, %s, %s : tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0 : tensor<4x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.fuse %op tile_sizes [0, 1024] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK: error: 'linalg_ext.diag' op expected whole tiles along dimension 1, got a partial one: only the batch dimensions of a diagonal matrix tile
func.func @negative_diag_rows(%v: tensor<2x4xf32>, %d: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %0 = linalg_ext.diag ins(%v : tensor<2x4xf32>) outs(%d : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.diag"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK: error: 'linalg_ext.diag' op expected whole tiles along dimension 1, got a partial one: only the batch dimensions of a diagonal matrix tile
func.func @negative_diag_columns(%v: tensor<?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg_ext.diag ins(%v : tensor<?xf32>) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.diag"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Upstream only warns, and emits a race.

// CHECK: error: 'linalg_ext.batch_matmul' op expected tiles along reduction dimension 3 to be visited sequentially, got 'scf.forall'
func.func @negative_batch_matmul_forall_over_reduction(%a: tensor<2x4x8xf32>, %b: tensor<2x8x4xf32>, %c: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %0 = linalg_ext.batch_matmul ins(%a, %b : tensor<2x4x8xf32>, tensor<2x8x4xf32>) outs(%c : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op tile_sizes [0, 0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK: error: 'linalg_ext.batch_matmul' op expected tiles along reduction dimension 3 to be visited sequentially, got 'scf.forall'
func.func @negative_batch_matmul_fuse_forall_over_reduction(%a: tensor<2x4x8xf32>, %b: tensor<2x8x4xf32>, %c: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %0 = linalg_ext.batch_matmul ins(%a, %b : tensor<2x4x8xf32>, tensor<2x8x4xf32>) outs(%c : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.fuse %op tile_sizes [0, 0, 0, 4] {use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK: error: 'linalg_ext.batch_matmul' op expected tiles along reduction dimension 3 to be visited sequentially, got 'scf.forall'
func.func @negative_batch_matmul_num_threads_over_reduction(%a: tensor<2x4x8xf32>, %b: tensor<2x8x4xf32>, %c: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %0 = linalg_ext.batch_matmul ins(%a, %b : tensor<2x4x8xf32>, tensor<2x8x4xf32>) outs(%c : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %op num_threads [0, 0, 0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
