// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=64 keys=64 split=0' --split-input-file | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=64 keys=64 split=128' --split-input-file | FileCheck %s --check-prefix=SIZE
// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=64 keys=64' --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=64 keys=64 split=-2' --split-input-file 2>&1 | FileCheck %s --check-prefix=SPLIT
// RUN: not linalg-ext-opt %s --linalg-ext-fuse='target=gpu keys=64 rows=-1' --split-input-file 2>&1 | FileCheck %s --check-prefix=ROWS

// Without being told, the keys of few rows are shared: by workgroups that run at
// the same time, two for each processor, or one if it had too few keys then.

// SPLIT: error: expected 'rows' and 'keys' not to be negative, and 'split' to be -1, 0 or positive, got 64, 64 and -2
// ROWS: error: expected 'rows' and 'keys' not to be negative, and 'split' to be -1, 0 or positive, got -1, 64 and -1


// CHECK-LABEL: func @few_rows
// SIZE-LABEL: func @few_rows
// NONE-LABEL: func @few_rows
func.func @few_rows(%s: tensor<16x8x8192xf32>, %v: tensor<16x8192x40xf32>, %e: tensor<16x8x8192xf32>,
                    %m: tensor<16x8xf32>, %o: tensor<16x8x40xf32>) -> tensor<16x8x40xf32> {
  // 264 workgroups are 16 for each batch, of 512 keys.
  // CHECK: scf.forall
  // CHECK:   scf.forall {{.*}} = (0) to (8192) step (512)
  // CHECK:     scf.for {{.*}} step %c64
  // CHECK:   scf.for
  // SIZE: scf.forall {{.*}} = (0) to (8192) step (128)
  // NONE: scf.forall
  // NONE-NOT: scf.forall (
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<16x8xf32>) -> tensor<16x8xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%m : tensor<16x8xf32>) -> tensor<16x8xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<16x8x8192xf32>)
      outs(%e, %max, %sum, %m : tensor<16x8x8192xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>)
      -> tensor<16x8x8192xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<16x8x40xf32>) -> tensor<16x8x40xf32>
  %0 = linalg.batch_matmul ins(%p#0, %v : tensor<16x8x8192xf32>, tensor<16x8192x40xf32>)
      outs(%zeros : tensor<16x8x40xf32>) -> tensor<16x8x40xf32>
  return %0 : tensor<16x8x40xf32>
}

// -----

// The launch computes the chunks of a length that is not known. A number of rows
// that is not known is taken to be large.

// CHECK-LABEL: func @dynamic_keys
// NONE-LABEL: func @dynamic_keys
func.func @dynamic_keys(%s: tensor<16x8x?xf32>, %v: tensor<16x?x40xf32>, %e: tensor<16x8x?xf32>,
                        %m: tensor<16x8xf32>, %o: tensor<16x8x40xf32>) -> tensor<16x8x40xf32> {
  // CHECK: %[[CHUNK:.*]] = arith.maxui %{{.*}}, %c128
  // CHECK: scf.forall
  // CHECK:   scf.forall {{.*}} step (%[[CHUNK]])
  // NONE:     scf.forall
  // NONE-NOT: scf.forall (
  // NONE:     return
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<16x8xf32>) -> tensor<16x8xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%m : tensor<16x8xf32>) -> tensor<16x8xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<16x8x?xf32>)
      outs(%e, %max, %sum, %m : tensor<16x8x?xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>)
      -> tensor<16x8x?xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<16x8x40xf32>) -> tensor<16x8x40xf32>
  %0 = linalg.batch_matmul ins(%p#0, %v : tensor<16x8x?xf32>, tensor<16x?x40xf32>)
      outs(%zeros : tensor<16x8x40xf32>) -> tensor<16x8x40xf32>
  return %0 : tensor<16x8x40xf32>
}

// -----

// CHECK-LABEL: func @dynamic_rows
func.func @dynamic_rows(%s: tensor<16x?x8192xf32>, %v: tensor<16x8192x40xf32>, %e: tensor<16x?x8192xf32>,
                        %m: tensor<16x?xf32>, %o: tensor<16x?x40xf32>) -> tensor<16x?x40xf32> {
  // CHECK: scf.forall
  // CHECK-NOT: scf.forall (
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<16x?xf32>) -> tensor<16x?xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%m : tensor<16x?xf32>) -> tensor<16x?xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<16x?x8192xf32>)
      outs(%e, %max, %sum, %m : tensor<16x?x8192xf32>, tensor<16x?xf32>, tensor<16x?xf32>, tensor<16x?xf32>)
      -> tensor<16x?x8192xf32>, tensor<16x?xf32>, tensor<16x?xf32>, tensor<16x?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<16x?x40xf32>) -> tensor<16x?x40xf32>
  %0 = linalg.batch_matmul ins(%p#0, %v : tensor<16x?x8192xf32>, tensor<16x8192x40xf32>)
      outs(%zeros : tensor<16x?x40xf32>) -> tensor<16x?x40xf32>
  return %0 : tensor<16x?x40xf32>
}
