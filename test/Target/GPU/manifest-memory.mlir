// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=flatten-branches,outline,abi --linalg-ext-gpu-place-memory=steps=share-temporaries --linalg-ext-gpu-manifest \
// RUN:   | %python %S/Inputs/print-manifest.py | FileCheck %s

// Strides, constants, parts of one block, conditions. (Shown without quotes.)

// CHECK: name: memory
// CHECK: argument 0: {access: read, kind: buffer, offset: null, shape: [null, 8], strides: [null, 1], type: f16}
// CHECK: argument 1: {access: write, kind: buffer, offset: 3, shape: [4, 8], strides: [10, 1], type: f16}
// CHECK: argument 2: {kind: scalar, type: i1}
// CHECK: temporary 0: {shape: [1024], type: i8}
// CHECK: launch 0: memory_kernel
// CHECK: grid [{select: [{argument: 2}, {dim: [0, 0]}, 0]}, {select: [{lt: [{argument: 3}, {dim: [0, 0]}]}, 1, 2]}, 1]
// CHECK: {buffer: {argument: 0}}
// CHECK: {type: i64, value: {dim: [0, 0]}}
// CHECK: {type: i64, value: {stride: [0, 0]}}
// CHECK: {type: i64, value: {offset: 0}}
// CHECK: {buffer: {constant: table}}
// CHECK: {buffer: {temporary: 0}}
// CHECK: launch 1: memory_kernel_0
// CHECK: {buffer: {temporary: 0}}
// CHECK: {buffer: {offset: 512, temporary: 0}}
// CHECK: launch 2: memory_kernel_1
// CHECK: {buffer: {offset: 512, temporary: 0}}
// CHECK: {buffer: {argument: 1}}
// CHECK: {type: i8, value: {argument: 2}}
memref.global "private" constant @table : memref<8xf16> = dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]>
func.func @memory(%a: memref<?x8xf16, strided<[?, 1], offset: ?>>, %b: memref<4x8xf16, strided<[10, 1], offset: 3>>, %c: i1, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %table = memref.get_global @table : memref<8xf16>
  %m = memref.dim %a, %c0 : memref<?x8xf16, strided<[?, 1], offset: ?>>
  %gx = arith.select %c, %m, %c0 : index
  %less = arith.cmpi sgt, %m, %k : index
  %gy = arith.select %less, %c1, %c2 : index
  %t = memref.alloc() : memref<32x8xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%x = %gx, %y = %gy, %z = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%tx, %tx] : memref<?x8xf16, strided<[?, 1], offset: ?>>
    %w = memref.load %table[%tx] : memref<8xf16>
    %s = arith.addf %v, %w : f16
    memref.store %s, %t[%tx, %tx] : memref<32x8xf16>
    gpu.terminator
  }
  %u = memref.alloc() : memref<32x8xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%x = %c1, %y = %c1, %z = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %t[%tx, %tx] : memref<32x8xf16>
    memref.store %v, %u[%tx, %tx] : memref<32x8xf16>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%x = %c1, %y = %c1, %z = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %v = memref.load %u[%tx, %tx] : memref<32x8xf16>
    scf.if %c {
      memref.store %v, %b[%tx, %tx] : memref<4x8xf16, strided<[10, 1], offset: 3>>
    }
    gpu.terminator
  }
  return
}
