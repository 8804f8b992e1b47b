// RUN: linalg-ext-opt %s --linalg-ext-prepare-operands=steps=pages --canonicalize --cse --split-input-file | FileCheck %s

// 128 keys in pages of 16: each tile of 16 keys reads its rows in the pool, or
// gathers them where a page is missing or the sequence ends.

#k = affine_map<(b, n, m, d) -> (b, n, d)>
#q = affine_map<(b, n, m, d) -> (d, m)>
#s = affine_map<(b, n, m, d) -> (b, n, m)>

// CHECK-DAG:   #[[ROWS:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
// CHECK-LABEL: func @scores
//  CHECK-SAME:   %[[POOL:[a-z0-9]*]]: tensor<?x16x64xf32>, %[[TABLE:[a-z0-9]*]]: tensor<1x?xi32>, %[[N:[a-z0-9]*]]: tensor<1xi32>, %[[AT:[a-z0-9]*]]: index, %[[Q:[a-z0-9]*]]: tensor<64x8xf32>, %[[S:[a-z0-9]*]]: tensor<1x128x8xf32>
//       CHECK:   %[[MEMORY:.*]] = tensor.empty() : tensor<1x16x64xf32>
//       CHECK:   scf.for %[[J:[a-z0-9]*]] = %c0 to %c128 step %c16 iter_args(%[[ACC:.*]] = %[[S]], %[[M:.*]] = %[[MEMORY]])
//       CHECK:     %[[FROM:.*]] = affine.apply {{.*}}%[[J]]{{.*}}%[[AT]]
//       CHECK:     %[[END:.*]] = arith.index_cast
//       CHECK:     arith.cmpi sle, %{{.*}}, %[[END]]
//       CHECK:     arith.cmpi sle, %[[ROW:.*]], %c0
//       CHECK:     arith.cmpi ult, %[[ENTRY:.*]], %{{.*}}
//       CHECK:     %[[P:.*]] = scf.if %{{.*}} -> (index) {
//       CHECK:       tensor.extract %[[TABLE]][%c0, %[[ENTRY]]]
//       CHECK:     %[[EXIST:.*]] = arith.cmpi ult, %[[P]], %{{.*}}
//       CHECK:     scf.if %[[EXIST]]
//       CHECK:       %[[K:.*]] = tensor.extract_slice %[[POOL]][%[[P]], %[[ROW]], 0] [1, 16, 64] [1, 1, 1] : tensor<?x16x64xf32> to tensor<16x64xf32>
//       CHECK:       %[[A:.*]] = tensor.extract_slice %[[ACC]][0, %[[J]], 0] [1, 16, 8]
//   CHECK-NOT:       paged_gather
//       CHECK:       %[[R:.*]] = linalg.generic {indexing_maps = [#[[ROWS]], {{.*}} ins(%[[K]], %[[Q]] : {{.*}}) outs(%[[A]] : tensor<1x16x8xf32>)
//       CHECK:       tensor.insert_slice %[[R]] into %[[ACC]][0, %[[J]], 0] [1, 16, 8]
//       CHECK:     } else {
//       CHECK:       %[[ROWS1:.*]] = scf.for %[[I:[a-z0-9]*]] = %c0 to %c16 step %c1 iter_args(%[[R:.*]] = %[[M]])
//       CHECK:         affine.apply {{.*}}(%[[I]], %[[J]])[%[[AT]]]
//       CHECK:         scf.if %{{.*}} -> (tensor<1x16x64xf32>)
//       CHECK:           %[[ROW1:.*]] = tensor.extract_slice %{{.*}} [1, 1, 64] [1, 1, 1] : tensor<?x16x64xf32> to tensor<64xf32>
//       CHECK:           tensor.insert_slice %[[ROW1]] into %[[R]][0, %[[I]], 0]
//       CHECK:         } else {
//       CHECK:           linalg.fill
//       CHECK:       linalg.generic {{.*}} ins(%[[ROWS1]],
func.func @scores(%pool: tensor<?x16x64xf32>, %table: tensor<1x?xi32>, %n: tensor<1xi32>, %at: index, %q: tensor<64x8xf32>, %s: tensor<1x128x8xf32>) -> tensor<1x128x8xf32> {
  %e = tensor.empty() : tensor<1x128x64xf32>
  %k = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2]
      pool(%pool : tensor<?x16x64xf32>) table(%table : tensor<1x?xi32>) lengths(%n : tensor<1xi32>) offset(%at)
      outs(%e : tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
  %0 = linalg.generic {indexing_maps = [#k, #q, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%k, %q : tensor<1x128x64xf32>, tensor<64x8xf32>) outs(%s : tensor<1x128x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x128x8xf32>
  return %0 : tensor<1x128x8xf32>
}

// -----

// The sequence is reduced: the loop carries the sum. Pages are larger than the
// operand, which one tile is then all of.

// CHECK-LABEL: func @values
//       CHECK:   scf.for {{.*}} step %c32 iter_args(%[[ACC:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
//       CHECK:       %[[V:.*]] = tensor.extract_slice %{{.*}} [1, 32, 64] {{.*}} to tensor<32x64xf32>
//       CHECK:       linalg.generic {{.*}} outs(%[[ACC]] : tensor<8x64xf32>)
//       CHECK:     } else {
func.func @values(%pool: tensor<?x128x64xf32>, %table: tensor<?xi32>, %start: tensor<i32>, %w: tensor<8x?xf32>, %o: tensor<8x64xf32>, %i: index) -> tensor<8x64xf32> {
  %size = affine.min affine_map<(i) -> (32, 1000 - i)>(%i)
  %e = tensor.empty(%size) : tensor<?x64xf32>
  %v = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
      pool(%pool : tensor<?x128x64xf32>) table(%table : tensor<?xi32>) starts(%start : tensor<i32>) offset(%i)
      outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %0 = linalg.matmul ins(%w, %v : tensor<8x?xf32>, tensor<?x64xf32>) outs(%o : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

// Packed rows have no pages: the first and the last must exist.

// CHECK-LABEL: func @packed
//   CHECK-NOT:   scf.for
//       CHECK:   arith.cmpi ult
//       CHECK:   arith.cmpi ult
//   CHECK-NOT:   scf.if %{{.*}} -> (index)
//       CHECK:   scf.if
//       CHECK:     tensor.extract_slice %arg0[%{{.*}}, 0] [64, 16]
func.func @packed(%pool: tensor<?x16xf32>, %start: tensor<1xindex>, %n: tensor<1xi64>, %w: tensor<1x8x64xf32>, %o: tensor<1x8x16xf32>) -> tensor<1x8x16xf32> {
  %e = tensor.empty() : tensor<1x64x16xf32>
  %v = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [1, 2]
      pool(%pool : tensor<?x16xf32>) starts(%start : tensor<1xindex>) lengths(%n : tensor<1xi64>)
      outs(%e : tensor<1x64x16xf32>) -> tensor<1x64x16xf32>
  %0 = linalg.batch_matmul ins(%w, %v : tensor<1x8x64xf32>, tensor<1x64x16xf32>) outs(%o : tensor<1x8x16xf32>) -> tensor<1x8x16xf32>
  return %0 : tensor<1x8x16xf32>
}

// -----

// Pages of few rows: a list has the places of all rows. If all exist, they are read in
// place, by the list. Otherwise as many rows as the first cache keeps are gathered for
// one tile, row by row.

// CHECK-LABEL: func @small_pages
//  CHECK-SAME:   %[[POOL:[a-z0-9]*]]: tensor<?x2x64xf32>, %[[TABLE:[a-z0-9]*]]: tensor<?xi32>, %[[W:[a-z0-9]*]]: tensor<8x128xf32>, %[[O:[a-z0-9]*]]: tensor<8x64xf32>
//       CHECK:   %[[MEMORY:.*]] = tensor.empty() : tensor<32x64xf32>
//       CHECK:   %[[EMPTY:.*]] = tensor.empty() : tensor<128x2xindex>
//       CHECK:   %[[LIST:.*]]:2 = scf.for %[[I:.*]] = %c0 to %c128 step %c1 iter_args(%[[L:.*]] = %[[EMPTY]], %[[ALL:.*]] = %true)
//       CHECK:     tensor.extract %[[TABLE]]
//       CHECK:     %[[EXISTS:.*]] = arith.cmpi ult, %[[PAGE:.*]], %{{.*}}
//       CHECK:     %[[L1:.*]] = tensor.insert %[[PAGE]] into %[[L]][%[[I]], %c0]
//       CHECK:     %[[L2:.*]] = tensor.insert %{{.*}} into %[[L1]][%[[I]], %c1]
//       CHECK:     %[[ALL1:.*]] = arith.andi %[[ALL]], %[[EXISTS]]
//       CHECK:     scf.yield %[[L2]], %[[ALL1]]
//       CHECK:   %[[LISTED:.*]] = arith.select %[[LIST]]#1, %c128, %c0
//       CHECK:   %[[V:.*]] = linalg_ext.view_rows %{{.*}}[%[[LIST]]#0] dims [0, 1] : tensor<?x2x64xf32>, tensor<128x2xindex>
//       CHECK:   %[[READ:.*]] = scf.for {{.*}} = %c0 to %[[LISTED]] step %c128 iter_args(%[[ACC:.*]] = %[[O]])
//       CHECK:     linalg.generic {{.*}} ins(%[[W]], %[[V]] : {{.*}}) outs(%[[ACC]] :
//       CHECK:   scf.for {{.*}} = %[[LISTED]] to %c128 step %c32 iter_args(%[[ACC:.*]] = %[[READ]], %[[M:.*]] = %[[MEMORY]])
//       CHECK:     %[[ROWS:.*]] = scf.for {{.*}} = %c0 to %c32 step %c1 iter_args(%{{.*}} = %[[M]])
//       CHECK:       scf.if %{{.*}} -> (tensor<32x64xf32>)
//       CHECK:         tensor.extract_slice %{{.*}} [1, 1, 64] [1, 1, 1] : tensor<?x2x64xf32> to tensor<64xf32>
//       CHECK:     %[[PART:.*]] = tensor.extract_slice %{{.*}} [8, 32] [1, 1]
//       CHECK:     linalg.generic {{.*}} ins(%[[PART]], %[[ROWS]] : {{.*}}) outs(%[[ACC]] :
func.func @small_pages(%pool: tensor<?x2x64xf32>, %table: tensor<?xi32>, %w: tensor<8x128xf32>, %o: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<128x64xf32>
  %v = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
      pool(%pool : tensor<?x2x64xf32>) table(%table : tensor<?xi32>) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %0 = linalg.matmul ins(%w, %v : tensor<8x128xf32>, tensor<128x64xf32>) outs(%o : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

// Heads that read the same keys share a list, which is made in front of their loop. A
// page of one row has no row to look up. A tile at the border may have fewer rows.

#k = affine_map<(h, n, m, d) -> (h, n, d)>
#q = affine_map<(h, n, m, d) -> (h, m, d)>
#s = affine_map<(h, n, m, d) -> (h, m, n)>

// CHECK-LABEL: func @heads_share_a_list
//       CHECK:   scf.for %[[AT:.*]] = %c0 to %{{.*}} step %c256
//       CHECK:     %[[SIZE:.*]] = affine.min
//       CHECK:     %[[WHOLE:.*]] = arith.cmpi eq, %[[SIZE]], %c256
//       CHECK:     %[[LIST:.*]]:2 = scf.for {{.*}} = %c0 to %[[SIZE]] step %c1 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[WHOLE]]) -> (tensor<256x1xindex>, i1)
//       CHECK:     scf.for %[[H:.*]] = %c0 to %c8 step %c1
//       CHECK:       %[[HEAD:.*]] = tensor.extract_slice %{{.*}}[0, %[[H]], 0, 0]
//       CHECK:       %[[SOURCE:.*]] = tensor.extract_slice %[[HEAD]]{{.*}} : tensor<?x1x1x64xf32> to tensor<?x1x64xf32>
//       CHECK:       linalg_ext.view_rows %[[SOURCE]][%[[LIST]]#0] dims [0]
func.func @heads_share_a_list(%pool: tensor<?x8x1x64xf32>, %table: tensor<?xi32>, %n: index, %q: tensor<8x4x64xf32>, %s: tensor<8x4x?xf32>) -> tensor<8x4x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %pages = tensor.dim %pool, %c0 : tensor<?x8x1x64xf32>
  %r = scf.for %at = %c0 to %n step %c256 iter_args(%acc = %s) -> (tensor<8x4x?xf32>) {
    %size = affine.min affine_map<(i)[n] -> (256, n - i)>(%at)[%n]
    %r1 = scf.for %h = %c0 to %c8 step %c1 iter_args(%acc1 = %acc) -> (tensor<8x4x?xf32>) {
      %head = tensor.extract_slice %pool[0, %h, 0, 0] [%pages, 1, 1, 64] [1, 1, 1, 1] : tensor<?x8x1x64xf32> to tensor<?x1x1x64xf32>
      %e = tensor.empty(%size) : tensor<1x?x64xf32>
      %k = linalg_ext.paged_gather sequence(1) batch [] pool_dims [-1, 0, 1, 2]
          pool(%head : tensor<?x1x1x64xf32>) table(%table : tensor<?xi32>) offset(%at)
          outs(%e : tensor<1x?x64xf32>) -> tensor<1x?x64xf32>
      %q1 = tensor.extract_slice %q[%h, 0, 0] [1, 4, 64] [1, 1, 1] : tensor<8x4x64xf32> to tensor<1x4x64xf32>
      %s1 = tensor.extract_slice %acc1[%h, 0, %at] [1, 4, %size] [1, 1, 1] : tensor<8x4x?xf32> to tensor<1x4x?xf32>
      %0 = linalg.contract indexing_maps = [#q, #k, #s] ins(%q1, %k : tensor<1x4x64xf32>, tensor<1x?x64xf32>) outs(%s1 : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
      %r2 = tensor.insert_slice %0 into %acc1[%h, 0, %at] [1, 4, %size] [1, 1, 1] : tensor<1x4x?xf32> into tensor<8x4x?xf32>
      scf.yield %r2 : tensor<8x4x?xf32>
    }
    scf.yield %r1 : tensor<8x4x?xf32>
  }
  return %r : tensor<8x4x?xf32>
}

// -----

// Many rows meet each row that is gathered: the copy stays in the first cache.

// CHECK-LABEL: func @negative_many_rows
//   CHECK-NOT:   view_rows
//       CHECK:   scf.for {{.*}} = %c0 to %c128 step %c32
//   CHECK-NOT:   view_rows
//       CHECK:   return
func.func @negative_many_rows(%pool: tensor<?x2x64xf32>, %table: tensor<?xi32>, %w: tensor<9x128xf32>, %o: tensor<9x64xf32>) -> tensor<9x64xf32> {
  %e = tensor.empty() : tensor<128x64xf32>
  %v = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
      pool(%pool : tensor<?x2x64xf32>) table(%table : tensor<?xi32>) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %0 = linalg.matmul ins(%w, %v : tensor<9x128xf32>, tensor<128x64xf32>) outs(%o : tensor<9x64xf32>) -> tensor<9x64xf32>
  return %0 : tensor<9x64xf32>
}

// -----

// The rows of several sequences: the contraction is not tiled, and the gather is a
// loop over sequences and rows.

// CHECK-LABEL: func @several_sequences
//       CHECK:   %[[ROWS:.*]] = scf.for %[[B:[a-z0-9]*]] = %c0 to %c2 step %c1
//       CHECK:     scf.for %[[I:[a-z0-9]*]] = %c0 to %c128 step %c1
//       CHECK:       tensor.extract %{{.*}}[%[[B]], %
//       CHECK:       tensor.insert_slice %{{.*}} into %{{.*}}[%[[B]], %[[I]], 0] [1, 1, 64]
//       CHECK:   linalg.batch_matmul ins(%{{.*}}, %[[ROWS]] : tensor<2x8x128xf32>, tensor<2x128x64xf32>)
func.func @several_sequences(%pool: tensor<?x16x64xf32>, %table: tensor<2x?xi32>, %w: tensor<2x8x128xf32>, %o: tensor<2x8x64xf32>) -> tensor<2x8x64xf32> {
  %e = tensor.empty() : tensor<2x128x64xf32>
  %v = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2]
      pool(%pool : tensor<?x16x64xf32>) table(%table : tensor<2x?xi32>) outs(%e : tensor<2x128x64xf32>) -> tensor<2x128x64xf32>
  %0 = linalg.batch_matmul ins(%w, %v : tensor<2x8x128xf32>, tensor<2x128x64xf32>) outs(%o : tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
  return %0 : tensor<2x8x64xf32>
}

// -----

// A page of no rows does not exist, and nothing divides by 0.

// CHECK-LABEL: func @dynamic_pages
//       CHECK:   scf.for {{.*}} = %c0 to %c128 step %c32
//       CHECK:     scf.for {{.*}} = %c0 to %c32 step %c1
//       CHECK:       %[[EMPTY:.*]] = arith.cmpi eq, %[[PS:.*]], %c0
//       CHECK:       %[[PAGES:.*]] = arith.select %[[EMPTY]], %c0, %{{.*}}
//       CHECK:       %[[DIVISOR:.*]] = arith.maxui %[[PS]], %c1
//       CHECK:       affine.apply {{.*}}[%[[DIVISOR]]]
//       CHECK:       arith.cmpi ult, %{{.*}}, %[[PAGES]]
func.func @dynamic_pages(%pool: tensor<?x?x64xf32>, %table: tensor<?xi32>, %w: tensor<9x128xf32>, %o: tensor<9x64xf32>) -> tensor<9x64xf32> {
  %e = tensor.empty() : tensor<128x64xf32>
  %v = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1]
      pool(%pool : tensor<?x?x64xf32>) table(%table : tensor<?xi32>) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
  %0 = linalg.matmul ins(%w, %v : tensor<9x128xf32>, tensor<128x64xf32>) outs(%o : tensor<9x64xf32>) -> tensor<9x64xf32>
  return %0 : tensor<9x64xf32>
}

// -----

// Without the operand nobody would have the dimension of the batch.

// CHECK-LABEL: func @negative_batch_is_reduced
//       CHECK:   %[[ROWS:.*]] = scf.for {{.*}} -> (tensor<1x128x64xf32>)
//       CHECK:   linalg.generic {{.*}} ins(%{{.*}}, %[[ROWS]] :
func.func @negative_batch_is_reduced(%pool: tensor<?x16x64xf32>, %table: tensor<1x?xi32>, %w: tensor<8x128xf32>, %o: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<1x128x64xf32>
  %v = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2]
      pool(%pool : tensor<?x16x64xf32>) table(%table : tensor<1x?xi32>) outs(%e : tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, d, b, n) -> (m, n)>, affine_map<(m, d, b, n) -> (b, n, d)>, affine_map<(m, d, b, n) -> (m, d)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%w, %v : tensor<8x128xf32>, tensor<1x128x64xf32>) outs(%o : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

// Upstream's verifier accepts no slice of rows without columns.

#k = affine_map<(b, n, m, d) -> (b, n, d)>
#q = affine_map<(b, n, m, d) -> (d, m)>
#s = affine_map<(b, n, m, d) -> (b, n, m)>

// CHECK-LABEL: func @negative_empty_rows
//   CHECK-NOT:   scf.for
//       CHECK:   %[[ROWS:.*]] = linalg_ext.paged_gather
//       CHECK:   linalg.generic {{.*}} ins(%[[ROWS]],
func.func @negative_empty_rows(%pool: tensor<?x16x0xf32>, %table: tensor<1x?xi32>, %n: tensor<1xi32>, %at: index, %q: tensor<0x8xf32>, %s: tensor<1x128x8xf32>) -> tensor<1x128x8xf32> {
  %e = tensor.empty() : tensor<1x128x0xf32>
  %k = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2]
      pool(%pool : tensor<?x16x0xf32>) table(%table : tensor<1x?xi32>) lengths(%n : tensor<1xi32>) offset(%at)
      outs(%e : tensor<1x128x0xf32>) -> tensor<1x128x0xf32>
  %0 = linalg.generic {indexing_maps = [#k, #q, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%k, %q : tensor<1x128x0xf32>, tensor<0x8xf32>) outs(%s : tensor<1x128x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x128x8xf32>
  return %0 : tensor<1x128x8xf32>
}

// -----

// The pool has the rows of a head transposed: they are no slices.

// CHECK-LABEL: func @negative_transposed_pages
//   CHECK-NOT:   scf.for
//       CHECK:   linalg_ext.paged_gather
func.func @negative_transposed_pages(%pool: tensor<?x64x4xf32>, %table: tensor<?xi32>, %w: tensor<8x30xf32>, %o: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<30x64xf32>
  %v = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 1, 0]
      pool(%pool : tensor<?x64x4xf32>) table(%table : tensor<?xi32>) outs(%e : tensor<30x64xf32>) -> tensor<30x64xf32>
  %0 = linalg.matmul ins(%w, %v : tensor<8x30xf32>, tensor<30x64xf32>) outs(%o : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

// Heads and groups of them are in another order in the pool, and their number is
// not known.

// CHECK-DAG:   #[[SWAP:.*]] = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
// CHECK-LABEL: func @permuted_rows
//       CHECK:   scf.for
//       CHECK:     %[[ROW:.*]] = tensor.extract_slice %{{.*}} : tensor<?x2x1x?x64xf32> to tensor<2x?x64xf32>
//       CHECK:     linalg.generic {indexing_maps = [#[[SWAP]], #{{.*}}]{{.*}} ins(%[[ROW]] :
func.func @permuted_rows(%pool: tensor<?x2x1x?x64xf32>, %table: tensor<?xi32>, %h: index, %w: tensor<8x30xf32>, %o: tensor<?x2x8x64xf32>) -> tensor<?x2x8x64xf32> {
  %e = tensor.empty(%h) : tensor<?x2x30x64xf32>
  %v = linalg_ext.paged_gather sequence(2) batch [] pool_dims [-1, 1, 2, 0, 3]
      pool(%pool : tensor<?x2x1x?x64xf32>) table(%table : tensor<?xi32>) outs(%e : tensor<?x2x30x64xf32>) -> tensor<?x2x30x64xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(h, g, m, d, n) -> (m, n)>, affine_map<(h, g, m, d, n) -> (h, g, n, d)>, affine_map<(h, g, m, d, n) -> (h, g, m, d)>]
      ins(%w, %v : tensor<8x30xf32>, tensor<?x2x30x64xf32>) outs(%o : tensor<?x2x8x64xf32>) -> tensor<?x2x8x64xf32>
  return %0 : tensor<?x2x8x64xf32>
}
