// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles,lower-rings slots=1' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles,lower-rings slots=1' --vector-ext-distribute --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=DISTRIBUTED
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(vector-ext-pipeline-products{steps=stage-tiles slots=1},vector-ext-pipeline-products{steps=lower-rings})' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles,lower-rings slots=3' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=SLOTS
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles,lower-rings slots=3' --vector-ext-distribute --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=OVERLAP
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=stage-tiles,lower-rings --split-input-file | FileCheck %s --check-prefix=CHOSEN
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles slots=3' --canonicalize --split-input-file | FileCheck %s --check-prefix=RINGS

// Both operands of a product in a loop. They share a barrier, whose phase is that
// of the iteration. B has two panels of 64 columns. One thread starts the
// copies.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [2, 1]>

// RINGS-LABEL: func.func @product
// RINGS-SAME: %[[A:.*]]: memref<512x256xf16>, %[[B:.*]]: memref<256x384xf16>
// RINGS: %[[RING:.*]] = vector_ext.ring.create : <slots = 3, tiles = [vector<128x64xf16>, vector<64x128xf16>], layouts = [<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>, <[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
// RINGS: scf.for %[[K:.*]] = %c0 to %c256 step %c64
// RINGS: %[[N:.*]] = arith.divui %[[K]], %c64
// RINGS: vector_ext.ring.put %[[RING]][%[[N]]], %[[A]], %[[B]] at (%[[M:.*]], %[[K]]), (%[[K]], %[[J:.*]]) {maps = [#map{{[0-9]*}}, #map{{[0-9]*}}]}
// RINGS-NEXT: %[[T:.*]]:2 = vector_ext.ring.get %[[RING]][%[[N]]]
// RINGS-NEXT: vector.contract {{.*}} %[[T]]#0, %[[T]]#1
// RINGS-NEXT: vector_ext.ring.release %[[RING]][%[[N]]]

// CHECK-LABEL: func.func @product
// CHECK-SAME: %[[A:.*]]: memref<512x256xf16>, %[[B:.*]]: memref<256x384xf16>
// CHECK: %[[ANY_A:.*]] = memref.cast %[[A]] : memref<512x256xf16> to memref<*xf16>
// CHECK: %[[MAP_A:.*]] = nvgpu.tma.create.descriptor %[[ANY_A]] box[%c128{{.*}}, %c64{{.*}}] : memref<*xf16> -> <tensor = memref<128x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
// CHECK: %[[MAP_B:.*]] = nvgpu.tma.create.descriptor %{{.*}} box[%c64{{.*}}, %c64{{.*}}] : memref<*xf16> -> <tensor = memref<64x64xf16, {{.*}}
// CHECK: gpu.launch
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[THREAD]], %c0
// CHECK: %[[TILE_A:.*]] = memref.alloc() {alignment = 1024 : i64} : memref<16384xi8, #gpu.address_space<workgroup>>
// CHECK: %[[TILE_B:.*]] = memref.alloc() {alignment = 1024 : i64} : memref<16384xi8, #gpu.address_space<workgroup>>
// CHECK: %[[BARRIER:.*]] = nvgpu.mbarrier.create
// CHECK: nvgpu.mbarrier.init %[[BARRIER]][%c0{{.*}}], %c1{{.*}}, predicate = %[[FIRST]]
// CHECK: nvvm.fence.mbarrier.init
// CHECK-NOT: nvgpu.mbarrier.create
// CHECK: scf.for %[[K:.*]] = %c0 to %c256 step %c64
// CHECK: %[[ITERATION:.*]] = arith.divui %[[K]], %c64
// CHECK: gpu.barrier
// CHECK: %[[VIEW_A:.*]] = memref.view %[[TILE_A]][%c0{{.*}}][] : memref<16384xi8, {{.*}} to memref<8192xf16
// CHECK: %[[VIEW_B:.*]] = memref.view %[[TILE_B]]
// CHECK: nvgpu.mbarrier.arrive.expect_tx %[[BARRIER]][%c0{{.*}}], %c32768{{.*}}, predicate = %[[FIRST]]
// CHECK: %[[BOX_A:.*]] = memref.reinterpret_cast %[[VIEW_A]] to offset: [0], sizes: [128, 64], strides: [64, 1]
// CHECK: nvgpu.tma.async.load %[[MAP_A]][%[[K]], %[[M:.*]]], %[[BARRIER]][%c0{{.*}}] to %[[BOX_A]], predicate = %[[FIRST]]
// CHECK: nvgpu.tma.async.load %[[MAP_B]][%[[N:.*]], %[[K]]], %[[BARRIER]]
// CHECK: %[[BOX_B:.*]] = memref.reinterpret_cast %[[VIEW_B]] to offset: [4096], sizes: [64, 64], strides: [64, 1]
// CHECK: nvgpu.tma.async.load %[[MAP_B]][%{{.*}}, %[[K]]], %[[BARRIER]][%c0{{.*}}] to %[[BOX_B]]
// CHECK: %[[BIT:.*]] = arith.remui %[[ITERATION]], %c2
// CHECK: %[[PARITY:.*]] = arith.cmpi ne, %[[BIT]], %c0
// CHECK: nvgpu.mbarrier.try_wait.parity %[[BARRIER]][%c0{{.*}}], %[[PARITY]]
// CHECK: %[[LHS:.*]] = vector_ext.shared_tile %{{.*}} in <[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
// CHECK: %[[RHS:.*]] = vector_ext.shared_tile %{{.*}} in <[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
// CHECK: vector.contract {{.*}} %[[LHS]], %[[RHS]]

