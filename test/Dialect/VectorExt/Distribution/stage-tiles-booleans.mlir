// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles,persist-workgroups,assign-roles,lower-rings' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=LOWER

// Booleans are a byte each in memory. A tile of them that threads read in a loop of
// products is copied as bytes, which stay bytes until they are used. These are 0 or 1.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @mask
// CHECK-SAME: %[[MASK:[a-z0-9]+]]: memref<512x1024xi1>
// CHECK: %[[RING:.+]] = vector_ext.ring.create : <slots = {{[0-9]+}}, tiles = [vector<128x128xi8>], layouts = [<[128, 128], order = [0, 1], bits = 8, panel = 128,
// CHECK: scf.for
// CHECK: vector_ext.ring.put %[[RING]][%[[N:.+]]], %[[MASK]] at
// CHECK-NEXT: %[[BYTES:.+]] = vector_ext.ring.get %[[RING]][%[[N]]]
// CHECK: %[[SCORES:.+]] = vector.contract
// CHECK: %[[BITS:.+]] = arith.trunci %[[BYTES]] overflow<nuw> : vector<128x128xi8> to vector<128x128xi1>
// CHECK-NEXT: vector_ext.ring.release %[[RING]][%[[N]]]
// CHECK: arith.select %[[BITS]], %[[SCORES]], %{{.+}} : vector<128x128xi1>, vector<128x128xf32>

// LOWER-LABEL: func.func @mask
// LOWER: nvgpu.tma.create.descriptor %{{.+}} : memref<*xi1> -> <tensor = memref<128x128xi8, #gpu.address_space<workgroup>>, swizzle = swizzle_128b,
// LOWER: vector_ext.role first(0)
// LOWER: %[[TILE:.+]] = vector_ext.shared_tile {{.*}}vector<128x128xi8>
// LOWER: arith.trunci %[[TILE]]
// LOWER-NEXT: nvvm.fence.proxy
// LOWER-NEXT: nvvm.bar.warp.sync
// LOWER-NEXT: nvgpu.mbarrier.arrive.expect_tx
func.func @mask(%a: memref<512x64xf16>, %b: memref<1024x64xf16>, %mask: memref<512x1024xi1>, %c: memref<512x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  %pad = ub.poison : f16
  %false = arith.constant false
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %hidden = arith.constant dense<0xFF800000> : vector<128x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> (d0 * 128)>(%x)
    %lhs = vector.transfer_read %a[%m, %c0], %pad {in_bounds = [true, true]} : memref<512x64xf16>, vector<128x64xf16>
    %0 = scf.for %n = %c0 to %c1024 step %c128 iter_args(%most = %hidden) -> (vector<128x128xf32>) {
      %rhs = vector.transfer_read %b[%n, %c0], %pad {in_bounds = [true, true]} : memref<1024x64xf16>, vector<128x64xf16>
      %bits = vector.transfer_read %mask[%m, %n], %false {in_bounds = [true, true]} : memref<512x1024xi1>, vector<128x128xi1>
      %scores = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %zero : vector<128x64xf16>, vector<128x64xf16> into vector<128x128xf32>
      %visible = arith.select %bits, %scores, %hidden : vector<128x128xi1>, vector<128x128xf32>
      %next = arith.maximumf %most, %visible : vector<128x128xf32>
      scf.yield %next : vector<128x128xf32>
    }
    vector.transfer_write %0, %c[%m, %c0] {in_bounds = [true, true]} : vector<128x128xf32>, memref<512x128xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}

// -----

// Rows of 1000 bytes are no multiple of 16: threads read them where they are.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n128k16.f32.f16", subgroups = [2, 1]>

// CHECK-LABEL: func.func @negative_rows
// CHECK-NOT: vector<128x128xi8>
// CHECK: vector.transfer_read %{{.+}} : memref<512x1000xi1>, vector<128x128xi1>

// LOWER-LABEL: func.func @negative_rows
// LOWER-NOT: memref<*xi1>
// LOWER: vector.transfer_read %{{.+}} : memref<512x1000xi1>, vector<128x128xi1>
func.func @negative_rows(%a: memref<512x64xf16>, %b: memref<896x64xf16>, %mask: memref<512x1000xi1>, %c: memref<512x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c896 = arith.constant 896 : index
  %pad = ub.poison : f16
  %false = arith.constant false
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %hidden = arith.constant dense<0xFF800000> : vector<128x128xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %m = affine.apply affine_map<(d0) -> (d0 * 128)>(%x)
    %lhs = vector.transfer_read %a[%m, %c0], %pad {in_bounds = [true, true]} : memref<512x64xf16>, vector<128x64xf16>
    %0 = scf.for %n = %c0 to %c896 step %c128 iter_args(%most = %hidden) -> (vector<128x128xf32>) {
      %rhs = vector.transfer_read %b[%n, %c0], %pad {in_bounds = [true, true]} : memref<896x64xf16>, vector<128x64xf16>
      %bits = vector.transfer_read %mask[%m, %n], %false {in_bounds = [true, true]} : memref<512x1000xi1>, vector<128x128xi1>
      %scores = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config}
              %lhs, %rhs, %zero : vector<128x64xf16>, vector<128x64xf16> into vector<128x128xf32>
      %visible = arith.select %bits, %scores, %hidden : vector<128x128xi1>, vector<128x128xf32>
      %next = arith.maximumf %most, %visible : vector<128x128xf32>
      scf.yield %next : vector<128x128xf32>
    }
    vector.transfer_write %0, %c[%m, %c0] {in_bounds = [true, true]} : vector<128x128xf32>, memref<512x128xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, persist = 1 : i64, rotate = false, slots = 0 : i64, threads = 256 : i64, way = "roles"}}
  return
}
