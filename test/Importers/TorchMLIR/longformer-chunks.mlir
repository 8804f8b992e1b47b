// Longformer: blocks of queries see three blocks of keys, slices of padded keys that are
// put together.

// RUN: linalg-ext-check-program %s --max-kernels=5 --max-buffer-bytes=7232 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map8 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>

func.func @longformer(%a_q: tensor<1x2x40x16xf32>,
    %a_k: tensor<1x2x40x16xf32>,
    %a_v: tensor<1x2x40x16xf32>) -> (tensor<1x2x40x16xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 2.500000000e-01 : f64
  %c2 = arith.constant 8 : i64
  %c3 = arith.constant -8 : i64
  %c4 = arith.constant 0 : i64
  %c5 = arith.constant 40 : i64
  %c6 = arith.constant 0xFF800000 : f32
  %v1 = tensor.expand_shape %a_q [[0], [1], [2, 3], [4]] output_shape [1, 2, 5, 8, 16] : tensor<1x2x40x16xf32> into tensor<1x2x5x8x16xf32>
  %v2 = tensor.pad %a_k low[0, 0, 8, 0] high[0, 0, 8, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %c0 : f32
  } : tensor<1x2x40x16xf32> to tensor<1x2x56x16xf32>
  %v3 = tensor.extract_slice %v2[0, 0, 0, 0] [1, 2, 24, 16] [1, 1, 1, 1] : tensor<1x2x56x16xf32> to tensor<1x2x24x16xf32>
  %v4 = tensor.expand_shape %v3 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 24, 16] : tensor<1x2x24x16xf32> into tensor<1x2x1x24x16xf32>
  %v5 = tensor.extract_slice %v2[0, 0, 8, 0] [1, 2, 24, 16] [1, 1, 1, 1] : tensor<1x2x56x16xf32> to tensor<1x2x24x16xf32>
  %v6 = tensor.expand_shape %v5 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 24, 16] : tensor<1x2x24x16xf32> into tensor<1x2x1x24x16xf32>
  %v7 = tensor.extract_slice %v2[0, 0, 16, 0] [1, 2, 24, 16] [1, 1, 1, 1] : tensor<1x2x56x16xf32> to tensor<1x2x24x16xf32>
  %v8 = tensor.expand_shape %v7 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 24, 16] : tensor<1x2x24x16xf32> into tensor<1x2x1x24x16xf32>
  %v9 = tensor.extract_slice %v2[0, 0, 24, 0] [1, 2, 24, 16] [1, 1, 1, 1] : tensor<1x2x56x16xf32> to tensor<1x2x24x16xf32>
  %v10 = tensor.expand_shape %v9 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 24, 16] : tensor<1x2x24x16xf32> into tensor<1x2x1x24x16xf32>
  %v11 = tensor.extract_slice %v2[0, 0, 32, 0] [1, 2, 24, 16] [1, 1, 1, 1] : tensor<1x2x56x16xf32> to tensor<1x2x24x16xf32>
  %v12 = tensor.expand_shape %v11 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 24, 16] : tensor<1x2x24x16xf32> into tensor<1x2x1x24x16xf32>
  %v13 = tensor.concat dim(2) %v4, %v6, %v8, %v10, %v12 : (tensor<1x2x1x24x16xf32>, tensor<1x2x1x24x16xf32>, tensor<1x2x1x24x16xf32>, tensor<1x2x1x24x16xf32>, tensor<1x2x1x24x16xf32>) -> tensor<1x2x5x24x16xf32>
  %v14 = tensor.pad %a_v low[0, 0, 8, 0] high[0, 0, 8, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %c0 : f32
  } : tensor<1x2x40x16xf32> to tensor<1x2x56x16xf32>
  %v15 = tensor.extract_slice %v14[0, 0, 0, 0] [1, 2, 24, 16] [1, 1, 1, 1] : tensor<1x2x56x16xf32> to tensor<1x2x24x16xf32>
  %v16 = tensor.expand_shape %v15 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 24, 16] : tensor<1x2x24x16xf32> into tensor<1x2x1x24x16xf32>
  %v17 = tensor.extract_slice %v14[0, 0, 8, 0] [1, 2, 24, 16] [1, 1, 1, 1] : tensor<1x2x56x16xf32> to tensor<1x2x24x16xf32>
  %v18 = tensor.expand_shape %v17 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 24, 16] : tensor<1x2x24x16xf32> into tensor<1x2x1x24x16xf32>
  %v19 = tensor.extract_slice %v14[0, 0, 16, 0] [1, 2, 24, 16] [1, 1, 1, 1] : tensor<1x2x56x16xf32> to tensor<1x2x24x16xf32>
  %v20 = tensor.expand_shape %v19 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 24, 16] : tensor<1x2x24x16xf32> into tensor<1x2x1x24x16xf32>
  %v21 = tensor.extract_slice %v14[0, 0, 24, 0] [1, 2, 24, 16] [1, 1, 1, 1] : tensor<1x2x56x16xf32> to tensor<1x2x24x16xf32>
  %v22 = tensor.expand_shape %v21 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 24, 16] : tensor<1x2x24x16xf32> into tensor<1x2x1x24x16xf32>
  %v23 = tensor.extract_slice %v14[0, 0, 32, 0] [1, 2, 24, 16] [1, 1, 1, 1] : tensor<1x2x56x16xf32> to tensor<1x2x24x16xf32>
  %v24 = tensor.expand_shape %v23 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 24, 16] : tensor<1x2x24x16xf32> into tensor<1x2x1x24x16xf32>
  %v25 = tensor.concat dim(2) %v16, %v18, %v20, %v22, %v24 : (tensor<1x2x1x24x16xf32>, tensor<1x2x1x24x16xf32>, tensor<1x2x1x24x16xf32>, tensor<1x2x1x24x16xf32>, tensor<1x2x1x24x16xf32>) -> tensor<1x2x5x24x16xf32>
  %v26 = tensor.empty() : tensor<1x2x5x16x24xf32>
  %v27 = linalg.transpose ins(%v13 : tensor<1x2x5x24x16xf32>) outs(%v26 : tensor<1x2x5x16x24xf32>) permutation = [0, 1, 2, 4, 3]
  %v28 = tensor.collapse_shape %v1 [[0, 1, 2], [3], [4]] : tensor<1x2x5x8x16xf32> into tensor<10x8x16xf32>
  %v29 = tensor.collapse_shape %v27 [[0, 1, 2], [3], [4]] : tensor<1x2x5x16x24xf32> into tensor<10x16x24xf32>
  %v30 = tensor.empty() : tensor<10x8x24xf32>
  %v31 = linalg.fill ins(%c0 : f32) outs(%v30 : tensor<10x8x24xf32>) -> tensor<10x8x24xf32>
  %v32 = linalg.batch_matmul ins(%v28, %v29 : tensor<10x8x16xf32>, tensor<10x16x24xf32>) outs(%v31 : tensor<10x8x24xf32>) -> tensor<10x8x24xf32>
  %v33 = tensor.expand_shape %v32 [[0, 1, 2], [3], [4]] output_shape [1, 2, 5, 8, 24] : tensor<10x8x24xf32> into tensor<1x2x5x8x24xf32>
  %v34 = tensor.empty() : tensor<1x2x5x8x24xf32>
  %g35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v33 : tensor<1x2x5x8x24xf32>) outs(%v34 : tensor<1x2x5x8x24xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x2x5x8x24xf32>
  %v36 = tensor.empty() : tensor<8xi64>
  %g37 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%v36 : tensor<8xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<8xi64>
  %v38 = tensor.expand_shape %g37 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
  %v39 = tensor.empty() : tensor<24xi64>
  %g40 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%v39 : tensor<24xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<24xi64>
  %v41 = tensor.expand_shape %g40 [[0, 1]] output_shape [1, 24] : tensor<24xi64> into tensor<1x24xi64>
  %v42 = tensor.empty() : tensor<8x1xi64>
  %g43 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%v38 : tensor<8x1xi64>) outs(%v42 : tensor<8x1xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %r = arith.addi %in0, %c2 : i64
    linalg.yield %r : i64
  } -> tensor<8x1xi64>
  %v44 = tensor.empty() : tensor<8x24xi64>
  %g45 = linalg.generic {indexing_maps = [#map3, #map4, #map2], iterator_types = ["parallel", "parallel"]} ins(%v41, %g43 : tensor<1x24xi64>, tensor<8x1xi64>) outs(%v44 : tensor<8x24xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %r = arith.subi %in0, %in1 : i64
    linalg.yield %r : i64
  } -> tensor<8x24xi64>
  %v46 = tensor.empty() : tensor<8x24xi64>
  %v47 = linalg.fill ins(%c3 : i64) outs(%v46 : tensor<8x24xi64>) -> tensor<8x24xi64>
  %v48 = tensor.empty() : tensor<8x24xi1>
  %g49 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%g45, %v47 : tensor<8x24xi64>, tensor<8x24xi64>) outs(%v48 : tensor<8x24xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<8x24xi1>
  %v50 = tensor.empty() : tensor<8x24xi64>
  %v51 = linalg.fill ins(%c2 : i64) outs(%v50 : tensor<8x24xi64>) -> tensor<8x24xi64>
  %v52 = tensor.empty() : tensor<8x24xi1>
  %g53 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%g45, %v51 : tensor<8x24xi64>, tensor<8x24xi64>) outs(%v52 : tensor<8x24xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<8x24xi1>
  %v54 = tensor.empty() : tensor<8x24xi1>
  %g55 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%g49, %g53 : tensor<8x24xi1>, tensor<8x24xi1>) outs(%v54 : tensor<8x24xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<8x24xi1>
  %v56 = tensor.empty() : tensor<5xi64>
  %g57 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%v56 : tensor<5xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<5xi64>
  %v58 = tensor.expand_shape %g57 [[0, 1]] output_shape [5, 1] : tensor<5xi64> into tensor<5x1xi64>
  %v59 = tensor.expand_shape %v58 [[0], [1, 2]] output_shape [5, 1, 1] : tensor<5x1xi64> into tensor<5x1x1xi64>
  %v60 = tensor.empty() : tensor<5x1x1xi64>
  %g61 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v59 : tensor<5x1x1xi64>) outs(%v60 : tensor<5x1x1xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %r = arith.muli %in0, %c2 : i64
    linalg.yield %r : i64
  } -> tensor<5x1x1xi64>
  %v62 = tensor.empty() : tensor<1x24xi64>
  %g63 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%v41 : tensor<1x24xi64>) outs(%v62 : tensor<1x24xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %r = arith.addi %in0, %c3 : i64
    linalg.yield %r : i64
  } -> tensor<1x24xi64>
  %v64 = tensor.expand_shape %g63 [[0, 1], [2]] output_shape [1, 1, 24] : tensor<1x24xi64> into tensor<1x1x24xi64>
  %v65 = tensor.empty() : tensor<5x1x24xi64>
  %g66 = linalg.generic {indexing_maps = [#map6, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g61, %v64 : tensor<5x1x1xi64>, tensor<1x1x24xi64>) outs(%v65 : tensor<5x1x24xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %r = arith.addi %in0, %in1 : i64
    linalg.yield %r : i64
  } -> tensor<5x1x24xi64>
  %v67 = tensor.empty() : tensor<5x1x24xi64>
  %v68 = linalg.fill ins(%c4 : i64) outs(%v67 : tensor<5x1x24xi64>) -> tensor<5x1x24xi64>
  %v69 = tensor.empty() : tensor<5x1x24xi1>
  %g70 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g66, %v68 : tensor<5x1x24xi64>, tensor<5x1x24xi64>) outs(%v69 : tensor<5x1x24xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<5x1x24xi1>
  %v71 = tensor.empty() : tensor<5x1x24xi64>
  %v72 = linalg.fill ins(%c5 : i64) outs(%v71 : tensor<5x1x24xi64>) -> tensor<5x1x24xi64>
  %v73 = tensor.empty() : tensor<5x1x24xi1>
  %g74 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g66, %v72 : tensor<5x1x24xi64>, tensor<5x1x24xi64>) outs(%v73 : tensor<5x1x24xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi slt, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<5x1x24xi1>
  %v75 = tensor.empty() : tensor<5x1x24xi1>
  %g76 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g70, %g74 : tensor<5x1x24xi1>, tensor<5x1x24xi1>) outs(%v75 : tensor<5x1x24xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<5x1x24xi1>
  %v77 = tensor.expand_shape %g55 [[0, 1], [2]] output_shape [1, 8, 24] : tensor<8x24xi1> into tensor<1x8x24xi1>
  %v78 = tensor.empty() : tensor<5x8x24xi1>
  %g79 = linalg.generic {indexing_maps = [#map7, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v77, %g76 : tensor<1x8x24xi1>, tensor<5x1x24xi1>) outs(%v78 : tensor<5x8x24xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<5x8x24xi1>
  %v80 = tensor.empty() : tensor<1x2x5x8x24xf32>
  %g81 = linalg.generic {indexing_maps = [#map9, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g79, %g35 : tensor<5x8x24xi1>, tensor<1x2x5x8x24xf32>) outs(%v80 : tensor<1x2x5x8x24xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c6 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x5x8x24xf32>
  %v82 = tensor.empty() : tensor<1x2x5x8xi64>
  %v83 = linalg.fill ins(%c4 : i64) outs(%v82 : tensor<1x2x5x8xi64>) -> tensor<1x2x5x8xi64>
  %v84 = tensor.empty() : tensor<1x2x5x8xf32>
  %v85 = linalg.fill ins(%c6 : f32) outs(%v84 : tensor<1x2x5x8xf32>) -> tensor<1x2x5x8xf32>
  %g86:2 = linalg.generic {indexing_maps = [#map, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%g81 : tensor<1x2x5x8x24xf32>) outs(%v85, %v83 : tensor<1x2x5x8xf32>, tensor<1x2x5x8xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 4 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x2x5x8xf32>, tensor<1x2x5x8xi64>)
  %v87 = tensor.expand_shape %g86#0 [[0], [1], [2], [3, 4]] output_shape [1, 2, 5, 8, 1] : tensor<1x2x5x8xf32> into tensor<1x2x5x8x1xf32>
  %v88 = tensor.empty() : tensor<1x2x5x8x24xf32>
  %g89 = linalg.generic {indexing_maps = [#map, #map11, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g81, %v87 : tensor<1x2x5x8x24xf32>, tensor<1x2x5x8x1xf32>) outs(%v88 : tensor<1x2x5x8x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x5x8x24xf32>
  %v90 = tensor.empty() : tensor<1x2x5x8x24xf32>
  %g91 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g89 : tensor<1x2x5x8x24xf32>) outs(%v90 : tensor<1x2x5x8x24xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x5x8x24xf32>
  %v92 = tensor.empty() : tensor<1x2x5x8x1xf32>
  %v93 = linalg.fill ins(%c0 : f32) outs(%v92 : tensor<1x2x5x8x1xf32>) -> tensor<1x2x5x8x1xf32>
  %g94 = linalg.generic {indexing_maps = [#map, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%g91 : tensor<1x2x5x8x24xf32>) outs(%v93 : tensor<1x2x5x8x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x5x8x1xf32>
  %v95 = tensor.empty() : tensor<1x2x5x8x24xf32>
  %g96 = linalg.generic {indexing_maps = [#map, #map11, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g91, %g94 : tensor<1x2x5x8x24xf32>, tensor<1x2x5x8x1xf32>) outs(%v95 : tensor<1x2x5x8x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x5x8x24xf32>
  %v97 = tensor.collapse_shape %g96 [[0, 1, 2], [3], [4]] : tensor<1x2x5x8x24xf32> into tensor<10x8x24xf32>
  %v98 = tensor.collapse_shape %v25 [[0, 1, 2], [3], [4]] : tensor<1x2x5x24x16xf32> into tensor<10x24x16xf32>
  %v99 = tensor.empty() : tensor<10x8x16xf32>
  %v100 = linalg.fill ins(%c0 : f32) outs(%v99 : tensor<10x8x16xf32>) -> tensor<10x8x16xf32>
  %v101 = linalg.batch_matmul ins(%v97, %v98 : tensor<10x8x24xf32>, tensor<10x24x16xf32>) outs(%v100 : tensor<10x8x16xf32>) -> tensor<10x8x16xf32>
  %v102 = tensor.expand_shape %v101 [[0, 1, 2], [3], [4]] output_shape [1, 2, 5, 8, 16] : tensor<10x8x16xf32> into tensor<1x2x5x8x16xf32>
  %v103 = tensor.collapse_shape %v102 [[0], [1], [2, 3], [4]] : tensor<1x2x5x8x16xf32> into tensor<1x2x40x16xf32>
  return %v103 : tensor<1x2x40x16xf32>
}
