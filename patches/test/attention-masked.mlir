// Attention spelled in ops of one step each, with a mask that hides the first keys,
// in whole tiles, too, and with scores in the hundreds.

// RUN: cat %s %S/Inputs/support.mlir > %t.mlir
// RUN: %opt %t.mlir %plain | %run > %t.plain
// RUN: %opt %t.mlir %schedule | %run > %t.fused
// RUN: %equal %t.plain %t.fused 1e-5

// Rows that see no key at all are NaN, fused or not.
// RUN: sed -e "s/constant 3 : index/constant 4 : index/" %t.mlir > %t.none.mlir
// RUN: %opt %t.none.mlir %plain | %run > %t.none.plain
// RUN: %opt %t.none.mlir %schedule | %run > %t.none.fused
// RUN: %equal %t.none.plain %t.none.fused 1e-5 | FileCheck %s
// CHECK: 30 numbers, 6 NaNs

func.func private @f(%q: tensor<2x5x4xf32>, %k: tensor<2x4x13xf32>, %v: tensor<2x13x3xf32>) -> tensor<2x5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x5x13xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x5x13xf32>) -> tensor<2x5x13xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x5x4xf32>, tensor<2x4x13xf32>) outs(%fs : tensor<2x5x13xf32>) -> tensor<2x5x13xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %hundred = arith.constant 100.0 : f32
  %er = tensor.empty() : tensor<2x5xf32>
  // Row i sees the keys from 3 * i on; the scores are in the hundreds.
  %x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x5x13xf32>) outs(%es : tensor<2x5x13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %three = arith.constant 3 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %first = arith.muli %i, %three : index
    %sees = arith.cmpi sge, %j, %first : index
    %scaled = arith.mulf %in, %hundred : f32
    %r = arith.select %sees, %scaled, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<2x5x13xf32>
  %fm = linalg.fill ins(%ninf : f32) outs(%er : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<2x5x13xf32>) outs(%fm : tensor<2x5xf32>) dimensions = [2]
  %b = linalg.broadcast ins(%m : tensor<2x5xf32>) outs(%es : tensor<2x5x13xf32>) dimensions = [2]
  %d = linalg.sub ins(%x, %b : tensor<2x5x13xf32>, tensor<2x5x13xf32>) outs(%es : tensor<2x5x13xf32>) -> tensor<2x5x13xf32>
  %n = linalg.exp ins(%d : tensor<2x5x13xf32>) outs(%es : tensor<2x5x13xf32>) -> tensor<2x5x13xf32>
  %fl = linalg.fill ins(%zero : f32) outs(%er : tensor<2x5xf32>) -> tensor<2x5xf32>
  %l = linalg.reduce { arith.addf } ins(%n : tensor<2x5x13xf32>) outs(%fl : tensor<2x5xf32>) dimensions = [2]
  %c = linalg.broadcast ins(%l : tensor<2x5xf32>) outs(%es : tensor<2x5x13xf32>) dimensions = [2]
  %p = linalg.div ins(%n, %c : tensor<2x5x13xf32>, tensor<2x5x13xf32>) outs(%es : tensor<2x5x13xf32>) -> tensor<2x5x13xf32>
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
    %0 = transform.structured.match ops{["linalg.batch_matmul"]} attributes{root} in %f : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse_dependent_reductions %0 tile_sizes [0, 2, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
