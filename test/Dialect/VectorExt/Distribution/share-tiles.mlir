// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=share-tiles --split-input-file | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(vector-ext-pipeline-products{steps=share-tiles})' --split-input-file | FileCheck %s

// Workgroups 2 n and 2 n + 1 have tiles below each other: they share that of %b.

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>, vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>,
             <[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// CHECK-LABEL: func.func @columns
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: gpu.launch clusters({{[^)]*}}) in (%{{[a-z0-9]+}} = %[[TWO]], {{[^)]*}}) blocks(
// CHECK: vector_ext.ring.put
// CHECK-SAME: shared = array<i64: 1>
func.func @columns(%a: memref<1024x512xf16>, %b: memref<512x512xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c128, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %at:2 = affine.delinearize_index %x into (8, 16) : index, index
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%at#1)
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%at#0)
    scf.for %k = %c0 to %c512 step %c64 {
      %p = arith.divui %k, %c64 : index
      vector_ext.ring.put %ring[%p], %a, %b at (%m, %k), (%k, %n) {maps = [#id, #id]} : !ring, memref<1024x512xf16>, memref<512x512xf16>
      %t:2 = vector_ext.ring.get %ring[%p] : !ring
      vector_ext.ring.release %ring[%p] : !ring
    }
    gpu.terminator
  } {vector_ext.kernel = {cluster = 2 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

// In clusters of four beside each other, they share that of %a. The tile of another
// ring is the same in all, and that of a third one is not.

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>, vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>,
             <[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
!one = !vector_ext.ring<slots = 1, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// CHECK-LABEL: func.func @rows
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: gpu.launch clusters({{[^)]*}}) in (%{{[a-z0-9]+}} = %[[FOUR]],
// CHECK: vector_ext.ring.put
// CHECK-SAME: at (%{{.*}}, %c0)
// CHECK-SAME: shared = array<i64: 0>
// CHECK: vector_ext.ring.put
// CHECK-NOT: shared
// CHECK: vector_ext.ring.get
// CHECK: vector_ext.ring.put
// CHECK-SAME: shared = array<i64: 0>
func.func @rows(%a: memref<1024x512xf16>, %b: memref<512x512xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c128, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %first = vector_ext.ring.create : !one
    %other = vector_ext.ring.create : !one
    %m = affine.apply affine_map<(d0) -> (d0 floordiv 8 * 64)>(%x)
    %n = affine.apply affine_map<(d0) -> (d0 mod 8 * 64)>(%x)
    vector_ext.ring.put %first[%c0], %a at (%m, %c0) {maps = [#id]} : !one, memref<1024x512xf16>
    %f = vector_ext.ring.get %first[%c0] : !one
    vector_ext.ring.put %other[%c0], %b at (%c0, %n) {maps = [#id]} : !one, memref<512x512xf16>
    %o = vector_ext.ring.get %other[%c0] : !one
    scf.for %k = %c0 to %c512 step %c64 {
      %p = arith.divui %k, %c64 : index
      vector_ext.ring.put %ring[%p], %a, %b at (%m, %k), (%k, %n) {maps = [#id, #id]} : !ring, memref<1024x512xf16>, memref<512x512xf16>
      %t:2 = vector_ext.ring.get %ring[%p] : !ring
      vector_ext.ring.release %ring[%p] : !ring
    }
    gpu.terminator
  } {vector_ext.kernel = {cluster = 4 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

// In bands of 8 rows, of which the last one has 6.

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// CHECK-LABEL: func.func @bands
// CHECK: gpu.launch clusters(
// CHECK: vector_ext.ring.put
// CHECK-SAME: shared = array<i64: 0>
func.func @bands(%b: memref<512x512xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c176 = arith.constant 176 : index
  %c512 = arith.constant 512 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c176, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %band:2 = affine.delinearize_index %x into (64) : index, index
    %height = affine.min affine_map<(d0) -> (8, d0 * -8 + 22)>(%band#0)
    %at:2 = affine.delinearize_index %band#1 into (%height) : index, index
    %n = affine.apply affine_map<(d0) -> (d0 * 64)>(%at#0)
    scf.for %k = %c0 to %c512 step %c64 {
      %p = arith.divui %k, %c64 : index
      vector_ext.ring.put %ring[%p], %b at (%k, %n) {maps = [#id]} : !ring, memref<512x512xf16>
      %t = vector_ext.ring.get %ring[%p] : !ring
      vector_ext.ring.release %ring[%p] : !ring
    }
    gpu.terminator
  } {vector_ext.kernel = {cluster = 2 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

// Without `cluster`, nothing changes.

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// CHECK-LABEL: func.func @negative_no_cluster
// CHECK: gpu.launch blocks(
// CHECK-NOT: shared =
func.func @negative_no_cluster(%b: memref<512x512xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c128, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %ring[%c0], %b at (%c0, %c0) {maps = [#id]} : !ring, memref<512x512xf16>
    %t = vector_ext.ring.get %ring[%c0] : !ring
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}
