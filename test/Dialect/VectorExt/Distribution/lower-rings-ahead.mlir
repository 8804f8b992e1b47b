// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=lower-rings --canonicalize --cse | FileCheck %s

// The threads that compute start copies two iterations ahead, in each of the rings of a
// loop. What is copied in front of the loop is waited for behind the first copies.

#id = affine_map<(d0, d1) -> (d0, d1)>
!once = !vector_ext.ring<slots = 1, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
!ring = !vector_ext.ring<slots = 3, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// CHECK-LABEL: func.func @two_rings
//       CHECK:   %[[MAP_A:.+]] = nvgpu.tma.create.descriptor
//       CHECK:   %[[MAP_B:.+]] = nvgpu.tma.create.descriptor
//       CHECK:   %[[MAP_Q:.+]] = nvgpu.tma.create.descriptor
//       CHECK:   gpu.launch
//       CHECK:     nvgpu.tma.async.load %[[MAP_Q]]
//   CHECK-NOT:     nvgpu.mbarrier.try_wait
//       CHECK:     gpu.barrier
// CHECK-COUNT-2:   nvgpu.tma.async.load %[[MAP_A]]
//   CHECK-NOT:     nvgpu.mbarrier.try_wait
//       CHECK:     gpu.barrier
// CHECK-COUNT-2:   nvgpu.tma.async.load %[[MAP_B]]
//       CHECK:     nvgpu.mbarrier.try_wait.parity
//  CHECK-NEXT:     vector_ext.shared_tile
//  CHECK-NEXT:     scf.for
//       CHECK:       nvgpu.mbarrier.try_wait.parity
//       CHECK:       arith.mulf
//  CHECK-NEXT:       gpu.barrier
//       CHECK:       nvgpu.tma.async.load %[[MAP_A]]
//       CHECK:       nvgpu.mbarrier.try_wait.parity
//       CHECK:       %[[B:.+]] = vector_ext.shared_tile
//  CHECK-NEXT:       arith.extf %[[B]]
//  CHECK-NEXT:       gpu.barrier
//       CHECK:       nvgpu.tma.async.load %[[MAP_B]]
//   CHECK-NOT:       nvgpu.tma.async.load
//       CHECK:     gpu.terminator
func.func @two_rings(%q: memref<64x64xf16>, %a: memref<512x64xf16>, %b: memref<512x64xf16>, %o: memref<64x64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %once = vector_ext.ring.create : !once
    %ring = vector_ext.ring.create : !ring
    %other = vector_ext.ring.create : !ring
    vector_ext.ring.put %once[%c0], %q at (%c0, %c0) {maps = [#id]} : !once, memref<64x64xf16>
    %s = vector_ext.ring.get %once[%c0] : !once
    %sum = scf.for %i = %c0 to %c512 step %c64 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
      %p = arith.divui %i, %c64 : index
      vector_ext.ring.put %ring[%p], %a at (%i, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
      %t = vector_ext.ring.get %ring[%p] : !ring
      %product = arith.mulf %s, %t : vector<64x64xf16>
      %wide = arith.extf %product : vector<64x64xf16> to vector<64x64xf32>
      vector_ext.ring.put %other[%p], %b at (%i, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
      %u = vector_ext.ring.get %other[%p] : !ring
      %wideToo = arith.extf %u : vector<64x64xf16> to vector<64x64xf32>
      %both = arith.mulf %wide, %wideToo : vector<64x64xf32>
      %next = arith.addf %acc, %both : vector<64x64xf32>
      scf.yield %next : vector<64x64xf32>
    }
    vector.transfer_write %sum, %o[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}
