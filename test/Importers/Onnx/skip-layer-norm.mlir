// SkipLayerNormalization of ONNX, as its function body has it: a norm of a sum of two and a bias.
// The sum is a result, too. One kernel writes both.

// RUN: linalg-ext-check-program %s --max-kernels=1 --max-buffer-bytes=5328

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @skip_layer_norm(%x: tensor<1x37x72xf32>,
    %skip: tensor<1x37x72xf32>,
    %bias: tensor<72xf32>,
    %gamma: tensor<72xf32>,
    %beta: tensor<72xf32>) -> (tensor<1x37x72xf32>, tensor<1x37x72xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %cst1 = arith.constant 7.200000e+01 : f32
  %cst2 = arith.constant 1.000000e-12 : f32
  %cst3 = arith.constant 1.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x37x72xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %skip : tensor<1x37x72xf32>, tensor<1x37x72xf32>) outs(%0 : tensor<1x37x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x37x72xf32>
  %2 = tensor.empty() : tensor<1x37x72xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %bias : tensor<1x37x72xf32>, tensor<72xf32>) outs(%2 : tensor<1x37x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x37x72xf32>
  %4 = tensor.empty() : tensor<1x37x1xf32>
  %5 = linalg.fill ins(%cst0 : f32) outs(%4 : tensor<1x37x1xf32>) -> tensor<1x37x1xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<1x37x72xf32>) outs(%5 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x37x1xf32>
  %7 = tensor.empty() : tensor<1x37x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x37x1xf32>) outs(%7 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x37x1xf32>
  %9 = tensor.empty() : tensor<1x37x72xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %8 : tensor<1x37x72xf32>, tensor<1x37x1xf32>) outs(%9 : tensor<1x37x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.subf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x37x72xf32>
  %11 = tensor.empty() : tensor<1x37x72xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %10 : tensor<1x37x72xf32>, tensor<1x37x72xf32>) outs(%11 : tensor<1x37x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x37x72xf32>
  %13 = tensor.empty() : tensor<1x37x1xf32>
  %14 = linalg.fill ins(%cst0 : f32) outs(%13 : tensor<1x37x1xf32>) -> tensor<1x37x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<1x37x72xf32>) outs(%14 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x37x1xf32>
  %16 = tensor.empty() : tensor<1x37x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x37x1xf32>) outs(%16 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %in, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<1x37x1xf32>
  %18 = tensor.empty() : tensor<1x37x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x37x1xf32>) outs(%18 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<1x37x1xf32>
  %20 = tensor.empty() : tensor<1x37x1xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x37x1xf32>) outs(%20 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.sqrt %in : f32
    linalg.yield %r : f32
  } -> tensor<1x37x1xf32>
  %22 = tensor.empty() : tensor<1x37x1xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<1x37x1xf32>) outs(%22 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.divf %cst3, %in : f32
    linalg.yield %r : f32
  } -> tensor<1x37x1xf32>
  %24 = tensor.empty() : tensor<1x37x72xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %23 : tensor<1x37x72xf32>, tensor<1x37x1xf32>) outs(%24 : tensor<1x37x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x37x72xf32>
  %26 = tensor.empty() : tensor<1x37x72xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %gamma : tensor<1x37x72xf32>, tensor<72xf32>) outs(%26 : tensor<1x37x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.mulf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x37x72xf32>
  %28 = tensor.empty() : tensor<1x37x72xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %beta : tensor<1x37x72xf32>, tensor<72xf32>) outs(%28 : tensor<1x37x72xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %r = arith.addf %in, %in_1 : f32
    linalg.yield %r : f32
  } -> tensor<1x37x72xf32>
  return %29, %3 : tensor<1x37x72xf32>, tensor<1x37x72xf32>
}
