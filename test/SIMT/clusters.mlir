// Workgroups of a cluster run together: one copies a box to both, and each arrives at a
// barrier of the other one.
//
// RUN: split-file %s %t
// RUN: linalg-ext-simt-runner %t/multicast.mlir --order=copies-first --kernel-stats | FileCheck %s
// RUN: linalg-ext-simt-runner %t/multicast.mlir --order=copies-last | FileCheck %s --check-prefix=VALUE
// RUN: linalg-ext-simt-runner %t/multicast.mlir --order=seeded --seed=5 | FileCheck %s --check-prefix=VALUE
// RUN: not linalg-ext-simt-runner %t/start.mlir 2>&1 | FileCheck %s --check-prefix=START
// RUN: not linalg-ext-simt-runner %t/start.mlir --order=seeded --seed=1 2>&1 | FileCheck %s --check-prefix=START-RACE
// RUN: not linalg-ext-simt-runner %t/own-start.mlir 2>&1 | FileCheck %s --check-prefix=OWN-START
// RUN: not linalg-ext-simt-runner %t/end.mlir 2>&1 | FileCheck %s --check-prefix=END
// RUN: not linalg-ext-simt-runner %t/own-copy.mlir 2>&1 | FileCheck %s --check-prefix=OWN-COPY
// RUN: not linalg-ext-simt-runner %t/no-mask.mlir 2>&1 | FileCheck %s --check-prefix=NO-MASK
// RUN: not linalg-ext-simt-runner %t/rank.mlir 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not linalg-ext-simt-runner %t/deadlock.mlir 2>&1 | FileCheck %s --check-prefix=DEADLOCK
// RUN: not linalg-ext-simt-runner %t/grid.mlir 2>&1 | FileCheck %s --check-prefix=GRID

// CHECK-COUNT-4: 42
// CHECK: kernel main: launches 1, workgroups 4, threads 128,
// CHECK-SAME: box copies 2,
// VALUE-COUNT-4: 42
//--- multicast.mlir
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
!map = !nvgpu.tensormap.descriptor<tensor = memref<1x4xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
memref.global "private" @tile : memref<1x4xf32, 3> {alignment = 128}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %ticks = arith.constant 1000 : index
  %value = arith.constant 42.0 : f32
  %x = memref.alloc() : memref<1x4xf32>
  %y = memref.alloc() : memref<4xf32>
  memref.store %value, %x[%c0, %c1] : memref<1x4xf32>
  %any = memref.cast %x : memref<1x4xf32> to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %any box[%c1, %c4] : memref<*xf32> -> !map
  gpu.launch clusters(%ca, %cb, %cc) in (%su = %c2, %sv = %c1, %sw = %c1)
             blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %bytes = arith.constant 16 : index
    %false = arith.constant false
    %mask = arith.constant 3 : i16
    %tile = memref.get_global @tile : memref<1x4xf32, 3>
    %b = nvgpu.mbarrier.create -> !barriers
    %done = nvgpu.mbarrier.create -> !barriers
    %first = arith.cmpi eq, %tx, %c0 : index
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !barriers
    nvgpu.mbarrier.init %done[%c0], %c1, predicate = %first : !barriers
    nvvm.fence.mbarrier.init
    vector_ext.cluster_barrier
    %rank = gpu.cluster_block_id x
    %size = gpu.cluster_dim_blocks x
    %next = arith.addi %rank, %c1 : index
    %other = arith.remui %next, %size : index
    %both = arith.addi %rank, %tx : index
    %copies = arith.cmpi eq, %both, %c0 : index
    scf.if %copies {
      nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %tile multicast_mask = %mask : !map, !barriers -> memref<1x4xf32, 3>
    }
    scf.if %first {
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : !barriers
      nvgpu.mbarrier.try_wait.parity %b[%c0], %false, %ticks : !barriers
      %v = memref.load %tile[%c0, %c1] : memref<1x4xf32, 3>
      memref.store %v, %y[%bx] : memref<4xf32>
    }
    // A barrier that nobody waits for.
    vector_ext.cluster_arrive %done[%c0] of %other if %first : !barriers
    vector_ext.cluster_barrier
    gpu.terminator
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %r = memref.load %y[%i] : memref<4xf32>
    vector.print %r : f32
  }
  return
}

