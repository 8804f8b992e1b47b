// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s

// Each row sees its first key.

// CHECK-LABEL: func @causal
// CHECK-NOT:   constant -3.4
// CHECK:       %[[INF:.+]] = arith.constant 0xFF800000 : f32
// CHECK-NOT:   constant -3.4
// CHECK:       arith.select %{{.+}}, %{{.+}}, %[[INF]]
// CHECK:       linalg_ext.softmax
func.func @causal(%q: tensor<?x8xf32>, %k: tensor<8x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -3.40282347E+38 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = linalg.matmul ins(%q, %k : tensor<?x8xf32>, tensor<8x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = arith.cmpi sle, %j, %i : index
    %r = arith.select %v, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %w = linalg.softmax dimension(1) ins(%m : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %w : tensor<?x?xf32>
}

// -----

// A number that is added, and a window: each row sees the key on the diagonal.

// CHECK-LABEL: func @window_added
// CHECK-NOT:   constant -1.0
// CHECK:       linalg_ext.softmax
func.func @window_added(%q: tensor<40x8xf32>, %k: tensor<8x48xf32>) -> tensor<40x48xf32> {
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4 : index
  %low = arith.constant -1.0E+9 : f32
  %e = tensor.empty() : tensor<40x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x48xf32>) outs(%f : tensor<40x48xf32>) -> tensor<40x48xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %d = arith.subi %i, %j : index
    %v = arith.cmpi sle, %j, %i : index
    %n = arith.cmpi slt, %d, %four : index
    %b = arith.andi %v, %n : i1
    %t = arith.select %b, %zero, %low : f32
    %r = arith.addf %a, %t : f32
    linalg.yield %r : f32
  } -> tensor<40x48xf32>
  %w = linalg.softmax dimension(1) ins(%m : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  return %w : tensor<40x48xf32>
}

// -----

// The first row sees no key: its weights are equal.

// CHECK-LABEL: func @negative_strict
// CHECK:       %[[LOW:.+]] = arith.constant -3.40282347E+38 : f32
// CHECK:       arith.select %{{.+}}, %{{.+}}, %[[LOW]]
func.func @negative_strict(%q: tensor<40x8xf32>, %k: tensor<8x48xf32>) -> tensor<40x48xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -3.40282347E+38 : f32
  %e = tensor.empty() : tensor<40x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x48xf32>) outs(%f : tensor<40x48xf32>) -> tensor<40x48xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = arith.cmpi slt, %j, %i : index
    %r = arith.select %v, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<40x48xf32>
  %w = linalg.softmax dimension(1) ins(%m : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  return %w : tensor<40x48xf32>
}

// -----

// Each mask leaves a key, but not both of them the same.

// CHECK-LABEL: func @negative_two_masks
// CHECK:       arith.constant -3.40282347E+38 : f32
func.func @negative_two_masks(%q: tensor<40x8xf32>, %k: tensor<8x48xf32>) -> tensor<40x48xf32> {
  %zero = arith.constant 0.0 : f32
  %five = arith.constant 5 : index
  %low = arith.constant -3.40282347E+38 : f32
  %e = tensor.empty() : tensor<40x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x48xf32>) outs(%f : tensor<40x48xf32>) -> tensor<40x48xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = arith.cmpi sle, %j, %i : index
    %n = arith.cmpi sge, %j, %five : index
    %r = arith.select %v, %a, %low : f32
    %t = arith.select %n, %r, %low : f32
    linalg.yield %t : f32
  } -> tensor<40x48xf32>
  %w = linalg.softmax dimension(1) ins(%m : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  return %w : tensor<40x48xf32>
}

// -----

// The bias may hide all keys that the other mask leaves.

// CHECK-LABEL: func @negative_bias
// CHECK:       arith.constant -3.40282347E+38 : f32
func.func @negative_bias(%q: tensor<40x8xf32>, %k: tensor<8x48xf32>, %bias: tensor<40x48xf32>) -> tensor<40x48xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -3.40282347E+38 : f32
  %e = tensor.empty() : tensor<40x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x48xf32>) outs(%f : tensor<40x48xf32>) -> tensor<40x48xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s, %bias : tensor<40x48xf32>, tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = arith.cmpi sle, %j, %i : index
    %c = arith.addf %a, %b : f32
    %r = arith.select %v, %c, %low : f32
    linalg.yield %r : f32
  } -> tensor<40x48xf32>
  %w = linalg.softmax dimension(1) ins(%m : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  return %w : tensor<40x48xf32>
}

