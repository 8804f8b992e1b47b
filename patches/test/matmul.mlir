// A matmul whose reduction is tiled, with a remainder (#58398).

// RUN: cat %s %S/Inputs/support.mlir > %t.mlir
// RUN: %opt %t.mlir %plain | %run > %t.plain
// RUN: %opt %t.mlir %schedule | %run > %t.fused
// RUN: %equal %t.plain %t.fused 1e-5

func.func private @f(%a: tensor<5x11xf32>, %b: tensor<11x7xf32>) -> tensor<5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x7xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %r = linalg.matmul ins(%a, %b : tensor<5x11xf32>, tensor<11x7xf32>) outs(%i : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}
func.func @main() {
  %n0 = arith.constant 5 : index
  %m0 = arith.constant 11 : index
  %s0 = arith.constant 1.0 : f32
  %r0 = call @random(%n0, %m0, %s0) : (index, index, f32) -> tensor<?x?xf32>
  %in0 = tensor.cast %r0 : tensor<?x?xf32> to tensor<5x11xf32>
  %n1 = arith.constant 11 : index
  %m1 = arith.constant 7 : index
  %s1 = arith.constant 2.0 : f32
  %r1 = call @random(%n1, %m1, %s1) : (index, index, f32) -> tensor<?x?xf32>
  %in1 = tensor.cast %r1 : tensor<?x?xf32> to tensor<11x7xf32>
  %o = call @f(%in0, %in1) : (tensor<5x11xf32>, tensor<11x7xf32>) -> (tensor<5x7xf32>)
  %u0 = tensor.cast %o : tensor<5x7xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} attributes{sym_name = "f"} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %0 tile_sizes [2, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
