// Encodings say how a tensor is stored. Calls and returns hand such tensors on.

// RUN: split-file %s %t
// RUN: not linalg-ext-opt %t/encoding.mlir --linalg-ext-normalize --mlir-print-ir-after-failure 2>&1 | FileCheck %t/encoding.mlir
// RUN: not linalg-ext-opt %t/encoding.mlir --linalg-ext-normalize=patterns=spelling 2>&1 | FileCheck %t/encoding.mlir --check-prefix=ERROR
// RUN: linalg-ext-opt %t/handed-on.mlir --linalg-ext-normalize | FileCheck %t/handed-on.mlir
// RUN: not linalg-ext-opt %t/encoding.mlir --linalg-ext-split-concatenations 2>&1 | FileCheck %t/encoding.mlir --check-prefix=PARTS

//--- encoding.mlir
// CHECK: encoding.mlir:[[@LINE+8]]:8: error: 'linalg.softmax' op expected tensors without encodings, which the normal form does not keep
// CHECK: func.func @softmax
// CHECK: arith.addi
// ERROR: error: 'linalg.softmax' op expected tensors without encodings
// PARTS: error: 'linalg.softmax' op expected tensors without encodings, which concatenations in parts do not keep
func.func @softmax(%x: tensor<4x8xf32, "e">, %i: i32) -> (tensor<4x8xf32, "e">, i32) {
  %zero = arith.constant 0 : i32
  %s = arith.addi %i, %zero : i32
  %y = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32, "e">) outs(%x : tensor<4x8xf32, "e">) -> tensor<4x8xf32, "e">
  return %y, %s : tensor<4x8xf32, "e">, i32
}
//--- handed-on.mlir
// CHECK-LABEL: func.func @caller
// CHECK:         call @other
func.func private @other(tensor<4xf32, "e">) -> tensor<4xf32, "e">
func.func @caller(%x: tensor<4xf32, "e">) -> tensor<4xf32, "e"> {
  %0 = call @other(%x) : (tensor<4xf32, "e">) -> tensor<4xf32, "e">
  return %0 : tensor<4xf32, "e">
}
