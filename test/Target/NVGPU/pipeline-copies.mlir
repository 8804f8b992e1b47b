// RUN: linalg-ext-opt %s --linalg-ext-gpu-pipeline-loops --canonicalize --cse \
// RUN:   --split-input-file | FileCheck %s

// Two buffers take turns: a tile is copied while the one before it is used.

// CHECK-LABEL: @in_turn
// CHECK:         nvgpu.device_async_copy
// CHECK:         scf.for
// CHECK:           nvgpu.device_async_wait {{.*}} {numGroups = 0 : i32}
// CHECK-NEXT:      gpu.barrier
// CHECK:           nvgpu.device_async_copy
// CHECK:           memref.load
// CHECK-NOT:       gpu.barrier
// CHECK:           scf.yield
func.func @in_turn(%k: memref<?x8xf16>, %n: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f16
  %sk = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<2x8xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f16 {
    %turn = arith.remui %i, %c2 : index
    %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
    %s1 = arith.addf %s, %e : f16
    scf.yield %s1 : f16
  }
  return %r : f16
}

// -----

// Nothing says that the buffers take turns.

// CHECK-LABEL: @negative_unknown
// CHECK-NOT:     nvgpu.device_async_copy
// CHECK:         scf.for
func.func @negative_unknown(%k: memref<?x8xf16>, %n: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f16
  %sk = memref.alloc() : memref<2x8xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f16 {
    %turn = arith.remui %i, %c2 : index
    %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
    %s1 = arith.addf %s, %e : f16
    scf.yield %s1 : f16
  }
  return %r : f16
}

// -----

// One of two tiles has three buffers, the other one two: the loop has two stages.
// The position in the buffer need not be a remainder.

// CHECK-LABEL: @fewest
// CHECK-COUNT-2: nvgpu.device_async_copy
// CHECK-NOT:     nvgpu.device_async_copy
// CHECK:         scf.for
func.func @fewest(%k: memref<?x8xf16>, %n: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f16
  %sk = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<2x8xf16, #gpu.address_space<workgroup>>
  %sv = memref.alloc() {vector_ext.buffers = 3 : i64} : memref<3x8xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f16 {
    %turn = arith.andi %i, %c1 : index
    %turn3 = arith.remui %i, %c3 : index
    %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
    %u = nvgpu.device_async_copy %k[%i, %c0], %sv[%turn3, %c0], 8 : memref<?x8xf16> to memref<3x8xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t, %u
    nvgpu.device_async_wait %g
    gpu.barrier
    %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
    %f = memref.load %sv[%turn3, %x] : memref<3x8xf16, #gpu.address_space<workgroup>>
    %p = arith.mulf %e, %f : f16
    %s1 = arith.addf %s, %p : f16
    scf.yield %s1 : f16
  }
  return %r : f16
}

// -----

// Two tiles with a buffer each take turns: V is copied while K is used, and the
// next K while V is. Two barriers an iteration are left of four.

