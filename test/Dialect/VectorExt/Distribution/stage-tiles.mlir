// RUN: linalg-ext-opt %s --vector-ext-stage-tiles --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-stage-tiles --vector-ext-distribute --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=DISTRIBUTED
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(vector-ext-stage-tiles)' --split-input-file | FileCheck %s

// Both operands of a product in a loop. They share a barrier, whose phase is that
// of the iteration. B has two panels of 64 columns. One thread starts the
// copies.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @product
// CHECK-SAME: %[[A:.*]]: memref<512x256xf16>, %[[B:.*]]: memref<256x384xf16>
// CHECK: %[[ANY_A:.*]] = memref.cast %[[A]] : memref<512x256xf16> to memref<*xf16>
// CHECK: %[[MAP_A:.*]] = nvgpu.tma.create.descriptor %[[ANY_A]] box[%c128{{.*}}, %c64{{.*}}] : memref<*xf16> -> <tensor = memref<128x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
// CHECK: %[[MAP_B:.*]] = nvgpu.tma.create.descriptor %{{.*}} box[%c64{{.*}}, %c64{{.*}}] : memref<*xf16> -> <tensor = memref<64x64xf16, {{.*}}
// CHECK: gpu.launch
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[THREAD]], %c0
// CHECK-DAG: %[[TILE_A:.*]] = memref.alloc() {alignment = 1024 : i64} : memref<8192xf16, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[TILE_B:.*]] = memref.alloc() {alignment = 1024 : i64} : memref<8192xf16, #gpu.address_space<workgroup>>
// CHECK: %[[BARRIER:.*]] = nvgpu.mbarrier.create
// CHECK: nvgpu.mbarrier.init %[[BARRIER]][%c0{{.*}}], %c1{{.*}}, predicate = %[[FIRST]]
// CHECK: nvvm.fence.mbarrier.init
// CHECK-NOT: nvgpu.mbarrier.create
// CHECK: scf.for %[[K:.*]] = %c0 to %c256 step %c64
// CHECK-NEXT: gpu.barrier
// CHECK: %[[ITERATION:.*]] = arith.divui %[[K]], %c64
// CHECK: %[[BIT:.*]] = arith.remui %[[ITERATION]], %c2
// CHECK: %[[PARITY:.*]] = arith.cmpi ne, %[[BIT]], %c0
// CHECK: scf.if %[[FIRST]] {
// CHECK: nvgpu.mbarrier.arrive.expect_tx %[[BARRIER]][%c0{{.*}}], %c32768
// CHECK: %[[BOX_A:.*]] = memref.reinterpret_cast %[[TILE_A]] to offset: [0], sizes: [128, 64], strides: [64, 1]
// CHECK: nvgpu.tma.async.load %[[MAP_A]][%[[K]], %[[M:.*]]], %[[BARRIER]][%c0{{.*}}] to %[[BOX_A]]
// CHECK: nvgpu.tma.async.load %[[MAP_B]][%[[N:.*]], %[[K]]], %[[BARRIER]]
// CHECK: %[[BOX_B:.*]] = memref.reinterpret_cast %[[TILE_B]] to offset: [4096], sizes: [64, 64], strides: [64, 1]
// CHECK: nvgpu.tma.async.load %[[MAP_B]][%{{.*}}, %[[K]]], %[[BARRIER]][%c0{{.*}}] to %[[BOX_B]]
// CHECK: }
// CHECK: nvgpu.mbarrier.try_wait.parity %[[BARRIER]][%c0{{.*}}], %[[PARITY]]
// CHECK: %[[LHS:.*]] = vector_ext.shared_tile %[[TILE_A]] in <[128, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
// CHECK: %[[RHS:.*]] = vector_ext.shared_tile %[[TILE_B]] in <[64, 128], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>
// CHECK: vector.contract {{.*}} %[[LHS]], %[[RHS]]

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
// instructions for a thread.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.bf16", subgroups = [1, 1]>

// CHECK-LABEL: func.func @once
// CHECK: nvgpu.tma.create.descriptor %{{.*}} box[%c1{{.*}}, %c128{{.*}}, %c32{{.*}}] : memref<*xbf16> -> <tensor = memref<1x128x32xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_64b
// CHECK: gpu.launch
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: nvgpu.tma.async.load %{{.*}}[%c0, %c0, %[[BATCH:.*]]], %{{.*}} to %{{.*}} : {{.*}} -> memref<1x128x32xbf16, strided<[4096, 32, 1]>, #gpu.address_space<workgroup>>
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
