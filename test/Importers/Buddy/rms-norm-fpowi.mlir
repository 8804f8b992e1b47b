// RMSNorm with math.fpowi, splat constants and math.rsqrt of a tensor.

// RUN: linalg-ext-check-program %s

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>

func.func @buddy_rms_norm(%x: tensor<1x33x24xf32>,
                          %g: tensor<24xf32>,
                          %w: tensor<24x40xf32>) -> tensor<1x33x40xf32> {
  %cst = arith.constant 2 : i32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x33x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x33x24xf32>) outs(%0 : tensor<1x33x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = math.fpowi %in, %cst : f32, i32
    linalg.yield %2 : f32
  } -> tensor<1x33x24xf32>
  %4 = tensor.empty() : tensor<1x33xf32>
  %5 = linalg.fill ins(%cst_1 : f32) outs(%4 : tensor<1x33xf32>) -> tensor<1x33xf32>
  %3 = linalg.reduce { arith.addf } ins(%1 : tensor<1x33x24xf32>) outs(%5 : tensor<1x33xf32>) dimensions = [2]
  %6 = tensor.expand_shape %3 [[0], [1, 2]] output_shape [1, 33, 1] : tensor<1x33xf32> into tensor<1x33x1xf32>
  %7 = arith.constant dense<0.0416666667> : tensor<1x1x1xf32>
  %8 = arith.constant dense<1.0e-06> : tensor<1x1x1xf32>
  %9 = tensor.empty() : tensor<1x33x1xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<1x33x1xf32>, tensor<1x1x1xf32>) outs(%9 : tensor<1x33x1xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %11 = arith.mulf %in, %in_1 : f32
    linalg.yield %11 : f32
  } -> tensor<1x33x1xf32>
  %12 = tensor.empty() : tensor<1x33x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %8 : tensor<1x33x1xf32>, tensor<1x1x1xf32>) outs(%12 : tensor<1x33x1xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %14 = arith.addf %in, %in_1 : f32
    linalg.yield %14 : f32
  } -> tensor<1x33x1xf32>
  %15 = math.rsqrt %13 : tensor<1x33x1xf32>
  %16 = tensor.empty() : tensor<1x33x24xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %15 : tensor<1x33x24xf32>, tensor<1x33x1xf32>) outs(%16 : tensor<1x33x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.mulf %in, %in_1 : f32
    linalg.yield %18 : f32
  } -> tensor<1x33x24xf32>
  %19 = tensor.empty() : tensor<1x33x24xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %g : tensor<1x33x24xf32>, tensor<24xf32>) outs(%19 : tensor<1x33x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %21 = arith.mulf %in, %in_1 : f32
    linalg.yield %21 : f32
  } -> tensor<1x33x24xf32>
  %22 = tensor.collapse_shape %20 [[0, 1], [2]] : tensor<1x33x24xf32> into tensor<33x24xf32>
  %23 = tensor.empty() : tensor<33x40xf32>
  %24 = linalg.fill ins(%cst_1 : f32) outs(%23 : tensor<33x40xf32>) -> tensor<33x40xf32>
  %25 = linalg.matmul ins(%22, %w : tensor<33x24xf32>, tensor<24x40xf32>) outs(%24 : tensor<33x40xf32>) -> tensor<33x40xf32>
  %26 = tensor.expand_shape %25 [[0, 1], [2]] output_shape [1, 33, 40] : tensor<33x40xf32> into tensor<1x33x40xf32>
  return %26 : tensor<1x33x40xf32>
}