// CHECK-LABEL: @alternate
// CHECK-SAME:    %[[K:[^:]*]]: memref<?x8xf16>, %[[V:[^:]*]]: memref<?x8xf16>
// CHECK-DAG:     %[[SK:.*]] = memref.alloc() {tile = "K"}
// CHECK-DAG:     %[[SV:.*]] = memref.alloc() {tile = "V"}
// CHECK:         gpu.barrier
// CHECK:         nvgpu.device_async_copy %[[K]]{{.*}}, %[[SK]]
// CHECK:         scf.for %[[I:.*]] = %[[C0:.*]] to %[[N:.*]] step %[[C1:[^ ]*]]
// CHECK:           nvgpu.device_async_wait {{.*}} {numGroups = 0 : i32}
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      nvgpu.device_async_copy %[[V]][%[[I]], {{.*}}], %[[SV]]
// CHECK-NEXT:      nvgpu.device_async_create_group
// CHECK-NEXT:      memref.load %[[SK]]
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      nvgpu.device_async_wait {{.*}} {numGroups = 0 : i32}
// CHECK-NEXT:      gpu.barrier
// CHECK-DAG:       %[[NEXT:.*]] = arith.addi %[[I]], %[[C1]]
// CHECK:           nvgpu.device_async_copy %[[K]][%[[NEXT]], {{.*}}], %[[SK]]
// CHECK:           memref.load %[[SV]]
// CHECK-NOT:       gpu.barrier
// CHECK:           scf.yield
// CHECK:         nvgpu.device_async_wait
func.func @alternate(%k: memref<?x8xf16>, %v: memref<?x8xf16>, %n: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f16
  %sk = memref.alloc() {tile = "K"} : memref<1x8xf16, #gpu.address_space<workgroup>>
  %sv = memref.alloc() {tile = "V"} : memref<1x8xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f16 {
    gpu.barrier
    %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%c0, %c0], 8 : memref<?x8xf16> to memref<1x8xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %e = memref.load %sk[%c0, %x] : memref<1x8xf16, #gpu.address_space<workgroup>>
    %s1 = arith.addf %s, %e : f16
    gpu.barrier
    %t2 = nvgpu.device_async_copy %v[%i, %c0], %sv[%c0, %c0], 8 : memref<?x8xf16> to memref<1x8xf16, #gpu.address_space<workgroup>>
    %g2 = nvgpu.device_async_create_group %t2
    nvgpu.device_async_wait %g2
    gpu.barrier
    %e2 = memref.load %sv[%c0, %x] : memref<1x8xf16, #gpu.address_space<workgroup>>
    %s2 = arith.addf %s1, %e2 : f16
    scf.yield %s2 : f16
  }
  return %r : f16
}

// -----

// K is read again when V has arrived: its next copies would be too early.

// CHECK-LABEL: @read_late
// CHECK-NOT:     nvgpu.device_async_copy
// CHECK:         scf.for
// CHECK-COUNT-4:   gpu.barrier
// CHECK:           scf.yield
// CHECK-NOT:     nvgpu.device_async_wait
func.func @read_late(%k: memref<?x8xf16>, %v: memref<?x8xf16>, %n: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f16
  %sk = memref.alloc() : memref<1x8xf16, #gpu.address_space<workgroup>>
  %sv = memref.alloc() : memref<1x8xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f16 {
    gpu.barrier
    %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%c0, %c0], 8 : memref<?x8xf16> to memref<1x8xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %e = memref.load %sk[%c0, %x] : memref<1x8xf16, #gpu.address_space<workgroup>>
    gpu.barrier
    %t2 = nvgpu.device_async_copy %v[%i, %c0], %sv[%c0, %c0], 8 : memref<?x8xf16> to memref<1x8xf16, #gpu.address_space<workgroup>>
    %g2 = nvgpu.device_async_create_group %t2
    nvgpu.device_async_wait %g2
    gpu.barrier
    %e2 = memref.load %sv[%c0, %x] : memref<1x8xf16, #gpu.address_space<workgroup>>
    %e3 = memref.load %sk[%c0, %c1] : memref<1x8xf16, #gpu.address_space<workgroup>>
    %s1 = arith.addf %e2, %e3 : f16
    %s2 = arith.addf %s1, %e : f16
    scf.yield %s2 : f16
  }
  return %r : f16
}

// -----

// Threads tell each other something in other memory, between barriers that stay.
// The copies of V are under that. The barrier behind them is also the one between
// the read of that memory and the next write.