// Three slots: the tiles of two iterations are copied in front of the loop, and
// in each iteration those of the second next one, if there is one, behind the
// product. A phase of a slot has three iterations.
// SLOTS-LABEL: func.func @product
// SLOTS: %[[FIRST:.*]] = arith.cmpi eq
// SLOTS: %[[MEMORY:.*]] = memref.alloc() {alignment = 1024 : i64} : memref<49152xi8, #gpu.address_space<workgroup>>
// SLOTS: %[[BARRIER:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 3>
// SLOTS-COUNT-3: nvgpu.mbarrier.init %[[BARRIER]]
// SLOTS: gpu.barrier
// SLOTS: nvgpu.mbarrier.arrive.expect_tx %[[BARRIER]][%c0], %c32768, predicate = %[[FIRST]]
// SLOTS: nvgpu.tma.async.load %{{.*}}[%c0, %{{.*}}], %[[BARRIER]][%c0]
// SLOTS: memref.view %[[MEMORY]][%c16384][]
// SLOTS: nvgpu.mbarrier.arrive.expect_tx %[[BARRIER]][%c1], %c32768, predicate = %[[FIRST]]
// SLOTS: nvgpu.tma.async.load %{{.*}}[%c64, %{{.*}}], %[[BARRIER]][%c1]
// SLOTS: scf.for %[[K:.*]] = %c0 to %c256 step %c64
// SLOTS: %[[ITERATION:.*]] = arith.divui %[[K]], %c64
// SLOTS: %[[SLOT:.*]] = arith.remui %[[ITERATION]], %c3
// SLOTS: %[[ROUND:.*]] = arith.divui %[[ITERATION]], %c3
// SLOTS: %[[BIT:.*]] = arith.remui %[[ROUND]], %c2
// SLOTS: %[[PARITY:.*]] = arith.cmpi ne, %[[BIT]], %c0
// SLOTS: nvgpu.mbarrier.try_wait.parity %[[BARRIER]][%[[SLOT]]], %[[PARITY]]
// SLOTS: %[[SHIFT:.*]] = arith.muli %[[SLOT]], %c16384
// SLOTS: %[[TILE:.*]] = memref.view %[[MEMORY]][%[[SHIFT]]][]
// SLOTS: vector_ext.shared_tile %[[TILE]]
// SLOTS: vector.contract
// SLOTS: gpu.barrier
// SLOTS: %[[LATER:.*]] = arith.addi %[[ITERATION]], %c2
// SLOTS: %[[FREE:.*]] = arith.remui %[[LATER]], %c3
// SLOTS: %[[NEXT:.*]] = arith.addi %[[K]], %c128
// SLOTS: %[[EXISTS:.*]] = arith.cmpi slt, %[[NEXT]], %c256
// SLOTS: %[[STARTS:.*]] = arith.andi %[[FIRST]], %[[EXISTS]]
// SLOTS: nvgpu.mbarrier.arrive.expect_tx %[[BARRIER]][%[[FREE]]], %c32768, predicate = %[[STARTS]]
// SLOTS: nvgpu.tma.async.load %{{.*}}[%[[NEXT]], %{{.*}}], %[[BARRIER]][%[[FREE]]] to %{{.*}}, predicate = %[[STARTS]]
// SLOTS: scf.yield

