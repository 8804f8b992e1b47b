// Segment Anything: relative positions of rows and of columns are two small
// products, added to the scores in five dimensions.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=2416 --max-kernels=3 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, 0, d4)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @sam_decomposed_rel_pos(%q: tensor<2x42x16xf32>,
    %k: tensor<2x42x16xf32>,
    %v: tensor<2x42x16xf32>,
    %rel_h: tensor<6x6x16xf32>,
    %rel_w: tensor<7x7x16xf32>) -> tensor<2x42x16xf32> {
  %cst = arith.constant 2.50000000000000000e-01 : f64
  %cst_1 = arith.constant 0.000000e+00 : f32
  %cst_2 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<2x42x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q : tensor<2x42x16xf32>) outs(%0 : tensor<2x42x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.truncf %cst : f64 to f32
    %3 = arith.mulf %in, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x42x16xf32>
  %4 = tensor.empty() : tensor<2x16x42xf32>
  %5 = linalg.transpose ins(%k : tensor<2x42x16xf32>) outs(%4 : tensor<2x16x42xf32>) permutation = [0, 2, 1]
  %6 = tensor.empty() : tensor<2x42x42xf32>
  %7 = linalg.fill ins(%cst_1 : f32) outs(%6 : tensor<2x42x42xf32>) -> tensor<2x42x42xf32>
  %8 = linalg.batch_matmul ins(%1, %5 : tensor<2x42x16xf32>, tensor<2x16x42xf32>) outs(%7 : tensor<2x42x42xf32>) -> tensor<2x42x42xf32>
  %9 = tensor.expand_shape %q [[0], [1, 2], [3]] output_shape [2, 6, 7, 16] : tensor<2x42x16xf32> into tensor<2x6x7x16xf32>
  %10 = tensor.empty() : tensor<2x6x7x6xf32>
  %11 = linalg.fill ins(%cst_1 : f32) outs(%10 : tensor<2x6x7x6xf32>) -> tensor<2x6x7x6xf32>
  %12 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%9, %rel_h : tensor<2x6x7x16xf32>, tensor<6x6x16xf32>) outs(%11 : tensor<2x6x7x6xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %13 = arith.mulf %in, %in_1 : f32
    %14 = arith.addf %out, %13 : f32
    linalg.yield %14 : f32
  } -> tensor<2x6x7x6xf32>
  %15 = tensor.empty() : tensor<2x6x7x7xf32>
  %16 = linalg.fill ins(%cst_1 : f32) outs(%15 : tensor<2x6x7x7xf32>) -> tensor<2x6x7x7xf32>
  %17 = linalg.generic {indexing_maps = [#map1, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%9, %rel_w : tensor<2x6x7x16xf32>, tensor<7x7x16xf32>) outs(%16 : tensor<2x6x7x7xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.mulf %in, %in_1 : f32
    %19 = arith.addf %out, %18 : f32
    linalg.yield %19 : f32
  } -> tensor<2x6x7x7xf32>
  %20 = tensor.expand_shape %8 [[0], [1, 2], [3, 4]] output_shape [2, 6, 7, 6, 7] : tensor<2x42x42xf32> into tensor<2x6x7x6x7xf32>
  %21 = tensor.expand_shape %12 [[0], [1], [2], [3, 4]] output_shape [2, 6, 7, 6, 1] : tensor<2x6x7x6xf32> into tensor<2x6x7x6x1xf32>
  %22 = tensor.empty() : tensor<2x6x7x6x7xf32>
  %23 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20, %21 : tensor<2x6x7x6x7xf32>, tensor<2x6x7x6x1xf32>) outs(%22 : tensor<2x6x7x6x7xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %24 = arith.addf %in, %in_1 : f32
    linalg.yield %24 : f32
  } -> tensor<2x6x7x6x7xf32>
  %25 = tensor.expand_shape %17 [[0], [1], [2], [3, 4]] output_shape [2, 6, 7, 1, 7] : tensor<2x6x7x7xf32> into tensor<2x6x7x1x7xf32>
  %26 = tensor.empty() : tensor<2x6x7x6x7xf32>
  %27 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%23, %25 : tensor<2x6x7x6x7xf32>, tensor<2x6x7x1x7xf32>) outs(%26 : tensor<2x6x7x6x7xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %28 = arith.addf %in, %in_1 : f32
    linalg.yield %28 : f32
  } -> tensor<2x6x7x6x7xf32>
  %29 = tensor.collapse_shape %27 [[0], [1, 2], [3, 4]] : tensor<2x6x7x6x7xf32> into tensor<2x42x42xf32>
  %30 = tensor.empty() : tensor<2x42xi64>
  %31 = linalg.fill ins(%cst_2 : i64) outs(%30 : tensor<2x42xi64>) -> tensor<2x42xi64>
  %32 = tensor.empty() : tensor<2x42xf32>
  %33 = linalg.fill ins(%cst_3 : f32) outs(%32 : tensor<2x42xf32>) -> tensor<2x42xf32>
  %34:2 = linalg.generic {indexing_maps = [#map, #map8, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%29 : tensor<2x42x42xf32>) outs(%33, %31 : tensor<2x42xf32>, tensor<2x42xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %35 = linalg.index 2 : index
    %36 = arith.index_cast %35 : index to i64
    %37 = arith.maximumf %in, %out : f32
    %38 = arith.cmpf ogt, %in, %out : f32
    %39 = arith.select %38, %36, %out_1 : i64
    linalg.yield %37, %39 : f32, i64
  } -> (tensor<2x42xf32>, tensor<2x42xi64>)
  %40 = tensor.expand_shape %34#0 [[0], [1, 2]] output_shape [2, 42, 1] : tensor<2x42xf32> into tensor<2x42x1xf32>
  %41 = tensor.empty() : tensor<2x42x42xf32>
  %42 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %40 : tensor<2x42x42xf32>, tensor<2x42x1xf32>) outs(%41 : tensor<2x42x42xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %43 = arith.subf %in, %in_1 : f32
    linalg.yield %43 : f32
  } -> tensor<2x42x42xf32>
  %44 = tensor.empty() : tensor<2x42x42xf32>
  %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<2x42x42xf32>) outs(%44 : tensor<2x42x42xf32>) {
  ^bb0(%in: f32, %out: f32):
    %46 = math.exp %in : f32
    linalg.yield %46 : f32
  } -> tensor<2x42x42xf32>
  %47 = tensor.empty() : tensor<2x42x1xf32>
  %48 = linalg.fill ins(%cst_1 : f32) outs(%47 : tensor<2x42x1xf32>) -> tensor<2x42x1xf32>
  %49 = linalg.generic {indexing_maps = [#map, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%45 : tensor<2x42x42xf32>) outs(%48 : tensor<2x42x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %50 = arith.addf %in, %out : f32
    linalg.yield %50 : f32
  } -> tensor<2x42x1xf32>
  %51 = tensor.empty() : tensor<2x42x42xf32>
  %52 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %49 : tensor<2x42x42xf32>, tensor<2x42x1xf32>) outs(%51 : tensor<2x42x42xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %53 = arith.divf %in, %in_1 : f32
    linalg.yield %53 : f32
  } -> tensor<2x42x42xf32>
  %54 = tensor.empty() : tensor<2x42x16xf32>
  %55 = linalg.fill ins(%cst_1 : f32) outs(%54 : tensor<2x42x16xf32>) -> tensor<2x42x16xf32>
  %56 = linalg.batch_matmul ins(%52, %v : tensor<2x42x42xf32>, tensor<2x42x16xf32>) outs(%55 : tensor<2x42x16xf32>) -> tensor<2x42x16xf32>
  return %56 : tensor<2x42x16xf32>
}
