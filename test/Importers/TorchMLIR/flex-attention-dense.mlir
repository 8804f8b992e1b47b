// flex_attention without its kernel, as the dense form of the higher-order op computes it: scores in
// f32, a score_mod (ALiBi), a mask_mod (a window), the log-sum-exp in base 2 as a second result, and a
// safe softmax. The log-sum-exp has a maximum and exponentials of its own, with a guard.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=9990 --max-kernels=2 --keys=16

#m0 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m2 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#m3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#m4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @flex_attention(%q: tensor<2x3x37x16xf16>,
    %k: tensor<2x3x45x16xf16>,
    %v: tensor<2x3x45x16xf16>,
    %slope: tensor<3xf32>) -> (tensor<2x3x37x16xf16>, tensor<2x3x37xf32>) {
  %v1 = tensor.empty() : tensor<2x3x16x45xf16>
  %v2 = linalg.transpose ins(%k : tensor<2x3x45x16xf16>) outs(%v1 : tensor<2x3x16x45xf16>) permutation = [0, 1, 3, 2]
  %v3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x3x37x16xf16> into tensor<6x37x16xf16>
  %v4 = tensor.collapse_shape %v2 [[0, 1], [2], [3]] : tensor<2x3x16x45xf16> into tensor<6x16x45xf16>
  %v5 = arith.constant 0.0 : f32
  %v6 = tensor.empty() : tensor<6x37x45xf32>
  %v7 = linalg.fill ins(%v5 : f32) outs(%v6 : tensor<6x37x45xf32>) -> tensor<6x37x45xf32>
  %v8 = linalg.batch_matmul ins(%v3, %v4 : tensor<6x37x16xf16>, tensor<6x16x45xf16>) outs(%v7 : tensor<6x37x45xf32>) -> tensor<6x37x45xf32>
  %v9 = tensor.empty() : tensor<6x37x45xf16>
  %v10 = linalg.generic {indexing_maps = [#m0, #m0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v8 : tensor<6x37x45xf32>) outs(%v9 : tensor<6x37x45xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<6x37x45xf16>
  %v11 = tensor.expand_shape %v10 [[0, 1], [2], [3]] output_shape [2, 3, 37, 45] : tensor<6x37x45xf16> into tensor<2x3x37x45xf16>
  %v12 = tensor.empty() : tensor<2x3x37x45xf32>
  %v13 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v11 : tensor<2x3x37x45xf16>) outs(%v12 : tensor<2x3x37x45xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x45xf32>
  %v14 = arith.constant 2.500000000e-01 : f64
  %v15 = tensor.empty() : tensor<2x3x37x45xf32>
  %v16 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v13 : tensor<2x3x37x45xf32>) outs(%v15 : tensor<2x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %t = arith.truncf %v14 : f64 to f32
    %r = arith.mulf %in0, %t : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x45xf32>
  %v17 = tensor.expand_shape %slope [[0, 1, 2, 3]] output_shape [1, 3, 1, 1] : tensor<3xf32> into tensor<1x3x1x1xf32>
  %v18 = tensor.empty() : tensor<2x3x37x45xf32>
  %v19 = linalg.generic {indexing_maps = [#m1, #m2, #m1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v16, %v17 : tensor<2x3x37x45xf32>, tensor<1x3x1x1xf32>) outs(%v18 : tensor<2x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %d = arith.subi %j, %i : index
    %di = arith.index_cast %d : index to i64
    %df = arith.sitofp %di : i64 to f32
    %m = arith.mulf %df, %in1 : f32
    %r = arith.addf %in0, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x45xf32>
  %v20 = tensor.empty() : tensor<37x45xi1>
  %v21 = tensor.empty() : tensor<2x3x37x45xf32>
  %v22 = arith.constant 0xFF800000 : f32
  %v23 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v19 : tensor<2x3x37x45xf32>) outs(%v21 : tensor<2x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %d = arith.subi %i, %j : index
    %w = arith.constant 20 : index
    %z = arith.constant 3 : index
    %a = arith.cmpi sge, %d, %z : index
    %b = arith.cmpi sle, %d, %w : index
    %c = arith.andi %a, %b : i1
    %r = arith.select %c, %in0, %v22 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x45xf32>
  %v24 = arith.constant 0xFF800000 : f32
  %v25 = tensor.empty() : tensor<2x3x37x1xf32>
  %v26 = linalg.fill ins(%v24 : f32) outs(%v25 : tensor<2x3x37x1xf32>) -> tensor<2x3x37x1xf32>
  %v27 = linalg.generic {indexing_maps = [#m1, #m3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v23 : tensor<2x3x37x45xf32>) outs(%v26 : tensor<2x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.maximumf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x1xf32>
  %v28 = arith.constant 0x7F800000 : f32
  %v29 = arith.constant 0.0 : f32
  %v30 = tensor.empty() : tensor<2x3x37x1xf32>
  %v31 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v27 : tensor<2x3x37x1xf32>) outs(%v30 : tensor<2x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %a = math.absf %in0 : f32
    %c = arith.cmpf oeq, %a, %v28 : f32
    %r = arith.select %c, %v29, %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x1xf32>
  %v32 = tensor.empty() : tensor<2x3x37x45xf32>
  %v33 = linalg.generic {indexing_maps = [#m1, #m3, #m1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v23, %v31 : tensor<2x3x37x45xf32>, tensor<2x3x37x1xf32>) outs(%v32 : tensor<2x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x45xf32>
  %v34 = tensor.empty() : tensor<2x3x37x45xf32>
  %v35 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v33 : tensor<2x3x37x45xf32>) outs(%v34 : tensor<2x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x45xf32>
  %v36 = arith.constant 0.0 : f32
  %v37 = tensor.empty() : tensor<2x3x37xf32>
  %v38 = linalg.fill ins(%v36 : f32) outs(%v37 : tensor<2x3x37xf32>) -> tensor<2x3x37xf32>
  %v39 = linalg.generic {indexing_maps = [#m1, #m4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v35 : tensor<2x3x37x45xf32>) outs(%v38 : tensor<2x3x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37xf32>
  %v40 = tensor.empty() : tensor<2x3x37xf32>
  %v41 = linalg.generic {indexing_maps = [#m0, #m0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v39 : tensor<2x3x37xf32>) outs(%v40 : tensor<2x3x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.log %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37xf32>
  %v42 = tensor.collapse_shape %v31 [[0], [1], [2, 3]] : tensor<2x3x37x1xf32> into tensor<2x3x37xf32>
  %v43 = tensor.empty() : tensor<2x3x37xf32>
  %v44 = linalg.generic {indexing_maps = [#m0, #m0, #m0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v41, %v42 : tensor<2x3x37xf32>, tensor<2x3x37xf32>) outs(%v43 : tensor<2x3x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37xf32>
  %v45 = arith.constant 1.442695040e+00 : f32
  %v46 = tensor.empty() : tensor<2x3x37xf32>
  %v47 = linalg.generic {indexing_maps = [#m0, #m0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v44 : tensor<2x3x37xf32>) outs(%v46 : tensor<2x3x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.mulf %in0, %v45 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37xf32>
  %v48 = tensor.empty() : tensor<2x3x37x45xi1>
  %v49 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v23 : tensor<2x3x37x45xf32>) outs(%v48 : tensor<2x3x37x45xi1>) {
  ^bb0(%in0: f32, %out0: i1):
    %r = arith.cmpf oeq, %in0, %v22 : f32
    linalg.yield %r : i1
  } -> tensor<2x3x37x45xi1>
  %v50 = arith.constant 1 : i1
  %v51 = tensor.empty() : tensor<2x3x37x1xi1>
  %v52 = linalg.fill ins(%v50 : i1) outs(%v51 : tensor<2x3x37x1xi1>) -> tensor<2x3x37x1xi1>
  %v53 = linalg.generic {indexing_maps = [#m1, #m3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v49 : tensor<2x3x37x45xi1>) outs(%v52 : tensor<2x3x37x1xi1>) {
  ^bb0(%in0: i1, %out0: i1):
    %r = arith.andi %in0, %out0 : i1
    linalg.yield %r : i1
  } -> tensor<2x3x37x1xi1>
  %v54 = arith.constant 0 : i64
  %v55 = tensor.empty() : tensor<2x3x37xi64>
  %v56 = linalg.fill ins(%v54 : i64) outs(%v55 : tensor<2x3x37xi64>) -> tensor<2x3x37xi64>
  %v57 = arith.constant 0xFF800000 : f32
  %v58 = tensor.empty() : tensor<2x3x37xf32>
  %v59 = linalg.fill ins(%v57 : f32) outs(%v58 : tensor<2x3x37xf32>) -> tensor<2x3x37xf32>
  %v60:2 = linalg.generic {indexing_maps = [#m1, #m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v23 : tensor<2x3x37x45xf32>) outs(%v59, %v56 : tensor<2x3x37xf32>, tensor<2x3x37xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %i = linalg.index 3 : index
    %ii = arith.index_cast %i : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %c = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %c, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x3x37xf32>, tensor<2x3x37xi64>)
  %v61 = tensor.expand_shape %v60#0 [[0], [1], [2, 3]] output_shape [2, 3, 37, 1] : tensor<2x3x37xf32> into tensor<2x3x37x1xf32>
  %v62 = tensor.empty() : tensor<2x3x37x45xf32>
  %v63 = linalg.generic {indexing_maps = [#m1, #m3, #m1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v23, %v61 : tensor<2x3x37x45xf32>, tensor<2x3x37x1xf32>) outs(%v62 : tensor<2x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x45xf32>
  %v64 = tensor.empty() : tensor<2x3x37x45xf32>
  %v65 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v63 : tensor<2x3x37x45xf32>) outs(%v64 : tensor<2x3x37x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x45xf32>
  %v66 = arith.constant 0.0 : f32
  %v67 = tensor.empty() : tensor<2x3x37x1xf32>
  %v68 = linalg.fill ins(%v66 : f32) outs(%v67 : tensor<2x3x37x1xf32>) -> tensor<2x3x37x1xf32>
  %v69 = linalg.generic {indexing_maps = [#m1, #m3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v65 : tensor<2x3x37x45xf32>) outs(%v68 : tensor<2x3x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x1xf32>
  %v70 = tensor.empty() : tensor<2x3x37x45xf32>
  %v71 = linalg.generic {indexing_maps = [#m1, #m3, #m1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v65, %v69 : tensor<2x3x37x45xf32>, tensor<2x3x37x1xf32>) outs(%v70 : tensor<2x3x37x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x45xf32>
  %v72 = tensor.empty() : tensor<2x3x37x45xf32>
  %v73 = linalg.generic {indexing_maps = [#m3, #m1, #m1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v53, %v71 : tensor<2x3x37x1xi1>, tensor<2x3x37x45xf32>) outs(%v72 : tensor<2x3x37x45xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %v29, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x37x45xf32>
  %v74 = tensor.empty() : tensor<2x3x37x45xf16>
  %v75 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v73 : tensor<2x3x37x45xf32>) outs(%v74 : tensor<2x3x37x45xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x3x37x45xf16>
  %v76 = tensor.collapse_shape %v75 [[0, 1], [2], [3]] : tensor<2x3x37x45xf16> into tensor<6x37x45xf16>
  %v77 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x3x45x16xf16> into tensor<6x45x16xf16>
  %v78 = arith.constant 0.0 : f32
  %v79 = tensor.empty() : tensor<6x37x16xf32>
  %v80 = linalg.fill ins(%v78 : f32) outs(%v79 : tensor<6x37x16xf32>) -> tensor<6x37x16xf32>
  %v81 = linalg.batch_matmul ins(%v76, %v77 : tensor<6x37x45xf16>, tensor<6x45x16xf16>) outs(%v80 : tensor<6x37x16xf32>) -> tensor<6x37x16xf32>
  %v82 = tensor.empty() : tensor<6x37x16xf16>
  %v83 = linalg.generic {indexing_maps = [#m0, #m0], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v81 : tensor<6x37x16xf32>) outs(%v82 : tensor<6x37x16xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<6x37x16xf16>
  %v84 = tensor.expand_shape %v83 [[0, 1], [2], [3]] output_shape [2, 3, 37, 16] : tensor<6x37x16xf16> into tensor<2x3x37x16xf16>
  return %v84, %v47 : tensor<2x3x37x16xf16>, tensor<2x3x37xf32>
}
