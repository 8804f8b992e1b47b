// An op reads elements and rows that are computed from them, with a batch of one. The rows
// are read by the loop of the batch.
//
// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=drop-kept-dims --split-input-file \
// RUN:   | FileCheck %s --check-prefix=STEP

#id = affine_map<(b, i, j) -> (b, i, j)>
#rows = affine_map<(b, i, j) -> (b, i)>
#row = affine_map<(b, i, j) -> (i)>

// CHECK-DAG:   #[[ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG:   #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @dynamic
// CHECK:       %[[E:.*]] = linalg.generic
// CHECK:         math.absf
// CHECK:       %[[S:.*]] = linalg.generic {{.*}} ins(%[[E]] : tensor<1x?x?xf32>)
// CHECK-NOT:   tensor.collapse_shape
// CHECK:       linalg.generic {indexing_maps = [#[[ID]], #[[ROWS]], #[[ID]]], {{.*}} ins(%[[E]], %[[S]] : tensor<1x?x?xf32>, tensor<1x?xf32>)
// CHECK-NOT:   tensor.expand_shape
func.func @dynamic(%x: tensor<1x?x?xf32>, %zeros: tensor<1x?xf32>) -> tensor<1x?x?xf32> {
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x?x?xf32>) outs(%x : tensor<1x?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.absf %a : f32
    linalg.yield %r : f32
  } -> tensor<1x?x?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<1x?x?xf32>) outs(%zeros : tensor<1x?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<1x?xf32>
  %flat = tensor.collapse_shape %sum [[0, 1]] : tensor<1x?xf32> into tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %flat : tensor<1x?x?xf32>, tensor<?xf32>) outs(%x : tensor<1x?x?xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %r = arith.divf %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<1x?x?xf32>
  return %y : tensor<1x?x?xf32>
}

// -----

#id = affine_map<(b, i, j) -> (b, i, j)>
#rows = affine_map<(b, i, j) -> (b, i)>
#row = affine_map<(b, i, j) -> (i)>

// The elements may be an argument.
// CHECK-LABEL: func @argument
// CHECK-NOT:   tensor.collapse_shape %{{[0-9]+}} {{\[\[}}0, 1]]
// CHECK:       return
func.func @argument(%x: tensor<1x5x7xf32>, %zeros: tensor<1x5xf32>) -> tensor<1x5x7xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<1x5x7xf32>) outs(%zeros : tensor<1x5xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<1x5xf32>
  %flat = tensor.collapse_shape %sum [[0, 1]] : tensor<1x5xf32> into tensor<5xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %flat : tensor<1x5x7xf32>, tensor<5xf32>) outs(%x : tensor<1x5x7xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %r = arith.divf %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<1x5x7xf32>
  return %y : tensor<1x5x7xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#rows = affine_map<(b, i, j) -> (b, i)>
#all = affine_map<(b, i, j) -> (b, i, j)>

// No loop is of size 1. (Another step reshapes the elements.)
// STEP-LABEL: func @negative_no_loop
// STEP:       %[[R:.*]] = tensor.collapse_shape
// STEP:       linalg.generic {{.*}} ins(%{{.*}}, %[[R]] : tensor<?x?xf32>, tensor<?xf32>)
func.func @negative_no_loop(%x: tensor<1x?x?xf32>, %z: tensor<?x?xf32>, %zeros: tensor<1x?xf32>) -> tensor<?x?xf32> {
  %sum = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<1x?x?xf32>) outs(%zeros : tensor<1x?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<1x?xf32>
  %flat = tensor.collapse_shape %sum [[0, 1]] : tensor<1x?xf32> into tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z, %flat : tensor<?x?xf32>, tensor<?xf32>) outs(%z : tensor<?x?xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %r = arith.divf %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

#id = affine_map<(i, j, u) -> (i, j, u)>
#row = affine_map<(i, j, u) -> (i)>
#rows = affine_map<(b, i, j) -> (b, i)>
#all = affine_map<(b, i, j) -> (b, i, j)>

// The loop of size 1 is in another place.
// STEP-LABEL: func @negative_other_place
// STEP:       %[[R:.*]] = tensor.collapse_shape
// STEP:       linalg.generic {{.*}} ins(%{{.*}}, %[[R]] : tensor<?x?x1xf32>, tensor<?xf32>)
func.func @negative_other_place(%x: tensor<1x?x?xf32>, %z: tensor<?x?x1xf32>, %zeros: tensor<1x?xf32>) -> tensor<?x?x1xf32> {
  %sum = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<1x?x?xf32>) outs(%zeros : tensor<1x?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %a, %acc : f32
    linalg.yield %r : f32
  } -> tensor<1x?xf32>
  %flat = tensor.collapse_shape %sum [[0, 1]] : tensor<1x?xf32> into tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%z, %flat : tensor<?x?x1xf32>, tensor<?xf32>) outs(%z : tensor<?x?x1xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %r = arith.divf %a, %s : f32
    linalg.yield %r : f32
  } -> tensor<?x?x1xf32>
  return %y : tensor<?x?x1xf32>
}

// -----

#id = affine_map<(b, i, j) -> (b, i, j)>

// What is computed from a product and from a product of a batch of one keeps the batch, which the
// second product would give back in each round.

