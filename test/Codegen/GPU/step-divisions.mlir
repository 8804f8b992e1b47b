// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads='steps=step-divisions' --split-input-file | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-gpu-optimize-threads{steps=step-divisions})' --split-input-file | FileCheck %s

// The loop carries the page of a position and the row in it.

// CHECK-LABEL: func @page
// CHECK-SAME:    %{{.*}}: index, %[[FIRST:.*]]: index
// CHECK:         %[[ROWS:.*]] = arith.maxui
// CHECK:         %[[AT:.*]] = arith.addi %c0{{.*}}, %[[FIRST]]
// CHECK:         %[[PAGE0:.*]] = arith.floordivsi %[[AT]], %[[ROWS]]
// CHECK:         %[[PAGES:.*]] = arith.divui %c64{{.*}}, %[[ROWS]]
// CHECK:         scf.for {{.*}} iter_args(%[[PAGE:.*]] = %[[PAGE0]], %[[ROW:.*]] = %{{.*}})
// CHECK-NOT:       arith.floordivsi
// CHECK:           memref.store %[[PAGE]]
// CHECK:           %[[SUM:.*]] = arith.addi %[[ROW]]
// CHECK:           arith.cmpi uge, %[[SUM]], %[[ROWS]]
// CHECK:           scf.yield
// CHECK-NOT:     arith.floordivsi
// CHECK:         gpu.terminator
func.func @page(%n: index, %first: index, %pool: memref<?x?xf16>, %out: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %dim = memref.dim %pool, %c1 : memref<?x?xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %rows = arith.maxui %dim, %c1 : index
    scf.for %i = %c0 to %n step %c64 {
      %position = arith.addi %i, %first : index
      %page = arith.floordivsi %position, %rows : index
      memref.store %page, %out[%i] : memref<?xindex>
    }
    gpu.terminator
  }
  return
}

// -----

// Of positions one and two iterations ahead, the one is what the loop computed for
// the other. The quotient in front of the loop is that of the first iteration; as a
// vector of one element, as distribution makes it.

// CHECK-LABEL: func @ahead
// CHECK:         %[[PAGE0:.*]] = arith.floordivsi
// CHECK-NOT:     arith.floordivsi
// CHECK:         scf.for {{.*}} iter_args(%[[TWO:.*]] = %{{.*}}, %[[ONE:.*]] = %[[PAGE0]], %{{.*}} = %{{.*}}) -> (vector<1xindex>, vector<1xindex>, vector<1xindex>)
// CHECK-NOT:       arith.floordivsi
// CHECK:           vector.extract %[[ONE]][0]
// CHECK:           vector.extract %[[TWO]][0]
// CHECK:           scf.yield %{{.*}}, %[[TWO]], %{{.*}}
// CHECK-NOT:     arith.floordivsi
// CHECK:         gpu.terminator
#next = affine_map<(d0)[s0, s1] -> (d0 + s0 * s1)>
func.func @ahead(%n: index, %chunk: index, %size: index, %pool: memref<?x?xf16>, %out: memref<?x3xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %dim = memref.dim %pool, %c1 : memref<?x?xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %rows = arith.maxui %dim, %c1 : index
    %all = vector.broadcast %rows : index to vector<1xindex>
    %thread = vector.broadcast %tx : index to vector<1xindex>
    %1 = affine.apply #next(%c64)[%chunk, %size]
    %2 = vector.broadcast %1 : index to vector<1xindex>
    %3 = arith.addi %thread, %2 : vector<1xindex>
    %4 = arith.floordivsi %3, %all : vector<1xindex>
    %5 = vector.extract %4[0] : index from vector<1xindex>
    memref.store %5, %out[%c0, %c2] : memref<?x3xindex>
    scf.for %i = %c0 to %n step %c64 {
      %i1 = arith.addi %i, %c64 : index
      %i2 = arith.addi %i, %c128 : index
      %p1 = affine.apply #next(%i1)[%chunk, %size]
      %p2 = affine.apply #next(%i2)[%chunk, %size]
      %v1 = vector.broadcast %p1 : index to vector<1xindex>
      %v2 = vector.broadcast %p2 : index to vector<1xindex>
      %s1 = arith.addi %thread, %v1 : vector<1xindex>
      %s2 = arith.addi %v2, %thread : vector<1xindex>
      %q1 = arith.floordivsi %s1, %all : vector<1xindex>
      %q2 = arith.floordivsi %s2, %all : vector<1xindex>
      %e1 = vector.extract %q1[0] : index from vector<1xindex>
      %e2 = vector.extract %q2[0] : index from vector<1xindex>
      memref.store %e1, %out[%i, %c0] : memref<?x3xindex>
      memref.store %e2, %out[%i, %c1] : memref<?x3xindex>
    }
    gpu.terminator
  }
  return
}

