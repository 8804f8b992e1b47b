// RUN: linalg-ext-opt %s --linalg-ext-gpu-optimize-threads=steps=branch-over-signs --split-input-file | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-gpu-optimize-threads{steps=branch-over-signs})' --split-input-file | FileCheck %s

// A thread has elements of two rows: two maxima of eight elements each. What is multiplied is
// loaded from a memory of any size.

// CHECK-LABEL: func @rows
// CHECK-SAME: %[[MEMORY:[^:]*]]: memref<?xf32>, %[[U:[^:]*]]: f32
// CHECK: %[[X:.*]] = vector.load %[[MEMORY]]
// CHECK-NOT: arith.mulf
// CHECK: %[[IS:.*]] = arith.cmpf oge, %[[U]], %{{.*}} : f32
// CHECK: %[[R:.*]]:2 = scf.if %[[IS]] -> (f32, f32) {
// CHECK-COUNT-16: vector.extract %[[X]]
// CHECK-COUNT-14: arith.maximumf
// CHECK-NOT: arith.m
// CHECK: } else {
// CHECK-COUNT-16: vector.extract %[[X]]
// CHECK-COUNT-14: arith.minimumf
// CHECK-NOT: arith.m
// CHECK: }
// CHECK: %[[A:.*]] = arith.mulf %[[R]]#0, %[[U]] : f32
// CHECK: %[[B:.*]] = arith.mulf %[[R]]#1, %[[U]] : f32
// CHECK: return %[[A]], %[[B]]
func.func @rows(%memory: memref<?xf32>, %u: f32, %i: index) -> (f32, f32) {
  %x = vector.load %memory[%i] : memref<?xf32>, vector<16xf32>
  %wide = vector.broadcast %u : f32 to vector<16xf32>
  %y = arith.mulf %x, %wide : vector<16xf32>
  %ae0 = vector.extract %y[0] : f32 from vector<16xf32>
  %ae1 = vector.extract %y[1] : f32 from vector<16xf32>
  %ae2 = vector.extract %y[2] : f32 from vector<16xf32>
  %ae3 = vector.extract %y[3] : f32 from vector<16xf32>
  %ae4 = vector.extract %y[4] : f32 from vector<16xf32>
  %ae5 = vector.extract %y[5] : f32 from vector<16xf32>
  %ae6 = vector.extract %y[6] : f32 from vector<16xf32>
  %ae7 = vector.extract %y[7] : f32 from vector<16xf32>
  %ae8 = vector.extract %y[8] : f32 from vector<16xf32>
  %ae9 = vector.extract %y[9] : f32 from vector<16xf32>
  %ae10 = vector.extract %y[10] : f32 from vector<16xf32>
  %ae11 = vector.extract %y[11] : f32 from vector<16xf32>
  %ae12 = vector.extract %y[12] : f32 from vector<16xf32>
  %ae13 = vector.extract %y[13] : f32 from vector<16xf32>
  %ae14 = vector.extract %y[14] : f32 from vector<16xf32>
  %ae15 = vector.extract %y[15] : f32 from vector<16xf32>
  %am2 = arith.maximumf %ae0, %ae2 : f32
  %am3 = arith.maximumf %ae1, %ae3 : f32
  %am4 = arith.maximumf %am2, %ae4 : f32
  %am5 = arith.maximumf %am3, %ae5 : f32
  %am6 = arith.maximumf %am4, %ae6 : f32
  %am7 = arith.maximumf %am5, %ae7 : f32
  %am8 = arith.maximumf %am6, %ae8 : f32
  %am9 = arith.maximumf %am7, %ae9 : f32
  %am10 = arith.maximumf %am8, %ae10 : f32
  %am11 = arith.maximumf %am9, %ae11 : f32
  %am12 = arith.maximumf %am10, %ae12 : f32
  %am13 = arith.maximumf %am11, %ae13 : f32
  %am14 = arith.maximumf %am12, %ae14 : f32
  %am15 = arith.maximumf %am13, %ae15 : f32
  return %am14, %am15 : f32, f32
}

// -----

// Other ops need the products: they are computed in any case.

