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

// -----

// An iteration reads so many vectors that threads have no registers for those of another one.

// CHECK-LABEL: func @negative_reads_much
// CHECK:         scf.for
// CHECK-COUNT-8:   vector.load
// CHECK-NOT:       vector.load
// CHECK:         vector.store
func.func @negative_reads_much(%a: memref<8x?xf16>, %out: memref<8xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %zero = arith.constant dense<0.0> : vector<8xf16>
    %sum = scf.for %i = %c0 to %n step %c8 iter_args(%acc = %zero) -> (vector<8xf16>) {
      %x0 = vector.load %a[%c0, %i] : memref<8x?xf16>, vector<8xf16>
      %x1 = vector.load %a[%c1, %i] : memref<8x?xf16>, vector<8xf16>
      %x2 = vector.load %a[%c2, %i] : memref<8x?xf16>, vector<8xf16>
      %x3 = vector.load %a[%c3, %i] : memref<8x?xf16>, vector<8xf16>
      %x4 = vector.load %a[%c4, %i] : memref<8x?xf16>, vector<8xf16>
      %x5 = vector.load %a[%c5, %i] : memref<8x?xf16>, vector<8xf16>
      %x6 = vector.load %a[%c6, %i] : memref<8x?xf16>, vector<8xf16>
      %x7 = vector.load %a[%c7, %i] : memref<8x?xf16>, vector<8xf16>
      %y0 = arith.addf %x0, %x1 : vector<8xf16>
      %y1 = arith.addf %x2, %x3 : vector<8xf16>
      %y2 = arith.addf %x4, %x5 : vector<8xf16>
      %y3 = arith.addf %x6, %x7 : vector<8xf16>
      %z0 = arith.addf %y0, %y1 : vector<8xf16>
      %z1 = arith.addf %y2, %y3 : vector<8xf16>
      %z2 = arith.addf %z0, %z1 : vector<8xf16>
      %next = arith.addf %acc, %z2 : vector<8xf16>
      scf.yield %next : vector<8xf16>
    }
    vector.store %sum, %out[%c0] : memref<8xf16>, vector<8xf16>
    gpu.terminator
  }
  return
}
