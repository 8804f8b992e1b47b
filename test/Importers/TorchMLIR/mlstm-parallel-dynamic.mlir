// xLSTM: products are weighted by exponentials of gates, whose largest in a row is
// subtracted, and divided by the absolute value of their sum.

// RUN: linalg-ext-check-program %s --sizes=2x3x37x16,2x3x37x16,2x3x37x16,2x3x37,2x3x37 \
// RUN:   --max-buffer-bytes=4995 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @mlstm(%a_q: tensor<2x3x?x16xf32>,
    %a_k: tensor<2x3x?x16xf32>,
    %a_v: tensor<2x3x?x16xf32>,
    %a_igate: tensor<2x3x?xf32>,
    %a_cum: tensor<2x3x?xf32> {check.draw = "uniform -4 0"}) -> (tensor<2x3x?x16xf32>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 0xFF800000 : f32
  %c2 = arith.constant 0 : i64
  %c3 = arith.constant 2.500000000e-01 : f64
  %c4 = arith.constant 0.000000000e+00 : f32
  %c5 = arith.constant 1.000000000e-06 : f64
  %T = tensor.dim %a_q, %c0 : tensor<2x3x?x16xf32>
  %v1 = tensor.expand_shape %a_cum [[0], [1], [2, 3]] output_shape [2, 3, %T, 1] : tensor<2x3x?xf32> into tensor<2x3x?x1xf32>
  %v2 = tensor.expand_shape %a_cum [[0], [1, 2], [3]] output_shape [2, 3, 1, %T] : tensor<2x3x?xf32> into tensor<2x3x1x?xf32>
  %v3 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v1, %v2 : tensor<2x3x?x1xf32>, tensor<2x3x1x?xf32>) outs(%v3 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v5 = tensor.expand_shape %a_igate [[0], [1, 2], [3]] output_shape [2, 3, 1, %T] : tensor<2x3x?xf32> into tensor<2x3x1x?xf32>
  %v6 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g7 = linalg.generic {indexing_maps = [#map2, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g4, %v5 : tensor<2x3x?x?xf32>, tensor<2x3x1x?xf32>) outs(%v6 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v8 = tensor.empty(%T) : tensor<?xi64>
  %g9 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%v8 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v10 = tensor.expand_shape %g9 [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v11 = tensor.empty(%T) : tensor<?xi64>
  %g12 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%v11 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v13 = tensor.expand_shape %g12 [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v14 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g15 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%v10, %v13 : tensor<?x1xi64>, tensor<1x?xi64>) outs(%v14 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v16 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g17 = linalg.generic {indexing_maps = [#map7, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g15, %g7 : tensor<?x?xi1>, tensor<2x3x?x?xf32>) outs(%v16 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v18 = tensor.empty(%T) : tensor<2x3x?xi64>
  %v19 = linalg.fill ins(%c2 : i64) outs(%v18 : tensor<2x3x?xi64>) -> tensor<2x3x?xi64>
  %v20 = tensor.empty(%T) : tensor<2x3x?xf32>
  %v21 = linalg.fill ins(%c1 : f32) outs(%v20 : tensor<2x3x?xf32>) -> tensor<2x3x?xf32>
  %g22:2 = linalg.generic {indexing_maps = [#map2, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g17 : tensor<2x3x?x?xf32>) outs(%v21, %v19 : tensor<2x3x?xf32>, tensor<2x3x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x3x?xf32>, tensor<2x3x?xi64>)
  %v23 = tensor.expand_shape %g22#0 [[0], [1], [2, 3]] output_shape [2, 3, %T, 1] : tensor<2x3x?xf32> into tensor<2x3x?x1xf32>
  %v24 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g25 = linalg.generic {indexing_maps = [#map2, #map, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g17, %v23 : tensor<2x3x?x?xf32>, tensor<2x3x?x1xf32>) outs(%v24 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v26 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g27 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g25 : tensor<2x3x?x?xf32>) outs(%v26 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v28 = tensor.empty(%T) : tensor<2x3x?x16xf32>
  %g29 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_k : tensor<2x3x?x16xf32>) outs(%v28 : tensor<2x3x?x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c3 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x16xf32>
  %v30 = tensor.empty(%T) : tensor<2x3x16x?xf32>
  %v31 = linalg.transpose ins(%g29 : tensor<2x3x?x16xf32>) outs(%v30 : tensor<2x3x16x?xf32>) permutation = [0, 1, 3, 2]
  %v32 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<2x3x?x16xf32> into tensor<6x?x16xf32>
  %v33 = tensor.collapse_shape %v31 [[0, 1], [2], [3]] : tensor<2x3x16x?xf32> into tensor<6x16x?xf32>
  %v34 = tensor.empty(%T, %T) : tensor<6x?x?xf32>
  %v35 = linalg.fill ins(%c4 : f32) outs(%v34 : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %v36 = linalg.batch_matmul ins(%v32, %v33 : tensor<6x?x16xf32>, tensor<6x16x?xf32>) outs(%v35 : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %v37 = tensor.expand_shape %v36 [[0, 1], [2], [3]] output_shape [2, 3, %T, %T] : tensor<6x?x?xf32> into tensor<2x3x?x?xf32>
  %v38 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g39 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v37, %g27 : tensor<2x3x?x?xf32>, tensor<2x3x?x?xf32>) outs(%v38 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v40 = tensor.empty(%T) : tensor<2x3x?x1xf32>
  %v41 = linalg.fill ins(%c4 : f32) outs(%v40 : tensor<2x3x?x1xf32>) -> tensor<2x3x?x1xf32>
  %g42 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g39 : tensor<2x3x?x?xf32>) outs(%v41 : tensor<2x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x1xf32>
  %v43 = tensor.empty(%T) : tensor<2x3x?x1xf32>
  %g44 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g42 : tensor<2x3x?x1xf32>) outs(%v43 : tensor<2x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.absf %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x1xf32>
  %v45 = tensor.empty(%T) : tensor<2x3x?x1xf32>
  %g46 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v23 : tensor<2x3x?x1xf32>) outs(%v45 : tensor<2x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.negf %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x1xf32>
  %v47 = tensor.empty(%T) : tensor<2x3x?x1xf32>
  %g48 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g46 : tensor<2x3x?x1xf32>) outs(%v47 : tensor<2x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x1xf32>
  %v49 = tensor.empty(%T) : tensor<2x3x?x1xf32>
  %g50 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g44, %g48 : tensor<2x3x?x1xf32>, tensor<2x3x?x1xf32>) outs(%v49 : tensor<2x3x?x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.maximumf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x1xf32>
  %v51 = tensor.empty(%T) : tensor<2x3x?x1xf32>
  %g52 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g50 : tensor<2x3x?x1xf32>) outs(%v51 : tensor<2x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c5 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x1xf32>
  %v53 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g54 = linalg.generic {indexing_maps = [#map2, #map, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g39, %g52 : tensor<2x3x?x?xf32>, tensor<2x3x?x1xf32>) outs(%v53 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v55 = tensor.collapse_shape %g54 [[0, 1], [2], [3]] : tensor<2x3x?x?xf32> into tensor<6x?x?xf32>
  %v56 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<2x3x?x16xf32> into tensor<6x?x16xf32>
  %v57 = tensor.empty(%T) : tensor<6x?x16xf32>
  %v58 = linalg.fill ins(%c4 : f32) outs(%v57 : tensor<6x?x16xf32>) -> tensor<6x?x16xf32>
  %v59 = linalg.batch_matmul ins(%v55, %v56 : tensor<6x?x?xf32>, tensor<6x?x16xf32>) outs(%v58 : tensor<6x?x16xf32>) -> tensor<6x?x16xf32>
  %v60 = tensor.expand_shape %v59 [[0, 1], [2], [3]] output_shape [2, 3, %T, 16] : tensor<6x?x16xf32> into tensor<2x3x?x16xf32>
  return %v60 : tensor<2x3x?x16xf32>
}
