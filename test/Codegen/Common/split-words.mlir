// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=split-words --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=split-groups --split-input-file | FileCheck %s --check-prefix=GROUPS

// Integers along what is summed: the rows are transposed.

#word = affine_map<(n, k, j) -> (n, k)>
#all = affine_map<(n, k, j) -> (n, k, j)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>

// CHECK-DAG: #[[WIDE:.*]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>
// CHECK-DAG: #[[O:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// CHECK-LABEL: func @summed_dynamic
//       CHECK:   %[[D:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #[[WIDE]]]
//  CHECK-SAME:       outs(%{{.*}} : tensor<?x2x16xf32>)
//       CHECK:   %[[E:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] {{.*}} : tensor<?x32xf32> into tensor<?x16x2xf32>
//       CHECK:   %[[T:.*]] = linalg.transpose ins(%[[E]] : {{.*}} permutation = [0, 2, 1]
//       CHECK:   linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[O]]]
//  CHECK-SAME:       ins(%[[T]], %[[D]] : tensor<?x2x16xf32>, tensor<?x2x16xf32>)
func.func @summed_dynamic(%x: tensor<?x32xf32>, %q: tensor<?x16xi8>, %e: tensor<?x16x2xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %0 = linalg.generic {indexing_maps = [#word, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q : tensor<?x16xi8>) outs(%e : tensor<?x16x2xf32>) {
  ^bb0(%a: i8, %out: f32):
    %i = linalg.index 2 : index
    %p = arith.index_cast %i : index to i8
    %s = arith.muli %p, %c4 : i8
    %1 = arith.shrui %a, %s : i8
    %2 = arith.andi %1, %c15 : i8
    %3 = arith.uitofp %2 : i8 to f32
    linalg.yield %3 : f32
  } -> tensor<?x16x2xf32>
  %c = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x16x2xf32> into tensor<?x32xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %c : tensor<?x32xf32>, tensor<?x32xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Integers along the columns of the result, which is transposed back.

#word = affine_map<(s, n, j) -> (s, n)>
#all = affine_map<(s, n, j) -> (s, n, j)>

// CHECK-LABEL: func @columns
//       CHECK:   %[[F:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<3x2x16xf32>)
//       CHECK:   %[[R:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]
//  CHECK-SAME:       outs(%[[F]] : tensor<3x2x16xf32>)
//       CHECK:   %[[T:.*]] = linalg.transpose ins(%[[R]] : tensor<3x2x16xf32>) {{.*}} permutation = [0, 2, 1]
//       CHECK:   tensor.collapse_shape %[[T]] {{\[\[}}0], [1, 2]] : tensor<3x16x2xf32> into tensor<3x32xf32>
func.func @columns(%x: tensor<3x?xf32>, %q: tensor<?x16xi8>, %e: tensor<?x16x2xf32>, %o: tensor<3x32xf32>) -> tensor<3x32xf32> {
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#word, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q : tensor<?x16xi8>) outs(%e : tensor<?x16x2xf32>) {
  ^bb0(%a: i8, %out: f32):
    %i = linalg.index 2 : index
    %p = arith.index_cast %i : index to i8
    %s = arith.muli %p, %c4 : i8
    %1 = arith.shrui %a, %s : i8
    %2 = arith.andi %1, %c15 : i8
    %3 = arith.uitofp %2 : i8 to f32
    linalg.yield %3 : f32
  } -> tensor<?x16x2xf32>
  %c = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x16x2xf32> into tensor<?x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x32xf32>) -> tensor<3x32xf32>
  %r = linalg.matmul ins(%x, %c : tensor<3x?xf32>, tensor<?x32xf32>) outs(%f : tensor<3x32xf32>) -> tensor<3x32xf32>
  return %r : tensor<3x32xf32>
}

// -----

// What is merged is not unpacked.

#all = affine_map<(n, k, j) -> (n, k, j)>

