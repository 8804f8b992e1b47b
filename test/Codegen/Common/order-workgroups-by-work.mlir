// RUN: linalg-ext-opt %s --linalg-ext-schedule-forall=steps=order-by-work --split-input-file --allow-unregistered-dialect | FileCheck %s

// Causal: two loops, one after the other, up to the end of the rows.

// CHECK-LABEL: func @causal
// CHECK: scf.forall (%[[B:.*]], %[[I:.*]]) =
// CHECK: %[[R:.*]] = affine.apply #{{.*}}(%[[I]])[%{{.*}}]
// CHECK: %[[J:.*]] = arith.maxsi %[[R]], %c0
// CHECK: affine.min #{{.*}}(%[[J]])
// CHECK-NOT: %[[I]]
// CHECK: "test.use"(%[[B]], %[[J]]
func.func @causal(%batch: index, %n: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.forall (%b, %i) = (0, 0) to (%batch, %n) step (1, 64) {
    %rows = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 64)>(%i)[%n]
    %seen = affine.apply affine_map<(d0) -> ((d0 floordiv 64) * 64)>(%i)
    %end = affine.apply affine_map<(d0, d1) -> (((d0 + d1 - 1) floordiv 64) * 64 + 64)>(%i, %rows)
    %most = arith.minsi %end, %n : index
    scf.for %j = %c0 to %seen step %c64 {
      "test.use"(%b, %i, %j) : (index, index, index) -> ()
    }
    scf.for %j = %seen to %most step %c64 {
      "test.use"(%b, %i, %j) : (index, index, index) -> ()
    }
  }
  return
}

// -----

// The first iterations are the longest already.

// CHECK-LABEL: func @negative_shrinks
// CHECK: scf.forall (%[[I:.*]]) =
// CHECK-NEXT: scf.for %{{.*}} = %[[I]] to
func.func @negative_shrinks(%n: index) {
  %c64 = arith.constant 64 : index
  scf.forall (%i) = (0) to (%n) step (64) {
    scf.for %j = %i to %n step %c64 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// A window is as long everywhere, but at its ends: nothing is known of both.

// CHECK-LABEL: func @negative_window
// CHECK: scf.forall (%[[I:.*]]) =
// CHECK-NEXT: affine.max #{{.*}}(%[[I]])
func.func @negative_window(%n: index) {
  %c64 = arith.constant 64 : index
  scf.forall (%i) = (0) to (%n) step (64) {
    %begin = affine.max affine_map<(d0) -> (d0 - 128, 0)>(%i)
    %end = affine.apply affine_map<(d0) -> (d0 + 64)>(%i)
    scf.for %j = %begin to %end step %c64 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// Lengths from memory: nothing is known either.

// CHECK-LABEL: func @negative_ragged
// CHECK: scf.forall (%[[I:.*]]) in
// CHECK-NEXT: memref.load %{{.*}}[%[[I]]]
func.func @negative_ragged(%n: index, %lengths: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i) = (0) to (%n) step (1) {
    %length = memref.load %lengths[%i] : memref<?xindex>
    scf.for %j = %c0 to %length step %c64 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// Some workgroups have no iterations at all: the others are ordered.

// CHECK-LABEL: func @nothing_to_do
// CHECK: scf.forall (%[[I:.*]]) =
// CHECK-NEXT: affine.apply #{{.*}}(%[[I]])
func.func @nothing_to_do(%n: index, %length: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i) = (0) to (%n) step (64) {
    %end = affine.apply affine_map<(d0) -> (d0 + 64)>(%i)
    %some = arith.cmpi slt, %i, %length : index
    %last = arith.select %some, %end, %c0 : index
    scf.for %j = %c0 to %last step %c64 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// The loop begins at 0 until all columns are behind the row, and then goes on to the end
// of what a row sees: the choice is the larger number as rows grow.

// CHECK-LABEL: func @choice
// CHECK: scf.forall (%[[B:.*]], %[[I:.*]]) =
// CHECK: %[[R:.*]] = affine.apply #{{.*}}(%[[I]])[%{{.*}}]
// CHECK: arith.maxsi %[[R]], %c0

// CHECK-LABEL: func @negative_choice
// CHECK: scf.forall (%[[B:.*]], %[[I:.*]]) =
// CHECK-NEXT: affine.apply #{{.*}}(%[[I]])
// CHECK-NOT: arith.maxsi
func.func @choice(%batch: index, %m: memref<?xf32>, %k: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %keys = memref.dim %k, %c0 : memref<?xf32>
  scf.forall (%b, %i) = (0, 0) to (%batch, %n) step (1, 64) {
    %left = affine.apply affine_map<(d0)[s0] -> (-d0 + s0 - 1)>(%i)[%keys]
    %isBefore = arith.cmpi sgt, %left, %c0 : index
    %end = arith.select %isBefore, %c0, %keys : index
    scf.for %j = %c0 to %end step %c64 {
      "test.use"(%b, %i, %j) : (index, index, index) -> ()
    }
  }
  return
}

// It is not known which of both numbers is larger.
func.func @negative_choice(%batch: index, %a: index, %c: index, %m: memref<?xf32>, %k: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %keys = memref.dim %k, %c0 : memref<?xf32>
  scf.forall (%b, %i) = (0, 0) to (%batch, %n) step (1, 64) {
    %left = affine.apply affine_map<(d0)[s0] -> (-d0 + s0 - 1)>(%i)[%keys]
    %isBefore = arith.cmpi sgt, %left, %c0 : index
    %end = arith.select %isBefore, %a, %c : index
    scf.for %j = %c0 to %end step %c64 {
      "test.use"(%b, %i, %j) : (index, index, index) -> ()
    }
  }
  return
}
