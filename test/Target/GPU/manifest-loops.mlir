// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=flatten-branches,outline,abi --linalg-ext-gpu-place-memory=steps=share-temporaries --linalg-ext-gpu-manifest --split-input-file \
// RUN:   | %python %S/Inputs/print-manifest.py | FileCheck %s

// A loop around launches counts, and carries integers. A nested one, and what is behind it,
// name its counters. A buffer that an iteration allocates has its size, and one of a
// size that is known in front is in the block.

// CHECK:      name: nested
// CHECK:      temporary {{[01]}}: {shape: [{add: [{counter: 0}, 1]}], type: f32}
// CHECK-NEXT: loop 0: while {lt: [{counter: 0}, {dim: [0, 0]}]}
// CHECK-NEXT: {counter: 0, first: 1, next: {add: [{counter: 0}, {argument: 1}]}}
// CHECK-NEXT: {counter: 1, first: 5, next: {counter: 2}}
// CHECK-NEXT: loop 0: while {lt: [{counter: 2}, {counter: 0}]}
// CHECK-NEXT: {counter: 2, first: {counter: 1}, next: {mul: [{counter: 2}, 2]}}
// CHECK-NEXT: launch 0: nested_kernel
// CHECK-NEXT: grid [{counter: 2}, 1, 1]
// CHECK:      end of loop 0
// CHECK-NEXT: launch 1: nested_kernel_0
// CHECK-NEXT: grid [{counter: 2}, 1, 1]
// CHECK:      end of loop 0
// CHECK-NEXT: launch 1: nested_kernel_1
// CHECK-NEXT: grid [{counter: 1}, 1, 1]
func.func @nested(%a: memref<?xf32>, %step: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %last = scf.for %i = %c1 to %n step %step iter_args(%k = %c5) -> (index) {
    %size = arith.addi %i, %c1 : index
    %of = memref.alloc(%size) : memref<?xf32>
    %fix = memref.alloc() : memref<64xf32>
    %more = memref.alloc() : memref<64xf32>
    %m = scf.while (%j = %k) : (index) -> index {
      %less = arith.cmpi slt, %j, %i : index
      scf.condition(%less) %j : index
    } do {
    ^bb0(%j: index):
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %j, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
        %v = memref.load %a[%bx] : memref<?xf32>
        memref.store %v, %of[%bx] : memref<?xf32>
        memref.store %v, %fix[%bx] : memref<64xf32>
        gpu.terminator
      }
      %twice = arith.muli %j, %c2 : index
      scf.yield %twice : index
    }
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %m, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = memref.load %of[%bx] : memref<?xf32>
      %w = memref.load %fix[%bx] : memref<64xf32>
      %s = arith.addf %v, %w : f32
      memref.store %s, %more[%bx] : memref<64xf32>
      memref.store %s, %a[%bx] : memref<?xf32>
      gpu.terminator
    }
    scf.yield %m : index
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %last, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%bx] : memref<?xf32>
    memref.store %v, %a[%tx] : memref<?xf32>
    gpu.terminator
  }
  return
}

// -----

// Buffers of a loop: one from outside is live in all of it, so another one that is used
// in it does not share its memory; two of an iteration do.

// CHECK:      name: liveness
// CHECK-NEXT: argument 0
// CHECK-NEXT: argument 1
// CHECK-NEXT: temporary 0: {shape: [512], type: i8}
// CHECK-NEXT: loop 0: while {lt: [{counter: 0}, {element: 1}]}
// CHECK:      launch 0:
// CHECK:      {buffer: {temporary: 0}}
// CHECK-NEXT: {buffer: {offset: 256, temporary: 0}}
// CHECK:      launch 1:
// CHECK:      {buffer: {offset: 256, temporary: 0}}
// CHECK:      launch 2:
// CHECK:      {buffer: {offset: 256, temporary: 0}}
func.func @liveness(%a: memref<64xf32>, %n: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n32 = memref.load %n[%c0] : memref<1xi32>
  %end = arith.index_cast %n32 : i32 to index
  %outside = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %end step %c1 {
    %first = memref.alloc() : memref<64xf32>
    %second = memref.alloc() : memref<64xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = memref.load %outside[%tx] : memref<64xf32>
      memref.store %v, %first[%tx] : memref<64xf32>
      gpu.terminator
    }
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = memref.load %first[%tx] : memref<64xf32>
      memref.store %v, %a[%tx] : memref<64xf32>
      gpu.terminator
    }
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = memref.load %a[%tx] : memref<64xf32>
      memref.store %v, %second[%tx] : memref<64xf32>
      gpu.terminator
    }
  }
  return
}

// -----

// Where a part of a buffer begins, through a reshape.

// CHECK:      name: offset_of_part
// CHECK:      grid [{mul: [{counter: 0}, 96]}, {add: [{add: [1, {dim: [1, 2]}]}, {mul: [{argument: 3}, {mul: [{dim: [1, 2]}, 3]}]}]}, 1]
func.func @offset_of_part(%a: memref<?x8x12xf32>, %b: memref<?x3x?xf32>, %c: memref<4xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x8x12xf32>
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.subview %a[%i, 0, 0] [1, 8, 12] [1, 1, 1] : memref<?x8x12xf32> to memref<8x12xf32, strided<[12, 1], offset: ?>>
    %e = memref.expand_shape %p [[0], [1, 2]] output_shape [8, 3, 4] : memref<8x12xf32, strided<[12, 1], offset: ?>> into memref<8x3x4xf32, strided<[12, 4, 1], offset: ?>>
    %base, %x, %sizes:3, %strides:3 = memref.extract_strided_metadata %e : memref<8x3x4xf32, strided<[12, 4, 1], offset: ?>> -> memref<f32>, index, index, index, index, index, index, index
    %q = memref.subview %b[%k, 1, 1] [1, 1, 1] [1, 1, 1] : memref<?x3x?xf32> to memref<1xf32, strided<[1], offset: ?>>
    %base2, %y, %size, %stride = memref.extract_strided_metadata %q : memref<1xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %x, %gy = %y, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = memref.load %c[%bx] : memref<4xf32>
      memref.store %v, %c[%tx] : memref<4xf32>
      gpu.terminator
    }
  }
  return
}
