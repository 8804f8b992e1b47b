// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_80 --linalg-ext-select-config | FileCheck %s

// The sums of the bytes that a contraction multiplies, the same for all rows, are a second contraction, of ones.

// CHECK-LABEL: func @beside
// CHECK:         %[[W:.*]] = vector.transfer_read {{.*}} vector<128x32xi8>
// CHECK:         vector.contract {{.*}} %{{.*}}, %[[W]], %{{.*}}intrinsic = "mma.sync.m16n8k32.s32.s8.s8"
// CHECK:         %[[ONES:.*]] = arith.constant dense<1> : vector<16x128xi8>
// CHECK:         vector.contract {{.*}} %[[ONES]], %[[W]], %{{.*}}intrinsic = "mma.sync.m16n8k32.s32.s8.s8"
// CHECK-NOT:     vector.multi_reduction
// CHECK-NOT:     vector.broadcast
func.func @beside(%a: memref<16x128xi8>, %b: memref<128x32xi8>, %c: memref<16x32xi32>, %d: memref<16x32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %z8 = arith.constant 0 : i8
    %zero = arith.constant dense<0> : vector<16x32xi32>
    %x = vector.transfer_read %a[%c0, %c0], %z8 {in_bounds = [true, true]} : memref<16x128xi8>, vector<16x128xi8>
    %w = vector.transfer_read %b[%c0, %c0], %z8 {in_bounds = [true, true]} : memref<128x32xi8>, vector<128x32xi8>
    %p = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %x, %w, %zero : vector<16x128xi8>, vector<128x32xi8> into vector<16x32xi32>
    %wide = arith.extsi %w : vector<128x32xi8> to vector<128x32xi32>
    %rows = vector.broadcast %wide : vector<128x32xi32> to vector<16x128x32xi32>
    %t = vector.transpose %rows, [1, 2, 0] : vector<16x128x32xi32> to vector<128x32x16xi32>
    %acc = vector.transpose %zero, [1, 0] : vector<16x32xi32> to vector<32x16xi32>
    %s = vector.multi_reduction <add>, %t, %acc [0] : vector<128x32x16xi32> to vector<32x16xi32>
    %sums = vector.transpose %s, [1, 0] : vector<32x16xi32> to vector<16x32xi32>
    vector.transfer_write %p, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xi32>, memref<16x32xi32>
    vector.transfer_write %sums, %d[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xi32>, memref<16x32xi32>
    gpu.terminator
  }
  return
}

// Other signs than those of the contraction, and sums along another dimension, stay.

// CHECK-LABEL: func @negative_other_sign
// CHECK:         vector.multi_reduction
func.func @negative_other_sign(%a: memref<16x128xi8>, %b: memref<128x32xi8>, %c: memref<16x32xi32>, %d: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %z8 = arith.constant 0 : i8
    %zero = arith.constant dense<0> : vector<16x32xi32>
    %none = arith.constant dense<0> : vector<32xi32>
    %x = vector.transfer_read %a[%c0, %c0], %z8 {in_bounds = [true, true]} : memref<16x128xi8>, vector<16x128xi8>
    %w = vector.transfer_read %b[%c0, %c0], %z8 {in_bounds = [true, true]} : memref<128x32xi8>, vector<128x32xi8>
    %p = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %x, %w, %zero : vector<16x128xi8>, vector<128x32xi8> into vector<16x32xi32>
    %wide = arith.extui %w : vector<128x32xi8> to vector<128x32xi32>
    %s = vector.multi_reduction <add>, %wide, %none [0] : vector<128x32xi32> to vector<32xi32>
    vector.transfer_write %p, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xi32>, memref<16x32xi32>
    vector.transfer_write %s, %d[%c0] {in_bounds = [true]} : vector<32xi32>, memref<32xi32>
    gpu.terminator
  }
  return
}

