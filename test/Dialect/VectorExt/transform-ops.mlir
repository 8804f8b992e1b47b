// RUN: linalg-ext-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @rows
// CHECK: gpu.launch
// CHECK: gpu.shuffle  xor
// CHECK-NOT: vector<2x32xf32>
module attributes { transform.with_named_sequence } {
  func.func @rows(%in: memref<2x32xf32>, %out: memref<2xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c32, %ny = %c1, %nz = %c1) {
      %zero = arith.constant 0.0 : f32
      %low = arith.constant dense<0xFF800000> : vector<2xf32>
      %x = vector.transfer_read %in[%c0, %c0], %zero {in_bounds = [true, true]} : memref<2x32xf32>, vector<2x32xf32>
      %m = vector.multi_reduction <maximumf>, %x, %low [1] : vector<2x32xf32> to vector<2xf32>
      vector.transfer_write %m, %out[%c0] {in_bounds = [true]} : vector<2xf32>, memref<2xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.vector_ext.distribute %launch : !transform.any_op
    transform.yield
  }
}

// -----

// By default, a subgroup has the lanes of the target.

// CHECK-LABEL: func @lanes_of_the_target
// CHECK-DAG: %[[LANES:.*]] = arith.constant 64 : i32
// CHECK: gpu.shuffle  xor %{{.*}}, %{{.*}}, %[[LANES]]
module attributes { transform.with_named_sequence,
    dlti.target_system_spec = #dlti.target_system_spec<
        "GPU" = #dlti.target_device_spec<"lanes" = 64 : i64>> } {
  func.func @lanes_of_the_target(%in: memref<?x64xf32>, %out: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c64, %ny = %c1, %nz = %c1) {
      %zero = arith.constant 0.0 : f32
      %low = arith.constant dense<0xFF800000> : vector<4xf32>
      %x = vector.transfer_read %in[%c0, %c0], %zero {in_bounds = [true, true]} : memref<?x64xf32>, vector<4x64xf32>
      %m = vector.multi_reduction <maximumf>, %x, %low [1] : vector<4x64xf32> to vector<4xf32>
      vector.transfer_write %m, %out[%c0] {in_bounds = [true]} : vector<4xf32>, memref<?xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.vector_ext.distribute %launch : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @patterns
// CHECK: math.exp2
// CHECK: arith.cmpi slt, {{.*}} : vector<4xi32>
module attributes { transform.with_named_sequence } {
  func.func @patterns(%x: vector<4xf32>, %y: vector<4xf32>, %n: i32) -> (vector<4xf32>, vector<4xi1>) {
    %d = arith.subf %x, %y : vector<4xf32>
    %0 = math.exp %d : vector<4xf32>
    %1 = arith.index_cast %n : i32 to index
    %2 = vector.broadcast %1 : index to vector<4xindex>
    %3 = vector.step : vector<4xindex>
    %4 = arith.cmpi slt, %3, %2 : vector<4xindex>
    return %0, %4 : vector<4xf32>, vector<4xi1>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector_ext.excess_precision
      transform.apply_patterns.vector_ext.factor_out_of_sums
      transform.apply_patterns.vector_ext.fold_exp2
      transform.apply_patterns.vector_ext.narrow_comparisons
      transform.apply_patterns.vector_ext.merge_masks
      transform.apply_patterns.vector_ext.fold_first_factors
      transform.apply_patterns.vector_ext.approximate_exponents
    } : !transform.any_op
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  // expected-note@below {{payload op}}
  func.func @no_kernel() {
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{cannot distribute vectors: expected 'gpu.launch' or 'gpu.func', got 'func.func'}}
    transform.vector_ext.distribute %func : !transform.any_op
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  func.func @odd_block() {
    %c1 = arith.constant 1 : index
    %c48 = arith.constant 48 : index
    // expected-note@below {{payload op}}
    // expected-note@below {{expected a block of a multiple of 32 threads, got 48}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c48, %ny = %c1, %nz = %c1) {
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error@below {{cannot distribute vectors}}
    transform.vector_ext.distribute %launch : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @widen
// CHECK: vector.contract {{.*}} : vector<16x16xf16>, vector<8x16xf16> into vector<16x8xf32>
module attributes { transform.with_named_sequence } {
  func.func @widen(%x: vector<16xf16>, %y: vector<8x16xf16>, %acc: vector<8xf32>) -> vector<8xf32> {
    %0 = vector.contract {
        indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>],
        iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %acc
        : vector<16xf16>, vector<8x16xf16> into vector<8xf32>
    return %0 : vector<8xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector_ext.widen_contraction
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @stage
// CHECK: nvgpu.tma.create.descriptor
// CHECK: vector_ext.shared_tile
module attributes { transform.with_named_sequence } {
  func.func @stage(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %pad = ub.poison : f16
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
      %acc = arith.constant dense<0.0> : vector<64x64xf32>
      %x = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
      %y = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
      %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
              iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
              vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
           %x, %y, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.vector_ext.stage_tiles %launch {slots = 1 : i64} : !transform.any_op
    transform.vector_ext.lower_rings %launch : !transform.any_op
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  func.func @stage_refused(%a: memref<64x68xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %pad = ub.poison : f16
    // expected-note @+1 {{payload op}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
      %acc = arith.constant dense<0.0> : vector<64x64xf32>
      %x = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x68xf16>, vector<64x64xf16>
      %y = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
      %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
              iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
              vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
           %x, %y, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot stage tiles: the rows of the buffer have 136 bytes, expected a multiple of 16}}
    transform.vector_ext.stage_tiles %launch : !transform.any_op
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  // expected-note @+1 {{payload op}}
  func.func @stage_other() {
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot stage tiles: expected 'gpu.launch', got 'func.func'}}
    transform.vector_ext.stage_tiles %func : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @rotate
// CHECK: scf.for
// CHECK: vector_ext.await
// CHECK: scf.yield
module attributes { transform.with_named_sequence } {
  func.func @rotate(%a: memref<64x?xi8>, %y: vector<64x64xf16>, %n: index) -> vector<64x64xf32> {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %pad = arith.constant 0 : i8
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
      %q = vector.transfer_read %a[%c0, %i], %pad {in_bounds = [true, true]} : memref<64x?xi8>, vector<64x64xi8>
      %w = arith.sitofp %q : vector<64x64xi8> to vector<64x64xf32>
      %x = arith.truncf %w : vector<64x64xf32> to vector<64x64xf16>
      %o = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
              iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>,
              vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
           %x, %y, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
      scf.yield %o : vector<64x64xf32>
    }
    return %r : vector<64x64xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.vector_ext.rotate_loops %func {registers = 240 : i64} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  // expected-note @+1 {{payload op}}
  func.func @rotate_nothing() {
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot rotate loops: expected asynchronous products in a loop, and an order that is better than that of the loop}}
    transform.vector_ext.rotate_loops %func : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @rings
// CHECK: vector_ext.role first(0) threads(128) registers(240)
// CHECK: scf.for
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK: vector_ext.role first(128) threads(128) single registers(24)
// CHECK: nvgpu.tma.async.load
module attributes { transform.with_named_sequence } {
  func.func @rings(%a: memref<?x64xf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
      %ring = vector_ext.ring.create : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
      vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [affine_map<(d0, d1) -> (d0, d1)>]} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x64xf16>
      %t = vector_ext.ring.get %ring[%c0] : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
      vector_ext.ring.release %ring[%c0] : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.vector_ext.persist_workgroups %launch {directions = 2 : i64} : !transform.any_op
    transform.vector_ext.assign_roles %launch : !transform.any_op
    transform.vector_ext.lower_rings %launch : !transform.any_op
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  func.func @persist_refused(%a: memref<?x64xf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    // expected-note @+1 {{payload op}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
      %ring = vector_ext.ring.create : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
      vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [affine_map<(d0, d1) -> (d0, d1)>]} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x64xf16>
      gpu.barrier
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot persist workgroups: expected a program without roles, barriers and ops for the number of the workgroup}}
    transform.vector_ext.persist_workgroups %launch : !transform.any_op
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  func.func @roles_refused(%a: memref<?x64xf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    // expected-note @+1 {{payload op}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
      %ring = vector_ext.ring.create : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
      vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [affine_map<(d0, d1) -> (d0, d1)>]} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x64xf16>
      gpu.barrier
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot assign roles: expected a program without barriers and roles}}
    transform.vector_ext.assign_roles %launch : !transform.any_op
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  func.func @rings_refused(%a: memref<?x64xf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    // expected-note @+1 {{payload op}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
      %ring = vector_ext.ring.create : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
      vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [affine_map<(d0, d1) -> (d0, d1)>]} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x64xf16>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot lower rings: expected a get of the same position behind it in its block}}
    transform.vector_ext.lower_rings %launch : !transform.any_op
    transform.yield
  }
}

