// Flash decoding: the keys of a cache are cut into parts, each of which has a result and a
// log-sum-exp. Rows see the keys of the cache and those up to their own. Parts may see none.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=4000 --max-kernels=2 --keys=16

func.func @attention(%qkv: tensor<2x6x3x32xf16>, %k: tensor<2x2x64x32xf16>, %lengths: tensor<2x1xi32> {check.draw = "uniform 3 60"}, %v: tensor<2x2x64x32xf16>) -> (tensor<2x2x4x3x32xf16>, tensor<2x2x4x3x1xf32>) {
  %columns = "tosa.const"() <{values = dense<[[[[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]], [[16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]], [[32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47]], [[48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]]]]]> : tensor<1x1x4x1x16xi32>}> : () -> tensor<1x1x4x1x16xi32>
  %rows = "tosa.const"() <{values = dense<[[[[[0], [1], [2]]]]]> : tensor<1x1x1x3x1xi32>}> : () -> tensor<1x1x1x3x1xi32>
  %ninf = "tosa.const"() <{values = dense<0xFC00> : tensor<1x1x1x1x1xf16>}> : () -> tensor<1x1x1x1x1xf16>
  %scale = "tosa.const"() <{values = dense<0.17678> : tensor<1x1x1x1x1xf16>}> : () -> tensor<1x1x1x1x1xf16>
  %start_0x0x0x0 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %size_2x2x3x32 = tosa.const_shape {values = dense<[2, 2, 3, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %q = tosa.slice %qkv, %start_0x0x0x0, %size_2x2x3x32 : (tensor<2x6x3x32xf16>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x2x3x32xf16>
  %shape2x2x1x3x32 = tosa.const_shape {values = dense<[2, 2, 1, 3, 32]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %v6 = tosa.reshape %q, %shape2x2x1x3x32 : (tensor<2x2x3x32xf16>, !tosa.shape<5>) -> tensor<2x2x1x3x32xf16>
  %mult_1x1x4x1x1 = tosa.const_shape {values = dense<[1, 1, 4, 1, 1]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %v7 = tosa.tile %v6, %mult_1x1x4x1x1 : (tensor<2x2x1x3x32xf16>, !tosa.shape<5>) -> tensor<2x2x4x3x32xf16>
  %shape2x2x4x16x32 = tosa.const_shape {values = dense<[2, 2, 4, 16, 32]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %v8 = tosa.reshape %k, %shape2x2x4x16x32 : (tensor<2x2x64x32xf16>, !tosa.shape<5>) -> tensor<2x2x4x16x32xf16>
  %v9 = tosa.reshape %v, %shape2x2x4x16x32 : (tensor<2x2x64x32xf16>, !tosa.shape<5>) -> tensor<2x2x4x16x32xf16>
  %v10 = tosa.transpose %v8 {perms = array<i32: 0, 1, 2, 4, 3>} : (tensor<2x2x4x16x32xf16>) -> tensor<2x2x4x32x16xf16>
  %shape16x3x32 = tosa.const_shape {values = dense<[16, 3, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v11 = tosa.reshape %v7, %shape16x3x32 : (tensor<2x2x4x3x32xf16>, !tosa.shape<3>) -> tensor<16x3x32xf16>
  %shape16x32x16 = tosa.const_shape {values = dense<[16, 32, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v12 = tosa.reshape %v10, %shape16x32x16 : (tensor<2x2x4x32x16xf16>, !tosa.shape<3>) -> tensor<16x32x16xf16>
  %zpf16 = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %v14 = tosa.matmul %v11, %v12, %zpf16, %zpf16 : (tensor<16x3x32xf16>, tensor<16x32x16xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<16x3x16xf16>
  %shape2x2x4x3x16 = tosa.const_shape {values = dense<[2, 2, 4, 3, 16]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %s = tosa.reshape %v14, %shape2x2x4x3x16 : (tensor<16x3x16xf16>, !tosa.shape<5>) -> tensor<2x2x4x3x16xf16>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v17 = tosa.mul %s, %scale, %shift : (tensor<2x2x4x3x16xf16>, tensor<1x1x1x1x1xf16>, tensor<1xi8>) -> tensor<2x2x4x3x16xf16>
  %shape2x1x1x1x1 = tosa.const_shape {values = dense<[2, 1, 1, 1, 1]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %n = tosa.reshape %lengths, %shape2x1x1x1x1 : (tensor<2x1xi32>, !tosa.shape<5>) -> tensor<2x1x1x1x1xi32>
  %last = tosa.add %rows, %n : (tensor<1x1x1x3x1xi32>, tensor<2x1x1x1x1xi32>) -> tensor<2x1x1x3x1xi32>
  %after = tosa.greater %columns, %last : (tensor<1x1x4x1x16xi32>, tensor<2x1x1x3x1xi32>) -> tensor<2x1x4x3x16xi1>
  %v21 = tosa.select %after, %ninf, %v17 : (tensor<2x1x4x3x16xi1>, tensor<1x1x1x1x1xf16>, tensor<2x2x4x3x16xf16>) -> tensor<2x2x4x3x16xf16>
  %v22 = tosa.cast %v21 : (tensor<2x2x4x3x16xf16>) -> tensor<2x2x4x3x16xf32>
  %least = "tosa.const"() <{values = dense<-3.0e+38> : tensor<1x1x1x1x1xf32>}> : () -> tensor<1x1x1x1x1xf32>
  %m0 = tosa.reduce_max %v22 {axis = 4 : i32} : (tensor<2x2x4x3x16xf32>) -> tensor<2x2x4x3x1xf32>
  %m = tosa.maximum %m0, %least : (tensor<2x2x4x3x1xf32>, tensor<1x1x1x1x1xf32>) -> tensor<2x2x4x3x1xf32>
  %v26 = tosa.sub %v22, %m : (tensor<2x2x4x3x16xf32>, tensor<2x2x4x3x1xf32>) -> tensor<2x2x4x3x16xf32>
  %v27 = tosa.exp %v26 : (tensor<2x2x4x3x16xf32>) -> tensor<2x2x4x3x16xf32>
  %l = tosa.reduce_sum %v27 {axis = 4 : i32} : (tensor<2x2x4x3x16xf32>) -> tensor<2x2x4x3x1xf32>
  %tiny = "tosa.const"() <{values = dense<1.0e-30> : tensor<1x1x1x1x1xf32>}> : () -> tensor<1x1x1x1x1xf32>
  %l1 = tosa.maximum %l, %tiny : (tensor<2x2x4x3x1xf32>, tensor<1x1x1x1x1xf32>) -> tensor<2x2x4x3x1xf32>
  %v31 = tosa.reciprocal %l1 : (tensor<2x2x4x3x1xf32>) -> tensor<2x2x4x3x1xf32>
  %v32 = tosa.mul %v27, %v31, %shift : (tensor<2x2x4x3x16xf32>, tensor<2x2x4x3x1xf32>, tensor<1xi8>) -> tensor<2x2x4x3x16xf32>
  %v33 = tosa.cast %v32 : (tensor<2x2x4x3x16xf32>) -> tensor<2x2x4x3x16xf16>
  %shape16x3x16 = tosa.const_shape {values = dense<[16, 3, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v34 = tosa.reshape %v33, %shape16x3x16 : (tensor<2x2x4x3x16xf16>, !tosa.shape<3>) -> tensor<16x3x16xf16>
  %shape16x16x32 = tosa.const_shape {values = dense<[16, 16, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v35 = tosa.reshape %v9, %shape16x16x32 : (tensor<2x2x4x16x32xf16>, !tosa.shape<3>) -> tensor<16x16x32xf16>
  %v36 = tosa.matmul %v34, %v35, %zpf16, %zpf16 : (tensor<16x3x16xf16>, tensor<16x16x32xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<16x3x32xf16>
  %shape2x2x4x3x32 = tosa.const_shape {values = dense<[2, 2, 4, 3, 32]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %o = tosa.reshape %v36, %shape2x2x4x3x32 : (tensor<16x3x32xf16>, !tosa.shape<5>) -> tensor<2x2x4x3x32xf16>
  %v38 = tosa.log %l1 : (tensor<2x2x4x3x1xf32>) -> tensor<2x2x4x3x1xf32>
  %lse = tosa.add %m, %v38 : (tensor<2x2x4x3x1xf32>, tensor<2x2x4x3x1xf32>) -> tensor<2x2x4x3x1xf32>
  return %o, %lse : tensor<2x2x4x3x32xf16>, tensor<2x2x4x3x1xf32>
}