// The barrier and the copies are under the product.
// OVERLAP-LABEL: func.func @product
// OVERLAP: scf.for
// OVERLAP: %[[SUM:.*]] = vector_ext.async_mma {{.*}}[%c48, %c0]
// OVERLAP-NEXT: gpu.barrier
// OVERLAP-COUNT-3: nvgpu.tma.async.load
// OVERLAP-NEXT: %[[D:.*]] = vector_ext.await %[[SUM]]
// OVERLAP-NEXT: scf.yield %[[D]]

// Four slots of 32 KiB: one workgroup of 256 threads is enough. With 128 threads
// and slots of 8 KiB, there are four for each of two workgroups.
// CHOSEN-LABEL: func.func @product
// CHOSEN: num_barriers = 4

// Two groups of four subgroups, 64 rows each. Nothing else is in the loop.
// DISTRIBUTED-LABEL: func.func @product
// DISTRIBUTED: %[[ROW:.*]] = arith.muli %{{.*}}, %c64
// DISTRIBUTED: scf.for
// DISTRIBUTED-NOT: vector.load
// DISTRIBUTED: %[[D0:.*]] = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %{{.*}}[%[[ROW]], %c0] in <{{.*}}>, %{{.*}}[%c0, %c0] in <{{.*}}>, %{{.*}} : {{.*}}, vector<64xf32>
// DISTRIBUTED: %[[D1:.*]] = vector_ext.async_mma {{.*}}[%[[ROW]], %c16] in <{{.*}}[%c16, %c0] in <{{.*}}>, %[[D0]]
// DISTRIBUTED: %[[D2:.*]] = vector_ext.async_mma {{.*}}[%[[ROW]], %c32] in <{{.*}}[%c32, %c0] in <{{.*}}>, %[[D1]]
// DISTRIBUTED: %[[D3:.*]] = vector_ext.async_mma {{.*}}[%[[ROW]], %c48] in <{{.*}}[%c48, %c0] in <{{.*}}>, %[[D2]]
// DISTRIBUTED: %[[D:.*]] = vector_ext.await %[[D3]] : vector<64xf32>
// DISTRIBUTED: scf.yield %[[D]]
func.func @product(%a: memref<512x256xf16>, %b: memref<256x384xf16>, %c: memref<512x384xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c3, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> (d0 * 128)>(%x)
    %n = affine.apply affine_map<(d0) -> (d0 * 128)>(%y)
    %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<128x128xf32>) {
      %lhs = vector.transfer_read %a[%m, %k], %pad {in_bounds = [true, true]} : memref<512x256xf16>, vector<128x64xf16>
      %rhs = vector.transfer_read %b[%k, %n], %pad {in_bounds = [true, true]} : memref<256x384xf16>, vector<64x128xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<128x64xf16>, vector<64x128xf16> into vector<128x128xf32>
      scf.yield %next : vector<128x128xf32>
    }
    vector.transfer_write %0, %c[%m, %n] {in_bounds = [true, true]} : vector<128x128xf32>, memref<512x384xf32>
    gpu.terminator
  }
  return
}

// -----

// A batch in front, B transposed, rows of 64 bytes, no loop, and several rows of
// instructions for a thread. All rows of a batch are copied, so batch and row are one
// coordinate.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.bf16", subgroups = [1, 1]>

// CHECK-LABEL: func.func @once
// CHECK: memref.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : memref<4x128x32xbf16> into memref<512x32xbf16>
// CHECK: nvgpu.tma.create.descriptor %{{.*}} box[%c128{{.*}}, %c32{{.*}}] : memref<*xbf16> -> <tensor = memref<128x32xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_64b
// CHECK: gpu.launch
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c128
// CHECK: gpu.barrier
// CHECK: nvgpu.tma.async.load %{{.*}}[%c0, %[[ROW]]], %{{.*}} to %{{.*}} : {{.*}} -> memref<128x32xbf16, strided<[32, 1]>, #gpu.address_space<workgroup>>
// CHECK: nvgpu.mbarrier.try_wait.parity %{{.*}}[%{{.*}}], %false
// CHECK: vector_ext.shared_tile {{.*}} in <[32, 32], order = [0, 1], bits = 16, panel = 32, padding = 0, swizzle = [2, 4, 3]>

