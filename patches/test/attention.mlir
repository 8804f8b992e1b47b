// Attention with linalg.softmax, 13 keys in tiles of 4: one loop over the keys.

// RUN: cat %s %S/Inputs/support.mlir > %t.mlir
// RUN: sed -e "/structured.fuse/d" %t.mlir | %opt %schedule | %run > %t.plain
// RUN: %opt %t.mlir %schedule | %run > %t.fused
// RUN: %equal %t.plain %t.fused 1e-5
// RUN: %opt %t.mlir %schedule | FileCheck %s
// CHECK-LABEL: func.func private @f
// CHECK-NOT:   {{linalg[.](batch_matmul|contract|reduce|generic)}}
// CHECK:       scf.for
// CHECK:       scf.for
// CHECK:         {{linalg[.](batch_matmul|contract)}}
// CHECK:         arith.maximumf
// CHECK:         {{linalg[.](batch_matmul|contract)}}
// CHECK-LABEL: func.func @main

// Greedy fusion over the keys computes whole rows for each tile, but is right.
// RUN: sed -e "s/fuse_dependent_reductions/fuse/" %t.mlir > %t.greedy.mlir
// RUN: %opt %t.greedy.mlir %schedule | %run > %t.greedy
// RUN: %equal %t.plain %t.greedy 1e-5

// All keys in one tile.
// RUN: sed -e "s/\[0, 2, 0, 4\]/[1, 0, 0, 16]/" %t.mlir > %t.one.mlir
// RUN: %opt %t.one.mlir %schedule | %run > %t.one
// RUN: %equal %t.plain %t.one 1e-5

func.func private @f(%q: tensor<2x5x4xf32>, %k: tensor<2x4x13xf32>, %v: tensor<2x13x3xf32>) -> tensor<2x5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x5x13xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x5x13xf32>) -> tensor<2x5x13xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x5x4xf32>, tensor<2x4x13xf32>) outs(%fs : tensor<2x5x13xf32>) -> tensor<2x5x13xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x5x13xf32>) outs(%es : tensor<2x5x13xf32>) -> tensor<2x5x13xf32>
  %eo = tensor.empty() : tensor<2x5x3xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %o = linalg.batch_matmul {root} ins(%p, %v : tensor<2x5x13xf32>, tensor<2x13x3xf32>) outs(%fo : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  return %o : tensor<2x5x3xf32>
}
func.func @main() {
  %n0 = arith.constant 10 : index
  %m0 = arith.constant 4 : index
  %s0 = arith.constant 1.0 : f32
  %r0 = call @random(%n0, %m0, %s0) : (index, index, f32) -> tensor<?x?xf32>
  %t0 = tensor.cast %r0 : tensor<?x?xf32> to tensor<10x4xf32>
  %in0 = tensor.expand_shape %t0 [[0, 1], [2]] output_shape [2, 5, 4] : tensor<10x4xf32> into tensor<2x5x4xf32>
  %n1 = arith.constant 8 : index
  %m1 = arith.constant 13 : index
  %s1 = arith.constant 2.0 : f32
  %r1 = call @random(%n1, %m1, %s1) : (index, index, f32) -> tensor<?x?xf32>
  %t1 = tensor.cast %r1 : tensor<?x?xf32> to tensor<8x13xf32>
  %in1 = tensor.expand_shape %t1 [[0, 1], [2]] output_shape [2, 4, 13] : tensor<8x13xf32> into tensor<2x4x13xf32>
  %n2 = arith.constant 26 : index
  %m2 = arith.constant 3 : index
  %s2 = arith.constant 3.0 : f32
  %r2 = call @random(%n2, %m2, %s2) : (index, index, f32) -> tensor<?x?xf32>
  %t2 = tensor.cast %r2 : tensor<?x?xf32> to tensor<26x3xf32>
  %in2 = tensor.expand_shape %t2 [[0, 1], [2]] output_shape [2, 13, 3] : tensor<26x3xf32> into tensor<2x13x3xf32>
  %o = call @f(%in0, %in1, %in2) : (tensor<2x5x4xf32>, tensor<2x4x13xf32>, tensor<2x13x3xf32>) -> (tensor<2x5x3xf32>)
  %u0 = tensor.cast %o : tensor<2x5x3xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} attributes{sym_name = "f"} in %root : (!transform.any_op) -> !transform.any_op
    %d = transform.structured.match ops{["linalg.softmax"]} in %f : (!transform.any_op) -> !transform.any_op
    %dd = transform.structured.decompose_interface %d : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.match ops{["linalg.batch_matmul"]} attributes{root} in %f : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse_dependent_reductions %0 tile_sizes [0, 2, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