// CHECK-LABEL: @scratch
// CHECK-SAME:    %[[K:[^:]*]]: memref<?x8xf16>, %[[V:[^:]*]]: memref<?x8xf16>
// CHECK:         gpu.barrier
// CHECK:         nvgpu.device_async_copy %[[K]]
// CHECK:         scf.for
// CHECK:           nvgpu.device_async_wait
// CHECK-NEXT:      gpu.barrier
// CHECK:           nvgpu.device_async_copy %[[V]]
// CHECK:           memref.store
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      nvgpu.device_async_wait
// CHECK-NEXT:      gpu.barrier
// CHECK:           nvgpu.device_async_copy %[[K]]
// CHECK-NOT:       gpu.barrier
// CHECK:           scf.yield
func.func @scratch(%k: memref<?x8xf16>, %v: memref<?x8xf16>, %n: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f16
  %sk = memref.alloc() : memref<1x8xf16, #gpu.address_space<workgroup>>
  %sv = memref.alloc() : memref<1x8xf16, #gpu.address_space<workgroup>>
  %all = memref.alloc() : memref<32xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f16 {
    gpu.barrier
    %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%c0, %c0], 8 : memref<?x8xf16> to memref<1x8xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %e = memref.load %sk[%c0, %x] : memref<1x8xf16, #gpu.address_space<workgroup>>
    memref.store %e, %all[%x] : memref<32xf16, #gpu.address_space<workgroup>>
    gpu.barrier
    %o = memref.load %all[%c0] : memref<32xf16, #gpu.address_space<workgroup>>
    %t2 = nvgpu.device_async_copy %v[%i, %c0], %sv[%c0, %c0], 8 : memref<?x8xf16> to memref<1x8xf16, #gpu.address_space<workgroup>>
    %g2 = nvgpu.device_async_create_group %t2
    nvgpu.device_async_wait %g2
    gpu.barrier
    %e2 = memref.load %sv[%c0, %x] : memref<1x8xf16, #gpu.address_space<workgroup>>
    %s1 = arith.addf %o, %e2 : f16
    %s2 = arith.addf %s1, %s : f16
    scf.yield %s2 : f16
  }
  return %r : f16
}

// -----

// Q is on its way together with the first K. Of the groups behind it, one of
// which is empty, none is waited for.

// CHECK-LABEL: @together
// CHECK-SAME:    %[[Q:[^:]*]]: memref<?x8xf16>, %[[K:[^:]*]]: memref<?x8xf16>
// CHECK:         nvgpu.device_async_copy %[[Q]]
// CHECK-NEXT:    %[[G:.*]] = nvgpu.device_async_create_group
// CHECK-NOT:     nvgpu.device_async_wait
// CHECK:         nvgpu.device_async_copy %[[K]]
// CHECK-NEXT:    nvgpu.device_async_create_group
// CHECK-NEXT:    nvgpu.device_async_wait %[[G]] {numGroups = 2 : i32}
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    scf.for
func.func @together(%q: memref<?x8xf16>, %k: memref<?x8xf16>, %n: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f16
  %sq = memref.alloc() : memref<1x8xf16, #gpu.address_space<workgroup>>
  %sk = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<2x8xf16, #gpu.address_space<workgroup>>
  %tq = nvgpu.device_async_copy %q[%c0, %c0], %sq[%c0, %c0], 8 : memref<?x8xf16> to memref<1x8xf16, #gpu.address_space<workgroup>>
  %gq = nvgpu.device_async_create_group %tq
  nvgpu.device_async_wait %gq
  gpu.barrier
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f16 {
    %turn = arith.remui %i, %c2 : index
    %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
    %f = memref.load %sq[%c0, %x] : memref<1x8xf16, #gpu.address_space<workgroup>>
    %m = arith.mulf %e, %f : f16
    %s1 = arith.addf %s, %m : f16
    scf.yield %s1 : f16
  }
  return %r : f16
}

// -----

// The buffer was read before: the barrier stays in front of its copies.

