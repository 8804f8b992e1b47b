// nn.MultiheadAttention with need_weights: the weights, averaged over the heads, are a
// result.

// RUN: linalg-ext-check-program %s --max-kernels=2 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>

func.func @need_weights(%a_q: tensor<29x2x48xf32>,
    %a_k: tensor<37x2x48xf32>,
    %a_v: tensor<37x2x48xf32>) -> (tensor<29x2x48xf32>, tensor<2x29x37xf32>) {
  %c0 = arith.constant 2.500000000e-01 : f64
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 0 : i64
  %c3 = arith.constant 0xFF800000 : f32
  %c4 = arith.constant 3.000000000e+00 : f64
  %v1 = tensor.expand_shape %a_q [[0], [1], [2, 3]] output_shape [29, 2, 3, 16] : tensor<29x2x48xf32> into tensor<29x2x3x16xf32>
  %v2 = tensor.collapse_shape %v1 [[0], [1, 2], [3]] : tensor<29x2x3x16xf32> into tensor<29x6x16xf32>
  %v3 = tensor.empty() : tensor<6x29x16xf32>
  %v4 = linalg.transpose ins(%v2 : tensor<29x6x16xf32>) outs(%v3 : tensor<6x29x16xf32>) permutation = [1, 0, 2]
  %v5 = tensor.empty() : tensor<6x29x16xf32>
  %g6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v4 : tensor<6x29x16xf32>) outs(%v5 : tensor<6x29x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c0 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<6x29x16xf32>
  %v7 = tensor.expand_shape %a_k [[0], [1], [2, 3]] output_shape [37, 2, 3, 16] : tensor<37x2x48xf32> into tensor<37x2x3x16xf32>
  %v8 = tensor.collapse_shape %v7 [[0], [1, 2], [3]] : tensor<37x2x3x16xf32> into tensor<37x6x16xf32>
  %v9 = tensor.empty() : tensor<6x37x16xf32>
  %v10 = linalg.transpose ins(%v8 : tensor<37x6x16xf32>) outs(%v9 : tensor<6x37x16xf32>) permutation = [1, 0, 2]
  %v11 = tensor.empty() : tensor<6x16x37xf32>
  %v12 = linalg.transpose ins(%v10 : tensor<6x37x16xf32>) outs(%v11 : tensor<6x16x37xf32>) permutation = [0, 2, 1]
  %v13 = tensor.empty() : tensor<6x29x37xf32>
  %v14 = linalg.fill ins(%c1 : f32) outs(%v13 : tensor<6x29x37xf32>) -> tensor<6x29x37xf32>
  %v15 = linalg.batch_matmul ins(%g6, %v12 : tensor<6x29x16xf32>, tensor<6x16x37xf32>) outs(%v14 : tensor<6x29x37xf32>) -> tensor<6x29x37xf32>
  %v16 = tensor.empty() : tensor<6x29xi64>
  %v17 = linalg.fill ins(%c2 : i64) outs(%v16 : tensor<6x29xi64>) -> tensor<6x29xi64>
  %v18 = tensor.empty() : tensor<6x29xf32>
  %v19 = linalg.fill ins(%c3 : f32) outs(%v18 : tensor<6x29xf32>) -> tensor<6x29xf32>
  %g20:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v15 : tensor<6x29x37xf32>) outs(%v19, %v17 : tensor<6x29xf32>, tensor<6x29xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 2 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<6x29xf32>, tensor<6x29xi64>)
  %v21 = tensor.expand_shape %g20#0 [[0], [1, 2]] output_shape [6, 29, 1] : tensor<6x29xf32> into tensor<6x29x1xf32>
  %v22 = tensor.empty() : tensor<6x29x37xf32>
  %g23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v15, %v21 : tensor<6x29x37xf32>, tensor<6x29x1xf32>) outs(%v22 : tensor<6x29x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<6x29x37xf32>
  %v24 = tensor.empty() : tensor<6x29x37xf32>
  %g25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g23 : tensor<6x29x37xf32>) outs(%v24 : tensor<6x29x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<6x29x37xf32>
  %v26 = tensor.empty() : tensor<6x29x1xf32>
  %v27 = linalg.fill ins(%c1 : f32) outs(%v26 : tensor<6x29x1xf32>) -> tensor<6x29x1xf32>
  %g28 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g25 : tensor<6x29x37xf32>) outs(%v27 : tensor<6x29x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<6x29x1xf32>
  %v29 = tensor.empty() : tensor<6x29x37xf32>
  %g30 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g25, %g28 : tensor<6x29x37xf32>, tensor<6x29x1xf32>) outs(%v29 : tensor<6x29x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<6x29x37xf32>
  %v31 = tensor.expand_shape %a_v [[0], [1], [2, 3]] output_shape [37, 2, 3, 16] : tensor<37x2x48xf32> into tensor<37x2x3x16xf32>
  %v32 = tensor.collapse_shape %v31 [[0], [1, 2], [3]] : tensor<37x2x3x16xf32> into tensor<37x6x16xf32>
  %v33 = tensor.empty() : tensor<6x37x16xf32>
  %v34 = linalg.transpose ins(%v32 : tensor<37x6x16xf32>) outs(%v33 : tensor<6x37x16xf32>) permutation = [1, 0, 2]
  %v35 = tensor.empty() : tensor<6x29x16xf32>
  %v36 = linalg.fill ins(%c1 : f32) outs(%v35 : tensor<6x29x16xf32>) -> tensor<6x29x16xf32>
  %v37 = linalg.batch_matmul ins(%g30, %v34 : tensor<6x29x37xf32>, tensor<6x37x16xf32>) outs(%v36 : tensor<6x29x16xf32>) -> tensor<6x29x16xf32>
  %v38 = tensor.empty() : tensor<29x6x16xf32>
  %v39 = linalg.transpose ins(%v37 : tensor<6x29x16xf32>) outs(%v38 : tensor<29x6x16xf32>) permutation = [1, 0, 2]
  %v40 = tensor.expand_shape %v39 [[0], [1, 2], [3]] output_shape [29, 2, 3, 16] : tensor<29x6x16xf32> into tensor<29x2x3x16xf32>
  %v41 = tensor.collapse_shape %v40 [[0], [1], [2, 3]] : tensor<29x2x3x16xf32> into tensor<29x2x48xf32>
  %v42 = tensor.expand_shape %g30 [[0, 1], [2], [3]] output_shape [2, 3, 29, 37] : tensor<6x29x37xf32> into tensor<2x3x29x37xf32>
  %v43 = tensor.empty() : tensor<2x29x37xf32>
  %v44 = linalg.fill ins(%c1 : f32) outs(%v43 : tensor<2x29x37xf32>) -> tensor<2x29x37xf32>
  %g45 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%v42 : tensor<2x3x29x37xf32>) outs(%v44 : tensor<2x29x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x29x37xf32>
  %v46 = tensor.empty() : tensor<2x29x37xf32>
  %g47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g45 : tensor<2x29x37xf32>) outs(%v46 : tensor<2x29x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c4 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x29x37xf32>
  return %v41, %g47 : tensor<29x2x48xf32>, tensor<2x29x37xf32>
}
