// RUN: linalg-ext-opt %s --linalg-ext-map-to-launches='steps=workgroups num-threads=256' --canonicalize | FileCheck %s

// A loop that has iterations only for few rows is a launch in a branch.

// CHECK-LABEL: func @few_rows
// CHECK-SAME:      %[[N:[^:]*]]: index)
// CHECK:         %[[FEW:.*]] = arith.cmpi sle, %[[N]], %c16
// CHECK-NEXT:    scf.if %[[FEW]] {
// CHECK-NEXT:      affine.apply #{{.*}}()[%[[N]]]
// CHECK-NEXT:      %[[GRID:.*]] = affine.apply #{{.*}}()[%[[N]]]
// CHECK-NEXT:      gpu.launch {{.*}} in (%{{.*}} = %[[GRID]],
func.func @few_rows(%m: memref<?x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %few = arith.cmpi sle, %n, %c16 : index
  %rows = arith.select %few, %n, %c0 : index
  scf.forall (%i, %j) = (0, 0) to (%rows, 8) step (4, 1) {
    memref.store %zero, %m[%i, %j] : memref<?x8xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}

// The same, if the condition is that it has none.

// CHECK-LABEL: func @negated
// CHECK-SAME:      %[[NONE:[^:]*]]: i1)
// CHECK:         %[[SOME:.*]] = arith.xori %[[NONE]], %true
// CHECK-NEXT:    scf.if %[[SOME]] {
// CHECK:           gpu.launch
func.func @negated(%m: memref<?x8xf32>, %n: index, %none: i1) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = arith.select %none, %c0, %n : index
  scf.forall (%i, %j) = (0, 0) to (%rows, 8) step (4, 1) {
    memref.store %zero, %m[%i, %j] : memref<?x8xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}

// Another choice, or a choice of another loop, is a bound.

// CHECK-LABEL: func @negative_choices
// CHECK-NOT:     scf.if
func.func @negative_choices(%m: memref<?x?xf32>, %n: index, %few: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %some = arith.select %few, %n, %c1 : index
  %none = arith.select %few, %n, %c0 : index
  scf.forall (%i, %j) in (%some, %none) {
    memref.store %zero, %m[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}
