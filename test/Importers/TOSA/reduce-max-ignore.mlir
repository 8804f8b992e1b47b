// A maximum that leaves out NaNs (nan_mode = IGNORE): stock tosa-to-linalg also finds out
// in the same op whether there is anything but NaNs. In a softmax it may be the maximum with
// NaNs: the sum has them.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=4000 --max-kernels=1 --keys=16

func.func @attention(%q: tensor<3x37x16xf32>, %k: tensor<3x16x45xf32>, %v: tensor<3x45x16xf32>) -> tensor<3x37x16xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s = tosa.matmul %q, %k, %zp, %zp : (tensor<3x37x16xf32>, tensor<3x16x45xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x37x45xf32>
  %m = tosa.reduce_max %s {axis = 2 : i32, nan_mode = IGNORE} : (tensor<3x37x45xf32>) -> tensor<3x37x1xf32>
  %d = tosa.sub %s, %m : (tensor<3x37x45xf32>, tensor<3x37x1xf32>) -> tensor<3x37x45xf32>
  %e = tosa.exp %d : (tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %l = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<3x37x45xf32>) -> tensor<3x37x1xf32>
  %i = tosa.reciprocal %l : (tensor<3x37x1xf32>) -> tensor<3x37x1xf32>
  %p = tosa.mul %e, %i, %shift : (tensor<3x37x45xf32>, tensor<3x37x1xf32>, tensor<1xi8>) -> tensor<3x37x45xf32>
  %o = tosa.matmul %p, %v, %zp, %zp : (tensor<3x37x45xf32>, tensor<3x45x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x37x16xf32>
  return %o : tensor<3x37x16xf32>
}

// One row in eight has nothing but NaNs.
func.func @maximum(%x: tensor<64x3xf32> {check.draw = "choose nan nan nan 0.5 -1 2"}) -> tensor<64x1xf32> {
  %m = tosa.reduce_max %x {axis = 1 : i32, nan_mode = IGNORE} : (tensor<64x3xf32>) -> tensor<64x1xf32>
  return %m : tensor<64x1xf32>
}
