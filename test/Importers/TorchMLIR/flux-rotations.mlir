// Flux: rotary positions are matrices of 2 x 2, whose columns are multiplied with one element
// of each pair and added. Scores sum over pairs and over the two results of each.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=1368 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, d2, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @one_stream(%a_q: tensor<1x3x37x16xf32> {check.draw = "uniform -0.5 0.5"},
    %a_k: tensor<1x3x37x16xf32> {check.draw = "uniform -0.5 0.5"},
    %a_v: tensor<1x3x37x16xf32> {check.draw = "uniform -0.5 0.5"},
    %a_pe: tensor<1x1x37x8x2x2xf32> {check.draw = "uniform -0.5 0.5"}) -> (tensor<1x37x48xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 2.500000000e-01 : f64
  %c2 = arith.constant 0 : i64
  %c3 = arith.constant 0xFF800000 : f32
  %v1 = tensor.expand_shape %a_q [[0], [1], [2], [3, 4, 5]] output_shape [1, 3, 37, 8, 1, 2] : tensor<1x3x37x16xf32> into tensor<1x3x37x8x1x2xf32>
  %v2 = tensor.extract_slice %a_pe[0, 0, 0, 0, 0, 0] [1, 1, 37, 8, 2, 1] [1, 1, 1, 1, 1, 1] : tensor<1x1x37x8x2x2xf32> to tensor<1x1x37x8x2x1xf32>
  %v3 = tensor.collapse_shape %v2 [[0], [1], [2], [3], [4, 5]] : tensor<1x1x37x8x2x1xf32> into tensor<1x1x37x8x2xf32>
  %v4 = tensor.extract_slice %v1[0, 0, 0, 0, 0, 0] [1, 3, 37, 8, 1, 1] [1, 1, 1, 1, 1, 1] : tensor<1x3x37x8x1x2xf32> to tensor<1x3x37x8x1x1xf32>
  %v5 = tensor.collapse_shape %v4 [[0], [1], [2], [3], [4, 5]] : tensor<1x3x37x8x1x1xf32> into tensor<1x3x37x8x1xf32>
  %v6 = tensor.empty() : tensor<1x3x37x8x2xf32>
  %g7 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v3, %v5 : tensor<1x1x37x8x2xf32>, tensor<1x3x37x8x1xf32>) outs(%v6 : tensor<1x3x37x8x2xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x8x2xf32>
  %v8 = tensor.extract_slice %a_pe[0, 0, 0, 0, 0, 1] [1, 1, 37, 8, 2, 1] [1, 1, 1, 1, 1, 1] : tensor<1x1x37x8x2x2xf32> to tensor<1x1x37x8x2x1xf32>
  %v9 = tensor.collapse_shape %v8 [[0], [1], [2], [3], [4, 5]] : tensor<1x1x37x8x2x1xf32> into tensor<1x1x37x8x2xf32>
  %v10 = tensor.extract_slice %v1[0, 0, 0, 0, 0, 1] [1, 3, 37, 8, 1, 1] [1, 1, 1, 1, 1, 1] : tensor<1x3x37x8x1x2xf32> to tensor<1x3x37x8x1x1xf32>
  %v11 = tensor.collapse_shape %v10 [[0], [1], [2], [3], [4, 5]] : tensor<1x3x37x8x1x1xf32> into tensor<1x3x37x8x1xf32>
  %v12 = tensor.empty() : tensor<1x3x37x8x2xf32>
  %g13 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v9, %v11 : tensor<1x1x37x8x2xf32>, tensor<1x3x37x8x1xf32>) outs(%v12 : tensor<1x3x37x8x2xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x8x2xf32>
  %v14 = tensor.empty() : tensor<1x3x37x8x2xf32>
  %g15 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g7, %g13 : tensor<1x3x37x8x2xf32>, tensor<1x3x37x8x2xf32>) outs(%v14 : tensor<1x3x37x8x2xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x8x2xf32>
  %v16 = tensor.collapse_shape %g15 [[0], [1], [2], [3, 4]] : tensor<1x3x37x8x2xf32> into tensor<1x3x37x16xf32>
  %v17 = tensor.expand_shape %a_k [[0], [1], [2], [3, 4, 5]] output_shape [1, 3, 37, 8, 1, 2] : tensor<1x3x37x16xf32> into tensor<1x3x37x8x1x2xf32>
  %v18 = tensor.extract_slice %a_pe[0, 0, 0, 0, 0, 0] [1, 1, 37, 8, 2, 1] [1, 1, 1, 1, 1, 1] : tensor<1x1x37x8x2x2xf32> to tensor<1x1x37x8x2x1xf32>
  %v19 = tensor.collapse_shape %v18 [[0], [1], [2], [3], [4, 5]] : tensor<1x1x37x8x2x1xf32> into tensor<1x1x37x8x2xf32>
  %v20 = tensor.extract_slice %v17[0, 0, 0, 0, 0, 0] [1, 3, 37, 8, 1, 1] [1, 1, 1, 1, 1, 1] : tensor<1x3x37x8x1x2xf32> to tensor<1x3x37x8x1x1xf32>
  %v21 = tensor.collapse_shape %v20 [[0], [1], [2], [3], [4, 5]] : tensor<1x3x37x8x1x1xf32> into tensor<1x3x37x8x1xf32>
  %v22 = tensor.empty() : tensor<1x3x37x8x2xf32>
  %g23 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v19, %v21 : tensor<1x1x37x8x2xf32>, tensor<1x3x37x8x1xf32>) outs(%v22 : tensor<1x3x37x8x2xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x8x2xf32>
  %v24 = tensor.extract_slice %a_pe[0, 0, 0, 0, 0, 1] [1, 1, 37, 8, 2, 1] [1, 1, 1, 1, 1, 1] : tensor<1x1x37x8x2x2xf32> to tensor<1x1x37x8x2x1xf32>
  %v25 = tensor.collapse_shape %v24 [[0], [1], [2], [3], [4, 5]] : tensor<1x1x37x8x2x1xf32> into tensor<1x1x37x8x2xf32>
  %v26 = tensor.extract_slice %v17[0, 0, 0, 0, 0, 1] [1, 3, 37, 8, 1, 1] [1, 1, 1, 1, 1, 1] : tensor<1x3x37x8x1x2xf32> to tensor<1x3x37x8x1x1xf32>
  %v27 = tensor.collapse_shape %v26 [[0], [1], [2], [3], [4, 5]] : tensor<1x3x37x8x1x1xf32> into tensor<1x3x37x8x1xf32>
  %v28 = tensor.empty() : tensor<1x3x37x8x2xf32>
  %g29 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v25, %v27 : tensor<1x1x37x8x2xf32>, tensor<1x3x37x8x1xf32>) outs(%v28 : tensor<1x3x37x8x2xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x8x2xf32>
  %v30 = tensor.empty() : tensor<1x3x37x8x2xf32>
  %g31 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g23, %g29 : tensor<1x3x37x8x2xf32>, tensor<1x3x37x8x2xf32>) outs(%v30 : tensor<1x3x37x8x2xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x8x2xf32>
  %v32 = tensor.collapse_shape %g31 [[0], [1], [2], [3, 4]] : tensor<1x3x37x8x2xf32> into tensor<1x3x37x16xf32>
  %v33 = tensor.empty() : tensor<1x3x16x37xf32>
  %v34 = linalg.transpose ins(%v32 : tensor<1x3x37x16xf32>) outs(%v33 : tensor<1x3x16x37xf32>) permutation = [0, 1, 3, 2]
  %v35 = tensor.collapse_shape %v16 [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %v36 = tensor.collapse_shape %v34 [[0, 1], [2], [3]] : tensor<1x3x16x37xf32> into tensor<3x16x37xf32>
  %v37 = tensor.empty() : tensor<3x37x37xf32>
  %v38 = linalg.fill ins(%c0 : f32) outs(%v37 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %v39 = linalg.batch_matmul ins(%v35, %v36 : tensor<3x37x16xf32>, tensor<3x16x37xf32>) outs(%v38 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %v40 = tensor.expand_shape %v39 [[0, 1], [2], [3]] output_shape [1, 3, 37, 37] : tensor<3x37x37xf32> into tensor<1x3x37x37xf32>
  %v41 = tensor.empty() : tensor<1x3x37x37xf32>
  %g42 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v40 : tensor<1x3x37x37xf32>) outs(%v41 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v43 = tensor.empty() : tensor<1x3x37xi64>
  %v44 = linalg.fill ins(%c2 : i64) outs(%v43 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %v45 = tensor.empty() : tensor<1x3x37xf32>
  %v46 = linalg.fill ins(%c3 : f32) outs(%v45 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %g47:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g42 : tensor<1x3x37x37xf32>) outs(%v46, %v44 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %v48 = tensor.expand_shape %g47#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %v49 = tensor.empty() : tensor<1x3x37x37xf32>
  %g50 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g42, %v48 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%v49 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v51 = tensor.empty() : tensor<1x3x37x37xf32>
  %g52 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g50 : tensor<1x3x37x37xf32>) outs(%v51 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v53 = tensor.empty() : tensor<1x3x37x1xf32>
  %v54 = linalg.fill ins(%c0 : f32) outs(%v53 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %g55 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g52 : tensor<1x3x37x37xf32>) outs(%v54 : tensor<1x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x1xf32>
  %v56 = tensor.empty() : tensor<1x3x37x37xf32>
  %g57 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g52, %g55 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%v56 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v58 = tensor.collapse_shape %g57 [[0, 1], [2], [3]] : tensor<1x3x37x37xf32> into tensor<3x37x37xf32>
  %v59 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %v60 = tensor.empty() : tensor<3x37x16xf32>
  %v61 = linalg.fill ins(%c0 : f32) outs(%v60 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v62 = linalg.batch_matmul ins(%v58, %v59 : tensor<3x37x37xf32>, tensor<3x37x16xf32>) outs(%v61 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v63 = tensor.expand_shape %v62 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  %v64 = tensor.empty() : tensor<1x37x3x16xf32>
  %v65 = linalg.transpose ins(%v63 : tensor<1x3x37x16xf32>) outs(%v64 : tensor<1x37x3x16xf32>) permutation = [0, 2, 1, 3]
  %v66 = tensor.collapse_shape %v65 [[0], [1], [2, 3]] : tensor<1x37x3x16xf32> into tensor<1x37x48xf32>
  return %v66 : tensor<1x37x48xf32>
}

func.func @two_streams(%a_qt: tensor<1x3x7x16xf32> {check.draw = "uniform -0.5 0.5"},
    %a_kt: tensor<1x3x7x16xf32> {check.draw = "uniform -0.5 0.5"},
    %a_vt: tensor<1x3x7x16xf32> {check.draw = "uniform -0.5 0.5"},
    %a_qi: tensor<1x3x37x16xf32> {check.draw = "uniform -0.5 0.5"},
    %a_ki: tensor<1x3x37x16xf32> {check.draw = "uniform -0.5 0.5"},
    %a_vi: tensor<1x3x37x16xf32> {check.draw = "uniform -0.5 0.5"},
    %a_pe: tensor<1x1x44x8x2x2xf32> {check.draw = "uniform -0.5 0.5"}) -> (tensor<1x44x48xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 2.500000000e-01 : f64
  %c2 = arith.constant 0 : i64
  %c3 = arith.constant 0xFF800000 : f32
  %v1 = tensor.concat dim(2) %a_qt, %a_qi : (tensor<1x3x7x16xf32>, tensor<1x3x37x16xf32>) -> tensor<1x3x44x16xf32>
  %v2 = tensor.concat dim(2) %a_kt, %a_ki : (tensor<1x3x7x16xf32>, tensor<1x3x37x16xf32>) -> tensor<1x3x44x16xf32>
  %v3 = tensor.concat dim(2) %a_vt, %a_vi : (tensor<1x3x7x16xf32>, tensor<1x3x37x16xf32>) -> tensor<1x3x44x16xf32>
  %v4 = tensor.expand_shape %v1 [[0], [1], [2], [3, 4, 5]] output_shape [1, 3, 44, 8, 1, 2] : tensor<1x3x44x16xf32> into tensor<1x3x44x8x1x2xf32>
  %v5 = tensor.extract_slice %a_pe[0, 0, 0, 0, 0, 0] [1, 1, 44, 8, 2, 1] [1, 1, 1, 1, 1, 1] : tensor<1x1x44x8x2x2xf32> to tensor<1x1x44x8x2x1xf32>
  %v6 = tensor.collapse_shape %v5 [[0], [1], [2], [3], [4, 5]] : tensor<1x1x44x8x2x1xf32> into tensor<1x1x44x8x2xf32>
  %v7 = tensor.extract_slice %v4[0, 0, 0, 0, 0, 0] [1, 3, 44, 8, 1, 1] [1, 1, 1, 1, 1, 1] : tensor<1x3x44x8x1x2xf32> to tensor<1x3x44x8x1x1xf32>
  %v8 = tensor.collapse_shape %v7 [[0], [1], [2], [3], [4, 5]] : tensor<1x3x44x8x1x1xf32> into tensor<1x3x44x8x1xf32>
  %v9 = tensor.empty() : tensor<1x3x44x8x2xf32>
  %g10 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v6, %v8 : tensor<1x1x44x8x2xf32>, tensor<1x3x44x8x1xf32>) outs(%v9 : tensor<1x3x44x8x2xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x44x8x2xf32>
  %v11 = tensor.extract_slice %a_pe[0, 0, 0, 0, 0, 1] [1, 1, 44, 8, 2, 1] [1, 1, 1, 1, 1, 1] : tensor<1x1x44x8x2x2xf32> to tensor<1x1x44x8x2x1xf32>
  %v12 = tensor.collapse_shape %v11 [[0], [1], [2], [3], [4, 5]] : tensor<1x1x44x8x2x1xf32> into tensor<1x1x44x8x2xf32>
  %v13 = tensor.extract_slice %v4[0, 0, 0, 0, 0, 1] [1, 3, 44, 8, 1, 1] [1, 1, 1, 1, 1, 1] : tensor<1x3x44x8x1x2xf32> to tensor<1x3x44x8x1x1xf32>
  %v14 = tensor.collapse_shape %v13 [[0], [1], [2], [3], [4, 5]] : tensor<1x3x44x8x1x1xf32> into tensor<1x3x44x8x1xf32>
  %v15 = tensor.empty() : tensor<1x3x44x8x2xf32>
  %g16 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v12, %v14 : tensor<1x1x44x8x2xf32>, tensor<1x3x44x8x1xf32>) outs(%v15 : tensor<1x3x44x8x2xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x44x8x2xf32>
  %v17 = tensor.empty() : tensor<1x3x44x8x2xf32>
  %g18 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g10, %g16 : tensor<1x3x44x8x2xf32>, tensor<1x3x44x8x2xf32>) outs(%v17 : tensor<1x3x44x8x2xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x44x8x2xf32>
  %v19 = tensor.collapse_shape %g18 [[0], [1], [2], [3, 4]] : tensor<1x3x44x8x2xf32> into tensor<1x3x44x16xf32>
  %v20 = tensor.expand_shape %v2 [[0], [1], [2], [3, 4, 5]] output_shape [1, 3, 44, 8, 1, 2] : tensor<1x3x44x16xf32> into tensor<1x3x44x8x1x2xf32>
  %v21 = tensor.extract_slice %a_pe[0, 0, 0, 0, 0, 0] [1, 1, 44, 8, 2, 1] [1, 1, 1, 1, 1, 1] : tensor<1x1x44x8x2x2xf32> to tensor<1x1x44x8x2x1xf32>
  %v22 = tensor.collapse_shape %v21 [[0], [1], [2], [3], [4, 5]] : tensor<1x1x44x8x2x1xf32> into tensor<1x1x44x8x2xf32>
  %v23 = tensor.extract_slice %v20[0, 0, 0, 0, 0, 0] [1, 3, 44, 8, 1, 1] [1, 1, 1, 1, 1, 1] : tensor<1x3x44x8x1x2xf32> to tensor<1x3x44x8x1x1xf32>
  %v24 = tensor.collapse_shape %v23 [[0], [1], [2], [3], [4, 5]] : tensor<1x3x44x8x1x1xf32> into tensor<1x3x44x8x1xf32>
  %v25 = tensor.empty() : tensor<1x3x44x8x2xf32>
  %g26 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v22, %v24 : tensor<1x1x44x8x2xf32>, tensor<1x3x44x8x1xf32>) outs(%v25 : tensor<1x3x44x8x2xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x44x8x2xf32>
  %v27 = tensor.extract_slice %a_pe[0, 0, 0, 0, 0, 1] [1, 1, 44, 8, 2, 1] [1, 1, 1, 1, 1, 1] : tensor<1x1x44x8x2x2xf32> to tensor<1x1x44x8x2x1xf32>
  %v28 = tensor.collapse_shape %v27 [[0], [1], [2], [3], [4, 5]] : tensor<1x1x44x8x2x1xf32> into tensor<1x1x44x8x2xf32>
  %v29 = tensor.extract_slice %v20[0, 0, 0, 0, 0, 1] [1, 3, 44, 8, 1, 1] [1, 1, 1, 1, 1, 1] : tensor<1x3x44x8x1x2xf32> to tensor<1x3x44x8x1x1xf32>
  %v30 = tensor.collapse_shape %v29 [[0], [1], [2], [3], [4, 5]] : tensor<1x3x44x8x1x1xf32> into tensor<1x3x44x8x1xf32>
  %v31 = tensor.empty() : tensor<1x3x44x8x2xf32>
  %g32 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v28, %v30 : tensor<1x1x44x8x2xf32>, tensor<1x3x44x8x1xf32>) outs(%v31 : tensor<1x3x44x8x2xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x44x8x2xf32>
  %v33 = tensor.empty() : tensor<1x3x44x8x2xf32>
  %g34 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g26, %g32 : tensor<1x3x44x8x2xf32>, tensor<1x3x44x8x2xf32>) outs(%v33 : tensor<1x3x44x8x2xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x44x8x2xf32>
  %v35 = tensor.collapse_shape %g34 [[0], [1], [2], [3, 4]] : tensor<1x3x44x8x2xf32> into tensor<1x3x44x16xf32>
  %v36 = tensor.empty() : tensor<1x3x16x44xf32>
  %v37 = linalg.transpose ins(%v35 : tensor<1x3x44x16xf32>) outs(%v36 : tensor<1x3x16x44xf32>) permutation = [0, 1, 3, 2]
  %v38 = tensor.collapse_shape %v19 [[0, 1], [2], [3]] : tensor<1x3x44x16xf32> into tensor<3x44x16xf32>
  %v39 = tensor.collapse_shape %v37 [[0, 1], [2], [3]] : tensor<1x3x16x44xf32> into tensor<3x16x44xf32>
  %v40 = tensor.empty() : tensor<3x44x44xf32>
  %v41 = linalg.fill ins(%c0 : f32) outs(%v40 : tensor<3x44x44xf32>) -> tensor<3x44x44xf32>
  %v42 = linalg.batch_matmul ins(%v38, %v39 : tensor<3x44x16xf32>, tensor<3x16x44xf32>) outs(%v41 : tensor<3x44x44xf32>) -> tensor<3x44x44xf32>
  %v43 = tensor.expand_shape %v42 [[0, 1], [2], [3]] output_shape [1, 3, 44, 44] : tensor<3x44x44xf32> into tensor<1x3x44x44xf32>
  %v44 = tensor.empty() : tensor<1x3x44x44xf32>
  %g45 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v43 : tensor<1x3x44x44xf32>) outs(%v44 : tensor<1x3x44x44xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x44x44xf32>
  %v46 = tensor.empty() : tensor<1x3x44xi64>
  %v47 = linalg.fill ins(%c2 : i64) outs(%v46 : tensor<1x3x44xi64>) -> tensor<1x3x44xi64>
  %v48 = tensor.empty() : tensor<1x3x44xf32>
  %v49 = linalg.fill ins(%c3 : f32) outs(%v48 : tensor<1x3x44xf32>) -> tensor<1x3x44xf32>
  %g50:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g45 : tensor<1x3x44x44xf32>) outs(%v49, %v47 : tensor<1x3x44xf32>, tensor<1x3x44xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x44xf32>, tensor<1x3x44xi64>)
  %v51 = tensor.expand_shape %g50#0 [[0], [1], [2, 3]] output_shape [1, 3, 44, 1] : tensor<1x3x44xf32> into tensor<1x3x44x1xf32>
  %v52 = tensor.empty() : tensor<1x3x44x44xf32>
  %g53 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g45, %v51 : tensor<1x3x44x44xf32>, tensor<1x3x44x1xf32>) outs(%v52 : tensor<1x3x44x44xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x44x44xf32>
  %v54 = tensor.empty() : tensor<1x3x44x44xf32>
  %g55 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g53 : tensor<1x3x44x44xf32>) outs(%v54 : tensor<1x3x44x44xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x44x44xf32>
  %v56 = tensor.empty() : tensor<1x3x44x1xf32>
  %v57 = linalg.fill ins(%c0 : f32) outs(%v56 : tensor<1x3x44x1xf32>) -> tensor<1x3x44x1xf32>
  %g58 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g55 : tensor<1x3x44x44xf32>) outs(%v57 : tensor<1x3x44x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x44x1xf32>
  %v59 = tensor.empty() : tensor<1x3x44x44xf32>
  %g60 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g55, %g58 : tensor<1x3x44x44xf32>, tensor<1x3x44x1xf32>) outs(%v59 : tensor<1x3x44x44xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x44x44xf32>
  %v61 = tensor.collapse_shape %g60 [[0, 1], [2], [3]] : tensor<1x3x44x44xf32> into tensor<3x44x44xf32>
  %v62 = tensor.collapse_shape %v3 [[0, 1], [2], [3]] : tensor<1x3x44x16xf32> into tensor<3x44x16xf32>
  %v63 = tensor.empty() : tensor<3x44x16xf32>
  %v64 = linalg.fill ins(%c0 : f32) outs(%v63 : tensor<3x44x16xf32>) -> tensor<3x44x16xf32>
  %v65 = linalg.batch_matmul ins(%v61, %v62 : tensor<3x44x44xf32>, tensor<3x44x16xf32>) outs(%v64 : tensor<3x44x16xf32>) -> tensor<3x44x16xf32>
  %v66 = tensor.expand_shape %v65 [[0, 1], [2], [3]] output_shape [1, 3, 44, 16] : tensor<3x44x16xf32> into tensor<1x3x44x16xf32>
  %v67 = tensor.empty() : tensor<1x44x3x16xf32>
  %v68 = linalg.transpose ins(%v66 : tensor<1x3x44x16xf32>) outs(%v67 : tensor<1x44x3x16xf32>) permutation = [0, 2, 1, 3]
  %v69 = tensor.collapse_shape %v68 [[0], [1], [2, 3]] : tensor<1x44x3x16xf32> into tensor<1x44x48xf32>
  return %v69 : tensor<1x44x48xf32>
}
