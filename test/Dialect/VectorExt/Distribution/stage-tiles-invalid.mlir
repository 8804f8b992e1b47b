// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=stage-tiles --split-input-file --verify-diagnostics
// RUN: not linalg-ext-opt %s --vector-ext-pipeline-products='steps=stage-tiles slots=-1' --split-input-file 2>&1 | FileCheck %s --check-prefix=SLOTS
// SLOTS: error: cannot stage tiles: expected at least 0 slots, got -1

// What cannot be copied as a whole is refused.

func.func @dynamic_rows(%a: memref<64x?xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    // expected-error @+1 {{cannot stage tiles: the rows of the buffer have a size that is not known}}
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x?xf16>, vector<64x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @strided(%a: memref<64x64xf16, strided<[128, 1]>>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    // expected-error @+1 {{cannot stage tiles: the buffer that is read has strides}}
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16, strided<[128, 1]>>, vector<64x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

// A row that is no multiple of 16 bytes.
func.func @row_bytes(%a: memref<64x66xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    // expected-error @+1 {{cannot stage tiles: the rows of the buffer have 132 bytes, expected a multiple of 16}}
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x66xf16>, vector<64x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @rank(%a: memref<1x64x1x1x1x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    // expected-error @+1 {{cannot stage tiles: the buffer that is read has 6 dimensions, expected at most 5 from the first on of which the tile has more than one element}}
    %lhs = vector.transfer_read %a[%c0, %c0, %c0, %c0, %c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(a, i, b, c, d, j) -> (i, j)>} : memref<1x64x1x1x1x64xf16>, vector<64x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

// Elements behind a border are one.
func.func @border(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 1.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    // expected-error @+1 {{cannot stage tiles: elements that are hidden are not read as zero}}
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, false]} : memref<64x64xf16>, vector<64x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

// An end that the kernel loads.
func.func @loaded_end(%a: memref<?x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>, %lengths: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    %length = memref.load %lengths[%x] : memref<4xindex>
    %count = arith.minsi %length, %c64 : index
    %mask = vector.create_mask %count, %c64 : vector<64x64xi1>
    // expected-error @+1 {{cannot stage tiles: a mask hides elements in front of an end that is known before the launch}}
    %lhs = vector.transfer_read %a[%c0, %c0], %pad, %mask {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

// A part of a tile that no buffer ends in.
func.func @part(%a: memref<?x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>, %lengths: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    %mask = vector.constant_mask [32, 64] : vector<64x64xi1>
    // expected-error @+1 {{cannot stage tiles: a mask hides elements in front of an end that is known before the launch}}
    %lhs = vector.transfer_read %a[%x, %c0], %pad, %mask {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

// A mask that is computed by element.
func.func @any_mask(%a: memref<?x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>, %lengths: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    %zero = arith.constant dense<0> : vector<64xindex>
    %step = vector.step : vector<64xindex>
    %odd = arith.cmpi ne, %step, %zero : vector<64xindex>
    %mask = vector.broadcast %odd : vector<64xi1> to vector<64x64xi1>
    // expected-error @+1 {{cannot stage tiles: a mask that counts no elements says which are read}}
    %lhs = vector.transfer_read %a[%c0, %c0], %pad, %mask {in_bounds = [true, true]} : memref<?x64xf16>, vector<64x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @broadcast(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    // expected-error @+1 {{cannot stage tiles: the tile repeats elements of the buffer}}
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (0, j)>} : memref<64x64xf16>, vector<64x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @not_contiguous(%a: memref<64x64x8xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    // expected-error @+1 {{cannot stage tiles: the instruction cannot read the tile as it is copied: the rows of the buffer are not contiguous in it}}
    %lhs = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(i, j, k) -> (i, j)>} : memref<64x64x8xf16>, vector<64x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @computed(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    %rhs = arith.constant dense<1.0> : vector<64x64xf16>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    // expected-error @+1 {{cannot stage tiles: the right operand is not read from memory}}
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @registers(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>, %d: memref<64x64xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    // expected-error @+1 {{cannot stage tiles: the tile is also used in registers}}
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    vector.transfer_write %lhs, %d[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<64x64xf16>
    gpu.terminator
  }
  return
}

// -----

func.func @sync(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    // expected-error @+1 {{cannot stage tiles: expected a contraction with an asynchronous instruction}}
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

// -----

func.func @rows_anywhere(%pool: memref<?x64xf16>, %q: memref<64x64xf16>, %c: memref<64x64xf32>, %i: index, %n: index, %rows: vector<64xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    %lhs = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    // expected-error @+1 {{cannot stage tiles: the positions of gathered rows are not contiguous in parts of a multiple of 2 rows}}
    %rhs = vector_ext.transfer_gather %pool[%c0, %c0] indices(%rows : vector<64xindex>)
      {indexing_maps = [affine_map<(i, j)[p] -> (p, j)>, affine_map<(i, j) -> (i)>]} : memref<?x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @unaligned_pages(%pool: memref<?x32x64xf16>, %q: memref<64x64xf16>, %c: memref<64x64xf32>, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    %lhs = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    // Of rows from %i on nobody knows where a page begins.
    %five = arith.constant dense<5> : vector<64xindex>
    %rest = arith.constant dense<31> : vector<64xindex>
    %step = vector.step : vector<64xindex>
    %from = vector.broadcast %i : index to vector<64xindex>
    %s = arith.addi %step, %from : vector<64xindex>
    %page = arith.shrsi %s, %five : vector<64xindex>
    %row = arith.andi %s, %rest : vector<64xindex>
    // expected-error @+1 {{cannot stage tiles: the positions of gathered rows are not contiguous in parts of a multiple of 2 rows}}
    %rhs = vector_ext.transfer_gather %pool[%c0, %c0, %c0] indices(%page, %row : vector<64xindex>, vector<64xindex>)
      {indexing_maps = [affine_map<(i, j)[p, r] -> (p, r, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]} : memref<?x32x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @other_mask(%pool: memref<?x64xf16>, %q: memref<64x64xf16>, %c: memref<64x64xf32>, %i: index, %n: index, %mask: vector<64xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    %lhs = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    // expected-error @+1 {{cannot stage tiles: the mask of gathered rows hides others than whole parts and the last rows}}
    %rhs = vector_ext.transfer_gather %pool[%i, %c0] mask(%mask : vector<64xi1>)
      {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : memref<?x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @mask_of_columns(%pool: memref<?x64xf16>, %q: memref<64x64xf16>, %c: memref<64x64xf32>, %i: index, %n: index, %mask: vector<64xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    %lhs = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    // expected-error @+1 {{cannot stage tiles: the mask of gathered rows is not along the first dimension}}
    %rhs = vector_ext.transfer_gather %pool[%i, %c0] mask(%mask : vector<64xi1>)
      {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>]} : memref<?x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @gathered_columns(%pool: memref<?x64xf16>, %q: memref<64x64xf16>, %c: memref<64x64xf32>, %i: index, %n: index, %rows: vector<64xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    %lhs = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    // expected-error @+1 {{cannot stage tiles: other than the first dimension of a tile is gathered}}
    %rhs = vector_ext.transfer_gather %pool[%c0, %c0] indices(%rows : vector<64xindex>)
      {indexing_maps = [affine_map<(i, j)[p] -> (p, i)>, affine_map<(i, j) -> (j)>]} : memref<?x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @pool_rank(%pool: memref<?x1x1x1x64x64xf16>, %q: memref<64x64xf16>, %c: memref<64x64xf32>, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x64xf32>
    %lhs = vector.transfer_read %q[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    // expected-error @+1 {{cannot stage tiles: the buffer of gathered rows has 6 dimensions, expected at most 5}}
    %rhs = vector_ext.transfer_gather %pool[%i, %c0, %c0, %c0, %c0, %c0]
      {indexing_maps = [affine_map<(i, j) -> (0, 0, 0, 0, i, j)>]} : memref<?x1x1x1x64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}

// -----

// Not even threads can copy rows of 16 bytes as instructions read them.

func.func @narrow_rows(%a: memref<?x8xf16>, %rows: vector<64xindex>, %b: memref<64x16xf16>, %c: memref<64x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x8xf32>
    %lhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x16xf16>, vector<64x16xf16>
    %some = vector.extract_strided_slice %rows {offsets = [0], sizes = [16], strides = [1]} : vector<64xindex> to vector<16xindex>
    // expected-error @+1 {{cannot stage tiles: the instruction cannot read the tile as threads copy it: its rows have no multiple of 32 bytes}}
    %rhs = vector_ext.transfer_gather %a[%c0, %c0] indices(%some : vector<16xindex>)
      {indexing_maps = [affine_map<(i, j)[p] -> (p, j)>, affine_map<(i, j) -> (i)>]} : memref<?x8xf16>, vector<16x8xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "wgmma.m64n8k16.f32.f16", subgroups = [1, 1]>}
         %lhs, %rhs, %acc : vector<64x16xf16>, vector<16x8xf16> into vector<64x8xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x8xf32>, memref<64x8xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0, rotate = false, slots = 0, threads = 128, way = "roles"}}
  return
}

// -----

// Threads load rows that the copying role has put into another order.

func.func @loaded_in_order(%a: memref<64x64xf16>, %b: memref<16x64xf16>, %c: memref<64x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %acc = arith.constant dense<0.0> : vector<64x16xf32>
    %lhs = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %rhs = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xf16>, vector<16x64xf16>
    // expected-error @+1 {{cannot stage tiles: the right operand has no rows that are read from memory in another order}}
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, vector_ext.config = #vector_ext.contract_config<intrinsic = "mma.sync.m16n8k16.f32.f16", subgroups = [4, 1]>}
         %lhs, %rhs, %acc : vector<64x64xf16>, vector<16x64xf16> into vector<64x16xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x16xf32>, memref<64x16xf32>
    gpu.terminator
  } {vector_ext.kernel = {loaded = true, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "roles"}}
  return
}
