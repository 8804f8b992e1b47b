// RUN: linalg-ext-opt %s --linalg-ext-legalize-buffers=steps=copies-to-linalg | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(linalg-ext-legalize-buffers{steps=copies-to-linalg})' | FileCheck %s

// CHECK-LABEL: func @strided(
// CHECK-SAME:    %[[A:.*]]: memref<?x8xf32, strided<[?, 1]>>, %[[B:.*]]: memref<?x8xf32>)
// CHECK-NOT:     memref.copy
// CHECK:         linalg.generic {{.*}} ins(%[[A]] : {{.*}}) outs(%[[B]] : {{.*}}) {
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      linalg.yield %[[IN]]
func.func @strided(%a: memref<?x8xf32, strided<[?, 1]>>, %b: memref<?x8xf32>) {
  memref.copy %a, %b : memref<?x8xf32, strided<[?, 1]>> to memref<?x8xf32>
  return
}

// CHECK-LABEL: func @rows_of_another(
// CHECK-NOT:     memref.copy
// CHECK:         linalg.generic
func.func @rows_of_another(%a: memref<4x8xf32>, %b: memref<4x8xf32, strided<[9, 1], offset: 3>>) {
  memref.copy %a, %b : memref<4x8xf32> to memref<4x8xf32, strided<[9, 1], offset: 3>>
  return
}

// CHECK-LABEL: func @negative_dense(
// CHECK-COUNT-2: memref.copy
// CHECK-NOT:     linalg.generic
func.func @negative_dense(%a: memref<?x8xf32>, %b: memref<?x8xf32>,
                          %c: memref<4x8xf32, strided<[8, 1], offset: ?>>, %d: memref<4x8xf32>) {
  memref.copy %a, %b : memref<?x8xf32> to memref<?x8xf32>
  memref.copy %c, %d : memref<4x8xf32, strided<[8, 1], offset: ?>> to memref<4x8xf32>
  return
}

// CHECK-LABEL: func @negative_unranked(
// CHECK:         memref.copy
func.func @negative_unranked(%a: memref<*xf32>, %b: memref<*xf32>) {
  memref.copy %a, %b : memref<*xf32> to memref<*xf32>
  return
}
