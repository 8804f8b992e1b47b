// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#id1 = affine_map<(d0) -> (d0)>

// Of one element a row of a difference nothing else is computed: what differs
// by row only is an operand.

// CHECK-DAG: #[[ID1:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func @one_of_each_row
//  CHECK-SAME: (%[[X:.*]]: tensor<5x9xf32>, %[[M:.*]]: tensor<5xf32>, %[[AT:.*]]: tensor<5xi64>)
//       CHECK: linalg.generic {indexing_maps = [#[[ID1]], #[[ID1]], #[[ID1]]], iterator_types = ["parallel"]}
//  CHECK-SAME:   ins(%[[AT]], %[[M]] : tensor<5xi64>, tensor<5xf32>)
//  CHECK-NEXT: ^bb0(%[[TO:.*]]: i64, %[[MAX:.*]]: f32, %{{.*}}: f32):
//   CHECK-DAG:   %[[J:.*]] = arith.index_cast %[[TO]]
//   CHECK-DAG:   %[[I:.*]] = linalg.index 0
//       CHECK:   %[[E:.*]] = tensor.extract %[[X]][%[[I]], %[[J]]]
//       CHECK:   %[[D:.*]] = arith.subf %[[E]], %[[MAX]]
//       CHECK:   arith.negf %[[D]]
//   CHECK-NOT: linalg.generic
func.func @one_of_each_row(%x: tensor<5x9xf32>, %m: tensor<5xf32>, %at: tensor<5xi64>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5x9xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<5x9xf32>, tensor<5xf32>) outs(%e : tensor<5x9xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.subf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<5x9xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%at : tensor<5xi64>) outs(%e1 : tensor<5xf32>) {
  ^bb0(%to: i64, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %to : i64 to index
    %t = tensor.extract %d[%i, %j] : tensor<5x9xf32>
    %u = arith.negf %t : f32
    linalg.yield %u : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

#t = affine_map<(d0, d1) -> (d1, d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#id1 = affine_map<(d0) -> (d0)>

// Where the result is transposed, positions are swapped; of dynamic sizes there
// are fewer where there are fewer loops. Sizes that may differ are no operand's.

// CHECK-LABEL: func @transposed_dynamic
//  CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[M:.*]]: tensor<?xf32>, %[[AT:.*]]: tensor<?xindex>)
//       CHECK: ^bb0(%[[J:.*]]: index, %{{.*}}: f32):
//       CHECK:   %[[I:.*]] = linalg.index 0
//       CHECK:   %[[E:.*]] = tensor.extract %[[X]][%[[J]], %[[I]]]
//       CHECK:   %[[S:.*]] = arith.index_cast %[[J]] : index to i32
//       CHECK:   %[[F:.*]] = arith.sitofp %[[S]]
//       CHECK:   %[[A:.*]] = arith.addf %[[E]], %[[F]]
//       CHECK:   %[[B:.*]] = tensor.extract %[[M]][%[[I]]]
//       CHECK:   arith.mulf %[[A]], %[[B]]
func.func @transposed_dynamic(%x: tensor<?x?xf32>, %m: tensor<?xf32>, %at: tensor<?xindex>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n1, %n0) : tensor<?x?xf32>
  %d = linalg.generic {indexing_maps = [#id, #t], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %s = arith.index_cast %i : index to i32
    %f = arith.sitofp %s : i32 to f32
    %t = arith.addf %a, %f : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  %k = tensor.dim %at, %c0 : tensor<?xindex>
  %e1 = tensor.empty(%k) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%at : tensor<?xindex>) outs(%e1 : tensor<?xf32>) {
  ^bb0(%j: index, %o: f32):
    %i = linalg.index 0 : index
    %t = tensor.extract %d[%i, %j] : tensor<?x?xf32>
    %w = tensor.extract %m[%i] : tensor<?xf32>
    %u = arith.mulf %t, %w : f32
    linalg.yield %u : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// More elements are read than there are: each is computed once.

// CHECK-LABEL: func @negative_many
//       CHECK: %[[T:.*]] = linalg.generic
//       CHECK:   math.exp
//       CHECK: linalg.generic
//       CHECK:   tensor.extract %[[T]]
func.func @negative_many(%x: tensor<9xf32>, %at: tensor<5x9xindex>) -> tensor<5x9xf32> {
  %e = tensor.empty() : tensor<9xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<9xf32>) outs(%e : tensor<9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.exp %a : f32
    linalg.yield %t : f32
  } -> tensor<9xf32>
  %e1 = tensor.empty() : tensor<5x9xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<5x9xindex>) outs(%e1 : tensor<5x9xf32>) {
  ^bb0(%j: index, %o: f32):
    %t = tensor.extract %d[%j] : tensor<9xf32>
    linalg.yield %t : f32
  } -> tensor<5x9xf32>
  return %r : tensor<5x9xf32>
}

// -----

#id1 = affine_map<(d0) -> (d0)>

// A part of a longer tensor is no operand.

// CHECK-LABEL: func @negative_longer
//  CHECK-SAME: (%[[X:.*]]: tensor<9xf32>, %[[Y:.*]]: tensor<5xf32>)
//       CHECK: linalg.generic {{.*}} ins(%[[Y]] : tensor<5xf32>)
//       CHECK:   tensor.extract %[[X]]
func.func @negative_longer(%x: tensor<9xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%y : tensor<5xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %t = tensor.extract %x[%i] : tensor<9xf32>
    %u = arith.addf %a, %t : f32
    linalg.yield %u : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

#mk = affine_map<(d0, d1, d2) -> (d0, d2)>
#nk = affine_map<(d0, d1, d2) -> (d1, d2)>
#mn = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#id1 = affine_map<(d0) -> (d0)>

// An element of a contraction that is only reduced is a sum along what is
// reduced, which the loop of the reduction can compute, too.

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @one_of_each_row_of_a_product
//  CHECK-SAME: %[[AT:[^:]*]]: tensor<?xi32>
//       CHECK: %[[S:.*]] = linalg.generic {{.*}}["parallel", "parallel", "reduction"]
//       CHECK: %[[PICKED:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ROW]], #[[ROW]]], iterator_types = ["parallel", "reduction"]}
//  CHECK-SAME:   ins(%[[S]], %[[AT]] : tensor<?x9xf32>, tensor<?xi32>)
//  CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[TO:.*]]: i32, %[[ACC:.*]]: f32):
//       CHECK:   %[[J:.*]] = arith.index_cast %[[TO]]
//       CHECK:   %[[HERE:.*]] = linalg.index 1
//       CHECK:   %[[IS:.*]] = arith.cmpi eq, %[[HERE]], %[[J]]
//       CHECK:   %[[T:.*]] = arith.select %[[IS]], %[[X]], %{{.*}}
//       CHECK:   arith.addf %[[T]], %[[ACC]]
//       CHECK: linalg.generic
//  CHECK-SAME:   %[[PICKED]]
//   CHECK-NOT:   tensor.extract
//       CHECK: return
func.func @one_of_each_row_of_a_product(%a: tensor<?x4xf32>, %b: tensor<9x4xf32>, %at: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x9xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x9xf32>) -> tensor<?x9xf32>
  %s = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x4xf32>, tensor<9x4xf32>) outs(%f : tensor<?x9xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %p = arith.mulf %l, %r : f32
    %q = arith.addf %acc, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x9xf32>
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %f1 = linalg.fill ins(%low : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<?x9xf32>) outs(%f1 : tensor<?xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %t = arith.maximumf %x, %acc : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %picked = linalg.generic {indexing_maps = [#id1, #id1, #id1], iterator_types = ["parallel"]}
      ins(%at, %m : tensor<?xi32>, tensor<?xf32>) outs(%e1 : tensor<?xf32>) {
  ^bb0(%to: i32, %max: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %to : i32 to index
    %t = tensor.extract %s[%i, %j] : tensor<?x9xf32>
    %u = arith.subf %t, %max : f32
    linalg.yield %u : f32
  } -> tensor<?xf32>
  return %m, %picked : tensor<?xf32>, tensor<?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#id1 = affine_map<(d0) -> (d0)>

// Of a product that is returned, an element is read.

// CHECK-LABEL: func @negative_stored_product
//       CHECK: tensor.extract
func.func @negative_stored_product(%a: tensor<5x4xf32>, %b: tensor<4x9xf32>, %at: tensor<5xi32>) -> (tensor<5x9xf32>, tensor<5xf32>, tensor<5xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x9xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<5x9xf32>) -> tensor<5x9xf32>
  %s = linalg.matmul ins(%a, %b : tensor<5x4xf32>, tensor<4x9xf32>) outs(%f : tensor<5x9xf32>) -> tensor<5x9xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<5x9xf32>) outs(%f1 : tensor<5xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %t = arith.addf %x, %acc : f32
    linalg.yield %t : f32
  } -> tensor<5xf32>
  %picked = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%at : tensor<5xi32>) outs(%e1 : tensor<5xf32>) {
  ^bb0(%to: i32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %to : i32 to index
    %t = tensor.extract %s[%i, %j] : tensor<5x9xf32>
    linalg.yield %t : f32
  } -> tensor<5xf32>
  return %s, %m, %picked : tensor<5x9xf32>, tensor<5xf32>, tensor<5xf32>
}
