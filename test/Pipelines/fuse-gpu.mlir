// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=64 keys=64' --split-input-file --verify-diagnostics | FileCheck %s
// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=128 keys=32' --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=SIZES
// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=0 keys=0' --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=CHOSEN
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-fuse{target=gpu rows=64 keys=64})' --split-input-file --verify-diagnostics | FileCheck %s

// One head and a block of rows a workgroup, keys in a loop; what follows
// elementwise is in the workgroup.

#id = affine_map<(b, i, d) -> (b, i, d)>

// CHECK-LABEL: func @heads_and_rows
// SIZES-LABEL: func @heads_and_rows
// CHOSEN-LABEL: func @heads_and_rows
func.func @heads_and_rows(%s: tensor<8x512x1024xf32>, %v: tensor<8x1024x40xf32>, %e: tensor<8x512x1024xf32>,
                          %m: tensor<8x512xf32>, %o: tensor<8x512x40xf32>) -> tensor<8x512x40xf16> {
  // CHECK: scf.forall {{.*}} to (8, 512) step (1, 64)
  // CHECK:   scf.for {{.*}} step %c64
  // CHECK:     linalg_ext.softmax {{.*}} ins(%{{.*}} : tensor<1x64x64xf32>)
  // CHECK:     linalg.batch_matmul {{.*}} tensor<1x64x40xf32>
  // CHECK:   arith.truncf
  // CHECK: } {mapping = [#gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]}
  // Threads multiply f32, in smaller tiles.
  // CHOSEN: scf.forall {{.*}} to (8, 512) step (1, 64)
  // CHOSEN:   scf.for {{.*}} step %c64
  // SIZES: scf.forall {{.*}} step (1, 128)
  // SIZES:   scf.for {{.*}} step %c32
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<8x512xf32>) -> tensor<8x512xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%m : tensor<8x512xf32>) -> tensor<8x512xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<8x512x1024xf32>)
      outs(%e, %max, %sum, %m : tensor<8x512x1024xf32>, tensor<8x512xf32>, tensor<8x512xf32>, tensor<8x512xf32>)
      -> tensor<8x512x1024xf32>, tensor<8x512xf32>, tensor<8x512xf32>, tensor<8x512xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<8x512x40xf32>) -> tensor<8x512x40xf32>
  %0 = linalg.batch_matmul ins(%p#0, %v : tensor<8x512x1024xf32>, tensor<8x1024x40xf32>)
      outs(%zeros : tensor<8x512x40xf32>) -> tensor<8x512x40xf32>
  %h = tensor.empty() : tensor<8x512x40xf16>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<8x512x40xf32>) outs(%h : tensor<8x512x40xf16>) {
  ^bb0(%x: f32, %y: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8x512x40xf16>
  return %1 : tensor<8x512x40xf16>
}

// -----

// One query for each head: the heads that share keys are the rows.

#p = affine_map<(b, g, i, d, j) -> (b, g, i, j)>
#v = affine_map<(b, g, i, d, j) -> (b, j, d)>
#o = affine_map<(b, g, i, d, j) -> (b, g, i, d)>

// CHECK-LABEL: func @decode
// CHOSEN-LABEL: func @decode
func.func @decode(%s: tensor<2x8x1x?xf32>, %v: tensor<2x?x40xf32>, %e: tensor<2x8x1x?xf32>,
                  %m: tensor<2x8x1xf32>, %o: tensor<2x8x1x40xf32>) -> tensor<2x8x1x40xf32> {
  // CHECK: scf.forall {{.*}} to (2, 8) step (1, 8)
  // CHECK:   scf.for {{.*}} step %c64
  // CHOSEN:  scf.for {{.*}} step %c128
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%m : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %p:4 = linalg_ext.softmax dimension(3) ins(%s : tensor<2x8x1x?xf32>)
      outs(%e, %max, %sum, %m : tensor<2x8x1x?xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>)
      -> tensor<2x8x1x?xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<2x8x1x40xf32>) -> tensor<2x8x1x40xf32>
  %0 = linalg.generic {indexing_maps = [#p, #v, #o],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%p#0, %v : tensor<2x8x1x?xf32>, tensor<2x?x40xf32>) outs(%zeros : tensor<2x8x1x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x8x1x40xf32>
  return %0 : tensor<2x8x1x40xf32>
}

// -----

// One query for each head and each batch of keys: batches are no rows.

#p = affine_map<(b, h, d, j) -> (b, h, j)>
#v = affine_map<(b, h, d, j) -> (b, h, j, d)>
#o = affine_map<(b, h, d, j) -> (b, h, d)>

// CHECK-LABEL: func @batches
func.func @batches(%s: tensor<2x8x512xf32>, %v: tensor<2x8x512x40xf32>, %e: tensor<2x8x512xf32>,
                   %m: tensor<2x8xf32>, %o: tensor<2x8x40xf32>) -> tensor<2x8x40xf32> {
  // CHECK: scf.forall {{.*}} in (2, 8)
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<2x8xf32>) -> tensor<2x8xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%m : tensor<2x8xf32>) -> tensor<2x8xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<2x8x512xf32>)
      outs(%e, %max, %sum, %m : tensor<2x8x512xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>)
      -> tensor<2x8x512xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<2x8x40xf32>) -> tensor<2x8x40xf32>
  %0 = linalg.generic {indexing_maps = [#p, #v, #o],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p#0, %v : tensor<2x8x512xf32>, tensor<2x8x512x40xf32>) outs(%zeros : tensor<2x8x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x8x40xf32>
  return %0 : tensor<2x8x40xf32>
}

// -----

// Beside 128 rows of 96 columns a thread has registers for 64 scores of a row, ...

// CHOSEN-LABEL: func @columns_96
// CHOSEN: scf.forall {{.*}} to (8, 512) step (1, 128)
// CHOSEN:   scf.for {{.*}} step %c64
func.func @columns_96(%s: tensor<8x512x1024xf32>, %v: tensor<8x1024x96xf16>, %e: tensor<8x512x1024xf32>,
    %m: tensor<8x512xf32>, %o: tensor<8x512x96xf32>) -> tensor<8x512x96xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<8x512xf32>) -> tensor<8x512xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%m : tensor<8x512xf32>) -> tensor<8x512xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<8x512x1024xf32>)
      outs(%e, %max, %sum, %m : tensor<8x512x1024xf32>, tensor<8x512xf32>, tensor<8x512xf32>, tensor<8x512xf32>)
      -> tensor<8x512x1024xf32>, tensor<8x512xf32>, tensor<8x512xf32>, tensor<8x512xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<8x512x96xf32>) -> tensor<8x512x96xf32>
  %0 = linalg.batch_matmul ins(%p#0, %v : tensor<8x512x1024xf32>, tensor<8x1024x96xf16>)
      outs(%zeros : tensor<8x512x96xf32>) -> tensor<8x512x96xf32>
  return %0 : tensor<8x512x96xf32>
}

