// 17 to 64 rows, and words of 32 bits with integers of 4 bits, as AutoGPTQ (of eight elements that
// are summed, with masks of bytes and of words) and AutoAWQ (of eight columns) dequantize them.
// Each product is one kernel, with tiles of 32 rows, whose subgroups sum parts. Rows, columns and
// sums do not divide by those of a tile. GPUs of AMD may sum the parts in two kernels.

// RUN: cp %s %t.mlir
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options=chip=sm_90a
// RUN: linalg-ext-check-program %t.mlir --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options='chip=sm_80 excess-precision=false'
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=60000 --gpu-options=chip=gfx942

// RUN: linalg-ext-compile %s --target=sm_90a --emit=ptx -o %t.ptx --manifest=%t.json
// RUN: FileCheck %s --input-file=%t.json

// Two tiles of rows, three of columns, and five parts.
// CHECK: "block": [
// CHECK-NEXT: 160,
// CHECK: "grid": [
// CHECK-NEXT: 6,
// CHECK: "kernel": "gptq_33_rows_kernel"
func.func @gptq_33_rows(%x: tensor<33x640xf16>, %w: tensor<80x88xi32> {check.draw = "uniform -2147483648 2147483647"}, %z: tensor<5x11xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<5x88xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<33x88xf16> {
  %t1 = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %t2 = arith.constant 15 : i8
  %t3 = arith.constant 1 : i8
  %t4 = tensor.empty() : tensor<80x8x88xi32>
  %t5 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %t1 : tensor<80x88xi32>, tensor<8xi32>) outs(%t4 : tensor<80x8x88xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<80x8x88xi32>
  %t6 = tensor.empty() : tensor<80x8x88xi8>
  %t7 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t5 : tensor<80x8x88xi32>) outs(%t6 : tensor<80x8x88xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %r = arith.trunci %a0 : i32 to i8
    linalg.yield %r : i8
  } -> tensor<80x8x88xi8>
  %t8 = tensor.empty() : tensor<80x8x88xi8>
  %t9 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7 : tensor<80x8x88xi8>) outs(%t8 : tensor<80x8x88xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %t2 : i8
    linalg.yield %r : i8
  } -> tensor<80x8x88xi8>
  %t10 = tensor.empty() : tensor<5x11x8xi32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z, %t1 : tensor<5x11xi32>, tensor<8xi32>) outs(%t10 : tensor<5x11x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<5x11x8xi32>
  %t12 = tensor.empty() : tensor<5x11x8xi8>
  %t13 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t11 : tensor<5x11x8xi32>) outs(%t12 : tensor<5x11x8xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %r = arith.trunci %a0 : i32 to i8
    linalg.yield %r : i8
  } -> tensor<5x11x8xi8>
  %t14 = tensor.empty() : tensor<5x11x8xi8>
  %t15 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t13 : tensor<5x11x8xi8>) outs(%t14 : tensor<5x11x8xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %t2 : i8
    linalg.yield %r : i8
  } -> tensor<5x11x8xi8>
  %t16 = tensor.empty() : tensor<5x11x8xi8>
  %t17 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t15 : tensor<5x11x8xi8>) outs(%t16 : tensor<5x11x8xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.addi %a0, %t3 : i8
    linalg.yield %r : i8
  } -> tensor<5x11x8xi8>
  %t18 = tensor.collapse_shape %t17 [[0], [1, 2]] : tensor<5x11x8xi8> into tensor<5x88xi8>
  %t19 = tensor.collapse_shape %t9 [[0, 1], [2]] : tensor<80x8x88xi8> into tensor<640x88xi8>
  %t20 = tensor.expand_shape %t19 [[0, 1], [2]] output_shape [5, 128, 88] : tensor<640x88xi8> into tensor<5x128x88xi8>
  %t21 = tensor.empty() : tensor<5x128x88xi8>
  %t22 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t20, %t18 : tensor<5x128x88xi8>, tensor<5x88xi8>) outs(%t21 : tensor<5x128x88xi8>) {
  ^bb0(%a0: i8, %a1: i8, %o: i8):
    %r = arith.subi %a0, %a1 : i8
    linalg.yield %r : i8
  } -> tensor<5x128x88xi8>
  %t23 = tensor.empty() : tensor<5x128x88xf16>
  %t24 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t22, %s : tensor<5x128x88xi8>, tensor<5x88xf16>) outs(%t23 : tensor<5x128x88xf16>) {
  ^bb0(%a0: i8, %a1: f16, %o: f16):
    %f = arith.sitofp %a0 : i8 to f16
    %r = arith.mulf %a1, %f : f16
    linalg.yield %r : f16
  } -> tensor<5x128x88xf16>
  %t25 = tensor.collapse_shape %t24 [[0, 1], [2]] : tensor<5x128x88xf16> into tensor<640x88xf16>
  %t26 = arith.constant 0.0 : f32
  %t27 = tensor.empty() : tensor<33x88xf32>
  %t28 = linalg.fill ins(%t26 : f32) outs(%t27 : tensor<33x88xf32>) -> tensor<33x88xf32>
  %t29 = linalg.matmul ins(%x, %t25 : tensor<33x640xf16>, tensor<640x88xf16>) outs(%t28 : tensor<33x88xf32>) -> tensor<33x88xf32>
  %t30 = tensor.empty() : tensor<33x88xf16>
  %t31 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t29 : tensor<33x88xf32>) outs(%t30 : tensor<33x88xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<33x88xf16>
  return %t31 : tensor<33x88xf16>
}

