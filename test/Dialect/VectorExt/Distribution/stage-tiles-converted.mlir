// Threads convert bytes to the left operand of asynchronous instructions, whose columns are the
// few rows of the product.

// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-select-config=first=wgmma.m64n16k16.f32.f16 | FileCheck %s --check-prefix=CONFIG
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-select-config=first=wgmma.m64n16k16.f32.f16 --vector-ext-pipeline-products='steps=stage-tiles slots=2' | FileCheck %s --check-prefix=STAGED
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-select-config=first=wgmma.m64n16k16.f32.f16 --vector-ext-pipeline-products='steps=stage-tiles,assign-roles slots=2' | FileCheck %s --check-prefix=ROLES
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_90a --linalg-ext-select-config=first=wgmma.m64n16k16.f32.f16 --vector-ext-pipeline-products='steps=stage-tiles,assign-roles,lower-rings slots=2' | FileCheck %s --check-prefix=LOWERED

// A thread has 16 bytes of a column, one after the other, so both operands are summed in that
// order.

// CONFIG-LABEL: func.func @converted
// CONFIG: %[[BYTES:.*]] = vector.transfer_read %arg1
// CONFIG: %[[WIDE:.*]] = arith.sitofp %[[BYTES]]
// CONFIG: %[[RUNS:.*]] = vector_ext.to_layout %[[WIDE]] to <[subgroup 4:1, register 2:32, lane 8:4] x [lane 4:1, register 32:1]
// CONFIG: %[[LEFT:.*]] = vector.transpose %{{.*}}, [0, 2, 1, 3] : vector<64x4x16x2xf16> to vector<64x16x4x2xf16>
// CONFIG: %[[RIGHT:.*]] = vector.transpose %{{.*}}, [0, 2, 1, 3] : vector<16x4x16x2xf16> to vector<16x16x4x2xf16>
// CONFIG: vector.contract
// CONFIG-SAME: intrinsic = "wgmma.m64n16k16.f32.f16", subgroups = [1, 1], promote = [false, false]
// CONFIG-SAME: vector<64x128xf16>, vector<16x128xf16> into vector<16x64xf32>

// Bytes are copied. Rows in that order, and the scales, are written together.

// STAGED-LABEL: func.func @converted
// STAGED-DAG: %[[BESIDE:.*]] = vector_ext.ring.create : <slots = 2, tiles = [vector<64xf16>, vector<16x128xf16>]
// STAGED-DAG: %[[RING:.*]] = vector_ext.ring.create : <slots = 2, tiles = [vector<64x128xi8>]
// STAGED: scf.for
// STAGED-DAG: vector_ext.ring.write %{{.*}}, %[[BESIDE]][%{{.*}}] :
// STAGED-DAG: vector_ext.ring.write %{{.*}}, %[[BESIDE]][%{{.*}}] {number = 1 : i64}
// STAGED: vector_ext.ring.get %[[BESIDE]]
// STAGED: vector_ext.ring.put %[[RING]]
// STAGED: vector_ext.ring.get %[[RING]]
// STAGED: vector_ext.ring.release %[[RING]]
// STAGED: vector.contract
// STAGED: vector_ext.ring.release %[[BESIDE]]

// Several workgroups share the registers of a processor. What is written is read before threads
// wait for a slot.

// ROLES-LABEL: func.func @converted
// ROLES: vector_ext.role first(0) threads(128) {
// ROLES: vector_ext.role first(128) threads(128) {
// ROLES: scf.for
// ROLES-COUNT-2: vector.transfer_read
// ROLES-COUNT-2: vector_ext.ring.write
// ROLES: vector_ext.ring.put

// One thread copies, and only this one waits for the slot: the others would miss when it is
// filled and freed twice. Those that write have a fence for instructions that read in place.

// LOWERED-LABEL: func.func @converted
// LOWERED: vector_ext.role first(128)
// LOWERED: scf.for
// LOWERED: vector_ext.write_tile %{{.*}}, %{{.*}} in <[64], {{.*}}>, %
// LOWERED: vector_ext.write_tile %{{.*}}, %{{.*}} in <[16, 128], {{.*}}> in_place, %
// LOWERED: scf.if
// LOWERED: nvgpu.mbarrier.try_wait.parity
// LOWERED: nvgpu.tma.async.load
// LOWERED: }