// -----

// ... beside 128 columns for 32, ...

// CHOSEN-LABEL: func @columns_128
// CHOSEN: scf.forall {{.*}} to (8, 512) step (1, 128)
// CHOSEN:   scf.for {{.*}} step %c32
func.func @columns_128(%s: tensor<8x512x1024xf32>, %v: tensor<8x1024x128xf16>, %e: tensor<8x512x1024xf32>,
    %m: tensor<8x512xf32>, %o: tensor<8x512x128xf32>) -> tensor<8x512x128xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<8x512xf32>) -> tensor<8x512xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%m : tensor<8x512xf32>) -> tensor<8x512xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<8x512x1024xf32>)
      outs(%e, %max, %sum, %m : tensor<8x512x1024xf32>, tensor<8x512xf32>, tensor<8x512xf32>, tensor<8x512xf32>)
      -> tensor<8x512x1024xf32>, tensor<8x512xf32>, tensor<8x512xf32>, tensor<8x512xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<8x512x128xf32>) -> tensor<8x512x128xf32>
  %0 = linalg.batch_matmul ins(%p#0, %v : tensor<8x512x1024xf32>, tensor<8x1024x128xf16>)
      outs(%zeros : tensor<8x512x128xf32>) -> tensor<8x512x128xf32>
  return %0 : tensor<8x512x128xf32>
}

// -----

// ... and also where columns are not those of whole products.

// CHOSEN-LABEL: func @columns_88
// CHOSEN: scf.forall {{.*}} to (8, 512) step (1, 128)
// CHOSEN:   scf.for {{.*}} step %c32
func.func @columns_88(%s: tensor<8x512x1024xf32>, %v: tensor<8x1024x88xf16>, %e: tensor<8x512x1024xf32>,
    %m: tensor<8x512xf32>, %o: tensor<8x512x88xf32>) -> tensor<8x512x88xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<8x512xf32>) -> tensor<8x512xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%m : tensor<8x512xf32>) -> tensor<8x512xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<8x512x1024xf32>)
      outs(%e, %max, %sum, %m : tensor<8x512x1024xf32>, tensor<8x512xf32>, tensor<8x512xf32>, tensor<8x512xf32>)
      -> tensor<8x512x1024xf32>, tensor<8x512xf32>, tensor<8x512xf32>, tensor<8x512xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%o : tensor<8x512x88xf32>) -> tensor<8x512x88xf32>
  %0 = linalg.batch_matmul ins(%p#0, %v : tensor<8x512x1024xf32>, tensor<8x1024x88xf16>)
      outs(%zeros : tensor<8x512x88xf32>) -> tensor<8x512x88xf32>
  return %0 : tensor<8x512x88xf32>
}
