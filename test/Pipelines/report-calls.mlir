// RUN: linalg-ext-opt %s --linalg-ext-to-llvm -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: linalg-ext-opt %s --linalg-ext-to-llvm=report=none -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// NONE-NOT: remark:

// Nothing is fused across a call that stays. Calls whose arguments and results no
// op could be fused with, and those of external functions, have no remark.

#rows = affine_map<(m, n) -> (m)>
#all = affine_map<(m, n) -> (m, n)>

// CHECK: report-calls.mlir:[[# @LINE + 5]]:{{.*}}: remark: nothing is fused across this call; expected the function to be private, not recursive, and without 'no_inline'
func.func @f(%x: tensor<8x64xf32>, %y: tensor<64x64xf32>) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  %e = func.call @normalize(%x) : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %r = linalg.matmul ins(%e, %y : tensor<8x64xf32>, tensor<64x64xf32>) outs(%init : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}

func.func @normalize(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %out = tensor.empty() : tensor<8x64xf32>
  %r = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<8x64xf32>, tensor<8xf32>) outs(%out : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}

func.func private @print(tensor<8x64xf32>)

func.func @main() {
  %one = arith.constant dense<1.0> : tensor<8x64xf32>
  %many = arith.constant dense<1.0> : tensor<64x64xf32>
  %r = call @f(%one, %many) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  call @print(%r) : (tensor<8x64xf32>) -> ()
  return
}
