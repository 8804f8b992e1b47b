// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=unpack-elements --split-input-file | FileCheck %s

// Halves of a byte are stacked; other sizes are unknown.

#id = affine_map<(i, k) -> (i, k)>

// CHECK-DAG: #[[WORD:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-LABEL: func @stack_dynamic
//  CHECK-SAME:     (%[[W:[^:]*]]: tensor<?x?xi8>
//       CHECK:   linalg.generic {indexing_maps = [#[[WORD]], #[[ID]]]
//  CHECK-SAME:       ins(%[[W]] : tensor<?x?xi8>) outs(%{{.*}} : tensor<?x?x2xi8>)
//       CHECK:     %[[I:.*]] = linalg.index 2
//       CHECK:     %[[P:.*]] = arith.index_cast %[[I]] : index to i8
//       CHECK:     %[[S:.*]] = arith.muli %[[P]], %{{.*}} : i8
//       CHECK:     %[[X:.*]] = arith.shrui %{{.*}}, %[[S]] : i8
//       CHECK:     arith.andi %[[X]], %{{.*}} : i8
//   CHECK-NOT:   tensor.concat
func.func @stack_dynamic(%w: tensor<?x?xi8>, %e: tensor<?x?xi8>, %n: index, %k: index) -> tensor<?x?x2xi8> {
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<?x?xi8>) outs(%e : tensor<?x?xi8>) {
  ^bb0(%a: i8, %out: i8):
    %2 = arith.andi %a, %c15 : i8
    linalg.yield %2 : i8
  } -> tensor<?x?xi8>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<?x?xi8>) outs(%e : tensor<?x?xi8>) {
  ^bb0(%a: i8, %out: i8):
    %2 = arith.shrui %a, %c4 : i8
    linalg.yield %2 : i8
  } -> tensor<?x?xi8>
  %x = tensor.expand_shape %0 [[0], [1, 2]] output_shape [%n, %k, 1] : tensor<?x?xi8> into tensor<?x?x1xi8>
  %y = tensor.expand_shape %1 [[0], [1, 2]] output_shape [%n, %k, 1] : tensor<?x?xi8> into tensor<?x?x1xi8>
  %r = tensor.concat dim(2) %x, %y : (tensor<?x?x1xi8>, tensor<?x?x1xi8>) -> tensor<?x?x2xi8>
  return %r : tensor<?x?x2xi8>
}

// -----

// Signed halves, by shifts; the high one first, as rows; a number is added to both.

#id = affine_map<(i, k) -> (i, k)>

// CHECK-DAG: #[[WORD:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func @rows_signed
//       CHECK:   linalg.generic {indexing_maps = [#[[WORD]], #{{.*}}]
//  CHECK-SAME:       ins(%{{.*}} : tensor<8x?xi8>) outs(%{{.*}} : tensor<2x8x?xi32>)
//       CHECK:     linalg.index 0
//       CHECK:     arith.shrui
//       CHECK:     arith.andi
//       CHECK:     arith.xori
//       CHECK:     arith.subi
//       CHECK:     arith.addi
//       CHECK:   tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<2x8x?xi32> into tensor<16x?xi32>
func.func @rows_signed(%w: tensor<8x?xi8>, %e: tensor<8x?xi32>) -> tensor<16x?xi32> {
  %c4 = arith.constant 4 : i8
  %c7 = arith.constant 7 : i32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<8x?xi8>) outs(%e : tensor<8x?xi32>) {
  ^bb0(%a: i8, %out: i32):
    %2 = arith.shrsi %a, %c4 : i8
    %3 = arith.extsi %2 : i8 to i32
    %4 = arith.addi %3, %c7 : i32
    linalg.yield %4 : i32
  } -> tensor<8x?xi32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<8x?xi8>) outs(%e : tensor<8x?xi32>) {
  ^bb0(%a: i8, %out: i32):
    %2 = arith.shli %a, %c4 : i8
    %3 = arith.shrsi %2, %c4 : i8
    %4 = arith.extsi %3 : i8 to i32
    %5 = arith.addi %4, %c7 : i32
    linalg.yield %5 : i32
  } -> tensor<8x?xi32>
  %r = tensor.concat dim(0) %0, %1 : (tensor<8x?xi32>, tensor<8x?xi32>) -> tensor<16x?xi32>
  return %r : tensor<16x?xi32>
}

// -----

// Shifts by a constant tensor.