// Four tiles of columns, and six parts.
// CHECK: "block": [
// CHECK-NEXT: 192,
// CHECK: "grid": [
// CHECK-NEXT: 4,
// CHECK: "kernel": "gptq_20_rows_words_kernel"
func.func @gptq_20_rows_words(%x: tensor<20x768xf16>, %w: tensor<96x104xi32> {check.draw = "uniform -2147483648 2147483647"}, %z: tensor<6x13xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<6x104xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<20x104xf16> {
  %t1 = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %t2 = arith.constant 15 : i32
  %t3 = arith.constant 1 : i32
  %t4 = tensor.expand_shape %w [[0, 1], [2]] output_shape [96, 1, 104] : tensor<96x104xi32> into tensor<96x1x104xi32>
  %t5 = tensor.empty() : tensor<96x8x104xi32>
  %t6 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, 0, c)>, affine_map<(a, b, c) -> (b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t4, %t1 : tensor<96x1x104xi32>, tensor<8xi32>) outs(%t5 : tensor<96x8x104xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<96x8x104xi32>
  %t7 = tensor.empty() : tensor<96x8x104xi32>
  %t8 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t6 : tensor<96x8x104xi32>) outs(%t7 : tensor<96x8x104xi32>) {
  ^bb0(%a0: i32, %o: i32):
    %r = arith.andi %a0, %t2 : i32
    linalg.yield %r : i32
  } -> tensor<96x8x104xi32>
  %t9 = tensor.expand_shape %z [[0], [1, 2]] output_shape [6, 13, 1] : tensor<6x13xi32> into tensor<6x13x1xi32>
  %t10 = tensor.empty() : tensor<6x13x8xi32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t9, %t1 : tensor<6x13x1xi32>, tensor<8xi32>) outs(%t10 : tensor<6x13x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<6x13x8xi32>
  %t12 = tensor.empty() : tensor<6x13x8xi32>
  %t13 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t11 : tensor<6x13x8xi32>) outs(%t12 : tensor<6x13x8xi32>) {
  ^bb0(%a0: i32, %o: i32):
    %q = arith.andi %a0, %t2 : i32
    %r = arith.addi %q, %t3 : i32
    linalg.yield %r : i32
  } -> tensor<6x13x8xi32>
  %t14 = tensor.collapse_shape %t13 [[0], [1, 2]] : tensor<6x13x8xi32> into tensor<6x104xi32>
  %t15 = tensor.collapse_shape %t8 [[0, 1], [2]] : tensor<96x8x104xi32> into tensor<768x104xi32>
  %t16 = tensor.expand_shape %t15 [[0, 1], [2]] output_shape [6, 128, 104] : tensor<768x104xi32> into tensor<6x128x104xi32>
  %t17 = tensor.empty() : tensor<6x128x104xf16>
  %t18 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t16, %t14, %s : tensor<6x128x104xi32>, tensor<6x104xi32>, tensor<6x104xf16>) outs(%t17 : tensor<6x128x104xf16>) {
  ^bb0(%a0: i32, %a1: i32, %a2: f16, %o: f16):
    %d = arith.subi %a0, %a1 : i32
    %f = arith.sitofp %d : i32 to f16
    %r = arith.mulf %a2, %f : f16
    linalg.yield %r : f16
  } -> tensor<6x128x104xf16>
  %t19 = tensor.collapse_shape %t18 [[0, 1], [2]] : tensor<6x128x104xf16> into tensor<768x104xf16>
  %t20 = arith.constant 0.0 : f32
  %t21 = tensor.empty() : tensor<20x104xf32>
  %t22 = linalg.fill ins(%t20 : f32) outs(%t21 : tensor<20x104xf32>) -> tensor<20x104xf32>
  %t23 = linalg.matmul ins(%x, %t19 : tensor<20x768xf16>, tensor<768x104xf16>) outs(%t22 : tensor<20x104xf32>) -> tensor<20x104xf32>
  %t24 = tensor.empty() : tensor<20x104xf16>
  %t25 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t23 : tensor<20x104xf32>) outs(%t24 : tensor<20x104xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<20x104xf16>
  return %t25 : tensor<20x104xf16>
}

