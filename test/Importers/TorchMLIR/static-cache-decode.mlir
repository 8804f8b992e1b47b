// Transformers' StaticCache: one row of a cache is replaced, and all of the cache is read
// under a mask; the caches are results.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=767 --max-kernels=3 --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @static_cache(%a_q: tensor<2x4x1x16xbf16>,
    %a_k: tensor<2x2x1x16xbf16>,
    %a_v: tensor<2x2x1x16xbf16>,
    %a_kc: tensor<2x2x48x16xbf16>,
    %a_vc: tensor<2x2x48x16xbf16>,
    %a_pos: tensor<1xi64> {check.draw = "choose 17"}) -> (tensor<2x1x64xbf16>, tensor<2x2x48x16xbf16>, tensor<2x2x48x16xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 2.500000000e-01 : f64
  %c3 = arith.constant 0xFF7F : bf16
  %c4 = arith.constant 0 : i64
  %c5 = arith.constant 0xFF800000 : f32
  %p1 = tensor.extract %a_pos[%c0] : tensor<1xi64>
  %p2 = arith.index_cast %p1 : i64 to index
  %v3 = tensor.insert_slice %a_k into %a_kc[0, 0, %p2, 0] [2, 2, 1, 16] [1, 1, 1, 1] : tensor<2x2x1x16xbf16> into tensor<2x2x48x16xbf16>
  %v4 = tensor.insert_slice %a_v into %a_vc[0, 0, %p2, 0] [2, 2, 1, 16] [1, 1, 1, 1] : tensor<2x2x1x16xbf16> into tensor<2x2x48x16xbf16>
  %v5 = tensor.empty() : tensor<48xi64>
  %g6 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v5 : tensor<48xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<48xi64>
  %v7 = tensor.expand_shape %g6 [[0, 1]] output_shape [1, 48] : tensor<48xi64> into tensor<1x48xi64>
  %v8 = tensor.expand_shape %a_pos [[0, 1]] output_shape [1, 1] : tensor<1xi64> into tensor<1x1xi64>
  %v9 = tensor.empty() : tensor<1x48xi1>
  %g10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%v7, %v8 : tensor<1x48xi64>, tensor<1x1xi64>) outs(%v9 : tensor<1x48xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<1x48xi1>
  %v11 = tensor.expand_shape %v3 [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, 48, 16] : tensor<2x2x48x16xbf16> into tensor<2x2x1x48x16xbf16>
  %v12 = tensor.empty() : tensor<2x2x2x48x16xbf16>
  %g13 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v11 : tensor<2x2x1x48x16xbf16>) outs(%v12 : tensor<2x2x2x48x16xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    linalg.yield %in0 : bf16
  } -> tensor<2x2x2x48x16xbf16>
  %v14 = tensor.collapse_shape %g13 [[0], [1, 2], [3], [4]] : tensor<2x2x2x48x16xbf16> into tensor<2x4x48x16xbf16>
  %v15 = tensor.empty() : tensor<2x4x16x48xbf16>
  %v16 = linalg.transpose ins(%v14 : tensor<2x4x48x16xbf16>) outs(%v15 : tensor<2x4x16x48xbf16>) permutation = [0, 1, 3, 2]
  %v17 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<2x4x1x16xbf16> into tensor<8x1x16xbf16>
  %v18 = tensor.collapse_shape %v16 [[0, 1], [2], [3]] : tensor<2x4x16x48xbf16> into tensor<8x16x48xbf16>
  %v19 = tensor.empty() : tensor<8x1x48xf32>
  %v20 = linalg.fill ins(%c1 : f32) outs(%v19 : tensor<8x1x48xf32>) -> tensor<8x1x48xf32>
  %v21 = linalg.batch_matmul ins(%v17, %v18 : tensor<8x1x16xbf16>, tensor<8x16x48xbf16>) outs(%v20 : tensor<8x1x48xf32>) -> tensor<8x1x48xf32>
  %v22 = tensor.empty() : tensor<8x1x48xbf16>
  %g23 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v21 : tensor<8x1x48xf32>) outs(%v22 : tensor<8x1x48xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x1x48xbf16>
  %v24 = tensor.expand_shape %g23 [[0, 1], [2], [3]] output_shape [2, 4, 1, 48] : tensor<8x1x48xbf16> into tensor<2x4x1x48xbf16>
  %v25 = tensor.empty() : tensor<2x4x1x48xbf16>
  %g26 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v24 : tensor<2x4x1x48xbf16>) outs(%v25 : tensor<2x4x1x48xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %x = arith.truncf %c2 : f64 to bf16
    %r = arith.mulf %in0, %x : bf16
    linalg.yield %r : bf16
  } -> tensor<2x4x1x48xbf16>
  %v27 = tensor.empty() : tensor<2x4x1x48xbf16>
  %g28 = linalg.generic {indexing_maps = [#map7, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g10, %g26 : tensor<1x48xi1>, tensor<2x4x1x48xbf16>) outs(%v27 : tensor<2x4x1x48xbf16>) {
  ^bb0(%in0: i1, %in1: bf16, %out0: bf16):
    %r = arith.select %in0, %in1, %c3 : bf16
    linalg.yield %r : bf16
  } -> tensor<2x4x1x48xbf16>
  %v29 = tensor.empty() : tensor<2x4x1x48xf32>
  %g30 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g28 : tensor<2x4x1x48xbf16>) outs(%v29 : tensor<2x4x1x48xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<2x4x1x48xf32>
  %v31 = tensor.empty() : tensor<2x4x1xi64>
  %v32 = linalg.fill ins(%c4 : i64) outs(%v31 : tensor<2x4x1xi64>) -> tensor<2x4x1xi64>
  %v33 = tensor.empty() : tensor<2x4x1xf32>
  %v34 = linalg.fill ins(%c5 : f32) outs(%v33 : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  %g35:2 = linalg.generic {indexing_maps = [#map6, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g30 : tensor<2x4x1x48xf32>) outs(%v34, %v32 : tensor<2x4x1xf32>, tensor<2x4x1xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x4x1xf32>, tensor<2x4x1xi64>)
  %v36 = tensor.expand_shape %g35#0 [[0], [1], [2, 3]] output_shape [2, 4, 1, 1] : tensor<2x4x1xf32> into tensor<2x4x1x1xf32>
  %v37 = tensor.empty() : tensor<2x4x1x48xf32>
  %g38 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g30, %v36 : tensor<2x4x1x48xf32>, tensor<2x4x1x1xf32>) outs(%v37 : tensor<2x4x1x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x1x48xf32>
  %v39 = tensor.empty() : tensor<2x4x1x48xf32>
  %g40 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g38 : tensor<2x4x1x48xf32>) outs(%v39 : tensor<2x4x1x48xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x1x48xf32>
  %v41 = tensor.empty() : tensor<2x4x1x1xf32>
  %v42 = linalg.fill ins(%c1 : f32) outs(%v41 : tensor<2x4x1x1xf32>) -> tensor<2x4x1x1xf32>
  %g43 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g40 : tensor<2x4x1x48xf32>) outs(%v42 : tensor<2x4x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x1x1xf32>
  %v44 = tensor.empty() : tensor<2x4x1x48xf32>
  %g45 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g40, %g43 : tensor<2x4x1x48xf32>, tensor<2x4x1x1xf32>) outs(%v44 : tensor<2x4x1x48xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x1x48xf32>
  %v46 = tensor.empty() : tensor<2x4x1x48xbf16>
  %g47 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g45 : tensor<2x4x1x48xf32>) outs(%v46 : tensor<2x4x1x48xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x4x1x48xbf16>
  %v48 = tensor.expand_shape %v4 [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, 48, 16] : tensor<2x2x48x16xbf16> into tensor<2x2x1x48x16xbf16>
  %v49 = tensor.empty() : tensor<2x2x2x48x16xbf16>
  %g50 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v48 : tensor<2x2x1x48x16xbf16>) outs(%v49 : tensor<2x2x2x48x16xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    linalg.yield %in0 : bf16
  } -> tensor<2x2x2x48x16xbf16>
  %v51 = tensor.collapse_shape %g50 [[0], [1, 2], [3], [4]] : tensor<2x2x2x48x16xbf16> into tensor<2x4x48x16xbf16>
  %v52 = tensor.collapse_shape %g47 [[0, 1], [2], [3]] : tensor<2x4x1x48xbf16> into tensor<8x1x48xbf16>
  %v53 = tensor.collapse_shape %v51 [[0, 1], [2], [3]] : tensor<2x4x48x16xbf16> into tensor<8x48x16xbf16>
  %v54 = tensor.empty() : tensor<8x1x16xf32>
  %v55 = linalg.fill ins(%c1 : f32) outs(%v54 : tensor<8x1x16xf32>) -> tensor<8x1x16xf32>
  %v56 = linalg.batch_matmul ins(%v52, %v53 : tensor<8x1x48xbf16>, tensor<8x48x16xbf16>) outs(%v55 : tensor<8x1x16xf32>) -> tensor<8x1x16xf32>
  %v57 = tensor.empty() : tensor<8x1x16xbf16>
  %g58 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v56 : tensor<8x1x16xf32>) outs(%v57 : tensor<8x1x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<8x1x16xbf16>
  %v59 = tensor.expand_shape %g58 [[0, 1], [2], [3]] output_shape [2, 4, 1, 16] : tensor<8x1x16xbf16> into tensor<2x4x1x16xbf16>
  %v60 = tensor.empty() : tensor<2x1x4x16xbf16>
  %v61 = linalg.transpose ins(%v59 : tensor<2x4x1x16xbf16>) outs(%v60 : tensor<2x1x4x16xbf16>) permutation = [0, 2, 1, 3]
  %v62 = tensor.collapse_shape %v61 [[0], [1], [2, 3]] : tensor<2x1x4x16xbf16> into tensor<2x1x64xbf16>
  return %v62, %v3, %v4 : tensor<2x1x64xbf16>, tensor<2x2x48x16xbf16>, tensor<2x2x48x16xbf16>
}
