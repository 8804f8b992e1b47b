// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles slots=2' --canonicalize --cse --split-input-file | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(vector-ext-pipeline-products{steps=stage-tiles slots=2},canonicalize,cse)' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles,lower-rings slots=2' --vector-ext-distribute --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=DISTRIBUTED

// Where tiles are copied from, and which masks go.

// Two products, of which the second one takes what is computed from the first
// one: it stays in registers. Sizes are dynamic. The masks of A and of B count to
// the end of the buffer; that of C to the end of B, so that a view of C ends
// there.

#config0 = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [1, 1]>
#config1 = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @chained
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x64xf16>, %[[B:[a-z0-9]+]]: memref<?x64xf16>, %[[C:[a-z0-9]+]]: memref<?x64xf16>
// CHECK: %[[N:.*]] = memref.dim %[[B]], %c0
// CHECK: %[[VIEW:.*]] = memref.subview %[[C]][0, 0] [%[[N]], 64] [1, 1] : memref<?x64xf16> to memref<?x64xf16, strided<[64, 1]>>
// CHECK: gpu.launch
// CHECK: vector_ext.ring.put %{{.*}}[%c0{{.*}}], %[[A]] at (%{{.*}}, %c0
// CHECK: scf.for %[[I:.*]] = %c0 to %[[N]] step %c32
// CHECK-NOT: vector.transfer_read
// CHECK: vector_ext.ring.put %[[RING_B:.*]][%{{.*}}], %[[B]] at (%[[I]], %c0
// CHECK: %[[TILE_B:.*]] = vector_ext.ring.get %[[RING_B]]
// CHECK: vector.contract {{.*}}%[[TILE_B]]
// CHECK: arith.truncf
// CHECK: vector_ext.ring.put %[[RING_C:.*]][%{{.*}}], %[[VIEW]] at (%[[I]], %c0
// CHECK: %[[TILE_C:.*]] = vector_ext.ring.get %[[RING_C]]
// CHECK: vector.contract {{.*}}%[[TILE_C]]

// 32 columns of the first result are two instructions of the second product,
// which have A in registers.
// DISTRIBUTED-LABEL: func.func @chained
// DISTRIBUTED: scf.for
// DISTRIBUTED-COUNT-4: vector_ext.async_mma "wgmma.m64n32k16.f32.f16" {{.*}} in <{{.*}} in <{{.*}} : memref
// DISTRIBUTED: %[[P0:.*]] = vector_ext.async_mma "wgmma.m64n64k16.f32.f16" {{.*}} : vector<8xf16>, memref
// DISTRIBUTED: %[[P1:.*]] = vector_ext.async_mma "wgmma.m64n64k16.f32.f16" {{.*}}, %[[P0]] : vector<8xf16>, memref
// DISTRIBUTED: vector_ext.await %[[P1]] : vector<32xf32>
func.func @chained(%a: memref<?x64xf16>, %b: memref<?x64xf16>, %c: memref<?x64xf16>, %r: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  %init = arith.constant dense<0.0> : vector<64x64xf32>
  %m = memref.dim %a, %c0 : memref<?x64xf16>
  %n = memref.dim %b, %c0 : memref<?x64xf16>
  %tiles = affine.apply affine_map<()[s] -> (s ceildiv 64)>()[%m]
  gpu.launch blocks(%x, %y, %z) in (%gx = %tiles, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %row = affine.apply affine_map<()[s] -> (s * 64)>()[%x]
    %rows = affine.min affine_map<()[s, t] -> (64, s - t * 64)>()[%m, %x]
    %exist = vector.create_mask %rows, %c64 : vector<64x64xi1>
    %lhs = vector.transfer_read %a[%row, %c0], %pad, %exist {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %0 = scf.for %i = %c0 to %n step %c32 iter_args(%sum = %init) -> (vector<64x64xf32>) {
      %count = affine.min affine_map<(i)[s] -> (-i + s, 32)>(%i)[%n]
      %mask = vector.create_mask %count, %c64 : vector<32x64xi1>
      %rhs = vector.transfer_read %b[%i, %c0], %pad, %mask {in_bounds = [true, true]} : memref<?x64xf16>, vector<32x64xf16>
      %s = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config0}
           %lhs, %rhs, %zero : vector<64x64xf16>, vector<32x64xf16> into vector<64x32xf32>
      %p = arith.truncf %s : vector<64x32xf32> to vector<64x32xf16>
      %v = vector.transfer_read %c[%i, %c0], %pad, %mask {in_bounds = [true, true]} : memref<?x64xf16>, vector<32x64xf16>
      %next = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config1}
              %p, %v, %sum : vector<64x32xf16>, vector<32x64xf16> into vector<64x64xf32>
      scf.yield %next : vector<64x64xf32>
    }
    vector.transfer_write %0, %r[%row, %c0], %exist {in_bounds = [true, true]} : vector<64x64xf32>, memref<?x64xf32>
    gpu.terminator
  }
  return
}

// -----

// Chunks of 64, which tiles of 32 divide: only the last one ends early. 72
// columns that are padded to 80: the buffer ends there.

#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.f16", subgroups = [1, 1]>

