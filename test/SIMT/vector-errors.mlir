// Accesses of vectors: what is wrong with one element only is found, and an element
// that a mask hides is not looked at.
//
// RUN: split-file %s %t
// RUN: not linalg-ext-simt-runner %t/uninitialized.mlir 2>&1 | FileCheck %s --check-prefix=UNINIT
// RUN: not linalg-ext-simt-runner %t/bounds.mlir 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not linalg-ext-simt-runner %t/allocation.mlir 2>&1 | FileCheck %s --check-prefix=ALLOCATION
// RUN: not linalg-ext-simt-runner %t/read-race.mlir 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not linalg-ext-simt-runner %t/write-race.mlir 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: not linalg-ext-simt-runner %t/write-after-read.mlir 2>&1 | FileCheck %s --check-prefix=WAR
// RUN: not linalg-ext-simt-runner %t/masked-race.mlir 2>&1 | FileCheck %s --check-prefix=MASKED
// RUN: linalg-ext-simt-runner %t/hidden.mlir | FileCheck %s --check-prefix=HIDDEN

// The third of four elements.
// UNINIT: error: workgroup (0, 0, 0), thread (0, 0, 0): reads memory that was never written: byte 8 of an allocation of 16
//--- uninitialized.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<4xf32>
  memref.store %f, %m[%c0] : memref<4xf32>
  memref.store %f, %m[%c1] : memref<4xf32>
  memref.store %f, %m[%c3] : memref<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = vector.load %m[%c0] : memref<4xf32>, vector<4xf32>
    gpu.terminator
  }
  return
}

// BOUNDS: error: workgroup (0, 0, 0), thread (3, 0, 0): out of bounds: expected index 1 to be at least 0 and less than 6, got 6
//--- bounds.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant dense<0.0> : vector<4xf32>
  %m = memref.alloc() : memref<2x6xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    vector.store %v, %m[%c1, %tx] : memref<2x6xf32>, vector<4xf32>
    gpu.terminator
  }
  return
}

// The memref says that it has six elements, of which two are not there.
// ALLOCATION: error: out of bounds: writes bytes 16 to 20 of an allocation of 16
//--- allocation.mlir
func.func @main() {
  %c2 = arith.constant 2 : index
  %v = arith.constant dense<0.0> : vector<4xf32>
  %m = memref.alloc() : memref<4xf32>
  %n = memref.reinterpret_cast %m to offset: [0], sizes: [6], strides: [1] : memref<4xf32> to memref<6xf32>
  vector.store %v, %n[%c2] : memref<6xf32>, vector<4xf32>
  return
}

// Each thread reads its own element and that of the next thread.
// READ: error: workgroup (0, 0, 0), thread (0, 0, 0): data race: reads what was written by thread 1, with no barrier in between
//--- read-race.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %f = arith.constant 1.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c31, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<32xf32, #gpu.address_space<workgroup>>) {
    memref.store %f, %s[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
    %v = vector.load %s[%tx] : memref<32xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    gpu.terminator
  }
  return
}

// The second element is the first one of the next thread.
// WRITE: error: workgroup (0, 0, 0), thread (1, 0, 0): data race: writes what was written by thread 0, with no barrier in between
//--- write-race.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %v = arith.constant dense<1.0> : vector<2xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c31, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<32xf32, #gpu.address_space<workgroup>>) {
    vector.store %v, %s[%tx] : memref<32xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    gpu.terminator
  }
  return
}

// Thread 0 reads the second of the two elements that thread 1 then writes.
// WAR: error: workgroup (0, 0, 0), thread (1, 0, 0): data race: writes what was read by thread 0, with no barrier in between
//--- write-after-read.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant dense<1.0> : vector<2xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<4xf32, #gpu.address_space<workgroup>>) {
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      vector.store %v, %s[%c0] : memref<4xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    }
    gpu.barrier
    scf.if %first {
      %x = memref.load %s[%c1] : memref<4xf32, #gpu.address_space<workgroup>>
    } else {
      vector.store %v, %s[%c0] : memref<4xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    }
    gpu.terminator
  }
  return
}

// Element 3 of thread 0 is element 0 of thread 1.
// MASKED: error: workgroup (0, 0, 0), thread (1, 0, 0): data race: writes what was written by thread 0, with no barrier in between
//--- masked-race.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = arith.constant dense<1.0> : vector<4xf32>
  %mask = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<8xf32, #gpu.address_space<workgroup>>) {
    %at = arith.muli %tx, %c3 : index
    vector.maskedstore %s[%at], %mask, %v : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xi1>, vector<4xf32>
    gpu.terminator
  }
  return
}

// HIDDEN: ( 1, 7, 3, 7 )
//--- hidden.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %rest = arith.constant dense<7.0> : vector<4xf32>
  %mask = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %m = memref.alloc() : memref<4xf32>
  memref.store %one, %m[%c0] : memref<4xf32>
  memref.store %three, %m[%c2] : memref<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = vector.maskedload %m[%c0], %mask, %rest : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.print %v : vector<4xf32>
    gpu.terminator
  }
  return
}
