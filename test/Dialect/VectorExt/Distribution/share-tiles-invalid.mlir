// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=share-tiles --split-input-file --verify-diagnostics
// RUN: sed 's/cluster = 2 /cluster = 9 /' %s | not linalg-ext-opt --vector-ext-pipeline-products=steps=share-tiles --split-input-file 2>&1 | FileCheck %s --check-prefix=COUNT

// COUNT: error: cannot share tiles: expected clusters of 2 to 8 workgroups, got 9
#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @odd(%a: memref<1024x512xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  // expected-error@below {{cannot share tiles: expected a known multiple of 2 workgroups, got 127}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %c127, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<1024x512xf16>
    gpu.terminator
  } {vector_ext.kernel = {cluster = 2 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @unknown(%a: memref<1024x512xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  // expected-error@below {{cannot share tiles: expected a known multiple of 2 workgroups, got an unknown one}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<1024x512xf16>
    gpu.terminator
  } {vector_ext.kernel = {cluster = 2 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @grid(%a: memref<1024x512xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  // expected-error@below {{cannot share tiles: expected a launch without clusters, in a grid of one dimension}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %c128, %gy = %c2, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<1024x512xf16>
    gpu.terminator
  } {vector_ext.kernel = {cluster = 2 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @clusters(%a: memref<1024x512xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  // expected-error@below {{cannot share tiles: expected a launch without clusters, in a grid of one dimension}}
  gpu.launch clusters(%u, %v, %w) in (%su = %c2, %sv = %c1, %sw = %c1) blocks(%x, %y, %z) in (%gx = %c128, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<1024x512xf16>
    gpu.terminator
  } {vector_ext.kernel = {cluster = 2 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @different(%a: memref<1024x512xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  // expected-error@below {{cannot share tiles: expected a tile that is the same in the workgroups of a cluster, found none}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %c128, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%x)
    vector_ext.ring.put %ring[%c0], %a at (%m, %c0) {maps = [#id]} : !ring, memref<1024x512xf16>
    gpu.terminator
  } {vector_ext.kernel = {cluster = 2 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

// Rows of three tiles: a pair may be in two of them.
#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @three(%a: memref<1024x512xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  // expected-error@below {{cannot share tiles: expected a tile that is the same in the workgroups of a cluster, found none}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %c128, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %at:2 = affine.delinearize_index %x into (3) : index, index
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%at#0)
    vector_ext.ring.put %ring[%c0], %a at (%m, %c0) {maps = [#id]} : !ring, memref<1024x512xf16>
    gpu.terminator
  } {vector_ext.kernel = {cluster = 2 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

// One workgroup may copy more often.
#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @trips(%a: memref<1024x512xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  // expected-error@below {{cannot share tiles: expected a tile that is the same in the workgroups of a cluster, found none}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %c128, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %end = affine.apply affine_map<(d0) -> (d0 * 64)>(%x)
    scf.for %k = %c0 to %end step %c64 {
      %p = arith.divui %k, %c64 : index
      vector_ext.ring.put %ring[%p], %a at (%c0, %k) {maps = [#id]} : !ring, memref<1024x512xf16>
    }
    gpu.terminator
  } {vector_ext.kernel = {cluster = 2 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @branch(%a: memref<1024x512xf16>, %if: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  // expected-error@below {{cannot share tiles: expected a tile that is the same in the workgroups of a cluster, found none}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %c128, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    scf.if %if {
      vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<1024x512xf16>
    }
    gpu.terminator
  } {vector_ext.kernel = {cluster = 2 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

// Indices in memory may change between the reads of the two.
#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @memory(%a: memref<1024x512xf16>, %table: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  // expected-error@below {{cannot share tiles: expected a tile that is the same in the workgroups of a cluster, found none}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %c128, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %m = memref.load %table[%c0] : memref<4xindex>
    vector_ext.ring.put %ring[%c0], %a at (%m, %c0) {maps = [#id]} : !ring, memref<1024x512xf16>
    gpu.terminator
  } {vector_ext.kernel = {cluster = 2 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}
