// RUN: linalg-ext-opt %s --linalg-ext-map-to-launches='steps=workgroups num-threads=256' --canonicalize | FileCheck %s

// The host computes the grid. A loop that has iterations only where a number in memory
// says so is a launch in a branch.

// CHECK-LABEL: func @stored_rows
// CHECK-SAME:      %[[N:[^:]*]]: index, %[[ROW:[^:]*]]: memref<i32>)
// CHECK:         %[[LOADED:.*]] = memref.load %[[ROW]]
// CHECK:         %[[IS_STORED:.*]] = arith.cmpi sge, %[[LOADED]], %c0_i32
// CHECK-NEXT:    scf.if %[[IS_STORED]] {
// CHECK-NEXT:      affine.apply #{{.*}}()[%[[N]]]
// CHECK-NEXT:      %[[GRID:.*]] = affine.apply #{{.*}}()[%[[N]]]
// CHECK-NEXT:      gpu.launch {{.*}} in (%{{.*}} = %[[GRID]],
func.func @stored_rows(%m: memref<?x8xf32>, %n: index, %row: memref<i32>) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %at = memref.load %row[] : memref<i32>
  %stored = arith.cmpi sge, %at, %none : i32
  %rows = arith.select %stored, %n, %c0 : index
  scf.forall (%i, %j) = (0, 0) to (%rows, 8) step (4, 1) {
    memref.store %zero, %m[%i, %j] : memref<?x8xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}

// The same, if the condition is that it has none.

// CHECK-LABEL: func @negated
// CHECK:         %[[NONE:.*]] = memref.load
// CHECK:         %[[SOME:.*]] = arith.xori %[[NONE]], %true
// CHECK-NEXT:    scf.if %[[SOME]] {
// CHECK:           gpu.launch
func.func @negated(%m: memref<?x8xf32>, %n: index, %flag: memref<i1>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %none = memref.load %flag[] : memref<i1>
  %rows = arith.select %none, %c0, %n : index
  scf.forall (%i, %j) = (0, 0) to (%rows, 8) step (4, 1) {
    memref.store %zero, %m[%i, %j] : memref<?x8xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}

// Another choice, or a choice of another loop, is a bound. So is one that the host
// makes.

// CHECK-LABEL: func @negative_choices
// CHECK-NOT:     scf.if
func.func @negative_choices(%m: memref<?x?xf32>, %n: index, %few: i1, %flag: memref<i1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %loaded = memref.load %flag[] : memref<i1>
  %some = arith.select %loaded, %n, %c1 : index
  %none = arith.select %loaded, %n, %c0 : index
  %host = arith.select %few, %n, %c0 : index
  scf.forall (%i, %j) in (%some, %none) {
    memref.store %zero, %m[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  scf.forall (%i, %j) in (%host, %n) {
    memref.store %zero, %m[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}