// -----

// expected-error @+1 {{expected 'lanes' of the device 'GPU' to be an integer from 1 to 2^31 - 1, got 0 : i64}}
module attributes { transform.with_named_sequence, dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"lanes" = 0>> } {
  func.func @rotate_for_nothing() {
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{expected a valid description of the device}}
    transform.vector_ext.rotate_loops %func : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @shared
// CHECK: gpu.launch clusters(
// CHECK: vector_ext.ring.put
// CHECK-SAME: shared = array<i64: 0>
module attributes { transform.with_named_sequence } {
  func.func @shared(%a: memref<?x64xf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c128, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
      %ring = vector_ext.ring.create : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
      vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [affine_map<(d0, d1) -> (d0, d1)>]} : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>, memref<?x64xf16>
      %t = vector_ext.ring.get %ring[%c0] : !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>], layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.vector_ext.share_tiles %launch {cluster = 4 : i64} : !transform.any_op
    transform.yield
  }
}

// -----

module attributes { transform.with_named_sequence } {
  func.func @share_refused(%a: memref<?x64xf16>) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    // expected-note @+1 {{payload op}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
      gpu.terminator
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %launch = transform.structured.match ops{["gpu.launch"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{cannot share tiles: expected a known multiple of 2 workgroups, got 1}}
    transform.vector_ext.share_tiles %launch : !transform.any_op
    transform.yield
  }
}
