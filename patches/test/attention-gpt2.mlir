// The attention of GPT-2 as an importer writes it, causal, of 2 heads and 40 tokens
// in place of 12 and 1024: one loop over the keys.

// RUN: sed -e "s/1024/40/g" -e "s/12x/2x/g" %S/../../examples/gpt2-attention/attention.mlir > %t.mlir
// RUN: cat %s %S/Inputs/support.mlir >> %t.mlir
// RUN: %opt %t.mlir %plain | %run > %t.plain
// RUN: %opt %t.mlir %schedule | %run > %t.fused
// RUN: %equal %t.plain %t.fused 1e-5

// RUN: %opt %t.mlir %schedule | FileCheck %s
// CHECK-LABEL: func.func @attention
// CHECK-NOT:   {{linalg[.](batch_matmul|generic|transpose)}}
// CHECK:       scf.for {{.*}} -> (tensor<2x40x64xf32>, tensor<2x40xf32>, tensor<2x40xf32>)
// CHECK:       scf.for
// CHECK:       scf.for
// CHECK:         linalg.transpose
// CHECK:         linalg.batch_matmul
// CHECK:         arith.maximumf
// CHECK:         linalg.batch_matmul
// CHECK-NOT:     linalg.batch_matmul
// CHECK-LABEL: func.func @main

func.func @main() {
  %n0 = arith.constant 80 : index
  %m0 = arith.constant 64 : index
  %s0 = arith.constant 1.0 : f32
  %r0 = call @random(%n0, %m0, %s0) : (index, index, f32) -> tensor<?x?xf32>
  %t0 = tensor.cast %r0 : tensor<?x?xf32> to tensor<80x64xf32>
  %in0 = tensor.expand_shape %t0 [[0, 1], [2]] output_shape [2, 40, 64] : tensor<80x64xf32> into tensor<2x40x64xf32>
  %n1 = arith.constant 80 : index
  %m1 = arith.constant 64 : index
  %s1 = arith.constant 2.0 : f32
  %r1 = call @random(%n1, %m1, %s1) : (index, index, f32) -> tensor<?x?xf32>
  %t1 = tensor.cast %r1 : tensor<?x?xf32> to tensor<80x64xf32>
  %in1 = tensor.expand_shape %t1 [[0, 1], [2]] output_shape [2, 40, 64] : tensor<80x64xf32> into tensor<2x40x64xf32>
  %n2 = arith.constant 80 : index
  %m2 = arith.constant 64 : index
  %s2 = arith.constant 3.0 : f32
  %r2 = call @random(%n2, %m2, %s2) : (index, index, f32) -> tensor<?x?xf32>
  %t2 = tensor.cast %r2 : tensor<?x?xf32> to tensor<80x64xf32>
  %in2 = tensor.expand_shape %t2 [[0, 1], [2]] output_shape [2, 40, 64] : tensor<80x64xf32> into tensor<2x40x64xf32>
  %o = call @attention(%in0, %in1, %in2) : (tensor<2x40x64xf32>, tensor<2x40x64xf32>, tensor<2x40x64xf32>) -> (tensor<2x40x64xf32>)
  %u0 = tensor.cast %o : tensor<2x40x64xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} attributes{sym_name = "attention"} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.match ops{["linalg.batch_matmul"]} in %f : (!transform.any_op) -> !transform.any_op
    %1, %2 = transform.split_handle %0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %t, %l:3 = transform.structured.fuse_dependent_reductions %2 tile_sizes [1, 8, 0, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
