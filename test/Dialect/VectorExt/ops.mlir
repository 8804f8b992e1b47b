// RUN: linalg-ext-opt %s | linalg-ext-opt | FileCheck %s
// RUN: linalg-ext-opt %s --mlir-print-op-generic | linalg-ext-opt | FileCheck %s
// RUN: linalg-ext-opt %s --emit-bytecode | linalg-ext-opt | FileCheck %s

// Neighbouring digits that are one digit are printed as one, digits of size one
// not at all.

#c = #vector_ext.layout<[subgroup 4:1, register 2:2, lane 8:4] x [lane 4:1, register 2:1], lanes = 32, subgroups = 4>
#merged = #vector_ext.layout<[lane 4:8, lane 8:1, register 1:7], lanes = 32, subgroups = 1>
#replicated = #vector_ext.layout<[] x [register 10:1], lanes = 64, subgroups = 3>

// CHECK-LABEL: @to_layout
func.func @to_layout(%x: vector<64x8xf32>, %y: vector<32xf16>, %z: vector<1x10xi1>) {
  // CHECK: vector_ext.to_layout %{{.*}} to <[subgroup 4:1, register 2:2, lane 8:4] x [lane 4:1, register 2:1], lanes = 32, subgroups = 4> : vector<64x8xf32>
  %0 = vector_ext.to_layout %x to #c : vector<64x8xf32>
  // CHECK: vector_ext.to_layout %{{.*}} to <[lane 32:1], lanes = 32, subgroups = 1> shared_memory {note} : vector<32xf16>
  %1 = vector_ext.to_layout %y to #merged shared_memory {note} : vector<32xf16>
  // CHECK: vector_ext.to_layout %{{.*}} to <[] x [register 10:1], lanes = 64, subgroups = 3> : vector<1x10xi1>
  %2 = vector_ext.to_layout %z to #replicated : vector<1x10xi1>
  return
}

// CHECK-LABEL: @mma
func.func @mma(%a: vector<8xf16>, %b: vector<4xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  // CHECK: vector_ext.mma "mma.sync.m16n8k16.f32.f16" %{{.*}}, %{{.*}}, %{{.*}} : vector<8xf16>, vector<4xf16>, vector<4xf32>
  %d = vector_ext.mma "mma.sync.m16n8k16.f32.f16" %a, %b, %c : vector<8xf16>, vector<4xf16>, vector<4xf32>
  return %d : vector<4xf32>
}

// CHECK-LABEL: @mma_shared
func.func @mma_shared(%a: vector<8xf16>, %b: memref<512xf16, #gpu.address_space<workgroup>>, %c: vector<4xf32>) -> vector<4xf32> {
  // CHECK: vector_ext.mma "wgmma.m64n8k16.f32.f16" %{{.*}}, %{{.*}} at <start = 32, leading = 16, stride = 1024, swizzle = 128, k_major = true>, %{{.*}} : vector<8xf16>, memref<512xf16, #gpu.address_space<workgroup>>, vector<4xf32>
  %d = vector_ext.mma "wgmma.m64n8k16.f32.f16" %a, %b at <start = 32, leading = 16, stride = 1024, swizzle = 128, k_major = true>, %c : vector<8xf16>, memref<512xf16, #gpu.address_space<workgroup>>, vector<4xf32>
  return %d : vector<4xf32>
}

// CHECK-LABEL: @load_matrix
func.func @load_matrix(%m: memref<4096xf16, #gpu.address_space<workgroup>>, %i: index) {
  // CHECK: vector_ext.load_matrix %{{.*}}[%{{.*}}] : memref<4096xf16, #gpu.address_space<workgroup>> -> vector<2xf16>
  %0 = vector_ext.load_matrix %m[%i] : memref<4096xf16, #gpu.address_space<workgroup>> -> vector<2xf16>
  // CHECK: vector_ext.load_matrix %{{.*}}[%{{.*}}] transpose : memref<4096xf16, #gpu.address_space<workgroup>> -> vector<8xf16>
  %1 = vector_ext.load_matrix %m[%i] transpose : memref<4096xf16, #gpu.address_space<workgroup>> -> vector<8xf16>
  return
}

