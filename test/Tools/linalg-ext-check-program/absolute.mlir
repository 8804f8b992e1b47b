// Upstream's conversion to functions of libm fails for this op, of which libm has none
// for integers.

// RUN: linalg-ext-check-program %s | FileCheck %s

// CHECK: absolute: cpu: fused
// CHECK: absolute: gpu: fused

func.func @absolute(%x: tensor<37xi32>) -> tensor<37xi32> {
  %y = math.absi %x : tensor<37xi32>
  return %y : tensor<37xi32>
}
