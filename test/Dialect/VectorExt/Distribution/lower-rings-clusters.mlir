// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=lower-rings | FileCheck %s

// Workgroups of a cluster share the second tile. Each copies the first one whole, to itself, and its
// half of the second one, 32 of 64 rows, to both: to their slots, from its own row on. The barrier of a
// full slot expects the bytes of both tiles. That of an empty one expects the four subgroups of both
// workgroups: lane w of each subgroup arrives at that of workgroup w.
// What threads store in front of the roles is there behind the barrier of the cluster.

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>, vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>,
             <[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// CHECK-LABEL: func.func @shared
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<512x512xf16>, %[[B:[a-z0-9]+]]: memref<512x512xf16>
// CHECK-DAG: nvgpu.tma.create.descriptor %{{.*}} box[%c64{{.*}}, %c64{{.*}}]
// CHECK-DAG: nvgpu.tma.create.descriptor %{{.*}} box[%c32{{.*}}, %c64{{.*}}]
// CHECK: gpu.launch clusters(
// CHECK: %[[FULL:.*]] = nvgpu.mbarrier.create
// CHECK: nvgpu.mbarrier.init %[[FULL]][%{{.*}}], %c1{{.*}}, predicate
// CHECK: %[[EMPTY:.*]] = nvgpu.mbarrier.create
// CHECK: nvgpu.mbarrier.init %[[EMPTY]][%{{.*}}], %c8{{.*}}, predicate
// CHECK: %[[RANK:.*]] = gpu.cluster_block_id x
// CHECK: memref.store
// CHECK-NEXT: vector_ext.cluster_barrier
// CHECK-NOT: gpu.barrier
// CHECK: vector_ext.role first(0) threads(128)
// CHECK: %[[LANE:.*]] = arith.remui %{{.*}}, %c32
// CHECK: %[[IS_RANK:.*]] = arith.cmpi ult, %[[LANE]], %c2
// CHECK: vector_ext.cluster_arrive %[[EMPTY]][%{{.*}}] of %[[LANE]] if %[[IS_RANK]]
// CHECK: vector_ext.role first(128)
// CHECK: nvgpu.mbarrier.try_wait.parity %[[EMPTY]]
// CHECK: %[[PLACE:.*]] = arith.muli %[[RANK]], %c4096
// CHECK: %[[ROW:.*]] = arith.muli %[[RANK]], %c32
// CHECK: nvgpu.mbarrier.arrive.expect_tx %[[FULL]][%{{.*}}], %c16384
// CHECK: nvgpu.tma.async.load
// CHECK-NOT: multicast_mask
// CHECK: nvgpu.tma.async.load
// CHECK-SAME: multicast_mask = %c3_i16
// CHECK: }
// CHECK: vector_ext.cluster_barrier
// CHECK-NEXT: gpu.terminator
func.func @shared(%a: memref<512x512xf16>, %b: memref<512x512xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  gpu.launch clusters(%u, %v, %w) in (%su = %c2, %sv = %c1, %sw = %c1) blocks(%x, %y, %z) in (%gx = %c64, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %table = memref.alloc() : memref<256xindex, #gpu.address_space<workgroup>>
    memref.store %x, %table[%tx] : memref<256xindex, #gpu.address_space<workgroup>>
    vector_ext.role first(0) threads(128) {
      scf.for %k = %c0 to %c512 step %c64 {
        %p = arith.divui %k, %c64 : index
        %t:2 = vector_ext.ring.get %ring[%p] : !ring
        vector_ext.ring.release %ring[%p] : !ring
      }
    }
    vector_ext.role first(128) threads(128) single {
      scf.for %k = %c0 to %c512 step %c64 {
        %p = arith.divui %k, %c64 : index
        vector_ext.ring.put %ring[%p], %a, %b at (%x, %k), (%k, %c64) {maps = [#id, #id], shared = array<i64: 1>} : !ring, memref<512x512xf16>, memref<512x512xf16>
      }
    }
    gpu.terminator
  }
  return
}
