// Shaw's relative positions: embeddings of distances, clamped, are keys and values, too.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=16448 --max-kernels=2 --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @shaw(%a_q: tensor<1x3x29x16xf32>,
    %a_k: tensor<1x3x29x16xf32>,
    %a_v: tensor<1x3x29x16xf32>,
    %a_rk: tensor<17x16xf32>,
    %a_rv: tensor<17x16xf32>) -> (tensor<1x3x29x16xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 2.500000000e-01 : f64
  %c2 = arith.constant 0 : i64
  %c3 = arith.constant 0xFF800000 : f32
  %v1 = tensor.empty() : tensor<29xi64>
  %g2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v1 : tensor<29xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<29xi64>
  %v3 = tensor.expand_shape %g2 [[0, 1]] output_shape [1, 29] : tensor<29xi64> into tensor<1x29xi64>
  %v4 = tensor.empty() : tensor<29xi64>
  %g5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v4 : tensor<29xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<29xi64>
  %v6 = tensor.expand_shape %g5 [[0, 1]] output_shape [29, 1] : tensor<29xi64> into tensor<29x1xi64>
  %v7 = tensor.empty() : tensor<29x29xi64>
  %g8 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%v3, %v6 : tensor<1x29xi64>, tensor<29x1xi64>) outs(%v7 : tensor<29x29xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %r = arith.subi %in0, %in1 : i64
    linalg.yield %r : i64
  } -> tensor<29x29xi64>
  %v9 = tensor.empty() : tensor<29x29xi64>
  %g10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%g8 : tensor<29x29xi64>) outs(%v9 : tensor<29x29xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %a = arith.constant -8 : i64
    %b = arith.constant 8 : i64
    %x = arith.maxsi %in0, %a : i64
    %y = arith.minsi %x, %b : i64
    %r = arith.addi %y, %b : i64
    linalg.yield %r : i64
  } -> tensor<29x29xi64>
  %v11 = tensor.empty() : tensor<29x29x16xf32>
  %g12 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g10 : tensor<29x29xi64>) outs(%v11 : tensor<29x29x16xf32>) {
  ^bb0(%in0: i64, %out0: f32):
    %i = arith.index_cast %in0 : i64 to index
    %j = linalg.index 2 : index
    %e = tensor.extract %a_rk[%i, %j] : tensor<17x16xf32>
    linalg.yield %e : f32
  } -> tensor<29x29x16xf32>
  %v13 = tensor.empty() : tensor<29x29x16xf32>
  %g14 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g10 : tensor<29x29xi64>) outs(%v13 : tensor<29x29x16xf32>) {
  ^bb0(%in0: i64, %out0: f32):
    %i = arith.index_cast %in0 : i64 to index
    %j = linalg.index 2 : index
    %e = tensor.extract %a_rv[%i, %j] : tensor<17x16xf32>
    linalg.yield %e : f32
  } -> tensor<29x29x16xf32>
  %v15 = tensor.empty() : tensor<29x1x3x16xf32>
  %v16 = linalg.transpose ins(%a_q : tensor<1x3x29x16xf32>) outs(%v15 : tensor<29x1x3x16xf32>) permutation = [2, 0, 1, 3]
  %v17 = tensor.collapse_shape %v16 [[0], [1, 2], [3]] : tensor<29x1x3x16xf32> into tensor<29x3x16xf32>
  %v18 = tensor.empty() : tensor<29x16x29xf32>
  %v19 = linalg.transpose ins(%g12 : tensor<29x29x16xf32>) outs(%v18 : tensor<29x16x29xf32>) permutation = [0, 2, 1]
  %v20 = tensor.empty() : tensor<29x3x29xf32>
  %v21 = linalg.fill ins(%c0 : f32) outs(%v20 : tensor<29x3x29xf32>) -> tensor<29x3x29xf32>
  %v22 = linalg.batch_matmul ins(%v17, %v19 : tensor<29x3x16xf32>, tensor<29x16x29xf32>) outs(%v21 : tensor<29x3x29xf32>) -> tensor<29x3x29xf32>
  %v23 = tensor.expand_shape %v22 [[0], [1, 2], [3]] output_shape [29, 1, 3, 29] : tensor<29x3x29xf32> into tensor<29x1x3x29xf32>
  %v24 = tensor.empty() : tensor<1x3x29x29xf32>
  %v25 = linalg.transpose ins(%v23 : tensor<29x1x3x29xf32>) outs(%v24 : tensor<1x3x29x29xf32>) permutation = [1, 2, 0, 3]
  %v26 = tensor.empty() : tensor<1x3x16x29xf32>
  %v27 = linalg.transpose ins(%a_k : tensor<1x3x29x16xf32>) outs(%v26 : tensor<1x3x16x29xf32>) permutation = [0, 1, 3, 2]
  %v28 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<1x3x29x16xf32> into tensor<3x29x16xf32>
  %v29 = tensor.collapse_shape %v27 [[0, 1], [2], [3]] : tensor<1x3x16x29xf32> into tensor<3x16x29xf32>
  %v30 = tensor.empty() : tensor<3x29x29xf32>
  %v31 = linalg.fill ins(%c0 : f32) outs(%v30 : tensor<3x29x29xf32>) -> tensor<3x29x29xf32>
  %v32 = linalg.batch_matmul ins(%v28, %v29 : tensor<3x29x16xf32>, tensor<3x16x29xf32>) outs(%v31 : tensor<3x29x29xf32>) -> tensor<3x29x29xf32>
  %v33 = tensor.expand_shape %v32 [[0, 1], [2], [3]] output_shape [1, 3, 29, 29] : tensor<3x29x29xf32> into tensor<1x3x29x29xf32>
  %v34 = tensor.empty() : tensor<1x3x29x29xf32>
  %g35 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v33, %v25 : tensor<1x3x29x29xf32>, tensor<1x3x29x29xf32>) outs(%v34 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x29xf32>
  %v36 = tensor.empty() : tensor<1x3x29x29xf32>
  %g37 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g35 : tensor<1x3x29x29xf32>) outs(%v36 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x29xf32>
  %v38 = tensor.empty() : tensor<1x3x29xi64>
  %v39 = linalg.fill ins(%c2 : i64) outs(%v38 : tensor<1x3x29xi64>) -> tensor<1x3x29xi64>
  %v40 = tensor.empty() : tensor<1x3x29xf32>
  %v41 = linalg.fill ins(%c3 : f32) outs(%v40 : tensor<1x3x29xf32>) -> tensor<1x3x29xf32>
  %g42:2 = linalg.generic {indexing_maps = [#map6, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g37 : tensor<1x3x29x29xf32>) outs(%v41, %v39 : tensor<1x3x29xf32>, tensor<1x3x29xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x29xf32>, tensor<1x3x29xi64>)
  %v43 = tensor.expand_shape %g42#0 [[0], [1], [2, 3]] output_shape [1, 3, 29, 1] : tensor<1x3x29xf32> into tensor<1x3x29x1xf32>
  %v44 = tensor.empty() : tensor<1x3x29x29xf32>
  %g45 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g37, %v43 : tensor<1x3x29x29xf32>, tensor<1x3x29x1xf32>) outs(%v44 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x29xf32>
  %v46 = tensor.empty() : tensor<1x3x29x29xf32>
  %g47 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g45 : tensor<1x3x29x29xf32>) outs(%v46 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x29xf32>
  %v48 = tensor.empty() : tensor<1x3x29x1xf32>
  %v49 = linalg.fill ins(%c0 : f32) outs(%v48 : tensor<1x3x29x1xf32>) -> tensor<1x3x29x1xf32>
  %g50 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g47 : tensor<1x3x29x29xf32>) outs(%v49 : tensor<1x3x29x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x1xf32>
  %v51 = tensor.empty() : tensor<1x3x29x29xf32>
  %g52 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g47, %g50 : tensor<1x3x29x29xf32>, tensor<1x3x29x1xf32>) outs(%v51 : tensor<1x3x29x29xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x29xf32>
  %v53 = tensor.collapse_shape %g52 [[0, 1], [2], [3]] : tensor<1x3x29x29xf32> into tensor<3x29x29xf32>
  %v54 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x3x29x16xf32> into tensor<3x29x16xf32>
  %v55 = tensor.empty() : tensor<3x29x16xf32>
  %v56 = linalg.fill ins(%c0 : f32) outs(%v55 : tensor<3x29x16xf32>) -> tensor<3x29x16xf32>
  %v57 = linalg.batch_matmul ins(%v53, %v54 : tensor<3x29x29xf32>, tensor<3x29x16xf32>) outs(%v56 : tensor<3x29x16xf32>) -> tensor<3x29x16xf32>
  %v58 = tensor.expand_shape %v57 [[0, 1], [2], [3]] output_shape [1, 3, 29, 16] : tensor<3x29x16xf32> into tensor<1x3x29x16xf32>
  %v59 = tensor.empty() : tensor<29x1x3x29xf32>
  %v60 = linalg.transpose ins(%g52 : tensor<1x3x29x29xf32>) outs(%v59 : tensor<29x1x3x29xf32>) permutation = [2, 0, 1, 3]
  %v61 = tensor.collapse_shape %v60 [[0], [1, 2], [3]] : tensor<29x1x3x29xf32> into tensor<29x3x29xf32>
  %v62 = tensor.empty() : tensor<29x3x16xf32>
  %v63 = linalg.fill ins(%c0 : f32) outs(%v62 : tensor<29x3x16xf32>) -> tensor<29x3x16xf32>
  %v64 = linalg.batch_matmul ins(%v61, %g14 : tensor<29x3x29xf32>, tensor<29x29x16xf32>) outs(%v63 : tensor<29x3x16xf32>) -> tensor<29x3x16xf32>
  %v65 = tensor.expand_shape %v64 [[0], [1, 2], [3]] output_shape [29, 1, 3, 16] : tensor<29x3x16xf32> into tensor<29x1x3x16xf32>
  %v66 = tensor.empty() : tensor<1x3x29x16xf32>
  %v67 = linalg.transpose ins(%v65 : tensor<29x1x3x16xf32>) outs(%v66 : tensor<1x3x29x16xf32>) permutation = [1, 2, 0, 3]
  %v68 = tensor.empty() : tensor<1x3x29x16xf32>
  %g69 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v58, %v67 : tensor<1x3x29x16xf32>, tensor<1x3x29x16xf32>) outs(%v68 : tensor<1x3x29x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x29x16xf32>
  return %g69 : tensor<1x3x29x16xf32>
}
