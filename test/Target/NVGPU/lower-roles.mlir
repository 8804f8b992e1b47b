// RUN: linalg-ext-opt %s --linalg-ext-gpu-lower-vector-ext=steps=roles --canonicalize --split-input-file | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(linalg-ext-gpu-lower-vector-ext{steps=roles},canonicalize)' --split-input-file | FileCheck %s

// Branches that whole warps take. The launch starts with 168 registers.

// CHECK-LABEL: func.func @roles
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[OWN:.*]] = arith.divui %[[THREAD]], %c32
// CHECK: %[[WORD:.*]] = arith.index_cast %[[OWN]] : index to i32
// CHECK: %[[FIRST:.*]], %{{.*}} = gpu.shuffle idx %[[WORD]], %c0_i32, %c32_i32
// CHECK: %[[WARP:.*]] = arith.index_cast %[[FIRST]] : i32 to index
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[WARP]], %c8
// CHECK: scf.if %[[IN]] {
// CHECK-NEXT: nvvm.setmaxregister increase 240
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%c0]
// CHECK-NEXT: nvvm.barrier id = %c1_i32 number_of_threads = %c256_i32
// CHECK: %[[BELOW:.*]] = arith.cmpi ult, %[[WARP]], %c12
// CHECK: %[[ABOVE:.*]] = arith.cmpi uge, %[[WARP]], %c8
// CHECK: %[[IN:.*]] = arith.andi %[[BELOW]], %[[ABOVE]]
// CHECK: scf.if %[[IN]] {
// CHECK-NEXT: nvvm.setmaxregister decrease 24
// One thread of the first warp, which the assembler knows to be one.
// CHECK: %[[FIRST_WARP:.*]] = arith.cmpi eq, %[[WARP]], %c8
// CHECK: scf.if %[[FIRST_WARP]] {
// CHECK-NEXT: %[[ONE:.*]] = nvvm.elect.sync
// CHECK-NEXT: scf.if %[[ONE]] {
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%c1]
func.func @roles(%m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c384 = arith.constant 384 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    vector_ext.role first(0) threads(256) registers(240) {
      memref.store %x, %m[%c0] : memref<?xindex>
      vector_ext.role_barrier
    }
    vector_ext.role first(256) threads(128) single registers(24) {
      memref.store %x, %m[%c1] : memref<?xindex>
    }
    gpu.terminator
  }
  return
}

// -----

// CHECK-LABEL: func.func @negative_no_role
// CHECK-NOT: gpu.shuffle
func.func @negative_no_role(%m: memref<?xindex>, %n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    memref.store %x, %m[%x] : memref<?xindex>
    gpu.terminator
  }
  return
}

// -----

// The first thread of each warp, whose number all lanes know, and threads in the
// middle of warps.

// CHECK-LABEL: func.func @groups
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[WARP:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: nvvm.setmaxregister increase 240
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%c0]
// CHECK: nvvm.setmaxregister decrease 24
// CHECK: %[[IN:.*]] = arith.subi %[[OTHER:.*]], %c128
// CHECK: %[[LANE:.*]] = arith.remui %[[IN]], %c32
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[LANE]], %c0
// CHECK: scf.if %[[ONE]] {
// CHECK: %[[NUMBER:.*]] = arith.subi %[[WARP]], %c4
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[NUMBER]]]
// CHECK: %[[IN:.*]] = arith.subi %{{.*}}, %c256
// CHECK: %[[LANE:.*]] = arith.remui %[[IN]], %c16
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[LANE]], %c0
// CHECK: scf.if %[[ONE]] {
// CHECK: %[[IN:.*]] = arith.subi %{{.*}}, %c256
// CHECK: %[[NUMBER:.*]] = arith.divui %[[IN]], %c16
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[NUMBER]]]
func.func @groups(%m: memref<?xindex>) {
  %c1 = arith.constant 1 : index
  %c384 = arith.constant 384 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    vector_ext.role first(0) threads(128) registers(240) {
      %c = vector_ext.ring.copier
      memref.store %x, %m[%c] : memref<?xindex>
    }
    vector_ext.role first(128) threads(128) single groups(4) registers(24) {
      %c = vector_ext.ring.copier
      memref.store %x, %m[%c] : memref<?xindex>
    }
    vector_ext.role first(256) threads(128) single groups(8) {
      %c = vector_ext.ring.copier
      memref.store %x, %m[%c] : memref<?xindex>
    }
    gpu.terminator
  }
  return
}

