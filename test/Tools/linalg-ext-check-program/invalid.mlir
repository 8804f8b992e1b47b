// Results that cannot be compared are refused before anything runs.
//
// RUN: not linalg-ext-check-program %s 2>&1 | FileCheck %s

// CHECK: invalid.mlir":[[@LINE+1]]:1): error: result 0: expected a tensor or a memref, got 'f32'
func.func @scalar(%x: tensor<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %r = tensor.extract %x[%c0] : tensor<8xf32>
  return %r : f32
}
