// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads='steps=step-divisions' > %t
// RUN: FileCheck %s --check-prefix=STEP < %t
// RUN: linalg-ext-simt-runner %t | FileCheck %s
// RUN: linalg-ext-simt-runner %s | FileCheck %s

// The thread divides positions from -70 to 400 on, in steps of 64, for this iteration,
// the next and the one behind that, by 1 to 199. The host divides them, too, and
// counts what differs; then it prints the sum of all quotients, which was computed by
// Python: sum((f + 64 * i + 64 * a) // d for f in range(-70, 401, 47) for d in
// range(1, 200, 9) for i in range(6) for a in range(3)).

// STEP: iter_args(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}})

// The slots and rounds of 11 tiles from the first one on are compared in the same way,
// and those of the tiles before them.

// STEP-LABEL: func.func @places
// STEP: scf.for {{.*}} -> (index, i32, i32, i32, i32, i32, i32)

// CHECK:      0
// CHECK-NEXT: 105052
// CHECK-NEXT: 0
func.func @divide(%first: index, %pages: memref<6x3xindex>, %rows: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c384 = arith.constant 384 : index
  %dim = memref.dim %rows, %c0 : memref<?xi8>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %d = arith.maxui %dim, %c1 : index
    scf.for %i = %c0 to %c384 step %c64 {
      %n = arith.divui %i, %c64 : index
      %p0 = arith.addi %i, %first : index
      %p1 = arith.addi %p0, %c64 : index
      %p2 = arith.addi %p0, %c128 : index
      %q0 = arith.floordivsi %p0, %d : index
      %q1 = arith.floordivsi %p1, %d : index
      %q2 = arith.floordivsi %p2, %d : index
      memref.store %q0, %pages[%n, %c0] : memref<6x3xindex>
      memref.store %q1, %pages[%n, %c1] : memref<6x3xindex>
      memref.store %q2, %pages[%n, %c2] : memref<6x3xindex>
    }
    gpu.terminator
  }
  return
}

func.func @places(%first: index, %places: memref<11x5xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c64 = arith.constant 64 : index
  %c704 = arith.constant 704 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %last = scf.for %i = %c0 to %c704 step %c64 iter_args(%before = %c7) -> (index) {
      %at = arith.divui %i, %c64 : index
      %tile = arith.addi %at, %first : index
      %slot = arith.remui %tile, %c3 : index
      %round = arith.divui %tile, %c3 : index
      %parity = arith.remui %round, %c2 : index
      %old_slot = arith.remui %before, %c3 : index
      %old_round = arith.divui %before, %c3 : index
      %old_parity = arith.remui %old_round, %c2 : index
      %seventh = arith.remui %tile, %c7 : index
      memref.store %slot, %places[%at, %c0] : memref<11x5xindex>
      memref.store %parity, %places[%at, %c1] : memref<11x5xindex>
      memref.store %old_slot, %places[%at, %c2] : memref<11x5xindex>
      memref.store %old_parity, %places[%at, %c3] : memref<11x5xindex>
      memref.store %seventh, %places[%at, %c4] : memref<11x5xindex>
      scf.yield %tile : index
    }
    gpu.terminator
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c9 = arith.constant 9 : index
  %c11 = arith.constant 11 : index
  %c47 = arith.constant 47 : index
  %c64 = arith.constant 64 : index
  %c70 = arith.constant 70 : index
  %c200 = arith.constant 200 : index
  %pages = memref.alloc() : memref<6x3xindex>
  %wrong, %sum = scf.for %f = %c0 to %c11 step %c1 iter_args(%w0 = %c0, %s0 = %c0) -> (index, index) {
    %0 = arith.muli %f, %c47 : index
    %first = arith.subi %0, %c70 : index
    %w1, %s1 = scf.for %d = %c1 to %c200 step %c9 iter_args(%w2 = %w0, %s2 = %s0) -> (index, index) {
      %rows = memref.alloc(%d) : memref<?xi8>
      func.call @divide(%first, %pages, %rows) : (index, memref<6x3xindex>, memref<?xi8>) -> ()
      memref.dealloc %rows : memref<?xi8>
      %w3, %s3 = scf.for %i = %c0 to %c6 step %c1 iter_args(%w4 = %w2, %s4 = %s2) -> (index, index) {
        %w5, %s5 = scf.for %a = %c0 to %c3 step %c1 iter_args(%w6 = %w4, %s6 = %s4) -> (index, index) {
          %1 = arith.addi %i, %a : index
          %2 = arith.muli %1, %c64 : index
          %position = arith.addi %2, %first : index
          %page = arith.floordivsi %position, %d : index
          %got = memref.load %pages[%i, %a] : memref<6x3xindex>
          %differs = arith.cmpi ne, %got, %page : index
          %one = arith.select %differs, %c1, %c0 : index
          %w = arith.addi %w6, %one : index
          %s = arith.addi %s6, %got : index
          scf.yield %w, %s : index, index
        }
        scf.yield %w5, %s5 : index, index
      }
      scf.yield %w3, %s3 : index, index
    }
    scf.yield %w1, %s1 : index, index
  }
  vector.print %wrong : index
  vector.print %sum : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %places = memref.alloc() : memref<11x5xindex>
  %misplaced = scf.for %f = %c0 to %c9 step %c1 iter_args(%w0 = %c0) -> (index) {
    func.call @places(%f, %places) : (index, memref<11x5xindex>) -> ()
    %w1 = scf.for %i = %c0 to %c11 step %c1 iter_args(%w2 = %w0) -> (index) {
      %tile = arith.addi %f, %i : index
      %isFirst = arith.cmpi eq, %i, %c0 : index
      %0 = arith.subi %tile, %c1 : index
      %before = arith.select %isFirst, %c7, %0 : index
      %slot = arith.remui %tile, %c3 : index
      %round = arith.divui %tile, %c3 : index
      %parity = arith.remui %round, %c2 : index
      %old_slot = arith.remui %before, %c3 : index
      %old_round = arith.divui %before, %c3 : index
      %old_parity = arith.remui %old_round, %c2 : index
      %seventh = arith.remui %tile, %c7 : index
      %got0 = memref.load %places[%i, %c0] : memref<11x5xindex>
      %got1 = memref.load %places[%i, %c1] : memref<11x5xindex>
      %got2 = memref.load %places[%i, %c2] : memref<11x5xindex>
      %got3 = memref.load %places[%i, %c3] : memref<11x5xindex>
      %got4 = memref.load %places[%i, %c4] : memref<11x5xindex>
      %d0 = arith.cmpi ne, %got0, %slot : index
      %d1 = arith.cmpi ne, %got1, %parity : index
      %d2 = arith.cmpi ne, %got2, %old_slot : index
      %d3 = arith.cmpi ne, %got3, %old_parity : index
      %d4 = arith.cmpi ne, %got4, %seventh : index
      %d01 = arith.ori %d0, %d1 : i1
      %d23 = arith.ori %d2, %d3 : i1
      %d0123 = arith.ori %d01, %d23 : i1
      %differs = arith.ori %d0123, %d4 : i1
      %one = arith.select %differs, %c1, %c0 : index
      %w = arith.addi %w2, %one : index
      scf.yield %w : index
    }
    scf.yield %w1 : index
  }
  vector.print %misplaced : index
  return
}
