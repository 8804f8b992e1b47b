// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s

// JAX's arg-max: a position is compared with the one that is carried, which is never greater.

#m = affine_map<(a, b) -> (a, b)>
#r = affine_map<(a, b) -> (a)>
// CHECK-LABEL: func @drops_tie
// CHECK:       linalg.generic {{.*}} ["parallel", "reduction"]
// CHECK:         arith.cmpf ogt
// CHECK-NOT:     arith.cmpi
// CHECK:         linalg.yield
func.func @drops_tie(%x: tensor<5x9xf32>) -> (tensor<5xf32>, tensor<5xi32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5xf32>
  %i = tensor.empty() : tensor<5xi32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %g = linalg.fill ins(%zero : i32) outs(%i : tensor<5xi32>) -> tensor<5xi32>
  %y:2 = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x9xf32>) outs(%f, %g : tensor<5xf32>, tensor<5xi32>) {
  ^bb0(%v: f32, %a: f32, %n: i32):
    %k = linalg.index 1 : index
    %p = arith.index_cast %k : index to i32
    %gt = arith.cmpf ogt, %v, %a : f32
    %eq = arith.cmpf oeq, %v, %a : f32
    %lt = arith.cmpi slt, %p, %n : i32
    %tie = arith.andi %eq, %lt : i1
    %take = arith.ori %gt, %tie : i1
    %s = arith.select %gt, %v, %a : f32
    %t = arith.select %take, %p, %n : i32
    linalg.yield %s, %t : f32, i32
  } -> (tensor<5xf32>, tensor<5xi32>)
  return %y#0, %y#1 : tensor<5xf32>, tensor<5xi32>
}

// -----

// Carried positions start at 7, so a new one may be less.

#m = affine_map<(a, b) -> (a, b)>
#r = affine_map<(a, b) -> (a)>
// CHECK-LABEL: func @negative_first_position
// CHECK:         arith.cmpi slt
func.func @negative_first_position(%x: tensor<5x9xf32>) -> (tensor<5xf32>, tensor<5xi32>) {
  %low = arith.constant 0xFF800000 : f32
  %seven = arith.constant 7 : i32
  %e = tensor.empty() : tensor<5xf32>
  %i = tensor.empty() : tensor<5xi32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %g = linalg.fill ins(%seven : i32) outs(%i : tensor<5xi32>) -> tensor<5xi32>
  %y:2 = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x9xf32>) outs(%f, %g : tensor<5xf32>, tensor<5xi32>) {
  ^bb0(%v: f32, %a: f32, %n: i32):
    %k = linalg.index 1 : index
    %p = arith.index_cast %k : index to i32
    %gt = arith.cmpf ogt, %v, %a : f32
    %eq = arith.cmpf oeq, %v, %a : f32
    %lt = arith.cmpi slt, %p, %n : i32
    %tie = arith.andi %eq, %lt : i1
    %take = arith.ori %gt, %tie : i1
    %s = arith.select %gt, %v, %a : f32
    %t = arith.select %take, %p, %n : i32
    linalg.yield %s, %t : f32, i32
  } -> (tensor<5xf32>, tensor<5xi32>)
  return %y#0, %y#1 : tensor<5xf32>, tensor<5xi32>
}

// -----

// What is carried is no position: twice the position.

#m = affine_map<(a, b) -> (a, b)>
#r = affine_map<(a, b) -> (a)>
// CHECK-LABEL: func @negative_other_number
// CHECK:         arith.cmpi slt
func.func @negative_other_number(%x: tensor<5x9xf32>) -> (tensor<5xf32>, tensor<5xi32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %e = tensor.empty() : tensor<5xf32>
  %i = tensor.empty() : tensor<5xi32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %g = linalg.fill ins(%zero : i32) outs(%i : tensor<5xi32>) -> tensor<5xi32>
  %y:2 = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x9xf32>) outs(%f, %g : tensor<5xf32>, tensor<5xi32>) {
  ^bb0(%v: f32, %a: f32, %n: i32):
    %k = linalg.index 1 : index
    %p = arith.index_cast %k : index to i32
    %q = arith.muli %p, %two : i32
    %gt = arith.cmpf ogt, %v, %a : f32
    %eq = arith.cmpf oeq, %v, %a : f32
    %lt = arith.cmpi slt, %p, %n : i32
    %tie = arith.andi %eq, %lt : i1
    %take = arith.ori %gt, %tie : i1
    %s = arith.select %gt, %v, %a : f32
    %t = arith.select %take, %q, %n : i32
    linalg.yield %s, %t : f32, i32
  } -> (tensor<5xf32>, tensor<5xi32>)
  return %y#0, %y#1 : tensor<5xf32>, tensor<5xi32>
}