// CHECK-LABEL: @read_before
// CHECK:         nvgpu.device_async_wait
// CHECK-NEXT:    gpu.barrier
// CHECK:         nvgpu.device_async_copy
// CHECK:         scf.for
func.func @read_before(%q: memref<?x8xf16>, %k: memref<?x8xf16>, %n: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %sq = memref.alloc() : memref<1x8xf16, #gpu.address_space<workgroup>>
  %sk = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<2x8xf16, #gpu.address_space<workgroup>>
  %z = memref.load %sk[%c0, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
  %tq = nvgpu.device_async_copy %q[%c0, %c0], %sq[%c0, %c0], 8 : memref<?x8xf16> to memref<1x8xf16, #gpu.address_space<workgroup>>
  %gq = nvgpu.device_async_create_group %tq
  nvgpu.device_async_wait %gq
  gpu.barrier
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f16 {
    %turn = arith.remui %i, %c2 : index
    %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
    %f = memref.load %sq[%c0, %x] : memref<1x8xf16, #gpu.address_space<workgroup>>
    %m = arith.mulf %e, %f : f16
    %s1 = arith.addf %s, %m : f16
    scf.yield %s1 : f16
  }
  return %r : f16
}

// -----

// Two buffers in one row, and steps of four.

// CHECK-LABEL: @in_one_row
// CHECK:         nvgpu.device_async_copy
// CHECK:         scf.for
func.func @in_one_row(%k: memref<?x8xf16>, %l: index, %n: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f16
  %sk = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<16xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %l to %n step %c4 iter_args(%s = %z) -> f16 {
    %done = arith.subi %i, %l : index
    %iteration = arith.divui %done, %c4 : index
    %turn = arith.remui %iteration, %c2 : index
    %start = arith.muli %turn, %c8 : index
    %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%start], 8 : memref<?x8xf16> to memref<16xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %at = arith.addi %start, %x : index
    %e = memref.load %sk[%at] : memref<16xf16, #gpu.address_space<workgroup>>
    %s1 = arith.addf %s, %e : f16
    scf.yield %s1 : f16
  }
  return %r : f16
}

// -----

// A view of the next tile, which is not there in the last iteration: it has no
// elements then, and begins where there are some.

// CHECK-LABEL: @through_view
// CHECK:         scf.for %[[I:[^ ]*]] =
// CHECK:           %[[IS_NEXT:.*]] = arith.cmpi slt, %[[I]],
// CHECK:           %[[NEXT:.*]] = arith.addi %[[I]],
// CHECK:           %[[SIZE:.*]] = affine.min #{{.*}}(%[[NEXT]])
// CHECK-DAG:       %[[OFFSET:.*]] = arith.select %[[IS_NEXT]], %[[NEXT]], %c0
// CHECK-DAG:       %[[ROWS:.*]] = arith.select %[[IS_NEXT]], %[[SIZE]], %c0
// CHECK:           %[[VIEW:.*]] = memref.subview %{{.*}}[%[[OFFSET]], 0] [%[[ROWS]], 8]
// CHECK:           memref.expand_shape %[[VIEW]] {{.*}} output_shape [%[[ROWS]], 1, 8]
func.func @through_view(%k: memref<39x16xf16>, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c39 = arith.constant 39 : index
  %z = arith.constant 0.0 : f16
  %sk = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<16xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %c39 step %c4 iter_args(%s = %z) -> f16 {
    %iteration = arith.divui %i, %c4 : index
    %turn = arith.remui %iteration, %c2 : index
    %start = arith.muli %turn, %c8 : index
    %rows = affine.min affine_map<(d0) -> (-d0 + 39, 4)>(%i)
    %view = memref.subview %k[%i, 0] [%rows, 8] [1, 1] : memref<39x16xf16> to memref<?x8xf16, strided<[16, 1], offset: ?>>
    %tile = memref.expand_shape %view [[0, 1], [2]] output_shape [%rows, 1, 8] : memref<?x8xf16, strided<[16, 1], offset: ?>> into memref<?x1x8xf16, strided<[16, 16, 1], offset: ?>>
    %t = nvgpu.device_async_copy %tile[%c0, %c0, %c0], %sk[%start], 8 : memref<?x1x8xf16, strided<[16, 16, 1], offset: ?>> to memref<16xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %at = arith.addi %start, %x : index
    %e = memref.load %sk[%at] : memref<16xf16, #gpu.address_space<workgroup>>
    %s1 = arith.addf %s, %e : f16
    scf.yield %s1 : f16
  }
  return %r : f16
}

// -----

// The first copies of a loop wait until all threads have read what was in the
// buffers before; the barrier of the iteration is behind them now.

// CHECK-LABEL: @read_before
// CHECK:         memref.load
// CHECK:         gpu.barrier
// CHECK:         nvgpu.device_async_copy
// CHECK:         scf.for
func.func @read_before(%k: memref<?x8xf16>, %n: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %sk = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<2x8xf16, #gpu.address_space<workgroup>>
  %before = memref.load %sk[%c0, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %before) -> f16 {
    gpu.barrier
    %turn = arith.remui %i, %c2 : index
    %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
    %s1 = arith.addf %s, %e : f16
    scf.yield %s1 : f16
  }
  return %r : f16
}