// CHECK-LABEL: func @negative_columns
// CHECK:         vector.multi_reduction
func.func @negative_columns(%a: memref<16x128xi8>, %b: memref<128x32xi8>, %c: memref<16x32xi32>, %d: memref<128xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %z8 = arith.constant 0 : i8
    %zero = arith.constant dense<0> : vector<16x32xi32>
    %none = arith.constant dense<0> : vector<128xi32>
    %x = vector.transfer_read %a[%c0, %c0], %z8 {in_bounds = [true, true]} : memref<16x128xi8>, vector<16x128xi8>
    %w = vector.transfer_read %b[%c0, %c0], %z8 {in_bounds = [true, true]} : memref<128x32xi8>, vector<128x32xi8>
    %p = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %x, %w, %zero : vector<16x128xi8>, vector<128x32xi8> into vector<16x32xi32>
    %wide = arith.extsi %w : vector<128x32xi8> to vector<128x32xi32>
    %s = vector.multi_reduction <add>, %wide, %none [1] : vector<128x32xi32> to vector<128xi32>
    vector.transfer_write %p, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xi32>, memref<16x32xi32>
    vector.transfer_write %s, %d[%c0] {in_bounds = [true]} : vector<128xi32>, memref<128xi32>
    gpu.terminator
  }
  return
}

// A mask of the sum hides only elements behind the end of the weights, which are read as 0. One that hides
// others, or rows, stays.

// CHECK-LABEL: func @masked
// CHECK:         %[[W:.*]] = vector.transfer_read {{.*}} vector<128x32xi8>
// CHECK:         %[[ONES:.*]] = arith.constant dense<1> : vector<16x128xi8>
// CHECK:         vector.contract {{.*}} %[[ONES]], %[[W]], %{{.*}}intrinsic = "mma.sync.m16n8k32.s32.s8.s8"
// CHECK-NOT:     vector.multi_reduction
// CHECK-NOT:     arith.select
func.func @masked(%a: memref<16x104xi8>, %b: memref<104x32xi8>, %c: memref<16x32xi32>, %d: memref<16x32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %z8 = arith.constant 0 : i8
    %zero = arith.constant dense<0> : vector<16x32xi32>
    %none = arith.constant dense<0> : vector<128x32x16xi32>
    %ofx = vector.constant_mask [16, 104] : vector<16x128xi1>
    %ofw = vector.constant_mask [104, 32] : vector<128x32xi1>
    %x = vector.transfer_read %a[%c0, %c0], %z8, %ofx {in_bounds = [true, true]} : memref<16x104xi8>, vector<16x128xi8>
    %w = vector.transfer_read %b[%c0, %c0], %z8, %ofw {in_bounds = [true, true]} : memref<104x32xi8>, vector<128x32xi8>
    %p = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %x, %w, %zero : vector<16x128xi8>, vector<128x32xi8> into vector<16x32xi32>
    %wide = arith.extsi %w : vector<128x32xi8> to vector<128x32xi32>
    %rows = vector.broadcast %wide : vector<128x32xi32> to vector<16x128x32xi32>
    %t = vector.transpose %rows, [1, 2, 0] : vector<16x128x32xi32> to vector<128x32x16xi32>
    %mask = vector.constant_mask [104, 32, 16] : vector<128x32x16xi1>
    %left = arith.select %mask, %t, %none : vector<128x32x16xi1>, vector<128x32x16xi32>
    %acc = vector.transpose %zero, [1, 0] : vector<16x32xi32> to vector<32x16xi32>
    %s = vector.multi_reduction <add>, %left, %acc [0] : vector<128x32x16xi32> to vector<32x16xi32>
    %sums = vector.transpose %s, [1, 0] : vector<32x16xi32> to vector<16x32xi32>
    vector.transfer_write %p, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xi32>, memref<16x32xi32>
    vector.transfer_write %sums, %d[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xi32>, memref<16x32xi32>
    gpu.terminator
  }
  return
}

