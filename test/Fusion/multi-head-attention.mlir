// RUN: linalg-ext-opt %s --linalg-ext-raise \
// RUN:   --linalg-ext-tile-and-fuse='levels="for(1,0,4,0,8)interchange(0,1,4,3,2)" normalization=eager' \
// RUN:   | FileCheck %s

// Multi-head attention. The body of the innermost loop, before any folding, is
// exactly: QK matmul, softmax, Diag, P = Diag * acc, PV matmul, and the inserts
// of the accumulator, the max and the sum.

// CHECK-LABEL: func @multi_head
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:       scf.for
//   CHECK-NOT:         linalg.generic
//       CHECK:         %[[QK:.+]] = linalg_ext.batch_matmul
//   CHECK-NOT:         linalg.generic
//       CHECK:         %[[P:.+]]:4 = linalg_ext.softmax dimension(3) online ins(%[[QK]]
//   CHECK-NOT:         linalg.generic
//       CHECK:         %[[D:.+]] = linalg_ext.diag ins(%[[P]]#3
//   CHECK-NOT:         linalg.generic
//       CHECK:         %[[R:.+]] = linalg_ext.batch_matmul ins(%[[D]], %{{.+}}
//   CHECK-NOT:         linalg.generic
//       CHECK:         %[[PV:.+]] = linalg_ext.batch_matmul ins(%[[P]]#0, %{{.+}} outs(%[[R]]
//  CHECK-NEXT:         %[[O:.+]] = tensor.insert_slice %[[PV]]
//  CHECK-NEXT:         %[[M:.+]] = tensor.insert_slice %[[P]]#1
//  CHECK-NEXT:         %[[L:.+]] = tensor.insert_slice %[[P]]#2
//  CHECK-NEXT:         scf.yield %[[O]], %[[M]], %[[L]]
//   CHECK-NOT:   linalg
//       CHECK:   return
func.func @multi_head(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x4x16xf32>, %v: tensor<2x3x16x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x3x8x16xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x3x8x16xf32>) -> tensor<2x3x8x16xf32>
  %s = linalg_ext.batch_matmul ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x4x16xf32>) outs(%sf : tensor<2x3x8x16xf32>) -> tensor<2x3x8x16xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x16xf32>) outs(%se : tensor<2x3x8x16xf32>) -> tensor<2x3x8x16xf32>
  %oe = tensor.empty() : tensor<2x3x8x4xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  %o = linalg_ext.batch_matmul ins(%p, %v : tensor<2x3x8x16xf32>, tensor<2x3x16x4xf32>) outs(%of : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}
