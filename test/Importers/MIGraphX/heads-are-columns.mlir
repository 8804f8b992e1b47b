// Heads are columns: reshapes and transposes around the products, and of the scores for a
// mask that is added.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=4000 --max-kernels=1 --keys=16

func.func @attention(%q: tensor<1x45x96xf16> {check.draw = "uniform -0.2 0.2"}, %k: tensor<1x45x96xf16> {check.draw = "uniform -0.2 0.2"}, %mask: tensor<1x1x45x45xf16> {check.draw = "mask 0.3 -inf"}, %v: tensor<1x45x96xf16>) -> tensor<3x45x32xf16> {
  %shape1x45x3x32 = tosa.const_shape {values = dense<[1, 45, 3, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v1 = tosa.reshape %q, %shape1x45x3x32 : (tensor<1x45x96xf16>, !tosa.shape<4>) -> tensor<1x45x3x32xf16>
  %v2 = tosa.transpose %v1 {perms = array<i32: 2, 0, 1, 3>} : (tensor<1x45x3x32xf16>) -> tensor<3x1x45x32xf16>
  %shape3x45x32 = tosa.const_shape {values = dense<[3, 45, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %qh = tosa.reshape %v2, %shape3x45x32 : (tensor<3x1x45x32xf16>, !tosa.shape<3>) -> tensor<3x45x32xf16>
  %v4 = tosa.reshape %k, %shape1x45x3x32 : (tensor<1x45x96xf16>, !tosa.shape<4>) -> tensor<1x45x3x32xf16>
  %v5 = tosa.transpose %v4 {perms = array<i32: 2, 3, 0, 1>} : (tensor<1x45x3x32xf16>) -> tensor<3x32x1x45xf16>
  %shape3x32x45 = tosa.const_shape {values = dense<[3, 32, 45]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %kh = tosa.reshape %v5, %shape3x32x45 : (tensor<3x32x1x45xf16>, !tosa.shape<3>) -> tensor<3x32x45xf16>
  %v7 = tosa.reshape %v, %shape1x45x3x32 : (tensor<1x45x96xf16>, !tosa.shape<4>) -> tensor<1x45x3x32xf16>
  %v8 = tosa.transpose %v7 {perms = array<i32: 2, 0, 1, 3>} : (tensor<1x45x3x32xf16>) -> tensor<3x1x45x32xf16>
  %vh = tosa.reshape %v8, %shape3x45x32 : (tensor<3x1x45x32xf16>, !tosa.shape<3>) -> tensor<3x45x32xf16>
  %zpf16 = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %s = tosa.matmul %qh, %kh, %zpf16, %zpf16 : (tensor<3x45x32xf16>, tensor<3x32x45xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<3x45x45xf16>
  %shape1x3x45x45 = tosa.const_shape {values = dense<[1, 3, 45, 45]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v12 = tosa.reshape %s, %shape1x3x45x45 : (tensor<3x45x45xf16>, !tosa.shape<4>) -> tensor<1x3x45x45xf16>
  %v13 = tosa.add %v12, %mask : (tensor<1x3x45x45xf16>, tensor<1x1x45x45xf16>) -> tensor<1x3x45x45xf16>
  %shape3x45x45 = tosa.const_shape {values = dense<[3, 45, 45]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v14 = tosa.reshape %v13, %shape3x45x45 : (tensor<1x3x45x45xf16>, !tosa.shape<3>) -> tensor<3x45x45xf16>
  %v15 = tosa.cast %v14 : (tensor<3x45x45xf16>) -> tensor<3x45x45xf32>
  %m = tosa.reduce_max %v15 {axis = 2 : i32} : (tensor<3x45x45xf32>) -> tensor<3x45x1xf32>
  %v17 = tosa.sub %v15, %m : (tensor<3x45x45xf32>, tensor<3x45x1xf32>) -> tensor<3x45x45xf32>
  %v18 = tosa.exp %v17 : (tensor<3x45x45xf32>) -> tensor<3x45x45xf32>
  %l = tosa.reduce_sum %v18 {axis = 2 : i32} : (tensor<3x45x45xf32>) -> tensor<3x45x1xf32>
  %v20 = tosa.reciprocal %l : (tensor<3x45x1xf32>) -> tensor<3x45x1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v22 = tosa.mul %v18, %v20, %shift : (tensor<3x45x45xf32>, tensor<3x45x1xf32>, tensor<1xi8>) -> tensor<3x45x45xf32>
  %v23 = tosa.cast %v22 : (tensor<3x45x45xf32>) -> tensor<3x45x45xf16>
  %v24 = tosa.matmul %v23, %vh, %zpf16, %zpf16 : (tensor<3x45x45xf16>, tensor<3x45x32xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<3x45x32xf16>
  return %v24 : tensor<3x45x32xf16>
}