func.func @converted(%x: memref<16x1024xf16>, %w: memref<64x1024xi8>, %scale: memref<64x8xf16>, %y: memref<16x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : vector<16x64xf32>
  %pad = arith.constant 0.0 : f16
  %none = arith.constant 0 : i8
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %sum = scf.for %k = %c0 to %c1024 step %c128 iter_args(%acc = %zero) -> (vector<16x64xf32>) {
      %group = affine.apply affine_map<()[s] -> (s floordiv 128)>()[%k]
      %rows = vector.transfer_read %x[%c0, %k], %pad {in_bounds = [true, true]} : memref<16x1024xf16>, vector<16x128xf16>
      %bytes = vector.transfer_read %w[%c0, %k], %none {in_bounds = [true, true]} : memref<64x1024xi8>, vector<64x128xi8>
      %wide = arith.sitofp %bytes : vector<64x128xi8> to vector<64x128xf16>
      %part = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %rows, %wide, %zero : vector<16x128xf16>, vector<64x128xf16> into vector<16x64xf32>
      %scales = vector.transfer_read %scale[%c0, %group], %pad {in_bounds = [true], permutation_map = affine_map<(i, j) -> (i)>} : memref<64x8xf16>, vector<64xf16>
      %long = arith.extf %scales : vector<64xf16> to vector<64xf32>
      %all = vector.broadcast %long : vector<64xf32> to vector<16x64xf32>
      %scaled = arith.mulf %part, %all : vector<16x64xf32>
      %next = arith.addf %acc, %scaled : vector<16x64xf32>
      scf.yield %next : vector<16x64xf32>
    }
    vector.transfer_write %sum, %y[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// Threads that copy read scales of 16 bytes of each row at once: of 8 iterations, which become one
// if their number is a multiple.

// ROLES-LABEL: func.func @short_reads
// ROLES: vector_ext.role first(128) threads(128) {
// ROLES: scf.for %{{.*}} = %c0 to %c4096 step %c1024
// ROLES: %[[SCALES:.*]] = vector.transfer_read %arg2[%c0, %{{.*}}], %{{.*}} : memref<64x32xf16>, vector<64x8xf16>
// ROLES: vector_ext.to_layout %[[SCALES]] to <[subgroup 2:1, lane 32:1] x [register 8:1], lanes = 32, subgroups = 4>
// ROLES-NOT: %arg2
// ROLES-COUNT-8: vector_ext.ring.put
// ROLES-NOT: vector_ext.ring.put

func.func @short_reads(%x: memref<16x4096xf16>, %w: memref<64x4096xi8>, %scale: memref<64x32xf16>, %y: memref<16x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c4096 = arith.constant 4096 : index
  %zero = arith.constant dense<0.0> : vector<16x64xf32>
  %pad = arith.constant 0.0 : f16
  %none = arith.constant 0 : i8
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %sum = scf.for %k = %c0 to %c4096 step %c128 iter_args(%acc = %zero) -> (vector<16x64xf32>) {
      %group = affine.apply affine_map<()[s] -> (s floordiv 128)>()[%k]
      %rows = vector.transfer_read %x[%c0, %k], %pad {in_bounds = [true, true]} : memref<16x4096xf16>, vector<16x128xf16>
      %bytes = vector.transfer_read %w[%c0, %k], %none {in_bounds = [true, true]} : memref<64x4096xi8>, vector<64x128xi8>
      %wide = arith.sitofp %bytes : vector<64x128xi8> to vector<64x128xf16>
      %part = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %rows, %wide, %zero : vector<16x128xf16>, vector<64x128xf16> into vector<16x64xf32>
      %scales = vector.transfer_read %scale[%c0, %group], %pad {in_bounds = [true], permutation_map = affine_map<(i, j) -> (i)>} : memref<64x32xf16>, vector<64xf16>
      %long = arith.extf %scales : vector<64xf16> to vector<64xf32>
      %all = vector.broadcast %long : vector<64xf32> to vector<16x64xf32>
      %scaled = arith.mulf %part, %all : vector<16x64xf32>
      %next = arith.addf %acc, %scaled : vector<16x64xf32>
      scf.yield %next : vector<16x64xf32>
    }
    vector.transfer_write %sum, %y[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// Of two groups in a tile, scales of four iterations are read at once.

// ROLES-LABEL: func.func @short_reads_of_two
// ROLES: vector_ext.role first(128) threads(128) {
// ROLES: scf.for %{{.*}} = %c0 to %c4096 step %c512
// ROLES: vector.transfer_read %arg2[%c0, %{{.*}}], %{{.*}} : memref<64x64xf16>, vector<64x8xf16>
// ROLES-NOT: %arg2
// ROLES-COUNT-4: vector_ext.ring.put
// ROLES-NOT: vector_ext.ring.put

func.func @short_reads_of_two(%x: memref<16x4096xf16>, %w: memref<64x4096xi8>, %scale: memref<64x64xf16>, %y: memref<16x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c4096 = arith.constant 4096 : index
  %zero = arith.constant dense<0.0> : vector<16x64xf32>
  %pad = arith.constant 0.0 : f16
  %none = arith.constant 0 : i8
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %sum = scf.for %k = %c0 to %c4096 step %c128 iter_args(%acc = %zero) -> (vector<16x64xf32>) {
      %group = affine.apply affine_map<()[s] -> (s floordiv 64)>()[%k]
      %rows = vector.transfer_read %x[%c0, %k], %pad {in_bounds = [true, true]} : memref<16x4096xf16>, vector<16x128xf16>
      %bytes = vector.transfer_read %w[%c0, %k], %none {in_bounds = [true, true]} : memref<64x4096xi8>, vector<64x128xi8>
      %wide = arith.sitofp %bytes : vector<64x128xi8> to vector<64x128xf16>
      %split = vector.shape_cast %wide : vector<64x128xf16> to vector<64x2x64xf16>
      %scales = vector.transfer_read %scale[%c0, %group], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x2xf16>
      %more = vector.broadcast %scales : vector<64x2xf16> to vector<64x64x2xf16>
      %all = vector.transpose %more, [1, 2, 0] : vector<64x64x2xf16> to vector<64x2x64xf16>
      %scaled = arith.mulf %split, %all : vector<64x2x64xf16>
      %right = vector.shape_cast %scaled : vector<64x2x64xf16> to vector<64x128xf16>
      %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %rows, %right, %acc : vector<16x128xf16>, vector<64x128xf16> into vector<16x64xf32>
      scf.yield %next : vector<16x64xf32>
    }
    vector.transfer_write %sum, %y[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// 12 iterations are no multiple of 8.

// ROLES-LABEL: func.func @negative_short_reads
// ROLES: vector_ext.role first(128) threads(128) {
// ROLES: scf.for %{{.*}} = %c0 to %c1536 step %c128
// ROLES: vector.transfer_read %arg2{{.*}} : memref<64x12xf16>, vector<64xf16>

func.func @negative_short_reads(%x: memref<16x1536xf16>, %w: memref<64x1536xi8>, %scale: memref<64x12xf16>, %y: memref<16x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c1536 = arith.constant 1536 : index
  %zero = arith.constant dense<0.0> : vector<16x64xf32>
  %pad = arith.constant 0.0 : f16
  %none = arith.constant 0 : i8
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %sum = scf.for %k = %c0 to %c1536 step %c128 iter_args(%acc = %zero) -> (vector<16x64xf32>) {
      %group = affine.apply affine_map<()[s] -> (s floordiv 128)>()[%k]
      %rows = vector.transfer_read %x[%c0, %k], %pad {in_bounds = [true, true]} : memref<16x1536xf16>, vector<16x128xf16>
      %bytes = vector.transfer_read %w[%c0, %k], %none {in_bounds = [true, true]} : memref<64x1536xi8>, vector<64x128xi8>
      %wide = arith.sitofp %bytes : vector<64x128xi8> to vector<64x128xf16>
      %part = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %rows, %wide, %zero : vector<16x128xf16>, vector<64x128xf16> into vector<16x64xf32>
      %scales = vector.transfer_read %scale[%c0, %group], %pad {in_bounds = [true], permutation_map = affine_map<(i, j) -> (i)>} : memref<64x12xf16>, vector<64xf16>
      %long = arith.extf %scales : vector<64xf16> to vector<64xf32>
      %all = vector.broadcast %long : vector<64xf32> to vector<16x64xf32>
      %scaled = arith.mulf %part, %all : vector<16x64xf32>
      %next = arith.addf %acc, %scaled : vector<16x64xf32>
      scf.yield %next : vector<16x64xf32>
    }
    vector.transfer_write %sum, %y[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// Threads load both operands of synchronous products: bytes that were copied, and rows that the
// copying role has put into order. No instruction reads these in place.

// CONFIG-LABEL: func.func @loaded
// CONFIG: vector_ext.to_layout %{{.*}} to <[subgroup 4:1, register 4:32, lane 2:4, lane 4:8] x [lane 4:1, register 32:1]
// CONFIG: vector.contract
// CONFIG-SAME: intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [4, 1], promote = [false, false]
// CONFIG-SAME: vector<128x128xf16>, vector<16x128xf16> into vector<16x128xf32>

// STAGED-LABEL: func.func @loaded
// STAGED-DAG: %[[BESIDE:.*]] = vector_ext.ring.create : <slots = 2, tiles = [vector<128xf16>, vector<16x128xf16>]
// STAGED-DAG: %[[RING:.*]] = vector_ext.ring.create : <slots = 2, tiles = [vector<128x128xi8>]
// STAGED: scf.for
// STAGED: vector_ext.ring.get %[[BESIDE]]
// STAGED: vector_ext.ring.put %[[RING]]
// STAGED: vector_ext.ring.release %[[RING]]
// STAGED: vector.contract
// STAGED: vector_ext.ring.release %[[BESIDE]]

// ROLES-LABEL: func.func @loaded
// ROLES: vector_ext.role first(0) threads(128) {
// ROLES: vector_ext.role first(128) threads(128) {

// LOWERED-LABEL: func.func @loaded
// LOWERED: vector_ext.role first(128)
// LOWERED: vector_ext.write_tile %{{.*}}, %{{.*}} in <[16, 128], {{[^>]*}}>, %

func.func @loaded(%x: memref<16x1024xf16>, %w: memref<128x1024xi8>, %scale: memref<128x8xf16>, %y: memref<16x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : vector<16x128xf32>
  %pad = arith.constant 0.0 : f16
  %none = arith.constant 0 : i8
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %sum = scf.for %k = %c0 to %c1024 step %c128 iter_args(%acc = %zero) -> (vector<16x128xf32>) {
      %group = affine.apply affine_map<()[s] -> (s floordiv 128)>()[%k]
      %rows = vector.transfer_read %x[%c0, %k], %pad {in_bounds = [true, true]} : memref<16x1024xf16>, vector<16x128xf16>
      %bytes = vector.transfer_read %w[%c0, %k], %none {in_bounds = [true, true]} : memref<128x1024xi8>, vector<128x128xi8>
      %wide = arith.sitofp %bytes : vector<128x128xi8> to vector<128x128xf16>
      %part = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %rows, %wide, %zero : vector<16x128xf16>, vector<128x128xf16> into vector<16x128xf32>
      %scales = vector.transfer_read %scale[%c0, %group], %pad {in_bounds = [true], permutation_map = affine_map<(i, j) -> (i)>} : memref<128x8xf16>, vector<128xf16>
      %long = arith.extf %scales : vector<128xf16> to vector<128xf32>
      %all = vector.broadcast %long : vector<128xf32> to vector<16x128xf32>
      %scaled = arith.mulf %part, %all : vector<16x128xf32>
      %next = arith.addf %acc, %scaled : vector<16x128xf32>
      scf.yield %next : vector<16x128xf32>
    }
    vector.transfer_write %sum, %y[%c0, %c0] {in_bounds = [true, true]} : vector<16x128xf32>, memref<16x128xf32>
    gpu.terminator
  } {vector_ext.kernel = {loaded = true, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}