// -----

// A view of four rows, where there may be fewer: it has none where there is no
// iteration, and neither has what expands it.
// CHECK-LABEL: func.func @through_view_of_known_size
// CHECK:         %[[IS_FIRST:.*]] = arith.cmpi sgt
// CHECK:         %[[ROWS:.*]] = arith.select %[[IS_FIRST]], %c4, %c0
// CHECK:         %[[VIEW:.*]] = memref.subview %{{.*}}[0, 0] [%[[ROWS]], 8] [1, 1] : memref<?x16xf16> to memref<?x8xf16, strided<[16, 1]>>
// CHECK:         %[[OUTER:.*]] = arith.select %[[IS_FIRST]], %c2, %c0
// CHECK:         memref.expand_shape %[[VIEW]] {{\[\[}}0, 1], [2]] output_shape [%[[OUTER]], 2, 8] : {{.*}} into memref<?x2x8xf16, strided<[32, 16, 1]>>
// CHECK:         scf.for
func.func @through_view_of_known_size(%k: memref<?x16xf16>, %n: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f16
  %sk = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<16xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%s = %z) -> f16 {
    %iteration = arith.divui %i, %c4 : index
    %turn = arith.remui %iteration, %c2 : index
    %start = arith.muli %turn, %c8 : index
    %view = memref.subview %k[%i, 0] [4, 8] [1, 1] : memref<?x16xf16> to memref<4x8xf16, strided<[16, 1], offset: ?>>
    %tile = memref.expand_shape %view [[0, 1], [2]] output_shape [2, 2, 8] : memref<4x8xf16, strided<[16, 1], offset: ?>> into memref<2x2x8xf16, strided<[32, 16, 1], offset: ?>>
    %t = nvgpu.device_async_copy %tile[%c0, %c0, %c0], %sk[%start], 8 : memref<2x2x8xf16, strided<[32, 16, 1], offset: ?>> to memref<16xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %at = arith.addi %start, %x : index
    %e = memref.load %sk[%at] : memref<16xf16, #gpu.address_space<workgroup>>
    %s1 = arith.addf %s, %e : f16
    scf.yield %s1 : f16
  }
  return %r : f16
}

// -----

// Products in two steps: what the first one needs is read in the iteration
// before, behind the barrier and in front of that one's last products.

