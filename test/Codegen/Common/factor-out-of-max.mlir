// RUN: linalg-ext-opt %s --linalg-ext-normalize=patterns=factor-out-of-max --split-input-file | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-normalize{patterns=factor-out-of-max})' --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#swap = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>

// The maximum reads the tensor that is scaled, in its order.

// CHECK-DAG: #[[SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func @scaled
//  CHECK-SAME: (%[[A:.*]]: tensor<?x4xf32>
func.func @scaled(%a: tensor<?x4xf32>, %e: tensor<4x?xf32>, %m: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x?xf32>) {
  // CHECK: %[[LOW:.*]] = linalg.fill
  // CHECK: %[[MAX:.*]] = linalg.generic {indexing_maps = [#[[SWAP]], #{{.*}}], iterator_types = ["parallel", "reduction"]}
  // CHECK-SAME: ins(%[[A]] : tensor<?x4xf32>) outs(%[[LOW]] : tensor<4xf32>)
  // CHECK:   arith.maximumf
  // CHECK: %[[RESULT:.*]] = linalg.generic {{.*}} ins(%[[MAX]] : tensor<4xf32>)
  // CHECK:   arith.mulf %{{.*}}, %cst
  // CHECK: return %[[RESULT]]
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %x = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<?x4xf32>) outs(%e : tensor<4x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %scale, %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x?xf32>
  %f = linalg.fill ins(%low : f32) outs(%m : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x?xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %y = linalg.exp ins(%x : tensor<4x?xf32>) outs(%e : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %max, %y : tensor<4xf32>, tensor<4x?xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Products with a negative number are ordered the other way.

// CHECK-LABEL: func @negative_factor
func.func @negative_factor(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>, %m: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  // CHECK: arith.mulf
  // CHECK: arith.maximumf
  // CHECK-NOT: arith.mulf
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant -0.125 : f32
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %f = linalg.fill ins(%low : f32) outs(%m : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %y = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %max, %y : tensor<4xf32>, tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// 0 times infinity is NaN.

// CHECK-LABEL: func @negative_zero
func.func @negative_zero(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>, %m: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  // CHECK: arith.mulf
  // CHECK: arith.maximumf
  // CHECK-NOT: arith.mulf
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.0 : f32
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %f = linalg.fill ins(%low : f32) outs(%m : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %y = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %max, %y : tensor<4xf32>, tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The maximum starts from a number that is not scaled.

// CHECK-LABEL: func @negative_start
func.func @negative_start(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>, %m: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  // CHECK: arith.mulf
  // CHECK: arith.maximumf
  // CHECK-NOT: arith.mulf
  %low = arith.constant 1.0 : f32
  %scale = arith.constant 0.125 : f32
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %f = linalg.fill ins(%low : f32) outs(%m : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %y = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %max, %y : tensor<4xf32>, tensor<4x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The product is a tensor in any case.

// CHECK-LABEL: func @negative_tensor
func.func @negative_tensor(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>, %m: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  // CHECK: arith.mulf
  // CHECK: arith.maximumf
  // CHECK-NOT: arith.mulf
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %f = linalg.fill ins(%low : f32) outs(%m : tensor<4xf32>) -> tensor<4xf32>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  
  return %max, %x : tensor<4xf32>, tensor<4x8xf32>
}
