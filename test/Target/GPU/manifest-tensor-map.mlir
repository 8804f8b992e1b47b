// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=flatten-branches,outline,abi --linalg-ext-gpu-manifest \
// RUN:   | %python %S/Inputs/print-manifest.py | FileCheck %s

// A tensor map: sizes, strides and box with the innermost dimension first, and
// strides in bytes. The hardware takes no size of 0. The buffer is read, though the
// kernel has no pointer to it.

// CHECK: name: maps
// CHECK-NEXT: argument 0: {access: read,
// CHECK-NEXT: argument 1: {access: read,
// CHECK-NEXT: launch 0: maps_kernel
// CHECK: {tensor_map: {box: [64, 8], buffer: {argument: 0}, sizes: [96, 32], strides: [192], swizzle: 128, type: f16}}
// CHECK-NEXT: {tensor_map: {box: [4, 2, 1], buffer: {argument: 1}, sizes: [16, {max: [{dim: [1, 1]}, 1]}, {max: [{dim: [1, 0]}, 1]}], strides: [64, {mul: [64, {max: [{dim: [1, 1]}, 1]}]}], swizzle: 0, type: f32}}

!map0 = !nvgpu.tensormap.descriptor<tensor = memref<8x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!map1 = !nvgpu.tensormap.descriptor<tensor = memref<1x2x4xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>

func.func @maps(%a: memref<32x96xf16>, %b: memref<?x?x16xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %any0 = memref.cast %a : memref<32x96xf16> to memref<*xf16>
  %map0 = nvgpu.tma.create.descriptor %any0 box[%c8, %c64] : memref<*xf16> -> !map0
  %any1 = memref.cast %b : memref<?x?x16xf32> to memref<*xf32>
  %map1 = nvgpu.tma.create.descriptor %any1 box[%c1, %c2, %c4] : memref<*xf32> -> !map1
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    nvgpu.tma.prefetch.descriptor %map0 : !map0
    nvgpu.tma.prefetch.descriptor %map1 : !map1
    gpu.terminator
  }
  return
}

// Rows of unknown length are a multiple of 16 bytes where the kernel runs, but may be
// empty: strides are at least 16 bytes, too.

// CHECK: name: rows
// CHECK: {tensor_map: {box: [64, 8], buffer: {argument: 0}, sizes: [{max: [{dim: [0, 1]}, 1]}, {max: [{dim: [0, 0]}, 1]}], strides: [{mul: [2, {max: [{dim: [0, 1]}, 8]}]}], swizzle: 128, type: f16}}

!map = !nvgpu.tensormap.descriptor<tensor = memref<8x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>

func.func @rows(%a: memref<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %any = memref.cast %a : memref<?x?xf16> to memref<*xf16>
  %map = nvgpu.tma.create.descriptor %any box[%c8, %c64] : memref<*xf16> -> !map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    nvgpu.tma.prefetch.descriptor %map : !map
    gpu.terminator
  }
  return
}

// Booleans are copied as bytes.

// CHECK: name: booleans
// CHECK: {tensor_map: {box: [128, 8], buffer: {argument: 0}, sizes: [{max: [{dim: [0, 1]}, 1]}, {max: [{dim: [0, 0]}, 1]}], strides: [{max: [{dim: [0, 1]}, 16]}], swizzle: 128, type: i8}}

!bytes = !nvgpu.tensormap.descriptor<tensor = memref<8x128xi8, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>

func.func @booleans(%a: memref<?x?xi1>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %any = memref.cast %a : memref<?x?xi1> to memref<*xi1>
  %map = nvgpu.tma.create.descriptor %any box[%c8, %c128] : memref<*xi1> -> !bytes
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    nvgpu.tma.prefetch.descriptor %map : !bytes
    gpu.terminator
  }
  return
}