// CHECK-LABEL: func @negative_groups
//       CHECK:   %[[C:.*]] = tensor.collapse_shape
//       CHECK:   linalg.matmul ins(%{{.*}}, %[[C]] : tensor<3x8xf32>, tensor<8x32xf32>)
func.func @negative_groups(%x: tensor<3x8xf32>, %q: tensor<8x16x2xi8>, %e: tensor<8x16x2xf32>, %o: tensor<3x32xf32>) -> tensor<3x32xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q : tensor<8x16x2xi8>) outs(%e : tensor<8x16x2xf32>) {
  ^bb0(%a: i8, %out: f32):
    %1 = arith.uitofp %a : i8 to f32
    linalg.yield %1 : f32
  } -> tensor<8x16x2xf32>
  %c = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<8x16x2xf32> into tensor<8x32xf32>
  %r = linalg.matmul ins(%x, %c : tensor<3x8xf32>, tensor<8x32xf32>) outs(%o : tensor<3x32xf32>) -> tensor<3x32xf32>
  return %r : tensor<3x32xf32>
}

// -----

// Bytes in groups that have a scale each: the product sums groups and what is in
// them. Nothing is transposed.

#all = affine_map<(n, g, s) -> (n, g, s)>
#group = affine_map<(n, g, s) -> (n, g)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>

// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
// CHECK-LABEL: func @groups
//   CHECK-NOT:   linalg.transpose
//       CHECK:   %[[D:.*]] = linalg.generic
//       CHECK:   %[[E:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] {{.*}} : tensor<?x32xf32> into tensor<?x4x8xf32>
//       CHECK:   linalg.generic {indexing_maps = [#[[X]], #[[W]], #{{.*}}]{{.*}}"reduction", "reduction"]
//  CHECK-SAME:       ins(%[[E]], %[[D]] : tensor<?x4x8xf32>, tensor<?x4x8xf32>)
func.func @groups(%x: tensor<?x32xf32>, %q: tensor<?x4x8xi8>, %scale: tensor<?x4xf32>, %e: tensor<?x4x8xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q, %scale : tensor<?x4x8xi8>, tensor<?x4xf32>) outs(%e : tensor<?x4x8xf32>) {
  ^bb0(%a: i8, %s: f32, %out: f32):
    %1 = arith.sitofp %a : i8 to f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<?x4x8xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x4x8xf32> into tensor<?x32xf32>
  %2 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %1 : tensor<?x32xf32>, tensor<?x32xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %3 = arith.mulf %a, %b : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

// Scales of rows are no groups of what is summed, and halves are no narrower.

#all = affine_map<(n, g, s) -> (n, g, s)>
#row = affine_map<(n, g, s) -> (n)>
#group = affine_map<(n, g, s) -> (n, g)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#o = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @negative_rows
// CHECK-COUNT-2: tensor.collapse_shape
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
func.func @negative_rows(%x: tensor<?x32xf32>, %q: tensor<?x4x8xi8>, %scale: tensor<?xf32>, %h: tensor<?x4x8xf32>, %scales: tensor<?x4xf32>, %e: tensor<?x4x8xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q, %scale : tensor<?x4x8xi8>, tensor<?xf32>) outs(%e : tensor<?x4x8xf32>) {
  ^bb0(%a: i8, %s: f32, %out: f32):
    %1 = arith.sitofp %a : i8 to f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<?x4x8xf32>
  %1 = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%h, %scales : tensor<?x4x8xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %2 = arith.mulf %a, %s : f32
    linalg.yield %2 : f32
  } -> tensor<?x4x8xf32>
  %c0 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x4x8xf32> into tensor<?x32xf32>
  %c1 = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<?x4x8xf32> into tensor<?x32xf32>
  %2 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %c0 : tensor<?x32xf32>, tensor<?x32xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %3 = arith.mulf %a, %b : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?x?xf32>
  %3 = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %c1 : tensor<?x32xf32>, tensor<?x32xf32>) outs(%2 : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %3 = arith.mulf %a, %b : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}

// -----

// Columns are merged, too: the contraction gets the dimensions of one merge after the other. The
// position in a word, j, is not the last dimension, so that it stays where it is.

