// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles slots=2' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles,persist-workgroups,assign-roles' --split-input-file | FileCheck %s --check-prefix=ROLES
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles,persist-workgroups,assign-roles,lower-rings' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=LOWER

// A residual that threads read behind the loop of a product, in a kernel with
// roles: a ring of its own, with one slot, which is copied behind the last tiles
// of the loop.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @residual
// CHECK-SAME: %{{.+}}: memref<512x256xf16>, %{{.+}}: memref<256x384xf16>, %[[MEMORY:.+]]: memref<512x384xf16>, %{{.+}}: memref
// CHECK-DAG: vector_ext.ring.create : <slots = 2, tiles = [vector<128x64xf16>, vector<64x128xf16>]
// CHECK-DAG: %[[RING:.+]] = vector_ext.ring.create : <slots = 1, tiles = [vector<128x128xf16>], layouts = [<[128, 128], order = [0, 1], bits = 16, panel = 64,
// CHECK: %[[SUM:.+]] = scf.for
// CHECK: vector.contract
// CHECK: scf.yield
// CHECK: vector_ext.ring.put %[[RING]][%[[N:.+]]], %[[MEMORY]] at (%[[ROW:.+]], %[[COLUMN:.+]])
// CHECK-NEXT: %[[TILE:.+]] = vector_ext.ring.get %[[RING]][%[[N]]]
// CHECK: %[[WIDE:.+]] = arith.extf %[[TILE]]
// CHECK-NEXT: vector_ext.ring.release %[[RING]][%[[N]]]
// CHECK: arith.addf %[[SUM]], %[[WIDE]]

// The number of the tile is the position in the ring. There is room for all four
// slots for operands.
// ROLES-LABEL: func.func @residual
// ROLES-DAG: %[[TILES:.+]] = vector_ext.ring.create : <slots = 4, tiles = [vector<128x64xf16>,
// ROLES-DAG: %[[RING:.+]] = vector_ext.ring.create : <slots = 1, tiles = [vector<128x128xf16>]
// ROLES: vector_ext.role first(0)
// ROLES: scf.for %[[TILE:[a-z0-9]+]] = %c0{{.*}} to
// ROLES: scf.for
// ROLES: vector_ext.ring.release %[[TILES]]
// ROLES: vector_ext.ring.get %[[RING]][%[[TILE]]]
// ROLES: vector_ext.ring.release %[[RING]][%[[TILE]]]
// ROLES: vector.transfer_write
// ROLES: vector_ext.role first(256)
// ROLES: scf.for %[[TILE:[a-z0-9]+]] = %c0{{.*}} to
// ROLES: scf.for
// ROLES: vector_ext.ring.put %[[TILES]]
// ROLES: }
// ROLES: vector_ext.ring.put %[[RING]][%[[TILE]]]

// A fence orders the loads of threads before the next copy to the slot. Operands
// of instructions need none.
// LOWER-LABEL: func.func @residual
// LOWER: vector_ext.role first(0)
// LOWER-NOT: nvvm.fence.proxy
// LOWER: vector.contract
// LOWER-NEXT: nvgpu.mbarrier.arrive.expect_tx
// LOWER-NEXT: scf.yield
// LOWER: %[[TILE:.+]] = vector_ext.shared_tile
// LOWER-NEXT: arith.extf %[[TILE]]
// LOWER-NEXT: nvvm.fence.proxy
// LOWER-NEXT: nvvm.bar.warp.sync
// LOWER-NEXT: nvgpu.mbarrier.arrive.expect_tx
// LOWER: vector.transfer_write
// LOWER-NOT: nvvm.fence.proxy
// LOWER: vector_ext.role first(256)
func.func @residual(%a: memref<512x256xf16>, %b: memref<256x384xf16>, %r: memref<512x384xf16>, %c: memref<512x384xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c12, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> ((d0 floordiv 3) * 128)>(%x)
    %n = affine.apply affine_map<(d0) -> ((d0 mod 3) * 128)>(%x)
    %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<128x128xf32>) {
      %lhs = vector.transfer_read %a[%m, %k], %pad {in_bounds = [true, true]} : memref<512x256xf16>, vector<128x64xf16>
      %rhs = vector.transfer_read %b[%k, %n], %pad {in_bounds = [true, true]} : memref<256x384xf16>, vector<64x128xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<128x64xf16>, vector<64x128xf16> into vector<128x128xf32>
      scf.yield %next : vector<128x128xf32>
    }
    %read = vector.transfer_read %r[%m, %n], %pad {in_bounds = [true, true]} : memref<512x384xf16>, vector<128x128xf16>
    %wide = arith.extf %read : vector<128x128xf16> to vector<128x128xf32>
    %all = arith.addf %0, %wide : vector<128x128xf32>
    vector.transfer_write %all, %c[%m, %n] {in_bounds = [true, true]} : vector<128x128xf32>, memref<512x384xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}

// -----

