// RUN: linalg-ext-opt %s --test-linalg-ext-plan='levels="for(0,0,3)"' -o /dev/null | FileCheck %s

// Upstream crashes tiling a pad whose value is computed in its body.

// CHECK: keep 'tensor.pad': its padding is computed in its body

func.func @pad_in_body(%x: tensor<3x8xf32>, %v: tensor<6x4xf32>) -> (tensor<3x4xf32>) {
  %o0e = tensor.empty() : tensor<3x4xf32>
  %o0c = arith.constant 0.0 : f32
  %o0 = linalg.fill ins(%o0c : f32) outs(%o0e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %v2 = tensor.pad %v low[1,0] high[1,0] { ^bb0(%j: index, %k: index): %cst = arith.constant 0.0 : f32
 tensor.yield %cst : f32 } : tensor<6x4xf32> to tensor<8x4xf32>
  %o = linalg.matmul {linalg_ext.root} ins(%x, %v2 : tensor<3x8xf32>, tensor<8x4xf32>) outs(%o0 : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %o : tensor<3x4xf32>
}
