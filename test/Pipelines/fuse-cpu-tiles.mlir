// Tiles by what a core has, or as they are given; where keys are shared.

// RUN: linalg-ext-opt %s --linalg-ext-raise --linalg-ext-fuse | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-attach-target=chip=avx2 --linalg-ext-raise --linalg-ext-fuse | FileCheck %s --check-prefix=AVX2
// RUN: linalg-ext-opt %s --linalg-ext-raise --linalg-ext-fuse='rows=48 keys=24' | FileCheck %s --check-prefix=GIVEN
// RUN: linalg-ext-opt %s --linalg-ext-raise --linalg-ext-fuse='split=0' | FileCheck %s --check-prefix=SPLIT

// CHECK-LABEL: func @rows(
// CHECK:         scf.forall {{.*}} to (8, 512) step (1, 64)
// CHECK:           scf.for {{.*}} step %c128
// AVX2-LABEL:  func @rows(
// AVX2:          scf.forall {{.*}} step (1, 32)
// AVX2:            scf.for {{.*}} step %c128
// GIVEN-LABEL: func @rows(
// GIVEN:         scf.forall {{.*}} step (1, 48)
// GIVEN:           scf.for {{.*}} step %c24
// SPLIT-LABEL: func @rows(
// SPLIT:         scf.forall {{.*}} step (1, 64)
// SPLIT-NOT:       scf.forall (
func.func @rows(%s: tensor<8x512x4096xf32>, %v: tensor<8x4096x40xf32>) -> tensor<8x512x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x512x4096xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<8x512x4096xf32>) outs(%e : tensor<8x512x4096xf32>) -> tensor<8x512x4096xf32>
  %o = tensor.empty() : tensor<8x512x40xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<8x512x40xf32>) -> tensor<8x512x40xf32>
  %0 = linalg.batch_matmul ins(%p, %v : tensor<8x512x4096xf32>, tensor<8x4096x40xf32>)
      outs(%zeros : tensor<8x512x40xf32>) -> tensor<8x512x40xf32>
  return %0 : tensor<8x512x40xf32>
}

// Heads have keys of their own, and are done one by one. 16 chunks of each are 128
// pieces.

// CHECK-LABEL: func @few_rows(
// CHECK:         scf.forall {{.*}} to (8, 4) step (1, 4)
// CHECK-NOT:       scf.forall (
// CHECK:           scf.for {{.*}} step %c512
// SPLIT-LABEL: func @few_rows(
// SPLIT:         scf.forall {{.*}} step (1, 4)
// SPLIT:           scf.forall {{.*}} to (16384) step (1024)
// SPLIT:             scf.for {{.*}} step %c512
func.func @few_rows(%s: tensor<8x4x16384xf32>, %v: tensor<8x16384x40xf32>) -> tensor<8x4x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4x16384xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<8x4x16384xf32>) outs(%e : tensor<8x4x16384xf32>) -> tensor<8x4x16384xf32>
  %o = tensor.empty() : tensor<8x4x40xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<8x4x40xf32>) -> tensor<8x4x40xf32>
  %0 = linalg.batch_matmul ins(%p, %v : tensor<8x4x16384xf32>, tensor<8x16384x40xf32>)
      outs(%zeros : tensor<8x4x40xf32>) -> tensor<8x4x40xf32>
  return %0 : tensor<8x4x40xf32>
}
