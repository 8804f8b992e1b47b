// A loop over rows has a product beside the root. Some operands of the root are
// not cut: the values, which each row reads whole, and the scale, a scalar.
//
// RUN: linalg-ext-opt %s --linalg-ext-raise --linalg-ext-tile-and-fuse='levels=for(4)' -canonicalize | FileCheck %s

#weights = affine_map<(i, j, k) -> (i, k)>
#values = affine_map<(i, j, k) -> (k, j)>
#scalar = affine_map<(i, j, k) -> ()>
#result = affine_map<(i, j, k) -> (i, j)>

// CHECK-LABEL: func.func @scaled_values
//       CHECK:   scf.for {{.*}} -> (tensor<6x5xf32>, tensor<6x3xf32>)
//       CHECK:     %[[P:.*]]:4 = linalg_ext.softmax dimension(1) ins(%{{.*}} : tensor<?x10xf32>)
//       CHECK:     linalg.matmul ins(%[[P]]#0, {{.*}} -> tensor<?x3xf32>
//       CHECK:     linalg.generic {{.*}} ins(%[[P]]#0, {{.*}} {linalg_ext.root}
//       CHECK:   }
//   CHECK-NOT:   linalg.matmul
func.func @scaled_values(%s: tensor<6x10xf32>, %v: tensor<10x5xf32>, %w: tensor<10x3xf32>, %scale: f32) -> (tensor<6x5xf32>, tensor<6x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<6x10xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<6x10xf32>) outs(%pe : tensor<6x10xf32>) -> tensor<6x10xf32>
  %ae = tensor.empty() : tensor<6x5xf32>
  %a0 = linalg.fill ins(%zero : f32) outs(%ae : tensor<6x5xf32>) -> tensor<6x5xf32>
  %a = linalg.generic {linalg_ext.root, indexing_maps = [#weights, #values, #scalar, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %v, %scale : tensor<6x10xf32>, tensor<10x5xf32>, f32) outs(%a0 : tensor<6x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %acc: f32):
    %scaled = arith.mulf %y, %z : f32
    %product = arith.mulf %x, %scaled : f32
    %sum = arith.addf %acc, %product : f32
    linalg.yield %sum : f32
  } -> tensor<6x5xf32>
  %be = tensor.empty() : tensor<6x3xf32>
  %b0 = linalg.fill ins(%zero : f32) outs(%be : tensor<6x3xf32>) -> tensor<6x3xf32>
  %b = linalg.matmul ins(%p, %w : tensor<6x10xf32>, tensor<10x3xf32>) outs(%b0 : tensor<6x3xf32>) -> tensor<6x3xf32>
  return %a, %b : tensor<6x5xf32>, tensor<6x3xf32>
}
