// One token of a gated delta rule, as Qwen3-Next decodes: a state decays, a key reads it, and what
// it lacks is added. The number of sequences is unknown: what asks for the size of a result does not
// need the result, and the state is read and written once.

// RUN: linalg-ext-check-program %s --max-kernels=2 --max-buffer-bytes=1600 \
// RUN:   --sizes=3x4x16,3x4x16,3x4x32,3x4,3x4,3x4x16x32

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>

func.func @gated_delta_rule_step(%a_q: tensor<?x4x16xbf16>,
    %a_k: tensor<?x4x16xbf16>,
    %a_v: tensor<?x4x32xbf16>,
    %a_g: tensor<?x4xf32> {check.draw = "uniform -1 0"},
    %a_be: tensor<?x4xf32> {check.draw = "uniform 0 1"},
    %a_S: tensor<?x4x16x32xf32>) -> (tensor<?x4x32xbf16>, tensor<?x4x16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 2.500000000e-01 : f64
  %c2 = arith.constant 0.000000000e+00 : f32
  %B = tensor.dim %a_q, %c0 : tensor<?x4x16xbf16>
  %v1 = tensor.empty(%B) : tensor<?x4x16xf32>
  %g2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_k : tensor<?x4x16xbf16>) outs(%v1 : tensor<?x4x16xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<?x4x16xf32>
  %v3 = tensor.empty(%B) : tensor<?x4x32xf32>
  %g4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_v : tensor<?x4x32xbf16>) outs(%v3 : tensor<?x4x32xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<?x4x32xf32>
  %v5 = tensor.empty(%B) : tensor<?x4x16xf32>
  %g6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_q : tensor<?x4x16xbf16>) outs(%v5 : tensor<?x4x16xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %r = arith.extf %in0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<?x4x16xf32>
  %v7 = tensor.empty(%B) : tensor<?x4x16xf32>
  %g8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g6 : tensor<?x4x16xf32>) outs(%v7 : tensor<?x4x16xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %x = arith.truncf %c1 : f64 to f32
    %r = arith.mulf %in0, %x : f32
    linalg.yield %r : f32
  } -> tensor<?x4x16xf32>
  %v9 = tensor.empty(%B) : tensor<?x4xf32>
  %g10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%a_g : tensor<?x4xf32>) outs(%v9 : tensor<?x4xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<?x4xf32>
  %v11 = tensor.expand_shape %g10 [[0], [1, 2]] output_shape [%B, 4, 1] : tensor<?x4xf32> into tensor<?x4x1xf32>
  %v12 = tensor.expand_shape %v11 [[0], [1], [2, 3]] output_shape [%B, 4, 1, 1] : tensor<?x4x1xf32> into tensor<?x4x1x1xf32>
  %v13 = tensor.empty(%B) : tensor<?x4x16x32xf32>
  %g14 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a_S, %v12 : tensor<?x4x16x32xf32>, tensor<?x4x1x1xf32>) outs(%v13 : tensor<?x4x16x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x16x32xf32>
  %v15 = tensor.expand_shape %g2 [[0], [1], [2, 3]] output_shape [%B, 4, 16, 1] : tensor<?x4x16xf32> into tensor<?x4x16x1xf32>
  %v16 = tensor.empty(%B) : tensor<?x4x16x32xf32>
  %g17 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g14, %v15 : tensor<?x4x16x32xf32>, tensor<?x4x16x1xf32>) outs(%v16 : tensor<?x4x16x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x16x32xf32>
  %v18 = tensor.empty(%B) : tensor<?x4x32xf32>
  %v19 = linalg.fill ins(%c2 : f32) outs(%v18 : tensor<?x4x32xf32>) -> tensor<?x4x32xf32>
  %g20 = linalg.generic {indexing_maps = [#map2, #map5], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%g17 : tensor<?x4x16x32xf32>) outs(%v19 : tensor<?x4x32xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x32xf32>
  %v21 = tensor.empty(%B) : tensor<?x4x32xf32>
  %g22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g4, %g20 : tensor<?x4x32xf32>, tensor<?x4x32xf32>) outs(%v21 : tensor<?x4x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.subf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x32xf32>
  %v23 = tensor.expand_shape %a_be [[0], [1, 2]] output_shape [%B, 4, 1] : tensor<?x4xf32> into tensor<?x4x1xf32>
  %v24 = tensor.empty(%B) : tensor<?x4x32xf32>
  %g25 = linalg.generic {indexing_maps = [#map, #map6, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g22, %v23 : tensor<?x4x32xf32>, tensor<?x4x1xf32>) outs(%v24 : tensor<?x4x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x32xf32>
  %v26 = tensor.expand_shape %g2 [[0], [1], [2, 3]] output_shape [%B, 4, 16, 1] : tensor<?x4x16xf32> into tensor<?x4x16x1xf32>
  %v27 = tensor.expand_shape %g25 [[0], [1, 2], [3]] output_shape [%B, 4, 1, 32] : tensor<?x4x32xf32> into tensor<?x4x1x32xf32>
  %v28 = tensor.empty(%B) : tensor<?x4x16x32xf32>
  %g29 = linalg.generic {indexing_maps = [#map4, #map7, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v26, %v27 : tensor<?x4x16x1xf32>, tensor<?x4x1x32xf32>) outs(%v28 : tensor<?x4x16x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x16x32xf32>
  %v30 = tensor.empty(%B) : tensor<?x4x16x32xf32>
  %g31 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g14, %g29 : tensor<?x4x16x32xf32>, tensor<?x4x16x32xf32>) outs(%v30 : tensor<?x4x16x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.addf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x16x32xf32>
  %v32 = tensor.expand_shape %g8 [[0], [1], [2, 3]] output_shape [%B, 4, 16, 1] : tensor<?x4x16xf32> into tensor<?x4x16x1xf32>
  %v33 = tensor.empty(%B) : tensor<?x4x16x32xf32>
  %g34 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%g31, %v32 : tensor<?x4x16x32xf32>, tensor<?x4x16x1xf32>) outs(%v33 : tensor<?x4x16x32xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x16x32xf32>
  %v35 = tensor.empty(%B) : tensor<?x4x32xf32>
  %v36 = linalg.fill ins(%c2 : f32) outs(%v35 : tensor<?x4x32xf32>) -> tensor<?x4x32xf32>
  %g37 = linalg.generic {indexing_maps = [#map2, #map5], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%g34 : tensor<?x4x16x32xf32>) outs(%v36 : tensor<?x4x32xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = arith.addf %in0, %out0 : f32
    linalg.yield %r : f32
  } -> tensor<?x4x32xf32>
  %v38 = tensor.empty(%B) : tensor<?x4x32xbf16>
  %g39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g37 : tensor<?x4x32xf32>) outs(%v38 : tensor<?x4x32xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x4x32xbf16>
  return %g39, %g31 : tensor<?x4x32xbf16>, tensor<?x4x16x32xf32>
}