// Without a barrier of the cluster, the barriers of the other workgroup may not be there.
// START: error: workgroup (0, 0, 0), thread (0, 0, 0): accesses memory that workgroup 1 of the cluster does not have yet
// START-RACE: error: workgroup (0, 0, 0), thread (0, 0, 0): data race: uses mbarrier 0 of group 0 of workgroup 1 of the cluster, which thread 0 of workgroup 1 of the cluster initialised, with no barrier in between
//--- start.mlir
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
!map = !nvgpu.tensormap.descriptor<tensor = memref<1x4xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
memref.global "private" @tile : memref<1x4xf32, 3> {alignment = 128}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %ticks = arith.constant 1000 : index
  %value = arith.constant 42.0 : f32
  %x = memref.alloc() : memref<1x4xf32>
  %y = memref.alloc() : memref<4xf32>
  memref.store %value, %x[%c0, %c1] : memref<1x4xf32>
  %any = memref.cast %x : memref<1x4xf32> to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %any box[%c1, %c4] : memref<*xf32> -> !map
  gpu.launch clusters(%ca, %cb, %cc) in (%su = %c2, %sv = %c1, %sw = %c1)
             blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %bytes = arith.constant 16 : index
    %false = arith.constant false
    %mask = arith.constant 3 : i16
    %tile = memref.get_global @tile : memref<1x4xf32, 3>
    %b = nvgpu.mbarrier.create -> !barriers
    %done = nvgpu.mbarrier.create -> !barriers
    %first = arith.cmpi eq, %tx, %c0 : index
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !barriers
    nvgpu.mbarrier.init %done[%c0], %c1, predicate = %first : !barriers
    nvvm.fence.mbarrier.init
    gpu.barrier
    %rank = gpu.cluster_block_id x
    %size = gpu.cluster_dim_blocks x
    %next = arith.addi %rank, %c1 : index
    %other = arith.remui %next, %size : index
    %both = arith.addi %rank, %tx : index
    %copies = arith.cmpi eq, %both, %c0 : index
    scf.if %copies {
      nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %tile multicast_mask = %mask : !map, !barriers -> memref<1x4xf32, 3>
    }
    scf.if %first {
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : !barriers
      nvgpu.mbarrier.try_wait.parity %b[%c0], %false, %ticks : !barriers
      %v = memref.load %tile[%c0, %c1] : memref<1x4xf32, 3>
      memref.store %v, %y[%bx] : memref<4xf32>
    }
    // A barrier that nobody waits for.
    vector_ext.cluster_arrive %done[%c0] of %other if %first : !barriers
    vector_ext.cluster_barrier
    gpu.terminator
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %r = memref.load %y[%i] : memref<4xf32>
    vector.print %r : f32
  }
  return
}