// CHECK-LABEL: func @negative_other_use
// CHECK-NOT: scf.if
// CHECK: return
func.func @negative_other_use(%x: vector<16xf32>, %u: f32) -> (f32, f32, vector<16xf32>) {
  %wide = vector.broadcast %u : f32 to vector<16xf32>
  %y = arith.mulf %x, %wide : vector<16xf32>
  %ae0 = vector.extract %y[0] : f32 from vector<16xf32>
  %ae1 = vector.extract %y[1] : f32 from vector<16xf32>
  %ae2 = vector.extract %y[2] : f32 from vector<16xf32>
  %ae3 = vector.extract %y[3] : f32 from vector<16xf32>
  %ae4 = vector.extract %y[4] : f32 from vector<16xf32>
  %ae5 = vector.extract %y[5] : f32 from vector<16xf32>
  %ae6 = vector.extract %y[6] : f32 from vector<16xf32>
  %ae7 = vector.extract %y[7] : f32 from vector<16xf32>
  %ae8 = vector.extract %y[8] : f32 from vector<16xf32>
  %ae9 = vector.extract %y[9] : f32 from vector<16xf32>
  %ae10 = vector.extract %y[10] : f32 from vector<16xf32>
  %ae11 = vector.extract %y[11] : f32 from vector<16xf32>
  %ae12 = vector.extract %y[12] : f32 from vector<16xf32>
  %ae13 = vector.extract %y[13] : f32 from vector<16xf32>
  %ae14 = vector.extract %y[14] : f32 from vector<16xf32>
  %ae15 = vector.extract %y[15] : f32 from vector<16xf32>
  %am2 = arith.maximumf %ae0, %ae2 : f32
  %am3 = arith.maximumf %ae1, %ae3 : f32
  %am4 = arith.maximumf %am2, %ae4 : f32
  %am5 = arith.maximumf %am3, %ae5 : f32
  %am6 = arith.maximumf %am4, %ae6 : f32
  %am7 = arith.maximumf %am5, %ae7 : f32
  %am8 = arith.maximumf %am6, %ae8 : f32
  %am9 = arith.maximumf %am7, %ae9 : f32
  %am10 = arith.maximumf %am8, %ae10 : f32
  %am11 = arith.maximumf %am9, %ae11 : f32
  %am12 = arith.maximumf %am10, %ae12 : f32
  %am13 = arith.maximumf %am11, %ae13 : f32
  %am14 = arith.maximumf %am12, %ae14 : f32
  %am15 = arith.maximumf %am13, %ae15 : f32
  return %am14, %am15, %y : f32, f32, vector<16xf32>
}

// -----

// One element is read by another op; the factors differ; few elements cost less than the branch.

