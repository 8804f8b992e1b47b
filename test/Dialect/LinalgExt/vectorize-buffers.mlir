// RUN: linalg-ext-opt %s --linalg-ext-vectorize-buffers='vector-bits=256 num-registers=16' --cse --split-input-file | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-vectorize-buffers{vector-bits=256 num-registers=16},cse)' --split-input-file | FileCheck %s

// CHECK-LABEL: func @elementwise_divides
//  CHECK-SAME: (%[[A:.*]]: memref<32xf32>, %[[B:.*]]: memref<32xf32>)
func.func @elementwise_divides(%a: memref<32xf32>, %b: memref<32xf32>) {
  // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c32{{.*}} step %c8
  // CHECK:   %[[X:.*]] = vector.load %[[A]][%[[I]]] : memref<32xf32>, vector<8xf32>
  // CHECK:   %[[Y:.*]] = math.exp %[[X]] : vector<8xf32>
  // CHECK:   vector.store %[[Y]], %[[B]][%[[I]]]
  // CHECK-NOT: mask
  linalg.exp ins(%a : memref<32xf32>) outs(%b : memref<32xf32>)
  return
}

// -----

// CHECK-LABEL: func @elementwise_remainder
func.func @elementwise_remainder(%a: memref<35xf32>, %b: memref<35xf32>) {
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %c32{{.*}} step %c8
  // CHECK:   vector.store
  // CHECK: %[[MASK:.*]] = vector.create_mask %c3{{.*}} : vector<8xi1>
  // CHECK: %[[X:.*]] = vector.maskedload %{{.*}}[%c32{{.*}}], %[[MASK]]
  // CHECK: %[[Y:.*]] = math.exp %[[X]]
  // CHECK: vector.maskedstore %{{.*}}[%c32{{.*}}], %[[MASK]], %[[Y]]
  linalg.exp ins(%a : memref<35xf32>) outs(%b : memref<35xf32>)
  return
}

// -----

// What is the same in all lanes is computed as a number, in front of their loop.

// CHECK-LABEL: func @elementwise_uniform
func.func @elementwise_uniform(%a: memref<4x?xf32>, %m: memref<4xf32>) {
  // CHECK: scf.for
  // CHECK:   %[[M:.*]] = memref.load
  // CHECK:   %[[NEG:.*]] = arith.negf %[[M]] : f32
  // CHECK:   scf.for
  // CHECK:     %[[V:.*]] = vector.broadcast %[[NEG]] : f32 to vector<8xf32>
  // CHECK:     arith.addf {{.*}}%[[V]]
  // CHECK:   scf.if
  // CHECK:     vector.maskedstore
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%m : memref<4xf32>) outs(%a : memref<4x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.negf %x : f32
    %1 = arith.addf %y, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// 4 rows by 2 vectors, in registers all along k; the fill is the initial value.

// CHECK-LABEL: func @matmul
func.func @matmul(%a: memref<8x64xf32>, %b: memref<64x16xf32>, %c: memref<8x16xf32>) {
  // CHECK-NOT: linalg.fill
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %c8{{.*}} step %c4
  // CHECK:   %[[ZERO:.*]] = vector.broadcast %{{.*}} : f32 to vector<8xf32>
  // CHECK:   %{{.*}}:8 = scf.for %{{.*}} = %c0{{.*}} to %c64{{.*}} step %c1{{.*}} iter_args(%{{.*}} = %[[ZERO]],
  // CHECK-COUNT-8: vector.fma
  // CHECK-NOT: vector.fma
  // CHECK:     scf.yield
  // CHECK-COUNT-8: vector.store
  // CHECK-NOT: vector.store
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<8x16xf32>)
  linalg.matmul ins(%a, %b : memref<8x64xf32>, memref<64x16xf32>) outs(%c : memref<8x16xf32>)
  return
}

// -----

// Blocks of the second operand are loaded along k and transposed by 3 rounds of 8
// shuffles.

// CHECK-LABEL: func @matmul_transposed
func.func @matmul_transposed(%a: memref<8x64xf32>, %b: memref<16x64xf32>, %c: memref<8x16xf32>) {
  // CHECK: scf.for {{.*}} step %c8{{.*}} iter_args
  // CHECK-COUNT-8: vector.load %{{.*}} : memref<16x64xf32>, vector<8xf32>
  // CHECK-COUNT-24: vector.shuffle
  // CHECK-NOT: vector.shuffle
  // CHECK-COUNT-64: vector.fma
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                 affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : memref<8x64xf32>, memref<16x64xf32>) outs(%c : memref<8x16xf32>)
  return
}

// -----

// Few rows: the other operand in its order, for all rows at a time, and 8 KiB ahead of
// its use.