// A barrier of a workgroup orders only its own threads.
// OWN-START: error: workgroup (0, 0, 0), thread (0, 0, 0): {{.*}}workgroup {{[01]}} of the cluster
//--- own-start.mlir
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
!map = !nvgpu.tensormap.descriptor<tensor = memref<1x4xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
memref.global "private" @tile : memref<1x4xf32, 3> {alignment = 128}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %ticks = arith.constant 1000 : index
  %value = arith.constant 42.0 : f32
  %x = memref.alloc() : memref<1x4xf32>
  %y = memref.alloc() : memref<4xf32>
  memref.store %value, %x[%c0, %c1] : memref<1x4xf32>
  %any = memref.cast %x : memref<1x4xf32> to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %any box[%c1, %c4] : memref<*xf32> -> !map
  gpu.launch clusters(%ca, %cb, %cc) in (%su = %c2, %sv = %c1, %sw = %c1)
             blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %bytes = arith.constant 16 : index
    %false = arith.constant false
    %mask = arith.constant 3 : i16
    %tile = memref.get_global @tile : memref<1x4xf32, 3>
    %b = nvgpu.mbarrier.create -> !barriers
    %done = nvgpu.mbarrier.create -> !barriers
    %first = arith.cmpi eq, %tx, %c0 : index
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !barriers
    nvgpu.mbarrier.init %done[%c0], %c1, predicate = %first : !barriers
    nvvm.fence.mbarrier.init
    %rank = gpu.cluster_block_id x
    %size = gpu.cluster_dim_blocks x
    %next = arith.addi %rank, %c1 : index
    %other = arith.remui %next, %size : index
    %both = arith.addi %rank, %tx : index
    %copies = arith.cmpi eq, %both, %c0 : index
    scf.if %copies {
      nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %tile multicast_mask = %mask : !map, !barriers -> memref<1x4xf32, 3>
    }
    scf.if %first {
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : !barriers
      nvgpu.mbarrier.try_wait.parity %b[%c0], %false, %ticks : !barriers
      %v = memref.load %tile[%c0, %c1] : memref<1x4xf32, 3>
      memref.store %v, %y[%bx] : memref<4xf32>
    }
    // A barrier that nobody waits for.
    vector_ext.cluster_arrive %done[%c0] of %other if %first : !barriers
    vector_ext.cluster_barrier
    gpu.terminator
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %r = memref.load %y[%i] : memref<4xf32>
    vector.print %r : f32
  }
  return
}

// END: error: {{.*}}accesses memory of workgroup {{[01]}} of the cluster by thread 0 of workgroup {{[01]}} of the cluster, and that workgroup may have ended
//--- end.mlir
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
!map = !nvgpu.tensormap.descriptor<tensor = memref<1x4xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
memref.global "private" @tile : memref<1x4xf32, 3> {alignment = 128}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %ticks = arith.constant 1000 : index
  %value = arith.constant 42.0 : f32
  %x = memref.alloc() : memref<1x4xf32>
  %y = memref.alloc() : memref<4xf32>
  memref.store %value, %x[%c0, %c1] : memref<1x4xf32>
  %any = memref.cast %x : memref<1x4xf32> to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %any box[%c1, %c4] : memref<*xf32> -> !map
  gpu.launch clusters(%ca, %cb, %cc) in (%su = %c2, %sv = %c1, %sw = %c1)
             blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %bytes = arith.constant 16 : index
    %false = arith.constant false
    %mask = arith.constant 3 : i16
    %tile = memref.get_global @tile : memref<1x4xf32, 3>
    %b = nvgpu.mbarrier.create -> !barriers
    %done = nvgpu.mbarrier.create -> !barriers
    %first = arith.cmpi eq, %tx, %c0 : index
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !barriers
    nvgpu.mbarrier.init %done[%c0], %c1, predicate = %first : !barriers
    nvvm.fence.mbarrier.init
    vector_ext.cluster_barrier
    %rank = gpu.cluster_block_id x
    %size = gpu.cluster_dim_blocks x
    %next = arith.addi %rank, %c1 : index
    %other = arith.remui %next, %size : index
    %both = arith.addi %rank, %tx : index
    %copies = arith.cmpi eq, %both, %c0 : index
    scf.if %copies {
      nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %tile multicast_mask = %mask : !map, !barriers -> memref<1x4xf32, 3>
    }
    scf.if %first {
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : !barriers
      nvgpu.mbarrier.try_wait.parity %b[%c0], %false, %ticks : !barriers
      %v = memref.load %tile[%c0, %c1] : memref<1x4xf32, 3>
      memref.store %v, %y[%bx] : memref<4xf32>
    }
    // A barrier that nobody waits for.
    vector_ext.cluster_arrive %done[%c0] of %other if %first : !barriers
    gpu.terminator
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %r = memref.load %y[%i] : memref<4xf32>
    vector.print %r : f32
  }
  return
}

