// A causal mask that is a literal, a finite number in place of -inf, and a softmax in f16. Falls
// short: on a CPU, scores of f16 are stored.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=3000 --max-kernels=1 --keys=16 --expect=cpu:unfused

func.func @attention(%q: tensor<1x2x24x64xf16> {check.draw = "uniform -0.3 0.3"}, %k: tensor<1x2x24x64xf16> {check.draw = "uniform -0.3 0.3"}, %v: tensor<1x2x24x64xf16>) -> tensor<1x2x24x64xf16> {
  %mask = "tosa.const"() <{values = dense<[[[[true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false], [true, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false], [true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false], [true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false], [true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false], [true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false], [true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false], [true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false], [true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false], [true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false], [true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false], [true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false], [true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false, false], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false, false], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false, false], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, false], [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]]]]> : tensor<1x1x24x24xi1>}> : () -> tensor<1x1x24x24xi1>
  %low = "tosa.const"() <{values = dense<-1.0e+04> : tensor<1x1x1x1xf16>}> : () -> tensor<1x1x1x1xf16>
  %scale = "tosa.const"() <{values = dense<0.354> : tensor<1x1x1x1xf16>}> : () -> tensor<1x1x1x1xf16>
  %v4 = tosa.transpose %k {perms = array<i32: 0, 1, 3, 2>} : (tensor<1x2x24x64xf16>) -> tensor<1x2x64x24xf16>
  %shape2x24x64 = tosa.const_shape {values = dense<[2, 24, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v5 = tosa.reshape %q, %shape2x24x64 : (tensor<1x2x24x64xf16>, !tosa.shape<3>) -> tensor<2x24x64xf16>
  %shape2x64x24 = tosa.const_shape {values = dense<[2, 64, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v6 = tosa.reshape %v4, %shape2x64x24 : (tensor<1x2x64x24xf16>, !tosa.shape<3>) -> tensor<2x64x24xf16>
  %zpf16 = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %v8 = tosa.matmul %v5, %v6, %zpf16, %zpf16 : (tensor<2x24x64xf16>, tensor<2x64x24xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x24x24xf16>
  %shape1x2x24x24 = tosa.const_shape {values = dense<[1, 2, 24, 24]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s = tosa.reshape %v8, %shape1x2x24x24 : (tensor<2x24x24xf16>, !tosa.shape<4>) -> tensor<1x2x24x24xf16>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v11 = tosa.mul %s, %scale, %shift : (tensor<1x2x24x24xf16>, tensor<1x1x1x1xf16>, tensor<1xi8>) -> tensor<1x2x24x24xf16>
  %v12 = tosa.select %mask, %v11, %low : (tensor<1x1x24x24xi1>, tensor<1x2x24x24xf16>, tensor<1x1x1x1xf16>) -> tensor<1x2x24x24xf16>
  %m = tosa.reduce_max %v12 {axis = 3 : i32} : (tensor<1x2x24x24xf16>) -> tensor<1x2x24x1xf16>
  %v14 = tosa.sub %v12, %m : (tensor<1x2x24x24xf16>, tensor<1x2x24x1xf16>) -> tensor<1x2x24x24xf16>
  %v15 = tosa.exp %v14 : (tensor<1x2x24x24xf16>) -> tensor<1x2x24x24xf16>
  %l = tosa.reduce_sum %v15 {axis = 3 : i32} : (tensor<1x2x24x24xf16>) -> tensor<1x2x24x1xf16>
  %v17 = tosa.reciprocal %l : (tensor<1x2x24x1xf16>) -> tensor<1x2x24x1xf16>
  %v18 = tosa.mul %v15, %v17, %shift : (tensor<1x2x24x24xf16>, tensor<1x2x24x1xf16>, tensor<1xi8>) -> tensor<1x2x24x24xf16>
  %shape2x24x24 = tosa.const_shape {values = dense<[2, 24, 24]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v19 = tosa.reshape %v18, %shape2x24x24 : (tensor<1x2x24x24xf16>, !tosa.shape<3>) -> tensor<2x24x24xf16>
  %v20 = tosa.reshape %v, %shape2x24x64 : (tensor<1x2x24x64xf16>, !tosa.shape<3>) -> tensor<2x24x64xf16>
  %v21 = tosa.matmul %v19, %v20, %zpf16, %zpf16 : (tensor<2x24x24xf16>, tensor<2x24x64xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x24x64xf16>
  %shape1x2x24x64 = tosa.const_shape {values = dense<[1, 2, 24, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v22 = tosa.reshape %v21, %shape1x2x24x64 : (tensor<2x24x64xf16>, !tosa.shape<4>) -> tensor<1x2x24x64xf16>
  return %v22 : tensor<1x2x24x64xf16>
}
