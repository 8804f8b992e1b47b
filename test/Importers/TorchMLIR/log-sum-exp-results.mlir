// Log-sum-exps beside the results: of the op that autograd saves them for, with dropout and groups of
// heads, and of two blocks of keys that are merged by them, as context parallelism does. They are
// computed in the kernel that has the states.

// RUN: linalg-ext-check-program %s --entry=flash_with_dropout --keys=16 --max-kernels=1 \
// RUN:   --max-buffer-bytes=2500 --sizes=2x4x37x16,2x2x45x16,2x2x45x16,2x4x37x45
// RUN: linalg-ext-check-program %s --entry=merge_of_blocks --keys=16 --max-kernels=2 \
// RUN:   --max-buffer-bytes=16000 --sizes=1x3x37x16,1x3x29x16,1x3x29x16,1x3x41x16,1x3x41x16

#m0_0 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#m0_1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#m0_2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m0_3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m0_4 = affine_map<(d0) -> (d0)>
#m0_5 = affine_map<(d0, d1) -> (0, d1)>
#m0_6 = affine_map<(d0, d1) -> (d0, 0)>
#m0_7 = affine_map<(d0, d1) -> (d0, d1)>
#m0_8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#m0_9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#m0_10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @flash_with_dropout(%a_q: tensor<2x4x?x16xbf16>,
    %a_k: tensor<2x2x?x16xbf16>,
    %a_v: tensor<2x2x?x16xbf16>,
    %a_keep: tensor<2x4x?x?xi1>) -> (tensor<2x4x?x16xbf16>, tensor<2x4x?xf32>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 2.500000000e-01 : f64
  %c3 = arith.constant 0xFF80 : bf16
  %c4 = arith.constant 0 : i64
  %c5 = arith.constant 0xFF800000 : f32
  %c6 = arith.constant 1.111111111e+00 : f64
  %T = tensor.dim %a_q, %c0 : tensor<2x4x?x16xbf16>
  %S = tensor.dim %a_k, %c0 : tensor<2x2x?x16xbf16>
  %v1 = tensor.expand_shape %a_k [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, %S, 16] : tensor<2x2x?x16xbf16> into tensor<2x2x1x?x16xbf16>
  %v2 = tensor.empty(%S) : tensor<2x2x2x?x16xbf16>
  %g3 = linalg.generic {indexing_maps = [#m0_0, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v1 : tensor<2x2x1x?x16xbf16>) outs(%v2 : tensor<2x2x2x?x16xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    linalg.yield %in0 : bf16
  } -> tensor<2x2x2x?x16xbf16>
  %v4 = tensor.collapse_shape %g3 [[0], [1, 2], [3], [4]] : tensor<2x2x2x?x16xbf16> into tensor<2x4x?x16xbf16>
  %v5 = tensor.expand_shape %a_v [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, %S, 16] : tensor<2x2x?x16xbf16> into tensor<2x2x1x?x16xbf16>
  %v6 = tensor.empty(%S) : tensor<2x2x2x?x16xbf16>
  %g7 = linalg.generic {indexing_maps = [#m0_0, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v5 : tensor<2x2x1x?x16xbf16>) outs(%v6 : tensor<2x2x2x?x16xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    linalg.yield %in0 : bf16
  } -> tensor<2x2x2x?x16xbf16>
  %v8 = tensor.collapse_shape %g7 [[0], [1, 2], [3], [4]] : tensor<2x2x2x?x16xbf16> into tensor<2x4x?x16xbf16>
  %v9 = tensor.empty(%S) : tensor<2x4x16x?xbf16>
  %v10 = linalg.transpose ins(%v4 : tensor<2x4x?x16xbf16>) outs(%v9 : tensor<2x4x16x?xbf16>) permutation = [0, 1, 3, 2]
  %v11 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<2x4x?x16xbf16> into tensor<8x?x16xbf16>
  %v12 = tensor.collapse_shape %v10 [[0, 1], [2], [3]] : tensor<2x4x16x?xbf16> into tensor<8x16x?xbf16>
  %v13 = tensor.empty(%T, %S) : tensor<8x?x?xf32>
  %v14 = linalg.fill ins(%c1 : f32) outs(%v13 : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  %v15 = linalg.batch_matmul ins(%v11, %v12 : tensor<8x?x16xbf16>, tensor<8x16x?xbf16>) outs(%v14 : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  %v16 = tensor.empty(%T, %S) : tensor<8x?x?xbf16>
  %g17 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v15 : tensor<8x?x?xf32>) outs(%v16 : tensor<8x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x?x?xbf16>
  %v18 = tensor.expand_shape %g17 [[0, 1], [2], [3]] output_shape [2, 4, %T, %S] : tensor<8x?x?xbf16> into tensor<2x4x?x?xbf16>
  %v19 = tensor.empty(%T, %S) : tensor<2x4x?x?xbf16>
  %g20 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v18 : tensor<2x4x?x?xbf16>) outs(%v19 : tensor<2x4x?x?xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %x = arith.truncf %c2 : f64 to bf16
    %r = arith.mulf %in0, %x : bf16
    linalg.yield %r : bf16
  } -> tensor<2x4x?x?xbf16>
  %v21 = tensor.empty(%T) : tensor<?xi64>
  %g22 = linalg.generic {indexing_maps = [#m0_4], iterator_types = ["parallel"]} outs(%v21 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v23 = tensor.expand_shape %g22 [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v24 = tensor.empty(%S) : tensor<?xi64>
  %g25 = linalg.generic {indexing_maps = [#m0_4], iterator_types = ["parallel"]} outs(%v24 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v26 = tensor.expand_shape %g25 [[0, 1]] output_shape [1, %S] : tensor<?xi64> into tensor<1x?xi64>
  %v27 = tensor.empty(%T, %S) : tensor<?x?xi1>
  %g28 = linalg.generic {indexing_maps = [#m0_5, #m0_6, #m0_7], iterator_types = ["parallel", "parallel"]} ins(%v26, %v23 : tensor<1x?xi64>, tensor<?x1xi64>) outs(%v27 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v29 = tensor.empty(%T, %S) : tensor<2x4x?x?xbf16>
  %g30 = linalg.generic {indexing_maps = [#m0_8, #m0_3, #m0_3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g28, %g20 : tensor<?x?xi1>, tensor<2x4x?x?xbf16>) outs(%v29 : tensor<2x4x?x?xbf16>) {
  ^bb0(%in0: i1, %in1: bf16, %out0: bf16):
    %r = arith.select %in0, %in1, %c3 : bf16
    linalg.yield %r : bf16
  } -> tensor<2x4x?x?xbf16>
  %v31 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g32 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g30 : tensor<2x4x?x?xbf16>) outs(%v31 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v33 = tensor.empty(%T) : tensor<2x4x?xi64>
  %v34 = linalg.fill ins(%c4 : i64) outs(%v33 : tensor<2x4x?xi64>) -> tensor<2x4x?xi64>
  %v35 = tensor.empty(%T) : tensor<2x4x?xf32>
  %v36 = linalg.fill ins(%c5 : f32) outs(%v35 : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  %g37:2 = linalg.generic {indexing_maps = [#m0_3, #m0_9, #m0_9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g32 : tensor<2x4x?x?xf32>) outs(%v36, %v34 : tensor<2x4x?xf32>, tensor<2x4x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x4x?xf32>, tensor<2x4x?xi64>)
  %v38 = tensor.expand_shape %g37#0 [[0], [1], [2, 3]] output_shape [2, 4, %T, 1] : tensor<2x4x?xf32> into tensor<2x4x?x1xf32>
  %v39 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g40 = linalg.generic {indexing_maps = [#m0_3, #m0_10, #m0_3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g32, %v38 : tensor<2x4x?x?xf32>, tensor<2x4x?x1xf32>) outs(%v39 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v41 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g42 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g40 : tensor<2x4x?x?xf32>) outs(%v41 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v43 = tensor.empty(%T) : tensor<2x4x?x1xf32>
  %v44 = linalg.fill ins(%c1 : f32) outs(%v43 : tensor<2x4x?x1xf32>) -> tensor<2x4x?x1xf32>
  %g45 = linalg.generic {indexing_maps = [#m0_3, #m0_10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g42 : tensor<2x4x?x?xf32>) outs(%v44 : tensor<2x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x1xf32>
  %v46 = tensor.empty(%T) : tensor<2x4x?x1xf32>
  %g47 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g45 : tensor<2x4x?x1xf32>) outs(%v46 : tensor<2x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.log %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x1xf32>
  %v48 = tensor.empty(%T) : tensor<2x4x?x1xf32>
  %g49 = linalg.generic {indexing_maps = [#m0_3, #m0_3, #m0_3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g47, %v38 : tensor<2x4x?x1xf32>, tensor<2x4x?x1xf32>) outs(%v48 : tensor<2x4x?x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x1xf32>
  %v50 = tensor.collapse_shape %g49 [[0], [1], [2, 3]] : tensor<2x4x?x1xf32> into tensor<2x4x?xf32>
  %v51 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g52 = linalg.generic {indexing_maps = [#m0_3, #m0_10, #m0_3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g42, %g45 : tensor<2x4x?x?xf32>, tensor<2x4x?x1xf32>) outs(%v51 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v53 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g54 = linalg.generic {indexing_maps = [#m0_3, #m0_3, #m0_3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_keep, %g52 : tensor<2x4x?x?xi1>, tensor<2x4x?x?xf32>) outs(%v53 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v55 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g56 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g54 : tensor<2x4x?x?xf32>) outs(%v55 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c6 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v57 = tensor.empty(%T, %S) : tensor<2x4x?x?xbf16>
  %g58 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g56 : tensor<2x4x?x?xf32>) outs(%v57 : tensor<2x4x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x4x?x?xbf16>
  %v59 = tensor.collapse_shape %g58 [[0, 1], [2], [3]] : tensor<2x4x?x?xbf16> into tensor<8x?x?xbf16>
  %v60 = tensor.collapse_shape %v8 [[0, 1], [2], [3]] : tensor<2x4x?x16xbf16> into tensor<8x?x16xbf16>
  %v61 = tensor.empty(%T) : tensor<8x?x16xf32>
  %v62 = linalg.fill ins(%c1 : f32) outs(%v61 : tensor<8x?x16xf32>) -> tensor<8x?x16xf32>
  %v63 = linalg.batch_matmul ins(%v59, %v60 : tensor<8x?x?xbf16>, tensor<8x?x16xbf16>) outs(%v62 : tensor<8x?x16xf32>) -> tensor<8x?x16xf32>
  %v64 = tensor.empty(%T) : tensor<8x?x16xbf16>
  %g65 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v63 : tensor<8x?x16xf32>) outs(%v64 : tensor<8x?x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x?x16xbf16>
  %v66 = tensor.expand_shape %g65 [[0, 1], [2], [3]] output_shape [2, 4, %T, 16] : tensor<8x?x16xbf16> into tensor<2x4x?x16xbf16>
  return %v66, %v50 : tensor<2x4x?x16xbf16>, tensor<2x4x?xf32>
}

#m1_0 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m1_1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m1_2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#m1_3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @merge_of_blocks(%a_q: tensor<1x3x?x16xf16>,
    %a_k1: tensor<1x3x?x16xf16>,
    %a_v1: tensor<1x3x?x16xf16>,
    %a_k2: tensor<1x3x?x16xf16>,
    %a_v2: tensor<1x3x?x16xf16>) -> (tensor<1x3x?x16xf16>, tensor<1x3x?x1xf32>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 2.500000000e-01 : f64
  %c3 = arith.constant 0 : i64
  %c4 = arith.constant 0xFF800000 : f32
  %T = tensor.dim %a_q, %c0 : tensor<1x3x?x16xf16>
  %S = tensor.dim %a_k1, %c0 : tensor<1x3x?x16xf16>
  %U = tensor.dim %a_k2, %c0 : tensor<1x3x?x16xf16>
  %v1 = tensor.empty(%S) : tensor<1x3x16x?xf16>
  %v2 = linalg.transpose ins(%a_k1 : tensor<1x3x?x16xf16>) outs(%v1 : tensor<1x3x16x?xf16>) permutation = [0, 1, 3, 2]
  %v3 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<1x3x?x16xf16> into tensor<3x?x16xf16>
  %v4 = tensor.collapse_shape %v2 [[0, 1], [2], [3]] : tensor<1x3x16x?xf16> into tensor<3x16x?xf16>
  %v5 = tensor.empty(%T, %S) : tensor<3x?x?xf32>
  %v6 = linalg.fill ins(%c1 : f32) outs(%v5 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %v7 = linalg.batch_matmul ins(%v3, %v4 : tensor<3x?x16xf16>, tensor<3x16x?xf16>) outs(%v6 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %v8 = tensor.empty(%T, %S) : tensor<3x?x?xf16>
  %g9 = linalg.generic {indexing_maps = [#m1_0, #m1_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v7 : tensor<3x?x?xf32>) outs(%v8 : tensor<3x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<3x?x?xf16>
  %v10 = tensor.expand_shape %g9 [[0, 1], [2], [3]] output_shape [1, 3, %T, %S] : tensor<3x?x?xf16> into tensor<1x3x?x?xf16>
  %v11 = tensor.empty(%T, %S) : tensor<1x3x?x?xf16>
  %g12 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v10 : tensor<1x3x?x?xf16>) outs(%v11 : tensor<1x3x?x?xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %x = arith.truncf %c2 : f64 to f16
    %r = arith.mulf %in0, %x : f16
    linalg.yield %r : f16
  } -> tensor<1x3x?x?xf16>
  %v13 = tensor.empty(%T, %S) : tensor<1x3x?x?xf32>
  %g14 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g12 : tensor<1x3x?x?xf16>) outs(%v13 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v15 = tensor.empty(%T) : tensor<1x3x?xi64>
  %v16 = linalg.fill ins(%c3 : i64) outs(%v15 : tensor<1x3x?xi64>) -> tensor<1x3x?xi64>
  %v17 = tensor.empty(%T) : tensor<1x3x?xf32>
  %v18 = linalg.fill ins(%c4 : f32) outs(%v17 : tensor<1x3x?xf32>) -> tensor<1x3x?xf32>
  %g19:2 = linalg.generic {indexing_maps = [#m1_1, #m1_2, #m1_2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g14 : tensor<1x3x?x?xf32>) outs(%v18, %v16 : tensor<1x3x?xf32>, tensor<1x3x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x?xf32>, tensor<1x3x?xi64>)
  %v20 = tensor.expand_shape %g19#0 [[0], [1], [2, 3]] output_shape [1, 3, %T, 1] : tensor<1x3x?xf32> into tensor<1x3x?x1xf32>
  %v21 = tensor.empty(%T, %S) : tensor<1x3x?x?xf32>
  %g22 = linalg.generic {indexing_maps = [#m1_1, #m1_3, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g14, %v20 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%v21 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v23 = tensor.empty(%T, %S) : tensor<1x3x?x?xf32>
  %g24 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g22 : tensor<1x3x?x?xf32>) outs(%v23 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v25 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %v26 = linalg.fill ins(%c1 : f32) outs(%v25 : tensor<1x3x?x1xf32>) -> tensor<1x3x?x1xf32>
  %g27 = linalg.generic {indexing_maps = [#m1_1, #m1_3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g24 : tensor<1x3x?x?xf32>) outs(%v26 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v28 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %g29 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g27 : tensor<1x3x?x1xf32>) outs(%v28 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.log %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v30 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %g31 = linalg.generic {indexing_maps = [#m1_1, #m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v20, %g29 : tensor<1x3x?x1xf32>, tensor<1x3x?x1xf32>) outs(%v30 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v32 = tensor.empty(%T, %S) : tensor<1x3x?x?xf32>
  %g33 = linalg.generic {indexing_maps = [#m1_1, #m1_3, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g24, %g27 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%v32 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v34 = tensor.empty(%T, %S) : tensor<1x3x?x?xf16>
  %g35 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g33 : tensor<1x3x?x?xf32>) outs(%v34 : tensor<1x3x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x3x?x?xf16>
  %v36 = tensor.collapse_shape %g35 [[0, 1], [2], [3]] : tensor<1x3x?x?xf16> into tensor<3x?x?xf16>
  %v37 = tensor.collapse_shape %a_v1 [[0, 1], [2], [3]] : tensor<1x3x?x16xf16> into tensor<3x?x16xf16>
  %v38 = tensor.empty(%T) : tensor<3x?x16xf32>
  %v39 = linalg.fill ins(%c1 : f32) outs(%v38 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %v40 = linalg.batch_matmul ins(%v36, %v37 : tensor<3x?x?xf16>, tensor<3x?x16xf16>) outs(%v39 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %v41 = tensor.empty(%T) : tensor<3x?x16xf16>
  %g42 = linalg.generic {indexing_maps = [#m1_0, #m1_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v40 : tensor<3x?x16xf32>) outs(%v41 : tensor<3x?x16xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<3x?x16xf16>
  %v43 = tensor.expand_shape %g42 [[0, 1], [2], [3]] output_shape [1, 3, %T, 16] : tensor<3x?x16xf16> into tensor<1x3x?x16xf16>
  %v44 = tensor.empty(%U) : tensor<1x3x16x?xf16>
  %v45 = linalg.transpose ins(%a_k2 : tensor<1x3x?x16xf16>) outs(%v44 : tensor<1x3x16x?xf16>) permutation = [0, 1, 3, 2]
  %v46 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<1x3x?x16xf16> into tensor<3x?x16xf16>
  %v47 = tensor.collapse_shape %v45 [[0, 1], [2], [3]] : tensor<1x3x16x?xf16> into tensor<3x16x?xf16>
  %v48 = tensor.empty(%T, %U) : tensor<3x?x?xf32>
  %v49 = linalg.fill ins(%c1 : f32) outs(%v48 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %v50 = linalg.batch_matmul ins(%v46, %v47 : tensor<3x?x16xf16>, tensor<3x16x?xf16>) outs(%v49 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %v51 = tensor.empty(%T, %U) : tensor<3x?x?xf16>
  %g52 = linalg.generic {indexing_maps = [#m1_0, #m1_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v50 : tensor<3x?x?xf32>) outs(%v51 : tensor<3x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<3x?x?xf16>
  %v53 = tensor.expand_shape %g52 [[0, 1], [2], [3]] output_shape [1, 3, %T, %U] : tensor<3x?x?xf16> into tensor<1x3x?x?xf16>
  %v54 = tensor.empty(%T, %U) : tensor<1x3x?x?xf16>
  %g55 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v53 : tensor<1x3x?x?xf16>) outs(%v54 : tensor<1x3x?x?xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %x = arith.truncf %c2 : f64 to f16
    %r = arith.mulf %in0, %x : f16
    linalg.yield %r : f16
  } -> tensor<1x3x?x?xf16>
  %v56 = tensor.empty(%T, %U) : tensor<1x3x?x?xf32>
  %g57 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g55 : tensor<1x3x?x?xf16>) outs(%v56 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v58 = tensor.empty(%T) : tensor<1x3x?xi64>
  %v59 = linalg.fill ins(%c3 : i64) outs(%v58 : tensor<1x3x?xi64>) -> tensor<1x3x?xi64>
  %v60 = tensor.empty(%T) : tensor<1x3x?xf32>
  %v61 = linalg.fill ins(%c4 : f32) outs(%v60 : tensor<1x3x?xf32>) -> tensor<1x3x?xf32>
  %g62:2 = linalg.generic {indexing_maps = [#m1_1, #m1_2, #m1_2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g57 : tensor<1x3x?x?xf32>) outs(%v61, %v59 : tensor<1x3x?xf32>, tensor<1x3x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x?xf32>, tensor<1x3x?xi64>)
  %v63 = tensor.expand_shape %g62#0 [[0], [1], [2, 3]] output_shape [1, 3, %T, 1] : tensor<1x3x?xf32> into tensor<1x3x?x1xf32>
  %v64 = tensor.empty(%T, %U) : tensor<1x3x?x?xf32>
  %g65 = linalg.generic {indexing_maps = [#m1_1, #m1_3, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g57, %v63 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%v64 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v66 = tensor.empty(%T, %U) : tensor<1x3x?x?xf32>
  %g67 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g65 : tensor<1x3x?x?xf32>) outs(%v66 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v68 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %v69 = linalg.fill ins(%c1 : f32) outs(%v68 : tensor<1x3x?x1xf32>) -> tensor<1x3x?x1xf32>
  %g70 = linalg.generic {indexing_maps = [#m1_1, #m1_3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g67 : tensor<1x3x?x?xf32>) outs(%v69 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v71 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %g72 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g70 : tensor<1x3x?x1xf32>) outs(%v71 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.log %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v73 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %g74 = linalg.generic {indexing_maps = [#m1_1, #m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v63, %g72 : tensor<1x3x?x1xf32>, tensor<1x3x?x1xf32>) outs(%v73 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v75 = tensor.empty(%T, %U) : tensor<1x3x?x?xf32>
  %g76 = linalg.generic {indexing_maps = [#m1_1, #m1_3, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g67, %g70 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%v75 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v77 = tensor.empty(%T, %U) : tensor<1x3x?x?xf16>
  %g78 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g76 : tensor<1x3x?x?xf32>) outs(%v77 : tensor<1x3x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x3x?x?xf16>
  %v79 = tensor.collapse_shape %g78 [[0, 1], [2], [3]] : tensor<1x3x?x?xf16> into tensor<3x?x?xf16>
  %v80 = tensor.collapse_shape %a_v2 [[0, 1], [2], [3]] : tensor<1x3x?x16xf16> into tensor<3x?x16xf16>
  %v81 = tensor.empty(%T) : tensor<3x?x16xf32>
  %v82 = linalg.fill ins(%c1 : f32) outs(%v81 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %v83 = linalg.batch_matmul ins(%v79, %v80 : tensor<3x?x?xf16>, tensor<3x?x16xf16>) outs(%v82 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %v84 = tensor.empty(%T) : tensor<3x?x16xf16>
  %g85 = linalg.generic {indexing_maps = [#m1_0, #m1_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v83 : tensor<3x?x16xf32>) outs(%v84 : tensor<3x?x16xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<3x?x16xf16>
  %v86 = tensor.expand_shape %g85 [[0, 1], [2], [3]] output_shape [1, 3, %T, 16] : tensor<3x?x16xf16> into tensor<1x3x?x16xf16>
  %v87 = tensor.empty(%T) : tensor<1x3x?x16xf32>
  %g88 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v43 : tensor<1x3x?x16xf16>) outs(%v87 : tensor<1x3x?x16xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x16xf32>
  %v89 = tensor.empty(%T) : tensor<1x3x?x16xf32>
  %g90 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v86 : tensor<1x3x?x16xf16>) outs(%v89 : tensor<1x3x?x16xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x16xf32>
  %v91 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %g92 = linalg.generic {indexing_maps = [#m1_1, #m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g31, %g74 : tensor<1x3x?x1xf32>, tensor<1x3x?x1xf32>) outs(%v91 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.maximumf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v93 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %g94 = linalg.generic {indexing_maps = [#m1_1, #m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g31, %g92 : tensor<1x3x?x1xf32>, tensor<1x3x?x1xf32>) outs(%v93 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v95 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %g96 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g94 : tensor<1x3x?x1xf32>) outs(%v95 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v97 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %g98 = linalg.generic {indexing_maps = [#m1_1, #m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g74, %g92 : tensor<1x3x?x1xf32>, tensor<1x3x?x1xf32>) outs(%v97 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v99 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %g100 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g98 : tensor<1x3x?x1xf32>) outs(%v99 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v101 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %g102 = linalg.generic {indexing_maps = [#m1_1, #m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g96, %g100 : tensor<1x3x?x1xf32>, tensor<1x3x?x1xf32>) outs(%v101 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v103 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %g104 = linalg.generic {indexing_maps = [#m1_1, #m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g96, %g102 : tensor<1x3x?x1xf32>, tensor<1x3x?x1xf32>) outs(%v103 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v105 = tensor.empty(%T) : tensor<1x3x?x16xf32>
  %g106 = linalg.generic {indexing_maps = [#m1_1, #m1_3, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g88, %g104 : tensor<1x3x?x16xf32>, tensor<1x3x?x1xf32>) outs(%v105 : tensor<1x3x?x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x16xf32>
  %v107 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %g108 = linalg.generic {indexing_maps = [#m1_1, #m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g100, %g102 : tensor<1x3x?x1xf32>, tensor<1x3x?x1xf32>) outs(%v107 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v109 = tensor.empty(%T) : tensor<1x3x?x16xf32>
  %g110 = linalg.generic {indexing_maps = [#m1_1, #m1_3, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g90, %g108 : tensor<1x3x?x16xf32>, tensor<1x3x?x1xf32>) outs(%v109 : tensor<1x3x?x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x16xf32>
  %v111 = tensor.empty(%T) : tensor<1x3x?x16xf32>
  %g112 = linalg.generic {indexing_maps = [#m1_1, #m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g106, %g110 : tensor<1x3x?x16xf32>, tensor<1x3x?x16xf32>) outs(%v111 : tensor<1x3x?x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x16xf32>
  %v113 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %g114 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g102 : tensor<1x3x?x1xf32>) outs(%v113 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.log %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v115 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %g116 = linalg.generic {indexing_maps = [#m1_1, #m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g114, %g92 : tensor<1x3x?x1xf32>, tensor<1x3x?x1xf32>) outs(%v115 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v117 = tensor.empty(%T) : tensor<1x3x?x16xf16>
  %g118 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g112 : tensor<1x3x?x16xf32>) outs(%v117 : tensor<1x3x?x16xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x3x?x16xf16>
  return %g118, %g116 : tensor<1x3x?x16xf16>, tensor<1x3x?x1xf32>
}
