// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=outline,abi | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-gpu-outline-kernels=steps=outline,abi --linalg-ext-gpu-narrow-integers=steps=loops | FileCheck %s --check-prefix=LOOPS

!map = !nvgpu.tensormap.descriptor<tensor = memref<8x64xf16, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>

// Launchers refuse larger sizes of tensor maps. So the kernel knows a bound of the
// size of the buffer, which it is passed as well, and of the number of tiles of 64
// rows. Nothing is known of another buffer.

// CHECK-LABEL: gpu.func @sizes_kernel
// CHECK-SAME: (%{{.*}}: memref<f16> {{.*}}, %[[ROWS:.*]]: i64, %[[TILES:.*]]: i64, %{{.*}}: f16, %{{.*}}: memref<f16> {{.*}}, %[[OTHER:.*]]: i64, %{{.*}}: !nvgpu.tensormap
// CHECK: %[[O:.*]] = arith.index_cast %[[OTHER]] : i64 to index
// CHECK-NOT: vector_ext.assume %[[O]]
// CHECK: %[[T:.*]] = arith.index_cast %[[TILES]] : i64 to index
// CHECK: vector_ext.assume %[[T]] at_least 0 at_most 33553408
// CHECK: %[[R:.*]] = arith.index_cast %[[ROWS]] : i64 to index
// CHECK: vector_ext.assume %[[R]] at_least 0 at_most 2147418112
// CHECK-NOT: vector_ext.assume
// CHECK: gpu.return
// So a loop over the tiles counts in 32 bits.

// LOOPS-LABEL: gpu.func @sizes_kernel
// LOOPS: %[[N:.*]] = vector_ext.assume %{{.*}} at_least 0 at_most 33553408
// LOOPS: %[[END:.*]] = arith.index_castui %[[N]] : index to i32
// LOOPS: scf.for %{{.*}} = %{{.*}} to %[[END]] step %{{.*}} : i32 {
func.func @sizes(%a: memref<?x64xf16>, %b: memref<?x64xf16>, %x: f16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %size = memref.dim %a, %c0 : memref<?x64xf16>
  %tiles = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%size]
  %any = memref.cast %a : memref<?x64xf16> to memref<*xf16>
  %map = nvgpu.tma.create.descriptor %any box[%c8, %c64] : memref<*xf16> -> !map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %at = arith.addi %size, %tiles : index
    memref.store %x, %a[%at, %c0] : memref<?x64xf16>
    memref.store %x, %b[%at, %c0] : memref<?x64xf16>
    scf.for %row = %c0 to %tiles step %c1 {
      memref.store %x, %a[%row, %c0] : memref<?x64xf16>
    }
    nvgpu.tma.prefetch.descriptor %map : !map
    gpu.terminator
  }
  return
}

// A rotated loop ends at the rows of all pages that a table names, which no tensor map has as a size. So
// this number is tested in front of the launch. It has the same bound in the kernel, and so has
// the number of pages, its factor. Nothing is tested where no loop counts.

// CHECK-LABEL: gpu.func @rows_of_pages_kernel
// CHECK-DAG: %[[N:.*]] = vector_ext.assume %{{.*}} at_least 0 at_most 2147418112
// CHECK-DAG: vector_ext.assume %{{.*}} at_least 0 at_most 2147418112
// CHECK: gpu.return
// CHECK-LABEL: func.func @rows_of_pages(
// CHECK: %[[PAGES:.*]] = memref.dim %{{.*}}, %c1
// CHECK: %[[ROWS:.*]] = arith.muli %[[PAGES]], %c16
// CHECK: %[[MOST:.*]] = arith.constant 2147418112 : index
// CHECK: %[[IS:.*]] = arith.cmpi ule, %[[ROWS]], %[[MOST]] : index
// CHECK: cf.assert %[[IS]], "expected loops of kernels to end at 2147418112 at most"
// CHECK-NOT: cf.assert
// CHECK: gpu.launch_func @{{.*}}::@rows_of_pages_kernel

// LOOPS-LABEL: gpu.func @rows_of_pages_kernel
// LOOPS: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
func.func @rows_of_pages(%a: memref<?x64xf16>, %table: memref<?x?xi32>, %x: f16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pages = memref.dim %table, %c1 : memref<?x?xi32>
  %sequences = memref.dim %table, %c0 : memref<?x?xi32>
  %rows = arith.muli %pages, %c16 : index
  %any = memref.cast %a : memref<?x64xf16> to memref<*xf16>
  %map = nvgpu.tma.create.descriptor %any box[%c8, %c64] : memref<*xf16> -> !map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %a[%sequences, %c0] : memref<?x64xf16>
    %end = arith.minsi %rows, %c64 : index
    scf.for %row = %c0 to %end step %c16 {
      %page = arith.divui %row, %c16 : index
      %e = memref.load %table[%c0, %page] : memref<?x?xi32>
      %at = arith.index_cast %e : i32 to index
      memref.store %x, %a[%at, %c0] : memref<?x64xf16>
    }
    nvgpu.tma.prefetch.descriptor %map : !map
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = true, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// Others count in 64 bits.

// CHECK-LABEL: func.func @negative_not_rotated(
// CHECK-NOT: cf.assert
// CHECK: return
func.func @negative_not_rotated(%a: memref<?x64xf16>, %table: memref<?x?xi32>, %x: f16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %pages = memref.dim %table, %c1 : memref<?x?xi32>
  %sequences = memref.dim %table, %c0 : memref<?x?xi32>
  %rows = arith.muli %pages, %c16 : index
  %any = memref.cast %a : memref<?x64xf16> to memref<*xf16>
  %map = nvgpu.tma.create.descriptor %any box[%c8, %c64] : memref<*xf16> -> !map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %a[%sequences, %c0] : memref<?x64xf16>
    %end = arith.minsi %rows, %c64 : index
    scf.for %row = %c0 to %end step %c16 {
      %page = arith.divui %row, %c16 : index
      %e = memref.load %table[%c0, %page] : memref<?x?xi32>
      %at = arith.index_cast %e : i32 to index
      memref.store %x, %a[%at, %c0] : memref<?x64xf16>
    }
    nvgpu.tma.prefetch.descriptor %map : !map
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

// So does a kernel without tensor maps.

// CHECK-LABEL: func.func @negative_no_map(
// CHECK-NOT: cf.assert
// CHECK: return
func.func @negative_no_map(%a: memref<?x64xf16>, %n: index, %x: f16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    scf.for %row = %c0 to %n step %c1 {
      memref.store %x, %a[%row, %c0] : memref<?x64xf16>
    }
    gpu.terminator
  }
  return
}
