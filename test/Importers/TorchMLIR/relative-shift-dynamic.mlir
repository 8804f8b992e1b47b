// Conformer: scores of relative positions, twice as many less one, are shifted by a pad,
// reshapes and slices.

// RUN: linalg-ext-check-program %s --sizes=2x3x37x16,2x3x37x16,2x3x37x16,2x3x73x16 \
// RUN:   --max-kernels=3 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @rel_shift(%a_q: tensor<2x3x?x16xf32>,
    %a_k: tensor<2x3x?x16xf32>,
    %a_v: tensor<2x3x?x16xf32>,
    %a_r: tensor<2x3x?x16xf32>) -> (tensor<2x3x?x16xf32>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 1 : index
  %c3 = arith.constant 2.500000000e-01 : f64
  %c4 = arith.constant 0 : i64
  %c5 = arith.constant 0xFF800000 : f32
  %T = tensor.dim %a_q, %c0 : tensor<2x3x?x16xf32>
  %R = tensor.dim %a_r, %c0 : tensor<2x3x?x16xf32>
  %v1 = tensor.empty(%T) : tensor<2x3x16x?xf32>
  %v2 = linalg.transpose ins(%a_k : tensor<2x3x?x16xf32>) outs(%v1 : tensor<2x3x16x?xf32>) permutation = [0, 1, 3, 2]
  %v3 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<2x3x?x16xf32> into tensor<6x?x16xf32>
  %v4 = tensor.collapse_shape %v2 [[0, 1], [2], [3]] : tensor<2x3x16x?xf32> into tensor<6x16x?xf32>
  %v5 = tensor.empty(%T, %T) : tensor<6x?x?xf32>
  %v6 = linalg.fill ins(%c1 : f32) outs(%v5 : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %v7 = linalg.batch_matmul ins(%v3, %v4 : tensor<6x?x16xf32>, tensor<6x16x?xf32>) outs(%v6 : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %v8 = tensor.expand_shape %v7 [[0, 1], [2], [3]] output_shape [2, 3, %T, %T] : tensor<6x?x?xf32> into tensor<2x3x?x?xf32>
  %v9 = tensor.empty(%R) : tensor<2x3x16x?xf32>
  %v10 = linalg.transpose ins(%a_r : tensor<2x3x?x16xf32>) outs(%v9 : tensor<2x3x16x?xf32>) permutation = [0, 1, 3, 2]
  %v11 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<2x3x?x16xf32> into tensor<6x?x16xf32>
  %v12 = tensor.collapse_shape %v10 [[0, 1], [2], [3]] : tensor<2x3x16x?xf32> into tensor<6x16x?xf32>
  %v13 = tensor.empty(%T, %R) : tensor<6x?x?xf32>
  %v14 = linalg.fill ins(%c1 : f32) outs(%v13 : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %v15 = linalg.batch_matmul ins(%v11, %v12 : tensor<6x?x16xf32>, tensor<6x16x?xf32>) outs(%v14 : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %v16 = tensor.expand_shape %v15 [[0, 1], [2], [3]] output_shape [2, 3, %T, %R] : tensor<6x?x?xf32> into tensor<2x3x?x?xf32>
  %d17 = arith.addi %R, %c2 : index
  %v18 = tensor.pad %v16 low[0, 0, 0, 1] high[0, 0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %c1 : f32
  } : tensor<2x3x?x?xf32> to tensor<2x3x?x?xf32>
  %d19 = arith.muli %T, %d17 : index
  %v20 = tensor.collapse_shape %v18 [[0], [1], [2, 3]] : tensor<2x3x?x?xf32> into tensor<2x3x?xf32>
  %v21 = tensor.expand_shape %v20 [[0], [1], [2, 3]] output_shape [2, 3, %d17, %T] : tensor<2x3x?xf32> into tensor<2x3x?x?xf32>
  %d22 = arith.subi %d17, %c2 : index
  %v23 = tensor.extract_slice %v21[0, 0, 1, 0] [2, 3, %d22, %T] [1, 1, 1, 1] : tensor<2x3x?x?xf32> to tensor<2x3x?x?xf32>
  %d24 = arith.muli %d22, %T : index
  %v25 = tensor.collapse_shape %v23 [[0], [1], [2, 3]] : tensor<2x3x?x?xf32> into tensor<2x3x?xf32>
  %v26 = tensor.expand_shape %v25 [[0], [1], [2, 3]] output_shape [2, 3, %T, %d22] : tensor<2x3x?xf32> into tensor<2x3x?x?xf32>
  %v27 = tensor.extract_slice %v26[0, 0, 0, 0] [2, 3, %T, %T] [1, 1, 1, 1] : tensor<2x3x?x?xf32> to tensor<2x3x?x?xf32>
  %v28 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v8, %v27 : tensor<2x3x?x?xf32>, tensor<2x3x?x?xf32>) outs(%v28 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v30 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g29 : tensor<2x3x?x?xf32>) outs(%v30 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c3 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v32 = tensor.empty(%T) : tensor<2x3x?xi64>
  %v33 = linalg.fill ins(%c4 : i64) outs(%v32 : tensor<2x3x?xi64>) -> tensor<2x3x?xi64>
  %v34 = tensor.empty(%T) : tensor<2x3x?xf32>
  %v35 = linalg.fill ins(%c5 : f32) outs(%v34 : tensor<2x3x?xf32>) -> tensor<2x3x?xf32>
  %g36:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g31 : tensor<2x3x?x?xf32>) outs(%v35, %v33 : tensor<2x3x?xf32>, tensor<2x3x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x3x?xf32>, tensor<2x3x?xi64>)
  %v37 = tensor.expand_shape %g36#0 [[0], [1], [2, 3]] output_shape [2, 3, %T, 1] : tensor<2x3x?xf32> into tensor<2x3x?x1xf32>
  %v38 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g39 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g31, %v37 : tensor<2x3x?x?xf32>, tensor<2x3x?x1xf32>) outs(%v38 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v40 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g39 : tensor<2x3x?x?xf32>) outs(%v40 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v42 = tensor.empty(%T) : tensor<2x3x?x1xf32>
  %v43 = linalg.fill ins(%c1 : f32) outs(%v42 : tensor<2x3x?x1xf32>) -> tensor<2x3x?x1xf32>
  %g44 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g41 : tensor<2x3x?x?xf32>) outs(%v43 : tensor<2x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x1xf32>
  %v45 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g46 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g41, %g44 : tensor<2x3x?x?xf32>, tensor<2x3x?x1xf32>) outs(%v45 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v47 = tensor.collapse_shape %g46 [[0, 1], [2], [3]] : tensor<2x3x?x?xf32> into tensor<6x?x?xf32>
  %v48 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<2x3x?x16xf32> into tensor<6x?x16xf32>
  %v49 = tensor.empty(%T) : tensor<6x?x16xf32>
  %v50 = linalg.fill ins(%c1 : f32) outs(%v49 : tensor<6x?x16xf32>) -> tensor<6x?x16xf32>
  %v51 = linalg.batch_matmul ins(%v47, %v48 : tensor<6x?x?xf32>, tensor<6x?x16xf32>) outs(%v50 : tensor<6x?x16xf32>) -> tensor<6x?x16xf32>
  %v52 = tensor.expand_shape %v51 [[0, 1], [2], [3]] output_shape [2, 3, %T, 16] : tensor<6x?x16xf32> into tensor<2x3x?x16xf32>
  return %v52 : tensor<2x3x?x16xf32>
}
