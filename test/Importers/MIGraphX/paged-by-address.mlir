// Pages of 1024 elements, of which a table has the addresses, those of all heads of a
// sequence; here the number of the page stands for its address. Pages are read as they
// are, and what is read gets heads, rows and columns by reshapes. Heads are repeated by
// products with ones.

// RUN: mlir-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN: | linalg-ext-check-program --max-buffer-bytes=9000 --max-kernels=2 --keys=16

#entry = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#element = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @attention(%qkv: tensor<2x18x1x64xf16> {check.draw = "uniform -0.3 0.3"},
    %memory: tensor<24x1024xf16> {check.draw = "uniform -0.3 0.3"},
    %k_table: tensor<2x3x20xi64> {check.draw = "uniform 0 23"},
    %v_table: tensor<2x3x20xi64> {check.draw = "uniform 0 23"},
    %lengths: tensor<2x1xi32> {check.draw = "uniform 0 159"}) -> tensor<2x1x896xf16> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %pages = tensor.empty() : tensor<2x20x1024xf16>
  %k_part = tensor.extract_slice %k_table[0, 0, 0] [2, 1, 20] [1, 1, 1] : tensor<2x3x20xi64> to tensor<2x1x20xi64>
  %k_row = tensor.collapse_shape %k_part [[0, 1], [2]] : tensor<2x1x20xi64> into tensor<2x20xi64>
  %k_at = tensor.expand_shape %k_row [[0], [1, 2]] output_shape [2, 20, 1] : tensor<2x20xi64> into tensor<2x20x1xi64>
  %k_pages = linalg.generic {indexing_maps = [#entry, #element], iterator_types = ["parallel", "parallel", "parallel"]} ins(%k_at : tensor<2x20x1xi64>) outs(%pages : tensor<2x20x1024xf16>) {
  ^bb0(%at: i64, %out: f16):
    %page = arith.index_cast %at : i64 to index
    %e = linalg.index 2 : index
    %x = tensor.extract %memory[%page, %e] : tensor<24x1024xf16>
    linalg.yield %x : f16
  } -> tensor<2x20x1024xf16>
  %k_flat = tensor.collapse_shape %k_pages [[0], [1, 2]] : tensor<2x20x1024xf16> into tensor<2x20480xf16>
  %v5 = tensor.expand_shape %k_flat [[0], [1, 2, 3, 4]] output_shape [2, 2, 1, 160, 64] : tensor<2x20480xf16> into tensor<2x2x1x160x64xf16>
  %v_part = tensor.extract_slice %v_table[0, 0, 0] [2, 1, 20] [1, 1, 1] : tensor<2x3x20xi64> to tensor<2x1x20xi64>
  %v_row = tensor.collapse_shape %v_part [[0, 1], [2]] : tensor<2x1x20xi64> into tensor<2x20xi64>
  %v_at = tensor.expand_shape %v_row [[0], [1, 2]] output_shape [2, 20, 1] : tensor<2x20xi64> into tensor<2x20x1xi64>
  %v_pages = linalg.generic {indexing_maps = [#entry, #element], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v_at : tensor<2x20x1xi64>) outs(%pages : tensor<2x20x1024xf16>) {
  ^bb0(%at: i64, %out: f16):
    %page = arith.index_cast %at : i64 to index
    %e = linalg.index 2 : index
    %x = tensor.extract %memory[%page, %e] : tensor<24x1024xf16>
    linalg.yield %x : f16
  } -> tensor<2x20x1024xf16>
  %v_flat = tensor.collapse_shape %v_pages [[0], [1, 2]] : tensor<2x20x1024xf16> into tensor<2x20480xf16>
  %v6 = tensor.expand_shape %v_flat [[0], [1, 2, 3, 4]] output_shape [2, 2, 1, 160, 64] : tensor<2x20480xf16> into tensor<2x2x1x160x64xf16>
  %positions = "tosa.const"() <{values = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159]]> : tensor<1x160xi32>}> : () -> tensor<1x160xi32>
  %ninf = "tosa.const"() <{values = dense<0xFC00> : tensor<1x1x1x1xf16>}> : () -> tensor<1x1x1x1xf16>
  %scale = "tosa.const"() <{values = dense<0.125> : tensor<1x1x1x1xf16>}> : () -> tensor<1x1x1x1xf16>
  %start_0x0x0x0 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %size_2x14x1x64 = tosa.const_shape {values = dense<[2, 14, 1, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %q = tosa.slice %qkv, %start_0x0x0x0, %size_2x14x1x64 : (tensor<2x18x1x64xf16>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x14x1x64xf16>
  %ones_v = "tosa.const"() <{values = dense<1.0> : tensor<2x2x7x160x64xf16>}> : () -> tensor<2x2x7x160x64xf16>
  %v7 = tosa.mul %v6, %ones_v, %shift : (tensor<2x2x1x160x64xf16>, tensor<2x2x7x160x64xf16>, tensor<1xi8>) -> tensor<2x2x7x160x64xf16>
  %shape2x14x160x64 = tosa.const_shape {values = dense<[2, 14, 160, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v8 = tosa.reshape %v7, %shape2x14x160x64 : (tensor<2x2x7x160x64xf16>, !tosa.shape<4>) -> tensor<2x14x160x64xf16>
  %v9 = tosa.transpose %v5 {perms = array<i32: 0, 1, 2, 4, 3>} : (tensor<2x2x1x160x64xf16>) -> tensor<2x2x1x64x160xf16>
  %ones_k = "tosa.const"() <{values = dense<1.0> : tensor<2x2x7x64x160xf16>}> : () -> tensor<2x2x7x64x160xf16>
  %v10 = tosa.mul %v9, %ones_k, %shift : (tensor<2x2x1x64x160xf16>, tensor<2x2x7x64x160xf16>, tensor<1xi8>) -> tensor<2x2x7x64x160xf16>
  %shape2x14x64x160 = tosa.const_shape {values = dense<[2, 14, 64, 160]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v11 = tosa.reshape %v10, %shape2x14x64x160 : (tensor<2x2x7x64x160xf16>, !tosa.shape<4>) -> tensor<2x14x64x160xf16>
  %shape28x1x64 = tosa.const_shape {values = dense<[28, 1, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v12 = tosa.reshape %q, %shape28x1x64 : (tensor<2x14x1x64xf16>, !tosa.shape<3>) -> tensor<28x1x64xf16>
  %shape28x64x160 = tosa.const_shape {values = dense<[28, 64, 160]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v13 = tosa.reshape %v11, %shape28x64x160 : (tensor<2x14x64x160xf16>, !tosa.shape<3>) -> tensor<28x64x160xf16>
  %zpf16 = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %v15 = tosa.matmul %v12, %v13, %zpf16, %zpf16 : (tensor<28x1x64xf16>, tensor<28x64x160xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<28x1x160xf16>
  %shape2x14x1x160 = tosa.const_shape {values = dense<[2, 14, 1, 160]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %s = tosa.reshape %v15, %shape2x14x1x160 : (tensor<28x1x160xf16>, !tosa.shape<4>) -> tensor<2x14x1x160xf16>
  %v18 = tosa.mul %s, %scale, %shift : (tensor<2x14x1x160xf16>, tensor<1x1x1x1xf16>, tensor<1xi8>) -> tensor<2x14x1x160xf16>
  %behind = tosa.greater %positions, %lengths : (tensor<1x160xi32>, tensor<2x1xi32>) -> tensor<2x160xi1>
  %shape2x1x1x160 = tosa.const_shape {values = dense<[2, 1, 1, 160]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v20 = tosa.reshape %behind, %shape2x1x1x160 : (tensor<2x160xi1>, !tosa.shape<4>) -> tensor<2x1x1x160xi1>
  %v21 = tosa.select %v20, %ninf, %v18 : (tensor<2x1x1x160xi1>, tensor<1x1x1x1xf16>, tensor<2x14x1x160xf16>) -> tensor<2x14x1x160xf16>
  %v22 = tosa.cast %v21 : (tensor<2x14x1x160xf16>) -> tensor<2x14x1x160xf32>
  %m = tosa.reduce_max %v22 {axis = 3 : i32} : (tensor<2x14x1x160xf32>) -> tensor<2x14x1x1xf32>
  %v24 = tosa.sub %v22, %m : (tensor<2x14x1x160xf32>, tensor<2x14x1x1xf32>) -> tensor<2x14x1x160xf32>
  %v25 = tosa.exp %v24 : (tensor<2x14x1x160xf32>) -> tensor<2x14x1x160xf32>
  %l = tosa.reduce_sum %v25 {axis = 3 : i32} : (tensor<2x14x1x160xf32>) -> tensor<2x14x1x1xf32>
  %v27 = tosa.reciprocal %l : (tensor<2x14x1x1xf32>) -> tensor<2x14x1x1xf32>
  %v28 = tosa.mul %v25, %v27, %shift : (tensor<2x14x1x160xf32>, tensor<2x14x1x1xf32>, tensor<1xi8>) -> tensor<2x14x1x160xf32>
  %v29 = tosa.cast %v28 : (tensor<2x14x1x160xf32>) -> tensor<2x14x1x160xf16>
  %shape28x1x160 = tosa.const_shape {values = dense<[28, 1, 160]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v30 = tosa.reshape %v29, %shape28x1x160 : (tensor<2x14x1x160xf16>, !tosa.shape<3>) -> tensor<28x1x160xf16>
  %shape28x160x64 = tosa.const_shape {values = dense<[28, 160, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v31 = tosa.reshape %v8, %shape28x160x64 : (tensor<2x14x160x64xf16>, !tosa.shape<3>) -> tensor<28x160x64xf16>
  %v32 = tosa.matmul %v30, %v31, %zpf16, %zpf16 : (tensor<28x1x160xf16>, tensor<28x160x64xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<28x1x64xf16>
  %shape2x14x1x64 = tosa.const_shape {values = dense<[2, 14, 1, 64]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v33 = tosa.reshape %v32, %shape2x14x1x64 : (tensor<28x1x64xf16>, !tosa.shape<4>) -> tensor<2x14x1x64xf16>
  %v34 = tosa.transpose %v33 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x14x1x64xf16>) -> tensor<2x1x14x64xf16>
  %shape2x1x896 = tosa.const_shape {values = dense<[2, 1, 896]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v35 = tosa.reshape %v34, %shape2x1x896 : (tensor<2x1x14x64xf16>, !tosa.shape<3>) -> tensor<2x1x896xf16>
  return %v35 : tensor<2x1x896xf16>
}
