// RUN: mlir-opt --load-dialect-plugin=%plugin %s -transform-interpreter -split-input-file -verify-diagnostics=only-expected

// Upstream's consumer fusion into the loops of a producer: a consumer that would
// see a part of what it reduces stays outside. (The transform op is one of
// upstream's tests, and only its mlir-opt has it.)

func.func @negative_softmax(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %s: tensor<4xf32>) -> tensor<4x8xf32> {
  %n = linalg.negf ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-error @below {{'linalg_ext.softmax' op failed to fuse consumer of slice}}
  %0:4 = linalg_ext.softmax dimension(1) ins(%n : tensor<4x8xf32>) outs(%x, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0 : tensor<4x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.negf"]} in %m : (!transform.any_op) -> !transform.any_op
    %consumer = transform.structured.match ops{["linalg_ext.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x, %y = transform.test.fuse_consumer %consumer into (%l) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @negative_diag(%v: tensor<2x4xf32>, %w: tensor<2x4xf32>, %d: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %n = linalg.negf ins(%v : tensor<2x4xf32>) outs(%w : tensor<2x4xf32>) -> tensor<2x4xf32>
  // expected-error @below {{'linalg_ext.diag' op failed to fuse consumer of slice}}
  %0 = linalg_ext.diag ins(%n : tensor<2x4xf32>) outs(%d : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.negf"]} in %m : (!transform.any_op) -> !transform.any_op
    %consumer = transform.structured.match ops{["linalg_ext.diag"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x, %y = transform.test.fuse_consumer %consumer into (%l) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The loop over columns of A is one over what the product contracts.

func.func @negative_batch_matmul(%a: tensor<4x8xf32>, %a0: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %n = linalg.negf ins(%a : tensor<4x8xf32>) outs(%a0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-error @below {{'linalg_ext.batch_matmul' op failed to fuse consumer of slice}}
  %0 = linalg_ext.batch_matmul ins(%n, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.negf"]} in %m : (!transform.any_op) -> !transform.any_op
    %consumer = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x, %y = transform.test.fuse_consumer %consumer into (%l) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The consumer of a partial sum: the accumulator is not complete in the loop.

func.func @negative_into_reduction_loop(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %s: tensor<4xf32>) -> tensor<4x4xf32> {
  %p = linalg_ext.batch_matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-error @below {{'linalg_ext.softmax' op failed to fuse consumer of slice}}
  %0:4 = linalg_ext.softmax dimension(1) ins(%p : tensor<4x4xf32>) outs(%c, %s, %s, %s : tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0 : tensor<4x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg_ext.batch_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %consumer = transform.structured.match ops{["linalg_ext.softmax"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %op tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %x, %y = transform.test.fuse_consumer %consumer into (%l) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
