// AWQ as AutoAWQ unpacks it: words are shifted and truncated to bytes, merged to columns, and columns are
// taken at the positions 0 4 1 5 2 6 3 7 8 12 ..., which are computed for all columns; bytes are
// masked, zero points subtracted in bytes, and scaled. The order is one of the eight parts of a word, so nothing
// that is unpacked is stored. So it is if the positions are a constant, or count from the end where
// they are negative. An order that is none of parts is left to a kernel in front.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=512
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=512 \
// RUN:   --gpu-options=chip=gfx942
// RUN: linalg-ext-check-program %s --targets=cpu --max-buffer-bytes=0
// RUN: sed 's/%v8 = tensor.collapse_shape .*$/%v8 = arith.constant dense<[0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15, 16, 20, 17, 21, 18, 22, 19, 23, 24, 28, 25, 29, 26, 30, 27, 31, 32, 36, 33, 37, 34, 38, 35, 39, 40, 44, 41, 45, 42, 46, 43, 47, 48, 52, 49, 53, 50, 54, 51, 55, 56, 60, 57, 61, 58, 62, 59, 63]> : tensor<64xi64>/' %s | linalg-ext-check-program - --max-kernels=2 --max-buffer-bytes=512
// RUN: sed 's/%r = tensor.extract \(%v[0-9]*\)\[%q, %c\] : tensor<\([0-9]*\)x64xi8>/%y0 = arith.constant 0 : i64 %y3 = arith.constant 64 : i64 %n = arith.cmpi slt, %a0, %y0 : i64 %y1 = arith.addi %a0, %y3 : i64 %y2 = arith.select %n, %y1, %a0 : i64 %d = arith.index_cast %y2 : i64 to index %r = tensor.extract \1[%q, %d] : tensor<\2x64xi8>/' %s | linalg-ext-check-program - --max-kernels=2 --max-buffer-bytes=512
// RUN: sed 's/%v8 = tensor.collapse_shape .*$/%v8 = arith.constant dense<[8, 4, 1, 5, 2, 6, 3, 7, 0, 12, 9, 13, 10, 14, 11, 15, 16, 20, 17, 21, 18, 22, 19, 23, 24, 28, 25, 29, 26, 30, 27, 31, 32, 36, 33, 37, 34, 38, 35, 39, 40, 44, 41, 45, 42, 46, 43, 47, 48, 52, 49, 53, 50, 54, 51, 55, 56, 60, 57, 61, 58, 62, 59, 63]> : tensor<64xi64>/' %s | linalg-ext-check-program - --targets=gpu --max-kernels=4 --max-buffer-bytes=8192

