// RUN: linalg-ext-opt %s --linalg-ext-to-buffers=cpu=avx512 --split-input-file | FileCheck %s

// In decode, the heads of a page read a tile of keys in turn, if what one of them reads
// is less than 128 KiB: they share pages of memory, and what the processor reads ahead. The
// loop over heads is inside of that over keys.

// Rows of 512 bytes, with the heads inside of rows: 8 heads.

#q = affine_map<(b, h, m, n, d) -> (b, h, m, d)>
#k = affine_map<(b, h, m, n, d) -> (b, h, n, d)>
#s = affine_map<(b, h, m, n, d) -> (b, h, m, n)>
#p = affine_map<(b, h, m, d, n) -> (b, h, m, n)>
#v = affine_map<(b, h, m, d, n) -> (b, h, n, d)>
#o = affine_map<(b, h, m, d, n) -> (b, h, m, d)>

// CHECK-LABEL: func.func @heads_inside
//  CHECK-SAME: %[[POOL:[a-z0-9]+]]: memref<?x16x?x128xf32
//       CHECK: scf.for %[[H0:.*]] = %c0 to %{{.*}} step %c8
//       CHECK:   scf.for %{{.*}} = %c0 to %{{.*}} step %c256
//       CHECK:     scf.for %[[H:.*]] = %c0 to %{{.*}} step %c1
//       CHECK:       scf.for %{{.*}} step %c16
//       CHECK:         scf.if
//       CHECK:           linalg.generic
//       CHECK:       math.exp
//       CHECK:       scf.for %{{.*}} step %c16
func.func @heads_inside(%q: tensor<?x?x4x128xf32>, %kp: tensor<?x16x?x128xf32>, %vp: tensor<?x16x?x128xf32>, %table: tensor<?x?xi32>) -> tensor<?x?x4x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x4x128xf32>
  %h = tensor.dim %q, %c1 : tensor<?x?x4x128xf32>
  %entries = tensor.dim %table, %c1 : tensor<?x?xi32>
  %n = arith.muli %entries, %c16 : index
  %e = tensor.empty(%b, %h, %n) : tensor<?x?x?x128xf32>
  %k = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 2, 1, 3] pool(%kp : tensor<?x16x?x128xf32>) table(%table : tensor<?x?xi32>) outs(%e : tensor<?x?x?x128xf32>) -> tensor<?x?x?x128xf32>
  %v = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 2, 1, 3] pool(%vp : tensor<?x16x?x128xf32>) table(%table : tensor<?x?xi32>) outs(%e : tensor<?x?x?x128xf32>) -> tensor<?x?x?x128xf32>
  %es = tensor.empty(%b, %h, %n) : tensor<?x?x4x?xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<?x?x4x?xf32>) -> tensor<?x?x4x?xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<?x?x4x128xf32>, tensor<?x?x?x128xf32>) outs(%fs : tensor<?x?x4x?xf32>) -> tensor<?x?x4x?xf32>
  %w = linalg.softmax dimension(3) ins(%qk : tensor<?x?x4x?xf32>) outs(%es : tensor<?x?x4x?xf32>) -> tensor<?x?x4x?xf32>
  %eo = tensor.empty(%b, %h) : tensor<?x?x4x128xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<?x?x4x128xf32>) -> tensor<?x?x4x128xf32>
  %pv = linalg.contract indexing_maps = [#p, #v, #o] ins(%w, %v : tensor<?x?x4x?xf32>, tensor<?x?x?x128xf32>) outs(%fo : tensor<?x?x4x128xf32>) -> tensor<?x?x4x128xf32>
  return %pv : tensor<?x?x4x128xf32>
}

// -----

// Heads outside of rows: what one reads of a page of 256 rows are 128 KiB, so heads are read one by
// one.

#q = affine_map<(b, h, m, n, d) -> (b, h, m, d)>
#k = affine_map<(b, h, m, n, d) -> (b, h, n, d)>
#s = affine_map<(b, h, m, n, d) -> (b, h, m, n)>
#p = affine_map<(b, h, m, d, n) -> (b, h, m, n)>
#v = affine_map<(b, h, m, d, n) -> (b, h, n, d)>
#o = affine_map<(b, h, m, d, n) -> (b, h, m, d)>

