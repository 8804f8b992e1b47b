// Scores are scaled by a difference of tensors, and a sum of tensors is added.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=3000 --max-kernels=1 --keys=16

func.func @attention(%q: tensor<2x37x24xf16>, %k: tensor<2x24x45xf16>, %v: tensor<2x45x24xf16>, %a: tensor<2x37x45xf16>, %b: tensor<2x37x45xf16>, %c: tensor<2x37x45xf16>, %d: tensor<2x37x45xf16>) -> tensor<2x37x24xf16> {
  %zpf16 = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %s = tosa.matmul %q, %k, %zpf16, %zpf16 : (tensor<2x37x24xf16>, tensor<2x24x45xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x37x45xf16>
  %v3 = tosa.sub %a, %b : (tensor<2x37x45xf16>, tensor<2x37x45xf16>) -> tensor<2x37x45xf16>
  %v4 = tosa.add %c, %d : (tensor<2x37x45xf16>, tensor<2x37x45xf16>) -> tensor<2x37x45xf16>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v6 = tosa.mul %s, %v3, %shift : (tensor<2x37x45xf16>, tensor<2x37x45xf16>, tensor<1xi8>) -> tensor<2x37x45xf16>
  %v7 = tosa.add %v6, %v4 : (tensor<2x37x45xf16>, tensor<2x37x45xf16>) -> tensor<2x37x45xf16>
  %v8 = tosa.cast %v7 : (tensor<2x37x45xf16>) -> tensor<2x37x45xf32>
  %m = tosa.reduce_max %v8 {axis = 2 : i32} : (tensor<2x37x45xf32>) -> tensor<2x37x1xf32>
  %v10 = tosa.sub %v8, %m : (tensor<2x37x45xf32>, tensor<2x37x1xf32>) -> tensor<2x37x45xf32>
  %v11 = tosa.exp %v10 : (tensor<2x37x45xf32>) -> tensor<2x37x45xf32>
  %l = tosa.reduce_sum %v11 {axis = 2 : i32} : (tensor<2x37x45xf32>) -> tensor<2x37x1xf32>
  %v13 = tosa.reciprocal %l : (tensor<2x37x1xf32>) -> tensor<2x37x1xf32>
  %v14 = tosa.mul %v11, %v13, %shift : (tensor<2x37x45xf32>, tensor<2x37x1xf32>, tensor<1xi8>) -> tensor<2x37x45xf32>
  %v15 = tosa.cast %v14 : (tensor<2x37x45xf32>) -> tensor<2x37x45xf16>
  %v16 = tosa.matmul %v15, %v, %zpf16, %zpf16 : (tensor<2x37x45xf16>, tensor<2x45x24xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x37x24xf16>
  return %v16 : tensor<2x37x24xf16>
}