// What the kernel writes is read where it is: another tile could be in the way of
// a copy.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @negative_in_place
// CHECK-NOT: vector_ext.ring.create : <slots = 1
// CHECK: scf.yield
// CHECK: vector.transfer_read
// ROLES-LABEL: func.func @negative_in_place
// ROLES: vector_ext.ring.create : <slots = 4
// ROLES-NOT: ring.create
func.func @negative_in_place(%a: memref<512x256xf16>, %b: memref<256x384xf16>, %r: memref<512x384xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %pad = ub.poison : f16
  %pad32 = ub.poison : f32
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c12, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> ((d0 floordiv 3) * 128)>(%x)
    %n = affine.apply affine_map<(d0) -> ((d0 mod 3) * 128)>(%x)
    %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<128x128xf32>) {
      %lhs = vector.transfer_read %a[%m, %k], %pad {in_bounds = [true, true]} : memref<512x256xf16>, vector<128x64xf16>
      %rhs = vector.transfer_read %b[%k, %n], %pad {in_bounds = [true, true]} : memref<256x384xf16>, vector<64x128xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<128x64xf16>, vector<64x128xf16> into vector<128x128xf32>
      scf.yield %next : vector<128x128xf32>
    }
    %read = vector.transfer_read %r[%m, %n], %pad32 {in_bounds = [true, true]} : memref<512x384xf32>, vector<128x128xf32>
    %all = arith.addf %0, %read : vector<128x128xf32>
    vector.transfer_write %all, %r[%m, %n] {in_bounds = [true, true]} : vector<128x128xf32>, memref<512x384xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}

// -----

// Three residuals of 32 bits, of 64 KiB each, leave one slot for operands: threads
// read them. With a given number of slots they are copied.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @too_large
// CHECK-COUNT-3: vector_ext.ring.create : <slots = 1
// ROLES-LABEL: func.func @too_large
// ROLES: vector_ext.ring.create : <slots = 4
// ROLES-NOT: ring.create
// ROLES-COUNT-3: vector.transfer_read
func.func @too_large(%a: memref<512x256xf16>, %b: memref<256x384xf16>, %r: memref<512x384xf32>, %s: memref<512x384xf32>, %t: memref<512x384xf32>, %c: memref<512x384xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %pad = ub.poison : f16
  %pad32 = ub.poison : f32
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c12, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> ((d0 floordiv 3) * 128)>(%x)
    %n = affine.apply affine_map<(d0) -> ((d0 mod 3) * 128)>(%x)
    %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<128x128xf32>) {
      %lhs = vector.transfer_read %a[%m, %k], %pad {in_bounds = [true, true]} : memref<512x256xf16>, vector<128x64xf16>
      %rhs = vector.transfer_read %b[%k, %n], %pad {in_bounds = [true, true]} : memref<256x384xf16>, vector<64x128xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<128x64xf16>, vector<64x128xf16> into vector<128x128xf32>
      scf.yield %next : vector<128x128xf32>
    }
    %read = vector.transfer_read %r[%m, %n], %pad32 {in_bounds = [true, true]} : memref<512x384xf32>, vector<128x128xf32>
    %other = vector.transfer_read %s[%m, %n], %pad32 {in_bounds = [true, true]} : memref<512x384xf32>, vector<128x128xf32>
    %third = vector.transfer_read %t[%m, %n], %pad32 {in_bounds = [true, true]} : memref<512x384xf32>, vector<128x128xf32>
    %sum2 = arith.addf %0, %read : vector<128x128xf32>
    %some = arith.addf %sum2, %third : vector<128x128xf32>
    %all = arith.addf %some, %other : vector<128x128xf32>
    vector.transfer_write %all, %c[%m, %n] {in_bounds = [true, true]} : vector<128x128xf32>, memref<512x384xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}

// -----

// Without roles, threads read a bias and a residual in front of the loop, with what
// their places follow from. What follows from the sum stays, and so does what the
// kernel writes.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [1, 1]>

