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
