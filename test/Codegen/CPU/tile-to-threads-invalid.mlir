// RUN: linalg-ext-opt %s --transform-interpreter --verify-diagnostics

func.func @tensors(%a: tensor<512x512xf32>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
  // expected-note @below {{payload op}}
  %0 = linalg.matmul ins(%a, %a : tensor<512x512xf32>, tensor<512x512xf32>)
      outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot be cut into pieces: expected buffers, got tensors}}
    %loop = transform.linalg_ext.tile_to_threads %matmul : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
