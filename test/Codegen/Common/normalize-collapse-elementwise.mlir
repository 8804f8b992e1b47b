// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=collapse-elementwise --canonicalize --split-input-file | FileCheck %s

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
#columns = affine_map<(d0, d1, d2) -> (d2, d0)>
#line = affine_map<(d0, d1, d2) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The product has all keys in one dimension; what lacks a part of them is read
// at quotients and remainders.

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[LINE:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[DIV:.*]] = affine_map<()[s0] -> (s0 floordiv 7)>
// CHECK-DAG: #[[MOD:.*]] = affine_map<()[s0] -> (s0 mod 7)>
// CHECK-LABEL: func @biases
//  CHECK-SAME: (%[[S:.*]]: tensor<5x42xf32>, %[[R:.*]]: tensor<5x6xf32>, %[[C:.*]]: tensor<7x5xf32>, %[[L:.*]]: tensor<5xf32>)
//       CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[LINE]], #[[ID]]], iterator_types = ["parallel", "parallel"]}
//  CHECK-SAME:   ins(%[[S]], %[[L]] : tensor<5x42xf32>, tensor<5xf32>)
//  CHECK-NEXT: ^bb0
//   CHECK-DAG:   %[[I:.*]] = linalg.index 0
//   CHECK-DAG:   %[[J:.*]] = linalg.index 1
//   CHECK-DAG:   %[[Q:.*]] = affine.apply #[[DIV]]()[%[[J]]]
//   CHECK-DAG:   %[[M:.*]] = affine.apply #[[MOD]]()[%[[J]]]
//   CHECK-DAG:   tensor.extract %[[R]][%[[I]], %[[Q]]]
//   CHECK-DAG:   tensor.extract %[[C]][%[[M]], %[[I]]]
//       CHECK: linalg.generic
//  CHECK-SAME:   ins(%[[Y]] : tensor<5x42xf32>)
func.func @biases(%s: tensor<5x42xf32>, %r: tensor<5x6xf32>, %c: tensor<7x5xf32>, %l: tensor<5xf32>) -> tensor<5xf32> {
  %low = arith.constant 0xFF800000 : f32
  %x = tensor.expand_shape %s [[0], [1, 2]] output_shape [5, 6, 7] : tensor<5x42xf32> into tensor<5x6x7xf32>
  %e = tensor.empty() : tensor<5x6x7xf32>
  %y = linalg.generic {indexing_maps = [#id, #rows, #columns, #line, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %r, %c, %l : tensor<5x6x7xf32>, tensor<5x6xf32>, tensor<7x5xf32>, tensor<5xf32>) outs(%e : tensor<5x6x7xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %f: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.addf %0, %d : f32
    %2 = arith.mulf %1, %f : f32
    linalg.yield %2 : f32
  } -> tensor<5x6x7xf32>
  %m = tensor.collapse_shape %y [[0], [1, 2]] : tensor<5x6x7xf32> into tensor<5x42xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %f1 = linalg.fill ins(%low : f32) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %max = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%m : tensor<5x42xf32>) outs(%f1 : tensor<5xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.maximumf %a, %acc : f32
    linalg.yield %t : f32
  } -> tensor<5xf32>
  return %max : tensor<5xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>

// Merged dimensions that nobody reduces, such as heads, stay.

// CHECK-LABEL: func @negative_not_reduced
//       CHECK: linalg.generic {{.*}} ["parallel", "parallel", "parallel"]
//       CHECK: tensor.collapse_shape
func.func @negative_not_reduced(%x: tensor<5x6x7xf32>, %r: tensor<5x6xf32>) -> tensor<5x42xf32> {
  %e = tensor.empty() : tensor<5x6x7xf32>
  %y = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %r : tensor<5x6x7xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6x7xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<5x6x7xf32>
  %m = tensor.collapse_shape %y [[0], [1, 2]] : tensor<5x6x7xf32> into tensor<5x42xf32>
  return %m : tensor<5x42xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Sizes of dimensions that stay may be dynamic; those that are merged may not.

// CHECK-LABEL: func @dynamic_rows
//       CHECK: linalg.generic {{.*}} ["parallel", "parallel"]
//       CHECK:   tensor.extract
//   CHECK-NOT: tensor.collapse_shape
//       CHECK: ["parallel", "reduction"]
func.func @dynamic_rows(%s: tensor<?x42xf32>, %r: tensor<?x6xf32>, %n: index, %f1: tensor<?xf32>) -> tensor<?xf32> {
  %x = tensor.expand_shape %s [[0], [1, 2]] output_shape [%n, 6, 7] : tensor<?x42xf32> into tensor<?x6x7xf32>
  %e = tensor.empty(%n) : tensor<?x6x7xf32>
  %y = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %r : tensor<?x6x7xf32>, tensor<?x6xf32>) outs(%e : tensor<?x6x7xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?x6x7xf32>
  %m = tensor.collapse_shape %y [[0], [1, 2]] : tensor<?x6x7xf32> into tensor<?x42xf32>
  %max = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%m : tensor<?x42xf32>) outs(%f1 : tensor<?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.maximumf %a, %acc : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  return %max : tensor<?xf32>
}

// -----

// A mask of blocks that is repeated for the rows and columns of a block, in scores that
// a softmax reduces: read at quotients.

// CHECK-DAG: #[[BLOCK:.*]] = affine_map<()[s0] -> (s0 floordiv 24)>
// CHECK-LABEL: func @blocks
//  CHECK-SAME: (%[[M:.*]]: tensor<8x1x8x1xi1>,
//       CHECK: linalg.generic
//  CHECK-SAME:   outs(%{{.*}} : tensor<192x192xi1>)
//   CHECK-DAG:   %[[I:.*]] = linalg.index 0
//   CHECK-DAG:   %[[J:.*]] = linalg.index 1
//   CHECK-DAG:   %[[P:.*]] = affine.apply #[[BLOCK]]()[%[[I]]]
//   CHECK-DAG:   %[[Q:.*]] = affine.apply #[[BLOCK]]()[%[[J]]]
//       CHECK:   tensor.extract %[[M]][%[[P]], %c0, %[[Q]], %c0]

#mask = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, 0)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @blocks(%m: tensor<8x1x8x1xi1>, %s: tensor<192x192xf32>) -> tensor<192xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<8x24x8x24xi1>
  %r = linalg.generic {indexing_maps = [#mask, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%m : tensor<8x1x8x1xi1>) outs(%e : tensor<8x24x8x24xi1>) {
  ^bb0(%a: i1, %o: i1):
    linalg.yield %a : i1
  } -> tensor<8x24x8x24xi1>
  %c = tensor.collapse_shape %r [[0, 1], [2, 3]] : tensor<8x24x8x24xi1> into tensor<192x192xi1>
  %e2 = tensor.empty() : tensor<192x192xf32>
  %x = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%c, %s : tensor<192x192xi1>, tensor<192x192xf32>) outs(%e2 : tensor<192x192xf32>) {
  ^bb0(%a: i1, %b: f32, %o: f32):
    %0 = arith.select %a, %b, %low : f32
    linalg.yield %0 : f32
  } -> tensor<192x192xf32>
  %e1 = tensor.empty() : tensor<192xf32>
  %f1 = linalg.fill ins(%low : f32) outs(%e1 : tensor<192xf32>) -> tensor<192xf32>
  %max = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<192x192xf32>) outs(%f1 : tensor<192xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.maximumf %a, %acc : f32
    linalg.yield %t : f32
  } -> tensor<192xf32>
  return %max : tensor<192xf32>
}

