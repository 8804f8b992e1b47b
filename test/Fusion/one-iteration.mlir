// RUN: linalg-ext-opt %s --linalg-ext-tile-and-fuse='levels="forall(6,0,0)for(0,0,4)"' | FileCheck %s

// The tile of a loop of one iteration is the whole, behind a reshape from 0 on.
// What it is computed from is in the loops all the same: the one within cuts it.

// CHECK-LABEL: func @scores
// CHECK-NOT:     math.tanh
// CHECK:         scf.forall
// CHECK:           scf.for
// CHECK:             math.tanh
// CHECK:             linalg_ext.softmax {{.*}} online
// CHECK-NOT:   math.tanh
func.func @scores(%x: tensor<2x3x8xf32>, %v: tensor<8x4xf32>) -> tensor<6x4xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e3 = tensor.empty() : tensor<2x3x8xf32>
  %s3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x8xf32>) outs(%e3 : tensor<2x3x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.tanh %a : f32
    linalg.yield %r : f32
  } -> tensor<2x3x8xf32>
  %s = tensor.collapse_shape %s3 [[0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
  %e = tensor.empty() : tensor<6x8xf32>
  %row = tensor.empty() : tensor<6xf32>
  %m0 = linalg.fill ins(%ninf : f32) outs(%row : tensor<6xf32>) -> tensor<6xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%row : tensor<6xf32>) -> tensor<6xf32>
  %p:4 = linalg_ext.softmax dimension(1) ins(%s : tensor<6x8xf32>) outs(%e, %m0, %l0, %row : tensor<6x8xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<6x8xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  %oe = tensor.empty() : tensor<6x4xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%oe : tensor<6x4xf32>) -> tensor<6x4xf32>
  %y = linalg.matmul ins(%p#0, %v : tensor<6x8xf32>, tensor<8x4xf32>) outs(%o0 : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}