#word = affine_map<(i, j, k) -> (i, k)>
#shift = affine_map<(i, j, k) -> (j)>
#id = affine_map<(i, j, k) -> (i, j, k)>

// CHECK-LABEL: func @shifts
//       CHECK:   linalg.generic
//       CHECK:     %[[I:.*]] = linalg.index 1
//       CHECK:     %[[P:.*]] = arith.index_cast %[[I]] : index to i32
//       CHECK:     %[[S:.*]] = arith.muli %[[P]], %{{.*}} : i32
//       CHECK:     arith.shrsi %{{.*}}, %[[S]] : i32
func.func @shifts(%w: tensor<?x?xi32>, %e: tensor<?x8x?xi32>) -> tensor<?x8x?xi32> {
  %s = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %r = linalg.generic {indexing_maps = [#word, #shift, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<?x?xi32>, tensor<8xi32>) outs(%e : tensor<?x8x?xi32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %0 = arith.shrsi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<?x8x?xi32>
  return %r : tensor<?x8x?xi32>
}

// -----

// Parts of different widths, of different tensors, and what is no field of bits.

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func @negative_no_fields
// CHECK-COUNT-3: tensor.concat
func.func @negative_no_fields(%w: tensor<8xi8>, %v: tensor<8xi8>, %e: tensor<8xi8>)
    -> (tensor<16xi8>, tensor<16xi8>, tensor<16xi8>) {
  %c4 = arith.constant 4 : i8
  %c7 = arith.constant 7 : i8
  %c15 = arith.constant 15 : i8
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%w : tensor<8xi8>) outs(%e : tensor<8xi8>) {
  ^bb0(%a: i8, %out: i8):
    %6 = arith.andi %a, %c7 : i8
    linalg.yield %6 : i8
  } -> tensor<8xi8>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%w : tensor<8xi8>) outs(%e : tensor<8xi8>) {
  ^bb0(%a: i8, %out: i8):
    %6 = arith.shrui %a, %c4 : i8
    linalg.yield %6 : i8
  } -> tensor<8xi8>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%v : tensor<8xi8>) outs(%e : tensor<8xi8>) {
  ^bb0(%a: i8, %out: i8):
    %6 = arith.andi %a, %c15 : i8
    linalg.yield %6 : i8
  } -> tensor<8xi8>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%w : tensor<8xi8>) outs(%e : tensor<8xi8>) {
  ^bb0(%a: i8, %out: i8):
    %6 = arith.muli %a, %c15 : i8
    linalg.yield %6 : i8
  } -> tensor<8xi8>
  %r = tensor.concat dim(0) %0, %1 : (tensor<8xi8>, tensor<8xi8>) -> tensor<16xi8>
  %s = tensor.concat dim(0) %2, %1 : (tensor<8xi8>, tensor<8xi8>) -> tensor<16xi8>
  %t = tensor.concat dim(0) %3, %1 : (tensor<8xi8>, tensor<8xi8>) -> tensor<16xi8>
  return %r, %s, %t : tensor<16xi8>, tensor<16xi8>, tensor<16xi8>
}

// -----

// Numbers are looked up for both halves before they are stacked: an op whose payload is no chain.

#id = affine_map<(i, k) -> (i, k)>

