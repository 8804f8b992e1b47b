// A mask that selects, else -1e9.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

func.func @attention(%q: tensor<3x37x16xf32>, %k: tensor<3x45x16xf32>, %v: tensor<3x45x16xf32>,
    %mask: tensor<1x37x45xi1> {check.draw = "keep 0.7"}) -> tensor<3x37x16xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<3x45x16xf32>) -> tensor<3x16x45xf32>
  %s0 = tosa.matmul %q, %kt, %zp, %zp : (tensor<3x37x16xf32>, tensor<3x16x45xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x37x45xf32>
  %scale = "tosa.const"() <{values = dense<0.25> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %s1 = tosa.mul %s0, %scale, %shift : (tensor<3x37x45xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<3x37x45xf32>
  %low = "tosa.const"() <{values = dense<-1.0e9> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %s2 = tosa.select %mask, %s1, %low : (tensor<1x37x45xi1>, tensor<3x37x45xf32>, tensor<1x1x1xf32>) -> tensor<3x37x45xf32>
  %m = tosa.reduce_max %s2 {axis = 2 : i32} : (tensor<3x37x45xf32>) -> tensor<3x37x1xf32>
  %d = tosa.sub %s2, %m : (tensor<3x37x45xf32>, tensor<3x37x1xf32>) -> tensor<3x37x45xf32>
  %e = tosa.exp %d : (tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %l = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<3x37x45xf32>) -> tensor<3x37x1xf32>
  %i = tosa.reciprocal %l : (tensor<3x37x1xf32>) -> tensor<3x37x1xf32>
  %p = tosa.mul %e, %i, %shift : (tensor<3x37x45xf32>, tensor<3x37x1xf32>, tensor<1xi8>) -> tensor<3x37x45xf32>
  %o = tosa.matmul %p, %v, %zp, %zp : (tensor<3x37x45xf32>, tensor<3x45x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x37x16xf32>
  return %o : tensor<3x37x16xf32>
}
