// Llama 4: chunks of keys, normalised queries, and scores that grow with the logarithm of
// the position.

// RUN: linalg-ext-check-program %s --sizes=1x4x37x16,1x4x37x16,1x4x37x16,37 \
// RUN:   --max-buffer-bytes=5475 --max-kernels=1 --keys=16

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, 0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

func.func @temperature(%a_q: tensor<1x4x?x16xbf16>,
    %a_k: tensor<1x4x?x16xbf16>,
    %a_v: tensor<1x4x?x16xbf16>,
    %a_pos: tensor<?xi64> {check.draw = "count"}) -> (tensor<1x4x?x16xbf16>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 1.000000000e+00 : f64
  %c2 = arith.constant 8.000000000e+00 : f64
  %c3 = arith.constant 1.000000000e-01 : f64
  %c4 = arith.constant 0.000000000e+00 : f32
  %c5 = arith.constant 1.600000000e+01 : f64
  %c6 = arith.constant 1.000000000e-05 : f64
  %c7 = arith.constant 2.500000000e-01 : f64
  %c8 = arith.constant 0xFF80 : bf16
  %c9 = arith.constant 0 : i64
  %c10 = arith.constant 0xFF800000 : f32
  %T = tensor.dim %a_q, %c0 : tensor<1x4x?x16xbf16>
  %v1 = tensor.empty(%T) : tensor<?xf32>
  %g2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a_pos : tensor<?xi64>) outs(%v1 : tensor<?xf32>) {
  ^bb0(%in0: i64, %out0: f32):
    %r = arith.sitofp %in0 : i64 to f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v3 = tensor.empty(%T) : tensor<?xf32>
  %g4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%g2 : tensor<?xf32>) outs(%v3 : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v5 = tensor.empty(%T) : tensor<?xf32>
  %g6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%g4 : tensor<?xf32>) outs(%v5 : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v7 = tensor.empty(%T) : tensor<?xf32>
  %g8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%g6 : tensor<?xf32>) outs(%v7 : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.floor %in0 : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v9 = tensor.empty(%T) : tensor<?xf32>
  %g10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%g8 : tensor<?xf32>) outs(%v9 : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.log1p %in0 : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v11 = tensor.empty(%T) : tensor<?xf32>
  %g12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%g10 : tensor<?xf32>) outs(%v11 : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c3 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v13 = tensor.empty(%T) : tensor<?xf32>
  %g14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%g12 : tensor<?xf32>) outs(%v13 : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %v15 = tensor.expand_shape %g14 [[0, 1, 2, 3]] output_shape [1, 1, %T, 1] : tensor<?xf32> into tensor<1x1x?x1xf32>
  %v16 = tensor.empty(%T) : tensor<1x4x?x16xf32>
  %g17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_q : tensor<1x4x?x16xbf16>) outs(%v16 : tensor<1x4x?x16xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x16xf32>
  %v18 = tensor.empty(%T) : tensor<1x4x?x16xf32>
  %g19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g17, %v15 : tensor<1x4x?x16xf32>, tensor<1x1x?x1xf32>) outs(%v18 : tensor<1x4x?x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x16xf32>
  %v20 = tensor.empty(%T) : tensor<1x4x?x16xbf16>
  %g21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g19 : tensor<1x4x?x16xf32>) outs(%v20 : tensor<1x4x?x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x16xbf16>
  %v22 = tensor.expand_shape %a_pos [[0, 1]] output_shape [%T, 1] : tensor<?xi64> into tensor<?x1xi64>
  %v23 = tensor.empty(%T) : tensor<?xi64>
  %g24 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%v23 : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<?xi64>
  %v25 = tensor.expand_shape %g24 [[0, 1]] output_shape [1, %T] : tensor<?xi64> into tensor<1x?xi64>
  %v26 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g27 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%v25, %v22 : tensor<1x?xi64>, tensor<?x1xi64>) outs(%v26 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi sle, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v28 = tensor.empty(%T) : tensor<?x1xi64>
  %g29 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%v22 : tensor<?x1xi64>) outs(%v28 : tensor<?x1xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %d = arith.constant 8 : i64
    %q = arith.floordivsi %in0, %d : i64
    %r = arith.muli %q, %d : i64
    linalg.yield %r : i64
  } -> tensor<?x1xi64>
  %v30 = tensor.empty(%T) : tensor<1x?xi64>
  %g31 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%v25 : tensor<1x?xi64>) outs(%v30 : tensor<1x?xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %d = arith.constant 8 : i64
    %q = arith.floordivsi %in0, %d : i64
    %r = arith.muli %q, %d : i64
    linalg.yield %r : i64
  } -> tensor<1x?xi64>
  %v32 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g33 = linalg.generic {indexing_maps = [#map4, #map3, #map5], iterator_types = ["parallel", "parallel"]} ins(%g29, %g31 : tensor<?x1xi64>, tensor<1x?xi64>) outs(%v32 : tensor<?x?xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi eq, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v34 = tensor.empty(%T, %T) : tensor<?x?xi1>
  %g35 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%g27, %g33 : tensor<?x?xi1>, tensor<?x?xi1>) outs(%v34 : tensor<?x?xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %r = arith.andi %in0, %in1 : i1
    linalg.yield %r : i1
  } -> tensor<?x?xi1>
  %v36 = tensor.empty(%T) : tensor<1x4x?x16xf32>
  %g37 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g21 : tensor<1x4x?x16xbf16>) outs(%v36 : tensor<1x4x?x16xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x16xf32>
  %v38 = tensor.empty(%T) : tensor<1x4x?x16xf32>
  %g39 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g37, %g37 : tensor<1x4x?x16xf32>, tensor<1x4x?x16xf32>) outs(%v38 : tensor<1x4x?x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x16xf32>
  %v40 = tensor.empty(%T) : tensor<1x4x?x1xf32>
  %v41 = linalg.fill ins(%c4 : f32) outs(%v40 : tensor<1x4x?x1xf32>) -> tensor<1x4x?x1xf32>
  %g42 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g39 : tensor<1x4x?x16xf32>) outs(%v41 : tensor<1x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x1xf32>
  %v43 = tensor.empty(%T) : tensor<1x4x?x1xf32>
  %g44 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g42 : tensor<1x4x?x1xf32>) outs(%v43 : tensor<1x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c5 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x1xf32>
  %v45 = tensor.empty(%T) : tensor<1x4x?x1xf32>
  %g46 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g44 : tensor<1x4x?x1xf32>) outs(%v45 : tensor<1x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c6 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x1xf32>
  %v47 = tensor.empty(%T) : tensor<1x4x?x1xf32>
  %g48 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g46 : tensor<1x4x?x1xf32>) outs(%v47 : tensor<1x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.rsqrt %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x1xf32>
  %v49 = tensor.empty(%T) : tensor<1x4x?x16xf32>
  %g50 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g37, %g48 : tensor<1x4x?x16xf32>, tensor<1x4x?x1xf32>) outs(%v49 : tensor<1x4x?x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x16xf32>
  %v51 = tensor.empty(%T) : tensor<1x4x?x16xbf16>
  %g52 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g50 : tensor<1x4x?x16xf32>) outs(%v51 : tensor<1x4x?x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x16xbf16>
  %v53 = tensor.empty(%T) : tensor<1x4x?x16xf32>
  %g54 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_k : tensor<1x4x?x16xbf16>) outs(%v53 : tensor<1x4x?x16xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x16xf32>
  %v55 = tensor.empty(%T) : tensor<1x4x?x16xf32>
  %g56 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g54, %g54 : tensor<1x4x?x16xf32>, tensor<1x4x?x16xf32>) outs(%v55 : tensor<1x4x?x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x16xf32>
  %v57 = tensor.empty(%T) : tensor<1x4x?x1xf32>
  %v58 = linalg.fill ins(%c4 : f32) outs(%v57 : tensor<1x4x?x1xf32>) -> tensor<1x4x?x1xf32>
  %g59 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g56 : tensor<1x4x?x16xf32>) outs(%v58 : tensor<1x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x1xf32>
  %v60 = tensor.empty(%T) : tensor<1x4x?x1xf32>
  %g61 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g59 : tensor<1x4x?x1xf32>) outs(%v60 : tensor<1x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c5 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x1xf32>
  %v62 = tensor.empty(%T) : tensor<1x4x?x1xf32>
  %g63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g61 : tensor<1x4x?x1xf32>) outs(%v62 : tensor<1x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c6 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x1xf32>
  %v64 = tensor.empty(%T) : tensor<1x4x?x1xf32>
  %g65 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g63 : tensor<1x4x?x1xf32>) outs(%v64 : tensor<1x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.rsqrt %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x1xf32>
  %v66 = tensor.empty(%T) : tensor<1x4x?x16xf32>
  %g67 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g54, %g65 : tensor<1x4x?x16xf32>, tensor<1x4x?x1xf32>) outs(%v66 : tensor<1x4x?x16xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x16xf32>
  %v68 = tensor.empty(%T) : tensor<1x4x?x16xbf16>
  %g69 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g67 : tensor<1x4x?x16xf32>) outs(%v68 : tensor<1x4x?x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x16xbf16>
  %v70 = tensor.empty(%T) : tensor<1x4x16x?xbf16>
  %v71 = linalg.transpose ins(%g69 : tensor<1x4x?x16xbf16>) outs(%v70 : tensor<1x4x16x?xbf16>) permutation = [0, 1, 3, 2]
  %v72 = tensor.collapse_shape %g52 [[0, 1], [2], [3]] : tensor<1x4x?x16xbf16> into tensor<4x?x16xbf16>
  %v73 = tensor.collapse_shape %v71 [[0, 1], [2], [3]] : tensor<1x4x16x?xbf16> into tensor<4x16x?xbf16>
  %v74 = tensor.empty(%T, %T) : tensor<4x?x?xf32>
  %v75 = linalg.fill ins(%c4 : f32) outs(%v74 : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %v76 = linalg.batch_matmul ins(%v72, %v73 : tensor<4x?x16xbf16>, tensor<4x16x?xbf16>) outs(%v75 : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %v77 = tensor.empty(%T, %T) : tensor<4x?x?xbf16>
  %g78 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v76 : tensor<4x?x?xf32>) outs(%v77 : tensor<4x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x?x?xbf16>
  %v79 = tensor.expand_shape %g78 [[0, 1], [2], [3]] output_shape [1, 4, %T, %T] : tensor<4x?x?xbf16> into tensor<1x4x?x?xbf16>
  %v80 = tensor.empty(%T, %T) : tensor<1x4x?x?xbf16>
  %g81 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v79 : tensor<1x4x?x?xbf16>) outs(%v80 : tensor<1x4x?x?xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %x = arith.truncf %c7 : f64 to bf16
    %r = arith.mulf %in0, %x : bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x?xbf16>
  %v82 = tensor.empty(%T, %T) : tensor<1x4x?x?xbf16>
  %g83 = linalg.generic {indexing_maps = [#map8, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g35, %g81 : tensor<?x?xi1>, tensor<1x4x?x?xbf16>) outs(%v82 : tensor<1x4x?x?xbf16>) {
  ^bb0(%in0: i1, %in1: bf16, %out0: bf16):
    %r = arith.select %in0, %in1, %c8 : bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x?xbf16>
  %v84 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g85 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g83 : tensor<1x4x?x?xbf16>) outs(%v84 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v86 = tensor.empty(%T) : tensor<1x4x?xi64>
  %v87 = linalg.fill ins(%c9 : i64) outs(%v86 : tensor<1x4x?xi64>) -> tensor<1x4x?xi64>
  %v88 = tensor.empty(%T) : tensor<1x4x?xf32>
  %v89 = linalg.fill ins(%c10 : f32) outs(%v88 : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %g90:2 = linalg.generic {indexing_maps = [#map1, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g85 : tensor<1x4x?x?xf32>) outs(%v89, %v87 : tensor<1x4x?xf32>, tensor<1x4x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<1x4x?xf32>, tensor<1x4x?xi64>)
  %v91 = tensor.expand_shape %g90#0 [[0], [1], [2, 3]] output_shape [1, 4, %T, 1] : tensor<1x4x?xf32> into tensor<1x4x?x1xf32>
  %v92 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g93 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g85, %v91 : tensor<1x4x?x?xf32>, tensor<1x4x?x1xf32>) outs(%v92 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v94 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g95 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g93 : tensor<1x4x?x?xf32>) outs(%v94 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v96 = tensor.empty(%T) : tensor<1x4x?x1xf32>
  %v97 = linalg.fill ins(%c4 : f32) outs(%v96 : tensor<1x4x?x1xf32>) -> tensor<1x4x?x1xf32>
  %g98 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g95 : tensor<1x4x?x?xf32>) outs(%v97 : tensor<1x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x1xf32>
  %v99 = tensor.empty(%T, %T) : tensor<1x4x?x?xf32>
  %g100 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g95, %g98 : tensor<1x4x?x?xf32>, tensor<1x4x?x1xf32>) outs(%v99 : tensor<1x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x?x?xf32>
  %v101 = tensor.empty(%T, %T) : tensor<1x4x?x?xbf16>
  %g102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g100 : tensor<1x4x?x?xf32>) outs(%v101 : tensor<1x4x?x?xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x?x?xbf16>
  %v103 = tensor.collapse_shape %g102 [[0, 1], [2], [3]] : tensor<1x4x?x?xbf16> into tensor<4x?x?xbf16>
  %v104 = tensor.collapse_shape %a_v [[0, 1], [2], [3]] : tensor<1x4x?x16xbf16> into tensor<4x?x16xbf16>
  %v105 = tensor.empty(%T) : tensor<4x?x16xf32>
  %v106 = linalg.fill ins(%c4 : f32) outs(%v105 : tensor<4x?x16xf32>) -> tensor<4x?x16xf32>
  %v107 = linalg.batch_matmul ins(%v103, %v104 : tensor<4x?x?xbf16>, tensor<4x?x16xbf16>) outs(%v106 : tensor<4x?x16xf32>) -> tensor<4x?x16xf32>
  %v108 = tensor.empty(%T) : tensor<4x?x16xbf16>
  %g109 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v107 : tensor<4x?x16xf32>) outs(%v108 : tensor<4x?x16xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x?x16xbf16>
  %v110 = tensor.expand_shape %g109 [[0, 1], [2], [3]] output_shape [1, 4, %T, 16] : tensor<4x?x16xbf16> into tensor<1x4x?x16xbf16>
  return %v110 : tensor<1x4x?x16xbf16>
}
