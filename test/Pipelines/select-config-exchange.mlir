// RUN: linalg-ext-opt %s --linalg-ext-select-config="first=wgmma.m64n64k16.f32.f16,wgmma.m64n40k16.f32.f16" | FileCheck %s

// Columns of a product are rows of instructions where the kernel says so: the right
// operand comes first, and the instruction has as many columns as the tile has rows.

// CHECK-LABEL: func @exchanged
//   CHECK-DAG: %[[A:.*]] = vector.transfer_read {{.*}}, vector<40x64xf16>
//   CHECK-DAG: %[[B:.*]] = vector.transfer_read {{.*}}, vector<64x64xf16>
//       CHECK: vector.contract {{.*}} %[[B]], %[[A]], %{{.*}} {{.*}}intrinsic = "wgmma.m64n40k16.f32.f16"{{.*}} : vector<64x64xf16>, vector<40x64xf16> into vector<40x64xf32>
func.func @exchanged(%a: memref<40x64xf16>, %b: memref<64x64xf16>, %c: memref<40x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<40x64xf32>
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<40x64xf16>, vector<40x64xf16>
    %y = vector.transfer_read %b[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %x, %y, %zero : vector<40x64xf16>, vector<64x64xf16> into vector<40x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<40x64xf32>, memref<40x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {exchange = 40 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}

// An operand that threads compute stays where it is.

// CHECK-LABEL: func @negative_computed
//       CHECK: %[[N:.*]] = arith.negf
//       CHECK: vector.contract {{.*}} %[[N]], %{{.*}}, %{{.*}} :
func.func @negative_computed(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %h = arith.constant 0.0 : f16
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %x = vector.transfer_read %a[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %n = arith.negf %x : vector<64x64xf16>
    %y = vector.transfer_read %b[%c0, %c0], %h {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %n, %y, %zero : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    vector.transfer_write %0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    gpu.terminator
  } {vector_ext.kernel = {exchange = 64 : i64, number = 0 : i64, rotate = false, slots = 0 : i64, threads = 128 : i64, way = "async"}}
  return
}
