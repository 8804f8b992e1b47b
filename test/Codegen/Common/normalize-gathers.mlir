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

// -----

// Keys and values in turn: every second head of a row is one of a pool of half as many.

// CHECK-LABEL: func @keys_and_values_in_turn
//  CHECK-SAME: %[[POOL:[^:]*]]: tensor<?x16x6x32xf16>, %[[TABLE:[^:]*]]: tensor<2x4xi32>
//   CHECK-DAG: %[[PARTS:.*]] = tensor.expand_shape %[[POOL]] {{\[\[}}0], [1], [2, 3], [4]]
//   CHECK-DAG: %[[KEYS:.*]] = tensor.extract_slice %[[PARTS]][0, 0, 0, 0, 0] [%{{.*}}, 16, 3, 1, 32]
//   CHECK-DAG: %[[VALUES:.*]] = tensor.extract_slice %[[PARTS]][0, 0, 0, 1, 0] [%{{.*}}, 16, 3, 1, 32]
//   CHECK-DAG: %[[K:.*]] = linalg_ext.paged_gather {{.*}} pool(%[[KEYS]] : {{.*}}) table(%[[TABLE]] : {{.*}}) outs(%{{.*}} : tensor<2x64x3x32xf16>)
//   CHECK-DAG: %[[V:.*]] = linalg_ext.paged_gather {{.*}} pool(%[[VALUES]] : {{.*}}) table(%[[TABLE]] : {{.*}}) outs(%{{.*}} : tensor<2x64x3x32xf16>)
//       CHECK: return %[[K]], %[[V]]
func.func @keys_and_values_in_turn(%pool: tensor<?x16x6x32xf16>, %table: tensor<2x4xi32>) -> (tensor<2x64x3x32xf16>, tensor<2x64x3x32xf16>) {
  %e = tensor.empty() : tensor<2x64x6x32xf16>
  %kv = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2, 3] pool(%pool : tensor<?x16x6x32xf16>) table(%table : tensor<2x4xi32>) outs(%e : tensor<2x64x6x32xf16>) -> tensor<2x64x6x32xf16>
  %k = tensor.extract_slice %kv[0, 0, 0, 0] [2, 64, 3, 32] [1, 1, 2, 1] : tensor<2x64x6x32xf16> to tensor<2x64x3x32xf16>
  %v = tensor.extract_slice %kv[0, 0, 1, 0] [2, 64, 3, 32] [1, 1, 2, 1] : tensor<2x64x6x32xf16> to tensor<2x64x3x32xf16>
  return %k, %v : tensor<2x64x3x32xf16>, tensor<2x64x3x32xf16>
}

// -----

// Every second row is no gather.

// CHECK-LABEL: func @negative_every_second_row
//       CHECK: %[[K:.*]] = linalg_ext.paged_gather
//       CHECK: tensor.extract_slice %[[K]][0, 0, 0] [2, 32, 48] [1, 2, 1]
func.func @negative_every_second_row(%pool: tensor<?x16x48xf16>, %table: tensor<2x4xi32>) -> tensor<2x32x48xf16> {
  %e = tensor.empty() : tensor<2x64x48xf16>
  %k = linalg_ext.paged_gather sequence(1) batch [0] pool_dims [-1, 1, 2] pool(%pool : tensor<?x16x48xf16>) table(%table : tensor<2x4xi32>) outs(%e : tensor<2x64x48xf16>) -> tensor<2x64x48xf16>
  %w = tensor.extract_slice %k[0, 0, 0] [2, 32, 48] [1, 2, 1] : tensor<2x64x48xf16> to tensor<2x32x48xf16>
  return %w : tensor<2x32x48xf16>
}
