// What is wrong with a kernel is found, and said where.
//
// RUN: split-file %s %t
// RUN: not linalg-ext-simt-runner %t/missing-barrier.mlir 2>&1 | FileCheck %s --check-prefix=BARRIER
// RUN: not linalg-ext-simt-runner %t/write-race.mlir 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: not linalg-ext-simt-runner %t/write-after-read.mlir 2>&1 | FileCheck %s --check-prefix=WAR
// RUN: not linalg-ext-simt-runner %t/subgroup-barrier.mlir 2>&1 | FileCheck %s --check-prefix=SUBGROUP
// RUN: not linalg-ext-simt-runner %t/global-race.mlir 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: not linalg-ext-simt-runner %t/global-read.mlir 2>&1 | FileCheck %s --check-prefix=GREAD
// RUN: not linalg-ext-simt-runner %t/divergent-barrier.mlir 2>&1 | FileCheck %s --check-prefix=DIVERGENT
// RUN: not linalg-ext-simt-runner %t/divergent-loop.mlir 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: not linalg-ext-simt-runner %t/divergent-shuffle.mlir 2>&1 | FileCheck %s --check-prefix=SHUFFLE
// RUN: not linalg-ext-simt-runner %t/bounds.mlir 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not linalg-ext-simt-runner %t/allocation.mlir 2>&1 | FileCheck %s --check-prefix=ALLOCATION
// RUN: not linalg-ext-simt-runner %t/subview.mlir 2>&1 | FileCheck %s --check-prefix=SUBVIEW
// RUN: not linalg-ext-simt-runner %t/uninitialized.mlir 2>&1 | FileCheck %s --check-prefix=UNINIT
// RUN: not linalg-ext-simt-runner %t/misaligned.mlir 2>&1 | FileCheck %s --check-prefix=ALIGN
// RUN: not linalg-ext-simt-runner %t/unsupported.mlir 2>&1 | FileCheck %s --check-prefix=OP
// RUN: not linalg-ext-simt-runner %t/copy-not-waited.mlir 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: not linalg-ext-simt-runner %t/copy-no-barrier.mlir 2>&1 | FileCheck %s --check-prefix=COPYBARRIER
// RUN: not linalg-ext-simt-runner %t/copy-over-read.mlir 2>&1 | FileCheck %s --check-prefix=COPYREAD
// RUN: not linalg-ext-simt-runner %t/too-much.mlir 2>&1 | FileCheck %s --check-prefix=MUCH
// RUN: not linalg-ext-simt-runner %t/ldmatrix-race.mlir 2>&1 | FileCheck %s --check-prefix=LDMATRIX
// RUN: not linalg-ext-simt-runner %t/unknown.mlir --entry=other 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not linalg-ext-simt-runner %t/unknown.mlir 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not linalg-ext-simt-runner %t/several-readers.mlir 2>&1 | FileCheck %s --check-prefix=READERS
// RUN: not linalg-ext-simt-runner %t/several-groups.mlir 2>&1 | FileCheck %s --check-prefix=GROUPS
// RUN: not linalg-ext-simt-runner %t/copy-late-wait.mlir 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not linalg-ext-simt-runner %t/copy-misaligned.mlir 2>&1 | FileCheck %s --check-prefix=COPYALIGN
// RUN: not linalg-ext-simt-runner %t/recursion.mlir 2>&1 | FileCheck %s --check-prefix=RECURSION
// RUN: not linalg-ext-simt-runner %t/constant.mlir 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not linalg-ext-simt-runner %t/after-free.mlir 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: not linalg-ext-simt-runner %t/early-load.mlir 2>&1 | FileCheck %s --check-prefix=EARLYLOAD
// RUN: not linalg-ext-simt-runner %t/early-store.mlir 2>&1 | FileCheck %s --check-prefix=EARLYSTORE
// RUN: not linalg-ext-simt-runner %t/early-end.mlir 2>&1 | FileCheck %s --check-prefix=EARLYEND
// RUN: not linalg-ext-simt-runner %t/ptx.mlir 2>&1 | FileCheck %s --check-prefix=PTX
// RUN: not linalg-ext-simt-runner %t/assume.mlir 2>&1 | FileCheck %s --check-prefix=ASSUME
// RUN: linalg-ext-simt-runner %t/verified.mlir --verify-diagnostics
// RUN: linalg-ext-simt-runner %t/allowed.mlir --allow-races --allow-uninitialized | FileCheck %s --check-prefix=ALLOWED

// ASSUME: assume.mlir:[[#]]:{{.*}} the assumption is false: the index is 12
//--- assume.mlir
func.func @main() {
  %c12 = arith.constant 12 : index
  %0 = vector_ext.assume %c12 at_least 4 at_most 16 multiple_of 4
  %1 = vector_ext.assume %0 multiple_of 8
  return
}

