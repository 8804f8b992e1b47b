// Words of 32 bits with integers of eight elements that are summed, whose groups a table says
// (`g_idx` of GPTQ ordered by activation). Scales and words of zero points are gathered in the loop of
// one kernel, each subgroup of which sums a part. Columns and sums do not divide by those of a
// tile.

// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=1 --max-buffer-bytes=0 --gpu-options='chip=sm_80 excess-precision=false'
// RUN: linalg-ext-check-program %s --targets=gpu --max-kernels=2 --max-buffer-bytes=20000 --gpu-options=chip=gfx942

func.func @one_row(%x: tensor<1x640xf16>, %w: tensor<80x88xi32> {check.draw = "uniform -2147483648 2147483647"}, %z: tensor<5x11xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<5x88xf16> {check.draw = "uniform 0.01 0.02"}, %g: tensor<640xi32> {check.draw = "uniform 0 4"}) -> tensor<1x88xf16> {
  %t1 = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %t2 = arith.constant 15 : i32
  %t3 = arith.constant 1 : i32
  %t4 = tensor.expand_shape %w [[0, 1], [2]] output_shape [80, 1, 88] : tensor<80x88xi32> into tensor<80x1x88xi32>
  %t5 = tensor.empty() : tensor<80x8x88xi32>
  %t6 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, 0, c)>, affine_map<(a, b, c) -> (b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t4, %t1 : tensor<80x1x88xi32>, tensor<8xi32>) outs(%t5 : tensor<80x8x88xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<80x8x88xi32>
  %t7 = tensor.empty() : tensor<80x8x88xi32>
  %t8 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t6 : tensor<80x8x88xi32>) outs(%t7 : tensor<80x8x88xi32>) {
  ^bb0(%a0: i32, %o: i32):
    %r = arith.andi %a0, %t2 : i32
    linalg.yield %r : i32
  } -> tensor<80x8x88xi32>
  %t9 = tensor.expand_shape %z [[0], [1, 2]] output_shape [5, 11, 1] : tensor<5x11xi32> into tensor<5x11x1xi32>
  %t10 = tensor.empty() : tensor<5x11x8xi32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t9, %t1 : tensor<5x11x1xi32>, tensor<8xi32>) outs(%t10 : tensor<5x11x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<5x11x8xi32>
  %t12 = tensor.empty() : tensor<5x11x8xi32>
  %t13 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t11 : tensor<5x11x8xi32>) outs(%t12 : tensor<5x11x8xi32>) {
  ^bb0(%a0: i32, %o: i32):
    %q = arith.andi %a0, %t2 : i32
    %r = arith.addi %q, %t3 : i32
    linalg.yield %r : i32
  } -> tensor<5x11x8xi32>
  %t14 = tensor.collapse_shape %t13 [[0], [1, 2]] : tensor<5x11x8xi32> into tensor<5x88xi32>
  %t15 = tensor.collapse_shape %t8 [[0, 1], [2]] : tensor<80x8x88xi32> into tensor<640x88xi32>
  %t16 = tensor.empty() : tensor<640x88xi32>
  %t17 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<640xi32>) outs(%t16 : tensor<640x88xi32>) {
  ^bb0(%a0: i32, %o: i32):
    %i = arith.extsi %a0 : i32 to i64
    %h = arith.index_cast %i : i64 to index
    %q = linalg.index 1 : index
    %r = tensor.extract %t14[%h, %q] : tensor<5x88xi32>
    linalg.yield %r : i32
  } -> tensor<640x88xi32>
  %t18 = tensor.empty() : tensor<640x88xf16>
  %t19 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<640xi32>) outs(%t18 : tensor<640x88xf16>) {
  ^bb0(%a0: i32, %o: f16):
    %i = arith.extsi %a0 : i32 to i64
    %h = arith.index_cast %i : i64 to index
    %q = linalg.index 1 : index
    %r = tensor.extract %s[%h, %q] : tensor<5x88xf16>
    linalg.yield %r : f16
  } -> tensor<640x88xf16>
  %t20 = tensor.empty() : tensor<640x88xf16>
  %t21 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t15, %t17, %t19 : tensor<640x88xi32>, tensor<640x88xi32>, tensor<640x88xf16>) outs(%t20 : tensor<640x88xf16>) {
  ^bb0(%a0: i32, %a1: i32, %a2: f16, %o: f16):
    %d = arith.subi %a0, %a1 : i32
    %f = arith.sitofp %d : i32 to f16
    %r = arith.mulf %a2, %f : f16
    linalg.yield %r : f16
  } -> tensor<640x88xf16>
  %t22 = arith.constant 0.0 : f32
  %t23 = tensor.empty() : tensor<1x88xf32>
  %t24 = linalg.fill ins(%t22 : f32) outs(%t23 : tensor<1x88xf32>) -> tensor<1x88xf32>
  %t25 = linalg.matmul ins(%x, %t21 : tensor<1x640xf16>, tensor<640x88xf16>) outs(%t24 : tensor<1x88xf32>) -> tensor<1x88xf32>
  %t26 = tensor.empty() : tensor<1x88xf16>
  %t27 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t25 : tensor<1x88xf32>) outs(%t26 : tensor<1x88xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x88xf16>
  return %t27 : tensor<1x88xf16>
}
func.func @few_rows(%x: tensor<5x384xf16>, %w: tensor<48x104xi32> {check.draw = "uniform -2147483648 2147483647"}, %z: tensor<12x13xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<12x104xf16> {check.draw = "uniform 0.01 0.02"}, %g: tensor<384xi32> {check.draw = "uniform 0 11"}) -> tensor<5x104xf16> {
  %t1 = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %t2 = arith.constant 15 : i32
  %t3 = arith.constant 1 : i32
  %t4 = tensor.expand_shape %w [[0, 1], [2]] output_shape [48, 1, 104] : tensor<48x104xi32> into tensor<48x1x104xi32>
  %t5 = tensor.empty() : tensor<48x8x104xi32>
  %t6 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, 0, c)>, affine_map<(a, b, c) -> (b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t4, %t1 : tensor<48x1x104xi32>, tensor<8xi32>) outs(%t5 : tensor<48x8x104xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<48x8x104xi32>
  %t7 = tensor.empty() : tensor<48x8x104xi32>
  %t8 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t6 : tensor<48x8x104xi32>) outs(%t7 : tensor<48x8x104xi32>) {
  ^bb0(%a0: i32, %o: i32):
    %r = arith.andi %a0, %t2 : i32
    linalg.yield %r : i32
  } -> tensor<48x8x104xi32>
  %t9 = tensor.expand_shape %z [[0], [1, 2]] output_shape [12, 13, 1] : tensor<12x13xi32> into tensor<12x13x1xi32>
  %t10 = tensor.empty() : tensor<12x13x8xi32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t9, %t1 : tensor<12x13x1xi32>, tensor<8xi32>) outs(%t10 : tensor<12x13x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<12x13x8xi32>
  %t12 = tensor.empty() : tensor<12x13x8xi32>
  %t13 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t11 : tensor<12x13x8xi32>) outs(%t12 : tensor<12x13x8xi32>) {
  ^bb0(%a0: i32, %o: i32):
    %q = arith.andi %a0, %t2 : i32
    %r = arith.addi %q, %t3 : i32
    linalg.yield %r : i32
  } -> tensor<12x13x8xi32>
  %t14 = tensor.collapse_shape %t13 [[0], [1, 2]] : tensor<12x13x8xi32> into tensor<12x104xi32>
  %t15 = tensor.collapse_shape %t8 [[0, 1], [2]] : tensor<48x8x104xi32> into tensor<384x104xi32>
  %t16 = tensor.empty() : tensor<384x104xi32>
  %t17 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<384xi32>) outs(%t16 : tensor<384x104xi32>) {
  ^bb0(%a0: i32, %o: i32):
    %i = arith.extsi %a0 : i32 to i64
    %h = arith.index_cast %i : i64 to index
    %q = linalg.index 1 : index
    %r = tensor.extract %t14[%h, %q] : tensor<12x104xi32>
    linalg.yield %r : i32
  } -> tensor<384x104xi32>
  %t18 = tensor.empty() : tensor<384x104xf16>
  %t19 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<384xi32>) outs(%t18 : tensor<384x104xf16>) {
  ^bb0(%a0: i32, %o: f16):
    %i = arith.extsi %a0 : i32 to i64
    %h = arith.index_cast %i : i64 to index
    %q = linalg.index 1 : index
    %r = tensor.extract %s[%h, %q] : tensor<12x104xf16>
    linalg.yield %r : f16
  } -> tensor<384x104xf16>
  %t20 = tensor.empty() : tensor<384x104xf16>
  %t21 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t15, %t17, %t19 : tensor<384x104xi32>, tensor<384x104xi32>, tensor<384x104xf16>) outs(%t20 : tensor<384x104xf16>) {
  ^bb0(%a0: i32, %a1: i32, %a2: f16, %o: f16):
    %d = arith.subi %a0, %a1 : i32
    %f = arith.sitofp %d : i32 to f16
    %r = arith.mulf %a2, %f : f16
    linalg.yield %r : f16
  } -> tensor<384x104xf16>
  %t22 = arith.constant 0.0 : f32
  %t23 = tensor.empty() : tensor<5x104xf32>
  %t24 = linalg.fill ins(%t22 : f32) outs(%t23 : tensor<5x104xf32>) -> tensor<5x104xf32>
  %t25 = linalg.matmul ins(%x, %t21 : tensor<5x384xf16>, tensor<384x104xf16>) outs(%t24 : tensor<5x104xf32>) -> tensor<5x104xf32>
  %t26 = tensor.empty() : tensor<5x104xf16>
  %t27 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t25 : tensor<5x104xf32>) outs(%t26 : tensor<5x104xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<5x104xf16>
  return %t27 : tensor<5x104xf16>
}
func.func @sixteen_rows(%x: tensor<16x512xf16>, %w: tensor<64x72xi32> {check.draw = "uniform -2147483648 2147483647"}, %z: tensor<8x9xi32> {check.draw = "uniform -2147483648 2147483647"}, %s: tensor<8x72xf16> {check.draw = "uniform 0.01 0.02"}, %g: tensor<512xi32> {check.draw = "uniform 0 7"}) -> tensor<16x72xf16> {
  %t1 = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
  %t2 = arith.constant 15 : i32
  %t3 = arith.constant 1 : i32
  %t4 = tensor.expand_shape %w [[0, 1], [2]] output_shape [64, 1, 72] : tensor<64x72xi32> into tensor<64x1x72xi32>
  %t5 = tensor.empty() : tensor<64x8x72xi32>
  %t6 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, 0, c)>, affine_map<(a, b, c) -> (b)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t4, %t1 : tensor<64x1x72xi32>, tensor<8xi32>) outs(%t5 : tensor<64x8x72xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<64x8x72xi32>
  %t7 = tensor.empty() : tensor<64x8x72xi32>
  %t8 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t6 : tensor<64x8x72xi32>) outs(%t7 : tensor<64x8x72xi32>) {
  ^bb0(%a0: i32, %o: i32):
    %r = arith.andi %a0, %t2 : i32
    linalg.yield %r : i32
  } -> tensor<64x8x72xi32>
  %t9 = tensor.expand_shape %z [[0], [1, 2]] output_shape [8, 9, 1] : tensor<8x9xi32> into tensor<8x9x1xi32>
  %t10 = tensor.empty() : tensor<8x9x8xi32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, 0)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t9, %t1 : tensor<8x9x1xi32>, tensor<8xi32>) outs(%t10 : tensor<8x9x8xi32>) {
  ^bb0(%a0: i32, %a1: i32, %o: i32):
    %r = arith.shrsi %a0, %a1 : i32
    linalg.yield %r : i32
  } -> tensor<8x9x8xi32>
  %t12 = tensor.empty() : tensor<8x9x8xi32>
  %t13 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t11 : tensor<8x9x8xi32>) outs(%t12 : tensor<8x9x8xi32>) {
  ^bb0(%a0: i32, %o: i32):
    %q = arith.andi %a0, %t2 : i32
    %r = arith.addi %q, %t3 : i32
    linalg.yield %r : i32
  } -> tensor<8x9x8xi32>
  %t14 = tensor.collapse_shape %t13 [[0], [1, 2]] : tensor<8x9x8xi32> into tensor<8x72xi32>
  %t15 = tensor.collapse_shape %t8 [[0, 1], [2]] : tensor<64x8x72xi32> into tensor<512x72xi32>
  %t16 = tensor.empty() : tensor<512x72xi32>
  %t17 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<512xi32>) outs(%t16 : tensor<512x72xi32>) {
  ^bb0(%a0: i32, %o: i32):
    %i = arith.extsi %a0 : i32 to i64
    %h = arith.index_cast %i : i64 to index
    %q = linalg.index 1 : index
    %r = tensor.extract %t14[%h, %q] : tensor<8x72xi32>
    linalg.yield %r : i32
  } -> tensor<512x72xi32>
  %t18 = tensor.empty() : tensor<512x72xf16>
  %t19 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%g : tensor<512xi32>) outs(%t18 : tensor<512x72xf16>) {
  ^bb0(%a0: i32, %o: f16):
    %i = arith.extsi %a0 : i32 to i64
    %h = arith.index_cast %i : i64 to index
    %q = linalg.index 1 : index
    %r = tensor.extract %s[%h, %q] : tensor<8x72xf16>
    linalg.yield %r : f16
  } -> tensor<512x72xf16>
  %t20 = tensor.empty() : tensor<512x72xf16>
  %t21 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%t15, %t17, %t19 : tensor<512x72xi32>, tensor<512x72xi32>, tensor<512x72xf16>) outs(%t20 : tensor<512x72xf16>) {
  ^bb0(%a0: i32, %a1: i32, %a2: f16, %o: f16):
    %d = arith.subi %a0, %a1 : i32
    %f = arith.sitofp %d : i32 to f16
    %r = arith.mulf %a2, %f : f16
    linalg.yield %r : f16
  } -> tensor<512x72xf16>
  %t22 = arith.constant 0.0 : f32
  %t23 = tensor.empty() : tensor<16x72xf32>
  %t24 = linalg.fill ins(%t22 : f32) outs(%t23 : tensor<16x72xf32>) -> tensor<16x72xf32>
  %t25 = linalg.matmul ins(%x, %t21 : tensor<16x512xf16>, tensor<512x72xf16>) outs(%t24 : tensor<16x72xf32>) -> tensor<16x72xf32>
  %t26 = tensor.empty() : tensor<16x72xf16>
  %t27 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t25 : tensor<16x72xf32>) outs(%t26 : tensor<16x72xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<16x72xf16>
  return %t27 : tensor<16x72xf16>
}
