// ONNX 24: TensorScatter writes new keys and values into a cache, from a position of each
// sequence on, or around its end; Attention takes the length of each sequence.

// RUN: linalg-ext-check-program %s --max-buffer-bytes=1080 --max-kernels=3 --keys=16

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @onnx24_scatter_linear(%a_q: tensor<2x4x3x16xf16>,
    %a_pk: tensor<2x2x45x16xf16>,
    %a_pv: tensor<2x2x45x16xf16>,
    %a_uk: tensor<2x2x3x16xf16>,
    %a_uv: tensor<2x2x3x16xf16>,
    %a_wi: tensor<2xi64> {check.draw = "uniform 5 30"},
    %a_len: tensor<2xi64> {check.draw = "uniform 33 45"}) -> (tensor<2x4x3x16xf16>, tensor<2x2x45x16xf16>, tensor<2x2x45x16xf16>) {
  %c0 = arith.constant 5.000000000e-01 : f64
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 0.000000000e+00 : f16
  %c3 = arith.constant 0xFC00 : f16
  %c4 = arith.constant 0 : i64
  %c5 = arith.constant 0xFF800000 : f32
  %v1 = tensor.empty() : tensor<2x2x45x16xf16>
  %g2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_pk, %a_wi : tensor<2x2x45x16xf16>, tensor<2xi64>) outs(%v1 : tensor<2x2x45x16xf16>) {
  ^bb0(%in0: f16, %in1: i64, %out0: f16):
    %b = linalg.index 0 : index
    %g = linalg.index 1 : index
    %s = linalg.index 2 : index
    %d = linalg.index 3 : index
    %si = arith.index_cast %s : index to i64
    %z0 = arith.constant 0 : i64
    %zn = arith.constant 3 : i64
    %zs = arith.constant 45 : i64
    %r0 = arith.subi %si, %in1 : i64
    %rel = arith.addi %r0, %z0 : i64
    %ge = arith.cmpi sge, %rel, %z0 : i64
    %lt = arith.cmpi slt, %rel, %zn : i64
    %in = arith.andi %ge, %lt : i1
    %at = arith.select %in, %rel, %z0 : i64
    %ai = arith.index_cast %at : i64 to index
    %u = tensor.extract %a_uk[%b, %g, %ai, %d] : tensor<2x2x3x16xf16>
    %r = arith.select %in, %u, %in0 : f16
    linalg.yield %r : f16
  } -> tensor<2x2x45x16xf16>
  %v3 = tensor.empty() : tensor<2x2x45x16xf16>
  %g4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_pv, %a_wi : tensor<2x2x45x16xf16>, tensor<2xi64>) outs(%v3 : tensor<2x2x45x16xf16>) {
  ^bb0(%in0: f16, %in1: i64, %out0: f16):
    %b = linalg.index 0 : index
    %g = linalg.index 1 : index
    %s = linalg.index 2 : index
    %d = linalg.index 3 : index
    %si = arith.index_cast %s : index to i64
    %z0 = arith.constant 0 : i64
    %zn = arith.constant 3 : i64
    %zs = arith.constant 45 : i64
    %r0 = arith.subi %si, %in1 : i64
    %rel = arith.addi %r0, %z0 : i64
    %ge = arith.cmpi sge, %rel, %z0 : i64
    %lt = arith.cmpi slt, %rel, %zn : i64
    %in = arith.andi %ge, %lt : i1
    %at = arith.select %in, %rel, %z0 : i64
    %ai = arith.index_cast %at : i64 to index
    %u = tensor.extract %a_uv[%b, %g, %ai, %d] : tensor<2x2x3x16xf16>
    %r = arith.select %in, %u, %in0 : f16
    linalg.yield %r : f16
  } -> tensor<2x2x45x16xf16>
  %v5 = tensor.empty() : tensor<45xi64>
  %g6 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%v5 : tensor<45xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<45xi64>
  %v7 = tensor.expand_shape %g6 [[0, 1]] output_shape [1, 45] : tensor<45xi64> into tensor<1x45xi64>
  %v8 = tensor.expand_shape %a_len [[0, 1]] output_shape [2, 1] : tensor<2xi64> into tensor<2x1xi64>
  %v9 = tensor.empty() : tensor<2x45xi1>
  %g10 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%v7, %v8 : tensor<1x45xi64>, tensor<2x1xi64>) outs(%v9 : tensor<2x45xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi slt, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<2x45xi1>
  %v11 = tensor.empty() : tensor<2x4x3x16xf16>
  %g12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_q : tensor<2x4x3x16xf16>) outs(%v11 : tensor<2x4x3x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %x = arith.truncf %c0 : f64 to f16
    %r = arith.mulf %in0, %x : f16
    linalg.yield %r : f16
  } -> tensor<2x4x3x16xf16>
  %v13 = tensor.expand_shape %g2 [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, 45, 16] : tensor<2x2x45x16xf16> into tensor<2x2x1x45x16xf16>
  %v14 = tensor.empty() : tensor<2x2x2x45x16xf16>
  %g15 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v13 : tensor<2x2x1x45x16xf16>) outs(%v14 : tensor<2x2x2x45x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    linalg.yield %in0 : f16
  } -> tensor<2x2x2x45x16xf16>
  %v16 = tensor.collapse_shape %g15 [[0], [1, 2], [3], [4]] : tensor<2x2x2x45x16xf16> into tensor<2x4x45x16xf16>
  %v17 = tensor.empty() : tensor<2x4x16x45xf16>
  %v18 = linalg.transpose ins(%v16 : tensor<2x4x45x16xf16>) outs(%v17 : tensor<2x4x16x45xf16>) permutation = [0, 1, 3, 2]
  %v19 = tensor.empty() : tensor<2x4x16x45xf16>
  %g20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v18 : tensor<2x4x16x45xf16>) outs(%v19 : tensor<2x4x16x45xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %x = arith.truncf %c0 : f64 to f16
    %r = arith.mulf %in0, %x : f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x45xf16>
  %v21 = tensor.collapse_shape %g12 [[0, 1], [2], [3]] : tensor<2x4x3x16xf16> into tensor<8x3x16xf16>
  %v22 = tensor.collapse_shape %g20 [[0, 1], [2], [3]] : tensor<2x4x16x45xf16> into tensor<8x16x45xf16>
  %v23 = tensor.empty() : tensor<8x3x45xf32>
  %v24 = linalg.fill ins(%c1 : f32) outs(%v23 : tensor<8x3x45xf32>) -> tensor<8x3x45xf32>
  %v25 = linalg.batch_matmul ins(%v21, %v22 : tensor<8x3x16xf16>, tensor<8x16x45xf16>) outs(%v24 : tensor<8x3x45xf32>) -> tensor<8x3x45xf32>
  %v26 = tensor.empty() : tensor<8x3x45xf16>
  %g27 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v25 : tensor<8x3x45xf32>) outs(%v26 : tensor<8x3x45xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x3x45xf16>
  %v28 = tensor.expand_shape %g27 [[0, 1], [2], [3]] output_shape [2, 4, 3, 45] : tensor<8x3x45xf16> into tensor<2x4x3x45xf16>
  %v29 = tensor.empty() : tensor<2x45xf16>
  %v30 = linalg.fill ins(%c2 : f16) outs(%v29 : tensor<2x45xf16>) -> tensor<2x45xf16>
  %v31 = tensor.empty() : tensor<2x45xf16>
  %g32 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%g10, %v30 : tensor<2x45xi1>, tensor<2x45xf16>) outs(%v31 : tensor<2x45xf16>) {
  ^bb0(%in0: i1, %in1: f16, %out0: f16):
    %r = arith.select %in0, %in1, %c3 : f16
    linalg.yield %r : f16
  } -> tensor<2x45xf16>
  %v33 = tensor.expand_shape %g32 [[0, 1], [2]] output_shape [2, 1, 45] : tensor<2x45xf16> into tensor<2x1x45xf16>
  %v34 = tensor.expand_shape %v33 [[0], [1, 2], [3]] output_shape [2, 1, 1, 45] : tensor<2x1x45xf16> into tensor<2x1x1x45xf16>
  %v35 = tensor.empty() : tensor<2x4x3x45xf16>
  %g36 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v28, %v34 : tensor<2x4x3x45xf16>, tensor<2x1x1x45xf16>) outs(%v35 : tensor<2x4x3x45xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %r = arith.addf %in0, %in1 : f16
    linalg.yield %r : f16
  } -> tensor<2x4x3x45xf16>
  %v37 = tensor.empty() : tensor<2x4x3x45xf32>
  %g38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g36 : tensor<2x4x3x45xf16>) outs(%v37 : tensor<2x4x3x45xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2x4x3x45xf32>
  %v39 = tensor.empty() : tensor<2x4x3xi64>
  %v40 = linalg.fill ins(%c4 : i64) outs(%v39 : tensor<2x4x3xi64>) -> tensor<2x4x3xi64>
  %v41 = tensor.empty() : tensor<2x4x3xf32>
  %v42 = linalg.fill ins(%c5 : f32) outs(%v41 : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %g43:2 = linalg.generic {indexing_maps = [#map, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g38 : tensor<2x4x3x45xf32>) outs(%v42, %v40 : tensor<2x4x3xf32>, tensor<2x4x3xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x4x3xf32>, tensor<2x4x3xi64>)
  %v44 = tensor.expand_shape %g43#0 [[0], [1], [2, 3]] output_shape [2, 4, 3, 1] : tensor<2x4x3xf32> into tensor<2x4x3x1xf32>
  %v45 = tensor.empty() : tensor<2x4x3x45xf32>
  %g46 = linalg.generic {indexing_maps = [#map, #map11, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g38, %v44 : tensor<2x4x3x45xf32>, tensor<2x4x3x1xf32>) outs(%v45 : tensor<2x4x3x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x3x45xf32>
  %v47 = tensor.empty() : tensor<2x4x3x45xf32>
  %g48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g46 : tensor<2x4x3x45xf32>) outs(%v47 : tensor<2x4x3x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x3x45xf32>
  %v49 = tensor.empty() : tensor<2x4x3x1xf32>
  %v50 = linalg.fill ins(%c1 : f32) outs(%v49 : tensor<2x4x3x1xf32>) -> tensor<2x4x3x1xf32>
  %g51 = linalg.generic {indexing_maps = [#map, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g48 : tensor<2x4x3x45xf32>) outs(%v50 : tensor<2x4x3x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x3x1xf32>
  %v52 = tensor.empty() : tensor<2x4x3x45xf32>
  %g53 = linalg.generic {indexing_maps = [#map, #map11, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g48, %g51 : tensor<2x4x3x45xf32>, tensor<2x4x3x1xf32>) outs(%v52 : tensor<2x4x3x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x3x45xf32>
  %v54 = tensor.empty() : tensor<2x4x3x45xf16>
  %g55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g53 : tensor<2x4x3x45xf32>) outs(%v54 : tensor<2x4x3x45xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x3x45xf16>
  %v56 = tensor.expand_shape %g4 [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, 45, 16] : tensor<2x2x45x16xf16> into tensor<2x2x1x45x16xf16>
  %v57 = tensor.empty() : tensor<2x2x2x45x16xf16>
  %g58 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v56 : tensor<2x2x1x45x16xf16>) outs(%v57 : tensor<2x2x2x45x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    linalg.yield %in0 : f16
  } -> tensor<2x2x2x45x16xf16>
  %v59 = tensor.collapse_shape %g58 [[0], [1, 2], [3], [4]] : tensor<2x2x2x45x16xf16> into tensor<2x4x45x16xf16>
  %v60 = tensor.collapse_shape %g55 [[0, 1], [2], [3]] : tensor<2x4x3x45xf16> into tensor<8x3x45xf16>
  %v61 = tensor.collapse_shape %v59 [[0, 1], [2], [3]] : tensor<2x4x45x16xf16> into tensor<8x45x16xf16>
  %v62 = tensor.empty() : tensor<8x3x16xf32>
  %v63 = linalg.fill ins(%c1 : f32) outs(%v62 : tensor<8x3x16xf32>) -> tensor<8x3x16xf32>
  %v64 = linalg.batch_matmul ins(%v60, %v61 : tensor<8x3x45xf16>, tensor<8x45x16xf16>) outs(%v63 : tensor<8x3x16xf32>) -> tensor<8x3x16xf32>
  %v65 = tensor.empty() : tensor<8x3x16xf16>
  %g66 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v64 : tensor<8x3x16xf32>) outs(%v65 : tensor<8x3x16xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x3x16xf16>
  %v67 = tensor.expand_shape %g66 [[0, 1], [2], [3]] output_shape [2, 4, 3, 16] : tensor<8x3x16xf16> into tensor<2x4x3x16xf16>
  return %v67, %g2, %g4 : tensor<2x4x3x16xf16>, tensor<2x2x45x16xf16>, tensor<2x2x45x16xf16>
}

#mask = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#mask1 = affine_map<(d0, d1, d2, d3) -> (d0)>
#mask2 = affine_map<(d0) -> (d0)>
#mask3 = affine_map<(d0, d1) -> (0, d1)>
#mask4 = affine_map<(d0, d1) -> (d0, 0)>
#mask5 = affine_map<(d0, d1) -> (d0, d1)>
#mask6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#mask7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#mask8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#mask9 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#mask10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#mask11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @onnx24_scatter_circular(%a_q: tensor<2x4x3x16xf16>,
    %a_pk: tensor<2x2x45x16xf16>,
    %a_pv: tensor<2x2x45x16xf16>,
    %a_uk: tensor<2x2x3x16xf16>,
    %a_uv: tensor<2x2x3x16xf16>,
    %a_wi: tensor<2xi64> {check.draw = "uniform 5 30"},
    %a_len: tensor<2xi64> {check.draw = "uniform 33 45"}) -> (tensor<2x4x3x16xf16>, tensor<2x2x45x16xf16>, tensor<2x2x45x16xf16>) {
  %c0 = arith.constant 5.000000000e-01 : f64
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 0.000000000e+00 : f16
  %c3 = arith.constant 0xFC00 : f16
  %c4 = arith.constant 0 : i64
  %c5 = arith.constant 0xFF800000 : f32
  %v1 = tensor.empty() : tensor<2x2x45x16xf16>
  %g2 = linalg.generic {indexing_maps = [#mask, #mask1, #mask], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_pk, %a_wi : tensor<2x2x45x16xf16>, tensor<2xi64>) outs(%v1 : tensor<2x2x45x16xf16>) {
  ^bb0(%in0: f16, %in1: i64, %out0: f16):
    %b = linalg.index 0 : index
    %g = linalg.index 1 : index
    %s = linalg.index 2 : index
    %d = linalg.index 3 : index
    %si = arith.index_cast %s : index to i64
    %z0 = arith.constant 0 : i64
    %zn = arith.constant 3 : i64
    %zs = arith.constant 45 : i64
    %r0 = arith.subi %si, %in1 : i64
    %r1 = arith.addi %r0, %zs : i64
    %rel = arith.remsi %r1, %zs : i64
    %ge = arith.cmpi sge, %rel, %z0 : i64
    %lt = arith.cmpi slt, %rel, %zn : i64
    %in = arith.andi %ge, %lt : i1
    %at = arith.select %in, %rel, %z0 : i64
    %ai = arith.index_cast %at : i64 to index
    %u = tensor.extract %a_uk[%b, %g, %ai, %d] : tensor<2x2x3x16xf16>
    %r = arith.select %in, %u, %in0 : f16
    linalg.yield %r : f16
  } -> tensor<2x2x45x16xf16>
  %v3 = tensor.empty() : tensor<2x2x45x16xf16>
  %g4 = linalg.generic {indexing_maps = [#mask, #mask1, #mask], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_pv, %a_wi : tensor<2x2x45x16xf16>, tensor<2xi64>) outs(%v3 : tensor<2x2x45x16xf16>) {
  ^bb0(%in0: f16, %in1: i64, %out0: f16):
    %b = linalg.index 0 : index
    %g = linalg.index 1 : index
    %s = linalg.index 2 : index
    %d = linalg.index 3 : index
    %si = arith.index_cast %s : index to i64
    %z0 = arith.constant 0 : i64
    %zn = arith.constant 3 : i64
    %zs = arith.constant 45 : i64
    %r0 = arith.subi %si, %in1 : i64
    %r1 = arith.addi %r0, %zs : i64
    %rel = arith.remsi %r1, %zs : i64
    %ge = arith.cmpi sge, %rel, %z0 : i64
    %lt = arith.cmpi slt, %rel, %zn : i64
    %in = arith.andi %ge, %lt : i1
    %at = arith.select %in, %rel, %z0 : i64
    %ai = arith.index_cast %at : i64 to index
    %u = tensor.extract %a_uv[%b, %g, %ai, %d] : tensor<2x2x3x16xf16>
    %r = arith.select %in, %u, %in0 : f16
    linalg.yield %r : f16
  } -> tensor<2x2x45x16xf16>
  %v5 = tensor.empty() : tensor<45xi64>
  %g6 = linalg.generic {indexing_maps = [#mask2], iterator_types = ["parallel"]} outs(%v5 : tensor<45xi64>) {
  ^bb0(%out0: i64):
    %ix = linalg.index 0 : index
    %r0 = arith.index_cast %ix : index to i64
    linalg.yield %r0 : i64
  } -> tensor<45xi64>
  %v7 = tensor.expand_shape %g6 [[0, 1]] output_shape [1, 45] : tensor<45xi64> into tensor<1x45xi64>
  %v8 = tensor.expand_shape %a_len [[0, 1]] output_shape [2, 1] : tensor<2xi64> into tensor<2x1xi64>
  %v9 = tensor.empty() : tensor<2x45xi1>
  %g10 = linalg.generic {indexing_maps = [#mask3, #mask4, #mask5], iterator_types = ["parallel", "parallel"]} ins(%v7, %v8 : tensor<1x45xi64>, tensor<2x1xi64>) outs(%v9 : tensor<2x45xi1>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i1):
    %r = arith.cmpi slt, %in0, %in1 : i64
    linalg.yield %r : i1
  } -> tensor<2x45xi1>
  %v11 = tensor.empty() : tensor<2x4x3x16xf16>
  %g12 = linalg.generic {indexing_maps = [#mask, #mask], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_q : tensor<2x4x3x16xf16>) outs(%v11 : tensor<2x4x3x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %x = arith.truncf %c0 : f64 to f16
    %r = arith.mulf %in0, %x : f16
    linalg.yield %r : f16
  } -> tensor<2x4x3x16xf16>
  %v13 = tensor.expand_shape %g2 [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, 45, 16] : tensor<2x2x45x16xf16> into tensor<2x2x1x45x16xf16>
  %v14 = tensor.empty() : tensor<2x2x2x45x16xf16>
  %g15 = linalg.generic {indexing_maps = [#mask6, #mask7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v13 : tensor<2x2x1x45x16xf16>) outs(%v14 : tensor<2x2x2x45x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    linalg.yield %in0 : f16
  } -> tensor<2x2x2x45x16xf16>
  %v16 = tensor.collapse_shape %g15 [[0], [1, 2], [3], [4]] : tensor<2x2x2x45x16xf16> into tensor<2x4x45x16xf16>
  %v17 = tensor.empty() : tensor<2x4x16x45xf16>
  %v18 = linalg.transpose ins(%v16 : tensor<2x4x45x16xf16>) outs(%v17 : tensor<2x4x16x45xf16>) permutation = [0, 1, 3, 2]
  %v19 = tensor.empty() : tensor<2x4x16x45xf16>
  %g20 = linalg.generic {indexing_maps = [#mask, #mask], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v18 : tensor<2x4x16x45xf16>) outs(%v19 : tensor<2x4x16x45xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %x = arith.truncf %c0 : f64 to f16
    %r = arith.mulf %in0, %x : f16
    linalg.yield %r : f16
  } -> tensor<2x4x16x45xf16>
  %v21 = tensor.collapse_shape %g12 [[0, 1], [2], [3]] : tensor<2x4x3x16xf16> into tensor<8x3x16xf16>
  %v22 = tensor.collapse_shape %g20 [[0, 1], [2], [3]] : tensor<2x4x16x45xf16> into tensor<8x16x45xf16>
  %v23 = tensor.empty() : tensor<8x3x45xf32>
  %v24 = linalg.fill ins(%c1 : f32) outs(%v23 : tensor<8x3x45xf32>) -> tensor<8x3x45xf32>
  %v25 = linalg.batch_matmul ins(%v21, %v22 : tensor<8x3x16xf16>, tensor<8x16x45xf16>) outs(%v24 : tensor<8x3x45xf32>) -> tensor<8x3x45xf32>
  %v26 = tensor.empty() : tensor<8x3x45xf16>
  %g27 = linalg.generic {indexing_maps = [#mask8, #mask8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v25 : tensor<8x3x45xf32>) outs(%v26 : tensor<8x3x45xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x3x45xf16>
  %v28 = tensor.expand_shape %g27 [[0, 1], [2], [3]] output_shape [2, 4, 3, 45] : tensor<8x3x45xf16> into tensor<2x4x3x45xf16>
  %v29 = tensor.empty() : tensor<2x45xf16>
  %v30 = linalg.fill ins(%c2 : f16) outs(%v29 : tensor<2x45xf16>) -> tensor<2x45xf16>
  %v31 = tensor.empty() : tensor<2x45xf16>
  %g32 = linalg.generic {indexing_maps = [#mask5, #mask5, #mask5], iterator_types = ["parallel", "parallel"]} ins(%g10, %v30 : tensor<2x45xi1>, tensor<2x45xf16>) outs(%v31 : tensor<2x45xf16>) {
  ^bb0(%in0: i1, %in1: f16, %out0: f16):
    %r = arith.select %in0, %in1, %c3 : f16
    linalg.yield %r : f16
  } -> tensor<2x45xf16>
  %v33 = tensor.expand_shape %g32 [[0, 1], [2]] output_shape [2, 1, 45] : tensor<2x45xf16> into tensor<2x1x45xf16>
  %v34 = tensor.expand_shape %v33 [[0], [1, 2], [3]] output_shape [2, 1, 1, 45] : tensor<2x1x45xf16> into tensor<2x1x1x45xf16>
  %v35 = tensor.empty() : tensor<2x4x3x45xf16>
  %g36 = linalg.generic {indexing_maps = [#mask, #mask9, #mask], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v28, %v34 : tensor<2x4x3x45xf16>, tensor<2x1x1x45xf16>) outs(%v35 : tensor<2x4x3x45xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %r = arith.addf %in0, %in1 : f16
    linalg.yield %r : f16
  } -> tensor<2x4x3x45xf16>
  %v37 = tensor.empty() : tensor<2x4x3x45xf32>
  %g38 = linalg.generic {indexing_maps = [#mask, #mask], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g36 : tensor<2x4x3x45xf16>) outs(%v37 : tensor<2x4x3x45xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2x4x3x45xf32>
  %v39 = tensor.empty() : tensor<2x4x3xi64>
  %v40 = linalg.fill ins(%c4 : i64) outs(%v39 : tensor<2x4x3xi64>) -> tensor<2x4x3xi64>
  %v41 = tensor.empty() : tensor<2x4x3xf32>
  %v42 = linalg.fill ins(%c5 : f32) outs(%v41 : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %g43:2 = linalg.generic {indexing_maps = [#mask, #mask10, #mask10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g38 : tensor<2x4x3x45xf32>) outs(%v42, %v40 : tensor<2x4x3xf32>, tensor<2x4x3xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x4x3xf32>, tensor<2x4x3xi64>)
  %v44 = tensor.expand_shape %g43#0 [[0], [1], [2, 3]] output_shape [2, 4, 3, 1] : tensor<2x4x3xf32> into tensor<2x4x3x1xf32>
  %v45 = tensor.empty() : tensor<2x4x3x45xf32>
  %g46 = linalg.generic {indexing_maps = [#mask, #mask11, #mask], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g38, %v44 : tensor<2x4x3x45xf32>, tensor<2x4x3x1xf32>) outs(%v45 : tensor<2x4x3x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x3x45xf32>
  %v47 = tensor.empty() : tensor<2x4x3x45xf32>
  %g48 = linalg.generic {indexing_maps = [#mask, #mask], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g46 : tensor<2x4x3x45xf32>) outs(%v47 : tensor<2x4x3x45xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x3x45xf32>
  %v49 = tensor.empty() : tensor<2x4x3x1xf32>
  %v50 = linalg.fill ins(%c1 : f32) outs(%v49 : tensor<2x4x3x1xf32>) -> tensor<2x4x3x1xf32>
  %g51 = linalg.generic {indexing_maps = [#mask, #mask11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g48 : tensor<2x4x3x45xf32>) outs(%v50 : tensor<2x4x3x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x3x1xf32>
  %v52 = tensor.empty() : tensor<2x4x3x45xf32>
  %g53 = linalg.generic {indexing_maps = [#mask, #mask11, #mask], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g48, %g51 : tensor<2x4x3x45xf32>, tensor<2x4x3x1xf32>) outs(%v52 : tensor<2x4x3x45xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x3x45xf32>
  %v54 = tensor.empty() : tensor<2x4x3x45xf16>
  %g55 = linalg.generic {indexing_maps = [#mask, #mask], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g53 : tensor<2x4x3x45xf32>) outs(%v54 : tensor<2x4x3x45xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x3x45xf16>
  %v56 = tensor.expand_shape %g4 [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, 45, 16] : tensor<2x2x45x16xf16> into tensor<2x2x1x45x16xf16>
  %v57 = tensor.empty() : tensor<2x2x2x45x16xf16>
  %g58 = linalg.generic {indexing_maps = [#mask6, #mask7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v56 : tensor<2x2x1x45x16xf16>) outs(%v57 : tensor<2x2x2x45x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    linalg.yield %in0 : f16
  } -> tensor<2x2x2x45x16xf16>
  %v59 = tensor.collapse_shape %g58 [[0], [1, 2], [3], [4]] : tensor<2x2x2x45x16xf16> into tensor<2x4x45x16xf16>
  %v60 = tensor.collapse_shape %g55 [[0, 1], [2], [3]] : tensor<2x4x3x45xf16> into tensor<8x3x45xf16>
  %v61 = tensor.collapse_shape %v59 [[0, 1], [2], [3]] : tensor<2x4x45x16xf16> into tensor<8x45x16xf16>
  %v62 = tensor.empty() : tensor<8x3x16xf32>
  %v63 = linalg.fill ins(%c1 : f32) outs(%v62 : tensor<8x3x16xf32>) -> tensor<8x3x16xf32>
  %v64 = linalg.batch_matmul ins(%v60, %v61 : tensor<8x3x45xf16>, tensor<8x45x16xf16>) outs(%v63 : tensor<8x3x16xf32>) -> tensor<8x3x16xf32>
  %v65 = tensor.empty() : tensor<8x3x16xf16>
  %g66 = linalg.generic {indexing_maps = [#mask8, #mask8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v64 : tensor<8x3x16xf32>) outs(%v65 : tensor<8x3x16xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x3x16xf16>
  %v67 = tensor.expand_shape %g66 [[0, 1], [2], [3]] output_shape [2, 4, 3, 16] : tensor<8x3x16xf16> into tensor<2x4x3x16xf16>
  return %v67, %g2, %g4 : tensor<2x4x3x16xf16>, tensor<2x2x45x16xf16>, tensor<2x2x45x16xf16>
}
