// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=assign-roles --split-input-file --verify-diagnostics

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @vector(%a: memref<512x64xf16>, %places: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    // expected-error@above {{cannot assign roles: the place of a tile follows from a vector}}
    %ring = vector_ext.ring.create : !ring
    %v = vector.transfer_read %places[%c0], %c0 {in_bounds = [true]} : memref<4xindex>, vector<4xindex>
    %m = vector.extract %v[0] : index from vector<4xindex>
    vector_ext.ring.put %ring[%c0], %a at (%m, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
    gpu.terminator
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @written(%a: memref<512x64xf16>, %places: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    memref.store %c1, %places[%c1] : memref<4xindex>
    // expected-error@below {{cannot assign roles: the place of a tile follows from memory to which the kernel writes}}
    %m = memref.load %places[%c0] : memref<4xindex>
    vector_ext.ring.put %ring[%c0], %a at (%m, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
    gpu.terminator
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @threads(%a: memref<512x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  // expected-error@below {{cannot assign roles: expected a workgroup of a multiple of 128 threads, and at most 896}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
    gpu.terminator
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @barrier(%a: memref<512x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
    // expected-error@below {{cannot assign roles: expected a program without barriers and roles}}
    gpu.barrier
    gpu.terminator
  }
  return
}

// -----

// 512 threads start with 128 registers.

#id = affine_map<(d0, d1) -> (d0, d1)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n256k16.f32.f16", subgroups = [3, 1]>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<192x64xf16>, vector<256x64xf16>],
  layouts = [<[192, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>,
             <[256, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @registers(%a: memref<192x64xf16>, %b: memref<256x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c384 = arith.constant 384 : index
  %zero = arith.constant dense<0.0> : vector<192x256xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %ring[%c0], %a, %b at (%c0, %c0), (%c0, %c0) {maps = [#id, #id]} : !ring, memref<192x64xf16>, memref<256x64xf16>
    %lhs, %rhs = vector_ext.ring.get %ring[%c0] : !ring
    // expected-error@below {{cannot assign roles: the instruction needs 158 registers, expected at most the 128 of a launch of 512 threads}}
    %0 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
         %lhs, %rhs, %zero : vector<192x64xf16>, vector<256x64xf16> into vector<192x256xf32>
    vector_ext.ring.release %ring[%c0] : !ring
    gpu.terminator
  }
  return
}

// -----

// Groups of threads with tiles of their own need a loop over tiles.

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @no_loop(%a: memref<512x64xf16>, %out: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  // expected-error@below {{cannot assign roles: expected a loop over tiles}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    gpu.terminator
  } {vector_ext.kernel = {number = 0, rotate = false, slots = 2, threads = 128, way = "roles", persist = 1, groups = 2}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    // expected-error@below {{cannot assign roles: expected one loop over tiles, and nothing beside it}}
    memref.store %c0, %out[%c0] : memref<?xindex>
    gpu.terminator
  } {vector_ext.kernel = {number = 1, rotate = false, slots = 2, threads = 128, way = "roles", persist = 1, groups = 2}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    // expected-error@below {{cannot assign roles: what the loop over tiles carries follows from more than the number of a tile}}
    %0 = scf.for %i = %c0 to %gx step %c1 iter_args(%n = %c0) -> (index) {
      vector_ext.ring.put %ring[%n], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
      %t = vector_ext.ring.get %ring[%n] : !ring
      vector_ext.ring.release %ring[%n] : !ring
      %next = memref.load %out[%n] : memref<?xindex>
      scf.yield %next : index
    }
    gpu.terminator
  } {vector_ext.kernel = {number = 2, rotate = false, slots = 2, threads = 128, way = "roles", persist = 1, groups = 2}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    scf.for %i = %c0 to %gx step %c1 {
      vector_ext.ring.put %ring[%i], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
      // expected-error@below {{cannot assign roles: the threads of all groups write zeros behind a tile}}
      %t = vector_ext.ring.get %ring[%i] ends(%i) : !ring
      vector_ext.ring.release %ring[%i] : !ring
    }
    gpu.terminator
  } {vector_ext.kernel = {number = 3, rotate = false, slots = 2, threads = 128, way = "roles", persist = 1, groups = 2}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    scf.for %i = %c0 to %gx step %c1 {
      %first = arith.muli %i, %c128 : index
      scf.for %k = %c0 to %c128 step %c1 {
        %n = arith.addi %first, %k : index
        vector_ext.ring.put %ring[%n], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
        // expected-error@below {{cannot assign roles: groups would get tiles outside of their turns, and more than one of the ring}}
        %t = vector_ext.ring.get %ring[%n] : !ring
        vector_ext.ring.release %ring[%n] : !ring
      }
    }
    gpu.terminator
  } {vector_ext.kernel = {number = 4, rotate = false, slots = 2, threads = 128, way = "roles", persist = 1, groups = 2}}
  return
}
