// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s

// torch-mlir's arg-max: its maximum becomes NaN, and then no term is greater. A flag says so.

#m = affine_map<(a, b) -> (a, b)>
#r = affine_map<(a, b) -> (a)>
// CHECK-LABEL: func @max_and_position
// CHECK:       %[[MAX:.*]]:3 = linalg.generic {{.*}} ["parallel", "reduction"]
// CHECK:       ^bb0(%[[T:.*]]: f32, %[[ACC:.*]]: f32, %[[P:.*]]: i64, %[[FLAG:.*]]: i32):
// CHECK:         %[[ISNAN:.*]] = arith.cmpf uno, %[[T]], %[[T]]
// CHECK:         %[[BIT:.*]] = arith.extui %[[ISNAN]]
// CHECK:         %[[GOES:.*]] = arith.cmpi eq, %[[FLAG]], %{{.*}} : i32
// CHECK:         %[[GREATER:.*]] = arith.cmpf ogt, %[[T]], %[[ACC]]
// CHECK:         %[[BETTER:.*]] = arith.andi %[[GREATER]], %[[GOES]]
// CHECK:         %[[V:.*]] = arith.select %[[BETTER]], %[[T]], %[[ACC]]
// CHECK:         %[[Q:.*]] = arith.select %[[BETTER]], %{{.*}}, %[[P]]
// CHECK:         %[[F:.*]] = arith.ori %[[FLAG]], %[[BIT]]
// CHECK:         linalg.yield %[[V]], %[[Q]], %[[F]]
// CHECK:       %[[VALUE:.*]] = linalg.generic {{.*}} ins(%[[MAX]]#0, %[[MAX]]#2
// CHECK:       return %[[VALUE]], %[[MAX]]#1
func.func @max_and_position(%x: tensor<5x9xf32>) -> (tensor<5xf32>, tensor<5xi64>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<5xf32>
  %i = tensor.empty() : tensor<5xi64>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %g = linalg.fill ins(%zero : i64) outs(%i : tensor<5xi64>) -> tensor<5xi64>
  %y:2 = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x9xf32>) outs(%f, %g : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%v: f32, %a: f32, %n: i64):
    %k = linalg.index 1 : index
    %p = arith.index_cast %k : index to i64
    %s = arith.maximumf %v, %a : f32
    %gt = arith.cmpf ogt, %v, %a : f32
    %t = arith.select %gt, %p, %n : i64
    linalg.yield %s, %t : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  return %y#0, %y#1 : tensor<5xf32>, tensor<5xi64>
}

// -----

// Nobody uses the position: a maximum.

#m = affine_map<(a, b) -> (a, b)>
#r = affine_map<(a, b) -> (a)>
// CHECK-LABEL: func @negative_maximum_alone
// CHECK-NOT:     arith.cmpf
// CHECK:         arith.maximumf
// CHECK-NOT:     arith.ori
// CHECK:         return
func.func @negative_maximum_alone(%x: tensor<5x9xf32>) -> tensor<5xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<5xf32>
  %i = tensor.empty() : tensor<5xi64>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %g = linalg.fill ins(%zero : i64) outs(%i : tensor<5xi64>) -> tensor<5xi64>
  %y:2 = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x9xf32>) outs(%f, %g : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%v: f32, %a: f32, %n: i64):
    %k = linalg.index 1 : index
    %p = arith.index_cast %k : index to i64
    %s = arith.maximumf %v, %a : f32
    %gt = arith.cmpf ogt, %v, %a : f32
    %t = arith.select %gt, %p, %n : i64
    linalg.yield %s, %t : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  return %y#0 : tensor<5xf32>
}

// -----

// The extreme is selected by the same condition, so that it never becomes NaN.

