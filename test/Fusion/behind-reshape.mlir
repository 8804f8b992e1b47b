// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(1)"' -o /dev/null | FileCheck %s

// Cutting the batch cuts the rows of the softmax behind the reshape, whose tiles
// are slices: nothing is to be repaired.

// CHECK: fuse 'linalg_ext.softmax'
// CHECK-NOT: repair

func.func @behind_reshape(%x: tensor<6x8xf32>, %v: tensor<2x6x4xf32>) -> (tensor<2x3x4xf32>) {
  %ye = tensor.empty() : tensor<6x8xf32>
  %se = tensor.empty() : tensor<6xf32>
  %mi = arith.constant 0xFF800000 : f32
  %m0 = linalg.fill ins(%mi : f32) outs(%se : tensor<6xf32>) -> tensor<6xf32>
  %lz = arith.constant 0.0 : f32
  %l0 = linalg.fill ins(%lz : f32) outs(%se : tensor<6xf32>) -> tensor<6xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<6x8xf32>) outs(%ye, %m0, %l0, %se : tensor<6x8xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<6x8xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  %p2 = tensor.expand_shape %p#0 [[0,1],[2]] output_shape [2,3,8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  %o0e = tensor.empty() : tensor<2x3x4xf32>
  %o0c = arith.constant 0.0 : f32
  %o0 = linalg.fill ins(%o0c : f32) outs(%o0e : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %v2 = tensor.pad %v low[0,1,0] high[0,1,0] { ^bb0(%i: index, %j: index, %k: index): %cst = arith.constant 0.0 : f32
 tensor.yield %cst : f32 } : tensor<2x6x4xf32> to tensor<2x8x4xf32>
  %o = linalg.batch_matmul {linalg_ext.root} ins(%p2, %v2 : tensor<2x3x8xf32>, tensor<2x8x4xf32>) outs(%o0 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %o : tensor<2x3x4xf32>
}