// CHECK-LABEL: func @few_rows_transposed
func.func @few_rows_transposed(%a: memref<4x64xf32>, %b: memref<512x64xf32>, %c: memref<4x512xf32>) {
  // CHECK: scf.for %[[N:.*]] = %c0{{.*}} to %c512
  // CHECK:   scf.for
  // CHECK:     %[[AHEAD:.*]] = arith.addi %[[N]], %c32
  // CHECK:     memref.prefetch %{{.*}}[%[[AHEAD]],
  // CHECK-NOT: vector.shuffle
  // CHECK-COUNT-4: vector.fma
  // CHECK-COUNT-4: vector.reduction <add>
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                 affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : memref<4x64xf32>, memref<512x64xf32>) outs(%c : memref<4x512xf32>)
  return
}

// -----

// 4 rows by as many vectors as half of the registers accumulate.

// CHECK-LABEL: func @few_rows
func.func @few_rows(%a: memref<4x512xf32>, %b: memref<512x64xf32>, %c: memref<4x64xf32>) {
  // CHECK: scf.for {{.*}} to %c512
  // CHECK-COUNT-2: memref.prefetch
  // CHECK-COUNT-8: vector.fma
  // CHECK-NOT: vector.fma
  linalg.matmul ins(%a, %b : memref<4x512xf32>, memref<512x64xf32>) outs(%c : memref<4x64xf32>)
  return
}

// -----

// Lanes along the reduction start from its neutral element; lanes that do not exist
// keep what they have.

// CHECK-LABEL: func @row_maximum
func.func @row_maximum(%a: memref<4x?xf32>, %m: memref<4xf32>) {
  // CHECK: %[[LOW:.*]] = arith.constant dense<0xFF800000> : vector<8xf32>
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[LOW]], %{{.*}} = %[[LOW]], %{{.*}} = %[[LOW]], %{{.*}} = %[[LOW]])
  // CHECK-COUNT-4: arith.maximumf {{.*}} : vector<8xf32>
  // CHECK: scf.if
  // CHECK:   vector.create_mask
  // CHECK-COUNT-4: arith.select {{.*}} : vector<8xi1>, vector<8xf32>
  // CHECK: vector.reduction <maximumf>, {{.*}} : vector<8xf32> into f32
  // CHECK: arith.maximumf {{.*}} : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x?xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.maximumf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Values of f16 that are computed with in f32 take as many lanes as those.

// CHECK-LABEL: func @mixed_precision
func.func @mixed_precision(%a: memref<32xf16>, %b: memref<32xf32>) {
  // CHECK: vector.load {{.*}} : memref<32xf16>, vector<8xf16>
  // CHECK: arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%a : memref<32xf16>) outs(%b : memref<32xf32>) {
  ^bb0(%x: f16, %y: f32):
    %0 = arith.extf %x : f16 to f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A copy between views must not become a call.

// CHECK-LABEL: func @copy
func.func @copy(%a: memref<4x32xf32, strided<[64, 1]>>, %b: memref<4x32xf32>) {
  // CHECK-NOT: memref.copy
  // CHECK: vector.load
  // CHECK: vector.store
  memref.copy %a, %b : memref<4x32xf32, strided<[64, 1]>> to memref<4x32xf32>
  return
}

// -----

// CHECK-LABEL: func @negative_bits
func.func @negative_bits(%a: memref<32xf32>, %b: memref<32xi1>) {
  // CHECK: linalg.generic
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%a : memref<32xf32>) outs(%b : memref<32xi1>) {
  ^bb0(%x: f32, %y: i1):
    %0 = arith.cmpf oeq, %x, %x : f32
    linalg.yield %0 : i1
  }
  return
}

// -----

// CHECK-LABEL: func @negative_payload
func.func @negative_payload(%a: memref<32xindex>, %t: memref<32xf32>, %b: memref<32xf32>) {
  // CHECK: linalg.generic
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%a : memref<32xindex>) outs(%b : memref<32xf32>) {
  ^bb0(%x: index, %y: f32):
    %0 = memref.load %t[%x] : memref<32xf32>
    linalg.yield %0 : f32
  }
  return
}

// -----

// CHECK-LABEL: func @negative_output_not_contiguous
func.func @negative_output_not_contiguous(%a: memref<32xf32>, %b: memref<32xf32, strided<[2]>>) {
  // CHECK: linalg.exp
  linalg.exp ins(%a : memref<32xf32>) outs(%b : memref<32xf32, strided<[2]>>)
  return
}

// -----

// CHECK-LABEL: func @negative_tensors
func.func @negative_tensors(%a: tensor<32xf32>, %b: tensor<32xf32>) -> tensor<32xf32> {
  // CHECK: linalg.exp
  %0 = linalg.exp ins(%a : tensor<32xf32>) outs(%b : tensor<32xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}
