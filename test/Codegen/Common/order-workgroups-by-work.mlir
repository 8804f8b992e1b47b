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

// -----

// Many paths lead to the induction variable: each value is asked once.

// CHECK-LABEL: func @many_paths
// CHECK: scf.forall (%[[I:.*]]) in
// CHECK: affine.apply #{{.*}}(%[[I]])
func.func @many_paths(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %n1 = arith.addi %i, %i : index
    %n2 = arith.addi %n1, %n1 : index
    %n3 = arith.addi %n2, %n2 : index
    %n4 = arith.addi %n3, %n3 : index
    %n5 = arith.addi %n4, %n4 : index
    %n6 = arith.addi %n5, %n5 : index
    %n7 = arith.addi %n6, %n6 : index
    %n8 = arith.addi %n7, %n7 : index
    %n9 = arith.addi %n8, %n8 : index
    %n10 = arith.addi %n9, %n9 : index
    %n11 = arith.addi %n10, %n10 : index
    %n12 = arith.addi %n11, %n11 : index
    %n13 = arith.addi %n12, %n12 : index
    %n14 = arith.addi %n13, %n13 : index
    %n15 = arith.addi %n14, %n14 : index
    %n16 = arith.addi %n15, %n15 : index
    %n17 = arith.addi %n16, %n16 : index
    %n18 = arith.addi %n17, %n17 : index
    %n19 = arith.addi %n18, %n18 : index
    %n20 = arith.addi %n19, %n19 : index
    %n21 = arith.addi %n20, %n20 : index
    %n22 = arith.addi %n21, %n21 : index
    %n23 = arith.addi %n22, %n22 : index
    %n24 = arith.addi %n23, %n23 : index
    %n25 = arith.addi %n24, %n24 : index
    %n26 = arith.addi %n25, %n25 : index
    %n27 = arith.addi %n26, %n26 : index
    %n28 = arith.addi %n27, %n27 : index
    %n29 = arith.addi %n28, %n28 : index
    %n30 = arith.addi %n29, %n29 : index
    %n31 = arith.addi %n30, %n30 : index
    %n32 = arith.addi %n31, %n31 : index
    %n33 = arith.addi %n32, %n32 : index
    %n34 = arith.addi %n33, %n33 : index
    %n35 = arith.addi %n34, %n34 : index
    %n36 = arith.addi %n35, %n35 : index
    %n37 = arith.addi %n36, %n36 : index
    %n38 = arith.addi %n37, %n37 : index
    %n39 = arith.addi %n38, %n38 : index
    %n40 = arith.addi %n39, %n39 : index
    %n41 = arith.addi %n40, %n40 : index
    %n42 = arith.addi %n41, %n41 : index
    %n43 = arith.addi %n42, %n42 : index
    %n44 = arith.addi %n43, %n43 : index
    %n45 = arith.addi %n44, %n44 : index
    %n46 = arith.addi %n45, %n45 : index
    %n47 = arith.addi %n46, %n46 : index
    %n48 = arith.addi %n47, %n47 : index
    scf.for %j = %c0 to %n48 step %c1 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}
