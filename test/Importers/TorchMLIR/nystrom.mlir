// Nystromformer: landmarks are means, and an inverse is iterated by small products.

// RUN: linalg-ext-check-program %s --max-kernels=15 --max-buffer-bytes=3840 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0) -> (d0)>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1) -> (d0, d1)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>

func.func @nystrom(%a_q: tensor<1x3x40x16xf32>,
    %a_k: tensor<1x3x40x16xf32>,
    %a_v: tensor<1x3x40x16xf32>) -> (tensor<1x3x40x16xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 5.000000000e+00 : f64
  %c2 = arith.constant 2.500000000e-01 : f64
  %c3 = arith.constant 0 : i64
  %c4 = arith.constant 0xFF800000 : f32
  %c5 = arith.constant 5.000000000e-01 : f64
  %c6 = arith.constant 7.000000000e+00 : f64
  %c7 = arith.constant 1.500000000e+01 : f64
  %c8 = arith.constant 1.300000000e+01 : f64
  %v1 = tensor.expand_shape %a_q [[0], [1], [2, 3], [4]] output_shape [1, 3, 8, 5, 16] : tensor<1x3x40x16xf32> into tensor<1x3x8x5x16xf32>
  %v2 = tensor.empty() : tensor<1x3x8x16xf32>
  %v3 = linalg.fill ins(%c0 : f32) outs(%v2 : tensor<1x3x8x16xf32>) -> tensor<1x3x8x16xf32>
  %g4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]} ins(%v1 : tensor<1x3x8x5x16xf32>) outs(%v3 : tensor<1x3x8x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x16xf32>
  %v5 = tensor.empty() : tensor<1x3x8x16xf32>
  %g6 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g4 : tensor<1x3x8x16xf32>) outs(%v5 : tensor<1x3x8x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x16xf32>
  %v7 = tensor.expand_shape %a_k [[0], [1], [2, 3], [4]] output_shape [1, 3, 8, 5, 16] : tensor<1x3x40x16xf32> into tensor<1x3x8x5x16xf32>
  %v8 = tensor.empty() : tensor<1x3x8x16xf32>
  %v9 = linalg.fill ins(%c0 : f32) outs(%v8 : tensor<1x3x8x16xf32>) -> tensor<1x3x8x16xf32>
  %g10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]} ins(%v7 : tensor<1x3x8x5x16xf32>) outs(%v9 : tensor<1x3x8x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x16xf32>
  %v11 = tensor.empty() : tensor<1x3x8x16xf32>
  %g12 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g10 : tensor<1x3x8x16xf32>) outs(%v11 : tensor<1x3x8x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x16xf32>
  %v13 = tensor.empty() : tensor<1x3x16x8xf32>
  %v14 = linalg.transpose ins(%g12 : tensor<1x3x8x16xf32>) outs(%v13 : tensor<1x3x16x8xf32>) permutation = [0, 1, 3, 2]
  %v15 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<1x3x40x16xf32> into tensor<3x40x16xf32>
  %v16 = tensor.collapse_shape %v14 [[0, 1], [2], [3]] : tensor<1x3x16x8xf32> into tensor<3x16x8xf32>
  %v17 = tensor.empty() : tensor<3x40x8xf32>
  %v18 = linalg.fill ins(%c0 : f32) outs(%v17 : tensor<3x40x8xf32>) -> tensor<3x40x8xf32>
  %v19 = linalg.batch_matmul ins(%v15, %v16 : tensor<3x40x16xf32>, tensor<3x16x8xf32>) outs(%v18 : tensor<3x40x8xf32>) -> tensor<3x40x8xf32>
  %v20 = tensor.expand_shape %v19 [[0, 1], [2], [3]] output_shape [1, 3, 40, 8] : tensor<3x40x8xf32> into tensor<1x3x40x8xf32>
  %v21 = tensor.empty() : tensor<1x3x40x8xf32>
  %g22 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v20 : tensor<1x3x40x8xf32>) outs(%v21 : tensor<1x3x40x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x40x8xf32>
  %v23 = tensor.empty() : tensor<1x3x40xi64>
  %v24 = linalg.fill ins(%c3 : i64) outs(%v23 : tensor<1x3x40xi64>) -> tensor<1x3x40xi64>
  %v25 = tensor.empty() : tensor<1x3x40xf32>
  %v26 = linalg.fill ins(%c4 : f32) outs(%v25 : tensor<1x3x40xf32>) -> tensor<1x3x40xf32>
  %g27:2 = linalg.generic {indexing_maps = [#map2, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g22 : tensor<1x3x40x8xf32>) outs(%v26, %v24 : tensor<1x3x40xf32>, tensor<1x3x40xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x40xf32>, tensor<1x3x40xi64>)
  %v28 = tensor.expand_shape %g27#0 [[0], [1], [2, 3]] output_shape [1, 3, 40, 1] : tensor<1x3x40xf32> into tensor<1x3x40x1xf32>
  %v29 = tensor.empty() : tensor<1x3x40x8xf32>
  %g30 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g22, %v28 : tensor<1x3x40x8xf32>, tensor<1x3x40x1xf32>) outs(%v29 : tensor<1x3x40x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x40x8xf32>
  %v31 = tensor.empty() : tensor<1x3x40x8xf32>
  %g32 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g30 : tensor<1x3x40x8xf32>) outs(%v31 : tensor<1x3x40x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x40x8xf32>
  %v33 = tensor.empty() : tensor<1x3x40x1xf32>
  %v34 = linalg.fill ins(%c0 : f32) outs(%v33 : tensor<1x3x40x1xf32>) -> tensor<1x3x40x1xf32>
  %g35 = linalg.generic {indexing_maps = [#map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g32 : tensor<1x3x40x8xf32>) outs(%v34 : tensor<1x3x40x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x40x1xf32>
  %v36 = tensor.empty() : tensor<1x3x40x8xf32>
  %g37 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g32, %g35 : tensor<1x3x40x8xf32>, tensor<1x3x40x1xf32>) outs(%v36 : tensor<1x3x40x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x40x8xf32>
  %v38 = tensor.empty() : tensor<1x3x16x8xf32>
  %v39 = linalg.transpose ins(%g12 : tensor<1x3x8x16xf32>) outs(%v38 : tensor<1x3x16x8xf32>) permutation = [0, 1, 3, 2]
  %v40 = tensor.collapse_shape %g6 [[0, 1], [2], [3]] : tensor<1x3x8x16xf32> into tensor<3x8x16xf32>
  %v41 = tensor.collapse_shape %v39 [[0, 1], [2], [3]] : tensor<1x3x16x8xf32> into tensor<3x16x8xf32>
  %v42 = tensor.empty() : tensor<3x8x8xf32>
  %v43 = linalg.fill ins(%c0 : f32) outs(%v42 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v44 = linalg.batch_matmul ins(%v40, %v41 : tensor<3x8x16xf32>, tensor<3x16x8xf32>) outs(%v43 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v45 = tensor.expand_shape %v44 [[0, 1], [2], [3]] output_shape [1, 3, 8, 8] : tensor<3x8x8xf32> into tensor<1x3x8x8xf32>
  %v46 = tensor.empty() : tensor<1x3x8x8xf32>
  %g47 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v45 : tensor<1x3x8x8xf32>) outs(%v46 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v48 = tensor.empty() : tensor<1x3x8xi64>
  %v49 = linalg.fill ins(%c3 : i64) outs(%v48 : tensor<1x3x8xi64>) -> tensor<1x3x8xi64>
  %v50 = tensor.empty() : tensor<1x3x8xf32>
  %v51 = linalg.fill ins(%c4 : f32) outs(%v50 : tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
  %g52:2 = linalg.generic {indexing_maps = [#map2, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g47 : tensor<1x3x8x8xf32>) outs(%v51, %v49 : tensor<1x3x8xf32>, tensor<1x3x8xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x8xf32>, tensor<1x3x8xi64>)
  %v53 = tensor.expand_shape %g52#0 [[0], [1], [2, 3]] output_shape [1, 3, 8, 1] : tensor<1x3x8xf32> into tensor<1x3x8x1xf32>
  %v54 = tensor.empty() : tensor<1x3x8x8xf32>
  %g55 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g47, %v53 : tensor<1x3x8x8xf32>, tensor<1x3x8x1xf32>) outs(%v54 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v56 = tensor.empty() : tensor<1x3x8x8xf32>
  %g57 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g55 : tensor<1x3x8x8xf32>) outs(%v56 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v58 = tensor.empty() : tensor<1x3x8x1xf32>
  %v59 = linalg.fill ins(%c0 : f32) outs(%v58 : tensor<1x3x8x1xf32>) -> tensor<1x3x8x1xf32>
  %g60 = linalg.generic {indexing_maps = [#map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g57 : tensor<1x3x8x8xf32>) outs(%v59 : tensor<1x3x8x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x1xf32>
  %v61 = tensor.empty() : tensor<1x3x8x8xf32>
  %g62 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g57, %g60 : tensor<1x3x8x8xf32>, tensor<1x3x8x1xf32>) outs(%v61 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v63 = tensor.empty() : tensor<1x3x16x40xf32>
  %v64 = linalg.transpose ins(%a_k : tensor<1x3x40x16xf32>) outs(%v63 : tensor<1x3x16x40xf32>) permutation = [0, 1, 3, 2]
  %v65 = tensor.collapse_shape %g6 [[0, 1], [2], [3]] : tensor<1x3x8x16xf32> into tensor<3x8x16xf32>
  %v66 = tensor.collapse_shape %v64 [[0, 1], [2], [3]] : tensor<1x3x16x40xf32> into tensor<3x16x40xf32>
  %v67 = tensor.empty() : tensor<3x8x40xf32>
  %v68 = linalg.fill ins(%c0 : f32) outs(%v67 : tensor<3x8x40xf32>) -> tensor<3x8x40xf32>
  %v69 = linalg.batch_matmul ins(%v65, %v66 : tensor<3x8x16xf32>, tensor<3x16x40xf32>) outs(%v68 : tensor<3x8x40xf32>) -> tensor<3x8x40xf32>
  %v70 = tensor.expand_shape %v69 [[0, 1], [2], [3]] output_shape [1, 3, 8, 40] : tensor<3x8x40xf32> into tensor<1x3x8x40xf32>
  %v71 = tensor.empty() : tensor<1x3x8x40xf32>
  %g72 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v70 : tensor<1x3x8x40xf32>) outs(%v71 : tensor<1x3x8x40xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x40xf32>
  %v73 = tensor.empty() : tensor<1x3x8xi64>
  %v74 = linalg.fill ins(%c3 : i64) outs(%v73 : tensor<1x3x8xi64>) -> tensor<1x3x8xi64>
  %v75 = tensor.empty() : tensor<1x3x8xf32>
  %v76 = linalg.fill ins(%c4 : f32) outs(%v75 : tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
  %g77:2 = linalg.generic {indexing_maps = [#map2, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g72 : tensor<1x3x8x40xf32>) outs(%v76, %v74 : tensor<1x3x8xf32>, tensor<1x3x8xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x8xf32>, tensor<1x3x8xi64>)
  %v78 = tensor.expand_shape %g77#0 [[0], [1], [2, 3]] output_shape [1, 3, 8, 1] : tensor<1x3x8xf32> into tensor<1x3x8x1xf32>
  %v79 = tensor.empty() : tensor<1x3x8x40xf32>
  %g80 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g72, %v78 : tensor<1x3x8x40xf32>, tensor<1x3x8x1xf32>) outs(%v79 : tensor<1x3x8x40xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x40xf32>
  %v81 = tensor.empty() : tensor<1x3x8x40xf32>
  %g82 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g80 : tensor<1x3x8x40xf32>) outs(%v81 : tensor<1x3x8x40xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x40xf32>
  %v83 = tensor.empty() : tensor<1x3x8x1xf32>
  %v84 = linalg.fill ins(%c0 : f32) outs(%v83 : tensor<1x3x8x1xf32>) -> tensor<1x3x8x1xf32>
  %g85 = linalg.generic {indexing_maps = [#map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g82 : tensor<1x3x8x40xf32>) outs(%v84 : tensor<1x3x8x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x1xf32>
  %v86 = tensor.empty() : tensor<1x3x8x40xf32>
  %g87 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g82, %g85 : tensor<1x3x8x40xf32>, tensor<1x3x8x1xf32>) outs(%v86 : tensor<1x3x8x40xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x40xf32>
  %v88 = tensor.empty() : tensor<8xi64>
  %g89 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%v88 : tensor<8xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<8xi64>
  %v90 = tensor.expand_shape %g89 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
  %v91 = tensor.empty() : tensor<8xi64>
  %g92 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%v91 : tensor<8xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<8xi64>
  %v93 = tensor.expand_shape %g92 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
  %v94 = tensor.empty() : tensor<8x8xi1>
  %g95 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%v90, %v93 : tensor<8x1xi64>, tensor<1x8xi64>) outs(%v94 : tensor<8x8xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi eq, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<8x8xi1>
  %v96 = tensor.empty() : tensor<8x8xf32>
  %g97 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%g95 : tensor<8x8xi1>) outs(%v96 : tensor<8x8xf32>) {
  ^bb0(%in0: i1, %out0: f32):
    %r = arith.uitofp %in0 : i1 to f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %v98 = tensor.empty() : tensor<1x3x8x8xf32>
  %v99 = linalg.transpose ins(%g62 : tensor<1x3x8x8xf32>) outs(%v98 : tensor<1x3x8x8xf32>) permutation = [0, 1, 3, 2]
  %v100 = tensor.empty() : tensor<1x3x8x8xf32>
  %g101 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v99 : tensor<1x3x8x8xf32>) outs(%v100 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c5 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v102 = tensor.collapse_shape %g62 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v103 = tensor.collapse_shape %g101 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v104 = tensor.empty() : tensor<3x8x8xf32>
  %v105 = linalg.fill ins(%c0 : f32) outs(%v104 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v106 = linalg.batch_matmul ins(%v102, %v103 : tensor<3x8x8xf32>, tensor<3x8x8xf32>) outs(%v105 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v107 = tensor.expand_shape %v106 [[0, 1], [2], [3]] output_shape [1, 3, 8, 8] : tensor<3x8x8xf32> into tensor<1x3x8x8xf32>
  %v108 = tensor.empty() : tensor<1x3x8x8xf32>
  %g109 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g101 : tensor<1x3x8x8xf32>) outs(%v108 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v110 = tensor.empty() : tensor<1x3x8x8xf32>
  %g111 = linalg.generic {indexing_maps = [#map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g97 : tensor<8x8xf32>) outs(%v110 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<1x3x8x8xf32>
  %v112 = tensor.empty() : tensor<1x3x8x8xf32>
  %g113 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g111 : tensor<1x3x8x8xf32>) outs(%v112 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c6 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v114 = tensor.empty() : tensor<1x3x8x8xf32>
  %g115 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g113, %v107 : tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) outs(%v114 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v116 = tensor.collapse_shape %v107 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v117 = tensor.collapse_shape %g115 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v118 = tensor.empty() : tensor<3x8x8xf32>
  %v119 = linalg.fill ins(%c0 : f32) outs(%v118 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v120 = linalg.batch_matmul ins(%v116, %v117 : tensor<3x8x8xf32>, tensor<3x8x8xf32>) outs(%v119 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v121 = tensor.expand_shape %v120 [[0, 1], [2], [3]] output_shape [1, 3, 8, 8] : tensor<3x8x8xf32> into tensor<1x3x8x8xf32>
  %v122 = tensor.empty() : tensor<1x3x8x8xf32>
  %g123 = linalg.generic {indexing_maps = [#map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g97 : tensor<8x8xf32>) outs(%v122 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<1x3x8x8xf32>
  %v124 = tensor.empty() : tensor<1x3x8x8xf32>
  %g125 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g123 : tensor<1x3x8x8xf32>) outs(%v124 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c7 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v126 = tensor.empty() : tensor<1x3x8x8xf32>
  %g127 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g125, %v121 : tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) outs(%v126 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v128 = tensor.collapse_shape %v107 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v129 = tensor.collapse_shape %g127 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v130 = tensor.empty() : tensor<3x8x8xf32>
  %v131 = linalg.fill ins(%c0 : f32) outs(%v130 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v132 = linalg.batch_matmul ins(%v128, %v129 : tensor<3x8x8xf32>, tensor<3x8x8xf32>) outs(%v131 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v133 = tensor.expand_shape %v132 [[0, 1], [2], [3]] output_shape [1, 3, 8, 8] : tensor<3x8x8xf32> into tensor<1x3x8x8xf32>
  %v134 = tensor.empty() : tensor<1x3x8x8xf32>
  %g135 = linalg.generic {indexing_maps = [#map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g97 : tensor<8x8xf32>) outs(%v134 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<1x3x8x8xf32>
  %v136 = tensor.empty() : tensor<1x3x8x8xf32>
  %g137 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g135 : tensor<1x3x8x8xf32>) outs(%v136 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c8 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v138 = tensor.empty() : tensor<1x3x8x8xf32>
  %g139 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g137, %v133 : tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) outs(%v138 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v140 = tensor.collapse_shape %g109 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v141 = tensor.collapse_shape %g139 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v142 = tensor.empty() : tensor<3x8x8xf32>
  %v143 = linalg.fill ins(%c0 : f32) outs(%v142 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v144 = linalg.batch_matmul ins(%v140, %v141 : tensor<3x8x8xf32>, tensor<3x8x8xf32>) outs(%v143 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v145 = tensor.expand_shape %v144 [[0, 1], [2], [3]] output_shape [1, 3, 8, 8] : tensor<3x8x8xf32> into tensor<1x3x8x8xf32>
  %v146 = tensor.collapse_shape %g62 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v147 = tensor.collapse_shape %v145 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v148 = tensor.empty() : tensor<3x8x8xf32>
  %v149 = linalg.fill ins(%c0 : f32) outs(%v148 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v150 = linalg.batch_matmul ins(%v146, %v147 : tensor<3x8x8xf32>, tensor<3x8x8xf32>) outs(%v149 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v151 = tensor.expand_shape %v150 [[0, 1], [2], [3]] output_shape [1, 3, 8, 8] : tensor<3x8x8xf32> into tensor<1x3x8x8xf32>
  %v152 = tensor.empty() : tensor<1x3x8x8xf32>
  %g153 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v145 : tensor<1x3x8x8xf32>) outs(%v152 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v154 = tensor.empty() : tensor<1x3x8x8xf32>
  %g155 = linalg.generic {indexing_maps = [#map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g97 : tensor<8x8xf32>) outs(%v154 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<1x3x8x8xf32>
  %v156 = tensor.empty() : tensor<1x3x8x8xf32>
  %g157 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g155 : tensor<1x3x8x8xf32>) outs(%v156 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c6 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v158 = tensor.empty() : tensor<1x3x8x8xf32>
  %g159 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g157, %v151 : tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) outs(%v158 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v160 = tensor.collapse_shape %v151 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v161 = tensor.collapse_shape %g159 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v162 = tensor.empty() : tensor<3x8x8xf32>
  %v163 = linalg.fill ins(%c0 : f32) outs(%v162 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v164 = linalg.batch_matmul ins(%v160, %v161 : tensor<3x8x8xf32>, tensor<3x8x8xf32>) outs(%v163 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v165 = tensor.expand_shape %v164 [[0, 1], [2], [3]] output_shape [1, 3, 8, 8] : tensor<3x8x8xf32> into tensor<1x3x8x8xf32>
  %v166 = tensor.empty() : tensor<1x3x8x8xf32>
  %g167 = linalg.generic {indexing_maps = [#map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g97 : tensor<8x8xf32>) outs(%v166 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<1x3x8x8xf32>
  %v168 = tensor.empty() : tensor<1x3x8x8xf32>
  %g169 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g167 : tensor<1x3x8x8xf32>) outs(%v168 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c7 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v170 = tensor.empty() : tensor<1x3x8x8xf32>
  %g171 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g169, %v165 : tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) outs(%v170 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v172 = tensor.collapse_shape %v151 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v173 = tensor.collapse_shape %g171 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v174 = tensor.empty() : tensor<3x8x8xf32>
  %v175 = linalg.fill ins(%c0 : f32) outs(%v174 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v176 = linalg.batch_matmul ins(%v172, %v173 : tensor<3x8x8xf32>, tensor<3x8x8xf32>) outs(%v175 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v177 = tensor.expand_shape %v176 [[0, 1], [2], [3]] output_shape [1, 3, 8, 8] : tensor<3x8x8xf32> into tensor<1x3x8x8xf32>
  %v178 = tensor.empty() : tensor<1x3x8x8xf32>
  %g179 = linalg.generic {indexing_maps = [#map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g97 : tensor<8x8xf32>) outs(%v178 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<1x3x8x8xf32>
  %v180 = tensor.empty() : tensor<1x3x8x8xf32>
  %g181 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g179 : tensor<1x3x8x8xf32>) outs(%v180 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c8 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v182 = tensor.empty() : tensor<1x3x8x8xf32>
  %g183 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g181, %v177 : tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>) outs(%v182 : tensor<1x3x8x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x8x8xf32>
  %v184 = tensor.collapse_shape %g153 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v185 = tensor.collapse_shape %g183 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v186 = tensor.empty() : tensor<3x8x8xf32>
  %v187 = linalg.fill ins(%c0 : f32) outs(%v186 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v188 = linalg.batch_matmul ins(%v184, %v185 : tensor<3x8x8xf32>, tensor<3x8x8xf32>) outs(%v187 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v189 = tensor.expand_shape %v188 [[0, 1], [2], [3]] output_shape [1, 3, 8, 8] : tensor<3x8x8xf32> into tensor<1x3x8x8xf32>
  %v190 = tensor.collapse_shape %g37 [[0, 1], [2], [3]] : tensor<1x3x40x8xf32> into tensor<3x40x8xf32>
  %v191 = tensor.collapse_shape %v189 [[0, 1], [2], [3]] : tensor<1x3x8x8xf32> into tensor<3x8x8xf32>
  %v192 = tensor.empty() : tensor<3x40x8xf32>
  %v193 = linalg.fill ins(%c0 : f32) outs(%v192 : tensor<3x40x8xf32>) -> tensor<3x40x8xf32>
  %v194 = linalg.batch_matmul ins(%v190, %v191 : tensor<3x40x8xf32>, tensor<3x8x8xf32>) outs(%v193 : tensor<3x40x8xf32>) -> tensor<3x40x8xf32>
  %v195 = tensor.expand_shape %v194 [[0, 1], [2], [3]] output_shape [1, 3, 40, 8] : tensor<3x40x8xf32> into tensor<1x3x40x8xf32>
  %v196 = tensor.collapse_shape %g87 [[0, 1], [2], [3]] : tensor<1x3x8x40xf32> into tensor<3x8x40xf32>
  %v197 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x3x40x16xf32> into tensor<3x40x16xf32>
  %v198 = tensor.empty() : tensor<3x8x16xf32>
  %v199 = linalg.fill ins(%c0 : f32) outs(%v198 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %v200 = linalg.batch_matmul ins(%v196, %v197 : tensor<3x8x40xf32>, tensor<3x40x16xf32>) outs(%v199 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %v201 = tensor.expand_shape %v200 [[0, 1], [2], [3]] output_shape [1, 3, 8, 16] : tensor<3x8x16xf32> into tensor<1x3x8x16xf32>
  %v202 = tensor.collapse_shape %v195 [[0, 1], [2], [3]] : tensor<1x3x40x8xf32> into tensor<3x40x8xf32>
  %v203 = tensor.collapse_shape %v201 [[0, 1], [2], [3]] : tensor<1x3x8x16xf32> into tensor<3x8x16xf32>
  %v204 = tensor.empty() : tensor<3x40x16xf32>
  %v205 = linalg.fill ins(%c0 : f32) outs(%v204 : tensor<3x40x16xf32>) -> tensor<3x40x16xf32>
  %v206 = linalg.batch_matmul ins(%v202, %v203 : tensor<3x40x8xf32>, tensor<3x8x16xf32>) outs(%v205 : tensor<3x40x16xf32>) -> tensor<3x40x16xf32>
  %v207 = tensor.expand_shape %v206 [[0, 1], [2], [3]] output_shape [1, 3, 40, 16] : tensor<3x40x16xf32> into tensor<1x3x40x16xf32>
  return %v207 : tensor<1x3x40x16xf32>
}
