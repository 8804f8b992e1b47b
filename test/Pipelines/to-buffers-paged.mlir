// RUN: linalg-ext-opt %s --linalg-ext-to-buffers=cpu=x86-64-v3 | FileCheck %s

// On CPUs the contractions of paged attention read pages in the pool: nothing is
// allocated in a loop, and nothing copied where a page is whole. Elsewhere rows are
// copied one by one, to memory in front of all loops.

#q = affine_map<(b, h, m, n, d) -> (b, h, m, d)>
#k = affine_map<(b, h, m, n, d) -> (b, h, n, d)>
#s = affine_map<(b, h, m, n, d) -> (b, h, m, n)>
#p = affine_map<(b, h, m, d, n) -> (b, h, m, n)>
#v = affine_map<(b, h, m, d, n) -> (b, h, n, d)>
#o = affine_map<(b, h, m, d, n) -> (b, h, m, d)>
#all = affine_map<(b, h, m, n) -> (b, h, m, n)>
#batch = affine_map<(b, h, m, n) -> (b)>

// CHECK-LABEL: func.func @attention
//  CHECK-SAME:   %[[KPOOL:[a-z0-9]*]]: memref<?x16x4x16xf32>, %[[VPOOL:[a-z0-9]*]]: memref<?x16x4x16xf32>
//       CHECK:   memref.alloca() {{.*}} : memref<1x1x16x16xf32>
//       CHECK:   scf.for
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   memref.copy
//       CHECK:   %[[KHEAD:.*]] = memref.subview %[[KPOOL]]
//       CHECK:   %[[VHEAD:.*]] = memref.subview %[[VPOOL]]
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   memref.copy
//       CHECK:   scf.if
//   CHECK-NOT:     memref.copy
//       CHECK:     %[[K:.*]] = memref.subview %[[KHEAD]][%{{.*}}, %{{.*}}, 0, 0] [1, 16, 1, 16]
//   CHECK-NOT:     memref.copy
//       CHECK:     linalg.generic {{.*}} ins(%{{.*}}, %[[K]] :
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   memref.copy
//       CHECK:   } else {
//       CHECK:     scf.for {{.*}} = %c0 to %{{.*}} step %c1 {
//       CHECK:       %[[ROW:.*]] = memref.subview %[[KHEAD]][%{{.*}}, %{{.*}}, 0, 0] [1, 1, 1, 16]
//       CHECK:       memref.copy %[[ROW]], %{{.*}} : {{.*}} to memref<1x16xf32
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   memref.copy
//       CHECK:     %[[V:.*]] = memref.subview %[[VHEAD]][%{{.*}}, %{{.*}}, 0, 0] [1, 16, 1, 16]
//   CHECK-NOT:     memref.copy
//       CHECK:     linalg.generic {{.*}} ins(%{{.*}}, %[[V]] :
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   memref.copy
//       CHECK:   } else {
//       CHECK:     scf.for {{.*}} = %c0 to %{{.*}} step %c1 {
//       CHECK:       %[[VROW:.*]] = memref.subview %[[VHEAD]][%{{.*}}, %{{.*}}, 0, 0] [1, 1, 1, 16]
//       CHECK:       memref.copy %[[VROW]],
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   memref.copy
// The tiles at the end of a sequence.
//       CHECK:   scf.if
//   CHECK-NOT:     memref.copy
//       CHECK:     %[[K2:.*]] = memref.subview %[[KHEAD]][%{{.*}}, %{{.*}}, 0, 0] [1, 16, 1, 16]
//   CHECK-NOT:     memref.copy
//       CHECK:     linalg.generic {{.*}} ins(%{{.*}}, %[[K2]] :
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   memref.copy
//       CHECK:   } else {
//       CHECK:     scf.for {{.*}} = %c0 to %{{.*}} step %c1 {
//       CHECK:       %[[ROW2:.*]] = memref.subview %[[KHEAD]][%{{.*}}, %{{.*}}, 0, 0] [1, 1, 1, 16]
//       CHECK:       memref.copy %[[ROW2]], %{{.*}} : {{.*}} to memref<1x16xf32
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   memref.copy
//       CHECK:     %[[V2:.*]] = memref.subview %[[VHEAD]][%{{.*}}, %{{.*}}, 0, 0] [1, 16, 1, 16]
//   CHECK-NOT:     memref.copy
//       CHECK:     linalg.generic {{.*}} ins(%{{.*}}, %[[V2]] :
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   memref.copy
//       CHECK:   } else {
//       CHECK:     scf.for {{.*}} = %c0 to %{{.*}} step %c1 {
//       CHECK:       %[[VROW2:.*]] = memref.subview %[[VHEAD]][%{{.*}}, %{{.*}}, 0, 0] [1, 1, 1, 16]
//       CHECK:       memref.copy %[[VROW2]],
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   memref.copy
//       CHECK:   return
func.func @attention(%kpool: tensor<?x16x4x16xf32>, %vpool: tensor<?x16x4x16xf32>, %ktable: tensor<2x?xi32>, %vtable: tensor<2x?xi32>, %lengths: tensor<2xi32>,
                     %q: tensor<2x4x64x16xf32>, %n: index) -> tensor<2x4x64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %ke = tensor.empty(%n) : tensor<2x4x?x16xf32>
  %k = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 2, 1, 3]
      pool(%kpool : tensor<?x16x4x16xf32>) table(%ktable : tensor<2x?xi32>) lengths(%lengths : tensor<2xi32>)
      outs(%ke : tensor<2x4x?x16xf32>) -> tensor<2x4x?x16xf32>
  %v = linalg_ext.paged_gather sequence(2) batch [0] pool_dims [-1, 2, 1, 3]
      pool(%vpool : tensor<?x16x4x16xf32>) table(%vtable : tensor<2x?xi32>) lengths(%lengths : tensor<2xi32>)
      outs(%ke : tensor<2x4x?x16xf32>) -> tensor<2x4x?x16xf32>
  %se = tensor.empty(%n) : tensor<2x4x64x?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%se : tensor<2x4x64x?xf32>) -> tensor<2x4x64x?xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x64x16xf32>, tensor<2x4x?x16xf32>) outs(%zeros : tensor<2x4x64x?xf32>) -> tensor<2x4x64x?xf32>
  %s = linalg.generic {indexing_maps = [#all, #batch, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk, %lengths : tensor<2x4x64x?xf32>, tensor<2xi32>) outs(%se : tensor<2x4x64x?xf32>) {
  ^bb0(%x: f32, %length: i32, %out: f32):
    %j = linalg.index 3 : index
    %key = arith.index_cast %j : index to i32
    %exists = arith.cmpi slt, %key, %length : i32
    %y = arith.select %exists, %x, %low : f32
    linalg.yield %y : f32
  } -> tensor<2x4x64x?xf32>
  %me = tensor.empty() : tensor<2x4x64xf32>
  %m = linalg.fill ins(%low : f32) outs(%me : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
  %l = linalg.fill ins(%zero : f32) outs(%me : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
  %p:4 = linalg_ext.softmax dimension(3) ins(%s : tensor<2x4x64x?xf32>)
      outs(%se, %m, %l, %me : tensor<2x4x64x?xf32>, tensor<2x4x64xf32>, tensor<2x4x64xf32>, tensor<2x4x64xf32>)
      -> tensor<2x4x64x?xf32>, tensor<2x4x64xf32>, tensor<2x4x64xf32>, tensor<2x4x64xf32>
  %oe = tensor.empty() : tensor<2x4x64x16xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x64x16xf32>) -> tensor<2x4x64x16xf32>
  %r = linalg.contract indexing_maps = [#p, #v, #o] ins(%p#0, %v : tensor<2x4x64x?xf32>, tensor<2x4x?x16xf32>) outs(%of : tensor<2x4x64x16xf32>) -> tensor<2x4x64x16xf32>
  return %r : tensor<2x4x64x16xf32>
}

// Rows that importers gather one by one, by a table of rows, and keys that they transpose for
// a product of matrices: few queries read both by a list.

// CHECK-LABEL: func.func @rows_of_a_table
//  CHECK-SAME:   %{{[a-z0-9]*}}: memref<3x2x64xf32>, %[[KPOOL:[a-z0-9]*]]: memref<500x3x64xf32>, %[[VPOOL:[a-z0-9]*]]: memref<500x3x64xf32>
//   CHECK-NOT:   linalg.index
//       CHECK:   scf.for
//       CHECK:     %[[K:.*]] = linalg_ext.view_rows %{{.*}}[%[[LIST:.*]]] dims [0]
//       CHECK:     linalg.generic {{.*}} ins(%{{.*}}, %[[K]] :
//   CHECK-NOT:   linalg.index
//       CHECK:     %[[V:.*]] = linalg_ext.view_rows %{{.*}}[%{{.*}}] dims [0]
//       CHECK:     linalg.generic {{.*}} ins(%{{.*}}, %[[V]] :
//   CHECK-NOT:   linalg.index
//       CHECK:   return
func.func @rows_of_a_table(%q: tensor<3x2x64xf32>, %k_pool: tensor<500x3x64xf32>, %v_pool: tensor<500x3x64xf32>,
                           %table: tensor<256xi64>) -> tensor<3x2x64xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<256x3x64xf32>
  %k0 = linalg.generic {indexing_maps = [affine_map<(n, h, d) -> (n)>, affine_map<(n, h, d) -> (n, h, d)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%table : tensor<256xi64>) outs(%rows : tensor<256x3x64xf32>) {
  ^bb0(%at: i64, %out: f32):
    %i = arith.index_cast %at : i64 to index
    %h = linalg.index 1 : index
    %d = linalg.index 2 : index
    %x = tensor.extract %k_pool[%i, %h, %d] : tensor<500x3x64xf32>
    linalg.yield %x : f32
  } -> tensor<256x3x64xf32>
  %v0 = linalg.generic {indexing_maps = [affine_map<(n, h, d) -> (n)>, affine_map<(n, h, d) -> (n, h, d)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%table : tensor<256xi64>) outs(%rows : tensor<256x3x64xf32>) {
  ^bb0(%at: i64, %out: f32):
    %i = arith.index_cast %at : i64 to index
    %h = linalg.index 1 : index
    %d = linalg.index 2 : index
    %x = tensor.extract %v_pool[%i, %h, %d] : tensor<500x3x64xf32>
    linalg.yield %x : f32
  } -> tensor<256x3x64xf32>
  %ke = tensor.empty() : tensor<3x64x256xf32>
  %k = linalg.transpose ins(%k0 : tensor<256x3x64xf32>) outs(%ke : tensor<3x64x256xf32>) permutation = [1, 2, 0]
  %ve = tensor.empty() : tensor<3x256x64xf32>
  %v = linalg.transpose ins(%v0 : tensor<256x3x64xf32>) outs(%ve : tensor<3x256x64xf32>) permutation = [1, 0, 2]
  %se = tensor.empty() : tensor<3x2x256xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<3x2x256xf32>) -> tensor<3x2x256xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<3x2x64xf32>, tensor<3x64x256xf32>) outs(%sz : tensor<3x2x256xf32>) -> tensor<3x2x256xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<3x2x256xf32>) outs(%se : tensor<3x2x256xf32>) -> tensor<3x2x256xf32>
  %oe = tensor.empty() : tensor<3x2x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<3x2x64xf32>) -> tensor<3x2x64xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<3x2x256xf32>, tensor<3x256x64xf32>) outs(%oz : tensor<3x2x64xf32>) -> tensor<3x2x64xf32>
  return %o : tensor<3x2x64xf32>
}