// OWN-COPY: error: deadlock: {{.*}}thread 0 of workgroup 1 of the cluster waits for a phase of parity 0 in phase 0 of mbarrier 0 of group 0 of workgroup 1 of the cluster, which misses 0 of 1 arrivals and 16 bytes
//--- own-copy.mlir
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
!map = !nvgpu.tensormap.descriptor<tensor = memref<1x4xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
memref.global "private" @tile : memref<1x4xf32, 3> {alignment = 128}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %ticks = arith.constant 1000 : index
  %value = arith.constant 42.0 : f32
  %x = memref.alloc() : memref<1x4xf32>
  %y = memref.alloc() : memref<4xf32>
  memref.store %value, %x[%c0, %c1] : memref<1x4xf32>
  %any = memref.cast %x : memref<1x4xf32> to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %any box[%c1, %c4] : memref<*xf32> -> !map
  gpu.launch clusters(%ca, %cb, %cc) in (%su = %c2, %sv = %c1, %sw = %c1)
             blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %bytes = arith.constant 16 : index
    %false = arith.constant false
    %mask = arith.constant 1 : i16
    %tile = memref.get_global @tile : memref<1x4xf32, 3>
    %b = nvgpu.mbarrier.create -> !barriers
    %done = nvgpu.mbarrier.create -> !barriers
    %first = arith.cmpi eq, %tx, %c0 : index
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !barriers
    nvgpu.mbarrier.init %done[%c0], %c1, predicate = %first : !barriers
    nvvm.fence.mbarrier.init
    vector_ext.cluster_barrier
    %rank = gpu.cluster_block_id x
    %size = gpu.cluster_dim_blocks x
    %next = arith.addi %rank, %c1 : index
    %other = arith.remui %next, %size : index
    %both = arith.addi %rank, %tx : index
    %copies = arith.cmpi eq, %both, %c0 : index
    scf.if %copies {
      nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %tile multicast_mask = %mask : !map, !barriers -> memref<1x4xf32, 3>
    }
    scf.if %first {
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : !barriers
      nvgpu.mbarrier.try_wait.parity %b[%c0], %false, %ticks : !barriers
      %v = memref.load %tile[%c0, %c1] : memref<1x4xf32, 3>
      memref.store %v, %y[%bx] : memref<4xf32>
    }
    // A barrier that nobody waits for.
    vector_ext.cluster_arrive %done[%c0] of %other if %first : !barriers
    vector_ext.cluster_barrier
    gpu.terminator
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %r = memref.load %y[%i] : memref<4xf32>
    vector.print %r : f32
  }
  return
}

// NO-MASK: error: workgroup (0, 0, 0), thread (0, 0, 0): expected a workgroup in the mask
//--- no-mask.mlir
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
!map = !nvgpu.tensormap.descriptor<tensor = memref<1x4xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
memref.global "private" @tile : memref<1x4xf32, 3> {alignment = 128}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %ticks = arith.constant 1000 : index
  %value = arith.constant 42.0 : f32
  %x = memref.alloc() : memref<1x4xf32>
  %y = memref.alloc() : memref<4xf32>
  memref.store %value, %x[%c0, %c1] : memref<1x4xf32>
  %any = memref.cast %x : memref<1x4xf32> to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %any box[%c1, %c4] : memref<*xf32> -> !map
  gpu.launch clusters(%ca, %cb, %cc) in (%su = %c2, %sv = %c1, %sw = %c1)
             blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %bytes = arith.constant 16 : index
    %false = arith.constant false
    %mask = arith.constant 0 : i16
    %tile = memref.get_global @tile : memref<1x4xf32, 3>
    %b = nvgpu.mbarrier.create -> !barriers
    %done = nvgpu.mbarrier.create -> !barriers
    %first = arith.cmpi eq, %tx, %c0 : index
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !barriers
    nvgpu.mbarrier.init %done[%c0], %c1, predicate = %first : !barriers
    nvvm.fence.mbarrier.init
    vector_ext.cluster_barrier
    %rank = gpu.cluster_block_id x
    %size = gpu.cluster_dim_blocks x
    %next = arith.addi %rank, %c1 : index
    %other = arith.remui %next, %size : index
    %both = arith.addi %rank, %tx : index
    %copies = arith.cmpi eq, %both, %c0 : index
    scf.if %copies {
      nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %tile multicast_mask = %mask : !map, !barriers -> memref<1x4xf32, 3>
    }
    scf.if %first {
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : !barriers
      nvgpu.mbarrier.try_wait.parity %b[%c0], %false, %ticks : !barriers
      %v = memref.load %tile[%c0, %c1] : memref<1x4xf32, 3>
      memref.store %v, %y[%bx] : memref<4xf32>
    }
    // A barrier that nobody waits for.
    vector_ext.cluster_arrive %done[%c0] of %other if %first : !barriers
    vector_ext.cluster_barrier
    gpu.terminator
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %r = memref.load %y[%i] : memref<4xf32>
    vector.print %r : f32
  }
  return
}

