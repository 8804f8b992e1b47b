// Qwen3.5: a projection has a query and a gate for each head; norms with 1 + w, and rotations of the first
// columns. Heads of a row are in groups, and lie apart by the gates between them.

// RUN: linalg-ext-check-program %s --keys=16 --max-kernels=5 --max-buffer-bytes=50000 \
// RUN:   --sizes=1x37x256,1x37x64,1x37x64,-,-,1x37x8,1x37x8

#m0_0 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m0_1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#m0_2 = affine_map<(d0) -> (d0)>
#m0_3 = affine_map<(d0, d1, d2, d3) -> (d3)>
#m0_4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#m0_5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#m0_6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#m0_7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m0_8 = affine_map<(d0, d1) -> (0, d1)>
#m0_9 = affine_map<(d0, d1) -> (d0, 0)>
#m0_10 = affine_map<(d0, d1) -> (d0, d1)>
#m0_11 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#m0_12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @packed_gates(%a_qg: tensor<1x?x256xbf16>,
    %a_k: tensor<1x?x64xbf16>,
    %a_v: tensor<1x?x64xbf16>,
    %a_qn: tensor<32xbf16>,
    %a_kn: tensor<32xbf16>,
    %a_cos: tensor<1x?x8xbf16>,
    %a_sin: tensor<1x?x8xbf16>) -> (tensor<1x?x128xbf16>) {
  %c0 = arith.constant 1 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 3.200000000e+01 : f64
  %c3 = arith.constant 1.000000000e-06 : f64
  %c4 = arith.constant 1.000000000e+00 : f64
  %c5 = arith.constant 1.767766953e-01 : f64
  %c6 = arith.constant 0xFF80 : bf16
  %c7 = arith.constant 0 : i64
  %c8 = arith.constant 0xFF800000 : f32
  %c9 = arith.constant 1.000000000e+00 : bf16
  %T = tensor.dim %a_qg, %c0 : tensor<1x?x256xbf16>
  %v1 = tensor.expand_shape %a_qg [[0], [1], [2, 3]] output_shape [1, %T, 4, 64] : tensor<1x?x256xbf16> into tensor<1x?x4x64xbf16>
  %v2 = tensor.extract_slice %v1[0, 0, 0, 0] [1, %T, 4, 32] [1, 1, 1, 1] : tensor<1x?x4x64xbf16> to tensor<1x?x4x32xbf16>
  %v3 = tensor.extract_slice %v1[0, 0, 0, 32] [1, %T, 4, 32] [1, 1, 1, 1] : tensor<1x?x4x64xbf16> to tensor<1x?x4x32xbf16>
  %v4 = tensor.collapse_shape %v3 [[0], [1], [2, 3]] : tensor<1x?x4x32xbf16> into tensor<1x?x128xbf16>
  %v5 = tensor.expand_shape %a_k [[0], [1], [2, 3]] output_shape [1, %T, 2, 32] : tensor<1x?x64xbf16> into tensor<1x?x2x32xbf16>
  %v6 = tensor.expand_shape %a_v [[0], [1], [2, 3]] output_shape [1, %T, 2, 32] : tensor<1x?x64xbf16> into tensor<1x?x2x32xbf16>
  %v7 = tensor.empty(%T) : tensor<1x?x4x32xf32>
  %g8 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v2 : tensor<1x?x4x32xbf16>) outs(%v7 : tensor<1x?x4x32xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x?x4x32xf32>
  %v9 = tensor.empty(%T) : tensor<1x?x4x32xf32>
  %g10 = linalg.generic {indexing_maps = [#m0_0, #m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g8, %g8 : tensor<1x?x4x32xf32>, tensor<1x?x4x32xf32>) outs(%v9 : tensor<1x?x4x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x4x32xf32>
  %v11 = tensor.empty(%T) : tensor<1x?x4x1xf32>
  %v12 = linalg.fill ins(%c1 : f32) outs(%v11 : tensor<1x?x4x1xf32>) -> tensor<1x?x4x1xf32>
  %g13 = linalg.generic {indexing_maps = [#m0_0, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g10 : tensor<1x?x4x32xf32>) outs(%v12 : tensor<1x?x4x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x4x1xf32>
  %v14 = tensor.empty(%T) : tensor<1x?x4x1xf32>
  %g15 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g13 : tensor<1x?x4x1xf32>) outs(%v14 : tensor<1x?x4x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x?x4x1xf32>
  %v16 = tensor.empty(%T) : tensor<1x?x4x1xf32>
  %g17 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g15 : tensor<1x?x4x1xf32>) outs(%v16 : tensor<1x?x4x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c3 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x?x4x1xf32>
  %v18 = tensor.empty(%T) : tensor<1x?x4x1xf32>
  %g19 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g17 : tensor<1x?x4x1xf32>) outs(%v18 : tensor<1x?x4x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.rsqrt %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x4x1xf32>
  %v20 = tensor.empty(%T) : tensor<1x?x4x32xf32>
  %g21 = linalg.generic {indexing_maps = [#m0_0, #m0_1, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g8, %g19 : tensor<1x?x4x32xf32>, tensor<1x?x4x1xf32>) outs(%v20 : tensor<1x?x4x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x4x32xf32>
  %v22 = tensor.empty() : tensor<32xf32>
  %g23 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel"]} ins(%a_qn : tensor<32xbf16>) outs(%v22 : tensor<32xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<32xf32>
  %v24 = tensor.empty() : tensor<32xf32>
  %g25 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel"]} ins(%g23 : tensor<32xf32>) outs(%v24 : tensor<32xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c4 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<32xf32>
  %v26 = tensor.empty(%T) : tensor<1x?x4x32xf32>
  %g27 = linalg.generic {indexing_maps = [#m0_0, #m0_3, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g21, %g25 : tensor<1x?x4x32xf32>, tensor<32xf32>) outs(%v26 : tensor<1x?x4x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x4x32xf32>
  %v28 = tensor.empty(%T) : tensor<1x?x4x32xbf16>
  %g29 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g27 : tensor<1x?x4x32xf32>) outs(%v28 : tensor<1x?x4x32xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x?x4x32xbf16>
  %v30 = tensor.empty(%T) : tensor<1x?x2x32xf32>
  %g31 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5 : tensor<1x?x2x32xbf16>) outs(%v30 : tensor<1x?x2x32xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x32xf32>
  %v32 = tensor.empty(%T) : tensor<1x?x2x32xf32>
  %g33 = linalg.generic {indexing_maps = [#m0_0, #m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g31, %g31 : tensor<1x?x2x32xf32>, tensor<1x?x2x32xf32>) outs(%v32 : tensor<1x?x2x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x32xf32>
  %v34 = tensor.empty(%T) : tensor<1x?x2x1xf32>
  %v35 = linalg.fill ins(%c1 : f32) outs(%v34 : tensor<1x?x2x1xf32>) -> tensor<1x?x2x1xf32>
  %g36 = linalg.generic {indexing_maps = [#m0_0, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g33 : tensor<1x?x2x32xf32>) outs(%v35 : tensor<1x?x2x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x1xf32>
  %v37 = tensor.empty(%T) : tensor<1x?x2x1xf32>
  %g38 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g36 : tensor<1x?x2x1xf32>) outs(%v37 : tensor<1x?x2x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x1xf32>
  %v39 = tensor.empty(%T) : tensor<1x?x2x1xf32>
  %g40 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g38 : tensor<1x?x2x1xf32>) outs(%v39 : tensor<1x?x2x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c3 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x1xf32>
  %v41 = tensor.empty(%T) : tensor<1x?x2x1xf32>
  %g42 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g40 : tensor<1x?x2x1xf32>) outs(%v41 : tensor<1x?x2x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.rsqrt %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x1xf32>
  %v43 = tensor.empty(%T) : tensor<1x?x2x32xf32>
  %g44 = linalg.generic {indexing_maps = [#m0_0, #m0_1, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g31, %g42 : tensor<1x?x2x32xf32>, tensor<1x?x2x1xf32>) outs(%v43 : tensor<1x?x2x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x32xf32>
  %v45 = tensor.empty() : tensor<32xf32>
  %g46 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel"]} ins(%a_kn : tensor<32xbf16>) outs(%v45 : tensor<32xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<32xf32>
  %v47 = tensor.empty() : tensor<32xf32>
  %g48 = linalg.generic {indexing_maps = [#m0_2, #m0_2], iterator_types = ["parallel"]} ins(%g46 : tensor<32xf32>) outs(%v47 : tensor<32xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c4 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<32xf32>
  %v49 = tensor.empty(%T) : tensor<1x?x2x32xf32>
  %g50 = linalg.generic {indexing_maps = [#m0_0, #m0_3, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g44, %g48 : tensor<1x?x2x32xf32>, tensor<32xf32>) outs(%v49 : tensor<1x?x2x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x?x2x32xf32>
  %v51 = tensor.empty(%T) : tensor<1x?x2x32xbf16>
  %g52 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g50 : tensor<1x?x2x32xf32>) outs(%v51 : tensor<1x?x2x32xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x?x2x32xbf16>
  %v53 = tensor.empty(%T) : tensor<1x4x?x32xbf16>
  %v54 = linalg.transpose ins(%g29 : tensor<1x?x4x32xbf16>) outs(%v53 : tensor<1x4x?x32xbf16>) permutation = [0, 2, 1, 3]
  %v55 = tensor.empty(%T) : tensor<1x2x?x32xbf16>
  %v56 = linalg.transpose ins(%g52 : tensor<1x?x2x32xbf16>) outs(%v55 : tensor<1x2x?x32xbf16>) permutation = [0, 2, 1, 3]
  %v57 = tensor.empty(%T) : tensor<1x2x?x32xbf16>
  %v58 = linalg.transpose ins(%v6 : tensor<1x?x2x32xbf16>) outs(%v57 : tensor<1x2x?x32xbf16>) permutation = [0, 2, 1, 3]
  %v59 = tensor.expand_shape %a_cos [[0, 1], [2], [3]] output_shape [1, 1, %T, 8] : tensor<1x?x8xbf16> into tensor<1x1x?x8xbf16>
  %v60 = tensor.expand_shape %a_sin [[0, 1], [2], [3]] output_shape [1, 1, %T, 8] : tensor<1x?x8xbf16> into tensor<1x1x?x8xbf16>
  %v61 = tensor.extract_slice %v54[0, 0, 0, 0] [1, 4, %T, 8] [1, 1, 1, 1] : tensor<1x4x?x32xbf16> to tensor<1x4x?x8xbf16>
  %v62 = tensor.extract_slice %v54[0, 0, 0, 8] [1, 4, %T, 24] [1, 1, 1, 1] : tensor<1x4x?x32xbf16> to tensor<1x4x?x24xbf16>
  %v63 = tensor.empty(%T) : tensor<1x4x?x8xbf16>
  %g64 = linalg.generic {indexing_maps = [#m0_0, #m0_4, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v61, %v59 : tensor<1x4x?x8xbf16>, tensor<1x1x?x8xbf16>) outs(%v63 : tensor<1x4x?x8xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x8xbf16>
  %v65 = tensor.extract_slice %v61[0, 0, 0, 4] [1, 4, %T, 4] [1, 1, 1, 1] : tensor<1x4x?x8xbf16> to tensor<1x4x?x4xbf16>
  %v66 = tensor.empty(%T) : tensor<1x4x?x4xbf16>
  %g67 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v65 : tensor<1x4x?x4xbf16>) outs(%v66 : tensor<1x4x?x4xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %r = arith.negf %in0 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x4xbf16>
  %v68 = tensor.extract_slice %v61[0, 0, 0, 0] [1, 4, %T, 4] [1, 1, 1, 1] : tensor<1x4x?x8xbf16> to tensor<1x4x?x4xbf16>
  %v69 = tensor.concat dim(3) %g67, %v68 : (tensor<1x4x?x4xbf16>, tensor<1x4x?x4xbf16>) -> tensor<1x4x?x8xbf16>
  %v70 = tensor.empty(%T) : tensor<1x4x?x8xbf16>
  %g71 = linalg.generic {indexing_maps = [#m0_0, #m0_4, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v69, %v60 : tensor<1x4x?x8xbf16>, tensor<1x1x?x8xbf16>) outs(%v70 : tensor<1x4x?x8xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x8xbf16>
  %v72 = tensor.empty(%T) : tensor<1x4x?x8xbf16>
  %g73 = linalg.generic {indexing_maps = [#m0_0, #m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g64, %g71 : tensor<1x4x?x8xbf16>, tensor<1x4x?x8xbf16>) outs(%v72 : tensor<1x4x?x8xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.addf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x8xbf16>
  %v74 = tensor.concat dim(3) %g73, %v62 : (tensor<1x4x?x8xbf16>, tensor<1x4x?x24xbf16>) -> tensor<1x4x?x32xbf16>
  %v75 = tensor.extract_slice %v56[0, 0, 0, 0] [1, 2, %T, 8] [1, 1, 1, 1] : tensor<1x2x?x32xbf16> to tensor<1x2x?x8xbf16>
  %v76 = tensor.extract_slice %v56[0, 0, 0, 8] [1, 2, %T, 24] [1, 1, 1, 1] : tensor<1x2x?x32xbf16> to tensor<1x2x?x24xbf16>
  %v77 = tensor.empty(%T) : tensor<1x2x?x8xbf16>
  %g78 = linalg.generic {indexing_maps = [#m0_0, #m0_4, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v75, %v59 : tensor<1x2x?x8xbf16>, tensor<1x1x?x8xbf16>) outs(%v77 : tensor<1x2x?x8xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x2x?x8xbf16>
  %v79 = tensor.extract_slice %v75[0, 0, 0, 4] [1, 2, %T, 4] [1, 1, 1, 1] : tensor<1x2x?x8xbf16> to tensor<1x2x?x4xbf16>
  %v80 = tensor.empty(%T) : tensor<1x2x?x4xbf16>
  %g81 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v79 : tensor<1x2x?x4xbf16>) outs(%v80 : tensor<1x2x?x4xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %r = arith.negf %in0 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x2x?x4xbf16>
  %v82 = tensor.extract_slice %v75[0, 0, 0, 0] [1, 2, %T, 4] [1, 1, 1, 1] : tensor<1x2x?x8xbf16> to tensor<1x2x?x4xbf16>
  %v83 = tensor.concat dim(3) %g81, %v82 : (tensor<1x2x?x4xbf16>, tensor<1x2x?x4xbf16>) -> tensor<1x2x?x8xbf16>
  %v84 = tensor.empty(%T) : tensor<1x2x?x8xbf16>
  %g85 = linalg.generic {indexing_maps = [#m0_0, #m0_4, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v83, %v60 : tensor<1x2x?x8xbf16>, tensor<1x1x?x8xbf16>) outs(%v84 : tensor<1x2x?x8xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x2x?x8xbf16>
  %v86 = tensor.empty(%T) : tensor<1x2x?x8xbf16>
  %g87 = linalg.generic {indexing_maps = [#m0_0, #m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g78, %g85 : tensor<1x2x?x8xbf16>, tensor<1x2x?x8xbf16>) outs(%v86 : tensor<1x2x?x8xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.addf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x2x?x8xbf16>
  %v88 = tensor.concat dim(3) %g87, %v76 : (tensor<1x2x?x8xbf16>, tensor<1x2x?x24xbf16>) -> tensor<1x2x?x32xbf16>
  %v89 = tensor.expand_shape %v88 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, %T, 32] : tensor<1x2x?x32xbf16> into tensor<1x2x1x?x32xbf16>
  %v90 = tensor.empty(%T) : tensor<1x2x2x?x32xbf16>
  %g91 = linalg.generic {indexing_maps = [#m0_5, #m0_6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v89 : tensor<1x2x1x?x32xbf16>) outs(%v90 : tensor<1x2x2x?x32xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    linalg.yield %in0 : bf16
  } -> tensor<1x2x2x?x32xbf16>
  %v92 = tensor.collapse_shape %g91 [[0], [1, 2], [3], [4]] : tensor<1x2x2x?x32xbf16> into tensor<1x4x?x32xbf16>
  %v93 = tensor.expand_shape %v58 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, %T, 32] : tensor<1x2x?x32xbf16> into tensor<1x2x1x?x32xbf16>
  %v94 = tensor.empty(%T) : tensor<1x2x2x?x32xbf16>
  %g95 = linalg.generic {indexing_maps = [#m0_5, #m0_6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v93 : tensor<1x2x1x?x32xbf16>) outs(%v94 : tensor<1x2x2x?x32xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    linalg.yield %in0 : bf16
  } -> tensor<1x2x2x?x32xbf16>
  %v96 = tensor.collapse_shape %g95 [[0], [1, 2], [3], [4]] : tensor<1x2x2x?x32xbf16> into tensor<1x4x?x32xbf16>
  %v97 = tensor.empty(%T) : tensor<1x4x32x?xbf16>
  %v98 = linalg.transpose ins(%v92 : tensor<1x4x?x32xbf16>) outs(%v97 : tensor<1x4x32x?xbf16>) permutation = [0, 1, 3, 2]
  %v99 = tensor.collapse_shape %v74 [[0, 1], [2], [3]] : tensor<1x4x?x32xbf16> into tensor<4x?x32xbf16>
  %v100 = tensor.collapse_shape %v98 [[0, 1], [2], [3]] : tensor<1x4x32x?xbf16> into tensor<4x32x?xbf16>
  %v101 = tensor.empty(%T, %T) : tensor<4x?x?xf32>
  %v102 = linalg.fill ins(%c1 : f32) outs(%v101 : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %v103 = linalg.batch_matmul ins(%v99, %v100 : tensor<4x?x32xbf16>, tensor<4x32x?xbf16>) outs(%v102 : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %v104 = tensor.empty(%T, %T) : tensor<4x?x?xbf16>
  %g105 = linalg.generic {indexing_maps = [#m0_7, #m0_7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v103 : tensor<4x?x?xf32>) outs(%v104 : tensor<4x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x?x?xbf16>
  %v106 = tensor.expand_shape %g105 [[0, 1], [2], [3]] output_shape [1, 4, %T, %T] : tensor<4x?x?xbf16> into tensor<1x4x?x?xbf16>
  %v107 = tensor.empty(%T, %T) : tensor<1x4x?x?xbf16>
  %g108 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v106 : tensor<1x4x?x?xbf16>) outs(%v107 : tensor<1x4x?x?xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %x = arith.truncf %c5 : f64 to bf16
    %r = arith.mulf %in0, %x : bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x?xbf16>
  %v109 = tensor.empty(%T) : tensor<?xi64>
  %g110 = linalg.generic {indexing_maps = [#m0_2], iterator_types = ["parallel"]} outs(%v109 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v111 = tensor.expand_shape %g110 [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v112 = tensor.empty(%T) : tensor<?xi64>
  %g113 = linalg.generic {indexing_maps = [#m0_2], iterator_types = ["parallel"]} outs(%v112 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v114 = tensor.expand_shape %g113 [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v115 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g116 = linalg.generic {indexing_maps = [#m0_8, #m0_9, #m0_10], iterator_types = ["parallel", "parallel"]} ins(%v114, %v111 : tensor<1x?xi64>, tensor<?x1xi64>) outs(%v115 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v117 = tensor.empty(%T, %T) : tensor<1x4x?x?xbf16>
  %g118 = linalg.generic {indexing_maps = [#m0_11, #m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g116, %g108 : tensor<?x?xi1>, tensor<1x4x?x?xbf16>) outs(%v117 : tensor<1x4x?x?xbf16>) {
  ^bb0(%in0: i1, %in1: bf16, %out0: bf16):
    %r = arith.select %in0, %in1, %c6 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x?xbf16>
  %v119 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g120 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g118 : tensor<1x4x?x?xbf16>) outs(%v119 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v121 = tensor.empty(%T) : tensor<1x4x?xi64>
  %v122 = linalg.fill ins(%c7 : i64) outs(%v121 : tensor<1x4x?xi64>) -> tensor<1x4x?xi64>
  %v123 = tensor.empty(%T) : tensor<1x4x?xf32>
  %v124 = linalg.fill ins(%c8 : f32) outs(%v123 : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %g125:2 = linalg.generic {indexing_maps = [#m0_0, #m0_12, #m0_12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g120 : tensor<1x4x?x?xf32>) outs(%v124, %v122 : tensor<1x4x?xf32>, tensor<1x4x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x4x?xf32>, tensor<1x4x?xi64>)
  %v126 = tensor.expand_shape %g125#0 [[0], [1], [2, 3]] output_shape [1, 4, %T, 1] : tensor<1x4x?xf32> into tensor<1x4x?x1xf32>
  %v127 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g128 = linalg.generic {indexing_maps = [#m0_0, #m0_1, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g120, %v126 : tensor<1x4x?x?xf32>, tensor<1x4x?x1xf32>) outs(%v127 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v129 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g130 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g128 : tensor<1x4x?x?xf32>) outs(%v129 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v131 = tensor.empty(%T) : tensor<1x4x?x1xf32>
  %v132 = linalg.fill ins(%c1 : f32) outs(%v131 : tensor<1x4x?x1xf32>) -> tensor<1x4x?x1xf32>
  %g133 = linalg.generic {indexing_maps = [#m0_0, #m0_1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g130 : tensor<1x4x?x?xf32>) outs(%v132 : tensor<1x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x1xf32>
  %v134 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g135 = linalg.generic {indexing_maps = [#m0_0, #m0_1, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g130, %g133 : tensor<1x4x?x?xf32>, tensor<1x4x?x1xf32>) outs(%v134 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v136 = tensor.empty(%T, %T) : tensor<1x4x?x?xbf16>
  %g137 = linalg.generic {indexing_maps = [#m0_0, #m0_0], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g135 : tensor<1x4x?x?xf32>) outs(%v136 : tensor<1x4x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x?xbf16>
  %v138 = tensor.collapse_shape %g137 [[0, 1], [2], [3]] : tensor<1x4x?x?xbf16> into tensor<4x?x?xbf16>
  %v139 = tensor.collapse_shape %v96 [[0, 1], [2], [3]] : tensor<1x4x?x32xbf16> into tensor<4x?x32xbf16>
  %v140 = tensor.empty(%T) : tensor<4x?x32xf32>
  %v141 = linalg.fill ins(%c1 : f32) outs(%v140 : tensor<4x?x32xf32>) -> tensor<4x?x32xf32>
  %v142 = linalg.batch_matmul ins(%v138, %v139 : tensor<4x?x?xbf16>, tensor<4x?x32xbf16>) outs(%v141 : tensor<4x?x32xf32>) -> tensor<4x?x32xf32>
  %v143 = tensor.empty(%T) : tensor<4x?x32xbf16>
  %g144 = linalg.generic {indexing_maps = [#m0_7, #m0_7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v142 : tensor<4x?x32xf32>) outs(%v143 : tensor<4x?x32xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x?x32xbf16>
  %v145 = tensor.expand_shape %g144 [[0, 1], [2], [3]] output_shape [1, 4, %T, 32] : tensor<4x?x32xbf16> into tensor<1x4x?x32xbf16>
  %v146 = tensor.empty(%T) : tensor<1x?x4x32xbf16>
  %v147 = linalg.transpose ins(%v145 : tensor<1x4x?x32xbf16>) outs(%v146 : tensor<1x?x4x32xbf16>) permutation = [0, 2, 1, 3]
  %v148 = tensor.collapse_shape %v147 [[0], [1], [2, 3]] : tensor<1x?x4x32xbf16> into tensor<1x?x128xbf16>
  %v149 = tensor.empty(%T) : tensor<1x?x128xbf16>
  %g150 = linalg.generic {indexing_maps = [#m0_7, #m0_7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v4 : tensor<1x?x128xbf16>) outs(%v149 : tensor<1x?x128xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %n = arith.negf %in0 : bf16
    %e = math.exp %n : bf16
    %a = arith.addf %e, %c9 : bf16
    %r = arith.divf %c9, %a : bf16
    linalg.yield %r : bf16
  } -> tensor<1x?x128xbf16>
  %v151 = tensor.empty(%T) : tensor<1x?x128xbf16>
  %g152 = linalg.generic {indexing_maps = [#m0_7, #m0_7, #m0_7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v148, %g150 : tensor<1x?x128xbf16>, tensor<1x?x128xbf16>) outs(%v151 : tensor<1x?x128xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x?x128xbf16>
  return %g152 : tensor<1x?x128xbf16>
}
