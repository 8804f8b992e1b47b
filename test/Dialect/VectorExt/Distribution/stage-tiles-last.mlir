// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles slots=2' --canonicalize --split-input-file | FileCheck %s

// The last tile of 200 rows begins at row 136, so that it has all 64 rows. The masks
// count from there on.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [1, 1]>

// CHECK-DAG: #[[LEFT:.+]] = affine_map<()[s0] -> (-s0 + 200, 64)>
// CHECK-LABEL: func.func @last
// CHECK: %[[TILE:.+]] = affine.apply
// CHECK: %[[ROW:.+]] = arith.minsi %[[TILE]], %c136
// CHECK: %[[COUNT:.+]] = affine.min #[[LEFT]]()[%[[ROW]]]
// CHECK: vector_ext.ring.put %{{.+}}[%{{.+}}], %{{.+}}, %{{.+}} at (%[[ROW]], %{{.+}}), (
// CHECK: %[[MASK:.+]] = vector.create_mask %[[COUNT]], %{{.+}} : vector<64x128xi1>
// CHECK: vector.transfer_write %{{.+}}, %{{.+}}[%[[ROW]], %{{.+}}], %[[MASK]]
func.func @last(%a: memref<200x256xf16>, %b: memref<256x384xf16>, %c: memref<200x384xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c12, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> ((d0 floordiv 3) * 64)>(%x)
    %n = affine.apply affine_map<(d0) -> ((d0 mod 3) * 128)>(%x)
    %count = affine.min affine_map<(d0) -> (64, 200 - (d0 floordiv 3) * 64)>(%x)
    %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<64x128xf32>) {
      %rows = vector.create_mask %count, %c64 : vector<64x64xi1>
      %lhs = vector.transfer_read %a[%m, %k], %pad, %rows {in_bounds = [true, true]} : memref<200x256xf16>, vector<64x64xf16>
      %rhs = vector.transfer_read %b[%k, %n], %pad {in_bounds = [true, true]} : memref<256x384xf16>, vector<64x128xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x64xf16>, vector<64x128xf16> into vector<64x128xf32>
      scf.yield %next : vector<64x128xf32>
    }
    %mask = vector.create_mask %count, %c128 : vector<64x128xi1>
    vector.transfer_write %0, %c[%m, %n], %mask {in_bounds = [true, true]} : vector<64x128xf32>, memref<200x384xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

// -----

// A residual is read at the same rows and columns. If it is in the same memory as the result,
// the tile stays.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [1, 1]>

// CHECK-LABEL: func.func @residual
// CHECK-SAME: %{{.+}}: memref<200x256xf16>, %{{.+}}: memref<256x384xf16>, %[[R:.+]]: memref<200x384xf32>, %[[C:.+]]: memref<200x384xf32>
// CHECK: %[[TILE:.+]] = affine.apply
// CHECK: %[[EARLIER:.+]] = arith.minsi %[[TILE]], %c136
// CHECK-DAG: %[[OF_R:.+]] = memref.extract_aligned_pointer_as_index %[[R]]
// CHECK-DAG: %[[OF_C:.+]] = memref.extract_aligned_pointer_as_index %[[C]]
// CHECK: %[[ELSEWHERE:.+]] = arith.cmpi ne, %[[OF_R]], %[[OF_C]]
// CHECK: %[[ROW:.+]] = arith.select %[[ELSEWHERE]], %[[EARLIER]], %[[TILE]]
// CHECK: vector.transfer_read %[[R]][%[[ROW]], %{{.+}}]
// CHECK: vector_ext.ring.put %{{.+}}[%{{.+}}], %{{.+}}, %{{.+}} at (%[[ROW]], %{{.+}}), (
// CHECK: vector.transfer_write %{{.+}}, %[[C]][%[[ROW]], %{{.+}}]
func.func @residual(%a: memref<200x256xf16>, %b: memref<256x384xf16>, %r: memref<200x384xf32>, %c: memref<200x384xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c12, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> ((d0 floordiv 3) * 64)>(%x)
    %n = affine.apply affine_map<(d0) -> ((d0 mod 3) * 128)>(%x)
    %count = affine.min affine_map<(d0) -> (64, 200 - (d0 floordiv 3) * 64)>(%x)
    %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<64x128xf32>) {
      %rows = vector.create_mask %count, %c64 : vector<64x64xi1>
      %lhs = vector.transfer_read %a[%m, %k], %pad, %rows {in_bounds = [true, true]} : memref<200x256xf16>, vector<64x64xf16>
      %rhs = vector.transfer_read %b[%k, %n], %pad {in_bounds = [true, true]} : memref<256x384xf16>, vector<64x128xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x64xf16>, vector<64x128xf16> into vector<64x128xf32>
      scf.yield %next : vector<64x128xf32>
    }
    %mask = vector.create_mask %count, %c128 : vector<64x128xi1>
    %read = vector.transfer_read %r[%m, %n], %pad32, %mask {in_bounds = [true, true]} : memref<200x384xf32>, vector<64x128xf32>
    %all = arith.addf %0, %read : vector<64x128xf32>
    vector.transfer_write %all, %c[%m, %n], %mask {in_bounds = [true, true]} : vector<64x128xf32>, memref<200x384xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

// -----

// The result is in the place of what is read at the same rows and columns.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [1, 1]>

