// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles slots=2' --canonicalize --cse --split-input-file | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(vector-ext-pipeline-products{steps=stage-tiles slots=2},canonicalize,cse)' --split-input-file | FileCheck %s

// Gathered rows are copied in parts in which the page is the same.

// A tile of 64 rows is two pages of 32. What tells the page of a row is computed
// for the first row of each part, and all entries are read in one branch. A page that
// does not exist is page -1. The length of the sequence is an end.

#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @pages
// CHECK-SAME: %[[POOL:[a-z0-9]+]]: memref<?x32x8x64xf16>, %[[TABLE:[a-z0-9]+]]: memref<?xi32>
// CHECK-DAG: %[[OUT:.*]] = arith.constant -1 : index
// CHECK: scf.for %[[I:.*]] = %c0
// CHECK-NOT: vector.gather
// CHECK: %[[P:.*]] = arith.shrsi %[[I]], %c5
// CHECK: %[[IN0:.*]] = arith.cmpi ult, %[[P]], %{{.*}}
// CHECK: %[[ANY:.*]] = arith.ori %[[IN1:.*]], %[[IN0]] : i1
// CHECK: %[[E:.*]]:2 = scf.if %[[ANY]] -> (i32, i32) {
// CHECK-COUNT-2: memref.load %[[TABLE]]
// CHECK: arith.select %[[IN0]], %[[E]]#0, %c0_i32
// CHECK: arith.select %[[IN1]], %[[E]]#1, %c0_i32
// CHECK: %[[P0:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: arith.cmpi ult, %[[P0]], %{{.*}} : index
// CHECK: %[[R0:.*]] = arith.select %{{.*}}, %[[P0]], %[[OUT]] : index
// CHECK: %[[P1:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[R1:.*]] = arith.select %{{.*}}, %[[P1]], %[[OUT]] : index
// CHECK: %[[END:.*]] = arith.subi %{{.*}}, %[[I]] : index
// CHECK: vector_ext.ring.put %{{.*}}, %[[POOL]] at (%[[R0]], %c0, %{{.*}}, %c0), (%[[R1]], %c0, %{{.*}}, %c0) {{.*}}parts = array<i64: 2>
// CHECK: vector_ext.ring.get %{{.*}} ends(%[[END]])
func.func @pages(%pool: memref<?x32x8x64xf16>, %table: memref<?xi32>, %q: memref<64x64xf16>, %r: memref<64x64xf32>, %n: index, %h: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %none = arith.constant dense<0> : vector<64xi32>
  %five = arith.constant dense<5> : vector<64xindex>
  %rest = arith.constant dense<31> : vector<64xindex>
  %entries = memref.dim %table, %c0 : memref<?xi32>
  %pages = memref.dim %pool, %c0 : memref<?x32x8x64xf16>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %lhs = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %step = vector.step : vector<64xindex>
    %0 = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> (vector<64x64xf32>) {
      %from = vector.broadcast %i : index to vector<64xindex>
      %s = arith.addi %step, %from : vector<64xindex>
      %entry = arith.shrsi %s, %five : vector<64xindex>
      %most = vector.broadcast %entries : index to vector<64xindex>
      %listed = arith.cmpi ult, %entry, %most : vector<64xindex>
      %named = vector.gather %table[%c0] [%entry], %listed, %none : memref<?xi32>, vector<64xindex>, vector<64xi1>, vector<64xi32> into vector<64xi32>
      %page = arith.index_cast %named : vector<64xi32> to vector<64xindex>
      %row = arith.andi %s, %rest : vector<64xindex>
      %count = vector.broadcast %pages : index to vector<64xindex>
      %there = arith.cmpi ult, %page, %count : vector<64xindex>
      %length = vector.broadcast %n : index to vector<64xindex>
      %inside = arith.cmpi slt, %s, %length : vector<64xindex>
      %both = arith.andi %listed, %there : vector<64xi1>
      %exists = arith.andi %both, %inside : vector<64xi1>
      %rhs = vector_ext.transfer_gather %pool[%c0, %c0, %h, %c0] indices(%page, %row : vector<64xindex>, vector<64xindex>) mask(%exists : vector<64xi1>)
        {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, 0, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]} : memref<?x32x8x64xf16>, vector<64x64xf16>
      %1 = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %sum {vector_ext.config = #config} : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      scf.yield %1 : vector<64x64xf32>
    }
    vector.transfer_write %0, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

// A tile is half of a page, so its indices are scalars.

#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @half_page
// CHECK-SAME: %[[POOL:[a-z0-9]+]]: memref<?x128x64xf16>, {{.*}}, %[[PAGE:[a-z0-9]+]]: index, %[[EXISTS:[a-z0-9]+]]: i1
// CHECK: %[[ROW:.*]] = arith.select %[[EXISTS]], %c64, %c-64 : index
// CHECK: vector_ext.ring.put %{{.*}}, %{{.*}}, %[[POOL]] at (%c0, %c0), (%[[PAGE]], %[[ROW]], %c0) {maps = [#{{.*}}, #{{.*}}]} :
// CHECK: vector_ext.ring.get %{{[^ ]*}} :
func.func @half_page(%pool: memref<?x128x64xf16>, %q: memref<64x64xf16>, %r: memref<64x64xf32>, %page: index, %exists: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %lhs = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %mask = vector.broadcast %exists : i1 to vector<64xi1>
    %rhs = vector_ext.transfer_gather %pool[%page, %c64, %c0] mask(%mask : vector<64xi1>)
      {indexing_maps = [affine_map<(i, j) -> (0, i, j)>, affine_map<(i, j) -> (i)>]} : memref<?x128x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %zero {vector_ext.config = #config} : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

// Packed rows are one part. That they are in the pool the copies see to.

#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @packed
// CHECK-SAME: %[[POOL:[a-z0-9]+]]: memref<?x64xf16>, {{.*}}, %[[START:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
// CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[N]], %c0
// CHECK: %[[ROW:.*]] = arith.select %[[SOME]], %[[START]], %c-64 : index
// CHECK: vector_ext.ring.put %{{.*}}, %{{.*}}, %[[POOL]] at (%c0, %c0), (%[[ROW]], %c0) {maps = [#{{.*}}, #{{.*}}]} :
// CHECK: vector_ext.ring.get %{{.*}} ends(%c64, %[[N]])
func.func @packed(%pool: memref<?x64xf16>, %q: memref<64x64xf16>, %r: memref<64x64xf32>, %start: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %rows = memref.dim %pool, %c0 : memref<?x64xf16>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %lhs = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %step = vector.step : vector<64xindex>
    %from = vector.broadcast %start : index to vector<64xindex>
    %row = arith.addi %step, %from : vector<64xindex>
    %all = vector.broadcast %rows : index to vector<64xindex>
    %there = arith.cmpi ult, %row, %all : vector<64xindex>
    %inside = vector.create_mask %n : vector<64xi1>
    %mask = arith.andi %there, %inside : vector<64xi1>
    %rhs = vector_ext.transfer_gather %pool[%start, %c0] mask(%mask : vector<64xi1>)
      {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : memref<?x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %zero {vector_ext.config = #config} : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

// In a kernel with roles, two threads share the pages of a tile: each looks up and
// copies one of them.

#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @roles
// CHECK-SAME: %[[POOL:[a-z0-9]+]]: memref<?x32x8x64xf16>, %[[TABLE:[a-z0-9]+]]: memref<?xi32>
// CHECK: scf.for %[[I:.*]] = %c0
// CHECK: %[[C:.*]] = vector_ext.ring.copier
// CHECK: %[[FROM:.*]] = arith.muli %[[C]], %c32
// CHECK: %[[S:.*]] = arith.addi %[[FROM]], %[[I]]
// CHECK: %[[P:.*]] = arith.shrsi %[[S]], %c5
// CHECK: scf.if %{{.*}} -> (i32) {
// CHECK: memref.load %[[TABLE]][%[[P]]]
// CHECK-NOT: memref.load
// CHECK: vector_ext.ring.put %{{.*}}, %[[POOL]] at (%{{.*}}, %{{.*}}, %{{.*}}, %c0) {copiers = 2 : i64, {{.*}}parts = array<i64: 2>}
// CHECK: vector_ext.ring.get %{{.*}} ends(
func.func @roles(%pool: memref<?x32x8x64xf16>, %table: memref<?xi32>, %q: memref<64x64xf16>, %r: memref<64x64xf32>, %n: index, %h: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %none = arith.constant dense<0> : vector<64xi32>
  %five = arith.constant dense<5> : vector<64xindex>
  %rest = arith.constant dense<31> : vector<64xindex>
  %entries = memref.dim %table, %c0 : memref<?xi32>
  %pages = memref.dim %pool, %c0 : memref<?x32x8x64xf16>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %lhs = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %step = vector.step : vector<64xindex>
    %0 = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> (vector<64x64xf32>) {
      %from = vector.broadcast %i : index to vector<64xindex>
      %s = arith.addi %step, %from : vector<64xindex>
      %entry = arith.shrsi %s, %five : vector<64xindex>
      %most = vector.broadcast %entries : index to vector<64xindex>
      %listed = arith.cmpi ult, %entry, %most : vector<64xindex>
      %named = vector.gather %table[%c0] [%entry], %listed, %none : memref<?xi32>, vector<64xindex>, vector<64xi1>, vector<64xi32> into vector<64xi32>
      %page = arith.index_cast %named : vector<64xi32> to vector<64xindex>
      %row = arith.andi %s, %rest : vector<64xindex>
      %count = vector.broadcast %pages : index to vector<64xindex>
      %there = arith.cmpi ult, %page, %count : vector<64xindex>
      %length = vector.broadcast %n : index to vector<64xindex>
      %inside = arith.cmpi slt, %s, %length : vector<64xindex>
      %both = arith.andi %listed, %there : vector<64xi1>
      %exists = arith.andi %both, %inside : vector<64xi1>
      %rhs = vector_ext.transfer_gather %pool[%c0, %c0, %h, %c0] indices(%page, %row : vector<64xindex>, vector<64xindex>) mask(%exists : vector<64xi1>)
        {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, 0, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]} : memref<?x32x8x64xf16>, vector<64x64xf16>
      %1 = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %sum {vector_ext.config = #config} : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      scf.yield %1 : vector<64x64xf32>
    }
    vector.transfer_write %0, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0, rotate = false, slots = 0, threads = 128, way = "roles"}}
  return
}

// -----

// Pages of one row are no boxes, so threads write the tile.

#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @written
// CHECK: %[[OTHER:.*]] = vector_ext.ring.create : <slots = 2, tiles = [vector<64x64xf16>], {{.*}}swizzle = [3, 4, 3]
// CHECK: scf.for %[[I:.*]] = %c0
// CHECK: %[[TILE:.*]] = vector_ext.transfer_gather
// CHECK: vector_ext.ring.write %[[TILE]], %[[RING:.*]][%[[N:.*]]] :
// CHECK: %[[READ:.*]] = vector_ext.ring.get %[[RING]][%[[N]]]
// CHECK-NEXT: vector.contract {{.*}} %{{.*}}, %[[READ]],
// CHECK-NEXT: vector_ext.ring.release %[[RING]][%[[N]]]
func.func @written(%pool: memref<?x1x8x64xf16>, %table: memref<?xi32>, %q: memref<64x64xf16>, %r: memref<64x64xf32>, %n: index, %h: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %none = arith.constant dense<0> : vector<64xi32>
  %five = arith.constant dense<0> : vector<64xindex>
  %rest = arith.constant dense<0> : vector<64xindex>
  %entries = memref.dim %table, %c0 : memref<?xi32>
  %pages = memref.dim %pool, %c0 : memref<?x1x8x64xf16>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %lhs = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %step = vector.step : vector<64xindex>
    %0 = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> (vector<64x64xf32>) {
      %from = vector.broadcast %i : index to vector<64xindex>
      %s = arith.addi %step, %from : vector<64xindex>
      %entry = arith.shrsi %s, %five : vector<64xindex>
      %most = vector.broadcast %entries : index to vector<64xindex>
      %listed = arith.cmpi ult, %entry, %most : vector<64xindex>
      %named = vector.gather %table[%c0] [%entry], %listed, %none : memref<?xi32>, vector<64xindex>, vector<64xi1>, vector<64xi32> into vector<64xi32>
      %page = arith.index_cast %named : vector<64xi32> to vector<64xindex>
      %row = arith.andi %s, %rest : vector<64xindex>
      %count = vector.broadcast %pages : index to vector<64xindex>
      %there = arith.cmpi ult, %page, %count : vector<64xindex>
      %length = vector.broadcast %n : index to vector<64xindex>
      %inside = arith.cmpi slt, %s, %length : vector<64xindex>
      %both = arith.andi %listed, %there : vector<64xi1>
      %exists = arith.andi %both, %inside : vector<64xi1>
      %rhs = vector_ext.transfer_gather %pool[%c0, %c0, %h, %c0] indices(%page, %row : vector<64xindex>, vector<64xindex>) mask(%exists : vector<64xi1>)
        {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, 0, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]} : memref<?x1x8x64xf16>, vector<64x64xf16>
      %1 = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %sum {vector_ext.config = #config} : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      scf.yield %1 : vector<64x64xf32>
    }
    vector.transfer_write %0, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0, rotate = false, slots = 0, threads = 128, way = "roles"}}
  return
}
