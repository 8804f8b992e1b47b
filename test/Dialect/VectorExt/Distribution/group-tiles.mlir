// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=persist-workgroups,assign-roles --canonicalize --cse --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=persist-workgroups,assign-roles,lower-rings --vector-ext-distribute --canonicalize --cse --linalg-ext-gpu-optimize-threads=steps=await-behind-loops --canonicalize --split-input-file | FileCheck %s --check-prefix=DISTRIBUTED

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [1, 1]>
!ring = !vector_ext.ring<slots = 3, tiles = [vector<128x64xf16>, vector<32x64xf16>],
  layouts = [<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>,
             <[32, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// Two groups of 128 threads. Group 1 begins with tile 1, behind the positions of tile
// 0; each tile of a group is followed by one of the other. A position is released one
// iteration later, and the last one behind the loop.

// CHECK-LABEL: func.func @product
// CHECK: threads({{.*}}) in ({{.*}} = %c384
// CHECK: %[[RING:.*]] = vector_ext.ring.create
// CHECK: vector_ext.role first(0) threads(256) groups(2) registers(232) {
// CHECK: %[[ALL:.*]] = arith.addi
// CHECK-NEXT: %[[COUNT:.*]] = vector_ext.assume %[[ALL]]
// CHECK: %[[G:.*]] = vector_ext.role_group
// CHECK: %[[OF_TILE:.*]] = arith.divui %{{.*}}, %c64
// CHECK: %[[BEHIND:.*]] = arith.remui %[[OF_TILE]],
// CHECK: %[[IS_SECOND:.*]] = arith.cmpi eq, %[[G]], %c1
// CHECK: %[[START:.*]] = arith.select %[[IS_SECOND]], %[[BEHIND]], %c0
// CHECK: scf.for %[[TILE:.*]] = %[[G]] to %[[COUNT]] step %c2 iter_args(%[[USED:.*]] = %[[START]]) -> (index) {
// CHECK: %[[FIRST:.*]] = vector_ext.assume %[[USED]]
// CHECK: vector_ext.turn.take groups(2)
// CHECK: %[[OPEN:.*]]:2 = scf.for %[[K:.*]] = %c0 to %[[SIZE:.*]] step %c64 iter_args(%[[ACC:.*]] = %{{.*}}, %[[BEFORE:.*]] = %c0)
// CHECK: %[[N:.*]] = arith.divui %[[K]], %c64
// CHECK: %[[P:.*]] = arith.addi %[[FIRST]], %[[N]]
// CHECK: %[[T:.*]]:2 = vector_ext.ring.get %[[RING]][%[[P]]]
// CHECK: %[[SUM:.*]] = vector.contract {{.*}} %[[T]]#0, %[[T]]#1, %[[ACC]]
// CHECK: vector_ext.await_earlier %[[SUM]]
// CHECK: %[[IS_LATER:.*]] = arith.cmpi ne, %[[K]], %c0
// CHECK: vector_ext.ring.release %[[RING]][%[[BEFORE]]] if %[[IS_LATER]]
// CHECK: scf.yield %[[SUM]], %[[P]]
// CHECK: vector_ext.turn.pass groups(2)
// CHECK-NEXT: %[[IS_ANY:.*]] = arith.cmpi sgt, %[[SIZE]], %c0
// CHECK-NEXT: vector_ext.ring.release %[[RING]][%[[OPEN]]#1] if %[[IS_ANY]]
// CHECK: vector.transfer_write %[[OPEN]]#0
// CHECK: %[[OWN:.*]] = arith.addi %[[FIRST]], %[[OF_TILE]]
// CHECK: %[[BETWEEN:.*]] = arith.remui %[[OWN]],
// CHECK: %[[OTHER:.*]] = vector_ext.assume %[[BETWEEN]]
// CHECK: %[[BOTH:.*]] = arith.addi %[[OTHER]], %[[OF_TILE]]
// CHECK: %[[NEXT:.*]] = arith.remui %[[BOTH]],
// CHECK: scf.yield %[[NEXT]]
// A group without a last tile has a last turn.
// CHECK: %[[REST:.*]] = arith.remui %{{.*}}, %c2
// CHECK: %[[IS_ODD:.*]] = arith.cmpi ne, %[[REST]], %c0
// CHECK: %[[IS_BEHIND:.*]] = arith.cmpi uge, %[[G]], %[[REST]]
// CHECK: %[[LACKS:.*]] = arith.andi %[[IS_ODD]], %[[IS_BEHIND]]
// CHECK: scf.if %[[LACKS]] {
// CHECK-NEXT: vector_ext.turn.take groups(2)
// CHECK-NEXT: vector_ext.turn.pass groups(2)
// The role that copies goes through all tiles.
// CHECK: vector_ext.role first(256) threads(128) single registers(40) {
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c1 iter_args(%{{.*}} = %c0) -> (index) {
// CHECK: ring.put
// CHECK-NOT: vector_ext.turn

// A thread of each of four warps frees a slot. The loop carries both chains.
// DISTRIBUTED-LABEL: func.func @product
// DISTRIBUTED: %[[EMPTY:.*]] = nvgpu.mbarrier.create
// DISTRIBUTED: nvgpu.mbarrier.init %{{.*}}, %c4, predicate
// DISTRIBUTED: vector_ext.role first(0)
// DISTRIBUTED: arith.remui %{{.*}}, %c128
// DISTRIBUTED: vector_ext.turn.take
// DISTRIBUTED: %[[OPEN:.*]]:3 = scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %c0, %[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}}) -> (index, vector<16xf32>, vector<16xf32>)
// DISTRIBUTED: vector_ext.async_mma {{.*}}, %[[X]] :
// DISTRIBUTED: vector_ext.async_mma {{.*}}, %[[Y]] :
// DISTRIBUTED: vector_ext.await_earlier %[[XN:.*]], %[[YN:.*]] :
// DISTRIBUTED: nvgpu.mbarrier.arrive.expect_tx %{{.*}}, %c0, predicate
// DISTRIBUTED: scf.yield %{{.*}}, %[[XN]], %[[YN]]
// DISTRIBUTED: vector_ext.turn.pass
// DISTRIBUTED-NEXT: vector_ext.await %[[OPEN]]#1, %[[OPEN]]#2
// DISTRIBUTED: nvgpu.mbarrier.arrive.expect_tx
func.func @product(%a: memref<?x?xf16>, %b: memref<32x?xf16>, %c: memref<?x32xf32>, %tiles: index, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<128x32xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %tiles, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %m = affine.apply affine_map<(d0) -> (d0 * 128)>(%x)
    %0 = scf.for %k = %c0 to %size step %c64 iter_args(%sum = %zero) -> (vector<128x32xf32>) {
      %n = arith.divui %k, %c64 : index
      vector_ext.ring.put %ring[%n], %a, %b at (%m, %k), (%c0, %k) {maps = [#id, #id]} : !ring, memref<?x?xf16>, memref<32x?xf16>
      %lhs, %rhs = vector_ext.ring.get %ring[%n] : !ring
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<128x64xf16>, vector<32x64xf16> into vector<128x32xf32>
      vector_ext.ring.release %ring[%n] : !ring
      scf.yield %next : vector<128x32xf32>
    }
    vector.transfer_write %0, %c[%m, %c0] {in_bounds = [true, true]} : vector<128x32xf32>, memref<?x32xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0, rotate = false, slots = 3, threads = 128, way = "roles", persist = 1, groups = 2}}
  return
}

// -----

// With one slot, the copy of the next tile waits for the release: it is not delayed.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [1, 1]>
!ring = !vector_ext.ring<slots = 1, tiles = [vector<128x64xf16>, vector<32x64xf16>],
  layouts = [<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>,
             <[32, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// DISTRIBUTED-LABEL: func.func @one_slot
// DISTRIBUTED: vector_ext.await %
// DISTRIBUTED: scf.yield
// CHECK-LABEL: func.func @one_slot
// CHECK: vector_ext.turn.take groups(2)
// CHECK: vector_ext.ring.get %[[RING:.*]][%[[P:.*]]] :
// CHECK-NOT: vector_ext.await_earlier
// CHECK: vector_ext.ring.release %[[RING]][%[[P]]] :
// CHECK: vector_ext.turn.pass groups(2)
// CHECK-NOT: vector_ext.ring.release
func.func @one_slot(%a: memref<?x?xf16>, %b: memref<32x?xf16>, %c: memref<?x32xf32>, %tiles: index, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<128x32xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %tiles, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %m = affine.apply affine_map<(d0) -> (d0 * 128)>(%x)
    %0 = scf.for %k = %c0 to %size step %c64 iter_args(%sum = %zero) -> (vector<128x32xf32>) {
      %n = arith.divui %k, %c64 : index
      vector_ext.ring.put %ring[%n], %a, %b at (%m, %k), (%c0, %k) {maps = [#id, #id]} : !ring, memref<?x?xf16>, memref<32x?xf16>
      %lhs, %rhs = vector_ext.ring.get %ring[%n] : !ring
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<128x64xf16>, vector<32x64xf16> into vector<128x32xf32>
      vector_ext.ring.release %ring[%n] : !ring
      scf.yield %next : vector<128x32xf32>
    }
    vector.transfer_write %0, %c[%m, %c0] {in_bounds = [true, true]} : vector<128x32xf32>, memref<?x32xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0, rotate = false, slots = 1, threads = 128, way = "roles", persist = 1, groups = 2}}
  return
}

// -----

// What is got once for each tile, outside of turns, has a full barrier for each group,
// although there is one slot. So the second group does not take the end of a phase of the
// first group for that of its own.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [1, 1]>
!ring = !vector_ext.ring<slots = 3, tiles = [vector<128x64xf16>, vector<32x64xf16>],
  layouts = [<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>,
             <[32, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
!residual = !vector_ext.ring<slots = 1, tiles = [vector<128x32xf32>],
  layouts = [<[128, 32], order = [0, 1], bits = 32, panel = 32, padding = 0, swizzle = [3, 4, 3]>]>

// DISTRIBUTED-LABEL: func.func @residual
// DISTRIBUTED-COUNT-2: nvgpu.mbarrier.create -> {{.*}}num_barriers = 3>
// DISTRIBUTED: %[[FULL:.*]] = nvgpu.mbarrier.create -> {{.*}}num_barriers = 2>
// DISTRIBUTED: %[[EMPTY:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
// DISTRIBUTED: scf.for %[[TILE:.*]] = %{{.*}} to %{{.*}} step %c2
// DISTRIBUTED: vector_ext.turn.pass
// DISTRIBUTED: %[[OWN:.*]] = arith.remui %[[TILE]], %c2
// DISTRIBUTED: %[[ROUND:.*]] = arith.divui %[[TILE]], %c2
// DISTRIBUTED: arith.remui %[[ROUND]], %c2
// DISTRIBUTED: nvgpu.mbarrier.try_wait.parity %[[FULL]][%[[OWN]]],
// DISTRIBUTED: nvgpu.mbarrier.arrive.expect_tx %[[EMPTY]][%c0]
// CHECK-LABEL: func.func @residual
// CHECK: vector_ext.turn.pass groups(2)
// CHECK: vector_ext.ring.get
func.func @residual(%a: memref<?x?xf16>, %b: memref<32x?xf16>, %r: memref<?x32xf32>, %c: memref<?x32xf32>, %tiles: index, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<128x32xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %tiles, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %residual = vector_ext.ring.create : !residual
    %ring = vector_ext.ring.create : !ring
    %m = affine.apply affine_map<(d0) -> (d0 * 128)>(%x)
    %0 = scf.for %k = %c0 to %size step %c64 iter_args(%sum = %zero) -> (vector<128x32xf32>) {
      %n = arith.divui %k, %c64 : index
      vector_ext.ring.put %ring[%n], %a, %b at (%m, %k), (%c0, %k) {maps = [#id, #id]} : !ring, memref<?x?xf16>, memref<32x?xf16>
      %lhs, %rhs = vector_ext.ring.get %ring[%n] : !ring
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<128x64xf16>, vector<32x64xf16> into vector<128x32xf32>
      vector_ext.ring.release %ring[%n] : !ring
      scf.yield %next : vector<128x32xf32>
    }
    vector_ext.ring.put %residual[%c0], %r at (%m, %c0) {maps = [#id]} : !residual, memref<?x32xf32>
    %1 = vector_ext.ring.get %residual[%c0] : !residual
    %2 = arith.addf %0, %1 : vector<128x32xf32>
    vector_ext.ring.release %residual[%c0] : !residual
    vector.transfer_write %2, %c[%m, %c0] {in_bounds = [true, true]} : vector<128x32xf32>, memref<?x32xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0, rotate = false, slots = 3, threads = 128, way = "roles", persist = 1, groups = 2}}
  return
}

// -----

// Nobody else fills the queue where a workgroup is alone on its processor: its products
// stay open, too. Nobody fills the last slot again, so that it is not freed.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [1, 1]>
!ring = !vector_ext.ring<slots = 3, tiles = [vector<128x64xf16>, vector<32x64xf16>],
  layouts = [<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>,
             <[32, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// CHECK-LABEL: func.func @alone
// CHECK-NOT: vector_ext.turn
// CHECK: %[[OPEN:.*]]:2 = scf.for %[[K:.*]] = %c0 to %[[SIZE:.*]] step %c64 iter_args(%[[ACC:.*]] = %{{.*}}, %[[BEFORE:.*]] = %c0)
// CHECK: %[[SUM:.*]] = vector.contract
// CHECK: vector_ext.await_earlier %[[SUM]]
// CHECK: %[[IS_LATER:.*]] = arith.cmpi ne, %[[K]], %c0
// CHECK: vector_ext.ring.release %[[RING:.*]][%[[BEFORE]]] if %[[IS_LATER]]
// CHECK-NOT: vector_ext.ring.release
// CHECK-NOT: vector_ext.turn
// CHECK: vector.transfer_write %[[OPEN]]#0
// DISTRIBUTED-LABEL: func.func @alone
// DISTRIBUTED: vector_ext.await_earlier
// DISTRIBUTED: vector_ext.await
func.func @alone(%a: memref<?x?xf16>, %b: memref<32x?xf16>, %c: memref<?x32xf32>, %tiles: index, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<128x32xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %tiles, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %m = affine.apply affine_map<(d0) -> (d0 * 128)>(%x)
    %0 = scf.for %k = %c0 to %size step %c64 iter_args(%sum = %zero) -> (vector<128x32xf32>) {
      %n = arith.divui %k, %c64 : index
      vector_ext.ring.put %ring[%n], %a, %b at (%m, %k), (%c0, %k) {maps = [#id, #id]} : !ring, memref<?x?xf16>, memref<32x?xf16>
      %lhs, %rhs = vector_ext.ring.get %ring[%n] : !ring
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<128x64xf16>, vector<32x64xf16> into vector<128x32xf32>
      vector_ext.ring.release %ring[%n] : !ring
      scf.yield %next : vector<128x32xf32>
    }
    vector.transfer_write %0, %c[%m, %c0] {in_bounds = [true, true]} : vector<128x32xf32>, memref<?x32xf32>
    gpu.terminator
  } {vector_ext.kernel = {alone = true, number = 0, rotate = false, slots = 3, threads = 128, way = "roles"}}
  return
}