// CHECK-LABEL: @products
// CHECK:         nvgpu.device_async_copy
// CHECK:         nvgpu.device_async_wait
// CHECK-NEXT:    gpu.barrier
// CHECK:         %[[FIRST:.*]] = nvgpu.ldmatrix
// CHECK:         nvgpu.device_async_copy
// CHECK:         %[[R:.*]]:{{[0-9]+}} = scf.for {{.*}} iter_args(%[[SUM:[^ ]*]] = %{{[^,]*}}, {{.*}}%[[A0:[^ ]*]] = %[[FIRST]]
// CHECK:           %[[A1:.*]] = nvgpu.ldmatrix
// CHECK-NEXT:      %[[D0:.*]] = nvgpu.mma.sync(%[[A0]], %{{.*}}, %[[SUM]])
// CHECK-NEXT:      nvgpu.device_async_wait
// CHECK-NEXT:      gpu.barrier
// CHECK:           %[[NEXT:.*]] = nvgpu.ldmatrix
// CHECK:           nvgpu.device_async_copy
// CHECK:           %[[D1:.*]] = nvgpu.mma.sync(%[[A1]], %{{.*}}, %[[D0]])
// CHECK-NOT:       gpu.barrier
// CHECK:           scf.yield %[[D1]], {{.*}}%[[NEXT]]
func.func @products(%a: memref<?x512xf16>, %b: vector<2x2xf16>, %n: index, %x: index, %y: index) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %sa = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<1024xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> vector<2x2xf32> {
    %turn = arith.remui %i, %c2 : index
    %start = arith.muli %turn, %c512 : index
    %to = arith.addi %start, %x : index
    %t = nvgpu.device_async_copy %a[%i, %x], %sa[%to], 8 : memref<?x512xf16> to memref<1024xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %from = arith.addi %start, %y : index
    %a0 = nvgpu.ldmatrix %sa[%from] {numTiles = 4 : i32, transpose = false} : memref<1024xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
    %d0 = nvgpu.mma.sync(%a0, %b, %s) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %from1 = arith.addi %from, %c256 : index
    %a1 = nvgpu.ldmatrix %sa[%from1] {numTiles = 4 : i32, transpose = false} : memref<1024xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
    %d1 = nvgpu.mma.sync(%a1, %b, %d0) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %d1 : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// -----

// A factor that is computed from products of the iteration is not there a stage
// before.

// CHECK-LABEL: @negative_chained
// CHECK:         scf.for
// CHECK:           nvgpu.device_async_wait
// CHECK-NEXT:      gpu.barrier
// CHECK:           nvgpu.ldmatrix
// CHECK:           nvgpu.mma.sync
// CHECK:           nvgpu.mma.sync
// CHECK:           scf.yield
func.func @negative_chained(%a: memref<?x512xf16>, %q: vector<4x2xf16>, %b: vector<2x2xf16>, %n: index, %x: index, %y: index) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c512 = arith.constant 512 : index
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %sa = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<1024xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> vector<2x2xf32> {
    %turn = arith.remui %i, %c2 : index
    %start = arith.muli %turn, %c512 : index
    %to = arith.addi %start, %x : index
    %t = nvgpu.device_async_copy %a[%i, %x], %sa[%to], 8 : memref<?x512xf16> to memref<1024xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %from = arith.addi %start, %y : index
    %a0 = nvgpu.ldmatrix %sa[%from] {numTiles = 4 : i32, transpose = false} : memref<1024xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
    %p = nvgpu.mma.sync(%a0, %b, %z) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %w = arith.truncf %p : vector<2x2xf32> to vector<2x2xf16>
    %d = nvgpu.mma.sync(%q, %w, %s) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %d : vector<2x2xf32>
  }
  return %r : vector<2x2xf32>
}

// -----

// What a copy reads in front is read one more iteration ahead, in its branch
// only where there is an iteration. The entries are carried.

