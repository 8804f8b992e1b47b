// Power attention of degree 2 with gates: sums of rows without a maximum divide the result, and the same
// with two sums that are results. One loop over keys has the products and all sums.

// RUN: linalg-ext-check-program %s --entry=power_attention --keys=16 --max-kernels=1 \
// RUN:   --max-buffer-bytes=2600 --sizes=1x2x37x16,1x2x37x16,1x2x37x16,1x2x37
// RUN: linalg-ext-check-program %s --entry=two_sums --keys=16 --max-kernels=1 \
// RUN:   --max-buffer-bytes=2600 --sizes=1x2x37x16,1x2x45x16,1x2x45x16

#m0_0 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m0_1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m0_2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#m0_3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#m0_4 = affine_map<(d0) -> (d0)>
#m0_5 = affine_map<(d0, d1) -> (0, d1)>
#m0_6 = affine_map<(d0, d1) -> (d0, 0)>
#m0_7 = affine_map<(d0, d1) -> (d0, d1)>
#m0_8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#m1_0 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m1_1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m1_2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#m1_3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @power_attention(%a_q: tensor<1x2x?x16xbf16>,
    %a_k: tensor<1x2x?x16xbf16>,
    %a_v: tensor<1x2x?x16xbf16>,
    %a_g: tensor<1x2x?xf32> {check.draw = "uniform -3 0"}) -> (tensor<1x2x?x16xbf16>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 2.500000000e-01 : f64
  %c3 = arith.constant 0xFF800000 : f32
  %c4 = arith.constant 1.000000000e-06 : f64
  %T = tensor.dim %a_q, %c0 : tensor<1x2x?x16xbf16>
  %v1 = tensor.empty(%T) : tensor<1x2x16x?xbf16>
  %v2 = linalg.transpose ins(%a_k : tensor<1x2x?x16xbf16>) outs(%v1 : tensor<1x2x16x?xbf16>) permutation = [0, 1, 3, 2]
  %v3 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<1x2x?x16xbf16> into tensor<2x?x16xbf16>
  %v4 = tensor.collapse_shape %v2 [[0, 1], [2], [3]] : tensor<1x2x16x?xbf16> into tensor<2x16x?xbf16>
  %v5 = tensor.empty(%T, %T) : tensor<2x?x?xf32>
  %v6 = linalg.fill ins(%c1 : f32) outs(%v5 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %v7 = linalg.batch_matmul ins(%v3, %v4 : tensor<2x?x16xbf16>, tensor<2x16x?xbf16>) outs(%v6 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %v8 = tensor.empty(%T, %T) : tensor<2x?x?xbf16>
  %g9 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v7 : tensor<2x?x?xf32>) outs(%v8 : tensor<2x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x?x?xbf16>
  %v10 = tensor.expand_shape %g9 [[0, 1], [2], [3]] output_shape [1, 2, %T, %T] : tensor<2x?x?xbf16> into tensor<1x2x?x?xbf16>
  %v11 = tensor.empty(%T, %T) : tensor<1x2x?x?xf32>
  %g12 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v10 : tensor<1x2x?x?xbf16>) outs(%v11 : tensor<1x2x?x?xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %v13 = tensor.empty(%T, %T) : tensor<1x2x?x?xf32>
  %g14 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g12 : tensor<1x2x?x?xf32>) outs(%v13 : tensor<1x2x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %v15 = tensor.empty(%T, %T) : tensor<1x2x?x?xf32>
  %g16 = linalg.generic {indexing_maps = [#m0_1, #m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g14, %g14 : tensor<1x2x?x?xf32>, tensor<1x2x?x?xf32>) outs(%v15 : tensor<1x2x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %v17 = tensor.expand_shape %a_g [[0], [1], [2, 3]] output_shape [1, 2, %T, 1] : tensor<1x2x?xf32> into tensor<1x2x?x1xf32>
  %v18 = tensor.expand_shape %a_g [[0], [1, 2], [3]] output_shape [1, 2, 1, %T] : tensor<1x2x?xf32> into tensor<1x2x1x?xf32>
  %v19 = tensor.empty(%T, %T) : tensor<1x2x?x?xf32>
  %g20 = linalg.generic {indexing_maps = [#m0_2, #m0_3, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v17, %v18 : tensor<1x2x?x1xf32>, tensor<1x2x1x?xf32>) outs(%v19 : tensor<1x2x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %v21 = tensor.empty(%T) : tensor<?xi64>
  %g22 = linalg.generic {indexing_maps = [#m0_4], iterator_types = ["parallel"]} outs(%v21 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v23 = tensor.expand_shape %g22 [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v24 = tensor.empty(%T) : tensor<?xi64>
  %g25 = linalg.generic {indexing_maps = [#m0_4], iterator_types = ["parallel"]} outs(%v24 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v26 = tensor.expand_shape %g25 [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v27 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g28 = linalg.generic {indexing_maps = [#m0_5, #m0_6, #m0_7], iterator_types = ["parallel", "parallel"]} ins(%v26, %v23 : tensor<1x?xi64>, tensor<?x1xi64>) outs(%v27 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v29 = tensor.empty(%T, %T) : tensor<1x2x?x?xf32>
  %g30 = linalg.generic {indexing_maps = [#m0_8, #m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g28, %g20 : tensor<?x?xi1>, tensor<1x2x?x?xf32>) outs(%v29 : tensor<1x2x?x?xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c3 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %v31 = tensor.empty(%T, %T) : tensor<1x2x?x?xf32>
  %g32 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g30 : tensor<1x2x?x?xf32>) outs(%v31 : tensor<1x2x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %v33 = tensor.empty(%T, %T) : tensor<1x2x?x?xf32>
  %g34 = linalg.generic {indexing_maps = [#m0_1, #m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g16, %g32 : tensor<1x2x?x?xf32>, tensor<1x2x?x?xf32>) outs(%v33 : tensor<1x2x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %v35 = tensor.empty(%T) : tensor<1x2x?x1xf32>
  %v36 = linalg.fill ins(%c1 : f32) outs(%v35 : tensor<1x2x?x1xf32>) -> tensor<1x2x?x1xf32>
  %g37 = linalg.generic {indexing_maps = [#m0_1, #m0_2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g34 : tensor<1x2x?x?xf32>) outs(%v36 : tensor<1x2x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x1xf32>
  %v38 = tensor.empty(%T, %T) : tensor<1x2x?x?xbf16>
  %g39 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g34 : tensor<1x2x?x?xf32>) outs(%v38 : tensor<1x2x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x2x?x?xbf16>
  %v40 = tensor.collapse_shape %g39 [[0, 1], [2], [3]] : tensor<1x2x?x?xbf16> into tensor<2x?x?xbf16>
  %v41 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x2x?x16xbf16> into tensor<2x?x16xbf16>
  %v42 = tensor.empty(%T) : tensor<2x?x16xf32>
  %v43 = linalg.fill ins(%c1 : f32) outs(%v42 : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  %v44 = linalg.batch_matmul ins(%v40, %v41 : tensor<2x?x?xbf16>, tensor<2x?x16xbf16>) outs(%v43 : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  %v45 = tensor.empty(%T) : tensor<2x?x16xbf16>
  %g46 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v44 : tensor<2x?x16xf32>) outs(%v45 : tensor<2x?x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x?x16xbf16>
  %v47 = tensor.expand_shape %g46 [[0, 1], [2], [3]] output_shape [1, 2, %T, 16] : tensor<2x?x16xbf16> into tensor<1x2x?x16xbf16>
  %v48 = tensor.empty(%T) : tensor<1x2x?x16xf32>
  %g49 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v47 : tensor<1x2x?x16xbf16>) outs(%v48 : tensor<1x2x?x16xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x16xf32>
  %v50 = tensor.empty(%T) : tensor<1x2x?x1xf32>
  %g51 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g37 : tensor<1x2x?x1xf32>) outs(%v50 : tensor<1x2x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c4 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x1xf32>
  %v52 = tensor.empty(%T) : tensor<1x2x?x16xf32>
  %g53 = linalg.generic {indexing_maps = [#m0_1, #m0_2, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g49, %g51 : tensor<1x2x?x16xf32>, tensor<1x2x?x1xf32>) outs(%v52 : tensor<1x2x?x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x16xf32>
  %v54 = tensor.empty(%T) : tensor<1x2x?x16xbf16>
  %g55 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g53 : tensor<1x2x?x16xf32>) outs(%v54 : tensor<1x2x?x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x2x?x16xbf16>
  return %g55 : tensor<1x2x?x16xbf16>
}

func.func @two_sums(%a_q: tensor<1x2x?x16xbf16>,
    %a_k: tensor<1x2x?x16xbf16>,
    %a_v: tensor<1x2x?x16xbf16>) -> (tensor<1x2x?x16xf32>, tensor<1x2x?xf32>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 2.500000000e-01 : f64
  %c3 = arith.constant 1.000000000e+00 : f64
  %T = tensor.dim %a_q, %c0 : tensor<1x2x?x16xbf16>
  %S = tensor.dim %a_k, %c0 : tensor<1x2x?x16xbf16>
  %v1 = tensor.empty(%S) : tensor<1x2x16x?xbf16>
  %v2 = linalg.transpose ins(%a_k : tensor<1x2x?x16xbf16>) outs(%v1 : tensor<1x2x16x?xbf16>) permutation = [0, 1, 3, 2]
  %v3 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<1x2x?x16xbf16> into tensor<2x?x16xbf16>
  %v4 = tensor.collapse_shape %v2 [[0, 1], [2], [3]] : tensor<1x2x16x?xbf16> into tensor<2x16x?xbf16>
  %v5 = tensor.empty(%T, %S) : tensor<2x?x?xf32>
  %v6 = linalg.fill ins(%c1 : f32) outs(%v5 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %v7 = linalg.batch_matmul ins(%v3, %v4 : tensor<2x?x16xbf16>, tensor<2x16x?xbf16>) outs(%v6 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %v8 = tensor.empty(%T, %S) : tensor<2x?x?xbf16>
  %g9 = linalg.generic {indexing_maps = [#m1_0, #m1_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v7 : tensor<2x?x?xf32>) outs(%v8 : tensor<2x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x?x?xbf16>
  %v10 = tensor.expand_shape %g9 [[0, 1], [2], [3]] output_shape [1, 2, %T, %S] : tensor<2x?x?xbf16> into tensor<1x2x?x?xbf16>
  %v11 = tensor.empty(%T, %S) : tensor<1x2x?x?xf32>
  %g12 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v10 : tensor<1x2x?x?xbf16>) outs(%v11 : tensor<1x2x?x?xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %v13 = tensor.empty(%T, %S) : tensor<1x2x?x?xf32>
  %g14 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g12 : tensor<1x2x?x?xf32>) outs(%v13 : tensor<1x2x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %v15 = tensor.empty(%T, %S) : tensor<1x2x?x?xf32>
  %g16 = linalg.generic {indexing_maps = [#m1_1, #m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g14, %g14 : tensor<1x2x?x?xf32>, tensor<1x2x?x?xf32>) outs(%v15 : tensor<1x2x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %v17 = tensor.empty(%T, %S) : tensor<1x2x?x?xbf16>
  %g18 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g16 : tensor<1x2x?x?xf32>) outs(%v17 : tensor<1x2x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x2x?x?xbf16>
  %v19 = tensor.collapse_shape %g18 [[0, 1], [2], [3]] : tensor<1x2x?x?xbf16> into tensor<2x?x?xbf16>
  %v20 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x2x?x16xbf16> into tensor<2x?x16xbf16>
  %v21 = tensor.empty(%T) : tensor<2x?x16xf32>
  %v22 = linalg.fill ins(%c1 : f32) outs(%v21 : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  %v23 = linalg.batch_matmul ins(%v19, %v20 : tensor<2x?x?xbf16>, tensor<2x?x16xbf16>) outs(%v22 : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  %v24 = tensor.empty(%T) : tensor<2x?x16xbf16>
  %g25 = linalg.generic {indexing_maps = [#m1_0, #m1_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v23 : tensor<2x?x16xf32>) outs(%v24 : tensor<2x?x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x?x16xbf16>
  %v26 = tensor.expand_shape %g25 [[0, 1], [2], [3]] output_shape [1, 2, %T, 16] : tensor<2x?x16xbf16> into tensor<1x2x?x16xbf16>
  %v27 = tensor.empty(%T) : tensor<1x2x?x16xf32>
  %g28 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v26 : tensor<1x2x?x16xbf16>) outs(%v27 : tensor<1x2x?x16xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x16xf32>
  %v29 = tensor.empty(%T) : tensor<1x2x?x1xf32>
  %v30 = linalg.fill ins(%c1 : f32) outs(%v29 : tensor<1x2x?x1xf32>) -> tensor<1x2x?x1xf32>
  %g31 = linalg.generic {indexing_maps = [#m1_1, #m1_2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g16 : tensor<1x2x?x?xf32>) outs(%v30 : tensor<1x2x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x1xf32>
  %v32 = tensor.empty(%T) : tensor<1x2x?x1xf32>
  %g33 = linalg.generic {indexing_maps = [#m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g31 : tensor<1x2x?x1xf32>) outs(%v32 : tensor<1x2x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c3 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x1xf32>
  %v34 = tensor.empty(%T) : tensor<1x2x?x16xf32>
  %g35 = linalg.generic {indexing_maps = [#m1_1, #m1_2, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g28, %g33 : tensor<1x2x?x16xf32>, tensor<1x2x?x1xf32>) outs(%v34 : tensor<1x2x?x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x16xf32>
  %v36 = tensor.empty(%T, %S) : tensor<1x2x?x?xf32>
  %g37 = linalg.generic {indexing_maps = [#m1_1, #m1_1, #m1_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g16, %g16 : tensor<1x2x?x?xf32>, tensor<1x2x?x?xf32>) outs(%v36 : tensor<1x2x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?x?xf32>
  %v38 = tensor.empty(%T) : tensor<1x2x?xf32>
  %v39 = linalg.fill ins(%c1 : f32) outs(%v38 : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
  %g40 = linalg.generic {indexing_maps = [#m1_1, #m1_3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g37 : tensor<1x2x?x?xf32>) outs(%v39 : tensor<1x2x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x2x?xf32>
  return %g35, %g40 : tensor<1x2x?x16xf32>, tensor<1x2x?xf32>
}
