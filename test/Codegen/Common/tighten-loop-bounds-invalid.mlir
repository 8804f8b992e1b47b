// RUN: linalg-ext-opt %s -transform-interpreter -split-input-file -verify-diagnostics

func.func @negative_not_a_loop(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @below {{payload op}}
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot tighten bounds: expected 'scf.for', got 'linalg.exp'}}
    %l, %f = transform.linalg_ext.tighten_loop_bounds %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @negative_no_mask(%x: tensor<f32>, %n: index) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // expected-note @below {{payload op}}
  %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %x) -> (tensor<f32>) {
    %0 = linalg.exp ins(%acc : tensor<f32>) outs(%acc : tensor<f32>) -> tensor<f32>
    scf.yield %0 : tensor<f32>
  }
  return %r : tensor<f32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot tighten bounds: no affine condition makes an iteration do nothing}}
    %l, %f = transform.linalg_ext.tighten_loop_bounds %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @negative_dynamic_step(%x: tensor<f32>, %n: index) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  // expected-note @below {{payload op}}
  %r = scf.for %k = %c0 to %n step %n iter_args(%acc = %x) -> (tensor<f32>) {
    scf.yield %acc : tensor<f32>
  }
  return %r : tensor<f32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot tighten bounds: expected a loop over index with a constant step}}
    %l, %f = transform.linalg_ext.tighten_loop_bounds %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @negative_effects(%x: memref<f32>, %y: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // expected-note @below {{payload op}}
  %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %y) -> (f32) {
    memref.store %y, %x[] : memref<f32>
    scf.yield %acc : f32
  }
  return %r : f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot tighten bounds: expected a loop without effects on memory}}
    %l, %f = transform.linalg_ext.tighten_loop_bounds %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
