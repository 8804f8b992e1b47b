// Transformers: the causal mask of a window is built from functions of positions, and
// reads the padding mask by tensors of indices; groups of heads, any number of tokens.

// RUN: linalg-ext-check-program %s --sizes=2x4x37x16,2x2x45x16,2x2x45x16,2x45,37 \
// RUN:   --max-buffer-bytes=4995 --max-kernels=2 --keys=16

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @mistral(%a_q: tensor<2x4x?x16xf16>,
    %a_k: tensor<2x2x?x16xf16>,
    %a_v: tensor<2x2x?x16xf16>,
    %a_attention_mask: tensor<2x?xi64> {check.draw = "choose 0 1"},
    %a_cache_position: tensor<?xi64> {check.draw = "count"}) -> (tensor<2x?x64xf16>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 0 : i64
  %c2 = arith.constant -11 : i64
  %c3 = arith.constant 2 : i64
  %c4 = arith.constant 0.000000000e+00 : f16
  %c5 = arith.constant 0xFC00 : f16
  %c6 = arith.constant 0.000000000e+00 : f32
  %c7 = arith.constant 2.500000000e-01 : f64
  %c8 = arith.constant 0xFF800000 : f32
  %T = tensor.dim %a_q, %c0 : tensor<2x4x?x16xf16>
  %S = tensor.dim %a_k, %c0 : tensor<2x2x?x16xf16>
  %v1 = tensor.empty(%S) : tensor<2x?xi64>
  %v2 = linalg.fill ins(%c1 : i64) outs(%v1 : tensor<2x?xi64>) -> tensor<2x?xi64>
  %v3 = tensor.empty(%S) : tensor<2x?xi1>
  %g4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%a_attention_mask, %v2 : tensor<2x?xi64>, tensor<2x?xi64>) outs(%v3 : tensor<2x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi ne, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<2x?xi1>
  %v5 = tensor.expand_shape %a_cache_position [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v6 = tensor.expand_shape %v5 [[0, 1], [2]] output_shape [1, 1, %T] : tensor<1x?xi64> into tensor<1x1x?xi64>
  %v7 = tensor.expand_shape %v6 [[0], [1], [2, 3]] output_shape [1, 1, %T, 1] : tensor<1x1x?xi64> into tensor<1x1x?x1xi64>
  %v8 = tensor.empty(%S) : tensor<?xi64>
  %g9 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%v8 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v10 = tensor.expand_shape %g9 [[0, 1]] output_shape [1, %S] : tensor<?xi64> into tensor<1x?xi64>
  %v11 = tensor.expand_shape %v10 [[0, 1], [2]] output_shape [1, 1, %S] : tensor<1x?xi64> into tensor<1x1x?xi64>
  %v12 = tensor.expand_shape %v11 [[0, 1], [2], [3]] output_shape [1, 1, 1, %S] : tensor<1x1x?xi64> into tensor<1x1x1x?xi64>
  %v13 = tensor.empty() : tensor<2xi64>
  %g14 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%v13 : tensor<2xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<2xi64>
  %v15 = tensor.expand_shape %g14 [[0, 1]] output_shape [2, 1] : tensor<2xi64> into tensor<2x1xi64>
  %v16 = tensor.expand_shape %v15 [[0, 1], [2]] output_shape [2, 1, 1] : tensor<2x1xi64> into tensor<2x1x1xi64>
  %v17 = tensor.expand_shape %v16 [[0, 1], [2], [3]] output_shape [2, 1, 1, 1] : tensor<2x1x1xi64> into tensor<2x1x1x1xi64>
  %v18 = tensor.empty(%T, %S) : tensor<1x1x?x?xi1>
  %g19 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v12, %v7 : tensor<1x1x1x?xi64>, tensor<1x1x?x1xi64>) outs(%v18 : tensor<1x1x?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<1x1x?x?xi1>
  %v20 = tensor.empty(%T) : tensor<1x1x?x1xi64>
  %g21 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v7 : tensor<1x1x?x1xi64>) outs(%v20 : tensor<1x1x?x1xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %r = arith.addi %in0, %c2 : i64
    linalg.yield %r : i64
  } -> tensor<1x1x?x1xi64>
  %v22 = tensor.empty(%T, %S) : tensor<1x1x?x?xi1>
  %g23 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v12, %g21 : tensor<1x1x1x?xi64>, tensor<1x1x?x1xi64>) outs(%v22 : tensor<1x1x?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sgt, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<1x1x?x?xi1>
  %v24 = tensor.empty(%T, %S) : tensor<1x1x?x?xi1>
  %g25 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g19, %g23 : tensor<1x1x?x?xi1>, tensor<1x1x?x?xi1>) outs(%v24 : tensor<1x1x?x?xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<1x1x?x?xi1>
  %v26 = tensor.empty(%S) : tensor<2x1x1x?xi1>
  %g27 = linalg.generic {indexing_maps = [#map5, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v17, %v12 : tensor<2x1x1x1xi64>, tensor<1x1x1x?xi64>) outs(%v26 : tensor<2x1x1x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %n0 = arith.cmpi slt, %in0, %c1 : i64
    %a0 = arith.addi %in0, %c3 : i64
    %s0 = arith.select %n0, %a0, %in0 : i64
    %x0 = arith.index_cast %s0 : i64 to index
    %sz = arith.index_cast %S : index to i64
    %n1 = arith.cmpi slt, %in1, %c1 : i64
    %a1 = arith.addi %in1, %sz : i64
    %s1 = arith.select %n1, %a1, %in1 : i64
    %x1 = arith.index_cast %s1 : i64 to index
    %e = tensor.extract %g4[%x0, %x1] : tensor<2x?xi1>
    linalg.yield %e : i1
  } -> tensor<2x1x1x?xi1>
  %v28 = tensor.empty(%T, %S) : tensor<2x1x?x?xi1>
  %g29 = linalg.generic {indexing_maps = [#map7, #map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g25, %g27 : tensor<1x1x?x?xi1>, tensor<2x1x1x?xi1>) outs(%v28 : tensor<2x1x?x?xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<2x1x?x?xi1>
  %v30 = tensor.empty(%T, %S) : tensor<2x1x?x?xf16>
  %v31 = linalg.fill ins(%c4 : f16) outs(%v30 : tensor<2x1x?x?xf16>) -> tensor<2x1x?x?xf16>
  %v32 = tensor.empty(%T, %S) : tensor<2x1x?x?xf16>
  %g33 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g29, %v31 : tensor<2x1x?x?xi1>, tensor<2x1x?x?xf16>) outs(%v32 : tensor<2x1x?x?xf16>) {
  ^bb0(%in0: i1, %in1: f16, %out0: f16):
    %r = arith.select %in0, %in1, %c5 : f16
    linalg.yield %r : f16
  } -> tensor<2x1x?x?xf16>
  %v34 = tensor.expand_shape %a_k [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, %S, 16] : tensor<2x2x?x16xf16> into tensor<2x2x1x?x16xf16>
  %v35 = tensor.empty(%S) : tensor<2x2x2x?x16xf16>
  %g36 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v34 : tensor<2x2x1x?x16xf16>) outs(%v35 : tensor<2x2x2x?x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    linalg.yield %in0 : f16
  } -> tensor<2x2x2x?x16xf16>
  %v37 = tensor.collapse_shape %g36 [[0], [1, 2], [3], [4]] : tensor<2x2x2x?x16xf16> into tensor<2x4x?x16xf16>
  %v38 = tensor.expand_shape %a_v [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, %S, 16] : tensor<2x2x?x16xf16> into tensor<2x2x1x?x16xf16>
  %v39 = tensor.empty(%S) : tensor<2x2x2x?x16xf16>
  %g40 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v38 : tensor<2x2x1x?x16xf16>) outs(%v39 : tensor<2x2x2x?x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    linalg.yield %in0 : f16
  } -> tensor<2x2x2x?x16xf16>
  %v41 = tensor.collapse_shape %g40 [[0], [1, 2], [3], [4]] : tensor<2x2x2x?x16xf16> into tensor<2x4x?x16xf16>
  %v42 = tensor.empty(%S) : tensor<2x4x16x?xf16>
  %v43 = linalg.transpose ins(%v37 : tensor<2x4x?x16xf16>) outs(%v42 : tensor<2x4x16x?xf16>) permutation = [0, 1, 3, 2]
  %v44 = tensor.collapse_shape %a_q [[0, 1], [2], [3]] : tensor<2x4x?x16xf16> into tensor<8x?x16xf16>
  %v45 = tensor.collapse_shape %v43 [[0, 1], [2], [3]] : tensor<2x4x16x?xf16> into tensor<8x16x?xf16>
  %v46 = tensor.empty(%T, %S) : tensor<8x?x?xf32>
  %v47 = linalg.fill ins(%c6 : f32) outs(%v46 : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  %v48 = linalg.batch_matmul ins(%v44, %v45 : tensor<8x?x16xf16>, tensor<8x16x?xf16>) outs(%v47 : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  %v49 = tensor.empty(%T, %S) : tensor<8x?x?xf16>
  %g50 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v48 : tensor<8x?x?xf32>) outs(%v49 : tensor<8x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x?x?xf16>
  %v51 = tensor.expand_shape %g50 [[0, 1], [2], [3]] output_shape [2, 4, %T, %S] : tensor<8x?x?xf16> into tensor<2x4x?x?xf16>
  %v52 = tensor.empty(%T, %S) : tensor<2x4x?x?xf16>
  %g53 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v51 : tensor<2x4x?x?xf16>) outs(%v52 : tensor<2x4x?x?xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %x = arith.truncf %c7 : f64 to f16
    %r = arith.mulf %in0, %x : f16
    linalg.yield %r : f16
  } -> tensor<2x4x?x?xf16>
  %v54 = tensor.empty(%T, %S) : tensor<2x4x?x?xf16>
  %g55 = linalg.generic {indexing_maps = [#map4, #map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g53, %g33 : tensor<2x4x?x?xf16>, tensor<2x1x?x?xf16>) outs(%v54 : tensor<2x4x?x?xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %r = arith.addf %in0, %in1 : f16
    linalg.yield %r : f16
  } -> tensor<2x4x?x?xf16>
  %v56 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g57 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g55 : tensor<2x4x?x?xf16>) outs(%v56 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v58 = tensor.empty(%T) : tensor<2x4x?xi64>
  %v59 = linalg.fill ins(%c1 : i64) outs(%v58 : tensor<2x4x?xi64>) -> tensor<2x4x?xi64>
  %v60 = tensor.empty(%T) : tensor<2x4x?xf32>
  %v61 = linalg.fill ins(%c8 : f32) outs(%v60 : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  %g62:2 = linalg.generic {indexing_maps = [#map4, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g57 : tensor<2x4x?x?xf32>) outs(%v61, %v59 : tensor<2x4x?xf32>, tensor<2x4x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x4x?xf32>, tensor<2x4x?xi64>)
  %v63 = tensor.expand_shape %g62#0 [[0], [1], [2, 3]] output_shape [2, 4, %T, 1] : tensor<2x4x?xf32> into tensor<2x4x?x1xf32>
  %v64 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g65 = linalg.generic {indexing_maps = [#map4, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g57, %v63 : tensor<2x4x?x?xf32>, tensor<2x4x?x1xf32>) outs(%v64 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v66 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g67 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g65 : tensor<2x4x?x?xf32>) outs(%v66 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v68 = tensor.empty(%T) : tensor<2x4x?x1xf32>
  %v69 = linalg.fill ins(%c6 : f32) outs(%v68 : tensor<2x4x?x1xf32>) -> tensor<2x4x?x1xf32>
  %g70 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g67 : tensor<2x4x?x?xf32>) outs(%v69 : tensor<2x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x1xf32>
  %v71 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g72 = linalg.generic {indexing_maps = [#map4, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g67, %g70 : tensor<2x4x?x?xf32>, tensor<2x4x?x1xf32>) outs(%v71 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v73 = tensor.empty(%T, %S) : tensor<2x4x?x?xf16>
  %g74 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g72 : tensor<2x4x?x?xf32>) outs(%v73 : tensor<2x4x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x?x?xf16>
  %v75 = tensor.collapse_shape %g74 [[0, 1], [2], [3]] : tensor<2x4x?x?xf16> into tensor<8x?x?xf16>
  %v76 = tensor.collapse_shape %v41 [[0, 1], [2], [3]] : tensor<2x4x?x16xf16> into tensor<8x?x16xf16>
  %v77 = tensor.empty(%T) : tensor<8x?x16xf32>
  %v78 = linalg.fill ins(%c6 : f32) outs(%v77 : tensor<8x?x16xf32>) -> tensor<8x?x16xf32>
  %v79 = linalg.batch_matmul ins(%v75, %v76 : tensor<8x?x?xf16>, tensor<8x?x16xf16>) outs(%v78 : tensor<8x?x16xf32>) -> tensor<8x?x16xf32>
  %v80 = tensor.empty(%T) : tensor<8x?x16xf16>
  %g81 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v79 : tensor<8x?x16xf32>) outs(%v80 : tensor<8x?x16xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x?x16xf16>
  %v82 = tensor.expand_shape %g81 [[0, 1], [2], [3]] output_shape [2, 4, %T, 16] : tensor<8x?x16xf16> into tensor<2x4x?x16xf16>
  %v83 = tensor.empty(%T) : tensor<2x?x4x16xf16>
  %v84 = linalg.transpose ins(%v82 : tensor<2x4x?x16xf16>) outs(%v83 : tensor<2x?x4x16xf16>) permutation = [0, 2, 1, 3]
  %v85 = tensor.collapse_shape %v84 [[0], [1], [2, 3]] : tensor<2x?x4x16xf16> into tensor<2x?x64xf16>
  return %v85 : tensor<2x?x64xf16>
}
