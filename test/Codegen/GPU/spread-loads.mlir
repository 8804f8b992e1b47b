// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads='steps=spread-loads' --split-input-file | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-gpu-optimize-threads{steps=spread-loads})' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads='steps=spread-loads,unroll-reads' --split-input-file | FileCheck %s --check-prefix=UNROLL

// Four lanes have a column, and there are too many iterations for workgroup memory
// to have the elements of all. Each lane loads its scale and zero point for another of
// four iterations, twice in front of the loop, and takes those of the iteration
// from the lane that has them. The last of four iterations packs what was loaded
// last, and loads. Such a loop does not wait, and is not unrolled.

// CHECK-LABEL: func @four_lanes
// CHECK:         %[[T:.*]] = gpu.thread_id x
// CHECK:         %[[LANE:.*]] = arith.remui %[[T]], %c32
// CHECK:         %[[OWN:.*]] = arith.remui %[[LANE]], %c4
// CHECK:         %[[AHEAD:.*]] = arith.muli %[[OWN]], %c1
// CHECK:         %[[FIRST:.*]] = arith.minsi
// CHECK-COUNT-2: memref.load %{{.*}}[%{{.*}}, %[[FIRST]]]
// CHECK:         vector.bitcast %{{.*}} : vector<2xf16> to vector<1xi32>
// CHECK:         %[[SECOND:.*]] = arith.minsi
// CHECK-COUNT-2: memref.load %{{.*}}[%{{.*}}, %[[SECOND]]]
// CHECK:         scf.for %[[I:.*]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[HAS:.*]] = %{{.*}}, %[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (f16, vector<1xi32>, f16, f16)
// CHECK:           %[[NUMBER:.*]] = arith.remui
// CHECK:           vector.extract %[[HAS]][0]
// CHECK:           gpu.shuffle idx
// CHECK:           arith.cmpi eq, %[[NUMBER]], %c3
// CHECK:           scf.if
// CHECK:             vector.from_elements %[[A]], %[[B]]
// CHECK-COUNT-2:     memref.load
// CHECK:           } else {
// CHECK:             scf.yield %[[HAS]], %[[A]], %[[B]]
// CHECK:           arith.mulf
// CHECK-NOT:       memref.load
// CHECK:         memref.store

// UNROLL-LABEL: func @four_lanes
// UNROLL-COUNT-4: memref.load
// UNROLL:       scf.for
// UNROLL-COUNT-2: memref.load
// UNROLL-NOT:   memref.load
// UNROLL:       memref.store
func.func @four_lanes(%scales: memref<8x?xf16>, %zeros: memref<8x?xf16>, %out: memref<32xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c600 = arith.constant 600 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %column = arith.divui %tx, %c4 : index
    %one = arith.constant 1.0 : f16
    %r = scf.for %i = %c0 to %c600 step %c1 iter_args(%acc = %one) -> (f16) {
      %s = memref.load %scales[%column, %i] : memref<8x?xf16>
      %z = memref.load %zeros[%column, %i] : memref<8x?xf16>
      %0 = arith.mulf %acc, %s : f16
      %1 = arith.addf %0, %z : f16
      scf.yield %1 : f16
    }
    memref.store %r, %out[%tx] : memref<32xf16>
    gpu.terminator
  }
  return
}

// -----

// Of an unknown number of iterations, which may be none, the first loads are in a
// branch. Three elements are two words.

// CHECK-LABEL: func @dynamic
// CHECK:         %[[ANY:.*]] = arith.cmpi slt
// CHECK:         scf.if %[[ANY]] -> (vector<2xi32>, bf16, bf16, bf16)
// CHECK-COUNT-6:   memref.load
// CHECK:         } else {
// CHECK-NOT:       memref.load
// CHECK:         scf.for
// CHECK-COUNT-2:   gpu.shuffle idx
// CHECK:           scf.if
func.func @dynamic(%a: memref<16x?xbf16>, %n: index, %out: memref<64xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %lane = arith.remui %tx, %c32 : index
    %row = arith.divui %lane, %c2 : index
    %one = arith.constant 1.0 : bf16
    %r = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %one) -> (bf16) {
      %x = memref.load %a[%row, %i] : memref<16x?xbf16>
      %j = arith.addi %i, %c1 : index
      %y = memref.load %a[%row, %j] : memref<16x?xbf16>
      %z = memref.load %a[%c1, %j] : memref<16x?xbf16>
      %0 = arith.mulf %x, %y : bf16
      %1 = arith.mulf %0, %z : bf16
      %2 = arith.addf %acc, %1 : bf16
      scf.yield %2 : bf16
    }
    memref.store %r, %out[%tx] : memref<64xbf16>
    gpu.terminator
  }
  return
}

// -----

// Elements of nine iterations have a place in workgroup memory, for each of 16 groups of
// four neighbouring lanes, which have a column. Neighbouring threads load those of
// consecutive iterations: of group e / 9, whose first thread is number 4 (e / 9). What is
// the same for each fourth lane has a place of its own, for eight groups. A place for
// one more group puts what neighbouring threads write into different banks.

