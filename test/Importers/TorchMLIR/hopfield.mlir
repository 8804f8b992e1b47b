// Modern Hopfield network: the state is a query again, three times.

// RUN: linalg-ext-check-program %s --max-kernels=4 --max-buffer-bytes=7168 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @hopfield(%a_q: tensor<1x3x37x16xf32>,
    %a_k: tensor<1x3x45x16xf32>,
    %a_v: tensor<1x3x45x16xf32>) -> (tensor<1x3x37x16xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 2.500000000e-01 : f64
  %c2 = arith.constant 0 : i64
  %c3 = arith.constant 0xFF800000 : f32
  %v1 = tensor.empty() : tensor<1x3x16x45xf32>
  %v2 = linalg.transpose ins(%a_k : tensor<1x3x45x16xf32>) outs(%v1 : tensor<1x3x16x45xf32>) permutation = [0, 1, 3, 2]
  %v3 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %v4 = tensor.collapse_shape %v2 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %v5 = tensor.empty() : tensor<3x37x45xf32>
  %v6 = linalg.fill ins(%c0 : f32) outs(%v5 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v7 = linalg.batch_matmul ins(%v3, %v4 : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%v6 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v8 = tensor.expand_shape %v7 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xf32> into tensor<1x3x37x45xf32>
  %v9 = tensor.empty() : tensor<1x3x37x45xf32>
  %g10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v8 : tensor<1x3x37x45xf32>) outs(%v9 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v11 = tensor.empty() : tensor<1x3x37xi64>
  %v12 = linalg.fill ins(%c2 : i64) outs(%v11 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %v13 = tensor.empty() : tensor<1x3x37xf32>
  %v14 = linalg.fill ins(%c3 : f32) outs(%v13 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %g15:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g10 : tensor<1x3x37x45xf32>) outs(%v14, %v12 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %v16 = tensor.expand_shape %g15#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %v17 = tensor.empty() : tensor<1x3x37x45xf32>
  %g18 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g10, %v16 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%v17 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v19 = tensor.empty() : tensor<1x3x37x45xf32>
  %g20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g18 : tensor<1x3x37x45xf32>) outs(%v19 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v21 = tensor.empty() : tensor<1x3x37x1xf32>
  %v22 = linalg.fill ins(%c0 : f32) outs(%v21 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %g23 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g20 : tensor<1x3x37x45xf32>) outs(%v22 : tensor<1x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x1xf32>
  %v24 = tensor.empty() : tensor<1x3x37x45xf32>
  %g25 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g20, %g23 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%v24 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v26 = tensor.collapse_shape %g25 [[0, 1], [2], [3]] : tensor<1x3x37x45xf32> into tensor<3x37x45xf32>
  %v27 = tensor.collapse_shape %a_k [[0, 1], [2], [3]] : tensor<1x3x45x16xf32> into tensor<3x45x16xf32>
  %v28 = tensor.empty() : tensor<3x37x16xf32>
  %v29 = linalg.fill ins(%c0 : f32) outs(%v28 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v30 = linalg.batch_matmul ins(%v26, %v27 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%v29 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v31 = tensor.expand_shape %v30 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  %v32 = tensor.empty() : tensor<1x3x16x45xf32>
  %v33 = linalg.transpose ins(%a_k : tensor<1x3x45x16xf32>) outs(%v32 : tensor<1x3x16x45xf32>) permutation = [0, 1, 3, 2]
  %v34 = tensor.collapse_shape %v31 [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %v35 = tensor.collapse_shape %v33 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %v36 = tensor.empty() : tensor<3x37x45xf32>
  %v37 = linalg.fill ins(%c0 : f32) outs(%v36 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v38 = linalg.batch_matmul ins(%v34, %v35 : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%v37 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v39 = tensor.expand_shape %v38 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xf32> into tensor<1x3x37x45xf32>
  %v40 = tensor.empty() : tensor<1x3x37x45xf32>
  %g41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v39 : tensor<1x3x37x45xf32>) outs(%v40 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v42 = tensor.empty() : tensor<1x3x37xi64>
  %v43 = linalg.fill ins(%c2 : i64) outs(%v42 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %v44 = tensor.empty() : tensor<1x3x37xf32>
  %v45 = linalg.fill ins(%c3 : f32) outs(%v44 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %g46:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g41 : tensor<1x3x37x45xf32>) outs(%v45, %v43 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %v47 = tensor.expand_shape %g46#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %v48 = tensor.empty() : tensor<1x3x37x45xf32>
  %g49 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g41, %v47 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%v48 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v50 = tensor.empty() : tensor<1x3x37x45xf32>
  %g51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g49 : tensor<1x3x37x45xf32>) outs(%v50 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v52 = tensor.empty() : tensor<1x3x37x1xf32>
  %v53 = linalg.fill ins(%c0 : f32) outs(%v52 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %g54 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g51 : tensor<1x3x37x45xf32>) outs(%v53 : tensor<1x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x1xf32>
  %v55 = tensor.empty() : tensor<1x3x37x45xf32>
  %g56 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g51, %g54 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%v55 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v57 = tensor.collapse_shape %g56 [[0, 1], [2], [3]] : tensor<1x3x37x45xf32> into tensor<3x37x45xf32>
  %v58 = tensor.collapse_shape %a_k [[0, 1], [2], [3]] : tensor<1x3x45x16xf32> into tensor<3x45x16xf32>
  %v59 = tensor.empty() : tensor<3x37x16xf32>
  %v60 = linalg.fill ins(%c0 : f32) outs(%v59 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v61 = linalg.batch_matmul ins(%v57, %v58 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%v60 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v62 = tensor.expand_shape %v61 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  %v63 = tensor.empty() : tensor<1x3x16x45xf32>
  %v64 = linalg.transpose ins(%a_k : tensor<1x3x45x16xf32>) outs(%v63 : tensor<1x3x16x45xf32>) permutation = [0, 1, 3, 2]
  %v65 = tensor.collapse_shape %v62 [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %v66 = tensor.collapse_shape %v64 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %v67 = tensor.empty() : tensor<3x37x45xf32>
  %v68 = linalg.fill ins(%c0 : f32) outs(%v67 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v69 = linalg.batch_matmul ins(%v65, %v66 : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%v68 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v70 = tensor.expand_shape %v69 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xf32> into tensor<1x3x37x45xf32>
  %v71 = tensor.empty() : tensor<1x3x37x45xf32>
  %g72 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v70 : tensor<1x3x37x45xf32>) outs(%v71 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v73 = tensor.empty() : tensor<1x3x37xi64>
  %v74 = linalg.fill ins(%c2 : i64) outs(%v73 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %v75 = tensor.empty() : tensor<1x3x37xf32>
  %v76 = linalg.fill ins(%c3 : f32) outs(%v75 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %g77:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g72 : tensor<1x3x37x45xf32>) outs(%v76, %v74 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %v78 = tensor.expand_shape %g77#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %v79 = tensor.empty() : tensor<1x3x37x45xf32>
  %g80 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g72, %v78 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%v79 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v81 = tensor.empty() : tensor<1x3x37x45xf32>
  %g82 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g80 : tensor<1x3x37x45xf32>) outs(%v81 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v83 = tensor.empty() : tensor<1x3x37x1xf32>
  %v84 = linalg.fill ins(%c0 : f32) outs(%v83 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %g85 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g82 : tensor<1x3x37x45xf32>) outs(%v84 : tensor<1x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x1xf32>
  %v86 = tensor.empty() : tensor<1x3x37x45xf32>
  %g87 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g82, %g85 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%v86 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v88 = tensor.collapse_shape %g87 [[0, 1], [2], [3]] : tensor<1x3x37x45xf32> into tensor<3x37x45xf32>
  %v89 = tensor.collapse_shape %a_k [[0, 1], [2], [3]] : tensor<1x3x45x16xf32> into tensor<3x45x16xf32>
  %v90 = tensor.empty() : tensor<3x37x16xf32>
  %v91 = linalg.fill ins(%c0 : f32) outs(%v90 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v92 = linalg.batch_matmul ins(%v88, %v89 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%v91 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v93 = tensor.expand_shape %v92 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  %v94 = tensor.empty() : tensor<1x3x16x45xf32>
  %v95 = linalg.transpose ins(%a_k : tensor<1x3x45x16xf32>) outs(%v94 : tensor<1x3x16x45xf32>) permutation = [0, 1, 3, 2]
  %v96 = tensor.collapse_shape %v93 [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %v97 = tensor.collapse_shape %v95 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %v98 = tensor.empty() : tensor<3x37x45xf32>
  %v99 = linalg.fill ins(%c0 : f32) outs(%v98 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v100 = linalg.batch_matmul ins(%v96, %v97 : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%v99 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v101 = tensor.expand_shape %v100 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xf32> into tensor<1x3x37x45xf32>
  %v102 = tensor.empty() : tensor<1x3x37x45xf32>
  %g103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v101 : tensor<1x3x37x45xf32>) outs(%v102 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v104 = tensor.empty() : tensor<1x3x37xi64>
  %v105 = linalg.fill ins(%c2 : i64) outs(%v104 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %v106 = tensor.empty() : tensor<1x3x37xf32>
  %v107 = linalg.fill ins(%c3 : f32) outs(%v106 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %g108:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g103 : tensor<1x3x37x45xf32>) outs(%v107, %v105 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %v109 = tensor.expand_shape %g108#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %v110 = tensor.empty() : tensor<1x3x37x45xf32>
  %g111 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g103, %v109 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%v110 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v112 = tensor.empty() : tensor<1x3x37x45xf32>
  %g113 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g111 : tensor<1x3x37x45xf32>) outs(%v112 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v114 = tensor.empty() : tensor<1x3x37x1xf32>
  %v115 = linalg.fill ins(%c0 : f32) outs(%v114 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %g116 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g113 : tensor<1x3x37x45xf32>) outs(%v115 : tensor<1x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x1xf32>
  %v117 = tensor.empty() : tensor<1x3x37x45xf32>
  %g118 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g113, %g116 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%v117 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v119 = tensor.collapse_shape %g118 [[0, 1], [2], [3]] : tensor<1x3x37x45xf32> into tensor<3x37x45xf32>
  %v120 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x3x45x16xf32> into tensor<3x45x16xf32>
  %v121 = tensor.empty() : tensor<3x37x16xf32>
  %v122 = linalg.fill ins(%c0 : f32) outs(%v121 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v123 = linalg.batch_matmul ins(%v119, %v120 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%v122 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v124 = tensor.expand_shape %v123 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  return %v124 : tensor<1x3x37x16xf32>
}