// CHECK-LABEL: @table
// CHECK-SAME:    %[[TABLE:[^:]*]]: memref<?xi32>
// CHECK:         scf.for %[[I:.*]] = {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9_]+}}, %[[ENTRY:[a-z0-9]+]] = %{{.*}}, %{{.*}}) -> (f16, i32, index)
// CHECK:           nvgpu.device_async_wait
// CHECK-NEXT:      gpu.barrier
// CHECK:           %[[NEXT:.*]] = scf.if
// CHECK:             memref.load %[[TABLE]]
// CHECK:           %[[PAGE:.*]] = arith.index_cast %[[ENTRY]]
// CHECK:           nvgpu.device_async_copy %{{.*}}[%[[PAGE]], %{{.*}}]
// CHECK:           scf.yield %{{.*}}, %[[NEXT]], %{{.*}} : f16, i32, index
func.func @table(%k: memref<?x8xf16>, %table: memref<?xi32>, %size: index, %n: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant 0 : i32
  %z = arith.constant 0.0 : f16
  %sk = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<2x8xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f16 {
    %turn = arith.remui %i, %c2 : index
    %exists = arith.cmpi ult, %i, %size : index
    %entry = scf.if %exists -> i32 {
      %read = memref.load %table[%i] : memref<?xi32>
      scf.yield %read : i32
    } else {
      scf.yield %none : i32
    }
    %page = arith.index_cast %entry : i32 to index
    %t = nvgpu.device_async_copy %k[%page, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
    %s1 = arith.addf %s, %e : f16
    scf.yield %s1 : f16
  }
  return %r : f16
}

// -----

// The loop writes what copies read in front: nothing goes ahead.

// CHECK-LABEL: @table_is_written
// CHECK-NOT:     nvgpu.device_async_copy
// CHECK:         scf.for
// CHECK:           memref.load
// CHECK:           nvgpu.device_async_copy
func.func @table_is_written(%k: memref<?x8xf16>, %table: memref<8xi32>, %n: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant 0 : i32
  %z = arith.constant 0.0 : f16
  %sk = memref.alloc() : memref<2x8xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f16 {
    %turn = arith.remui %i, %c2 : index
    %entry = memref.load %table[%i] : memref<8xi32>
    %page = arith.index_cast %entry : i32 to index
    %t = nvgpu.device_async_copy %k[%page, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    memref.store %none, %table[%x] : memref<8xi32>
    %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
    %s1 = arith.addf %s, %e : f16
    scf.yield %s1 : f16
  }
  return %r : f16
}

// -----

// The loop of the last tiles often has none: its first copies are in a branch.

// CHECK-LABEL: @behind_another
// CHECK-SAME:    %{{.+}}: memref<?x8xf16>, %[[FROM:[^:]*]]: index, %[[TO:[^:]*]]: index
// CHECK:         nvgpu.device_async_copy
// CHECK:         %[[WHOLE:.+]]:2 = scf.for
// CHECK:         %[[ANY:.+]] = arith.cmpi slt, %[[FROM]], %[[TO]] : index
// CHECK-NEXT:    %[[BOTH:.+]] = scf.if %[[ANY]] -> (f16) {
// CHECK:           nvgpu.device_async_copy
// CHECK:           %[[LAST:.+]]:2 = scf.for %{{.+}} = %[[FROM]] to %[[TO]]
// CHECK-SAME:        iter_args(%{{.+}} = %[[WHOLE]]#0
// CHECK:           scf.yield %[[LAST]]#0 : f16
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[WHOLE]]#0 : f16
// CHECK:         return %[[BOTH]]

// A loop that copies nothing ahead is in no branch.
// CHECK-LABEL: @negative_behind_another
// CHECK-NOT:     scf.if
// CHECK:         return

// Nor are loops in a loop, which pipelines the copies in front of them.
// CHECK-LABEL: @negative_in_loop
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @behind_another(%k: memref<?x8xf16>, %n: index, %m: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f16
  %sk = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<2x8xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f16 {
    %turn = arith.remui %i, %c2 : index
    %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
    %s1 = arith.addf %s, %e : f16
    scf.yield %s1 : f16
  }
  %q = scf.for %i = %n to %m step %c1 iter_args(%s = %r) -> f16 {
    %turn = arith.remui %i, %c2 : index
    %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
    %s1 = arith.addf %s, %e : f16
    scf.yield %s1 : f16
  }
  return %q : f16
}

func.func @negative_behind_another(%k: memref<?x8xf16>, %n: index, %m: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f16
  %sk = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<2x8xf16, #gpu.address_space<workgroup>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f16 {
    %turn = arith.remui %i, %c2 : index
    %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
    %s1 = arith.addf %s, %e : f16
    scf.yield %s1 : f16
  }
  %q = scf.for %i = %n to %m step %c1 iter_args(%s = %r) -> f16 {
    %e = memref.load %k[%i, %c0] : memref<?x8xf16>
    %s1 = arith.addf %s, %e : f16
    scf.yield %s1 : f16
  }
  return %q : f16
}

func.func @negative_in_loop(%k: memref<?x8xf16>, %n: index, %m: index, %x: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f16
  %sk = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<2x8xf16, #gpu.address_space<workgroup>>
  %all = scf.for %outer = %c0 to %n step %c1 iter_args(%sum = %z) -> f16 {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %sum) -> f16 {
      %turn = arith.remui %i, %c2 : index
      %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
      %g = nvgpu.device_async_create_group %t
      nvgpu.device_async_wait %g
      gpu.barrier
      %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
      %s1 = arith.addf %s, %e : f16
      scf.yield %s1 : f16
    }
    %q = scf.for %i = %n to %m step %c1 iter_args(%s = %r) -> f16 {
      %turn = arith.remui %i, %c2 : index
      %t = nvgpu.device_async_copy %k[%i, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
      %g = nvgpu.device_async_create_group %t
      nvgpu.device_async_wait %g
      gpu.barrier
      %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
      %s1 = arith.addf %s, %e : f16
      scf.yield %s1 : f16
    }
    scf.yield %q : f16
  }
  return %all : f16
}

