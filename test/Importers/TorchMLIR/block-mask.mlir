// A mask of blocks of 24 in memory, which is repeated for the rows and the columns of a block,
// and for all heads.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=10368 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, 0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @block_mask24(%q: tensor<1x2x72x16xf32>,
    %k: tensor<1x2x72x16xf32>,
    %v: tensor<1x2x72x16xf32>,
    %blocks: tensor<3x3xi1>) -> (tensor<1x2x72x16xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 2.500000e-01 : f32
  %cst2 = arith.constant 0xFF800000 : f32
  %cst3 = arith.constant 0 : i64
  %0 = tensor.expand_shape %blocks [[0], [1, 2, 3]] output_shape [3, 1, 3, 1] : tensor<3x3xi1> into tensor<3x1x3x1xi1>
  %1 = tensor.empty() : tensor<3x24x3x24xi1>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<3x1x3x1xi1>) outs(%1 : tensor<3x24x3x24xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<3x24x3x24xi1>
  %3 = tensor.collapse_shape %2 [[0, 1], [2, 3]] : tensor<3x24x3x24xi1> into tensor<72x72xi1>
  %4 = tensor.empty() : tensor<1x2x16x72xf32>
  %5 = linalg.transpose ins(%k : tensor<1x2x72x16xf32>) outs(%4 : tensor<1x2x16x72xf32>) permutation = [0, 1, 3, 2]
  %6 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x2x72x16xf32> into tensor<2x72x16xf32>
  %7 = tensor.collapse_shape %5 [[0, 1], [2], [3]] : tensor<1x2x16x72xf32> into tensor<2x16x72xf32>
  %8 = tensor.empty() : tensor<2x72x72xf32>
  %9 = linalg.fill ins(%cst0 : f32) outs(%8 : tensor<2x72x72xf32>) -> tensor<2x72x72xf32>
  %10 = linalg.batch_matmul ins(%6, %7 : tensor<2x72x16xf32>, tensor<2x16x72xf32>) outs(%9 : tensor<2x72x72xf32>) -> tensor<2x72x72xf32>
  %11 = tensor.expand_shape %10 [[0, 1], [2], [3]] output_shape [1, 2, 72, 72] : tensor<2x72x72xf32> into tensor<1x2x72x72xf32>
  %12 = tensor.empty() : tensor<1x2x72x72xf32>
  %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x72x72xf32>) outs(%12 : tensor<1x2x72x72xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x72x72xf32>
  %14 = tensor.empty() : tensor<1x2x72x72xf32>
  %15 = linalg.generic {indexing_maps = [#map2, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %13 : tensor<72x72xi1>, tensor<1x2x72x72xf32>) outs(%14 : tensor<1x2x72x72xf32>) {
  ^bb0(%in: i1, %in_1: f32, %out: f32):
    %r = arith.select %in, %in_1, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x72x72xf32>
  %16 = tensor.empty() : tensor<1x2x72xi64>
  %17 = linalg.fill ins(%cst3 : i64) outs(%16 : tensor<1x2x72xi64>) -> tensor<1x2x72xi64>
  %18 = tensor.empty() : tensor<1x2x72xf32>
  %19 = linalg.fill ins(%cst2 : f32) outs(%18 : tensor<1x2x72xf32>) -> tensor<1x2x72xf32>
  %20:2 = linalg.generic {indexing_maps = [#map1, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x2x72x72xf32>) outs(%19, %17 : tensor<1x2x72xf32>, tensor<1x2x72xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x2x72xf32>, tensor<1x2x72xi64>)
  %21 = tensor.expand_shape %20#0 [[0], [1], [2, 3]] output_shape [1, 2, 72, 1] : tensor<1x2x72xf32> into tensor<1x2x72x1xf32>
  %22 = tensor.empty() : tensor<1x2x72x72xf32>
  %23 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %21 : tensor<1x2x72x72xf32>, tensor<1x2x72x1xf32>) outs(%22 : tensor<1x2x72x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x72x72xf32>
  %24 = tensor.empty() : tensor<1x2x72x72xf32>
  %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x2x72x72xf32>) outs(%24 : tensor<1x2x72x72xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.exp %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2x72x72xf32>
  %26 = tensor.empty() : tensor<1x2x72x1xf32>
  %27 = linalg.fill ins(%cst0 : f32) outs(%26 : tensor<1x2x72x1xf32>) -> tensor<1x2x72x1xf32>
  %28 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x2x72x72xf32>) outs(%27 : tensor<1x2x72x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2x72x1xf32>
  %29 = tensor.empty() : tensor<1x2x72x72xf32>
  %30 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %28 : tensor<1x2x72x72xf32>, tensor<1x2x72x1xf32>) outs(%29 : tensor<1x2x72x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.divf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x72x72xf32>
  %31 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<1x2x72x72xf32> into tensor<2x72x72xf32>
  %32 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<1x2x72x16xf32> into tensor<2x72x16xf32>
  %33 = tensor.empty() : tensor<2x72x16xf32>
  %34 = linalg.fill ins(%cst0 : f32) outs(%33 : tensor<2x72x16xf32>) -> tensor<2x72x16xf32>
  %35 = linalg.batch_matmul ins(%31, %32 : tensor<2x72x72xf32>, tensor<2x72x16xf32>) outs(%34 : tensor<2x72x16xf32>) -> tensor<2x72x16xf32>
  %36 = tensor.expand_shape %35 [[0, 1], [2], [3]] output_shape [1, 2, 72, 16] : tensor<2x72x16xf32> into tensor<1x2x72x16xf32>
  return %36 : tensor<1x2x72x16xf32>
}