// A kernel that waits for earlier launches itself may begin while they run: what it
// accesses in front of its wait may not be written yet, or may still be read.
// EARLYLOAD: early-load.mlir:[[#]]:{{.*}} error: workgroup (0, 0, 0), thread (0, 0, 0): data race: accesses global memory in front of the wait for earlier launches
//--- early-load.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %f = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    nvvm.griddepcontrol wait
    memref.store %f, %a[%tx] : memref<32xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %0 = memref.load %a[%tx] : memref<32xf32>
    nvvm.griddepcontrol wait
    memref.store %0, %a[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}

// EARLYSTORE: early-store.mlir:[[#]]:{{.*}} error: workgroup (0, 0, 0), thread (1, 0, 0): data race: accesses global memory in front of the wait for earlier launches
//--- early-store.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %f = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      nvvm.griddepcontrol wait
    }
    memref.store %f, %a[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}

// EARLYEND: early-end.mlir:[[#]]:{{.*}} error: workgroup (0, 0, 0), thread (1, 0, 0): has ended, and not waited for earlier launches, as others have
//--- early-end.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %f = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      nvvm.griddepcontrol wait
      nvvm.griddepcontrol launch_dependents
      memref.store %f, %a[%tx] : memref<32xf32>
    }
    gpu.terminator
  }
  return
}

// PTX: ptx.mlir:[[#]]:{{.*}} error: workgroup (0, 0, 0), unknown PTX: 'trap;'
//--- ptx.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    nvvm.griddepcontrol wait
    nvvm.inline_ptx "griddepcontrol.launch_dependents;", predicate = %true
    nvvm.inline_ptx "trap;", predicate = %true
    gpu.terminator
  }
  return
}

// The reader is another thread of the same subgroup: lockstep hides nothing.
// BARRIER: missing-barrier.mlir:[[#]]:{{.*}} error: workgroup (0, 0, 0), thread (0, 0, 0): data race: reads what was written by thread 1, with no barrier in between
//--- missing-barrier.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<64xindex, #gpu.address_space<workgroup>>) {
    memref.store %tx, %s[%tx] : memref<64xindex, #gpu.address_space<workgroup>>
    %other = arith.xori %tx, %c1 : index
    %v = memref.load %s[%other] : memref<64xindex, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// WRITE: error: workgroup (0, 0, 0), thread (2, 0, 0): data race: writes what was written by thread 0, with no barrier in between
//--- write-race.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<2xindex, 3>) {
    %i = arith.remui %tx, %c2 : index
    memref.store %c1, %s[%i] : memref<2xindex, 3>
    gpu.terminator
  }
  return
}

// WAR: error: workgroup (0, 0, 0), thread (0, 0, 0): data race: writes what was read by thread 63, with no barrier in between
//--- write-after-read.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<64xindex, 3>) {
    memref.store %tx, %s[%tx] : memref<64xindex, 3>
    gpu.barrier
    %other = arith.subi %c63, %tx : index
    %v = memref.load %s[%other] : memref<64xindex, 3>
    memref.store %v, %s[%tx] : memref<64xindex, 3>
    gpu.terminator
  }
  return
}

// A barrier of the subgroup orders its threads only.
// SUBGROUP: error: workgroup (0, 0, 0), thread (0, 0, 0): data race: reads what was written by thread 63
//--- subgroup-barrier.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %all = arith.constant -1 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<64xindex, 3>) {
    memref.store %tx, %s[%tx] : memref<64xindex, 3>
    nvvm.bar.warp.sync %all : i32
    %same = arith.xori %tx, %c31 : index
    %v = memref.load %s[%same] : memref<64xindex, 3>
    %other = arith.xori %tx, %c63 : index
    %w = memref.load %s[%other] : memref<64xindex, 3>
    gpu.terminator
  }
  return
}

// GLOBAL: error: workgroup (1, 0, 0), thread (0, 0, 0): data race: writes what was written by thread 0 of workgroup number 0
//--- global-race.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<1xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %bx, %m[%tx] : memref<1xindex>
    gpu.terminator
  }
  return
}

// GREAD: error: workgroup (1, 0, 0), thread (0, 0, 0): data race: reads what was written by thread 0 of workgroup number 0
//--- global-read.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<2xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %bx, %m[%bx] : memref<2xindex>
    %v = memref.load %m[%c0] : memref<2xindex>
    gpu.terminator
  }
  return
}