// DISTRIBUTED-LABEL: func.func @once
// DISTRIBUTED: %[[T0:.*]] = vector_ext.async_mma {{.*}}[%c0, %c0] in {{.*}}[%c0, %c0] in <[32, 32], order = [1, 0], {{.*}}
// DISTRIBUTED: %[[B0:.*]] = vector_ext.async_mma {{.*}}[%c64, %c0] in
// DISTRIBUTED: %[[T1:.*]] = vector_ext.async_mma {{.*}}[%c0, %c16] in {{.*}}, %[[T0]] :
// DISTRIBUTED: %[[B1:.*]] = vector_ext.async_mma {{.*}}[%c64, %c16] in {{.*}}, %[[B0]] :
// DISTRIBUTED: vector_ext.await %[[T1]], %[[B1]] : vector<16xf32>, vector<16xf32>
func.func @once(%a: memref<4x128x32xbf16>, %b: memref<32x32xbf16>, %c: memref<4x128x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %pad = ub.poison : bf16
  %zero = arith.constant dense<0.0> : vector<128x32xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %lhs = vector.transfer_read %a[%x, %c0, %c0], %pad {in_bounds = [true, true]} : memref<4x128x32xbf16>, vector<128x32xbf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xbf16>, vector<32x32xbf16>
    %0 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
         %lhs, %rhs, %zero : vector<128x32xbf16>, vector<32x32xbf16> into vector<128x32xf32>
    vector.transfer_write %0, %c[%x, %c0, %c0] {in_bounds = [true, true]} : vector<128x32xf32>, memref<4x128x32xf32>
    gpu.terminator
  }
  return
}

// -----

// The number of iterations is dynamic: also the first copies are for iterations
// that exist. The place of a tile is computed again.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [1, 1]>

// CHOSEN-LABEL: func.func @dynamic
// CHOSEN: num_barriers = 4

// SLOTS-LABEL: func.func @dynamic
// SLOTS-SAME: %[[COUNT:[^:]*]]: index)
// SLOTS: %[[FIRST:.*]] = arith.cmpi eq
// SLOTS: %[[EXISTS:.*]] = arith.cmpi sgt, %[[COUNT]], %c1
// SLOTS: %[[STARTS:.*]] = arith.andi %[[FIRST]], %[[EXISTS]]
// SLOTS: nvgpu.tma.async.load %{{.*}}[%c32, %c0], {{.*}}, predicate = %[[STARTS]]
// SLOTS: scf.for %[[I:.*]] = %c0 to %[[COUNT]] step %c1
// SLOTS: vector.contract
// SLOTS: %[[NEXT:.*]] = arith.addi %[[I]], %c2
// SLOTS: arith.cmpi slt, %[[NEXT]], %[[COUNT]]
// SLOTS: %[[K:.*]] = affine.apply #{{.*}}(%[[NEXT]])
// SLOTS: nvgpu.tma.async.load %{{.*}}[%[[K]], %c0]
func.func @dynamic(%a: memref<64x512xf16>, %b: memref<32x512xf16>, %c: memref<64x32xf32>, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %0 = scf.for %i = %c0 to %count step %c1 iter_args(%sum = %zero) -> (vector<64x32xf32>) {
      %k = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
      %lhs = vector.transfer_read %a[%c0, %k], %pad {in_bounds = [true, true]} : memref<64x512xf16>, vector<64x32xf16>
      %rhs = vector.transfer_read %b[%c0, %k], %pad {in_bounds = [true, true]} : memref<32x512xf16>, vector<32x32xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x32xf16>, vector<32x32xf16> into vector<64x32xf32>
      scf.yield %next : vector<64x32xf32>
    }
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    gpu.terminator
  }
  return
}

// -----

// The loop carries the place of the tiles: one slot.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [1, 1]>

// SLOTS-LABEL: func.func @carried
// SLOTS-NOT: num_barriers
// SLOTS: scf.for
// SLOTS: gpu.barrier
// SLOTS: nvgpu.tma.async.load
// SLOTS: nvgpu.mbarrier.try_wait.parity
// SLOTS: vector.contract
// SLOTS-NOT: nvgpu.tma.async.load
func.func @carried(%a: memref<64x512xf16>, %b: memref<32x512xf16>, %c: memref<64x32xf32>, %table: memref<16xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %0:2 = scf.for %i = %c0 to %c16 step %c1 iter_args(%sum = %zero, %k = %c0) -> (vector<64x32xf32>, index) {
      %lhs = vector.transfer_read %a[%c0, %k], %pad {in_bounds = [true, true]} : memref<64x512xf16>, vector<64x32xf16>
      %rhs = vector.transfer_read %b[%c0, %k], %pad {in_bounds = [true, true]} : memref<32x512xf16>, vector<32x32xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x32xf16>, vector<32x32xf16> into vector<64x32xf32>
      %l = memref.load %table[%i] : memref<16xindex>
      scf.yield %next, %l : vector<64x32xf32>, index
    }
    vector.transfer_write %0#0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    gpu.terminator
  }
  return
}

