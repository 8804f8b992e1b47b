// RUN: linalg-ext-opt %s --linalg-ext-fuse=target=cpu | FileCheck %s

// One vector gives rows and columns their values: the ops that compute it are copied for the
// second use, each once, also if it is read twice.

// CHECK-LABEL: func @powers
// CHECK-COUNT-2: linalg.exp
// CHECK-NOT:     linalg.exp
func.func @powers(%x: tensor<64xf32>, %s: tensor<64x64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %v0 = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %v1 = linalg.mul ins(%v0, %v0 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %v2 = linalg.mul ins(%v1, %v1 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %v3 = linalg.mul ins(%v2, %v2 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %v4 = linalg.mul ins(%v3, %v3 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %es = tensor.empty() : tensor<64x64xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%v4, %v4, %s : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) outs(%es : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<64x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %sum : tensor<64xf32>
}
