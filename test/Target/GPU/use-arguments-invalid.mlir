// RUN: linalg-ext-opt %s --linalg-ext-gpu-use-arguments --split-input-file --verify-diagnostics

// expected-error @+1 {{expected arguments and results of real numbers, got 'tensor<4xcomplex<f32>>'; pass real and imaginary parts as two tensors}}
func.func @argument(%x: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected arguments and results of real numbers, got 'memref<4xcomplex<f32>>'; pass real and imaginary parts as two tensors}}
func.func @result(%x: tensor<4xf32>) -> memref<4xcomplex<f32>> {
  %a = memref.alloc() : memref<4xcomplex<f32>>
  return %a : memref<4xcomplex<f32>>
}