// CHECK-LABEL: func @stack_of_looked_up
//  CHECK-SAME:     %[[W:[^:]*]]: tensor<?x4xi8>
//       CHECK:   linalg.generic {{.*}} ins(%[[W]] : tensor<?x4xi8>) outs(%{{.*}} : tensor<?x4x2xf32>)
//       CHECK:     linalg.index 2
//       CHECK:     %[[F:.*]] = arith.andi
//       CHECK:     %[[C:.*]] = arith.cmpi sgt, %[[F]], %{{.*}} : i8
//       CHECK:     %[[S:.*]] = arith.sitofp %[[F]] : i8 to f32
//       CHECK:     arith.select %[[C]], %[[S]]
//   CHECK-NOT:   tensor.concat
func.func @stack_of_looked_up(%w: tensor<?x4xi8>, %e: tensor<?x4xi8>, %f: tensor<?x4xf32>) -> tensor<?x4x2xf32> {
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %c7 = arith.constant 7 : i8
  %one = arith.constant 1.0 : f32
  %lo = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<?x4xi8>) outs(%e : tensor<?x4xi8>) {
  ^bb0(%a: i8, %o: i8):
    %r = arith.andi %a, %c15 : i8
    linalg.yield %r : i8
  } -> tensor<?x4xi8>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%lo : tensor<?x4xi8>) outs(%f : tensor<?x4xf32>) {
  ^bb0(%a: i8, %o: f32):
    %c = arith.cmpi sgt, %a, %c7 : i8
    %n = arith.sitofp %a : i8 to f32
    %r = arith.select %c, %n, %one : f32
    linalg.yield %r : f32
  } -> tensor<?x4xf32>
  %hi = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<?x4xi8>) outs(%e : tensor<?x4xi8>) {
  ^bb0(%a: i8, %o: i8):
    %r = arith.shrui %a, %c4 : i8
    linalg.yield %r : i8
  } -> tensor<?x4xi8>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%hi : tensor<?x4xi8>) outs(%f : tensor<?x4xf32>) {
  ^bb0(%a: i8, %o: f32):
    %c = arith.cmpi sgt, %a, %c7 : i8
    %n = arith.sitofp %a : i8 to f32
    %r = arith.select %c, %n, %one : f32
    linalg.yield %r : f32
  } -> tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %w, %c0 : tensor<?x4xi8>
  %x1 = tensor.expand_shape %x [[0], [1, 2]] output_shape [%d, 4, 1] : tensor<?x4xf32> into tensor<?x4x1xf32>
  %y1 = tensor.expand_shape %y [[0], [1, 2]] output_shape [%d, 4, 1] : tensor<?x4xf32> into tensor<?x4x1xf32>
  %z = tensor.concat dim(2) %x1, %y1 : (tensor<?x4x1xf32>, tensor<?x4x1xf32>) -> tensor<?x4x2xf32>
  return %z : tensor<?x4x2xf32>
}

// -----

// Different numbers are looked up for both halves.

#id = affine_map<(i, k) -> (i, k)>

// CHECK-LABEL: func @negative_looked_up_apart
//       CHECK:   tensor.concat
func.func @negative_looked_up_apart(%w: tensor<8x4xi8>, %e: tensor<8x4xf32>) -> tensor<8x8xf32> {
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %c7 = arith.constant 7 : i8
  %c8 = arith.constant 8 : i8
  %one = arith.constant 1.0 : f32
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<8x4xi8>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: i8, %o: f32):
    %l = arith.andi %a, %c15 : i8
    %c = arith.cmpi sgt, %l, %c7 : i8
    %n = arith.sitofp %l : i8 to f32
    %r = arith.select %c, %n, %one : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<8x4xi8>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: i8, %o: f32):
    %l = arith.shrui %a, %c4 : i8
    %c = arith.cmpi sgt, %l, %c8 : i8
    %n = arith.sitofp %l : i8 to f32
    %r = arith.select %c, %n, %one : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %z = tensor.concat dim(1) %x, %y : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  return %z : tensor<8x8xf32>
}

// -----

// Columns of words of two parts, in the order 1 0 3 2 5 4: parts are exchanged before they are merged.

// CHECK-DAG: #[[PART:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-LABEL: func @order_of_parts
//  CHECK-SAME:     %[[X:[^:]*]]: tensor<5x3x2xi8>
//       CHECK:   %[[O:.*]] = arith.constant dense<[1, 0]> : tensor<2xi64>
//       CHECK:   %[[R:.*]] = linalg.generic {indexing_maps = [{{.*}}, #[[PART]], {{.*}}ins(%{{.*}}, %[[O]] : tensor<3x2xi32>, tensor<2xi64>) outs(%{{.*}} : tensor<5x3x2xi8>)
//       CHECK:   ^bb0(%{{.*}}: i32, %[[P:.*]]: i64,
//       CHECK:     %[[I:.*]] = linalg.index 0
//       CHECK:     %[[J:.*]] = linalg.index 1
//       CHECK:     %[[K:.*]] = arith.index_cast %[[P]] : i64 to index
//       CHECK:     tensor.extract %[[X]][%[[I]], %[[J]], %[[K]]] : tensor<5x3x2xi8>
//       CHECK:   tensor.collapse_shape %[[R]] {{\[\[}}0], [1, 2]] : tensor<5x3x2xi8> into tensor<5x6xi8>
func.func @order_of_parts(%x: tensor<5x3x2xi8>, %e: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %order = arith.constant dense<[1, 0, 3, 2, 5, 4]> : tensor<6xi32>
  %m = tensor.collapse_shape %x [[0], [1, 2]] : tensor<5x3x2xi8> into tensor<5x6xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, n) -> (n)>, affine_map<(i, n) -> (i, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%order : tensor<6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%a: i32, %o: i8):
    %i = linalg.index 0 : index
    %n = arith.index_cast %a : i32 to index
    %v = tensor.extract %m[%i, %n] : tensor<5x6xi8>
    linalg.yield %v : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// -----

