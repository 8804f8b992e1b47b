// BLOOM: queries, keys and values of a head are interleaved in the projection; a
// bias by the position of the key is the start of the product (baddbmm), and the
// scores are masked by the least number, not by -inf.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=7360 --max-kernels=1 \
// RUN:   --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @bloom_alibi(%qkv: tensor<1x41x144xf32>,
    %alibi: tensor<3x1x41xf32> {check.draw = "uniform -1 1"},
    %mask: tensor<1x1x41x41xi1>) -> (tensor<1x41x48xf32>) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 2.500000e-01 : f64
  %c2 = arith.constant -3.40282347E+38 : f32
  %c3 = arith.constant 0 : i64
  %c4 = arith.constant 0xFF800000 : f32
  %0 = tensor.expand_shape %qkv [[0], [1], [2, 3, 4]] output_shape [1, 41, 3, 3, 16] : tensor<1x41x144xf32> into tensor<1x41x3x3x16xf32>
  %1 = tensor.extract_slice %0[0, 0, 0, 0, 0] [1, 41, 3, 1, 16] [1, 1, 1, 1, 1] : tensor<1x41x3x3x16xf32> to tensor<1x41x3x1x16xf32>
  %2 = tensor.collapse_shape %1 [[0], [1], [2], [3, 4]] : tensor<1x41x3x1x16xf32> into tensor<1x41x3x16xf32>
  %3 = tensor.extract_slice %0[0, 0, 0, 1, 0] [1, 41, 3, 1, 16] [1, 1, 1, 1, 1] : tensor<1x41x3x3x16xf32> to tensor<1x41x3x1x16xf32>
  %4 = tensor.collapse_shape %3 [[0], [1], [2], [3, 4]] : tensor<1x41x3x1x16xf32> into tensor<1x41x3x16xf32>
  %5 = tensor.extract_slice %0[0, 0, 0, 2, 0] [1, 41, 3, 1, 16] [1, 1, 1, 1, 1] : tensor<1x41x3x3x16xf32> to tensor<1x41x3x1x16xf32>
  %6 = tensor.collapse_shape %5 [[0], [1], [2], [3, 4]] : tensor<1x41x3x1x16xf32> into tensor<1x41x3x16xf32>
  %7 = tensor.empty() : tensor<1x3x41x16xf32>
  %8 = linalg.transpose ins(%2 : tensor<1x41x3x16xf32>) outs(%7 : tensor<1x3x41x16xf32>) permutation = [0, 2, 1, 3]
  %9 = tensor.collapse_shape %8 [[0, 1], [2], [3]] : tensor<1x3x41x16xf32> into tensor<3x41x16xf32>
  %10 = tensor.empty() : tensor<1x3x16x41xf32>
  %11 = linalg.transpose ins(%4 : tensor<1x41x3x16xf32>) outs(%10 : tensor<1x3x16x41xf32>) permutation = [0, 2, 3, 1]
  %12 = tensor.collapse_shape %11 [[0, 1], [2], [3]] : tensor<1x3x16x41xf32> into tensor<3x16x41xf32>
  %13 = tensor.empty() : tensor<1x3x41x16xf32>
  %14 = linalg.transpose ins(%6 : tensor<1x41x3x16xf32>) outs(%13 : tensor<1x3x41x16xf32>) permutation = [0, 2, 1, 3]
  %15 = tensor.collapse_shape %14 [[0, 1], [2], [3]] : tensor<1x3x41x16xf32> into tensor<3x41x16xf32>
  %16 = tensor.empty() : tensor<3x41x41xf32>
  %17 = linalg.fill ins(%c0 : f32) outs(%16 : tensor<3x41x41xf32>) -> tensor<3x41x41xf32>
  %18 = linalg.batch_matmul ins(%9, %12 : tensor<3x41x16xf32>, tensor<3x16x41xf32>) outs(%17 : tensor<3x41x41xf32>) -> tensor<3x41x41xf32>
  %19 = tensor.empty() : tensor<3x41x41xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<3x41x41xf32>) outs(%19 : tensor<3x41x41xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %cc = arith.truncf %c1 : f64 to f32
    %res = arith.mulf %in0, %cc : f32
    linalg.yield %res : f32
  } -> tensor<3x41x41xf32>
  %21 = tensor.empty() : tensor<3x41x41xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %alibi : tensor<3x41x41xf32>, tensor<3x1x41xf32>) outs(%21 : tensor<3x41x41xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.addf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<3x41x41xf32>
  %23 = tensor.expand_shape %22 [[0, 1], [2], [3]] output_shape [1, 3, 41, 41] : tensor<3x41x41xf32> into tensor<1x3x41x41xf32>
  %24 = tensor.empty() : tensor<1x3x41x41xf32>
  %25 = linalg.generic {indexing_maps = [#map2, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%mask, %23 : tensor<1x1x41x41xi1>, tensor<1x3x41x41xf32>) outs(%24 : tensor<1x3x41x41xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out: f32):
    %res = arith.select %in0, %c2, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x41x41xf32>
  %26 = tensor.empty() : tensor<1x3x41xi64>
  %27 = linalg.fill ins(%c3 : i64) outs(%26 : tensor<1x3x41xi64>) -> tensor<1x3x41xi64>
  %28 = tensor.empty() : tensor<1x3x41xf32>
  %29 = linalg.fill ins(%c4 : f32) outs(%28 : tensor<1x3x41xf32>) -> tensor<1x3x41xf32>
  %30:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x3x41x41xf32>) outs(%29, %27 : tensor<1x3x41xf32>, tensor<1x3x41xi64>) {
  ^bb0(%in: f32, %out: f32, %oi: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %mx = arith.maximumf %in, %out : f32
    %gt = arith.cmpf ogt, %in, %out : f32
    %sel = arith.select %gt, %ii, %oi : i64
    linalg.yield %mx, %sel : f32, i64
  } -> (tensor<1x3x41xf32>, tensor<1x3x41xi64>)
  %31 = tensor.expand_shape %30#0 [[0], [1], [2, 3]] output_shape [1, 3, 41, 1] : tensor<1x3x41xf32> into tensor<1x3x41x1xf32>
  %32 = tensor.empty() : tensor<1x3x41x41xf32>
  %33 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %31 : tensor<1x3x41x41xf32>, tensor<1x3x41x1xf32>) outs(%32 : tensor<1x3x41x41xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.subf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x41x41xf32>
  %34 = tensor.empty() : tensor<1x3x41x41xf32>
  %35 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x3x41x41xf32>) outs(%34 : tensor<1x3x41x41xf32>) {
  ^bb0(%in0: f32, %out: f32):
    %res = math.exp %in0 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x41x41xf32>
  %36 = tensor.empty() : tensor<1x3x41x1xf32>
  %37 = linalg.fill ins(%c0 : f32) outs(%36 : tensor<1x3x41x1xf32>) -> tensor<1x3x41x1xf32>
  %38 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<1x3x41x41xf32>) outs(%37 : tensor<1x3x41x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %res = arith.addf %in, %out : f32
    linalg.yield %res : f32
  } -> tensor<1x3x41x1xf32>
  %39 = tensor.empty() : tensor<1x3x41x41xf32>
  %40 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %38 : tensor<1x3x41x41xf32>, tensor<1x3x41x1xf32>) outs(%39 : tensor<1x3x41x41xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out: f32):
    %res = arith.divf %in0, %in1 : f32
    linalg.yield %res : f32
  } -> tensor<1x3x41x41xf32>
  %41 = tensor.collapse_shape %40 [[0, 1], [2], [3]] : tensor<1x3x41x41xf32> into tensor<3x41x41xf32>
  %42 = tensor.empty() : tensor<3x41x16xf32>
  %43 = linalg.fill ins(%c0 : f32) outs(%42 : tensor<3x41x16xf32>) -> tensor<3x41x16xf32>
  %44 = linalg.batch_matmul ins(%41, %15 : tensor<3x41x41xf32>, tensor<3x41x16xf32>) outs(%43 : tensor<3x41x16xf32>) -> tensor<3x41x16xf32>
  %45 = tensor.expand_shape %44 [[0, 1], [2], [3]] output_shape [1, 3, 41, 16] : tensor<3x41x16xf32> into tensor<1x3x41x16xf32>
  %46 = tensor.empty() : tensor<1x41x3x16xf32>
  %47 = linalg.transpose ins(%45 : tensor<1x3x41x16xf32>) outs(%46 : tensor<1x41x3x16xf32>) permutation = [0, 2, 1, 3]
  %48 = tensor.collapse_shape %47 [[0], [1], [2, 3]] : tensor<1x41x3x16xf32> into tensor<1x41x48xf32>
  return %48 : tensor<1x41x48xf32>
}
