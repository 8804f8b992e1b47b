// RUN: linalg-ext-opt %s --linalg-ext-legalize-buffers=steps=resolve-expand-shape | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-legalize-buffers{steps=resolve-expand-shape})' | FileCheck %s

// Upstream's own lowering crashes without it.
// RUN: linalg-ext-opt %s --linalg-ext-legalize-buffers=steps=resolve-expand-shape --expand-strided-metadata | FileCheck %s --check-prefix=LOWERED
// LOWERED-NOT: memref.expand_shape

// CHECK: #[[PRODUCT:.+]] = affine_map<()[s0, s1] -> (s0 * s1)>
// CHECK-LABEL: func @two_dynamic
//  CHECK-SAME:   %[[M:[a-z0-9]+]]: memref<?x8xf32, strided<[?, 1], offset: ?>>, %[[A:[a-z0-9]+]]: index, %[[B:[a-z0-9]+]]: index
//       CHECK:   %[[BASE:.+]], %[[OFFSET:.+]], %{{.+}}:2, %[[STRIDES:.+]]:2 = memref.extract_strided_metadata %[[M]]
//       CHECK:   %[[OUTER:.+]] = affine.apply #[[PRODUCT]]()[%[[STRIDES]]#0, %[[B]]]
//       CHECK:   memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]], sizes: [%[[A]], %[[B]], 8], strides: [%[[OUTER]], %[[STRIDES]]#0, 1]
func.func @two_dynamic(%m: memref<?x8xf32, strided<[?, 1], offset: ?>>, %a: index, %b: index) -> memref<?x?x8xf32, strided<[?, ?, 1], offset: ?>> {
  %e = memref.expand_shape %m [[0, 1], [2]] output_shape [%a, %b, 8] : memref<?x8xf32, strided<[?, 1], offset: ?>> into memref<?x?x8xf32, strided<[?, ?, 1], offset: ?>>
  return %e : memref<?x?x8xf32, strided<[?, ?, 1], offset: ?>>
}

// Upstream knows what to do.

// CHECK-LABEL: func @negative_one_dynamic
//       CHECK:   memref.expand_shape
func.func @negative_one_dynamic(%m: memref<?xf32>, %a: index) -> memref<?x4xf32> {
  %e = memref.expand_shape %m [[0, 1]] output_shape [%a, 4] : memref<?xf32> into memref<?x4xf32>
  return %e : memref<?x4xf32>
}
