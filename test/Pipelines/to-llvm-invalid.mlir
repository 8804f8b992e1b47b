// What cannot be lowered is an error at the op, and no LLVM dialect.

// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics --linalg-ext-to-llvm
// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics --linalg-ext-to-llvm='vectorize=false cpu=x86-64-v4'

func.func @product(%a: tensor<64x64xtf32>, %b: tensor<64x64xtf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-error @+1 {{'memref.load' of 'memref<64x64xtf32>', 'index', 'index' to 'tf32' is left behind the last pass; expected ops of llvm only}}
  %r = linalg.matmul ins(%a, %b : tensor<64x64xtf32>, tensor<64x64xtf32>)
      outs(%zeros : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// No function of a library has it either.
func.func @bits_of_complex(%a: complex<f32>) -> i64 {
  // expected-error @+1 {{'complex.bitcast' of 'complex<f32>' to 'i64' is left behind the last pass; expected ops of llvm only}}
  %r = complex.bitcast %a : complex<f32> to i64
  return %r : i64
}
