// AlphaFold's MSA row attention: the bias of pairs is a projection of a norm. All rows of the MSA have the
// same, so that it is computed once, in front of the loops.

// RUN: linalg-ext-check-program %s --keys=16 --max-kernels=3 --max-buffer-bytes=42400 \
// RUN:   --sizes=3x21x128,21x21x24,-,-,-,3x21

#m0_0 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m0_1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#m0_2 = affine_map<(d0, d1, d2) -> (d2)>
#m0_3 = affine_map<(d0, d1) -> (d0, d1)>
#m0_4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m0_5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#m0_6 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#m0_7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#m0_8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @msa_row_pair_bias(%a_qkvg: tensor<3x?x128xf32>,
    %a_z: tensor<?x?x24xf32>,
    %a_wb: tensor<2x24xf32>,
    %a_lw: tensor<24xf32>,
    %a_lb: tensor<24xf32>,
    %a_mask: tensor<3x?xf32> {check.draw = "choose 0 1"}) -> (tensor<3x?x32xf32>) {
  %c0 = arith.constant 1 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 2.400000000e+01 : f64
  %c3 = arith.constant 1.000000000e-05 : f64
  %c4 = arith.constant 1.000000000e+00 : f32
  %c5 = arith.constant 1.000000000e+00 : f64
  %c6 = arith.constant 1.000000000e+09 : f64
  %c7 = arith.constant 2.500000000e-01 : f64
  %c8 = arith.constant 0 : i64
  %c9 = arith.constant 0xFF800000 : f32
  %T = tensor.dim %a_qkvg, %c0 : tensor<3x?x128xf32>
  %v1 = tensor.empty(%T, %T) : tensor<?x?x1xf32>
  %v2 = linalg.fill ins(%c1 : f32) outs(%v1 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  %g3 = linalg.generic {indexing_maps = [#m0_0, #m0_1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a_z : tensor<?x?x24xf32>) outs(%v2 : tensor<?x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<?x?x1xf32>
  %v4 = tensor.empty(%T, %T) : tensor<?x?x1xf32>
  %g5 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g3 : tensor<?x?x1xf32>) outs(%v4 : tensor<?x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x?x1xf32>
  %v6 = tensor.empty(%T, %T) : tensor<?x?x24xf32>
  %g7 = linalg.generic {indexing_maps = [#m0_0, #m0_1, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_z, %g5 : tensor<?x?x24xf32>, tensor<?x?x1xf32>) outs(%v6 : tensor<?x?x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x?x24xf32>
  %v8 = tensor.empty(%T, %T) : tensor<?x?x24xf32>
  %g9 = linalg.generic {indexing_maps = [#m0_0, #m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g7, %g7 : tensor<?x?x24xf32>, tensor<?x?x24xf32>) outs(%v8 : tensor<?x?x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x?x24xf32>
  %v10 = tensor.empty(%T, %T) : tensor<?x?x1xf32>
  %v11 = linalg.fill ins(%c1 : f32) outs(%v10 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  %g12 = linalg.generic {indexing_maps = [#m0_0, #m0_1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g9 : tensor<?x?x24xf32>) outs(%v11 : tensor<?x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<?x?x1xf32>
  %v13 = tensor.empty(%T, %T) : tensor<?x?x1xf32>
  %g14 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g12 : tensor<?x?x1xf32>) outs(%v13 : tensor<?x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x?x1xf32>
  %v15 = tensor.empty(%T, %T) : tensor<?x?x1xf32>
  %g16 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g14 : tensor<?x?x1xf32>) outs(%v15 : tensor<?x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c3 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x?x1xf32>
  %v17 = tensor.empty(%T, %T) : tensor<?x?x1xf32>
  %g18 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g16 : tensor<?x?x1xf32>) outs(%v17 : tensor<?x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.rsqrt %in0 : f32
    linalg.yield %r : f32
  } -> tensor<?x?x1xf32>
  %v19 = tensor.empty(%T, %T) : tensor<?x?x24xf32>
  %g20 = linalg.generic {indexing_maps = [#m0_0, #m0_1, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g7, %g18 : tensor<?x?x24xf32>, tensor<?x?x1xf32>) outs(%v19 : tensor<?x?x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x?x24xf32>
  %v21 = tensor.empty(%T, %T) : tensor<?x?x24xf32>
  %g22 = linalg.generic {indexing_maps = [#m0_0, #m0_2, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g20, %a_lw : tensor<?x?x24xf32>, tensor<24xf32>) outs(%v21 : tensor<?x?x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x?x24xf32>
  %v23 = tensor.empty(%T, %T) : tensor<?x?x24xf32>
  %g24 = linalg.generic {indexing_maps = [#m0_0, #m0_2, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g22, %a_lb : tensor<?x?x24xf32>, tensor<24xf32>) outs(%v23 : tensor<?x?x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x?x24xf32>
  %v25 = tensor.empty() : tensor<24x2xf32>
  %v26 = linalg.transpose ins(%a_wb : tensor<2x24xf32>) outs(%v25 : tensor<24x2xf32>) permutation = [1, 0]
  %d27 = arith.muli %T, %T : index
  %v28 = tensor.collapse_shape %g24 [[0, 1], [2]] : tensor<?x?x24xf32> into tensor<?x24xf32>
  %v29 = tensor.empty(%d27) : tensor<?x2xf32>
  %v30 = linalg.fill ins(%c1 : f32) outs(%v29 : tensor<?x2xf32>) -> tensor<?x2xf32>
  %v31 = linalg.matmul ins(%v28, %v26 : tensor<?x24xf32>, tensor<24x2xf32>) outs(%v30 : tensor<?x2xf32>) -> tensor<?x2xf32>
  %v32 = tensor.expand_shape %v31 [[0, 1], [2]] output_shape [%T, %T, 2] : tensor<?x2xf32> into tensor<?x?x2xf32>
  %v33 = tensor.empty(%T, %T) : tensor<2x?x?xf32>
  %v34 = linalg.transpose ins(%v32 : tensor<?x?x2xf32>) outs(%v33 : tensor<2x?x?xf32>) permutation = [2, 0, 1]
  %v35 = tensor.expand_shape %v34 [[0, 1], [2], [3]] output_shape [1, 2, %T, %T] : tensor<2x?x?xf32> into tensor<1x2x?x?xf32>
  %v36 = tensor.extract_slice %a_qkvg[0, 0, 0] [3, %T, 32] [1, 1, 1] : tensor<3x?x128xf32> to tensor<3x?x32xf32>
  %v37 = tensor.expand_shape %v36 [[0], [1], [2, 3]] output_shape [3, %T, 2, 16] : tensor<3x?x32xf32> into tensor<3x?x2x16xf32>
  %v38 = tensor.empty(%T) : tensor<3x2x?x16xf32>
  %v39 = linalg.transpose ins(%v37 : tensor<3x?x2x16xf32>) outs(%v38 : tensor<3x2x?x16xf32>) permutation = [0, 2, 1, 3]
  %v40 = tensor.extract_slice %a_qkvg[0, 0, 32] [3, %T, 32] [1, 1, 1] : tensor<3x?x128xf32> to tensor<3x?x32xf32>
  %v41 = tensor.expand_shape %v40 [[0], [1], [2, 3]] output_shape [3, %T, 2, 16] : tensor<3x?x32xf32> into tensor<3x?x2x16xf32>
  %v42 = tensor.empty(%T) : tensor<3x2x?x16xf32>
  %v43 = linalg.transpose ins(%v41 : tensor<3x?x2x16xf32>) outs(%v42 : tensor<3x2x?x16xf32>) permutation = [0, 2, 1, 3]
  %v44 = tensor.extract_slice %a_qkvg[0, 0, 64] [3, %T, 32] [1, 1, 1] : tensor<3x?x128xf32> to tensor<3x?x32xf32>
  %v45 = tensor.expand_shape %v44 [[0], [1], [2, 3]] output_shape [3, %T, 2, 16] : tensor<3x?x32xf32> into tensor<3x?x2x16xf32>
  %v46 = tensor.empty(%T) : tensor<3x2x?x16xf32>
  %v47 = linalg.transpose ins(%v45 : tensor<3x?x2x16xf32>) outs(%v46 : tensor<3x2x?x16xf32>) permutation = [0, 2, 1, 3]
  %v48 = tensor.extract_slice %a_qkvg[0, 0, 96] [3, %T, 32] [1, 1, 1] : tensor<3x?x128xf32> to tensor<3x?x32xf32>
  %v49 = tensor.empty(%T) : tensor<3x?x32xf32>
  %g50 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v48 : tensor<3x?x32xf32>) outs(%v49 : tensor<3x?x32xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %n = arith.negf %in0 : f32
    %e = math.exp %n : f32
    %a = arith.addf %e, %c4 : f32
    %r = arith.divf %c4, %a : f32
    linalg.yield %r : f32
  } -> tensor<3x?x32xf32>
  %v51 = tensor.empty(%T) : tensor<3x?xf32>
  %g52 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%a_mask : tensor<3x?xf32>) outs(%v51 : tensor<3x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c5 : f64 to f32
    %r = arith.subf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<3x?xf32>
  %v53 = tensor.empty(%T) : tensor<3x?xf32>
  %g54 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel"]} ins(%g52 : tensor<3x?xf32>) outs(%v53 : tensor<3x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c6 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<3x?xf32>
  %v55 = tensor.empty(%T) : tensor<3x2x?x16xf32>
  %g56 = linalg.generic {indexing_maps = [#m0_4, #m0_4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v39 : tensor<3x2x?x16xf32>) outs(%v55 : tensor<3x2x?x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c7 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<3x2x?x16xf32>
  %v57 = tensor.empty(%T) : tensor<3x2x16x?xf32>
  %v58 = linalg.transpose ins(%v43 : tensor<3x2x?x16xf32>) outs(%v57 : tensor<3x2x16x?xf32>) permutation = [0, 1, 3, 2]
  %v59 = tensor.collapse_shape %g56 [[0, 1], [2], [3]] : tensor<3x2x?x16xf32> into tensor<6x?x16xf32>
  %v60 = tensor.collapse_shape %v58 [[0, 1], [2], [3]] : tensor<3x2x16x?xf32> into tensor<6x16x?xf32>
  %v61 = tensor.empty(%T, %T) : tensor<6x?x?xf32>
  %v62 = linalg.fill ins(%c1 : f32) outs(%v61 : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %v63 = linalg.batch_matmul ins(%v59, %v60 : tensor<6x?x16xf32>, tensor<6x16x?xf32>) outs(%v62 : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %v64 = tensor.expand_shape %v63 [[0, 1], [2], [3]] output_shape [3, 2, %T, %T] : tensor<6x?x?xf32> into tensor<3x2x?x?xf32>
  %v65 = tensor.expand_shape %g54 [[0, 1], [2]] output_shape [3, 1, %T] : tensor<3x?xf32> into tensor<3x1x?xf32>
  %v66 = tensor.expand_shape %v65 [[0, 1], [2], [3]] output_shape [3, 1, 1, %T] : tensor<3x1x?xf32> into tensor<3x1x1x?xf32>
  %v67 = tensor.empty(%T, %T) : tensor<3x2x?x?xf32>
  %g68 = linalg.generic {indexing_maps = [#m0_4, #m0_5, #m0_4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v64, %v66 : tensor<3x2x?x?xf32>, tensor<3x1x1x?xf32>) outs(%v67 : tensor<3x2x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x2x?x?xf32>
  %v69 = tensor.empty(%T, %T) : tensor<3x2x?x?xf32>
  %g70 = linalg.generic {indexing_maps = [#m0_4, #m0_6, #m0_4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g68, %v35 : tensor<3x2x?x?xf32>, tensor<1x2x?x?xf32>) outs(%v69 : tensor<3x2x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x2x?x?xf32>
  %v71 = tensor.empty(%T) : tensor<3x2x?xi64>
  %v72 = linalg.fill ins(%c8 : i64) outs(%v71 : tensor<3x2x?xi64>) -> tensor<3x2x?xi64>
  %v73 = tensor.empty(%T) : tensor<3x2x?xf32>
  %v74 = linalg.fill ins(%c9 : f32) outs(%v73 : tensor<3x2x?xf32>) -> tensor<3x2x?xf32>
  %g75:2 = linalg.generic {indexing_maps = [#m0_4, #m0_7, #m0_7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g70 : tensor<3x2x?x?xf32>) outs(%v74, %v72 : tensor<3x2x?xf32>, tensor<3x2x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<3x2x?xf32>, tensor<3x2x?xi64>)
  %v76 = tensor.expand_shape %g75#0 [[0], [1], [2, 3]] output_shape [3, 2, %T, 1] : tensor<3x2x?xf32> into tensor<3x2x?x1xf32>
  %v77 = tensor.empty(%T, %T) : tensor<3x2x?x?xf32>
  %g78 = linalg.generic {indexing_maps = [#m0_4, #m0_8, #m0_4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g70, %v76 : tensor<3x2x?x?xf32>, tensor<3x2x?x1xf32>) outs(%v77 : tensor<3x2x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x2x?x?xf32>
  %v79 = tensor.empty(%T, %T) : tensor<3x2x?x?xf32>
  %g80 = linalg.generic {indexing_maps = [#m0_4, #m0_4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g78 : tensor<3x2x?x?xf32>) outs(%v79 : tensor<3x2x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<3x2x?x?xf32>
  %v81 = tensor.empty(%T) : tensor<3x2x?x1xf32>
  %v82 = linalg.fill ins(%c1 : f32) outs(%v81 : tensor<3x2x?x1xf32>) -> tensor<3x2x?x1xf32>
  %g83 = linalg.generic {indexing_maps = [#m0_4, #m0_8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g80 : tensor<3x2x?x?xf32>) outs(%v82 : tensor<3x2x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<3x2x?x1xf32>
  %v84 = tensor.empty(%T, %T) : tensor<3x2x?x?xf32>
  %g85 = linalg.generic {indexing_maps = [#m0_4, #m0_8, #m0_4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g80, %g83 : tensor<3x2x?x?xf32>, tensor<3x2x?x1xf32>) outs(%v84 : tensor<3x2x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x2x?x?xf32>
  %v86 = tensor.collapse_shape %g85 [[0, 1], [2], [3]] : tensor<3x2x?x?xf32> into tensor<6x?x?xf32>
  %v87 = tensor.collapse_shape %v47 [[0, 1], [2], [3]] : tensor<3x2x?x16xf32> into tensor<6x?x16xf32>
  %v88 = tensor.empty(%T) : tensor<6x?x16xf32>
  %v89 = linalg.fill ins(%c1 : f32) outs(%v88 : tensor<6x?x16xf32>) -> tensor<6x?x16xf32>
  %v90 = linalg.batch_matmul ins(%v86, %v87 : tensor<6x?x?xf32>, tensor<6x?x16xf32>) outs(%v89 : tensor<6x?x16xf32>) -> tensor<6x?x16xf32>
  %v91 = tensor.expand_shape %v90 [[0, 1], [2], [3]] output_shape [3, 2, %T, 16] : tensor<6x?x16xf32> into tensor<3x2x?x16xf32>
  %v92 = tensor.empty(%T) : tensor<3x?x2x16xf32>
  %v93 = linalg.transpose ins(%v91 : tensor<3x2x?x16xf32>) outs(%v92 : tensor<3x?x2x16xf32>) permutation = [0, 2, 1, 3]
  %v94 = tensor.collapse_shape %v93 [[0], [1], [2, 3]] : tensor<3x?x2x16xf32> into tensor<3x?x32xf32>
  %v95 = tensor.empty(%T) : tensor<3x?x32xf32>
  %g96 = linalg.generic {indexing_maps = [#m0_0, #m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v94, %g50 : tensor<3x?x32xf32>, tensor<3x?x32xf32>) outs(%v95 : tensor<3x?x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x?x32xf32>
  return %g96 : tensor<3x?x32xf32>
}
