// RUN: linalg-ext-opt %s -linalg-ext-decompose -canonicalize | FileCheck %s

// One row in each iteration: a slice of one row, or of none.

// CHECK-LABEL: func.func @append
//  CHECK-SAME:   %[[ROWS:.*]]: tensor<?x1x2x8xf32>, %[[TABLE:.*]]: tensor<?x?xi32>, %[[N:.*]]: tensor<?xi32>, %[[AT:.*]]: tensor<?xi32>, %[[POOL:.*]]: tensor<?x16x2x8xf32>)
//   CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
//   CHECK-DAG:   %[[C1:.*]] = arith.constant 1 : index
//   CHECK-DAG:   %[[PAGES:.*]] = tensor.dim %[[POOL]], %[[C0]]
//   CHECK-DAG:   %[[ENTRIES:.*]] = tensor.dim %[[TABLE]], %[[C1]]
//       CHECK:   scf.forall (%[[B:.*]]) in (%{{.*}}) shared_outs(%[[OUT:.*]] = %[[POOL]])
//       CHECK:     %[[OFFSET:.*]] = tensor.extract %[[AT]][%[[B]]]
//       CHECK:     %[[S:.*]] = arith.index_cast %[[OFFSET]]
//       CHECK:     arith.cmpi sge, %[[S]], %[[C0]]
//       CHECK:     tensor.extract %[[N]][%[[B]]]
//       CHECK:     arith.cmpi slt, %[[S]]
//       CHECK:     %[[ENTRY:.*]] = affine.apply #{{.*}}(%[[S]])
//       CHECK:     %[[ROW:.*]] = affine.apply #{{.*}}(%[[S]])
//       CHECK:     arith.cmpi ult, %[[ENTRY]], %[[ENTRIES]]
//       CHECK:     %[[TO:.*]]:2 = scf.if
//       CHECK:       tensor.extract %[[TABLE]][%[[B]], %[[ENTRY]]]
//       CHECK:       arith.cmpi ult, %{{.*}}, %[[PAGES]]
//       CHECK:     } else {
//       CHECK:       scf.yield %[[C0]], %[[C0]]
//       CHECK:     %[[X:.*]] = tensor.extract_slice %[[ROWS]][%[[B]], 0, 0, 0] [1, 1, 2, 8]
//       CHECK:     %[[PART:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 0] [1, %[[TO]]#1, 2, 8] {{.*}} to tensor<?x2x8xf32>
//       CHECK:     tensor.parallel_insert_slice %[[PART]] into %[[OUT]][%[[TO]]#0, %[[ROW]], 0, 0] [1, %[[TO]]#1, 2, 8]
func.func @append(%rows: tensor<?x1x2x8xf32>, %table: tensor<?x?xi32>, %n: tensor<?xi32>, %at: tensor<?xi32>, %pool: tensor<?x16x2x8xf32>) -> tensor<?x16x2x8xf32> {
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [-1, 1, 2, 3]
      rows(%rows : tensor<?x1x2x8xf32>) table(%table : tensor<?x?xi32>) lengths(%n : tensor<?xi32>) offsets(%at : tensor<?xi32>)
      outs(%pool : tensor<?x16x2x8xf32>) -> tensor<?x16x2x8xf32>
  return %0 : tensor<?x16x2x8xf32>
}

// A loop that computes rows of one sequence in each iteration stores them, and
// its inner loop runs no iteration for rows that are not stored.

