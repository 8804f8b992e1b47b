// A gated MLP behind a norm in decoding: one token of each sequence stands between products and what
// is computed from them.

// RUN: linalg-ext-check-program %s --max-kernels=3 --sizes=5x1x32,-,-,-,-

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>

func.func @gated_mlp_one_token(%a_x: tensor<?x1x32xbf16>,
    %a_g: tensor<32xbf16>,
    %a_Wg: tensor<48x32xbf16> {check.draw = "uniform -0.3 0.3"},
    %a_Wu: tensor<48x32xbf16> {check.draw = "uniform -0.3 0.3"},
    %a_Wd: tensor<32x48xbf16> {check.draw = "uniform -0.3 0.3"}) -> (tensor<?x1x32xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 0.000000000e+00 : f32
  %c2 = arith.constant 3.200000000e+01 : f64
  %c3 = arith.constant 1.000000000e-06 : f64
  %c4 = arith.constant 1.000000000e+00 : bf16
  %B = tensor.dim %a_x, %c0 : tensor<?x1x32xbf16>
  %v1 = tensor.empty(%B) : tensor<?x1x32xf32>
  %g2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_x : tensor<?x1x32xbf16>) outs(%v1 : tensor<?x1x32xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<?x1x32xf32>
  %v3 = tensor.empty(%B) : tensor<?x1x32xf32>
  %g4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g2, %g2 : tensor<?x1x32xf32>, tensor<?x1x32xf32>) outs(%v3 : tensor<?x1x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x1x32xf32>
  %v5 = tensor.empty(%B) : tensor<?x1x1xf32>
  %v6 = linalg.fill ins(%c1 : f32) outs(%v5 : tensor<?x1x1xf32>) -> tensor<?x1x1xf32>
  %g7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g4 : tensor<?x1x32xf32>) outs(%v6 : tensor<?x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<?x1x1xf32>
  %v8 = tensor.empty(%B) : tensor<?x1x1xf32>
  %g9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g7 : tensor<?x1x1xf32>) outs(%v8 : tensor<?x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c2 : f64 to f32
    %r = arith.divf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x1x1xf32>
  %v10 = tensor.empty(%B) : tensor<?x1x1xf32>
  %g11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g9 : tensor<?x1x1xf32>) outs(%v10 : tensor<?x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c3 : f64 to f32
    %r = arith.addf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x1x1xf32>
  %v12 = tensor.empty(%B) : tensor<?x1x1xf32>
  %g13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g11 : tensor<?x1x1xf32>) outs(%v12 : tensor<?x1x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.rsqrt %in0 : f32
    linalg.yield %r : f32
  } -> tensor<?x1x1xf32>
  %v14 = tensor.empty(%B) : tensor<?x1x32xf32>
  %g15 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g2, %g13 : tensor<?x1x32xf32>, tensor<?x1x1xf32>) outs(%v14 : tensor<?x1x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x1x32xf32>
  %v16 = tensor.empty(%B) : tensor<?x1x32xbf16>
  %g17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g15 : tensor<?x1x32xf32>) outs(%v16 : tensor<?x1x32xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x1x32xbf16>
  %v18 = tensor.empty(%B) : tensor<?x1x32xbf16>
  %g19 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g17, %a_g : tensor<?x1x32xbf16>, tensor<32xbf16>) outs(%v18 : tensor<?x1x32xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<?x1x32xbf16>
  %v20 = tensor.empty() : tensor<32x48xbf16>
  %v21 = linalg.transpose ins(%a_Wg : tensor<48x32xbf16>) outs(%v20 : tensor<32x48xbf16>) permutation = [1, 0]
  %v22 = tensor.collapse_shape %g19 [[0, 1], [2]] : tensor<?x1x32xbf16> into tensor<?x32xbf16>
  %v23 = tensor.empty(%B) : tensor<?x48xf32>
  %v24 = linalg.fill ins(%c1 : f32) outs(%v23 : tensor<?x48xf32>) -> tensor<?x48xf32>
  %v25 = linalg.matmul ins(%v22, %v21 : tensor<?x32xbf16>, tensor<32x48xbf16>) outs(%v24 : tensor<?x48xf32>) -> tensor<?x48xf32>
  %v26 = tensor.empty(%B) : tensor<?x48xbf16>
  %g27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%v25 : tensor<?x48xf32>) outs(%v26 : tensor<?x48xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x48xbf16>
  %v28 = tensor.expand_shape %g27 [[0, 1], [2]] output_shape [%B, 1, 48] : tensor<?x48xbf16> into tensor<?x1x48xbf16>
  %v29 = tensor.empty(%B) : tensor<?x1x48xbf16>
  %g30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v28 : tensor<?x1x48xbf16>) outs(%v29 : tensor<?x1x48xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %n = arith.negf %in0 : bf16
    %e = math.exp %n : bf16
    %a = arith.addf %e, %c4 : bf16
    %r = arith.divf %c4, %a : bf16
    linalg.yield %r : bf16
  } -> tensor<?x1x48xbf16>
  %v31 = tensor.empty(%B) : tensor<?x1x48xbf16>
  %g32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v28, %g30 : tensor<?x1x48xbf16>, tensor<?x1x48xbf16>) outs(%v31 : tensor<?x1x48xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<?x1x48xbf16>
  %v33 = tensor.empty() : tensor<32x48xbf16>
  %v34 = linalg.transpose ins(%a_Wu : tensor<48x32xbf16>) outs(%v33 : tensor<32x48xbf16>) permutation = [1, 0]
  %v35 = tensor.collapse_shape %g19 [[0, 1], [2]] : tensor<?x1x32xbf16> into tensor<?x32xbf16>
  %v36 = tensor.empty(%B) : tensor<?x48xf32>
  %v37 = linalg.fill ins(%c1 : f32) outs(%v36 : tensor<?x48xf32>) -> tensor<?x48xf32>
  %v38 = linalg.matmul ins(%v35, %v34 : tensor<?x32xbf16>, tensor<32x48xbf16>) outs(%v37 : tensor<?x48xf32>) -> tensor<?x48xf32>
  %v39 = tensor.empty(%B) : tensor<?x48xbf16>
  %g40 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%v38 : tensor<?x48xf32>) outs(%v39 : tensor<?x48xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x48xbf16>
  %v41 = tensor.expand_shape %g40 [[0, 1], [2]] output_shape [%B, 1, 48] : tensor<?x48xbf16> into tensor<?x1x48xbf16>
  %v42 = tensor.empty(%B) : tensor<?x1x48xbf16>
  %g43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g32, %v41 : tensor<?x1x48xbf16>, tensor<?x1x48xbf16>) outs(%v42 : tensor<?x1x48xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<?x1x48xbf16>
  %v44 = tensor.empty() : tensor<48x32xbf16>
  %v45 = linalg.transpose ins(%a_Wd : tensor<32x48xbf16>) outs(%v44 : tensor<48x32xbf16>) permutation = [1, 0]
  %v46 = tensor.collapse_shape %g43 [[0, 1], [2]] : tensor<?x1x48xbf16> into tensor<?x48xbf16>
  %v47 = tensor.empty(%B) : tensor<?x32xf32>
  %v48 = linalg.fill ins(%c1 : f32) outs(%v47 : tensor<?x32xf32>) -> tensor<?x32xf32>
  %v49 = linalg.matmul ins(%v46, %v45 : tensor<?x48xbf16>, tensor<48x32xbf16>) outs(%v48 : tensor<?x32xf32>) -> tensor<?x32xf32>
  %v50 = tensor.empty(%B) : tensor<?x32xbf16>
  %g51 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%v49 : tensor<?x32xf32>) outs(%v50 : tensor<?x32xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x32xbf16>
  %v52 = tensor.expand_shape %g51 [[0, 1], [2]] output_shape [%B, 1, 32] : tensor<?x32xbf16> into tensor<?x1x32xbf16>
  %v53 = tensor.empty(%B) : tensor<?x1x32xbf16>
  %g54 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_x, %v52 : tensor<?x1x32xbf16>, tensor<?x1x32xbf16>) outs(%v53 : tensor<?x1x32xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.addf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<?x1x32xbf16>
  return %g54 : tensor<?x1x32xbf16>
}
