// Few rows, and words of 32 bits with integers of 4 bits: as AutoGPTQ dequantizes them, of
// eight elements that are summed, and as AutoAWQ does, of eight columns in the order
// 0 4 1 5 2 6 3 7. Words are shifted, truncated to bytes and masked; zero points are
// packed along the columns and, of the former, one less than what they mean. Each product is one
// kernel, whose threads load runs of words and unpack zero points with them. Columns and sums
// do not divide by those of a tile. GPUs of AMD may sum the parts in two kernels.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options='chip=sm_90a async-products=true'
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options='chip=sm_80 async-products=false excess-precision=false'
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=20000 --gpu-options=chip=gfx942

func.func @gptq_one_row(%x: tensor<1x640xf16>, %w: tensor<80x88xi32> {check.draw = "uniform -2147483648 2147483647"}, %z: tensor<5x11xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<5x88xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<1x88xf16> {
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
  %t27 = tensor.empty() : tensor<1x88xf32>
  %t28 = linalg.fill ins(%t26 : f32) outs(%t27 : tensor<1x88xf32>) -> tensor<1x88xf32>
  %t29 = linalg.matmul ins(%x, %t25 : tensor<1x640xf16>, tensor<640x88xf16>) outs(%t28 : tensor<1x88xf32>) -> tensor<1x88xf32>
  %t30 = tensor.empty() : tensor<1x88xf16>
  %t31 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t29 : tensor<1x88xf32>) outs(%t30 : tensor<1x88xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x88xf16>
  return %t31 : tensor<1x88xf16>
}
func.func @gptq_bf16(%x: tensor<5x640xbf16>, %w: tensor<80x88xi32> {check.draw = "uniform -2147483648 2147483647"}, %z: tensor<10x11xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<10x88xbf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<5x88xbf16> {
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
  %t10 = tensor.empty() : tensor<10x11x8xi32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z, %t1 : tensor<10x11xi32>, tensor<8xi32>) outs(%t10 : tensor<10x11x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<10x11x8xi32>
  %t12 = tensor.empty() : tensor<10x11x8xi8>
  %t13 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t11 : tensor<10x11x8xi32>) outs(%t12 : tensor<10x11x8xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %r = arith.trunci %a0 : i32 to i8
    linalg.yield %r : i8
  } -> tensor<10x11x8xi8>
  %t14 = tensor.empty() : tensor<10x11x8xi8>
  %t15 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t13 : tensor<10x11x8xi8>) outs(%t14 : tensor<10x11x8xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %t2 : i8
    linalg.yield %r : i8
  } -> tensor<10x11x8xi8>
  %t16 = tensor.empty() : tensor<10x11x8xi8>
  %t17 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t15 : tensor<10x11x8xi8>) outs(%t16 : tensor<10x11x8xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.addi %a0, %t3 : i8
    linalg.yield %r : i8
  } -> tensor<10x11x8xi8>
  %t18 = tensor.collapse_shape %t17 [[0], [1, 2]] : tensor<10x11x8xi8> into tensor<10x88xi8>
  %t19 = tensor.collapse_shape %t9 [[0, 1], [2]] : tensor<80x8x88xi8> into tensor<640x88xi8>
  %t20 = tensor.expand_shape %t19 [[0, 1], [2]] output_shape [10, 64, 88] : tensor<640x88xi8> into tensor<10x64x88xi8>
  %t21 = tensor.empty() : tensor<10x64x88xi8>
  %t22 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t20, %t18 : tensor<10x64x88xi8>, tensor<10x88xi8>) outs(%t21 : tensor<10x64x88xi8>) {
  ^bb0(%a0: i8, %a1: i8, %o: i8):
    %r = arith.subi %a0, %a1 : i8
    linalg.yield %r : i8
  } -> tensor<10x64x88xi8>
  %t23 = tensor.empty() : tensor<10x64x88xbf16>
  %t24 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t22, %s : tensor<10x64x88xi8>, tensor<10x88xbf16>) outs(%t23 : tensor<10x64x88xbf16>) {
  ^bb0(%a0: i8, %a1: bf16, %o: bf16):
    %f = arith.sitofp %a0 : i8 to bf16
    %r = arith.mulf %a1, %f : bf16
    linalg.yield %r : bf16
  } -> tensor<10x64x88xbf16>
  %t25 = tensor.collapse_shape %t24 [[0, 1], [2]] : tensor<10x64x88xbf16> into tensor<640x88xbf16>
  %t26 = arith.constant 0.0 : f32
  %t27 = tensor.empty() : tensor<5x88xf32>
  %t28 = linalg.fill ins(%t26 : f32) outs(%t27 : tensor<5x88xf32>) -> tensor<5x88xf32>
  %t29 = linalg.matmul ins(%x, %t25 : tensor<5x640xbf16>, tensor<640x88xbf16>) outs(%t28 : tensor<5x88xf32>) -> tensor<5x88xf32>
  %t30 = tensor.empty() : tensor<5x88xbf16>
  %t31 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t29 : tensor<5x88xf32>) outs(%t30 : tensor<5x88xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<5x88xbf16>
  return %t31 : tensor<5x88xbf16>
}
func.func @gptq_short_groups(%x: tensor<13x384xf16>, %w: tensor<48x104xi32> {check.draw = "uniform -2147483648 2147483647"}, %z: tensor<12x13xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<12x104xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<13x104xf16> {
  %t1 = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %t2 = arith.constant 15 : i8
  %t3 = arith.constant 1 : i8
  %t4 = tensor.empty() : tensor<48x8x104xi32>
  %t5 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %t1 : tensor<48x104xi32>, tensor<8xi32>) outs(%t4 : tensor<48x8x104xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<48x8x104xi32>
  %t6 = tensor.empty() : tensor<48x8x104xi8>
  %t7 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t5 : tensor<48x8x104xi32>) outs(%t6 : tensor<48x8x104xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %r = arith.trunci %a0 : i32 to i8
    linalg.yield %r : i8
  } -> tensor<48x8x104xi8>
  %t8 = tensor.empty() : tensor<48x8x104xi8>
  %t9 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7 : tensor<48x8x104xi8>) outs(%t8 : tensor<48x8x104xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %t2 : i8
    linalg.yield %r : i8
  } -> tensor<48x8x104xi8>
  %t10 = tensor.empty() : tensor<12x13x8xi32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z, %t1 : tensor<12x13xi32>, tensor<8xi32>) outs(%t10 : tensor<12x13x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<12x13x8xi32>
  %t12 = tensor.empty() : tensor<12x13x8xi8>
  %t13 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t11 : tensor<12x13x8xi32>) outs(%t12 : tensor<12x13x8xi8>) {
  ^bb0(%a0: i32, %o: i8):
    %r = arith.trunci %a0 : i32 to i8
    linalg.yield %r : i8
  } -> tensor<12x13x8xi8>
  %t14 = tensor.empty() : tensor<12x13x8xi8>
  %t15 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t13 : tensor<12x13x8xi8>) outs(%t14 : tensor<12x13x8xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.andi %a0, %t2 : i8
    linalg.yield %r : i8
  } -> tensor<12x13x8xi8>
  %t16 = tensor.empty() : tensor<12x13x8xi8>
  %t17 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t15 : tensor<12x13x8xi8>) outs(%t16 : tensor<12x13x8xi8>) {
  ^bb0(%a0: i8, %o: i8):
    %r = arith.addi %a0, %t3 : i8
    linalg.yield %r : i8
  } -> tensor<12x13x8xi8>
  %t18 = tensor.collapse_shape %t17 [[0], [1, 2]] : tensor<12x13x8xi8> into tensor<12x104xi8>
  %t19 = tensor.collapse_shape %t9 [[0, 1], [2]] : tensor<48x8x104xi8> into tensor<384x104xi8>
  %t20 = tensor.expand_shape %t19 [[0, 1], [2]] output_shape [12, 32, 104] : tensor<384x104xi8> into tensor<12x32x104xi8>
  %t21 = tensor.empty() : tensor<12x32x104xi8>
  %t22 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t20, %t18 : tensor<12x32x104xi8>, tensor<12x104xi8>) outs(%t21 : tensor<12x32x104xi8>) {
  ^bb0(%a0: i8, %a1: i8, %o: i8):
    %r = arith.subi %a0, %a1 : i8
    linalg.yield %r : i8
  } -> tensor<12x32x104xi8>
  %t23 = tensor.empty() : tensor<12x32x104xf16>
  %t24 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t22, %s : tensor<12x32x104xi8>, tensor<12x104xf16>) outs(%t23 : tensor<12x32x104xf16>) {
  ^bb0(%a0: i8, %a1: f16, %o: f16):
    %f = arith.sitofp %a0 : i8 to f16
    %r = arith.mulf %a1, %f : f16
    linalg.yield %r : f16
  } -> tensor<12x32x104xf16>
  %t25 = tensor.collapse_shape %t24 [[0, 1], [2]] : tensor<12x32x104xf16> into tensor<384x104xf16>
  %t26 = arith.constant 0.0 : f32
  %t27 = tensor.empty() : tensor<13x104xf32>
  %t28 = linalg.fill ins(%t26 : f32) outs(%t27 : tensor<13x104xf32>) -> tensor<13x104xf32>
  %t29 = linalg.matmul ins(%x, %t25 : tensor<13x384xf16>, tensor<384x104xf16>) outs(%t28 : tensor<13x104xf32>) -> tensor<13x104xf32>
  %t30 = tensor.empty() : tensor<13x104xf16>
  %t31 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t29 : tensor<13x104xf32>) outs(%t30 : tensor<13x104xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<13x104xf16>
  return %t31 : tensor<13x104xf16>
}
func.func @awq_one_row(%x: tensor<1x640xf16>, %w: tensor<640x17xi32> {check.draw = "uniform -2147483648 2147483647"}, %z: tensor<5x17xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<5x136xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<1x136xf16> {
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
  %t44 = tensor.empty() : tensor<1x136xf32>
  %t45 = linalg.fill ins(%t43 : f32) outs(%t44 : tensor<1x136xf32>) -> tensor<1x136xf32>
  %t46 = linalg.matmul ins(%x, %t42 : tensor<1x640xf16>, tensor<640x136xf16>) outs(%t45 : tensor<1x136xf32>) -> tensor<1x136xf32>
  %t47 = tensor.empty() : tensor<1x136xf16>
  %t48 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t46 : tensor<1x136xf32>) outs(%t47 : tensor<1x136xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x136xf16>
  return %t48 : tensor<1x136xf16>
}
func.func @awq_groups_of_64(%x: tensor<11x384xf16>, %w: tensor<384x9xi32> {check.draw = "uniform -2147483648 2147483647"}, %z: tensor<6x9xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<6x72xf16> {check.draw = "uniform 0.01 0.02"}) -> tensor<11x72xf16> {
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
  %t44 = tensor.empty() : tensor<11x72xf32>
  %t45 = linalg.fill ins(%t43 : f32) outs(%t44 : tensor<11x72xf32>) -> tensor<11x72xf32>
  %t46 = linalg.matmul ins(%x, %t42 : tensor<11x384xf16>, tensor<384x72xf16>) outs(%t45 : tensor<11x72xf32>) -> tensor<11x72xf32>
  %t47 = tensor.empty() : tensor<11x72xf16>
  %t48 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t46 : tensor<11x72xf32>) outs(%t47 : tensor<11x72xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<11x72xf16>
  return %t48 : tensor<11x72xf16>
}