// -----

// The divisor of the second loop is a result of the first one, which is replaced.

// CHECK-LABEL: func @divisor_of_loop
// CHECK:         %[[LOOP:.+]]:3 = scf.for
// CHECK:         arith.divui %{{.+}}, %[[LOOP]]#0
// CHECK:         scf.for
// CHECK-NOT:       arith.floordivsi
func.func @divisor_of_loop(%n: index, %rows: index, %out: memref<?x2xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %positive = arith.maxsi %rows, %c1 : index
    %most = scf.for %i = %c0 to %n step %c64 iter_args(%before = %positive) -> index {
      %q0 = arith.floordivsi %i, %positive : index
      memref.store %q0, %out[%i, %c0] : memref<?x2xindex>
      %next = arith.maxsi %q0, %c1 : index
      scf.yield %next : index
    }
    scf.for %i = %c0 to %n step %c64 {
      %q1 = arith.floordivsi %i, %most : index
      memref.store %q1, %out[%i, %c1] : memref<?x2xindex>
    }
    gpu.terminator
  }
  return
}

// -----

// These stay: a divisor that may be negative, one that the loop changes, a constant,
// a position that grows by more than the step, and a step that is not known.

// CHECK-LABEL: func @negative
// CHECK:         scf.for
// CHECK-COUNT-4:   arith.floordivsi
// CHECK:         scf.for
// CHECK:           arith.floordivsi
func.func @negative(%n: index, %divisor: index, %first: index, %pool: memref<?x?xf16>, %out: memref<?x5xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %dim = memref.dim %pool, %c1 : memref<?x?xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %rows = arith.maxui %dim, %c1 : index
    scf.for %i = %c0 to %n step %c64 {
      %position = arith.addi %i, %first : index
      %q0 = arith.floordivsi %position, %divisor : index
      memref.store %q0, %out[%i, %c0] : memref<?x5xindex>
      %changes = arith.addi %i, %rows : index
      %q1 = arith.floordivsi %position, %changes : index
      memref.store %q1, %out[%i, %c1] : memref<?x5xindex>
      %q2 = arith.floordivsi %position, %c3 : index
      memref.store %q2, %out[%i, %c2] : memref<?x5xindex>
      %double = arith.addi %position, %i : index
      %q3 = arith.floordivsi %double, %rows : index
      memref.store %q3, %out[%i, %c3] : memref<?x5xindex>
    }
    scf.for %i = %c0 to %n step %rows {
      %position = arith.addi %i, %first : index
      %q4 = arith.floordivsi %position, %rows : index
      memref.store %q4, %out[%i, %c4] : memref<?x5xindex>
    }
    gpu.terminator
  }
  return
}

// -----

// Tile n is in slot n mod 3, for round n / 3. The loop carries both for its tile, and
// those of the tile before are what the previous iteration had. The quotient by 4
// folds, and that by 5 is not only counted in bits.

