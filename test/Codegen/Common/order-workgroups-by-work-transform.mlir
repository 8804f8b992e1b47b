// RUN: linalg-ext-opt %s --transform-interpreter --allow-unregistered-dialect --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @triangle
// CHECK: scf.forall (%[[I:.*]]) in
// CHECK: %[[R:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK: %[[J:.*]] = arith.maxsi %[[R]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[J]]
func.func @triangle(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    scf.for %j = %c0 to %i step %c1 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["scf.forall"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.linalg_ext.order_workgroups_by_work %0 : !transform.any_op
    transform.yield
  }
}

// -----

func.func @other(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{payload op}}
  scf.for %j = %c0 to %n step %c1 {
    "test.use"(%j) : (index) -> ()
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["scf.for"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expected 'scf.forall', got 'scf.for'}}
    transform.linalg_ext.order_workgroups_by_work %0 : !transform.any_op
    transform.yield
  }
}
