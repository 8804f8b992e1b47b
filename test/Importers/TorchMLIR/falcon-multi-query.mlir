// Falcon: one head of keys and values for all queries, behind the queries in one
// projection; broadcast to the heads; causal.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @falcon_multi_query(%qkv: tensor<1x41x80xf32>) -> (tensor<1x41x48xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 2.500000e-01 : f64
  %c2 = arith.constant 0xFF800000 : f32
  %c3 = arith.constant 0 : i64
  %0 = tensor.expand_shape %qkv [[0], [1], [2, 3]] output_shape [1, 41, 5, 16] : tensor<1x41x80xf32> into tensor<1x41x5x16xf32>
  %1 = tensor.extract_slice %0[0, 0, 0, 0] [1, 41, 3, 16] [1, 1, 1, 1] : tensor<1x41x5x16xf32> to tensor<1x41x3x16xf32>
  %2 = tensor.empty() : tensor<1x3x41x16xf32>
  %3 = linalg.transpose ins(%1 : tensor<1x41x3x16xf32>) outs(%2 : tensor<1x3x41x16xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.extract_slice %0[0, 0, 3, 0] [1, 41, 1, 16] [1, 1, 1, 1] : tensor<1x41x5x16xf32> to tensor<1x41x1x16xf32>
  %5 = tensor.empty() : tensor<1x1x41x16xf32>
  %6 = linalg.transpose ins(%4 : tensor<1x41x1x16xf32>) outs(%5 : tensor<1x1x41x16xf32>) permutation = [0, 2, 1, 3]
  %7 = tensor.extract_slice %0[0, 0, 4, 0] [1, 41, 1, 16] [1, 1, 1, 1] : tensor<1x41x5x16xf32> to tensor<1x41x1x16xf32>
  %8 = tensor.empty() : tensor<1x1x41x16xf32>
  %9 = linalg.transpose ins(%7 : tensor<1x41x1x16xf32>) outs(%8 : tensor<1x1x41x16xf32>) permutation = [0, 2, 1, 3]
  %10 = tensor.empty() : tensor<41xi64>
  %11 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%10 : tensor<41xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %res = arith.index_cast %ix : index to i64
    linalg.yield %res : i64
  } -> tensor<41xi64>
  %12 = tensor.empty() : tensor<41xi64>
  %13 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%12 : tensor<41xi64>) {
  ^bb0(%out: i64):
    %ix = linalg.index 0 : index
    %res = arith.index_cast %ix : index to i64
    linalg.yield %res : i64
  } -> tensor<41xi64>
  %14 = tensor.expand_shape %11 [[0, 1]] output_shape [41, 1] : tensor<41xi64> into tensor<41x1xi64>
  %15 = tensor.empty() : tensor<41x41xi1>
  %16 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%13, %14 : tensor<41xi64>, tensor<41x1xi64>) outs(%15 : tensor<41x41xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out: i1):
    %res = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %res : i1
  } -> tensor<41x41xi1>
  %17 = tensor.empty() : tensor<1x3x41x16xf32>
  %18 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x1x41x16xf32>) outs(%17 : tensor<1x3x41x16xf32>) {
  ^bb0(%in0: f32, %out: f32):
    linalg.yield %in0 : f32
  } -> tensor<1x3x41x16xf32>
  %19 = tensor.empty() : tensor<1x3x16x41xf32>
  %20 = linalg.transpose ins(%18 : tensor<1x3x41x16xf32>) outs(%19 : tensor<1x3x16x41xf32>) permutation = [0, 1, 3, 2]
  %21 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<1x3x41x16xf32> into tensor<3x41x16xf32>
  %22 = tensor.collapse_shape %20 [[0, 1], [2], [3]] : tensor<1x3x16x41xf32> into tensor<3x16x41xf32>
  %23 = tensor.empty() : tensor<3x41x41xf32>
  %24 = linalg.fill ins(%c0 : f32) outs(%23 : tensor<3x41x41xf32>) -> tensor<3x41x41xf32>
  %25 = linalg.batch_matmul ins(%21, %22 : tensor<3x41x16xf32>, tensor<3x16x41xf32>) outs(%24 : tensor<3x41x41xf32>) -> tensor<3x41x41xf32>
  %26 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [1, 3, 41, 41] : tensor<3x41x41xf32> into tensor<1x3x41x41xf32>
  %27 = tensor.empty() : tensor<1x3x41x41xf32>
  %28 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x3x41x41xf32>) outs(%27 : tensor<1x3x41x41xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.mulf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<1x3x41x41xf32>
  %29 = tensor.empty() : tensor<1x3x41x41xf32>
  %30 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %28 : tensor<41x41xi1>, tensor<1x3x41x41xf32>) outs(%29 : tensor<1x3x41x41xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out: f32):
    %res = arith.select %in0, %in1, %c2 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x41x41xf32>
  %31 = tensor.empty() : tensor<1x3x41xi64>
  %32 = linalg.fill ins(%c3 : i64) outs(%31 : tensor<1x3x41xi64>) -> tensor<1x3x41xi64>
  %33 = tensor.empty() : tensor<1x3x41xf32>
  %34 = linalg.fill ins(%c2 : f32) outs(%33 : tensor<1x3x41xf32>) -> tensor<1x3x41xf32>
  %35:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<1x3x41x41xf32>) outs(%34, %32 : tensor<1x3x41xf32>, tensor<1x3x41xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x41xf32>, tensor<1x3x41xi64>)
  %36 = tensor.expand_shape %35#0 [[0], [1], [2, 3]] output_shape [1, 3, 41, 1] : tensor<1x3x41xf32> into tensor<1x3x41x1xf32>
  %37 = tensor.empty() : tensor<1x3x41x41xf32>
  %38 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %36 : tensor<1x3x41x41xf32>, tensor<1x3x41x1xf32>) outs(%37 : tensor<1x3x41x41xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x41x41xf32>
  %39 = tensor.empty() : tensor<1x3x41x41xf32>
  %40 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x3x41x41xf32>) outs(%39 : tensor<1x3x41x41xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x41x41xf32>
  %41 = tensor.empty() : tensor<1x3x41x1xf32>
  %42 = linalg.fill ins(%c0 : f32) outs(%41 : tensor<1x3x41x1xf32>) -> tensor<1x3x41x1xf32>
  %43 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<1x3x41x41xf32>) outs(%42 : tensor<1x3x41x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x3x41x1xf32>
  %44 = tensor.empty() : tensor<1x3x41x41xf32>
  %45 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %43 : tensor<1x3x41x41xf32>, tensor<1x3x41x1xf32>) outs(%44 : tensor<1x3x41x41xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x41x41xf32>
  %46 = tensor.empty() : tensor<1x3x41x16xf32>
  %47 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x1x41x16xf32>) outs(%46 : tensor<1x3x41x16xf32>) {
  ^bb0(%in0: f32, %out: f32):
    linalg.yield %in0 : f32
  } -> tensor<1x3x41x16xf32>
  %48 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<1x3x41x41xf32> into tensor<3x41x41xf32>
  %49 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x3x41x16xf32> into tensor<3x41x16xf32>
  %50 = tensor.empty() : tensor<3x41x16xf32>
  %51 = linalg.fill ins(%c0 : f32) outs(%50 : tensor<3x41x16xf32>) -> tensor<3x41x16xf32>
  %52 = linalg.batch_matmul ins(%48, %49 : tensor<3x41x41xf32>, tensor<3x41x16xf32>) outs(%51 : tensor<3x41x16xf32>) -> tensor<3x41x16xf32>
  %53 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [1, 3, 41, 16] : tensor<3x41x16xf32> into tensor<1x3x41x16xf32>
  %54 = tensor.empty() : tensor<1x41x3x16xf32>
  %55 = linalg.transpose ins(%53 : tensor<1x3x41x16xf32>) outs(%54 : tensor<1x41x3x16xf32>) permutation = [0, 2, 1, 3]
  %56 = tensor.collapse_shape %55 [[0], [1], [2, 3]] : tensor<1x41x3x16xf32> into tensor<1x41x48xf32>
  return %56 : tensor<1x41x48xf32>
}