// -----

// Turns of three groups, with a barrier each: 3 to 5, behind those of two roles.

// CHECK-LABEL: func.func @turns
// CHECK: %[[FIRST:.*]], %{{.*}} = gpu.shuffle idx
// CHECK: %[[WARP:.*]] = arith.index_cast %[[FIRST]] : i32 to index
// CHECK: scf.if
// CHECK: %[[OWN:.*]] = arith.subi %[[WARP]], %c4
// CHECK: %[[GROUP:.*]] = arith.divui %[[OWN]], %c4
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[GROUP]], %c2
// CHECK: %[[BEHIND:.*]] = arith.addi %[[GROUP]], %c1
// CHECK: %[[NEXT:.*]] = arith.select %[[LAST]], %c0, %[[BEHIND]]
// CHECK: %[[A:.*]] = arith.addi %[[GROUP]], %c3
// CHECK: %[[TAKE:.*]] = arith.index_cast %[[A]] : index to i32
// CHECK: %[[B:.*]] = arith.addi %[[NEXT]], %c3
// CHECK: %[[PASS:.*]] = arith.index_cast %[[B]] : index to i32
// CHECK: scf.if %[[LAST]] {
// CHECK-NEXT: nvvm.barrier.arrive id = %[[PASS]] number_of_threads = %c256_i32
// CHECK: scf.for
// CHECK-NEXT: nvvm.barrier id = %[[TAKE]] number_of_threads = %c256_i32
// CHECK-NEXT: memref.store
// CHECK-NEXT: nvvm.barrier.arrive id = %[[PASS]] number_of_threads = %c256_i32
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[GROUP]], %c0
// CHECK: scf.if %[[IS_FIRST]] {
// CHECK-NEXT: nvvm.barrier id = %[[TAKE]] number_of_threads = %c256_i32
func.func @turns(%m: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c512, %sy = %c1, %sz = %c1) {
    vector_ext.role first(0) threads(128) single registers(24) {
      memref.store %x, %m[%c1] : memref<?xindex>
    }
    vector_ext.role first(128) threads(384) registers(160) {
      scf.for %i = %c0 to %n step %c1 {
        vector_ext.turn.take groups(3)
        memref.store %x, %m[%i] : memref<?xindex>
        vector_ext.turn.pass groups(3)
      }
    }
    gpu.terminator
  }
  return
}

// -----

// Two groups whose tiles begin early pass the turn in front of the last half of the chain that
// they issue last, if that has eight instructions.

!map = !nvgpu.tensormap.descriptor<tensor = memref<16x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!tile = memref<128xf16, #gpu.address_space<workgroup>>
#b = #vector_ext.shared<[16, 8], order = [1, 0], bits = 16, panel = 16, padding = 0, swizzle = [1, 4, 3]>
#mark = {number = 0 : i64, persist = 1 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}

