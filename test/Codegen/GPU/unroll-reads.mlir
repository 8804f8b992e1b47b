// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads=steps=unroll-reads --split-input-file | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-gpu-optimize-threads{steps=unroll-reads})' --split-input-file | FileCheck %s

// Of four iterations, each read is in front of nothing that it needs; what is left is a
// loop.

// CHECK-LABEL: func @sum
// CHECK:         scf.for %[[I:.*]] = %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}})
// CHECK:           %[[X:.*]] = memref.load %{{.*}}[%[[I]]]
// CHECK:           %[[S:.*]] = arith.addf %[[ACC]], %[[X]]
// CHECK:           %[[Y:.*]] = memref.load
// CHECK:           %[[S2:.*]] = arith.addf %[[S]], %[[Y]]
// CHECK:           %[[Z:.*]] = memref.load
// CHECK:           %[[S3:.*]] = arith.addf %[[S2]], %[[Z]]
// CHECK:           %[[W:.*]] = memref.load
// CHECK:           %[[S4:.*]] = arith.addf %[[S3]], %[[W]]
// CHECK:           scf.yield %[[S4]]
// CHECK:         scf.for
// CHECK:           memref.load
// CHECK-NOT:       memref.load
// CHECK:         memref.store
func.func @sum(%a: memref<?xf32>, %out: memref<1xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %x = memref.load %a[%i] : memref<?xf32>
      %next = arith.addf %acc, %x : f32
      scf.yield %next : f32
    }
    memref.store %sum, %out[%c0] : memref<1xf32>
    gpu.terminator
  }
  return
}

// -----

// An iteration that reads little and computes functions of it: eight.

// CHECK-LABEL: func @merge
// CHECK:         scf.for
// CHECK-COUNT-8: math.exp2
// CHECK-NOT:     math.exp2
// CHECK:         scf.yield
// CHECK:         scf.for
// CHECK:           math.exp2
// CHECK-NOT:       math.exp2
// CHECK:         memref.store
func.func @merge(%a: memref<?xf32>, %out: memref<1xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %x = memref.load %a[%i] : memref<?xf32>
      %e = math.exp2 %x : f32
      %next = arith.addf %acc, %e : f32
      scf.yield %next : f32
    }
    memref.store %sum, %out[%c0] : memref<1xf32>
    gpu.terminator
  }
  return
}

// -----

// Where it reads next is what it has read: the reads would not overlap.

// CHECK-LABEL: func @negative_list
// CHECK:         scf.for
// CHECK:           memref.load
// CHECK-NOT:       memref.load
// CHECK:         memref.store
func.func @negative_list(%a: memref<?xindex>, %out: memref<1xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (index) {
      %next = memref.load %a[%at] : memref<?xindex>
      scf.yield %next : index
    }
    memref.store %last, %out[%c0] : memref<1xindex>
    gpu.terminator
  }
  return
}

// -----

// CHECK-LABEL: func @negative_writes
// CHECK:         scf.for
// CHECK:           memref.load
// CHECK-NOT:       memref.load
// CHECK:         gpu.terminator
func.func @negative_writes(%a: memref<?xf32>, %out: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %a[%i] : memref<?xf32>
      memref.store %x, %out[%i] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}

// -----

// Loops of the host stay.

// CHECK-LABEL: func @negative_host
// CHECK:         memref.load
// CHECK-NOT:     memref.load
// CHECK:         return
func.func @negative_host(%a: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %x = memref.load %a[%i] : memref<?xf32>
    %next = arith.addf %acc, %x : f32
    scf.yield %next : f32
  }
  return %sum : f32
}
