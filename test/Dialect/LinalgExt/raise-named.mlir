// RUN: linalg-ext-opt %s -linalg-ext-raise | FileCheck %s
// RUN: mlir-opt %s --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(linalg-ext-raise)' \
// RUN:   | FileCheck %s

// linalg.softmax.


// CHECK-LABEL: func @named_softmax(
// CHECK: linalg_ext.softmax dimension(1) ins(%{{.+}} : tensor<3x4xf16>)
func.func @named_softmax(%x: tensor<3x4xf16>, %o: tensor<3x4xf16>) -> tensor<3x4xf16> {
  %y = linalg.softmax dimension(1) ins(%x : tensor<3x4xf16>) outs(%o : tensor<3x4xf16>) -> tensor<3x4xf16>
  return %y : tensor<3x4xf16>
}

// CHECK-LABEL: func @negative_named_softmax_of_f8(
// CHECK-NOT: linalg_ext.softmax
func.func @negative_named_softmax_of_f8(%x: tensor<3x4xf8E4M3FN>, %o: tensor<3x4xf8E4M3FN>) -> tensor<3x4xf8E4M3FN> {
  %y = linalg.softmax dimension(1) ins(%x : tensor<3x4xf8E4M3FN>) outs(%o : tensor<3x4xf8E4M3FN>) -> tensor<3x4xf8E4M3FN>
  return %y : tensor<3x4xf8E4M3FN>
}

// CHECK-LABEL: func @negative_named_softmax_on_buffers
// CHECK-NOT: linalg_ext.softmax
func.func @negative_named_softmax_on_buffers(%x: memref<3x4xf32>, %o: memref<3x4xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<3x4xf32>) outs(%o : memref<3x4xf32>)
  return
}
