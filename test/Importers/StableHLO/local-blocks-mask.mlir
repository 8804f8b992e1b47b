// Blocks of queries read the keys of two blocks on one side, of which a mask hides what is
// padded and what comes later. In f16, with a sum in f32.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=3888 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d2, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d2, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<(d0, d1) -> (d0, 0)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, 0, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (0, 0, d2, d3, d4)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map13 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d5, d3, d4)>

func.func @local_blocks_masked(%q: tensor<2x54x2x16xf16>,
    %k: tensor<2x54x2x16xf16>,
    %v: tensor<2x54x2x16xf16>,
    %valid: tensor<2x54xi1>) -> (tensor<2x54x32xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f16
  %cst1 = arith.constant 0 : i1
  %cst2 = arith.constant 0.000000e+00 : f32
  %cst3 = arith.constant 2.500000e-01 : f32
  %cst4 = arith.constant -18 : i64
  %cst5 = arith.constant -1.000000e+09 : f32
  %cst6 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %q [[0], [1, 2], [3], [4]] output_shape [2, 3, 18, 2, 16] : tensor<2x54x2x16xf16> into tensor<2x3x18x2x16xf16>
  %1 = tensor.expand_shape %k [[0], [1, 2], [3], [4]] output_shape [2, 3, 18, 2, 16] : tensor<2x54x2x16xf16> into tensor<2x3x18x2x16xf16>
  %2 = tensor.empty() : tensor<2x1x18x2x16xf16>
  %3 = linalg.fill ins(%cst0 : f16) outs(%2 : tensor<2x1x18x2x16xf16>) -> tensor<2x1x18x2x16xf16>
  %4 = tensor.concat dim(1) %3, %1 : (tensor<2x1x18x2x16xf16>, tensor<2x3x18x2x16xf16>) -> tensor<2x4x18x2x16xf16>
  %5 = tensor.extract_slice %4[0, 0, 0, 0, 0] [2, 3, 18, 2, 16] [1, 1, 1, 1, 1] : tensor<2x4x18x2x16xf16> to tensor<2x3x18x2x16xf16>
  %6 = tensor.extract_slice %4[0, 1, 0, 0, 0] [2, 3, 18, 2, 16] [1, 1, 1, 1, 1] : tensor<2x4x18x2x16xf16> to tensor<2x3x18x2x16xf16>
  %7 = tensor.concat dim(2) %5, %6 : (tensor<2x3x18x2x16xf16>, tensor<2x3x18x2x16xf16>) -> tensor<2x3x36x2x16xf16>
  %8 = tensor.expand_shape %v [[0], [1, 2], [3], [4]] output_shape [2, 3, 18, 2, 16] : tensor<2x54x2x16xf16> into tensor<2x3x18x2x16xf16>
  %9 = tensor.empty() : tensor<2x1x18x2x16xf16>
  %10 = linalg.fill ins(%cst0 : f16) outs(%9 : tensor<2x1x18x2x16xf16>) -> tensor<2x1x18x2x16xf16>
  %11 = tensor.concat dim(1) %10, %8 : (tensor<2x1x18x2x16xf16>, tensor<2x3x18x2x16xf16>) -> tensor<2x4x18x2x16xf16>
  %12 = tensor.extract_slice %11[0, 0, 0, 0, 0] [2, 3, 18, 2, 16] [1, 1, 1, 1, 1] : tensor<2x4x18x2x16xf16> to tensor<2x3x18x2x16xf16>
  %13 = tensor.extract_slice %11[0, 1, 0, 0, 0] [2, 3, 18, 2, 16] [1, 1, 1, 1, 1] : tensor<2x4x18x2x16xf16> to tensor<2x3x18x2x16xf16>
  %14 = tensor.concat dim(2) %12, %13 : (tensor<2x3x18x2x16xf16>, tensor<2x3x18x2x16xf16>) -> tensor<2x3x36x2x16xf16>
  %15 = tensor.expand_shape %valid [[0], [1, 2]] output_shape [2, 3, 18] : tensor<2x54xi1> into tensor<2x3x18xi1>
  %16 = tensor.empty() : tensor<2x1x18xi1>
  %17 = linalg.fill ins(%cst1 : i1) outs(%16 : tensor<2x1x18xi1>) -> tensor<2x1x18xi1>
  %18 = tensor.concat dim(1) %17, %15 : (tensor<2x1x18xi1>, tensor<2x3x18xi1>) -> tensor<2x4x18xi1>
  %19 = tensor.extract_slice %18[0, 0, 0] [2, 3, 18] [1, 1, 1] : tensor<2x4x18xi1> to tensor<2x3x18xi1>
  %20 = tensor.extract_slice %18[0, 1, 0] [2, 3, 18] [1, 1, 1] : tensor<2x4x18xi1> to tensor<2x3x18xi1>
  %21 = tensor.concat dim(2) %19, %20 : (tensor<2x3x18xi1>, tensor<2x3x18xi1>) -> tensor<2x3x36xi1>
  %22 = tensor.empty() : tensor<2x3x2x18x36xf32>
  %23 = linalg.fill ins(%cst2 : f32) outs(%22 : tensor<2x3x2x18x36xf32>) -> tensor<2x3x2x18x36xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%0, %7 : tensor<2x3x18x2x16xf16>, tensor<2x3x36x2x16xf16>) outs(%23 : tensor<2x3x2x18x36xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %xa = arith.extf %in : f16 to f32
    %xb = arith.extf %in_1 : f16 to f32
    %p = arith.mulf %xa, %xb : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x3x2x18x36xf32>
  %25 = tensor.empty() : tensor<2x3x2x18x36xf32>
  %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<2x3x2x18x36xf32>) outs(%25 : tensor<2x3x2x18x36xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst3 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x2x18x36xf32>
  %27 = tensor.empty() : tensor<36xi64>
  %28 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%27 : tensor<36xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<36xi64>
  %29 = tensor.expand_shape %28 [[0, 1]] output_shape [1, 36] : tensor<36xi64> into tensor<1x36xi64>
  %30 = tensor.empty() : tensor<1x36xi64>
  %31 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<1x36xi64>) outs(%30 : tensor<1x36xi64>) {
  ^bb0(%in: i64, %out: i64):
    %r = arith.addi %in, %cst4 : i64
    linalg.yield %r : i64
  } -> tensor<1x36xi64>
  %32 = tensor.empty() : tensor<18xi64>
  %33 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%32 : tensor<18xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<18xi64>
  %34 = tensor.expand_shape %33 [[0, 1]] output_shape [18, 1] : tensor<18xi64> into tensor<18x1xi64>
  %35 = tensor.empty() : tensor<18x36xi1>
  %36 = linalg.generic {indexing_maps = [#map6, #map7, #map5], iterator_types = ["parallel", "parallel"]} ins(%31, %34 : tensor<1x36xi64>, tensor<18x1xi64>) outs(%35 : tensor<18x36xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi sle, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<18x36xi1>
  %37 = tensor.expand_shape %21 [[0], [1], [2, 3, 4]] output_shape [2, 3, 1, 1, 36] : tensor<2x3x36xi1> into tensor<2x3x1x1x36xi1>
  %38 = tensor.expand_shape %36 [[0, 1, 2, 3], [4]] output_shape [1, 1, 1, 18, 36] : tensor<18x36xi1> into tensor<1x1x1x18x36xi1>
  %39 = tensor.empty() : tensor<2x3x1x18x36xi1>
  %40 = linalg.generic {indexing_maps = [#map8, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%37, %38 : tensor<2x3x1x1x36xi1>, tensor<1x1x1x18x36xi1>) outs(%39 : tensor<2x3x1x18x36xi1>) {
  ^bb0(%in: i1, %in_1: i1, %out: i1):
    %r = arith.andi %in, %in_1 : i1
    linalg.yield %r : i1
  } -> tensor<2x3x1x18x36xi1>
  %41 = tensor.empty() : tensor<2x3x2x18x36xf32>
  %42 = linalg.generic {indexing_maps = [#map10, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%40, %26 : tensor<2x3x1x18x36xi1>, tensor<2x3x2x18x36xf32>) outs(%41 : tensor<2x3x2x18x36xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x2x18x36xf32>
  %43 = tensor.empty() : tensor<2x3x2x18xf32>
  %44 = linalg.fill ins(%cst6 : f32) outs(%43 : tensor<2x3x2x18xf32>) -> tensor<2x3x2x18xf32>
  %45 = linalg.generic {indexing_maps = [#map3, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%42 : tensor<2x3x2x18x36xf32>) outs(%44 : tensor<2x3x2x18xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<2x3x2x18xf32>
  %46 = tensor.expand_shape %45 [[0], [1], [2], [3, 4]] output_shape [2, 3, 2, 18, 1] : tensor<2x3x2x18xf32> into tensor<2x3x2x18x1xf32>
  %47 = tensor.empty() : tensor<2x3x2x18x36xf32>
  %48 = linalg.generic {indexing_maps = [#map3, #map12, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%42, %46 : tensor<2x3x2x18x36xf32>, tensor<2x3x2x18x1xf32>) outs(%47 : tensor<2x3x2x18x36xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x2x18x36xf32>
  %49 = tensor.empty() : tensor<2x3x2x18x36xf32>
  %50 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<2x3x2x18x36xf32>) outs(%49 : tensor<2x3x2x18x36xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<2x3x2x18x36xf32>
  %51 = tensor.empty() : tensor<2x3x2x18xf32>
  %52 = linalg.fill ins(%cst2 : f32) outs(%51 : tensor<2x3x2x18xf32>) -> tensor<2x3x2x18xf32>
  %53 = linalg.generic {indexing_maps = [#map3, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%50 : tensor<2x3x2x18x36xf32>) outs(%52 : tensor<2x3x2x18xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<2x3x2x18xf32>
  %54 = tensor.expand_shape %53 [[0], [1], [2], [3, 4]] output_shape [2, 3, 2, 18, 1] : tensor<2x3x2x18xf32> into tensor<2x3x2x18x1xf32>
  %55 = tensor.empty() : tensor<2x3x2x18x36xf32>
  %56 = linalg.generic {indexing_maps = [#map3, #map12, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%50, %54 : tensor<2x3x2x18x36xf32>, tensor<2x3x2x18x1xf32>) outs(%55 : tensor<2x3x2x18x36xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x2x18x36xf32>
  %57 = tensor.empty() : tensor<2x3x2x18x36xf16>
  %58 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<2x3x2x18x36xf32>) outs(%57 : tensor<2x3x2x18x36xf16>) {
  ^bb0(%in: f32, %out: f16):
    %r = arith.truncf %in : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x3x2x18x36xf16>
  %59 = tensor.empty() : tensor<2x3x18x2x16xf32>
  %60 = linalg.fill ins(%cst2 : f32) outs(%59 : tensor<2x3x18x2x16xf32>) -> tensor<2x3x18x2x16xf32>
  %61 = linalg.generic {indexing_maps = [#map, #map13, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%58, %14 : tensor<2x3x2x18x36xf16>, tensor<2x3x36x2x16xf16>) outs(%60 : tensor<2x3x18x2x16xf32>) {
  ^bb0(%in: f16, %in_1: f16, %out: f32):
    %xa = arith.extf %in : f16 to f32
    %xb = arith.extf %in_1 : f16 to f32
    %p = arith.mulf %xa, %xb : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x3x18x2x16xf32>
  %62 = tensor.collapse_shape %61 [[0], [1, 2], [3, 4]] : tensor<2x3x18x2x16xf32> into tensor<2x54x32xf32>
  return %62 : tensor<2x54x32xf32>
}
