// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=assign-roles --canonicalize --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=assign-roles,lower-rings --vector-ext-distribute --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=DISTRIBUTED
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=assign-roles,lower-rings --vector-ext-distribute=async-copies=true --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=COPIES
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(vector-ext-pipeline-products{steps=assign-roles},canonicalize)' --split-input-file | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [2, 1]>
!ring = !vector_ext.ring<slots = 3, tiles = [vector<128x64xf16>, vector<32x64xf16>],
  layouts = [<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>,
             <[32, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// A product: 256 threads compute, one of 128 more copies. What only a put needs
// is in the role that copies, and the sum is not.

// CHECK-LABEL: func.func @product
// CHECK: threads({{.*}}) in ({{.*}} = %c384
// CHECK: %[[RING:.*]] = vector_ext.ring.create
// CHECK: vector_ext.role first(0) threads(256) registers(240) {
// CHECK: scf.for %[[K:.*]] = %c0 to %[[SIZE:.*]] step %c64 iter_args({{.*}}) -> (vector<128x32xf32>)
// CHECK-NOT: ring.put
// CHECK: %[[N:.*]] = arith.divui %[[K]], %c64
// CHECK: %[[T:.*]]:2 = vector_ext.ring.get %[[RING]][%[[N]]]
// CHECK: vector.contract {{.*}} %[[T]]#0, %[[T]]#1
// CHECK: vector_ext.ring.release %[[RING]][%[[N]]]
// CHECK: vector.transfer_write
// CHECK: vector_ext.role first(256) threads(128) single registers(24) {
// CHECK: scf.for %[[K:.*]] = %c0 to %[[SIZE]] step %c64 {
// CHECK: %[[N:.*]] = arith.divui %[[K]], %c64
// CHECK: vector_ext.ring.put %[[RING]][%[[N]]], %{{.*}} at (%[[M:.*]], %[[K]]), (%c0, %[[K]])
// CHECK-NOT: {{ring.get|transfer_write|contract}}
// CHECK: return

// A slot has two barriers: one arrival fills it, one of each of eight warps frees
// it. The copying thread waits with the other parity.
// DISTRIBUTED-LABEL: func.func @product
// DISTRIBUTED: memref.alloc() {alignment = 1024 : i64, vector_ext.ring_memory} : memref<49152xi8
// DISTRIBUTED: %[[FULL:.*]] = nvgpu.mbarrier.create
// DISTRIBUTED-COUNT-3: nvgpu.mbarrier.init %[[FULL]][{{.*}}], %c1, predicate
// DISTRIBUTED: %[[EMPTY:.*]] = nvgpu.mbarrier.create
// DISTRIBUTED-COUNT-3: nvgpu.mbarrier.init %[[EMPTY]][{{.*}}], %c8, predicate
// DISTRIBUTED: gpu.barrier
// DISTRIBUTED: vector_ext.role first(0)
// DISTRIBUTED: %[[LANE:.*]] = arith.remui %{{.*}}, %c32
// DISTRIBUTED: %[[RELEASES:.*]] = arith.cmpi eq, %[[LANE]], %c0
// DISTRIBUTED: scf.for
// DISTRIBUTED: nvgpu.mbarrier.try_wait.parity %[[FULL]][%[[SLOT:.*]]], %{{.*}}
// DISTRIBUTED-COUNT-4: vector_ext.async_mma
// DISTRIBUTED: vector_ext.await
// DISTRIBUTED: nvgpu.mbarrier.arrive.expect_tx %[[EMPTY]][%[[SLOT]]], %c0, predicate = %[[RELEASES]]
// DISTRIBUTED: vector_ext.role first(256)
// DISTRIBUTED: scf.for
// DISTRIBUTED: %[[ROUND:.*]] = arith.divui %{{.*}}, %c3
// DISTRIBUTED: %[[BIT:.*]] = arith.remui %[[ROUND]], %c2
// DISTRIBUTED: %[[BEFORE:.*]] = arith.cmpi eq, %[[BIT]], %c0
// DISTRIBUTED: nvgpu.mbarrier.try_wait.parity %[[EMPTY]][%[[SLOT:.*]]], %[[BEFORE]]
// DISTRIBUTED: nvgpu.mbarrier.arrive.expect_tx %[[FULL]][%[[SLOT]]], %c20480 :
// DISTRIBUTED-COUNT-2: nvgpu.tma.async.load {{.*}}, %[[FULL]][%[[SLOT]]]
func.func @product(%a: memref<512x256xf16>, %b: memref<32x256xf16>, %c: memref<512x32xf32>, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant dense<0.0> : vector<128x32xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %m = affine.apply affine_map<(d0) -> (d0 * 128)>(%x)
    %0 = scf.for %k = %c0 to %size step %c64 iter_args(%sum = %zero) -> (vector<128x32xf32>) {
      %n = arith.divui %k, %c64 : index
      vector_ext.ring.put %ring[%n], %a, %b at (%m, %k), (%c0, %k) {maps = [#id, #id]} : !ring, memref<512x256xf16>, memref<32x256xf16>
      %lhs, %rhs = vector_ext.ring.get %ring[%n] : !ring
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<128x64xf16>, vector<32x64xf16> into vector<128x32xf32>
      vector_ext.ring.release %ring[%n] : !ring
      scf.yield %next : vector<128x32xf32>
    }
    vector.transfer_write %0, %c[%m, %c0] {in_bounds = [true, true]} : vector<128x32xf32>, memref<512x32xf32>
    gpu.terminator
  }
  return
}

// -----

// A chain of two loops, the second in a branch. Bounds are loaded, and the second
// loop carries a position: the role that copies loads and carries them, too.

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// CHECK-LABEL: func.func @chain
// CHECK: vector_ext.role first(0) threads(128) registers(240)
// CHECK: vector_ext.role first(128) threads(128) single registers(24)
// CHECK: %[[END:.*]] = memref.load
// CHECK: scf.for %{{.*}} = %c0 to %[[END]] step %c1 {
// CHECK: ring.put
// CHECK: arith.cmpi
// CHECK: scf.if
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c1 iter_args(%[[N:.*]] = %[[END]]) -> (index) {
// CHECK: ring.put %{{.*}}[%[[N]]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[N]], %c1
// CHECK: scf.yield %[[NEXT]] : index
// CHECK-NOT: "test.use"
// CHECK: return
func.func @chain(%a: memref<?x64xf16>, %ends: memref<4xindex>, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %first = memref.load %ends[%x] : memref<4xindex>
    scf.for %i = %c0 to %first step %c1 {
      %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%i)
      vector_ext.ring.put %ring[%i], %a at (%m, %c0) {maps = [#id]} : !ring, memref<?x64xf16>
      %t = vector_ext.ring.get %ring[%i] : !ring
      vector_ext.ring.release %ring[%i] : !ring
    }
    %more = arith.cmpi slt, %first, %end : index
    scf.if %more {
      %0 = scf.for %i = %c0 to %end step %c1 iter_args(%n = %first) -> (index) {
        vector_ext.ring.put %ring[%n], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<?x64xf16>
        %t = vector_ext.ring.get %ring[%n] : !ring
        vector_ext.ring.release %ring[%n] : !ring
        %next = arith.addi %n, %c1 : index
        scf.yield %next : index
      }
    }
    gpu.terminator
  }
  return
}

// -----

// Without rings, nothing changes.

// CHECK-LABEL: func.func @negative_no_ring
// CHECK-NOT: vector_ext.role
func.func @negative_no_ring(%a: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = arith.constant dense<1.0> : vector<64xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %c0 = arith.constant 0 : index
    vector.transfer_write %v, %a[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#rows = affine_map<(d0, d1, d2) -> (d1, d2)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
!once = !vector_ext.ring<slots = 1, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// Two threads share the parts of a tile: the first of two groups of 64 threads each.
// Both arrive at a slot, with their half of the bytes, and write to their half of it.
// The other tile is copied by the first one.

// CHECK-LABEL: func.func @copiers
// CHECK: vector_ext.role first(128) threads(128) single groups(2) registers(24) {
// CHECK: vector_ext.ring.put {{.*}} at (%c0, %c0) {maps
// CHECK: scf.for
// CHECK: %[[C:.*]] = vector_ext.ring.copier
// CHECK: %[[E:.*]] = memref.load %{{.*}}[%[[C]]]
// CHECK: vector_ext.ring.put {{.*}} at (%[[E]], %c0, %c0) {copiers = 2

// DISTRIBUTED-LABEL: func.func @copiers
// DISTRIBUTED: %[[FULL:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
// DISTRIBUTED-COUNT-2: nvgpu.mbarrier.init %[[FULL]][{{.*}}], %c2, predicate
// DISTRIBUTED: vector_ext.role first(128) threads(128) single groups(2)
// DISTRIBUTED: %[[C:.*]] = vector_ext.ring.copier
// DISTRIBUTED: %[[FIRST:.*]] = arith.cmpi {{ult|eq}}, %[[C]], %c
// DISTRIBUTED: nvgpu.mbarrier.arrive.expect_tx %{{.*}}[%c0], %c8192, predicate = %[[FIRST]]
// DISTRIBUTED: nvgpu.tma.async.load {{.*}} predicate = %[[FIRST]]
// DISTRIBUTED: scf.for
// DISTRIBUTED: %[[HALF:.*]] = arith.muli %[[C]], %c4096
// DISTRIBUTED: arith.addi %{{.*}}, %[[HALF]]
// DISTRIBUTED: nvgpu.mbarrier.arrive.expect_tx %[[FULL]][%{{.*}}], %c4096 :
// DISTRIBUTED: nvgpu.tma.async.load
// DISTRIBUTED-NOT: nvgpu.tma.async.load
func.func @copiers(%q: memref<64x64xf16>, %pool: memref<?x32x64xf16>, %table: memref<?xindex>, %r: memref<64x64xf32>, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %once = vector_ext.ring.create : !once
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %once[%c0], %q at (%c0, %c0) {maps = [#id]} : !once, memref<64x64xf16>
    %lhs = vector_ext.ring.get %once[%c0] : !once
    %0 = scf.for %k = %c0 to %size step %c64 iter_args(%sum = %zero) -> (vector<64x64xf32>) {
      %n = arith.divui %k, %c64 : index
      %c = vector_ext.ring.copier
      %entry = memref.load %table[%c] : memref<?xindex>
      vector_ext.ring.put %ring[%n], %pool at (%entry, %c0, %c0) {copiers = 2, maps = [#rows], parts = array<i64: 2>} : !ring, memref<?x32x64xf16>
      %rhs = vector_ext.ring.get %ring[%n] : !ring
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      vector_ext.ring.release %ring[%n] : !ring
      scf.yield %next : vector<64x64xf32>
    }
    vector_ext.ring.release %once[%c0] : !once
    vector.transfer_write %0, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#rows = affine_map<(d0, d1, d2) -> (d1, d2)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
!once = !vector_ext.ring<slots = 1, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// Sixteen threads share the parts of a tile, four of each subgroup. So each computes the
// places of its part, and the first one of a subgroup starts the copies of all four.

// CHECK-LABEL: func.func @copiers_of_subgroups
// CHECK: vector_ext.role first(128) threads(128) registers(40) {
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[O:.*]] = arith.subi %[[T]], %c128
// CHECK: %[[C:.*]] = arith.divui %[[O]], %c8
// CHECK: %[[E:.*]] = memref.load %{{.*}}[%[[C]]]
// CHECK: vector_ext.ring.put {{.*}} at (%[[E]], %c0, %c0) {copiers = 16

// DISTRIBUTED-LABEL: func.func @copiers_of_subgroups
// DISTRIBUTED: %[[FULL:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
// DISTRIBUTED-COUNT-2: nvgpu.mbarrier.init %[[FULL]][{{.*}}], %c4, predicate
// DISTRIBUTED: vector_ext.role first(128) threads(128) registers(40)
// DISTRIBUTED: scf.for
// DISTRIBUTED: %[[E:.*]] = memref.load
// DISTRIBUTED: %[[WORD:.*]] = arith.index_cast %[[E]] : index to i32
// DISTRIBUTED: gpu.shuffle idx %[[WORD]], %c0_i32
// DISTRIBUTED: gpu.shuffle idx %[[WORD]], %c8_i32
// DISTRIBUTED: gpu.shuffle idx %[[WORD]], %c16_i32
// DISTRIBUTED: gpu.shuffle idx %[[WORD]], %c24_i32
// DISTRIBUTED: scf.if
// DISTRIBUTED: nvgpu.mbarrier.arrive.expect_tx %[[FULL]][%{{.*}}], %c2048 :
// DISTRIBUTED-COUNT-4: nvgpu.tma.async.load
// DISTRIBUTED-NOT: nvgpu.tma.async.load
// DISTRIBUTED: }
func.func @copiers_of_subgroups(%q: memref<64x64xf16>, %pool: memref<?x4x64xf16>, %table: memref<?xindex>, %r: memref<64x64xf32>, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %once = vector_ext.ring.create : !once
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %once[%c0], %q at (%c0, %c0) {maps = [#id]} : !once, memref<64x64xf16>
    %lhs = vector_ext.ring.get %once[%c0] : !once
    %0 = scf.for %k = %c0 to %size step %c64 iter_args(%sum = %zero) -> (vector<64x64xf32>) {
      %n = arith.divui %k, %c64 : index
      %c = vector_ext.ring.copier
      %entry = memref.load %table[%c] : memref<?xindex>
      vector_ext.ring.put %ring[%n], %pool at (%entry, %c0, %c0) {copiers = 16, maps = [#rows], parts = array<i64: 16>} : !ring, memref<?x4x64xf16>
      %rhs = vector_ext.ring.get %ring[%n] : !ring
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      vector_ext.ring.release %ring[%n] : !ring
      scf.yield %next : vector<64x64xf32>
    }
    vector_ext.ring.release %once[%c0] : !once
    vector.transfer_write %0, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
!once = !vector_ext.ring<slots = 1, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// All threads of the role write gathered rows: each copies 4 times 16 bytes, and
// arrives when its copies are done. The gather is not in the role that computes. That
// has a fence between the barrier and the product.

// CHECK-LABEL: func.func @written
// CHECK: vector_ext.role first(0) threads(128)
// CHECK-NOT: gather
// CHECK: vector_ext.role first(128) threads(128) registers(40) {
// CHECK: vector_ext.ring.put
// CHECK: scf.for
// CHECK: %[[T:.*]] = vector_ext.transfer_gather
// CHECK: vector_ext.ring.write %[[T]], %{{.*}}[%{{.*}}]

// Without asynchronous copies, threads load before they wait, and store.
// DISTRIBUTED-LABEL: func.func @written
// DISTRIBUTED: vector_ext.role first(128)
// DISTRIBUTED: scf.for
// DISTRIBUTED-COUNT-4: vector.load
// DISTRIBUTED: nvgpu.mbarrier.try_wait.parity
// DISTRIBUTED-COUNT-4: vector.store
// DISTRIBUTED: nvgpu.mbarrier.arrive.expect_tx %{{.*}}[%{{.*}}], %c0 :

// COPIES-LABEL: func.func @written
// COPIES: %[[FULL:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
// COPIES-COUNT-2: nvgpu.mbarrier.init %[[FULL]][{{.*}}], %c128, predicate
// COPIES: vector_ext.role first(0)
// COPIES: scf.for
// COPIES: nvgpu.mbarrier.try_wait.parity %[[FULL]]
// COPIES-NEXT: nvvm.fence.proxy
// COPIES: vector_ext.async_mma
// COPIES: vector_ext.role first(128)
// COPIES: nvgpu.mbarrier.arrive.expect_tx {{.*}}, predicate
// COPIES: scf.for
// COPIES: nvgpu.mbarrier.try_wait.parity
// COPIES-COUNT-4: nvgpu.device_async_copy {{.*}}, 8 {bypassL1}
// COPIES-NOT: nvgpu.device_async_copy
// COPIES: %[[ADDRESS:.*]] = nvgpu.mbarrier.get %[[FULL]]
// COPIES: %[[POINTER:.*]] = llvm.inttoptr %[[ADDRESS]]
// COPIES: nvvm.cp.async.mbarrier.arrive %[[POINTER]] {noinc = true}
func.func @written(%q: memref<64x64xf16>, %pool: memref<?x64xf16>, %table: memref<?xindex>, %r: memref<64x64xf32>, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %all = arith.constant dense<true> : vector<64xi1>
  %none = arith.constant dense<0> : vector<64xindex>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %once = vector_ext.ring.create : !once
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %once[%c0], %q at (%c0, %c0) {maps = [#id]} : !once, memref<64x64xf16>
    %lhs = vector_ext.ring.get %once[%c0] : !once
    %step = vector.step : vector<64xindex>
    %0 = scf.for %k = %c0 to %size step %c64 iter_args(%sum = %zero) -> (vector<64x64xf32>) {
      %n = arith.divui %k, %c64 : index
      %from = vector.broadcast %k : index to vector<64xindex>
      %s = arith.addi %step, %from : vector<64xindex>
      %rows = vector.gather %table[%c0] [%s], %all, %none : memref<?xindex>, vector<64xindex>, vector<64xi1>, vector<64xindex> into vector<64xindex>
      %tile = vector_ext.transfer_gather %pool[%c0, %c0] indices(%rows : vector<64xindex>)
        {indexing_maps = [affine_map<(i, j)[p] -> (p, j)>, affine_map<(i, j) -> (i)>]} : memref<?x64xf16>, vector<64x64xf16>
      vector_ext.ring.write %tile, %ring[%n] : !ring, vector<64x64xf16>
      %rhs = vector_ext.ring.get %ring[%n] : !ring
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      vector_ext.ring.release %ring[%n] : !ring
      scf.yield %next : vector<64x64xf32>
    }
    vector_ext.ring.release %once[%c0] : !once
    vector.transfer_write %0, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// What threads compute is stored, and each thread arrives itself, behind a fence.

// DISTRIBUTED-LABEL: func.func @computed
// DISTRIBUTED: vector_ext.role first(0)
// DISTRIBUTED-NOT: nvvm.fence.proxy
// DISTRIBUTED: vector_ext.role first(128)
// DISTRIBUTED: vector.load
// DISTRIBUTED: arith.addf
// DISTRIBUTED: vector.store {{.*}}#gpu.address_space<workgroup>
// DISTRIBUTED: nvvm.fence.proxy
// DISTRIBUTED-NEXT: nvgpu.mbarrier.arrive.expect_tx %{{.*}}[%{{.*}}], %c0 :
// DISTRIBUTED-NOT: cp.async
func.func @computed(%b: memref<64x64xf16>, %r: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %read = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %twice = arith.addf %read, %read : vector<64x64xf16>
    vector_ext.ring.write %twice, %ring[%c0] : !ring, vector<64x64xf16>
    %rhs = vector_ext.ring.get %ring[%c0] : !ring
    %0 = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
            %read, %rhs, %zero : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector_ext.ring.release %ring[%c0] : !ring
    vector.transfer_write %0, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}
