// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=sm_80 --linalg-ext-select-config | FileCheck %s --check-prefix=SIGNS
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=gfx942 --linalg-ext-select-config | FileCheck %s --check-prefix=SIGNED

// Integers that are extended are multiplied as bytes, by the instruction for their signs. Where
// there is only one for signed bytes, the unsigned ones lose 128, which two products with 64
// make up for.

// SIGNS-LABEL: func @mixed
// SIGNS:         vector.contract {{.*}}intrinsic = "mma.sync.m16n8k32.s32.u8.s8"{{.*}}vector_ext.unsigned = array<i1: true, false>{{.*}} : vector<64x64xi8>, vector<64x64xi8> into vector<64x64xi32>
// SIGNED-LABEL: func @mixed
// SIGNED-DAG:     %[[HIGH:.*]] = arith.constant dense<-128> : vector<64x64xi8>
// SIGNED-DAG:     %[[HALF:.*]] = arith.constant dense<64> : vector<64x64xi8>
// SIGNED-DAG:     %[[X:.*]] = arith.xori %{{.*}}, %[[HIGH]]
// SIGNED:         %[[ONE:.*]] = vector.contract {{.*}} %[[HALF]], %[[Y:.*]], %{{.*}} {vector_ext.config = {{.*}}intrinsic = "mfma.m16n16k32.i32.i8.transposed"
// SIGNED:         %[[TWO:.*]] = vector.contract {{.*}} %{{.*}}, %[[Y]], %[[ONE]]
// SIGNED:         vector.contract {{.*}} %[[X]], %[[Y]], %[[TWO]]
// SIGNED-NOT:     vector_ext.unsigned
func.func @mixed(%a: memref<64x64xi8>, %c: memref<64x64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %z8 = arith.constant 0 : i8
    %z32 = arith.constant 0 : i32
    %acc = vector.transfer_read %c[%c0, %c0], %z32 {in_bounds = [true, true]} : memref<64x64xi32>, vector<64x64xi32>
    %x = vector.transfer_read %a[%c0, %c0], %z8 {in_bounds = [true, true]} : memref<64x64xi8>, vector<64x64xi8>
    %xw = arith.extui %x : vector<64x64xi8> to vector<64x64xi32>
    %yw = arith.extsi %x : vector<64x64xi8> to vector<64x64xi32>
    %1 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %xw, %yw, %acc : vector<64x64xi32>, vector<64x64xi32> into vector<64x64xi32>
    vector.transfer_write %1, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xi32>, memref<64x64xi32>
    gpu.terminator
  }
  return
}

// Both operands of a product of rows with each other are one value.

// SIGNS-LABEL: func @same
// SIGNS:         %[[X:.*]] = vector.transfer_read {{.*}} vector<64x64xi8>
// SIGNS-NOT:     arith.extui
// SIGNS:         vector.contract {{.*}} %[[X]], %[[X]], %{{.*}} {{.*}}intrinsic = "mma.sync.m16n8k32.s32.u8.u8"
// SIGNED-LABEL: func @same
// SIGNED:         vector.contract
// SIGNED-NOT:     arith.extui
// SIGNED:         gpu.terminator
func.func @same(%a: memref<64x64xi8>, %c: memref<64x64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %z8 = arith.constant 0 : i8
    %z32 = arith.constant 0 : i32
    %acc = vector.transfer_read %c[%c0, %c0], %z32 {in_bounds = [true, true]} : memref<64x64xi32>, vector<64x64xi32>
    %x = vector.transfer_read %a[%c0, %c0], %z8 {in_bounds = [true, true]} : memref<64x64xi8>, vector<64x64xi8>
    %w = arith.extui %x : vector<64x64xi8> to vector<64x64xi32>
    %1 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %w, %w, %acc : vector<64x64xi32>, vector<64x64xi32> into vector<64x64xi32>
    vector.transfer_write %1, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xi32>, memref<64x64xi32>
    gpu.terminator
  }
  return
}

// Rows and columns that do not exist are zeros: nothing is left of the extensions.

// SIGNS-LABEL: func @beyond
// SIGNS:         vector.transfer_read {{.*}} vector<64x64xi8>
// SIGNS-NOT:     arith.extsi
// SIGNS:         arith.select {{.*}} vector<64x64xi8>
// SIGNS-NOT:     arith.extsi
// SIGNS:         vector.contract {{.*}}intrinsic = "mma.sync.m16n8k32.s32.s8.s8"
// SIGNS-NOT:     arith.extsi
// SIGNS:         gpu.terminator
func.func @beyond(%a: memref<64x64xi8>, %c: memref<64x64xi32>, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %z8 = arith.constant 0 : i8
    %z32 = arith.constant 0 : i32
    %zeros = arith.constant dense<0> : vector<64x64xi32>
    %acc = vector.transfer_read %c[%c0, %c0], %z32 {in_bounds = [true, true]} : memref<64x64xi32>, vector<64x64xi32>
    %x = vector.transfer_read %a[%c0, %c0], %z8 {in_bounds = [true, true]} : memref<64x64xi8>, vector<64x64xi8>
    %w = arith.extsi %x : vector<64x64xi8> to vector<64x64xi32>
    %mask = vector.create_mask %c64, %columns : vector<64x64xi1>
    %s = arith.select %mask, %w, %zeros : vector<64x64xi1>, vector<64x64xi32>
    %1 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
         %s, %s, %acc : vector<64x64xi32>, vector<64x64xi32> into vector<64x64xi32>
    vector.transfer_write %1, %c[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xi32>, memref<64x64xi32>
    gpu.terminator
  }
  return
}