// -----

// Positions from 128 on are negative in 8 bits: their rows see no key.

// CHECK-LABEL: func @negative_narrow_positions
// CHECK:       arith.constant -1.0{{.*}} : f32
func.func @negative_narrow_positions(%q: tensor<200x8xf32>, %k: tensor<8x24xf32>) -> tensor<200x24xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0E+9 : f32
  %e = tensor.empty() : tensor<200x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<200x24xf32>) -> tensor<200x24xf32>
  %s = linalg.matmul ins(%q, %k : tensor<200x8xf32>, tensor<8x24xf32>) outs(%f : tensor<200x24xf32>) -> tensor<200x24xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<200x24xf32>) outs(%e : tensor<200x24xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %i8 = arith.index_cast %i : index to i8
    %c0 = arith.constant 0 : i8
    %v = arith.cmpi sge, %i8, %c0 : i8
    %r = arith.select %v, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<200x24xf32>
  %w = linalg.softmax dimension(1) ins(%m : tensor<200x24xf32>) outs(%e : tensor<200x24xf32>) -> tensor<200x24xf32>
  return %w : tensor<200x24xf32>
}

// -----

// A negative distance is a large number without a sign: rows behind the last key see none.

// CHECK-LABEL: func @negative_unsigned_cast
// CHECK:       arith.constant -1.0{{.*}} : f32
func.func @negative_unsigned_cast(%q: tensor<40x8xf32>, %k: tensor<8x24xf32>) -> tensor<40x24xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0E+9 : f32
  %e = tensor.empty() : tensor<40x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x24xf32>) -> tensor<40x24xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x24xf32>) outs(%f : tensor<40x24xf32>) -> tensor<40x24xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<40x24xf32>) outs(%e : tensor<40x24xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %i3 = arith.index_cast %i : index to i32
    %j3 = arith.index_cast %j : index to i32
    %d = arith.subi %j3, %i3 : i32
    %x = arith.index_castui %d : i32 to index
    %c4 = arith.constant 4 : index
    %v = arith.cmpi slt, %x, %c4 : index
    %r = arith.select %v, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<40x24xf32>
  %w = linalg.softmax dimension(1) ins(%m : tensor<40x24xf32>) outs(%e : tensor<40x24xf32>) -> tensor<40x24xf32>
  return %w : tensor<40x24xf32>
}

// -----

// The sum is negative from the second row on.

// CHECK-LABEL: func @negative_wrapped
// CHECK:       arith.constant -1.0{{.*}} : f32
func.func @negative_wrapped(%q: tensor<40x8xf32>, %k: tensor<8x24xf32>) -> tensor<40x24xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0E+9 : f32
  %e = tensor.empty() : tensor<40x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x24xf32>) -> tensor<40x24xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x24xf32>) outs(%f : tensor<40x24xf32>) -> tensor<40x24xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<40x24xf32>) outs(%e : tensor<40x24xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %i3 = arith.index_cast %i : index to i32
    %j3 = arith.index_cast %j : index to i32
    %most = arith.constant 2147483647 : i32
    %d = arith.addi %i3, %most : i32
    %v = arith.cmpi sge, %d, %j3 : i32
    %r = arith.select %v, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<40x24xf32>
  %w = linalg.softmax dimension(1) ins(%m : tensor<40x24xf32>) outs(%e : tensor<40x24xf32>) -> tensor<40x24xf32>
  return %w : tensor<40x24xf32>
}

// -----

// What the product starts from may hide all keys that the mask leaves.

// CHECK-LABEL: func @negative_init
// CHECK:       arith.constant -1.0{{.*}} : f32
func.func @negative_init(%q: tensor<40x8xf32>, %k: tensor<8x40xf32>, %bias: tensor<40x40xf32>) -> tensor<40x40xf32> {
  %low = arith.constant -1.0E+9 : f32
  %e = tensor.empty() : tensor<40x40xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x40xf32>) outs(%bias : tensor<40x40xf32>) -> tensor<40x40xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<40x40xf32>) outs(%e : tensor<40x40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = arith.cmpi sle, %j, %i : index
    %r = arith.select %v, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<40x40xf32>
  %w = linalg.softmax dimension(1) ins(%m : tensor<40x40xf32>) outs(%e : tensor<40x40xf32>) -> tensor<40x40xf32>
  return %w : tensor<40x40xf32>
}

