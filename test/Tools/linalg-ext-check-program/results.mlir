// Results that are arguments have no buffer on GPUs.

// RUN: linalg-ext-check-program %s | FileCheck %s

// CHECK: f: cpu: fused
// CHECK: f: gpu: fused

func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %sum = arith.addf %a, %b : tensor<4xf32>
  %same = arith.minimumf %b, %b : tensor<4xf32>
  return %same, %sum, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