// DIVERGENT: error: workgroup (0, 0, 0), divergent: reached by 40 of the 64 threads of the workgroup, not by thread 40
//--- divergent-barrier.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %some = arith.cmpi ult, %tx, %c40 : index
    scf.if %some {
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

// LOOP: error: workgroup (0, 0, 0), divergent: reached by 63 of the 64 threads of the workgroup, not by thread 0
//--- divergent-loop.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    scf.for %i = %c0 to %tx step %c1 {
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

// SHUFFLE: error: workgroup (0, 0, 0), thread (0, 0, 0): divergent: reached by 16 of the first 32 threads of subgroup 0
//--- divergent-shuffle.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %width = arith.constant 32 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %some = arith.cmpi ult, %tx, %c16 : index
    scf.if %some {
      %v, %valid = gpu.shuffle xor %one, %one, %width : i32
    }
    gpu.terminator
  }
  return
}

// BOUNDS: error: workgroup (0, 0, 0), thread (3, 0, 0): out of bounds: expected index 1 to be at least 0 and less than 3, got 3
//--- bounds.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4x3xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    memref.store %tx, %m[%c0, %tx] : memref<4x3xindex>
    gpu.terminator
  }
  return
}

// ALLOCATION: error: out of bounds: writes bytes 32 to 40 of an allocation of 32
//--- allocation.mlir
func.func @main() {
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4xindex>
  %n = memref.reinterpret_cast %m to offset: [0], sizes: [5], strides: [1] : memref<4xindex> to memref<5xindex>
  memref.store %c4, %n[%c4] : memref<5xindex>
  return
}

// SUBVIEW: error: out of bounds: a view of elements 2 to 4 of dimension 0 of size 4
//--- subview.mlir
func.func @main() {
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<4xindex>
  %n = memref.subview %m[%c2] [3] [1] : memref<4xindex> to memref<3xindex, strided<[1], offset: ?>>
  return
}

// UNINIT: error: workgroup (0, 0, 0), thread (0, 0, 0): reads memory that was never written: byte 512 of an allocation of 520
//--- uninitialized.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<65xindex, 3>) {
    memref.store %tx, %s[%tx] : memref<65xindex, 3>
    gpu.barrier
    %v = memref.load %s[%c64] : memref<65xindex, 3>
    gpu.terminator
  }
  return
}

// ALIGN: error: misaligned: expected the address to be a multiple of 16 bytes, got a remainder of 8
//--- misaligned.mlir
func.func @main() {
  %c4 = arith.constant 4 : index
  %v = arith.constant dense<0.0> : vector<8xf16>
  %m = memref.alloc() : memref<16xf16>
  vector.store %v, %m[%c4] {alignment = 16} : memref<16xf16>, vector<8xf16>
  return
}

// OP: error: 'linalg.fill' is not supported by the SIMT interpreter
//--- unsupported.mlir
func.func @main() {
  %zero = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%m : memref<4xf32>)
  return
}

// COPY: error: workgroup (0, 0, 0), thread (0, 0, 0): reads what an asynchronous copy that is not complete writes, started by thread 0
//--- copy-not-waited.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant dense<0.0> : vector<4xf32>
  %m = memref.alloc() : memref<4xf32>
  vector.store %v, %m[%c0] : memref<4xf32>, vector<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<4xf32, 3>) {
    %copy = nvgpu.device_async_copy %m[%c0], %s[%c0], 4 : memref<4xf32> to memref<4xf32, 3>
    %group = nvgpu.device_async_create_group %copy
    nvgpu.device_async_wait %group {numGroups = 1 : i32}
    gpu.barrier
    %x = memref.load %s[%c0] : memref<4xf32, 3>
    gpu.terminator
  }
  return
}

// The wait is that of the thread that copies.
// COPYBARRIER: error: workgroup (0, 0, 0), thread (1, 0, 0): data race: reads what was written by thread 0, with no barrier in between
//--- copy-no-barrier.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant dense<0.0> : vector<8xf32>
  %m = memref.alloc() : memref<8xf32>
  vector.store %v, %m[%c0] : memref<8xf32>, vector<8xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<8xf32, 3>) {
    %i = arith.muli %tx, %c4 : index
    %copy = nvgpu.device_async_copy %m[%i], %s[%i], 4 : memref<8xf32> to memref<8xf32, 3>
    %group = nvgpu.device_async_create_group %copy
    nvgpu.device_async_wait %group
    %x = memref.load %s[%c0] : memref<8xf32, 3>
    gpu.terminator
  }
  return
}

// COPYREAD: error: workgroup (0, 0, 0), thread (0, 0, 0): data race: writes what was read by thread 1, with no barrier in between
//--- copy-over-read.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant dense<0.0> : vector<8xf32>
  %m = memref.alloc() : memref<8xf32>
  vector.store %v, %m[%c0] : memref<8xf32>, vector<8xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<8xf32, 3>) {
    %i = arith.muli %tx, %c4 : index
    %j = arith.subi %c4, %i : index
    %copy = nvgpu.device_async_copy %m[%i], %s[%i], 4 : memref<8xf32> to memref<8xf32, 3>
    %group = nvgpu.device_async_create_group %copy
    nvgpu.device_async_wait %group
    gpu.barrier
    %x = memref.load %s[%j] : memref<8xf32, 3>
    %again = nvgpu.device_async_copy %m[%i], %s[%i], 4 : memref<8xf32> to memref<8xf32, 3>
    gpu.terminator
  }
  return
}