// -----

// A condition whose parts are shared has more paths than can be looked at.

// CHECK-LABEL: func @negative_many_paths
// CHECK:       arith.constant -1.0{{.*}} : f32
func.func @negative_many_paths(%q: tensor<40x8xf32>, %k: tensor<8x24xf32>) -> tensor<40x24xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0E+9 : f32
  %e = tensor.empty() : tensor<40x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x24xf32>) -> tensor<40x24xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x24xf32>) outs(%f : tensor<40x24xf32>) -> tensor<40x24xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<40x24xf32>) outs(%e : tensor<40x24xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x0 = arith.cmpi sge, %i, %j : index
    %y0 = arith.cmpi sge, %j, %i : index
    %x1 = arith.ori %x0, %y0 : i1
    %y1 = arith.andi %x0, %y0 : i1
    %x2 = arith.ori %x1, %y1 : i1
    %y2 = arith.andi %x1, %y1 : i1
    %x3 = arith.ori %x2, %y2 : i1
    %y3 = arith.andi %x2, %y2 : i1
    %x4 = arith.ori %x3, %y3 : i1
    %y4 = arith.andi %x3, %y3 : i1
    %x5 = arith.ori %x4, %y4 : i1
    %y5 = arith.andi %x4, %y4 : i1
    %x6 = arith.ori %x5, %y5 : i1
    %y6 = arith.andi %x5, %y5 : i1
    %x7 = arith.ori %x6, %y6 : i1
    %y7 = arith.andi %x6, %y6 : i1
    %x8 = arith.ori %x7, %y7 : i1
    %y8 = arith.andi %x7, %y7 : i1
    %x9 = arith.ori %x8, %y8 : i1
    %y9 = arith.andi %x8, %y8 : i1
    %x10 = arith.ori %x9, %y9 : i1
    %y10 = arith.andi %x9, %y9 : i1
    %x11 = arith.ori %x10, %y10 : i1
    %y11 = arith.andi %x10, %y10 : i1
    %x12 = arith.ori %x11, %y11 : i1
    %y12 = arith.andi %x11, %y11 : i1
    %x13 = arith.ori %x12, %y12 : i1
    %y13 = arith.andi %x12, %y12 : i1
    %x14 = arith.ori %x13, %y13 : i1
    %y14 = arith.andi %x13, %y13 : i1
    %x15 = arith.ori %x14, %y14 : i1
    %y15 = arith.andi %x14, %y14 : i1
    %x16 = arith.ori %x15, %y15 : i1
    %y16 = arith.andi %x15, %y15 : i1
    %x17 = arith.ori %x16, %y16 : i1
    %y17 = arith.andi %x16, %y16 : i1
    %x18 = arith.ori %x17, %y17 : i1
    %y18 = arith.andi %x17, %y17 : i1
    %x19 = arith.ori %x18, %y18 : i1
    %y19 = arith.andi %x18, %y18 : i1
    %x20 = arith.ori %x19, %y19 : i1
    %y20 = arith.andi %x19, %y19 : i1
    %x21 = arith.ori %x20, %y20 : i1
    %y21 = arith.andi %x20, %y20 : i1
    %x22 = arith.ori %x21, %y21 : i1
    %y22 = arith.andi %x21, %y21 : i1
    %x23 = arith.ori %x22, %y22 : i1
    %y23 = arith.andi %x22, %y22 : i1
    %x24 = arith.ori %x23, %y23 : i1
    %y24 = arith.andi %x23, %y23 : i1
    %x25 = arith.ori %x24, %y24 : i1
    %y25 = arith.andi %x24, %y24 : i1
    %x26 = arith.ori %x25, %y25 : i1
    %y26 = arith.andi %x25, %y25 : i1
    %x27 = arith.ori %x26, %y26 : i1
    %y27 = arith.andi %x26, %y26 : i1
    %x28 = arith.ori %x27, %y27 : i1
    %y28 = arith.andi %x27, %y27 : i1
    %x29 = arith.ori %x28, %y28 : i1
    %y29 = arith.andi %x28, %y28 : i1
    %x30 = arith.ori %x29, %y29 : i1
    %y30 = arith.andi %x29, %y29 : i1
    %x31 = arith.ori %x30, %y30 : i1
    %y31 = arith.andi %x30, %y30 : i1
    %x32 = arith.ori %x31, %y31 : i1
    %y32 = arith.andi %x31, %y31 : i1
    %x33 = arith.ori %x32, %y32 : i1
    %y33 = arith.andi %x32, %y32 : i1
    %x34 = arith.ori %x33, %y33 : i1
    %y34 = arith.andi %x33, %y33 : i1
    %x35 = arith.ori %x34, %y34 : i1
    %y35 = arith.andi %x34, %y34 : i1
    %x36 = arith.ori %x35, %y35 : i1
    %y36 = arith.andi %x35, %y35 : i1
    %x37 = arith.ori %x36, %y36 : i1
    %y37 = arith.andi %x36, %y36 : i1
    %x38 = arith.ori %x37, %y37 : i1
    %y38 = arith.andi %x37, %y37 : i1
    %x39 = arith.ori %x38, %y38 : i1
    %y39 = arith.andi %x38, %y38 : i1
    %x40 = arith.ori %x39, %y39 : i1
    %y40 = arith.andi %x39, %y39 : i1
    %x41 = arith.ori %x40, %y40 : i1
    %y41 = arith.andi %x40, %y40 : i1
    %x42 = arith.ori %x41, %y41 : i1
    %y42 = arith.andi %x41, %y41 : i1
    %x43 = arith.ori %x42, %y42 : i1
    %y43 = arith.andi %x42, %y42 : i1
    %x44 = arith.ori %x43, %y43 : i1
    %y44 = arith.andi %x43, %y43 : i1
    %x45 = arith.ori %x44, %y44 : i1
    %y45 = arith.andi %x44, %y44 : i1
    %x46 = arith.ori %x45, %y45 : i1
    %y46 = arith.andi %x45, %y45 : i1
    %x47 = arith.ori %x46, %y46 : i1
    %y47 = arith.andi %x46, %y46 : i1
    %x48 = arith.ori %x47, %y47 : i1
    %y48 = arith.andi %x47, %y47 : i1
    %x49 = arith.ori %x48, %y48 : i1
    %y49 = arith.andi %x48, %y48 : i1
    %x50 = arith.ori %x49, %y49 : i1
    %y50 = arith.andi %x49, %y49 : i1
    %x51 = arith.ori %x50, %y50 : i1
    %y51 = arith.andi %x50, %y50 : i1
    %x52 = arith.ori %x51, %y51 : i1
    %y52 = arith.andi %x51, %y51 : i1
    %x53 = arith.ori %x52, %y52 : i1
    %y53 = arith.andi %x52, %y52 : i1
    %x54 = arith.ori %x53, %y53 : i1
    %y54 = arith.andi %x53, %y53 : i1
    %x55 = arith.ori %x54, %y54 : i1
    %y55 = arith.andi %x54, %y54 : i1
    %x56 = arith.ori %x55, %y55 : i1
    %y56 = arith.andi %x55, %y55 : i1
    %x57 = arith.ori %x56, %y56 : i1
    %y57 = arith.andi %x56, %y56 : i1
    %x58 = arith.ori %x57, %y57 : i1
    %y58 = arith.andi %x57, %y57 : i1
    %x59 = arith.ori %x58, %y58 : i1
    %y59 = arith.andi %x58, %y58 : i1
    %x60 = arith.ori %x59, %y59 : i1
    %y60 = arith.andi %x59, %y59 : i1
    %x61 = arith.ori %x60, %y60 : i1
    %y61 = arith.andi %x60, %y60 : i1
    %x62 = arith.ori %x61, %y61 : i1
    %y62 = arith.andi %x61, %y61 : i1
    %x63 = arith.ori %x62, %y62 : i1
    %y63 = arith.andi %x62, %y62 : i1
    %x64 = arith.ori %x63, %y63 : i1
    %y64 = arith.andi %x63, %y63 : i1
    %r = arith.select %y64, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<40x24xf32>
  %w = linalg.softmax dimension(1) ins(%m : tensor<40x24xf32>) outs(%e : tensor<40x24xf32>) -> tensor<40x24xf32>
  return %w : tensor<40x24xf32>
}

