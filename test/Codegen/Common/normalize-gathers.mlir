// RUN: linalg-ext-opt %s --linalg-ext-normalize --split-input-file | FileCheck %s

// A slice of a gather is a gather of a slice, from its position on.

// CHECK-LABEL: func @slice_of_gather
//  CHECK-SAME: %[[POOL:[^:]*]]: tensor<?x16x48xf16>, %{{[^:]*}}: tensor<2x?xi32>
//       CHECK: %[[PART:.*]] = tensor.extract_slice %[[POOL]][0, 0, 8] [%{{.*}}, 16, 32]
//       CHECK: %[[V:.*]] = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2] pool(%[[PART]] : tensor<?x16x32xf16>) table(%{{.*}} : tensor<2x?xi32>) offset(%c4) outs(%{{.*}} : tensor<2x60x32xf16>)
//       CHECK: return %{{.*}}, %[[V]]
func.func @slice_of_gather(%pool: tensor<?x16x48xf16>, %table: tensor<2x?xi32>) -> (tensor<2x64x48xf16>, tensor<2x60x32xf16>) {
  %e = tensor.empty() : tensor<2x64x48xf16>
  %k = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2] pool(%pool : tensor<?x16x48xf16>) table(%table : tensor<2x?xi32>) outs(%e : tensor<2x64x48xf16>) -> tensor<2x64x48xf16>
  %w = tensor.extract_slice %k[0, 4, 8] [2, 60, 32] [1, 1, 1] : tensor<2x64x48xf16> to tensor<2x60x32xf16>
  return %k, %w : tensor<2x64x48xf16>, tensor<2x60x32xf16>
}
