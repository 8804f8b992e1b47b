// Groups of heads as JAX's models write them: keys are the left operand of the scores, and
// values that of the result; queries are scaled, and parts of a row are separate documents.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=14700 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d4, d5)>
#map3 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map5 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0) -> (d0)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1) -> (0, d1)>
#map10 = affine_map<(d0, d1) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, 0, d3, d4)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map16 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map17 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4, d5)>

func.func @keys_first(%q: tensor<2x35x6x16xbf16>,
    %k: tensor<2x35x2x16xbf16>,
    %v: tensor<2x35x2x16xbf16>,
    %segments: tensor<2x35xi32> {check.draw = "uniform 1 3"}) -> (tensor<2x35x96xbf16>) {
  %cst0 = arith.constant 2.500000e-01 : bf16
  %cst1 = arith.constant 0.000000e+00 : f32
  %cst2 = arith.constant -3.389531e+38 : f32
  %cst3 = arith.constant 0xFF800000 : f32
  %cst4 = arith.constant 0.000000e+00 : bf16
  %0 = tensor.empty() : tensor<2x35x6x16xbf16>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<2x35x6x16xbf16>) outs(%0 : tensor<2x35x6x16xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %r = arith.mulf %in, %cst0 : bf16
    linalg.yield %r : bf16
  } -> tensor<2x35x6x16xbf16>
  %2 = tensor.expand_shape %1 [[0], [1], [2, 3], [4]] output_shape [2, 35, 2, 3, 16] : tensor<2x35x6x16xbf16> into tensor<2x35x2x3x16xbf16>
  %3 = tensor.empty() : tensor<2x2x35x35x3xf32>
  %4 = linalg.fill ins(%cst1 : f32) outs(%3 : tensor<2x2x35x35x3xf32>) -> tensor<2x2x35x35x3xf32>
  %5 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%k, %2 : tensor<2x35x2x16xbf16>, tensor<2x35x2x3x16xbf16>) outs(%4 : tensor<2x2x35x35x3xf32>) {
  ^bb0(%in: bf16, %in_1: bf16, %out: f32):
    %xa = arith.extf %in : bf16 to f32
    %xb = arith.extf %in_1 : bf16 to f32
    %p = arith.mulf %xa, %xb : f32
    %r = arith.addf %out, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x2x35x35x3xf32>
  %6 = tensor.empty() : tensor<2x2x3x35x35xf32>
  %7 = linalg.transpose ins(%5 : tensor<2x2x35x35x3xf32>) outs(%6 : tensor<2x2x3x35x35xf32>) permutation = [0, 1, 4, 3, 2]
  %8 = tensor.expand_shape %segments [[0], [1, 2]] output_shape [2, 35, 1] : tensor<2x35xi32> into tensor<2x35x1xi32>
  %9 = tensor.expand_shape %segments [[0], [1, 2]] output_shape [2, 1, 35] : tensor<2x35xi32> into tensor<2x1x35xi32>
  %10 = tensor.empty() : tensor<2x35x35xi1>
  %11 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<2x35x1xi32>, tensor<2x1x35xi32>) outs(%10 : tensor<2x35x35xi1>) {
  ^bb0(%in: i32, %in_1: i32, %out: i1):
    %r = arith.cmpi eq, %in, %in_1 : i32
    linalg.yield %r : i1
  } -> tensor<2x35x35xi1>
  %12 = tensor.empty() : tensor<35xi64>
  %13 = linalg.generic {indexing_maps = [#map7], iterator_types = ["parallel"]} outs(%12 : tensor<35xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<35xi64>
  %14 = tensor.expand_shape %13 [[0, 1]] output_shape [35, 1] : tensor<35xi64> into tensor<35x1xi64>
  %15 = tensor.empty() : tensor<35xi64>
  %16 = linalg.generic {indexing_maps = [#map7], iterator_types = ["parallel"]} outs(%15 : tensor<35xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %r = arith.index_cast %ix : index to i64
    linalg.yield %r : i64
  } -> tensor<35xi64>
  %17 = tensor.expand_shape %16 [[0, 1]] output_shape [1, 35] : tensor<35xi64> into tensor<1x35xi64>
  %18 = tensor.empty() : tensor<35x35xi1>
  %19 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel"]} ins(%14, %17 : tensor<35x1xi64>, tensor<1x35xi64>) outs(%18 : tensor<35x35xi1>) {
  ^bb0(%in: i64, %in_1: i64, %out: i1):
    %r = arith.cmpi sge, %in, %in_1 : i64
    linalg.yield %r : i1
  } -> tensor<35x35xi1>
  %20 = tensor.empty() : tensor<2x35x35xi1>
  %21 = linalg.generic {indexing_maps = [#map6, #map11, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %19 : tensor<2x35x35xi1>, tensor<35x35xi1>) outs(%20 : tensor<2x35x35xi1>) {
  ^bb0(%in: i1, %in_1: i1, %out: i1):
    %r = arith.andi %in, %in_1 : i1
    linalg.yield %r : i1
  } -> tensor<2x35x35xi1>
  %22 = tensor.expand_shape %21 [[0], [1, 2, 3], [4]] output_shape [2, 1, 1, 35, 35] : tensor<2x35x35xi1> into tensor<2x1x1x35x35xi1>
  %23 = tensor.empty() : tensor<2x2x3x35x35xi1>
  %24 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x1x1x35x35xi1>) outs(%23 : tensor<2x2x3x35x35xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<2x2x3x35x35xi1>
  %25 = tensor.empty() : tensor<2x2x3x35x35xf32>
  %26 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24, %7 : tensor<2x2x3x35x35xi1>, tensor<2x2x3x35x35xf32>) outs(%25 : tensor<2x2x3x35x35xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x3x35x35xf32>
  %27 = tensor.empty() : tensor<2x2x3x35xf32>
  %28 = linalg.fill ins(%cst3 : f32) outs(%27 : tensor<2x2x3x35xf32>) -> tensor<2x2x3x35xf32>
  %29 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<2x2x3x35x35xf32>) outs(%28 : tensor<2x2x3x35xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<2x2x3x35xf32>
  %30 = tensor.expand_shape %29 [[0], [1], [2], [3, 4]] output_shape [2, 2, 3, 35, 1] : tensor<2x2x3x35xf32> into tensor<2x2x3x35x1xf32>
  %31 = tensor.empty() : tensor<2x2x3x35x35xf32>
  %32 = linalg.generic {indexing_maps = [#map13, #map15, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%26, %30 : tensor<2x2x3x35x35xf32>, tensor<2x2x3x35x1xf32>) outs(%31 : tensor<2x2x3x35x35xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x3x35x35xf32>
  %33 = tensor.empty() : tensor<2x2x3x35x35xf32>
  %34 = linalg.generic {indexing_maps = [#map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x2x3x35x35xf32>) outs(%33 : tensor<2x2x3x35x35xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<2x2x3x35x35xf32>
  %35 = tensor.empty() : tensor<2x2x3x35xf32>
  %36 = linalg.fill ins(%cst1 : f32) outs(%35 : tensor<2x2x3x35xf32>) -> tensor<2x2x3x35xf32>
  %37 = linalg.generic {indexing_maps = [#map13, #map14], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<2x2x3x35x35xf32>) outs(%36 : tensor<2x2x3x35xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<2x2x3x35xf32>
  %38 = tensor.expand_shape %37 [[0], [1], [2], [3, 4]] output_shape [2, 2, 3, 35, 1] : tensor<2x2x3x35xf32> into tensor<2x2x3x35x1xf32>
  %39 = tensor.empty() : tensor<2x2x3x35x35xf32>
  %40 = linalg.generic {indexing_maps = [#map13, #map15, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%34, %38 : tensor<2x2x3x35x35xf32>, tensor<2x2x3x35x1xf32>) outs(%39 : tensor<2x2x3x35x35xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<2x2x3x35x35xf32>
  %41 = tensor.empty() : tensor<2x2x3x35x35xbf16>
  %42 = linalg.generic {indexing_maps = [#map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<2x2x3x35x35xf32>) outs(%41 : tensor<2x2x3x35x35xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x2x3x35x35xbf16>
  %43 = tensor.empty() : tensor<2x2x16x3x35xbf16>
  %44 = linalg.fill ins(%cst4 : bf16) outs(%43 : tensor<2x2x16x3x35xbf16>) -> tensor<2x2x16x3x35xbf16>
  %45 = linalg.generic {indexing_maps = [#map16, #map17, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v, %42 : tensor<2x35x2x16xbf16>, tensor<2x2x3x35x35xbf16>) outs(%44 : tensor<2x2x16x3x35xbf16>) {
  ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
    %p = arith.mulf %in, %in_1 : bf16
    %r = arith.addf %out, %p : bf16
    linalg.yield %r : bf16
  } -> tensor<2x2x16x3x35xbf16>
  %46 = tensor.empty() : tensor<2x35x2x3x16xbf16>
  %47 = linalg.transpose ins(%45 : tensor<2x2x16x3x35xbf16>) outs(%46 : tensor<2x35x2x3x16xbf16>) permutation = [0, 4, 1, 3, 2]
  %48 = tensor.collapse_shape %47 [[0], [1], [2, 3, 4]] : tensor<2x35x2x3x16xbf16> into tensor<2x35x96xbf16>
  return %48 : tensor<2x35x96xbf16>
}