// RANK: error: workgroup (0, 0, 0), thread (0, 0, 0): expected a workgroup of a cluster of 2, got 2
//--- rank.mlir
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
!map = !nvgpu.tensormap.descriptor<tensor = memref<1x4xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
memref.global "private" @tile : memref<1x4xf32, 3> {alignment = 128}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %ticks = arith.constant 1000 : index
  %value = arith.constant 42.0 : f32
  %x = memref.alloc() : memref<1x4xf32>
  %y = memref.alloc() : memref<4xf32>
  memref.store %value, %x[%c0, %c1] : memref<1x4xf32>
  %any = memref.cast %x : memref<1x4xf32> to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %any box[%c1, %c4] : memref<*xf32> -> !map
  gpu.launch clusters(%ca, %cb, %cc) in (%su = %c2, %sv = %c1, %sw = %c1)
             blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %bytes = arith.constant 16 : index
    %false = arith.constant false
    %mask = arith.constant 3 : i16
    %tile = memref.get_global @tile : memref<1x4xf32, 3>
    %b = nvgpu.mbarrier.create -> !barriers
    %done = nvgpu.mbarrier.create -> !barriers
    %first = arith.cmpi eq, %tx, %c0 : index
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !barriers
    nvgpu.mbarrier.init %done[%c0], %c1, predicate = %first : !barriers
    nvvm.fence.mbarrier.init
    vector_ext.cluster_barrier
    %rank = gpu.cluster_block_id x
    %size = gpu.cluster_dim_blocks x
    %next = arith.addi %rank, %c1 : index
    %other = arith.remui %next, %size : index
    %both = arith.addi %rank, %tx : index
    %copies = arith.cmpi eq, %both, %c0 : index
    scf.if %copies {
      nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %tile multicast_mask = %mask : !map, !barriers -> memref<1x4xf32, 3>
    }
    scf.if %first {
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : !barriers
      nvgpu.mbarrier.try_wait.parity %b[%c0], %false, %ticks : !barriers
      %v = memref.load %tile[%c0, %c1] : memref<1x4xf32, 3>
      memref.store %v, %y[%bx] : memref<4xf32>
    }
    // A barrier that nobody waits for.
    vector_ext.cluster_arrive %done[%c0] of %c2 if %first : !barriers
    vector_ext.cluster_barrier
    gpu.terminator
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %r = memref.load %y[%i] : memref<4xf32>
    vector.print %r : f32
  }
  return
}

