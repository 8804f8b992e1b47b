// Attention Free Transformer: exponentials of keys and of biases of positions are
// multiplied.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=9000 --keys=16

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (0, d1, d2)>

func.func @aft(%a_q: tensor<2x37x24xf32>,
    %a_k: tensor<2x37x24xf32>,
    %a_v: tensor<2x37x24xf32>,
    %a_w: tensor<37x37xf32>) -> (tensor<2x37x24xf32>) {
  %c0 = arith.constant 0.000000000e+00 : f32
  %v1 = tensor.expand_shape %a_w [[0, 1], [2]] output_shape [1, 37, 37] : tensor<37x37xf32> into tensor<1x37x37xf32>
  %v2 = tensor.empty() : tensor<1x37x37xf32>
  %g3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v1 : tensor<1x37x37xf32>) outs(%v2 : tensor<1x37x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<1x37x37xf32>
  %v4 = tensor.empty() : tensor<2x37x24xf32>
  %g5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_k : tensor<2x37x24xf32>) outs(%v4 : tensor<2x37x24xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %r = math.exp %in0 : f32
    linalg.yield %r : f32
  } -> tensor<2x37x24xf32>
  %v6 = tensor.empty() : tensor<2x37x37xf32>
  %g7 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g3 : tensor<1x37x37xf32>) outs(%v6 : tensor<2x37x37xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<2x37x37xf32>
  %v8 = tensor.empty() : tensor<2x37x24xf32>
  %g9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g5, %a_v : tensor<2x37x24xf32>, tensor<2x37x24xf32>) outs(%v8 : tensor<2x37x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x37x24xf32>
  %v10 = tensor.empty() : tensor<2x37x24xf32>
  %v11 = linalg.fill ins(%c0 : f32) outs(%v10 : tensor<2x37x24xf32>) -> tensor<2x37x24xf32>
  %v12 = linalg.batch_matmul ins(%g7, %g9 : tensor<2x37x37xf32>, tensor<2x37x24xf32>) outs(%v11 : tensor<2x37x24xf32>) -> tensor<2x37x24xf32>
  %v13 = tensor.empty() : tensor<2x37x24xf32>
  %v14 = linalg.fill ins(%c0 : f32) outs(%v13 : tensor<2x37x24xf32>) -> tensor<2x37x24xf32>
  %v15 = linalg.batch_matmul ins(%g7, %g5 : tensor<2x37x37xf32>, tensor<2x37x24xf32>) outs(%v14 : tensor<2x37x24xf32>) -> tensor<2x37x24xf32>
  %v16 = tensor.empty() : tensor<2x37x24xf32>
  %g17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a_q : tensor<2x37x24xf32>) outs(%v16 : tensor<2x37x24xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %one = arith.constant 1.0 : f32
    %n = arith.negf %in0 : f32
    %x = math.exp %n : f32
    %d = arith.addf %x, %one : f32
    %r = arith.divf %one, %d : f32
    linalg.yield %r : f32
  } -> tensor<2x37x24xf32>
  %v18 = tensor.empty() : tensor<2x37x24xf32>
  %g19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v12, %v15 : tensor<2x37x24xf32>, tensor<2x37x24xf32>) outs(%v18 : tensor<2x37x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.divf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x37x24xf32>
  %v20 = tensor.empty() : tensor<2x37x24xf32>
  %g21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g17, %g19 : tensor<2x37x24xf32>, tensor<2x37x24xf32>) outs(%v20 : tensor<2x37x24xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %r = arith.mulf %in0, %in1 : f32
    linalg.yield %r : f32
  } -> tensor<2x37x24xf32>
  return %g21 : tensor<2x37x24xf32>
}
