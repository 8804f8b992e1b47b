// RUN: linalg-ext-opt %s --vector-ext-distribute --canonicalize --cse --split-input-file | FileCheck %s

// 128 elements exist: only the other 128 are asked for. Their number is a multiple
// of 4, so loads take 16 bytes.

// CHECK-LABEL: func @assumed
// CHECK:         gpu.launch
// CHECK:           vector.load {{.*}} vector<4xf32>
// CHECK:           scf.if
// CHECK:             vector.load {{.*}} vector<4xf32>
// CHECK-NOT:       scf.if {{.*}} vector
// CHECK:         return
func.func @assumed(%in: memref<?xf32>, %out: memref<256xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %size = vector_ext.assume %n at_least 128 multiple_of 4
    %mask = vector.create_mask %size : vector<256xi1>
    %x = vector.transfer_read %in[%c0], %zero, %mask {in_bounds = [true]} : memref<?xf32>, vector<256xf32>
    vector.transfer_write %x, %out[%c0] {in_bounds = [true]} : vector<256xf32>, memref<256xf32>
    gpu.terminator
  }
  return
}

// -----

// CHECK-LABEL: func @negative_unknown
// CHECK-COUNT-8: scf.if
// CHECK:         return
func.func @negative_unknown(%in: memref<?xf32>, %out: memref<256xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %mask = vector.create_mask %n : vector<256xi1>
    %x = vector.transfer_read %in[%c0], %zero, %mask {in_bounds = [true]} : memref<?xf32>, vector<256xf32>
    vector.transfer_write %x, %out[%c0] {in_bounds = [true]} : vector<256xf32>, memref<256xf32>
    gpu.terminator
  }
  return
}