// CHECK-LABEL: @config
// CHECK-SAME: vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [4, 1]>
func.func @config() attributes {vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [4, 1]>} {
  return
}

// CHECK-LABEL: @config_promote
// CHECK-SAME: vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [1, 2], promote = [false, true]>
func.func @config_promote() attributes {vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [1, 2], promote = [false, true]>} {
  return
}

// CHECK-LABEL: @transfer_gather
func.func @transfer_gather(%pool: memref<?x16x64xf16>, %tensor: tensor<?x16x64xf16>, %pages: vector<32xi32>, %rows: vector<32xindex>, %mask: vector<32xi1>, %at: index) {
  // CHECK: vector_ext.transfer_gather %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] indices(%{{.*}}, %{{.*}} : vector<32xi32>, vector<32xindex>) mask(%{{.*}} : vector<32xi1>) {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}, #{{.*}}]} : memref<?x16x64xf16>, vector<32x64xf16>
  %0 = vector_ext.transfer_gather %pool[%at, %at, %at] indices(%pages, %rows : vector<32xi32>, vector<32xindex>) mask(%mask : vector<32xi1>)
       {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]}
       : memref<?x16x64xf16>, vector<32x64xf16>
  // CHECK: vector_ext.transfer_gather %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] {indexing_maps = [#{{.*}}]} : memref<?x16x64xf16>, vector<4x8xf16>
  %1 = vector_ext.transfer_gather %pool[%at, %at, %at] {indexing_maps = [affine_map<(i, j) -> (0, j, i)>]} : memref<?x16x64xf16>, vector<4x8xf16>
  // CHECK: vector_ext.transfer_gather {{.*}} : tensor<?x16x64xf16>, vector<4x8xf16>
  %2 = vector_ext.transfer_gather %tensor[%at, %at, %at] {indexing_maps = [affine_map<(i, j) -> (0, j, i)>]} : tensor<?x16x64xf16>, vector<4x8xf16>
  return
}

// CHECK-LABEL: @assume
func.func @assume(%n: index) {
  // CHECK: vector_ext.assume %{{.*}} at_least -5
  %0 = vector_ext.assume %n at_least -5
  // CHECK: vector_ext.assume %{{.*}} at_least 8 at_most 64 multiple_of 8 {note}
  %1 = vector_ext.assume %n at_least 8 at_most 64 multiple_of 8 {note}
  return
}

#a = #vector_ext.shared<[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#b = #vector_ext.shared<[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
#padded = #vector_ext.shared<[8], order = [0], bits = 32, panel = 8, padding = 4, swizzle = [0, 0, 0]>

// CHECK-LABEL: @shared
// CHECK-SAME: note = #vector_ext.shared<[8], order = [0], bits = 32, panel = 8, padding = 4, swizzle = [0, 0, 0]>
func.func @shared() attributes {note = #padded} {
  return
}

// CHECK-LABEL: @async_mma
func.func @async_mma(%a: memref<8192xf16, #gpu.address_space<workgroup>>, %b: memref<?xf16, strided<[1], offset: ?>, #gpu.address_space<workgroup>>,
                     %c: vector<64xf32>, %m: index) -> vector<64xf32> {
  %zero = arith.constant 0 : index
  %k = arith.constant 16 : index
  // CHECK: %[[FIRST:.*]] = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %{{.*}}[%{{.*}}, %{{.*}}] in <[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>, %{{.*}}[%{{.*}}, %{{.*}}] in <[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>, %{{.*}} : memref<8192xf16, #gpu.address_space<workgroup>>, memref<?xf16, strided<[1], offset: ?>, #gpu.address_space<workgroup>>, vector<64xf32>
  %0 = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %a[%m, %zero] in #a, %b[%zero, %zero] in #b, %c
       : memref<8192xf16, #gpu.address_space<workgroup>>, memref<?xf16, strided<[1], offset: ?>, #gpu.address_space<workgroup>>, vector<64xf32>
  %1 = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %a[%m, %k] in #a, %b[%k, %zero] in #b, %0
       : memref<8192xf16, #gpu.address_space<workgroup>>, memref<?xf16, strided<[1], offset: ?>, #gpu.address_space<workgroup>>, vector<64xf32>
  // CHECK: vector_ext.await %{{.*}} : vector<64xf32>
  %2 = vector_ext.await %1 : vector<64xf32>
  return %2 : vector<64xf32>
}

