// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s

// A maximum of positions is less than a number if both operands are. The number may be on
// either side, and the maximum may be widened.

#m = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @maximum
// CHECK:       %[[A:.*]] = arith.subi
// CHECK:       %[[B:.*]] = arith.subi
// CHECK-DAG:   %[[C:.*]] = arith.cmpi slt, %[[A]], %c5
// CHECK-DAG:   %[[D:.*]] = arith.cmpi slt, %[[B]], %c5
// CHECK:       arith.andi %[[C]], %[[D]]
func.func @maximum(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.subi %i, %j : index
    %q = arith.subi %j, %i : index
    %d = arith.maxsi %p, %q : index
    %c = arith.cmpi slt, %d, %c5 : index
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// What is far away is hidden: one of both is greater.

#m = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @far
// CHECK-NOT:   math.absi
// CHECK:       %[[A:.*]] = arith.subi
// CHECK:       %[[B:.*]] = arith.subi
// CHECK:       %[[WIDE_A:.*]] = arith.extsi %[[A]] : i32 to i64
// CHECK:       %[[C:.*]] = arith.cmpi sgt, %[[WIDE_A]], %c5_i64
// CHECK:       %[[WIDE_B:.*]] = arith.extsi %[[B]] : i32 to i64
// CHECK:       %[[D:.*]] = arith.cmpi sgt, %[[WIDE_B]], %c5_i64
// CHECK:       arith.ori %[[C]], %[[D]]
func.func @far(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %c5 = arith.constant 5 : i64
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.index_cast %i : index to i32
    %jn = arith.index_cast %j : index to i32
    %p = arith.subi %in, %jn : i32
    %d = math.absi %p : i32
    %w = arith.extsi %d : i32 to i64
    %c = arith.cmpi slt, %c5, %w : i64
    %s = arith.select %c, %zero, %a : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// A minimum is less than a number if one operand is. The smaller one of two numbers is
// selected, and a distance by its sign.

#m = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @selections
// CHECK-NOT:   arith.select {{.*}} : index
// CHECK:       arith.ori
// CHECK-NOT:   arith.select {{.*}} : index
// CHECK-COUNT-2: arith.andi
func.func @selections(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant -1 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %less = arith.cmpi slt, %i, %j : index
    %min = arith.select %less, %i, %j : index
    %c = arith.cmpi slt, %min, %c7 : index
    %p = arith.subi %i, %j : index
    %n = arith.subi %c0, %p : index
    %isPast = arith.cmpi sgt, %p, %c1 : index
    %d = arith.select %isPast, %p, %n : index
    %f = arith.cmpi sle, %d, %c5 : index
    %k = arith.andi %c, %f : i1
    %s = arith.select %k, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// Numbers that are no positions; selections by another condition, one of which compares
// numbers whose difference may wrap around; and unsigned numbers, of which a distance of
// 2^31 would be one.

#m = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @negative_others
// CHECK:       arith.maxsi
// CHECK:       arith.select {{.*}} : index
// CHECK:       arith.select {{.*}} : i32
// CHECK:       math.absi
func.func @negative_others(%x: tensor<8x9xi32>, %b: index, %n: i32) -> tensor<8x9xi1> {
  %c5 = arith.constant 5 : i32
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8x9xi1>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xi32>) outs(%e : tensor<8x9xi1>) {
  ^bb0(%a: i32, %o: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %max = arith.maxsi %a, %n : i32
    %c = arith.cmpi slt, %max, %c5 : i32
    %p = arith.subi %i, %j : index
    %q = arith.subi %j, %i : index
    %isFirst = arith.cmpi sgt, %i, %c4 : index
    %d = arith.select %isFirst, %p, %q : index
    %f = arith.cmpi slt, %d, %b : index
    %in = arith.index_cast %i : index to i32
    %r = arith.subi %in, %n : i32
    %back = arith.subi %n, %in : i32
    %isBehind = arith.cmpi sgt, %in, %n : i32
    %g = arith.select %isBehind, %r, %back : i32
    %h = arith.cmpi slt, %g, %c5 : i32
    %s = math.absi %r : i32
    %t = arith.cmpi ult, %s, %c5 : i32
    %u = arith.andi %c, %f : i1
    %w = arith.andi %u, %h : i1
    %v = arith.andi %w, %t : i1
    linalg.yield %v : i1
  } -> tensor<8x9xi1>
  return %y : tensor<8x9xi1>
}

// -----

// Positions that are compared with shifted ones: their distance is compared, from the first
// dimension to the last one.

#m = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @shifted
// CHECK:       %[[I:.*]] = arith.index_cast
// CHECK:       %[[J:.*]] = arith.index_cast
// CHECK-NOT:   arith.addi
// CHECK-DAG:   %[[A:.*]] = arith.subi %[[I]], %[[J]]
// CHECK-DAG:   %[[B:.*]] = arith.cmpi slt, %[[A]], %c5_i64
// CHECK-DAG:   %[[D:.*]] = arith.cmpi sge, %[[A]], %c-2_i64
// CHECK:       arith.andi %[[B]], %[[D]]
func.func @shifted(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %c5 = arith.constant 5 : i64
  %c2 = arith.constant 2 : i64
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.index_cast %i : index to i64
    %jn = arith.index_cast %j : index to i64
    %start = arith.subi %in, %c5 : i64
    %near = arith.cmpi sgt, %jn, %start : i64
    %end = arith.addi %in, %c2 : i64
    %notFar = arith.cmpi sle, %jn, %end : i64
    %c = arith.andi %near, %notFar : i1
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// Positions alone, and a number that is none.

#m = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @negative_not_shifted
// CHECK-NOT:   arith.subi
// CHECK:       arith.cmpi sle
// CHECK:       arith.addi
// CHECK:       arith.cmpi slt
func.func @negative_not_shifted(%x: tensor<8x9xf32>, %n: index) -> tensor<8x9xf32> {
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %past = arith.cmpi sle, %j, %i : index
    %end = arith.addi %i, %c5 : index
    %inside = arith.cmpi slt, %end, %n : index
    %c = arith.andi %past, %inside : i1
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}

// -----

// The sum of two shifts may not fit i8.

#m = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func @negative_narrow
// CHECK:       arith.addi
// CHECK:       arith.addi
// CHECK:       arith.cmpi slt
func.func @negative_narrow(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %c100 = arith.constant 100 : i8
  %less = arith.constant -100 : i8
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x9xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x9xf32>) outs(%e : tensor<8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.index_cast %i : index to i8
    %column = arith.index_cast %j : index to i8
    %end = arith.addi %row, %c100 : i8
    %begin = arith.addi %column, %less : i8
    %c = arith.cmpi slt, %begin, %end : i8
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}
