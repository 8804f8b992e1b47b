// The pooling head of SigLIP: one query that is a parameter, packed projections of keys and values,
// and heads that a reshape through one dimension splits, as StableHLO and others write it.

// RUN: linalg-ext-check-program %s --max-kernels=3 --keys=16

#m0 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#m1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m2 = affine_map<(d0, d1) -> (d0, d1)>
#m3 = affine_map<(d0, d1, d2) -> (d2)>
#m4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#m6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#m7 = affine_map<(d0, d1) -> (d1)>

func.func @siglip_pooling(%x: tensor<3x37x32xbf16> {check.draw = "uniform -0.25 0.25"},
    %probe: tensor<1x1x32xbf16> {check.draw = "uniform -0.25 0.25"},
    %w: tensor<96x32xbf16> {check.draw = "uniform -0.25 0.25"},
    %bw: tensor<96xbf16>,
    %wo: tensor<32x32xbf16> {check.draw = "uniform -0.25 0.25"},
    %bo: tensor<32xbf16>) -> (tensor<3x32xbf16>) {
  %v1 = tensor.empty() : tensor<3x1x32xbf16>
  %v2 = linalg.generic {indexing_maps = [#m0, #m1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%probe : tensor<1x1x32xbf16>) outs(%v1 : tensor<3x1x32xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    linalg.yield %in0 : bf16
  } -> tensor<3x1x32xbf16>
  %v3 = tensor.empty() : tensor<1x3x32xbf16>
  %v4 = linalg.transpose ins(%v2 : tensor<3x1x32xbf16>) outs(%v3 : tensor<1x3x32xbf16>) permutation = [1, 0, 2]
  %v5 = tensor.empty() : tensor<37x3x32xbf16>
  %v6 = linalg.transpose ins(%x : tensor<3x37x32xbf16>) outs(%v5 : tensor<37x3x32xbf16>) permutation = [1, 0, 2]
  %v7 = tensor.extract_slice %w[0, 0] [32, 32] [1, 1] : tensor<96x32xbf16> to tensor<32x32xbf16>
  %v8 = tensor.extract_slice %w[32, 0] [64, 32] [1, 1] : tensor<96x32xbf16> to tensor<64x32xbf16>
  %v9 = tensor.extract_slice %bw[0] [32] [1] : tensor<96xbf16> to tensor<32xbf16>
  %v10 = tensor.extract_slice %bw[32] [64] [1] : tensor<96xbf16> to tensor<64xbf16>
  %v11 = tensor.empty() : tensor<32x32xbf16>
  %v12 = linalg.transpose ins(%v7 : tensor<32x32xbf16>) outs(%v11 : tensor<32x32xbf16>) permutation = [1, 0]
  %v13 = tensor.collapse_shape %v4 [[0, 1], [2]] : tensor<1x3x32xbf16> into tensor<3x32xbf16>
  %v14 = arith.constant 0.0 : f32
  %v15 = tensor.empty() : tensor<3x32xf32>
  %v16 = linalg.fill ins(%v14 : f32) outs(%v15 : tensor<3x32xf32>) -> tensor<3x32xf32>
  %v17 = linalg.matmul ins(%v13, %v12 : tensor<3x32xbf16>, tensor<32x32xbf16>) outs(%v16 : tensor<3x32xf32>) -> tensor<3x32xf32>
  %v18 = tensor.empty() : tensor<3x32xbf16>
  %v19 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%v17 : tensor<3x32xf32>) outs(%v18 : tensor<3x32xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<3x32xbf16>
  %v20 = tensor.expand_shape %v19 [[0, 1], [2]] output_shape [1, 3, 32] : tensor<3x32xbf16> into tensor<1x3x32xbf16>
  %v21 = tensor.empty() : tensor<1x3x32xbf16>
  %v22 = linalg.generic {indexing_maps = [#m1, #m3, #m1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v20, %v9 : tensor<1x3x32xbf16>, tensor<32xbf16>) outs(%v21 : tensor<1x3x32xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.addf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x3x32xbf16>
  %v23 = tensor.empty() : tensor<32x64xbf16>
  %v24 = linalg.transpose ins(%v8 : tensor<64x32xbf16>) outs(%v23 : tensor<32x64xbf16>) permutation = [1, 0]
  %v25 = tensor.collapse_shape %v6 [[0, 1], [2]] : tensor<37x3x32xbf16> into tensor<111x32xbf16>
  %v26 = arith.constant 0.0 : f32
  %v27 = tensor.empty() : tensor<111x64xf32>
  %v28 = linalg.fill ins(%v26 : f32) outs(%v27 : tensor<111x64xf32>) -> tensor<111x64xf32>
  %v29 = linalg.matmul ins(%v25, %v24 : tensor<111x32xbf16>, tensor<32x64xbf16>) outs(%v28 : tensor<111x64xf32>) -> tensor<111x64xf32>
  %v30 = tensor.empty() : tensor<111x64xbf16>
  %v31 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%v29 : tensor<111x64xf32>) outs(%v30 : tensor<111x64xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<111x64xbf16>
  %v32 = tensor.expand_shape %v31 [[0, 1], [2]] output_shape [37, 3, 64] : tensor<111x64xbf16> into tensor<37x3x64xbf16>
  %v33 = tensor.empty() : tensor<37x3x64xbf16>
  %v34 = linalg.generic {indexing_maps = [#m1, #m3, #m1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v32, %v10 : tensor<37x3x64xbf16>, tensor<64xbf16>) outs(%v33 : tensor<37x3x64xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.addf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<37x3x64xbf16>
  %v35 = tensor.expand_shape %v34 [[0], [1], [2, 3]] output_shape [37, 3, 2, 32] : tensor<37x3x64xbf16> into tensor<37x3x2x32xbf16>
  %v36 = tensor.extract_slice %v35[0, 0, 0, 0] [37, 3, 1, 32] [1, 1, 1, 1] : tensor<37x3x2x32xbf16> to tensor<37x3x1x32xbf16>
  %v37 = tensor.collapse_shape %v36 [[0], [1], [2, 3]] : tensor<37x3x1x32xbf16> into tensor<37x3x32xbf16>
  %v38 = tensor.extract_slice %v35[0, 0, 1, 0] [37, 3, 1, 32] [1, 1, 1, 1] : tensor<37x3x2x32xbf16> to tensor<37x3x1x32xbf16>
  %v39 = tensor.collapse_shape %v38 [[0], [1], [2, 3]] : tensor<37x3x1x32xbf16> into tensor<37x3x32xbf16>
  %v41 = tensor.collapse_shape %v22 [[0, 1, 2]] : tensor<1x3x32xbf16> into tensor<96xbf16>
  %v42 = tensor.expand_shape %v41 [[0, 1, 2]] output_shape [1, 12, 8] : tensor<96xbf16> into tensor<1x12x8xbf16>
  %v43 = tensor.empty() : tensor<12x1x8xbf16>
  %v44 = linalg.transpose ins(%v42 : tensor<1x12x8xbf16>) outs(%v43 : tensor<12x1x8xbf16>) permutation = [1, 0, 2]
  %v45 = tensor.expand_shape %v44 [[0, 1], [2], [3]] output_shape [3, 4, 1, 8] : tensor<12x1x8xbf16> into tensor<3x4x1x8xbf16>
  %v46 = arith.constant 5.946035575e-01 : f64
  %v47 = tensor.empty() : tensor<3x4x1x8xbf16>
  %v48 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v45 : tensor<3x4x1x8xbf16>) outs(%v47 : tensor<3x4x1x8xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %t = arith.truncf %v46 : f64 to bf16
    %r = arith.mulf %in0, %t : bf16
    linalg.yield %r : bf16
  } -> tensor<3x4x1x8xbf16>
  %v50 = tensor.collapse_shape %v37 [[0, 1, 2]] : tensor<37x3x32xbf16> into tensor<3552xbf16>
  %v51 = tensor.expand_shape %v50 [[0, 1, 2]] output_shape [37, 12, 8] : tensor<3552xbf16> into tensor<37x12x8xbf16>
  %v52 = tensor.empty() : tensor<12x37x8xbf16>
  %v53 = linalg.transpose ins(%v51 : tensor<37x12x8xbf16>) outs(%v52 : tensor<12x37x8xbf16>) permutation = [1, 0, 2]
  %v54 = tensor.expand_shape %v53 [[0, 1], [2], [3]] output_shape [3, 4, 37, 8] : tensor<12x37x8xbf16> into tensor<3x4x37x8xbf16>
  %v55 = arith.constant 5.946035575e-01 : f64
  %v56 = tensor.empty() : tensor<3x4x37x8xbf16>
  %v57 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v54 : tensor<3x4x37x8xbf16>) outs(%v56 : tensor<3x4x37x8xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %t = arith.truncf %v55 : f64 to bf16
    %r = arith.mulf %in0, %t : bf16
    linalg.yield %r : bf16
  } -> tensor<3x4x37x8xbf16>
  %v59 = tensor.collapse_shape %v39 [[0, 1, 2]] : tensor<37x3x32xbf16> into tensor<3552xbf16>
  %v60 = tensor.expand_shape %v59 [[0, 1, 2]] output_shape [37, 12, 8] : tensor<3552xbf16> into tensor<37x12x8xbf16>
  %v61 = tensor.empty() : tensor<12x37x8xbf16>
  %v62 = linalg.transpose ins(%v60 : tensor<37x12x8xbf16>) outs(%v61 : tensor<12x37x8xbf16>) permutation = [1, 0, 2]
  %v63 = tensor.expand_shape %v62 [[0, 1], [2], [3]] output_shape [3, 4, 37, 8] : tensor<12x37x8xbf16> into tensor<3x4x37x8xbf16>
  %v64 = tensor.empty() : tensor<3x4x8x37xbf16>
  %v65 = linalg.transpose ins(%v57 : tensor<3x4x37x8xbf16>) outs(%v64 : tensor<3x4x8x37xbf16>) permutation = [0, 1, 3, 2]
  %v66 = tensor.collapse_shape %v48 [[0, 1], [2], [3]] : tensor<3x4x1x8xbf16> into tensor<12x1x8xbf16>
  %v67 = tensor.collapse_shape %v65 [[0, 1], [2], [3]] : tensor<3x4x8x37xbf16> into tensor<12x8x37xbf16>
  %v68 = arith.constant 0.0 : f32
  %v69 = tensor.empty() : tensor<12x1x37xf32>
  %v70 = linalg.fill ins(%v68 : f32) outs(%v69 : tensor<12x1x37xf32>) -> tensor<12x1x37xf32>
  %v71 = linalg.batch_matmul ins(%v66, %v67 : tensor<12x1x8xbf16>, tensor<12x8x37xbf16>) outs(%v70 : tensor<12x1x37xf32>) -> tensor<12x1x37xf32>
  %v72 = tensor.empty() : tensor<12x1x37xbf16>
  %v73 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v71 : tensor<12x1x37xf32>) outs(%v72 : tensor<12x1x37xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<12x1x37xbf16>
  %v74 = tensor.expand_shape %v73 [[0, 1], [2], [3]] output_shape [3, 4, 1, 37] : tensor<12x1x37xbf16> into tensor<3x4x1x37xbf16>
  %v75 = tensor.empty() : tensor<3x4x1x37xf32>
  %v76 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v74 : tensor<3x4x1x37xbf16>) outs(%v75 : tensor<3x4x1x37xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<3x4x1x37xf32>
  %v77 = arith.constant 0 : i64
  %v78 = tensor.empty() : tensor<3x4x1xi64>
  %v79 = linalg.fill ins(%v77 : i64) outs(%v78 : tensor<3x4x1xi64>) -> tensor<3x4x1xi64>
  %v80 = arith.constant 0xFF800000 : f32
  %v81 = tensor.empty() : tensor<3x4x1xf32>
  %v82 = linalg.fill ins(%v80 : f32) outs(%v81 : tensor<3x4x1xf32>) -> tensor<3x4x1xf32>
  %v83:2 = linalg.generic {indexing_maps = [#m4, #m5, #m5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v76 : tensor<3x4x1x37xf32>) outs(%v82, %v79 : tensor<3x4x1xf32>, tensor<3x4x1xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %i = linalg.index 3 : index
    %ii = arith.index_cast %i : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %c = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %c, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<3x4x1xf32>, tensor<3x4x1xi64>)
  %v84 = tensor.expand_shape %v83#0 [[0], [1], [2, 3]] output_shape [3, 4, 1, 1] : tensor<3x4x1xf32> into tensor<3x4x1x1xf32>
  %v85 = tensor.empty() : tensor<3x4x1x37xf32>
  %v86 = linalg.generic {indexing_maps = [#m4, #m6, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v76, %v84 : tensor<3x4x1x37xf32>, tensor<3x4x1x1xf32>) outs(%v85 : tensor<3x4x1x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x4x1x37xf32>
  %v87 = tensor.empty() : tensor<3x4x1x37xf32>
  %v88 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v86 : tensor<3x4x1x37xf32>) outs(%v87 : tensor<3x4x1x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<3x4x1x37xf32>
  %v89 = arith.constant 0.0 : f32
  %v90 = tensor.empty() : tensor<3x4x1x1xf32>
  %v91 = linalg.fill ins(%v89 : f32) outs(%v90 : tensor<3x4x1x1xf32>) -> tensor<3x4x1x1xf32>
  %v92 = linalg.generic {indexing_maps = [#m4, #m6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v88 : tensor<3x4x1x37xf32>) outs(%v91 : tensor<3x4x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<3x4x1x1xf32>
  %v93 = tensor.empty() : tensor<3x4x1x37xf32>
  %v94 = linalg.generic {indexing_maps = [#m4, #m6, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v88, %v92 : tensor<3x4x1x37xf32>, tensor<3x4x1x1xf32>) outs(%v93 : tensor<3x4x1x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<3x4x1x37xf32>
  %v95 = tensor.empty() : tensor<3x4x1x37xbf16>
  %v96 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v94 : tensor<3x4x1x37xf32>) outs(%v95 : tensor<3x4x1x37xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<3x4x1x37xbf16>
  %v97 = tensor.collapse_shape %v96 [[0, 1], [2], [3]] : tensor<3x4x1x37xbf16> into tensor<12x1x37xbf16>
  %v98 = tensor.collapse_shape %v63 [[0, 1], [2], [3]] : tensor<3x4x37x8xbf16> into tensor<12x37x8xbf16>
  %v99 = arith.constant 0.0 : f32
  %v100 = tensor.empty() : tensor<12x1x8xf32>
  %v101 = linalg.fill ins(%v99 : f32) outs(%v100 : tensor<12x1x8xf32>) -> tensor<12x1x8xf32>
  %v102 = linalg.batch_matmul ins(%v97, %v98 : tensor<12x1x37xbf16>, tensor<12x37x8xbf16>) outs(%v101 : tensor<12x1x8xf32>) -> tensor<12x1x8xf32>
  %v103 = tensor.empty() : tensor<12x1x8xbf16>
  %v104 = linalg.generic {indexing_maps = [#m1, #m1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v102 : tensor<12x1x8xf32>) outs(%v103 : tensor<12x1x8xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<12x1x8xbf16>
  %v105 = tensor.expand_shape %v104 [[0, 1], [2], [3]] output_shape [3, 4, 1, 8] : tensor<12x1x8xbf16> into tensor<3x4x1x8xbf16>
  %v106 = tensor.empty() : tensor<1x3x4x8xbf16>
  %v107 = linalg.transpose ins(%v105 : tensor<3x4x1x8xbf16>) outs(%v106 : tensor<1x3x4x8xbf16>) permutation = [2, 0, 1, 3]
  %v108 = tensor.collapse_shape %v107 [[0, 1], [2, 3]] : tensor<1x3x4x8xbf16> into tensor<3x32xbf16>
  %v109 = tensor.empty() : tensor<32x32xbf16>
  %v110 = linalg.transpose ins(%wo : tensor<32x32xbf16>) outs(%v109 : tensor<32x32xbf16>) permutation = [1, 0]
  %v111 = arith.constant 0.0 : f32
  %v112 = tensor.empty() : tensor<3x32xf32>
  %v113 = linalg.fill ins(%v111 : f32) outs(%v112 : tensor<3x32xf32>) -> tensor<3x32xf32>
  %v114 = linalg.matmul ins(%v108, %v110 : tensor<3x32xbf16>, tensor<32x32xbf16>) outs(%v113 : tensor<3x32xf32>) -> tensor<3x32xf32>
  %v115 = tensor.empty() : tensor<3x32xbf16>
  %v116 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]} ins(%v114 : tensor<3x32xf32>) outs(%v115 : tensor<3x32xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<3x32xbf16>
  %v117 = tensor.empty() : tensor<3x32xbf16>
  %v118 = linalg.generic {indexing_maps = [#m2, #m7, #m2], iterator_types = ["parallel", "parallel"]} ins(%v116, %bo : tensor<3x32xbf16>, tensor<32xbf16>) outs(%v117 : tensor<3x32xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.addf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<3x32xbf16>
  %v119 = tensor.expand_shape %v118 [[0], [1, 2]] output_shape [3, 1, 32] : tensor<3x32xbf16> into tensor<3x1x32xbf16>
  %v120 = tensor.collapse_shape %v119 [[0], [1, 2]] : tensor<3x1x32xbf16> into tensor<3x32xbf16>
  return %v120 : tensor<3x32xbf16>
}