// A loop carries an open result.

// CHECK-LABEL: @await_earlier
func.func @await_earlier(%a: memref<8192xf16, #gpu.address_space<workgroup>>, %b: memref<8192xf16, #gpu.address_space<workgroup>>,
                         %c: vector<64xf32>, %n: index) -> vector<64xf32> {
  %zero = arith.constant 0 : index
  %step = arith.constant 16 : index
  // CHECK: %[[LOOP:.*]] = scf.for
  %0 = scf.for %k = %zero to %n step %step iter_args(%acc = %c) -> (vector<64xf32>) {
    // CHECK: %[[OPEN:.*]] = vector_ext.async_mma
    %1 = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %a[%zero, %zero] in #a, %b[%zero, %zero] in #b, %acc
         : memref<8192xf16, #gpu.address_space<workgroup>>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<64xf32>
    // CHECK: vector_ext.await_earlier %[[OPEN]] : vector<64xf32>
    vector_ext.await_earlier %1 : vector<64xf32>
    scf.yield %1 : vector<64xf32>
  }
  // CHECK: vector_ext.await %[[LOOP]] : vector<64xf32>
  %2 = vector_ext.await %0 : vector<64xf32>
  return %2 : vector<64xf32>
}

// CHECK-LABEL: @async_mma_registers
func.func @async_mma_registers(%a: vector<8xf16>, %b: memref<8192xf16, #gpu.address_space<workgroup>>, %c: vector<64xf32>, %d: vector<64xf32>) -> vector<64xf32> {
  %zero = arith.constant 0 : index
  // CHECK: vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] in <{{.*}}>, %{{.*}} : vector<8xf16>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<64xf32>
  %0 = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %a, %b[%zero, %zero] in #b, %c : vector<8xf16>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<64xf32>
  %1 = vector_ext.async_mma "wgmma.m64n128k16.f32.f16" %a, %b[%zero, %zero] in #b, %d : vector<8xf16>, memref<8192xf16, #gpu.address_space<workgroup>>, vector<64xf32>
  // CHECK: vector_ext.await %{{.*}}, %{{.*}} : vector<64xf32>, vector<64xf32>
  %2:2 = vector_ext.await %0, %1 : vector<64xf32>, vector<64xf32>
  return %2#1 : vector<64xf32>
}

// CHECK-LABEL: @shared_tile
func.func @shared_tile(%m: memref<8192xf16, #gpu.address_space<workgroup>>) -> vector<128x64xf16> {
  // CHECK: vector_ext.shared_tile %{{.*}} in <[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]> : memref<8192xf16, #gpu.address_space<workgroup>>, vector<128x64xf16>
  %0 = vector_ext.shared_tile %m in #a : memref<8192xf16, #gpu.address_space<workgroup>>, vector<128x64xf16>
  return %0 : vector<128x64xf16>
}

// Rings and roles.

