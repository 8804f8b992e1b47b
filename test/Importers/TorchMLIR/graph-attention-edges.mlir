// GATv2 with features of edges: scores are sums of a function of the projections of both nodes and of the
// edge. Loops over keys compute two tiles of the projection, which is the values, too.

// RUN: linalg-ext-check-program %s --keys=16 --targets=cpu --max-buffer-bytes=16500 \
// RUN:   --sizes=21x32,-,-,21x21x4,-,21x21

#m0_0 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#m0_1 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#m0_2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m0_3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m0_4 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#m0_5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#m0_6 = affine_map<(d0, d1, d2) -> (d1, d2)>
#m0_7 = affine_map<(d0, d1, d2) -> (d0, d1)>
#m0_8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @gatv2_edges(%a_h: tensor<?x32xf32>,
    %a_W: tensor<32x32xf32> {check.draw = "uniform -0.3 0.3"},
    %a_We: tensor<32x4xf32> {check.draw = "uniform -0.3 0.3"},
    %a_ed: tensor<?x?x4xf32>,
    %a_a: tensor<2x16xf32>,
    %a_adj: tensor<?x?xi1>) -> (tensor<?x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 2.000000000e-01 : f32
  %c3 = arith.constant -9.000000000e+15 : f32
  %c4 = arith.constant 0 : i64
  %c5 = arith.constant 0xFF800000 : f32
  %N = tensor.dim %a_h, %c0 : tensor<?x32xf32>
  %v1 = tensor.empty() : tensor<32x32xf32>
  %v2 = linalg.transpose ins(%a_W : tensor<32x32xf32>) outs(%v1 : tensor<32x32xf32>) permutation = [1, 0]
  %v3 = tensor.empty(%N) : tensor<?x32xf32>
  %v4 = linalg.fill ins(%c1 : f32) outs(%v3 : tensor<?x32xf32>) -> tensor<?x32xf32>
  %v5 = linalg.matmul ins(%a_h, %v2 : tensor<?x32xf32>, tensor<32x32xf32>) outs(%v4 : tensor<?x32xf32>) -> tensor<?x32xf32>
  %v6 = tensor.empty() : tensor<4x32xf32>
  %v7 = linalg.transpose ins(%a_We : tensor<32x4xf32>) outs(%v6 : tensor<4x32xf32>) permutation = [1, 0]
  %d8 = arith.muli %N, %N : index
  %v9 = tensor.collapse_shape %a_ed [[0, 1], [2]] : tensor<?x?x4xf32> into tensor<?x4xf32>
  %v10 = tensor.empty(%d8) : tensor<?x32xf32>
  %v11 = linalg.fill ins(%c1 : f32) outs(%v10 : tensor<?x32xf32>) -> tensor<?x32xf32>
  %v12 = linalg.matmul ins(%v9, %v7 : tensor<?x4xf32>, tensor<4x32xf32>) outs(%v11 : tensor<?x32xf32>) -> tensor<?x32xf32>
  %v13 = tensor.expand_shape %v12 [[0, 1], [2]] output_shape [%N, %N, 32] : tensor<?x32xf32> into tensor<?x?x32xf32>
  %v14 = tensor.expand_shape %v5 [[0, 1], [2]] output_shape [%N, 1, 32] : tensor<?x32xf32> into tensor<?x1x32xf32>
  %v15 = tensor.expand_shape %v5 [[0, 1], [2]] output_shape [1, %N, 32] : tensor<?x32xf32> into tensor<1x?x32xf32>
  %v16 = tensor.empty(%N, %N) : tensor<?x?x32xf32>
  %g17 = linalg.generic {indexing_maps = [#m0_0, #m0_1, #m0_2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v14, %v15 : tensor<?x1x32xf32>, tensor<1x?x32xf32>) outs(%v16 : tensor<?x?x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x?x32xf32>
  %v18 = tensor.empty(%N, %N) : tensor<?x?x32xf32>
  %g19 = linalg.generic {indexing_maps = [#m0_2, #m0_2, #m0_2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g17, %v13 : tensor<?x?x32xf32>, tensor<?x?x32xf32>) outs(%v18 : tensor<?x?x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x?x32xf32>
  %v20 = tensor.expand_shape %g19 [[0], [1], [2, 3]] output_shape [%N, %N, 2, 16] : tensor<?x?x32xf32> into tensor<?x?x2x16xf32>
  %v21 = tensor.empty(%N, %N) : tensor<?x?x2x16xf32>
  %g22 = linalg.generic {indexing_maps = [#m0_3, #m0_3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v20 : tensor<?x?x2x16xf32>) outs(%v21 : tensor<?x?x2x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %c = arith.cmpf ogt, %in0, %c1 : f32
    %m = arith.mulf %in0, %c2 : f32
    %r = arith.select %c, %in0, %m : f32
    linalg.yield %r : f32
  } -> tensor<?x?x2x16xf32>
  %v23 = tensor.empty(%N, %N) : tensor<?x?x2x16xf32>
  %g24 = linalg.generic {indexing_maps = [#m0_3, #m0_4, #m0_3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g22, %a_a : tensor<?x?x2x16xf32>, tensor<2x16xf32>) outs(%v23 : tensor<?x?x2x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x?x2x16xf32>
  %v25 = tensor.empty(%N, %N) : tensor<?x?x2xf32>
  %v26 = linalg.fill ins(%c1 : f32) outs(%v25 : tensor<?x?x2xf32>) -> tensor<?x?x2xf32>
  %g27 = linalg.generic {indexing_maps = [#m0_3, #m0_5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g24 : tensor<?x?x2x16xf32>) outs(%v26 : tensor<?x?x2xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<?x?x2xf32>
  %v28 = tensor.empty(%N, %N) : tensor<2x?x?xf32>
  %v29 = linalg.transpose ins(%g27 : tensor<?x?x2xf32>) outs(%v28 : tensor<2x?x?xf32>) permutation = [2, 0, 1]
  %v30 = tensor.empty(%N, %N) : tensor<2x?x?xf32>
  %g31 = linalg.generic {indexing_maps = [#m0_6, #m0_2, #m0_2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_adj, %v29 : tensor<?x?xi1>, tensor<2x?x?xf32>) outs(%v30 : tensor<2x?x?xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c3 : f32
    linalg.yield %r : f32
  } -> tensor<2x?x?xf32>
  %v32 = tensor.empty(%N) : tensor<2x?xi64>
  %v33 = linalg.fill ins(%c4 : i64) outs(%v32 : tensor<2x?xi64>) -> tensor<2x?xi64>
  %v34 = tensor.empty(%N) : tensor<2x?xf32>
  %v35 = linalg.fill ins(%c5 : f32) outs(%v34 : tensor<2x?xf32>) -> tensor<2x?xf32>
  %g36:2 = linalg.generic {indexing_maps = [#m0_2, #m0_7, #m0_7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g31 : tensor<2x?x?xf32>) outs(%v35, %v33 : tensor<2x?xf32>, tensor<2x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 2 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x?xf32>, tensor<2x?xi64>)
  %v37 = tensor.expand_shape %g36#0 [[0], [1, 2]] output_shape [2, %N, 1] : tensor<2x?xf32> into tensor<2x?x1xf32>
  %v38 = tensor.empty(%N, %N) : tensor<2x?x?xf32>
  %g39 = linalg.generic {indexing_maps = [#m0_2, #m0_8, #m0_2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g31, %v37 : tensor<2x?x?xf32>, tensor<2x?x1xf32>) outs(%v38 : tensor<2x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x?x?xf32>
  %v40 = tensor.empty(%N, %N) : tensor<2x?x?xf32>
  %g41 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g39 : tensor<2x?x?xf32>) outs(%v40 : tensor<2x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x?x?xf32>
  %v42 = tensor.empty(%N) : tensor<2x?x1xf32>
  %v43 = linalg.fill ins(%c1 : f32) outs(%v42 : tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
  %g44 = linalg.generic {indexing_maps = [#m0_2, #m0_8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g41 : tensor<2x?x?xf32>) outs(%v43 : tensor<2x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x?x1xf32>
  %v45 = tensor.empty(%N, %N) : tensor<2x?x?xf32>
  %g46 = linalg.generic {indexing_maps = [#m0_2, #m0_8, #m0_2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g41, %g44 : tensor<2x?x?xf32>, tensor<2x?x1xf32>) outs(%v45 : tensor<2x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x?x?xf32>
  %v47 = tensor.expand_shape %v5 [[0], [1, 2]] output_shape [%N, 2, 16] : tensor<?x32xf32> into tensor<?x2x16xf32>
  %v48 = tensor.empty(%N) : tensor<2x?x16xf32>
  %v49 = linalg.transpose ins(%v47 : tensor<?x2x16xf32>) outs(%v48 : tensor<2x?x16xf32>) permutation = [1, 0, 2]
  %v50 = tensor.empty(%N) : tensor<2x?x16xf32>
  %v51 = linalg.fill ins(%c1 : f32) outs(%v50 : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  %v52 = linalg.batch_matmul ins(%g46, %v49 : tensor<2x?x?xf32>, tensor<2x?x16xf32>) outs(%v51 : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  %v53 = tensor.empty(%N) : tensor<?x2x16xf32>
  %v54 = linalg.transpose ins(%v52 : tensor<2x?x16xf32>) outs(%v53 : tensor<?x2x16xf32>) permutation = [1, 0, 2]
  %v55 = tensor.collapse_shape %v54 [[0], [1, 2]] : tensor<?x2x16xf32> into tensor<?x32xf32>
  return %v55 : tensor<?x32xf32>
}