// -----

// The key on the diagonal is in the chunk of its row.

// CHECK-LABEL: func @chunk
// CHECK-NOT:   constant -3.4
// CHECK:       linalg_ext.softmax
func.func @chunk(%q: tensor<40x8xf32>, %k: tensor<8x48xf32>) -> tensor<40x48xf32> {
  %zero = arith.constant 0.0 : f32
  %c8 = arith.constant 8 : index
  %low = arith.constant -3.40282347E+38 : f32
  %e = tensor.empty() : tensor<40x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x48xf32>) outs(%f : tensor<40x48xf32>) -> tensor<40x48xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.floordivsi %i, %c8 : index
    %d = arith.floordivsi %j, %c8 : index
    %same = arith.cmpi eq, %p, %d : index
    %past = arith.cmpi sle, %j, %i : index
    %v = arith.andi %same, %past : i1
    %r = arith.select %v, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<40x48xf32>
  %w = linalg.softmax dimension(1) ins(%m : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  return %w : tensor<40x48xf32>
}

// -----

// The same, by a remainder.

// CHECK-LABEL: func @chunk_by_remainder
// CHECK-NOT:   constant -3.4
// CHECK:       linalg_ext.softmax
func.func @chunk_by_remainder(%q: tensor<40x8xf32>, %k: tensor<8x48xf32>) -> tensor<40x48xf32> {
  %zero = arith.constant 0.0 : f32
  %c8 = arith.constant 8 : index
  %low = arith.constant -3.40282347E+38 : f32
  %e = tensor.empty() : tensor<40x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x48xf32>) outs(%f : tensor<40x48xf32>) -> tensor<40x48xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %rest = arith.remsi %i, %c8 : index
    %start = arith.subi %i, %rest : index
    %from = arith.cmpi sge, %j, %start : index
    %past = arith.cmpi sle, %j, %i : index
    %v = arith.andi %from, %past : i1
    %r = arith.select %v, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<40x48xf32>
  %w = linalg.softmax dimension(1) ins(%m : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  return %w : tensor<40x48xf32>
}