// CHECK-LABEL: func.func @rings
// CHECK: %[[RING:.*]] = vector_ext.ring.create : <slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
// CHECK: vector_ext.role first(128) threads(128) single registers(24) {
// CHECK: vector_ext.ring.put %[[RING]][%{{.*}}], %{{.*}} at (%{{.*}}, %{{.*}}) {maps = [#{{.*}}]} : <slots = 2, {{.*}}>, memref<?x64xf16>
// CHECK: vector_ext.role first(0) threads(128) {
// CHECK: vector_ext.ring.get %[[RING]][%{{.*}}] : <slots = 2
// CHECK: vector_ext.ring.release %[[RING]][%{{.*}}] : <slots = 2
// CHECK: vector_ext.role_barrier
// CHECK: vector_ext.turn.take groups(2)
// CHECK: vector_ext.turn.pass groups(2)
func.func @rings(%m: memref<?x64xf16>, %i: index) {
  %ring = vector_ext.ring.create : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
  vector_ext.role first(128) threads(128) single registers(24) {
    vector_ext.ring.put %ring[%i], %m at (%i, %i) {maps = [affine_map<(d0, d1) -> (d0, d1)>]} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x64xf16>
  }
  vector_ext.role first(0) threads(128) {
    %t = vector_ext.ring.get %ring[%i] : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
    vector_ext.ring.release %ring[%i] : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
    vector_ext.role_barrier
    vector_ext.turn.take groups(2)
    vector_ext.turn.pass groups(2)
  }
  return
}

// Parts of a tile, and its end.

// CHECK-LABEL: func.func @parts
// CHECK: vector_ext.ring.put %{{.*}}[%{{.*}}], %{{.*}} at (%{{.*}}, %{{.*}}, %c0), (%{{.*}}, %{{.*}}, %c0) {maps = [#{{.*}}], parts = array<i64: 2>} : <slots = 2, {{.*}}>, memref<?x32x64xf16>
// CHECK: vector_ext.ring.get %{{.*}}[%{{.*}}] ends(%{{.*}}) : <slots = 2
func.func @parts(%m: memref<?x32x64xf16>, %i: index) {
  %c0 = arith.constant 0 : index
  %ring = vector_ext.ring.create : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
  vector_ext.ring.put %ring[%i], %m at (%i, %i, %c0), (%i, %i, %c0) {maps = [affine_map<(d0, d1, d2) -> (d1, d2)>], parts = array<i64: 2>} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x32x64xf16>
  %t = vector_ext.ring.get %ring[%i] ends(%i) : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
  return
}

// Several threads share the parts of a tile.

// CHECK-LABEL: func.func @copiers
// CHECK: vector_ext.role first(128) threads(128) single groups(4) registers(24) {
// CHECK: %[[C:.*]] = vector_ext.ring.copier
// CHECK: vector_ext.ring.put %{{.*}}[%{{.*}}], %{{.*}} at (%[[C]], %c0, %c0) {copiers = 2 : i64, maps = [#{{.*}}], parts = array<i64: 2>} : <slots = 2, {{.*}}>, memref<?x32x64xf16>
func.func @copiers(%m: memref<?x32x64xf16>, %i: index) {
  %c0 = arith.constant 0 : index
  %ring = vector_ext.ring.create : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
  vector_ext.role first(128) threads(128) single groups(4) registers(24) {
    %c = vector_ext.ring.copier
    vector_ext.ring.put %ring[%i], %m at (%c, %c0, %c0) {copiers = 2, maps = [affine_map<(d0, d1, d2) -> (d1, d2)>], parts = array<i64: 2>} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x32x64xf16>
  }
  return
}

// Groups of threads have tiles of their own.

// CHECK-LABEL: func.func @groups
// CHECK-SAME: %[[I:[a-z0-9]+]]: index, %[[C:[a-z0-9]+]]: i1
// CHECK: %[[RING:.*]] = vector_ext.ring.create
// CHECK: vector_ext.role first(0) threads(256) groups(2) registers(232) {
// CHECK: vector_ext.role_group
// CHECK: vector_ext.ring.release %[[RING]][%[[I]]] if %[[C]] : <slots = 2
func.func @groups(%i: index, %c: i1) {
  %ring = vector_ext.ring.create : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
  vector_ext.role first(0) threads(256) groups(2) registers(232) {
    %g = vector_ext.role_group
    vector_ext.ring.release %ring[%i] if %c : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
  }
  return
}

