// RUN: linalg-ext-opt %s --linalg-ext-raise \
// RUN:   --linalg-ext-tile-and-fuse='levels="for(4,0,8)interchange(2,1,0)" normalization=eager' \
// RUN:   --linalg-ext-decompose --cse | FileCheck %s

// Single attention, key loop outside the query loop: nothing in the loops has
// a whole row of 16 keys.

// CHECK-LABEL: func @single_attention
//       CHECK:   scf.for
//   CHECK-NOT:   8x16xf32>
//       CHECK:   scf.for
//   CHECK-NOT:   8x16xf32>
//       CHECK:   math.exp
//   CHECK-NOT:   8x16xf32>
//       CHECK:   return
func.func @single_attention(%q: tensor<8x4xf32>, %k: tensor<4x16xf32>, %v: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<8x16xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = linalg.matmul ins(%q, %k : tensor<8x4xf32>, tensor<4x16xf32>) outs(%sf : tensor<8x16xf32>) -> tensor<8x16xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x16xf32>) outs(%se : tensor<8x16xf32>) -> tensor<8x16xf32>
  %oe = tensor.empty() : tensor<8x4xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o = linalg.matmul ins(%p, %v : tensor<8x16xf32>, tensor<16x4xf32>) outs(%of : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}
