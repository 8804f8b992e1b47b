// A payload in which many paths lead to an element: what is asked of it is asked once of each op,
// not of each path.

// RUN: linalg-ext-opt %s --linalg-ext-to-llvm | FileCheck %s

// CHECK: llvm.func @powers

#id = affine_map<(i, j) -> (i, j)>
func.func @powers(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x0: f32, %out: f32):
    %x1 = arith.mulf %x0, %x0 : f32
    %x2 = arith.mulf %x1, %x1 : f32
    %x3 = arith.mulf %x2, %x2 : f32
    %x4 = arith.mulf %x3, %x3 : f32
    %x5 = arith.mulf %x4, %x4 : f32
    %x6 = arith.mulf %x5, %x5 : f32
    %x7 = arith.mulf %x6, %x6 : f32
    %x8 = arith.mulf %x7, %x7 : f32
    %x9 = arith.mulf %x8, %x8 : f32
    %x10 = arith.mulf %x9, %x9 : f32
    %x11 = arith.mulf %x10, %x10 : f32
    %x12 = arith.mulf %x11, %x11 : f32
    %x13 = arith.mulf %x12, %x12 : f32
    %x14 = arith.mulf %x13, %x13 : f32
    %x15 = arith.mulf %x14, %x14 : f32
    %x16 = arith.mulf %x15, %x15 : f32
    %x17 = arith.mulf %x16, %x16 : f32
    %x18 = arith.mulf %x17, %x17 : f32
    %x19 = arith.mulf %x18, %x18 : f32
    %x20 = arith.mulf %x19, %x19 : f32
    %x21 = arith.mulf %x20, %x20 : f32
    %x22 = arith.mulf %x21, %x21 : f32
    %x23 = arith.mulf %x22, %x22 : f32
    %x24 = arith.mulf %x23, %x23 : f32
    %x25 = arith.mulf %x24, %x24 : f32
    %x26 = arith.mulf %x25, %x25 : f32
    %x27 = arith.mulf %x26, %x26 : f32
    %x28 = arith.mulf %x27, %x27 : f32
    %x29 = arith.mulf %x28, %x28 : f32
    %x30 = arith.mulf %x29, %x29 : f32
    %x31 = arith.mulf %x30, %x30 : f32
    %x32 = arith.mulf %x31, %x31 : f32
    %x33 = arith.mulf %x32, %x32 : f32
    %x34 = arith.mulf %x33, %x33 : f32
    %x35 = arith.mulf %x34, %x34 : f32
    %x36 = arith.mulf %x35, %x35 : f32
    linalg.yield %x36 : f32
  } -> tensor<8x16xf32>
  %oe = tensor.empty() : tensor<8x4xf32>
  %o = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