#word = affine_map<(k, j, g, n) -> (k, g, n)>
#all = affine_map<(k, j, g, n) -> (k, j, g, n)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @two_merges
//       CHECK:   %[[Q:.*]] = linalg.generic
//       CHECK:   } -> tensor<16x2x2x4xf32>
//       CHECK:   %[[R:.*]] = linalg.generic
//  CHECK-SAME:       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
//  CHECK-SAME:       ins(%{{.*}}, %[[Q]] : tensor<3x16x2xf32>, tensor<16x2x2x4xf32>)
//       CHECK:   tensor.collapse_shape %[[R]] {{\[\[}}0], [1, 2]]
func.func @two_merges(%x: tensor<3x32xf32>, %q: tensor<16x2x4xi8>, %e: tensor<16x2x2x4xf32>, %o: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %0 = linalg.generic {indexing_maps = [#word, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q : tensor<16x2x4xi8>) outs(%e : tensor<16x2x2x4xf32>) {
  ^bb0(%a: i8, %out: f32):
    %i = linalg.index 1 : index
    %p = arith.index_cast %i : index to i8
    %s = arith.muli %p, %c4 : i8
    %1 = arith.shrui %a, %s : i8
    %2 = arith.andi %1, %c15 : i8
    %3 = arith.uitofp %2 : i8 to f32
    linalg.yield %3 : f32
  } -> tensor<16x2x2x4xf32>
  %c = tensor.collapse_shape %0 [[0, 1], [2, 3]] : tensor<16x2x2x4xf32> into tensor<32x8xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %c : tensor<3x32xf32>, tensor<32x8xf32>) outs(%o : tensor<3x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}

// -----

// Words of columns (AWQ): each has integers of eight. The position is the last dimension, and becomes
// an outer one. Scales and zero points, one for 32 sums, are transposed to this order.

#word = affine_map<(g, k, n, p) -> (g, k, n)>
#all = affine_map<(g, k, n, p) -> (g, k, n, p)>
#scale = affine_map<(g, k, n, p) -> (g, n, p)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @words_of_columns
//  CHECK-SAME:     %[[X:[^:]*]]: tensor<3x64xf32>, %[[Q:[^:]*]]: tensor<2x32x5xi32>, %[[Z:[^:]*]]: tensor<2x5x8xi32>
//       CHECK:   %[[ZT:.*]] = linalg.transpose ins(%[[Z]] : tensor<2x5x8xi32>) {{.*}} permutation = [0, 2, 1]
//       CHECK:   %[[D:.*]] = linalg.generic {{.*}} ins(%[[Q]], %[[ZT]] : tensor<2x32x5xi32>, tensor<2x8x5xi32>)
//       CHECK:   } -> tensor<2x32x8x5xf32>
//       CHECK:   %[[R:.*]] = linalg.generic
//  CHECK-SAME:       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
//  CHECK-SAME:       tensor<3x2x32xf32>, tensor<2x32x8x5xf32>) outs(%{{.*}} : tensor<3x8x5xf32>)
//       CHECK:   linalg.transpose ins(%[[R]] : tensor<3x8x5xf32>) outs(%{{.*}} : tensor<3x5x8xf32>) permutation = [0, 2, 1]
func.func @words_of_columns(%x: tensor<3x64xf32>, %q: tensor<2x32x5xi32>, %z: tensor<2x5x8xi32>, %e: tensor<2x32x5x8xf32>, %o: tensor<3x40xf32>) -> tensor<3x40xf32> {
  %c4 = arith.constant 4 : i32
  %c15 = arith.constant 15 : i32
  %0 = linalg.generic {indexing_maps = [#word, #scale, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q, %z : tensor<2x32x5xi32>, tensor<2x5x8xi32>) outs(%e : tensor<2x32x5x8xf32>) {
  ^bb0(%a: i32, %b: i32, %out: f32):
    %i = linalg.index 3 : index
    %p = arith.index_cast %i : index to i32
    %s = arith.muli %p, %c4 : i32
    %1 = arith.shrui %a, %s : i32
    %2 = arith.andi %1, %c15 : i32
    %3 = arith.subi %2, %b : i32
    %4 = arith.sitofp %3 : i32 to f32
    linalg.yield %4 : f32
  } -> tensor<2x32x5x8xf32>
  %c = tensor.collapse_shape %0 [[0, 1], [2, 3]] : tensor<2x32x5x8xf32> into tensor<64x40xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %c : tensor<3x64xf32>, tensor<64x40xf32>) outs(%o : tensor<3x40xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<3x40xf32>
  return %r : tensor<3x40xf32>
}

// -----

// Scales that were repeated for the elements of a group and merged with the words of columns are read
// at positions, as normal form has them: the groups become a dimension.

#word = affine_map<(k, n, p) -> (k, n)>
#all = affine_map<(k, n, p) -> (k, n, p)>

// GROUPS-LABEL: func @repeated_scales
//  GROUPS-SAME:     %[[Q:[^:]*]]: tensor<64x5xi32>, %[[S:[^:]*]]: tensor<2x40xf32>
//   GROUPS-DAG:   %[[QE:.*]] = tensor.expand_shape %[[Q]] {{\[\[}}0, 1], [2]] output_shape [2, 32, 5]
//   GROUPS-DAG:   %[[SE:.*]] = tensor.expand_shape %[[S]] {{\[\[}}0], [1, 2]] output_shape [2, 5, 8]
//       GROUPS:   %[[D:.*]] = linalg.generic {{.*}} ins(%[[QE]], %[[SE]] : tensor<2x32x5xi32>, tensor<2x5x8xf32>)
//   GROUPS-NOT:     tensor.extract
//       GROUPS:   tensor.collapse_shape %[[D]] {{\[\[}}0, 1], [2], [3]] : tensor<2x32x5x8xf32> into tensor<64x5x8xf32>
func.func @repeated_scales(%q: tensor<64x5xi32>, %s: tensor<2x40xf32>, %e: tensor<64x5x8xf32>) -> tensor<64x5x8xf32> {
  %c4 = arith.constant 4 : i32
  %c15 = arith.constant 15 : i32
  %0 = linalg.generic {indexing_maps = [#word, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q : tensor<64x5xi32>) outs(%e : tensor<64x5x8xf32>) {
  ^bb0(%a: i32, %out: f32):
    %k = linalg.index 0 : index
    %n = linalg.index 1 : index
    %p = linalg.index 2 : index
    %group = affine.apply affine_map<()[s0] -> (s0 floordiv 32)>()[%k]
    %column = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 8)>()[%p, %n]
    %scale = tensor.extract %s[%group, %column] : tensor<2x40xf32>
    %i = arith.index_cast %p : index to i32
    %by = arith.muli %i, %c4 : i32
    %1 = arith.shrui %a, %by : i32
    %2 = arith.andi %1, %c15 : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %scale : f32
    linalg.yield %4 : f32
  } -> tensor<64x5x8xf32>
  return %0 : tensor<64x5x8xf32>
}

// -----

// Every other column, and groups of two sizes.

#word = affine_map<(k, n, p) -> (k, n)>
#all = affine_map<(k, n, p) -> (k, n, p)>

// GROUPS-LABEL: func @negative_positions
// GROUPS-COUNT-3: tensor.extract
func.func @negative_positions(%q: tensor<64x5xi32>, %s: tensor<2x40xf32>, %z: tensor<4x40xf32>, %t: tensor<2x80xf32>, %e: tensor<64x5x8xf32>) -> (tensor<64x5x8xf32>, tensor<64x5x8xf32>) {
  %c4 = arith.constant 4 : i32
  %0 = linalg.generic {indexing_maps = [#word, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q : tensor<64x5xi32>) outs(%e : tensor<64x5x8xf32>) {
  ^bb0(%a: i32, %out: f32):
    %k = linalg.index 0 : index
    %n = linalg.index 1 : index
    %p = linalg.index 2 : index
    %group = affine.apply affine_map<()[s0] -> (s0 floordiv 32)>()[%k]
    %column = affine.apply affine_map<()[s0, s1] -> (s0 * 2 + s1 * 16)>()[%p, %n]
    %scale = tensor.extract %t[%group, %column] : tensor<2x80xf32>
    %i = arith.index_cast %p : index to i32
    %by = arith.muli %i, %c4 : i32
    %1 = arith.shrui %a, %by : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<64x5x8xf32>
  %1 = linalg.generic {indexing_maps = [#word, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q : tensor<64x5xi32>) outs(%e : tensor<64x5x8xf32>) {
  ^bb0(%a: i32, %out: f32):
    %k = linalg.index 0 : index
    %n = linalg.index 1 : index
    %p = linalg.index 2 : index
    %group = affine.apply affine_map<()[s0] -> (s0 floordiv 32)>()[%k]
    %other = affine.apply affine_map<()[s0] -> (s0 floordiv 16)>()[%k]
    %column = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 8)>()[%p, %n]
    %scale = tensor.extract %s[%group, %column] : tensor<2x40xf32>
    %zero = tensor.extract %z[%other, %column] : tensor<4x40xf32>
    %i = arith.index_cast %p : index to i32
    %by = arith.muli %i, %c4 : i32
    %2 = arith.shrui %a, %by : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %scale : f32
    %5 = arith.subf %4, %zero : f32
    linalg.yield %5 : f32
  } -> tensor<64x5x8xf32>
  return %0, %1 : tensor<64x5x8xf32>, tensor<64x5x8xf32>
}
