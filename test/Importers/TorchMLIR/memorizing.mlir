// Memorizing Transformers: each query has retrieved keys of its own, beside those of its
// text; a gate mixes.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=5632 --max-kernels=3 --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>

func.func @memorizing(%a_q: tensor<1x3x29x16xf32>,
    %a_k: tensor<1x3x29x16xf32>,
    %a_v: tensor<1x3x29x16xf32>,
    %a_mk: tensor<1x3x29x12x16xf32>,
    %a_mv: tensor<1x3x29x12x16xf32>,
    %a_g: tensor<3x1x1xf32>) -> (tensor<1x3x29x16xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 2.500000000e-01 : f64
  %c2 = arith.constant 0xFF800000 : f32
  %c3 = arith.constant 0 : i64
  %v1 = tensor.empty() : tensor<29xi64>
  %g2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v1 : tensor<29xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<29xi64>
  %v3 = tensor.expand_shape %g2 [[0, 1]] output_shape [29, 1] : tensor<29xi64> into tensor<29x1xi64>
  %v4 = tensor.empty() : tensor<29xi64>
  %g5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v4 : tensor<29xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<29xi64>
  %v6 = tensor.expand_shape %g5 [[0, 1]] output_shape [1, 29] : tensor<29xi64> into tensor<1x29xi64>
  %v7 = tensor.empty() : tensor<29x29xi1>
  %g8 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%v3, %v6 : tensor<29x1xi64>, tensor<1x29xi64>) outs(%v7 : tensor<29x29xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<29x29xi1>
  %v9 = tensor.empty() : tensor<1x3x16x29xf32>
  %v10 = linalg.transpose ins(%a_k : tensor<1x3x29x16xf32>) outs(%v9 : tensor<1x3x16x29xf32>) permutation = [0, 1, 3, 2]
  %v11 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<1x3x29x16xf32> into tensor<3x29x16xf32>
  %v12 = tensor.collapse_shape %v10 [[0, 1], [2], [3]] : tensor<1x3x16x29xf32> into tensor<3x16x29xf32>
  %v13 = tensor.empty() : tensor<3x29x29xf32>
  %v14 = linalg.fill ins(%c0 : f32) outs(%v13 : tensor<3x29x29xf32>) -> tensor<3x29x29xf32>
  %v15 = linalg.batch_matmul ins(%v11, %v12 : tensor<3x29x16xf32>, tensor<3x16x29xf32>) outs(%v14 : tensor<3x29x29xf32>) -> tensor<3x29x29xf32>
  %v16 = tensor.expand_shape %v15 [[0, 1], [2], [3]] output_shape [1, 3, 29, 29] : tensor<3x29x29xf32> into tensor<1x3x29x29xf32>
  %v17 = tensor.empty() : tensor<1x3x29x29xf32>
  %g18 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v16 : tensor<1x3x29x29xf32>) outs(%v17 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x29xf32>
  %v19 = tensor.empty() : tensor<1x3x29x29xf32>
  %g20 = linalg.generic {indexing_maps = [#map5, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g8, %g18 : tensor<29x29xi1>, tensor<1x3x29x29xf32>) outs(%v19 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c2 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x29xf32>
  %v21 = tensor.empty() : tensor<1x3x29xi64>
  %v22 = linalg.fill ins(%c3 : i64) outs(%v21 : tensor<1x3x29xi64>) -> tensor<1x3x29xi64>
  %v23 = tensor.empty() : tensor<1x3x29xf32>
  %v24 = linalg.fill ins(%c2 : f32) outs(%v23 : tensor<1x3x29xf32>) -> tensor<1x3x29xf32>
  %g25:2 = linalg.generic {indexing_maps = [#map4, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g20 : tensor<1x3x29x29xf32>) outs(%v24, %v22 : tensor<1x3x29xf32>, tensor<1x3x29xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x29xf32>, tensor<1x3x29xi64>)
  %v26 = tensor.expand_shape %g25#0 [[0], [1], [2, 3]] output_shape [1, 3, 29, 1] : tensor<1x3x29xf32> into tensor<1x3x29x1xf32>
  %v27 = tensor.empty() : tensor<1x3x29x29xf32>
  %g28 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g20, %v26 : tensor<1x3x29x29xf32>, tensor<1x3x29x1xf32>) outs(%v27 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x29xf32>
  %v29 = tensor.empty() : tensor<1x3x29x29xf32>
  %g30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g28 : tensor<1x3x29x29xf32>) outs(%v29 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x29xf32>
  %v31 = tensor.empty() : tensor<1x3x29x1xf32>
  %v32 = linalg.fill ins(%c0 : f32) outs(%v31 : tensor<1x3x29x1xf32>) -> tensor<1x3x29x1xf32>
  %g33 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g30 : tensor<1x3x29x29xf32>) outs(%v32 : tensor<1x3x29x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x1xf32>
  %v34 = tensor.empty() : tensor<1x3x29x29xf32>
  %g35 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g30, %g33 : tensor<1x3x29x29xf32>, tensor<1x3x29x1xf32>) outs(%v34 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x29xf32>
  %v36 = tensor.collapse_shape %g35 [[0, 1], [2], [3]] : tensor<1x3x29x29xf32> into tensor<3x29x29xf32>
  %v37 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x3x29x16xf32> into tensor<3x29x16xf32>
  %v38 = tensor.empty() : tensor<3x29x16xf32>
  %v39 = linalg.fill ins(%c0 : f32) outs(%v38 : tensor<3x29x16xf32>) -> tensor<3x29x16xf32>
  %v40 = linalg.batch_matmul ins(%v36, %v37 : tensor<3x29x29xf32>, tensor<3x29x16xf32>) outs(%v39 : tensor<3x29x16xf32>) -> tensor<3x29x16xf32>
  %v41 = tensor.expand_shape %v40 [[0, 1], [2], [3]] output_shape [1, 3, 29, 16] : tensor<3x29x16xf32> into tensor<1x3x29x16xf32>
  %v42 = tensor.expand_shape %a_q [[0], [1], [2, 3], [4]] output_shape [1, 3, 29, 1, 16] : tensor<1x3x29x16xf32> into tensor<1x3x29x1x16xf32>
  %v43 = tensor.empty() : tensor<1x3x29x16x12xf32>
  %v44 = linalg.transpose ins(%a_mk : tensor<1x3x29x12x16xf32>) outs(%v43 : tensor<1x3x29x16x12xf32>) permutation = [0, 1, 2, 4, 3]
  %v45 = tensor.collapse_shape %v42 [[0, 1, 2], [3], [4]] : tensor<1x3x29x1x16xf32> into tensor<87x1x16xf32>
  %v46 = tensor.collapse_shape %v44 [[0, 1, 2], [3], [4]] : tensor<1x3x29x16x12xf32> into tensor<87x16x12xf32>
  %v47 = tensor.empty() : tensor<87x1x12xf32>
  %v48 = linalg.fill ins(%c0 : f32) outs(%v47 : tensor<87x1x12xf32>) -> tensor<87x1x12xf32>
  %v49 = linalg.batch_matmul ins(%v45, %v46 : tensor<87x1x16xf32>, tensor<87x16x12xf32>) outs(%v48 : tensor<87x1x12xf32>) -> tensor<87x1x12xf32>
  %v50 = tensor.expand_shape %v49 [[0, 1, 2], [3], [4]] output_shape [1, 3, 29, 1, 12] : tensor<87x1x12xf32> into tensor<1x3x29x1x12xf32>
  %v51 = tensor.collapse_shape %v50 [[0], [1], [2], [3, 4]] : tensor<1x3x29x1x12xf32> into tensor<1x3x29x12xf32>
  %v52 = tensor.empty() : tensor<1x3x29x12xf32>
  %g53 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v51 : tensor<1x3x29x12xf32>) outs(%v52 : tensor<1x3x29x12xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x12xf32>
  %v54 = tensor.empty() : tensor<1x3x29xi64>
  %v55 = linalg.fill ins(%c3 : i64) outs(%v54 : tensor<1x3x29xi64>) -> tensor<1x3x29xi64>
  %v56 = tensor.empty() : tensor<1x3x29xf32>
  %v57 = linalg.fill ins(%c2 : f32) outs(%v56 : tensor<1x3x29xf32>) -> tensor<1x3x29xf32>
  %g58:2 = linalg.generic {indexing_maps = [#map4, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g53 : tensor<1x3x29x12xf32>) outs(%v57, %v55 : tensor<1x3x29xf32>, tensor<1x3x29xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x29xf32>, tensor<1x3x29xi64>)
  %v59 = tensor.expand_shape %g58#0 [[0], [1], [2, 3]] output_shape [1, 3, 29, 1] : tensor<1x3x29xf32> into tensor<1x3x29x1xf32>
  %v60 = tensor.empty() : tensor<1x3x29x12xf32>
  %g61 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g53, %v59 : tensor<1x3x29x12xf32>, tensor<1x3x29x1xf32>) outs(%v60 : tensor<1x3x29x12xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x12xf32>
  %v62 = tensor.empty() : tensor<1x3x29x12xf32>
  %g63 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g61 : tensor<1x3x29x12xf32>) outs(%v62 : tensor<1x3x29x12xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x12xf32>
  %v64 = tensor.empty() : tensor<1x3x29x1xf32>
  %v65 = linalg.fill ins(%c0 : f32) outs(%v64 : tensor<1x3x29x1xf32>) -> tensor<1x3x29x1xf32>
  %g66 = linalg.generic {indexing_maps = [#map4, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g63 : tensor<1x3x29x12xf32>) outs(%v65 : tensor<1x3x29x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x1xf32>
  %v67 = tensor.empty() : tensor<1x3x29x12xf32>
  %g68 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g63, %g66 : tensor<1x3x29x12xf32>, tensor<1x3x29x1xf32>) outs(%v67 : tensor<1x3x29x12xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x12xf32>
  %v69 = tensor.expand_shape %g68 [[0], [1], [2, 3], [4]] output_shape [1, 3, 29, 1, 12] : tensor<1x3x29x12xf32> into tensor<1x3x29x1x12xf32>
  %v70 = tensor.collapse_shape %v69 [[0, 1, 2], [3], [4]] : tensor<1x3x29x1x12xf32> into tensor<87x1x12xf32>
  %v71 = tensor.collapse_shape %a_mv [[0, 1, 2], [3], [4]] : tensor<1x3x29x12x16xf32> into tensor<87x12x16xf32>
  %v72 = tensor.empty() : tensor<87x1x16xf32>
  %v73 = linalg.fill ins(%c0 : f32) outs(%v72 : tensor<87x1x16xf32>) -> tensor<87x1x16xf32>
  %v74 = linalg.batch_matmul ins(%v70, %v71 : tensor<87x1x12xf32>, tensor<87x12x16xf32>) outs(%v73 : tensor<87x1x16xf32>) -> tensor<87x1x16xf32>
  %v75 = tensor.expand_shape %v74 [[0, 1, 2], [3], [4]] output_shape [1, 3, 29, 1, 16] : tensor<87x1x16xf32> into tensor<1x3x29x1x16xf32>
  %v76 = tensor.collapse_shape %v75 [[0], [1], [2], [3, 4]] : tensor<1x3x29x1x16xf32> into tensor<1x3x29x16xf32>
  %v77 = tensor.empty() : tensor<3x1x1xf32>
  %g78 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_g : tensor<3x1x1xf32>) outs(%v77 : tensor<3x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %one = arith.constant 1.0 : f32
    %n = arith.negf %in0 : f32
    %x = math.exp %n : f32
    %d = arith.addf %x, %one : f32
    %r = arith.divf %one, %d : f32
    linalg.yield %r : f32
  } -> tensor<3x1x1xf32>
  %v79 = tensor.empty() : tensor<1x3x29x16xf32>
  %g80 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v76, %g78 : tensor<1x3x29x16xf32>, tensor<3x1x1xf32>) outs(%v79 : tensor<1x3x29x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x16xf32>
  %v81 = tensor.empty() : tensor<3x1x1xf32>
  %g82 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g78 : tensor<3x1x1xf32>) outs(%v81 : tensor<3x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %one = arith.constant 1.0 : f32
    %r = arith.subf %one, %in0 : f32
    linalg.yield %r : f32
  } -> tensor<3x1x1xf32>
  %v83 = tensor.empty() : tensor<1x3x29x16xf32>
  %g84 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v41, %g82 : tensor<1x3x29x16xf32>, tensor<3x1x1xf32>) outs(%v83 : tensor<1x3x29x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x16xf32>
  %v85 = tensor.empty() : tensor<1x3x29x16xf32>
  %g86 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g80, %g84 : tensor<1x3x29x16xf32>, tensor<1x3x29x16xf32>) outs(%v85 : tensor<1x3x29x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x16xf32>
  return %g86 : tensor<1x3x29x16xf32>
}