// STEP-LABEL: func @batch_of_one
// STEP:         %[[P:.*]] = tensor.expand_shape
// STEP:         %[[Q:.*]] = linalg.batch_matmul
// STEP:         %[[E:.*]] = linalg.generic {{.*}} ins(%[[Q]] : tensor<1x?x8xf32>)
// STEP:         linalg.generic {{.*}} ins(%[[P]], %[[E]] : tensor<1x?x8xf32>, tensor<1x?x8xf32>)
func.func @batch_of_one(%x: tensor<?x64xf32>, %w: tensor<64x8xf32>, %y: tensor<1x?x64xf32>, %v: tensor<1x64x8xf32>,
                        %zero: tensor<?x8xf32>, %zeros: tensor<1x?x8xf32>, %n: index) -> tensor<1x?x8xf32> {
  %s = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x8xf32>) outs(%zero : tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = tensor.expand_shape %s [[0, 1], [2]] output_shape [1, %n, 8] : tensor<?x8xf32> into tensor<1x?x8xf32>
  %q = linalg.batch_matmul ins(%y, %v : tensor<1x?x64xf32>, tensor<1x64x8xf32>) outs(%zeros : tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  %empty = tensor.empty(%n) : tensor<1x?x8xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q : tensor<1x?x8xf32>) outs(%empty : tensor<1x?x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<1x?x8xf32>
  %l = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p, %e : tensor<1x?x8xf32>, tensor<1x?x8xf32>) outs(%empty : tensor<1x?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x?x8xf32>
  return %l : tensor<1x?x8xf32>
}

// -----

#id = affine_map<(a, b, c) -> (a, b, c)>
#inner = affine_map<(a, b, c) -> (b, c)>

// What is read with a batch of one and without is read with it, also where the reshape adds the batch.
// Otherwise the batch of one op would be added to the other one, without an end.

// CHECK-LABEL: func @both_ways
// CHECK-NOT:     tensor.collapse_shape
// CHECK:         return
func.func @both_ways(%x: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  %e = tensor.empty() : tensor<1x5x8xf32>
  %0 = math.exp %x : tensor<1x5x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<1x5x8xf32> into tensor<5x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #inner, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %1 : tensor<1x5x8xf32>, tensor<5x8xf32>) outs(%e : tensor<1x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x5x8xf32>
  return %2 : tensor<1x5x8xf32>
}

// CHECK-LABEL: func @added_batch
// CHECK-NOT:     tensor.collapse_shape %{{[0-9]+}}
// CHECK:         return
func.func @added_batch(%x: tensor<5x8xf32>) -> tensor<1x5x8xf32> {
  %e = tensor.empty() : tensor<1x5x8xf32>
  %0 = math.exp %x : tensor<5x8xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [1, 5, 8] : tensor<5x8xf32> into tensor<1x5x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #inner, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%1, %0 : tensor<1x5x8xf32>, tensor<5x8xf32>) outs(%e : tensor<1x5x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x5x8xf32>
  return %2 : tensor<1x5x8xf32>
}

// The same, where the dimension beside the added one has size 1, too.

// CHECK-LABEL: func @added_batch_of_one_row
// CHECK-NOT:     tensor.collapse_shape %{{[0-9]+}}
// CHECK:         return
func.func @added_batch_of_one_row(%x: tensor<1x8xf32>) -> tensor<1x1x8xf32> {
  %e = tensor.empty() : tensor<1x1x8xf32>
  %0 = math.exp %x : tensor<1x8xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [1, 1, 8] : tensor<1x8xf32> into tensor<1x1x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #inner, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%1, %0 : tensor<1x1x8xf32>, tensor<1x8xf32>) outs(%e : tensor<1x1x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x1x8xf32>
  return %2 : tensor<1x1x8xf32>
}

// -----

#all = affine_map<(a, b, c) -> (a, b, c)>
#mask = affine_map<(a, b, c) -> (a, b)>
#all4 = affine_map<(a, b, c, d) -> (a, b, c, d)>
#mask4 = affine_map<(a, b, c, d) -> (a, d)>
#rows4 = affine_map<(a, b, c, d) -> (a, b, c)>

// Scores of one query and one key, read in two shapes: the batches and the heads are one dimension, or two.
// The rows of one and the elements of the other meet in one op. Each got the dimensions of size 1 of the
// other one, without an end.

// CHECK-LABEL: func @all_sizes_are_one
// CHECK:         return
func.func @all_sizes_are_one(%s: tensor<1x1x1xf32>, %m: tensor<1x1xf32>, %v: tensor<1x1x1x1x1xf32>) -> tensor<1x1x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x1xf32>
  %e2 = tensor.empty() : tensor<1x1xf32>
  %e4 = tensor.empty() : tensor<1x1x1x1xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %scores = math.exp %s : tensor<1x1x1xf32>
  %bias = math.exp %m : tensor<1x1xf32>
  %heads = tensor.expand_shape %scores [[0, 1], [2], [3]] output_shape [1, 1, 1, 1] : tensor<1x1x1xf32> into tensor<1x1x1x1xf32>
  %masked = linalg.generic {indexing_maps = [#all, #mask, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %bias : tensor<1x1x1xf32>, tensor<1x1xf32>) outs(%e : tensor<1x1x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x1x1xf32>
  %masked4 = linalg.generic {indexing_maps = [#all4, #mask4, #all4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%heads, %bias : tensor<1x1x1x1xf32>, tensor<1x1xf32>) outs(%e4 : tensor<1x1x1x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x1x1x1xf32>
  %rows = linalg.generic {indexing_maps = [#all4, #rows4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%masked4 : tensor<1x1x1x1xf32>) outs(%fill : tensor<1x1x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<1x1x1xf32>
  %weights = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%masked, %rows : tensor<1x1x1xf32>, tensor<1x1x1xf32>) outs(%e : tensor<1x1x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x1x1xf32>
  %values = tensor.collapse_shape %v [[0, 1, 2], [3], [4]] : tensor<1x1x1x1x1xf32> into tensor<1x1x1xf32>
  %product = linalg.batch_matmul ins(%weights, %values : tensor<1x1x1xf32>, tensor<1x1x1xf32>) outs(%fill : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return %product : tensor<1x1x1xf32>
}
