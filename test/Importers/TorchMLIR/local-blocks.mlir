// LongT5: a block of queries reads its block of keys and those on both sides, as three shifted
// copies of one padded tensor. They are read where they lie.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=2592 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d2, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d2, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map7 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d5, d3, d4)>

func.func @local_blocks(%q: tensor<1x36x2x16xf32>,
    %k: tensor<1x36x2x16xf32>,
    %v: tensor<1x36x2x16xf32>,
    %bias: tensor<1x1x2x12x36xf32>) -> (tensor<1x36x32xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 0 : i64
  %cst2 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %q [[0], [1, 2], [3], [4]] output_shape [1, 3, 12, 2, 16] : tensor<1x36x2x16xf32> into tensor<1x3x12x2x16xf32>
  %1 = tensor.expand_shape %k [[0], [1, 2], [3], [4]] output_shape [1, 3, 12, 2, 16] : tensor<1x36x2x16xf32> into tensor<1x3x12x2x16xf32>
  %2 = tensor.empty() : tensor<1x1x12x2x16xf32>
  %3 = linalg.fill ins(%cst0 : f32) outs(%2 : tensor<1x1x12x2x16xf32>) -> tensor<1x1x12x2x16xf32>
  %4 = tensor.concat dim(1) %3, %1, %3 : (tensor<1x1x12x2x16xf32>, tensor<1x3x12x2x16xf32>, tensor<1x1x12x2x16xf32>) -> tensor<1x5x12x2x16xf32>
  %5 = tensor.extract_slice %4[0, 0, 0, 0, 0] [1, 3, 12, 2, 16] [1, 1, 1, 1, 1] : tensor<1x5x12x2x16xf32> to tensor<1x3x12x2x16xf32>
  %6 = tensor.extract_slice %4[0, 1, 0, 0, 0] [1, 3, 12, 2, 16] [1, 1, 1, 1, 1] : tensor<1x5x12x2x16xf32> to tensor<1x3x12x2x16xf32>
  %7 = tensor.extract_slice %4[0, 2, 0, 0, 0] [1, 3, 12, 2, 16] [1, 1, 1, 1, 1] : tensor<1x5x12x2x16xf32> to tensor<1x3x12x2x16xf32>
  %8 = tensor.concat dim(2) %5, %6, %7 : (tensor<1x3x12x2x16xf32>, tensor<1x3x12x2x16xf32>, tensor<1x3x12x2x16xf32>) -> tensor<1x3x36x2x16xf32>
  %9 = tensor.expand_shape %v [[0], [1, 2], [3], [4]] output_shape [1, 3, 12, 2, 16] : tensor<1x36x2x16xf32> into tensor<1x3x12x2x16xf32>
  %10 = tensor.empty() : tensor<1x1x12x2x16xf32>
  %11 = linalg.fill ins(%cst0 : f32) outs(%10 : tensor<1x1x12x2x16xf32>) -> tensor<1x1x12x2x16xf32>
  %12 = tensor.concat dim(1) %11, %9, %11 : (tensor<1x1x12x2x16xf32>, tensor<1x3x12x2x16xf32>, tensor<1x1x12x2x16xf32>) -> tensor<1x5x12x2x16xf32>
  %13 = tensor.extract_slice %12[0, 0, 0, 0, 0] [1, 3, 12, 2, 16] [1, 1, 1, 1, 1] : tensor<1x5x12x2x16xf32> to tensor<1x3x12x2x16xf32>
  %14 = tensor.extract_slice %12[0, 1, 0, 0, 0] [1, 3, 12, 2, 16] [1, 1, 1, 1, 1] : tensor<1x5x12x2x16xf32> to tensor<1x3x12x2x16xf32>
  %15 = tensor.extract_slice %12[0, 2, 0, 0, 0] [1, 3, 12, 2, 16] [1, 1, 1, 1, 1] : tensor<1x5x12x2x16xf32> to tensor<1x3x12x2x16xf32>
  %16 = tensor.concat dim(2) %13, %14, %15 : (tensor<1x3x12x2x16xf32>, tensor<1x3x12x2x16xf32>, tensor<1x3x12x2x16xf32>) -> tensor<1x3x36x2x16xf32>
  %17 = tensor.empty() : tensor<1x3x2x12x36xf32>
  %18 = linalg.fill ins(%cst0 : f32) outs(%17 : tensor<1x3x2x12x36xf32>) -> tensor<1x3x2x12x36xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%0, %8 : tensor<1x3x12x2x16xf32>, tensor<1x3x36x2x16xf32>) outs(%18 : tensor<1x3x2x12x36xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x3x2x12x36xf32>
  %20 = tensor.empty() : tensor<1x3x2x12x36xf32>
  %21 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19, %bias : tensor<1x3x2x12x36xf32>, tensor<1x1x2x12x36xf32>) outs(%20 : tensor<1x3x2x12x36xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x2x12x36xf32>
  %22 = tensor.empty() : tensor<1x3x2x12xi64>
  %23 = linalg.fill ins(%cst1 : i64) outs(%22 : tensor<1x3x2x12xi64>) -> tensor<1x3x2x12xi64>
  %24 = tensor.empty() : tensor<1x3x2x12xf32>
  %25 = linalg.fill ins(%cst2 : f32) outs(%24 : tensor<1x3x2x12xf32>) -> tensor<1x3x2x12xf32>
  %26:2 = linalg.generic {indexing_maps = [#map3, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<1x3x2x12x36xf32>) outs(%25, %23 : tensor<1x3x2x12xf32>, tensor<1x3x2x12xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 4 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x2x12xf32>, tensor<1x3x2x12xi64>)
  %27 = tensor.expand_shape %26#0 [[0], [1], [2], [3, 4]] output_shape [1, 3, 2, 12, 1] : tensor<1x3x2x12xf32> into tensor<1x3x2x12x1xf32>
  %28 = tensor.empty() : tensor<1x3x2x12x36xf32>
  %29 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%21, %27 : tensor<1x3x2x12x36xf32>, tensor<1x3x2x12x1xf32>) outs(%28 : tensor<1x3x2x12x36xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x2x12x36xf32>
  %30 = tensor.empty() : tensor<1x3x2x12x36xf32>
  %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x3x2x12x36xf32>) outs(%30 : tensor<1x3x2x12x36xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x3x2x12x36xf32>
  %32 = tensor.empty() : tensor<1x3x2x12x1xf32>
  %33 = linalg.fill ins(%cst0 : f32) outs(%32 : tensor<1x3x2x12x1xf32>) -> tensor<1x3x2x12x1xf32>
  %34 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<1x3x2x12x36xf32>) outs(%33 : tensor<1x3x2x12x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x3x2x12x1xf32>
  %35 = tensor.empty() : tensor<1x3x2x12x36xf32>
  %36 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%31, %34 : tensor<1x3x2x12x36xf32>, tensor<1x3x2x12x1xf32>) outs(%35 : tensor<1x3x2x12x36xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x2x12x36xf32>
  %37 = tensor.empty() : tensor<1x3x12x2x16xf32>
  %38 = linalg.fill ins(%cst0 : f32) outs(%37 : tensor<1x3x12x2x16xf32>) -> tensor<1x3x12x2x16xf32>
  %39 = linalg.generic {indexing_maps = [#map, #map7, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%36, %16 : tensor<1x3x2x12x36xf32>, tensor<1x3x36x2x16xf32>) outs(%38 : tensor<1x3x12x2x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %p = arith.mulf %in, %in_1 : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<1x3x12x2x16xf32>
  %40 = tensor.collapse_shape %39 [[0], [1, 2], [3, 4]] : tensor<1x3x12x2x16xf32> into tensor<1x36x32xf32>
  return %40 : tensor<1x36x32xf32>
}
