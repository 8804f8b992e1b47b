// ONNX Attention with qk_matmul_output_mode 3: weights are a result, too. On a GPU, a second kernel
// computes the scores again, and the weights from the sums of rows.

// RUN: linalg-ext-check-program %s --entry=qk_output --sizes=2x4x37x16,2x2x45x16,2x2x45x24,37x45 \
// RUN:   --max-kernels=2 --keys=16
// RUN: linalg-ext-check-program %s --entry=weights --sizes=2x3x37x64,2x3x45x64,2x3x45x64 \
// RUN:   --targets=gpu --max-kernels=2 --keys=16

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

func.func @qk_output(%a_q: tensor<2x4x?x16xf16>,
    %a_k: tensor<2x2x?x16xf16>,
    %a_v: tensor<2x2x?x24xf16>,
    %a_mask: tensor<?x?xf16> {check.draw = "mask 0.3"}) -> (tensor<2x4x?x24xf16>, tensor<2x4x?x?xf16>) {
  %c0 = arith.constant 2 : index
  %c1 = arith.constant 5.000000000e-01 : f64
  %c2 = arith.constant 0.000000000e+00 : f32
  %c3 = arith.constant 5.000000000e+00 : f64
  %c4 = arith.constant 0 : i64
  %c5 = arith.constant 0xFF800000 : f32
  %T = tensor.dim %a_q, %c0 : tensor<2x4x?x16xf16>
  %S = tensor.dim %a_k, %c0 : tensor<2x2x?x16xf16>
  %v1 = tensor.expand_shape %a_k [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, %S, 16] : tensor<2x2x?x16xf16> into tensor<2x2x1x?x16xf16>
  %v2 = tensor.empty(%S) : tensor<2x2x2x?x16xf16>
  %g3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v1 : tensor<2x2x1x?x16xf16>) outs(%v2 : tensor<2x2x2x?x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    linalg.yield %in0 : f16
  } -> tensor<2x2x2x?x16xf16>
  %v4 = tensor.collapse_shape %g3 [[0], [1, 2], [3], [4]] : tensor<2x2x2x?x16xf16> into tensor<2x4x?x16xf16>
  %v5 = tensor.expand_shape %a_v [[0], [1, 2], [3], [4]] output_shape [2, 2, 1, %S, 24] : tensor<2x2x?x24xf16> into tensor<2x2x1x?x24xf16>
  %v6 = tensor.empty(%S) : tensor<2x2x2x?x24xf16>
  %g7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v5 : tensor<2x2x1x?x24xf16>) outs(%v6 : tensor<2x2x2x?x24xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    linalg.yield %in0 : f16
  } -> tensor<2x2x2x?x24xf16>
  %v8 = tensor.collapse_shape %g7 [[0], [1, 2], [3], [4]] : tensor<2x2x2x?x24xf16> into tensor<2x4x?x24xf16>
  %v9 = tensor.empty(%T) : tensor<2x4x?x16xf16>
  %g10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_q : tensor<2x4x?x16xf16>) outs(%v9 : tensor<2x4x?x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %x = arith.truncf %c1 : f64 to f16
    %r = arith.mulf %in0, %x : f16
    linalg.yield %r : f16
  } -> tensor<2x4x?x16xf16>
  %v11 = tensor.empty(%S) : tensor<2x4x?x16xf16>
  %g12 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4 : tensor<2x4x?x16xf16>) outs(%v11 : tensor<2x4x?x16xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %x = arith.truncf %c1 : f64 to f16
    %r = arith.mulf %in0, %x : f16
    linalg.yield %r : f16
  } -> tensor<2x4x?x16xf16>
  %v13 = tensor.empty(%S) : tensor<2x4x16x?xf16>
  %v14 = linalg.transpose ins(%g12 : tensor<2x4x?x16xf16>) outs(%v13 : tensor<2x4x16x?xf16>) permutation = [0, 1, 3, 2]
  %v15 = tensor.collapse_shape %g10 [[0, 1], [2], [3]] : tensor<2x4x?x16xf16> into tensor<8x?x16xf16>
  %v16 = tensor.collapse_shape %v14 [[0, 1], [2], [3]] : tensor<2x4x16x?xf16> into tensor<8x16x?xf16>
  %v17 = tensor.empty(%T, %S) : tensor<8x?x?xf32>
  %v18 = linalg.fill ins(%c2 : f32) outs(%v17 : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  %v19 = linalg.batch_matmul ins(%v15, %v16 : tensor<8x?x16xf16>, tensor<8x16x?xf16>) outs(%v18 : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  %v20 = tensor.empty(%T, %S) : tensor<8x?x?xf16>
  %g21 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v19 : tensor<8x?x?xf32>) outs(%v20 : tensor<8x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x?x?xf16>
  %v22 = tensor.expand_shape %g21 [[0, 1], [2], [3]] output_shape [2, 4, %T, %S] : tensor<8x?x?xf16> into tensor<2x4x?x?xf16>
  %v23 = tensor.empty(%T, %S) : tensor<2x4x?x?xf16>
  %g24 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v22 : tensor<2x4x?x?xf16>) outs(%v23 : tensor<2x4x?x?xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %x = arith.truncf %c3 : f64 to f16
    %r = arith.divf %in0, %x : f16
    linalg.yield %r : f16
  } -> tensor<2x4x?x?xf16>
  %v25 = tensor.empty(%T, %S) : tensor<2x4x?x?xf16>
  %g26 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g24 : tensor<2x4x?x?xf16>) outs(%v25 : tensor<2x4x?x?xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %r = math.tanh %in0 : f16
    linalg.yield %r : f16
  } -> tensor<2x4x?x?xf16>
  %v27 = tensor.empty(%T, %S) : tensor<2x4x?x?xf16>
  %g28 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g26 : tensor<2x4x?x?xf16>) outs(%v27 : tensor<2x4x?x?xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %x = arith.truncf %c3 : f64 to f16
    %r = arith.mulf %in0, %x : f16
    linalg.yield %r : f16
  } -> tensor<2x4x?x?xf16>
  %v29 = tensor.empty(%T, %S) : tensor<2x4x?x?xf16>
  %g30 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g28, %a_mask : tensor<2x4x?x?xf16>, tensor<?x?xf16>) outs(%v29 : tensor<2x4x?x?xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %r = arith.addf %in0, %in1 : f16
    linalg.yield %r : f16
  } -> tensor<2x4x?x?xf16>
  %v31 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g32 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g30 : tensor<2x4x?x?xf16>) outs(%v31 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %r = arith.extf %in0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v33 = tensor.empty(%T) : tensor<2x4x?xi64>
  %v34 = linalg.fill ins(%c4 : i64) outs(%v33 : tensor<2x4x?xi64>) -> tensor<2x4x?xi64>
  %v35 = tensor.empty(%T) : tensor<2x4x?xf32>
  %v36 = linalg.fill ins(%c5 : f32) outs(%v35 : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  %g37:2 = linalg.generic {indexing_maps = [#map2, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g32 : tensor<2x4x?x?xf32>) outs(%v36, %v34 : tensor<2x4x?xf32>, tensor<2x4x?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %ix = linalg.index 3 : index
    %ii = arith.index_cast %ix : index to i64
    %m = arith.maximumf %in0, %out0 : f32
    %gt = arith.cmpf ogt, %in0, %out0 : f32
    %s = arith.select %gt, %ii, %out1 : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<2x4x?xf32>, tensor<2x4x?xi64>)
  %v38 = tensor.expand_shape %g37#0 [[0], [1], [2, 3]] output_shape [2, 4, %T, 1] : tensor<2x4x?xf32> into tensor<2x4x?x1xf32>
  %v39 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g40 = linalg.generic {indexing_maps = [#map2, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g32, %v38 : tensor<2x4x?x?xf32>, tensor<2x4x?x1xf32>) outs(%v39 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v41 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g42 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g40 : tensor<2x4x?x?xf32>) outs(%v41 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v43 = tensor.empty(%T) : tensor<2x4x?x1xf32>
  %v44 = linalg.fill ins(%c2 : f32) outs(%v43 : tensor<2x4x?x1xf32>) -> tensor<2x4x?x1xf32>
  %g45 = linalg.generic {indexing_maps = [#map2, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g42 : tensor<2x4x?x?xf32>) outs(%v44 : tensor<2x4x?x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x1xf32>
  %v46 = tensor.empty(%T, %S) : tensor<2x4x?x?xf32>
  %g47 = linalg.generic {indexing_maps = [#map2, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g42, %g45 : tensor<2x4x?x?xf32>, tensor<2x4x?x1xf32>) outs(%v46 : tensor<2x4x?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x4x?x?xf32>
  %v48 = tensor.empty(%T, %S) : tensor<2x4x?x?xf16>
  %g49 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g47 : tensor<2x4x?x?xf32>) outs(%v48 : tensor<2x4x?x?xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x4x?x?xf16>
  %v50 = tensor.collapse_shape %g49 [[0, 1], [2], [3]] : tensor<2x4x?x?xf16> into tensor<8x?x?xf16>
  %v51 = tensor.collapse_shape %v8 [[0, 1], [2], [3]] : tensor<2x4x?x24xf16> into tensor<8x?x24xf16>
  %v52 = tensor.empty(%T) : tensor<8x?x24xf32>
  %v53 = linalg.fill ins(%c2 : f32) outs(%v52 : tensor<8x?x24xf32>) -> tensor<8x?x24xf32>
  %v54 = linalg.batch_matmul ins(%v50, %v51 : tensor<8x?x?xf16>, tensor<8x?x24xf16>) outs(%v53 : tensor<8x?x24xf32>) -> tensor<8x?x24xf32>
  %v55 = tensor.empty(%T) : tensor<8x?x24xf16>
  %g56 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v54 : tensor<8x?x24xf32>) outs(%v55 : tensor<8x?x24xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %r = arith.truncf %in0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x?x24xf16>
  %v57 = tensor.expand_shape %g56 [[0, 1], [2], [3]] output_shape [2, 4, %T, 24] : tensor<8x?x24xf16> into tensor<2x4x?x24xf16>
  return %v57, %g49 : tensor<2x4x?x24xf16>, tensor<2x4x?x?xf16>
}

// The weights are rounded, and then both returned and multiplied.

#nq = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#nk = affine_map<(b, h, m, n, k) -> (b, h, n, k)>
#ns = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
#np = affine_map<(b, h, m, d, n) -> (b, h, m, n)>
#nv = affine_map<(b, h, m, d, n) -> (b, h, n, d)>
#no = affine_map<(b, h, m, d, n) -> (b, h, m, d)>
#nid = affine_map<(b, h, m, n) -> (b, h, m, n)>
func.func @weights(%q: tensor<2x3x?x64xf16>, %k: tensor<2x3x?x64xf16>, %v: tensor<2x3x?x64xf16>) -> (tensor<2x3x?x64xf16>, tensor<2x3x?x?xf16>) {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %m = tensor.dim %q, %c2 : tensor<2x3x?x64xf16>
  %n = tensor.dim %k, %c2 : tensor<2x3x?x64xf16>
  %e0 = tensor.empty(%m, %n) : tensor<2x3x?x?xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x3x?x?xf32>) -> tensor<2x3x?x?xf32>
  %s0 = linalg.generic {indexing_maps = [#nq, #nk, #ns], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x3x?x64xf16>, tensor<2x3x?x64xf16>) outs(%f0 : tensor<2x3x?x?xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %z = arith.mulf %x, %y : f32
    %w = arith.addf %o, %z : f32
    linalg.yield %w : f32
  } -> tensor<2x3x?x?xf32>
  %s = linalg.generic {indexing_maps = [#nid, #nid], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s0 : tensor<2x3x?x?xf32>) outs(%e0 : tensor<2x3x?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %x = arith.mulf %a, %scale : f32
    linalg.yield %x : f32
  } -> tensor<2x3x?x?xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x?x?xf32>) outs(%e0 : tensor<2x3x?x?xf32>) -> tensor<2x3x?x?xf32>
  %eh = tensor.empty(%m, %n) : tensor<2x3x?x?xf16>
  %ph = linalg.generic {indexing_maps = [#nid, #nid], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x3x?x?xf32>) outs(%eh : tensor<2x3x?x?xf16>) {
  ^bb0(%a: f32, %o: f16):
    %x = arith.truncf %a : f32 to f16
    linalg.yield %x : f16
  } -> tensor<2x3x?x?xf16>
  %e1 = tensor.empty(%m) : tensor<2x3x?x64xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x3x?x64xf32>) -> tensor<2x3x?x64xf32>
  %o0 = linalg.generic {indexing_maps = [#np, #nv, #no], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%ph, %v : tensor<2x3x?x?xf16>, tensor<2x3x?x64xf16>) outs(%f1 : tensor<2x3x?x64xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %z = arith.mulf %x, %y : f32
    %w = arith.addf %o, %z : f32
    linalg.yield %w : f32
  } -> tensor<2x3x?x64xf32>
  %e2 = tensor.empty(%m) : tensor<2x3x?x64xf16>
  %o = linalg.generic {indexing_maps = [#nid, #nid], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%o0 : tensor<2x3x?x64xf32>) outs(%e2 : tensor<2x3x?x64xf16>) {
  ^bb0(%a: f32, %oo: f16):
    %x = arith.truncf %a : f32 to f16
    linalg.yield %x : f16
  } -> tensor<2x3x?x64xf16>
  return %o, %ph : tensor<2x3x?x64xf16>, tensor<2x3x?x?xf16>
}
