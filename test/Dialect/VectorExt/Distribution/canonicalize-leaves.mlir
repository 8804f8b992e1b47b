// RUN: linalg-ext-opt %s --vector-ext-simplify=patterns=canonicalize-leaves | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline="builtin.module(vector-ext-simplify{patterns=canonicalize-leaves})" | FileCheck %s

// Ops in regions fold and are erased if they are dead, at any depth.
// CHECK-LABEL: func @nested
// CHECK-SAME: %[[A:.*]]: f32, %[[B:.*]]: f32, %[[MEMORY:.*]]: memref<?xf32>
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.store %[[B]], %[[MEMORY]][%[[I]]]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @nested(%a: f32, %b: f32, %memory: memref<?xf32>, %condition: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %memory, %c0 : memref<?xf32>
  scf.for %i = %c0 to %size step %c1 {
    scf.if %condition {
      %0 = vector.from_elements %a, %b : vector<2xf32>
      %1 = vector.shape_cast %0 : vector<2xf32> to vector<1x2xf32>
      %2 = vector.extract %1[0, 1] : f32 from vector<1x2xf32>
      %dead = vector.extract %0[0] : f32 from vector<2xf32>
      %deader = arith.addf %dead, %2 : f32
      memref.store %2, %memory[%i] : memref<?xf32>
    }
  }
  return
}

// Ops with regions stay, also those that `canonicalize` would inline.
// CHECK-LABEL: func @negative_region
// CHECK-SAME: %[[N:.*]]: index
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[N]]]
func.func @negative_region(%n: index, %value: f32, %memory: memref<?xf32>) {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  scf.if %true {
    %0 = arith.addi %n, %c0 : index
    memref.store %value, %memory[%0] : memref<?xf32>
  }
  return
}
