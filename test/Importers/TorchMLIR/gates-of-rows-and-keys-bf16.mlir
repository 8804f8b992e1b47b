// Gates of rows and of keys are computed from one vector.

// RUN: linalg-ext-check-program %s --sizes=1x3x37x16,1x3x37x16,1x3x37x16,1x3x37 \
// RUN:   --max-kernels=1 --max-buffer-bytes=4107 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @gates(%a_q: tensor<1x3x?x16xbf16>,
    %a_k: tensor<1x3x?x16xbf16>,
    %a_v: tensor<1x3x?x16xbf16>,
    %a_gate: tensor<1x3x?xf32>) -> (tensor<1x3x?x16xbf16>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 2.500000000e-01 : f64
  %c3 = arith.constant 0xFF800000 : f32
  %c4 = arith.constant 0 : i64
  %T = tensor.dim %a_q, %c0 : tensor<1x3x?x16xbf16>
  %v1 = tensor.empty(%T) : tensor<1x3x?xf32>
  %g2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_gate : tensor<1x3x?xf32>) outs(%v1 : tensor<1x3x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %a = math.absf %in0 : f32
    %n = arith.negf %a : f32
    %x = math.exp %n : f32
    %l = math.log1p %x : f32
    %mn = arith.minimumf %in0, %c1 : f32
    %r = arith.subf %mn, %l : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?xf32>
  %v3 = tensor.expand_shape %g2 [[0], [1], [2, 3]] output_shape [1, 3, %T, 1] : tensor<1x3x?xf32> into tensor<1x3x?x1xf32>
  %v4 = tensor.expand_shape %g2 [[0], [1, 2], [3]] output_shape [1, 3, 1, %T] : tensor<1x3x?xf32> into tensor<1x3x1x?xf32>
  %v5 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g6 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v3, %v4 : tensor<1x3x?x1xf32>, tensor<1x3x1x?xf32>) outs(%v5 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v7 = tensor.empty(%T) : tensor<1x3x16x?xbf16>
  %v8 = linalg.transpose ins(%a_k : tensor<1x3x?x16xbf16>) outs(%v7 : tensor<1x3x16x?xbf16>) permutation = [0, 1, 3, 2]
  %v9 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<1x3x?x16xbf16> into tensor<3x?x16xbf16>
  %v10 = tensor.collapse_shape %v8 [[0, 1], [2], [3]] : tensor<1x3x16x?xbf16> into tensor<3x16x?xbf16>
  %v11 = tensor.empty(%T, %T) : tensor<3x?x?xf32>
  %v12 = linalg.fill ins(%c1 : f32) outs(%v11 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %v13 = linalg.batch_matmul ins(%v9, %v10 : tensor<3x?x16xbf16>, tensor<3x16x?xbf16>) outs(%v12 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %v14 = tensor.empty(%T, %T) : tensor<3x?x?xbf16>
  %g15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v13 : tensor<3x?x?xf32>) outs(%v14 : tensor<3x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<3x?x?xbf16>
  %v16 = tensor.expand_shape %g15 [[0, 1], [2], [3]] output_shape [1, 3, %T, %T] : tensor<3x?x?xbf16> into tensor<1x3x?x?xbf16>
  %v17 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v16 : tensor<1x3x?x?xbf16>) outs(%v17 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v19 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g18 : tensor<1x3x?x?xf32>) outs(%v19 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v21 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g22 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g20, %g6 : tensor<1x3x?x?xf32>, tensor<1x3x?x?xf32>) outs(%v21 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v23 = tensor.empty(%T) : tensor<?xi64>
  %g24 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%v23 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v25 = tensor.expand_shape %g24 [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v26 = tensor.empty(%T) : tensor<?xi64>
  %g27 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%v26 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v28 = tensor.expand_shape %g27 [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v29 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g30 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%v25, %v28 : tensor<?x1xi64>, tensor<1x?xi64>) outs(%v29 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v31 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g32 = linalg.generic {indexing_maps = [#map8, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g30, %g22 : tensor<?x?xi1>, tensor<1x3x?x?xf32>) outs(%v31 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c3 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v33 = tensor.empty(%T) : tensor<1x3x?xi64>
  %v34 = linalg.fill ins(%c4 : i64) outs(%v33 : tensor<1x3x?xi64>) -> tensor<1x3x?xi64>
  %v35 = tensor.empty(%T) : tensor<1x3x?xf32>
  %v36 = linalg.fill ins(%c3 : f32) outs(%v35 : tensor<1x3x?xf32>) -> tensor<1x3x?xf32>
  %g37:2 = linalg.generic {indexing_maps = [#map3, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g32 : tensor<1x3x?x?xf32>) outs(%v36, %v34 : tensor<1x3x?xf32>, tensor<1x3x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x?xf32>, tensor<1x3x?xi64>)
  %v38 = tensor.expand_shape %g37#0 [[0], [1], [2, 3]] output_shape [1, 3, %T, 1] : tensor<1x3x?xf32> into tensor<1x3x?x1xf32>
  %v39 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g40 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g32, %v38 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%v39 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v41 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g42 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g40 : tensor<1x3x?x?xf32>) outs(%v41 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v43 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %v44 = linalg.fill ins(%c1 : f32) outs(%v43 : tensor<1x3x?x1xf32>) -> tensor<1x3x?x1xf32>
  %g45 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g42 : tensor<1x3x?x?xf32>) outs(%v44 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v46 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g47 = linalg.generic {indexing_maps = [#map3, #map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g42, %g45 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%v46 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v48 = tensor.empty(%T, %T) : tensor<1x3x?x?xbf16>
  %g49 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g47 : tensor<1x3x?x?xf32>) outs(%v48 : tensor<1x3x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x3x?x?xbf16>
  %v50 = tensor.collapse_shape %g49 [[0, 1], [2], [3]] : tensor<1x3x?x?xbf16> into tensor<3x?x?xbf16>
  %v51 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x3x?x16xbf16> into tensor<3x?x16xbf16>
  %v52 = tensor.empty(%T) : tensor<3x?x16xf32>
  %v53 = linalg.fill ins(%c1 : f32) outs(%v52 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %v54 = linalg.batch_matmul ins(%v50, %v51 : tensor<3x?x?xbf16>, tensor<3x?x16xbf16>) outs(%v53 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %v55 = tensor.empty(%T) : tensor<3x?x16xbf16>
  %g56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v54 : tensor<3x?x16xf32>) outs(%v55 : tensor<3x?x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<3x?x16xbf16>
  %v57 = tensor.expand_shape %g56 [[0, 1], [2], [3]] output_shape [1, 3, %T, 16] : tensor<3x?x16xbf16> into tensor<1x3x?x16xbf16>
  return %v57 : tensor<1x3x?x16xbf16>
}
