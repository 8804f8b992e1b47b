// Producers fuse through the reshape that merges the heads; 6 leaves a remainder.

// RUN: cat %s %S/Inputs/support.mlir > %t.mlir
// RUN: %opt %t.mlir %plain | %run > %t.plain
// RUN: %opt %t.mlir %schedule | %run > %t.fused
// RUN: %equal %t.plain %t.fused 1e-5
// RUN: %opt %t.mlir %schedule | FileCheck %s
// CHECK-LABEL: func.func private @f
// CHECK-NOT:   {{linalg[.](transpose|batch_matmul)}}
// CHECK:       scf.for

func.func private @f(%x: tensor<2x4x6x2xf32>, %y: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %e2 = tensor.empty() : tensor<2x6x4x2xf32>
  %t = linalg.transpose ins(%x : tensor<2x4x6x2xf32>) outs(%e2 : tensor<2x6x4x2xf32>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %t [[0], [1], [2, 3]] : tensor<2x6x4x2xf32> into tensor<2x6x8xf32>
  %e = tensor.empty() : tensor<2x6x8xf32>
  %r = linalg.add ins(%c, %y : tensor<2x6x8xf32>, tensor<2x6x8xf32>) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}
func.func @main() {
  %n0 = arith.constant 48 : index
  %m0 = arith.constant 2 : index
  %s0 = arith.constant 1.0 : f32
  %r0 = call @random(%n0, %m0, %s0) : (index, index, f32) -> tensor<?x?xf32>
  %t0 = tensor.cast %r0 : tensor<?x?xf32> to tensor<48x2xf32>
  %in0 = tensor.expand_shape %t0 [[0, 1, 2], [3]] output_shape [2, 4, 6, 2] : tensor<48x2xf32> into tensor<2x4x6x2xf32>
  %n1 = arith.constant 12 : index
  %m1 = arith.constant 8 : index
  %s1 = arith.constant 2.0 : f32
  %r1 = call @random(%n1, %m1, %s1) : (index, index, f32) -> tensor<?x?xf32>
  %t1 = tensor.cast %r1 : tensor<?x?xf32> to tensor<12x8xf32>
  %in1 = tensor.expand_shape %t1 [[0, 1], [2]] output_shape [2, 6, 8] : tensor<12x8xf32> into tensor<2x6x8xf32>
  %o = call @f(%in0, %in1) : (tensor<2x4x6x2xf32>, tensor<2x6x8xf32>) -> (tensor<2x6x8xf32>)
  %u0 = tensor.cast %o : tensor<2x6x8xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} attributes{sym_name = "f"} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.match ops{["linalg.add"]} in %f : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.fuse %0 tile_sizes [0, 0, 6] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
