// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=flatten-branches,outline,abi --linalg-ext-gpu-place-memory=steps=pool-workgroup-memory --linalg-ext-gpu-manifest \
// RUN:   | %python %S/Inputs/print-manifest.py | FileCheck %s

// A size may be known though the type does not say so.

// CHECK: grid [{argument: 1}, 4, 1]
func.func @general_type(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = memref.expand_shape %a [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x?xf32>
  %x = memref.dim %e, %c0 : memref<?x?xf32>
  %y = memref.dim %e, %c1 : memref<?x?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %x, %gy = %y, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%bx] : memref<?xf32>
    memref.store %v, %a[%by] : memref<?xf32>
    gpu.terminator
  }
  return
}

// A division may fail, which makes it no less of an expression.

// CHECK: grid [{floordiv: [{dim: [0, 0]}, {argument: 1}]}, 1, 1]
func.func @quotient(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %a, %c0 : memref<?xf32>
  %x = arith.divui %size, %n : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %x, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%bx] : memref<?xf32>
    memref.store %v, %a[%by] : memref<?xf32>
    gpu.terminator
  }
  return
}

// A bit that is set is -1 as a signed number, and an even number no set bit.

// CHECK: grid [{select: [{mod: [{argument: 1}, 2]}, {sub: [0, {argument: 2}]}, 5]}, 1, 1]
func.func @bits(%a: memref<?xf32>, %n: i64, %b: i1) {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : i64
  %odd = arith.trunci %n : i64 to i1
  %all = arith.extsi %b : i1 to i64
  %number = arith.select %odd, %all, %c5 : i64
  %x = arith.index_cast %number : i64 to index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %x, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%bx] : memref<?xf32>
    memref.store %v, %a[%by] : memref<?xf32>
    gpu.terminator
  }
  return
}

// A part of the block of temporaries, whose size is that of the view.

// CHECK: grid [{dim: [0, 1]}, 8, 1]
// CHECK: {buffer: {temporary: 0}}
func.func @part(%a: memref<4x?xf32>, %bytes: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %a, %c1 : memref<4x?xf32>
  %block = memref.alloc(%bytes) : memref<?xi8>
  %part = memref.view %block[%c256][%n] : memref<?xi8> to memref<?x8xf32>
  %x = memref.dim %part, %c0 : memref<?x8xf32>
  %y = memref.dim %part, %c1 : memref<?x8xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %x, %gy = %y, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%bx, %by] : memref<4x?xf32>
    memref.store %v, %part[%bx, %by] : memref<?x8xf32>
    gpu.terminator
  }
  return
}

// A view has the strides of what it is of.

// CHECK: grid [{stride: [0, 0]}, 1, 1]
func.func @stride_of_view(%a: memref<?x?x8xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %v = memref.subview %a[0, 0, 0] [%n, %n, 8] [1, 1, 1] : memref<?x?x8xf32> to memref<?x?x8xf32, strided<[?, 8, 1]>>
  %base, %offset, %sizes:3, %strides:3 = memref.extract_strided_metadata %v : memref<?x?x8xf32, strided<[?, 8, 1]>> -> memref<f32>, index, index, index, index, index, index, index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %strides#0, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %x = memref.load %a[%bx, %by, %bz] : memref<?x?x8xf32>
    memref.store %x, %a[%by, %bx, %bz] : memref<?x?x8xf32>
    gpu.terminator
  }
  return
}

// A number of more than 64 terms is written once: of a number that is doubled 14 times, the
// sixth and the twelfth.

// CHECK: grid [{add: [{add: [{value: 1}, {value: 1}]}, {add: [{value: 1}, {value: 1}]}]}, 1, 1]
func.func @doubled(%a: memref<4xf32>, %n0: index) {
  %c1 = arith.constant 1 : index
  %n1 = arith.addi %n0, %n0 : index
  %n2 = arith.addi %n1, %n1 : index
  %n3 = arith.addi %n2, %n2 : index
  %n4 = arith.addi %n3, %n3 : index
  %n5 = arith.addi %n4, %n4 : index
  %n6 = arith.addi %n5, %n5 : index
  %n7 = arith.addi %n6, %n6 : index
  %n8 = arith.addi %n7, %n7 : index
  %n9 = arith.addi %n8, %n8 : index
  %n10 = arith.addi %n9, %n9 : index
  %n11 = arith.addi %n10, %n10 : index
  %n12 = arith.addi %n11, %n11 : index
  %n13 = arith.addi %n12, %n12 : index
  %n14 = arith.addi %n13, %n13 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n14, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%bx] : memref<4xf32>
    memref.store %v, %a[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}
