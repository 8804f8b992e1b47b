// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads=steps=branch-over-updates --split-input-file | FileCheck %s

// Two rows have eight elements each: two conditions.

// CHECK-LABEL: func @rows
// CHECK-SAME: %[[A:[^:]*]]: f32, %[[B:[^:]*]]: f32
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}})
// CHECK: %[[ISA:.*]] = arith.cmpf une, %[[A]], %{{.*}} : f32
// CHECK: %[[ISB:.*]] = arith.cmpf une, %[[B]], %{{.*}} : f32
// CHECK: %[[ANY:.*]] = arith.ori %[[ISA]], %[[ISB]] : i1
// CHECK-NOT: arith.ori
// CHECK: %[[R:.*]] = scf.if %[[ANY]] -> (vector<16xf32>) {
// CHECK:   %[[Y:.*]] = arith.mulf %{{.*}}, %[[X]] : vector<16xf32>
// CHECK:   %[[Z:.*]] = arith.select %{{.*}}, %[[Y]], %[[X]]
// CHECK:   scf.yield %[[Z]]
// CHECK: } else {
// CHECK:   scf.yield %[[X]]
// CHECK: scf.yield %[[R]]
func.func @rows(%a: f32, %b: f32, %init: vector<16xf32>, %n: index) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : vector<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init) -> vector<16xf32> {
    %f = vector.from_elements %a, %a, %a, %a, %b, %b, %b, %b, %a, %a, %a, %a, %b, %b, %b, %b : vector<16xf32>
    %moved = arith.cmpf une, %f, %one : vector<16xf32>
    %y = arith.mulf %f, %x : vector<16xf32>
    %z = arith.select %moved, %y, %x : vector<16xi1>, vector<16xf32>
    scf.yield %z : vector<16xf32>
  }
  return %r : vector<16xf32>
}

// -----

// What is used elsewhere, does not update what the loop carries, or has few elements
// stays.

// CHECK-LABEL: func @negative_others
// CHECK-NOT: scf.if
func.func @negative_others(%mask: vector<16xi1>, %few: vector<4xi1>, %f: vector<16xf32>, %g: vector<4xf32>,
                  %u: vector<16xf32>, %v: vector<4xf32>, %n: index)
    -> (vector<16xf32>, vector<16xf32>, vector<4xf32>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u, %b = %u, %c = %v, %d = %u)
      -> (vector<16xf32>, vector<16xf32>, vector<4xf32>, vector<16xf32>) {
    %ay = arith.mulf %f, %a : vector<16xf32>
    %az = arith.select %mask, %ay, %a : vector<16xi1>, vector<16xf32>
    %by = arith.mulf %f, %b : vector<16xf32>
    %bz = arith.select %mask, %by, %u : vector<16xi1>, vector<16xf32>
    %cy = arith.mulf %g, %c : vector<4xf32>
    %cz = arith.select %few, %cy, %c : vector<4xi1>, vector<4xf32>
    scf.yield %az, %bz, %cz, %ay : vector<16xf32>, vector<16xf32>, vector<4xf32>, vector<16xf32>
  }
  return %r#0, %r#1, %r#2, %r#3 : vector<16xf32>, vector<16xf32>, vector<4xf32>, vector<16xf32>
}

// -----

// A mask of which nothing is known is taken apart.

// CHECK-LABEL: func @mask
// CHECK-SAME: %[[MASK:[^:]*]]: vector<16xi1>
// CHECK: vector.extract %[[MASK]][0]
// CHECK: vector.extract %[[MASK]][15]
// CHECK-COUNT-15: arith.ori
// CHECK: scf.if
func.func @mask(%mask: vector<16xi1>, %f: vector<16xf32>, %init: vector<16xf32>, %n: index) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init) -> vector<16xf32> {
    %y = arith.addf %x, %f : vector<16xf32>
    %z = arith.select %mask, %y, %x : vector<16xi1>, vector<16xf32>
    scf.yield %z : vector<16xf32>
  }
  return %r : vector<16xf32>
}

// -----

// Taken apart, such a mask would be thousands of ops.

// CHECK-LABEL: func @negative_many
// CHECK-NOT: vector.extract
// CHECK-NOT: scf.if
func.func @negative_many(%mask: vector<8192xi1>, %f: vector<8192xf32>, %init: vector<8192xf32>, %n: index) -> vector<8192xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init) -> vector<8192xf32> {
    %y = arith.addf %x, %f : vector<8192xf32>
    %z = arith.select %mask, %y, %x : vector<8192xi1>, vector<8192xf32>
    scf.yield %z : vector<8192xf32>
  }
  return %r : vector<8192xf32>
}
