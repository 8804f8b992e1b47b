// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads=steps=sum-in-parts --split-input-file | FileCheck %s

// The terms of sums in registers: eight are computed in front of the first op that
// reads one of them. What nobody reads is not computed.

// CHECK-LABEL: func @sums
// CHECK-SAME:    %[[X:[a-z0-9]*]]: vector<256xf32>, %[[Y:[a-z0-9]*]]: vector<256xf16>
// CHECK:         gpu.launch
// CHECK:         %[[Y0:.*]] = vector.extract_strided_slice %[[Y]] {offsets = [0], sizes = [8], strides = [1]}
// CHECK:         %[[E0:.*]] = arith.extf %[[Y0]] : vector<8xf16> to vector<8xf32>
// CHECK:         %[[X0:.*]] = vector.extract_strided_slice %[[X]] {offsets = [0], sizes = [8], strides = [1]}
// CHECK:         %[[P0:.*]] = arith.mulf %[[X0]], %[[E0]] : vector<8xf32>
// CHECK:         %[[P0_1:.*]] = vector.extract %[[P0]][1]
// CHECK:         %[[P0_0:.*]] = vector.extract %[[P0]][0]
// CHECK:         %[[S0:.*]] = arith.addf %[[P0_0]], %[[P0_1]]
// CHECK:         memref.store %[[S0]]
// CHECK:         %[[X31:.*]] = vector.extract_strided_slice %[[X]] {offsets = [248], sizes = [8], strides = [1]}
// CHECK:         %[[P31:.*]] = arith.mulf %[[X31]]
// CHECK:         %[[P31_7:.*]] = vector.extract %[[P31]][7]
// CHECK:         memref.store %[[P31_7]]
// CHECK-NOT:     vector.extract_strided_slice
// CHECK:         gpu.terminator
func.func @sums(%x: vector<256xf32>, %y: vector<256xf16>, %out: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %e = arith.extf %y : vector<256xf16> to vector<256xf32>
    %p = arith.mulf %x, %e : vector<256xf32>
    %p1 = vector.extract %p[1] : f32 from vector<256xf32>
    %p0 = vector.extract %p[0] : f32 from vector<256xf32>
    %s0 = arith.addf %p0, %p1 : f32
    memref.store %s0, %out[%c0] : memref<2xf32>
    %p255 = vector.extract %p[255] : f32 from vector<256xf32>
    memref.store %p255, %out[%c1] : memref<2xf32>
    gpu.terminator
  }
  return
}

// -----

// Few registers; a result that is stored as well; a position that is not known;
// and a reader in another block.

// CHECK-LABEL: func @negative
// CHECK-NOT:     vector.extract_strided_slice
// CHECK-NOT:     vector<8xf32>
// CHECK:         return
func.func @negative(%few: vector<128xf32>, %x: vector<256xf32>, %out: memref<?xf32>, %at: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = arith.mulf %few, %few : vector<128xf32>
    %a0 = vector.extract %a[0] : f32 from vector<128xf32>
    memref.store %a0, %out[%c0] : memref<?xf32>
    %b = arith.mulf %x, %x : vector<256xf32>
    %b0 = vector.extract %b[0] : f32 from vector<256xf32>
    memref.store %b0, %out[%c0] : memref<?xf32>
    vector.store %b, %out[%c0] : memref<?xf32>, vector<256xf32>
    %d = arith.addf %x, %x : vector<256xf32>
    %d0 = vector.extract %d[%at] : f32 from vector<256xf32>
    memref.store %d0, %out[%c0] : memref<?xf32>
    %e = arith.subf %x, %b : vector<256xf32>
    scf.if %c {
      %e0 = vector.extract %e[0] : f32 from vector<256xf32>
      memref.store %e0, %out[%c0] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
