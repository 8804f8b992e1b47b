// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles slots=2' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles' --split-input-file | FileCheck %s --check-prefix=FEWER
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles slots=7' --split-input-file | FileCheck %s --check-prefix=FULL
// RUN: sed 's/persist = 1/persist = 2/' %s | linalg-ext-opt --vector-ext-pipeline-products='steps=stage-tiles slots=2' --split-input-file | FileCheck %s
// RUN: sed 's/persist = 1/persist = 3/' %s | linalg-ext-opt --vector-ext-pipeline-products='steps=stage-tiles slots=2' --split-input-file | FileCheck %s --check-prefix=PAIRS
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='slots=2' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=LOWER

// Groups that take turns, and that compute an operand, store their results through
// shared memory: each subgroup its 16 rows of 128 columns, in two boxes.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @stored
// CHECK-SAME: %[[C:[a-z0-9]+]]: memref<512x384xf16>)
// CHECK: %[[NARROW:.+]] = arith.truncf %{{.+}} : vector<128x128xf32>
// CHECK: %[[ROWS:.+]] = vector_ext.to_layout %[[NARROW]] to <
// CHECK: vector_ext.store_tile %[[ROWS]], %[[C]][%{{.+}}, %{{.+}}] through <[128, 128], order = [0, 1], bits = 16, panel = 64, {{.*}}> {map = #{{.+}}, parts = 8 : i64}
// CHECK-NOT: vector.transfer_write

// With memory for the result, rings would have two slots and not three.

// FEWER-LABEL: func.func @stored
// FEWER: vector_ext.ring.put {{.*}}slots = 3
// FEWER-NOT: vector_ext.store_tile
// FEWER: vector.transfer_write

// Seven slots leave no memory for the result.

// FULL-LABEL: func.func @stored
// FULL: vector_ext.ring.put {{.*}}slots = 7
// FULL-NOT: vector_ext.store_tile
// FULL: vector.transfer_write

// Tiles of a long and a short part of a sum are written by threads.

// PAIRS-LABEL: func.func @stored
// PAIRS-NOT: vector_ext.store_tile
// PAIRS: vector.transfer_write

// LOWER-LABEL: func.func @stored
// LOWER-SAME: %[[C:[a-z0-9]+]]: memref<512x384xf16>)
// LOWER: %[[ANY:.+]] = memref.cast %[[C]]
// LOWER: %[[MAP:.+]] = nvgpu.tma.create.descriptor %[[ANY]] box[%c16{{.*}}, %c64{{.*}}]
// LOWER: gpu.launch
// LOWER-DAG: %[[MEMORY:.+]] = memref.alloc() {alignment = 1024 : i64} : memref<32768xi8, #gpu.address_space<workgroup>>
// LOWER: vector_ext.role first(0)
// LOWER: scf.for
// LOWER: %[[RESULT:.+]] = vector_ext.to_layout %{{.+}} to <{{.*}}vector<128x128xf16>
// LOWER-NEXT: nvvm.cp.async.bulk.wait_group 0 {read}
// LOWER-NEXT: nvvm.bar.warp.sync
// LOWER-NEXT: %[[TILE:.+]] = memref.view %[[MEMORY]][%c0{{.*}}][]
// LOWER-NEXT: vector_ext.write_tile %[[RESULT]], %[[TILE]] in <[128, 128], {{.*}}> : vector<128x128xf16>
// LOWER-NEXT: nvvm.fence.proxy
// LOWER-NEXT: nvvm.bar.warp.sync
// LOWER-NEXT: %[[IS_ELECTED:.+]] = nvvm.elect.sync
// LOWER-NEXT: scf.if %[[IS_ELECTED]] {
// LOWER: %[[PART:.+]] = arith.divui %{{.+}}, %c32
// LOWER: %[[BYTES:.+]] = arith.muli %[[PART]], %c2048
// LOWER: %[[OWN:.+]] = memref.view %[[MEMORY]][%[[BYTES]]][]
// LOWER: %[[ROWS:.+]] = arith.muli %[[PART]], %c16
// LOWER: %[[ROW:.+]] = arith.addi %{{.+}}, %[[ROWS]]
// LOWER: nvgpu.tma.async.store %{{.+}} to %[[MAP]][%[[COLUMN:.+]], %[[ROW]]]
// LOWER: nvgpu.tma.async.store %{{.+}} to %[[MAP]][%{{.+}}, %[[ROW]]]
// LOWER-NEXT: nvvm.cp.async.bulk.commit.group
// LOWER-NEXT: }
// LOWER: scf.yield
// LOWER: nvvm.cp.async.bulk.wait_group 0 {read}
// LOWER-NEXT: }
func.func @stored(%a: memref<512x256xf16>, %b: memref<256x384xf16>, %c: memref<512x384xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c12, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> ((d0 floordiv 3) * 128)>(%x)
    %n = affine.apply affine_map<(d0) -> ((d0 mod 3) * 128)>(%x)
    %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<128x128xf32>) {
      %lhs = vector.transfer_read %a[%m, %k], %pad {in_bounds = [true, true]} : memref<512x256xf16>, vector<128x64xf16>
      %square = arith.mulf %lhs, %lhs : vector<128x64xf16>
      %rhs = vector.transfer_read %b[%k, %n], %pad {in_bounds = [true, true]} : memref<256x384xf16>, vector<64x128xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %square, %rhs, %sum : vector<128x64xf16>, vector<64x128xf16> into vector<128x128xf32>
      scf.yield %next : vector<128x128xf32>
    }
    %narrow = arith.truncf %0 : vector<128x128xf32> to vector<128x128xf16>
    vector.transfer_write %narrow, %c[%m, %n] {in_bounds = [true, true]} : vector<128x128xf16>, memref<512x384xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}

// -----

// So are rows of 760 bytes: no box starts at their places.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @negative_rows
// CHECK-NOT: vector_ext.store_tile
// CHECK: vector.transfer_write
func.func @negative_rows(%a: memref<512x256xf16>, %b: memref<256x384xf16>, %c: memref<512x380xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %pad = ub.poison : f16
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c12, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> ((d0 floordiv 3) * 128)>(%x)
    %n = affine.apply affine_map<(d0) -> ((d0 mod 3) * 128)>(%x)
    %0 = scf.for %k = %c0 to %c256 step %c64 iter_args(%sum = %zero) -> (vector<128x128xf32>) {
      %lhs = vector.transfer_read %a[%m, %k], %pad {in_bounds = [true, true]} : memref<512x256xf16>, vector<128x64xf16>
      %square = arith.mulf %lhs, %lhs : vector<128x64xf16>
      %rhs = vector.transfer_read %b[%k, %n], %pad {in_bounds = [true, true]} : memref<256x384xf16>, vector<64x128xf16>
      %next = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %square, %rhs, %sum : vector<128x64xf16>, vector<64x128xf16> into vector<128x128xf32>
      scf.yield %next : vector<128x128xf32>
    }
    %narrow = arith.truncf %0 : vector<128x128xf32> to vector<128x128xf16>
    vector.transfer_write %narrow, %c[%m, %n] {in_bounds = [true, false]} : vector<128x128xf16>, memref<512x380xf16>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = true, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}
