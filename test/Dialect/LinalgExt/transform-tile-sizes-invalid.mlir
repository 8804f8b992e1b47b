// Tile sizes that are operands: each refusal leaves the payload as it was.
//
// RUN: linalg-ext-opt %s -split-input-file -verify-diagnostics -transform-interpreter

func.func @negative_behind_the_root(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, index) {
  // expected-note @below {{root}}
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %size = arith.constant 4 : index
  return %0, %size : tensor<8x8xf32>, index
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %size = transform.structured.match ops{["arith.constant"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot tile and fuse: expected a dynamic tile size in front of the root, got one behind it}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(%size)]
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @negative_type(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %size = arith.constant 4 : i32
  // expected-note @below {{root}}
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %size = transform.structured.match ops{["arith.constant"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot tile and fuse: expected a dynamic tile size of type 'index', got i32}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(%size)]
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @negative_not_a_size(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-note @below {{payload op}}
  return %0 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %size = transform.structured.match ops{["func.return"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected ops with one result as tile sizes, got one with 0}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(%size)]
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @negative_zero(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %size = transform.param.constant 0 : i64 -> !transform.param<i64>
    // expected-error @below {{expected positive tile sizes, got 0 : i64}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(%size)]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @negative_number_of_sizes(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%a, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %size = transform.structured.match ops{["arith.constant"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected one tile size for all roots or one for each of 2, got 3}}
    %t, %l = transform.linalg_ext.tile_and_fuse %root levels = [for(%size)]
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_number_of_operands(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{expected an operand for each of 1 dynamic tile sizes, got 0}}
    %t, %l = "transform.linalg_ext.tile_and_fuse"(%root) {levels = [{kind = "for", tile_sizes = array<i64: -9223372036854775808>}]}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @negative_explain(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{expected level 0 to have tile sizes that are not negative, got -9223372036854775808}}
    "transform.linalg_ext.explain_fusion"(%root) {levels = [{kind = "for", tile_sizes = array<i64: -9223372036854775808>}]}
        : (!transform.any_op) -> ()
    transform.yield
  }
}