// CHECK-LABEL: func.func @turns_in_chains
// CHECK: nvvm.barrier.arrive
// CHECK: nvvm.barrier id
// CHECK-NEXT: vector_ext.async_mma
// CHECK-COUNT-4: vector_ext.async_mma
// CHECK-NEXT: nvvm.barrier.arrive
// CHECK-COUNT-4: vector_ext.async_mma
// CHECK-NEXT: vector_ext.await
// A short one is issued whole.
// CHECK: nvvm.barrier id
// CHECK-COUNT-2: vector_ext.async_mma
// CHECK-NEXT: nvvm.barrier.arrive
// CHECK-NEXT: vector_ext.await
// So is one in a branch of the loop over tiles.
// CHECK: scf.if
// CHECK: nvvm.barrier id
// CHECK-COUNT-9: vector_ext.async_mma
// CHECK-NEXT: nvvm.barrier.arrive
func.func @turns_in_chains(%a: vector<8xf16>, %b: !tile, %c: vector<4xf32>, %n: index, %some: i1, %to: !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c384 = arith.constant 384 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    %tile = memref.alloc() : memref<16x64xf16, #gpu.address_space<workgroup>>
    vector_ext.role first(0) threads(256) registers(240) {
      scf.for %t = %c0 to %n step %c1 {
        scf.for %i = %c0 to %n step %c1 {
          vector_ext.turn.take groups(2)
          %s = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %c : vector<8xf16>, !tile, vector<4xf32>
          %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %c : vector<8xf16>, !tile, vector<4xf32>
          %1 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %0 : vector<8xf16>, !tile, vector<4xf32>
          %2 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %1 : vector<8xf16>, !tile, vector<4xf32>
          %3 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %2 : vector<8xf16>, !tile, vector<4xf32>
          %4 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %3 : vector<8xf16>, !tile, vector<4xf32>
          %5 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %4 : vector<8xf16>, !tile, vector<4xf32>
          %6 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %5 : vector<8xf16>, !tile, vector<4xf32>
          %7 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %6 : vector<8xf16>, !tile, vector<4xf32>
          vector_ext.turn.pass groups(2)
          %o = vector_ext.await %7 : vector<4xf32>
          %p = vector_ext.await %s : vector<4xf32>
        }
        scf.for %i = %c0 to %n step %c1 {
          vector_ext.turn.take groups(2)
          %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %c : vector<8xf16>, !tile, vector<4xf32>
          %1 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %0 : vector<8xf16>, !tile, vector<4xf32>
          vector_ext.turn.pass groups(2)
          %o = vector_ext.await %1 : vector<4xf32>
        }
        scf.if %some {
          scf.for %i = %c0 to %n step %c1 {
            vector_ext.turn.take groups(2)
            %s = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %c : vector<8xf16>, !tile, vector<4xf32>
            %0 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %c : vector<8xf16>, !tile, vector<4xf32>
            %1 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %0 : vector<8xf16>, !tile, vector<4xf32>
            %2 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %1 : vector<8xf16>, !tile, vector<4xf32>
            %3 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %2 : vector<8xf16>, !tile, vector<4xf32>
            %4 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %3 : vector<8xf16>, !tile, vector<4xf32>
            %5 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %4 : vector<8xf16>, !tile, vector<4xf32>
            %6 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %5 : vector<8xf16>, !tile, vector<4xf32>
            %7 = vector_ext.async_mma "wgmma.m64n8k16.f32.f16" %a, %b[%c0, %c0] in #b, %6 : vector<8xf16>, !tile, vector<4xf32>
            vector_ext.turn.pass groups(2)
            %o = vector_ext.await %7 : vector<4xf32>
            %p = vector_ext.await %s : vector<4xf32>
          }
        }
      }
      nvgpu.tma.async.store %tile to %to[%c0, %c0] : memref<16x64xf16, #gpu.address_space<workgroup>> -> !map
    }
    gpu.terminator
  } {vector_ext.kernel = #mark}
  return
}

// -----

// Two groups that run the program of a role: each has a number, and a barrier of its
// own. The role has 1, the other group 4, behind the barriers of turns.

