// Neighbourhood attention: each query has keys of its own, a window that is gathered from
// padded keys.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=1553 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>

func.func @natten(%a_q: tensor<2x3x37x16xf32>,
    %a_k: tensor<2x3x37x16xf32>,
    %a_v: tensor<2x3x37x16xf32>) -> (tensor<2x3x37x16xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 2.500000000e-01 : f64
  %c2 = arith.constant 3 : i64
  %c3 = arith.constant 0 : i64
  %c4 = arith.constant 37 : i64
  %c5 = arith.constant 0xFF800000 : f32
  %v1 = tensor.pad %a_k low[0, 0, 3, 0] high[0, 0, 3, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %c0 : f32
  } : tensor<2x3x37x16xf32> to tensor<2x3x43x16xf32>
  %v2 = tensor.empty() : tensor<2x3x37x7x16xf32>
  %g3 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%v2 : tensor<2x3x37x7x16xf32>) {
  ^bb0(%out0: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %i4 = linalg.index 4 : index
    %j = arith.addi %i2, %i3 : index
    %e = tensor.extract %v1[%i0, %i1, %j, %i4] : tensor<2x3x43x16xf32>
    linalg.yield %e : f32
  } -> tensor<2x3x37x7x16xf32>
  %v4 = tensor.pad %a_v low[0, 0, 3, 0] high[0, 0, 3, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %c0 : f32
  } : tensor<2x3x37x16xf32> to tensor<2x3x43x16xf32>
  %v5 = tensor.empty() : tensor<2x3x37x7x16xf32>
  %g6 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%v5 : tensor<2x3x37x7x16xf32>) {
  ^bb0(%out0: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %i4 = linalg.index 4 : index
    %j = arith.addi %i2, %i3 : index
    %e = tensor.extract %v4[%i0, %i1, %j, %i4] : tensor<2x3x43x16xf32>
    linalg.yield %e : f32
  } -> tensor<2x3x37x7x16xf32>
  %v7 = tensor.expand_shape %a_q [[0], [1], [2, 3], [4]] output_shape [2, 3, 37, 1, 16] : tensor<2x3x37x16xf32> into tensor<2x3x37x1x16xf32>
  %v8 = tensor.empty() : tensor<2x3x37x16x7xf32>
  %v9 = linalg.transpose ins(%g3 : tensor<2x3x37x7x16xf32>) outs(%v8 : tensor<2x3x37x16x7xf32>) permutation = [0, 1, 2, 4, 3]
  %v10 = tensor.collapse_shape %v7 [[0, 1, 2], [3], [4]] : tensor<2x3x37x1x16xf32> into tensor<222x1x16xf32>
  %v11 = tensor.collapse_shape %v9 [[0, 1, 2], [3], [4]] : tensor<2x3x37x16x7xf32> into tensor<222x16x7xf32>
  %v12 = tensor.empty() : tensor<222x1x7xf32>
  %v13 = linalg.fill ins(%c0 : f32) outs(%v12 : tensor<222x1x7xf32>) -> tensor<222x1x7xf32>
  %v14 = linalg.batch_matmul ins(%v10, %v11 : tensor<222x1x16xf32>, tensor<222x16x7xf32>) outs(%v13 : tensor<222x1x7xf32>) -> tensor<222x1x7xf32>
  %v15 = tensor.expand_shape %v14 [[0, 1, 2], [3], [4]] output_shape [2, 3, 37, 1, 7] : tensor<222x1x7xf32> into tensor<2x3x37x1x7xf32>
  %v16 = tensor.empty() : tensor<2x3x37x1x7xf32>
  %g17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v15 : tensor<2x3x37x1x7xf32>) outs(%v16 : tensor<2x3x37x1x7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x1x7xf32>
  %v18 = tensor.empty() : tensor<37xi64>
  %g19 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%v18 : tensor<37xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<37xi64>
  %v20 = tensor.expand_shape %g19 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %v21 = tensor.empty() : tensor<7xi64>
  %g22 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%v21 : tensor<7xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<7xi64>
  %v23 = tensor.expand_shape %g22 [[0, 1]] output_shape [1, 7] : tensor<7xi64> into tensor<1x7xi64>
  %v24 = tensor.empty() : tensor<37x7xi64>
  %g25 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%v20, %v23 : tensor<37x1xi64>, tensor<1x7xi64>) outs(%v24 : tensor<37x7xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %r = arith.addi %in0, %in1 : i64
    linalg.yield %r : i64
  } -> tensor<37x7xi64>
  %v26 = tensor.empty() : tensor<37x7xi64>
  %v27 = linalg.fill ins(%c2 : i64) outs(%v26 : tensor<37x7xi64>) -> tensor<37x7xi64>
  %v28 = tensor.empty() : tensor<37x7xi64>
  %g29 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%g25, %v27 : tensor<37x7xi64>, tensor<37x7xi64>) outs(%v28 : tensor<37x7xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %r = arith.subi %in0, %in1 : i64
    linalg.yield %r : i64
  } -> tensor<37x7xi64>
  %v30 = tensor.empty() : tensor<37x7xi64>
  %v31 = linalg.fill ins(%c3 : i64) outs(%v30 : tensor<37x7xi64>) -> tensor<37x7xi64>
  %v32 = tensor.empty() : tensor<37x7xi1>
  %g33 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%g29, %v31 : tensor<37x7xi64>, tensor<37x7xi64>) outs(%v32 : tensor<37x7xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<37x7xi1>
  %v34 = tensor.empty() : tensor<37x7xi64>
  %v35 = linalg.fill ins(%c4 : i64) outs(%v34 : tensor<37x7xi64>) -> tensor<37x7xi64>
  %v36 = tensor.empty() : tensor<37x7xi1>
  %g37 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%g29, %v35 : tensor<37x7xi64>, tensor<37x7xi64>) outs(%v36 : tensor<37x7xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi slt, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<37x7xi1>
  %v38 = tensor.empty() : tensor<37x7xi1>
  %g39 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%g33, %g37 : tensor<37x7xi1>, tensor<37x7xi1>) outs(%v38 : tensor<37x7xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<37x7xi1>
  %v40 = tensor.expand_shape %g39 [[0, 1], [2]] output_shape [37, 1, 7] : tensor<37x7xi1> into tensor<37x1x7xi1>
  %v41 = tensor.empty() : tensor<2x3x37x1x7xf32>
  %g42 = linalg.generic {indexing_maps = [#map5, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v40, %g17 : tensor<37x1x7xi1>, tensor<2x3x37x1x7xf32>) outs(%v41 : tensor<2x3x37x1x7xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c5 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x1x7xf32>
  %v43 = tensor.empty() : tensor<2x3x37x1xi64>
  %v44 = linalg.fill ins(%c3 : i64) outs(%v43 : tensor<2x3x37x1xi64>) -> tensor<2x3x37x1xi64>
  %v45 = tensor.empty() : tensor<2x3x37x1xf32>
  %v46 = linalg.fill ins(%c5 : f32) outs(%v45 : tensor<2x3x37x1xf32>) -> tensor<2x3x37x1xf32>
  %g47:2 = linalg.generic {indexing_maps = [#map, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%g42 : tensor<2x3x37x1x7xf32>) outs(%v46, %v44 : tensor<2x3x37x1xf32>, tensor<2x3x37x1xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 4 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x3x37x1xf32>, tensor<2x3x37x1xi64>)
  %v48 = tensor.expand_shape %g47#0 [[0], [1], [2], [3, 4]] output_shape [2, 3, 37, 1, 1] : tensor<2x3x37x1xf32> into tensor<2x3x37x1x1xf32>
  %v49 = tensor.empty() : tensor<2x3x37x1x7xf32>
  %g50 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g42, %v48 : tensor<2x3x37x1x7xf32>, tensor<2x3x37x1x1xf32>) outs(%v49 : tensor<2x3x37x1x7xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x1x7xf32>
  %v51 = tensor.empty() : tensor<2x3x37x1x7xf32>
  %g52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g50 : tensor<2x3x37x1x7xf32>) outs(%v51 : tensor<2x3x37x1x7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x1x7xf32>
  %v53 = tensor.empty() : tensor<2x3x37x1x1xf32>
  %v54 = linalg.fill ins(%c0 : f32) outs(%v53 : tensor<2x3x37x1x1xf32>) -> tensor<2x3x37x1x1xf32>
  %g55 = linalg.generic {indexing_maps = [#map, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%g52 : tensor<2x3x37x1x7xf32>) outs(%v54 : tensor<2x3x37x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x1x1xf32>
  %v56 = tensor.empty() : tensor<2x3x37x1x7xf32>
  %g57 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g52, %g55 : tensor<2x3x37x1x7xf32>, tensor<2x3x37x1x1xf32>) outs(%v56 : tensor<2x3x37x1x7xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x1x7xf32>
  %v58 = tensor.collapse_shape %g57 [[0, 1, 2], [3], [4]] : tensor<2x3x37x1x7xf32> into tensor<222x1x7xf32>
  %v59 = tensor.collapse_shape %g6 [[0, 1, 2], [3], [4]] : tensor<2x3x37x7x16xf32> into tensor<222x7x16xf32>
  %v60 = tensor.empty() : tensor<222x1x16xf32>
  %v61 = linalg.fill ins(%c0 : f32) outs(%v60 : tensor<222x1x16xf32>) -> tensor<222x1x16xf32>
  %v62 = linalg.batch_matmul ins(%v58, %v59 : tensor<222x1x7xf32>, tensor<222x7x16xf32>) outs(%v61 : tensor<222x1x16xf32>) -> tensor<222x1x16xf32>
  %v63 = tensor.expand_shape %v62 [[0, 1, 2], [3], [4]] output_shape [2, 3, 37, 1, 16] : tensor<222x1x16xf32> into tensor<2x3x37x1x16xf32>
  %v64 = tensor.collapse_shape %v63 [[0], [1], [2, 3], [4]] : tensor<2x3x37x1x16xf32> into tensor<2x3x37x16xf32>
  return %v64 : tensor<2x3x37x16xf32>
}
