// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads=steps=compute-in-parts --split-input-file | FileCheck %s

// An activation of what a loop has summed: eight elements are finished before the
// next ones begin. The constant is one of eight elements; what is no splat is cut.

// CHECK-LABEL: func @silu
// CHECK:         %[[X:.*]] = scf.for
// CHECK:         %[[ALL:.*]] = ub.poison : vector<64xf16>
// CHECK:         %[[X0:.*]] = vector.extract_strided_slice %[[X]] {offsets = [0], sizes = [8], strides = [1]}
// CHECK:         %[[B0:.*]] = vector.extract_strided_slice %{{.*}} {offsets = [0], sizes = [8], strides = [1]}
// CHECK:         %[[S0:.*]] = arith.addf %[[X0]], %[[B0]] : vector<8xf32>
// CHECK:         %[[E0:.*]] = math.exp %[[S0]] : vector<8xf32>
// CHECK:         %[[ONE:.*]] = arith.constant dense<1.000000e+00> : vector<8xf32>
// CHECK:         %[[D0:.*]] = arith.addf %[[E0]], %[[ONE]]
// CHECK:         %[[Q0:.*]] = arith.divf %[[S0]], %[[D0]]
// CHECK:         %[[H0:.*]] = arith.truncf %[[Q0]] : vector<8xf32> to vector<8xf16>
// CHECK:         %[[P0:.*]] = vector.insert_strided_slice %[[H0]], %[[ALL]] {offsets = [0], strides = [1]}
// CHECK:         vector.extract_strided_slice %[[X]] {offsets = [8], sizes = [8], strides = [1]}
// CHECK:         vector.insert_strided_slice %{{.*}}, %[[P0]] {offsets = [8], strides = [1]}
// CHECK-COUNT-6: math.exp %{{.*}} : vector<8xf32>
// CHECK:         %[[Y:.*]] = vector.insert_strided_slice {{.*}} {offsets = [56], strides = [1]}
// CHECK-NOT:     vector<64xf32>
// CHECK:         vector.store %[[Y]]
func.func @silu(%a: memref<?xf32>, %b: memref<64xf32>, %out: memref<?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ones = arith.constant dense<1.0> : vector<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %bias = vector.load %b[%c0] : memref<64xf32>, vector<64xf32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %ones) -> (vector<64xf32>) {
      %x = vector.load %a[%c0] : memref<?xf32>, vector<64xf32>
      %next = arith.addf %acc, %x : vector<64xf32>
      scf.yield %next : vector<64xf32>
    }
    %s = arith.addf %sum, %bias : vector<64xf32>
    %e = math.exp %s : vector<64xf32>
    %d = arith.addf %e, %ones : vector<64xf32>
    %q = arith.divf %s, %d : vector<64xf32>
    %h = arith.truncf %q : vector<64xf32> to vector<64xf16>
    vector.store %h, %out[%c0] : memref<?xf16>, vector<64xf16>
    gpu.terminator
  }
  return
}

// -----

// One vector is enough; few elements; the body of a loop; and a value that is used
// elsewhere is computed once.

// CHECK-LABEL: func @negative
// CHECK-NOT:     vector.extract_strided_slice
// CHECK-NOT:     vector<8xf32>
// CHECK:         return
func.func @negative(%a: memref<?xf32>, %out: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ones = arith.constant dense<1.0> : vector<64xf32>
  %few = arith.constant dense<1.0> : vector<32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %ones, %other = %few) -> (vector<64xf32>, vector<32xf32>) {
      %e = math.exp %acc : vector<64xf32>
      %p = arith.mulf %e, %acc : vector<64xf32>
      %q = arith.addf %p, %e : vector<64xf32>
      scf.yield %q, %other : vector<64xf32>, vector<32xf32>
    }
    %e = math.exp %sum#0 : vector<64xf32>
    %d = arith.addf %e, %ones : vector<64xf32>
    vector.store %d, %out[%c0] : memref<64xf32>, vector<64xf32>
    %ef = math.exp %sum#1 : vector<32xf32>
    %df = arith.addf %ef, %ef : vector<32xf32>
    vector.store %df, %out[%c0] : memref<64xf32>, vector<32xf32>
    gpu.terminator
  }
  return
}

// -----

// CHECK-LABEL: func @used_twice
// CHECK:         %[[E:.*]] = math.exp %{{.*}} : vector<64xf32>
// CHECK:         vector.store %[[E]]
// CHECK:         vector.extract_strided_slice %[[E]] {offsets = [0]
// CHECK:         math.absf %{{.*}} : vector<8xf32>
func.func @used_twice(%a: memref<?xf32>, %out: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ones = arith.constant dense<1.0> : vector<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %ones) -> (vector<64xf32>) {
      %x = vector.load %a[%c0] : memref<?xf32>, vector<64xf32>
      %next = arith.addf %acc, %x : vector<64xf32>
      scf.yield %next : vector<64xf32>
    }
    %e = math.exp %sum : vector<64xf32>
    vector.store %e, %out[%c0] : memref<64xf32>, vector<64xf32>
    %d = math.absf %e : vector<64xf32>
    %f = arith.addf %d, %ones : vector<64xf32>
    %g = arith.mulf %d, %f : vector<64xf32>
    vector.store %g, %out[%c0] : memref<64xf32>, vector<64xf32>
    gpu.terminator
  }
  return
}

// -----

// A bias that is loaded in front of what is waited for and loaded from shared
// memory is loaded behind it. What the launch may write stays where it is, and so
// does what else needs, or what is loaded behind.

// CHECK-LABEL: func @bias_in_front_of_residual
// CHECK:         scf.for
// CHECK:         %[[WRITTEN:.*]] = vector.load %{{.*}}[%{{.*}}] : memref<128xf32>, vector<64xf32>
// CHECK-NOT:     memref<64xf32>, vector<64xf32>
// CHECK:         gpu.barrier
// CHECK:         vector.load %{{.*}} : memref<64xf32, #gpu.address_space<workgroup>>, vector<64xf32>
// CHECK:         vector.load %{{.*}} : memref<64xf32>, vector<64xf32>
// CHECK:         vector.extract_strided_slice
// CHECK:         math.exp %{{.*}} : vector<8xf32>
func.func @bias_in_front_of_residual(%a: memref<?xf32>, %b: memref<64xf32>, %out: memref<128xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ones = arith.constant dense<1.0> : vector<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %shared = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %ones) -> (vector<64xf32>) {
      %x = vector.load %a[%c0] : memref<?xf32>, vector<64xf32>
      %next = arith.addf %acc, %x : vector<64xf32>
      scf.yield %next : vector<64xf32>
    }
    %bias = vector.load %b[%c0] : memref<64xf32>, vector<64xf32>
    %written = vector.load %out[%c0] : memref<128xf32>, vector<64xf32>
    gpu.barrier
    %residual = vector.load %shared[%c0] : memref<64xf32, #gpu.address_space<workgroup>>, vector<64xf32>
    %s = arith.addf %sum, %bias : vector<64xf32>
    %e = math.exp %s : vector<64xf32>
    %d = arith.addf %e, %ones : vector<64xf32>
    %q = arith.divf %s, %d : vector<64xf32>
    %r = arith.addf %q, %residual : vector<64xf32>
    %w = arith.addf %r, %written : vector<64xf32>
    vector.store %w, %out[%c0] : memref<128xf32>, vector<64xf32>
    gpu.terminator
  }
  return
}
