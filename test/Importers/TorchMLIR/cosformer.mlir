// Features of queries and keys are halves: times the cosine and times the sine of their positions. The
// scores are the sum of two products, and rows of them are summed beside the product with values.

// RUN: linalg-ext-check-program %s --keys=16 --max-kernels=1 \
// RUN:   --sizes=1x2x37x16,1x2x37x16,1x2x37x16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d2, 0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @cosformer(%a_q: tensor<1x2x?x16xf16>,
    %a_k: tensor<1x2x?x16xf16>,
    %a_v: tensor<1x2x?x16xf16>) -> (tensor<1x2x?x16xf16>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 0.000000000e+00 : f16
  %c2 = arith.constant 3.926990750e-02 : f64
  %c3 = arith.constant 0.000000000e+00 : f32
  %c4 = arith.constant 1.000000000e-02 : f32
  %T = tensor.dim %a_q, %c0 : tensor<1x2x?x16xf16>
  %v1 = tensor.empty(%T) : tensor<1x2x?x16xf16>
  %g2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_q : tensor<1x2x?x16xf16>) outs(%v1 : tensor<1x2x?x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %c = arith.cmpf ugt, %in0, %c1 : f16
    %r = arith.select %c, %in0, %c1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x16xf16>
  %v3 = tensor.empty(%T) : tensor<?xi64>
  %g4 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%v3 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v5 = tensor.empty(%T) : tensor<?xf32>
  %g6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%g4 : tensor<?xi64>) outs(%v5 : tensor<?xf32>) {
  ^bb0(%in0: i64, %out0: f32):
    %r = arith.sitofp %in0 : i64 to f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v7 = tensor.empty(%T) : tensor<?xf32>
  %g8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%g6 : tensor<?xf32>) outs(%v7 : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v9 = tensor.empty(%T) : tensor<?xf32>
  %g10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%g8 : tensor<?xf32>) outs(%v9 : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.cos %in0 : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v11 = tensor.empty(%T) : tensor<?xf16>
  %g12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%g10 : tensor<?xf32>) outs(%v11 : tensor<?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?xf16>
  %v13 = tensor.expand_shape %g12 [[0, 1]] output_shape [%T, 1] : tensor<?xf16> into tensor<?x1xf16>
  %v14 = tensor.empty(%T) : tensor<?xf32>
  %g15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%g8 : tensor<?xf32>) outs(%v14 : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.sin %in0 : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v16 = tensor.empty(%T) : tensor<?xf16>
  %g17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%g15 : tensor<?xf32>) outs(%v16 : tensor<?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?xf16>
  %v18 = tensor.expand_shape %g17 [[0, 1]] output_shape [%T, 1] : tensor<?xf16> into tensor<?x1xf16>
  %v19 = tensor.empty(%T) : tensor<1x2x?x16xf16>
  %g20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g2, %v13 : tensor<1x2x?x16xf16>, tensor<?x1xf16>) outs(%v19 : tensor<1x2x?x16xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %r = arith.mulf %in0, %in1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x16xf16>
  %v21 = tensor.empty(%T) : tensor<1x2x?x16xf16>
  %g22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g2, %v18 : tensor<1x2x?x16xf16>, tensor<?x1xf16>) outs(%v21 : tensor<1x2x?x16xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %r = arith.mulf %in0, %in1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x16xf16>
  %v23 = tensor.concat dim(3) %g20, %g22 : (tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>) -> tensor<1x2x?x32xf16>
  %v24 = tensor.empty(%T) : tensor<1x2x?x16xf16>
  %g25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_k : tensor<1x2x?x16xf16>) outs(%v24 : tensor<1x2x?x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %c = arith.cmpf ugt, %in0, %c1 : f16
    %r = arith.select %c, %in0, %c1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x16xf16>
  %v26 = tensor.empty(%T) : tensor<?xi64>
  %g27 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%v26 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v28 = tensor.empty(%T) : tensor<?xf32>
  %g29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%g27 : tensor<?xi64>) outs(%v28 : tensor<?xf32>) {
  ^bb0(%in0: i64, %out0: f32):
    %r = arith.sitofp %in0 : i64 to f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v30 = tensor.empty(%T) : tensor<?xf32>
  %g31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%g29 : tensor<?xf32>) outs(%v30 : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v32 = tensor.empty(%T) : tensor<?xf32>
  %g33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%g31 : tensor<?xf32>) outs(%v32 : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.cos %in0 : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v34 = tensor.empty(%T) : tensor<?xf16>
  %g35 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%g33 : tensor<?xf32>) outs(%v34 : tensor<?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?xf16>
  %v36 = tensor.expand_shape %g35 [[0, 1]] output_shape [%T, 1] : tensor<?xf16> into tensor<?x1xf16>
  %v37 = tensor.empty(%T) : tensor<?xf32>
  %g38 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%g31 : tensor<?xf32>) outs(%v37 : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.sin %in0 : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v39 = tensor.empty(%T) : tensor<?xf16>
  %g40 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%g38 : tensor<?xf32>) outs(%v39 : tensor<?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<?xf16>
  %v41 = tensor.expand_shape %g40 [[0, 1]] output_shape [%T, 1] : tensor<?xf16> into tensor<?x1xf16>
  %v42 = tensor.empty(%T) : tensor<1x2x?x16xf16>
  %g43 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g25, %v36 : tensor<1x2x?x16xf16>, tensor<?x1xf16>) outs(%v42 : tensor<1x2x?x16xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %r = arith.mulf %in0, %in1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x16xf16>
  %v44 = tensor.empty(%T) : tensor<1x2x?x16xf16>
  %g45 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g25, %v41 : tensor<1x2x?x16xf16>, tensor<?x1xf16>) outs(%v44 : tensor<1x2x?x16xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %r = arith.mulf %in0, %in1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x16xf16>
  %v46 = tensor.concat dim(3) %g43, %g45 : (tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>) -> tensor<1x2x?x32xf16>
  %v47 = tensor.empty(%T) : tensor<?xi64>
  %g48 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%v47 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v49 = tensor.expand_shape %g48 [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v50 = tensor.empty(%T) : tensor<?xi64>
  %g51 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%v50 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v52 = tensor.expand_shape %g51 [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v53 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g54 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%v52, %v49 : tensor<1x?xi64>, tensor<?x1xi64>) outs(%v53 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v55 = tensor.empty(%T) : tensor<1x2x32x?xf16>
  %v56 = linalg.transpose ins(%v46 : tensor<1x2x?x32xf16>) outs(%v55 : tensor<1x2x32x?xf16>) permutation = [0, 1, 3, 2]
  %v57 = tensor.collapse_shape %v23 [[0, 1], [2], [3]] : tensor<1x2x?x32xf16> into tensor<2x?x32xf16>
  %v58 = tensor.collapse_shape %v56 [[0, 1], [2], [3]] : tensor<1x2x32x?xf16> into tensor<2x32x?xf16>
  %v59 = tensor.empty(%T, %T) : tensor<2x?x?xf32>
  %v60 = linalg.fill ins(%c3 : f32) outs(%v59 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %v61 = linalg.batch_matmul ins(%v57, %v58 : tensor<2x?x32xf16>, tensor<2x32x?xf16>) outs(%v60 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %v62 = tensor.empty(%T, %T) : tensor<2x?x?xf16>
  %g63 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v61 : tensor<2x?x?xf32>) outs(%v62 : tensor<2x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x?x?xf16>
  %v64 = tensor.expand_shape %g63 [[0, 1], [2], [3]] output_shape [1, 2, %T, %T] : tensor<2x?x?xf16> into tensor<1x2x?x?xf16>
  %v65 = tensor.empty(%T, %T) : tensor<1x2x?x?xf16>
  %g66 = linalg.generic {indexing_maps = [#map7, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g54, %v64 : tensor<?x?xi1>, tensor<1x2x?x?xf16>) outs(%v65 : tensor<1x2x?x?xf16>) {
  ^bb0(%in0: i1, %in1: f16, %out0: f16):
    %r = arith.select %in0, %in1, %c1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x?xf16>
  %v67 = tensor.empty(%T, %T) : tensor<1x2x?x?xf32>
  %g68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g66 : tensor<1x2x?x?xf16>) outs(%v67 : tensor<1x2x?x?xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %v69 = tensor.empty(%T) : tensor<1x2x?x1xf32>
  %v70 = linalg.fill ins(%c3 : f32) outs(%v69 : tensor<1x2x?x1xf32>) -> tensor<1x2x?x1xf32>
  %g71 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g68 : tensor<1x2x?x?xf32>) outs(%v70 : tensor<1x2x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x1xf32>
  %v72 = tensor.empty(%T) : tensor<1x2x?x1xf32>
  %g73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g71 : tensor<1x2x?x1xf32>) outs(%v72 : tensor<1x2x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.maximumf %in0, %c4 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x1xf32>
  %v74 = tensor.collapse_shape %g66 [[0, 1], [2], [3]] : tensor<1x2x?x?xf16> into tensor<2x?x?xf16>
  %v75 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x2x?x16xf16> into tensor<2x?x16xf16>
  %v76 = tensor.empty(%T) : tensor<2x?x16xf32>
  %v77 = linalg.fill ins(%c3 : f32) outs(%v76 : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  %v78 = linalg.batch_matmul ins(%v74, %v75 : tensor<2x?x?xf16>, tensor<2x?x16xf16>) outs(%v77 : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  %v79 = tensor.empty(%T) : tensor<2x?x16xf16>
  %g80 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v78 : tensor<2x?x16xf32>) outs(%v79 : tensor<2x?x16xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x?x16xf16>
  %v81 = tensor.expand_shape %g80 [[0, 1], [2], [3]] output_shape [1, 2, %T, 16] : tensor<2x?x16xf16> into tensor<1x2x?x16xf16>
  %v82 = tensor.empty(%T) : tensor<1x2x?x16xf32>
  %g83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v81 : tensor<1x2x?x16xf16>) outs(%v82 : tensor<1x2x?x16xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x16xf32>
  %v84 = tensor.empty(%T) : tensor<1x2x?x16xf32>
  %g85 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g83, %g73 : tensor<1x2x?x16xf32>, tensor<1x2x?x1xf32>) outs(%v84 : tensor<1x2x?x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x16xf32>
  %v86 = tensor.empty(%T) : tensor<1x2x?x16xf16>
  %g87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g85 : tensor<1x2x?x16xf32>) outs(%v86 : tensor<1x2x?x16xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x16xf16>
  return %g87 : tensor<1x2x?x16xf16>
}
