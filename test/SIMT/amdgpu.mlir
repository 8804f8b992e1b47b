// Buffers, uniform values and LDS of AMD GPUs.
//
// RUN: split-file %s %t
// RUN: linalg-ext-simt-runner %t/buffers.mlir --kernel-stats | FileCheck %s --check-prefix=BUFFERS
// RUN: linalg-ext-simt-runner %t/transpose.mlir --subgroup-size=64 | FileCheck %s --check-prefix=TRANSPOSE
// RUN: linalg-ext-simt-runner %t/gather.mlir --subgroup-size=64 | FileCheck %s --check-prefix=GATHER
// RUN: not linalg-ext-simt-runner %t/partly.mlir 2>&1 | FileCheck %s --check-prefix=PARTLY
// RUN: not linalg-ext-simt-runner %t/large.mlir 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not linalg-ext-simt-runner %t/beyond.mlir 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not linalg-ext-simt-runner %t/first-lane.mlir 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: not linalg-ext-simt-runner %t/gather-race.mlir --subgroup-size=64 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not linalg-ext-simt-runner %t/gather-early.mlir --subgroup-size=64 2>&1 | FileCheck %s --check-prefix=EARLY

// Of 8 numbers from 2 on, 5 are valid: 2 to 6. Reads of two numbers at 0 and 4 of the
// buffer, and of one at 4, 5, 1000 and -1.
// BUFFERS:      ( 2, 3, 0, 6, 0, 0, 0 )
// BUFFERS-NEXT: kernel main: {{.*}}buffer loads 6 (4 of zeros)
//--- buffers.mlir
!fat = memref<?xf32, #amdgpu.address_space<fat_raw_buffer>>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c10 = arith.constant 10 : index
  %far = arith.constant 1000 : index
  %before = arith.constant -1 : index
  %x = memref.alloc() : memref<10xf32>
  %y = memref.alloc() : memref<7xf32>
  scf.for %i = %c0 to %c10 step %c1 {
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    memref.store %f, %x[%i] : memref<10xf32>
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.reinterpret_cast %x to offset: [%c2], sizes: [%c5], strides: [1]
      : memref<10xf32> to memref<?xf32, strided<[1], offset: ?>>
    %bytes = arith.constant 20 : i64
    %b = amdgpu.fat_raw_buffer_cast %v validBytes(%bytes) resetOffset
      : memref<?xf32, strided<[1], offset: ?>> to !fat
    %0 = vector.load %b[%c0] : !fat, vector<2xf32>
    vector.store %0, %y[%c0] : memref<7xf32>, vector<2xf32>
    %1 = vector.load %b[%c6] : !fat, vector<2xf32>
    %2 = vector.extract %1[0] : f32 from vector<2xf32>
    memref.store %2, %y[%c2] : memref<7xf32>
    %3 = memref.load %b[%c4] : !fat
    memref.store %3, %y[%c3] : memref<7xf32>
    %4 = memref.load %b[%c5] : !fat
    memref.store %4, %y[%c4] : memref<7xf32>
    %5 = memref.load %b[%far] : !fat
    memref.store %5, %y[%c5] : memref<7xf32>
    %6 = memref.load %b[%before] : !fat
    memref.store %6, %y[%c6] : memref<7xf32>
    gpu.terminator
  }
  %r = vector.load %y[%c0] : memref<7xf32>, vector<7xf32>
  vector.print %r : vector<7xf32>
  return
}

// Four rows of 16 columns, of which each lane reads four elements: lane l of 16 gets
// column l.
// TRANSPOSE: ( 5, 21, 37, 53 )
//--- transpose.mlir
!lds = memref<64xi16, #gpu.address_space<workgroup>>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %y = memref.alloc() : memref<64x4xi16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%s : !lds) {
    %n = arith.index_cast %tx : index to i16
    memref.store %n, %s[%tx] : !lds
    gpu.barrier
    %lane = arith.remui %tx, %c16 : index
    %at = arith.muli %lane, %c4 : index
    %v = amdgpu.transpose_load %s[%at] : !lds -> vector<4xi16>
    vector.store %v, %y[%tx, %c0] : memref<64x4xi16>, vector<4xi16>
    gpu.terminator
  }
  %r = vector.load %y[%c5, %c0] : memref<64x4xi16>, vector<4xi16>
  vector.print %r : vector<4xi16>
  return
}

