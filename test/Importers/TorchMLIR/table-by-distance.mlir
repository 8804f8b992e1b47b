// The bias of a score is an element of a table, by the distance of its positions: of positions that
// are counted, as flex_attention writes it, with documents, and of positions that are an argument. What
// says which element it is has the size of the scores, and is computed where it is needed.

// RUN: linalg-ext-check-program %s --entry=table_and_documents --keys=16 --max-kernels=1 \
// RUN:   --max-buffer-bytes=2500 --sizes=2x3x37x16,2x3x37x16,2x3x37x16,-,37
// RUN: linalg-ext-check-program %s --entry=buckets_of_positions --keys=16 --max-kernels=1 \
// RUN:   --max-buffer-bytes=2500 --sizes=1x3x37x16,1x3x37x16,1x3x37x16,-,37

#m0_0 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m0_1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m0_2 = affine_map<(d0) -> (d0)>
#m0_3 = affine_map<(d0, d1) -> (d0, 0)>
#m0_4 = affine_map<(d0, d1) -> (0, d1)>
#m0_5 = affine_map<(d0, d1) -> (d0, d1)>
#m0_6 = affine_map<(d0, d1, d2) -> (d1, d2)>
#m0_7 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#m0_8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#m0_9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#m0_10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @table_and_documents(%a_q: tensor<2x3x?x16xf16>,
    %a_k: tensor<2x3x?x16xf16>,
    %a_v: tensor<2x3x?x16xf16>,
    %a_table: tensor<3x65xf32>,
    %a_doc: tensor<?xi64> {check.draw = "uniform 0 2"}) -> (tensor<2x3x?x16xf16>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 2.500000000e-01 : f64
  %c3 = arith.constant 0xFF800000 : f32
  %c4 = arith.constant 0 : i64
  %T = tensor.dim %a_q, %c0 : tensor<2x3x?x16xf16>
  %v1 = tensor.empty(%T) : tensor<2x3x16x?xf16>
  %v2 = linalg.transpose ins(%a_k : tensor<2x3x?x16xf16>) outs(%v1 : tensor<2x3x16x?xf16>) permutation = [0, 1, 3, 2]
  %v3 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<2x3x?x16xf16> into tensor<6x?x16xf16>
  %v4 = tensor.collapse_shape %v2 [[0, 1], [2], [3]] : tensor<2x3x16x?xf16> into tensor<6x16x?xf16>
  %v5 = tensor.empty(%T, %T) : tensor<6x?x?xf32>
  %v6 = linalg.fill ins(%c1 : f32) outs(%v5 : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %v7 = linalg.batch_matmul ins(%v3, %v4 : tensor<6x?x16xf16>, tensor<6x16x?xf16>) outs(%v6 : tensor<6x?x?xf32>) -> tensor<6x?x?xf32>
  %v8 = tensor.empty(%T, %T) : tensor<6x?x?xf16>
  %g9 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v7 : tensor<6x?x?xf32>) outs(%v8 : tensor<6x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<6x?x?xf16>
  %v10 = tensor.expand_shape %g9 [[0, 1], [2], [3]] output_shape [2, 3, %T, %T] : tensor<6x?x?xf16> into tensor<2x3x?x?xf16>
  %v11 = tensor.empty(%T, %T) : tensor<2x3x?x?xf16>
  %g12 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v10 : tensor<2x3x?x?xf16>) outs(%v11 : tensor<2x3x?x?xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %x = arith.truncf %c2 : f64 to f16
    %r = arith.mulf %in0, %x : f16
    linalg.yield %r : f16
  } -> tensor<2x3x?x?xf16>
  %v13 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g14 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g12 : tensor<2x3x?x?xf16>) outs(%v13 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v15 = tensor.empty(%T) : tensor<?xi64>
  %g16 = linalg.generic {indexing_maps = [#m0_2], iterator_types = ["parallel"]} outs(%v15 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v17 = tensor.empty(%T) : tensor<?xi64>
  %g18 = linalg.generic {indexing_maps = [#m0_2], iterator_types = ["parallel"]} outs(%v17 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v19 = tensor.expand_shape %g16 [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v20 = tensor.expand_shape %g18 [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v21 = tensor.empty(%T, %T) : tensor<?x?xi64>
  %g22 = linalg.generic {indexing_maps = [#m0_3, #m0_4, #m0_5], iterator_types = ["parallel", "parallel"]} ins(%v19, %v20 : tensor<?x1xi64>, tensor<1x?xi64>) outs(%v21 : tensor<?x?xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %r = arith.subi %in0, %in1 : i64
    linalg.yield %r : i64
  } -> tensor<?x?xi64>
  %v23 = tensor.empty(%T, %T) : tensor<?x?xi64>
  %g24 = linalg.generic {indexing_maps = [#m0_5, #m0_5], iterator_types = ["parallel", "parallel"]} ins(%g22 : tensor<?x?xi64>) outs(%v23 : tensor<?x?xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %a = arith.constant -32 : i64
    %b = arith.constant 32 : i64
    %x = arith.maxsi %in0, %a : i64
    %y = arith.minsi %x, %b : i64
    %r = arith.addi %y, %b : i64
    linalg.yield %r : i64
  } -> tensor<?x?xi64>
  %v25 = tensor.empty(%T, %T) : tensor<3x?x?xf32>
  %g26 = linalg.generic {indexing_maps = [#m0_6, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g24 : tensor<?x?xi64>) outs(%v25 : tensor<3x?x?xf32>) {
  ^bb0(%in0: i64, %out0: f32):
    %h = linalg.index 0 : index
    %i = arith.index_cast %in0 : i64 to index
    %r = tensor.extract %a_table[%h, %i] : tensor<3x65xf32>
    linalg.yield %r : f32
  } -> tensor<3x?x?xf32>
  %v27 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g28 = linalg.generic {indexing_maps = [#m0_1, #m0_7, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g14, %g26 : tensor<2x3x?x?xf32>, tensor<3x?x?xf32>) outs(%v27 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v29 = tensor.expand_shape %a_doc [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v30 = tensor.expand_shape %a_doc [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v31 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g32 = linalg.generic {indexing_maps = [#m0_3, #m0_4, #m0_5], iterator_types = ["parallel", "parallel"]} ins(%v29, %v30 : tensor<?x1xi64>, tensor<1x?xi64>) outs(%v31 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi eq, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v33 = tensor.expand_shape %g16 [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v34 = tensor.expand_shape %g18 [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v35 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g36 = linalg.generic {indexing_maps = [#m0_3, #m0_4, #m0_5], iterator_types = ["parallel", "parallel"]} ins(%v33, %v34 : tensor<?x1xi64>, tensor<1x?xi64>) outs(%v35 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v37 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g38 = linalg.generic {indexing_maps = [#m0_5, #m0_5, #m0_5], iterator_types = ["parallel", "parallel"]} ins(%g32, %g36 : tensor<?x?xi1>, tensor<?x?xi1>) outs(%v37 : tensor<?x?xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v39 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g40 = linalg.generic {indexing_maps = [#m0_8, #m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g38, %g28 : tensor<?x?xi1>, tensor<2x3x?x?xf32>) outs(%v39 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c3 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v41 = tensor.empty(%T) : tensor<2x3x?xi64>
  %v42 = linalg.fill ins(%c4 : i64) outs(%v41 : tensor<2x3x?xi64>) -> tensor<2x3x?xi64>
  %v43 = tensor.empty(%T) : tensor<2x3x?xf32>
  %v44 = linalg.fill ins(%c3 : f32) outs(%v43 : tensor<2x3x?xf32>) -> tensor<2x3x?xf32>
  %g45:2 = linalg.generic {indexing_maps = [#m0_1, #m0_9, #m0_9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g40 : tensor<2x3x?x?xf32>) outs(%v44, %v42 : tensor<2x3x?xf32>, tensor<2x3x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x3x?xf32>, tensor<2x3x?xi64>)
  %v46 = tensor.expand_shape %g45#0 [[0], [1], [2, 3]] output_shape [2, 3, %T, 1] : tensor<2x3x?xf32> into tensor<2x3x?x1xf32>
  %v47 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g48 = linalg.generic {indexing_maps = [#m0_1, #m0_10, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g40, %v46 : tensor<2x3x?x?xf32>, tensor<2x3x?x1xf32>) outs(%v47 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v49 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g50 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g48 : tensor<2x3x?x?xf32>) outs(%v49 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v51 = tensor.empty(%T) : tensor<2x3x?x1xf32>
  %v52 = linalg.fill ins(%c1 : f32) outs(%v51 : tensor<2x3x?x1xf32>) -> tensor<2x3x?x1xf32>
  %g53 = linalg.generic {indexing_maps = [#m0_1, #m0_10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g50 : tensor<2x3x?x?xf32>) outs(%v52 : tensor<2x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x1xf32>
  %v54 = tensor.empty(%T, %T) : tensor<2x3x?x?xf32>
  %g55 = linalg.generic {indexing_maps = [#m0_1, #m0_10, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g50, %g53 : tensor<2x3x?x?xf32>, tensor<2x3x?x1xf32>) outs(%v54 : tensor<2x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x?x?xf32>
  %v56 = tensor.empty(%T, %T) : tensor<2x3x?x?xf16>
  %g57 = linalg.generic {indexing_maps = [#m0_1, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g55 : tensor<2x3x?x?xf32>) outs(%v56 : tensor<2x3x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x3x?x?xf16>
  %v58 = tensor.collapse_shape %g57 [[0, 1], [2], [3]] : tensor<2x3x?x?xf16> into tensor<6x?x?xf16>
  %v59 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<2x3x?x16xf16> into tensor<6x?x16xf16>
  %v60 = tensor.empty(%T) : tensor<6x?x16xf32>
  %v61 = linalg.fill ins(%c1 : f32) outs(%v60 : tensor<6x?x16xf32>) -> tensor<6x?x16xf32>
  %v62 = linalg.batch_matmul ins(%v58, %v59 : tensor<6x?x?xf16>, tensor<6x?x16xf16>) outs(%v61 : tensor<6x?x16xf32>) -> tensor<6x?x16xf32>
  %v63 = tensor.empty(%T) : tensor<6x?x16xf16>
  %g64 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v62 : tensor<6x?x16xf32>) outs(%v63 : tensor<6x?x16xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<6x?x16xf16>
  %v65 = tensor.expand_shape %g64 [[0, 1], [2], [3]] output_shape [2, 3, %T, 16] : tensor<6x?x16xf16> into tensor<2x3x?x16xf16>
  return %v65 : tensor<2x3x?x16xf16>
}

#m1_0 = affine_map<(d0, d1) -> (0, d1)>
#m1_1 = affine_map<(d0, d1) -> (d0, 0)>
#m1_2 = affine_map<(d0, d1) -> (d0, d1)>
#m1_3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m1_4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m1_5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#m1_6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#m1_7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @buckets_of_positions(%a_q: tensor<1x3x?x16xf16>,
    %a_k: tensor<1x3x?x16xf16>,
    %a_v: tensor<1x3x?x16xf16>,
    %a_table: tensor<3x32xf32>,
    %a_pos: tensor<?xi64> {check.draw = "uniform 0 60"}) -> (tensor<1x3x?x16xf16>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 0 : i64
  %c3 = arith.constant 0xFF800000 : f32
  %T = tensor.dim %a_q, %c0 : tensor<1x3x?x16xf16>
  %v1 = tensor.expand_shape %a_pos [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v2 = tensor.expand_shape %a_pos [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v3 = tensor.empty(%T, %T) : tensor<?x?xi64>
  %g4 = linalg.generic {indexing_maps = [#m1_0, #m1_1, #m1_2], iterator_types = ["parallel", "parallel"]} ins(%v1, %v2 : tensor<1x?xi64>, tensor<?x1xi64>) outs(%v3 : tensor<?x?xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %r = arith.subi %in0, %in1 : i64
    linalg.yield %r : i64
  } -> tensor<?x?xi64>
  %v5 = tensor.empty(%T, %T) : tensor<?x?xi64>
  %g6 = linalg.generic {indexing_maps = [#m1_2, #m1_2], iterator_types = ["parallel", "parallel"]} ins(%g4 : tensor<?x?xi64>) outs(%v5 : tensor<?x?xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %z = arith.constant 0 : i64
    %n = arith.subi %z, %in0 : i64
    %r = arith.maxsi %n, %z : i64
    linalg.yield %r : i64
  } -> tensor<?x?xi64>
  %v7 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g8 = linalg.generic {indexing_maps = [#m1_2, #m1_2], iterator_types = ["parallel", "parallel"]} ins(%g6 : tensor<?x?xi64>) outs(%v7 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %out0: i1):
    %c = arith.constant 16 : i64
    %r = arith.cmpi slt, %in0, %c : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v9 = tensor.empty(%T, %T) : tensor<?x?xi64>
  %g10 = linalg.generic {indexing_maps = [#m1_2, #m1_2], iterator_types = ["parallel", "parallel"]} ins(%g6 : tensor<?x?xi64>) outs(%v9 : tensor<?x?xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %x = arith.sitofp %in0 : i64 to f32
    %o = arith.constant 1.0 : f32
    %y = arith.addf %x, %o : f32
    %l = math.log %y : f32
    %c = arith.constant 4.0 : f32
    %a = arith.mulf %l, %c : f32
    %i = arith.fptosi %a : f32 to i64
    %s = arith.constant 16 : i64
    %t = arith.addi %i, %s : i64
    %m = arith.constant 31 : i64
    %r = arith.minsi %t, %m : i64
    linalg.yield %r : i64
  } -> tensor<?x?xi64>
  %v11 = tensor.empty(%T, %T) : tensor<?x?xi64>
  %g12 = linalg.generic {indexing_maps = [#m1_2, #m1_2, #m1_2, #m1_2], iterator_types = ["parallel", "parallel"]} ins(%g8, %g6, %g10 : tensor<?x?xi1>, tensor<?x?xi64>, tensor<?x?xi64>) outs(%v11 : tensor<?x?xi64>) {
  ^bb0(%in0: i1, %in1: i64, %in2: i64, %out0: i64):
    %r = arith.select %in0, %in1, %in2 : i64
    linalg.yield %r : i64
  } -> tensor<?x?xi64>
  %v13 = tensor.empty(%T) : tensor<1x3x16x?xf16>
  %v14 = linalg.transpose ins(%a_k : tensor<1x3x?x16xf16>) outs(%v13 : tensor<1x3x16x?xf16>) permutation = [0, 1, 3, 2]
  %v15 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<1x3x?x16xf16> into tensor<3x?x16xf16>
  %v16 = tensor.collapse_shape %v14 [[0, 1], [2], [3]] : tensor<1x3x16x?xf16> into tensor<3x16x?xf16>
  %v17 = tensor.empty(%T, %T) : tensor<3x?x?xf32>
  %v18 = linalg.fill ins(%c1 : f32) outs(%v17 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %v19 = linalg.batch_matmul ins(%v15, %v16 : tensor<3x?x16xf16>, tensor<3x16x?xf16>) outs(%v18 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %v20 = tensor.empty(%T, %T) : tensor<3x?x?xf16>
  %g21 = linalg.generic {indexing_maps = [#m1_3, #m1_3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v19 : tensor<3x?x?xf32>) outs(%v20 : tensor<3x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<3x?x?xf16>
  %v22 = tensor.expand_shape %g21 [[0, 1], [2], [3]] output_shape [1, 3, %T, %T] : tensor<3x?x?xf16> into tensor<1x3x?x?xf16>
  %v23 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g24 = linalg.generic {indexing_maps = [#m1_4, #m1_4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v22 : tensor<1x3x?x?xf16>) outs(%v23 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v25 = tensor.empty(%T, %T) : tensor<3x?x?xf32>
  %g26 = linalg.generic {indexing_maps = [#m1_5, #m1_3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g12 : tensor<?x?xi64>) outs(%v25 : tensor<3x?x?xf32>) {
  ^bb0(%in0: i64, %out0: f32):
    %h = linalg.index 0 : index
    %i = arith.index_cast %in0 : i64 to index
    %r = tensor.extract %a_table[%h, %i] : tensor<3x32xf32>
    linalg.yield %r : f32
  } -> tensor<3x?x?xf32>
  %v27 = tensor.expand_shape %g26 [[0, 1], [2], [3]] output_shape [1, 3, %T, %T] : tensor<3x?x?xf32> into tensor<1x3x?x?xf32>
  %v28 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g29 = linalg.generic {indexing_maps = [#m1_4, #m1_4, #m1_4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g24, %v27 : tensor<1x3x?x?xf32>, tensor<1x3x?x?xf32>) outs(%v28 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v30 = tensor.empty(%T) : tensor<1x3x?xi64>
  %v31 = linalg.fill ins(%c2 : i64) outs(%v30 : tensor<1x3x?xi64>) -> tensor<1x3x?xi64>
  %v32 = tensor.empty(%T) : tensor<1x3x?xf32>
  %v33 = linalg.fill ins(%c3 : f32) outs(%v32 : tensor<1x3x?xf32>) -> tensor<1x3x?xf32>
  %g34:2 = linalg.generic {indexing_maps = [#m1_4, #m1_6, #m1_6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g29 : tensor<1x3x?x?xf32>) outs(%v33, %v31 : tensor<1x3x?xf32>, tensor<1x3x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x3x?xf32>, tensor<1x3x?xi64>)
  %v35 = tensor.expand_shape %g34#0 [[0], [1], [2, 3]] output_shape [1, 3, %T, 1] : tensor<1x3x?xf32> into tensor<1x3x?x1xf32>
  %v36 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g37 = linalg.generic {indexing_maps = [#m1_4, #m1_7, #m1_4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g29, %v35 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%v36 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v38 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g39 = linalg.generic {indexing_maps = [#m1_4, #m1_4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g37 : tensor<1x3x?x?xf32>) outs(%v38 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v40 = tensor.empty(%T) : tensor<1x3x?x1xf32>
  %v41 = linalg.fill ins(%c1 : f32) outs(%v40 : tensor<1x3x?x1xf32>) -> tensor<1x3x?x1xf32>
  %g42 = linalg.generic {indexing_maps = [#m1_4, #m1_7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g39 : tensor<1x3x?x?xf32>) outs(%v41 : tensor<1x3x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x1xf32>
  %v43 = tensor.empty(%T, %T) : tensor<1x3x?x?xf32>
  %g44 = linalg.generic {indexing_maps = [#m1_4, #m1_7, #m1_4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g39, %g42 : tensor<1x3x?x?xf32>, tensor<1x3x?x1xf32>) outs(%v43 : tensor<1x3x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x3x?x?xf32>
  %v45 = tensor.empty(%T, %T) : tensor<1x3x?x?xf16>
  %g46 = linalg.generic {indexing_maps = [#m1_4, #m1_4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g44 : tensor<1x3x?x?xf32>) outs(%v45 : tensor<1x3x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x3x?x?xf16>
  %v47 = tensor.collapse_shape %g46 [[0, 1], [2], [3]] : tensor<1x3x?x?xf16> into tensor<3x?x?xf16>
  %v48 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x3x?x16xf16> into tensor<3x?x16xf16>
  %v49 = tensor.empty(%T) : tensor<3x?x16xf32>
  %v50 = linalg.fill ins(%c1 : f32) outs(%v49 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %v51 = linalg.batch_matmul ins(%v47, %v48 : tensor<3x?x?xf16>, tensor<3x?x16xf16>) outs(%v50 : tensor<3x?x16xf32>) -> tensor<3x?x16xf32>
  %v52 = tensor.empty(%T) : tensor<3x?x16xf16>
  %g53 = linalg.generic {indexing_maps = [#m1_3, #m1_3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v51 : tensor<3x?x16xf32>) outs(%v52 : tensor<3x?x16xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<3x?x16xf16>
  %v54 = tensor.expand_shape %g53 [[0, 1], [2], [3]] output_shape [1, 3, %T, 16] : tensor<3x?x16xf16> into tensor<1x3x?x16xf16>
  return %v54 : tensor<1x3x?x16xf16>
}
