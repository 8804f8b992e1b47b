// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,3)"' | FileCheck %s

// The result is used in another block, and must be the finished one.

// CHECK-LABEL: func @other_block
//       CHECK:   scf.for
//       CHECK:     scf.yield
//       CHECK:   %[[FINISHED:.+]] = linalg_ext.batch_matmul
//       CHECK:   cf.br
//       CHECK:   return %[[FINISHED]]

func.func @other_block(%x: tensor<4x8xf32>, %v: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %ye = tensor.empty() : tensor<4x8xf32>
  %se = tensor.empty() : tensor<4xf32>
  %mi = arith.constant 0xFF800000 : f32
  %m0 = linalg.fill ins(%mi : f32) outs(%se : tensor<4xf32>) -> tensor<4xf32>
  %lz = arith.constant 0.0 : f32
  %l0 = linalg.fill ins(%lz : f32) outs(%se : tensor<4xf32>) -> tensor<4xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%ye, %m0, %l0, %se : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  %ze = tensor.empty() : tensor<4x4xf32>
  %zc = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zc : f32) outs(%ze : tensor<4x4xf32>) -> tensor<4x4xf32>
  %o = linalg.matmul ins(%p#0, %v : tensor<4x8xf32>, tensor<8x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  cf.br ^bb1
^bb1:
  return %o : tensor<4x4xf32>
}
