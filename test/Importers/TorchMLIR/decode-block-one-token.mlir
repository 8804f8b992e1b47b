// Attention of one token in decoding, between a norm and a residual. The token is a dimension of the
// heads that products read and write, so it is not dropped.

// RUN: linalg-ext-check-program %s --keys=16 --max-kernels=5 \
// RUN:   --sizes=3x1x64,-,-,-,3x2x37x16,3x2x37x16,-,-,-

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @decode_block_one_token(%a_x: tensor<?x1x64xf32>,
    %a_g: tensor<64xf32>,
    %a_W: tensor<64x64xf32> {check.draw = "uniform -0.3 0.3"},
    %a_b: tensor<64xf32>,
    %a_k: tensor<?x2x?x16xf32>,
    %a_v: tensor<?x2x?x16xf32>,
    %a_Wo: tensor<64x64xf32> {check.draw = "uniform -0.3 0.3"},
    %a_cos: tensor<1x16xf32>,
    %a_sin: tensor<1x16xf32>) -> (tensor<?x1x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 2 : index
  %c2 = arith.constant 0.000000000e+00 : f32
  %c3 = arith.constant 6.400000000e+01 : f64
  %c4 = arith.constant 1.000000000e-06 : f64
  %c5 = arith.constant 4 : index
  %c6 = arith.constant 2.500000000e-01 : f64
  %c7 = arith.constant 0 : i64
  %c8 = arith.constant 0xFF800000 : f32
  %B = tensor.dim %a_x, %c0 : tensor<?x1x64xf32>
  %L = tensor.dim %a_k, %c1 : tensor<?x2x?x16xf32>
  %v1 = tensor.empty(%B) : tensor<?x1x64xf32>
  %g2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_x, %a_x : tensor<?x1x64xf32>, tensor<?x1x64xf32>) outs(%v1 : tensor<?x1x64xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x1x64xf32>
  %v3 = tensor.empty(%B) : tensor<?x1x1xf32>
  %v4 = linalg.fill ins(%c2 : f32) outs(%v3 : tensor<?x1x1xf32>) -> tensor<?x1x1xf32>
  %g5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g2 : tensor<?x1x64xf32>) outs(%v4 : tensor<?x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<?x1x1xf32>
  %v6 = tensor.empty(%B) : tensor<?x1x1xf32>
  %g7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g5 : tensor<?x1x1xf32>) outs(%v6 : tensor<?x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c3 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x1x1xf32>
  %v8 = tensor.empty(%B) : tensor<?x1x1xf32>
  %g9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g7 : tensor<?x1x1xf32>) outs(%v8 : tensor<?x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c4 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x1x1xf32>
  %v10 = tensor.empty(%B) : tensor<?x1x1xf32>
  %g11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g9 : tensor<?x1x1xf32>) outs(%v10 : tensor<?x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.rsqrt %in0 : f32
    linalg.yield %r : f32
  } -> tensor<?x1x1xf32>
  %v12 = tensor.empty(%B) : tensor<?x1x64xf32>
  %g13 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_x, %g11 : tensor<?x1x64xf32>, tensor<?x1x1xf32>) outs(%v12 : tensor<?x1x64xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x1x64xf32>
  %v14 = tensor.empty(%B) : tensor<?x1x64xf32>
  %g15 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g13, %a_g : tensor<?x1x64xf32>, tensor<64xf32>) outs(%v14 : tensor<?x1x64xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x1x64xf32>
  %v16 = tensor.empty() : tensor<64x64xf32>
  %v17 = linalg.transpose ins(%a_W : tensor<64x64xf32>) outs(%v16 : tensor<64x64xf32>) permutation = [1, 0]
  %v18 = tensor.collapse_shape %g15 [[0, 1], [2]] : tensor<?x1x64xf32> into tensor<?x64xf32>
  %v19 = tensor.empty(%B) : tensor<?x64xf32>
  %v20 = linalg.fill ins(%c2 : f32) outs(%v19 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %v21 = linalg.matmul ins(%v18, %v17 : tensor<?x64xf32>, tensor<64x64xf32>) outs(%v20 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %v22 = tensor.expand_shape %v21 [[0, 1], [2]] output_shape [%B, 1, 64] : tensor<?x64xf32> into tensor<?x1x64xf32>
  %v23 = tensor.empty(%B) : tensor<?x1x64xf32>
  %g24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v22, %a_b : tensor<?x1x64xf32>, tensor<64xf32>) outs(%v23 : tensor<?x1x64xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x1x64xf32>
  %v25 = tensor.expand_shape %g24 [[0], [1], [2, 3]] output_shape [%B, 1, 4, 16] : tensor<?x1x64xf32> into tensor<?x1x4x16xf32>
  %v26 = tensor.empty(%B) : tensor<?x4x1x16xf32>
  %v27 = linalg.transpose ins(%v25 : tensor<?x1x4x16xf32>) outs(%v26 : tensor<?x4x1x16xf32>) permutation = [0, 2, 1, 3]
  %v28 = tensor.empty(%B) : tensor<?x4x1x16xf32>
  %g29 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v27, %a_cos : tensor<?x4x1x16xf32>, tensor<1x16xf32>) outs(%v28 : tensor<?x4x1x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x1x16xf32>
  %v30 = tensor.extract_slice %v27[0, 0, 0, 8] [%B, 4, 1, 8] [1, 1, 1, 1] : tensor<?x4x1x16xf32> to tensor<?x4x1x8xf32>
  %v31 = tensor.empty(%B) : tensor<?x4x1x8xf32>
  %g32 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v30 : tensor<?x4x1x8xf32>) outs(%v31 : tensor<?x4x1x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.negf %in0 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x1x8xf32>
  %v33 = tensor.extract_slice %v27[0, 0, 0, 0] [%B, 4, 1, 8] [1, 1, 1, 1] : tensor<?x4x1x16xf32> to tensor<?x4x1x8xf32>
  %v34 = tensor.concat dim(3) %g32, %v33 : (tensor<?x4x1x8xf32>, tensor<?x4x1x8xf32>) -> tensor<?x4x1x16xf32>
  %v35 = tensor.empty(%B) : tensor<?x4x1x16xf32>
  %g36 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v34, %a_sin : tensor<?x4x1x16xf32>, tensor<1x16xf32>) outs(%v35 : tensor<?x4x1x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x1x16xf32>
  %v37 = tensor.empty(%B) : tensor<?x4x1x16xf32>
  %g38 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g29, %g36 : tensor<?x4x1x16xf32>, tensor<?x4x1x16xf32>) outs(%v37 : tensor<?x4x1x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x1x16xf32>
  %v39 = tensor.expand_shape %a_k [[0], [1, 2], [3], [4]] output_shape [%B, 2, 1, %L, 16] : tensor<?x2x?x16xf32> into tensor<?x2x1x?x16xf32>
  %v40 = tensor.empty(%B, %L) : tensor<?x2x2x?x16xf32>
  %g41 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v39 : tensor<?x2x1x?x16xf32>) outs(%v40 : tensor<?x2x2x?x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<?x2x2x?x16xf32>
  %v42 = tensor.collapse_shape %g41 [[0], [1, 2], [3], [4]] : tensor<?x2x2x?x16xf32> into tensor<?x4x?x16xf32>
  %v43 = tensor.expand_shape %a_v [[0], [1, 2], [3], [4]] output_shape [%B, 2, 1, %L, 16] : tensor<?x2x?x16xf32> into tensor<?x2x1x?x16xf32>
  %v44 = tensor.empty(%B, %L) : tensor<?x2x2x?x16xf32>
  %g45 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v43 : tensor<?x2x1x?x16xf32>) outs(%v44 : tensor<?x2x2x?x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<?x2x2x?x16xf32>
  %v46 = tensor.collapse_shape %g45 [[0], [1, 2], [3], [4]] : tensor<?x2x2x?x16xf32> into tensor<?x4x?x16xf32>
  %v47 = tensor.empty(%B, %L) : tensor<?x4x16x?xf32>
  %v48 = linalg.transpose ins(%v42 : tensor<?x4x?x16xf32>) outs(%v47 : tensor<?x4x16x?xf32>) permutation = [0, 1, 3, 2]
  %d49 = arith.muli %B, %c5 : index
  %v50 = tensor.collapse_shape %g38 [[0, 1], [2], [3]] : tensor<?x4x1x16xf32> into tensor<?x1x16xf32>
  %d51 = arith.muli %B, %c5 : index
  %v52 = tensor.collapse_shape %v48 [[0, 1], [2], [3]] : tensor<?x4x16x?xf32> into tensor<?x16x?xf32>
  %v53 = tensor.empty(%d49, %L) : tensor<?x1x?xf32>
  %v54 = linalg.fill ins(%c2 : f32) outs(%v53 : tensor<?x1x?xf32>) -> tensor<?x1x?xf32>
  %v55 = linalg.batch_matmul ins(%v50, %v52 : tensor<?x1x16xf32>, tensor<?x16x?xf32>) outs(%v54 : tensor<?x1x?xf32>) -> tensor<?x1x?xf32>
  %v56 = tensor.expand_shape %v55 [[0, 1], [2], [3]] output_shape [%B, 4, 1, %L] : tensor<?x1x?xf32> into tensor<?x4x1x?xf32>
  %v57 = tensor.empty(%B, %L) : tensor<?x4x1x?xf32>
  %g58 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v56 : tensor<?x4x1x?xf32>) outs(%v57 : tensor<?x4x1x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c6 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x4x1x?xf32>
  %v59 = tensor.empty(%B) : tensor<?x4x1xi64>
  %v60 = linalg.fill ins(%c7 : i64) outs(%v59 : tensor<?x4x1xi64>) -> tensor<?x4x1xi64>
  %v61 = tensor.empty(%B) : tensor<?x4x1xf32>
  %v62 = linalg.fill ins(%c8 : f32) outs(%v61 : tensor<?x4x1xf32>) -> tensor<?x4x1xf32>
  %g63:2 = linalg.generic {indexing_maps = [#map3, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g58 : tensor<?x4x1x?xf32>) outs(%v62, %v60 : tensor<?x4x1xf32>, tensor<?x4x1xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<?x4x1xf32>, tensor<?x4x1xi64>)
  %v64 = tensor.expand_shape %g63#0 [[0], [1], [2, 3]] output_shape [%B, 4, 1, 1] : tensor<?x4x1xf32> into tensor<?x4x1x1xf32>
  %v65 = tensor.empty(%B, %L) : tensor<?x4x1x?xf32>
  %g66 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g58, %v64 : tensor<?x4x1x?xf32>, tensor<?x4x1x1xf32>) outs(%v65 : tensor<?x4x1x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x1x?xf32>
  %v67 = tensor.empty(%B, %L) : tensor<?x4x1x?xf32>
  %g68 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g66 : tensor<?x4x1x?xf32>) outs(%v67 : tensor<?x4x1x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x1x?xf32>
  %v69 = tensor.empty(%B) : tensor<?x4x1x1xf32>
  %v70 = linalg.fill ins(%c2 : f32) outs(%v69 : tensor<?x4x1x1xf32>) -> tensor<?x4x1x1xf32>
  %g71 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g68 : tensor<?x4x1x?xf32>) outs(%v70 : tensor<?x4x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x1x1xf32>
  %v72 = tensor.empty(%B, %L) : tensor<?x4x1x?xf32>
  %g73 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g68, %g71 : tensor<?x4x1x?xf32>, tensor<?x4x1x1xf32>) outs(%v72 : tensor<?x4x1x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x1x?xf32>
  %d74 = arith.muli %B, %c5 : index
  %v75 = tensor.collapse_shape %g73 [[0, 1], [2], [3]] : tensor<?x4x1x?xf32> into tensor<?x1x?xf32>
  %d76 = arith.muli %B, %c5 : index
  %v77 = tensor.collapse_shape %v46 [[0, 1], [2], [3]] : tensor<?x4x?x16xf32> into tensor<?x?x16xf32>
  %v78 = tensor.empty(%d74) : tensor<?x1x16xf32>
  %v79 = linalg.fill ins(%c2 : f32) outs(%v78 : tensor<?x1x16xf32>) -> tensor<?x1x16xf32>
  %v80 = linalg.batch_matmul ins(%v75, %v77 : tensor<?x1x?xf32>, tensor<?x?x16xf32>) outs(%v79 : tensor<?x1x16xf32>) -> tensor<?x1x16xf32>
  %v81 = tensor.expand_shape %v80 [[0, 1], [2], [3]] output_shape [%B, 4, 1, 16] : tensor<?x1x16xf32> into tensor<?x4x1x16xf32>
  %v82 = tensor.empty(%B) : tensor<?x1x4x16xf32>
  %v83 = linalg.transpose ins(%v81 : tensor<?x4x1x16xf32>) outs(%v82 : tensor<?x1x4x16xf32>) permutation = [0, 2, 1, 3]
  %v84 = tensor.collapse_shape %v83 [[0], [1], [2, 3]] : tensor<?x1x4x16xf32> into tensor<?x1x64xf32>
  %v85 = tensor.empty() : tensor<64x64xf32>
  %v86 = linalg.transpose ins(%a_Wo : tensor<64x64xf32>) outs(%v85 : tensor<64x64xf32>) permutation = [1, 0]
  %v87 = tensor.collapse_shape %v84 [[0, 1], [2]] : tensor<?x1x64xf32> into tensor<?x64xf32>
  %v88 = tensor.empty(%B) : tensor<?x64xf32>
  %v89 = linalg.fill ins(%c2 : f32) outs(%v88 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %v90 = linalg.matmul ins(%v87, %v86 : tensor<?x64xf32>, tensor<64x64xf32>) outs(%v89 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %v91 = tensor.expand_shape %v90 [[0, 1], [2]] output_shape [%B, 1, 64] : tensor<?x64xf32> into tensor<?x1x64xf32>
  %v92 = tensor.empty(%B) : tensor<?x1x64xf32>
  %g93 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_x, %v91 : tensor<?x1x64xf32>, tensor<?x1x64xf32>) outs(%v92 : tensor<?x1x64xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x1x64xf32>
  return %g93 : tensor<?x1x64xf32>
}
