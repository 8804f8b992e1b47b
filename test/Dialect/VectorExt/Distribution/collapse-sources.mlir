// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=lower-rings --canonicalize --cse --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#page = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// A page and the row in it are one coordinate, and so are a head and the column: a box has all
// rows of a page. The first page may not exist (-1): its rows are in front of all others.

// CHECK-LABEL: func.func @pages
// CHECK: %[[ALL:.*]] = memref.collapse_shape %{{.*}} {{\[}}[0, 1], [2, 3]] : memref<?x32x8x64xf16> into memref<?x512xf16>
// CHECK: nvgpu.tma.create.descriptor %{{.*}} box[%c32, %c64]
// CHECK: gpu.launch
// CHECK-DAG: %[[ROW0:.*]] = arith.muli %[[PAGE0:.*]], %c32
// CHECK-DAG: %[[ROW1:.*]] = arith.muli %[[PAGE1:.*]], %c32
// CHECK-DAG: %[[COLUMN:.*]] = arith.muli %[[HEAD:.*]], %c64
// CHECK: nvgpu.tma.async.load %{{.*}}[%[[COLUMN]], %[[ROW0]]]
// CHECK: nvgpu.tma.async.load %{{.*}}[%[[COLUMN]], %[[ROW1]]]
func.func @pages(%pool: memref<?x32x8x64xf16>, %table: memref<2xindex>, %head: index, %r: memref<64x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    %p0 = memref.load %table[%c0] : memref<2xindex>
    %p1 = memref.load %table[%c1] : memref<2xindex>
    vector_ext.ring.put %ring[%c0], %pool at (%p0, %c0, %head, %c0), (%p1, %c0, %head, %c0)
        {maps = [#page], parts = array<i64: 2>} : !ring, memref<?x32x8x64xf16>
    %t = vector_ext.ring.get %ring[%c0] : !ring
    vector_ext.ring.release %ring[%c0] : !ring
    vector.transfer_write %t, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<64x64xf16>
    gpu.terminator
  }
  return
}

// -----

#page = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// A tile may end behind the rows of its page: these are zero, and not rows of the next page.
// Columns may do so, too, and are no columns of the next head.

// CHECK-LABEL: func.func @negative_ends
// CHECK-NOT: memref.collapse_shape
// CHECK: nvgpu.tma.async.load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}]
func.func @negative_ends(%pool: memref<?x96x8x96xf16>, %page: index, %row: index, %head: index, %r: memref<64x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %ring[%c0], %pool at (%page, %row, %head, %c64) {maps = [#page]} : !ring, memref<?x96x8x96xf16>
    %t = vector_ext.ring.get %ring[%c0] : !ring
    vector_ext.ring.release %ring[%c0] : !ring
    vector.transfer_write %t, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<64x64xf16>
    gpu.terminator
  }
  return
}

// -----

#page = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// Rows that are not next to each other in memory, and rows of 128 bytes, of which there may be 2^31.

// CHECK-LABEL: func.func @negative_gaps
// CHECK-NOT: memref.collapse_shape
// CHECK: nvgpu.tma.async.load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}]
func.func @negative_gaps(%pool: memref<?x64x8x64xf16, strided<[65536, 1024, 128, 1]>>, %page: index, %head: index, %r: memref<64x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %ring[%c0], %pool at (%page, %head, %head, %c0) {maps = [#page]} : !ring, memref<?x64x8x64xf16, strided<[65536, 1024, 128, 1]>>
    %t = vector_ext.ring.get %ring[%c0] : !ring
    vector_ext.ring.release %ring[%c0] : !ring
    vector.transfer_write %t, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<64x64xf16>
    gpu.terminator
  }
  return
}

// -----

#page = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// Puts of one pool have one view, and one description.

// CHECK-LABEL: func.func @two_puts
// CHECK: memref.collapse_shape
// CHECK-NOT: memref.collapse_shape
// CHECK: nvgpu.tma.create.descriptor
// CHECK-NOT: nvgpu.tma.create.descriptor
// CHECK: gpu.launch
// CHECK-COUNT-2: nvgpu.tma.async.load
func.func @two_puts(%pool: memref<?x64x8x64xf16>, %page: index, %head: index, %r: memref<64x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %ring[%c0], %pool at (%page, %c0, %head, %c0) {maps = [#page]} : !ring, memref<?x64x8x64xf16>
    vector_ext.ring.put %ring[%c1], %pool at (%head, %c0, %head, %c0) {maps = [#page]} : !ring, memref<?x64x8x64xf16>
    %t = vector_ext.ring.get %ring[%c0] : !ring
    vector_ext.ring.release %ring[%c0] : !ring
    vector.transfer_write %t, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<64x64xf16>
    %u = vector_ext.ring.get %ring[%c1] : !ring
    vector_ext.ring.release %ring[%c1] : !ring
    vector.transfer_write %u, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<64x64xf16>
    gpu.terminator
  }
  return
}