// CHECK-LABEL: func @in_front
// CHECK:         %[[TABLE:.*]] = memref.alloc() {{.*}} : memref<9x17x2xi32, #gpu.address_space<workgroup>>
// CHECK:         %[[THREAD:.*]] = gpu.thread_id x
// CHECK:         scf.for %[[I:.*]] = %c0{{.*}} to %c3{{.*}} step %c1
// CHECK:           %[[BY64:.*]] = arith.muli %[[I]], %c64
// CHECK:           %[[ENTRY:.*]] = arith.addi %[[THREAD]], %[[BY64]]
// CHECK:           %[[EXISTS:.*]] = arith.cmpi slt, %[[ENTRY]], %c144
// CHECK:           scf.if %[[EXISTS]] {
// CHECK:             %[[GROUP:.*]] = arith.divui %[[ENTRY]], %c9
// CHECK:             %[[NUMBER:.*]] = arith.remui %[[ENTRY]], %c9
// CHECK:             %[[FIRST:.*]] = arith.muli %[[GROUP]], %c4
// CHECK:             %[[LANE:.*]] = arith.remui %[[FIRST]], %c32
// CHECK:             %[[COLUMN:.*]] = arith.divui %[[LANE]], %c4
// CHECK:             memref.load %{{.*}}[%[[COLUMN]], %{{.*}}]
// CHECK-COUNT-2:     memref.load
// CHECK:             vector.store %{{.*}}, %[[TABLE]][%[[NUMBER]], %[[GROUP]], %c0{{.*}}] : {{.*}}, vector<2xi32>
// CHECK:         gpu.barrier
// CHECK:         %[[APART:.*]] = memref.alloc() {{.*}} : memref<9x9x1xi32, #gpu.address_space<workgroup>>
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK:           memref.load
// CHECK:           vector.store %{{.*}}, %[[APART]][{{.*}}, vector<1xi32>
// CHECK:         gpu.barrier
// CHECK:         scf.for %[[IV:.*]] = %c2{{.*}} to %c20{{.*}} step %c2
// CHECK-NOT:       memref.load
// CHECK:           vector.load %[[APART]]
// CHECK:           vector.load %[[TABLE]]
// CHECK-NOT:       memref.load
// CHECK-NOT:       gpu.shuffle
// CHECK:         memref.store

// UNROLL-LABEL: func @in_front
// UNROLL:       scf.for {{.*}} = %c2{{.*}} to %c20{{.*}} step %c2
// UNROLL-COUNT-2: vector.load
// UNROLL-NOT:   vector.load
// UNROLL:       memref.store
func.func @in_front(%a: memref<8x?xf16>, %b: memref<4x?xf16>, %out: memref<64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c20 = arith.constant 20 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %lane = arith.remui %tx, %c32 : index
    %column = arith.divui %lane, %c4 : index
    %rest = arith.remui %lane, %c4 : index
    %one = arith.constant 1.0 : f16
    %r = scf.for %i = %c2 to %c20 step %c2 iter_args(%acc = %one) -> (f16) {
      %s = memref.load %a[%column, %i] : memref<8x?xf16>
      %j = arith.addi %i, %c1 : index
      %t = memref.load %a[%column, %j] : memref<8x?xf16>
      %u = memref.load %a[%c1, %j] : memref<8x?xf16>
      %v = memref.load %b[%rest, %i] : memref<4x?xf16>
      %0 = arith.mulf %s, %t : f16
      %1 = arith.mulf %0, %u : f16
      %2 = arith.mulf %1, %v : f16
      %3 = arith.addf %acc, %2 : f16
      scf.yield %3 : f16
    }
    memref.store %r, %out[%tx] : memref<64xf16>
    gpu.terminator
  }
  return
}

// -----

// Threads leave a loop at different times: they cannot wait for each other there.

// CHECK-LABEL: func @in_a_loop
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.shuffle
// CHECK-NOT:     gpu.barrier
// CHECK:         return
func.func @in_a_loop(%a: memref<8x?xf16>, %out: memref<64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %subgroup = arith.divui %tx, %c32 : index
    %lane = arith.remui %tx, %c32 : index
    %column = arith.divui %lane, %c4 : index
    %one = arith.constant 1.0 : f16
    %all = scf.for %j = %c0 to %subgroup step %c1 iter_args(%outer = %one) -> (f16) {
      %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %outer) -> (f16) {
        %s = memref.load %a[%column, %i] : memref<8x?xf16>
        %0 = arith.mulf %acc, %s : f16
        scf.yield %0 : f16
      }
      scf.yield %r : f16
    }
    memref.store %all, %out[%tx] : memref<64xf16>
    gpu.terminator
  }
  return
}

// -----

// All iterations have a lane: nothing is loaded in the loop.

