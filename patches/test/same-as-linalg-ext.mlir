// The series and this project make the same of the same input, and what is not
// fused.

// REQUIRES: linalg-ext
// RUN: cat %s %S/Inputs/support.mlir > %t.mlir
// RUN: %opt %t.mlir %plain | %run > %t.plain
// RUN: %opt %t.mlir %schedule | %run > %t.patch
// RUN: %opt %t.mlir %plain > %t.input.mlir
// RUN: %ext %t.input.mlir --linalg-ext-tile-and-fuse='levels="for(0,2,0,0) for(0,0,0,4)"' -o %t.fused.mlir
// RUN: %ext %t.fused.mlir %ext_lower | %run > %t.ext
// RUN: %equal %t.plain %t.patch 1e-5
// RUN: %equal %t.patch %t.ext 1e-5

// The same of the other inputs here.
// RUN: cat %S/attention-masked.mlir %S/Inputs/support.mlir > %t.masked.mlir
// RUN: %opt %t.masked.mlir %schedule | %run > %t.masked.patch
// RUN: %opt %t.masked.mlir %plain | %ext --linalg-ext-tile-and-fuse='levels="for(0,2,0,0) for(0,0,0,4)"' %ext_lower | %run > %t.masked.ext
// RUN: %equal %t.masked.patch %t.masked.ext 1e-5
// RUN: cat %S/attention-contract.mlir %S/Inputs/support.mlir > %t.contract.mlir
// RUN: %opt %t.contract.mlir %schedule | %run > %t.contract.patch
// RUN: %opt %t.contract.mlir %plain | %ext --linalg-ext-tile-and-fuse='levels="for(1,2,0,0) for(0,0,0,4)"' %ext_lower | %run > %t.contract.ext
// RUN: %equal %t.contract.patch %t.contract.ext 1e-2
// RUN: sed -e "s/1024/40/g" -e "s/12x/2x/g" %S/../../examples/gpt2-attention/attention.mlir > %t.gpt2.mlir
// RUN: cat %S/attention-gpt2.mlir %S/Inputs/support.mlir >> %t.gpt2.mlir
// RUN: %opt %t.gpt2.mlir %schedule | %run > %t.gpt2.patch
// RUN: %opt %t.gpt2.mlir %plain | %ext --linalg-ext-tile-and-fuse='levels="for(1,8,0,0) for(0,0,0,16)"' %ext_lower | %run > %t.gpt2.ext
// RUN: %equal %t.gpt2.patch %t.gpt2.ext 1e-5

// Both carry the product, the sum and the maximum through the loop over the keys.
// RUN: %opt %t.mlir %schedule | FileCheck %s
// RUN: FileCheck %s < %t.fused.mlir
// CHECK-LABEL: func.func private @f
// CHECK:       scf.for
// CHECK:       scf.for {{.*}}tensor<{{[0-9x?]+}}xf32>, tensor<{{[0-9x?]+}}xf32>, tensor<{{[0-9x?]+}}xf32>)
// CHECK-LABEL: func.func @main

func.func private @f(%q: tensor<2x5x4xf32>, %k: tensor<2x4x13xf32>, %v: tensor<2x13x3xf32>) -> tensor<2x5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x5x13xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x5x13xf32>) -> tensor<2x5x13xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x5x4xf32>, tensor<2x4x13xf32>) outs(%fs : tensor<2x5x13xf32>) -> tensor<2x5x13xf32>
  %ninf = arith.constant 0xFF800000 : f32
  %er = tensor.empty() : tensor<2x5xf32>
  %fm = linalg.fill ins(%ninf : f32) outs(%er : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<2x5x13xf32>) outs(%fm : tensor<2x5xf32>) dimensions = [2]
  %n = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %m : tensor<2x5x13xf32>, tensor<2x5xf32>) outs(%es : tensor<2x5x13xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %0 = arith.subf %in, %max : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x13xf32>
  %fl = linalg.fill ins(%zero : f32) outs(%er : tensor<2x5xf32>) -> tensor<2x5xf32>
  %l = linalg.reduce { arith.addf } ins(%n : tensor<2x5x13xf32>) outs(%fl : tensor<2x5xf32>) dimensions = [2]
  %p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%n, %l : tensor<2x5x13xf32>, tensor<2x5xf32>) outs(%es : tensor<2x5x13xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %0 = arith.divf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x13xf32>
  %eo = tensor.empty() : tensor<2x5x3xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %o = linalg.batch_matmul {root, linalg_ext.root} ins(%p, %v : tensor<2x5x13xf32>, tensor<2x13x3xf32>) outs(%fo : tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
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
