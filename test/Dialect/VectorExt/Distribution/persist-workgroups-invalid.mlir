// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=persist-workgroups --split-input-file --verify-diagnostics
// RUN: sed 's/persist = 1 /persist = 4 /' %s | not linalg-ext-opt --vector-ext-pipeline-products=steps=persist-workgroups --split-input-file 2>&1 | FileCheck %s --check-prefix=COUNT

!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// COUNT: error: cannot persist workgroups: expected 1 or 2 directions, or 3 for pairs, got 4
func.func @grid(%n: index) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  // expected-error@below {{cannot persist workgroups: expected a program of one block, in a grid of one dimension}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @barrier(%n: index) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    // expected-error@below {{cannot persist workgroups: expected a program without roles, barriers and ops for the number of the workgroup}}
    gpu.barrier
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @branch(%q: memref<?x64xf16>, %n: index, %if: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    scf.if %if {
      // expected-error@below {{cannot persist workgroups: a tile is copied in a branch, or in a loop in a loop}}
      vector_ext.ring.put %ring[%c0], %q at (%x, %c0) {maps = [#id]} : !ring, memref<?x64xf16>
    }
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @pairs(%n: index) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  // expected-error@below {{cannot persist workgroups: expected a known number of pairs of tiles, fewer than 132 processors}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 3 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @too_many_pairs() {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c264 = arith.constant 264 : index
  // expected-error@below {{cannot persist workgroups: expected a known number of pairs of tiles, fewer than 132 processors}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %c264, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 3 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// -----

!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @clusters() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %c301 = arith.constant 301 : index
  // expected-error@below {{cannot persist workgroups: expected tiles in one direction, and a known multiple of the workgroups of a cluster}}
  gpu.launch clusters(%u, %v, %w) in (%su = %c2, %sv = %c1, %sw = %c1) blocks(%x, %y, %z) in (%gx = %c301, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}