#m = affine_map<(a, b) -> (a, b)>
#r = affine_map<(a, b) -> (a)>
// CHECK-LABEL: func @negative_selected_minimum
// CHECK:         arith.cmpf olt
// CHECK-NOT:     arith.ori
// CHECK:         return
func.func @negative_selected_minimum(%x: tensor<5x9xf32>) -> (tensor<5xf32>, tensor<5xi64>) {
  %high = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<5xf32>
  %i = tensor.empty() : tensor<5xi64>
  %f = linalg.fill ins(%high : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %g = linalg.fill ins(%zero : i64) outs(%i : tensor<5xi64>) -> tensor<5xi64>
  %y:2 = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x9xf32>) outs(%f, %g : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%v: f32, %a: f32, %n: i64):
    %k = linalg.index 1 : index
    %p = arith.index_cast %k : index to i64
    %lt = arith.cmpf olt, %v, %a : f32
    %s = arith.select %lt, %v, %a : f32
    %t = arith.select %lt, %p, %n : i64
    linalg.yield %s, %t : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  return %y#0, %y#1 : tensor<5xf32>, tensor<5xi64>
}

// -----

// What the maximum starts from may be NaN: then no term is chosen, and the flag starts set.

#m = affine_map<(a, b) -> (a, b)>
#r = affine_map<(a, b) -> (a)>
// CHECK-LABEL: func @start_of_caller
// CHECK-SAME:    %[[X:.*]]: tensor<5x9xf32>, %[[START:.*]]: tensor<5xf32>
// CHECK:       %[[FLAGS:.*]] = linalg.generic {{.*}} ["parallel"]} ins(%[[START]]
// CHECK:         %[[ISNAN:.*]] = arith.cmpf uno
// CHECK:         arith.extui %[[ISNAN]]
// CHECK:       linalg.generic {{.*}} ["parallel", "reduction"]} ins(%[[X]] {{.*}} outs(%[[START]], %{{.*}}, %[[FLAGS]]
func.func @start_of_caller(%x: tensor<5x9xf32>, %f: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xi64>) {
  %zero = arith.constant 0 : i64
  %i = tensor.empty() : tensor<5xi64>
  %g = linalg.fill ins(%zero : i64) outs(%i : tensor<5xi64>) -> tensor<5xi64>
  %y:2 = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x9xf32>) outs(%f, %g : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%v: f32, %a: f32, %n: i64):
    %k = linalg.index 1 : index
    %p = arith.index_cast %k : index to i64
    %s = arith.maximumf %v, %a : f32
    %gt = arith.cmpf ogt, %v, %a : f32
    %t = arith.select %gt, %p, %n : i64
    linalg.yield %s, %t : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  return %y#0, %y#1 : tensor<5xf32>, tensor<5xi64>
}

// -----

// Numbers of 4 bits are never NaN.

#m = affine_map<(a, b) -> (a, b)>
#r = affine_map<(a, b) -> (a)>
// CHECK-LABEL: func @negative_type_without_nan
// CHECK-NOT:   i32
// CHECK:       return
func.func @negative_type_without_nan(%x: tensor<5x9xf4E2M1FN>, %f: tensor<5xf4E2M1FN>, %g: tensor<5xi64>) -> (tensor<5xf4E2M1FN>, tensor<5xi64>) {
  %y:2 = linalg.generic {indexing_maps = [#m, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x9xf4E2M1FN>) outs(%f, %g : tensor<5xf4E2M1FN>, tensor<5xi64>) {
  ^bb0(%v: f4E2M1FN, %a: f4E2M1FN, %n: i64):
    %k = linalg.index 1 : index
    %p = arith.index_cast %k : index to i64
    %s = arith.maximumf %v, %a : f4E2M1FN
    %gt = arith.cmpf ogt, %v, %a : f4E2M1FN
    %t = arith.select %gt, %p, %n : i64
    linalg.yield %s, %t : f4E2M1FN, i64
  } -> (tensor<5xf4E2M1FN>, tensor<5xi64>)
  return %y#0, %y#1 : tensor<5xf4E2M1FN>, tensor<5xi64>
}