// Three tiles of 64 columns, and five parts.
// CHECK: "block": [
// CHECK-NEXT: 160,
// CHECK: "grid": [
// CHECK-NEXT: 3,
// CHECK: "kernel": "awq_20_rows_kernel"
func.func @awq_20_rows(%x: tensor<20x640xf16>, %w: tensor<640x17xi32> {check.draw = "uniform -2147483648 2147483647"}, %z: tensor<5x17xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<5x136xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<20x136xf16> {
  %t1 = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %t2 = arith.constant dense<[0, 4, 1, 5, 2, 6, 3, 7]> : tensor<8xi64>
  %t3 = tensor.empty() : tensor<136xi64>
  %t4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%t3 : tensor<136xi64>) {
  ^bb0(%o: i64):
    %q = linalg.index 0 : index
    %r = arith.index_cast %q : index to i64
    linalg.yield %r : i64
  } -> tensor<136xi64>
  %t5 = tensor.expand_shape %t4 [[0, 1]] output_shape [17, 8] : tensor<136xi64> into tensor<17x8xi64>
  %t6 = tensor.empty() : tensor<17x8xi64>
  %t7 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t2 : tensor<8xi64>) outs(%t6 : tensor<17x8xi64>) {
  ^bb0(%a0: i64, %o: i64):
    %q = linalg.index 0 : index
    %c = arith.index_cast %a0 : i64 to index
    %r = tensor.extract %t5[%q, %c] : tensor<17x8xi64>
    linalg.yield %r : i64
  } -> tensor<17x8xi64>
  %t8 = tensor.collapse_shape %t7 [[0, 1]] : tensor<17x8xi64> into tensor<136xi64>
  %t9 = tensor.expand_shape %w [[0], [1, 2]] output_shape [640, 17, 1] : tensor<640x17xi32> into tensor<640x17x1xi32>
  %t10 = tensor.empty() : tensor<640x17x8xi32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t9, %t1 : tensor<640x17x1xi32>, tensor<8xi32>) outs(%t10 : tensor<640x17x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<640x17x8xi32>
  %t12 = tensor.empty() : tensor<640x17x8xi8>
  %t13 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t11 : tensor<640x17x8xi32>) outs(%t12 : tensor<640x17x8xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %r = arith.trunci %a0 : i32 to i8
    linalg.yield %r : i8
  } -> tensor<640x17x8xi8>
  %t14 = tensor.collapse_shape %t13 [[0], [1, 2]] : tensor<640x17x8xi8> into tensor<640x136xi8>
  %t15 = tensor.empty() : tensor<640x136xi8>
  %t16 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t8 : tensor<136xi64>) outs(%t15 : tensor<640x136xi8>) {
  ^bb0(%a0: i64, %o: i8):
    %q = linalg.index 0 : index
    %c = arith.index_cast %a0 : i64 to index
    %r = tensor.extract %t14[%q, %c] : tensor<640x136xi8>
    linalg.yield %r : i8
  } -> tensor<640x136xi8>
  %t17 = arith.constant 15 : i8
  %t18 = tensor.empty() : tensor<640x136xi8>
  %t19 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t16 : tensor<640x136xi8>) outs(%t18 : tensor<640x136xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %t17 : i8
    linalg.yield %r : i8
  } -> tensor<640x136xi8>
  %t20 = tensor.expand_shape %z [[0], [1, 2]] output_shape [5, 17, 1] : tensor<5x17xi32> into tensor<5x17x1xi32>
  %t21 = tensor.empty() : tensor<5x17x8xi32>
  %t22 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t20, %t1 : tensor<5x17x1xi32>, tensor<8xi32>) outs(%t21 : tensor<5x17x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<5x17x8xi32>
  %t23 = tensor.empty() : tensor<5x17x8xi8>
  %t24 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t22 : tensor<5x17x8xi32>) outs(%t23 : tensor<5x17x8xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %r = arith.trunci %a0 : i32 to i8
    linalg.yield %r : i8
  } -> tensor<5x17x8xi8>
  %t25 = tensor.collapse_shape %t24 [[0], [1, 2]] : tensor<5x17x8xi8> into tensor<5x136xi8>
  %t26 = tensor.empty() : tensor<5x136xi8>
  %t27 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t8 : tensor<136xi64>) outs(%t26 : tensor<5x136xi8>) {
  ^bb0(%a0: i64, %o: i8):
    %q = linalg.index 0 : index
    %c = arith.index_cast %a0 : i64 to index
    %r = tensor.extract %t25[%q, %c] : tensor<5x136xi8>
    linalg.yield %r : i8
  } -> tensor<5x136xi8>
  %t28 = arith.constant 15 : i8
  %t29 = tensor.empty() : tensor<5x136xi8>
  %t30 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t27 : tensor<5x136xi8>) outs(%t29 : tensor<5x136xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %t28 : i8
    linalg.yield %r : i8
  } -> tensor<5x136xi8>
  %t31 = tensor.expand_shape %t30 [[0, 1], [2]] output_shape [5, 1, 136] : tensor<5x136xi8> into tensor<5x1x136xi8>
  %t32 = tensor.empty() : tensor<5x128x136xi8>
  %t33 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, 0, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t31 : tensor<5x1x136xi8>) outs(%t32 : tensor<5x128x136xi8>) {
  ^bb0(%a0: i8, %o: i8):
    linalg.yield %a0 : i8
  } -> tensor<5x128x136xi8>
  %t34 = tensor.collapse_shape %t33 [[0, 1], [2]] : tensor<5x128x136xi8> into tensor<640x136xi8>
  %t35 = tensor.expand_shape %s [[0, 1], [2]] output_shape [5, 1, 136] : tensor<5x136xf16> into tensor<5x1x136xf16>
  %t36 = tensor.empty() : tensor<5x128x136xf16>
  %t37 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, 0, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t35 : tensor<5x1x136xf16>) outs(%t36 : tensor<5x128x136xf16>) {
  ^bb0(%a0: f16, %o: f16):
    linalg.yield %a0 : f16
  } -> tensor<5x128x136xf16>
  %t38 = tensor.collapse_shape %t37 [[0, 1], [2]] : tensor<5x128x136xf16> into tensor<640x136xf16>
  %t39 = tensor.empty() : tensor<640x136xi8>
  %t40 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t19, %t34 : tensor<640x136xi8>, tensor<640x136xi8>) outs(%t39 : tensor<640x136xi8>) {
  ^bb0(%a0: i8, %a1: i8, %o: i8):
    %r = arith.subi %a0, %a1 : i8
    linalg.yield %r : i8
  } -> tensor<640x136xi8>
  %t41 = tensor.empty() : tensor<640x136xf16>
  %t42 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t40, %t38 : tensor<640x136xi8>, tensor<640x136xf16>) outs(%t41 : tensor<640x136xf16>) {
  ^bb0(%a0: i8, %a1: f16, %o: f16):
    %f = arith.sitofp %a0 : i8 to f16
    %r = arith.mulf %f, %a1 : f16
    linalg.yield %r : f16
  } -> tensor<640x136xf16>
  %t43 = arith.constant 0.0 : f32
  %t44 = tensor.empty() : tensor<20x136xf32>
  %t45 = linalg.fill ins(%t43 : f32) outs(%t44 : tensor<20x136xf32>) -> tensor<20x136xf32>
  %t46 = linalg.matmul ins(%x, %t42 : tensor<20x640xf16>, tensor<640x136xf16>) outs(%t45 : tensor<20x136xf32>) -> tensor<20x136xf32>
  %t47 = tensor.empty() : tensor<20x136xf16>
  %t48 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t46 : tensor<20x136xf32>) outs(%t47 : tensor<20x136xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<20x136xf16>
  return %t48 : tensor<20x136xf16>
}

