// AlphaFold: invariant point attention. Scores have distances of points, and the weights
// multiply three kinds of values.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=5440 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0) -> (d0)>
#map8 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @ipa(%a_q: tensor<37x3x16xf32>,
    %a_k: tensor<37x3x16xf32>,
    %a_v: tensor<37x3x16xf32>,
    %a_qp: tensor<37x3x4x3xf32>,
    %a_kp: tensor<37x3x4x3xf32>,
    %a_vp: tensor<37x3x4x3xf32>,
    %a_b: tensor<3x37x37xf32>,
    %a_z: tensor<37x37x8xf32>,
    %a_hw: tensor<3xf32> {check.draw = "uniform 0.1 1"}) -> (tensor<37x3x16xf32>, tensor<37x3x12xf32>, tensor<37x3x8xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 1.443000000e-01 : f64
  %c2 = arith.constant 5.770000000e-01 : f64
  %c3 = arith.constant -1.000000000e-01 : f64
  %c4 = arith.constant 0 : i64
  %c5 = arith.constant 0xFF800000 : f32
  %v1 = tensor.empty() : tensor<3x37x16xf32>
  %v2 = linalg.transpose ins(%a_q : tensor<37x3x16xf32>) outs(%v1 : tensor<3x37x16xf32>) permutation = [1, 0, 2]
  %v3 = tensor.empty() : tensor<3x37x16xf32>
  %v4 = linalg.transpose ins(%a_k : tensor<37x3x16xf32>) outs(%v3 : tensor<3x37x16xf32>) permutation = [1, 0, 2]
  %v5 = tensor.empty() : tensor<3x16x37xf32>
  %v6 = linalg.transpose ins(%v4 : tensor<3x37x16xf32>) outs(%v5 : tensor<3x16x37xf32>) permutation = [0, 2, 1]
  %v7 = tensor.empty() : tensor<3x37x37xf32>
  %v8 = linalg.fill ins(%c0 : f32) outs(%v7 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %v9 = linalg.batch_matmul ins(%v2, %v6 : tensor<3x37x16xf32>, tensor<3x16x37xf32>) outs(%v8 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %v10 = tensor.empty() : tensor<3x37x37xf32>
  %g11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v9 : tensor<3x37x37xf32>) outs(%v10 : tensor<3x37x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<3x37x37xf32>
  %v12 = tensor.empty() : tensor<3x37x37xf32>
  %g13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_b : tensor<3x37x37xf32>) outs(%v12 : tensor<3x37x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<3x37x37xf32>
  %v14 = tensor.empty() : tensor<3x37x37xf32>
  %g15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g11, %g13 : tensor<3x37x37xf32>, tensor<3x37x37xf32>) outs(%v14 : tensor<3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x37xf32>
  %v16 = tensor.expand_shape %a_qp [[0, 1], [2], [3], [4]] output_shape [37, 1, 3, 4, 3] : tensor<37x3x4x3xf32> into tensor<37x1x3x4x3xf32>
  %v17 = tensor.expand_shape %a_kp [[0, 1], [2], [3], [4]] output_shape [1, 37, 3, 4, 3] : tensor<37x3x4x3xf32> into tensor<1x37x3x4x3xf32>
  %v18 = tensor.empty() : tensor<37x37x3x4x3xf32>
  %g19 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v16, %v17 : tensor<37x1x3x4x3xf32>, tensor<1x37x3x4x3xf32>) outs(%v18 : tensor<37x37x3x4x3xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<37x37x3x4x3xf32>
  %v20 = tensor.empty() : tensor<37x37x3x4x3xf32>
  %g21 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g19, %g19 : tensor<37x37x3x4x3xf32>, tensor<37x37x3x4x3xf32>) outs(%v20 : tensor<37x37x3x4x3xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<37x37x3x4x3xf32>
  %v22 = tensor.empty() : tensor<37x37x3x4xf32>
  %v23 = linalg.fill ins(%c0 : f32) outs(%v22 : tensor<37x37x3x4xf32>) -> tensor<37x37x3x4xf32>
  %g24 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%g21 : tensor<37x37x3x4x3xf32>) outs(%v23 : tensor<37x37x3x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<37x37x3x4xf32>
  %v25 = tensor.empty() : tensor<37x37x3xf32>
  %v26 = linalg.fill ins(%c0 : f32) outs(%v25 : tensor<37x37x3xf32>) -> tensor<37x37x3xf32>
  %g27 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g24 : tensor<37x37x3x4xf32>) outs(%v26 : tensor<37x37x3xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<37x37x3xf32>
  %v28 = tensor.empty() : tensor<3xf32>
  %g29 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel"]} ins(%a_hw : tensor<3xf32>) outs(%v28 : tensor<3xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c3 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<3xf32>
  %v30 = tensor.expand_shape %a_hw [[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>
  %v31 = tensor.expand_shape %v30 [[0, 1], [2]] output_shape [1, 1, 3] : tensor<1x3xf32> into tensor<1x1x3xf32>
  %v32 = tensor.empty() : tensor<37x37x3xf32>
  %g33 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g27, %v31 : tensor<37x37x3xf32>, tensor<1x1x3xf32>) outs(%v32 : tensor<37x37x3xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<37x37x3xf32>
  %v34 = tensor.empty() : tensor<37x37x3xf32>
  %g35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g33 : tensor<37x37x3xf32>) outs(%v34 : tensor<37x37x3xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c3 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<37x37x3xf32>
  %v36 = tensor.empty() : tensor<3x37x37xf32>
  %v37 = linalg.transpose ins(%g35 : tensor<37x37x3xf32>) outs(%v36 : tensor<3x37x37xf32>) permutation = [2, 0, 1]
  %v38 = tensor.empty() : tensor<3x37x37xf32>
  %g39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g15, %v37 : tensor<3x37x37xf32>, tensor<3x37x37xf32>) outs(%v38 : tensor<3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x37xf32>
  %v40 = tensor.empty() : tensor<3x37xi64>
  %v41 = linalg.fill ins(%c4 : i64) outs(%v40 : tensor<3x37xi64>) -> tensor<3x37xi64>
  %v42 = tensor.empty() : tensor<3x37xf32>
  %v43 = linalg.fill ins(%c5 : f32) outs(%v42 : tensor<3x37xf32>) -> tensor<3x37xf32>
  %g44:2 = linalg.generic {indexing_maps = [#map, #map9, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g39 : tensor<3x37x37xf32>) outs(%v43, %v41 : tensor<3x37xf32>, tensor<3x37xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 2 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<3x37xf32>, tensor<3x37xi64>)
  %v45 = tensor.expand_shape %g44#0 [[0], [1, 2]] output_shape [3, 37, 1] : tensor<3x37xf32> into tensor<3x37x1xf32>
  %v46 = tensor.empty() : tensor<3x37x37xf32>
  %g47 = linalg.generic {indexing_maps = [#map, #map10, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g39, %v45 : tensor<3x37x37xf32>, tensor<3x37x1xf32>) outs(%v46 : tensor<3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x37xf32>
  %v48 = tensor.empty() : tensor<3x37x37xf32>
  %g49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g47 : tensor<3x37x37xf32>) outs(%v48 : tensor<3x37x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x37xf32>
  %v50 = tensor.empty() : tensor<3x37x1xf32>
  %v51 = linalg.fill ins(%c0 : f32) outs(%v50 : tensor<3x37x1xf32>) -> tensor<3x37x1xf32>
  %g52 = linalg.generic {indexing_maps = [#map, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g49 : tensor<3x37x37xf32>) outs(%v51 : tensor<3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x1xf32>
  %v53 = tensor.empty() : tensor<3x37x37xf32>
  %g54 = linalg.generic {indexing_maps = [#map, #map10, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g49, %g52 : tensor<3x37x37xf32>, tensor<3x37x1xf32>) outs(%v53 : tensor<3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x37x37xf32>
  %v55 = tensor.empty() : tensor<3x37x16xf32>
  %v56 = linalg.transpose ins(%a_v : tensor<37x3x16xf32>) outs(%v55 : tensor<3x37x16xf32>) permutation = [1, 0, 2]
  %v57 = tensor.empty() : tensor<3x37x16xf32>
  %v58 = linalg.fill ins(%c0 : f32) outs(%v57 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v59 = linalg.batch_matmul ins(%g54, %v56 : tensor<3x37x37xf32>, tensor<3x37x16xf32>) outs(%v58 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v60 = tensor.empty() : tensor<37x3x16xf32>
  %v61 = linalg.transpose ins(%v59 : tensor<3x37x16xf32>) outs(%v60 : tensor<37x3x16xf32>) permutation = [1, 0, 2]
  %v62 = tensor.collapse_shape %a_vp [[0], [1], [2, 3]] : tensor<37x3x4x3xf32> into tensor<37x3x12xf32>
  %v63 = tensor.empty() : tensor<3x37x12xf32>
  %v64 = linalg.transpose ins(%v62 : tensor<37x3x12xf32>) outs(%v63 : tensor<3x37x12xf32>) permutation = [1, 0, 2]
  %v65 = tensor.empty() : tensor<3x37x12xf32>
  %v66 = linalg.fill ins(%c0 : f32) outs(%v65 : tensor<3x37x12xf32>) -> tensor<3x37x12xf32>
  %v67 = linalg.batch_matmul ins(%g54, %v64 : tensor<3x37x37xf32>, tensor<3x37x12xf32>) outs(%v66 : tensor<3x37x12xf32>) -> tensor<3x37x12xf32>
  %v68 = tensor.empty() : tensor<37x3x12xf32>
  %v69 = linalg.transpose ins(%v67 : tensor<3x37x12xf32>) outs(%v68 : tensor<37x3x12xf32>) permutation = [1, 0, 2]
  %v70 = tensor.empty() : tensor<37x3x37xf32>
  %v71 = linalg.transpose ins(%g54 : tensor<3x37x37xf32>) outs(%v70 : tensor<37x3x37xf32>) permutation = [1, 0, 2]
  %v72 = tensor.empty() : tensor<37x3x8xf32>
  %v73 = linalg.fill ins(%c0 : f32) outs(%v72 : tensor<37x3x8xf32>) -> tensor<37x3x8xf32>
  %v74 = linalg.batch_matmul ins(%v71, %a_z : tensor<37x3x37xf32>, tensor<37x37x8xf32>) outs(%v73 : tensor<37x3x8xf32>) -> tensor<37x3x8xf32>
  return %v61, %v69, %v74 : tensor<37x3x16xf32>, tensor<37x3x12xf32>, tensor<37x3x8xf32>
}
