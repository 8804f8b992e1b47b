// RUN: linalg-ext-opt %s --pass-pipeline='builtin.module(func.func(linalg-ext-normalize{inline-private}))' --verify-diagnostics -o /dev/null

// On a single function, the functions that it calls are not available.

// expected-error @below {{expected a module with 'inline-private', got 'func.func'}}
func.func @function(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