// -----

// A row at the start of a chunk sees no key behind that start.

// CHECK-LABEL: func @negative_behind_start
// CHECK:       %[[LOW:.+]] = arith.constant -3.40282347E+38 : f32
// CHECK:       arith.select %{{.+}}, %{{.+}}, %[[LOW]]
func.func @negative_behind_start(%q: tensor<40x8xf32>, %k: tensor<8x48xf32>) -> tensor<40x48xf32> {
  %zero = arith.constant 0.0 : f32
  %c8 = arith.constant 8 : index
  %low = arith.constant -3.40282347E+38 : f32
  %e = tensor.empty() : tensor<40x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x48xf32>) outs(%f : tensor<40x48xf32>) -> tensor<40x48xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.divsi %i, %c8 : index
    %start = arith.muli %p, %c8 : index
    %from = arith.cmpi sgt, %j, %start : index
    %past = arith.cmpi sle, %j, %i : index
    %v = arith.andi %from, %past : i1
    %r = arith.select %v, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<40x48xf32>
  %w = linalg.softmax dimension(1) ins(%m : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  return %w : tensor<40x48xf32>
}

// -----

// Rows of the first chunk see no key of a chunk in front of it.

// CHECK-LABEL: func @negative_chunk_in_front
// CHECK:       %[[LOW:.+]] = arith.constant -3.40282347E+38 : f32
// CHECK:       arith.select %{{.+}}, %{{.+}}, %[[LOW]]
func.func @negative_chunk_in_front(%q: tensor<40x8xf32>, %k: tensor<8x48xf32>) -> tensor<40x48xf32> {
  %zero = arith.constant 0.0 : f32
  %c8 = arith.constant 8 : index
  %low = arith.constant -3.40282347E+38 : f32
  %e = tensor.empty() : tensor<40x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  %s = linalg.matmul ins(%q, %k : tensor<40x8xf32>, tensor<8x48xf32>) outs(%f : tensor<40x48xf32>) -> tensor<40x48xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.divsi %i, %c8 : index
    %start = arith.muli %p, %c8 : index
    %v = arith.cmpi slt, %j, %start : index
    %r = arith.select %v, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<40x48xf32>
  %w = linalg.softmax dimension(1) ins(%m : tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  return %w : tensor<40x48xf32>
}
