// Accumulations beside the root, in its loops.
//
// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-raise --linalg-ext-tile-and-fuse='levels=for(0,0,4)' -canonicalize | FileCheck %s
// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-raise --linalg-ext-tile-and-fuse='levels=for(0,0,4) explain=text' -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// RUN: linalg-ext-opt %s -split-input-file --linalg-ext-raise --linalg-ext-tile-and-fuse='levels=for(0,0,4)' --remarks-filter-missed='linalg-ext.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The sum of columns stays apart, with a reason and a way out.
// REMARK: [Missed] not-fused | {{.*}} | Function=two_products | Op=linalg.reduce, Reason="it keeps dimension 1, which the loops cut as dimension 2 of the root, a reduction: no later tile would meet again what is to be repaired", Sibling=true, Suggestion="mark it with linalg_ext.root too, for loops of its own, or leave the dimension whole"

// One loop carries both accumulators and the state; both are normalised behind it.
// CHECK-LABEL: func.func @two_products
//       CHECK:   scf.for {{.*}} -> (tensor<6x5xf32>, tensor<6x3xf32>, tensor<6xf32>, tensor<6xf32>)
//       CHECK:     %[[P:.*]]:4 = linalg_ext.softmax dimension(1) online delayed
//       CHECK:     linalg.matmul ins(%[[P]]#0, {{.*}} -> tensor<6x3xf32>
//       CHECK:     linalg.matmul {linalg_ext.root} ins(%[[P]]#0, {{.*}} -> tensor<6x5xf32>
//       CHECK:   }
//   CHECK-NOT:   scf.for
//   CHECK-NOT:   linalg_ext.softmax
//       CHECK:   return
//
// EXPLAIN-LABEL: in @two_products
//  EXPLAIN-NEXT: root 'linalg.matmul'
//  EXPLAIN-NEXT: sibling 'linalg.matmul', dims of the root [-, -, 2]
//  EXPLAIN-NEXT: sibling 'linalg.reduce' apart: it keeps dimension 1, which the loops cut as dimension 2 of the root, a reduction: no later tile would meet again what is to be repaired
//       EXPLAIN: repair root 'linalg.matmul'
//       EXPLAIN: repair sibling 'linalg.matmul': scale by the repair of 'linalg_ext.softmax'#0 along dims [0]
func.func @two_products(%s: tensor<6x10xf32>, %v: tensor<10x5xf32>, %w: tensor<10x3xf32>) -> (tensor<6x5xf32>, tensor<6x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<6x10xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<6x10xf32>) outs(%pe : tensor<6x10xf32>) -> tensor<6x10xf32>
  %ae = tensor.empty() : tensor<6x5xf32>
  %a0 = linalg.fill ins(%zero : f32) outs(%ae : tensor<6x5xf32>) -> tensor<6x5xf32>
  %a = linalg.matmul {linalg_ext.root} ins(%p, %v : tensor<6x10xf32>, tensor<10x5xf32>) outs(%a0 : tensor<6x5xf32>) -> tensor<6x5xf32>
  %be = tensor.empty() : tensor<6x3xf32>
  %b0 = linalg.fill ins(%zero : f32) outs(%be : tensor<6x3xf32>) -> tensor<6x3xf32>
  %b = linalg.matmul ins(%p, %w : tensor<6x10xf32>, tensor<10x3xf32>) outs(%b0 : tensor<6x3xf32>) -> tensor<6x3xf32>
  %ce = tensor.empty() : tensor<10xf32>
  %c0 = linalg.fill ins(%zero : f32) outs(%ce : tensor<10xf32>) -> tensor<10xf32>
  %c = linalg.reduce { arith.addf } ins(%p : tensor<6x10xf32>) outs(%c0 : tensor<10xf32>) dimensions = [0]
  return %a, %b : tensor<6x5xf32>, tensor<6x3xf32>
}