// CHECK-LABEL: func @slots
// CHECK:         scf.for {{.*}} iter_args(%{{[^,]*}}, %[[SLOT:[^ ]*]] = %{{[^,]*}}, %[[ROUND:[^ ]*]] = %{{[^,]*}}, %[[OLD_SLOT:[^ ]*]] = %{{[^,]*}}, %[[OLD_ROUND:[^ ]*]] = %{{[^)]*}}) -> (index, i32, i32, i32, i32)
// CHECK:           %[[TILE:.*]] = arith.addi
// CHECK-DAG:       arith.index_castui %[[SLOT]] : i32 to index
// CHECK-DAG:       arith.index_castui %[[ROUND]] : i32 to index
// CHECK-DAG:       arith.index_castui %[[OLD_SLOT]] : i32 to index
// CHECK-DAG:       arith.index_castui %[[OLD_ROUND]] : i32 to index
// CHECK:           arith.remui %[[TILE]], %c4
// CHECK:           arith.divui %[[TILE]], %c5
// CHECK:           %[[SUM:.*]] = arith.addi %[[SLOT]], %c1_i32
// CHECK:           %[[FULL:.*]] = arith.cmpi eq, %[[SUM]], %c3_i32
// CHECK:           %[[NEXT_SLOT:.*]] = arith.select %[[FULL]], %c0_i32, %[[SUM]]
// CHECK:           %[[MORE:.*]] = arith.addi %[[ROUND]], %c1_i32
// CHECK:           %[[NEXT_ROUND:.*]] = arith.select %[[FULL]], %[[MORE]], %[[ROUND]]
// CHECK:           scf.yield %[[TILE]], %[[NEXT_SLOT]], %[[NEXT_ROUND]], %[[SLOT]], %[[ROUND]]
func.func @slots(%n: index, %first: index, %out: memref<?x6xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %last = scf.for %i = %c0 to %n step %c64 iter_args(%before = %first) -> (index) {
      %at = arith.divui %i, %c64 : index
      %tile = arith.addi %at, %first : index
      %slot = arith.remui %tile, %c3 : index
      %round = arith.divui %tile, %c3 : index
      %parity = arith.remui %round, %c2 : index
      %old_slot = arith.remui %before, %c3 : index
      %old_round = arith.divui %before, %c3 : index
      %old_parity = arith.remui %old_round, %c2 : index
      %quarter = arith.remui %tile, %c4 : index
      %fifth = arith.divui %tile, %c5 : index
      memref.store %slot, %out[%at, %c0] : memref<?x6xindex>
      memref.store %parity, %out[%at, %c1] : memref<?x6xindex>
      memref.store %old_slot, %out[%at, %c2] : memref<?x6xindex>
      memref.store %old_parity, %out[%at, %c3] : memref<?x6xindex>
      memref.store %quarter, %out[%at, %c4] : memref<?x6xindex>
      memref.store %fifth, %out[%at, %c5] : memref<?x6xindex>
      scf.yield %tile : index
    }
    gpu.terminator
  }
  return
}

// -----

// A number that grows by two, or that another iteration may choose, is divided.

// CHECK-LABEL: func @others
// CHECK:         scf.for
// CHECK-COUNT-2:   arith.remui
func.func @others(%n: index, %first: index, %out: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %last = scf.for %i = %c0 to %n step %c128 iter_args(%chosen = %first) -> (index) {
      %two = arith.divui %i, %c64 : index
      %a = arith.remui %two, %c3 : index
      %b = arith.remui %chosen, %c3 : index
      %sum = arith.addi %a, %b : index
      memref.store %sum, %out[%i] : memref<?xindex>
      %next = memref.load %out[%c0] : memref<?xindex>
      scf.yield %next : index
    }
    gpu.terminator
  }
  return
}

// -----

// 0, 1, 3, 4, 6: an iteration of 96 has one or two tiles of 64.

// CHECK-LABEL: func @uneven
// CHECK:         scf.for
// CHECK:           arith.remui
func.func @uneven(%n: index, %out: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    scf.for %i = %c0 to %n step %c96 {
      %tile = arith.divui %i, %c64 : index
      %slot = arith.remui %tile, %c3 : index
      memref.store %slot, %out[%i] : memref<?xindex>
    }
    gpu.terminator
  }
  return
}
