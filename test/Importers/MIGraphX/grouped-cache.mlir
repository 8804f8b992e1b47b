// Seven heads of queries for each head of a cache, which is repeated by a broadcast; the
// mask is computed for a batch, and then gets its other dimensions.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=9000 --max-kernels=2 --keys=16

func.func @attention(%qkv: tensor<2x18x1x64xf16> {check.draw = "uniform -0.3 0.3"}, %k: tensor<2x2x40x64xf16> {check.draw = "uniform -0.3 0.3"}, %v: tensor<2x2x40x64xf16>, %lengths: tensor<2x1xi32> {check.draw = "uniform 0 39"}) -> tensor<2x1x896xf16> {
  %positions = "tosa.const"() <{values = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]]> : tensor<1x40xi32>}> : () -> tensor<1x40xi32>
  %ninf = "tosa.const"() <{values = dense<0xFC00> : tensor<1x1x1x1xf16>}> : () -> tensor<1x1x1x1xf16>
  %scale = "tosa.const"() <{values = dense<0.125> : tensor<1x1x1x1xf16>}> : () -> tensor<1x1x1x1xf16>
  %start_0x0x0x0 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %size_2x14x1x64 = tosa.const_shape {values = dense<[2, 14, 1, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %q = tosa.slice %qkv, %start_0x0x0x0, %size_2x14x1x64 : (tensor<2x18x1x64xf16>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x14x1x64xf16>
  %shape2x2x1x40x64 = tosa.const_shape {values = dense<[2, 2, 1, 40, 64]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %v5 = tosa.reshape %k, %shape2x2x1x40x64 : (tensor<2x2x40x64xf16>, !tosa.shape<5>) -> tensor<2x2x1x40x64xf16>
  %v6 = tosa.reshape %v, %shape2x2x1x40x64 : (tensor<2x2x40x64xf16>, !tosa.shape<5>) -> tensor<2x2x1x40x64xf16>
  %mult_1x1x7x1x1 = tosa.const_shape {values = dense<[1, 1, 7, 1, 1]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %v7 = tosa.tile %v6, %mult_1x1x7x1x1 : (tensor<2x2x1x40x64xf16>, !tosa.shape<5>) -> tensor<2x2x7x40x64xf16>
  %shape2x14x40x64 = tosa.const_shape {values = dense<[2, 14, 40, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v8 = tosa.reshape %v7, %shape2x14x40x64 : (tensor<2x2x7x40x64xf16>, !tosa.shape<4>) -> tensor<2x14x40x64xf16>
  %v9 = tosa.transpose %v5 {perms = array<i32: 0, 1, 2, 4, 3>} : (tensor<2x2x1x40x64xf16>) -> tensor<2x2x1x64x40xf16>
  %v10 = tosa.tile %v9, %mult_1x1x7x1x1 : (tensor<2x2x1x64x40xf16>, !tosa.shape<5>) -> tensor<2x2x7x64x40xf16>
  %shape2x14x64x40 = tosa.const_shape {values = dense<[2, 14, 64, 40]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v11 = tosa.reshape %v10, %shape2x14x64x40 : (tensor<2x2x7x64x40xf16>, !tosa.shape<4>) -> tensor<2x14x64x40xf16>
  %shape28x1x64 = tosa.const_shape {values = dense<[28, 1, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v12 = tosa.reshape %q, %shape28x1x64 : (tensor<2x14x1x64xf16>, !tosa.shape<3>) -> tensor<28x1x64xf16>
  %shape28x64x40 = tosa.const_shape {values = dense<[28, 64, 40]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v13 = tosa.reshape %v11, %shape28x64x40 : (tensor<2x14x64x40xf16>, !tosa.shape<3>) -> tensor<28x64x40xf16>
  %zpf16 = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %v15 = tosa.matmul %v12, %v13, %zpf16, %zpf16 : (tensor<28x1x64xf16>, tensor<28x64x40xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<28x1x40xf16>
  %shape2x14x1x40 = tosa.const_shape {values = dense<[2, 14, 1, 40]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s = tosa.reshape %v15, %shape2x14x1x40 : (tensor<28x1x40xf16>, !tosa.shape<4>) -> tensor<2x14x1x40xf16>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v18 = tosa.mul %s, %scale, %shift : (tensor<2x14x1x40xf16>, tensor<1x1x1x1xf16>, tensor<1xi8>) -> tensor<2x14x1x40xf16>
  %behind = tosa.greater %positions, %lengths : (tensor<1x40xi32>, tensor<2x1xi32>) -> tensor<2x40xi1>
  %shape2x1x1x40 = tosa.const_shape {values = dense<[2, 1, 1, 40]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v20 = tosa.reshape %behind, %shape2x1x1x40 : (tensor<2x40xi1>, !tosa.shape<4>) -> tensor<2x1x1x40xi1>
  %v21 = tosa.select %v20, %ninf, %v18 : (tensor<2x1x1x40xi1>, tensor<1x1x1x1xf16>, tensor<2x14x1x40xf16>) -> tensor<2x14x1x40xf16>
  %v22 = tosa.cast %v21 : (tensor<2x14x1x40xf16>) -> tensor<2x14x1x40xf32>
  %m = tosa.reduce_max %v22 {axis = 3 : i32} : (tensor<2x14x1x40xf32>) -> tensor<2x14x1x1xf32>
  %v24 = tosa.sub %v22, %m : (tensor<2x14x1x40xf32>, tensor<2x14x1x1xf32>) -> tensor<2x14x1x40xf32>
  %v25 = tosa.exp %v24 : (tensor<2x14x1x40xf32>) -> tensor<2x14x1x40xf32>
  %l = tosa.reduce_sum %v25 {axis = 3 : i32} : (tensor<2x14x1x40xf32>) -> tensor<2x14x1x1xf32>
  %v27 = tosa.reciprocal %l : (tensor<2x14x1x1xf32>) -> tensor<2x14x1x1xf32>
  %v28 = tosa.mul %v25, %v27, %shift : (tensor<2x14x1x40xf32>, tensor<2x14x1x1xf32>, tensor<1xi8>) -> tensor<2x14x1x40xf32>
  %v29 = tosa.cast %v28 : (tensor<2x14x1x40xf32>) -> tensor<2x14x1x40xf16>
  %shape28x1x40 = tosa.const_shape {values = dense<[28, 1, 40]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v30 = tosa.reshape %v29, %shape28x1x40 : (tensor<2x14x1x40xf16>, !tosa.shape<3>) -> tensor<28x1x40xf16>
  %shape28x40x64 = tosa.const_shape {values = dense<[28, 40, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v31 = tosa.reshape %v8, %shape28x40x64 : (tensor<2x14x40x64xf16>, !tosa.shape<3>) -> tensor<28x40x64xf16>
  %v32 = tosa.matmul %v30, %v31, %zpf16, %zpf16 : (tensor<28x1x40xf16>, tensor<28x40x64xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<28x1x64xf16>
  %shape2x14x1x64 = tosa.const_shape {values = dense<[2, 14, 1, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v33 = tosa.reshape %v32, %shape2x14x1x64 : (tensor<28x1x64xf16>, !tosa.shape<4>) -> tensor<2x14x1x64xf16>
  %v34 = tosa.transpose %v33 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x14x1x64xf16>) -> tensor<2x1x14x64xf16>
  %shape2x1x896 = tosa.const_shape {values = dense<[2, 1, 896]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v35 = tosa.reshape %v34, %shape2x1x896 : (tensor<2x1x14x64xf16>, !tosa.shape<3>) -> tensor<2x1x896xf16>
  return %v35 : tensor<2x1x896xf16>
}