// CHECK-LABEL: func.func @chunks
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<64x72xf16>, %[[B:[a-z0-9]+]]: memref<?x72xf16>
// CHECK-NOT: memref.subview
// CHECK: vector_ext.ring.put %{{.*}}[%c0{{.*}}], %[[A]] at
// CHECK: scf.for
// CHECK: vector_ext.ring.put %{{.*}}[%{{.*}}], %[[B]] at
func.func @chunks(%a: memref<64x72xf16>, %b: memref<?x72xf16>, %r: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c72 = arith.constant 72 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  %n = memref.dim %b, %c0 : memref<?x72xf16>
  %chunks = affine.apply affine_map<()[s] -> (s ceildiv 64)>()[%n]
  gpu.launch blocks(%x, %y, %z) in (%gx = %chunks, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %columns = vector.constant_mask [64, 72] : vector<64x80xi1>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad, %columns {in_bounds = [true, true]} : memref<64x72xf16>, vector<64x80xf16>
    %size = affine.min affine_map<()[s, t] -> (64, s - t * 64)>()[%n, %x]
    %0 = scf.for %i = %c0 to %size step %c32 iter_args(%sum = %zero) -> (vector<64x32xf32>) {
      %place = affine.apply affine_map<(i)[t] -> (i + t * 64)>(%i)[%x]
      %count = affine.min affine_map<(i)[s] -> (-i + s, 32)>(%i)[%size]
      %mask = vector.create_mask %count, %c72 : vector<32x80xi1>
      %rhs = vector.transfer_read %b[%place, %c0], %pad, %mask {in_bounds = [true, true]} : memref<?x72xf16>, vector<32x80xf16>
      %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x80xf16>, vector<32x80xf16> into vector<64x32xf32>
      scf.yield %next : vector<64x32xf32>
    }
    vector.transfer_write %0, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    gpu.terminator
  }
  return
}

// -----

// A buffer with seven dimensions, of which a copy knows five, and a border that
// no mask says.

#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n32k16.f32.bf16", subgroups = [1, 1]>

// CHECK-LABEL: func.func @merged
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x?x3x2x2x?x32xbf16>
// CHECK: %[[S:.*]] = memref.dim %[[A]], %c1
// CHECK: %[[MERGED:.*]] = memref.collapse_shape %[[A]] {{\[\[}}0, 1, 2], [3], [4], [5], [6]] : memref<?x?x3x2x2x?x32xbf16> into memref<?x2x2x?x32xbf16>
// CHECK: %[[ROWS:.*]] = arith.muli %[[X:.*]], %[[S]]
// CHECK: %[[SUM:.*]] = arith.addi %[[ROWS]], %[[Y:.*]]
// CHECK: %[[PLANES:.*]] = arith.muli %[[SUM]], %c3
// CHECK: %[[FIRST:.*]] = arith.addi %[[PLANES]], %c2
// CHECK: vector_ext.ring.put %{{.*}}[%c0], %[[MERGED]], %{{.*}} at (%[[FIRST]], %c1, %c0, %{{.*}}, %c0), (
func.func @merged(%a: memref<?x?x3x2x2x?x32xbf16>, %b: memref<32x32xbf16>, %r: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c2, %gy = %c2, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %lhs = vector.transfer_read %a[%x, %y, %c2, %c1, %c0, %c64, %c0], %pad {in_bounds = [false, true]} : memref<?x?x3x2x2x?x32xbf16>, vector<64x32xbf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xbf16>, vector<32x32xbf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
         %lhs, %rhs, %zero : vector<64x32xbf16>, vector<32x32xbf16> into vector<64x32xf32>
    vector.transfer_write %0, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    gpu.terminator
  }
  return
}

// -----

// Weights of a convolution by single elements: the last dimensions, of size 1, are
// none of the view that is copied.

#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @single_elements
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<64x128xf16>, %[[W:[a-z0-9]+]]: memref<64x128x1x1xf16>
// CHECK: %[[VIEW:.*]] = memref.collapse_shape %[[W]] {{\[\[}}0], [1, 2, 3]] : memref<64x128x1x1xf16> into memref<64x128xf16>
// CHECK: gpu.launch
// CHECK: vector_ext.ring.put %{{.*}}, %[[A]], %[[VIEW]] at
// CHECK-NOT: vector.transfer_read
// CHECK: gpu.terminator

// DISTRIBUTED-LABEL: func.func @single_elements
// DISTRIBUTED: vector_ext.async_mma
func.func @single_elements(%a: memref<64x128xf16>, %w: memref<64x128x1x1xf16>, %r: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %init = arith.constant dense<0.0> : vector<64x64xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %0 = scf.for %i = %c0 to %c128 step %c64 iter_args(%sum = %init) -> (vector<64x64xf32>) {
      %lhs = vector.transfer_read %a[%c0, %i], %pad {in_bounds = [true, true]} : memref<64x128xf16>, vector<64x64xf16>
      %rhs = vector.transfer_read %w[%c0, %i, %c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(n, k, i, j) -> (n, k)>} : memref<64x128x1x1xf16>, vector<64x64xf16>
      %1 = vector.contract {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %lhs, %rhs, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      scf.yield %1 : vector<64x64xf32>
    }
    vector.transfer_write %0, %r[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}
