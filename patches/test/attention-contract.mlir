// Heads in the middle, V transposed, powers of four, products of bf16: two
// linalg.contract, the rows and the heads in loops, too. As far as bf16 goes.

// RUN: cat %s %S/Inputs/support.mlir > %t.mlir
// RUN: %opt %t.mlir %plain | %run > %t.plain
// RUN: %opt %t.mlir %schedule | %run > %t.fused
// RUN: %equal %t.plain %t.fused 1e-2
// RUN: %opt %t.mlir %schedule | FileCheck %s
// CHECK-LABEL: func.func private @f
// CHECK:       scf.for
// CHECK:       scf.for
// CHECK:         {{linalg[.](batch_matmul|contract)}}
// CHECK:         arith.maximumf
// CHECK:         {{linalg[.](batch_matmul|contract)}}
// CHECK-LABEL: func.func @main

#p = affine_map<(b, m, n, h) -> (b, m, h)>
#v = affine_map<(b, m, n, h) -> (n, b, h)>
#o = affine_map<(b, m, n, h) -> (m, b, n)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func private @f(%q: tensor<5x2x4xf32>, %k: tensor<13x2x4xf32>, %v: tensor<3x2x13xf32>) -> tensor<5x2x3xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<2x5x13xf32>
  %ep = tensor.empty() : tensor<2x5x13xbf16>
  %ev = tensor.empty() : tensor<3x2x13xbf16>
  %er = tensor.empty() : tensor<2x5xf32>
  %eo = tensor.empty() : tensor<5x2x3xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x5x13xf32>) -> tensor<2x5x13xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, m, h, k) -> (m, b, k)>, affine_map<(b, m, h, k) -> (h, b, k)>, affine_map<(b, m, h, k) -> (b, m, h)>] ins(%q, %k : tensor<5x2x4xf32>, tensor<13x2x4xf32>) outs(%fs : tensor<2x5x13xf32>) -> tensor<2x5x13xf32>
  %fm = linalg.fill ins(%ninf : f32) outs(%er : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<2x5x13xf32>) outs(%fm : tensor<2x5xf32>) dimensions = [2]
  %n = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %m : tensor<2x5x13xf32>, tensor<2x5xf32>) outs(%es : tensor<2x5x13xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %0 = arith.subf %in, %max : f32
    %1 = arith.mulf %0, %two : f32
    %2 = math.exp2 %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x13xf32>
  %fl = linalg.fill ins(%zero : f32) outs(%er : tensor<2x5xf32>) -> tensor<2x5xf32>
  %l = linalg.reduce { arith.addf } ins(%n : tensor<2x5x13xf32>) outs(%fl : tensor<2x5xf32>) dimensions = [2]
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%n, %l : tensor<2x5x13xf32>, tensor<2x5xf32>) outs(%ep : tensor<2x5x13xbf16>) {
  ^bb0(%in: f32, %sum: f32, %out: bf16):
    %0 = arith.divf %in, %sum : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<2x5x13xbf16>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v : tensor<3x2x13xf32>) outs(%ev : tensor<3x2x13xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<3x2x13xbf16>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<5x2x3xf32>) -> tensor<5x2x3xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] {root} ins(%p, %w : tensor<2x5x13xbf16>, tensor<3x2x13xbf16>) outs(%fo : tensor<5x2x3xf32>) -> tensor<5x2x3xf32>
  return %o : tensor<5x2x3xf32>
}
func.func @main() {
  %n0 = arith.constant 10 : index
  %m0 = arith.constant 4 : index
  %s0 = arith.constant 1.0 : f32
  %r0 = call @random(%n0, %m0, %s0) : (index, index, f32) -> tensor<?x?xf32>
  %t0 = tensor.cast %r0 : tensor<?x?xf32> to tensor<10x4xf32>
  %in0 = tensor.expand_shape %t0 [[0, 1], [2]] output_shape [5, 2, 4] : tensor<10x4xf32> into tensor<5x2x4xf32>
  %n1 = arith.constant 26 : index
  %m1 = arith.constant 4 : index
  %s1 = arith.constant 2.0 : f32
  %r1 = call @random(%n1, %m1, %s1) : (index, index, f32) -> tensor<?x?xf32>
  %t1 = tensor.cast %r1 : tensor<?x?xf32> to tensor<26x4xf32>
  %in1 = tensor.expand_shape %t1 [[0, 1], [2]] output_shape [13, 2, 4] : tensor<26x4xf32> into tensor<13x2x4xf32>
  %n2 = arith.constant 6 : index
  %m2 = arith.constant 13 : index
  %s2 = arith.constant 3.0 : f32
  %r2 = call @random(%n2, %m2, %s2) : (index, index, f32) -> tensor<?x?xf32>
  %t2 = tensor.cast %r2 : tensor<?x?xf32> to tensor<6x13xf32>
  %in2 = tensor.expand_shape %t2 [[0, 1], [2]] output_shape [3, 2, 13] : tensor<6x13xf32> into tensor<3x2x13xf32>
  %o = call @f(%in0, %in1, %in2) : (tensor<5x2x4xf32>, tensor<13x2x4xf32>, tensor<3x2x13xf32>) -> (tensor<5x2x3xf32>)
  %u0 = tensor.cast %o : tensor<5x2x3xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} attributes{sym_name = "f"} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.match ops{["linalg.contract"]} attributes{root} in %f : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.fuse_dependent_reductions %0 tile_sizes [1, 2, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
