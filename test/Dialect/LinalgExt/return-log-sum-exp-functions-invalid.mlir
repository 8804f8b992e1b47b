// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(func.func(linalg-ext-raise{return-log-sum-exp}))' --verify-diagnostics -o /dev/null

// A function does not have its callers.

// expected-error @below {{expected a module with 'return-log-sum-exp', got 'func.func'}}
func.func @function(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
