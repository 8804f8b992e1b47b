// Qwen2-VL: rotations are put together from sections of three positions.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4107 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @mrope(%a_q: tensor<1x3x37x16xbf16>,
    %a_k: tensor<1x3x37x16xbf16>,
    %a_v: tensor<1x3x37x16xbf16>,
    %a_cos: tensor<3x1x37x16xbf16> {check.draw = "uniform -1 1"},
    %a_sin: tensor<3x1x37x16xbf16> {check.draw = "uniform -1 1"}) -> (tensor<1x3x37x16xbf16>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 2.500000000e-01 : f64
  %c2 = arith.constant 0xFF80 : bf16
  %c3 = arith.constant 0 : i64
  %c4 = arith.constant 0xFF800000 : f32
  %v1 = tensor.extract_slice %a_cos[0, 0, 0, 0] [1, 1, 37, 2] [1, 1, 1, 1] : tensor<3x1x37x16xbf16> to tensor<1x1x37x2xbf16>
  %v2 = tensor.collapse_shape %v1 [[0, 1], [2], [3]] : tensor<1x1x37x2xbf16> into tensor<1x37x2xbf16>
  %v3 = tensor.extract_slice %a_cos[1, 0, 0, 2] [1, 1, 37, 3] [1, 1, 1, 1] : tensor<3x1x37x16xbf16> to tensor<1x1x37x3xbf16>
  %v4 = tensor.collapse_shape %v3 [[0, 1], [2], [3]] : tensor<1x1x37x3xbf16> into tensor<1x37x3xbf16>
  %v5 = tensor.extract_slice %a_cos[2, 0, 0, 5] [1, 1, 37, 3] [1, 1, 1, 1] : tensor<3x1x37x16xbf16> to tensor<1x1x37x3xbf16>
  %v6 = tensor.collapse_shape %v5 [[0, 1], [2], [3]] : tensor<1x1x37x3xbf16> into tensor<1x37x3xbf16>
  %v7 = tensor.extract_slice %a_cos[0, 0, 0, 8] [1, 1, 37, 2] [1, 1, 1, 1] : tensor<3x1x37x16xbf16> to tensor<1x1x37x2xbf16>
  %v8 = tensor.collapse_shape %v7 [[0, 1], [2], [3]] : tensor<1x1x37x2xbf16> into tensor<1x37x2xbf16>
  %v9 = tensor.extract_slice %a_cos[1, 0, 0, 10] [1, 1, 37, 3] [1, 1, 1, 1] : tensor<3x1x37x16xbf16> to tensor<1x1x37x3xbf16>
  %v10 = tensor.collapse_shape %v9 [[0, 1], [2], [3]] : tensor<1x1x37x3xbf16> into tensor<1x37x3xbf16>
  %v11 = tensor.extract_slice %a_cos[2, 0, 0, 13] [1, 1, 37, 3] [1, 1, 1, 1] : tensor<3x1x37x16xbf16> to tensor<1x1x37x3xbf16>
  %v12 = tensor.collapse_shape %v11 [[0, 1], [2], [3]] : tensor<1x1x37x3xbf16> into tensor<1x37x3xbf16>
  %v13 = tensor.concat dim(2) %v2, %v4, %v6, %v8, %v10, %v12 : (tensor<1x37x2xbf16>, tensor<1x37x3xbf16>, tensor<1x37x3xbf16>, tensor<1x37x2xbf16>, tensor<1x37x3xbf16>, tensor<1x37x3xbf16>) -> tensor<1x37x16xbf16>
  %v14 = tensor.expand_shape %v13 [[0, 1], [2], [3]] output_shape [1, 1, 37, 16] : tensor<1x37x16xbf16> into tensor<1x1x37x16xbf16>
  %v15 = tensor.extract_slice %a_sin[0, 0, 0, 0] [1, 1, 37, 2] [1, 1, 1, 1] : tensor<3x1x37x16xbf16> to tensor<1x1x37x2xbf16>
  %v16 = tensor.collapse_shape %v15 [[0, 1], [2], [3]] : tensor<1x1x37x2xbf16> into tensor<1x37x2xbf16>
  %v17 = tensor.extract_slice %a_sin[1, 0, 0, 2] [1, 1, 37, 3] [1, 1, 1, 1] : tensor<3x1x37x16xbf16> to tensor<1x1x37x3xbf16>
  %v18 = tensor.collapse_shape %v17 [[0, 1], [2], [3]] : tensor<1x1x37x3xbf16> into tensor<1x37x3xbf16>
  %v19 = tensor.extract_slice %a_sin[2, 0, 0, 5] [1, 1, 37, 3] [1, 1, 1, 1] : tensor<3x1x37x16xbf16> to tensor<1x1x37x3xbf16>
  %v20 = tensor.collapse_shape %v19 [[0, 1], [2], [3]] : tensor<1x1x37x3xbf16> into tensor<1x37x3xbf16>
  %v21 = tensor.extract_slice %a_sin[0, 0, 0, 8] [1, 1, 37, 2] [1, 1, 1, 1] : tensor<3x1x37x16xbf16> to tensor<1x1x37x2xbf16>
  %v22 = tensor.collapse_shape %v21 [[0, 1], [2], [3]] : tensor<1x1x37x2xbf16> into tensor<1x37x2xbf16>
  %v23 = tensor.extract_slice %a_sin[1, 0, 0, 10] [1, 1, 37, 3] [1, 1, 1, 1] : tensor<3x1x37x16xbf16> to tensor<1x1x37x3xbf16>
  %v24 = tensor.collapse_shape %v23 [[0, 1], [2], [3]] : tensor<1x1x37x3xbf16> into tensor<1x37x3xbf16>
  %v25 = tensor.extract_slice %a_sin[2, 0, 0, 13] [1, 1, 37, 3] [1, 1, 1, 1] : tensor<3x1x37x16xbf16> to tensor<1x1x37x3xbf16>
  %v26 = tensor.collapse_shape %v25 [[0, 1], [2], [3]] : tensor<1x1x37x3xbf16> into tensor<1x37x3xbf16>
  %v27 = tensor.concat dim(2) %v16, %v18, %v20, %v22, %v24, %v26 : (tensor<1x37x2xbf16>, tensor<1x37x3xbf16>, tensor<1x37x3xbf16>, tensor<1x37x2xbf16>, tensor<1x37x3xbf16>, tensor<1x37x3xbf16>) -> tensor<1x37x16xbf16>
  %v28 = tensor.expand_shape %v27 [[0, 1], [2], [3]] output_shape [1, 1, 37, 16] : tensor<1x37x16xbf16> into tensor<1x1x37x16xbf16>
  %v29 = tensor.empty() : tensor<1x3x37x16xbf16>
  %g30 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_q, %v14 : tensor<1x3x37x16xbf16>, tensor<1x1x37x16xbf16>) outs(%v29 : tensor<1x3x37x16xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x3x37x16xbf16>
  %v31 = tensor.extract_slice %a_q[0, 0, 0, 0] [1, 3, 37, 8] [1, 1, 1, 1] : tensor<1x3x37x16xbf16> to tensor<1x3x37x8xbf16>
  %v32 = tensor.extract_slice %a_q[0, 0, 0, 8] [1, 3, 37, 8] [1, 1, 1, 1] : tensor<1x3x37x16xbf16> to tensor<1x3x37x8xbf16>
  %v33 = tensor.empty() : tensor<1x3x37x8xbf16>
  %g34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v32 : tensor<1x3x37x8xbf16>) outs(%v33 : tensor<1x3x37x8xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %r = arith.negf %in0 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x3x37x8xbf16>
  %v35 = tensor.concat dim(3) %g34, %v31 : (tensor<1x3x37x8xbf16>, tensor<1x3x37x8xbf16>) -> tensor<1x3x37x16xbf16>
  %v36 = tensor.empty() : tensor<1x3x37x16xbf16>
  %g37 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v35, %v28 : tensor<1x3x37x16xbf16>, tensor<1x1x37x16xbf16>) outs(%v36 : tensor<1x3x37x16xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x3x37x16xbf16>
  %v38 = tensor.empty() : tensor<1x3x37x16xbf16>
  %g39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g30, %g37 : tensor<1x3x37x16xbf16>, tensor<1x3x37x16xbf16>) outs(%v38 : tensor<1x3x37x16xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.addf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x3x37x16xbf16>
  %v40 = tensor.empty() : tensor<1x3x37x16xbf16>
  %g41 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_k, %v14 : tensor<1x3x37x16xbf16>, tensor<1x1x37x16xbf16>) outs(%v40 : tensor<1x3x37x16xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x3x37x16xbf16>
  %v42 = tensor.extract_slice %a_k[0, 0, 0, 0] [1, 3, 37, 8] [1, 1, 1, 1] : tensor<1x3x37x16xbf16> to tensor<1x3x37x8xbf16>
  %v43 = tensor.extract_slice %a_k[0, 0, 0, 8] [1, 3, 37, 8] [1, 1, 1, 1] : tensor<1x3x37x16xbf16> to tensor<1x3x37x8xbf16>
  %v44 = tensor.empty() : tensor<1x3x37x8xbf16>
  %g45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v43 : tensor<1x3x37x8xbf16>) outs(%v44 : tensor<1x3x37x8xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %r = arith.negf %in0 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x3x37x8xbf16>
  %v46 = tensor.concat dim(3) %g45, %v42 : (tensor<1x3x37x8xbf16>, tensor<1x3x37x8xbf16>) -> tensor<1x3x37x16xbf16>
  %v47 = tensor.empty() : tensor<1x3x37x16xbf16>
  %g48 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v46, %v28 : tensor<1x3x37x16xbf16>, tensor<1x1x37x16xbf16>) outs(%v47 : tensor<1x3x37x16xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x3x37x16xbf16>
  %v49 = tensor.empty() : tensor<1x3x37x16xbf16>
  %g50 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g41, %g48 : tensor<1x3x37x16xbf16>, tensor<1x3x37x16xbf16>) outs(%v49 : tensor<1x3x37x16xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.addf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x3x37x16xbf16>
  %v51 = tensor.empty() : tensor<1x3x16x37xbf16>
  %v52 = linalg.transpose ins(%g50 : tensor<1x3x37x16xbf16>) outs(%v51 : tensor<1x3x16x37xbf16>) permutation = [0, 1, 3, 2]
  %v53 = tensor.collapse_shape %g39 [[0, 1], [2], [3]] : tensor<1x3x37x16xbf16> into tensor<3x37x16xbf16>
  %v54 = tensor.collapse_shape %v52 [[0, 1], [2], [3]] : tensor<1x3x16x37xbf16> into tensor<3x16x37xbf16>
  %v55 = tensor.empty() : tensor<3x37x37xf32>
  %v56 = linalg.fill ins(%c0 : f32) outs(%v55 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %v57 = linalg.batch_matmul ins(%v53, %v54 : tensor<3x37x16xbf16>, tensor<3x16x37xbf16>) outs(%v56 : tensor<3x37x37xf32>) -> tensor<3x37x37xf32>
  %v58 = tensor.empty() : tensor<3x37x37xbf16>
  %g59 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v57 : tensor<3x37x37xf32>) outs(%v58 : tensor<3x37x37xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<3x37x37xbf16>
  %v60 = tensor.expand_shape %g59 [[0, 1], [2], [3]] output_shape [1, 3, 37, 37] : tensor<3x37x37xbf16> into tensor<1x3x37x37xbf16>
  %v61 = tensor.empty() : tensor<1x3x37x37xbf16>
  %g62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v60 : tensor<1x3x37x37xbf16>) outs(%v61 : tensor<1x3x37x37xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %x = arith.truncf %c1 : f64 to bf16
    %r = arith.mulf %in0, %x : bf16
    linalg.yield %r : bf16
  } -> tensor<1x3x37x37xbf16>
  %v63 = tensor.empty() : tensor<37xi64>
  %g64 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%v63 : tensor<37xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<37xi64>
  %v65 = tensor.expand_shape %g64 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %v66 = tensor.empty() : tensor<37xi64>
  %g67 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%v66 : tensor<37xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<37xi64>
  %v68 = tensor.expand_shape %g67 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %v69 = tensor.empty() : tensor<37x37xi1>
  %g70 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%v65, %v68 : tensor<37x1xi64>, tensor<1x37xi64>) outs(%v69 : tensor<37x37xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<37x37xi1>
  %v71 = tensor.empty() : tensor<1x3x37x37xbf16>
  %g72 = linalg.generic {indexing_maps = [#map7, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g70, %g62 : tensor<37x37xi1>, tensor<1x3x37x37xbf16>) outs(%v71 : tensor<1x3x37x37xbf16>) {
  ^bb0(%in0: i1, %in1: bf16, %out0: bf16):
    %r = arith.select %in0, %in1, %c2 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x3x37x37xbf16>
  %v73 = tensor.empty() : tensor<1x3x37x37xf32>
  %g74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g72 : tensor<1x3x37x37xbf16>) outs(%v73 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v75 = tensor.empty() : tensor<1x3x37xi64>
  %v76 = linalg.fill ins(%c3 : i64) outs(%v75 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %v77 = tensor.empty() : tensor<1x3x37xf32>
  %v78 = linalg.fill ins(%c4 : f32) outs(%v77 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %g79:2 = linalg.generic {indexing_maps = [#map, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g74 : tensor<1x3x37x37xf32>) outs(%v78, %v76 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %v80 = tensor.expand_shape %g79#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %v81 = tensor.empty() : tensor<1x3x37x37xf32>
  %g82 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g74, %v80 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%v81 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v83 = tensor.empty() : tensor<1x3x37x37xf32>
  %g84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g82 : tensor<1x3x37x37xf32>) outs(%v83 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v85 = tensor.empty() : tensor<1x3x37x1xf32>
  %v86 = linalg.fill ins(%c0 : f32) outs(%v85 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %g87 = linalg.generic {indexing_maps = [#map, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g84 : tensor<1x3x37x37xf32>) outs(%v86 : tensor<1x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x1xf32>
  %v88 = tensor.empty() : tensor<1x3x37x37xf32>
  %g89 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g84, %g87 : tensor<1x3x37x37xf32>, tensor<1x3x37x1xf32>) outs(%v88 : tensor<1x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x37xf32>
  %v90 = tensor.empty() : tensor<1x3x37x37xbf16>
  %g91 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g89 : tensor<1x3x37x37xf32>) outs(%v90 : tensor<1x3x37x37xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x3x37x37xbf16>
  %v92 = tensor.collapse_shape %g91 [[0, 1], [2], [3]] : tensor<1x3x37x37xbf16> into tensor<3x37x37xbf16>
  %v93 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x3x37x16xbf16> into tensor<3x37x16xbf16>
  %v94 = tensor.empty() : tensor<3x37x16xf32>
  %v95 = linalg.fill ins(%c0 : f32) outs(%v94 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v96 = linalg.batch_matmul ins(%v92, %v93 : tensor<3x37x37xbf16>, tensor<3x37x16xbf16>) outs(%v95 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v97 = tensor.empty() : tensor<3x37x16xbf16>
  %g98 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v96 : tensor<3x37x16xf32>) outs(%v97 : tensor<3x37x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<3x37x16xbf16>
  %v99 = tensor.expand_shape %g98 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xbf16> into tensor<1x3x37x16xbf16>
  return %v99 : tensor<1x3x37x16xbf16>
}
