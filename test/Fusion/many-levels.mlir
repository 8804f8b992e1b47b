// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,8) for(8) for(4) for(2)"' | FileCheck %s --check-prefix=ROWS
// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="for(0,0,8) for(0,0,4) for(0,0,2) for(0,0,1)"' | FileCheck %s --check-prefix=KEYS

// Four loops, one softmax, one repair.

// ROWS-COUNT-4: scf.for
//     ROWS-NOT: scf.for
// ROWS-COUNT-1: linalg_ext.softmax
//     ROWS-NOT: linalg_ext.softmax
// KEYS-COUNT-4: scf.for
// KEYS-COUNT-1: linalg_ext.softmax
//     KEYS-NOT: linalg_ext.softmax

func.func @many_levels(%x: tensor<16x16xf32>, %v: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %ye = tensor.empty() : tensor<16x16xf32>
  %se = tensor.empty() : tensor<16xf32>
  %mi = arith.constant 0xFF800000 : f32
  %m0 = linalg.fill ins(%mi : f32) outs(%se : tensor<16xf32>) -> tensor<16xf32>
  %zero = arith.constant 0.0 : f32
  %l0 = linalg.fill ins(%zero : f32) outs(%se : tensor<16xf32>) -> tensor<16xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<16x16xf32>) outs(%ye, %m0, %l0, %se : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  %ze = tensor.empty() : tensor<16x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%ze : tensor<16x4xf32>) -> tensor<16x4xf32>
  %o = linalg.matmul ins(%p#0, %v : tensor<16x16xf32>, tensor<16x4xf32>) outs(%z : tensor<16x4xf32>) -> tensor<16x4xf32>
  return %o : tensor<16x4xf32>
}
