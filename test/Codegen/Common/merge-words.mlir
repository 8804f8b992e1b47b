// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=merge-words --split-input-file | FileCheck %s

// Words have integers of eight columns: what is unpacked and scaled has the columns of the
// product, and reads the word of each.

#word = affine_map<(k, c, j) -> (k, c)>
#scale = affine_map<(k, c, j) -> (c, j)>
#part = affine_map<(k, c, j) -> (k, c, j)>

// CHECK-DAG: #[[WORD:.*]] = affine_map<(d0) -> (d0 floordiv 8)>
// CHECK-DAG: #[[AT:.*]] = affine_map<(d0) -> (d0 mod 8)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @columns
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<?x32xf16>, %[[W:[a-z0-9]*]]: tensor<32x4xi32>, %[[S:[a-z0-9]*]]: tensor<4x8xf16>
// CHECK:         %[[PARTS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} outs(%{{.*}} : tensor<32x32xi32>)
// CHECK-DAG:       %[[K:.*]] = linalg.index 0
// CHECK-DAG:       %[[N:.*]] = linalg.index 1
// CHECK-DAG:       %[[C:.*]] = affine.apply #[[WORD]](%[[N]])
// CHECK-DAG:       %[[J:.*]] = affine.apply #[[AT]](%[[N]])
// CHECK:           tensor.extract %[[W]][%[[K]], %[[C]]]
// CHECK:           arith.shrui
// CHECK:         %[[SCALES:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0, 1]]
// CHECK:         %[[F:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #[[COLUMN]], #{{.*}}], {{.*}}} ins(%[[PARTS]], %[[SCALES]] : tensor<32x32xi32>, tensor<32xf16>)
// CHECK:         linalg.matmul ins(%[[X]], %[[F]] :
func.func @columns(%x: tensor<?x32xf16>, %w: tensor<32x4xi32>, %s: tensor<4x8xf16>, %pe: tensor<32x4x8xi32>, %fe: tensor<32x4x8xf16>, %o: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %c4 = arith.constant 4 : i32
  %c15 = arith.constant 15 : i32
  %0 = linalg.generic {indexing_maps = [#word, #part], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<32x4xi32>) outs(%pe : tensor<32x4x8xi32>) {
  ^bb0(%a: i32, %u: i32):
    %j = linalg.index 2 : index
    %ji = arith.index_cast %j : index to i32
    %at = arith.muli %ji, %c4 : i32
    %b = arith.shrui %a, %at : i32
    %v = arith.andi %b, %c15 : i32
    linalg.yield %v : i32
  } -> tensor<32x4x8xi32>
  %1 = linalg.generic {indexing_maps = [#part, #scale, #part], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0, %s : tensor<32x4x8xi32>, tensor<4x8xf16>) outs(%fe : tensor<32x4x8xf16>) {
  ^bb0(%a: i32, %b: f16, %u: f16):
    %f = arith.sitofp %a : i32 to f16
    %v = arith.mulf %f, %b : f16
    linalg.yield %v : f16
  } -> tensor<32x4x8xf16>
  %2 = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<32x4x8xf16> into tensor<32x32xf16>
  %3 = linalg.matmul ins(%x, %2 : tensor<?x32xf16>, tensor<32x32xf16>) outs(%o : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %3 : tensor<?x32xf32>
}

// -----

// Words along the sum keep the position in them, and so do those that are no operand of a
// product.

#word = affine_map<(c, j, n) -> (c, n)>
#part = affine_map<(c, j, n) -> (c, j, n)>

// CHECK-LABEL: func @negative_sums
// CHECK-NOT:     tensor.extract
// CHECK:         tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<4x8x32xi8>
func.func @negative_sums(%x: tensor<?x32xi8>, %w: tensor<4x32xi32>, %pe: tensor<4x8x32xi8>, %o: tensor<?x32xi32>) -> tensor<?x32xi32> {
  %c4 = arith.constant 4 : i32
  %0 = linalg.generic {indexing_maps = [#word, #part], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<4x32xi32>) outs(%pe : tensor<4x8x32xi8>) {
  ^bb0(%a: i32, %u: i8):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i32
    %at = arith.muli %ji, %c4 : i32
    %b = arith.shrui %a, %at : i32
    %v = arith.trunci %b : i32 to i8
    linalg.yield %v : i8
  } -> tensor<4x8x32xi8>
  %2 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<4x8x32xi8> into tensor<32x32xi8>
  %3 = linalg.matmul ins(%x, %2 : tensor<?x32xi8>, tensor<32x32xi8>) outs(%o : tensor<?x32xi32>) -> tensor<?x32xi32>
  return %3 : tensor<?x32xi32>
}

// -----

#word = affine_map<(k, c, j) -> (k, c)>
#part = affine_map<(k, c, j) -> (k, c, j)>

// CHECK-LABEL: func @negative_result
// CHECK-NOT:     tensor.extract
// CHECK:         tensor.collapse_shape
func.func @negative_result(%w: tensor<32x4xi32>, %pe: tensor<32x4x8xi8>) -> tensor<32x32xi8> {
  %c4 = arith.constant 4 : i32
  %0 = linalg.generic {indexing_maps = [#word, #part], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<32x4xi32>) outs(%pe : tensor<32x4x8xi8>) {
  ^bb0(%a: i32, %u: i8):
    %j = linalg.index 2 : index
    %ji = arith.index_cast %j : index to i32
    %at = arith.muli %ji, %c4 : i32
    %b = arith.shrui %a, %at : i32
    %v = arith.trunci %b : i32 to i8
    linalg.yield %v : i8
  } -> tensor<32x4x8xi8>
  %2 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<32x4x8xi8> into tensor<32x32xi8>
  return %2 : tensor<32x32xi8>
}

// -----

#word = affine_map<(k, c, j) -> (k, c)>
#part = affine_map<(k, c, j) -> (k, c, j)>

// Attention has all columns of its values in one tile, and unpacks them as
// vectors.

// CHECK-LABEL: func @negative_values_of_attention
// CHECK-NOT:     tensor.extract
// CHECK:         tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<32x4x8xf16>
// CHECK:         linalg.matmul
func.func @negative_values_of_attention(%scores: tensor<?x32xf32>, %weights: tensor<?x32xf32>, %state: tensor<?xf32>, %pe: tensor<?x32xf16>, %w: tensor<32x4xi32>, %ue: tensor<32x4x8xf16>, %o: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %c4 = arith.constant 4 : i32
  %0 = linalg.generic {indexing_maps = [#word, #part], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<32x4xi32>) outs(%ue : tensor<32x4x8xf16>) {
  ^bb0(%a: i32, %u: f16):
    %j = linalg.index 2 : index
    %ji = arith.index_cast %j : index to i32
    %at = arith.muli %ji, %c4 : i32
    %b = arith.shrui %a, %at : i32
    %t = arith.trunci %b : i32 to i8
    %v = arith.sitofp %t : i8 to f16
    linalg.yield %v : f16
  } -> tensor<32x4x8xf16>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<32x4x8xf16> into tensor<32x32xf16>
  %2:4 = linalg_ext.softmax dimension(1) ins(%scores : tensor<?x32xf32>) outs(%weights, %state, %state, %state : tensor<?x32xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x32xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%2#0 : tensor<?x32xf32>) outs(%pe : tensor<?x32xf16>) {
  ^bb0(%a: f32, %u: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<?x32xf16>
  %4 = linalg.matmul ins(%3, %1 : tensor<?x32xf16>, tensor<32x32xf16>) outs(%o : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %4 : tensor<?x32xf32>
}

// -----

// Weights in the order of activations: a table names the scales of each element that is summed. The
// op that unpacks reads them, and 0 where there is no such row.

#awn = affine_map<(a, p, n) -> (a, p, n)>
#an = affine_map<(a, p, n) -> (a, n)>

// CHECK-DAG:   #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG:   #[[TABLE:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @order(
// CHECK-SAME:    %[[W:[a-z0-9]+]]: tensor<32x80xi32>, %[[S:[a-z0-9]+]]: tensor<4x1x80xf32>, %[[G:[a-z0-9]+]]: tensor<256xi64>
// CHECK-NOT:     paged_gather
// CHECK:         %[[ROWS:.*]] = tensor.expand_shape %[[G]] {{\[}}[0, 1]] output_shape [32, 8] : tensor<256xi64> into tensor<32x8xi64>
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #[[TABLE]], #[[ALL]]]
// CHECK-SAME:        ins(%[[W]], %[[ROWS]] : tensor<32x80xi32>, tensor<32x8xi64>)
// CHECK:         ^bb0(%{{.*}}: i32, %[[G:.*]]: i64, %{{.*}}: f32):
// CHECK:           %[[ROW:.*]] = arith.index_cast %[[G]] : i64 to index
// CHECK:           %[[IS:.*]] = arith.cmpi ult, %[[ROW]], %c4
// CHECK:           %[[AT:.*]] = arith.select %[[IS]], %[[ROW]], %c0
// CHECK:           %[[N:.*]] = linalg.index 2
// CHECK:           %[[E:.*]] = tensor.extract %[[S]][%[[AT]], %c0{{.*}}, %[[N]]]
// CHECK:           %[[SCALE:.*]] = arith.select %[[IS]], %[[E]], %cst
// CHECK:           arith.mulf %{{.*}}, %[[SCALE]]
func.func @order(%w: tensor<32x80xi32>, %s: tensor<4x1x80xf32>, %g: tensor<256xi64>) -> tensor<32x8x80xf32> {
  %e = tensor.empty() : tensor<256x80xf32>
  %r = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1] pool(%s : tensor<4x1x80xf32>) table(%g : tensor<256xi64>) outs(%e : tensor<256x80xf32>) -> tensor<256x80xf32>
  %x = tensor.expand_shape %r [[0, 1], [2]] output_shape [32, 8, 80] : tensor<256x80xf32> into tensor<32x8x80xf32>
  %ey = tensor.empty() : tensor<32x8x80xf32>
  %y = linalg.generic {indexing_maps = [#an, #awn, #awn], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %x : tensor<32x80xi32>, tensor<32x8x80xf32>) outs(%ey : tensor<32x8x80xf32>) {
  ^bb0(%a: i32, %b: f32, %o: f32):
    %c15 = arith.constant 15 : i32
    %0 = arith.andi %a, %c15 : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<32x8x80xf32>
  return %y : tensor<32x8x80xf32>
}

// -----

// Rows that are gathered about once each; an op that unpacks nothing; sequences with lengths.

#kn = affine_map<(k, n) -> (k, n)>

// CHECK-LABEL: func @negative_once(
// CHECK:         paged_gather
func.func @negative_once(%w: tensor<256x80xi32>, %s: tensor<200x1x80xf32>, %g: tensor<256xi64>) -> tensor<256x80xf32> {
  %e = tensor.empty() : tensor<256x80xf32>
  %r = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1] pool(%s : tensor<200x1x80xf32>) table(%g : tensor<256xi64>) outs(%e : tensor<256x80xf32>) -> tensor<256x80xf32>
  %y = linalg.generic {indexing_maps = [#kn, #kn, #kn], iterator_types = ["parallel", "parallel"]} ins(%w, %r : tensor<256x80xi32>, tensor<256x80xf32>) outs(%e : tensor<256x80xf32>) {
  ^bb0(%a: i32, %b: f32, %o: f32):
    %c15 = arith.constant 15 : i32
    %0 = arith.andi %a, %c15 : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<256x80xf32>
  return %y : tensor<256x80xf32>
}

// CHECK-LABEL: func @negative_not_unpacked(
// CHECK:         paged_gather
func.func @negative_not_unpacked(%w: tensor<256x80xf32>, %s: tensor<4x1x80xf32>, %g: tensor<256xi64>) -> tensor<256x80xf32> {
  %e = tensor.empty() : tensor<256x80xf32>
  %r = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1] pool(%s : tensor<4x1x80xf32>) table(%g : tensor<256xi64>) outs(%e : tensor<256x80xf32>) -> tensor<256x80xf32>
  %y = linalg.generic {indexing_maps = [#kn, #kn, #kn], iterator_types = ["parallel", "parallel"]} ins(%w, %r : tensor<256x80xf32>, tensor<256x80xf32>) outs(%e : tensor<256x80xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.mulf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<256x80xf32>
  return %y : tensor<256x80xf32>
}

// CHECK-LABEL: func @negative_lengths(
// CHECK:         paged_gather
func.func @negative_lengths(%w: tensor<256x80xi32>, %s: tensor<4x1x80xf32>, %g: tensor<256xi64>, %l: tensor<i64>) -> tensor<256x80xf32> {
  %e = tensor.empty() : tensor<256x80xf32>
  %r = linalg_ext.paged_gather sequence(0) batch [] pool_dims [-1, 0, 1] pool(%s : tensor<4x1x80xf32>) table(%g : tensor<256xi64>) lengths(%l : tensor<i64>) outs(%e : tensor<256x80xf32>) -> tensor<256x80xf32>
  %y = linalg.generic {indexing_maps = [#kn, #kn, #kn], iterator_types = ["parallel", "parallel"]} ins(%w, %r : tensor<256x80xi32>, tensor<256x80xf32>) outs(%e : tensor<256x80xf32>) {
  ^bb0(%a: i32, %b: f32, %o: f32):
    %c15 = arith.constant 15 : i32
    %0 = arith.andi %a, %c15 : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<256x80xf32>
  return %y : tensor<256x80xf32>
}

// -----

// Zero points of groups are packed along the columns, too. They are small, so that they are
// unpacked again where each is read.

#word = affine_map<(k, c, j) -> (k, c)>
#part = affine_map<(k, c, j) -> (k, c, j)>
#id = affine_map<(k, n) -> (k, n)>

// CHECK-LABEL: func @zero_points
// CHECK-SAME:    %{{[a-z0-9]*}}: tensor<?x32xf16>, %[[W:[a-z0-9]*]]: tensor<64x32xi32>, %[[Z:[a-z0-9]*]]: tensor<4x4xi32>
// CHECK:         linalg.generic {{.*}} ins(%[[W]] : tensor<64x32xi32>)
// CHECK:           tensor.extract %[[Z]][
// CHECK:           %[[ZERO:.*]] = arith.andi
// CHECK:           arith.subi %{{.*}}, %[[ZERO]]
// CHECK-NOT:     linalg.generic
// CHECK:         linalg.matmul
func.func @zero_points(%x: tensor<?x32xf16>, %w: tensor<64x32xi32>, %z: tensor<4x4xi32>, %e: tensor<64x32xf16>, %ze: tensor<4x4x8xi32>, %y: tensor<?x64xf16>, %o: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %c4 = arith.constant 4 : i32
  %c15 = arith.constant 15 : i32
  %0 = linalg.generic {indexing_maps = [#word, #part], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z : tensor<4x4xi32>) outs(%ze : tensor<4x4x8xi32>) {
  ^bb0(%a: i32, %u: i32):
    %j = linalg.index 2 : index
    %ji = arith.index_cast %j : index to i32
    %at = arith.muli %ji, %c4 : i32
    %b = arith.shrui %a, %at : i32
    %v = arith.andi %b, %c15 : i32
    linalg.yield %v : i32
  } -> tensor<4x4x8xi32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<4x4x8xi32> into tensor<4x32xi32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x32xi32>) outs(%e : tensor<64x32xf16>) {
  ^bb0(%a: i32, %u: f16):
    %k = linalg.index 0 : index
    %n = linalg.index 1 : index
    %g = affine.apply affine_map<(d0) -> (d0 floordiv 16)>(%k)
    %zero = tensor.extract %1[%g, %n] : tensor<4x32xi32>
    %d = arith.subi %a, %zero : i32
    %f = arith.sitofp %d : i32 to f16
    linalg.yield %f : f16
  } -> tensor<64x32xf16>
  %3 = linalg.matmul ins(%y, %2 : tensor<?x64xf16>, tensor<64x32xf16>) outs(%o : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %3 : tensor<?x32xf32>
}

// -----

// Zero points that are packed along groups of what is summed stay as they are.

#word = affine_map<(n, c, j) -> (n, c)>
#part = affine_map<(n, c, j) -> (n, c, j)>
#id = affine_map<(n, g, k) -> (n, g, k)>
#group = affine_map<(n, g, k) -> (n, g)>

// CHECK-LABEL: func @negative_groups
// CHECK-NOT:     tensor.extract
// CHECK:         tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<32x2x8xi32>
func.func @negative_groups(%w: tensor<32x16x4xi32>, %z: tensor<32x2xi32>, %e: tensor<32x16x4xf16>, %ze: tensor<32x2x8xi32>, %y: tensor<?x64xf16>, %o: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %c4 = arith.constant 4 : i32
  %0 = linalg.generic {indexing_maps = [#word, #part], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z : tensor<32x2xi32>) outs(%ze : tensor<32x2x8xi32>) {
  ^bb0(%a: i32, %u: i32):
    %j = linalg.index 2 : index
    %ji = arith.index_cast %j : index to i32
    %at = arith.muli %ji, %c4 : i32
    %b = arith.shrui %a, %at : i32
    linalg.yield %b : i32
  } -> tensor<32x2x8xi32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<32x2x8xi32> into tensor<32x16xi32>
  %2 = linalg.generic {indexing_maps = [#id, #group, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %1 : tensor<32x16x4xi32>, tensor<32x16xi32>) outs(%e : tensor<32x16x4xf16>) {
  ^bb0(%a: i32, %zero: i32, %u: f16):
    %d = arith.subi %a, %zero : i32
    %f = arith.sitofp %d : i32 to f16
    linalg.yield %f : f16
  } -> tensor<32x16x4xf16>
  %3 = tensor.collapse_shape %2 [[0], [1, 2]] : tensor<32x16x4xf16> into tensor<32x64xf16>
  %4 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%y, %3 : tensor<?x64xf16>, tensor<32x64xf16>) outs(%o : tensor<?x32xf32>) {
  ^bb0(%a: f16, %b: f16, %u: f32):
    %af = arith.extf %a : f16 to f32
    %bf = arith.extf %b : f16 to f32
    %p = arith.mulf %af, %bf : f32
    %q = arith.addf %u, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x32xf32>
  return %4 : tensor<?x32xf32>
}