// CHECK-LABEL: func.func @in_front
// CHECK: gpu.launch
// CHECK: %[[BIAS:.+]] = vector.transfer_read %{{.+}} : memref<384xf32>, vector<128xf32>
// CHECK: %[[ROW:.+]] = arith.addi
// CHECK: %[[RESIDUAL:.+]] = vector.transfer_read %{{.+}}[%[[ROW]], %{{.+}}]
// CHECK: %[[SUM:.+]] = scf.for
// CHECK: scf.yield
// CHECK: vector.broadcast %[[BIAS]]
// CHECK: arith.extf %[[RESIDUAL]]
// CHECK: vector.transfer_read {{.+}} : memref<512x384xf32>, vector<64x128xf32>
func.func @in_front(%a: memref<512x256xf16>, %b: memref<256x384xf16>, %bias: memref<384xf32>, %r: memref<1024x384xf16>, %c: memref<512x384xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %pad = ub.poison : f16
  %pad32 = ub.poison : f32
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c24, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> ((d0 floordiv 3) * 64)>(%x)
    %n = affine.apply affine_map<(d0) -> ((d0 mod 3) * 128)>(%x)
    %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<64x128xf32>) {
      %lhs = vector.transfer_read %a[%m, %k], %pad {in_bounds = [true, true]} : memref<512x256xf16>, vector<64x64xf16>
      %rhs = vector.transfer_read %b[%k, %n], %pad {in_bounds = [true, true]} : memref<256x384xf16>, vector<64x128xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x64xf16>, vector<64x128xf16> into vector<64x128xf32>
      scf.yield %next : vector<64x128xf32>
    }
    %row = vector.transfer_read %bias[%n], %pad32 {in_bounds = [true]} : memref<384xf32>, vector<128xf32>
    %rows = vector.broadcast %row : vector<128xf32> to vector<64x128xf32>
    %1 = arith.addf %0, %rows : vector<64x128xf32>
    %other = arith.addi %m, %c256 : index
    %read = vector.transfer_read %r[%other, %n], %pad {in_bounds = [true, true]} : memref<1024x384xf16>, vector<64x128xf16>
    %wide = arith.extf %read : vector<64x128xf16> to vector<64x128xf32>
    %2 = arith.addf %1, %wide : vector<64x128xf32>
    %before = vector.transfer_read %c[%m, %n], %pad32 {in_bounds = [true, true]} : memref<512x384xf32>, vector<64x128xf32>
    %all = arith.addf %2, %before : vector<64x128xf32>
    vector.transfer_write %all, %c[%m, %n] {in_bounds = [true, true]} : vector<64x128xf32>, memref<512x384xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

// -----

// A place may be computed from another one twice, and that in turn.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @doubled
// CHECK: vector_ext.ring.create : <slots = 1,
// CHECK: vector.contract
// CHECK: vector_ext.ring.put %{{.+}} at
func.func @doubled(%a: memref<512x256xf16>, %b: memref<256x384xf16>, %r: memref<512x384xf16>, %c: memref<512x384xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c12, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> ((d0 floordiv 3) * 128)>(%x)
    %n = affine.apply affine_map<(d0) -> ((d0 mod 3) * 128)>(%x)
    %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<128x128xf32>) {
      %lhs = vector.transfer_read %a[%m, %k], %pad {in_bounds = [true, true]} : memref<512x256xf16>, vector<128x64xf16>
      %rhs = vector.transfer_read %b[%k, %n], %pad {in_bounds = [true, true]} : memref<256x384xf16>, vector<64x128xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<128x64xf16>, vector<64x128xf16> into vector<128x128xf32>
      scf.yield %next : vector<128x128xf32>
    }
    %x0 = affine.apply affine_map<(d0) -> ((d0 mod 3) * 128)>(%x)
    %x1 = arith.addi %x0, %x0 : index %x2 = arith.addi %x1, %x1 : index
    %x3 = arith.addi %x2, %x2 : index %x4 = arith.addi %x3, %x3 : index
    %x5 = arith.addi %x4, %x4 : index %x6 = arith.addi %x5, %x5 : index
    %x7 = arith.addi %x6, %x6 : index %x8 = arith.addi %x7, %x7 : index
    %x9 = arith.addi %x8, %x8 : index %x10 = arith.addi %x9, %x9 : index
    %x11 = arith.addi %x10, %x10 : index %x12 = arith.addi %x11, %x11 : index
    %x13 = arith.addi %x12, %x12 : index %x14 = arith.addi %x13, %x13 : index
    %x15 = arith.addi %x14, %x14 : index %x16 = arith.addi %x15, %x15 : index
    %x17 = arith.addi %x16, %x16 : index %x18 = arith.addi %x17, %x17 : index
    %x19 = arith.addi %x18, %x18 : index %x20 = arith.addi %x19, %x19 : index
    %x21 = arith.addi %x20, %x20 : index %x22 = arith.addi %x21, %x21 : index
    %x23 = arith.addi %x22, %x22 : index %x24 = arith.addi %x23, %x23 : index
    %x25 = arith.addi %x24, %x24 : index %x26 = arith.addi %x25, %x25 : index
    %x27 = arith.addi %x26, %x26 : index %x28 = arith.addi %x27, %x27 : index
    %x29 = arith.addi %x28, %x28 : index %x30 = arith.addi %x29, %x29 : index
    %x31 = arith.addi %x30, %x30 : index %x32 = arith.addi %x31, %x31 : index
    %read = vector.transfer_read %r[%m, %x32], %pad {in_bounds = [true, true]} : memref<512x384xf16>, vector<128x128xf16>
    %wide = arith.extf %read : vector<128x128xf16> to vector<128x128xf32>
    %all = arith.addf %0, %wide : vector<128x128xf32>
    vector.transfer_write %all, %c[%m, %n] {in_bounds = [true, true]} : vector<128x128xf32>, memref<512x384xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}
