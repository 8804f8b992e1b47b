// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a \
// RUN:   --linalg-ext-select-config=first=wgmma.m64n16k16.f32.f16 | FileCheck %s

// Rows that the memory does not have may have any value, if as many rows are stored as are read.

// CHECK-LABEL: func.func @same_rows
// CHECK:         vector.transfer_read %{{.*}} vector_ext.unused_behind = 0 : i64} : memref<?x8192xf16>
func.func @same_rows(%x: memref<?x8192xf16>, %w: memref<256x8192xi8>, %y: memref<?x256xf32>, %rows: index, %more: index) {
  %zero16 = arith.constant 0.0 : f16
  %zero8 = arith.constant 0 : i8
  %sums = arith.constant dense<0.0> : vector<16x128xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c8192 = arith.constant 8192 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%lx = %c256, %ly = %c1, %lz = %c1) {
    %column = affine.apply affine_map<()[s0] -> (s0 * 128)>()[%bx]
    %mask = vector.create_mask %rows, %c128 : vector<16x128xi1>
    %r = scf.for %k = %c0 to %c8192 step %c128 iter_args(%acc = %sums) -> (vector<16x128xf32>) {
      %b = vector.transfer_read %w[%column, %k], %zero8 {in_bounds = [true, true]} : memref<256x8192xi8>, vector<128x128xi8>
      %c = arith.sitofp %b : vector<128x128xi8> to vector<128x128xf16>
      %a = vector.transfer_read %x[%c0, %k], %zero16, %mask {in_bounds = [true, true]} : memref<?x8192xf16>, vector<16x128xf16>
      %n = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %c, %acc : vector<16x128xf16>, vector<128x128xf16> into vector<16x128xf32>
      scf.yield %n : vector<16x128xf32>
    }
    vector.transfer_write %r, %y[%c0, %column], %mask {in_bounds = [true, true]} : vector<16x128xf32>, memref<?x256xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}

// More rows are stored: those behind the end are sums of zeros.

// CHECK-LABEL: func.func @more_rows
// CHECK-NOT:     unused_behind
// CHECK:         intrinsic = "wgmma
func.func @more_rows(%x: memref<?x8192xf16>, %w: memref<256x8192xi8>, %y: memref<?x256xf32>, %rows: index, %more: index) {
  %zero16 = arith.constant 0.0 : f16
  %zero8 = arith.constant 0 : i8
  %sums = arith.constant dense<0.0> : vector<16x128xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c8192 = arith.constant 8192 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%lx = %c256, %ly = %c1, %lz = %c1) {
    %column = affine.apply affine_map<()[s0] -> (s0 * 128)>()[%bx]
    %mask = vector.create_mask %rows, %c128 : vector<16x128xi1>
    %other = vector.create_mask %more, %c128 : vector<16x128xi1>
    %r = scf.for %k = %c0 to %c8192 step %c128 iter_args(%acc = %sums) -> (vector<16x128xf32>) {
      %b = vector.transfer_read %w[%column, %k], %zero8 {in_bounds = [true, true]} : memref<256x8192xi8>, vector<128x128xi8>
      %c = arith.sitofp %b : vector<128x128xi8> to vector<128x128xf16>
      %a = vector.transfer_read %x[%c0, %k], %zero16, %mask {in_bounds = [true, true]} : memref<?x8192xf16>, vector<16x128xf16>
      %n = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %c, %acc : vector<16x128xf16>, vector<128x128xf16> into vector<16x128xf32>
      scf.yield %n : vector<16x128xf32>
    }
    vector.transfer_write %r, %y[%c0, %column], %other {in_bounds = [true, true]} : vector<16x128xf32>, memref<?x256xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}

// CHECK-LABEL: func.func @all_rows
// CHECK-NOT:     unused_behind
// CHECK:         intrinsic = "wgmma
func.func @all_rows(%x: memref<?x8192xf16>, %w: memref<256x8192xi8>, %y: memref<?x256xf32>, %rows: index, %more: index) {
  %zero16 = arith.constant 0.0 : f16
  %zero8 = arith.constant 0 : i8
  %sums = arith.constant dense<0.0> : vector<16x128xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c8192 = arith.constant 8192 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%lx = %c256, %ly = %c1, %lz = %c1) {
    %column = affine.apply affine_map<()[s0] -> (s0 * 128)>()[%bx]
    %mask = vector.create_mask %rows, %c128 : vector<16x128xi1>
    %r = scf.for %k = %c0 to %c8192 step %c128 iter_args(%acc = %sums) -> (vector<16x128xf32>) {
      %b = vector.transfer_read %w[%column, %k], %zero8 {in_bounds = [true, true]} : memref<256x8192xi8>, vector<128x128xi8>
      %c = arith.sitofp %b : vector<128x128xi8> to vector<128x128xf16>
      %a = vector.transfer_read %x[%c0, %k], %zero16, %mask {in_bounds = [true, true]} : memref<?x8192xf16>, vector<16x128xf16>
      %n = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %c, %acc : vector<16x128xf16>, vector<128x128xf16> into vector<16x128xf32>
      scf.yield %n : vector<16x128xf32>
    }
    vector.transfer_write %r, %y[%c0, %column] {in_bounds = [true, true]} : vector<16x128xf32>, memref<?x256xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}