// CHECK-LABEL: func @negative_others
// CHECK-NOT: scf.if
// CHECK: return
func.func @negative_others(%x: vector<16xf32>, %factors: vector<16xf32>, %few: vector<4xf32>, %u: f32) -> (f32, f32, f32, f32, f32, f32, f32) {
  %wide = vector.broadcast %u : f32 to vector<16xf32>
  %y = arith.mulf %x, %wide : vector<16xf32>
  %be0 = vector.extract %y[0] : f32 from vector<16xf32>
  %be1 = vector.extract %y[1] : f32 from vector<16xf32>
  %be2 = vector.extract %y[2] : f32 from vector<16xf32>
  %be3 = vector.extract %y[3] : f32 from vector<16xf32>
  %be4 = vector.extract %y[4] : f32 from vector<16xf32>
  %be5 = vector.extract %y[5] : f32 from vector<16xf32>
  %be6 = vector.extract %y[6] : f32 from vector<16xf32>
  %be7 = vector.extract %y[7] : f32 from vector<16xf32>
  %be8 = vector.extract %y[8] : f32 from vector<16xf32>
  %be9 = vector.extract %y[9] : f32 from vector<16xf32>
  %be10 = vector.extract %y[10] : f32 from vector<16xf32>
  %be11 = vector.extract %y[11] : f32 from vector<16xf32>
  %be12 = vector.extract %y[12] : f32 from vector<16xf32>
  %be13 = vector.extract %y[13] : f32 from vector<16xf32>
  %be14 = vector.extract %y[14] : f32 from vector<16xf32>
  %be15 = vector.extract %y[15] : f32 from vector<16xf32>
  %bm2 = arith.maximumf %be0, %be2 : f32
  %bm3 = arith.maximumf %be1, %be3 : f32
  %bm4 = arith.maximumf %bm2, %be4 : f32
  %bm5 = arith.maximumf %bm3, %be5 : f32
  %bm6 = arith.maximumf %bm4, %be6 : f32
  %bm7 = arith.maximumf %bm5, %be7 : f32
  %bm8 = arith.maximumf %bm6, %be8 : f32
  %bm9 = arith.maximumf %bm7, %be9 : f32
  %bm10 = arith.maximumf %bm8, %be10 : f32
  %bm11 = arith.maximumf %bm9, %be11 : f32
  %bm12 = arith.maximumf %bm10, %be12 : f32
  %bm13 = arith.maximumf %bm11, %be13 : f32
  %bm14 = arith.maximumf %bm12, %be14 : f32
  %bm15 = arith.maximumf %bm13, %be15 : f32
  %read = arith.addf %be3, %u : f32
  %z = arith.mulf %x, %factors : vector<16xf32>
  %ce0 = vector.extract %z[0] : f32 from vector<16xf32>
  %ce1 = vector.extract %z[1] : f32 from vector<16xf32>
  %ce2 = vector.extract %z[2] : f32 from vector<16xf32>
  %ce3 = vector.extract %z[3] : f32 from vector<16xf32>
  %ce4 = vector.extract %z[4] : f32 from vector<16xf32>
  %ce5 = vector.extract %z[5] : f32 from vector<16xf32>
  %ce6 = vector.extract %z[6] : f32 from vector<16xf32>
  %ce7 = vector.extract %z[7] : f32 from vector<16xf32>
  %ce8 = vector.extract %z[8] : f32 from vector<16xf32>
  %ce9 = vector.extract %z[9] : f32 from vector<16xf32>
  %ce10 = vector.extract %z[10] : f32 from vector<16xf32>
  %ce11 = vector.extract %z[11] : f32 from vector<16xf32>
  %ce12 = vector.extract %z[12] : f32 from vector<16xf32>
  %ce13 = vector.extract %z[13] : f32 from vector<16xf32>
  %ce14 = vector.extract %z[14] : f32 from vector<16xf32>
  %ce15 = vector.extract %z[15] : f32 from vector<16xf32>
  %cm2 = arith.maximumf %ce0, %ce2 : f32
  %cm3 = arith.maximumf %ce1, %ce3 : f32
  %cm4 = arith.maximumf %cm2, %ce4 : f32
  %cm5 = arith.maximumf %cm3, %ce5 : f32
  %cm6 = arith.maximumf %cm4, %ce6 : f32
  %cm7 = arith.maximumf %cm5, %ce7 : f32
  %cm8 = arith.maximumf %cm6, %ce8 : f32
  %cm9 = arith.maximumf %cm7, %ce9 : f32
  %cm10 = arith.maximumf %cm8, %ce10 : f32
  %cm11 = arith.maximumf %cm9, %ce11 : f32
  %cm12 = arith.maximumf %cm10, %ce12 : f32
  %cm13 = arith.maximumf %cm11, %ce13 : f32
  %cm14 = arith.maximumf %cm12, %ce14 : f32
  %cm15 = arith.maximumf %cm13, %ce15 : f32
  %wide4 = vector.broadcast %u : f32 to vector<4xf32>
  %w = arith.mulf %few, %wide4 : vector<4xf32>
  %de0 = vector.extract %w[0] : f32 from vector<4xf32>
  %de1 = vector.extract %w[1] : f32 from vector<4xf32>
  %de2 = vector.extract %w[2] : f32 from vector<4xf32>
  %de3 = vector.extract %w[3] : f32 from vector<4xf32>
  %dm2 = arith.maximumf %de0, %de2 : f32
  %dm3 = arith.maximumf %de1, %de3 : f32
  return %bm14, %bm15, %read, %cm14, %cm15, %dm2, %dm3 : f32, f32, f32, f32, f32, f32, f32
}
