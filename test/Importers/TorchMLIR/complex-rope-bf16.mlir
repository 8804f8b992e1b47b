// Rotary positions of Llama 4 and DeepSeek: two columns are one complex number, and each
// position multiplies it by another one.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=5476 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0, d1) -> (d0, 0)>
#map8 = affine_map<(d0, d1) -> (0, d1)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @complex_rope(%a_q: tensor<2x37x4x16xbf16>,
    %a_k: tensor<2x37x2x16xbf16>,
    %a_v: tensor<2x37x2x16xbf16>,
    %a_freqs_re: tensor<37x8xf32>,
    %a_freqs_im: tensor<37x8xf32>) -> (tensor<2x37x64xbf16>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 2.500000000e-01 : f64
  %c2 = arith.constant 0xFF80 : bf16
  %c3 = arith.constant 0 : i64
  %c4 = arith.constant 0xFF800000 : f32
  %v1 = tensor.empty() : tensor<2x37x4x16xf32>
  %g2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_q : tensor<2x37x4x16xbf16>) outs(%v1 : tensor<2x37x4x16xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<2x37x4x16xf32>
  %v3 = tensor.expand_shape %g2 [[0], [1], [2], [3, 4]] output_shape [2, 37, 4, 8, 2] : tensor<2x37x4x16xf32> into tensor<2x37x4x8x2xf32>
  %v4 = tensor.extract_slice %v3[0, 0, 0, 0, 0] [2, 37, 4, 8, 1] [1, 1, 1, 1, 1] : tensor<2x37x4x8x2xf32> to tensor<2x37x4x8x1xf32>
  %v5 = tensor.extract_slice %v3[0, 0, 0, 0, 1] [2, 37, 4, 8, 1] [1, 1, 1, 1, 1] : tensor<2x37x4x8x2xf32> to tensor<2x37x4x8x1xf32>
  %v6 = tensor.collapse_shape %v4 [[0], [1], [2], [3, 4]] : tensor<2x37x4x8x1xf32> into tensor<2x37x4x8xf32>
  %v7 = tensor.collapse_shape %v5 [[0], [1], [2], [3, 4]] : tensor<2x37x4x8x1xf32> into tensor<2x37x4x8xf32>
  %v8 = tensor.empty() : tensor<2x37x4x8xcomplex<f32>>
  %g9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v6, %v7 : tensor<2x37x4x8xf32>, tensor<2x37x4x8xf32>) outs(%v8 : tensor<2x37x4x8xcomplex<f32>>) {
  ^bb0(%in0: f32, %in1: f32, %out0: complex<f32>):
    %r = complex.create %in0, %in1 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<2x37x4x8xcomplex<f32>>
  %v10 = tensor.empty() : tensor<37x8xcomplex<f32>>
  %g11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%a_freqs_re, %a_freqs_im : tensor<37x8xf32>, tensor<37x8xf32>) outs(%v10 : tensor<37x8xcomplex<f32>>) {
  ^bb0(%in0: f32, %in1: f32, %out0: complex<f32>):
    %r = complex.create %in0, %in1 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<37x8xcomplex<f32>>
  %v12 = tensor.expand_shape %g11 [[0, 1], [2, 3]] output_shape [1, 37, 1, 8] : tensor<37x8xcomplex<f32>> into tensor<1x37x1x8xcomplex<f32>>
  %v13 = tensor.empty() : tensor<2x37x4x8xcomplex<f32>>
  %g14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g9, %v12 : tensor<2x37x4x8xcomplex<f32>>, tensor<1x37x1x8xcomplex<f32>>) outs(%v13 : tensor<2x37x4x8xcomplex<f32>>) {
  ^bb0(%in0: complex<f32>, %in1: complex<f32>, %out0: complex<f32>):
    %r = complex.mul %in0, %in1 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<2x37x4x8xcomplex<f32>>
  %v15 = tensor.empty() : tensor<2x37x4x8xf32>
  %g16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g14 : tensor<2x37x4x8xcomplex<f32>>) outs(%v15 : tensor<2x37x4x8xf32>) {
  ^bb0(%in0: complex<f32>, %out0: f32):
    %r = complex.re %in0 : complex<f32>
    linalg.yield %r : f32
  } -> tensor<2x37x4x8xf32>
  %v17 = tensor.empty() : tensor<2x37x4x8xf32>
  %g18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g14 : tensor<2x37x4x8xcomplex<f32>>) outs(%v17 : tensor<2x37x4x8xf32>) {
  ^bb0(%in0: complex<f32>, %out0: f32):
    %r = complex.im %in0 : complex<f32>
    linalg.yield %r : f32
  } -> tensor<2x37x4x8xf32>
  %v19 = tensor.expand_shape %g16 [[0], [1], [2], [3, 4]] output_shape [2, 37, 4, 8, 1] : tensor<2x37x4x8xf32> into tensor<2x37x4x8x1xf32>
  %v20 = tensor.expand_shape %g18 [[0], [1], [2], [3, 4]] output_shape [2, 37, 4, 8, 1] : tensor<2x37x4x8xf32> into tensor<2x37x4x8x1xf32>
  %v21 = tensor.concat dim(4) %v19, %v20 : (tensor<2x37x4x8x1xf32>, tensor<2x37x4x8x1xf32>) -> tensor<2x37x4x8x2xf32>
  %v22 = tensor.collapse_shape %v21 [[0], [1], [2], [3, 4]] : tensor<2x37x4x8x2xf32> into tensor<2x37x4x16xf32>
  %v23 = tensor.empty() : tensor<2x37x4x16xbf16>
  %g24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v22 : tensor<2x37x4x16xf32>) outs(%v23 : tensor<2x37x4x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x37x4x16xbf16>
  %v25 = tensor.empty() : tensor<2x4x37x16xbf16>
  %v26 = linalg.transpose ins(%g24 : tensor<2x37x4x16xbf16>) outs(%v25 : tensor<2x4x37x16xbf16>) permutation = [0, 2, 1, 3]
  %v27 = tensor.empty() : tensor<2x37x2x16xf32>
  %g28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_k : tensor<2x37x2x16xbf16>) outs(%v27 : tensor<2x37x2x16xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<2x37x2x16xf32>
  %v29 = tensor.expand_shape %g28 [[0], [1], [2], [3, 4]] output_shape [2, 37, 2, 8, 2] : tensor<2x37x2x16xf32> into tensor<2x37x2x8x2xf32>
  %v30 = tensor.extract_slice %v29[0, 0, 0, 0, 0] [2, 37, 2, 8, 1] [1, 1, 1, 1, 1] : tensor<2x37x2x8x2xf32> to tensor<2x37x2x8x1xf32>
  %v31 = tensor.extract_slice %v29[0, 0, 0, 0, 1] [2, 37, 2, 8, 1] [1, 1, 1, 1, 1] : tensor<2x37x2x8x2xf32> to tensor<2x37x2x8x1xf32>
  %v32 = tensor.collapse_shape %v30 [[0], [1], [2], [3, 4]] : tensor<2x37x2x8x1xf32> into tensor<2x37x2x8xf32>
  %v33 = tensor.collapse_shape %v31 [[0], [1], [2], [3, 4]] : tensor<2x37x2x8x1xf32> into tensor<2x37x2x8xf32>
  %v34 = tensor.empty() : tensor<2x37x2x8xcomplex<f32>>
  %g35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v32, %v33 : tensor<2x37x2x8xf32>, tensor<2x37x2x8xf32>) outs(%v34 : tensor<2x37x2x8xcomplex<f32>>) {
  ^bb0(%in0: f32, %in1: f32, %out0: complex<f32>):
    %r = complex.create %in0, %in1 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<2x37x2x8xcomplex<f32>>
  %v36 = tensor.empty() : tensor<37x8xcomplex<f32>>
  %g37 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%a_freqs_re, %a_freqs_im : tensor<37x8xf32>, tensor<37x8xf32>) outs(%v36 : tensor<37x8xcomplex<f32>>) {
  ^bb0(%in0: f32, %in1: f32, %out0: complex<f32>):
    %r = complex.create %in0, %in1 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<37x8xcomplex<f32>>
  %v38 = tensor.expand_shape %g37 [[0, 1], [2, 3]] output_shape [1, 37, 1, 8] : tensor<37x8xcomplex<f32>> into tensor<1x37x1x8xcomplex<f32>>
  %v39 = tensor.empty() : tensor<2x37x2x8xcomplex<f32>>
  %g40 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g35, %v38 : tensor<2x37x2x8xcomplex<f32>>, tensor<1x37x1x8xcomplex<f32>>) outs(%v39 : tensor<2x37x2x8xcomplex<f32>>) {
  ^bb0(%in0: complex<f32>, %in1: complex<f32>, %out0: complex<f32>):
    %r = complex.mul %in0, %in1 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<2x37x2x8xcomplex<f32>>
  %v41 = tensor.empty() : tensor<2x37x2x8xf32>
  %g42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g40 : tensor<2x37x2x8xcomplex<f32>>) outs(%v41 : tensor<2x37x2x8xf32>) {
  ^bb0(%in0: complex<f32>, %out0: f32):
    %r = complex.re %in0 : complex<f32>
    linalg.yield %r : f32
  } -> tensor<2x37x2x8xf32>
  %v43 = tensor.empty() : tensor<2x37x2x8xf32>
  %g44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g40 : tensor<2x37x2x8xcomplex<f32>>) outs(%v43 : tensor<2x37x2x8xf32>) {
  ^bb0(%in0: complex<f32>, %out0: f32):
    %r = complex.im %in0 : complex<f32>
    linalg.yield %r : f32
  } -> tensor<2x37x2x8xf32>
  %v45 = tensor.expand_shape %g42 [[0], [1], [2], [3, 4]] output_shape [2, 37, 2, 8, 1] : tensor<2x37x2x8xf32> into tensor<2x37x2x8x1xf32>
  %v46 = tensor.expand_shape %g44 [[0], [1], [2], [3, 4]] output_shape [2, 37, 2, 8, 1] : tensor<2x37x2x8xf32> into tensor<2x37x2x8x1xf32>
  %v47 = tensor.concat dim(4) %v45, %v46 : (tensor<2x37x2x8x1xf32>, tensor<2x37x2x8x1xf32>) -> tensor<2x37x2x8x2xf32>
  %v48 = tensor.collapse_shape %v47 [[0], [1], [2], [3, 4]] : tensor<2x37x2x8x2xf32> into tensor<2x37x2x16xf32>
  %v49 = tensor.empty() : tensor<2x37x2x16xbf16>
  %g50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v48 : tensor<2x37x2x16xf32>) outs(%v49 : tensor<2x37x2x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x37x2x16xbf16>
  %v51 = tensor.empty() : tensor<2x2x37x16xbf16>
  %v52 = linalg.transpose ins(%g50 : tensor<2x37x2x16xbf16>) outs(%v51 : tensor<2x2x37x16xbf16>) permutation = [0, 2, 1, 3]
  %v53 = tensor.empty() : tensor<2x2x37x16xbf16>
  %v54 = linalg.transpose ins(%a_v : tensor<2x37x2x16xbf16>) outs(%v53 : tensor<2x2x37x16xbf16>) permutation = [0, 2, 1, 3]
  %v55 = tensor.expand_shape %v54 [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, 37, 16] : tensor<2x2x37x16xbf16> into tensor<2x2x1x37x16xbf16>
  %v56 = tensor.empty() : tensor<2x2x2x37x16xbf16>
  %g57 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v55 : tensor<2x2x1x37x16xbf16>) outs(%v56 : tensor<2x2x2x37x16xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    linalg.yield %in0 : bf16
  } -> tensor<2x2x2x37x16xbf16>
  %v58 = tensor.collapse_shape %g57 [[0], [1, 2], [3], [4]] : tensor<2x2x2x37x16xbf16> into tensor<2x4x37x16xbf16>
  %v59 = tensor.expand_shape %v52 [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, 37, 16] : tensor<2x2x37x16xbf16> into tensor<2x2x1x37x16xbf16>
  %v60 = tensor.empty() : tensor<2x2x2x37x16xbf16>
  %g61 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v59 : tensor<2x2x1x37x16xbf16>) outs(%v60 : tensor<2x2x2x37x16xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    linalg.yield %in0 : bf16
  } -> tensor<2x2x2x37x16xbf16>
  %v62 = tensor.collapse_shape %g61 [[0], [1, 2], [3], [4]] : tensor<2x2x2x37x16xbf16> into tensor<2x4x37x16xbf16>
  %v63 = tensor.empty() : tensor<2x4x16x37xbf16>
  %v64 = linalg.transpose ins(%v62 : tensor<2x4x37x16xbf16>) outs(%v63 : tensor<2x4x16x37xbf16>) permutation = [0, 1, 3, 2]
  %v65 = tensor.collapse_shape %v26 [[0, 1], [2], [3]] : tensor<2x4x37x16xbf16> into tensor<8x37x16xbf16>
  %v66 = tensor.collapse_shape %v64 [[0, 1], [2], [3]] : tensor<2x4x16x37xbf16> into tensor<8x16x37xbf16>
  %v67 = tensor.empty() : tensor<8x37x37xf32>
  %v68 = linalg.fill ins(%c0 : f32) outs(%v67 : tensor<8x37x37xf32>) -> tensor<8x37x37xf32>
  %v69 = linalg.batch_matmul ins(%v65, %v66 : tensor<8x37x16xbf16>, tensor<8x16x37xbf16>) outs(%v68 : tensor<8x37x37xf32>) -> tensor<8x37x37xf32>
  %v70 = tensor.empty() : tensor<8x37x37xbf16>
  %g71 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v69 : tensor<8x37x37xf32>) outs(%v70 : tensor<8x37x37xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x37x37xbf16>
  %v72 = tensor.expand_shape %g71 [[0, 1], [2], [3]] output_shape [2, 4, 37, 37] : tensor<8x37x37xbf16> into tensor<2x4x37x37xbf16>
  %v73 = tensor.empty() : tensor<2x4x37x37xbf16>
  %g74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v72 : tensor<2x4x37x37xbf16>) outs(%v73 : tensor<2x4x37x37xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %x = arith.truncf %c1 : f64 to bf16
    %r = arith.mulf %in0, %x : bf16
    linalg.yield %r : bf16
  } -> tensor<2x4x37x37xbf16>
  %v75 = tensor.empty() : tensor<37xi64>
  %g76 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%v75 : tensor<37xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<37xi64>
  %v77 = tensor.expand_shape %g76 [[0, 1]] output_shape [37, 1] : tensor<37xi64> into tensor<37x1xi64>
  %v78 = tensor.empty() : tensor<37xi64>
  %g79 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel"]} outs(%v78 : tensor<37xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<37xi64>
  %v80 = tensor.expand_shape %g79 [[0, 1]] output_shape [1, 37] : tensor<37xi64> into tensor<1x37xi64>
  %v81 = tensor.empty() : tensor<37x37xi1>
  %g82 = linalg.generic {indexing_maps = [#map7, #map8, #map1], iterator_types = ["parallel", "parallel"]} ins(%v77, %v80 : tensor<37x1xi64>, tensor<1x37xi64>) outs(%v81 : tensor<37x37xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<37x37xi1>
  %v83 = tensor.empty() : tensor<2x4x37x37xbf16>
  %g84 = linalg.generic {indexing_maps = [#map9, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g82, %g74 : tensor<37x37xi1>, tensor<2x4x37x37xbf16>) outs(%v83 : tensor<2x4x37x37xbf16>) {
  ^bb0(%in0: i1, %in1: bf16, %out0: bf16):
    %r = arith.select %in0, %in1, %c2 : bf16
    linalg.yield %r : bf16
  } -> tensor<2x4x37x37xbf16>
  %v85 = tensor.empty() : tensor<2x4x37x37xf32>
  %g86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g84 : tensor<2x4x37x37xbf16>) outs(%v85 : tensor<2x4x37x37xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<2x4x37x37xf32>
  %v87 = tensor.empty() : tensor<2x4x37xi64>
  %v88 = linalg.fill ins(%c3 : i64) outs(%v87 : tensor<2x4x37xi64>) -> tensor<2x4x37xi64>
  %v89 = tensor.empty() : tensor<2x4x37xf32>
  %v90 = linalg.fill ins(%c4 : f32) outs(%v89 : tensor<2x4x37xf32>) -> tensor<2x4x37xf32>
  %g91:2 = linalg.generic {indexing_maps = [#map, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g86 : tensor<2x4x37x37xf32>) outs(%v90, %v88 : tensor<2x4x37xf32>, tensor<2x4x37xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x4x37xf32>, tensor<2x4x37xi64>)
  %v92 = tensor.expand_shape %g91#0 [[0], [1], [2, 3]] output_shape [2, 4, 37, 1] : tensor<2x4x37xf32> into tensor<2x4x37x1xf32>
  %v93 = tensor.empty() : tensor<2x4x37x37xf32>
  %g94 = linalg.generic {indexing_maps = [#map, #map11, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g86, %v92 : tensor<2x4x37x37xf32>, tensor<2x4x37x1xf32>) outs(%v93 : tensor<2x4x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x37x37xf32>
  %v95 = tensor.empty() : tensor<2x4x37x37xf32>
  %g96 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g94 : tensor<2x4x37x37xf32>) outs(%v95 : tensor<2x4x37x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x37x37xf32>
  %v97 = tensor.empty() : tensor<2x4x37x1xf32>
  %v98 = linalg.fill ins(%c0 : f32) outs(%v97 : tensor<2x4x37x1xf32>) -> tensor<2x4x37x1xf32>
  %g99 = linalg.generic {indexing_maps = [#map, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g96 : tensor<2x4x37x37xf32>) outs(%v98 : tensor<2x4x37x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x37x1xf32>
  %v100 = tensor.empty() : tensor<2x4x37x37xf32>
  %g101 = linalg.generic {indexing_maps = [#map, #map11, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g96, %g99 : tensor<2x4x37x37xf32>, tensor<2x4x37x1xf32>) outs(%v100 : tensor<2x4x37x37xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x37x37xf32>
  %v102 = tensor.empty() : tensor<2x4x37x37xbf16>
  %g103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g101 : tensor<2x4x37x37xf32>) outs(%v102 : tensor<2x4x37x37xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x4x37x37xbf16>
  %v104 = tensor.collapse_shape %g103 [[0, 1], [2], [3]] : tensor<2x4x37x37xbf16> into tensor<8x37x37xbf16>
  %v105 = tensor.collapse_shape %v58 [[0, 1], [2], [3]] : tensor<2x4x37x16xbf16> into tensor<8x37x16xbf16>
  %v106 = tensor.empty() : tensor<8x37x16xf32>
  %v107 = linalg.fill ins(%c0 : f32) outs(%v106 : tensor<8x37x16xf32>) -> tensor<8x37x16xf32>
  %v108 = linalg.batch_matmul ins(%v104, %v105 : tensor<8x37x37xbf16>, tensor<8x37x16xbf16>) outs(%v107 : tensor<8x37x16xf32>) -> tensor<8x37x16xf32>
  %v109 = tensor.empty() : tensor<8x37x16xbf16>
  %g110 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v108 : tensor<8x37x16xf32>) outs(%v109 : tensor<8x37x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x37x16xbf16>
  %v111 = tensor.expand_shape %g110 [[0, 1], [2], [3]] output_shape [2, 4, 37, 16] : tensor<8x37x16xbf16> into tensor<2x4x37x16xbf16>
  %v112 = tensor.empty() : tensor<2x37x4x16xbf16>
  %v113 = linalg.transpose ins(%v111 : tensor<2x4x37x16xbf16>) outs(%v112 : tensor<2x37x4x16xbf16>) permutation = [0, 2, 1, 3]
  %v114 = tensor.collapse_shape %v113 [[0], [1], [2, 3]] : tensor<2x37x4x16xbf16> into tensor<2x37x64xbf16>
  return %v114 : tensor<2x37x64xbf16>
}
