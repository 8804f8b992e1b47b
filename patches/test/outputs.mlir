// An intermediate result that is a result of the function, too, is computed once.

// RUN: cat %s %S/Inputs/support.mlir > %t.mlir
// RUN: %opt %t.mlir %plain | %run > %t.plain
// RUN: %opt %t.mlir %schedule | %run > %t.fused
// RUN: %equal %t.plain %t.fused 1e-5
// RUN: %opt %t.mlir %schedule | FileCheck %s
// CHECK-LABEL: func.func private @f
// CHECK-COUNT-1: linalg.add
// CHECK-NOT:     linalg.add
// CHECK-LABEL: func.func @main

func.func private @f(%a: tensor<7x8xf32>, %b: tensor<7x8xf32>) -> (tensor<7x8xf32>, tensor<7x8xf32>) {
  %e = tensor.empty() : tensor<7x8xf32>
  %r = linalg.add ins(%a, %b : tensor<7x8xf32>, tensor<7x8xf32>) outs(%e : tensor<7x8xf32>) -> tensor<7x8xf32>
  %x = linalg.exp ins(%r : tensor<7x8xf32>) outs(%e : tensor<7x8xf32>) -> tensor<7x8xf32>
  return %r, %x : tensor<7x8xf32>, tensor<7x8xf32>
}
func.func @main() {
  %n0 = arith.constant 7 : index
  %m0 = arith.constant 8 : index
  %s0 = arith.constant 1.0 : f32
  %r0 = call @random(%n0, %m0, %s0) : (index, index, f32) -> tensor<?x?xf32>
  %in0 = tensor.cast %r0 : tensor<?x?xf32> to tensor<7x8xf32>
  %n1 = arith.constant 7 : index
  %m1 = arith.constant 8 : index
  %s1 = arith.constant 2.0 : f32
  %r1 = call @random(%n1, %m1, %s1) : (index, index, f32) -> tensor<?x?xf32>
  %in1 = tensor.cast %r1 : tensor<?x?xf32> to tensor<7x8xf32>
  %o:2 = call @f(%in0, %in1) : (tensor<7x8xf32>, tensor<7x8xf32>) -> (tensor<7x8xf32>, tensor<7x8xf32>)
  %u0 = tensor.cast %o#0 : tensor<7x8xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  %u1 = tensor.cast %o#1 : tensor<7x8xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} attributes{sym_name = "f"} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.match ops{["linalg.exp"]} in %f : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.fuse %0 tile_sizes [2] {yield_producers} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
