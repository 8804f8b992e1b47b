// Softpick: rectified exponentials minus one, over the sum of their absolute values.

// RUN: linalg-ext-check-program %s --targets=gpu --max-buffer-bytes=4995 --max-kernels=1 \
// RUN:   --keys=16
// RUN: linalg-ext-check-program %s --targets=cpu

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @softpick(%a_q: tensor<1x3x37x16xf32>,
    %a_k: tensor<1x3x45x16xf32>,
    %a_v: tensor<1x3x45x16xf32>) -> (tensor<1x3x37x16xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 2.500000000e-01 : f64
  %c2 = arith.constant 0 : i64
  %c3 = arith.constant 0xFF800000 : f32
  %c4 = arith.constant 0.000000000e+00 : f64
  %c5 = arith.constant 1.000000000e-06 : f64
  %v1 = tensor.empty() : tensor<1x3x16x45xf32>
  %v2 = linalg.transpose ins(%a_k : tensor<1x3x45x16xf32>) outs(%v1 : tensor<1x3x16x45xf32>) permutation = [0, 1, 3, 2]
  %v3 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<1x3x37x16xf32> into tensor<3x37x16xf32>
  %v4 = tensor.collapse_shape %v2 [[0, 1], [2], [3]] : tensor<1x3x16x45xf32> into tensor<3x16x45xf32>
  %v5 = tensor.empty() : tensor<3x37x45xf32>
  %v6 = linalg.fill ins(%c0 : f32) outs(%v5 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v7 = linalg.batch_matmul ins(%v3, %v4 : tensor<3x37x16xf32>, tensor<3x16x45xf32>) outs(%v6 : tensor<3x37x45xf32>) -> tensor<3x37x45xf32>
  %v8 = tensor.expand_shape %v7 [[0, 1], [2], [3]] output_shape [1, 3, 37, 45] : tensor<3x37x45xf32> into tensor<1x3x37x45xf32>
  %v9 = tensor.empty() : tensor<1x3x37x45xf32>
  %g10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v8 : tensor<1x3x37x45xf32>) outs(%v9 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v11 = tensor.empty() : tensor<1x3x37xi64>
  %v12 = linalg.fill ins(%c2 : i64) outs(%v11 : tensor<1x3x37xi64>) -> tensor<1x3x37xi64>
  %v13 = tensor.empty() : tensor<1x3x37xf32>
  %v14 = linalg.fill ins(%c3 : f32) outs(%v13 : tensor<1x3x37xf32>) -> tensor<1x3x37xf32>
  %g15:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g10 : tensor<1x3x37x45xf32>) outs(%v14, %v12 : tensor<1x3x37xf32>, tensor<1x3x37xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x37xf32>, tensor<1x3x37xi64>)
  %v16 = tensor.expand_shape %g15#0 [[0], [1], [2, 3]] output_shape [1, 3, 37, 1] : tensor<1x3x37xf32> into tensor<1x3x37x1xf32>
  %v17 = tensor.empty() : tensor<1x3x37x45xf32>
  %g18 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g10, %v16 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%v17 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v19 = tensor.empty() : tensor<1x3x37x45xf32>
  %g20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g18 : tensor<1x3x37x45xf32>) outs(%v19 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v21 = tensor.empty() : tensor<1x3x37x1xf32>
  %g22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v16 : tensor<1x3x37x1xf32>) outs(%v21 : tensor<1x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.negf %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x1xf32>
  %v23 = tensor.empty() : tensor<1x3x37x1xf32>
  %g24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g22 : tensor<1x3x37x1xf32>) outs(%v23 : tensor<1x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x1xf32>
  %v25 = tensor.empty() : tensor<1x3x37x45xf32>
  %g26 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g20, %g24 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%v25 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v27 = tensor.empty() : tensor<1x3x37x45xf32>
  %g28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g26 : tensor<1x3x37x45xf32>) outs(%v27 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c4 : f64 to f32
    %r = arith.maximumf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v29 = tensor.empty() : tensor<1x3x37x45xf32>
  %g30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g26 : tensor<1x3x37x45xf32>) outs(%v29 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.absf %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v31 = tensor.empty() : tensor<1x3x37x1xf32>
  %v32 = linalg.fill ins(%c0 : f32) outs(%v31 : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %g33 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g30 : tensor<1x3x37x45xf32>) outs(%v32 : tensor<1x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x1xf32>
  %v34 = tensor.empty() : tensor<1x3x37x1xf32>
  %g35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g33 : tensor<1x3x37x1xf32>) outs(%v34 : tensor<1x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c5 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x1xf32>
  %v36 = tensor.empty() : tensor<1x3x37x45xf32>
  %g37 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g28, %g35 : tensor<1x3x37x45xf32>, tensor<1x3x37x1xf32>) outs(%v36 : tensor<1x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x37x45xf32>
  %v38 = tensor.collapse_shape %g37 [[0, 1], [2], [3]] : tensor<1x3x37x45xf32> into tensor<3x37x45xf32>
  %v39 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x3x45x16xf32> into tensor<3x45x16xf32>
  %v40 = tensor.empty() : tensor<3x37x16xf32>
  %v41 = linalg.fill ins(%c0 : f32) outs(%v40 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v42 = linalg.batch_matmul ins(%v38, %v39 : tensor<3x37x45xf32>, tensor<3x45x16xf32>) outs(%v41 : tensor<3x37x16xf32>) -> tensor<3x37x16xf32>
  %v43 = tensor.expand_shape %v42 [[0, 1], [2], [3]] output_shape [1, 3, 37, 16] : tensor<3x37x16xf32> into tensor<1x3x37x16xf32>
  return %v43 : tensor<1x3x37x16xf32>
}