// -----

// Scores of several heads repeat the mask, and reduce its columns: dynamic heads.

#blocks = affine_map<(i, a, j, b) -> (i, j)>
#id4 = affine_map<(i, a, j, b) -> (i, a, j, b)>
#mask = affine_map<(h, m, k) -> (m, k)>
#s = affine_map<(h, m, k) -> (h, m, k)>
#max = affine_map<(h, m, k) -> (h, m)>

// CHECK-LABEL: func @repeated_for_heads
//  CHECK-SAME: (%[[M:.*]]: tensor<2x3xi1>,
//       CHECK: linalg.generic
//  CHECK-SAME:   outs(%{{.*}} : tensor<48x72xi1>)
//       CHECK:   tensor.extract %[[M]][%{{.*}}, %{{.*}}]
//       CHECK: linalg.generic
//  CHECK-SAME:   outs(%{{.*}} : tensor<?x48x72xf32>)
func.func @repeated_for_heads(%blocks: tensor<2x3xi1>, %x: tensor<?x48x72xf32>, %r: tensor<?x48xf32>) -> tensor<?x48xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x24x3x24xi1>
  %y = linalg.generic {indexing_maps = [#blocks, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%blocks : tensor<2x3xi1>) outs(%e : tensor<2x24x3x24xi1>) {
  ^bb0(%a: i1, %o: i1):
    linalg.yield %a : i1
  } -> tensor<2x24x3x24xi1>
  %m = tensor.collapse_shape %y [[0, 1], [2, 3]] : tensor<2x24x3x24xi1> into tensor<48x72xi1>
  %z = linalg.generic {indexing_maps = [#mask, #s, #s], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%m, %x : tensor<48x72xi1>, tensor<?x48x72xf32>) outs(%x : tensor<?x48x72xf32>) {
  ^bb0(%a: i1, %b: f32, %o: f32):
    %0 = arith.select %a, %b, %low : f32
    linalg.yield %0 : f32
  } -> tensor<?x48x72xf32>
  %max = linalg.generic {indexing_maps = [#s, #max], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%z : tensor<?x48x72xf32>) outs(%r : tensor<?x48xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %t = arith.maximumf %a, %acc : f32
    linalg.yield %t : f32
  } -> tensor<?x48xf32>
  return %max : tensor<?x48xf32>
}
