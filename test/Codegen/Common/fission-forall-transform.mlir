// RUN: linalg-ext-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @rows
// CHECK:         scf.forall (%{{.*}}, %{{.*}}) in (8, 4) {{.*}} -> (tensor<8x4xf32>) {
// CHECK:         } {pairs}
// CHECK:         scf.forall (%{{.*}}) in (8) {{.*}} -> (tensor<8x4xf32>) {
// CHECK:         } {outer}
func.func @rows(%init: tensor<8x4xf32>, %one: f32) -> tensor<8x4xf32> {
  %0 = scf.forall (%i) in (8) shared_outs(%out = %init) -> (tensor<8x4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %row = scf.forall (%c) in (4) shared_outs(%arg = %e) -> (tensor<4xf32>) {
      %slot = tensor.extract_slice %arg[%c] [1] [1] : tensor<4xf32> to tensor<1xf32>
      %f = linalg.fill ins(%one : f32) outs(%slot : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %f into %arg[%c] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    } {chunks}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %out[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    }
  }
  return %0 : tensor<8x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %inner = transform.structured.match ops{["scf.forall"]} attributes {chunks} in %root : (!transform.any_op) -> !transform.any_op
    %pairs, %outer = transform.linalg_ext.fission_forall %inner : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %pairs "pairs" : !transform.any_op
    transform.annotate %outer "outer" : !transform.any_op
    transform.yield
  }
}

// -----

func.func @negative_no_loop(%x: tensor<60xf32>) -> tensor<60xf32> {
  // expected-note @below {{payload op}}
  %c = linalg.exp ins(%x : tensor<60xf32>) outs(%x : tensor<60xf32>) -> tensor<60xf32>
  return %c : tensor<60xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot distribute the loop around: expected 'scf.forall', got 'linalg.exp'}}
    %pairs, %outer = transform.linalg_ext.fission_forall %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
