// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=persist-workgroups | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

// Clusters of five: of 132 processors, 130 have a workgroup.

// CHECK-LABEL: func.func @clusters
// CHECK: gpu.launch clusters({{[^)]*}}) in (%{{[a-z0-9]+}} = %c5, {{[^)]*}}) blocks({{[^)]*}}) in (%{{[a-z0-9]+}} = %c130{{[_0-9]*}},
// CHECK: scf.for
func.func @clusters(%q: memref<?x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c128 = arith.constant 128 : index
  %c300 = arith.constant 300 : index
  gpu.launch clusters(%u, %v, %w) in (%su = %c5, %sv = %c1, %sw = %c1) blocks(%x, %y, %z) in (%gx = %c300, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %ring[%c0], %q at (%x, %c0) {maps = [#id]} : !ring, memref<?x64xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}
