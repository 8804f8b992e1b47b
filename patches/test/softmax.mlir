// A softmax fuses along the rows. Both are decomposed, tiled and not.

// RUN: cat %s %S/Inputs/support.mlir > %t.mlir
// RUN: sed -e "/structured.fuse/d" %t.mlir | %opt %schedule | %run > %t.plain
// RUN: %opt %t.mlir %schedule | %run > %t.fused
// RUN: %equal %t.plain %t.fused 1e-5
// RUN: %opt %t.mlir %schedule | FileCheck %s
// CHECK-LABEL: func.func private @f
// CHECK-NOT:   math.exp
// CHECK:       scf.for
// CHECK:         math.exp

// A part of a row is refused.
// RUN: sed -e "s/linalg.add\"/linalg.softmax\"/" -e "s/fuse %0 tile_sizes \[2\]/tile_using_for %0 tile_sizes [0, 3]/" -e "/decompose_interface/d" %t.mlir > %t.own.mlir
// RUN: not %opt %t.own.mlir %schedule 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: error: 'linalg.softmax' op faild to tile operation

func.func private @f(%x: tensor<5x9xf32>, %y: tensor<5x9xf32>) -> tensor<5x9xf32> {
  %e = tensor.empty() : tensor<5x9xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<5x9xf32>) outs(%e : tensor<5x9xf32>) -> tensor<5x9xf32>
  %1 = linalg.add ins(%0, %y : tensor<5x9xf32>, tensor<5x9xf32>) outs(%e : tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}
func.func @main() {
  %n0 = arith.constant 5 : index
  %m0 = arith.constant 9 : index
  %s0 = arith.constant 1.0 : f32
  %r0 = call @random(%n0, %m0, %s0) : (index, index, f32) -> tensor<?x?xf32>
  %in0 = tensor.cast %r0 : tensor<?x?xf32> to tensor<5x9xf32>
  %n1 = arith.constant 5 : index
  %m1 = arith.constant 9 : index
  %s1 = arith.constant 2.0 : f32
  %r1 = call @random(%n1, %m1, %s1) : (index, index, f32) -> tensor<?x?xf32>
  %in1 = tensor.cast %r1 : tensor<?x?xf32> to tensor<5x9xf32>
  %o = call @f(%in0, %in1) : (tensor<5x9xf32>, tensor<5x9xf32>) -> (tensor<5x9xf32>)
  %u0 = tensor.cast %o : tensor<5x9xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} attributes{sym_name = "f"} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.match ops{["linalg.add"]} in %f : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.fuse %0 tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %d = transform.structured.match ops{["linalg.softmax"]} in %f : (!transform.any_op) -> !transform.any_op
    %dd = transform.structured.decompose_interface %d : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
