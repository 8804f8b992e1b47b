// RUN: linalg-ext-opt %s -linalg-ext-decompose -split-input-file | FileCheck %s

// What the results are is executed in test/Integration/CPU; here is what must
// hold of the IR for its own sake.

// The incoming max is read before it is overwritten, by one op.

// CHECK-LABEL: func.func @softmax_eager
//  CHECK-SAME:   %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>, %[[M:.*]]: tensor<4xf32>, %[[L:.*]]: tensor<4xf32>, %[[S:.*]]: tensor<4xf32>)
//       CHECK:   %[[TILE_MAX:.*]] = linalg.generic
//  CHECK-SAME:     iterator_types = ["parallel", "reduction"]
//  CHECK-SAME:     ins(%[[X]] : tensor<4x8xf32>)
//       CHECK:     arith.maximumf
//       CHECK:   linalg.generic
//  CHECK-SAME:     ins(%[[TILE_MAX]] : tensor<4xf32>) outs(%[[M]], %[[S]] :
//       CHECK:   %[[P:.*]] = linalg.generic
//  CHECK-SAME:     outs(%[[Y]] : tensor<4x8xf32>)
//       CHECK:     math.exp
//       CHECK:   linalg.generic
//  CHECK-SAME:     outs(%[[L]],
//       CHECK:   linalg.generic
//  CHECK-SAME:     iterator_types = ["parallel", "reduction"]
//  CHECK-SAME:     ins(%[[P]] : tensor<4x8xf32>)
//       CHECK:     arith.addf
//       CHECK:     arith.divf
//   CHECK-NOT:   linalg_ext
//       CHECK:   return
func.func @softmax_eager(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %m: tensor<4xf32>, %l: tensor<4xf32>, %s: tensor<4xf32>)
    -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %m, %l, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0, %0#1, %0#2, %0#3 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Delayed normalisation divides nothing.