// CHECK-LABEL: func.func @group_barriers
// CHECK: %[[FIRST:.*]], %{{.*}} = gpu.shuffle idx
// CHECK: %[[WARP:.*]] = arith.index_cast %[[FIRST]] : i32 to index
// CHECK: nvvm.barrier.arrive id = %{{.*}} number_of_threads = %c256_i32
// CHECK: %[[GROUP:.*]] = arith.divui %[[WARP]], %c4
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[GROUP]]]
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %c256_i32
// CHECK: nvvm.barrier.arrive id = %{{.*}} number_of_threads = %c256_i32
// CHECK: %[[OF:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[OF]], %c0_i32
// CHECK: %[[OTHER:.*]] = arith.addi %[[OF]], %c3_i32
// CHECK: %[[NUMBER:.*]] = arith.select %[[IS_FIRST]], %c1_i32{{.*}}, %[[OTHER]]
// CHECK: nvvm.barrier id = %[[NUMBER]] number_of_threads = %c128_i32
func.func @group_barriers(%m: memref<?xindex>) {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    vector_ext.role first(0) threads(256) groups(2) {
      %g = vector_ext.role_group
      memref.store %x, %m[%g] : memref<?xindex>
      vector_ext.turn.take groups(2)
      vector_ext.turn.pass groups(2)
      vector_ext.role_barrier
    }
    gpu.terminator
  }
  return
}

// -----

// Where tiles are dealt in two directions, and TMA stores results during the next tile, what
// follows from the number of the warp is computed from the shuffled one, which is the same
// in all lanes.

!map = !nvgpu.tensormap.descriptor<tensor = memref<16x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
#mark = {number = 0 : i64, persist = 2 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}

// CHECK-LABEL: func.func @warps
// CHECK: %[[FIRST:.*]], %{{.*}} = gpu.shuffle idx
// CHECK: %[[WARP:.*]] = arith.index_cast %[[FIRST]] : i32 to index
// CHECK: scf.if
// CHECK: memref.store %[[WARP]], %{{.*}}[%c0]
// CHECK: %[[GROUP:.*]] = arith.divui %[[WARP]], %c4
// CHECK: memref.store %[[GROUP]], %{{.*}}[%c1]
// Half a warp is no number of warps.
// CHECK: %[[HALF:.*]] = arith.divui %{{.*}}, %c16
// CHECK: memref.store %[[HALF]], %{{.*}}[%c1]
func.func @warps(%m: memref<?xindex>, %to: !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c384 = arith.constant 384 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    %tile = memref.alloc() : memref<16x64xf16, #gpu.address_space<workgroup>>
    vector_ext.role first(0) threads(256) registers(240) {
      %thread = gpu.thread_id x
      %warp = arith.divui %thread, %c32 : index
      memref.store %warp, %m[%c0] : memref<?xindex>
      %group = arith.divui %thread, %c128 : index
      memref.store %group, %m[%c1] : memref<?xindex>
      %half = arith.divui %thread, %c16 : index
      memref.store %half, %m[%c1] : memref<?xindex>
      nvgpu.tma.async.store %tile to %to[%c0, %c0] : memref<16x64xf16, #gpu.address_space<workgroup>> -> !map
    }
    gpu.terminator
  } {vector_ext.kernel = #mark}
  return
}

// -----

// Others keep the number of the thread.

!map = !nvgpu.tensormap.descriptor<tensor = memref<16x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
#mark = {number = 0 : i64, persist = 1 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}

// CHECK-LABEL: func.func @negative_warps_of_one_direction
// CHECK: scf.if
// CHECK: %[[WARP:.*]] = arith.divui %{{.*}}, %c32
// CHECK: memref.store %[[WARP]], %{{.*}}[%c0]
func.func @negative_warps_of_one_direction(%m: memref<?xindex>, %to: !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c384 = arith.constant 384 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    %tile = memref.alloc() : memref<16x64xf16, #gpu.address_space<workgroup>>
    vector_ext.role first(0) threads(256) registers(240) {
      %thread = gpu.thread_id x
      %warp = arith.divui %thread, %c32 : index
      memref.store %warp, %m[%c0] : memref<?xindex>
      nvgpu.tma.async.store %tile to %to[%c0, %c0] : memref<16x64xf16, #gpu.address_space<workgroup>> -> !map
    }
    gpu.terminator
  } {vector_ext.kernel = #mark}
  return
}

