// RWKV: decays differ by channel, so scores are sums of products of three tensors; a
// bonus on the diagonal.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=4672 --max-kernels=3 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, 0, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d1, 0, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @rwkv_chunk(%a_r: tensor<1x2x24x16xf32>,
    %a_k: tensor<1x2x24x16xf32>,
    %a_v: tensor<1x2x24x16xf32>,
    %a_cw: tensor<1x2x24x16xf32> {check.draw = "uniform -2 0"},
    %a_u: tensor<2x16xf32>) -> (tensor<1x2x24x16xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %v1 = tensor.expand_shape %a_cw [[0], [1], [2, 3], [4]] output_shape [1, 2, 24, 1, 16] : tensor<1x2x24x16xf32> into tensor<1x2x24x1x16xf32>
  %v2 = tensor.expand_shape %a_cw [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 24, 16] : tensor<1x2x24x16xf32> into tensor<1x2x1x24x16xf32>
  %v3 = tensor.empty() : tensor<1x2x24x24x16xf32>
  %g4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v1, %v2 : tensor<1x2x24x1x16xf32>, tensor<1x2x1x24x16xf32>) outs(%v3 : tensor<1x2x24x24x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x24x24x16xf32>
  %v5 = tensor.empty() : tensor<1x2x24x24x16xf32>
  %g6 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g4 : tensor<1x2x24x24x16xf32>) outs(%v5 : tensor<1x2x24x24x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x24x24x16xf32>
  %v7 = tensor.expand_shape %a_r [[0], [1], [2, 3], [4]] output_shape [1, 2, 24, 1, 16] : tensor<1x2x24x16xf32> into tensor<1x2x24x1x16xf32>
  %v8 = tensor.expand_shape %a_k [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 24, 16] : tensor<1x2x24x16xf32> into tensor<1x2x1x24x16xf32>
  %v9 = tensor.empty() : tensor<1x2x24x24x16xf32>
  %g10 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v7, %v8 : tensor<1x2x24x1x16xf32>, tensor<1x2x1x24x16xf32>) outs(%v9 : tensor<1x2x24x24x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x24x24x16xf32>
  %v11 = tensor.empty() : tensor<1x2x24x24x16xf32>
  %g12 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g10, %g6 : tensor<1x2x24x24x16xf32>, tensor<1x2x24x24x16xf32>) outs(%v11 : tensor<1x2x24x24x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x24x24x16xf32>
  %v13 = tensor.empty() : tensor<1x2x24x24xf32>
  %v14 = linalg.fill ins(%c0 : f32) outs(%v13 : tensor<1x2x24x24xf32>) -> tensor<1x2x24x24xf32>
  %g15 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%g12 : tensor<1x2x24x24x16xf32>) outs(%v14 : tensor<1x2x24x24xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x24x24xf32>
  %v16 = tensor.empty() : tensor<24xi64>
  %g17 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%v16 : tensor<24xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<24xi64>
  %v18 = tensor.expand_shape %g17 [[0, 1]] output_shape [24, 1] : tensor<24xi64> into tensor<24x1xi64>
  %v19 = tensor.empty() : tensor<24xi64>
  %g20 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%v19 : tensor<24xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<24xi64>
  %v21 = tensor.expand_shape %g20 [[0, 1]] output_shape [1, 24] : tensor<24xi64> into tensor<1x24xi64>
  %v22 = tensor.empty() : tensor<24x24xi1>
  %g23 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%v18, %v21 : tensor<24x1xi64>, tensor<1x24xi64>) outs(%v22 : tensor<24x24xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sgt, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<24x24xi1>
  %v24 = tensor.empty() : tensor<1x2x24x24xf32>
  %g25 = linalg.generic {indexing_maps = [#map8, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g23, %g15 : tensor<24x24xi1>, tensor<1x2x24x24xf32>) outs(%v24 : tensor<1x2x24x24xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x24x24xf32>
  %v26 = tensor.empty() : tensor<1x2x24x16xf32>
  %g27 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_r, %a_k : tensor<1x2x24x16xf32>, tensor<1x2x24x16xf32>) outs(%v26 : tensor<1x2x24x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x24x16xf32>
  %v28 = tensor.expand_shape %a_u [[0, 1], [2]] output_shape [2, 1, 16] : tensor<2x16xf32> into tensor<2x1x16xf32>
  %v29 = tensor.empty() : tensor<1x2x24x16xf32>
  %g30 = linalg.generic {indexing_maps = [#map9, #map10, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g27, %v28 : tensor<1x2x24x16xf32>, tensor<2x1x16xf32>) outs(%v29 : tensor<1x2x24x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x24x16xf32>
  %v31 = tensor.empty() : tensor<1x2x24x1xf32>
  %v32 = linalg.fill ins(%c0 : f32) outs(%v31 : tensor<1x2x24x1xf32>) -> tensor<1x2x24x1xf32>
  %g33 = linalg.generic {indexing_maps = [#map9, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g30 : tensor<1x2x24x16xf32>) outs(%v32 : tensor<1x2x24x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x24x1xf32>
  %v34 = tensor.collapse_shape %g25 [[0, 1], [2], [3]] : tensor<1x2x24x24xf32> into tensor<2x24x24xf32>
  %v35 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x2x24x16xf32> into tensor<2x24x16xf32>
  %v36 = tensor.empty() : tensor<2x24x16xf32>
  %v37 = linalg.fill ins(%c0 : f32) outs(%v36 : tensor<2x24x16xf32>) -> tensor<2x24x16xf32>
  %v38 = linalg.batch_matmul ins(%v34, %v35 : tensor<2x24x24xf32>, tensor<2x24x16xf32>) outs(%v37 : tensor<2x24x16xf32>) -> tensor<2x24x16xf32>
  %v39 = tensor.expand_shape %v38 [[0, 1], [2], [3]] output_shape [1, 2, 24, 16] : tensor<2x24x16xf32> into tensor<1x2x24x16xf32>
  %v40 = tensor.empty() : tensor<1x2x24x16xf32>
  %g41 = linalg.generic {indexing_maps = [#map11, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g33, %a_v : tensor<1x2x24x1xf32>, tensor<1x2x24x16xf32>) outs(%v40 : tensor<1x2x24x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x24x16xf32>
  %v42 = tensor.empty() : tensor<1x2x24x16xf32>
  %g43 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v39, %g41 : tensor<1x2x24x16xf32>, tensor<1x2x24x16xf32>) outs(%v42 : tensor<1x2x24x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x24x16xf32>
  return %g43 : tensor<1x2x24x16xf32>
}