// Orders that leave a word, or differ between words, and one that is not known.

// CHECK-LABEL: func @negative_order
// CHECK-COUNT-3: tensor.extract %{{.*}} : tensor<5x6xi8>
func.func @negative_order(%x: tensor<5x3x2xi8>, %some: tensor<6xi32>, %e: tensor<5x6xi8>) -> (tensor<5x6xi8>, tensor<5x6xi8>, tensor<5x6xi8>) {
  %leaves = arith.constant dense<[1, 2, 3, 0, 5, 4]> : tensor<6xi32>
  %differs = arith.constant dense<[1, 0, 2, 3, 5, 4]> : tensor<6xi32>
  %m = tensor.collapse_shape %x [[0], [1, 2]] : tensor<5x3x2xi8> into tensor<5x6xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, n) -> (n)>, affine_map<(i, n) -> (i, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%leaves : tensor<6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%a: i32, %o: i8):
    %i = linalg.index 0 : index
    %n = arith.index_cast %a : i32 to index
    %v = tensor.extract %m[%i, %n] : tensor<5x6xi8>
    linalg.yield %v : i8
  } -> tensor<5x6xi8>
  %s = linalg.generic {indexing_maps = [affine_map<(i, n) -> (n)>, affine_map<(i, n) -> (i, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%differs : tensor<6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%a: i32, %o: i8):
    %i = linalg.index 0 : index
    %n = arith.index_cast %a : i32 to index
    %v = tensor.extract %m[%i, %n] : tensor<5x6xi8>
    linalg.yield %v : i8
  } -> tensor<5x6xi8>
  %t = linalg.generic {indexing_maps = [affine_map<(i, n) -> (n)>, affine_map<(i, n) -> (i, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%some : tensor<6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%a: i32, %o: i8):
    %i = linalg.index 0 : index
    %n = arith.index_cast %a : i32 to index
    %v = tensor.extract %m[%i, %n] : tensor<5x6xi8>
    linalg.yield %v : i8
  } -> tensor<5x6xi8>
  return %r, %s, %t : tensor<5x6xi8>, tensor<5x6xi8>, tensor<5x6xi8>
}

// -----

// The type of the result, or of an operand, does not say how many columns there are.

// CHECK-LABEL: func @negative_order_dynamic
// CHECK-COUNT-2: tensor.extract %{{.*}} : tensor<5x6xi8>
func.func @negative_order_dynamic(%x: tensor<5x3x2xi8>, %some: tensor<?xi8>, %e: tensor<5x6xi8>, %f: tensor<5x?xi8>) -> (tensor<5x?xi8>, tensor<5x6xi8>) {
  %order = arith.constant dense<[1, 0, 3, 2, 5, 4]> : tensor<6xi32>
  %m = tensor.collapse_shape %x [[0], [1, 2]] : tensor<5x3x2xi8> into tensor<5x6xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, n) -> (n)>, affine_map<(i, n) -> (i, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%order : tensor<6xi32>) outs(%f : tensor<5x?xi8>) {
  ^bb0(%a: i32, %o: i8):
    %i = linalg.index 0 : index
    %n = arith.index_cast %a : i32 to index
    %v = tensor.extract %m[%i, %n] : tensor<5x6xi8>
    linalg.yield %v : i8
  } -> tensor<5x?xi8>
  %s = linalg.generic {indexing_maps = [affine_map<(i, n) -> (n)>, affine_map<(i, n) -> (n)>, affine_map<(i, n) -> (i, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%order, %some : tensor<6xi32>, tensor<?xi8>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%a: i32, %b: i8, %o: i8):
    %i = linalg.index 0 : index
    %n = arith.index_cast %a : i32 to index
    %v = tensor.extract %m[%i, %n] : tensor<5x6xi8>
    %w = arith.addi %v, %b : i8
    linalg.yield %w : i8
  } -> tensor<5x6xi8>
  return %r, %s : tensor<5x?xi8>, tensor<5x6xi8>
}
