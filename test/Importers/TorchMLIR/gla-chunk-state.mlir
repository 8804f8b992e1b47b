// Gated linear attention: a chunk reads a state and writes the next one.

// RUN: linalg-ext-check-program %s --max-kernels=3 --max-buffer-bytes=24640 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @gla_chunk(%a_q: tensor<2x3x32x16xf32>,
    %a_k: tensor<2x3x32x16xf32>,
    %a_v: tensor<2x3x32x24xf32>,
    %a_decay: tensor<2x3x32x16xf32> {check.draw = "uniform -2 0"},
    %a_state: tensor<2x3x16x24xf32>) -> (tensor<2x3x32x24xf32>, tensor<2x3x16x24xf32>) {
  %c0 = arith.constant 2.500000000e-01 : f64
  %c1 = arith.constant 0.000000000e+00 : f32
  %v1 = tensor.empty() : tensor<2x3x32x16xf32>
  %g2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_q : tensor<2x3x32x16xf32>) outs(%v1 : tensor<2x3x32x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c0 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x3x32x16xf32>
  %v3 = tensor.empty() : tensor<2x3x32x16xf32>
  %g4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_decay : tensor<2x3x32x16xf32>) outs(%v3 : tensor<2x3x32x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x32x16xf32>
  %v5 = tensor.empty() : tensor<2x3x32x16xf32>
  %g6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g2, %g4 : tensor<2x3x32x16xf32>, tensor<2x3x32x16xf32>) outs(%v5 : tensor<2x3x32x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x32x16xf32>
  %v7 = tensor.empty() : tensor<2x3x32x16xf32>
  %g8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_decay : tensor<2x3x32x16xf32>) outs(%v7 : tensor<2x3x32x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.negf %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x32x16xf32>
  %v9 = tensor.empty() : tensor<2x3x32x16xf32>
  %g10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g8 : tensor<2x3x32x16xf32>) outs(%v9 : tensor<2x3x32x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x32x16xf32>
  %v11 = tensor.empty() : tensor<2x3x32x16xf32>
  %g12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_k, %g10 : tensor<2x3x32x16xf32>, tensor<2x3x32x16xf32>) outs(%v11 : tensor<2x3x32x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x32x16xf32>
  %v13 = tensor.empty() : tensor<2x3x16x32xf32>
  %v14 = linalg.transpose ins(%g12 : tensor<2x3x32x16xf32>) outs(%v13 : tensor<2x3x16x32xf32>) permutation = [0, 1, 3, 2]
  %v15 = tensor.collapse_shape %g6 [[0, 1], [2], [3]] : tensor<2x3x32x16xf32> into tensor<6x32x16xf32>
  %v16 = tensor.collapse_shape %v14 [[0, 1], [2], [3]] : tensor<2x3x16x32xf32> into tensor<6x16x32xf32>
  %v17 = tensor.empty() : tensor<6x32x32xf32>
  %v18 = linalg.fill ins(%c1 : f32) outs(%v17 : tensor<6x32x32xf32>) -> tensor<6x32x32xf32>
  %v19 = linalg.batch_matmul ins(%v15, %v16 : tensor<6x32x16xf32>, tensor<6x16x32xf32>) outs(%v18 : tensor<6x32x32xf32>) -> tensor<6x32x32xf32>
  %v20 = tensor.expand_shape %v19 [[0, 1], [2], [3]] output_shape [2, 3, 32, 32] : tensor<6x32x32xf32> into tensor<2x3x32x32xf32>
  %v21 = tensor.empty() : tensor<32xi64>
  %g22 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%v21 : tensor<32xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<32xi64>
  %v23 = tensor.expand_shape %g22 [[0, 1]] output_shape [32, 1] : tensor<32xi64> into tensor<32x1xi64>
  %v24 = tensor.empty() : tensor<32xi64>
  %g25 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%v24 : tensor<32xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<32xi64>
  %v26 = tensor.expand_shape %g25 [[0, 1]] output_shape [1, 32] : tensor<32xi64> into tensor<1x32xi64>
  %v27 = tensor.empty() : tensor<32x32xi1>
  %g28 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%v23, %v26 : tensor<32x1xi64>, tensor<1x32xi64>) outs(%v27 : tensor<32x32xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<32x32xi1>
  %v29 = tensor.empty() : tensor<2x3x32x32xf32>
  %g30 = linalg.generic {indexing_maps = [#map5, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g28, %v20 : tensor<32x32xi1>, tensor<2x3x32x32xf32>) outs(%v29 : tensor<2x3x32x32xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x32x32xf32>
  %v31 = tensor.collapse_shape %g6 [[0, 1], [2], [3]] : tensor<2x3x32x16xf32> into tensor<6x32x16xf32>
  %v32 = tensor.collapse_shape %a_state [[0, 1], [2], [3]] : tensor<2x3x16x24xf32> into tensor<6x16x24xf32>
  %v33 = tensor.empty() : tensor<6x32x24xf32>
  %v34 = linalg.fill ins(%c1 : f32) outs(%v33 : tensor<6x32x24xf32>) -> tensor<6x32x24xf32>
  %v35 = linalg.batch_matmul ins(%v31, %v32 : tensor<6x32x16xf32>, tensor<6x16x24xf32>) outs(%v34 : tensor<6x32x24xf32>) -> tensor<6x32x24xf32>
  %v36 = tensor.expand_shape %v35 [[0, 1], [2], [3]] output_shape [2, 3, 32, 24] : tensor<6x32x24xf32> into tensor<2x3x32x24xf32>
  %v37 = tensor.collapse_shape %g30 [[0, 1], [2], [3]] : tensor<2x3x32x32xf32> into tensor<6x32x32xf32>
  %v38 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<2x3x32x24xf32> into tensor<6x32x24xf32>
  %v39 = tensor.empty() : tensor<6x32x24xf32>
  %v40 = linalg.fill ins(%c1 : f32) outs(%v39 : tensor<6x32x24xf32>) -> tensor<6x32x24xf32>
  %v41 = linalg.batch_matmul ins(%v37, %v38 : tensor<6x32x32xf32>, tensor<6x32x24xf32>) outs(%v40 : tensor<6x32x24xf32>) -> tensor<6x32x24xf32>
  %v42 = tensor.expand_shape %v41 [[0, 1], [2], [3]] output_shape [2, 3, 32, 24] : tensor<6x32x24xf32> into tensor<2x3x32x24xf32>
  %v43 = tensor.empty() : tensor<2x3x32x24xf32>
  %g44 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v36, %v42 : tensor<2x3x32x24xf32>, tensor<2x3x32x24xf32>) outs(%v43 : tensor<2x3x32x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x32x24xf32>
  %v45 = tensor.extract_slice %a_decay[0, 0, 31, 0] [2, 3, 1, 16] [1, 1, 1, 1] : tensor<2x3x32x16xf32> to tensor<2x3x1x16xf32>
  %v46 = tensor.empty() : tensor<2x3x32x16xf32>
  %g47 = linalg.generic {indexing_maps = [#map6, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v45, %a_decay : tensor<2x3x1x16xf32>, tensor<2x3x32x16xf32>) outs(%v46 : tensor<2x3x32x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x32x16xf32>
  %v48 = tensor.empty() : tensor<2x3x32x16xf32>
  %g49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g47 : tensor<2x3x32x16xf32>) outs(%v48 : tensor<2x3x32x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x32x16xf32>
  %v50 = tensor.empty() : tensor<2x3x32x16xf32>
  %g51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_k, %g49 : tensor<2x3x32x16xf32>, tensor<2x3x32x16xf32>) outs(%v50 : tensor<2x3x32x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x32x16xf32>
  %v52 = tensor.empty() : tensor<2x3x1x16xf32>
  %g53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v45 : tensor<2x3x1x16xf32>) outs(%v52 : tensor<2x3x1x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x1x16xf32>
  %v54 = tensor.empty() : tensor<2x3x16x1xf32>
  %v55 = linalg.transpose ins(%g53 : tensor<2x3x1x16xf32>) outs(%v54 : tensor<2x3x16x1xf32>) permutation = [0, 1, 3, 2]
  %v56 = tensor.empty() : tensor<2x3x16x24xf32>
  %g57 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_state, %v55 : tensor<2x3x16x24xf32>, tensor<2x3x16x1xf32>) outs(%v56 : tensor<2x3x16x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x16x24xf32>
  %v58 = tensor.empty() : tensor<2x3x16x32xf32>
  %v59 = linalg.transpose ins(%g51 : tensor<2x3x32x16xf32>) outs(%v58 : tensor<2x3x16x32xf32>) permutation = [0, 1, 3, 2]
  %v60 = tensor.collapse_shape %v59 [[0, 1], [2], [3]] : tensor<2x3x16x32xf32> into tensor<6x16x32xf32>
  %v61 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<2x3x32x24xf32> into tensor<6x32x24xf32>
  %v62 = tensor.empty() : tensor<6x16x24xf32>
  %v63 = linalg.fill ins(%c1 : f32) outs(%v62 : tensor<6x16x24xf32>) -> tensor<6x16x24xf32>
  %v64 = linalg.batch_matmul ins(%v60, %v61 : tensor<6x16x32xf32>, tensor<6x32x24xf32>) outs(%v63 : tensor<6x16x24xf32>) -> tensor<6x16x24xf32>
  %v65 = tensor.expand_shape %v64 [[0, 1], [2], [3]] output_shape [2, 3, 16, 24] : tensor<6x16x24xf32> into tensor<2x3x16x24xf32>
  %v66 = tensor.empty() : tensor<2x3x16x24xf32>
  %g67 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g57, %v65 : tensor<2x3x16x24xf32>, tensor<2x3x16x24xf32>) outs(%v66 : tensor<2x3x16x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x16x24xf32>
  return %g44, %g67 : tensor<2x3x32x24xf32>, tensor<2x3x16x24xf32>
}
