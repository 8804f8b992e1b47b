// Pairs of the last columns of queries are rotated in f32, as DeepSeek V4 does: they are extended as a
// whole, and read by halves.

// RUN: linalg-ext-check-program %s --keys=16 --max-kernels=1 --max-buffer-bytes=1500 \
// RUN:   --sizes=1x4x37x32,1x4x37x32,1x4x37x32,37x8,37x8

#m0_0 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#m0_1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m0_2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m0_3 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#m0_4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#m0_5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @rotation_in_f32(%a_q: tensor<1x4x?x32xf16> {check.draw = "uniform -0.5 0.5"},
    %a_k: tensor<1x4x?x32xf16> {check.draw = "uniform -0.5 0.5"},
    %a_v: tensor<1x4x?x32xf16>,
    %a_cos: tensor<?x8xf32>,
    %a_sin: tensor<?x8xf32>) -> (tensor<1x4x?x32xf16>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 1.767700000e-01 : f64
  %c3 = arith.constant 0 : i64
  %c4 = arith.constant 0xFF800000 : f32
  %T = tensor.dim %a_q, %c0 : tensor<1x4x?x32xf16>
  %v1 = tensor.expand_shape %a_cos [[0], [1, 2]] output_shape [%T, 8, 1] : tensor<?x8xf32> into tensor<?x8x1xf32>
  %v2 = tensor.empty(%T) : tensor<?x8x2xf32>
  %g3 = linalg.generic {indexing_maps = [#m0_0, #m0_1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v1 : tensor<?x8x1xf32>) outs(%v2 : tensor<?x8x2xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<?x8x2xf32>
  %v4 = tensor.collapse_shape %g3 [[0], [1, 2]] : tensor<?x8x2xf32> into tensor<?x16xf32>
  %v5 = tensor.expand_shape %a_sin [[0], [1, 2]] output_shape [%T, 8, 1] : tensor<?x8xf32> into tensor<?x8x1xf32>
  %v6 = tensor.empty(%T) : tensor<?x8x2xf32>
  %g7 = linalg.generic {indexing_maps = [#m0_0, #m0_1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v5 : tensor<?x8x1xf32>) outs(%v6 : tensor<?x8x2xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<?x8x2xf32>
  %v8 = tensor.collapse_shape %g7 [[0], [1, 2]] : tensor<?x8x2xf32> into tensor<?x16xf32>
  %v9 = tensor.extract_slice %a_q[0, 0, 0, 0] [1, 4, %T, 16] [1, 1, 1, 1] : tensor<1x4x?x32xf16> to tensor<1x4x?x16xf16>
  %v10 = tensor.extract_slice %a_q[0, 0, 0, 16] [1, 4, %T, 16] [1, 1, 1, 1] : tensor<1x4x?x32xf16> to tensor<1x4x?x16xf16>
  %v11 = tensor.empty(%T) : tensor<1x4x?x16xf32>
  %g12 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v10 : tensor<1x4x?x16xf16>) outs(%v11 : tensor<1x4x?x16xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x16xf32>
  %v13 = tensor.extract_slice %g12[0, 0, 0, 0] [1, 4, %T, 8] [1, 1, 1, 2] : tensor<1x4x?x16xf32> to tensor<1x4x?x8xf32>
  %v14 = tensor.extract_slice %g12[0, 0, 0, 1] [1, 4, %T, 8] [1, 1, 1, 2] : tensor<1x4x?x16xf32> to tensor<1x4x?x8xf32>
  %v15 = tensor.empty(%T) : tensor<1x4x?x8xf32>
  %g16 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v14 : tensor<1x4x?x8xf32>) outs(%v15 : tensor<1x4x?x8xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.negf %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x8xf32>
  %v17 = tensor.expand_shape %g16 [[0], [1], [2], [3, 4]] output_shape [1, 4, %T, 8, 1] : tensor<1x4x?x8xf32> into tensor<1x4x?x8x1xf32>
  %v18 = tensor.expand_shape %v13 [[0], [1], [2], [3, 4]] output_shape [1, 4, %T, 8, 1] : tensor<1x4x?x8xf32> into tensor<1x4x?x8x1xf32>
  %v19 = tensor.concat dim(4) %v17, %v18 : (tensor<1x4x?x8x1xf32>, tensor<1x4x?x8x1xf32>) -> tensor<1x4x?x8x2xf32>
  %v20 = tensor.collapse_shape %v19 [[0], [1], [2], [3, 4]] : tensor<1x4x?x8x2xf32> into tensor<1x4x?x16xf32>
  %v21 = tensor.empty(%T) : tensor<1x4x?x16xf32>
  %g22 = linalg.generic {indexing_maps = [#m0_2, #m0_3, #m0_2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g12, %v4 : tensor<1x4x?x16xf32>, tensor<?x16xf32>) outs(%v21 : tensor<1x4x?x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x16xf32>
  %v23 = tensor.empty(%T) : tensor<1x4x?x16xf32>
  %g24 = linalg.generic {indexing_maps = [#m0_2, #m0_3, #m0_2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v20, %v8 : tensor<1x4x?x16xf32>, tensor<?x16xf32>) outs(%v23 : tensor<1x4x?x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x16xf32>
  %v25 = tensor.empty(%T) : tensor<1x4x?x16xf32>
  %g26 = linalg.generic {indexing_maps = [#m0_2, #m0_2, #m0_2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g22, %g24 : tensor<1x4x?x16xf32>, tensor<1x4x?x16xf32>) outs(%v25 : tensor<1x4x?x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x16xf32>
  %v27 = tensor.empty(%T) : tensor<1x4x?x16xf16>
  %g28 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g26 : tensor<1x4x?x16xf32>) outs(%v27 : tensor<1x4x?x16xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x4x?x16xf16>
  %v29 = tensor.concat dim(3) %v9, %g28 : (tensor<1x4x?x16xf16>, tensor<1x4x?x16xf16>) -> tensor<1x4x?x32xf16>
  %v30 = tensor.empty(%T) : tensor<1x4x32x?xf16>
  %v31 = linalg.transpose ins(%a_k : tensor<1x4x?x32xf16>) outs(%v30 : tensor<1x4x32x?xf16>) permutation = [0, 1, 3, 2]
  %v32 = tensor.collapse_shape %v29 [[0, 1], [2], [3]] : tensor<1x4x?x32xf16> into tensor<4x?x32xf16>
  %v33 = tensor.collapse_shape %v31 [[0, 1], [2], [3]] : tensor<1x4x32x?xf16> into tensor<4x32x?xf16>
  %v34 = tensor.empty(%T, %T) : tensor<4x?x?xf32>
  %v35 = linalg.fill ins(%c1 : f32) outs(%v34 : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %v36 = linalg.batch_matmul ins(%v32, %v33 : tensor<4x?x32xf16>, tensor<4x32x?xf16>) outs(%v35 : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %v37 = tensor.empty(%T, %T) : tensor<4x?x?xf16>
  %g38 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v36 : tensor<4x?x?xf32>) outs(%v37 : tensor<4x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<4x?x?xf16>
  %v39 = tensor.expand_shape %g38 [[0, 1], [2], [3]] output_shape [1, 4, %T, %T] : tensor<4x?x?xf16> into tensor<1x4x?x?xf16>
  %v40 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g41 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v39 : tensor<1x4x?x?xf16>) outs(%v40 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v42 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g43 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g41 : tensor<1x4x?x?xf32>) outs(%v42 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v44 = tensor.empty(%T) : tensor<1x4x?xi64>
  %v45 = linalg.fill ins(%c3 : i64) outs(%v44 : tensor<1x4x?xi64>) -> tensor<1x4x?xi64>
  %v46 = tensor.empty(%T) : tensor<1x4x?xf32>
  %v47 = linalg.fill ins(%c4 : f32) outs(%v46 : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %g48:2 = linalg.generic {indexing_maps = [#m0_2, #m0_4, #m0_4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g43 : tensor<1x4x?x?xf32>) outs(%v47, %v45 : tensor<1x4x?xf32>, tensor<1x4x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x4x?xf32>, tensor<1x4x?xi64>)
  %v49 = tensor.expand_shape %g48#0 [[0], [1], [2, 3]] output_shape [1, 4, %T, 1] : tensor<1x4x?xf32> into tensor<1x4x?x1xf32>
  %v50 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g51 = linalg.generic {indexing_maps = [#m0_2, #m0_5, #m0_2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g43, %v49 : tensor<1x4x?x?xf32>, tensor<1x4x?x1xf32>) outs(%v50 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v52 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g53 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g51 : tensor<1x4x?x?xf32>) outs(%v52 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v54 = tensor.empty(%T) : tensor<1x4x?x1xf32>
  %v55 = linalg.fill ins(%c1 : f32) outs(%v54 : tensor<1x4x?x1xf32>) -> tensor<1x4x?x1xf32>
  %g56 = linalg.generic {indexing_maps = [#m0_2, #m0_5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g53 : tensor<1x4x?x?xf32>) outs(%v55 : tensor<1x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x1xf32>
  %v57 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g58 = linalg.generic {indexing_maps = [#m0_2, #m0_5, #m0_2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g53, %g56 : tensor<1x4x?x?xf32>, tensor<1x4x?x1xf32>) outs(%v57 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v59 = tensor.empty(%T, %T) : tensor<1x4x?x?xf16>
  %g60 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g58 : tensor<1x4x?x?xf32>) outs(%v59 : tensor<1x4x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x4x?x?xf16>
  %v61 = tensor.collapse_shape %g60 [[0, 1], [2], [3]] : tensor<1x4x?x?xf16> into tensor<4x?x?xf16>
  %v62 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x4x?x32xf16> into tensor<4x?x32xf16>
  %v63 = tensor.empty(%T) : tensor<4x?x32xf32>
  %v64 = linalg.fill ins(%c1 : f32) outs(%v63 : tensor<4x?x32xf32>) -> tensor<4x?x32xf32>
  %v65 = linalg.batch_matmul ins(%v61, %v62 : tensor<4x?x?xf16>, tensor<4x?x32xf16>) outs(%v64 : tensor<4x?x32xf32>) -> tensor<4x?x32xf32>
  %v66 = tensor.empty(%T) : tensor<4x?x32xf16>
  %g67 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v65 : tensor<4x?x32xf32>) outs(%v66 : tensor<4x?x32xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<4x?x32xf16>
  %v68 = tensor.expand_shape %g67 [[0, 1], [2], [3]] output_shape [1, 4, %T, 32] : tensor<4x?x32xf16> into tensor<1x4x?x32xf16>
  return %v68 : tensor<1x4x?x32xf16>
}
