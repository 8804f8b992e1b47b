// RUN: linalg-ext-opt %s --linalg-ext-raise \
// RUN:   --linalg-ext-tile-and-fuse='levels="for(0,2,0,0,0)"' --canonicalize --cse | FileCheck %s

// Projections, split into heads: fusion goes through the transposes, the
// expand_shapes of the head dimension (offset = 3 * head) and the broadcasts.
// Nothing of the size of all 4 heads (12 columns) is computed.

// CHECK-DAG: #[[$OFFSET:.+]] = affine_map<()[s0] -> (s0 * 3)>
// CHECK-LABEL: func @split_head
//   CHECK-NOT:   linalg.
//       CHECK:   scf.for
//       CHECK:     %[[COLUMN:.+]] = affine.apply #[[$OFFSET]]
//       CHECK:     tensor.extract_slice %arg1[0, %[[COLUMN]]] [6, 6]
//   CHECK-NOT:     x12xf32> outs
//       CHECK:     linalg.broadcast
//       CHECK:     linalg.batch_matmul {{.*}} -> tensor<2x5x6xf32>
//       CHECK:     tensor.expand_shape {{.*}} into tensor<2x5x2x3xf32>
//       CHECK:     linalg.transpose
//       CHECK:     linalg_ext.softmax
//       CHECK:     scf.yield
//   CHECK-NOT:   linalg.
//       CHECK:   return
func.func @split_head(%x: tensor<2x5x6xf32>, %wq: tensor<6x12xf32>, %wk: tensor<6x12xf32>, %wv: tensor<6x12xf32>) -> tensor<2x4x5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %q_we = tensor.empty() : tensor<2x6x12xf32>
  %q_wb = linalg.broadcast ins(%wq : tensor<6x12xf32>) outs(%q_we : tensor<2x6x12xf32>) dimensions = [0]
  %q_pe = tensor.empty() : tensor<2x5x12xf32>
  %q_pf = linalg.fill ins(%zero : f32) outs(%q_pe : tensor<2x5x12xf32>) -> tensor<2x5x12xf32>
  %q_p = linalg.batch_matmul ins(%x, %q_wb : tensor<2x5x6xf32>, tensor<2x6x12xf32>) outs(%q_pf : tensor<2x5x12xf32>) -> tensor<2x5x12xf32>
  %q_h = tensor.expand_shape %q_p [[0], [1], [2, 3]] output_shape [2, 5, 4, 3] : tensor<2x5x12xf32> into tensor<2x5x4x3xf32>
  %q_te = tensor.empty() : tensor<2x4x5x3xf32>
  %q = linalg.transpose ins(%q_h : tensor<2x5x4x3xf32>) outs(%q_te : tensor<2x4x5x3xf32>) permutation = [0, 2, 1, 3]
  %k_we = tensor.empty() : tensor<2x6x12xf32>
  %k_wb = linalg.broadcast ins(%wk : tensor<6x12xf32>) outs(%k_we : tensor<2x6x12xf32>) dimensions = [0]
  %k_pe = tensor.empty() : tensor<2x5x12xf32>
  %k_pf = linalg.fill ins(%zero : f32) outs(%k_pe : tensor<2x5x12xf32>) -> tensor<2x5x12xf32>
  %k_p = linalg.batch_matmul ins(%x, %k_wb : tensor<2x5x6xf32>, tensor<2x6x12xf32>) outs(%k_pf : tensor<2x5x12xf32>) -> tensor<2x5x12xf32>
  %k_h = tensor.expand_shape %k_p [[0], [1], [2, 3]] output_shape [2, 5, 4, 3] : tensor<2x5x12xf32> into tensor<2x5x4x3xf32>
  %k_te = tensor.empty() : tensor<2x4x3x5xf32>
  %k = linalg.transpose ins(%k_h : tensor<2x5x4x3xf32>) outs(%k_te : tensor<2x4x3x5xf32>) permutation = [0, 2, 3, 1]
  %v_we = tensor.empty() : tensor<2x6x12xf32>
  %v_wb = linalg.broadcast ins(%wv : tensor<6x12xf32>) outs(%v_we : tensor<2x6x12xf32>) dimensions = [0]
  %v_pe = tensor.empty() : tensor<2x5x12xf32>
  %v_pf = linalg.fill ins(%zero : f32) outs(%v_pe : tensor<2x5x12xf32>) -> tensor<2x5x12xf32>
  %v_p = linalg.batch_matmul ins(%x, %v_wb : tensor<2x5x6xf32>, tensor<2x6x12xf32>) outs(%v_pf : tensor<2x5x12xf32>) -> tensor<2x5x12xf32>
  %v_h = tensor.expand_shape %v_p [[0], [1], [2, 3]] output_shape [2, 5, 4, 3] : tensor<2x5x12xf32> into tensor<2x5x4x3xf32>
  %v_te = tensor.empty() : tensor<2x4x5x3xf32>
  %v = linalg.transpose ins(%v_h : tensor<2x5x4x3xf32>) outs(%v_te : tensor<2x4x5x3xf32>) permutation = [0, 2, 1, 3]
  %se = tensor.empty() : tensor<2x4x5x5xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
  %s = linalg_ext.batch_matmul ins(%q, %k : tensor<2x4x5x3xf32>, tensor<2x4x3x5xf32>) outs(%sf : tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x4x5x5xf32>) outs(%se : tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
  %oe = tensor.empty() : tensor<2x4x5x3xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
  %o = linalg_ext.batch_matmul ins(%p, %v : tensor<2x4x5x5xf32>, tensor<2x4x5x3xf32>) outs(%of : tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
  return %o : tensor<2x4x5x3xf32>
}
