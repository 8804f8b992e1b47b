// A gated attention unit: squared rectified scores without a softmax, behind a norm. A batch of one stands between the
// product and its activation. The scores have two unknown sizes and are not stored.

// RUN: linalg-ext-check-program %s --keys=16 --max-kernels=5 --max-buffer-bytes=21400 \
// RUN:   --sizes=1x37x32,-,-,-,-

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0) -> (d0)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<(d0, d1) -> (d0, 0)>
#map8 = affine_map<(d0, d1) -> (d0, d1)>
#map9 = affine_map<(d0, d1, d2) -> (d1, d2)>

func.func @gated_attention_unit(%a_x: tensor<1x?x32xf32>,
    %a_Wu: tensor<144x32xf32> {check.draw = "uniform -0.3 0.3"},
    %a_gq: tensor<2x16xf32>,
    %a_bq: tensor<2x16xf32>,
    %a_Wo: tensor<32x64xf32> {check.draw = "uniform -0.3 0.3"}) -> (tensor<1x?x32xf32>) {
  %c0 = arith.constant 1 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 3.200000000e+01 : f64
  %c3 = arith.constant 1.000000000e-05 : f64
  %c4 = arith.constant 1.000000000e+00 : f32
  %c5 = arith.constant 3.700000000e+01 : f64
  %T = tensor.dim %a_x, %c0 : tensor<1x?x32xf32>
  %v1 = tensor.empty(%T) : tensor<1x?x1xf32>
  %v2 = linalg.fill ins(%c1 : f32) outs(%v1 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
  %g3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a_x : tensor<1x?x32xf32>) outs(%v2 : tensor<1x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x1xf32>
  %v4 = tensor.empty(%T) : tensor<1x?x1xf32>
  %g5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g3 : tensor<1x?x1xf32>) outs(%v4 : tensor<1x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x?x1xf32>
  %v6 = tensor.empty(%T) : tensor<1x?x32xf32>
  %g7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_x, %g5 : tensor<1x?x32xf32>, tensor<1x?x1xf32>) outs(%v6 : tensor<1x?x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x32xf32>
  %v8 = tensor.empty(%T) : tensor<1x?x32xf32>
  %g9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g7, %g7 : tensor<1x?x32xf32>, tensor<1x?x32xf32>) outs(%v8 : tensor<1x?x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x32xf32>
  %v10 = tensor.empty(%T) : tensor<1x?x1xf32>
  %v11 = linalg.fill ins(%c1 : f32) outs(%v10 : tensor<1x?x1xf32>) -> tensor<1x?x1xf32>
  %g12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g9 : tensor<1x?x32xf32>) outs(%v11 : tensor<1x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x1xf32>
  %v13 = tensor.empty(%T) : tensor<1x?x1xf32>
  %g14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g12 : tensor<1x?x1xf32>) outs(%v13 : tensor<1x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x?x1xf32>
  %v15 = tensor.empty(%T) : tensor<1x?x1xf32>
  %g16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g14 : tensor<1x?x1xf32>) outs(%v15 : tensor<1x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c3 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x?x1xf32>
  %v17 = tensor.empty(%T) : tensor<1x?x1xf32>
  %g18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g16 : tensor<1x?x1xf32>) outs(%v17 : tensor<1x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.rsqrt %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x1xf32>
  %v19 = tensor.empty(%T) : tensor<1x?x32xf32>
  %g20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g7, %g18 : tensor<1x?x32xf32>, tensor<1x?x1xf32>) outs(%v19 : tensor<1x?x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x32xf32>
  %v21 = tensor.empty() : tensor<32x144xf32>
  %v22 = linalg.transpose ins(%a_Wu : tensor<144x32xf32>) outs(%v21 : tensor<32x144xf32>) permutation = [1, 0]
  %v23 = tensor.collapse_shape %g20 [[0, 1], [2]] : tensor<1x?x32xf32> into tensor<?x32xf32>
  %v24 = tensor.empty(%T) : tensor<?x144xf32>
  %v25 = linalg.fill ins(%c1 : f32) outs(%v24 : tensor<?x144xf32>) -> tensor<?x144xf32>
  %v26 = linalg.matmul ins(%v23, %v22 : tensor<?x32xf32>, tensor<32x144xf32>) outs(%v25 : tensor<?x144xf32>) -> tensor<?x144xf32>
  %v27 = tensor.expand_shape %v26 [[0, 1], [2]] output_shape [1, %T, 144] : tensor<?x144xf32> into tensor<1x?x144xf32>
  %v28 = tensor.empty(%T) : tensor<1x?x144xf32>
  %g29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v27 : tensor<1x?x144xf32>) outs(%v28 : tensor<1x?x144xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %n = arith.negf %in0 : f32
    %e = math.exp %n : f32
    %a = arith.addf %e, %c4 : f32
    %r = arith.divf %c4, %a : f32
    linalg.yield %r : f32
  } -> tensor<1x?x144xf32>
  %v30 = tensor.empty(%T) : tensor<1x?x144xf32>
  %g31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v27, %g29 : tensor<1x?x144xf32>, tensor<1x?x144xf32>) outs(%v30 : tensor<1x?x144xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x144xf32>
  %v32 = tensor.extract_slice %g31[0, 0, 0] [1, %T, 64] [1, 1, 1] : tensor<1x?x144xf32> to tensor<1x?x64xf32>
  %v33 = tensor.extract_slice %g31[0, 0, 64] [1, %T, 64] [1, 1, 1] : tensor<1x?x144xf32> to tensor<1x?x64xf32>
  %v34 = tensor.extract_slice %g31[0, 0, 128] [1, %T, 16] [1, 1, 1] : tensor<1x?x144xf32> to tensor<1x?x16xf32>
  %v35 = tensor.expand_shape %v34 [[0], [1, 2], [3]] output_shape [1, %T, 1, 16] : tensor<1x?x16xf32> into tensor<1x?x1x16xf32>
  %v36 = tensor.empty(%T) : tensor<1x?x2x16xf32>
  %g37 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v35, %a_gq : tensor<1x?x1x16xf32>, tensor<2x16xf32>) outs(%v36 : tensor<1x?x2x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x16xf32>
  %v38 = tensor.empty(%T) : tensor<1x?x2x16xf32>
  %g39 = linalg.generic {indexing_maps = [#map4, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g37, %a_bq : tensor<1x?x2x16xf32>, tensor<2x16xf32>) outs(%v38 : tensor<1x?x2x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x16xf32>
  %v40 = tensor.extract_slice %g39[0, 0, 0, 0] [1, %T, 1, 16] [1, 1, 1, 1] : tensor<1x?x2x16xf32> to tensor<1x?x1x16xf32>
  %v41 = tensor.collapse_shape %v40 [[0], [1, 2], [3]] : tensor<1x?x1x16xf32> into tensor<1x?x16xf32>
  %v42 = tensor.extract_slice %g39[0, 0, 1, 0] [1, %T, 1, 16] [1, 1, 1, 1] : tensor<1x?x2x16xf32> to tensor<1x?x1x16xf32>
  %v43 = tensor.collapse_shape %v42 [[0], [1, 2], [3]] : tensor<1x?x1x16xf32> into tensor<1x?x16xf32>
  %v44 = tensor.empty(%T) : tensor<1x16x?xf32>
  %v45 = linalg.transpose ins(%v43 : tensor<1x?x16xf32>) outs(%v44 : tensor<1x16x?xf32>) permutation = [0, 2, 1]
  %v46 = tensor.empty(%T, %T) : tensor<1x?x?xf32>
  %v47 = linalg.fill ins(%c1 : f32) outs(%v46 : tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
  %v48 = linalg.batch_matmul ins(%v41, %v45 : tensor<1x?x16xf32>, tensor<1x16x?xf32>) outs(%v47 : tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
  %v49 = tensor.empty(%T, %T) : tensor<1x?x?xf32>
  %g50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v48 : tensor<1x?x?xf32>) outs(%v49 : tensor<1x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c5 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x?x?xf32>
  %v51 = tensor.empty(%T, %T) : tensor<1x?x?xf32>
  %g52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g50 : tensor<1x?x?xf32>) outs(%v51 : tensor<1x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %c = arith.cmpf ugt, %in0, %c1 : f32
    %r = arith.select %c, %in0, %c1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x?xf32>
  %v53 = tensor.empty(%T, %T) : tensor<1x?x?xf32>
  %g54 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g52, %g52 : tensor<1x?x?xf32>, tensor<1x?x?xf32>) outs(%v53 : tensor<1x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x?xf32>
  %v55 = tensor.empty(%T) : tensor<?xi64>
  %g56 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%v55 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v57 = tensor.expand_shape %g56 [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v58 = tensor.empty(%T) : tensor<?xi64>
  %g59 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%v58 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v60 = tensor.expand_shape %g59 [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v61 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g62 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%v60, %v57 : tensor<1x?xi64>, tensor<?x1xi64>) outs(%v61 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v63 = tensor.empty(%T, %T) : tensor<1x?x?xf32>
  %g64 = linalg.generic {indexing_maps = [#map9, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g62, %g54 : tensor<?x?xi1>, tensor<1x?x?xf32>) outs(%v63 : tensor<1x?x?xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x?xf32>
  %v65 = tensor.empty(%T) : tensor<1x?x64xf32>
  %v66 = linalg.fill ins(%c1 : f32) outs(%v65 : tensor<1x?x64xf32>) -> tensor<1x?x64xf32>
  %v67 = linalg.batch_matmul ins(%g64, %v33 : tensor<1x?x?xf32>, tensor<1x?x64xf32>) outs(%v66 : tensor<1x?x64xf32>) -> tensor<1x?x64xf32>
  %v68 = tensor.empty(%T) : tensor<1x?x64xf32>
  %g69 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v32, %v67 : tensor<1x?x64xf32>, tensor<1x?x64xf32>) outs(%v68 : tensor<1x?x64xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x64xf32>
  %v70 = tensor.empty() : tensor<64x32xf32>
  %v71 = linalg.transpose ins(%a_Wo : tensor<32x64xf32>) outs(%v70 : tensor<64x32xf32>) permutation = [1, 0]
  %v72 = tensor.collapse_shape %g69 [[0, 1], [2]] : tensor<1x?x64xf32> into tensor<?x64xf32>
  %v73 = tensor.empty(%T) : tensor<?x32xf32>
  %v74 = linalg.fill ins(%c1 : f32) outs(%v73 : tensor<?x32xf32>) -> tensor<?x32xf32>
  %v75 = linalg.matmul ins(%v72, %v71 : tensor<?x64xf32>, tensor<64x32xf32>) outs(%v74 : tensor<?x32xf32>) -> tensor<?x32xf32>
  %v76 = tensor.expand_shape %v75 [[0, 1], [2]] output_shape [1, %T, 32] : tensor<?x32xf32> into tensor<1x?x32xf32>
  %v77 = tensor.empty(%T) : tensor<1x?x32xf32>
  %g78 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v76, %a_x : tensor<1x?x32xf32>, tensor<1x?x32xf32>) outs(%v77 : tensor<1x?x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x32xf32>
  return %g78 : tensor<1x?x32xf32>
}
