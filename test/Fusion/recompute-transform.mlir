// RUN: linalg-ext-opt %s --transform-interpreter --canonicalize | FileCheck %s

// Values that two blocks of rows would scale are scaled once.

// CHECK-LABEL: func @scaled_values
// CHECK:         %[[SCALED:.*]] = linalg.mul
// CHECK:         scf.forall
// CHECK:           scf.for
// CHECK-NOT:         linalg.mul
// CHECK:             linalg.matmul
func.func @scaled_values(%s: tensor<8x16xf32>, %v: tensor<16x8xf32>, %c: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %ev = tensor.empty() : tensor<16x8xf32>
  %scaled = linalg.mul ins(%v, %c : tensor<16x8xf32>, tensor<16x8xf32>) outs(%ev : tensor<16x8xf32>) -> tensor<16x8xf32>
  %er = tensor.empty() : tensor<8xf32>
  %max = linalg.fill ins(%low : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %ep = tensor.empty() : tensor<8x16xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<8x16xf32>)
      outs(%ep, %max, %sum, %er : tensor<8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
      -> tensor<8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  %eo = tensor.empty() : tensor<8x8xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = linalg.matmul {linalg_ext.root} ins(%p#0, %scaled : tensor<8x16xf32>, tensor<16x8xf32>)
      outs(%fo : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %o : tensor<8x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %root = transform.structured.match attributes {linalg_ext.root} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.linalg_ext.tile_and_fuse %root
        levels = [forall(4), for(0, 0, 8)] {recompute = "none"}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
