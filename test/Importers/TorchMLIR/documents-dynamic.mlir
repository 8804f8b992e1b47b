// Packed sequences: a token sees those before it in its document.

// RUN: linalg-ext-check-program %s --sizes=2x3x37x16,2x3x37x16,2x3x37x16,2x37 \
// RUN:   --max-buffer-bytes=4995 --max-kernels=1 --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @documents(%a_q: tensor<2x3x?x16xf32>,
    %a_k: tensor<2x3x?x16xf32>,
    %a_v: tensor<2x3x?x16xf32>,
    %a_ids: tensor<2x?xi64> {check.draw = "choose 0 1 2"}) -> (tensor<2x3x?x16xf32>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 2.500000000e-01 : f64
  %c3 = arith.constant 0xFF800000 : f32
  %c4 = arith.constant 0 : i64
  %T = tensor.dim %a_q, %c0 : tensor<2x3x?x16xf32>
  %v1 = tensor.empty(%T) : tensor<?xi64>
  %g2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v1 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v3 = tensor.expand_shape %g2 [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v4 = tensor.expand_shape %v3 [[0, 1], [2]] output_shape [1, 1, %T] : tensor<1x?xi64> into tensor<1x1x?xi64>
  %v5 = tensor.expand_shape %v4 [[0], [1], [2, 3]] output_shape [1, 1, %T, 1] : tensor<1x1x?xi64> into tensor<1x1x?x1xi64>
  %v6 = tensor.empty(%T) : tensor<?xi64>
  %g7 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v6 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v8 = tensor.expand_shape %g7 [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v9 = tensor.expand_shape %v8 [[0, 1], [2]] output_shape [1, 1, %T] : tensor<1x?xi64> into tensor<1x1x?xi64>
  %v10 = tensor.expand_shape %v9 [[0, 1], [2], [3]] output_shape [1, 1, 1, %T] : tensor<1x1x?xi64> into tensor<1x1x1x?xi64>
  %v11 = tensor.empty(%T, %T) : tensor<1x1x?x?xi1>
  %g12 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v10, %v5 : tensor<1x1x1x?xi64>, tensor<1x1x?x1xi64>) outs(%v11 : tensor<1x1x?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<1x1x?x?xi1>
  %v13 = tensor.expand_shape %a_ids [[0, 1], [2]] output_shape [2, 1, %T] : tensor<2x?xi64> into tensor<2x1x?xi64>
  %v14 = tensor.expand_shape %v13 [[0], [1], [2, 3]] output_shape [2, 1, %T, 1] : tensor<2x1x?xi64> into tensor<2x1x?x1xi64>
  %v15 = tensor.expand_shape %a_ids [[0, 1], [2]] output_shape [2, 1, %T] : tensor<2x?xi64> into tensor<2x1x?xi64>
  %v16 = tensor.expand_shape %v15 [[0, 1], [2], [3]] output_shape [2, 1, 1, %T] : tensor<2x1x?xi64> into tensor<2x1x1x?xi64>
  %v17 = tensor.empty(%T, %T) : tensor<2x1x?x?xi1>
  %g18 = linalg.generic {indexing_maps = [#map2, #map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v14, %v16 : tensor<2x1x?x1xi64>, tensor<2x1x1x?xi64>) outs(%v17 : tensor<2x1x?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi eq, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<2x1x?x?xi1>
  %v19 = tensor.empty(%T, %T) : tensor<2x1x?x?xi1>
  %g20 = linalg.generic {indexing_maps = [#map4, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g12, %g18 : tensor<1x1x?x?xi1>, tensor<2x1x?x?xi1>) outs(%v19 : tensor<2x1x?x?xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<2x1x?x?xi1>
  %v21 = tensor.empty(%T) : tensor<2x3x16x?xf32>
  %v22 = linalg.transpose ins(%a_k : tensor<2x3x?x16xf32>) outs(%v21 : tensor<2x3x16x?xf32>) permutation = [0, 1, 3, 2]
  %v23 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<2x3x?x16xf32> into tensor<6x?x16xf32>
  %v24 = tensor.collapse_shape %v22 [[0, 1], [2], [3]] : tensor<2x3x16x?xf32> into tensor<6x16x?xf32>
  %v25 = tensor.empty(%T, %T) : tensor<6x?x?xf32>
  %v26 = linalg.fill ins(%c1 : f32) outs(%v25 : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %v27 = linalg.batch_matmul ins(%v23, %v24 : tensor<6x?x16xf32>, tensor<6x16x?xf32>) outs(%v26 : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %v28 = tensor.expand_shape %v27 [[0, 1], [2], [3]] output_shape [2, 3, %T, %T] : tensor<6x?x?xf32> into tensor<2x3x?x?xf32>
  %v29 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g30 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v28 : tensor<2x3x?x?xf32>) outs(%v29 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v31 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g32 = linalg.generic {indexing_maps = [#map5, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g20, %g30 : tensor<2x1x?x?xi1>, tensor<2x3x?x?xf32>) outs(%v31 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c3 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v33 = tensor.empty(%T) : tensor<2x3x?xi64>
  %v34 = linalg.fill ins(%c4 : i64) outs(%v33 : tensor<2x3x?xi64>) -> tensor<2x3x?xi64>
  %v35 = tensor.empty(%T) : tensor<2x3x?xf32>
  %v36 = linalg.fill ins(%c3 : f32) outs(%v35 : tensor<2x3x?xf32>) -> tensor<2x3x?xf32>
  %g37:2 = linalg.generic {indexing_maps = [#map3, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g32 : tensor<2x3x?x?xf32>) outs(%v36, %v34 : tensor<2x3x?xf32>, tensor<2x3x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x3x?xf32>, tensor<2x3x?xi64>)
  %v38 = tensor.expand_shape %g37#0 [[0], [1], [2, 3]] output_shape [2, 3, %T, 1] : tensor<2x3x?xf32> into tensor<2x3x?x1xf32>
  %v39 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g40 = linalg.generic {indexing_maps = [#map3, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g32, %v38 : tensor<2x3x?x?xf32>, tensor<2x3x?x1xf32>) outs(%v39 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v41 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g42 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g40 : tensor<2x3x?x?xf32>) outs(%v41 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v43 = tensor.empty(%T) : tensor<2x3x?x1xf32>
  %v44 = linalg.fill ins(%c1 : f32) outs(%v43 : tensor<2x3x?x1xf32>) -> tensor<2x3x?x1xf32>
  %g45 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g42 : tensor<2x3x?x?xf32>) outs(%v44 : tensor<2x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x1xf32>
  %v46 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g47 = linalg.generic {indexing_maps = [#map3, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g42, %g45 : tensor<2x3x?x?xf32>, tensor<2x3x?x1xf32>) outs(%v46 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v48 = tensor.collapse_shape %g47 [[0, 1], [2], [3]] : tensor<2x3x?x?xf32> into tensor<6x?x?xf32>
  %v49 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<2x3x?x16xf32> into tensor<6x?x16xf32>
  %v50 = tensor.empty(%T) : tensor<6x?x16xf32>
  %v51 = linalg.fill ins(%c1 : f32) outs(%v50 : tensor<6x?x16xf32>) -> tensor<6x?x16xf32>
  %v52 = linalg.batch_matmul ins(%v48, %v49 : tensor<6x?x?xf32>, tensor<6x?x16xf32>) outs(%v51 : tensor<6x?x16xf32>) -> tensor<6x?x16xf32>
  %v53 = tensor.expand_shape %v52 [[0, 1], [2], [3]] output_shape [2, 3, %T, 16] : tensor<6x?x16xf32> into tensor<2x3x?x16xf32>
  return %v53 : tensor<2x3x?x16xf32>
}