// MUCH: error: workgroup (0, 0, 0), expected at most 232448 bytes of workgroup memory, got 240000
//--- too-much.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<30000xindex, 3>) {
    gpu.terminator
  }
  return
}

// The lane that gives the address wrote the row, but others get it.
// LDMATRIX: error: workgroup (0, 0, 0), thread (1, 0, 0): data race: reads what was written by thread 0, with no barrier in between
//--- ldmatrix-race.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %v = arith.constant dense<0.0> : vector<8xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<32x8xf16, 3>) {
    vector.store %v, %s[%tx, %c0] : memref<32x8xf16, 3>, vector<8xf16>
    %f = nvgpu.ldmatrix %s[%tx, %c0] {numTiles = 4 : i32, transpose = false} : memref<32x8xf16, 3> -> vector<4x2xf16>
    gpu.terminator
  }
  return
}

// ENTRY: error: no body of function 'other'
// CALL: error: call of 'unknown', which has no body
//--- unknown.mlir
func.func private @unknown()
func.func @main() {
  call @unknown() : () -> ()
  return
}

// RECURSION: error: recursion is not supported
//--- recursion.mlir
func.func @main() {
  call @main() : () -> ()
  return
}

// CONSTANT: error: writes a constant global
//--- constant.mlir
memref.global "private" constant @c : memref<1xi32> = dense<7>
func.func @main() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1 : i32
  %m = memref.get_global @c : memref<1xi32>
  memref.store %x, %m[%c0] : memref<1xi32>
  return
}

// FREE: error: reads a buffer that was deallocated
//--- after-free.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1xi32>
  memref.dealloc %m : memref<1xi32>
  %x = memref.load %m[%c0] : memref<1xi32>
  return
}

//--- verified.mlir
func.func @main() {
  %false = arith.constant false
  // expected-error @below {{assertion failed: told}}
  cf.assert %false, "told"
  return
}

// ALLOWED: nan
//--- allowed.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %m = memref.alloc() : memref<1xf32>
  %x = memref.load %m[%c0] : memref<1xf32>
  vector.print %x : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<1xindex, 3>) {
    memref.store %tx, %s[%c0] : memref<1xindex, 3>
    gpu.terminator
  }
  return
}

// The last of the readers writes.
// READERS: error: workgroup (0, 0, 0), thread (31, 0, 0): data race: writes what was read by several threads, with no barrier in between
//--- several-readers.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<1xindex, 3>) {
    %last = arith.cmpi eq, %tx, %c31 : index
    scf.if %last {
      memref.store %tx, %s[%c0] : memref<1xindex, 3>
    }
    gpu.barrier
    %v = memref.load %s[%c0] : memref<1xindex, 3>
    scf.if %last {
      memref.store %c1, %s[%c0] : memref<1xindex, 3>
    }
    gpu.terminator
  }
  return
}

// GROUPS: error: workgroup (1, 0, 0), thread (0, 0, 0): data race: writes what another workgroup read
//--- several-groups.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<1xindex>
  memref.store %c2, %m[%c0] : memref<1xindex>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %m[%c0] : memref<1xindex>
    %second = arith.cmpi eq, %bx, %c1 : index
    scf.if %second {
      memref.store %c1, %m[%c0] : memref<1xindex>
    }
    gpu.terminator
  }
  return
}

// A barrier between the start of a copy and its wait does not count.
// LATE: error: workgroup (0, 0, 0), thread (1, 0, 0): data race: reads what was written by thread 0, with no barrier in between
//--- copy-late-wait.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant dense<0.0> : vector<8xf32>
  %m = memref.alloc() : memref<8xf32>
  vector.store %v, %m[%c0] : memref<8xf32>, vector<8xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<8xf32, 3>) {
    %i = arith.muli %tx, %c4 : index
    %copy = nvgpu.device_async_copy %m[%i], %s[%i], 4 : memref<8xf32> to memref<8xf32, 3>
    %group = nvgpu.device_async_create_group %copy
    gpu.barrier
    nvgpu.device_async_wait %group
    %x = memref.load %s[%c0] : memref<8xf32, 3>
    gpu.terminator
  }
  return
}

// COPYALIGN: error: workgroup (0, 0, 0), thread (0, 0, 0): misaligned: expected the address to be a multiple of 16 bytes, got a remainder of 4
//--- copy-misaligned.mlir
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<8xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<8xf32, 3>) {
    %copy = nvgpu.device_async_copy %m[%c1], %s[%c0], 4 : memref<8xf32> to memref<8xf32, 3>
    gpu.terminator
  }
  return
}
