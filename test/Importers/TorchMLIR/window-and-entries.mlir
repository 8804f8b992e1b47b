// DeepSeek V4: a window of keys, entries for what lies before, of which those of closed windows are
// read, and sinks. Keys are values. Masks of both parts are put together.

// RUN: linalg-ext-check-program %s --keys=16 --max-kernels=1 --max-buffer-bytes=2600 \
// RUN:   --sizes=1x2x37x16,1x1x37x16,1x1x4x16,-

#m0_0 = affine_map<(d0) -> (d0)>
#m0_1 = affine_map<(d0, d1) -> (0, d1)>
#m0_2 = affine_map<(d0, d1) -> (d0, 0)>
#m0_3 = affine_map<(d0, d1) -> (d0, d1)>
#m0_4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#m0_5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#m0_6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m0_7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m0_8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#m0_9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#m0_10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#m0_11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @window_and_entries(%a_q: tensor<1x2x?x16xf16>,
    %a_kv: tensor<1x1x?x16xf16>,
    %a_entries: tensor<1x1x?x16xf16>,
    %a_sinks: tensor<2xf16>) -> (tensor<1x2x?x16xf16>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 11 : i64
  %c2 = arith.constant 0.000000000e+00 : f16
  %c3 = arith.constant 0xFC00 : f16
  %c4 = arith.constant 1 : i64
  %c5 = arith.constant 8 : i64
  %c6 = arith.constant 0.000000000e+00 : f32
  %c7 = arith.constant 2.500000000e-01 : f64
  %c8 = arith.constant 1 : index
  %c9 = arith.constant 0 : i64
  %T = tensor.dim %a_q, %c0 : tensor<1x2x?x16xf16>
  %W = tensor.dim %a_entries, %c0 : tensor<1x1x?x16xf16>
  %d1 = arith.addi %T, %W : index
  %v2 = tensor.concat dim(2) %a_kv, %a_entries : (tensor<1x1x?x16xf16>, tensor<1x1x?x16xf16>) -> tensor<1x1x?x16xf16>
  %v3 = tensor.empty(%T) : tensor<?xi64>
  %g4 = linalg.generic {indexing_maps = [#m0_0], iterator_types = ["parallel"]} outs(%v3 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v5 = tensor.expand_shape %g4 [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v6 = tensor.empty(%T) : tensor<?xi64>
  %g7 = linalg.generic {indexing_maps = [#m0_0], iterator_types = ["parallel"]} outs(%v6 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v8 = tensor.expand_shape %g7 [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v9 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g10 = linalg.generic {indexing_maps = [#m0_1, #m0_2, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%v8, %v5 : tensor<1x?xi64>, tensor<?x1xi64>) outs(%v9 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v11 = tensor.empty(%T) : tensor<?x1xi64>
  %g12 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%v5 : tensor<?x1xi64>) outs(%v11 : tensor<?x1xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %r = arith.subi %in0, %c1 : i64
    linalg.yield %r : i64
  } -> tensor<?x1xi64>
  %v13 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g14 = linalg.generic {indexing_maps = [#m0_1, #m0_2, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%v8, %g12 : tensor<1x?xi64>, tensor<?x1xi64>) outs(%v13 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sgt, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v15 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g16 = linalg.generic {indexing_maps = [#m0_3, #m0_3, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%g10, %g14 : tensor<?x?xi1>, tensor<?x?xi1>) outs(%v15 : tensor<?x?xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v17 = tensor.empty(%T, %T) : tensor<?x?xf16>
  %g18 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%g16 : tensor<?x?xi1>) outs(%v17 : tensor<?x?xf16>) {
  ^bb0(%in0: i1, %out0: f16):
    %r = arith.select %in0, %c2, %c3 : f16
    linalg.yield %r : f16
  } -> tensor<?x?xf16>
  %v19 = tensor.empty(%T) : tensor<?xi64>
  %g20 = linalg.generic {indexing_maps = [#m0_0], iterator_types = ["parallel"]} outs(%v19 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v21 = tensor.empty(%T) : tensor<?xi64>
  %g22 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel"]} ins(%g20 : tensor<?xi64>) outs(%v21 : tensor<?xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %a = arith.addi %in0, %c4 : i64
    %r = arith.floordivsi %a, %c5 : i64
    linalg.yield %r : i64
  } -> tensor<?xi64>
  %v23 = tensor.expand_shape %g22 [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v24 = tensor.empty(%W) : tensor<?xi64>
  %g25 = linalg.generic {indexing_maps = [#m0_0], iterator_types = ["parallel"]} outs(%v24 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v26 = tensor.expand_shape %g25 [[0, 1]] output_shape [1, %W] : tensor<?xi64> into tensor<1x?xi64>
  %v27 = tensor.empty(%T, %W) : tensor<?x?xi1>
  %g28 = linalg.generic {indexing_maps = [#m0_1, #m0_2, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%v26, %v23 : tensor<1x?xi64>, tensor<?x1xi64>) outs(%v27 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v29 = tensor.empty(%T, %W) : tensor<?x?xf16>
  %g30 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%g28 : tensor<?x?xi1>) outs(%v29 : tensor<?x?xf16>) {
  ^bb0(%in0: i1, %out0: f16):
    %r = arith.select %in0, %c3, %c2 : f16
    linalg.yield %r : f16
  } -> tensor<?x?xf16>
  %d31 = arith.addi %T, %W : index
  %v32 = tensor.concat dim(1) %g18, %g30 : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf16>
  %v33 = tensor.expand_shape %v2 [[0], [1, 2], [3], [4]] output_shape [1, 1, 1, %d1, 16] : tensor<1x1x?x16xf16> into tensor<1x1x1x?x16xf16>
  %v34 = tensor.empty(%d1) : tensor<1x1x2x?x16xf16>
  %g35 = linalg.generic {indexing_maps = [#m0_4, #m0_5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v33 : tensor<1x1x1x?x16xf16>) outs(%v34 : tensor<1x1x2x?x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    linalg.yield %in0 : f16
  } -> tensor<1x1x2x?x16xf16>
  %v36 = tensor.collapse_shape %g35 [[0], [1, 2], [3], [4]] : tensor<1x1x2x?x16xf16> into tensor<1x2x?x16xf16>
  %v37 = tensor.empty(%d1) : tensor<1x2x16x?xf16>
  %v38 = linalg.transpose ins(%v36 : tensor<1x2x?x16xf16>) outs(%v37 : tensor<1x2x16x?xf16>) permutation = [0, 1, 3, 2]
  %v39 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<1x2x?x16xf16> into tensor<2x?x16xf16>
  %v40 = tensor.collapse_shape %v38 [[0, 1], [2], [3]] : tensor<1x2x16x?xf16> into tensor<2x16x?xf16>
  %v41 = tensor.empty(%T, %d1) : tensor<2x?x?xf32>
  %v42 = linalg.fill ins(%c6 : f32) outs(%v41 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %v43 = linalg.batch_matmul ins(%v39, %v40 : tensor<2x?x16xf16>, tensor<2x16x?xf16>) outs(%v42 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %v44 = tensor.empty(%T, %d1) : tensor<2x?x?xf16>
  %g45 = linalg.generic {indexing_maps = [#m0_6, #m0_6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v43 : tensor<2x?x?xf32>) outs(%v44 : tensor<2x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x?x?xf16>
  %v46 = tensor.expand_shape %g45 [[0, 1], [2], [3]] output_shape [1, 2, %T, %d1] : tensor<2x?x?xf16> into tensor<1x2x?x?xf16>
  %v47 = tensor.empty(%T, %d1) : tensor<1x2x?x?xf16>
  %g48 = linalg.generic {indexing_maps = [#m0_7, #m0_7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v46 : tensor<1x2x?x?xf16>) outs(%v47 : tensor<1x2x?x?xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %x = arith.truncf %c7 : f64 to f16
    %r = arith.mulf %in0, %x : f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x?xf16>
  %v49 = tensor.empty(%T, %d31) : tensor<1x2x?x?xf16>
  %g50 = linalg.generic {indexing_maps = [#m0_7, #m0_8, #m0_7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g48, %v32 : tensor<1x2x?x?xf16>, tensor<?x?xf16>) outs(%v49 : tensor<1x2x?x?xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %r = arith.addf %in0, %in1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x?xf16>
  %v51 = tensor.expand_shape %a_sinks [[0, 1]] output_shape [1, 2] : tensor<2xf16> into tensor<1x2xf16>
  %v52 = tensor.expand_shape %v51 [[0], [1, 2]] output_shape [1, 2, 1] : tensor<1x2xf16> into tensor<1x2x1xf16>
  %v53 = tensor.expand_shape %v52 [[0], [1], [2, 3]] output_shape [1, 2, 1, 1] : tensor<1x2x1xf16> into tensor<1x2x1x1xf16>
  %v54 = tensor.empty(%T) : tensor<1x2x?x1xf16>
  %g55 = linalg.generic {indexing_maps = [#m0_9, #m0_7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v53 : tensor<1x2x1x1xf16>) outs(%v54 : tensor<1x2x?x1xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    linalg.yield %in0 : f16
  } -> tensor<1x2x?x1xf16>
  %d56 = arith.addi %d31, %c8 : index
  %v57 = tensor.concat dim(3) %g50, %g55 : (tensor<1x2x?x?xf16>, tensor<1x2x?x1xf16>) -> tensor<1x2x?x?xf16>
  %v58 = tensor.empty(%T) : tensor<1x2x?xi64>
  %v59 = linalg.fill ins(%c9 : i64) outs(%v58 : tensor<1x2x?xi64>) -> tensor<1x2x?xi64>
  %v60 = tensor.empty(%T) : tensor<1x2x?xf16>
  %v61 = linalg.fill ins(%c3 : f16) outs(%v60 : tensor<1x2x?xf16>) -> tensor<1x2x?xf16>
  %g62:2 = linalg.generic {indexing_maps = [#m0_7, #m0_10, #m0_10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v57 : tensor<1x2x?x?xf16>) outs(%v61, %v59 : tensor<1x2x?xf16>, tensor<1x2x?xi64>) {
  ^bb0(%in0: f16, %out0: f16, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f16
    %gt = arith.cmpf ogt, %in0, %out0 : f16
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f16, i64
  } -> (tensor<1x2x?xf16>, tensor<1x2x?xi64>)
  %v63 = tensor.expand_shape %g62#0 [[0], [1], [2, 3]] output_shape [1, 2, %T, 1] : tensor<1x2x?xf16> into tensor<1x2x?x1xf16>
  %v64 = tensor.empty(%T, %d56) : tensor<1x2x?x?xf16>
  %g65 = linalg.generic {indexing_maps = [#m0_7, #m0_11, #m0_7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v57, %v63 : tensor<1x2x?x?xf16>, tensor<1x2x?x1xf16>) outs(%v64 : tensor<1x2x?x?xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %r = arith.subf %in0, %in1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x?xf16>
  %v66 = tensor.empty(%T) : tensor<1x2x?xi64>
  %v67 = linalg.fill ins(%c9 : i64) outs(%v66 : tensor<1x2x?xi64>) -> tensor<1x2x?xi64>
  %v68 = tensor.empty(%T) : tensor<1x2x?xf16>
  %v69 = linalg.fill ins(%c3 : f16) outs(%v68 : tensor<1x2x?xf16>) -> tensor<1x2x?xf16>
  %g70:2 = linalg.generic {indexing_maps = [#m0_7, #m0_10, #m0_10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g65 : tensor<1x2x?x?xf16>) outs(%v69, %v67 : tensor<1x2x?xf16>, tensor<1x2x?xi64>) {
  ^bb0(%in0: f16, %out0: f16, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f16
    %gt = arith.cmpf ogt, %in0, %out0 : f16
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f16, i64
  } -> (tensor<1x2x?xf16>, tensor<1x2x?xi64>)
  %v71 = tensor.expand_shape %g70#0 [[0], [1], [2, 3]] output_shape [1, 2, %T, 1] : tensor<1x2x?xf16> into tensor<1x2x?x1xf16>
  %v72 = tensor.empty(%T, %d56) : tensor<1x2x?x?xf16>
  %g73 = linalg.generic {indexing_maps = [#m0_7, #m0_11, #m0_7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g65, %v71 : tensor<1x2x?x?xf16>, tensor<1x2x?x1xf16>) outs(%v72 : tensor<1x2x?x?xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %r = arith.subf %in0, %in1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x?xf16>
  %v74 = tensor.empty(%T, %d56) : tensor<1x2x?x?xf16>
  %g75 = linalg.generic {indexing_maps = [#m0_7, #m0_7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g73 : tensor<1x2x?x?xf16>) outs(%v74 : tensor<1x2x?x?xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %r = math.exp %in0 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x?xf16>
  %v76 = tensor.empty(%T) : tensor<1x2x?x1xf16>
  %v77 = linalg.fill ins(%c2 : f16) outs(%v76 : tensor<1x2x?x1xf16>) -> tensor<1x2x?x1xf16>
  %g78 = linalg.generic {indexing_maps = [#m0_7, #m0_11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g75 : tensor<1x2x?x?xf16>) outs(%v77 : tensor<1x2x?x1xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %r = arith.addf %in0, %out0 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x1xf16>
  %v79 = tensor.empty(%T, %d56) : tensor<1x2x?x?xf16>
  %g80 = linalg.generic {indexing_maps = [#m0_7, #m0_11, #m0_7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g75, %g78 : tensor<1x2x?x?xf16>, tensor<1x2x?x1xf16>) outs(%v79 : tensor<1x2x?x?xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %r = arith.divf %in0, %in1 : f16
    linalg.yield %r : f16
  } -> tensor<1x2x?x?xf16>
  %v81 = tensor.extract_slice %g80[0, 0, 0, 0] [1, 2, %T, %d1] [1, 1, 1, 1] : tensor<1x2x?x?xf16> to tensor<1x2x?x?xf16>
  %v82 = tensor.collapse_shape %v81 [[0, 1], [2], [3]] : tensor<1x2x?x?xf16> into tensor<2x?x?xf16>
  %v83 = tensor.collapse_shape %v36 [[0, 1], [2], [3]] : tensor<1x2x?x16xf16> into tensor<2x?x16xf16>
  %v84 = tensor.empty(%T) : tensor<2x?x16xf32>
  %v85 = linalg.fill ins(%c6 : f32) outs(%v84 : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  %v86 = linalg.batch_matmul ins(%v82, %v83 : tensor<2x?x?xf16>, tensor<2x?x16xf16>) outs(%v85 : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  %v87 = tensor.empty(%T) : tensor<2x?x16xf16>
  %g88 = linalg.generic {indexing_maps = [#m0_6, #m0_6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v86 : tensor<2x?x16xf32>) outs(%v87 : tensor<2x?x16xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x?x16xf16>
  %v89 = tensor.expand_shape %g88 [[0, 1], [2], [3]] output_shape [1, 2, %T, 16] : tensor<2x?x16xf16> into tensor<1x2x?x16xf16>
  return %v89 : tensor<1x2x?x16xf16>
}