// -----

// Two loops in a row, of the same tiles: one ring, whose positions count on, and
// copies ahead in both.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [1, 1]>

// RINGS-LABEL: func.func @chain
// RINGS-SAME: %[[HALF:[a-z0-9]*]]: index, %[[COUNT:[a-z0-9]*]]: index)
// RINGS: %[[RING:.*]] = vector_ext.ring.create
// RINGS-NOT: ring.create
// RINGS: scf.for %[[I:.*]] = %c0 to %[[HALF]] step %c1
// RINGS: ring.put %[[RING]][%[[I]]]
// RINGS: %[[TRIPS:.*]] = arith.maxsi %[[HALF]], %c0
// RINGS: scf.for %[[J:.*]] = %[[HALF]] to %[[COUNT]] step %c1
// RINGS: %[[DISTANCE:.*]] = arith.subi %[[J]], %[[HALF]]
// RINGS: %[[DONE:.*]] = vector_ext.assume %[[DISTANCE]] at_least 0
// RINGS: %[[N:.*]] = arith.addi %[[TRIPS]], %[[DONE]]
// RINGS: ring.put %[[RING]][%[[N]]]
// RINGS: ring.get %[[RING]][%[[N]]]

// SLOTS-LABEL: func.func @chain
// SLOTS: nvgpu.mbarrier.create
// SLOTS-NOT: nvgpu.mbarrier.create
// SLOTS: gpu.barrier
// SLOTS-COUNT-4: nvgpu.tma.async.load
// SLOTS: scf.for
// SLOTS: gpu.barrier
// SLOTS-COUNT-4: nvgpu.tma.async.load
// SLOTS: scf.for
func.func @chain(%a: memref<64x512xf16>, %b: memref<32x512xf16>, %c: memref<64x32xf32>, %half: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %0 = scf.for %i = %c0 to %half step %c1 iter_args(%sum = %zero) -> (vector<64x32xf32>) {
      %k = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
      %lhs = vector.transfer_read %a[%c0, %k], %pad {in_bounds = [true, true]} : memref<64x512xf16>, vector<64x32xf16>
      %rhs = vector.transfer_read %b[%c0, %k], %pad {in_bounds = [true, true]} : memref<32x512xf16>, vector<32x32xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x32xf16>, vector<32x32xf16> into vector<64x32xf32>
      scf.yield %next : vector<64x32xf32>
    }
    %1 = scf.for %i = %half to %count step %c1 iter_args(%sum = %0) -> (vector<64x32xf32>) {
      %k = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
      %lhs = vector.transfer_read %a[%c0, %k], %pad {in_bounds = [true, true]} : memref<64x512xf16>, vector<64x32xf16>
      %rhs = vector.transfer_read %b[%c0, %k], %pad {in_bounds = [true, true]} : memref<32x512xf16>, vector<32x32xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x32xf16>, vector<32x32xf16> into vector<64x32xf32>
      %twice = arith.addf %next, %next : vector<64x32xf32>
      scf.yield %twice : vector<64x32xf32>
    }
    vector.transfer_write %1, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    gpu.terminator
  }
  return
}

// -----

// Rows that do not exist are not copied: what shared memory has in their place
// makes rows of the result that nobody stores. There may be 1 to 64.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [1, 1]>

// CHECK-DAG: #[[BYTES_OF_ROWS:.*]] = affine_map<()[s0] -> (s0 * 64 + 2048)>
// CHECK-LABEL: func.func @few_rows
// CHECK: %[[MOST:.*]] = arith.minui %{{.*}}, %c64
// CHECK: %[[ROWS:.*]] = arith.maxui %[[MOST]], %c1
// CHECK: nvgpu.tma.create.descriptor %{{.*}} box[%[[ROWS]], %c32{{.*}}] : memref<*xf16> -> <tensor = memref<64x32xf16,
// CHECK: nvgpu.tma.create.descriptor %{{.*}} box[%c32{{.*}}, %c32{{.*}}] : memref<*xf16> -> <tensor = memref<32x32xf16,
// CHECK: gpu.launch
// CHECK: %[[BYTES:.*]] = affine.apply #[[BYTES_OF_ROWS]]()[%[[ROWS]]]
// CHECK: nvgpu.mbarrier.arrive.expect_tx %{{.*}}, %[[BYTES]]

