// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=lower-rings --split-input-file --canonicalize --cse | FileCheck %s

// Where a slot is freed whose tile threads load: behind what they compute from it,
// in front of the next wait. A fence orders their loads before the next copy.

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// CHECK-LABEL: func.func @loaded
// CHECK: vector_ext.role first(0)
// CHECK: scf.for
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK: %[[TILE:.+]] = vector_ext.shared_tile
// CHECK-NEXT: %[[WIDE:.+]] = arith.extf %[[TILE]]
// CHECK-NEXT: %[[POWER:.+]] = math.exp2 %[[WIDE]]
// CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// CHECK-NEXT: nvvm.bar.warp.sync
// CHECK-NEXT: nvgpu.mbarrier.arrive.expect_tx
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK: vector.transfer_write
// CHECK: nvvm.fence.proxy
func.func @loaded(%a: memref<512x64xf16>, %b: memref<512x64xf16>, %o: memref<512x64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %other = vector_ext.ring.create : !ring
    vector_ext.role first(0) threads(128) {
      scf.for %i = %c0 to %c512 step %c64 {
        %p = arith.divui %i, %c64 : index
        %t = vector_ext.ring.get %ring[%p] : !ring
        %wide = arith.extf %t : vector<64x64xf16> to vector<64x64xf32>
        vector_ext.ring.release %ring[%p] : !ring
        %power = math.exp2 %wide : vector<64x64xf32>
        %u = vector_ext.ring.get %other[%p] : !ring
        %wideToo = arith.extf %u : vector<64x64xf16> to vector<64x64xf32>
        %sum = arith.addf %power, %wideToo : vector<64x64xf32>
        vector.transfer_write %sum, %o[%i, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<512x64xf32>
        vector_ext.ring.release %other[%p] : !ring
      }
    }
    vector_ext.role first(128) threads(128) single {
      scf.for %i = %c0 to %c512 step %c64 {
        %p = arith.divui %i, %c64 : index
        vector_ext.ring.put %ring[%p], %a at (%i, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
        vector_ext.ring.put %other[%p], %b at (%i, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
      }
    }
    gpu.terminator
  }
  return
}

// -----

// Slots of bytes are freed at once.

#id = affine_map<(d0, d1) -> (d0, d1)>
!bytes = !vector_ext.ring<slots = 2, tiles = [vector<64x64xi8>],
  layouts = [<[64, 64], order = [0, 1], bits = 8, panel = 64, padding = 0, swizzle = [2, 4, 3]>]>

// CHECK-LABEL: func.func @bytes
// CHECK: vector_ext.role first(0)
// CHECK: %[[TILE:.+]] = vector_ext.shared_tile
// CHECK-NEXT: %[[WIDE:.+]] = arith.extsi %[[TILE]]
// CHECK-NEXT: nvvm.fence.proxy
// CHECK-NEXT: nvvm.bar.warp.sync
// CHECK-NEXT: nvgpu.mbarrier.arrive.expect_tx
// CHECK-NEXT: arith.muli %[[WIDE]], %[[WIDE]]
func.func @bytes(%a: memref<512x64xi8>, %o: memref<512x64xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !bytes
    vector_ext.role first(0) threads(128) {
      scf.for %i = %c0 to %c512 step %c64 {
        %p = arith.divui %i, %c64 : index
        %t = vector_ext.ring.get %ring[%p] : !bytes
        %wide = arith.extsi %t : vector<64x64xi8> to vector<64x64xi32>
        vector_ext.ring.release %ring[%p] : !bytes
        %square = arith.muli %wide, %wide : vector<64x64xi32>
        %next = arith.addi %p, %c1 : index
        %u = vector_ext.ring.get %ring[%next] : !bytes
        %wideToo = arith.extsi %u : vector<64x64xi8> to vector<64x64xi32>
        vector_ext.ring.release %ring[%next] : !bytes
        %sum = arith.addi %square, %wideToo : vector<64x64xi32>
        vector.transfer_write %sum, %o[%i, %c0] {in_bounds = [true, true]} : vector<64x64xi32>, memref<512x64xi32>
      }
    }
    vector_ext.role first(128) threads(128) single {
      scf.for %i = %c0 to %c512 step %c64 {
        %p = arith.divui %i, %c64 : index
        vector_ext.ring.put %ring[%p], %a at (%i, %c0) {maps = [#id]} : !bytes, memref<512x64xi8>
      }
    }
    gpu.terminator
  }
  return
}