// CHECK-LABEL: func.func @negative_heads_outside
//   CHECK-NOT: step %c8
//       CHECK: scf.for %{{.*}} step %c512
//  CHECK-NEXT:   affine
//   CHECK-NOT: step %c1{{ }}
//       CHECK:   scf.for %{{.*}} step %c256
func.func @negative_heads_outside(%q: tensor<?x?x4x128xf32>, %kp: tensor<?x?x256x128xf32>, %vp: tensor<?x?x256x128xf32>, %table: tensor<?x?xi32>) -> tensor<?x?x4x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x4x128xf32>
  %h = tensor.dim %q, %c1 : tensor<?x?x4x128xf32>
  %entries = tensor.dim %table, %c1 : tensor<?x?xi32>
  %n = arith.muli %entries, %c256 : index
  %e = tensor.empty(%b, %h, %n) : tensor<?x?x?x128xf32>
  %k = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 1, 2, 3] pool(%kp : tensor<?x?x256x128xf32>) table(%table : tensor<?x?xi32>) outs(%e : tensor<?x?x?x128xf32>) -> tensor<?x?x?x128xf32>
  %v = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 1, 2, 3] pool(%vp : tensor<?x?x256x128xf32>) table(%table : tensor<?x?xi32>) outs(%e : tensor<?x?x?x128xf32>) -> tensor<?x?x?x128xf32>
  %es = tensor.empty(%b, %h, %n) : tensor<?x?x4x?xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<?x?x4x?xf32>) -> tensor<?x?x4x?xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<?x?x4x128xf32>, tensor<?x?x?x128xf32>) outs(%fs : tensor<?x?x4x?xf32>) -> tensor<?x?x4x?xf32>
  %w = linalg.softmax dimension(3) ins(%qk : tensor<?x?x4x?xf32>) outs(%es : tensor<?x?x4x?xf32>) -> tensor<?x?x4x?xf32>
  %eo = tensor.empty(%b, %h) : tensor<?x?x4x128xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<?x?x4x128xf32>) -> tensor<?x?x4x128xf32>
  %pv = linalg.contract indexing_maps = [#p, #v, #o] ins(%w, %v : tensor<?x?x4x?xf32>, tensor<?x?x?x128xf32>) outs(%fo : tensor<?x?x4x128xf32>) -> tensor<?x?x4x128xf32>
  return %pv : tensor<?x?x4x128xf32>
}

// -----

// Pages of one row: the heads share the lists of a tile. Accumulators stay where they are,
// and nothing is allocated in a loop.

#q = affine_map<(b, h, m, n, d) -> (b, h, m, d)>
#k = affine_map<(b, h, m, n, d) -> (b, h, n, d)>
#s = affine_map<(b, h, m, n, d) -> (b, h, m, n)>
#p = affine_map<(b, h, m, d, n) -> (b, h, m, n)>
#v = affine_map<(b, h, m, d, n) -> (b, h, n, d)>
#o = affine_map<(b, h, m, d, n) -> (b, h, m, d)>

// CHECK-LABEL: func.func @one_row
//   CHECK-DAG: %[[KLIST:.*]] = memref.alloca() {{.*}} : memref<256x1xindex>
//   CHECK-DAG: %[[VLIST:.*]] = memref.alloca() {{.*}} : memref<256x1xindex>
//       CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c256
//   CHECK-NOT:   memref.alloc
//       CHECK:   memref.store %{{.*}}, %[[KLIST]]
//       CHECK:   memref.store %{{.*}}, %[[VLIST]]
//   CHECK-NOT:   memref.alloc
//       CHECK:   scf.for %{{.*}} = %c0 to %c8 step %c1
//   CHECK-NOT:     memref.alloc
//   CHECK-NOT:     memref.copy
//       CHECK:     %[[K:.*]] = linalg_ext.view_rows %{{.*}}[%[[KLIST]]]
//       CHECK:     linalg.generic {{.*}}%[[K]]
//       CHECK:     math.exp
//   CHECK-NOT:     memref.alloc
//       CHECK:     %[[V:.*]] = linalg_ext.view_rows %{{.*}}[%[[VLIST]]]
//       CHECK:     linalg.generic {{.*}}%[[V]]
//   CHECK-NOT:     memref.alloc
//   CHECK-NOT:     memref.copy {{.*}} to memref<1x1x4x128xf32
//       CHECK:     return
func.func @one_row(%q: tensor<?x8x4x128xf32>, %kp: tensor<?x8x1x128xf32>, %vp: tensor<?x8x1x128xf32>, %table: tensor<?x?xi32>) -> tensor<?x8x4x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %q, %c0 : tensor<?x8x4x128xf32>
  %n = tensor.dim %table, %c1 : tensor<?x?xi32>
  %e = tensor.empty(%b, %n) : tensor<?x8x?x128xf32>
  %k = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 1, 2, 3] pool(%kp : tensor<?x8x1x128xf32>) table(%table : tensor<?x?xi32>) outs(%e : tensor<?x8x?x128xf32>) -> tensor<?x8x?x128xf32>
  %v = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 1, 2, 3] pool(%vp : tensor<?x8x1x128xf32>) table(%table : tensor<?x?xi32>) outs(%e : tensor<?x8x?x128xf32>) -> tensor<?x8x?x128xf32>
  %es = tensor.empty(%b, %n) : tensor<?x8x4x?xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<?x8x4x?xf32>) -> tensor<?x8x4x?xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<?x8x4x128xf32>, tensor<?x8x?x128xf32>) outs(%fs : tensor<?x8x4x?xf32>) -> tensor<?x8x4x?xf32>
  %w = linalg.softmax dimension(3) ins(%qk : tensor<?x8x4x?xf32>) outs(%es : tensor<?x8x4x?xf32>) -> tensor<?x8x4x?xf32>
  %eo = tensor.empty(%b) : tensor<?x8x4x128xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<?x8x4x128xf32>) -> tensor<?x8x4x128xf32>
  %pv = linalg.contract indexing_maps = [#p, #v, #o] ins(%w, %v : tensor<?x8x4x?xf32>, tensor<?x8x?x128xf32>) outs(%fo : tensor<?x8x4x128xf32>) -> tensor<?x8x4x128xf32>
  return %pv : tensor<?x8x4x128xf32>
}
