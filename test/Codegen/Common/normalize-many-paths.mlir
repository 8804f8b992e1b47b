// Many paths lead through elementwise ops: each op is visited, and built without the dimension of size
// 1, once.

// RUN: linalg-ext-opt %s --linalg-ext-normalize | FileCheck %s

// CHECK-LABEL: func @paths
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<1x?x8xf32>) outs(%{{.*}} : tensor<?x8xf32>)
// CHECK:         %[[E:.*]] = tensor.expand_shape
// CHECK-NEXT:    return %[[E]]
func.func @paths(%x: tensor<?x16xf32>, %w: tensor<16x8xf32>, %x0: tensor<1x?x8xf32>) -> tensor<1x?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %s = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = tensor.expand_shape %s [[0, 1], [2]] output_shape [1, %n, 8] : tensor<?x8xf32> into tensor<1x?x8xf32>
  %y0 = math.tanh %x0 : tensor<1x?x8xf32>
  %x1 = arith.mulf %x0, %y0 : tensor<1x?x8xf32>
  %y1 = math.tanh %x1 : tensor<1x?x8xf32>
  %x2 = arith.mulf %x1, %y1 : tensor<1x?x8xf32>
  %y2 = math.tanh %x2 : tensor<1x?x8xf32>
  %x3 = arith.mulf %x2, %y2 : tensor<1x?x8xf32>
  %y3 = math.tanh %x3 : tensor<1x?x8xf32>
  %x4 = arith.mulf %x3, %y3 : tensor<1x?x8xf32>
  %y4 = math.tanh %x4 : tensor<1x?x8xf32>
  %x5 = arith.mulf %x4, %y4 : tensor<1x?x8xf32>
  %y5 = math.tanh %x5 : tensor<1x?x8xf32>
  %x6 = arith.mulf %x5, %y5 : tensor<1x?x8xf32>
  %y6 = math.tanh %x6 : tensor<1x?x8xf32>
  %x7 = arith.mulf %x6, %y6 : tensor<1x?x8xf32>
  %y7 = math.tanh %x7 : tensor<1x?x8xf32>
  %x8 = arith.mulf %x7, %y7 : tensor<1x?x8xf32>
  %y8 = math.tanh %x8 : tensor<1x?x8xf32>
  %x9 = arith.mulf %x8, %y8 : tensor<1x?x8xf32>
  %y9 = math.tanh %x9 : tensor<1x?x8xf32>
  %x10 = arith.mulf %x9, %y9 : tensor<1x?x8xf32>
  %y10 = math.tanh %x10 : tensor<1x?x8xf32>
  %x11 = arith.mulf %x10, %y10 : tensor<1x?x8xf32>
  %y11 = math.tanh %x11 : tensor<1x?x8xf32>
  %x12 = arith.mulf %x11, %y11 : tensor<1x?x8xf32>
  %y12 = math.tanh %x12 : tensor<1x?x8xf32>
  %x13 = arith.mulf %x12, %y12 : tensor<1x?x8xf32>
  %y13 = math.tanh %x13 : tensor<1x?x8xf32>
  %x14 = arith.mulf %x13, %y13 : tensor<1x?x8xf32>
  %y14 = math.tanh %x14 : tensor<1x?x8xf32>
  %x15 = arith.mulf %x14, %y14 : tensor<1x?x8xf32>
  %y15 = math.tanh %x15 : tensor<1x?x8xf32>
  %x16 = arith.mulf %x15, %y15 : tensor<1x?x8xf32>
  %y16 = math.tanh %x16 : tensor<1x?x8xf32>
  %x17 = arith.mulf %x16, %y16 : tensor<1x?x8xf32>
  %y17 = math.tanh %x17 : tensor<1x?x8xf32>
  %x18 = arith.mulf %x17, %y17 : tensor<1x?x8xf32>
  %y18 = math.tanh %x18 : tensor<1x?x8xf32>
  %x19 = arith.mulf %x18, %y18 : tensor<1x?x8xf32>
  %y19 = math.tanh %x19 : tensor<1x?x8xf32>
  %x20 = arith.mulf %x19, %y19 : tensor<1x?x8xf32>
  %y20 = math.tanh %x20 : tensor<1x?x8xf32>
  %x21 = arith.mulf %x20, %y20 : tensor<1x?x8xf32>
  %y21 = math.tanh %x21 : tensor<1x?x8xf32>
  %x22 = arith.mulf %x21, %y21 : tensor<1x?x8xf32>
  %y22 = math.tanh %x22 : tensor<1x?x8xf32>
  %x23 = arith.mulf %x22, %y22 : tensor<1x?x8xf32>
  %y23 = math.tanh %x23 : tensor<1x?x8xf32>
  %x24 = arith.mulf %x23, %y23 : tensor<1x?x8xf32>
  %r = arith.mulf %p, %x24 : tensor<1x?x8xf32>
  return %r : tensor<1x?x8xf32>
}