// -----

// Pages are looked up while Q is on its way: the wait for Q is behind the first copies,
// unless the kernel may have written the table before.

// CHECK-LABEL: @looked_up
// CHECK-SAME:    %[[Q:[^:]*]]: memref<?x8xf16>, %[[K:[^:]*]]: memref<?x8xf16>, %[[TABLE:[^:]*]]: memref<?xindex>
// CHECK:         nvgpu.device_async_copy %[[Q]]
// CHECK-NOT:     nvgpu.device_async_wait
// CHECK:         memref.load %[[TABLE]]
// CHECK-NOT:     nvgpu.device_async_wait
// CHECK:         nvgpu.device_async_copy %[[K]]
// CHECK:         nvgpu.device_async_wait
// CHECK:         scf.for

// CHECK-LABEL: @negative_written
// CHECK:         memref.store
// CHECK:         nvgpu.device_async_copy
// CHECK-NOT:     memref.load
// CHECK:         nvgpu.device_async_wait
// CHECK:         memref.load
func.func @looked_up(%q: memref<?x8xf16>, %k: memref<?x8xf16>, %table: memref<?xindex>, %out: memref<?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f16
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%x, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %sq = memref.alloc() : memref<1x8xf16, #gpu.address_space<workgroup>>
    %sk = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<2x8xf16, #gpu.address_space<workgroup>>
    %tq = nvgpu.device_async_copy %q[%c0, %c0], %sq[%c0, %c0], 8 : memref<?x8xf16> to memref<1x8xf16, #gpu.address_space<workgroup>>
    %gq = nvgpu.device_async_create_group %tq
    nvgpu.device_async_wait %gq
    gpu.barrier
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f16 {
      %turn = arith.remui %i, %c2 : index
      %page = memref.load %table[%i] : memref<?xindex>
      %t = nvgpu.device_async_copy %k[%page, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
      %g = nvgpu.device_async_create_group %t
      nvgpu.device_async_wait %g
      gpu.barrier
      %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
      %f = memref.load %sq[%c0, %x] : memref<1x8xf16, #gpu.address_space<workgroup>>
      %m = arith.mulf %e, %f : f16
      %s1 = arith.addf %s, %m : f16
      scf.yield %s1 : f16
    }
    memref.store %r, %out[%x] : memref<?xf16>
    gpu.terminator
  }
  return
}

func.func @negative_written(%q: memref<?x8xf16>, %k: memref<?x8xf16>, %table: memref<?xindex>, %out: memref<?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f16
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%x, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %sq = memref.alloc() : memref<1x8xf16, #gpu.address_space<workgroup>>
    %sk = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<2x8xf16, #gpu.address_space<workgroup>>
    memref.store %c0, %table[%x] : memref<?xindex>
    %tq = nvgpu.device_async_copy %q[%c0, %c0], %sq[%c0, %c0], 8 : memref<?x8xf16> to memref<1x8xf16, #gpu.address_space<workgroup>>
    %gq = nvgpu.device_async_create_group %tq
    nvgpu.device_async_wait %gq
    gpu.barrier
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> f16 {
      %turn = arith.remui %i, %c2 : index
      %page = memref.load %table[%i] : memref<?xindex>
      %t = nvgpu.device_async_copy %k[%page, %c0], %sk[%turn, %c0], 8 : memref<?x8xf16> to memref<2x8xf16, #gpu.address_space<workgroup>>
      %g = nvgpu.device_async_create_group %t
      nvgpu.device_async_wait %g
      gpu.barrier
      %e = memref.load %sk[%turn, %x] : memref<2x8xf16, #gpu.address_space<workgroup>>
      %f = memref.load %sq[%c0, %x] : memref<1x8xf16, #gpu.address_space<workgroup>>
      %m = arith.mulf %e, %f : f16
      %s1 = arith.addf %s, %m : f16
      scf.yield %s1 : f16
    }
    memref.store %r, %out[%x] : memref<?xf16>
    gpu.terminator
  }
  return
}
