// TimesFM: queries have the scale, so that the mask is added to the product itself. Rows of
// padding see no key: all their scores are the number of the mask, whose product with log2(e)
// f32 does not have.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=2738 --max-kernels=1 --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @timesfm(%a_q: tensor<2x37x3x16xf32>,
    %a_k: tensor<2x37x3x16xf32>,
    %a_v: tensor<2x37x3x16xf32>,
    %a_scaling: tensor<16xf32>,
    %a_pad: tensor<2x37xi1>) -> (tensor<2x37x48xf32>) {
  %c0 = arith.constant 2.000000000e+01 : f32
  %c1 = arith.constant 3.606737602e-01 : f64
  %c2 = arith.constant 0.000000000e+00 : f32
  %c3 = arith.constant -2.381976450e+38 : f64
  %c4 = arith.constant -2.38197e+38 : f32
  %c5 = arith.constant 0 : i64
  %c6 = arith.constant 0xFF800000 : f32
  %v1 = tensor.empty() : tensor<16xf32>
  %g2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a_scaling : tensor<16xf32>) outs(%v1 : tensor<16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %e = math.exp %in0 : f32
    %l = math.log1p %e : f32
    %c = arith.cmpf ogt, %in0, %c0 : f32
    %r = arith.select %c, %in0, %l : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %v3 = tensor.empty() : tensor<16xf32>
  %g4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%g2 : tensor<16xf32>) outs(%v3 : tensor<16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<16xf32>
  %v5 = tensor.empty() : tensor<2x37x3x16xf32>
  %g6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_q, %g4 : tensor<2x37x3x16xf32>, tensor<16xf32>) outs(%v5 : tensor<2x37x3x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x37x3x16xf32>
  %v7 = tensor.empty() : tensor<2x3x37x16xf32>
  %v8 = linalg.transpose ins(%g6 : tensor<2x37x3x16xf32>) outs(%v7 : tensor<2x3x37x16xf32>) permutation = [0, 2, 1, 3]
  %v9 = tensor.empty() : tensor<2x3x37x16xf32>
  %v10 = linalg.transpose ins(%a_k : tensor<2x37x3x16xf32>) outs(%v9 : tensor<2x3x37x16xf32>) permutation = [0, 2, 1, 3]
  %v11 = tensor.empty() : tensor<2x3x37x16xf32>
  %v12 = linalg.transpose ins(%a_v : tensor<2x37x3x16xf32>) outs(%v11 : tensor<2x3x37x16xf32>) permutation = [0, 2, 1, 3]
  %v13 = tensor.empty() : tensor<2x3x16x37xf32>
  %v14 = linalg.transpose ins(%v10 : tensor<2x3x37x16xf32>) outs(%v13 : tensor<2x3x16x37xf32>) permutation = [0, 1, 3, 2]
  %v15 = tensor.collapse_shape %v8 [[0, 1], [2], [3]] : tensor<2x3x37x16xf32> into tensor<6x37x16xf32>
  %v16 = tensor.collapse_shape %v14 [[0, 1], [2], [3]] : tensor<2x3x16x37xf32> into tensor<6x16x37xf32>
  %v17 = tensor.empty() : tensor<6x37x37xf32>
  %v18 = linalg.fill ins(%c2 : f32) outs(%v17 : tensor<6x37x37xf32>) -> tensor<6x37x37xf32>
  %v19 = linalg.batch_matmul ins(%v15, %v16 : tensor<6x37x16xf32>, tensor<6x16x37xf32>) outs(%v18 : tensor<6x37x37xf32>) -> tensor<6x37x37xf32>
  %v20 = tensor.expand_shape %v19 [[0, 1], [2], [3]] output_shape [2, 3, 37, 37] : tensor<6x37x37xf32> into tensor<2x3x37x37xf32>
  %v21 = tensor.empty() : tensor<2x37xf32>
  %g22 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%a_pad : tensor<2x37xi1>) outs(%v21 : tensor<2x37xf32>) {
  ^bb0(%in0: i1, %out0: f32):
    %r = arith.uitofp %in0 : i1 to f32
    linalg.yield %r : f32
  } -> tensor<2x37xf32>
  %v23 = tensor.empty() : tensor<2x37xf32>
  %g24 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%g22 : tensor<2x37xf32>) outs(%v23 : tensor<2x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c3 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x37xf32>
  %v25 = tensor.empty() : tensor<37xi64>
  %g26 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v25 : tensor<37xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<37xi64>
  %v27 = tensor.expand_shape %g26 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %v28 = tensor.empty() : tensor<37xi64>
  %g29 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v28 : tensor<37xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<37xi64>
  %v30 = tensor.expand_shape %g29 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %v31 = tensor.empty() : tensor<37x37xi1>
  %g32 = linalg.generic {indexing_maps = [#map4, #map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%v30, %v27 : tensor<1x37xi64>, tensor<37x1xi64>) outs(%v31 : tensor<37x37xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<37x37xi1>
  %v33 = tensor.empty() : tensor<37x37xf32>
  %v34 = linalg.fill ins(%c2 : f32) outs(%v33 : tensor<37x37xf32>) -> tensor<37x37xf32>
  %v35 = tensor.empty() : tensor<37x37xf32>
  %g36 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%g32, %v34 : tensor<37x37xi1>, tensor<37x37xf32>) outs(%v35 : tensor<37x37xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c4 : f32
    linalg.yield %r : f32
  } -> tensor<37x37xf32>
  %v37 = tensor.expand_shape %g24 [[0, 1], [2]] output_shape [2, 1, 37] : tensor<2x37xf32> into tensor<2x1x37xf32>
  %v38 = tensor.expand_shape %v37 [[0, 1], [2], [3]] output_shape [2, 1, 1, 37] : tensor<2x1x37xf32> into tensor<2x1x1x37xf32>
  %v39 = tensor.expand_shape %g36 [[0, 1], [2]] output_shape [1, 37, 37] : tensor<37x37xf32> into tensor<1x37x37xf32>
  %v40 = tensor.expand_shape %v39 [[0, 1], [2], [3]] output_shape [1, 1, 37, 37] : tensor<1x37x37xf32> into tensor<1x1x37x37xf32>
  %v41 = tensor.empty() : tensor<2x1x37x37xf32>
  %g42 = linalg.generic {indexing_maps = [#map6, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v38, %v40 : tensor<2x1x1x37xf32>, tensor<1x1x37x37xf32>) outs(%v41 : tensor<2x1x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.minimumf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x1x37x37xf32>
  %v43 = tensor.empty() : tensor<2x3x37x37xf32>
  %g44 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v20, %g42 : tensor<2x3x37x37xf32>, tensor<2x1x37x37xf32>) outs(%v43 : tensor<2x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x37xf32>
  %v45 = tensor.empty() : tensor<2x3x37xi64>
  %v46 = linalg.fill ins(%c5 : i64) outs(%v45 : tensor<2x3x37xi64>) -> tensor<2x3x37xi64>
  %v47 = tensor.empty() : tensor<2x3x37xf32>
  %v48 = linalg.fill ins(%c6 : f32) outs(%v47 : tensor<2x3x37xf32>) -> tensor<2x3x37xf32>
  %g49:2 = linalg.generic {indexing_maps = [#map1, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g44 : tensor<2x3x37x37xf32>) outs(%v48, %v46 : tensor<2x3x37xf32>, tensor<2x3x37xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x3x37xf32>, tensor<2x3x37xi64>)
  %v50 = tensor.expand_shape %g49#0 [[0], [1], [2, 3]] output_shape [2, 3, 37, 1] : tensor<2x3x37xf32> into tensor<2x3x37x1xf32>
  %v51 = tensor.empty() : tensor<2x3x37x37xf32>
  %g52 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g44, %v50 : tensor<2x3x37x37xf32>, tensor<2x3x37x1xf32>) outs(%v51 : tensor<2x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x37xf32>
  %v53 = tensor.empty() : tensor<2x3x37x37xf32>
  %g54 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g52 : tensor<2x3x37x37xf32>) outs(%v53 : tensor<2x3x37x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x37xf32>
  %v55 = tensor.empty() : tensor<2x3x37x1xf32>
  %v56 = linalg.fill ins(%c2 : f32) outs(%v55 : tensor<2x3x37x1xf32>) -> tensor<2x3x37x1xf32>
  %g57 = linalg.generic {indexing_maps = [#map1, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g54 : tensor<2x3x37x37xf32>) outs(%v56 : tensor<2x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x1xf32>
  %v58 = tensor.empty() : tensor<2x3x37x37xf32>
  %g59 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g54, %g57 : tensor<2x3x37x37xf32>, tensor<2x3x37x1xf32>) outs(%v58 : tensor<2x3x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x37xf32>
  %v60 = tensor.collapse_shape %g59 [[0, 1], [2], [3]] : tensor<2x3x37x37xf32> into tensor<6x37x37xf32>
  %v61 = tensor.collapse_shape %v12 [[0, 1], [2], [3]] : tensor<2x3x37x16xf32> into tensor<6x37x16xf32>
  %v62 = tensor.empty() : tensor<6x37x16xf32>
  %v63 = linalg.fill ins(%c2 : f32) outs(%v62 : tensor<6x37x16xf32>) -> tensor<6x37x16xf32>
  %v64 = linalg.batch_matmul ins(%v60, %v61 : tensor<6x37x37xf32>, tensor<6x37x16xf32>) outs(%v63 : tensor<6x37x16xf32>) -> tensor<6x37x16xf32>
  %v65 = tensor.expand_shape %v64 [[0, 1], [2], [3]] output_shape [2, 3, 37, 16] : tensor<6x37x16xf32> into tensor<2x3x37x16xf32>
  %v66 = tensor.empty() : tensor<2x37x3x16xf32>
  %v67 = linalg.transpose ins(%v65 : tensor<2x3x37x16xf32>) outs(%v66 : tensor<2x37x3x16xf32>) permutation = [0, 2, 1, 3]
  %v68 = tensor.collapse_shape %v67 [[0], [1], [2, 3]] : tensor<2x37x3x16xf32> into tensor<2x37x48xf32>
  return %v68 : tensor<2x37x48xf32>
}
