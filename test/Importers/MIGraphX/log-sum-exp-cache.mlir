// Decoding with lengths of heads; the log-sum-exp is a result, and both results have ops
// behind them.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=1500 --max-kernels=3 --keys=16

func.func @attention(%qkv: tensor<1x12x1x32xf16>, %k: tensor<1x4x96x32xf16>, %v: tensor<1x4x96x32xf16>, %lengths: tensor<1x4xi32> {check.draw = "uniform 2 90"}, %pre: tensor<1x1x1x96xf32>, %add_to_sum: tensor<1x1x1x1xf16>, %add_to_result: tensor<1x1x128xf16>) -> (tensor<1x1x128xf16>, tensor<1x4x1x1xf16>) {
  %positions = "tosa.const"() <{values = dense<[[[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95]]]]> : tensor<1x1x1x96xi32>}> : () -> tensor<1x1x1x96xi32>
  %ninf = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %scale = "tosa.const"() <{values = dense<0.17678> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %start_0x0x0x0 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %size_1x4x1x32 = tosa.const_shape {values = dense<[1, 4, 1, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %q = tosa.slice %qkv, %start_0x0x0x0, %size_1x4x1x32 : (tensor<1x12x1x32xf16>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x1x32xf16>
  %v5 = tosa.transpose %k {perms = array<i32: 0, 1, 3, 2>} : (tensor<1x4x96x32xf16>) -> tensor<1x4x32x96xf16>
  %shape4x1x32 = tosa.const_shape {values = dense<[4, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v6 = tosa.reshape %q, %shape4x1x32 : (tensor<1x4x1x32xf16>, !tosa.shape<3>) -> tensor<4x1x32xf16>
  %shape4x32x96 = tosa.const_shape {values = dense<[4, 32, 96]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v7 = tosa.reshape %v5, %shape4x32x96 : (tensor<1x4x32x96xf16>, !tosa.shape<3>) -> tensor<4x32x96xf16>
  %zpf16 = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %v9 = tosa.matmul %v6, %v7, %zpf16, %zpf16 : (tensor<4x1x32xf16>, tensor<4x32x96xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<4x1x96xf16>
  %shape1x4x1x96 = tosa.const_shape {values = dense<[1, 4, 1, 96]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s = tosa.reshape %v9, %shape1x4x1x96 : (tensor<4x1x96xf16>, !tosa.shape<4>) -> tensor<1x4x1x96xf16>
  %v11 = tosa.cast %s : (tensor<1x4x1x96xf16>) -> tensor<1x4x1x96xf32>
  %v12 = tosa.add %v11, %pre : (tensor<1x4x1x96xf32>, tensor<1x1x1x96xf32>) -> tensor<1x4x1x96xf32>
  %shape1x4x1x1 = tosa.const_shape {values = dense<[1, 4, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %n = tosa.reshape %lengths, %shape1x4x1x1 : (tensor<1x4xi32>, !tosa.shape<4>) -> tensor<1x4x1x1xi32>
  %behind = tosa.greater %positions, %n : (tensor<1x1x1x96xi32>, tensor<1x4x1x1xi32>) -> tensor<1x4x1x96xi1>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v16 = tosa.mul %v12, %scale, %shift : (tensor<1x4x1x96xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x1x96xf32>
  %v17 = tosa.select %behind, %ninf, %v16 : (tensor<1x4x1x96xi1>, tensor<1x1x1x1xf32>, tensor<1x4x1x96xf32>) -> tensor<1x4x1x96xf32>
  %m = tosa.reduce_max %v17 {axis = 3 : i32} : (tensor<1x4x1x96xf32>) -> tensor<1x4x1x1xf32>
  %v19 = tosa.sub %v17, %m : (tensor<1x4x1x96xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x1x96xf32>
  %v20 = tosa.exp %v19 : (tensor<1x4x1x96xf32>) -> tensor<1x4x1x96xf32>
  %l = tosa.reduce_sum %v20 {axis = 3 : i32} : (tensor<1x4x1x96xf32>) -> tensor<1x4x1x1xf32>
  %v22 = tosa.reciprocal %l : (tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %v23 = tosa.mul %v20, %v22, %shift : (tensor<1x4x1x96xf32>, tensor<1x4x1x1xf32>, tensor<1xi8>) -> tensor<1x4x1x96xf32>
  %v24 = tosa.cast %v23 : (tensor<1x4x1x96xf32>) -> tensor<1x4x1x96xf16>
  %v25 = tosa.log %l : (tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %v26 = tosa.add %v25, %m : (tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %v27 = tosa.cast %v26 : (tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf16>
  %shape4x1x96 = tosa.const_shape {values = dense<[4, 1, 96]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v28 = tosa.reshape %v24, %shape4x1x96 : (tensor<1x4x1x96xf16>, !tosa.shape<3>) -> tensor<4x1x96xf16>
  %shape4x96x32 = tosa.const_shape {values = dense<[4, 96, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v29 = tosa.reshape %v, %shape4x96x32 : (tensor<1x4x96x32xf16>, !tosa.shape<3>) -> tensor<4x96x32xf16>
  %v30 = tosa.matmul %v28, %v29, %zpf16, %zpf16 : (tensor<4x1x96xf16>, tensor<4x96x32xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<4x1x32xf16>
  %shape1x4x1x32 = tosa.const_shape {values = dense<[1, 4, 1, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v31 = tosa.reshape %v30, %shape1x4x1x32 : (tensor<4x1x32xf16>, !tosa.shape<4>) -> tensor<1x4x1x32xf16>
  %shape1x1x128 = tosa.const_shape {values = dense<[1, 1, 128]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v32 = tosa.reshape %v31, %shape1x1x128 : (tensor<1x4x1x32xf16>, !tosa.shape<3>) -> tensor<1x1x128xf16>
  %v33 = tosa.add %v27, %add_to_sum : (tensor<1x4x1x1xf16>, tensor<1x1x1x1xf16>) -> tensor<1x4x1x1xf16>
  %v34 = tosa.add %v32, %add_to_result : (tensor<1x1x128xf16>, tensor<1x1x128xf16>) -> tensor<1x1x128xf16>
  return %v34, %v33 : tensor<1x1x128xf16>, tensor<1x4x1x1xf16>
}