// -----

// So do those whose threads compute a bias from positions.

!map = !nvgpu.tensormap.descriptor<tensor = memref<16x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
#mark = {number = 0 : i64, persist = 2 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}

// CHECK-LABEL: func.func @negative_warps_of_bias
// CHECK: scf.if
// CHECK: %[[WARP:.*]] = arith.divui %{{.*}}, %c32
// CHECK: memref.store %[[WARP]], %{{.*}}[%c0]
func.func @negative_warps_of_bias(%m: memref<?xindex>, %b: memref<?xf32>, %distance: i32, %to: !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c384 = arith.constant 384 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    %tile = memref.alloc() : memref<16x64xf16, #gpu.address_space<workgroup>>
    vector_ext.role first(0) threads(256) registers(240) {
      %thread = gpu.thread_id x
      %warp = arith.divui %thread, %c32 : index
      memref.store %warp, %m[%c0] : memref<?xindex>
      %bias = arith.sitofp %distance : i32 to f32
      memref.store %bias, %b[%c0] : memref<?xf32>
      nvgpu.tma.async.store %tile to %to[%c0, %c0] : memref<16x64xf16, #gpu.address_space<workgroup>> -> !map
    }
    gpu.terminator
  } {vector_ext.kernel = #mark}
  return
}

// -----

// Or a function of scores.

!map = !nvgpu.tensormap.descriptor<tensor = memref<16x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
#mark = {number = 0 : i64, persist = 2 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}

// CHECK-LABEL: func.func @negative_warps_of_function
// CHECK: scf.if
// CHECK: %[[WARP:.*]] = arith.divui %{{.*}}, %c32
// CHECK: memref.store %[[WARP]], %{{.*}}[%c0]
func.func @negative_warps_of_function(%m: memref<?xindex>, %b: memref<?xf32>, %score: f32, %to: !map) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c384 = arith.constant 384 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    %tile = memref.alloc() : memref<16x64xf16, #gpu.address_space<workgroup>>
    vector_ext.role first(0) threads(256) registers(240) {
      %thread = gpu.thread_id x
      %warp = arith.divui %thread, %c32 : index
      memref.store %warp, %m[%c0] : memref<?xindex>
      %capped = math.tanh %score : f32
      memref.store %capped, %b[%c0] : memref<?xf32>
      nvgpu.tma.async.store %tile to %to[%c0, %c0] : memref<16x64xf16, #gpu.address_space<workgroup>> -> !map
    }
    gpu.terminator
  } {vector_ext.kernel = #mark}
  return
}

// -----

// A program that depends on the number of its thread has the first one.

// CHECK-LABEL: func.func @negative_elected
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %{{.*}}, %c128
// CHECK-NOT: nvvm.elect.sync
// CHECK: scf.if %[[ONE]] {
// CHECK: memref.store
func.func @negative_elected(%m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    vector_ext.role first(128) threads(128) single {
      %thread = gpu.thread_id x
      memref.store %thread, %m[%c0] : memref<?xindex>
    }
    gpu.terminator
  }
  return
}

// -----

// The same, if its number is an argument, or what is used follows from it outside of the role.

// CHECK-LABEL: func.func @negative_elected_outside
// CHECK-NOT: nvvm.elect.sync
// CHECK: return
func.func @negative_elected_outside(%m: memref<?xindex>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c384 = arith.constant 384 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    %thread = gpu.thread_id x
    %half = arith.divui %thread, %c2 : index
    vector_ext.role first(0) threads(128) single registers(24) {
      memref.store %half, %m[%c1] : memref<?xindex>
    }
    vector_ext.role first(128) threads(128) single registers(24) {
      memref.store %tx, %m[%c2] : memref<?xindex>
    }
    vector_ext.role first(256) threads(128) registers(24) {
      memref.store %x, %m[%x] : memref<?xindex>
    }
    gpu.terminator
  }
  return
}