// CHECK-LABEL: func.func @computed
//  CHECK-SAME:   %[[X:.*]]: tensor<?x?x8xf32>, %[[S:.*]]: tensor<?xi32>, %[[N:.*]]: tensor<?xi32>, %[[POOL:.*]]: tensor<?x8xf32>, %[[M:.*]]: index)
//   CHECK-NOT:   tensor.empty
//       CHECK:   %[[RESULT:.*]] = scf.forall (%[[B:.*]], %[[I:.*]]) = {{.*}} shared_outs(%[[OUT:.*]] = %[[POOL]]) -> (tensor<?x8xf32>)
//       CHECK:     tensor.extract %[[S]][%[[B]]]
//       CHECK:     %[[END:.*]] = arith.select %{{.*}}, %{{.*}}, %[[I]] : index
//       CHECK:     %[[COUNT:.*]] = affine.min #{{.*}}(%[[END]], %[[I]], %{{.*}})
//       CHECK:     %[[ANY:.*]] = arith.cmpi sgt, %[[COUNT]], %c0
//       CHECK:     %[[EMPTY:.*]] = tensor.empty(%{{.*}}) : tensor<1x?x8xf32>
//       CHECK:     linalg.fill {{.*}} outs(%[[EMPTY]]
//       CHECK:     %[[LAST:.*]] = arith.select %[[ANY]], %[[M]], %c0
//       CHECK:     %[[SUM:.*]] = scf.for %{{.*}} = %c0 to %[[LAST]]
//       CHECK:     %[[PART:.*]] = tensor.extract_slice %[[SUM]][0, 0, 0] [1, %[[COUNT]], 8] [1, 1, 1] : tensor<1x?x8xf32> to tensor<?x8xf32>
//       CHECK:     tensor.parallel_insert_slice %[[PART]] into %[[OUT]][%{{.*}}, 0] [%[[COUNT]], 8]
//       CHECK:   return %[[RESULT]]
#tile = affine_map<(d0)[s0] -> (16, s0 - d0)>
func.func @computed(%x: tensor<?x?x8xf32>, %s: tensor<?xi32>, %n: tensor<?xi32>, %pool: tensor<?x8xf32>, %m: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %batch = tensor.dim %x, %c0 : tensor<?x?x8xf32>
  %longest = tensor.dim %x, %c1 : tensor<?x?x8xf32>
  %e = tensor.empty(%batch, %longest) : tensor<?x?x8xf32>
  %rows = scf.forall (%b, %i) = (0, 0) to (%batch, %longest) step (1, 16) shared_outs(%out = %e) -> (tensor<?x?x8xf32>) {
    %size = affine.min #tile(%i)[%longest]
    %xs = tensor.extract_slice %x[%b, %i, 0] [1, %size, 8] [1, 1, 1] : tensor<?x?x8xf32> to tensor<1x?x8xf32>
    %to = tensor.extract_slice %out[%b, %i, 0] [1, %size, 8] [1, 1, 1] : tensor<?x?x8xf32> to tensor<1x?x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%to : tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
    %sum = scf.for %k = %c0 to %m step %c1 iter_args(%acc = %f) -> tensor<1x?x8xf32> {
      %next = linalg.add ins(%xs, %acc : tensor<1x?x8xf32>, tensor<1x?x8xf32>) outs(%acc : tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
      scf.yield %next : tensor<1x?x8xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %out[%b, %i, 0] [1, %size, 8] [1, 1, 1] : tensor<1x?x8xf32> into tensor<?x?x8xf32>
    }
  }
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [1, 2]
      rows(%rows : tensor<?x?x8xf32>) starts(%s : tensor<?xi32>) lengths(%n : tensor<?xi32>)
      outs(%pool : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// What is done to each element of the rows is done to those of the tile.

// CHECK-LABEL: func.func @converted
//   CHECK-NOT:   linalg.generic
//       CHECK:   scf.forall {{.*}} shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<?x8xf16>)
//       CHECK:     %[[TILE:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<1x?x8xf32>) outs(%{{.*}} : tensor<1x?x8xf16>)
//       CHECK:     %[[PART:.*]] = tensor.extract_slice %[[TILE]]
//       CHECK:     tensor.parallel_insert_slice %[[PART]] into %[[OUT]]
//   CHECK-NOT:   linalg.generic
#id = affine_map<(b, s, d) -> (b, s, d)>
func.func @converted(%x: tensor<2x?x8xf32>, %s: tensor<2xi32>, %n: tensor<2xi32>, %pool: tensor<?x8xf16>) -> tensor<?x8xf16> {
  %c1 = arith.constant 1 : index
  %longest = tensor.dim %x, %c1 : tensor<2x?x8xf32>
  %e = tensor.empty(%longest) : tensor<2x?x8xf32>
  %rows = scf.forall (%b, %i) = (0, 0) to (2, %longest) step (1, 16) shared_outs(%out = %e) -> (tensor<2x?x8xf32>) {
    %size = affine.min #tile(%i)[%longest]
    %xs = tensor.extract_slice %x[%b, %i, 0] [1, %size, 8] [1, 1, 1] : tensor<2x?x8xf32> to tensor<1x?x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %xs into %out[%b, %i, 0] [1, %size, 8] [1, 1, 1] : tensor<1x?x8xf32> into tensor<2x?x8xf32>
    }
  }
  %ce = tensor.empty(%longest) : tensor<2x?x8xf16>
  %converted = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%rows : tensor<2x?x8xf32>) outs(%ce : tensor<2x?x8xf16>) {
  ^bb0(%a: f32, %o: f16):
    %r = arith.truncf %a : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x?x8xf16>
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [1, 2]
      rows(%converted : tensor<2x?x8xf16>) starts(%s : tensor<2xi32>) lengths(%n : tensor<2xi32>)
      outs(%pool : tensor<?x8xf16>) -> tensor<?x8xf16>
  return %0 : tensor<?x8xf16>
}

// Tiles of several sequences, and rows that others read, stay.

// CHECK-LABEL: func.func @negative_tile_of_sequences
//       CHECK:   scf.forall
//       CHECK:   tensor.parallel_insert_slice {{.*}} : tensor<2x?x8xf32> into tensor<2x?x8xf32>
//       CHECK:   scf.forall
//       CHECK:   tensor.parallel_insert_slice {{.*}} : tensor<?x8xf32> into tensor<?x8xf32>
func.func @negative_tile_of_sequences(%x: tensor<2x?x8xf32>, %s: tensor<2xi32>, %n: tensor<2xi32>, %pool: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c1 = arith.constant 1 : index
  %longest = tensor.dim %x, %c1 : tensor<2x?x8xf32>
  %e = tensor.empty(%longest) : tensor<2x?x8xf32>
  %rows = scf.forall (%i) = (0) to (%longest) step (16) shared_outs(%out = %e) -> (tensor<2x?x8xf32>) {
    %size = affine.min #tile(%i)[%longest]
    %xs = tensor.extract_slice %x[0, %i, 0] [2, %size, 8] [1, 1, 1] : tensor<2x?x8xf32> to tensor<2x?x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %xs into %out[0, %i, 0] [2, %size, 8] [1, 1, 1] : tensor<2x?x8xf32> into tensor<2x?x8xf32>
    }
  }
  %0 = linalg_ext.store_rows sequence(1) batch [0] pool_dims [1, 2]
      rows(%rows : tensor<2x?x8xf32>) starts(%s : tensor<2xi32>) lengths(%n : tensor<2xi32>)
      outs(%pool : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @negative_on_buffers
//       CHECK:   linalg_ext.store_rows
func.func @negative_on_buffers(%x: memref<2x3x8xf32>, %s: memref<2xi32>, %pool: memref<9x8xf32>) {
  linalg_ext.store_rows sequence(1) batch [0] pool_dims [1, 2]
      rows(%x : memref<2x3x8xf32>) starts(%s : memref<2xi32>) lengths(%s : memref<2xi32>)
      outs(%pool : memref<9x8xf32>)
  return
}