// CHECK-LABEL: func @negative_hides_others
// CHECK:         vector.multi_reduction
func.func @negative_hides_others(%a: memref<16x104xi8>, %b: memref<104x32xi8>, %c: memref<16x32xi32>, %d: memref<16x32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %z8 = arith.constant 0 : i8
    %zero = arith.constant dense<0> : vector<16x32xi32>
    %none = arith.constant dense<0> : vector<128x32x16xi32>
    %ofx = vector.constant_mask [16, 104] : vector<16x128xi1>
    %ofw = vector.constant_mask [104, 32] : vector<128x32xi1>
    %x = vector.transfer_read %a[%c0, %c0], %z8, %ofx {in_bounds = [true, true]} : memref<16x104xi8>, vector<16x128xi8>
    %w = vector.transfer_read %b[%c0, %c0], %z8, %ofw {in_bounds = [true, true]} : memref<104x32xi8>, vector<128x32xi8>
    %p = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %x, %w, %zero : vector<16x128xi8>, vector<128x32xi8> into vector<16x32xi32>
    %wide = arith.extsi %w : vector<128x32xi8> to vector<128x32xi32>
    %rows = vector.broadcast %wide : vector<128x32xi32> to vector<16x128x32xi32>
    %t = vector.transpose %rows, [1, 2, 0] : vector<16x128x32xi32> to vector<128x32x16xi32>
    %mask = vector.constant_mask [96, 32, 16] : vector<128x32x16xi1>
    %left = arith.select %mask, %t, %none : vector<128x32x16xi1>, vector<128x32x16xi32>
    %acc = vector.transpose %zero, [1, 0] : vector<16x32xi32> to vector<32x16xi32>
    %s = vector.multi_reduction <add>, %left, %acc [0] : vector<128x32x16xi32> to vector<32x16xi32>
    %sums = vector.transpose %s, [1, 0] : vector<32x16xi32> to vector<16x32xi32>
    vector.transfer_write %p, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xi32>, memref<16x32xi32>
    vector.transfer_write %sums, %d[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xi32>, memref<16x32xi32>
    gpu.terminator
  }
  return
}

// CHECK-LABEL: func @negative_hides_rows
// CHECK:         vector.multi_reduction
func.func @negative_hides_rows(%a: memref<16x104xi8>, %b: memref<104x32xi8>, %c: memref<16x32xi32>, %d: memref<16x32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %z8 = arith.constant 0 : i8
    %zero = arith.constant dense<0> : vector<16x32xi32>
    %none = arith.constant dense<0> : vector<128x32x16xi32>
    %ofx = vector.constant_mask [16, 104] : vector<16x128xi1>
    %ofw = vector.constant_mask [104, 32] : vector<128x32xi1>
    %x = vector.transfer_read %a[%c0, %c0], %z8, %ofx {in_bounds = [true, true]} : memref<16x104xi8>, vector<16x128xi8>
    %w = vector.transfer_read %b[%c0, %c0], %z8, %ofw {in_bounds = [true, true]} : memref<104x32xi8>, vector<128x32xi8>
    %p = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %x, %w, %zero : vector<16x128xi8>, vector<128x32xi8> into vector<16x32xi32>
    %wide = arith.extsi %w : vector<128x32xi8> to vector<128x32xi32>
    %rows = vector.broadcast %wide : vector<128x32xi32> to vector<16x128x32xi32>
    %t = vector.transpose %rows, [1, 2, 0] : vector<16x128x32xi32> to vector<128x32x16xi32>
    %mask = vector.constant_mask [104, 32, 8] : vector<128x32x16xi1>
    %left = arith.select %mask, %t, %none : vector<128x32x16xi1>, vector<128x32x16xi32>
    %acc = vector.transpose %zero, [1, 0] : vector<16x32xi32> to vector<32x16xi32>
    %s = vector.multi_reduction <add>, %left, %acc [0] : vector<128x32x16xi32> to vector<32x16xi32>
    %sums = vector.transpose %s, [1, 0] : vector<32x16xi32> to vector<16x32xi32>
    vector.transfer_write %p, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xi32>, memref<16x32xi32>
    vector.transfer_write %sums, %d[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xi32>, memref<16x32xi32>
    gpu.terminator
  }
  return
}
