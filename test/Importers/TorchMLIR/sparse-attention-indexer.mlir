// The indexer of DeepSeek V3.2: weighted sums over heads of rectified products with one head of keys. The scores
// of all heads are not stored on GPUs: a loop over heads multiplies, rectifies and adds.

// RUN: linalg-ext-check-program %s --targets=gpu --sizes=1x37x4x16,-,1x37x4 --max-kernels=1 --max-buffer-bytes=0

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d1, d2)>

func.func @dsa_indexer(%a_q: tensor<1x?x4x16xbf16>,
    %a_k: tensor<1x45x16xbf16>,
    %a_w: tensor<1x?x4xf32>) -> (tensor<1x?x45xf32>) {
  %c0 = arith.constant 1 : index
  %c1 = arith.constant 4 : index
  %c2 = arith.constant 0.000000000e+00 : f32
  %c3 = arith.constant 0xFF800000 : f32
  %T = tensor.dim %a_q, %c0 : tensor<1x?x4x16xbf16>
  %v1 = tensor.empty(%T) : tensor<1x4x?x16xbf16>
  %v2 = linalg.transpose ins(%a_q : tensor<1x?x4x16xbf16>) outs(%v1 : tensor<1x4x?x16xbf16>) permutation = [0, 2, 1, 3]
  %d3 = arith.muli %c1, %T : index
  %v4 = tensor.collapse_shape %v2 [[0], [1, 2], [3]] : tensor<1x4x?x16xbf16> into tensor<1x?x16xbf16>
  %v5 = tensor.empty() : tensor<1x16x45xbf16>
  %v6 = linalg.transpose ins(%a_k : tensor<1x45x16xbf16>) outs(%v5 : tensor<1x16x45xbf16>) permutation = [0, 2, 1]
  %v7 = tensor.empty(%d3) : tensor<1x?x45xf32>
  %v8 = linalg.fill ins(%c2 : f32) outs(%v7 : tensor<1x?x45xf32>) -> tensor<1x?x45xf32>
  %v9 = linalg.batch_matmul ins(%v4, %v6 : tensor<1x?x16xbf16>, tensor<1x16x45xbf16>) outs(%v8 : tensor<1x?x45xf32>) -> tensor<1x?x45xf32>
  %v10 = tensor.empty(%d3) : tensor<1x?x45xbf16>
  %g11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v9 : tensor<1x?x45xf32>) outs(%v10 : tensor<1x?x45xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x?x45xbf16>
  %v12 = tensor.expand_shape %g11 [[0], [1, 2], [3]] output_shape [1, 4, %T, 45] : tensor<1x?x45xbf16> into tensor<1x4x?x45xbf16>
  %v13 = tensor.empty(%T) : tensor<1x4x?x45xf32>
  %g14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v12 : tensor<1x4x?x45xbf16>) outs(%v13 : tensor<1x4x?x45xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x45xf32>
  %v15 = tensor.empty(%T) : tensor<1x4x?x45xf32>
  %g16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g14 : tensor<1x4x?x45xf32>) outs(%v15 : tensor<1x4x?x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %c = arith.cmpf ugt, %in0, %c2 : f32
    %r = arith.select %c, %in0, %c2 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x45xf32>
  %v17 = tensor.empty(%T) : tensor<1x4x?xf32>
  %v18 = linalg.transpose ins(%a_w : tensor<1x?x4xf32>) outs(%v17 : tensor<1x4x?xf32>) permutation = [0, 2, 1]
  %v19 = tensor.expand_shape %v18 [[0], [1], [2, 3]] output_shape [1, 4, %T, 1] : tensor<1x4x?xf32> into tensor<1x4x?x1xf32>
  %v20 = tensor.empty(%T) : tensor<1x4x?x45xf32>
  %g21 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g16, %v19 : tensor<1x4x?x45xf32>, tensor<1x4x?x1xf32>) outs(%v20 : tensor<1x4x?x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x45xf32>
  %v22 = tensor.empty(%T) : tensor<1x?x45xf32>
  %v23 = linalg.fill ins(%c2 : f32) outs(%v22 : tensor<1x?x45xf32>) -> tensor<1x?x45xf32>
  %g24 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%g21 : tensor<1x4x?x45xf32>) outs(%v23 : tensor<1x?x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x45xf32>
  %v25 = tensor.empty() : tensor<45xi64>
  %g26 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%v25 : tensor<45xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<45xi64>
  %v27 = tensor.expand_shape %g26 [[0, 1]] output_shape [1, 45] : tensor<45xi64> into tensor<1x45xi64>
  %v28 = tensor.empty(%T) : tensor<?xi64>
  %g29 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%v28 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v30 = tensor.expand_shape %g29 [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v31 = tensor.empty(%T) : tensor<?x45xi1>
  %g32 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%v27, %v30 : tensor<1x45xi64>, tensor<?x1xi64>) outs(%v31 : tensor<?x45xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x45xi1>
  %v33 = tensor.empty(%T) : tensor<1x?x45xf32>
  %g34 = linalg.generic {indexing_maps = [#map8, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g32, %g24 : tensor<?x45xi1>, tensor<1x?x45xf32>) outs(%v33 : tensor<1x?x45xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c3 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x45xf32>
  return %g34 : tensor<1x?x45xf32>
}
