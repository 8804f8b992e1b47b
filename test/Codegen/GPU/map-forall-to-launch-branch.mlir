// RUN: linalg-ext-opt %s --linalg-ext-map-to-launches='steps=workgroups num-threads=256' --canonicalize | FileCheck %s

// The host computes the grid. A bound that is computed from a number in memory is known
// to the device alone: the grid has as many workgroups as there may be, and a workgroup
// beyond the bound does nothing.

// CHECK-LABEL: func @stored_rows
// CHECK-SAME:      %{{[^:]*}}: memref<?x8xf32>, %[[N:[^:]*]]: index, %[[ROW:[^:]*]]: memref<i32>)
// CHECK:         %[[LOADED:.*]] = memref.load %[[ROW]]
// CHECK:         %[[IS_STORED:.*]] = arith.cmpi sge, %[[LOADED]], %c0_i32
// CHECK-NEXT:    %[[ROWS:.*]] = arith.select %[[IS_STORED]], %[[N]], %c0
// CHECK-NEXT:    affine.apply #{{.*}}()[%[[N]]]
// CHECK-NEXT:    %[[GRID:.*]] = affine.apply #{{.*}}()[%[[N]]]
// CHECK-NEXT:    gpu.launch {{.*}} in (%{{.*}} = %[[GRID]],
// CHECK:           %[[I:.*]] = affine.apply
// CHECK-NEXT:      %[[IS_ROW:.*]] = arith.cmpi slt, %[[I]], %[[ROWS]]
// CHECK-NEXT:      scf.if %[[IS_ROW]] {
// CHECK-NEXT:        memref.store
// CHECK-NEXT:      }
// CHECK-NEXT:      gpu.terminator
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

// Several bounds, each the larger one of two, or the larger one if the other is 0.

// CHECK-LABEL: func @choices
// CHECK-SAME:      %{{[^:]*}}: memref<?x?xf32>, %[[N:[^:]*]]: index
// CHECK-DAG:     %[[SOME:.*]] = arith.select %{{.*}}, %[[N]], %c1
// CHECK-DAG:     %[[NONE:.*]] = arith.select %{{.*}}, %c0, %[[N]]
// CHECK-DAG:     %[[MOST:.*]] = arith.maxsi %[[N]], %c1
// CHECK:         %[[GRID:.*]] = affine.apply #{{.*}}()[%[[MOST]], %[[N]]]
// CHECK-NEXT:    gpu.launch {{.*}} in (%{{.*}} = %[[GRID]],
// CHECK:           %[[IS_ROW:.*]] = arith.cmpi slt, %{{.*}}, %[[SOME]]
// CHECK:           %[[IS_COLUMN:.*]] = arith.cmpi slt, %{{.*}}, %[[NONE]]
// CHECK:           %[[IS_BOTH:.*]] = arith.andi %[[IS_ROW]], %[[IS_COLUMN]]
// CHECK-NEXT:      scf.if %[[IS_BOTH]] {
func.func @choices(%m: memref<?x?xf32>, %n: index, %flag: memref<i1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %loaded = memref.load %flag[] : memref<i1>
  %some = arith.select %loaded, %n, %c1 : index
  %none = arith.select %loaded, %c0, %n : index
  scf.forall (%i, %j) in (%some, %none) {
    memref.store %zero, %m[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}

// The least of several numbers: those that the host knows.

// CHECK-LABEL: func @least
// CHECK-SAME:      %{{[^:]*}}: memref<?xf32>, %[[N:[^:]*]]: index
// CHECK:         %[[ROWS:.*]] = affine.min #{{.*}}()[%{{.*}}, %[[N]]]
// CHECK:         %[[MOST:.*]] = affine.min #{{.*}}()[%[[N]]]
// CHECK:         gpu.launch {{.*}} in (%{{.*}} = %[[MOST]],
// CHECK:           arith.cmpi slt, %{{.*}}, %[[ROWS]]
func.func @least(%m: memref<?xf32>, %n: index, %length: memref<index>) {
  %zero = arith.constant 0.0 : f32
  %end = memref.load %length[] : memref<index>
  %rows = affine.min affine_map<()[s0, s1] -> (s0 - 2, s1, 16)>()[%end, %n]
  scf.forall (%i) in (%rows) {
    memref.store %zero, %m[%i] : memref<?xf32>
  } {mapping = [#gpu.block<linear_dim_0>]}
  return
}

// The host knows a bound, or nobody knows how large it may be.

// CHECK-LABEL: func @negative
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @negative(%m: memref<?x?xf32>, %n: index, %few: i1, %length: memref<index>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %host = arith.select %few, %n, %c0 : index
  scf.forall (%i, %j) in (%host, %n) {
    memref.store %zero, %m[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  %end = memref.load %length[] : memref<index>
  scf.forall (%i, %j) in (%end, %n) {
    memref.store %zero, %m[%i, %j] : memref<?x?xf32>
  } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  return
}