// RINGS-LABEL: func.func @few_rows
// RINGS: vector_ext.ring.put {{.*}} {cut = array<i64: 0, -1>
func.func @few_rows(%a: memref<?x512xf16>, %b: memref<32x512xf16>, %c: memref<?x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  %m = memref.dim %a, %c0 : memref<?x512xf16>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %rows = vector.create_mask %m, %c32 : vector<64x32xi1>
    %0 = scf.for %k = %c0 to %c512 step %c32 iter_args(%sum = %zero) -> (vector<64x32xf32>) {
      %lhs = vector.transfer_read %a[%c0, %k], %pad, %rows {in_bounds = [true, true]} : memref<?x512xf16>, vector<64x32xf16>
      %rhs = vector.transfer_read %b[%c0, %k], %pad {in_bounds = [true, true]} : memref<32x512xf16>, vector<32x32xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x32xf16>, vector<32x32xf16> into vector<64x32xf32>
      scf.yield %next : vector<64x32xf32>
    }
    vector.transfer_write %0, %c[%c0, %c0], %rows {in_bounds = [true, true]} : vector<64x32xf32>, memref<?x32xf32>
    gpu.terminator
  }
  return
}

// -----

// Both operands are of one matrix. Boxes of the right one are whole: there, shared memory
// has zeros behind the end.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>

// CHECK-LABEL: func.func @gram
// CHECK: %[[ROWS:.*]] = arith.maxui
// CHECK: nvgpu.tma.create.descriptor %{{.*}} box[%[[ROWS]], %c32{{.*}}] : memref<*xf16> -> <tensor = memref<64x32xf16,
// CHECK: nvgpu.tma.create.descriptor %{{.*}} box[%c64{{.*}}, %c32{{.*}}] : memref<*xf16> -> <tensor = memref<64x32xf16,
// CHECK: gpu.launch

// RINGS-LABEL: func.func @gram
// RINGS: vector_ext.ring.put {{.*}} {cut = array<i64: 0, -1>
func.func @gram(%a: memref<?x512xf16>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %m = memref.dim %a, %c0 : memref<?x512xf16>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %rows = vector.create_mask %m, %c32 : vector<64x32xi1>
    %places = vector.create_mask %m, %m : vector<64x64xi1>
    %0 = scf.for %k = %c0 to %c512 step %c32 iter_args(%sum = %zero) -> (vector<64x64xf32>) {
      %lhs = vector.transfer_read %a[%c0, %k], %pad, %rows {in_bounds = [true, true]} : memref<?x512xf16>, vector<64x32xf16>
      %rhs = vector.transfer_read %a[%c0, %k], %pad, %rows {in_bounds = [true, true]} : memref<?x512xf16>, vector<64x32xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x32xf16>, vector<64x32xf16> into vector<64x64xf32>
      scf.yield %next : vector<64x64xf32>
    }
    vector.transfer_write %0, %c[%c0, %c0], %places {in_bounds = [true, true]} : vector<64x64xf32>, memref<?x?xf32>
    gpu.terminator
  }
  return
}

// -----

// The result needs zeros in their place.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [1, 1]>

// RINGS-LABEL: func.func @sum_of_rows
// RINGS: vector_ext.ring.put
// RINGS-NOT: cut =
// RINGS: memref<?x512xf16>
func.func @sum_of_rows(%a: memref<?x512xf16>, %b: memref<32x512xf16>, %c: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  %m = memref.dim %a, %c0 : memref<?x512xf16>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %rows = vector.create_mask %m, %c32 : vector<64x32xi1>
    %0 = scf.for %k = %c0 to %c512 step %c32 iter_args(%sum = %zero) -> (vector<64x32xf32>) {
      %lhs = vector.transfer_read %a[%c0, %k], %pad, %rows {in_bounds = [true, true]} : memref<?x512xf16>, vector<64x32xf16>
      %rhs = vector.transfer_read %b[%c0, %k], %pad {in_bounds = [true, true]} : memref<32x512xf16>, vector<32x32xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x32xf16>, vector<32x32xf16> into vector<64x32xf32>
      scf.yield %next : vector<64x32xf32>
    }
    %start = arith.constant dense<0.0> : vector<32xf32>
    %1 = vector.multi_reduction <add>, %0, %start [0] : vector<64x32xf32> to vector<32xf32>
    vector.transfer_write %1, %c[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    gpu.terminator
  }
  return
}