// Threads of one workgroup only are at the barrier.
// DEADLOCK: error: deadlock: threads 0 to 127 of workgroup 0 of the cluster wait at the barrier of the cluster, which misses 128 of 256 threads
//--- deadlock.mlir
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
!map = !nvgpu.tensormap.descriptor<tensor = memref<1x4xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
memref.global "private" @tile : memref<1x4xf32, 3> {alignment = 128}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %ticks = arith.constant 1000 : index
  %value = arith.constant 42.0 : f32
  %x = memref.alloc() : memref<1x4xf32>
  %y = memref.alloc() : memref<4xf32>
  memref.store %value, %x[%c0, %c1] : memref<1x4xf32>
  %any = memref.cast %x : memref<1x4xf32> to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %any box[%c1, %c4] : memref<*xf32> -> !map
  gpu.launch clusters(%ca, %cb, %cc) in (%su = %c2, %sv = %c1, %sw = %c1)
             blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %bytes = arith.constant 16 : index
    %false = arith.constant false
    %mask = arith.constant 3 : i16
    %tile = memref.get_global @tile : memref<1x4xf32, 3>
    %b = nvgpu.mbarrier.create -> !barriers
    %done = nvgpu.mbarrier.create -> !barriers
    %first = arith.cmpi eq, %tx, %c0 : index
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !barriers
    nvgpu.mbarrier.init %done[%c0], %c1, predicate = %first : !barriers
    nvvm.fence.mbarrier.init
    vector_ext.cluster_barrier
    %rank = gpu.cluster_block_id x
    %size = gpu.cluster_dim_blocks x
    %next = arith.addi %rank, %c1 : index
    %other = arith.remui %next, %size : index
    %both = arith.addi %rank, %tx : index
    %copies = arith.cmpi eq, %both, %c0 : index
    %isFirst = arith.cmpi eq, %rank, %c0 : index
    scf.if %isFirst {
      vector_ext.cluster_barrier
    }
    gpu.terminator
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %r = memref.load %y[%i] : memref<4xf32>
    vector.print %r : f32
  }
  return
}

// GRID: error: expected a grid of a multiple of the 2 workgroups of a cluster, got 3
//--- grid.mlir
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 1>
!map = !nvgpu.tensormap.descriptor<tensor = memref<1x4xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
memref.global "private" @tile : memref<1x4xf32, 3> {alignment = 128}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %ticks = arith.constant 1000 : index
  %value = arith.constant 42.0 : f32
  %x = memref.alloc() : memref<1x4xf32>
  %y = memref.alloc() : memref<4xf32>
  memref.store %value, %x[%c0, %c1] : memref<1x4xf32>
  %any = memref.cast %x : memref<1x4xf32> to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %any box[%c1, %c4] : memref<*xf32> -> !map
  gpu.launch clusters(%ca, %cb, %cc) in (%su = %c2, %sv = %c1, %sw = %c1)
             blocks(%bx, %by, %bz) in (%gx = %c3, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %bytes = arith.constant 16 : index
    %false = arith.constant false
    %mask = arith.constant 3 : i16
    %tile = memref.get_global @tile : memref<1x4xf32, 3>
    %b = nvgpu.mbarrier.create -> !barriers
    %done = nvgpu.mbarrier.create -> !barriers
    %first = arith.cmpi eq, %tx, %c0 : index
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !barriers
    nvgpu.mbarrier.init %done[%c0], %c1, predicate = %first : !barriers
    nvvm.fence.mbarrier.init
    vector_ext.cluster_barrier
    %rank = gpu.cluster_block_id x
    %size = gpu.cluster_dim_blocks x
    %next = arith.addi %rank, %c1 : index
    %other = arith.remui %next, %size : index
    %both = arith.addi %rank, %tx : index
    %copies = arith.cmpi eq, %both, %c0 : index
    scf.if %copies {
      nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %tile multicast_mask = %mask : !map, !barriers -> memref<1x4xf32, 3>
    }
    scf.if %first {
      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : !barriers
      nvgpu.mbarrier.try_wait.parity %b[%c0], %false, %ticks : !barriers
      %v = memref.load %tile[%c0, %c1] : memref<1x4xf32, 3>
      memref.store %v, %y[%bx] : memref<4xf32>
    }
    // A barrier that nobody waits for.
    vector_ext.cluster_arrive %done[%c0] of %other if %first : !barriers
    vector_ext.cluster_barrier
    gpu.terminator
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %r = memref.load %y[%i] : memref<4xf32>
    vector.print %r : f32
  }
  return
}

