// Producers fuse through the reshape that splits the heads, of any number of rows;
// no size keeps the unfused ones.

// RUN: cat %s %S/Inputs/support.mlir > %t.mlir
// RUN: %opt %t.mlir %plain | %run > %t.plain
// RUN: %opt %t.mlir %schedule | %run > %t.fused
// RUN: %equal %t.plain %t.fused 1e-5
// RUN: %opt %t.mlir %schedule | FileCheck %s
// CHECK-LABEL: func.func private @f
// CHECK-NOT:   {{linalg[.](transpose|batch_matmul)}}
// CHECK:       scf.for

// A part of the elements of several heads is no one slice of the product, which
// stays in front of the loop.
// RUN: sed -e "s/%l:2 =/%l =/" -e "s/\[0, 1, 4\]/[0, 0, 0, 1]/" -e "s/any_op, !transform.any_op, !transform.any_op)/any_op, !transform.any_op)/" %t.mlir > %t.inner.mlir
// RUN: %opt %t.inner.mlir %schedule | %run > %t.inner
// RUN: %equal %t.plain %t.inner 1e-5

func.func private @f(%x0: tensor<2x5x8xf32>, %w: tensor<2x8x8xf32>) -> tensor<2x4x5x2xf32> {
  %x = tensor.cast %x0 : tensor<2x5x8xf32> to tensor<2x?x8xf32>
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c1 : tensor<2x?x8xf32>
  %e = tensor.empty(%d) : tensor<2x?x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  %q = linalg.batch_matmul ins(%x, %w : tensor<2x?x8xf32>, tensor<2x8x8xf32>) outs(%i : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  %d2 = tensor.dim %q, %c1 : tensor<2x?x8xf32>
  %r = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [2, %d2, 4, 2] : tensor<2x?x8xf32> into tensor<2x?x4x2xf32>
  %d3 = tensor.dim %r, %c1 : tensor<2x?x4x2xf32>
  %e2 = tensor.empty(%d3) : tensor<2x4x?x2xf32>
  %t = linalg.transpose ins(%r : tensor<2x?x4x2xf32>) outs(%e2 : tensor<2x4x?x2xf32>) permutation = [0, 2, 1, 3]
  %o = tensor.cast %t : tensor<2x4x?x2xf32> to tensor<2x4x5x2xf32>
  return %o : tensor<2x4x5x2xf32>
}
func.func @main() {
  %n0 = arith.constant 10 : index
  %m0 = arith.constant 8 : index
  %s0 = arith.constant 1.0 : f32
  %r0 = call @random(%n0, %m0, %s0) : (index, index, f32) -> tensor<?x?xf32>
  %t0 = tensor.cast %r0 : tensor<?x?xf32> to tensor<10x8xf32>
  %in0 = tensor.expand_shape %t0 [[0, 1], [2]] output_shape [2, 5, 8] : tensor<10x8xf32> into tensor<2x5x8xf32>
  %n1 = arith.constant 16 : index
  %m1 = arith.constant 8 : index
  %s1 = arith.constant 2.0 : f32
  %r1 = call @random(%n1, %m1, %s1) : (index, index, f32) -> tensor<?x?xf32>
  %t1 = tensor.cast %r1 : tensor<?x?xf32> to tensor<16x8xf32>
  %in1 = tensor.expand_shape %t1 [[0, 1], [2]] output_shape [2, 8, 8] : tensor<16x8xf32> into tensor<2x8x8xf32>
  %o = call @f(%in0, %in1) : (tensor<2x5x8xf32>, tensor<2x8x8xf32>) -> (tensor<2x4x5x2xf32>)
  %u0 = tensor.cast %o : tensor<2x4x5x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} attributes{sym_name = "f"} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.match ops{["linalg.transpose"]} in %f : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %0 tile_sizes [0, 1, 4] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
