// RUN: linalg-ext-opt %s --linalg-ext-fuse='target=gpu rows=64 keys=64' --split-input-file | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-fuse{target=gpu rows=64 keys=64})' --split-input-file | FileCheck %s

// Sums of f16 are sums of f32 that are rounded once.

// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[ACC:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @matmul(
// CHECK-SAME:    %[[A:.*]]: tensor<?x8xf16>, %[[B:.*]]: tensor<8x4xf16>,
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<?x4xf32>)
// CHECK:         %[[R:.*]] = linalg.contract indexing_maps = [#[[LHS]], #[[RHS]], #[[ACC]]] ins(%[[A]], %[[B]] : tensor<?x8xf16>, tensor<8x4xf16>) outs(%[[FILL]] : tensor<?x4xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[R]] : tensor<?x4xf32>) outs(%{{.*}} : tensor<?x4xf16>)
// CHECK:           arith.truncf
func.func @matmul(%a: tensor<?x8xf16>, %b: tensor<8x4xf16>, %e: tensor<?x4xf16>) -> tensor<?x4xf16> {
  %zero = arith.constant 0.0 : f16
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<?x4xf16>) -> tensor<?x4xf16>
  %r = linalg.matmul ins(%a, %b : tensor<?x8xf16>, tensor<8x4xf16>) outs(%f : tensor<?x4xf16>) -> tensor<?x4xf16>
  return %r : tensor<?x4xf16>
}

// -----

// What is added to is extended.

// CHECK-LABEL: func @accumulate(
// CHECK-SAME:    %{{.*}}: tensor<2x8xbf16>, %{{.*}}: tensor<2x8x4xbf16>, %[[C:.*]]: tensor<2x4xbf16>)
// CHECK:         %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<2x4xbf16>) outs(%{{.*}} : tensor<2x4xf32>)
// CHECK:           arith.extf
// CHECK:         linalg.contract {{.*}} outs(%[[WIDE]] : tensor<2x4xf32>)
// CHECK:         arith.truncf
func.func @accumulate(%a: tensor<2x8xbf16>, %b: tensor<2x8x4xbf16>, %c: tensor<2x4xbf16>) -> tensor<2x4xbf16> {
  %r = linalg.batch_vecmat ins(%a, %b : tensor<2x8xbf16>, tensor<2x8x4xbf16>) outs(%c : tensor<2x4xbf16>) -> tensor<2x4xbf16>
  return %r : tensor<2x4xbf16>
}

// -----

// Sums of integers, of f32, and what is no product stay as they are.

// CHECK-LABEL: func @negative_types(
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x4xi32>)
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x4xf32>)
// CHECK:         linalg.reduce
// CHECK-NOT:     arith.truncf
func.func @negative_types(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>, %c: tensor<4x4xi32>, %d: tensor<4x8xf16>, %e: tensor<8x4xf16>, %f: tensor<4x4xf32>, %g: tensor<4xf16>)
    -> (tensor<4x4xi32>, tensor<4x4xf32>, tensor<4xf16>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x4xi8>) outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  %1 = linalg.matmul ins(%d, %e : tensor<4x8xf16>, tensor<8x4xf16>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.reduce {arith.addf} ins(%d : tensor<4x8xf16>) outs(%g : tensor<4xf16>) dimensions = [1]
  return %0, %1, %2 : tensor<4x4xi32>, tensor<4x4xf32>, tensor<4xf16>
}

// -----

// Upstream's contractions may compute their operands, and sum over loops that one
// of them has; linalg.contract does neither.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @negative_computed_operand(
// CHECK:         linalg.generic
// CHECK:           arith.negf
// CHECK:         return
func.func @negative_computed_operand(%a: tensor<4x8xf16>, %b: tensor<8x4xf16>, %c: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x8xf16>, tensor<8x4xf16>) outs(%c : tensor<4x4xf16>) {
  ^bb0(%x: f16, %y: f16, %o: f16):
    %n = arith.negf %x : f16
    %p = arith.mulf %n, %y : f16
    %s = arith.addf %o, %p : f16
    linalg.yield %s : f16
  } -> tensor<4x4xf16>
  return %r : tensor<4x4xf16>
}

// -----

#lhs = affine_map<(m, k) -> (m)>
#rhs = affine_map<(m, k) -> (k)>

// CHECK-LABEL: func @negative_sum_of_one_operand(
// CHECK-NOT:     linalg.contract
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.contract
func.func @negative_sum_of_one_operand(%a: tensor<4xf16>, %b: tensor<8xf16>, %c: tensor<4xf16>) -> tensor<4xf16> {
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #lhs], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<4xf16>, tensor<8xf16>) outs(%c : tensor<4xf16>) {
  ^bb0(%x: f16, %y: f16, %o: f16):
    %p = arith.mulf %x, %y : f16
    %s = arith.addf %o, %p : f16
    linalg.yield %s : f16
  } -> tensor<4xf16>
  return %r : tensor<4xf16>
}
