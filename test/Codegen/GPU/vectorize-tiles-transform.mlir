// RUN: linalg-ext-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @exp
// CHECK:         scf.forall
// CHECK:           math.exp %{{.*}} : vector<16xf32>
func.func @exp(%x: tensor<60xf32>) -> tensor<60xf32> {
  %init = tensor.empty() : tensor<60xf32>
  %0 = scf.forall (%i) = (0) to (60) step (12) shared_outs(%o = %init) -> (tensor<60xf32>) {
    %a = tensor.extract_slice %x[%i] [12] [1] : tensor<60xf32> to tensor<12xf32>
    %b = tensor.extract_slice %o[%i] [12] [1] : tensor<60xf32> to tensor<12xf32>
    %c = linalg.exp ins(%a : tensor<12xf32>) outs(%b : tensor<12xf32>) -> tensor<12xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i] [12] [1] : tensor<12xf32> into tensor<60xf32>
    }
  }
  return %0 : tensor<60xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %forall = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.vectorize_tiles %forall { multiple_of = 8 : i64 } : !transform.any_op
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
    // expected-error @below {{cannot vectorize tiles: expected 'scf.forall', got 'linalg.exp'}}
    transform.linalg_ext.vectorize_tiles %op : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{expected positive max_elements and multiple_of, got 65536 and 0}}
    transform.linalg_ext.vectorize_tiles %root { multiple_of = 0 : i64 } : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{expected positive max_elements and multiple_of, got -1 and 1}}
    transform.linalg_ext.vectorize_tiles %root { max_elements = -1 : i64 } : !transform.any_op
    transform.yield
  }
}
