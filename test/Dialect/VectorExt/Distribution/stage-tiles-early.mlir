// RUN: linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles slots=1' | FileCheck %s

// A bias, which threads read to registers, is read in front of the wait for the
// keys, in a kernel with roles: it arrives during the product.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>
#config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>

// CHECK-LABEL: func.func @early
// CHECK: scf.for %[[N:.+]] = %{{.+}} to
// CHECK: %[[COUNT:.+]] = arith.subi %{{.+}}, %[[N]]
// CHECK: %[[MASK:.+]] = vector.create_mask %{{.+}}, %[[COUNT]]
// CHECK: %[[BIAS:.+]] = vector.transfer_read %{{.+}}[%{{.+}}, %[[N]]], %{{.+}}, %[[MASK]]
// CHECK: vector_ext.ring.get
// CHECK: vector.contract
// CHECK: arith.addf %{{.+}}, %[[BIAS]]

// Aligned rows of 16 bits are copied: to a ring of their own, behind the product.
// CHECK-LABEL: func.func @copied
// CHECK-SAME: %{{.+}}: memref<64x64xf16>, %{{.+}}: memref<256x64xf16>, %[[MEMORY:.+]]: memref<64x256xf16>
// CHECK: scf.for %[[N:.+]] = %{{.+}} to
// CHECK: vector.contract
// CHECK: vector_ext.ring.put %[[RING:.+]][%[[AT:.+]]], %[[MEMORY]] at (%{{.+}}, %[[N]])
// CHECK: %[[BIAS:.+]] = vector_ext.ring.get %[[RING]][%[[AT]]]
// CHECK: %[[WIDE:.+]] = arith.extf %[[BIAS]]
// CHECK: vector_ext.ring.release %[[RING]]
// CHECK: arith.addf %{{.+}}, %[[WIDE]]

// Aligned rows of 32 bits are copied with room for 8 more elements in each row: threads,
// which load two elements of four rows at a time, then use all banks.
// CHECK-LABEL: func.func @copied_with_room
// CHECK: %[[RING:.+]] = vector_ext.ring.create : <{{.*}}tiles = [vector<64x64xf32>], layouts = [<[64, 64], order = [0, 1], bits = 32, panel = 72, padding = 0, swizzle = [0, 0, 0]>]>
// CHECK: vector_ext.ring.put %[[RING]][%{{.+}}], %{{.+}} at {{.*}} : {{.*}}, memref<64x256xf32>

// What the next iteration reads is not copied: the slot would be free by then.
// CHECK-LABEL: func.func @negative_copied_for_next
// CHECK: scf.for
// CHECK: vector_ext.ring.put
// CHECK: vector.transfer_read %{{.+}} : memref<64x256xf16>
// CHECK-NOT: vector_ext.ring.put
// CHECK: scf.yield

// Without roles, other workgroups compute while it arrives.
// CHECK-LABEL: func.func @late
// CHECK: scf.for
// CHECK: vector_ext.ring.get
// CHECK: vector.contract
// CHECK: vector.transfer_read

// What follows from what the loop carries is read where it is, and so is what the
// kernel writes.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for
// CHECK: vector_ext.ring.get
// CHECK: vector.transfer_read
// CHECK-LABEL: func.func @written
// CHECK: scf.for
// CHECK: vector_ext.ring.get
// CHECK: vector.transfer_read

