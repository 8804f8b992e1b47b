// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx2 --linalg-ext-vectorize-buffers --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,X86
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=neoverse-n1 --linalg-ext-vectorize-buffers --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,SCALAR
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=generic --linalg-ext-vectorize-buffers --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,SCALAR

// x86 loads an f16 into all lanes at once, but not into one lane alone. So an f16
// that all lanes share is broadcast first. Other CPUs extend the scalar.

// CHECK-LABEL: func @few_rows
// CHECK: scf.for
// CHECK: %[[ROW:.*]] = memref.load %{{.*}} : memref<2x64xf16>
// X86-DAG: %[[ALL:.*]] = vector.broadcast %[[ROW]] : f16 to vector<[[LANES:.*]]xf16>
// X86-DAG: %[[FACTOR:.*]] = arith.extf %[[ALL]] : vector<[[LANES]]xf16> to vector<[[LANES]]xf32>
// SCALAR-DAG: %[[ONE:.*]] = arith.extf %[[ROW]] : f16 to f32
// SCALAR-DAG: %[[FACTOR:.*]] = vector.broadcast %[[ONE]] : f32 to vector<{{.*}}xf32>
// CHECK: vector.fma %[[FACTOR]],
// X86-NOT: arith.extf %{{.*}} : f16 to f32
func.func @few_rows(%a: memref<2x64xf16>, %b: memref<64x32xf16>, %c: memref<2x32xf32>) {
  linalg.matmul ins(%a, %b : memref<2x64xf16>, memref<64x32xf16>) outs(%c : memref<2x32xf32>)
  return
}

// -----

// Values that are computed from the f16 in each row stay scalar.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func @negative_computed
// CHECK: %[[ONE:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[ONE]], %[[ONE]] : f32
// CHECK: vector.broadcast %[[SQUARE]] : f32 to vector
func.func @negative_computed(%x: memref<8x32xf32>, %s: memref<8xf16>, %y: memref<8x32xf32>) {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<8x32xf32>, memref<8xf16>) outs(%y : memref<8x32xf32>) {
  ^bb0(%in: f32, %r: f16, %out: f32):
    %0 = arith.extf %r : f16 to f32
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.addf %in, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