// CHECK-LABEL: func.func @negative_in_place
// CHECK-NOT: arith.minsi
// CHECK: vector.transfer_write
func.func @negative_in_place(%a: memref<200x256xf16>, %b: memref<256x384xf16>, %c: memref<200x384xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c12, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> ((d0 floordiv 3) * 64)>(%x)
    %n = affine.apply affine_map<(d0) -> ((d0 mod 3) * 128)>(%x)
    %count = affine.min affine_map<(d0) -> (64, 200 - (d0 floordiv 3) * 64)>(%x)
    %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<64x128xf32>) {
      %rows = vector.create_mask %count, %c64 : vector<64x64xi1>
      %lhs = vector.transfer_read %a[%m, %k], %pad, %rows {in_bounds = [true, true]} : memref<200x256xf16>, vector<64x64xf16>
      %rhs = vector.transfer_read %b[%k, %n], %pad {in_bounds = [true, true]} : memref<256x384xf16>, vector<64x128xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x64xf16>, vector<64x128xf16> into vector<64x128xf32>
      scf.yield %next : vector<64x128xf32>
    }
    %mask = vector.create_mask %count, %c128 : vector<64x128xi1>
    %read = vector.transfer_read %c[%m, %n], %pad32, %mask {in_bounds = [true, true]} : memref<200x384xf32>, vector<64x128xf32>
    %all = arith.addf %0, %read : vector<64x128xf32>
    vector.transfer_write %all, %c[%m, %n], %mask {in_bounds = [true, true]} : vector<64x128xf32>, memref<200x384xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

// -----

// What is computed follows from the number of the workgroup in another way, too.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [1, 1]>

// CHECK-LABEL: func.func @negative_number
// CHECK-NOT: arith.minsi
// CHECK: vector.transfer_write
func.func @negative_number(%a: memref<200x256xf16>, %b: memref<256x384xf16>, %scales: memref<12xf32>, %c: memref<200x384xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c12, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> ((d0 floordiv 3) * 64)>(%x)
    %n = affine.apply affine_map<(d0) -> ((d0 mod 3) * 128)>(%x)
    %count = affine.min affine_map<(d0) -> (64, 200 - (d0 floordiv 3) * 64)>(%x)
    %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<64x128xf32>) {
      %rows = vector.create_mask %count, %c64 : vector<64x64xi1>
      %lhs = vector.transfer_read %a[%m, %k], %pad, %rows {in_bounds = [true, true]} : memref<200x256xf16>, vector<64x64xf16>
      %rhs = vector.transfer_read %b[%k, %n], %pad {in_bounds = [true, true]} : memref<256x384xf16>, vector<64x128xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x64xf16>, vector<64x128xf16> into vector<64x128xf32>
      scf.yield %next : vector<64x128xf32>
    }
    %scale = memref.load %scales[%x] : memref<12xf32>
    %all = vector.broadcast %scale : f32 to vector<64x128xf32>
    %scaled = arith.mulf %0, %all : vector<64x128xf32>
    %mask = vector.create_mask %count, %c128 : vector<64x128xi1>
    vector.transfer_write %scaled, %c[%m, %n], %mask {in_bounds = [true, true]} : vector<64x128xf32>, memref<200x384xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

// -----

// The result has rows 20 to 59, less than a tile: it is a part of the buffer, so no
// tile begins in front of row 20.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [1, 1]>

// CHECK-LABEL: func.func @part
// CHECK: %[[TILE:.+]] = affine.apply
// CHECK: %[[ROW:.+]] = arith.minsi %[[TILE]], %c20
// CHECK: vector.transfer_write %{{.+}}, %{{.+}}[%[[ROW]], %{{.+}}]
func.func @part(%a: memref<200x256xf16>, %b: memref<256x384xf16>, %c: memref<200x384xf32>, %blocks: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c3, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %place:2 = affine.delinearize_index %x into (%blocks) : index, index
    %m = affine.apply affine_map<(d0) -> (d0 * 64 + 20)>(%place#0)
    %n = affine.apply affine_map<(d0) -> (d0 * 128)>(%place#1)
    %count = affine.min affine_map<(d0) -> (64, 40 - d0 * 64)>(%place#0)
    %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<64x128xf32>) {
      %rows = vector.create_mask %count, %c64 : vector<64x64xi1>
      %lhs = vector.transfer_read %a[%m, %k], %pad, %rows {in_bounds = [true, true]} : memref<200x256xf16>, vector<64x64xf16>
      %rhs = vector.transfer_read %b[%k, %n], %pad {in_bounds = [true, true]} : memref<256x384xf16>, vector<64x128xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x64xf16>, vector<64x128xf16> into vector<64x128xf32>
      scf.yield %next : vector<64x128xf32>
    }
    %mask = vector.create_mask %count, %c128 : vector<64x128xi1>
    vector.transfer_write %0, %c[%m, %n], %mask {in_bounds = [true, true]} : vector<64x128xf32>, memref<200x384xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

// -----

// Rows and columns begin at the same place.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>

// CHECK-LABEL: func.func @negative_diagonal
// CHECK-NOT: arith.minsi
// CHECK: vector.transfer_write
func.func @negative_diagonal(%a: memref<200x256xf16>, %b: memref<256x200xf16>, %c: memref<200x200xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> (d0 * 64)>(%x)
    %count = affine.min affine_map<(d0) -> (64, 200 - d0 * 64)>(%x)
    %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<64x64xf32>) {
      %rows = vector.create_mask %count, %c64 : vector<64x64xi1>
      %lhs = vector.transfer_read %a[%m, %k], %pad, %rows {in_bounds = [true, true]} : memref<200x256xf16>, vector<64x64xf16>
      %columns = vector.create_mask %c64, %count : vector<64x64xi1>
      %rhs = vector.transfer_read %b[%k, %m], %pad, %columns {in_bounds = [true, true]} : memref<256x200xf16>, vector<64x64xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      scf.yield %next : vector<64x64xf32>
    }
    %mask = vector.create_mask %count, %count : vector<64x64xi1>
    vector.transfer_write %0, %c[%m, %m], %mask {in_bounds = [true, true]} : vector<64x64xf32>, memref<200x200xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}
