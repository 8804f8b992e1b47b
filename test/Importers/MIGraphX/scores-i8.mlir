// Scores are a product of i8 with sums of i32, and a factor; then a bias.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=3000 --max-kernels=1 --keys=16

func.func @attention(%q: tensor<2x34x32xi8> {check.draw = "uniform -100 100"}, %k: tensor<2x32x50xi8> {check.draw = "uniform -100 100"}, %v: tensor<2x50x32xf16>, %bias: tensor<2x34x50xf16>, %qscale: tensor<1x1x1xf32> {check.draw = "uniform 0.0001 0.0002"}) -> tensor<2x34x32xf16> {
  %zpi8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s = tosa.matmul %q, %k, %zpi8, %zpi8 : (tensor<2x34x32xi8>, tensor<2x32x50xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x34x50xi32>
  %v3 = tosa.cast %s : (tensor<2x34x50xi32>) -> tensor<2x34x50xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v5 = tosa.mul %v3, %qscale, %shift : (tensor<2x34x50xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x34x50xf32>
  %v6 = tosa.cast %bias : (tensor<2x34x50xf16>) -> tensor<2x34x50xf32>
  %v7 = tosa.add %v5, %v6 : (tensor<2x34x50xf32>, tensor<2x34x50xf32>) -> tensor<2x34x50xf32>
  %m = tosa.reduce_max %v7 {axis = 2 : i32} : (tensor<2x34x50xf32>) -> tensor<2x34x1xf32>
  %v9 = tosa.sub %v7, %m : (tensor<2x34x50xf32>, tensor<2x34x1xf32>) -> tensor<2x34x50xf32>
  %v10 = tosa.exp %v9 : (tensor<2x34x50xf32>) -> tensor<2x34x50xf32>
  %l = tosa.reduce_sum %v10 {axis = 2 : i32} : (tensor<2x34x50xf32>) -> tensor<2x34x1xf32>
  %v12 = tosa.reciprocal %l : (tensor<2x34x1xf32>) -> tensor<2x34x1xf32>
  %v13 = tosa.mul %v10, %v12, %shift : (tensor<2x34x50xf32>, tensor<2x34x1xf32>, tensor<1xi8>) -> tensor<2x34x50xf32>
  %v14 = tosa.cast %v13 : (tensor<2x34x50xf32>) -> tensor<2x34x50xf16>
  %zpf16 = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %v16 = tosa.matmul %v14, %v, %zpf16, %zpf16 : (tensor<2x34x50xf16>, tensor<2x50x32xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x34x32xf16>
  return %v16 : tensor<2x34x32xf16>
}
