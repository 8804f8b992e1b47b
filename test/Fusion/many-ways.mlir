// RUN: linalg-ext-opt %s --linalg-ext-raise --linalg-ext-tile-and-fuse='levels="forall(16)"' | FileCheck %s

// There are 2^40 ways from the softmax to the product. Finding a root must not follow
// them one by one.

// CHECK-LABEL: func.func @squares
// CHECK: scf.forall
// CHECK: linalg_ext.softmax
// CHECK-COUNT-40: linalg.mul
// CHECK: linalg.matmul

!t = tensor<64x128xf32>

func.func @squares(%s: !t, %v: tensor<128x32xf32>, %e: !t, %o: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %x0 = linalg.softmax dimension(1) ins(%s : !t) outs(%e : !t) -> !t
  %x1 = linalg.mul ins(%x0, %x0 : !t, !t) outs(%e : !t) -> !t
  %x2 = linalg.mul ins(%x1, %x1 : !t, !t) outs(%e : !t) -> !t
  %x3 = linalg.mul ins(%x2, %x2 : !t, !t) outs(%e : !t) -> !t
  %x4 = linalg.mul ins(%x3, %x3 : !t, !t) outs(%e : !t) -> !t
  %x5 = linalg.mul ins(%x4, %x4 : !t, !t) outs(%e : !t) -> !t
  %x6 = linalg.mul ins(%x5, %x5 : !t, !t) outs(%e : !t) -> !t
  %x7 = linalg.mul ins(%x6, %x6 : !t, !t) outs(%e : !t) -> !t
  %x8 = linalg.mul ins(%x7, %x7 : !t, !t) outs(%e : !t) -> !t
  %x9 = linalg.mul ins(%x8, %x8 : !t, !t) outs(%e : !t) -> !t
  %x10 = linalg.mul ins(%x9, %x9 : !t, !t) outs(%e : !t) -> !t
  %x11 = linalg.mul ins(%x10, %x10 : !t, !t) outs(%e : !t) -> !t
  %x12 = linalg.mul ins(%x11, %x11 : !t, !t) outs(%e : !t) -> !t
  %x13 = linalg.mul ins(%x12, %x12 : !t, !t) outs(%e : !t) -> !t
  %x14 = linalg.mul ins(%x13, %x13 : !t, !t) outs(%e : !t) -> !t
  %x15 = linalg.mul ins(%x14, %x14 : !t, !t) outs(%e : !t) -> !t
  %x16 = linalg.mul ins(%x15, %x15 : !t, !t) outs(%e : !t) -> !t
  %x17 = linalg.mul ins(%x16, %x16 : !t, !t) outs(%e : !t) -> !t
  %x18 = linalg.mul ins(%x17, %x17 : !t, !t) outs(%e : !t) -> !t
  %x19 = linalg.mul ins(%x18, %x18 : !t, !t) outs(%e : !t) -> !t
  %x20 = linalg.mul ins(%x19, %x19 : !t, !t) outs(%e : !t) -> !t
  %x21 = linalg.mul ins(%x20, %x20 : !t, !t) outs(%e : !t) -> !t
  %x22 = linalg.mul ins(%x21, %x21 : !t, !t) outs(%e : !t) -> !t
  %x23 = linalg.mul ins(%x22, %x22 : !t, !t) outs(%e : !t) -> !t
  %x24 = linalg.mul ins(%x23, %x23 : !t, !t) outs(%e : !t) -> !t
  %x25 = linalg.mul ins(%x24, %x24 : !t, !t) outs(%e : !t) -> !t
  %x26 = linalg.mul ins(%x25, %x25 : !t, !t) outs(%e : !t) -> !t
  %x27 = linalg.mul ins(%x26, %x26 : !t, !t) outs(%e : !t) -> !t
  %x28 = linalg.mul ins(%x27, %x27 : !t, !t) outs(%e : !t) -> !t
  %x29 = linalg.mul ins(%x28, %x28 : !t, !t) outs(%e : !t) -> !t
  %x30 = linalg.mul ins(%x29, %x29 : !t, !t) outs(%e : !t) -> !t
  %x31 = linalg.mul ins(%x30, %x30 : !t, !t) outs(%e : !t) -> !t
  %x32 = linalg.mul ins(%x31, %x31 : !t, !t) outs(%e : !t) -> !t
  %x33 = linalg.mul ins(%x32, %x32 : !t, !t) outs(%e : !t) -> !t
  %x34 = linalg.mul ins(%x33, %x33 : !t, !t) outs(%e : !t) -> !t
  %x35 = linalg.mul ins(%x34, %x34 : !t, !t) outs(%e : !t) -> !t
  %x36 = linalg.mul ins(%x35, %x35 : !t, !t) outs(%e : !t) -> !t
  %x37 = linalg.mul ins(%x36, %x36 : !t, !t) outs(%e : !t) -> !t
  %x38 = linalg.mul ins(%x37, %x37 : !t, !t) outs(%e : !t) -> !t
  %x39 = linalg.mul ins(%x38, %x38 : !t, !t) outs(%e : !t) -> !t
  %x40 = linalg.mul ins(%x39, %x39 : !t, !t) outs(%e : !t) -> !t
  %r = linalg.matmul ins(%x40, %v : !t, tensor<128x32xf32>) outs(%o : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}
