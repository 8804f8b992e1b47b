// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=0 keys=0 split=-1' --split-input-file | FileCheck %s

// Few rows of keys and values that are gathered, by an op or by a payload, take
// tiles of 64 keys where dense ones take 128.

// CHECK-LABEL: func @dense
//       CHECK:   scf.for {{.*}} step %c128
func.func @dense(%s: tensor<16x8x?xf16>, %v: tensor<16x?x128xf16>, %e: tensor<16x8x?xf16>,
                 %m: tensor<16x8xf32>, %o: tensor<16x8x128xf16>) -> tensor<16x8x128xf16> {
  %low = arith.constant 0xFF800000 : f32
  %zero32 = arith.constant 0.0 : f32
  %zero = arith.constant 0.0 : f16
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<16x8xf32>) -> tensor<16x8xf32>
  %sum = linalg.fill ins(%zero32 : f32) outs(%m : tensor<16x8xf32>) -> tensor<16x8xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<16x8x?xf16>)
      outs(%e, %max, %sum, %m : tensor<16x8x?xf16>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>)
      -> tensor<16x8x?xf16>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
  %zeros = linalg.fill ins(%zero : f16) outs(%o : tensor<16x8x128xf16>) -> tensor<16x8x128xf16>
  %0 = linalg.batch_matmul ins(%p#0, %v : tensor<16x8x?xf16>, tensor<16x?x128xf16>)
      outs(%zeros : tensor<16x8x128xf16>) -> tensor<16x8x128xf16>
  return %0 : tensor<16x8x128xf16>
}

// -----

// CHECK-LABEL: func @pages
//       CHECK:   scf.for {{.*}} step %c64
func.func @pages(%s: tensor<16x8x?xf16>, %pool: tensor<?x16x128xf16>, %table: tensor<16x?xi32>, %ve: tensor<16x?x128xf16>, %e: tensor<16x8x?xf16>,
                 %m: tensor<16x8xf32>, %o: tensor<16x8x128xf16>) -> tensor<16x8x128xf16> {
  %low = arith.constant 0xFF800000 : f32
  %zero32 = arith.constant 0.0 : f32
  %zero = arith.constant 0.0 : f16
  %v = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2]
      pool(%pool : tensor<?x16x128xf16>) table(%table : tensor<16x?xi32>) outs(%ve : tensor<16x?x128xf16>) -> tensor<16x?x128xf16>
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<16x8xf32>) -> tensor<16x8xf32>
  %sum = linalg.fill ins(%zero32 : f32) outs(%m : tensor<16x8xf32>) -> tensor<16x8xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<16x8x?xf16>)
      outs(%e, %max, %sum, %m : tensor<16x8x?xf16>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>)
      -> tensor<16x8x?xf16>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
  %zeros = linalg.fill ins(%zero : f16) outs(%o : tensor<16x8x128xf16>) -> tensor<16x8x128xf16>
  %0 = linalg.batch_matmul ins(%p#0, %v : tensor<16x8x?xf16>, tensor<16x?x128xf16>)
      outs(%zeros : tensor<16x8x128xf16>) -> tensor<16x8x128xf16>
  return %0 : tensor<16x8x128xf16>
}

// -----

#rows = affine_map<(b, n, d) -> (b, n)>
#all = affine_map<(b, n, d) -> (b, n, d)>

// CHECK-LABEL: func @payload
//       CHECK:   scf.for {{.*}} step %c64
func.func @payload(%s: tensor<16x8x?xf16>, %pool: tensor<9000x128xf16>, %table: tensor<16x?xi32>, %ve: tensor<16x?x128xf16>, %e: tensor<16x8x?xf16>,
                   %m: tensor<16x8xf32>, %o: tensor<16x8x128xf16>) -> tensor<16x8x128xf16> {
  %low = arith.constant 0xFF800000 : f32
  %zero32 = arith.constant 0.0 : f32
  %zero = arith.constant 0.0 : f16
  %v = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%table : tensor<16x?xi32>) outs(%ve : tensor<16x?x128xf16>) {
  ^bb0(%entry: i32, %out: f16):
    %d = linalg.index 2 : index
    %row = arith.index_cast %entry : i32 to index
    %x = tensor.extract %pool[%row, %d] : tensor<9000x128xf16>
    linalg.yield %x : f16
  } -> tensor<16x?x128xf16>
  %max = linalg.fill ins(%low : f32) outs(%m : tensor<16x8xf32>) -> tensor<16x8xf32>
  %sum = linalg.fill ins(%zero32 : f32) outs(%m : tensor<16x8xf32>) -> tensor<16x8xf32>
  %p:4 = linalg_ext.softmax dimension(2) ins(%s : tensor<16x8x?xf16>)
      outs(%e, %max, %sum, %m : tensor<16x8x?xf16>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>)
      -> tensor<16x8x?xf16>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
  %zeros = linalg.fill ins(%zero : f16) outs(%o : tensor<16x8x128xf16>) -> tensor<16x8x128xf16>
  %0 = linalg.batch_matmul ins(%p#0, %v : tensor<16x8x?xf16>, tensor<16x?x128xf16>)
      outs(%zeros : tensor<16x8x128xf16>) -> tensor<16x8x128xf16>
  return %0 : tensor<16x8x128xf16>
}
