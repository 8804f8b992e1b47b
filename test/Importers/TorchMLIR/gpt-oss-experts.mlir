// gpt-oss: all experts compute; gates and values are columns in turn.

// RUN: linalg-ext-check-program %s --max-kernels=3 --keys=16

#map = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d1, d2)>

func.func @experts(%a_x: tensor<19x24xbf16>,
    %a_gate_up: tensor<4x24x32xbf16>,
    %a_gate_up_bias: tensor<4x32xbf16>,
    %a_down: tensor<4x16x24xbf16>,
    %a_down_bias: tensor<4x24xbf16>,
    %a_routing: tensor<19x4xbf16> {check.draw = "uniform 0 1"}) -> (tensor<19x24xbf16>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %c1 = arith.constant 1.000000000e+00 : f64
  %c2 = arith.constant 0.000000000e+00 : bf16
  %v1 = tensor.expand_shape %a_x [[0, 1], [2]] output_shape [1, 19, 24] : tensor<19x24xbf16> into tensor<1x19x24xbf16>
  %v2 = tensor.empty() : tensor<4x19x24xbf16>
  %g3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v1 : tensor<1x19x24xbf16>) outs(%v2 : tensor<4x19x24xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    linalg.yield %in0 : bf16
  } -> tensor<4x19x24xbf16>
  %v4 = tensor.empty() : tensor<4x19x32xf32>
  %v5 = linalg.fill ins(%c0 : f32) outs(%v4 : tensor<4x19x32xf32>) -> tensor<4x19x32xf32>
  %v6 = linalg.batch_matmul ins(%g3, %a_gate_up : tensor<4x19x24xbf16>, tensor<4x24x32xbf16>) outs(%v5 : tensor<4x19x32xf32>) -> tensor<4x19x32xf32>
  %v7 = tensor.empty() : tensor<4x19x32xbf16>
  %g8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v6 : tensor<4x19x32xf32>) outs(%v7 : tensor<4x19x32xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x19x32xbf16>
  %v9 = tensor.expand_shape %a_gate_up_bias [[0, 1], [2]] output_shape [4, 1, 32] : tensor<4x32xbf16> into tensor<4x1x32xbf16>
  %v10 = tensor.empty() : tensor<4x19x32xbf16>
  %g11 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g8, %v9 : tensor<4x19x32xbf16>, tensor<4x1x32xbf16>) outs(%v10 : tensor<4x19x32xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.addf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<4x19x32xbf16>
  %v12 = tensor.extract_slice %g11[0, 0, 0] [4, 19, 16] [1, 1, 2] : tensor<4x19x32xbf16> to tensor<4x19x16xbf16>
  %v13 = tensor.extract_slice %g11[0, 0, 1] [4, 19, 16] [1, 1, 2] : tensor<4x19x32xbf16> to tensor<4x19x16xbf16>
  %v14 = tensor.empty() : tensor<4x19x16xbf16>
  %g15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v12 : tensor<4x19x16xbf16>) outs(%v14 : tensor<4x19x16xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %c = arith.constant 7.0 : bf16
    %r = arith.minimumf %in0, %c : bf16
    linalg.yield %r : bf16
  } -> tensor<4x19x16xbf16>
  %v16 = tensor.empty() : tensor<4x19x16xbf16>
  %g17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v13 : tensor<4x19x16xbf16>) outs(%v16 : tensor<4x19x16xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %c = arith.constant 7.0 : bf16
    %n = arith.constant -7.0 : bf16
    %a = arith.maximumf %in0, %n : bf16
    %r = arith.minimumf %a, %c : bf16
    linalg.yield %r : bf16
  } -> tensor<4x19x16xbf16>
  %v18 = tensor.empty() : tensor<4x19x16xbf16>
  %g19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g15 : tensor<4x19x16xbf16>) outs(%v18 : tensor<4x19x16xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %al = arith.constant 1.702 : bf16
    %one = arith.constant 1.0 : bf16
    %s = arith.mulf %in0, %al : bf16
    %n = arith.negf %s : bf16
    %ex = math.exp %n : bf16
    %d = arith.addf %one, %ex : bf16
    %sg = arith.divf %one, %d : bf16
    %r = arith.mulf %in0, %sg : bf16
    linalg.yield %r : bf16
  } -> tensor<4x19x16xbf16>
  %v20 = tensor.empty() : tensor<4x19x16xbf16>
  %g21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g17 : tensor<4x19x16xbf16>) outs(%v20 : tensor<4x19x16xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %x = arith.truncf %c1 : f64 to bf16
    %r = arith.addf %in0, %x : bf16
    linalg.yield %r : bf16
  } -> tensor<4x19x16xbf16>
  %v22 = tensor.empty() : tensor<4x19x16xbf16>
  %g23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g21, %g19 : tensor<4x19x16xbf16>, tensor<4x19x16xbf16>) outs(%v22 : tensor<4x19x16xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<4x19x16xbf16>
  %v24 = tensor.empty() : tensor<4x19x24xf32>
  %v25 = linalg.fill ins(%c0 : f32) outs(%v24 : tensor<4x19x24xf32>) -> tensor<4x19x24xf32>
  %v26 = linalg.batch_matmul ins(%g23, %a_down : tensor<4x19x16xbf16>, tensor<4x16x24xbf16>) outs(%v25 : tensor<4x19x24xf32>) -> tensor<4x19x24xf32>
  %v27 = tensor.empty() : tensor<4x19x24xbf16>
  %g28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v26 : tensor<4x19x24xf32>) outs(%v27 : tensor<4x19x24xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %r = arith.truncf %in0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x19x24xbf16>
  %v29 = tensor.expand_shape %a_down_bias [[0, 1], [2]] output_shape [4, 1, 24] : tensor<4x24xbf16> into tensor<4x1x24xbf16>
  %v30 = tensor.empty() : tensor<4x19x24xbf16>
  %g31 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g28, %v29 : tensor<4x19x24xbf16>, tensor<4x1x24xbf16>) outs(%v30 : tensor<4x19x24xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.addf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<4x19x24xbf16>
  %v32 = tensor.empty() : tensor<4x19xbf16>
  %v33 = linalg.transpose ins(%a_routing : tensor<19x4xbf16>) outs(%v32 : tensor<4x19xbf16>) permutation = [1, 0]
  %v34 = tensor.expand_shape %v33 [[0], [1, 2]] output_shape [4, 19, 1] : tensor<4x19xbf16> into tensor<4x19x1xbf16>
  %v35 = tensor.empty() : tensor<4x19x24xbf16>
  %g36 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g31, %v34 : tensor<4x19x24xbf16>, tensor<4x19x1xbf16>) outs(%v35 : tensor<4x19x24xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %r = arith.mulf %in0, %in1 : bf16
    linalg.yield %r : bf16
  } -> tensor<4x19x24xbf16>
  %v37 = tensor.empty() : tensor<19x24xbf16>
  %v38 = linalg.fill ins(%c2 : bf16) outs(%v37 : tensor<19x24xbf16>) -> tensor<19x24xbf16>
  %g39 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["reduction", "parallel", "parallel"]} ins(%g36 : tensor<4x19x24xbf16>) outs(%v38 : tensor<19x24xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %r = arith.addf %in0, %out0 : bf16
    linalg.yield %r : bf16
  } -> tensor<19x24xbf16>
  return %g39 : tensor<19x24xbf16>
}