func.func @awq_columns(%x: tensor<5x128xf16>, %w: tensor<128x8xi32>, %z: tensor<4x8xi32>, %s: tensor<4x64xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<5x64xf16> {
  %v1 = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %v2 = arith.constant dense<[0, 4, 1, 5, 2, 6, 3, 7]> : tensor<8xi64>
  %v3 = tensor.empty() : tensor<64xi64>
  %v4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%v3 : tensor<64xi64>) {
  ^bb0(%o: i64):
    %q = linalg.index 0 : index
    %r = arith.index_cast %q : index to i64
    linalg.yield %r : i64
  } -> tensor<64xi64>
  %v5 = tensor.expand_shape %v4 [[0, 1]] output_shape [8, 8] : tensor<64xi64> into tensor<8x8xi64>
  %v6 = tensor.empty() : tensor<8x8xi64>
  %v7 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%v2 : tensor<8xi64>) outs(%v6 : tensor<8x8xi64>) {
  ^bb0(%a0: i64, %o: i64):
    %q = linalg.index 0 : index
    %c = arith.index_cast %a0 : i64 to index
    %r = tensor.extract %v5[%q, %c] : tensor<8x8xi64>
    linalg.yield %r : i64
  } -> tensor<8x8xi64>
  %v8 = tensor.collapse_shape %v7 [[0, 1]] : tensor<8x8xi64> into tensor<64xi64>
  %v9 = tensor.expand_shape %w [[0], [1, 2]] output_shape [128, 8, 1] : tensor<128x8xi32> into tensor<128x8x1xi32>
  %v10 = tensor.empty() : tensor<128x8x8xi32>
  %v11 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v9, %v1 : tensor<128x8x1xi32>, tensor<8xi32>) outs(%v10 : tensor<128x8x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<128x8x8xi32>
  %v12 = tensor.empty() : tensor<128x8x8xi8>
  %v13 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v11 : tensor<128x8x8xi32>) outs(%v12 : tensor<128x8x8xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %r = arith.trunci %a0 : i32 to i8
    linalg.yield %r : i8
  } -> tensor<128x8x8xi8>
  %v14 = tensor.collapse_shape %v13 [[0], [1, 2]] : tensor<128x8x8xi8> into tensor<128x64xi8>
  %v15 = tensor.empty() : tensor<128x64xi8>
  %v16 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v8 : tensor<64xi64>) outs(%v15 : tensor<128x64xi8>) {
  ^bb0(%a0: i64, %o: i8):
    %q = linalg.index 0 : index
    %c = arith.index_cast %a0 : i64 to index
    %r = tensor.extract %v14[%q, %c] : tensor<128x64xi8>
    linalg.yield %r : i8
  } -> tensor<128x64xi8>
  %v17 = arith.constant 15 : i8
  %v18 = tensor.empty() : tensor<128x64xi8>
  %v19 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v16 : tensor<128x64xi8>) outs(%v18 : tensor<128x64xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %v17 : i8
    linalg.yield %r : i8
  } -> tensor<128x64xi8>
  %v20 = tensor.expand_shape %z [[0], [1, 2]] output_shape [4, 8, 1] : tensor<4x8xi32> into tensor<4x8x1xi32>
  %v21 = tensor.empty() : tensor<4x8x8xi32>
  %v22 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v20, %v1 : tensor<4x8x1xi32>, tensor<8xi32>) outs(%v21 : tensor<4x8x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<4x8x8xi32>
  %v23 = tensor.empty() : tensor<4x8x8xi8>
  %v24 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v22 : tensor<4x8x8xi32>) outs(%v23 : tensor<4x8x8xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %r = arith.trunci %a0 : i32 to i8
    linalg.yield %r : i8
  } -> tensor<4x8x8xi8>
  %v25 = tensor.collapse_shape %v24 [[0], [1, 2]] : tensor<4x8x8xi8> into tensor<4x64xi8>
  %v26 = tensor.empty() : tensor<4x64xi8>
  %v27 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v8 : tensor<64xi64>) outs(%v26 : tensor<4x64xi8>) {
  ^bb0(%a0: i64, %o: i8):
    %q = linalg.index 0 : index
    %c = arith.index_cast %a0 : i64 to index
    %r = tensor.extract %v25[%q, %c] : tensor<4x64xi8>
    linalg.yield %r : i8
  } -> tensor<4x64xi8>
  %v28 = arith.constant 15 : i8
  %v29 = tensor.empty() : tensor<4x64xi8>
  %v30 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v27 : tensor<4x64xi8>) outs(%v29 : tensor<4x64xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %v28 : i8
    linalg.yield %r : i8
  } -> tensor<4x64xi8>
  %v31 = tensor.expand_shape %v30 [[0, 1], [2]] output_shape [4, 1, 64] : tensor<4x64xi8> into tensor<4x1x64xi8>
  %v32 = tensor.empty() : tensor<4x32x64xi8>
  %v33 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, 0, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v31 : tensor<4x1x64xi8>) outs(%v32 : tensor<4x32x64xi8>) {
  ^bb0(%a0: i8, %o: i8):
    linalg.yield %a0 : i8
  } -> tensor<4x32x64xi8>
  %v34 = tensor.collapse_shape %v33 [[0, 1], [2]] : tensor<4x32x64xi8> into tensor<128x64xi8>
  %v35 = tensor.expand_shape %s [[0, 1], [2]] output_shape [4, 1, 64] : tensor<4x64xf16> into tensor<4x1x64xf16>
  %v36 = tensor.empty() : tensor<4x32x64xf16>
  %v37 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, 0, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v35 : tensor<4x1x64xf16>) outs(%v36 : tensor<4x32x64xf16>) {
  ^bb0(%a0: f16, %o: f16):
    linalg.yield %a0 : f16
  } -> tensor<4x32x64xf16>
  %v38 = tensor.collapse_shape %v37 [[0, 1], [2]] : tensor<4x32x64xf16> into tensor<128x64xf16>
  %v39 = tensor.empty() : tensor<128x64xi8>
  %v40 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v19, %v34 : tensor<128x64xi8>, tensor<128x64xi8>) outs(%v39 : tensor<128x64xi8>) {
  ^bb0(%a0: i8, %a1: i8, %o: i8):
    %r = arith.subi %a0, %a1 : i8
    linalg.yield %r : i8
  } -> tensor<128x64xi8>
  %v41 = tensor.empty() : tensor<128x64xf16>
  %v42 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%v40, %v38 : tensor<128x64xi8>, tensor<128x64xf16>) outs(%v41 : tensor<128x64xf16>) {
  ^bb0(%a0: i8, %a1: f16, %o: f16):
    %f = arith.sitofp %a0 : i8 to f16
    %r = arith.mulf %f, %a1 : f16
    linalg.yield %r : f16
  } -> tensor<128x64xf16>
  %v43 = arith.constant 0.0 : f32
  %v44 = tensor.empty() : tensor<5x64xf32>
  %v45 = linalg.fill ins(%v43 : f32) outs(%v44 : tensor<5x64xf32>) -> tensor<5x64xf32>
  %v46 = linalg.matmul ins(%x, %v42 : tensor<5x128xf16>, tensor<128x64xf16>) outs(%v45 : tensor<5x64xf32>) -> tensor<5x64xf32>
  %v47 = tensor.empty() : tensor<5x64xf16>
  %v48 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%v46 : tensor<5x64xf32>) outs(%v47 : tensor<5x64xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<5x64xf16>
  return %v48 : tensor<5x64xf16>
}