// CHECK-LABEL: func @two_iterations
// CHECK:         memref.load
// CHECK:         scf.for {{.*}} -> (f16)
// CHECK-NOT:       memref.load
// CHECK:           gpu.shuffle idx
// CHECK-NOT:       memref.load
// CHECK:         memref.store
func.func @two_iterations(%a: memref<8x2xf16>, %out: memref<32xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %column = arith.divui %tx, %c4 : index
    %one = arith.constant 1.0 : f16
    %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %one) -> (f16) {
      %s = memref.load %a[%column, %i] : memref<8x2xf16>
      %0 = arith.mulf %acc, %s : f16
      scf.yield %0 : f16
    }
    memref.store %r, %out[%tx] : memref<32xf16>
    gpu.terminator
  }
  return
}

// -----

// Each lane has elements of its own; five threads are no aligned part of a
// subgroup.

// CHECK-LABEL: func @negative_own
// CHECK-NOT:     gpu.shuffle
// CHECK:         return
func.func @negative_own(%a: memref<32x?xf16>, %out: memref<32xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %one = arith.constant 1.0 : f16
    %part = arith.divui %tx, %c5 : index
    %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %one) -> (f16) {
      %x = memref.load %a[%tx, %i] : memref<32x?xf16>
      %y = memref.load %a[%part, %i] : memref<32x?xf16>
      %0 = arith.mulf %x, %y : f16
      %1 = arith.mulf %acc, %0 : f16
      scf.yield %1 : f16
    }
    memref.store %r, %out[%tx] : memref<32xf16>
    gpu.terminator
  }
  return
}

// -----

// Lanes may leave the loop at different times.

// CHECK-LABEL: func @negative_bounds
// CHECK-NOT:     gpu.shuffle
// CHECK:         return
func.func @negative_bounds(%a: memref<8x?xf16>, %out: memref<32xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %column = arith.divui %tx, %c4 : index
    %one = arith.constant 1.0 : f16
    %r = scf.for %i = %c0 to %column step %c1 iter_args(%acc = %one) -> (f16) {
      %s = memref.load %a[%column, %i] : memref<8x?xf16>
      %0 = arith.mulf %acc, %s : f16
      scf.yield %0 : f16
    }
    memref.store %r, %out[%tx] : memref<32xf16>
    gpu.terminator
  }
  return
}

// -----

// The loop writes, so that another lane may read too early.

// CHECK-LABEL: func @negative_writes
// CHECK-NOT:     gpu.shuffle
// CHECK:         return
func.func @negative_writes(%a: memref<8x?xf16>, %out: memref<32xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %column = arith.divui %tx, %c4 : index
    scf.for %i = %c0 to %c9 step %c1 {
      %s = memref.load %a[%column, %i] : memref<8x?xf16>
      memref.store %s, %out[%tx] : memref<32xf16>
    }
    gpu.terminator
  }
  return
}

// -----

// 48 threads are no whole subgroups.

// CHECK-LABEL: func @negative_block
// CHECK-NOT:     gpu.shuffle
// CHECK:         return
func.func @negative_block(%a: memref<12x?xf16>, %out: memref<48xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %c48 = arith.constant 48 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c48, %sy = %c1, %sz = %c1) {
    %column = arith.divui %tx, %c4 : index
    %one = arith.constant 1.0 : f16
    %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %one) -> (f16) {
      %s = memref.load %a[%column, %i] : memref<12x?xf16>
      %0 = arith.mulf %acc, %s : f16
      scf.yield %0 : f16
    }
    memref.store %r, %out[%tx] : memref<48xf16>
    gpu.terminator
  }
  return
}

// -----

// Each lane reads a view of its own, at the same index.

// CHECK-LABEL: func @negative_view
// CHECK-NOT:     gpu.shuffle
// CHECK:         return
func.func @negative_view(%a: memref<32x?xf16>, %out: memref<32xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %one = arith.constant 1.0 : f16
    %row = memref.subview %a[%tx, 0] [1, %n] [1, 1] : memref<32x?xf16> to memref<?xf16, strided<[1], offset: ?>>
    %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %one) -> (f16) {
      %x = memref.load %row[%i] : memref<?xf16, strided<[1], offset: ?>>
      %1 = arith.mulf %acc, %x : f16
      scf.yield %1 : f16
    }
    memref.store %r, %out[%tx] : memref<32xf16>
    gpu.terminator
  }
  return
}

// -----

// The number of a thread in the whole grid has no operand, as a constant has none.

// CHECK-LABEL: func @negative_global_id
// CHECK-NOT:     gpu.shuffle
// CHECK:         return
func.func @negative_global_id(%a: memref<64x?xf16>, %out: memref<32xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %one = arith.constant 1.0 : f16
    %id = gpu.global_id x
    %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%acc = %one) -> (f16) {
      %x = memref.load %a[%id, %i] : memref<64x?xf16>
      %1 = arith.mulf %acc, %x : f16
      scf.yield %1 : f16
    }
    memref.store %r, %out[%tx] : memref<32xf16>
    gpu.terminator
  }
  return
}
