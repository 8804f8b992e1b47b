// RUN: mlir-opt %s -transform-interpreter \
// RUN:   | FileCheck %s --check-prefix=DECOMPOSED
// RUN: mlir-opt %s -transform-interpreter | linalg-ext-opt -linalg-ext-raise \
// RUN:   | FileCheck %s

// What upstream decomposes linalg.softmax into is raised again.

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func @static
  // CHECK-SAME: %[[X:.+]]: tensor<4x8xf32>)
  // CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<4x8xf32>)
  // CHECK-NOT: math.exp

  // DECOMPOSED-LABEL: func @static
  // DECOMPOSED: arith.maxnumf
  // DECOMPOSED: math.exp
  // DECOMPOSED: arith.divf
  func.func @static(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %e = tensor.empty() : tensor<4x8xf32>
    %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>)
        outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }

  // CHECK-LABEL: func @dynamic_with_destination
  // CHECK-SAME: %[[X:.+]]: tensor<?x?x?xf16>, %[[O:.+]]: tensor<?x?x?xf16>)
  // CHECK: linalg_ext.softmax dimension(1) ins(%[[X]] : tensor<?x?x?xf16>)
  // CHECK-SAME: outs(%[[O]],
  // CHECK-NOT: math.exp
  func.func @dynamic_with_destination(
      %x: tensor<?x?x?xf16>, %o: tensor<?x?x?xf16>) -> tensor<?x?x?xf16> {
    %0 = linalg.softmax dimension(1) ins(%x : tensor<?x?x?xf16>)
        outs(%o : tensor<?x?x?xf16>) -> tensor<?x?x?xf16>
    return %0 : tensor<?x?x?xf16>
  }

  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.readonly}) {
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %module
        : (!transform.any_op) -> !transform.any_op
    transform.structured.decompose_interface %softmax
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
