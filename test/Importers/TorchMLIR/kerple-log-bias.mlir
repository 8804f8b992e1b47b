// KERPLE: a bias that is a logarithm of the distance, with two parameters of a head.

// RUN: linalg-ext-check-program %s --sizes=1x3x37x16,1x3x37x16,1x3x37x16,-,- \
// RUN:   --max-buffer-bytes=4107 --max-kernels=1 --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, 0, 0)>
#map5 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @kerple(%a_q: tensor<1x3x?x16xf32>,
    %a_k: tensor<1x3x?x16xf32>,
    %a_v: tensor<1x3x?x16xf32>,
    %a_p: tensor<3x1x1xf32> {check.draw = "uniform 0.01 2"},
    %a_a: tensor<3x1x1xf32> {check.draw = "uniform 0.01 2"}) -> (tensor<1x3x?x16xf32>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 2.500000000e-01 : f64
  %c3 = arith.constant 0xFF800000 : f32
  %c4 = arith.constant 0 : i64
  %T = tensor.dim %a_q, %c0 : tensor<1x3x?x16xf32>
  %v1 = tensor.empty(%T) : tensor<?xi64>
  %g2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v1 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v3 = tensor.expand_shape %g2 [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v4 = tensor.empty(%T) : tensor<?xi64>
  %g5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v4 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v6 = tensor.expand_shape %g5 [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v7 = tensor.empty(%T, %T) : tensor<?x?xi64>
  %g8 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%v3, %v6 : tensor<?x1xi64>, tensor<1x?xi64>) outs(%v7 : tensor<?x?xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %r = arith.subi %in0, %in1 : i64
    linalg.yield %r : i64
  } -> tensor<?x?xi64>
  %v9 = tensor.empty(%T, %T) : tensor<?x?xf32>
  %g10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%g8 : tensor<?x?xi64>) outs(%v9 : tensor<?x?xf32>) {
  ^bb0(%in0: i64, %out0: f32):
    %r = arith.sitofp %in0 : i64 to f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %v11 = tensor.empty(%T, %T) : tensor<?x?xf32>
  %g12 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%g10 : tensor<?x?xf32>) outs(%v11 : tensor<?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.absf %in0 : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %v13 = tensor.expand_shape %g12 [[0, 1], [2]] output_shape [1, %T, %T] : tensor<?x?xf32> into tensor<1x?x?xf32>
  %v14 = tensor.empty(%T, %T) : tensor<3x?x?xf32>
  %g15 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_a, %v13 : tensor<3x1x1xf32>, tensor<1x?x?xf32>) outs(%v14 : tensor<3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x?x?xf32>
  %v16 = tensor.empty(%T, %T) : tensor<3x?x?xf32>
  %g17 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g15 : tensor<3x?x?xf32>) outs(%v16 : tensor<3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.log1p %in0 : f32
    linalg.yield %r : f32
  } -> tensor<3x?x?xf32>
  %v18 = tensor.empty(%T, %T) : tensor<3x?x?xf32>
  %g19 = linalg.generic {indexing_maps = [#map4, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_p, %g17 : tensor<3x1x1xf32>, tensor<3x?x?xf32>) outs(%v18 : tensor<3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x?x?xf32>
  %v20 = tensor.empty(%T, %T) : tensor<3x?x?xf32>
  %g21 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g19 : tensor<3x?x?xf32>) outs(%v20 : tensor<3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.negf %in0 : f32
    linalg.yield %r : f32
  } -> tensor<3x?x?xf32>
  %v22 = tensor.empty(%T) : tensor<?xi64>
  %g23 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v22 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v24 = tensor.expand_shape %g23 [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v25 = tensor.empty(%T) : tensor<?xi64>
  %g26 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v25 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v27 = tensor.expand_shape %g26 [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v28 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g29 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%v24, %v27 : tensor<?x1xi64>, tensor<1x?xi64>) outs(%v28 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v30 = tensor.empty(%T) : tensor<1x3x16x?xf32>
  %v31 = linalg.transpose ins(%a_k : tensor<1x3x?x16xf32>) outs(%v30 : tensor<1x3x16x?xf32>) permutation = [0, 1, 3, 2]
  %v32 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<1x3x?x16xf32> into tensor<3x?x16xf32>
  %v33 = tensor.collapse_shape %v31 [[0, 1], [2], [3]] : tensor<1x3x16x?xf32> into tensor<3x16x?xf32>
  %v34 = tensor.empty(%T, %T) : tensor<3x?x?xf32>
  %v35 = linalg.fill ins(%c1 : f32) outs(%v34 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %v36 = linalg.batch_matmul ins(%v32, %v33 : tensor<3x?x16xf32>, tensor<3x16x?xf32>) outs(%v35 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %v37 = tensor.expand_shape %v36 [[0, 1], [2], [3]] output_shape [1, 3, %T, %T] : tensor<3x?x?xf32> into tensor<1x3x?x?xf32>
  %v38 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g39 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v37 : tensor<1x3x?x?xf32>) outs(%v38 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v40 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g41 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g39, %g21 : tensor<1x3x?x?xf32>, tensor<3x?x?xf32>) outs(%v40 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v42 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g43 = linalg.generic {indexing_maps = [#map9, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g29, %g41 : tensor<?x?xi1>, tensor<1x3x?x?xf32>) outs(%v42 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c3 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v44 = tensor.empty(%T) : tensor<1x3x?xi64>
  %v45 = linalg.fill ins(%c4 : i64) outs(%v44 : tensor<1x3x?xi64>) -> tensor<1x3x?xi64>
  %v46 = tensor.empty(%T) : tensor<1x3x?xf32>
  %v47 = linalg.fill ins(%c3 : f32) outs(%v46 : tensor<1x3x?xf32>) -> tensor<1x3x?xf32>
  %g48:2 = linalg.generic {indexing_maps = [#map7, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g43 : tensor<1x3x?x?xf32>) outs(%v47, %v45 : tensor<1x3x?xf32>, tensor<1x3x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x?xf32>, tensor<1x3x?xi64>)
  %v49 = tensor.expand_shape %g48#0 [[0], [1], [2, 3]] output_shape [1, 3, %T, 1] : tensor<1x3x?xf32> into tensor<1x3x?x1xf32>
  %v50 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g51 = linalg.generic {indexing_maps = [#map7, #map11, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g43, %v49 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%v50 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v52 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g53 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g51 : tensor<1x3x?x?xf32>) outs(%v52 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v54 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %v55 = linalg.fill ins(%c1 : f32) outs(%v54 : tensor<1x3x?x1xf32>) -> tensor<1x3x?x1xf32>
  %g56 = linalg.generic {indexing_maps = [#map7, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g53 : tensor<1x3x?x?xf32>) outs(%v55 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v57 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g58 = linalg.generic {indexing_maps = [#map7, #map11, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g53, %g56 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%v57 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v59 = tensor.collapse_shape %g58 [[0, 1], [2], [3]] : tensor<1x3x?x?xf32> into tensor<3x?x?xf32>
  %v60 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x3x?x16xf32> into tensor<3x?x16xf32>
  %v61 = tensor.empty(%T) : tensor<3x?x16xf32>
  %v62 = linalg.fill ins(%c1 : f32) outs(%v61 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %v63 = linalg.batch_matmul ins(%v59, %v60 : tensor<3x?x?xf32>, tensor<3x?x16xf32>) outs(%v62 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %v64 = tensor.expand_shape %v63 [[0, 1], [2], [3]] output_shape [1, 3, %T, 16] : tensor<3x?x16xf32> into tensor<1x3x?x16xf32>
  return %v64 : tensor<1x3x?x16xf32>
}
