// Masks of transformers as its functions of positions are exported: padding and the number
// of the sequence are read at tensors of positions, for all pairs of rows and keys.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=9990 --max-kernels=1 --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @hf_vmap_mask(%a_q: tensor<2x3x37x16xbf16>,
    %a_k: tensor<2x3x45x16xbf16>,
    %a_v: tensor<2x3x45x16xbf16>,
    %a_pm: tensor<2x45xi1> {check.draw = "keep 0.8"},
    %a_cachepos: tensor<37xi64> {check.draw = "count"}) -> (tensor<2x3x37x16xbf16>) {
  %c0 = arith.constant 8 : i64
  %c1 = arith.constant 0.000000000e+00 : bf16
  %c2 = arith.constant -3.389531390e+38 : bf16
  %c3 = arith.constant 0.000000000e+00 : f32
  %c4 = arith.constant 2.500000000e-01 : f64
  %c5 = arith.constant 0 : i64
  %c6 = arith.constant 0xFF800000 : f32
  %v1 = tensor.empty() : tensor<2xi64>
  %g2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v1 : tensor<2xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<2xi64>
  %v3 = tensor.expand_shape %g2 [[0, 1]] output_shape [2, 1] : tensor<2xi64> into tensor<2x1xi64>
  %v4 = tensor.expand_shape %v3 [[0], [1, 2]] output_shape [2, 1, 1] : tensor<2x1xi64> into tensor<2x1x1xi64>
  %v5 = tensor.expand_shape %v4 [[0], [1], [2, 3]] output_shape [2, 1, 1, 1] : tensor<2x1x1xi64> into tensor<2x1x1x1xi64>
  %v6 = tensor.empty() : tensor<45xi64>
  %g7 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v6 : tensor<45xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<45xi64>
  %v8 = tensor.empty() : tensor<2x1x1x45xi1>
  %g9 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5, %g7 : tensor<2x1x1x1xi64>, tensor<45xi64>) outs(%v8 : tensor<2x1x1x45xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %bi = arith.index_cast %in0 : i64 to index
    %ki = arith.index_cast %in1 : i64 to index
    %x = tensor.extract %a_pm[%bi, %ki] : tensor<2x45xi1>
    linalg.yield %x : i1
  } -> tensor<2x1x1x45xi1>
  %v10 = tensor.empty() : tensor<37xi64>
  %g11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a_cachepos : tensor<37xi64>) outs(%v10 : tensor<37xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %r = arith.addi %in0, %c0 : i64
    linalg.yield %r : i64
  } -> tensor<37xi64>
  %v12 = tensor.expand_shape %g11 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %v13 = tensor.expand_shape %g7 [[0, 1]] output_shape [1, 45] : tensor<45xi64> into tensor<1x45xi64>
  %v14 = tensor.empty() : tensor<37x45xi1>
  %g15 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%v13, %v12 : tensor<1x45xi64>, tensor<37x1xi64>) outs(%v14 : tensor<37x45xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<37x45xi1>
  %v16 = tensor.expand_shape %g15 [[0, 1], [2]] output_shape [1, 37, 45] : tensor<37x45xi1> into tensor<1x37x45xi1>
  %v17 = tensor.expand_shape %v16 [[0, 1], [2], [3]] output_shape [1, 1, 37, 45] : tensor<1x37x45xi1> into tensor<1x1x37x45xi1>
  %v18 = tensor.empty() : tensor<2x1x37x45xi1>
  %g19 = linalg.generic {indexing_maps = [#map7, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v17, %g9 : tensor<1x1x37x45xi1>, tensor<2x1x1x45xi1>) outs(%v18 : tensor<2x1x37x45xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<2x1x37x45xi1>
  %v20 = tensor.empty() : tensor<2x1x37x45xbf16>
  %v21 = linalg.fill ins(%c1 : bf16) outs(%v20 : tensor<2x1x37x45xbf16>) -> tensor<2x1x37x45xbf16>
  %v22 = tensor.empty() : tensor<2x1x37x45xbf16>
  %g23 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g19, %v21 : tensor<2x1x37x45xi1>, tensor<2x1x37x45xbf16>) outs(%v22 : tensor<2x1x37x45xbf16>) {
  ^bb0(%in0: i1, %in1: bf16, %out0: bf16):
    %r = arith.select %in0, %in1, %c2 : bf16
    linalg.yield %r : bf16
  } -> tensor<2x1x37x45xbf16>
  %v24 = tensor.empty() : tensor<2x3x16x45xbf16>
  %v25 = linalg.transpose ins(%a_k : tensor<2x3x45x16xbf16>) outs(%v24 : tensor<2x3x16x45xbf16>) permutation = [0, 1, 3, 2]
  %v26 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<2x3x37x16xbf16> into tensor<6x37x16xbf16>
  %v27 = tensor.collapse_shape %v25 [[0, 1], [2], [3]] : tensor<2x3x16x45xbf16> into tensor<6x16x45xbf16>
  %v28 = tensor.empty() : tensor<6x37x45xf32>
  %v29 = linalg.fill ins(%c3 : f32) outs(%v28 : tensor<6x37x45xf32>) -> tensor<6x37x45xf32>
  %v30 = linalg.batch_matmul ins(%v26, %v27 : tensor<6x37x16xbf16>, tensor<6x16x45xbf16>) outs(%v29 : tensor<6x37x45xf32>) -> tensor<6x37x45xf32>
  %v31 = tensor.empty() : tensor<6x37x45xbf16>
  %g32 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v30 : tensor<6x37x45xf32>) outs(%v31 : tensor<6x37x45xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<6x37x45xbf16>
  %v33 = tensor.expand_shape %g32 [[0, 1], [2], [3]] output_shape [2, 3, 37, 45] : tensor<6x37x45xbf16> into tensor<2x3x37x45xbf16>
  %v34 = tensor.empty() : tensor<2x3x37x45xbf16>
  %g35 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v33 : tensor<2x3x37x45xbf16>) outs(%v34 : tensor<2x3x37x45xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %x = arith.truncf %c4 : f64 to bf16
    %r = arith.mulf %in0, %x : bf16
    linalg.yield %r : bf16
  } -> tensor<2x3x37x45xbf16>
  %v36 = tensor.empty() : tensor<2x3x37x45xbf16>
  %g37 = linalg.generic {indexing_maps = [#map3, #map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g35, %g23 : tensor<2x3x37x45xbf16>, tensor<2x1x37x45xbf16>) outs(%v36 : tensor<2x3x37x45xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.addf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<2x3x37x45xbf16>
  %v38 = tensor.empty() : tensor<2x3x37x45xf32>
  %g39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g37 : tensor<2x3x37x45xbf16>) outs(%v38 : tensor<2x3x37x45xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x45xf32>
  %v40 = tensor.empty() : tensor<2x3x37xi64>
  %v41 = linalg.fill ins(%c5 : i64) outs(%v40 : tensor<2x3x37xi64>) -> tensor<2x3x37xi64>
  %v42 = tensor.empty() : tensor<2x3x37xf32>
  %v43 = linalg.fill ins(%c6 : f32) outs(%v42 : tensor<2x3x37xf32>) -> tensor<2x3x37xf32>
  %g44:2 = linalg.generic {indexing_maps = [#map3, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g39 : tensor<2x3x37x45xf32>) outs(%v43, %v41 : tensor<2x3x37xf32>, tensor<2x3x37xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x3x37xf32>, tensor<2x3x37xi64>)
  %v45 = tensor.expand_shape %g44#0 [[0], [1], [2, 3]] output_shape [2, 3, 37, 1] : tensor<2x3x37xf32> into tensor<2x3x37x1xf32>
  %v46 = tensor.empty() : tensor<2x3x37x45xf32>
  %g47 = linalg.generic {indexing_maps = [#map3, #map12, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g39, %v45 : tensor<2x3x37x45xf32>, tensor<2x3x37x1xf32>) outs(%v46 : tensor<2x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x45xf32>
  %v48 = tensor.empty() : tensor<2x3x37x45xf32>
  %g49 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g47 : tensor<2x3x37x45xf32>) outs(%v48 : tensor<2x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x45xf32>
  %v50 = tensor.empty() : tensor<2x3x37x1xf32>
  %v51 = linalg.fill ins(%c3 : f32) outs(%v50 : tensor<2x3x37x1xf32>) -> tensor<2x3x37x1xf32>
  %g52 = linalg.generic {indexing_maps = [#map3, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g49 : tensor<2x3x37x45xf32>) outs(%v51 : tensor<2x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x1xf32>
  %v53 = tensor.empty() : tensor<2x3x37x45xf32>
  %g54 = linalg.generic {indexing_maps = [#map3, #map12, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g49, %g52 : tensor<2x3x37x45xf32>, tensor<2x3x37x1xf32>) outs(%v53 : tensor<2x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x45xf32>
  %v55 = tensor.empty() : tensor<2x3x37x45xbf16>
  %g56 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g54 : tensor<2x3x37x45xf32>) outs(%v55 : tensor<2x3x37x45xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x3x37x45xbf16>
  %v57 = tensor.collapse_shape %g56 [[0, 1], [2], [3]] : tensor<2x3x37x45xbf16> into tensor<6x37x45xbf16>
  %v58 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<2x3x45x16xbf16> into tensor<6x45x16xbf16>
  %v59 = tensor.empty() : tensor<6x37x16xf32>
  %v60 = linalg.fill ins(%c3 : f32) outs(%v59 : tensor<6x37x16xf32>) -> tensor<6x37x16xf32>
  %v61 = linalg.batch_matmul ins(%v57, %v58 : tensor<6x37x45xbf16>, tensor<6x45x16xbf16>) outs(%v60 : tensor<6x37x16xf32>) -> tensor<6x37x16xf32>
  %v62 = tensor.empty() : tensor<6x37x16xbf16>
  %g63 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v61 : tensor<6x37x16xf32>) outs(%v62 : tensor<6x37x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<6x37x16xbf16>
  %v64 = tensor.expand_shape %g63 [[0, 1], [2], [3]] output_shape [2, 3, 37, 16] : tensor<6x37x16xbf16> into tensor<2x3x37x16xbf16>
  return %v64 : tensor<2x3x37x16xbf16>
}

#mask = affine_map<(d0) -> (d0)>
#mask1 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#mask2 = affine_map<(d0, d1, d2, d3) -> (d2)>
#mask3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#mask4 = affine_map<(d0, d1, d2, d3) -> (d3)>
#mask5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#mask6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#mask7 = affine_map<(d0, d1) -> (0, d1)>
#mask8 = affine_map<(d0, d1) -> (d0, 0)>
#mask9 = affine_map<(d0, d1) -> (d0, d1)>
#mask10 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#mask11 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#mask12 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#mask13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @hf_vmap_packed(%a_q: tensor<2x3x37x16xbf16>,
    %a_k: tensor<2x3x37x16xbf16>,
    %a_v: tensor<2x3x37x16xbf16>,
    %a_ids: tensor<2x37xi64> {check.draw = "choose 0 1 2"}) -> (tensor<2x3x37x16xbf16>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 2.500000000e-01 : f64
  %c2 = arith.constant 0xFF80 : bf16
  %c3 = arith.constant 0 : i64
  %c4 = arith.constant 0.000000000e+00 : bf16
  %v1 = tensor.empty() : tensor<2xi64>
  %g2 = linalg.generic {indexing_maps = [#mask], iterator_types = ["parallel"]} outs(%v1 : tensor<2xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<2xi64>
  %v3 = tensor.expand_shape %g2 [[0, 1]] output_shape [2, 1] : tensor<2xi64> into tensor<2x1xi64>
  %v4 = tensor.expand_shape %v3 [[0], [1, 2]] output_shape [2, 1, 1] : tensor<2x1xi64> into tensor<2x1x1xi64>
  %v5 = tensor.expand_shape %v4 [[0], [1], [2, 3]] output_shape [2, 1, 1, 1] : tensor<2x1x1xi64> into tensor<2x1x1x1xi64>
  %v6 = tensor.empty() : tensor<37xi64>
  %g7 = linalg.generic {indexing_maps = [#mask], iterator_types = ["parallel"]} outs(%v6 : tensor<37xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<37xi64>
  %v8 = tensor.empty() : tensor<2x1x37x1xi64>
  %g9 = linalg.generic {indexing_maps = [#mask1, #mask2, #mask3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5, %g7 : tensor<2x1x1x1xi64>, tensor<37xi64>) outs(%v8 : tensor<2x1x37x1xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %bi = arith.index_cast %in0 : i64 to index
    %ki = arith.index_cast %in1 : i64 to index
    %x = tensor.extract %a_ids[%bi, %ki] : tensor<2x37xi64>
    linalg.yield %x : i64
  } -> tensor<2x1x37x1xi64>
  %v10 = tensor.empty() : tensor<2x1x1x37xi64>
  %g11 = linalg.generic {indexing_maps = [#mask1, #mask4, #mask3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5, %g7 : tensor<2x1x1x1xi64>, tensor<37xi64>) outs(%v10 : tensor<2x1x1x37xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %bi = arith.index_cast %in0 : i64 to index
    %ki = arith.index_cast %in1 : i64 to index
    %x = tensor.extract %a_ids[%bi, %ki] : tensor<2x37xi64>
    linalg.yield %x : i64
  } -> tensor<2x1x1x37xi64>
  %v12 = tensor.empty() : tensor<2x1x37x37xi1>
  %g13 = linalg.generic {indexing_maps = [#mask5, #mask6, #mask3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g9, %g11 : tensor<2x1x37x1xi64>, tensor<2x1x1x37xi64>) outs(%v12 : tensor<2x1x37x37xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi eq, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<2x1x37x37xi1>
  %v14 = tensor.expand_shape %g7 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %v15 = tensor.expand_shape %g7 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %v16 = tensor.empty() : tensor<37x37xi1>
  %g17 = linalg.generic {indexing_maps = [#mask7, #mask8, #mask9], iterator_types = ["parallel", "parallel"]} ins(%v14, %v15 : tensor<1x37xi64>, tensor<37x1xi64>) outs(%v16 : tensor<37x37xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<37x37xi1>
  %v18 = tensor.expand_shape %g17 [[0, 1], [2]] output_shape [1, 37, 37] : tensor<37x37xi1> into tensor<1x37x37xi1>
  %v19 = tensor.expand_shape %v18 [[0, 1], [2], [3]] output_shape [1, 1, 37, 37] : tensor<1x37x37xi1> into tensor<1x1x37x37xi1>
  %v20 = tensor.empty() : tensor<2x1x37x37xi1>
  %g21 = linalg.generic {indexing_maps = [#mask3, #mask10, #mask3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g13, %v19 : tensor<2x1x37x37xi1>, tensor<1x1x37x37xi1>) outs(%v20 : tensor<2x1x37x37xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<2x1x37x37xi1>
  %v22 = tensor.empty() : tensor<2x3x16x37xbf16>
  %v23 = linalg.transpose ins(%a_k : tensor<2x3x37x16xbf16>) outs(%v22 : tensor<2x3x16x37xbf16>) permutation = [0, 1, 3, 2]
  %v24 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<2x3x37x16xbf16> into tensor<6x37x16xbf16>
  %v25 = tensor.collapse_shape %v23 [[0, 1], [2], [3]] : tensor<2x3x16x37xbf16> into tensor<6x16x37xbf16>
  %v26 = tensor.empty() : tensor<6x37x37xf32>
  %v27 = linalg.fill ins(%c0 : f32) outs(%v26 : tensor<6x37x37xf32>) -> tensor<6x37x37xf32>
  %v28 = linalg.batch_matmul ins(%v24, %v25 : tensor<6x37x16xbf16>, tensor<6x16x37xbf16>) outs(%v27 : tensor<6x37x37xf32>) -> tensor<6x37x37xf32>
  %v29 = tensor.empty() : tensor<6x37x37xbf16>
  %g30 = linalg.generic {indexing_maps = [#mask11, #mask11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v28 : tensor<6x37x37xf32>) outs(%v29 : tensor<6x37x37xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<6x37x37xbf16>
  %v31 = tensor.expand_shape %g30 [[0, 1], [2], [3]] output_shape [2, 3, 37, 37] : tensor<6x37x37xbf16> into tensor<2x3x37x37xbf16>
  %v32 = tensor.empty() : tensor<2x3x37x37xbf16>
  %g33 = linalg.generic {indexing_maps = [#mask3, #mask3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v31 : tensor<2x3x37x37xbf16>) outs(%v32 : tensor<2x3x37x37xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %x = arith.truncf %c1 : f64 to bf16
    %r = arith.mulf %in0, %x : bf16
    linalg.yield %r : bf16
  } -> tensor<2x3x37x37xbf16>
  %v34 = tensor.empty() : tensor<2x3x37x37xbf16>
  %g35 = linalg.generic {indexing_maps = [#mask12, #mask3, #mask3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g21, %g33 : tensor<2x1x37x37xi1>, tensor<2x3x37x37xbf16>) outs(%v34 : tensor<2x3x37x37xbf16>) {
  ^bb0(%in0: i1, %in1: bf16, %out0: bf16):
    %r = arith.select %in0, %in1, %c2 : bf16
    linalg.yield %r : bf16
  } -> tensor<2x3x37x37xbf16>
  %v36 = tensor.empty() : tensor<2x3x37xi64>
  %v37 = linalg.fill ins(%c3 : i64) outs(%v36 : tensor<2x3x37xi64>) -> tensor<2x3x37xi64>
  %v38 = tensor.empty() : tensor<2x3x37xbf16>
  %v39 = linalg.fill ins(%c2 : bf16) outs(%v38 : tensor<2x3x37xbf16>) -> tensor<2x3x37xbf16>
  %g40:2 = linalg.generic {indexing_maps = [#mask3, #mask13, #mask13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g35 : tensor<2x3x37x37xbf16>) outs(%v39, %v37 : tensor<2x3x37xbf16>, tensor<2x3x37xi64>) {
  ^bb0(%in0: bf16, %out0: bf16, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : bf16
    %gt = arith.cmpf ogt, %in0, %out0 : bf16
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : bf16, i64
  } -> (tensor<2x3x37xbf16>, tensor<2x3x37xi64>)
  %v41 = tensor.expand_shape %g40#0 [[0], [1], [2, 3]] output_shape [2, 3, 37, 1] : tensor<2x3x37xbf16> into tensor<2x3x37x1xbf16>
  %v42 = tensor.empty() : tensor<2x3x37x37xbf16>
  %g43 = linalg.generic {indexing_maps = [#mask3, #mask5, #mask3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g35, %v41 : tensor<2x3x37x37xbf16>, tensor<2x3x37x1xbf16>) outs(%v42 : tensor<2x3x37x37xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.subf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<2x3x37x37xbf16>
  %v44 = tensor.empty() : tensor<2x3x37x37xbf16>
  %g45 = linalg.generic {indexing_maps = [#mask3, #mask3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g43 : tensor<2x3x37x37xbf16>) outs(%v44 : tensor<2x3x37x37xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %r = math.exp %in0 : bf16
    linalg.yield %r : bf16
  } -> tensor<2x3x37x37xbf16>
  %v46 = tensor.empty() : tensor<2x3x37x1xbf16>
  %v47 = linalg.fill ins(%c4 : bf16) outs(%v46 : tensor<2x3x37x1xbf16>) -> tensor<2x3x37x1xbf16>
  %g48 = linalg.generic {indexing_maps = [#mask3, #mask5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g45 : tensor<2x3x37x37xbf16>) outs(%v47 : tensor<2x3x37x1xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %r = arith.addf %in0, %out0 : bf16
    linalg.yield %r : bf16
  } -> tensor<2x3x37x1xbf16>
  %v49 = tensor.empty() : tensor<2x3x37x37xbf16>
  %g50 = linalg.generic {indexing_maps = [#mask3, #mask5, #mask3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g45, %g48 : tensor<2x3x37x37xbf16>, tensor<2x3x37x1xbf16>) outs(%v49 : tensor<2x3x37x37xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.divf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<2x3x37x37xbf16>
  %v51 = tensor.collapse_shape %g50 [[0, 1], [2], [3]] : tensor<2x3x37x37xbf16> into tensor<6x37x37xbf16>
  %v52 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<2x3x37x16xbf16> into tensor<6x37x16xbf16>
  %v53 = tensor.empty() : tensor<6x37x16xf32>
  %v54 = linalg.fill ins(%c0 : f32) outs(%v53 : tensor<6x37x16xf32>) -> tensor<6x37x16xf32>
  %v55 = linalg.batch_matmul ins(%v51, %v52 : tensor<6x37x37xbf16>, tensor<6x37x16xbf16>) outs(%v54 : tensor<6x37x16xf32>) -> tensor<6x37x16xf32>
  %v56 = tensor.empty() : tensor<6x37x16xbf16>
  %g57 = linalg.generic {indexing_maps = [#mask11, #mask11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v55 : tensor<6x37x16xf32>) outs(%v56 : tensor<6x37x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<6x37x16xbf16>
  %v58 = tensor.expand_shape %g57 [[0, 1], [2], [3]] output_shape [2, 3, 37, 16] : tensor<6x37x16xbf16> into tensor<2x3x37x16xbf16>
  return %v58 : tensor<2x3x37x16xbf16>
}
