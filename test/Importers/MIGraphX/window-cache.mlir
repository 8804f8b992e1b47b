// A step of decoding with a sliding window: q is a part of a packed tensor, positions are a
// literal, lengths an argument, and products have results of f16.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=2000 --max-kernels=2 --keys=16

func.func @attention(%length: tensor<1x1xi32> {check.draw = "uniform 20 70"}, %qkv: tensor<1x9x1x32xf16>, %k: tensor<1x3x72x32xf16>, %v: tensor<1x3x72x32xf16>) -> tensor<1x1x96xf16> {
  %positions = "tosa.const"() <{values = dense<[[[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71]]]]> : tensor<1x1x1x72xi32>}> : () -> tensor<1x1x1x72xi32>
  %back = "tosa.const"() <{values = dense<-17> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
  %scale = "tosa.const"() <{values = dense<0.17678> : tensor<1x1x1x1xf16>}> : () -> tensor<1x1x1x1xf16>
  %ninf = "tosa.const"() <{values = dense<0xFC00> : tensor<1x1x1x1xf16>}> : () -> tensor<1x1x1x1xf16>
  %shape1x1x1x1 = tosa.const_shape {values = dense<[1, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %n = tosa.reshape %length, %shape1x1x1x1 : (tensor<1x1xi32>, !tosa.shape<4>) -> tensor<1x1x1x1xi32>
  %start_0x0x0x0 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %size_1x3x1x32 = tosa.const_shape {values = dense<[1, 3, 1, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %q = tosa.slice %qkv, %start_0x0x0x0, %size_1x3x1x32 : (tensor<1x9x1x32xf16>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x3x1x32xf16>
  %kt = tosa.transpose %k {perms = array<i32: 0, 1, 3, 2>} : (tensor<1x3x72x32xf16>) -> tensor<1x3x32x72xf16>
  %shape3x1x32 = tosa.const_shape {values = dense<[3, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v8 = tosa.reshape %q, %shape3x1x32 : (tensor<1x3x1x32xf16>, !tosa.shape<3>) -> tensor<3x1x32xf16>
  %shape3x32x72 = tosa.const_shape {values = dense<[3, 32, 72]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v9 = tosa.reshape %kt, %shape3x32x72 : (tensor<1x3x32x72xf16>, !tosa.shape<3>) -> tensor<3x32x72xf16>
  %zpf16 = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %v11 = tosa.matmul %v8, %v9, %zpf16, %zpf16 : (tensor<3x1x32xf16>, tensor<3x32x72xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<3x1x72xf16>
  %shape1x3x1x72 = tosa.const_shape {values = dense<[1, 3, 1, 72]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s = tosa.reshape %v11, %shape1x3x1x72 : (tensor<3x1x72xf16>, !tosa.shape<4>) -> tensor<1x3x1x72xf16>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v14 = tosa.mul %s, %scale, %shift : (tensor<1x3x1x72xf16>, tensor<1x1x1x1xf16>, tensor<1xi8>) -> tensor<1x3x1x72xf16>
  %first = tosa.add %n, %back : (tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x1xi32>
  %in_front = tosa.greater %first, %positions : (tensor<1x1x1x1xi32>, tensor<1x1x1x72xi32>) -> tensor<1x1x1x72xi1>
  %v17 = tosa.select %in_front, %ninf, %v14 : (tensor<1x1x1x72xi1>, tensor<1x1x1x1xf16>, tensor<1x3x1x72xf16>) -> tensor<1x3x1x72xf16>
  %behind = tosa.greater %positions, %n : (tensor<1x1x1x72xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x72xi1>
  %v19 = tosa.select %behind, %ninf, %v17 : (tensor<1x1x1x72xi1>, tensor<1x1x1x1xf16>, tensor<1x3x1x72xf16>) -> tensor<1x3x1x72xf16>
  %v20 = tosa.cast %v19 : (tensor<1x3x1x72xf16>) -> tensor<1x3x1x72xf32>
  %m = tosa.reduce_max %v20 {axis = 3 : i32} : (tensor<1x3x1x72xf32>) -> tensor<1x3x1x1xf32>
  %v22 = tosa.sub %v20, %m : (tensor<1x3x1x72xf32>, tensor<1x3x1x1xf32>) -> tensor<1x3x1x72xf32>
  %v23 = tosa.exp %v22 : (tensor<1x3x1x72xf32>) -> tensor<1x3x1x72xf32>
  %l = tosa.reduce_sum %v23 {axis = 3 : i32} : (tensor<1x3x1x72xf32>) -> tensor<1x3x1x1xf32>
  %v25 = tosa.reciprocal %l : (tensor<1x3x1x1xf32>) -> tensor<1x3x1x1xf32>
  %v26 = tosa.mul %v23, %v25, %shift : (tensor<1x3x1x72xf32>, tensor<1x3x1x1xf32>, tensor<1xi8>) -> tensor<1x3x1x72xf32>
  %v27 = tosa.cast %v26 : (tensor<1x3x1x72xf32>) -> tensor<1x3x1x72xf16>
  %shape3x1x72 = tosa.const_shape {values = dense<[3, 1, 72]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v28 = tosa.reshape %v27, %shape3x1x72 : (tensor<1x3x1x72xf16>, !tosa.shape<3>) -> tensor<3x1x72xf16>
  %shape3x72x32 = tosa.const_shape {values = dense<[3, 72, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v29 = tosa.reshape %v, %shape3x72x32 : (tensor<1x3x72x32xf16>, !tosa.shape<3>) -> tensor<3x72x32xf16>
  %v30 = tosa.matmul %v28, %v29, %zpf16, %zpf16 : (tensor<3x1x72xf16>, tensor<3x72x32xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<3x1x32xf16>
  %shape1x3x1x32 = tosa.const_shape {values = dense<[1, 3, 1, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v31 = tosa.reshape %v30, %shape1x3x1x32 : (tensor<3x1x32xf16>, !tosa.shape<4>) -> tensor<1x3x1x32xf16>
  %v32 = tosa.transpose %v31 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x3x1x32xf16>) -> tensor<1x1x3x32xf16>
  %shape1x1x96 = tosa.const_shape {values = dense<[1, 1, 96]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v33 = tosa.reshape %v32, %shape1x1x96 : (tensor<1x1x3x32xf16>, !tosa.shape<3>) -> tensor<1x1x96xf16>
  return %v33 : tensor<1x1x96xf16>
}
