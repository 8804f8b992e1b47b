// MaxViT: attention among pixels that are a stride apart, in both directions.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=768 --max-kernels=1 --keys=16
// RUN: linalg-ext-check-program %s --max-buffer-bytes=768 --max-kernels=1 \
// RUN:   --targets=gpu --gpu-options=chip=gfx942

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @maxvit_grid(%a_q: tensor<1x8x12x32xf32>,
    %a_k: tensor<1x8x12x32xf32>,
    %a_v: tensor<1x8x12x32xf32>,
    %a_bias: tensor<1x2x16x16xf32>) -> (tensor<1x8x12x32xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 2.500000000e-01 : f64
  %c2 = arith.constant 0 : i64
  %c3 = arith.constant 0xFF800000 : f32
  %v1 = tensor.expand_shape %a_q [[0], [1, 2], [3, 4], [5]] output_shape [1, 4, 2, 4, 3, 32] : tensor<1x8x12x32xf32> into tensor<1x4x2x4x3x32xf32>
  %v2 = tensor.empty() : tensor<1x2x3x4x4x32xf32>
  %v3 = linalg.transpose ins(%v1 : tensor<1x4x2x4x3x32xf32>) outs(%v2 : tensor<1x2x3x4x4x32xf32>) permutation = [0, 2, 4, 1, 3, 5]
  %v4 = tensor.collapse_shape %v3 [[0, 1, 2], [3, 4], [5]] : tensor<1x2x3x4x4x32xf32> into tensor<6x16x32xf32>
  %v5 = tensor.expand_shape %v4 [[0], [1], [2, 3]] output_shape [6, 16, 2, 16] : tensor<6x16x32xf32> into tensor<6x16x2x16xf32>
  %v6 = tensor.empty() : tensor<6x2x16x16xf32>
  %v7 = linalg.transpose ins(%v5 : tensor<6x16x2x16xf32>) outs(%v6 : tensor<6x2x16x16xf32>) permutation = [0, 2, 1, 3]
  %v8 = tensor.expand_shape %a_k [[0], [1, 2], [3, 4], [5]] output_shape [1, 4, 2, 4, 3, 32] : tensor<1x8x12x32xf32> into tensor<1x4x2x4x3x32xf32>
  %v9 = tensor.empty() : tensor<1x2x3x4x4x32xf32>
  %v10 = linalg.transpose ins(%v8 : tensor<1x4x2x4x3x32xf32>) outs(%v9 : tensor<1x2x3x4x4x32xf32>) permutation = [0, 2, 4, 1, 3, 5]
  %v11 = tensor.collapse_shape %v10 [[0, 1, 2], [3, 4], [5]] : tensor<1x2x3x4x4x32xf32> into tensor<6x16x32xf32>
  %v12 = tensor.expand_shape %v11 [[0], [1], [2, 3]] output_shape [6, 16, 2, 16] : tensor<6x16x32xf32> into tensor<6x16x2x16xf32>
  %v13 = tensor.empty() : tensor<6x2x16x16xf32>
  %v14 = linalg.transpose ins(%v12 : tensor<6x16x2x16xf32>) outs(%v13 : tensor<6x2x16x16xf32>) permutation = [0, 2, 1, 3]
  %v15 = tensor.expand_shape %a_v [[0], [1, 2], [3, 4], [5]] output_shape [1, 4, 2, 4, 3, 32] : tensor<1x8x12x32xf32> into tensor<1x4x2x4x3x32xf32>
  %v16 = tensor.empty() : tensor<1x2x3x4x4x32xf32>
  %v17 = linalg.transpose ins(%v15 : tensor<1x4x2x4x3x32xf32>) outs(%v16 : tensor<1x2x3x4x4x32xf32>) permutation = [0, 2, 4, 1, 3, 5]
  %v18 = tensor.collapse_shape %v17 [[0, 1, 2], [3, 4], [5]] : tensor<1x2x3x4x4x32xf32> into tensor<6x16x32xf32>
  %v19 = tensor.expand_shape %v18 [[0], [1], [2, 3]] output_shape [6, 16, 2, 16] : tensor<6x16x32xf32> into tensor<6x16x2x16xf32>
  %v20 = tensor.empty() : tensor<6x2x16x16xf32>
  %v21 = linalg.transpose ins(%v19 : tensor<6x16x2x16xf32>) outs(%v20 : tensor<6x2x16x16xf32>) permutation = [0, 2, 1, 3]
  %v22 = tensor.empty() : tensor<6x2x16x16xf32>
  %v23 = linalg.transpose ins(%v14 : tensor<6x2x16x16xf32>) outs(%v22 : tensor<6x2x16x16xf32>) permutation = [0, 1, 3, 2]
  %v24 = tensor.collapse_shape %v7 [[0, 1], [2], [3]] : tensor<6x2x16x16xf32> into tensor<12x16x16xf32>
  %v25 = tensor.collapse_shape %v23 [[0, 1], [2], [3]] : tensor<6x2x16x16xf32> into tensor<12x16x16xf32>
  %v26 = tensor.empty() : tensor<12x16x16xf32>
  %v27 = linalg.fill ins(%c0 : f32) outs(%v26 : tensor<12x16x16xf32>) -> tensor<12x16x16xf32>
  %v28 = linalg.batch_matmul ins(%v24, %v25 : tensor<12x16x16xf32>, tensor<12x16x16xf32>) outs(%v27 : tensor<12x16x16xf32>) -> tensor<12x16x16xf32>
  %v29 = tensor.expand_shape %v28 [[0, 1], [2], [3]] output_shape [6, 2, 16, 16] : tensor<12x16x16xf32> into tensor<6x2x16x16xf32>
  %v30 = tensor.empty() : tensor<6x2x16x16xf32>
  %g31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v29 : tensor<6x2x16x16xf32>) outs(%v30 : tensor<6x2x16x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<6x2x16x16xf32>
  %v32 = tensor.empty() : tensor<6x2x16x16xf32>
  %g33 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g31, %a_bias : tensor<6x2x16x16xf32>, tensor<1x2x16x16xf32>) outs(%v32 : tensor<6x2x16x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<6x2x16x16xf32>
  %v34 = tensor.empty() : tensor<6x2x16xi64>
  %v35 = linalg.fill ins(%c2 : i64) outs(%v34 : tensor<6x2x16xi64>) -> tensor<6x2x16xi64>
  %v36 = tensor.empty() : tensor<6x2x16xf32>
  %v37 = linalg.fill ins(%c3 : f32) outs(%v36 : tensor<6x2x16xf32>) -> tensor<6x2x16xf32>
  %g38:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g33 : tensor<6x2x16x16xf32>) outs(%v37, %v35 : tensor<6x2x16xf32>, tensor<6x2x16xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<6x2x16xf32>, tensor<6x2x16xi64>)
  %v39 = tensor.expand_shape %g38#0 [[0], [1], [2, 3]] output_shape [6, 2, 16, 1] : tensor<6x2x16xf32> into tensor<6x2x16x1xf32>
  %v40 = tensor.empty() : tensor<6x2x16x16xf32>
  %g41 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g33, %v39 : tensor<6x2x16x16xf32>, tensor<6x2x16x1xf32>) outs(%v40 : tensor<6x2x16x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<6x2x16x16xf32>
  %v42 = tensor.empty() : tensor<6x2x16x16xf32>
  %g43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g41 : tensor<6x2x16x16xf32>) outs(%v42 : tensor<6x2x16x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<6x2x16x16xf32>
  %v44 = tensor.empty() : tensor<6x2x16x1xf32>
  %v45 = linalg.fill ins(%c0 : f32) outs(%v44 : tensor<6x2x16x1xf32>) -> tensor<6x2x16x1xf32>
  %g46 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g43 : tensor<6x2x16x16xf32>) outs(%v45 : tensor<6x2x16x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<6x2x16x1xf32>
  %v47 = tensor.empty() : tensor<6x2x16x16xf32>
  %g48 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g43, %g46 : tensor<6x2x16x16xf32>, tensor<6x2x16x1xf32>) outs(%v47 : tensor<6x2x16x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<6x2x16x16xf32>
  %v49 = tensor.collapse_shape %g48 [[0, 1], [2], [3]] : tensor<6x2x16x16xf32> into tensor<12x16x16xf32>
  %v50 = tensor.collapse_shape %v21 [[0, 1], [2], [3]] : tensor<6x2x16x16xf32> into tensor<12x16x16xf32>
  %v51 = tensor.empty() : tensor<12x16x16xf32>
  %v52 = linalg.fill ins(%c0 : f32) outs(%v51 : tensor<12x16x16xf32>) -> tensor<12x16x16xf32>
  %v53 = linalg.batch_matmul ins(%v49, %v50 : tensor<12x16x16xf32>, tensor<12x16x16xf32>) outs(%v52 : tensor<12x16x16xf32>) -> tensor<12x16x16xf32>
  %v54 = tensor.expand_shape %v53 [[0, 1], [2], [3]] output_shape [6, 2, 16, 16] : tensor<12x16x16xf32> into tensor<6x2x16x16xf32>
  %v55 = tensor.empty() : tensor<6x16x2x16xf32>
  %v56 = linalg.transpose ins(%v54 : tensor<6x2x16x16xf32>) outs(%v55 : tensor<6x16x2x16xf32>) permutation = [0, 2, 1, 3]
  %v57 = tensor.collapse_shape %v56 [[0], [1], [2, 3]] : tensor<6x16x2x16xf32> into tensor<6x16x32xf32>
  %v58 = tensor.expand_shape %v57 [[0, 1, 2], [3, 4], [5]] output_shape [1, 2, 3, 4, 4, 32] : tensor<6x16x32xf32> into tensor<1x2x3x4x4x32xf32>
  %v59 = tensor.empty() : tensor<1x4x2x4x3x32xf32>
  %v60 = linalg.transpose ins(%v58 : tensor<1x2x3x4x4x32xf32>) outs(%v59 : tensor<1x4x2x4x3x32xf32>) permutation = [0, 3, 1, 4, 2, 5]
  %v61 = tensor.collapse_shape %v60 [[0], [1, 2], [3, 4], [5]] : tensor<1x4x2x4x3x32xf32> into tensor<1x8x12x32xf32>
  return %v61 : tensor<1x8x12x32xf32>
}
