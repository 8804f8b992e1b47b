// RMSNorm whose squares are math.fpowi.

// RUN: linalg-ext-check-program %s

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>

func.func @rms_norm_fpowi(%x: tensor<1x37x24xf32>,
                          %g: tensor<24xf32>) -> tensor<1x37x24xf32> {
  %cst = arith.constant 2 : i64
  %cst_1 = arith.constant 0.000000e+00 : f32
  %cst_2 = arith.constant 2.40000000000000000e+01 : f64
  %cst_3 = arith.constant 9.99999999999999955e-07 : f64
  %0 = tensor.empty() : tensor<1x37x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x37x24xf32>) outs(%0 : tensor<1x37x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = math.fpowi %in, %cst : f32, i64
    linalg.yield %2 : f32
  } -> tensor<1x37x24xf32>
  %3 = tensor.empty() : tensor<1x37x1xf32>
  %4 = linalg.fill ins(%cst_1 : f32) outs(%3 : tensor<1x37x1xf32>) -> tensor<1x37x1xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x37x24xf32>) outs(%4 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %6 = arith.addf %in, %out : f32
    linalg.yield %6 : f32
  } -> tensor<1x37x1xf32>
  %7 = tensor.empty() : tensor<1x37x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x37x1xf32>) outs(%7 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.truncf %cst_2 : f64 to f32
    %10 = arith.divf %in, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<1x37x1xf32>
  %11 = tensor.empty() : tensor<1x37x1xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x37x1xf32>) outs(%11 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %13 = arith.truncf %cst_3 : f64 to f32
    %14 = arith.addf %in, %13 : f32
    linalg.yield %14 : f32
  } -> tensor<1x37x1xf32>
  %15 = tensor.empty() : tensor<1x37x1xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x37x1xf32>) outs(%15 : tensor<1x37x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = math.rsqrt %in : f32
    linalg.yield %17 : f32
  } -> tensor<1x37x1xf32>
  %18 = tensor.empty() : tensor<1x37x24xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %16 : tensor<1x37x24xf32>, tensor<1x37x1xf32>) outs(%18 : tensor<1x37x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %20 = arith.mulf %in, %in_1 : f32
    linalg.yield %20 : f32
  } -> tensor<1x37x24xf32>
  %21 = tensor.empty() : tensor<1x37x24xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %g : tensor<1x37x24xf32>, tensor<24xf32>) outs(%21 : tensor<1x37x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %23 = arith.mulf %in, %in_1 : f32
    linalg.yield %23 : f32
  } -> tensor<1x37x24xf32>
  return %22 : tensor<1x37x24xf32>
}