// Lanes write adjacent elements. Only the address of the first lane matters.
// GATHER: ( 63, 62, 61, 60 )
//--- gather.mlir
!lds = memref<64xf32, #gpu.address_space<workgroup>>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() : memref<64xf32>
  %y = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    memref.store %f, %x[%i] : memref<64xf32>
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%s : !lds) {
    %from = arith.subi %c63, %tx : index
    amdgpu.gather_to_lds %x[%from], %s[%tx] : f32, memref<64xf32>, !lds
    amdgpu.memory_counter_wait load(0)
    gpu.barrier
    %v = memref.load %s[%tx] : !lds
    memref.store %v, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  %r = vector.load %y[%c0] : memref<64xf32>, vector<4xf32>
  vector.print %r : vector<4xf32>
  return
}

// PARTLY: partly.mlir:[[#]]:{{.*}} expected a buffer to have all or none of the bytes 4 to 12, got 8 valid bytes
//--- partly.mlir
!fat = memref<4xf32, #amdgpu.address_space<fat_raw_buffer>>
func.func @main() {
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %bytes = arith.constant 8 : i64
    %b = amdgpu.fat_raw_buffer_cast %x validBytes(%bytes) : memref<4xf32> to !fat
    %0 = vector.load %b[%c1] : !fat, vector<2xf32>
    gpu.terminator
  }
  return
}

// LARGE: large.mlir:[[#]]:{{.*}} expected 0 to 4294967295 bytes of a buffer, got 4294967296
//--- large.mlir
!fat = memref<4xf32, #amdgpu.address_space<fat_raw_buffer>>
func.func @main() {
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %bytes = arith.constant 4294967296 : i64
    %b = amdgpu.fat_raw_buffer_cast %x validBytes(%bytes) : memref<4xf32> to !fat
    gpu.terminator
  }
  return
}

// A buffer may state more bytes than its memory has.
// BEYOND: beyond.mlir:[[#]]:{{.*}} out of bounds: reads bytes 16 to 20 of an allocation of 16
//--- beyond.mlir
!fat = memref<4xf32, #amdgpu.address_space<fat_raw_buffer>>
func.func @main() {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = memref.alloc() : memref<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %bytes = arith.constant 32 : i64
    %b = amdgpu.fat_raw_buffer_cast %x validBytes(%bytes) : memref<4xf32> to !fat
    %0 = memref.load %b[%c4] : !fat
    gpu.terminator
  }
  return
}

// FIRST: first-lane.mlir:[[#]]:{{.*}} expected the same value in all lanes, got 0 in thread 0 and 1
//--- first-lane.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %n = arith.index_cast %tx : index to i32
    %0 = rocdl.readfirstlane %n : i32
    gpu.terminator
  }
  return
}

// RACE: gather-race.mlir:[[#]]:{{.*}} data race: reads what was written by thread
//--- gather-race.mlir
!lds = memref<64xf32, #gpu.address_space<workgroup>>
func.func @main() {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %cst = arith.constant 1.0 : f32
  %x = memref.alloc() : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%s : !lds) {
    memref.store %cst, %x[%tx] : memref<64xf32>
    amdgpu.gather_to_lds %x[%tx], %s[%tx] : f32, memref<64xf32>, !lds
    amdgpu.memory_counter_wait load(0)
    %other = arith.subi %c63, %tx : index
    %v = memref.load %s[%other] : !lds
    gpu.terminator
  }
  return
}

// No op waits for this copy.
// EARLY: gather-early.mlir:[[#]]:{{.*}} reads what an asynchronous copy that is not complete writes
//--- gather-early.mlir
!lds = memref<64xf32, #gpu.address_space<workgroup>>
func.func @main() {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %cst = arith.constant 1.0 : f32
  %x = memref.alloc() : memref<64xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%s : !lds) {
    memref.store %cst, %x[%tx] : memref<64xf32>
    amdgpu.gather_to_lds %x[%tx], %s[%tx] : f32, memref<64xf32>, !lds
    %other = arith.subi %c63, %tx : index
    %v = memref.load %s[%other] : !lds
    gpu.terminator
  }
  return
}
