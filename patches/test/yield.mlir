// A reduction that each iteration would do again is not yielded from the loop.

// RUN: cat %s %S/Inputs/support.mlir > %t.mlir
// RUN: %opt %t.mlir %plain | %run > %t.plain
// RUN: %opt %t.mlir %schedule | %run > %t.fused
// RUN: %equal %t.plain %t.fused 1e-5

func.func private @f(%a: tensor<4x9xf32>, %v: tensor<9x4xf32>) -> (tensor<1x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4xf32>
  %e1 = tensor.empty() : tensor<4x9xf32>
  %e2 = tensor.empty() : tensor<4x4xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = linalg.reduce { arith.addf } ins(%a : tensor<4x9xf32>) outs(%f0 : tensor<4xf32>) dimensions = [1]
  %p = linalg.broadcast ins(%m : tensor<4xf32>) outs(%e1 : tensor<4x9xf32>) dimensions = [1]
  %r = linalg.matmul ins(%p, %v : tensor<4x9xf32>, tensor<9x4xf32>) outs(%f2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %row = tensor.expand_shape %m [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
  return %row, %r : tensor<1x4xf32>, tensor<4x4xf32>
}
func.func @main() {
  %n0 = arith.constant 4 : index
  %m0 = arith.constant 9 : index
  %s0 = arith.constant 1.0 : f32
  %r0 = call @random(%n0, %m0, %s0) : (index, index, f32) -> tensor<?x?xf32>
  %in0 = tensor.cast %r0 : tensor<?x?xf32> to tensor<4x9xf32>
  %n1 = arith.constant 9 : index
  %m1 = arith.constant 4 : index
  %s1 = arith.constant 2.0 : f32
  %r1 = call @random(%n1, %m1, %s1) : (index, index, f32) -> tensor<?x?xf32>
  %in1 = tensor.cast %r1 : tensor<?x?xf32> to tensor<9x4xf32>
  %o:2 = call @f(%in0, %in1) : (tensor<4x9xf32>, tensor<9x4xf32>) -> (tensor<1x4xf32>, tensor<4x4xf32>)
  %u0 = tensor.cast %o#0 : tensor<1x4xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  %u1 = tensor.cast %o#1 : tensor<4x4xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} attributes{sym_name = "f"} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.test.fuse_and_yield %0 [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
