// RUN: linalg-ext-opt %s --linalg-ext-select-config="first=wgmma.m64n96k16.f32.f16,wgmma.m64n64k16.f32.f16,wgmma.m64n8k16.f32.f16" | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-select-config | FileCheck %s --check-prefix=TARGET
// RUN: not linalg-ext-opt %s --linalg-ext-select-config="first=wgmma" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: option 'first': expected the name of a known instruction, got 'wgmma'

// The first instruction that divides the tile; others only for other tiles. Launches
// that are not marked for asynchronous products have none of them.

// CHECK-LABEL: func @products
// CHECK: vector.contract {{.*}}intrinsic = "wgmma.m64n64k16.f32.f16", subgroups = [1, 1]
// CHECK: vector.contract {{.*}}intrinsic = "mma.sync.m16n8k16.f32.f16"
// TARGET-LABEL: func @products
// TARGET: vector.contract {{.*}}intrinsic = "mma.sync.m16n8k16.f32.f16"
// TARGET: vector.contract {{.*}}intrinsic = "mma.sync.m16n8k16.f32.f16"
func.func @products(%a: memref<64x64xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %zero32 = arith.constant dense<0.0> : vector<32x64xf32>
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %y = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x64xf16>, vector<32x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %x, %x, %zero : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    %1 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %y, %x, %zero32 : vector<32x64xf16>, vector<64x64xf16> into vector<32x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    vector.transfer_write %1, %c[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<64x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

// CHECK-LABEL: func @negative_unmarked
// CHECK-NOT: wgmma
// CHECK: vector.contract {{.*}}intrinsic = "mma.sync.m16n8k16.f32.f16"
// TARGET-LABEL: func @negative_unmarked
// TARGET: vector.contract {{.*}}intrinsic = "mma.sync.m16n8k16.f32.f16"
func.func @negative_unmarked(%a: memref<64x64xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %x, %x, %zero : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  }
  return
}