// Threads write tiles.

// CHECK-LABEL: func.func @writes
// CHECK-SAME: %[[T:[a-z0-9]+]]: vector<64x64xf16>, %[[M:[a-z0-9]+]]: memref<4096xf16, #gpu.address_space<workgroup>>, %[[B:[a-z0-9]+]]: i32, %[[I:[a-z0-9]+]]: index
// CHECK: vector_ext.ring.write %[[T]], %{{.*}}[%[[I]]] : <slots = 2, {{.*}}>, vector<64x64xf16>
// CHECK: vector_ext.write_tile %[[T]], %[[M]] in <[64, 64], {{.*}}>, %[[B]][%[[I]]] : vector<64x64xf16>, memref<4096xf16, #gpu.address_space<workgroup>>, i32
func.func @writes(%t: vector<64x64xf16>, %m: memref<4096xf16, #gpu.address_space<workgroup>>, %barriers: i32, %i: index) {
  %ring = vector_ext.ring.create : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
  vector_ext.ring.write %t, %ring[%i] : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, vector<64x64xf16>
  vector_ext.write_tile %t, %m in <[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>, %barriers[%i] : vector<64x64xf16>, memref<4096xf16, #gpu.address_space<workgroup>>, i32
  return
}

// Subgroups store parts of tiles.

// CHECK-LABEL: func.func @stores
// CHECK-SAME: %[[T:[a-z0-9]+]]: vector<64x64xf16>, %[[M:[a-z0-9]+]]: memref<4096xf16, #gpu.address_space<workgroup>>, %[[C:[a-z0-9]+]]: memref<512x8x64xf16>, %[[I:[a-z0-9]+]]: index
// CHECK: vector_ext.write_tile %[[T]], %[[M]] in <[64, 64], {{.*}}> : vector<64x64xf16>, memref<4096xf16, #gpu.address_space<workgroup>>
// CHECK: vector_ext.store_tile %[[T]], %[[C]][%[[I]], %[[I]], %[[I]]] through <[64, 64], {{.*}}> {map = #{{.+}}, parts = 4 : i64} : vector<64x64xf16>, memref<512x8x64xf16>
func.func @stores(%t: vector<64x64xf16>, %m: memref<4096xf16, #gpu.address_space<workgroup>>, %c: memref<512x8x64xf16>, %i: index) {
  vector_ext.write_tile %t, %m in <[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]> : vector<64x64xf16>, memref<4096xf16, #gpu.address_space<workgroup>>
  vector_ext.store_tile %t, %c[%i, %i, %i] through <[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]> {map = affine_map<(d0, d1, d2) -> (d0, d2)>, parts = 4} : vector<64x64xf16>, memref<512x8x64xf16>
  return
}

// Threads wait for a tile, or not.

// CHECK-LABEL: func.func @waits
// CHECK: vector_ext.ring.get %{{.+}}[%{{.+}}] if %{{.+}} : <slots = 2
func.func @waits(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %i: index, %c: i1) {
  %0 = vector_ext.ring.get %r[%i] if %c : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
  return
}

// CHECK-LABEL: func.func @clusters
// CHECK: vector_ext.ring.put
// CHECK-SAME: shared = array<i64: 0>
// CHECK: vector_ext.cluster_barrier
// CHECK: vector_ext.cluster_arrive %{{.*}}[%{{.*}}] of %{{.*}} if %{{.*}} : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
func.func @clusters(%r: !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, %m: memref<?x64xf16>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>, %i: index, %if: i1) {
  vector_ext.ring.put %r[%i], %m at (%i, %i) {maps = [affine_map<(d0, d1) -> (d0, d1)>], shared = array<i64: 0>} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x64xf16>
  vector_ext.cluster_barrier
  vector_ext.cluster_arrive %b[%i] of %i if %if : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
  return
}
