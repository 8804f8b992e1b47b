// jax.nn.dot_product_attention with local_window_size, lengths of queries and of keys,
// and groups of heads; any number of tokens.

// RUN: linalg-ext-check-program %s --sizes=2x37x4x16,2x45x2x16,2x45x2x16,-,- \
// RUN:   --max-buffer-bytes=5994 --max-kernels=1 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d2, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d1, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1) -> (0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map11 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map15 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d1, d5)>
#map16 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d2, d4)>

func.func @local_window(%a_q: tensor<2x?x4x16xbf16>,
    %a_k: tensor<2x?x2x16xbf16>,
    %a_v: tensor<2x?x2x16xbf16>,
    %a_q_len: tensor<2xi32> {check.draw = "choose 30 37"},
    %a_kv_len: tensor<2xi32> {check.draw = "choose 20 45"}) -> (tensor<2x?x4x16xbf16>) {
  %c0 = arith.constant 1 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 2.500000000e-01 : f64
  %c3 = arith.constant -9 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant -2.3819763e+38 : f32
  %c6 = arith.constant 0xFF800000 : f32
  %c7 = arith.constant -0.0 : f32
  %T = tensor.dim %a_q, %c0 : tensor<2x?x4x16xbf16>
  %S = tensor.dim %a_k, %c0 : tensor<2x?x2x16xbf16>
  %v1 = tensor.expand_shape %a_q [[0], [1], [2, 3], [4]] output_shape [2, %T, 2, 2, 16] : tensor<2x?x4x16xbf16> into tensor<2x?x2x2x16xbf16>
  %v2 = tensor.empty(%T, %S) : tensor<2x2x2x?x?xf32>
  %v3 = linalg.fill ins(%c1 : f32) outs(%v2 : tensor<2x2x2x?x?xf32>) -> tensor<2x2x2x?x?xf32>
  %g4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v1, %a_k : tensor<2x?x2x2x16xbf16>, tensor<2x?x2x16xbf16>) outs(%v3 : tensor<2x2x2x?x?xf32>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: f32):
    %xa = arith.extf %in0 : bf16 to f32
    %ya = arith.extf %in1 : bf16 to f32
    %p = arith.mulf %xa, %ya : f32
    %r = arith.addf %out0, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x2x2x?x?xf32>
  %v5 = tensor.collapse_shape %g4 [[0], [1, 2], [3], [4]] : tensor<2x2x2x?x?xf32> into tensor<2x4x?x?xf32>
  %v6 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g7 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v5 : tensor<2x4x?x?xf32>) outs(%v6 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v8 = tensor.empty(%T) : tensor<?xi32>
  %g9 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%v8 : tensor<?xi32>) {
  ^bb0(%out0: i32):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i32
    linalg.yield %r0 : i32
  } -> tensor<?xi32>
  %v10 = tensor.empty(%S) : tensor<?xi32>
  %g11 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%v10 : tensor<?xi32>) {
  ^bb0(%out0: i32):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i32
    linalg.yield %r0 : i32
  } -> tensor<?xi32>
  %v12 = tensor.expand_shape %g9 [[0, 1]] output_shape [%T, 1] : tensor<?xi32> into tensor<?x1xi32>
  %v13 = tensor.empty(%T, %S) : tensor<?x?xi32>
  %g14 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%v12 : tensor<?x1xi32>) outs(%v13 : tensor<?x?xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    linalg.yield %in0 : i32
  } -> tensor<?x?xi32>
  %v15 = tensor.expand_shape %g11 [[0, 1]] output_shape [1, %S] : tensor<?xi32> into tensor<1x?xi32>
  %v16 = tensor.empty(%T, %S) : tensor<?x?xi32>
  %g17 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%v15 : tensor<1x?xi32>) outs(%v16 : tensor<?x?xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    linalg.yield %in0 : i32
  } -> tensor<?x?xi32>
  %v18 = tensor.empty(%T, %S) : tensor<?x?xi32>
  %g19 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%g14 : tensor<?x?xi32>) outs(%v18 : tensor<?x?xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    %r = arith.addi %in0, %c3 : i32
    linalg.yield %r : i32
  } -> tensor<?x?xi32>
  %v20 = tensor.empty(%T, %S) : tensor<?x?xi1>
  %g21 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%g17, %g19 : tensor<?x?xi32>, tensor<?x?xi32>) outs(%v20 : tensor<?x?xi1>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i1):
    %r = arith.cmpi sge, %in0, %in1 : i32
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v22 = tensor.empty(%T, %S) : tensor<?x?xi32>
  %g23 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%g14 : tensor<?x?xi32>) outs(%v22 : tensor<?x?xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    %r = arith.addi %in0, %c4 : i32
    linalg.yield %r : i32
  } -> tensor<?x?xi32>
  %v24 = tensor.empty(%T, %S) : tensor<?x?xi1>
  %g25 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%g17, %g23 : tensor<?x?xi32>, tensor<?x?xi32>) outs(%v24 : tensor<?x?xi1>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i32
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v26 = tensor.empty(%T, %S) : tensor<?x?xi1>
  %g27 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%g21, %g25 : tensor<?x?xi1>, tensor<?x?xi1>) outs(%v26 : tensor<?x?xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v28 = tensor.expand_shape %g9 [[0, 1]] output_shape [1, %T] : tensor<?xi32> into tensor<1x?xi32>
  %v29 = tensor.empty(%T) : tensor<2x?xi32>
  %g30 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%v28 : tensor<1x?xi32>) outs(%v29 : tensor<2x?xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    linalg.yield %in0 : i32
  } -> tensor<2x?xi32>
  %v31 = tensor.expand_shape %a_q_len [[0, 1]] output_shape [2, 1] : tensor<2xi32> into tensor<2x1xi32>
  %v32 = tensor.empty(%T) : tensor<2x?xi32>
  %g33 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%v31 : tensor<2x1xi32>) outs(%v32 : tensor<2x?xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    linalg.yield %in0 : i32
  } -> tensor<2x?xi32>
  %v34 = tensor.empty(%T) : tensor<2x?xi1>
  %g35 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%g30, %g33 : tensor<2x?xi32>, tensor<2x?xi32>) outs(%v34 : tensor<2x?xi1>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i1):
    %r = arith.cmpi slt, %in0, %in1 : i32
    linalg.yield %r : i1
  } -> tensor<2x?xi1>
  %v36 = tensor.expand_shape %g11 [[0, 1]] output_shape [1, %S] : tensor<?xi32> into tensor<1x?xi32>
  %v37 = tensor.empty(%S) : tensor<2x?xi32>
  %g38 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%v36 : tensor<1x?xi32>) outs(%v37 : tensor<2x?xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    linalg.yield %in0 : i32
  } -> tensor<2x?xi32>
  %v39 = tensor.expand_shape %a_kv_len [[0, 1]] output_shape [2, 1] : tensor<2xi32> into tensor<2x1xi32>
  %v40 = tensor.empty(%S) : tensor<2x?xi32>
  %g41 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%v39 : tensor<2x1xi32>) outs(%v40 : tensor<2x?xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    linalg.yield %in0 : i32
  } -> tensor<2x?xi32>
  %v42 = tensor.empty(%S) : tensor<2x?xi1>
  %g43 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%g38, %g41 : tensor<2x?xi32>, tensor<2x?xi32>) outs(%v42 : tensor<2x?xi1>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i1):
    %r = arith.cmpi slt, %in0, %in1 : i32
    linalg.yield %r : i1
  } -> tensor<2x?xi1>
  %v44 = tensor.expand_shape %g35 [[0], [1, 2]] output_shape [2, %T, 1] : tensor<2x?xi1> into tensor<2x?x1xi1>
  %v45 = tensor.empty(%T, %S) : tensor<2x?x?xi1>
  %g46 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v44 : tensor<2x?x1xi1>) outs(%v45 : tensor<2x?x?xi1>) {
  ^bb0(%in0: i1, %out0: i1):
    linalg.yield %in0 : i1
  } -> tensor<2x?x?xi1>
  %v47 = tensor.expand_shape %g43 [[0, 1], [2]] output_shape [2, 1, %S] : tensor<2x?xi1> into tensor<2x1x?xi1>
  %v48 = tensor.empty(%T, %S) : tensor<2x?x?xi1>
  %g49 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v47 : tensor<2x1x?xi1>) outs(%v48 : tensor<2x?x?xi1>) {
  ^bb0(%in0: i1, %out0: i1):
    linalg.yield %in0 : i1
  } -> tensor<2x?x?xi1>
  %v50 = tensor.empty(%T, %S) : tensor<2x?x?xi1>
  %g51 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g46, %g49 : tensor<2x?x?xi1>, tensor<2x?x?xi1>) outs(%v50 : tensor<2x?x?xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<2x?x?xi1>
  %v52 = tensor.expand_shape %g27 [[0, 1], [2]] output_shape [1, %T, %S] : tensor<?x?xi1> into tensor<1x?x?xi1>
  %v53 = tensor.empty(%T, %S) : tensor<2x?x?xi1>
  %g54 = linalg.generic {indexing_maps = [#map11, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v52 : tensor<1x?x?xi1>) outs(%v53 : tensor<2x?x?xi1>) {
  ^bb0(%in0: i1, %out0: i1):
    linalg.yield %in0 : i1
  } -> tensor<2x?x?xi1>
  %v55 = tensor.empty(%T, %S) : tensor<2x?x?xi1>
  %g56 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g51, %g54 : tensor<2x?x?xi1>, tensor<2x?x?xi1>) outs(%v55 : tensor<2x?x?xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<2x?x?xi1>
  %v57 = tensor.expand_shape %g56 [[0, 1], [2], [3]] output_shape [2, 1, %T, %S] : tensor<2x?x?xi1> into tensor<2x1x?x?xi1>
  %v58 = tensor.empty(%T, %S) : tensor<2x4x?x?xi1>
  %g59 = linalg.generic {indexing_maps = [#map12, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v57 : tensor<2x1x?x?xi1>) outs(%v58 : tensor<2x4x?x?xi1>) {
  ^bb0(%in0: i1, %out0: i1):
    linalg.yield %in0 : i1
  } -> tensor<2x4x?x?xi1>
  %v60 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g61 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g59, %g7 : tensor<2x4x?x?xi1>, tensor<2x4x?x?xf32>) outs(%v60 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: i1, %in1: f32, %out0: f32):
    %r = arith.select %in0, %in1, %c5 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v62 = tensor.empty(%T) : tensor<2x4x?xf32>
  %v63 = linalg.fill ins(%c6 : f32) outs(%v62 : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  %g64 = linalg.generic {indexing_maps = [#map3, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g61 : tensor<2x4x?x?xf32>) outs(%v63 : tensor<2x4x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.maximumf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?xf32>
  %v65 = tensor.empty(%T) : tensor<2x4x?xf32>
  %g66 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g64 : tensor<2x4x?xf32>) outs(%v65 : tensor<2x4x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.maximumf %in0, %c6 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?xf32>
  %v67 = tensor.expand_shape %g66 [[0], [1], [2, 3]] output_shape [2, 4, %T, 1] : tensor<2x4x?xf32> into tensor<2x4x?x1xf32>
  %v68 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g69 = linalg.generic {indexing_maps = [#map14, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v67 : tensor<2x4x?x1xf32>) outs(%v68 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<2x4x?x?xf32>
  %v70 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g71 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g61, %g69 : tensor<2x4x?x?xf32>, tensor<2x4x?x?xf32>) outs(%v70 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v72 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g73 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g71 : tensor<2x4x?x?xf32>) outs(%v72 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v74 = tensor.empty(%T) : tensor<2x4x?xf32>
  %v75 = linalg.fill ins(%c7 : f32) outs(%v74 : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  %g76 = linalg.generic {indexing_maps = [#map3, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g73 : tensor<2x4x?x?xf32>) outs(%v75 : tensor<2x4x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?xf32>
  %v77 = tensor.expand_shape %g76 [[0], [1], [2, 3]] output_shape [2, 4, %T, 1] : tensor<2x4x?xf32> into tensor<2x4x?x1xf32>
  %v78 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g79 = linalg.generic {indexing_maps = [#map14, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v77 : tensor<2x4x?x1xf32>) outs(%v78 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<2x4x?x?xf32>
  %v80 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g81 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g73, %g79 : tensor<2x4x?x?xf32>, tensor<2x4x?x?xf32>) outs(%v80 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v82 = tensor.empty(%T, %S) : tensor<2x4x?x?xbf16>
  %g83 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g81 : tensor<2x4x?x?xf32>) outs(%v82 : tensor<2x4x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x4x?x?xbf16>
  %v84 = tensor.expand_shape %g83 [[0], [1, 2], [3], [4]] output_shape [2, 2, 2, %T, %S] : tensor<2x4x?x?xbf16> into tensor<2x2x2x?x?xbf16>
  %v85 = tensor.empty(%T) : tensor<2x?x2x2x16xf32>
  %v86 = linalg.fill ins(%c1 : f32) outs(%v85 : tensor<2x?x2x2x16xf32>) -> tensor<2x?x2x2x16xf32>
  %g87 = linalg.generic {indexing_maps = [#map15, #map16, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v84, %a_v : tensor<2x2x2x?x?xbf16>, tensor<2x?x2x16xbf16>) outs(%v86 : tensor<2x?x2x2x16xf32>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: f32):
    %xa = arith.extf %in0 : bf16 to f32
    %ya = arith.extf %in1 : bf16 to f32
    %p = arith.mulf %xa, %ya : f32
    %r = arith.addf %out0, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x?x2x2x16xf32>
  %v88 = tensor.collapse_shape %g87 [[0], [1], [2, 3], [4]] : tensor<2x?x2x2x16xf32> into tensor<2x?x4x16xf32>
  %v89 = tensor.empty(%T) : tensor<2x?x4x16xbf16>
  %g90 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v88 : tensor<2x?x4x16xf32>) outs(%v89 : tensor<2x?x4x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x?x4x16xbf16>
  return %g90 : tensor<2x?x4x16xbf16>
}
