// RUN: linalg-ext-opt %s --linalg-ext-normalize | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-normalize --linalg-ext-normalize | FileCheck %s

// Lanes behind the end of a row read 0: no lane divides integers by that.
// (test/Importers/Stock/integer-quotients.mlir is executed.)

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: @divided(
// CHECK:       ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %{{.*}}: i32):
// CHECK:         %[[IS:.*]] = arith.cmpi eq, %[[B]], %c0_i32 : i32
// CHECK:         %[[D:.*]] = arith.select %[[IS]], %c1_i32, %[[B]] : i32
// CHECK-NOT:     arith.select
// CHECK:         arith.divsi %[[A]], %[[D]] : i32
func.func @divided(%x: tensor<?xi32>, %d: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %e = tensor.empty(%n) : tensor<?xi32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %d : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %c = arith.divsi %a, %b : i32
    linalg.yield %c : i32
  } -> tensor<?xi32>
  return %q : tensor<?xi32>
}

// Constants, and what is the same for all elements.

// CHECK-LABEL: @negative_divided(
// CHECK-NOT:     arith.select
// CHECK:         return
func.func @negative_divided(%x: tensor<8xi32>, %s: i32, %t: i32) -> tensor<8xi32> {
  %three = arith.constant 3 : i32
  %e = tensor.empty() : tensor<8xi32>
  %q = linalg.generic {indexing_maps = [#id, affine_map<(i) -> ()>, #id], iterator_types = ["parallel"]} ins(%x, %s : tensor<8xi32>, i32) outs(%e : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %c = arith.divsi %a, %three : i32
    %d = arith.remsi %c, %b : i32
    %f = arith.divui %d, %t : i32
    linalg.yield %f : i32
  } -> tensor<8xi32>
  return %q : tensor<8xi32>
}
