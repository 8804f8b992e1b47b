// RUN: linalg-ext-opt %s --split-input-file --linalg-ext-raise --linalg-ext-tile-and-fuse='levels="forall(16)for(0,0,32)"' | FileCheck %s

// There are 2^40 ways from the softmax to the product. Finding a root must not follow
// them one by one.

// CHECK-LABEL: func.func @squares
// CHECK: scf.forall
// CHECK: scf.for
// CHECK: linalg_ext.softmax
// CHECK-SAME: online
// CHECK-COUNT-40: linalg.mul
// CHECK: linalg.contract

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

// -----

// Whether a sum can be negative: each value of its terms is looked at once.

// CHECK-LABEL: func.func @doubled
// CHECK: scf.forall
// CHECK: scf.for
// CHECK-COUNT-40: arith.addf {{.*}} : f32
// CHECK: linalg.matmul

!t = tensor<64x128xf32>
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @doubled(%s: !t, %v: tensor<128x32xf32>, %e: !t, %r: tensor<64xf32>, %o: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %l0 = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%o : tensor<64x32xf32>) -> tensor<64x32xf32>
  %l = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : !t) outs(%l0 : tensor<64xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %x0 = math.exp %x : f32
    %x1 = arith.addf %x0, %x0 : f32
    %x2 = arith.addf %x1, %x1 : f32
    %x3 = arith.addf %x2, %x2 : f32
    %x4 = arith.addf %x3, %x3 : f32
    %x5 = arith.addf %x4, %x4 : f32
    %x6 = arith.addf %x5, %x5 : f32
    %x7 = arith.addf %x6, %x6 : f32
    %x8 = arith.addf %x7, %x7 : f32
    %x9 = arith.addf %x8, %x8 : f32
    %x10 = arith.addf %x9, %x9 : f32
    %x11 = arith.addf %x10, %x10 : f32
    %x12 = arith.addf %x11, %x11 : f32
    %x13 = arith.addf %x12, %x12 : f32
    %x14 = arith.addf %x13, %x13 : f32
    %x15 = arith.addf %x14, %x14 : f32
    %x16 = arith.addf %x15, %x15 : f32
    %x17 = arith.addf %x16, %x16 : f32
    %x18 = arith.addf %x17, %x17 : f32
    %x19 = arith.addf %x18, %x18 : f32
    %x20 = arith.addf %x19, %x19 : f32
    %x21 = arith.addf %x20, %x20 : f32
    %x22 = arith.addf %x21, %x21 : f32
    %x23 = arith.addf %x22, %x22 : f32
    %x24 = arith.addf %x23, %x23 : f32
    %x25 = arith.addf %x24, %x24 : f32
    %x26 = arith.addf %x25, %x25 : f32
    %x27 = arith.addf %x26, %x26 : f32
    %x28 = arith.addf %x27, %x27 : f32
    %x29 = arith.addf %x28, %x28 : f32
    %x30 = arith.addf %x29, %x29 : f32
    %x31 = arith.addf %x30, %x30 : f32
    %x32 = arith.addf %x31, %x31 : f32
    %x33 = arith.addf %x32, %x32 : f32
    %x34 = arith.addf %x33, %x33 : f32
    %x35 = arith.addf %x34, %x34 : f32
    %x36 = arith.addf %x35, %x35 : f32
    %x37 = arith.addf %x36, %x36 : f32
    %x38 = arith.addf %x37, %x37 : f32
    %x39 = arith.addf %x38, %x38 : f32
    %x40 = arith.addf %x39, %x39 : f32
    %sum = arith.addf %acc, %x40 : f32
    linalg.yield %sum : f32
  } -> tensor<64xf32>
  %p = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s, %l : !t, tensor<64xf32>) outs(%e : !t) {
  ^bb0(%x: f32, %sum: f32, %out: f32):
    %y = arith.divf %x, %sum : f32
    linalg.yield %y : f32
  } -> !t
  %m = linalg.matmul {linalg_ext.root} ins(%p, %v : !t, tensor<128x32xf32>) outs(%o0 : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %m : tensor<64x32xf32>
}
