// Mamba: the scan in steps, as Transformers writes it.

// RUN: linalg-ext-check-program %s --max-kernels=15

#map = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (0, d1, 0)>

func.func @selective_scan(%a_x: tensor<2x8x7xf32>,
    %a_dt: tensor<2x8x7xf32> {check.draw = "uniform 0 1"},
    %a_a: tensor<8x4xf32> {check.draw = "uniform -1 0"},
    %a_bm: tensor<2x7x4xf32>,
    %a_cm: tensor<2x7x4xf32>,
    %a_dd: tensor<8xf32>) -> (tensor<2x8x7xf32>, tensor<2x8x4xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %v1 = tensor.expand_shape %a_a [[0, 1], [2]] output_shape [1, 8, 4] : tensor<8x4xf32> into tensor<1x8x4xf32>
  %v2 = tensor.expand_shape %v1 [[0], [1, 2], [3]] output_shape [1, 8, 1, 4] : tensor<1x8x4xf32> into tensor<1x8x1x4xf32>
  %v3 = tensor.expand_shape %a_dt [[0], [1], [2, 3]] output_shape [2, 8, 7, 1] : tensor<2x8x7xf32> into tensor<2x8x7x1xf32>
  %v4 = tensor.empty() : tensor<2x8x7x4xf32>
  %g5 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v2, %v3 : tensor<1x8x1x4xf32>, tensor<2x8x7x1xf32>) outs(%v4 : tensor<2x8x7x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x7x4xf32>
  %v6 = tensor.empty() : tensor<2x8x7x4xf32>
  %g7 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g5 : tensor<2x8x7x4xf32>) outs(%v6 : tensor<2x8x7x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x7x4xf32>
  %v8 = tensor.expand_shape %a_dt [[0], [1], [2, 3]] output_shape [2, 8, 7, 1] : tensor<2x8x7xf32> into tensor<2x8x7x1xf32>
  %v9 = tensor.expand_shape %a_bm [[0, 1], [2], [3]] output_shape [2, 1, 7, 4] : tensor<2x7x4xf32> into tensor<2x1x7x4xf32>
  %v10 = tensor.empty() : tensor<2x8x7x4xf32>
  %g11 = linalg.generic {indexing_maps = [#map1, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v8, %v9 : tensor<2x8x7x1xf32>, tensor<2x1x7x4xf32>) outs(%v10 : tensor<2x8x7x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x7x4xf32>
  %v12 = tensor.expand_shape %a_x [[0], [1], [2, 3]] output_shape [2, 8, 7, 1] : tensor<2x8x7xf32> into tensor<2x8x7x1xf32>
  %v13 = tensor.empty() : tensor<2x8x7x4xf32>
  %g14 = linalg.generic {indexing_maps = [#map2, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g11, %v12 : tensor<2x8x7x4xf32>, tensor<2x8x7x1xf32>) outs(%v13 : tensor<2x8x7x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x7x4xf32>
  %v15 = tensor.empty() : tensor<2x8x4xf32>
  %v16 = linalg.fill ins(%c0 : f32) outs(%v15 : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %v17 = tensor.extract_slice %g7[0, 0, 0, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x7x4xf32> to tensor<2x8x1x4xf32>
  %v18 = tensor.collapse_shape %v17 [[0], [1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<2x8x4xf32>
  %v19 = tensor.extract_slice %g14[0, 0, 0, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x7x4xf32> to tensor<2x8x1x4xf32>
  %v20 = tensor.collapse_shape %v19 [[0], [1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<2x8x4xf32>
  %v21 = tensor.empty() : tensor<2x8x4xf32>
  %g22 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v18, %v16 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%v21 : tensor<2x8x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x4xf32>
  %v23 = tensor.empty() : tensor<2x8x4xf32>
  %g24 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g22, %v20 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%v23 : tensor<2x8x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x4xf32>
  %v25 = tensor.extract_slice %a_cm[0, 0, 0] [2, 1, 4] [1, 1, 1] : tensor<2x7x4xf32> to tensor<2x1x4xf32>
  %v26 = tensor.empty() : tensor<2x4x1xf32>
  %v27 = linalg.transpose ins(%v25 : tensor<2x1x4xf32>) outs(%v26 : tensor<2x4x1xf32>) permutation = [0, 2, 1]
  %v28 = tensor.empty() : tensor<2x8x1xf32>
  %v29 = linalg.fill ins(%c0 : f32) outs(%v28 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v30 = linalg.batch_matmul ins(%g24, %v27 : tensor<2x8x4xf32>, tensor<2x4x1xf32>) outs(%v29 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v31 = tensor.extract_slice %g7[0, 0, 1, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x7x4xf32> to tensor<2x8x1x4xf32>
  %v32 = tensor.collapse_shape %v31 [[0], [1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<2x8x4xf32>
  %v33 = tensor.extract_slice %g14[0, 0, 1, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x7x4xf32> to tensor<2x8x1x4xf32>
  %v34 = tensor.collapse_shape %v33 [[0], [1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<2x8x4xf32>
  %v35 = tensor.empty() : tensor<2x8x4xf32>
  %g36 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v32, %g24 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%v35 : tensor<2x8x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x4xf32>
  %v37 = tensor.empty() : tensor<2x8x4xf32>
  %g38 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g36, %v34 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%v37 : tensor<2x8x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x4xf32>
  %v39 = tensor.extract_slice %a_cm[0, 1, 0] [2, 1, 4] [1, 1, 1] : tensor<2x7x4xf32> to tensor<2x1x4xf32>
  %v40 = tensor.empty() : tensor<2x4x1xf32>
  %v41 = linalg.transpose ins(%v39 : tensor<2x1x4xf32>) outs(%v40 : tensor<2x4x1xf32>) permutation = [0, 2, 1]
  %v42 = tensor.empty() : tensor<2x8x1xf32>
  %v43 = linalg.fill ins(%c0 : f32) outs(%v42 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v44 = linalg.batch_matmul ins(%g38, %v41 : tensor<2x8x4xf32>, tensor<2x4x1xf32>) outs(%v43 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v45 = tensor.extract_slice %g7[0, 0, 2, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x7x4xf32> to tensor<2x8x1x4xf32>
  %v46 = tensor.collapse_shape %v45 [[0], [1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<2x8x4xf32>
  %v47 = tensor.extract_slice %g14[0, 0, 2, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x7x4xf32> to tensor<2x8x1x4xf32>
  %v48 = tensor.collapse_shape %v47 [[0], [1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<2x8x4xf32>
  %v49 = tensor.empty() : tensor<2x8x4xf32>
  %g50 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v46, %g38 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%v49 : tensor<2x8x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x4xf32>
  %v51 = tensor.empty() : tensor<2x8x4xf32>
  %g52 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g50, %v48 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%v51 : tensor<2x8x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x4xf32>
  %v53 = tensor.extract_slice %a_cm[0, 2, 0] [2, 1, 4] [1, 1, 1] : tensor<2x7x4xf32> to tensor<2x1x4xf32>
  %v54 = tensor.empty() : tensor<2x4x1xf32>
  %v55 = linalg.transpose ins(%v53 : tensor<2x1x4xf32>) outs(%v54 : tensor<2x4x1xf32>) permutation = [0, 2, 1]
  %v56 = tensor.empty() : tensor<2x8x1xf32>
  %v57 = linalg.fill ins(%c0 : f32) outs(%v56 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v58 = linalg.batch_matmul ins(%g52, %v55 : tensor<2x8x4xf32>, tensor<2x4x1xf32>) outs(%v57 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v59 = tensor.extract_slice %g7[0, 0, 3, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x7x4xf32> to tensor<2x8x1x4xf32>
  %v60 = tensor.collapse_shape %v59 [[0], [1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<2x8x4xf32>
  %v61 = tensor.extract_slice %g14[0, 0, 3, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x7x4xf32> to tensor<2x8x1x4xf32>
  %v62 = tensor.collapse_shape %v61 [[0], [1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<2x8x4xf32>
  %v63 = tensor.empty() : tensor<2x8x4xf32>
  %g64 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v60, %g52 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%v63 : tensor<2x8x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x4xf32>
  %v65 = tensor.empty() : tensor<2x8x4xf32>
  %g66 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g64, %v62 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%v65 : tensor<2x8x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x4xf32>
  %v67 = tensor.extract_slice %a_cm[0, 3, 0] [2, 1, 4] [1, 1, 1] : tensor<2x7x4xf32> to tensor<2x1x4xf32>
  %v68 = tensor.empty() : tensor<2x4x1xf32>
  %v69 = linalg.transpose ins(%v67 : tensor<2x1x4xf32>) outs(%v68 : tensor<2x4x1xf32>) permutation = [0, 2, 1]
  %v70 = tensor.empty() : tensor<2x8x1xf32>
  %v71 = linalg.fill ins(%c0 : f32) outs(%v70 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v72 = linalg.batch_matmul ins(%g66, %v69 : tensor<2x8x4xf32>, tensor<2x4x1xf32>) outs(%v71 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v73 = tensor.extract_slice %g7[0, 0, 4, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x7x4xf32> to tensor<2x8x1x4xf32>
  %v74 = tensor.collapse_shape %v73 [[0], [1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<2x8x4xf32>
  %v75 = tensor.extract_slice %g14[0, 0, 4, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x7x4xf32> to tensor<2x8x1x4xf32>
  %v76 = tensor.collapse_shape %v75 [[0], [1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<2x8x4xf32>
  %v77 = tensor.empty() : tensor<2x8x4xf32>
  %g78 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v74, %g66 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%v77 : tensor<2x8x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x4xf32>
  %v79 = tensor.empty() : tensor<2x8x4xf32>
  %g80 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g78, %v76 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%v79 : tensor<2x8x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x4xf32>
  %v81 = tensor.extract_slice %a_cm[0, 4, 0] [2, 1, 4] [1, 1, 1] : tensor<2x7x4xf32> to tensor<2x1x4xf32>
  %v82 = tensor.empty() : tensor<2x4x1xf32>
  %v83 = linalg.transpose ins(%v81 : tensor<2x1x4xf32>) outs(%v82 : tensor<2x4x1xf32>) permutation = [0, 2, 1]
  %v84 = tensor.empty() : tensor<2x8x1xf32>
  %v85 = linalg.fill ins(%c0 : f32) outs(%v84 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v86 = linalg.batch_matmul ins(%g80, %v83 : tensor<2x8x4xf32>, tensor<2x4x1xf32>) outs(%v85 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v87 = tensor.extract_slice %g7[0, 0, 5, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x7x4xf32> to tensor<2x8x1x4xf32>
  %v88 = tensor.collapse_shape %v87 [[0], [1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<2x8x4xf32>
  %v89 = tensor.extract_slice %g14[0, 0, 5, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x7x4xf32> to tensor<2x8x1x4xf32>
  %v90 = tensor.collapse_shape %v89 [[0], [1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<2x8x4xf32>
  %v91 = tensor.empty() : tensor<2x8x4xf32>
  %g92 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v88, %g80 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%v91 : tensor<2x8x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x4xf32>
  %v93 = tensor.empty() : tensor<2x8x4xf32>
  %g94 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g92, %v90 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%v93 : tensor<2x8x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x4xf32>
  %v95 = tensor.extract_slice %a_cm[0, 5, 0] [2, 1, 4] [1, 1, 1] : tensor<2x7x4xf32> to tensor<2x1x4xf32>
  %v96 = tensor.empty() : tensor<2x4x1xf32>
  %v97 = linalg.transpose ins(%v95 : tensor<2x1x4xf32>) outs(%v96 : tensor<2x4x1xf32>) permutation = [0, 2, 1]
  %v98 = tensor.empty() : tensor<2x8x1xf32>
  %v99 = linalg.fill ins(%c0 : f32) outs(%v98 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v100 = linalg.batch_matmul ins(%g94, %v97 : tensor<2x8x4xf32>, tensor<2x4x1xf32>) outs(%v99 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v101 = tensor.extract_slice %g7[0, 0, 6, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x7x4xf32> to tensor<2x8x1x4xf32>
  %v102 = tensor.collapse_shape %v101 [[0], [1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<2x8x4xf32>
  %v103 = tensor.extract_slice %g14[0, 0, 6, 0] [2, 8, 1, 4] [1, 1, 1, 1] : tensor<2x8x7x4xf32> to tensor<2x8x1x4xf32>
  %v104 = tensor.collapse_shape %v103 [[0], [1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<2x8x4xf32>
  %v105 = tensor.empty() : tensor<2x8x4xf32>
  %g106 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v102, %g94 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%v105 : tensor<2x8x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x4xf32>
  %v107 = tensor.empty() : tensor<2x8x4xf32>
  %g108 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g106, %v104 : tensor<2x8x4xf32>, tensor<2x8x4xf32>) outs(%v107 : tensor<2x8x4xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x4xf32>
  %v109 = tensor.extract_slice %a_cm[0, 6, 0] [2, 1, 4] [1, 1, 1] : tensor<2x7x4xf32> to tensor<2x1x4xf32>
  %v110 = tensor.empty() : tensor<2x4x1xf32>
  %v111 = linalg.transpose ins(%v109 : tensor<2x1x4xf32>) outs(%v110 : tensor<2x4x1xf32>) permutation = [0, 2, 1]
  %v112 = tensor.empty() : tensor<2x8x1xf32>
  %v113 = linalg.fill ins(%c0 : f32) outs(%v112 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v114 = linalg.batch_matmul ins(%g108, %v111 : tensor<2x8x4xf32>, tensor<2x4x1xf32>) outs(%v113 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %v115 = tensor.concat dim(2) %v30, %v44, %v58, %v72, %v86, %v100, %v114 : (tensor<2x8x1xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x7xf32>
  %v116 = tensor.expand_shape %a_dd [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
  %v117 = tensor.expand_shape %v116 [[0], [1, 2]] output_shape [1, 8, 1] : tensor<1x8xf32> into tensor<1x8x1xf32>
  %v118 = tensor.empty() : tensor<2x8x7xf32>
  %g119 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_x, %v117 : tensor<2x8x7xf32>, tensor<1x8x1xf32>) outs(%v118 : tensor<2x8x7xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x7xf32>
  %v120 = tensor.empty() : tensor<2x8x7xf32>
  %g121 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v115, %g119 : tensor<2x8x7xf32>, tensor<2x8x7xf32>) outs(%v120 : tensor<2x8x7xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x7xf32>
  return %g121, %g108 : tensor<2x8x7xf32>, tensor<2x8x4xf32>
}