// Two tiles of rows and of columns.
// CHECK: "block": [
// CHECK-NEXT: 128,
// CHECK: "grid": [
// CHECK-NEXT: 4,
// CHECK: "kernel": "awq_50_rows_kernel"
func.func @awq_50_rows(%x: tensor<50x384xf16>, %w: tensor<384x9xi32> {check.draw = "uniform -2147483648 2147483647"}, %z: tensor<6x9xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<6x72xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<50x72xf16> {
  %t1 = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %t2 = arith.constant dense<[0, 4, 1, 5, 2, 6, 3, 7]> : tensor<8xi64>
  %t3 = tensor.empty() : tensor<72xi64>
  %t4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%t3 : tensor<72xi64>) {
  ^bb0(%o: i64):
    %q = linalg.index 0 : index
    %r = arith.index_cast %q : index to i64
    linalg.yield %r : i64
  } -> tensor<72xi64>
  %t5 = tensor.expand_shape %t4 [[0, 1]] output_shape [9, 8] : tensor<72xi64> into tensor<9x8xi64>
  %t6 = tensor.empty() : tensor<9x8xi64>
  %t7 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t2 : tensor<8xi64>) outs(%t6 : tensor<9x8xi64>) {
  ^bb0(%a0: i64, %o: i64):
    %q = linalg.index 0 : index
    %c = arith.index_cast %a0 : i64 to index
    %r = tensor.extract %t5[%q, %c] : tensor<9x8xi64>
    linalg.yield %r : i64
  } -> tensor<9x8xi64>
  %t8 = tensor.collapse_shape %t7 [[0, 1]] : tensor<9x8xi64> into tensor<72xi64>
  %t9 = tensor.expand_shape %w [[0], [1, 2]] output_shape [384, 9, 1] : tensor<384x9xi32> into tensor<384x9x1xi32>
  %t10 = tensor.empty() : tensor<384x9x8xi32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t9, %t1 : tensor<384x9x1xi32>, tensor<8xi32>) outs(%t10 : tensor<384x9x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<384x9x8xi32>
  %t12 = tensor.empty() : tensor<384x9x8xi8>
  %t13 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t11 : tensor<384x9x8xi32>) outs(%t12 : tensor<384x9x8xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %r = arith.trunci %a0 : i32 to i8
    linalg.yield %r : i8
  } -> tensor<384x9x8xi8>
  %t14 = tensor.collapse_shape %t13 [[0], [1, 2]] : tensor<384x9x8xi8> into tensor<384x72xi8>
  %t15 = tensor.empty() : tensor<384x72xi8>
  %t16 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t8 : tensor<72xi64>) outs(%t15 : tensor<384x72xi8>) {
  ^bb0(%a0: i64, %o: i8):
    %q = linalg.index 0 : index
    %c = arith.index_cast %a0 : i64 to index
    %r = tensor.extract %t14[%q, %c] : tensor<384x72xi8>
    linalg.yield %r : i8
  } -> tensor<384x72xi8>
  %t17 = arith.constant 15 : i8
  %t18 = tensor.empty() : tensor<384x72xi8>
  %t19 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t16 : tensor<384x72xi8>) outs(%t18 : tensor<384x72xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %t17 : i8
    linalg.yield %r : i8
  } -> tensor<384x72xi8>
  %t20 = tensor.expand_shape %z [[0], [1, 2]] output_shape [6, 9, 1] : tensor<6x9xi32> into tensor<6x9x1xi32>
  %t21 = tensor.empty() : tensor<6x9x8xi32>
  %t22 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t20, %t1 : tensor<6x9x1xi32>, tensor<8xi32>) outs(%t21 : tensor<6x9x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<6x9x8xi32>
  %t23 = tensor.empty() : tensor<6x9x8xi8>
  %t24 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t22 : tensor<6x9x8xi32>) outs(%t23 : tensor<6x9x8xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %r = arith.trunci %a0 : i32 to i8
    linalg.yield %r : i8
  } -> tensor<6x9x8xi8>
  %t25 = tensor.collapse_shape %t24 [[0], [1, 2]] : tensor<6x9x8xi8> into tensor<6x72xi8>
  %t26 = tensor.empty() : tensor<6x72xi8>
  %t27 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t8 : tensor<72xi64>) outs(%t26 : tensor<6x72xi8>) {
  ^bb0(%a0: i64, %o: i8):
    %q = linalg.index 0 : index
    %c = arith.index_cast %a0 : i64 to index
    %r = tensor.extract %t25[%q, %c] : tensor<6x72xi8>
    linalg.yield %r : i8
  } -> tensor<6x72xi8>
  %t28 = arith.constant 15 : i8
  %t29 = tensor.empty() : tensor<6x72xi8>
  %t30 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t27 : tensor<6x72xi8>) outs(%t29 : tensor<6x72xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %t28 : i8
    linalg.yield %r : i8
  } -> tensor<6x72xi8>
  %t31 = tensor.expand_shape %t30 [[0, 1], [2]] output_shape [6, 1, 72] : tensor<6x72xi8> into tensor<6x1x72xi8>
  %t32 = tensor.empty() : tensor<6x64x72xi8>
  %t33 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, 0, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t31 : tensor<6x1x72xi8>) outs(%t32 : tensor<6x64x72xi8>) {
  ^bb0(%a0: i8, %o: i8):
    linalg.yield %a0 : i8
  } -> tensor<6x64x72xi8>
  %t34 = tensor.collapse_shape %t33 [[0, 1], [2]] : tensor<6x64x72xi8> into tensor<384x72xi8>
  %t35 = tensor.expand_shape %s [[0, 1], [2]] output_shape [6, 1, 72] : tensor<6x72xf16> into tensor<6x1x72xf16>
  %t36 = tensor.empty() : tensor<6x64x72xf16>
  %t37 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, 0, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t35 : tensor<6x1x72xf16>) outs(%t36 : tensor<6x64x72xf16>) {
  ^bb0(%a0: f16, %o: f16):
    linalg.yield %a0 : f16
  } -> tensor<6x64x72xf16>
  %t38 = tensor.collapse_shape %t37 [[0, 1], [2]] : tensor<6x64x72xf16> into tensor<384x72xf16>
  %t39 = tensor.empty() : tensor<384x72xi8>
  %t40 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t19, %t34 : tensor<384x72xi8>, tensor<384x72xi8>) outs(%t39 : tensor<384x72xi8>) {
  ^bb0(%a0: i8, %a1: i8, %o: i8):
    %r = arith.subi %a0, %a1 : i8
    linalg.yield %r : i8
  } -> tensor<384x72xi8>
  %t41 = tensor.empty() : tensor<384x72xf16>
  %t42 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t40, %t38 : tensor<384x72xi8>, tensor<384x72xf16>) outs(%t41 : tensor<384x72xf16>) {
  ^bb0(%a0: i8, %a1: f16, %o: f16):
    %f = arith.sitofp %a0 : i8 to f16
    %r = arith.mulf %f, %a1 : f16
    linalg.yield %r : f16
  } -> tensor<384x72xf16>
  %t43 = arith.constant 0.0 : f32
  %t44 = tensor.empty() : tensor<50x72xf32>
  %t45 = linalg.fill ins(%t43 : f32) outs(%t44 : tensor<50x72xf32>) -> tensor<50x72xf32>
  %t46 = linalg.matmul ins(%x, %t42 : tensor<50x384xf16>, tensor<384x72xf16>) outs(%t45 : tensor<50x72xf32>) -> tensor<50x72xf32>
  %t47 = tensor.empty() : tensor<50x72xf16>
  %t48 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t46 : tensor<50x72xf32>) outs(%t47 : tensor<50x72xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<50x72xf16>
  return %t48 : tensor<50x72xf16>
}
