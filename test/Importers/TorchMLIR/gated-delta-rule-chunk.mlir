// Qwen3-Next: the gated delta rule in a chunk. A triangular matrix is inverted row by
// row.

// RUN: linalg-ext-check-program %s --max-kernels=27 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map8 = affine_map<(d0, d1, d2) -> (d0, 0, 0)>

func.func @delta_rule(%a_q: tensor<3x8x16xf32>,
    %a_k: tensor<3x8x16xf32> {check.draw = "uniform -0.3 0.3"},
    %a_v: tensor<3x8x16xf32>,
    %a_beta: tensor<3x8xf32> {check.draw = "uniform 0 1"},
    %a_g: tensor<3x8xf32> {check.draw = "uniform -1 0"},
    %a_state: tensor<3x16x16xf32>) -> (tensor<3x8x16xf32>, tensor<3x16x16xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %v1 = tensor.expand_shape %a_beta [[0], [1, 2]] output_shape [3, 8, 1] : tensor<3x8xf32> into tensor<3x8x1xf32>
  %v2 = tensor.empty() : tensor<3x8x16xf32>
  %g3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_v, %v1 : tensor<3x8x16xf32>, tensor<3x8x1xf32>) outs(%v2 : tensor<3x8x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x16xf32>
  %v4 = tensor.empty() : tensor<3x8x16xf32>
  %g5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_k, %v1 : tensor<3x8x16xf32>, tensor<3x8x1xf32>) outs(%v4 : tensor<3x8x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x16xf32>
  %v6 = tensor.empty() : tensor<8xi64>
  %g7 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%v6 : tensor<8xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<8xi64>
  %v8 = tensor.expand_shape %g7 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
  %v9 = tensor.empty() : tensor<8xi64>
  %g10 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%v9 : tensor<8xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<8xi64>
  %v11 = tensor.expand_shape %g10 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
  %v12 = tensor.empty() : tensor<8x8xi1>
  %g13 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%v8, %v11 : tensor<8x1xi64>, tensor<1x8xi64>) outs(%v12 : tensor<8x8xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<8x8xi1>
  %v14 = tensor.expand_shape %a_g [[0], [1, 2]] output_shape [3, 8, 1] : tensor<3x8xf32> into tensor<3x8x1xf32>
  %v15 = tensor.expand_shape %a_g [[0, 1], [2]] output_shape [3, 1, 8] : tensor<3x8xf32> into tensor<3x1x8xf32>
  %v16 = tensor.empty() : tensor<3x8x8xf32>
  %g17 = linalg.generic {indexing_maps = [#map1, #map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v14, %v15 : tensor<3x8x1xf32>, tensor<3x1x8xf32>) outs(%v16 : tensor<3x8x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x8xf32>
  %v18 = tensor.empty() : tensor<3x8x8xf32>
  %g19 = linalg.generic {indexing_maps = [#map7, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g13, %g17 : tensor<8x8xi1>, tensor<3x8x8xf32>) outs(%v18 : tensor<3x8x8xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c0 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x8xf32>
  %v20 = tensor.empty() : tensor<3x8x8xf32>
  %g21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g19 : tensor<3x8x8xf32>) outs(%v20 : tensor<3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x8xf32>
  %v22 = tensor.empty() : tensor<3x8x8xf32>
  %g23 = linalg.generic {indexing_maps = [#map7, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g13, %g21 : tensor<8x8xi1>, tensor<3x8x8xf32>) outs(%v22 : tensor<3x8x8xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c0 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x8xf32>
  %v24 = tensor.empty() : tensor<8xi64>
  %g25 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%v24 : tensor<8xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<8xi64>
  %v26 = tensor.expand_shape %g25 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
  %v27 = tensor.empty() : tensor<8xi64>
  %g28 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%v27 : tensor<8xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<8xi64>
  %v29 = tensor.expand_shape %g28 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
  %v30 = tensor.empty() : tensor<8x8xi1>
  %g31 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%v26, %v29 : tensor<8x1xi64>, tensor<1x8xi64>) outs(%v30 : tensor<8x8xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<8x8xi1>
  %v32 = tensor.empty() : tensor<3x16x8xf32>
  %v33 = linalg.transpose ins(%a_k : tensor<3x8x16xf32>) outs(%v32 : tensor<3x16x8xf32>) permutation = [0, 2, 1]
  %v34 = tensor.empty() : tensor<3x8x8xf32>
  %v35 = linalg.fill ins(%c0 : f32) outs(%v34 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v36 = linalg.batch_matmul ins(%g5, %v33 : tensor<3x8x16xf32>, tensor<3x16x8xf32>) outs(%v35 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v37 = tensor.empty() : tensor<3x8x8xf32>
  %g38 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v36, %g23 : tensor<3x8x8xf32>, tensor<3x8x8xf32>) outs(%v37 : tensor<3x8x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x8xf32>
  %v39 = tensor.empty() : tensor<3x8x8xf32>
  %g40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g38 : tensor<3x8x8xf32>) outs(%v39 : tensor<3x8x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.negf %in0 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x8xf32>
  %v41 = tensor.empty() : tensor<3x8x8xf32>
  %g42 = linalg.generic {indexing_maps = [#map7, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g31, %g40 : tensor<8x8xi1>, tensor<3x8x8xf32>) outs(%v41 : tensor<3x8x8xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %c0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x8xf32>
  %v43 = tensor.extract_slice %g42[0, 1, 0] [3, 1, 1] [1, 1, 1] : tensor<3x8x8xf32> to tensor<3x1x1xf32>
  %v44 = tensor.extract_slice %g42[0, 0, 0] [3, 1, 1] [1, 1, 1] : tensor<3x8x8xf32> to tensor<3x1x1xf32>
  %v45 = tensor.empty() : tensor<3x1x1xf32>
  %v46 = linalg.transpose ins(%v43 : tensor<3x1x1xf32>) outs(%v45 : tensor<3x1x1xf32>) permutation = [0, 2, 1]
  %v47 = tensor.empty() : tensor<3x1x1xf32>
  %g48 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v46, %v44 : tensor<3x1x1xf32>, tensor<3x1x1xf32>) outs(%v47 : tensor<3x1x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x1xf32>
  %v49 = tensor.empty() : tensor<3x1x1xf32>
  %v50 = linalg.fill ins(%c0 : f32) outs(%v49 : tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
  %g51 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["parallel", "reduction", "parallel"]} ins(%g48 : tensor<3x1x1xf32>) outs(%v50 : tensor<3x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x1xf32>
  %v52 = tensor.empty() : tensor<3x1x1xf32>
  %g53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v43, %g51 : tensor<3x1x1xf32>, tensor<3x1x1xf32>) outs(%v52 : tensor<3x1x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x1xf32>
  %v54 = tensor.insert_slice %g53 into %g42[0, 1, 0] [3, 1, 1] [1, 1, 1] : tensor<3x1x1xf32> into tensor<3x8x8xf32>
  %v55 = tensor.extract_slice %v54[0, 2, 0] [3, 1, 2] [1, 1, 1] : tensor<3x8x8xf32> to tensor<3x1x2xf32>
  %v56 = tensor.extract_slice %v54[0, 0, 0] [3, 2, 2] [1, 1, 1] : tensor<3x8x8xf32> to tensor<3x2x2xf32>
  %v57 = tensor.empty() : tensor<3x2x1xf32>
  %v58 = linalg.transpose ins(%v55 : tensor<3x1x2xf32>) outs(%v57 : tensor<3x2x1xf32>) permutation = [0, 2, 1]
  %v59 = tensor.empty() : tensor<3x2x2xf32>
  %g60 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v58, %v56 : tensor<3x2x1xf32>, tensor<3x2x2xf32>) outs(%v59 : tensor<3x2x2xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x2x2xf32>
  %v61 = tensor.empty() : tensor<3x1x2xf32>
  %v62 = linalg.fill ins(%c0 : f32) outs(%v61 : tensor<3x1x2xf32>) -> tensor<3x1x2xf32>
  %g63 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["parallel", "reduction", "parallel"]} ins(%g60 : tensor<3x2x2xf32>) outs(%v62 : tensor<3x1x2xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x2xf32>
  %v64 = tensor.empty() : tensor<3x1x2xf32>
  %g65 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v55, %g63 : tensor<3x1x2xf32>, tensor<3x1x2xf32>) outs(%v64 : tensor<3x1x2xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x2xf32>
  %v66 = tensor.insert_slice %g65 into %v54[0, 2, 0] [3, 1, 2] [1, 1, 1] : tensor<3x1x2xf32> into tensor<3x8x8xf32>
  %v67 = tensor.extract_slice %v66[0, 3, 0] [3, 1, 3] [1, 1, 1] : tensor<3x8x8xf32> to tensor<3x1x3xf32>
  %v68 = tensor.extract_slice %v66[0, 0, 0] [3, 3, 3] [1, 1, 1] : tensor<3x8x8xf32> to tensor<3x3x3xf32>
  %v69 = tensor.empty() : tensor<3x3x1xf32>
  %v70 = linalg.transpose ins(%v67 : tensor<3x1x3xf32>) outs(%v69 : tensor<3x3x1xf32>) permutation = [0, 2, 1]
  %v71 = tensor.empty() : tensor<3x3x3xf32>
  %g72 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v70, %v68 : tensor<3x3x1xf32>, tensor<3x3x3xf32>) outs(%v71 : tensor<3x3x3xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x3x3xf32>
  %v73 = tensor.empty() : tensor<3x1x3xf32>
  %v74 = linalg.fill ins(%c0 : f32) outs(%v73 : tensor<3x1x3xf32>) -> tensor<3x1x3xf32>
  %g75 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["parallel", "reduction", "parallel"]} ins(%g72 : tensor<3x3x3xf32>) outs(%v74 : tensor<3x1x3xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x3xf32>
  %v76 = tensor.empty() : tensor<3x1x3xf32>
  %g77 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v67, %g75 : tensor<3x1x3xf32>, tensor<3x1x3xf32>) outs(%v76 : tensor<3x1x3xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x3xf32>
  %v78 = tensor.insert_slice %g77 into %v66[0, 3, 0] [3, 1, 3] [1, 1, 1] : tensor<3x1x3xf32> into tensor<3x8x8xf32>
  %v79 = tensor.extract_slice %v78[0, 4, 0] [3, 1, 4] [1, 1, 1] : tensor<3x8x8xf32> to tensor<3x1x4xf32>
  %v80 = tensor.extract_slice %v78[0, 0, 0] [3, 4, 4] [1, 1, 1] : tensor<3x8x8xf32> to tensor<3x4x4xf32>
  %v81 = tensor.empty() : tensor<3x4x1xf32>
  %v82 = linalg.transpose ins(%v79 : tensor<3x1x4xf32>) outs(%v81 : tensor<3x4x1xf32>) permutation = [0, 2, 1]
  %v83 = tensor.empty() : tensor<3x4x4xf32>
  %g84 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v82, %v80 : tensor<3x4x1xf32>, tensor<3x4x4xf32>) outs(%v83 : tensor<3x4x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x4x4xf32>
  %v85 = tensor.empty() : tensor<3x1x4xf32>
  %v86 = linalg.fill ins(%c0 : f32) outs(%v85 : tensor<3x1x4xf32>) -> tensor<3x1x4xf32>
  %g87 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["parallel", "reduction", "parallel"]} ins(%g84 : tensor<3x4x4xf32>) outs(%v86 : tensor<3x1x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x4xf32>
  %v88 = tensor.empty() : tensor<3x1x4xf32>
  %g89 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v79, %g87 : tensor<3x1x4xf32>, tensor<3x1x4xf32>) outs(%v88 : tensor<3x1x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x4xf32>
  %v90 = tensor.insert_slice %g89 into %v78[0, 4, 0] [3, 1, 4] [1, 1, 1] : tensor<3x1x4xf32> into tensor<3x8x8xf32>
  %v91 = tensor.extract_slice %v90[0, 5, 0] [3, 1, 5] [1, 1, 1] : tensor<3x8x8xf32> to tensor<3x1x5xf32>
  %v92 = tensor.extract_slice %v90[0, 0, 0] [3, 5, 5] [1, 1, 1] : tensor<3x8x8xf32> to tensor<3x5x5xf32>
  %v93 = tensor.empty() : tensor<3x5x1xf32>
  %v94 = linalg.transpose ins(%v91 : tensor<3x1x5xf32>) outs(%v93 : tensor<3x5x1xf32>) permutation = [0, 2, 1]
  %v95 = tensor.empty() : tensor<3x5x5xf32>
  %g96 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v94, %v92 : tensor<3x5x1xf32>, tensor<3x5x5xf32>) outs(%v95 : tensor<3x5x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5x5xf32>
  %v97 = tensor.empty() : tensor<3x1x5xf32>
  %v98 = linalg.fill ins(%c0 : f32) outs(%v97 : tensor<3x1x5xf32>) -> tensor<3x1x5xf32>
  %g99 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["parallel", "reduction", "parallel"]} ins(%g96 : tensor<3x5x5xf32>) outs(%v98 : tensor<3x1x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x5xf32>
  %v100 = tensor.empty() : tensor<3x1x5xf32>
  %g101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v91, %g99 : tensor<3x1x5xf32>, tensor<3x1x5xf32>) outs(%v100 : tensor<3x1x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x5xf32>
  %v102 = tensor.insert_slice %g101 into %v90[0, 5, 0] [3, 1, 5] [1, 1, 1] : tensor<3x1x5xf32> into tensor<3x8x8xf32>
  %v103 = tensor.extract_slice %v102[0, 6, 0] [3, 1, 6] [1, 1, 1] : tensor<3x8x8xf32> to tensor<3x1x6xf32>
  %v104 = tensor.extract_slice %v102[0, 0, 0] [3, 6, 6] [1, 1, 1] : tensor<3x8x8xf32> to tensor<3x6x6xf32>
  %v105 = tensor.empty() : tensor<3x6x1xf32>
  %v106 = linalg.transpose ins(%v103 : tensor<3x1x6xf32>) outs(%v105 : tensor<3x6x1xf32>) permutation = [0, 2, 1]
  %v107 = tensor.empty() : tensor<3x6x6xf32>
  %g108 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v106, %v104 : tensor<3x6x1xf32>, tensor<3x6x6xf32>) outs(%v107 : tensor<3x6x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x6x6xf32>
  %v109 = tensor.empty() : tensor<3x1x6xf32>
  %v110 = linalg.fill ins(%c0 : f32) outs(%v109 : tensor<3x1x6xf32>) -> tensor<3x1x6xf32>
  %g111 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["parallel", "reduction", "parallel"]} ins(%g108 : tensor<3x6x6xf32>) outs(%v110 : tensor<3x1x6xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x6xf32>
  %v112 = tensor.empty() : tensor<3x1x6xf32>
  %g113 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v103, %g111 : tensor<3x1x6xf32>, tensor<3x1x6xf32>) outs(%v112 : tensor<3x1x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x6xf32>
  %v114 = tensor.insert_slice %g113 into %v102[0, 6, 0] [3, 1, 6] [1, 1, 1] : tensor<3x1x6xf32> into tensor<3x8x8xf32>
  %v115 = tensor.extract_slice %v114[0, 7, 0] [3, 1, 7] [1, 1, 1] : tensor<3x8x8xf32> to tensor<3x1x7xf32>
  %v116 = tensor.extract_slice %v114[0, 0, 0] [3, 7, 7] [1, 1, 1] : tensor<3x8x8xf32> to tensor<3x7x7xf32>
  %v117 = tensor.empty() : tensor<3x7x1xf32>
  %v118 = linalg.transpose ins(%v115 : tensor<3x1x7xf32>) outs(%v117 : tensor<3x7x1xf32>) permutation = [0, 2, 1]
  %v119 = tensor.empty() : tensor<3x7x7xf32>
  %g120 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v118, %v116 : tensor<3x7x1xf32>, tensor<3x7x7xf32>) outs(%v119 : tensor<3x7x7xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x7x7xf32>
  %v121 = tensor.empty() : tensor<3x1x7xf32>
  %v122 = linalg.fill ins(%c0 : f32) outs(%v121 : tensor<3x1x7xf32>) -> tensor<3x1x7xf32>
  %g123 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["parallel", "reduction", "parallel"]} ins(%g120 : tensor<3x7x7xf32>) outs(%v122 : tensor<3x1x7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x7xf32>
  %v124 = tensor.empty() : tensor<3x1x7xf32>
  %g125 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v115, %g123 : tensor<3x1x7xf32>, tensor<3x1x7xf32>) outs(%v124 : tensor<3x1x7xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x7xf32>
  %v126 = tensor.insert_slice %g125 into %v114[0, 7, 0] [3, 1, 7] [1, 1, 1] : tensor<3x1x7xf32> into tensor<3x8x8xf32>
  %v127 = tensor.empty() : tensor<8xi64>
  %g128 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%v127 : tensor<8xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<8xi64>
  %v129 = tensor.expand_shape %g128 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
  %v130 = tensor.empty() : tensor<8xi64>
  %g131 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%v130 : tensor<8xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<8xi64>
  %v132 = tensor.expand_shape %g131 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
  %v133 = tensor.empty() : tensor<8x8xi1>
  %g134 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%v129, %v132 : tensor<8x1xi64>, tensor<1x8xi64>) outs(%v133 : tensor<8x8xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi eq, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<8x8xi1>
  %v135 = tensor.empty() : tensor<8x8xf32>
  %g136 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%g134 : tensor<8x8xi1>) outs(%v135 : tensor<8x8xf32>) {
  ^bb0(%in0: i1, %out0: f32):
    %r = arith.uitofp %in0 : i1 to f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %v137 = tensor.empty() : tensor<3x8x8xf32>
  %g138 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v126, %g136 : tensor<3x8x8xf32>, tensor<8x8xf32>) outs(%v137 : tensor<3x8x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x8xf32>
  %v139 = tensor.empty() : tensor<3x8x16xf32>
  %v140 = linalg.fill ins(%c0 : f32) outs(%v139 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %v141 = linalg.batch_matmul ins(%g138, %g3 : tensor<3x8x8xf32>, tensor<3x8x16xf32>) outs(%v140 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %v142 = tensor.expand_shape %a_g [[0], [1, 2]] output_shape [3, 8, 1] : tensor<3x8xf32> into tensor<3x8x1xf32>
  %v143 = tensor.empty() : tensor<3x8x1xf32>
  %g144 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v142 : tensor<3x8x1xf32>) outs(%v143 : tensor<3x8x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x1xf32>
  %v145 = tensor.empty() : tensor<3x8x16xf32>
  %g146 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g5, %g144 : tensor<3x8x16xf32>, tensor<3x8x1xf32>) outs(%v145 : tensor<3x8x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x16xf32>
  %v147 = tensor.empty() : tensor<3x8x16xf32>
  %v148 = linalg.fill ins(%c0 : f32) outs(%v147 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %v149 = linalg.batch_matmul ins(%g138, %g146 : tensor<3x8x8xf32>, tensor<3x8x16xf32>) outs(%v148 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %v150 = tensor.empty() : tensor<8xi64>
  %g151 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%v150 : tensor<8xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<8xi64>
  %v152 = tensor.expand_shape %g151 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
  %v153 = tensor.empty() : tensor<8xi64>
  %g154 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%v153 : tensor<8xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<8xi64>
  %v155 = tensor.expand_shape %g154 [[0, 1]] output_shape [1, 8] : tensor<8xi64> into tensor<1x8xi64>
  %v156 = tensor.empty() : tensor<8x8xi1>
  %g157 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%v152, %v155 : tensor<8x1xi64>, tensor<1x8xi64>) outs(%v156 : tensor<8x8xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi slt, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<8x8xi1>
  %v158 = tensor.empty() : tensor<3x16x8xf32>
  %v159 = linalg.transpose ins(%a_k : tensor<3x8x16xf32>) outs(%v158 : tensor<3x16x8xf32>) permutation = [0, 2, 1]
  %v160 = tensor.empty() : tensor<3x8x8xf32>
  %v161 = linalg.fill ins(%c0 : f32) outs(%v160 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v162 = linalg.batch_matmul ins(%a_q, %v159 : tensor<3x8x16xf32>, tensor<3x16x8xf32>) outs(%v161 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %v163 = tensor.empty() : tensor<3x8x8xf32>
  %g164 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v162, %g23 : tensor<3x8x8xf32>, tensor<3x8x8xf32>) outs(%v163 : tensor<3x8x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x8xf32>
  %v165 = tensor.empty() : tensor<3x8x8xf32>
  %g166 = linalg.generic {indexing_maps = [#map7, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g157, %g164 : tensor<8x8xi1>, tensor<3x8x8xf32>) outs(%v165 : tensor<3x8x8xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %c0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x8xf32>
  %v167 = tensor.empty() : tensor<3x8x16xf32>
  %v168 = linalg.fill ins(%c0 : f32) outs(%v167 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %v169 = linalg.batch_matmul ins(%v149, %a_state : tensor<3x8x16xf32>, tensor<3x16x16xf32>) outs(%v168 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %v170 = tensor.empty() : tensor<3x8x16xf32>
  %g171 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v141, %v169 : tensor<3x8x16xf32>, tensor<3x8x16xf32>) outs(%v170 : tensor<3x8x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x16xf32>
  %v172 = tensor.expand_shape %a_g [[0], [1, 2]] output_shape [3, 8, 1] : tensor<3x8xf32> into tensor<3x8x1xf32>
  %v173 = tensor.empty() : tensor<3x8x1xf32>
  %g174 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v172 : tensor<3x8x1xf32>) outs(%v173 : tensor<3x8x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x1xf32>
  %v175 = tensor.empty() : tensor<3x8x16xf32>
  %g176 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_q, %g174 : tensor<3x8x16xf32>, tensor<3x8x1xf32>) outs(%v175 : tensor<3x8x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x16xf32>
  %v177 = tensor.empty() : tensor<3x8x16xf32>
  %v178 = linalg.fill ins(%c0 : f32) outs(%v177 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %v179 = linalg.batch_matmul ins(%g176, %a_state : tensor<3x8x16xf32>, tensor<3x16x16xf32>) outs(%v178 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %v180 = tensor.empty() : tensor<3x8x16xf32>
  %v181 = linalg.fill ins(%c0 : f32) outs(%v180 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %v182 = linalg.batch_matmul ins(%g166, %g171 : tensor<3x8x8xf32>, tensor<3x8x16xf32>) outs(%v181 : tensor<3x8x16xf32>) -> tensor<3x8x16xf32>
  %v183 = tensor.empty() : tensor<3x8x16xf32>
  %g184 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v179, %v182 : tensor<3x8x16xf32>, tensor<3x8x16xf32>) outs(%v183 : tensor<3x8x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x16xf32>
  %v185 = tensor.extract_slice %a_g[0, 7] [3, 1] [1, 1] : tensor<3x8xf32> to tensor<3x1xf32>
  %v186 = tensor.expand_shape %v185 [[0], [1, 2]] output_shape [3, 1, 1] : tensor<3x1xf32> into tensor<3x1x1xf32>
  %v187 = tensor.empty() : tensor<3x1x1xf32>
  %g188 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v186 : tensor<3x1x1xf32>) outs(%v187 : tensor<3x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x1xf32>
  %v189 = tensor.empty() : tensor<3x16x16xf32>
  %g190 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_state, %g188 : tensor<3x16x16xf32>, tensor<3x1x1xf32>) outs(%v189 : tensor<3x16x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x16x16xf32>
  %v191 = tensor.empty() : tensor<3x8xf32>
  %g192 = linalg.generic {indexing_maps = [#map3, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%v185, %a_g : tensor<3x1xf32>, tensor<3x8xf32>) outs(%v191 : tensor<3x8xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x8xf32>
  %v193 = tensor.expand_shape %g192 [[0], [1, 2]] output_shape [3, 8, 1] : tensor<3x8xf32> into tensor<3x8x1xf32>
  %v194 = tensor.empty() : tensor<3x8x1xf32>
  %g195 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v193 : tensor<3x8x1xf32>) outs(%v194 : tensor<3x8x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x1xf32>
  %v196 = tensor.empty() : tensor<3x8x16xf32>
  %g197 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_k, %g195 : tensor<3x8x16xf32>, tensor<3x8x1xf32>) outs(%v196 : tensor<3x8x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x8x16xf32>
  %v198 = tensor.empty() : tensor<3x16x8xf32>
  %v199 = linalg.transpose ins(%g197 : tensor<3x8x16xf32>) outs(%v198 : tensor<3x16x8xf32>) permutation = [0, 2, 1]
  %v200 = tensor.empty() : tensor<3x16x16xf32>
  %v201 = linalg.fill ins(%c0 : f32) outs(%v200 : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
  %v202 = linalg.batch_matmul ins(%v199, %g171 : tensor<3x16x8xf32>, tensor<3x8x16xf32>) outs(%v201 : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
  %v203 = tensor.empty() : tensor<3x16x16xf32>
  %g204 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g190, %v202 : tensor<3x16x16xf32>, tensor<3x16x16xf32>) outs(%v203 : tensor<3x16x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x16x16xf32>
  return %g184, %g204 : tensor<3x8x16xf32>, tensor<3x16x16xf32>
}