// CHECK-LABEL: func.func @softmax_delayed
//   CHECK-NOT:   arith.divf
//       CHECK:   return
func.func @softmax_delayed(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %m: tensor<?xf32>, %l: tensor<?xf32>, %s: tensor<?xf32>)
    -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0:4 = linalg_ext.softmax dimension(0) online delayed ins(%x : tensor<?x?xf32>) outs(%y, %m, %l, %s : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  return %0#0, %0#1, %0#2, %0#3 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// A max that grows by at most the threshold stays, and scales by 1.

// CHECK-LABEL: func.func @softmax_held
//       CHECK:   ^bb0(%[[T:.*]]: f32, %[[M:.*]]: f32, %{{.*}}: f32):
//       CHECK:     %[[MAX:.*]] = arith.maximumf %[[M]], %[[T]]
//       CHECK:     %[[GROWTH:.*]] = arith.subf %[[MAX]], %[[M]]
//       CHECK:     %[[IS:.*]] = arith.cmpf ole, %[[GROWTH]], %{{.*}}
//       CHECK:     %[[NEW:.*]] = arith.select %[[IS]], %[[M]], %[[MAX]]
//       CHECK:     %[[SAME:.*]] = arith.cmpf oeq, %[[NEW]], %[[M]]
//       CHECK:     %[[C:.*]] = math.exp
//       CHECK:     %[[SCALE:.*]] = arith.select %[[SAME]], %{{.*}}, %[[C]]
//       CHECK:     linalg.yield %[[NEW]], %[[SCALE]]
func.func @softmax_held(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %m: tensor<4xf32>, %l: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4x8xf32> {
  %0:4 = linalg_ext.softmax dimension(1) online delayed rescale_threshold(8.0) ins(%x : tensor<4x8xf32>) outs(%y, %m, %l, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0 : tensor<4x8xf32>
}

// -----

// What is summed is not rounded to f16 first.

// CHECK-LABEL: func.func @softmax_f16
//       CHECK:   math.exp %{{.*}} : f32
//       CHECK:   arith.addf %{{.*}} : f32
//       CHECK:   arith.truncf %{{.*}} : f32 to f16
//   CHECK-NOT:   math.exp
//       CHECK:   return
func.func @softmax_f16(%x: tensor<4x8xf16>, %y: tensor<4x8xf16>, %m: tensor<4xf32>, %l: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4x8xf16> {
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf16>) outs(%y, %m, %l, %s : tensor<4x8xf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0 : tensor<4x8xf16>
}

// -----

// Buffers would need temporary ones.

// CHECK-LABEL: func.func @softmax_memref
//       CHECK:   linalg_ext.softmax
func.func @softmax_memref(%x: memref<4x8xf32>, %y: memref<4x8xf32>, %m: memref<4xf32>, %l: memref<4xf32>, %s: memref<4xf32>) {
  linalg_ext.softmax dimension(1) ins(%x : memref<4x8xf32>) outs(%y, %m, %l, %s : memref<4x8xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>)
  return
}

// -----

// A product with a diagonal matrix scales rows; the matrix does not exist.

// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @diag_product
//  CHECK-SAME:   %[[V:.*]]: tensor<2x4xf32>, %[[X:[a-z0-9]*]]: tensor<2x4x8xf32>
//       CHECK:   %[[P:.*]] = linalg.generic {indexing_maps = [#[[$ROW]], #[[$ID]]], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[V]] : tensor<2x4xf32>) outs(%[[X]] : tensor<2x4x8xf32>)
//       CHECK:     arith.mulf
//   CHECK-NOT:   tensor<2x4x4xf32>
//       CHECK:   return %[[P]]
func.func @diag_product(%v: tensor<2x4xf32>, %x: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %d0 = tensor.empty() : tensor<2x4x4xf32>
  %p0 = tensor.empty() : tensor<2x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%p0 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %d = linalg_ext.diag ins(%v : tensor<2x4xf32>) outs(%d0 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %p = linalg_ext.batch_matmul ins(%d, %x : tensor<2x4x4xf32>, tensor<2x4x8xf32>) outs(%f : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %p : tensor<2x4x8xf32>
}

// -----

// On the right a diagonal matrix scales columns.

// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @diag_product_on_the_right
//  CHECK-SAME:   %[[V:.*]]: tensor<8xf32>, %[[X:[a-z0-9]*]]: tensor<4x8xf32>
//       CHECK:   linalg.generic {indexing_maps = [#[[$COLUMN]], #[[$ID]]]
//  CHECK-SAME:     ins(%[[V]] : tensor<8xf32>) outs(%[[X]] : tensor<4x8xf32>)
func.func @diag_product_on_the_right(%v: tensor<8xf32>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %d0 = tensor.empty() : tensor<8x8xf32>
  %p0 = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%p0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %d = linalg_ext.diag ins(%v : tensor<8xf32>) outs(%d0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg_ext.batch_matmul ins(%x, %d : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

// -----

// On something else than zeros the scaled operand is added; no element off the
// diagonal is touched.

// CHECK-LABEL: func.func @diag_product_accumulates
//  CHECK-SAME:   %[[V:.*]]: tensor<4xf32>, %[[X:[a-z0-9]*]]: tensor<4x8xf32>, %[[C:[a-z0-9]*]]: tensor<4x8xf32>
//   CHECK-NOT:   tensor<4x4xf32>
//       CHECK:   linalg.generic {{.*}} ins(%[[V]], %[[X]] : tensor<4xf32>, tensor<4x8xf32>) outs(%[[C]] : tensor<4x8xf32>)
//       CHECK:     %[[T:.*]] = arith.mulf
//       CHECK:     arith.addf %{{.*}}, %[[T]]
func.func @diag_product_accumulates(%v: tensor<4xf32>, %x: tensor<4x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %d0 = tensor.empty() : tensor<4x4xf32>
  %d = linalg_ext.diag ins(%v : tensor<4xf32>) outs(%d0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = linalg_ext.batch_matmul ins(%d, %x : tensor<4x4xf32>, tensor<4x8xf32>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

// -----

// The trace of a product contracts both dimensions of the matrix: it reads the
// diagonal of the other operand.

// CHECK-DAG: #[[$I:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[$II:.*]] = affine_map<(d0) -> (d0, d0)>
// CHECK-LABEL: func.func @diag_product_trace
//   CHECK-NOT:   linalg.contract
//       CHECK:   linalg.generic {indexing_maps = [#[[$I]], #[[$II]], #{{.*}}], iterator_types = ["reduction"]}
func.func @diag_product_trace(%v: tensor<4xf32>, %x: tensor<4x4xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %d0 = tensor.empty() : tensor<4x4xf32>
  %p0 = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%p0 : tensor<f32>) -> tensor<f32>
  %d = linalg_ext.diag ins(%v : tensor<4xf32>) outs(%d0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %p = linalg_ext.batch_matmul
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> ()>]
      ins(%d, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<f32>) -> tensor<f32>
  return %p : tensor<f32>
}

// -----

// Where the product keeps both dimensions, only the diagonal is written to.

// CHECK-LABEL: func.func @diag_product_outer
//   CHECK-NOT:   linalg.contract
//       CHECK:   linalg.generic
//       CHECK:     %[[I:.*]] = linalg.index 0
//       CHECK:     %[[J:.*]] = linalg.index 1
//       CHECK:     %[[EQ:.*]] = arith.cmpi eq, %[[I]], %[[J]]
//       CHECK:     arith.select %[[EQ]], %{{.*}}, %out
func.func @diag_product_outer(%v: tensor<3x4xf32>, %x: tensor<4x4x3xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %d0 = tensor.empty() : tensor<3x4x4xf32>
  %d = linalg_ext.diag ins(%v : tensor<3x4xf32>) outs(%d0 : tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  %p = linalg_ext.batch_matmul
      indexing_maps = [affine_map<(i, j, k) -> (k, i, j)>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>]
      ins(%d, %x : tensor<3x4x4xf32>, tensor<4x4x3xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %p : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @diag_memref
//       CHECK:   linalg.generic
//  CHECK-SAME:     ins(%{{.*}} : memref<4xi32>) outs(%{{.*}} : memref<4x4xi32>)
//       CHECK:     arith.select
func.func @diag_memref(%v: memref<4xi32>, %d: memref<4x4xi32>) {
  linalg_ext.diag ins(%v : memref<4xi32>) outs(%d : memref<4x4xi32>)
  return
}

// -----

// Attributes survive, so that a configuration does.

// CHECK-LABEL: func.func @batch_matmul
//       CHECK:   linalg.contract
//  CHECK-SAME:     {config = "pv"}
//  CHECK-SAME:     ins(%{{.*}}, %{{.*}} : memref<2x3x4xf16>, memref<2x4x5xf16>) outs(%{{.*}} : memref<2x3x5xf32>)
func.func @batch_matmul(%a: memref<2x3x4xf16>, %b: memref<2x4x5xf16>, %c: memref<2x3x5xf32>) {
  linalg_ext.batch_matmul {config = "pv"} ins(%a, %b : memref<2x3x4xf16>, memref<2x4x5xf16>) outs(%c : memref<2x3x5xf32>)
  return
}

// -----

// Iter_args that start from one tensor.empty would bufferize to one buffer.

// CHECK-LABEL: func.func @shared_empty
//   CHECK-DAG:   %[[A:.*]] = tensor.empty() : tensor<2xf32>
//   CHECK-DAG:   %[[B:.*]] = tensor.empty() : tensor<2xf32>
//       CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %[[A]], %{{.*}} = %[[B]])
func.func @shared_empty(%n: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f1 = arith.constant 1.0 : f32
  %f2 = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e, %b = %e) -> (tensor<2xf32>, tensor<2xf32>) {
    %fa = linalg.fill ins(%f1 : f32) outs(%a : tensor<2xf32>) -> tensor<2xf32>
    %fb = linalg.fill ins(%f2 : f32) outs(%b : tensor<2xf32>) -> tensor<2xf32>
    scf.yield %fa, %fb : tensor<2xf32>, tensor<2xf32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}
