// nn.MultiheadAttention with add_bias_kv and add_zero_attn: a row that is learned and a row of zeros
// behind the keys, with a mask of padding; heads of all sequences are counted together between. A GPU
// repeats the learned rows in front (384 bytes).

// RUN: linalg-ext-check-program %s --keys=16 --max-kernels=3 --max-buffer-bytes=384 \
// RUN:   --sizes=37x2x48,29x2x48,29x2x48,-,-,2x29

#m0_0 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#m0_1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m0_2 = affine_map<(d0, d1) -> (d0, d1)>
#m0_3 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#m0_4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m0_5 = affine_map<(d0, d1, d2) -> (d0, d1)>
#m0_6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @bias_row_zero_row(%a_q: tensor<?x2x48xf32>,
    %a_k: tensor<?x2x48xf32>,
    %a_v: tensor<?x2x48xf32>,
    %a_bk: tensor<1x1x48xf32>,
    %a_bv: tensor<1x1x48xf32>,
    %a_pad: tensor<2x?xi1>) -> (tensor<?x96xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 0.000000000e+00 : f32
  %c3 = arith.constant 0 : i1
  %c4 = arith.constant 2 : index
  %c5 = arith.constant 0xFF800000 : f32
  %c6 = arith.constant 2.500000000e-01 : f64
  %c7 = arith.constant 0 : i64
  %T = tensor.dim %a_q, %c0 : tensor<?x2x48xf32>
  %S = tensor.dim %a_k, %c0 : tensor<?x2x48xf32>
  %v1 = tensor.empty() : tensor<1x2x48xf32>
  %g2 = linalg.generic {indexing_maps = [#m0_0, #m0_1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_bk : tensor<1x1x48xf32>) outs(%v1 : tensor<1x2x48xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<1x2x48xf32>
  %d3 = arith.addi %S, %c1 : index
  %v4 = tensor.concat dim(0) %a_k, %g2 : (tensor<?x2x48xf32>, tensor<1x2x48xf32>) -> tensor<?x2x48xf32>
  %v5 = tensor.empty() : tensor<1x2x48xf32>
  %g6 = linalg.generic {indexing_maps = [#m0_0, #m0_1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_bv : tensor<1x1x48xf32>) outs(%v5 : tensor<1x2x48xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<1x2x48xf32>
  %d7 = arith.addi %S, %c1 : index
  %v8 = tensor.concat dim(0) %a_v, %g6 : (tensor<?x2x48xf32>, tensor<1x2x48xf32>) -> tensor<?x2x48xf32>
  %v9 = tensor.collapse_shape %a_q [[0], [1, 2]] : tensor<?x2x48xf32> into tensor<?x96xf32>
  %v10 = tensor.expand_shape %v9 [[0], [1, 2]] output_shape [%T, 6, 16] : tensor<?x96xf32> into tensor<?x6x16xf32>
  %v11 = tensor.empty(%T) : tensor<6x?x16xf32>
  %v12 = linalg.transpose ins(%v10 : tensor<?x6x16xf32>) outs(%v11 : tensor<6x?x16xf32>) permutation = [1, 0, 2]
  %v13 = tensor.collapse_shape %v4 [[0], [1, 2]] : tensor<?x2x48xf32> into tensor<?x96xf32>
  %v14 = tensor.expand_shape %v13 [[0], [1, 2]] output_shape [%d3, 6, 16] : tensor<?x96xf32> into tensor<?x6x16xf32>
  %v15 = tensor.empty(%d3) : tensor<6x?x16xf32>
  %v16 = linalg.transpose ins(%v14 : tensor<?x6x16xf32>) outs(%v15 : tensor<6x?x16xf32>) permutation = [1, 0, 2]
  %v17 = tensor.collapse_shape %v8 [[0], [1, 2]] : tensor<?x2x48xf32> into tensor<?x96xf32>
  %v18 = tensor.expand_shape %v17 [[0], [1, 2]] output_shape [%d3, 6, 16] : tensor<?x96xf32> into tensor<?x6x16xf32>
  %v19 = tensor.empty(%d3) : tensor<6x?x16xf32>
  %v20 = linalg.transpose ins(%v18 : tensor<?x6x16xf32>) outs(%v19 : tensor<6x?x16xf32>) permutation = [1, 0, 2]
  %v21 = tensor.empty() : tensor<6x1x16xf32>
  %v22 = linalg.fill ins(%c2 : f32) outs(%v21 : tensor<6x1x16xf32>) -> tensor<6x1x16xf32>
  %d23 = arith.addi %d3, %c1 : index
  %v24 = tensor.concat dim(1) %v16, %v22 : (tensor<6x?x16xf32>, tensor<6x1x16xf32>) -> tensor<6x?x16xf32>
  %d25 = arith.addi %d3, %c1 : index
  %v26 = tensor.concat dim(1) %v20, %v22 : (tensor<6x?x16xf32>, tensor<6x1x16xf32>) -> tensor<6x?x16xf32>
  %v27 = tensor.empty() : tensor<2x2xi1>
  %v28 = linalg.fill ins(%c3 : i1) outs(%v27 : tensor<2x2xi1>) -> tensor<2x2xi1>
  %d29 = arith.addi %S, %c4 : index
  %v30 = tensor.concat dim(1) %a_pad, %v28 : (tensor<2x?xi1>, tensor<2x2xi1>) -> tensor<2x?xi1>
  %v31 = tensor.empty(%d29) : tensor<2x?xf32>
  %g32 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel", "parallel"]} ins(%v30 : tensor<2x?xi1>) outs(%v31 : tensor<2x?xf32>) {
  ^bb0(%in0: i1, %out0: f32):
    %r = arith.select %in0, %c5, %c2 : f32
    linalg.yield %r : f32
  } -> tensor<2x?xf32>
  %v33 = tensor.expand_shape %g32 [[0, 1], [2]] output_shape [2, 1, %d29] : tensor<2x?xf32> into tensor<2x1x?xf32>
  %v34 = tensor.expand_shape %v33 [[0, 1], [2], [3]] output_shape [2, 1, 1, %d29] : tensor<2x1x?xf32> into tensor<2x1x1x?xf32>
  %v35 = tensor.empty(%d23) : tensor<2x3x1x?xf32>
  %g36 = linalg.generic {indexing_maps = [#m0_3, #m0_4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v34 : tensor<2x1x1x?xf32>) outs(%v35 : tensor<2x3x1x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<2x3x1x?xf32>
  %v37 = tensor.collapse_shape %g36 [[0, 1], [2], [3]] : tensor<2x3x1x?xf32> into tensor<6x1x?xf32>
  %v38 = tensor.empty(%d23) : tensor<6x16x?xf32>
  %v39 = linalg.transpose ins(%v24 : tensor<6x?x16xf32>) outs(%v38 : tensor<6x16x?xf32>) permutation = [0, 2, 1]
  %v40 = tensor.empty(%T, %d23) : tensor<6x?x?xf32>
  %v41 = linalg.fill ins(%c2 : f32) outs(%v40 : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %v42 = linalg.batch_matmul ins(%v12, %v39 : tensor<6x?x16xf32>, tensor<6x16x?xf32>) outs(%v41 : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %v43 = tensor.empty(%T, %d23) : tensor<6x?x?xf32>
  %g44 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v42 : tensor<6x?x?xf32>) outs(%v43 : tensor<6x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c6 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<6x?x?xf32>
  %v45 = tensor.empty(%T, %d23) : tensor<6x?x?xf32>
  %g46 = linalg.generic {indexing_maps = [#m0_1, #m0_0, #m0_1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g44, %v37 : tensor<6x?x?xf32>, tensor<6x1x?xf32>) outs(%v45 : tensor<6x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<6x?x?xf32>
  %v47 = tensor.empty(%T) : tensor<6x?xi64>
  %v48 = linalg.fill ins(%c7 : i64) outs(%v47 : tensor<6x?xi64>) -> tensor<6x?xi64>
  %v49 = tensor.empty(%T) : tensor<6x?xf32>
  %v50 = linalg.fill ins(%c5 : f32) outs(%v49 : tensor<6x?xf32>) -> tensor<6x?xf32>
  %g51:2 = linalg.generic {indexing_maps = [#m0_1, #m0_5, #m0_5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g46 : tensor<6x?x?xf32>) outs(%v50, %v48 : tensor<6x?xf32>, tensor<6x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 2 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<6x?xf32>, tensor<6x?xi64>)
  %v52 = tensor.expand_shape %g51#0 [[0], [1, 2]] output_shape [6, %T, 1] : tensor<6x?xf32> into tensor<6x?x1xf32>
  %v53 = tensor.empty(%T, %d23) : tensor<6x?x?xf32>
  %g54 = linalg.generic {indexing_maps = [#m0_1, #m0_6, #m0_1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g46, %v52 : tensor<6x?x?xf32>, tensor<6x?x1xf32>) outs(%v53 : tensor<6x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<6x?x?xf32>
  %v55 = tensor.empty(%T, %d23) : tensor<6x?x?xf32>
  %g56 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g54 : tensor<6x?x?xf32>) outs(%v55 : tensor<6x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<6x?x?xf32>
  %v57 = tensor.empty(%T) : tensor<6x?x1xf32>
  %v58 = linalg.fill ins(%c2 : f32) outs(%v57 : tensor<6x?x1xf32>) -> tensor<6x?x1xf32>
  %g59 = linalg.generic {indexing_maps = [#m0_1, #m0_6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g56 : tensor<6x?x?xf32>) outs(%v58 : tensor<6x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<6x?x1xf32>
  %v60 = tensor.empty(%T, %d23) : tensor<6x?x?xf32>
  %g61 = linalg.generic {indexing_maps = [#m0_1, #m0_6, #m0_1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g56, %g59 : tensor<6x?x?xf32>, tensor<6x?x1xf32>) outs(%v60 : tensor<6x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<6x?x?xf32>
  %v62 = tensor.empty(%T) : tensor<6x?x16xf32>
  %v63 = linalg.fill ins(%c2 : f32) outs(%v62 : tensor<6x?x16xf32>) -> tensor<6x?x16xf32>
  %v64 = linalg.batch_matmul ins(%g61, %v26 : tensor<6x?x?xf32>, tensor<6x?x16xf32>) outs(%v63 : tensor<6x?x16xf32>) -> tensor<6x?x16xf32>
  %v65 = tensor.empty(%T) : tensor<?x6x16xf32>
  %v66 = linalg.transpose ins(%v64 : tensor<6x?x16xf32>) outs(%v65 : tensor<?x6x16xf32>) permutation = [1, 0, 2]
  %v67 = tensor.collapse_shape %v66 [[0], [1, 2]] : tensor<?x6x16xf32> into tensor<?x96xf32>
  return %v67 : tensor<?x96xf32>
}
