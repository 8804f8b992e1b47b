// Rotations by complex numbers that are seen as pairs again by the parity of a position;
// any number of tokens.

// RUN: linalg-ext-check-program %s --sizes=1x37x4x16,1x37x4x16,1x37x4x16,37x8,37x8 \
// RUN:   --max-buffer-bytes=5475 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @rope_real(%a_q: tensor<1x?x4x16xbf16>,
    %a_k: tensor<1x?x4x16xbf16>,
    %a_v: tensor<1x?x4x16xbf16>,
    %a_fre: tensor<?x8xf32>,
    %a_fim: tensor<?x8xf32>) -> (tensor<1x?x64xbf16>) {
  %c0 = arith.constant 1 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 2.500000000e-01 : f64
  %c3 = arith.constant 0 : i64
  %c4 = arith.constant 0xFF800000 : f32
  %T = tensor.dim %a_q, %c0 : tensor<1x?x4x16xbf16>
  %v1 = tensor.empty(%T) : tensor<?x8xcomplex<f32>>
  %g2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%a_fre, %a_fim : tensor<?x8xf32>, tensor<?x8xf32>) outs(%v1 : tensor<?x8xcomplex<f32>>) {
  ^bb0(%in0: f32, %in1: f32, %out0: complex<f32>):
    %r = complex.create %in0, %in1 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<?x8xcomplex<f32>>
  %v3 = tensor.empty(%T) : tensor<1x?x4x16xf32>
  %g4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_q : tensor<1x?x4x16xbf16>) outs(%v3 : tensor<1x?x4x16xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x?x4x16xf32>
  %v5 = tensor.expand_shape %g4 [[0], [1], [2], [3, 4]] output_shape [1, %T, 4, 8, 2] : tensor<1x?x4x16xf32> into tensor<1x?x4x8x2xf32>
  %v6 = tensor.extract_slice %v5[0, 0, 0, 0, 0] [1, %T, 4, 8, 1] [1, 1, 1, 1, 1] : tensor<1x?x4x8x2xf32> to tensor<1x?x4x8x1xf32>
  %v7 = tensor.extract_slice %v5[0, 0, 0, 0, 1] [1, %T, 4, 8, 1] [1, 1, 1, 1, 1] : tensor<1x?x4x8x2xf32> to tensor<1x?x4x8x1xf32>
  %v8 = tensor.collapse_shape %v6 [[0], [1], [2], [3, 4]] : tensor<1x?x4x8x1xf32> into tensor<1x?x4x8xf32>
  %v9 = tensor.collapse_shape %v7 [[0], [1], [2], [3, 4]] : tensor<1x?x4x8x1xf32> into tensor<1x?x4x8xf32>
  %v10 = tensor.empty(%T) : tensor<1x?x4x8xcomplex<f32>>
  %g11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v8, %v9 : tensor<1x?x4x8xf32>, tensor<1x?x4x8xf32>) outs(%v10 : tensor<1x?x4x8xcomplex<f32>>) {
  ^bb0(%in0: f32, %in1: f32, %out0: complex<f32>):
    %r = complex.create %in0, %in1 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<1x?x4x8xcomplex<f32>>
  %v12 = tensor.expand_shape %g2 [[0, 1], [2, 3]] output_shape [1, %T, 1, 8] : tensor<?x8xcomplex<f32>> into tensor<1x?x1x8xcomplex<f32>>
  %v13 = tensor.empty(%T) : tensor<1x?x4x8xcomplex<f32>>
  %g14 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g11, %v12 : tensor<1x?x4x8xcomplex<f32>>, tensor<1x?x1x8xcomplex<f32>>) outs(%v13 : tensor<1x?x4x8xcomplex<f32>>) {
  ^bb0(%in0: complex<f32>, %in1: complex<f32>, %out0: complex<f32>):
    %r = complex.mul %in0, %in1 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<1x?x4x8xcomplex<f32>>
  %v15 = tensor.empty(%T) : tensor<1x?x4x8x2xf32>
  %g16 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g14 : tensor<1x?x4x8xcomplex<f32>>) outs(%v15 : tensor<1x?x4x8x2xf32>) {
  ^bb0(%in0: complex<f32>, %out0: f32):
    %i = linalg.index 4 : index
    %z = arith.constant 0 : index
    %c = arith.cmpi eq, %i, %z : index
    %a = complex.re %in0 : complex<f32>
    %b = complex.im %in0 : complex<f32>
    %r = arith.select %c, %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x?x4x8x2xf32>
  %v17 = tensor.collapse_shape %g16 [[0], [1], [2], [3, 4]] : tensor<1x?x4x8x2xf32> into tensor<1x?x4x16xf32>
  %v18 = tensor.empty(%T) : tensor<1x?x4x16xbf16>
  %g19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v17 : tensor<1x?x4x16xf32>) outs(%v18 : tensor<1x?x4x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x?x4x16xbf16>
  %v20 = tensor.empty(%T) : tensor<1x4x?x16xbf16>
  %v21 = linalg.transpose ins(%g19 : tensor<1x?x4x16xbf16>) outs(%v20 : tensor<1x4x?x16xbf16>) permutation = [0, 2, 1, 3]
  %v22 = tensor.empty(%T) : tensor<1x?x4x16xf32>
  %g23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_k : tensor<1x?x4x16xbf16>) outs(%v22 : tensor<1x?x4x16xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x?x4x16xf32>
  %v24 = tensor.expand_shape %g23 [[0], [1], [2], [3, 4]] output_shape [1, %T, 4, 8, 2] : tensor<1x?x4x16xf32> into tensor<1x?x4x8x2xf32>
  %v25 = tensor.extract_slice %v24[0, 0, 0, 0, 0] [1, %T, 4, 8, 1] [1, 1, 1, 1, 1] : tensor<1x?x4x8x2xf32> to tensor<1x?x4x8x1xf32>
  %v26 = tensor.extract_slice %v24[0, 0, 0, 0, 1] [1, %T, 4, 8, 1] [1, 1, 1, 1, 1] : tensor<1x?x4x8x2xf32> to tensor<1x?x4x8x1xf32>
  %v27 = tensor.collapse_shape %v25 [[0], [1], [2], [3, 4]] : tensor<1x?x4x8x1xf32> into tensor<1x?x4x8xf32>
  %v28 = tensor.collapse_shape %v26 [[0], [1], [2], [3, 4]] : tensor<1x?x4x8x1xf32> into tensor<1x?x4x8xf32>
  %v29 = tensor.empty(%T) : tensor<1x?x4x8xcomplex<f32>>
  %g30 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v27, %v28 : tensor<1x?x4x8xf32>, tensor<1x?x4x8xf32>) outs(%v29 : tensor<1x?x4x8xcomplex<f32>>) {
  ^bb0(%in0: f32, %in1: f32, %out0: complex<f32>):
    %r = complex.create %in0, %in1 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<1x?x4x8xcomplex<f32>>
  %v31 = tensor.expand_shape %g2 [[0, 1], [2, 3]] output_shape [1, %T, 1, 8] : tensor<?x8xcomplex<f32>> into tensor<1x?x1x8xcomplex<f32>>
  %v32 = tensor.empty(%T) : tensor<1x?x4x8xcomplex<f32>>
  %g33 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g30, %v31 : tensor<1x?x4x8xcomplex<f32>>, tensor<1x?x1x8xcomplex<f32>>) outs(%v32 : tensor<1x?x4x8xcomplex<f32>>) {
  ^bb0(%in0: complex<f32>, %in1: complex<f32>, %out0: complex<f32>):
    %r = complex.mul %in0, %in1 : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<1x?x4x8xcomplex<f32>>
  %v34 = tensor.empty(%T) : tensor<1x?x4x8x2xf32>
  %g35 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%g33 : tensor<1x?x4x8xcomplex<f32>>) outs(%v34 : tensor<1x?x4x8x2xf32>) {
  ^bb0(%in0: complex<f32>, %out0: f32):
    %i = linalg.index 4 : index
    %z = arith.constant 0 : index
    %c = arith.cmpi eq, %i, %z : index
    %a = complex.re %in0 : complex<f32>
    %b = complex.im %in0 : complex<f32>
    %r = arith.select %c, %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1x?x4x8x2xf32>
  %v36 = tensor.collapse_shape %g35 [[0], [1], [2], [3, 4]] : tensor<1x?x4x8x2xf32> into tensor<1x?x4x16xf32>
  %v37 = tensor.empty(%T) : tensor<1x?x4x16xbf16>
  %g38 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v36 : tensor<1x?x4x16xf32>) outs(%v37 : tensor<1x?x4x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x?x4x16xbf16>
  %v39 = tensor.empty(%T) : tensor<1x4x?x16xbf16>
  %v40 = linalg.transpose ins(%g38 : tensor<1x?x4x16xbf16>) outs(%v39 : tensor<1x4x?x16xbf16>) permutation = [0, 2, 1, 3]
  %v41 = tensor.empty(%T) : tensor<1x4x16x?xbf16>
  %v42 = linalg.transpose ins(%v40 : tensor<1x4x?x16xbf16>) outs(%v41 : tensor<1x4x16x?xbf16>) permutation = [0, 1, 3, 2]
  %v43 = tensor.collapse_shape %v21 [[0, 1], [2], [3]] : tensor<1x4x?x16xbf16> into tensor<4x?x16xbf16>
  %v44 = tensor.collapse_shape %v42 [[0, 1], [2], [3]] : tensor<1x4x16x?xbf16> into tensor<4x16x?xbf16>
  %v45 = tensor.empty(%T, %T) : tensor<4x?x?xf32>
  %v46 = linalg.fill ins(%c1 : f32) outs(%v45 : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %v47 = linalg.batch_matmul ins(%v43, %v44 : tensor<4x?x16xbf16>, tensor<4x16x?xbf16>) outs(%v46 : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %v48 = tensor.empty(%T, %T) : tensor<4x?x?xbf16>
  %g49 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v47 : tensor<4x?x?xf32>) outs(%v48 : tensor<4x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x?x?xbf16>
  %v50 = tensor.expand_shape %g49 [[0, 1], [2], [3]] output_shape [1, 4, %T, %T] : tensor<4x?x?xbf16> into tensor<1x4x?x?xbf16>
  %v51 = tensor.empty(%T, %T) : tensor<1x4x?x?xbf16>
  %g52 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v50 : tensor<1x4x?x?xbf16>) outs(%v51 : tensor<1x4x?x?xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %x = arith.truncf %c2 : f64 to bf16
    %r = arith.mulf %in0, %x : bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x?xbf16>
  %v53 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g54 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g52 : tensor<1x4x?x?xbf16>) outs(%v53 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v55 = tensor.empty(%T) : tensor<1x4x?xi64>
  %v56 = linalg.fill ins(%c3 : i64) outs(%v55 : tensor<1x4x?xi64>) -> tensor<1x4x?xi64>
  %v57 = tensor.empty(%T) : tensor<1x4x?xf32>
  %v58 = linalg.fill ins(%c4 : f32) outs(%v57 : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %g59:2 = linalg.generic {indexing_maps = [#map1, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g54 : tensor<1x4x?x?xf32>) outs(%v58, %v56 : tensor<1x4x?xf32>, tensor<1x4x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x4x?xf32>, tensor<1x4x?xi64>)
  %v60 = tensor.expand_shape %g59#0 [[0], [1], [2, 3]] output_shape [1, 4, %T, 1] : tensor<1x4x?xf32> into tensor<1x4x?x1xf32>
  %v61 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g62 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g54, %v60 : tensor<1x4x?x?xf32>, tensor<1x4x?x1xf32>) outs(%v61 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v63 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g64 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g62 : tensor<1x4x?x?xf32>) outs(%v63 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v65 = tensor.empty(%T) : tensor<1x4x?x1xf32>
  %v66 = linalg.fill ins(%c1 : f32) outs(%v65 : tensor<1x4x?x1xf32>) -> tensor<1x4x?x1xf32>
  %g67 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g64 : tensor<1x4x?x?xf32>) outs(%v66 : tensor<1x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x1xf32>
  %v68 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g69 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g64, %g67 : tensor<1x4x?x?xf32>, tensor<1x4x?x1xf32>) outs(%v68 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v70 = tensor.empty(%T, %T) : tensor<1x4x?x?xbf16>
  %g71 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g69 : tensor<1x4x?x?xf32>) outs(%v70 : tensor<1x4x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x?xbf16>
  %v72 = tensor.empty(%T) : tensor<1x4x?x16xbf16>
  %v73 = linalg.transpose ins(%a_v : tensor<1x?x4x16xbf16>) outs(%v72 : tensor<1x4x?x16xbf16>) permutation = [0, 2, 1, 3]
  %v74 = tensor.collapse_shape %g71 [[0, 1], [2], [3]] : tensor<1x4x?x?xbf16> into tensor<4x?x?xbf16>
  %v75 = tensor.collapse_shape %v73 [[0, 1], [2], [3]] : tensor<1x4x?x16xbf16> into tensor<4x?x16xbf16>
  %v76 = tensor.empty(%T) : tensor<4x?x16xf32>
  %v77 = linalg.fill ins(%c1 : f32) outs(%v76 : tensor<4x?x16xf32>) -> tensor<4x?x16xf32>
  %v78 = linalg.batch_matmul ins(%v74, %v75 : tensor<4x?x?xbf16>, tensor<4x?x16xbf16>) outs(%v77 : tensor<4x?x16xf32>) -> tensor<4x?x16xf32>
  %v79 = tensor.empty(%T) : tensor<4x?x16xbf16>
  %g80 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v78 : tensor<4x?x16xf32>) outs(%v79 : tensor<4x?x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x?x16xbf16>
  %v81 = tensor.expand_shape %g80 [[0, 1], [2], [3]] output_shape [1, 4, %T, 16] : tensor<4x?x16xbf16> into tensor<1x4x?x16xbf16>
  %v82 = tensor.empty(%T) : tensor<1x?x4x16xbf16>
  %v83 = linalg.transpose ins(%v81 : tensor<1x4x?x16xbf16>) outs(%v82 : tensor<1x?x4x16xbf16>) permutation = [0, 2, 1, 3]
  %v84 = tensor.collapse_shape %v83 [[0], [1], [2, 3]] : tensor<1x?x4x16xbf16> into tensor<1x?x64xbf16>
  return %v84 : tensor<1x?x64xbf16>
}