func.func @early(%q: memref<64x64xf16>, %k: memref<256x64xf16>, %bias: memref<64x?xf32>, %out: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f16
  %zero32 = arith.constant 0.0 : f32
  %sum = arith.constant dense<0.0> : vector<64x64xf32>
  %c256 = arith.constant 256 : index
  %size = memref.dim %bias, %c1 : memref<64x?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %a = vector.transfer_read %q[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %r = scf.for %n = %c0 to %c256 step %c64 iter_args(%t = %sum) -> (vector<64x64xf32>) {
      %b = vector.transfer_read %k[%n, %c0], %zero {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %s = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %a, %b, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      %left = arith.subi %size, %n : index
      %mask = vector.create_mask %c64, %left : vector<64x64xi1>
      %more = vector.transfer_read %bias[%c0, %n], %zero32, %mask {in_bounds = [true, true]} : memref<64x?xf32>, vector<64x64xf32>
      %x = arith.addf %s, %more : vector<64x64xf32>
      %u = arith.maximumf %t, %x : vector<64x64xf32>
      scf.yield %u : vector<64x64xf32>
    }
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

func.func @copied(%q: memref<64x64xf16>, %k: memref<256x64xf16>, %bias: memref<64x256xf16>, %out: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f16
  %sum = arith.constant dense<0.0> : vector<64x64xf32>
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %a = vector.transfer_read %q[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %r = scf.for %n = %c0 to %c256 step %c64 iter_args(%t = %sum) -> (vector<64x64xf32>) {
      %b = vector.transfer_read %k[%n, %c0], %zero {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %s = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %a, %b, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      %narrow = vector.transfer_read %bias[%c0, %n], %zero {in_bounds = [true, true]} : memref<64x256xf16>, vector<64x64xf16>
      %more = arith.extf %narrow : vector<64x64xf16> to vector<64x64xf32>
      %x = arith.addf %s, %more : vector<64x64xf32>
      %u = arith.maximumf %t, %x : vector<64x64xf32>
      scf.yield %u : vector<64x64xf32>
    }
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

func.func @copied_with_room(%q: memref<64x64xf16>, %k: memref<256x64xf16>, %bias: memref<64x256xf32>, %out: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f16
  %zero32 = arith.constant 0.0 : f32
  %sum = arith.constant dense<0.0> : vector<64x64xf32>
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %a = vector.transfer_read %q[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %r = scf.for %n = %c0 to %c256 step %c64 iter_args(%t = %sum) -> (vector<64x64xf32>) {
      %b = vector.transfer_read %k[%n, %c0], %zero {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %s = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %a, %b, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      %more = vector.transfer_read %bias[%c0, %n], %zero32 {in_bounds = [true, true]} : memref<64x256xf32>, vector<64x64xf32>
      %x = arith.addf %s, %more : vector<64x64xf32>
      %u = arith.maximumf %t, %x : vector<64x64xf32>
      scf.yield %u : vector<64x64xf32>
    }
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

func.func @negative_copied_for_next(%q: memref<64x64xf16>, %k: memref<256x64xf16>, %bias: memref<64x256xf16>, %out: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f16
  %sum = arith.constant dense<0.0> : vector<64x64xf32>
  %none = arith.constant dense<0.0> : vector<64x64xf16>
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %a = vector.transfer_read %q[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %r:2 = scf.for %n = %c0 to %c256 step %c64 iter_args(%t = %sum, %before = %none) -> (vector<64x64xf32>, vector<64x64xf16>) {
      %b = vector.transfer_read %k[%n, %c0], %zero {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %s = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %a, %b, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      %narrow = vector.transfer_read %bias[%c0, %n], %zero {in_bounds = [true, true]} : memref<64x256xf16>, vector<64x64xf16>
      %more = arith.extf %before : vector<64x64xf16> to vector<64x64xf32>
      %x = arith.addf %s, %more : vector<64x64xf32>
      %u = arith.maximumf %t, %x : vector<64x64xf32>
      scf.yield %u, %narrow : vector<64x64xf32>, vector<64x64xf16>
    }
    vector.transfer_write %r#0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

func.func @late(%q: memref<64x64xf16>, %k: memref<256x64xf16>, %bias: memref<64x?xf32>, %out: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f16
  %zero32 = arith.constant 0.0 : f32
  %sum = arith.constant dense<0.0> : vector<64x64xf32>
  %c256 = arith.constant 256 : index
  %size = memref.dim %bias, %c1 : memref<64x?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %a = vector.transfer_read %q[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %r = scf.for %n = %c0 to %c256 step %c64 iter_args(%t = %sum) -> (vector<64x64xf32>) {
      %b = vector.transfer_read %k[%n, %c0], %zero {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %s = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %a, %b, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      %left = arith.subi %size, %n : index
      %mask = vector.create_mask %c64, %left : vector<64x64xi1>
      %more = vector.transfer_read %bias[%c0, %n], %zero32, %mask {in_bounds = [true, true]} : memref<64x?xf32>, vector<64x64xf32>
      %x = arith.addf %s, %more : vector<64x64xf32>
      %u = arith.maximumf %t, %x : vector<64x64xf32>
      scf.yield %u : vector<64x64xf32>
    }
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

func.func @carried(%q: memref<64x64xf16>, %k: memref<256x64xf16>, %bias: memref<64x?xf32>, %out: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f16
  %zero32 = arith.constant 0.0 : f32
  %sum = arith.constant dense<0.0> : vector<64x64xf32>
  %c256 = arith.constant 256 : index
  %size = memref.dim %bias, %c1 : memref<64x?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %a = vector.transfer_read %q[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %r:2 = scf.for %n = %c0 to %c256 step %c64 iter_args(%t = %sum, %at = %c0) -> (vector<64x64xf32>, index) {
      %b = vector.transfer_read %k[%n, %c0], %zero {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %s = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %a, %b, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      %left = arith.subi %size, %at : index
      %mask = vector.create_mask %c64, %left : vector<64x64xi1>
      %more = vector.transfer_read %bias[%c0, %at], %zero32, %mask {in_bounds = [true, true]} : memref<64x?xf32>, vector<64x64xf32>
      %x = arith.addf %s, %more : vector<64x64xf32>
      %u = arith.maximumf %t, %x : vector<64x64xf32>
      %next = arith.addi %at, %c64 : index
      scf.yield %u, %next : vector<64x64xf32>, index
    }
    vector.transfer_write %r#0, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}

func.func @written(%q: memref<64x64xf16>, %k: memref<256x64xf16>, %bias: memref<64x?xf32>, %out: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f16
  %zero32 = arith.constant 0.0 : f32
  %sum = arith.constant dense<0.0> : vector<64x64xf32>
  %c256 = arith.constant 256 : index
  %size = memref.dim %bias, %c1 : memref<64x?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %a = vector.transfer_read %q[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %r = scf.for %n = %c0 to %c256 step %c64 iter_args(%t = %sum) -> (vector<64x64xf32>) {
      %b = vector.transfer_read %k[%n, %c0], %zero {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
      %s = vector.contract {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #config} %a, %b, %sum : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      %left = arith.subi %size, %n : index
      %mask = vector.create_mask %c64, %left : vector<64x64xi1>
      %more = vector.transfer_read %bias[%c0, %n], %zero32, %mask {in_bounds = [true, true]} : memref<64x?xf32>, vector<64x64xf32>
      %x = arith.addf %s, %more : vector<64x64xf32>
      %u = arith.maximumf %t, %x : vector<64x64xf32>
      vector.transfer_write %x, %bias[%c0, %n], %mask {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x?xf32>
      scf.yield %u : vector<64x64xf32>
    }
    vector.transfer_write %r, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}
