// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=flatten-branches,outline,abi --linalg-ext-gpu-place-memory=steps=pool-workgroup-memory --linalg-ext-gpu-manifest \
// RUN:   | %python %S/Inputs/print-manifest.py | FileCheck %s

// Sizes are expressions over the sizes of arguments, through reshapes, affine
// maps and allocations. (Shown without quotes.)

// CHECK: name: expressions
// CHECK: argument 0: {access: read, kind: buffer, shape: [null, 64], type: f16}
// CHECK: argument 1: {access: read_write, kind: buffer, shape: [null, null], type: f32}
// CHECK: argument 2: {kind: scalar, type: f32}
// CHECK: argument 3: {kind: scalar, type: i64}
// CHECK: argument 4: {access: none, kind: buffer, shape: [4], type: i32}
// CHECK: temporary 0: {shape: [{mul: [{dim: [0, 0]}, 2]}, 64], type: bf16}
// CHECK: launch 0: expressions_kernel
// CHECK: grid [{ceildiv: [{mul: [{dim: [1, 0]}, {dim: [1, 1]}]}, 256]}, {min: [{add: [{floordiv: [{dim: [0, 0]}, 8]}, 1]}, {argument: 3}]}, {max: [{sub: [{argument: 3}, 1]}, 1]}]
// CHECK: block [32, 4, 1]
// CHECK: shared 400
// CHECK: {buffer: {argument: 1}}
// CHECK: {type: i64, value: {dim: [1, 0]}}
// CHECK: {type: i64, value: {dim: [1, 1]}}
// CHECK: {buffer: {argument: 0}}
// CHECK: {type: i64, value: {dim: [0, 0]}}
// CHECK: {type: f32, value: {argument: 2}}
// CHECK: {buffer: {temporary: 0}}
// CHECK: {type: i64, value: {mul: [{dim: [0, 0]}, 2]}}
// CHECK: launch 1: expressions_kernel_0
// CHECK: grid [{mul: [{dim: [0, 0]}, 2]}, 1, 1]
// CHECK: block [{rem: [{argument: 3}, 7]}, {div: [{argument: 3}, 3]}, {mod: [{argument: 3}, 5]}]
func.func @expressions(%a: memref<?x64xf16>, %b: memref<?x?xf32>, %s: f32, %k: index, %unused: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %m = memref.dim %a, %c0 : memref<?x64xf16>
  %m2 = arith.muli %m, %c2 : index
  %t = memref.alloc(%m2) : memref<?x64xbf16>
  %flat = memref.collapse_shape %b [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %n = memref.dim %flat, %c0 : memref<?xf32>
  %gx = arith.ceildivsi %n, %c256 : index
  %gy = affine.min affine_map<(d0)[s0] -> (d0 floordiv 8 + 1, s0)>(%m)[%k]
  %k1 = arith.subi %k, %c1 : index
  %gz = arith.maxsi %k1, %c1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%x = %gx, %y = %gy, %z = %gz)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c4, %sz = %c1)
             workgroup(%w: memref<100xf32, #gpu.address_space<workgroup>>) {
    %h = memref.load %a[%tx, %ty] : memref<?x64xf16>
    %e = arith.extf %h : f16 to f32
    %p = arith.addf %e, %s : f32
    %v = memref.load %flat[%tx] : memref<?xf32>
    %q = arith.addf %p, %v : f32
    memref.store %q, %flat[%tx] : memref<?xf32>
    %r = arith.truncf %q : f32 to bf16
    memref.store %r, %t[%tx, %ty] : memref<?x64xbf16>
    gpu.terminator
  }
  %td = memref.dim %t, %c0 : memref<?x64xbf16>
  %bx0 = arith.remsi %k, %c7 : index
  %by0 = arith.divsi %k, %c3 : index
  %bz0 = affine.apply affine_map<(d0) -> (d0 mod 5)>(%k)
  gpu.launch blocks(%bx, %by, %bz) in (%x = %td, %y = %c1, %z = %c1)
             threads(%tx, %ty, %tz) in (%sx = %bx0, %sy = %by0, %sz = %bz0) {
    %h = memref.load %t[%tx, %ty] : memref<?x64xbf16>
    %e = arith.extf %h : bf16 to f32
    memref.store %e, %flat[%tx] : memref<?xf32>
    gpu.terminator
  }
  memref.dealloc %t : memref<?x64xbf16>
  return
}

// Private functions are not for launchers.
// CHECK-NOT: helper
func.func private @helper(%a: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<4xf32>
  return %v : f32
}

// The workgroups of a cluster are in the manifest, and the kernel states them.

// CHECK: name: clusters
// CHECK: launch 0: clusters_kernel
// CHECK-NEXT: grid [{mul: [{argument: 1}, 4]}, 1, 1]
// CHECK-NEXT: cluster [4, 1, 1]
// CHECK-NEXT: block [32, 1, 1]
func.func @clusters(%a: memref<4xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %grid = arith.muli %n, %c4 : index
  gpu.launch clusters(%cx, %cy, %cz) in (%kx = %c4, %ky = %c1, %kz = %c1)
             blocks(%bx, %by, %bz) in (%gx = %grid, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %rank = gpu.cluster_block_id x
    %v = arith.constant 1.0 : f32
    memref.store %v, %a[%rank] : memref<4xf32>
    gpu.terminator
  }
  return
}
